"""Chains of hf_keccak_chain against FIPS 205, algorithm 5, by hashlib.

Runs inside the simulator; `test_chain.py` starts it.
"""

import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from tests.rtl.regs.chain import ADDRESS, CLOCKS_PER_HASH, chain

VALUE = int(os.environ["HF_VALUE_BYTES"])
CHAINS = int(os.environ["HF_CHAINS"])


class Bench:
    """Writes the words and waits."""

    def __init__(self, dut: Any) -> None:
        """Take the ports of `dut`."""
        self.dut = dut
        self.rng = random.Random(cocotb.RANDOM_SEED)

    async def reset(self) -> None:
        """Start the clock; two clocks of reset."""
        Clock(self.dut.clk_i, 10, unit="ns").start()
        for name in ("write_prefix", "write_address", "write_value", "start", "clear"):
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
