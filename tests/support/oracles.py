"""Independent libraries of the hash functions, with which the tests compare."""

import ctypes
import hashlib
from collections.abc import Sequence
from functools import cache

import dash_hash  # type: ignore[import-not-found]
import groestlcoin_hash2  # type: ignore[import-untyped]
import sha3bit  # type: ignore[import-untyped]
import skein  # type: ignore[import-untyped]
from Crypto.Hash import (
    KMAC128,
    KMAC256,
    KangarooTwelve,
    TupleHash128,
    TupleHash256,
    TurboSHAKE128,
    TurboSHAKE256,
    cSHAKE128,
    cSHAKE256,
    keccak,
)

from hashfabric.models.family import Function

BY_BIT = {
    "sha3-224": sha3bit.sha3_224,
    "sha3-256": sha3bit.sha3_256,
    "sha3-384": sha3bit.sha3_384,
    "sha3-512": sha3bit.sha3_512,
    "shake128": sha3bit.shake_128,
    "shake256": sha3bit.shake_256,
}
"""Those that take a message of any number of bits; the bits above its end do not count."""


def library_digest(
    function: Function, data: bytes, *, bits: int | None = None, output_bits: int | None = None
) -> bytes | None:
    """Return the digest of the first `bits` bits of `data`; None where no library has the function.

    Whole bytes are hashlib's, or pycryptodome's with the competition's padding; else `sha3bit`'s.
    """
    wanted = function.digest_bits if output_bits is None or not function.xof else output_bits
    count = -(-wanted // 8)
    whole = bits is None or bits % 8 == 0
    name = function.name.replace("-", "_")
    if function.name in BY_BIT:
        if not whole:
            size = (count,) if function.xof else ()
            digest: bytes = BY_BIT[function.name](data, bitlen=bits).digest(*size)
        elif function.xof:
            algorithm = hashlib.shake_128 if name == "shake128" else hashlib.shake_256
            digest = algorithm(data).digest(count)
        else:
            digest = hashlib.new(name, data).digest()
    elif whole and function.name.startswith("keccak") and not function.xof:
        digest = keccak.new(digest_bits=function.digest_bits, data=data).digest()
    else:
        return None
    return digest[:-1] + bytes([digest[-1] & 0xFF >> -wanted % 8]) if wanted % 8 else digest


####################
# SP 800-185       #
####################

_CSHAKE = {"cshake128": cSHAKE128, "cshake256": cSHAKE256}


def _encoded(value: int) -> bytes:
    return value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big")


def left_encode(value: int) -> bytes:
    """Return the number with its count of bytes in front (section 2.3.1)."""
    return bytes([len(_encoded(value))]) + _encoded(value)


def right_encode(value: int) -> bytes:
    """Return the number followed by its count of bytes (section 2.3.1)."""
    return _encoded(value) + bytes([len(_encoded(value))])


def encode_string(text: bytes) -> bytes:
    """Return the string with its number of bits in front (section 2.3.2)."""
    return left_encode(8 * len(text)) + text


def bytepad(text: bytes, width: int) -> bytes:
    """Return the string with the width in front, and zeros up to a multiple of it (2.3.3)."""
    padded = left_encode(width) + text
    return padded + bytes(-len(padded) % width)


def cshake_message(function: Function, name: bytes, custom: bytes, data: bytes) -> bytes:
    """Return what a cSHAKE function's sponge takes (section 3.3): `name` is N, `custom` S."""
    rate = function.rate_bits // 8
    return bytepad(encode_string(name) + encode_string(custom), rate) + data


def kmac_message(function: Function, key: bytes, custom: bytes, data: bytes, bits: int) -> bytes:
    """Return what cSHAKE's sponge takes for KMAC with an output of `bits` bits (section 4.3)."""
    framed = bytepad(encode_string(key), function.rate_bits // 8) + data + right_encode(bits)
    return cshake_message(function, b"KMAC", custom, framed)


def cshake_digest(function: Function, custom: bytes, data: bytes, count: int) -> bytes:
    """Return `count` bytes of cSHAKE with an empty N, from pycryptodome."""
    digest: bytes = _CSHAKE[function.name].new(data=data, custom=custom).read(count)
    return digest


def named_cshake_digest(
    strength: int, name: bytes, custom: bytes, data: bytes, count: int
) -> bytes:
    """Return `count` bytes of cSHAKE with N and S, from pycryptodome."""
    # Its KMAC and TupleHash are made of this; its public function has no N.
    new = (cSHAKE128 if strength == 128 else cSHAKE256)._new
    digest: bytes = new(data, custom, name).read(count)
    return digest


def framed_digest(  # noqa: PLR0913 - one parameter an input
    name: str,
    count: int,
    *,
    data: bytes = b"",
    texts: Sequence[bytes] = (),
    key: bytes = b"",
    custom: bytes = b"",
    function_name: bytes = b"",
    block_bytes: int = 0,
) -> bytes:
    """Return `count` bytes of a function of SP 800-185, called as in `models.sp800_185.FRAMED`.

    KMAC and TupleHash are pycryptodome's where it has them (no XOF, and no short key or output);
    the others are its cSHAKE with the framing of this module, the blocks of ParallelHash hashlib's.
    """
    strength = int(name[-3:])
    kind, xof = name[:-3].removesuffix("xof"), "xof" in name
    length = right_encode(0 if xof else 8 * count)
    if kind == "cshake":
        return named_cshake_digest(strength, function_name, custom, data, count)
    if kind == "kmac":
        if not xof and len(key) >= strength // 8 and count >= 8:
            mac = KMAC128 if strength == 128 else KMAC256
            digest: bytes = mac.new(key=key, mac_len=count, custom=custom, data=data).digest()
            return digest
        front = bytepad(encode_string(key), 200 - strength // 4)
        return named_cshake_digest(strength, b"KMAC", custom, front + data + length, count)
    if kind == "tuplehash":
        if not xof and count >= 8:
            library = TupleHash128 if strength == 128 else TupleHash256
            hasher = library.new(digest_bytes=count, custom=custom)
            for text in texts:
                hasher.update(text)
            digest = hasher.digest()
            return digest
        body = b"".join(encode_string(text) for text in texts)
        return named_cshake_digest(strength, b"TupleHash", custom, body + length, count)
    shake = hashlib.shake_128 if strength == 128 else hashlib.shake_256
    blocks = [data[at : at + block_bytes] for at in range(0, len(data), block_bytes)]
    inner = b"".join(shake(block).digest(strength // 4) for block in blocks)
    body = left_encode(block_bytes) + inner + right_encode(len(blocks))
    return named_cshake_digest(strength, b"ParallelHash", custom, body + length, count)


def turboshake_digest(strength: int, data: bytes, count: int, domain: int) -> bytes:
    """Return `count` bytes of TurboSHAKE, from pycryptodome."""
    library = TurboSHAKE128 if strength == 128 else TurboSHAKE256
    digest: bytes = library.new(domain=domain, data=data).read(count)
    return digest


def kt128_digest(data: bytes, custom: bytes, count: int) -> bytes:
    """Return `count` bytes of KT128, from pycryptodome (it has no KT256)."""
    digest: bytes = KangarooTwelve.new(data=data, custom=custom).read(count)
    return digest


def kangaroo_digest(name: str, data: bytes, custom: bytes, count: int) -> bytes:
    """Return `count` bytes of KT128 or KT256; KT256's tree is made of pycryptodome's TurboSHAKE."""
    if name == "kt128":
        return kt128_digest(data, custom, count)
    text = data + custom + _length_encode(len(custom))
    first, *others = [text[at : at + 8192] for at in range(0, len(text), 8192)]
    if not others:
        return turboshake_digest(256, text, count, 0x07)
    values = [turboshake_digest(256, chunk, 64, 0x0B) for chunk in others]
    node = first + b"\x03" + bytes(7) + b"".join(values) + _length_encode(len(values))
    return turboshake_digest(256, node + b"\xff\xff", count, 0x06)


def _length_encode(value: int) -> bytes:
    digits = b"" if value == 0 else _encoded(value)
    return digits + bytes([len(digits)])


def kmac128(key: bytes, custom: bytes, data: bytes, count: int) -> bytes:
    """Return KMAC128 of `count` bytes, from pycryptodome."""
    digest: bytes = KMAC128.new(key=key, mac_len=count, custom=custom, data=data).digest()
    return digest


####################
# Finalists        #
####################

# dash-hash is a binding for one hash of many; its extension holds sphlib, all of it exported.
_FINALISTS = {
    **{f"blake-{n}": f"sph_blake{n}" for n in (224, 256, 384, 512)},
    **{f"groestl-{n}": f"sph_groestl{n}" for n in (224, 256, 384, 512)},
    **{f"jh-{n}": f"sph_jh{n}" for n in (224, 256, 384, 512)},
    **{f"skein-512-{n}": f"sph_skein{n}" for n in (224, 256, 384, 512)},
}
FINALISTS = tuple(_FINALISTS)
"""The names for `finalist_digest`: the final round's versions."""

_CONTEXT_BYTES = 4096  # the largest of them is Groestl's, below 400


@cache
def _sphlib() -> ctypes.CDLL:
    library = ctypes.CDLL(dash_hash.__file__)
    for name in _FINALISTS.values():
        for suffix, arguments in (
            ("_init", [ctypes.c_void_p]),
            ("", [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]),
            (
                "_addbits_and_close",
                [ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_char_p],
            ),
        ):
            function = getattr(library, name + suffix)
            function.restype, function.argtypes = None, arguments
    return library


def finalist_digest(name: str, data: bytes, bits: int | None = None) -> bytes:
    """Return the digest of the first `bits` bits of `data` (all if None), from sphlib.

    A partial last byte's bits are its highest; those below them do not count.
    """
    whole, rest = divmod(8 * len(data) if bits is None else bits, 8)
    library, prefix = _sphlib(), _FINALISTS[name]
    context = ctypes.create_string_buffer(_CONTEXT_BYTES)
    digest = ctypes.create_string_buffer(int(name[-3:]) // 8)
    getattr(library, f"{prefix}_init")(context)
    getattr(library, prefix)(context, data[:whole], whole)
    last = data[whole] if rest else 0
    getattr(library, f"{prefix}_addbits_and_close")(context, last, rest, digest)
    return digest.raw


def pyskein_digest(name: str, data: bytes, bits: int | None = None) -> bytes:
    """Return what `finalist_digest` does for skein-512-*, from pyskein."""
    count = 8 * len(data) if bits is None else bits
    hasher = skein.skein512(digest_bits=int(name[-3:]))
    hasher.update(data[: -(-count // 8)], bits=count)
    digest: bytes = hasher.digest()
    return digest


def groestlcoin_digest(name: str, data: bytes) -> bytes:
    """Return what `finalist_digest` does for groestl-* and whole bytes, from groestlcoin_hash2."""
    digest: bytes = groestlcoin_hash2.groestl(int(name[-3:])).digest(data)
    return digest
