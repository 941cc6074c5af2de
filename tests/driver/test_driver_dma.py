"""The C driver of the DMA master (driver/hf_keccak_dma.c), on the Verilated peripheral.

The program's memory is a cache of the master's: driver_dma_io.h.
"""

import ctypes
import enum
import itertools
import random
import re
from collections.abc import Sequence
from ctypes import c_size_t, c_uint8, c_uint32
from typing import Any

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.models.family import Function
from hashfabric.models.functions import FUNCTIONS, KECCAK, digest
from hashfabric.simulate.known_answers import cases_of
from hashfabric.simulate.peripheral import PeripheralSim
from tests.driver.driver import Bus, Driver, compiled, simulation

SHA3 = FUNCTIONS["sha3-256"]
SHAKE = FUNCTIONS["shake128"]
HEADER = (ROOT / "driver" / "hf_keccak_dma.h").read_text(encoding="utf-8")
OPTIONS = ('-DHF_KECCAK_DMA_IO="driver_dma_io.h"',)
DESCRIPTOR = 32


def _errors() -> dict[str, int]:
    part = HEADER[HEADER.index("HF_KECCAK_DMA_OK = 0") : HEADER.index("} hf_keccak_dma_error")]
    names = re.findall(r"HF_KECCAK_DMA_(\w+)", re.sub(r"//.*", "", part))
    return {name: at for at, name in enumerate(names)}


Error = enum.IntEnum("Error", _errors())  # type: ignore[misc]  # the header's, in its order
Error.__doc__ = "hf_keccak_dma_error."


class Master(ctypes.Structure):
    """hf_keccak_dma."""

    _fields_ = (("base", c_size_t), ("polls", c_uint32), ("fault", c_uint32))


class Segment(ctypes.Structure):
    """hf_keccak_dma_segment."""

    _fields_ = (("data", c_size_t), ("bytes", c_uint32))


