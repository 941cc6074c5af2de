"""Beats into hf_axis_narrow, their parts out: every shape of tkeep, against a model of a few lines.

Runs inside the simulator; `test_array.py` starts it.
"""

import itertools
import os
import random
from collections import deque
from typing import Any, NamedTuple

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from tests.support.keeps import is_wrong, random_keep

WIDTH = int(os.environ["HF_WIDTH"]) // 8
PARTS = int(os.environ["HF_PARTS"])
DEPTH = int(os.environ["HF_DEPTH"])
FULL = (1 << WIDTH) - 1


class Beat(NamedTuple):
    """What goes in."""

    data: int
    keep: int
    last: bool
    user: int


class Part(NamedTuple):
    """What comes out; `end` says that it is its beat's last."""

    data: int
    keep: int
    last: bool
    user: int
    end: bool


def keeps(beat: Beat) -> list[int]:
    """Return the tkeep of each part of a beat."""
    return [beat.keep >> WIDTH * i & FULL for i in range(PARTS)]


def cut(beat: Beat) -> list[Part]:
    """Return the parts that must come out."""
    kept = keeps(beat)
    while beat.last and len(kept) > 1 and not kept[-1]:
        kept.pop()
    ends = [i == len(kept) - 1 for i in range(len(kept))]
    mask = (1 << 8 * WIDTH) - 1
    return [
        Part(beat.data >> 8 * WIDTH * i & mask, kept[i], beat.last and end, beat.user, end)
        for i, end in enumerate(ends)
    ]


def random_beat(rng: random.Random) -> Beat:
    """Return a beat of any shape."""
    bits = 8 * WIDTH * PARTS
    keep = random_keep(rng, WIDTH, PARTS)
    return Beat(rng.getrandbits(bits), keep, rng.random() < 0.5, rng.getrandbits(56))


class Bench:
    """Sends while there is room, receives with stalls, compares."""

    def __init__(self, dut: Any) -> None:
        """Take the ports of `dut`."""
        self.dut = dut
        self.rng = random.Random(cocotb.RANDOM_SEED)
        self.wanted: deque[Part] = deque()
        self.inside = 0
        self.now = 0
        self.taken: list[int] = []
        self.held: Part | None = None

    async def start(self) -> None:
        """Start the clock and reset."""
        Clock(self.dut.clk_i, 2, unit="ns").start()
        self.dut.s_valid_i.value = 0
        self.dut.m_ready_i.value = 0
        self.dut.rst_i.value = 1
        for _ in range(3):
            await FallingEdge(self.dut.clk_i)
        self.dut.rst_i.value = 0

    async def clock(self, beat: Beat | None, ready: bool) -> None:
        """One clock in which `beat` goes in."""
        dut = self.dut
        await FallingEdge(dut.clk_i)
        self.now += 1
        dut.m_ready_i.value = int(ready)
        dut.s_valid_i.value = int(beat is not None)
        shown = beat or random_beat(self.rng)
        dut.s_data_i.value = shown.data
        dut.s_keep_i.value = shown.keep
        dut.s_some_i.value = sum(bool(kept) << i for i, kept in enumerate(keeps(shown)))
        dut.s_last_i.value = int(shown.last)
        dut.s_user_i.value = shown.user
        if beat is not None:
            self.wanted.extend(cut(beat))
            self.inside += 1
        await ReadOnly()
        if not int(dut.m_valid_o.value):
            assert self.held is None, f"clock {self.now}: m_valid fell"
            return
        got = Part(
            *(int(dut.m_data_o.value), int(dut.m_keep_o.value), bool(int(dut.m_last_o.value))),
            *(int(dut.m_user_o.value), bool(int(dut.m_end_o.value))),
        )
        assert self.held in (None, got), f"clock {self.now}: the part on offer changed"
        self.held = None if ready else got
        if ready:
            assert self.wanted, f"clock {self.now}: a part too many"
            wanted = self.wanted.popleft()
            assert got == wanted, f"clock {self.now}: {got}, not {wanted}"
            self.taken.append(self.now)
            self.inside -= got.end

    async def traffic(self, beats: list[Beat], stall_in: float, stall_out: float) -> None:
        """Send these, and wait until all is out."""
        waiting = deque(beats)
        deadline = self.now + 200 + 40 * PARTS * len(beats)
        while waiting or self.wanted:
            assert self.now < deadline, "hangs"
            goes = waiting and self.inside < DEPTH - 1 and self.rng.random() >= stall_in
            await self.clock(waiting.popleft() if goes else None, self.rng.random() >= stall_out)
        for _ in range(20):
            await self.clock(None, True)


async def new_bench(dut: Any) -> Bench:
    """Return a bench, its design reset."""
    bench = Bench(dut)
    await bench.start()
    return bench


@cocotb.test()
async def random_beats(dut: Any) -> None:
    """Beats of every shape; a beat is as wrong in parts as it was whole."""
    bench = await new_bench(dut)
    seen = set()
    for stall_in, stall_out in ((0, 0), (0.9, 0), (0.5, 0.5), (0, 0.9), (0, 0.1)):
        beats = [random_beat(bench.rng) for _ in range(200)]
        for beat in beats:
            whole = is_wrong(beat.keep, beat.last, (1 << PARTS * WIDTH) - 1)
            assert whole == any(is_wrong(part.keep, part.last, FULL) for part in cut(beat))
            seen.add(whole)
        await bench.traffic(beats, stall_in, stall_out)
    assert seen == {False, True}


@cocotb.test()
async def clocks(dut: Any) -> None:
    """The schedule in the module's header."""
    bench = await new_bench(dut)
    for count in range(1, PARTS + 1):
        beat = Beat(bench.rng.getrandbits(8 * WIDTH * PARTS), (1 << count * WIDTH) - 1, True, 0)
        for _ in range(20):
            await bench.clock(None, True)
        start, bench.taken = bench.now + 1, []
        await bench.traffic([beat] * 20, 0, 0)
        assert bench.taken[0] - start == 4
        if DEPTH < 4:
            continue  # the sender waits
        steps = [b - a for a, b in itertools.pairwise(bench.taken)]
        assert steps == ([1] * (count - 1) + [1 if count > 1 else 2]) * 19 + [1] * (count - 1)
