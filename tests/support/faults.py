"""Messages against the rules of a stream with one slot, for the tests in the compiled simulator."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from hashfabric.models.functions import BITS_AT, BITS_MASK, CODE_MASK
from hashfabric.simulate.stream import Answer, Beat

LONG_FAULTS = ("short", "other slot")
"""Those that need two beats."""


def bent(
    source: random.Random,
    beats: list[Beat],
    fault: str,
    *,
    codes: Mapping[str, Sequence[int]],
    most_missing: int,
) -> list[Beat]:
    """Return the beats of a message, in slot 0, with one fault in them.

    `codes` holds, for each fault that is a wrong function, the codes to choose from; a beat that is
    too short misses up to `most_missing` bytes.
    """
    bad = list(beats)
    if fault in codes:
        code = source.choice(codes[fault])
        bad = [replace(beat, user=beat.user & ~CODE_MASK | code) for beat in beats]
    elif fault == "hole":
        at = source.randrange(len(beats))
        count = beats[at].keep.bit_length()
        missing = 1 << source.randrange(max(count - 1, 1))
        bad[at] = replace(beats[at], keep=(beats[at].keep | 2) & ~missing)
    elif fault == "short":
        at = source.randrange(len(beats) - 1)
        bad[at] = replace(beats[at], keep=beats[at].keep >> source.randrange(1, most_missing + 1))
    elif fault == "slot":
        bad = [replace(beat, slot=1) for beat in beats]
    elif fault == "other slot":
        at = source.randrange(1, len(beats))
        bad[at:] = [replace(beat, slot=1) for beat in beats[at:]]
    elif fault == "empty byte":
        bad = [replace(beat, user=beat.user & ~BITS_MASK | 3 << BITS_AT) for beat in beats]
        bad[-1] = replace(bad[-1], keep=0)
    assert bad != beats
    return bad


def check_order(answers: Sequence[Answer]) -> None:
    """Check that no answer came before the one in front of it."""
    assert all(before.end < after.end for before, after in pairwise(answers))
