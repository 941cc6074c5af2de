"""A hash of a netlist that does not depend on the names of its cells, nets and modules.

Two netlists with the same cells, parameters and connections between the same top-level ports have
the same hash. Names of cells and nets, attributes and the order of the file do not count: comments,
line numbers and renamed signals change only those, and nothing that is measured. (A router also
orders its work by names, which changes a clock as another seed does.)

The method is colour refinement (Weisfeiler and Leman 1968): a cell's colour begins as its type and
parameters, and takes in the colours of its drivers and of its loads, until no more colours split.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

_NO_LOGIC = "$scopeinfo"
_ROUNDS = 200  # No netlist of a hash core needs half as many.

Bit = int | str
Pin = tuple[int, bytes]
"""A cell's number (-1: the top's own port) and the name and index of the pin."""


def has_inside(module: Mapping[str, Any]) -> bool:
    """Return whether a module of yosys' write_json is more than the ports of a primitive."""
    attributes = module.get("attributes", {})
    return bool(module) and not {"blackbox", "whitebox"} & attributes.keys()


def structure_hash(netlist: Mapping[str, Any], top: str) -> str:
    """Return the sha256 (hex) of module `top` of a netlist as yosys' write_json gives it.

    Of a cell that is a module with contents, the hash of these counts in place of its name.
    """
    module = netlist["modules"][top]
    kinds = {cell["type"] for cell in module["cells"].values()}
    types = {
        kind: structure_hash(netlist, kind)
        if has_inside(netlist["modules"].get(kind, {}))
        else kind
        for kind in kinds
    }
    cells = [cell for cell in module["cells"].values() if cell["type"] != _NO_LOGIC]
    ends = _Ends({}, {})
    for name, port in module["ports"].items():
        ends.add(-1, name, port["bits"], drives=port["direction"] == "input")
    for number, cell in enumerate(cells):
        for name, bits in cell["connections"].items():
            ends.add(number, name, bits, drives=cell["port_directions"][name] == "output")
    inputs: list[list[tuple[bytes, Pin | Bit]]] = [[] for _ in cells]
    outputs: list[list[tuple[bytes, list[Pin]]]] = [[] for _ in cells]
    for bit, pins in ends.readers.items():
        for number, pin in pins:
            if number >= 0:
                inputs[number].append((pin, ends.driver(bit)))
    for bit, (number, pin) in ends.drivers.items():
        if number >= 0:
            outputs[number].append((pin, ends.readers.get(bit, [])))
    colours = [
        _digest([types[cell["type"]].encode(), repr(sorted(cell["parameters"].items())).encode()])
        for cell in cells
    ]
    count = 0
    for _ in range(_ROUNDS):
        if len(set(colours)) == count:
            break
        count = len(set(colours))
        colours = [
            _digest(
                [
                    colours[number],
                    *sorted(pin + _source(source, colours) for pin, source in inputs[number]),
                    b"drives",
                    *sorted(
                        pin + b"".join(sorted(_end(reader, colours) for reader in readers))
                        for pin, readers in outputs[number]
                    ),
                ]
            )
            for number in range(len(cells))
        ]
    results = sorted(
        pin + _source(ends.driver(bit), colours)
        for bit, pins in ends.readers.items()
        for number, pin in pins
        if number < 0
    )
    arguments = sorted(pin for number, pin in ends.drivers.values() if number < 0)
    return hashlib.sha256(b"".join([*sorted(colours), b"ports", *arguments, *results])).hexdigest()


@dataclass(frozen=True)
class _Ends:
    """The driver of each net, and its loads."""

    drivers: dict[Bit, Pin]
    readers: dict[Bit, list[Pin]]

    def add(self, number: int, name: str, bits: Iterable[Bit], *, drives: bool) -> None:
        """Add a port of a cell, or of the top."""
        for index, bit in enumerate(bits):
            pin = (number, f"{name}[{index}]".encode())
            if drives:
                self.drivers[bit] = pin
            else:
                self.readers.setdefault(bit, []).append(pin)

    def driver(self, bit: Bit) -> Pin | Bit:
        """Return the driver of a net: a pin, a constant, or z without one."""
        return self.drivers.get(bit, bit if isinstance(bit, str) else "z")


def _source(source: Pin | Bit, colours: list[bytes]) -> bytes:
    return _end(source, colours) if isinstance(source, tuple) else str(source).encode()


def _end(pin: Pin, colours: list[bytes]) -> bytes:
    number, name = pin
    return name + (colours[number] if number >= 0 else b"top")


def _digest(parts: Iterable[bytes]) -> bytes:
    return hashlib.blake2b(b"\0".join(parts), digest_size=16).digest()
