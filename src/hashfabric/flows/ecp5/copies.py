"""The array of a variant with copies: N of one module side by side, as a netlist.

All copies share the input pins and the clock. The module has as many output pins as there are
copies, all with the same signal, and each copy drives one pin of the array.
"""

from collections.abc import Mapping
from typing import Any

TOP = "copies"
"""The name of the array."""


def array_of(design: Mapping[str, Any], kind: str, count: int) -> dict[str, Any]:
    """Return `design` with an array of `count` instances of its module `kind` as the top."""
    module = design["modules"][kind]
    ports: dict[str, Any] = {}
    nets: dict[str, Any] = {}
    free = 2
    for name, port in module["ports"].items():
        width = len(port["bits"])
        bits = list(range(free, free + width))
        free += width
        ports[name] = {"direction": port["direction"], "bits": bits}
        nets[name] = {"hide_name": 0, "bits": bits, "attributes": {}}
    cells = {}
    for number in range(count):
        connections = {
            name: [
                bit if port["direction"] == "input" or i == number else "x"
                for i, bit in enumerate(port["bits"])
            ]
            for name, port in ports.items()
        }
        cells[f"copy{number}"] = {
            "hide_name": 0,
            "type": kind,
            "parameters": {},
            "attributes": {},
            "port_directions": {name: port["direction"] for name, port in ports.items()},
            "connections": connections,
        }
    array = {"attributes": {"top": "1"}, "ports": ports, "cells": cells, "netnames": nets}
    attributes = {n: v for n, v in module["attributes"].items() if n != "top"}
    return {
        **design,
        "modules": design["modules"] | {kind: module | {"attributes": attributes}, TOP: array},
    }
