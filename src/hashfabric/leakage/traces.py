"""Fixed-against-random t-test on a mapped netlist, simulated with glitches: traces.cpp."""

import ctypes
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hashfabric.base.errors import LabError
from hashfabric.netlist.circuit import MAX_INPUTS, ONE, ZERO, Circuit
from hashfabric.netlist.lanes import LANES, lane_arrays, lane_library

LIMIT = 4.5
"""Above this |t| there is leakage (Goodwill, Jun, Jaffe, Rohatgi, 2011)."""

_SOURCE = Path(__file__).with_name("traces.cpp")
_LONGEST_DELAY = 3
_CONSTANT, _RANDOM, _SECRET = range(3)


@dataclass
class Stimulus:
    """What is driven in each clock, in all traces; registers are driven in clock 0 only.

    Nets keep what they were driven to. `fixed` has the value of each secret in the traces of the
    group whose secrets are fixed. Clocks before `measured_from` are not measured.
    """

    clocks: int
    measured_from: int
    fixed: list[int] = field(default_factory=list)
    drives: list[tuple[int, int, int, int, tuple[int, ...]]] = field(default_factory=list)

    def constant(self, clock: int, net: int, value: int) -> None:
        """Drive a net to a constant."""
        self.drives.append((clock, net, _CONSTANT, value, ()))

    def random(self, clock: int, net: int) -> None:
        """Drive a net to a new random bit."""
        self.drives.append((clock, net, _RANDOM, 0, ()))

    def secret(self, clock: int, shares: Sequence[int], fixed: int) -> None:
        """Drive nets to the shares of a new secret, which in the other group is `fixed`."""
        first, *others = shares
        for net in others:
            self.random(clock, net)
        self.fixed.append(fixed)
        self.drives.append((clock, first, _SECRET, len(self.fixed) - 1, tuple(others)))


@dataclass(frozen=True)
class TTest:
    """The values of t: of each clock, and of each pair of clocks (a clock with itself too)."""

    traces: int
    first: list[float]
    second: dict[tuple[int, int], float]
    read: list[int]
    """Nets that were asked for, in the last trace after its last clock."""
    read_fixed: bool
    """Whether the secrets of that trace are the fixed ones."""

    @property
    def worst(self) -> float:
        """The largest |t| of first order."""
        return max(map(abs, self.first))

    @property
    def worst_second(self) -> float:
        """The largest |t| of second order, in one clock and in two."""
        return max(map(abs, self.second.values()))


class _Event(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint32) for name in ("time", "gate", "to"))


class _Drive(ctypes.Structure):
    _fields_ = tuple(
        (name, ctypes.c_uint32) for name in ("clock", "net", "kind", "value", "from_", "count")
    )


class _Program(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_uint32) for name in ("nets", "clocks", "from_")),
        ("gates", ctypes.c_void_p),
        ("gate_count", ctypes.c_uint32),
        ("registers", ctypes.c_void_p),
        ("register_count", ctypes.c_uint32),
        ("events", ctypes.c_void_p),
        ("event_count", ctypes.c_uint32),
        ("drives", ctypes.c_void_p),
        ("drive_count", ctypes.c_uint32),
        ("list", ctypes.c_void_p),
        ("fixed", ctypes.c_char_p),
        ("secrets", ctypes.c_uint32),
    )


def schedule(circuit: Circuit, delays: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return the evaluations of the gates: the time, the gate, and the time of its output.

    `delays` has each gate's. A gate is evaluated whenever one of its inputs can change.
    """
    driver = {gate.out: number for number, gate in enumerate(circuit.gates)}
    times: dict[int, frozenset[int]] = {}
    events = []
    todo = [gate.out for gate in circuit.gates]
    while todo:
        net = todo[-1]
        if net in times:
            todo.pop()
            continue
        if net not in driver:
            times[net] = frozenset([0])
            continue
        number = driver[net]
        gate = circuit.gates[number]
        if missing := [one for one in gate.inputs if one not in times]:
            if len(todo) > circuit.nets + len(circuit.gates) * MAX_INPUTS:
                raise LabError("the netlist has a loop of gates")
            todo += missing
            continue
        starts = frozenset().union(*(times[one] for one in gate.inputs)) or frozenset([0])
        times[net] = frozenset(at + delays[number] for at in starts)
        events += [(at, number, at + delays[number]) for at in starts]
    return sorted(events)


def measure(  # noqa: PLR0913 - what is simulated, and how
    circuit: Circuit,
    clock: str,
    stimulus: Stimulus,
    traces: int,
    *,
    seed: int = 1,
    read: Sequence[int] = (),
) -> TTest:
    """Simulate `traces` traces (rounded up to whole vectors) and return their values of t."""
    arrays = lane_arrays(circuit, circuit.gates, clock)
    rng = random.Random(seed)
    delays = [rng.randint(1, _LONGEST_DELAY) for _ in circuit.gates]
    events = schedule(circuit, delays)
    several: list[int] = []
    driven = []
    for at, net, kind, value, others in sorted(stimulus.drives, key=lambda drive: drive[0]):
        if net in (ZERO, ONE):
            continue
        driven.append(_Drive(at, net, kind, value, len(several), len(others)))
        several += others
    batches = -(-traces // LANES)
    arrays |= {
        "events": (_Event * len(events))(*(_Event(*event) for event in events)),
        "drives": (_Drive * len(driven))(*driven),
        "list": (ctypes.c_uint32 * max(1, len(several)))(*several),
    }
    program = _Program(
        nets=circuit.nets,
        clocks=stimulus.clocks,
        from_=stimulus.measured_from,
        gate_count=len(circuit.gates),
        register_count=len(circuit.registers),
        event_count=len(events),
        drive_count=len(driven),
        fixed=bytes(stimulus.fixed),
        secrets=len(stimulus.fixed),
        **{name: ctypes.addressof(array) for name, array in arrays.items()},
    )
    library = _load()
    clocks = stimulus.clocks - stimulus.measured_from
    samples = (ctypes.c_uint32 * (batches * LANES * clocks))()
    groups = (ctypes.c_uint8 * (batches * LANES))()
    found = (ctypes.c_uint8 * max(1, len(read)))()
    nets = (ctypes.c_uint32 * max(1, len(read)))(*read)
    library.hf_traces_run(
        ctypes.byref(program), seed, batches, samples, groups, nets, len(read), found
    )
    first, second = (ctypes.c_double * clocks)(), (ctypes.c_double * clocks**2)()
    library.hf_traces_test(samples, groups, batches * LANES, clocks, first, second)
    pairs = {(c, d): second[c * clocks + d] for c in range(clocks) for d in range(c, clocks)}
    return TTest(batches * LANES, list(first), pairs, list(found)[: len(read)], not groups[-1])


def _load() -> ctypes.CDLL:
    library = lane_library(_SOURCE, "simulation of traces")
    word, pointer = ctypes.c_uint32, ctypes.c_void_p
    signatures: Mapping[str, list[Any]] = {
        "hf_traces_run": [pointer, ctypes.c_uint64, word, *[pointer] * 3, word, pointer],
        "hf_traces_test": [pointer, pointer, ctypes.c_uint64, word, pointer, pointer],
    }
    for name, arguments in signatures.items():
        getattr(library, name).restype = None
        getattr(library, name).argtypes = arguments
    return library
