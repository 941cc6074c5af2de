"""The generated part of docs/measure/asic.md, and the rows that are out of date."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.table import Table

from hashfabric.area import measure, rows
from hashfabric.area.rows import AreaRow
from hashfabric.base.paths import ROOT
from hashfabric.base.text import markdown, number
from hashfabric.flows.asic import AsicTarget
from hashfabric.flows.base import AnyTarget
from hashfabric.registry.designs import Design, read_sources
from hashfabric.registry.peers import Peer, load_peers

COLUMNS = (
    "Design",
    "Clocks a block",
    "GE, RAM in flip-flops",
    "flip-flops",
    "GE, RAM as macros",
    "flip-flops",
    "Macros, words x bits",
    "bits",
    "Longest path, ns",
    "MHz, estimate",
    "Gb/s, estimate",
)
"""Headings of `cells`."""

PEER_COLUMNS = ("Published", "What", "Technology", "GE")


def page_file(root: Path = ROOT) -> Path:
    """Return the page that holds the table."""
    return root / "docs" / "measure" / "asic.md"


def cells(row: AreaRow) -> list[str]:
    """Return one row as the cells of a table."""
    macros, delay = row.macros, row.delay
    return [
        f"{row.name} {row.variant}",
        f"{row.clocks_per_block:,g}",
        number(row.flip_flops.gates),
        number(row.flip_flops.registers),
        number(None if macros is None else macros.gates),
        number(None if macros is None else macros.registers),
        ", ".join(f"{ram.words} x {ram.width}" for ram in row.rams) or "–",
        number(row.ram_bits) if row.rams else "–",
        number(None if delay is None else delay.ns, 2),
        number(None if delay is None else delay.mhz),
        number(row.gbps, 3),
    ]


def part(every: Sequence[AreaRow], peers: Sequence[Peer]) -> str:
    """Return the generated part: our rows by target, and the published ones."""
    parts = []
    for target in dict.fromkeys(row.target for row in every):
        here = [row for row in every if row.target == target]
        unit = f"1 GE is {here[0].nand_um2:g} µm², the library's smallest NAND of two inputs."
        parts += [
            f"### {target}\n",
            f"{unit}\n",
            markdown(COLUMNS, [cells(row) for row in here], left=1),
        ]
    published = [
        [f"{peer.title} ({peer.source})", core.what, core.device, number(core.gates)]
        for peer in peers
        for core in peer.cores
        if core.gates is not None
    ]
    if published:
        parts += ["### Published\n", markdown(PEER_COLUMNS, published, left=3)]
    return "\n".join(parts)


def terminal_table(measured: Sequence[AreaRow]) -> Table:
    """Return the table of rows for the terminal."""
    table = Table(title="Area in gate equivalents (GE)")
    for index, column in enumerate(COLUMNS):
        table.add_column(column, justify="right" if index else "left")
    for row in measured:
        table.add_row(*cells(row))
    return table


def load_part(root: Path = ROOT) -> str:
    """Return the generated part of the rows in results/."""
    return part(rows.load(root), load_peers(root))


def provenance(root: Path = ROOT) -> list[str]:
    """Return where the rows in results/ come from, as parts of a Markdown page."""
    lines = [line for row in rows.load(root) for line in _origin(row)]
    return ["## Area in gates\n", "".join(f"- {line}\n" for line in lines)] if lines else []


def _origin(row: AreaRow) -> list[str]:
    origin = row.provenance
    tools = ", ".join(f"{tool} {version}" for tool, version in origin.tools.items())
    return [
        f"{row.name} {row.variant}, {row.target}, {form}: RTL `{origin.source_hash[:16]}`, netlist "
        f"`{origin.netlists[form][:16]}`, liberty `{origin.liberty_sha256[:16]}`; {tools}; "
        f"`{command}`"
        for form, command in origin.commands.items()
    ]


def stale(
    designs: Mapping[str, Design], targets: Mapping[str, AnyTarget], root: Path = ROOT
) -> list[str]:
    """Return one line for each row that does not match its present RTL or target."""
    lines = []
    for row in rows.load(root):
        name = f"area of {row.name} {row.variant} on {row.target}"
        design, target = designs.get(row.name), targets.get(row.target)
        if design is None or row.variant not in design.variants:
            lines.append(f"results: {name}: no longer in the registry")
        elif not isinstance(target, AsicTarget):
            lines.append(f"results: {name}: no longer among the targets")
        else:
            variant = design.variants[row.variant]
            now = measure.inputs_hash(target, variant, read_sources(variant, root))
            if now != row.provenance.inputs_hash:
                lines.append(f"results: {name}: changed since: run 'hashfabric area --save'")
    return lines
