"""Tables of power rows, for the terminal and for docs/measure/power.md."""

from collections.abc import Iterable, Sequence

from rich.table import Table

from hashfabric.base.text import number
from hashfabric.power.rows import Estimate, PowerRow

_LEFT = 1

ENERGY_COLUMNS = (
    "Design",
    "Duty %",
    "Blocks in clocks",
    "pJ a clock",
    "clock",
    "sequential",
    "combinational",
    "glitches",
    "leakage",
    "nJ a block (settled)",
    "pJ a bit",
)
"""Headings of `energy_cells`; the five from 'clock' on add up to 'pJ a clock'."""

TOGGLE_COLUMNS = (
    "Design",
    "Duty %",
    "Blocks in clocks",
    "Registers' toggles a clock",
    "nets'",
    "Registers' toggles a block",
    "nets'",
    "nets', with glitches",
    "RAM bits'",
    "DSP slices'",
    "with glitches",
)
"""Headings of `toggle_cells`."""

RATIO_COLUMNS = ("Design", "against", "Duty %", "Energy", "without glitches", "Clock's part")
"""Headings of `ratio_cells`."""


def label(row: PowerRow) -> str:
    """Return the name of a row's design and variant."""
    return f"{row.name} {row.variant}"


def _work(row: PowerRow) -> str:
    return f"{row.blocks} in {row.clocks:,}"


def _duty(row: PowerRow) -> str:
    return f"{100 * row.duty:.3g}"


def _leakage(value: float) -> str:
    return f"{value:.1g}" if value < 0.05 else number(value, 1)  # noqa: PLR2004 - by its digits


def energy_cells(row: PowerRow, energy: Estimate) -> list[str]:
    """Return one row of a library's cells as the cells of a table."""
    parts = energy.pj_per_clock
    block = number(energy.nj_per_block, 2)
    return [
        label(row),
        _duty(row),
        _work(row),
        number(energy.total_pj_per_clock, 1),
        number(parts.clock, 1),
        number(parts.sequential, 1),
        number(parts.combinational, 1),
        number(parts.glitches, 1),
        _leakage(parts.leakage),
        f"{block} ({number(energy.settled_nj_per_block, 2)})" if row.blocks else block,
        number(energy.pj_per_bit, 2),
    ]


def toggle_cells(row: PowerRow) -> list[str]:
    """Return one row of toggles as the cells of a table."""
    rates = row.toggles_per_clock
    return [
        label(row),
        _duty(row),
        _work(row),
        number(rates.registers, 1),
        number(rates.nets, 1),
        number(row.per_block(rates.registers)),
        number(row.per_block(rates.nets)),
        number(row.per_block(rates.nets_with_glitches)),
        *(
            number(None if rate is None else row.per_block(rate))
            for rate in (rates.memory, rates.slices, rates.slices_with_glitches)
        ),
    ]


def ratio_cells(row: PowerRow, other: PowerRow) -> list[str] | None:
    """Return `row` against `other` at the same duty as the cells of a table; None without energy.

    It compares the energy a block, which is the same work, or without blocks a clock cycle.
    """
    if row.energy is None or other.energy is None:
        return None

    def ratio(here: float, there: float) -> str:
        mine, its = row.per_block(here) or here, other.per_block(there) or there
        return f"{mine / its:.3f}" if its else "–"

    return [
        label(row),
        label(other),
        _duty(row),
        ratio(row.energy.total_pj_per_clock, other.energy.total_pj_per_clock),
        ratio(row.energy.settled_pj_per_clock, other.energy.settled_pj_per_clock),
        ratio(row.energy.pj_per_clock.clock, other.energy.pj_per_clock.clock),
    ]


def against_first(rows: Sequence[PowerRow]) -> list[list[str]]:
    """Return every other design of `rows` against the first, duty by duty."""
    first = {row.duty: row for row in rows if label(row) == label(rows[0])}
    pairs = [(row, first.get(row.duty)) for row in rows if label(row) != label(rows[0])]
    return _ratios(pairs)


def gated_against_plain(rows: Sequence[PowerRow]) -> list[list[str]]:
    """Return every gated design against the one that differs only in `Gate`."""

    def key(row: PowerRow) -> tuple[object, ...]:
        rest = {name: v for name, v in row.provenance.parameters.items() if name != "Gate"}
        what = (row.target, row.provenance.top, sorted(rest.items()))
        return (*what, row.duty, row.slots, row.turn_clocks)

    plain = {str(key(row)): row for row in rows if row.provenance.parameters.get("Gate", 0) == 0}
    gated = [row for row in rows if row.provenance.parameters.get("Gate", 0) != 0]
    return _ratios([(row, plain.get(str(key(row)))) for row in gated])


