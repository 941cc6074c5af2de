"""Tables for people: the registry, the targets, and the measured rows."""

from collections.abc import Iterable, Mapping, Sequence

from rich.table import Table

from hashfabric.base.text import ONE_SEED, ONE_SEED_LINE, number
from hashfabric.flows.base import AnyTarget, RoutedTarget, Target
from hashfabric.models.functions import FUNCTIONS, TREES
from hashfabric.registry.designs import STATED, Design
from hashfabric.registry.maturity import maturity
from hashfabric.registry.results import STEADY_SEEDS, FirmwareUse, MeasuredRow
from hashfabric.report.selection import registered

ROUTED_COLUMNS = (
    "Design",
    "Variant",
    "What",
    "Maturity",
    "Slots",
    "LUT in harness (alone)",
    "FF in harness (alone)",
    "Block RAM",
    "Clocks a block",
    "Fmax MHz: median (min–max, n)",
    "Gb/s",
    "Mb/s per LUT",
    "Mb/s per logic cell",
)
"""Headings of `measured_cells`."""

COUNTED_COLUMNS = ROUTED_COLUMNS[:9]
"""The same where a target has no place and route."""

SYSTEM_COLUMNS = (
    "Design",
    "Variant",
    "What",
    "Maturity",
    "LUT in harness (alone)",
    "FF in harness (alone)",
    "Bytes of code",
    "Bytes of RAM",
    "Clocks a hash",
    "Clocks a block",
    "Fmax MHz: median (min–max, n)",
    "Mb/s",
    "Mb/s per LUT",
    "Mb/s per logic cell",
)
"""Headings of `system_cells`; a hash is that of the empty message."""

LEFT = 4
"""Columns of these that hold words."""


def measured_cells(row: MeasuredRow, designs: Mapping[str, Design]) -> list[str]:
    """Return one measured row as the cells of a table, `ROUTED_COLUMNS` or `COUNTED_COLUMNS`."""
    counts = [
        row.name,
        row.label,
        note(row, designs),
        _maturity(row, designs),
        str(row.slots),
        f"{row.luts:,} ({row.luts_core:,})",
        f"{row.ffs:,} ({row.ffs_core:,})",
        str(row.brams),
        f"{row.clocks_per_block:g}",
    ]
    if row.fmax_mhz is None:
        return counts
    mark = ONE_SEED if row.one_seed else ""
    derived = (row.gbps, row.mbps_per_lut, row.mbps_per_cell)
    return [*counts, row.fmax_mhz.text(), *(number(value, 2) + mark for value in derived)]


def marks_line(rows: Iterable[MeasuredRow]) -> str:
    """Return the line below a table of `rows` that explains its marks; empty without any."""
    return ONE_SEED_LINE if any(row.one_seed for row in rows) else ""


def seeds_lines(rows: Iterable[MeasuredRow], designs: Mapping[str, Design]) -> list[str]:
    """Return the lines below a table of `rows` that say why some have few seeds, one a reason.

    Each such row has its number of seeds, and how long one took to route where the row has it.
    """
    why: dict[str, list[str]] = {}
    for row in rows:
        design = designs.get(row.name)
        if design is None or row.fmax_mhz is None or not row.few_seeds:
            continue
        if reason := design.few_seeds_reason(row.variant, row.target):
            count = len(row.fmax_mhz.seeds)
            took = row.provenance.seconds.get("route")
            seeds = f"{count} seed{'s' if count > 1 else ''}"
            seeds += "" if took is None else f", routed in {took:,.0f} s"
            why.setdefault(reason, []).append(f"{row.name} {row.label} ({seeds})")
    return [
        f"Of fewer than {STEADY_SEEDS} seeds: {', '.join(names)}: {reason}."
        for reason, names in why.items()
    ]


