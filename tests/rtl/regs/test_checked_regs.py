"""The peripherals with detection of faults: what a fault in one of their copies does.

The bench of the peripheral runs on them without a fault in `test_regs.py`;
`tests/lab/test_faults.py` puts faults into the netlist of a stream of two copies.
"""

import pytest

from hashfabric.registry.sources import closure
from tests.rtl.regs.alarm_regs_bench import MARK
from tests.support import simulation
from tests.support.peripheral import LEAST, SERIAL, run
from tests.support.subjects import SLOW

BENCH = "tests.rtl.regs.alarm_regs_bench"
INPUTS = {
    "apb": ("apb", ".s_apb_pwdata (inputs[i].pwdata)"),
    "wb": ("wb", ".wb_dat_w     (inputs[i].dat_w)"),
    "axil": ("axil", ".s_axil_wdata  (inputs[i].wdata)"),
}
"""By the bus, the file of the two copies, and a connection in it."""


def faulty(bus: str, copy: int) -> dict[str, str]:
    """Return a peripheral's files; a copy sees a wrong bit of a word that is MARK."""
    where, old = INPUTS[bus]
    signal = old.partition("(")[2].rstrip(")")
    wrong = f"{signal} ^ 32'(i == {copy} && {signal} == 32'h{MARK:x})"
    path = f"rtl/top/hf_keccak_{where}_checked.sv"
    return simulation.mutated(
        closure(f"hf_keccak_{bus}_checked"), path, old, old.replace(signal, wrong)
    )


@pytest.mark.parametrize(
    ("bus", "copy"),
    [
        pytest.param("apb", 0, id="apb-first", marks=SLOW),
        pytest.param("apb", 1, id="apb-second", marks=SLOW),
        pytest.param("wb", 0, id="wb-first", marks=SLOW),
        pytest.param("wb", 1, id="wb-second", marks=SLOW),
        pytest.param("axil", 0, id="axil-first", marks=SLOW),
        pytest.param("axil", 1, id="axil-second", marks=SLOW),
    ],
)
def test_alarm_and_reset(bus: str, copy: int) -> None:
    """A wrong digest raises the alarm, whose answers are errors; a reset ends it."""
    parameters = {**LEAST, "Engine": SERIAL}
    run(
        f"{bus}_checked",
        parameters,
        count=1,
        waits=0.0,
        files=faulty(bus, copy),
        arguments=[simulation.NO_ASSERTIONS],
        bench=BENCH,
    ).check()
