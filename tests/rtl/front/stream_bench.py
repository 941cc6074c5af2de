"""Random AXI4-Stream traffic through the stream top: mixed functions, lengths, faults, pauses.

Runs inside the simulator; `test_stream.py` starts it. Every digest is compared with hashlib, or
with the golden model where hashlib lacks the function or the length.
"""

import hashlib
import itertools
import logging
import os
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge, SimTimeoutError, with_timeout
from cocotb.utils import get_sim_time
from cocotbext.axi import (  # type: ignore[import-untyped]
    AxiStreamBus,
    AxiStreamFrame,
    AxiStreamSink,
    AxiStreamSource,
)

from hashfabric.models import functions, keccak
from hashfabric.models.family import Function
from hashfabric.models.functions import BITS_AT, BITS_MASK, CODE_MASK, LENGTH_AT
from tests.support.oracles import turboshake_digest

T = TypeVar("T")
FAMILY, *OTHERS = (
    functions.FAMILIES[name] for name in os.environ.get("HF_FAMILY", "keccak").split()
)
"""The family of a stream's functions, and those of which it has more."""
KNOWN = {one.code: one for family in (FAMILY, *OTHERS) for one in family.functions}
IN_PLACE = {
    "sha3-224": ("turboshake256", 224),
    "sha3-256": ("turboshake256", 256),
    "sha3-384": ("turboshake256-domain", 384),
    "sha3-512": ("turboshake256", 512),
    "shake128": ("turboshake128", None),
    "keccak-256": ("turboshake256-domain", 256),
}
"""TurboSHAKE's functions that stand for Keccak's in its streams' tests, and fixed outputs' bits."""
SLOTS = int(os.environ.get("HF_SLOTS", "1"))
PERIOD_NS = 2
RESERVED_AT = 11
UNTIL_STOPPED = (1 << 40) - 1
"""Output length, bits, of an output that runs until it is stopped."""
BLOCK_CLOCKS = round(SLOTS * float(os.environ.get("HF_CLOCKS_PER_BLOCK", "24")))
"""Clocks of a block in one slot."""
LANE_CLOCKS = int(os.environ.get("HF_LANE_CLOCKS", "0"))
"""Clocks of a lane of output, where output is not read while the engine permutes; else 0."""
PORT_SLACK = int(os.environ.get("HF_PORT_SLACK", "3"))
"""Clocks a block that a port may lose where a block's words take longer than the engine."""
STOP_BEATS = int(os.environ.get("HF_STOP_BEATS", "6"))
"""Beats that may come from a stop on, the empty one at the end included: of a ready receiver."""
STOP_BEATS_STALLED = int(os.environ.get("HF_STOP_BEATS_STALLED", "6"))
"""The same where the receiver has stalled this output before, or stalls it after."""
FRAMED_CODES = range(0x12, 0x1F) if os.environ.get("HF_FRAMED") else ()
"""Codes that hf_sp800_185 takes, if it is there (test_sp800_185)."""
MESSAGE_SLACK = 6
"""Clocks a message that the padding may take beyond the message's words."""


@dataclass(frozen=True)
class Beat:
    """One beat as it goes in."""

    data: bytes
    keep: tuple[int, ...]
    tid: int
    tuser: int


@dataclass(frozen=True)
class Result:
    """What must come out: the digest's bytes, bits of the last one (0: all), or an error."""

    tid: int
    data: bytes
    tail: int
    error: bool


