"""The generated parts of README.md and docs/, from results/ and papers/: tables and drawings.

Generated parts are never edited by hand.
"""

import itertools
import posixpath
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hashfabric.area import page as area_page
from hashfabric.base.cache import write_atomically
from hashfabric.base.datafile import shown
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.text import markdown
from hashfabric.flows.targets import load_all, load_targets
from hashfabric.implement.build import what_changed
from hashfabric.papers import beside, ranking, slices
from hashfabric.papers import paper as papers
from hashfabric.power import page
from hashfabric.registry.designs import Design, load_designs, source_hash
from hashfabric.registry.peers import PeerRow, load_peers
from hashfabric.registry.results import (
    PEER_PREFIX,
    MeasuredRow,
    load_prefixed,
    load_rows,
    load_simulator,
    load_software,
    load_tasks,
)
from hashfabric.report import (
    choices,
    codes,
    coverage,
    diagrams,
    drawing,
    peers_plot,
    peers_table,
    reported,
    systems,
    tables,
)
from hashfabric.report import ranking_bars as bars
from hashfabric.report import throughput_area as plot

BEGIN, END = "<!-- results:begin -->", "<!-- results:end -->"
"""The markers around the generated part of a page."""

RESULTS = "docs/measure/results.md"
"""The page of all rows."""

PROVENANCE = "results/provenance.md"
"""The page of the origin of each measured row."""

RANKED = ("latif-finalists", "docs/engines/finalists.md")
"""The paper whose ranking is drawn, and the page that shows it."""

SLICES = ("arshad-dsp", "docs/engines/dsp.md")
"""The paper that counts DSP slices, and the page that puts its designs beside ours."""


def changes(root: Path = ROOT) -> list[str]:
    """Return one line for each file that `write` would change."""
    paths = [path for path, text in _wanted(root).items() if _current(path) != text]
    paths += _stale_drawings(root)
    return [f"{shown(path)}: not as 'hashfabric report' writes it" for path in paths]


def stale(root: Path = ROOT) -> list[str]:
    """Return one line for each row that the present RTL and flags would not give."""
    designs, targets = load_designs(root), load_targets(root)
    lines = []
    for row in load_rows(root):
        name = f"{row.name} {row.variant} on {row.target}"
        design, target = designs.get(row.name), targets.get(row.target)
        if design is None or row.variant not in design.variants:
            lines.append(f"results: {name}: no longer in the registry")
        elif target is None:
            lines.append(f"results: {name}: no longer among the targets")
        elif changed := what_changed(row, design.variants[row.variant], target, root):
            lines.append(f"results: {name}: {changed}: run 'hashfabric bench --stale'")
    everything = load_all(root)
    return [
        *lines,
        *page.stale(designs, everything, root),
        *area_page.stale(designs, everything, root),
    ]


def write(root: Path = ROOT) -> list[str]:
    """Write what has changed; return the files' names."""
    written = []
    for path, text in _wanted(root).items():
        if _current(path) != text:
            write_atomically(path, text)
            written.append(shown(path))
    for path, chart in _stale_drawings(root).items():
        path.parent.mkdir(exist_ok=True)
        write_atomically(path, drawing.svg(chart))
        written.append(shown(path))
    return written


def _stale_drawings(root: Path) -> dict[Path, dict[str, Any]]:
    """Return the charts to be drawn (again), by file; none for charts without a row."""
    charts = {}
    if marks := _peers_marks(root):
        charts[root / peers_plot.FILE] = peers_plot.chart(marks)
    if points := plot.points(load_rows(root), load_designs(root)):
        charts[root / plot.FILE] = plot.chart(points)
    if ranked := _ranked(root):
        charts[root / bars.FILE] = bars.chart(*ranked)
    return {
        path: chart
        for path, chart in charts.items()
        if not drawing.is_current(_current(path), chart)
    }


def _peers_marks(root: Path) -> list[peers_plot.Mark]:
    """Return the cores of the plot with others'; none where there are only ours, or only theirs."""
    path = root / "papers" / f"{peers_plot.PAPER}.toml"
    paper = papers.load_paper(path) if path.exists() else None
    ours = peers_plot.ours(load_rows(root), load_designs(root))
    theirs = peers_plot.others(load_peers(root), paper)
    return [*ours, *theirs] if ours and theirs else []


def _ranked(root: Path) -> tuple[papers.Paper, list[ranking.Entry], str] | None:
    """Return the paper whose ranking is shown, ours, and their target; None without a page."""
    name, page_name = RANKED
    if not (root / page_name).exists():
        return None
    paper = papers.find(papers.load_papers(root / "papers"), name)
    found = ranking.entries(paper, load_rows(root), load_designs(root), ranking.TARGET)
    return paper, found, ranking.TARGET


