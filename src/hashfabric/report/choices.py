"""Which core for which need: chosen from the measured rows and the registry, for README.md."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from hashfabric.base.text import ONE_SEED, markdown
from hashfabric.models import functions
from hashfabric.registry.designs import STATED, Design, Variant
from hashfabric.registry.results import MeasuredRow
from hashfabric.report import tables

TARGET = "ecp5-85k"
"""The target of the candidates: the part with place and route."""

SMALL_LUTS = 1000
"""What a small core takes at most, without the harness."""

SEEDS = 5
"""Seeds of a row that is sure enough for README.md: others are taken where there is none."""

FUNCTION = STATED
"""The function of every candidate, and of their figures."""

COLUMNS = (
    "Need",
    "take",
    "which is",
    "Messages at once",
    "LUT in harness (alone)",
    "FF in harness (alone)",
    "Block RAM",
    "Fmax MHz",
    "Gb/s",
    "Mb/s per LUT",
    "Mb/s per logic cell",
)
"""Headings of `table`."""

WHAT = {
    "stream": "complete: padding, AXI4-Stream",
    "engine": "an engine: padded blocks in",
    "word-engine": "an engine: padded blocks in, a word at a time",
    "peripheral": "a peripheral with registers, for a processor",
    "masked-peripheral": "a peripheral with registers, message and digest in shares",
    "chain": "chains of hashes with registers, for SLH-DSA",
    "system": "a program on a processor",
    "soc": "a processor with a peripheral",
}
"""The kinds of variants in words."""


@dataclass(frozen=True)
class Candidate:
    """A measured variant; `order` is its place in the registry, `gbps` its throughput."""

    row: MeasuredRow
    design: Design
    variant: Variant
    order: int
    gbps: float

    @property
    def is_sure(self) -> bool:
        """Return whether its clock is a median of enough seeds."""
        return self.row.fmax_mhz is not None and self.row.fmax_mhz.n >= SEEDS


@dataclass(frozen=True)
class Need:
    """A need: of the candidates that fit, the one of the highest merit is chosen."""

    words: str
    fits: Callable[[Candidate], bool]
    merit: Callable[[Candidate], float]


def _is_stream(one: Candidate) -> bool:
    return one.variant.kind == "stream"


def _is_hardware(one: Candidate) -> bool:
    """Return whether it is no software and loads its blocks in the time that it is measured with.

    The clocks of a word-engine are those of its permutation, and a chain hashes its own digests.
    """
    return one.variant.firmware is None and one.variant.kind not in ("word-engine", "chain")


def _is_plain(one: Candidate) -> bool:
    family = functions.FUNCTIONS[FUNCTION].family
    return _is_stream(one) and one.design.name == functions.FAMILIES[family].design


def _per_lut(one: Candidate) -> float:
    return 1000 * one.gbps / one.row.luts


NEEDS = (
    Need("to start", _is_plain, lambda one: -one.order),
    Need("the fewest LUTs of a complete core", _is_stream, lambda one: -one.row.luts_core),
    Need(
        "the most Gb/s from a complete core of a thousand LUTs",
        lambda one: _is_stream(one) and one.row.luts_core <= SMALL_LUTS,
        lambda one: one.gbps,
    ),
    Need(
        "the fastest for one message",
        lambda one: _is_stream(one) and one.row.slots == 1,
        lambda one: one.gbps,
    ),
    Need(
        "many messages at once",
        lambda one: _is_stream(one) and one.row.slots > 1,
        lambda one: one.gbps,
    ),
    Need("the most Gb/s from one stream port", _is_stream, lambda one: one.gbps),
    Need("the most Gb/s per LUT of a complete core", _is_stream, _per_lut),
    Need("the most Gb/s per LUT", _is_hardware, _per_lut),
    Need(
        "the most Gb/s per logic cell",
        _is_hardware,
        lambda one: 1000 * one.gbps / one.row.logic_cells,
    ),
    Need("the most Gb/s from one FPGA", _is_hardware, lambda one: one.gbps),
    Need(
        "work done in DSP slices",
        lambda one: _is_hardware(one) and one.row.dsps > 0,
        lambda one: one.gbps,
    ),
    Need(
        "a peripheral of a processor, the fastest that is measured",
        lambda one: one.variant.kind == "peripheral",
        lambda one: one.gbps,
    ),
    Need(
        "a peripheral, the fewest LUTs",
        lambda one: one.variant.kind == "peripheral",
        lambda one: -one.row.luts_core,
    ),
    Need(
        "a program on a small processor, with or without a unit for it",
        lambda one: one.variant.kind == "system",
        lambda one: one.gbps,
    ),
)
"""In the order of the table; a need that nothing fits is not in it."""


def candidates(rows: Iterable[MeasuredRow], designs: Mapping[str, Design]) -> list[Candidate]:
    """Return the rows to choose from: of `TARGET`, with a clock, and in the registry."""
    found = []
    for order, row in enumerate(tables.in_order(rows, designs)):
        variants = designs[row.name].variants if row.name in designs else {}
        if row.target != TARGET or row.gbps is None or row.variant not in variants:
            continue
        design, variant = designs[row.name], variants[row.variant]
        if FUNCTION in design.functions_of(variant):
            found.append(Candidate(row, design, variant, order, row.gbps))
    return found


def chosen(
    rows: Iterable[MeasuredRow], designs: Mapping[str, Design]
) -> list[tuple[list[str], Candidate]]:
    """Return the variants chosen, each with its needs, in the order of their first needs.

    Rows of `SEEDS` seeds come before others. Of candidates of equal merit the first in the registry
    is taken.
    """
    known = candidates(rows, designs)
    lines: dict[int, tuple[list[str], Candidate]] = {}
    for need in NEEDS:
        fitting = [one for one in known if need.fits(one)]
        if fitting:
            best = max(fitting, key=lambda one: (one.is_sure, need.merit(one), -one.order))
            lines.setdefault(best.order, ([], best))[0].append(need.words)
    return list(lines.values())


def table(rows: Sequence[MeasuredRow], designs: Mapping[str, Design]) -> str:
    """Return the table as Markdown for a page in the root, empty where nothing was measured."""
    lines = chosen(rows, designs)
    if not lines:
        return ""
    text = markdown(COLUMNS, [_cells(*line) for line in lines], left=3)
    marks = tables.marks_line([one.row for _, one in lines])
    return f"{text}\n{marks}\n" if marks else text


def _cells(needs: list[str], one: Candidate) -> list[str]:
    row, mark = one.row, ONE_SEED if one.row.one_seed else ""
    clock = row.fmax_mhz.median if row.fmax_mhz is not None else None
    derived = (one.gbps, row.mbps_per_lut, row.mbps_per_cell)
    return [
        "; ".join(needs),
        f"[{row.name}/{row.variant}]({one.design.docs})",
        WHAT[one.variant.kind],
        str(row.slots),
        f"{row.luts:,} ({row.luts_core:,})",
        f"{row.ffs:,} ({row.ffs_core:,})",
        str(row.brams),
        "–" if clock is None else f"{clock:.1f}{mark}",
        *("–" if value is None else f"{_short(value)}{mark}" for value in derived),
    ]


def _short(value: float) -> str:
    """Return `value` with two decimals, or with two significant digits where that shows nothing."""
    return f"{value:,.2f}" if value >= 0.1 else f"{value:.2g}"  # noqa: PLR2004 - see above
