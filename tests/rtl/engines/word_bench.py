"""The word bench (docs/reference/word-contract.md): every word and every wait checked.

Runs inside the simulator; `test_word_contract.py` starts it. One coroutine drives and samples in
the middle of each clock, so nothing depends on the order of events at the edge.
"""

import hashlib
import os
import random
from collections.abc import Iterable
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly

from tests.support.states import ALL_ONES, WIDTH, keccak_f
from tests.support.word_contract import FORMULAS, Formula, Operation, Subject

CODES = {"add": 0, "read": 1, "permute": 2, "wipe": 3}
PERMUTE = Operation("permute")
WIPE = Operation("wipe")
RATE_BYTES = 136  # of SHA3-256 and SHAKE256
LONG, SLOW = 64, 200  # clocks of a gap, and of a permutation
NEW_JUNK = 0.1
"""Chance that the unused fields of an offer change in a clock while it stands."""


class Bench:
    """Drives one engine, and compares every word and every wait with the golden model's."""

    def __init__(self, dut: Any, subject: Subject) -> None:
        """Take the ports of `dut`, with a random generator seeded by the run's seed."""
        self.dut = dut
        self.subject = subject
        self.block = subject.block
        self.bits = subject.word_bits
        self.words = WIDTH // self.bits
        self.bytes = self.bits // 8
        self.rng = random.Random(cocotb.RANDOM_SEED)
        self.now = 0
        self.state = 0
        self.once: dict[int, int] | None = None
        """Bytes added to since the last permutation, by word, while rule 5 holds."""
        self.waits: dict[str, list[int]] = {kind: [] for kind in CODES}
        """Clocks that operations waited for, beyond those of a permutation."""
        self.intervals: list[int] = []
        """Clocks from permutations to the next ones, with nothing between them."""
        self._driven: Operation | None = None
        self._free = 0  # the earliest clock of the next permutation
        self._last: tuple[str, int] | None = None  # the last operation and its clock
        make = FORMULAS.get(subject.top)
        self._formula: Formula | None = make(subject.parameters) if make else None
        """Every wait, where it is known."""

    async def start(self) -> None:
        """Start the clock, reset, and wipe."""
        self.dut.rst_i.value = 1
        self._drive(None)
        Clock(self.dut.clk_i, 2, unit="ns").start()
        await self.reset()
        await self.do(WIPE)

    async def reset(self, clocks: int = 2) -> None:
        """Reset, whatever was offered; the next clock is the first without a reset."""
        for _ in range(clocks):
            await FallingEdge(self.dut.clk_i)
            self.dut.rst_i.value = 1
            self.now += 1
            self._drive(None)
        self.once, self._free, self._last = None, 0, None
        if self._formula is not None:
            self._formula.reset()

    ####################
    # Clocks           #
    ####################

    async def clock(self, offer: Operation | None) -> int | None:
        """Drive one clock; return `word_o` if the offer was accepted in it, None if not."""
        await FallingEdge(self.dut.clk_i)
        self.dut.rst_i.value = 0
        self.now += 1
        if offer is None or offer is not self._driven or self.rng.random() < NEW_JUNK:
            self._drive(offer)
        await ReadOnly()
        if offer is None or not int(self.dut.op_ready_o.value):
            return None
        return int(self.dut.word_o.value)

    def _drive(self, offer: Operation | None) -> None:
        """Put an offer on the ports, with junk in the fields that it does not have."""
        self._driven = offer
        self.dut.op_valid_i.value = int(offer is not None)
        junk = self.rng.getrandbits
        kind = None if offer is None else offer.kind
        self.dut.op_i.value = self._junk_code() if kind is None else CODES[kind]
        if offer is None or kind in ("permute", "wipe"):
            self.dut.op_addr_i.value = junk((self.words - 1).bit_length())
        else:
            self.dut.op_addr_i.value = offer.address
        if offer is None or kind != "add":
            self.dut.op_bytes_i.value = junk(self.bytes)
            self.dut.op_word_i.value = junk(self.bits)
        else:
            self.dut.op_bytes_i.value = offer.bytes
            self.dut.op_word_i.value = offer.word

    def _junk_code(self) -> int:
        """Return a code of no offer: after a permutation often a wipe's, which would clear it."""
        last, clock = self._last or ("", 0)
        if last == "permute" and self.now - clock <= 2 and self.rng.random() < 0.75:
            return CODES["wipe"]
        return self.rng.getrandbits(2)

    async def idle(self, clocks: int) -> None:
        """Offer nothing, with junk in all fields; it stays the same in most of a long time."""
        for _ in range(min(clocks, LONG)):
            await self.clock(None)
        if clocks > LONG:
            await ClockCycles(self.dut.clk_i, clocks - LONG, FallingEdge)
            self.now += clocks - LONG

    async def do(self, operation: Operation) -> int:
        """Offer an operation until it is accepted; return the clocks that it waited.

        A read's word is compared, and every wait with the engine's figures.
        """
        await self.idle(operation.gap)
        offered = self.now + 1
        bound = getattr(self.subject.waits, operation.kind)
        latest = max(offered, self._free) + bound
        where = f"{operation} offered in clock {offered}"
        while (word := await self.clock(operation)) is None:
            assert self.now < latest, f"{where}: not accepted by clock {latest}"
        if self._formula is not None:
            stated = self._formula.accepts(operation, offered)
            assert self.now == stated, f"{where}: accepted in clock {self.now}, not {stated}"
        self.waits[operation.kind].append(max(0, self.now - max(offered, self._free)))
        if operation.kind == "read":
            wrong = word ^ self.word(operation.address)
            assert not wrong, f"{where}: read {word:#x}, wrong in {wrong:#x}"
        self._done(operation)
        return self.now - offered

    async def play(self, operations: Iterable[Operation]) -> None:
        """Offer one after the other."""
        for operation in operations:
            await self.do(operation)

    def _done(self, operation: Operation) -> None:
        """Change the golden model."""
        if operation.kind == "add":
            self.state ^= operation.word << (self.bits * operation.address)
            if self.once is not None:
                taken = self.once.get(operation.address, 0)
                assert not taken & operation.bytes, "the bench breaks rule 5"
                self.once[operation.address] = taken | operation.bytes
        elif operation.kind == "permute":
            self.state = keccak_f(self.state)
            self.once = {}
            if self._last is not None and self._last[0] == "permute" and not operation.gap:
                self.intervals.append(self.now - self._last[1])
            self._free = self.now + self.block
        else:
            self.once = None
            if operation.kind == "wipe":
                self.state, self._free = 0, 0
        self._last = operation.kind, self.now

    ####################
    # Operations       #
    ####################

    def word(self, address: int) -> int:
        """Return a word of the golden model."""
        return self.state >> (self.bits * address) & ((1 << self.bits) - 1)

    def add(self, address: int, data: int | None = None, mask: int | None = None) -> Operation:
        """Return an add to the bytes `mask` (all) of a word, of `data` there (random)."""
        mask = (1 << self.bytes) - 1 if mask is None else mask
        named = sum(0xFF << 8 * i for i in range(self.bytes) if mask >> i & 1)
        data = self.rng.getrandbits(self.bits) if data is None else data
        return Operation("add", address, mask, data & named)

    def adds(self, data: int, addresses: Iterable[int] | None = None) -> list[Operation]:
        """Return adds of a whole state, or of these words of it."""
        chosen = range(self.words) if addresses is None else addresses
        return [self.add(i, data >> (self.bits * i) & ((1 << self.bits) - 1)) for i in chosen]

    def legal_add(self) -> Operation | None:
        """Return a random add that rule 5 allows, None if the word chosen is used up."""
        address = self.rng.randrange(self.words)
        taken = 0 if self.once is None else self.once.get(address, 0)
        left = [i for i in range(self.bytes) if not taken >> i & 1]
        if not left:
            return None
        whole = self.rng.random() < 0.5
        chosen = left if whole else self.rng.sample(left, self.rng.randint(1, len(left)))
        return self.add(address, mask=sum(1 << i for i in chosen))

    async def read_all(self, order: Iterable[int] | None = None) -> None:
        """Read every word."""
        for address in range(self.words) if order is None else order:
            await self.do(Operation("read", address))

    async def read_some(self, count: int = 12) -> None:
        """Read a few words: the ends and some more."""
        few = self.rng.sample(range(self.words), min(count, self.words))
        await self.read_all([0, self.words - 1, *few])

    def few(self, count: int) -> int:
        """Return how many permutations to have in place of `count`: fewer of a slow engine."""
        return max(min(count, 4), min(count, count * SLOW // self.block))

    def random_state(self) -> int:
        """Return a random state."""
        return self.rng.getrandbits(WIDTH)

    async def random_operations(self, count: int, gap: int) -> None:
        """Offer random operations, with random gaps of up to `gap` clocks."""
        for _ in range(count):
            kind = self.rng.choices(list(CODES), (50, 30, 12, 1))[0]
            operation: Operation | None = Operation(kind, self.rng.randrange(self.words))
            if kind == "add":
                operation = self.legal_add()
            if operation is not None:
                await self.idle(self.rng.randint(0, gap))
                await self.do(operation)


async def new_bench(dut: Any) -> Bench:
    """Return a bench whose engine has been reset and wiped."""
    bench = Bench(dut, Subject.read(os.environ["HF_WORD_ENGINE"]))
    await bench.start()
    return bench


####################
# Words            #
####################


@cocotb.test()
async def every_word(dut: Any) -> None:
    """Words added in random order and read in random order, forwards and backwards."""
    bench = await new_bench(dut)
    order = list(range(bench.words))
    await bench.read_all()
    bench.rng.shuffle(order)
    await bench.play(bench.adds(bench.random_state(), order))
    await bench.read_all(reversed(range(bench.words)))
    bench.rng.shuffle(order)
    await bench.read_all(order)
    await bench.read_all()


@cocotb.test()
async def each_word_twice(dut: Any) -> None:
    """Two reads of a word in a row, also with an add between them, which the second one sees.

    A slice for two reads has the word for the second one, and the next word some clocks later.
    """
    bench = await new_bench(dut)
    await bench.play(bench.adds(bench.random_state()))
    for gap in (0, 0, LONG):
        await bench.do(PERMUTE)
        for address in range(bench.words):
            first = await bench.do(Operation("read", address, gap=gap))
            second = await bench.do(Operation("read", address, gap=gap))
            if bench.subject.parameters.get("Twice"):
                assert second == 1
                assert first == 1 or not gap or not address
    for address in bench.rng.choices(range(bench.words), k=40):
        await bench.do(Operation("read", address))
        await bench.do(bench.add(address))
        for _ in range(bench.rng.randrange(1, 4)):
            await bench.do(Operation("read", address))


@cocotb.test()
async def every_byte(dut: Any) -> None:
    """Each byte of each word by itself, in random order; other bytes stay."""
    bench = await new_bench(dut)
    await bench.play(bench.adds(ALL_ONES))
    bytes_ = [(word, byte) for word in range(bench.words) for byte in range(bench.bytes)]
    bench.rng.shuffle(bytes_)
    for word, byte in bytes_:
        await bench.do(bench.add(word, mask=1 << byte))
    await bench.read_all()


@cocotb.test()
async def adds_twice(dut: Any) -> None:
    """Adds to the same bytes, after a wipe and after a read; a word read and written."""
    bench = await new_bench(dut)
    for _ in range(2):
        for address in (0, 1, bench.words - 1, bench.rng.randrange(bench.words)):
            for _ in range(3):
                await bench.do(bench.add(address))
            await bench.do(Operation("read", address))
            await bench.do(bench.add(address))
            await bench.do(Operation("read", address))
        await bench.do(PERMUTE)
        await bench.do(Operation("read", 0))
    for address in range(bench.words):
        await bench.do(Operation("read", address))
        await bench.do(bench.add(address, bench.word(address) ^ address))
    await bench.read_all()
    assert bench.word(bench.words - 1) == bench.words - 1


@cocotb.test()
async def gaps_between_words(dut: Any) -> None:
    """Words read, and changed as they have been read, in ascending order and with gaps."""
    bench = await new_bench(dut)
    await bench.play(bench.adds(bench.random_state()))
    for kind in ("read", "add", "read"):
        for address in range(bench.words):
            await bench.idle(bench.rng.choice((0, 0, 0, 1, 2, 5)))
            await bench.do(bench.add(address) if kind == "add" else Operation(kind, address))


@cocotb.test()
async def partial_words(dut: Any) -> None:
    """Every set of bytes of a word (a sample of those of 64 bits)."""
    bench = await new_bench(dut)
    masks = range(1, 1 << bench.bytes)
    for mask in bench.rng.sample(masks, min(len(masks), 40)):
        address = bench.rng.randrange(bench.words)
        await bench.do(bench.add(address, mask=mask))
        await bench.do(Operation("read", address))
    await bench.read_all()


@cocotb.test()
async def fields_of_no_offer(dut: Any) -> None:
    """Junk in all fields while nothing is offered (rule 7)."""
    bench = await new_bench(dut)
    await bench.play(bench.adds(bench.random_state()))
    for clocks in (2, 50, 2 * bench.block):
        await bench.idle(clocks)
        await bench.read_all()
        await bench.do(PERMUTE)
        await bench.idle(clocks)
        await bench.read_all()


####################
# Permutations     #
####################


@cocotb.test()
async def known_hashes(dut: Any) -> None:
    """SHA3-256 and SHAKE256 of messages of one and two blocks, by hashlib."""
    bench = await new_bench(dut)
    for length in (0, 1, RATE_BYTES - 1, RATE_BYTES, 200):
        message = bench.rng.randbytes(length)
        for suffix, wanted in (
            (0x06, hashlib.sha3_256(message).digest()),
            (0x1F, hashlib.shake_256(message).digest(3 * RATE_BYTES)),
        ):
            padded = bytearray(message + bytes([suffix]))
            padded += bytes(-len(padded) % RATE_BYTES)
            padded[-1] |= 0x80
            await bench.do(WIPE)
            for at in range(0, len(padded), RATE_BYTES):
                block = int.from_bytes(padded[at : at + RATE_BYTES], "little")
                await bench.play(bench.adds(block, range(RATE_BYTES // bench.bytes)))
                await bench.do(PERMUTE)
            digest = b""
            while len(digest) < len(wanted):
                if digest:
                    await bench.do(PERMUTE)
                for address in range(RATE_BYTES // bench.bytes):
                    await bench.do(Operation("read", address))
                    digest += bench.word(address).to_bytes(bench.bytes, "little")
            assert digest[: len(wanted)] == wanted, f"{length} bytes, suffix {suffix:#x}"


@cocotb.test()
async def known_states(dut: Any) -> None:
    """The permutation of zero, of all ones, and of states of one bit."""
    bench = await new_bench(dut)
    for state in (0, ALL_ONES, 1, 1 << (WIDTH - 1), 1 << bench.rng.randrange(WIDTH)):
        await bench.do(WIPE)
        if state:
            await bench.play(bench.adds(state))
        await bench.do(PERMUTE)
        await bench.read_all()


@cocotb.test()
async def reads_after_a_permutation(dut: Any) -> None:
    """Every word first, directly after the permutation and in each clock until it is complete."""
    bench = await new_bench(dut)
    await bench.play(bench.adds(bench.random_state()))
    longest = min(bench.block + 2, 64)
    for i in range(bench.few(64)):
        await bench.do(PERMUTE)
        await bench.idle(bench.block + 2 - i // 2 % longest if i % 2 else 0)
        await bench.do(Operation("read", i * 7 % bench.words))
        await bench.do(Operation("read", bench.rng.randrange(bench.words)))
    await bench.read_all()


@cocotb.test()
async def adds_after_a_permutation(dut: Any) -> None:
    """Adds offered at once, as a block; then a read of each word, or the next permutation."""
    bench = await new_bench(dut)
    for i in range(12):
        await bench.do(PERMUTE)
        rate = bench.rng.choice((1, bench.words // 2, bench.words))
        order = list(range(rate))
        if i % 3 == 2:
            bench.rng.shuffle(order)
        await bench.play(bench.adds(bench.random_state(), order))
        if i % 2:
            await bench.read_all()
            await bench.play(bench.adds(bench.random_state(), order[:3]))
    await bench.do(PERMUTE)
    for _ in range(2 * bench.words):
        if (add := bench.legal_add()) is not None:
            await bench.do(add)
    await bench.read_all()


@cocotb.test()
async def adds_between_permutations(dut: Any) -> None:
    """A word or two between permutations that no read separates, with and without gaps."""
    bench = await new_bench(dut)
    for i in range(bench.few(24)):
        await bench.do(PERMUTE)
        for address in bench.rng.sample(range(bench.words), 1 + i % 2):
            await bench.idle(bench.rng.choice((0, 1, bench.block - 2, bench.block)))
            await bench.do(bench.add(address))
        if i % 8 == 3:
            await bench.read_all()
    await bench.do(PERMUTE)
    await bench.read_all()


@cocotb.test()
async def back_to_back(dut: Any) -> None:
    """Permutations with nothing between them come at the interval that is stated."""
    bench = await new_bench(dut)
    await bench.play(bench.adds(bench.random_state()))
    bench.intervals.clear()
    for _ in range(count := bench.few(20)):
        await bench.do(PERMUTE)
    await bench.read_all()
    assert bench.intervals[1:] == [bench.block] * (count - 2), bench.intervals
    assert min(bench.intervals) == bench.block, bench.intervals


####################
# Wipes, resets    #
####################


async def _check_wiped(bench: Bench) -> None:
    """Wipe; there must be nothing left, in the state or for a later permutation."""
    await bench.do(WIPE)
    assert not bench.state
    await bench.read_all()
    await bench.do(PERMUTE)
    await bench.read_some()


@cocotb.test()
async def wipes(dut: Any) -> None:
    """A wipe in every situation: every word is zero then, and the next permutation is of zero."""
    bench = await new_bench(dut)
    await bench.play(bench.adds(bench.random_state()))
    await _check_wiped(bench)
    for _ in range(2):
        await bench.do(WIPE)
    await _check_wiped(bench)
    for gap in (0, 1, 2, bench.block // 2, bench.block - 1, bench.block):
        await bench.do(PERMUTE)
        await bench.idle(gap)
        await _check_wiped(bench)
    for count in (1, 2, bench.words // 2, bench.words):
        await bench.do(PERMUTE)
        await bench.play(bench.adds(bench.random_state(), range(count)))
        await _check_wiped(bench)
        await bench.play(bench.adds(bench.random_state(), range(count)))
        await bench.do(WIPE)
        await bench.do(PERMUTE)
        await bench.read_some()


@cocotb.test()
async def wipe_then_permute(dut: Any) -> None:
    """With no read between them: nothing of the old state is in the new one."""
    bench = await new_bench(dut)
    for i in range(6):
        await bench.play(bench.adds(bench.random_state(), range(bench.words if i % 2 else 3)))
        if i >= 3:
            await bench.do(PERMUTE)
        await bench.do(WIPE)
        await bench.do(PERMUTE)
        if i == 4:
            await bench.do(bench.add(0))
        await bench.read_all()


@cocotb.test()
async def resets(dut: Any) -> None:
    """A reset in any clock, also of an offer, ends all; a wipe follows."""
    bench = await new_bench(dut)
    block = bench.block
    gaps = [*range(0, block, max(1, block // bench.few(30))), block - 1, block, block + 1]
    for i, gap in enumerate(gaps):
        await bench.play(bench.adds(bench.random_state(), range(3)))
        if i % 4:
            await bench.do(PERMUTE)
        offer = (None, WIPE, Operation("read", bench.words - 1), PERMUTE)[i % 4]
        for _ in range(gap):
            if await bench.clock(offer) is not None:
                offer = None
        await bench.reset(1 + i % 2)
        await bench.do(WIPE)
        await bench.read_some(4)
        await bench.do(PERMUTE)
        await bench.read_some(4)


####################
# Clocks           #
####################


@cocotb.test()
async def longest_waits(dut: Any) -> None:
    """Each operation waits as long as is stated, and not longer, with every distance of words."""
    bench = await new_bench(dut)
    sweep = range(bench.words) if bench.words <= 100 else range(0, bench.words, 2)
    for distance in [*sweep, bench.words - 2, bench.words - 1]:
        start = bench.rng.randrange(bench.words)
        for kind in ("read", "add"):
            await bench.do(Operation("read", start))
            other = (start + distance) % bench.words
            await bench.do(Operation("read", other) if kind == "read" else bench.add(other))
    # From a lane's first word to the last one of another.
    part = 64 // bench.subject.word_bits
    for kind in ("read", "add"):
        await bench.do(Operation("read", 3 * part))
        other = 6 * part - 1
        await bench.do(Operation("read", other) if kind == "read" else bench.add(other))
    for kind in ("read", "add"):
        for address in (0, 1, bench.words - 2, bench.words - 1):
            await bench.do(bench.add(address))
            await bench.do(PERMUTE)
            await bench.do(bench.add(address) if kind == "add" else Operation("read", address))
            await bench.do(PERMUTE)
            await bench.do(Operation("read", address))
    for address in [*range(bench.few(20)), bench.words - 1]:
        for operation in (bench.add(address), Operation("read", address)):
            await bench.do(operation)
            await bench.do(WIPE)
            await bench.do(operation)
            if address % 2 == 0:
                await bench.do(PERMUTE)
                await bench.do(operation)
            await bench.do(PERMUTE)
            await bench.do(WIPE)
    await bench.play([WIPE, PERMUTE, WIPE, WIPE])
    await bench.do(PERMUTE)
    await bench.idle(bench.block // 2)
    await bench.reset(1)
    await bench.do(WIPE)
    await bench.random_operations(bench.few(200), 0)
    for kind, waits in bench.waits.items():
        stated = getattr(bench.subject.waits, kind)
        assert max(waits) == stated, f"{kind} waits {max(waits)} clocks at most, not {stated}"


####################
# Traffic          #
####################


@cocotb.test()
async def random_traffic(dut: Any) -> None:
    """Random operations, with short and long gaps, and without."""
    bench = await new_bench(dut)
    for gap in (0, 2, 2 * bench.block, 0):
        await bench.random_operations(bench.few(150), gap)
    await bench.read_all()
