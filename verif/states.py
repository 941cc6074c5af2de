"""States as the RTL's ports carry them: one number of 1600 bits (hf_keccak_pkg has the layout)."""

from hashfabric import model

WIDTH = 25 * model.LANE_BITS
ALL_ONES = (1 << WIDTH) - 1


def lanes(number: int) -> model.State:
    """Return the lanes of a state given as a number."""
    return [number >> (model.LANE_BITS * i) & ((1 << model.LANE_BITS) - 1) for i in range(25)]


def number(state: model.State) -> int:
    """Return a state as a number."""
    return int.from_bytes(model.state_bytes(state), "little")


def keccak_f(state: int) -> int:
    """Return the golden Keccak-f[1600] of a state given as a number."""
    return number(model.keccak_f(lanes(state)))
