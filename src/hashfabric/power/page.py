"""The generated part of docs/measure/power.md, and the rows that are out of date."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from hashfabric.base.paths import ROOT
from hashfabric.base.text import markdown
from hashfabric.flows.base import AnyTarget
from hashfabric.power import energy_tables as tables
from hashfabric.power import measure, rows
from hashfabric.power.rows import PowerRow
from hashfabric.registry.designs import Design, read_sources

_TEXT_COLUMNS = 1


def page_file(root: Path = ROOT) -> Path:
    """Return the page that holds the tables."""
    return root / "docs" / "measure" / "power.md"


def part(every: Sequence[PowerRow]) -> str:
    """Return the generated part: tables and assumptions."""
    energies = [(row, row.energy) for row in every if row.energy is not None]
    toggles = [row for row in every if row.energy is None]
    parts = []
    if energies:
        cells = [tables.energy_cells(row, energy) for row, energy in energies]
        parts += ["### Energy\n", markdown(tables.ENERGY_COLUMNS, cells, left=_TEXT_COLUMNS)]
        parts.append(f"{tables.wires_text(every)}\n")
    if ratios := tables.gated_against_plain(every):
        parts += [
            "### Gated against ungated\n",
            "Ratio of the energy per block at the same duty; per clock cycle at duty 0.\n",
            markdown(tables.RATIO_COLUMNS, ratios, left=2),
        ]
    if toggles:
        cells = [[row.target, *tables.toggle_cells(row)] for row in toggles]
        parts += [
            "### Toggles on FPGAs\n",
            markdown(("Target", *tables.TOGGLE_COLUMNS), cells, left=2),
        ]
    if lines := tables.assumption_lines(every):
        parts += ["### Assumptions\n", _listed(lines)]
    return "\n".join(parts)


def provenance(root: Path = ROOT) -> list[str]:
    """Return where the rows in results/ come from, as parts of a Markdown page."""
    lines = tables.origin_lines(rows.load(root))
    return ["## Power\n", _listed(lines)] if lines else []


def _listed(lines: Sequence[str]) -> str:
    return "".join(f"- {line}\n" for line in lines)


def load_part(root: Path = ROOT) -> str:
    """Return the generated part of the rows in results/."""
    return part(rows.load(root))


def stale(
    designs: Mapping[str, Design],
    targets: Mapping[str, AnyTarget],
    root: Path = ROOT,
) -> list[str]:
    """Return one line for each design whose rows do not match its present RTL or target."""
    lines: dict[str, None] = {}
    for row in rows.load(root):
        name = f"power of {row.name} {row.variant} on {row.target}"
        design, target = designs.get(row.name), targets.get(row.target)
        if design is None or row.variant not in design.variants:
            lines[f"results: {name}: no longer in the registry"] = None
        elif target is None:
            lines[f"results: {name}: no longer among the targets"] = None
        else:
            variant = design.variants[row.variant]
            now = measure.netlist_hash(target, variant, read_sources(variant, root))
            if now != row.provenance.netlist_source_hash:
                lines[f"results: {name}: changed since: run 'hashfabric power --save'"] = None
    return list(lines)
