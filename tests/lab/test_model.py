"""The golden model against three independent implementations, and against fixed answers."""

import random

import pytest

from hashfabric.models import keccak
from hashfabric.models.functions import FUNCTIONS, KECCAK
from tests.support.oracles import (
    BY_BIT,
    cshake_digest,
    cshake_message,
    kmac128,
    kmac_message,
    library_digest,
)

RANDOM = random.Random(202)

NO_LIBRARY = ("keccak-1024-576", "cshake128", "cshake256")
"""Those that no library takes as they are: the last two take theirs with SP 800-185's framing."""


@pytest.mark.parametrize("name", [name for name in KECCAK if name not in NO_LIBRARY])
def test_bytes(name: str) -> None:
    """Every length around the ends of the first blocks."""
    function = FUNCTIONS[name]
    rate = function.rate_bits // 8
    for length in (0, 1, 3, rate - 2, rate - 1, rate, rate + 1, 2 * rate - 1, 2 * rate, 500):
        message = RANDOM.randbytes(length)
        assert keccak.digest(function, message) == library_digest(function, message)


@pytest.mark.parametrize("name", BY_BIT)
def test_bits(name: str) -> None:
    """Bit lengths around the end of a block; what is above the last bit does not count."""
    function = FUNCTIONS[name]
    rate = function.rate_bits
    for bits in (1, 2, 3, 4, 5, 6, 7, 9, *range(rate - 9, rate + 3)):
        message = RANDOM.randbytes(-(-bits // 8))
        wanted = library_digest(function, message, bits=bits)
        assert keccak.digest(function, message, bits=bits) == wanted


@pytest.mark.parametrize("name", ["shake128", "shake256"])
def test_long_output(name: str) -> None:
    """Several blocks of output, and one that ends inside a byte."""
    function = FUNCTIONS[name]
    for length in (1, function.rate_bits // 8, function.rate_bits // 8 + 1, 1000):
        for bits in (8 * length, 8 * length - 5):
            wanted = library_digest(function, b"abc", output_bits=bits)
            assert keccak.digest(function, b"abc", output_bits=bits) == wanted


@pytest.mark.parametrize("name", ["cshake128", "cshake256"])
@pytest.mark.parametrize("custom", [b"Email Signature", bytes(range(200))])
def test_cshake(name: str, custom: bytes) -> None:
    """SP 800-185's framing in front, as its caller puts it there, and output of several blocks."""
    function = FUNCTIONS[name]
    rate = function.rate_bits // 8
    for length in (0, 4, rate - 1, rate, 500):
        data = RANDOM.randbytes(length)
        message = cshake_message(function, b"", custom, data)
        for count in (32, 2 * rate + 1):
            wanted = cshake_digest(function, custom, data, count)
            assert keccak.digest(function, message, output_bits=8 * count) == wanted


def test_kmac128() -> None:
    """KMAC is cSHAKE with more framing."""
    function = FUNCTIONS["cshake128"]
    for length, count in ((0, 16), (4, 32), (167, 64), (1000, 300)):
        key, data = RANDOM.randbytes(32), RANDOM.randbytes(length)
        message = kmac_message(function, key, b"My Tagged Application", data, 8 * count)
        wanted = kmac128(key, b"My Tagged Application", data, count)
        assert keccak.digest(function, message, output_bits=8 * count) == wanted


def test_keccak_1024_576() -> None:
    """No library has it: the digest of the empty message from the sponge's definition by hand."""
    function = FUNCTIONS["keccak-1024-576"]
    state = keccak.absorb([0] * 25, 1 | 1 << 1023)
    assert keccak.digest(function, b"") == keccak.state_bytes(state)[:32]


@pytest.mark.parametrize(
    ("name", "message", "bits", "start"),
    [
        ("sha3-256", b"\x13", 5, "7b0047cf"),
        ("sha3-512", b"\x13", 5, "a13e0149"),
        ("keccak-256", b"", 0, "c5d24601"),
    ],
)
def test_fixed_answers(name: str, message: bytes, bits: int, start: str) -> None:
    """The standard's 5-bit examples and Ethereum's empty hash."""
    assert keccak.digest(FUNCTIONS[name], message, bits=bits).hex().startswith(start)


def test_the_permutation_of_zero() -> None:
    """Keccak-f[1600] of the zero state, first lane (the Keccak team's test vector)."""
    assert keccak.keccak_f([0] * 25)[0] == 0xF1258F7940E1DDE7


def test_blocks_are_counted() -> None:
    """Absorbed with the padding, then squeezed beyond the first."""
    sha3, shake = FUNCTIONS["sha3-256"], FUNCTIONS["shake128"]
    for bits in (0, 1083, 1084, 1085, 1088, 2172, 2173):
        message = bytes(-(-bits // 8))
        assert sha3.blocks(bits) == len(keccak.padded(sha3, message, bits))
    assert [sha3.blocks(bits) for bits in (0, 1084, 1085, 2172, 2173)] == [1, 1, 2, 2, 3]
    assert shake.blocks(0, 1) == 1
    assert shake.blocks(0, 1344) == 1
    assert shake.blocks(0, 1345) == 2
    assert shake.blocks(1340, 3 * 1344) == 4
