"""The papers' tables as data, and the audit that recomputes their own figures.

A relation is an equation (or bound) between printed figures, written in Python's expression
syntax and evaluated with units and with intervals. A count is exact. A printed operand stands for
every value that rounds to it; the stated figure may have been rounded either way, so it may be
off by less than one unit in its last place. A relation is flagged where nothing within those
intervals makes it true. Nothing here knows which figures of which paper are wrong.
"""

import ast
import math
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator
from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid

from hashfabric.datafile import DataModel, Slug, first_fault, one_of, shown
from hashfabric.errors import LabError

# --- Units -----------------------------------------------------------------------------------

Dimension = tuple[int, int, int, int]
"""Exponents of second, watt, slice and byte; bits, clocks and other counts have none."""


@dataclass(frozen=True)
class Unit:
    """A unit of measurement: its symbol, its size and its dimension."""

    symbol: str
    scale: Fraction = Fraction(1)
    dimension: Dimension = (0, 0, 0, 0)
    exact: bool = False


UNITS = {
    "mhz": Unit("MHz", Fraction(10**6), (-1, 0, 0, 0)),
    "ns": Unit("ns", Fraction(1, 10**9), (1, 0, 0, 0)),
    "gbps": Unit("Gb/s", Fraction(10**9), (-1, 0, 0, 0)),
    "mbps": Unit("Mb/s", Fraction(10**6), (-1, 0, 0, 0)),
    "mbps_per_slice": Unit("Mb/s per slice", Fraction(10**6), (-1, 0, -1, 0)),
    "w": Unit("W", Fraction(1), (0, 1, 0, 0)),
    "mw": Unit("mW", Fraction(1, 1000), (0, 1, 0, 0)),
    "mw_per_gbps": Unit("mW per Gb/s", Fraction(1, 10**12), (1, 1, 0, 0)),
    "kb": Unit("KB", Fraction(1000), (0, 0, 0, 1)),
    "percent": Unit("%", Fraction(1, 100)),
    "times": Unit("x"),
    "slices": Unit("slices", Fraction(1), (0, 0, 1, 0), exact=True),
    "bits": Unit("bits", exact=True),
    "clocks": Unit("clocks", exact=True),
}
"""The unit that ends a name; a name without one counts things."""


def unit_of(name: str) -> Unit:
    """Return the unit that ends `name` (the longest match), or that of an exact count."""
    words = name.rpartition(".")[2].split("_")
    for start in range(len(words)):
        if unit := UNITS.get("_".join(words[start:])):
            return unit
    return Unit("", exact=True)


# --- What a paper's file holds -----------------------------------------------------------------


def _number(value: object) -> Decimal:
    """Take a TOML number as a Decimal, whose digits are those printed."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError("a number is wanted")
    return Decimal(value)


Printed = Annotated[Decimal, BeforeValidator(_number), Field(gt=0)]
"""A measured figure as printed: its last digit says how far it is rounded."""

Count = Annotated[int, Field(gt=0)]
"""An exact number of things."""

Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


class Row(DataModel):
    """One line of a table (or one design described in prose); what is not printed is absent."""

    id: Identifier | None = None
    design: Slug | None = None
    work: str = ""
    ref: str = ""
    algorithm: str = ""
    device: str = ""
    place: str
    own: bool
    note: str = ""
    digest_bits: Count | None = None
    block_bits: Count | None = None
    capacity_bits: Count | None = None
    clocks: Count | None = None
    blocks_in_flight: Count | None = None
    clocks_per_block: Count | None = None
    instructions: Count | None = None
    fmax_mhz: Printed | None = None
    delay_ns: Printed | None = None
    area_slices: Count | None = None
    luts: Count | None = None
    dsps: Count | None = None
    brams: Count | None = None
    throughput_gbps: Printed | None = None
    throughput_mbps: Printed | None = None
    tpa_mbps_per_slice: Printed | None = None
    power_w: Printed | None = None
    static_power_w: Printed | None = None
    dynamic_power_w: Printed | None = None
    power_mw: Printed | None = None
    dynamic_power_mw: Printed | None = None
    power_mw_per_gbps: Printed | None = None
    rom_kb: Printed | None = None
    ram_kb: Printed | None = None
    enhancement_percent: Printed | None = None

    @property
    def label(self) -> str:
        """Name the row: reference, work or algorithm, digest length, device."""
        what = self.work or (f"{self.algorithm}-{self.digest_bits or ''}".rstrip("-"))
        return " ".join(part for part in (self.ref, what, self.device) if part)

    def values(self) -> dict[str, Decimal]:
        """Return every number of the row under its column's name."""
        cells = self.model_dump(exclude={"own"}).items()
        return {key: Decimal(v) for key, v in cells if isinstance(v, int | Decimal)}


