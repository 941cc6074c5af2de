"""Golden models of the units in systems/rtl/ (docs/integrate/riscv.md), an instruction a call."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from hashfabric.models import keccak

WORD = (1 << 32) - 1
LANE = (1 << 64) - 1


def rol(lane: int, amount: int) -> int:
    """Rotate 64 bits to the left."""
    return (lane << amount | lane >> (64 - amount)) & LANE


def code(funct7: int, funct3: int) -> int:
    """Return a function as units have it: {funct7, funct3}."""
    return funct7 << 3 | funct3


@dataclass
class Rotate:
    """`hf_unit_rotate`."""

    longest = 1
    """Clocks that an instruction may take."""

    def functions(self) -> list[int]:
        """Return all its instructions."""
        return [code(amount, word) for amount in range(64) for word in (0, 1)]

    def run(self, function: int, rs1: int, rs2: int) -> int | None:
        """Return rd; None where it may be anything."""
        turned = rol(rs2 << 32 | rs1, function >> 3)
        return turned >> 32 if function & 1 else turned & WORD


@dataclass
class Xor:
    """`hf_unit_xor`."""

    low: int = 0
    high: int = 0
    longest = 1

    def functions(self) -> list[int]:
        """Return all its instructions; those that keep words as often as the others together."""
        kept = [code(0, 2), code(0, 4)] * 32
        return [code(amount, word) for amount in range(64) for word in (0, 1, 3)] + kept

    def run(self, function: int, rs1: int, rs2: int) -> int | None:
        """Return rd."""
        amount, operation = function >> 3, function & 7
        if operation < 2:
            return Rotate().run(function, rs1, rs2)
        if operation == 2:
            rd, self.low = self.high, rs1 ^ rs2
        elif operation == 3:
            turned = rol((rs1 ^ rs2) << 32 | self.low, amount)
            self.high, rd = turned >> 32, turned & WORD
        else:
            rd, self.low = self.low ^ (~rs1 & rs2 & WORD), rs1
        return rd


@dataclass
class Pairs:
    """`hf_unit_pairs`."""

    effect: list[int] = field(default_factory=lambda: [0] * 5)
    parity: list[int] = field(default_factory=lambda: [0] * 5)
    row: list[int] = field(default_factory=lambda: [0] * 5)
    longest = 2

    def functions(self) -> list[int]:
        """Return all its instructions; those without an amount as often as the others together."""
        gathers = [code(64 + amount, x) for amount in range(64) for x in range(5)]
        return gathers + [code(64 + operation, 5) for operation in range(4)] * 80

    def run(self, function: int, rs1: int, rs2: int) -> int | None:
        """Return rd; None where it may be anything."""
        funct7, x = function >> 3, function & 7
        if x < 5:
            self.row = [*self.row[1:], rol((rs2 << 32 | rs1) ^ self.effect[x], funct7 - 64)]
        elif funct7 == 64:
            self._add(rs2 << 32 | rs1)
        elif funct7 == 65:
            c = self.parity
            self.effect = [c[i - 1] ^ rol(c[(i + 1) % 5], 1) for i in range(5)]
            self.parity = [0] * 5
        else:
            lane = self.row[0] ^ (~self.row[1] & self.row[2])
            if funct7 == 66:
                rd = lane & WORD ^ rs1
                self.parity[0] ^= rd
                return rd
            rd = lane >> 32 ^ rs1
            self._add(rd << 32)
            self.row = [*self.row[1:], self.row[0]]
            return rd
        return None

    def _add(self, lane: int) -> None:
        self.parity = [*self.parity[1:], self.parity[0] ^ lane]


@dataclass
class State:
    """`hf_unit_state`."""

    lanes: list[int] = field(default_factory=lambda: [0] * 25)
    turn: int = 0
    longest = 27 + 24

    def functions(self) -> list[int]:
        """Return all its instructions, permute and clear seldom."""
        return (
            [code(64, 6)] * 12 + [code(65, 6), code(66, 6)] * 6 + [code(67, 6)] * 2 + [code(68, 6)]
        )

    def run(self, function: int, rs1: int, rs2: int) -> int | None:
        """Return rd; None where it may be anything."""
        operation, rd = function >> 3, None
        if operation == 64:
            self.lanes[self.turn] ^= rs2 << 32 | rs1
        elif operation == 65:
            return self.lanes[self.turn] & WORD
        elif operation == 66:
            rd = self.lanes[self.turn] >> 32
        elif operation == 67:
            self.lanes, self.turn = list(keccak.keccak_f(self.lanes)), -1
        else:
            self.lanes, self.turn = [0] * 25, -1
        self.turn = (self.turn + 1) % 25
        return rd


Unit = Rotate | Xor | Pairs | State

UNITS: dict[str, Callable[[], Unit]] = {
    "hf_unit_rotate": Rotate,
    "hf_unit_xor": Xor,
    "hf_unit_pairs": Pairs,
    "hf_unit_state": State,
}
"""The models by their modules, after a reset."""


def operand(rng: random.Random) -> int:
    """Return an operand: some have one bit, or none."""
    return rng.choice([rng.getrandbits(32), rng.getrandbits(32), 1 << rng.randrange(32), 0, WORD])
