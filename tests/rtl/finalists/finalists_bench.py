"""The finalists' contract bench (docs/engines/finalists.md): random messages, any engine.

Runs inside the simulator; `test_finalists.py` starts it. One coroutine drives and samples in the
middle of each clock, so nothing depends on the order of events at the edge.
"""

import itertools
import os
import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from hashfabric.models.family import DIGEST_SIZES
from tests.rtl.finalists.finalists import ENGINES, Engine

Gap = Callable[[random.Random], int]

FABRICATED = ("blake", "skein")  # families whose engines use the count


@dataclass(frozen=True)
class Block:
    """One block to send, offered `gap` clocks after its slot's last handshake at the soonest.

    `digest` is the message's, with its last block; only that block's leaves.
    """

    first: bool
    last: bool
    size: int
    count: int
    data: bytes
    digest: bytes
    gap: int = 0


Message = list[Block]


@dataclass
class Slot:
    """What one slot should do: blocks to come, digests on their way."""

    blocks: deque[Block] = field(default_factory=deque)
    offered_since: int | None = None
    last_handshake: int = -(1 << 30)
    pending: deque[tuple[bytes, int]] = field(default_factory=deque)  # with the handshake's clock
    handshakes: list[int] = field(default_factory=list)
    arrivals: list[int] = field(default_factory=list)  # clocks in which digests came to st_o

    def due(self, now: int) -> bool:
        """Return whether a block is to be offered in clock `now`."""
        return bool(self.blocks) and now > self.last_handshake + self.blocks[0].gap


