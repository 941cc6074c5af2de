"""Random AXI4-Stream traffic in all slots of a stream top at once: beats of many tids interleaved.

Runs inside the simulator; `test_slots.py` starts it. Beats go in and results come out in any order
of slots; within a slot both are in order. Messages, faults and oracles are `stream_bench`'s.
"""

import os
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from hashfabric.models import functions
from tests.rtl.front.stream_bench import (
    FAULTS,
    OTHERS,
    SLOTS,
    UNTIL_STOPPED,
    Beat,
    Message,
    Result,
    golden,
    is_open,
    plain,
    random_message,
    shown,
    spoil,
    started,
)

PERIOD_NS = 2
MESSAGES = int(os.environ.get("HF_MESSAGES", "1000"))
IN_SHORT = MESSAGES < 500
"""Of what is done with and without stalls, in one slot and in all, once is enough."""
PATIENCE = 20_000
"""Clocks without a beat on either side after which the design hangs."""
PROMPT = 1
"""Clocks that a beat of a slot with room may wait, for the suffix of a message before it."""
OUTPUT_WIDTH = int(os.environ.get("HF_CORE_WIDTH", "0"))
"""Bits of an output beat in use; 0: all of the port."""
PER_BLOCK = float(os.environ.get("HF_CLOCKS_PER_BLOCK", "24"))
PERIOD = round(SLOTS * PER_BLOCK)
"""Clocks from a block of a slot to its next."""
STOPPING = 3 * PERIOD
"""Clocks from a stop to the output's end, the port free; docs/engines/keccak-pipelined.md."""


@dataclass(frozen=True)
class Due:
    """A result that is to come, of what; `open`: the message, if its output runs until stopped."""

    result: Result
    name: str
    open: Message | None = None