class Table(DataModel):
    """A table as printed: its columns, then a line for each row; `set` holds for every line."""

    place: str
    own: bool
    set: dict[str, Any] = Field(default={})
    columns: list[str]
    rows: list[Row]

    @model_validator(mode="before")
    @classmethod
    def _lines_to_rows(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not isinstance(data.get("set", {}), dict):
            return data
        columns, lines = data.get("columns"), data.get("rows")
        if not isinstance(columns, list) or not isinstance(lines, list):
            return data
        common = {"place": data.get("place"), "own": data.get("own"), **data.get("set", {})}
        rows = []
        for number, line in enumerate(lines):
            if not isinstance(line, list) or len(line) != len(columns):
                raise ValueError(f"rows.{number}: {len(columns)} cells wanted, one for each column")
            cells = zip(columns, line, strict=True)
            rows.append({**common, **{key: cell for key, cell in cells if cell not in ("", "N/A")}})
        return {**data, "rows": rows}


class Figure(DataModel):
    """One figure stated outside the tables, under a name that ends in its unit."""

    name: Identifier
    value: Annotated[Decimal, BeforeValidator(_number), Field(ge=0)]
    place: str
    label: str

    @model_validator(mode="after")
    def _counts_are_whole(self) -> Self:
        if unit_of(self.name).exact and self.value % 1:
            raise ValueError(f"{self.name} has no unit in its name, so its value is a whole number")
        return self


class Check(DataModel):
    """A relation that the paper states or implies: a name, `==`, `<=` or `>=`, an expression."""

    label: str
    claim: str

    @field_validator("claim")
    @classmethod
    def _is_a_claim(cls, claim: str) -> str:
        parse_claim(claim)
        return claim


class Ranking(DataModel):
    """An order of the algorithms, best first, that a column is claimed to give on each device."""

    place: str
    column: Literal["throughput_gbps", "tpa_mbps_per_slice"]
    digest_bits: Count
    order: list[str]


class Paper(DataModel):
    """One paper: its tables, its figures in prose, and the relations between them."""

    name: Slug
    title: str
    authors: list[str] = Field(default=[])
    venue: str = ""
    year: Count | None = None
    note: str = ""
    tables: list[Table] = Field(default=[], alias="table")
    figures: list[Figure] = Field(default=[], alias="figure")
    checks: list[Check] = Field(default=[], alias="check")
    rankings: list[Ranking] = Field(default=[], alias="ranking")

    @property
    def rows(self) -> list[Row]:
        """Every row of every table."""
        return [row for table in self.tables for row in table.rows]

    @property
    def designs(self) -> list[str]:
        """The Hashfabric designs that rows of this paper describe."""
        return list(dict.fromkeys(row.design for row in self.rows if row.design))

    @model_validator(mode="after")
    def _names_hold(self) -> Self:
        names = [figure.name for figure in self.figures] + [r.id for r in self.rows if r.id]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"the name '{name}' is used twice")
        scope = _paper_scope(self)
        for number, check in enumerate(self.checks):
            try:
                evaluate(check.claim, scope)
            except UnitError:
                pass  # a comparison of unlike things is the audit's to report
            except (ValueError, ArithmeticError) as error:
                raise ValueError(f"check.{number}.claim: {error}") from None
        return self


