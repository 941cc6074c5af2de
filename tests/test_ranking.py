"""Which of our rows are ranked against a paper's, and how."""

import io
import re
import shutil
from pathlib import Path

import pytest
from rich.console import Console

from hashfabric.base.paths import ROOT
from hashfabric.papers import ranking
from hashfabric.papers.paper import Paper, find, load_papers
from hashfabric.registry.designs import load_designs
from hashfabric.registry.results import BuildProvenance, Fmax, MeasuredRow
from hashfabric.report import drawing
from hashfabric.report import pages as report
from hashfabric.report import ranking_bars as bars

PAPER = "latif-finalists"


@pytest.fixture(scope="module")
def paper() -> Paper:
    """The paper with the rankings."""
    return find(load_papers(ROOT / "papers"), PAPER)


def measured(name: str, variant: str, clocks: float, mhz: float, luts: int) -> MeasuredRow:
    """A row as if it had been measured."""
    return MeasuredRow(
        name=name,
        variant=variant,
        target=ranking.TARGET,
        device="",
        lut="LUT4",
        block_bits=512,
        clocks_per_block=clocks,
        slots=1,
        fmax_mhz=Fmax.of({1: mhz}, {}),
        luts=luts + 500,
        luts_core=luts,
        luts_detail={},
        ffs=0,
        ffs_core=0,
        dsps=0,
        brams=0,
        gbps=None,
        mbps_per_lut=None,
        provenance=BuildProvenance(
            tools={},
            commands={},
            seeds=[1],
            constraint_mhz=None,
            source_hash="",
            harness_hash="",
            netlists={},
            clocks_measured_by="",
            keys={},
        ),
    )


ROWS = [
    measured("keccak-iterative", "core", 24, 120.0, 4000),
    measured("keccak-pipelined", "core", 24, 240.0, 4000),
    measured("keccak-pipelined", "stream", 24, 900.0, 4000),
    measured("groestl", "core-256", 10, 100.0, 10_000),
    measured("jh", "core", 42, 200.0, 3000),
]


def test_the_settings(paper: Paper) -> None:
    """As in the paper: its design and clocks. Best: the family's engine with most per LUT."""
    found = ranking.entries(paper, ROWS, load_designs(), ranking.TARGET)
    rows = {(e.algorithm, e.setting, e.digest_bits): e for e in found}
    assert len(found) == len(rows) == 2 * 2 * 5
    plain, best = rows["Keccak", "paper", 256], rows["Keccak", "best", 256]
    assert plain.row == ROWS[0]
    assert plain.gbps == pytest.approx(1088 * 120 / 24 / 1000)
    assert plain.mbps_per_lut == pytest.approx(1088 * 120 / 24 / 4000)
    assert best.row == ROWS[1]  # the stream is no engine
    assert rows["Keccak", "best", 512].gbps == pytest.approx(576 * 240 / 24 / 1000)
    assert rows["Grøstl", "best", 256].row == ROWS[3]
    assert rows["Grøstl", "best", 512].row is None  # core-256 has no such digest
    assert rows["BLAKE", "paper", 256].gbps == 0
    other = ranking.entries(paper, ROWS, load_designs(), "xc7")
    assert all(entry.row is None for entry in other)


def test_the_orders(paper: Paper) -> None:
    """By either column, best first; what is not measured is left out, and a swap is told."""
    found = ranking.entries(paper, ROWS, load_designs(), ranking.TARGET)
    assert ranking.order(found, "paper", "throughput_gbps", 256) == ["Keccak", "Grøstl", "JH"]
    assert ranking.order(found, "paper", "tpa_mbps_per_slice", 256) == ["Keccak", "JH", "Grøstl"]
    (first,) = [r for r in paper.rankings if (r.column, r.digest_bits) == ("throughput_gbps", 256)]
    assert ranking.agreement(first, ["Keccak", "Grøstl", "JH"]) == []
    assert ranking.agreement(first, ["JH", "Grøstl"]) == [("Grøstl", "JH")]
    faster = [*ROWS[:4], measured("jh", "core", 42, 2000.0, 3000)]
    said = ranking.lines(paper, ranking.entries(paper, faster, load_designs(), ranking.TARGET))
    assert any("JH before Keccak" in line for line in said)


def test_the_outputs(paper: Paper) -> None:
    """A table and JSON of the same."""
    found = ranking.entries(paper, ROWS, load_designs(), ranking.TARGET)
    stream = io.StringIO()
    ranking.render(paper, found, ranking.TARGET, Console(file=stream, width=200))
    assert "keccak-pipelined core" in stream.getvalue()
    assert "not measured yet: Skein, BLAKE" in stream.getvalue()
    data = ranking.to_json(paper, found, ranking.TARGET)
    assert len(data["entries"]) == len(found)
    assert data["rankings"][0]["stated"] == paper.rankings[0].order


def test_the_bars(paper: Paper) -> None:
    """Every measured cell of ours and every one of the paper's, and no others."""
    found = ranking.entries(paper, ROWS, load_designs(), ranking.TARGET)
    chart = bars.chart(paper, found, ranking.TARGET)
    rows = [
        [value for column in row["hconcat"] for value in chart["datasets"][column["data"]["name"]]]
        for row in chart["vconcat"]
    ]
    measured = [entry for entry in found if entry.gbps > 0]
    assert len(rows[0]) == len(rows[1]) == len(measured)
    assert {(v["algorithm"], v["bits"], v["who"], v["mbps"]) for v in rows[1]} == {
        (e.algorithm, e.digest_bits, e.setting, e.mbps_per_lut) for e in measured
    }
    assert len(rows[2]) == len(rows[3]) == 5 * 2 * 3
    assert {"algorithm": "JH", "bits": 256, "who": "Virtex-7", "gbps": 4.02, "mbps": 6.84} in rows[
        3
    ]
    texts = re.findall(r">([^<>]+)</text>", drawing.svg(chart))
    assert {"Mb/s per LUT4", "Mb/s per slice", "Skein", "512 bit", "Virtex-6", "best"} <= set(texts)


def test_the_page(toy_root: Path) -> None:
    """The page gets its part and its drawing where it is there, and both are found if edited."""
    (toy_root / "README.md").write_text(f"{report.BEGIN}\n{report.END}\n", encoding="utf-8")
    report.write(toy_root)
    picture, page = toy_root / bars.FILE, toy_root / report.RANKED[1]
    assert not picture.exists()
    page.parent.mkdir(exist_ok=True)
    page.write_text(f"# Ours\n\n{report.BEGIN}\n{report.END}\n\nWhy.\n", encoding="utf-8")
    shutil.copytree(ROOT / "papers", toy_root / "papers", dirs_exist_ok=True)
    assert len(report.write(toy_root)) == 2
    text = page.read_text("utf-8")
    assert "](img/finalists.svg)" in text
    assert "256 bit, throughput: paper: Keccak > Grøstl" in text
    assert text.startswith("# Ours\n")
    assert text.endswith("\n\nWhy.\n")
    assert report.changes(toy_root) == report.write(toy_root) == []
    page.write_text(text.replace("Keccak > ", "", 1), encoding="utf-8")
    picture.write_text(picture.read_text("utf-8").replace("Virtex", "Vertex"), encoding="utf-8")
    assert len(report.changes(toy_root)) == 2
