"""States as the RTL's ports carry them: one number of 1600 bits (hf_keccak_pkg has the layout)."""

from hashfabric.models import keccak

WIDTH = 25 * keccak.LANE_BITS
ALL_ONES = (1 << WIDTH) - 1


def lanes(number: int) -> keccak.State:
    """Return the lanes of a state given as a number."""
    return [number >> (keccak.LANE_BITS * i) & ((1 << keccak.LANE_BITS) - 1) for i in range(25)]


def number(state: keccak.State) -> int:
    """Return a state as a number."""
    return int.from_bytes(keccak.state_bytes(state), "little")


def keccak_f(state: int, rounds: int = keccak.ROUNDS) -> int:
    """Return the last rounds of the golden Keccak-f[1600], of a state given as a number.

    The first ones, if `rounds` is negative.
    """
    before = lanes(state)
    if rounds >= 0:
        return number(keccak.keccak_f(before, rounds))
    for index in range(-rounds):
        before = keccak.iota(keccak.chi(keccak.pi(keccak.rho(keccak.theta(before)))), index)
    return number(before)
