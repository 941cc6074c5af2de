"""Keccak's stream tops of the registry, for the tests in this folder."""

from collections.abc import Sequence

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

_TREES = [name for name, (design, _) in STREAMS.items() if design.tree is not None]
ONE_SLOT = [
    name
    for name, (design, own) in STREAMS.items()
    if design.timing(own).slots == 1 and name not in _TREES
]
MANY_SLOTS = [
    name
    for name, (_, own) in STREAMS.items()
    if name not in ONE_SLOT and name not in _TREES and own.top != ARRAY_TOP
]
"""Those with several slots; of arrays of engines and of trees there are test_array,
test_kangarootwelve and test_parallel_hash.
"""

ON_ECP5 = [f"+define+{macro}" for macro in Ecp5Target.macros]
"""Options of a simulation of what is built for ECP5, with its block RAM."""

_RETURN = "Return"
_REGISTERS = ("Parity", "Effect", "Theta", "Rho", "Pi", "Block", _RETURN)


def registers(*chosen: str) -> dict[str, int]:
    """Return hf_keccak_pipelined's parameter for just these pipeline registers and the block's."""
    return {"Registers": sum(1 << _REGISTERS.index(name) for name in {*chosen, "Block"})}


def slots_of(rounds: int, chosen: Sequence[str]) -> int:
    """Return the number of slots of a ring of `rounds` rounds with these registers."""
    inside = [name for name in chosen if name != _RETURN]
    return rounds * (1 + len(inside)) + (_RETURN in chosen)


FOUR_STAGES = ("Parity", "Effect", "Theta")
THREE_STAGES = ("Parity", "Theta")
TWO_STAGES = ("Theta",)
"""Pipeline registers in a round of four, three or two stages."""

TWO_STAGES_AND_RETURN = (*TWO_STAGES, _RETURN)
"""Those of two stages, and one between the last round and the first."""