def speed_line(
    rows: Iterable[MeasuredRow], designs: Mapping[str, Design], asked: Sequence[str] = (STATED,)
) -> str:
    """Return the line below a table of `rows` that names the functions of their speeds.

    It is empty where all are of the only function that is `asked` for.
    """
    names: dict[tuple[str, str], list[str]] = {}
    stated, chains = set(), []
    for row in rows:
        design, variant = registered(row, designs)
        if design is None or variant is None:
            continue
        function = design.throughput_function(variant)
        stated.add(function)
        if function != STATED:
            names.setdefault((function, f"{row.block_bits:,}"), []).append(design.name)
        if variant.kind == "chain":
            chains.append(design.name)
    missing = [name for name in asked if name in FUNCTIONS and name not in {*stated, STATED}]
    said = ""
    if stated and (missing or stated != set(asked)):
        said = _speeds(names, general=STATED in stated)
        sizes = [f"of {name} has {FUNCTIONS[name].rate_bits:,}" for name in missing]
        said += f"; a block {', one '.join(sizes)}." if sizes else "."
    if chains:
        which = ", ".join(dict.fromkeys(chains))
        said += f" A block of {which} is a whole hash, most of whose bits are padding."
    return said.strip()


def _speeds(names: Mapping[tuple[str, str], Sequence[str]], *, general: bool) -> str:
    """Say of which functions speeds are: `names` has functions and bits, and their designs.

    With `general`, those of other designs are of `STATED`.
    """
    of = {what: f"in {', '.join(dict.fromkeys(designs))}" for what, designs in names.items()}
    if general:
        parts = [f"{where} of {function} ({bits})" for (function, bits), where in of.items()]
        said = f"that of {STATED} ({FUNCTIONS[STATED].rate_bits:,} bits a block)"
        return ", but ".join([f"Speed is {said}", *(["; ".join(parts)] if parts else [])])
    texts = [f"that of {function} ({bits} bits a block)" for function, bits in names]
    if len(texts) > 1:
        texts = [f"{where} {text}" for where, text in zip(of.values(), texts, strict=True)]
    return f"Speed is {', '.join(texts)}"


def system_cells(row: MeasuredRow, use: FirmwareUse, designs: Mapping[str, Design]) -> list[str]:
    """Return the measured row of a system as the cells of a table, `SYSTEM_COLUMNS`."""
    mark = ONE_SEED if row.one_seed else ""
    mbps = None if row.gbps is None else 1000 * row.gbps
    derived = (mbps, row.mbps_per_lut, row.mbps_per_cell)
    return [
        row.name,
        row.label,
        note(row, designs),
        _maturity(row, designs),
        f"{row.luts:,} ({row.luts_core:,})",
        f"{row.ffs:,} ({row.ffs_core:,})",
        f"{use.code_bytes:,}",
        f"{use.ram_bytes:,}",
        f"{use.clocks_per_hash:,}",
        f"{row.clocks_per_block:,.0f}",
        "–" if row.fmax_mhz is None else row.fmax_mhz.text(),
        *("–" if value is None else f"{value:.3g}{mark}" for value in derived),
    ]


def sections(
    rows: Iterable[MeasuredRow], designs: Mapping[str, Design]
) -> list[tuple[Sequence[str], list[list[str]]]]:
    """Return the tables that show the rows of one target: headings, and a list of cells a row.

    Programs on processors have a separate table after the others.
    """
    hardware, systems, counted = [], [], True
    for row in in_order(rows, designs):
        if row.firmware is not None:
            systems.append(system_cells(row, row.firmware, designs))
        else:
            hardware.append(measured_cells(row, designs))
            counted = counted and row.fmax_mhz is None
    tables = [(COUNTED_COLUMNS if counted else ROUTED_COLUMNS, hardware), (SYSTEM_COLUMNS, systems)]
    return [(columns, cells) for columns, cells in tables if cells]


def _maturity(row: MeasuredRow, designs: Mapping[str, Design]) -> str:
    """Return how far a row's variant has come, by this row; nothing where parameters were set."""
    if row.label != row.variant or row.name not in designs:
        return ""
    return maturity(designs[row.name], row.variant, [row])


def note(row: MeasuredRow, designs: Mapping[str, Design]) -> str:
    """Return the registry's note on a row's variant; nothing where parameters were set."""
    if row.label != row.variant:
        return ""
    variants = designs[row.name].variants if row.name in designs else {}
    return variants[row.variant].note if row.variant in variants else ""


