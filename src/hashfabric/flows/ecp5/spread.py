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
    design_cells,
    fits_tile,
    place,
)

MAX_RATIO = len(SLICES)  # beyond it there are no more slices to distribute


def spread_ratio(text: str) -> str:
    """Return `text` if it is a ratio that a design may be spread by, `ValueError` otherwise."""
    try:
        ratio = Fraction(text)
    except (ValueError, ZeroDivisionError):
        ratio = Fraction(0)
    if not 1 < ratio <= MAX_RATIO:
        raise ValueError(f"must be a ratio above 1, such as 3/2, {MAX_RATIO} at most")
    return text


_SMALL = 2_000  # LUT4s; a smaller design routes as it is placed
_PIPELINE = 5 / 3  # registers for each LUT4; with more of them a design does not fill its tiles


def ratios(luts: int, registers: int, *, near: bool = False) -> list[str]:
    """Return the ratios to spread a design by, in the order to try them until one fits.

    There are none for small designs, and for pipelines, whose registers keep tiles from filling up.
    A design with its block RAM `near` its logic is wide already.
    """
    if luts < _SMALL or registers > _PIPELINE * luts:
        return []
    return ["4/3", "5/4"] if near else ["3/2", "4/3", "5/4"]


# A group: the tiles of one row that are distributed together, by (group's number, row).
_Key = tuple[int, int]
_Groups = Mapping[_Key, list[PlacedCell]]
# The column in its group, and slice, of every cell; None: the group stays whole.
_Dealt = Mapping[_Key, list[tuple[int, int]] | None]


