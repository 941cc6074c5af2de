"""The longest path from register to register of a netlist of library cells.

Static timing analysis by the library's tables: a rise and a fall of each net have the latest time
at which they arrive, ns after the clock's edge, and the longest transition time. A cell's tables
give both of its output, from the transition time at its input and the load that it drives; a load
or a transition time beyond a table extends its last two points in a straight line. A path begins
with a flip-flop's delay from its clock pin, and ends with the setup time of the flip-flop that it
reaches. All clock pins have their edge at once. A path from an input port, or to an output port,
does not count.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hashfabric.base.errors import LabError
from hashfabric.netlist.circuit import Circuit, Instance
from hashfabric.netlist.liberty import Delay, Library, LookupTable

RISE, FALL = 0, 1
_INVERTED = re.compile(r"[!']")


@dataclass(frozen=True)
class Assumed:
    """What a liberty does not give.

    `wire_pf`: wire that each driven pin adds to its net. `output_pf`: load of an output port.
    `clock_slew_ns`: the transition time at all clock pins.
    """

    wire_pf: float
    output_pf: float
    clock_slew_ns: float


class Loads:
    """The load of each net, pF: `pins` of the cells' pins and output ports, `wires` of the wire."""

    def __init__(
        self, circuit: Circuit, library: Library, *, wire_pf: float, output_pf: float
    ) -> None:
        """Add up, with `wire_pf` for each driven pin and `output_pf` for each output port."""
        self.pins = [0.0] * circuit.nets
        self.wires = [0.0] * circuit.nets
        for instance in circuit.instances:
            for name, pin in library.cells[instance.cell].pins.items():
                if not pin.output and name in instance.pins:
                    self.pins[instance.pins[name]] += pin.capacitance
                    self.wires[instance.pins[name]] += wire_pf
        for name, nets in circuit.ports.items():
            if name not in circuit.inputs:
                for net in nets:
                    self.pins[net] += output_pf

    def of(self, net: int) -> float:
        """Return the whole load of a net."""
        return self.pins[net] + self.wires[net]


@dataclass(frozen=True)
class Path:
    """The longest path, ns: all of it, and its first and last parts.

    `cells` are the types of its cells in order: the flip-flop that it begins with, then gates.
    """

    ns: float
    clock_to_output_ns: float
    setup_ns: float
    cells: tuple[str, ...]


@dataclass(frozen=True)
class _Transition:
    """The latest rise or fall of a net: `before` is the net and edge that causes it."""

    ns: float
    slew_ns: float
    cell: str
    before: tuple[int, int] | None


def longest_path(circuit: Circuit, library: Library, assumed: Assumed) -> Path | None:
    """Return the longest path; None without a path from register to register.

    None too for a netlist with a latch, which lets its data through, or a flip-flop of the falling
    edge, which leaves half a period. `LabError` for a loop of gates, and for a library without
    transition times.
    """
    kinds = {library.cells[instance.cell].storage for instance in circuit.instances}
    if not all(kind is None or (kind.edge and not _INVERTED.search(kind.clock)) for kind in kinds):
        return None
    return _Analysis(circuit, library, assumed).longest()


