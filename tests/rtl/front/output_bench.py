"""Only `hf_keccak_digest_output`: random states leave and are restored, digests in order.

Runs inside the simulator; `test_output.py` starts it. States leave as `hf_keccak_slot_arbiter`
lets them: a word of the store and a clock apart, and with a place for each in its slot.
"""

import os
import random
from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

DATA_DELAY = int(os.environ["HF_DATA_DELAY"])
STATES = int(os.environ["HF_STATES"])
LANE = 64
RESTORED = 6
"""Clocks from a restore to its first word."""
READABLE = 4
"""Clocks from a state's being stored to the first restore of it."""
LATENCY = DATA_DELAY + 15
"""Clocks from a state's leaving to the first beat of its digest, if nothing is in its way."""

Beat = tuple[int, int, int, int, int]
"""Data, keep, last, tid, user."""


@dataclass
class Given:
    """The job of a leaving state (`job_t` of hf_keccak_slots_pkg)."""

    lanes: int
    over: bool
    tail: int
    bad: bool
    open: bool

    def packed(self, *, gives: bool) -> int:
        """Return it as `job_t` of hf_keccak_slots_pkg."""
        high = gives << 14 | self.lanes << 9 | self.over << 8
        return high | self.tail << 2 | self.bad << 1 | self.open


def given(rng: random.Random) -> Given:
    """Return any job that the budget may give, all lanes now and then."""
    if rng.random() < 0.1:
        return Given(0, True, rng.randrange(64), True, False)
    open_ended, over = rng.random() < 0.2, rng.random() < 0.5
    if open_ended:
        return Given(0 if over else rng.randint(1, 25), over, 0, False, True)
    lanes = rng.choice((0, 1, 2, 4, 17, 21, 25, rng.randint(1, 25))) if over else 21
    return Given(lanes, over, rng.randrange(64) if lanes else 0, False, False)