def load_paper(path: Path) -> Paper:
    """Read one paper's file; `LabError` names the file and the field."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        paper = Paper.model_validate(data)
    except OSError as error:
        raise LabError(f"{shown(path)}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise LabError(f"{shown(path)}: cannot be read: not UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        raise LabError(f"{shown(path)}: not valid TOML: {error}") from error
    except ValidationError as error:
        raise LabError(f"{shown(path)}: {first_fault(error)}") from error
    if paper.name != path.stem:
        raise LabError(f"{shown(path)}: name: '{paper.name}' is not the file's name")
    return paper


def load_papers(directory: Path) -> list[Paper]:
    """Read every paper of `directory`, in the order of their names."""
    paths = sorted(directory.glob("*.toml"))
    if not paths:
        raise LabError(f"{shown(directory)}: no paper files (*.toml) there")
    return [load_paper(path) for path in paths]


def find(papers: Iterable[Paper], name: str) -> Paper:
    """Return the paper called `name`; `LabError` lists the known names."""
    known = {paper.name: paper for paper in papers}
    if name not in known:
        raise one_of("paper", name, sorted(known))
    return known[name]


# --- Arithmetic with printed figures -----------------------------------------------------------


class UnitError(ValueError):
    """Quantities of different dimension were added or compared."""


@dataclass(frozen=True)
class Quantity:
    """A value in base units with the interval that its printed digits leave open."""

    low: Fraction
    value: Fraction
    high: Fraction
    dimension: Dimension = (0, 0, 0, 0)

    @classmethod
    def printed(cls, name: str, value: Decimal) -> "Quantity":
        """Return what `value` stands for when printed rounded under `name`."""
        unit = unit_of(name)
        half = Fraction(0) if unit.exact else last_digit(value) / 2
        middle = Fraction(value)
        low, high = middle - half, middle + half
        return cls(low * unit.scale, middle * unit.scale, high * unit.scale, unit.dimension)

    @classmethod
    def exact(cls, number: int) -> "Quantity":
        """Return a number known exactly."""
        return cls(Fraction(number), Fraction(number), Fraction(number))

    @property
    def ends(self) -> tuple[Fraction, Fraction, Fraction]:
        """The lower end, the value, the upper end."""
        return self.low, self.value, self.high

    def same(self, other: "Quantity") -> None:
        """Raise `UnitError` unless `other` has the same dimension."""
        if self.dimension != other.dimension:
            raise UnitError("the two sides have different units")

    def __add__(self, other: "Quantity") -> "Quantity":
        """Add, ends to ends."""
        self.same(other)
        low, value, high = (a + b for a, b in zip(self.ends, other.ends, strict=True))
        return Quantity(low, value, high, self.dimension)

    def __sub__(self, other: "Quantity") -> "Quantity":
        """Subtract, ends against opposite ends."""
        return self + replace(other, low=-other.high, value=-other.value, high=-other.low)

    def __mul__(self, other: "Quantity") -> "Quantity":
        """Multiply; the extremes lie among the products of the ends."""
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        a, b, c, d = (p + q for p, q in zip(self.dimension, other.dimension, strict=True))
        return Quantity(min(ends), self.value * other.value, max(ends), (a, b, c, d))

    def __truediv__(self, other: "Quantity") -> "Quantity":
        """Divide; an interval that holds zero cannot be divided by."""
        if other.low <= 0 <= other.high:
            raise ValueError("division by zero")
        a, b, c, d = (-p for p in other.dimension)
        return self * Quantity(1 / other.high, 1 / other.value, 1 / other.low, (a, b, c, d))

    def __pow__(self, other: "Quantity") -> "Quantity":
        """Raise a number to the power of a number."""
        self.same(Quantity.exact(1))
        other.same(self)
        low, value, high = (Fraction(end**other.value) for end in self.ends)
        return Quantity(low, value, high)


def last_digit(value: Decimal) -> Fraction:
    """Return one unit in the last printed place."""
    exponent = value.as_tuple().exponent
    return Fraction(10) ** (exponent if isinstance(exponent, int) else 0)


OPERATORS: dict[type[ast.operator], Callable[[Quantity, Quantity], Quantity]] = {
    ast.Add: Quantity.__add__,
    ast.Sub: Quantity.__sub__,
    ast.Mult: Quantity.__mul__,
    ast.Div: Quantity.__truediv__,
    ast.Pow: Quantity.__pow__,
}


@dataclass(frozen=True)
class Claim:
    """A parsed relation: the stated figure's name, the comparison, the expression."""

    text: str
    stated: str
    comparison: type[ast.cmpop]
    expression: ast.expr


