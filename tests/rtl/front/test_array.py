"""Several cores with one stream, and the module that cuts a wide beat for a core."""

from collections.abc import Sequence
from typing import Any

import pytest

from hashfabric.registry.designs import read_sources
from tests.support import simulation
from tests.support.streams import (
    ARRAY_TOP,
    FOUR_STAGES,
    ON_ECP5,
    STREAMS,
    THREE_STAGES,
    TWO_STAGES,
    TWO_STAGES_AND_RETURN,
    registers,
    slots_of,
)

SLOW = pytest.mark.slow
NARROW = "rtl/common/hf_axis_narrow.sv"
ARRAY = "rtl/top/hf_keccak_array.sv"
SLICE = "rtl/front/hf_keccak_slot_slice.sv"
COPIES = "rtl/prim/hf_copies.sv"
FULL_DEVICE = "keccak-pipelined-full-device"


def run_narrow(
    files: dict[str, str],
    *,
    width: int = 128,
    parts: int = 4,
    depth: int = 16,
    arguments: Sequence[str] = (),
) -> simulation.Outcome:
    """Run the unit bench on hf_axis_narrow out of `files`."""
    parameters = {"Width": width, "Parts": parts, "Depth": depth, "UserWidth": 56}
    compiled = simulation.compile_design("hf_axis_narrow", files, parameters)
    environment = {"HF_WIDTH": str(width), "HF_PARTS": str(parts), "HF_DEPTH": str(depth)}
    return compiled.run(
        "tests.rtl.front.narrow_bench", "narrow", environment=environment, arguments=arguments
    )


@pytest.mark.parametrize(
    ("width", "parts", "depth"),
    [
        (64, 4, 16),
        pytest.param(128, 4, 16, marks=pytest.mark.slow),
        pytest.param(256, 2, 4, marks=pytest.mark.slow),
        pytest.param(128, 1, 8, marks=pytest.mark.slow),
        pytest.param(64, 8, 4, marks=pytest.mark.slow),
    ],
)
def test_narrow(width: int, parts: int, depth: int) -> None:
    """Wide beats become the right parts, in the clocks that the header says."""
    files = simulation.read_files([COPIES, NARROW])
    run_narrow(files, width=width, parts=parts, depth=depth).check()


def run_array(  # noqa: PLR0913 - all but the number may be left out
    engines: int,
    *,
    bench: str,
    rounds: int = 1,
    inside: tuple[str, ...] = FOUR_STAGES,
    core_width: int = 128,
    others: dict[str, int] | None = None,
    files: dict[str, str] | None = None,
    tests: str | None = None,
    messages: int = 500,
    arguments: Sequence[str] = (),
    options: Sequence[str] = (),
) -> simulation.Outcome:
    """Run `bench` on an array; where `others` is silent, ports are twice as wide as a core's."""
    parameters = {"Engines": engines, "Rounds": rounds, "CoreWidth": core_width}
    parameters |= registers(*inside) | {"DataWidth": 2 * core_width} | (others or {})
    environment = {
        "HF_SLOTS": str(engines * slots_of(rounds, inside)),
        "HF_CLOCKS_PER_BLOCK": str(24 / (engines * rounds)),
        "HF_MESSAGES": str(messages),
        "HF_ENGINES": str(engines),
        "HF_CORE_WIDTH": str(core_width),
    }
    compiled = simulation.compile_design(
        ARRAY_TOP, files or read_sources(STREAMS[FULL_DEVICE][1]), parameters, options
    )
    return compiled.run(bench, bench, environment=environment, tests=tests, arguments=arguments)


# tids 8 to 15, and 12 to 15, are no slot's
TWO = (2, {"TidWidth": 4})
FAR_APART = (3, {"Hops": 2})


@pytest.mark.slow
@pytest.mark.parametrize("bench", ["tests.rtl.front.slots_bench", "tests.rtl.front.array_bench"])
@pytest.mark.parametrize(
    ("engines", "others"), [pytest.param(*TWO, id="two"), pytest.param(*FAR_APART, id="far-apart")]
)
def test_array(engines: int, others: dict[str, int], bench: str) -> None:
    """Right digests, errors and clocks whatever the traffic, and what the header promises."""
    run_array(engines, bench=bench, others=others).check()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bench", "tests"),
    [("tests.rtl.front.slots_bench", "faults"), ("tests.rtl.front.array_bench", "holes|cores")],
)
def test_array_in_short(bench: str, tests: str) -> None:
    """Two engines with two slots each, which are sooner compiled, and fewer messages."""
    run_array(2, bench=bench, inside=TWO_STAGES, tests=tests, messages=100).check()


@pytest.mark.slow
@pytest.mark.parametrize("bench", ["tests.rtl.front.slots_bench", "tests.rtl.front.array_bench"])
@pytest.mark.parametrize(
    ("engines", "others"),
    [
        pytest.param(2, {"inside": THREE_STAGES, "others": {"DataWidth": 512}}, id="3-slots-each"),
        pytest.param(2, {"rounds": 2, "core_width": 256, "inside": THREE_STAGES}, id="2-rounds"),
        pytest.param(
            *(2, {"rounds": 3, "core_width": 256, "inside": TWO_STAGES_AND_RETURN}), id="3-rounds"
        ),
        pytest.param(5, {"inside": TWO_STAGES, "others": {"TidWidth": 5}}, id="5-engines"),
    ],
)
def test_other_parameters(engines: int, others: dict[str, Any], bench: str) -> None:
    """The same for other shapes."""
    run_array(engines, bench=bench, **others).check()


