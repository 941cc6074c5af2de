"""The algorithms of a paper's rankings, ranked by our own rows: as the paper built them, and best.

Two settings of an algorithm are compared at each digest length: `paper`, the engine of the design
that is compared with the paper's rows, in the same clocks a block; and `best`, the engine of the
same family that gives the most throughput per LUT. Area is that of the engine, without the
harness, as in the papers; the clock was measured in the harness.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hashfabric.base.text import ONE_SEED, ONE_SEED_LINE, markdown, number
from hashfabric.models.functions import FUNCTIONS
from hashfabric.papers.paper import Paper, Ranking
from hashfabric.registry.designs import Design
from hashfabric.registry.results import MeasuredRow, throughput_gbps

TARGET = "ecp5-85k"
"""The target of our ranking: the part with place and route."""

SETTINGS = ("paper", "best")
"""As in the paper, and our best."""

PER_AREA, PER_CELL = "tpa_mbps_per_slice", "mbps_per_cell"
"""The paper's column of throughput per area, and the one that only we have."""

LEFT = 4
"""Columns of the table that hold words."""


@dataclass(frozen=True)
class Entry:
    """One algorithm in one setting at one digest length.

    `row` is None where nothing is measured yet. Throughput and its ratios are for
    `block_bits`.
    """

    algorithm: str
    setting: str
    digest_bits: int
    block_bits: int
    paper_clocks: int
    row: MeasuredRow | None = None

    @property
    def gbps(self) -> float:
        """Throughput, from the median clock; 0 where there is none."""
        if self.row is None or self.row.fmax_mhz is None or self.row.fmax_mhz.median is None:
            return 0.0
        return throughput_gbps(self.block_bits, self.row.fmax_mhz.median, self.row.clocks_per_block)

    @property
    def mbps_per_lut(self) -> float:
        """Throughput per LUT of the engine alone."""
        return 1000 * self.gbps / self.row.luts_core if self.row else 0.0

    @property
    def mbps_per_cell(self) -> float:
        """Throughput per logic cell of the engine alone."""
        return 1000 * self.gbps / self.row.logic_cells if self.row else 0.0

    @property
    def one_seed(self) -> bool:
        """Whether the clock is that of one seed."""
        return self.row is not None and self.row.one_seed

    def column(self, name: str) -> float:
        """Return the figure of a ranking by `name`, a column of the paper or `PER_CELL`."""
        if name == PER_CELL:
            return self.mbps_per_cell
        return self.mbps_per_lut if name == PER_AREA else self.gbps


def entries(
    paper: Paper, rows: Iterable[MeasuredRow], designs: Mapping[str, Design], target: str
) -> list[Entry]:
    """Return both settings of every algorithm that the paper ranks, by its rows' order.

    `rows` are ours; only those of engines on `target` are taken.
    """
    here = [row for row in rows if row.target == target and _is_engine(row, designs)]
    found = []
    for digest_bits in dict.fromkeys(ranking.digest_bits for ranking in paper.rankings):
        theirs = {
            row.algorithm: row
            for row in paper.rows
            if row.own and row.design and row.digest_bits == digest_bits
        }
        for algorithm, row in theirs.items():
            tag, block_bits = row.design or "", row.block_bits or 0
            clocks = row.clocks_per_block or 0
            family = designs[tag].family if tag in designs else ""
            blank = Entry(algorithm, "paper", digest_bits, block_bits, clocks)
            measured = [
                replace(blank, setting="best", row=ours)
                for ours in here
                if designs[ours.name].family == family
                if _computes(designs[ours.name], ours.variant, digest_bits, block_bits)
            ]
            found.append(_as_in_the_paper(blank, tag, measured))
            found.append(
                max(measured, key=lambda e: e.mbps_per_lut, default=replace(blank, setting="best"))
            )
    return found


def _as_in_the_paper(blank: Entry, tag: str, measured: Iterable[Entry]) -> Entry:
    """Return the first of the design's variants with one message and the paper's clocks."""
    rows = (entry.row for entry in measured if entry.row is not None)
    same = (
        r for r in rows if (r.name, r.clocks_per_block, r.slots) == (tag, blank.paper_clocks, 1)
    )
    return replace(blank, row=next(same, None))


def order(found: Sequence[Entry], setting: str, column: str, digest_bits: int) -> list[str]:
    """Return the algorithms, best first; those that are not measured are left out."""
    chosen = [
        entry
        for entry in found
        if (entry.setting, entry.digest_bits) == (setting, digest_bits) and entry.gbps > 0
    ]
    return [entry.algorithm for entry in sorted(chosen, key=lambda e: -e.column(column))]


