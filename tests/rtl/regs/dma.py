"""Memory, descriptors and a program for the peripheral's DMA master (docs/integrate/dma.md).

Addresses and fields come from the SystemRDL; the layout of a descriptor from docs/integrate/dma.md.
"""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly
from cocotbext.axi import AxiBus, AxiSlave  # type: ignore[import-untyped]

from hashfabric.models.family import Function
from hashfabric.registry import registers
from tests.rtl.regs.regs import Bus

MASTER = registers.load(source=registers.DMA)
"""The master's registers."""

CAUSES = MASTER["STATUS"].field("cause").values
"""What stops a list, by name."""

BASE = 0x4000_0000
"""Where the memory begins."""

SIZE = 0x2_0000

BEGINS, ENDS, INTERRUPT, LAST = (1 << bit for bit in range(8, 12))
"""Flags of a descriptor."""

DESCRIPTOR_BYTES = 32
DONE = 1
"""A descriptor's status where there was no error."""

STATUS_WORD = 7


class BusError(Exception):
    """The memory answers with an error."""


@dataclass
class Memory:
    """Bytes from `BASE` on; accesses to the words in `faults` are answered with an error.

    `read_words` and `written` are the addresses of the words that were accessed.
    """

    data: bytearray = field(default_factory=lambda: bytearray(SIZE))
    read_faults: set[int] = field(default_factory=set)
    write_faults: set[int] = field(default_factory=set)
    read_words: list[int] = field(default_factory=list)
    written: list[int] = field(default_factory=list)

    async def read(self, address: int, length: int) -> bytes:
        """Return bytes, for cocotbext-axi."""
        return self.get(address, length)

    async def write(self, address: int, data: bytes) -> None:
        """Change bytes, for cocotbext-axi."""
        self.put(address, data)

    def get(self, address: int, length: int = 4) -> bytes:
        """Return bytes that the bus reads."""
        words = range(address & ~3, address + length, 4)
        self.read_words += words
        if self.read_faults.intersection(words) or not BASE <= address < BASE + SIZE:
            raise BusError
        return bytes(self.data[address - BASE : address - BASE + length])

    def put(self, address: int, data: bytes) -> None:
        """Change bytes as the bus does."""
        words = range(address & ~3, address + len(data), 4)
        self.written += words
        if self.write_faults.intersection(words) or not BASE <= address < BASE + SIZE:
            raise BusError
        self.data[address - BASE : address - BASE + len(data)] = data

    def look(self, address: int, length: int) -> bytes:
        """Return bytes, of which the bus sees nothing."""
        return bytes(self.data[address - BASE : address - BASE + length])

    def set(self, address: int, data: bytes) -> None:
        """Change bytes, of which the bus sees nothing."""
        self.data[address - BASE : address - BASE + len(data)] = data


def serve_axi(dut: Any, memory: Memory, rng: random.Random, waits: float) -> None:
    """Answer the master's AXI4 port; `waits` is the chance of a wait in a clock of a channel."""
    slave = AxiSlave(AxiBus.from_prefix(dut, "m_axi"), dut.clk_i, dut.rst_i, memory)
    write, read = slave.write_if, slave.read_if

    def pauses() -> Iterator[bool]:
        return (rng.random() < waits for _ in itertools.count())

    if waits:
        for channel in (
            write.aw_channel,
            write.w_channel,
            write.b_channel,
            read.ar_channel,
            read.r_channel,
        ):
            channel.set_pause_generator(pauses())
    else:
        read.r_channel.queue_occupancy_limit = 64


def serve_wishbone(dut: Any, memory: Memory, rng: random.Random, waits: float) -> None:
    """Answer the master's Wishbone port: after a clock, then a word a clock, or with waits."""
    dut.m_wb_ack.value = dut.m_wb_err.value = dut.m_wb_dat_r.value = 0
    cocotb.start_soon(_wishbone(dut, memory, rng, waits))


async def _wishbone(dut: Any, memory: Memory, rng: random.Random, waits: float) -> None:
    left = 1
    bursts = rng.random() < 0.7 or not waits  # else a slave of classic cycles
    while True:
        await FallingEdge(dut.clk_i)
        dut.m_wb_ack.value = dut.m_wb_err.value = 0
        dut.m_wb_dat_r.value = rng.getrandbits(32)
        if not (int(dut.m_wb_cyc.value) and int(dut.m_wb_stb.value)):
            left, bursts = 1, rng.random() < 0.7 or not waits
            continue
        if left or rng.random() < waits:
            left = 0
            continue
        address = 4 * int(dut.m_wb_adr.value)
        try:
            if int(dut.m_wb_we.value):
                word = int(dut.m_wb_dat_w.value).to_bytes(4, "little")
                selected = int(dut.m_wb_sel.value)
                for lane in range(4):
                    if selected >> lane & 1:
                        memory.put(address + lane, word[lane : lane + 1])
            else:
                dut.m_wb_dat_r.value = int.from_bytes(memory.get(address), "little")
            dut.m_wb_ack.value = 1
        except BusError:
            dut.m_wb_err.value = 1
        left = 0 if bursts and int(dut.m_wb_cti.value) == 2 else 1


