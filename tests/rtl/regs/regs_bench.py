"""Bench of the Keccak peripheral (docs/integrate/regs.md) on AXI4-Lite, APB4 and Wishbone.

`test_regs.py` starts it. Digests are compared with libraries, registers with the SystemRDL.
"""

import itertools
import os
import random
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly

from hashfabric.models.family import Function
from hashfabric.models.functions import KECCAK, digest
from hashfabric.registry.registers import MappedRegister
from tests.rtl.regs.regs import (
    ABSORB,
    BUSES,
    CHANGE,
    FINISH,
    HELD,
    IDLE,
    OPEN,
    REGISTERS,
    SQUEEZE,
    Contexts,
    Peripheral,
    Saved,
)
from tests.support import oracles

BUS = os.environ["HF_BUS"]
PLAIN = BUS.removesuffix("_contexts")
CONTEXTS = PLAIN != BUS
"""The peripheral is a page of contexts, and other pages take turns with it."""
MESSAGE_WORDS = int(os.environ["HF_MESSAGE_WORDS"])
DIGEST_WORDS = int(os.environ["HF_DIGEST_WORDS"])
STREAM = bool(int(os.environ.get("HF_STREAM", "0")))
RUN = bool(int(os.environ.get("HF_RUN", "0")))
SAMPLER = bool(int(os.environ.get("HF_SAMPLER", "0")))
PREFIX = bool(int(os.environ.get("HF_PREFIX", "0")))
CONSTANT = (
    *(() if SAMPLER else ("sampling",)),
    *(() if STREAM else ("stream", "packets")),
    *(() if RUN else ("counted", "message_bytes")),
)
"""Fields that stay 0 without the stream input, without RUN, without the sampler."""
WAITS = float(os.environ["HF_WAITS"])
COUNT = int(os.environ["HF_COUNT"])
ENGINE = int(os.environ["HF_ENGINE"])
BEAT = int(os.environ.get("HF_WORD", "32")) // 8
"""Bytes of a beat of the stream."""
BOUND = (
    8 * MESSAGE_WORDS + 300,
    150 * MESSAGE_WORDS + 2_300,
    750 * MESSAGE_WORDS + 55_000,
)[ENGINE]
if CONTEXTS:  # those of both contexts, and two switches
    BOUND = 3 * BOUND + (2_000, 23_000, 23_000)[ENGINE]
COPY = (150, 5_000, 3_000)[ENGINE] * PREFIX
BOUND += COPY
"""The longest wait that docs/integrate/regs.md allows, in clocks, by the engine; COPY of them are
those of a copy."""
SETTLED = (400, 2_500, 60_000)[ENGINE] + COPY + BOUND * CONTEXTS
"""Clocks after which all that needs no software has been done."""
STATE_BOUND = BOUND if CONTEXTS else (75, 250, 250)[ENGINE] + COPY
"""The longest wait of an access to STATE that it allows."""
WIPE_POLLS = (40, 60, 900)[ENGINE]
"""Reads of STATUS within which the state is wiped."""
COMMAND_POLLS = (40, 300, 6_000)[ENGINE]
"""Reads of STATUS within which a command has taken effect, after a permutation at most."""

FUNCTIONS = list(KECCAK.values())
FIXED = [function for function in FUNCTIONS if not function.xof]
XOFS = [function for function in FUNCTIONS if function.xof]


def irq_of(dut: Any, page: int) -> int:
    """Return the interrupt of a context."""
    return int(dut.irq_o.value) >> page & 1


def irq(dut: Any) -> int:
    """Return the interrupt."""
    return irq_of(dut, Contexts.page if CONTEXTS else 0)


async def started(dut: Any, waits: float = WAITS) -> Peripheral:
    """Start the clock, reset, and return the peripheral."""
    rng = random.Random(cocotb.RANDOM_SEED)
    dut.rst_i.value = 1
    if not CONTEXTS:
        dut.s_axis_tvalid.value = 0
    Clock(dut.clk_i, 2, unit="ns").start()
    bus = BUSES[BUS](dut, rng, waits, BOUND)
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    await FallingEdge(dut.clk_i)
    return Peripheral(bus, rng)


def expected(function: Function, data: bytes, bits: int, output_bits: int) -> bytes:
    """Return a digest: a library's where there is one for the function."""
    wanted = output_bits if function.xof else None
    known = oracles.library_digest(function, data, bits=bits, output_bits=wanted)
    return digest(function, data, bits=bits, output_bits=wanted) if known is None else known


def lengths(rng: random.Random, function: Function) -> int:
    """Return a length of a message in bytes, often at a block's end."""
    rate = function.rate_bits // 8
    near = rng.randrange(3) * rate + rng.choice([-9, -8, -5, -4, -3, -2, -1, 0, 1, 2, 4])
    return max(0, rng.choice([near, near, rng.randrange(3 * rate), rng.randrange(9)]))


####################
# Hashes           #
####################


