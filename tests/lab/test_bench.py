"""The benchmark writes what it measured, for all that was chosen."""

import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from hashfabric.base.cache import DiskFull
from hashfabric.base.errors import LabError
from hashfabric.base.tools import Tool
from hashfabric.flows.targets import find_target, load_targets
from hashfabric.implement import benchmark as bench
from hashfabric.implement import build as implement
from hashfabric.implement.benchmark import Choice
from hashfabric.implement.estimate import RunEstimate, Work
from hashfabric.models import keccak
from hashfabric.models.family import Function
from hashfabric.models.functions import FUNCTIONS
from hashfabric.models.rfc9861 import kangarootwelve
from hashfabric.registry import results
from hashfabric.registry.designs import Design, find_design, load_designs
from hashfabric.registry.results import MeasuredRow, SoftwareSpeed, Speed, Statistics
from hashfabric.report.estimated import left
from hashfabric.simulate import library
from hashfabric.simulate.stream import HashRun
from tests.support.sample_rows import row_for


@pytest.fixture
def toy(toy_root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The benchmark on the toy's checkout."""
    monkeypatch.setattr(bench, "load_designs", lambda: load_designs(toy_root))
    monkeypatch.setattr(bench, "load_targets", lambda: load_targets(toy_root))
    return toy_root


def test_every_design_is_built_for_every_target(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One file each, with the seeds asked for."""
    built = []

    def build(
        builder: implement.Builder, *, seeds: list[int], variants: list[str], **_: object
    ) -> list[None]:
        built.append((builder.design.name, builder.target.name, seeds, variants))
        return []

    saved = []

    def save(rows: object, design: str, target: str) -> Path:
        saved.append((design, target))
        return Path("file")

    monkeypatch.setattr(implement, "build", build)
    monkeypatch.setattr(bench, "save_rows", save)
    assert list(bench.builds(Choice(seeds=2))) == ["wrote file", "wrote file"]
    assert built == [("toy", "ecp5-85k", [1, 2], ["core"]), ("toy", "xc7", [], ["core"])]
    assert saved == [("toy", "ecp5-85k"), ("toy", "xc7")]


def test_a_design_that_fails_does_not_end_the_others(
    toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line for each, and an error at the end; a full disk ends all."""
    saved, error = [], LabError("toy core: wrong digest")

    def build(builder: implement.Builder, **_: object) -> list[None]:
        if builder.target.name == "ecp5-85k":
            raise error
        return []

    def save(rows: object, design: str, target: str) -> Path:
        saved.append(target)
        return Path("file")

    monkeypatch.setattr(implement, "build", build)
    monkeypatch.setattr(bench, "save_rows", save)
    lines = bench.builds(Choice())
    assert next(lines) == "toy on ecp5-85k: failed: toy core: wrong digest"
    assert next(lines) == "wrote file"
    with pytest.raises(LabError, match=r"^1 of 2 builds failed: toy on ecp5-85k$"):
        next(lines)
    assert saved == ["xc7"]
    error = DiskFull("no space left on device")
    with pytest.raises(DiskFull):
        list(bench.builds(Choice()))
    assert saved == ["xc7"]


def test_what_is_left_is_said(
    toy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After each build but the last, from the times of those that are left."""
    monkeypatch.setattr(implement, "build", lambda *_, **__: [])
    monkeypatch.setattr(bench, "save_rows", lambda *_: Path("file"))
    times = [
        Work("toy", "core", target, "synthesis", 1, seconds, "row")
        for target, seconds in (("ecp5-85k", 5.0), ("xc7", 150.0))
    ]
    list(bench.builds(Choice(), partial(left, RunEstimate(times, 2))))
    assert capsys.readouterr().err == "1 of 2 builds done, about 2 min left\n"
    known = times[1]
    limit, unknown = replace(known, basis="limit"), replace(known, seconds=None, basis="unknown")
    places = [("toy", "xc7")]
    for work, said in (
        ([limit], "at most 2 min left"),
        ([limit, unknown], "about 2 min left, without 1 job of unknown time"),
        ([known, unknown, unknown], "about 2 min left, without 2 jobs of unknown time"),
        ([unknown], "1 job of unknown time left"),
        ([], "about 0 s left"),
    ):
        assert left(RunEstimate(work, 2), places) == said


def test_a_tool_that_is_missing_is_said_first(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is built, in one line for all of them."""
    missing = [Tool(name, f"{name}-tool", remedy=f"get {name}") for name in ("one", "other", "sim")]
    monkeypatch.setattr(type(find_target("xc7", toy)), "tools", missing[:2])
    monkeypatch.setattr(bench, "SIMULATION_TOOLS", missing[2:])
    with pytest.raises(LabError) as caught:
        bench.check_tools(Choice())
    assert str(caught.value) == (
        "one: no program 'one-tool': get one; other: no program 'other-tool': get other; "
        "sim: no program 'sim-tool': get sim"
    )
    assert {"verilator", "C++ compiler"} <= {tool.name for tool in library.TOOLS}
    bench.check_tools(Choice(stale=True))


def test_a_target_of_some_designs_is_measured_by_name(
    toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For all targets only the rows that it has are measured again."""
    path = toy / "targets" / "ecp5-85k.toml"
    path.write_text(path.read_text("utf-8") + "every_design = false\n", encoding="utf-8")
    built: list[str] = []

    def build(builder: implement.Builder, **_: object) -> list[None]:
        built.append(builder.target.name)
        return []

    monkeypatch.setattr(implement, "build", build)
    monkeypatch.setattr(bench, "save_rows", lambda *_: Path("file"))
    monkeypatch.setattr(bench, "find_target", lambda name: find_target(name, toy))
    list(bench.builds(Choice()))
    assert built == ["xc7"]
    list(bench.builds(Choice(target="ecp5-85k")))
    assert built == ["xc7", "ecp5-85k"]
    rows = [row_for(toy)]
    monkeypatch.setattr(bench, "rows_of", lambda _, target: rows if target == "ecp5-85k" else [])
    list(bench.builds(Choice()))
    assert built == ["xc7", "ecp5-85k", "ecp5-85k", "xc7"]


def test_rows_that_were_not_chosen_are_kept(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chosen variant's row is new, another's is as it was, one of no variant is gone."""
    row = row_for(toy)
    old = {name: row.model_copy(update={"variant": name, "luts": 1}) for name in ("core", "gone")}
    results.save_rows(list(old.values()), "toy", "ecp5-85k", toy)
    path = toy / "designs" / "toy.toml"
    text = path.read_text("utf-8")
    more = text[text.index("[variant.core]") :].replace("core", "deep")
    path.write_text(text.replace("[variant.core]", f"{more}\n[variant.core]"), encoding="utf-8")
    monkeypatch.setattr(bench, "find_design", lambda name: find_design(name, toy))
    monkeypatch.setattr(bench, "find_target", lambda name: find_target(name, toy))
    monkeypatch.setattr(bench, "rows_of", partial(results.rows_of, root=toy))
    monkeypatch.setattr(bench, "save_rows", partial(results.save_rows, root=toy))

    def build(_: object, *, variants: list[str], **__: object) -> list[MeasuredRow]:
        return [row.model_copy(update={"variant": name, "luts": 2}) for name in variants]

    monkeypatch.setattr(implement, "build", build)
    chosen = Choice("toy", "ecp5-85k", variants=["deep"])
    assert len(list(bench.builds(chosen))) == 1
    got = [(row.variant, row.luts) for row in results.rows_of("toy", "ecp5-85k", toy)]
    assert got == [("deep", 2), ("core", 1)]
    with pytest.raises(LabError, match="--design"):
        Choice(variants=["deep"]).designs()


def test_only_rows_of_other_sources_are_renewed(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a row that holds is measured again, nor one that there is not made."""
    built = []

    def build(builder: implement.Builder, *, variants: list[str], **_: object) -> list[MeasuredRow]:
        built.append((builder.target.name, variants))
        return [row_for(toy)]

    monkeypatch.setattr(implement, "build", build)
    monkeypatch.setattr(bench, "rows_of", partial(results.rows_of, root=toy))
    monkeypatch.setattr(bench, "save_rows", partial(results.save_rows, root=toy))
    monkeypatch.setattr(bench, "what_changed", partial(implement.what_changed, root=toy))
    results.save_rows([row_for(toy)], "toy", "ecp5-85k", toy)
    assert list(bench.builds(Choice(stale=True))) == []
    source = toy / "rtl" / "toy.sv"
    source.write_text(source.read_text("utf-8") + "wire more;\n", encoding="utf-8")
    assert len(list(bench.builds(Choice(stale=True)))) == 1
    assert built == [("ecp5-85k", ["core"])]


def test_the_simulator_is_timed(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MB/s are message bytes over seconds, several times, and the whole message was read."""
    lengths = []

    class FakeSim:
        """Reads the message and counts."""

        def __init__(self, design: Design) -> None:
            """Nothing to build."""

        def hash(self, function: Function, chunks: Iterable[bytes]) -> HashRun:
            """Take all; a million clocks."""
            lengths.append(sum(len(chunk) for chunk in chunks))
            return HashRun(digest=b"", clocks=1_000_000, blocks=1, error=False)

    saved: list[Speed] = []

    def save(rows: list[Speed]) -> Path:
        saved.extend(rows)
        return Path("file")

    monkeypatch.setattr(bench, "save_simulator", save)
    ticks = itertools.chain.from_iterable((10.0 * n, 10.0 * n + n + 1) for n in range(5))
    other = Speed(
        name="other",
        function="sha3-256",
        message_bytes=1,
        cpu="",
        mb_per_s=Statistics.of([1.0]),
        mclocks_per_s=Statistics.of([1.0]),
    )
    monkeypatch.setattr(bench, "load_simulator", lambda: [other, other])
    assert bench.simulator(Choice()) == "wrote file"
    assert saved == [other, other]  # the toy has no stream
    saved.clear()
    path = toy / "designs" / "toy.toml"
    text = path.read_text("utf-8").replace('kind = "engine"', 'kind = "stream"')
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(bench, "load_simulator", lambda: [other.model_copy(update={"name": "toy"})])
    monkeypatch.setattr(bench, "StreamSim", FakeSim)
    monkeypatch.setattr(bench, "perf_counter", lambda: next(ticks))
    assert bench.simulator(Choice()) == "wrote file"
    assert lengths == [bench.FILE_BYTES] * 5
    assert len(saved) == 1
    speed = saved[0].mb_per_s
    whole = bench.FILE_BYTES / 1e6
    assert (speed.n, speed.max, speed.median) == (5, round(whole, 2), round(whole / 3, 2))
    assert saved[0].mclocks_per_s.max == 1.0


def test_software_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gb/s are message bits over seconds, the functions in turn, each with the whole message."""
    calls: list[tuple[str, int]] = []

    def hasher(name: str) -> Callable[[bytes], bytes]:
        def call(message: bytes) -> bytes:
            calls.append((name, len(message)))
            return b""

        return call

    saved: list[SoftwareSpeed] = []

    def save(rows: list[SoftwareSpeed]) -> Path:
        saved.extend(rows)
        return Path("file")

    hashers = {name: (f"package of {name}", hasher(name)) for name in ("one", "other")}
    monkeypatch.setattr(bench, "_software", lambda: hashers)
    monkeypatch.setattr(bench, "save_software", save)
    ticks = itertools.chain.from_iterable((100.0 * n, 100.0 * n + n + 1) for n in range(10))
    monkeypatch.setattr(bench, "perf_counter", lambda: next(ticks))
    assert bench.software() == "wrote file"
    assert calls == [(name, bench.FILE_BYTES) for _ in range(5) for name in hashers]
    assert [row.package for row in saved] == ["package of one", "package of other"]
    bits = 8 * bench.FILE_BYTES / 1e9
    one, other = (row.gbps for row in saved)
    assert (one.n, one.max, one.median, one.min) == (5, *(round(bits / n, 2) for n in (1, 5, 9)))
    assert other.max == round(bits / 2, 2)


def test_software_hashes_what_it_says() -> None:
    """Each function's digest is the golden model's."""
    message = bytes(range(200))
    for name, (package, hasher) in bench._software().items():
        if name == "kt128":
            wanted = kangarootwelve(128, message, b"", 32)
        else:
            wanted = keccak.digest(FUNCTIONS[name], message, output_bits=256)
        assert hasher(message) == wanted, f"{name} by {package}"


def test_results_are_distinct_from_the_simulator(tmp_path: Path) -> None:
    """The simulator's file is not taken for rows."""
    results.save_simulator([], tmp_path)
    assert results.load_rows(tmp_path) == []
    assert results.load_simulator(tmp_path) == []