SERVED = {"axi": serve_axi, "wb": serve_wishbone}


@dataclass(frozen=True)
class Part:
    """A segment of a message: its address and length in memory."""

    address: int
    length: int


@dataclass
class Planned:
    """A message in memory, the descriptors that hash it, and what is to come of it."""

    function: Function
    parts: Sequence[Part]
    digest_address: int
    wanted: bytes
    length: int
    tail: int = 0
    interrupt: bool = False
    descriptors: list[int] = field(default_factory=list)


class Layout:
    """Places in the memory, in turn; bytes between them show a write beside its place."""

    def __init__(self, memory: Memory, rng: random.Random) -> None:
        """Begin at the memory's begin, which holds random bytes."""
        self.memory, self.rng = memory, rng
        memory.data[:] = rng.randbytes(SIZE)
        self.next = BASE

    def place(self, length: int, align: int = 1, offset: int = 0) -> int:
        """Return the address of `length` free bytes at `offset` after a multiple of `align`."""
        address = -(-(self.next + 5) // align) * align + offset
        self.next = address + length
        assert self.next < BASE + SIZE
        return address

    def put(self, data: bytes, offset: int | None = None) -> Part:
        """Return where the bytes are, at an address with this remainder by eight."""
        offset = self.rng.randrange(8) if offset is None else offset
        address = self.place(len(data), 8, offset)
        self.memory.set(address, data)
        return Part(address, len(data))


def words_of(*words: int) -> bytes:
    """Return words as they are in memory."""
    return b"".join(word.to_bytes(4, "little") for word in words)


def chain(layout: Layout, messages: Sequence[Planned], *, last: bool = True) -> int:
    """Write the descriptors of messages as one list; return the first one's address."""
    places: list[int] = []
    for message in messages:
        message.descriptors = [
            layout.place(DESCRIPTOR_BYTES, DESCRIPTOR_BYTES)
            for _ in range(max(1, len(message.parts)))
        ]
        places += message.descriptors
    following = iter([*places[1:], 0])
    for message in messages:
        parts = list(message.parts) or [Part(layout.rng.getrandbits(32), 0)]
        for index, (part, place) in enumerate(zip(parts, message.descriptors, strict=True)):
            ends = index == len(parts) - 1
            after = next(following)
            control = message.function.code if index == 0 else layout.rng.getrandbits(8)
            control |= BEGINS if index == 0 else 0
            control |= ENDS if ends else 0
            control |= INTERRUPT if ends and message.interrupt else 0
            if last and not after:
                control |= LAST
                after = layout.rng.getrandbits(32)
            layout.memory.set(
                place,
                words_of(
                    control,
                    part.address,
                    part.length,
                    message.length if ends else layout.rng.getrandbits(32),
                    message.tail if ends else layout.rng.getrandbits(32),
                    message.digest_address if ends else layout.rng.getrandbits(32),
                    after,
                    0,
                ),
            )
    return places[0]


@dataclass
class Program:
    """What a program does with the DMA master."""

    dut: Any
    bus: Bus
    memory: Memory
    rng: random.Random

    async def read(self, name: str) -> int:
        """Return a register of the master."""
        return await self.bus.read(registers.DMA_PAGE + MASTER[name].address)

    async def write(self, name: str, value: int) -> None:
        """Write a register of the master."""
        await self.bus.write(registers.DMA_PAGE + MASTER[name].address, value)

    async def get(self, name: str, part: str) -> int:
        """Return a field."""
        known = MASTER[name].field(part)
        return (await self.read(name) & known.mask) >> known.low

    async def start(self, head: int) -> None:
        """Begin a list."""
        await self.write("HEAD", head)
        await self.write("COMMAND", MASTER["COMMAND"].field("start").mask)

    async def abort(self) -> None:
        """Stop it."""
        await self.write("COMMAND", MASTER["COMMAND"].field("abort").mask)

    async def end(self, clocks: int) -> int:
        """Wait until no list runs; return the cause."""
        for _ in range(clocks):
            status = await self.read("STATUS")
            if not status & MASTER["STATUS"].field("running").mask:
                known = MASTER["STATUS"].field("cause")
                return (status & known.mask) >> known.low
        raise AssertionError("the list does not end")

    async def until(self, signal: Any, clocks: int) -> int:
        """Wait until a signal is high; return the clocks that this took."""
        for count in range(clocks):
            await ReadOnly()
            high = int(signal.value)
            await FallingEdge(self.dut.clk_i)
            if high:
                return count
        raise AssertionError(f"not high within {clocks} clocks")

    def status(self, descriptor: int) -> int:
        """Return the status word of a descriptor."""
        return int.from_bytes(self.memory.look(descriptor + 4 * STATUS_WORD, 4), "little")
