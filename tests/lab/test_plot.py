"""The plot: which rows it shows, where the limit lies, and that an old drawing is found."""

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.papers.paper import load_paper
from hashfabric.registry.designs import Design, find_design
from hashfabric.registry.peers import load_peers
from hashfabric.registry.results import Fmax, MeasuredRow, save_rows
from hashfabric.report import drawing, peers_plot
from hashfabric.report import pages as report
from hashfabric.report import throughput_area as plot
from hashfabric.report.throughput_area import Limit, Point
from tests.support.sample_rows import of_one_seed, row_for


@pytest.fixture
def keccak(toy_root: Path) -> Design:
    """The toy, taken for a Keccak, with an engine and a stream."""
    path = toy_root / "designs" / "toy.toml"
    text = path.read_text("utf-8").replace('family = "toy"', 'family = "keccak"')
    variant = text[text.index("[variant.core]") :].replace("core", "wide")
    path.write_text(text + "\n" + variant.replace('"engine"', '"stream"'), encoding="utf-8")
    return find_design("toy", toy_root)


@pytest.fixture
def rows(toy_root: Path, keccak: Design) -> list[MeasuredRow]:
    """One row to show, and one more of the stream: of one seed, and more registers than LUTs."""
    row = row_for(toy_root)
    other = {"variant": "wide", "luts": 9000, "ffs_core": 7777, "gbps": 20.0}
    return [row, of_one_seed(row).model_copy(update=other)]


def test_the_points(rows: list[MeasuredRow], keccak: Design) -> None:
    """Routed rows of this family on this target; nothing else, and nothing left out."""
    designs = {"toy": keccak}
    wanted = [
        Point("toy", "core", "engine", 5000, 4444, 4.9867, one_seed=False),
        Point("toy", "wide", "stream", 9000, 7777, 20.0, one_seed=True),
    ]
    assert plot.points(rows, designs) == wanted
    unrouted: dict[str, object] = {"gbps": None, "fmax_mhz": Fmax.of({1: None}, {1: "late"})}
    others: list[dict[str, object]] = [
        {"target": "xc7"},
        {"name": "gone"},
        {"variant": "gone"},
        unrouted,
    ]
    more = [rows[0].model_copy(update=other) for other in others]
    assert plot.points(rows + more, designs) == wanted
    other_family = keccak.model_copy(update={"family": "blake"})
    assert plot.points(rows, {"toy": other_family}) == []


def test_the_limit() -> None:
    """3,840 LUT4 a round, 1088 bits in 24/u clocks at 332 MHz, up to what the part holds."""
    line = plot.limit()
    assert line[0] == Limit(1, 3840, 15.051)
    assert line[11] == Limit(12, 46080, 180.608)
    assert line[-1].rounds == 21
    assert line[-1].luts <= plot.PART_LUTS < line[-1].luts + 3840
    assert {round(step.gbps / step.luts * 1000, 2) for step in line} == {3.92}


def test_the_drawing(rows: list[MeasuredRow], keccak: Design) -> None:
    """An SVG, the same twice, with every label in it; any other row makes another one."""
    chart = plot.chart(plot.points(rows, {"toy": keccak}))
    picture = drawing.svg(chart)
    assert picture == drawing.svg(chart)
    assert ET.fromstring(picture).tag.endswith("svg")
    texts = re.findall(r">([^<>]+)</text>", picture)
    assert {"core", "wide", "toy", "0.5 Mb/s per LUT", "3 Mb/s per LUT", "12"} <= set(texts)
    assert {"0.5 Mb/s per logic cell", "Logic cells of the top alone, of 83,640"} <= set(texts)
    assert texts.count("core") == texts.count("wide") == 2
    assert texts.count("limit, by rounds unrolled") == 1
    assert "332 MHz" in picture
    assert drawing.is_current(picture, chart)
    assert not drawing.is_current(picture, plot.chart(plot.points(rows[:1], {"toy": keccak})))
    assert not drawing.is_current(picture.replace("20,000", "30,000"), chart)
    assert not drawing.is_current("", chart)


def test_a_core_and_a_stream_have_different_shapes(rows: list[MeasuredRow], keccak: Design) -> None:
    """And colours, designs."""
    chart = json.dumps(plot.chart(plot.points(rows, {"toy": keccak})))
    assert '"range": ["circle", "diamond"]' in chart
    assert '"color": {"field": "design"' in chart
    assert '"shape": {"field": "shape"' in chart


def test_both_panels_show_every_point(rows: list[MeasuredRow], keccak: Design) -> None:
    """Against LUTs in the harness, then against logic cells alone; one of one seed is hollow."""
    chart = plot.chart(plot.points(rows, {"toy": keccak}))
    found = []
    for panel in chart["vconcat"]:
        (dots,) = [part for part in panel["layer"] if "shape" in part["encoding"]]
        values = chart["datasets"][dots["data"]["name"]]
        found.append([(dot["area"], dot["gbps"], dot["one_seed"]) for dot in values])
    assert found == [
        [(5000, 4.9867, False), (9000, 20.0, True)],
        [(4444, 4.9867, False), (7777, 20.0, True)],
    ]
    drawn = drawing.svg(chart)
    assert "(hollow: one seed)" in drawn
    hollow = re.findall(r'<path aria-label="([^"]*)"[^>]*fill-opacity="0"', drawn)
    assert ["Gb/s: 20;" in label for label in hollow] == [True, True]


