"""Rows made of vendors' reports: what is read, what is refused, and where rows are shown.

The files in tests/data/reports have the form of the tools' reports, as published ones show it; all
names and figures in them are invented for these tests (their year is 2099).
"""

import hashlib
import json
import re
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.yosys import Port
from hashfabric.commands import results
from hashfabric.export.core import Core, read_stamp
from hashfabric.flows.reports.base import Figures, Report
from hashfabric.flows.reports.read import figures
from hashfabric.registry import reported as registry_reported
from hashfabric.registry.designs import find_design, load_designs, source_hash
from hashfabric.registry.reported import load_reported
from hashfabric.registry.results import load_list, load_rows, save_rows, throughput_gbps
from hashfabric.report import pages, reported
from tests.support.commands import fails, run
from tests.support.sample_rows import row_for

REPORTS = ROOT / "tests" / "data" / "reports"

SEVEN = ("vivado-7series-utilization.rpt", "vivado-7series-timing.rpt")
CYCLONE = ("quartus-cyclonev.fit.summary", "quartus-cyclonev.sta.rpt")
NEXUS = ("radiant-nexus.mrp", "radiant-nexus.par", "radiant-nexus.twr")


def read(*names: str, change: Callable[[Report], str] | None = None, **asked: str) -> Figures:
    """What these reports say; `change` is done to the text of each first."""
    found = [Report(name, (REPORTS / name).read_text(encoding="utf-8")) for name in names]
    if change is not None:
        found = [Report(report.name, change(report)) for report in found]
    return figures(found, **asked)


def told(run: Figures) -> tuple[object, ...]:
    """The figures of a run that every tool gives."""
    area = (run.lut, run.luts, run.ffs, run.dsps, run.brams)
    clock = (round(run.constraint_mhz, 3), run.wns_ns, round(run.fmax_mhz, 3), run.fmax_from)
    return (run.device, run.speed_grade, *area, *clock)


SLACK, LIMIT = "slack", "restricted Fmax"
NEXUS_FIGURES = ("LUT4", 6543, 7654, 0, 1, 125, 0.5, 133.333, "actual period")


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (SEVEN, ("xc7k70tfbg484-1", "-1", "LUT6", 4321, 7654, 0, 1.5, 250, -0.25, 235.294, SLACK)),
        (
            ("vivado-ultrascale-utilization.rpt", "vivado-ultrascale-timing.rpt"),
            ("xczu3eg-sbva484-1-e", "-1", "LUT6", 4111, 7654, 0, 0, 400, 0.5, 500, SLACK),
        ),
        (
            ("vivado-versal-utilization.rpt", "vivado-versal-timing.rpt"),
            ("xcvc1902-vsva2197-2MP-e-S", "-2MP", "LUT6", 4000, 7650, 2, 0, 500, 0, 500, SLACK),
        ),
        (CYCLONE, ("5CEBA4F23C7", "C7", "ALM", 3210, 7654, 0, 2, 200, -1.25, 158.73, LIMIT)),
        (
            ("quartus-cycloneiv.fit.rpt", "quartus-cycloneiv.sta.rpt"),
            ("EP4CE115F29C7", "C7", "LE", 9876, 7654, 0, None, 200, -1.25, 250, LIMIT),
        ),
        (
            ("quartus-pro.fit.summary", "quartus-pro.sta.rpt"),
            ("A3CY100BM16AE7S", "E7S", "ALM", 3111, 7777, 0, 0, 200, 1.234, 352.98, LIMIT),
        ),
        (
            NEXUS,
            ("LFD2NX-40 CABGA256", "8_High-Performance_1.0V", *NEXUS_FIGURES),
        ),
    ],
    ids=lambda value: value[0].partition(".")[0] if isinstance(value, tuple) else "",
)
def test_figures_of_every_form(names: tuple[str, ...], wanted: tuple[object, ...]) -> None:
    """Area, clock and what they are of; the harness was the top, the day is the report's."""
    run = read(*names)
    assert told(run) == wanted
    assert (run.top, run.date, "99.1" in run.tool_version) == ("hf_harness", "2099-01-06", True)


