"""What is measured where: a table of designs and targets, and why some do not route."""

from collections.abc import Mapping, Sequence

from hashfabric.base.text import markdown
from hashfabric.registry.designs import Design
from hashfabric.registry.results import MeasuredRow

GAP_COLUMNS = ("Design", "Variants", "Target", "Why it has no row")


def section(
    rows: Sequence[MeasuredRow], designs: Mapping[str, Design], logic_cells: Mapping[str, int]
) -> list[str]:
    """Return the section as parts of a Markdown page; nothing where nothing was measured or tried.

    It has the designs and the targets of `rows` and of `Design.not_routed`; `logic_cells` are those
    of a target's device.
    """
    gaps = [(design, gap) for design in designs.values() for gap in design.not_routed]
    names = {row.name for row in rows} | {design.name for design, _ in gaps}
    counted = {row.target for row in rows if row.fmax_mhz is None}
    places = {row.target for row in rows} | {gap.target for _, gap in gaps}
    targets = sorted(places, key=lambda target: (target in counted, target))
    shown = [design for design in designs.values() if design.name in names]
    if not shown:
        return []
    lines = [
        [one.name, *(_cell(one, target, rows, logic_cells.get(target)) for target in targets)]
        for one in shown
    ]
    heads = [f"{target}, counts" if target in counted else target for target in targets]
    parts = [
        "## What is measured where\n",
        "Variants with a row, of those that are for the target, and the seeds of a row. *Not* has "
        "the number of variants that were tried and did not route or fit; *too large*, of those "
        "that have more LUTs or registers on another target than this device has. –: not tried. A "
        "blank: not for this target. *Counts*: synthesis only, no clock.\n",
        markdown(("Design", *heads), lines, left=1),
    ]
    if gaps:
        why = [[one.name, ", ".join(gap.variants), gap.target, gap.reason] for one, gap in gaps]
        parts.append(markdown(GAP_COLUMNS, why, left=4))
    return parts


def _cell(design: Design, target: str, rows: Sequence[MeasuredRow], logic_cells: int | None) -> str:
    """Return what is known of a design on a target."""
    whole = [name for name, variant in design.variants.items() if variant.is_for(target)]
    if not whole:
        return ""
    here = [row for row in rows if (row.name, row.target) == (design.name, target)]
    have = {row.variant for row in here} & set(whole)
    seeds = [row.fmax_mhz.n for row in here if row.fmax_mhz is not None]
    said = []
    if have:
        counts = sorted({min(seeds), max(seeds)}) if seeds else []
        spread = f" (n={'–'.join(map(str, counts))})" if counts else ""
        said.append(f"{len(have)} of {len(whole)}{spread}")
    tried = {name for gap in design.not_routed if gap.target == target for name in gap.variants}
    if tried:
        said.append(f"{len(tried)} not")
    untried = set(whole) - have - tried
    large = untried & _larger(design, rows, logic_cells) if logic_cells is not None else set()
    if large:
        said.append(f"{len(large)} too large")
    return ", ".join(said) or "–"


def _larger(design: Design, rows: Sequence[MeasuredRow], logic_cells: int) -> set[str]:
    """Return the variants with more LUTs or registers than `logic_cells` wherever they route."""
    takes: dict[str, list[int]] = {}
    for row in rows:
        if row.name == design.name and row.fmax_mhz is not None:
            takes.setdefault(row.variant, []).append(max(row.luts, row.ffs))
    return {variant for variant, each in takes.items() if min(each) > logic_cells}
