"""The contract bench (docs/reference/contract.md): random messages, every clock checked.

Runs inside the simulator; `test_contract.py` starts it. One coroutine drives and samples in the
middle of each clock, so nothing depends on the order of events at the edge.
"""

import itertools
import os
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, Timer

from tests.support.states import ALL_ONES, WIDTH, keccak_f

Gap = Callable[[random.Random], int]
ROUNDS = int(os.environ.get("HF_ROUNDS", "24"))
"""Rounds of a block: the last of Keccak-f."""
CHOICE = bool(os.environ.get("HF_ROUND_CHOICE"))
"""Each message chooses all rounds or the last half of them, by bit 1600 of its blocks (rule 13)."""
EACH_BLOCK = os.environ.get("HF_ROUND_CHOICE") == "each"
"""Each block does, which breaks that rule."""
HALVES = os.environ.get("HF_ROUND_CHOICE") == "halves"
"""Each block chooses the first or the last rounds, by bit 1600 (rule 14)."""
ROUND_COUNTS = (ROUNDS, -ROUNDS if HALVES else ROUNDS // 2) if CHOICE else (ROUNDS,)
"""What a block may choose: rounds, the last of Keccak-f; or the first, as a negative number."""


@dataclass(frozen=True)
class Block:
    """One block to send, offered `gap` clocks after its slot's last handshake at the soonest.

    `data` is what the message adds to the state: how it reaches the engine is the driver's matter.
    """

    first: bool
    last: bool
    data: int
    gap: int = 0
    rounds: int = ROUNDS

    @property
    def choice(self) -> int:
        """Bit 1600 of the block, where the engine has one."""
        return int((self.rounds != ROUNDS) != HALVES) << WIDTH


@dataclass(frozen=True)
class Engine:
    """What the registry says of the engine, and its clocks where they are asserted.

    `fill`: clocks from a block's handshake to its state beyond those of a block. `resume`: the same
    for a squeeze, from its handshake or in time. `slip`: clocks that a message of b blocks takes
    beyond b blocks' before the next one begins. `room`: clocks from `st_ready_i` to a state that
    has waited for it. `squeeze`: clocks between two squeezed states, a block's own where nothing
    else is said. `patience`: clocks that it may wait beyond others, for a start after a reset.
    """

    slots: int
    holds_state: bool
    clocks_per_block: float
    data_delay: int
    zero_between: bool
    fill: int | None
    resume: int | None
    slip: int | None
    room: int | None
    squeeze: int | None
    patience: int

    @property
    def interval(self) -> int:
        """Clocks a block as one slot sees them."""
        return round(self.slots * self.clocks_per_block)

    def interval_of(self, rounds: int) -> int:
        """Return the same for a block of `rounds` rounds."""
        return self.interval * abs(rounds) // ROUNDS

    def squeeze_interval_of(self, rounds: int) -> int:
        """Return the clocks a squeezed block as one slot sees them."""
        return self.interval_of(rounds) if self.squeeze is None else self.squeeze


def engine_from_environment() -> Engine:
    """Read what `test_contract.py` left in the environment."""

    def number(name: str) -> int | None:
        text = os.environ[name]
        return int(text) if text else None

    return Engine(
        slots=int(os.environ["HF_SLOTS"]),
        holds_state=os.environ["HF_HOLDS_STATE"] == "1",
        clocks_per_block=float(os.environ["HF_CLOCKS_PER_BLOCK"]),
        data_delay=int(os.environ["HF_DATA_DELAY"]),
        zero_between=os.environ["HF_ZERO_BETWEEN"] == "1",
        fill=number("HF_FILL"),
        resume=number("HF_RESUME"),
        slip=number("HF_SLIP"),
        room=number("HF_ROOM"),
        squeeze=number("HF_SQUEEZE"),
        patience=int(os.environ.get("HF_PATIENCE", "0")),
    )


@dataclass(frozen=True)
class Accepted:
    """A block that was accepted: the state it leads to, and when."""

    state: int
    last: bool
    clock: int
    squeezed: bool
    rounds: int


@dataclass
class Slot:
    """What one slot should do: blocks to come, what the golden model holds, states on their way."""

    blocks: deque[Block] = field(default_factory=deque)
    state: int = 0
    last: bool = False  # so was the block before
    away: bool = False  # the engine has handed the state back
    offered_since: int | None = None
    last_handshake: int = -(1 << 30)
    on_their_way: deque[Accepted] = field(default_factory=deque)
    handshakes: list[int] = field(default_factory=list)
    leavings: list[int] = field(default_factory=list)

    def due(self, now: int) -> bool:
        """Return whether a block is to be offered in clock `now`."""
        return bool(self.blocks) and now > self.last_handshake + self.blocks[0].gap

    def may_come_back(self) -> bool:
        """Return whether a state not marked to leave may be handed back while its block is offered.

        Only such an offer can turn into a restore in the clock of `st_valid_o` itself.
        """
        waiting = len(self.on_their_way) == 1 and not self.on_their_way[0].last
        return waiting and bool(self.blocks) and not self.blocks[0].first

    def as_offered(self) -> tuple[bool, bool, int]:
        """Return first, last and the data of the next block as the engine must see them."""
        block = self.blocks[0]
        if self.away and not block.first:  # the state comes back in with the block
            return True, block.last, self.state ^ block.data | block.choice
        return block.first, block.last, block.data | block.choice


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
        self._driven: tuple[bool, bool] | None = None
        self._driven_data: int | None = None
        self._data: dict[int, int] = {}
        """Accepted blocks whose data the engine has yet to read, by the clock of that."""
        self._states: deque[tuple[int, int, str]] = deque()
        """States that have left and are yet to be seen on `st_o`: the clock, the state, a name."""
        self._ready_since: int | None = None

    async def start(self) -> None:
        """Start the clock and reset."""
        self.dut.rst_i.value = 1
        self.dut.blk_valid_i.value = 0
        self.dut.blk_i.value = 0
        Clock(self.dut.clk_i, 2, unit="ns").start()
        await FallingEdge(self.dut.clk_i)
        await self.reset()

    async def reset(self, clocks: int = 2) -> None:
        """Reset: every slot is dropped."""
        self.dut.rst_i.value = 1
        self._data.clear()
        self._states.clear()
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
        for _ in range(self.engine.interval + self.engine.data_delay + 8):
            await self.clock()

    async def clock(self) -> None:
        """Drive and check one clock; the bench stands in the middle of it."""
        await FallingEdge(self.dut.clk_i)
        self.now += 1
        index = int(self.dut.blk_slot_o.value)
        assert index < len(self.slots), f"clock {self.now}: blk_slot_o = {index}"
        slot = self.slots[index]
        due = slot.due(self.now)
        offer = slot.as_offered() if due else None
        self._drive(offer)
        if self._ready_since is None and self.rng.random() < self.room:
            self._ready_since = self.now
        self.dut.st_ready_i.value = int(self._ready_since is not None)
        if due and not self.engine.holds_state and slot.may_come_back():
            await Timer(1, "step")  # a state handed back in this clock makes the offer a restore
            if int(self.dut.st_valid_o.value) and int(self.dut.st_slot_o.value) == index:
                slot.away = True
                offer = slot.as_offered()
                self._drive(offer)
        await ReadOnly()
        assert int(self.dut.blk_slot_o.value) == index, f"clock {self.now}: blk_slot_o moved"
        if int(self.dut.st_valid_o.value):
            self._leaves(int(self.dut.st_slot_o.value))
        self._check_states()
        if offer is not None:
            if slot.offered_since is None:
                slot.offered_since = self.now
            if int(self.dut.blk_ready_o.value):
                self._handed_over(slot, offer[2])
        self._data.pop(self.now, None)
        self._check_patience()

    def _drive(self, offer: tuple[bool, bool, int] | None) -> None:
        """Put an offer and the data that is read in this clock on the ports; junk otherwise."""
        flags = None if offer is None else offer[:2]
        if flags is not None or self._driven is not None:
            self.dut.blk_valid_i.value = int(flags is not None)
            first, last = flags or (self.rng.random() < 0.5, self.rng.random() < 0.5)
            self.dut.blk_first_i.value = int(first)
            self.dut.blk_last_i.value = int(last)
        self._driven = flags
        data = self._data.get(self.now)
        if self.engine.data_delay == 0 and offer is not None:
            data = offer[2]
        if data != self._driven_data:
            junk = 0 if self.engine.zero_between else self.rng.getrandbits(WIDTH + CHOICE)
            self.dut.blk_i.value = junk if data is None else data
        self._driven_data = data

    def _handed_over(self, slot: Slot, data: int) -> None:
        self._data[self.now + self.engine.data_delay] = data
        block = slot.blocks.popleft()
        squeezed = slot.last and not block.first and not slot.away
        slot.state = keccak_f((0 if block.first else slot.state) ^ block.data, block.rounds)
        slot.last = block.last
        slot.away = False
        slot.offered_since = None
        slot.last_handshake = self.now
        slot.handshakes.append(self.now)
        # What was not to leave is gone now: permuted on, or abandoned.
        while slot.on_their_way and not slot.on_their_way[-1].last:
            slot.on_their_way.pop()
        accepted = Accepted(slot.state, block.last, self.now, squeezed, block.rounds)
        slot.on_their_way.append(accepted)

    def _leaves(self, index: int) -> None:
        """A state leaves: it must be the one that is pending, in its clock."""
        where = f"clock {self.now}, slot {index}"
        assert index < len(self.slots), where
        slot = self.slots[index]
        assert slot.on_their_way, f"{where}: st_valid_o without a block"
        accepted = slot.on_their_way.popleft()
        assert accepted.last or not self.engine.holds_state, f"{where}: st_valid_o, block not last"
        if self.engine.holds_state:
            assert self._ready_since is not None, f"{where}: st_valid_o without st_ready_i"
        self._states.append((self.now + self.engine.data_delay, accepted.state, where))
        slot.away = not (slot.on_their_way or self.engine.holds_state)
        self._check_latency(slot, accepted, where)
        slot.leavings.append(self.now)
        self._ready_since = None

    def _check_states(self) -> None:
        """Compare `st_o` with the state that is on it in this clock, if one is."""
        if self._states and self._states[0][0] == self.now:
            _, state, where = self._states.popleft()
            wrong = int(self.dut.st_o.value) ^ state
            assert not wrong, f"{where}: wrong state, {wrong.bit_count()} bits"

    def _check_latency(self, slot: Slot, accepted: Accepted, where: str) -> None:
        """A state leaves when it is computed, or as soon after that as there is room."""
        extra = self.engine.resume if accepted.squeezed else self.engine.fill
        if extra is None:
            return
        soonest = accepted.clock + self.engine.interval_of(accepted.rounds) + extra
        if self.engine.holds_state:
            if slot.leavings:
                squeeze = self.engine.squeeze_interval_of(accepted.rounds)
                soonest = max(soonest, slot.leavings[-1] + squeeze)
            if self._ready_since is not None and self.engine.room is not None:
                soonest = max(soonest, self._ready_since + self.engine.room)
        assert self.now == soonest, f"{where}: state came {self.now - soonest} clocks late"

    def _owed(self, slot: Slot) -> bool:
        if self.engine.holds_state:
            return any(accepted.last for accepted in slot.on_their_way)
        return bool(slot.on_their_way)

    def _check_patience(self) -> None:
        """Fail when a block or a state takes unreasonably long."""
        limit = 3 * self.engine.interval + 32 + self.engine.patience
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
    rounds = ROUNDS
    while len(blocks) < count:
        first = last is None or rng.random() < 0.2
        rounds = rng.choice(ROUND_COUNTS) if first or EACH_BLOCK or HALVES else rounds
        zero = not first and (last or rng.random() < 0.05)
        last = rng.random() < 0.4
        data = 0 if zero else random_data(rng)
        blocks.append(Block(first, bool(last), data, gap(rng), rounds))
    return blocks


def message(rng: random.Random, blocks: int, squeezes: int = 0, gap: int = 0) -> list[Block]:
    """Return a whole message of `blocks` blocks, with `squeezes` outputs after its first."""
    rounds = rng.choice(ROUND_COUNTS)
    absorbed = [
        Block(i == 0, i == blocks - 1, random_data(rng), gap if i else 0, rounds)
        for i in range(blocks)
    ]
    if HALVES:
        absorbed = [replace(block, rounds=rng.choice(ROUND_COUNTS)) for block in absorbed]
    return absorbed + [Block(False, True, 0, gap, rounds) for _ in range(squeezes)]


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
    interval = bench.engine.interval
    gaps: list[Gap] = [
        lambda rng: 0,
        lambda rng: rng.choice((0, 0, 0, 1, 2, 3)),
        lambda rng: interval - 6 + rng.randrange(12),
        lambda rng: rng.randrange(3 * interval) if rng.random() < 0.5 else 0,
    ]
    count = int(os.environ.get("HF_BLOCKS", "150"))
    for gap in gaps:
        for room in (1.0, 0.3, 1 / (2 * interval)):
            bench.room = room
            programs = [random_program(bench.rng, count, gap) for _ in bench.slots]
            await bench.play(*programs)


@cocotb.test()
async def clocks(dut: Any) -> None:
    """Always valid: the registry's clocks a block within a message, and a message's own clocks."""
    bench = await new_bench(dut)
    engine = bench.engine
    for length in (1, 2, 3, 7):
        starts = [len(slot.handshakes) for slot in bench.slots]
        programs = [[message(bench.rng, length) for _ in range(3)] for _ in bench.slots]
        await bench.play(*([block for one in program for block in one] for program in programs))
        for slot, start, program in zip(bench.slots, starts, programs, strict=True):
            taken = slot.handshakes[start:]
            left = slot.leavings[-3:]
            for i in range(3):
                mine = taken[i * length : (i + 1) * length]
                interval = engine.interval_of(program[i][0].rounds)
                steps = [b - a for a, b in itertools.pairwise(mine)]
                assert set(steps) <= {interval}, f"{length} blocks: intervals {steps}"
                if engine.fill is not None:
                    took = left[i] - mine[0]
                    assert took == length * interval + engine.fill, f"{length}: {took}"
                if engine.slip is not None and i < 2:
                    to_next = taken[(i + 1) * length] - mine[0]
                    assert to_next == length * interval + engine.slip, f"next: {to_next}"


@cocotb.test()
async def squeezing_clocks(dut: Any) -> None:
    """Zero blocks accepted early: a state in every interval, as in absorbing."""
    bench = await new_bench(dut)
    programs = [message(bench.rng, 2, squeezes=6) for _ in bench.slots]
    await bench.play(*programs)
    for slot, program in zip(bench.slots, programs, strict=True):
        rounds = program[0].rounds
        steps = [b - a for a, b in itertools.pairwise(slot.leavings)]
        assert len(steps) == 6
        assert set(steps) == {bench.engine.squeeze_interval_of(rounds)}, f"intervals {steps}"
        if bench.engine.squeeze is None:
            steps = [b - a for a, b in itertools.pairwise(slot.handshakes)]
            assert set(steps) == {bench.engine.interval_of(rounds)}, f"intervals {steps}"


@cocotb.test()
async def every_gap(dut: Any) -> None:
    """Each kind of block after each kind, offered at every clock of the permutation before it."""
    bench = await new_bench(dut)
    kinds = itertools.product((False, True), (False, True), ROUND_COUNTS)
    for gap, (last, first, rounds) in itertools.product(range(bench.engine.interval + 8), kinds):
        data = 0 if last and not first else random_data(bench.rng)
        then = bench.rng.choice(ROUND_COUNTS) if first else rounds
        program = [
            Block(True, last, random_data(bench.rng), rounds=rounds),
            Block(first, False, data, gap, then),
            Block(False, True, random_data(bench.rng), rounds=then),
        ]
        await bench.play(*(program for _ in bench.slots))


@cocotb.test()
async def every_gap_before_room(dut: Any) -> None:
    """Room for a state comes in every clock around its leaving, with each kind of next block."""
    bench = await new_bench(dut)
    gaps = (0, 2 * bench.engine.interval)
    kinds = itertools.product(gaps, (False, True), ROUND_COUNTS)
    for wait, (gap, first, rounds) in itertools.product(range(bench.engine.interval + 8), kinds):
        data = random_data(bench.rng) if first else 0
        program = [
            Block(True, True, random_data(bench.rng), rounds=rounds),
            Block(first, True, data, gap, rounds),
        ]
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
    for last, rounds in itertools.product((False, True), ROUND_COUNTS):
        program = [
            Block(True, last, random_data(bench.rng), rounds=rounds),
            Block(False, True, 0, 40 * bench.engine.interval, rounds),
        ]
        await bench.play(*(program for _ in bench.slots))


@cocotb.test()
async def save_and_restore(dut: Any) -> None:
    """A state saved in a message's middle comes back as `first`, after another message."""
    bench = await new_bench(dut)
    rng = bench.rng
    begun, ended = random_data(rng), random_data(rng)
    rounds = ROUND_COUNTS[-1]
    saved = keccak_f(begun, rounds)
    program = [
        Block(True, True, begun, rounds=rounds),
        *message(rng, 3, squeezes=1),
        Block(True, False, saved ^ ended, rounds=rounds),
        Block(False, True, random_data(rng), rounds=rounds),
    ]
    await bench.play(*(program for _ in bench.slots))


@cocotb.test()
async def reset_at_any_time(dut: Any) -> None:
    """Reset in every clock of a message: nothing of it leaves, and the next one is right."""
    bench = await new_bench(dut)
    for clocks_before in range(0, 2 * bench.engine.interval + 8):
        for slot in bench.slots:
            slot.blocks.extend(message(bench.rng, 2, squeezes=1))
        for _ in range(clocks_before):
            await bench.clock()
        await FallingEdge(dut.clk_i)
        await bench.reset(clocks=1)
        await bench.clock()
        await bench.play(*(message(bench.rng, 1) for _ in bench.slots))
