"""The same load for every engine: single-block messages at a given duty, every state checked.

Time is divided into intervals ("turns") of `turn_clocks` clock cycles: the interval of single-block
messages in one slot at full load, measured on the engine itself. In each interval each slot gets a
message or none. The duty is the share of slots that get one; which ones is drawn from the seed.
Counting begins after two intervals: one with every slot filled, so that the registers hold the
values that they have in use, and a copy of the last counted interval, so that the work in progress
is the same at the beginning and at the end of the counted part.
"""

import hashlib
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from hashfabric.base.errors import LabError
from hashfabric.models import keccak
from hashfabric.models.family import Function
from hashfabric.registry.designs import Timing

_RESET_CLOCKS = 4
_PATIENCE = 20_000  # clock cycles without an accepted block or an output state: the engine hangs


class Engine(Protocol):
    """An engine at its contract ports, as `gates.GateSim` simulates it."""

    def rise(self) -> None:
        """Raise the clock."""

    def fall(self) -> None:
        """Lower the clock."""

    def end_clock(self) -> None:
        """End a clock cycle."""

    def drive(self, values: dict[str, int]) -> None:
        """Change inputs."""

    def read(self, name: str) -> int:
        """Return the value of a port."""

    def counting(self, on: bool) -> None:
        """Begin or end counting."""


Golden = Callable[[int], bytes]
"""Returns the state after a block that is a whole message: 200 bytes."""


def keccak_state(block: int, rounds: int = keccak.ROUNDS) -> bytes:
    """Return the state after a single block, by the golden model."""
    return keccak.state_bytes(keccak.absorb([0] * 25, block, rounds))


@dataclass(frozen=True)
class StimulusMessage:
    """One message of one block, its padded block, and the expected state."""

    data: bytes
    block: int
    state: bytes


class Messages:
    """Random messages that fill one block each, drawn from a seed."""

    def __init__(self, function: Function, seed: int, golden: Golden | None = None) -> None:
        """Draw messages for `function`; `golden` gives other states to expect than the model."""
        self._function = function
        self._golden = golden or partial(keccak_state, rounds=function.rounds)
        self._own = golden is None
        self._rng = random.Random(seed)
        self._bytes = (function.rate_bits - function.suffix_bits - 2) // 8

    def draw(self) -> StimulusMessage:
        """Return the next message."""
        data = self._rng.randbytes(self._bytes)
        [block] = keccak.padded(self._function, data, 8 * len(data))
        return StimulusMessage(data, block, self._golden(block))

    def wrong(self, message: StimulusMessage, state: bytes) -> str:
        """Return the fault of the state after `message`; empty if there is none.

        A SHA-3 digest is also compared with hashlib, which is independent of the golden model.
        """
        if state != message.state:
            return "wrong state"
        if self._own and self._function.name.startswith("sha3-"):
            name = self._function.name.replace("-", "_")
            digest = hashlib.new(name, message.data).digest()
            if state[: len(digest)] != digest:
                return f"wrong {self._function.name} digest"
        return ""


@dataclass(frozen=True)
class Counted:
    """The counted part of a run; `checked` is the number of correct states of the whole run."""

    turn_clocks: int
    clocks: int
    slot_turns: int
    blocks: int
    checked: int


@dataclass
class _Slot:
    offers: deque[StimulusMessage] = field(default_factory=deque)
    under_way: deque[StimulusMessage] = field(default_factory=deque)


