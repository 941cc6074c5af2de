"""Proof: the rounds of hf_keccak_tiny are Keccak's, and its wipe leaves nothing.

Yosys makes gates of the RTL, with the memories as they are. The gates are then simulated with
polynomials over GF(2) for data: the state before a round has a variable for each bit. What the
engine does in which clock does not depend on data, so control is simulated with constants. Whatever
is not known (registers after power-on, ports while the engine is busy) is `None`, which spreads.
Each byte that a round writes is compared, as a polynomial, with the round of FIPS 202, and is then
replaced by new variables for the next round. So all states are covered, and all 24 rounds with
their constants. The memories are modelled here.
"""

import hashlib
import json
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from hashfabric.base.paths import BUILD
from hashfabric.base.yosys import run_script
from hashfabric.models.keccak import RHO_OFFSETS, ROUND_CONSTANTS, ROUNDS
from hashfabric.registry.sources import closure

TOP = "hf_keccak_tiny"
PACKAGE = "rtl/keccak/hf_keccak_tiny_pkg.sv"
BITS = 1600
LONGEST = 1000
"""Clocks that an operation waits while nothing runs, at most."""
LANES_USED = 240
"""Words of u_lanes in use: 200 bytes of lanes, 40 of theta's effect."""

Bit = frozenset[tuple[int, ...]] | None
"""A polynomial, the set of its terms, each of up to two variables; None if not known."""

ZERO: Bit = frozenset()
ONE: Bit = frozenset({()})


def add(a: Bit, b: Bit) -> Bit:
    """Return a ^ b."""
    return None if a is None or b is None else a ^ b


def multiply(a: Bit, b: Bit) -> Bit:
    """Return a & b; not known beyond degree 2, which no round has."""
    if ZERO in (a, b):
        return ZERO
    if ONE in (a, b):
        return b if a == ONE else a
    if a is None or b is None:
        return None
    terms: set[tuple[int, ...]] = set()
    for one in a:
        for other in b:
            term = tuple(sorted({*one, *other}))
            if len(term) > 2:
                return None
            terms ^= {term}
    return frozenset(terms)


def choose(a: Bit, b: Bit, second: Bit) -> Bit:
    """Return b if `second`, else a."""
    if second in (ZERO, ONE):
        return b if second == ONE else a
    return a if a == b else add(a, multiply(second, add(a, b)))


def gate(kind: str, pins: dict[str, Bit]) -> Bit:
    """Return the output of one of yosys' simple gates."""
    a, b = pins["A"], pins.get("B", ZERO)
    match kind:
        case "$_NOT_":
            return add(a, ONE)
        case "$_AND_":
            return multiply(a, b)
        case "$_OR_":
            return add(multiply(add(a, ONE), add(b, ONE)), ONE)
        case "$_XOR_":
            return add(a, b)
        case "$_MUX_":
            return choose(a, b, pins["S"])
        case _:
            raise AssertionError(kind)


class Memory:
    """hf_rom, hf_ram or hf_ram_1, by its ports: a word two clocks after its address."""

    def __init__(self, pins: dict[str, list[Any]], words: list[list[Bit]]) -> None:
        """Take the nets of its ports and what it holds."""
        self.pins, self.words = pins, words
        width = len(words[0])
        self.latch: list[Bit] = [None] * width
        self.out: list[Bit] = [None] * width

    def clock(self, value: Any, replace: Any) -> None:
        """Do what a clock does; `replace` sees an address and a word and returns what is stored."""
        self.out = self.latch
        where = number(value(self.pins.get("read_addr_i") or self.pins["addr_i"]))
        unknown: list[Bit] = [None] * len(self.latch)
        word = unknown if where is None else self.words[where]
        if value(self.pins.get("write_i", ["0"])) == [ZERO]:
            self.latch = word
            return
        written = number(value(self.pins.get("write_addr_i") or self.pins["addr_i"]))
        if value(self.pins["write_i"]) != [ONE] or written is None:
            # Any word may be written, so none is known any more.
            self.words = [unknown] * len(self.words)
            self.latch = unknown
            return
        self.words[written] = replace(written, value(self.pins["write_data_i"]))
        if "read_addr_i" in self.pins:  # a word is not read in the clock that writes it
            self.latch = unknown if where == written else word


