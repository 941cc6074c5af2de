"""The C driver of the masked peripheral (driver/hf_keccak_masked.c), on the Verilated one."""

import ctypes
import itertools
import random
import re
from collections.abc import Callable
from ctypes import c_int, c_size_t, c_uint8, c_uint32
from typing import Any

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.models.family import Function
from hashfabric.models.functions import KECCAK
from hashfabric.registry.designs import find_design
from hashfabric.registry.registers import MASKED
from hashfabric.simulate.peripheral import PeripheralSim
from tests.driver.driver import READ, WRITE, Bus, Error, compiled
from tests.support import oracles

FILE = "hf_keccak_masked.c"
SEED = bytes(range(1, 11))


class Device(ctypes.Structure):
    """hf_masked_device."""

    _fields_ = (
        ("base", c_size_t),
        ("fifo_words", c_uint32),
        ("left", c_uint32),
        ("rate", c_uint32),
        ("position", c_uint32),
        ("phase", c_uint8),
        ("function", c_uint8),
        ("has_states", c_uint8),
        ("begun", c_uint8),
        ("is_mac", c_uint8),
        ("kept_bytes", c_uint8),
        ("kept_0", c_uint8 * 4),
        ("apart", c_uint8 * 4),
        ("kept_1", c_uint8 * 4),
    )


class State(ctypes.Structure):
    """hf_masked_state."""

    _fields_ = (
        ("position", c_uint32),
        ("function", c_uint8),
        ("begun", c_uint8),
        ("is_mac", c_uint8),
        ("kept_bytes", c_uint8),
        ("share_0", c_uint8 * 204),
        ("apart", c_uint8 * 4),
        ("share_1", c_uint8 * 204),
    )


class Unit:
    """The driver with one peripheral."""

    def __init__(
        self, name: str = "keccak-masked-serial/apb", mutant: tuple[str, str, str] | None = None
    ) -> None:
        """Build the simulation if it is new; the device is not open yet."""
        name, variant = name.split("/")
        design = find_design(name)
        self.sim = PeripheralSim(design, design.variant(variant), MASKED)
        self.code: Any = compiled(mutant=mutant)
        self.bus = Bus()
        self.bus.handle, self.bus.read, self.bus.write = self.sim.bus
        self.device = Device()
        self.rng = random.Random(1)

    def call(self, name: str, *arguments: Any) -> Error:
        """Return what hf_masked_`name` returns."""
        found = getattr(self.code, f"hf_masked_{name}")(ctypes.byref(self.device), *arguments)
        return Error(found)

    def ok(self, name: str, *arguments: Any) -> None:
        """Call it; `AssertionError` unless it works."""
        assert self.call(name, *arguments) == Error["OK"], name

    def start(self) -> "Unit":
        """Open and seed the device."""
        self.ok("open", c_size_t(ctypes.addressof(self.bus)))
        self.ok("seed", SEED)
        return self

    def shares(self, data: bytes) -> tuple[bytes, bytes]:
        """Return the shares of `data`."""
        masks = self.rng.randbytes(len(data))
        return added(data, masks), masks

    def update(self, data: bytes, public: bool = False) -> None:
        """Send bytes of a message."""
        first, second = (data, None) if public else self.shares(data)
        self.ok("update", first, second, c_size_t(len(data)))

    def remask(self, state: State) -> None:
        """Give a saved hash other shares."""
        found = self.code.hf_masked_remask(ctypes.byref(state), self.rng.randbytes(204))
        assert Error(found) == Error["OK"]

    def output(self, name: str, count: int, *before: Any) -> bytes:
        """Return what a call writes, the sum of both shares."""
        found = [(c_uint8 * (count + 4))(*[0xA5] * (count + 4)) for _ in range(2)]
        self.ok(name, *before, *found, c_size_t(count))
        assert all(bytes(share)[count:] == b"\xa5" * 4 for share in found), "bytes after its end"
        return added(bytes(found[0])[:count], bytes(found[1])[:count])