def beats(state: int, what: Given, tid: int, lanes: int) -> list[Beat]:
    """Return the beats, `lanes` lanes wide, of this state's share."""
    cut = what.over and what.tail and not what.bad
    bits = LANE * what.lanes - (LANE - what.tail if cut else 0)
    digest, width = state & ((1 << bits) - 1), LANE * lanes
    found = []
    for first in range(0, max(LANE * what.lanes, 1), width):
        here = max(0, min(bits - first, width))
        last = first + width >= LANE * what.lanes
        keep = (1 << -(-here // 8)) - 1
        tail = what.tail % 8 if last and cut else 0
        user = what.open << 4 | tail << 1 | what.bad
        found.append(
            (digest >> first & ((1 << width) - 1), keep, int(last and what.over), tid, user)
        )
    return found


class Bench:
    """Drives and samples in the middle of each clock, so the order of events does not matter."""

    def __init__(self, dut: Any) -> None:
        """Take the ports of `dut`."""
        self.dut = dut
        self.rng = random.Random(cocotb.RANDOM_SEED)
        self.lanes = len(dut.m_tdata_o) // LANE
        self.load = len(dut.state_data_o)
        self.words = -(-1600 // self.load)
        self.slots = len(dut.state_stored_o)
        self.now = 0
        self.stall = 0.0
        self.leave_chance = self.restore_chance = self.error_chance = 0.0
        self.wanted: deque[Beat] = deque()
        self.error: int | None = None  # the tid whose error is pending
        self.on_st: dict[int, int] = {}  # a state by the clock in which it is on st_i
        self.state = [0] * self.slots  # the slot's last one
        self.readable: list[int | None] = [None] * self.slots  # from when on it may be restored
        self.read_until = [0] * self.slots
        self.leave_from = self.restore_from = 0
        self.restored: int | None = None  # the slot of the next clock's restore
        self.due: dict[int, tuple[int, int]] = {}  # words of restored states by clock, their bits
        self.left: list[int] = []  # clocks
        self.beats: list[int] = []
        self.errors = 0

    async def start(self) -> None:
        """Start the clock and reset."""
        for name in ("st_valid_i", "restore_state_i", "tid_error_i", "m_tready_i", "stop_i"):
            getattr(self.dut, name).value = 0
        self.dut.rst_i.value = 1
        Clock(self.dut.clk_i, 2, unit="ns").start()
        for _ in range(3):
            await FallingEdge(self.dut.clk_i)
        self.dut.rst_i.value = 0

    async def clock(self, leave: Given | None = None) -> None:
        """One clock; a state of slot 0 leaves in it if `leave` says what it gives, or any may."""
        await FallingEdge(self.dut.clk_i)
        self.now += 1
        dut, rng = self.dut, self.rng
        self._restore()
        self._leave(leave)
        dut.st_i.value = self.on_st.pop(self.now, rng.getrandbits(1600))
        if self.error is None and rng.random() < self.error_chance:
            self.error = rng.randrange(self.slots, 1 << len(dut.m_tid_o))
        dut.tid_error_i.value = int(self.error is not None)
        dut.tid_error_tid_i.value = self.error or 0
        ready = rng.random() >= self.stall
        dut.m_tready_i.value = int(ready)
        await ReadOnly()
        for slot in range(self.slots):
            if int(dut.state_stored_o.value) >> slot & 1:
                self.readable[slot] = self.now + READABLE
        if self.now in self.due:
            word, bits = self.due.pop(self.now)
            got = int(dut.state_data_o.value) & ((1 << bits) - 1)
            assert got == word, f"clock {self.now}: restored {got:#x}, not {word:#x}"
        if int(dut.m_tvalid_o.value) and ready:
            self._receive()
        if int(dut.tid_error_done_o.value):
            assert self.error is not None, f"clock {self.now}: an error too many"
            self.error = None

    def _restore(self) -> None:
        """Restore a stored state; its slot is driven a clock before."""
        self.dut.restore_state_i.value = int(self.restored is not None)
        if self.restored is not None:
            for i in range(self.words):
                bits = min(self.load, 1600 - i * self.load)
                word = self.state[self.restored] >> i * self.load & ((1 << bits) - 1)
                self.due[self.now + RESTORED + i] = (word, bits)
        self.restored = None
        slot = self.rng.randrange(self.slots)
        self.dut.restore_slot_i.value = slot
        start = self.readable[slot]
        if start is None or self.now < max(start, self.restore_from):
            return
        if self.rng.random() < self.restore_chance:
            self.restored = slot
            self.restore_from = self.now + self.words + 1
            self.read_until[slot] = self.now + self.words + RESTORED + 1

    def _leave(self, leave: Given | None) -> None:
        """Let a state leave, where there is room for it."""
        dut, rng = self.dut, self.rng
        slot = rng.randrange(self.slots) if leave is None else 0
        room = not int(dut.digests_full_o.value) >> slot & 1 and self.now > self.read_until[slot]
        goes = room and self.now >= self.leave_from and rng.random() < self.leave_chance
        if leave is not None:
            assert room
            goes = True
        dut.st_valid_i.value = int(goes)
        dut.st_slot_i.value = slot
        what = leave or given(rng)
        job = rng.random() < 0.7 or leave is not None
        dut.job_fields_i.value = what.packed(gives=job)
        if not goes:
            return
        state = rng.getrandbits(1600)
        self.state[slot] = self.on_st[self.now + DATA_DELAY] = state
        self.readable[slot] = None
        self.leave_from = self.now + self.words + 1
        self.left.append(self.now)
        if job:
            self.wanted.extend(beats(state, what, slot, self.lanes))

    def _receive(self) -> None:
        dut = self.dut
        fields = ("m_tdata_o", "m_tkeep_o", "m_tlast_o", "m_tid_o", "m_tuser_o")
        beat = tuple(int(getattr(dut, name).value) for name in fields)
        self.beats.append(self.now)
        if beat[3] >= self.slots:
            assert (beat[0], beat[1], beat[2], beat[4]) == (0, 0, 1, 1), f"{beat} of an error"
            self.errors += 1
            return
        assert self.wanted, f"clock {self.now}: a beat too many"
        wanted = self.wanted.popleft()
        assert beat == wanted, f"clock {self.now}: {beat}, not {wanted}"

    async def finish(self) -> None:
        """Run until all has come."""
        self.leave_chance = self.restore_chance = self.error_chance = 0.0
        patience = 0
        while self.wanted or self.error is not None or self.restored is not None or self.due:
            before = len(self.wanted)
            await self.clock()
            patience = 0 if len(self.wanted) < before else patience + 1
            assert patience < 2000, f"clock {self.now}: hangs"
        for _ in range(60):
            await self.clock()
        assert not self.wanted


async def new_bench(dut: Any) -> Bench:
    """Return a bench, its design reset."""
    bench = Bench(dut)
    await bench.start()
    return bench


@cocotb.test()
async def one_state(dut: Any) -> None:
    """The first beat comes `LATENCY` clocks later, and one a clock from there on."""
    bench = await new_bench(dut)
    for lanes in (4, 25, 1, 0):
        bench.beats.clear()
        for _ in range(40):
            await bench.clock()
        await bench.clock(Given(lanes, True, 0, False, False))
        await bench.finish()
        count = max(1, -(-lanes // bench.lanes))
        first = bench.left[-1] + LATENCY
        assert bench.beats == list(range(first, first + count)), f"{bench.left}: {bench.beats}"


@cocotb.test()
async def traffic(dut: Any) -> None:
    """States of all slots, as often as they may or seldom, stalls, restores, and errors."""
    bench = await new_bench(dut)
    for leave, stall, restore, error in (
        (1.0, 0.0, 0.0, 0.0),
        (1.0, 0.0, 0.5, 0.1),
        (0.2, 0.5, 0.2, 0.01),
        (1.0, 0.9, 0.1, 0.5),
        (0.02, 0.1, 1.0, 0.2),
    ):
        target, errors = len(bench.left) + STATES, bench.errors
        while len(bench.left) < target:
            bench.leave_chance, bench.stall = leave, stall
            bench.restore_chance, bench.error_chance = restore, error
            await bench.clock()
        await bench.finish()
        assert (bench.errors > errors) == (error > 0)
