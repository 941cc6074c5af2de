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
