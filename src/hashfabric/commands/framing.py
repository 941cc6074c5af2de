"""SP 800-185 and KangarooTwelve for the commands: options and text framed as it comes.

Hardware hashes what is framed here (`models.sp800_185`, `models.rfc9861`); memory does not grow
with a message.
"""

from collections.abc import Iterable, Iterator

from hashfabric.base.errors import LabError
from hashfabric.models import functions
from hashfabric.models.rfc9861 import Kangaroo, KangarooTree
from hashfabric.models.sp800_185 import Framing, bit_string

Text = Iterable[tuple[bytes, int]]
"""A string of bits in parts: bytes, and how many of their bits count."""


def framing_of(
    function: str,
    *,
    key: bytes | None = None,
    name: bytes | None = None,
    custom: bytes | None = None,
    block_bytes: int | None = None,
) -> Framing | KangarooTree | None:
    """Return the framing that these options describe, None of a function without one.

    cSHAKE has one if N or S is given, else it is only the sponge. `LabError` on an option that the
    function does not have, or lacks.
    """
    found = functions.find_framed(function) or functions.find_kangaroo(function)
    kind = None if found is None else found.kind
    if kind == "cshake" and name is None and custom is None:
        found = kind = None
    given = {
        "--key": (key, ("kmac",)),
        "--name": (name, ("cshake",)),
        "--custom": (custom, ("cshake", "kmac", "tuplehash", "parallelhash", "kangarootwelve")),
        "--block-bytes": (block_bytes, ("parallelhash",)),
    }
    for option, (value, kinds) in given.items():
        if value is not None and kind not in kinds:
            raise LabError(f"{option}: {function} has none")
    if found is None:
        return None
    if isinstance(found, Kangaroo):
        return KangarooTree(found, custom or b"")
    if kind == "kmac" and key is None:
        raise LabError(f"{function}: --key is missing")
    if kind == "parallelhash" and block_bytes is None:
        raise LabError(f"{function}: --block-bytes is missing")
    return Framing(
        found,
        key=bit_string(key or b""),
        name=name or b"",
        custom=custom or b"",
        block_bytes=block_bytes or 0,
    )


def joined(text: Text) -> Iterator[bytes]:
    """Yield the bytes of a string of bits; unused bits of the last one are 0."""
    rest = count = 0  # bits that fill no byte yet
    for part, bits in text:
        if not count and bits == 8 * len(part):
            yield part
            continue
        rest |= (int.from_bytes(part, "little") & ((1 << bits) - 1)) << count
        count += bits
        size = count // 8
        yield (rest & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        rest >>= 8 * size
        count -= 8 * size
    if count:
        yield bytes([rest])


def whole(data: bytes) -> tuple[bytes, int]:
    """Return all bits of bytes, as a part of a text."""
    return data, 8 * len(data)


def counted(chunks: Iterable[bytes], bits: int | None) -> Text:
    """Yield the parts of a message in chunks: its first `bits` bits, all if None."""
    for chunk in chunks:
        count = 8 * len(chunk) if bits is None else min(8 * len(chunk), bits)
        yield chunk, count
        bits = None if bits is None else bits - count


def blocks(chunks: Iterable[bytes], bits: int | None, size: int) -> Iterator[tuple[bytes, int]]:
    """Yield the message in blocks of `size` bytes with their bits; the last one may be shorter."""
    kept, count = bytearray(), 0
    for chunk, chunk_bits in counted(chunks, bits):
        kept += chunk
        count += chunk_bits
        at = 0
        while count - 8 * at >= 8 * size:
            yield bytes(kept[at : at + size]), 8 * size
            at += size
        del kept[:at]
        count -= 8 * at
    if count:
        yield bytes(kept), count
