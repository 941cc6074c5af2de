"""The contract bench (docs/contract.md): random messages through any engine, every clock watched.

Runs inside the simulator; `test_contract.py` starts it. One coroutine drives and samples in the
middle of each clock, so nothing depends on the order of events at the edge.
"""

import itertools
import os
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from states import ALL_ONES, WIDTH, keccak_f

Gap = Callable[[random.Random], int]


@dataclass(frozen=True)
class Block:
    """One block to hand over, offered `gap` clocks after its slot's last handover at the soonest.

    `data` is what the message adds to the state: how it reaches the engine is the driver's matter.
    """

    first: bool
    last: bool
    data: int
    gap: int = 0


@dataclass(frozen=True)
class Engine:
    """What the registry says of the engine; `fill` and `resume` where its clocks are asserted.

    `fill`: clocks from a block's handover to its state beyond those of a block. `resume`: the same
    for a zero block that came after its state had left.
    """

    slots: int
    holds_state: bool
    clocks_per_block: float
    fill: int | None
    resume: int | None

    @property
    def turn(self) -> int:
        """Clocks a block as one slot sees them."""
        return round(self.slots * self.clocks_per_block)


def engine_from_environment() -> Engine:
    """Read what `test_contract.py` left in the environment."""

    def number(name: str) -> int | None:
        text = os.environ[name]
        return int(text) if text else None

    return Engine(
        slots=int(os.environ["HF_SLOTS"]),
        holds_state=os.environ["HF_HOLDS_STATE"] == "1",
        clocks_per_block=float(os.environ["HF_CLOCKS_PER_BLOCK"]),
        fill=number("HF_FILL"),
        resume=number("HF_RESUME"),
    )


@dataclass(frozen=True)
class Handed:
    """A block that was handed over: the state it leads to, and when."""

    state: int
    last: bool
    clock: int
    resumed: bool


@dataclass
class Slot:
    """What one slot should do: blocks to come, what the golden model holds, states on their way."""

    blocks: deque[Block] = field(default_factory=deque)
    state: int = 0
    away: bool = False  # the engine has handed the state back
    idle: bool = False  # its last state has left, and no block came since
    offered_since: int | None = None
    last_handover: int = -(1 << 30)
    on_their_way: deque[Handed] = field(default_factory=deque)
    handovers: list[int] = field(default_factory=list)
    leavings: list[int] = field(default_factory=list)

    def due(self, now: int) -> bool:
        """Say whether a block is to be offered in clock `now`."""
        return bool(self.blocks) and now > self.last_handover + self.blocks[0].gap

    def as_offered(self) -> tuple[bool, bool, int]:
        """Return first, last and the data of the next block as the engine must see them."""
        block = self.blocks[0]
        if self.away and not block.first:  # the state comes back in with the block
            return True, block.last, self.state ^ block.data
        return block.first, block.last, block.data


