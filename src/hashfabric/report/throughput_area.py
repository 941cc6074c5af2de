"""The plot of throughput against area, made from the measured rows.

Two panels: against the LUTs in the harness, with the limit drawn in, and against the logic cells of
the top alone.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from hashfabric.registry.designs import Design
from hashfabric.registry.results import MeasuredRow

FILE = "docs/img/throughput-area.svg"
TARGET = "ecp5-85k"
FAMILY = "keccak"

PART_LUTS = 83_640
"""LUT4 of the LFE5U-85F."""

ROUND_LUTS = 320 + 320 + 1600 + 1600
"""LUT4 that a round takes at least, one level a stage: parity, theta's effect, its use, chi."""

LIMIT_MHZ = 332
"""Clock of a network one LUT4 deep with Keccak's wiring and nothing else, on this part."""

BLOCK_BITS = 1088
ROUNDS = 24
DIAGONALS = (0.5, 1, 2, 3)
"""Mb/s per LUT, or logic cell, for which a line is drawn."""

_WIDTH, _HEIGHT = 720, 500
_CHARACTER, _LINE = 6, 12  # pixels that a label takes
_STEPS = (1, 2, 5)
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
    """What `rounds` unrolled could reach at most."""

    rounds: int
    luts: int
    gbps: float


