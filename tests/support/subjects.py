"""What the benches test: the registry's variants, each in the tests that its `suite` names."""

from typing import Literal

import pytest

from hashfabric.models.functions import FAMILIES
from hashfabric.registry.designs import Design, Variant, load_designs

SLOW = pytest.mark.slow


def variants(
    kind: Literal["engine", "word-engine", "stream"],
    contract: Literal["permutation", "compression"],
) -> dict[str, tuple[Design, Variant]]:
    """Return the variants of a kind whose families' engines keep `contract`, by `design-variant`.

    Copies are tested as the one variant that they are copies of.
    """
    return {
        f"{design.name}-{name}": (design, variant)
        for design in load_designs().values()
        if FAMILIES[design.family].engine == contract
        for name, variant in design.variants.items()
        if variant.kind == kind and variant.copies == 1
    }


def marks(variant: Variant) -> list[pytest.MarkDecorator]:
    """Return the marks of a test that runs the whole bench on `variant`."""
    return [] if variant.suite == "quick" else [SLOW]
