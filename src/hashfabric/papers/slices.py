"""The cost of a block in DSP slices and clocks: a paper's designs, those it cites, and ours."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.markup import escape
from rich.table import Table as Grid

from hashfabric.base.text import markdown, number
from hashfabric.papers.paper import Paper
from hashfabric.papers.rows import PaperRow

COLUMNS = (
    "Whose",
    "Design",
    "Device",
    "DSP slices",
    "Clocks a block",
    "Slices x clocks",
    "Blocks in flight",
    "One message: clocks a block",
    "Fabric",
)
"""Headings of `SliceCost.cells`."""

WORDS = 3
"""The number of columns of words, from the left."""


@dataclass(frozen=True)
class SliceCost:
    """The cost of one design; None where a paper does not print it.

    `clocks_per_block` is for `in_flight` blocks at once, one of each message; a single message has
    a block in `alone` clocks.
    """

    whose: str
    design: str
    device: str
    slices: int
    clocks_per_block: float | None
    in_flight: int | None
    alone: float | None
    fabric: str

    @property
    def slice_clocks(self) -> float | None:
        """DSP slices times clocks, for a block."""
        return self.clocks_per_block and self.slices * self.clocks_per_block

    def cells(self) -> list[str]:
        """Return the cost as the cells of a table."""
        return [
            self.whose,
            self.design,
            self.device,
            number(self.slices),
            *map(_plain, (self.clocks_per_block, self.slice_clocks, self.in_flight, self.alone)),
            self.fabric or "–",
        ]


def costs(paper: Paper, measured: Iterable[Mapping[str, Any]]) -> list[SliceCost]:
    """Return the costs of a paper's own designs, of those it cites, and of our `measured` rows.

    Rows of a paper that differ only in the device are merged. The list is empty if no row of the
    paper has DSP slices.
    """
    if not any(row.dsps for row in paper.rows):
        return []
    found: dict[SliceCost, list[str]] = {}
    for row in paper.rows:
        if row.dsps or row.area_slices:
            found.setdefault(_printed(row), []).append(row.device)
    ours = [_ours(row) for row in measured if row.get("dsps")]
    least = sorted(ours, key=lambda cost: (cost.slices, cost.design))
    devices = ((cost, ", ".join(filter(None, names))) for cost, names in found.items())
    return [
        *(SliceCost(**{**vars(cost), "device": names}) for cost, names in devices),
        *least,
    ]


def table(found: Sequence[SliceCost]) -> str:
    """Return the costs as a table in Markdown."""
    return markdown(COLUMNS, [cost.cells() for cost in found], left=WORDS)


def grid(found: Sequence[SliceCost]) -> Grid:
    """Return the costs as a table for the terminal."""
    shown = Grid(title="DSP slices and clocks of a block", title_justify="left")
    for index, head in enumerate(COLUMNS):
        shown.add_column(head, justify="left" if index < WORDS else "right")
    for cost in found:
        style = "bold" if cost.whose == "ours" else None
        shown.add_row(*map(escape, cost.cells()), style=style)
    return shown


def _printed(row: PaperRow) -> SliceCost:
    clocks: float | None = row.clocks_per_block
    if clocks is None and row.clocks and row.blocks_in_flight:
        clocks = row.clocks / row.blocks_in_flight
    fabric = f"{row.area_slices:,} slices" if row.area_slices else ""
    return SliceCost(
        whose="the paper" if row.own else f"cited {row.ref}".strip(),
        design=row.work,
        device="",
        slices=row.dsps or 0,
        clocks_per_block=clocks,
        in_flight=row.blocks_in_flight,
        alone=clocks and row.blocks_in_flight and clocks * row.blocks_in_flight,
        fabric=", ".join(filter(None, [fabric, f"{row.brams} BRAM" if row.brams else ""])),
    )


def _ours(row: Mapping[str, Any]) -> SliceCost:
    brams = f", {row['brams']} BRAM" if row["brams"] else ""
    return SliceCost(
        whose="ours",
        design=f"{row['name']} {row['variant']}",
        device=row["device"],
        slices=row["dsps"],
        clocks_per_block=row["clocks_per_block"],
        in_flight=row["slots"],
        # A stream's clocks include gaps of its front end, which one message would not have.
        alone=row["clocks_per_block"] * row["slots"] if row["clocks_per_block"] % 1 == 0 else None,
        fabric=f"{row['luts_core']:,} LUT, {row['ffs_core']:,} FF{brams}",
    )


def _plain(value: float | None) -> str:
    return "–" if value is None else number(value, 0 if value == int(value) else 2)