def points(rows: Iterable[MeasuredRow], designs: Mapping[str, Design]) -> list[Point]:
    """Return the rows that the plot shows: engines and streams of its family, on its target.

    Software is slower by more than the axes have room for.
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
    """Return the limit for as many rounds unrolled as the part has room for."""
    return [
        Limit(u, ROUND_LUTS * u, round(BLOCK_BITS * LIMIT_MHZ * u / ROUNDS / 1000, 3))
        for u in range(1, PART_LUTS // ROUND_LUTS + 1)
    ]


####################
# The drawing      #
####################


@dataclass(frozen=True)
class _Area:
    """What a panel counts as area, and how it names it."""

    of: Callable[[Point], int]
    unit: str
    head: str


_LUTS = _Area(lambda point: point.luts, "LUT", f"LUT4, of {PART_LUTS:,}")
_CELLS = _Area(
    lambda point: point.logic_cells, "logic cell", f"Logic cells of the top alone, of {PART_LUTS:,}"
)


@dataclass(frozen=True)
class _Axes:
    """The logarithmic axes: area to the right, Gb/s up; pixels count from the lower left."""

    counted: _Area
    area: tuple[float, float]
    gbps: tuple[float, float]

    @classmethod
    def around(cls, counted: _Area, shown: Sequence[Point], also: Sequence[Limit] = ()) -> "_Axes":
        """Return axes with room for the points and for `also`."""
        area = [*(counted.of(point) for point in shown), *(step.luts for step in also)]
        gbps = [*(point.gbps for point in shown), *(step.gbps for step in also)]
        return cls(
            counted,
            (_round(min(area), up=False), _round(max(area), up=True)),
            (_round(min(gbps), up=False), _round(max(gbps), up=True)),
        )

    @property
    def tilt(self) -> float:
        """The angle, in degrees from 0 to 360 clockwise, of a line of equal Gb/s per area."""
        x, y = self.pixels(10 * self.area[0], 10 * self.gbps[0])
        return 360 - math.degrees(math.atan2(y, x))

    def pixels(self, area: float, gbps: float) -> tuple[float, float]:
        """Return where a value is drawn."""
        return (
            _WIDTH * math.log(area / self.area[0]) / math.log(self.area[1] / self.area[0]),
            _HEIGHT * math.log(gbps / self.gbps[0]) / math.log(self.gbps[1] / self.gbps[0]),
        )

    def values(self, x: float, y: float) -> dict[str, float]:
        """Return what is drawn at a place, as a datum."""
        return {
            "area": self.area[0] * (self.area[1] / self.area[0]) ** (x / _WIDTH),
            "gbps": self.gbps[0] * (self.gbps[1] / self.gbps[0]) ** (y / _HEIGHT),
        }


def _round(value: float, *, up: bool) -> float:
    """Return the next 1, 2 or 5 of a decade above or below `value`."""
    return (min if up else max)(
        tick for tick in _ticks(value / 10, value * 10) if (tick > value) == up
    )


def _ticks(low: float, high: float) -> list[float]:
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [step * 10.0**decade for decade in decades for step in _STEPS]
    return [float(f"{tick:g}") for tick in ticks if low <= tick * 1.0001 and tick <= high * 1.0001]


def chart(shown: Sequence[Point]) -> dict[str, Any]:
    """Return the plot of `shown` as a Vega-Lite chart."""
    luts, cells = _Axes.around(_LUTS, shown, limit()), _Axes.around(_CELLS, shown)
    return dict(
        alt.vconcat(
            _panel(
                [*_diagonals(luts), *_limit(luts), *_measured(luts, shown)],
                f"Keccak on {TARGET}: throughput against LUTs",
                f"Gb/s at r = {BLOCK_BITS} (SHA3-256), all slots busy, median over seeds "
                "(hollow: one seed); LUT4 with the serial harness.",
                f"Limit: {ROUND_LUTS:,} LUT4 a round unrolled, one level a stage, "
                f"at {LIMIT_MHZ} MHz: what a network one LUT4",
                "deep with Keccak's wiring, and nothing else, reached on this part.",
            ),
            _panel(
                [*_diagonals(cells), *_measured(cells, shown)],
                "The same against logic cells",
                "LUT4 or flip-flops of the top without the harness, whichever are more: "
                "a slice has as many of both.",
            ),
        ).to_dict()
    )


def _panel(layers: Sequence[alt.Chart], title: str, *said: str) -> alt.LayerChart | alt.FacetChart:
    head = alt.TitleParams(title, anchor="start", subtitle=list(said), subtitleColor=_GREY)
    return alt.layer(*layers, title=head, width=_WIDTH, height=_HEIGHT)


def _measured(axes: _Axes, shown: Sequence[Point]) -> list[alt.Chart]:
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
        | {"area": axes.counted.of(p), "gbps": p.gbps}
        for p in shown
    ]
    labels = [
        {"design": point.design, "text": point.variant, **place}
        for point, place in zip(shown, _label_places(axes, shown), strict=True)
    ]
    return [
        _base(axes, dots)
        .mark_point(size=70, filled=True, opacity=1)
        .encode(color=colour, stroke=outline, shape=shape, fillOpacity=filling),
        _base(axes, labels)
        .mark_text(align="left", baseline="middle", fontSize=10)
        .encode(text="text:N", color=colour),
    ]


def _limit(axes: _Axes) -> list[alt.Chart]:
    line = [{"area": step.luts, "gbps": step.gbps} for step in limit()]
    marks = [
        {"area": step.luts, "gbps": step.gbps, "text": str(step.rounds)}
        for step in limit()
        if ROUNDS % step.rounds == 0
    ]
    middle = {key: math.sqrt(line[0][key] * line[1][key]) for key in ("area", "gbps")}
    ticks, name = _base(axes, marks), _base(axes, [middle])
    text: dict[str, Any] = {"color": _BLACK, "fontSize": 10}
    return [
        _base(axes, line).mark_line(color=_BLACK, strokeWidth=1.5),
        ticks.mark_point(color=_BLACK, shape="stroke", size=60, angle=90),
        ticks.mark_text(align="right", dx=-4, dy=-8, **text).encode(text="text:N"),
        name.mark_text(angle=axes.tilt, dy=-8, text="limit, by rounds unrolled", **text),
    ]


def _diagonals(axes: _Axes) -> list[alt.Chart]:
    lines, ends = [], []
    for slope in DIAGONALS:
        left = max(axes.area[0], 1000 * axes.gbps[0] / slope)
        right = min(axes.area[1], 1000 * axes.gbps[1] / slope)
        lines += [
            {"slope": slope, "area": area, "gbps": slope * area / 1000} for area in (left, right)
        ]
        ends.append({**lines[-2], "text": f"{slope:g} Mb/s per {axes.counted.unit}"})
    return [
        _base(axes, lines)
        .mark_line(color=_GREY, strokeWidth=0.7, strokeDash=[4, 3])
        .encode(detail="slope:N"),
        _base(axes, ends)
        .mark_text(color=_GREY, align="left", angle=axes.tilt, dx=10, dy=-7, fontSize=9)
        .encode(text="text:N"),
    ]


def _base(axes: _Axes, values: Sequence[Mapping[str, Any]]) -> alt.Chart:
    """Return a chart of `values` on the axes, without a mark."""
    return alt.Chart(alt.InlineData(values=list(values))).encode(
        x=alt.X(
            "area:Q",
            title=axes.counted.head,
            scale=_log_scale(axes.area),
            axis=_log_axis(axes.area),
        ),
        y=alt.Y("gbps:Q", title="Gb/s", scale=_log_scale(axes.gbps), axis=_log_axis(axes.gbps)),
    )


def _log_scale(domain: tuple[float, float]) -> alt.Scale:
    return alt.Scale(type="log", domain=list(domain), nice=False)


def _log_axis(domain: tuple[float, float]) -> alt.Axis:
    return alt.Axis(values=_ticks(*domain), format=",~g", grid=False, labelFlush=False)


def _label_places(axes: _Axes, shown: Sequence[Point]) -> list[dict[str, float]]:
    """Return where each point's label begins: beside the point, clear of the others if it can."""
    centres = [axes.pixels(axes.counted.of(point), point.gbps) for point in shown]
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in centres]
    places = []
    for point, (x, y) in zip(shown, centres, strict=True):
        width = _CHARACTER * len(point.variant)
        boxes = [
            (start, y + rise - _LINE / 2, start + width, y + rise + _LINE / 2)
            for rise in (0, 10, -10, 21, -21, 32, -32)
            for start in (x + 9, x - 9 - width)
        ]
        clear = (box for box in boxes if not any(_overlap(box, other) for other in taken))
        box = next(clear, boxes[0])
        taken.append(box)
        places.append(axes.values(box[0], box[1] + _LINE / 2))
    return places


_Box = tuple[float, float, float, float]


def _overlap(a: _Box, b: _Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
