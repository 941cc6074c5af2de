"""A campaign of faults in a stream's mapped netlist, simulated by faults.cpp.

A fault is one wrong bit: at a flip-flop or at a gate's output, in one clock (a flip) or from the
reset on (stuck). A run is one message of SHA3-256 with one fault, or with several flips. Faults at
inputs, in the clock's network and in the configuration of an FPGA are not simulated.
"""

import ctypes
import hashlib
import random
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from hashfabric.base.errors import LabError
from hashfabric.base.tools import processors
from hashfabric.models.functions import find
from hashfabric.netlist.circuit import ONE, ZERO, Circuit, Gate
from hashfabric.netlist.lanes import lane_arrays, lane_library
from hashfabric.simulate.stream import StreamMessage, beats_of

T = TypeVar("T")

FLIP, STUCK_AT_0, STUCK_AT_1 = range(3)
"""Kinds of a fault."""

LEAST_FOUND = 0.999
"""The share of single flips that must be found, of those that make the output wrong."""

NEVER = 0xFFFFFFFF
RESET_CLOCKS = 4
_FUNCTION, _DIGEST_BYTES = "sha3-256", 32
_FIELDS = ("tdata", "tkeep", "tlast", "tuser")
_MOST_CLOCKS, _BYTE_CLOCKS = 2000, 8  # of a run that hashes right: some, and for each byte
_LATER = 100  # clocks after which a run without an end hangs
_CHUNK = 1 << 14
ALARM = "alarm_o"
"""The port that says that a fault was found; alarms of instances have this name too."""
DIFFERS = "differs_q"
"""The registers in front of an alarm, which stop the output too."""

_SOURCE = Path(__file__).with_name("faults.cpp")


@dataclass(frozen=True)
class Fault:
    """A wrong bit of net `net` in, or from, clock `clock`."""

    net: int
    clock: int
    kind: int


@dataclass(frozen=True)
class FaultOutcome:
    """The first clocks of an alarm and of a wrong beat, None without one."""

    alarm: int | None
    wrong: int | None
    complete: bool


@dataclass
class Summary:
    """What came of the faults of one kind.

    `changing` make a beat of the output wrong where the alarm is not connected, or where it is. Of
    these `found` raise the alarm, at most two clocks after a wrong beat has left; `late` of them
    after one has. `escaped` are the others, as texts. Of the rest `other_alarms` raise the alarm
    (the output would be right, or not come), and with `hung` the output does not come, without one.
    """

    what: str
    faults: int = 0
    changing: int = 0
    found: int = 0
    late: int = 0
    other_alarms: int = 0
    hung: int = 0
    escaped: list[str] = field(default_factory=list)

    def add(self, other: "Summary") -> None:
        """Add the counts of another one."""
        for name in ("faults", "changing", "found", "late", "other_alarms", "hung"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.escaped += other.escaped

    @property
    def share(self) -> float:
        """The share of the faults that make the output wrong which are found."""
        return self.found / self.changing if self.changing else 1.0

    def as_dict(self) -> dict[str, object]:
        """Return it for JSON."""
        return asdict(self) | {"share": self.share}


class _GivenFault(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint32) for name in ("run", "net", "clock", "kind"))


class _FaultResult(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint32) for name in ("alarm", "wrong", "complete"))


class _FaultProgram(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_uint32) for name in ("nets", "clocks", "reset_clocks")),
        ("gates", ctypes.c_void_p),
        ("gate_count", ctypes.c_uint32),
        ("registers", ctypes.c_void_p),
        ("register_count", ctypes.c_uint32),
        *(
            (name, ctypes.c_uint32)
            for name in ("reset", "s_valid", "s_ready", "m_valid", "m_ready", "alarm")
        ),
        ("s_nets", ctypes.c_void_p),
        ("s_width", ctypes.c_uint32),
        ("s_bits", ctypes.c_void_p),
        ("s_beats", ctypes.c_uint32),
        ("m_nets", ctypes.c_void_p),
        ("m_width", ctypes.c_uint32),
        ("m_bits", ctypes.c_void_p),
        ("m_beats", ctypes.c_uint32),
        ("muted", ctypes.c_void_p),
        ("muted_count", ctypes.c_uint32),
    )


