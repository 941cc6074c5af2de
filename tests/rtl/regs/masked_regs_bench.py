"""The masked peripheral by its registers (docs/integrate/masked.md), on its buses.

Runs inside the simulator; `test_masked_regs.py` starts it.
"""

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly

from hashfabric.models.family import Function
from hashfabric.models.functions import KECCAK
from hashfabric.registry import registers
from hashfabric.registry.designs import find_design
from tests.rtl.regs.regs import BUSES, PARTS, Bus
from tests.support import oracles

REGISTERS = registers.load(source=registers.MASKED)
SERIAL = os.environ["HF_SERIAL"] == "1"
WORDS = int(os.environ["HF_WORDS"])
COUNT = int(os.environ["HF_COUNT"])
WAITS = float(os.environ["HF_WAITS"])
FUNCTIONS = [KECCAK[name] for name in find_design("keccak-masked").functions]
SIZE = 1 << 9
BOUND = 8
"""The longest access, clocks."""
START = 402 * 22 if SERIAL else 17 * 48
"""Clocks from the seed until the core is ready, but for the generator's 288."""
BLOCK = 1_500 if SERIAL else 200
"""The longest that a block or a part of an output takes, clocks, words by the bus included."""
STATE = 200
"""Bytes of a state."""
DONE, ERROR, REFUSED = 1, 2, 4
"""Bits of INTR_STATE."""


