"""What the word bench must know of an engine, and the clocks of those whose every wait is known."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

STATE_BITS = 1600


@dataclass(frozen=True)
class WordClocks:
    """An engine's clocks in the terms of docs/reference/word-contract.md."""

    block: int
    """From a permutation to the next one, with nothing between them (`clocks_per_block`)."""
    add: int
    read: int
    permute: int
    wipe: int


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


def _adapter(parameters: Mapping[str, int]) -> Ring:
    steps = 24 // parameters.get("RoundsPerClock", 1)
    return Ring(STATE_BITS // parameters.get("WordWidth", 32), steps)


FORMULAS: dict[str, Callable[[Mapping[str, int]], Formula]] = {"hf_keccak_word_adapter": _adapter}
"""The engines whose every wait is known, by top."""


def adapter_clocks(parameters: Mapping[str, int]) -> WordClocks:
    """Return the bounds of hf_keccak_word_adapter, which its header and its bind have too."""
    words, steps = STATE_BITS // parameters["WordWidth"], 24 // parameters.get("RoundsPerClock", 1)
    if steps < 3:
        return WordClocks(block=steps + 1, add=words, read=words, permute=words - 1, wipe=2)
    return WordClocks(block=steps + 2, add=words - 1, read=words - 1, permute=words, wipe=2)


@dataclass(frozen=True)
class Subject:
    """What the bench is told of an engine."""

    top: str
    clocks: WordClocks
    parameters: Mapping[str, int] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """It as variables of the environment."""
        return {"HF_WORD_ENGINE": json.dumps([self.top, vars(self.clocks), dict(self.parameters)])}

    @classmethod
    def read(cls, text: str) -> "Subject":
        """Return the subject that the environment has."""
        top, clocks, parameters = json.loads(text)
        return cls(top, WordClocks(**clocks), parameters)

    @property
    def word_bits(self) -> int:
        """Bits of a word."""
        return self.parameters.get("WordWidth", 32)
