"""Put copies of a placed ECP5 design side by side, each in its own box of the array.

A placer takes much longer for several engines at once than for one. `place_copies` reads the placed
design of one engine (`nextpnr-ecp5 --no-route --write`), distributes it over a box and repeats the
box.

All copies share the input pins and the clock. The design has as many output pins as there will be
copies, all with the same signal, and each copy gets one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from hashfabric.base.errors import LabError
from hashfabric.flows.ecp5.box import Array, Box
from hashfabric.flows.ecp5.placed import BEL, PlacedCell, slice_cells

_SHARED = ("TRELLIS_IO", "DCCA")


def place_copies(design: dict[str, Any], count: int, array: Array) -> None:
    """Put `count` copies into the placed `design`, in place of its only one.

    `LabError` if the design has cells that cannot be repeated, or a box does not hold it.
    """
    (module,) = design["modules"].values()
    cells = list(slice_cells(module))
    across, down = _grid(count, array)
    box = Box(array, array.width // across, len(array.rows) // down)
    box.fit(cells)

    def bel(cell: PlacedCell, number: int) -> str:
        return box.bel(cell, number % across * box.width, number // across * box.height)

    _repeat(module, cells, count, bel)


def _grid(count: int, array: Array) -> tuple[int, int]:
    """Return how many boxes go across and down, so that they are as square as possible."""

    def slimness(across: int) -> float:
        width, height = array.width // across, len(array.rows) // (count // across)
        return max(width / height, height / width) if width and height else float("inf")

    across = min((n for n in range(1, count + 1) if count % n == 0), key=slimness)
    return across, count // across


def _name(number: int, name: str) -> str:
    return f"copy{number}.{name}"


def _repeat(
    module: dict[str, Any],
    cells: Sequence[PlacedCell],
    count: int,
    bel: Callable[[PlacedCell, int], str],
) -> None:
    """Repeat `cells` and their nets `count` times; pins and clocks stay, each copy gets an output.

    `bel` gives the place of a cell in the copy with a given number.
    """
    own = {cell.name for cell in cells}
    shared = {name: cell for name, cell in module["cells"].items() if name not in own}
    for name, cell in shared.items():
        if cell["type"] not in _SHARED:
            raise LabError(f"copies: a {cell['type']} ({name}) cannot be repeated")
    driven = {
        bit
        for cell in cells
        for port, bits in cell.netlist["connections"].items()
        if cell.netlist["port_directions"][port] == "output"
        for bit in bits
    }
    ends = [
        (cell, port)
        for cell in shared.values()
        for port, bits in cell["connections"].items()
        if driven.intersection(bits)
    ]
    if len(ends) != count or any(cell["type"] != "TRELLIS_IO" for cell, _ in ends):
        raise LabError(f"copies: {len(ends)} outputs, {count} copies; or a global signal of one")
    stride = 1 + max(bit for net in module["netnames"].values() for bit in net["bits"])

    def renamed(bits: Iterable[int], number: int) -> list[int]:
        return [bit + stride * number if bit in driven else bit for bit in bits]

    for number, (cell, port) in enumerate(ends):
        cell["connections"][port] = renamed(cell["connections"][port], number)
    nets = module["netnames"]
    module["cells"] = dict(shared)
    module["netnames"] = {n: net for n, net in nets.items() if driven.isdisjoint(net["bits"])}
    for number in range(count):
        for cell in cells:
            connections = {
                port: renamed(bits, number) for port, bits in cell.netlist["connections"].items()
            }
            module["cells"][_name(number, cell.name)] = cell.netlist | {
                "attributes": _without_name(cell.netlist["attributes"]) | {BEL: bel(cell, number)},
                "connections": connections,
            }
        for name, net in nets.items():
            if name not in module["netnames"] and not driven.isdisjoint(net["bits"]):
                module["netnames"][_name(number, name)] = net | {
                    "attributes": _without_name(net["attributes"]),
                    "bits": renamed(net["bits"], number),
                }


def _without_name(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Return `attributes` without the hierarchical name, which only one cell may have."""
    return {name: value for name, value in attributes.items() if name != "hdlname"}
