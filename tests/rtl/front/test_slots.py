"""Stream tops with several slots under random AXI4-Stream traffic in all slots at once."""

from collections.abc import Sequence

import pytest

from hashfabric.registry.designs import read_sources
from tests.support import simulation
from tests.support.streams import (
    FOUR_STAGES,
    MANY_SLOTS,
    ON_ECP5,
    STREAMS,
    THREE_STAGES,
    TWO_STAGES,
    TWO_STAGES_AND_RETURN,
    registers,
    slots_of,
)
from tests.support.subjects import SLOW

BASE = "keccak-pipelined-stream"
CHOICE = "keccak-pipelined-stream-turboshake"
"""TurboSHAKE and the functions of 24 rounds in one stream."""


def run(  # noqa: PLR0913 - all but the name may be left out
    name: str,
    *,
    parameters: dict[str, int] | None = None,
    slots: int | None = None,
    clocks_per_block: float | None = None,
    files: dict[str, str] | None = None,
    tests: str | None = None,
    messages: int = 1000,
    arguments: Sequence[str] = (),
    options: Sequence[str] = (),
) -> simulation.Outcome:
    """Run the bench on the stream top called `name`, some things replaced."""
    design, variant = STREAMS[name]
    timing = design.timing(variant)
    compiled = simulation.compile_design(
        variant.top,
        files or read_sources(variant),
        {**variant.parameters, **(parameters or {})},
        options,
    )
    environment = {
        "HF_SLOTS": str(slots or timing.slots),
        "HF_CLOCKS_PER_BLOCK": str(clocks_per_block or timing.clocks_per_block),
        "HF_MESSAGES": str(messages),
        "HF_FAMILY": "keccak turboshake" if "RoundChoice" in variant.parameters else design.family,
    }
    return compiled.run(
        "tests.rtl.front.slots_bench",
        "slots",
        environment=environment,
        tests=tests,
        arguments=arguments,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", MANY_SLOTS)
def test_slots(name: str) -> None:
    """Digests, errors, AXI's rules and clocks are right: a thousand random messages."""
    run(name).check()


def test_slots_in_short() -> None:
    """A few of the tests, with fewer messages, for messages of 24 rounds and of twelve in turn."""
    run(CHOICE, messages=25, tests="block_boundaries|mixed_load|short_beside_long|stops$").check()


@pytest.mark.parametrize(
    ("rounds", "inside", "width", "others"),
    [
        pytest.param(1, TWO_STAGES, 128, {}, id="2-slots", marks=SLOW),
        pytest.param(1, FOUR_STAGES, 128, {}, id="4-slots", marks=SLOW),
        pytest.param(1, THREE_STAGES, 128, {}, id="3-slots", marks=SLOW),  # tid 3 names none
        pytest.param(1, (*FOUR_STAGES, "Rho", "Pi"), 128, {}, id="6-slots", marks=SLOW),
        pytest.param(1, FOUR_STAGES, 512, {"TidWidth": 5}, id="4-slots-wide", marks=SLOW),
        pytest.param(2, FOUR_STAGES, 64, {}, id="8-slots-narrow", marks=SLOW),
        pytest.param(2, FOUR_STAGES, 256, {}, id="8-slots-wide", marks=SLOW),
        pytest.param(3, THREE_STAGES, 256, {}, id="9-slots", marks=SLOW),
        pytest.param(3, TWO_STAGES_AND_RETURN, 256, {}, id="7-slots", marks=SLOW),
        pytest.param(4, FOUR_STAGES, 512, {}, id="16-slots", marks=SLOW),
        pytest.param(1, FOUR_STAGES, 128, {"Gate": 1}, id="clock-enables", marks=SLOW),
        pytest.param(1, FOUR_STAGES, 128, {"Gate": 2}, id="clock-gates", marks=SLOW),
    ],
)
def test_other_parameters(
    rounds: int, inside: tuple[str, ...], width: int, others: dict[str, int]
) -> None:
    """The same for what no variant has."""
    parameters = {"Rounds": rounds, **registers(*inside), "DataWidth": width, **others}
    slots = slots_of(rounds, inside)
    run(BASE, parameters=parameters, slots=slots, clocks_per_block=24 / rounds).check()


@pytest.mark.slow
@pytest.mark.parametrize("width", [64, 256])
def test_compact_dsp_engine_at_other_widths(width: int) -> None:
    """The same for an engine that takes blocks in one clock of five."""
    run("keccak-dsp-compact-stream", parameters={"DataWidth": width}).check()


@pytest.mark.slow
def test_wide_dsp_engine_at_64_bits() -> None:
    """The same for the narrowest port."""
    run("keccak-dsp-wide-stream", parameters={"DataWidth": 64}).check()


@pytest.mark.parametrize(
    ("rounds", "width", "tests"),
    [
        pytest.param(1, 64, "mixed_load", id="64", marks=SLOW),
        pytest.param(1, 64, None, id="64-all", marks=SLOW),
        pytest.param(1, 128, None, id="128", marks=SLOW),
        pytest.param(2, 128, None, id="8-slots", marks=SLOW),
        pytest.param(2, 256, None, id="256", marks=SLOW),
        pytest.param(1, 512, "mixed_load", id="512", marks=SLOW),
        pytest.param(1, 512, None, id="512-all", marks=SLOW),
    ],
)
def test_with_block_ram_of_ecp5(rounds: int, width: int, tests: str | None) -> None:
    """The same where states are stored in a block RAM a slice, the vendor's by our model."""
    run(
        BASE,
        parameters={"Rounds": rounds, "DataWidth": width},
        slots=4 * rounds,
        clocks_per_block=24 / rounds,
        tests=tests,
        messages=200,
        options=ON_ECP5,
    ).check()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["keccak-pipelined-stream-3-stages", "keccak-two-stage-stream", "keccak-four-register-stream"],
)
def test_other_stages_with_block_ram_of_ecp5(name: str) -> None:
    """The same, of three stages, of two, and of four with others' registers."""
    run(name, messages=200, options=ON_ECP5).check()