@pytest.mark.slow
def test_the_full_device_with_block_ram_of_ecp5() -> None:
    """As it is measured: states in a block RAM a slice, the vendor's by our model."""
    run_array(
        2,
        bench="tests.rtl.front.slots_bench",
        rounds=3,
        inside=TWO_STAGES_AND_RETURN,
        core_width=256,
        tests="mixed_load|faults|digests_wait|reset_at_any_time",
        messages=200,
        options=ON_ECP5,
    ).check()


NARROW_MUTANTS = [
    ("s_last_i ? last_some : part_t'(Parts - 1)", "last_some", "short-beat-cut"),
    ("s_last_i ? last_some :", "s_last_i ? part_t'(Parts - 1) :", "empty-parts"),
    ("head_rest.last && final_part;", "head_rest.last;", "tlast-on-all"),
    ("= !free && !finish && part_d", "= !finish && part_d", "head-of-before"),
    ("rst_i && write_q != read_q;", "rst_i && (s_valid_i || write_q != read_q);", "too-soon"),
    ("load != '0 && final_part;", "final_part;", "does-not-wait"),
    ("!(take && get_q == 1'(k))", "!take", "both-are-taken"),
    ("room_d = !full_d[put_d];", "room_d = full_d == '0;", "every-second-clock"),
    ("(soon_q && room_q);", "soon_q;", "the-next-too-soon"),
    ("(soon_q && room_q);", "1'b0;", "a-clock-lost"),
]


@SLOW
@pytest.mark.parametrize(
    ("old", "new"),
    [pytest.param(*mutant[:2], id=mutant[2]) for mutant in NARROW_MUTANTS],
)
def test_narrow_mutants_are_caught(old: str, new: str) -> None:
    """The unit bench fails on a converter with one fault in it."""
    files = simulation.mutated(simulation.read_files([COPIES, NARROW]), NARROW, old, new)
    assert run_narrow(files, arguments=[simulation.NO_ASSERTIONS]).failures


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "bench", "caught_by"),
    [
        pytest.param(
            *(
                "!mine && (!busy_q ||",
                "!mine && (1'b1 ||",
                "tests.rtl.front.array_bench",
                "who_looks_never_waits",
            ),
            id="room-too-soon",
        ),
        pytest.param(
            *("source_t'(Cores) : after_q[core_q];", "source_t'(Cores) : after_q[0];"),
            *("tests.rtl.front.array_bench", "cores_take_turns"),
            id="no-turns",
        ),
        pytest.param(
            *(
                "space_q <= !queue_half;",
                "space_q <= 1'b1;",
                "tests.rtl.front.slots_bench",
                "digests_wait",
            ),
            id="too-many-places",
        ),
        pytest.param(
            *(">= Depth - 1 - Late;", "> 2 * Depth;", "tests.rtl.front.slots_bench", "mixed_load"),
            id="queue-overflows",
        ),
        pytest.param(
            *("go ? m_valid : passing_filled", "go ? 1'b1 : passing_filled"),
            *("tests.rtl.front.slots_bench", "one_message"),
            id="empty-place",
        ),
    ],
)
def test_array_mutants_are_caught(old: str, new: str, bench: str, caught_by: str) -> None:
    """The benches fail on an array with one fault in it."""
    files = simulation.mutated(read_sources(STREAMS[FULL_DEVICE][1]), ARRAY, old, new)
    alone = [simulation.NO_ASSERTIONS]
    outcome = run_array(
        2, bench=bench, inside=TWO_STAGES, files=files, tests=caught_by, arguments=alone
    )
    assert caught_by in outcome.failures


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(".pause_i     (pause_q)", ".pause_i     (1'b0)", id="no-pause"),
        pytest.param("assign m_take_o = has_room &&", "assign m_take_o =", id="taken-without-room"),
        pytest.param("if (!next_valid_q) {next_q", "{next_q", id="the-next-is-lost"),
    ],
)
def test_slice_mutants_are_caught(old: str, new: str) -> None:
    """The same for the register slice in front of a core: beats are lost, or count too early."""
    files = simulation.mutated(read_sources(STREAMS[FULL_DEVICE][1]), SLICE, old, new)
    bench, alone = "tests.rtl.front.slots_bench", [simulation.NO_ASSERTIONS]
    outcome = run_array(2, bench=bench, inside=TWO_STAGES, files=files, arguments=alone)
    assert outcome.failures


@pytest.mark.parametrize(
    ("parameter", "value"),
    [("Engines", 1), ("DataWidth", 384), ("CoreWidth", 64), ("TidWidth", 3), ("Hops", 0)],
)
def test_impossible_arrays_do_not_elaborate(parameter: str, value: int) -> None:
    """An array that cannot be built says so at elaboration."""
    _, variant = STREAMS[FULL_DEVICE]
    parameters = {**variant.parameters, parameter: value}
    with pytest.raises(RuntimeError, match=rf"refused: .*\b{parameter}\b"):
        simulation.compile_design(ARRAY_TOP, read_sources(variant), parameters)


@pytest.mark.parametrize(("parameter", "value"), [("Width", 96), ("Parts", 3), ("Depth", 6)])
def test_impossible_converters_do_not_elaborate(parameter: str, value: int) -> None:
    """The same for the converter."""
    files = simulation.read_files([COPIES, NARROW])
    with pytest.raises(RuntimeError, match=rf"refused: .*\b{parameter}\b"):
        simulation.compile_design("hf_axis_narrow", files, {parameter: value})
