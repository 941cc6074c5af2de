"""The sampler of ML-KEM and ML-DSA by itself."""

import pytest

from hashfabric.registry.sources import closure
from tests.support import simulation

SAMPLER = "rtl/front/hf_sampler.sv"
PACKAGE = "rtl/front/hf_sampler_pkg.sv"
MUTANTS = {
    "modulus-too-large": (PACKAGE, "ModulusKem = 3_329", "ModulusKem = 3_330"),
    "modulus-of-ml-dsa-too-small": (PACKAGE, "ModulusDsa = 8_380_417", "ModulusDsa = 8_380_416"),
    "top-bit-kept": (SAMPLER, "whole = {9'd0, bits[22:0]};", "whole = {8'd0, bits[23:0]};"),
    "fifteen-accepted": (SAMPLER, "bits[3:0] < 4'd15", "1'b1"),
    "binomial-reversed": (
        SAMPLER,
        "value_t'($countones(ones)) - value_t'($countones(others))",
        "value_t'($countones(others)) - value_t'($countones(ones))",
    ),
    "second-lost": (
        SAMPLER,
        "half_value_q <= (half_q || !accepted[0]) ? value[1] : value[0];",
        "half_value_q <= !accepted[0] ? value[1] : value[0];",
    ),
    "half-kept": (SAMPLER, "half_q      <= 1'b0;", "half_q      <= half_q;"),
    "withdrawn": (SAMPLER, "|| (out_valid_q && !out_ready_i);", ";"),
    "one-more": (
        SAMPLER,
        "assign step = enough && room && !done_o;",
        "assign step = enough && room;",
    ),
    "queue-kept": (SAMPLER, "      level_q <= '0;\n", "      level_q <= level_q;\n"),
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
