"""A circuit for the simulators that run it many times at once, a bit for each run: lanes.h."""

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hashfabric.base.errors import LabError
from hashfabric.base.native import compiled_library
from hashfabric.netlist.circuit import MAX_INPUTS, Circuit, Gate

LANES = 256
"""Runs that are simulated at once."""

_HEADER = Path(__file__).with_name("lanes.h")
_FLAGS = ["-O3", "-Wno-psabi"]


class LaneGate(ctypes.Structure):
    """A gate; `counted` is 0 for one inside a cell."""

    _fields_ = (
        ("out", ctypes.c_uint32),
        ("inputs", ctypes.c_uint32 * MAX_INPUTS),
        ("count", ctypes.c_uint32),
        ("counted", ctypes.c_uint32),
        ("table", ctypes.c_uint64),
    )


class LaneRegister(ctypes.Structure):
    """A flip-flop of the one clock."""

    _fields_ = (("out", ctypes.c_uint32), ("data", ctypes.c_uint32))


def lane_arrays(
    circuit: Circuit, gates: Sequence[Gate], clock: str
) -> dict[str, ctypes.Array[Any]]:
    """Return `gates` and the circuit's registers, all of which must use the port `clock`."""
    [clock_net] = circuit.ports[clock]
    for register in circuit.registers:
        if not register.edge or register.inverted or register.clock != clock_net:
            raise LabError("only flip-flops on the rising edge of one clock are simulated here")
    found = (LaneGate * len(gates))()
    for number, gate in enumerate(gates):
        inputs = gate.inputs + (0,) * (MAX_INPUTS - len(gate.inputs))
        counted = gate.out not in circuit.virtual
        found[number] = LaneGate(gate.out, inputs, len(gate.inputs), counted, gate.table)
    registers = [LaneRegister(one.out, one.data) for one in circuit.registers]
    return {"gates": found, "registers": (LaneRegister * len(registers))(*registers)}


def lane_library(source: Path, what: str) -> ctypes.CDLL:
    """Compile a simulator, which includes lanes.h, and load it."""
    return compiled_library(source, what, _FLAGS, [_HEADER])
