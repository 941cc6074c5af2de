"""The site as files: every link leads somewhere, every command is one, every figure is a row's."""

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import typer
from rich.table import Table

from hashfabric.area import rows as area_rows
from hashfabric.base.cache import Cache
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.tools import Tool
from hashfabric.commands import cli
from hashfabric.export import formats
from hashfabric.export.configuration import configuration
from hashfabric.registry.designs import load_designs
from hashfabric.registry.ports import interface
from hashfabric.registry.results import load_rows
from hashfabric.registry.sources import code, index
from hashfabric.report.selection import Selection
from hashfabric.site import build, markup, vendored
from hashfabric.site.tables import grid_html, text_html

TOPS = sorted({one.top for design in load_designs().values() for one in design.variants.values()})


class Scan(HTMLParser):
    """What a page names: addresses, anchors, commands to copy, and tags that were not closed."""

    VOID = frozenset({"meta", "link", "br", "img", "input", "hr"})

    def __init__(self, text: str) -> None:
        """Read the page."""
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.commands: list[str] = []
        self.open: list[str] = []
        self.faults: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take its attributes."""
        for name, value in attrs:
            if name in ("href", "src", "action") and value is not None:
                self.links.append(value)
            if name == "id" and value is not None:
                if value in self.anchors:
                    self.faults.append(f"two ids {value}")
                self.anchors.add(value)
            if name == "data-copy" and value is not None:
                self.commands.append(value)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the tag that is open."""
        if tag in self.VOID:
            return
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"{tag} ends, open is {self.open[-1:]}")
        else:
            self.open.pop()


@cache
def site() -> dict[str, str | bytes]:
    """The files of the site of this checkout, without the scripts of others."""
    return build.Site(ROOT).files()


@cache
def pages() -> dict[str, Scan]:
    """Every page, read once."""
    return {
        path: Scan(text)
        for path, text in site().items()
        if path.endswith(".html") and isinstance(text, str)
    }


def lost(address: str, page: str, files: set[str]) -> bool:
    """Whether an address in a page leads nowhere; addresses of other sites are not followed."""
    found = markup.target_of(address.partition("?")[0], page)
    if found is None:
        return False
    path, anchor = found
    if path not in files:
        return True
    return bool(anchor) and path in pages() and unquote(anchor) not in pages()[path].anchors


def test_every_link_leads_to_a_page_and_its_heading() -> None:
    """Of all pages; what npm brings is there too."""
    files = {*site(), *(f"assets/{name}" for name in [*vendored.FILES, "vega.js"])}
    assert len(pages()) > 100
    found = [
        f"{page}: {link}" for page, scan in pages().items() for link in scan.links
        if lost(link, page, files)
    ]  # fmt: skip
    assert found == []
    assert sum(len(scan.links) for scan in pages().values()) > 5000


def test_nothing_is_fetched_from_elsewhere() -> None:
    """No page has a script, a style or an image of another site."""
    for path, text in site().items():
        if isinstance(text, str) and path.endswith((".html", ".css")):
            assert not re.search(r'(src|<link[^>]*href)="(https?:)?//|url\(http|@import', text), (
                path
            )


def test_pages_are_well_formed() -> None:
    """Tags are closed in order, and ids are there once."""
    assert {path: scan.faults for path, scan in pages().items() if scan.faults} == {}
    assert Scan("<p id=a><b></p>").faults and Scan("<i id=a></i><i id=a></i>").faults


def test_commands_to_copy_are_commands() -> None:
    """Each is parsed as the command line does it, and names a variant of the registry."""
    known = typer.main.get_command(cli.app).commands  # type: ignore[attr-defined]
    designs = load_designs()
    commands = {command for scan in pages().values() for command in scan.commands}
    assert len(commands) > 50
    for command in commands:
        program, *arguments = command.split()
        given = known[arguments[0]].make_context(arguments[0], arguments[1:]).params
        name, _, variant = (given.get("name") or given["design"]).partition("/")
        assert (program, variant in designs[name].variants) == ("hashfabric", True), command


