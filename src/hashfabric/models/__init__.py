"""Golden models, one module a family, and what is asked of all of them, by function.

A family's module is loaded when it is asked: some compute their constants first.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Protocol, cast

from hashfabric.models import keccak
from hashfabric.models.functions import FINALIST_FAMILIES, Function


class Finalist(Protocol):
    """What the module of BLAKE, Grøstl, JH or Skein has; bits are counted from the highest."""

    def padded(self, digest_bits: int, message: bytes, bits: int) -> Iterator[tuple[bytes, int]]:
        """Yield the padded blocks, each with the bits of the message up to its end, or 0."""

    def digest(self, digest_bits: int, message: bytes, *, bits: int | None = None) -> bytes:
        """Hash the first `bits` bits of `message` (all if None)."""


def finalist(family: str) -> Finalist:
    """Return the golden model of one of `FINALIST_FAMILIES`."""
    if family not in FINALIST_FAMILIES:
        raise ValueError(f"no finalist with a model of its own: {family}")
    return cast(Finalist, import_module(f"hashfabric.models.{family}"))


def digest(
    function: Function, message: bytes, *, bits: int | None = None, output_bits: int | None = None
) -> bytes:
    """Hash the first `bits` bits of `message` (all if None) to `output_bits` (default if None).

    Bits of a last byte are counted as the function's family counts them.
    """
    if function.family == "keccak":
        return keccak.digest(function, message, bits=bits, output_bits=output_bits)
    return finalist(function.family).digest(function.digest_bits, message, bits=bits)
