"""A plot of any measured rows: speed against area, and their Pareto fronts.

A front is for one kind and one function: an engine is smaller than a stream since it has no
padding, and figures of another function are of other work.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt

from hashfabric.base.cache import write_atomically
from hashfabric.base.datafile import check_file, one_of
from hashfabric.base.errors import LabError
from hashfabric.registry.designs import Design
from hashfabric.registry.results import MeasuredRow, Outcome, measured_rows
from hashfabric.report.drawing import LogAxes, Measure, html, label_places, plain_svg
from hashfabric.report.rows_text import COLUMNS
from hashfabric.report.selection import alike

AREAS = ("luts", "luts_core", "ffs", "ffs_core", "logic_cells")
"""Columns for the x axis: less of them is better."""

SPEEDS = ("gbps", "mbps_per_lut", "mbps_per_cell", "fmax_mhz", "bits_per_clock")
"""Columns for the y axis: more of them is better."""

_FORMS = {".svg": plain_svg, ".html": html}
_SIZE = (720, 500)
_GREY = "#888888"
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])
_DARK = 8  # colours of dark2


@dataclass(frozen=True)
class Axes:
    """The columns (`report.rows_text`) of the two axes; `LabError` for others than above."""

    x: str
    y: str

    def __post_init__(self) -> None:
        """Check the names."""
        for kind, name, known in (("area", self.x, AREAS), ("speed", self.y, SPEEDS)):
            if name not in known:
                raise one_of(kind, name, list(known))


@dataclass(frozen=True)
class Dot:
    """One row as it is drawn; `group` is its kind and function."""

    design: str
    label: str
    x: float
    y: float
    one_seed: bool
    details: dict[str, str]
    group: str

    def beats(self, other: "Dot") -> bool:
        """Return whether this is as good in both, and better in one."""
        return (self.x <= other.x and self.y >= other.y) and (self.x, self.y) != (other.x, other.y)


def save(  # noqa: PLR0913 - one parameter an option
    rows: Sequence[MeasuredRow | Outcome],
    path: Path,
    axes: Axes,
    *,
    target: str | None = None,
    front: bool = False,
    designs: Mapping[str, Design] | None = None,
) -> int:
    """Draw `rows`, else those of `target`, to a file that ends in .svg or .html.

    `designs` give kind and function, by which fronts are separate.

    Returns the number of rows that lack one of the two columns and are not shown. `LabError` where
    no row is left, and for rows of several targets.
    """
    if path.suffix not in _FORMS:
        raise LabError(f"{path}: a name that ends in {' or '.join(_FORMS)} is required")
    check_file(path)
    chosen = [row for row in measured_rows(rows) if target in (None, row.target)]
    shown = points(chosen, axes, designs)
    targets = sorted({row.target for row in chosen})
    if len(targets) > 1:
        raise LabError(f"rows of several targets: --target: one of {', '.join(targets)}")
    if not shown:
        of = "" if target is None else f" of {target}"
        raise LabError(f"no row{of} has both {axes.x} and {axes.y}")
    try:
        write_atomically(path, _FORMS[path.suffix](chart(shown, chosen[0], axes, front=front)))
    except OSError as error:
        raise LabError(f"{path}: cannot be written: {error.strerror}") from error
    return len(chosen) - len(shown)


def points(
    rows: Sequence[MeasuredRow], axes: Axes, designs: Mapping[str, Design] | None = None
) -> list[Dot]:
    """Return the rows that can be drawn: logarithmic axes have no zero."""
    found = []
    for row in rows:
        x, y = COLUMNS[axes.x].of(row), COLUMNS[axes.y].of(row)
        if isinstance(x, int | float) and isinstance(y, int | float) and min(x, y) > 0:
            details = {
                "clocks_per_block": f"{row.clocks_per_block:g}",
                "slots": str(row.slots),
                "fmax": "" if row.fmax_mhz is None else row.fmax_mhz.text(),
            }
            group = _group(row, designs or {})
            found.append(Dot(row.name, row.label, x, y, row.one_seed, details, group))
    return found


def _group(row: MeasuredRow, designs: Mapping[str, Design]) -> str:
    return ", ".join(alike(row, designs) or ("of an unknown kind",))


def fronts(shown: Sequence[Dot]) -> dict[str, list[Dot]]:
    """Return the front of each group, by its name."""
    groups = dict.fromkeys(point.group for point in shown)
    return {name: pareto_front([dot for dot in shown if dot.group == name]) for name in groups}


def pareto_front(shown: Sequence[Dot]) -> list[Dot]:
    """Return the points that no other beats, from the smallest up."""
    best = [point for point in shown if not any(other.beats(point) for other in shown)]
    return sorted(best, key=lambda point: (point.x, point.y))


def chart(shown: Sequence[Dot], about: MeasuredRow, axes: Axes, *, front: bool) -> dict[str, Any]:
    """Return the plot of `shown` as a Vega-Lite chart; `about` is a row of their target."""
    heads = [COLUMNS[name].head.replace("LUT", about.lut, 1) for name in (axes.x, axes.y)]
    grid = LogAxes.around(
        (Measure("x", heads[0]), Measure("y", heads[1])),
        [point.x for point in shown],
        [point.y for point in shown],
        _SIZE,
    )
    layers = _fronts(grid, fronts(shown)) if front else []
    said = ["Median over seeds; hollow: one seed." if about.fmax_mhz is not None else "Synthesis."]
    if front:
        said.append(
            "Line: the front, of which no other of the same kind and function is both smaller and "
            "faster."
        )
    head = alt.TitleParams(
        f"{about.device}: {heads[1]} against {heads[0]}",
        anchor="start",
        subtitle=said,
        subtitleColor=_GREY,
    )
    layers += _measured(grid, shown, heads)
    return dict(alt.layer(*layers, title=head, width=_SIZE[0], height=_SIZE[1]).to_dict())


def _fronts(grid: LogAxes, found: Mapping[str, Sequence[Dot]]) -> list[alt.Chart]:
    """Return the lines, in steps: the best speed of any point up to each area."""
    layers, names = [], []
    for index, (name, best) in enumerate(found.items()):
        end = {"x": grid.x[1], "y": best[-1].y}
        line = grid.chart([*({"x": point.x, "y": point.y} for point in best), end])
        dash: Any = alt.Undefined if len(found) == 1 else _DASHES[index % len(_DASHES)]
        layers.append(
            line.mark_line(color=_GREY, strokeWidth=1.2, strokeDash=dash, interpolate="step-after")
        )
        names.append({**end, "text": name})
    if len(found) > 1:
        text = grid.chart(names).mark_text(
            align="right", baseline="bottom", dx=-4, dy=-2, fontSize=10, color=_GREY
        )
        layers.append(text.encode(text="text:N"))
    return layers


def _measured(grid: LogAxes, shown: Sequence[Dot], heads: Sequence[str]) -> list[alt.Chart]:
    names = list(dict.fromkeys(point.design for point in shown))
    few, many = alt.Scale(scheme="dark2"), alt.Scale(scheme="category20")
    scale: dict[str, Any] = {"scale": few if len(names) <= _DARK else many, "sort": names}
    colour = alt.Color("design:N", title="Design", **scale)
    hover = [
        alt.Tooltip("design:N", title="Design"),
        alt.Tooltip("label:N", title="Variant"),
        alt.Tooltip("x:Q", title=heads[0], format=",~r"),
        alt.Tooltip("y:Q", title=heads[1], format=",.4~r"),
        alt.Tooltip("clocks_per_block:N", title="Clocks a block"),
        alt.Tooltip("slots:N", title="Slots"),
        alt.Tooltip("fmax:N", title="Fmax MHz"),
    ]
    dots = [
        {"design": p.design, "label": p.label, "one_seed": p.one_seed, "x": p.x, "y": p.y}
        | p.details
        for p in shown
    ]
    texts = [
        {"design": point.design, "text": point.label, **place}
        for point, place in zip(
            shown, label_places(grid, [(p.x, p.y, p.label) for p in shown]), strict=True
        )
    ]
    filling = alt.condition(alt.datum.one_seed, alt.value(0), alt.value(1))
    return [
        grid.chart(dots)
        .mark_point(size=70, filled=True, opacity=1)
        .encode(
            color=colour,
            stroke=alt.Stroke("design:N", legend=None, **scale),
            fillOpacity=filling,
            tooltip=hover,
        ),
        grid.chart(texts)
        .mark_text(align="left", baseline="middle", fontSize=10)
        .encode(text="text:N", color=colour),
    ]
