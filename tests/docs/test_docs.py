"""Names in README.md, CONTRIBUTING.md and docs/ are names of the tree.

Checked are RTL modules and parameters, names of the C driver, modules of the lab, commands and
their options, make's targets, files, and variants of designs; the commands of fenced blocks in
`test_examples.py`. ADRs and CHANGELOG.md may name what has been removed, and `hashfabric report`
writes its parts from the tree: these are not checked.
"""

import re
import subprocess
from pathlib import Path

import pytest
import typer
from markdown_it import MarkdownIt

from hashfabric.base.paths import ROOT
from hashfabric.commands import cli
from hashfabric.registry.results import load_rows
from hashfabric.report import pages as report
from tests.support.pages import DESIGNS, MAP, PAGES, SHELVES, TARGETS, VARIANTS

GENERATED = ROOT / "docs" / "measure" / "results.md"

PLACEHOLDERS = {"D/V", "D/VARIANT", "UpperCamelCase", "prompt.json", "response.json", "measure.sv"}
PLACEHOLDERS |= {"own/plot.svg", "row.json", "hf_keccak_wb.py", "mem.h", "soc.h"}
PLACEHOLDERS |= {
    "hf_keccak_wb_dma.py",
    "hf_keccak_chain_wb.py",
    "my_soc.sv",
    "cores/soc/my_soc.sv",
    "my_top.json",
}
PLACEHOLDERS |= {"hashfabric.json", "ecp5.sh", "sha3/ecp5.sh", "ecp5_steps.py", "report.json"}
PLACEHOLDERS |= {"run.sh", "kit/run.sh", "kit/add.sh"}
PLACEHOLDERS |= {"stamp.json", "DIR/stamp.json", "my_array.json"}
PLACEHOLDERS |= {"ice40.sh", "gowin.sh", "nexus.sh", "gatemate.sh", "sha3/ice40.sh"}
"""Examples in the pages, which name nothing in the tree."""

SOURCES = ("sv", "py", "cpp", "h", "toml", "md", "sh", "json", "svg")
"""Suffixes by which a name is taken for that of a file in the tree."""

MODULES = {
    path.stem: path.read_text(encoding="utf-8")
    for tree in ("rtl", "systems", "tests")
    for path in (ROOT / tree).rglob("*.sv")
}
C_NAMES = {
    name
    for path in (ROOT / "driver").glob("*.h")
    for name in (path.stem, *re.findall(r"\bhf_\w+", path.read_text(encoding="utf-8")))
}
COMMANDS = {
    name: {
        option
        for one in (command, *getattr(command, "commands", {}).values())
        for parameter in one.params
        for option in parameter.opts
    }
    | {"--help"}
    for name, command in typer.main.get_command(cli.app).commands.items()  # type: ignore[attr-defined]
}
TREES = {path.name for path in ROOT.iterdir() if path.is_dir()} - {"build"}
FILES = {
    path.name for tree in TREES if not tree.startswith(".") for path in (ROOT / tree).rglob("*.*")
}


def written(text: str) -> str:
    """Return the part of a page that is written by hand."""
    return re.sub(f"{re.escape(report.BEGIN)}.*?{re.escape(report.END)}", "", text, flags=re.S)


BLOCK = re.compile(r"^```.*?^```", re.M | re.S)


def spans(text: str) -> str:
    """Return what stands in backticks in a page's sentences and tables, a line a piece."""
    return "\n".join(" ".join(one.split()) for one in re.findall(r"`([^`]+)`", BLOCK.sub("", text)))


def missing(text: str) -> set[str]:
    """Return the names in the page `text` that the tree does not have."""
    text = written(text).replace("<br/>", " ")
    pieces = "\n".join([*BLOCK.findall(text), spans(text)])
    lost = set(re.findall(r"\bhf_\w+", text)) - {*MODULES, *C_NAMES}
    for package, name in re.findall(r"\b(hf_\w+)::(\w+)", text):
        if not re.search(rf"\b{name}\b", MODULES.get(package, "")):
            lost.add(f"{package}::{name}")
    rtl = set(re.findall(r"\w+", " ".join(MODULES.values())))
    lost |= set(re.findall(r"^[A-Z][a-z]+[A-Z]\w+$", pieces, re.M)) - rtl
    for name, rest in re.findall(r"\bhashfabric ([a-z][a-z-]*)\b([^#|\n]*)", spans(text)):
        known = COMMANDS.get(name)
        if known is None:
            lost.add(f"hashfabric {name}")
        else:
            lost |= set(re.findall(r"(?<!\S)--[a-z][\w-]*", rest)) - known
    lost |= {f"make {name}" for name in re.findall(r"\bmake ([a-z]+)", spans(text))} - {
        f"make {name}" for name in TARGETS
    }
    for name in re.findall(r"\bhashfabric((?:\.\w+)+)", pieces):
        path = ROOT / "src" / "hashfabric" / name[1:].replace(".", "/")
        if not (path.is_dir() or path.with_suffix(".py").is_file()):
            lost.add(f"hashfabric{name}")
    for name in re.findall(r"(?<![\w/.-])\.?\w[\w.*<>/-]*", pieces):
        if not found(name):
            lost.add(name)
    return lost - PLACEHOLDERS