class Campaign:
    """A stream's netlist with a message, to which faults are given."""

    def __init__(self, circuit: Circuit, message: bytes) -> None:
        """Take the netlist of a stream with an alarm; `LabError` if it does not hash right."""
        self.circuit = circuit
        names = [name for name in circuit.signals if name.rpartition(".")[2] in (ALARM, DIFFERS)]
        alarms = {net for name in names for net in circuit.signals[name]} - {ZERO, ONE}
        self._alarms = (ctypes.c_uint32 * len(alarms))(*sorted(alarms))
        self._arrays = lane_arrays(circuit, _levels(circuit), "clk_i") | _message_arrays(
            circuit, message
        )
        self.clocks = _MOST_CLOCKS + _BYTE_CLOCKS * len(message)
        self.clocks = self._run([], 0, muted=False)[1] + 1
        """Clocks from the first one of the reset to the last beat of the output."""

    @property
    def nets(self) -> list[int]:
        """The nets that have faults: outputs of flip-flops and of gates."""
        circuit = self.circuit
        registers = [register.out for register in circuit.registers]
        gates = [gate.out for gate in circuit.gates if gate.out not in circuit.virtual]
        return registers + gates

    def flips(self, clocks: Iterable[int] | None = None) -> Iterator[list[Fault]]:
        """Yield every single flip in `clocks`, or in all from the clock after the reset on."""
        for clock in range(RESET_CLOCKS, self.clocks) if clocks is None else clocks:
            yield from ([Fault(net, clock, FLIP)] for net in self.nets)

    def stuck(self, value: int) -> Iterator[list[Fault]]:
        """Yield every net stuck at `value`."""
        kind = STUCK_AT_1 if value else STUCK_AT_0
        yield from ([Fault(net, RESET_CLOCKS, kind)] for net in self.nets)

    def pairs(self, count: int, seed: int, apart: int) -> Iterator[list[Fault]]:
        """Yield pairs of flips at random nets and clocks, less than `apart` clocks apart."""
        rng, nets = random.Random(seed), self.nets
        clocks = sorted(rng.randrange(RESET_CLOCKS, self.clocks) for _ in range(count))
        for clock in clocks:
            second = min(clock + rng.randrange(apart), self.clocks - 1)
            yield [Fault(rng.choice(nets), clock, FLIP), Fault(rng.choice(nets), second, FLIP)]

    def summary(self, what: str, runs: Iterable[Sequence[Fault]]) -> Summary:
        """Simulate `runs` with the alarm and without it, and count what came of them."""
        found, workers = Summary(what), processors()
        chunks = _chunks(runs, _CHUNK)
        with ThreadPoolExecutor(workers) as pool:
            for some in _chunks(chunks, workers):
                for part in pool.map(self._part, some):
                    found.add(part)
        return found

    def _part(self, runs: Sequence[Sequence[Fault]]) -> Summary:
        found = Summary("", faults=len(runs))
        both = zip(self.outcomes(runs), self.outcomes(runs, muted=True), strict=True)
        for run, (outcome, muted) in zip(runs, both, strict=True):
            alarm = outcome.alarm is not None
            if muted.wrong is None and outcome.wrong is None:
                found.other_alarms += alarm
                found.hung += not alarm and not muted.complete
                continue
            found.changing += 1
            found.found += alarm
            found.late += alarm and outcome.wrong is not None
            if not alarm:
                found.escaped.append(" and ".join(self.named(fault) for fault in run))
        return found

    def named(self, fault: Fault) -> str:
        """Return a fault as a text."""
        name = self.circuit.names[fault.net] or f"net {fault.net}"
        what = "flips in clock" if fault.kind == FLIP else f"is {fault.kind - 1} from clock"
        return f"{name} {what} {fault.clock}"

    def outcomes(
        self, runs: Sequence[Sequence[Fault]], *, muted: bool = False
    ) -> list[FaultOutcome]:
        """Simulate `runs`, each a list of faults; with `muted` no alarm has an effect."""
        faults = [
            _GivenFault(number, fault.net, fault.clock, fault.kind)
            for number, run in enumerate(runs)
            for fault in run
        ]
        results, _ = self._run(faults, len(runs), muted=muted)
        return [
            FaultOutcome(
                alarm=None if one.alarm == NEVER else one.alarm,
                wrong=None if one.wrong == NEVER else one.wrong,
                complete=one.complete != NEVER,
            )
            for one in results
        ]

    def _run(self, faults: list[_GivenFault], runs: int, *, muted: bool) -> tuple[list[Any], int]:
        ports, arrays = self.circuit.ports, self._arrays
        width = len(ports["s_axis_tdata"]) // 8
        program = _FaultProgram(
            nets=self.circuit.nets,
            clocks=self.clocks + _LATER,
            reset_clocks=RESET_CLOCKS,
            gate_count=len(arrays["gates"]),
            register_count=len(arrays["registers"]),
            reset=ports["rst_i"][0],
            s_valid=ports["s_axis_tvalid"][0],
            s_ready=ports["s_axis_tready"][0],
            m_valid=ports["m_axis_tvalid"][0],
            m_ready=ports["m_axis_tready"][0],
            alarm=ports[ALARM][0],
            s_width=len(arrays["s_nets"]),
            s_beats=len(arrays["s_bits"]) // len(arrays["s_nets"]),
            m_width=len(arrays["m_nets"]),
            m_beats=_DIGEST_BYTES // width,
            muted=ctypes.addressof(self._alarms),
            muted_count=len(self._alarms) if muted else 0,
            **{name: ctypes.addressof(array) for name, array in arrays.items()},
        )
        results = (_FaultResult * max(1, runs))()
        given = (_GivenFault * max(1, len(faults)))(*faults)
        clock = _load().hf_faults_run(ctypes.byref(program), given, len(faults), runs, results)
        if clock == NEVER:
            raise LabError("the netlist without a fault does not hash right")
        return list(results)[:runs], clock


