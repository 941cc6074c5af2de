"""Private builds: configurations are measured and kept apart, and results/ does not change."""

import csv
import hashlib
import io
import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hashfabric.base import tools
from hashfabric.base.cache import Cache
from hashfabric.base.errors import LabError, Stop
from hashfabric.base.paths import ROOT
from hashfabric.base.progress import Steps
from hashfabric.base.tools import Tool, ToolError
from hashfabric.commands import cli
from hashfabric.flows import targets
from hashfabric.flows.targets import find_target
from hashfabric.implement import build as implement
from hashfabric.implement import jobs, private
from hashfabric.registry import designs as registry
from hashfabric.registry.designs import Design, find_design, load_designs
from hashfabric.registry.results import (
    MeasuredRow,
    Outcome,
    PrivateRow,
    load_list,
    load_private,
    load_rows,
    rows_json,
)
from hashfabric.report import rows_text, scatter
from hashfabric.report.selection import Selection
from hashfabric.simulate import elaboration, known_answers
from tests.support.sample_rows import of_one_seed, row_for

LEGAL = '  if (Width > 30) $fatal(1, "toy: Width is at most 30, not %0d", Width);\n'


def tree_hash(root: Path) -> str:
    """Return a hash of all that the checkout keeps: what is no work of a build."""
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    kept = [path for path in files if path.relative_to(root).parts[0] not in ("build", "own")]
    whole = hashlib.sha256()
    for path in kept:
        whole.update(f"{path}\n".encode() + path.read_bytes())
    return whole.hexdigest()


