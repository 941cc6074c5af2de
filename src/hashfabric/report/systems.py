"""The tables in pages of systems (docs/integrate/riscv.md): clocks, sizes, compiler settings."""

from collections.abc import Mapping, Sequence

from hashfabric.base.text import ONE_SEED, ONE_SEED_LINE, markdown, number
from hashfabric.papers.systems import PLAIN, processor
from hashfabric.registry.designs import Design
from hashfabric.registry.results import MeasuredRow, TaskRow

COLUMNS = (
    "System",
    "C style",
    "Clocks a permutation",
    "Clocks a block",
    "Gain",
    "Instructions a byte",
    "Bytes of code",
    "Bytes of RAM",
)
"""Headings of the table of clocks and bytes."""

AREA = ("System", "Target", "LUT", "FF", "LUT added", "FF added", "Fmax MHz", "Clock kept")
"""Headings of the table of areas."""

LEFT = 2
"""Columns of both that hold words."""

TASKS = ("What", "By the driver", "By interrupt", "In software", "Gain")
"""Headings of the table of an SoC's clocks."""

SOC_AREA = ("SoC", "Target", "LUT", "FF", "Block RAM", "DSP", "Fmax MHz")
"""Headings of the table of SoCs' areas."""

STYLES = ("Style", "System")
"""The first headings of the table of compiler settings, by its flags from there on."""


def part(
    rows: Sequence[MeasuredRow],
    designs: Mapping[str, Design],
    page: str,
    tasks: Sequence[TaskRow] = (),
) -> str:
    """Return the tables of the systems that `page` (docs/...) is about; empty without figures.

    `tasks` are done by libraries on SoCs, which may not have a row.
    """
    about = {name for name, design in designs.items() if design.docs == page}
    here = [row for row in rows if row.firmware is not None and row.name in about]
    done = [task for task in tasks if task.name in about]
    if done or any(row.firmware and row.firmware.tasks for row in here):
        return _socs(here, done)
    if not here:
        return ""
    order = {(row.name, row.variant): _order(row, here) for row in here}
    here = sorted(here, key=lambda row: order[row.name, row.variant])
    firsts = list({(row.name, row.variant): row for row in here}.values())
    parts = [
        markdown(COLUMNS, [_cells(row, here) for row in firsts], left=LEFT),
        "Figures are for a block of SHA3-256, absorbing included. The gain is in clock cycles, "
        "relative to the best C on the same processor without a unit. Instructions a byte are "
        "those of a long message's SHA3-512 blocks, where the processor counts. Bytes of RAM are "
        "the sponge and the deepest stack.\n",
        markdown(AREA, _areas(here), left=LEFT),
        "The whole system (processor, memory, unit) synthesised without the harness; the added "
        "figures are against the same processor without a unit.\n",
        *_settings(firsts),
    ]
    if any(row.one_seed for row in here):
        parts.append(f"{ONE_SEED_LINE}\n")
    return "\n".join(parts)


def _socs(rows: Sequence[MeasuredRow], more: Sequence[TaskRow]) -> str:
    """Return the tables of processors with a peripheral: its gain, and the area of the SoC."""
    found = {name: use for row in rows if row.firmware for name, use in row.firmware.tasks.items()}
    tasks = dict(sorted(found.items(), key=lambda task: task[1].driver))
    tasks |= {task.task: task.use for task in more}
    libraries = "; ".join(dict.fromkeys(task.library for task in more))
    clocks = [
        [
            name,
            f"{use.driver:,}",
            number(use.interrupt, 0),
            number(use.software, 0),
            "–" if use.software is None else f"{use.software / use.driver:.3g} ×",
        ]
        for name, use in tasks.items()
    ]
    areas = [
        [
            f"{row.name}/{row.variant}",
            f"{row.target} ({row.lut})",
            f"{row.luts:,} ({row.luts_core:,})",
            f"{row.ffs:,} ({row.ffs_core:,})",
            f"{row.brams:,}",
            f"{row.dsps:,}",
            "–"
            if row.fmax_mhz is None
            else f"{row.fmax_mhz.text()}{ONE_SEED if row.one_seed else ''}",
        ]
        for row in rows
    ]
    parts = [
        markdown(TASKS, clocks, left=1),
        "Clock cycles, from the call to its return, by the SoC's timer; caches hold the code."
        f"{f' {libraries}.' if libraries else ''}\n",
    ]
    if areas:
        parts += [
            markdown(SOC_AREA, areas, left=2),
            "The whole SoC in the serial harness (alone).\n",
        ]
    if any(row.one_seed for row in rows):
        parts.append(f"{ONE_SEED_LINE}\n")
    return "\n".join(parts)