def test_the_core_in_the_harness_is_counted_separately() -> None:
    """Vivado's report of the cell u_core; one of another cell says nothing of the core."""
    core = "vivado-7series-utilization-core.rpt"
    run = read(*SEVEN, core)
    assert (run.luts, run.luts_core, run.ffs_core) == (4321, 3210, 3333)
    assert run.detail == {"LUT as Memory": 7, "CARRY4": 11, "Slice": 1234}
    other = read(*SEVEN, core, change=lambda r: r.text.replace("-cells u_core", "-cells u_other"))
    assert (other.luts, other.luts_core) == (4321, None)


def test_a_minimum_pulse_width_limits_the_clock() -> None:
    """Whatever the paths would allow."""
    quick = read(*NEXUS, change=lambda report: report.text.replace(" 7.500 ns", " 4.500 ns"))
    assert quick.fmax_mhz == pytest.approx(1000 / 7.25, abs=1e-3)  # the other corner's
    quicker = read(*NEXUS, change=lambda r: re.sub(r" 7\.[25]\d+ ns", " 4.500 ns", r.text))
    assert quicker.fmax_mhz == 200.0


def test_the_slowest_corner_counts() -> None:
    """Of Quartus' tables, whichever comes first."""
    other = read(*CYCLONE, change=lambda report: report.text.replace("160.0 MHz", "140.0 MHz"))
    assert other.fmax_mhz == 140.0


def test_one_of_several_clocks_is_asked_for() -> None:
    """It is not guessed; the slack is then that clock's own."""
    names = {"Intra": ("other", "-3.000"), "Clock Summary": ("other", "{0.000 1.000}")}

    def two(report: Report) -> str:
        lines: list[str] = []
        table = ""
        for line in report.text.splitlines():
            table = next((name for name in names if line.startswith(f"| {name}")), table)
            lines.append(line)
            if table and line.startswith("clk_i "):
                rest = "2.000  500.000" if table != "Intra" else "-9.0  3  9  0.1  0.0  0  9"
                lines.append(f"{'  '.join(names[table])}  {rest}")
        return "\n".join(lines) + "\n"

    with pytest.raises(LabError, match="several clocks: --clock must name one of clk_i, other"):
        read(*SEVEN, change=two)
    assert (read(*SEVEN, change=two, clock="other").wns_ns) == -3.0
    assert (read(*SEVEN, change=two, clock="clk_i").wns_ns) == -0.25
    for names_of in (SEVEN, CYCLONE, NEXUS):
        with pytest.raises(LabError, match="no clock 'gone': one of clk_i"):
            read(*names_of, clock="gone")


def without(pattern: str) -> Callable[[Report], str]:
    """Take the lines with a pattern out."""
    return lambda r: re.sub(rf"^.*{pattern}.*\n", "", r.text, flags=re.MULTILINE)


def put(old: str, new: str, name: str = "") -> Callable[[Report], str]:
    """Put another text in place of one, in the reports whose name has `name`."""
    return lambda r: r.text.replace(old, new) if name in r.name else r.text


def cut(text: str, name: str) -> Callable[[Report], str]:
    """End the report with this name before a text."""
    return lambda r: r.text[: r.text.rindex(text)] if name in r.name else r.text


