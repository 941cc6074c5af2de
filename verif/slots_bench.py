"""Random AXI4-Stream traffic in all slots of a stream top at once: beats of many tids interleaved.

Runs inside the simulator; `test_slots.py` starts it. Beats go in and results come out in any order
of slots; within a slot both are in order. Messages, faults and oracles are `stream_bench`'s.
"""

import os
import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from hashfabric import functions
from stream_bench import FAULTS, SLOTS, Beat, Message, Result, plain, random_message, shown, spoil

PERIOD_NS = 2
PATIENCE = 20_000
"""Clocks without a beat on either side after which the design hangs."""
PROMPT = 2
"""Clocks that a beat of a slot with room may wait, for suffixes of messages before it."""
PER_BLOCK = float(os.environ.get("HF_CLOCKS_PER_BLOCK", "24"))
PERIOD = round(SLOTS * PER_BLOCK)
"""Clocks from a block of a slot to its next."""


@dataclass
class Lane:
    """What one tid is to send and to receive."""

    beats: deque[tuple[Beat, bool]] = field(default_factory=deque)  # and whether it is the last
    wanted: deque[tuple[Result, str]] = field(default_factory=deque)
    data: bytearray = field(default_factory=bytearray)
    finished: list[int] = field(default_factory=list)  # the clock of each result's last beat


class Bench:
    """Drives and samples in the middle of each clock, so the order of events does not matter."""

    def __init__(self, dut: Any) -> None:
        """Take the ports of `dut`."""
        self.dut = dut
        self.rng = random.Random(cocotb.RANDOM_SEED)
        self.width = len(dut.s_axis_tkeep)
        self.tids = 1 << len(dut.s_axis_tid)
        self.lanes = [Lane() for _ in range(self.tids)]
        self.now = 0
        self.stall_in = 0.0
        self.stall_out = 0.0
        self.blind = False
        """Offer beats of slots that have no room too."""
        self.in_turn = False
        """Slots take turns; else the next beat is any slot's."""
        self._offered: int | None = None
        self._held: tuple[int, ...] | None = None
        self._idle = 0
        self._turn = -1  # the slot of the last beat
        self._waits = 0  # clocks that the beat on offer has not been taken
        self._strays = False  # an error of no slot may hold up the port

    async def start(self) -> None:
        """Start the clock and reset."""
        self.dut.m_axis_tready.value = 0
        self.dut.rst_i.value = 1
        Clock(self.dut.clk_i, PERIOD_NS, unit="ns").start()
        await self.reset()

    async def reset(self) -> None:
        """Reset, for a clock or a few; what was on its way is forgotten."""
        await FallingEdge(self.dut.clk_i)
        self.dut.s_axis_tvalid.value = 0
        self.dut.rst_i.value = 1
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            await FallingEdge(self.dut.clk_i)
        self.dut.rst_i.value = 0
        self.lanes = [Lane() for _ in self.lanes]
        self._offered = self._held = None

    def send(self, message: Message, fault: str | None = None) -> bool:
        """Queue a message, with `fault` in it if that can be; return whether it is queued."""
        beats = message.beats(self.width, self.rng, junk=self.rng.random() < 0.5)
        name = f"{message.function.name} of {message.bits} bits to {message.output_bits}"
        wanted = None
        if fault is not None:
            spoilt = spoil(beats, fault, self.rng, self.tids)
            if spoilt is None:
                return False
            beats, name = spoilt, f"{name} with fault {fault}"
            wanted = Result(beats[0].tid, b"", 0, True)
        lane = self.lanes[beats[0].tid]
        lane.beats.extend((beat, i == len(beats) - 1) for i, beat in enumerate(beats))
        lane.wanted.append((wanted or message.result(), name))
        return True

    async def finish(self) -> None:
        """Run until every result has come, and a while longer."""
        while any(lane.wanted for lane in self.lanes):
            await self.clock()
        for _ in range(300):
            await self.clock()

    async def clock(self) -> None:
        """One clock."""
        await FallingEdge(self.dut.clk_i)
        self.now += 1
        self._idle += 1
        assert self._idle < PATIENCE, f"clock {self.now}: hangs"
        if self._offered is None:
            self._offer()
        self.dut.m_axis_tready.value = int(self.rng.random() >= self.stall_out)
        await ReadOnly()
        if self._offered is not None:
            if int(self.dut.s_axis_tready.value):
                self.lanes[self._offered].beats.popleft()
                self._offered = None
                self._idle = 0
            else:
                self._waits += 1
                prompt = self._waits <= PROMPT or self.blind or self._strays
                where = f"clock {self.now}, tid {self._offered}"
                assert prompt, f"{where}: no room for a beat of a slot that said it had"
        self._receive()

    def _offer(self) -> None:
        """Offer a beat of any slot, or none."""
        room = int(self.dut.s_axis_room.value)
        choice = [
            tid
            for tid, lane in enumerate(self.lanes)
            if lane.beats and (self.blind or tid >= SLOTS or room >> tid & 1)
        ]
        if not choice or self.rng.random() < self.stall_in:
            self.dut.s_axis_tvalid.value = 0
            return
        if self.in_turn:
            after = [tid for tid in choice if tid > self._turn]
            self._turn = min(after or choice)
        else:
            self._turn = self.rng.choice(choice)
        self._offered = self._turn
        self._waits = 0
        self._strays |= self._offered >= SLOTS
        beat, last = self.lanes[self._offered].beats[0]
        dut = self.dut
        dut.s_axis_tvalid.value = 1
        dut.s_axis_tdata.value = int.from_bytes(beat.data, "little")
        dut.s_axis_tkeep.value = sum(kept << i for i, kept in enumerate(beat.keep))
        dut.s_axis_tlast.value = int(last)
        dut.s_axis_tid.value = beat.tid
        dut.s_axis_tuser.value = beat.tuser

    def _receive(self) -> None:
        dut = self.dut
        valid = int(dut.m_axis_tvalid.value)
        fields = ("tdata", "tkeep", "tlast", "tid", "tuser")
        beat = (
            tuple(int(getattr(dut, f"m_axis_{name}").value) for name in fields) if valid else None
        )
        if self._held is not None:
            assert beat == self._held, f"clock {self.now}: m_axis changed before m_axis_tready"
        self._held = beat if not int(dut.m_axis_tready.value) else None
        if beat is None or self._held is not None:
            return
        self._idle = 0
        data, keep, last, tid, user = beat
        lane = self.lanes[tid]
        where = f"clock {self.now}, tid {tid}"
        assert lane.wanted, f"{where}: a result too many"
        count = keep.bit_count()
        assert keep == (1 << count) - 1, f"{where}: hole in m_axis_tkeep"
        assert data >> 8 * count == 0, f"{where}: something in the bytes beyond the digest"
        lane.data += data.to_bytes(self.width, "little")[:count]
        if not last:
            assert not user, f"{where}: m_axis_tuser before the end"
            return
        wanted, name = lane.wanted.popleft()
        got = Result(tid, bytes(lane.data), user >> 1, bool(user & 1))
        assert got == wanted, f"{where}, {name}: {shown(got)}, not {shown(wanted)}"
        lane.data.clear()
        lane.finished.append(self.now)