class Bench:
    """Drives one engine and checks every output in every clock."""

    def __init__(self, dut: Any, engine: Engine) -> None:
        """Take the ports of `dut`, with a random generator seeded by the run's seed."""
        self.dut = dut
        self.engine = engine
        self.rng = random.Random(cocotb.RANDOM_SEED)
        self.slots = [Slot() for _ in range(engine.slots)]
        self.now = 0
        self.room = 1.0
        """Chance that there is room for the next state in a clock (`st_ready_i`)."""
        self._driven: tuple[bool, bool, int] | None = None
        self._ready_since: int | None = None

    async def start(self) -> None:
        """Start the clock and reset."""
        self.dut.rst_i.value = 1
        self.dut.blk_valid_i.value = 0
        Clock(self.dut.clk_i, 2, unit="ns").start()
        await FallingEdge(self.dut.clk_i)
        await self.reset()

    async def reset(self, clocks: int = 2) -> None:
        """Reset: every slot is forgotten."""
        self.dut.rst_i.value = 1
        self._drive(None)
        for _ in range(clocks):
            await FallingEdge(self.dut.clk_i)
        self.dut.rst_i.value = 0
        self.slots = [Slot() for _ in self.slots]
        self._ready_since = None

    async def play(self, *programs: list[Block]) -> None:
        """Hand every slot its blocks and wait until all states are out, and a while longer.

        Slots beyond `programs` stay empty.
        """
        for slot, program in zip(self.slots, programs, strict=False):
            slot.blocks.extend(program)
        while any(slot.blocks or self._owed(slot) for slot in self.slots):
            await self.clock()
        for _ in range(self.engine.turn + 8):
            await self.clock()

    async def clock(self) -> None:
        """Drive and check one clock; the bench stands in the middle of it."""
        await FallingEdge(self.dut.clk_i)
        self.now += 1
        index = int(self.dut.blk_slot_o.value)
        assert index < len(self.slots), f"clock {self.now}: blk_slot_o = {index}"
        slot = self.slots[index]
        due = slot.due(self.now)
        self._drive(slot.as_offered() if due else None)
        if self._ready_since is None and self.rng.random() < self.room:
            self._ready_since = self.now
        self.dut.st_ready_i.value = int(self._ready_since is not None)
        await ReadOnly()
        if int(self.dut.st_valid_o.value):
            self._leaves(int(self.dut.st_slot_o.value))
        ready = bool(int(self.dut.blk_ready_o.value))
        if due and slot.offered_since is None:
            slot.offered_since = self.now
        if due and ready:
            self._handed_over(slot)
        self._check_patience()

    def _drive(self, offer: tuple[bool, bool, int] | None) -> None:
        """Put an offer on the ports; junk where there is none."""
        if offer == self._driven and offer is not None:
            return
        if offer is None and self._driven is None:
            return
        self._driven = offer
        self.dut.blk_valid_i.value = 0 if offer is None else 1
        junk = self.rng.random() < 0.5, self.rng.random() < 0.5, self.rng.getrandbits(WIDTH)
        first, last, data = offer or junk
        self.dut.blk_first_i.value = int(first)
        self.dut.blk_last_i.value = int(last)
        self.dut.blk_i.value = data

    def _handed_over(self, slot: Slot) -> None:
        block = slot.blocks.popleft()
        resumed = slot.idle and not block.first and not slot.away
        slot.state = keccak_f((0 if block.first else slot.state) ^ block.data)
        slot.away = slot.idle = False
        slot.offered_since = None
        slot.last_handover = self.now
        slot.handovers.append(self.now)
        # What was not to leave is gone now: permuted on, or abandoned.
        while slot.on_their_way and not slot.on_their_way[-1].last:
            slot.on_their_way.pop()
        slot.on_their_way.append(Handed(slot.state, block.last, self.now, resumed))

    def _leaves(self, index: int) -> None:
        """A state leaves: it must be the one that is owed, in its clock."""
        where = f"clock {self.now}, slot {index}"
        assert index < len(self.slots), where
        slot = self.slots[index]
        assert slot.on_their_way, f"{where}: st_valid_o without a block"
        handed = slot.on_their_way.popleft()
        assert handed.last or not self.engine.holds_state, f"{where}: st_valid_o, block not last"
        state = int(self.dut.st_o.value)
        assert state == handed.state, f"{where}: wrong state, {(state ^ handed.state).bit_count()}"
        slot.idle = not slot.on_their_way
        slot.away = slot.idle and not self.engine.holds_state
        self._check_latency(slot, handed, where)
        slot.leavings.append(self.now)
        self._ready_since = None

    def _check_latency(self, slot: Slot, handed: Handed, where: str) -> None:
        """A state leaves when it is computed, or as soon after that as there is room."""
        extra = self.engine.resume if handed.resumed else self.engine.fill
        if extra is None or self.engine.fill is None:
            return
        soonest = handed.clock + self.engine.turn + extra
        if slot.leavings:
            soonest = max(soonest, slot.leavings[-1] + self.engine.turn)
        assert self._ready_since is not None, f"{where}: st_valid_o without st_ready_i"
        soonest = max(soonest, self._ready_since + self.engine.fill)
        assert self.now == soonest, f"{where}: state came {self.now - soonest} clocks late"

    def _owed(self, slot: Slot) -> bool:
        if self.engine.holds_state:
            return any(handed.last for handed in slot.on_their_way)
        return bool(slot.on_their_way)

    def _check_patience(self) -> None:
        """Fail when a block or a state takes unreasonably long."""
        limit = 3 * self.engine.turn + 32
        if self._ready_since is None:
            return
        for index, slot in enumerate(self.slots):
            where = f"clock {self.now}, slot {index}"
            if slot.offered_since is not None:
                waited = self.now - max(slot.offered_since, self._ready_since)
                assert waited < limit, f"{where}: block never taken"
            if self._owed(slot):
                waited = self.now - max(slot.on_their_way[0].clock, self._ready_since)
                assert waited < limit, f"{where}: state never leaves"