def parse_claim(text: str) -> Claim:
    """Parse `name == expression` (or `<=`, `>=`)."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"not an expression: {text}") from error
    match tree:
        case ast.Compare(
            left=ast.Name() | ast.Attribute() as left,
            ops=[ast.Eq() | ast.LtE() | ast.GtE() as comparison],
            comparators=[expression],
        ):
            return Claim(text, ast.unparse(left), type(comparison), expression)
    raise ValueError(f"wanted is 'name == expression', or <= or >=: {text}")


@dataclass(frozen=True)
class Scope:
    """What names mean in an expression, and the cited rows for `cited_min` and `cited_max`."""

    values: Mapping[str, Decimal]
    cited: Sequence[Row] = ()

    def quantity(self, name: str) -> Quantity:
        """Return the printed figure called `name`."""
        if name not in self.values:
            raise ValueError(f"no figure is called '{name}'")
        return Quantity.printed(name, self.values[name])

    def having(self, name: str, value: Decimal) -> "Scope":
        """Return the same scope with one figure replaced."""
        return replace(self, values={**self.values, name: value})

    def column(self, column: str, device: str) -> list[Quantity]:
        """Return a column of the cited rows on one device."""
        rows = [row.values() for row in self.cited if row.device == device]
        found = [Quantity.printed(column, row[column]) for row in rows if column in row]
        if not found:
            raise ValueError(f"no cited row on {device} has {column}")
        return found


def _paper_scope(paper: Paper) -> Scope:
    values = {figure.name: figure.value for figure in paper.figures}
    for row in paper.rows:
        if row.id:
            values |= {f"{row.id}.{key}": value for key, value in row.values().items()}
    return Scope(values, [row for row in paper.rows if not row.own])


def _extreme(pick: Callable[[list[Fraction]], Fraction], items: list[Quantity]) -> Quantity:
    for item in items:
        items[0].same(item)
    low, value, high = (pick(list(ends)) for ends in zip(*(q.ends for q in items), strict=True))
    return Quantity(low, value, high, items[0].dimension)


def _call(name: str, arguments: list[ast.expr], scope: Scope) -> Quantity:
    if name in ("cited_min", "cited_max"):
        texts = [a.value for a in arguments if isinstance(a, ast.Constant)]
        if len(texts) != len(arguments) or len(texts) != len(("column", "device")):
            raise ValueError(f"{name} wants the column and the device, in quotes")
        items = scope.column(str(texts[0]), str(texts[1]))
    else:
        items = [_value(argument, scope) for argument in arguments]
    if not items:
        raise ValueError(f"{name} wants arguments")
    if name in ("min", "cited_min"):
        return _extreme(min, items)
    if name in ("max", "cited_max"):
        return _extreme(max, items)
    if name == "ceil" and len(items) == 1:
        low, value, high = (Fraction(math.ceil(end)) for end in items[0].ends)
        return Quantity(low, value, high, items[0].dimension)
    raise ValueError(f"unknown function '{name}'")


def _value(node: ast.expr, scope: Scope) -> Quantity:
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return Quantity.exact(number)
        case ast.Name() | ast.Attribute(value=ast.Name()):
            return scope.quantity(ast.unparse(node))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(left, scope), _value(right, scope))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return _call(name, arguments, scope)
    raise ValueError(f"not allowed in an expression: {ast.unparse(node)}")


def evaluate(claim: str | Claim, scope: Scope) -> tuple[Quantity, Quantity]:
    """Return the stated and the computed side of a claim; `ValueError` where it cannot be."""
    parsed = parse_claim(claim) if isinstance(claim, str) else claim
    stated, computed = scope.quantity(parsed.stated), _value(parsed.expression, scope)
    stated.same(computed)
    return stated, computed


def _names(claim: Claim) -> list[str]:
    """Return the names an expression uses, without those of functions."""
    nodes = list(ast.walk(claim.expression))
    hidden = {id(n.value) for n in nodes if isinstance(n, ast.Attribute)}
    hidden |= {id(n.func) for n in nodes if isinstance(n, ast.Call)}
    wanted = [n for n in nodes if isinstance(n, ast.Name | ast.Attribute) and id(n) not in hidden]
    return list(dict.fromkeys(ast.unparse(node) for node in wanted))


def holds(claim: Claim, scope: Scope) -> bool:
    """Say whether rounding can make the claim true."""
    stated, computed = evaluate(claim, scope)
    digit = stated.high - stated.low  # one unit in the last place, none for a count
    low, high = stated.value - digit, stated.value + digit
    if claim.comparison is ast.GtE:
        return high >= computed.low
    if claim.comparison is ast.LtE:
        return low <= computed.high
    return low <= computed.high and computed.low <= high


# --- The audit ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    """One relation, recomputed: `stated` against `computed`, both in `unit`."""

    paper: str
    place: str
    subject: str
    relation: str
    stated: float | str
    computed: float | str | None
    unit: str
    deviation_percent: float | None
    tolerance: float | None
    """How far apart, in `unit`, rounding alone can bring the two sides."""
    status: Literal["ok", "flag"]
    repair: tuple[str, ...] = ()
    note: str = ""


ROW_RULES = (
    ("clocks_per_block", ("clocks / blocks_in_flight",)),
    ("throughput_gbps", ("block_bits * fmax_mhz / clocks_per_block",)),
    ("throughput_mbps", ("block_bits * fmax_mhz / clocks_per_block",)),
    (
        "tpa_mbps_per_slice",
        (
            "block_bits * fmax_mhz / clocks_per_block / area_slices",
            "throughput_gbps / area_slices",
            "throughput_mbps / area_slices",
        ),
    ),
    ("fmax_mhz", ("1 / delay_ns",)),
    ("power_w", ("static_power_w + dynamic_power_w",)),
    ("capacity_bits", ("1600 - block_bits",)),
)
"""What holds in every row that has the columns; of several ways to compute one, any will do."""

KECCAK_RULES = (("block_bits", ("1600 - 2 * digest_bits",)),)
"""What holds besides in every row of a standard Keccak function."""

KECCAK = ("Keccak", "SHA-3")
RATES = (1152, 1088, 1024, 832, 576)


def audit(paper: Paper) -> list[Finding]:
    """Recompute every relation of the paper; the order is that of its file."""
    return [*_rows(paper), *_rates(paper), *_one_core(paper), *_rankings(paper), *_checks(paper)]


def _rows(paper: Paper) -> Iterator[Finding]:
    for row in paper.rows:
        rules = ROW_RULES + (KECCAK_RULES if row.algorithm in KECCAK else ())
        scope = Scope(row.values())
        for column, ways in rules:
            claims = [parse_claim(f"{column} == {way}") for way in ways]
            claims = [c for c in claims if {c.stated, *_names(c)} <= scope.values.keys()]
            if not claims:
                continue
            claim = next((c for c in claims if holds(c, scope)), claims[0])
            finding = _judge(claim, scope, (paper.name, row.place, row.label))
            if finding.status == "flag":
                extra = _corroborated(claim, scope)
                finding = replace(finding, repair=(*extra, *finding.repair))
            yield finding


def _checks(paper: Paper) -> Iterator[Finding]:
    scope = _paper_scope(paper)
    places = {figure.name: figure.place for figure in paper.figures}
    places |= {row.id: row.place for row in paper.rows if row.id}
    for check in paper.checks:
        claim = parse_claim(check.claim)
        where = places[claim.stated.partition(".")[0]]
        yield _judge(claim, scope, (paper.name, where, check.label))


def _judge(claim: Claim, scope: Scope, where: tuple[str, str, str]) -> Finding:
    """Compare the two sides of a claim; a flag comes with what would make it hold."""
    unit = unit_of(claim.stated)
    printed = scope.values[claim.stated]
    base = Finding(*where, claim.text, _plain(printed), None, unit.symbol, None, None, "flag")
    try:
        stated, computed = evaluate(claim, scope)
    except UnitError as error:
        units = ", ".join(f"{name} in {unit_of(name).symbol or '1'}" for name in _names(claim))
        return replace(base, note=f"{error}: {claim.stated} in {unit.symbol or '1'}, but {units}")
    spread = stated.high - stated.low + (computed.high - computed.low) / 2
    relative = (stated.value - computed.value) / computed.value if computed.value else None
    fine = holds(claim, scope)
    nearest = computed.low <= stated.high and computed.high >= stated.low
    return replace(
        base,
        computed=_short(computed.value / unit.scale),
        deviation_percent=None if relative is None else _short(100 * relative),
        tolerance=_short(spread / unit.scale),
        status="ok" if fine else "flag",
        repair=() if fine else tuple(_mistaken(claim, scope) or _operands(claim, scope)),
        note="the printed figure is not rounded to the nearest"
        if fine and not nearest and claim.comparison is ast.Eq
        else "",
    )


def _corroborated(claim: Claim, scope: Scope) -> Iterator[str]:
    """Find other relations of the row that fail now and hold with the computed value."""
    _, computed = evaluate(claim, scope)
    printed = scope.values[claim.stated]
    better = Decimal(float(computed.value / unit_of(claim.stated).scale)).quantize(printed)
    mended = scope.having(claim.stated, better)
    for column, ways in ROW_RULES:
        for way in ways:
            other = parse_claim(f"{column} == {way}")
            names = _names(other)
            if claim.stated not in names or not {column, *names} <= scope.values.keys():
                continue
            if not holds(other, scope) and holds(other, mended):
                yield f"{claim.stated} = {better}: {other.text} then holds as well"


def _mistaken(claim: Claim, scope: Scope) -> list[str]:
    """Try the usual mix-ups of a reduction, a gain and a ratio."""
    if claim.comparison is not ast.Eq:
        return []
    computed = float(evaluate(claim, scope)[1].value)
    tries = {}
    if claim.stated.endswith("_percent") and -1 < computed < 1:
        tries["it is the speed-up minus one, not the reduction"] = computed / (1 - computed)
        tries["it is the reduction, not the speed-up minus one"] = computed / (1 + computed)
    if claim.stated.endswith("_times"):
        tries["it is the ratio, not the ratio minus one"] = computed + 1
        tries["it is the ratio minus one, not the ratio"] = computed - 1
    unit, value = unit_of(claim.stated), scope.values[claim.stated]
    found = {text: _short(other / float(unit.scale)) for text, other in tries.items()}
    return [
        f"{text}: {other:g} {unit.symbol}"
        for text, other in found.items()
        if abs(other - float(value)) <= last_digit(value)
    ]


def _operands(claim: Claim, scope: Scope) -> Iterator[str]:
    """Find for each operand a printed value, not far off, with which the claim would hold."""
    for name in _names(claim):
        if name.endswith(("rounds", "_bits")):
            continue  # the algorithm's, so not for a paper to mistake
        printed, solution = scope.values[name], _solve(claim, scope, name)
        if solution is None or not printed / 2 <= solution <= printed * 2:
            continue
        digit = Decimal(1).scaleb(int(printed.as_tuple().exponent))
        for rounding in (ROUND_FLOOR, ROUND_CEILING):
            candidate = solution.quantize(digit, rounding=rounding)
            if candidate and holds(claim, scope.having(name, candidate)):
                yield f"it would hold with {name} = {candidate} {unit_of(name).symbol}".rstrip()
                break


def _solve(claim: Claim, scope: Scope, name: str) -> Decimal | None:
    """Solve stated == computed for one operand, by the secant method."""

    def gap(x: float) -> float:
        stated, computed = evaluate(claim, scope.having(name, Decimal(x)))
        return float(computed.value / stated.value) - 1 if stated.value else math.nan

    try:
        x0 = float(scope.values[name])
        x1 = x0 * 1.01
        y0, y1 = gap(x0), gap(x1)
        for _ in range(60):
            if abs(y1) < 1e-12:  # noqa: PLR2004
                return Decimal(x1)
            x0, x1 = x1, x1 - y1 * (x1 - x0) / (y1 - y0)
            y0, y1 = y1, gap(x1)
    except (ArithmeticError, ValueError):
        pass
    return None


def _rates(paper: Paper) -> Iterator[Finding]:
    """A throughput printed without its rate must fit every version of the core, or some rate."""
    versions = [r.block_bits for r in paper.rows if r.own and r.block_bits and r.capacity_bits]
    for row in paper.rows:
        scope = Scope(row.values())
        known = scope.values.keys()
        if row.algorithm not in KECCAK or not row.own or {"block_bits", "digest_bits"} & known:
            continue
        clocks = "/ clocks_per_block" if row.clocks_per_block else "* blocks_in_flight / clocks"
        form = f"throughput_gbps == {{}} * fmax_mhz {clocks}"
        claims = {rate: parse_claim(form.format(rate)) for rate in versions or RATES}
        if not {"throughput_gbps", *_names(claims[next(iter(claims))])} <= known:
            continue
        fits = [rate for rate, claim in claims.items() if holds(claim, scope)]
        gbps = {r: _short(evaluate(c, scope)[1].value / 10**9) for r, c in claims.items()}
        fine = len(fits) == len(claims) if versions else bool(fits)
        yield Finding(
            paper=paper.name,
            place=row.place,
            subject=f"{row.label}: " + ("every version" if versions else "some rate"),
            relation=form.format("r"),
            stated=_plain(scope.values["throughput_gbps"]),
            computed=", ".join(f"{value:.4g} at r = {rate}" for rate, value in gbps.items()),
            unit=UNITS["gbps"].symbol,
            deviation_percent=None,
            tolerance=None,
            status="ok" if fine else "flag",
            repair=() if fine or not fits else (f"it holds for r = {_listed(fits)} only",),
            note=f"it fits r = {_listed(fits)}" if fine else "",
        )


def _one_core(paper: Paper) -> Iterator[Finding]:
    """Versions of one work at one clock share the permutation, so its clocks a block."""
    cores: dict[tuple[str, str, Decimal | None], list[Row]] = {}
    for row in paper.rows:
        if row.algorithm in KECCAK and row.digest_bits and row.ref and row.throughput_mbps:
            cores.setdefault((row.ref, row.device, row.fmax_mhz), []).append(row)
    form = parse_claim("clocks == (1600 - 2 * digest_bits) * fmax_mhz / throughput_mbps")
    for (ref, device, fmax), rows in cores.items():
        if len(rows) == 1 or fmax is None:
            continue
        clocks = [_value(form.expression, Scope(row.values())) for row in rows]
        fine = max(c.low for c in clocks) <= min(c.high for c in clocks)
        yield Finding(
            paper=paper.name,
            place=rows[0].place,
            subject=f"{ref} {device}: versions at one clock",
            relation=f"{form.text}, the same for all",
            stated=" = ".join(f"Keccak-{row.digest_bits}" for row in rows),
            computed=", ".join(f"{float(c.value):.2f}" for c in clocks),
            unit="clocks",
            deviation_percent=None,
            tolerance=None,
            status="ok" if fine else "flag",
        )


def _rankings(paper: Paper) -> Iterator[Finding]:
    """A claimed order must be that of the column, on each device."""
    for ranking in paper.rankings:
        rows = [r for r in paper.rows if r.own and r.digest_bits == ranking.digest_bits]
        for device in dict.fromkeys(row.device for row in rows):
            cells = {r.algorithm: r.values() for r in rows if r.device == device}
            found = {a: v[ranking.column] for a, v in cells.items() if ranking.column in v}
            order = sorted(found, key=found.__getitem__, reverse=True)
            missing = set(ranking.order) ^ set(order)
            fine = not missing and all(
                found[a] >= found[b] for a, b in zip(ranking.order, ranking.order[1:], strict=False)
            )
            yield Finding(
                paper=paper.name,
                place=ranking.place,
                subject=f"{ranking.column}, {ranking.digest_bits} bit, {device}",
                relation=f"order by {ranking.column}, falling",
                stated=" > ".join(ranking.order),
                computed=" > ".join(f"{a} {found[a]}" for a in order),
                unit=unit_of(ranking.column).symbol,
                deviation_percent=None,
                tolerance=None,
                status="ok" if fine else "flag",
            )


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(str(number) for number in numbers)


def _plain(value: Decimal | int) -> float | int:
    return int(value) if value == int(value) else float(value)


def _short(value: Fraction | float) -> float:
    """Round to seven significant digits: enough for every printed figure."""
    return float(f"{float(value):.7g}")


# --- Output ------------------------------------------------------------------------------------

Measured = Mapping[str, Any]
"""A row of our own results, as the lab's JSON has it; any key but `name` may be missing."""


