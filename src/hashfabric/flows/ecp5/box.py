"""Distribute a placed ECP5 design over a box of the array, so that it routes or leaves room.

A LUT and its flip-flop, half a slice, are a lane. Lanes are distributed evenly over the box, in
their order, so that neighbours stay neighbours. Each takes the free lane nearest to its computed
place, in a tile that has a clock and a reset left for it. Tiles with carry chains, distributed RAM
or wide multiplexers are placed first, side by side as they were. Block RAM, DSP blocks and pins are
not moved.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise, product
from typing import Any, Self

from hashfabric.base.errors import LabError
from hashfabric.flows.ecp5.placed import (
    BEL,
    SLICES,
    Columns,
    PlacedCell,
    design_cells,
    fits_tile,
    place,
)

_STRIP = 4  # columns that are filled together
_REACH = 16  # most tiles between a lane and its place
_NEAR = 85  # tiles around one, six to each side


@dataclass(frozen=True)
class Array(Columns):
    """The logic tiles of a device: its columns, and the rows that have logic tiles."""

    rows: Sequence[int]


_Lane = tuple[int, int, int, int]  # column, row's number, slice, lane


def deal_out(design: dict[str, Any], share: Fraction, array: Array) -> None:
    """Distribute the placed `design`, in place, over `share` of the array's columns and rows.

    The box is in the middle of the array. `LabError` if it does not hold the design.
    """
    width, height = (max(1, int(side * share)) for side in (array.width, len(array.rows)))
    left, top = (array.width - width) // 2, (len(array.rows) - height) // 2
    cells = design_cells(design)
    box = Box(array, width, height)
    box.fit(cells)
    box.move(cells, left, top)


@dataclass(frozen=True)
class _Needs:
    """The needs of a lane: signals of its `tile`, and the `control` that its slice shares."""

    tile: frozenset[Any]
    control: Any  # None without a register

    @property
    def resets(self) -> int:
        """The number of its resets."""
        return sum(port == "LSR" and net is not None for port, net, _ in self.tile)

    @classmethod
    def of(cls, cells: Sequence[PlacedCell]) -> Self:
        """Return the needs of a lane of `cells`."""
        tile = frozenset[Any]().union(*(cell.register_signals for cell in cells))
        return cls(tile, next((_control(cell) for cell in cells if cell.is_register), None))


@dataclass
class Box:
    """A box of `width` x `height` tiles that is being filled; `places` has new places by old.

    No cell gets a place in its tiles `blocked`, by column and row's number. The registers of a tile
    have one clock and one reset, or none of them a reset, as nextpnr requires where it places.
    """

    array: Array
    width: int
    height: int
    blocked: AbstractSet[tuple[int, int]] = frozenset()
    places: dict[_Lane, _Lane] = field(default_factory=dict)
    taken: dict[_Lane, _Lane] = field(default_factory=dict)  # the old place of what is there
    signals: dict[tuple[int, int], set[Any]] = field(default_factory=lambda: defaultdict(set))
    control: dict[tuple[int, int, int], Any] = field(default_factory=dict)  # of a slice's registers

    def bel(self, cell: PlacedCell, left: int, top: int) -> str:
        """Return the place of a fitted `cell`, with the box at column `left` and row `top`."""
        x, row, slot, lane = self.places[self._lane(cell)]
        row = self.array.rows[top + row]
        return place(self.array.first + left + x, row, slot, cell.bel_in(lane))

    def move(self, cells: Iterable[PlacedCell], left: int, top: int) -> None:
        """Give fitted `cells` their places, with the box at column `left` and row `top`."""
        for cell in cells:
            cell.netlist["attributes"][BEL] = self.bel(cell, left, top)

    def _lane(self, cell: PlacedCell) -> _Lane:
        return cell.x, self.array.rows.index(cell.y), cell.slot, cell.lane

    def fit(self, cells: Iterable[PlacedCell]) -> None:
        """Distribute every lane of `cells` evenly; `LabError` if one has no place."""
        lanes = self._lanes(cells)
        rigid = _rigid(lanes)
        loose = [lane for lane in lanes if lane[:2] not in rigid]
        xs, rows = sorted(x for x, *_ in loose), sorted(row for _, row, *_ in loose)
        for tiles in _chains(rigid):
            x, row = tiles[0]
            x = min(bisect_left(xs, x) * self.width // max(len(xs), 1), self.width - len(tiles))
            row = min(bisect_left(rows, row) * self.height // max(len(rows), 1), self.height - 1)
            self._chain(tiles, lanes, (x, row))
        self._fill(lanes, self._aims(loose))

    def squeeze(self, cells: Iterable[PlacedCell]) -> None:
        """Give the lanes of `cells` the whole box, in their order; `LabError` as `fit`.

        All columns move together, and all rows: nearer to each other, or further apart.
        """
        lanes = self._lanes(cells)
        across = _Stretched.of((x for x, *_ in lanes), self.width)
        down = _Stretched.of((row for _, row, *_ in lanes), self.height)
        rigid = _rigid(lanes)
        for tiles in _chains(rigid):
            x, row = tiles[0]
            start = min(across.moved(x), self.width - len(tiles)), down.moved(row)
            self._chain(tiles, lanes, start)
        aims = {
            (x, row, slot, half): (across.moved(x), down.moved(row))
            for x, row, slot, half in lanes
            if (x, row) not in rigid
        }
        self._fill(lanes, aims, stay=True)

    def _lanes(self, cells: Iterable[PlacedCell]) -> Mapping[_Lane, list[PlacedCell]]:
        lanes: dict[_Lane, list[PlacedCell]] = defaultdict(list)
        for cell in cells:
            lanes[self._lane(cell)].append(cell)
        return lanes

    def _fill(
        self,
        lanes: Mapping[_Lane, list[PlacedCell]],
        aims: Mapping[_Lane, tuple[int, int]],
        *,
        stay: bool = False,
    ) -> None:
        """Give every lane of `aims` a place near its tile; in it, if it can `stay` there."""
        nearest = sorted(
            ((dx, dy) for dx in range(-_REACH, _REACH + 1) for dy in range(-_REACH, _REACH + 1)),
            key=lambda step: (abs(step[0]) + abs(step[1]), step),
        )
        needs = {lane: _Needs.of(lanes[lane]) for lane in aims}
        # A lane without a register has a place in any tile.
        late = {lane: stay and need.control is None for lane, need in needs.items()}
        for lane in sorted(aims, key=lambda n: (-needs[n].resets, late[n], aims[n], n)):
            x, row = aims[lane]
            if stay and self._take(lane, needs[lane], (x, row)):
                continue
            tiles = [(x + dx, row + dy) for dx, dy in nearest]
            if needs[lane].resets:
                # Registers with one reset share tiles: others cannot have what is left of them.
                alike = [t for t in tiles[:_NEAR] if self.signals[t] == needs[lane].tile]
                tiles = alike + tiles
            if any(self._take(lane, needs[lane], tile) for tile in tiles):
                continue
            if not stay:
                raise self._too_small()
            self._take_anywhere(lane, needs, (x, row))

    def _take_anywhere(
        self, lane: _Lane, needs: Mapping[_Lane, _Needs], aim: tuple[int, int]
    ) -> None:
        """Give `lane` the place nearest to a tile; `LabError` if there is none.

        One with a reset may have to go far to find a tile for it: if none is near, registers
        without a reset leave theirs.
        """
        tiles = [(x, row) for x in range(self.width) for row in range(self.height)]
        tiles = [tile for tile in tiles if tile not in self.blocked]
        tiles.sort(key=lambda tile: (abs(tile[0] - aim[0]) + abs(tile[1] - aim[1]), tile))
        if any(self._take(lane, needs[lane], tile) for tile in tiles[:_NEAR]):
            return
        for tile in tiles:
            if self._take(lane, needs[lane], tile):
                return
            if needs[lane].resets and (others := self._lanes_in(tile, needs)):
                self._empty(tile, others)
                self._take(lane, needs[lane], tile)
                for other in others:
                    self._take_anywhere(other, needs, tile)
                return
        raise self._too_small()

    def _lanes_in(
        self, tile: tuple[int, int], needs: Mapping[_Lane, _Needs]
    ) -> Sequence[_Lane] | None:
        """Return the lanes in a `tile`, if all can leave it and have no reset, or else None."""
        spots = [(*tile, slot, half) for slot in range(len(SLICES)) for half in range(2)]
        there = [self.taken[spot] for spot in spots if spot in self.taken]
        lanes = [lane for lane in there if lane in needs and not needs[lane].resets]
        return lanes if len(lanes) == len(there) else None

    def _empty(self, tile: tuple[int, int], lanes: Iterable[_Lane]) -> None:
        """Take all of its `lanes` out of a `tile`."""
        for lane in lanes:
            del self.taken[self.places.pop(lane)]
        del self.signals[tile]
        for slot in range(len(SLICES)):
            self.control.pop((*tile, slot), None)

    def pull_in(self, cells: Iterable[PlacedCell], left: int, top: int) -> None:
        """Keep every lane of `cells` that lies in the box, and give the others the nearest place.

        The box begins in column `left` and row `top` of the array. Tiles of a chain that is not in
        it as a whole move together.
        """
        lanes = self._lanes(cells)
        rigid = _rigid(lanes)
        left += self.array.first
        chains = [(tiles, tiles[0][0] - left, tiles[0][1] - top) for tiles in _chains(rigid)]
        for tiles, x, row in sorted(chains, key=lambda chain: not self._holds(*chain)):
            start = max(0, min(x, self.width - len(tiles))), max(0, min(row, self.height - 1))
            self._chain(tiles, lanes, start)
        needs = {lane: _Needs.of(lanes[lane]) for lane in lanes if lane[:2] not in rigid}
        others = [
            (x, row, slot, half)
            for (x, row, slot, half), need in needs.items()
            if not self._put((x, row, slot, half), need, (x - left, row - top, slot, half))
        ]
        for lane in sorted(others, key=lambda lane: (-needs[lane].resets, lane)):
            self._take_anywhere(lane, needs, (lane[0] - left, lane[1] - top))

    def _holds(self, tiles: Sequence[Any], x: int, row: int) -> bool:
        """Return whether `tiles` side by side lie in the box, the first one at `x` and `row`."""
        return 0 <= x <= self.width - len(tiles) and 0 <= row < self.height

    def _too_small(self) -> LabError:
        return LabError(f"a box of {self.width} x {self.height} tiles does not hold the design")

    def _aims(self, lanes: Iterable[_Lane]) -> dict[_Lane, tuple[int, int]]:
        """Distribute `lanes` evenly over the box, in order; return the tile of each."""
        aims = {}
        by_column = sorted(lanes, key=lambda lane: (lane[0], lane[2:], lane[1]))
        strips = max(1, self.width // _STRIP)
        for s, strip in enumerate(_parts(by_column, strips)):
            left, right = self.width * s // strips, self.width * (s + 1) // strips
            by_row = sorted(strip, key=lambda lane: (lane[1], lane[0], lane[2:]))
            for row, part in enumerate(_parts(by_row, self.height)):
                part.sort(key=lambda lane: (lane[0], lane[2:]))
                for i, lane in enumerate(part):
                    aims[lane] = (left + (2 * i + 1) * (right - left) // (2 * len(part)), row)
        return aims

    def _chain(
        self,
        tiles: Sequence[tuple[int, int]],
        lanes: Mapping[_Lane, list[PlacedCell]],
        start: tuple[int, int],
    ) -> None:
        """Put whole `tiles`, neighbours in a row, side by side, in `start`'s row or one below.

        If no row has room for them in its column, in another one.
        """
        x, first = start
        full = {lane[:2] for lane in self.taken} | self.blocked
        columns = sorted(range(self.width - len(tiles) + 1), key=lambda other: abs(other - x))
        rows = (*range(first, self.height), *range(first))
        for column, row in product(columns, rows):
            spots = [(column + i, row) for i in range(len(tiles))]
            if full.isdisjoint(spots):
                break
        else:
            raise LabError(f"a box of {self.width} x {self.height} tiles does not hold a chain")
        for tile, spot in zip(tiles, spots, strict=True):
            for slot in range(len(SLICES)):
                for half in range(2):
                    old = (*tile, slot, half)
                    self.taken[*spot, slot, half] = old
                    if old in lanes:
                        self.places[old] = (*spot, slot, half)

    def _take(self, lane: _Lane, needs: _Needs, tile: tuple[int, int]) -> bool:
        """Give `lane` a place in `tile`; return False if there is none."""
        return any(
            self._put(lane, needs, (*tile, slot, half))
            for slot in range(len(SLICES))
            for half in range(2)
        )

    def _put(self, lane: _Lane, needs: _Needs, spot: _Lane) -> bool:
        """Give `lane` the place `spot`; return False if that is outside, taken or not legal."""
        x, row, slot, _ = spot
        inside = 0 <= x < self.width and 0 <= row < self.height
        if not inside or spot in self.taken or (x, row) in self.blocked:
            return False
        signals = self.signals[x, row] | needs.tile
        there = self.control.get((x, row, slot))
        alike = None in (needs.control, there) or needs.control == there
        if not alike or not fits_tile(signals):
            return False
        self.taken[spot] = lane
        self.places[lane] = spot
        self.signals[x, row] = signals
        if needs.control is not None:
            self.control[x, row, slot] = needs.control
        return True


@dataclass(frozen=True)
class _Stretched:
    """Columns or rows: their `first` one, their number, and that of the box's."""

    first: int
    span: int
    room: int

    @classmethod
    def of(cls, places: Iterable[int], room: int) -> Self:
        """Return what spreads `places` over `room` columns or rows."""
        found = set(places) or {0}
        return cls(min(found), max(found) - min(found) + 1, room)

    def moved(self, at: int) -> int:
        """Return a column or row of the box."""
        return (at - self.first) * self.room // self.span