def _order(row: MeasuredRow, rows: Sequence[MeasuredRow]) -> tuple[str, float, float]:
    """Return a row's place: by processor, up the ladder, and of a design the best style first."""
    return processor(row.name), -_best(row, rows), row.clocks_per_block


def _best(row: MeasuredRow, rows: Sequence[MeasuredRow]) -> float:
    """Return the fewest clocks a block of the row's design."""
    return min(one.clocks_per_block for one in rows if one.name == row.name)


def _plain(row: MeasuredRow, rows: Sequence[MeasuredRow]) -> list[MeasuredRow]:
    """Return the rows of the same processor without a unit."""
    name = processor(row.name) + PLAIN
    return [one for one in rows if one.name == name]


def _cells(row: MeasuredRow, rows: Sequence[MeasuredRow]) -> list[str]:
    use, plain = row.firmware, _plain(row, rows)
    if use is None:
        raise ValueError("only a system has firmware")
    gain = _best(plain[0], rows) / row.clocks_per_block if plain else None
    return [
        row.name,
        row.variant,
        number(use.clocks_per_permutation, 0),
        f"{row.clocks_per_block:,.0f}",
        "–" if gain is None else f"{gain:.3g}",
        number(use.instructions_per_byte, 1),
        f"{use.code_bytes:,}",
        f"{use.ram_bytes:,}",
    ]


def _areas(rows: Sequence[MeasuredRow]) -> list[list[str]]:
    """Return the cells of one row a design and target: its styles have the same hardware."""
    cells = []
    for (name, target), row in {(row.name, row.target): row for row in rows}.items():
        plain = next((one for one in _plain(row, rows) if one.target == target), None)
        kept = "–"
        clock, before = row.fmax_mhz, plain.fmax_mhz if plain else None
        if plain and plain.name != name and clock and before and clock.median and before.median:
            kept = f"{100 * clock.median / before.median:.0f} %"
        mark = ONE_SEED if row.one_seed else ""
        cells.append(
            [
                name,
                f"{target} ({row.lut})",
                f"{row.luts_core:,}",
                f"{row.ffs_core:,}",
                _added(row.luts_core, plain.luts_core if plain else None),
                _added(row.ffs_core, plain.ffs_core if plain else None),
                "–" if clock is None else f"{clock.text()}{mark}",
                kept,
            ]
        )
    return cells


def _added(now: int, before: int | None) -> str:
    return "–" if before is None else f"{now - before:+,} ({100 * (now - before) / before:+.0f} %)"


def _settings(rows: Sequence[MeasuredRow]) -> list[str]:
    """Return the table of a permutation's clocks by the compiler's settings."""
    flags = list(
        dict.fromkeys(flag for row in rows if row.firmware for flag in row.firmware.settings)
    )
    if not flags:
        return []
    cells = []
    for row in rows:
        uses = row.firmware.settings if row.firmware else {}
        plain = {one.variant: one for one in _plain(row, rows)}.get(row.variant)
        before = plain.firmware.settings if plain and plain.firmware else {}
        line = [row.variant, row.name]
        for flag in flags:
            use = uses.get(flag)
            text = "–" if use is None else f"{use.clocks:,}"
            if use is not None and use.instructions is not None:
                text += f" ({use.instructions:,})"
            if use is not None and flag in before and plain is not row:
                text += f" {before[flag].clocks / use.clocks:.2f} ×"
            line.append(text)
        cells.append(line)
    heads = (*STYLES, *(f"`{flag}`" for flag in flags))
    return [
        markdown(heads, cells, left=LEFT),
        "Clocks a permutation, in brackets its instructions where the processor counts, and the "
        "gain over the same C with the same setting on the processor without a unit. A dash: the "
        "program does not fit into the memory.\n",
    ]