Links = Iterable[tuple[str, str, str]]
"""Which designs stand beside which rows, by the registry: (our design, paper, rows' `design`)."""


def beside(
    paper: Paper, measured_rows: Iterable[Measured], links: Links = ()
) -> dict[str, list[Measured]]:
    """Return for each design of the paper the measured rows that belong beside it.

    They are those of the design called so, and of the others that the registry links to it.
    """
    names = {tag: {tag} for tag in paper.designs}
    for ours, linked, tag in links:
        if linked == paper.name and tag in names:
            names[tag].add(ours)
    rows = list(measured_rows)
    return {tag: [row for row in rows if row.get("name") in names[tag]] for tag in names}


def _row_json(row: Row) -> dict[str, Any]:
    cells = row.model_dump(exclude_none=True)
    kept = {key: cell for key, cell in cells.items() if cell != "" and key != "id"}
    return {k: _plain(v) if isinstance(v, Decimal) else v for k, v in kept.items()}


def to_json(
    paper: Paper,
    findings: Sequence[Finding],
    measured_rows: Sequence[Measured],
    links: Links = (),
) -> dict[str, Any]:
    """Return the paper, its audit and our rows beside its rows as one JSON object."""
    groups = beside(paper, measured_rows, links)
    return {
        "name": paper.name,
        "title": paper.title,
        "authors": paper.authors,
        "venue": paper.venue,
        "year": paper.year,
        "note": paper.note,
        "rows": [_row_json(row) for row in paper.rows],
        "figures": [
            {
                "name": figure.name,
                "value": _plain(figure.value),
                "unit": unit_of(figure.name).symbol,
                "place": figure.place,
                "label": figure.label,
            }
            for figure in paper.figures
        ],
        "audit": [{**asdict(finding), "repair": list(finding.repair)} for finding in findings],
        "flagged": sum(finding.status == "flag" for finding in findings),
        "beside": [
            {
                "design": design,
                "paper_rows": [_row_json(r) for r in paper.rows if r.design == design],
                "measured_rows": [dict(row) for row in rows],
            }
            for design, rows in groups.items()
        ],
    }


