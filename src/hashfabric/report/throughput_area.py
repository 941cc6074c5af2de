"""The plot of throughput against area, made from the measured rows.

Two panels: against the LUTs in the harness, with the limit, and against the logic cells of the top
without it.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from hashfabric.registry.designs import Design
from hashfabric.registry.results import MeasuredRow
from hashfabric.report.drawing import LogAxes, Measure, label_places

FILE = "docs/img/throughput-area.svg"
TARGET = "ecp5-85k"
FAMILY = "keccak"

PART_LUTS = 83_640
"""LUT4 of the LFE5U-85F."""

ROUND_LUTS = 320 + 320 + 1600 + 1600
"""Fewest LUT4 of a round, one level a stage: parity, theta's effect, its use, chi."""

LIMIT_MHZ = 332
"""Clock on this part of a network one LUT4 deep with only Keccak's wiring."""

BLOCK_BITS = 1088
ROUNDS = 24
DIAGONALS = (0.5, 1, 2, 3)
"""Mb/s per LUT, or logic cell, for which a line is drawn."""

_WIDTH, _HEIGHT = 720, 500
_SHAPES = {"engine": "core: the engine alone", "stream": "stream: padding, AXI4-Stream"}
_GREY, _BLACK = "#888888", "#222222"


@dataclass(frozen=True)
class Point:
    """One measured row."""

    design: str
    variant: str
    kind: str
    luts: int
    logic_cells: int
    gbps: float
    one_seed: bool


@dataclass(frozen=True)
class Limit:
    """The most that `rounds` unrolled could reach."""

    rounds: int
    luts: int
    gbps: float


def points(rows: Iterable[MeasuredRow], designs: Mapping[str, Design]) -> list[Point]:
    """Return the rows that the plot shows: engines and streams of its family, on its target.

    Software is too slow for the axes.
    """
    return [
        Point(
            design=row.name,
            variant=row.variant,
            kind=variants[row.variant].kind,
            luts=row.luts,
            logic_cells=row.logic_cells,
            gbps=row.gbps,
            one_seed=row.one_seed,
        )
        for row in rows
        if row.target == TARGET and row.gbps is not None
        if row.name in designs and designs[row.name].family == FAMILY
        if row.variant in (variants := designs[row.name].variants)
        if variants[row.variant].kind in _SHAPES
    ]


