"""Sixteen hashes at random, by the C driver, on a peripheral that holds one (driver.py)."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from hashfabric.models import functions
from hashfabric.models.family import Function
from hashfabric.models.functions import KECCAK
from tests.driver.driver import OPEN, Clocked, Context, Driver, DriverError
from tests.support.oracles import library_digest


def expect(error: str, call: Callable[[], object]) -> None:
    """Whatever is called is to return this error."""
    try:
        call()
    except DriverError as raised:
        assert raised.error.name == error
    else:
        raise AssertionError(f"no error, where {error} was to be")


@dataclass
class Hash:
    """A hash of the test below: its context, and what is to come out of it."""

    function: Function
    context: Context
    message: bytearray = field(default_factory=bytearray)
    rest: int = 0  # bits after it
    last: int = 0
    limit: int | None = None  # bits of output; OPEN
    output: bytearray = field(default_factory=bytearray)

    @property
    def due(self) -> int:
        """Bytes that may still be squeezed."""
        assert self.limit is not None
        return 10_000 if self.limit == OPEN else -(-self.limit // 8) - len(self.output)

    def expected(self, count: int) -> bytes:
        """Return the first bytes of the output, from a library or, if none has it, the model."""
        bits = 8 * len(self.message) + self.rest
        data = bytes(self.message) + bytes([self.last] if self.rest else [])
        wanted = 8 * count
        if self.limit is not None and self.limit != OPEN:
            wanted = min(wanted, self.limit)
        if not self.function.xof:
            wanted = self.function.digest_bits
        found = library_digest(self.function, data, bits=bits, output_bits=wanted)
        if found is None:
            found = functions.digest(
                self.function, data, bits=bits, output_bits=wanted if self.function.xof else None
            )
        return found[:count]


class Player:
    """Sixteen hashes on one slot, at random."""

    def __init__(self, driver: Driver, sim: Clocked, seed: int) -> None:
        """Begin them."""
        self.driver, self.sim, self.rng = driver, sim, random.Random(seed)
        self.hashes = [self.new() for _ in range(16)]
        self.compared = 0  # bytes of output

    def new(self) -> Hash:
        """Begin another one."""
        function = self.rng.choice(list(KECCAK.values()))
        return Hash(function, self.driver.context(function))

    def play(self, steps: int) -> None:
        """Do `steps` steps, and stop all hashes."""
        for _ in range(steps):
            self.step()
        for at, one in enumerate(self.hashes):
            if self.rng.random() < 0.7:
                self.end(one)
                self.squeeze(at, one)
            self.hashes[at].context.stop()
        assert self.compared > steps

    def end(self, one: Hash) -> None:
        """End a message, if it has not ended."""
        if one.limit is not None:
            return
        one.limit = one.function.digest_bits
        if one.function.xof:
            one.limit = OPEN if self.rng.random() < 0.5 else self.rng.randrange(1, 6000)
        one.context.end(one.limit)

    def step(self) -> None:
        """Do something with one of them."""
        rng = self.rng
        at = rng.randrange(len(self.hashes))
        one = self.hashes[at]
        match rng.randrange(12):
            case 0:
                one.context.save()
            case 1:
                one.context.restore()
            case 2 if rng.random() < 0.3:
                one.context.stop()
                self.hashes[at] = self.new()
                return
            case 3 if rng.random() < 0.5:
                other = rng.randrange(len(self.hashes))
                if other != at:
                    self.hashes[other].context.stop()
                    self.hashes[other] = Hash(
                        one.function,
                        one.context.copy(),
                        bytearray(one.message),
                        one.rest,
                        one.last,
                        one.limit,
                        bytearray(one.output),
                    )
            case 4 | 5 | 6 | 7 | 8 if one.limit is None and not one.rest:
                data = rng.randbytes(rng.choice([0, 1, 3, 4, 31, 64, rng.randrange(500)]))
                if rng.random() < 0.3:
                    self.driver.finish(self.driver.begin(one.context, data), self.sim)
                else:
                    one.context.update(data)
                one.message += data
            case 9 if one.limit is None:
                if rng.random() < 0.3:
                    one.rest, one.last = rng.randrange(8), rng.getrandbits(8)
                    one.context.last_bits(one.last, one.rest)
                self.end(one)
            case 10 | 11 if one.limit is not None:
                self.squeeze(at, one)

    def squeeze(self, at: int, one: Hash) -> None:
        """Take some output, or all; compare it."""
        rng = self.rng
        count = min(rng.choice([0, 1, 4, 30, 168, rng.randrange(1200)]), one.due)
        if rng.random() < 0.3:
            one.output += self.driver.finish(self.driver.begin(one.context, b"", count), self.sim)
        else:
            one.output += one.context.squeeze(count)
        self.compared += count
        assert bytes(one.output) == one.expected(len(one.output)), one.function.name
        if one.due == 0:
            expect("SEQUENCE", lambda: one.context.squeeze(1))
            self.hashes[at] = self.new()
        elif len(one.output) > 3000:
            one.context.stop()
            self.hashes[at] = self.new()
