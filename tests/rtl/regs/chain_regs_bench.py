"""The unit for chains and trees of hashes by its registers (docs/integrate/chain.md), on its buses.

Runs inside the simulator; `test_chain.py` starts it.
"""

import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge

from hashfabric.registry import registers
from tests.rtl.regs.chain import (
    ADDRESS,
    CLOCKS_PER_HASH,
    Trees,
    chain,
    digit_words,
    tree_clocks,
)
from tests.rtl.regs.regs import BUSES, PARTS, Bus

VALUE = int(os.environ["HF_VALUE_BYTES"])
CHAINS = int(os.environ["HF_CHAINS"])
WAITS = float(os.environ["HF_WAITS"])
TREES = int(os.environ["HF_TREES"])
"""Trees; 0: the unit has none."""
ALL_ONES = 0xFFFFFFFF
REGISTERS = registers.load(source=registers.CHAIN)
SIZE = 1 << 8
BOUND = 8
"""The longest access, clocks."""


class Unit:
    """The registers by name."""

    def __init__(self, bus: Bus, rng: random.Random) -> None:
        """Take the bus."""
        self.bus, self.rng = bus, rng

    async def read(self, name: str, index: int = 0) -> int:
        """Return a register."""
        return await self.bus.read(REGISTERS[name].address + 4 * index)

    async def write(self, name: str, value: int, index: int = 0, strobe: int = 15) -> None:
        """Write a register."""
        await self.bus.write(REGISTERS[name].address + 4 * index, value, strobe)

    async def write_words(self, name: str, data: bytes) -> None:
        """Write `data` to the registers of this name."""
        for index in range(len(data) // 4):
            word = int.from_bytes(data[4 * index : 4 * index + 4], "little")
            await self.write(f"{name}.WORD", word, index)

    async def value(self) -> bytes:
        """Return all eight words of VALUE."""
        words = [await self.read("VALUE.WORD", index) for index in range(8)]
        return b"".join(word.to_bytes(4, "little") for word in words)

    async def write_digits(self, message: bytes) -> None:
        """Write the digits of a message."""
        for word in digit_words(message):
            await self.write("DIGITS", word)

    async def begin_tree(self, height: int, *, fors: bool) -> None:
        """Give the command."""
        await self.write("TREE", height | int(fors) << 8)

    async def signature(self, size: int) -> bytes:
        """Return the first `size` bytes that SIGNATURE gives."""
        words = [await self.read("SIGNATURE") for _ in range(size // 4)]
        return b"".join(word.to_bytes(4, "little") for word in words)

    async def clear(self) -> None:
        """Give the command."""
        await self.write("COMMAND", REGISTERS["COMMAND"].field("clear").mask)

    async def end(self, count: int) -> None:
        """Read STATUS until a chain of `count` hashes has ended."""
        for _ in range(CLOCKS_PER_HASH * count + 8):
            if not await self.read("STATUS"):
                return
        raise AssertionError("it does not end")

    async def causes(self) -> tuple[int, int]:
        """Return the interrupts done and error, which are cleared."""
        found = await self.read("INTR_STATE")
        await self.write("INTR_STATE", found)
        return found & 1, found >> 1 & 1


async def started(dut: Any) -> Unit:
    """Start the clock, reset, and return the unit."""
    rng = random.Random(cocotb.RANDOM_SEED)
    dut.rst_i.value = 1
    Clock(dut.clk_i, 2, unit="ns").start()
    bus = BUSES[os.environ["HF_BUS"]](dut, rng, WAITS, BOUND)
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    await FallingEdge(dut.clk_i)
    return Unit(bus, rng)


@cocotb.test()
async def chains(dut: Any) -> None:
    """Chains after each other, with what the one before has left, by polling and by interrupt."""
    unit = await started(dut)
    rng = unit.rng
    assert await unit.read("ID") == 0x48464331
    assert await unit.read("CAPS") == VALUE | int(TREES > 0) << 8
    prefix, address, value = bytes(VALUE), bytes(ADDRESS), bytes(VALUE)
    for index in range(CHAINS):
        if rng.random() < 0.5:
            prefix = rng.randbytes(VALUE)
            await unit.write_words("PREFIX", prefix)
        if index == 0 or rng.random() < 0.5:
            address = rng.randbytes(ADDRESS)
            await unit.write_words("ADDRESS", address)
        if rng.random() < 0.5:
            value = rng.randbytes(VALUE)
            await unit.write_words("VALUE", value)
        count = rng.choice((0, 1, 2, 15))
        interrupt = rng.random() < 0.5 and count > 0
        await unit.write("INTR_ENABLE", int(interrupt))
        await unit.write("COMMAND", count)
        if interrupt:
            for _ in range(CLOCKS_PER_HASH * count + 8):
                if int(dut.irq_o.value):
                    break
                await FallingEdge(dut.clk_i)
            assert int(dut.irq_o.value), "no interrupt"
        else:
            await unit.end(count)
            assert int(dut.irq_o.value) == 0, "an interrupt that is not enabled"
        assert await unit.causes() == (int(count > 0), 0)
        assert int(dut.irq_o.value) == 0
        value = chain(prefix, address, value, count)
        first = int.from_bytes(address[28:], "big")
        address = address[:28] + ((first + count) % 2**32).to_bytes(4, "big")
        assert await unit.value() == value + bytes(32 - VALUE), f"chain {index} of {count}"


@cocotb.test()
async def while_it_runs(dut: Any) -> None:
    """Accesses while a chain runs change nothing, read nothing and are reported."""
    unit = await started(dut)
    rng = unit.rng
    prefix, address, value = rng.randbytes(VALUE), rng.randbytes(ADDRESS), rng.randbytes(VALUE)
    for name, data in (("PREFIX", prefix), ("ADDRESS", address)):
        await unit.write_words(name, data)
    count = 60
    changes = (
        "PREFIX.WORD",
        "ADDRESS.WORD",
        "VALUE.WORD",
        "SECRET.WORD",
        "COMMAND",
        "TREE",
        "DIGITS",
    )
    for name in (*changes, "read", "SIGNATURE"):
        await unit.write_words("VALUE", value)
        await unit.write_words("ADDRESS", address)
        await unit.write("COMMAND", count)
        if name == "read":
            assert not any(await unit.value())
        elif name == "SIGNATURE":
            assert not any(await unit.signature(4))
        else:
            await unit.write(name, 0x7FFFFFFF & rng.getrandbits(32), 0)
        assert await unit.causes() == (0, 1), name
        await unit.end(count)
        assert await unit.causes() == (1, 0)
        assert (await unit.value())[:VALUE] == chain(prefix, address, value, count), name


@cocotb.test()
async def clears(dut: Any) -> None:
    """`clear` ends a chain, and leaves zeros."""
    unit = await started(dut)
    rng = unit.rng
    for _ in range(CHAINS // 2):
        for name, size in (("PREFIX", VALUE), ("ADDRESS", ADDRESS), ("VALUE", VALUE)):
            await unit.write_words(name, rng.randbytes(size))
        await unit.write("COMMAND", rng.randrange(3) * 500)
        for _ in range(rng.randrange(60)):
            await FallingEdge(dut.clk_i)
        await unit.clear()
        assert await unit.read("STATUS") == 0
        assert not any(await unit.value())
        await unit.write("INTR_STATE", 3)
        await unit.write("COMMAND", 1)
        await unit.end(1)
        assert (await unit.value())[:VALUE] == chain(bytes(VALUE), bytes(32), bytes(VALUE), 1)


@cocotb.test()
async def ends_while_causes_are_written(dut: Any) -> None:
    """A write of 0 to INTR_STATE in any clock around the end of a chain loses no cause."""
    unit = await started(dut)
    unit.bus.waits = 0.0
    for clocks in range(CLOCKS_PER_HASH + 6):
        await unit.write("COMMAND", 1)
        for _ in range(clocks):
            await FallingEdge(dut.clk_i)
        await unit.write("INTR_STATE", 0)
        await unit.end(1)
        assert await unit.causes() == (1, 0), clocks


@cocotb.test()
async def bad_accesses(dut: Any) -> None:
    """Addresses without a register, wrong directions, parts of words: reported, without effect."""
    unit = await started(dut)
    rng = unit.rng
    value = rng.randbytes(VALUE)
    await unit.write_words("VALUE", value)
    used = {
        register.address + 4 * index
        for register in REGISTERS.values()
        for index in range(register.count)
    }
    for address in (a for a in range(0, SIZE, 4) if a not in used):
        assert await unit.bus.read(address) == 0
        assert await unit.causes() == (0, 1), hex(address)
        await unit.bus.write(address, rng.getrandbits(32))
        assert await unit.causes() == (0, 1), hex(address)
    for name in ("PREFIX.WORD", "ADDRESS.WORD", "SECRET.WORD", "COMMAND", "TREE", "DIGITS"):
        assert await unit.read(name) == 0
        assert await unit.causes() == (0, 1), name
    words = ("PREFIX.WORD", "ADDRESS.WORD", "VALUE.WORD", "SECRET.WORD")
    for name in (*words, "COMMAND", "TREE", "DIGITS"):
        await unit.write(name, 0x7FFFFFFF & rng.getrandbits(32), 0, strobe=rng.choice(PARTS))
        assert await unit.causes() == (0, 1), name
        await unit.write(name, rng.getrandbits(32), 0, strobe=0)
        assert await unit.causes() == (0, 0), name
    await unit.write("TREE", ALL_ONES ^ 0xF)
    assert await unit.causes() == (0, 1), "a tree without height"
    for name in ("ID", "VERSION", "CAPS", "STATUS", "SIGNATURE"):
        await unit.write(name, rng.getrandbits(32))
        assert await unit.causes() == (0, 1), name
    assert await unit.read("STATUS") == 0
    assert (await unit.value())[:VALUE] == value


@cocotb.test(skip=not TREES)
async def trees(dut: Any) -> None:
    """Trees by registers; accesses while one is computed are reported and change nothing."""
    unit = await started(dut)
    rng = unit.rng
    for index in range(TREES):
        fors = index % 2 == 0
        height = rng.choice((2, 3)) if fors else 1
        chosen = rng.randrange(1 << height)
        prefix, secret, address = (rng.randbytes(size) for size in (VALUE, VALUE, ADDRESS))
        first = rng.randrange(30) << height
        if fors:
            address = address[:28] + first.to_bytes(4, "big")
        for name, data in (("PREFIX", prefix), ("SECRET", secret), ("ADDRESS", address)):
            await unit.write_words(name, data)
        message = rng.randbytes(VALUE)
        await unit.write_digits(message)
        await unit.write("CHOSEN", chosen)
        await unit.begin_tree(height, fors=fors)
        disturbed = index % 3 == 1
        if disturbed:
            await unit.write("CHOSEN", rng.getrandbits(8))
            for name in ("SECRET.WORD", "DIGITS", "TREE", "ADDRESS.WORD"):
                await unit.write(name, rng.getrandbits(31) | 1)
            assert await unit.read("SIGNATURE") == 0
            assert await unit.causes() == (0, 1)
        clocks = tree_clocks(VALUE, height, fors=fors)
        if disturbed and not fors:  # which is long enough: something is kept by then
            for _ in range(10):
                await ClockCycles(dut.clk_i, clocks // 12)
                assert await unit.read("SIGNATURE") == 0
            assert await unit.causes() == (0, 1)
        await unit.end(clocks // CLOCKS_PER_HASH + 1)
        assert await unit.causes() == (1, 0)
        of = Trees(prefix, secret, address)
        root = of.fors_node(first >> height, height) if fors else of.xmss_node(0, height)
        assert (await unit.value())[:VALUE] == root
        part = (
            of.fors_part(first, chosen, height) if fors else of.xmss_part(chosen, height, message)
        )
        assert await unit.signature(len(part)) == part, f"tree {index}"
    # Nothing remains after `clear`: the next tree has a secret of zeros.
    await unit.clear()
    await unit.begin_tree(1, fors=True)
    await unit.end(10)
    root = Trees(bytes(VALUE), bytes(VALUE), bytes(ADDRESS)).fors_node(0, 1)
    assert (await unit.value())[:VALUE] == root


@cocotb.test(skip=not TREES)
async def nothing_of_others(dut: Any) -> None:
    """Chains between trees use up no digits and are not kept, nor is a tree of before shown."""
    unit = await started(dut)
    rng = unit.rng

    async def tree(height: int, chosen: int, *, fors: bool) -> Trees:
        prefix, secret, address = (rng.randbytes(size) for size in (VALUE, VALUE, ADDRESS))
        address = address[:28] + bytes(4)
        for name, data in (("PREFIX", prefix), ("SECRET", secret), ("ADDRESS", address)):
            await unit.write_words(name, data)
        await unit.write("CHOSEN", chosen)
        await unit.begin_tree(height, fors=fors)
        await unit.end(tree_clocks(VALUE, height, fors=fors) // CLOCKS_PER_HASH + 1)
        return Trees(prefix, secret, address)

    async def steps(value: bytes, count: int) -> None:
        await unit.write_words("VALUE", value)
        await unit.write("COMMAND", count)
        await unit.end(count)

    # More words than a quarter of the memory has (hf_keccak_chain_tree).
    await tree(2, 1, fors=True)
    await tree(2, ALL_ONES >> 16, fors=True)
    assert not any(await unit.signature(4 * 2**9 + VALUE)), "a path of the tree before"
    # The number of the chosen leaf is that of the leaf after the last one, at which a tree ends.
    await tree(1, 2, fors=True)
    await steps(rng.randbytes(VALUE), 1)
    await unit.write_words("VALUE", bytes(VALUE))
    assert not any(await unit.signature(VALUE)), "the end of a chain"
    await tree(1, 2, fors=False)
    message = rng.randbytes(VALUE)
    await unit.write_digits(message)
    await steps(rng.randbytes(VALUE), 20)
    of = await tree(1, 1, fors=False)
    part = of.xmss_part(1, 1, message)
    assert await unit.signature(len(part)) == part, "digits that a chain has used up"


@cocotb.test(skip=TREES > 0)
async def no_trees(dut: Any) -> None:
    """Without trees their registers lose writes, and read as 0."""
    unit = await started(dut)
    for name in ("CHOSEN", "TREE", "DIGITS", "SECRET.WORD"):
        await unit.write(name, unit.rng.getrandbits(16) | 1)
        assert await unit.read("STATUS") == 0, name
    assert await unit.read("CHOSEN") == 0
    assert await unit.read("SIGNATURE") == 0
