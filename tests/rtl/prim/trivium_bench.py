"""Unit bench of `hf_trivium`: eSTREAM's vectors, stalls, seeds that are refused, a new seed.

A seed that is added to a running generator is compared with a model of the steps, one bit after the
other.
"""

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
            assert waited <= 1152 // WIDTH + 2
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


Registers = tuple[list[int], list[int], list[int]]
"""The three shift registers of a model of the specification, their first bit first."""


def first_registers(key: int, initial: int) -> Registers:
    """Return what a key and an IV begin with."""
    a = [key >> 79 - i & 1 for i in range(80)] + [0] * 13
    b = [initial >> 79 - i & 1 for i in range(80)] + [0] * 4
    return a, b, [0] * 108 + [1] * 3


def step(registers: Registers) -> int:
    """Step the model and return its bit of output."""
    a, b, c = registers
    t1, t2, t3 = a[65] ^ a[92], b[68] ^ b[83], c[65] ^ c[110]
    into_b = t1 ^ (a[90] & a[91]) ^ b[77]
    into_c = t2 ^ (b[81] & b[82]) ^ c[86]
    into_a = t3 ^ (c[108] & c[109]) ^ a[68]
    for register, bit in ((a, into_a), (b, into_b), (c, into_c)):
        register.insert(0, bit)
        register.pop()
    return t1 ^ t2 ^ t3


@cocotb.test()
async def added_seed(dut: Any) -> None:
    """Seeds after the first are added to the state, also in the warm-up, and the stream goes on.

    One of zeros or of ones is refused, and changes nothing.
    """
    await started(dut)
    rng = random.Random(WIDTH)
    key, initial = rng.getrandbits(80), rng.getrandbits(80)
    await seed(dut, key, initial)
    model = first_registers(key, initial)
    now: list[int] = []
    # The bits on rand_o were made a clock ago, those of this clock's state are the next.
    for clock in range(1, 1152 // WIDTH + 400):
        valid = clock >= 1152 // WIDTH + 2
        assert int(dut.rand_valid_o.value) == valid
        if valid:
            assert int(dut.rand_o.value) == sum(bit << i for i, bit in enumerate(now))
        ready = not valid or rng.random() < 0.8
        key, initial, added = rng.getrandbits(80), rng.getrandbits(80), rng.random() < 0.1
        if added and rng.random() < 0.3:
            key = rng.choice((0, 2**80 - 1))
        dut.rand_ready_i.value = int(ready)
        dut.seed_valid_i.value = int(added)
        dut.seed_key_i.value = key
        dut.seed_iv_i.value = initial
        if ready:
            now = [step(model) for _ in range(WIDTH)]
        if added and key not in (0, 2**80 - 1):
            for register, new in zip(model, first_registers(key, initial), strict=True):
                register[:] = [one ^ other for one, other in zip(register, new, strict=True)]
        await FallingEdge(dut.clk_i)
