"""The timing diagrams of the documentation show what simulation gives, in every clock drawn.

`HF_RENEW=1 pytest verif/test_waves.py` writes docs/waves/*.json anew, `hashfabric report` draws
them.
"""

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

import simulation
import waves
from hashfabric.base.paths import ROOT
from hashfabric.registry.designs import load_designs, read_sources
from waves import Recording, Scenario

QUICK = ("keccak-iterative", "keccak-two-stage")
SLOW = pytest.mark.slow
ITERATIVE = "rtl/keccak/hf_keccak_iterative.sv"


@pytest.fixture(scope="module")
def iterative() -> tuple[Scenario, Recording]:
    """The scenario of keccak-iterative, and what was recorded of it."""
    scenario = waves.load("keccak-iterative")
    return scenario, waves.record("keccak-iterative-again", scenario)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else SLOW) for name in waves.scenarios()],
)
def test_the_waves_are_the_simulations(name: str) -> None:
    """What is kept is what the scenario gives now."""
    scenario = waves.load(name)
    made = waves.wave_json(scenario, waves.record(name, scenario))
    path = waves.path_of(name)
    if os.environ.get("HF_RENEW"):
        path.write_text(made, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == made


def test_every_wave_has_a_scenario() -> None:
    """No diagram is left without what it shows being simulated."""
    assert sorted(path.stem for path in waves.FOLDER.glob("*.json")) == waves.scenarios()


def test_every_page_shows_its_waves() -> None:
    """A design's page shows a timing diagram, and every diagram is on a page."""
    shown: dict[str, set[str]] = {
        f"docs/{path.name}": set(
            re.findall(r"\]\(img/([\w-]+)-timing\.svg\)", path.read_text("utf-8"))
        )
        for path in (ROOT / "docs").glob("*.md")
    }
    assert set().union(*shown.values()) == set(waves.scenarios())
    assert [design.name for design in load_designs().values() if not shown[design.docs]] == []


def test_waves_by_hand() -> None:
    """Levels and data go on until they change; behind a gap too."""
    low, high, data = ("0", ""), ("1", ""), ("=", "A1")
    assert waves.waved([low, low, high, None, high, low]) == ("0.1|.0", [])
    assert waves.waved([waves.UNKNOWN, data, data, None, ("=", "A2"), waves.UNKNOWN]) == (
        "x=.|=x",
        ["A1", "A2"],
    )
    assert waves.waved([None, low]) == ("|0", [])


def test_the_clocks_that_are_drawn(iterative: tuple[Scenario, Recording]) -> None:
    """A gap stands for the clocks that are skipped, and names the ones around it."""
    scenario = iterative[0].model_copy(update={"clocks": 9, "skip": [[2, 5]]})
    assert scenario.drawn == [0, 1, None, 6, 7, 8]


@pytest.mark.parametrize("port", ["blk_valid_i", "blk_ready_o", "blk_first_i", "st_valid_o"])
def test_a_wrong_wave_is_caught(iterative: tuple[Scenario, Recording], port: str) -> None:
    """One bit of one clock makes other waves, wherever its port means something."""
    scenario, recording = iterative
    kept = waves.path_of("keccak-iterative").read_text(encoding="utf-8")
    assert waves.wave_json(scenario, recording) == kept
    means = {"blk_first_i": "blk_valid_i"}.get(port, port)
    for now in (clock for clock in scenario.drawn if clock is not None):
        sample = recording.samples[now]
        if means != port and not sample[means]:
            continue
        bent = list(recording.samples)
        bent[now] = {**sample, port: 1 - sample[port]}
        try:
            assert waves.wave_json(scenario, replace(recording, samples=bent)) != kept
        except KeyError:
            continue  # what is on a data port now is no block or state of the scenario


@pytest.mark.slow
def test_another_engine_gives_other_waves() -> None:
    """A block that is taken a clock later, which the contract allows, is seen."""
    scenario = waves.load("keccak-iterative")
    files = read_sources(waves.variant_of(scenario)[1])
    mutant = simulation.mutated(files, ITERATIVE, ": in_third_last;", ": in_second_last;")
    kept = waves.path_of("keccak-iterative").read_text(encoding="utf-8")
    assert waves.wave_json(scenario, waves.record("mutant", scenario, mutant)) != kept


def _handover(sample: waves.Sample) -> bool:
    return bool(sample["blk_valid_i"] and sample["blk_ready_o"])


def _leaving(sample: waves.Sample) -> bool:
    return bool(sample["st_valid_o"])


@pytest.mark.parametrize("happens", [_handover, _leaving])
def test_no_gap_hides_what_happens(
    iterative: tuple[Scenario, Recording], happens: Callable[[waves.Sample], bool]
) -> None:
    """A handover or a state in clocks that are not drawn is refused."""
    scenario, recording = iterative
    now = next(i for i, sample in enumerate(recording.samples) if happens(sample))
    hiding = scenario.model_copy(update={"skip": [[now, now]]})
    with pytest.raises(AssertionError, match=f"clock {now} is to be drawn"):
        waves.wave_json(hiding, recording)


def test_waves_are_json() -> None:
    """Every lane is as long as the clocks that are written above."""
    for name in waves.scenarios():
        source = json.loads(waves.path_of(name).read_text(encoding="utf-8"))
        clocks = len(source["head"]["tock"].split())
        assert {len(lane["wave"]) for lane in source["signal"] if lane} == {clocks}
