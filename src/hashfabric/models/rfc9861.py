"""The golden model of RFC 9861: TurboSHAKE and KangarooTwelve (KT128, KT256), of whole bytes.

Written to be read against the RFC. TurboSHAKE is the sponge with the last 12 rounds of Keccak-f and
a domain byte; KangarooTwelve hashes a long message as a tree of two levels.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from hashfabric.models import keccak
from hashfabric.models.family import Family, Function

ROUNDS = 12
CHUNK_BYTES = 8192

LEAF, SINGLE_NODE, FINAL_NODE = 0x0B, 0x07, 0x06
"""Domain bytes of KangarooTwelve's nodes (section 3.2)."""

FIRST_END = b"\x03" + bytes(7)
"""What follows the first chunk in the final node of several."""

COUNT_END = b"\xff\xff"
"""What ends that node, after the number of the other chunks."""


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
        return turboshake(strength, text, count, SINGLE_NODE)
    chunks = [text[at : at + CHUNK_BYTES] for at in range(0, len(text), CHUNK_BYTES)]
    node = chunks[0] + FIRST_END
    for chunk in chunks[1:]:
        node += turboshake(strength, chunk, strength // 4, LEAF)
    node += length_encode(len(chunks) - 1) + COUNT_END
    return turboshake(strength, node, count, FINAL_NODE)


def _function(name: str, code: int, rate: int, output: int, *, domain: bool) -> Function:
    """Return a function of the port: with `domain`, the message's last bits are those of D."""
    bits, count = (0, 0) if domain else (0b1111, 4)
    return Function(
        *(name, code, "turboshake", rate, output, count + 2, bits, count), xof=True, rounds=ROUNDS
    )


FAMILY = Family(
    name="turboshake",
    codes=(6,),
    low_bits_first=True,
    engine="permutation",
    design="keccak-turbo",
    functions=[
        _function("turboshake128", 0x60, 1344, 256, domain=False),
        _function("turboshake256", 0x61, 1088, 512, domain=False),
        _function("turboshake128-domain", 0x62, 1344, 256, domain=True),
        _function("turboshake256-domain", 0x63, 1088, 512, domain=True),
    ],
    digest=keccak.digest,
    padded=keccak.blocks,
)
"""TurboSHAKE on a stream port: D = 1F, or D's bits below its highest one end the message."""


def domain_bits(domain: int) -> tuple[bytes, int]:
    """Return what a `-domain` function's message ends with for D: a byte or none, and its bits."""
    below = domain.bit_length() - 1
    return (bytes([domain ^ 1 << below]) if below else b""), below


@dataclass(frozen=True)
class Kangaroo:
    """KT128 or KT256 (section 3); `digest_bits` by default, `code` in `hf_keccak_tree_pkg`."""

    name: str
    strength: int
    code: int
    kind: ClassVar[Literal["kangarootwelve"]] = "kangarootwelve"

    @property
    def digest_bits(self) -> int:
        """Twice the strength; the bits of a chunk's chaining value too."""
        return 2 * self.strength


KANGAROOS = {
    name: Kangaroo(name, int(name[2:]), code) for name, code in (("kt128", 0x64), ("kt256", 0x65))
}
"""The functions, by name."""


@dataclass(frozen=True)
class KangarooTree:
    """What one message of `function` is hashed with."""

    function: Kangaroo
    custom: bytes = b""

    @property
    def sponge(self) -> Function:
        """What hashes its nodes."""
        name = f"turboshake{self.function.strength}-domain"
        return next(one for one in FAMILY.functions if one.name == name)
