"""A liberty file: the parts that power and delays need, in pF, pJ, nW and ns.

The syntax has three kinds of statement, so it is parsed here: the published Python parsers have a
licence that does not fit this project's, or are not mature.
"""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hashfabric.base.datafile import shown
from hashfabric.base.errors import LabError
from hashfabric.netlist import boolean

_COMMENT = re.compile(r"/\*.*?\*/|\\\r?\n", re.DOTALL)
_TOKEN = re.compile(r'"([^"]*)"|([(){}:;,])|([^\s(){}:;,"]+)')


####################
# Syntax           #
####################


@dataclass
class Group:
    """`kind (args) { ... }`: `values` holds `name : value` and `name (value, ...)` by name."""

    kind: str
    args: list[str]
    values: dict[str, list[str]] = field(default_factory=dict)
    groups: list["Group"] = field(default_factory=list)

    def of(self, kind: str) -> list["Group"]:
        """Return the inner groups of this kind."""
        return [group for group in self.groups if group.kind == kind]

    def text(self, name: str, default: str = "") -> str:
        """Return the value called `name`."""
        return ", ".join(self.values[name]) if name in self.values else default

    def number(self, name: str, default: float | None = None) -> float:
        """Return the number called `name`; `LabError` if it is missing or no number."""
        text = self.text(name, "" if default is None else repr(default))
        try:
            return float(text)
        except ValueError:
            where = " ".join([self.kind, *self.args])
            raise LabError(f"liberty: {where}: {name}: a number is required") from None

    def numbers(self, name: str) -> list[float]:
        """Return the list of numbers called `name`, whatever its rows; empty if not there."""
        try:
            return [float(part) for part in re.split(r"[,\s]+", self.text(name).strip()) if part]
        except ValueError:
            where = " ".join([self.kind, *self.args])
            raise LabError(f"liberty: {where}: {name}: numbers are required") from None


class _Tokens:
    def __init__(self, text: str) -> None:
        clean = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
        self._lines = clean
        self._tokens = list(_TOKEN.finditer(clean))
        self._at = 0

    def peek(self) -> str:
        """Return the next token if it is punctuation, else an empty text."""
        if self._at == len(self._tokens):
            raise LabError("liberty: the file ends inside a group")
        return self._tokens[self._at][2] or ""

    def take(self) -> str:
        self.peek()
        match = self._tokens[self._at]
        self._at += 1
        return match[0] if match[1] is None else match[1]

    def done(self) -> bool:
        return self._at == len(self._tokens)

    def fault(self, wanted: str) -> LabError:
        at = min(self._at, len(self._tokens) - 1)
        start = self._tokens[at].start() if self._tokens else 0
        return LabError(f"liberty: line {self._lines.count(chr(10), 0, start) + 1}: {wanted}")


def parse(text: str) -> Group:
    """Return the single group of a liberty file."""
    tokens = _Tokens(text)
    if tokens.done():
        raise LabError("liberty: the file is empty")
    top = Group("", [])
    _statement(tokens, top)
    if not top.groups or not tokens.done():
        raise tokens.fault("one group 'library' is required")
    return top.groups[0]


def _statement(tokens: _Tokens, group: Group) -> None:
    if tokens.peek():
        raise tokens.fault("a name is required")
    name = tokens.take()
    if tokens.peek() == ":":
        tokens.take()
        words = []
        while tokens.peek() not in (";", "}"):
            words.append(tokens.take())
        group.values[name] = [" ".join(words)]
    elif tokens.peek() == "(":
        args = _arguments(tokens)
        if not tokens.done() and tokens.peek() == "{":
            tokens.take()
            inner = Group(name, args)
            while tokens.peek() != "}":
                _statement(tokens, inner)
            tokens.take()
            group.groups.append(inner)
        else:
            group.values[name] = args
    else:
        raise tokens.fault("':' or '(' is required")
    while not tokens.done() and tokens.peek() == ";":
        tokens.take()


