"""Every Keccak engine of the registry under the contract bench; broken engines must not pass it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from hashfabric.models.functions import FUNCTIONS
from hashfabric.registry.designs import Timing, Variant, read_sources
from tests.support import simulation
from tests.support.contract import ENGINES, clocks_of, environment
from tests.support.streams import (
    FOUR_STAGES,
    TWO_STAGES,
    TWO_STAGES_AND_RETURN,
    registers,
    slots_of,
)
from tests.support.subjects import SLOW

PACKAGE = "rtl/keccak/hf_keccak_pkg.sv"
ITERATIVE = "rtl/keccak/hf_keccak_iterative.sv"
PIPELINED = "rtl/keccak/hf_keccak_pipelined.sv"
REFERENCE = "tests/checkers/hf_contract_reference.sv"
TWO_STAGE = "rtl/keccak/hf_keccak_two_stage.sv"
CONSTANTS = "rtl/keccak/hf_keccak_constants.sv"
DSP_WIDE = "rtl/keccak/dsp/hf_keccak_dsp_wide.sv"
DSP_PLANES = "rtl/keccak/dsp/hf_keccak_dsp_planes.sv"
DSP_21 = "rtl/keccak/dsp/hf_keccak_dsp_21.sv"
DSP_58 = "rtl/keccak/dsp/hf_keccak_dsp_58.sv"
DSP_CONTROL = "rtl/keccak/dsp/hf_keccak_dsp_control.sv"
ONE_ROUND = "keccak-iterative-core"
EIGHT_ROUNDS = "keccak-combinational-core-8"
TWELVE_ROUNDS = "keccak-combinational-core-12"
ALL_ROUNDS = "keccak-combinational-core"


def run(
    name: str, files: dict[str, str], *, tests: str | None = None, arguments: Sequence[str] = ()
) -> simulation.Outcome:
    """Run the contract bench on the engine called `name` built from `files`."""
    design, variant = ENGINES[name]
    rounds = FUNCTIONS[design.functions[0]].rounds
    known = environment(design.timing(variant), clocks_of(variant), rounds)
    return run_variant(variant, files, known, tests=tests, arguments=arguments)


def run_variant(
    variant: Variant,
    files: dict[str, str],
    known: dict[str, str],
    *,
    tests: str | None = None,
    arguments: Sequence[str] = (),
) -> simulation.Outcome:
    """Run the contract bench on `variant` built from `files`; the bench gets what is `known`."""
    compiled = simulation.compile_design(variant.top, files, variant.parameters)
    return compiled.run(
        "tests.rtl.engines.contract_bench",
        "contract",
        environment=known,
        tests=tests,
        arguments=arguments,
    )


def run_reference(
    timing: Timing, parameters: dict[str, int], *, tests: str | None = None
) -> simulation.Outcome:
    """Run the contract bench with `timing` on the plain engine with these parameters."""
    files = simulation.read_files([PACKAGE, REFERENCE])
    compiled = simulation.compile_design("hf_contract_reference", files, parameters)
    known = {**environment(timing), "HF_BLOCKS": "50"}
    return compiled.run(
        "tests.rtl.engines.contract_bench", "contract", environment=known, tests=tests
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ENGINES)
def test_engine(name: str) -> None:
    """The engine keeps the contract."""
    run(name, read_sources(ENGINES[name][1])).check()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=SLOW if variant.suite == "slow" else [])
        for name, (_, variant) in ENGINES.items()
    ],
)
def test_engine_in_short(name: str) -> None:
    """So do a few tests of the bench say."""
    run(name, read_sources(ENGINES[name][1]), tests="one_block|clocks").check()


@pytest.mark.slow
@pytest.mark.parametrize("generator", [1, 2])
def test_two_stage_without_vsx_register(generator: int) -> None:
    """The combinations of its parameters that no variant has."""
    name = "keccak-two-stage-core-48"
    design, variant = ENGINES[name]
    parameters = {**variant.parameters, "RoundConstants": generator}
    compiled = simulation.compile_design(variant.top, read_sources(variant), parameters)
    known = environment(design.timing(variant), clocks_of(variant))
    compiled.run("tests.rtl.engines.contract_bench", "contract", environment=known).check()


def run_choice(
    per_clock: int,
    files: dict[str, str],
    *,
    tests: str | None = None,
    arguments: Sequence[str] = (),
) -> simulation.Outcome:
    """Run the bench on hf_keccak_iterative with 24 or twelve rounds, `per_clock` in each clock."""
    design, variant = ENGINES[ONE_ROUND]
    parameters = {"RoundsPerClock": per_clock, "RoundChoice": 1}
    own = variant.model_copy(update={"parameters": parameters})
    timing = replace(design.timing(variant), clocks_per_block=24 // per_clock)
    known = {**environment(timing, clocks_of(own)), "HF_ROUND_CHOICE": "1"}
    return run_variant(own, files, known, tests=tests, arguments=arguments)


@pytest.mark.parametrize("per_clock", [1, *(pytest.param(n, marks=SLOW) for n in (2, 3, 4))])
def test_rounds_by_message(per_clock: int) -> None:
    """Each message has 24 rounds or the last twelve, which take half the clocks."""
    tests = "one_block|clocks|save" if per_clock == 1 else None
    run_choice(per_clock, read_sources(ENGINES[ONE_ROUND][1]), tests=tests).check()


@pytest.mark.slow
def test_rounds_by_message_in_whole() -> None:
    """The whole bench, with a round a clock."""
    run_choice(1, read_sources(ENGINES[ONE_ROUND][1])).check()


@pytest.mark.parametrize(
    ("per_clock", "old", "new"),
    [
        pytest.param(1, "next_step_d[StepWidth-1] = blk_i[BlockWidth-1];", "begin end", id="never"),
        pytest.param(
            *(1, "constant(step_t'({blk_i[BlockWidth-1], round_t'(0)})", "constant('0"),
            id="load-of-the-other",
            marks=SLOW,
        ),
        pytest.param(
            *(1, "return of_step[MiddleStep];", "return of_step[0];"), id="constant", marks=SLOW
        ),
        pytest.param(
            *(2, "next[4:0] = MiddleStep + 5'd1;", "next[4:0] = 5'd1;"), id="all-rounds", marks=SLOW
        ),
        pytest.param(
            *(1, "next[StepWidth-1] = now[StepWidth-1];", "next[StepWidth-1] = 1'b0;"),
            id="one-block",
            marks=SLOW,
        ),
    ],
)
@pytest.mark.slow
def test_mutants_of_rounds_are_caught(per_clock: int, old: str, new: str) -> None:
    """The bench fails where a message has the other's rounds."""
    files = simulation.mutated(read_sources(ENGINES[ONE_ROUND][1]), ITERATIVE, old, new)
    alone = [simulation.NO_ASSERTIONS]
    assert run_choice(per_clock, files, tests="random_traffic|clocks", arguments=alone).failures


