"""Bench of contexts (docs/integrate/contexts.md): turns, owners, a hostile master, resets.

`test_contexts.py` starts it. That a page is a peripheral is `regs_bench.py`'s, with other pages in
turns. Words of the RAM are read by the name of its memory.
"""

import os
import random
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly, RisingEdge

from hashfabric.models.family import Function
from hashfabric.models.functions import KECCAK
from hashfabric.registry import registers
from tests.rtl.regs.regs import ABSORB, BUSES, HELD, IDLE, OPEN, REGISTERS, SQUEEZE, Contexts
from tests.rtl.regs.regs import Peripheral as Page
from tests.rtl.regs.regs_bench import (
    BOUND,
    BUS,
    COUNT,
    FUNCTIONS,
    WAITS,
    expected,
    irq_of,
    lengths,
)
from tests.support import oracles

OWNER = registers.load(source=registers.CONTEXTS)["OWNER"]
NUMBER = int(os.environ["HF_CONTEXTS"])
PRIVILEGED, VICTIM, HOSTILE = 0, 1, 2
"""Masters by their IDs."""
READABLE = ("ID", "VERSION", "CAPS", "FUNCTIONS")
"""Registers that say what was built: every master reads them in every page."""
RAM_WORDS = 64
CONFIG_PLACE, META_PLACE = 52, 63
"""Words of a context's part of the RAM that are not zero when it is wiped."""


ENGINE = int(os.environ["HF_ENGINE"])
WORK = (428, 4_700, 67_000)[ENGINE]
"""The longest work that a context completes before it is saved (docs/integrate/regs.md)."""
SWITCH = (850, 11_000, 11_000)[ENGINE]
"""Clocks of a switch beside it, of two contexts with hashes (docs/integrate/contexts.md)."""
IDLE_SWITCH = (150, 250, 2_000)[ENGINE]
"""Clocks of one between two that are idle."""


def owner(part: str) -> int:
    """Return the bits of a field of OWNER."""
    return OWNER.field(part).mask


@dataclass
class View:
    """The bus as one master sees one page."""

    bus: Contexts
    page: int
    master: int = PRIVILEGED

    @property
    def bound(self) -> int:
        """The longest access, in clocks."""
        return self.bus.bound

    async def read(self, address: int) -> int:
        """Return the word at `address`."""
        return await self.bus.at(self.page, self.master, address)

    async def write(self, address: int, data: int, strobe: int = 15) -> None:
        """Write the bytes of `data` that `strobe` has bits for."""
        await self.bus.at(self.page, self.master, address, data, strobe)

    async def own(self, part: str) -> None:
        """Write a bit of OWNER."""
        await self.write(OWNER.address, owner(part))

    async def owner(self) -> int:
        """Return OWNER."""
        return await self.read(OWNER.address)


async def begun(dut: Any, waits: float = WAITS) -> Contexts:
    """Start the clock, reset, and return the bus."""
    dut.rst_i.value = 1
    Clock(dut.clk_i, 2, unit="ns").start()
    rng = random.Random(cocotb.RANDOM_SEED)
    bus = BUSES[BUS](dut, rng, waits, BOUND + RAM_WORDS * NUMBER)
    assert isinstance(bus, Contexts)
    bus.turns = 0
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    await FallingEdge(dut.clk_i)
    await View(bus, 0).owner()  # waits until the RAM is wiped
    bus.bound = BOUND
    return bus


def page(view: View) -> Page:
    """Return the peripheral that is in a page."""
    return Page(view, view.bus.rng)  # type: ignore[arg-type]  # what a program needs of a bus


####################
# Hashes           #
####################


