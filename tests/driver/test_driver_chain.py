"""The C driver of the unit for chains (driver/hf_keccak_chain.c), on the Verilated unit."""

import ctypes
import random
from ctypes import c_size_t, c_uint8, c_uint32, c_void_p
from typing import Any

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.registry import registers
from hashfabric.registry.designs import find_design
from hashfabric.simulate.peripheral import PeripheralSim
from tests.driver.driver import READ, WRITE, Bus, ChainDevice, Error, compiled
from tests.rtl.regs.chain import ADDRESS, Trees, chain

FILE = "hf_keccak_chain.c"


class Unit:
    """The driver with one unit."""

    def __init__(self, variant: str = "apb", mutant: tuple[str, str, str] | None = None) -> None:
        """Build the simulation if it is new; the device is not open yet."""
        design = find_design("keccak-chain")
        self.sim = PeripheralSim(design, design.variant(variant), registers.CHAIN)
        self.code: Any = compiled(mutant=mutant)
        self.bus = Bus()
        self.bus.handle, self.bus.read, self.bus.write = self.sim.bus
        self.device = ChainDevice()

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


XMSS, FORS = 0, 1
"""hf_chain_leaves."""
NO_LEAF = 0xFFFF


class Tree:
    """A tree by the driver, and by the model."""

    def __init__(self, unit: Unit, rng: random.Random) -> None:
        """Give the unit the seeds of a key, and an address."""
        self.unit, self.size = unit, unit.device.value_bytes
        self.seed, self.secret = rng.randbytes(self.size), rng.randbytes(self.size)
        self.address, self.message = rng.randbytes(ADDRESS), rng.randbytes(self.size)
        for name in ("prefix", "secret", "address"):
            data = {"prefix": self.seed}.get(name) or getattr(self, name)
            assert unit.call(name, data) == Error["OK"]
        self.model = Trees(self.seed, self.secret, self.address)

    def compute(self, leaves: int, height: int, leaf: int, first: int = 0) -> None:
        """`AssertionError` where part or root differ from the model's."""
        unit = self.unit
        part_bytes = unit.code.hf_chain_part_bytes
        part_bytes.restype = c_size_t
        part = (c_uint8 * part_bytes(ctypes.byref(unit.device), leaves, height))()
        root = (c_uint8 * self.size)()
        assert unit.call("address_word", c_uint32(7), c_uint32(first)) == Error["OK"]
        found = unit.call("tree", leaves, height, leaf, self.message, part, root)
        assert found == Error["OK"]
        if leaves == FORS:
            assert bytes(root) == self.model.fors_node(first >> height, height)
            wanted = self.model.fors_part(first, leaf, height) if leaf != NO_LEAF else b""
        else:
            assert bytes(root) == self.model.xmss_node(0, height)
            wanted = self.model.xmss_part(leaf, height, self.message) if leaf != NO_LEAF else b""
        assert bytes(part) == (wanted or bytes(len(part)))


def trees(unit: Unit) -> None:
    """Compute trees of both kinds; `AssertionError` on a wrong value."""
    rng = random.Random(2)
    assert unit.open() == Error["OK"]
    assert unit.device.trees == 1
    for height in (1, 2):
        tree = Tree(unit, rng)
        tree.compute(XMSS, height, rng.randrange(1 << height))
        tree.compute(XMSS, height, NO_LEAF)
        tree.compute(FORS, height + 3, rng.randrange(8 << height), 5 << height + 3)
        tree.compute(FORS, height, NO_LEAF)


def test_trees() -> None:
    """Roots and parts of signatures are those of FIPS 205."""
    trees(Unit("apb-trees"))


def test_a_tree_in_pieces_and_errors() -> None:
    """Its part is not there while it is computed; arguments; a unit without trees."""
    unit = Unit("apb-trees")
    assert unit.open() == Error["OK"]
    tree = Tree(unit, random.Random(3))
    data = (c_uint8 * 256)()
    assert unit.call("tree_begin", FORS, 5, 3, None) == Error["OK"]
    assert unit.call("poll") == Error["PENDING"]
    assert unit.call("tree_part", data, c_size_t(4)) == Error["OK"]
    while unit.call("poll") == Error["PENDING"]:
        pass
    assert unit.call("end", data) == Error["BAD_ACCESS"]
    tree.compute(FORS, 3, 2)
    for name, *arguments in (
        ("secret", None),
        ("tree_begin", FORS, 0, 0, None),
        ("tree_begin", FORS, 16, 0, None),
        ("tree_begin", FORS, 3, 8, None),
        ("tree_begin", XMSS, 3, 7, None),
        ("tree_part", None, c_size_t(4)),
        ("tree_part", data, c_size_t(5)),
        ("tree", FORS, 3, 7, None, None, data),
        ("tree", FORS, 3, 7, None, data, None),
    ):
        assert unit.call(str(name), *arguments) == Error["ARGUMENT"], (name, arguments)
    assert unit.call("tree_begin", XMSS, 15, NO_LEAF, None) == Error["OK"]
    assert unit.call("clear") == Error["OK"]
    assert unit.call("poll") == Error["OK"]
    plain = Unit()
    assert plain.open() == Error["OK"]
    assert plain.device.trees == 0
    assert plain.call("secret", bytes(16)) == Error["FUNCTION"]
    assert plain.call("tree_part", data, c_size_t(4)) == Error["FUNCTION"]
    assert plain.call("tree", FORS, 3, 7, None, data, data) == Error["FUNCTION"]


