"""Every engine of the registry under the contract bench; broken engines must not pass it."""

import pytest

import simulation
from hashfabric.registry import Design, Variant, load_designs, read_sources

ENGINES = {
    f"{design.name}-{name}": (design, variant)
    for design in load_designs().values()
    for name, variant in design.variants.items()
    if variant.kind == "engine"
}

TIMING = {"keccak-iterative": (2, 1)}
"""By design: clocks from a block's handover to its state beyond a block's own, in a message and
for a zero block that comes after its state has left. Not asserted where a design is not here."""

PACKAGE = "rtl/keccak/hf_keccak_pkg.sv"
ITERATIVE = "rtl/keccak/hf_keccak_iterative.sv"
REFERENCE = "verif/rtl/hf_contract_reference.sv"
SLOW = pytest.mark.slow


def environment(
    slots: int, holds_state: bool, clocks_per_block: float, timing: tuple[int, int] | None = None
) -> dict[str, str]:
    """Return what the bench has to know of an engine."""
    fill, resume = ("", "") if timing is None else map(str, timing)
    return {
        "HF_SLOTS": str(slots),
        "HF_HOLDS_STATE": str(int(holds_state)),
        "HF_CLOCKS_PER_BLOCK": str(clocks_per_block),
        "HF_FILL": fill,
        "HF_RESUME": resume,
    }


def run(
    design: Design, variant: Variant, files: dict[str, str], *, tests: str | None = None
) -> simulation.Outcome:
    """Run the contract bench on `variant` of `design` built from `files`."""
    compiled = simulation.compile_design(variant.top, files, variant.parameters)
    timing = design.timing(variant)
    known = environment(
        timing.slots, timing.holds_state, timing.clocks_per_block, TIMING.get(design.name)
    )
    return compiled.run("contract_bench", "contract", environment=known, tests=tests)


@pytest.mark.parametrize("name", ENGINES)
def test_engine(name: str) -> None:
    """The engine keeps the contract."""
    design, variant = ENGINES[name]
    run(design, variant, read_sources(variant)).check()


@pytest.mark.parametrize("holds_state", [True, False], ids=["holds", "hands-back"])
@pytest.mark.parametrize("slots", [1, 3])
def test_the_bench_knows_slots(slots: int, holds_state: bool) -> None:
    """A plain engine with several slots passes, one that hands its states back too."""
    files = simulation.read_files([PACKAGE, REFERENCE])
    parameters = {"Slots": slots, "HoldsState": int(holds_state)}
    compiled = simulation.compile_design("hf_contract_reference", files, parameters)
    known = {**environment(slots, holds_state, 24), "HF_BLOCKS": "50"}
    compiled.run("contract_bench", "contract", environment=known).check()


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
    design, variant = ENGINES["keccak-iterative-core"]
    files = simulation.mutated(read_sources(variant), path, old, new)
    assert run(design, variant, files, tests="random_traffic|clocks").failures
