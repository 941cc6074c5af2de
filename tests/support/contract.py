"""Keccak's engines of the registry, and the clocks that the contract bench asserts of them."""

from dataclasses import dataclass

from hashfabric.models.keccak import ROUNDS
from hashfabric.registry.designs import Timing, Variant, load_designs
from tests.support.subjects import variants

ENGINES = variants("engine", "permutation")


@dataclass(frozen=True)
class Clocks:
    """An engine's clocks beyond its blocks' own: see `Engine` in `contract_bench.py`."""

    fill: int
    slip: int
    resume: int | None = None
    room: int | None = None
    squeeze: int | None = None


def clocks_of(variant: Variant) -> Clocks | None:
    """Return the clocks of an engine, or of that in a stream top; None if none are asserted."""
    top = variant.top.removesuffix("_axis")
    if top == "hf_keccak_iterative":
        steps = 24 // int(variant.parameters.get("RoundsPerClock", 1))
        room, squeeze = (2 if steps > 2 else 1), (2 if steps == 1 else None)
        return Clocks(fill=2, resume=1, slip=2, room=room, squeeze=squeeze)
    if top == "hf_keccak_two_stage":
        return Clocks(fill=0, slip=0)
    if top == "hf_keccak_dsp_wide":
        fill = 1 if variant.parameters["Structure"] == 3 else 2
        slots = load_designs()["keccak-dsp-wide"].timing(variant).slots
        return Clocks(fill=fill, resume=fill, slip=slots if slots > 1 else fill + 1)
    if top.startswith("hf_keccak_dsp_"):
        timing = load_designs()["keccak-dsp-compact"].timing(variant)
        # fill: five planes, and those before the last; slip: one window of each slot.
        return Clocks(fill=9 - timing.data_delay, slip=5 * timing.slots)
    return None


def environment(
    timing: Timing, clocks: Clocks | None = None, rounds: int = ROUNDS
) -> dict[str, str]:
    """Return the figures of an engine that the bench needs."""
    known = {
        "HF_SLOTS": str(timing.slots),
        "HF_ROUNDS": str(rounds),
        "HF_HOLDS_STATE": str(int(timing.holds_state)),
        "HF_CLOCKS_PER_BLOCK": str(timing.clocks_per_block),
        "HF_DATA_DELAY": str(timing.data_delay),
        "HF_ZERO_BETWEEN": str(int(timing.zero_between)),
    }
    for name in ("fill", "resume", "slip", "room", "squeeze"):
        value = None if clocks is None else getattr(clocks, name)
        known[f"HF_{name.upper()}"] = "" if value is None else str(value)
    return known
