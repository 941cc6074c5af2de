"""Cycle-accurate simulation of a Keccak engine at its contract ports (driver/engine.cpp)."""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

from hashfabric.base.errors import LabError
from hashfabric.registry.designs import Design, Variant
from hashfabric.simulate.library import load


class _RawPlan(ctypes.Structure):
    _fields_ = (
        ("slots", ctypes.c_uint32),
        ("holds_state", ctypes.c_uint32),
        ("delay", ctypes.c_uint32),
        ("messages", ctypes.c_uint32),
        ("count", ctypes.c_uint64),
        ("longest_gap", ctypes.c_uint64),
        ("seed", ctypes.c_uint64),
        ("zero_between", ctypes.c_uint32),
    )


@dataclass(frozen=True)
class EngineRun:
    """One message a slot through a bare engine: its output states, and the clocks of handshakes.

    `handshakes` are by slot and block. `clocks` count from the first handshake to the clock of
    the last state, both included.
    """

    states: list[bytes]
    handshakes: list[list[int]]
    clocks: int

    @property
    def clocks_per_block(self) -> float:
        """Clocks a block while every slot has a message; only where no block came late."""
        return clocks_at_full_slots(self.handshakes)


def clocks_at_full_slots(handshakes: Sequence[Sequence[int]]) -> float:
    """Return the clocks a block of messages with these handshakes, one a slot, with all slots full.

    `ValueError` where that time is too short.
    """
    begin = max(clocks[0] for clocks in handshakes)
    end = min(clocks[-1] for clocks in handshakes)
    blocks_per_clock = 0.0
    for clocks in handshakes:
        full = [clock for clock in clocks if begin <= clock <= end]
        if len(full) < 2:  # noqa: PLR2004 - an interval has two ends
            raise ValueError("the messages are too short to measure clocks a block")
        blocks_per_clock += (len(full) - 1) / (full[-1] - full[0])
    return 1 / blocks_per_clock


def run_engine(
    design: Design,
    variant: Variant,
    messages: Sequence[Sequence[bytes]],
    *,
    longest_gap: int = 0,
    seed: int = 0,
) -> EngineRun:
    """Run `messages` (equally many blocks of 200 bytes each), one a slot, states always taken.

    Slots beyond them stay empty. With `longest_gap`, about every second block (drawn from `seed`)
    comes up to that many clocks late: an engine that does not hold its states hands them back.
    """
    timing = design.timing(variant)
    library = load(variant, "engine.cpp", {})
    run = library.hf_run_engine
    run.restype = ctypes.c_char_p
    clock = ctypes.POINTER(ctypes.c_uint64)
    run.argtypes = [ctypes.POINTER(_RawPlan), ctypes.c_char_p, ctypes.c_char_p, clock, clock]
    count = len(messages[0])
    if len(messages) > timing.slots or any(len(message) != count for message in messages):
        raise ValueError("messages must be one a slot, equally long")
    plan = _RawPlan(
        *(timing.slots, timing.holds_state, timing.data_delay),
        *(len(messages), count, longest_gap, seed, timing.zero_between),
    )
    states = ctypes.create_string_buffer(200 * len(messages))
    handshakes = (ctypes.c_uint64 * (len(messages) * count))()
    end = ctypes.c_uint64()
    blocks = b"".join(b"".join(message) for message in messages)
    if (error := run(plan, blocks, states, handshakes, end)) is not None:
        raise LabError(f"{design.name}: simulation: {error.decode(errors='replace')}")
    starts = range(0, len(handshakes), count)
    return EngineRun(
        states=[states.raw[200 * i : 200 * (i + 1)] for i in range(len(messages))],
        handshakes=[handshakes[start : start + count] for start in starts],
        clocks=end.value - min(handshakes) + 1,
    )
