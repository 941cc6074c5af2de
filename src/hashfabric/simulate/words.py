"""Cycle-accurate simulation of an engine of the word contract (driver/words.cpp)."""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

from hashfabric.base.errors import LabError
from hashfabric.registry.designs import WORD_WIDTH, Variant
from hashfabric.simulate.library import load


class _RawWords(ctypes.Structure):
    _fields_ = (
        ("word_bytes", ctypes.c_uint32),
        ("messages", ctypes.c_uint32),
        ("count", ctypes.c_uint64),
        ("squeezes", ctypes.c_uint64),
        ("longest_gap", ctypes.c_uint64),
        ("seed", ctypes.c_uint64),
    )


@dataclass(frozen=True)
class WordRun:
    """Messages through an engine of the word contract, one after the other.

    `states` has two of each: after its blocks, and after one permutation more and the squeezes.
    """

    states: list[tuple[bytes, bytes]]
    clocks_per_block: float


def run_words(
    variant: Variant,
    messages: Sequence[Sequence[bytes]],
    *,
    squeezes: int,
    longest_gap: int = 0,
) -> WordRun:
    """Run `messages` (equally many blocks of 200 bytes each), and `squeezes` (two or more) of each.

    With `longest_gap`, about every second operation comes up to that many clocks late.
    """
    library = load(variant, "words.cpp", {})
    run = library.hf_run_words
    run.restype = ctypes.c_char_p
    number = ctypes.POINTER(ctypes.c_uint64)
    run.argtypes = [ctypes.POINTER(_RawWords), ctypes.c_char_p, ctypes.c_char_p, number]
    plan = _RawWords(
        *(variant.parameters[WORD_WIDTH] // 8, len(messages), len(messages[0])),
        *(squeezes, longest_gap, 0),
    )
    states = ctypes.create_string_buffer(400 * len(messages))
    squeezing = ctypes.c_uint64()
    blocks = b"".join(b"".join(message) for message in messages)
    if (error := run(plan, blocks, states, squeezing)) is not None:
        raise LabError(f"{variant.top}: simulation: {error.decode(errors='replace')}")
    each = [states.raw[200 * i : 200 * (i + 1)] for i in range(2 * len(messages))]
    return WordRun(
        states=list(zip(each[::2], each[1::2], strict=True)),
        clocks_per_block=squeezing.value / (squeezes - 1),
    )
