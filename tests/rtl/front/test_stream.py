"""The stream top of every design under random AXI4-Stream traffic, at each data width."""

from collections.abc import Sequence
from typing import Any

import pytest

from hashfabric.registry.designs import Design, Variant, read_sources
from tests.support import simulation
from tests.support.contract import clocks_of
from tests.support.streams import ON_ECP5, ONE_SLOT, STREAMS
from tests.support.subjects import SLOW


def run(  # noqa: PLR0913 - all but the sources may be left out
    design: Design,
    variant: Variant,
    files: dict[str, str],
    *,
    tests: str | None = None,
    arguments: Sequence[str] = (),
    options: Sequence[str] = (),
    stop_beats: tuple[int, int] = (6, 6),
    latency: int | None = None,
    lane_clocks: int | None = None,
    **parameters: int,
) -> simulation.Outcome:
    """Run the stream bench on `variant` built from `files`, some parameters replaced.

    At most `stop_beats` beats may come from a stop on, the empty one at the end included: where the
    receiver does not stall, and where it does. A message and an output of one beat take `latency`
    clocks, if that is given; `lane_clocks` are in place of the registry's.
    """
    compiled = simulation.compile_design(
        variant.top, files, {**variant.parameters, **parameters}, options
    )
    clocks = clocks_of(variant)
    environment = {
        "HF_SLOTS": str(design.timing(variant).slots),
        "HF_CLOCKS_PER_BLOCK": str(design.timing(variant).clocks_per_block),
        "HF_LANE_CLOCKS": str(lane_clocks or design.timing(variant).lane_clocks),
        "HF_FILL": "" if clocks is None else str(clocks.fill),
        "HF_STOP_BEATS": str(stop_beats[0]),
        "HF_STOP_BEATS_STALLED": str(stop_beats[1]),
        "HF_LATENCY": "" if latency is None else str(latency),
        "HF_FRAMED": "1" if "framed" in variant.top else "",
        "HF_FAMILY": "keccak turboshake" if variant.parameters.get("RoundChoice") else "keccak",
    }
    return compiled.run(
        "tests.rtl.front.stream_bench",
        "stream",
        environment=environment,
        tests=tests,
        arguments=arguments,
    )


WIDTHS = (64, 32, 16, 8)


def widths(variant: Variant) -> tuple[int, ...]:
    """Return the widths that the variant's top has."""
    return (8,) if variant.top == "hf_keccak_tiny_axis" else WIDTHS


LANE_CLOCKS = {
    ("hf_keccak_checked_axis", 32): 14,
    ("hf_keccak_checked_axis", 16): 14,
    ("hf_keccak_checked_axis", 8): 17,
}
"""Clocks of a lane of output, by top and width, where they are not those of the registry."""


IN_EVERY_SECOND_CLOCK = {
    ("hf_keccak_serial_checked_axis", 8),
    *(("hf_keccak_masked_checked_axis", width) for width in (32, 16, 8)),
}
"""Tops and widths whose output is slower than its core's (hf_lockstep_stream): without clocks."""
WITHOUT_CLOCKS = (
    "every_function|bit_lengths|random_messages|random_faults|every_fault|reset_at_any_time|stops"
)


def quick_widths(variant: Variant) -> set[int]:
    """Return the width in the quick run: its own. Known answers take the others (test_kat)."""
    return {int(variant.parameters["DataWidth"])} if variant.suite == "quick" else set()


@pytest.mark.parametrize(
    ("name", "width"),
    [
        pytest.param(name, width, marks=[] if width in quick_widths(STREAMS[name][1]) else SLOW)
        for name in ONE_SLOT
        for width in widths(STREAMS[name][1])
    ],
)
def test_stream(name: str, width: int) -> None:
    """Digests, errors, AXI's rules and clocks are right."""
    design, variant = STREAMS[name]
    lane_clocks = LANE_CLOCKS.get((variant.top, width))
    tests = WITHOUT_CLOCKS if (variant.top, width) in IN_EVERY_SECOND_CLOCK else None
    run(
        design,
        variant,
        read_sources(variant),
        tests=tests,
        lane_clocks=lane_clocks,
        DataWidth=width,
    ).check()


PAD = "rtl/front/hf_keccak_pad.sv"
SPONGE = "rtl/front/hf_keccak_sponge.sv"
ONE_ROUND = "keccak-iterative-stream"
IN_RAM = "keccak-iterative-stream-block-ram"
ROUND_CHOICE = "keccak-iterative-stream-turboshake"