class Bench:
    """Runs an engine by the contract (docs/reference/contract.md) and checks each output state."""

    def __init__(
        self, engine: Engine, timing: Timing, messages: Messages, *, reset: str = "rst_i"
    ) -> None:
        """Reset the engine, which has `timing` and gets `messages`."""
        self._engine = engine
        self._timing = timing
        self._messages = messages
        self._slots = [_Slot() for _ in range(timing.slots)]
        self._now = 0
        self._data: dict[int, int] = {}  # blk_i by the clock it is read in
        self._leaving: deque[tuple[int, int]] = deque()  # clock on st_o, slot
        self.handshakes: list[tuple[int, int]] = []
        """Every accepted block so far: its clock cycle and its slot."""
        self.checked = 0
        """Correct states so far."""
        engine.drive({reset: 1, "st_ready_i": 1, "blk_first_i": 1, "blk_last_i": 1})
        for _ in range(_RESET_CLOCKS):
            engine.rise()
            engine.fall()
        engine.drive({reset: 0})

    def offer(self, slot: int) -> None:
        """Queue one message for a slot."""
        self._slots[slot].offers.append(self._messages.draw())

    def run(self, clocks: int) -> None:
        """Run `clocks` clock cycles."""
        for _ in range(clocks):
            self._clock()

    def drain(self) -> None:
        """Run until every message's state has been output; `LabError` if one never is."""
        patience = 0
        while self._leaving or any(slot.offers or slot.under_way for slot in self._slots):
            seen = self.checked, len(self.handshakes)
            self._clock()
            patience = 0 if (self.checked, len(self.handshakes)) != seen else patience + 1
            if patience > _PATIENCE:
                raise LabError(f"gate-level simulation: hangs: nothing in {_PATIENCE} clocks")

    def _clock(self) -> None:
        engine, now = self._engine, self._now
        engine.rise()
        shown = engine.read("blk_slot_o")
        if shown >= len(self._slots):
            raise LabError(f"gate-level simulation: clock {now}: blk_slot_o is {shown}")
        slot = self._slots[shown]
        inputs = {"blk_valid_i": int(bool(slot.offers))}
        if self._timing.data_delay == 0 and slot.offers:
            inputs["blk_i"] = slot.offers[0].block
        elif now in self._data:
            inputs["blk_i"] = self._data.pop(now)
        elif self._timing.zero_between:
            inputs["blk_i"] = 0
        engine.drive(inputs)  # Other inputs keep their values.
        engine.fall()
        if slot.offers and engine.read("blk_ready_o"):
            message = slot.offers.popleft()
            slot.under_way.append(message)
            self.handshakes.append((now, shown))
            if self._timing.data_delay:
                self._data[now + self._timing.data_delay] = message.block
        if engine.read("st_valid_o"):
            self._leaving.append((now + self._timing.data_delay, engine.read("st_slot_o")))
        if self._leaving and self._leaving[0][0] == now:
            self._check(self._leaving.popleft()[1])
        engine.end_clock()
        self._now += 1

    def _check(self, index: int) -> None:
        where = f"gate-level simulation: clock {self._now}, slot {index}"
        if index >= len(self._slots) or not self._slots[index].under_way:
            raise LabError(f"{where}: a state that no block asked for")
        message = self._slots[index].under_way.popleft()
        state = self._engine.read("st_o").to_bytes(200, "little")
        if fault := self._messages.wrong(message, state):
            raise LabError(f"{where}: {fault}")
        self.checked += 1


def turn_clocks(bench: Bench, slots: int) -> int:
    """Measure the clock cycles between two single-block messages of one slot, all slots in use."""
    for slot in range(slots):
        for _ in range(4):
            bench.offer(slot)
    bench.drain()
    first = [clock for clock, slot in bench.handshakes if slot == 0]
    return first[-1] - first[-2]


def pattern(slots: int, turns: int, duty: float, seed: int) -> list[list[bool]]:
    """Return which slots get a message in each turn: the share `duty`, drawn from `seed`."""
    count = round(duty * slots * turns)
    chosen = random.Random(seed).sample(range(slots * turns), count)
    filled = set(chosen)
    return [[turn * slots + slot in filled for slot in range(slots)] for turn in range(turns)]


def counted_run(bench: Bench, engine: Engine, turns: list[list[bool]], clocks: int) -> Counted:
    """Run `turns` of `clocks` each and count; `LabError` if a block is not accepted in time."""

    def run_turn(filled: list[bool]) -> None:
        for slot, wanted in enumerate(filled):
            if wanted:
                bench.offer(slot)
        bench.run(clocks)

    run_turn([True] * len(turns[0]))
    run_turn(turns[-1])
    before = len(bench.handshakes)
    engine.counting(True)
    for filled in turns:
        run_turn(filled)
    engine.counting(False)
    blocks = len(bench.handshakes) - before
    wanted_blocks = sum(sum(filled) for filled in turns)
    if blocks != wanted_blocks:
        raise LabError(f"gate-level simulation: {blocks} blocks taken in place of {wanted_blocks}")
    bench.drain()
    return Counted(
        turn_clocks=clocks,
        clocks=clocks * len(turns),
        slot_turns=len(turns) * len(turns[0]),
        blocks=blocks,
        checked=bench.checked,
    )