def number(bits: list[Bit]) -> int | None:
    """Return a constant, None if it is not known."""
    if any(bit not in (ZERO, ONE) for bit in bits):
        return None
    return sum(1 << i for i, bit in enumerate(bits) if bit == ONE)


class Engine:
    """The gates of hf_keccak_tiny, simulated a clock at a time."""

    def __init__(self, package: str | None = None) -> None:
        """Synthesise it, with another text of its package if one is given."""
        design = gates(package)
        top = design[TOP]
        self.values: dict[int | str, Bit] = {"0": ZERO, "1": ONE, "x": None}
        self.ports = {name: port["bits"] for name, port in top["ports"].items()}
        self.registers: list[tuple[int, int]] = []
        self.memories: dict[str, Memory] = {}
        logic = []
        for name, cell in top["cells"].items():
            kind, pins = cell["type"], cell["connections"]
            if kind == "$_DFF_P_":
                self.registers.append((pins["Q"][0], pins["D"][0]))
                self.values[pins["Q"][0]] = None
            elif kind in design:
                self.memories[name] = Memory(pins, words(design[kind], kind.startswith("hf_rom")))
                for port in ("data_o", "read_data_o"):
                    self.values |= dict.fromkeys(pins.get(port, []))
            else:
                logic.append((kind, {port: bits[0] for port, bits in pins.items()}))
        for bits in self.ports.values():
            self.values |= dict.fromkeys(bits)
        self.order = list(self._ordered(logic))
        self.replace: dict[str, Any] = {}

    def _ordered(self, logic: list[tuple[str, dict[str, Any]]]) -> Iterator[tuple[str, Any]]:
        """Return the gates, each after those of its inputs."""
        made = {pins["Y"] for _, pins in logic}
        known = set(self.values) - made
        while logic:
            later = []
            for kind, pins in logic:
                if all(net in known for port, net in pins.items() if port != "Y"):
                    known.add(pins["Y"])
                    yield kind, pins
                else:
                    later.append((kind, pins))
            assert len(later) < len(logic), "a loop of gates"
            logic = later

    def value(self, nets: list[Any]) -> list[Bit]:
        """Return the values of nets."""
        return [self.values[net] for net in nets]

    def drive(self, **ports: int | None) -> None:
        """Set inputs, and follow the gates."""
        for name, data in ports.items():
            for i, net in enumerate(self.ports[name]):
                self.values[net] = None if data is None else (ZERO, ONE)[data >> i & 1]
        for kind, pins in self.order:
            inputs = {port: self.values[net] for port, net in pins.items() if port != "Y"}
            self.values[pins["Y"]] = gate(kind, inputs)

    def clock(self) -> None:
        """End the clock cycle."""
        taken = [(q, self.values[d]) for q, d in self.registers]
        for name, memory in self.memories.items():
            memory.clock(self.value, self.replace.get(name, lambda _, word: word))
        self.values |= dict(taken)
        for memory in self.memories.values():
            for port in ("data_o", "read_data_o"):
                self.values |= dict(zip(memory.pins.get(port, []), memory.out, strict=False))

    def reset(self) -> None:
        """Reset it, with nothing known before."""
        for _ in range(4):
            self.drive(rst_i=1, op_valid_i=0, op_i=None, op_addr_i=None, op_word_i=None)
            self.clock()

    def accept(self, operation: int, address: int | None = None) -> None:
        """Offer an operation until the clock in which it is accepted, which has not ended then."""
        for _ in range(LONGEST):
            self.drive(rst_i=0, op_valid_i=1, op_i=operation, op_addr_i=address, op_word_i=None)
            ready = self.value(self.ports["op_ready_o"])
            assert ready in ([ZERO], [ONE]), "op_ready_o depends on data"
            if ready == [ONE]:
                return
            self.clock()
        raise AssertionError("not accepted")


