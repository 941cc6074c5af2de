"""The C driver of kept prefixes (driver/hf_keccak_prefix.c), on the Verilated peripheral."""

import ctypes
import random
import re
from ctypes import c_int, c_size_t, c_uint32, c_void_p
from functools import partial

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.models.family import Function
from hashfabric.models.functions import FUNCTIONS, KECCAK, digest
from hashfabric.registry.designs import find_design
from hashfabric.simulate.peripheral import PeripheralSim
from tests.driver.driver import Driver, Error, compiled, simulation
from tests.driver.driver_play import expect
from tests.support.oracles import framed_digest, library_digest
from tests.support.samples import nist_samples
from tests.support.subjects import SLOW

FILE = "hf_keccak_prefix.c"
PAGE = ROOT / "docs" / "integrate" / "driver.md"
SHA3, SHAKE = FUNCTIONS["sha3-256"], FUNCTIONS["shake128"]
BUS_WAITS, DRIVER_WAITS = 0, 1


class Prefix(ctypes.Structure):
    """hf_keccak_prefix."""

    _fields_ = (("device", c_void_p), ("function", c_int), ("number", c_uint32))


def with_copy(name: str) -> PeripheralSim:
    """Return a simulated variant of `keccak-regs` that can keep a prefix."""
    design = find_design("keccak-regs")
    variant = design.variant(name)
    parameters = {**variant.parameters, "Prefix": True}
    return PeripheralSim(design, variant.model_copy(update={"parameters": parameters}))


def keep(driver: Driver, function: Function, data: bytes) -> Prefix:
    """Keep a prefix."""
    found = Prefix()
    context = driver.context(function)
    context.update(data)
    driver.call("keep", found, context)
    assert data[:16] not in bytes(context)
    expect("SEQUENCE", lambda: context.update(b"x"))
    return found


def hash_after(driver: Driver, prefix: Prefix, data: bytes, count: int) -> bytes:
    """Hash a message after a prefix."""
    found = ctypes.create_string_buffer(count)
    driver.call("hash_after", prefix, data, found)
    return found.raw


def kmac_after(driver: Driver, prefix: Prefix, data: bytes, count: int) -> bytes:
    """Return KMAC by a kept key."""
    found = ctypes.create_string_buffer(count)
    driver.hf("kmac_after", prefix, data, found)
    return found.raw


