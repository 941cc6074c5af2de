"""The finalists' engines that the bench knows, one table for all families (docs/finalists.md)."""

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from hashfabric.models.family import DIGEST_SIZES
from hashfabric.models.functions import FAMILIES

FINALIST_FAMILIES = ("blake", "groestl", "jh", "skein")
"""The competition's other finalists."""

FINALISTS = {
    function.name: function
    for family in FINALIST_FAMILIES
    for function in FAMILIES[family].functions
}
"""Their functions, by name."""


@dataclass(frozen=True)
class Engine:
    """An engine and the clocks that the bench asserts.

    `interval`: clocks between a message's handshakes, as one slot sees them. `output`: clocks from
    the last block's handshake to its digest, beyond `interval`. `slip`: the same to the next
    message's first handshake. None is not asserted.
    """

    family: str
    top: str
    interval: int
    output: int | None
    slip: int | None
    parameters: dict[str, int] = field(default_factory=dict)
    sizes: tuple[int, ...] = DIGEST_SIZES
    slots: int = 1

    @property
    def model(self) -> Any:
        """The golden model."""
        return import_module(f"hashfabric.models.{self.family}")

    def absorb(self, chain: bytes, block: bytes, count: int, *, first: bool, last: bool) -> bytes:
        """Return the golden model's chaining value after one block."""
        compress = self.model.compress
        if self.family == "skein":
            value: bytes = compress(chain, block, count, first=first, last=last)
        elif self.family == "blake":
            value = compress(chain, block, count)
        else:
            value = compress(chain, block)
        return value


def skein_pipelined(groups: int, registers: int) -> Engine:
    """Return the table's line of a loop of so many groups of four rounds."""
    slots = groups * (1 + 4 * (1 + registers))
    interval = slots * (18 // groups + 1)
    return Engine(
        family="skein",
        top="hf_skein_pipelined",
        interval=interval,
        output=interval + slots + 2,
        slip=2 * interval + slots,
        parameters={"Groups": groups, "RoundRegisters": registers},
        slots=slots,
    )


def groestl_pipelined(width: int, registers: int) -> Engine:
    """Return the table's line of the rings with these registers in a round."""
    slots = 3 + registers.bit_count()
    interval = slots * {256: 10, 512: 14}[width]
    return Engine(
        family="groestl",
        top="hf_groestl_pipelined",
        interval=interval,
        output=interval + 8,
        slip=2 * interval,
        parameters={"Width": width, "Registers": registers},
        sizes=(224, 256) if width == 256 else (384, 512),
        slots=slots,
    )


def jh_pipelined(rounds: int) -> Engine:
    """Return the table's line of a ring of so many rounds."""
    return Engine(
        family="jh",
        top="hf_jh_pipelined",
        interval=210,
        output=6,
        slip=420,
        parameters={"Rounds": rounds},
        slots=5 * rounds,
    )


ENGINES = {
    "blake-256": Engine("blake", "hf_blake", 28, 11, 1, {"Width": 256}, sizes=(224, 256)),
    "blake-512": Engine("blake", "hf_blake", 32, 11, 1, {"Width": 512}, sizes=(384, 512)),
    "blake-256-9-slots": Engine(
        *("blake", "hf_blake_pipelined", 9 * 28, 8, 9 * 28, {"Width": 256}),
        sizes=(224, 256),
        slots=9,
    ),
    "blake-512-9-slots": Engine(
        *("blake", "hf_blake_pipelined", 9 * 32, 8, 9 * 32, {"Width": 512}),
        sizes=(384, 512),
        slots=9,
    ),
    "skein-512": Engine("skein", "hf_skein", 19, 20, 20),
    "skein-512-computed": Engine("skein", "hf_skein", 19, 20, 39, {"Initial": 1}),
    "skein-512-5-slots": skein_pipelined(1, 0),
    "skein-512-9-slots": skein_pipelined(1, 1),
    "skein-512-10-slots": skein_pipelined(2, 0),
    "skein-512-18-slots": skein_pipelined(2, 1),
    "skein-512-27-slots": skein_pipelined(3, 1),
    "groestl-256": Engine("groestl", "hf_groestl", 10, 12, 10, sizes=(224, 256)),
    "groestl-256-table": Engine(
        *("groestl", "hf_groestl", 10, 12, 10), {"SBoxForm": 0}, sizes=(224, 256)
    ),
    "groestl-512": Engine(*("groestl", "hf_groestl", 14, 16, 14), {"Width": 512}, sizes=(384, 512)),
    "groestl-256-3-slots": groestl_pipelined(256, 0),
    "groestl-256-11-slots": groestl_pipelined(256, 0xFF),
    "groestl-512-11-slots": groestl_pipelined(512, 0xFF),
    "jh": Engine("jh", "hf_jh", 42, 3, 2),
    "jh-computed": Engine("jh", "hf_jh", 42, 3, 44, {"Initial": 1}),
    "jh-5-slots": jh_pipelined(1),
    "jh-10-slots": jh_pipelined(2),
}