@pytest.mark.parametrize(
    ("names", "change", "said"),
    [
        (SEVEN, without("Slice LUTs"), r"utilization\.rpt: no row 'Slice LUTs' in it: cut off"),
        (SEVEN, without("as Flip Flop|Slice Registers"), "no row 'Register as Flip Flop'"),
        (SEVEN, without("Design State"), r"utilization\.rpt: no line 'Design State'"),
        (SEVEN, put(": Routed", ": Synthesized"), "'Synthesized', not placed and routed"),
        (SEVEN, put(", routed)", ", estimated)"), r"timing\.rpt: its delays are estimates"),
        (SEVEN, put(": hf_harness", ": other", "timing"), "not of one run: design hf_harness"),
        (SEVEN, put(" 7k70t", " 7k160t"), "not of one run: device"),
        (SEVEN, put("v.2099.1", "v.2098.2", "timing"), "not of one run: version 2099.1 Build"),
        (SEVEN, cut("| Clock Summary", "timing"), "no table 'Clock Summary'"),
        (SEVEN, cut("clk_i  {0.000", "timing"), "no clock with a path"),
        (SEVEN, put("-0.250 ", "    NA "), "clock clk_i has no path with a slack"),
        (SEVEN, put("-0.250 ", " 4.000 "), "slack 4.0 ns of a period of 4.0 ns: no clock"),
        (SEVEN, put("Tue Jan  6", "Tue Foo  6"), r"timing\.rpt: no date"),
        (SEVEN[:1], None, "report_timing_summary is missing"),
        (SEVEN[1:], None, "report_utilization of the whole design is missing"),
        ((*SEVEN, SEVEN[0]), None, "two reports of the same kind"),
        (CYCLONE, put("Successful", "Failed"), r"fit\.summary: Fitter Status: Failed"),
        (CYCLONE, without("Logic utilization"), "no line 'Logic utilization"),
        (CYCLONE, without("Total registers"), "no line 'Total registers'"),
        (CYCLONE, without("Device Name"), r"sta\.rpt: no line 'Device Name'"),
        (CYCLONE, put("5CEBA4F23C7", "5CEBA4F23C8", "summary"), "not of one run: device"),
        (CYCLONE, put(": measure", ": other", "summary"), "not of one run: revision"),
        (CYCLONE, put("99.1.0", "99.2.0", "sta"), "not of one run: version"),
        (CYCLONE, cut("; Multicorner", "sta"), "no setup slack of clk_i"),
        (CYCLONE, without("Total DSP Blocks"), "no line 'Total DSP Blocks'"),
        (SEVEN, without("DSPs"), "no row 'DSPs'"),
        (SEVEN, without("Block RAM Tile"), "no row 'Block RAM Tile'"),
        (NEXUS, without("Block RAMs"), "no line 'Number of Block RAMs:'"),
        (CYCLONE, cut("; Slow 1100mV 0C", "sta"), "no table 'Slow 1100mV 0C Model Fmax Summary'"),
        (CYCLONE, cut("; 158.73 MHz ; 158.73", "sta"), "no table 'Slow 1100mV 0C"),
        (CYCLONE, put("; 5.000  ;", "; ?      ;"), "no period of clk_i"),
        (CYCLONE[:1], None, r"the timing analyser's .sta.rpt .* is missing"),
        (CYCLONE[1:], None, "no fitter's report beside it"),
        (("quartus-cyclonev.sta.summary", CYCLONE[0]), None, r"\.sta\.summary has no period"),
        (NEXUS, without("Number of LUT4s:"), r"nexus\.mrp: no line 'Number of LUT4s:'"),
        (NEXUS, without("Number of registers:"), "no line 'Number of registers:'"),
        (NEXUS, put("measure_impl_1.udb", "measure_impl_1_map.udb"), "not placed and routed"),
        (NEXUS, put("Device:          LFD2NX-40", "Device:  LFD2NX-17"), "not of one run: device"),
        (NEXUS, put("Performance:     8", "Performance:  9"), "not of one run: performance"),
        (NEXUS, without("All signals are completely"), r"nexus\.par: no line 'All signals"),
        (NEXUS, cut("3  Setup at", "twr"), "no section 'Setup at .* at 0 Degrees'"),
        (NEXUS, cut("3.1.1 Clock", "twr"), "no clock in 'Setup at .* at 0 Degrees'"),
        (NEXUS, put("8.000 ns |", "   +INF  |"), "no clock with a path"),
        (NEXUS[:2], None, "the timing report .* is missing"),
        ((SEVEN[0], NEXUS[0]), None, "not of one run: vivado and radiant"),
        (SEVEN, lambda report: "<html>\n", r"utilization\.rpt: no known report"),
        (SEVEN, lambda report: "", "no known report"),
        ((), None, "no report of a tool"),
    ],
)
def test_what_is_missing_is_reported(
    names: tuple[str, ...], change: Callable[[Report], str] | None, said: str
) -> None:
    """In one line that names the file."""
    with pytest.raises(LabError, match=said) as caught:
        read(*names, change=change)
    assert "\n" not in str(caught.value)


