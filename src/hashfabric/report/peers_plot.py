"""The plot of our Keccak cores and others': throughput against LUTs.

Others' are in peers/, measured in our flow or claimed, and in a paper's table of compact cores. A
claim has a mark of its own; one without a throughput is a line at its area.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from hashfabric.papers.paper import Paper
from hashfabric.registry.designs import Design
from hashfabric.registry.peers import Peer
from hashfabric.registry.results import MeasuredRow
from hashfabric.report.drawing import LogAxes, Measure, label_places
from hashfabric.report.throughput_area import FAMILY, TARGET

FILE = "docs/img/peers.svg"

PAPER = "athanasiou-2014"
"""The paper whose table has compact cores of others."""

MOST_SLICES = 500
"""Most slices of a compact core."""

SHAPES = {
    "stream": ("ours, complete: padding, AXI4-Stream", "diamond"),
    "engine": ("ours, an engine: blocks in", "circle"),
    "word-engine": ("ours, an engine on words", "triangle-up"),
    "peer": ("others', measured in our flow", "square"),
    "claim": ("others', as claimed, on other devices", "cross"),
}
"""What a mark stands for, and its shape."""

PEERS, CLAIMS = "others', measured", "others', claimed"
_OTHERS = {PEERS: "#000000", CLAIMS: "#888888"}
_COLOURS = [
    "#d95f02",
    "#7570b3",
    "#1b9e77",
    "#e7298a",
    "#66a61e",
    "#e6ab02",
    "#a6761d",
    "#1f78b4",
    "#b2df8a",
]
_GREY = "#888888"
_SIZE = (760, 560)


@dataclass(frozen=True)
class Mark:
    """One core; `colour` is its design, or whose it is. Engines of blocks have no `label`."""

    colour: str
    shape: str
    label: str
    luts: int
    gbps: float | None
    one_seed: bool = False


def ours(rows: Iterable[MeasuredRow], designs: Mapping[str, Design]) -> list[Mark]:
    """Return our rows of the family on the target."""
    found = []
    for row in rows:
        design = designs.get(row.name)
        if row.target != TARGET or design is None or design.family != FAMILY:
            continue
        kind = design.variants[row.variant].kind if row.variant in design.variants else ""
        if kind in SHAPES and row.gbps is not None:
            label = f"{row.name.removeprefix('keccak-')} {row.variant}" if kind != "engine" else ""
            found.append(Mark(row.name, kind, label, row.luts, row.gbps, row.one_seed))
    return found


def others(peers: Iterable[Peer], paper: Paper | None) -> list[Mark]:
    """Return the cores of `peers` that have LUTs, and the compact ones that `paper` cites."""
    marks = [
        Mark(
            PEERS if core.measured else CLAIMS,
            "peer" if core.measured else "claim",
            f"{peer.title} {core.name}",
            core.luts,
            core.gbps,
            core.measured and len(core.fmax_mhz) == 1,
        )
        for peer in peers
        for core in peer.cores
        if core.luts is not None and core.target in (TARGET, None)
    ]
    for row in paper.rows if paper is not None else ():
        slices, gbps = row.area_slices, row.throughput_gbps
        small = not row.own and slices is not None and slices <= MOST_SLICES
        if small and gbps is not None and row.lut_area is not None:
            label = f"{slices} slices, {row.device}"
            marks.append(Mark(CLAIMS, "claim", label, row.lut_area[0], float(gbps)))
    return marks


def chart(shown: Sequence[Mark]) -> dict[str, Any]:
    """Return the plot of `shown` as a Vega-Lite chart."""
    dots = [(mark, mark.gbps) for mark in shown if mark.gbps is not None]
    axes = LogAxes.around(
        (Measure("luts", "LUT"), Measure("gbps", "Gb/s")),
        [mark.luts for mark in shown],
        [gbps for _, gbps in dots],
        _SIZE,
    )
    said = [
        f"Ours and measured ones: {TARGET}, LUT4 with the serial harness, median over seeds "
        "(hollow: one seed); an engine's Gb/s",
        "are those of its permutation, at r = 1088. Claims: LUTs of other devices as published, a "
        "slice as all its LUTs; not of our tools.",
    ]
    title = alt.TitleParams(
        "Keccak cores: throughput against LUTs, ours and others'",
        anchor="start",
        subtitle=said,
        subtitleColor=_GREY,
    )
    layers = [*_lines(axes, shown), *_dots(axes, dots, shown)]
    return dict(alt.layer(*layers, title=title, width=_SIZE[0], height=_SIZE[1]).to_dict())


def _lines(axes: LogAxes, shown: Sequence[Mark]) -> list[alt.Chart]:
    """Return a line for each claim that has an area only."""
    layers = []
    for mark in (mark for mark in shown if mark.gbps is None):
        ends = [{"luts": mark.luts, "gbps": gbps} for gbps in axes.y]
        text = f"{mark.label}: {mark.luts} LUT6 claimed, Gb/s not stated"
        layers += [
            axes.chart(ends).mark_line(color=_GREY, strokeDash=[2, 3], strokeWidth=1),
            axes.chart(ends[1:]).mark_text(
                text=text, color=_GREY, angle=90, align="left", baseline="bottom", fontSize=10, dx=6
            ),
        ]
    return layers


def _dots(
    axes: LogAxes, dots: Sequence[tuple[Mark, float]], shown: Sequence[Mark]
) -> list[alt.Chart]:
    used = {mark.colour for mark in shown}
    names = [*sorted(used - _OTHERS.keys()), *(name for name in _OTHERS if name in used)]
    own = [_COLOURS[index % len(_COLOURS)] for index in range(len(used - _OTHERS.keys()))]
    colours = own + [_OTHERS[name] for name in names if name in _OTHERS]
    scale = alt.Scale(domain=names, range=colours)
    colour = alt.Color("colour:N", scale=scale, legend=alt.Legend(title="Core"))
    shape = alt.Shape(
        "shape:N",
        title="Mark",
        scale=alt.Scale(
            domain=[name for name, _ in SHAPES.values()],
            range=[form for _, form in SHAPES.values()],
        ),
        legend=alt.Legend(labelLimit=300),
    )
    values = [
        {"colour": mark.colour, "shape": SHAPES[mark.shape][0], "one_seed": mark.one_seed}
        | {"luts": mark.luts, "gbps": gbps}
        for mark, gbps in dots
    ]
    places = label_places(axes, [(mark.luts, gbps, mark.label) for mark, gbps in dots])
    labels = [
        {"colour": mark.colour, "text": mark.label, **place}
        for (mark, _), place in zip(dots, places, strict=True)
        if mark.label
    ]
    filling = alt.condition(alt.datum.one_seed, alt.value(0), alt.value(1))
    return [
        axes.chart(values)
        .mark_point(size=70, filled=True, opacity=1)
        .encode(
            color=colour,
            stroke=alt.Stroke("colour:N", legend=None, scale=scale),
            shape=shape,
            fillOpacity=filling,
        ),
        axes.chart(labels)
        .mark_text(align="left", baseline="middle", fontSize=10)
        .encode(text="text:N", color=colour),
    ]