@dataclass
class Lane:
    """What one tid is to send and to receive."""

    beats: deque[tuple[Beat, bool]] = field(default_factory=deque)  # and whether it is the last
    wanted: deque[Due] = field(default_factory=deque)
    data: bytearray = field(default_factory=bytearray)
    running: bool = False  # a beat of an open output has been taken, its last one not
    stopped: int | None = None  # the clock in which that was stopped
    holds: bool = False  # the request is held until the last beat
    beats_out: int = 0
    beats_in: int = 0
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
        self._ready = False  # the port has been since the reset, which goes on inside
        self.hostile: Callable[[], tuple[Beat, bool] | None] | None = None
        """Gives beats for a sender that has every other turn: of no slot, or of one with room."""
        self._hostile_turn = False
        self.hostile_beats = 0
        self.stalls: Callable[[int], bool] | None = None
        """Whether the receiver refuses a beat of this tid in this clock."""
        self.stop_chance = 0.0
        """In each clock for each slot: that a stop is requested, whether something runs or not."""
        self.stopping: list[int] = []
        """Clocks that each stop took to the output's end."""

    async def start(self) -> None:
        """Start the clock and reset."""
        self.dut.m_axis_tready.value = 0
        self.dut.rst_i.value = 1
        Clock(self.dut.clk_i, PERIOD_NS, unit="ns").start()
        await self.reset()

    async def reset(self) -> None:
        """Reset, for a clock or a few; what was on its way is dropped."""
        await FallingEdge(self.dut.clk_i)
        self.dut.s_axis_tvalid.value = 0
        self.dut.rst_i.value = 1
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            await FallingEdge(self.dut.clk_i)
        self.dut.rst_i.value = 0
        self.lanes = [Lane() for _ in self.lanes]
        self._offered = self._held = None
        self._ready = False
        self.dut.m_axis_stop.value = 0
        if hasattr(self.dut, "seed_valid_i"):
            await started(self.dut)

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
        if wanted is None and is_open(message):
            lane.wanted.append(Due(Result(message.tid, b"", 0, False), name, message))
        else:
            lane.wanted.append(Due(wanted or message.result(), name))
        return True

    async def finish(self) -> None:
        """Run until every result has come, and a while longer."""
        while any(lane.wanted for lane in self.lanes):
            await self.clock()
            endless = any(lane.running and lane.stopped is None for lane in self.lanes)
            assert self.stop_chance or not endless, f"clock {self.now}: this output is not stopped"
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
        ready = self.rng.random() >= self.stall_out
        if ready and self.stalls is not None and int(self.dut.m_axis_tvalid.value):
            ready = not self.stalls(int(self.dut.m_axis_tid.value))
        self.dut.m_axis_tready.value = int(ready)
        self._stop()
        await ReadOnly()
        self._ready |= bool(int(self.dut.s_axis_tready.value))
        if self._offered is not None:
            if int(self.dut.s_axis_tready.value):
                if self._hostile_turn:
                    self.hostile_beats += 1
                else:
                    self.lanes[self._offered].beats.popleft()
                    self.lanes[self._offered].beats_in += 1
                self._offered = None
                self._idle = 0
            else:
                self._waits += 1
                prompt = self._waits <= PROMPT or self.blind or not self._ready
                where = f"clock {self.now}, tid {self._offered}"
                assert prompt, f"{where}: no room for a beat of a slot that said it had"
        self._receive()

    def _stop(self) -> None:
        """Request stops, of what runs and of what does not, for a clock or until the end."""
        request = 0
        late = [lane.stopped for lane in self.lanes if lane.stopped is not None]
        assert self.now - min(late, default=self.now) < PATIENCE, f"clock {self.now}: runs on"
        for tid, lane in enumerate(self.lanes[:SLOTS]):
            if not lane.holds and self.rng.random() < self.stop_chance:
                request |= 1 << tid
                lane.holds = lane.running and self.rng.random() < 0.5
            request |= lane.holds << tid
            if request >> tid & 1 and lane.running and lane.stopped is None:
                lane.stopped = self.now
        self.dut.m_axis_stop.value = request

    def _offer(self) -> None:
        """Offer a beat of any slot, or none."""
        room = int(self.dut.s_axis_room.value)
        self._hostile_turn = self.hostile is not None and not self._hostile_turn
        if self._hostile_turn and self.hostile is not None:
            wrong = self.hostile()
            tid = None if wrong is None else wrong[0].tid
            if wrong is not None and tid is not None and (tid >= SLOTS or room >> tid & 1):
                self._put(*wrong)
                return
            self._hostile_turn = False
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
        self._put(*self.lanes[self._turn].beats[0])

    def _put(self, beat: Beat, last: bool) -> None:
        self._offered = beat.tid
        self._waits = 0
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
        lane.beats_out += 1
        where = f"clock {self.now}, tid {tid}"
        if self.hostile is not None and not lane.wanted:
            return  # what its wrong messages give
        assert lane.wanted, f"{where}: a result too many"
        due = lane.wanted[0]
        assert user >> 4 == (due.open is not None), f"{where}, {due.name}: m_axis_tuser {user:#x}"
        user &= 15
        lane.running = due.open is not None and not last
        count = keep.bit_count()
        assert keep == (1 << count) - 1, f"{where}: hole in m_axis_tkeep"
        assert data >> 8 * count == 0, f"{where}: something in the bytes beyond the digest"
        lane.data += data.to_bytes(self.width, "little")[:count]
        if not last:
            assert not user, f"{where}: m_axis_tuser before the end"
            return
        lane.wanted.popleft()
        wanted, got = due.result, Result(tid, bytes(lane.data), user >> 1, bool(user & 1))
        if due.open is not None:
            assert lane.stopped is not None, f"{where}, {due.name}: ends without a stop"
            assert count == 0, f"{where}, {due.name}: bytes in its last beat"
            wanted = replace(wanted, data=prefix(due.open, len(got.data)))
            self.stopping.append(self.now - lane.stopped)
            lane.stopped, lane.holds = None, False
        assert got == wanted, f"{where}, {due.name}: {shown(got)}, not {shown(wanted)}"
        lane.data.clear()
        lane.finished.append(self.now)


def prefix(message: Message, count: int) -> bytes:
    """Return the first `count` bytes of the output."""
    return golden(message.function, message.data, message.bits, 8 * count)


async def new_bench(dut: Any) -> Bench:
    """Return a bench, its design reset."""
    bench = Bench(dut)
    await bench.start()
    return bench


