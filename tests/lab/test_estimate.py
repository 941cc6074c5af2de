"""How long a run takes, before it begins: each time by what is known of it, and the sum."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hashfabric.base.cache import Cache, Job, Result
from hashfabric.base.progress import Steps
from hashfabric.flows.base import RoutedTarget
from hashfabric.flows.targets import find_target
from hashfabric.implement import benchmark, build
from hashfabric.implement import estimate as module
from hashfabric.implement.benchmark import Choice
from hashfabric.implement.estimate import RunEstimate, Times, Work, estimate
from hashfabric.registry import designs, results
from hashfabric.registry.results import MeasuredRow, save_rows
from hashfabric.report.estimated import length_text, summary
from tests.support.commands import run
from tests.support.sample_rows import row_for


def job(cache: Cache, seconds: float, luts: int, **about: str) -> Job:
    """A job in the cache with this time and these LUTs."""

    def work(directory: Path) -> Result:
        return {"use": {"luts": luts}}

    made = cache.run({**about, "n": [seconds, luts]}, work)
    path = cache.directory / f"{made.key}.json"
    record = json.loads(path.read_text(encoding="utf-8")) | {"seconds": seconds}
    path.write_text(json.dumps(record), encoding="utf-8")
    return made


@pytest.fixture
def toy(toy_root: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Work]]:
    """What is estimated of the toy on ecp5-85k; with these rows."""

    def found(*rows: MeasuredRow, **choice: object) -> list[Work]:
        save_rows(rows, "toy", "ecp5-85k", toy_root)
        chosen = Choice("toy", "ecp5-85k", **choice)  # type: ignore[arg-type]
        return list(estimate(chosen, Cache(toy_root / "cache"), 2).work)

    for place in (module, build):
        monkeypatch.setattr(place, "ROOT", toy_root)
    monkeypatch.setattr(module, "what_changed", lambda row, v, t: "")
    monkeypatch.setattr(module, "load_rows", lambda: results.load_rows(toy_root))
    monkeypatch.setattr(module, "rows_of", lambda d, t: results.rows_of(d, t, toy_root))
    monkeypatch.setattr(benchmark, "find_design", lambda name: designs.find_design(name, toy_root))
    monkeypatch.setattr(benchmark, "find_target", lambda name: find_target(name, toy_root))
    return found


def route_text(root: Path, seed: int) -> str:
    """The command of one seed."""
    target = find_target("ecp5-85k", root)
    assert isinstance(target, RoutedTarget)
    return target.route_text(seed)


def test_nothing_is_known(toy: Callable[..., list[Work]]) -> None:
    """A seed takes the target's limit at most; of synthesis nothing is said."""
    synthesis, _, route = toy()
    assert (synthesis.seconds, synthesis.basis) == (None, "unknown")
    assert (route.jobs, route.seconds, route.basis) == (5, 600, "limit")


def test_by_similar_jobs(toy: Callable[..., list[Work]], toy_root: Path) -> None:
    """By LUTs: 5,000 of the row in the harness, 4,444 without; the median of those measured."""
    cache = Cache(toy_root / "cache")
    for seconds in (10, 20, 90):
        job(cache, seconds, 1000, job="synth", flow="Ecp5Target")
        job(cache, 2 * seconds, 1000, job="route", command=route_text(toy_root, 3))
    job(cache, 5000, 1000, job="route", command="nextpnr-ecp5 --other --seed 1")
    job(cache, 7000, 1000, job="synth", flow="other")
    found = toy(row_for(toy_root), seeds=3)
    assert [one.jobs for one in found] == [1, 1, 3]
    assert [one.seconds for one in found] == pytest.approx([88.88, 100, 200])
    assert {one.basis for one in found} == {"similar jobs"}


def test_a_job_has_a_start_too(toy: Callable[..., list[Work]], toy_root: Path) -> None:
    """By a line through jobs of three sizes; not by one that goes down."""
    cache = Cache(toy_root / "cache")
    for luts in (100, 200, 1000):
        job(cache, 20 + luts / 100, luts, job="synth", flow="Ecp5Target")
        job(cache, 50 - luts / 100, luts, job="route", command=route_text(toy_root, 3))
    found = toy(row_for(toy_root))
    assert [one.seconds for one in found[1:]] == pytest.approx([20 + 50, 5000 * 48 / 200])


def test_another_command_of_the_same_program(
    toy: Callable[..., list[Work]], toy_root: Path
) -> None:
    """Serves where there is none of the same."""
    command = "nextpnr-ecp5 --other --seed 1"
    job(Cache(toy_root / "cache"), 50, 1000, job="route", command=command)
    *_, route = toy(row_for(toy_root))
    assert (route.seconds, route.basis) == (250, "similar jobs")


