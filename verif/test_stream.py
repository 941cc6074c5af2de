"""The stream top of every design under random AXI4-Stream traffic, at each data width."""

from collections.abc import Sequence

import pytest

import simulation
from hashfabric.registry.designs import Design, Variant, read_sources
from streams import ONE_SLOT, STREAMS
from subjects import SLOW
from test_contract import clocks_of


def run(
    design: Design,
    variant: Variant,
    files: dict[str, str],
    *,
    tests: str | None = None,
    arguments: Sequence[str] = (),
    **parameters: int,
) -> simulation.Outcome:
    """Run the stream bench on `variant` built from `files`, some parameters replaced."""
    compiled = simulation.compile_design(variant.top, files, {**variant.parameters, **parameters})
    clocks = clocks_of(variant)
    environment = {
        "HF_SLOTS": str(design.timing(variant).slots),
        "HF_CLOCKS_PER_BLOCK": str(design.timing(variant).clocks_per_block),
        "HF_FILL": "" if clocks is None else str(clocks.fill),
    }
    return compiled.run(
        "stream_bench", "stream", environment=environment, tests=tests, arguments=arguments
    )


WIDTHS = (64, 32, 16, 8)


def quick_widths(variant: Variant) -> set[int]:
    """Return the width in the quick run: its own. Known answers take the others (test_kat)."""
    return set() if variant.suite == "slow" else {int(variant.parameters["DataWidth"])}


@pytest.mark.parametrize(
    ("name", "width"),
    [
        pytest.param(name, width, marks=[] if width in quick_widths(STREAMS[name][1]) else SLOW)
        for name in ONE_SLOT
        for width in WIDTHS
    ],
)
def test_stream(name: str, width: int) -> None:
    """Digests, errors, AXI's rules and clocks are right."""
    design, variant = STREAMS[name]
    run(design, variant, read_sources(variant), DataWidth=width).check()


PAD = "rtl/keccak/hf_keccak_pad.sv"
SPONGE = "rtl/keccak/hf_keccak_sponge.sv"
ONE_ROUND = "keccak-iterative-stream"


@pytest.mark.parametrize(
    ("name", "path", "old", "new"),
    [
        pytest.param(ONE_ROUND, PAD, "(a_tid_q != tid_q)", "1'b0", id="tid-changes", marks=SLOW),
        pytest.param(
            ONE_ROUND,
            PAD,
            "spill  = at[KeepWidth] ? suffix_q :",
            "spill  = at[KeepWidth] ? '0 :",
            id="suffix",
        ),
        pytest.param(
            ONE_ROUND,
            SPONGE,
            "(m_tvalid_o && !m_tready_i);",
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
            "busy_q <= !drop;",
            "busy_q <= 1'b1;",
            id="not-dropped",
            marks=SLOW,
        ),
        # The next state comes while a word of the last one waits.
        pytest.param(
            ONE_ROUND,
            SPONGE,
            "!busy_q && (!part_valid_q || alone_q);",
            "!busy_q;",
            id="overwritten",
        ),
        pytest.param(
            ONE_ROUND,
            SPONGE,
            "rest & {LaneWidth{!alone_q}}",
            "rest",
            id="not-alone",
            marks=SLOW,
        ),
        pytest.param(ONE_ROUND, SPONGE, "next.empty || ", "", id="empty-output", marks=SLOW),
    ],
)
def test_mutants_are_caught(name: str, path: str, old: str, new: str) -> None:
    """The bench fails on a stream top with one fault in it."""
    design, variant = STREAMS[name]
    files = simulation.mutated(read_sources(variant), path, old, new)
    tests, alone = "bit_lengths|random_faults|stops", [simulation.NO_ASSERTIONS]
    assert run(design, variant, files, tests=tests, arguments=alone).failures


@pytest.mark.slow
def test_a_squeeze_that_is_not_cleared_is_caught() -> None:
    """By the rule of the engine's port: the digests of this bench do not show it."""
    design, variant = STREAMS["keccak-combinational-stream"]
    sources = read_sources(variant)
    files = simulation.mutated(sources, SPONGE, "full_q && !clear_q;", "full_q;")
    assert "Rule8SqueezeIsZero_M" in run(design, variant, files, tests="random_messages").assertions


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
    with pytest.raises(RuntimeError, match="Command failed"):
        simulation.compile_design(variant.top, read_sources(variant), parameters)
