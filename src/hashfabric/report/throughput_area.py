"""The plot of throughput against area, with the limit drawn in, made from the measured rows."""

import math
from collections.abc import Iterable, Mapping, Sequence
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
"""Mb/s per LUT for which a line is drawn."""

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
    gbps: float


@dataclass(frozen=True)
class Limit:
    """What `rounds` unrolled could reach at most."""

    rounds: int
    luts: int
    gbps: float


def points(rows: Iterable[MeasuredRow], designs: Mapping[str, Design]) -> list[Point]:
    """Return the rows that the plot shows: routed on its target, of designs of its family."""
    return [
        Point(row.name, row.variant, variants[row.variant].kind, row.luts, row.gbps)
        for row in rows
        if row.target == TARGET and row.gbps is not None
        if row.name in designs and designs[row.name].family == FAMILY
        if row.variant in (variants := designs[row.name].variants)
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
class _Axes:
    """The logarithmic axes: LUTs to the right, Gb/s up; pixels count from the lower left."""

    luts: tuple[float, float]
    gbps: tuple[float, float]

    @classmethod
    def around(cls, shown: Sequence[Point]) -> "_Axes":
        """Return axes with room for the points and the limit."""
        ends = limit()
        luts = [*(point.luts for point in shown), ends[0].luts, ends[-1].luts]
        gbps = [*(point.gbps for point in shown), ends[0].gbps, ends[-1].gbps]
        return cls(
            (_round(min(luts), up=False), _round(max(luts), up=True)),
            (_round(min(gbps), up=False), _round(max(gbps), up=True)),
        )

    @property
    def tilt(self) -> float:
        """The angle, in degrees from 0 to 360 clockwise, of a line of equal Gb/s per LUT."""
        x, y = self.pixels(10 * self.luts[0], 10 * self.gbps[0])
        return 360 - math.degrees(math.atan2(y, x))

    def pixels(self, luts: float, gbps: float) -> tuple[float, float]:
        """Return where a value is drawn."""
        return (
            _WIDTH * math.log(luts / self.luts[0]) / math.log(self.luts[1] / self.luts[0]),
            _HEIGHT * math.log(gbps / self.gbps[0]) / math.log(self.gbps[1] / self.gbps[0]),
        )

    def values(self, x: float, y: float) -> dict[str, float]:
        """Return what is drawn at a place, as a datum."""
        return {
            "luts": self.luts[0] * (self.luts[1] / self.luts[0]) ** (x / _WIDTH),
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
    axes = _Axes.around(shown)
    layers = alt.layer(
        *_diagonals(axes), *_limit(axes), *_measured(axes, shown), width=_WIDTH, height=_HEIGHT
    )
    title = alt.TitleParams(
        f"Keccak on {TARGET}: throughput against area",
        anchor="start",
        subtitle=[
            f"Gb/s at r = {BLOCK_BITS} (SHA3-256), all slots busy, median over seeds; "
            "LUT4 with the serial harness.",
            f"Limit: {ROUND_LUTS:,} LUT4 a round unrolled, one level a stage, at {LIMIT_MHZ} MHz: "
            "what a network one LUT4",
            "deep with Keccak's wiring, and nothing else, reached on this part.",
        ],
        subtitleColor=_GREY,
    )
    return dict(layers.properties(title=title).to_dict())


def _measured(axes: _Axes, shown: Sequence[Point]) -> list[alt.Chart]:
    names = list(dict.fromkeys(point.design for point in shown))
    colour = alt.Color("design:N", title="Design", scale=alt.Scale(scheme="dark2"), sort=names)
    shape = alt.Shape(
        "shape:N",
        title="Measured",
        scale=alt.Scale(domain=list(_SHAPES.values()), range=["circle", "diamond"]),
    )
    dots = [
        {"design": p.design, "shape": _SHAPES[p.kind], "luts": p.luts, "gbps": p.gbps}
        for p in shown
    ]
    labels = [
        {"design": point.design, "text": point.variant, **place}
        for point, place in zip(shown, _label_places(axes, shown), strict=True)
    ]
    return [
        _base(axes, dots)
        .mark_point(size=70, filled=True, opacity=1)
        .encode(color=colour, shape=shape),
        _base(axes, labels)
        .mark_text(align="left", baseline="middle", fontSize=10)
        .encode(text="text:N", color=colour),
    ]


def _limit(axes: _Axes) -> list[alt.Chart]:
    line = [{"luts": step.luts, "gbps": step.gbps} for step in limit()]
    marks = [
        {"luts": step.luts, "gbps": step.gbps, "text": str(step.rounds)}
        for step in limit()
        if ROUNDS % step.rounds == 0
    ]
    middle = {key: math.sqrt(line[0][key] * line[1][key]) for key in ("luts", "gbps")}
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
        left = max(axes.luts[0], 1000 * axes.gbps[0] / slope)
        right = min(axes.luts[1], 1000 * axes.gbps[1] / slope)
        lines += [
            {"slope": slope, "luts": luts, "gbps": slope * luts / 1000} for luts in (left, right)
        ]
        ends.append({**lines[-1], "text": f"{slope:g} Mb/s per LUT"})
    return [
        _base(axes, lines)
        .mark_line(color=_GREY, strokeWidth=0.7, strokeDash=[4, 3])
        .encode(detail="slope:N"),
        _base(axes, ends)
        .mark_text(color=_GREY, align="right", angle=axes.tilt, dx=-6, dy=-7, fontSize=9)
        .encode(text="text:N"),
    ]


def _base(axes: _Axes, values: Sequence[Mapping[str, Any]]) -> alt.Chart:
    """Return a chart of `values` on the axes, without a mark."""
    return alt.Chart(alt.InlineData(values=list(values))).encode(
        x=alt.X(
            "luts:Q",
            title=f"LUT4, of {PART_LUTS:,}",
            scale=_log_scale(axes.luts),
            axis=_log_axis(axes.luts),
        ),
        y=alt.Y("gbps:Q", title="Gb/s", scale=_log_scale(axes.gbps), axis=_log_axis(axes.gbps)),
    )


def _log_scale(domain: tuple[float, float]) -> alt.Scale:
    return alt.Scale(type="log", domain=list(domain), nice=False)


def _log_axis(domain: tuple[float, float]) -> alt.Axis:
    return alt.Axis(values=_ticks(*domain), format=",~g", grid=False, labelFlush=False)


def _label_places(axes: _Axes, shown: Sequence[Point]) -> list[dict[str, float]]:
    """Return where each point's label begins: beside the point, clear of the others if it can."""
    centres = [axes.pixels(point.luts, point.gbps) for point in shown]
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
