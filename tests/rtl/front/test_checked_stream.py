"""`hf_keccak_checked_axis` with a fault in its RTL: the alarm rises, and no wrong output leaves.

`tests/lab/test_faults.py` puts every fault into its netlist.
"""

import pytest

from hashfabric.registry.designs import load_designs
from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.simulation import Outcome

STREAM = load_designs()["keccak-checked"].variants["stream"]
WORDS = "rtl/keccak/hf_keccak_iterative_words.sv"
READER = "rtl/keccak/hf_keccak_word_reader.sv"
FRONT = "rtl/front/hf_keccak_second_front.sv"
ROUND = "state_q <= chi(chi_in) ^ block_q;"
FAULTS = [
    pytest.param(
        WORDS, ROUND, ROUND.replace(";", " ^ 1600'(!ControlOnly && now_q == 5'd7);"), id="chi"
    ),
    pytest.param(
        WORDS,
        "p = state_q[0] ^ state_q[1]",
        "p = (320'(!ControlOnly && now_q == 5'd9) << 100) ^ state_q[0] ^ state_q[1]",
        id="theta",
    ),
    pytest.param(
        WORDS,
        "if (take_q) runs_d = 1'b1;",
        "if (take_q) runs_d = 1'b1;\n    if (!ControlOnly && now_q == 5'd11) now_d = 5'd13;",
        id="counter",
    ),
    pytest.param(
        READER,
        "assign word_o = word_q;",
        "assign word_o = word_q ^ WordWidth'(first_q);",
        id="word",
    ),
    pytest.param(FRONT, ".word_i\n", ".word_i(word_i ^ 1)\n", id="second-front"),
]


def run(path: str, old: str, new: str, arguments: tuple[str, ...] = ()) -> Outcome:
    """Run messages of the stream bench with one text replaced."""
    files = simulation.mutated(closure(STREAM.top), path, old, new)
    compiled = simulation.compile_design(STREAM.top, files, STREAM.parameters)
    environment = {"HF_SLOTS": "1", "HF_CLOCKS_PER_BLOCK": "24", "HF_LANE_CLOCKS": "13"}
    return compiled.run(
        "tests.rtl.front.stream_bench",
        "stream",
        environment=environment | {"HF_FILL": ""},
        tests="random_messages",
        arguments=arguments,
    )


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param(*fault.values, id=fault.id, marks=[pytest.mark.slow] if number else [])
        for number, fault in enumerate(FAULTS)
    ],
)
def test_a_fault_raises_the_alarm(path: str, old: str, new: str) -> None:
    """An assertion fails in its clock: of no alarm, or of the operation that it withdraws."""
    [assertion] = run(path, old, new).assertions
    assert assertion in ("NoAlarm_A", "WordOfferStands_M")


@pytest.mark.slow
@pytest.mark.parametrize(("path", "old", "new"), FAULTS[:3])
def test_no_wrong_output_leaves(path: str, old: str, new: str) -> None:
    """The bench waits for an output that does not come, and sees no wrong one."""
    [why] = run(path, old, new, (simulation.NO_ASSERTIONS,)).failures.values()
    assert "no result" in why
