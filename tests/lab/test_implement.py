"""The build flow, on a counter: the real tools once, then what must hold around them."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hashfabric.base.cache import Cache, Job
from hashfabric.base.errors import LabError
from hashfabric.base.progress import Steps
from hashfabric.base.tools import Tool, ToolError, ToolTimeout
from hashfabric.flows.base import RoutedTarget, Target
from hashfabric.flows.ecp5.flow import Ecp5Profile
from hashfabric.flows.targets import find_target
from hashfabric.implement import build as implement
from hashfabric.implement import jobs
from hashfabric.implement.build import Builder, Seed
from hashfabric.registry.designs import Variant, find_design, source_hash
from hashfabric.registry.results import Fmax, MeasuredRow

CORE_FFS = 20
# en and add; reset; count and odd registered, then 21 bits folded by fours: 6, 2, 1.
HARNESS_FFS = 5 + 1 + 21 + (6 + 2 + 1)


@pytest.fixture(scope="module")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for this module: the tools run once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def builder(
    toy_root: Path, shared_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Builder]:
    """A builder of the toy for ECP5, in the toy's checkout, whose check always passes."""
    monkeypatch.setattr(implement, "ROOT", toy_root)
    monkeypatch.setattr(implement, "BUILD", toy_root / "build")
    monkeypatch.setattr(implement, "measure_clocks", lambda *_: {"core": 24.0})
    design, target = find_design("toy", toy_root), find_target("ecp5-85k", toy_root)
    with Steps(quiet=True) as steps:
        yield Builder(design, target, steps, Cache(shared_cache))


def build(builder: Builder, seeds: int) -> MeasuredRow:
    """Build the toy's core with `seeds` seeds."""
    rows = implement.build(builder, seeds=range(1, seeds + 1), variants=["core"])
    assert len(rows) == 1
    return rows[0]


def test_a_row_from_the_real_tools(builder: Builder, toy_root: Path) -> None:
    """Synthesis, three seeds, a bitstream: every figure follows from the others."""
    row = build(builder, seeds=3)
    assert (row.name, row.variant, row.target, row.lut) == ("toy", "core", "ecp5-85k", "LUT4")
    assert row.ffs_core == CORE_FFS
    assert row.ffs == CORE_FFS + HARNESS_FFS  # exactly: nothing was optimised away
    assert 0 < row.luts_core < row.luts
    fmax = row.fmax_mhz
    assert fmax is not None
    assert fmax.median is not None
    assert fmax.n == 3
    clocks = sorted(clock for clock in fmax.seeds.values() if clock is not None)
    assert [fmax.min, fmax.median, fmax.max] == clocks
    assert clocks[0] < clocks[2]  # the seeds do differ
    assert fmax.seeds[str(row.bitstream_seed)] == fmax.median
    assert row.gbps == pytest.approx(1088 * fmax.median / 24 / 1000, abs=1e-4)
    assert row.mbps_per_lut == pytest.approx(1000 * (row.gbps or 0) / row.luts, abs=1e-4)
    origin = row.provenance
    assert origin.source_hash == source_hash(builder.design.variant("core"), toy_root)
    assert origin.constraint_mhz == 300
    assert set(origin.tools) == {"yosys", "nextpnr-ecp5", "ecppack"}
    assert not any(str(toy_root) in command for command in origin.commands.values())
    home = toy_root / "build" / "toy-ecp5-85k-core"
    assert (home / "rtl" / "toy.sv").is_file()
    harness = (home / "harness.sv").read_bytes()
    assert hashlib.sha256(harness).hexdigest() == origin.harness_hash
    for name in ("harness-netlist.json", "bitstream.bit", "route-report.json", "row.json"):
        assert (home / name).stat().st_size > 100, name