@dataclass
class Job:
    """A hash in a context."""

    view: View
    function: Function
    data: bytes
    bits: int
    output_bits: int
    begun: bool = False
    fed: int = 0
    ended: bool = False
    out: bytes = b""
    held: bool = False

    @property
    def wanted(self) -> int:
        """Words of output."""
        return -(-(self.output_bits if self.function.xof else self.function.digest_bits) // 32)

    @property
    def done(self) -> bool:
        """Whether all output is there."""
        return self.ended and len(self.out) >= 4 * self.wanted

    def check(self) -> None:
        """Compare the output."""
        reference = expected(self.function, self.data, self.bits, self.output_bits)
        found = self.out[: len(reference)]
        assert found == reference, f"{self.function.name}, page {self.view.page}"


def job(view: View, number: int) -> Job:
    """Return a hash with a message of bits or bytes."""
    rng = view.bus.rng
    function = FUNCTIONS[number % len(FUNCTIONS)]
    data = rng.randbytes(lengths(rng, function))
    bits = 8 * len(data)
    if data and rng.random() < 0.3:
        bits -= rng.randrange(8)
    return Job(view, function, data, bits, rng.choice([1, 32, 33, 256, rng.randrange(1, 2500)]))


async def turn(one: Job, other: View) -> None:
    """Do something with a hash; while it is held, perhaps, another takes the hardware."""
    p, rng = page(one.view), one.view.bus.rng
    whole = one.bits // 8
    if one.held:
        assert await p.get("STATUS", "phase") == HELD
        await p.command("resume")
        one.held = False
    elif not one.begun:
        tail = one.data[whole] << 8 | one.bits % 8 if one.bits % 8 else 0
        await p.begin(one.function, one.output_bits, tail)
        one.begun = True
    elif rng.random() < 0.15 and not one.done:
        await p.write("INTR_STATE", OPEN)
        await p.command("hold")
        if rng.random() < 0.6:
            await page(other).read("TAIL")
        await p.phase(HELD)
        assert await p.get("INTR_STATE", "held") == 1
        one.held = True
    elif not one.ended:
        count = rng.choice([0, 1, 3, 4, 30, 300])
        await p.feed(one.data[one.fed : min(whole, one.fed + count)])
        one.fed = min(whole, one.fed + count)
        if one.fed == whole and rng.random() < 0.7:
            await p.command("last")
            one.ended = True
    elif rng.random() < 0.3:
        await p.read(rng.choice(["STATUS", "CONFIG", "INTR_STATE", "LENGTH", "ERROR"]))
    else:
        left = one.wanted - len(one.out) // 4
        if rng.random() < 0.3:  # no more than there are
            left = min(left, await p.get("STATUS", "digest_words"))
        one.out += await p.words(min(rng.choice([1, 2, 3, 5, 40]), left))


@cocotb.test()
async def interleaved(dut: Any) -> None:
    """Each context has a hash, of every function, and they take turns at random."""
    bus = await begun(dut)
    jobs = []
    for number in range(NUMBER):
        view = View(bus, number, bus.rng.randrange(1, 4))
        if bus.rng.random() < 0.8:
            await view.own("open")
        jobs.append(job(view, number))
    compared = 0
    while jobs:
        one = bus.rng.choice(jobs)
        await turn(one, bus.rng.choice(jobs).view)
        if one.begun and bus.rng.random() < 0.002:  # given up
            await page(one.view).command("clear")
            jobs[jobs.index(one)] = job(one.view, compared)
        elif one.done:
            one.check()
            compared += 1
            assert await page(one.view).read("ERROR") == 0
            jobs.remove(one)
            if compared + len(jobs) < NUMBER + COUNT // 4:
                jobs.append(job(one.view, compared))
    assert compared >= NUMBER
    dut._log.info(f"longest access: {bus.longest} clocks, of {BOUND}")


@cocotb.test()
async def each_has_its_registers(dut: Any) -> None:
    """CONFIG, LENGTH, TAIL, INTR_ENABLE, INTR_STATE, ERROR of each context; its interrupt."""
    bus = await begun(dut)
    rng = bus.rng
    pages = [page(View(bus, number)) for number in range(NUMBER)]
    errors = REGISTERS["ERROR"]
    kept: list[dict[str, int]] = []
    for p in pages:
        values = {
            "CONFIG": rng.randrange(256),
            "LENGTH": rng.getrandbits(32),
            "TAIL": rng.getrandbits(16) & 0xFF07,
            "INTR_ENABLE": rng.randrange(32),
            "INTR_TEST": rng.randrange(32),
        }
        for name, value in values.items():
            await p.write(name, value)
        values["INTR_STATE"] = values.pop("INTR_TEST")
        values["ERROR"] = 0
        if rng.random() < 0.5:
            await p.read("DIGEST")
            values["ERROR"] = errors.field("digest_read").mask
            values["INTR_STATE"] |= REGISTERS["INTR_STATE"].field("error").mask
        kept.append(values)
    for _ in range(3):
        for p, values in zip(pages, kept, strict=True):
            if rng.random() < 0.5:
                other = rng.choice(pages)
                await other.read("TAIL")
            assert await p.get("STATUS", "error") == bool(values["ERROR"])
            await p.phase(IDLE)
            for name in rng.sample(list(values), len(values)):
                assert await p.read(name) == values[name], name
        for _ in range(3):
            await FallingEdge(dut.clk_i)
        levels = [bool(v["INTR_STATE"] & v["INTR_ENABLE"]) for v in kept]
        assert [bool(irq_of(dut, number)) for number in range(NUMBER)] == levels
        one = rng.randrange(NUMBER)
        await pages[one].write("ERROR", OPEN)
        await pages[one].write("INTR_STATE", OPEN)
        kept[one]["ERROR"] = kept[one]["INTR_STATE"] = 0


@cocotb.test(skip=NUMBER == 1)
async def interrupts_in_the_background(dut: Any) -> None:
    """An interrupt comes though another context takes the hardware at once; each on its line."""
    bus = await begun(dut, 0)
    rng, done = bus.rng, REGISTERS["INTR_STATE"].field("done").mask
    for _ in range(10):
        number, other = rng.sample(range(NUMBER), 2)
        p, q = page(View(bus, number)), page(View(bus, other))
        await p.write("INTR_STATE", OPEN)
        await p.write("INTR_ENABLE", done)
        function, data = KECCAK["shake128"], rng.randbytes(200)
        await p.begin(function, 32)
        await p.feed(data)
        await p.command("last")
        await q.write("TAIL", 0)
        assert [irq_of(dut, n) for n in range(NUMBER)] == [n == number for n in range(NUMBER)]
        assert await p.get("STATUS", "done") == 1
        assert await p.words(1) == expected(function, data, 1600, 32)
        await p.write("INTR_ENABLE", 0)
        # In pieces: the last word of those that the FIFO had makes room for the next ones.
        digest = REGISTERS["INTR_STATE"].field("digest").mask
        await p.begin(function, 32 * 20)
        await p.feed(data)
        await p.write("INTR_ENABLE", digest)
        await p.command("last")
        found = b""
        while len(found) < 80:
            await q.write("TAIL", 0)
            assert irq_of(dut, number) == 1
            await p.write("INTR_STATE", digest)
            words = await p.get("STATUS", "digest_words")
            assert words > 0
            found += await p.words(words)
            await ClockCycles(dut.clk_i, BOUND)
            await FallingEdge(dut.clk_i)
        assert found == expected(function, data, 1600, 640)
        await p.write("INTR_ENABLE", 0)


@cocotb.test(skip=NUMBER == 1)
async def held_in_a_permutation(dut: Any) -> None:
    """A hold that waits for the end of a permutation, with a full FIFO, is the software's own.

    The peripheral is not busy then, so another context may take it before the hold has an effect.
    """
    bus = await begun(dut, 0)
    p, q = page(View(bus, 0)), page(View(bus, 1))
    function, data = KECCAK["shake128"], b"held"
    block = function.rate_bits // 32
    for count in range(block - 6, block + 2):
        await p.write("INTR_STATE", OPEN)
        await p.begin(function, OPEN)
        await p.feed(data)
        await p.command("last")
        found = await p.words(count)
        await p.command("hold")
        await q.write("TAIL", 0)
        await p.phase(HELD)
        assert await p.get("INTR_STATE", "held") == 1, count
        assert await p.read("ERROR") == 0
        await p.command("resume")
        found += await p.words(12)
        assert found == oracles.library_digest(function, data, output_bits=8 * len(found))
        await p.command("stop")
        await p.phase(IDLE)


@cocotb.test(skip=NUMBER == 1)
async def room_comes_once(dut: Any) -> None:
    """The interrupt `room` of a message that has been absorbed stays as software leaves it."""
    bus = await begun(dut, 0)
    p, q = page(View(bus, 0)), page(View(bus, 1))
    room, function = REGISTERS["INTR_STATE"].field("room").mask, KECCAK["sha3-256"]
    await p.begin(function)
    await p.feed(b"absorbed", whole=True)
    await q.write("TAIL", 0)  # it is saved when its words are absorbed
    assert await p.read("INTR_STATE") == room
    await q.write("TAIL", 0)
    assert await p.read("INTR_STATE") == room
    await p.write("INTR_STATE", OPEN)
    await q.write("TAIL", 0)
    assert await p.read("INTR_STATE") == 0
    await p.command("last")
    assert await p.words(8) == oracles.library_digest(function, b"absorbed")


@cocotb.test(skip=NUMBER == 1)
async def beyond_the_state(dut: Any) -> None:
    """A write to an address after STATE is a bad access, and changes no words of output."""
    bus = await begun(dut, 0)
    p, q = page(View(bus, 0)), page(View(bus, 1))
    function, data = KECCAK["shake128"], b"held with words"
    await p.begin(function, OPEN)
    await p.feed(data)
    await p.command("last")
    found = await p.words(3)
    await p.command("hold")
    await q.write("TAIL", 0)
    kept = await p.get("STATUS", "digest_words")
    assert kept > 0
    for address in (0x1C8, 0x1F8):
        for strobe in (15, 0):
            await q.write("TAIL", 0)
            await p.bus.write(address, bus.rng.getrandbits(32), strobe)
            assert await p.get("STATUS", "digest_words") == kept
    assert await p.read("ERROR") == REGISTERS["ERROR"].field("bad_access").mask
    await p.write("ERROR", OPEN)
    await p.command("resume")
    found += await p.words(12)
    assert found == oracles.library_digest(function, data, output_bits=8 * len(found))


@cocotb.test(skip=NUMBER == 1)
async def held_after_the_output(dut: Any) -> None:
    """In phase held STATUS.done is 0, whether the record in the RAM or the peripheral shows it."""
    bus = await begun(dut, 0)
    p, q = page(View(bus, 0)), page(View(bus, 1))
    await p.begin(KECCAK["shake128"], 32)
    await p.feed(b"done")
    await p.command("last")
    await p.words(1)
    await p.phase(IDLE)
    await p.command("hold")
    await q.write("TAIL", 0)
    for _ in range(2):
        assert await p.get("STATUS", "phase") == HELD
        assert await p.get("STATUS", "done") == 0
        await p.read("TAIL")  # takes it out of the RAM


async def with_unread_output(p: Page, other: Page, enabled: int, output: int) -> None:
    """Put a context into the RAM that has unread words of `output` bits, and an interrupt."""
    await p.command("clear")
    await p.write("INTR_STATE", OPEN)
    await p.write("INTR_ENABLE", enabled)
    await p.begin(KECCAK["shake128"], output)
    await p.feed(b"unread words")
    await p.command("last")
    await other.write("TAIL", 0)


@cocotb.test(skip=NUMBER == 1)
async def interrupts_without_pulses(dut: Any) -> None:
    """An interrupt stays high while words of its output are discarded; none comes in between."""
    bus = await begun(dut, 0)
    fields = REGISTERS["INTR_STATE"]
    done, digest = fields.field("done").mask, fields.field("digest").mask
    p, q = page(View(bus, 0)), page(View(bus, 1))
    levels: list[int] = []

    async def watch() -> None:
        while True:
            await FallingEdge(dut.clk_i)
            levels.append(irq_of(dut, 0))

    for command in ("start", "stop", "clear"):
        await with_unread_output(p, q, done, 32)
        assert await p.get("STATUS", "digest_words") == 1
        assert irq_of(dut, 0) == 1
        levels.clear()
        watcher = cocotb.start_soon(watch())
        await p.command(command)
        await p.read("TAIL")
        watcher.cancel()
        assert set(levels) == {1}, command
    await with_unread_output(p, q, done | digest, OPEN)
    await p.write("INTR_STATE", OPEN)
    await q.write("TAIL", 0)
    levels.clear()
    watcher = cocotb.start_soon(watch())
    await p.write("CONFIG", 0)  # illegal now: it is taken out of the RAM, and goes back
    await p.read("STATUS")
    watcher.cancel()
    assert set(levels) == {0}


@cocotb.test(skip=NUMBER == 1)
async def interrupts_end_with_their_bit(dut: Any) -> None:
    """A context in the RAM with unread words: its interrupt is low once the write is answered."""
    bus = await begun(dut, 0)
    fields = REGISTERS["INTR_STATE"]
    done, digest = fields.field("done").mask, fields.field("digest").mask
    p, q = page(View(bus, 0)), page(View(bus, 1))
    for output, bit in ((32, done), (OPEN, digest)):
        for name in ("INTR_STATE", "INTR_ENABLE"):
            await with_unread_output(p, q, bit, output)
            assert irq_of(dut, 0) == 1
            await p.write(name, bit if name == "INTR_STATE" else 0)
            for _ in range(3):
                await FallingEdge(dut.clk_i)
            assert irq_of(dut, 0) == 0, f"{name}, {output} bits"


####################
# Owners           #
####################


class Watch:
    """Every word that the bus shows a master, in every clock, waits included.

    A word for anybody's write, or in a wait, is an error.
    """

    def __init__(self, dut: Any, master: int) -> None:
        """Begin."""
        self.words: set[int] = set()
        self._dut, self._master = dut, master
        self._task = cocotb.start_soon(self._run())

    async def _run(self) -> None:
        dut = self._dut
        while True:
            await FallingEdge(dut.clk_i)
            await ReadOnly()
            shown = int(dut.s_apb_prdata.value)
            if int(dut.s_apb_id_i.value) == self._master:
                self.words.add(shown)
            if int(dut.s_apb_psel.value):
                waits = not int(dut.s_apb_pready.value)
                assert shown == 0 or not (waits or int(dut.s_apb_pwrite.value)), hex(shown)
            await RisingEdge(dut.clk_i)

    def stop(self) -> None:
        """End."""
        self._task.cancel()


async def secrets(view: View, phase: int) -> tuple[set[int], bytes, bytes]:
    """Bring a context into a phase; return words of its message, state and output, and more.

    The message so far, and the output that has been read of it, follow.
    """
    p, rng = page(view), view.bus.rng
    message = rng.randbytes(4 * rng.randrange(1, 60))
    found = {int.from_bytes(message[at : at + 4], "little") for at in range(0, len(message), 4)}
    await p.clear()
    await p.begin(KECCAK["shake256"], OPEN, 0)
    await p.feed(message, whole=True)
    await p.command("hold")
    await p.phase(HELD)
    found |= {await p.read("STATE.WORD", index) for index in range(50)}
    read = b""
    if phase != HELD:
        await p.command("resume")
        await p.phase(ABSORB)
    if phase == SQUEEZE:
        await p.command("last")
        read = await p.words(rng.randrange(1, 40))
    output = oracles.library_digest(KECCAK["shake256"], message, output_bits=8 * 400)
    assert output is not None
    found |= {int.from_bytes(output[at : at + 4], "little") for at in range(0, len(output), 4)}
    return found - {0}, message, read


async def goes_on(view: View, phase: int, message: bytes, read: bytes) -> None:
    """Check that nothing has happened to a hash."""
    p = page(view)
    assert await p.read("ERROR") == 0
    if phase == HELD:
        await p.command("resume")
        await p.phase(ABSORB)
    if phase != SQUEEZE:
        more = view.bus.rng.randbytes(30)
        await p.feed(more)
        message += more
        await p.command("last")
    read += await p.words(30)
    assert read == oracles.library_digest(KECCAK["shake256"], message, output_bits=8 * len(read))
    await p.command("stop")


async def attack(bus: Contexts, number: int) -> None:
    """Read and write every address of a page that belongs to another."""
    rng, intruder = bus.rng, View(bus, number, HOSTILE)
    constants = {REGISTERS[name].address: name for name in READABLE}
    for address in rng.sample(range(0, 512, 4), 128):
        if address == OWNER.address:
            found = await intruder.owner()
            assert found & ~owner("denied") == owner("open"), hex(found)
            await intruder.write(address, rng.choice([1, 2, 3]))
            continue
        for _ in range(2):
            if rng.random() < 0.5:
                found = await intruder.read(address)
                if address not in constants:
                    assert found == 0, f"{address:#x} gives {found:#x}"
            else:
                value = rng.getrandbits(32)
                if address == REGISTERS["COMMAND"].address:
                    value = 1 << rng.randrange(6)
                await intruder.write(address, value, rng.choice([15, 15, 1, 2, 12]))


async def own_registers(bus: Contexts, number: int) -> None:
    """As the hostile master, read all of its own page, in every phase."""
    p, rng = page(View(bus, number, HOSTILE)), bus.rng
    for phase in (IDLE, HELD, ABSORB, SQUEEZE):
        await p.clear()
        if phase == HELD:
            await p.command("hold")
            await p.phase(HELD)
            assert not any([await p.read("STATE.WORD", index) for index in range(50)])
        if phase in (ABSORB, SQUEEZE):
            await p.begin(KECCAK["shake128"], OPEN)
            await p.feed(b"own")
        if phase == SQUEEZE:
            await p.command("last")
        for address in rng.sample(range(0, OWNER.address, 4), OWNER.address // 4):
            await p.bus.read(address)
            if rng.random() < 0.02:  # a switch
                await bus.at(rng.randrange(NUMBER), HOSTILE, address)
    await p.clear()
    await p.write("ERROR", OPEN)


@cocotb.test(skip=NUMBER == 1 or BUS != "apb_contexts")
async def hostile(dut: Any) -> None:
    """One master's contexts in every phase, loaded or not, and another's try at every address."""
    bus = await begun(dut)
    rng = bus.rng
    for phase in (ABSORB, SQUEEZE, HELD) * max(1, COUNT // 40):
        target, own = rng.sample(range(NUMBER), 2)
        victim = View(bus, target, VICTIM)
        await victim.own("open")
        await View(bus, own, HOSTILE).own("open")
        assert await victim.owner() == owner("open") | owner("mine") | VICTIM << 8
        words, message, read = await secrets(victim, phase)
        if rng.random() < 0.5:
            await bus.at(own, HOSTILE, REGISTERS["TAIL"].address)  # it is in the RAM
        watch = Watch(dut, HOSTILE)
        before = [irq_of(dut, target), await victim.owner()]
        await attack(bus, target)
        await own_registers(bus, own)
        assert before == [irq_of(dut, target), await victim.owner()]
        intruder = View(bus, own, HOSTILE)
        assert await intruder.owner() & owner("denied")
        await intruder.own("denied")
        assert await intruder.owner() == owner("open") | owner("mine") | HOSTILE << 8
        # Whoever is privileged reads nothing, and may release.
        chief = View(bus, target, PRIVILEGED)
        for address in (*range(0x10, 0x80, 4), *range(0x100, 0x1C8, 4)):
            assert await chief.read(address) == 0
        assert await chief.owner() & owner("denied")
        await chief.own("denied")
        if rng.random() < 0.5:
            await goes_on(victim, phase, message, read)
            await victim.own("release")
        else:
            await chief.own("release")
        assert await chief.owner() == 0
        assert await View(bus, target, HOSTILE).owner() == 0
        await View(bus, target, HOSTILE).own("open")
        await own_registers(bus, target)
        await View(bus, target, HOSTILE).own("release")
        await View(bus, own, HOSTILE).own("release")
        watch.stop()
        assert len(watch.words) > 20
        assert not watch.words & words, f"phase {phase}: {watch.words & words}"


@cocotb.test()
async def owners(dut: Any) -> None:
    """OWNER, by every master, and that a release and an opening wipe all of a context."""
    bus = await begun(dut)
    for _ in range(max(3, COUNT // 10)):
        number = bus.rng.randrange(NUMBER)
        first, second = View(bus, number, 3), View(bus, number, 2)
        chief = View(bus, number, PRIVILEGED)
        assert await chief.owner() == 0
        for _ in range(2):
            await first.own("release")  # no effect
            assert await chief.owner() == 0
        await page(first).write("TAIL", 0x1203)  # everyone's
        assert await page(second).read("TAIL") == 0x1203
        await first.own("open")
        assert await page(first).read("TAIL") == 0
        await page(first).write("INTR_ENABLE", 31)
        await page(first).write("INTR_TEST", 1)
        await page(first).digest(KECCAK["sha3-256"], bus.rng.randbytes(200))
        if bus.rng.random() < 0.5:
            await page(first).command("hold")
            await page(first).phase(HELD)
        assert await second.owner() == owner("open")
        await second.own("open")
        assert await second.owner() == owner("open") | owner("denied")
        await second.own("release")
        assert await page(second).read("INTR_ENABLE") == 0
        assert await page(first).read("INTR_ENABLE") == 31
        await second.own("denied")
        assert await second.owner() == owner("open")
        assert await chief.owner() == owner("open") | 3 << 8
        assert irq_of(dut, number) == 1
        await bus.rng.choice([first, chief]).own("release")
        assert irq_of(dut, number) == 0
        assert await second.owner() == 0
        p = page(second)
        for name in ("CONFIG", "LENGTH", "TAIL", "POSITION", "ERROR", "INTR_STATE", "INTR_ENABLE"):
            assert await p.read(name) == REGISTERS[name].reset, name
        await p.phase(IDLE)
        assert await p.get("STATUS", "done") == 0
        # Where pages belong to several masters, one must not go on from the copy of another.
        assert await p.read("OPTIONS") == 0
        await p.command("recall")
        assert await p.read("ERROR") == 0, "there is no such command"
        await second.own("open")
        # Both in one write of the privileged ID: it is released, and nothing is refused.
        await chief.write(OWNER.address, owner("open") | owner("release"))
        assert await chief.owner() == 0


####################
# The RAM          #
####################


def ram(dut: Any, number: int) -> list[int]:
    """Return the words of a context in the RAM."""
    memory = dut.u_contexts.u_ram.mem
    return [int(memory[RAM_WORDS * number + at].value) for at in range(RAM_WORDS)]


def wiped(dut: Any, number: int) -> bool:
    """Return whether nothing is in the RAM of what a context has had."""
    words = ram(dut, number)
    return not any(words[:CONFIG_PLACE]) and not any(words[CONFIG_PLACE + 1 : META_PLACE])


async def settled(dut: Any) -> None:
    """Wait until a switch that goes on in the background is over."""
    await ClockCycles(dut.clk_i, BOUND)
    await FallingEdge(dut.clk_i)


@cocotb.test(skip=NUMBER == 1 or BUS != "apb_contexts")
async def words_are_wiped(dut: Any) -> None:
    """By `clear`, by the end of a hash, by a release, by an opening: no word stays in the RAM."""
    bus = await begun(dut)
    rng = bus.rng
    for _ in range(max(6, COUNT // 8)):
        number, other = rng.sample(range(NUMBER), 2)
        view = View(bus, number, 3)
        p = page(view)
        phase = rng.choice([ABSORB, SQUEEZE, HELD])
        words, _, _ = await secrets(view, phase)
        await page(View(bus, other)).write("TAIL", 0)
        assert set(ram(dut, number)) & words, "it is in the RAM"
        if phase == SQUEEZE and rng.random() < 0.5:
            await p.words(rng.randrange(1, 9))
        match rng.choice(["clear", "open", "end"]):
            case "clear":
                await p.command("clear")
            case "open":
                await view.own("open")
                await view.own("release")
            case _:
                if phase == HELD:
                    await p.command("resume")
                    await p.phase(ABSORB)
                if phase != SQUEEZE:
                    await p.command("last")
                await p.words(rng.randrange(1, 9))
                await p.command("stop")
        await settled(dut)
        found = ram(dut, number)
        assert not set(found) & words
        assert not any(found[:50])
        await page(View(bus, other)).write("TAIL", 0)
        found = ram(dut, number)
        assert not set(found) & words
        await p.clear()


@cocotb.test(skip=NUMBER == 1 or BUS != "apb_contexts")
async def the_end_of_a_held_hash_wipes(dut: Any) -> None:
    """A hash whose words are kept is held, and ends when it is resumed: no output is left."""
    bus = await begun(dut, 0)
    p, q = page(View(bus, 0)), page(View(bus, 1))
    for length in (0, OPEN):
        await p.begin(KECCAK["shake128"], OPEN)
        await p.feed(b"held")
        await p.command("last")
        await q.write("TAIL", 0)
        assert any(ram(dut, 0)[:50]), "it is in the RAM"
        await p.command("hold")
        await p.write("LENGTH", length)
        await p.command("resume")
        if length == OPEN:
            await p.command("stop")
        await p.phase(IDLE)
        await settled(dut)
        assert not any(ram(dut, 0)[:50])
        await q.write("TAIL", 0)
        await p.clear()


@cocotb.test(skip=BUS != "apb_contexts")
async def resets(dut: Any) -> None:
    """At any clock, of a switch too: afterwards nothing is left, and all pages work."""
    bus = await begun(dut, 0)
    rng = bus.rng
    for _ in range(max(6, COUNT // 4)):
        numbers = [rng.randrange(NUMBER) for _ in range(2)]
        words = set()
        for number in numbers:
            view = View(bus, number, 3)
            await view.own("open")
            found, _, _ = await secrets(view, rng.choice([ABSORB, SQUEEZE, HELD]))
            words |= found
        access = cocotb.start_soon(page(View(bus, numbers[0], 3)).read("TAIL"))
        await ClockCycles(dut.clk_i, rng.randrange(1, 1200))
        await FallingEdge(dut.clk_i)
        access.cancel()
        dut.rst_i.value, dut.s_apb_psel.value, dut.s_apb_penable.value = 1, 0, 0
        await FallingEdge(dut.clk_i)
        dut.rst_i.value = 0
        await ClockCycles(dut.clk_i, RAM_WORDS * NUMBER + 1)
        await FallingEdge(dut.clk_i)
        for number in range(NUMBER):
            assert wiped(dut, number) and ram(dut, number)[META_PLACE] == 0
        assert int(dut.irq_o.value) == 0
        number = rng.choice(numbers)
        p = page(View(bus, number, 2))
        for name in ("CONFIG", "LENGTH", "TAIL", "POSITION", "ERROR", "INTR_STATE", "INTR_ENABLE"):
            assert await p.read(name) == REGISTERS[name].reset, name
        await p.command("hold")
        await p.phase(HELD)
        assert not any([await p.read("STATE.WORD", index) for index in range(50)])
        await p.clear()
        data = rng.randbytes(99)
        assert await p.digest(KECCAK["sha3-256"], data) == expected(
            KECCAK["sha3-256"], data, 792, 0
        )


@cocotb.test(skip=NUMBER == 1 or BUS != "apb_contexts")
async def longest(dut: Any) -> None:
    """The longest switch: much of a message in bytes, then another context, in every phase."""
    bus = await begun(dut, 0)
    rng = bus.rng
    for phase in (IDLE, ABSORB, SQUEEZE, HELD) * 2:
        number = rng.randrange(NUMBER)
        p, q = page(View(bus, number)), page(View(bus, (number + 1) % NUMBER))
        if phase != IDLE:
            await secrets(View(bus, number), phase)
        await q.clear()
        await q.begin(KECCAK["keccak-512"])
        for count in range(71 + rng.randrange(16)):
            await q.write("MESSAGE", count, strobe=2)
        start = cocotb.utils.get_sim_time("ns")
        await p.read("TAIL")
        clocks = round(cocotb.utils.get_sim_time("ns") - start) // 2
        dut._log.info(f"a switch to phase {phase}: {clocks} clocks")
        assert clocks <= WORK + SWITCH
        await q.clear()
        await q.phase(IDLE)
        await p.clear()
        await p.phase(IDLE)
        start = cocotb.utils.get_sim_time("ns")
        await q.read("TAIL")
        clocks = round(cocotb.utils.get_sim_time("ns") - start) // 2
        dut._log.info(f"a switch between idle contexts: {clocks} clocks")
        assert clocks <= IDLE_SWITCH
