"""The papers' tables as data, and the audit that recomputes their own figures.

A relation is an equation (or bound) between printed figures, written in Python's expression
syntax and evaluated with units and with intervals. A count is exact. A printed operand stands for
every value that rounds to it; the stated figure may have been rounded either way, so it may be
off by less than one unit in its last place. A relation is flagged where nothing within those
intervals makes it true. No paper is treated in a special way.
"""

import ast
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from typing import Literal

from hashfabric.papers.claims import (
    Claim,
    Scope,
    UnitError,
    evaluate,
    holds,
    last_digit,
    names_in,
    parse_claim,
    value_of,
)
from hashfabric.papers.paper import Paper, scope_of
from hashfabric.papers.rows import PaperRow, plain
from hashfabric.papers.units import UNITS, unit_of


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
    """The largest difference of the two sides, in `unit`, that rounding explains."""
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
"""Relations of every row that has the columns; of several for one column, one has to hold."""

KECCAK_RULES = (("block_bits", ("1600 - 2 * digest_bits",)),)
"""Further relations of every row of a standard Keccak function."""

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
            claims = [c for c in claims if {c.stated, *names_in(c)} <= scope.values.keys()]
            if not claims:
                continue
            claim = next((c for c in claims if holds(c, scope)), claims[0])
            finding = _judge(claim, scope, (paper.name, row.place, row.label))
            if finding.status == "flag":
                extra = _corroborated(claim, scope)
                finding = replace(finding, repair=(*extra, *finding.repair))
            yield finding


def _checks(paper: Paper) -> Iterator[Finding]:
    scope = scope_of(paper)
    places = {figure.name: figure.place for figure in paper.figures}
    places |= {row.id: row.place for row in paper.rows if row.id}
    for check in paper.checks:
        claim = parse_claim(check.claim)
        where = places[claim.stated.partition(".")[0]]
        yield _judge(claim, scope, (paper.name, where, check.label))


def _judge(claim: Claim, scope: Scope, where: tuple[str, str, str]) -> Finding:
    """Compare the two sides of a claim; a flag comes with possible repairs."""
    unit = unit_of(claim.stated)
    printed = scope.values[claim.stated]
    base = Finding(*where, claim.text, plain(printed), None, unit.symbol, None, None, "flag")
    try:
        stated, computed = evaluate(claim, scope)
    except UnitError as error:
        units = ", ".join(f"{name} in {unit_of(name).symbol or '1'}" for name in names_in(claim))
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
            names = names_in(other)
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
    for name in names_in(claim):
        if name.endswith(("rounds", "_bits")):
            continue  # fixed by the algorithm, so not the paper's mistake
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
        if not {"throughput_gbps", *names_in(claims[next(iter(claims))])} <= known:
            continue
        fits = [rate for rate, claim in claims.items() if holds(claim, scope)]
        gbps = {r: _short(evaluate(c, scope)[1].value / 10**9) for r, c in claims.items()}
        fine = len(fits) == len(claims) if versions else bool(fits)
        yield Finding(
            paper=paper.name,
            place=row.place,
            subject=f"{row.label}: " + ("every version" if versions else "some rate"),
            relation=form.format("r"),
            stated=plain(scope.values["throughput_gbps"]),
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
    cores: dict[tuple[str, str, Decimal | None], list[PaperRow]] = {}
    for row in paper.rows:
        if row.algorithm in KECCAK and row.digest_bits and row.ref and row.throughput_mbps:
            cores.setdefault((row.ref, row.device, row.fmax_mhz), []).append(row)
    form = parse_claim("clocks == (1600 - 2 * digest_bits) * fmax_mhz / throughput_mbps")
    for (ref, device, fmax), rows in cores.items():
        if len(rows) == 1 or fmax is None:
            continue
        clocks = [value_of(form.expression, Scope(row.values())) for row in rows]
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
    """A claimed order must be the order of the column, on each device."""
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


def _short(value: Fraction | float) -> float:
    """Round to seven significant digits: enough for every printed figure."""
    return float(f"{float(value):.7g}")
