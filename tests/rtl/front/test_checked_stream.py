"""Streams with an alarm, with a fault in their RTL: it rises, and no wrong output leaves.

`tests/lab/test_faults.py` puts every fault into its netlist.
"""

from typing import Any

import pytest

from hashfabric.registry.designs import Design, load_designs
from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.simulation import Outcome

DESIGNS = load_designs()
PARITY, SERIAL, MASKED = (
    (DESIGNS["keccak-checked"], "stream"),
    (DESIGNS["keccak-serial"], "stream-checked"),
    (DESIGNS["keccak-masked"], "stream-checked"),
)
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
TOP = "TOP"
PORT = "rtl/front/hf_lockstep_stream.sv"
COPIES = {
    "first-output": (
        TOP,
        "(m_tdata),",
        "({m_tdata[1], m_tdata[0] ^ WIDTH'(m_tdata[0][2:0] == 3'd5)}),",
    ),
    "first-message": (
        TOP,
        "(inputs[i].s_tdata)",
        "(inputs[i].s_tdata ^ WIDTH'(i == 0 && inputs[i].s_tdata[3:0] == 4'd9))",
    ),
    "second-message": (
        TOP,
        "(inputs[i].s_tdata)",
        "(inputs[i].s_tdata ^ WIDTH'(i == 1 && inputs[i].s_tdata[3:0] == 4'd9))",
    ),
    "first-lost": (
        PORT,
        "assign m_tready_o = receiver_ready & beat_compared_q;",
        "assign m_tready_o = receiver_ready & beat_compared_q | 2'(m_tdata_i[0][2:0] == 3'd3);",
    ),
}
"""Faults in one of two copies; TOP is the variant's, WIDTH its data width."""


def run(
    of: tuple[Design, str], path: str, old: str, new: str, arguments: tuple[str, ...] = ()
) -> Outcome:
    """Run messages of the stream bench with one text replaced."""
    design, variant = of[0], of[0].variants[of[1]]
    path = f"rtl/top/{variant.top}.sv" if path == TOP else path
    new = new.replace("WIDTH'", f"{variant.parameters['DataWidth']}'")
    files = simulation.mutated(closure(variant.top), path, old, new)
    compiled = simulation.compile_design(variant.top, files, variant.parameters)
    timing = design.timing(variant)
    environment = {
        "HF_SLOTS": "1",
        "HF_CLOCKS_PER_BLOCK": str(timing.clocks_per_block),
        "HF_LANE_CLOCKS": str(timing.lane_clocks),
        "HF_FILL": "",
    }
    return compiled.run(
        "tests.rtl.front.stream_bench",
        "stream",
        environment=environment,
        tests="random_messages",
        arguments=arguments,
    )


def of_copies(*but: str) -> list[Any]:
    """Return the parameters of each fault, without some, for each core in lockstep."""
    return [
        pytest.param(of, *fault, id=f"{of[0].name}-{name}", marks=pytest.mark.slow)
        for of in (SERIAL, MASKED)
        for name, fault in COPIES.items()
        if name not in but
    ]


@pytest.mark.parametrize(
    ("of", "path", "old", "new"),
    [pytest.param(PARITY, *fault.values, id=fault.id, marks=pytest.mark.slow) for fault in FAULTS]
    + of_copies(),
)
def test_a_fault_raises_the_alarm(of: tuple[Design, str], path: str, old: str, new: str) -> None:
    """An assertion fails in its clock: of no alarm, or of what it withdraws, operation or beat."""
    [assertion] = run(of, path, old, new).assertions
    assert assertion in ("NoAlarm_A", "WordOfferStands_M", "AxisValidStands")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("of", "path", "old", "new"),
    [pytest.param(PARITY, *fault.values, id=fault.id) for fault in FAULTS[:3]]
    + of_copies("first-lost"),
)
def test_no_wrong_output_leaves(of: tuple[Design, str], path: str, old: str, new: str) -> None:
    """The bench waits for an output that does not come, and sees no wrong one."""
    [why] = run(of, path, old, new, (simulation.NO_ASSERTIONS,)).failures.values()
    assert "no result" in why
