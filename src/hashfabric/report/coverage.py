"""What is measured where: a table of designs and targets, and why some do not route."""

from collections.abc import Mapping, Sequence

from hashfabric.base.text import markdown
from hashfabric.registry.designs import Design
from hashfabric.registry.results import MeasuredRow

GAP_COLUMNS = ("Design", "Variants", "Target", "Why it has no row")


def section(rows: Sequence[MeasuredRow], designs: Mapping[str, Design]) -> list[str]:
    """Return the section as parts of a Markdown page; nothing where nothing was measured or tried.

    It has the designs and the targets of `rows` and of `Design.not_routed`.
    """
    gaps = [(design, gap) for design in designs.values() for gap in design.not_routed]
    names = {row.name for row in rows} | {design.name for design, _ in gaps}
    counted = {row.target for row in rows if row.fmax_mhz is None}
    places = {row.target for row in rows} | {gap.target for _, gap in gaps}
    targets = sorted(places, key=lambda target: (target in counted, target))
    shown = [design for design in designs.values() if design.name in names]
    if not shown:
        return []
    lines = [[one.name, *(_cell(one, target, rows) for target in targets)] for one in shown]
    heads = [f"{target}, counts" if target in counted else target for target in targets]
    parts = [
        "## What is measured where\n",
        "Variants with a row, of those that are for the target, and the seeds of a row. *Not* has "
        "the number of variants that were tried and did not route or fit. –: not tried. A blank: "
        "not for this target. *Counts*: synthesis only, no clock.\n",
        markdown(("Design", *heads), lines, left=1),
    ]
    if gaps:
        why = [[one.name, ", ".join(gap.variants), gap.target, gap.reason] for one, gap in gaps]
        parts.append(markdown(GAP_COLUMNS, why, left=4))
    return parts


def _cell(design: Design, target: str, rows: Sequence[MeasuredRow]) -> str:
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
    if missing := sum(len(gap.variants) for gap in design.not_routed if gap.target == target):
        said.append(f"{missing} not")
    return ", ".join(said) or "–"