def in_order(rows: Iterable[MeasuredRow], designs: Mapping[str, Design]) -> list[MeasuredRow]:
    """Return the rows as tables list them.

    By target, those with place and route first; then designs and their variants in the order of
    the registry, last those that it does not have.
    """
    places = [(design.name, variant) for design in designs.values() for variant in design.variants]

    def place(row: MeasuredRow) -> tuple[bool, str, int, str, str]:
        key = (row.name, row.variant)
        index = places.index(key) if key in places else len(places)
        return (row.fmax_mhz is None, row.target, index, *key)

    return sorted(rows, key=place)


def measured_tables(rows: Sequence[MeasuredRow], designs: Mapping[str, Design]) -> list[Table]:
    """Return the measured rows of one target as tables for the terminal."""
    where = f" on {rows[0].target}, a LUT is a {rows[0].lut}" if rows else ""
    found = []
    for columns, lines in sections(rows, designs):
        table = Table(title=f"Measured in the serial harness{where}")
        if columns is not COUNTED_COLUMNS:
            table.caption, table.caption_justify = marks_line(rows) or None, "left"
        for index, column in enumerate(columns):
            table.add_column(column, justify="left" if index < LEFT else "right")
        for cells in lines:
            table.add_row(*cells)
        found.append(table)
    return found


def designs_table(designs: Mapping[str, Design], rows: Sequence[MeasuredRow]) -> Table:
    """Return the registry as a table for the terminal, a line a design.

    `rows` are all that were measured. The maturity is that of the variant that came furthest.
    """
    table = Table(
        title="Designs", title_justify="left", box=None, padding=(0, 2, 0, 0), expand=True
    )
    table.add_column("Design", no_wrap=True, style="bold")
    table.add_column("Maturity", no_wrap=True)
    table.add_column(
        "What", no_wrap=True, overflow="ellipsis", ratio=1
    )  # What is left of the line.
    for design in designs.values():
        levels = [maturity(design, name, rows) for name in design.variants]
        best = next((level for level in levels if level.startswith("measured")), levels[0])
        table.add_row(design.name, best, design.title)
    return table


def variants_table(design: Design, rows: Sequence[MeasuredRow]) -> Table:
    """Return the variants of a design as a table for the terminal."""
    table = Table(
        title=f"{design.name}: {design.title}", caption=_functions(design), title_justify="left"
    )
    table.caption_justify = "left"
    for column in ("Variant", "Kind", "What", "Maturity", "Slots", "Clocks a block"):
        right = column in ("Slots", "Clocks a block")
        table.add_column(column, justify="right" if right else "left")
    for name, variant in design.variants.items():
        timing = design.timing(variant)
        times = f"{variant.copies} × " if variant.copies > 1 else ""
        clocks = f"{timing.clocks_per_block / variant.copies:g}"
        slots = f"{times}{timing.slots}"
        level = maturity(design, name, rows)
        table.add_row(name, variant.kind, variant.note, level, slots, clocks)
    return table


def _functions(design: Design) -> str:
    """Return the design's functions, and a line for the variants that compute others."""
    trees = TREES[design.tree] if design.tree is not None else ()
    others: dict[tuple[str, ...], list[str]] = {}
    for name, variant in design.variants.items():
        own = design.functions_of(variant)
        more = [one for one in [*own, *variant.framed] if one not in design.functions]
        if set(design.functions) - set(own):
            others.setdefault(("only", *own, *variant.framed), []).append(name)
        elif more:
            others.setdefault(("also", *more), []).append(name)
    lines = [", ".join([*trees, *design.functions])]
    for (word, *found), names in others.items():
        lines.append(f"{', '.join(names)} {word}: {', '.join(found)}")
    return "\n".join(lines)


def targets_table(targets: Mapping[str, AnyTarget]) -> Table:
    """Return the targets as a table for the terminal."""
    table = Table(title="Targets")
    for column in ("Target", "What", "LUT is", "Measured by"):
        table.add_column(column)
    for target in targets.values():
        if not isinstance(target, Target):
            table.add_row(target.name, target.title, "–", "gate-level power, gates")
            continue
        how = "place and route" if isinstance(target, RoutedTarget) else "synthesis counts only"
        table.add_row(target.name, target.title, target.lut, how)
    return table