def limit() -> list[Limit]:
    """Return the limit for each number of unrolled rounds that fits the part."""
    return [
        Limit(u, ROUND_LUTS * u, round(BLOCK_BITS * LIMIT_MHZ * u / ROUNDS / 1000, 3))
        for u in range(1, PART_LUTS // ROUND_LUTS + 1)
    ]


####################
# The drawing      #
####################


@dataclass(frozen=True)
class _Area:
    """The area of a panel: its count, and its names."""

    of: Callable[[Point], int]
    unit: str
    head: str


_LUTS = _Area(lambda point: point.luts, "LUT", f"LUT4, of {PART_LUTS:,}")
_CELLS = _Area(
    lambda point: point.logic_cells, "logic cell", f"Logic cells of the top alone, of {PART_LUTS:,}"
)


def _axes(counted: _Area, shown: Sequence[Point], also: Sequence[Limit] = ()) -> LogAxes:
    """Return axes with room for the points and for `also`."""
    area = [*(counted.of(point) for point in shown), *(step.luts for step in also)]
    gbps = [*(point.gbps for point in shown), *(step.gbps for step in also)]
    names = (Measure("area", counted.head), Measure("gbps", "Gb/s"))
    return LogAxes.around(names, area, gbps, (_WIDTH, _HEIGHT))


def chart(shown: Sequence[Point]) -> dict[str, Any]:
    """Return the plot of `shown` as a Vega-Lite chart."""
    luts, cells = _axes(_LUTS, shown, limit()), _axes(_CELLS, shown)
    return dict(
        alt.vconcat(
            _panel(
                [*_diagonals(luts, _LUTS), *_limit(luts), *_measured(luts, _LUTS, shown)],
                f"Keccak on {TARGET}: throughput against LUTs",
                f"Gb/s at r = {BLOCK_BITS} (SHA3-256), all slots busy, median over seeds "
                "(hollow: one seed); LUT4 with the serial harness.",
                f"Limit: {ROUND_LUTS:,} LUT4 a round unrolled, one level a stage, "
                f"at {LIMIT_MHZ} MHz: what a network one LUT4",
                "deep with Keccak's wiring, and nothing else, reached on this part.",
            ),
            _panel(
                [*_diagonals(cells, _CELLS), *_measured(cells, _CELLS, shown)],
                "The same against logic cells",
                "LUT4 or flip-flops of the top without the harness, whichever are more: "
                "a slice has as many of both.",
            ),
        ).to_dict()
    )


def _panel(layers: Sequence[alt.Chart], title: str, *said: str) -> alt.LayerChart | alt.FacetChart:
    head = alt.TitleParams(title, anchor="start", subtitle=list(said), subtitleColor=_GREY)
    return alt.layer(*layers, title=head, width=_WIDTH, height=_HEIGHT)


def _measured(axes: LogAxes, counted: _Area, shown: Sequence[Point]) -> list[alt.Chart]:
    names = list(dict.fromkeys(point.design for point in shown))
    by_design: dict[str, Any] = {"scale": alt.Scale(scheme="dark2"), "sort": names}
    colour = alt.Color("design:N", title="Design", **by_design)
    outline = alt.Stroke("design:N", legend=None, **by_design)
    shape = alt.Shape(
        "shape:N",
        title="Measured",
        scale=alt.Scale(domain=list(_SHAPES.values()), range=["circle", "diamond"]),
    )
    filling = alt.condition(alt.datum.one_seed, alt.value(0), alt.value(1))
    dots = [
        {"design": p.design, "shape": _SHAPES[p.kind], "one_seed": p.one_seed}
        | {"area": counted.of(p), "gbps": p.gbps}
        for p in shown
    ]
    labels = [
        {"design": point.design, "text": point.variant, **place}
        for point, place in zip(shown, _label_places(axes, counted, shown), strict=True)
    ]
    return [
        axes.chart(dots)
        .mark_point(size=70, filled=True, opacity=1)
        .encode(color=colour, stroke=outline, shape=shape, fillOpacity=filling),
        axes.chart(labels)
        .mark_text(align="left", baseline="middle", fontSize=10)
        .encode(text="text:N", color=colour),
    ]


def _limit(axes: LogAxes) -> list[alt.Chart]:
    line = [{"area": step.luts, "gbps": step.gbps} for step in limit()]
    marks = [
        {"area": step.luts, "gbps": step.gbps, "text": str(step.rounds)}
        for step in limit()
        if ROUNDS % step.rounds == 0
    ]
    middle = {key: math.sqrt(line[0][key] * line[1][key]) for key in ("area", "gbps")}
    ticks, name = axes.chart(marks), axes.chart([middle])
    text: dict[str, Any] = {"color": _BLACK, "fontSize": 10}
    return [
        axes.chart(line).mark_line(color=_BLACK, strokeWidth=1.5),
        ticks.mark_point(color=_BLACK, shape="stroke", size=60, angle=90),
        ticks.mark_text(align="right", dx=-4, dy=-8, **text).encode(text="text:N"),
        name.mark_text(angle=axes.tilt, dy=-8, text="limit, by rounds unrolled", **text),
    ]


def _diagonals(axes: LogAxes, counted: _Area) -> list[alt.Chart]:
    lines, ends = [], []
    for slope in DIAGONALS:
        left = max(axes.x[0], 1000 * axes.y[0] / slope)
        right = min(axes.x[1], 1000 * axes.y[1] / slope)
        lines += [
            {"slope": slope, "area": area, "gbps": slope * area / 1000} for area in (left, right)
        ]
        ends.append({**lines[-2], "text": f"{slope:g} Mb/s per {counted.unit}"})
    return [
        axes.chart(lines)
        .mark_line(color=_GREY, strokeWidth=0.7, strokeDash=[4, 3])
        .encode(detail="slope:N"),
        axes.chart(ends)
        .mark_text(color=_GREY, align="left", angle=axes.tilt, dx=10, dy=-7, fontSize=9)
        .encode(text="text:N"),
    ]


def _label_places(axes: LogAxes, counted: _Area, shown: Sequence[Point]) -> list[dict[str, float]]:
    """Return where each point's label begins."""
    points = [(counted.of(point), point.gbps, point.variant) for point in shown]
    return label_places(axes, points)
