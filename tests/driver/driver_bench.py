"""Bench of the C driver (driver.py) on cocotbext-axi's AXI4-Lite, APB4 and Wishbone, with waits.

`test_driver.py` starts it. Each register access of the C code is one of the bench's bus.
"""

import random
from typing import Any

import cocotb
from cocotb.task import bridge, resume
from cocotb.triggers import FallingEdge

from hashfabric.models import functions
from hashfabric.models.functions import KECCAK
from tests.driver.driver import Driver
from tests.driver.driver_play import Player
from tests.rtl.regs.regs import Bus
from tests.rtl.regs.regs_bench import COUNT, started
from tests.support.oracles import library_digest


class Board:
    """The peripheral's clock and interrupt, for C code that blocks."""

    def __init__(self, dut: Any) -> None:
        """Keep the model."""
        self.dut = dut
        self.wait = resume(self._wait)

    @property
    def interrupt(self) -> bool:
        """Whether its interrupt is high."""
        return bool(int(self.dut.irq_o.value))

    async def _wait(self, clocks: int) -> None:
        for _ in range(clocks):
            await FallingEdge(self.dut.clk_i)


def play(dut: Any, bus: Bus) -> None:
    """Hash by every function, then in turns, with either way to wait."""
    rng = random.Random(cocotb.RANDOM_SEED)
    driver = Driver(read=resume(bus.read), write=resume(bus.write)).open()
    for waits in (0, 1):
        driver.device.waits = waits
        for function in KECCAK.values():
            data = rng.randbytes(rng.randrange(300))
            wanted = library_digest(function, data) or functions.digest(function, data)
            assert driver.hash(function, data) == wanted, function.name
        Player(driver, Board(dut), rng.getrandbits(32)).play(COUNT)


@cocotb.test()
async def the_driver(dut: Any) -> None:
    """All of it."""
    peripheral = await started(dut)
    await bridge(play)(dut, peripheral.bus)
