"""Unit bench of `hf_clock_gate` and memories, in `hf_common_parts` of `test_common.py`."""

import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge

STYLE = int(os.environ["HF_STYLE"])
DEPTH = int(os.environ["HF_DEPTH"])
WIDTH = int(os.environ["HF_WIDTH"])


async def started(dut: Any) -> random.Random:
    """Start the clock; inputs are to be changed at its falling edge or after its rising one."""
    dut.en_i.value = 0
    dut.write_i.value = 0
    Clock(dut.clk_i, 10, "ns").start()
    await RisingEdge(dut.clk_i)
    return random.Random(STYLE)


@cocotb.test()
async def a_register_follows_its_enable(dut: Any) -> None:
    """In every style a counter with the gate counts the clocks that were enabled, no others.

    The enable changes after the rising edge, as registers do, and once more before the next: only
    its last value counts, and a gated clock must have no pulse for the other.
    """
    rng = await started(dut)
    await FallingEdge(dut.clk_i)
    before, enabled, edges = int(dut.count_o.value), 0, int(dut.edges_o.value)
    for _ in range(500):
        await RisingEdge(dut.clk_i)
        dut.en_i.value = rng.randrange(2)
        await FallingEdge(dut.clk_i)
        dut.en_i.value = last = rng.randrange(2)
        enabled += last
    await RisingEdge(dut.clk_i)
    await ReadOnly()
    passed = enabled if STYLE else 501
    assert (int(dut.count_o.value) - before) % 2**16 == passed
    assert (int(dut.edges_o.value) - edges) % 2**16 == (passed if STYLE == 2 else 501)


@cocotb.test()
async def ram(dut: Any) -> None:
    """Two clocks from an address to its data; a word that is written in that clock is left open."""
    rng = await started(dut)
    known: dict[int, int] = {}
    asked: list[int | None] = []
    checked = 0
    for _ in range(40 * DEPTH):
        write, address, data = rng.random() < 0.5, rng.randrange(DEPTH), rng.getrandbits(WIDTH)
        read = rng.randrange(DEPTH)
        dut.write_i.value = write
        dut.write_addr_i.value = address
        dut.write_data_i.value = data
        dut.read_addr_i.value = read
        asked.append(None if write and address == read else known.get(read))
        if write:
            known[address] = data
        await RisingEdge(dut.clk_i)
        await ReadOnly()
        wanted = asked[-2] if len(asked) > 1 else None
        if wanted is not None:
            assert int(dut.read_data_o.value) == wanted
            checked += 1
        await FallingEdge(dut.clk_i)
    assert checked > 10 * DEPTH


@cocotb.test()
async def one_port_ram(dut: Any) -> None:
    """Two clocks from an address to its data, which stays while the memory writes."""
    rng = await started(dut)
    known: dict[int, int] = {}
    latch: int | None = None
    checked = 0
    for _ in range(40 * DEPTH):
        write, address, data = rng.random() < 0.5, rng.randrange(DEPTH), rng.getrandbits(WIDTH)
        dut.write_i.value = write
        dut.write_addr_i.value = dut.read_addr_i.value = address
        dut.write_data_i.value = data
        wanted = latch
        if write:
            known[address] = data
        else:
            latch = known.get(address)
        await RisingEdge(dut.clk_i)
        await ReadOnly()
        if wanted is not None:
            assert int(dut.one_port_o.value) == wanted
            checked += 1
        await FallingEdge(dut.clk_i)
    assert checked > 10 * DEPTH


@cocotb.test()
async def rom(dut: Any) -> None:
    """Two clocks from an address to its word."""
    rng = await started(dut)
    asked: list[int] = []
    for _ in range(4 * DEPTH):
        asked.append(rng.randrange(DEPTH))
        dut.read_addr_i.value = asked[-1]
        await RisingEdge(dut.clk_i)
        await ReadOnly()
        if len(asked) > 1:
            wanted = (asked[-2] + 1) * 0x9E3779B97F4A7C15 % 2**WIDTH
            assert int(dut.rom_o.value) == wanted
        await FallingEdge(dut.clk_i)