class _Analysis:
    def __init__(self, circuit: Circuit, library: Library, assumed: Assumed) -> None:
        self.library, self.clock_slew_ns = library, assumed.clock_slew_ns
        self.loads = Loads(circuit, library, wire_pf=assumed.wire_pf, output_pf=assumed.output_pf)
        self.events: dict[tuple[int, int], _Transition] = {}
        self.flip_flops: list[Instance] = []
        self.gates: list[Instance] = []
        for instance in circuit.instances:
            gate = library.cells[instance.cell].storage is None
            (self.gates if gate else self.flip_flops).append(instance)

    def longest(self) -> Path | None:
        for cell in self.flip_flops:
            storage = self.library.cells[cell.cell].storage
            for net, arc in self._arcs(cell):
                if storage is not None and arc.related == storage.clock.strip("() "):
                    for edge in (RISE, FALL):
                        self._arrive(cell, net, edge, arc, None)
        for cell in self._in_order():
            for net, arc in self._arcs(cell):
                source = cell.pins[arc.related]
                for edge in (RISE, FALL):
                    for before in _causes(arc.sense, edge):
                        if (source, before) in self.events:
                            self._arrive(cell, net, edge, arc, (source, before))
        return max(self._ends(), key=lambda path: path.ns, default=None)

    def _arcs(self, cell: Instance) -> Iterator[tuple[int, Delay]]:
        """Yield the delays of a cell, each with the net of its output."""
        for name, pin in self.library.cells[cell.cell].pins.items():
            if pin.output and name in cell.pins:
                for arc in pin.delays:
                    yield cell.pins[name], arc

    def _arrive(
        self, cell: Instance, net: int, edge: int, arc: Delay, before: tuple[int, int] | None
    ) -> None:
        """Take an edge of `net` into account that `before`, or without it the clock, causes."""
        begin = self.events[before] if before else _Transition(0.0, self.clock_slew_ns, "", None)
        delay, slew = (arc.rise, arc.rise_slew) if edge == RISE else (arc.fall, arc.fall_slew)
        if slew is None:
            raise LabError(f"{self.library.name}: {cell.cell}: no transition times")
        load = self.loads.of(net)
        ns = begin.ns + _read(delay, load, begin.slew_ns)
        slew_ns = max(_read(slew, load, begin.slew_ns), 0.0)
        latest = self.events.get((net, edge))
        if latest is not None:
            slew_ns = max(slew_ns, latest.slew_ns)
            if latest.ns >= ns:
                ns, before = latest.ns, latest.before
        self.events[net, edge] = _Transition(ns, slew_ns, cell.cell, before)

    def _in_order(self) -> Iterator[Instance]:
        """Yield the gates, each after those that drive it."""
        readers: dict[int, list[int]] = {}
        waits = [0] * len(self.gates)
        driven = {net for cell in self.gates for net in self._outputs(cell)}
        for number, cell in enumerate(self.gates):
            outputs = self._outputs(cell)
            inputs = {net for net in cell.pins.values() if net not in outputs and net in driven}
            waits[number] = len(inputs)
            for net in inputs:
                readers.setdefault(net, []).append(number)
        ready = [number for number, count in enumerate(waits) if not count]
        done = 0
        while ready:
            cell = self.gates[ready.pop()]
            done += 1
            yield cell
            for net in self._outputs(cell):
                for number in readers.get(net, ()):
                    waits[number] -= 1
                    if not waits[number]:
                        ready.append(number)
        if done != len(self.gates):
            raise LabError("a loop of gates: no longest path")

    def _outputs(self, cell: Instance) -> set[int]:
        pins = self.library.cells[cell.cell].pins
        return {net for name, net in cell.pins.items() if pins[name].output}

    def _ends(self) -> Iterator[Path]:
        """Yield the longest path to each edge of each flip-flop's input."""
        for cell in self.flip_flops:
            for name, pin in self.library.cells[cell.cell].pins.items():
                for setup in pin.setups:
                    for edge, table in ((RISE, setup.rise), (FALL, setup.fall)):
                        event = self.events.get((cell.pins.get(name, -1), edge))
                        if event is not None:
                            yield self._path(event, self._setup(table, event))

    def _setup(self, table: LookupTable, event: _Transition) -> float:
        return table.at(slew=event.slew_ns, clock_slew=self.clock_slew_ns, beyond=True)

    def _path(self, event: _Transition, setup_ns: float) -> Path:
        ns, cells = event.ns + setup_ns, [event.cell]
        while event.before is not None:
            event = self.events[event.before]
            cells.append(event.cell)
        return Path(ns, event.ns, setup_ns, tuple(reversed(cells)))


def _read(table: LookupTable, load: float, slew: float) -> float:
    return table.at(load=load, slew=slew, beyond=True)


def _causes(sense: str, edge: int) -> tuple[int, ...]:
    """Return the edges of an input that may cause this `edge` of an output."""
    same = {"positive_unate": (edge,), "negative_unate": (1 - edge,)}
    return same.get(sense, (RISE, FALL))