def _message_arrays(circuit: Circuit, message: bytes) -> dict[str, ctypes.Array[Any]]:
    """Return the nets of both ports and the beats that are sent and expected, a byte a bit."""
    width = len(circuit.ports["s_axis_tdata"]) // 8
    sent = [
        (beat.data, beat.keep, int(beat.last), beat.user)
        for beat in beats_of(StreamMessage(find(_FUNCTION), message), width)
    ]
    right = hashlib.new(_FUNCTION, message).digest()
    expected = [
        (int.from_bytes(right[at : at + width], "little"), (1 << width) - 1, 0, 0)
        for at in range(0, _DIGEST_BYTES, width)
    ]
    expected[-1] = (*expected[-1][:2], 1, 0)
    found: dict[str, ctypes.Array[Any]] = {}
    for side, beats in (("s", sent), ("m", expected)):
        ports = [circuit.ports[f"{side}_axis_{name}"] for name in _FIELDS]
        nets = [net for port in ports for net in port]
        bits = [
            value >> index & 1
            for beat in beats
            for port, value in zip(ports, beat, strict=True)
            for index in range(len(port))
        ]
        found[f"{side}_nets"] = (ctypes.c_uint32 * len(nets))(*nets)
        found[f"{side}_bits"] = (ctypes.c_uint8 * len(bits))(*bits)
    return found


def _chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while part := list(islice(rest, size)):
        yield part


def _levels(circuit: Circuit) -> list[Gate]:
    """Return the gates, each after those that feed it."""
    gates = {gate.out: gate for gate in circuit.gates}
    graph = {gate.out: [net for net in gate.inputs if net in gates] for gate in circuit.gates}
    try:
        return [gates[net] for net in TopologicalSorter(graph).static_order()]
    except CycleError as error:
        raise LabError("the netlist has a loop of gates") from error


@cache
def _load() -> ctypes.CDLL:
    library = lane_library(_SOURCE, "simulation of faults")
    word, pointer = ctypes.c_uint32, ctypes.c_void_p
    library.hf_faults_run.argtypes = [pointer, pointer, word, word, pointer]
    library.hf_faults_run.restype = word
    return library