def test_exports_that_are_offered_are_accepted() -> None:
    """By the exporter's own check, which refuses a bus that a tool has no interface for."""
    commands = {command for scan in pages().values() for command in scan.commands}
    offered = [command.split() for command in commands if command.startswith("hashfabric export")]
    assert len(offered) > 50
    for _, _, name, *options in offered:
        formats.check(configuration(name), options[options.index("--format") + 1])
    for name in ("keccak-chain/apb", "keccak-regs/axil", "keccak-contexts/apb-1"):
        with pytest.raises(LabError, match="requires Wishbone: take wb"):
            formats.check(configuration(name), "litex")
        formats.check(configuration(name), "vivado")
        formats.check(configuration(name), "radiant")
    for form in ("litex", "radiant"):
        formats.check(configuration("keccak-regs/wb"), form)
    formats.check(configuration("keccak-regs/axil"), "quartus")


def test_place_and_route_is_offered_where_it_is() -> None:
    """A target without a router here has synthesis only."""
    wide = str(site()["designs/keccak-dsp-wide.html"])
    assert "Verify and synthesise it here" in wide and "--target xcup" in wide
    assert "Verify, place and route it here" in str(site()["designs/keccak-iterative.html"])


def value(path: str, name: str) -> Any:
    """A value that a script of the site defines."""
    (text,) = re.findall(rf"^window\.{name} = (.*);$", str(site()[path]), re.MULTILINE)
    return json.loads(text)


def test_the_data_are_the_rows() -> None:
    """All of them, with the figures that they have."""
    rows = load_rows()
    shown = value("assets/rows.js", "HF_ROWS")
    names = ("design", "variant", "target", "luts", "gbps")
    assert [tuple(one[name] for name in names) for one in shown] == [
        (row.name, row.variant, row.target, row.luts, row.gbps) for row in rows
    ]
    for one, row in zip(shown, rows, strict=True):
        if row.fmax_mhz is not None and row.gbps is not None:
            assert float(str(one["low"])) <= row.gbps <= float(str(one["high"]))
    others = value("assets/points.js", "HF_OTHERS")
    assert {one["kind"] for one in shown} == set(value("assets/rows.js", "HF_KINDS"))
    groups = {one["group"] for one in others}
    assert groups == {"peers, measured here", "papers, own rows", "papers, cited rows"}
    assert all(one["source"] and one["gbps"] and one["luts"] for one in others)


def points(paper: str) -> dict[str, dict[str, object]]:
    """The points of a paper by their names."""
    others = value("assets/points.js", "HF_OTHERS")
    names = {str(one["name"]): one for one in others}
    return {n.removeprefix(f"{paper}: "): one for n, one in names.items() if n.startswith(paper)}


def test_the_area_of_others_is_their_devices() -> None:
    """Two LUT4 a slice, four LUT6, eight: by the device, and no point without one."""
    found = points("arshad-dsp")
    areas = {name: (one["luts"], one["lut"]) for name, one in found.items()}
    assert areas["[20] BRAM, lightweight Spartan-3"] == (1260, "LUT4")
    assert areas["high speed, 1600 bit Virtex UltraScale"] == (2824, "LUT6")
    assert areas["[14] LUT primitives Virtex-6"] == (3652, "LUT6")
    assert not any(name.startswith(("[15]", "[16]", "[21]")) for name in areas)


def test_others_have_the_areas_that_are_known() -> None:
    """A peer that was measured is in the harness; papers have none, and state no registers.

    Without the harness a peer's area is that of its row, if `peers run` has measured it.
    """
    rows = [
        row
        for path in (ROOT / "results").glob("peer-*.json")
        for row in json.loads(path.read_text())
    ]
    alone = {row["luts"]: row["luts_core"] for row in rows}
    others = value("assets/points.js", "HF_OTHERS")
    assert any(one["luts"] in alone for one in others)
    for one in others:
        in_harness = one["group"] == "peers, measured here"
        assert one["luts_core"] == (alone.get(one["luts"]) if in_harness else one["luts"])
        assert one["logic_cells"] is None
        assert (one["ffs"] is None) or in_harness


