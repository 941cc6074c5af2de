"""Processors with and without an added instruction: the paper's figures and ours.

A processor's designs have its name, `-plain` without the instruction; ours are those that the
registry links to the paper's, one row for each style of the C and each target.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.markup import escape
from rich.table import Table as Grid

from hashfabric.papers.paper import Paper

PLAIN = "-plain"
"""The end of the name of a design without an added instruction."""


def processor(name: str) -> str:
    """Return the first part of the name of the designs on one processor."""
    return name.partition("-")[0]


HEADS = (
    "whose",
    "C",
    "target",
    "clocks\nwithout",
    "clocks\nwith",
    "ratio",
    "fewer\nclocks",
    "code [bytes]\nwithout",
    "code [bytes]\nwith",
    "less\ncode",
    "area added",
)


@dataclass(frozen=True)
class Gain:
    """One program with and without the instruction; the fields are JSON keys.

    `ratio` is the clocks without over those with it, `fewer_percent` the part saved. Area is in
    slices (a paper's) or LUTs and flip-flops.
    """

    whose: str
    style: str
    target: str
    clocks_without: int
    clocks_with: int
    ratio: float
    fewer_percent: float
    code_without: int | None
    code_with: int | None
    less_code_percent: float | None
    area_added: str


def gains(paper: Paper, groups: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[Gain]:
    """Return the paper's gains and ours; `groups` holds our rows by the paper's designs."""
    plain = [tag for tag in groups if tag.endswith(PLAIN)]
    found: list[Gain] = []
    for tag in plain:
        for other in groups:
            if other != tag and other.startswith(tag.removesuffix(PLAIN) + "-"):
                found += _printed(paper, tag, other)
                found += _ours(groups[tag], groups[other])
    return found


def _printed(paper: Paper, plain: str, other: str) -> Iterable[Gain]:
    rows = {(row.design, row.digest_bits): row for row in paper.rows if row.clocks}
    added = next((r for r in paper.rows if r.design == other and r.area_slices), None)
    before = next((r for r in paper.rows if r.design == plain and r.area_slices), None)
    area = ""
    if added and before and added.area_slices and before.area_slices:
        percent = 100 * added.area_slices / before.area_slices
        area = f"{added.area_slices:,} slices ({percent:+.1f} %)"
    for (design, bits), row in rows.items():
        changed = rows.get((other, bits))
        if design != plain or changed is None or not row.clocks or not changed.clocks:
            continue
        code = [None if one.rom_kb is None else round(1000 * one.rom_kb) for one in (row, changed)]
        what = f"{row.algorithm}-{bits}"
        yield _gain(("paper", what, row.device), (row.clocks, changed.clocks), code, area)


def _ours(plain: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]]) -> Iterable[Gain]:
    """Yield ours, by processor: the rows of one style on one target belong together."""
    before = {_key(row): row for row in plain if row.get("firmware")}
    for row in other:
        old = before.get(_key(row))
        if old is None or not row.get("firmware"):
            continue
        uses = old["firmware"], row["firmware"]
        area = ", ".join(
            f"{row[key] - old[key]:+,} {unit} ({100 * (row[key] - old[key]) / old[key]:+.1f} %)"
            for key, unit in (("luts_core", "LUTs"), ("ffs_core", "FFs"))
        )
        what = (f"ours: {row['name']}", str(row["variant"]), str(row["target"]))
        clocks = uses[0]["clocks_per_permutation"], uses[1]["clocks_per_permutation"]
        yield _gain(what, clocks, [use["code_bytes"] for use in uses], area)


def _key(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return processor(str(row["name"])), str(row["variant"]), str(row["target"])


def _gain(
    what: tuple[str, str, str], clocks: tuple[int, int], code: Sequence[int | None], area: str
) -> Gain:
    without, having = code
    less = None if without is None or having is None else 100 * (1 - having / without)
    return Gain(
        whose=what[0],
        style=what[1],
        target=what[2],
        clocks_without=clocks[0],
        clocks_with=clocks[1],
        ratio=round(clocks[0] / clocks[1], 3),
        fewer_percent=round(100 * (1 - clocks[1] / clocks[0]), 1),
        code_without=without,
        code_with=having,
        less_code_percent=None if less is None else round(less, 1),
        area_added=area,
    )


def grid(paper: Paper, found: Sequence[Gain]) -> Grid:
    """Return the gains as a table for the terminal."""
    table = Grid(
        title=f"{paper.name}: without and with the instruction",
        title_justify="left",
        caption="Ours: clocks of one permutation. The paper does not state the number of "
        "permutations of its clocks.",
        caption_justify="left",
    )
    for index, head in enumerate(HEADS):
        table.add_column(
            escape(head), justify="left" if index < HEADS.index("clocks\nwithout") else "right"
        )
    for gain in found:
        table.add_row(
            escape(gain.whose),
            escape(gain.style),
            escape(gain.target),
            f"{gain.clocks_without:,}",
            f"{gain.clocks_with:,}",
            f"{gain.ratio:.3f}",
            f"{gain.fewer_percent:.1f} %",
            *("" if code is None else f"{code:,}" for code in (gain.code_without, gain.code_with)),
            "" if gain.less_code_percent is None else f"{gain.less_code_percent:.1f} %",
            escape(gain.area_added),
            style=None if gain.whose == "paper" else "bold",
        )
    return table