class Unit:
    """The registers by name, and the sequences of the page."""

    def __init__(self, dut: Any, bus: Bus, rng: random.Random) -> None:
        """Take the bus."""
        self.dut, self.bus, self.rng = dut, bus, rng
        self.share = b""
        """Share 0 of the digest that was read last."""

    async def read(self, name: str, index: int = 0) -> int:
        """Return a register."""
        return await self.bus.read(REGISTERS[name].address + 4 * index)

    async def write(self, name: str, value: int, index: int = 0, strobe: int = 15) -> None:
        """Write a register."""
        await self.bus.write(REGISTERS[name].address + 4 * index, value, strobe)

    async def status(self, name: str) -> int:
        """Return a field of STATUS."""
        field = REGISTERS["STATUS"].field(name)
        return (await self.read("STATUS") & field.mask) >> field.low

    async def until(self, name: str, value: int, clocks: int) -> None:
        """Read STATUS until a field has a value."""
        for _ in range(clocks // 2):
            if await self.status(name) == value:
                return
        raise AssertionError(f"STATUS.{name} does not become {value}")

    async def seed(self, key: int) -> None:
        """Write the seed."""
        for index in range(3):
            await self.write("SEED.WORD", key >> 32 * index & 0xFFFFFFFF, index)

    async def causes(self) -> int:
        """Return the interrupts, which are cleared."""
        found = await self.read("INTR_STATE")
        await self.write("INTR_STATE", found)
        return found

    async def command(self, name: str, bits: int = 0, count: int = 0) -> None:
        """Give a command."""
        register = REGISTERS["COMMAND"]
        await self.write(
            "COMMAND",
            register.field(name).mask
            | bits << register.field("bits").low
            | count << register.field("bytes").low,
        )

    async def message(self, data: bytes) -> None:
        """Write the words of a message in shares."""
        await self.write_shares(masked(self.rng, data))

    async def write_shares(self, shares: list[bytes]) -> None:
        """Write words of shares: of one or the other, as there is room."""
        words = [
            [int.from_bytes(share[at : at + 4], "little") for at in range(0, len(share), 4)]
            for share in shares
        ]
        sent = [0, 0]
        polls = 0
        while sent != [len(words[0])] * 2:
            share = self.rng.randrange(2)
            room = await self.status(f"room_{share}")
            count = min(room, len(words[share]) - sent[share], self.rng.randint(1, WORDS))
            for word in words[share][sent[share] : sent[share] + count]:
                await self.write(f"MESSAGE_{share}.WORD", word, self.rng.randrange(16))
            sent[share] += count
            polls = 0 if count else polls + 1
            assert polls < BLOCK, "no room for the message"

    async def last(self, data: bytes, bits: int) -> None:
        """End the message of which `data` was written."""
        whole = len(data) % 4 == 0 and len(data) > 0 and self.rng.random() < 0.5
        await self.command("last", bits % 8, 4 if whole else len(data) % 4)

    async def digest(self, count: int) -> bytes:
        """Read `count` bytes of output."""
        self.share, other = await self.read_shares(count)
        return added(self.share, other)

    async def read_shares(self, count: int) -> list[bytes]:
        """Read `count` bytes of output, in whole words."""
        found = [b"", b""]
        polls = 0
        while len(found[0]) < count:
            words = min(await self.status("words"), -(-(count - len(found[0])) // 4))
            polls = 0 if words else polls + 1
            assert polls < BLOCK, "no word of the digest"
            for share in (0, 1):
                read = [
                    await self.read(f"DIGEST_{share}.WORD", self.rng.randrange(16))
                    for _ in range(words)
                ]
                found[share] += b"".join(word.to_bytes(4, "little") for word in read)
        return found

    async def save(self) -> list[bytes]:
        """Return the shares of the state after all words that were written."""
        await self.command("save")
        assert await self.status("state") == 1
        if self.rng.random() < 0.3:  # the FIFOs are full meanwhile
            await ClockCycles(self.dut.clk_i, 30 * WORDS)
            await FallingEdge(self.dut.clk_i)
        shares = await self.read_shares(STATE)
        assert await self.status("state") == 0
        assert await self.status("words") == 0
        return shares

    async def restore(self, function: Function, shares: list[bytes]) -> None:
        """Begin a message in a state that was saved."""
        await self.write("CONFIG", function.code)
        await self.command("restore")
        await self.write("CONFIG", self.rng.randrange(256))  # no effect any more
        assert await self.status("state") == 1
        await self.write_shares(shares)
        await self.until("state", 0, BLOCK)

    async def hash(self, function: Function, data: bytes, bits: int, count: int) -> bytes:
        """Return `count` bytes of the digest of the first `bits` bits of `data`."""
        await self.write("CONFIG", function.code)
        await self.message(data)
        if data:
            await self.write("CONFIG", self.rng.randrange(256))  # no effect any more
        await self.last(data, bits)
        found = await self.digest(count)
        if function.xof:
            assert await self.status("busy") == 1
            await self.command("stop")
        await self.until("busy", 0, BLOCK)
        return found


def added(one: bytes, other: bytes) -> bytes:
    """Return the sum of two shares."""
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def masked(rng: random.Random, data: bytes) -> list[bytes]:
    """Return the shares of `data`, with masks above its end too, in whole words."""
    share = rng.randbytes(-(-len(data) // 4) * 4)
    return [added(data + rng.randbytes(-len(data) % 4), share), share]


def messages(rng: random.Random) -> Iterator[tuple[Function, bytes, int, int]]:
    """Yield functions, messages, their bits and the bytes of output that are read."""
    for _ in range(COUNT):
        while True:
            function = rng.choice(FUNCTIONS)
            rate = function.rate_bits // 8
            around = rng.choice((0, 0, 4, rate, 2 * rate)) + rng.randint(-5, 5)
            length = max(0, rng.choice((around, around, rng.randrange(3 * rate))))
            bits = 8 * length - (rng.choice((0, 0, rng.randrange(8))) if length else 0)
            data = rng.randbytes(-(-bits // 8))
            count = function.digest_bits // 8
            if function.xof:
                count = 4 * rng.choice((1, 8, rate // 4, rng.randrange(1, rate)))
            if expected(function, data, bits, count) is not None:
                break
        yield function, data, bits, count


def expected(function: Function, data: bytes, bits: int, count: int) -> bytes | None:
    """Return a digest; None where no library has the function."""
    output = 8 * count if function.xof else None
    return oracles.library_digest(function, data, bits=bits, output_bits=output)


async def powered(dut: Any) -> Unit:
    """Start the clock, reset, and return the unit."""
    rng = random.Random(cocotb.RANDOM_SEED)
    dut.rst_i.value = 1
    Clock(dut.clk_i, 2, unit="ns").start()
    bus = BUSES[os.environ["HF_BUS"]](dut, rng, WAITS, BOUND)
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    await FallingEdge(dut.clk_i)
    return Unit(dut, bus, rng)


async def started(dut: Any) -> Unit:
    """Do that, seed the masks, and wait for the core."""
    unit = await powered(dut)
    await unit.seed(unit.rng.getrandbits(80) | 1)
    await ClockCycles(dut.clk_i, START)
    await FallingEdge(dut.clk_i)
    await unit.until("ready", 1, 1_000)
    return unit


@cocotb.test()
async def hashes(dut: Any) -> None:
    """Messages of every kind after each other, by polling and by interrupt."""
    unit = await started(dut)
    rng = unit.rng
    assert await unit.read("ID") == 0x48464D31
    assert await unit.read("CAPS") == WORDS | 2 << 8 | SERIAL << 12
    for index, (function, data, bits, count) in enumerate(messages(rng)):
        enabled = rng.randrange(2)
        await unit.write("INTR_ENABLE", enabled)
        # What is left unread does not come with the next one. Of a fixed length, it has room.
        least = 4 if function.xof else max(4, count - 4 * WORDS)
        unread = rng.random() < 0.3 and count > least
        part = rng.randrange(least, count, 4) if unread else count
        if part < count and not function.xof:
            await unit.write("CONFIG", function.code)
            await unit.message(data)
            await unit.last(data, bits)
            found = await unit.digest(part)
            await unit.until("busy", 0, BLOCK)
        else:
            found = await unit.hash(function, data, bits, part)
        known = expected(function, data, bits, count)
        assert found == (known or b"")[:part], f"{index}: {function.name}, {bits} bits, {part}"
        assert int(dut.irq_o.value) == enabled
        assert await unit.causes() == DONE
        assert int(dut.irq_o.value) == 0


@cocotb.test()
async def clears(dut: Any) -> None:
    """`clear` at any point of a message leaves nothing of it; the next one is right."""
    unit = await started(dut)
    rng = unit.rng
    for function, data, bits, _ in messages(rng):
        point = rng.randrange(4)
        await unit.write("CONFIG", function.code)
        if point == 0:  # one share has more words than the other
            for _ in range(rng.randint(1, WORDS)):
                await unit.write("MESSAGE_0.WORD", rng.getrandbits(32))
        else:
            await unit.message(data)
        if point > 1:
            await unit.last(data, bits)
        await ClockCycles(dut.clk_i, rng.choice((1, 10, 100, 1_000)))
        await FallingEdge(dut.clk_i)
        if point > 2 and await unit.status("words"):
            await unit.read("DIGEST_1.WORD")
        await unit.causes()
        await unit.command("clear")
        assert await unit.status("words") == 0
        if rng.random() < 0.2:
            await unit.command("clear")
        await unit.until("busy", 0, 2 * BLOCK)
        assert await unit.causes() == 0
        assert await unit.status("words") == 0
        assert await unit.status("room_0") == await unit.status("room_1") == WORDS
        text = rng.randbytes(rng.randrange(200))
        found = await unit.hash(KECCAK["sha3-256"], text, 8 * len(text), 32)
        assert found == expected(KECCAK["sha3-256"], text, 8 * len(text), 32)
        assert await unit.causes() == DONE


@cocotb.test()
async def refuses(dut: Any) -> None:
    """Accesses at the wrong time or of a wrong kind have no effect, and are reported."""
    unit = await started(dut)
    rng = unit.rng
    used = {
        register.address + 4 * index
        for register in REGISTERS.values()
        for index in range(register.count)
    }
    for address in (a for a in range(0, SIZE, 4) if a not in used):
        assert await unit.bus.read(address) == 0
        assert await unit.causes() == ERROR, hex(address)
        await unit.bus.write(address, rng.getrandbits(32))
        assert await unit.causes() == ERROR, hex(address)
    for name in ("COMMAND", "SEED.WORD", "MESSAGE_0.WORD", "MESSAGE_1.WORD"):
        assert await unit.read(name) == 0
        assert await unit.causes() == ERROR, name
        await unit.write(name, rng.getrandbits(32), strobe=rng.choice(PARTS))
        assert await unit.causes() == ERROR, name
        await unit.write(name, rng.getrandbits(32), strobe=0)
        assert await unit.causes() == 0, name
    for name in ("DIGEST_0.WORD", "DIGEST_1.WORD"):
        assert await unit.read(name) == 0
        assert await unit.causes() == ERROR, name
        await unit.write(name, rng.getrandbits(32))
        assert await unit.causes() == ERROR, name
        await unit.write(name, rng.getrandbits(32), strobe=0)
        assert await unit.causes() == 0, name
    states = (8,) if SERIAL else (8, 16)  # `save` of nothing; `restore` where there is none
    # None, several, of no word.
    for value in (0, 3, 5, 6, 7, 9, 17, 20, 24, 0x1001, 0x5001, 0x7001, 0x101, *states):
        await unit.write("COMMAND", value)
        assert await unit.causes() == ERROR, hex(value)
    await unit.command("stop")
    assert await unit.causes() == ERROR
    assert await unit.read("STATUS") == 1 | WORDS << 16 | WORDS << 24

    data = rng.randbytes(4 * WORDS)
    shares = masked(rng, data)
    for share in (0, 1):
        for at in range(0, len(data), 4):
            word = int.from_bytes(shares[share][at : at + 4], "little")
            await unit.write(f"MESSAGE_{share}.WORD", word)
        if share == 0:
            await unit.write("MESSAGE_0.WORD", 0)  # no room
            assert await unit.causes() == ERROR
            await unit.command("last")  # the other share has no word
            assert await unit.causes() == ERROR
            await unit.write("MESSAGE_1.WORD", 1, strobe=3)
            assert await unit.causes() == ERROR
    await unit.command("stop")
    assert await unit.causes() == ERROR
    await unit.write("COMMAND", 0x5001)
    assert await unit.causes() == ERROR
    await unit.command("last")
    assert await unit.status("ended") == 1
    await unit.command("last")
    assert await unit.causes() & ERROR
    for share in (0, 1):
        await unit.write(f"MESSAGE_{share}.WORD", 0)
        assert await unit.causes() & ERROR
    assert await unit.digest(32) == expected(KECCAK["sha3-256"], data, 8 * len(data), 32)
    await unit.until("busy", 0, BLOCK)


@dataclass
class Job:
    """A hash, and how much of its message is absorbed."""

    function: Function
    data: bytes
    bits: int
    count: int
    at: int = 0
    shares: list[bytes] | None = None
    """Those of its state, where it is saved."""

    async def begin(self, unit: Unit) -> None:
        """Begin, or continue in the state."""
        if self.shares is None:
            await unit.write("CONFIG", self.function.code)
            return
        if unit.rng.random() < 0.5:  # other masks of the same state
            masks = unit.rng.randbytes(STATE)
            self.shares = [added(share, masks) for share in self.shares]
        await unit.restore(self.function, self.shares)
        # To the position in the block: zeros change no word of the state.
        await unit.message(bytes(self.at % (self.function.rate_bits // 8)))

    async def advance(self, unit: Unit) -> None:
        """Absorb some words; the message's last one too, if it is whole."""
        rng, left = unit.rng, len(self.data) - self.at
        most = left if self.bits % 32 == 0 else (left - 1) // 4 * 4
        block = self.function.rate_bits // 8
        step = min(most, rng.choice((0, 4, 8, 20, block, block - self.at % block)))
        await unit.message(self.data[self.at : self.at + step])
        self.at += step

    async def end(self, unit: Unit) -> None:
        """Absorb what is left, and compare the digest."""
        rest = self.data[self.at :]
        await unit.message(rest)
        await unit.last(rest, self.bits)
        found = await unit.digest(self.count)
        if self.function.xof:
            await unit.command("stop")
        await unit.until("busy", 0, BLOCK)
        wanted = expected(self.function, self.data, self.bits, self.count)
        assert found == wanted, (self.function.name, self.bits, self.at)
        assert await unit.causes() == DONE


@cocotb.test(skip=not SERIAL)
async def states(dut: Any) -> None:
    """Hashes in turns: a state is saved after any word, and each hash goes on in its own."""
    unit = await started(dut)
    rng = unit.rng
    coming = [Job(*message) for message in messages(rng)]
    running: list[Job] = []
    seen = []
    while coming or running:
        if coming and len(running) < 3:
            running.append(coming.pop())
        job = rng.choice(running)
        await job.begin(unit)
        for _ in range(rng.randrange(3)):
            await job.advance(unit)
            if job.at and rng.random() < 0.4:  # saved, and the message continues
                await unit.save()
        if rng.random() < 0.3:
            await job.end(unit)
            running.remove(job)
        elif job.at:
            job.shares = await unit.save()
            seen.append(job.shares[0])
            assert await unit.status("busy") == 1
            await unit.command("clear")
            await unit.until("busy", 0, 2 * BLOCK)
            assert await unit.causes() == 0
    assert len(set(seen)) == len(seen) > 1, "shares of a state repeat"


async def a_state_cleared(unit: Unit) -> None:
    """`clear` of a part of a state, and of all of it; then a hash at once."""
    rng = unit.rng
    await unit.write("CONFIG", rng.choice(FUNCTIONS).code)
    await unit.command("restore")
    words = rng.choice((0, 1, 10, 49, 50))
    await unit.write_shares([rng.randbytes(4 * words) for _ in range(2)])
    await ClockCycles(unit.dut.clk_i, rng.randrange(1, 60))
    await FallingEdge(unit.dut.clk_i)
    await unit.command("clear")
    assert await unit.causes() == 0


async def a_state_cleared_and_another_saved(unit: Unit) -> None:
    """`clear` of a state, and at once a message whose state is saved: it is that of the message."""
    rng, waits = unit.rng, unit.bus.waits
    await unit.write("CONFIG", KECCAK["shake256"].code)
    await unit.command("restore")
    count = 4 * rng.choice((1, 3, 10))
    await unit.write_shares([rng.randbytes(count) for _ in range(2)])
    await ClockCycles(unit.dut.clk_i, rng.randrange(1, 60))
    await FallingEdge(unit.dut.clk_i)
    unit.bus.waits = 0.0
    for share in (0, 1):
        await unit.write(f"MESSAGE_{share}.WORD", rng.getrandbits(32))
    await unit.command("clear")
    words = [rng.getrandbits(32) for _ in range(2)]
    for share in (0, 1):
        await unit.write(f"MESSAGE_{share}.WORD", words[share])
    await unit.command("save")
    unit.bus.waits = waits
    shares = await unit.read_shares(STATE)
    assert await unit.status("state") == await unit.status("words") == 0
    assert added(*shares) == (words[0] ^ words[1]).to_bytes(STATE, "little")
    await unit.command("clear")
    await unit.until("busy", 0, 2 * BLOCK)


async def a_state_of_no_function(unit: Unit) -> None:
    """A message of an unknown function begins in a state."""
    rng = unit.rng
    await unit.write("CONFIG", max(function.code for function in FUNCTIONS) + 1)
    await unit.command("restore")
    await unit.write_shares([rng.randbytes(STATE) for _ in range(2)])
    await unit.until("state", 0, BLOCK)
    await unit.message(rng.randbytes(4 * rng.randrange(3)))
    await unit.command("save")
    assert await unit.causes() == ERROR
    await unit.command(rng.choice(("last", "clear")))
    await unit.until("busy", 0, BLOCK)
    assert await unit.causes() in (0, DONE | REFUSED)


async def a_save_cleared(unit: Unit) -> None:
    """`clear` while a state is saved, in any clock."""
    rng = unit.rng
    await unit.write("CONFIG", rng.choice(FUNCTIONS).code)
    await unit.message(rng.randbytes(4 * rng.choice((1, 33, 34, 35))))
    await unit.command("save")
    await ClockCycles(unit.dut.clk_i, rng.randrange(1, 1_500))
    await FallingEdge(unit.dut.clk_i)
    await unit.command("clear")
    if rng.random() < 0.5:
        await unit.until("busy", 0, 2 * BLOCK)
    else:
        await unit.until("ended", 0, 2 * BLOCK)  # the earliest that words are taken
    assert await unit.causes() == 0
    assert await unit.status("words") == 0


async def accesses_refused(unit: Unit) -> None:
    """Commands and words at the wrong time change nothing; a state read again has other masks."""
    shares = [unit.rng.randbytes(STATE) for _ in range(2)]
    await unit.write("CONFIG", 1)
    await unit.command("restore")
    for name in ("last", "save", "restore", "stop"):
        await unit.command(name)
        assert await unit.causes() == ERROR, name
    await unit.write_shares(shares)
    await unit.until("state", 0, BLOCK)
    await unit.command("save")
    for name in ("last", "save", "restore", "stop"):
        await unit.command(name)
        assert await unit.causes() == ERROR, name
    await unit.write("MESSAGE_0.WORD", 1)
    assert await unit.causes() == ERROR
    again = await unit.read_shares(STATE)
    assert added(*again) == added(*shares)
    assert again[0] != shares[0], "the state got no masks"
    await unit.command("clear")
    await unit.until("busy", 0, 2 * BLOCK)


@cocotb.test(skip=not SERIAL)
async def states_left(dut: Any) -> None:
    """Whatever happens around a state, nothing of it is in the next hash."""
    unit = await started(dut)
    function = KECCAK["sha3-256"]
    for _ in range(COUNT):
        for event in (
            a_state_cleared,
            a_state_cleared_and_another_saved,
            a_state_of_no_function,
            a_save_cleared,
            accesses_refused,
        ):
            await event(unit)
            await unit.causes()
            text = unit.rng.randbytes(unit.rng.randrange(150))
            found = await unit.hash(function, text, 8 * len(text), 32)
            assert found == expected(function, text, 8 * len(text), 32), event.__name__
            assert await unit.causes() == DONE


@cocotb.test(skip=not SERIAL)
async def states_at_a_seed(dut: Any) -> None:
    """`clear` in any clock around the one in which the first word of a state is put in place."""
    unit = await started(dut)
    unit.bus.waits = 0.0
    function = KECCAK["sha3-256"]
    for clocks in range(240, 300):
        await unit.seed(unit.rng.getrandbits(80) | 1)
        await unit.command("restore")
        for share in (0, 1):
            await unit.write(f"MESSAGE_{share}.WORD", unit.rng.getrandbits(32))
        await ClockCycles(dut.clk_i, clocks)
        await FallingEdge(dut.clk_i)
        await unit.command("clear")
        found = await unit.hash(function, b"abc", 24, 32)
        assert found == expected(function, b"abc", 24, 32), clocks
        assert await unit.causes() == DONE


@cocotb.test()
async def unknown_functions(dut: Any) -> None:
    """A function that the core does not have: no output, but the cause; the next one is right."""
    unit = await started(dut)
    rng = unit.rng
    codes = {function.code for function in FUNCTIONS}
    await unit.write("INTR_ENABLE", REFUSED)
    for length in (0, 3, 200):
        data = rng.randbytes(length)
        await unit.write("CONFIG", rng.choice([c for c in range(256) if c not in codes]))
        await unit.message(data)
        await unit.last(data, 8 * length)
        await unit.until("busy", 0, 3 * BLOCK)
        assert int(dut.irq_o.value) == 1
        assert await unit.causes() == DONE | REFUSED
        assert await unit.status("words") == 0
        found = await unit.hash(KECCAK["shake128"], data, 8 * length, 40)
        assert found == expected(KECCAK["shake128"], data, 8 * length, 40)
        assert await unit.causes() == DONE


@cocotb.test()
async def seeds(dut: Any) -> None:
    """Messages wait for the seed; one of zeros is refused; a new one changes no digest."""
    unit = await powered(dut)
    rng = unit.rng
    function = KECCAK["sha3-256"]
    data = rng.randbytes(min(60, 4 * WORDS))
    bits = 8 * len(data)
    for words in ((2,), (0, 2), (1, 2)):
        for index in words:
            await unit.write("SEED.WORD", rng.getrandbits(32), index)
        assert await unit.causes() == ERROR, words
        await unit.command("clear")  # of the words as well
    for key in (0, (1 << 80) - 1):
        await unit.seed(key)
        await ClockCycles(dut.clk_i, START + 500)
        await FallingEdge(dut.clk_i)
        assert await unit.status("ready") == 0
    await unit.write("CONFIG", function.code)
    await unit.message(data)
    assert await unit.status("busy") == 1
    await unit.command("clear")
    assert await unit.status("busy") == 0, "a message that has not begun is gone at once"
    await unit.message(data)
    await unit.last(data, bits)
    await ClockCycles(dut.clk_i, 2 * BLOCK)
    await FallingEdge(dut.clk_i)
    assert await unit.status("words") == 0
    await unit.seed(rng.getrandbits(80) | 1)
    await ClockCycles(dut.clk_i, START)
    await FallingEdge(dut.clk_i)
    assert await unit.digest(32) == expected(function, data, bits, 32)
    await unit.until("busy", 0, BLOCK)
    shares = set()
    keys = [rng.getrandbits(80) | 1 for _ in range(4)]
    same = rng.getstate()  # the same shares of the message
    for key in keys:
        rng.setstate(same)
        await unit.message(data)
        await unit.seed(key)
        await unit.last(data, bits)
        assert await unit.digest(32) == expected(function, data, bits, 32)
        await unit.until("busy", 0, BLOCK)
        shares.add(unit.share)
    assert len(shares) == 4, "the digest's shares do not change"


@cocotb.test()
async def a_refused_seed_within_a_message(dut: Any) -> None:
    """It stops the generator: the message, and COMMAND.clear, wait for a seed that is legal."""
    unit = await powered(dut)
    rng = unit.rng
    function = KECCAK["sha3-512"]
    await unit.seed(rng.getrandbits(80) | 1)
    await ClockCycles(dut.clk_i, START)
    await FallingEdge(dut.clk_i)
    await unit.write("CONFIG", function.code)
    for key in (0, (1 << 80) - 1):
        await unit.message(rng.randbytes(4 * (function.rate_bits // 32 + 2)))
        await unit.seed(key)
        assert await unit.status("ready") == 0
        await unit.command("clear")
        await ClockCycles(dut.clk_i, 3 * BLOCK)
        await FallingEdge(dut.clk_i)
        assert await unit.status("busy") == 1
        await unit.seed(rng.getrandbits(80) | 1)
        await unit.until("busy", 0, START)
        data = rng.randbytes(100)
        await unit.message(data)
        await unit.last(data, 800)
        assert await unit.digest(64) == expected(function, data, 800, 64)
        await unit.until("busy", 0, BLOCK)


@cocotb.test(skip=WORDS < 8)  # the output ends when its words have room
async def around_the_end(dut: Any) -> None:
    """An access in any clock around the end of an output: no cause is lost, and nothing is left."""
    unit = await started(dut)
    rng = unit.rng
    unit.bus.waits = 0.0
    function = KECCAK["sha3-256"]
    await unit.write("INTR_ENABLE", DONE)

    async def hash_until(clocks: int | None) -> int:
        """Hash a word; return the clocks from `last` to the interrupt, or wait for some."""
        await unit.write("CONFIG", function.code)
        await unit.message(b"abcd")
        await unit.command("last", 0, 4)
        for clock in range(BLOCK):
            if clock == clocks or (clocks is None and int(dut.irq_o.value)):
                return clock
            await FallingEdge(dut.clk_i)
        raise AssertionError("no end")

    end = await hash_until(None)
    assert await unit.digest(32) == expected(function, b"abcd", 32, 32)
    assert await unit.causes() == DONE
    for name in ("INTR_STATE", "stop", "clear", "MESSAGE_0.WORD"):
        seen = set()
        for clocks in range(end - 14, end + 3):
            await hash_until(clocks)
            if name in ("stop", "clear"):
                await unit.command(name)
            else:
                await unit.write(name, 0)
            if name != "MESSAGE_0.WORD" or await unit.status("ended"):
                await unit.until("busy", 0, BLOCK)
            words, causes = await unit.status("words"), await unit.causes()
            seen.add((words, causes))
            assert causes & DONE or name == "clear", (name, clocks - end)
            await unit.command("clear")
            data = rng.randbytes(40)
            found = await unit.hash(function, data, 320, 32)
            assert found == expected(function, data, 320, 32), (name, clocks - end)
            assert await unit.causes() == DONE
        wanted = {
            "INTR_STATE": {(8, DONE)},
            "stop": {(0, DONE), (8, DONE | ERROR)},  # in time, and too late
            "clear": {(0, 0), (0, DONE)},
            "MESSAGE_0.WORD": {(8, DONE | ERROR), (0, DONE)},  # refused, and of the next message
        }[name]
        assert seen == wanted, (name, seen)


@cocotb.test(skip=os.environ["HF_BUS"] != "apb")
async def resets(dut: Any) -> None:
    """A reset of one clock in an access: no answer comes after it."""
    unit = await started(dut)
    rng = unit.rng
    unit.bus.waits = 0.0
    await unit.message(b"abcd")
    await unit.command("last")
    await unit.until("words", min(8, WORDS), BLOCK)
    for name in ("DIGEST_1.WORD", "COMMAND", "SEED.WORD", "MESSAGE_0.WORD", "STATUS"):
        for clock in range(3):
            for write in (0, 1):
                dut.s_apb_psel.value, dut.s_apb_paddr.value = 1, REGISTERS[name].address
                dut.s_apb_pwrite.value, dut.s_apb_pstrb.value = write, 15
                dut.s_apb_pwdata.value = rng.getrandbits(32)
                for _ in range(clock):
                    await FallingEdge(dut.clk_i)
                    dut.s_apb_penable.value = 1
                dut.rst_i.value = 1
                await FallingEdge(dut.clk_i)
                dut.rst_i.value = dut.s_apb_psel.value = dut.s_apb_penable.value = 0
                for _ in range(4):
                    await ReadOnly()
                    assert int(dut.s_apb_pready.value) == 0, (name, clock, write)
                    await FallingEdge(dut.clk_i)
                assert await unit.read("INTR_STATE") == 0
                assert await unit.read("STATUS") == WORDS << 16 | WORDS << 24
    await unit.seed(rng.getrandbits(80) | 1)
    await ClockCycles(dut.clk_i, START)
    await FallingEdge(dut.clk_i)
    await unit.until("ready", 1, 1_000)
    found = await unit.hash(KECCAK["sha3-512"], b"abc", 24, 64)
    assert found == expected(KECCAK["sha3-512"], b"abc", 24, 64)
