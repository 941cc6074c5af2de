"""A hash family and its functions, for the rest of the lab.

A family is one module in this folder with `FAMILY = Family(...)`: its golden model, padding,
bit order and function codes. `models.functions` finds them all.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

DIGEST_SIZES = (224, 256, 384, 512)
"""Digest sizes of the SHA-3 competition in bits, in the order of `hf_finalist_pkg::size_e`."""

FUNCTION_BITS = 4
"""Bits of a function's code below the family's code (`hf_stream_pkg`)."""


@dataclass(frozen=True)
class Function:
    """One hash function.

    `code` is its value in `s_axis_tuser`. `rate_bits` (message bits in a full block) and
    `digest_bits` are in bits; `least_padding_bits` is the fewest that the padding adds; further
    padding of a block is zeros. `suffix` holds Keccak's domain bits that follow the message, first
    bit lowest, and `suffix_bits` is their number. `xof` functions give any output length and
    `digest_bits` is then only the default. Of a sponge's, `rounds` is the number of rounds of a
    permutation: the last of Keccak-f.
    """

    name: str
    code: int
    family: str
    rate_bits: int
    digest_bits: int
    least_padding_bits: int
    suffix: int = 0
    suffix_bits: int = 0
    xof: bool = False
    rounds: int = 24

    def blocks(self, bits: int, output_bits: int | None = None) -> int:
        """Return the blocks that a message of `bits` bits takes: absorbed, then squeezed.

        Output steps of other families are not blocks.
        """
        wanted = self.digest_bits if output_bits is None else output_bits
        absorbed = max(1, -(-(bits + self.least_padding_bits) // self.rate_bits))
        squeezed = max(1, -(-wanted // self.rate_bits)) if self.xof else 1
        return absorbed + squeezed - 1


class GoldenModel(Protocol):
    """A golden model: hash the first `bits` bits of `message` (all if None)."""

    def __call__(
        self,
        function: Function,
        message: bytes,
        *,
        bits: int | None = None,
        output_bits: int | None = None,
    ) -> bytes:
        """Return `output_bits` bits (the default if None); unused bits of the last byte are 0."""


@dataclass(frozen=True)
class Family:
    """One hash family.

    `codes` are the high bits of its functions' codes. With `low_bits_first` a message that ends
    inside a byte has its last bits in the lowest of that byte, else in the highest. `engine`
    is the contract of its engines: `permutation` (docs/reference/contract.md: blocks and whole
    states) or `compression` (docs/engines/finalists.md: padded blocks in, digests out). `design`
    computes its functions where none is named. `padded` yields the padded blocks of a message of a
    number of bits, each with the bits of the message up to its end, or 0 where it holds none.
    """

    name: str
    codes: Sequence[int]
    low_bits_first: bool
    engine: Literal["permutation", "compression"]
    design: str
    functions: Sequence[Function]
    digest: GoldenModel
    padded: Callable[[Function, bytes, int], Iterator[tuple[bytes, int]]]

    def __post_init__(self) -> None:
        """Refuse codes that are not the family's own."""
        for function in self.functions:
            if function.family != self.name or function.code >> FUNCTION_BITS not in self.codes:
                raise ValueError(f"{function.name}: its code or family is not that of {self.name}")


class Compression(Protocol):
    """The golden model of a family of the competition, by digest size; bits from the highest."""

    def padded(self, digest_bits: int, message: bytes, bits: int) -> Iterator[tuple[bytes, int]]:
        """Yield the padded blocks, each with the bits of the message up to its end, or 0."""

    def digest(self, digest_bits: int, message: bytes, *, bits: int | None = None) -> bytes:
        """Hash the first `bits` bits of `message` (all if None)."""


def competitor(  # noqa: PLR0913 - one parameter a property of the family
    name: str,
    model: Compression,
    *,
    code: int,
    blocks: Sequence[int],
    padding: Callable[[int], int],
    stem: str = "",
) -> Family:
    """Return the record of a family of the SHA-3 competition: four functions, one a digest size.

    `blocks` are their blocks' bits, `padding` gives the least padding by a block's bits, `stem` is
    what their names begin with if not the family's name.
    """

    def digest(
        function: Function,
        message: bytes,
        *,
        bits: int | None = None,
        output_bits: int | None = None,
    ) -> bytes:
        if output_bits not in (None, function.digest_bits):
            raise ValueError(f"{function.name} has {function.digest_bits} bits, not {output_bits}")
        return model.digest(function.digest_bits, message, bits=bits)

    return Family(
        name=name,
        codes=(code,),
        low_bits_first=False,
        engine="compression",
        design=name,
        functions=[
            Function(
                name=f"{stem or name}-{digest_bits}",
                code=code << FUNCTION_BITS | size,
                family=name,
                rate_bits=block,
                digest_bits=digest_bits,
                least_padding_bits=padding(block),
            )
            for size, (digest_bits, block) in enumerate(zip(DIGEST_SIZES, blocks, strict=True))
        ],
        digest=digest,
        padded=lambda function, message, bits: model.padded(function.digest_bits, message, bits),
    )