@pytest.mark.parametrize(
    ("path", "old", "new", "caught_by"),
    [
        pytest.param(
            "rtl/front/hf_keccak_store.sv",
            *("= state_q[LaneWidth*k+Z];", "= state_i[LaneWidth*k+Z];"),
            "one_message",
            id="a-clock-early",
            marks=SLOW,
        ),
        pytest.param(
            *(
                "rtl/prim/ecp5/hf_ecp5_gear_ram.sv",
                "data[i+i/8] =",
                "data[i] =",
                "block_boundaries",
            ),
            id="ninth-bit",
            marks=SLOW,
        ),
    ],
)
def test_mutants_with_block_ram_of_ecp5_are_caught(
    path: str, old: str, new: str, caught_by: str
) -> None:
    """The bench fails on a fault in the RAM's wiring."""
    files = simulation.mutated(read_sources(STREAMS[BASE][1]), path, old, new)
    alone = [simulation.NO_ASSERTIONS]
    outcome = run(BASE, files=files, tests=caught_by, arguments=alone, options=ON_ECP5)
    assert caught_by in outcome.failures


PORT = "rtl/front/hf_keccak_slot_port.sv"
SUFFIX = "rtl/front/hf_keccak_suffix.sv"
QUEUE = "rtl/front/hf_keccak_block_queue.sv"
ARBITER = "rtl/front/hf_keccak_slot_arbiter.sv"
BUDGET = "rtl/front/hf_keccak_output_budget.sv"
LOADER = "rtl/front/hf_keccak_block_loader.sv"
STATES = "rtl/front/hf_keccak_state_store.sv"
DIGESTS = "rtl/front/hf_keccak_digest_queue.sv"
WIDTHS = "rtl/front/hf_keccak_slots_pkg.sv"
STOP = "rtl/common/hf_axis_stop.sv"


