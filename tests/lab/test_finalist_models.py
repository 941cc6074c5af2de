"""The finalists' golden models, and the libraries that judge them, against one another.

sphlib (through dash-hash) has every function and bit length; pyskein and groestlcoin_hash2 have
nothing in common with it. The models take milliseconds a block: every bit length is for the slow
run, the quick one goes through them in strides and meets all that are near a change of the padding.
"""

import random
from dataclasses import replace

import pytest

from hashfabric.models import functions
from hashfabric.models.family import Function
from hashfabric.models.functions import FAMILIES
from tests.rtl.finalists.finalists import FINALIST_FAMILIES, FINALISTS
from tests.support.oracles import finalist_digest, groestlcoin_digest, pyskein_digest

BITS = 2048
STRIDE = 37
GROESTL_STRIDE = 97  # model and groestlcoin_hash2 take 10 ms a block and more

KNOWN = {
    "blake-256": "716f6e863f744b9ac22c97ec7b76ea5f5908bc5b2f67c61510bfc4751384ea7a",
    "groestl-512": "6d3ad29d279110eef3adbd66de2a0345a77baede1557f5d099fce0c03d6dc2ba"
    "8e6d4a6633dfbd66053c20faa87d1a11f39a7fbe4a6c2f009801370308fc4ad8",
    "jh-256": "46e64619c18bb0a92a5e87185a47eef83ca747b8fcc8e1412921357e326df434",
    "skein-512-512": "bc5b4c50925519c290cc634277ae3d6257212395cba733bbad37a4af0fa06af4"
    "1fca7903d06564fea7a2d3730dbdb80c1f85562dfcc070334ea4d1d9e72cba7a",
}
"""Digests of the empty message in the final round's submissions."""


def message(function: Function, bits: int) -> bytes:
    """Return the bytes that hold `bits` bits; what is below them in the last byte is not zero."""
    data = bytearray(random.Random(f"{function.name} {bits}").randbytes(-(-bits // 8)))
    if bits % 8:
        data[-1] |= 0xFF >> bits % 8
    return bytes(data)


@pytest.mark.parametrize("name", KNOWN)
def test_the_empty_message(name: str) -> None:
    """The differences of the final round from those before it."""
    assert finalist_digest(name, b"").hex() == KNOWN[name]
    assert functions.digest(FINALISTS[name], b"").hex() == KNOWN[name]


@pytest.mark.parametrize("name", [name for name in FINALISTS if name.startswith("skein")])
def test_oracles_of_skein(name: str) -> None:
    """sphlib and pyskein, every bit length."""
    for bits in range(BITS):
        data = message(FINALISTS[name], bits)
        assert finalist_digest(name, data, bits) == pyskein_digest(name, data, bits), bits


@pytest.mark.parametrize("name", [name for name in FINALISTS if name.startswith("groestl")])
def test_oracles_of_groestl(name: str) -> None:
    """sphlib and groestlcoin_hash2, whole bytes."""
    for size in (*range(0, BITS // 8, 5), *range(54, 58), *range(118, 122)):
        data = message(FINALISTS[name], 8 * size)
        assert finalist_digest(name, data) == groestlcoin_digest(name, data), size


def wrong(function: Function, lengths: list[int]) -> list[int]:
    """Return the bit lengths for which model and sphlib differ."""
    found = []
    for bits in lengths:
        data = message(function, bits)
        if functions.digest(function, data, bits=bits) != finalist_digest(
            function.name, data, bits
        ):
            found.append(bits)
    return found


@pytest.mark.parametrize("name", FINALISTS)
def test_bit_lengths(name: str) -> None:
    """A stride through 0 to 2047 that meets every place in a byte, another one for each size."""
    function = FINALISTS[name]
    stride = GROESTL_STRIDE if function.family == "groestl" else STRIDE
    assert wrong(function, list(range(function.code, BITS, stride))) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", FINALISTS)
def test_every_bit_length(name: str) -> None:
    """0 to 2047 bits."""
    assert wrong(FINALISTS[name], list(range(BITS))) == []


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if "256" in name else pytest.mark.slow) for name in FINALISTS],
)
def test_bit_lengths_around_the_padding(name: str) -> None:
    """Where its end moves to the next block, and at a block's end."""
    function = FINALISTS[name]
    rate = function.rate_bits
    room = max(rate - function.least_padding_bits, 0)
    around = {*range(10), *range(max(room - 9, 0), room + 10), *range(rate - 9, rate + 10)}
    assert wrong(function, sorted(around | {bits + rate for bits in around})) == []


@pytest.mark.parametrize("name", FINALISTS)
def test_long_messages(name: str) -> None:
    """Many blocks, and lengths of several bytes."""
    function = FINALISTS[name]
    assert wrong(function, [20_003, 25 * function.rate_bits]) == []


@pytest.mark.parametrize("name", ["blake-256", "groestl-256", "jh-256", "skein-512-256"])
@pytest.mark.slow
def test_longer_messages(name: str) -> None:
    """More than 256 blocks."""
    assert wrong(FINALISTS[name], [300 * 512 + 1]) == []


@pytest.mark.parametrize("name", FINALISTS)
def test_blocks_and_counts(name: str) -> None:
    """The number of blocks is that of the table, and each has the bits of the message to its end.

    docs/engines/finalists.md, blk_count_i: 0 where a block holds none.
    """
    function = FINALISTS[name]
    rate = function.rate_bits
    padded = FAMILIES[function.family].padded
    for bits in range(0, 2 * BITS, 3):
        blocks = list(padded(function, bytes(-(-bits // 8)), bits))
        assert len(blocks) == function.blocks(bits)
        for i, (block, count) in enumerate(blocks):
            assert len(block) == rate // 8
            assert count == (min(bits, (i + 1) * rate) if bits > i * rate else 0)


@pytest.mark.parametrize("family", FINALIST_FAMILIES)
def test_no_other_sizes(family: str) -> None:
    """A size that the competition did not ask for is not hashed."""
    function = replace(FAMILIES[family].functions[0], digest_bits=200)
    with pytest.raises((ValueError, KeyError)):
        functions.digest(function, b"")
    with pytest.raises(ValueError, match="not 200"):
        functions.digest(FAMILIES[family].functions[0], b"", output_bits=200)
