"""Vega-Lite charts: logarithmic axes, places for labels, SVG and HTML files.

An SVG holds the hash of its chart and of its own text, so that one that is out of date, or was
edited, is found without drawing it again (the size of a text depends on a machine's fonts).
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import vl_convert


def is_current(text: str, chart: Mapping[str, Any]) -> bool:
    """Return whether `text` is an unchanged drawing by `svg` of `chart`."""
    drawing, _, stamp = text.rpartition("\n<!--")
    return f"\n<!--{stamp}" == _stamp(chart, drawing)


def svg(chart: Mapping[str, Any]) -> str:
    """Draw `chart`."""
    drawing = plain_svg(chart)
    return drawing + _stamp(chart, drawing)


def plain_svg(chart: Mapping[str, Any]) -> str:
    """Draw `chart` without the hashes."""
    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    return vl_convert.vegalite_to_svg(dict(chart), vl_version=version)


def html(chart: Mapping[str, Any]) -> str:
    """Return a page that shows `chart` and answers the mouse; its scripts are in it."""
    return str(alt.Chart.from_dict(dict(chart)).to_html(inline=True))


def _stamp(chart: Mapping[str, Any], drawing: str) -> str:
    shown = _sha256(json.dumps(chart, sort_keys=True))
    return f"\n<!-- hashfabric report: chart {shown}, drawing {_sha256(drawing)} -->\n"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


####################
# Axes and labels  #
####################

_STEPS = (1, 2, 5)
_CHARACTER, _LINE = 6, 12  # pixels of a label


@dataclass(frozen=True)
class Measure:
    """The content of an axis: the field of the data, and the axis' title."""

    field: str
    title: str


@dataclass(frozen=True)
class LogAxes:
    """Logarithmic axes, from and to; `size` is in pixels, which count from the lower left."""

    measures: tuple[Measure, Measure]
    x: tuple[float, float]
    y: tuple[float, float]
    size: tuple[int, int]

    @classmethod
    def around(
        cls,
        measures: tuple[Measure, Measure],
        x: Sequence[float],
        y: Sequence[float],
        size: tuple[int, int],
    ) -> "LogAxes":
        """Return axes with room for these values, of which there is at least one, above 0."""
        ends = [(_round(min(of), up=False), _round(max(of), up=True)) for of in (x, y)]
        return cls(measures, ends[0], ends[1], size)

    @property
    def tilt(self) -> float:
        """The angle, in degrees from 0 to 360 clockwise, of a line of equal y per x."""
        x, y = self.pixels(10 * self.x[0], 10 * self.y[0])
        return 360 - math.degrees(math.atan2(y, x))

    def pixels(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of a value."""
        return (
            self.size[0] * math.log(x / self.x[0]) / math.log(self.x[1] / self.x[0]),
            self.size[1] * math.log(y / self.y[0]) / math.log(self.y[1] / self.y[0]),
        )

    def values(self, x: float, y: float) -> dict[str, float]:
        """Return the values of a place, as a datum."""
        return {
            self.measures[0].field: self.x[0] * (self.x[1] / self.x[0]) ** (x / self.size[0]),
            self.measures[1].field: self.y[0] * (self.y[1] / self.y[0]) ** (y / self.size[1]),
        }

    def chart(self, values: Sequence[Mapping[str, Any]]) -> alt.Chart:
        """Return a chart of `values` on the axes, without a mark."""
        across, up = self.measures
        return alt.Chart(alt.InlineData(values=list(values))).encode(
            x=alt.X(
                f"{across.field}:Q",
                title=across.title,
                scale=_log_scale(self.x),
                axis=_log_axis(self.x),
            ),
            y=alt.Y(
                f"{up.field}:Q", title=up.title, scale=_log_scale(self.y), axis=_log_axis(self.y)
            ),
        )


def _round(value: float, *, up: bool) -> float:
    """Return the next 1, 2 or 5 of a decade above or below `value`."""
    return (min if up else max)(
        tick for tick in _ticks(value / 10, value * 10) if (tick > value) == up
    )


def _ticks(low: float, high: float) -> list[float]:
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [step * 10.0**decade for decade in decades for step in _STEPS]
    return [float(f"{tick:g}") for tick in ticks if low <= tick * 1.0001 and tick <= high * 1.0001]


def _log_scale(domain: tuple[float, float]) -> alt.Scale:
    return alt.Scale(type="log", domain=list(domain), nice=False)


def _log_axis(domain: tuple[float, float]) -> alt.Axis:
    return alt.Axis(values=_ticks(*domain), format=",~g", grid=False, labelFlush=False)


def label_places(
    axes: LogAxes, points: Sequence[tuple[float, float, str]]
) -> list[dict[str, float]]:
    """Return the start of the label of each point (x, y, text), as a datum.

    It is beside the point, clear of the other labels if possible.
    """
    centres = [axes.pixels(x, y) for x, y, _ in points]
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in centres]
    places = []
    for (_, _, text), (x, y) in zip(points, centres, strict=True):
        width = _CHARACTER * len(text)
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