def gates(package: str | None) -> dict[str, Any]:
    """Return yosys' modules: the top in simple gates, memories as they are."""
    files = closure(TOP)
    if package is not None:
        assert package != files[PACKAGE], "no fault"
        files[PACKAGE] = package
    key = hashlib.sha256(repr(files).encode()).hexdigest()[:16]
    directory = BUILD / "formal" / f"tiny-{key}"
    for path, text in files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")
    script = [
        f"read_slang --threads 1 --keep-hierarchy --top {TOP} {' '.join(files)}",
        "proc; opt -full; memory_collect; techmap; simplemap",
        "dfflegalize -cell $_DFF_P_ x; simplemap; opt_clean",
        "write_json gates.json",
    ]
    run_script(script, directory, name="gates")
    text = Path(directory / "gates.json").read_text(encoding="utf-8")
    modules: dict[str, Any] = json.loads(text)["modules"]
    return modules


def words(module: dict[str, Any], read_only: bool) -> list[list[Bit]]:
    """Return what a memory holds at first: the program; of others nothing is known."""
    (memory,) = [cell for cell in module["cells"].values() if cell["type"] == "$mem_v2"]
    parameters = memory["parameters"]
    width, size = int(parameters["WIDTH"], 2), int(parameters["SIZE"], 2)
    if not read_only:
        return [[None] * width for _ in range(size)]
    bits = [ONE if bit == "1" else ZERO for bit in reversed(parameters["INIT"])]
    return [bits[width * i : width * (i + 1)] for i in range(size)]


def variables(index: int) -> list[Bit]:
    """Return the state before round `index`: a variable for each bit."""
    return [frozenset({(BITS * index + i,)}) for i in range(BITS)]


def parities(state: list[Bit]) -> list[list[Bit]]:
    """Return theta's five parities, 64 bits each (FIPS 202, algorithm 1)."""
    return [[reduce(add, state[64 * x + z :: 320]) for z in range(64)] for x in range(5)]


def effect(state: list[Bit]) -> list[list[Bit]]:
    """Return what theta adds to the lanes x."""
    c = parities(state)
    return [[add(c[x - 1][z], c[(x + 1) % 5][z - 1]) for z in range(64)] for x in range(5)]


def effect_words(state: list[Bit]) -> list[list[Bit]]:
    """Return the same as the words of u_lanes: bit 0 lacks a term, the word before has it."""
    c, d = parities(state), effect(state)
    return [
        [c[x - 1][at], *d[x][at + 1 : at + 8], c[(x + 1) % 5][at + 7]]
        for x in range(5)
        for at in range(0, 64, 8)
    ]


def one_round(state: list[Bit], index: int) -> list[Bit]:
    """Return the state after a round (FIPS 202, section 3.3)."""
    added = effect(state)
    lanes: list[list[Bit]] = [[]] * 25
    for y in range(5):
        for x in range(5):
            at, count = 64 * (5 * y + x), RHO_OFFSETS[5 * y + x]
            lane = [add(state[at + z], added[x][z]) for z in range(64)]
            lanes[5 * ((2 * x + 3 * y) % 5) + y] = [lane[z - count] for z in range(64)]
    after: list[Bit] = []
    for y in range(5):
        for x in range(5):
            a, b, c = (lanes[5 * y + (x + i) % 5] for i in range(3))
            after += [add(p, multiply(add(q, ONE), r)) for p, q, r in zip(a, b, c, strict=True)]
    constant = ROUND_CONSTANTS[index]
    return [add(bit, ONE) if constant >> i & 1 else bit for i, bit in enumerate(after)]