def found(name: str) -> bool:
    """Return whether `name` is in the tree, if it looks like a file, a folder or a variant."""
    first, slash, _ = name.partition("/")
    if slash and first in DESIGNS:
        return name in VARIANTS
    is_file = Path(name).suffix[1:] in SOURCES
    if first == "build" or not (is_file or (slash and first in TREES)):
        return True
    if not slash:
        return name in FILES or (ROOT / name).is_file()
    return any(ROOT.glob(re.sub(r"<\w+>", "*", name).rstrip("/")))


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page != GENERATED], ids=lambda p: p.name
)
def test_names_in_a_page_exist(page: Path) -> None:
    """Each of them; a page that is renamed or moved shows up in those that name it."""
    assert missing(page.read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("the module hf_keccak_gone", "hf_keccak_gone"),
        ("`hf_keccak_squeeze`, `hf_mlkem_fips202.h`", None),
        ("`hf_keccak_pkg::function_e`", None),
        ("`hf_keccak_pkg::gone_e`", "hf_keccak_pkg::gone_e"),
        ("`RoundsPerClock`, `GonePerClock`", "GonePerClock"),
        ("`hashfabric polish D`", "hashfabric polish"),
        ("`hashfabric\nbuild D --polish`", "--polish"),
        ("`hashfabric hash --bits 5 FILE`, `--polish`", None),
        ("```sh\nawk rtl/gone.sv\n```", "rtl/gone.sv"),
        ("```sh\nmake gone\nhashfabric gone\n```", None),
        ("`hashfabric.flows.gone`", "hashfabric.flows.gone"),
        ("`hashfabric.flows.ecp5.copies`, `hashfabric.flows`", None),
        ("`make gone`", "make gone"),
        ("`rtl/gone.sv`", "rtl/gone.sv"),
        ("`rtl/gone/`", "rtl/gone/"),
        ("`driver/gates.cpp`", "driver/gates.cpp"),
        ("`gone.py`", "gone.py"),
        ("`designs/*.toml`, `rtl/<family>/`, `.ci/run`, `functions.py`, `build/any.py`", None),
        ("`designs/*.gone`", "designs/*.gone"),
        ("`hashfabric files keccak-iterative/gone`", "keccak-iterative/gone"),
        ("`hashfabric files keccak-iterative/stream`, `D/V`, `3/2`", None),
        (f"{report.BEGIN} hf_gone\n{report.END}", None),
    ],
)
def test_a_name_that_is_not_there_is_found(text: str, lost: str | None) -> None:
    """One of each kind, and what must not be taken for one."""
    assert missing(text) == ({lost} if lost else set())


def links(text: str) -> set[str]:
    """Return where the links and pictures of a page lead."""
    inline = [token.children or [] for token in MarkdownIt().parse(text)]
    found = {str(one.attrGet("href") or one.attrGet("src")) for part in inline for one in part}
    return found - {"None"}


def broken(page: Path, text: str) -> set[str]:
    """Return the links of a page to files or headings of the tree that are not there."""
    lost = set()
    for link in links(text):
        name, _, heading = link.partition("#")
        if ":" in name:
            continue
        path = page.parent / name if name else page
        known = {""} | (headings(path.read_text(encoding="utf-8")) if path.is_file() else set())
        if not path.exists() or heading not in known:
            lost.add(link)
    return lost