def added(one: bytes, other: bytes) -> bytes:
    """Return the sum of two shares."""
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def hashes(unit: Unit, rounds: int) -> None:
    """Hash at random, in parts; `AssertionError` on a wrong digest."""
    unit.start()
    rng = unit.rng
    names = ("sha3-224", "sha3-256", "sha3-512", "shake128", "shake256", "keccak-256")
    for _ in range(rounds):
        function = KECCAK[rng.choice(names)]
        data = rng.randbytes(rng.choice((0, 1, 4, 135, 136, rng.randrange(600))))
        unit.ok("init", c_int(function.code))
        at = 0
        while at < len(data):
            part = data[at : at + rng.choice((1, 3, 4, 17, 64, 600))]
            unit.update(part, public=rng.random() < 0.3)
            at += len(part)
        unit.ok("end")
        count = rng.randrange(1, 500) if function.xof else function.digest_bits // 8
        found = b""
        while len(found) < count:
            part_bytes = min(count - len(found), rng.choice((1, 2, 5, 64, 500)))
            found += unit.output("squeeze", part_bytes)
        if function.xof:
            unit.ok("stop")
        wanted = oracles.library_digest(function, data, output_bits=8 * count)
        assert found == wanted, (function.name, len(data), count)


def macs(unit: Unit, rounds: int) -> None:
    """Compute KMAC with keys in shares; `AssertionError` on a wrong one."""
    unit.start()
    rng = unit.rng
    for _ in range(rounds):
        name = rng.choice(("cshake128", "cshake256"))
        key, custom = (
            rng.randbytes(rng.choice((0, 16, 32, 200))),
            rng.randbytes(rng.choice((0, 20))),
        )
        data, count = rng.randbytes(rng.randrange(300)), rng.choice((16, 32, 33, 200))
        first, second = unit.shares(key)
        unit.ok(
            "kmac",
            c_int(KECCAK[name].code),
            first,
            second,
            c_size_t(len(key)),
            custom,
            c_size_t(len(custom)),
        )
        unit.update(data)
        found = unit.output("mac", count)
        kind = name.replace("cshake", "kmac")
        wanted = oracles.framed_digest(kind, count, data=data, key=key, custom=custom)
        assert found == wanted, (kind, len(key), count)


def states(unit: Unit, rounds: int) -> None:
    """Hash in turns, each in its own state; `AssertionError` on a wrong digest."""
    unit.start()
    rng = unit.rng
    names = ("sha3-256", "sha3-512", "shake128", "cshake256")
    running: list[tuple[State, Function, bytes, bytes]] = []
    shares = set()
    while rounds or running:
        if rounds and len(running) < 3:
            rounds -= 1
            function, state = KECCAK[rng.choice(names)], State()
            unit.ok("init", c_int(function.code))
            unit.ok("save", ctypes.byref(state))
            unit.ok("clear")
            data = rng.randbytes(rng.choice((0, 2, 136, 137, rng.randrange(600))))
            running.append((state, function, data, data))
        index = rng.randrange(len(running))
        state, function, data, left = running[index]
        if rng.random() < 0.5:
            unit.remask(state)
        unit.ok("restore", ctypes.byref(state))
        part = left[: rng.choice((0, 1, 4, 17, 64, 136, 600))]
        unit.update(part, public=rng.random() < 0.3)
        running[index] = (state, function, data, left[len(part) :])
        # Saved, it continues as well.
        unit.ok("save", ctypes.byref(state))
        if state.begun:
            assert bytes(state.share_0[:200]) not in shares, "shares of a state repeat"
            shares.add(bytes(state.share_0[:200]))
        if len(part) == len(left):
            unit.ok("end")
            count = 77 if function.xof else function.digest_bits // 8
            found = unit.output("squeeze", count)
            if function.xof:
                unit.ok("stop")
            assert found == oracles.library_digest(function, data, output_bits=8 * count)
            del running[index]
        else:
            unit.ok("clear")