def render(
    paper: Paper,
    findings: Sequence[Finding],
    measured_rows: Sequence[Measured],
    console: Console,
    links: Links = (),
) -> None:
    """Print the paper's tables and figures, the audit, and our rows beside the paper's."""
    console.print(f"[bold]{escape(paper.name)}[/]: {escape(paper.title)}")
    source = [", ".join(paper.authors), paper.venue, str(paper.year or ""), paper.note]
    console.print(escape(". ".join(part.rstrip(".") for part in source if part)), style="dim")
    for table in paper.tables:
        console.print(_paper_grid(table))
    if paper.figures:
        console.print(_figure_grid(paper.figures))
    _render_audit(findings, console)
    for design, rows in beside(paper, measured_rows, links).items():
        console.print(_beside_grid(paper, design, rows))
        if not rows:
            console.print(f"  {design}: not measured yet (what can be built: hashfabric list)")


def _head(column: str) -> str:
    """Turn a column's name into a head: words, and the unit in brackets."""
    unit = unit_of(column)
    suffix = next((s for s, u in UNITS.items() if u is unit), "")
    words = column.removesuffix(suffix).strip("_").replace("_", " ")
    return f"{words} \\[{unit.symbol}]" if suffix and words else column.replace("_", " ")


def _paper_grid(table: Table) -> Grid:
    whose = "the paper's own" if table.own else "cited"
    grid = Grid(title=f"{escape(table.place)} ({whose})", title_justify="left")
    cells = [row.model_dump(exclude_none=True) for row in table.rows]
    hidden = ("id", "place", "own", "design", "note")
    shown_columns = [
        column
        for column in Row.model_fields
        if column not in hidden and any(row.get(column, "") != "" for row in cells)
    ]
    for column in shown_columns:
        numeric = any(isinstance(row.get(column), int | Decimal) for row in cells)
        grid.add_column(_head(column), justify="right" if numeric else "left")
    for row in cells:
        grid.add_row(*(escape(str(row.get(column, ""))) for column in shown_columns))
    return grid