async def new_bench(dut: Any) -> Bench:
    """Return a bench, its design reset."""
    bench = Bench(dut)
    await bench.start()
    return bench


def fill(bench: Bench, count: int, faults: Sequence[str] = ()) -> None:
    """Queue `count` random messages, each in a random slot; with `faults`, half of them wrong."""
    queued = 0
    while queued < count:
        message = replace(random_message(bench.rng), tid=bench.rng.randrange(SLOTS))
        fault = bench.rng.choice(faults) if faults and bench.rng.random() < 0.5 else None
        queued += bench.send(message, fault)


@cocotb.test()
async def one_message(dut: Any) -> None:
    """SHA3-256 of nothing in every slot, one after the other, to begin with."""
    bench = await new_bench(dut)
    for slot in range(SLOTS):
        bench.send(replace(plain("sha3-256", b""), tid=slot))
        await bench.finish()


@cocotb.test()
async def block_boundaries(dut: Any) -> None:
    """Every number of bits around a block's end, and output of as many bits."""
    bench = await new_bench(dut)
    for name, around in (("sha3-512", 576), ("shake128", 1344), ("keccak-256", 1088)):
        for bits in (*range(12), *range(around - 12, around + 10), 2 * around - 2, 2 * around):
            data = bytearray(bench.rng.randbytes(-(-bits // 8)))
            if bits % 8:
                data[-1] &= (1 << bits % 8) - 1
            message = plain(name, bytes(data), bits, output_bits=bits)
            bench.send(replace(message, tid=bench.rng.randrange(SLOTS)))
    await bench.finish()


@cocotb.test()
async def mixed_load(dut: Any) -> None:
    """A thousand random messages over all slots, from no stalls to long ones on both sides."""
    bench = await new_bench(dut)
    count = int(os.environ.get("HF_MESSAGES", "1000"))
    settings = ((0, 0, False), (0.5, 0, False), (0, 0.8, False), (0.9, 0.3, True), (0.2, 0.9, True))
    for bench.stall_in, bench.stall_out, bench.blind in settings:
        fill(bench, count // len(settings))
        await bench.finish()


@cocotb.test()
async def faults(dut: Any) -> None:
    """Wrong messages among right ones: one error each, and nothing else is touched."""
    bench = await new_bench(dut)
    kinds = [fault for fault in FAULTS if fault != "tid-changes"]  # is another message here
    for bench.stall_in, bench.stall_out, bench.blind in ((0, 0, False), (0.4, 0.5, True)):
        fill(bench, int(os.environ.get("HF_MESSAGES", "1000")) // 5, kinds)
        await bench.finish()


@cocotb.test()
async def digests_wait(dut: Any) -> None:
    """Finished digests wait while the port stands still, in one slot and in all, and none is lost.

    The messages behind them have long been sent, and each is ready to take the place of a digest.
    """
    bench = await new_bench(dut)
    rate = functions.find("shake128").rate_bits
    short, long = plain("sha3-256", b"one"), plain("sha3-256", bytes(200))
    much = plain("shake128", b"much", output_bits=3 * rate + 5)
    for slots in ([SLOTS - 1], range(SLOTS)):
        for messages in ([short], [much], [long, short, much]):
            for stall in (0.0, 0.97):
                for slot in slots:
                    for i in range(8):
                        bench.send(replace(messages[i % len(messages)], tid=slot))
                bench.stall_out = 1.0
                for _ in range(9 * PERIOD):
                    await bench.clock()
                bench.stall_out = stall
                await bench.finish()


@cocotb.test()
async def clocks_at_full_slots(dut: Any) -> None:
    """A long message in every slot: the registry's clocks a block, all slots together.

    `hf_keccak_slots` promises them from some width on; a narrower port takes longer, within reason.
    """
    bench = await new_bench(dut)
    promised = 8 * bench.width >= 128 * SLOTS * 24 / PERIOD
    few, many = 10, 160
    expected = (many - few) * PERIOD
    for bench.in_turn in (True, False):
        took = {}
        for blocks in (few, many):
            start = bench.now
            for slot in range(SLOTS):
                data = bench.rng.randbytes(136 * blocks - 1)
                bench.send(replace(plain("sha3-256", data), tid=slot))
            while any(lane.wanted for lane in bench.lanes):
                await bench.clock()
            took[blocks] = bench.now - start
        measured = took[many] - took[few]
        # Slots that begin in any order may push each other out a few times until all have a place.
        slack = 1 if bench.in_turn else 4
        longest = expected + slack * PERIOD if promised else 2 * expected
        shortest = expected - slack * PERIOD
        assert shortest <= measured <= longest, f"{took}: {measured} clocks, not {expected}"


@cocotb.test()
async def short_beside_long(dut: Any) -> None:
    """Short messages finish on time beside long ones in all other slots, one after the other."""
    bench = await new_bench(dut)
    for slot in range(1, SLOTS):
        for _ in range(2):
            bench.send(replace(plain("sha3-256", bench.rng.randbytes(136 * 60)), tid=slot))
    for _ in range(200):
        await bench.clock()
    for _ in range(20):
        start = bench.now
        bench.send(replace(plain("sha3-256", b"short"), tid=0))
        while bench.lanes[0].wanted:
            await bench.clock()
        waited = bench.now - start
        assert waited < 5 * PERIOD, f"a short message took {waited} clocks beside long ones"
    await bench.finish()


@cocotb.test()
async def reset_at_any_time(dut: Any) -> None:
    """Reset in the middle of traffic: nothing of it comes out after, and the next is right."""
    bench = await new_bench(dut)
    for clocks in range(1, 260, 9):
        fill(bench, 3 * SLOTS)
        for _ in range(clocks):
            await bench.clock()
        await bench.reset()
        fill(bench, SLOTS)
        await bench.finish()
