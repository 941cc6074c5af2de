"""The finalists' engines under their bench: the registry's, and more parameters of them."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from hashfabric.models.functions import FAMILIES, FUNCTIONS
from hashfabric.registry.designs import Design, Variant, find_design
from tests.support.subjects import variants

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
    variant: Variant
    sizes: tuple[int, ...]
    slots: int
    interval: int
    output: int | None
    slip: int | None

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


def clocks_of(variant: Variant, slots: int, interval: int) -> tuple[int | None, int | None]:
    """Return `output` and `slip` by the engine's top; None where there is no formula for it."""
    computed = interval if variant.parameters.get("Initial") else 0
    known = {
        "hf_blake": (11, 1),
        "hf_blake_pipelined": (8, interval),
        "hf_groestl": (interval + 2, interval),
        "hf_groestl_pipelined": (interval + 8, 2 * interval),
        "hf_jh": (3, 2 + computed),
        "hf_jh_pipelined": (6, 2 * interval),
        "hf_skein": (interval + 1, interval + 1 + computed),
        "hf_skein_pipelined": (interval + slots + 2, 2 * interval + slots),
    }
    return known.get(variant.top, (None, None))


def engine_of(design: Design, variant: Variant) -> Engine:
    """Return the figures of a variant that the bench needs."""
    timing = design.timing(variant)
    interval = round(timing.slots * timing.clocks_per_block)
    output, slip = clocks_of(variant, timing.slots, interval)
    return Engine(
        family=design.family,
        variant=variant,
        sizes=tuple(FUNCTIONS[name].digest_bits for name in design.functions_of(variant)),
        slots=timing.slots,
        interval=interval,
        output=output,
        slip=slip,
    )


_GROESTL_256 = ["groestl-224", "groestl-256"]

EXTRA = {
    "groestl": {
        "256-table": Variant(
            top="hf_groestl",
            kind="engine",
            parameters={"SBoxForm": 0},
            functions=_GROESTL_256,
            suite="slow",
        ),
        "256-3-slots": Variant(
            top="hf_groestl_pipelined",
            kind="engine",
            parameters={"Width": 256, "Registers": 0},
            slots=3,
            functions=_GROESTL_256,
            suite="slow",
        ),
    },
    "jh": {
        "computed": Variant(top="hf_jh", kind="engine", parameters={"Initial": 1}, suite="slow"),
    },
    "skein": {
        "512-computed": Variant(
            top="hf_skein", kind="engine", parameters={"Initial": 1}, suite="slow"
        ),
        "512-5-slots": Variant(
            top="hf_skein_pipelined",
            kind="engine",
            parameters={"Groups": 1, "RoundRegisters": 0},
            slots=5,
            suite="slow",
        ),
        "512-10-slots": Variant(
            top="hf_skein_pipelined",
            kind="engine",
            parameters={"Groups": 2, "RoundRegisters": 0},
            slots=10,
            clocks_per_block=10,
            suite="slow",
        ),
        "512-27-slots": Variant(
            top="hf_skein_pipelined",
            kind="engine",
            parameters={"Groups": 3, "RoundRegisters": 1},
            slots=27,
            clocks_per_block=7,
            suite="slow",
        ),
    },
}
"""Parameters that no variant of the registry has, as variants of these designs."""

ENGINES = {
    name: engine_of(design, variant)
    for name, (design, variant) in variants("engine", "compression").items()
} | {
    f"{design}-{name}": engine_of(find_design(design), variant)
    for design, more in EXTRA.items()
    for name, variant in more.items()
}
