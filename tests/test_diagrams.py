"""Timing diagrams: drawn from their WaveJSON, the same every time, and found where they are old."""

from pathlib import Path

import pytest

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
