"""Keccak's stream tops of the registry, for the tests in this folder."""

from hashfabric.flows.ecp5.flow import Ecp5Target
from hashfabric.registry.designs import FIXED_FUNCTION
from tests.support.subjects import variants

ARRAY_TOP = "hf_keccak_array"
STREAMS = {
    name: found
    for name, found in variants("stream", "permutation").items()
    if FIXED_FUNCTION not in found[1].parameters
}
"""Those that compute every function; of others there is test_packets."""

ONE_SLOT = [name for name, (design, own) in STREAMS.items() if design.timing(own).slots == 1]
MANY_SLOTS = [
    name for name in STREAMS if name not in ONE_SLOT and STREAMS[name][1].top != ARRAY_TOP
]
"""Those with several slots; arrays of engines have a test of their own."""

ON_ECP5 = [f"+define+{macro}" for macro in Ecp5Target.macros]
"""Options of a simulation of what is built for ECP5, with its block RAM."""

_INSIDE = ("Parity", "Effect", "Theta", "Rho", "Pi")
_OF_BLOCK = 1 << len(_INSIDE)


def registers(*inside: str) -> dict[str, int]:
    """Return hf_keccak_pipelined's parameter for just these pipeline registers in a round."""
    return {"Registers": sum(1 << _INSIDE.index(name) for name in inside) | _OF_BLOCK}


FOUR_STAGES = ("Parity", "Effect", "Theta")
THREE_STAGES = ("Parity", "Theta")
TWO_STAGES = ("Theta",)
"""Pipeline registers in a round of four, three or two stages."""
