"""Which of our rows are ranked against a paper's, and how."""

import io
import re
import shutil
from pathlib import Path

import pytest
from rich.console import Console

from hashfabric.base.paths import ROOT
from hashfabric.base.text import ONE_SEED, ONE_SEED_LINE
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


def mhz(clock: float, seeds: int = 2) -> Fmax:
    """A clock that every seed has."""
    return Fmax.of(dict.fromkeys(range(seeds), clock), {})


def measured(
    name: str, variant: str, clocks: float, clock: Fmax, area: tuple[int, int]
) -> MeasuredRow:
    """A row as if it had been measured; `area` is LUTs and flip-flops of the engine alone."""
    luts, ffs = area
    return MeasuredRow(
        name=name,
        variant=variant,
        target=ranking.TARGET,
        device="",
        lut="LUT4",
        block_bits=512,
        clocks_per_block=clocks,
        slots=1,
        fmax_mhz=clock,
        luts=luts + 500,
        luts_core=luts,
        luts_detail={},
        ffs=0,
        ffs_core=ffs,
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
    measured("keccak-iterative", "core", 24, mhz(120.0), (4000, 3000)),
    measured("keccak-pipelined", "core", 24, mhz(240.0), (4000, 40_000)),
    measured("keccak-pipelined", "stream", 24, mhz(900.0), (4000, 9000)),
    measured("groestl", "core-256", 10, mhz(100.0), (10_000, 2000)),
    measured("jh", "core", 42, mhz(200.0, seeds=1), (3000, 6000)),
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
    assert plain.mbps_per_cell == plain.mbps_per_lut
    assert best.row == ROWS[1]  # the stream is no engine
    assert best.mbps_per_cell == pytest.approx(1088 * 240 / 24 / 40_000)
    assert rows["Keccak", "best", 512].gbps == pytest.approx(576 * 240 / 24 / 1000)
    assert rows["Grøstl", "best", 256].row == ROWS[3]
    assert rows["Grøstl", "best", 512].row is None  # core-256 has no such digest
    assert rows["BLAKE", "paper", 256].gbps == rows["BLAKE", "paper", 256].mbps_per_cell == 0
    assert {e.algorithm for e in found if e.one_seed} == {"JH"}
    other = ranking.entries(paper, ROWS, load_designs(), "xc7")
    assert all(entry.row is None for entry in other)


def test_the_orders(paper: Paper) -> None:
    """By either column, best first; what is not measured is left out, and a swap is reported."""
    found = ranking.entries(paper, ROWS, load_designs(), ranking.TARGET)
    assert ranking.order(found, "paper", "throughput_gbps", 256) == ["Keccak", "Grøstl", "JH"]
    assert ranking.order(found, "paper", "tpa_mbps_per_slice", 256) == ["Keccak", "JH", "Grøstl"]
    assert ranking.order(found, "paper", ranking.PER_CELL, 256) == ["Keccak", "Grøstl", "JH"]
    assert ranking.order(found, "best", ranking.PER_CELL, 256) == ["Grøstl", "JH", "Keccak"]
    (first,) = [r for r in paper.rankings if (r.column, r.digest_bits) == ("throughput_gbps", 256)]
    assert ranking.agreement(first, ["Keccak", "Grøstl", "JH"]) == []
    assert ranking.agreement(first, ["JH", "Grøstl"]) == [("Grøstl", "JH")]
    faster = [*ROWS[:4], measured("jh", "core", 42, mhz(2000.0), (3000, 6000))]
    said = ranking.lines(paper, ranking.entries(paper, faster, load_designs(), ranking.TARGET))
    assert any("JH before Keccak" in line for line in said)


def test_the_order_by_logic_cell_is_said(paper: Paper) -> None:
    """Beside the paper's by throughput per area, in both settings, and beside no other."""
    said = ranking.lines(paper, ranking.entries(paper, ROWS, load_designs(), ranking.TARGET))
    start = said.index("256 bit, throughput per area: paper: Keccak > JH > Grøstl > Skein > BLAKE")
    missing = "not measured yet: Skein, BLAKE"
    assert said[start + 1 : start + 5] == [
        f"  ours by LUT, paper: Keccak > JH > Grøstl ({missing})",
        f"  ours by LUT, best: Keccak > JH > Grøstl ({missing})",
        f"  ours by logic cell, paper: Keccak > Grøstl > JH (Grøstl before JH; {missing})",
        "  ours by logic cell, best: Grøstl > JH > Keccak "
        f"(JH before Keccak; Grøstl before Keccak; Grøstl before JH; {missing})",
    ]
    assert sum("by logic cell" in line for line in said) == 2 * sum(
        "per area" in line for line in said
    )


def test_the_outputs(paper: Paper) -> None:
    """A table and JSON of the same."""
    found = ranking.entries(paper, ROWS, load_designs(), ranking.TARGET)
    stream = io.StringIO()
    ranking.render(paper, found, ranking.TARGET, Console(file=stream, width=200))
    assert "keccak-pipelined core" in stream.getvalue()
    assert "not measured yet: Skein, BLAKE" in stream.getvalue()
    assert "200.0 (n=1)" in stream.getvalue()
    assert stream.getvalue().count("2.44¹") == 4  # JH: 512 bits at 200 MHz in 42 clocks
    assert stream.getvalue().count(ONE_SEED_LINE) == 1
    for entry in found:
        cells = ranking.cells(entry)
        assert len(cells) == len(ranking.COLUMNS)
        assert [cell[-1:] == ONE_SEED for cell in cells[-3:]] == [entry.one_seed] * 3
    data = ranking.to_json(paper, found, ranking.TARGET)
    assert len(data["entries"]) == len(found)
    assert [entry["mbps_per_cell"] for entry in data["entries"]] == [
        round(entry.mbps_per_cell, 4) or None for entry in found
    ]
    by_area, by_speed = data["rankings"][:2]
    assert by_area["stated"] == paper.rankings[0].order
    assert by_area["paper"] == ["Keccak", "JH", "Grøstl"]
    assert by_area["mbps_per_cell"]["paper"] == ["Keccak", "Grøstl", "JH"]
    assert "mbps_per_cell" not in by_speed


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
    drawn = drawing.svg(chart)
    hollow = re.findall(r'<path aria-label="algorithm: (\w+);[^"]*"[^>]*fill-opacity="0"', drawn)
    assert hollow == ["JH"] * 2 * 2 * 2  # settings, digest lengths, quantities
    assert "outlined where there is one seed" in drawn
    texts = re.findall(r">([^<>]+)</text>", drawn)
    assert {"Mb/s per LUT4", "Mb/s per slice", "Skein", "512 bit", "Virtex-6", "best"} <= set(texts)


def test_the_page(toy_root: Path, paper: Paper) -> None:
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
    assert "](../img/finalists.svg)" in text
    assert "256 bit, throughput: paper: Keccak > Grøstl" in text
    assert text.startswith("# Ours\n")
    assert text.endswith("\n\nWhy.\n")
    assert ONE_SEED_LINE not in text
    found = ranking.entries(paper, ROWS, load_designs(), ranking.TARGET)
    part = ranking.page_part(paper, found, ranking.TARGET, "")
    assert part.count(f"|\n\n{ONE_SEED_LINE}\n\n```text") == 1
    assert report.changes(toy_root) == report.write(toy_root) == []
    page.write_text(text.replace("Keccak > ", "", 1), encoding="utf-8")
    picture.write_text(picture.read_text("utf-8").replace("Virtex", "Vertex"), encoding="utf-8")
    assert len(report.changes(toy_root)) == 2