def ended(name: str, end: int) -> Callable[[Report], str]:
    """End the report called `name` after `end` characters."""
    return lambda report: report.text[:end] if report.name == name else report.text


@pytest.mark.parametrize("names", [SEVEN, CYCLONE, NEXUS], ids=["vivado", "quartus", "radiant"])
def test_a_cut_report_never_gives_other_figures(names: tuple[str, ...]) -> None:
    """Wherever a file ends: what it gives is what the whole one does, or one line."""
    whole, read_at_all = told(read(*names)), 0
    for name in names:
        size = len((REPORTS / name).read_text(encoding="utf-8"))
        for end in range(0, size, 97):
            try:
                run = read(*names, change=ended(name, end))
            except LabError as error:
                assert "\n" not in str(error)
            else:
                read_at_all += 1
                # The only thing that a map report need not say is how many multipliers are used.
                assert [b for a, b in zip(whole, told(run), strict=True) if a != b] in ([], [None])
    assert read_at_all


@pytest.fixture
def given(tmp_path_factory: pytest.TempPathFactory, toy_root: Path) -> Path:
    """What the exported project of the toy leaves: Vivado's reports and the line of the export."""
    folder = tmp_path_factory.mktemp("measured")
    for name in (*SEVEN, "vivado-7series-utilization-core.rpt"):
        shutil.copy(REPORTS / name, folder)
    toy = find_design("toy", toy_root).variant("core")
    core = Core(
        design="toy",
        variant="core",
        source=source_hash(toy, toy_root),
        name="toy",
        top="toy",
        ports=(Port("clk_i", "input", 1),),
        clock="clk_i",
        reset="rst_i",
        files=("toy.v",),
        description="A counter",
    )
    (folder / "hashfabric.txt").write_text(core.stamp("harness") + "\n", encoding="utf-8")
    return folder


WHO = ("--by", "A. User (Some Institute)")


def test_a_row_of_reports(toy_root: Path, given: Path) -> None:
    """Says who, with what, of what; throughput by the rules of our own rows."""
    result = run(toy_root, "results", "add", "toy/core", "--report", str(given), *WHO, "--json")
    assert result.returncode == 0, result.stderr
    assert "results/reported-toy-vivado.json" in result.stderr
    (row,) = load_reported(toy_root)
    assert json.loads(result.stdout) == row.model_dump()
    assert (row.by, row.tool, row.tool_version) == (WHO[1], "vivado", "2099.1 Build 1234567")
    assert (row.in_harness, row.luts, row.luts_core, row.title) == (True, 4321, 3210, "core")
    assert (row.fmax_mhz, row.fmax_from, row.clocks_from) == (235.294, "slack", "registry")
    assert row.gbps == throughput_gbps(1088, 235.294, 24)
    assert row.mbps_per_lut == pytest.approx(1000 * row.gbps / 4321, abs=1e-4)
    assert row.source_hash == source_hash(find_design("toy", toy_root).variant("core"), toy_root)
    assert row.reports == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in given.iterdir()
    }
    assert load_rows(toy_root) == []


def test_the_same_run_again_replaces_its_row(toy_root: Path, given: Path) -> None:
    """Another's, or that of another tool, does not; files may be named one by one."""
    files = [str(path) for path in sorted(given.iterdir())]
    add = ("results", "add", "toy/core", "--report")
    for who in ("A. User", "B. User", "A. User"):
        assert run(toy_root, *add, *files, "--by", who).returncode == 0
    quartus = [str(REPORTS / name) for name in CYCLONE]
    assert run(toy_root, *add, *quartus, "--by", "A. User").returncode == 0
    rows = load_reported(toy_root)
    assert [(row.tool, row.by) for row in rows] == [
        ("quartus", "A. User"),
        ("vivado", "A. User"),
        ("vivado", "B. User"),
    ]
    assert [row.source_hash is None for row in rows] == [True, False, False]
    shown = run(toy_root, "results", "show", "--json")
    assert json.loads(shown.stdout) == [row.model_dump() for row in rows]


