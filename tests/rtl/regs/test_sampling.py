"""The Keccak peripheral with its sampler: polynomials of ML-KEM and ML-DSA by the registers."""

from collections.abc import Mapping

import pytest

from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.peripheral import FULL, LEAST, SERIAL, TINY, run
from tests.support.subjects import SLOW

BENCH = "tests.rtl.regs.sampling_bench"
REGS = "rtl/regs/hf_keccak_regs.sv"
COMMANDS = "rtl/regs/hf_keccak_regs_commands.sv"
MUTANTS = {
    "ends-with-the-last-coefficient": (REGS, "all_given && !coefficients_valid &&", "all_given &&"),
    "never-ends": (
        REGS,
        "(stop && phase.squeeze) || sampled || rst_i;",
        "(stop && phase.squeeze) || rst_i;",
    ),
    "not-done": (REGS, "(ended && !done_q) || sampled;", "(ended && !done_q);"),
    "length-counts": (REGS, "!(stop_waits && !hold_q) && !sampling;", "!(stop_waits && !hold_q);"),
    "length-kept": (REGS, "clear || sampled || (stop_q", "clear || (stop_q"),
    "length-needed": (REGS, "length_zero && !sampling;\n\n", "length_zero;\n\n"),
    "no-output": (REGS, "no_output = length_zero && !sampling;", "no_output = length_zero;"),
    "word-lost": (REGS, "output_fills = sampling || digest_fills;", "output_fills = digest_fills;"),
    "full-ignored": (REGS, "sampling ? raw_valid_q : digest_full;", "digest_full;"),
    "not-reset": (REGS, ".rst_i       (abort_q),\n        .sampling", ".rst_i,\n        .sampling"),
    "raw-word-kept": (REGS, "raw_valid_q <= !abort_q && (", "raw_valid_q <= ("),
    "squeeze-held": (COMMANDS, "(command.hold && !sampling_i))", "command.hold)"),
    "any-code": (REGS, "&&\n        sampling_known(regs_i.CONFIG.sampling.value)", ""),
}
"""Faults in the RTL, each of which the bench must find."""


def run_sampling(
    bus: str, parameters: Mapping[str, int], files: dict[str, str] | None = None, count: int = 12
) -> simulation.Outcome:
    """Run the bench of polynomials."""
    found = dict(parameters) | {"Sampler": 1}
    return run(bus, found, count=count, files=files, bench=BENCH)


@pytest.mark.parametrize(
    ("bus", "parameters"),
    [
        pytest.param("apb", FULL, id="apb"),
        pytest.param("axil", FULL, id="axil", marks=SLOW),
        pytest.param("wb", LEAST, id="wb-least", marks=SLOW),
        pytest.param("apb", {**LEAST, "Engine": SERIAL}, id="apb-serial", marks=SLOW),
        pytest.param("apb", {**FULL, "Engine": TINY}, id="apb-tiny", marks=SLOW),
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