def spread_columns(design: dict[str, Any], ratio: Fraction, columns: Columns) -> None:
    """Spread the placed `design` in place: `ratio` is new columns to old, 1 to `MAX_RATIO`.

    Its middle column stays where it is as far as the array allows. If the device has too few
    columns, empty ones are removed; if that is not enough, each row is spread by itself, and only
    where it is too full. `LabError` if a row still does not fit.

    The registers of a tile have one clock and one reset, or none of them a reset, as nextpnr
    requires where it places: of a design that it placed so.
    """
    cells = design_cells(design)
    if not cells:
        return
    groups = _grouped(cells, ratio.denominator)
    dealt = {key: _deal(group, ratio) for key, group in groups.items()}
    middle = (min(cell.x for cell in cells) + max(cell.x for cell in cells)) // 2
    moves = _moves(groups, dealt, ratio, _starts(groups, ratio, None))
    left, right = _ends(moves)
    if right - left >= columns.width:
        moves = _moves(groups, dealt, ratio, _starts(groups, ratio, columns.width))
        left, right = _ends(moves)
    shift = max(columns.first - left, min(columns.last - right, middle - (left + right) // 2))
    if right - left >= columns.width:
        for key, group in groups.items():
            if not _too_full(group, ratio):
                dealt[key] = None
        starts = _starts_by_row(dealt, ratio, columns, middle)
        if starts is None:
            raise LabError(
                f"spread {ratio}: {right - left + 1} columns are too many for the device"
            )
        moves = _moves(groups, dealt, ratio, starts)
        shift = 0
    for (x, slot), cell in zip(moves, _in_order(groups), strict=True):
        cell.netlist["attributes"][BEL] = place(x + shift, cell.y, slot, cell.bel)


def _grouped(cells: Iterable[PlacedCell], width: int) -> _Groups:
    groups = defaultdict(list)
    for cell in cells:
        groups[cell.x // width, cell.y].append(cell)
    return groups


def _in_order(groups: _Groups) -> Iterable[PlacedCell]:
    return (cell for group in groups.values() for cell in group)


def _starts(groups: _Groups, ratio: Fraction, room: int | None) -> dict[_Key, int]:
    """Return the new first column of every group, the same in all rows, before any shift.

    With `room`, empty columns are removed from the left until the rest fits into `room` columns.
    """
    numbers = sorted({number for number, _ in groups})
    wide = ratio.numerator
    excess = 0 if room is None else wide * (numbers[-1] - numbers[0] + 1) - room
    starts = {}
    gone = 0
    for last, number in pairwise([numbers[0] - 1, *numbers]):
        gone += max(0, min(wide * (number - last - 1), excess - gone))
        starts[number] = wide * number - gone
    return {(number, row): starts[number] for number, row in groups}


def _starts_by_row(
    dealt: _Dealt, ratio: Fraction, columns: Columns, middle: int
) -> dict[_Key, int] | None:
    """Return the new first column of every group; None if a row does not fit.

    Groups move away from the `middle` column, as far as the groups between need room.
    """
    starts: dict[_Key, int] = {}
    rows = defaultdict(list)
    for number, row in sorted(dealt):
        rows[row].append(number)
    old = ratio.denominator
    for row, numbers in rows.items():
        wide = {n: old if dealt[n, row] is None else ratio.numerator for n in numbers}
        if sum(wide.values()) > columns.width:
            return None
        new: dict[int, int] = {}
        edge = columns.first
        for n in (n for n in numbers if n * old >= middle):
            new[n] = edge = max(n * old, edge)
            edge += wide[n]
        edge = columns.last + 1
        for n in reversed(numbers):
            new[n] = edge = min(new.get(n, n * old), edge - wide[n])
        edge = columns.first
        for n in numbers:
            new[n] = edge = max(new[n], edge)
            edge += wide[n]
        starts |= {(n, row): start for n, start in new.items()}
    return starts


def _too_full(group: list[PlacedCell], ratio: Fraction) -> bool:
    """Return whether a group has more slices than it would have on average after spreading."""
    slices = {(cell.x, cell.slot) for cell in group}
    return len(slices) > len(SLICES) * ratio.denominator / ratio


def _ends(moves: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Return the first and the last column."""
    columns = {x for x, _ in moves}
    return min(columns), max(columns)


def _moves(
    groups: _Groups, dealt: _Dealt, ratio: Fraction, starts: Mapping[_Key, int]
) -> list[tuple[int, int]]:
    """Return the new column (before any shift) and slice of every cell, group by group."""
    moves = []
    for (number, row), group in groups.items():
        moved = dealt[number, row]
        if moved is None:
            first = number
            while (first - 1, row) in dealt and dealt[first - 1, row] is None:
                first -= 1  # adjacent groups that stay whole stay adjacent: a chain may cross them
            base = starts[first, row] - first * ratio.denominator
            moved = [(base + cell.x, cell.slot) for cell in group]
        else:
            moved = [(starts[number, row] + x, slot) for x, slot in moved]
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
        signals[column] += cell.register_signals
    if not all(fits_tile(tile) for tile in signals.values()):
        return _deal_apart(group, ratio)
    return moves


def _deal_apart(group: list[PlacedCell], ratio: Fraction) -> list[tuple[int, int]] | None:
    """Distribute a group's slices, those with other registers than the last one's in a new column.

    None if that takes too many columns.
    """
    signals: dict[tuple[int, int], frozenset[Any]] = defaultdict(frozenset)
    for cell in group:
        signals[cell.x, cell.slot] |= cell.register_signals
    moved: dict[tuple[int, int], tuple[int, int]] = {}
    column, slot, share, tile = -1, 0, 0, frozenset[Any]()
    for number, one in enumerate(sorted(signals)):
        if slot == share or not fits_tile(tile | signals[one]):
            column, slot, tile = column + 1, 0, frozenset()
            if column == ratio.numerator:
                return None
            share = -(-(len(signals) - number) // (ratio.numerator - column))
            if share > len(SLICES):
                return None
        moved[one] = column, slot
        slot, tile = slot + 1, tile | signals[one]
    return [moved[cell.x, cell.slot] for cell in group]
