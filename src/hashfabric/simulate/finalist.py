"""Cycle-accurate simulation of another finalist's engine at its ports (driver/finalist.cpp)."""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

from hashfabric.base.errors import LabError
from hashfabric.models.family import DIGEST_SIZES
from hashfabric.models.functions import FAMILIES
from hashfabric.registry.designs import Design, Variant
from hashfabric.simulate.library import load
from hashfabric.simulate.stream import StreamMessage


class _RawFinalistBlock(ctypes.Structure):
    _fields_ = (
        ("count", ctypes.c_uint64),
        ("slot", ctypes.c_uint32),
        ("first", ctypes.c_uint8),
        ("last", ctypes.c_uint8),
        ("size", ctypes.c_uint8),
    )


class _RawFinalistPlan(ctypes.Structure):
    _fields_ = (
        ("blocks", ctypes.c_uint64),
        ("slots", ctypes.c_uint64),
        ("longest_gap", ctypes.c_uint64),
        ("seed", ctypes.c_uint64),
    )


@dataclass(frozen=True)
class FinalistRun:
    """Messages through the bare engine of a finalist: their digests, and the clocks of handshakes.

    `handshakes` are by message and block.
    """

    digests: list[bytes]
    handshakes: list[list[int]]


def run_finalist(
    design: Design,
    variant: Variant,
    messages: Sequence[StreamMessage],
    *,
    longest_gap: int = 0,
    seed: int = 0,
) -> FinalistRun:
    """Run `messages`, padded by the golden model, each in its slot (docs/engines/finalists.md).

    Those of one slot follow each other.

    With `longest_gap`, about every second block (drawn from `seed`) comes up to that many clocks
    late, and digests have no room in every second clock.
    """
    library = load(variant, "finalist.cpp", {})
    library.hf_block_bytes.restype = library.hf_digest_bytes.restype = ctypes.c_uint64
    blocks: list[_RawFinalistBlock] = []
    counts, data = [], []
    for message in messages:
        bits = 8 * len(message.data) if message.bits is None else message.bits
        digest_bits = message.function.digest_bits
        padded = list(
            FAMILIES[message.function.family].padded(message.function, message.data, bits)
        )
        counts.append(len(padded))
        for index, (block, count) in enumerate(padded):
            if len(block) != library.hf_block_bytes():
                raise ValueError(f"{message.function.name} has blocks of {len(block)} bytes")
            last = index == len(padded) - 1
            size = DIGEST_SIZES.index(digest_bits)
            blocks.append(_RawFinalistBlock(count, message.slot, index == 0, last, size))
            data.append(block)
    run = library.hf_run_finalist
    run.restype = ctypes.c_char_p
    run.argtypes = [
        *(ctypes.POINTER(_RawFinalistPlan), ctypes.POINTER(_RawFinalistBlock)),
        *(ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64)),
    ]
    plan = _RawFinalistPlan(len(blocks), design.timing(variant).slots, longest_gap, seed)
    width = library.hf_digest_bytes()
    digests = ctypes.create_string_buffer(width * len(messages))
    handshakes = (ctypes.c_uint64 * len(blocks))()
    raw = (_RawFinalistBlock * len(blocks))(*blocks)
    if (error := run(plan, raw, b"".join(data), digests, handshakes)) is not None:
        raise LabError(f"{design.name}: simulation: {error.decode(errors='replace')}")
    clocks = iter(handshakes)
    return FinalistRun(
        digests=[
            digests.raw[width * i : width * i + message.function.digest_bits // 8]
            for i, message in enumerate(messages)
        ],
        handshakes=[[next(clocks) for _ in range(count)] for count in counts],
    )
