"""Stamp a module: place and route it once, and repeat its places and routing on an ECP5.

nextpnr keeps the places and the routing that a design brings along. A module that a design has
several times, the unit, is placed and routed by itself (out of context, without pins) in a box of
the array. `compose` puts it in place of each of its instances, at the places of an equal box;
nextpnr then packs and places what surrounds them. `add_routing` gives the placed design the unit's
routing. Only the rest is left to the router: nets between units and pins, clocks, and what would
leave a box or meet another net's wire.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from hashfabric.base.errors import LabError
from hashfabric.flows.ecp5.area import Area, Shift
from hashfabric.flows.ecp5.fabric import Fabric, Near, is_global
from hashfabric.flows.ecp5.placed import BEL, PLACE

ROUTING = "ROUTING"
"""The attribute that holds a net's routing: wire, switch and strength, over and over."""

_LOCKED = "5"  # nextpnr's STRENGTH_LOCKED: the router leaves such a wire to its net

_SWITCH = re.compile(r"X(\d+)/Y(\d+)/(-?\d+)_(-?\d+)_(.+)->(-?\d+)_(-?\d+)_(.+)")

_Bit = int | str
_Wire = tuple[int, int, str]
_End = tuple[str, str]  # cell and port


@dataclass(frozen=True)
class Segment:
    """A wire of a net's routing and the switch that drives it; None where the net begins."""

    wire: _Wire
    switch: tuple[int, int, Near, Near] | None  # column and row of its tile, source, sink
    strength: str

    @property
    def source(self) -> _Wire | None:
        """The wire that drives it."""
        if self.switch is None:
            return None
        x, y, (right, down, name), _ = self.switch
        return x + right, y + down, name

    def text(self, shift: Shift, strength: str) -> str:
        """Return it as nextpnr writes it, so much further and with this strength."""
        x, y, name = self.wire
        said = f"X{x + shift.right}/Y{y + shift.down}/{name};"
        if self.switch is not None:
            x, y, one, two = self.switch
            ends = "->".join(f"{right}_{down}_{end}" for right, down, end in (one, two))
            said += f"X{x + shift.right}/Y{y + shift.down}/{ends}"
        return f"{said};{strength}"


def segments(text: str) -> list[Segment]:
    """Read a net's routing."""
    parts = text.strip().split(";")
    return [
        Segment(_wire(wire), _switch(switch), strength)
        for wire, switch, strength in zip(parts[0::3], parts[1::3], parts[2::3], strict=False)
    ]


def _wire(text: str) -> _Wire:
    match = PLACE.fullmatch(text)
    if match is None:
        raise LabError(f"{text}: is no wire of nextpnr")
    return int(match[1]), int(match[2]), match[3]


def _switch(text: str) -> tuple[int, int, Near, Near] | None:
    if not text:
        return None
    match = _SWITCH.fullmatch(text)
    if match is None:
        raise LabError(f"{text}: is no switch of nextpnr")
    x, y, *ends = match.groups()
    source, sink = ((int(e[0]), int(e[1]), e[2]) for e in (ends[:3], ends[3:]))
    return int(x), int(y), source, sink


@dataclass(frozen=True)
class RoutedUnit:
    """A module as nextpnr placed and routed it out of context: cells, nets and ports, in a box."""

    cells: Mapping[str, Any]
    nets: Mapping[str, Any]
    ports: Mapping[str, Any]
    area: Area

    @classmethod
    def of(cls, placed: Mapping[str, Any], routed: Mapping[str, Any], area: Area) -> Self:
        """Return the only module of `routed`, with the ports that it had when it was `placed`.

        nextpnr does not write the ports of a design that it did not pack itself.
        """
        (before,), (after,) = placed["modules"].values(), routed["modules"].values()
        names = {bit: name for name, net in before["netnames"].items() for bit in net["bits"]}
        nets = after["netnames"]

        def bits(port: Mapping[str, Any]) -> list[_Bit]:
            """Return a port's bits after routing; one without a net gets none."""
            found = (nets.get(names.get(bit, ""), {"bits": ["x"]}) for bit in port["bits"])
            return [net["bits"][0] for net in found]

        ports = {name: {**port, "bits": bits(port)} for name, port in before["ports"].items()}
        return cls(after["cells"], nets, ports, area)

    def routed(self) -> Iterable[tuple[_End, list[Segment]]]:
        """Yield the cell and port that drive each net with routing, and the routing."""
        drivers = drivers_of(self.cells)
        for net in self.nets.values():
            text = net["attributes"].get(ROUTING, "").strip()
            [bit] = net["bits"]
            if text and bit in drivers:
                yield drivers[bit], segments(text)


def drivers_of(cells: Mapping[str, Any]) -> dict[int, _End]:
    """Return the cell and port that drive each bit."""
    return {
        bit: (name, port)
        for name, cell in cells.items()
        for port, bits in cell["connections"].items()
        if cell["port_directions"][port] == "output"
        for bit in bits
    }