@pytest.fixture(scope="module")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for this module: the tools run once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def toy(toy_root: Path, shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The toy's checkout, for which the check always passes: two clocks a block a step.

    Afterwards it is as it was, but for what was asked for.
    """
    source = toy_root / "rtl" / "toy.sv"
    text = source.read_text("utf-8").replace("endmodule", f"{LEGAL}endmodule")
    source.write_text(text, encoding="utf-8")
    (toy_root / "results" / "toy-ecp5-85k.json").write_text(
        rows_json([row_for(toy_root)]), encoding="utf-8"
    )
    (toy_root / "README.md").write_text("Ours.\n", encoding="utf-8")
    for module in (implement, private, elaboration):
        monkeypatch.setattr(module, "ROOT", toy_root)
        monkeypatch.setattr(module, "BUILD", toy_root / "build")

    def check(design: Design, name: str) -> float:
        return 2.0 * design.variant(name).parameters["Step"]

    monkeypatch.setattr(known_answers, "check_configured", check)
    monkeypatch.setattr(implement, "Cache", lambda _: Cache(shared_cache))
    before = tree_hash(toy_root)
    yield toy_root
    assert tree_hash(toy_root) == before


def sweep_of(root: Path, *settings: str, target: str = "xc7", seeds: int = 1) -> private.Sweep:
    """A sweep of the toy's core into own/."""
    fpga = find_target(target, root)
    every = private.product(find_design("toy", root), "core", settings)
    return private.Sweep(every, fpga, implement.seed_list(fpga, seeds), root / "own")


def run(sweep: private.Sweep, tools: int = 2) -> list[Outcome]:
    """Run it; the reported outcomes are those returned, in any order."""
    told: list[Outcome] = []
    with Steps(quiet=True) as steps:
        outcomes = sweep.run(steps, tools, told.append)
    assert sorted(one.label for one in told) == sorted(one.label for one in outcomes)
    return outcomes


def built(
    root: Path, *settings: str, folder: Path | None = None, target: str = "xc7"
) -> PrivateRow:
    """Build the toy's core with parameters set."""
    fpga = find_target(target, root)
    with Steps(quiet=True) as steps:
        [row] = private.build(
            find_design("toy", root),
            fpga,
            steps,
            variants=["core"],
            settings=settings,
            folder=folder,
            seeds=implement.seed_list(fpga, 1),
        )
    assert isinstance(row, PrivateRow)
    return row


@pytest.mark.slow
def test_a_configuration_of_ones_own(toy: Path) -> None:
    """Its parameters are in the row, its clocks measured, its files apart from the variant's."""
    row = built(toy, "Width=24", "Step=4")
    assert row.parameters == {"Width": 24, "Step": 4}
    assert (row.ffs_core, row.clocks_per_block) == (24, 8.0)
    assert row.provenance.clocks_measured_by == "simulation"
    home = toy / "build" / "toy-xc7-core-Step=4-Width=24"
    assert load_private([home]) == [row]
    assert "toy #(" in (home / "harness.sv").read_text("utf-8")
    assert not (toy / "build" / "toy-xc7-core").exists()
    other = built(toy, "Width=8", folder=toy / "own")
    assert (other.ffs_core, other.clocks_per_block) == (8, 6.0)  # the variant's own Step is 3
    assert load_private([toy / "own", toy / "build"]) == [other, row]


@pytest.mark.slow
def test_a_configuration_that_routes(toy: Path) -> None:
    """The throughput is that of the clocks measured."""
    row = built(toy, "Width=24", "Step=4", target="ecp5-85k")
    assert row.fmax_mhz is not None
    assert row.fmax_mhz.median is not None
    assert row.gbps == pytest.approx(1088 * row.fmax_mhz.median / 8 / 1000, abs=1e-4)
    assert (toy / "build" / "toy-ecp5-85k-core-Step=4-Width=24" / "bitstream.bit").is_file()


def test_what_cannot_be_built_is_reported(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line each, before any tool of synthesis runs."""
    monkeypatch.setattr(implement, "synth_job", lambda *_: pytest.fail("synthesised"))
    blocked = toy / "own"
    blocked.write_text("a file\n", encoding="utf-8")
    for settings, folder, told in (
        (["Width=31"], None, "toy core Width=31: toy: Width is at most 30, not 31"),
        (["Depth=1"], None, "unknown parameter of toy core 'Depth': one of Step, Width"),
        (["Width=8", "Width=9"], None, "--set Width: is set twice"),
        (["Width=8"], toy / "results", "holds the registry's rows"),
        (["Width=8"], toy / "results" / "mine", "holds the registry's rows"),
        (["Width=8"], blocked, "own: cannot be written: "),
    ):
        with pytest.raises(LabError, match=re.escape(told)) as error:
            built(toy, *settings, folder=folder)
        assert "\n" not in str(error.value)


def test_a_parameter_is_of_one_variant(toy: Path) -> None:
    """Of several it would mean several things."""
    design, target = find_design("toy", toy), find_target("xc7", toy)
    with Steps(quiet=True) as steps, pytest.raises(LabError, match="--set requires one variant"):
        private.build(
            design,
            target,
            steps,
            variants=["core", "other"],
            settings=["Width=8"],
            folder=None,
            seeds=[],
        )


@pytest.mark.slow
def test_a_wrong_answer_is_no_row(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was set: it ends a build, and is one outcome of a sweep."""

    def wrong(design: Design, name: str) -> float:
        if design.variant(name).parameters["Width"] == 9:
            raise LabError("toy core: wrong state in slot 0")
        return 1.0

    monkeypatch.setattr(known_answers, "check_configured", wrong)
    with pytest.raises(LabError, match="wrong state in slot 0"):
        built(toy, "Width=9")
    good, bad = run(sweep_of(toy, "Width=8,9"))
    assert (good.failed, bad.failed) == (None, "toy core: wrong state in slot 0")
    assert good.row is not None
    assert bad.row is None


def test_the_cross_product(toy: Path) -> None:
    """Every combination, the first parameter slowest; what is the same is there once."""
    every = private.product(find_design("toy", toy), "core", ["Step=1,2", "Width=8,9,08"])
    assert [one.parameters for one in every] == [
        {"Step": step, "Width": width} for step, width in itertools.product((1, 2), (8, 9))
    ]
    assert [one.parameters for one in private.product(find_design("toy", toy), "core", [])] == [{}]
    for settings, told in (
        (["Step=1,x"], "--set Step=x: a number"),
        (["Step=1", "Step=2"], "--set Step: is set twice"),
        (["Step"], "NAME=VALUE"),
    ):
        with pytest.raises(LabError, match=told):
            private.product(find_design("toy", toy), "core", settings)


@pytest.mark.slow
def test_a_sweep_goes_on_past_what_fails(toy: Path) -> None:
    """What is not legal has no row, says why, and is one file like the others."""
    outcomes = run(sweep_of(toy, "Width=8,31,9"))
    assert [one.row and one.row.ffs_core for one in outcomes] == [8, None, 9]
    assert outcomes[1].failed == "toy core Width=31: toy: Width is at most 30, not 31"
    names = sorted(path.name for path in (toy / "own").iterdir())
    assert names == [f"toy-xc7-core-Width={width}.json" for width in (31, 8, 9)]
    assert load_private([toy / "own"]) == [outcomes[i] for i in (1, 0, 2)]


def test_a_sweep_reports_illegal_parameters_first(
    toy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before a tool is asked for its version, which takes minutes on a new machine."""
    monkeypatch.setattr(private, "tool_versions", lambda *_: pytest.fail("a tool was started"))
    sweep = sweep_of(toy, "Width=31,32")
    with Steps() as steps:
        outcomes = sweep.run(steps, 1, lambda _: None)
    assert [(one.row, one.failed) for one in outcomes] == [
        (None, f"toy core Width={width}: toy: Width is at most 30, not {width}")
        for width in (31, 32)
    ]
    assert capsys.readouterr().err.startswith("parameters of 2 configurations ...\n")
    assert load_private([toy / "own"]) == outcomes


def test_a_clusters_size_does_not_bound_tools_here(
    toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of twelve configurations at once, two run a tool: that is one a processor."""

    class Elsewhere:
        """Workers that are asked for nothing."""

    def fault(one: private.Configuration) -> str:
        tools.output(["sh", "-c", f"echo + >>{log}; sleep 0.2; echo - >>{log}"])
        return "is not legal"

    log = toy.parent / "running"
    monkeypatch.setattr(private.Configuration, "fault", fault)
    monkeypatch.setattr(jobs, "elsewhere", Elsewhere())
    monkeypatch.setattr(jobs, "processors", lambda: 2)
    monkeypatch.setattr(registry, "find_design", lambda name: find_design(name, toy))
    monkeypatch.setattr(targets, "find_target", lambda name: find_target(name, toy))
    widths = ",".join(str(width) for width in range(8, 20))
    wanted = ["sweep", "toy/core", "--target", "xc7", "--set", f"Width={widths}"]
    assert cli.main([*wanted, "--out", str(toy / "own")]) == 1
    shutil.rmtree(toy / "own")
    changes = [1 if line == "+" else -1 for line in log.read_text("utf-8").split()]
    assert len(changes) == 24
    assert max(itertools.accumulate(changes)) == 2


def test_a_sweep_reports_what_did_not_route(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has failed, and has a row of counts nevertheless: it is not routed again."""

    def no_route(*_: object) -> None:
        raise ToolError("nextpnr: no way")

    monkeypatch.setattr(implement, "route_job", no_route)
    [outcome] = run(sweep_of(toy, "Width=8", target="ecp5-85k"))
    assert outcome.failed == "no seed routed: nextpnr: no way"
    assert outcome.row is not None
    assert (outcome.row.ffs_core, outcome.row.gbps) == (8, None)
    monkeypatch.setattr(implement, "route_job", lambda *_: pytest.fail("routed again"))
    assert run(sweep_of(toy, "Width=8", target="ecp5-85k")) == [outcome]


@pytest.mark.slow
def test_a_second_call_goes_on_where_the_first_ended(
    toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has a row is not measured again, unless its sources, target or seeds have changed."""
    first = run(sweep_of(toy, "Width=8,31"))
    measured: list[str] = []
    real = private.Configuration.measure

    def noted(self: private.Configuration, *args: object) -> MeasuredRow:
        measured.append(self.label)
        return real(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(private.Configuration, "measure", noted)
    path = toy / "own" / "toy-xc7-core-Width=31.json"
    path.unlink()
    assert run(sweep_of(toy, "Width=8,31"))[0] == first[0]
    assert (measured, path.exists()) == ([], True)  # what is not legal is not measured, but tried
    run(sweep_of(toy, "Width=8,9"))
    assert measured == ["toy core Width=9"]
    measured.clear()
    kept = toy / "own" / "toy-xc7-core-Width=8.json"
    for damage in ("", "[]", "{}", kept.read_text("utf-8").replace(first[0].key, "0" * 64)):
        kept.write_text(damage, encoding="utf-8")
        run(sweep_of(toy, "Width=8"))
        assert measured == ["toy core Width=8"]
        measured.clear()
    keys = {sweep_of(toy, "Width=8").configurations[0].key(find_target("xc7", toy), [])}
    keys.add(sweep_of(toy, "Width=8").configurations[0].key(find_target("xc7", toy), [1]))
    keys.add(sweep_of(toy, "Width=8").configurations[0].key(find_target("ecp5-85k", toy), []))
    keys.add(sweep_of(toy, "Width=9").configurations[0].key(find_target("xc7", toy), []))
    assert len(keys) == 4


@pytest.mark.slow
def test_a_sweep_that_is_stopped_keeps_what_was_measured(
    toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows reported before Ctrl-C are there, whole; no tool starts after it."""
    sweep, told = sweep_of(toy, "Width=10,11,12,13"), []

    def tell(outcome: Outcome) -> None:
        told.append(outcome)
        raise Stop(2)

    with Steps(quiet=True) as steps, pytest.raises(Stop):
        sweep.run(steps, 1, tell)
    assert len(told) == 1
    found = load_private([toy / "own"])
    assert told[0] in found
    assert len(found) < 4
    assert all(isinstance(one, Outcome) and one.failed is None for one in found)
    ran: list[str] = []
    monkeypatch.setattr(Tool, "run", lambda self, *_, **__: ran.append(self.name))
    monkeypatch.setattr(private.Configuration, "measure", lambda *_: row_for(toy))
    assert len(run(sweep)) == 4
    assert ran == []


def test_results_have_no_parameters(toy: Path) -> None:
    """A field of private rows is neither written to results/ nor read from there."""
    path = toy / "results" / "toy-ecp5-85k.json"
    assert path.read_text("utf-8") == rows_json(load_rows(toy))
    assert "parameters" not in json.loads(path.read_text("utf-8"))[0]
    own = PrivateRow(**dict(row_for(toy)), parameters={"Width": 8})
    other = toy / "own.json"
    other.write_text(rows_json([own]), encoding="utf-8")
    assert load_list(other, PrivateRow) == [own]
    with pytest.raises(LabError, match=r"row 1: parameters: Extra inputs"):
        load_list(other, MeasuredRow)
    other.unlink()


####################
# Tables and plots #
####################


@pytest.fixture
def rows(toy_root: Path) -> list[MeasuredRow | Outcome]:
    """A row of the registry's, a private one of one seed, one without a clock, and a failure."""
    row = row_for(toy_root)
    own = {**dict(of_one_seed(row)), "luts": 9000, "gbps": 20.0}
    larger = {**dict(row), "luts": 9500, "gbps": 10.0, "parameters": {"Width": 9}}
    failed = Outcome(
        name="toy",
        variant="core",
        target="ecp5-85k",
        parameters={"Width": 31},
        key="0",
        failed="50% & more: $x_1 ~ {a}^b \\ c",
    )
    return [
        row,
        PrivateRow(**own, parameters={"Fast": True, "Width": 8}),
        PrivateRow(**larger),
        failed,
    ]


def test_csv(rows: list[MeasuredRow | Outcome]) -> None:
    """One header line with units; every figure in full; a parameter is a column."""
    text = rows_text.table(rows, "csv")
    lines = list(csv.DictReader(io.StringIO(text)))
    assert [line["luts"] for line in lines] == ["5000", "9000", "9500", ""]
    assert [line["Width"] for line in lines] == ["", "8", "9", "31"]
    assert [line["Fast"] for line in lines] == ["", "true", "", ""]
    assert [line["gbps"] for line in lines] == ["4.9867", "20.0", "10.0", ""]
    assert [line["seeds"] for line in lines] == ["3", "1", "3", ""]
    assert lines[0]["fmax_mhz"] == "110.0"
    assert lines[3]["failed"] == "50% & more: $x_1 ~ {a}^b \\ c"
    assert {*rows_text.COLUMNS, *rows_text.WORDS} <= set(lines[0])
    assert [line["kind"] for line in lines] == [""] * 4
    assert "failed" not in rows_text.table(rows[:3], "csv")
    assert "\r" not in text


def test_latex(rows: list[MeasuredRow | Outcome]) -> None:
    """A booktabs tabular: as many cells in every line, and no sign that LaTeX takes for its own."""
    text = rows_text.table(rows, "latex", ["design", "parameters", "luts", "gbps", "failed"])
    assert text == (
        "\\begin{tabular}{lrrrrl}\n"
        "\\toprule\n"
        "Design & Fast & Width & LUT in harness & Gb/s & Failed \\\\\n"
        "\\midrule\n"
        "toy & -- & -- & 5,000 & 4.99 &  \\\\\n"
        "toy & true & 8 & 9,000 & 20.00 &  \\\\\n"
        "toy & -- & 9 & 9,500 & 10.00 &  \\\\\n"
        "toy & -- & 31 & -- & -- & 50\\% \\& more: \\$x\\_1 \\textasciitilde{} "
        "\\{a\\}\\textasciicircum{}b \\textbackslash{} c \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )


def test_markdown(rows: list[MeasuredRow | Outcome]) -> None:
    """As our own tables; what no row has a figure of is not a column."""
    text = rows_text.table(rows, "markdown")
    head, rule, *body = text.splitlines()
    assert head.startswith("| Design | Variant | Fast | Width | Target | Slots |")
    assert rule.startswith("| :-- | :-- | --: |")
    assert len(body) == 4
    assert "DSP" not in head
    assert "Gb/s" in head
    counted = rows[0].model_copy(update={"fmax_mhz": None, "gbps": None})
    head = rows_text.table([counted], "markdown").splitlines()[0]
    assert "Gb/s" not in head
    assert "Bits a clock" in head


@pytest.mark.parametrize(
    ("form", "columns", "told"),
    [
        ("html", None, "unknown format 'html': one of csv, latex, markdown"),
        ("csv", ["luts", "speed"], "unknown column 'speed': one of design, "),
    ],
)
def test_another_table_is_reported(
    rows: list[MeasuredRow | Outcome], form: str, columns: list[str] | None, told: str
) -> None:
    """With what there is instead."""
    with pytest.raises(LabError, match=told):
        rows_text.table(rows, form, columns)


def test_a_table_is_sorted(rows: list[MeasuredRow | Outcome]) -> None:
    """By numbers as numbers and words as words; what has no value is last, whichever way."""

    def luts(column: str, *, descending: bool = False) -> list[str]:
        text = rows_text.table(rows, "csv", ["luts"], sort=column, descending=descending)
        return [line.strip('"') for line in text.splitlines()[1:]]

    assert luts("gbps") == ["5000", "9500", "9000", ""]
    assert luts("gbps", descending=True) == ["9000", "9500", "5000", ""]
    assert luts("Width") == ["9000", "9500", "", "5000"]  # 8 before 9 before 31; of results/: none
    assert luts("Width", descending=True) == ["", "9500", "9000", "5000"]
    assert luts("failed") == ["", "5000", "9000", "9500"]
    assert luts("design") == luts("design", descending=True) == ["5000", "9000", "9500", ""]
    for column in ("speed", "parameters"):
        with pytest.raises(LabError, match=f"unknown column '{column}': one of design, "):
            luts(column)


def test_rows_are_selected(rows: list[MeasuredRow | Outcome], toy_root: Path) -> None:
    """By target, kind and family; what the registry does not have is of none."""
    designs = load_designs(toy_root)
    counted = rows[0].model_copy(update={"target": "xc7"})
    gone = rows[0].model_copy(update={"variant": "gone"})
    several = [*rows, counted, gone]
    assert Selection().of(several, designs) == several
    assert Selection(targets=["xc7"]).of(several, designs) == [counted]
    assert Selection(targets=["xc7", "ecp5-85k"]).of(several, designs) == several
    assert Selection(kinds=["stream", "engine"]).of(several, designs) == [*rows, counted]
    assert Selection(families=["keccak"]).of(several, designs) == [*rows, counted]
    assert Selection(functions=["sha3-256"]).of(several, designs) == [*rows, counted]
    attempts = {
        "unknown target 'gone': one of ecp5-85k, xc7": Selection(targets=["xc7", "gone"]),
        "unknown kind 'motor': one of engine, word-engine, stream, ": Selection(kinds=["motor"]),
        "unknown family 'md5': one of ": Selection(families=["md5"]),
        "unknown function 'md5': one of ": Selection(functions=["md5"]),
        "no row of function kt128": Selection(functions=["kt128"]),
        "no row of target xc7 and kind stream": Selection(targets=["xc7"], kinds=["stream"]),
    }
    for told, selection in attempts.items():
        with pytest.raises(LabError, match=told):
            selection.of(several, designs)


def test_a_tree_is_of_its_own_functions(rows: list[MeasuredRow | Outcome], toy_root: Path) -> None:
    """Its figures are of one message in all slots, which it hashes by no other function."""
    designs = load_designs(toy_root)
    designs["toy"] = designs["toy"].model_copy(update={"tree": "parallelhash128"})
    assert Selection(functions=["parallelhash256"]).of(rows, designs) == rows
    with pytest.raises(LabError, match="no row of function sha3-256"):
        Selection(functions=["sha3-256"]).of(rows, designs)


def test_fronts_do_not_mix(rows: list[MeasuredRow | Outcome], toy_root: Path) -> None:
    """An engine has no padding, and other functions are other work: each has its own front."""
    designs = load_designs(toy_root)
    toy = designs["toy"]
    stream = toy.variants["core"].model_copy(update={"kind": "stream"})
    designs["toy"] = toy.model_copy(update={"variants": {**toy.variants, "stream": stream}})
    designs["other"] = toy.model_copy(update={"functions": ["jh-256", "jh-224"]})
    engine, *_ = (row for row in rows if isinstance(row, MeasuredRow))
    larger = {"luts": 9000, "gbps": 4.0}
    shown = [
        engine,
        engine.model_copy(update={"variant": "stream", **larger}),
        engine.model_copy(update={"name": "other", **larger, "luts": 9999}),
        engine.model_copy(update=larger),
        engine.model_copy(update={"name": "gone", "luts": 7000}),
    ]
    dots = scatter.points(shown, scatter.Axes("luts", "gbps"), designs)
    assert {name: [dot.x for dot in front] for name, front in scatter.fronts(dots).items()} == {
        "engine, sha3-256": [5000],
        "stream, sha3-256": [9000],
        "engine, jh-256": [9999],
        "of an unknown kind": [7000],
    }


def test_fronts_are_drawn(
    rows: list[MeasuredRow | Outcome], toy_root: Path, tmp_path: Path
) -> None:
    """Each with its name, where there are several; a front of one kind needs none."""
    designs = load_designs(toy_root)
    designs["other"] = designs["toy"].model_copy(update={"functions": ["jh-256"]})
    axes, drawn = scatter.Axes("luts", "gbps"), tmp_path / "plot.svg"
    scatter.save(rows, drawn, axes, front=True, designs=designs)
    alone = drawn.read_text("utf-8")
    assert "engine, sha3-256" not in alone
    several = [*rows, rows[0].model_copy(update={"name": "other"})]
    scatter.save(several, drawn, axes, front=True, designs=designs)
    text = drawn.read_text("utf-8")
    assert text.count(">engine, sha3-256<") == text.count(">engine, jh-256<") == 1
    assert "of the same kind and function" in text


def test_the_front(rows: list[MeasuredRow | Outcome]) -> None:
    """What nothing is both smaller and faster than; equals are all on it."""
    measured = [row for row in rows if isinstance(row, MeasuredRow)]
    dots = scatter.points(measured, scatter.Axes("luts", "gbps"))
    assert [(dot.x, dot.y) for dot in scatter.pareto_front(dots)] == [(5000, 4.9867), (9000, 20.0)]
    assert [dot.label for dot in dots] == ["core", "core Fast=true Width=8", "core Width=9"]
    twins = [*dots, dots[0]]
    assert len(scatter.pareto_front(twins)) == 3


def test_a_plot_is_drawn(rows: list[MeasuredRow | Outcome], tmp_path: Path) -> None:
    """Named points, the front, hollow where one seed; the page to hover over needs no network."""
    axes = scatter.Axes("luts", "gbps")
    drawn, page = tmp_path / "plot.svg", tmp_path / "plot.html"
    assert scatter.save(rows, drawn, axes, front=True) == 0
    text = drawn.read_text("utf-8")
    for words in ("core Fast=true Width=8", "LUT4", "Gb/s", "Line: the front"):
        assert words in text
    assert len(re.findall(r'<path aria-label="[^"]*"[^>]*fill-opacity="0"', text)) == 1
    scatter.save(rows, drawn, axes)
    assert "Line: the front" not in drawn.read_text("utf-8")
    scatter.save(rows, page, axes, front=True)
    text = page.read_text("utf-8")
    assert "core Fast=true Width=8" in text
    assert not re.search(r"<(script|link)[^>]*(src|href)=", text)
    assert len(text) > 500_000  # Vega is in it.


def test_what_cannot_be_drawn_is_reported(
    rows: list[MeasuredRow | Outcome], tmp_path: Path
) -> None:
    """Rows of another device are not comparable; rows without a figure are counted."""
    axes, path = scatter.Axes("luts", "gbps"), tmp_path / "plot.svg"
    counted = rows[0].model_copy(update={"fmax_mhz": None, "gbps": None})
    assert scatter.save([*rows, counted], path, axes) == 1
    other = counted.model_copy(update={"target": "xc7"})
    several = [*rows, other]
    assert scatter.save(several, path, axes, target="ecp5-85k") == 0
    path.unlink()
    attempts: list[tuple[Callable[[], object], str]] = [
        (
            lambda: scatter.save(several, path, axes),
            "several targets: --target: one of ecp5-85k, x",
        ),
        (
            lambda: scatter.save(several, path, axes, target="xc7"),
            "no row of xc7 has both luts and",
        ),
        (lambda: scatter.save(rows, tmp_path / "plot.png", axes), "ends in .svg or .html"),
        (lambda: scatter.Axes("gbps", "gbps"), "unknown area 'gbps'"),
        (lambda: scatter.Axes("luts", "luts"), "unknown speed 'luts'"),
    ]
    for attempt, told in attempts:
        with pytest.raises(LabError, match=re.escape(told)):
            attempt()
    assert not path.exists()


def test_rows_that_are_none_are_reported(tmp_path: Path) -> None:
    """With the file, or the directory without any."""
    with pytest.raises(LabError, match="no rows in it"):
        load_private([tmp_path])
    for text, told in (("{}", "no outcome of a sweep"), ("[1]", "row 1"), ("x", "not a list")):
        (tmp_path / "a.json").write_text(text, encoding="utf-8")
        with pytest.raises(LabError, match=told):
            load_private([tmp_path])


####################
# The commands     #
####################


@pytest.fixture
def command(toy: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Run `hashfabric` in the toy's checkout; return its exit status."""
    monkeypatch.setattr("hashfabric.base.paths.ROOT", toy)
    found, wanted = find_design("toy", toy), {n: find_target(n, toy) for n in ("xc7", "ecp5-85k")}
    monkeypatch.setattr(registry, "find_design", lambda _: found)
    monkeypatch.setattr(targets, "find_target", wanted.__getitem__)
    return lambda *args: cli.main([str(arg) for arg in args])


@pytest.mark.slow
def test_the_commands(
    command: Callable[..., int], toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Build, sweep, table and plot from end to end; the checkout is as it was (see `toy`)."""
    own = toy / "own"
    assert command("build", "toy/core", "--set", "Width=8", "--target", "xc7", "--out", own) == 0
    assert f"Files: {own}/toy-xc7-core-Width=8/" in capsys.readouterr().out.replace("\n", "")
    sweep = ["sweep", "toy/core", "--set", "Width=9,31", "--target", "xc7", "--jobs", "1"]
    assert command(*sweep, "--out", own, "--json") == 1
    said = capsys.readouterr()
    outcomes = json.loads(said.out)
    assert [one["parameters"] for one in outcomes] == [{"Width": 9}, {"Width": 31}]
    assert "toy core Width=31 on xc7: failed: toy core Width=31: toy: Width is" in said.err
    assert said.err.endswith("hashfabric: 1 of 2 configurations failed\n")
    assert command("table", own, "--format", "csv", "--columns", "Width,ffs_core,failed") == 0
    said = capsys.readouterr()
    reason = '"toy core Width=31: toy: Width is at most 30, not 31"'
    assert sorted(said.out.splitlines()) == [
        f"31,,{reason}",
        "8,8,",
        "9,9,",
        "Width,ffs_core,failed",
    ]
    picture = own / "plot.svg"
    assert command("plot", own, "--pareto", "--y", "bits_per_clock", "--out", picture) == 0
    assert "core Width=9" in picture.read_text("utf-8")
    assert command("table") == 0  # those of results/
    assert "| toy | core | ecp5-85k |" in capsys.readouterr().out


def test_a_sweep_says_what_runs(
    command: Callable[..., int], toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On standard error as `build` does; beside `--json` only what came of each."""
    sweep = ["sweep", "toy/core", "--set", "Width=31", "--target", "xc7", "--out", toy / "own"]
    assert command(*sweep) == 1
    assert capsys.readouterr().err.startswith("parameters of 1 configurations ...\n")
    assert command(*sweep, "--json") == 1
    assert capsys.readouterr().err.startswith("toy core Width=31 on xc7: failed: ")


####################
# The real designs #
####################


def kept_hash() -> str:
    """Return the hash of the files that commands on private rows must not change."""
    files = [ROOT / "README.md", *sorted((ROOT / "results").iterdir()), *(ROOT / "docs").glob("*")]
    whole = hashlib.sha256()
    for path in sorted(path for path in files if path.is_file()):
        whole.update(f"{path}\n".encode() + path.read_bytes())
    return whole.hexdigest()


def examples() -> list[str]:
    """Return the commands that docs/use/private.md shows, in order."""
    blocks = re.findall(
        r"^```sh\n(.*?)^```", (ROOT / "docs/use/private.md").read_text("utf-8"), re.M | re.S
    )
    return [line for block in blocks for line in block.splitlines()]


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the page in `folder`, as a user there does."""
    words = [sys.executable, "-m", *shlex.split(line)]
    environment = {**os.environ, "HASHFABRIC_ROOT": str(ROOT), "PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_the_page_s_commands_on_the_registry_s_rows(tmp_path: Path) -> None:
    """Those that need no build."""
    before = kept_hash()
    (tmp_path / "own").mkdir()
    lines = [line for line in examples() if "plot --" in line or line == "hashfabric table"]
    assert len(lines) == 2
    for line in lines:
        run = shell(line, tmp_path)
        assert run.returncode == 0, run.stderr
    assert (tmp_path / "own" / "registry.html").is_file()
    assert kept_hash() == before


@pytest.mark.slow
def test_the_page_s_commands(tmp_path: Path) -> None:
    """All of them, in order; one configuration of the sweep is not legal, and it says so."""
    before = kept_hash()
    statuses = {line: shell(line, tmp_path).returncode for line in examples()}
    failed = [line for line, status in statuses.items() if status != 0]
    assert [line.partition(" --")[0] for line in failed] == [
        "hashfabric sweep keccak-pipelined/core"
    ]
    outcomes = [one for one in load_private([tmp_path / "own"]) if isinstance(one, Outcome)]
    assert len(outcomes) == 6
    reason = "hf_keccak_pipelined: Rounds divides 24, 5 does not"
    for one in outcomes:
        assert (one.row is None) == (one.parameters["Rounds"] == 5)
        assert one.failed is None or one.failed.endswith(reason)
        if one.row is not None:
            assert one.row.clocks_per_block == 24 / one.parameters["Rounds"]
            stages = 5 if one.parameters["Registers"] == 47 else 4
            assert one.row.slots == stages * one.parameters["Rounds"]
    assert kept_hash() == before


@pytest.mark.slow
def test_a_sweep_of_a_real_engine_routes(tmp_path: Path) -> None:
    """Verified, synthesised, placed and routed by one seed; its clock gives its throughput."""
    before = kept_hash()
    line = "hashfabric sweep keccak-iterative/core --set RoundsPerClock=1 --target ecp5-85k"
    run = shell(f"{line} --seeds 1 --jobs 2 --out own --json", tmp_path)
    assert run.returncode == 0, run.stderr
    [outcome] = load_private([tmp_path / "own"])
    assert json.loads(run.stdout) == [outcome.model_dump()]
    assert isinstance(outcome, Outcome)
    assert outcome.row is not None
    fmax = outcome.row.fmax_mhz
    assert fmax is not None
    assert fmax.median is not None
    assert outcome.row.gbps == pytest.approx(1088 * fmax.median / 24 / 1000, abs=1e-4)
    assert kept_hash() == before