def run_in_ram(
    name: str = IN_RAM, files: dict[str, str] | None = None, **choice: Any
) -> simulation.Outcome:
    """Run the stream bench with digests in block RAM of ECP5, the vendor's by our model."""
    design, variant = STREAMS[name]
    files = read_sources(variant) if files is None else files
    return run(
        design, variant, files, options=ON_ECP5, stop_beats=(9, 15), StatesInBlockRam=1, **choice
    )


def test_rounds_by_message() -> None:
    """TurboSHAKE and the functions of 24 rounds take turns in one stream."""
    design, variant = STREAMS[ROUND_CHOICE]
    tests = "every_function|clocks_of_twelve"
    run(design, variant, read_sources(variant), tests=tests).check()


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param(
            *(PAD, "twelve_q <= beat_function_q[CodeWidth-1];", "twelve_q <= beat_function_q[0];"),
            marks=SLOW,
        ),
        pytest.param(
            *(PAD, "word_place_o[PlaceWidth-1] <= twelve_q;"),
            "word_place_o[PlaceWidth-1] <= beat_function_q[CodeWidth-1];",
            marks=SLOW,
        ),
        pytest.param(
            *(SPONGE, "blk_o = {twelve_q, StateWidth'(block_q)}"),
            "blk_o = {word_place[PlaceWidth-1], StateWidth'(block_q)}",
            marks=SLOW,
        ),
    ],
    ids=["by-another-bit", "of-the-next-beat", "of-the-next-block"],
)
def test_mutants_of_rounds_are_caught(path: str, old: str, new: str) -> None:
    """The bench fails where a message gets the rounds of another."""
    design, variant = STREAMS[ROUND_CHOICE]
    files = simulation.mutated(read_sources(variant), path, old, new)
    alone = [simulation.NO_ASSERTIONS]
    outcome = run(design, variant, files, tests="random_messages", arguments=alone)
    assert outcome.failures


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
def test_with_block_ram_of_ecp5(width: int) -> None:
    """The same where digests leave by way of block RAM."""
    run_in_ram(DataWidth=width, latency=43 if width == 64 else None).check()


def test_a_short_message_takes_its_clocks() -> None:
    """Of the form without block RAM: five fewer."""
    design, variant = STREAMS[ONE_ROUND]
    run(design, variant, read_sources(variant), tests="short_message", latency=38).check()


@pytest.mark.slow
def test_with_block_ram_of_ecp5_and_an_engine_of_one_clock() -> None:
    """A state may come two clocks after the last word of the one before has been asked for."""
    run_in_ram("keccak-combinational-stream").check()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            "output_busy_q && !queue_half &&",
            "output_busy_q &&",
            id="queue-overflows",
            marks=SLOW,
        ),
        pytest.param("(!write_row_q)", "(write_row_q)", id="row"),
        pytest.param(
            "word_read_q <= (rst_i || output_stop_q)",
            "word_read_q <= rst_i",
            id="stopped",
            marks=SLOW,
        ),
        pytest.param(
            "beats_queued = |word_read_q || queue_half;",
            "beats_queued = 1'b0;",
            id="early-error",
            marks=SLOW,
        ),
        pytest.param("= last_read_q[2] &&", "= last_read_q[1] &&", id="early-end", marks=SLOW),
        pytest.param(
            "st_ready_o = !output_busy_q;\n    assign beats_queued = |",
            "st_ready_o = 1'b1;\n    assign beats_queued = |",
            id="early-state",
            marks=SLOW,
        ),
    ],
)
@pytest.mark.slow
def test_mutants_with_block_ram_of_ecp5_are_caught(old: str, new: str) -> None:
    """The bench fails on a fault in what goes by way of the RAM."""
    files = simulation.mutated(read_sources(STREAMS[IN_RAM][1]), SPONGE, old, new)
    tests, alone = "random_messages|random_faults|stops", [simulation.NO_ASSERTIONS]
    assert run_in_ram(files=files, tests=tests, arguments=alone).failures


