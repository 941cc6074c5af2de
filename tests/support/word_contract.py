"""Engines for the word bench: their clocks, and every wait of those that have a formula for it."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from hashfabric.registry.designs import WORD_WIDTH, Design, Variant, WordClocks
from hashfabric.registry.sources import index, read_text
from tests.support.subjects import variants

STATE_BITS = 1600

ADAPTER = "hf_keccak_word_adapter"
SERIAL = "hf_keccak_serial"
REFERENCE = "hf_word_reference"
WORD_ENGINES = variants("word-engine", "permutation")


@dataclass(frozen=True)
class Operation:
    """An operation: `kind` is add, read, permute or wipe; `bytes` and `word` are for add.

    `gap` clocks without an offer come before it.
    """

    kind: str
    address: int = 0
    bytes: int = 0
    word: int = 0
    gap: int = 0


class Formula(Protocol):
    """An engine whose every wait is known."""

    def accepts(self, operation: Operation, offered: int) -> int:
        """Return the clock in which it accepts what is offered from clock `offered` on.

        It has accepted the operations that it was called with before.
        """

    def reset(self) -> None:
        """Take note of a reset."""


@dataclass
class Ring:
    """The clocks of hf_keccak_word_adapter, whose header says what they are."""

    words: int
    steps: int
    head: int = 0
    fresh: bool = False
    ready: int = 0
    """The first clock in which an operation on a word would be accepted."""
    restarts: int = -1
    """The clock after a wipe, in which the engine is reset."""

    def reset(self) -> None:
        """Begin with word 0 at the head."""
        self.head, self.fresh, self.ready = 0, False, 0

    def accepts(self, operation: Operation, offered: int) -> int:
        """Follow the ring."""
        decides = 1 if self.steps >= 3 else 0
        now = max(offered, self.ready)
        if operation.kind in ("add", "read"):
            passed = (self.head - 1) % self.words
            if operation.address == passed and not (self.fresh and self.head == 0):
                return now
            now += self._turn(operation.address)
            self._turn((self.head + 1) % self.words)
        elif operation.kind == "permute":
            now += self._turn(0)
            now += decides + int(now == self.restarts)
            self.ready = now + self.steps + (1 if self.fresh else 2)
            self.fresh = True
        else:
            now += 1 + decides
            self.head, self.fresh, self.restarts = 0, False, now + 1
        return now

    def _turn(self, address: int) -> int:
        """Turn until the word is at the head, and return the clocks that it takes."""
        count = (address - self.head) % self.words
        if self.head + count >= self.words:
            self.fresh = False
        self.head = address
        return count


def _ring(parameters: Mapping[str, int]) -> Ring:
    steps = 24 // parameters.get("RoundsPerClock", 1)
    return Ring(STATE_BITS // parameters[WORD_WIDTH], steps)


FORMULAS: dict[str, Callable[[Mapping[str, int]], Formula]] = {ADAPTER: _ring}
"""The engines whose every wait is known, by top."""


@dataclass(frozen=True)
class Subject:
    """An engine: its top, `clocks_per_block`, waits and parameters."""

    top: str
    block: int
    waits: WordClocks
    parameters: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, design: Design, variant: Variant) -> "Subject":
        """Return a variant of the registry."""
        if variant.word_clocks is None:
            raise ValueError(f"{variant.top}: no word-engine")
        block = round(design.timing(variant).clocks_per_block)
        return cls(variant.top, block, variant.word_clocks, variant.parameters)

    @property
    def environment(self) -> dict[str, str]:
        """It as variables of the environment."""
        known = [self.top, self.block, self.waits.model_dump(), dict(self.parameters)]
        return {"HF_WORD_ENGINE": json.dumps(known)}

    @classmethod
    def read(cls, text: str) -> "Subject":
        """Return the subject that the environment has."""
        top, block, waits, parameters = json.loads(text)
        return cls(top, block, WordClocks(**waits), parameters)

    @property
    def word_bits(self) -> int:
        """Bits of a word."""
        return self.parameters[WORD_WIDTH]


####################
# Not registered   #
####################


def adapter(width: int, rounds: int) -> Subject:
    """Return hf_keccak_iterative as an engine of the word contract."""
    words, steps = STATE_BITS // width, 24 // rounds
    block, waits = steps + 2, WordClocks(add=words - 1, read=words - 1, permute=words, wipe=2)
    if steps < 3:
        block, waits = steps + 1, WordClocks(add=words, read=words, permute=words - 1, wipe=2)
    return Subject(ADAPTER, block, waits, {WORD_WIDTH: width, "RoundsPerClock": rounds})


def serial(slices: int, width: int, block_ram: int = 0) -> Subject:
    """Return hf_keccak_serial: docs/engines/keccak-serial.md, 'Schedule'."""
    groups, word = 64 // slices, width // slices
    access = groups + 5 if groups == word else 2 * groups + 4 - word
    waits = WordClocks(
        add=access,
        read=access,
        permute=max(groups - word - 1, 1),
        wipe=access,
    )
    parameters = {WORD_WIDTH: width, "Slices": slices, "BlockRam": block_ram}
    return Subject(SERIAL, 24 * (groups + 5), waits, parameters)


def reference(width: int, accepts_adds: int) -> Subject:
    """Return the plain engine."""
    block, waits = 30, WordClocks(add=2, read=3, permute=4, wipe=5)
    parameters = {
        WORD_WIDTH: width,
        "AcceptsAdds": accepts_adds,
        "BlockClocks": block,
        "AddClocks": waits.add,
        "ReadClocks": waits.read,
        "PermuteClocks": waits.permute,
        "WipeClocks": waits.wipe,
    }
    return Subject(REFERENCE, block, waits, parameters)


FAULTS = re.findall(r"^    (Fault\w+),?(?: +//.*)?$", read_text(index()[REFERENCE]), re.MULTILINE)
"""All faults of the plain engine, the first of which is none: their places are their numbers."""
