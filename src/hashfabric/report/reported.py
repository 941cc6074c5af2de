"""Tables of the rows that users of vendors' tools gave, apart from those measured here."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.table import Table

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.text import markdown, number
from hashfabric.registry.designs import Design, hash_sources, read_sources
from hashfabric.registry.reported import ReportedRow, load_reported

COLUMNS = (
    "Design",
    "Variant",
    "Reported by",
    "Tool",
    "Device, grade",
    "Source",
    "Area (core alone)",
    "FF (core alone)",
    "DSP",
    "BRAM",
    "Constraint MHz",
    "Fmax MHz",
    "Gb/s",
    "Mb/s per LUT, ALM or LE",
)
LEFT = 6
"""Columns of these that hold words."""

ESTIMATED = "²"
"""Mark of a clock that is estimated from slack; ¹ is that of a clock of one seed."""

BARE = "³"
"""Mark of an area without the serial harness."""

TOOLS = {"vivado": "Vivado", "quartus": "Quartus", "radiant": "Radiant"}

HEADING = "Reported by users of vendor tools"
"""Title of the tables."""

NOTE = (
    "Not run by us: each row is what the named user's reports of the named tool say "
    "([how](../use/vendor.md)). One run, so neither a median nor a spread. Area is of the core in "
    "the serial harness, in what the device has: LUT6, LUT4, ALM or LE."
)


def section(designs: Mapping[str, Design], root: Path = ROOT) -> list[str]:
    """Return the section of docs/measure/results.md; empty without rows."""
    rows = load_reported(root)
    if not rows:
        return []
    lines = [cells(row, source_text(row, designs, root)) for row in rows]
    parts = [f"## {HEADING}\n", f"{NOTE}\n", markdown(COLUMNS, lines, left=LEFT)]
    if marks := marks_text(rows):
        parts.append(f"{marks}\n")
    return parts


def terminal_table(rows: Sequence[ReportedRow], designs: Mapping[str, Design], root: Path) -> Table:
    """Return the rows as a table for the terminal."""
    table = Table(title=f"{HEADING}: not run by us")
    table.caption, table.caption_justify = marks_text(rows) or None, "left"
    for index, column in enumerate(COLUMNS):
        table.add_column(column, justify="left" if index < LEFT else "right")
    for row in rows:
        table.add_row(*cells(row, source_text(row, designs, root), link=False))
    return table


def cells(row: ReportedRow, source: str, *, link: bool = True) -> list[str]:
    """Return one row as the cells of a table, `COLUMNS`."""
    who = f"[{row.by}]({row.url})" if link and row.url else row.by
    bare = "" if row.in_harness else BARE
    estimated = ESTIMATED if row.fmax_from == "slack" else ""
    brams = "–" if row.brams is None else f"{row.brams:g}"
    return [
        row.name,
        row.title,
        who,
        f"{TOOLS[row.tool]} {row.tool_version}, {row.date}",
        f"{row.device}, {row.speed_grade}",
        source,
        f"{row.luts:,} {row.lut}{_alone(row.luts_core)}{bare}",
        f"{row.ffs:,}{_alone(row.ffs_core)}{bare}",
        number(row.dsps),
        brams,
        f"{row.constraint_mhz:.1f}",
        f"{row.fmax_mhz:.1f}{estimated}",
        number(row.gbps, 2),
        number(row.mbps_per_lut, 2),
    ]


def _alone(count: int | None) -> str:
    return "" if count is None else f" ({count:,})"


def source_text(row: ReportedRow, designs: Mapping[str, Design], root: Path) -> str:
    """Return the RTL of the row in words: the present one, an earlier one, or not stated."""
    if row.source_hash is None:
        return "not stated"
    return f"{row.source_hash[:8]}{'' if _is_present(row, designs, root) else ', earlier RTL'}"


def _is_present(row: ReportedRow, designs: Mapping[str, Design], root: Path) -> bool:
    try:
        design = designs[row.name]
        registered = design.variant(row.variant)
        parameters = {**registered.parameters, **row.settings}
        variant = registered.model_copy(update={"parameters": parameters})
        return hash_sources(variant, read_sources(variant, root), root) == row.source_hash
    except (KeyError, LabError):
        return False


def marks_text(rows: Sequence[ReportedRow]) -> str:
    """Explain the marks that a table of `rows` has; empty without any."""
    marks = []
    if any(row.fmax_from == "slack" for row in rows):
        marks.append(f"{ESTIMATED} Estimated from slack: 1000 / (period - worst setup slack).")
    if not all(row.in_harness for row in rows):
        marks.append(f"{BARE} The core itself was the top: no harness.")
    return " ".join(marks)
