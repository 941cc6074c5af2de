"""Loads and delays of nets; energy from edges: C V^2 / 2 an edge, the cells' own tables, leakage.

Energy is in pJ, for all counted edges, whatever counted them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from hashfabric.base.datafile import DataModel
from hashfabric.netlist.circuit import Circuit, Instance
from hashfabric.netlist.gates import Activity, Delays, Edges
from hashfabric.netlist.liberty import Cell, Library, Pin, Power
from hashfabric.netlist.timing import Loads


class Assumptions(DataModel):
    """Assumptions that the liberty does not give.

    `wire_pf`: wire that each driven pin adds to its net. `output_pf`: load of an output port.
    `slew_ns`, `clock_slew_ns`: the transition time at which all tables of delay and energy are
    read. `clock_mhz`: the clock over whose period leakage is summed.
    """

    clock_mhz: float
    wire_pf: float
    output_pf: float
    slew_ns: float
    clock_slew_ns: float


class Energy(BaseModel):
    """Energy by cause, pJ.

    `clock`: nets of the clock, its gates, and the energy of a clock edge inside a register.
    `sequential`: the registers otherwise, and the nets they drive. `combinational`: gates and their
    nets, and the inputs' nets. Both are of settled edges; `glitches` is of all other edges.
    `wires` is the part of all this that the assumed wire causes.
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    clock: float
    sequential: float
    combinational: float
    glitches: float
    leakage: float
    wires: float

    @property
    def total(self) -> float:
        """The sum, glitches included."""
        return self.settled + self.glitches

    @property
    def settled(self) -> float:
        """The sum without glitches."""
        return self.clock + self.sequential + self.combinational + self.leakage

    def per(self, count: float) -> "Energy":
        """Return the energy of one of `count`."""
        return Energy(**{name: value / count for name, value in self.model_dump().items()})


@dataclass(frozen=True)
class Netlist:
    """A circuit of library cells, and its clock network's nets."""

    circuit: Circuit
    library: Library
    clock_nets: set[int]


@dataclass
class _Sums:
    clock: float = 0.0
    sequential: float = 0.0
    combinational: float = 0.0
    wires: float = 0.0

    @property
    def data(self) -> float:
        return self.sequential + self.combinational


def estimate(netlist: Netlist, activity: Activity, assumed: Assumptions) -> Energy:
    """Return the energy of `activity`."""
    loads = net_loads(netlist.circuit, netlist.library, assumed)
    settled = _dynamic(netlist, activity.settled, assumed, loads)
    everything = _dynamic(netlist, activity.all, assumed, loads)
    cells = netlist.library.cells
    leakage_nw = sum(cells[instance.cell].leakage_nw for instance in netlist.circuit.instances)
    return Energy(
        clock=everything.clock,
        sequential=settled.sequential,
        combinational=settled.combinational,
        glitches=everything.data - settled.data,
        leakage=leakage_nw * 1e-9 * activity.clocks / (assumed.clock_mhz * 1e6) * 1e12,
        wires=everything.wires,
    )


def net_loads(circuit: Circuit, library: Library, assumed: Assumptions) -> Loads:
    """Return the load of each net."""
    return Loads(circuit, library, wire_pf=assumed.wire_pf, output_pf=assumed.output_pf)


def delays(circuit: Circuit, library: Library, assumed: Assumptions) -> Delays:
    """Return every net's delays in ps: the mean over the inputs of the cell that drives it.

    A load beyond the end of a table is read at its end: such a net would have buffers.
    """
    loads = net_loads(circuit, library, assumed)
    times = {}
    for instance in circuit.instances:
        for name, pin in library.cells[instance.cell].pins.items():
            if not (pin.output and pin.delays and name in instance.pins):
                continue
            net = instance.pins[name]
            at = {"load": loads.of(net), "slew": assumed.slew_ns}
            rises, falls = (
                sum(table.at(**at) for table in tables) / len(tables)
                for tables in zip(*((arc.rise, arc.fall) for arc in pin.delays), strict=True)
            )
            times[net] = (round(1000 * rises), round(1000 * falls))
    return times


def _dynamic(netlist: Netlist, edges: Edges, assumed: Assumptions, loads: Loads) -> _Sums:
    circuit, sums = netlist.circuit, _Sums()
    held = {register.out for register in circuit.registers}
    edge_energy = netlist.library.voltage**2 / 2
    for net in range(circuit.nets):
        count = edges.rises[net] + edges.falls[net]
        if not count or net in circuit.virtual:
            continue
        energy = count * edge_energy * loads.of(net)
        sums.wires += count * edge_energy * loads.wires[net]
        if net in netlist.clock_nets:
            sums.clock += energy
        elif net in held:
            sums.sequential += energy
        else:
            sums.combinational += energy
    for instance in circuit.instances:
        _internal(netlist, instance, edges, assumed, (loads, sums))
    return sums


def _internal(
    netlist: Netlist,
    instance: Instance,
    edges: Edges,
    assumed: Assumptions,
    into: tuple[Loads, _Sums],
) -> None:
    loads, sums = into
    cell = netlist.library.cells[instance.cell]
    for name, pin in cell.pins.items():
        net = instance.pins.get(name)
        if net is None or not pin.powers or not (edges.rises[net] or edges.falls[net]):
            continue
        slew = assumed.clock_slew_ns if net in netlist.clock_nets else assumed.slew_ns
        energy = 0.0
        for power, share in _shares(cell, pin, instance, edges):
            at = slew  # of the input that the edge is attributed to
            if pin.output and instance.pins.get(power.related) in netlist.clock_nets:
                at = assumed.clock_slew_ns
            load = loads.of(net)
            energy += share * edges.rises[net] * power.rise.at(load=load, slew=at)
            energy += share * edges.falls[net] * power.fall.at(load=load, slew=at)
        if net in netlist.clock_nets:
            sums.clock += energy
        elif cell.storage is not None:
            sums.sequential += energy
        else:
            sums.combinational += energy


def _shares(
    cell: Cell, pin: Pin, instance: Instance, edges: Edges
) -> Sequence[tuple[Power, float]]:
    """Return the tables of a pin and the share of its edges that each is used for.

    An output's edges are attributed to its inputs in proportion to the inputs' own edges.
    """
    if len(pin.powers) == 1:
        return [(pin.powers[0], 1.0)]
    weights = []
    for power in pin.powers:
        net = instance.pins.get(power.related) if pin.output else None
        weights.append(0 if net is None else edges.rises[net] + edges.falls[net])
    total = sum(weights)
    if total == 0:
        return [(power, 1 / len(pin.powers)) for power in pin.powers]
    return [
        (power, weight / total) for power, weight in zip(pin.powers, weights, strict=True) if weight
    ]
