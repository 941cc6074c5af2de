"""A paper, its audit and our measured rows, as JSON and for the terminal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid

from hashfabric.base.text import ONE_SEED, ONE_SEED_LINE
from hashfabric.papers import slices, systems
from hashfabric.papers.audit import Finding
from hashfabric.papers.paper import Figure, Paper
from hashfabric.papers.rows import PaperRow, PaperTable, plain
from hashfabric.papers.units import UNITS, unit_of

Measured = Mapping[str, Any]
"""A row of our own results, as the lab's JSON has it; any key but `name` may be missing."""


Links = Iterable[tuple[str, str, str]]
"""Links of our designs to rows, by the registry: (our design, paper, rows' `design`)."""


def beside(
    paper: Paper, measured_rows: Iterable[Measured], links: Links = ()
) -> dict[str, list[Measured]]:
    """Return for each design of the paper the measured rows to compare with it.

    They are those of our design of that name, and of others that the registry links to it.
    """
    names = {tag: {tag} for tag in paper.designs}
    for ours, linked, tag in links:
        if linked == paper.name and tag in names:
            names[tag].add(ours)
    rows = list(measured_rows)
    return {tag: [row for row in rows if row.get("name") in names[tag]] for tag in names}


def _row_json(row: PaperRow) -> dict[str, Any]:
    cells = row.model_dump(exclude_none=True)
    kept = {key: cell for key, cell in cells.items() if cell != "" and key != "id"}
    return {k: plain(v) if isinstance(v, Decimal) else v for k, v in kept.items()}


def to_json(
    paper: Paper,
    findings: Sequence[Finding],
    measured_rows: Sequence[Measured],
    links: Links = (),
) -> dict[str, Any]:
    """Return the paper, its audit and our rows beside its rows as one JSON object."""
    groups = beside(paper, measured_rows, links)
    found = systems.gains(paper, groups)
    return {
        "name": paper.name,
        "title": paper.title,
        "authors": paper.authors,
        "venue": paper.venue,
        "year": paper.year,
        "note": paper.note,
        "rows": [_row_json(row) for row in paper.rows],
        "figures": [
            {
                "name": figure.name,
                "value": plain(figure.value),
                "unit": unit_of(figure.name).symbol,
                "place": figure.place,
                "label": figure.label,
            }
            for figure in paper.figures
        ],
        "audit": [{**asdict(finding), "repair": list(finding.repair)} for finding in findings],
        "flagged": sum(finding.status == "flag" for finding in findings),
        "beside": [
            {
                "design": design,
                "paper_rows": [_row_json(r) for r in paper.rows if r.design == design],
                "measured_rows": [dict(row) for row in rows],
            }
            for design, rows in groups.items()
        ],
        "dsp_slices": [
            {**asdict(cost), "slice_clocks": cost.slice_clocks} for cost in _costs(paper, groups)
        ],
        **({"gains": [asdict(gain) for gain in found]} if found else {}),
    }


def _costs(paper: Paper, groups: Mapping[str, list[Measured]]) -> list[slices.SliceCost]:
    return slices.costs(paper, [row for rows in groups.values() for row in rows])


def render(
    paper: Paper,
    findings: Sequence[Finding],
    measured_rows: Sequence[Measured],
    console: Console,
    links: Links = (),
) -> None:
    """Print the paper's tables and figures, the audit, and our rows beside the paper's."""
    for part in parts(paper, findings, measured_rows, links):
        console.print(part)


def parts(
    paper: Paper,
    findings: Sequence[Finding],
    measured_rows: Sequence[Measured],
    links: Links = (),
) -> Iterator[Grid | str]:
    """Yield what `render` prints: tables, and lines of text with marks for their styles."""
    yield f"[bold]{escape(paper.name)}[/]: {escape(paper.title)}"
    source = [", ".join(paper.authors), paper.venue, str(paper.year or ""), paper.note]
    yield f"[dim]{escape('. '.join(part.rstrip('.') for part in source if part))}[/]"
    for table in paper.tables:
        yield _paper_grid(table)
    if paper.figures:
        yield _figure_grid(paper.figures)
    yield from _audit_lines(findings)
    groups = beside(paper, measured_rows, links)
    if found := systems.gains(paper, groups):
        yield systems.grid(paper, found)
    for design, rows in groups.items():
        yield _beside_grid(paper, design, rows)
        if not rows:
            yield f"  {design}: not measured yet (what can be built: hashfabric list)"
    if costs := _costs(paper, groups):
        yield slices.grid(costs)


def _head(column: str) -> str:
    """Turn a column's name into a head: words, and the unit in brackets."""
    unit = unit_of(column)
    suffix = next((s for s, u in UNITS.items() if u is unit), "")
    words = column.removesuffix(suffix).strip("_").replace("_", " ")
    return f"{words} \\[{unit.symbol}]" if suffix and words else column.replace("_", " ")


def _paper_grid(table: PaperTable) -> Grid:
    whose = "the paper's own" if table.own else "cited"
    grid = Grid(title=f"{escape(table.place)} ({whose})", title_justify="left")
    cells = [row.model_dump(exclude_none=True) for row in table.rows]
    hidden = ("id", "place", "own", "design", "note")
    shown_columns = [
        column
        for column in PaperRow.model_fields
        if column not in hidden and any(row.get(column, "") != "" for row in cells)
    ]
    for column in shown_columns:
        numeric = any(isinstance(row.get(column), int | Decimal) for row in cells)
        grid.add_column(_head(column), justify="right" if numeric else "left")
    for row in cells:
        grid.add_row(*(escape(str(row.get(column, ""))) for column in shown_columns))
    return grid


