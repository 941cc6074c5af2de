"""Chains of hashes as FIPS 205, algorithm 5, has them, by hashlib."""

import hashlib

ADDRESS = 32
"""Bytes of ADRS."""
CLOCKS_PER_HASH = 26


def chain(prefix: bytes, address: bytes, value: bytes, count: int) -> bytes:
    """Return the value after `count` hashes; the hash address is the last word of `address`."""
    first = int.from_bytes(address[28:], "big")
    for step in range(count):
        counted = address[:28] + ((first + step) % 2**32).to_bytes(4, "big")
        value = hashlib.shake_256(prefix + counted + value).digest(len(prefix))
    return value
