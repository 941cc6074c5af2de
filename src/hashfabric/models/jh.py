"""The golden model of JH (final round, 42 rounds), written to be read against its specification.

A chaining value is 128 bytes, a block 64; bits are counted from the highest of a byte. E_d works on
2^d cells of four bits, d = 8 for the hash and d = 6 for the round constants. Slow on purpose:
nothing is unrolled, and the constants come from their definitions.
"""

import sys
from collections.abc import Iterator
from functools import cache
from math import isqrt

from hashfabric.models.family import competitor

ROUNDS = 42
BLOCK_BYTES = 64
CHAIN_BYTES = 128

Cells = list[int]
"""Cells of four bits, the highest weight is bit 0."""

S_BOXES = (
    (9, 0, 4, 11, 13, 12, 3, 15, 1, 10, 2, 6, 7, 5, 8, 14),
    (3, 12, 6, 13, 5, 7, 1, 9, 15, 2, 0, 4, 11, 10, 14, 8),
)
"""S0 and S1: a bit of the round constant selects one (section 3.2)."""

_LENGTH_BYTES = 16
_CELL_BITS = 4
_SUM_BITS = 256


def double(a: int) -> int:
    """Multiply by x in GF(2^4) modulo x^4 + x + 1."""
    return a << 1 ^ (0x13 if a & 8 else 0)


def mix(a: int, b: int) -> tuple[int, int]:
    """Return L of two cells (section 3.3)."""
    d = b ^ double(a)
    return a ^ double(d), d


def permute(cells: Cells) -> Cells:
    """Return P_d of the cells: pi, then P', then phi (section 3.4)."""
    half = len(cells) // 2
    swapped = [cells[i ^ (i >> 1 & 1)] for i in range(2 * half)]
    dealt = swapped[0::2] + swapped[1::2]
    return dealt[:half] + [dealt[i ^ 1] for i in range(half, 2 * half)]


def round_function(cells: Cells, constant: list[int]) -> Cells:
    """Return R_d of the cells: S-boxes as the constant's bits say, L on pairs, P_d (3.5)."""
    boxed = [S_BOXES[bit][cell] for cell, bit in zip(cells, constant, strict=True)]
    mixed: Cells = []
    for i in range(0, len(boxed), 2):
        mixed += mix(boxed[i], boxed[i + 1])
    return permute(mixed)


def bits_of(text: bytes) -> list[int]:
    """Return the bits of a string, the highest of each byte first."""
    return [byte >> (7 - i) & 1 for byte in text for i in range(8)]


def text_of(bits: list[int]) -> bytes:
    """Return the string of these bits."""
    return int("".join(map(str, bits)), 2).to_bytes(len(bits) // 8, "big")


def _round_constants() -> list[list[int]]:
    """Return the bits of each round's constant (section 3.6).

    The first is the fraction of the square root of 2; R_6 without a constant leads to the next.
    """
    root = isqrt(2 << 2 * _SUM_BITS) - (1 << _SUM_BITS)
    constant = bits_of(root.to_bytes(_SUM_BITS // 8, "big"))
    constants = []
    for _ in range(ROUNDS):
        constants.append(constant)
        cells = [int("".join(map(str, constant[i : i + 4])), 2) for i in range(0, _SUM_BITS, 4)]
        cells = round_function(cells, [0] * len(cells))
        constant = [cell >> (3 - i) & 1 for cell in cells for i in range(_CELL_BITS)]
    return constants


ROUND_CONSTANTS = _round_constants()


def group(bits: list[int]) -> Cells:
    """Return the cells of 1024 bits: each takes one bit of every quarter (section 3.7)."""
    quarter = len(bits) // _CELL_BITS
    cells: Cells = []
    for i in range(quarter // 2):
        for start in (i, i + quarter // 2):
            value = 0
            for k in range(_CELL_BITS):
                value = value << 1 | bits[start + k * quarter]
            cells.append(value)
    return cells


def ungroup(cells: Cells) -> list[int]:
    """Return the bits of which `group` makes these cells."""
    dealt = cells[0::2] + cells[1::2]
    return [cell >> (3 - k) & 1 for k in range(_CELL_BITS) for cell in dealt]


def e8(text: bytes) -> bytes:
    """Return E_8 of a chaining value (section 3.7)."""
    cells = group(bits_of(text))
    for constant in ROUND_CONSTANTS:
        cells = round_function(cells, constant)
    return text_of(ungroup(cells))


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def compress(chain: bytes, block: bytes) -> bytes:
    """Return F_8: the block goes into the first half before E_8, the second half after it (4)."""
    permuted = e8(_xor(chain[:BLOCK_BYTES], block) + chain[BLOCK_BYTES:])
    return permuted[:BLOCK_BYTES] + _xor(permuted[BLOCK_BYTES:], block)


@cache
def initial(digest_bits: int) -> bytes:
    """Return the initial chaining value: F_8 of the digest size with a block of zeros (5.2)."""
    if digest_bits not in (224, 256, 384, 512):
        raise ValueError(f"no digest of {digest_bits} bits")
    size = digest_bits.to_bytes(2, "big")
    return compress(size + bytes(CHAIN_BYTES - len(size)), bytes(BLOCK_BYTES))


def output(digest_bits: int, chain: bytes) -> bytes:
    """Return the end of the last chaining value (section 5.4)."""
    return chain[-(digest_bits // 8) :]


def padded(digest_bits: int, message: bytes, bits: int) -> Iterator[tuple[bytes, int]]:
    """Yield the blocks of the first `bits` bits of `message`, padded (section 5.1).

    At least 512 bits of padding, the same for every `digest_bits`. With each block the bits of the
    message up to its end, 0 if it holds none.
    """
    del digest_bits
    text = bytearray(message[: -(-bits // 8)])
    if bits % 8:
        text[-1] &= 0xFF << (8 - bits % 8) & 0xFF
    size = BLOCK_BYTES * (-(-bits // (8 * BLOCK_BYTES)) + 1)
    text += bytes(size - len(text))
    text[bits // 8] |= 0x80 >> bits % 8
    text[-_LENGTH_BYTES:] = bits.to_bytes(_LENGTH_BYTES, "big")
    for start in range(0, size, BLOCK_BYTES):
        count = min(bits, 8 * (start + BLOCK_BYTES))
        yield bytes(text[start : start + BLOCK_BYTES]), count if count > 8 * start else 0


def digest(digest_bits: int, message: bytes, *, bits: int | None = None) -> bytes:
    """Hash the first `bits` bits of `message` (all if None)."""
    chain = initial(digest_bits)
    for block, _ in padded(digest_bits, message, 8 * len(message) if bits is None else bits):
        chain = compress(chain, block)
    return output(digest_bits, chain)


FAMILY = competitor(
    "jh", sys.modules[__name__], code=4, blocks=(512, 512, 512, 512), padding=lambda block: block
)
"""Its least padding: a whole block."""