def _plot_link(
    rows: Sequence[MeasuredRow], designs: Mapping[str, Design], folder: str
) -> list[str]:
    """Return the plot as a page in `folder` shows it, where there is something to show."""
    if not plot.points(rows, designs):
        return []
    path = posixpath.relpath(plot.FILE, folder or ".")
    return [f"![Throughput against area, with an estimated upper limit]({path})\n"]


def _peers_link(root: Path) -> list[str]:
    """Return the plot with others' cores as the page of results shows it."""
    if not _peers_marks(root):
        return []
    path = posixpath.relpath(peers_plot.FILE, posixpath.dirname(RESULTS))
    return [
        "Ours beside others' cores, measured in the same flow or claimed "
        "([the plots](methodology.md#the-plots)):\n",
        f"![Throughput against LUTs, ours and others']({path})\n",
    ]


def _peers_rows(root: Path) -> list[str]:
    """Return the table of cores of others that `peers run` has measured."""
    rows = load_prefixed(PEER_PREFIX, PeerRow, root)
    if not rows:
        return []
    return [
        "Cores of others in the same harness, by the tools' plain flow and by ours, their function "
        "not checked ([how](../reference/commands.md#cores-of-others)):\n",
        peers_table.page_table(rows, root),
    ]


def _wanted(root: Path) -> dict[Path, str]:
    """Return every generated file and its text as it should be."""
    rows, designs = load_rows(root), load_designs(root)
    readme, results = root / "README.md", root / RESULTS
    return {
        readme: between_markers(_current(readme), readme_part(rows, designs, root), shown(readme)),
        results: results_page(rows, designs, root),
        root / PROVENANCE: provenance_page(rows, designs, root),
        **_marked_page(page.page_file(root), page.load_part, root),
        **_marked_page(area_page.page_file(root), area_page.load_part, root),
        **_ranking_page(root),
        **_slices_page(rows, designs, root),
        **_codes_page(designs, root),
        **_registers_page(root),
        **_system_pages(rows, designs, root),
        **diagrams.drawings(root),
    }


def _ranking_page(root: Path) -> dict[Path, str]:
    """Return the page of the ranking with its generated part, where the page is there."""
    if (ranked := _ranked(root)) is None:
        return {}
    path = root / RANKED[1]
    part = ranking.page_part(*ranked, posixpath.relpath(bars.FILE, posixpath.dirname(RANKED[1])))
    return {path: between_markers(_current(path), part, shown(path))}


def _slices_page(
    rows: Sequence[MeasuredRow], designs: Mapping[str, Design], root: Path
) -> dict[Path, str]:
    """Return the page of the DSP cores with its generated part, where the page is there."""
    name, page_name = SLICES
    path = root / page_name
    if not path.exists():
        return {}
    linked = {key for key, one in designs.items() if any(p.name == name for p in one.papers)}
    measured = [row.as_json() for row in rows if row.name in linked]
    paper = papers.find(papers.load_papers(root / "papers"), name)
    part = slices.table(slices.costs(paper, measured))
    return {path: between_markers(_current(path), part, shown(path))}


def _codes_page(designs: Mapping[str, Design], root: Path) -> dict[Path, str]:
    """Return the page of the stream port with its table of functions, where the page is there."""
    path = codes.page_file(root)
    text = _current(path)
    return {path: between_markers(text, codes.part(designs), shown(path))} if text else {}


def _registers_page(root: Path) -> dict[Path, str]:
    """Return the pages with tables of registers, where the pages are there."""
    from hashfabric.registry import registers  # noqa: PLC0415 - more packages

    pages = {}
    for name, source in (
        ("regs.md", registers.PERIPHERAL),
        ("dma.md", registers.DMA),
        ("contexts.md", registers.CONTEXTS),
        ("chain.md", registers.CHAIN),
        ("masked.md", registers.MASKED),
    ):
        path = root / "docs" / "integrate" / name
        if text := _current(path):
            part = "\n".join(registers.table(root, source))
            pages[path] = between_markers(text, part, shown(path))
    return pages


def _system_pages(
    rows: Sequence[MeasuredRow], designs: Mapping[str, Design], root: Path
) -> dict[Path, str]:
    """Return the pages of systems with their generated parts, where there are figures, markers."""
    pages = {}
    tasks = [task for key in designs for task in load_tasks(key, root)]
    have = [*(row.name for row in rows), *(task.name for task in tasks)]
    for name in dict.fromkeys(designs[key].docs for key in have if key in designs):
        path, part = root / name, systems.part(rows, designs, name, tasks)
        if part and BEGIN in (text := _current(path)):
            pages[path] = between_markers(text, part, shown(path))
    return pages


