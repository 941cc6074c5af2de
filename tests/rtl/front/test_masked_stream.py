"""`hf_keccak_masked_axis` under the stream bench, with plain ports and with ports in shares."""

from collections.abc import Mapping

import pytest

from hashfabric.registry.designs import load_designs
from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.simulation import Outcome

SLOW = pytest.mark.slow
PLAIN = load_designs()["keccak-masked"].variants["stream"]
SHARED = "hf_masked_shared_axis"
TOP = "rtl/top/hf_keccak_masked_axis.sv"
MOST = "every_function|bit_lengths|random_messages|random_faults|stops"
EXACT = "clocks|clocks_back_to_back|squeezing_clocks"


def run(
    top: str, parameters: Mapping[str, object], files: Mapping[str, str], tests: str
) -> Outcome:
    """Run tests of the stream bench."""
    compiled = simulation.compile_design(top, files, parameters)
    environment = {"HF_SLOTS": "1", "HF_CLOCKS_PER_BLOCK": "48", "HF_FILL": ""}
    return compiled.run(
        "tests.rtl.front.stream_bench", "stream", environment=environment, tests=tests
    )


@SLOW
@pytest.mark.parametrize(
    "parameters",
    [
        {"DataWidth": 64},
        {"DataWidth": 8},
        {"DataWidth": 32, "Order": 2, "Guards": 0, "Generator": 0},
        {"DataWidth": 16, "Order": 3, "Guards": 0, "Generator": 0},
        {"DataWidth": 64, "Guards": 0},
        {"DataWidth": 64, "Checked": 1},
        {"DataWidth": 32, "Order": 2, "Guards": 0, "Generator": 0, "Checked": 1},
    ],
    ids=["64", "8", "order-2", "order-3", "trivium-1600", "checked", "checked-order-2"],
)
def test_shares(parameters: dict[str, int]) -> None:
    """Shares all the way: even and odd numbers of them, both sources of random bits."""
    late = parameters.get("Generator") == 0
    run(SHARED, parameters, closure(SHARED), MOST if late else f"{MOST}|{EXACT}").check()


@SLOW
def test_plain_ports_of_second_order() -> None:
    """Three shares, made and added at the ports."""
    parameters = {**PLAIN.parameters, "Order": 2, "Guards": 0, "DataWidth": 8}
    run(PLAIN.top, parameters, closure(PLAIN.top), MOST).check()


@SLOW
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if (Fronts > Shares) blk[0] ^= front_blk[Fronts-1];", ""),
        ("assign m_data = front_data[Shares-1:0];", "assign m_data = {Shares{front_data[0]}};"),
    ],
    ids=["padding", "shares"],
)
def test_a_fault_is_found(old: str, new: str) -> None:
    """Paddings that cancel, and a share that is another one."""
    files = simulation.mutated(closure(SHARED), TOP, old, new)
    assert run(SHARED, {}, files, "random_messages").failures
