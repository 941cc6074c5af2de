"""Tables come from the raw rows; what was edited by hand, or is out of date, is found."""

import json
from pathlib import Path

import pytest

from hashfabric import report
from hashfabric.errors import LabError
from hashfabric.flows.base import RoutedTarget
from hashfabric.implement import route_text
from hashfabric.paths import ROOT
from hashfabric.registry import find_design, source_hash
from hashfabric.results import (
    Fmax,
    Provenance,
    Row,
    Speed,
    Spread,
    load_rows,
    save_rows,
    save_simulator,
    throughput_gbps,
)
from hashfabric.targets import find_target

README = f"# Toy\n\n{report.BEGIN}\nold\n{report.END}\n\nThe rest.\n"


def row_for(root: Path) -> Row:
    """A row of the toy as if it had been measured."""
    fmax = Fmax.of({1: 120.0, 2: 100.0, 3: None, 4: 110.0}, {3: "not routed within 600 s"})
    target = find_target("ecp5-85k", root)
    assert isinstance(target, RoutedTarget)
    return Row(
        name="toy",
        variant="core",
        target="ecp5-85k",
        device="ECP5-85k",
        lut="LUT4",
        block_bits=1088,
        clocks_per_block=24.0,
        slots=1,
        fmax_mhz=fmax,
        luts=5000,
        luts_core=4444,
        luts_detail={},
        ffs=7000,
        ffs_core=3333,
        dsps=0,
        brams=0,
        gbps=4.9867,
        mbps_per_lut=0.9973,
        bitstream_seed=4,
        provenance=Provenance(
            tools={"yosys": "0.70"},
            commands={
                "core": "synth_ecp5 -nowidelut -top toy",
                "route": route_text(target, 4),
            },
            seeds=[1, 2, 3, 4],
            constraint_mhz=300.0,
            source_hash=source_hash(find_design("toy", root).variant("core"), root),
            harness_hash="0" * 64,
            clocks_measured_by="simulation",
            keys={},
        ),
    )


@pytest.fixture
def reported(toy_root: Path) -> Path:
    """A checkout with one result and its report written."""
    save_rows([row_for(toy_root)], "toy", "ecp5-85k", toy_root)
    (toy_root / "README.md").write_text(README, encoding="utf-8")
    report.write(toy_root)
    return toy_root


def test_statistics() -> None:
    """Over the seeds that routed; an even number has its middle between two."""
    fmax = Fmax.of({2: 100.0, 1: 120.0, 3: None, 4: 110.0}, {3: "late"})
    assert (fmax.median, fmax.min, fmax.max, fmax.n) == (110.0, 100.0, 120.0, 3)
    assert list(fmax.seeds) == ["1", "2", "3", "4"]
    assert Fmax.of({1: 1.0, 2: 2.0}, {}).median == 1.5
    none = Fmax.of({1: None}, {1: "late"})
    assert (none.median, none.min, none.max, none.n) == (None, None, None, 0)


def test_throughput() -> None:
    """Paper `latif-finalists`: 1088 bits at 275.56 MHz in 24 clocks are 12.49 Gb/s."""
    assert throughput_gbps(1088, 275.56, 24) == pytest.approx(12.492, abs=1e-3)


def test_rows_come_back(reported: Path) -> None:
    """What is saved is what is loaded."""
    assert load_rows(reported) == [row_for(reported)]


def test_the_report_shows_the_row(reported: Path) -> None:
    """Both files hold the figures; the rest of the README is as it was."""
    readme = (reported / "README.md").read_text(encoding="utf-8")
    assert readme.startswith("# Toy\n\n")
    assert readme.endswith(f"{report.END}\n\nThe rest.\n")
    assert "old" not in readme
    results = (reported / "docs" / "results.md").read_text(encoding="utf-8")
    for text in (readme, results):
        assert "5,000 (4,444) LUT4" in text
        assert "7,000 (3,333)" in text
        assert "110.0 (100.0–120.0, n=3 of 4)" in text
        assert "| 4.99 | 1.00 |" in text
    assert "3: not routed" in results
    assert "`synth_ecp5 -nowidelut -top toy`" in results


def test_the_simulator_speed_is_shown(reported: Path) -> None:
    """Once measured, it is in docs/results.md."""
    spread = Spread.of([10.0, 12.0, 11.0])
    speed = Speed(
        name="toy",
        function="sha3-256",
        message_bytes=10**6,
        cpu="a CPU",
        mb_per_s=spread,
        mclocks_per_s=spread,
    )
    save_simulator([speed], reported)
    assert report.changes(reported) != []
    report.write(reported)
    assert "11.0 (10.0–12.0, n=3)" in (reported / "docs" / "results.md").read_text("utf-8")


