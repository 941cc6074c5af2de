"""Runs inside the simulator: what hf_keccak_checked does after a fault, and after a reset.

The engine has a fault that a message with MARK in it sets off (`test_checked_engine.py`).
"""

from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from tests.support.states import keccak_f

ADD, READ, PERMUTE, WIPE = range(4)
MARK = 0xFA17


class Driver:
    """Drives one clock after the other, and samples in its middle."""

    def __init__(self, dut: Any) -> None:
        """Take the ports of `dut`; its registers are as they were at power-up."""
        self.dut = dut
        dut.op_valid_i.value = 0
        dut.op_bytes_i.value = 0xFF
        Clock(dut.clk_i, 2, unit="ns").start()

    async def reset(self) -> None:
        """Reset for one clock, with nothing offered."""
        await FallingEdge(self.dut.clk_i)
        self.dut.rst_i.value = 1
        self.dut.op_valid_i.value = 0

    async def idle(self, clocks: int) -> bool:
        """Offer nothing; return whether the alarm was high at the end."""
        for _ in range(clocks):
            await FallingEdge(self.dut.clk_i)
            self.dut.rst_i.value = 0
            self.dut.op_valid_i.value = 0
            await ReadOnly()
        return bool(int(self.dut.alarm_o.value))

    async def offer(self, op: int, address: int = 0, word: int = 0) -> int | None:
        """Offer an operation for 100 clocks; return `word_o`, None if it is not accepted."""
        await FallingEdge(self.dut.clk_i)
        self.dut.rst_i.value = 0
        self.dut.op_valid_i.value = 1
        self.dut.op_i.value = op
        self.dut.op_addr_i.value = address
        self.dut.op_word_i.value = word
        for _ in range(100):
            await ReadOnly()
            if int(self.dut.op_ready_o.value):
                return int(self.dut.word_o.value)
            await FallingEdge(self.dut.clk_i)
        return None

    async def permuted(self, word: int) -> int | None:
        """Return word 0 of Keccak-f of a state that is `word`."""
        for op, value in ((WIPE, 0), (ADD, word), (PERMUTE, 0)):
            if await self.offer(op, 0, value) is None:
                return None
        return await self.offer(READ)


@cocotb.test()
async def alarm_and_reset(dut: Any) -> None:
    """A reset of one clock at power-up, an alarm, no operation until a reset, and none after it."""
    driver = Driver(dut)
    await driver.reset()
    assert not await driver.idle(10)
    right = keccak_f(7) & (1 << 64) - 1
    assert await driver.permuted(7) == right
    assert await driver.permuted(MARK) is None
    assert await driver.idle(50)
    assert await driver.offer(WIPE) is None
    await driver.reset()
    assert not await driver.idle(10)
    assert await driver.permuted(7) == right
    assert not await driver.idle(10)