RING = "keccak-turbo-core"


def run_halves(  # noqa: PLR0913 - one parameter a property of the run
    rounds: int,
    inside: Sequence[str],
    files: dict[str, str],
    *,
    choice: bool = True,
    tests: str | None = None,
    arguments: Sequence[str] = (),
) -> simulation.Outcome:
    """Run the bench on a ring of twelve rounds: the last, or with `choice` as each block says."""
    design, variant = ENGINES[RING]
    parameters = {
        "Rounds": rounds,
        **registers(*inside),
        "RoundCount": 12,
        "HalfChoice": int(choice),
    }
    own = variant.model_copy(update={"parameters": parameters})
    timing = replace(
        design.timing(variant), slots=slots_of(rounds, inside), clocks_per_block=12 // rounds
    )
    known = environment(timing, rounds=12) | ({"HF_ROUND_CHOICE": "halves"} if choice else {})
    return run_variant(own, files, known, tests=tests, arguments=arguments)


@pytest.mark.parametrize(
    ("rounds", "inside"),
    [
        pytest.param(1, FOUR_STAGES, id="4-slots"),
        pytest.param(2, FOUR_STAGES, id="8-slots", marks=SLOW),
        pytest.param(2, TWO_STAGES, id="2-stages", marks=SLOW),
        pytest.param(3, TWO_STAGES, id="6-slots", marks=SLOW),
        pytest.param(4, FOUR_STAGES, id="16-slots", marks=SLOW),
        pytest.param(12, TWO_STAGES, id="24-slots", marks=SLOW),
        pytest.param(2, TWO_STAGES_AND_RETURN, id="5-slots", marks=SLOW),
        pytest.param(1, (*FOUR_STAGES, "Rho", "Pi"), id="six-stages", marks=SLOW),
    ],
)
def test_halves_by_block(rounds: int, inside: Sequence[str]) -> None:
    """Each block has the first twelve rounds after it or the last."""
    tests = "one_block|clocks" if rounds == 1 else None
    run_halves(rounds, inside, read_sources(ENGINES[RING][1]), tests=tests).check()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rounds", "inside"),
    [
        pytest.param(2, FOUR_STAGES, id="8-slots"),
        pytest.param(3, TWO_STAGES, id="6-slots"),
        pytest.param(4, TWO_STAGES_AND_RETURN, id="9-slots"),
        pytest.param(12, TWO_STAGES, id="24-slots"),
    ],
)
def test_twelve_rounds(rounds: int, inside: Sequence[str]) -> None:
    """Rings of the last twelve rounds, in shapes that no variant has."""
    run_halves(rounds, inside, read_sources(ENGINES[RING][1]), choice=False).check()


