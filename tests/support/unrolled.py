"""An engine unrolled over its clocks as a module without registers, for the proofs in formal/."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Bit = int | str
"""As in Yosys' JSON: the number of a net, or `0`, `1`, `x`."""


def flat_registers(json: str) -> list[str]:
    """Return Yosys' lines that write a module which was just read, with `$dff`s only, to `json`."""
    return [
        "proc",
        "setattr -mod -unset keep_hierarchy",
        "flatten",
        "delete t:$print t:$scopeinfo",
        "setattr -unset init w:*",  # registers begin with any value
        "opt_reduce",  # one write enable a word, and not one a bit
        "opt_clean",
        "opt_merge",
        "memory_collect",
        "memory_map",
        "dffunmap",
        "opt_clean",
        f"write_json {json}",
    ]


@dataclass
class Unrolled:
    """Copies of a module's cells, one for each clock, and inputs for what comes from outside.

    `module` is Yosys' JSON of it, its only registers being `$dff`s. `given` has inputs that never
    change and registers' values in clock 0, `cut` the net in place of a bit in a clock.
    """

    module: Mapping[str, Any]
    given: dict[int, Bit]
    cut: Callable[[int, int], Bit | None]
    free: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Find the registers and inputs."""
        self._last = 1
        self._nets: dict[tuple[int, int], Bit] = {}
        self._copies: dict[int, tuple[int, int]] = {}  # net: the clock and cell that drive it
        self._added: dict[str, Any] = {}
        cells = self.module["cells"].values()
        self._logic = [cell for cell in cells if cell["type"] not in ("$dff", "$scopeinfo")]
        assert all(
            not cell["type"].startswith(("$mem", "$adff", "$dlatch")) for cell in self._logic
        )
        self._from: dict[int, Bit] = {}
        for cell in cells:
            if cell["type"] == "$dff":
                ports = cell["connections"]
                self._from.update(zip(ports["Q"], ports["D"], strict=True))
        self._driver = {
            bit: i
            for i, cell in enumerate(self._logic)
            for port, bits in cell["connections"].items()
            if cell["port_directions"][port] == "output"
            for bit in bits
        }

    def new(self) -> int:
        """Return a new net."""
        self._last += 1
        return self._last

    def fresh(self) -> int:
        """Return a new net that is an input of any value."""
        self.free.append(self.new())
        return self.free[-1]

    def at(self, clock: int, bit: Bit) -> Bit:
        """Return the net that `bit` of the module is in a clock."""
        if not isinstance(bit, int):
            return bit
        instead = self.cut(clock, bit)
        return self.uncut(clock, bit) if instead is None else instead

    def uncut(self, clock: int, bit: int) -> Bit:
        """Return the net of `bit` in a clock, although it may be cut there."""
        if bit in self._from and clock:
            return self.at(clock - 1, self._from[bit])
        if bit in self.given:
            return self.given[bit]
        key = (clock, bit)
        if key not in self._nets:
            if bit in self._driver:
                net = self.new()
                self._copies[net] = (clock, self._driver[bit])
            else:
                net = self.fresh()
            self._nets[key] = net
        return self._nets[key]

    def name(self, clock: int, bit: int, net: Bit) -> None:
        """Say which net an input, or a register in clock 0, is."""
        assert (clock, bit) not in self._nets
        assert bit not in self._driver
        self._nets[clock, bit] = net

    def choice(self, values: Sequence[Bit], select: Sequence[Bit]) -> Bit:
        """Return a net that is the chosen one of 2 ^ len(select) `values`."""
        assert len(values) == 1 << len(select)
        if len(set(values)) == 1:
            return values[0]
        chosen = self.new()
        self._added[f"choice{chosen}"] = {
            "type": "$bmux",
            "parameters": {"WIDTH": f"{1:032b}", "S_WIDTH": f"{len(select):032b}"},
            "port_directions": {"A": "input", "S": "input", "Y": "output"},
            "attributes": {},
            "connections": {"A": list(values), "S": list(select), "Y": [chosen]},
        }
        return chosen

    def sum(self, one: Bit, other: Bit) -> Bit:
        """Return a net that is the XOR of two."""
        total = self.new()
        self._added[f"sum{total}"] = {
            "type": "$xor",
            "parameters": {
                "A_SIGNED": f"{0:032b}",
                "B_SIGNED": f"{0:032b}",
                "A_WIDTH": f"{1:032b}",
                "B_WIDTH": f"{1:032b}",
                "Y_WIDTH": f"{1:032b}",
            },
            "port_directions": {"A": "input", "B": "input", "Y": "output"},
            "attributes": {},
            "connections": {"A": [one], "B": [other], "Y": [total]},
        }
        return total

    def module_of(
        self, inputs: Mapping[str, Sequence[Bit]], outputs: Mapping[str, Sequence[Bit]]
    ) -> dict[str, Any]:
        """Return the cells on which `outputs` depend as a module with these ports, and `free_i`."""
        copies: dict[str, Any] = {}
        todo: list[Bit] = [bit for bits in outputs.values() for bit in bits]
        for cell in self._added.values():
            todo += [bit for bits in cell["connections"].values() for bit in bits]
        while todo:
            net = todo.pop()
            if not isinstance(net, int) or net not in self._copies:
                continue
            clock, i = self._copies[net]
            if (name := f"c{clock}_{i}") in copies:
                continue
            cell = self._logic[i]
            # A cell drives its own net where that is cut.
            connections = {
                port: [
                    self.at(clock, bit)
                    if cell["port_directions"][port] == "input"
                    else self.uncut(clock, bit)
                    for bit in bits
                ]
                for port, bits in cell["connections"].items()
            }
            copies[name] = {
                **{key: cell[key] for key in ("type", "parameters", "port_directions")},
                "attributes": {},
                "connections": connections,
            }
            todo += [bit for bits in connections.values() for bit in bits]
        ports = {
            name: {"direction": "input", "bits": bits}
            for name, bits in {**inputs, "free_i": self.free}.items()
        }
        ports |= {name: {"direction": "output", "bits": bits} for name, bits in outputs.items()}
        cells = {**copies, **self._added}
        return {"attributes": {}, "ports": ports, "cells": cells, "netnames": {}}