def test_nothing_to_change_after_writing(reported: Path) -> None:
    """Writing twice is writing once."""
    assert report.changes(reported) == []
    assert report.write(reported) == []
    assert report.stale(reported) == []


@pytest.mark.parametrize("name", ["README.md", "docs/results.md"])
def test_an_edit_by_hand_is_found(reported: Path, name: str) -> None:
    """A figure changed in the table only."""
    path = reported / name
    path.write_text(path.read_text("utf-8").replace("5,000", "4,000"), encoding="utf-8")
    changes = report.changes(reported)
    assert len(changes) == 1
    assert name in changes[0]


def test_changed_rtl_is_found(reported: Path) -> None:
    """A row of RTL that is no more."""
    source = reported / "rtl" / "toy.sv"
    source.write_text(source.read_text("utf-8") + "// more\n", encoding="utf-8")
    assert report.stale(reported) == [
        "results: toy core on ecp5-85k: the RTL has changed since: run 'make bench'"
    ]


@pytest.mark.parametrize(
    ("old", "new"), [('"--freq", "300"', '"--freq", "250"'), ('["-nowidelut"]', "[]")]
)
def test_changed_flags_are_found(reported: Path, old: str, new: str) -> None:
    """A row of flags that the target no longer has, for the router or for synthesis."""
    path = reported / "targets" / "ecp5-85k.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert report.stale(reported) == [
        "results: toy core on ecp5-85k: the flags have changed since: run 'make bench'"
    ]


def test_a_profile_given_later_is_found(reported: Path) -> None:
    """The row was made without the options that its variant asks for now."""
    target = reported / "targets" / "ecp5-85k.toml"
    profile = '[profiles.deep]\npnr_options = ["--freq", "250"]\n'
    target.write_text(target.read_text("utf-8") + profile, encoding="utf-8")
    assert report.stale(reported) == []
    design = reported / "designs" / "toy.toml"
    text = design.read_text("utf-8")
    design.write_text(text.replace("kind =", 'profile = "deep"\nkind ='), encoding="utf-8")
    assert report.stale(reported) == [
        "results: toy core on ecp5-85k: the flags have changed since: run 'make bench'"
    ]


def test_a_target_that_left_is_found(reported: Path) -> None:
    """A row of a target that is no more."""
    (reported / "targets" / "ecp5-85k.toml").unlink()
    assert "no longer among the targets" in report.stale(reported)[0]


def test_a_design_that_left_is_found(reported: Path) -> None:
    """A row of a design that the registry no longer has."""
    (reported / "designs" / "toy.toml").unlink()
    assert report.stale(reported) == ["results: toy core on ecp5-85k: no longer in the registry"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{", "not a list of result rows"),
        ("{}", "not a list of result rows"),
        ('[{"name": "toy"}]', "Field required"),
    ],
)
def test_a_corrupted_result_is_told(reported: Path, text: str, wanted: str) -> None:
    """The message names the file."""
    (reported / "results" / "toy-ecp5-85k.json").write_text(text, encoding="utf-8")
    with pytest.raises(LabError, match=wanted) as caught:
        load_rows(reported)
    assert "toy-ecp5-85k.json" in str(caught.value)


def test_unknown_keys_in_a_result_are_told(reported: Path) -> None:
    """A row from another version is not read half."""
    path = reported / "results" / "toy-ecp5-85k.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    rows[0]["best_mhz"] = 500
    path.write_text(json.dumps(rows), encoding="utf-8")
    with pytest.raises(LabError, match="best_mhz"):
        load_rows(reported)


@pytest.mark.parametrize(
    "text", ["", report.BEGIN, f"{report.END}{report.BEGIN}", f"{README}{report.BEGIN}"]
)
def test_markers_must_be_there_once(text: str) -> None:
    """A README without its two markers is not overwritten."""
    with pytest.raises(LabError, match="must be there once"):
        report.between_markers(text, "new", "README.md")


def test_this_checkout_is_up_to_date() -> None:
    """The published tables are those of the published rows, and those of the present RTL."""
    if not load_rows(ROOT):
        pytest.skip("nothing measured yet")
    assert report.changes() == []
    assert report.stale() == []