def test_rows_that_come_at_once_are_all_kept(
    toy_root: Path, given: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who adds one waits for who is adding one."""
    assert run(toy_root, "results", "add", "toy/core", "--report", str(given), *WHO).returncode == 0
    (row,) = load_reported(toy_root)
    path = toy_root / "results" / "reported-toy-vivado.json"
    load = load_list

    def slow(*args: Any) -> list[Any]:
        time.sleep(0.05)
        return load(*args)

    monkeypatch.setattr(registry_reported, "load_list", slow)
    others = [row.model_copy(update={"by": f"User {n}"}) for n in range(4)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda one: registry_reported.add_row(one, path), others))
    assert len(load_reported(toy_root)) == 5


def test_rows_may_go_to_a_file_of_ones_own(toy_root: Path, given: Path, tmp_path: Path) -> None:
    """The checkout's rows stay as they are; a file with something else in it too."""
    out = tmp_path / "mine.json"
    add = ("results", "add", "toy/core", "--report", str(given), *WHO, "--out", str(out))
    assert run(toy_root, *add).returncode == 0
    assert len(json.loads(out.read_text(encoding="utf-8"))) == 1
    assert load_reported(toy_root) == []
    out.write_text('{"other": 1}', encoding="utf-8")
    assert "not a list of result rows" in fails(toy_root, *add)
    assert out.read_text(encoding="utf-8") == '{"other": 1}'


@pytest.mark.slow
def test_parameters_that_were_set(toy_root: Path, given: Path) -> None:
    """They are in the row; the registry's clocks are another variant's, unless it has this one."""
    (given / "hashfabric.txt").unlink()
    add = ("results", "add", "toy/core", "--report", str(given), *WHO, "--set")
    result = run(toy_root, *add, "Step=5")
    assert result.returncode == 0, result.stderr
    assert "no throughput: --clocks-per-block is missing" in result.stderr
    assert run(toy_root, *add, "Step=7", "--clocks-per-block", "12").returncode == 0
    assert run(toy_root, *add, "Step=3").returncode == 0  # as it is
    rows = load_reported(toy_root)
    assert [(row.title, row.clocks_per_block, row.clocks_from) for row in rows] == [
        ("core", 24, "registry"),
        ("core, Step=5", None, None),
        ("core, Step=7", 12, "given"),
    ]
    assert (rows[1].gbps, rows[1].mbps_per_lut) == (None, None)
    assert rows[2].gbps == throughput_gbps(1088, 235.294, 12)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--set", "Step=5"), "hashfabric.txt: of toy/core with no parameter set, not with --set"),
        (("--set", "Gone=5"), "unknown parameter of toy core 'Gone'"),
        (("--report", "gone.rpt"), "gone.rpt: cannot be read"),
        (("--by", " "), "by: String should have at least 1 character"),
        (("--by", "a|b"), "by: String should match pattern"),
        (("--url", "ftp://x"), "url: String should match pattern"),
    ],
)
def test_what_cannot_be_a_row_is_reported(
    toy_root: Path, given: Path, more: tuple[str, ...], said: str
) -> None:
    """In one line; nothing is written."""
    add = ("results", "add", "toy/core", "--report", str(given), *WHO)
    assert said in fails(toy_root, *add, *more)
    assert list((toy_root / "results").iterdir()) == []


def test_another_design_is_no_row(toy_root: Path, given: Path) -> None:
    """Nor is a variant that is none, or a folder without a file."""
    add = ("results", "add", "--report", str(given), *WHO)
    assert "DESIGN/VARIANT is required" in fails(toy_root, *add, "toy")
    assert "unknown variant of toy 'gone'" in fails(toy_root, *add, "toy/gone")
    for path in given.glob("*.rpt"):
        path.write_text(path.read_text(encoding="utf-8").replace("hf_harness", "soc_top"))
    assert "of the design soc_top, not of toy or hf_harness" in fails(toy_root, *add, "toy/core")
    (given / "empty").mkdir()
    empty = ("results", "add", "--report", str(given / "empty"), *WHO, "toy/core")
    assert "empty: no file in it" in fails(toy_root, *empty)