def _figure_grid(figures: Iterable[Figure]) -> Grid:
    grid = Grid(title="figures stated outside the tables", title_justify="left")
    grid.add_column("figure")
    grid.add_column("value", justify="right")
    grid.add_column("unit")
    grid.add_column("place")
    for figure in figures:
        unit = unit_of(figure.name).symbol
        grid.add_row(escape(figure.label), str(figure.value), unit, escape(figure.place))
    return grid


def _audit_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the relations that hold once each, with their number, and the flags in full."""
    flags = [finding for finding in findings if finding.status == "flag"]
    yield f"\n[bold]audit[/]: {len(findings)} relations, {len(flags)} do not add up"
    agreeing: dict[str, int] = {}
    for finding in findings:
        if finding.status == "ok":
            agreeing[finding.relation] = agreeing.get(finding.relation, 0) + 1
    for relation, number in agreeing.items():
        yield f"[green]ok[/]   {number} x {escape(relation)}"
    for finding in flags:
        where = escape(f"{finding.subject} ({finding.place})")
        yield f"[red]flag[/] [bold]{where}[/]"
        yield f"     {escape(finding.relation)}"
        text = f"stated {_cell(finding.stated)}, computed {_cell(finding.computed) or 'nothing'}"
        text = f"{text} {finding.unit}".rstrip()
        if finding.deviation_percent is not None:
            text += f" ({finding.deviation_percent:+.2f} %"
            text += f"; rounding explains {finding.tolerance:.2g})" if finding.tolerance else ")"
        yield f"     {escape(text)}"
        for line in (finding.note, *finding.repair):
            if line:
                yield f"[yellow]     {escape(line)}[/]"


BESIDE_HEADS = (
    "source",
    "device",
    "variant",
    "clocks\nper block",
    "fmax [MHz]",
    "area",
    "DSPs",
    "throughput\n[Gb/s]",
    "throughput per area",
    "Mb/s per\nlogic cell",
)


def _beside_grid(paper: Paper, design: str, measured_rows: Sequence[Measured]) -> Grid:
    grid = Grid(
        title=f"{design}: the paper's rows and ours",
        title_justify="left",
        caption=ONE_SEED_LINE if any(map(_one_seed, measured_rows)) else None,
        caption_justify="left",
    )
    for number, head in enumerate(BESIDE_HEADS):
        grid.add_column(
            escape(head), justify="left" if number < len(BESIDE_HEADS) // 3 else "right"
        )
    for row in paper.rows:
        if row.design != design or not (row.fmax_mhz or row.clocks):
            continue
        gbps = row.throughput_gbps or (row.throughput_mbps and row.throughput_mbps / 1000)
        grid.add_row(
            escape(f"paper: {row.work or f'{row.algorithm} {row.digest_bits} bit'}"),
            escape(row.device),
            "",
            _paper_clocks(row),
            _cell(row.fmax_mhz),
            _joined((row.area_slices, "slices"), (row.luts, "LUTs")),
            _cell(row.dsps),
            _cell(gbps),
            _joined((row.tpa_mbps_per_slice, "Mb/s per slice")),
            "",
        )
    for ours in measured_rows:
        name = str(ours.get("name", design))
        grid.add_row(
            "ours" if name == design else escape(f"ours: {name}"),
            escape(_cell(ours.get("target"))),
            escape(_cell(ours.get("variant"))),
            _cell(ours.get("clocks_per_block")),
            _fmax(ours.get("fmax_mhz")),
            _joined((ours.get("luts"), "LUTs"), (ours.get("ffs"), "FFs")),
            _cell(ours.get("dsps")),
            *_derived(ours),
            style="bold",
        )
    return grid


def _one_seed(ours: Measured) -> bool:
    fmax = ours.get("fmax_mhz")
    return isinstance(fmax, Mapping) and fmax.get("n") == 1


def _derived(ours: Measured) -> list[str]:
    """Return the figures of one of our rows that depend on the clock, marked for one seed."""
    mark = ONE_SEED if _one_seed(ours) else ""
    gbps, per_lut, per_cell = (
        None if ours.get(key) is None else _cell(ours[key]) + mark
        for key in ("gbps", "mbps_per_lut", "mbps_per_cell")
    )
    return [_cell(gbps), _joined((per_lut, "Mb/s per LUT")), _cell(per_cell)]


def _paper_clocks(row: PaperRow) -> str:
    """Return the clocks a block, or the paper's clocks for an unstated number of blocks."""
    if row.clocks and row.blocks_in_flight and not row.clocks_per_block:
        return _cell(row.clocks / row.blocks_in_flight)
    return _cell(row.clocks_per_block) or (f"{row.clocks} in all" if row.clocks else "")


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return "" if value is None else str(value)


def _joined(*parts: tuple[object, str]) -> str:
    return ", ".join(f"{_cell(value)} {unit}" for value, unit in parts if value is not None)


def _fmax(value: object) -> str:
    if not isinstance(value, Mapping):
        return _cell(value)
    if value.get("median") is None:
        return "unrouted"
    low, high = _cell(value.get("min")), _cell(value.get("max"))
    spread = "" if value.get("n") == 1 else f"{low}..{high}, "
    return f"{_cell(value.get('median'))} ({spread}n = {_cell(value.get('n'))})"