def _figure_grid(figures: Iterable[Figure]) -> Grid:
    grid = Grid(title="figures stated outside the tables", title_justify="left")
    grid.add_column("figure")
    grid.add_column("value", justify="right")
    grid.add_column("unit")
    grid.add_column("place")
    for figure in figures:
        unit = unit_of(figure.name).symbol
        grid.add_row(escape(figure.label), str(figure.value), unit, escape(figure.place))
    return grid


def _render_audit(findings: Sequence[Finding], console: Console) -> None:
    """Print the flags in full and the relations that hold once each, with their number."""
    flags = [finding for finding in findings if finding.status == "flag"]
    console.print(f"\n[bold]audit[/]: {len(findings)} relations, {len(flags)} do not add up")
    agreeing: dict[str, int] = {}
    for finding in findings:
        if finding.status == "ok":
            agreeing[finding.relation] = agreeing.get(finding.relation, 0) + 1
    for relation, number in agreeing.items():
        console.print(f"[green]ok[/]   {number} x {escape(relation)}")
    for finding in flags:
        where = escape(f"{finding.subject} ({finding.place})")
        console.print(f"[red]flag[/] [bold]{where}[/]")
        console.print(f"     {escape(finding.relation)}")
        text = f"stated {_cell(finding.stated)}, computed {_cell(finding.computed) or 'nothing'}"
        text = f"{text} {finding.unit}".rstrip()
        if finding.deviation_percent is not None:
            text += f" ({finding.deviation_percent:+.2f} %"
            text += f"; rounding explains {finding.tolerance:.2g})" if finding.tolerance else ")"
        console.print(f"     {escape(text)}")
        for line in (finding.note, *finding.repair):
            if line:
                console.print(f"     {escape(line)}", style="yellow")