@pytest.mark.slow
def test_halves_by_block_in_whole() -> None:
    """The whole bench, with one round."""
    run_halves(1, FOUR_STAGES, read_sources(ENGINES[RING][1])).check()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("!untaken_q[UntakenBits-1] && blk_i[BlockWidth-1]", "blk_i[BlockWidth-1]"),
        ("ctl_d[ChoiceAt].turn = turn_t'(SlotCycles);", "begin end"),
        ("return turn_t'(SlotCycles);", "return '0;"),
        ("turn_t'(2 * SlotCycles - 1)) handed_d.due", "turn_t'(2 * SlotCycles - 2)) handed_d.due"),
    ],
    ids=["without-a-block", "never", "then-the-first", "due"],
)
def test_mutants_of_halves_are_caught(old: str, new: str) -> None:
    """The bench fails where a block has the other's rounds or clocks."""
    files = simulation.mutated(read_sources(ENGINES[RING][1]), PIPELINED, old, new)
    alone = [simulation.NO_ASSERTIONS]
    assert run_halves(
        1, FOUR_STAGES, files, tests="random_traffic|clocks", arguments=alone
    ).failures


LATE = {"LateHandBack": 1, "SlipsFirst": 1}


@pytest.mark.parametrize(
    ("slots", "holds_state", "data_delay", "parameters"),
    [
        pytest.param(1, True, 0, {}, id="1-slot-holds", marks=SLOW),
        pytest.param(1, False, 0, {}, id="1-slot-hands-back", marks=SLOW),
        pytest.param(3, False, 0, LATE, id="3-slots-hand-back-late", marks=SLOW),
        pytest.param(3, True, 3, {}, id="3-slots-hold-delayed", marks=SLOW),
        pytest.param(3, False, 3, LATE, id="3-slots-hand-back-late-delayed", marks=SLOW),
        pytest.param(1, False, 3, LATE, id="1-slot-hands-back-late-delayed", marks=SLOW),
        pytest.param(3, True, 0, {}, id="3-slots-hold", marks=SLOW),
        pytest.param(3, False, 0, {}, id="3-slots-hand-back", marks=SLOW),
        pytest.param(3, False, 3, {}, id="3-slots-hand-back-delayed", marks=SLOW),
    ],
)
def test_plain_engines_pass(
    slots: int, holds_state: bool, data_delay: int, parameters: dict[str, int]
) -> None:
    """With several slots, data that comes later, states handed back."""
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
    ("name", "path", "old", "new"),
    [
        pytest.param(
            *(ONE_ROUND, PACKAGE, "((t + 1) * (t + 2) / 2)", "((t + 1) * (t + 2) / 2 + t / 23)"),
            id="one-rho-offset",
            marks=SLOW,
        ),
        pytest.param(
            *(ONE_ROUND, PACKAGE, "i < NumRounds; i++", "i < NumRounds - 1; i++"),
            id="lost-round-constant",
        ),
        pytest.param(
            *("keccak-turbo-core", "rtl/keccak/hf_keccak_pipelined.sv"),
            *("RoundConstant[FirstRound+i*Rounds+round]", "RoundConstant[i*Rounds+round]"),
            id="first-twelve-rounds",
            marks=SLOW,
        ),
        pytest.param(
            *(ONE_ROUND, ITERATIVE),
            "if (clear) state_q <= '0;\n      else if (step) state_q <= chi(pi(rho(sum)))",
            "if (step) state_q <= chi(pi(rho(sum)))",
            id="state-not-cleared",
            marks=SLOW,
        ),
        pytest.param(
            *(EIGHT_ROUNDS, ITERATIVE),
            "if (clear) state_q <= '0;\n      else if (step) state_q <= chi(pi(rho(theta_split(",
            "if (step) state_q <= chi(pi(rho(theta_split(",
            id="state-not-cleared-8-rounds",
            marks=SLOW,
        ),
        pytest.param(
            *(ONE_ROUND, ITERATIVE, "OpWait: take_d = !last_q;", "OpWait: take_d = 1'b1;"),
            id="takes-in-wait",
            marks=SLOW,
        ),
        pytest.param(
            *(EIGHT_ROUNDS, ITERATIVE, "(op_d == OpLoad) ? '0 : constant(", "constant("),
            id="constants-in-a-load",
            marks=SLOW,
        ),
        pytest.param(
            *(ALL_ROUNDS, ITERATIVE, "st_ready_i && !st_valid_q;", "st_ready_i;"),
            id="a-promise-counts-twice",
            marks=SLOW,
        ),
        pytest.param(
            *(ALL_ROUNDS, ITERATIVE, "load_d ? '0 : constant(", "constant("),
            id="constants-in-a-load-at-once",
            marks=SLOW,
        ),
        pytest.param(
            *(TWELVE_ROUNDS, ITERATIVE, "(last_q && finish));", "last_q);"),
            id="resumes-too-early",
            marks=SLOW,
        ),
        pytest.param(
            *(TWELVE_ROUNDS, ITERATIVE, "!taken_q && !(pending_q && last_q) :", "!taken_q :"),
            id="first-breaks-a-promise",
            marks=SLOW,
        ),
        pytest.param(
            *("keccak-two-stage-core", CONSTANTS, "seven_on(lfsr_q);"),
            "seven_on(lfsr_q) ^ 8'(lfsr_q == 8'h21);",
            id="lfsr-last-constant",
            marks=SLOW,
        ),
        pytest.param(
            *("keccak-two-stage-core-mux", CONSTANTS, "constant_q <= Bits;"),
            "constant_q <= Bits ^ (168'd1 << 161);",
            id="register-last-constant",
            marks=SLOW,
        ),
        pytest.param(
            *("keccak-two-stage-core-ring", CONSTANTS, "ring_q <= Bits;"),
            "ring_q <= Bits ^ (168'd1 << 161);",
            id="ring-last-constant",
            marks=SLOW,
        ),
        pytest.param(
            *("keccak-two-stage-core-48", TWO_STAGE, "!(take && blk_first_i)", "1'b1"),
            id="two-stage-not-cleared",
            marks=SLOW,
        ),
        pytest.param(
            *("keccak-two-stage-core-48", TWO_STAGE, "(last_q[slot_q] || !blk_valid_i)"),
            "last_q[slot_q]",
            id="not-handed-back",
            marks=SLOW,
        ),
        pytest.param(
            *("keccak-two-stage-core-ring", TWO_STAGE, "!second_q && fsm_q != Idle;"),
            "!second_q;",
            id="ring-turns-in-idle",
            marks=SLOW,
        ),
        pytest.param(
            *(ONE_ROUND, PACKAGE, "c[(x+1)%5], 1);", "c[(x+1)%5], 2);"), id="theta", marks=SLOW
        ),
        pytest.param(
            *(ONE_ROUND, ITERATIVE, "st_valid_d = in_last && last_q;", "st_valid_d = in_last;"),
            id="shows-every-state",
            marks=SLOW,
        ),
        pytest.param(
            *(ONE_ROUND, ITERATIVE, "!(last_q ? st_ready_i : take_q)", "!(last_q || take_q)"),
            id="does-not-wait-for-room",
            marks=SLOW,
        ),
        pytest.param(
            *(
                ONE_ROUND,
                ITERATIVE,
                "blk_first_i ? (in_last && !taken_q) :",
                "blk_first_i ? 1'b0 :",
            ),
            id="a-clock-late",
            marks=SLOW,
        ),
        pytest.param(
            *("keccak-dsp-wide-core-117", DSP_WIDE, "first_q[3] ? OpC : OpXorAbCPcin;"),
            "OpXorAbCPcin;",
            id="dsp-wide-not-cleared",
            marks=SLOW,
        ),
        pytest.param(
            *("keccak-dsp-wide-core-117", DSP_WIDE, "first_q[1] ? '0 : constant", "constant"),
            id="dsp-wide-constant-in-a-load",
            marks=SLOW,
        ),
        pytest.param(
            *("keccak-dsp-wide-core-104", DSP_WIDE, "first_at_n ? OpZero :", ""),
            id="dsp-wide-products-in-a-load",
            marks=SLOW,
        ),
        pytest.param(
            *("keccak-dsp-wide-core-104-low-latency", DSP_WIDE, "Depth == 1 && |leave_q", "1'b0"),
            id="dsp-wide-does-not-rest",
            marks=SLOW,
        ),
        pytest.param(
            *(
                "keccak-dsp-compact-core-28",
                DSP_CONTROL,
                "plane_q == 3'(DataDelay - 1) && !first_q",
            ),
            "plane_q == 3'(DataDelay - 1)",
            id="dsp-compact-constant-in-a-load",
            marks=SLOW,
        ),
        pytest.param(
            *(
                "keccak-dsp-compact-core-28",
                DSP_PLANES,
                ".en_c_i (plane == 3'd1),\n        .pcin_i (d",
            ),
            ".en_c_i (1'b1),\n        .pcin_i (d",
            id="dsp-28-effect-of-the-other-message",
            marks=SLOW,
        ),
        pytest.param(
            *("keccak-dsp-compact-core-42", DSP_PLANES, "if (plane == 3'd2) single_q <= first;"),
            "single_q <= first;",
            id="dsp-42-first-too-soon",
            marks=SLOW,
        ),
        pytest.param(
            *("keccak-dsp-compact-core-21", DSP_21, "b_q <= first ? '0 : b;", "b_q <= b;"),
            id="dsp-21-not-cleared",
            marks=SLOW,
        ),
        pytest.param(
            *("keccak-dsp-compact-core-58", DSP_58, "first ? OpZero : OpXorAbPcin", "OpXorAbPcin"),
            id="dsp-58-not-cleared",
            marks=SLOW,
        ),
        pytest.param(
            *(
                "keccak-dsp-compact-core-58",
                DSP_58,
                "(p3_out[i]),\n        .en_p_i (plane == 3'd0)",
            ),
            "(p3_out[i]),\n        .en_p_i (1'b1)",
            id="dsp-58-parity-not-kept",
            marks=SLOW,
        ),
    ],
)
def test_mutants_are_caught(name: str, path: str, old: str, new: str) -> None:
    """The bench fails on an engine with one fault in it."""
    files = simulation.mutated(read_sources(ENGINES[name][1]), path, old, new)
    alone = [simulation.NO_ASSERTIONS]
    assert run(name, files, tests="random_traffic|clocks", arguments=alone).failures


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [
        ("keccak-combinational-core", "RoundsPerClock", 5),
        ("keccak-two-stage-core", "RoundConstants", 3),
        ("keccak-pipelined-core", "Rounds", 5),
        ("keccak-pipelined-core-2-stages", "Registers", 32),  # one register in all
        ("keccak-pipelined-core", "Registers", 38),  # theta's effect, and not the parity
        ("keccak-pipelined-core", "Gate", 3),
        ("keccak-dsp-wide-core-104", "Structure", 4),
        ("keccak-dsp-wide-core-104", "ParityTree", 1),
        ("keccak-dsp-wide-core-130", "Registered", 0),
    ],
)
def test_impossible_parameters_do_not_elaborate(name: str, parameter: str, value: int) -> None:
    """An engine that cannot be built says so at elaboration."""
    variant = ENGINES[name][1]
    with pytest.raises(RuntimeError, match=rf"refused: .*\b{parameter}\b"):
        simulation.compile_design(
            variant.top, read_sources(variant), {**variant.parameters, parameter: value}
        )
