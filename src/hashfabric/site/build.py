"""The files of the site, made of the checkout: pages, data for the scripts, drawings."""

import html
import json
import posixpath
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from hashfabric.area import page as area_page
from hashfabric.area import rows as area_rows
from hashfabric.base.cache import Cache, move_into_place, scratch_directory
from hashfabric.base.datafile import place_of, shown
from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD, ROOT
from hashfabric.base.version import full_version
from hashfabric.export import formats
from hashfabric.export.configuration import Exported
from hashfabric.flows.base import RoutedTarget
from hashfabric.flows.targets import load_all
from hashfabric.papers import audit, ranking, show
from hashfabric.papers.paper import Paper, load_papers
from hashfabric.registry.designs import Design, load_designs
from hashfabric.registry.maturity import maturity
from hashfabric.registry.peers import load_peers
from hashfabric.registry.ports import interface
from hashfabric.registry.reported import load_reported
from hashfabric.registry.results import MeasuredRow, load_rows, settings_texts
from hashfabric.registry.sources import closure, code
from hashfabric.report import choices, reported, tables
from hashfabric.site import data, markup, vendored
from hashfabric.site.tables import grid_html, plain_table, table, text_html

MARK = ".hashfabric-site"
"""A file in the folder of a site, with the paths of all: a later site may replace these."""

SHELVES = {
    "use": "Use a core",
    "integrate": "Integrate it",
    "engines": "Engines",
    "reference": "Reference",
    "measure": "Measure",
    "develop": "Develop",
    "notebook": "Notebook",
}
"""The folders of docs/ in their order, and what the site calls them."""

FIRST = ["README.md", "docs/README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
FIRST += ["results/provenance.md"]
NOT_SEARCHED = {"results/provenance.md", "docs/measure/results.md"}
"""Pages of figures, which the table of results searches better."""

LARGEST = 200_000
"""Most bytes of a source that is shown."""

EXPORTS = {
    "files": "SystemVerilog sources and a list of them",
    "verilog": "one file of plain Verilog-2005 with a test bench",
    "fusesoc": "a FuseSoC core",
    "vivado": "a project for Vivado",
    "quartus": "a project for Quartus",
    "radiant": "a project for Radiant",
    "litex": "a LiteX module",
}
"""The forms of an export, as the page of a design offers them."""

_HERE = Path(__file__).parent
_TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(_HERE / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)


@dataclass(frozen=True)
class Written:
    """A finished site: its folder, and the numbers of its pages and files."""

    folder: Path
    pages: int
    files: int


def write(out: Path, root: Path = ROOT, cache: Cache | None = None) -> Written:
    """Write the site to the folder `out`, which is new, empty or an earlier site, no file more."""
    place = place_of(out)
    _check_replaceable(out)
    site = Site(root)
    files = site.files()
    for name, content in vendored.from_npm(cache or Cache(BUILD / "cache")).items():
        files[f"assets/{name}"] = content
    files["assets/vega.js"] = vendored.vega()
    files[MARK] = "".join(f"{path}\n" for path in sorted([MARK, *files]))
    with scratch_directory(place.parent, place.name) as scratch:
        for path, text in files.items():
            file = scratch / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text if isinstance(text, bytes) else text.encode())
        move_into_place(scratch, place)
    return Written(out, sum(path.endswith(".html") for path in files), len(files))


def _check_replaceable(out: Path) -> None:
    """Raise `LabError` if the folder has a file that no earlier site has written."""
    if not out.exists():
        return
    mark = out / MARK
    known = set(mark.read_text().splitlines()) if mark.exists() else set()
    for file in sorted(out.rglob("*")):
        if not file.is_dir() and file.relative_to(out).as_posix() not in known:
            raise LabError(f"{shown(file)}: is not of a site: nothing was written")