@pytest.mark.parametrize(
    ("path", "old", "new", "caught_by"),
    [
        pytest.param(
            *(ARBITER, " && !(digest_pending_i[i] && state_leaving_q[i])", "", "digests_wait"),
            id="a-third-digest-leaves",
            marks=SLOW,
        ),
        pytest.param(
            *(ARBITER, "load_on_time_q[i] <= message_begun_q[i] &&", "load_on_time_q[i] <="),
            "digests_wait",
            id="goes-on-from-another-message",
            marks=SLOW,
        ),
        pytest.param(
            *(QUEUE, "(block_ends6_q && word_fields6_q.suffix_fills);", "1'b0;"),
            "block_boundaries",
            id="suffix-ends-a-block",
            marks=SLOW,
        ),
        pytest.param(
            *(SUFFIX, "word_data5_q <= PortWidth'(spilled_suffix5_q);", "word_data5_q <= '0;"),
            "block_boundaries",
            id="suffix",
            marks=SLOW,
        ),
        pytest.param(
            *(STATES, "place = next_place_q[st_slot_i];", "place = 1'b0;", "digests_wait"),
            id="place",
            marks=SLOW,
        ),
        pytest.param(
            *(LOADER, "pad_word7_q == '0 && 32'(pad_lane7_q) == k;", "1'b0;", "one_message"),
            id="pads-last-one",
            marks=SLOW,
        ),
        pytest.param(
            *(ARBITER, "may_return_q <= state_stored_q[i] &&", "may_return_q <=", "mixed_load"),
            id="stored",
            marks=SLOW,
        ),
        pytest.param(
            *(DIGESTS, "port_half_i || restore_active_i;", "port_half_i;", "mixed_load"),
            id="a-digest-reads-instead",
            marks=SLOW,
        ),
        pytest.param(
            *(LOADER, "load_started_i[6] ? !load_restores_q[6] : no_state7_q[i]", "1'b1"),
            "mixed_load",
            id="restored",
            marks=SLOW,
        ),
        pytest.param(
            *(PORT, "within_message_q[i] || !(message_open_q[i] || last_offered_q[i]));", "1'b1);"),
            "mixed_load",
            id="room-for-a-message",
            marks=SLOW,
        ),
        pytest.param(
            *(
                QUEUE,
                "- 1 - RowsUnderWay;",
                "- 1;",
                "clocks_at_full_slots",
            ),
            id="room-for-a-beat",
            marks=SLOW,
        ),
        pytest.param(
            *(ARBITER, "(ResetPause + 1)'(1);", "(ResetPause + 1)'(1) << ResetPause;"),
            "reset_at_any_time",
            id="reset-of-a-clock",
            marks=SLOW,
        ),
        pytest.param(
            *(BUDGET, "lanes_left4_q[LengthBits-1];", "lanes_left4_q[LengthBits-2];"),
            "longest_outputs",
            id="output-length-wraps",
            marks=SLOW,
        ),
        pytest.param(
            *(BUDGET, "HalfBits{1'b1}}, carry_low3_q};", "HalfBits{1'b1}}, 1'b0};"),
            "mixed_load",
            id="output-length-borrows",
            marks=SLOW,
        ),
        pytest.param(
            WIDTHS,
            *("rate_lanes[0] ? rate_lanes[4] : rate_lanes[1]", "rate_lanes[4]", "mixed_load"),
            id="a-rate",
            marks=SLOW,
        ),
        pytest.param(
            *(STOP, "running_q && !stopped_q;", "running_q;", "stops"),
            id="stopped-twice",
            marks=SLOW,
        ),
        pytest.param(
            *(STOP, "request_q && running_q &&", "request_q &&", "stops"),
            id="stopped-at-any-time",
            marks=SLOW,
        ),
        pytest.param(
            *(BUDGET, "<= output_stopped_q[load_slot3_q];", "<= |output_stopped_q;", "stops"),
            id="a-neighbour-stops",
            marks=SLOW,
        ),
    ],
)
def test_mutants_are_caught(path: str, old: str, new: str, caught_by: str) -> None:
    """The bench fails on a stream top with one fault in it."""
    files = simulation.mutated(read_sources(STREAMS[BASE][1]), path, old, new)
    alone = [simulation.NO_ASSERTIONS]
    outcome = run(BASE, files=files, tests=caught_by, messages=200, arguments=alone)
    assert caught_by in outcome.failures


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "old", "new", "caught_by"),
    [
        pytest.param(
            *(QUEUE, "beat_place5_q.beats_left[5] ? split_next : split_lane;", "split_lane;"),
            "block_boundaries",
            id="same-split",
        ),
        pytest.param(
            *(QUEUE, "(part_lanes) > PortLanes", "(part_lanes) >= PortLanes", "block_boundaries"),
            id="a-beat-more",
        ),
        pytest.param(
            *(QUEUE, "next_longer('0, part_lanes)", "1'b0", "block_boundaries"),
            id="first-block-short",
        ),
        pytest.param(
            *(ARBITER, "if (Gap == 5) begin", "if (Gap == 0) begin", "mixed_load"),
            id="length-read-while-written",
        ),
        pytest.param(
            *(ARBITER, "= Gap + Every - 2 +", "= Gap - 2 +", "reset_at_any_time"),
            id="starts-with-what-was-before",
        ),
    ],
)
def test_mutants_of_a_wide_port_are_caught(path: str, old: str, new: str, caught_by: str) -> None:
    """The same where a beat has the end of one block and the beginning of the next."""
    files = simulation.mutated(read_sources(STREAMS[BASE][1]), path, old, new)
    outcome = run(
        BASE,
        parameters={"DataWidth": 512},
        files=files,
        tests=caught_by,
        messages=200,
        arguments=[simulation.NO_ASSERTIONS],
    )
    assert caught_by in outcome.failures