def _arguments(tokens: _Tokens) -> list[str]:
    args: list[str] = []
    tokens.take()
    while tokens.peek() != ")":
        if tokens.peek() == ",":
            tokens.take()
        elif tokens.peek():
            raise tokens.fault("')' is required")
        else:
            args.append(tokens.take())
    tokens.take()
    return args


####################
# Tables           #
####################

LOAD, SLEW = "total_output_net_capacitance", "input_transition_time"
CLOCK_SLEW = "related_pin_transition"
_SLEWS = (SLEW, "input_net_transition", "constrained_pin_transition")


@dataclass(frozen=True)
class LookupTable:
    """A table over axes (the first is the slowest), each with its name and its points."""

    names: tuple[str, ...]
    axes: tuple[tuple[float, ...], ...]
    values: tuple[float, ...]

    def at(
        self, *, load: float = 0.0, slew: float, clock_slew: float = 0.0, beyond: bool = False
    ) -> float:
        """Interpolate; points beyond the table are read at its ends.

        With `beyond` its first or last two points are extended in a straight line instead.
        """
        total = 0.0
        where = {LOAD: load, SLEW: slew, CLOCK_SLEW: clock_slew}
        for index, weight in self._corners(where, beyond=beyond):
            total += weight * self.values[index]
        return total

    def _corners(self, where: Mapping[str, float], *, beyond: bool) -> Iterator[tuple[int, float]]:
        corners = [(0, 1.0)]
        for name, axis in zip(self.names, self.axes, strict=True):
            low, part = _between(axis, where[name], beyond=beyond)
            corners = [
                (index * len(axis) + min(low + step, len(axis) - 1), weight * share)
                for index, weight in corners
                for step, share in ((0, 1 - part), (1, part))
                if share
            ]
        yield from corners


def _between(axis: Sequence[float], value: float, *, beyond: bool) -> tuple[int, float]:
    """Return the point below `value`, and how far `value` is on the way to the next."""
    low = max(0, min(bisect_right(axis, value) - 1, len(axis) - 2))
    if len(axis) == 1 or (value <= axis[0] and not beyond):
        return 0, 0.0
    if value >= axis[-1] and not beyond:
        return len(axis) - 1, 0.0
    return low, (value - axis[low]) / (axis[low + 1] - axis[low])


def _table(group: Group, templates: Mapping[str, Group]) -> LookupTable:
    template = templates.get(group.args[0] if group.args else "", Group("scalar", []))
    names, axes = [], []
    for number in (1, 2, 3):
        if name := template.text(f"variable_{number}"):
            points = group.numbers(f"index_{number}") or template.numbers(f"index_{number}")
            if name not in (LOAD, CLOCK_SLEW, *_SLEWS) or not points:
                raise LabError(f"liberty: {group.kind} {group.args[0]}: unknown table")
            names.append(SLEW if name in _SLEWS else name)
            axes.append(tuple(points))
    values = group.numbers("values")
    count = 1
    for axis in axes:
        count *= len(axis)
    if len(values) != count:
        raise LabError(f"liberty: {group.kind}: {len(values)} values in a table of {count}")
    return LookupTable(tuple(names), tuple(axes), tuple(values))


####################
# Cells            #
####################


@dataclass(frozen=True)
class Power:
    """The energy inside a cell, pJ, of one rise and one fall of a pin.

    On an output: of edges that the pin `related` causes (any pin, if empty). On an input: of its
    own edges, whatever the outputs do.
    """

    related: str
    rise: LookupTable
    fall: LookupTable


@dataclass(frozen=True)
class Delay:
    """Delay from the pin `related` to a rise and a fall of an output, ns.

    `_slew` has the transition times of these, ns (None: the library gives none). `sense` says which
    edges of `related` cause which: `positive_unate` the same, `negative_unate` the other,
    `non_unate` both.
    """

    related: str
    rise: LookupTable
    fall: LookupTable
    rise_slew: LookupTable | None
    fall_slew: LookupTable | None
    sense: str