def test_a_tree_that_does_not_end() -> None:
    """The wait is bounded, by the hashes of the tree, and the unit is clear after it."""
    unit = Unit("apb-trees")
    assert unit.open() == Error["OK"]
    answers = {0x10: 1}
    read = READ(lambda _, at, data: data.__setitem__(0, answers.get(at, 0)))
    write = WRITE(lambda *_: None)
    unit.bus.read, unit.bus.write = (ctypes.cast(call, c_void_p).value for call in (read, write))
    data = (c_uint8 * 256)()
    before = unit.bus.reads
    assert unit.call("tree", FORS, 2, 1, None, data, data) == Error["TIMEOUT"]
    assert unit.bus.reads - before == 32 * (3 * 4 + 1)


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


TREE_MUTANTS = {
    "checksum-not-shifted": (
        "(checksum >> 4) | ((checksum & 15u) << 12)",
        "(checksum >> 8) | ((checksum & 255u) << 8)",
    ),
    "checksum-of-digits": ("checksum += 30u - ", "checksum += 0u - "),
    "no-leaf-chosen": ("put(device, REGISTER(CHOSEN), leaf);", ""),
    "part-without-the-checksum": ("(2u * device->value_bytes) + 3u", "2u * device->value_bytes"),
    "secret-of-half": ("secret, device->value_bytes);", "secret, device->value_bytes / 2u);"),
    "fors-as-xmss": ("word |= BIT(TREE__FORS);", ""),
    "wait-for-a-leaf": (
        "hashes_of_leaf(device, leaves) << height",
        "hashes_of_leaf(device, leaves)",
    ),
}
"""Faults in the part of the C that is about trees."""


@pytest.mark.slow
@pytest.mark.parametrize("name", TREE_MUTANTS)
def test_faults_of_trees_are_found(name: str) -> None:
    """A fault in the C gives a wrong value or an error."""
    unit = Unit("apb-trees", mutant=(FILE, *TREE_MUTANTS[name]))
    with pytest.raises(AssertionError):
        trees(unit)


def test_the_page_has_the_accesses() -> None:
    """The table of docs/integrate/chain.md counts what the driver does."""
    unit = Unit("apb-trees")
    assert unit.open() == Error["OK"]
    data = (c_uint8 * unit.device.value_bytes)()
    part = (c_uint8 * 608)()
    calls: dict[str, tuple[Any, ...]] = {
        "`hf_chain_prefix`": (data,),
        "`hf_chain_address`": (bytes(ADDRESS),),
        "`hf_chain_address_word`": (c_uint32(7), c_uint32(1)),
        "`hf_chain_begin`": (data, c_uint32(0)),
        "`hf_chain_poll`": (),
        "`hf_chain_end`": (data,),
        "`hf_chain_secret`": (data,),
        "`hf_chain_tree_begin`, XMSS": (XMSS, 3, 1, data),
        "`hf_chain_tree_begin`, XMSS without a leaf": (XMSS, 3, NO_LEAF, None),
        "`hf_chain_tree_begin`, FORS": (FORS, 6, 1, None),
        "`hf_chain_tree_part`, XMSS of height 3": (part, c_size_t(608)),
        "`hf_chain_tree_part`, FORS of height 6": (part, c_size_t(112)),
    }
    page = (ROOT / "docs" / "integrate" / "chain.md").read_text(encoding="utf-8")
    for name, arguments in calls.items():
        before = unit.bus.reads + unit.bus.writes
        function = name.split("`")[1].removeprefix("hf_chain_")
        assert unit.call(function, *arguments) == Error["OK"]
        count = unit.bus.reads + unit.bus.writes - before
        assert f"| {name} | {count} |" in page, (name, count)
