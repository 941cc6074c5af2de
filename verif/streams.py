"""Keccak's stream tops of the registry, for the tests in this folder."""

from hashfabric.registry.designs import Design, Variant, load_designs

STREAMS: dict[str, tuple[Design, Variant]] = {
    f"{design.name}-{name}": (design, variant)
    for design in load_designs().values()
    for name, variant in design.variants.items()
    if variant.kind == "stream" and design.family == "keccak"
}
ONE_SLOT = [name for name, (design, own) in STREAMS.items() if design.timing(own).slots == 1]
MANY_SLOTS = [name for name in STREAMS if name not in ONE_SLOT]

_INSIDE = ("Parity", "Effect", "Theta", "Rho", "Pi")


def registers(*inside: str) -> dict[str, int]:
    """Return hf_keccak_pipelined's parameters for just these pipeline registers in a round."""
    assert set(inside) <= set(_INSIDE)
    return {f"Register{name}": int(name in inside) for name in _INSIDE}


FOUR_STAGES = ("Parity", "Effect", "Theta")
THREE_STAGES = ("Parity", "Theta")
TWO_STAGES = ("Theta",)
"""Pipeline registers in a round, for rounds of so many stages."""
