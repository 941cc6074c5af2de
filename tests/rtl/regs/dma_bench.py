"""Bench of the peripheral's DMA master (docs/integrate/dma.md) on AXI4 and Wishbone.

`test_dma.py` starts it. Digests are compared with libraries, registers with the SystemRDL.
"""

import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge

from hashfabric.models.family import Function
from hashfabric.models.functions import KECCAK, digest
from hashfabric.registry import registers
from tests.rtl.regs.dma import (
    BASE,
    BEGINS,
    CAUSES,
    DESCRIPTOR_BYTES,
    DONE,
    LAST,
    MASTER,
    SERVED,
    Layout,
    Memory,
    Planned,
    Program,
    chain,
    words_of,
)
from tests.rtl.regs.regs import BUSES, HELD, IDLE, OPEN, REGISTERS, SQUEEZE, Peripheral
from tests.support import oracles

BUS = os.environ["HF_BUS"]
WAITS = float(os.environ["HF_WAITS"])
PROCESSOR_WAITS = 0.3 if WAITS > 0.5 else 0.0
"""Waits of the processor's bus: where there are none, its accesses follow each other at once."""
COUNT = int(os.environ["HF_COUNT"])
BURST = int(os.environ["HF_BURST"])
BEAT = int(os.environ["HF_WIDTH"]) // 8
"""Bytes of a beat of the memory's bus."""
WORD = int(os.environ["HF_WORD"]) // 8
"""Bytes of a word of a message inside."""
ENGINE = int(os.environ["HF_ENGINE"])
"""As the parameter."""
SLAVES = {"axi": "axil", "wb": "wb"}
BOUND = (500, 5_000, 70_000)[ENGINE]
"""The longest access of the processor, in clocks."""
PATIENCE = (40_000, 40_000, 1_000_000)[ENGINE]
"""Reads of STATUS in which a list must end."""
MOST_CLOCKS = {
    ("axi", 16, 4): 35.1,
    ("axi", 32, 4): 35.1,
    ("axi", 64, 4): 35.1,
    ("axi", 16, 8): 24.1,
    ("axi", 64, 8): 24.1,
    ("wb", 16, 4): 38.3,
    ("wb", 64, 4): 35.1,
}
"""Clocks a block of SHA3-256 at most, from a memory that answers a beat a clock, by burst and bytes
of a word."""
MOST_AROUND = 150
"""Clocks of a list of one message beside those of its blocks."""

FUNCTIONS = list(KECCAK.values())
XOFS = [function for function in FUNCTIONS if function.xof]
SHA3 = KECCAK["sha3-256"]


async def started(dut: Any, waits: float = WAITS) -> tuple[Program, Peripheral, Layout]:
    """Start the clock, the memory, reset; return the program's two sides and the memory."""
    rng = random.Random(cocotb.RANDOM_SEED)
    dut.rst_i.value = 1
    memory = Memory()
    Clock(dut.clk_i, 2, unit="ns").start()
    bus = BUSES[SLAVES[BUS]](dut, rng, PROCESSOR_WAITS, BOUND)
    SERVED[BUS](dut, memory, rng, waits)
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    await FallingEdge(dut.clk_i)
    return Program(dut, bus, memory, rng), Peripheral(bus, rng), Layout(memory, rng)


def expected(function: Function, data: bytes, bits: int, output_bits: int) -> bytes:
    """Return a digest: a library's where there is one for the function."""
    wanted = output_bits if function.xof else None
    known = oracles.library_digest(function, data, bits=bits, output_bits=wanted)
    return digest(function, data, bits=bits, output_bits=wanted) if known is None else known


def planned(  # noqa: PLR0913 - one parameter a property of the message
    layout: Layout,
    function: Function,
    data: bytes,
    cuts: list[int],
    *,
    bits: int | None = None,
    output_bits: int = 256,
    offsets: list[int] | None = None,
) -> Planned:
    """Put a message into memory, cut at `cuts`, and a place for its digest."""
    rng = layout.rng
    bits = 8 * len(data) if bits is None else bits
    whole, rest = divmod(bits, 8)
    ends = [*sorted(cuts), whole]
    parts, begin = [], 0
    for index, end in enumerate(ends):
        offset = None if offsets is None else offsets[index % len(offsets)]
        parts.append(layout.put(data[begin:end], offset))
        begin = end
    wanted = expected(function, data, bits, output_bits)
    place = layout.place(len(wanted), rng.choice([4, 4, 64, 4096 if rng.random() < 0.1 else 4]))
    tail = rng.getrandbits(32) & ~7 & ~0xFF00
    if rest:
        tail |= data[whole] << 8 | rest
    return Planned(
        function,
        parts,
        place,
        wanted,
        output_bits if function.xof else rng.choice([0, OPEN, rng.getrandbits(32)]),
        tail,
        rng.random() < 0.3,
    )


