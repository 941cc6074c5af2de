"""Diagrams of the pages: timing diagrams are drawn from their waves, block diagrams name RTL."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.report import diagrams
from hashfabric.report import pages as report

WAVES = """{"signal": [
  {"name": "clk_i", "wave": "p..|."},
  {"name": "blk_i", "wave": "x=x|=", "data": ["A1", "A2"]}
],
"head": {"tock": "0 1 2 … 9 "}}
"""


@pytest.fixture
def drawn(toy_root: Path) -> Path:
    """A checkout with one timing diagram and its report written."""
    (toy_root / "README.md").write_text(f"{report.BEGIN}\n{report.END}\n", encoding="utf-8")
    (toy_root / "docs" / "waves").mkdir(parents=True)
    (toy_root / "docs" / "waves" / "toy.json").write_text(WAVES, encoding="utf-8")
    report.write(toy_root)
    return toy_root


def test_the_drawing(drawn: Path) -> None:
    """It has the names, the data and the clocks, on white."""
    picture = (drawn / "docs" / "img" / "toy-timing.svg").read_text("utf-8")
    assert picture == diagrams.svg(WAVES)
    for text in ("clk_i", "blk_i", "A1", "A2", "…", "9"):
        assert f"<tspan>{text}</tspan>" in picture
    assert picture.startswith("<svg ")
    assert picture.index('fill="white"') < picture.index("</style>")


def test_an_old_drawing_is_found(drawn: Path) -> None:
    """Other waves, and a drawing that was edited."""
    assert report.changes(drawn) == []
    picture = drawn / "docs" / "img" / "toy-timing.svg"
    text = picture.read_text("utf-8")
    complaint = f"{picture}: not as 'hashfabric report' writes it"
    picture.write_text(text.replace(">A1<", ">A3<"), encoding="utf-8")
    assert report.changes(drawn) == [complaint]
    assert report.write(drawn) == [str(picture)]
    assert picture.read_text("utf-8") == text
    source = drawn / "docs" / "waves" / "toy.json"
    source.write_text(WAVES.replace("x=x|=", "x=x|x"), encoding="utf-8")
    assert report.changes(drawn) == [complaint]


def strange_names(page: str, rtl: str) -> Iterator[str]:
    """Yield what a page's block diagrams call an instance, a register or a port, and is none.

    Names of modules are checked wherever they stand (test_docs.py).
    """
    for block in re.findall(r"^```mermaid\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL):
        for name in re.findall(r"\b(?:u_\w+|\w+_[qio])\b", block):
            if not re.search(rf"\b{name}\b", rtl):
                yield name


def test_block_diagrams_name_what_is_there() -> None:
    """Every register, port and instance in them is one of the RTL."""
    rtl = "\n".join(
        path.read_text("utf-8")
        for tree in ("rtl", "systems")
        for path in (ROOT / tree).rglob("*.sv")
    )
    for path in (ROOT / "docs").rglob("*.md"):
        assert list(strange_names(path.read_text("utf-8"), rtl)) == [], path.name


def test_a_strange_name_is_found() -> None:
    """A register that is no longer called so; names outside of diagrams are not looked at."""
    page = 'old_q\n```mermaid\nflowchart LR\n  a["state_q: 1,600"] --> b["old_q: 64"]\n```\n'
    assert list(strange_names(page, "state_t state_q;")) == ["old_q"]
