"""The golden model of Grøstl (final round), written to be read against its specification.

Digests of 224 and 256 bits come from 8 x 8 bytes in 10 rounds, of 384 and 512 from 8 x 16 in 14
(section 3). Bits are counted from the highest of a byte. Slow on purpose: nothing is unrolled, and
the constants come from their definitions.
"""

import sys
from collections.abc import Iterator

from hashfabric.models.family import competitor

ROWS = 8

State = list[list[int]]
"""8 rows of bytes; byte i of a string is in row i % 8, column i // 8 (section 3.4.1)."""

SHIFTS = {
    ("P", 8): (0, 1, 2, 3, 4, 5, 6, 7),
    ("Q", 8): (1, 3, 5, 7, 0, 2, 4, 6),
    ("P", 16): (0, 1, 2, 3, 4, 5, 6, 11),
    ("Q", 16): (1, 3, 5, 11, 0, 2, 4, 6),
}
"""Amounts by which ShiftBytes rotates each row, by permutation and columns (section 3.4.4)."""

MIX = (2, 2, 3, 4, 5, 3, 5, 7)
"""First row of MixBytes' circulant matrix (section 3.4.5)."""

_LENGTH_BYTES = 8


def multiply(a: int, b: int) -> int:
    """Multiply in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a = a << 1 ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def _s_box() -> bytes:
    """Return the S-box of AES: the inverse in the field (0 for 0), then the affine map."""
    table = []
    for x in range(256):
        inverse = next((y for y in range(256) if multiply(x, y) == 1), 0)
        turned = inverse | inverse << 8
        value = 0x63
        for count in (8, 7, 6, 5, 4):  # rotated left by 0 to 4
            value ^= turned >> count & 0xFF
        table.append(value)
    return bytes(table)


S_BOX = _s_box()


def columns(digest_bits: int) -> int:
    """Return the number of columns of the state for this digest size."""
    if digest_bits not in (224, 256, 384, 512):
        raise ValueError(f"no digest of {digest_bits} bits")
    return 8 if digest_bits <= 256 else 16  # noqa: PLR2004


def rounds(width: int) -> int:
    """Return the number of rounds of a state of `width` columns (table 1)."""
    return 10 if width == 8 else 14  # noqa: PLR2004


def to_state(text: bytes) -> State:
    """Return the matrix of a chaining value or block."""
    return [list(text[row::ROWS]) for row in range(ROWS)]


def to_bytes(state: State) -> bytes:
    """Return the string of a matrix."""
    return bytes(byte for column in zip(*state, strict=True) for byte in column)


def add_round_constant(which: str, state: State, index: int) -> State:
    """Add round `index`'s constant: it is in row 0 of P, and in row 7 of Q, else ones (3.4.2)."""
    special, rest = (0, 0x00) if which == "P" else (ROWS - 1, 0xFF)
    return [
        [byte ^ rest ^ (j << 4 ^ index if i == special else 0) for j, byte in enumerate(row)]
        for i, row in enumerate(state)
    ]


def sub_bytes(state: State) -> State:
    """Put every byte through the S-box (section 3.4.3)."""
    return [[S_BOX[byte] for byte in row] for row in state]


def shift_bytes(which: str, state: State) -> State:
    """Rotate each row to the left (section 3.4.4)."""
    shifts = SHIFTS[which, len(state[0])]
    return [row[shift:] + row[:shift] for row, shift in zip(state, shifts, strict=True)]


def mix_bytes(state: State) -> State:
    """Multiply each column by the matrix (section 3.4.5)."""
    mixed = [[0] * len(state[0]) for _ in range(ROWS)]
    for j in range(len(state[0])):
        for i in range(ROWS):
            for k in range(ROWS):
                mixed[i][j] ^= multiply(MIX[(k - i) % ROWS], state[k][j])
    return mixed


def permute(which: str, text: bytes) -> bytes:
    """Return P or Q of `text` (section 3.4)."""
    state = to_state(text)
    for index in range(rounds(len(state[0]))):
        state = add_round_constant(which, state, index)
        state = mix_bytes(shift_bytes(which, sub_bytes(state)))
    return to_bytes(state)


def _xor(*texts: bytes) -> bytes:
    sums = []
    for column in zip(*texts, strict=True):
        value = 0
        for byte in column:
            value ^= byte
        sums.append(value)
    return bytes(sums)


def initial(digest_bits: int) -> bytes:
    """Return the initial chaining value: the digest size, as a number (section 3.5)."""
    return digest_bits.to_bytes(ROWS * columns(digest_bits), "big")


def compress(chain: bytes, block: bytes) -> bytes:
    """Return P(chain + block) + Q(block) + chain: the work of an engine on one block (3.2)."""
    return _xor(permute("P", _xor(chain, block)), permute("Q", block), chain)


def output(digest_bits: int, chain: bytes) -> bytes:
    """Return the end of P(chain) + chain: the output step (section 3.3)."""
    return _xor(permute("P", chain), chain)[-(digest_bits // 8) :]


def padded(digest_bits: int, message: bytes, bits: int) -> Iterator[tuple[bytes, int]]:
    """Yield the blocks of the first `bits` bits of `message`, padded (section 3.6).

    With each the bits of the message up to its end, 0 if it holds none.
    """
    size = ROWS * columns(digest_bits)
    text = bytearray(message[: -(-bits // 8)])
    if bits % 8:
        text[-1] = text[-1] & 0xFF << (8 - bits % 8) & 0xFF | 0x80 >> bits % 8
    else:
        text.append(0x80)
    text += bytes((-len(text) - _LENGTH_BYTES) % size)
    text += ((len(text) + _LENGTH_BYTES) // size).to_bytes(_LENGTH_BYTES, "big")
    for start in range(0, len(text), size):
        count = min(bits, 8 * (start + size))
        yield bytes(text[start : start + size]), count if count > 8 * start else 0


def digest(digest_bits: int, message: bytes, *, bits: int | None = None) -> bytes:
    """Hash the first `bits` bits of `message` (all if None)."""
    chain = initial(digest_bits)
    for block, _ in padded(digest_bits, message, 8 * len(message) if bits is None else bits):
        chain = compress(chain, block)
    return output(digest_bits, chain)


FAMILY = competitor(
    "groestl",
    sys.modules[__name__],
    code=3,
    blocks=(512, 512, 1024, 1024),
    padding=lambda block: 1 + 64,
)
"""Its least padding: a 1, and the number of blocks."""
