"""Put copies of a placed ECP5 design side by side, each in its own box of the array.

A placer that is given several engines at once takes much longer than for one. `place_copies` reads
the design that `nextpnr-ecp5 --no-route --write` left of one, fits it into a box and repeats it.

Fitting is by lanes (a LUT and its flip-flop, half a slice): they are dealt out evenly over the box,
in their order, so that neighbours stay so. Each takes the free lane nearest to the place that this
gives it, in a tile that has a clock and a reset left for it. Tiles with carry chains, distributed
RAM or wide multiplexers go first, side by side as they were.

The pins and the clock are there once: a copy's inputs are those of the others. The design has as
many output pins as there shall be copies, all with the same signal, and each copy gets one.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Self

from hashfabric.errors import LabError
from hashfabric.flows.placed import BEL, SLICES, Cell, Columns, fits_tile, place, slice_cells

_STRIP = 4  # columns that are dealt out together
_REACH = 16  # tiles that a lane may lie from its place
_SHARED = ("TRELLIS_IO", "DCCA")


@dataclass(frozen=True)
class Array(Columns):
    """The logic tiles of a device: its columns, and those rows that have them."""

    rows: Sequence[int]


_Lane = tuple[int, int, int, int]  # column, row's number, slice, lane


def place_copies(design: dict[str, Any], count: int, array: Array) -> None:
    """Put `count` copies into the placed `design`, in place of the one there.

    `LabError` if the design has what cannot be repeated, or a box does not hold it.
    """
    (module,) = design["modules"].values()
    cells = list(slice_cells(module))
    across, down = _grid(count, array)
    box = _Box(array.width // across, len(array.rows) // down)
    box.fit(cells, array)

    def bel(cell: Cell, number: int) -> str:
        x, row, slot, lane = box.places[_lane(cell, array)]
        left = array.first + number % across * box.width
        top = number // across * box.height
        return place(left + x, array.rows[top + row], slot, f"{cell.bel[:-1]}{lane}")

    _repeat(module, cells, count, bel)


def _grid(count: int, array: Array) -> tuple[int, int]:
    """Return how many boxes go across and down, so that they are as square as can be."""

    def slimness(across: int) -> float:
        width, height = array.width // across, len(array.rows) // (count // across)
        return max(width / height, height / width) if width and height else float("inf")

    across = min((n for n in range(1, count + 1) if count % n == 0), key=slimness)
    return across, count // across


def _lane(cell: Cell, array: Array) -> _Lane:
    return cell.x, array.rows.index(cell.y), cell.slot, int(cell.bel[-1])


@dataclass(frozen=True)
class _Needs:
    """What a lane needs where it goes: signals of its `tile`, and the `control` of its slice."""

    tile: frozenset[Any]
    control: Any  # None without a register

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> Self:
        """Return what a lane of `cells` needs."""
        tile = frozenset[Any]().union(*(cell.tile_signals for cell in cells))
        return cls(tile, next((_control(cell) for cell in cells if cell.is_register), None))


@dataclass
class _Box:
    """A box of `width` x `height` tiles that is being filled: new places, by old ones."""

    width: int
    height: int
    places: dict[_Lane, _Lane] = field(default_factory=dict)
    taken: set[_Lane] = field(default_factory=set)
    signals: dict[tuple[int, int], set[Any]] = field(default_factory=lambda: defaultdict(set))
    control: dict[tuple[int, int, int], Any] = field(default_factory=dict)  # of a slice's registers

    def fit(self, cells: Iterable[Cell], array: Array) -> None:
        """Find a place for every lane of `cells`; `LabError` if one has none."""
        lanes: dict[_Lane, list[Cell]] = defaultdict(list)
        for cell in cells:
            lanes[_lane(cell, array)].append(cell)
        rigid = {lane[:2] for lane, group in lanes.items() if any(cell.rigid for cell in group)}
        loose = [lane for lane in lanes if lane[:2] not in rigid]
        xs, rows = sorted(x for x, *_ in loose), sorted(row for _, row, *_ in loose)
        for tiles in _chains(rigid):
            x, row = tiles[0]
            x = min(bisect_left(xs, x) * self.width // max(len(xs), 1), self.width - len(tiles))
            row = min(bisect_left(rows, row) * self.height // max(len(rows), 1), self.height - 1)
            self._chain(tiles, lanes, (x, row))
        aims = self._aims(loose)
        nearest = sorted(
            ((dx, dy) for dx in range(-_REACH, _REACH + 1) for dy in range(-_REACH, _REACH + 1)),
            key=lambda step: (abs(step[0]) + abs(step[1]), step),
        )
        needs = {lane: _Needs.of(lanes[lane]) for lane in loose}
        for lane in sorted(loose, key=lambda lane: (-len(needs[lane].tile), aims[lane], lane)):
            x, row = aims[lane]
            if not any(self._take(lane, needs[lane], (x + dx, row + dy)) for dx, dy in nearest):
                raise LabError(f"a box of {self.width} x {self.height} tiles does not hold a copy")

    def _aims(self, lanes: Iterable[_Lane]) -> dict[_Lane, tuple[int, int]]:
        """Deal `lanes` out over the box evenly, in order; return the tile of each."""
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
        lanes: Mapping[_Lane, list[Cell]],
        start: tuple[int, int],
    ) -> None:
        """Put whole `tiles`, neighbours in a row, side by side, in `start`'s row or one below."""
        x, first = start
        full = {lane[:2] for lane in self.taken}
        for row in (*range(first, self.height), *range(first)):
            spots = [(x + i, row) for i in range(len(tiles))]
            if x >= 0 and full.isdisjoint(spots):
                break
        else:
            raise LabError(f"a box of {self.width} x {self.height} tiles does not hold a chain")
        for tile, spot in zip(tiles, spots, strict=True):
            for slot in range(len(SLICES)):
                for half in range(2):
                    self.taken.add((*spot, slot, half))
                    if (old := (*tile, slot, half)) in lanes:
                        self.places[old] = (*spot, slot, half)

    def _take(self, lane: _Lane, needs: _Needs, tile: tuple[int, int]) -> bool:
        """Give `lane` a place in `tile` if there is one; return whether."""
        if not (0 <= tile[0] < self.width and 0 <= tile[1] < self.height):
            return False
        signals = self.signals[tile] | needs.tile
        if not fits_tile(signals):
            return False
        for slot in range(len(SLICES)):
            there = self.control.get((*tile, slot))
            if None not in (needs.control, there) and needs.control != there:
                continue
            for half in range(2):
                spot = (*tile, slot, half)
                if spot not in self.taken:
                    self.taken.add(spot)
                    self.places[lane] = spot
                    self.signals[tile] = signals
                    if needs.control is not None:
                        self.control[*tile, slot] = needs.control
                    return True
        return False


def _parts(lanes: Sequence[_Lane], count: int) -> list[list[_Lane]]:
    """Cut `lanes` into `count` parts of equal length, one more or less."""
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


def _control(cell: Cell) -> tuple[Any, ...]:
    """Return what both registers of a slice must have in common."""
    parameters = cell.netlist["parameters"]
    nets = [(cell.net(port), parameters.get(f"{port}MUX")) for port in ("CLK", "LSR", "CE")]
    return (*nets, parameters.get("SRMODE"), parameters.get("GSR"))


def _name(number: int, name: str) -> str:
    return f"copy{number}.{name}"


def _repeat(
    module: dict[str, Any], cells: Sequence[Cell], count: int, bel: Callable[[Cell, int], str]
) -> None:
    """Repeat `cells` and their nets `count` times; pins and clocks stay, outputs are dealt out.

    `bel` tells the place of a cell in the copy with a number.
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
    """Return `attributes` but for the name in the hierarchy, which one cell alone may have."""
    return {name: value for name, value in attributes.items() if name != "hdlname"}
