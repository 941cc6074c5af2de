"""Every engine of the registry under the contract bench; broken engines must not pass it."""

from dataclasses import dataclass

import pytest

import simulation
from hashfabric.registry import Timing, load_designs, read_sources

ENGINES = {
    f"{design.name}-{name}": (design, variant)
    for design in load_designs().values()
    for name, variant in design.variants.items()
    if variant.kind == "engine"
}


@dataclass(frozen=True)
class Clocks:
    """An engine's clocks beyond its blocks' own: see `Engine` in `contract_bench.py`."""

    fill: int
    resume: int
    slip: int
    squeeze: int | None = None


CLOCKS = {"keccak-iterative-core": Clocks(fill=2, resume=1, slip=2)}
"""By design and variant. Not asserted where one is not here."""

PACKAGE = "rtl/keccak/hf_keccak_pkg.sv"
ITERATIVE = "rtl/keccak/hf_keccak_iterative.sv"
REFERENCE = "verif/rtl/hf_contract_reference.sv"
SLOW = pytest.mark.slow


def environment(timing: Timing, clocks: Clocks | None = None) -> dict[str, str]:
    """Return what the bench has to know of an engine."""
    known = {
        "HF_SLOTS": str(timing.slots),
        "HF_HOLDS_STATE": str(int(timing.holds_state)),
        "HF_CLOCKS_PER_BLOCK": str(timing.clocks_per_block),
        "HF_DATA_DELAY": str(timing.data_delay),
    }
    for name in ("fill", "resume", "slip", "squeeze"):
        value = None if clocks is None else getattr(clocks, name)
        known[f"HF_{name.upper()}"] = "" if value is None else str(value)
    return known


def run(name: str, files: dict[str, str], *, tests: str | None = None) -> simulation.Outcome:
    """Run the contract bench on the engine called `name` built from `files`."""
    design, variant = ENGINES[name]
    compiled = simulation.compile_design(variant.top, files, variant.parameters)
    known = environment(design.timing(variant), CLOCKS.get(name))
    return compiled.run("contract_bench", "contract", environment=known, tests=tests)


def run_reference(
    timing: Timing, parameters: dict[str, int], *, tests: str | None = None
) -> simulation.Outcome:
    """Run the contract bench, told `timing`, on the plain engine with these parameters."""
    files = simulation.read_files([PACKAGE, REFERENCE])
    compiled = simulation.compile_design("hf_contract_reference", files, parameters)
    known = {**environment(timing), "HF_BLOCKS": "50"}
    return compiled.run("contract_bench", "contract", environment=known, tests=tests)


@pytest.mark.parametrize("name", ENGINES)
def test_engine(name: str) -> None:
    """The engine keeps the contract."""
    run(name, read_sources(ENGINES[name][1])).check()


LATE = {"LateHandBack": 1, "SlipsFirst": 1}


@pytest.mark.parametrize(
    ("slots", "holds_state", "data_delay", "parameters"),
    [
        pytest.param(1, True, 0, {}, id="1-slot-holds"),
        pytest.param(1, False, 0, {}, id="1-slot-hands-back"),
        pytest.param(3, False, 0, LATE, id="3-slots-hand-back-late"),
        pytest.param(3, True, 3, {}, id="3-slots-hold-delayed"),
        pytest.param(3, False, 3, LATE, id="3-slots-hand-back-late-delayed"),
        pytest.param(1, False, 3, LATE, id="1-slot-hands-back-late-delayed", marks=SLOW),
        pytest.param(3, True, 0, {}, id="3-slots-hold", marks=SLOW),
        pytest.param(3, False, 0, {}, id="3-slots-hand-back", marks=SLOW),
        pytest.param(3, False, 3, {}, id="3-slots-hand-back-delayed", marks=SLOW),
    ],
)
def test_the_bench_knows(
    slots: int, holds_state: bool, data_delay: int, parameters: dict[str, int]
) -> None:
    """Plain engines pass: several slots, data that comes later, states handed back."""
    timing = Timing(slots, holds_state, 24, data_delay)
    built = {"Slots": slots, "HoldsState": int(holds_state), "DataDelay": data_delay}
    run_reference(timing, {**built, **parameters}).check()


@pytest.mark.parametrize("data_delay", [2, 4])
def test_the_data_delay_counts(data_delay: int) -> None:
    """An engine that reads its data in another clock than the registry says is caught."""
    parameters = {"Slots": 3, "HoldsState": 0, "DataDelay": 3, **LATE}
    outcome = run_reference(Timing(3, False, 24, data_delay), parameters, tests="one_block")
    assert outcome.failures


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param(
            *(PACKAGE, "((t + 1) * (t + 2) / 2)", "((t + 1) * (t + 2) / 2 + t / 23)"),
            id="one-rho-offset",
        ),
        pytest.param(
            PACKAGE, "i < NumRounds; i++", "i < NumRounds - 1; i++", id="lost-round-constant"
        ),
        pytest.param(
            ITERATIVE, "if (clear_q) state_q <= '0;\n    else if", "if", id="state-not-cleared"
        ),
        pytest.param(
            ITERATIVE, "OpWait: take_d = !last_q;", "OpWait: take_d = 1'b1;", id="takes-in-wait"
        ),
        pytest.param(PACKAGE, "c[(x+1)%5], 1);", "c[(x+1)%5], 2);", id="theta", marks=SLOW),
        pytest.param(
            *(ITERATIVE, "st_valid_d = in_round_23 && last_q;", "st_valid_d = in_round_23;"),
            id="shows-every-state",
            marks=SLOW,
        ),
        pytest.param(
            *(ITERATIVE, "!(last_q ? st_ready_i : take_q)", "!(last_q || take_q)"),
            id="does-not-wait-for-room",
            marks=SLOW,
        ),
        pytest.param(
            *(ITERATIVE, "blk_first_i ? (in_round_23 && !taken_q) :", "blk_first_i ? 1'b0 :"),
            id="a-clock-late",
            marks=SLOW,
        ),
    ],
)
def test_mutants_are_caught(path: str, old: str, new: str) -> None:
    """The bench fails on an engine with one fault in it."""
    name = "keccak-iterative-core"
    files = simulation.mutated(read_sources(ENGINES[name][1]), path, old, new)
    assert run(name, files, tests="random_traffic|clocks").failures