def random_data(rng: random.Random) -> int:
    """Return a block: random, and now and then of a kind that hides or shows much."""
    kind = rng.randrange(12)
    if kind == 0:
        return 0
    if kind == 1:
        return ALL_ONES
    if kind == 2:
        return 1 << rng.randrange(WIDTH)
    return rng.getrandbits(WIDTH)


def random_program(rng: random.Random, count: int, gap: Gap) -> list[Block]:
    """Return `count` blocks: messages, squeezes after them, and messages given up."""
    blocks: list[Block] = []
    last: bool | None = None
    while len(blocks) < count:
        first = last is None or rng.random() < 0.2
        zero = not first and (last or rng.random() < 0.05)
        last = rng.random() < 0.4
        blocks.append(Block(first, bool(last), 0 if zero else random_data(rng), gap(rng)))
    return blocks


def message(rng: random.Random, blocks: int, squeezes: int = 0, gap: int = 0) -> list[Block]:
    """Return a whole message of so many blocks, squeezed so often beyond its first output."""
    absorbed = [
        Block(i == 0, i == blocks - 1, random_data(rng), gap if i else 0) for i in range(blocks)
    ]
    return absorbed + [Block(False, True, 0, gap) for _ in range(squeezes)]


async def new_bench(dut: Any) -> Bench:
    """Return a bench, its engine reset."""
    bench = Bench(dut, engine_from_environment())
    await bench.start()
    return bench


@cocotb.test()
async def one_block(dut: Any) -> None:
    """A message of one block in every slot, to begin with."""
    bench = await new_bench(dut)
    await bench.play(*([Block(True, True, 1)] for _ in bench.slots))


@cocotb.test()
async def random_traffic(dut: Any) -> None:
    """Random messages, squeezes, aborts; from no stalls at all to long ones, on both sides."""
    bench = await new_bench(dut)
    turn = bench.engine.turn
    gaps: list[Gap] = [
        lambda rng: 0,
        lambda rng: rng.choice((0, 0, 0, 1, 2, 3)),
        lambda rng: turn - 6 + rng.randrange(12),
        lambda rng: rng.randrange(3 * turn) if rng.random() < 0.5 else 0,
    ]
    count = int(os.environ.get("HF_BLOCKS", "150"))
    for gap in gaps:
        for room in (1.0, 0.3, 1 / (2 * turn)):
            bench.room = room
            programs = [random_program(bench.rng, count, gap) for _ in bench.slots]
            await bench.play(*programs)