def _ratios(pairs: Iterable[tuple[PowerRow, PowerRow | None]]) -> list[list[str]]:
    cells = [ratio_cells(row, other) for row, other in pairs if other is not None]
    return [line for line in cells if line is not None]


def terminal_tables(rows: Sequence[PowerRow]) -> list[Table]:
    """Return the tables of rows for the terminal, target by target."""
    tables = []
    for target in dict.fromkeys(row.target for row in rows):
        here = [row for row in rows if row.target == target]
        energies = [energy_cells(row, row.energy) for row in here if row.energy is not None]
        if energies:
            tables.append(_table(f"Energy on {target}", ENERGY_COLUMNS, energies))
        else:
            title = f"Relative activity on {target} (of an FPGA no energy is claimed)"
            tables.append(_table(title, TOGGLE_COLUMNS, [toggle_cells(row) for row in here]))
        if ratios := against_first(here):
            tables.append(_table("At the same duty", RATIO_COLUMNS, ratios))
    return tables


def _table(title: str, columns: Sequence[str], lines: Iterable[Sequence[str]]) -> Table:
    table = Table(title=title)
    for index, column in enumerate(columns):
        words = index < _LEFT or column == "against"
        table.add_column(column, justify="left" if words else "right")
    for line in lines:
        table.add_row(*line)
    return table


def assumption_lines(rows: Sequence[PowerRow]) -> list[str]:
    """Return the assumptions of the figures of `rows`, a line each."""
    lines = dict[str, None]()
    for row in rows:
        work = f"random messages of one block, {row.block_bits} bits, seed {row.provenance.seed}"
        lines[f"{row.target}: {work}; every output state is checked."] = None
        if row.energy is None:
            lines[f"{row.target}: glitches with the same delay for every cell."] = None
            continue
        assumed = row.energy.assumptions
        for line in (
            f"{row.energy.voltage:g} V, {row.energy.temperature:g} °C; clock "
            f"{assumed.clock_mhz:g} MHz, the goal of synthesis and the period of leakage.",
            f"wire {1000 * assumed.wire_pf:g} fF a driven pin, {1000 * assumed.output_pf:g} fF "
            f"at an output; transitions {assumed.slew_ns:g} ns, the clock's "
            f"{assumed.clock_slew_ns:g} ns.",
            "no layout and no clock tree (the clock's pins, wires and gates count; an edge "
            "reaches all registers at once). Glitches: the liberty's delays; pulses shorter than "
            "a gate's own delay are filtered out.",
        ):
            lines[f"{row.target}: {line}"] = None
    return list(lines)


def wires_text(rows: Sequence[PowerRow]) -> str:
    """Return the share of the assumed wire in the energy of `rows`; empty without energy."""
    shares = [
        100 * row.energy.pj_per_clock.wires / row.energy.total_pj_per_clock
        for row in rows
        if row.energy is not None and row.energy.total_pj_per_clock
    ]
    if not shares:
        return ""
    ends = dict.fromkeys(f"{share:.0f}" for share in (min(shares), max(shares)))
    return f"The assumed wire makes up {' to '.join(ends)} % of the energy."


def origin_lines(rows: Sequence[PowerRow]) -> list[str]:
    """Return the provenance of each design's rows, a line each."""
    groups: dict[tuple[str, str], list[PowerRow]] = {}
    for row in rows:
        groups.setdefault((label(row), row.target), []).append(row)
    lines = []
    for (name, target), its in groups.items():
        origin = its[0].provenance
        tools = ", ".join(f"{tool} {version}" for tool, version in origin.tools.items())
        given = ", ".join(f"{key} = {value}" for key, value in origin.parameters.items())
        liberty = f", liberty `{origin.liberty_sha256[:16]}`" if origin.liberty_sha256 else ""
        lines.append(
            f"{name}, {target}: {its[0].cells:,} cells, {its[0].registers:,} registers "
            f"({its[0].gated_registers:,} after a clock gate)"
            f"{f', {given}' if given else ''}; RTL `{origin.source_hash[:16]}`{liberty}; {tools}; "
            f"`{origin.commands['netlist']}`"
        )
    return lines