def test_labels_keep_clear_of_each_other() -> None:
    """Points close together: each label has its own place."""
    close = [
        Point("toy", f"stream{i}", "stream", 10000 + 20 * i, 9000, 30.0, one_seed=False)
        for i in range(6)
    ]
    axes = plot._axes(plot._LUTS, close, plot.limit())
    places = plot._label_places(axes, plot._LUTS, close)
    where = [axes.pixels(place["area"], place["gbps"]) for place in places]
    for i, (x, y) in enumerate(where):
        for u, v in where[:i]:
            assert abs(x - u) >= 6 * len("stream0") or abs(y - v) >= 9
    for area, gbps in ((10000.0, 30.0), (2000.0, 400.0)):
        assert axes.values(*axes.pixels(area, gbps)) == pytest.approx({"area": area, "gbps": gbps})


def test_the_report_draws_it(toy_root: Path, rows: list[MeasuredRow]) -> None:
    """Written, shown by both pages; `--check` finds one that is old, edited or gone."""
    readme = toy_root / "README.md"
    readme.write_text(f"{report.BEGIN}\n{report.END}\n", encoding="utf-8")
    save_rows(rows[:1], "toy", "ecp5-85k", toy_root)
    picture = toy_root / plot.FILE
    assert report.write(toy_root)[-1].endswith(plot.FILE)
    assert f"]({plot.FILE})" in readme.read_text("utf-8")
    assert "](../img/throughput-area.svg)" in (
        toy_root / "docs" / "measure" / "results.md"
    ).read_text("utf-8")
    assert report.changes(toy_root) == report.write(toy_root) == []
    complaint = f"{plot.FILE}: not as 'hashfabric report' writes it"
    text = picture.read_text("utf-8")
    picture.write_text(text.replace("Gb/s", "Tb/s"), encoding="utf-8")
    assert [line[-len(complaint) :] for line in report.changes(toy_root)] == [complaint]
    picture.unlink()
    assert report.changes(toy_root)[-1].endswith(complaint)
    report.write(toy_root)
    assert picture.read_text("utf-8") == text
    save_rows(rows, "toy", "ecp5-85k", toy_root)
    assert report.changes(toy_root)[-1].endswith(complaint)


def test_no_plot_without_a_row(toy_root: Path) -> None:
    """Neither drawn nor shown."""
    readme = toy_root / "README.md"
    readme.write_text(f"{report.BEGIN}\n{report.END}\n", encoding="utf-8")
    report.write(toy_root)
    assert not (toy_root / plot.FILE).exists()
    assert "![" not in readme.read_text("utf-8")
    assert report.changes(toy_root) == []


def test_others_cores_stand_beside_ours(rows: list[MeasuredRow], keccak: Design) -> None:
    """Engines of blocks have no label; a peer is measured or claims; slices are four LUT6 each."""
    found = peers_plot.ours(rows, {"toy": keccak})
    assert found == [
        peers_plot.Mark("toy", "engine", "", 5000, 4.9867),
        peers_plot.Mark("toy", "stream", "toy wide", 9000, 20.0, one_seed=True),
    ]
    theirs = peers_plot.others(load_peers(), load_paper(ROOT / "papers" / "athanasiou-2014.toml"))
    marks = {mark.label: mark for mark in theirs}
    assert len(marks) == len(theirs)
    low_area = marks["KeccakTeam VHDL low-area"]
    assert (low_area.shape, low_area.luts) == ("peer", 2875)
    assert low_area.gbps == pytest.approx(0.0138, abs=1e-4)
    assert not low_area.one_seed
    assert marks["Ketchup axi4-lite"].one_seed
    assert not any(mark.one_seed for mark in theirs if mark.shape == "claim")
    assert marks["188 slices, Virtex-6"] == peers_plot.Mark(
        peers_plot.CLAIMS, "claim", "188 slices, Virtex-6", 752, 0.077
    )
    assert not any("1117 slices" in label for label in marks)
    sold = marks["Xiphera XIP3030C compact"]
    assert (sold.shape, sold.luts, sold.gbps) == ("claim", 978, None)
    assert peers_plot.others(load_peers(), None) == [m for m in theirs if "slices" not in m.label]
    picture = drawing.svg(peers_plot.chart([*found, *theirs]))
    texts = re.findall(r">([^<>]+)</text>", picture)
    assert {"toy wide", "188 slices, Virtex-6", "KeccakTeam VHDL low-area"} <= set(texts)
    assert {name for name, _ in peers_plot.SHAPES.values()} <= set(texts)
    assert "Xiphera XIP3030C compact: 978 LUT6 claimed, Gb/s not stated" in texts


def test_the_report_draws_the_others(toy_root: Path, rows: list[MeasuredRow]) -> None:
    """Where there are peers, and rows of ours; on the page of results."""
    (toy_root / "README.md").write_text(f"{report.BEGIN}\n{report.END}\n", encoding="utf-8")
    save_rows(rows, "toy", "ecp5-85k", toy_root)
    report.write(toy_root)
    picture = toy_root / peers_plot.FILE
    assert not picture.exists()
    shutil.copytree(ROOT / "peers", toy_root / "peers")
    report.write(toy_root)
    assert picture.exists()
    results = (toy_root / "docs" / "measure" / "results.md").read_text(encoding="utf-8")
    assert "](../img/peers.svg)" in results
    assert report.changes(toy_root) == []