def kept_keys(unit: Unit, rounds: int) -> None:
    """MACs under a key whose state is kept; `AssertionError` on a wrong one."""
    unit.start()
    rng = unit.rng
    for name, bits in (("cshake128", 128), ("cshake256", 256)):
        key, state = rng.randbytes(32), State()
        first, second = unit.shares(key)
        parts = (first, second, c_size_t(len(key)), None, c_size_t(0))
        unit.ok("kmac", c_int(KECCAK[name].code), *parts)
        unit.ok("save", ctypes.byref(state))
        unit.ok("clear")
        for _ in range(rounds):
            data = rng.randbytes(rng.randrange(200))
            unit.remask(state)
            unit.ok("restore", ctypes.byref(state))
            unit.update(data)
            wanted = oracles.framed_digest(f"kmac{bits}", 32, data=data, key=key, custom=b"")
            assert unit.output("mac", 32) == wanted


@pytest.mark.parametrize(
    "name",
    ["keccak-masked-serial/apb", pytest.param("keccak-masked-serial/axil", marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("task", [states, kept_keys])
def test_states(name: str, task: Callable[[Unit, int], None]) -> None:
    """Hashes and MACs that begin in a saved state."""
    task(Unit(name), 6)


def test_errors_of_states() -> None:
    """Calls at the wrong time, and states that are none, are refused; the next hash is right."""
    unit = Unit().start()
    state = State()
    assert unit.call("save", ctypes.byref(state)) == Error["SEQUENCE"]
    assert unit.call("save", None) == unit.call("restore", None) == Error["ARGUMENT"]
    unit.ok("init", c_int(1))
    unit.update(b"a message of some words")
    assert unit.call("restore", ctypes.byref(state)) == Error["SEQUENCE"]
    unit.ok("save", ctypes.byref(state))
    unit.ok("end")
    assert unit.call("save", ctypes.byref(state)) == Error["SEQUENCE"]
    unit.ok("clear")
    for name, value in (("position", 136), ("position", 2), ("kept_bytes", 4)):
        wrong = State.from_buffer_copy(state)
        setattr(wrong, name, value)
        assert unit.call("restore", ctypes.byref(wrong)) == Error["ARGUMENT"], name
    wrong = State.from_buffer_copy(state)
    wrong.function = 0x20
    assert unit.call("restore", ctypes.byref(wrong)) == Error["FUNCTION"]
    assert Error(unit.code.hf_masked_remask(None, bytes(204))) == Error["ARGUMENT"]
    hashes(unit, 2)


@pytest.mark.slow
def test_a_core_without_states() -> None:
    """The wide core has no way to its state."""
    unit = Unit("keccak-masked/apb").start()
    state = State()
    unit.ok("init", c_int(1))
    assert unit.call("save", ctypes.byref(state)) == Error["FUNCTION"]
    unit.ok("clear")
    assert unit.call("restore", ctypes.byref(state)) == Error["FUNCTION"]


@pytest.mark.parametrize(
    "name",
    [
        "keccak-masked-serial/apb",
        pytest.param("keccak-masked-serial/axil", marks=pytest.mark.slow),
        pytest.param("keccak-masked/apb", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("task", [hashes, macs])
def test_digests(name: str, task: Callable[[Unit, int], None]) -> None:
    """Digests and MACs are those of the libraries."""
    task(Unit(name), 12)


def test_one_call_and_errors() -> None:
    """A hash in one call; calls in the wrong order, wrong arguments, a wrong function."""
    unit = Unit()
    assert unit.call("init", c_int(1)) == Error["SEQUENCE"]
    assert unit.call("clear") == unit.call("seed", SEED) == Error["ARGUMENT"]
    unit.start()
    data = b"secret" * 20
    first, second = unit.shares(data)
    for name, count in (("sha3-256", 32), ("shake128", 45)):
        function = KECCAK[name]
        message = (c_int(function.code), first, second, c_size_t(len(data)))
        wanted = oracles.library_digest(function, data, output_bits=8 * count)
        assert unit.output("hash", count, *message) == wanted
    digest = (c_uint8 * 40)()
    message = (c_int(1), first, second, c_size_t(len(data)))
    assert unit.call("hash", *message, digest, digest, c_size_t(31)) == Error["ARGUMENT"]
    assert unit.call("seed", bytes(10)) == Error["ARGUMENT"]
    assert unit.call("seed", b"\xff" * 10) == Error["ARGUMENT"]
    assert unit.call("update", first, second, c_size_t(4)) == Error["SEQUENCE"]
    assert unit.call("end") == Error["SEQUENCE"]
    assert unit.call("stop") == Error["SEQUENCE"]
    assert unit.call("squeeze", digest, digest, c_size_t(4)) == Error["SEQUENCE"]
    assert unit.call("init", c_int(0x20)) == Error["FUNCTION"]
    kmac = (first, None, c_size_t(16), None, c_size_t(0))
    assert unit.call("kmac", c_int(0x10), *kmac) == Error["ARGUMENT"]
    assert unit.call("kmac", c_int(1), first, second, *kmac[2:]) == Error["FUNCTION"]
    unit.ok("init", c_int(1))
    assert unit.call("init", c_int(1)) == Error["SEQUENCE"]
    unit.update(data)
    unit.ok("end")
    assert unit.call("squeeze", digest, digest, c_size_t(33)) == Error["ARGUMENT"]
    unit.ok("clear")
    assert unit.call("squeeze", digest, digest, c_size_t(4)) == Error["SEQUENCE"]
    # A digest that is read in part, and stopped, early or late.
    part = [(c_uint8 * 16)() for _ in range(2)]
    for wait in (0, 5_000):
        unit.ok("init", c_int(1))
        unit.update(data)
        assert unit.call("mac", *part, c_size_t(16)) == Error["SEQUENCE"]
        unit.ok("end")
        unit.ok("squeeze", *part, c_size_t(15))
        unit.sim.wait(wait)
        unit.ok("stop")
        assert not any([*unit.device.kept_0, *unit.device.kept_1])
    # Another program's access is reported with the next digest.
    unit.ok("init", c_int(1))
    unit.update(data)
    unit.sim.write("COMMAND", 2)
    unit.ok("end")
    shares = (c_uint8 * 32)(), (c_uint8 * 32)()
    assert unit.call("squeeze", *shares, c_size_t(32)) == Error["BAD_ACCESS"]
    hashes(unit, 2)


STATE_MUTANTS = {
    "position-lost": ("put_shares(device, NULL, NULL, state->position / 4u)", "HF_KECCAK_OK"),
    "position-not-counted": ("device->position = state->position;", ""),
    "bytes-after-the-state-lost": ("device->kept_bytes = state->kept_bytes;", ""),
    "state-in-one-share": (
        "put_shares(device, state->share_0, state->share_1,",
        "put_shares(device, state->share_0, NULL,",
    ),
    "masks-in-one-share": ("state->share_1[i] = (uint8_t)(state->share_1[i] ^ masks[i]);", ""),
    "not-begun": ("state->begun = device->begun;", "state->begun = 0u;"),
}
"""Faults in the C of states."""


@pytest.mark.slow
@pytest.mark.parametrize("name", STATE_MUTANTS)
def test_faults_of_states_are_found(name: str) -> None:
    """A fault in the C of states gives a wrong digest or an error."""
    unit = Unit(mutant=(FILE, *STATE_MUTANTS[name]))
    with pytest.raises(AssertionError):
        states(unit, 12)


MUTANTS = {
    "masks-of-a-public-part": ("source == NULL ? (uint8_t)0u", "source == NULL ? (uint8_t)1u"),
    "kept-bytes-lost": ("device->kept_bytes = (uint8_t)(total - at);", "device->kept_bytes = 0u;"),
    "share-1-of-share-0": (
        "device->kept_1[i] = byte_of(device, 1u, share_1",
        "device->kept_1[i] = byte_of(device, 1u, share_0",
    ),
    "fifo-overflows": ("const size_t most = device->fifo_words - 1u,", "const size_t most = 40u,"),
    "output-bytes-lost": ("output[i] = kept[4u - count + i]", "output[i] = kept[i]"),
    "not-stopped": ("put(device, REGISTER(COMMAND), BIT(COMMAND__STOP));", ""),
}
"""Faults in the C, each of which the tests above find."""


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_faults_are_found(name: str) -> None:
    """A fault in the C gives a wrong digest or an error."""
    unit = Unit(mutant=(FILE, *MUTANTS[name]))
    with pytest.raises(AssertionError):
        hashes(unit, 20)


def apart(unit: Unit) -> None:
    """Hash, save and restore; `AssertionError` where a share comes next to the other.

    A read does not part writes, nor a write reads: the data lines of each direction keep a value.
    """
    reads: list[str] = []
    writes: list[str] = []
    registers = {
        register.address + 4 * index: name.partition(".")[0]
        for name, register in unit.sim.registers.items()
        for index in range(register.count)
    }
    inner_read, inner_write = READ(unit.bus.read), WRITE(unit.bus.write)

    def read(handle: int, address: int, data: Any) -> Any:
        reads.append(registers[address])
        return inner_read(handle, address, data)

    def write(handle: int, address: int, data: int, strobe: int) -> Any:
        writes.append(registers[address])
        return inner_write(handle, address, data, strobe)

    kept = READ(read), WRITE(write)
    unit.bus.read, unit.bus.write = (ctypes.cast(call, ctypes.c_void_p).value for call in kept)
    unit.start()
    unit.ok("init", c_int(5))
    unit.update(b"a secret message of some words")
    unit.ok("end")
    unit.output("squeeze", 4)
    unit.output("squeeze", 300)
    unit.ok("stop")
    state = State()
    for _ in range(2):
        if state.begun:
            unit.ok("restore", ctypes.byref(state))
        else:
            unit.ok("init", c_int(5))
        unit.update(b"of some words")
        unit.ok("save", ctypes.byref(state))
        unit.ok("clear")
    for name, accesses in (("MESSAGE", writes), ("DIGEST", reads)):
        shares = {f"{name}_0", f"{name}_1"}
        assert shares <= set(accesses)
        assert shares not in map(set, itertools.pairwise(accesses)), name
    last = len(writes) - 1 - writes[::-1].index("SEED")
    assert writes[last + 1] == "INTR_STATE", "the seed stays on the bus"


def test_the_shares_are_apart() -> None:
    """No access has a word of one share next to one of the other."""
    apart(Unit())


APART_MUTANTS = {
    "writes": ("{ put(device, REGISTER(INTR_STATE), 0u); }", "{ (void)device; }"),
    "reads": ("{ (void)get(device, REGISTER(ID)); }", "{ (void)device; }"),
    "seed": ("    part_writes(device);  // the seed does not stay on the bus\n", ""),
}
"""Faults in what parts the shares."""


@pytest.mark.slow
@pytest.mark.parametrize("name", APART_MUTANTS)
def test_faults_of_parting_are_found(name: str) -> None:
    """Shares that are not parted, and a seed that stays, are seen."""
    unit = Unit(mutant=(FILE, *APART_MUTANTS[name]))
    with pytest.raises(AssertionError):
        apart(unit)


def test_a_core_without_a_seed_is_a_timeout() -> None:
    """A hash in one call says so, however many words its message has and the FIFO holds."""
    unit = Unit()
    unit.ok("open", c_size_t(ctypes.addressof(unit.bus)))
    digest = (c_uint8 * 32)(), (c_uint8 * 32)()
    for count in range(63, 69):
        message = bytes(count), bytes(count), c_size_t(count)
        error = unit.call("hash", c_int(KECCAK["sha3-256"].code), *message, *digest, c_size_t(32))
        assert error == Error["TIMEOUT"], count
    unit.ok("seed", SEED)
    hashes(unit, 2)


def test_the_page_names_every_call() -> None:
    """docs/integrate/masked.md has the driver's calls."""
    page = (ROOT / "docs" / "integrate" / "masked.md").read_text(encoding="utf-8")
    header = (ROOT / "driver" / "hf_keccak_masked.h").read_text(encoding="utf-8")
    calls = set(re.findall(r"^hf_keccak_error (\w+)\(", header, re.MULTILINE))
    assert len(calls) > 8
    for call in calls:
        assert f"`{call}`" in page, call
