"""Read a routed ECP5 design back from the bitstream's text, and compare it with its netlist.

The text (nextpnr's `--textcfg`, which ecppack reads and ecpunpack writes) has the switches that are
closed and the contents of the LUTs, tile by tile. nextpnr's own record of nets is not in it: a
pin's net is found by going back from the pin, switch by switch, to where the signal comes from. So
a faulty place, a switch that is missing, and two nets on a wire are found whoever made them.

Clocks are followed to the network of clocks, which has one number for each of them. Pins of blocks
other than logic, block RAM, pads and clock buffers are not compared.
"""

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hashfabric.base.errors import LabError
from hashfabric.flows.ecp5.fabric import Fabric, Near, Wire, is_global, near, place_of, tile_type
from hashfabric.flows.ecp5.placed import BEL, PLACE, SLICES

_INPUTS = "ABCD"
_TEST = "_CIBTEST"  # sites of the maker's tests, which drive pads' wires too
_SHOWN = 3  # faults in a message
_PAD_PORTS = {"I": "PADDO", "O": "JPADDI", "T": "PADDT"}
_CLOCK = ("DCCA", "CLKO")
_SETTINGS = ("SD", "REGSET")  # of a register: where its input comes from, its first value


@dataclass
class Config:
    """The text of a bitstream: what drives each wire, and the settings of each tile."""

    fabric: Fabric
    driver: dict[Wire, Wire] = field(default_factory=dict)
    settings: dict[tuple[int, int], dict[str, str]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    faults: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, text: str, fabric: Fabric) -> "Config":
        """Read the text; a wire with two sources is among the `faults`."""
        config = cls(fabric)
        place = (0, 0)
        for line in text.splitlines():
            kind, _, rest = line.partition(" ")
            if kind == ".tile":
                place = place_of(rest)
            elif kind == "arc:":
                config._close(place, *(near(name) for name in rest.split()))
            elif kind in ("word:", "enum:"):
                name, _, value = rest.partition(" ")
                config.settings[place][name] = value
        return config

    def _close(self, place: tuple[int, int], sink: Near, source: Near) -> None:
        ends = [(place[0] + x, place[1] + y, name) for x, y, name in (sink, source)]
        before = self.driver.setdefault(ends[0], ends[1])
        if before != ends[1]:
            self.faults.append(f"{_text(ends[0])} is driven by {_text(before)}, {_text(ends[1])}")

    @cached_property
    def _fixed(self) -> dict[str, list[tuple[str, Near, Near]]]:
        """Fixed connections by the name of the sink: type of the tile, sink, source."""
        found = defaultdict(list)
        for kind in {one for types in self.fabric.tiles.values() for one in types}:
            for sink, source in tile_type(kind).fixed:
                if not source[2].endswith(_TEST):
                    found[sink[2]].append((kind, sink, source))
        return found

    def source(self, wire: Wire) -> Wire | None:
        """Return what drives a wire; None if nothing does."""
        if wire in self.driver:
            return self.driver[wire]
        x, y, name = wire
        for kind, sink, source in self._fixed.get(name, ()):
            place = x - sink[0], y - sink[1]
            if kind in self.fabric.tiles.get(place, ()):
                return place[0] + source[0], place[1] + source[1], source[2]
        return None

    def root(self, wire: Wire) -> Wire:
        """Return where the signal on a wire comes from."""
        passed = {wire}
        while (source := self.source(wire)) is not None and not is_global(wire[2]):
            if source in passed:
                return wire
            passed.add(source)
            wire = source
        return wire


def _text(wire: Wire) -> str:
    return f"X{wire[0]}/Y{wire[1]}/{wire[2]}"


def pin_wire(cell: Mapping[str, Any], port: str) -> Wire | None:
    """Return the wire of a placed cell's port; None for one that is not known here."""
    match = PLACE.fullmatch(cell["attributes"].get(BEL, ""))
    if match is None:
        raise LabError(f"a {cell['type']} has no place")
    x, y, bel = int(match[1]), int(match[2]), match[3]
    kind = cell["type"]
    if kind == "TRELLIS_IO" and port in _PAD_PORTS:
        return x, y, f"{_PAD_PORTS[port]}{bel[-1]}_PIO"
    if kind == "DP16KD":
        return x, y, f"J{port}_EBR"
    if kind not in _PINS:
        return None
    slice_, _, part = bel.removeprefix("SLICE").partition(".")
    name = _PINS[kind](port, slice_, part)
    return None if name is None else (x, y, f"{name}_SLICE")


