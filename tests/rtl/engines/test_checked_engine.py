"""`hf_keccak_checked`: no alarm after a short reset, and a fault that stops it until the next.

The word bench runs on it in `test_word_contract.py`; `tests/lab/test_faults.py` has every fault.
"""

import pytest

from hashfabric.registry.sources import closure
from tests.rtl.engines.alarm_bench import MARK
from tests.support import simulation

TOP = "hf_keccak_checked"
WORDS = "rtl/keccak/hf_keccak_iterative_words.sv"
FAULTS = {
    "data": (
        "state_q <= chi(chi_in) ^ block_q;",
        f"state_q <= chi(chi_in) ^ block_q ^ 1600'(block_q[0][0] == 64'd{MARK});",
    ),
    "control": (
        "if (take_q) runs_d = 1'b1;",
        "if (take_q) runs_d = 1'b1;\n"
        f"    if (!ControlOnly && data_q == 64'd{MARK} && now_q == 5'd8) now_d = 5'd10;",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["control", "data"])
@pytest.mark.parametrize("seed", [2, 1])
def test_alarm_and_reset(fault: str, seed: int) -> None:
    """A reset of one clock is enough, with any registers before it."""
    files = simulation.mutated(closure(TOP), WORDS, *FAULTS[fault])
    compiled = simulation.compile_design(TOP, files, {"WordWidth": 64})
    arguments = [simulation.NO_ASSERTIONS, f"+verilator+seed+{seed}"]
    name = f"alarm-{seed}"
    compiled.run("tests.rtl.engines.alarm_bench", name, environment={}, arguments=arguments).check()
