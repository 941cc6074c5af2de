"""The hash of a netlist: names do not count, everything that is measured does."""

import copy
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from hashfabric.netlist.structure import structure_hash

Netlist = dict[str, Any]


def lut(init: str, a: Any, b: Any, z: Any) -> Netlist:
    """A cell of two inputs and one output."""
    return {
        "type": "LUT2",
        "parameters": {"INIT": init},
        "attributes": {"src": "toy.sv:1.1"},
        "port_directions": {"A": "input", "B": "input", "Z": "output"},
        "connections": {"A": [a], "B": [b], "Z": [z]},
    }


def register(d: Any, q: Any) -> Netlist:
    """A flip-flop; its clock is net 2."""
    return {
        "type": "FF",
        "parameters": {},
        "attributes": {},
        "port_directions": {"CLK": "input", "D": "input", "Q": "output"},
        "connections": {"CLK": [2], "D": [d], "Q": [q]},
    }


@pytest.fixture
def netlist() -> Netlist:
    """Two copies of a register, of which each drives one of two outputs, and a loop."""
    return {
        "modules": {
            "top": {
                "ports": {
                    "clk": {"direction": "input", "bits": [2]},
                    "in": {"direction": "input", "bits": [3, 4]},
                    "out": {"direction": "output", "bits": [7, 8, "0"]},
                },
                "cells": {
                    "copy_a": register(9, 5),
                    "copy_b": register(9, 6),
                    "mix": lut("0110", 3, 4, 9),
                    "left": lut("1000", 5, 7, 7),
                    "right": lut("1000", 6, 3, 8),
                },
            }
        }
    }


def test_names_do_not_count(netlist: Netlist) -> None:
    """Cells and nets renamed and in another order, attributes changed: the same hash."""
    wanted = structure_hash(netlist, "top")
    for seed in range(5):
        numbers = random.Random(seed).sample(range(10, 99), 20)
        other = json.loads(json.dumps(netlist))
        module = other["modules"]["top"]

        def renumbered(bits: list[Any], numbers: list[int] = numbers) -> list[Any]:
            return [bit if isinstance(bit, str) else numbers[bit] for bit in bits]

        cells = list(module["cells"].values())
        random.Random(seed).shuffle(cells)
        for part in module["ports"].values():
            part["bits"] = renumbered(part["bits"])
        for cell in cells:
            cell["attributes"] = {"src": f"other.sv:{seed}.1"}
            cell["connections"] = {
                name: renumbered(bits) for name, bits in cell["connections"].items()
            }
        module["cells"] = {f"x{number}": cell for number, cell in enumerate(cells)}
        module["cells"]["scope"] = {"type": "$scopeinfo", "connections": {}, "parameters": {}}
        assert structure_hash(other, "top") == wanted


def _swap(cell: Netlist, one: str, other: str) -> None:
    wires = cell["connections"]
    wires[one], wires[other] = wires[other], wires[one]


CHANGES: list[Callable[[Netlist], object]] = [
    lambda top: top["cells"]["mix"]["parameters"].update(INIT="0111"),
    lambda top: top["cells"]["mix"].update(type="LUT3"),
    lambda top: _swap(top["cells"]["right"], "A", "B"),
    lambda top: top["cells"]["right"]["connections"].update(A=[5]),  # one copy drives both
    lambda top: top["ports"]["out"].update(bits=[8, 7, "0"]),
    lambda top: top["ports"]["out"].update(bits=[7, 8, "1"]),
    lambda top: top["ports"]["out"].update(bits=[7, 8]),
    lambda top: top["ports"]["in"].update(bits=[4, 3]),
    lambda top: top["ports"].update({"spare": {"direction": "input", "bits": [99]}}),
    lambda top: top["cells"].update(more=register(9, 50)),
    lambda top: top["cells"].pop("copy_b"),
]


@pytest.mark.parametrize("change", range(len(CHANGES)))
def test_what_is_measured_counts(netlist: Netlist, change: int) -> None:
    """Types, parameters, pins, which of two equal registers drives what, ports and constants."""
    other = copy.deepcopy(netlist)
    CHANGES[change](other["modules"]["top"])
    assert structure_hash(other, "top") != structure_hash(netlist, "top")


def test_a_long_chain_differs_at_its_end() -> None:
    """Colours spread one cell a round, as far as it takes."""

    def chain(first: Any) -> str:
        cells = {f"r{i}": register(first if i == 0 else 10 + i, 11 + i) for i in range(60)}
        ports = {
            "clk": {"direction": "input", "bits": [2]},
            "in": {"direction": "input", "bits": [3, 4]},
            "out": {"direction": "output", "bits": [70]},
        }
        return structure_hash({"modules": {"top": {"ports": ports, "cells": cells}}}, "top")

    assert chain(3) != chain(4)


def test_it_is_the_same_in_every_process(netlist: Netlist) -> None:
    """Rows carry it: nothing of this process may go into it."""
    code = (
        "import json, sys; from hashfabric.netlist.structure import structure_hash; "
        "print(structure_hash(json.load(sys.stdin), 'top'))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            input=json.dumps(netlist),
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert found == {structure_hash(netlist, "top")}