def _lut_pin(port: str, letter: str, part: str) -> str | None:
    """Return a pin of a LUT; None within the slice: carry from lane to lane, a RAM's write port."""
    slot, lane = SLICES.index(letter), int(part[1:])
    names = dict.fromkeys((*_INPUTS, "F", "M"), f"{port}{2 * slot + lane}")
    names |= dict.fromkeys(("FXA", "FXB"), f"{port}{letter}")
    names |= dict.fromkeys(("WCK", "WRE"), f"{port}{slot}")
    names["OFX"] = f"F{'X' if lane else '5'}{letter}"
    if lane == 0:
        names["FCI"] = "FCI" if letter == "A" else f"FCI{letter}"
    else:
        names["FCO"] = "FCO" if letter == "D" else f"FCO{letter}"
    return names.get(port)


def _register_pin(port: str, letter: str, part: str) -> str | None:
    slot = SLICES.index(letter)
    lane = 2 * slot + int(part[2:])
    return f"{port}{lane if port in ('DI', 'M', 'Q') else slot}"


def _write_pin(port: str, letter: str, _: str) -> str | None:
    if port[0] not in _INPUTS:
        return None
    return f"{port[0]}{2 * SLICES.index(letter) + int(port[1])}"


_PINS: Mapping[str, Callable[[str, str, str], str | None]] = {
    "TRELLIS_COMB": _lut_pin,
    "TRELLIS_FF": _register_pin,
    "TRELLIS_RAMW": _write_pin,
}


@dataclass(frozen=True)
class Checked:
    """What was compared: nets, arcs to their pins, LUTs, registers."""

    nets: int
    arcs: int
    luts: int
    registers: int


def check(netlist: Mapping[str, Any], text: str, fabric: Fabric) -> Checked:
    """Compare a placed netlist with the bitstream's `text`; `LabError` with the first faults.

    Each pin has the signal of its net's driver, and no wire has two; each LUT computes its function
    of the nets at its pins; each register takes its input and its first value as it should.
    """
    (module,) = netlist["modules"].values()
    check_ = _Check(module["cells"], Config.read(text, fabric))
    faults = [*check_.config.faults, *check_.nets(), *check_.luts(), *check_.registers()]
    if faults:
        more = f", and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        raise LabError(f"the bitstream is not the netlist: {'; '.join(faults[:_SHOWN])}{more}")
    return Checked(check_.net_count, check_.arc_count, check_.lut_count, check_.register_count)


