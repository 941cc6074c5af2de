"""The C driver of the unit for chains (driver/hf_keccak_chain.c), on the Verilated unit."""

import ctypes
import random
from ctypes import c_size_t, c_uint8, c_uint32
from typing import Any

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.registry import registers
from hashfabric.registry.designs import find_design
from hashfabric.simulate.peripheral import PeripheralSim
from tests.driver.driver import Bus, Error, compiled
from tests.rtl.regs.chain import ADDRESS, chain

FILE = "hf_keccak_chain.c"


class Device(ctypes.Structure):
    """hf_chain_device."""

    _fields_ = (("base", c_size_t), ("value_bytes", c_uint32))


class Unit:
    """The driver with one unit."""

    def __init__(self, variant: str = "apb", mutant: tuple[str, str, str] | None = None) -> None:
        """Build the simulation if it is new; the device is not open yet."""
        design = find_design("keccak-chain")
        self.sim = PeripheralSim(design, design.variant(variant), registers.CHAIN)
        self.code: Any = compiled(mutant=mutant)
        self.bus = Bus()
        self.bus.handle, self.bus.read, self.bus.write = self.sim.bus
        self.device = Device()

    def call(self, name: str, *arguments: Any) -> Error:
        """Return what hf_chain_`name` returns."""
        found = getattr(self.code, f"hf_chain_{name}")(ctypes.byref(self.device), *arguments)
        return Error(found)

    def open(self) -> Error:
        """Open the device."""
        return self.call("open", c_size_t(ctypes.addressof(self.bus)))

    def run(self, value: bytes, count: int) -> bytes:
        """Return the end of a chain."""
        data = (c_uint8 * len(value))(*value)
        assert self.call("run", data, c_uint32(count)) == Error["OK"]
        return bytes(data)


def hashes(unit: Unit, rounds: int) -> None:
    """Compute chains at random; `AssertionError` on a wrong value."""
    rng = random.Random(1)
    assert unit.open() == Error["OK"]
    size = unit.device.value_bytes
    prefix, address = rng.randbytes(size), rng.randbytes(ADDRESS)
    assert unit.call("prefix", prefix) == Error["OK"]
    assert unit.call("address", address) == Error["OK"]
    for _ in range(rounds):
        for word in (5, 6, 7):
            number = rng.getrandbits(32)
            assert unit.call("address_word", c_uint32(word), c_uint32(number)) == Error["OK"]
            at = 4 * word
            address = address[:at] + number.to_bytes(4, "big") + address[at + 4 :]
        value, count = rng.randbytes(size), rng.choice((0, 1, 2, 15))
        assert unit.run(value, count) == chain(prefix, address, value, count), count


@pytest.mark.parametrize("variant", ["apb", pytest.param("axil", marks=pytest.mark.slow)])
def test_chains(variant: str) -> None:
    """Values are those of FIPS 205."""
    hashes(Unit(variant), 20)


def test_three_calls_and_errors() -> None:
    """A chain that goes on meanwhile; an access in it is reported once; arguments."""
    unit = Unit()
    assert unit.open() == Error["OK"]
    size = unit.device.value_bytes
    prefix, address, value = bytes(range(size)), bytes(range(ADDRESS)), bytes(size)
    unit.call("prefix", prefix)
    unit.call("address", address)
    assert unit.call("begin", value, c_uint32(50)) == Error["OK"]
    assert unit.call("poll") == Error["PENDING"]
    unit.call("prefix", bytes(size))
    while unit.call("poll") == Error["PENDING"]:
        pass
    found = (c_uint8 * size)()
    assert unit.call("end", found) == Error["BAD_ACCESS"]
    assert bytes(found) == chain(prefix, address, value, 50)
    assert unit.call("end", found) == Error["OK"]
    assert unit.call("begin", value, c_uint32(0x10000)) == Error["ARGUMENT"]
    assert unit.call("begin", None, c_uint32(1)) == Error["ARGUMENT"]
    assert unit.call("end", None) == Error["ARGUMENT"]
    assert unit.call("address_word", c_uint32(8), c_uint32(0)) == Error["ARGUMENT"]
    assert unit.call("begin", value, c_uint32(5_000)) == Error["OK"]
    assert unit.call("clear") == Error["OK"]
    assert unit.call("poll") == Error["OK"]
    assert unit.call("end", found) == Error["OK"]
    assert not any(found)


MUTANTS = {
    "count-of-one-more": (
        "put(device, REGISTER(COMMAND), count);",
        "put(device, REGISTER(COMMAND), count + 1u);",
    ),
    "word-little-endian": ("(number >> 24) |", "(number >> 24 << 24) |"),
    "no-wait": ("if (hf_chain_poll(device) == HF_KECCAK_OK) return", "if (1) return"),
    "prefix-of-half": ("prefix, device->value_bytes);", "prefix, device->value_bytes / 2u);"),
}
"""Faults in the C, each of which the test above finds."""


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_faults_are_found(name: str) -> None:
    """A fault in the C gives a wrong value or an error."""
    unit = Unit(mutant=(FILE, *MUTANTS[name]))
    with pytest.raises(AssertionError):
        hashes(unit, 20)


def test_the_page_has_the_accesses() -> None:
    """The table of docs/integrate/chain.md counts what the driver does."""
    unit = Unit()
    assert unit.open() == Error["OK"]
    data = (c_uint8 * unit.device.value_bytes)()
    calls: dict[str, tuple[Any, ...]] = {
        "prefix": (data,),
        "address": (bytes(ADDRESS),),
        "address_word": (c_uint32(7), c_uint32(1)),
        "begin": (data, c_uint32(0)),
        "poll": (),
        "end": (data,),
    }
    page = (ROOT / "docs" / "integrate" / "chain.md").read_text(encoding="utf-8")
    for name, arguments in calls.items():
        before = unit.bus.reads + unit.bus.writes
        assert unit.call(name, *arguments) == Error["OK"]
        count = unit.bus.reads + unit.bus.writes - before
        assert f"| `hf_chain_{name}` | {count} |" in page, (name, count)