class Site:
    """The pages of one checkout."""

    def __init__(self, root: Path = ROOT) -> None:
        """Read what the pages are made of."""
        self.root = root
        self.designs = load_designs(root)
        self.rows = load_rows(root)
        self.papers = load_papers(root / "papers")
        self.texts = markup.read_pages(root, [path for path in FIRST if (root / path).exists()]
                                       + self._docs())  # fmt: skip
        self.sources: dict[str, None] = {}
        self.images: dict[str, None] = {}

    def _docs(self) -> list[str]:
        found = sorted((self.root / "docs").rglob("*.md"))
        return [path.relative_to(self.root).as_posix() for path in found]

    def files(self) -> dict[str, str | bytes]:
        """Return every file of the site but the scripts of others."""
        files: dict[str, str | bytes] = {**self._front(), **self._designs()}
        files |= self._papers() | self._documents() | self._data()
        for path in self.images:
            files[path] = (self.root / path).read_bytes()
        files |= self._sources()
        for asset in sorted((_HERE / "static").iterdir()):
            files[f"assets/{asset.name}"] = asset.read_bytes()
        files["assets/code.css"] = markup.colours()
        return files

    def _page(self, address: str, template: str, title: str, **values: Any) -> str:
        """Return a page of a template; in it, `url` turns an address into a relative link."""

        def url(other: str) -> str:
            return markup.relative(other, address)

        return _TEMPLATES.get_template(template).render(
            url=url,
            title=title,
            address=address,
            root=posixpath.relpath(".", posixpath.dirname(address) or "."),
            version=self._version,
            **values,
        )

    @cached_property
    def _version(self) -> str:
        return full_version()

    ####################
    # The front page   #
    ####################

    def _front(self) -> dict[str, str | bytes]:
        cards = [
            {
                "need": "; ".join(needs),
                "design": one.row.name,
                "variant": one.row.variant,
                "what": choices.WHAT[one.variant.kind],
                "figures": self._figures(one.row),
                "command": f"hashfabric export {one.row.name}/{one.row.variant} "
                "--format verilog --out core",
            }
            for needs, one in choices.chosen(self.rows, self.designs)
        ]
        targets = load_all(self.root)
        about = next((row for row in self.rows if row.target == choices.TARGET), None)
        index = self._page(
            "index.html",
            "index.html.j2",
            "Hashfabric",
            cards=cards,
            targets=[
                (name, target.title)
                for name, target in targets.items()
                if any(row.target == name and row.gbps is not None for row in self.rows)
            ],
            device="" if about is None else about.device,
            target=choices.TARGET,
            functions=data.functions(self.rows, self.designs),
            counts={
                "designs": len(self.designs),
                "variants": sum(len(one.variants) for one in self.designs.values()),
                "rows": len(self.rows),
                "targets": len({row.target for row in self.rows}),
            },
        )
        return {
            "index.html": index,
            "results.html": self._results(),
            "plot.html": self._page("plot.html", "plot.html.j2", "Plot"),
            "targets.html": self._targets(),
        }

    @staticmethod
    def _figures(row: MeasuredRow) -> list[str]:
        speed = row.gbps or 0
        text = f"{speed:,.2f} Gb/s" if speed >= 0.1 else f"{1000 * speed:,.3g} Mb/s"  # noqa: PLR2004
        found = [text, f"{row.luts_core:,} {row.lut}", f"{row.ffs_core:,} FF"]
        if row.fmax_mhz is not None and row.fmax_mhz.median is not None:
            found.append(f"{row.fmax_mhz.median:.0f} MHz")
        if row.brams:
            found.append(f"{row.brams} block RAM")
        return found

    def _results(self) -> str:
        """Return the page of the table; below it, what is not measured by place and route here."""
        gates = grid_html(area_page.terminal_table(area_rows.load(self.root)))
        rows = load_reported(self.root)
        given = reported.terminal_table(rows, self.designs, self.root)
        return self._page(
            "results.html",
            "results.html.j2",
            "Results",
            gates=Markup(gates),
            reported=Markup(grid_html(given)) if rows else "",
            heading=reported.HEADING,
        )

    def _targets(self) -> str:
        """Return the page that shows which variant was routed where."""
        names = list(dict.fromkeys(row.target for row in tables.in_order(self.rows, self.designs)))
        by_key = {(row.name, row.variant, row.target): row for row in self.rows}
        lines, missing = [], []
        for design in self.designs.values():
            without = [
                name
                for name in design.variants
                if not any((design.name, name, target) in by_key for target in names)
            ]
            missing += [f"{design.name} {', '.join(without)}"] if without else []
            for name in design.variants:
                here = [by_key.get((design.name, name, target)) for target in names]
                if any(here):
                    link = markup.relative(f"designs/{design.name}.html", "targets.html")
                    said = f'<a href="{link}">{design.name}</a> {html.escape(name)}'
                    cells = (html.escape(self._reached(row)) for row in here)
                    lines.append([said, *(cell.replace("\n", "<br>") for cell in cells)])
        heads = ["Design and variant", *names]
        grid = table(heads, lines, [False] * len(heads))
        return self._page(
            "targets.html", "targets.html.j2", "Targets", grid=Markup(grid), missing=missing
        )

    @staticmethod
    def _reached(row: MeasuredRow | None) -> str:
        if row is None:
            return ""
        if row.fmax_mhz is None:
            return f"{row.luts_core:,} {row.lut}"
        if row.fmax_mhz.median is None:
            reasons = dict.fromkeys(row.fmax_mhz.unrouted.values())
            return f"not routed: {'; '.join(reasons)}"
        return f"{row.fmax_mhz.median:.0f} MHz\n{row.luts_core:,} {row.lut}"

    ####################
    # Designs          #
    ####################

    def _designs(self) -> dict[str, str | bytes]:
        files: dict[str, str | bytes] = {
            "designs/index.html": self._page(
                "designs/index.html",
                "designs.html.j2",
                "Designs",
                designs=[
                    (design, self._best(design), len(design.variants))
                    for design in self.designs.values()
                ],
            )
        }
        for design in self.designs.values():
            address = f"designs/{design.name}.html"
            files[address] = self._design(design, address)
        return files

    def _best(self, design: Design) -> str:
        levels = [maturity(design, name, self.rows) for name in design.variants]
        return next((level for level in levels if level.startswith("measured")), levels[0])

    def _design(self, design: Design, address: str) -> str:
        page = self._rendered(design.docs, address)
        ours = [row for row in self.rows if row.name == design.name]
        results = []
        for target in dict.fromkeys(row.target for row in tables.in_order(ours, self.designs)):
            here = [row for row in ours if row.target == target]
            marks = [tables.marks_line(here), *tables.seeds_lines(here, self.designs)]
            for heads, cells in tables.sections(here, self.designs):
                # The table of variants has the words.
                short = [[line[1], *line[tables.LEFT :]] for line in (heads, *cells)]
                grid = plain_table(short[0], short[1:], 1)
                results.append((target, here[0], Markup(grid), list(filter(None, marks))))
        tops = dict.fromkeys(variant.top for variant in design.variants.values())
        variants = [
            (
                name,
                variant,
                design.timing(variant),
                maturity(design, name, self.rows),
                ", ".join(settings_texts(variant.parameters)),
            )
            for name, variant in design.variants.items()
        ]
        exported = next(
            (
                name
                for name, one in design.variants.items()
                if one.kind in ("stream", "peripheral", "masked-peripheral")
            ),
            next(iter(design.variants)),
        )
        built = (design.variants[exported].targets or [choices.TARGET])[0]
        waves = [path for path in page.images if path.endswith("-timing.svg")]
        gates = [row for row in area_rows.load(self.root) if row.name == design.name]
        return self._page(
            address,
            "design.html.j2",
            design.name,
            design=design,
            docs=markup.place(design.docs),
            diagrams=self._diagrams(design, page),
            modules=self._modules(next(iter(tops))),
            waves=[self._image(design.docs, path) for path in waves],
            tops=[(top, interface(top, self.root)) for top in tops],
            summary=markup.inline(interface(next(iter(tops)), self.root).summary),
            source=self._source,
            sources={top: self._path_of(top) for top in tops},
            variants=variants,
            results=results,
            gates=Markup(grid_html(area_page.terminal_table(gates))) if gates else "",
            exported=exported,
            built=built,
            routed=isinstance(load_all(self.root)[built], RoutedTarget),
            exports=self._exports(design, exported),
            papers=[(link.name, self._paper(link.name).title) for link in design.papers],
            proofs=PROOFS,
        )

    @staticmethod
    def _exports(design: Design, name: str) -> dict[str, str]:
        """Return the forms in which a variant can be exported; none of a processor."""
        variant = design.variant(name)
        if variant.firmware is not None:
            return {}
        one = Exported(design, name, variant, {}, variant.top)
        found = {}
        for form, what in EXPORTS.items():
            with suppress(LabError):
                formats.check(one, form)
                found[form] = what
        return found

    def _paper(self, name: str) -> Paper:
        return next(paper for paper in self.papers if paper.name == name)

    def _diagrams(self, design: Design, page: markup.HtmlPage) -> list[str]:
        """Return the diagrams of the design: of the section of its family, else the first."""
        own = [found for anchor, found in page.diagrams.items() if design.family in anchor]
        every = list(page.diagrams.values())
        return (own or every or [[]])[0][:1]

    def _modules(self, top: str) -> str:
        """Return which module has which others, as the text of a diagram."""
        texts = {Path(path).stem: text for path, text in closure(top, self.root).items()}
        names = {name for name in texts if not name.endswith("_pkg")}
        lines = ["flowchart LR"]
        for name in sorted(names):
            used = set(code(texts[name]).replace("#", " ").replace("(", " ").split())
            lines += [f"  {name} --> {other}" for other in sorted((names & used) - {name})]
        return "\n".join(lines if len(lines) > 1 else [*lines, f"  {top}"]) + "\n"

    def _path_of(self, module: str) -> str:
        paths = (path for path in closure(module, self.root) if Path(path).stem == module)
        return next(paths)

    ####################
    # Papers           #
    ####################

    def _papers(self) -> dict[str, str | bytes]:
        links = [
            (design.name, link.name, link.design)
            for design in self.designs.values()
            for link in design.papers
        ]
        measured = [row.as_json() for row in self.rows]
        files: dict[str, str | bytes] = {}
        listed = []
        for paper in self.papers:
            findings = audit.audit(paper)
            address = f"papers/{paper.name}.html"
            shown_parts: list[str] = []
            for part in list(show.parts(paper, findings, measured, links))[2:]:
                if isinstance(part, str):
                    shown_parts.append(f'<p class="line">{text_html(part.strip())}</p>')
                else:
                    shown_parts.append(grid_html(part))
            ranked = ranking.entries(paper, self.rows, self.designs, ranking.TARGET)
            if ranked:
                shown_parts.append(grid_html(ranking.grid(ranked, ranking.TARGET)))
                said = html.escape("\n".join(ranking.lines(paper, ranked)))
                shown_parts.append(f'<pre class="code">{said}</pre>')
            flagged = sum(finding.status == "flag" for finding in findings)
            listed.append((paper, len(findings), flagged))
            files[address] = self._page(
                address,
                "paper.html.j2",
                paper.name,
                paper=paper,
                relations=len(findings),
                flagged=flagged,
                body=Markup("\n".join(shown_parts)),
                designs=sorted({ours for ours, linked, _ in links if linked == paper.name}),
            )
        files["papers/index.html"] = self._page(
            "papers/index.html", "papers.html.j2", "Papers", papers=listed
        )
        return files

    ####################
    # Documents        #
    ####################

    def _rendered(self, path: str, address: str) -> markup.HtmlPage:
        """Render a Markdown file for the page at `address`."""
        return markup.render(self.texts[path], self._resolver(path, address))

    def _resolver(self, source: str, address: str) -> Callable[[str], str]:
        def resolve(link: str) -> str:
            found = markup.target_of(link, source)
            if found is None:
                return link
            path, anchor = found
            mark = f"#{anchor}" if anchor else ""
            if path in self.texts:
                return markup.relative(markup.place(path) + mark, address)
            if (self.root / path).is_dir():
                inside = f"{path}/README.md" if f"{path}/README.md" in self.texts else ""
                folder = markup.place(inside) if inside else f"{path}/index.html"
                return markup.relative(folder, address)
            if path.endswith((".svg", ".png")):
                self.images[path] = None
                return markup.relative(path, address)
            return markup.relative(self._source(path), address)

        return resolve

    def _image(self, source: str, link: str) -> str:
        found = markup.target_of(link, source)
        if found is None:
            raise LabError(f"{source}: {link}: no image of the repository")
        self.images[found[0]] = None
        return found[0]

    def _documents(self) -> dict[str, str | bytes]:
        files: dict[str, str | bytes] = {}
        self.records: list[dict[str, str]] = []
        titles: dict[str, str] = {}
        pages: dict[str, markup.HtmlPage] = {}
        for path in self.texts:
            address = markup.place(path)
            pages[path] = self._rendered(path, address)
            titles[path] = pages[path].title or path
        shelves = self._shelves(titles)
        for path, page in pages.items():
            address = markup.place(path)
            files[address] = self._page(
                address,
                "document.html.j2",
                titles[path],
                body=Markup(page.body),
                shelves=shelves,
                path=path,
            )
            if path not in NOT_SEARCHED:
                self.records += self._sections(address, page)
        for folder in self._folders():
            inside = [p for p in self.texts if posixpath.dirname(p) == folder]
            files[f"{folder}/index.html"] = self._page(
                f"{folder}/index.html",
                "folder.html.j2",
                folder,
                pages=[(markup.place(p), titles[p]) for p in sorted(inside)],
                shelves=shelves,
            )
        return files

    def _folders(self) -> list[str]:
        """Return the folders that pages link to and that have no page of their own."""
        found: dict[str, None] = {}
        for path, text in self.texts.items():
            for link in markup.links(text):
                target = markup.target_of(link, path)
                if target is not None and (self.root / target[0]).is_dir():
                    found[target[0]] = None
        return [folder for folder in found if f"{folder}/README.md" not in self.texts]

    def _shelves(self, titles: Mapping[str, str]) -> list[tuple[str, list[tuple[str, str]]]]:
        shelves = []
        for folder, name in SHELVES.items():
            prefix = f"docs/{folder}/"
            inside = sorted(path for path in titles if path.startswith(prefix))
            pages = [(markup.place(path), titles[path]) for path in inside]
            if pages:
                shelves.append((name, pages))
        return shelves

    def _sections(self, address: str, page: markup.HtmlPage) -> list[dict[str, str]]:
        return [
            {
                "title": page.title,
                "heading": "" if part.heading == page.title else part.heading,
                "url": f"{address}#{part.anchor}" if part.anchor else address,
                "text": part.text,
            }
            for part in page.sections
        ]

    ####################
    # Data and sources #
    ####################

    def _data(self) -> dict[str, str | bytes]:
        records = [*self.records, *self._design_records()]
        for number, record in enumerate(records):
            record["id"] = str(number)
        return {
            "assets/rows.js": _script("HF_COLUMNS", data.columns())
            + _script("HF_ROWS", data.rows(self.rows, self.designs))
            + _script("HF_KINDS", data.kinds(self.rows, self.designs))
            + _script("HF_FUNCTIONS", data.functions(self.rows, self.designs)),
            "assets/points.js": _script(
                "HF_OTHERS", data.others(load_peers(self.root), self.papers)
            )
            + _script("HF_LIMIT", data.limit()),
            "assets/search-data.js": _script("HF_SEARCH", records),
        }

    def _design_records(self) -> Iterable[dict[str, str]]:
        for design in self.designs.values():
            words = [f"{name} {variant.note}" for name, variant in design.variants.items()]
            yield {
                "title": design.name,
                "heading": "design",
                "url": f"designs/{design.name}.html",
                "text": " ".join([design.title, *words, *design.all_functions]),
            }
        for paper in self.papers:
            yield {
                "title": paper.name,
                "heading": "paper",
                "url": f"papers/{paper.name}.html",
                "text": " ".join([paper.title, *paper.authors, paper.venue]),
            }

    def _source(self, path: str) -> str:
        """Return the address of the page that shows a file of the repository."""
        self.sources[path] = None
        return f"source/{path}.html"

    def _sources(self) -> dict[str, str | bytes]:
        files: dict[str, str | bytes] = {}
        for path in self.sources:
            text = (self.root / path).read_text(encoding="utf-8", errors="replace")
            cut = len(text) > LARGEST
            address = f"source/{path}.html"
            files[address] = self._page(
                address,
                "source.html.j2",
                posixpath.basename(path),
                path=path,
                cut=cut,
                body=Markup(markup.coloured_file(path, text[:LARGEST])),
            )
        return files


PROOFS = {
    "steps": "The permutation's steps, as the engine uses them, are proved equal to those of the "
    "standard, for all inputs.",
    "round": "The engine's own round is proved equal to the standard's, for all states.",
}
"""What `proofs` of the registry say."""


def _script(name: str, value: object) -> str:
    """Return a script that defines a value: a page from a disk cannot fetch JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return f"window.{name} = {text.replace('</', '<' + chr(92) + '/')};\n"
