"""The papers' own rows for a design, to be put beside the measured ones."""

from rich.markup import escape
from rich.table import Table

from hashfabric.base.paths import ROOT
from hashfabric.base.text import number
from hashfabric.papers.paper import find, load_papers
from hashfabric.papers.rows import PaperRow
from hashfabric.registry.designs import Design

COLUMNS = (
    "Paper",
    "Device",
    "Area",
    "Fmax MHz",
    "Clocks a block",
    "Gb/s",
    "Throughput per area",
)
"""Headings of `paper_cells`."""


def paper_cells(design: Design) -> list[list[str]]:
    """Return the rows of the design's papers, as the cells of a table.

    Only rows with the block length that throughput is stated for are taken.
    """
    known = load_papers(ROOT / "papers") if design.papers else []
    blocks = {None, *(design.block_bits_of(variant) for variant in design.variants.values())}
    return [
        _cells(link.name, row)
        for link in design.papers
        for row in find(known, link.name).rows
        if row.design == link.design and row.block_bits in blocks
    ]


def _cells(paper: str, row: PaperRow) -> list[str]:
    clocks = row.clocks_per_block or row.clocks
    if clocks and not row.clocks_per_block and row.blocks_in_flight:
        clocks = clocks // row.blocks_in_flight
    area = [
        f"{value:,} {unit}"
        for value, unit in ((row.area_slices, "slices"), (row.luts, "LUT"), (row.dsps, "DSP"))
        if value is not None
    ]
    per_area = row.tpa_mbps_per_slice
    return [
        paper,
        row.device,
        ", ".join(area) or "–",
        number(None if row.fmax_mhz is None else float(row.fmax_mhz), 2),
        number(clocks),
        number(None if row.throughput_gbps is None else float(row.throughput_gbps), 2),
        "–" if per_area is None else f"{per_area} Mb/s per slice",
    ]


def paper_table(design: Design) -> Table | None:
    """Return the papers' rows as a table for the terminal; None when there are none."""
    rows = paper_cells(design)
    if not rows:
        return None
    table = Table(title="The papers, as printed there")
    for index, column in enumerate(COLUMNS):
        table.add_column(column, justify="left" if index < 2 else "right")  # noqa: PLR2004
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    return table
