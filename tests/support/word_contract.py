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

ITERATIVE = "hf_keccak_iterative_words"
SERIAL = "hf_keccak_serial"
MASKED_SERIAL = "hf_masked_serial_plain"
REFERENCE = "hf_word_reference"
SLICED = "hf_word_sliced"
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
class Iterative:
    """The clocks of hf_keccak_iterative_words, whose header says what they are."""

    words: int
    final: bool = False
    full: bool = False
    last: int = 0
    """The word added to last; none after it has been added to."""
    held: bool = False
    can: int = 0
    """The first clock in which the engine can complete the state, or permute it."""
    read: int | None = None
    """The word that the reader has, or gets next."""

    def reset(self) -> None:
        """Begin as after a wipe."""
        self._empty(0)

    def accepts(self, operation: Operation, offered: int) -> int:
        """Follow the engine."""
        if operation.kind == "wipe":
            self._empty(offered + 7)
            return offered + 7
        if operation.kind == "permute":
            now = max(offered, self.can)
            self._empty(now + 24)
            return now
        address, now = operation.address, offered
        if operation.kind == "read":
            if not self.final:
                now = self._complete(now + 1) + 4
            elif address != self.read:
                now += 5
        elif self.final or address < self.last:
            if not self.final:
                now = self._complete(now + 1)
            now += 4 + self.words
            self.final, self.full = False, True
        elif self.full and not (self.held and address == self.last) and address != self.read:
            now += 5
        if operation.kind == "read" or (self.full and not (self.held and address == self.last)):
            self.read = (address + 1) % self.words
        if operation.kind == "add":
            self.last, self.held = address, True
        return now

    def _complete(self, now: int) -> int:
        """Return the clock in which the state is final."""
        self.can = max(now, self.can) + 3
        self._empty(self.can)
        self.final = True
        return self.can

    def _empty(self, can: int) -> None:
        self.final = self.full = self.held = False
        self.last, self.can, self.read = 0, can, None


def _iterative(parameters: Mapping[str, int]) -> Iterative:
    return Iterative(STATE_BITS // parameters[WORD_WIDTH])


FORMULAS: dict[str, Callable[[Mapping[str, int]], Formula]] = {ITERATIVE: _iterative}
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


def iterative(width: int, block_ram: int = 1) -> Subject:
    """Return hf_keccak_iterative_words."""
    waits = WordClocks(add=STATE_BITS // width + 8, read=8, permute=0, wipe=7)
    return Subject(ITERATIVE, 24, waits, {WORD_WIDTH: width, "StateInBlockRam": block_ram})


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


def masked_serial(slices: int, width: int, order: int = 1) -> Subject:
    """Return hf_keccak_masked_serial with plain ports: its passes are a step longer."""
    plain = serial(slices, width)
    waits = plain.waits.model_copy(
        update={kind: getattr(plain.waits, kind) + 1 for kind in ("add", "read", "wipe")}
    )
    parameters = {WORD_WIDTH: width, "Slices": slices, "Order": order}
    return Subject(MASKED_SERIAL, plain.block + 24, waits, parameters)


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


def sliced(width: int, twice: int = 0) -> Subject:
    """Return the plain engine after a slice, which accepts up to two operations before it does.

    `twice`: the slice expects that each word is read two times.
    """
    waits = WordClocks(add=100, read=100, permute=100, wipe=100)
    return Subject(SLICED, 30, waits, {WORD_WIDTH: width, "Twice": twice})


FAULTS = re.findall(r"^    (Fault\w+),?(?: +//.*)?$", read_text(index()[REFERENCE]), re.MULTILINE)
"""All faults of the plain engine, the first of which is none: their places are their numbers."""