def prefixes(driver: Driver, rounds: int) -> None:
    """Keep prefixes of some functions, and hash after them, with other hashes in between."""
    rng = random.Random(40)
    for function in rng.sample(list(KECCAK.values()), rounds):
        front = rng.randbytes(rng.randrange(1, 4) * function.rate_bits // 8)
        prefix = keep(driver, function, front)
        for length in (0, 3, 16, 64, rng.randrange(400)):
            data = rng.randbytes(length)
            count = rng.randrange(1, 200) if function.xof else function.digest_bits // 8
            wanted = library_digest(function, front + data, output_bits=8 * count)
            if wanted is None:
                wanted = digest(
                    function, front + data, output_bits=8 * count if function.xof else None
                )
            assert hash_after(driver, prefix, data, count) == wanted, function.name
            assert driver.hash(SHA3, data) == library_digest(SHA3, data)


def keys(driver: Driver) -> None:
    """Compute KMAC by kept keys: NIST's samples, and against pycryptodome."""
    prefix = Prefix()
    for sample in nist_samples():
        if sample.function not in ("kmac128", "kmac256"):
            continue
        code = FUNCTIONS[sample.function.replace("kmac", "cshake")].code
        driver.hf("kmac_keep", prefix, driver.device, code, sample.key, sample.custom)
        for _ in range(2):
            assert kmac_after(driver, prefix, sample.data, len(sample.output)) == sample.output
    rng = random.Random(41)
    for strength in (128, 256):
        key, custom = rng.randbytes(rng.randrange(32, 300)), rng.randbytes(rng.randrange(40))
        code = FUNCTIONS[f"cshake{strength}"].code
        driver.hf("kmac_keep", prefix, driver.device, code, key, custom)
        for length, count in ((0, 8), (15, 31), (30, 32), (65, 33), (300, 600)):
            data = rng.randbytes(length)
            wanted = framed_digest(f"kmac{strength}", count, data=data, key=key, custom=custom)
            assert kmac_after(driver, prefix, data, count) == wanted


def lost(driver: Driver) -> None:
    """Whatever clears the peripheral loses the copy, and says so; so does another prefix."""
    front = bytes(range(168))
    wanted = library_digest(SHAKE, front + b"after", output_bits=256)
    assert wanted is not None
    for way in ("turn", "stop", "reset", "forget", "another"):
        prefix = keep(driver, SHAKE, front)
        assert hash_after(driver, prefix, b"after", 32) == wanted
        context = driver.context(SHAKE)
        if way == "turn":
            context.update(b"put aside")
        elif way == "stop":
            context.squeeze(3)
            context.stop()
        elif way == "reset":
            driver.call("reset", driver.device)
        elif way == "forget":
            driver.call("forget", prefix)
        else:
            keep(driver, SHAKE, bytes(168))
        expect("LOST", partial(hash_after, driver, prefix, b"after", 32))
        if way == "turn":
            context.update(b", and taken up again")
            assert context.final(32) == driver.hash(
                SHAKE, b"put aside, and taken up again", output_bits=256
            )
        prefix = keep(driver, SHAKE, front)
        assert hash_after(driver, prefix, b"after", 32) == wanted


def inside_a_block(driver: Driver) -> None:
    """A context inside a block, or without a message, is not kept, and goes on."""
    prefix = Prefix()
    for count in (0, 1, 135, 137):
        data = bytes(range(count))
        context = driver.context(SHA3)
        context.update(data)
        expect("SEQUENCE", partial(driver.call, "keep", prefix, context))
        context.update(b"goes on")
        assert context.final(32) == library_digest(SHA3, data + b"goes on")
    context = driver.context(SHAKE)
    context.squeeze(8)
    expect("SEQUENCE", lambda: driver.call("keep", prefix, context))
    context.stop()
    # Put aside before it is kept.
    data = bytes(range(136))
    context, other = driver.context(SHA3), driver.context(SHA3)
    context.update(data)
    other.update(b"other")
    driver.call("keep", prefix, context)
    assert hash_after(driver, prefix, b"x", 32) == library_digest(SHA3, data + b"x")
    assert other.final(32) == library_digest(SHA3, b"other")


@pytest.fixture(
    scope="module",
    params=["axil", pytest.param("apb-least", marks=SLOW), pytest.param("apb-serial", marks=SLOW)],
)
def sim(request: pytest.FixtureRequest) -> PeripheralSim:
    """A peripheral with a copy."""
    return with_copy(request.param)


@pytest.fixture(params=[BUS_WAITS, DRIVER_WAITS], ids=["bus-waits", "driver-waits"])
def driver(sim: PeripheralSim, request: pytest.FixtureRequest) -> Driver:
    """The driver, with either way to wait."""
    found = Driver(sim).open()
    found.device.waits = request.param
    return found


def test_prefixes(driver: Driver) -> None:
    """Digests are those of the prefix and the message."""
    prefixes(driver, 4)


def test_kept_keys(driver: Driver) -> None:
    """MACs are those of KMAC."""
    keys(driver)


def test_copies_that_are_lost(driver: Driver) -> None:
    """No digest comes from another state."""
    lost(driver)


def test_inside_a_block(driver: Driver) -> None:
    """Whole blocks are kept, and nothing else."""
    inside_a_block(driver)


def accesses(driver: Driver) -> int:
    """Return the most accesses beside words of message and digest, of messages of any length."""
    prefix, most = Prefix(), 0
    driver.hf("kmac_keep", prefix, driver.device, FUNCTIONS["cshake128"].code, bytes(16), b"")
    front = keep(driver, SHAKE, bytes(168))
    for length in range(70):
        for count in (4, 32):
            before = driver.accesses
            hash_after(driver, front, bytes(length), count)
            words = -(-length // 4) + count // 4
            most = max(most, driver.accesses - before - words)
    driver.hf("kmac_keep", prefix, driver.device, FUNCTIONS["cshake128"].code, bytes(16), b"")
    for length in range(70):
        for count in (16, 32):
            before = driver.accesses
            kmac_after(driver, prefix, bytes(length), count)
            encoded = 2 if count == 16 else 3
            words = -(-(length + encoded) // 4) + count // 4
            most = max(most, driver.accesses - before - words)
    return most


def test_accesses_of_a_short_message() -> None:
    """As docs/integrate/driver.md says, and at most ten."""
    driver = Driver(with_copy("axil")).open()
    most = accesses(driver)
    assert most <= 10
    said = re.search(r"at most (\d+) accesses beside the words", PAGE.read_text(encoding="utf-8"))
    assert said is not None
    assert int(said[1]) == most


def test_what_is_refused() -> None:
    """A peripheral without a copy; lengths and pointers that cannot be; a job that is running."""
    driver = Driver(simulation("axil")).open()
    context, prefix = driver.context(SHA3), Prefix()
    context.update(bytes(136))
    expect("FUNCTION", lambda: driver.call("keep", prefix, context))
    assert context.final(32) == library_digest(SHA3, bytes(136))
    expect("ARGUMENT", lambda: hash_after(driver, prefix, b"", 32))
    driver = Driver(with_copy("axil")).open()
    context = driver.context(SHA3)
    expect("ARGUMENT", lambda: driver.call("keep", None, context))
    expect("ARGUMENT", lambda: driver.call("keep", prefix, None))
    prefix = keep(driver, SHA3, bytes(136))
    expect("ARGUMENT", lambda: hash_after(driver, prefix, b"", 31))
    none = c_size_t(4)
    code = driver.code
    refused = code.hf_keccak_hash_after(ctypes.byref(prefix), None, none, bytes(32), c_size_t(32))
    assert refused == Error["ARGUMENT"]
    expect("ARGUMENT", lambda: driver.call("forget", Prefix()))
    assert hash_after(driver, prefix, b"abc", 32) == library_digest(SHA3, bytes(136) + b"abc")


def test_another_master() -> None:
    """A `clear` in the middle is an error, and no digest; the next hash is right."""
    sim = with_copy("axil")
    front = bytes(range(136))
    for at in range(2, 12):
        count = 0

        def write(address: int, data: int, strobe: int, at: int = at) -> None:
            nonlocal count
            count += 1
            sim.write_at(address, data, strobe)
            if count == at:
                sim.command("clear")

        driver = Driver(sim).open()
        prefix = keep(driver, SHA3, front)
        other = Driver(sim, write=write)
        other.device = driver.device
        other.device.base = ctypes.addressof(other.bus)
        expect("LOST", partial(hash_after, other, prefix, bytes(36), 32))
        assert driver.hash(SHA3, front) == library_digest(SHA3, front)
        driver.device.base = ctypes.addressof(driver.bus)


MUTANTS = {
    "context-in-the-hardware": ("    device->owner = NULL;\n", ""),
    "number-not-asked": ("OPTIONS__KEPT) != prefix->number", "OPTIONS__KEPT) == 0u"),
    "function-kept": ("put(device, REGISTER(CONFIG), (uint32_t)prefix->function);", ""),
    "no-length": ("if (fixed == 0u) put(", "if (fixed == 1u) put("),
    "hash-lost": ("if (device->owner != NULL || prefix", "if (prefix"),
    "refusal-is-an-end": ("if (error == HF_KECCAK_SEQUENCE) return error;", ""),
    "refusal-stays": ("put(device, REGISTER(ERROR), BAD_POSITION);", ""),
    "rest-lost": ("for (; at < bytes; at++) rest[", "for (; at > bytes; at++) rest["),
    "end-lost": ("i < end_bytes; i++", "i + 1u < end_bytes; i++"),
    "bits-of-bytes": ("bits = (uint32_t)mac_bytes * 8u;", "bits = (uint32_t)mac_bytes;"),
    "errors-not-seen": (
        "if (is_gone(status)) return failed(device, HF_KECCAK_LOST);\n"
        "        if (FIELD(status, HF_KECCAK_REGS__STATUS__DONE)",
        "if (polls == 99u || FIELD(status, HF_KECCAK_REGS__STATUS__PHASE) == PHASE(IDLE)) "
        "return HF_KECCAK_OK;\n        if (FIELD(status, HF_KECCAK_REGS__STATUS__DONE)",
    ),
    "copy-stays": (
        "hf_keccak_save(device->owner) : hf_keccak_reset(device);",
        "hf_keccak_save(device->owner) : HF_KECCAK_OK;",
    ),
}
"""Faults in the C, each of which the tests above find."""


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_faults_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in the C gives a wrong digest, or an error."""
    code = compiled(mutant=(FILE, *MUTANTS[name]))
    monkeypatch.setattr("tests.driver.driver.compiled", lambda: code)
    with pytest.raises(Exception):  # noqa: B017 - the driver's error, or a comparison
        for waits in (BUS_WAITS, DRIVER_WAITS):
            driver = Driver(with_copy("axil")).open()
            driver.device.waits = waits
            prefixes(driver, 4)
            keys(driver)
            lost(driver)
            inside_a_block(driver)
        test_another_master()
        if name == "copy-stays":
            driver = Driver(with_copy("axil")).open()
            prefix = keep(driver, SHA3, bytes(136))
            number = prefix.number
            driver.call("forget", prefix)
            prefix.number = number
            expect("LOST", lambda: hash_after(driver, prefix, b"", 32))