def top_of(design: Mapping[str, Any]) -> str:
    """Return the name of the top of a netlist."""
    tops: list[str] = [
        n for n, one in design["modules"].items() if _flag(one.get("attributes", {}), "top")
    ]
    if len(tops) != 1:
        raise LabError("has no top: synth_ecp5 -top names it")
    return tops[0]


def module_of(design: Mapping[str, Any], name: str) -> str:
    """Return the module that has this `name` in the sources; yosys may add an instance's path."""
    modules = design["modules"]
    if name in modules:
        return name
    found = [one for one in modules if one.startswith(f"{name}$")]
    if len(found) != 1:
        raise LabError(f"{name}: {len(found)} modules of this name in the netlist")
    return str(found[0])


def _flag(attributes: Mapping[str, Any], name: str) -> bool:
    return int(str(attributes.get(name, "0")), 2) != 0


def alone(design: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Return the netlist with the module `kind` as its top, and primitives only beside it."""
    modules = design["modules"]
    unit = modules[kind] | {"attributes": modules[kind]["attributes"] | {"top": "1"}}
    primitives = {
        name: one
        for name, one in modules.items()
        if {"blackbox", "whitebox"} & one.get("attributes", {}).keys()
    }
    return {**design, "modules": primitives | {kind: unit}}


def arcs(placed: Mapping[str, Any]) -> int:
    """Return the number of the arcs of a placed design, without those of its clocks."""
    (module,) = placed["modules"].values()
    clocks = {
        bit
        for net in module["netnames"].values()
        if _flag(net["attributes"], "ECP5_IS_GLOBAL")
        for bit in net["bits"]
    }
    driven = drivers_of(module["cells"]).keys() - clocks
    return sum(
        bits[0] in driven
        for cell in module["cells"].values()
        for port, bits in cell["connections"].items()
        if bits and cell["port_directions"][port] == "input"
    )


def instances(design: Mapping[str, Any], top: str, kind: str) -> list[str]:
    """Return the names of the instances of the module `kind` in `top`, in the netlist's order."""
    cells = design["modules"][top]["cells"]
    return [name for name, cell in cells.items() if cell["type"] == kind]


def compose(
    design: Mapping[str, Any], top: str, kind: str, unit: RoutedUnit, shifts: Sequence[Shift]
) -> dict[str, Any]:
    """Return the netlist of `top` with the placed unit in place of each instance of `kind`.

    Cells and inner nets of an instance have its name before theirs; other names stay. The copies
    lie in the order of the instances in the netlist.
    """
    module = design["modules"][top]
    build = _Composition(module, {n: c for n, c in module["cells"].items() if c["type"] != kind})
    for name, shift in zip(instances(design, top, kind), shifts, strict=True):
        build.add(name, module["cells"][name]["connections"], unit, shift)
    others = {name: one for name, one in design["modules"].items() if name != kind}
    return {**design, "modules": others | {top: build.whole()}}


class _Composition:
    """A netlist that is being composed."""

    def __init__(self, module: Mapping[str, Any], cells: dict[str, Any]) -> None:
        self.module = module
        self.cells = cells
        self.nets: dict[str, Any] = dict(module["netnames"])
        self.same: dict[_Bit, _Bit] = {}  # of two names of one net, what replaces the former
        groups = [*module["cells"].values(), *module["ports"].values(), *self.nets.values()]
        self.free = 2 + max(bit for one in groups for bit in _all_bits(one) if isinstance(bit, int))

    def add(
        self, name: str, connections: Mapping[str, list[_Bit]], unit: RoutedUnit, shift: Shift
    ) -> None:
        """Add an instance with these `connections`."""
        bits = self._ports(connections, unit)
        for cell_name, cell in unit.cells.items():
            used = {port: nets for port, nets in cell["connections"].items() if nets}
            x, y, place = _wire(cell["attributes"][BEL])
            self.cells[f"{name}.{cell_name}"] = {
                "hide_name": cell["hide_name"],
                "type": cell["type"],
                "parameters": cell["parameters"],
                "attributes": {"BEL": f"X{x + shift.right}/Y{y + shift.down}/{place}"},
                "port_directions": {port: cell["port_directions"][port] for port in used},
                "connections": {port: [self._bit(bits, n) for n in used[port]] for port in used},
            }
        outer = {bit for port in unit.ports.values() for bit in port["bits"]}
        for net_name, net in unit.nets.items():
            if outer.isdisjoint(net["bits"]):
                self.nets[f"{name}.{net_name}"] = {
                    "hide_name": net["hide_name"],
                    "bits": [self._bit(bits, n) for n in net["bits"]],
                    "attributes": {},
                }

    def _ports(self, connections: Mapping[str, list[_Bit]], unit: RoutedUnit) -> dict[_Bit, _Bit]:
        """Return the bits outside by those of the unit's ports; one net may have several."""
        bits: dict[_Bit, _Bit] = {}
        for port, ends in unit.ports.items():
            for inner, outer in zip(ends["bits"], connections.get(port, []), strict=False):
                if inner == "x" or (outer in ("x", "z") and ends["direction"] == "output"):
                    continue
                if isinstance(inner, str):
                    self.same[outer] = inner
                elif inner not in bits:
                    bits[inner] = outer
                elif bits[inner] != outer:
                    self.same[outer] = bits[inner]
        return bits

    def _bit(self, bits: dict[_Bit, _Bit], inner: _Bit) -> _Bit:
        if isinstance(inner, str):
            return inner
        if inner not in bits:
            bits[inner], self.free = self.free, self.free + 1
        return bits[inner]

    def _final(self, bit: _Bit) -> _Bit:
        while bit in self.same:
            bit = self.same[bit]
        return bit

    def whole(self) -> dict[str, Any]:
        """Return the module."""
        return {
            **self.module,
            "ports": {
                name: port | {"bits": [self._final(bit) for bit in port["bits"]]}
                for name, port in self.module["ports"].items()
            },
            "cells": {
                name: cell
                | {
                    "connections": {
                        port: [self._final(bit) for bit in bits]
                        for port, bits in cell["connections"].items()
                    }
                }
                for name, cell in self.cells.items()
            },
            "netnames": {
                name: net | {"bits": [self._final(bit) for bit in net["bits"]]}
                for name, net in self.nets.items()
            },
        }


def _all_bits(part: Mapping[str, Any]) -> Iterable[_Bit]:
    """Yield the bits of a cell, a port or a net."""
    yield from part.get("bits", [])
    for bits in part.get("connections", {}).values():
        yield from bits


@dataclass
class Stamped:
    """What became of the unit's routing: wires kept, and dropped by reason, over all copies."""

    kept: int = 0
    dropped: dict[str, int] = field(default_factory=dict)


def add_routing(
    placed: Mapping[str, Any],
    names: Sequence[str],
    unit: RoutedUnit,
    shifts: Sequence[Shift],
    fabric: Fabric,
) -> Stamped:
    """Give the nets of the `placed` design the unit's routing, for the instances `names`.

    Left out: what hangs on a switch outside the unit's box, on one that the new place does not
    have, or on a wire that another net has. Routing that is kept as a whole is locked: for the few
    arcs of a dense array that are left to it, the router would otherwise rip up most of the others.
    """
    (module,) = placed["modules"].values()
    cells = module["cells"]
    nets = {bit: (name, net) for name, net in module["netnames"].items() for bit in net["bits"]}
    taken: dict[_Wire, str] = {}
    done = Stamped()
    for name, shift in zip(names, shifts, strict=True):
        for (cell, port), routing in unit.routed():
            [bit] = cells[f"{name}.{cell}"]["connections"][port]
            net_name, net = nets[bit]
            copy = _Copy(unit.area, shift, fabric, taken, net_name, done)
            kept = copy.kept(routing)
            whole = len(kept) == len(routing)
            said = [one.text(shift, _LOCKED if whole else one.strength) for one in kept]
            net["attributes"][ROUTING] = ";".join(said) or " "
    return done


@dataclass(frozen=True)
class _Copy:
    """One net of one copy; `taken` has the nets of wires."""

    area: Area
    shift: Shift
    fabric: Fabric
    taken: dict[_Wire, str]
    net: str
    done: Stamped

    def kept(self, routing: Sequence[Segment]) -> list[Segment]:
        """Return the routing that can be kept: whole branches from the net's beginning."""
        after = defaultdict(list)
        for one in routing:
            after[one.source].append(one)
        kept: list[Segment] = []
        waiting = after[None]
        while waiting:
            one = waiting.pop()
            if reason := self._obstacle(one):
                dropped = self.done.dropped
                dropped[reason] = dropped.get(reason, 0) + 1
                continue
            x, y, name = one.wire
            self.taken[x + self.shift.right, y + self.shift.down, name] = self.net
            kept.append(one)
            waiting += after[one.wire]
        self.done.kept += len(kept)
        return kept

    def _obstacle(self, one: Segment) -> str:
        """Return why a segment cannot be kept; empty if it can."""
        x, y, name = one.wire
        there = x + self.shift.right, y + self.shift.down, name
        if is_global(name):
            return "clock"
        if self.taken.get(there, self.net) != self.net:
            return "taken"
        if one.switch is None:
            return ""
        x, y, source, sink = one.switch
        if not self.area.holds(x, y):
            return "outside"
        if not self.fabric.has_switch(x + self.shift.right, y + self.shift.down, source, sink):
            return "no switch"
        return ""
