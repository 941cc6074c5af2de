"""The golden model of SP 800-185: cSHAKE with N and S, KMAC, TupleHash, ParallelHash, their XOFs.

Written to be read against the standard. Each of them is a framing of one message of a cSHAKE sponge
(`models.keccak`), so software can frame what hardware hashes: `Framing` has the bytes before and
after. Strings may have any number of bits, counted as in FIPS 202 (the lowest of a byte first); N
and S are whole bytes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from hashfabric.models import keccak
from hashfabric.models.family import Function

Kind = Literal["cshake", "kmac", "tuplehash", "parallelhash"]

_SPONGES = {function.name: function for function in keccak.FAMILY.functions}
_NAMES: dict[Kind, bytes] = {
    "kmac": b"KMAC",
    "tuplehash": b"TupleHash",
    "parallelhash": b"ParallelHash",
}

####################
# Encodings        #
####################


@dataclass(frozen=True)
class BitString:
    """A string of bits: bit i has weight 2**i."""

    value: int = 0
    bits: int = 0

    def __add__(self, other: "BitString") -> "BitString":
        """Concatenate."""
        return BitString(self.value | other.value << self.bits, self.bits + other.bits)

    def to_bytes(self) -> bytes:
        """Return the bytes; unused bits of the last one are 0."""
        return self.value.to_bytes(-(-self.bits // 8), "little")


def bit_string(data: bytes, bits: int | None = None) -> BitString:
    """Return the first `bits` bits of `data`, all if None."""
    count = 8 * len(data) if bits is None else bits
    return BitString(int.from_bytes(data, "little") & ((1 << count) - 1), count)


def _shortest(value: int) -> bytes:
    """Return base-256 digits, the highest first: at least one, and no zero in front of others."""
    return value.to_bytes(max(1, -(-value.bit_length() // 8)), "big")


def left_encode(value: int) -> bytes:
    """Return the number after the count of its bytes (section 2.3.1)."""
    digits = _shortest(value)
    return bytes([len(digits)]) + digits


def right_encode(value: int) -> bytes:
    """Return the number before the count of its bytes (section 2.3.1)."""
    digits = _shortest(value)
    return digits + bytes([len(digits)])


def encode_string(text: BitString) -> BitString:
    """Return the string after its length in bits (section 2.3.2)."""
    return bit_string(left_encode(text.bits)) + text


def bytepad(text: BitString, width: int) -> bytes:
    """Return the width and the string, with zeros up to a multiple of the width (2.3.3)."""
    padded = (bit_string(left_encode(width)) + text).to_bytes()
    return padded + bytes(-len(padded) % width)


####################
# Functions        #
####################


@dataclass(frozen=True)
class Framed:
    """A function of SP 800-185, made of the cSHAKE of its strength; `digest_bits` by default.

    With `xof` the output has any length and the message does not depend on it (4.3.1, 5.3.1,
    6.3.1).
    """

    name: str
    kind: Kind
    strength: int
    xof: bool

    @property
    def digest_bits(self) -> int:
        """Twice the strength."""
        return 2 * self.strength

    @property
    def shake(self) -> Function:
        """What hashes ParallelHash's blocks, and cSHAKE without N and S."""
        return _SPONGES[f"shake{self.strength}"]

    @property
    def cshake(self) -> Function:
        """The sponge."""
        return _SPONGES[f"cshake{self.strength}"]

    @property
    def rate_bytes(self) -> int:
        """Bytes of a block."""
        return self.cshake.rate_bits // 8


def _framed(kind: Kind) -> list[Framed]:
    if kind == "cshake":
        return [Framed(f"cshake{strength}", kind, strength, True) for strength in (128, 256)]
    return [
        Framed(f"{kind}{'xof' if xof else ''}{strength}", kind, strength, xof)
        for xof in (False, True)
        for strength in (128, 256)
    ]


FRAMED = {
    function.name: function
    for kind in ("cshake", "kmac", "tuplehash", "parallelhash")
    for function in _framed(kind)
}
"""The functions, by name."""


@dataclass(frozen=True)
class ParallelHash:
    """ParallelHash of hardware that hashes its blocks in several slots.

    `code` is in `hf_keccak_parallel_pkg`.
    """

    framed: Framed
    code: int

    @property
    def name(self) -> str:
        """The function's name."""
        return self.framed.name

    @property
    def digest_bits(self) -> int:
        """The output's length by default."""
        return self.framed.digest_bits


