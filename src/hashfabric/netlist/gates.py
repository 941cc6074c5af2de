"""Simulation of a circuit: gates.cpp, compiled once and loaded with ctypes."""

import ctypes
import random
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hashfabric.base.errors import LabError
from hashfabric.base.native import compiled_library
from hashfabric.netlist.circuit import MAX_INPUTS, ONE, ZERO, Circuit

_SOURCE = Path(__file__).with_name("gates.cpp")


@dataclass(frozen=True)
class Edges:
    """Edges of every net, by its number."""

    rises: Sequence[int]
    falls: Sequence[int]


Delays = Mapping[int, tuple[int, int]]
"""Each net's delays of a rise and a fall, in units of time, by its number."""


@dataclass(frozen=True)
class Activity:
    """Edges counted over `clocks` clock cycles.

    `all` has every edge, including those that are undone within a clock cycle because paths differ
    in length (glitches); `settled` has at most one a cycle, but both edges of the clock's own nets.
    """

    clocks: int
    all: Edges
    settled: Edges


class _Gate(ctypes.Structure):
    _fields_ = (
        ("out", ctypes.c_uint32),
        ("inputs", ctypes.c_uint32 * MAX_INPUTS),
        ("count", ctypes.c_uint32),
        ("clock", ctypes.c_uint32),
        ("table", ctypes.c_uint64),
    )


class _Register(ctypes.Structure):
    _fields_ = (
        ("out", ctypes.c_uint32),
        ("data", ctypes.c_uint32),
        ("clock", ctypes.c_uint32),
        ("edge", ctypes.c_uint32),
        ("inverted", ctypes.c_uint32),
    )


class _Delay(ctypes.Structure):
    _fields_ = (("rise", ctypes.c_uint32), ("fall", ctypes.c_uint32))


class GateSim:
    """A circuit whose clock is low and whose inputs are zero; registers start at random values."""

    def __init__(
        self, circuit: Circuit, *, clock: str, seed: int, delays: Delays | None = None
    ) -> None:
        """Start with registers drawn from `seed`; `clock` names the clock's port.

        A net without an entry in `delays` has a delay of one unit of time.
        """
        self._circuit = circuit
        if clock not in circuit.inputs:
            raise LabError(f"the netlist has no input {clock}")
        self.clock = clock
        self._clock = circuit.ports[clock]
        self.clock_nets, order = circuit.clock_network(self._clock[0])
        places = {number: place for place, number in enumerate(order, start=1)}
        gates = (_Gate * len(circuit.gates))()
        for number, gate in enumerate(circuit.gates):
            inputs = gate.inputs + (0,) * (MAX_INPUTS - len(gate.inputs))
            place = places.get(number, 0)
            gates[number] = _Gate(gate.out, inputs, len(gate.inputs), place, gate.table)
        registers = (_Register * len(circuit.registers))()
        start = bytearray(circuit.nets)
        start[ONE] = 1
        rng = random.Random(seed)
        for number, cell in enumerate(circuit.registers):
            registers[number] = _Register(cell.out, cell.data, cell.clock, cell.edge, cell.inverted)
            start[cell.out] = rng.getrandbits(1)
        times = (_Delay * circuit.nets)(*(_Delay(1, 1) for _ in range(circuit.nets)))
        for net, (rise, fall) in (delays or {}).items():
            times[net] = _Delay(max(rise, 1), max(fall, 1))
        marks = bytes(net in self.clock_nets for net in range(circuit.nets))
        self._library = library = _load()
        handle = library.hf_gates_open(
            *(circuit.nets, marks, gates, len(gates)),
            *(registers, len(registers), times, bytes(start)),
        )
        self._check(0 if handle else -1)
        self._handle = ctypes.c_void_p(handle)
        self._close = weakref.finalize(self, library.hf_gates_close, self._handle)
        self._ports = {
            name: (ctypes.c_uint32 * len(nets))(*nets) for name, nets in circuit.ports.items()
        }

    def rise(self) -> None:
        """Raise the clock, and let everything settle."""
        self._drive(self._clock, [1])

    def fall(self) -> None:
        """Lower the clock, and let everything settle."""
        self._drive(self._clock, [0])

    def end_clock(self) -> None:
        """End a clock cycle, for the settled edges."""
        self._library.hf_gates_end_clock(self._handle)

    def drive(self, values: dict[str, int]) -> None:
        """Change inputs, all at once, and let everything settle."""
        nets: list[int] = []
        bits: list[int] = []
        for name, value in values.items():
            nets += self._circuit.ports[name]
            width = len(self._circuit.ports[name])
            bits += (int(bit) for bit in reversed(f"{value:0{width}b}"))
        self._drive(nets, bits)

    def read(self, name: str) -> int:
        """Return the value of a port."""
        nets = self._ports[name]
        values = (ctypes.c_uint8 * len(nets))()
        self._library.hf_gates_read(self._handle, nets, values, len(nets))
        return int("".join("1" if bit else "0" for bit in reversed(values)), 2)

    def counting(self, on: bool) -> None:
        """Begin or end counting."""
        self._library.hf_gates_counting(self._handle, on)

    def activity(self, clocks: int) -> Activity:
        """Return the counted edges; the caller gives the number of clock cycles."""
        counts = (ctypes.c_uint64 * (4 * self._circuit.nets))()
        self._library.hf_gates_counts(self._handle, counts)
        rises, falls, settled_rises, settled_falls = (list(counts[i::4]) for i in range(4))
        return Activity(clocks, Edges(rises, falls), Edges(settled_rises, settled_falls))

    def _drive(self, nets: Sequence[int], bits: Sequence[int]) -> None:
        if any(net in (ZERO, ONE) for net in nets):
            raise LabError("an input of the netlist is a constant")
        count = len(nets)
        where = (ctypes.c_uint32 * count)(*nets)
        self._check(self._library.hf_gates_drive(self._handle, where, bytes(bits), count))

    def _check(self, status: int) -> None:
        if status != 0:
            error = self._library.hf_gates_error().decode(errors="replace")
            raise LabError(f"gate-level simulation: {error}")


def _load() -> ctypes.CDLL:
    library = compiled_library(_SOURCE, "gate-level simulation", ["-O2"])
    handle, word, text, flag = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_int
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "hf_gates_error": (text, []),
        "hf_gates_open": (handle, [word, text, handle, word, handle, word, handle, text]),
        "hf_gates_close": (None, [handle]),
        "hf_gates_drive": (flag, [handle, handle, text, word]),
        "hf_gates_read": (None, [handle, handle, handle, word]),
        "hf_gates_counting": (None, [handle, flag]),
        "hf_gates_end_clock": (None, [handle]),
        "hf_gates_counts": (None, [handle, handle]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library