class Bench:
    """Drives one engine and checks every output in every clock."""

    def __init__(self, dut: Any, engine: Engine) -> None:
        """Take the ports of `dut`, with a random generator seeded by the run's seed."""
        self.dut = dut
        self.engine = engine
        self.rng = random.Random(cocotb.RANDOM_SEED)
        self.room = 1.0
        """Chance, in each clock, that `st_ready_i` is high; it is low again in the next one."""
        self.now = 0
        self.checked = 0
        self.slots = [Slot() for _ in range(engine.slots)]
        self._offer: Block | None = None
        self._waiting: tuple[int, int] | None = None
        """Slot and digest on `st_o` that were not taken."""
        self._roomless = 0
        """Clocks since the last one in which `st_ready_i` was low."""

    async def start(self) -> None:
        """Start the clock and reset."""
        self.dut.rst_i.value = 1
        self.dut.blk_valid_i.value = 0
        self.dut.st_ready_i.value = 0
        Clock(self.dut.clk_i, 2, unit="ns").start()
        await FallingEdge(self.dut.clk_i)
        await self.reset(clocks=2)

    async def reset(self, clocks: int = 1) -> None:
        """Reset: every slot is dropped."""
        self.dut.rst_i.value = 1
        self._drive(None)
        for _ in range(clocks):
            await FallingEdge(self.dut.clk_i)
        self.dut.rst_i.value = 0
        self.slots = [Slot() for _ in self.slots]
        self._waiting = None

    async def play(self, *programs: list[Block]) -> None:
        """Hand every slot its blocks; wait until all digests were seen, and a while longer."""
        before = self.checked
        wanted = 0
        for slot, program in zip(self.slots, programs, strict=False):
            slot.blocks.extend(program)
        for slot in self.slots:
            wanted += len(slot.pending) + sum(block.last for block in slot.blocks)
        while any(slot.blocks or slot.pending for slot in self.slots):
            await self.clock()
        for _ in range(2 * self.engine.interval + 8):
            await self.clock()
        assert self.checked - before == wanted, f"{self.checked - before} of {wanted} digests"

    async def clock(self) -> None:
        """Drive and check one clock; the bench stands in the middle of it."""
        await FallingEdge(self.dut.clk_i)
        self.now += 1
        index = int(self.dut.blk_slot_o.value)
        assert index < len(self.slots), f"clock {self.now}: blk_slot_o = {index}"
        slot = self.slots[index]
        offer = slot.blocks[0] if slot.due(self.now) else None
        if offer is not self._offer:
            self._drive(offer)
        ready = self.rng.random() < self.room
        self.dut.st_ready_i.value = int(ready)
        await ReadOnly()
        assert int(self.dut.blk_slot_o.value) == index, f"clock {self.now}: blk_slot_o moved"
        self._check_digest(ready)
        taken = int(self.dut.blk_ready_o.value)
        if offer is not None:
            if slot.offered_since is None:
                slot.offered_since = self.now
            if taken:
                self._handed_over(slot)
        self._check_patience(ready)

    def _drive(self, offer: Block | None) -> None:
        """Put an offer on the ports; junk with none."""
        dut, rng = self.dut, self.rng
        self._offer = offer
        width = len(dut.blk_i)
        dut.blk_valid_i.value = int(offer is not None)
        if offer is None:
            dut.blk_first_i.value = rng.getrandbits(1)
            dut.blk_last_i.value = rng.getrandbits(1)
            dut.blk_size_i.value = rng.getrandbits(2)
            dut.blk_count_i.value = rng.getrandbits(64)
            dut.blk_i.value = rng.getrandbits(width)
        else:
            dut.blk_first_i.value = int(offer.first)
            dut.blk_last_i.value = int(offer.last)
            dut.blk_size_i.value = DIGEST_SIZES.index(offer.size)
            dut.blk_count_i.value = offer.count
            assert 8 * len(offer.data) == width
            dut.blk_i.value = int.from_bytes(offer.data, "little")

    def _handed_over(self, slot: Slot) -> None:
        block = slot.blocks.popleft()
        slot.offered_since = None
        slot.last_handshake = self.now
        slot.handshakes.append(self.now)
        if block.last:
            slot.pending.append((block.digest, self.now))

    def _check_digest(self, ready: bool) -> None:
        """A digest must be the one that is pending, in its clock, and stay until it is taken."""
        if not int(self.dut.st_valid_o.value):
            assert self._waiting is None, f"clock {self.now}: a digest went away"
            return
        index = int(self.dut.st_slot_o.value)
        where = f"clock {self.now}, slot {index}"
        assert index < len(self.slots), where
        slot = self.slots[index]
        assert slot.pending, f"{where}: st_valid_o, and no digest is pending"
        digest, handshake = slot.pending[0]
        seen = int(self.dut.st_o.value) & ((1 << 8 * len(digest)) - 1)
        wrong = seen ^ int.from_bytes(digest, "little")
        assert not wrong, f"{where}: wrong digest, {wrong.bit_count()} of {8 * len(digest)} bits"
        if self._waiting is None:
            slot.arrivals.append(self.now)
            if self.engine.output is not None:
                late = self.now - handshake - self.engine.interval - self.engine.output
                assert late >= 0, f"{where}: digest came {-late} clocks early"
        else:
            assert self._waiting == (index, seen), f"{where}: st_o changed"
        self._waiting = None if ready else (index, seen)
        if ready:
            slot.pending.popleft()
            self.checked += 1

    def _check_patience(self, ready: bool) -> None:
        """Fail when a block or a digest takes unreasonably long."""
        self._roomless = self._roomless + 1 if ready else 0
        limit = 6 * self.engine.interval + 32
        if self._roomless < limit:
            return
        for index, slot in enumerate(self.slots):
            where = f"clock {self.now}, slot {index}"
            if slot.offered_since is not None:
                assert self.now - slot.offered_since < limit, f"{where}: block never taken"
            if slot.pending:
                assert self.now - slot.pending[0][1] < limit, f"{where}: digest never leaves"