@dataclass(frozen=True)
class Message:
    """A message and how it goes in: `beats` are made from it, then one may be made wrong."""

    function: Function
    data: bytes
    bits: int
    output_bits: int
    tid: int

    def result(self) -> Result:
        """Return what the golden model says comes out."""
        wanted = self.output_bits if self.function.xof else self.function.digest_bits
        return Result(
            self.tid, golden(self.function, self.data, self.bits, wanted), wanted % 8, False
        )

    def beats(self, width: int, rng: random.Random, *, junk: bool) -> list[Beat]:
        """Return the message as beats of `width` bytes.

        What is not kept is junk. With `junk` also every field of tuser where it is not sampled;
        else tuser is the same in every beat.
        """
        data = bytearray(self.data)
        if self.bits % 8:
            data[-1] |= rng.getrandbits(8) << (self.bits % 8) & 0xFF
        count = max(1, -(-len(data) // width))
        beats = []
        for i in range(count):
            part = bytes(data[i * width : (i + 1) * width])
            keep = tuple(int(k < len(part)) for k in range(width))
            first, last = i == 0, i == count - 1
            code = self.function.code if first or not junk else rng.getrandbits(8)
            bits = self.bits % 8 if last or not junk else rng.getrandbits(3)
            length = self.output_bits if first or not junk else rng.getrandbits(40)
            reserved = rng.getrandbits(5) if junk else 0
            tuser = code | bits << BITS_AT | reserved << RESERVED_AT | length << LENGTH_AT
            beats.append(Beat(part + rng.randbytes(width - len(part)), keep, self.tid, tuser))
        return beats


def golden(function: Function, data: bytes, bits: int, output_bits: int) -> bytes:
    """Return the digest, from hashlib or pycryptodome where they can."""
    if function.family == "turboshake":
        return _turboshake(function, data, bits, output_bits)
    name = function.name.replace("-", "_", 1).replace("shake", "shake_")
    if bits % 8 == 0 and output_bits % 8 == 0 and name in hashlib.algorithms_guaranteed:
        if function.xof:
            return hashlib.new(name, data).digest(output_bits // 8)  # type: ignore[call-arg]
        return hashlib.new(name, data).digest()
    return keccak.digest(function, data, bits=bits, output_bits=output_bits)


def _turboshake(function: Function, data: bytes, bits: int, output_bits: int) -> bytes:
    strength = 128 if "128" in function.name else 256
    whole, partial = divmod(bits, 8)
    domain = 0x1F if partial == 0 else 0x100
    if function.name.endswith("domain"):
        domain = 1 << partial | (data[whole] & ((1 << partial) - 1) if partial else 0)
    if domain > 0x7F or output_bits == 0:  # not of bytes, or not of RFC 9861
        return keccak.digest(function, data, bits=bits, output_bits=output_bits)
    digest = turboshake_digest(strength, data[:whole], -(-output_bits // 8), domain)
    return digest[:-1] + bytes([digest[-1] & 0xFF >> -output_bits % 8])


def random_message(rng: random.Random) -> Message:
    """Return a message; lengths around the block's end are frequent."""
    function = rng.choice(list(KNOWN.values()))
    rate = function.rate_bits
    kind = rng.randrange(6)
    if kind == 0:
        bits = rng.randrange(40)
    elif kind <= 2:
        bits = max(0, rate * rng.randrange(1, 4) + rng.randrange(-72, 24))
    elif kind == 3:
        bits = rate * rng.randrange(1, 3) - 8 * rng.randrange(10)
    else:
        bits = rng.randrange(3 * rate)
    if rng.random() < 0.6:
        bits -= bits % 8
    data = bytearray(rng.randbytes(-(-bits // 8)))
    if bits % 8:
        data[-1] &= (1 << bits % 8) - 1
    output = rng.choice((rng.randrange(1, 600), rate, 2 * rate, rate + 64, rng.randrange(4 * rate)))
    if rng.random() < 0.5:
        output -= output % 8
    if not function.xof and rng.random() < 0.5:
        output = rng.choice((rng.getrandbits(40), UNTIL_STOPPED))  # is not looked at
    return Message(function, bytes(data), bits, output, rng.randrange(SLOTS))


def is_open(message: Message) -> bool:
    """Return whether the message's output runs until it is stopped."""
    return message.function.xof and message.output_bits == UNTIL_STOPPED


FAULTS = ("hole", "short", "empty", "function", "tid", "tid-changes", "bits-of-nothing")


def wrong_code(rng: random.Random) -> int:
    """Return a code that is no function of Keccak's; often one bit away from one that is."""
    while True:
        code = rng.getrandbits(8)
        if rng.random() < 0.5:
            code = rng.choice(list(KNOWN)) ^ 1 << rng.randrange(8)
        if code not in KNOWN and code not in FRAMED_CODES:
            return code


def spoil(beats: list[Beat], fault: str, rng: random.Random, tids: int) -> list[Beat] | None:
    """Return `beats` with one fault in them; None where there is no way to make it here."""
    width = len(beats[0].keep)
    at = rng.randrange(len(beats))
    last = at == len(beats) - 1
    beat = beats[at]
    if fault == "hole" and width > 1:
        while not _has_hole(beat.keep):
            beat = replace(beat, keep=tuple(rng.getrandbits(1) for _ in range(width)))
    elif fault == "short" and width > 1 and not last:
        kept = rng.randrange(1, width)
        beat = replace(beat, keep=(1,) * kept + (0,) * (width - kept))
    elif fault == "empty" and not last:
        beat = replace(beat, keep=(0,) * width)
    elif fault == "function":
        at, beat = 0, beats[0]
        beat = replace(beat, tuser=beat.tuser & ~CODE_MASK | wrong_code(rng))
    elif fault == "tid" and tids > SLOTS:
        tid = rng.randrange(SLOTS, tids)
        return [replace(b, tid=tid) for b in beats]
    elif fault == "tid-changes" and at > 0 and tids > 1:
        tid = (beat.tid + rng.randrange(1, tids)) % tids
        return beats[:at] + [replace(b, tid=tid) for b in beats[at:]]
    elif fault == "bits-of-nothing" and last:
        bits = rng.randrange(1, 8) << BITS_AT
        beat = replace(beat, keep=(0,) * width, tuser=beat.tuser & ~BITS_MASK | bits)
    else:
        return None
    return [*beats[:at], beat, *beats[at + 1 :]]


def _has_hole(keep: tuple[int, ...]) -> bool:
    return any(b > a for a, b in itertools.pairwise(keep))


async def started(dut: Any) -> None:
    """Wait a clock after a reset; seed a top with masks, and wait until it is ready."""
    if not hasattr(dut, "seed_valid_i"):
        await FallingEdge(dut.clk_i)
        return
    dut.seed_key_i.value = 1 + cocotb.RANDOM_SEED % 2**79
    dut.seed_valid_i.value = 1
    await FallingEdge(dut.clk_i)
    dut.seed_valid_i.value = 0
    for _ in range(100_000):
        if int(dut.ready_o.value):
            return
        await FallingEdge(dut.clk_i)
    raise AssertionError("the core is not ready")


class Bench:
    """The stream top between a source and a sink, its rules watched in every clock."""

    def __init__(self, dut: Any) -> None:
        """Take the ports of `dut`."""
        self.dut = dut
        self.rng = random.Random(cocotb.RANDOM_SEED)
        self.width = len(dut.s_axis_tkeep)
        self.count = (
            COUNT if self.width == 8 else COUNT // 2
        )  # messages a test; narrow ports take long
        self.tids = 1 << len(dut.s_axis_tid)
        bus = AxiStreamBus.from_prefix
        logging.getLogger(f"cocotb.{dut._name}").setLevel(logging.WARNING)
        self.source = AxiStreamSource(bus(dut, "s_axis"), dut.clk_i, dut.rst_i)
        self.sink = AxiStreamSink(bus(dut, "m_axis"), dut.clk_i, dut.rst_i)
        self.received_at = 0.0

    async def start(self) -> None:
        """Start the clock and reset; watch the outputs from then on."""
        self.dut.rst_i.value = 1
        self.dut.m_axis_stop.value = 0
        Clock(self.dut.clk_i, PERIOD_NS, unit="ns").start()
        for _ in range(4):
            await FallingEdge(self.dut.clk_i)
        self.dut.rst_i.value = 0
        await started(self.dut)
        cocotb.start_soon(self._watch())

    async def _watch(self) -> None:
        """AXI's rule: what is offered stays, unchanged, until it is taken."""
        dut = self.dut
        fields = ("tdata", "tkeep", "tlast", "tid", "tuser")
        waiting: list[int] | None = None
        while True:
            await FallingEdge(dut.clk_i)
            await ReadOnly()
            if int(dut.rst_i.value):
                waiting = None
                continue
            valid = int(dut.m_axis_tvalid.value)
            if waiting is not None:
                assert valid, "m_axis_tvalid fell before m_axis_tready"
            if not valid:
                continue
            now = [int(getattr(dut, f"m_axis_{field}").value) for field in fields]
            assert waiting is None or now == waiting, "m_axis changed before m_axis_tready"
            waiting = None if int(dut.m_axis_tready.value) else now

    def pause(self, source: float, sink: float) -> None:
        """Let both sides pause: in each clock with this chance."""
        for end, chance in ((self.source, source), (self.sink, sink)):
            end.set_pause_generator(self._pauses(chance))
            if chance == 0:
                end.pause = False  # taking the generator away leaves the last pause on

    def _pauses(self, chance: float) -> Iterator[bool] | None:
        if chance == 0:
            return None
        rng = random.Random(self.rng.getrandbits(32))
        return (rng.random() < chance for _ in itertools.count())

    def send(self, beats: list[Beat]) -> None:
        """Queue a message for the source."""
        width = self.width
        frame = AxiStreamFrame(
            b"".join(beat.data for beat in beats),
            tkeep=[k for beat in beats for k in beat.keep],
            tid=[beat.tid for beat in beats for _ in range(width)],
            tuser=[beat.tuser for beat in beats for _ in range(width)],
        )
        self.source.send_nowait(frame)

    async def receive(self) -> Result:
        """Wait for a result; its beats must be well formed."""
        frame = await with_timeout(
            self.sink.recv(compact=False), (100_000 + 40 * BLOCK_CLOCKS) * PERIOD_NS, "ns"
        )
        self.received_at = get_sim_time("ns")
        last = len(frame.tkeep) - self.width
        keep = "".join(map(str, frame.tkeep))
        assert "01" not in keep, f"hole in m_axis_tkeep: {keep}"
        assert "0" not in keep[:last], f"short beat before the last: {keep}"
        assert len(set(frame.tid)) == 1, f"m_axis_tid changes: {frame.tid}"
        errors = {user & 1 for user in frame.tuser}
        assert len(errors) == 1, f"the error flag changes: {frame.tuser}"
        if error := errors == {1}:
            assert last == 0, "an error result of more than one beat"
        count = keep.count("1")
        assert not any(frame.tdata[count:]), "something in the bytes beyond the digest"
        assert len({user >> 4 for user in frame.tuser}) == 1, "the mark of an open output changes"
        tail = frame.tuser[-1] >> 1 & 7
        return Result(frame.tid[0], bytes(frame.tdata[:count]), tail, error)

    async def exchange(self, traffic: list[tuple[list[Beat], Result, str]]) -> None:
        """Send messages (their beats, what must come out, what they are) and compare."""
        for beats, _, _ in traffic:
            self.send(beats)
        for number, (_, wanted, name) in enumerate(traffic):
            try:
                got = await self.receive()
            except SimTimeoutError:
                raise AssertionError(f"message {number}, {name}: no result") from None
            assert got == wanted, f"message {number}, {name}: {shown(got)}, not {shown(wanted)}"
        for _ in range(60):
            await FallingEdge(self.dut.clk_i)
        assert self.sink.empty(), "a result too many"

    async def time(self, messages: list[Message]) -> int:
        """Return the clocks from the first beat's offer to the last result's last beat."""
        # Until the state of the message before is wiped.
        for _ in range(4 + 2 * LANE_CLOCKS):
            await FallingEdge(self.dut.clk_i)
        for message in messages:
            self.send(message.beats(self.width, self.rng, junk=False))
        start = get_sim_time("ns")
        for message in messages:
            assert await self.receive() == message.result()
        # Offered at a falling edge, taken at a rising one.
        return int((self.received_at - start) / PERIOD_NS)

    def traffic(self, count: int, faults: float) -> list[tuple[list[Beat], Result, str]]:
        """Return `count` random messages, this share of them wrong."""
        rng = self.rng
        traffic: list[tuple[list[Beat], Result, str]] = []
        while len(traffic) < count:
            message = random_message(rng)
            beats = message.beats(self.width, rng, junk=rng.random() < 0.5)
            wanted = message.result
            name = f"{message.function.name} of {message.bits} bits to {message.output_bits}"
            if rng.random() < faults:
                fault = rng.choice(FAULTS)
                spoilt = spoil(beats, fault, rng, self.tids)
                if spoilt is None:
                    continue
                beats, name = spoilt, f"{name} with fault {fault}"
                traffic.append((beats, Result(beats[0].tid, b"", 0, True), name))
            else:
                traffic.append((beats, wanted(), name))
        return traffic


def shown(result: Result) -> str:
    """Return a result in the form of failures."""
    text = "error" if result.error else f"{len(result.data)} bytes {result.data[:8].hex()}"
    return f"tid {result.tid} {text} tail {result.tail}"


async def new_bench(dut: Any) -> Bench:
    """Return a bench, its design reset."""
    bench = Bench(dut)
    await bench.start()
    return bench


def plain(function: str, data: bytes, bits: int | None = None, output_bits: int = 0) -> Message:
    """Return a message by hand."""
    length = 8 * len(data) if bits is None else bits
    if FAMILY.name == "turboshake":
        function, fixed = IN_PLACE[function]
        output_bits = output_bits if fixed is None else fixed
    return Message(functions.find(function), data, length, output_bits, 0)


SLOW = BLOCK_CLOCKS > 4000
"""Of an engine that takes so long for a block, the bench tries a tenth."""
COUNT = int(os.environ.get("HF_MESSAGES", str(min(60, max(4, 4000 // BLOCK_CLOCKS)))))
"""Random messages for each setting of pauses: fewer of an engine that takes long for a block."""
PAUSES = ((0, 0), (0.5, 0), (0, 0.8), (0.9, 0.3), (0.3, 0.97))


def few(cases: Iterable[T], rng: random.Random) -> list[T]:
    """Return the cases, or some of them for a slow engine."""
    every = list(cases)
    return rng.sample(every, max(1, len(every) // 10)) if SLOW else every


@cocotb.test()
async def empty_message(dut: Any) -> None:
    """SHA3-256 of nothing, to begin with."""
    bench = await new_bench(dut)
    message = plain("sha3-256", b"")
    beats = message.beats(bench.width, bench.rng, junk=False)
    await bench.exchange([(beats, message.result(), "empty")])


@cocotb.test()
async def every_function(dut: Any) -> None:
    """Each function, empty, short, and of two blocks, bytes only."""
    bench = await new_bench(dut)
    traffic = []
    for name in (*functions.KECCAK, *(one.name for family in OTHERS for one in family.functions)):
        sizes = (0, 1, 3, 8, 71, 72, 135, 136, 144, 167, 168, 200, 300)
        for size in (*few(sizes, bench.rng), 3):
            message = plain(name, bench.rng.randbytes(size), output_bits=512)
            beats = message.beats(bench.width, bench.rng, junk=False)
            traffic.append((beats, message.result(), f"{name} of {size} bytes"))
    await bench.exchange(traffic)


@cocotb.test()
async def bit_lengths(dut: Any) -> None:
    """Every number of bits near a block's end, and output of every number of bits."""
    bench = await new_bench(dut)
    traffic = []
    for name, around in (("sha3-512", 576), ("shake128", 1344), ("keccak-256", 1088)):
        for bits in few((*range(12), *range(around - 12, around + 10)), bench.rng):
            data = bytearray(bench.rng.randbytes(-(-bits // 8)))
            if bits % 8:
                data[-1] &= (1 << bits % 8) - 1
            message = plain(name, bytes(data), bits, output_bits=bits)
            beats = message.beats(bench.width, bench.rng, junk=bits % 2 == 0)
            traffic.append((beats, message.result(), f"{name} of {bits} bits"))
    await bench.exchange(traffic)


@cocotb.test()
async def random_messages(dut: Any) -> None:
    """Mixed functions and lengths, back to back, with pauses on both sides."""
    bench = await new_bench(dut)
    for source, sink in PAUSES:
        bench.pause(source, sink)
        await bench.exchange(bench.traffic(bench.count, faults=0))


@cocotb.test()
async def random_faults(dut: Any) -> None:
    """Wrong messages among right ones: one error result each, and the next message is right."""
    bench = await new_bench(dut)
    for source, sink in PAUSES:
        bench.pause(source, sink)
        await bench.exchange(bench.traffic(bench.count, faults=0.5))


@cocotb.test()
async def every_fault(dut: Any) -> None:
    """Each fault in the middle of right messages, in short messages and in long ones."""
    bench = await new_bench(dut)
    rng = bench.rng
    traffic: list[tuple[list[Beat], Result, str]] = []
    for fault in FAULTS:
        for size in few((0, 5, 40, 136, 150, 500), rng):
            for name in ("sha3-256", "shake128"):
                message = plain(name, rng.randbytes(size), output_bits=2000)
                beats = message.beats(bench.width, rng, junk=False)
                for _ in range(8):
                    if (spoilt := spoil(beats, fault, rng, bench.tids)) is not None:
                        wanted = Result(spoilt[0].tid, b"", 0, True)
                        traffic.append((spoilt, wanted, f"{size} bytes with fault {fault}"))
                        break
                traffic.append((beats, message.result(), f"{size} bytes after fault {fault}"))
    await bench.exchange(traffic)


@cocotb.test()
async def reset_at_any_time(dut: Any) -> None:
    """Reset in the middle of traffic: nothing of it comes out after, and the next is right."""
    bench = await new_bench(dut)
    for clocks in few(range(1, 120, 7), bench.rng):
        for beats, _, _ in bench.traffic(3, faults=0.3):
            bench.send(beats)
        for _ in range(clocks):
            await FallingEdge(dut.clk_i)
        bench.source.clear()
        dut.rst_i.value = 1
        for _ in range(3):
            await FallingEdge(dut.clk_i)
        bench.sink.clear()
        dut.rst_i.value = 0
        await started(dut)
        await bench.exchange(bench.traffic(2, faults=0))


@dataclass
class Stopper:
    """Requests stops in random clocks; notes which of them count, and the time of each."""

    bench: Bench
    chance: float
    held: bool = False
    running: bool = False
    lets_go: bool = False
    """The receiver is ready from a stop that counts on, whatever it did before."""
    stopped: int | None = None
    took: list[int] = field(default_factory=list)
    beats: list[int] = field(default_factory=list)
    """Beats from each stop that counted to the output's end, the last one included."""

    async def run(self) -> None:
        """Drive `m_axis_stop` for a clock or until the output's end, whatever runs."""
        dut, rng, now = self.bench.dut, self.bench.rng, 0
        while True:
            await FallingEdge(dut.clk_i)
            now += 1
            if not self.held and rng.random() < self.chance:
                request, self.held = True, self.running and rng.random() < 0.5
            else:
                request = self.held
            dut.m_axis_stop.value = int(request)
            if request and self.running and self.stopped is None:
                self.stopped = now
                self.beats.append(0)
                if self.lets_go:
                    self.bench.pause(0, 0)
            await ReadOnly()
            if not (int(dut.m_axis_tvalid.value) and int(dut.m_axis_tready.value)):
                continue
            last = bool(int(dut.m_axis_tlast.value))
            if self.stopped is not None:
                self.beats[-1] += 1
                if last:
                    self.took.append(now - self.stopped)
                    self.stopped, self.held = None, False
            self.running = bool(int(dut.m_axis_tuser.value) >> 4) and not last


@cocotb.test()
async def stops(dut: Any) -> None:
    """Outputs that run until they are stopped, among others, with requests in any clock.

    Every one is right as far as it goes, ends only by a stop, and what follows is right.
    """
    bench = await new_bench(dut)
    stopper = Stopper(bench, 0.0)
    cocotb.start_soon(stopper.run())
    for source, sink in PAUSES:
        bench.pause(source, sink)
        for stopper.chance in (0.3, 0.01):
            messages: list[Message] = []
            while len(messages) < bench.count // 2:
                message = replace(random_message(bench.rng), tid=0)
                if message.function.xof and bench.rng.random() < 0.7:
                    message = replace(message, output_bits=UNTIL_STOPPED)
                messages.append(message)
                bench.send(message.beats(bench.width, bench.rng, junk=bench.rng.random() < 0.5))
            for message in messages:
                got = await bench.receive()
                if is_open(message):
                    data = golden(message.function, message.data, message.bits, 8 * len(got.data))
                    wanted = Result(0, data, 0, False)
                else:
                    wanted = message.result()
                assert got == wanted, f"{message.output_bits}: {shown(got)}, not {shown(wanted)}"
    assert stopper.took, "nothing was stopped"
    assert max(stopper.beats) <= STOP_BEATS_STALLED, f"{stopper.beats} beats after a stop"
    stopper.lets_go = True
    blocks = 2 * BLOCK_CLOCKS
    for stalls, most in ((0.0, STOP_BEATS), (0.1, STOP_BEATS_STALLED), (0.9, STOP_BEATS_STALLED)):
        stopper.beats.clear()
        stopper.took.clear()
        for stopper.chance in (0.3, 0.1, 0.03, 0.01):
            for _ in few(range(6), bench.rng):
                bench.pause(0, stalls)
                message = plain("shake128", b"until stopped", output_bits=UNTIL_STOPPED)
                bench.send(message.beats(bench.width, bench.rng, junk=False))
                await bench.receive()
        assert max(stopper.beats) <= most, f"{stopper.beats} beats after a stop"
        longest = blocks + 2 * most
        assert max(stopper.took) <= longest, f"{stopper.took} clocks from a stop to the end"


@cocotb.test()
async def reset_after_a_stop(dut: Any) -> None:
    """A reset of one clock at any time around a stop: no output after it is shortened."""
    bench = await new_bench(dut)
    endless = plain("shake128", b"until stopped", output_bits=UNTIL_STOPPED)
    whole = plain("shake128", b"three blocks", output_bits=3 * 1344)
    for later in range(5):
        bench.send(endless.beats(bench.width, bench.rng, junk=False))
        await with_timeout(
            RisingEdge(dut.m_axis_tvalid), (1000 + 3 * BLOCK_CLOCKS) * PERIOD_NS, "ns"
        )
        for clock in range(later + 4):
            await FallingEdge(dut.clk_i)
            dut.m_axis_stop.value = int(clock == 3)
            dut.rst_i.value = int(clock == later + 3)
        await FallingEdge(dut.clk_i)
        bench.sink.clear()
        dut.m_axis_stop.value = 0
        dut.rst_i.value = 0
        await started(dut)
        bench.send(whole.beats(bench.width, bench.rng, junk=False))
        got, wanted = await bench.receive(), whole.result()
        assert got == wanted, f"{later} clocks later: {shown(got)}, not {shown(wanted)}"


@cocotb.test()
async def longest_outputs(dut: Any) -> None:
    """The longest output lengths begin as any other, and give no error."""
    bench = await new_bench(dut)
    for below in (2, 3, 63, 64, 65):
        message = plain("shake128", b"long", output_bits=2**40 - below)
        bench.send(message.beats(bench.width, bench.rng, junk=False))
        data = bytearray()
        for _ in range(3 * squeeze_clocks(bench, message.function.rate_bits) + 150):
            await FallingEdge(dut.clk_i)
            await ReadOnly()
            if int(dut.m_axis_tvalid.value) and int(dut.m_axis_tready.value):
                assert not int(dut.m_axis_tlast.value), f"2^40 - {below} bits: it ends"
                data += int(dut.m_axis_tdata.value).to_bytes(bench.width, "little")
        await FallingEdge(dut.clk_i)
        assert len(data) > 2 * 168, f"2^40 - {below} bits: {len(data)} bytes came"
        assert data == golden(message.function, b"long", 32, 8 * len(data))
        dut.rst_i.value = 1
        for _ in range(3):
            await FallingEdge(dut.clk_i)
        bench.sink.clear()
        dut.rst_i.value = 0
        await started(dut)


def port_clocks(bench: Bench, rate_bits: int, block_clocks: int = BLOCK_CLOCKS) -> int:
    """Return the clocks a block when both sides are always ready: the engine's, or the port's."""
    words = rate_bits // 8 // bench.width
    return block_clocks if words <= block_clocks - PORT_SLACK else words + PORT_SLACK


def squeeze_clocks(bench: Bench, rate_bits: int) -> int:
    """Return the clocks of a block of output when the receiver is always ready."""
    if LANE_CLOCKS == 0:
        return port_clocks(bench, rate_bits)
    return BLOCK_CLOCKS + rate_bits // 64 * LANE_CLOCKS + 2 * PORT_SLACK


@cocotb.test()
async def clocks(dut: Any) -> None:
    """A long message runs at the engine's clocks a block, or the port's where it is too narrow."""
    bench = await new_bench(dut)
    short, long = (2, 5) if SLOW else (20, 100)
    # The registry has the clocks of a block of SHA3-256. If loading takes its time, others differ.
    for name in ("sha3-256",) if SLOW else ("sha3-256", "shake128", "sha3-512"):
        rate = functions.find(name).rate_bits
        expected = port_clocks(bench, rate)
        took = {}
        for blocks in (short, long):
            message = plain(name, bench.rng.randbytes(rate // 8 * blocks - 1), output_bits=64)
            took[blocks] = await bench.time([message])
        assert took[long] - took[short] <= (long - short) * expected, (
            f"{name}: {took}, not {expected}"
        )
        # The output follows the last block, and its first lanes take longer than a short block.
        lanes = (functions.find(name).digest_bits or 64) // 64
        begin = 40 if LANE_CLOCKS == 0 else 2 * LANE_CLOCKS + BLOCK_CLOCKS // 10
        begin = max(begin, 40 + lanes * LANE_CLOCKS - BLOCK_CLOCKS)
        assert took[long] <= (long + 1) * expected + begin, f"{name}: {took} for {long} blocks"


@cocotb.test()
async def clocks_of_twelve_rounds(dut: Any) -> None:
    """Messages of TurboSHAKE among others take half the clocks in the engine, or the port's."""
    bench = await new_bench(dut)
    if not OTHERS:
        return
    function = functions.find("turboshake256")
    expected = port_clocks(bench, function.rate_bits, BLOCK_CLOCKS // 2)
    took = {}
    for blocks in (20, 100):
        data = bench.rng.randbytes(function.rate_bits // 8 * blocks - 1)
        took[blocks] = await bench.time([plain(function.name, data, output_bits=64)])
    assert took[100] - took[20] <= 80 * expected, f"{took}, not {expected}"
    message = plain(function.name, b"short", output_bits=64)
    few_take, many_take = [await bench.time([message] * count) for count in (4, 24)]
    expected = BLOCK_CLOCKS // 2 + int(os.environ["HF_FILL"])
    assert many_take - few_take <= 20 * expected, f"{(many_take - few_take) / 20} a short one"


@cocotb.test(skip=SLOTS > 1 or not os.environ.get("HF_FILL"))
async def clocks_back_to_back(dut: Any) -> None:
    """Whole messages back to back: an engine with one slot takes its own clocks and no more."""
    bench = await new_bench(dut)
    per_block, fill = round(float(os.environ["HF_CLOCKS_PER_BLOCK"])), int(os.environ["HF_FILL"])
    for blocks in (1, 2, 5):
        size = 136 * blocks - 1
        message = plain("sha3-256", bench.rng.randbytes(size))
        few, many = [await bench.time([message] * count) for count in (4, 24)]
        port = blocks * (136 // bench.width + PORT_SLACK) + MESSAGE_SLACK
        expected = max(blocks * per_block + fill, port)
        assert many - few <= 20 * expected, f"{blocks} blocks: {(many - few) / 20} clocks a message"


@cocotb.test()
async def squeezing_clocks(dut: Any) -> None:
    """Long output leaves at the engine's clocks a block, or the port's where it is too narrow."""
    bench = await new_bench(dut)
    short, long = (1, 3) if SLOW else (10, 40)
    for name in ("shake256", "shake128"):
        rate = functions.find(name).rate_bits
        begin, end = [
            await bench.time([plain(name, b"squeeze", output_bits=rate * blocks)])
            for blocks in (short, long)
        ]
        expected = squeeze_clocks(bench, rate)
        took = (end - begin) / (long - short)
        assert took <= expected, f"{name}: {took} clocks a block, not {expected}"


@cocotb.test()
async def short_message(dut: Any) -> None:
    """A message and an output of one beat each take HF_LATENCY clocks, if that is given."""
    if not os.environ.get("HF_LATENCY"):
        return
    bench = await new_bench(dut)
    took = await bench.time([plain("shake128", b"a", output_bits=8)])
    assert took == int(os.environ["HF_LATENCY"]), f"{took} clocks"