def test_the_second_build_runs_no_tool(
    builder: Builder, toy_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All out of the cache, and the row is the same."""
    first = build(builder, seeds=2)

    def no_run(self: Tool, *args: object, **kwargs: object) -> None:
        pytest.fail(f"{self.name} was run again")

    monkeypatch.setattr(Tool, "run", no_run)
    assert build(builder, seeds=2) == first
    (toy_root / "rtl" / "toy.sv").write_text("module toy; endmodule\n", encoding="utf-8")
    with pytest.raises(pytest.fail.Exception, match="yosys was run again"):
        build(builder, seeds=2)


def test_a_netlist_that_stays_is_not_routed_again(
    builder: Builder, toy_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A comment that moves lines is synthesised, no more, and is no other source."""
    first = build(builder, seeds=1)
    source = toy_root / "rtl" / "toy.sv"
    source.write_text("// changed\n\n" + source.read_text("utf-8"), encoding="utf-8")
    ran: list[str] = []
    run = Tool.run

    def noted(self: Tool, *args: Any, **kwargs: Any) -> None:
        ran.append(self.name)
        run(self, *args, **kwargs)

    monkeypatch.setattr(Tool, "run", noted)
    second = build(builder, seeds=1)
    assert set(ran) == {"yosys"}
    assert second.fmax_mhz == first.fmax_mhz
    assert second == first.model_copy(update={"provenance": second.provenance})
    assert second.provenance.source_hash == first.provenance.source_hash


def test_seeds_of_a_row_are_kept(builder: Builder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only seeds missing in the row are routed, and the median's; a changed clock is an error."""
    whole, first = build(builder, seeds=3), build(builder, seeds=2)
    routed: list[int] = []
    route = Builder.route

    def noted(self: Builder, synth: Any, target: Any, seed: int) -> implement.Seed:
        routed.append(seed)
        return route(self, synth, target, seed)

    def more(known: MeasuredRow) -> MeasuredRow:
        routed.clear()
        [row] = implement.build(
            builder, seeds=[1, 2, 3], variants=["core"], known=[known], keep_seeds=True
        )
        return row

    monkeypatch.setattr(Builder, "route", noted)
    assert more(first) == whole
    assert routed == [3, *([] if whole.bitstream_seed == 3 else [whole.bitstream_seed])]
    netlists = {"core": "", "harness": ""}
    other = first.provenance.model_copy(update={"netlists": netlists})
    assert more(first.model_copy(update={"provenance": other})) == whole
    assert sorted(routed) == [1, 2, 3]
    moved = Fmax.of({1: 1.0, 2: 2.0, 3: 3.0}, {})
    with pytest.raises(LabError, match=r"seed 2 has 2.0 MHz in its row and .* measure all seeds"):
        more(first.model_copy(update={"fmax_mhz": moved}))


@pytest.mark.slow
def test_a_row_of_the_same_netlist_is_kept(
    builder: Builder, toy_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another text for the same: synthesised, not routed; the row has the new text's hash."""
    first = build(builder, seeds=2)
    source = toy_root / "rtl" / "toy.sv"
    text = source.read_text("utf-8")
    named = text.replace("  always_ff", "  wire unused = en_i;\n  always_ff")
    source.write_text(named, encoding="utf-8")
    real = jobs.route_job
    monkeypatch.setattr(implement, "route_job", lambda *_: pytest.fail("routed again"))

    def again(seeds: int, known: list[MeasuredRow]) -> MeasuredRow:
        [row] = implement.build(builder, seeds=range(1, seeds + 1), variants=["core"], known=known)
        return row

    kept = again(1, [first])  # fewer seeds than were routed
    origin = kept.provenance
    assert kept == first.model_copy(update={"provenance": origin})
    assert origin.source_hash != first.provenance.source_hash
    assert origin.source_hash == source_hash(builder.design.variant("core"), toy_root)
    assert origin.keys["harness"] != first.provenance.keys["harness"]
    assert origin.keys["route"] == first.provenance.keys["route"]
    # The clock is the netlist's; what a block takes is measured in every run.
    assert again(1, [first.model_copy(update={"clocks_per_block": 25.0, "gbps": 1.0})]) == kept

    for other in (
        [],
        [first.model_copy(update={"variant": "other"})],
        [changed(first, netlists={**first.provenance.netlists, "harness": "0"})],
        [changed(first, tools={**first.provenance.tools, "nextpnr-ecp5": "0"})],
        [changed(first, commands={**first.provenance.commands, "route": "by hand"})],
        [changed(first, seeds=[2, 3])],
    ):
        with pytest.raises(pytest.fail.Exception, match="routed again"):
            again(1, other)
    with pytest.raises(pytest.fail.Exception, match="routed again"):
        again(3, [first])
    monkeypatch.setattr(implement, "route_job", real)
    source.write_text(text.replace("+ Width'(add_i)", "- Width'(add_i)"), encoding="utf-8")
    assert again(1, [first]).provenance.netlists != first.provenance.netlists


def test_a_row_of_the_same_elaborated_design_is_kept(
    builder: Builder, toy_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A parameter of another name: not even synthesised; another constraint or tool is no match."""
    first = build(builder, seeds=1)
    source = toy_root / "rtl" / "toy.sv"
    text = source.read_text("utf-8")
    source.write_text(text.replace("Step", "Increment"), encoding="utf-8")
    core = builder.design.variant("core")
    renamed = core.model_copy(update={"parameters": {"Increment": 3, "Width": 20}})
    design = builder.design.model_copy(update={"variants": {"core": renamed}})
    monkeypatch.setattr(implement, "synth_job", lambda *_: pytest.fail("synthesised again"))
    quick = implement.measure_clocks
    monkeypatch.setattr(implement, "measure_clocks", lambda *_: pytest.fail("simulated again"))

    def again(row: MeasuredRow, target: Target = builder.target) -> MeasuredRow:
        other = Builder(design, target, builder.steps, builder.cache)
        [kept] = implement.build(other, seeds=[1], variants=["core"], known=[row])
        return kept

    kept = again(first)
    monkeypatch.setattr(implement, "measure_clocks", quick)
    assert kept == changed(
        first,
        source_hash=source_hash(renamed, toy_root),
        harness_hash=kept.provenance.harness_hash,
    )
    assert kept.provenance.harness_hash != first.provenance.harness_hash
    commands = first.provenance.commands
    for other in (
        changed(first, elaborated="0"),
        changed(first, elaborated=""),
        changed(first, commands={**commands, "harness": "by hand"}),
        changed(first, commands={**commands, "route": "by hand"}),
        changed(first, tools={**first.provenance.tools, "yosys": "0"}),
        kept,  # its sources are these: it is to be measured anew
    ):
        with pytest.raises(pytest.fail.Exception, match="synthesised again"):
            again(other)
    faster = builder.target.model_copy(update={"abc9_delay_ps": 1})
    with pytest.raises(pytest.fail.Exception, match="synthesised again"):
        again(first, faster)
    source.write_text(text.replace("Step", "Increment").replace("'0", "'1"), encoding="utf-8")
    with pytest.raises(pytest.fail.Exception, match="synthesised again"):
        again(first)


def changed(row: MeasuredRow, **provenance: object) -> MeasuredRow:
    """The row with some of its provenance another."""
    return row.model_copy(update={"provenance": row.provenance.model_copy(update=provenance)})


@pytest.mark.slow
@pytest.mark.parametrize("edit", ["spread", "box"])
def test_an_edited_design_routes(builder: Builder, toy_root: Path, edit: str) -> None:
    """Placed, spread or dealt out, and routed by the real tools; the row has all commands."""
    target = builder.target.model_copy(update={edit: {"spread": "3/2", "box": "1/4"}[edit]})
    edited = Builder(builder.design, target, builder.steps, builder.cache)
    row = build(edited, seeds=1)
    assert row.ffs == CORE_FFS + HARNESS_FFS
    assert row.fmax_mhz is not None
    assert row.fmax_mhz.n == 1
    steps = row.provenance.commands["route"].split("; ")
    assert [step.split()[0] for step in steps] == ["nextpnr-ecp5", edit, "nextpnr-ecp5"]
    home = toy_root / "build" / "toy-ecp5-85k-core"
    assert (home / "harness-netlist.json").is_file()
    assert (home / "bitstream.bit").is_file() and (home / "routed.config").is_file()
    assert row.provenance.keys["route"] != build(builder, seeds=1).provenance.keys["route"]


@pytest.mark.slow
def test_copies_are_placed_and_routed_once(builder: Builder) -> None:
    """By the real tools, each with its pin; everything is counted, and the row has the commands.

    One is placed and routed first, then all are placed, and the rest is routed.
    """
    core = builder.design.variant("core")
    design = builder.design.model_copy(
        update={"variants": {"core": core.model_copy(update={"copies": 3})}}
    )
    row = build(Builder(design, builder.target, builder.steps, builder.cache), seeds=1)
    one = build(builder, seeds=1)
    assert (row.slots, row.clocks_per_block) == (3 * one.slots, one.clocks_per_block / 3)
    assert (row.ffs, row.ffs_core, row.luts_core) == (3 * one.ffs, 3 * CORE_FFS, 3 * one.luts_core)
    assert one.luts < row.luts <= 3 * one.luts
    steps = row.provenance.commands["route"].split("; ")
    assert [step.split()[0] for step in steps] == [
        *("nextpnr-ecp5", "distributed", "nextpnr-ecp5", "3"),
        *("nextpnr-ecp5", "with", "nextpnr-ecp5"),
    ]


@pytest.mark.slow
def test_copies_are_counted_without_a_router(builder: Builder, toy_root: Path) -> None:
    """Where only synthesis is measured, its counts are multiplied."""
    core = builder.design.variant("core")
    twice = builder.design.model_copy(
        update={"variants": {"core": core.model_copy(update={"copies": 2})}}
    )
    xc7 = find_target("xc7", toy_root)
    row = build(Builder(twice, xc7, builder.steps, builder.cache), seeds=0)
    one = build(Builder(builder.design, xc7, builder.steps, builder.cache), seeds=0)
    assert (row.luts_core, row.ffs) == (2 * one.luts_core, 2 * one.ffs)


@pytest.mark.slow
def test_a_profile_is_built_with(builder: Builder) -> None:
    """The variant's profile decides; the row quotes what was run, and its constraint."""
    profile = Ecp5Profile(pnr_options=["--freq", "250"], synth_options=["-noccu2"])
    target = builder.target.model_copy(update={"profiles": {"deep": profile}})
    core = builder.design.variant("core")
    design = builder.design.model_copy(
        update={"variants": {"core": core.model_copy(update={"profile": "deep"})}}
    )
    row = build(Builder(design, target, builder.steps, builder.cache), seeds=1)
    commands = row.provenance.commands
    assert commands["core"].startswith("synth_ecp5 -noccu2 -top toy; ")
    assert "--freq 250 " in commands["route"]
    assert row.provenance.constraint_mhz == 250
    plain = build(Builder(builder.design, target, builder.steps, builder.cache), seeds=1)
    assert plain == build(builder, seeds=1)
    assert plain.provenance.keys != row.provenance.keys


@pytest.mark.slow
def test_counts_only(builder: Builder, toy_root: Path) -> None:
    """A target without place and route gives counts, and claims no clock."""
    counts = Builder(builder.design, find_target("xc7", toy_root), builder.steps, builder.cache)
    row = build(counts, seeds=0)
    assert (row.fmax_mhz, row.gbps, row.mbps_per_lut, row.bitstream_seed) == (None,) * 4
    assert row.ffs_core == CORE_FFS
    assert row.ffs == CORE_FFS + HARNESS_FFS
    assert 0 < row.luts_core < row.luts


def test_a_seed_that_does_not_route_is_reported(
    builder: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It counts neither as a clock nor as nothing."""
    real = jobs.route_job

    def route(cache: Cache, target: RoutedTarget, synth: Job, seed: int) -> Job:
        if seed == 1:
            raise ToolTimeout("late")
        if seed == 3:
            raise ToolError("nextpnr-ecp5: failed: congested: see /here/route.log")
        return real(cache, target, synth, seed)

    monkeypatch.setattr(implement, "route_job", route)
    row = build(builder, seeds=3)
    assert row.fmax_mhz is not None
    assert row.fmax_mhz.n == 1
    assert row.fmax_mhz.seeds["1"] is None
    assert row.fmax_mhz.seeds["2"] == row.fmax_mhz.median
    assert row.fmax_mhz.unrouted == {
        "1": "not routed within 600 s",
        "3": "nextpnr-ecp5: failed: congested",
    }
    assert row.bitstream_seed == 2


def test_no_seed_routed(builder: Builder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then there is no clock, no throughput and no bitstream; the counts are of the netlist."""

    def route(cache: Cache, target: RoutedTarget, synth: Job, seed: int) -> Job:
        raise ToolTimeout("late")

    monkeypatch.setattr(implement, "route_job", route)
    row = build(builder, seeds=2)
    assert row.fmax_mhz is not None
    assert (row.fmax_mhz.median, row.fmax_mhz.n) == (None, 0)
    assert (row.gbps, row.mbps_per_lut, row.bitstream_seed) == (None, None, None)
    assert "bitstream" not in row.provenance.keys


def test_a_design_that_does_not_parse(builder: Builder, toy_root: Path) -> None:
    """The tool's own words and the log's place, in one line."""
    (toy_root / "rtl" / "toy.sv").write_text("module toy(; endmodule\n", encoding="utf-8")
    with pytest.raises(LabError, match=r"yosys: failed: .*ERROR: .*see .*synth\.log") as caught:
        build(builder, seeds=1)
    assert "\n" not in str(caught.value)
    assert not (toy_root / "build" / "toy-ecp5-85k-core").exists()


def test_a_design_that_fails_its_check_is_not_built(
    builder: Builder, toy_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No tool sees a core that computes something else."""

    def wrong(*_: object) -> dict[str, float]:
        raise LabError("toy: wrong digest")

    monkeypatch.setattr(implement, "measure_clocks", wrong)
    monkeypatch.setattr(Tool, "run", lambda *args, **kwargs: pytest.fail("a tool was run"))
    with pytest.raises(LabError, match="wrong digest"):
        build(builder, seeds=1)


def test_the_median_seed() -> None:
    """The middle one; the slower of the two in the middle; none of none."""

    def seed(number: int, fmax: float) -> Seed:
        return Seed(number, Job("k", Path(), {"fmax_mhz": fmax}, cached=False))

    three = [seed(1, 120.0), seed(2, 100.0), seed(3, 110.0)]
    assert implement.median_seed(three) is three[2]
    assert implement.median_seed(three[:2]) is three[1]
    assert implement.median_seed([*three, Seed(4, None, "late")]) is three[2]
    assert implement.median_seed([Seed(1, None, "late")]) is None


def test_seed_list(builder: Builder, toy_root: Path) -> None:
    """As many as asked for, else the target's; none where there is no router."""
    assert implement.seed_list(builder.target, 2) == [1, 2]
    assert implement.seed_list(builder.target, None) == [1, 2, 3, 4, 5]
    assert implement.seed_list(find_target("xc7", toy_root), 2) == []


def test_another_parameter_is_another_job(builder: Builder) -> None:
    """The width is in the key: the counts are not those of the first width."""
    variant = builder.design.variant("core")
    wide = Variant(**{**variant.model_dump(), "parameters": {"Step": 3, "Width": 24}})
    assert builder.synthesise("core", wide).core.result["use"]["ffs"] == 24


def test_variants_are_built_for_their_targets(toy_root: Path) -> None:
    """Left out elsewhere, refused where named; a sweep over all targets leaves them out."""
    path = toy_root / "designs" / "toy.toml"
    text = path.read_text("utf-8")
    only = text[text.index("[variant.core]") :].replace("core", "only")
    only = only.replace('kind = "engine"', 'kind = "engine"\ntargets = ["xc7"]')
    path.write_text(f"{text}\n{only}", encoding="utf-8")
    design = find_design("toy", toy_root)
    ecp5, xc7 = (find_target(name, toy_root) for name in ("ecp5-85k", "xc7"))
    assert implement.variants_for(design, ecp5) == ["core"]
    assert implement.variants_for(design, xc7) == ["core", "only"]
    assert implement.variants_for(design, xc7, ["only"]) == ["only"]
    assert implement.variants_for(design, ecp5, ["only"], every=True) == []
    with pytest.raises(LabError, match="toy only: is for xc7 only"):
        implement.variants_for(design, ecp5, ["core", "only"])