def test_others_have_a_family() -> None:
    """The finalists of a paper are none of Keccak's points."""
    found = points("latif-finalists")
    assert {str(one["family"]) for one in found.values()} == {
        *("blake", "groestl", "jh", "keccak", "skein"),
    }
    keccak = [name for name, one in found.items() if one["family"] == "keccak"]
    assert keccak and all("Keccak" in name for name in keccak)
    assert {one["family"] for one in value("assets/points.js", "HF_OTHERS")
            if str(one["group"]).startswith("peers")} == {"keccak"}  # fmt: skip


def test_rows_have_functions() -> None:
    """As `find --function` takes them; each is in the list, with the family of its rows."""
    designs, rows = load_designs(), load_rows()
    grouped = value("assets/rows.js", "HF_FUNCTIONS")
    families = {name: family for family, names in grouped for name in names}
    assert grouped[0][1][:2] == ["sha3-224", "sha3-256"]
    shown = value("assets/rows.js", "HF_ROWS")
    for function in ("sha3-256", "turboshake128", "kt128", "kt256", "jh-256"):
        chosen = Selection(functions=[function]).of(rows, designs)
        assert [
            (one["design"], one["variant"], one["target"])
            for one in shown
            if function in one["functions"]
        ] == [(row.name, row.variant, row.target) for row in chosen]
    assert {name for one in shown for name in one["functions"]} == set(families)
    assert families["shake128"] == families["sha3-256"] == "keccak"
    assert families["kt128"] == "turboshake" and families["jh-256"] == "jh"
    turbo = next(one for one in shown if one["design"] == "keccak-turbo")
    assert turbo["speed_of"] in ("turboshake128", "kt128")


def test_every_design_and_paper_has_its_page() -> None:
    """With its variants, its modules' ports and the proofs that the registry names."""
    for design in load_designs().values():
        text = str(site()[f"designs/{design.name}.html"])
        for name in design.variants:
            assert f'<tr id="{name}">' in text
        assert ("are proved equal" in text) == ("steps" in design.proofs)
        assert ("The engine's own round is proved".replace("'", "&#39;") in text) == (
            "round" in design.proofs
        )
        assert text.count('class="mermaid"') >= 1
    assert {path for path in site() if path.startswith("papers/")} == {
        "papers/index.html",
        *(f"papers/{path.stem}.html" for path in (ROOT / "papers").glob("*.toml")),
    }
    assert "4 do not add up" in str(site()["papers/latif-finalists.html"])


@pytest.mark.parametrize("top", TOPS)
def test_every_port_is_read(top: str) -> None:
    """As often as the header has a direction; each name once."""
    found = interface(top)
    text = code(index()[top].read_text(encoding="utf-8"))
    header = text[text.index(f"module {top}") :].partition(");")[0]
    assert len(found.ports) == len(re.findall(r"\b(?:input|output|inout)\b", header)) > 3
    assert len({port.name for port in found.ports}) == len(found.ports)
    assert len(found.parameters) == len(re.findall(r"\bparameter\b", header))


def test_an_interface() -> None:
    """Names, types, defaults and comments; no local parameter."""
    found = interface("hf_keccak_iterative_axis")
    ports = {port.name: port for port in found.ports}
    assert (ports["clk_i"].direction, ports["clk_i"].type) == ("input", "")
    assert ports["rst_i"].comment == "synchronous, active high"
    assert ports["m_axis_tdata"].type == "[DataWidth-1:0]"
    parameters = {one.name: one for one in found.parameters}
    assert (parameters["DataWidth"].type, parameters["DataWidth"].default) == ("int unsigned", "64")
    assert parameters["DataWidth"].comment == "8, 16, 32 or 64"
    assert "Slots" not in parameters
    assert found.summary.startswith("SHA-3, SHAKE and Keccak with AXI4-Stream")
    with pytest.raises(LabError, match=r"no file nothing\.sv"):
        interface("nothing")


