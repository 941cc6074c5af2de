"""The sampler of ML-KEM and ML-DSA by itself."""

import pytest

from hashfabric.registry.sources import closure
from tests.support import simulation

SAMPLER = "rtl/front/hf_sampler.sv"
MUTANTS = {
    "modulus-too-large": (SAMPLER, "candidate[7:0] != '0", "candidate[7:1] != '0"),
    "modulus-of-ml-dsa-too-large": (SAMPLER, "candidate[12:0] != '0", "candidate[12:1] != '0"),
    "top-bit-kept": (SAMPLER, "{9'd0, window_bits_q[22:0]} :", "{8'd0, window_bits_q[23:0]} :"),
    "fifteen-accepted": (SAMPLER, "window_bits_q[3:0] != 4'd15", "1'b1"),
    "windows-shifted": (SAMPLER, "word_before_q[31:16]", "word_before_q[30:15]"),
    "binomial-reversed": (
        SAMPLER,
        "value_t'($countones(first_bits)) - value_t'($countones(second_bits))",
        "value_t'($countones(second_bits)) - value_t'($countones(first_bits))",
    ),
    "second-lost": (
        SAMPLER,
        "half_value_q <= (half_word_q || !values_accepted[0]) ?",
        "half_value_q <= !values_accepted[0] ?",
    ),
    "half-kept": (SAMPLER, "half_word_q  <= 1'b0;", "half_word_q  <= half_word_q;"),
    "withdrawn": (SAMPLER, "|| (out_valid_q && !out_ready_i);", ";"),
    "one-more": (
        SAMPLER,
        "window_valid_q && output_free && !done_o;",
        "window_valid_q && output_free;",
    ),
    "window-kept": (SAMPLER, "window_valid_q <= 1'b0;", "window_valid_q <= window_valid_q;"),
    "phase-kept": (SAMPLER, "window_phase_q <= '0;", "window_phase_q <= window_phase_q;"),
}
"""Faults in the RTL, each of which the bench must find."""


def run(files: dict[str, str] | None = None) -> simulation.Outcome:
    """Run the bench."""
    compiled = simulation.compile_design("hf_sampler", files or closure("hf_sampler"))
    return compiled.run(
        "tests.rtl.front.sampler_bench", "sampler", environment={"HF_POLYNOMIALS": "36"}
    )


def test_sampler() -> None:
    """Coefficients are those of the standards' algorithms."""
    run().check()


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_caught(name: str) -> None:
    """The bench fails on a fault."""
    path, old, new = MUTANTS[name]
    assert run(simulation.mutated(closure("hf_sampler"), path, old, new)).failures
