"""Tables for people: what is there, and what was measured."""

from collections.abc import Iterable, Mapping

from rich.table import Table

from hashfabric.flows.base import RoutedTarget, Target
from hashfabric.registry import Design
from hashfabric.results import Row


def number(value: float | None, digits: int = 0) -> str:
    """Return `value` for a table: grouped by thousands, a dash for what is not known."""
    return "–" if value is None else f"{value:,.{digits}f}"


def clock_text(row: Row) -> str:
    """Return the clock of a row, MHz: median (min to max, n)."""
    fmax = row.fmax_mhz
    if fmax is None:
        return "– (counts only)"
    if fmax.median is None:
        return f"– (0 of {len(fmax.seeds)} seeds routed)"
    of = f" of {len(fmax.seeds)}" if fmax.n != len(fmax.seeds) else ""
    return f"{fmax.median:.1f} ({fmax.min:.1f}–{fmax.max:.1f}, n={fmax.n}{of})"


MEASURED_COLUMNS = (
    "Design",
    "Variant",
    "Target",
    "LUT in harness (alone)",
    "FF in harness (alone)",
    "Fmax MHz: median (min–max, n)",
    "Clocks a block",
    "Gb/s",
    "Mb/s per LUT",
)
"""Headings of `measured_cells`."""


def measured_cells(row: Row) -> list[str]:
    """Return one measured row as the cells of a table."""
    return [
        row.name,
        row.variant,
        row.target,
        f"{row.luts:,} ({row.luts_core:,}) {row.lut}",
        f"{row.ffs:,} ({row.ffs_core:,})",
        clock_text(row),
        f"{row.clocks_per_block:g}",
        number(row.gbps, 2),
        number(row.mbps_per_lut, 2),
    ]


def measured_table(rows: Iterable[Row]) -> Table:
    """Return the measured rows as a table for the terminal."""
    table = Table(title="Measured in the serial harness")
    for index, column in enumerate(MEASURED_COLUMNS):
        table.add_column(column, justify="left" if index < 3 else "right")  # noqa: PLR2004
    for row in rows:
        table.add_row(*measured_cells(row))
    return table


def designs_table(designs: Mapping[str, Design]) -> Table:
    """Return the registry as a table for the terminal."""
    table = Table(title="Designs")
    for column in ("Design", "What", "Variants", "Slots", "Clocks a block", "Functions"):
        table.add_column(column)
    for design in designs.values():
        table.add_row(
            design.name,
            design.title,
            ", ".join(design.variants),
            str(design.slots),
            f"{design.clocks_per_block:g}",
            ", ".join(design.functions),
        )
    return table


def targets_table(targets: Mapping[str, Target]) -> Table:
    """Return the targets as a table for the terminal."""
    table = Table(title="Targets")
    for column in ("Target", "What", "LUT is", "Measured by"):
        table.add_column(column)
    for target in targets.values():
        how = "place and route" if isinstance(target, RoutedTarget) else "synthesis counts only"
        table.add_row(target.name, target.title, target.lut, how)
    return table
