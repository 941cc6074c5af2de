"""Names in README.md, CONTRIBUTING.md and docs/ are names of the tree.

Checked are RTL modules and parameters, modules of the lab, commands and their options, make's
targets, files, and variants of designs. ADRs and CHANGELOG.md may name what has been removed, and
`hashfabric report` writes its parts from the tree: these are not checked.
"""

import re
from pathlib import Path

import pytest
import typer

from hashfabric.base.paths import ROOT
from hashfabric.commands import cli
from hashfabric.registry.designs import load_designs
from hashfabric.report import pages as report

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
GENERATED = ROOT / "docs" / "results.md"

PLACEHOLDERS = {"D/V", "D/VARIANT", "UpperCamelCase", "prompt.json", "response.json"}
PLACEHOLDERS |= {"own/plot.svg", "row.json"}
"""Examples in the pages, which name nothing in the tree."""

SOURCES = ("sv", "py", "cpp", "h", "toml", "md", "sh", "json", "svg")
"""Suffixes by which a name is taken for that of a file in the tree."""

MODULES = {
    path.stem: path.read_text(encoding="utf-8")
    for tree in ("rtl", "verif")
    for path in (ROOT / tree).rglob("*.sv")
}
COMMANDS = {
    name: {option for parameter in command.params for option in parameter.opts}
    for name, command in typer.main.get_command(cli.app).commands.items()  # type: ignore[attr-defined]
}
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
TREES = {path.name for path in ROOT.iterdir() if path.is_dir()} - {"build"}
FILES = {
    path.name for tree in TREES if not tree.startswith(".") for path in (ROOT / tree).rglob("*.*")
}
VARIANTS = {
    f"{design.name}/{name}" for design in load_designs().values() for name in design.variants
}
DESIGNS = {variant.partition("/")[0] for variant in VARIANTS}


def written(text: str) -> str:
    """Return the part of a page that is written by hand."""
    return re.sub(f"{re.escape(report.BEGIN)}.*?{re.escape(report.END)}", "", text, flags=re.S)


def code(text: str) -> str:
    """Return what a page marks as code, a line a piece: blocks and what stands in backticks."""
    blocks = re.findall(r"^```.*?^```", text, re.M | re.S)
    rest = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    spans = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", rest)]
    return "\n".join([*blocks, *re.findall(r"^ {4}[^`\n]*$", rest, re.M), *spans])


def missing(text: str) -> set[str]:
    """Return the names in the page `text` that the tree does not have."""
    text = written(text).replace("<br/>", " ")
    pieces = code(text)
    lost = {name for name in re.findall(r"\bhf_\w+", text) if name not in MODULES}
    for package, name in re.findall(r"\b(hf_\w+)::(\w+)", text):
        if not re.search(rf"\b{name}\b", MODULES.get(package, "")):
            lost.add(f"{package}::{name}")
    rtl = set(re.findall(r"\w+", " ".join(MODULES.values())))
    lost |= set(re.findall(r"^[A-Z][a-z]+[A-Z]\w+$", pieces, re.M)) - rtl
    for name, rest in re.findall(r"\bhashfabric ([a-z]+)\b([^#|\n]*)", pieces):
        known = COMMANDS.get(name)
        if known is None:
            lost.add(f"hashfabric {name}")
        else:
            lost |= set(re.findall(r"(?<!\S)--[a-z][\w-]*", rest)) - known
    lost |= {f"make {name}" for name in re.findall(r"\bmake ([a-z]+)", pieces)} - {
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
    """Say whether `name` is in the tree, if it looks like a file, a folder or a variant."""
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
        ("`hf_keccak_pkg::function_e`", None),
        ("`hf_keccak_pkg::gone_e`", "hf_keccak_pkg::gone_e"),
        ("`RoundsPerClock`, `GonePerClock`", "GonePerClock"),
        ("`hashfabric polish D`", "hashfabric polish"),
        ("`hashfabric\nbuild D --polish`", "--polish"),
        ("    hashfabric hash --bits 5 FILE  # --polish", None),
        ("    x | hashfabric hash --polish -", "--polish"),
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
