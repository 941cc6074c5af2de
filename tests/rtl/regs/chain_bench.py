"""Chains of hf_keccak_chain against FIPS 205, algorithm 5, by hashlib.

Runs inside the simulator; `test_chain.py` starts it.
"""

import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from tests.rtl.regs.chain import (
    ADDRESS,
    CLOCKS_PER_HASH,
    Trees,
    chain,
    digit_words,
    tree_clocks,
)

VALUE = int(os.environ["HF_VALUE_BYTES"])
CHAINS = int(os.environ["HF_CHAINS"])
TREES = int(os.environ["HF_TREES"])
"""Trees of each kind; 0: the unit has none."""


class Bench:
    """Writes the words and waits."""

    def __init__(self, dut: Any) -> None:
        """Take the ports of `dut`."""
        self.dut = dut
        self.rng = random.Random(cocotb.RANDOM_SEED)

    async def reset(self) -> None:
        """Start the clock; two clocks of reset."""
        Clock(self.dut.clk_i, 10, unit="ns").start()
        writes = ("prefix", "address", "value", "secret", "digits")
        for name in (
            *(f"write_{what}" for what in writes),
            "start",
            "clear",
            "tree_start",
            "kept_next",
        ):
            getattr(self.dut, f"{name}_i").value = 0
        self.dut.rst_i.value = 1
        for _ in range(2):
            await FallingEdge(self.dut.clk_i)
        self.dut.rst_i.value = 0

    async def write(self, name: str, data: bytes) -> None:
        """Write the words of `data`, in any order."""
        words = list(range(len(data) // 4))
        self.rng.shuffle(words)
        port = getattr(self.dut, f"write_{name}_i")
        for word in words:
            port.value = 1
            self.dut.word_addr_i.value = word
            self.dut.word_i.value = int.from_bytes(data[4 * word : 4 * word + 4], "little")
            await FallingEdge(self.dut.clk_i)
        port.value = 0

    async def digits(self, message: bytes) -> None:
        """Write the digits of a message."""
        self.dut.write_digits_i.value = 1
        for word in digit_words(message):
            self.dut.word_i.value = word
            await FallingEdge(self.dut.clk_i)
        self.dut.write_digits_i.value = 0

    async def start_tree(self, *, fors: bool, height: int, chosen: int) -> None:
        """Begin a tree."""
        self.dut.tree_start_i.value = 1
        self.dut.tree_order_i.value = int(fors) << 20 | height << 16 | chosen
        await FallingEdge(self.dut.clk_i)
        self.dut.tree_start_i.value = 0
        self.dut.tree_order_i.value = self.rng.getrandbits(21)

    async def kept(self, count: int) -> bytes:
        """Return what is kept for a signature: `count` values."""
        words = []
        for _ in range(count * VALUE // 4):
            for _ in range(3):
                await FallingEdge(self.dut.clk_i)
            words.append(int(self.dut.kept_o.value).to_bytes(4, "little"))
            self.dut.kept_next_i.value = 1
            await FallingEdge(self.dut.clk_i)
            self.dut.kept_next_i.value = 0
        return b"".join(words)

    async def start(self, count: int) -> None:
        """Begin a chain."""
        self.dut.start_i.value = 1
        self.dut.count_i.value = count
        await FallingEdge(self.dut.clk_i)
        self.dut.start_i.value = 0
        self.dut.count_i.value = self.rng.getrandbits(16)

    async def end(self, limit: int) -> int:
        """Return the clocks until done_o, that one included."""
        for clock in range(1, limit):
            await ReadOnly()
            assert self.dut.busy_o.value == 1, "it is not busy before its end"
            if self.dut.done_o.value == 1:
                await FallingEdge(self.dut.clk_i)
                await ReadOnly()
                assert self.dut.busy_o.value == 0, "it is busy after its end"
                await FallingEdge(self.dut.clk_i)
                return clock
            await FallingEdge(self.dut.clk_i)
        raise AssertionError("no end")

    def value(self) -> bytes:
        """Return the value on the port."""
        return int(self.dut.value_o.value).to_bytes(VALUE, "little")


@cocotb.test()
async def chains(dut: Any) -> None:
    """Chains of any length, one after the other, and what `clear` leaves."""
    bench = Bench(dut)
    await bench.reset()
    rng = bench.rng
    prefix = address = value = b""
    for index in range(CHAINS):
        if index == 0 or rng.random() < 0.3:
            prefix = rng.randbytes(VALUE)
            await bench.write("prefix", prefix)
        if index == 0 or rng.random() < 0.7:
            value = rng.randbytes(VALUE)
            await bench.write("value", value)
        hash_address = rng.choice((0, 7, 0xFE, 0xFFFF, 0xFFFFFF, 0xFFFFFFFE))
        address = rng.randbytes(28) + hash_address.to_bytes(4, "big")
        await bench.write("address", address)
        count = rng.choice((1, 1, 2, 3, 15, 40))
        await bench.start(count)
        if rng.random() < 0.2:
            for _ in range(rng.randrange(60)):
                await FallingEdge(dut.clk_i)
            dut.clear_i.value = 1
            await FallingEdge(dut.clk_i)
            dut.clear_i.value = 0
            await ReadOnly()
            assert dut.busy_o.value == 0
            assert not any(bench.value()), "the value outlives `clear`"
            await FallingEdge(dut.clk_i)
            prefix, address, value = bytes(VALUE), bytes(ADDRESS), bytes(VALUE)
            await bench.start(count)
        clocks = await bench.end(CLOCKS_PER_HASH * count + 8)
        assert clocks <= CLOCKS_PER_HASH * count + 2, f"{count} hashes take {clocks} clocks"
        value = chain(prefix, address, value, count)
        assert bench.value() == value, f"a chain of {count}"
    # Nothing happens for a count of zero.
    await bench.start(0)
    for _ in range(40):
        await ReadOnly()
        assert dut.busy_o.value == 0
        assert bench.value() == value
        await FallingEdge(dut.clk_i)


async def broken_off(bench: Bench, *, fors: bool, height: int) -> None:
    """Begin a tree and clear it: nothing is left to be read."""
    dut, rng = bench.dut, bench.rng
    await bench.digits(rng.randbytes(VALUE))
    await bench.start_tree(fors=fors, height=height, chosen=0)
    most = rng.choice((1200, tree_clocks(VALUE, height, fors=fors)))
    for _ in range(rng.randrange(most)):
        await FallingEdge(dut.clk_i)
    dut.clear_i.value = 1
    await FallingEdge(dut.clk_i)
    dut.clear_i.value = 0
    await ReadOnly()
    assert dut.busy_o.value == 0
    assert not any(bench.value())
    await FallingEdge(dut.clk_i)
    assert not any(await bench.kept(2)), "what is kept outlives `clear`"


async def kept_of(bench: Bench, part: bytes) -> None:
    """Read what is kept, and beyond."""
    kept = await bench.kept(len(part) // VALUE + 2)
    assert kept[: len(part)] == part, "what is kept"
    assert not any(kept[len(part) :]), "after the end"


@cocotb.test(skip=not TREES)
async def trees(dut: Any) -> None:
    """Trees of both kinds, with and without a chosen leaf, chains and `clear` between them."""
    bench = Bench(dut)
    await bench.reset()
    rng = bench.rng
    for index in range(2 * TREES):
        fors = index % 2 == 1
        height = rng.choice((1, 2, 3, 5)) if fors else 1 + index // 2 % 2
        leaves = 1 << height
        first = rng.randrange(40) << height
        prefix, secret, address = (rng.randbytes(size) for size in (VALUE, VALUE, ADDRESS))
        if fors:
            address = address[:28] + first.to_bytes(4, "big")
        if rng.random() < 0.3:
            await broken_off(bench, fors=fors, height=height)
            if rng.random() < 0.5:  # nothing is written after it
                prefix, secret, address, first = bytes(VALUE), bytes(VALUE), bytes(ADDRESS), 0
        for name, data in (("prefix", prefix), ("address", address), ("secret", secret)):
            if any(data):
                await bench.write(name, data)
        message = bytes(rng.choice((0, 0xFF, 0x0F, rng.getrandbits(8))) for _ in range(VALUE))
        await bench.digits(message)
        chosen = rng.choice((0, leaves - 1, rng.randrange(leaves), rng.randrange(leaves)))
        if rng.random() < 0.15:
            chosen = rng.choice((leaves, leaves + chosen, 0xFFFF))
        await bench.start_tree(fors=fors, height=height, chosen=chosen)
        expected = tree_clocks(VALUE, height, fors=fors)
        clocks = await bench.end(expected + 10)
        assert expected <= clocks <= expected + 4, f"{expected} clocks expected, {clocks} taken"
        of = Trees(prefix, secret, address)
        if fors:
            root = of.fors_node(first >> height, height)
            part = of.fors_part(first, chosen, height)
        else:
            root, part = of.xmss_node(0, height), of.xmss_part(chosen, height, message)
        assert bench.value() == root, f"tree {index}: the root"
        if rng.random() < 0.8:
            await kept_of(bench, part if chosen < leaves else b"")
        if rng.random() < 0.3:
            await bench.start(2)
            await bench.end(2 * CLOCKS_PER_HASH + 8)
            assert bench.value() == chain(prefix, address, root, 2), "a chain after a tree"