@pytest.mark.parametrize(
    ("name", "path", "old", "new"),
    [
        pytest.param(ONE_ROUND, PAD, "(beat_tid_q != tid_q)", "1'b0", id="tid-changes", marks=SLOW),
        pytest.param(
            ONE_ROUND,
            PAD,
            "suffix_start[KeepWidth] ? suffix_bits_q :",
            "suffix_start[KeepWidth] ? '0 :",
            id="suffix",
        ),
        pytest.param(
            ONE_ROUND,
            SPONGE,
            "(port_valid_q && !UsesBlockRam && !m_tready_i);",
            "1'b0;",
            id="tvalid-falls",
            marks=SLOW,
        ),
        # Only the five low bits of a code are kept.
        pytest.param(
            ONE_ROUND,
            PAD,
            "function_known(s_user.code)",
            "function_known({3'd0, 5'(s_user.code)})",
            id="family",
            marks=SLOW,
        ),
        pytest.param(
            ONE_ROUND,
            SPONGE,
            "output_busy_q <= !drop_state;",
            "output_busy_q <= 1'b1;",
            id="not-dropped",
            marks=SLOW,
        ),
        # The next state comes while a word of the last one waits.
        pytest.param(
            ONE_ROUND,
            SPONGE,
            "!output_busy_q && (!digest_valid_q || lane_complete_q);",
            "!output_busy_q;",
            id="overwritten",
            marks=SLOW,
        ),
        pytest.param(
            ONE_ROUND,
            SPONGE,
            "lanes_parity & {LaneWidth{!lane_complete_q}}",
            "lanes_parity",
            id="not-alone",
            marks=SLOW,
        ),
        pytest.param(
            ONE_ROUND, SPONGE, "next.empty_beat ||", "1'b0 ||", id="empty-output", marks=SLOW
        ),
    ],
)
def test_mutants_are_caught(name: str, path: str, old: str, new: str) -> None:
    """The bench fails on a stream top with one fault in it."""
    design, variant = STREAMS[name]
    files = simulation.mutated(read_sources(variant), path, old, new)
    tests, alone = "bit_lengths|random_faults|stops", [simulation.NO_ASSERTIONS]
    assert run(design, variant, files, tests=tests, arguments=alone).failures


WORD_SPONGE = "rtl/front/hf_keccak_word_sponge.sv"
WORD_STREAM = "rtl/front/hf_keccak_word_stream.sv"
OUTPUT_LANES = "rtl/front/hf_keccak_output_lanes.sv"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param(
            WORD_SPONGE,
            "!(state_q[StTail] && (suffix_spill_q != '0 || suffix_byte_q[7]))",
            "1'b1",
            id="pad",
        ),
        pytest.param(WORD_SPONGE, "OffsetWidth'($countones(in_bytes_i))", "'0", id="last-word"),
        pytest.param(
            WORD_SPONGE, "{suffix_spill_q[SuffixWidth-3:0], suffix_byte_q[7]}", "'0", id="spill"
        ),
        pytest.param(
            WORD_SPONGE,
            "in_padding && !permute_due_q && !pad_byte_added",
            "in_padding && !pad_byte_added",
            id="early-pad",
        ),
        pytest.param(WORD_STREAM, "!next_beat_valid_q || !m_tvalid_o", "1'b1", id="room"),
        pytest.param(
            WORD_STREAM,
            "result_complete_q && !next_beat_valid_q",
            "result_complete_q",
            id="not-left",
        ),
        pytest.param(WORD_STREAM, "beat_faulty = keep_has_hole ||", "beat_faulty =", id="hole"),
        pytest.param(
            OUTPUT_LANES, "(borrow_in_q || length_zero_q)", "borrow_in_q", id="whole-lanes"
        ),
        pytest.param(
            OUTPUT_LANES, "read_fields_i && !ring_turns_q", "read_fields_i", id="read-too-early"
        ),
    ],
)
@pytest.mark.slow
def test_mutants_of_words_are_caught(path: str, old: str, new: str) -> None:
    """The bench fails on a fault in the front end of word engines."""
    design, variant = STREAMS["keccak-serial-stream-32"]
    files = simulation.mutated(read_sources(variant), path, old, new)
    tests = "bit_lengths|random_faults|every_fault|every_function|stops"
    alone = [simulation.NO_ASSERTIONS]
    assert run(design, variant, files, tests=tests, arguments=alone).failures


@pytest.mark.slow
def test_a_block_that_is_not_cleared_is_caught() -> None:
    """Words of the block before are in what follows."""
    design, variant = STREAMS["keccak-combinational-stream"]
    files = simulation.mutated(read_sources(variant), SPONGE, "rst_i || block_taken ||", "rst_i ||")
    assert run(design, variant, files, tests="random_messages").failures


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [
        (ONE_ROUND, "DataWidth", 24),
        (ONE_ROUND, "RoundsPerClock", 5),
        ("keccak-dsp-compact-stream", "DataWidth", 512),
    ],
)
def test_impossible_parameters_do_not_elaborate(name: str, parameter: str, value: int) -> None:
    """A parameter that makes no sense stops the build."""
    _, variant = STREAMS[name]
    parameters = {**variant.parameters, parameter: value}
    with pytest.raises(RuntimeError, match=rf"refused: .*\b{parameter}\b"):
        simulation.compile_design(variant.top, read_sources(variant), parameters)