def some_message(layout: Layout) -> Planned:
    """Return a message of any function, often at a block's end, in up to six segments."""
    rng = layout.rng
    function = rng.choice(FUNCTIONS)
    rate = function.rate_bits // 8
    near = rng.randrange(3) * rate + rng.choice([-9, -5, -4, -3, -2, -1, 0, 1, 2, 4])
    length = max(0, rng.choice([near, near, rng.randrange(3 * rate), rng.randrange(9)]))
    data = rng.randbytes(length)
    bits = 8 * length - (rng.randrange(8) if length and rng.random() < 0.4 else 0)
    cuts = [rng.randrange(bits // 8 + 1) for _ in range(rng.choice([0, 0, 1, 2, 5]))]
    output = rng.choice([1, 31, 32, 33, 256, rng.randrange(1, 2500)])
    return planned(layout, function, data, cuts, bits=bits, output_bits=output)


def check(program: Program, message: Planned, before: bytes) -> None:
    """Check a digest in memory, and the status of its descriptors.

    `before` is the memory before the list: nothing else has changed in it.
    """
    found = program.memory.look(message.digest_address, len(message.wanted))
    assert found == message.wanted, f"{message.function.name}: {message.parts}"
    for descriptor in message.descriptors:
        assert program.status(descriptor) == DONE
    unchanged(program, [message], before)


def unchanged(program: Program, messages: list[Planned], before: bytes) -> None:
    """Check that nothing of the memory has changed but digests and statuses."""
    now = bytearray(program.memory.data)
    for message in messages:
        places = [(message.digest_address, len(message.wanted))]
        places += [(d + DESCRIPTOR_BYTES - 4, 4) for d in message.descriptors]
        for address, length in places:
            now[address - BASE : address - BASE + length] = before[
                address - BASE : address - BASE + length
            ]
    assert now == before, "another byte of the memory has changed"


async def hashed(program: Program, layout: Layout, messages: list[Planned]) -> None:
    """Hash messages by one list, and check all that comes of it."""
    head = chain(layout, messages)
    before = bytes(program.memory.data)
    await program.start(head)
    cause = await program.end(PATIENCE)
    assert cause == CAUSES["none"], f"cause {cause}, at {await program.read('FAULT'):#x}"
    for message in messages:
        found = program.memory.look(message.digest_address, len(message.wanted))
        assert found == message.wanted, f"{message.function.name}: {message.parts}"
        for descriptor in message.descriptors:
            assert program.status(descriptor) == DONE
    unchanged(program, messages, before)
    count = sum(len(message.descriptors) for message in messages)
    assert await program.get("STATUS", "descriptors") == count
    assert await program.read("DESCRIPTOR") == messages[-1].descriptors[-1]
    assert await program.read("FAULT") == 0
    wanted = MASTER["INTR_STATE"].field("done").mask
    if any(message.interrupt for message in messages):
        wanted |= MASTER["INTR_STATE"].field("descriptor").mask
    assert await program.read("INTR_STATE") == wanted
    await program.write("INTR_STATE", OPEN)
    assert await program.read("INTR_STATE") == 0


async def as_before(peripheral: Peripheral, config: int = 1) -> None:
    """Check that a list has left the peripheral as it was, and that it hashes."""
    assert await peripheral.phase(IDLE) == IDLE
    assert await peripheral.read("CONFIG") == config
    assert await peripheral.read("ERROR") == 0
    assert await peripheral.read("INTR_STATE") == 0
    assert await peripheral.read("LENGTH") == 0
    assert await peripheral.read("TAIL") == 0
    data = peripheral.rng.randbytes(peripheral.rng.randrange(150))
    function = peripheral.rng.choice(FUNCTIONS)
    found = await peripheral.digest(function, data, output_bits=256)
    assert found == expected(function, data, 8 * len(data), 256)
    await peripheral.write("CONFIG", config)
    await peripheral.write("INTR_STATE", OPEN)


####################
# Hashes           #
####################


@cocotb.test()
async def known_answers(dut: Any) -> None:
    """Every function, the empty message and abc; NIST's digests of SHA3-256, typed in."""
    program, peripheral, layout = await started(dut)
    messages = [
        planned(layout, function, data, [])
        for function in FUNCTIONS
        for data in (b"", b"abc", bytes(range(200)))
    ]
    await hashed(program, layout, messages)
    for data, wanted in (
        (b"", "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"),
        (b"abc", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
    ):
        message = planned(layout, SHA3, data, [])
        message.wanted = bytes.fromhex(wanted)
        await hashed(program, layout, [message])
    await as_before(peripheral)


@cocotb.test()
async def lists(dut: Any) -> None:
    """Lists of messages of every kind, segments of any length anywhere; scattered descriptors."""
    program, peripheral, _ = await started(dut)
    for _ in range(max(2, COUNT // 6)):
        layout = Layout(program.memory, program.rng)
        await hashed(
            program, layout, [some_message(layout) for _ in range(program.rng.randrange(1, 9))]
        )
    await as_before(peripheral)


@cocotb.test()
async def alignments(dut: Any) -> None:
    """Every place of a source in its word, with lengths around a block's end."""
    program, _, layout = await started(dut)
    function = KECCAK["sha3-512"]
    rate = function.rate_bits // 8
    span = 6 if COUNT >= 60 else 2
    for offset in range(WORD):
        layout = Layout(program.memory, program.rng)
        lengths = [*range(2 * WORD + 1), *range(rate - span, rate + span + 1)]
        messages = [
            planned(layout, function, program.rng.randbytes(n), [], offsets=[offset])
            for n in lengths
        ]
        await hashed(program, layout, messages)


@cocotb.test()
async def segments(dut: Any) -> None:
    """Two and three segments of 0 to 5 bytes at every place, before a longer one.

    Of those with words of 8 bytes, 0 to 9 bytes, a part.
    """
    program, _, layout = await started(dut)
    cases = [
        (first, second, at, then)
        for first in range(WORD + 2)
        for second in range(WORD + 2)
        for at in range(WORD)
        for then in range(WORD)
    ]
    cases = program.rng.sample(cases, min(len(cases), 1200))
    for number in range(0, len(cases), 24):
        if COUNT < 60 and number % 96:
            continue
        layout = Layout(program.memory, program.rng)
        messages = [
            planned(
                layout,
                SHA3,
                program.rng.randbytes(first + second + 21),
                [first, first + second],
                offsets=[at, then, (at + then) % WORD],
            )
            for first, second, at, then in cases[number : number + 24]
        ]
        await hashed(program, layout, messages)


@cocotb.test()
async def long_outputs(dut: Any) -> None:
    """Outputs over many bursts, to digests that end and begin near a page's end."""
    program, _, layout = await started(dut)
    for function in XOFS:
        for bits in (8 * 1000, 8 * 64, 8 * 61 + 3, 32 * 33):
            layout = Layout(program.memory, program.rng)
            message = planned(layout, function, program.rng.randbytes(50), [17], output_bits=bits)
            message.digest_address = layout.place(len(message.wanted), 4096, 4096 - 36)
            await hashed(program, layout, [message])


@cocotb.test()
async def clocks(dut: Any) -> None:
    """A long message at full speed: from a memory that answers a word a clock."""
    program, _, layout = await started(dut, waits=0.0)
    taken = []
    for blocks in (10, 110):
        layout = Layout(program.memory, program.rng)
        message = planned(layout, SHA3, program.rng.randbytes(136 * blocks - 1), [], offsets=[1])
        head = chain(layout, [message])
        await program.write("INTR_ENABLE", MASTER["INTR_ENABLE"].field("done").mask)
        await program.start(head)
        taken.append(await program.until(dut.irq_o, 1000 * blocks + 1000))
        assert program.memory.look(message.digest_address, 32) == message.wanted
        await program.write("INTR_STATE", OPEN)
    per_block = (taken[1] - taken[0]) / 100
    dut._log.info(f"{per_block} clocks a block; {taken[0]} for 10 blocks, with the list's")
    if ENGINE == 0:
        assert per_block <= MOST_CLOCKS[BUS, BURST, WORD]
        assert taken[0] - 10 * per_block < MOST_AROUND


####################
# Errors           #
####################


async def stopped(program: Program, wanted: str, fault: int | None) -> None:
    """Check the cause, and where it was."""
    cause = await program.end(PATIENCE)
    assert cause == CAUSES[wanted], f"cause {cause} and not {wanted}"
    if fault is not None:
        assert await program.read("FAULT") == fault
    assert await program.read("INTR_STATE") & MASTER["INTR_STATE"].field("error").mask
    assert not await program.read("INTR_STATE") & MASTER["INTR_STATE"].field("done").mask
    await program.write("INTR_STATE", OPEN)


def provoked(memory: Memory, kind: str, message: Planned) -> tuple[int, int]:
    """Let an access for a message fail; return its descriptor, and the first bad word's address.

    A beat of a read has one answer for all its words.
    """
    rng = random.Random(len(message.wanted) * len(message.parts) + message.digest_address)
    descriptor = rng.choice(message.descriptors)
    if kind == "descriptor_read":
        first, fault = descriptor, descriptor + 4 * rng.randrange(7)
    elif kind == "data_read":
        part = next(p for p in reversed(message.parts) if p.length)
        descriptor = message.descriptors[list(message.parts).index(part)]
        first, last = part.address & ~3, (part.address + part.length - 1) & ~3
        fault = rng.choice([first, last, rng.randrange(first, last + 1, 4)])
    elif kind == "digest_write":
        descriptor = message.descriptors[-1]
        fault = message.digest_address + 4 * rng.randrange(-(-len(message.wanted) // 4))
    else:
        fault = descriptor + 28
    if kind.endswith("write"):
        memory.write_faults.add(fault)
        return descriptor, fault
    memory.read_faults.add(fault)
    return descriptor, max(first, fault - fault % BEAT)


async def at_fault(program: Program, kind: str, descriptor: int, fault: int) -> None:
    """Check what a list says that has been stopped by an error of the bus."""
    await stopped(program, kind, None if kind == "digest_write" else fault)
    assert await program.read("DESCRIPTOR") == descriptor
    if kind == "digest_write":  # the begin of the burst
        assert fault - 64 < await program.read("FAULT") <= fault
    wanted = CAUSES[kind] << 4 if kind in ("data_read", "digest_write") else 0
    assert program.status(descriptor) == wanted


@cocotb.test()
async def bus_errors(dut: Any) -> None:
    """An error in every kind of access, in any message of a list; then a right hash."""
    program, peripheral, layout = await started(dut)
    rng, memory = program.rng, program.memory
    kinds = ("descriptor_read", "data_read", "digest_write", "status_write")
    for number in range(max(8, COUNT // 2)):
        kind = kinds[number % 4]
        layout = Layout(memory, rng)
        messages = [some_message(layout) for _ in range(4)]
        bad = rng.randrange(4)
        if kind == "data_read":
            data = rng.randbytes(rng.choice([1, 4, 150, 700]))
            messages[bad] = planned(layout, rng.choice(FUNCTIONS), data, [len(data) // 3])
        head = chain(layout, messages)
        before = bytes(memory.data)
        descriptor, fault = provoked(memory, kind, messages[bad])
        await program.start(head)
        await at_fault(program, kind, descriptor, fault)
        for done in messages[:bad]:
            assert memory.look(done.digest_address, len(done.wanted)) == done.wanted
        whole = kind.endswith("write")  # the message that failed has a digest, or part of it
        for missing in messages[bad + whole :]:
            begin = missing.digest_address - BASE
            same = before[begin : begin + len(missing.wanted)]
            assert memory.look(missing.digest_address, len(same)) == same, "a digest"
        unchanged(program, messages, before)
        everyone = [d for message in messages for d in message.descriptors]
        for later in everyone[everyone.index(descriptor) + 1 :]:
            assert program.status(later) == 0
        memory.read_faults, memory.write_faults = set(), set()
        await as_before(peripheral)
        layout.next += 64
        await hashed(program, layout, [some_message(layout)])


def illegal(layout: Layout, kind: str) -> tuple[Planned, int, int]:
    """Return a message with an illegal descriptor, the head, and the address of that."""
    message = planned(layout, SHA3, layout.rng.randbytes(60), [20, 40])
    xof = planned(layout, KECCAK["shake128"], layout.rng.randbytes(60), [20, 40])
    if kind.startswith("length"):
        message = xof
        message.length = OPEN if kind.endswith("open") else 0
    head = chain(layout, [message])
    first, middle, last = message.descriptors
    control = {
        place: int.from_bytes(layout.memory.look(place, 4), "little")
        for place in (first, middle, last)
    }
    place, word, value = {
        "function": (
            first,
            0,
            control[first] & ~0xFF | layout.rng.choice([0x0C, 0x1F, 0x21, 0x81]),
        ),
        "no-begin": (first, 0, control[first] & ~BEGINS),
        "begins-twice": (middle, 0, control[middle] & ~0xFF | BEGINS | 1),
        "never-ends": (middle, 0, control[middle] | LAST),
        "unused": (middle, 0, control[middle] | 1 << layout.rng.randrange(12, 32)),
        "next": (first, 6, middle + layout.rng.randrange(1, 32)),
        "digest": (last, 5, message.digest_address + layout.rng.randrange(1, 4)),
        "length-zero": (last, 0, control[last]),
        "length-open": (last, 0, control[last]),
    }[kind]
    layout.memory.set(place + 4 * word, words_of(value))
    return message, head, place


@cocotb.test()
async def illegal_descriptors(dut: Any) -> None:
    """Each rule of a descriptor: the list stops at it, and no digest is written."""
    program, peripheral, layout = await started(dut)
    for kind in (
        "function",
        "no-begin",
        "begins-twice",
        "never-ends",
        "unused",
        "next",
        "digest",
        "length-zero",
        "length-open",
    ):
        layout = Layout(program.memory, program.rng)
        message, head, place = illegal(layout, kind)
        before = bytes(program.memory.data)
        await program.start(head)
        await stopped(program, "illegal", place)
        assert program.status(place) == CAUSES["illegal"] << 4
        start = message.digest_address - BASE
        same = before[start : start + len(message.wanted)]
        assert program.memory.look(message.digest_address, len(same)) == same
        unchanged(program, [message], before)
        await as_before(peripheral)


@cocotb.test()
async def aborts(dut: Any) -> None:
    """At any moment: no digest that is not whole, no hang, and a right hash follows."""
    program, peripheral, layout = await started(dut)
    rng = program.rng
    caught = 0
    for _ in range(max(12, 3 * COUNT)):
        layout = Layout(program.memory, rng)
        messages = [some_message(layout) for _ in range(2)]
        head = chain(layout, messages)
        before = bytes(program.memory.data)
        await program.start(head)
        await ClockCycles(dut.clk_i, rng.choice([1, 2, 5, 20, rng.randrange(1200)]))
        await FallingEdge(dut.clk_i)
        await program.abort()
        cause = await program.end(PATIENCE)
        assert cause in (CAUSES["none"], CAUSES["aborted"])
        caught += cause == CAUSES["aborted"]
        unchanged(program, messages, before)
        for message in messages:
            status = program.status(message.descriptors[-1])
            if status == DONE:
                found = program.memory.look(message.digest_address, len(message.wanted))
                assert found == message.wanted
            else:
                assert cause == CAUSES["aborted"]
                assert status in (0, CAUSES["aborted"] << 4)
        assert await program.read("FAULT") == 0
        await program.write("INTR_STATE", OPEN)
        if rng.random() < 0.5:
            await as_before(peripheral)
        layout.next += 64
        await hashed(program, layout, [some_message(layout)])
    assert caught > 5
    await program.abort()  # of nothing
    assert await program.read("STATUS") & MASTER["STATUS"].field("running").mask == 0
    await as_before(peripheral)


@cocotb.test()
async def a_start_with_an_abort(dut: Any) -> None:
    """No list begins, and the peripheral's interrupt does not go low for a clock."""
    program, peripheral, layout = await started(dut)
    message = planned(layout, SHA3, b"abc", [])
    await program.write("HEAD", chain(layout, [message]))
    await peripheral.write("INTR_ENABLE", OPEN)
    await peripheral.write("INTR_TEST", 1)
    await ClockCycles(dut.clk_i, 2)
    command = MASTER["COMMAND"]
    both = command.field("start").mask | command.field("abort").mask
    written = cocotb.start_soon(program.write("COMMAND", both))
    for _ in range(200):
        await FallingEdge(dut.clk_i)
        assert int(dut.irq_o.value) == 1
    assert written.done()
    assert await program.get("STATUS", "running") == 0
    assert await program.read("INTR_STATE") == 0
    assert program.status(message.descriptors[-1]) == 0
    await peripheral.write("INTR_STATE", OPEN)
    await peripheral.write("INTR_ENABLE", 0)
    await as_before(peripheral)


@cocotb.test()
async def endless_list(dut: Any) -> None:
    """A list that is a circle hashes until it is aborted."""
    program, peripheral, layout = await started(dut)
    message = planned(layout, SHA3, b"abc", [])
    head = chain(layout, [message], last=False)
    program.memory.set(head + 24, words_of(head))
    await program.start(head)
    for _ in range(PATIENCE):
        if await program.get("STATUS", "descriptors") >= 5:
            break
    else:
        raise AssertionError("the list does not go on")
    await program.abort()
    await stopped(program, "aborted", 0)
    assert program.memory.look(message.digest_address, 32) == message.wanted
    await as_before(peripheral)


####################
# The processor    #
####################


@cocotb.test()
async def refused_accesses(dut: Any) -> None:
    """While a list runs the peripheral's registers are closed, and nothing disturbs the hashes."""
    program, peripheral, layout = await started(dut)
    rng = program.rng
    running = MASTER["STATUS"].field("running").mask
    refused = MASTER["INTR_STATE"].field("refused").mask
    for _ in range(3):
        layout = Layout(program.memory, rng)
        messages = [some_message(layout) for _ in range(5)]
        head = chain(layout, messages)
        before = bytes(program.memory.data)
        await program.start(head)
        assert await peripheral.read("ID") == OPEN, "the first access after the start"
        accesses = 0
        for _ in range(PATIENCE):
            name = rng.choice(["COMMAND", "CONFIG", "MESSAGE", "DIGEST", "STATUS", "LENGTH", "ID"])
            if not await program.read("STATUS") & running:
                break
            if rng.random() < 0.5:
                word = await peripheral.read(name)
                still = await program.read("STATUS") & running
                assert word == OPEN or not still
                if not still:
                    break
            elif rng.random() < 0.3:
                await program.write("COMMAND", head & ~2 | 1)
            elif rng.random() < 0.5:
                await program.write("HEAD", head ^ 1 << rng.randrange(5, 32))
                if not await program.read("STATUS") & running:
                    await program.write("HEAD", head)  # it may have come after the end
                    break
                assert await program.read("HEAD") == head
            else:
                # At the list's end this access may be the first one that is not refused.
                await peripheral.bus.write(REGISTERS["INTR_TEST"].address, 0)
                continue
            accesses += 1
        assert accesses > 10
        assert await program.end(1) == CAUSES["none"]
        for message in messages:
            found = program.memory.look(message.digest_address, len(message.wanted))
            assert found == message.wanted
        unchanged(program, messages, before)
        assert await program.read("INTR_STATE") & refused
        await program.write("INTR_STATE", OPEN)
        assert await program.read("HEAD") == head
        await peripheral.clear()
        await peripheral.write("ERROR", OPEN)
        await peripheral.write("INTR_STATE", OPEN)


@cocotb.test()
async def a_hash_of_the_processor(dut: Any) -> None:
    """It is not disturbed: a list does not begin, and says so."""
    program, peripheral, layout = await started(dut)
    rng = program.rng
    function = KECCAK["shake256"]
    for phase in ("absorb", "squeeze", "held"):
        data = rng.randbytes(200)
        message = planned(layout, SHA3, b"abc", [])
        head = chain(layout, [message])
        before = bytes(program.memory.data)
        await peripheral.begin(function, OPEN)
        await peripheral.feed(data[:100])
        if phase == "held":
            await peripheral.command("hold")
            await peripheral.phase(HELD)
        if phase == "squeeze":
            await peripheral.feed(data[100:])
            await peripheral.command("last")
            await peripheral.phase(SQUEEZE)
        await program.start(head)
        await stopped(program, "busy", 0)
        assert bytes(program.memory.data) == before
        if phase == "held":
            await peripheral.command("resume")
        if phase != "squeeze":
            await peripheral.feed(data[100:])
            await peripheral.command("last")
        found = await peripheral.words(70)
        assert found == digest(function, data, output_bits=8 * len(found))
        await peripheral.command("stop")
        await peripheral.phase(IDLE)
    assert await peripheral.read("ERROR") == 0
    await peripheral.write("INTR_STATE", OPEN)
    await peripheral.write("CONFIG", 3)
    await peripheral.write("INTR_TEST", 8)
    await hashed(program, layout, [planned(layout, SHA3, b"abc", [])])
    assert await peripheral.read("CONFIG") == 3
    assert await peripheral.read("INTR_STATE") == 8, "only what was set before the list"


@cocotb.test()
async def interrupts(dut: Any) -> None:
    """Each cause, only if it is enabled; the peripheral's own not while a list runs."""
    program, peripheral, layout = await started(dut)
    await peripheral.write("INTR_ENABLE", OPEN)
    assert int(dut.irq_o.value) == 0
    await peripheral.write("INTR_TEST", 1)
    await ClockCycles(dut.clk_i, 2)
    assert int(dut.irq_o.value) == 1
    await peripheral.write("INTR_STATE", OPEN)
    assert int(dut.irq_o.value) == 0
    for field in MASTER["INTR_STATE"].fields:
        await program.write("INTR_TEST", field.mask)
        await program.write("INTR_ENABLE", OPEN & ~field.mask)
        assert int(dut.irq_o.value) == 0
        await program.write("INTR_ENABLE", field.mask)
        assert int(dut.irq_o.value) == 1
        assert await program.read("INTR_STATE") == field.mask
        await program.write("INTR_STATE", OPEN)
        assert int(dut.irq_o.value) == 0
        await program.write("INTR_ENABLE", 0)
    message = planned(layout, SHA3, program.rng.randbytes(400), [])
    message.interrupt = False
    second = planned(layout, SHA3, program.rng.randbytes(400), [])
    second.interrupt = True
    for enabled, when in (("descriptor", 1), ("done", 2)):
        await program.write("INTR_ENABLE", MASTER["INTR_ENABLE"].field(enabled).mask)
        third = planned(layout, SHA3, program.rng.randbytes(400), [])
        messages = [message, second, third]
        await program.start(chain(layout, messages))
        await program.until(dut.irq_o, PATIENCE)
        assert program.status(messages[when].descriptors[-1]) == DONE
        if when == 1:
            assert program.status(third.descriptors[-1]) == 0
        await program.end(PATIENCE)
        await program.write("INTR_STATE", OPEN)
        assert int(dut.irq_o.value) == 0


@cocotb.test()
async def register_values(dut: Any) -> None:
    """Resets, what can be written, addresses where nothing is."""
    program, peripheral, _ = await started(dut)
    assert await program.read("ID") == int.from_bytes(b"HFD1", "big")
    caps = await program.read("CAPS")
    assert caps & MASTER["CAPS"].field("burst_words").mask == BURST
    for name, register in MASTER.items():
        if name != "CAPS" and "r" in register.fields[0].software:
            assert await program.read(name) == register.reset, name
    await program.write("HEAD", OPEN)
    assert await program.read("HEAD") == OPEN & ~31
    assert await program.read("INTR_STATE") == 0
    refused = MASTER["INTR_STATE"].field("refused").mask
    known = {register.address for register in MASTER.values()}
    for address in (0x0C, 0x24, 0x3C, 0x40, 0x80, 0x100, 0x1FC):
        assert address not in known
        assert await program.bus.read(registers.DMA_PAGE + address) == 0
        assert await program.read("INTR_STATE") == refused
        await program.write("INTR_STATE", OPEN)
        await program.bus.write(registers.DMA_PAGE + address, OPEN)
        assert await program.read("INTR_STATE") == refused
        await program.write("INTR_STATE", OPEN)
    await program.write("ID", 0)
    assert await program.read("INTR_STATE") == refused
    await as_before(peripheral)
    both = MASTER["COMMAND"].field("start").mask | MASTER["COMMAND"].field("abort").mask
    await program.write("COMMAND", both)
    assert await program.get("STATUS", "running") == 0


@cocotb.test()
async def resets(dut: Any) -> None:
    """A reset of all in the middle of a list leaves nothing of it."""
    program, peripheral, layout = await started(dut)
    for _ in range(3):
        layout = Layout(program.memory, program.rng)
        messages = [some_message(layout) for _ in range(3)]
        await program.start(chain(layout, messages))
        await ClockCycles(dut.clk_i, program.rng.randrange(900))
        await FallingEdge(dut.clk_i)
        dut.rst_i.value = 1
        for _ in range(4):
            await FallingEdge(dut.clk_i)
        dut.rst_i.value = 0
        await ClockCycles(dut.clk_i, 40)
        await FallingEdge(dut.clk_i)
        assert await program.read("STATUS") == 0
        assert await program.read("INTR_STATE") == 0
        await as_before(peripheral)
        layout.next += 64
        await hashed(program, layout, [some_message(layout)])
