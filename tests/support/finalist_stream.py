"""The finalists' stream tops around an engine, or around a stand-in that adds up its blocks."""

from dataclasses import dataclass

from hashfabric.models.family import DIGEST_SIZES, Function
from hashfabric.models.functions import FAMILIES
from hashfabric.registry.designs import Design, Variant
from hashfabric.simulate.stream import StreamMessage, StreamSim
from tests.rtl.finalists.finalists import FINALISTS
from tests.support.oracles import finalist_digest

PAPER_CLOCKS = {
    ("blake", 256): 28,
    ("blake", 512): 32,
    ("groestl", 256): 10,
    ("groestl", 512): 14,
    ("jh", 256): 42,
    ("jh", 512): 42,
    ("skein", 256): 19,
    ("skein", 512): 19,
}
"""Clocks a block of paper latif-finalists' engines, by family and width."""


@dataclass(frozen=True)
class Subject:
    """A stream top, and whether its engine is the stand-in."""

    design: Design
    variant: Variant
    stub: bool

    @property
    def functions(self) -> list[Function]:
        """Return what it serves."""
        family = self.design.family
        return [
            function
            for function in FINALISTS.values()
            if function.family == family and self.serves(function)
        ]

    def serves(self, function: Function) -> bool:
        """Return whether the width of the digest, and of the family's block, is this function's."""
        if function.family in {"blake", "groestl"}:
            return function.rate_bits == 2 * self.width
        return function.digest_bits <= self.width

    @property
    def width(self) -> int:
        """Return the longest digest."""
        return int(self.variant.parameters.get("Width", 512))  # JH and Skein-512: always all

    @property
    def data_width(self) -> int:
        """Return the port's width in bits."""
        return int(self.variant.parameters["DataWidth"])

    @property
    def clocks_per_block(self) -> float:
        """Return the engine's clocks a block, or the port's where it is the slower."""
        function = self.functions[0]
        # These engines accept a block a clock after its offer, the stand-in at once.
        accepted = 1 if function.family in {"jh", "skein"} and not self.stub else 0
        block = function.rate_bits // self.data_width + accepted
        return max(self.design.timing(self.variant).clocks_per_block, block)

    def digest(self, message: StreamMessage) -> bytes:
        """Return what must come out."""
        function, data = message.function, message.data
        bits = 8 * len(data) if message.bits is None else message.bits
        if not self.stub:
            return finalist_digest(function.name, data, bits)
        width, chain = self.width, 0
        size = DIGEST_SIZES.index(function.digest_bits)
        padded = FAMILIES[function.family].padded
        for block, count in padded(function, data, bits):
            low = int.from_bytes(block[: width // 8], "little")
            high = int.from_bytes(block[width // 8 :], "little")
            added = low ^ turned(high, 13, width) ^ (size << 64 | count)
            chain = turned(chain, 7, width) ^ added
        return chain.to_bytes(width // 8, "little")[: function.digest_bits // 8]

    def sim(self, **settings: float) -> StreamSim:
        """Return a simulation of its own."""
        return StreamSim(self.design, self.variant, **settings)  # type: ignore[arg-type]


def turned(value: int, count: int, width: int) -> int:
    """Turn a number of `width` bits to the left."""
    return (value << count | value >> (width - count)) & ((1 << width) - 1)


def stub(family: str, width: int, data_width: int) -> Subject:
    """Return the front end around the stand-in."""
    variant = Variant(
        top="hf_finalist_stub_axis",
        kind="stream",
        parameters={
            "Family": FAMILIES[family].codes[0],
            "Width": width,
            "DataWidth": data_width,
        },
    )
    design = Design(
        name=f"stub-{family}",
        title="",
        family=family,
        slots=1,
        holds_state=True,
        clocks_per_block=PAPER_CLOCKS[family, width],
        functions=[name for name in FINALISTS if FINALISTS[name].family == family],
        docs="docs/engines/finalists.md",
        variants={"stream": variant},
    )
    return Subject(design, variant, stub=True)
