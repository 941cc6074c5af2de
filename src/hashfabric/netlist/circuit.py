"""A mapped netlist for the simulator: flat nets, gates as truth tables, registers."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hashfabric.base.datafile import shown
from hashfabric.base.errors import LabError

MAX_INPUTS = 6
ZERO, ONE = 0, 1
"""The nets of the two constants."""


@dataclass(frozen=True)
class Gate:
    """`out` is the bit of `table` that the inputs select; see `boolean`."""

    out: int
    inputs: tuple[int, ...]
    table: int


@dataclass(frozen=True)
class Register:
    """A flip-flop takes `data` when `clock` rises, a latch (`edge` false) while `clock` is high.

    With `inverted` a flip-flop uses the falling edge, and a latch is transparent while low.
    """

    out: int
    data: int
    clock: int
    edge: bool = True
    inverted: bool = False


@dataclass(frozen=True)
class Instance:
    """A cell of the netlist by its type, with the net of each pin."""

    cell: str
    pins: dict[str, int]


@dataclass
class Circuit:
    """A whole netlist.

    The nets in `virtual` are inside a cell and have no separate energy; of these, `memory` has the
    bits of RAMs, and `slices` the registers and results of DSP slices. Their cascades are in
    `slices` too. `signals` are all names of the netlist, each with the nets of its bits.
    """

    nets: int = 2
    ports: dict[str, list[int]] = field(default_factory=dict)
    inputs: set[str] = field(default_factory=set)
    gates: list[Gate] = field(default_factory=list)
    registers: list[Register] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    names: list[str] = field(default_factory=lambda: ["0", "1"])
    virtual: set[int] = field(default_factory=set)
    memory: set[int] = field(default_factory=set)
    slices: set[int] = field(default_factory=set)
    signals: dict[str, list[int]] = field(default_factory=dict)

    def inner_net(self) -> int:
        """Return a new net inside a cell, which exists only in the model."""
        self.nets += 1
        self.names.append("")
        self.virtual.add(self.nets - 1)
        return self.nets - 1

    def add_gate(self, out: int, inputs: Iterable[int], table: int) -> None:
        """Add a gate."""
        gate = Gate(out, tuple(inputs), table)
        if len(gate.inputs) > MAX_INPUTS:
            raise LabError(f"a gate of {len(gate.inputs)} inputs is not modelled")
        self.gates.append(gate)

    def gated_registers(self, clock: int) -> int:
        """Count the flip-flops with more than buffers between the net `clock` and their pin."""
        free, drivers = {clock}, {gate.out: gate for gate in self.gates}

        def plain(net: int) -> bool:
            while net not in free and net in drivers and len(drivers[net].inputs) == 1:
                [net] = drivers[net].inputs
            return net in free

        return sum(cell.edge and not plain(cell.clock) for cell in self.registers)

    def clock_network(self, clock: int) -> tuple[set[int], list[int]]:
        """Return the nets that carry the clock of net `clock`, and the gates on the way to them.

        A gate, given by its number, is on the way when `clock` reaches a register's clock pin
        through it and through nothing but gates; a gate comes after those that feed it.
        """
        drivers = {gate.out: number for number, gate in enumerate(self.gates)}
        clock_nets: set[int] = set()  # nets that a clock pin depends on
        todo = [register.clock for register in self.registers]
        while todo:
            net = todo.pop()
            if net not in clock_nets:
                clock_nets.add(net)
                todo += self.gates[drivers[net]].inputs if net in drivers else ()
        rest = [drivers[net] for net in clock_nets if net in drivers]
        nets, found = {clock}, set[int]()
        while ready := [n for n in rest if n not in found and nets & set(self.gates[n].inputs)]:
            found.update(ready)
            nets |= {self.gates[number].out for number in ready}
        order: list[int] = []
        while found:
            waiting = {self.gates[number].out for number in found}
            ready = [n for n in sorted(found) if not waiting & set(self.gates[n].inputs)]
            if not ready:
                raise LabError("the clock goes round in a loop of gates")
            order += ready
            found -= set(ready)
        return nets, order


Model = Callable[[Circuit, str, Mapping[str, int], Mapping[str, str]], None]
"""Adds a cell's function to the circuit, given its type, the net of each pin, its parameters."""


def read(path: Path, model: Model) -> Circuit:
    """Read the flat netlist that yosys wrote as JSON to `path`; `model` has the cells."""
    try:
        modules: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["modules"]
        [top] = [
            module
            for module in modules.values()
            if int(module.get("attributes", {}).get("top", "0"), 2)
        ]
        return _build(top, model)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise LabError(f"{shown(path)}: not a flat netlist of yosys") from error


def _build(top: Mapping[str, Any], model: Model) -> Circuit:
    circuit = Circuit()
    nets: dict[int | str, int] = {"0": ZERO, "1": ONE, "x": ZERO, "z": ZERO}

    def net(bit: int | str) -> int:
        if bit not in nets:
            nets[bit] = circuit.nets
            circuit.nets += 1
            circuit.names.append("")
        return nets[bit]

    for name, port in top["ports"].items():
        circuit.ports[name] = [net(bit) for bit in port["bits"]]
        if port["direction"] == "input":
            circuit.inputs.add(name)
    for name, value in top["netnames"].items():
        circuit.signals[name] = [net(bit) for bit in value["bits"]]
        for index, bit in enumerate(value["bits"]):
            at = net(bit)
            if not circuit.names[at]:
                circuit.names[at] = f"{name}[{index}]"
    for cell in top["cells"].values():
        pins = {
            (pin if len(bits) == 1 else f"{pin}[{index}]"): net(bit)
            for pin, bits in cell["connections"].items()
            for index, bit in enumerate(bits)
        }
        circuit.instances.append(Instance(cell["type"], pins))
        # yosys appends a blank to a text that looks like bits.
        parameters = {key: str(value).strip() for key, value in cell.get("parameters", {}).items()}
        model(circuit, cell["type"], pins, parameters)
    return circuit
