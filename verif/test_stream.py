"""The stream top of every design under random AXI4-Stream traffic, at each data width."""

from collections.abc import Sequence

import pytest

import simulation
from hashfabric.flows.ecp5.flow import Ecp5Target
from hashfabric.registry.designs import Design, Variant, read_sources
from streams import ONE_SLOT, STREAMS
from subjects import SLOW
from test_contract import clocks_of


def run(  # noqa: PLR0913 - all but the sources may be left out
    design: Design,
    variant: Variant,
    files: dict[str, str],
    *,
    tests: str | None = None,
    arguments: Sequence[str] = (),
    options: Sequence[str] = (),
    **parameters: int,
) -> simulation.Outcome:
    """Run the stream bench on `variant` built from `files`, some parameters replaced."""
    compiled = simulation.compile_design(
        variant.top, files, {**variant.parameters, **parameters}, options
    )
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
IN_RAM = "keccak-iterative-stream-block-ram"
ON_ECP5 = [f"+define+{macro}" for macro in Ecp5Target.macros]


@pytest.mark.parametrize(
    "width", [64, *(pytest.param(width, marks=SLOW) for width in WIDTHS if width != 64)]
)
def test_with_block_ram_of_ecp5(width: int) -> None:
    """The same where a digest is stored in a block RAM a slice, the vendor's by our model."""
    design, variant = STREAMS[IN_RAM]
    run(design, variant, read_sources(variant), options=ON_ECP5, DataWidth=width).check()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("waits_q && !busy_q && !asked_q;", "waits_q && !busy_q;", id="overwritten"),
        pytest.param("row_q <= write_row_q;", "row_q <= 1'b0;", id="row", marks=SLOW),
        pytest.param(".read_i      (ask)", ".read_i      (1'b1)", id="read-on", marks=SLOW),
        pytest.param(".out_i       (advance)", ".out_i       (1'b1)", id="went-on", marks=SLOW),
        pytest.param("&& !load && !stop);", "&& !load);", id="stopped", marks=SLOW),
        pytest.param("under_way = waits_q || asked_q;", "under_way = 1'b0;", id="early-error"),
    ],
)
def test_mutants_with_block_ram_of_ecp5_are_caught(old: str, new: str) -> None:
    """The bench fails on a fault in what goes through the RAM."""
    design, variant = STREAMS[IN_RAM]
    files = simulation.mutated(read_sources(variant), SPONGE, old, new)
    tests, alone = "random_messages|random_faults|stops", [simulation.NO_ASSERTIONS]
    outcome = run(design, variant, files, tests=tests, arguments=alone, options=ON_ECP5)
    assert outcome.failures


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
            "begins = st_valid_i && !drop;",
            "begins = st_valid_i;",
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