def headings(text: str) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", BLOCK.sub("", text), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    """To files that are there, and to headings in them; generated parts too."""
    assert broken(page, page.read_text(encoding="utf-8")) == set()


def led_to(page: Path) -> set[Path]:
    """Return the pages that the links of a page lead to."""
    names = {link.partition("#")[0] for link in links(page.read_text(encoding="utf-8"))}
    paths = {(page.parent / name).resolve() for name in names if name and ":" not in name}
    return {path for path in paths if path.suffix == ".md" and path.is_file()}


OFF_THE_MAP = {
    "docs/README.md": "the map itself",
    "README.md": "where a reader comes from: it leads to the map",
    "CHANGELOG.md": "a list by version, which README.md and the page on versions lead to",
    "results/provenance.md": "generated: the origin of each row, for those who check one",
}
"""Pages that the map need not lead to, with the reason."""


def tracked_pages() -> set[Path]:
    """Return the Markdown files of the repository, or where there is no git those of the tree."""
    command = ["git", "ls-files", "-z", "*.md"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return {ROOT / name for name in done.stdout.split("\0") if (ROOT / name).is_file()}
    trees = [ROOT / tree for tree in TREES if not tree.startswith(".")]
    return {*ROOT.glob("*.md"), *(path for tree in trees for path in tree.rglob("*.md"))}


def off_the_map(pages: set[Path]) -> set[str]:
    """Return those of some pages that the map does not lead to; of the notebook, by two links."""
    first = led_to(MAP)
    second = first.union(*map(led_to, first))
    notebook = ROOT / "docs" / "notebook"
    near = {page for page in pages if page in (second if notebook in page.parents else first)}
    return {page.relative_to(ROOT).as_posix() for page in pages - near} - set(OFF_THE_MAP)


def test_every_page_is_near_the_map() -> None:
    """All pages of the repository are on the map; those of the notebook are two links from it."""
    pages = tracked_pages()
    assert {MAP, *SHELVES, ROOT / "SECURITY.md"} <= pages
    assert off_the_map(pages) == set()


def test_a_page_off_the_map_is_found() -> None:
    """In any folder; each exception is a page, and has a reason."""
    new = ROOT / "examples" / "new" / "README.md"
    assert off_the_map({new, MAP, ROOT / "SECURITY.md"}) == {"examples/new/README.md"}
    assert all((ROOT / name).is_file() and reason for name, reason in OFF_THE_MAP.items())


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("[a](docs/gone.md)", "docs/gone.md"),
        ("| a |\n|---|\n| ![a](docs/img/gone.svg) |", "docs/img/gone.svg"),
        ("[a](docs/reference/stream.md#gone)", "docs/reference/stream.md#gone"),
        (
            "# A b: c?\n\n[a](#a-b-c), [b](docs/develop), [c](docs/reference/stream.md#ports)",
            "#a-b-c",
        ),
        ("`[a](docs/gone.md)`, <https://example.org/gone>", None),
    ],
)
def test_a_link_that_leads_nowhere_is_found(text: str, lost: str | None) -> None:
    """A file, a picture, a heading; the page's own headings are those of the file."""
    assert broken(ROOT / "README.md", text) == ({lost} if lost else set())


####################
# The command line #
####################

COMMANDS_PAGE = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")


def every_command() -> set[str]:
    """Return the commands that the command line has, those of groups as `group command`."""
    commands = typer.main.get_command(cli.app).commands  # type: ignore[attr-defined]
    return {
        f"{name} {sub}".strip()
        for name, command in commands.items()
        for sub in getattr(command, "commands", [""])
    }


def in_blocks(page: str) -> set[str]:
    """Return the commands that a page's examples use, of those that there are."""
    words = re.findall(r"\bhashfabric ([a-z-]+)(?: ([a-z]+))?", "\n".join(BLOCK.findall(page)))
    return {name for pair in words for name in (pair[0], " ".join(pair))} & every_command()


def in_table(page: str) -> set[str]:
    """Return the commands in the first column of a page's tables."""
    cells = re.findall(r"^\| (`[a-z -]+`(?:, `[a-z -]+`)*) \|", page, re.M)
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def test_every_command_is_on_its_page() -> None:
    """In the list, and with an example; the list names no other."""
    assert in_table(COMMANDS_PAGE) == every_command()
    assert in_blocks(COMMANDS_PAGE) == every_command()


def test_a_command_that_is_not_there_is_found() -> None:
    """In a list, and among examples; of a group each of its commands counts."""
    assert {"results add", "results show", "cache show", "table", "hash"} <= every_command()
    assert "results" not in every_command()
    page = "| `list` | x |\n| `cache show`, `gone` | y |\n```sh\nhashfabric list FILE\n```\n"
    assert in_table(page) == {"list", "cache show", "gone"}
    assert in_blocks(page) == {"list"}


VARIABLE = r"\bHASHFABRIC_[A-Z_]+\b"
"""The variables of the environment are called so."""


def variables(*trees: str) -> set[str]:
    """Return the variables that files of these trees name."""
    files = (path for tree in trees for path in [ROOT / tree, *(ROOT / tree).rglob("*")])
    return {
        name
        for path in files
        if path.is_file() and "build" not in path.parts and path.suffix != ".pyc"
        for name in re.findall(VARIABLE, path.read_text(encoding="utf-8", errors="replace"))
    }


def test_every_variable_is_on_the_page() -> None:
    """Of the lab, make, examples and tools; and none that nothing reads."""
    page = COMMANDS_PAGE.partition("## Environment")[2].partition("\n## ")[0]
    documented = set(re.findall(rf"^\| `({VARIABLE})`", page, re.M))
    assert documented == variables("src", "Makefile", "examples", "tools", ".ci", "tests")
    assert {"HASHFABRIC_ROOT", "HASHFABRIC_BUILD"} <= documented


def test_how_long_everything_takes() -> None:
    """Hours: `make bench` places and routes each seed of each row, a minute or more each."""
    runs = sum(len(row.fmax_mhz.seeds) for row in load_rows() if row.fmax_mhz is not None)
    assert runs > 120
    for path in ("CONTRIBUTING.md", "Makefile", "docs/reference/commands.md"):
        (line,) = (
            line
            for line in (ROOT / path).read_text(encoding="utf-8").splitlines()
            if re.search(r"make bench|^bench:", line)
        )
        assert "hours" in line and "minutes" not in line