def fill(bench: Bench, count: int, faults: Sequence[str] = (), *, open_share: float = 0.0) -> None:
    """Queue `count` random messages, each in a random slot; with `faults`, half of them wrong.

    Of those with any output length, `open_share` run until they are stopped.
    """
    queued = 0
    while queued < count:
        message = replace(random_message(bench.rng), tid=bench.rng.randrange(SLOTS))
        if message.function.xof and bench.rng.random() < open_share:
            message = replace(message, output_bits=UNTIL_STOPPED)
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
    """Every number of bits around a block's end, output of as many bits, and many blocks."""
    bench = await new_bench(dut)
    for name, around in (("sha3-512", 576), ("shake128", 1344), ("keccak-256", 1088)):
        for bits in (*range(12), *range(around - 12, around + 10), 2 * around - 2, 2 * around):
            data = bytearray(bench.rng.randbytes(-(-bits // 8)))
            if bits % 8:
                data[-1] &= (1 << bits % 8) - 1
            message = plain(name, bytes(data), bits, output_bits=bits)
            bench.send(replace(message, tid=bench.rng.randrange(SLOTS)))
    # Of a port of eight lanes, blocks of one message begin in each of a beat's lanes.
    for name, rate in (("sha3-224", 1152), ("sha3-256", 1088), ("sha3-384", 832)):
        message = plain(name, bench.rng.randbytes(9 * rate // 8))
        bench.send(replace(message, tid=bench.rng.randrange(SLOTS)))
    await bench.finish()


@cocotb.test()
async def mixed_load(dut: Any) -> None:
    """A thousand random messages over all slots, from no stalls to long ones on both sides."""
    bench = await new_bench(dut)
    count = MESSAGES
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
        fill(bench, MESSAGES // 5, kinds)
        await bench.finish()


@cocotb.test()
async def digests_wait(dut: Any) -> None:
    """Finished digests wait while the port stands still, in one slot and in all, and none is lost.

    The messages after them have long been sent, and each is ready to take the place of a digest.
    """
    bench = await new_bench(dut)
    rate = functions.find("shake128").rate_bits
    short, long = plain("sha3-256", b"one"), plain("sha3-256", bytes(200))
    much = plain("shake128", b"much", output_bits=3 * rate + 5)
    for slots in ([SLOTS - 1], range(SLOTS))[IN_SHORT:]:
        for messages in ([short], [much], [long, short, much])[2 * IN_SHORT :]:
            for stall in (0.0, 0.97):
                for slot in slots:
                    for i in range(8):
                        bench.send(replace(messages[i % len(messages)], tid=slot))
                bench.stall_out = 1.0
                for _ in range(9 * PERIOD):
                    await bench.clock()
                bench.stall_out = stall
                await bench.finish()


async def clocks_of_long(bench: Bench, *names: str) -> tuple[int, str]:
    """Return the clocks of 150 blocks in every slot, of functions with a rate of 136 bytes.

    Slots take turns in using `names`; TurboSHAKE has two blocks in the time of one. Also what was
    measured.
    """
    few, many = 10, 160
    took = {}
    for blocks in (few, many):
        start = bench.now
        for slot in range(SLOTS):
            name = names[slot % len(names)]
            count = blocks * functions.find("sha3-256").rounds // functions.find(name).rounds
            data = bench.rng.randbytes(136 * count - 1)
            bench.send(replace(plain(name, data, output_bits=256), tid=slot))
        while any(lane.wanted for lane in bench.lanes):
            await bench.clock()
        took[blocks] = bench.now - start
    return took[many] - took[few], f"{names}: {took}"


async def at_full_slots(bench: Bench, promised: bool, *names: str) -> None:
    """Assert the clocks of long messages in every slot, whether these take turns or not."""
    expected = 150 * PERIOD
    for bench.in_turn in (True, False):
        measured, took = await clocks_of_long(bench, *names)
        # Slots that begin in any order may push each other out a few times until all have a place.
        slack = 1 if bench.in_turn else 4
        longest = expected + slack * PERIOD if promised else 2 * expected
        shortest = expected - slack * PERIOD
        assert shortest <= measured <= longest, f"{took}: {measured} clocks, not {expected}"


@cocotb.test()
async def clocks_at_full_slots(dut: Any) -> None:
    """A long message in every slot: the registry's clocks a block, all slots together.

    `hf_keccak_slots` promises them from some width on; a narrower port takes longer, within reason.
    """
    bench = await new_bench(dut)
    await at_full_slots(bench, 8 * bench.width >= 64 * SLOTS * 24 / PERIOD, "sha3-256")


@cocotb.test(skip=not OTHERS)
async def clocks_of_twelve_rounds(dut: Any) -> None:
    """TurboSHAKE takes half the clocks a block, also in some slots beside SHA-3 in the others."""
    bench = await new_bench(dut)
    promised = 8 * bench.width >= 128 * SLOTS * 24 / PERIOD
    await at_full_slots(bench, promised, "turboshake256")
    await at_full_slots(bench, promised, "sha3-256", "turboshake256")
    await at_full_slots(bench, promised, "turboshake256", "sha3-256", "turboshake256")


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


@cocotb.test()
async def longest_outputs(dut: Any) -> None:
    """The longest output lengths begin as any other: two blocks of each, and no error."""
    bench = await new_bench(dut)
    bytes_wanted = 2 * functions.find("shake128").rate_bits // 8
    for below in (65, 64, 63, 2, 3):
        for slot in range(SLOTS):
            message = plain("shake128", bytes([slot]), output_bits=2**40 - below)
            lane = bench.lanes[slot]
            beats = message.beats(bench.width, bench.rng, junk=False)
            lane.beats.extend((replace(beat, tid=slot), True) for beat in beats)
            lane.wanted.append(Due(Result(slot, b"", 0, False), f"2^40 - {below} bits"))
        # A narrow port takes longer for two blocks of each than the slots do.
        for _ in range(5 * PERIOD + 2 * SLOTS * bytes_wanted // bench.width):
            await bench.clock()
        for slot in range(SLOTS):
            message, data = plain("shake128", bytes([slot])), bytes(bench.lanes[slot].data)
            assert len(data) >= bytes_wanted, f"2^40 - {below} bits: {len(data)} bytes came"
            assert data == prefix(message, len(data)), f"2^40 - {below} bits: wrong from the start"
        await bench.reset()


@cocotb.test()
async def stops(dut: Any) -> None:
    """Outputs that run until they are stopped, among others, with requests at any time.

    Every one is right as far as it goes, ends only by a stop and soon, and what follows is right.
    """
    bench = await new_bench(dut)
    count = MESSAGES // 4
    settings = ((0, 0, False), (0.5, 0, False), (0, 0.8, False), (0.2, 0.9, True))
    for bench.stall_in, bench.stall_out, bench.blind in settings:
        for bench.stop_chance in (0.3, 0.01):
            fill(bench, count // 4, open_share=0.7)
            await bench.finish()
    assert bench.stopping, "nothing was stopped"


@cocotb.test()
async def stops_are_prompt(dut: Any) -> None:
    """A stopped output ends within `STOPPING` clocks, beside the digests before it at the port."""
    bench = await new_bench(dut)
    words = -(-functions.find("shake128").rate_bits // (OUTPUT_WIDTH or 8 * bench.width))
    for squeezing in (1, SLOTS):
        bench.stopping.clear()
        for _ in range(12):
            for slot in range(squeezing):
                for name in ("shake128", "sha3-256"):  # one more message after it
                    message = plain(name, b"until stopped", output_bits=UNTIL_STOPPED)
                    bench.send(replace(message, tid=slot))
            for _ in range(3 * PERIOD + bench.rng.randrange(PERIOD)):
                await bench.clock()
            # Many slots wait longer: each loads two blocks, all through one port.
            for _ in range(4 * squeezing * words):
                if all(lane.running for lane in bench.lanes[:squeezing]):
                    break
                await bench.clock()
            else:
                raise AssertionError("an output starves")
            bench.stop_chance = 1.0
            await bench.clock()
            bench.stop_chance = 0.0
            await bench.finish()
        assert len(bench.stopping) == 12 * squeezing
        longest = STOPPING + 2 * squeezing * words + 32
        assert max(bench.stopping) <= longest, f"{max(bench.stopping)} clocks, not {longest}"


def one_beat_of_invalid_tid(bench: Bench) -> Callable[[], tuple[Beat, bool] | None]:
    """Return a sender of messages of one beat for tids that name no slot."""

    def beat() -> tuple[Beat, bool]:
        tid = bench.rng.randrange(SLOTS, bench.tids)
        return Beat(bench.rng.randbytes(bench.width), (1,) * bench.width, tid, 0), True

    return beat


def wrong_in_every_beat(bench: Bench) -> Callable[[], tuple[Beat, bool] | None]:
    """Return a sender of messages for the last slot with a hole in every beat, of any length."""

    def beat() -> tuple[Beat, bool]:
        keep = (1, 0) * (bench.width // 2)
        return Beat(
            bytes(bench.width), keep, SLOTS - 1, bench.rng.getrandbits(5)
        ), bench.rng.random() < 0.3

    return beat


async def honest_beats(bench: Bench, hostile: str | None, stalls: str) -> list[int]:
    """Return the beats that each honest slot gave or took in a while beside a hostile sender.

    All slots but two squeeze long outputs, one sends messages, the last one is the hostile one's.
    """
    bench.hostile = bench.stalls = None
    await bench.reset()
    bench.rng = random.Random(cocotb.RANDOM_SEED)
    bench.hostile_beats = 0
    bench.stall_out = 0.0
    senders = {"invalid tids": one_beat_of_invalid_tid, "wrong": wrong_in_every_beat}
    bench.hostile = None if hostile is None else senders[hostile](bench)
    sender = SLOTS - 2
    for slot in range(SLOTS - 2):
        bench.send(replace(plain("shake128", b"much", output_bits=UNTIL_STOPPED), tid=slot))
    if stalls == "often":
        bench.stall_out = 5 / 6
    else:  # for thousands of clocks, once a beat of the first slot has come
        until = 0

        def stall(tid: int) -> bool:
            nonlocal until
            if tid == 0 and bench.now >= until + 1500:
                until = bench.now + 2500
            return bench.now < until

        bench.stalls = stall
    bench.in_turn = True
    for _ in range(max(400 * PERIOD, 40_000)):
        if len(bench.lanes[sender].beats) < 100:
            bench.send(replace(plain("sha3-256", bench.rng.randbytes(1500)), tid=sender))
        await bench.clock()
    given = [lane.beats_out for lane in bench.lanes[: SLOTS - 2]]
    assert hostile is None or bench.hostile_beats > 50, "the hostile sender sent little"
    return [*given, bench.lanes[sender].beats_in]


@cocotb.test()
async def hostile_sender(dut: Any) -> None:
    """Whatever one sender does, each honest slot keeps nine tenths of its beats.

    A slot that had more than an equal share of the output keeps nine tenths of that share.
    Where the port is too narrow for all slots at once, a slot's wrong messages take its own share.
    """
    bench = await new_bench(dut)
    wide = 8 * bench.width >= 128 * SLOTS * 24 / PERIOD
    for stalls in ("often", "long")[: 2 - IN_SHORT]:
        alone = await honest_beats(bench, None, stalls)
        assert min(alone) > 50, f"{alone}: too few to compare"
        for hostile in ("invalid tids", "wrong"):
            if (hostile == "invalid tids" and bench.tids == SLOTS) or (
                hostile == "wrong" and not wide
            ):
                continue
            beside = await honest_beats(bench, hostile, stalls)
            *squeezing, sending = alone  # with two slots none squeezes
            equal = sum(squeezing) / max(len(squeezing), 1)
            due = [*(min(beats, equal) for beats in squeezing), sending]
            kept = [there / beats for there, beats in zip(beside, due, strict=True)]
            cocotb.log.info(f"{hostile}, {stalls}: {alone} beats alone, {beside} beside it")
            assert min(kept) >= 0.9, f"{hostile}, {stalls}: {alone} beats alone, {beside} beside it"
