"""A placed ECP5 design as `nextpnr-ecp5 --write` writes it: the places of the slices' cells."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

BEL = "NEXTPNR_BEL"
"""The attribute that holds a cell's place."""

_STRENGTH = "BEL_STRENGTH"
_WEAK = f"{1:032b}"  # nextpnr's STRENGTH_WEAK: a placer may give the cell another place

PLACE = re.compile(r"X(\d+)/Y(\d+)/(.+)")
"""The name of a place or a wire: column, row and the rest."""

SLICES = "ABCD"
"""The letters of a tile's slices; a slice has two lanes, each a LUT (K) and its flip-flop (FF)."""

_SLICE_PLACE = re.compile(r"X(\d+)/Y(\d+)/SLICE([A-D])\.(\w+)")
_FIXED_PORTS = ("FCI", "FCO", "FXA", "FXB", "OFX")

_CLOCK = re.compile(r"Max frequency for clock +'(.+)': [\d.]+ MHz \(\w+ at ([\d.]+) MHz\)")


@dataclass(frozen=True)
class Columns:
    """The columns of a device that have logic tiles, `first` to `last`."""

    first: int
    last: int

    @property
    def width(self) -> int:
        """Their number."""
        return self.last - self.first + 1


COLUMNS = {
    "12k": Columns(2, 70),
    "25k": Columns(2, 70),
    "45k": Columns(2, 88),
    "85k": Columns(2, 124),
}
"""The columns that have logic tiles, by the size in the device's name."""


@dataclass(frozen=True)
class PlacedCell:
    """One cell of a slice: its place, and its part of the netlist."""

    name: str
    x: int
    y: int
    slot: int  # 0 to 3: slice A to D
    bel: str  # what follows the slice's name: K0, FF1, RAMW
    netlist: dict[str, Any]

    def net(self, port: str) -> Any:
        """Return the net at `port`, None if there is none."""
        return next(iter(self.netlist["connections"].get(port, [])), None)

    @property
    def lane(self) -> int:
        """The number of its lane, 0 or 1; a RAM's write port counts with lane 0."""
        return int(self.bel[-1]) if self.bel[-1].isdigit() else 0

    def bel_in(self, lane: int) -> str:
        """Return the cell's `bel` in the lane with that number."""
        return f"{self.bel[:-1]}{lane}" if self.bel[-1].isdigit() else self.bel

    @property
    def is_register(self) -> bool:
        """True for a flip-flop."""
        return bool(self.netlist["type"] == "TRELLIS_FF")

    @property
    def rigid(self) -> bool:
        """True if the cell may use wires between fixed neighbours: carry, RAM, wide muxes."""
        if self.netlist["type"] not in ("TRELLIS_COMB", "TRELLIS_FF"):
            return True
        return self.netlist["parameters"].get("MODE", "LOGIC") != "LOGIC" or any(
            self.net(port) is not None for port in _FIXED_PORTS
        )

    @property
    def register_signals(self) -> frozenset[tuple[str, Any, Any]]:
        """The clock and the reset of a register, also if it has none: nextpnr lets a tile have one.

        Empty for other cells.
        """
        if not self.is_register:
            return frozenset()
        parameters = self.netlist["parameters"]
        kinds = {"CLK": parameters.get("CLKMUX"), "LSR": None}
        if self.net("LSR") is not None:
            kinds["LSR"] = (parameters.get("LSRMUX"), parameters.get("SRMODE"))
        return frozenset((port, self.net(port), kind) for port, kind in kinds.items())


def slice_cells(module: Mapping[str, Any]) -> Iterable[PlacedCell]:
    """Yield the cells of `module` that lie in slices."""
    for name, netlist in module["cells"].items():
        if match := _SLICE_PLACE.fullmatch(netlist["attributes"].get(BEL, "")):
            x, y, letter, bel = match.groups()
            yield PlacedCell(name, int(x), int(y), SLICES.index(letter), bel, netlist)


def design_cells(design: Mapping[str, Any]) -> list[PlacedCell]:
    """Return the cells of a placed `design` that lie in slices."""
    return [cell for module in design["modules"].values() for cell in slice_cells(module)]


def place(x: int, y: int, slot: int, bel: str) -> str:
    """Return the name of a place in a slice."""
    return f"X{x}/Y{y}/SLICE{SLICES[slot]}.{bel}"


def constrain(design: Mapping[str, Any]) -> None:
    """Make the places of a placed design constraints, for a run of nextpnr without `--no-place`.

    nextpnr binds a written design before its cells are set up as carry or RAM: the router then
    exchanges pins of carry chains and of distributed RAM, as it may do only with those of LUTs, and
    the bitstream computes something else. Constraints are bound afterwards.
    """
    for module in design["modules"].values():
        for cell in module["cells"].values():
            _constrain(cell)


def _constrain(cell: Mapping[str, Any]) -> None:
    """Make the place of one cell a constraint."""
    attributes = cell["attributes"]
    attributes["BEL"] = attributes.pop(BEL)
    attributes.pop(_STRENGTH, None)


def loosen(design: Mapping[str, Any]) -> None:
    """Leave a placed design's cells to the last step of nextpnr's placers, which improves places.

    Block RAM and cells that use wires between fixed neighbours stay (`constrain`).
    """
    for module in design["modules"].values():
        loose = {cell.name for cell in slice_cells(module) if not cell.rigid}
        for name, cell in module["cells"].items():
            if name in loose:
                cell["attributes"][_STRENGTH] = _WEAK
            else:
                _constrain(cell)


def take_places(design: Mapping[str, Any], improved: Mapping[str, Any]) -> None:
    """Give the cells of a loosened `design` the places that they have in the `improved` one.

    Only these: where nextpnr packs a design a second time, it cuts flip-flops off its ports.
    """
    for name, module in design["modules"].items():
        cells = improved["modules"][name]["cells"]
        for cell_name, cell in module["cells"].items():
            cell["attributes"].pop("BEL", None)
            cell["attributes"][BEL] = cells[cell_name]["attributes"][BEL]


def needs_packing(design: Mapping[str, Any]) -> bool:
    """Return whether a design that was packed must be packed again, before it is placed and routed.

    nextpnr finds out the timing of a multiplier when it packs, and does not write it: without it a
    run ends with an exception. It changes no cell that is packed, and no place.
    """
    return any(
        cell["type"] == "MULT18X18D"
        for module in design["modules"].values()
        for cell in module["cells"].values()
    )


def fits_tile(signals: Iterable[tuple[str, Any, Any]]) -> bool:
    """Return whether registers with these `signals` may share a tile: one clock and one reset."""
    ports = [port for port, _, _ in set(signals)]
    return len(ports) == len(set(ports))


def clocks_lpf(log: str) -> str:
    """Return the constraints of the clocks, as the log of placing names them, as an LPF file.

    They have the names of the nets that nextpnr gave the clocks when it packed the design; its file
    of a placed design has no constraints.
    """
    clocks = dict(_CLOCK.findall(log))
    return "".join(f'FREQUENCY NET "{net}" {mhz} MHZ;\n' for net, mhz in clocks.items())
