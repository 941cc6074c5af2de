"""The golden model of Skein-512 (version 1.3), written to be read against its specification.

Digests of 224 to 512 bits, all with the state of 512 bits. Words are little-endian, and bits of a
partial byte are counted from its highest. Slow on purpose: nothing is unrolled, and the initial
values come from their definition.
"""

import sys
from collections.abc import Iterator

from hashfabric.models.family import competitor

WORDS = 8
BLOCK_BYTES = 64
ROUNDS = 72

ROTATIONS = (
    (46, 36, 19, 37),
    (33, 27, 14, 42),
    (17, 49, 36, 39),
    (44, 9, 54, 56),
    (39, 30, 34, 24),
    (13, 50, 10, 17),
    (25, 29, 39, 43),
    (8, 35, 56, 22),
)
"""Rotation amounts of MIX, by round modulo 8 and pair of words (table 4)."""

PERMUTATION = (2, 1, 4, 7, 6, 5, 0, 3)
"""The source of each word after a round's MIX (table 3)."""

C240 = 0x1BD11BDAA9FC1A22
"""Makes the key schedule's parity word never all zero: AES-256 of 240 under the key 0 (3.3.2)."""

TYPE_CONFIG, TYPE_MESSAGE, TYPE_OUTPUT = 4, 48, 63
"""Purposes of a call of UBI (section 3.5.1, table 6)."""

_MASK = (1 << 64) - 1
_SCHEMA, _VERSION = b"SHA3", 1


def _split(text: bytes) -> list[int]:
    return [int.from_bytes(text[i : i + 8], "little") for i in range(0, len(text), 8)]


def _join(words: list[int]) -> bytes:
    return b"".join(word.to_bytes(8, "little") for word in words)


def tweak(kind: int, position: int, *, first: bool, last: bool, bit_pad: bool = False) -> int:
    """Return the 128 bits of a block's tweak (section 3.4, table 5)."""
    return position | bit_pad << 119 | kind << 120 | first << 126 | last << 127


def subkeys(key: bytes, tweak_value: int) -> list[list[int]]:
    """Return the key schedule: the words added before every fourth round, and last (3.3.2)."""
    k = _split(key)
    parity = C240
    for word in k:
        parity ^= word
    k.append(parity)
    t = [tweak_value & _MASK, tweak_value >> 64]
    t.append(t[0] ^ t[1])
    schedule = []
    for s in range(ROUNDS // 4 + 1):
        added = [0] * (WORDS - 3) + [t[s % 3], t[(s + 1) % 3], s]
        words = [k[(s + i) % (WORDS + 1)] + extra & _MASK for i, extra in enumerate(added)]
        schedule.append(words)
    return schedule


def mix(x: int, y: int, turn: int) -> tuple[int, int]:
    """Return MIX of two words (section 3.3.1)."""
    total = x + y & _MASK
    return total, (y << turn | y >> (64 - turn)) & _MASK ^ total


def threefish(key: bytes, tweak_value: int, block: bytes) -> bytes:
    """Encrypt a block with Threefish-512 (section 3.3)."""
    schedule = subkeys(key, tweak_value)
    v = _split(block)
    for index in range(ROUNDS):
        if index % 4 == 0:
            v = [a + b & _MASK for a, b in zip(v, schedule[index // 4], strict=True)]
        mixed: list[int] = []
        for j, turn in enumerate(ROTATIONS[index % len(ROTATIONS)]):
            mixed += mix(v[2 * j], v[2 * j + 1], turn)
        v = [mixed[i] for i in PERMUTATION]
    return _join([a + b & _MASK for a, b in zip(v, schedule[-1], strict=True)])


def ubi(chain: bytes, block: bytes, tweak_value: int) -> bytes:
    """Return the next chaining value of one block (section 3.4)."""
    encrypted = threefish(chain, tweak_value, block)
    return bytes(a ^ b for a, b in zip(encrypted, block, strict=True))


def initial(digest_bits: int) -> bytes:
    """Return the initial chaining value: UBI of the configuration (sections 3.5.2 and 3.5.4)."""
    if digest_bits not in (224, 256, 384, 512):
        raise ValueError(f"no digest of {digest_bits} bits")
    version = _VERSION.to_bytes(2, "little") + bytes(2)
    config = (_SCHEMA + version + digest_bits.to_bytes(8, "little")).ljust(32, b"\0")
    value = tweak(TYPE_CONFIG, len(config), first=True, last=True)
    return ubi(bytes(BLOCK_BYTES), config.ljust(BLOCK_BYTES, b"\0"), value)


def compress(chain: bytes, block: bytes, count: int, *, first: bool, last: bool) -> bytes:
    """Return UBI of a message's block: the work of an engine on one block."""
    pad = last and count % 8 != 0
    value = tweak(TYPE_MESSAGE, -(-count // 8), first=first, last=last, bit_pad=pad)
    return ubi(chain, block, value)


def output(digest_bits: int, chain: bytes) -> bytes:
    """Return the beginning of the output step: UBI of the number 0 (section 3.5.3)."""
    number = bytes(8)
    value = tweak(TYPE_OUTPUT, len(number), first=True, last=True)
    return ubi(chain, number.ljust(BLOCK_BYTES, b"\0"), value)[: digest_bits // 8]


def padded(digest_bits: int, message: bytes, bits: int) -> Iterator[tuple[bytes, int]]:
    """Yield the blocks of the first `bits` bits of `message`, padded (section 3.4).

    The same for every `digest_bits`. With each the bits of the message up to its end, 0 if it holds
    none.
    """
    del digest_bits
    text = bytearray(message[: -(-bits // 8)])
    if bits % 8:
        text[-1] = text[-1] & 0xFF << (8 - bits % 8) & 0xFF | 0x80 >> bits % 8
    size = max(BLOCK_BYTES, -(-len(text) // BLOCK_BYTES) * BLOCK_BYTES)
    text += bytes(size - len(text))
    for start in range(0, size, BLOCK_BYTES):
        yield bytes(text[start : start + BLOCK_BYTES]), min(bits, 8 * (start + BLOCK_BYTES))


def digest(digest_bits: int, message: bytes, *, bits: int | None = None) -> bytes:
    """Hash the first `bits` bits of `message` (all if None)."""
    chain = initial(digest_bits)
    blocks = list(padded(digest_bits, message, 8 * len(message) if bits is None else bits))
    for index, (block, count) in enumerate(blocks):
        first, last = index == 0, index == len(blocks) - 1
        chain = compress(chain, block, count, first=first, last=last)
    return output(digest_bits, chain)


FAMILY = competitor(
    "skein",
    sys.modules[__name__],
    code=5,
    blocks=(512, 512, 512, 512),
    padding=lambda block: 0,
    stem="skein-512",
)
"""Its least padding: none; the state is in the name, as there are Skein-256 and -1024 too."""
