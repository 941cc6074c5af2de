"""The benchmark writes what it measured, for all that was chosen."""

import itertools
from collections.abc import Iterable
from pathlib import Path

import pytest

from hashfabric import bench, implement, results
from hashfabric.bench import Choice
from hashfabric.functions import Function
from hashfabric.registry import Design, load_designs
from hashfabric.results import Speed
from hashfabric.simulate import HashRun
from hashfabric.targets import load_targets


@pytest.fixture
def toy(toy_root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The benchmark on the toy's checkout."""
    monkeypatch.setattr(bench, "load_designs", lambda: load_designs(toy_root))
    monkeypatch.setattr(bench, "load_targets", lambda: load_targets(toy_root))
    return toy_root


def test_every_design_is_built_for_every_target(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One file each, with the seeds asked for."""
    built = []

    def build(builder: implement.Builder, *, seeds: list[int], variants: list[str]) -> list[None]:
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

    ticks = itertools.chain.from_iterable((10.0 * n, 10.0 * n + n + 1) for n in range(5))
    monkeypatch.setattr(bench, "StreamSim", FakeSim)
    monkeypatch.setattr(bench, "save_simulator", save)
    monkeypatch.setattr(bench, "perf_counter", lambda: next(ticks))
    assert bench.simulator(Choice()) == "wrote file"
    assert lengths == [bench.FILE_BYTES] * 5
    speed = saved[0].mb_per_s
    whole = bench.FILE_BYTES / 1e6
    assert (speed.n, speed.max, speed.median) == (5, round(whole, 2), round(whole / 3, 2))
    assert saved[0].mclocks_per_s.max == 1.0


def test_results_are_told_apart_from_the_simulator(tmp_path: Path) -> None:
    """The simulator's file is not taken for rows."""
    results.save_simulator([], tmp_path)
    assert results.load_rows(tmp_path) == []
    assert results.load_simulator(tmp_path) == []