BESIDE_HEADS = (
    "source",
    "device",
    "variant",
    "clocks per block",
    "fmax [MHz]",
    "area",
    "DSPs",
    "throughput [Gb/s]",
    "throughput per area",
)


def _beside_grid(paper: Paper, design: str, measured_rows: Iterable[Measured]) -> Grid:
    grid = Grid(title=f"{design}: the paper's rows and ours", title_justify="left")
    for number, head in enumerate(BESIDE_HEADS):
        grid.add_column(
            escape(head), justify="left" if number < len(BESIDE_HEADS) // 3 else "right"
        )
    for row in paper.rows:
        if row.design != design or not (row.fmax_mhz or row.clocks):
            continue
        gbps = row.throughput_gbps or (row.throughput_mbps and row.throughput_mbps / 1000)
        grid.add_row(
            escape(f"paper: {row.work or f'{row.algorithm} {row.digest_bits} bit'}"),
            escape(row.device),
            "",
            _paper_clocks(row),
            _cell(row.fmax_mhz),
            _joined((row.area_slices, "slices"), (row.luts, "LUTs")),
            _cell(row.dsps),
            _cell(gbps),
            _joined((row.tpa_mbps_per_slice, "Mb/s per slice")),
        )
    for ours in measured_rows:
        name = str(ours.get("name", design))
        grid.add_row(
            "ours" if name == design else escape(f"ours: {name}"),
            escape(_cell(ours.get("target"))),
            escape(_cell(ours.get("variant"))),
            _cell(ours.get("clocks_per_block")),
            _fmax(ours.get("fmax_mhz")),
            _joined((ours.get("luts"), "LUTs"), (ours.get("ffs"), "FFs")),
            _cell(ours.get("dsps")),
            _cell(ours.get("gbps")),
            _joined((ours.get("mbps_per_lut"), "Mb/s per LUT")),
            style="bold",
        )
    return grid


def _paper_clocks(row: Row) -> str:
    """Return the clocks a block; or those the paper counts without saying for how many blocks."""
    if row.clocks and row.blocks_in_flight and not row.clocks_per_block:
        return _cell(row.clocks / row.blocks_in_flight)
    return _cell(row.clocks_per_block) or (f"{row.clocks} in all" if row.clocks else "")


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return "" if value is None else str(value)


def _joined(*parts: tuple[object, str]) -> str:
    return ", ".join(f"{_cell(value)} {unit}" for value, unit in parts if value is not None)


def _fmax(value: object) -> str:
    if not isinstance(value, Mapping):
        return _cell(value)
    if value.get("median") is None:
        return "unrouted"
    low, high = _cell(value.get("min")), _cell(value.get("max"))
    return f"{_cell(value.get('median'))} ({low}..{high}, n = {_cell(value.get('n'))})"