def agreement(ranking: Ranking, ours: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs (a, b) that the paper ranks a before b, and we b before a."""
    theirs = [name for name in ranking.order if name in ours]
    return [
        (a, b)
        for index, a in enumerate(theirs)
        for b in theirs[index + 1 :]
        if ours.index(b) < ours.index(a)
    ]


COLUMNS = (
    "Digest",
    "Algorithm",
    "Setting",
    "Engine",
    "Block",
    "Clocks (paper)",
    "Fmax MHz",
    "LUT alone",
    "FF alone",
    "Gb/s",
    "Mb/s per LUT",
    "Mb/s per logic cell",
)
"""Headings of `cells`."""


def cells(entry: Entry) -> list[str]:
    """Return an entry as the cells of a table."""
    head = [str(entry.digest_bits), entry.algorithm, entry.setting]
    row = entry.row
    if row is None or row.fmax_mhz is None:
        return [
            *head,
            "not measured yet",
            str(entry.block_bits),
            f"({entry.paper_clocks})",
            *(len(COLUMNS) - 6) * "–",
        ]
    mark = ONE_SEED if entry.one_seed else ""
    derived = (entry.gbps, entry.mbps_per_lut, entry.mbps_per_cell)
    return [
        *head,
        f"{row.name} {row.variant}",
        str(entry.block_bits),
        f"{row.clocks_per_block:g} ({entry.paper_clocks})",
        row.fmax_mhz.text(),
        f"{row.luts_core:,}",
        f"{row.ffs_core:,}",
        *(number(value, 2) + mark for value in derived),
    ]


def marks_line(found: Iterable[Entry]) -> str:
    """Return the line below the table that explains its marks; empty without any."""
    return ONE_SEED_LINE if any(entry.one_seed for entry in found) else ""


def lines(paper: Paper, found: Sequence[Entry]) -> list[str]:
    """Return each ranking of the paper with ours, and the pairs on which they differ."""
    said = []
    for ranking in paper.rankings:
        what = "throughput per area" if ranking.column == PER_AREA else "throughput"
        said.append(f"{ranking.digest_bits} bit, {what}: paper: {' > '.join(ranking.order)}")
        for column, by in _ours_by(ranking).items():
            for setting in SETTINGS:
                ours = order(found, setting, column, ranking.digest_bits)
                said.append(f"  ours{by}, {setting}: {_beside(ranking, ours)}")
    return said


def _ours_by(ranking: Ranking) -> dict[str, str]:
    """Return the columns of our rankings beside one of the paper, with their names in a line."""
    if ranking.column == PER_AREA:
        return {PER_AREA: " by LUT", PER_CELL: " by logic cell"}
    return {ranking.column: ""}


def _beside(ranking: Ranking, ours: Sequence[str]) -> str:
    """Return our order, and its differences from the paper's."""
    missing = [name for name in ranking.order if name not in ours]
    notes = [f"{b} before {a}" for a, b in agreement(ranking, ours)]
    notes += [f"not measured yet: {', '.join(missing)}"] if missing else []
    return f"{' > '.join(ours) or '–'} ({'; '.join(notes) if notes else 'agrees'})"


def render(paper: Paper, found: Sequence[Entry], target: str, console: Console) -> None:
    """Print both settings of every algorithm and the rankings."""
    console.print(grid(found, target))
    for line in lines(paper, found):
        console.print(escape(line))


def grid(found: Sequence[Entry], target: str) -> Table:
    """Return both settings of every algorithm as a table for the terminal."""
    table = Table(
        title=f"Ranked on {target}: engines alone",
        title_justify="left",
        caption=marks_line(found) or None,
        caption_justify="left",
    )
    for index, column in enumerate(COLUMNS):
        table.add_column(column, justify="left" if index < LEFT else "right")
    for entry in found:
        table.add_row(*(escape(cell) for cell in cells(entry)))
    return table


def page_part(paper: Paper, found: Sequence[Entry], target: str, plot: str) -> str:
    """Return the comparison as Markdown: plot (a file's name), tables, rankings."""
    table = markdown(COLUMNS, [cells(entry) for entry in found], left=LEFT)
    said = "\n".join(lines(paper, found))
    return "\n".join(
        [
            f"Made by `hashfabric report` from `results/*.json`; engines alone on {target}.\n",
            f"![Throughput and throughput per area, ours and the paper's]({plot})\n",
            table,
            *([f"{marks}\n"] if (marks := marks_line(found)) else []),
            f"```text\n{said}\n```",
        ]
    )


def to_json(paper: Paper, found: Sequence[Entry], target: str) -> dict[str, Any]:
    """Return the same as one JSON object."""
    return {
        "target": target,
        "entries": [
            {
                "algorithm": entry.algorithm,
                "setting": entry.setting,
                "digest_bits": entry.digest_bits,
                "block_bits": entry.block_bits,
                "paper_clocks_per_block": entry.paper_clocks,
                "design": entry.row.name if entry.row else None,
                "variant": entry.row.variant if entry.row else None,
                "clocks_per_block": entry.row.clocks_per_block if entry.row else None,
                "luts_core": entry.row.luts_core if entry.row else None,
                "ffs_core": entry.row.ffs_core if entry.row else None,
                "gbps": round(entry.gbps, 4) or None,
                "mbps_per_lut": round(entry.mbps_per_lut, 4) or None,
                "mbps_per_cell": round(entry.mbps_per_cell, 4) or None,
            }
            for entry in found
        ],
        "rankings": [
            {
                "column": ranking.column,
                "digest_bits": ranking.digest_bits,
                "stated": ranking.order,
                **_orders(ranking, found, ranking.column),
                **(
                    {PER_CELL: _orders(ranking, found, PER_CELL)}
                    if PER_CELL in _ours_by(ranking)
                    else {}
                ),
            }
            for ranking in paper.rankings
        ],
    }


def _orders(ranking: Ranking, found: Sequence[Entry], column: str) -> dict[str, list[str]]:
    """Return our orders by `column` where the paper has `ranking`, by setting."""
    return {setting: order(found, setting, column, ranking.digest_bits) for setting in SETTINGS}


def _is_engine(row: MeasuredRow, designs: Mapping[str, Design]) -> bool:
    variants = designs[row.name].variants if row.name in designs else {}
    variant = variants.get(row.variant)
    return variant is not None and variant.kind == "engine" and variant.copies == 1


def _computes(design: Design, variant: str, digest_bits: int, block_bits: int) -> bool:
    """Return whether a variant has a function with this digest and this block."""
    return any(
        (FUNCTIONS[name].digest_bits, FUNCTIONS[name].rate_bits) == (digest_bits, block_bits)
        for name in design.functions_of(design.variants[variant])
    )
