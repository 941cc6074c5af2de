"""SLH-DSA with SHAKE for the tests of the driver, by the package slh-dsa: no code of ours.

A message is M' of FIPS 205: what algorithms 19 and 20 sign and verify.
"""

from unittest.mock import patch

from slhdsa.lowlevel import parameters
from slhdsa.lowlevel import slhdsa as oracle
from slhdsa.lowlevel.addresses import Address
from slhdsa.lowlevel.parameters import ShakeParameter
from slhdsa.lowlevel.xmss import XMSS

SETS: dict[str, ShakeParameter] = {
    name: getattr(parameters, f"shake_{name}")
    for name in ("128s", "128f", "192s", "192f", "256s", "256f")
}
"""FIPS 205's, by name."""


def small_set(
    n: int, layers: int, height: int, fors_height: int, fors_trees: int
) -> ShakeParameter:
    """Return a set that is quick to compute, and of no other use."""
    ends = (fors_trees * fors_height, (layers - 1) * height, height)
    digest = sum(-(-bits // 8) for bits in ends)
    return ShakeParameter(0, n, layers * height, layers, height, fors_height, fors_trees, 4, digest)


def pure(message: bytes, context: bytes = b"") -> bytes:
    """Return M' of a message that is signed as it is (algorithm 22)."""
    return bytes([0, len(context)]) + context + message


def public_key(chosen: ShakeParameter, seeds: bytes) -> bytes:
    """Return the public key of SK.seed, SK.prf and PK.seed."""
    n = chosen.n
    top = Address(chosen.d - 1, 0)
    root = XMSS(chosen).node(seeds[:n], 0, chosen.h_m, seeds[2 * n :], top)
    return seeds[2 * n :] + bytes(root)


def sign(chosen: ShakeParameter, seeds: bytes, message: bytes, randomness: bytes | None) -> bytes:
    """Return the signature by the key of these seeds; without randomness the deterministic one."""
    n = chosen.n
    root = public_key(chosen, seeds)[n:]
    key = (seeds[:n], seeds[n : 2 * n], seeds[2 * n :], root)
    with patch.object(oracle, "token_bytes", lambda _: randomness):
        return oracle.sign(message, key, chosen, randomness is not None)


def verify(chosen: ShakeParameter, key: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether a signature is good."""
    return oracle.verify(message, signature, (key[: chosen.n], key[chosen.n :]), chosen)