class _Check:
    """A comparison of a netlist with a configuration."""

    def __init__(self, cells: Mapping[str, Any], config: Config) -> None:
        self.cells = cells
        self.config = config
        self.roots: dict[int, Wire | None] = {}  # of driven nets; None: from the network of clocks
        self.net_count = self.arc_count = self.lut_count = self.register_count = 0
        for cell in cells.values():
            for port, bits in cell["connections"].items():
                if bits and cell["port_directions"][port] == "output":
                    wire = pin_wire(cell, port)
                    if wire is not None or (cell["type"], port) == _CLOCK:
                        self.roots[bits[0]] = wire

    def nets(self) -> Iterable[str]:
        """Yield the pins that do not have their net's signal."""
        seen: dict[int, set[str]] = defaultdict(set)
        self.clocks: dict[int, str] = {}
        owners: dict[Wire, int] = {}
        for bit, wire in self.roots.items():
            if wire is not None and owners.setdefault(wire, bit) != bit:
                yield f"two nets begin at {_text(wire)}"
        for name, cell in self.cells.items():
            for port, bits in cell["connections"].items():
                if not bits or cell["port_directions"][port] != "input":
                    continue
                wire = pin_wire(cell, port)
                if wire is None or bits[0] not in self.roots:
                    continue
                seen[bits[0]].add(name)
                self.arc_count += 1
                if exchanged := _exchanged(cell, port, wire):
                    if self.roots[bits[0]] not in list(map(self.config.root, exchanged)):
                        yield f"{name}.{port}: no pin of its LUT has its net"
                elif fault := self._fault(bits[0], self.config.root(wire)):
                    yield f"{name}.{port}: {fault}"
        self.net_count = len(seen)

    def _fault(self, bit: int, found: Wire) -> str:
        expected = self.roots[bit]
        if expected is not None:
            return "" if found == expected else f"{_text(found)}, not {_text(expected)}"
        if not is_global(found[2]):
            return f"{_text(found)}, not a clock"
        number = self.clocks.setdefault(bit, found[2])
        return "" if number == found[2] else f"clock {found[2]}, not {number}"

    def luts(self) -> Iterable[str]:
        """Yield the LUTs that compute something else."""
        for name, cell in self.cells.items():
            if cell["type"] != "TRELLIS_COMB" or _mode(cell) == "DPRAM":
                continue
            self.lut_count += 1
            x, y, bel = _place(cell)
            letter, lane = bel[len("SLICE")], int(bel[-1])
            settings = self.config.settings.get((x, y), {})
            text = settings.get(f"SLICE{letter}.K{lane}.INIT", "1" * 16)
            wanted = int(cell["parameters"].get("INITVAL", "1" * 16), 2)
            pins = {p: self.roots.get(bits[0]) for p in _INPUTS if (bits := _bits(cell, p))}
            number = 2 * SLICES.index(letter) + lane
            there = {
                p: self.config.root((x, y, f"{p}{number}_SLICE"))
                for p in _INPUTS
                if settings.get(f"SLICE{letter}.{p}{lane}MUX") != "1"
            }
            if not _same(wanted, pins, int(text, 2), there):
                yield f"{name}: its LUT has {text}"

    def registers(self) -> Iterable[str]:
        """Yield the registers with other settings."""
        for name, cell in self.cells.items():
            if cell["type"] != "TRELLIS_FF":
                continue
            self.register_count += 1
            x, y, bel = _place(cell)
            register = f"SLICE{bel[len('SLICE')]}.REG{bel[-1]}"
            settings = self.config.settings.get((x, y), {})
            for setting in _SETTINGS:
                found = settings.get(f"{register}.{setting}")
                wanted = cell["parameters"].get(setting)
                if wanted is not None and found != wanted.strip():
                    yield f"{name}: its {setting} is {found}"


def _same(
    wanted: int, pins: Mapping[str, Wire | None], found: int, there: Mapping[str, Wire]
) -> bool:
    """Return whether two LUTs are one function of the signals at their pins; other pins are 1."""
    signals = list(dict.fromkeys(pins.values()))
    for values in itertools.product((0, 1), repeat=len(signals)):
        at = dict(zip(signals, values, strict=True))
        one = sum((at[pins[p]] if p in pins else 1) << i for i, p in enumerate(_INPUTS))
        two = sum((at.get(there[p], 1) if p in there else 1) << i for i, p in enumerate(_INPUTS))
        if wanted >> one & 1 != found >> two & 1:
            return False
    return True


def _bits(cell: Mapping[str, Any], port: str) -> Sequence[int]:
    found: Sequence[int] = cell["connections"].get(port, [])
    return found


def _mode(cell: Mapping[str, Any]) -> str:
    mode: str = cell["parameters"].get("MODE", "LOGIC").strip()
    return mode


def _place(cell: Mapping[str, Any]) -> Wire:
    match = PLACE.fullmatch(cell["attributes"][BEL])
    assert match is not None  # noqa: S101 - `pin_wire` has read it
    return int(match[1]), int(match[2]), match[3]


def _exchanged(cell: Mapping[str, Any], port: str, wire: Wire) -> list[Wire]:
    """Return the wires of those pins of a LUT that the router may exchange with a pin of it.

    All of them, in a carry chain A and B, and C and D; none where the LUT is RAM.
    """
    if cell["type"] != "TRELLIS_COMB" or port not in _INPUTS or _mode(cell) == "DPRAM":
        return []
    pins = _INPUTS
    if _mode(cell) == "CCU2":
        pins = _INPUTS[:2] if port in _INPUTS[:2] else _INPUTS[2:]
    x, y, name = wire
    return [(x, y, f"{pin}{name[1:]}") for pin in pins]