def _rigid(lanes: Mapping[_Lane, list[PlacedCell]]) -> set[tuple[int, int]]:
    """Return the tiles whose cells stay together."""
    return {lane[:2] for lane, group in lanes.items() if any(cell.rigid for cell in group)}


def _parts(lanes: Sequence[_Lane], count: int) -> list[list[_Lane]]:
    """Divide `lanes` into `count` parts whose lengths differ by one at most."""
    ends = [len(lanes) * i // count for i in range(count + 1)]
    return [list(lanes[start:end]) for start, end in pairwise(ends)]


def _chains(tiles: Iterable[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Return the runs of `tiles` that are neighbours in a row."""
    runs: list[list[tuple[int, int]]] = []
    for x, row in sorted(tiles, key=lambda tile: (tile[1], tile[0])):
        if runs and runs[-1][-1] == (x - 1, row):
            runs[-1].append((x, row))
        else:
            runs.append([(x, row)])
    return runs


def _control(cell: PlacedCell) -> tuple[Any, ...]:
    """Return what both registers of a slice must have in common."""
    parameters = cell.netlist["parameters"]
    nets = [(cell.net(port), parameters.get(f"{port}MUX")) for port in ("CLK", "LSR", "CE")]
    return (*nets, parameters.get("SRMODE"), parameters.get("GSR"))
