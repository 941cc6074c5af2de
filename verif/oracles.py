"""Libraries that know the hash functions, none of them ours: what the tests compare with."""

import hashlib

import sha3bit  # type: ignore[import-untyped]
from Crypto.Hash import keccak

from hashfabric.functions import Function

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
    """Return the digest of the first `bits` bits of `data`; None where no library knows it.

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
    elif whole and not function.xof:
        digest = keccak.new(digest_bits=function.digest_bits, data=data).digest()
    else:
        return None
    return digest[:-1] + bytes([digest[-1] & 0xFF >> -wanted % 8]) if wanted % 8 else digest
