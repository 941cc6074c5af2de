"""The bars of a ranking, ours above the paper's: throughput, and throughput per area."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from hashfabric.papers.paper import Paper
from hashfabric.papers.ranking import SETTINGS, Entry

FILE = "docs/img/finalists.svg"

_WIDTH, _HEIGHT = 300, 130
_OURS = ["#1b9e77", "#d95f02"]
_THEIRS = ["#cccccc", "#999999", "#666666"]


def chart(paper: Paper, found: Sequence[Entry], target: str) -> dict[str, Any]:
    """Return the bars of `found` and of the paper's own rows as a Vega-Lite chart.

    A column a digest length. The two areas are not of a kind (LUTs here, slices there), so each
    quantity has its own axis.
    """
    devices = list(dict.fromkeys(row.device for row in paper.rows if row.own and row.device))
    sizes = list(dict.fromkeys(entry.digest_bits for entry in found))
    algorithms = list(dict.fromkeys(entry.algorithm for entry in found))
    ours = [
        {"algorithm": e.algorithm, "bits": e.digest_bits, "who": e.setting, "gbps": e.gbps}
        | {"mbps": e.mbps_per_lut, "one_seed": e.one_seed}
        for e in found
        if e.gbps > 0
    ]
    theirs = [
        {"algorithm": r.algorithm, "bits": r.digest_bits, "who": r.device}
        | {"gbps": float(r.throughput_gbps or 0), "mbps": float(r.tpa_mbps_per_slice or 0)}
        for r in paper.rows
        if r.own and r.algorithm in algorithms and r.digest_bits in sizes
    ]
    rows = [
        _row(ours, sizes, algorithms, (list(SETTINGS), _OURS, "Ours"), what)
        for what in (("gbps", "Gb/s"), ("mbps", "Mb/s per LUT4"))
    ] + [
        _row(theirs, sizes, algorithms, (devices, _THEIRS, paper.name), what)
        for what in (("gbps", "Gb/s"), ("mbps", "Mb/s per slice"))
    ]
    whole = alt.vconcat(*rows).resolve_scale(
        color="independent", stroke="independent", xOffset="independent"
    )
    title = alt.TitleParams(
        f"The finalists on {target}, and in {paper.name}",
        anchor="start",
        subtitle="Ours: engines alone, in the paper's clocks a block and with the most throughput "
        "per LUT; medians over seeds, outlined where there is one seed.",
        subtitleColor="#888888",
    )
    return dict(whole.properties(title=title).to_dict())


def _row(
    values: Sequence[dict[str, Any]],
    sizes: Sequence[int],
    algorithms: Sequence[str],
    who: tuple[list[str], list[str], str],
    what: tuple[str, str],
) -> alt.HConcatChart:
    """Return the bars of one quantity, side by side for each digest length, on one scale."""
    names, colours, legend = who
    field, unit = what
    by_name: dict[str, Any] = {"sort": names, "scale": alt.Scale(domain=names, range=colours)}
    top = max((value[field] for value in values), default=1.0)
    bars = [
        alt.Chart(alt.InlineData(values=[v for v in values if v["bits"] == bits]))
        .mark_bar()
        .encode(
            x=alt.X(
                "algorithm:N",
                title=None,
                axis=alt.Axis(labelAngle=0),
                scale=alt.Scale(domain=list(algorithms), paddingInner=0.25),
            ),
            xOffset=alt.XOffset("who:N", scale=alt.Scale(domain=names)),
            y=alt.Y(f"{field}:Q", title=unit, scale=alt.Scale(domain=[0, top])),
            color=alt.Color("who:N", title=legend, **by_name),
            stroke=alt.Stroke("who:N", title=legend, **by_name),
            fillOpacity=alt.condition(alt.datum.one_seed, alt.value(0), alt.value(1)),
        )
        .properties(width=_WIDTH, height=_HEIGHT, title=f"{bits} bit")
        for bits in sizes
    ]
    return alt.hconcat(*bars)