class Program:
    """A program with the driver; `cache` is its memory, of which places are given out in turn."""

    def __init__(self, sim: PeripheralSim, mutant: tuple[str, str, str] | None = None) -> None:
        """Take the peripheral, and open its master."""
        assert sim.memory is not None
        self.sim = sim
        self.code: Any = compiled(*OPTIONS, mutant=mutant)
        self.bus = Bus()
        self.bus.handle, self.bus.read, self.bus.write = sim.bus
        sim.memory[:] = bytes(len(sim.memory))
        self.memory = (c_uint8 * len(sim.memory)).from_buffer(sim.memory)
        room = (c_uint8 * (len(sim.memory) + 64))()
        self._room = room
        self.base = -(-ctypes.addressof(room) // 64) * 64
        for name, place in (("cache", self.base), ("memory", ctypes.addressof(self.memory))):
            ctypes.c_void_p.in_dll(self.code, f"hf_test_{name}").value = place
        c_uint32.in_dll(self.code, "hf_test_base").value = sim.memory_base
        self.used = 0
        self.master = Master()
        assert self.call("open", c_size_t(ctypes.addressof(self.bus))) == Error["OK"]

    def call(self, name: str, *arguments: Any) -> int:
        """Call hf_keccak_dma_`name` of the master."""
        function = getattr(self.code, f"hf_keccak_dma_{name}")
        found = int(function(ctypes.byref(self.master), *arguments))
        assert self.bus.error is None, self.bus.error
        return found

    def of(self, name: str, *arguments: Any) -> int:
        """Call hf_keccak_dma_`name` of a descriptor."""
        return int(getattr(self.code, f"hf_keccak_dma_{name}")(*arguments))

    def place(self, count: int, align: int = 1) -> c_size_t:
        """Return the address of `count` bytes."""
        self.used = -(-(self.used + 3) // align) * align
        at = self.base + self.used
        self.used += count
        assert self.used < len(self.memory)
        return c_size_t(at)

    def put(self, data: bytes) -> c_size_t:
        """Return the address of these bytes, in the program's view of the memory."""
        at = self.place(len(data))
        ctypes.memmove(at.value, data, len(data))
        return at

    def look(self, at: c_size_t, count: int) -> bytes:
        """Return bytes of the program's view."""
        return ctypes.string_at(at.value, count)

    def message(
        self,
        function: Function,
        parts: Sequence[bytes],
        wanted: int,
        bits: tuple[int, int] = (0, 0),
    ) -> tuple[c_size_t, c_size_t, c_size_t]:
        """Make a message; return its first and last descriptor, and the place of its digest."""
        segments = (Segment * len(parts))(
            *(Segment(self.put(part).value, len(part)) for part in parts)
        )
        first = self.place(DESCRIPTOR * len(parts), DESCRIPTOR)
        place = self.place(wanted, 4)
        ctypes.memset(place.value, 0xA5, wanted)
        count = c_uint32(len(parts))
        args = (first, function.code, segments, count, place, c_uint32(wanted))
        assert self.of("message", *args) == Error["OK"]
        last = c_size_t(first.value + DESCRIPTOR * (len(parts) - 1))
        if bits[1]:
            assert self.of("last_bits", last, c_uint8(bits[0]), c_uint32(bits[1])) == Error["OK"]
        return first, last, place

    def hash(self, function: Function, data: bytes, wanted: int) -> bytes:
        """Hash in one call."""
        descriptor, place = self.place(DESCRIPTOR, DESCRIPTOR), self.place(wanted, 4)
        ctypes.memset(place.value, 0xA5, wanted)
        source = self.put(data)
        args = (descriptor, function.code, source, c_uint32(len(data)), place, c_uint32(wanted))
        assert self.call("hash", *args) == Error["OK"]
        return self.look(place, wanted)


@pytest.fixture(scope="module", params=["axi-dma", "axi-dma-64"])
def sim(request: pytest.FixtureRequest) -> PeripheralSim:
    """A simulated peripheral with a master."""
    return simulation(request.param)


def check(program: Program) -> None:
    """Hash by lists, in one call, and by interrupt."""
    rng = random.Random(3)
    for function in KECCAK.values():
        wanted = 77 if function.xof else function.digest_bits // 8
        data = rng.randbytes(rng.randrange(300))
        program.used = 0
        assert program.hash(function, data, wanted) == digest(
            function, data, output_bits=8 * wanted
        )

    program.used = 0
    messages = []
    for number in range(5):
        data = rng.randbytes(50 + 90 * number)
        cuts = sorted(rng.randrange(len(data)) for _ in range(number))
        parts = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
        messages.append((data, *program.message(SHA3, parts, 32)))
    for before, after in itertools.pairwise(messages):
        assert program.of("join", before[2], after[1]) == Error["OK"]
    assert program.of("report", messages[2][2]) == Error["OK"]
    assert program.call("start", messages[0][1], 1) == Error["OK"]
    assert program.call("start", messages[0][1], 1) == Error["PENDING"]
    assert program.of("done", messages[4][2]) == Error["PENDING"]
    interrupts, said = 0, int(Error["PENDING"])
    while said == Error["PENDING"]:
        for _ in range(9000):
            if program.sim.interrupt:
                break
            program.sim.wait(1)
        else:
            raise AssertionError("no interrupt")
        interrupts += 1
        said = program.call("poll")
    assert (interrupts, said) == (2, Error["OK"])
    assert not program.sim.interrupt
    for data, _, last, place in messages:
        assert program.of("done", last) == Error["OK"]
        assert program.look(place, 32) != digest(SHA3, data)  # it is in memory only
        program.code.hf_keccak_dma_take(place, c_uint32(32))
        assert program.look(place, 32) == digest(SHA3, data)


@pytest.mark.slow
def test_messages_and_lists(sim: PeripheralSim) -> None:
    """Every function in one call, and a list with an interrupt in its middle."""
    check(Program(sim))


@pytest.mark.slow
def test_bits(sim: PeripheralSim) -> None:
    """Messages that end inside a byte, of the known answers."""
    program = Program(sim)
    for case in cases_of(SHA3):
        bits = case.message.bits
        if bits is None or bits % 8 == 0:
            continue
        program.used = 0
        whole, rest = divmod(bits, 8)
        data = case.message.data
        first, _, place = program.message(SHA3, [data[:whole]], 32, (data[whole], rest))
        assert program.call("start", first, 0) == Error["OK"]
        assert program.call("wait") == Error["OK"]
        program.code.hf_keccak_dma_take(place, c_uint32(32))
        assert program.look(place, 32) == case.wanted


@pytest.mark.slow
def test_what_stops_a_list(sim: PeripheralSim) -> None:
    """An abort, an address where nothing is, a hash of the other driver, an early end."""
    program = Program(sim)
    first, last, place = program.message(SHAKE, [bytes(5000)], 64)
    assert program.call("start", first, 0) == Error["OK"]
    sim.wait(500)  # in the message: before its descriptor is read there is no status to write
    assert program.call("abort") == Error["OK"]
    assert program.call("wait") == program.of("done", last) == Error["ABORTED"]
    program.code.hf_keccak_dma_take(place, c_uint32(64))
    assert program.look(place, 64) == b"\xa5" * 64

    c_uint32.in_dll(program.code, "hf_test_base").value = 0x2000_0000
    assert program.call("start", first, 0) == Error["OK"]
    assert program.call("wait") == Error["DESCRIPTOR_READ"]
    assert program.master.fault == 0x2000_0000 + first.value - program.base
    c_uint32.in_dll(program.code, "hf_test_base").value = sim.memory_base

    other = Driver(sim, code=program.code).open()
    context = other.context(SHA3)
    context.update(b"abc")
    assert program.call("start", first, 0) == Error["BUSY"]
    assert context.final(32) == digest(SHA3, b"abc")

    context = other.context(SHAKE)
    context.update(b"abc")
    context.end(256)
    output = context.squeeze(8)
    sim.wait(200)  # the rest of the output waits in the FIFO
    assert program.call("start", first, 0) == Error["BUSY"]
    assert output + context.squeeze(24) == digest(SHAKE, b"abc", output_bits=256)
    assert program.call("abort") == Error["OK"]  # not the cause of the list before

    program.master.polls = 3
    assert program.call("start", first, 0) == Error["OK"]
    assert program.call("wait") == Error["TIMEOUT"]
    assert program.call("start", first, 0) == Error["PENDING"]
    program.master.polls = 100_000
    assert program.call("wait") == Error["OK"]
    program.master.polls = 30
    source, digest_place = program.put(bytes(5000)), program.place(32, 4)
    args = (program.place(DESCRIPTOR, DESCRIPTOR), SHA3.code, source, c_uint32(5000))
    assert program.call("hash", *args, digest_place, c_uint32(32)) == Error["ABORTED"]
    program.master.polls = 100_000
    assert program.hash(SHA3, b"abc", 32) == digest(SHA3, b"abc")
    assert other.hash(SHA3, b"abc") == digest(SHA3, b"abc")


def test_arguments() -> None:
    """What cannot be is refused before anything is accessed; another device is not one."""
    code: Any = compiled(*OPTIONS)
    room = (c_uint8 * 256)()
    at = -(-ctypes.addressof(room) // 64) * 64
    good, odd = c_size_t(at), c_size_t(at + 4)
    segments = (Segment * 1)(Segment(at, 4))
    null = c_size_t(0)

    def message(*changed: tuple[int, Any]) -> int:
        args: list[Any] = [good, SHA3.code, segments, c_uint32(1), good, c_uint32(32)]
        for place, value in changed:
            args[place] = value
        return int(code.hf_keccak_dma_message(*args))

    bad = Error["ARGUMENT"]
    assert message((0, odd)) == message((0, null)) == message((4, null)) == bad
    assert message((3, c_uint32(0))) == message((4, c_size_t(at + 2))) == bad
    assert message((5, c_uint32(31))) == message((5, c_uint32(0))) == bad
    assert message((1, SHAKE.code), (5, c_uint32(1 << 29))) == bad
    assert message((1, 0x1F)) == Error["FUNCTION"]
    assert message((2, (Segment * 1)(Segment(0, 4)))) == bad
    assert code.hf_keccak_dma_join(odd, good) == bad
    assert code.hf_keccak_dma_report(null) == bad
    assert code.hf_keccak_dma_open(null, null) == bad

    for words, said in (((0x48464B31, 0), "NO_DEVICE"), ((0x48464431, 0x020000), "VERSION")):
        found = dict(enumerate(words))
        driver = Driver(read=lambda address, found=found: found[address % 8 // 4], code=code)  # type: ignore[misc]
        master = Master()
        base = c_size_t(ctypes.addressof(driver.bus))
        assert code.hf_keccak_dma_open(ctypes.byref(master), base) == Error[said]


def test_descriptors_of_a_big_endian_processor() -> None:
    """Each word of a list is reversed there: the driver built for such a processor, on this one."""
    room = (c_uint8 * 256)()
    at = c_size_t(-(-ctypes.addressof(room) // 64) * 64)
    segments = (Segment * 2)(Segment(at.value, 4), Segment(at.value + 5, 70))
    made = []
    for options in ((), ("-DHF_KECCAK_BIG_ENDIAN",)):
        code: Any = compiled(*options)
        last, count = c_size_t(at.value + DESCRIPTOR), c_uint32(2)
        args = (at, SHAKE.code, segments, count, at, c_uint32(33))
        assert code.hf_keccak_dma_message(*args) == Error["OK"]
        assert code.hf_keccak_dma_last_bits(last, c_uint8(5), c_uint32(3)) == Error["OK"]
        assert code.hf_keccak_dma_report(last) == Error["OK"]
        assert code.hf_keccak_dma_join(last, at) == Error["OK"]
        assert code.hf_keccak_dma_done(last) == Error["PENDING"]
        made.append(ctypes.string_at(at.value, 2 * DESCRIPTOR))
    little, big = made
    assert big == b"".join(little[n : n + 4][::-1] for n in range(0, len(little), 4))
    assert little[1:4] == b"\x01\0\0" and little[DESCRIPTOR + 1] == 0x06


MUTANTS = {
    "message-in-the-cache": ("hf_keccak_dma_flush(segments[i].data, segments[i].bytes);", ""),
    "descriptor-in-the-cache": ("        flush(at);", ""),
    "old-digest": ("hf_keccak_dma_take(digest, digest_bytes);", ""),
    "list-of-one": ("little(little(last->control) & ~LAST)", "last->control"),
    "no-report": ("little(descriptor->control) | REPORTS", "little(descriptor->control)"),
    "bytes-of-output": ("little(digest_bytes * 8u)", "little(digest_bytes)"),
    "interrupt-stays": (
        "    put(dma, REGISTER(INTR_STATE), ALL_BITS);\n    status",
        "    status",
    ),
}
"""Faults in the driver, each of which the tests above must find."""


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_caught(name: str, sim: PeripheralSim) -> None:
    """A list or a hash fails with one fault in the driver."""
    program = Program(sim, ("hf_keccak_dma.c", *MUTANTS[name]))
    with pytest.raises(AssertionError):
        check(program)
