"""Spread a placed ECP5 design over more columns, so that it routes.

nextpnr's placers fill every tile, and a hash round, wired like a random graph with no locality,
does not route through full tiles. `spread_columns` reads the design that
`nextpnr-ecp5 --no-route --write` wrote and distributes the slices of every `q` columns over `p > q`
columns, in order, within their rows. A slice moves as a whole, so a LUT stays with its flip-flop.

Tiles with carry chains, distributed RAM or wide multiplexers stay as they are, and so do the
columns that would be distributed together with them: such cells use wires between fixed neighbours.
So does any group of tiles which would otherwise need more than the two clocks and two resets of a
tile.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from hashfabric.base.errors import LabError
from hashfabric.flows.ecp5.placed import (
    BEL,
    SLICES,
    Columns,
    PlacedCell,
    fits_tile,
    place,
    slice_cells,
)

MAX_RATIO = len(SLICES)  # beyond it there are no slices left to distribute


# A group: the tiles of one row that are distributed together, by (group's number, row).
_Groups = Mapping[tuple[int, int], list[PlacedCell]]


def spread_columns(design: dict[str, Any], ratio: Fraction, columns: Columns) -> None:
    """Spread the placed `design` in place: `ratio` is new columns to old, 1 to `MAX_RATIO`.

    Its middle column stays where it is as far as the array allows. If the device has too few
    columns, empty ones are removed; `LabError` if that is not enough.
    """
    cells = [cell for module in design["modules"].values() for cell in slice_cells(module)]
    if not cells:
        return
    groups = _grouped(cells, ratio.denominator)
    moves = _moves(groups, ratio, _starts(groups, ratio, None))
    left, right = _ends(moves)
    if right - left >= columns.width:
        moves = _moves(groups, ratio, _starts(groups, ratio, columns.width))
        left, right = _ends(moves)
    if right - left >= columns.width:
        raise LabError(f"spread {ratio}: {right - left + 1} columns are too many for the device")
    middle = (min(cell.x for cell in cells) + max(cell.x for cell in cells)) // 2
    shift = max(columns.first - left, min(columns.last - right, middle - (left + right) // 2))
    for (x, slot), cell in zip(moves, _in_order(groups), strict=True):
        cell.netlist["attributes"][BEL] = place(x + shift, cell.y, slot, cell.bel)


def _grouped(cells: Iterable[PlacedCell], width: int) -> _Groups:
    groups = defaultdict(list)
    for cell in cells:
        groups[cell.x // width, cell.y].append(cell)
    return groups


def _in_order(groups: _Groups) -> Iterable[PlacedCell]:
    return (cell for group in groups.values() for cell in group)


def _starts(groups: _Groups, ratio: Fraction, room: int | None) -> dict[int, int]:
    """Return the new first column of every group number, before any shift.

    With `room`, empty columns are removed from the left until the rest fits into so many.
    """
    numbers = sorted({number for number, _ in groups})
    wide = ratio.numerator
    excess = 0 if room is None else wide * (numbers[-1] - numbers[0] + 1) - room
    starts = {}
    gone = 0
    for last, number in pairwise([numbers[0] - 1, *numbers]):
        gone += max(0, min(wide * (number - last - 1), excess - gone))
        starts[number] = wide * number - gone
    return starts


def _ends(moves: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Return the first and the last column."""
    columns = {x for x, _ in moves}
    return min(columns), max(columns)


def _moves(groups: _Groups, ratio: Fraction, starts: Mapping[int, int]) -> list[tuple[int, int]]:
    """Return the new column (before any shift) and slice of every cell, group by group."""
    moves = []
    dealt = {key: _deal(group, ratio) for key, group in groups.items()}
    for (number, row), group in groups.items():
        moved = dealt[number, row]
        if moved is None:
            first = number
            while (first - 1, row) in dealt and dealt[first - 1, row] is None:
                first -= 1  # adjacent groups that stay whole stay adjacent: a chain may cross them
            base = starts[first] - first * ratio.denominator
            moved = [(base + cell.x, cell.slot) for cell in group]
        else:
            moved = [(starts[number] + x, slot) for x, slot in moved]
        moves += moved
    return moves


def _deal(group: list[PlacedCell], ratio: Fraction) -> list[tuple[int, int]] | None:
    """Distribute a group's slices; None if the group has to stay whole."""
    if any(cell.rigid for cell in group):
        return None
    old, new = ratio.denominator, ratio.numerator
    slices = len(SLICES) * old
    moves = []
    signals: dict[int, list[Any]] = defaultdict(list)
    for cell in group:
        index = len(SLICES) * (cell.x % old) + cell.slot
        column = index * new // slices
        moves.append((column, index - -(-column * slices // new)))
        signals[column] += cell.tile_signals
    if not all(map(fits_tile, signals.values())):
        return None
    return moves