def test_by_its_row_and_by_its_own_jobs(
    toy: Callable[..., list[Work]], toy_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row carries times; its own jobs in the cache say more, and need not run again."""
    cache, row = Cache(toy_root / "cache"), row_for(toy_root)
    carried = {"core": 11.0, "harness": 12.0, "route": 13.0}
    keys = {
        "core": job(cache, 5, 1000, job="synth", flow="Ecp5Target").key,
        "route": job(cache, 7, 1000, job="route", command="x").key,
    }

    def with_(**update: object) -> MeasuredRow:
        return row.model_copy(update={"provenance": row.provenance.model_copy(update=update)})

    found = toy(with_(seconds=carried))
    assert [one.seconds for one in found] == [11, 12, 13]
    assert {one.basis for one in found} == {"row"}
    found = toy(with_(seconds=carried, keys=keys))
    assert [one.seconds for one in found] == [0, 12, 7]
    assert [one.basis for one in found] == ["cached", "row", "same job"]
    monkeypatch.setattr(module, "what_changed", lambda row, v, t: "the RTL has changed since")
    found = toy(with_(seconds=carried, keys=keys))
    assert [one.seconds for one in found] == [5, 12, 7]


def test_what_was_built_just_now(
    toy: Callable[..., list[Work]], toy_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Is all in the cache; of a third seed and of a changed netlist there is nothing there."""
    monkeypatch.setattr(build, "BUILD", toy_root / "build")
    monkeypatch.setattr(build, "measure_clocks", lambda *_: {"core": 24.0})
    design, target = designs.find_design("toy", toy_root), find_target("ecp5-85k", toy_root)
    with Steps(quiet=True) as steps:
        builder = build.Builder(design, target, steps, Cache(toy_root / "cache"))
        (row,) = build.build(builder, seeds=[1, 2], variants=["core"])
    assert [(one.jobs, one.seconds, one.basis) for one in toy(row, seeds=2)] == [
        (1, 0, "cached"),
        (1, 0, "cached"),
        (2, 0, "cached"),
    ]
    *_, done, left = toy(row, seeds=3)
    assert (done.what, done.jobs, done.seconds) == ("place and route", 2, 0)
    assert (left.what, left.jobs, left.basis) == ("place and route", 1, "same job")
    monkeypatch.setattr(module, "what_changed", lambda row, v, t: "the RTL has changed since")
    assert {one.basis for one in toy(row, seeds=3)} == {"same job"}


def test_seeds_that_are_kept(toy: Callable[..., list[Work]], toy_root: Path) -> None:
    """Of the row's seeds 1, 2 and 4 have a clock; of five, two are left to route."""
    assert toy(row_for(toy_root), keep_seeds=True)[-1].jobs == 2


def test_the_sum() -> None:
    """Shared by the processors, but no shorter than its longest job; in words."""
    work = [
        Work("a", "b", "c", "place and route", 3, 100.0, "similar jobs"),
        Work("a", "b", "c", "synthesis", 2, None, "unknown"),
    ]
    assert (RunEstimate(work, 2).seconds, RunEstimate(work, 8).seconds) == (150, 100)
    assert RunEstimate([], 2).seconds == 0
    first, *bases = summary(RunEstimate(work, 2))
    assert first == (
        "about 2 min on 2 processors for 3 jobs, "
        "without 2 jobs of unknown time and the check of each design in simulation"
    )
    assert summary(RunEstimate(work[1:], 2))[0] == "2 jobs of unknown time: no sum"
    assert bases[0].startswith("3 jobs by LUTs, from jobs of the same kind")
    assert bases[1:] == ["2 jobs no time is known: not in the sum"]
    limit = [Work("a", "b", "c", "place and route", 1, 600.0, "limit")]
    assert summary(RunEstimate(limit, 1))[0].startswith("at most 10 min on 1 ")
    assert summary(RunEstimate([*limit, *work], 1))[0].startswith("about 15 min on 1 ")
    assert [length_text(n) for n in (5.4, 119, 7200, 86399)] == [
        "5 s",
        "2 min",
        "2 h 00 min",
        "24 h 00 min",
    ]


def test_times_of_a_cache_that_is_not_there(tmp_path: Path) -> None:
    """There are none."""
    assert Times.of(Cache(tmp_path / "cache")) == Times()


def test_the_command(toy_root: Path) -> None:
    """For the same choice as `bench`; nothing is run and nothing is written."""
    whole = json.loads(run(toy_root, "estimate", "--target", "ecp5-85k", "--json").stdout)
    assert [(one["what"], one["jobs"]) for one in whole["work"]] == [
        ("synthesis", 1),
        ("synthesis in the harness", 1),
        ("place and route", 5),
    ]
    assert whole["seconds"] == 3000 / min(whole["processors"], 5)
    assert not (toy_root / "build").exists()