def _marked_page(path: Path, part: Callable[[Path], str], root: Path) -> dict[Path, str]:
    """Return the page at `path` with its generated part, where the page is there."""
    text = _current(path)
    return {path: between_markers(text, part(root), shown(path))} if text else {}


def _current(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise LabError(f"{shown(path)}: {error.strerror}") from error


def between_markers(text: str, part: str, name: str) -> str:
    """Return `text` with what lies between the two markers replaced by `part`."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise LabError(f"{name}: '{BEGIN}' and '{END}' must be there once, in this order")
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{part.strip()}\n{END}{rest.split(END)[1]}"


def readme_part(
    rows: Sequence[MeasuredRow], designs: Mapping[str, Design], root: Path = ROOT
) -> str:
    """Return the part of README.md: the core for each need, and the plot."""
    known = [one.row for _, one in choices.chosen(rows, designs)]
    parts = [choices.table(rows, designs)]
    if known:
        parts.append(
            f"{choices.FUNCTION.upper()} on {known[0].target} ({known[0].device}; a LUT is a "
            f"{known[0].lut}): place and route, medians. A logic cell is a LUT or a flip-flop, "
            "whichever are more; the harness is what reaches the ports in the measurement. Gb/s "
            "takes as many messages as the column *Messages at once* says. All rows, and the "
            "papers': [docs/measure/results.md](docs/measure/results.md).\n"
        )
    if older := _of_other_text(known, designs, root):
        parts.append(f"Measured before the last change of their RTL: {older}.\n")
    return "\n".join(parts + _plot_link(rows, designs, ""))


def _logic_cells(root: Path) -> dict[str, int]:
    """Return how many LUTs with a register the devices have, of targets that say so."""
    targets = load_targets(root).items()
    return {name: one.logic_cells for name, one in targets if one.logic_cells is not None}


def _measured(rows: Sequence[MeasuredRow], designs: Mapping[str, Design], root: Path) -> list[str]:
    """Return the rows, the tables of each target, and the variants not measured there."""
    parts = []
    whole = {name for name, target in load_targets(root).items() if target.every_design}
    by_target = itertools.groupby(tables.in_order(rows, designs), lambda row: row.target)
    for target, group in by_target:
        here = list(group)
        counted = all(row.fmax_mhz is None for row in here)
        how = "synthesis counts, no clock is claimed" if counted else "place and route, medians"
        parts += [
            f"**{target}** ({here[0].device}; a LUT is a {here[0].lut}): {how}.\n",
            *(
                markdown(columns, lines, left=tables.LEFT)
                for columns, lines in tables.sections(here, designs)
            ),
        ]
        if marks := tables.marks_line(here):
            parts.append(f"{marks}\n")
        parts += [f"{line}\n" for line in tables.seeds_lines(here, designs)]
        if others := tables.speed_line(here, designs):
            parts.append(f"{others}\n")
        if target in whole and not counted and (missing := _not_measured(here, designs)):
            parts.append(f"Not measured on {target} yet: {missing}.\n")
        if older := _of_other_text(here, designs, root):
            parts.append(f"Measured before the last change of their RTL: {older}.\n")
    return parts


def _of_other_text(rows: Sequence[MeasuredRow], designs: Mapping[str, Design], root: Path) -> str:
    """Name the rows whose RTL has changed since they were measured."""
    names = [
        f"{row.name} {row.variant}"
        for row in rows
        if row.name in designs and row.variant in designs[row.name].variants
        if source_hash(designs[row.name].variants[row.variant], root) != row.provenance.source_hash
    ]
    return ", ".join(names)


def _not_measured(rows: Sequence[MeasuredRow], designs: Mapping[str, Design]) -> str:
    """Name the variants of the registry that have no row among `rows`."""
    have = {(row.name, row.variant) for row in rows}
    missing = {
        design.name: [
            name
            for name, variant in design.variants.items()
            if (design.name, name) not in have and variant.is_for(rows[0].target)
        ]
        for design in designs.values()
    }
    return "; ".join(f"{name} {', '.join(names)}" for name, names in missing.items() if names)


def _beside(rows: Sequence[MeasuredRow], designs: Mapping[str, Design]) -> list[str]:
    """Return the papers' rows for the designs that have some of ours."""
    measured = {row.name for row in rows}
    cells = [
        [design.name, *line]
        for design in designs.values()
        if design.name in measured
        for line in beside.paper_cells(design)
    ]
    if not cells:
        return []
    return [
        "The papers' rows for the same designs, as printed there:\n",
        markdown(("Design", *beside.COLUMNS), cells, left=3),
    ]


def results_page(
    rows: Sequence[MeasuredRow], designs: Mapping[str, Design], root: Path = ROOT
) -> str:
    """Return docs/measure/results.md: all rows, and the papers' beside them."""
    parts = [
        "# Results\n",
        "Made by `hashfabric report` from `results/*.json`; not to be edited. "
        "How it is measured: [methodology](methodology.md); what *Maturity* says: "
        "[versions](../reference/versions.md#maturity).\n",
        *_measured(rows, designs, root),
        *_plot_link(rows, designs, "docs/measure"),
        *_peers_link(root),
        *_peers_rows(root),
        *_beside(rows, designs),
        *coverage.section(rows, designs, _logic_cells(root)),
    ]
    if speeds := load_simulator(root):
        cells = [
            [
                speed.name,
                speed.function,
                f"{speed.message_bytes / 1e6:.1f}",
                speed.mb_per_s.text(),
                speed.mclocks_per_s.text(),
                speed.cpu,
            ]
            for speed in speeds
        ]
        columns = ("Design", "Function", "Message MB", "MB/s", "Million clocks/s", "One core of")
        parts += [
            "## Simulation speed\n",
            "A message through the cycle-accurate stream top: median (min–max, n).\n",
            markdown(columns, cells, left=2),
        ]
    parts += _software(rows, designs, root)
    parts += reported.section(designs, root)
    parts.append(
        "Tools, commands, hashes and the clock of each seed, by row: "
        f"[provenance]({posixpath.relpath(PROVENANCE, posixpath.dirname(RESULTS))}).\n"
    )
    return "\n".join(parts)


def _software(rows: Sequence[MeasuredRow], designs: Mapping[str, Design], root: Path) -> list[str]:
    """Return the section of software's speed beside the fastest row of each function."""
    cells, speeds = [], load_software(root)
    for speed in speeds:
        streams = [
            row
            for row in rows
            if row.gbps is not None
            and (design := designs.get(row.name)) is not None
            and (variant := design.variants.get(row.variant)) is not None
            and variant.kind == "stream"
            and design.throughput_function(variant) == speed.function
        ]
        fastest = max(streams, key=lambda row: row.gbps or 0.0, default=None)
        hardware = ["–", "–", "–"]
        if fastest is not None and fastest.gbps is not None:
            hardware = [
                f"{fastest.name} {fastest.variant}, {fastest.target}",
                f"{fastest.gbps:.1f}",
                f"{fastest.gbps / speed.gbps.median:.1f}",
            ]
        cells.append([speed.function, speed.package, speed.cpu, speed.gbps.text(), *hardware])
    if not cells:
        return []
    columns = (
        "Function",
        "Software",
        "One core of",
        "Gb/s",
        "Fastest stream here",
        "Gb/s",
        "Ratio",
    )
    size = speeds[0].message_bytes / 1e6
    return [
        "## Software, for scale\n",
        f"A message of {size:.1f} MB on one core, all functions in one run: median (min–max, n). "
        "A stream with several slots needs a message in each; of `kt128` one message fills all.\n",
        markdown(columns, cells, left=3),
    ]


def provenance_page(
    rows: Sequence[MeasuredRow], designs: Mapping[str, Design], root: Path = ROOT
) -> str:
    """Return results/provenance.md: the origin of every measured row."""
    parts = [
        "# Where each row comes from\n",
        "Made by `hashfabric report` from `results/*.json`; not to be edited.\n",
        *(_origin(row) for row in tables.in_order(rows, designs)),
        *page.provenance(root),
        *area_page.provenance(root),
    ]
    return "\n".join(parts)


def _origin(row: MeasuredRow) -> str:
    """Return the provenance of one row as a Markdown list."""
    origin = row.provenance
    tools = ", ".join(f"{tool} {version}" for tool, version in origin.tools.items())
    lines = [
        f"## {row.name} {row.variant}, {row.target}\n",
        f"- Device: {row.device}; one LUT is a {row.lut}. Tools: {tools}.",
        f"- RTL `{origin.source_hash[:16]}`, harness `{origin.harness_hash[:16]}`; "
        f"clocks a block by {origin.clocks_measured_by}.",
        *(f"- {name}: `{command}`" for name, command in origin.commands.items()),
    ]
    if row.fmax_mhz is not None:
        seeds = ", ".join(
            f"{seed}: {'not routed' if clock is None else f'{clock:.1f}'}"
            for seed, clock in row.fmax_mhz.seeds.items()
        )
        lines.append(f"- Fmax by seed, MHz: {seeds}. Bitstream: seed {row.bitstream_seed}.")
    return "\n".join(lines) + "\n"