def some(bench: Bench, *clocks: range) -> list[int]:
    """Return these numbers, only a few of each range where there are several slots.

    Those take long.
    """
    few = max(4, 32 // len(bench.slots)) // len(clocks)
    chosen: list[int] = []
    for part in clocks:
        count = len(part) if len(bench.slots) == 1 else few
        chosen += bench.rng.sample(part, min(len(part), count))
    return sorted(chosen)


class Pool:
    """Messages of every digest size with their digests: the golden models are slow."""

    def __init__(self, engine: Engine, rng: random.Random, count: int) -> None:
        """Make `count` messages for each of the sizes."""
        self.engine = engine
        self.rng = rng
        self.block_bytes = len(next(iter(engine.model.padded(engine.sizes[0], b"", 0)))[0])
        self.messages: list[Message] = []
        self.shortest = len(list(engine.model.padded(engine.sizes[0], b"", 0)))
        for size in engine.sizes:
            for bits in itertools.islice(self._lengths(), count):
                self.messages.append(self.message(size, bits))
            if engine.family in FABRICATED:
                self.messages += [self.fabricated(size, blocks) for blocks in (1, 2)]

    def _lengths(self) -> Iterator[int]:
        """Yield lengths in bits: those around a block's end, and any, of a few blocks."""
        block = 8 * self.block_bytes
        yield 0
        yield self.rng.randrange(1, 8)
        yield 2 * block
        yield block - self.rng.choice((1, 64, 65, 66, 128, 129, 130, 131))
        while True:
            yield self.rng.randrange(3 * block)

    def message(self, size: int, bits: int) -> Message:
        """Return the blocks of a random message."""
        data = self.rng.randbytes(-(-bits // 8))
        blocks = list(self.engine.model.padded(size, data, bits))
        digest = self.engine.model.digest(size, data, bits=bits)
        return [
            Block(i == 0, i == len(blocks) - 1, size, count, block, digest)
            for i, (block, count) in enumerate(blocks)
        ]

    def fabricated(self, size: int, blocks: int) -> Message:
        """Return blocks that no padding makes: their counts have all 64 bits."""
        chain = self.engine.model.initial(size)
        made = []
        for i in range(blocks):
            first, last = i == 0, i == blocks - 1
            data = self.rng.randbytes(self.block_bytes)
            count = self.rng.getrandbits(64)
            count -= 0 if last else count % (8 * self.block_bytes)
            chain = self.engine.absorb(chain, data, count, first=first, last=last)
            made.append((first, last, size, count, data))
        digest = self.engine.model.output(size, chain)
        return [Block(*fields, digest=digest) for fields in made]

    def of(self, blocks: int) -> Message:
        """Return a message of any size and `blocks` blocks, one made for it if there is none."""
        size = self.rng.choice(self.engine.sizes)
        for message in self.rng.sample(self.messages, len(self.messages)):
            if len(message) == blocks and message[0].size == size:
                return message
        bits = 8 * self.block_bytes * blocks - 8 * self.block_bytes // 2
        while len(message := self.message(size, bits)) != blocks:
            bits -= 8 * self.block_bytes // 2
        self.messages.append(message)
        return message

    def program(self, count: int, gap: Gap) -> list[Block]:
        """Return the blocks of `count` messages, and of some more that are given up on the way."""
        program: list[Block] = []
        for _ in range(count):
            while self.rng.random() < 0.2:
                abandoned = self.rng.choice(self.messages)
                program += abandoned[: self.rng.randrange(len(abandoned))]
            program += self.rng.choice(self.messages)
        return [with_gap(block, gap(self.rng)) for block in program]


def with_gap(block: Block, gap: int) -> Block:
    """Return the block, offered `gap` clocks later."""
    return Block(
        block.first, block.last, block.size, block.count, block.data, block.digest, gap=gap
    )


_pools: dict[str, Pool] = {}


async def new_bench(dut: Any) -> tuple[Bench, Pool]:
    """Return a bench, its engine reset, and its messages."""
    name = os.environ["HF_ENGINE"]
    bench = Bench(dut, ENGINES[name])
    if name not in _pools:
        _pools[name] = Pool(bench.engine, bench.rng, int(os.environ.get("HF_POOL", "6")))
    await bench.start()
    return bench, _pools[name]


@cocotb.test()
async def one_message(dut: Any) -> None:
    """One message in every slot, to begin with; then each of the pool once."""
    bench, pool = await new_bench(dut)
    await bench.play(*(pool.messages[0] for _ in bench.slots))
    for start in range(0, len(pool.messages), len(bench.slots)):
        await bench.play(*pool.messages[start : start + len(bench.slots)])


@cocotb.test()
async def random_traffic(dut: Any) -> None:
    """Random messages, some given up; from no stalls at all to long ones, on both sides."""
    bench, pool = await new_bench(dut)
    interval = bench.engine.interval
    gaps: list[Gap] = [
        lambda rng: 0,
        lambda rng: rng.choice((0, 0, 0, 1, 2, 3)),
        lambda rng: max(0, interval - 6 + rng.randrange(12)),
        lambda rng: rng.randrange(3 * interval) if rng.random() < 0.5 else 0,
    ]
    slots = len(bench.slots)
    count = max(2, 10 // slots)
    for gap in gaps:
        for room in (1.0, 0.3, slots / (2 * interval)):
            bench.room = room
            await bench.play(*(pool.program(count, gap) for _ in bench.slots))


@cocotb.test()
async def clocks(dut: Any) -> None:
    """Always valid: the table's clocks a block within a message, and a message's own clocks.

    The latter in only one slot, as digests of several leave by the same port.
    """
    bench, pool = await new_bench(dut)
    for length in (1, 2, 3, 5) if len(bench.slots) == 1 else (1, 3):
        if length >= pool.shortest:
            await check_clocks(bench, pool, length, bench.slots)
            await check_clocks(bench, pool, length, [bench.rng.choice(bench.slots)])


async def check_clocks(bench: Bench, pool: Pool, length: int, slots: list[Slot]) -> None:
    """Play messages of `length` blocks in these slots, back to back, and check their clocks."""
    engine = bench.engine
    times = 3
    starts = [(len(slot.handshakes), len(slot.arrivals)) for slot in slots]
    for slot in slots:
        slot.blocks.extend(block for _ in range(times) for block in pool.of(length))
    await bench.play()
    for slot, (start, arrived) in zip(slots, starts, strict=True):
        taken, came = slot.handshakes[start:], slot.arrivals[arrived:]
        assert len(taken) == times * length
        assert len(came) == times
        for i in range(times):
            mine = taken[i * length : (i + 1) * length]
            steps = [b - a for a, b in itertools.pairwise(mine)]
            assert set(steps) <= {engine.interval}, f"{length} blocks: intervals {steps}"
            if len(slots) > 1:
                continue
            took = came[i] - mine[-1] - engine.interval
            assert engine.output in (None, took), f"{length} blocks: digest after {took}"
            if i < times - 1:
                slip = taken[(i + 1) * length] - mine[-1] - engine.interval
                assert engine.slip in (None, slip), f"{length} blocks: next after {slip}"


@cocotb.test()
async def every_gap(dut: Any) -> None:
    """A block that goes on, and a message in place of one, offered at every clock of a block."""
    bench, pool = await new_bench(dut)
    long, short = pool.of(3), pool.of(2)
    interval = bench.engine.interval
    # With one slot all gaps with different effects; with several those at the end of a block, and
    # those that make one late.
    gaps = [range(interval - 8, interval + 1), range(interval + 1, 2 * interval)]
    if len(bench.slots) == 1:
        gaps = [range(interval + 8)]
    for gap in some(bench, *gaps):
        goes_on = [long[0], with_gap(long[1], gap), *long[2:]]
        given_up = [long[0], with_gap(short[0], gap), *short[1:]]
        given_up_later = [*long[:2], with_gap(short[0], gap), *short[1:]]
        follows = [*short, with_gap(long[0], gap), *long[1:]]
        for program in (goes_on, given_up, given_up_later, follows):
            for slot in bench.slots:
                slot.blocks.extend(program)
    await bench.play()


@cocotb.test()
async def digests_wait(dut: Any) -> None:
    """`st_ready_i` comes in every clock around a digest's, the next messages right after it."""
    bench, pool = await new_bench(dut)
    for wait in some(bench, range(2 * bench.engine.interval + 8)):
        for slot in bench.slots:
            slot.blocks.extend(block for _ in range(2) for block in pool.of(2))
        bench.room = 0.0
        for _ in range(bench.engine.interval + wait):
            await bench.clock()
        bench.room = 1.0
        await bench.play()
    bench.room = 0.0
    for slot in bench.slots:
        slot.blocks.extend(block for _ in range(3) for block in pool.of(2))
    for _ in range(12 * bench.engine.interval):
        await bench.clock()
    bench.room = 1.0
    await bench.play()


@cocotb.test()
async def a_chaining_value_stays(dut: Any) -> None:
    """An unfinished message waits long, with others about it, and goes on right."""
    bench, pool = await new_bench(dut)
    gap = (30 if len(bench.slots) == 1 else 5) * bench.engine.interval
    programs = []
    for index in range(len(bench.slots)):
        late = [with_gap(block, gap) for block in pool.of(3)]
        busy = pool.program(10, lambda rng: 0)
        programs.append(late if index % 2 == 0 else busy)
    await bench.play(*programs)


@cocotb.test()
async def reset_at_any_time(dut: Any) -> None:
    """Reset in every clock of a message: nothing of it leaves, and the next one is right."""
    bench, pool = await new_bench(dut)
    bench.room = 0.5
    for clocks_before in some(bench, range(3 * bench.engine.interval + 8)):
        for slot in bench.slots:
            slot.blocks.extend(pool.of(2))
        for _ in range(clocks_before):
            await bench.clock()
        await FallingEdge(dut.clk_i)
        await bench.reset()
        await bench.play(*(pool.of(2) for _ in bench.slots))
