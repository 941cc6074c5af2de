"""Runs inside the simulator: what a checked peripheral does after a fault, and after a reset.

One of the two copies has a fault that a word of a message with MARK in it sets off
(`test_checked_regs.py`).
"""

import hashlib
import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, with_timeout

from hashfabric.models.functions import KECCAK
from tests.rtl.regs.regs import BUSES, REGISTERS, Peripheral

MARK = 0xFA17BAD0
BUS = os.environ.get("HF_BUS", "apb")
DATA = KECCAK["sha3-256"]
MESSAGE = bytes(range(200))


async def answer(dut: Any, bus: Any, name: str) -> tuple[bool, int]:
    """Read a register; return whether the bus reports an error, and the word."""
    address = REGISTERS[name].address
    if BUS == "axil":
        found = await with_timeout(bus.master.read(address, 4), 8_000, "ns")
        return found.resp != 0, int.from_bytes(found.data, "little")
    if BUS == "apb":
        select, enable, ready = dut.s_apb_psel, dut.s_apb_penable, dut.s_apb_pready
        error, word = dut.s_apb_pslverr, dut.s_apb_prdata
        dut.s_apb_pwrite.value, dut.s_apb_paddr.value = 0, address
    else:
        select, enable, ready = dut.wb_cyc, dut.wb_stb, dut.wb_ack
        error, word = dut.wb_err, dut.wb_dat_r
        dut.wb_we.value, dut.wb_adr.value = 0, address >> 2
    select.value = 1
    if BUS == "apb":
        await FallingEdge(dut.clk_i)
    enable.value = 1
    for _ in range(3_000):
        await ReadOnly()
        if int(ready.value) or int(error.value):
            break
        await FallingEdge(dut.clk_i)
    else:
        raise AssertionError(f"{name}: no answer")
    found = bool(int(error.value)), int(word.value)
    await FallingEdge(dut.clk_i)
    select.value = enable.value = 0
    return found


async def reset(dut: Any) -> Peripheral:
    """Reset for three clocks; return the peripheral."""
    dut.rst_i.value = 1
    rng = random.Random(1)
    bus = BUSES[BUS](dut, rng, 0.0, 3_000)
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    await FallingEdge(dut.clk_i)
    return Peripheral(bus, rng)


@cocotb.test()
async def alarm_and_reset(dut: Any) -> None:
    """A right digest; an alarm, with which all reads fail; and a right digest after a reset."""
    dut.s_axis_tvalid.value = 0
    Clock(dut.clk_i, 2, unit="ns").start()
    right = hashlib.sha3_256(MESSAGE).digest()
    peripheral = await reset(dut)
    assert await peripheral.digest(DATA, MESSAGE) == right
    assert not int(dut.alarm_o.value)
    assert not int(dut.irq_o.value)

    await peripheral.begin(DATA)
    await peripheral.write("MESSAGE", MARK)
    await peripheral.command("last")
    for _ in range(3_000):
        await FallingEdge(dut.clk_i)
    for _ in range(8):  # a wrong state shows in the digest
        await answer(dut, peripheral.bus, "DIGEST")
        for _ in range(3):
            await FallingEdge(dut.clk_i)
    assert int(dut.alarm_o.value)
    assert int(dut.irq_o.value)
    for name in ("STATUS", "DIGEST", "CONFIG"):
        assert await answer(dut, peripheral.bus, name) == (True, 0)

    peripheral = await reset(dut)
    assert not int(dut.alarm_o.value)
    assert await peripheral.digest(DATA, MESSAGE) == right
    assert not int(dut.alarm_o.value)