@cocotb.test()
async def hashes(dut: Any) -> None:
    """Every function, lengths at the ends of blocks, bytes anywhere in a word, bits, lengths."""
    p = await started(dut)
    rng = p.rng
    for round_ in range(max(1, COUNT // 40)):
        for function in FUNCTIONS:
            data = rng.randbytes(lengths(rng, function))
            bits = 8 * len(data)
            if data and rng.random() < 0.4:
                bits -= rng.randrange(8)
            output = rng.choice([1, 31, 32, 33, 256, rng.randrange(1, 2500)])
            found = await p.digest(function, data, bits=bits, output_bits=output)
            assert found == expected(function, data, bits, output), (
                f"{function.name}: {bits} bits, {output} of output, round {round_}"
            )
            assert await p.phase(IDLE) == IDLE
            assert await p.get("STATUS", "done") == 1
    for name in ("cshake128", "cshake256"):
        function, data = KECCAK[name], rng.randbytes(77)
        framed = oracles.cshake_message(function, b"", b"peripheral", data)
        found = await p.digest(function, framed, output_bits=999 * 8)
        assert found == oracles.cshake_digest(function, b"peripheral", data, 999)
    assert await p.read("ERROR") == 0
    dut._log.info(f"longest access: {p.bus.longest} clocks, of {BOUND}")


@cocotb.test()
async def ends_of_blocks(dut: Any) -> None:
    """Every number of bits from two bytes before a block's end to two after it."""
    p = await started(dut)
    function = KECCAK["sha3-512"]
    rate = function.rate_bits
    for bits in range(rate - 10, rate + 10):
        data = p.rng.randbytes(-(-bits // 8))
        found = await p.digest(function, data, bits=bits)
        assert found == expected(function, data, bits, 0), bits
    for name in ("shake128", "keccak-256"):  # the longest suffix, and the shortest
        function = KECCAK[name]
        for bits in range(function.rate_bits - 8, function.rate_bits + 1):
            data = p.rng.randbytes(-(-bits // 8))
            found = await p.digest(function, data, bits=bits, output_bits=256)
            reference = digest(function, data, bits=bits)
            assert found == reference, f"{name}: {bits}"


@cocotb.test()
async def outputs_end_at_once(dut: Any) -> None:
    """With a block too: no further permutation, a wipe, and CONFIG is open for the next hash."""
    p = await started(dut)
    for name in ("shake128", "shake256", "cshake128"):
        function = KECCAK[name]
        rate = function.rate_bits
        for output in (rate, 2 * rate, 32, 56, rate - 32, rate + 8):
            data = p.rng.randbytes(p.rng.randrange(60))
            found = await p.digest(function, data, output_bits=output)
            await p.write("CONFIG", function.code)
            assert found == digest(function, data, output_bits=output)
            assert await p.phase(IDLE, polls=WIPE_POLLS) == IDLE
            assert await p.read("ERROR") == 0


@cocotb.test()
async def stops(dut: Any) -> None:
    """Outputs until they are stopped, at any time; what follows has nothing of them."""
    p = await started(dut)
    for _ in range(max(2, COUNT // 20)):
        function = p.rng.choice(XOFS)
        data = p.rng.randbytes(p.rng.randrange(40))
        await p.begin(function, OPEN)
        await p.feed(data)
        await p.command("last")
        count = p.rng.choice([1, 2, 17, 60, 130])
        found = await p.words(count)
        assert found == digest(function, data, output_bits=32 * count)
        assert await p.read("LENGTH") == OPEN
        for _ in range(p.rng.randrange(4)):
            assert await p.phase(SQUEEZE) == SQUEEZE
        await p.command("stop")
        await p.phase(IDLE)
        assert await p.get("STATUS", "digest_words") == 0
        assert await p.get("STATUS", "done") == 0
        assert await p.read("ERROR") == 0
        assert await p.read("DIGEST") == 0
        assert await p.read("ERROR") == REGISTERS["ERROR"].field("digest_read").mask
        await p.write("ERROR", OPEN)


@cocotb.test()
async def output_until_the_fifo_is_full(dut: Any) -> None:
    """After any number of words have been read, at any place of a block: then nothing is busy.

    Nor after a hold there, which says where that is.
    """
    p = await started(dut)
    function, data = KECCAK["shake256"], p.rng.randbytes(30)
    await p.begin(function, OPEN)
    await p.feed(data)
    await p.command("last")
    found = b""
    for count in (1, 1, 0, 2, 33 - DIGEST_WORDS % 32, 1, 1, 5):
        found += await p.words(count)
        await ClockCycles(dut.clk_i, SETTLED)
        await FallingEdge(dut.clk_i)
        if not CONTEXTS:  # of which one in the RAM has the words that it was put away with
            assert await p.get("STATUS", "digest_words") == DIGEST_WORDS
        assert await p.get("STATUS", "busy") == 0
        await p.command("hold")
        await p.phase(HELD)
        words = await p.get("STATUS", "digest_words")
        assert words == DIGEST_WORDS or CONTEXTS
        wanted = (len(found) + 4 * words) % (function.rate_bits // 8)
        assert await p.get("POSITION", "bytes") % (function.rate_bits // 8) == wanted
        await p.command("resume")
    assert found == digest(function, data, output_bits=8 * len(found))
    await p.command("stop")
    await p.phase(IDLE)


@cocotb.test()
async def unread_output(dut: Any) -> None:
    """Unread words are not the next hash's: of one that begins, or is restored."""
    p = await started(dut)
    function = KECCAK["shake128"]
    for _ in range(4):
        first, second = p.rng.randbytes(20), p.rng.randbytes(20)
        await p.begin(function, OPEN)
        await p.feed(second)
        await p.command("last")
        found = await p.words(2)
        saved, words = await p.save()
        found += words

        assert await p.digest(function, first, output_bits=32) == digest(
            function, first, output_bits=32
        )
        await p.begin(function, 32 * DIGEST_WORDS)
        await p.feed(first)
        await p.command("last")
        await p.phase(IDLE)
        assert await p.get("STATUS", "digest_words") == DIGEST_WORDS
        assert await p.digest(function, second, output_bits=96) == digest(
            function, second, output_bits=96
        )

        await p.begin(function, OPEN)
        await p.feed(first)
        await p.command("last")
        await p.phase(SQUEEZE)
        await p.words(1)
        await p.restore(saved)  # in place of the one that is held, which has words in the FIFO
        found += await p.words(50)
        assert found == digest(function, second, output_bits=8 * len(found))
        await p.command("stop")
    assert await p.read("ERROR") == 0


@cocotb.test()
async def commands_in_a_row(dut: Any) -> None:
    """Commands and writes right after a clear wait for its end."""
    p = await started(dut, waits=0)
    function = KECCAK["sha3-256"]
    await p.write("CONFIG", function.code)
    for used in (False, True):
        for count in range(3):
            data = p.rng.randbytes(8)
            if used:
                await p.begin(function)
                await p.feed(p.rng.randbytes(200 + count))
            await p.command("clear")
            await p.command("start")
            await p.feed(data)
            await p.command("last")
            assert await p.words(8) == oracles.library_digest(function, data)
    assert await p.read("ERROR") == 0


@cocotb.test(skip=not STREAM)
async def streamed(dut: Any) -> None:
    """Messages by AXI4-Stream, with waits on both sides; MESSAGE is closed then."""
    p = await started(dut)
    stream = REGISTERS["CONFIG"].field("stream").mask
    packets = REGISTERS["CONFIG"].field("packets").mask
    for _ in range(max(3, COUNT // 20)):
        function = p.rng.choice(FIXED)
        data = p.rng.randbytes(lengths(p.rng, function))
        parts = [data]
        if p.rng.random() < 0.5:
            cuts = sorted(p.rng.randrange(len(data) + 1) for _ in range(p.rng.randrange(4)))
            parts = [data[a:b] for a, b in itertools.pairwise([0, *cuts, len(data)])]
            await p.write("CONFIG", function.code | stream | packets)
        else:
            await p.write("CONFIG", function.code | stream)
        joined = bool(await p.read("CONFIG") & packets)
        sender = cocotb.start_soon(_packets(dut, parts, p.rng))
        for _ in range(p.rng.randrange(3)):
            await p.read("STATUS")
        await p.command("start")
        if p.rng.random() < 0.5:
            await p.write("MESSAGE", 0x12345678)
            assert await p.read("ERROR") == REGISTERS["ERROR"].field("message_write").mask
            await p.write("ERROR", OPEN)
        await sender
        if joined:
            await p.command("last")
        found = await p.words(function.digest_bits // 32)
        assert found == expected(function, data, 8 * len(data), 0), f"{function.name} {len(data)}"
    assert await p.read("ERROR") == 0


@cocotb.test(skip=not STREAM)
async def words_and_a_stream(dut: Any) -> None:
    """Messages whose begin is written to MESSAGE, any number of words, and whose rest is streamed.

    And the other way around: the hash is held where one takes the other's turn.
    """
    p = await started(dut)
    stream = REGISTERS["CONFIG"].field("stream").mask | REGISTERS["CONFIG"].field("packets").mask

    async def other(config: int) -> None:
        await p.command("hold")
        await p.phase(HELD)
        await p.write("CONFIG", config)
        await p.command("resume")

    for number in range(max(10, COUNT // 3)):
        function = p.rng.choice(FIXED)
        data = p.rng.randbytes(lengths(p.rng, function) + 13)
        first = min(len(data), 4 * number if number < 6 else p.rng.randrange(len(data)))
        second = p.rng.randrange(first, len(data) + 1)
        await p.begin(function)
        await p.feed(data[:first], whole=number < 6)
        await other(function.code | stream)
        await _beats(dut, data[first:second], p.rng)
        if p.rng.random() < 0.7:
            await other(function.code)
            await p.feed(data[second:])
        else:
            await _beats(dut, data[second:], p.rng)
        await p.command("last")
        found = await p.words(function.digest_bits // 32)
        assert found == expected(function, data, 8 * len(data), 0), (function.name, first, second)
    assert await p.read("ERROR") == 0


PATIENCE = 10 * BOUND
"""Clocks after which a beat that is not accepted fails a test: far more than a block takes."""


async def _packets(dut: Any, parts: list[bytes], rng: random.Random) -> None:
    """Send a message in packets."""
    for part in parts:
        await _beats(dut, part, rng)


async def low(dut: Any) -> None:
    """Wait for the half of a clock in which signals are driven: cocotbext-axi ends in the other."""
    if int(dut.clk_i.value):
        await FallingEdge(dut.clk_i)


async def _beats(dut: Any, data: bytes, rng: random.Random) -> None:
    """Send a message: bytes anywhere in the beats, the last of which may be empty."""
    await low(dut)
    while True:
        while rng.random() < WAITS:
            dut.s_axis_tvalid.value = 0
            await FallingEdge(dut.clk_i)
        full = (1 << BEAT) - 1
        keep = rng.choice([full, full, full, rng.randrange(full + 1)])
        count = min(keep.bit_count(), len(data))
        if keep.bit_count() > count:
            keep = (1 << count) - 1
        word, part = rng.getrandbits(8 * BEAT), iter(data[:count])
        for lane in range(BEAT):
            if keep >> lane & 1:
                word = word & ~(0xFF << 8 * lane) | next(part) << 8 * lane
        data = data[count:]
        last = not data and (count > 0 or rng.random() < 0.5)
        if last and rng.random() < 0.5:  # all before it has been absorbed
            dut.s_axis_tvalid.value = 0
            await ClockCycles(dut.clk_i, 40)
            await FallingEdge(dut.clk_i)
        dut.s_axis_tvalid.value, dut.s_axis_tdata.value = 1, word
        dut.s_axis_tkeep.value, dut.s_axis_tlast.value = keep, int(last)
        for _ in range(PATIENCE):
            await ReadOnly()
            taken = int(dut.s_axis_tready.value)
            await FallingEdge(dut.clk_i)
            if taken:
                break
        else:
            raise AssertionError(f"s_axis_tready is low for {PATIENCE} clocks")
        if last:
            dut.s_axis_tvalid.value = 0
            return


####################
# Save and restore #
####################


@dataclass
class Job:
    """One of many hashes on the one core."""

    function: Function
    data: bytes
    output_bits: int
    open: bool
    fed: int = 0
    ended: bool = False
    out: bytes = b""
    saved: Saved | None = None

    @property
    def wanted(self) -> int:
        """Words of output."""
        return -(-(self.output_bits if self.function.xof else self.function.digest_bits) // 32)

    @property
    def done(self) -> bool:
        """Return whether all output is there."""
        return self.ended and len(self.out) >= 4 * self.wanted


@cocotb.test()
async def saved_and_restored(dut: Any) -> None:
    """Sixteen hashes in turns of any length, held at any time, in any phase."""
    p = await started(dut)
    rng = p.rng
    for _ in range(max(1, COUNT // 100)):
        jobs = []
        for index in range(16):
            function = FUNCTIONS[index % len(FUNCTIONS)]
            data = rng.randbytes(lengths(rng, function))
            job = Job(function, data, rng.randrange(1, 2200), rng.random() < 0.3)
            jobs.append(job)
        while left := [job for job in jobs if not job.done]:
            await turn(p, rng.choice(left))
        for job in jobs:
            wanted = 32 * job.wanted if job.open else job.output_bits
            reference = expected(job.function, job.data, 8 * len(job.data), wanted)
            assert job.out[: len(reference)] == reference, job.function.name
    assert await p.read("ERROR") == 0


async def turn(p: Peripheral, job: Job) -> None:
    """Take up a job, do some of it, and put it aside."""
    rng = p.rng
    if job.saved is not None:
        await p.restore(job.saved)
    else:
        length = OPEN if job.open and job.function.xof else job.output_bits
        await p.begin(job.function, length)
    for _ in range(rng.randrange(1, 4)):
        if not job.ended:
            count = rng.choice([0, 1, 3, 4, 30, 500])
            await p.feed(job.data[job.fed : job.fed + count])
            job.fed = min(len(job.data), job.fed + count)
            if job.fed == len(job.data) and rng.random() < 0.7:
                await p.command("last")
                job.ended = True
        elif not job.done:
            count = min(rng.choice([1, 5, 40]), job.wanted - len(job.out) // 4)
            job.out += await p.words(count)
    if rng.random() < 0.2:  # held and let go again
        await p.command("hold")
        await p.phase(HELD)
        if rng.random() < 0.5:
            await p.read("STATE.WORD", rng.randrange(50))
        await p.command("resume")
    if job.done:
        await p.clear()
        return
    job.saved, words = await p.save()
    job.out += words


####################
# Registers        #
####################


@dataclass
class Covered:
    """What the tests below have seen of every field: its reads, its writes, its effects."""

    seen: set[tuple[str, str, str]] = field(default_factory=set)

    def add(self, register: str, part: str, what: str) -> None:
        """Note that a field was seen doing something."""
        self.seen.add((register, part, what))

    def check(self) -> None:
        """Fail unless every field of every register was read and written as far as it can be."""
        for name, register in REGISTERS.items():
            for part in register.fields if RUN or name != "RUN" else ():
                for access in part.software:
                    what = {"r": "read", "w": "written"}[access]
                    assert (name, part.name, what) in self.seen, f"{name}.{part.name} not {what}"


COVERED = Covered()


def is_window(register: MappedRegister) -> bool:
    """Return whether accesses have effects or wait: MESSAGE, DIGEST, STATE, and their windows."""
    return register.external and register.name != "LENGTH"


@cocotb.test()
async def registers_reset(dut: Any) -> None:
    """After a reset, and after two hashes and a second reset: reset values, and what was built."""
    p = await started(dut)
    built = {
        "CAPS": MESSAGE_WORDS << 8 | DIGEST_WORDS << 16 | STREAM << 24 | ENGINE << 25,
        "FUNCTIONS": sum(1 << function.code for function in FUNCTIONS),
        "STATUS": MESSAGE_WORDS << 8,
        "OPTIONS": RUN | SAMPLER << 1 | PREFIX << 2,
    }
    for _ in range(2):
        await p.phase(IDLE)
        for name, register in REGISTERS.items():
            if is_window(register) or not register.bits(lambda f: "r" in f.software):
                continue
            found = await p.read(name)
            wanted = register.reset | built.get(name, 0)
            if CONTEXTS and name == "CAPS":  # that many contexts, and the least number of words
                slots, words = register.field("slots").mask, register.field("digest_words").mask
                wanted = wanted & ~slots & ~words | p.bus.pages | words & -words
            assert found == wanted, f"{name}: {found:#x}, not {wanted:#x}"
            for part in register.fields:
                if "r" in part.software:
                    COVERED.add(name, part.name, "read")
        for name, register in REGISTERS.items():  # none is at its reset value now
            if not is_window(register):
                await p.write(name, OPEN)
        await p.begin(KECCAK["shake128"], OPEN)
        await p.feed(b"secret")
        await p.command("last")
        assert any(await p.words(3))
        dut.rst_i.value = 1
        for _ in range(2):  # AXI4-Lite's master comes back at a rising edge
            await FallingEdge(dut.clk_i)
        dut.rst_i.value = 0
        await p.phase(IDLE)
    await p.command("hold")
    await p.phase(HELD)
    for index in range(50):
        assert await p.read("STATE.WORD", index) == 0


@cocotb.test()
async def registers_access(dut: Any) -> None:  # noqa: PLR0912
    """Each field by its access type: plain, closed by phases, cleared by 1, pulses, read-only."""
    p = await started(dut)
    for name, register in REGISTERS.items():
        if is_window(register) or name == "COMMAND":
            continue
        if name == "POSITION":
            await p.command("hold")
            await p.phase(HELD)
        plain = register.bits(lambda f: f.software == "rw" and not f.clears)
        plain &= ~register.bits(lambda f: f.name in CONSTANT)
        for _ in range(20):
            before = await p.read(name)
            value, strobe = p.rng.getrandbits(32), p.rng.choice([1, 2, 4, 8, 3, 12, 15, 15])
            await p.write(name, value, strobe=strobe)
            enabled = sum(0xFF << 8 * lane for lane in range(4) if strobe >> lane & 1)
            wanted = before & ~(plain & enabled) | value & plain & enabled
            if name == "INTR_STATE":
                wanted = before & ~(value & enabled)
            found = await p.read(name)
            if name not in ("ERROR", "STATUS"):
                assert found == wanted, f"{name}: {found:#x} for {value:#x} by {strobe:#x}"
        for part in register.fields:
            if part.mask & plain:
                for value in (0, part.mask):
                    await p.write(name, value)
                    assert await p.read(name) & part.mask == value
                COVERED.add(name, part.name, "written")
            elif part.name in CONSTANT:
                COVERED.add(name, part.name, "written")  # and it kept its value, above
        if name in ("CONFIG", "LENGTH", "TAIL", "POSITION", "INTR_ENABLE"):
            await p.write(name, register.reset)
    await p.clear()
    await p.write("ERROR", OPEN)
    await p.write("INTR_STATE", OPEN)
    for part in REGISTERS["INTR_TEST"].fields:
        await p.write("INTR_TEST", part.mask)
        assert await p.read("INTR_STATE") == part.mask, part.name
        await p.write("INTR_STATE", ~part.mask & OPEN)
        assert await p.read("INTR_STATE") == part.mask, f"{part.name} was not to be cleared"
        for enable in REGISTERS["INTR_ENABLE"].fields:
            await p.write("INTR_ENABLE", enable.mask)
            await p.read("STATUS")
            assert irq(dut) == (enable.name == part.name), (part.name, enable.name)
        await p.write("INTR_STATE", part.mask)
        assert await p.read("INTR_STATE") == 0, part.name
        await p.read("STATUS")
        assert irq(dut) == 0
        COVERED.add("INTR_TEST", part.name, "written")
        COVERED.add("INTR_STATE", part.name, "written")
    assert await p.read("ERROR") == 0


@cocotb.test()
async def accesses_that_no_register_takes(dut: Any) -> None:
    """Each sets its bit and its interrupt, does nothing else, and is answered with OKAY."""
    p = await started(dut)
    function, data = KECCAK["shake128"], p.rng.randbytes(60)
    bad, error = (
        REGISTERS[name].field(part).mask
        for name, part in (("ERROR", "bad_access"), ("INTR_STATE", "error"))
    )
    way = {
        r.address + 4 * i: r.fields[0].software for r in REGISTERS.values() for i in range(r.count)
    }
    if not RUN:
        del way[REGISTERS["RUN"].address]
    await p.begin(function, OPEN)
    await p.feed(data[:30])
    await p.write("INTR_ENABLE", error)
    await p.write("INTR_STATE", OPEN)
    for address in range(0, 508 if CONTEXTS else 512, 4):  # then OWNER
        for write in (False, True):
            allowed = way.get(address, "")
            if ("w" if write else "r") in allowed:
                continue
            strobe = p.rng.choice([1, 2, 4, 8, 3, 6, 12, 7, 14, 15])
            if write:
                await p.bus.write(address, p.rng.getrandbits(32), strobe)
            else:
                assert await p.bus.read(address) == 0, f"{address:#x} ({allowed})"
            await p.read("STATUS")
            assert irq(dut) == 1, hex(address)
            found = await p.read("ERROR")
            assert found == bad, f"{'write' if write else 'read'} of {address:#x} ({allowed})"
            assert await p.get("STATUS", "error") == 1
            await p.write("ERROR", bad)
            await p.write("INTR_STATE", error)
            await p.read("STATUS")
            assert irq(dut) == 0, hex(address)
            if write and PLAIN != "axil":  # whose master sends no such writes
                await p.bus.write(address, p.rng.getrandbits(32), 0)
                assert await p.read("ERROR") == 0, f"a write to {address:#x} without a byte"
    await p.feed(data[30:])
    await p.command("last")
    assert await p.words(6) == digest(function, data, output_bits=192)
    await p.command("stop")


@cocotb.test(skip=PLAIN == "axil")  # whose master sends no such writes
async def writes_without_a_byte(dut: Any) -> None:
    """Such a write to any address does nothing in any phase: no error, no word less or more."""
    p = await started(dut)
    kept = ["CONFIG", "LENGTH", "TAIL", "INTR_ENABLE", "INTR_STATE", "ERROR"]
    if not CONTEXTS:  # where each turn holds and resumes the hash, which writes it
        kept.append("POSITION")

    async def nothing() -> None:
        before = [await p.read(name) for name in kept], await p.get("STATUS", "digest_words")
        for address in range(0, 508 if CONTEXTS else 512, 4):  # then OWNER
            await p.bus.write(address, p.rng.getrandbits(32), 0)
        after = [await p.read(name) for name in kept], await p.get("STATUS", "digest_words")
        assert after == before

    function, data = KECCAK["shake256"], p.rng.randbytes(150)
    wanted = digest(function, data, output_bits=32 * (DIGEST_WORDS + 2))
    await nothing()
    for ended in ("last", "counted") if RUN else ("last",):
        if ended == "counted":
            await p.run(function, bytes_=len(data), words=DIGEST_WORDS + 2)
        else:
            await p.begin(function, 32 * (DIGEST_WORDS + 2))
        await p.feed(data[:50])
        await nothing()
        await p.feed(data[50:])
        if ended == "last":
            await nothing()
            await p.command("last")
        await clocks(dut, SETTLED)
        assert await p.get("STATUS", "digest_words") == DIGEST_WORDS
        await nothing()
        found = await p.words(1)
        await p.command("hold")
        await p.phase(HELD)
        await nothing()
        await p.command("resume")
        await nothing()
        found += await p.words(1)
        if not CONTEXTS:  # of which one that takes turns computes its output when it is read
            await p.phase(IDLE)
        await nothing()
        assert found + await p.words(DIGEST_WORDS) == wanted, ended


@cocotb.test()
async def windows(dut: Any) -> None:
    """Message and digest at rising addresses, as of a burst, by themselves or among others."""
    p = await started(dut)
    into, out = REGISTERS["MESSAGE_WINDOW.WORD"], REGISTERS["DIGEST_WINDOW.WORD"]
    for number in range(max(4, COUNT // 15)):
        function = p.rng.choice(FUNCTIONS)
        data, output = p.rng.randbytes(lengths(p.rng, function)), p.rng.randrange(1, 1500)
        await p.begin(function, output if function.xof else 0)
        at, step = 4 * p.rng.randrange(into.count), p.rng.choice([1, 2, 4])
        for start in range(0, len(data), step):
            part = data[start : start + step]
            if number % 3 and p.rng.random() < 0.2:
                await p.feed(part)
                continue
            word = int.from_bytes(p.rng.randbytes(4), "little")
            low = at % 4
            if low + len(part) > 4:
                at, low = at + 4 - low, 0
            for lane, byte in enumerate(part, low):
                word = word & ~(0xFF << 8 * lane) | byte << 8 * lane
            strobe = (1 << low + len(part)) - (1 << low)
            await p.bus.write(into.address + at // 4 % into.count * 4, word, strobe)
            at += len(part)
        await p.command("last")
        wanted = output if function.xof else function.digest_bits
        found = b""
        at = p.rng.randrange(out.count)
        for _ in range(-(-wanted // 32)):
            if number % 3 and p.rng.random() < 0.2:
                found += await p.words(1)
                continue
            found += (await p.bus.read(out.address + at % out.count * 4)).to_bytes(4, "little")
            at += 1
        assert found[: -(-wanted // 8)] == expected(function, data, 8 * len(data), output)
        assert await p.read("ERROR") == 0
    for index in (0, out.count - 1):
        for register, name in ((out, "digest_read"), (into, "message_write")):
            if register is out:
                assert await p.bus.read(out.address + 4 * index) == 0
            else:
                await p.bus.write(into.address + 4 * index, OPEN)
            assert await p.read("ERROR") == REGISTERS["ERROR"].field(name).mask
            await p.write("ERROR", OPEN)
    COVERED.add("MESSAGE_WINDOW.WORD", "data", "written")
    COVERED.add("DIGEST_WINDOW.WORD", "data", "read")


####################
# In one write     #
####################


async def short(p: Peripheral, data: bytes) -> None:
    """Write a message in whole words, the last of which may have more bytes than the message."""
    for at in range(0, len(data), 4):
        word = data[at : at + 4] + p.rng.randbytes(4)
        await p.write("MESSAGE", int.from_bytes(word[:4], "little"))


@cocotb.test(skip=not RUN)
async def hashes_in_one_write(dut: Any) -> None:
    """RUN gives function, lengths and start: digests of every function, any bytes, any words."""
    p = await started(dut)
    rng = p.rng
    for round_ in range(max(1, COUNT // 60)):
        for function in FUNCTIONS:
            data = rng.randbytes(rng.choice([0, 1, 2, 3, 4, 5, 64, lengths(rng, function)]))
            words = function.digest_bits // 32
            if function.xof:
                words = rng.choice([1, 2, rng.randrange(1, 70)])
            kind = rng.choice(["words", "bytes", "last", "early"])
            counted = (
                None if kind == "last" else len(data) + rng.randrange(1, 9) * (kind == "early")
            )
            await p.run(function, bytes_=counted, words=words if function.xof else 0)
            if kind == "last":
                assert await p.get("POSITION", "counted") == 0
            if kind == "words":
                await short(p, data)
            else:
                await p.feed(data)
            if kind in ("last", "early"):
                await p.command("last")
            found = await p.words(words)
            reference = expected(function, data, 8 * len(data), 32 * words)
            assert found[: len(reference)] == reference, (
                f"{function.name}: {len(data)} bytes, {kind}, round {round_}"
            )
            assert await p.phase(IDLE) == IDLE
            assert await p.get("STATUS", "done") == 1
            assert await p.get("CONFIG", "function_code") == function.code
    assert await p.read("ERROR") == 0
    for part in REGISTERS["RUN"].fields:
        COVERED.add("RUN", part.name, "written")


@cocotb.test(skip=not RUN)
async def a_run_is_a_start(dut: Any) -> None:
    """After an unread output, a `clear`, a `stop`; open outputs; the next hash by registers."""
    p = await started(dut, waits=0)
    rng = p.rng
    fixed, xof = KECCAK["sha3-256"], KECCAK["shake128"]
    data, other = rng.randbytes(64), rng.randbytes(30)
    for before in ("unread", "clear", "stop", "length", "open", "fixed", "empty"):
        count = {"stop": None, "unread": 2 + DIGEST_WORDS}.get(before, 5)
        await p.run(xof, bytes_=len(other), words=count)
        await short(p, other)
        assert await p.words(2) == digest(xof, other, output_bits=64)
        if before in ("clear", "stop"):
            await p.command(before)
        elif before == "unread":
            await p.phase(IDLE)
        else:
            await p.words(3)
        if before == "length":  # as it was written
            await p.write("LENGTH", 75)
            await p.run(xof, bytes_=len(data))
            await short(p, data)
            assert (await p.words(3))[:9] == digest(xof, data, output_bits=72)
        elif before == "open":
            await p.run(xof, bytes_=len(data), words=None)
            await short(p, data)
            assert await p.words(90) == digest(xof, data, output_bits=90 * 32)
            assert await p.read("LENGTH") == OPEN
            await p.command("stop")
        elif before == "fixed":  # it has its own length whatever is written
            await p.run(fixed, bytes_=len(data), words=3)
            await short(p, data)
            assert await p.words(8) == oracles.library_digest(fixed, data)
        elif before == "empty":
            await p.run(fixed, bytes_=0)
            assert await p.words(8) == oracles.library_digest(fixed, b"")
        else:
            await p.run(fixed, bytes_=len(data))
            await short(p, data)
            assert await p.words(8) == oracles.library_digest(fixed, data)
        # A hash by `start` is not counted, and has no length.
        found = await p.digest(xof, data + other, output_bits=160)
        assert found == digest(xof, data + other, output_bits=160), before
        await p.phase(IDLE)
        assert await p.get("POSITION", "counted") == 0
    assert await p.read("ERROR") == 0


@cocotb.test(skip=not RUN)
async def runs_that_are_illegal(dut: Any) -> None:  # noqa: PLR0915
    """They set their bit in ERROR and do nothing; a message that has ended takes no more."""
    p = await started(dut)
    function, data = KECCAK["shake256"], p.rng.randbytes(64)
    causes = {part.name: part.mask for part in REGISTERS["ERROR"].fields}

    async def error() -> int:
        found = await p.read("ERROR")
        await p.write("ERROR", OPEN)
        return found

    for phase in (ABSORB, SQUEEZE, HELD):
        await p.begin(function, OPEN)
        await p.feed(data[:20])
        if phase == SQUEEZE:
            await p.feed(data[20:])
            await p.command("last")
            await p.phase(SQUEEZE)
        if phase == HELD:
            await p.command("hold")
            await p.phase(HELD)
        names = ("CONFIG", "LENGTH", "POSITION")
        before = [await p.read(name) for name in names]
        await p.run(KECCAK["sha3-512"], bytes_=4, words=7)
        assert await error() == causes["bad_command"], phase
        assert [await p.read(name) for name in names] == before
        if phase == HELD:
            await p.command("resume")
        if phase != SQUEEZE:
            await p.feed(data[20:])
            await p.command("last")
        assert await p.words(10) == digest(function, data, output_bits=320), phase
        await p.command("stop")
        await p.phase(IDLE)
    for strobe in (1, 7, 14):  # a part of the word
        await p.write("RUN", 0, strobe=strobe)
        assert await error() == causes["bad_command"]
    assert await p.get("CONFIG", "function_code") == function.code

    # A function that is not there: the next hash is not counted.
    await p.write("RUN", 0x1F | 8 << 17)
    assert await p.phase(IDLE, polls=9) == IDLE
    assert await error() == causes["bad_function"]
    assert await p.get("POSITION", "counted") == 0
    # What comes after the last byte is lost; `last` is illegal then.
    await p.run(KECCAK["sha3-256"], bytes_=6)
    await short(p, data[:6])
    await p.feed(b"more")
    assert await error() == causes["message_write"]
    await p.command("last")
    assert await p.words(8) == oracles.library_digest(KECCAK["sha3-256"], data[:6])
    await p.phase(IDLE)
    assert await error() == causes["bad_command"]
    # No length: as after tlast.
    await p.run(function, bytes_=4)
    await short(p, data[:4])
    await p.phase(IDLE)
    assert await error() == causes["no_length"]
    assert await p.get("STATUS", "digest_words") == 0
    # A message that the stream brings is not counted.
    assert await p.digest(function, data, output_bits=64) == digest(function, data, output_bits=64)
    assert await p.read("ERROR") == 0


@cocotb.test(skip=not RUN)
async def bits_after_a_run(dut: Any) -> None:
    """TAIL, written before RUN, is of its message."""
    p = await started(dut)
    for name, words in (("sha3-256", 8), ("shake128", 3)):
        function, data = KECCAK[name], p.rng.randbytes(10)
        for bits in (1, 7):
            await p.write("TAIL", data[9] << 8 | bits)
            await p.run(function, bytes_=9, words=words)
            await short(p, data[:9])
            found = await p.words(words)
            assert found == expected(function, data, 72 + bits, 32 * words)
    assert await p.read("ERROR") == 0


@cocotb.test(skip=not RUN)
async def runs_are_saved(dut: Any) -> None:
    """What is left of a counted message is saved, restored, held and let go with it."""
    p = await started(dut)
    rng = p.rng
    for number in range(max(4, COUNT // 15)):
        function = rng.choice(FUNCTIONS)
        words = rng.randrange(1, 50) if function.xof else function.digest_bits // 32
        data = rng.randbytes(rng.choice([rng.randrange(9), rng.randrange(300)]))
        await p.run(function, bytes_=len(data), words=words)
        at = 4 * rng.randrange(len(data) // 4 + 1) if number % 2 else rng.randrange(len(data) + 1)
        if at == len(data):  # it ends by itself: nothing is left to be held
            at = max(0, at - 1)
        if not data:
            found = b""
        else:
            await p.feed(data[:at])
            if rng.random() < 0.5:
                saved, _ = await p.save()
                assert saved.position >> 16 == 1 | (len(data) - at) << 1
                await p.digest(KECCAK["sha3-224"], rng.randbytes(9))
                await p.restore(saved)
            else:
                await p.command("hold")
                await p.phase(HELD)
                await p.command("resume")
            await short(p, data[at:])
            found = b""
        if rng.random() < 0.5:
            found = await p.words(1)
            if words > 1:
                saved, left = await p.save()
                await p.restore(saved)
                found += left
        found += await p.words(words - len(found) // 4)
        reference = expected(function, data, 8 * len(data), 32 * words)
        assert found[: len(reference)] == reference, f"{function.name}: {at} of {len(data)}"
        await p.phase(IDLE)
    assert await p.read("ERROR") == 0


async def clocks(dut: Any, count: int) -> None:
    """Let clocks pass."""
    for _ in range(count):
        await FallingEdge(dut.clk_i)


async def in_a_row(dut: Any, *accesses: Coroutine[Any, Any, None], gap: int = 0) -> None:
    """Make accesses as soon as the bus lets them, or with `gap` clocks in between.

    AXI4-Lite has them at once: they do not wait for the answers of those before them.
    """
    waiting = []
    for i, access in enumerate(accesses):
        await clocks(dut, gap if i else 0)
        if BUS == "axil":
            waiting.append(cocotb.start_soon(access))
        else:
            await access
    for one in waiting:
        await one


@cocotb.test(skip=not RUN)
async def accesses_right_after_a_run(dut: Any) -> None:
    """The message follows RUN as soon as the bus lets it; CONFIG is closed."""
    p = await started(dut, waits=0)
    function, data = KECCAK["sha3-256"], p.rng.randbytes(8)
    for before in ("", "clear", "stop"):
        for gap in range(4):
            if before == "stop":
                await p.begin(KECCAK["shake128"], OPEN)
                await p.command("last")
                await p.words(1)
            first = [p.command(before)] if before else []
            await in_a_row(dut, *first, p.run(function, bytes_=len(data)), short(p, data), gap=gap)
            assert await p.words(8) == oracles.library_digest(function, data), (before, gap)
            await p.phase(IDLE)
    assert await p.read("ERROR") == 0
    for gap in range(6):
        config = p.write("CONFIG", KECCAK["sha3-512"].code)
        await in_a_row(dut, p.run(function, bytes_=len(data)), config, gap=gap)
        assert await p.read("ERROR") == REGISTERS["ERROR"].field("config_write").mask
        await p.write("ERROR", OPEN)
        await short(p, data)
        assert await p.words(8) == oracles.library_digest(function, data)
        await p.phase(IDLE)
    # `last` in the next clock; words beyond the message in the next clocks.
    await in_a_row(dut, p.run(function, bytes_=None), p.command("last"))
    assert await p.words(8) == oracles.library_digest(function, b"")
    await p.phase(IDLE)
    assert await p.read("ERROR") == 0
    await p.run(function, bytes_=4)
    await p.phase(ABSORB)
    await in_a_row(dut, *(p.write("MESSAGE", OPEN) for _ in range(3)))
    assert await p.words(8) == oracles.library_digest(function, b"\xff" * 4)
    assert await p.read("ERROR") == REGISTERS["ERROR"].field("message_write").mask
    # A second start while RUN's waits, or when it has begun.
    await p.write("ERROR", OPEN)
    await p.phase(IDLE)
    await in_a_row(dut, p.run(function, bytes_=8), p.command("start"))
    assert await p.read("ERROR") == REGISTERS["ERROR"].field("bad_command").mask
    await short(p, data)
    assert await p.words(8) == oracles.library_digest(function, data)


@cocotb.test(skip=not RUN)
async def runs_without_a_message(dut: Any) -> None:
    """A write to MESSAGE after a RUN of no bytes is an error, whenever it comes; none is due."""
    p = await started(dut, waits=0)
    function = KECCAK["sha3-256"]
    await p.run(function, bytes_=0)
    busy, phase = REGISTERS["STATUS"].field("busy"), REGISTERS["STATUS"].field("phase")
    for _ in range(WIPE_POLLS):
        status = await p.read("STATUS")
        absorbing = (status & phase.mask) >> phase.low == ABSORB
        assert status & busy.mask or not absorbing, "idle before its end"
    assert await p.words(8) == oracles.library_digest(function, b"")
    assert await p.get("INTR_STATE", "room") == 0
    await p.phase(IDLE)
    await p.write("INTR_STATE", OPEN)
    lost = REGISTERS["ERROR"].field("message_write").mask
    for gap in range(8):
        await in_a_row(dut, p.run(function, bytes_=0), p.write("MESSAGE", OPEN), gap=gap)
        assert await p.words(8) == oracles.library_digest(function, b""), gap
        await p.phase(IDLE)
        assert await p.read("ERROR") == lost, gap
        await p.write("ERROR", OPEN)


@cocotb.test()
async def commands_at_the_end(dut: Any) -> None:
    """Around the begin and the end of an output: `clear`, a poll, `stop`, and writes after them."""
    p = await started(dut, waits=0)
    fixed, xof = KECCAK["sha3-256"], KECCAK["shake128"]
    span = range(60) if ENGINE == 0 else range(0, 60, 7)
    for gap in span:  # `clear` when a length of its own is loaded
        await p.begin(fixed)
        await p.command("last")
        await clocks(dut, gap)
        await p.command("clear")
        await p.phase(IDLE)
        assert await p.read("LENGTH") == 0, gap
    for gap in span:  # a poll of `done`, and writes at once
        await p.begin(xof, 32)
        await p.command("last")
        await clocks(dut, gap)
        while not await p.get("STATUS", "done"):
            pass
        await p.write("CONFIG", xof.code)
        await p.write("LENGTH", 64)
        assert await p.read("ERROR") == 0, gap
        await p.phase(IDLE)
    for gap in span:  # `stop`, and writes of the next hash at once
        await p.begin(xof, 40)
        await p.command("last")
        await clocks(dut, gap)
        await p.phase(SQUEEZE, IDLE)
        await clocks(dut, gap % 7)
        await in_a_row(dut, p.command("stop"), p.write("LENGTH", 64), p.write("CONFIG", xof.code))
        assert await p.read("LENGTH") == 64, gap
        assert await p.read("ERROR") == 0, gap
        await p.phase(IDLE)


@cocotb.test()
async def hashes_right_after_a_stop(dut: Any) -> None:
    """`stop` around the end of an output, or of the wipe after it, and the next hash at once."""
    p = await started(dut, waits=0)
    fixed, xof = KECCAK["sha3-256"], KECCAK["shake128"]
    data = p.rng.randbytes(8)
    wanted = oracles.library_digest(fixed, data)
    spans = (range(40), range(0, 60, 4), range(0, 900, 60))
    for gap in spans[ENGINE]:
        await p.begin(xof, 40 if DIGEST_WORDS > 1 else 32)  # it ends unread
        await p.command("last")
        await p.phase(FINISH, SQUEEZE, IDLE)
        await p.phase(SQUEEZE, CHANGE, IDLE)
        await clocks(dut, gap)
        if RUN and gap % 8 > 3:
            await in_a_row(dut, p.command("stop"), p.run(fixed, bytes_=len(data)), short(p, data))
        else:
            config, start = p.write("CONFIG", fixed.code), p.command("start")
            words = [p.write("MESSAGE", int.from_bytes(data[i : i + 4], "little")) for i in (0, 4)]
            await in_a_row(dut, p.command("stop"), config, start, *words, p.command("last"))
        assert await p.words(8) == wanted, gap
        assert await p.read("ERROR") == 0, gap
        await p.phase(IDLE)


@cocotb.test()
async def a_stop_that_is_refused(dut: Any) -> None:
    """Around the begin of the output: it opens nothing, and the output goes on."""
    p = await started(dut, waits=0)
    xof, data = KECCAK["shake128"], p.rng.randbytes(8)
    bad = REGISTERS["ERROR"].field("bad_command").mask
    lost = REGISTERS["ERROR"].field("config_write").mask
    span = range(32) if ENGINE == 0 else range(0, 480, 30)
    for gap, between in itertools.product(span, range(3)):
        await p.begin(xof, OPEN)
        await p.feed(data)
        await p.command("last")
        await clocks(dut, gap)
        other = p.write("CONFIG", KECCAK["sha3-512"].code)
        await in_a_row(dut, p.command("stop"), other, gap=between)
        error = await p.read("ERROR")
        if error & bad:
            assert error == bad | lost, gap
            assert await p.words(4) == digest(xof, data, output_bits=128), gap
        else:
            assert error == 0, gap
        await p.clear()
        await p.write("ERROR", OPEN)


@cocotb.test(skip=not RUN)
async def run_while_a_hold_waits(dut: Any) -> None:
    """RUN right after `hold`, in a wipe too, is an error: the state of zero is held."""
    p = await started(dut, waits=0)
    fixed = KECCAK["sha3-256"]
    names = ("CONFIG", "LENGTH", "POSITION")
    for gap in range(24):
        await p.begin(fixed)
        await p.clear()
        await p.command("hold")
        await p.phase(HELD)
        before = [await p.read(name) for name in names]
        await p.command("clear")
        if gap % 2:
            await p.phase(IDLE)
        await clocks(dut, gap // 4)
        run = p.run(KECCAK["shake128"], bytes_=9, words=7)
        await in_a_row(dut, p.command("hold"), run, gap=gap % 4)
        assert await p.phase(HELD) == HELD, gap
        assert await p.read("ERROR") == REGISTERS["ERROR"].field("bad_command").mask, gap
        assert [await p.read(name) for name in names] == before, gap
        await p.write("ERROR", OPEN)
        await p.clear()


@cocotb.test(skip=CONTEXTS)  # a page's commands come when the wipe is over
async def commands_that_wait(dut: Any) -> None:
    """In the wipe: one that would take effect before an earlier one is an error, and not done."""
    p = await started(dut, waits=0)
    fixed, data = KECCAK["sha3-256"], p.rng.randbytes(4)
    bad = REGISTERS["ERROR"].field("bad_command").mask
    after = {
        ("hold", "start"): HELD,
        ("hold", "stop"): HELD,
        ("start", "stop"): ABSORB,
        ("resume", "hold"): IDLE,
        ("resume", "start"): IDLE,
        ("last", "start"): IDLE,
    }
    if PREFIX:
        after |= {("keep", "start"): IDLE, ("recall", "start"): IDLE, ("last", "recall"): IDLE}
    for pair, phase in after.items():
        await p.begin(fixed)
        await p.feed(data)
        first, second = (p.command(name) for name in pair)
        await in_a_row(dut, p.command("clear"), first, second)
        await p.phase(IDLE, HELD, ABSORB)
        assert await p.phase(phase, polls=COMMAND_POLLS) == phase, pair
        assert await p.read("ERROR") == bad, pair
        await p.write("ERROR", OPEN)
        await p.clear()
        assert await p.digest(fixed, data) == oracles.library_digest(fixed, data), pair
        await p.phase(IDLE)
    # `last` right after `resume`, which has been decided.
    for gap in range(8):
        await p.begin(fixed)
        await p.feed(data)
        await p.command("hold")
        await p.phase(HELD)
        await in_a_row(dut, p.command("resume"), p.command("last"), gap=gap)
        if await p.read("ERROR"):  # it came while `resume` waited
            await p.write("ERROR", OPEN)
            await p.command("last")
            assert gap < 4
        assert await p.words(8) == oracles.library_digest(fixed, data), gap
        await p.phase(IDLE)


@cocotb.test()
async def closed_by_commands(dut: Any) -> None:
    """What a command closes is closed, whenever the write comes after it."""
    p = await started(dut, waits=0)
    fixed, xof = KECCAK["sha3-256"], KECCAK["shake128"]
    lost = REGISTERS["ERROR"].field("config_write").mask
    for gap in range(6):
        data = p.rng.randbytes(20)
        await p.write("CONFIG", fixed.code)
        other = p.write("CONFIG", xof.code)
        await in_a_row(dut, p.command("start"), other, gap=gap)
        assert await p.read("ERROR") == lost, gap
        await p.write("ERROR", OPEN)
        await p.feed(data)
        await p.command("hold")
        await p.phase(HELD)
        other = p.write("POSITION", 0) if gap % 2 else p.write("CONFIG", xof.code)
        await in_a_row(dut, p.command("resume"), other, gap=gap // 2)
        assert await p.read("ERROR") == lost, gap
        await p.write("ERROR", OPEN)
        await in_a_row(dut, p.command("last"), p.write("LENGTH", 64), gap=gap)
        assert await p.read("ERROR") == lost, gap
        await p.write("ERROR", OPEN)
        assert await p.words(8) == oracles.library_digest(fixed, data), gap
        await p.phase(IDLE)


@cocotb.test()
async def commands_after_commands(dut: Any) -> None:
    """A command again, `clear` of a held hash, and `stop` of one that is resumed."""
    p = await started(dut, waits=0)
    xof = KECCAK["shake128"]
    await p.phase(IDLE)
    await p.command("stop")
    await p.command("stop")  # legal in idle, each
    assert await p.phase(IDLE) == IDLE
    assert await p.read("ERROR") == 0
    await p.command("hold")
    await p.phase(HELD)
    await in_a_row(dut, p.command("clear"), p.write("POSITION", 0))
    assert await p.read("ERROR") == REGISTERS["ERROR"].field("config_write").mask
    await p.write("ERROR", OPEN)
    await p.phase(IDLE)
    await p.command("hold")
    await p.phase(HELD)
    await p.write("CONFIG", xof.code)
    await p.write("LENGTH", OPEN)
    await p.write("POSITION", REGISTERS["POSITION"].field("squeezing").mask)
    await in_a_row(dut, p.command("resume"), p.command("stop"), p.write("LENGTH", 96))
    assert await p.read("ERROR") == 0
    assert await p.read("LENGTH") == 96
    await p.phase(IDLE)


@cocotb.test()
async def held_at_the_end_of_a_block(dut: Any) -> None:
    """An output that ends with a block is held, goes on, and leaves nothing to another hash."""
    p = await started(dut, waits=0)
    function = KECCAK["shake256"]
    block = function.rate_bits
    words = block // 32
    data, other = p.rng.randbytes(30), p.rng.randbytes(40)
    await p.begin(function, OPEN)
    await p.feed(other)
    await p.command("last")
    await p.words(1)
    saved, left = await p.save()
    after = 4 + len(left)  # bytes of its output
    squeezing = REGISTERS["POSITION"].field("squeezing").mask
    for gap in range(40):
        await p.begin(function, block)
        await p.feed(data)
        await p.command("last")
        found = await p.words(max(0, words - DIGEST_WORDS))
        await clocks(dut, gap)
        await p.command("hold")
        await p.phase(HELD)
        position = await p.read("POSITION")
        if position & squeezing and position & 0xFF:
            if gap % 2:  # another hash
                await p.write("CONFIG", saved.config)
                await p.write("LENGTH", 320)
                await p.write("POSITION", saved.position)
                for index, word in enumerate(saved.state):
                    await p.write("STATE.WORD", word, index=index)
                await p.command("resume")
                wanted = digest(function, other, output_bits=8 * after + 320)[after:]
                assert await p.words(10) == wanted, gap
            else:
                found += await p.words(await p.get("STATUS", "digest_words"))
                bits = block - 8 * len(found)
                await p.write("LENGTH", bits + 64)
                await p.command("resume")
                found += await p.words(bits // 32 + 2)
                assert found == digest(function, data, output_bits=block + 64), gap
            await p.phase(IDLE)
        else:
            await p.clear()
        assert await p.read("ERROR") == 0


@cocotb.test(skip=not RUN)
async def accesses_of_a_short_message(dut: Any) -> None:
    """SHA3-256 of 64 bytes: RUN, 16 writes, 8 reads, and no other access; back to back too."""
    p = await started(dut, waits=0)
    function = KECCAK["sha3-256"]
    for _ in range(6):
        data = p.rng.randbytes(64)
        before = p.bus.accesses
        await p.run(function, bytes_=64)
        await short(p, data)
        assert await p.words(8) == oracles.library_digest(function, data)
        assert p.bus.accesses - before == 1 + 16 + 8
    assert await p.read("ERROR") == 0


####################
# What outlives    #
####################


@cocotb.test()
async def tail_is_one_message_s(dut: Any) -> None:
    """Bits of a message that ends inside a byte are not the next one's."""
    p = await started(dut)
    for function in (KECCAK["sha3-256"], KECCAK["keccak-256"]):
        await p.write("CONFIG", function.code)
        abc = expected(function, b"abc", 24, 0)
        for bits in (1, 5, 7):
            await p.write("TAIL", p.rng.getrandbits(8) << 8 | bits)
            await p.command("start")
            await p.command("last")
            await p.words(8)
            await p.phase(IDLE)
            assert await p.read("TAIL") == 0
            await p.command("start")
            await p.feed(b"abc", whole=True)
            await p.command("last")
            assert await p.words(8) == abc, f"after {bits} bits"

            await p.write("TAIL", p.rng.getrandbits(8) << 8 | bits)
            if p.rng.random() < 0.5:
                await p.command("start")
                await p.feed(b"ab")
            await p.command("clear")
            await p.command("start")
            await p.feed(b"abc", whole=True)
            await p.command("last")
            assert await p.words(8) == abc, f"after clear, of {bits} bits"

            data = p.rng.randbytes(3)
            await p.command("clear")
            await p.write("TAIL", data[2] << 8 | bits)
            await p.command("start")
            await p.feed(data[:2], whole=True)
            await p.command("hold")
            await p.phase(HELD)
            assert await p.read("TAIL") == data[2] << 8 | bits, "held"
            await p.command("resume")
            await p.command("last")
            wanted = expected(function, data, 16 + bits, 0)
            assert await p.words(8) == wanted, f"TAIL written after clear, {bits} bits"
    assert await p.read("ERROR") == 0


@cocotb.test()
async def length_is_one_hash_s(dut: Any) -> None:
    """However a hash ends, the next one has no length until it is written."""
    p = await started(dut)
    missing = REGISTERS["ERROR"].field("no_length").mask
    for function in XOFS:
        for end in ("complete", "stop", "stop-open", "stop-fixed", "clear", "clear-output"):
            before = KECCAK["sha3-512"] if end == "stop-fixed" else function
            data = p.rng.randbytes(p.rng.randrange(30))
            await p.begin(before, {"stop-open": OPEN, "complete": 64}.get(end, 9999))
            await p.feed(data)
            if end != "clear":
                await p.command("last")
                await p.words(2)
            if end == "complete":
                await p.phase(IDLE)
            else:
                await p.command(end.partition("-")[0])
            if p.rng.random() < 0.5:
                await p.phase(IDLE)
                assert await p.read("LENGTH") == 0, end
            await p.write("CONFIG", function.code)
            await p.command("start")
            await p.feed(data)
            await p.command("last")
            assert await p.phase(ABSORB) == ABSORB
            assert await p.read("ERROR") == missing, end
            assert await p.read("DIGEST") == 0
            await p.write("ERROR", OPEN)
            await p.write("LENGTH", 96)
            await p.command("last")
            assert await p.words(3) == digest(function, data, output_bits=96), end
            await p.phase(IDLE)
            assert await p.read("ERROR") == 0
    for _ in range(4):  # what is written right after the command is the next hash's
        for command in ("clear", "stop"):
            function, data = p.rng.choice(XOFS), p.rng.randbytes(9)
            await p.begin(function, OPEN)
            await p.command("last")
            await p.words(1)
            await p.command(command)
            await p.write("LENGTH", 320)
            await p.command("start")
            await p.feed(data)
            await p.command("last")
            assert await p.words(10) == digest(function, data, output_bits=320), command
            await p.phase(IDLE)
    assert await p.read("ERROR") == 0


@cocotb.test()
async def length_in_the_next_clock(dut: Any) -> None:
    """The same with a write as soon as the bus lets it."""
    p = await started(dut, waits=0)
    function = KECCAK["shake256"]
    for command in ("clear", "stop"):
        for length in (0, 320):
            for gap in range(8):  # of FIFOs that are full, and of some that are not
                data = p.rng.randbytes(9)
                await p.begin(function, 9999)
                await p.command("last")
                await p.words(1)
                await clocks(dut, gap)
                await p.write("INTR_STATE", OPEN)
                await in_a_row(dut, p.command(command), p.write("LENGTH", length))
                assert await p.read("LENGTH") == length, command
                await p.phase(IDLE)
                assert await p.get("STATUS", "done") == 0
                assert await p.get("INTR_STATE", "done") == 0
                if length:
                    await p.command("start")
                    await p.feed(data)
                    await p.command("last")
                    assert await p.words(10) == digest(function, data, output_bits=320)
                    await p.phase(IDLE)
    assert await p.read("ERROR") == 0


@cocotb.test(skip=BUS != "apb")
async def reset_in_a_write(dut: Any) -> None:
    """A reset of one clock in any clock of a write to LENGTH leaves no length."""
    p = await started(dut, waits=0)
    for gap in range(4):
        write = cocotb.start_soon(p.write("LENGTH", 96))
        await clocks(dut, gap)
        dut.rst_i.value = 1
        await FallingEdge(dut.clk_i)
        write.cancel()
        dut.s_apb_psel.value = dut.s_apb_penable.value = 0
        dut.rst_i.value = 0
        await p.phase(IDLE)
        assert await p.read("LENGTH") == 0, f"after {gap} clocks"


@cocotb.test(skip=not STREAM)
async def streamed_without_a_length(dut: Any) -> None:
    """A message that tlast ends has no output then, and says so."""
    p = await started(dut)
    function = KECCAK["shake128"]
    await p.write("CONFIG", function.code | REGISTERS["CONFIG"].field("stream").mask)
    for length in (0, 64):
        data = p.rng.randbytes(p.rng.randrange(40))
        await p.write("LENGTH", length)
        await p.command("start")
        await _beats(dut, data, p.rng)
        if length:
            assert await p.words(2) == digest(function, data, output_bits=64)
        await p.phase(IDLE)
        assert await p.get("STATUS", "done") == 1
        assert await p.get("STATUS", "digest_words") == 0
        wanted = 0 if length else REGISTERS["ERROR"].field("no_length").mask
        assert await p.read("ERROR") == wanted
        await p.write("ERROR", OPEN)


@cocotb.test()
async def unread_output_of_a_held_state(dut: Any) -> None:
    """Unread words are not those of a message that begins by hold and resume."""
    p = await started(dut)
    function, data = KECCAK["shake128"], p.rng.randbytes(20)
    await p.begin(function, 32 * DIGEST_WORDS)
    await p.feed(b"unread")
    await p.command("last")
    await p.phase(IDLE)
    assert await p.get("STATUS", "digest_words") == DIGEST_WORDS
    await p.command("hold")  # after the output too: of the hash that is complete
    await p.phase(HELD)
    await p.command("resume")
    await p.phase(IDLE)
    assert await p.get("STATUS", "digest_words") == DIGEST_WORDS
    await p.command("hold")
    await p.phase(HELD)
    await p.write("POSITION", 0)
    await p.write("LENGTH", 96)
    await p.command("resume")
    await p.feed(data)
    await p.command("last")
    assert await p.words(3) == digest(function, data, output_bits=96)
    await p.phase(IDLE)
    assert await p.read("ERROR") == 0


@cocotb.test()
async def registers_closed(dut: Any) -> None:
    """What a phase closes keeps its value, and the error says so; the hash goes on."""
    p = await started(dut)
    closed = {
        ABSORB: ("CONFIG", "POSITION"),
        SQUEEZE: ("CONFIG", "LENGTH", "TAIL", "POSITION"),
        IDLE: ("POSITION",),
    }
    lost = REGISTERS["ERROR"].field("config_write").mask
    function, data = KECCAK["shake256"], b"closed"
    await p.begin(function, OPEN)
    for phase in (ABSORB, SQUEEZE, IDLE):
        if phase == SQUEEZE:
            await p.feed(data)
            await p.command("last")
            await p.phase(SQUEEZE)
        if phase == IDLE:
            assert await p.words(10) == digest(function, data, output_bits=320)
            await p.command("stop")
            await p.phase(IDLE)
        for name in ("CONFIG", "LENGTH", "TAIL", "POSITION"):
            register = REGISTERS[name]
            for part in register.fields:
                before = await p.read(name)
                await p.write(name, before ^ part.mask)
                wanted = before
                if name not in closed[phase]:
                    wanted ^= 0 if part.name in CONSTANT else part.mask
                assert await p.read(name) == wanted, f"{name}.{part.name} in phase {phase}"
                error = lost if name in closed[phase] else 0
                assert await p.read("ERROR") == error, f"{name}.{part.name} in phase {phase}"
                await p.write("ERROR", OPEN)
                if not error:
                    await p.write(name, before)


@cocotb.test()
async def registers_window(dut: Any) -> None:
    """STATE: every word in any order, bytes of it, and nothing of it in another phase."""
    p = await started(dut)
    await p.command("hold")
    await p.phase(HELD)
    model = [0] * 50
    p.bus.longest = 0
    for count in range(250):
        index, value = p.rng.randrange(50), p.rng.getrandbits(32)
        if count < 100:
            index = count % 50
        strobe = p.rng.choice([15, 15, 1, 2, 4, 8, 3, 6, 12, 7, 14])
        if p.rng.random() < 0.4 and count >= 50:
            assert await p.read("STATE.WORD", index) == model[index], index
            continue
        await p.write("STATE.WORD", value, strobe=strobe, index=index)
        for lane in range(4):
            if strobe >> lane & 1:
                model[index] = model[index] & ~(0xFF << 8 * lane) | value & 0xFF << 8 * lane
    for index in range(50):
        assert await p.read("STATE.WORD", index) == model[index]
    dut._log.info(f"longest access to STATE: {p.bus.longest} clocks")
    assert p.bus.longest <= STATE_BOUND
    COVERED.add("STATE.WORD", "data", "read")
    COVERED.add("STATE.WORD", "data", "written")
    assert await p.read("ERROR") == 0
    await p.clear()
    for index in (0, 25, 49):
        await p.write("ERROR", OPEN)
        await p.write("STATE.WORD", OPEN, index=index)
        assert await p.read("ERROR") == REGISTERS["ERROR"].field("state_access").mask
        assert await p.read("STATE.WORD", index) == 0
    await p.command("hold")
    await p.phase(HELD)
    assert not any([await p.read("STATE.WORD", index) for index in range(50)])


@cocotb.test()
async def errors_and_commands(dut: Any) -> None:  # noqa: PLR0915
    """Every error by its cause, every command by its effect, in every phase; interrupts too."""
    p = await started(dut)
    function, data = KECCAK["shake128"], p.rng.randbytes(300)
    await p.write("INTR_ENABLE", OPEN)
    phases = (IDLE, ABSORB, SQUEEZE, HELD)

    async def to(phase: int) -> None:
        await p.clear()
        if phase != IDLE:
            await p.begin(function, OPEN)
            await p.feed(data)
        if phase == SQUEEZE:
            await p.command("last")
            await p.phase(SQUEEZE)
        if phase == HELD:
            await p.command("hold")
            await p.phase(HELD)
        await p.write("ERROR", OPEN)
        await p.write("INTR_STATE", OPEN)

    # What each phase becomes by each command; else it is illegal.
    becomes = {
        ("start", IDLE): (ABSORB,),
        ("last", ABSORB): (FINISH, SQUEEZE),
        ("stop", SQUEEZE): (CHANGE, IDLE),
        ("stop", IDLE): (IDLE,),
        ("hold", IDLE): (HELD,),
        ("hold", ABSORB): (HELD,),
        ("hold", SQUEEZE): (HELD,),
        ("resume", HELD): (CHANGE, ABSORB),
    }
    bad = REGISTERS["ERROR"].field("bad_command").mask
    for part in REGISTERS["COMMAND"].fields:
        for phase in phases:
            await to(phase)
            await p.command(part.name)
            if part.name == "clear":
                assert await p.phase(IDLE, polls=WIPE_POLLS) == IDLE
                wanted = 0
            elif (part.name, phase) in becomes:
                await p.phase(*becomes[part.name, phase], polls=COMMAND_POLLS)
                wanted = 0
            else:
                assert await p.phase(phase, polls=COMMAND_POLLS) == phase
                wanted = bad
                if part.name in ("keep", "recall") and not PREFIX:
                    wanted = 0
                elif (part.name, phase) == ("keep", ABSORB):  # it is inside a block
                    wanted = REGISTERS["ERROR"].field("bad_position").mask
            assert await p.read("ERROR") == wanted, f"{part.name} in phase {phase}"
            assert await p.get("STATUS", "error") == bool(wanted)
            assert await p.get("INTR_STATE", "error") == bool(wanted)
        COVERED.add("COMMAND", part.name, "written")
    for pair in (("start", "last"), ("hold", "stop"), ("start", "resume")):
        await to(IDLE)
        await p.command(*pair)
        assert await p.phase(IDLE, polls=9) == IDLE
        assert await p.read("ERROR") == bad

    async def bad_function() -> None:
        await to(IDLE)
        code = p.rng.choice([0x0B, 0x0F, 0x12, 0x20, 0x41, 0xFF, 0x81])
        await p.write("CONFIG", code)
        await p.command("start")
        assert await p.phase(IDLE, polls=9) == IDLE

    async def bad_position() -> None:
        await to(HELD)
        squeezing, counted = (REGISTERS["POSITION"].field(n).mask for n in ("squeezing", "counted"))
        outputs = [squeezing | count for count in (172, 2, 166)]
        both = [squeezing | counted, squeezing | counted | 8 << 17 | 4] if RUN else []
        for position in [168, 255, *outputs, *both]:
            await p.write("ERROR", OPEN)
            await p.write("POSITION", position)
            await p.command("resume")
            assert await p.phase(HELD, polls=9) == HELD
            assert await p.read("ERROR") == REGISTERS["ERROR"].field("bad_position").mask

    async def message_write() -> None:
        await to(p.rng.choice([IDLE, SQUEEZE, HELD]))
        await p.feed(b"lost")

    async def digest_read() -> None:
        await to(p.rng.choice([IDLE, ABSORB]))
        assert await p.read("DIGEST") == 0

    async def state_access() -> None:
        await to(p.rng.choice([IDLE, ABSORB, SQUEEZE]))
        assert await p.read("STATE.WORD", p.rng.randrange(50)) == 0

    async def config_write() -> None:
        await to(ABSORB)
        await p.write("CONFIG", 1)

    async def bad_access() -> None:
        await to(p.rng.choice([IDLE, ABSORB, SQUEEZE, HELD]))
        match p.rng.randrange(3):
            case 0:
                await p.write(p.rng.choice(["ID", "STATUS", "DIGEST", "DIGEST_WINDOW.WORD"]), 1)
            case 1:
                name = p.rng.choice(["COMMAND", "INTR_TEST", "MESSAGE", "MESSAGE_WINDOW.WORD"])
                assert await p.read(name) == 0
            case _:
                await p.bus.write(p.rng.choice([0x3C, 0x48, 0x7C, 0x1C8, 0x1F8]), 1)

    async def no_length() -> None:
        await to(ABSORB)
        await p.write("LENGTH", 0)
        await p.command("last")

    async def bad_command() -> None:
        await to(HELD)
        await p.command("start")

    causes: dict[str, Callable[[], Awaitable[None]]] = {
        one.__name__: one
        for one in (
            bad_command,
            bad_function,
            bad_position,
            message_write,
            digest_read,
            state_access,
            config_write,
            bad_access,
            no_length,
        )
    }
    for part in REGISTERS["ERROR"].fields:
        for _ in range(4):
            await causes[part.name]()
            for _ in range(3):
                await p.read("STATUS")
            assert irq(dut) == 1, part.name
            assert await p.read("ERROR") == part.mask, part.name
            await p.write("ERROR", ~part.mask & OPEN)
            assert await p.read("ERROR") == part.mask, f"{part.name} was not to be cleared"
            await p.write("ERROR", part.mask)
            assert await p.read("ERROR") == 0, part.name
        COVERED.add("ERROR", part.name, "written")

    await p.clear()
    assert await p.digest(function, data, output_bits=96) == expected(function, data, 2400, 96)
    COVERED.add("MESSAGE", "data", "written")
    COVERED.add("DIGEST", "data", "read")


@cocotb.test()
async def interrupts(dut: Any) -> None:
    """Each interrupt comes when it is to come, and not before."""
    p = await started(dut)

    async def seen() -> set[str]:
        now = await p.read("INTR_STATE")
        await p.write("INTR_STATE", now)
        return {part.name for part in REGISTERS["INTR_STATE"].fields if now & part.mask}

    function = KECCAK["shake256"]
    await p.begin(function, 32 * (2 * DIGEST_WORDS))
    await p.phase(ABSORB)
    assert await seen() == {"room"}
    await p.feed(bytes(140))
    await ClockCycles(dut.clk_i, SETTLED)
    await FallingEdge(dut.clk_i)
    assert await seen() == {"room"}
    assert await p.get("STATUS", "busy") == 0
    await p.command("hold")
    await p.phase(HELD)
    assert "held" in await seen()
    await p.command("resume")
    await p.phase(ABSORB)
    await p.command("last")
    await ClockCycles(dut.clk_i, SETTLED)
    await FallingEdge(dut.clk_i)
    assert await seen() - {"room"} == {"digest"}
    assert await p.get("STATUS", "digest_words") == DIGEST_WORDS
    await p.words(DIGEST_WORDS)
    await ClockCycles(dut.clk_i, SETTLED)
    await FallingEdge(dut.clk_i)
    assert await seen() == {"digest", "done"}
    await p.words(DIGEST_WORDS)
    await p.read("DIGEST")
    assert await seen() == {"error"}
    await p.begin(function, 0)
    await p.command("last")
    await p.phase(ABSORB)
    assert await seen() == {"room", "error"}, "an output of no bits"


@cocotb.test()
async def interrupt_falls_with_its_cause(dut: Any) -> None:
    """`irq_o` is low in the clock after the one in which the register block takes the write.

    That is the clock after pready and ack, and that of bvalid: software that has cleared the cause
    does not find the interrupt again.
    """
    p = await started(dut)
    answer = {"axil": "s_axil_bvalid", "apb": "s_apb_pready", "wb": "wb_ack"}[PLAIN]
    part = REGISTERS["INTR_STATE"].field("held").mask
    p.bus.turns = 0

    async def watched(name: str, value: int) -> int:
        """Write a register; return irq_o at the end of the write, as said above."""
        write = cocotb.start_soon(p.write(name, value))
        while True:
            await FallingEdge(dut.clk_i)
            await ReadOnly()
            if int(getattr(dut, answer).value):
                break
        if PLAIN == "axil":
            level = irq(dut)
            await write
            return level
        assert irq(dut) == 1
        await FallingEdge(dut.clk_i)
        await ReadOnly()
        level = irq(dut)
        await write
        await FallingEdge(dut.clk_i)
        return level

    await p.write("INTR_ENABLE", part)
    for register, value in (("INTR_STATE", part), ("INTR_ENABLE", 0)) * 5:
        await p.write("INTR_TEST", part)
        await p.write("INTR_ENABLE", part)
        for _ in range(3):
            await FallingEdge(dut.clk_i)
        assert irq(dut) == 1
        assert await watched(register, value) == 0, register
        await p.write("INTR_STATE", part)


####################
# Bad software     #
####################


@cocotb.test()
async def wrong_accesses_change_nothing(dut: Any) -> None:
    """Illegal accesses in the middle of hashes: each digest is right nevertheless."""
    p = await started(dut)
    for _ in range(max(4, COUNT // 12)):
        function = p.rng.choice(FUNCTIONS)
        data = p.rng.randbytes(lengths(p.rng, function))
        output = p.rng.randrange(1, 900)
        await p.begin(function, OPEN if function.xof else 0)
        for start in range(0, len(data), 50):
            await p.feed(data[start : start + 50])
            await nonsense(p, ABSORB)
        await p.command("last")
        wanted = output if function.xof else function.digest_bits
        found = b""
        for _ in range(-(-wanted // 32)):
            found += await p.words(1)
            if p.rng.random() < 0.2:
                await nonsense(p, SQUEEZE)
        reference = expected(function, data, 8 * len(data), 8 * len(found))
        assert found[: len(reference)] == reference, function.name
        await p.command("stop")
        await p.write("ERROR", OPEN)


async def nonsense(p: Peripheral, phase: int) -> None:
    """Do things that the phase does not allow, and that do nothing therefore."""
    for _ in range(p.rng.randrange(4)):
        choices = ["state", "position", "read-only", "digest" if phase == ABSORB else "message"]
        if await p.get("STATUS", "phase") == phase:  # else the output is complete: these are legal
            choices += ["config", "command"]
        match p.rng.choice(choices):
            case "state":
                await p.write("STATE.WORD", p.rng.getrandbits(32), index=p.rng.randrange(50))
                assert await p.read("STATE.WORD", p.rng.randrange(50)) == 0
            case "config":
                await p.write("CONFIG", p.rng.getrandbits(8))
            case "position":
                await p.write("POSITION", p.rng.getrandbits(9))
            case "command":
                await p.command(p.rng.choice(["start", "resume"]))
            case "read-only":
                await p.write(p.rng.choice(["ID", "CAPS", "STATUS", "DIGEST"]), OPEN)
            case "digest":
                assert await p.read("DIGEST") == 0
            case "message":
                await p.feed(p.rng.randbytes(3))


@cocotb.test()
async def any_order(dut: Any) -> None:
    """Random accesses: each is answered in time, and `clear` brings a clean core back."""
    p = await started(dut)
    rng = p.rng
    known = [r.address + 4 * i for r in REGISTERS.values() for i in range(min(r.count, 3))]
    for number in range(COUNT):
        address = rng.choice([*known, rng.randrange(0, 512, 4)])
        if rng.random() < 0.3:  # what gets it into the middle of things
            address = REGISTERS[rng.choice(["COMMAND", "MESSAGE", "DIGEST"])].address
        if rng.random() < 0.3:
            await p.bus.read(address)
            continue
        value = rng.getrandbits(32)
        if address == REGISTERS["COMMAND"].address:
            value = 1 << rng.randrange(8) if rng.random() < 0.9 else value
        if address == REGISTERS["CONFIG"].address and rng.random() < 0.8:
            value = rng.choice(FUNCTIONS).code
        if address == REGISTERS["POSITION"].address and rng.random() < 0.8:
            value = rng.choice([rng.randrange(72), 256 | rng.randrange(0, 72, 4)])
        if address == REGISTERS["LENGTH"].address:
            value = rng.choice([OPEN, rng.randrange(5000), value])
        strobe = rng.choice([1, 2, 4, 8, 3, 6, 12, 7, 14, 15, 15, 15, 15])
        await p.bus.write(address, value, strobe)
        if number % 50 == 49:
            if rng.random() < 0.7 or await p.get("STATUS", "phase") != IDLE:
                await p.clear()
            await clean(p)
    dut._log.info(f"longest access: {p.bus.longest} clocks, of {BOUND}")


async def clean(p: Peripheral) -> None:
    """Check that nothing is left of what was: the state is zero, and a digest right."""
    await p.write("ERROR", OPEN)
    if PREFIX and p.rng.random() < 0.5:
        await keep_and_recall(p)
    if p.rng.random() < 0.3:
        await p.command("hold")
        await p.phase(HELD)
        assert not any([await p.read("STATE.WORD", index) for index in range(50)])
        assert await p.get("POSITION", "bytes") == 0
        await p.clear()
    function = p.rng.choice(FUNCTIONS)
    data = p.rng.randbytes(p.rng.randrange(80))
    found = await p.digest(function, data, output_bits=256)
    assert found == expected(function, data, 8 * len(data), 256), function.name
    assert await p.read("ERROR") == 0


async def keep_and_recall(p: Peripheral) -> None:
    """Keep a prefix and go on from it: nothing of a copy before it is in the digests."""
    function, data = p.rng.choice(FUNCTIONS), p.rng.randbytes(p.rng.randrange(80))
    prefix = p.rng.randbytes(p.rng.randrange(2) * function.rate_bits // 8)
    await p.begin(function)
    await p.feed(prefix)
    await p.command("keep")
    await p.phase(IDLE)
    for _ in range(p.rng.randrange(3)):
        await p.write("LENGTH", 160)
        await p.command("recall")
        await p.feed(data)
        await p.command("last")
        found = await p.words(5 if function.xof else function.digest_bits // 32)
        wanted = expected(function, prefix + data, 8 * len(prefix + data), 160)
        assert found[: len(wanted)] == wanted, function.name
        await p.phase(IDLE)
    assert await p.read("ERROR") == 0


@cocotb.test()
async def registers_covered(dut: Any) -> None:
    """The tests in front of this one have touched every field."""
    await started(dut)
    COVERED.check()
