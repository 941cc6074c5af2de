"""The Keccak peripheral with its sampler: polynomials of ML-KEM and ML-DSA by the registers."""

from collections.abc import Mapping

import pytest

from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.peripheral import FULL, LEAST, SERIAL, TINY, WORDS, run
from tests.support.subjects import SLOW

BENCH = "tests.rtl.regs.sampling_bench"
COMMANDS = "rtl/regs/hf_keccak_regs_commands.sv"
PHASES = "rtl/regs/hf_keccak_regs_phases.sv"
DIGEST = "rtl/regs/hf_keccak_regs_digest.sv"
LENGTH = "rtl/regs/hf_keccak_regs_length.sv"
FUNCTION = "rtl/regs/hf_keccak_regs_function.sv"
MUTANTS = {
    "ends-with-the-last-coefficient": (
        DIGEST,
        "all_given && !coefficients_valid &&",
        "all_given &&",
    ),
    "never-ends": (
        PHASES,
        "(command_i.stop && phase_o.squeeze) || sampled_i ||",
        "(command_i.stop && phase_o.squeeze) ||",
    ),
    "not-done": (PHASES, "(ended && !done_q) || sampled_i;", "(ended && !done_q);"),
    "length-counts": (
        DIGEST,
        "!(stop_waits_i && !hold_i) && !sampling_o;",
        "!(stop_waits_i && !hold_i);",
    ),
    "length-kept": (LENGTH, "((sampled_i || stop_q) &&", "(stop_q &&"),
    "length-needed": (LENGTH, "left_o.zero && !sampling_i;", "left_o.zero;"),
    "no-output": (
        DIGEST,
        "no_output = length_i.zero && !sampling_o;",
        "no_output = length_i.zero;",
    ),
    "word-lost": (
        DIGEST,
        "output_fills = sampling_o || queue_fills;",
        "output_fills = queue_fills;",
    ),
    "full-ignored": (DIGEST, "sampling_o ? raw_valid_q : full_o;", "full_o;"),
    "not-reset": (
        DIGEST,
        ".rst_i       (abort_i),\n        .sampling",
        ".rst_i,\n        .sampling",
    ),
    "raw-word-kept": (DIGEST, "raw_valid_q <= !abort_i && (", "raw_valid_q <= ("),
    "squeeze-held": (COMMANDS, "(command.hold && !sampling_i))", "command.hold)"),
    "any-code": (FUNCTION, "&& sampling_known(sampling_i)", ""),
}
"""Faults in the RTL, each of which the bench must find."""


def run_sampling(
    bus: str, parameters: Mapping[str, int], files: dict[str, str] | None = None, count: int = 12
) -> simulation.Outcome:
    """Run the bench of polynomials."""
    found = dict(parameters) | {"Sampler": 1}
    return run(bus, found, count=count, files=files, bench=BENCH)


@SLOW
@pytest.mark.parametrize(
    ("bus", "parameters"),
    [
        pytest.param("apb", FULL, id="apb"),
        pytest.param("axil", FULL, id="axil"),
        pytest.param("wb", LEAST, id="wb-least"),
        pytest.param("apb", WORDS, id="apb-words-of-64"),
        pytest.param("apb", {**LEAST, "Engine": SERIAL}, id="apb-serial"),
        pytest.param("apb", {**FULL, "Engine": TINY}, id="apb-tiny"),
    ],
)
def test_polynomials(bus: str, parameters: Mapping[str, int]) -> None:
    """Coefficients are those of the standards' algorithms."""
    run_sampling(bus, parameters).check()


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_caught(name: str) -> None:
    """The bench fails on a fault."""
    path, old, new = MUTANTS[name]
    files = simulation.mutated(closure("hf_keccak_apb"), path, old, new)
    assert run_sampling("apb", FULL, files=files).failures
