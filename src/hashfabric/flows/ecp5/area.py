"""Boxes of an ECP5's array that are alike, so that a placed and routed module fits each of them.

Logic is alike everywhere: a box may move by any number of columns, and by such numbers of rows that
rows of block RAM and DSP lie on each other. Block RAM and DSP need a like site in the new place.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from hashfabric.base.errors import LabError
from hashfabric.flows.ecp5.box import Array
from hashfabric.flows.ecp5.fabric import Fabric
from hashfabric.flows.ecp5.placed import BEL, PLACE
from hashfabric.flows.ecp5.ramsites import RamSites

ROW_STEP = 12
"""Rows of block RAM and DSP are this far apart."""

_LOGIC = ("TRELLIS_COMB", "TRELLIS_FF", "TRELLIS_RAMW")
_RAM = "DP16KD"
_DSPS = ("MULT18X18D", "ALU54B")
_DSP_TILES = 4
_SIDES = 4
_TILE_LANES = 8  # LUTs with a flip-flop in a tile
_FULL = 0.7  # the share of a box's lanes that a module may fill, where there is room
_MARGIN, _PARTS = 4, 16
_LARGE = 0.9  # the share of the largest possible box's tiles that a squarer one must have


@dataclass(frozen=True)
class Area:
    """A box of tiles: its first column and row, and its width and height."""

    left: int
    top: int
    width: int
    height: int

    def __str__(self) -> str:
        """Return it as messages name it."""
        return f"{self.width} x {self.height} tiles"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `LEFT,TOP,WIDTH,HEIGHT`; `LabError` if it is something else."""
        parts = text.split(",")
        if len(parts) != _SIDES or not all(part.strip().isdecimal() for part in parts):
            raise LabError(f"{text}: is no box: LEFT,TOP,WIDTH,HEIGHT in tiles")
        return cls(*(int(part) for part in parts))

    def text(self) -> str:
        """Return it as `parse` reads it."""
        return f"{self.left},{self.top},{self.width},{self.height}"

    def moved(self, shift: "Shift") -> Self:
        """Return the box that much further."""
        left, top = self.left + shift.right, self.top + shift.down
        return type(self)(left, top, self.width, self.height)

    def holds(self, x: int, y: int) -> bool:
        """Return whether a tile lies in it."""
        return 0 <= x - self.left < self.width and 0 <= y - self.top < self.height

    def meets(self, other: "Area") -> bool:
        """Return whether the two have a tile in common."""
        across = -self.width < self.left - other.left < other.width
        return across and -self.height < self.top - other.top < other.height

    def logic(self, array: Array) -> Array:
        """Return its logic tiles."""
        rows = [y for y in array.rows if self.holds(self.left, y)]
        return Array(self.left, self.left + self.width - 1, rows)

    def size(self, array: Array) -> int:
        """Return the number of its logic tiles."""
        return self.width * len(self.logic(array).rows)

    def fitting(self, lanes: int, array: Array) -> "Iterator[tuple[Area, Area]]":
        """Yield boxes for a module of `lanes` lanes, each with one for its cells in it, by size.

        The former is wider on each side, so that routing stays in it, as long as there is room; the
        last ones are this box.
        """
        for part in range(1, _PARTS + 1):
            width, height = (max(1, side * part // _PARTS) for side in (self.width, self.height))
            whole = Area(self.left, self.top, width, height)
            for margin in range(_MARGIN, -1 if part == _PARTS else _MARGIN - 1, -1):
                inner = whole.inset(margin)
                if lanes <= _FULL * _TILE_LANES * inner.size(array):
                    yield whole, inner
        yield self, self

    def inset(self, margin: int) -> Self:
        """Return the box without `margin` tiles at each side."""
        left, top = self.left + margin, self.top + margin
        width, height = (max(0, side - 2 * margin) for side in (self.width, self.height))
        return type(self)(left, top, width, height)

    def rams(self, sites: RamSites) -> RamSites:
        """Return the sites of block RAM in it, of those groups of four that it holds whole."""
        fours = [sites.columns[i : i + 4] for i in range(0, len(sites.columns), 4)]
        inside = [x for four in fours if self._spans(four[0], four[-1] + 2) for x in four]
        return RamSites(inside, [y for y in sites.rows if self.holds(self.left, y)])

    def _spans(self, first: int, last: int) -> bool:
        return self.left <= first and last < self.left + self.width


@dataclass(frozen=True)
class Shift:
    """How far a copy lies from the first one, in tiles to the right and down."""

    right: int = 0
    down: int = 0


def first_area(count: int, array: Array) -> Area:
    """Return a box of which `count` fit on the array: large, and as square as possible.

    Boxes lie side by side, and rows of them a multiple of `ROW_STEP` apart.
    """
    areas = [area for across in range(1, count + 1) for area in _areas(count, across, array)]
    return _best(areas, count, array)


def _areas(count: int, across: int, array: Array) -> Iterator[Area]:
    """Yield the largest boxes for each distance between rows of them, with `across` in a row."""
    first, room = array.rows[0], array.rows[-1] - array.rows[0] + 1
    width, down = array.width // across, -(-count // across)
    for step in range(ROW_STEP, room + 1, ROW_STEP) if down > 1 else [room]:
        height = min(step, room - (down - 1) * step)
        tops = range(first, first + room - (down - 1) * step - height + 1)
        places = [Area(array.first, top, width, height) for top in tops]
        if width > 0 and height > 0:
            yield max(places, key=lambda area: area.size(array))


def _best(areas: Sequence[Area], count: int, array: Array) -> Area:
    """Return the squarest of the large ones among `areas`; `LabError` if there is none."""
    if not areas:
        raise LabError(f"{count} copies: the array has no room for their boxes")
    enough = _LARGE * max(area.size(array) for area in areas)
    large = [area for area in areas if area.size(array) >= enough]
    return min(large, key=lambda area: max(area.width, area.height) / min(area.width, area.height))


@dataclass(frozen=True)
class Sites:
    """What a device has where: its logic, its block RAM, its tiles."""

    array: Array
    rams: RamSites
    fabric: Fabric

    def shifts(self, area: Area, cells: Mapping[str, Any], count: int) -> list[Shift]:
        """Return where `count` copies of placed `cells` go, of which the first ones lie in `area`.

        No box meets another, and each has a like site for every cell. `LabError` if there are fewer
        boxes, or a cell cannot be repeated.
        """
        blocks = list(_blocks(area, cells))
        rows = range(self.array.rows[0] - area.top, self.array.rows[-1] - area.top + 1)
        logic = set(self.array.rows)
        inside = range(area.top, area.top + area.height)
        downs = [
            n
            for n in rows
            if n + area.height - 1 in rows and all((y in logic) is (y + n in logic) for y in inside)
        ]
        rights = range(self.array.first - area.left, self.array.last - area.left - area.width + 2)
        found = [Shift()]
        for down in sorted(downs, key=lambda n: (n != 0, n)):
            for right in sorted(rights, key=lambda n: (n < 0, n)):
                shift = Shift(right, down)
                box = area.moved(shift)
                if not any(box.meets(area.moved(other)) for other in found) and all(
                    self._alike(kind, x, y, shift) for x, y, kind in blocks
                ):
                    found.append(shift)
        if len(found) < count:
            raise LabError(f"{count} copies: the array has {len(found)} like boxes of {area}")
        return found[:count]

    def _alike(self, kind: str, x: int, y: int, shift: Shift) -> bool:
        """Return whether there is the same as at a place of a block of some kind, further on."""
        to_x, to_y = x + shift.right, y + shift.down
        if kind == _RAM:
            columns, rows = self.rams.columns, self.rams.rows
            there = to_x in columns and to_y in rows
            return there and columns.index(x) % 4 == columns.index(to_x) % 4
        return all(
            self._blocks_at(x + step, y) == self._blocks_at(to_x + step, to_y)
            for step in range(_DSP_TILES)
        )

    def _blocks_at(self, x: int, y: int) -> set[str]:
        return {name for name in self.fabric.tiles.get((x, y), ()) if name.startswith("MIB")}


def _blocks(area: Area, cells: Mapping[str, Any]) -> Iterable[tuple[int, int, str]]:
    """Yield place and type of what is no logic; `LabError` if a cell cannot be repeated."""
    for name, cell in cells.items():
        kind = cell["type"]
        match = PLACE.fullmatch(cell["attributes"].get(BEL, ""))
        if kind not in (*_LOGIC, _RAM, *_DSPS) or match is None:
            raise LabError(f"a {kind} ({name}) cannot be repeated")
        x, y = int(match[1]), int(match[2])
        if not area.holds(x, y):
            raise LabError(f"a {kind} ({name}) lies outside its box of {area}: X{x}/Y{y}")
        if kind not in _LOGIC:
            yield x, y, kind