PARALLEL_HASHES = {
    name: ParallelHash(FRAMED[name], code)
    for code, name in enumerate(
        ("parallelhash128", "parallelhash256", "parallelhashxof128", "parallelhashxof256"), 0x68
    )
}
"""The functions of such hardware, by name."""

PARALLEL_BLOCK_BYTES = 8192
"""B there, until another is loaded."""


@dataclass(frozen=True)
class Framing:
    """What one message of `function` is framed with; each function has some of these.

    `custom` is S, `name` N of cSHAKE (the others have their own), `block_bytes` ParallelHash's B.
    """

    function: Framed
    key: BitString = BitString()
    name: bytes = b""
    custom: bytes = b""
    block_bytes: int = 0

    @property
    def sponge(self) -> Function:
        """The function that hashes the framed message: SHAKE if N and S are empty (3.3)."""
        plain = self.function.kind == "cshake" and not self.name and not self.custom
        return self.function.shake if plain else self.function.cshake

    def before(self) -> bytes:
        """Return what is in front of the message, of the encoded tuple or of the inner digests."""
        function = self.function
        if self.sponge == function.shake:
            return b""
        name = _NAMES.get(function.kind, self.name)
        strings = encode_string(bit_string(name)) + encode_string(bit_string(self.custom))
        text = bytepad(strings, function.rate_bytes)
        if function.kind == "kmac":
            text += bytepad(encode_string(self.key), function.rate_bytes)
        if function.kind == "parallelhash":
            text += left_encode(self.block_bytes)
        return text

    def after(self, output_bits: int, blocks: int = 0) -> bytes:
        """Return what follows them; `blocks` are ParallelHash's."""
        function = self.function
        if function.kind == "cshake":
            return b""
        count = right_encode(blocks) if function.kind == "parallelhash" else b""
        return count + right_encode(0 if function.xof else output_bits)


def _sponge(framing: Framing, body: BitString, output_bits: int, blocks: int = 0) -> bytes:
    text = bit_string(framing.before()) + body
    text += bit_string(framing.after(output_bits, blocks))
    return keccak.digest(framing.sponge, text.to_bytes(), bits=text.bits, output_bits=output_bits)


def cshake(
    strength: int, text: BitString, output_bits: int, name: bytes = b"", custom: bytes = b""
) -> bytes:
    """Return cSHAKE (section 3.3); bits above the output's end are 0."""
    function = FRAMED[f"cshake{strength}"]
    return _sponge(Framing(function, name=name, custom=custom), text, output_bits)


def kmac(
    function: Framed, key: BitString, text: BitString, output_bits: int, custom: bytes = b""
) -> bytes:
    """Return KMAC or KMACXOF (section 4.3)."""
    return _sponge(Framing(function, key=key, custom=custom), text, output_bits)


def tuplehash(
    function: Framed, texts: Iterable[BitString], output_bits: int, custom: bytes = b""
) -> bytes:
    """Return TupleHash or TupleHashXOF (section 5.3)."""
    body = sum((encode_string(text) for text in texts), BitString())
    return _sponge(Framing(function, custom=custom), body, output_bits)


def blocks_of(text: BitString, block_bytes: int) -> Sequence[BitString]:
    """Return ParallelHash's blocks; the last may be short (section 6.3)."""
    size = 8 * block_bytes
    return [
        BitString(text.value >> at & ((1 << size) - 1), min(size, text.bits - at))
        for at in range(0, text.bits, size)
    ]


def parallelhash(
    function: Framed, text: BitString, block_bytes: int, output_bits: int, custom: bytes = b""
) -> bytes:
    """Return ParallelHash or ParallelHashXOF (section 6.3)."""
    blocks = blocks_of(text, block_bytes)
    inner = b"".join(
        keccak.digest(
            function.shake,
            block.to_bytes(),
            bits=block.bits,
            output_bits=function.digest_bits,
        )
        for block in blocks
    )
    framing = Framing(function, custom=custom, block_bytes=block_bytes)
    return _sponge(framing, bit_string(inner), output_bits, len(blocks))
