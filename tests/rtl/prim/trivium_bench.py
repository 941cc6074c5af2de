"""Unit bench of `hf_trivium`: eSTREAM's vectors, stalls, seeds that are refused, a new seed."""

import json
import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

WIDTH = int(os.environ["HF_WIDTH"])
VECTORS = json.loads(os.environ["HF_VECTORS"])
"""Key, IV, and parts of the stream by their first byte, in hexadecimal."""


def number(text: str) -> int:
    """Return the bits of a text of eSTREAM's, the first byte lowest."""
    return int.from_bytes(bytes.fromhex(text), "little")


async def started(dut: Any) -> None:
    """Reset; nothing comes before there is a seed."""
    dut.rst_i.value = 1
    dut.seed_valid_i.value = 0
    dut.rand_ready_i.value = 1
    Clock(dut.clk_i, 10, "ns").start()
    await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    for _ in range(2 * 1152 // WIDTH + 10):
        await FallingEdge(dut.clk_i)
        assert not int(dut.rand_valid_o.value)


async def seed(dut: Any, key: int, initial: int) -> None:
    """Seed it."""
    dut.seed_valid_i.value = 1
    dut.seed_key_i.value = key
    dut.seed_iv_i.value = initial
    await FallingEdge(dut.clk_i)
    dut.seed_valid_i.value = 0
    dut.seed_key_i.value = 0
    dut.seed_iv_i.value = 0


async def stream(dut: Any, length: int, rng: random.Random) -> bytes:
    """Return the first bytes that it gives, `rand_ready_i` low in some clocks."""
    bits, at = 0, 0
    while at < 8 * length:
        dut.rand_ready_i.value = ready = rng.random() < 0.9
        assert int(dut.rand_valid_o.value)
        if ready:
            bits |= int(dut.rand_o.value) << at
            at += WIDTH
        await FallingEdge(dut.clk_i)
    return bits.to_bytes((at + 7) // 8, "little")[:length]


@cocotb.test()
async def vectors(dut: Any) -> None:
    """The streams of the vectors, one after the other, each as soon as it is said to be there."""
    await started(dut)
    rng = random.Random(WIDTH)
    for vector in VECTORS:
        await seed(dut, number(vector["key"]), number(vector["iv"]))
        waited = 1
        while not int(dut.rand_valid_o.value):
            await FallingEdge(dut.clk_i)
            waited += 1
        assert waited == 1152 // WIDTH + 2
        parts = {int(at): bytes.fromhex(part) for at, part in vector["stream"].items()}
        found = await stream(dut, max(at + len(part) for at, part in parts.items()), rng)
        for at, part in parts.items():
            assert found[at : at + len(part)] == part, f"from byte {at}"


@cocotb.test()
async def refused(dut: Any) -> None:
    """A key of zeros or of ones ends the stream, and another key begins one again."""
    await started(dut)
    for bad in (0, 2**80 - 1):
        await seed(dut, 1 << 79, 0)
        for _ in range(1152 // WIDTH + 1):
            await FallingEdge(dut.clk_i)
        assert int(dut.rand_valid_o.value)
        await seed(dut, bad, 5)
        for _ in range(2 * 1152 // WIDTH + 10):
            assert not int(dut.rand_valid_o.value)
            await FallingEdge(dut.clk_i)
