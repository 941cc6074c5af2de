"""The golden model of RFC 9861: TurboSHAKE and KangarooTwelve (KT128, KT256), of whole bytes.

Written to be read against the RFC. TurboSHAKE is the sponge with the last 12 rounds of Keccak-f and
a domain byte; KangarooTwelve hashes a long message as a tree of two levels.
"""

from hashfabric.models import keccak

ROUNDS = 12
CHUNK_BYTES = 8192

_LEAF = 0x0B  # domain bytes (section 3.2)
_SINGLE_NODE = 0x07
_FINAL_NODE = 0x06


def rate_bytes(strength: int) -> int:
    """Return the bytes of a block: the state without twice the strength."""
    return (1600 - 2 * strength) // 8


def turboshake(strength: int, message: bytes, count: int, domain: int = 0x1F) -> bytes:
    """Return `count` bytes of TurboSHAKE128 or TurboSHAKE256 (section 2.2)."""
    if not 1 <= domain <= 0x7F:  # noqa: PLR2004 - section 2.2
        raise ValueError(f"the domain byte is 01 to 7F, not {domain:02X}")
    rate = rate_bytes(strength)
    padded = bytearray(message) + bytes([domain])
    padded += bytes(-len(padded) % rate)
    padded[-1] ^= 0x80
    state = [0] * 25
    for at in range(0, len(padded), rate):
        block = int.from_bytes(padded[at : at + rate], "little")
        lanes = [block >> 64 * i & ((1 << 64) - 1) for i in range(25)]
        added = [a ^ b for a, b in zip(state, lanes, strict=True)]
        state = keccak.keccak_f(added, ROUNDS)
    output = keccak.state_bytes(state)[:rate]
    while len(output) < count:
        state = keccak.keccak_f(state, ROUNDS)
        output += keccak.state_bytes(state)[:rate]
    return output[:count]


def length_encode(value: int) -> bytes:
    """Return the number, the highest byte first and none for 0, and its count of bytes (3.3)."""
    digits = value.to_bytes(-(-value.bit_length() // 8), "big")
    return digits + bytes([len(digits)])


def kangarootwelve(strength: int, message: bytes, custom: bytes, count: int) -> bytes:
    """Return `count` bytes of KT128 or KT256 (section 3.2)."""
    text = message + custom + length_encode(len(custom))
    if len(text) <= CHUNK_BYTES:
        return turboshake(strength, text, count, _SINGLE_NODE)
    chunks = [text[at : at + CHUNK_BYTES] for at in range(0, len(text), CHUNK_BYTES)]
    node = chunks[0] + b"\x03" + bytes(7)
    for chunk in chunks[1:]:
        node += turboshake(strength, chunk, strength // 4, _LEAF)
    node += length_encode(len(chunks) - 1) + b"\xff\xff"
    return turboshake(strength, node, count, _FINAL_NODE)
