"""The golden model of BLAKE (final round), written to be read against its specification.

Digests of 224 and 256 bits are made of 32-bit words in 14 rounds, of 384 and 512 of 64-bit words in
16. Words are big-endian, and bits are counted from the highest of a byte. The salt is zero. Slow on
purpose: nothing is unrolled, and the constants come from their definitions.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt

from hashfabric.models.family import competitor

BLOCK_WORDS = 16
CHAIN_WORDS = 8


@dataclass(frozen=True)
class Words:
    """The differences between words of 32 and of 64 bits (sections 2.1 and 2.2)."""

    bits: int
    rounds: int
    turns: tuple[int, int, int, int]
    """Amounts of G's four rotations to the right."""

    @property
    def mask(self) -> int:
        """All ones."""
        return (1 << self.bits) - 1

    def rotate(self, word: int, count: int) -> int:
        """Move bit i to i - count."""
        return (word >> count | word << (self.bits - count)) & self.mask

    def split(self, text: bytes) -> list[int]:
        """Return the words of a string."""
        size = self.bits // 8
        return [int.from_bytes(text[i : i + size], "big") for i in range(0, len(text), size)]

    def join(self, words: list[int]) -> bytes:
        """Return the string of these words."""
        return b"".join(word.to_bytes(self.bits // 8, "big") for word in words)


SHORT = Words(32, 14, (16, 12, 8, 7))
LONG = Words(64, 16, (32, 25, 16, 11))

SIGMA = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3),
    (11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4),
    (7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8),
    (9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13),
    (2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9),
    (12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11),
    (13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10),
    (6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5),
    (10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0),
)
"""Which message words and constants a round takes, in order (section 2.1.1, table 2)."""

GROUPS = (
    *((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)),  # columns
    *((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)),  # diagonals
)
"""Words of the state that each of a round's eight G works on (section 2.1.2)."""


def _pi_fraction(bits: int) -> int:
    """Return the first `bits` bits of the fraction of pi (Machin: 16 atan(1/5) - 4 atan(1/239))."""
    guard = 64

    def arctangent(inverse: int) -> int:
        total, power, index = 0, (1 << (bits + guard)) // inverse, 0
        while power:
            total += (-1) ** index * power // (2 * index + 1)
            power //= inverse * inverse
            index += 1
        return total

    pi = 16 * arctangent(5) - 4 * arctangent(239)
    return pi >> guard & ((1 << bits) - 1)


def constants(words: Words) -> list[int]:
    """Return c: the first 16 words of the fraction of pi."""
    bits = BLOCK_WORDS * words.bits
    return words.split(_pi_fraction(bits).to_bytes(bits // 8, "big"))


CONSTANTS = {words.bits: constants(words) for words in (SHORT, LONG)}


def words_of(digest_bits: int) -> Words:
    """Return the words that this digest size is made of."""
    if digest_bits not in (224, 256, 384, 512):
        raise ValueError(f"no digest of {digest_bits} bits")
    return SHORT if digest_bits <= 256 else LONG  # noqa: PLR2004


def initial(digest_bits: int) -> bytes:
    """Return the initial chaining value: SHA-2's, fractions of the square roots of primes.

    The first eight primes for 256 and 512 bits, the second eight for 224 and 384; 64 bits of the
    fraction, of which 256 takes the first 32, and 224 the last (tables 1 and 4).
    """
    words = words_of(digest_bits)
    primes = [n for n in range(2, 54) if all(n % d for d in range(2, n))]
    chosen = primes[:CHAIN_WORDS] if digest_bits in (256, 512) else primes[CHAIN_WORDS:]
    fractions = [isqrt(prime << 128) & LONG.mask for prime in chosen]
    shift = 32 if digest_bits == 256 else 0  # noqa: PLR2004
    return words.join([fraction >> shift & words.mask for fraction in fractions])


def g(words: Words, v: list[int], group: tuple[int, int, int, int], x: int, y: int) -> None:
    """Work on four words of the state; x and y are message words with constants added (2.1.2)."""
    a, b, c, d = group
    for added, first, second in ((x, 0, 1), (y, 2, 3)):
        v[a] = v[a] + v[b] + added & words.mask
        v[d] = words.rotate(v[d] ^ v[a], words.turns[first])
        v[c] = v[c] + v[d] & words.mask
        v[b] = words.rotate(v[b] ^ v[c], words.turns[second])


def compress(chain: bytes, block: bytes, count: int) -> bytes:
    """Return the next chaining value: the work of an engine on one block (section 2.1)."""
    words = SHORT if len(chain) == CHAIN_WORDS * SHORT.bits // 8 else LONG
    c = CONSTANTS[words.bits]
    h, m = words.split(chain), words.split(block)
    low, high = count & words.mask, count >> words.bits
    v = h + c[:4] + [low ^ c[4], low ^ c[5], high ^ c[6], high ^ c[7]]
    for index in range(words.rounds):
        sigma = SIGMA[index % len(SIGMA)]
        for i, group in enumerate(GROUPS):
            p, q = sigma[2 * i], sigma[2 * i + 1]
            g(words, v, group, m[p] ^ c[q], m[q] ^ c[p])
    return words.join([a ^ v[i] ^ v[i + CHAIN_WORDS] for i, a in enumerate(h)])


def output(digest_bits: int, chain: bytes) -> bytes:
    """Return the beginning of the last chaining value."""
    return chain[: digest_bits // 8]


def padded(digest_bits: int, message: bytes, bits: int) -> Iterator[tuple[bytes, int]]:
    """Yield the blocks of the first `bits` bits of `message`, padded (sections 2.1.3, 2.2.3).

    With each the bits of the message up to its end, 0 if it holds none: the counter t.
    """
    words = words_of(digest_bits)
    size = BLOCK_WORDS * words.bits // 8
    length_bytes = 2 * words.bits // 8
    text = bytearray(message[: -(-bits // 8)])
    if bits % 8:
        text[-1] &= 0xFF << (8 - bits % 8) & 0xFF
    blocks = -(-(bits + 2 + 8 * length_bytes) // (8 * size))
    text += bytes(blocks * size - len(text))
    text[bits // 8] |= 0x80 >> bits % 8
    text[-length_bytes - 1] |= digest_bits in (256, 512)
    text[-length_bytes:] = bits.to_bytes(length_bytes, "big")
    for start in range(0, len(text), size):
        count = min(bits, 8 * (start + size))
        yield bytes(text[start : start + size]), count if count > 8 * start else 0


def digest(digest_bits: int, message: bytes, *, bits: int | None = None) -> bytes:
    """Hash the first `bits` bits of `message` (all if None)."""
    chain = initial(digest_bits)
    for block, count in padded(digest_bits, message, 8 * len(message) if bits is None else bits):
        chain = compress(chain, block, count)
    return output(digest_bits, chain)


FAMILY = competitor(
    "blake",
    sys.modules[__name__],
    code=2,
    blocks=(512, 512, 1024, 1024),
    padding=lambda block: 2 + block // 8,
)
"""Its least padding: a 1 on either side, and the length."""