def test_markup() -> None:
    """Anchors as GitHub makes them, links by a rule, code that is not run, tables that scroll."""
    text = "# A `b` (c)!\n\n[x](y.md#z) <!-- no -->\n\n## A b c\n\n|a|\n|--:|\n|1|\n\n"
    text += "```sh\n<b>\n```\n\n```mermaid\na --> b\n```\n"
    page = markup.render(text, lambda link: f"to:{link}")
    anchors = [part.anchor for part in page.sections]
    assert (page.title, anchors) == ("A b (c)!", ["a-b-c", "a-b-c-1"])
    assert 'href="to:y.md#z"' in page.body and "&lt;b&gt;" in page.body
    assert '<pre class="mermaid">a --&gt; b\n</pre>' in page.body
    assert '<div class="wide"><table>' in page.body
    assert page.diagrams == {"a-b-c-1": ["a --> b\n"]}
    assert markup.target_of("../a/b.md#c", "docs/x/y.md") == ("docs/a/b.md", "c")
    assert markup.target_of("https://example.org", "a.md") is None
    assert [markup.place(path) for path in ("README.md", "docs/README.md", "docs/a/B.md")] == [
        "about.html",
        "docs/index.html",
        "docs/a/b.html",
    ]
    assert markup.inline("a `b` <c>") == "a <code>b</code> &lt;c&gt;"


def test_tables_of_the_terminal() -> None:
    """Styles become classes, and text is text."""
    assert text_html("[red]a[/] <b>\nc") == '<span class="red">a</span> &lt;b&gt;<br>c'
    grid = Table(title="T")
    grid.add_column("words")
    grid.add_column("number", justify="right")
    grid.add_row("x", "1", style="bold")
    text = grid_html(grid)
    assert "<figcaption>T</figcaption>" in text
    assert '<tr class="bold"><td>x</td><td class="right">1</td></tr>' in text


####################
# Others' scripts  #
####################


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot be read: No such file"),
        ("{", "is no lock with a hash for every package"),
        ('{"packages": {}}', "no hash of any package"),
        ('{"packages": {"a": {"version": "1"}}}', "is no lock with a hash"),
        ('{"packages": {"a": {"integrity": "sha1-x"}}}', "no hash of a"),
    ],
)
def test_without_a_lock_nothing_is_installed(tmp_path: Path, text: str | None, said: str) -> None:
    """One line that names the file."""
    if text is not None:
        (tmp_path / vendored.LOCK).write_text(text, encoding="utf-8")
    with pytest.raises(LabError, match=rf"^site: package-lock\.json: {said}"):
        vendored.check_lock(tmp_path)


def test_the_lock_of_this_checkout() -> None:
    """A hash for each package, the versions of package.json, and no address."""
    lock = vendored.check_lock()
    assert "http" not in lock
    package = json.loads((vendored.LOCKED / "package.json").read_text(encoding="utf-8"))
    for name, version in package["dependencies"].items():
        assert json.loads(lock)["packages"][f"node_modules/{name}"]["version"] == version


def fake_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Let a shell script be npm."""
    program = tmp_path / "npm"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(vendored, "NPM", Tool("npm", str(program), remedy="install it"))


def test_what_npm_cannot_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is missing, it fails, it brings no file: one line each, and nothing in the cache."""
    cache_ = Cache(tmp_path / "cache")
    fake_npm(tmp_path, monkeypatch, 'echo "npm error code EINTEGRITY: no such hash"; exit 1')
    with pytest.raises(LabError, match=r"(?s)^site: npm could not install package-lock.json: .*"):
        vendored.from_npm(cache_)
    fake_npm(tmp_path, monkeypatch, "mkdir node_modules")
    with pytest.raises(LabError, match=r"no file tabulator-tables/dist/js/tabulator\.min"):
        vendored.from_npm(cache_)
    monkeypatch.setattr(vendored, "NPM", Tool("npm", "no-such-npm", remedy="install npm"))
    with pytest.raises(LabError, match="no program 'no-such-npm': install npm"):
        vendored.from_npm(cache_)
    assert list((tmp_path / "cache").glob("*.json")) == []