class Rounds:
    """Compares what the memories are given, and replaces it by the next round's variables."""

    def __init__(self, engine: Engine) -> None:
        """Give the engine a state of variables; it first computes theta's effect on that."""
        self.index = -1
        self._expect(variables(0))
        self.left -= {*range(200)}
        for address in range(200):
            engine.memories["u_state"].words[address] = self.named[address]
        engine.replace = {"u_state": self.take, "u_lanes": self.take_effect}

    def _expect(self, state: list[Bit]) -> None:
        """Expect this state of the current round, and theta's effect on it."""
        self.wanted = [*in_bytes(state), *effect_words(state)]
        named = variables(self.index + 1)
        self.named = [*in_bytes(named), *effect_words(named)]
        self.left = {*range(LANES_USED)}

    def take(self, address: int, word: list[Bit]) -> list[Bit]:
        """Compare a byte of the state, 200 to 239 a word of theta's effect; return its new name."""
        if not self.left:
            self.index += 1
            self._expect(one_round(variables(self.index), self.index))
        self.left.remove(address)
        assert word == self.wanted[address], f"round {self.index}: word {address} is wrong"
        return self.named[address]

    def take_effect(self, address: int, word: list[Bit]) -> list[Bit]:
        """Take a word of u_lanes; lanes are not compared."""
        return word if address < 200 else self.take(address, word)


def in_bytes(bits: list[Bit]) -> list[list[Bit]]:
    """Return the bytes of bits."""
    return [bits[i : i + 8] for i in range(0, len(bits), 8)]


def prove_rounds(engine: Engine, count: int) -> Rounds:
    """Simulate a permutation for `count` rounds, from any state."""
    engine.reset()
    engine.accept(3)
    for _ in range(4):  # until it is idle
        engine.clock()
        engine.drive(op_valid_i=0)
    rounds = Rounds(engine)
    engine.accept(2)
    engine.clock()
    while rounds.index < count - 1 or rounds.left > {*range(200, LANES_USED)}:
        engine.drive(op_valid_i=None, op_i=None)
        engine.clock()
    return rounds


def test_a_round() -> None:
    """The first round, from any state."""
    prove_rounds(Engine(), 1)


@pytest.mark.slow
def test_permutation() -> None:
    """All rounds; then the engine stops, with the state in its place."""
    engine = Engine()
    prove_rounds(engine, ROUNDS)
    for address in (0, 1, 198, 199):
        engine.accept(1, address)
        assert engine.value(engine.ports["word_o"]) == in_bytes(variables(ROUNDS))[address]
        engine.clock()


def test_a_wipe() -> None:
    """It leaves nothing, whatever was there: when it is accepted, each bit is constant."""
    engine = Engine()
    engine.reset()
    engine.accept(3)
    engine.clock()
    known = {ZERO, ONE}
    for name, used in (("u_state", 200), ("u_lanes", LANES_USED)):
        memory = engine.memories[name]
        assert all(word == [ZERO] * len(word) for word in memory.words[:used]), name
        assert {*memory.latch, *memory.out} <= known, name
    unknown = [q for q, _ in engine.registers if engine.values[q] not in known]
    assert not unknown, f"{len(unknown)} registers"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param("pair != 2", "pair != 3", marks=pytest.mark.slow),
        ("2 * x + 3 * y, j", "2 * x + 3 * y + 5, j + 1"),
        pytest.param(
            "p[cycle+3].clear_0 = i != 0", "p[cycle+3].clear_0 = 1'b1", marks=pytest.mark.slow
        ),
        pytest.param("add_feedback = row != 0", "add_feedback = 1'b1", marks=pytest.mark.slow),
        ("ShiftsBefore = 144", "ShiftsBefore = 143"),
    ],
)
def test_faults_are_found(text: str, fault: str) -> None:
    """A program with a fault is not proved."""
    package = closure(TOP)[PACKAGE]
    with pytest.raises(AssertionError, match="is wrong"):
        prove_rounds(Engine(package.replace(text, fault)), 1)
