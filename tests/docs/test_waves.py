"""The timing diagrams of the documentation show what simulation gives, in every clock drawn.

`HF_RENEW=1 pytest tests/docs/test_waves.py` writes docs/waves/*.json anew, `hashfabric report`
draws them.
"""

import json
import os
import re
from dataclasses import replace

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.registry.designs import load_designs, read_sources
from tests.docs import waves
from tests.docs.waves import Recording, Scenario
from tests.support import simulation

QUICK = ("keccak-iterative",)
SLOW = pytest.mark.slow
ITERATIVE = "rtl/keccak/hf_keccak_iterative.sv"


PORTS = {
    "keccak-iterative": {
        "blk_valid_i": "011110",
        "blk_ready_o": "001010",
        "blk_slot_o_": "000000",
        "blk_first_i": "111001",
        "blk_last_i_": "100110",
        "blk_i_value": "511229",
        "st_valid_o_": "000010",
        "st_ready_i_": "001111",
        "st_slot_o__": "000000",
        "st_o_value_": "555575",
    },
    "keccak-two-stage": {  # data a clock later, two slots
        "blk_valid_i": "010010",
        "blk_ready_o": "111011",
        "blk_slot_o_": "010011",
        "blk_first_i": "010111",
        "blk_last_i_": "100010",
        "blk_i_value": "331332",
        "st_valid_o_": "000100",
        "st_ready_i_": "000000",
        "st_slot_o__": "110111",
        "st_o_value_": "555575",
    },
    "keccak-serial": {  # words: an add, a permutation, a read
        "op_valid_i": "011111",
        "op_ready_o": "001101",
        "op_i______": "300211",
        "op_addr_i_": "900922",
        "op_word_i_": "511559",
        "word_o____": "555557",
    },
}
"""Six clocks by hand, a digit each: what an engine could do."""

NAMES = {1: "A1", 2: "A2", 7: "fA1"}

LANES = {
    "keccak-iterative": {
        "clk_i": ("p.....", []),
        "blk_valid_i": ("01...0", []),
        "blk_ready_o": ("0.1010", []),
        "blk_first_i": ("x1.0.x", []),
        "blk_last_i": ("x0.1.x", []),
        "blk_i": ("x=.=.x", ["A1", "A2"]),
        "st_valid_o": ("0...10", []),
        "st_ready_i": ("0.1...", []),
        "st_o": ("x...=x", ["fA1"]),
    },
    "keccak-two-stage": {
        "clk_i": ("p.....", []),
        "blk_valid_i": ("010.10", []),
        "blk_ready_o": ("1..01.", []),
        "blk_slot_o": ("===.=.", ["0", "1", "0", "1"]),
        "blk_first_i": ("x1x.1x", []),
        "blk_last_i": ("x0x.1x", []),
        "blk_i": ("x.=x.=", ["A1", "A2"]),
        "st_valid_o": ("0..10.", []),
        "st_slot_o": ("x..=x.", ["1"]),
        "st_o": ("x...=x", ["fA1"]),
    },
    "keccak-serial": {
        "clk_i": ("p.....", []),
        "op_valid_i": ("01....", []),
        "op_ready_o": ("0.1.01", []),
        "op_i": ("x=.==.", ["add", "permute", "read"]),
        "op_addr_i": ("x=.x=.", ["0", "2"]),
        "op_word_i": ("x=.x..", ["A1"]),
        "word_o": ("x....=", ["fA1"]),
    },
}
"""What is to be drawn of them."""


def by_hand(name: str) -> tuple[Scenario, Recording]:
    """Return the six clocks as a recording of the design called `name`."""
    ports = {port.replace("_value", "").rstrip("_"): values for port, values in PORTS[name].items()}
    samples: list[waves.Sample] = [
        {port: int(values[now]) for port, values in ports.items()} for now in range(6)
    ]
    scenario = waves.load(name).model_copy(update={"clocks": 6, "skip": []})
    return scenario, Recording(samples, NAMES)


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
        path.relative_to(ROOT).as_posix(): set(
            re.findall(r"\]\(\.\./img/([\w-]+)-timing\.svg\)", path.read_text("utf-8"))
        )
        for path in (ROOT / "docs").glob("*/*.md")
    }
    assert set().union(*shown.values()) == set(waves.scenarios())
    without = [design.name for design in load_designs().values() if not shown[design.docs]]
    assert without == []


def test_waves_by_hand() -> None:
    """Levels and data go on until they change; after a gap too."""
    low, high, data = ("0", ""), ("1", ""), ("=", "A1")
    assert waves.waved([low, low, high, None, high, low]) == ("0.1|.0", [])
    assert waves.waved([waves.UNKNOWN, data, data, None, ("=", "A2"), waves.UNKNOWN]) == (
        "x=.|=x",
        ["A1", "A2"],
    )
    assert waves.waved([None, low]) == ("|0", [])


def test_the_clocks_that_are_drawn() -> None:
    """A gap stands for the clocks that are skipped, and names the ones around it."""
    scenario = waves.load("stream").model_copy(update={"clocks": 9, "skip": [[2, 5]]})
    assert scenario.drawn == [0, 1, None, 6, 7, 8]


@pytest.mark.parametrize("name", PORTS)
def test_what_ports_mean(name: str) -> None:
    """Flags and data are drawn where the contract gives them a meaning, and only there."""
    drawn = json.loads(waves.wave_json(*by_hand(name)))
    lanes = {lane["name"]: (lane["wave"], lane.get("data", [])) for lane in drawn["signal"] if lane}
    assert lanes == LANES[name]
    assert drawn["head"]["tock"].split() == ["0", "1", "2", "3", "4", "5"]


@pytest.mark.parametrize("port", ["blk_valid_i", "blk_ready_o", "blk_first_i", "st_valid_o"])
def test_a_wrong_wave_is_caught(port: str) -> None:
    """One bit of one clock makes other waves, wherever its port means something."""
    scenario, recording = by_hand("keccak-iterative")
    right = waves.wave_json(scenario, recording)
    for now, sample in enumerate(recording.samples):
        if port == "blk_first_i" and not sample["blk_valid_i"]:
            continue
        bent = list(recording.samples)
        bent[now] = {**sample, port: 1 - sample[port]}
        try:
            assert waves.wave_json(scenario, replace(recording, samples=bent)) != right
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


@pytest.mark.parametrize("clock", [2, 4])
def test_no_gap_hides_what_happens(clock: int) -> None:
    """A handshake or a state in clocks that are not drawn is refused."""
    scenario, recording = by_hand("keccak-iterative")
    bent = list(recording.samples)
    bent[4] = {**bent[4], "blk_ready_o": 0}  # only the state
    hiding = scenario.model_copy(update={"skip": [[clock, clock]]})
    with pytest.raises(AssertionError, match=f"clock {clock} is to be drawn"):
        waves.wave_json(hiding, replace(recording, samples=bent))


def test_waves_are_json() -> None:
    """Every lane is as long as the clocks that are written above."""
    for name in waves.scenarios():
        source = json.loads(waves.path_of(name).read_text(encoding="utf-8"))
        clocks = len(source["head"]["tock"].split())
        assert {len(lane["wave"]) for lane in source["signal"] if lane} == {clocks}