def test_the_folder_is_a_site_or_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What else is in it stays; the files of an earlier site are replaced."""
    monkeypatch.setattr(build.Site, "files", lambda self: {"index.html": "new"})
    monkeypatch.setattr(vendored, "from_npm", lambda cache: {"a.js": b"1"})
    monkeypatch.setattr(vendored, "vega", lambda: b"2")
    out = tmp_path / "site"
    out.mkdir()
    (out / "mine").write_text("x", encoding="utf-8")
    with pytest.raises(LabError, match="site/mine: is not of a site: nothing was written"):
        build.write(out)
    assert [path.name for path in out.iterdir()] == ["mine"]
    (out / "mine").unlink()
    monkeypatch.setattr(build.Site, "files", lambda self: {"old/index.html": "old"})
    assert build.write(out).files == 4
    (out / "old" / "mine").write_text("x", encoding="utf-8")
    monkeypatch.setattr(build.Site, "files", lambda self: {"index.html": "new"})
    with pytest.raises(LabError, match="site/old/mine: is not of a site: nothing was written"):
        build.write(out)
    assert (out / "old" / "index.html").read_text(encoding="utf-8") == "old"
    (out / "old" / "mine").unlink()
    assert build.write(out).files == 4
    assert {path.name for path in out.rglob("*")} == {
        *(build.MARK, "index.html", "assets", "a.js", "vega.js"),
    }
    place = tmp_path / "elsewhere" / "place"
    place.mkdir(parents=True)
    out = tmp_path / "link"
    out.symlink_to(place)
    assert build.write(out).folder == out
    assert out.is_symlink() and (place / "index.html").exists()
    assert [path.name for path in place.parent.iterdir()] == ["place"]


def test_the_folder_around_the_site_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new site is made there: what may not be written is refused before any work."""
    monkeypatch.setattr(build, "Site", None)
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)
    (tmp_path / "site").mkdir()
    with pytest.raises(LabError, match=f"^{tmp_path}: cannot be written$"):
        build.write(tmp_path / "site")


def test_targets_say_what_an_empty_cell_means() -> None:
    """And which variants no target has a row of: they have no line."""
    text = str(site()["targets.html"])
    rows = {(row.name, row.variant) for row in load_rows()}
    without = {
        f"{design.name} {name}"
        for design in load_designs().values()
        for name in design.variants
        if (design.name, name) not in rows
    }
    lead, _, rest = text.partition("<table>")
    assert "An empty cell: not measured yet." in lead
    said = re.findall(r"Without any row: (.*?)\.</p>", lead, re.DOTALL)
    listed = {
        f"{name} {variant}"
        for entry in (said[0].split("; ") if said else [])
        for name, _, variants in [entry.partition(" ")]
        for variant in variants.split(", ")
    }
    assert listed == without
    assert rest.count("<tr>") - 1 == len({key for key in rows if key[1] in known(key[0])})


def known(design: str) -> set[str]:
    """The variants of a design in the registry."""
    return set(load_designs()[design].variants)


def test_results_have_standard_cells_and_reported_rows() -> None:
    """Below the table, apart from the rows that were measured here."""
    text = str(site()["results.html"])
    for row in area_rows.load(ROOT):
        assert f"<td>{row.name} {row.variant}</td>" in text
    assert "Reported by users of vendor tools" in text


def parts() -> Iterator[str]:
    """The names of the scripts that pages load."""
    for scan in pages().values():
        yield from (link.rpartition("/")[2] for link in scan.links if link.endswith(".js"))


def test_every_script_is_used() -> None:
    """Those of others and ours; the search loads two by itself."""
    ours = {path.removeprefix("assets/") for path in site() if path.endswith(".js")}
    every = {*ours, "vega.js", *(name for name in vendored.FILES if name.endswith(".js"))}
    assert every - set(parts()) == {"minisearch.js", "search-data.js"}