@pytest.mark.slow
def test_slots_that_push_each_other_out_are_caught() -> None:
    """The same where blocks follow each other as closely as they are loaded, in any clock."""
    files = simulation.mutated(
        read_sources(STREAMS[BASE][1]),
        *(WIDTHS, "block_period / slot_count == state_words(data_width) + 1 &&", "1'b0 &&"),
    )
    outcome = run(
        BASE,
        parameters={"Rounds": 3, **registers(*TWO_STAGES_AND_RETURN), "DataWidth": 256},
        slots=7,
        clocks_per_block=8,
        files=files,
        tests="clocks_at_full_slots",
    )
    assert "clocks_at_full_slots" in outcome.failures


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param(
            *(
                PORT,
                "tid_invalid || slot_ready_q[offered_slot]",
                "(tid_invalid ? !(s_tlast_i && tid_error_o) : slot_ready_q[offered_slot])",
            ),
            id="invalid-tids-wait",
            marks=SLOW,
        ),
        pytest.param(
            *(DIGESTS, "(tid_error_next_q || error_ok_o) &&", "1'b1 &&"),
            id="tid-errors-first",
            marks=SLOW,
        ),
    ],
)
def test_hostile_mutants_are_caught(path: str, old: str, new: str) -> None:
    """The same with three slots: tid 3 names none, and its errors may take from the others."""
    files = simulation.mutated(read_sources(STREAMS[BASE][1]), path, old, new)
    outcome = run(
        BASE,
        parameters=registers(*THREE_STAGES),
        slots=3,
        files=files,
        tests="hostile_sender",
        arguments=[simulation.NO_ASSERTIONS],
    )
    assert "hostile_sender" in outcome.failures


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param(
            "rtl/top/hf_keccak_dsp_compact_axis.sv",
            *(".Every    (5)", ".Every    (1)"),
            id="in-any-clock",
            marks=SLOW,
        ),
        pytest.param(
            *(ARBITER, "+ (2 + (Every - 1) * Lead)", "+ (1 + (Every - 1) * Lead)"),
            id="a-clock-early",
            marks=SLOW,
        ),
    ],
)
def test_loads_that_miss_their_clock_are_caught(path: str, old: str, new: str) -> None:
    """The same with an engine that takes blocks in one clock of five."""
    name = "keccak-dsp-compact-stream"
    files = simulation.mutated(read_sources(STREAMS[name][1]), path, old, new)
    outcome = run(name, files=files, tests="one_message", arguments=[simulation.NO_ASSERTIONS])
    assert "one_message" in outcome.failures