@pytest.mark.slow
def test_what_the_project_states_need_not_be_said(toy_root: Path, given: Path) -> None:
    """Parameters are taken from its line; another core's, or two lines, are refused."""
    line = (given / "hashfabric.txt").read_text(encoding="utf-8")
    (given / "hashfabric.txt").write_text(line.replace("set=-", "set=Step=5,Width=20"))
    add = ("results", "add", "toy/core", "--report", str(given), *WHO)
    assert run(toy_root, *add).returncode == 0
    assert run(toy_root, *add, "--set", "Step=5").returncode == 0
    assert [row.settings for row in load_reported(toy_root)] == [{"Step": 5}]
    assert "with Step=5, Width=20 set, not" in fails(toy_root, *add, "--set", "Step=6")
    (given / "hashfabric.txt").write_text(line.replace("variant=core", "variant=other"))
    assert "hashfabric.txt: of toy/other, not of toy/core" in fails(toy_root, *add)
    (given / "again.txt").write_text(line)
    assert "again.txt and hashfabric.txt: two projects" in fails(toy_root, *add)


def test_a_stamp_is_read_as_it_is_written() -> None:
    """And what is none is not taken for one."""
    assert read_stamp("HASHFABRIC design=d variant=v source=s set=A=1,B=0 method=harness\n") == {
        "design": "d",
        "variant": "v",
        "source": "s",
        "set": "A=1,B=0",
        "method": "harness",
    }
    assert read_stamp("\nHASHFABRIC is a library\n") is None


def test_the_page_shows_them_apart(toy_root: Path, given: Path) -> None:
    """A section of its own, only where there is a row; our rows' tables do not have it."""
    save_rows([row_for(toy_root)], "toy", "ecp5-85k", toy_root)
    designs = load_designs(toy_root)
    before = pages.results_page(load_rows(toy_root), designs, toy_root)
    assert reported.HEADING not in before
    wanted = results.Addition("toy/core", [str(given)], "A. User", url="https://example.org/run")
    row, _ = results.add(wanted, toy_root)
    after = pages.results_page(load_rows(toy_root), designs, toy_root)
    head, _, tail = after.partition(f"## {reported.HEADING}\n")
    assert before.startswith(head)
    section = tail.partition("\nTools, commands, hashes")[0]
    assert before == head + tail.removeprefix(section).removeprefix("\n")
    (line,) = [line for line in section.splitlines() if line.startswith("| toy ")]
    for said in ("[A. User](https://example.org/run)", "Vivado 2099.1", "235.3²", "4,321 LUT6"):
        assert said in line
    assert f"{row.source_hash}"[:8] in line
    assert "earlier RTL" not in line
    assert "Estimated from slack" in section
    assert reported.BARE not in section
    path = toy_root / "rtl" / "toy.sv"
    path.write_text(path.read_text(encoding="utf-8").replace("'0", "1'b0"), encoding="utf-8")
    assert ", earlier RTL" in "\n".join(reported.section(designs, toy_root))


def test_a_core_without_the_harness_is_marked(toy_root: Path, given: Path) -> None:
    """And a source that no report states."""
    for path in given.glob("*.rpt"):
        path.write_text(path.read_text(encoding="utf-8").replace("hf_harness", "toy"))
    (given / "hashfabric.txt").unlink()
    results.add(results.Addition("toy/core", [str(given)], "A. User"), toy_root)
    section = "\n".join(reported.section(load_designs(toy_root), toy_root))
    assert "4,321 LUT6 (3,210)³" in section
    assert "The core itself was the top" in section
    assert "| not stated |" in section
    table = run(toy_root, "results", "show")
    assert "not run by us" in table.stdout
