"""The golden model: Keccak-f[1600] and the sponge, written to be read against FIPS 202.

Bits are counted as FIPS 202 counts them: bit 0 of a string is bit 0 (lowest) of its first byte.
Slow on purpose: nothing is unrolled, and the constants come from their definitions.
"""

from collections.abc import Iterator

from hashfabric.models.family import Family, Function

LANE_BITS = 64
ROUNDS = 24

State = list[int]
"""25 lanes; lane (x, y) is at 5*y + x, bit z of a lane has weight 2**z (section 3.1)."""

_LANE_MASK = (1 << LANE_BITS) - 1


def _rho_offsets() -> list[int]:
    """Return the amounts by which rho rotates the lanes (algorithm 2)."""
    offsets = [0] * 25
    x, y = 1, 0
    for t in range(24):
        offsets[5 * y + x] = (t + 1) * (t + 2) // 2 % LANE_BITS
        x, y = y, (2 * x + 3 * y) % 5
    return offsets


def _round_constants() -> list[int]:
    """Return iota's constant of each round (algorithms 5 and 6)."""
    bits = []
    register = 1
    for _ in range(7 * ROUNDS):
        bits.append(register & 1)
        register <<= 1
        if register & 0x100:
            register ^= 0x171  # x^8 + x^6 + x^5 + x^4 + 1
    return [
        sum(bits[j + 7 * round_index] << ((1 << j) - 1) for j in range(7))
        for round_index in range(ROUNDS)
    ]


RHO_OFFSETS = _rho_offsets()
ROUND_CONSTANTS = _round_constants()


def _rotate(lane: int, count: int) -> int:
    """Move bit z to z + count."""
    return (lane << count | lane >> (LANE_BITS - count)) & _LANE_MASK


def theta(a: State) -> State:
    """Add to each bit the parities of two columns (algorithm 1)."""
    c = [a[x] ^ a[5 + x] ^ a[10 + x] ^ a[15 + x] ^ a[20 + x] for x in range(5)]
    d = [c[(x - 1) % 5] ^ _rotate(c[(x + 1) % 5], 1) for x in range(5)]
    return [a[5 * y + x] ^ d[x] for y in range(5) for x in range(5)]


def rho(a: State) -> State:
    """Rotate each lane (algorithm 2)."""
    return [_rotate(lane, offset) for lane, offset in zip(a, RHO_OFFSETS, strict=True)]


def pi(a: State) -> State:
    """Move the lanes (algorithm 3)."""
    return [a[5 * x + (x + 3 * y) % 5] for y in range(5) for x in range(5)]


def chi(a: State) -> State:
    """Combine each bit with two others of its row (algorithm 4)."""
    return [
        a[5 * y + x] ^ (~a[5 * y + (x + 1) % 5] & a[5 * y + (x + 2) % 5])
        for y in range(5)
        for x in range(5)
    ]


def iota(a: State, round_index: int) -> State:
    """Add the round's constant to lane (0, 0) (algorithm 6)."""
    return [a[0] ^ ROUND_CONSTANTS[round_index], *a[1:]]


def keccak_f(state: State, rounds: int = ROUNDS) -> State:
    """Return Keccak-p[1600, rounds] of `state`: Keccak-f has all, others the last (3.3)."""
    for round_index in range(ROUNDS - rounds, ROUNDS):
        state = iota(chi(pi(rho(theta(state)))), round_index)
    return state


def absorb(state: State, block: int, rounds: int = ROUNDS) -> State:
    """Return the permutation of `state` with `block` added: the work of an engine on one block."""
    lanes = [block >> (LANE_BITS * i) & _LANE_MASK for i in range(25)]
    return keccak_f([a ^ b for a, b in zip(state, lanes, strict=True)], rounds)


def state_bytes(state: State) -> bytes:
    """Return the state as a string of 200 bytes."""
    return b"".join(lane.to_bytes(LANE_BITS // 8, "little") for lane in state)


def padded(function: Function, message: bytes, bits: int) -> list[int]:
    """Return the blocks of the first `bits` bits of `message`: suffix, then pad10*1 (section 5.1).

    Each block is a number of `rate_bits` bits, bit i of weight 2**i.
    """
    rate = function.rate_bits
    text = int.from_bytes(message, "little") & ((1 << bits) - 1)
    text |= (function.suffix | 1 << function.suffix_bits) << bits
    length = bits + function.suffix_bits + 2
    count = -(-length // rate)
    text |= 1 << (count * rate - 1)
    return [text >> (i * rate) & ((1 << rate) - 1) for i in range(count)]


def digest(
    function: Function, message: bytes, *, bits: int | None = None, output_bits: int | None = None
) -> bytes:
    """Hash the first `bits` bits of `message` (all if None) to `output_bits` (the default if None).

    Bits of the last byte above the output's end are zero.
    """
    wanted = function.digest_bits if output_bits is None else output_bits
    state = [0] * 25
    for block in padded(function, message, 8 * len(message) if bits is None else bits):
        state = absorb(state, block, function.rounds)
    output = state_bytes(state)[: function.rate_bits // 8]
    while 8 * len(output) < wanted:
        state = keccak_f(state, function.rounds)
        output += state_bytes(state)[: function.rate_bits // 8]
    cut = int.from_bytes(output, "little") & ((1 << wanted) - 1)
    return cut.to_bytes(-(-wanted // 8), "little")


def blocks(function: Function, message: bytes, bits: int) -> Iterator[tuple[bytes, int]]:
    """Yield the padded blocks as bytes; engines of a sponge ignore the counts, which are 0."""
    for block in padded(function, message, bits):
        yield block.to_bytes(function.rate_bits // 8, "little"), 0


_SHA3 = (0b10, 2)  # bits 0, 1
_SHAKE = (0b1111, 4)
_CSHAKE = (0b00, 2)
_NONE = (0, 0)


def _function(  # noqa: PLR0913, PLR0917 - a row of the table below
    name: str, code: int, rate: int, output: int, suffix: tuple[int, int], xof: bool
) -> Function:
    bits, count = suffix
    return Function(name, code, "keccak", rate, output, count + 2, bits, count, xof=xof)


FAMILY = Family(
    name="keccak",
    codes=(0, 1),
    low_bits_first=True,
    engine="permutation",
    design="keccak-iterative",
    functions=[
        _function("sha3-224", 0x00, 1152, 224, _SHA3, False),
        _function("sha3-256", 0x01, 1088, 256, _SHA3, False),
        _function("sha3-384", 0x02, 832, 384, _SHA3, False),
        _function("sha3-512", 0x03, 576, 512, _SHA3, False),
        _function("shake128", 0x04, 1344, 256, _SHAKE, True),
        _function("shake256", 0x05, 1088, 512, _SHAKE, True),
        _function("keccak-224", 0x06, 1152, 224, _NONE, False),
        _function("keccak-256", 0x07, 1088, 256, _NONE, False),
        _function("keccak-384", 0x08, 832, 384, _NONE, False),
        _function("keccak-512", 0x09, 576, 512, _NONE, False),
        _function("keccak-1024-576", 0x0A, 1024, 256, _NONE, True),
        # The caller puts the prefix of SP 800-185 in front of the message.
        _function("cshake128", 0x10, 1344, 256, _CSHAKE, True),
        _function("cshake256", 0x11, 1088, 512, _CSHAKE, True),
    ],
    digest=digest,
    padded=blocks,
)
"""FIPS 202 and Keccak (family code 0), SP 800-185 (1)."""