PASSES = "rtl/front/hf_keccak_passes.sv"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rounds", "inside", "others"),
    [
        pytest.param(1, FOUR_STAGES, {"DataWidth": 64}, id="64"),
        pytest.param(1, FOUR_STAGES, {"DataWidth": 512}, id="512"),
        pytest.param(1, (*THREE_STAGES, "Return"), {}, id="return"),
        pytest.param(2, TWO_STAGES, {"DataWidth": 256}, id="2-stages"),
        pytest.param(2, TWO_STAGES_AND_RETURN, {"DataWidth": 256}, id="5-slots"),
        pytest.param(1, FOUR_STAGES, {"Gate": 1}, id="clock-enables"),
        pytest.param(1, FOUR_STAGES, {"Gate": 2}, id="clock-gates"),
    ],
)
def test_rounds_by_message_of_other_parameters(
    rounds: int, inside: Sequence[str], others: dict[str, int]
) -> None:
    """The same for what no variant has.

    With five slots a load takes five of the six clocks between blocks, so 24 rounds and twelve
    beside each other are late (docs/engines/keccak-pipelined.md): clocks are not tested there.
    """
    parameters = {"Rounds": rounds, **registers(*inside), **others}
    tests = "block_bound|mixed_load|faults|digests_wait|reset|stops" if "Return" in inside else None
    slots = slots_of(rounds, inside)
    clocks = 24 / rounds
    run(
        CHOICE,
        parameters=parameters,
        slots=slots,
        clocks_per_block=clocks,
        tests=tests,
        messages=300,
    ).check()


@pytest.mark.slow
def test_rounds_by_message_with_block_ram_of_ecp5() -> None:
    """The same where states are stored in a block RAM a slice, the vendor's by our model."""
    run(CHOICE, messages=200, options=ON_ECP5).check()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "caught_by"),
    [
        ("!twelve_rounds_q[i] && !second_due_q[i];", "1'b0;", "mixed_load"),
        ("final_taken_q[i] <= final_block2_q[i];", "final_taken_q[i] <= 1'b1;", "mixed_load"),
        ("block_takes_i[i] && !second_due_q[i];", "block_takes_i[i];", "mixed_load"),
        (
            "next_block_i[i].final_block && twelve_rounds_q[i];",
            "next_block_i[i].final_block;",
            "mixed_load",
        ),
        (".block_queued || second_due_q[i];", ".block_queued;", "clocks_at_full_slots"),
        ("loader_fields_o.final_block = first_final_q;", "", "mixed_load"),
        ("loader_fields_o.final_block = 1'b0;", "", "mixed_load"),
        ("loader_fields_o.squeeze_only = 1'b1;", "", "mixed_load"),
        ("budget_fields_o.squeeze_only = 1'b0;", "", "mixed_load"),
        ("first_pass_later_q[Lead+DataDelay];", "first_pass_later_q[Lead];", "mixed_load"),
        ("twelve_rounds_q[i] <= code_twelve_q;", "twelve_rounds_q[i] <= 1'b0;", "mixed_load"),
        ("if (beat_hit_i[i] && first_beat_i)", "if (beat_hit_i[i])", "mixed_load"),
        (
            "if (message_done_i[i] || rst_i) second_due_q",
            "if (message_done_i[i]) second_due_q",
            "reset",
        ),
    ],
    ids=[
        "first-pass-only",
        "ends-after-any-block",
        "second-pass-takes-a-block",
        "ends-after-half",
        "second-pass-waits-for-a-block",
        "not-padded",
        "padded-twice",
        "added-twice",
        "output-after-half",
        "rounds-of-another",
        "always-24-rounds",
        "of-any-beat",
        "after-a-reset",
    ],
)
def test_mutants_of_rounds_are_caught(old: str, new: str, caught_by: str) -> None:
    """The bench fails where a message gets the rounds, or the clocks, of another."""
    files = simulation.mutated(read_sources(STREAMS[CHOICE][1]), PASSES, old, new)
    alone = [simulation.NO_ASSERTIONS]
    tests = f"{caught_by}|mixed_load"
    outcome = run(CHOICE, files=files, tests=tests, messages=300, arguments=alone)
    assert any(caught_by in name for name in outcome.failures)