@dataclass(frozen=True)
class Setup:
    """How long before the clock's edge an input has to have risen, or fallen, ns."""

    rise: LookupTable
    fall: LookupTable


@dataclass(frozen=True)
class Pin:
    """One pin of a cell: `function` in terms of the cell's inputs and its state."""

    name: str
    output: bool
    capacitance: float
    function: str
    powers: tuple[Power, ...]
    delays: tuple[Delay, ...]
    setups: tuple[Setup, ...]


@dataclass(frozen=True)
class Storage:
    """A flip-flop (`edge`) takes `data` when `clock` rises, a latch while it is high.

    `state` and `inverse` are its names in the functions of the outputs. `other` names further
    inputs in the library (a clear, for example), which are not modelled.
    """

    edge: bool
    state: str
    inverse: str
    data: str
    clock: str
    other: tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """One cell. Leakage is its mean over states, as the library gives it, in nW."""

    name: str
    area: float
    leakage_nw: float
    pins: dict[str, Pin]
    storage: Storage | None

    def function(self, count: int) -> int | None:
        """Return the truth table of a gate of `count` inputs and one output; None for others."""
        inputs = [pin.name for pin in self.pins.values() if not pin.output]
        outputs = [pin for pin in self.pins.values() if pin.output]
        if self.storage is not None or len(inputs) != count or len(outputs) != 1:
            return None
        return boolean.truth_table(outputs[0].function, inputs)


@dataclass(frozen=True)
class Library:
    """A library at its nominal voltage; `digest` is the sha256 (hex) of the file."""

    name: str
    digest: str
    voltage: float
    temperature: float
    cells: dict[str, Cell]


def read(path: Path) -> Library:
    """Read the liberty file at `path`; `LabError` if it cannot be read."""
    try:
        data = path.read_bytes()
        return library(data.decode("utf-8", errors="replace"), hashlib.sha256(data).hexdigest())
    except OSError as error:
        raise LabError(f"{shown(path)}: cannot be read: {error.strerror}") from error
    except LabError as error:
        raise LabError(f"{shown(path)}: {error}") from error


def library(text: str, digest: str = "") -> Library:
    """Return the library that the liberty `text` describes."""
    top = parse(text)
    templates = {
        group.args[0]: group
        for kind in ("power_lut_template", "lu_table_template")
        for group in top.of(kind)
        if group.args
    }
    volts = _unit(top.text("voltage_unit", "1V"), {"V": 1.0, "mV": 1e-3})
    if volts != 1.0:
        raise LabError("liberty: voltage_unit: 1V is required")
    units = _Units(
        pf=_capacitance_unit(top),
        ns=_unit(top.text("time_unit", "1ns"), {"ns": 1.0, "ps": 1e-3, "us": 1e3}),
    )
    leakage = top.text("leakage_power_unit", "1nW")
    nw = _unit(leakage, {"W": 1e9, "mW": 1e6, "uW": 1e3, "nW": 1.0, "pW": 1e-3, "fW": 1e-6})
    default = top.number("default_cell_leakage_power", 0.0)
    cells = {}
    for group in top.of("cell"):
        cell = _cell(group, templates, units)
        leakage_nw = nw * group.number("cell_leakage_power", default)
        cells[cell.name] = Cell(cell.name, cell.area, leakage_nw, cell.pins, cell.storage)
    return Library(
        name=top.args[0] if top.args else "",
        digest=digest or hashlib.sha256(text.encode()).hexdigest(),
        voltage=top.number("nom_voltage"),
        temperature=top.number("nom_temperature", 25.0),
        cells=cells,
    )