@cocotb.test()
async def clocks(dut: Any) -> None:
    """Always valid: the registry's clocks a block within a message, and a message's own clocks."""
    bench = await new_bench(dut)
    engine = bench.engine
    for length in (1, 2, 3, 7):
        starts = [len(slot.handovers) for slot in bench.slots]
        await bench.play(
            *([b for _ in range(3) for b in message(bench.rng, length)] for _ in bench.slots)
        )
        for slot, start in zip(bench.slots, starts, strict=True):
            taken = slot.handovers[start:]
            left = slot.leavings[-3:]
            for i in range(3):
                mine = taken[i * length : (i + 1) * length]
                steps = [b - a for a, b in itertools.pairwise(mine)]
                assert set(steps) <= {engine.turn}, f"{length} blocks: intervals {steps}"
                if engine.fill is not None:
                    took = left[i] - mine[0]
                    assert took == length * engine.turn + engine.fill, f"{length} blocks: {took}"
                if engine.fill is not None and i < 2:
                    to_next = taken[(i + 1) * length] - mine[0]
                    assert to_next == length * engine.turn + engine.fill, f"next: {to_next}"


@cocotb.test()
async def squeezing_clocks(dut: Any) -> None:
    """Zero blocks handed over early: the same interval as absorbing, every state leaves."""
    bench = await new_bench(dut)
    await bench.play(*(message(bench.rng, 2, squeezes=6) for _ in bench.slots))
    for slot in bench.slots:
        steps = [b - a for a, b in itertools.pairwise(slot.handovers)]
        assert set(steps) == {bench.engine.turn}, f"intervals {steps}"
        assert len(slot.leavings) == 7


@cocotb.test()
async def every_gap(dut: Any) -> None:
    """Each kind of block after each kind, offered at every clock of the permutation before it."""
    bench = await new_bench(dut)
    for gap in range(bench.engine.turn + 8):
        for last in (False, True):
            for first in (False, True):
                data = 0 if last and not first else random_data(bench.rng)
                program = [
                    Block(True, last, random_data(bench.rng)),
                    Block(first, False, data, gap),
                    Block(False, True, random_data(bench.rng)),
                ]
                await bench.play(*(program for _ in bench.slots))


@cocotb.test()
async def every_gap_before_room(dut: Any) -> None:
    """Room for a state comes in every clock around its leaving, with each kind of block behind."""
    bench = await new_bench(dut)
    for wait in range(bench.engine.turn + 8):
        for gap in (0, 2 * bench.engine.turn):
            for first in (False, True):
                data = random_data(bench.rng) if first else 0
                program = [Block(True, True, random_data(bench.rng)), Block(first, True, data, gap)]
                for slot in bench.slots:
                    slot.blocks.extend(program)
                bench.room = 0.0
                for _ in range(wait):
                    await bench.clock()
                bench.room = 1.0
                await bench.play()


@cocotb.test()
async def a_state_stays(dut: Any) -> None:
    """A finished state and an unfinished message wait long, and go on right."""
    bench = await new_bench(dut)
    for last in (False, True):
        program = [
            Block(True, last, random_data(bench.rng)),
            Block(False, True, 0, 40 * bench.engine.turn),
        ]
        await bench.play(*(program for _ in bench.slots))


@cocotb.test()
async def save_and_restore(dut: Any) -> None:
    """A state saved in a message's middle comes back as `first`, after another message."""
    bench = await new_bench(dut)
    rng = bench.rng
    begun, ended = random_data(rng), random_data(rng)
    saved = keccak_f(begun)
    program = [
        Block(True, True, begun),
        *message(rng, 3, squeezes=1),
        Block(True, False, saved ^ ended),
        Block(False, True, random_data(rng)),
    ]
    await bench.play(*(program for _ in bench.slots))


@cocotb.test()
async def reset_at_any_time(dut: Any) -> None:
    """Reset in every clock of a message: nothing of it leaves, and the next one is right."""
    bench = await new_bench(dut)
    for clocks_before in range(0, 2 * bench.engine.turn + 8):
        for slot in bench.slots:
            slot.blocks.extend(message(bench.rng, 2, squeezes=1))
        for _ in range(clocks_before):
            await bench.clock()
        await FallingEdge(dut.clk_i)
        await bench.reset(clocks=1)
        await bench.clock()
        await bench.play(*(message(bench.rng, 1) for _ in bench.slots))
