"""The table of function codes in docs/reference/stream.md: the values of `s_axis_tuser`."""

from collections.abc import Mapping
from pathlib import Path

from hashfabric.base.paths import ROOT
from hashfabric.base.text import markdown
from hashfabric.models.family import Function
from hashfabric.models.functions import (
    BITS_AT,
    CODE_MASK,
    FAMILIES,
    FUNCTIONS,
    LENGTH_AT,
    LONGEST_OUTPUT_BITS,
)
from hashfabric.registry.designs import Design
from hashfabric.simulate.stream import user_word

COLUMNS = (
    "Function",
    "Plain core",
    "Last byte's bits",
    "Code",
    "`s_axis_tuser`, whole bytes",
    "Block, bits",
    "Output, bits",
)
"""Headings of the table."""


def page_file(root: Path = ROOT) -> Path:
    """Return the page that holds the table."""
    return root / "docs" / "reference" / "stream.md"


def constant(function: Function, bits: int = 0, output_bits: int | None = None) -> str:
    """Return `s_axis_tuser` of a message of `bits` bits, as hex: length, bits, code.

    `output_bits` is for XOFs, the default length if None.
    """
    word = user_word(function, bits, output_bits)
    length, rest, code = word >> LENGTH_AT, word >> BITS_AT & 0xFF, word & CODE_MASK
    if length:
        return f"56'h{length:X}_{rest:02X}_{code:02X}"
    return f"56'h{rest:02X}_{code:02X}" if rest else f"56'h{code:02X}"


def part(designs: Mapping[str, Design]) -> str:
    """Return the table of all functions, in the order of their codes, and the line below it."""
    cells = [
        [
            function.name,
            _plain_core(function, designs),
            "lowest" if FAMILIES[function.family].low_bits_first else "highest",
            f"{function.code:02X}",
            f"`{constant(function)}`",
            f"{function.rate_bits:,}",
            f"any; here {function.digest_bits}" if function.xof else str(function.digest_bits),
        ]
        for function in sorted(FUNCTIONS.values(), key=lambda one: one.code)
    ]
    five = constant(FUNCTIONS["sha3-256"], bits=5)
    endless = constant(FUNCTIONS["shake128"], output_bits=LONGEST_OUTPUT_BITS + 1)
    return (
        f"{markdown(COLUMNS, cells, left=3)}\nSHA3-256 of a message with 5 bits in its last byte "
        f"is `{five}`, SHAKE128 until it is stopped `{endless}`.\n"
    )


def _plain_core(function: Function, designs: Mapping[str, Design]) -> str:
    """Return the first stream of the family's default design that computes the function."""
    design = designs.get(FAMILIES[function.family].design)
    if design is None:
        return "–"
    streams = (
        f"{design.name}/{name}"
        for name, variant in design.variants.items()
        if variant.kind == "stream" and function.name in design.functions_of(variant)
    )
    return next(streams, "–")