def _unit(text: str, known: Mapping[str, float]) -> float:
    match = re.fullmatch(r"([\d.]+)\s*([A-Za-z]+)", text.strip())
    if match is None or match[2] not in known:
        raise LabError(f"liberty: unknown unit '{text}'")
    return float(match[1]) * known[match[2]]


def _capacitance_unit(top: Group) -> float:
    """Return the library's unit of capacitance in pF; times V squared it is that of energy."""
    number, unit = [*top.values.get("capacitive_load_unit", ["1", "pf"]), ""][:2]
    return _unit(f"{number}{unit.lower()}", {"pf": 1.0, "ff": 1e-3})


@dataclass(frozen=True)
class _Units:
    pf: float
    ns: float


def _cell(group: Group, templates: Mapping[str, Group], units: _Units) -> Cell:
    name = group.args[0] if group.args else ""
    pins = {}
    for pin in group.of("pin"):
        powers = [_power(power, templates, units) for power in pin.of("internal_power")]
        arcs = [arc for arc in pin.of("timing") if arc.of("cell_rise") and arc.of("cell_fall")]
        pins[pin.args[0]] = Pin(
            name=pin.args[0],
            output=pin.text("direction") == "output",
            capacitance=units.pf * pin.number("capacitance", 0.0),
            function=pin.text("function"),
            powers=tuple(powers),
            delays=tuple(_delay(arc, templates, units) for arc in arcs),
            setups=tuple(
                _setup(arc, templates, units)
                for arc in pin.of("timing")
                if arc.text("timing_type") in ("setup_rising", "setup_falling")
            ),
        )
    return Cell(name, group.number("area", 0.0), 0.0, pins, _storage(group))


def _scaled(table: LookupTable, value: float, units: _Units) -> LookupTable:
    """Return `table` in the units used here; one of its values is `value` of them."""
    scales = {LOAD: units.pf, SLEW: units.ns, CLOCK_SLEW: units.ns}
    axes = tuple(
        tuple(scales[name] * point for point in axis)
        for name, axis in zip(table.names, table.axes, strict=True)
    )
    return LookupTable(table.names, axes, tuple(value * entry for entry in table.values))


def _power(group: Group, templates: Mapping[str, Group], units: _Units) -> Power:
    tables = {
        kind: _scaled(_table(table, templates), units.pf, units)
        for kind in ("rise_power", "fall_power", "power")
        for table in group.of(kind)
    }
    both = tables.get("power", LookupTable((), (), (0.0,)))
    related = group.text("related_pin")
    return Power(related, tables.get("rise_power", both), tables.get("fall_power", both))


def _delay(group: Group, templates: Mapping[str, Group], units: _Units) -> Delay:
    found = {
        kind: _scaled(_table(inner, templates), units.ns, units)
        for kind in ("cell_rise", "cell_fall", "rise_transition", "fall_transition")
        for inner in group.of(kind)
    }
    return Delay(
        related=group.text("related_pin"),
        rise=found["cell_rise"],
        fall=found["cell_fall"],
        rise_slew=found.get("rise_transition"),
        fall_slew=found.get("fall_transition"),
        sense=group.text("timing_sense", "non_unate"),
    )


def _setup(group: Group, templates: Mapping[str, Group], units: _Units) -> Setup:
    rise, fall = (
        _scaled(_table(inner, templates), units.ns, units)
        for kind in ("rise_constraint", "fall_constraint")
        for inner in group.of(kind)
    )
    return Setup(rise, fall)


def _storage(group: Group) -> Storage | None:
    for kind, data, clock in (("ff", "next_state", "clocked_on"), ("latch", "data_in", "enable")):
        for inner in group.of(kind):
            known = {data, clock}
            return Storage(
                edge=kind == "ff",
                state=inner.args[0],
                inverse=inner.args[1] if len(inner.args) > 1 else "",
                data=inner.text(data),
                clock=inner.text(clock),
                other=tuple(name for name in inner.values if name not in known),
            )
    return None
