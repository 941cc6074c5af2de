"""Questions to the measured rows: bounds for columns, an order, the Pareto front of two columns."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hashfabric.base.datafile import one_of
from hashfabric.base.errors import LabError
from hashfabric.registry.designs import Design
from hashfabric.registry.results import MeasuredRow, Outcome, measured_rows
from hashfabric.report import rows_text
from hashfabric.report.rows_text import COLUMNS, Column
from hashfabric.report.selection import alike

NUMBERS = [name for name, column in COLUMNS.items() if column.digits is not None]
"""The columns that can have bounds and an order."""

RANKED = [name for name in NUMBERS if COLUMNS[name].better is not None]
"""The columns that can be the axes of a front."""

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def figure(row: MeasuredRow, name: str) -> float | None:
    """Return the value of a column of `NUMBERS`; None where the row has none."""
    value = COLUMNS[name].of(row)
    return float(value) if isinstance(value, int | float) else None


def _column(name: str, known: Sequence[str] = tuple(NUMBERS)) -> Column:
    if name not in known:
        raise one_of("column", name, list(known))
    return COLUMNS[name]


@dataclass(frozen=True)
class Bound:
    """The least (`min`) or the greatest (`max`) value of a column."""

    column: str
    end: str
    value: float

    @classmethod
    def read(cls, text: str, end: str) -> "Bound":
        """Read COLUMN=N; `LabError` where it is no such text, or there is no such column."""
        column, equals, number = text.partition("=")
        if not equals:
            raise LabError(f"--{end} {text}: COLUMN=N is required")
        _column(column)
        if not _NUMBER.fullmatch(number) or not math.isfinite(float(number)):
            raise LabError(f"--{end}-{column.replace('_', '-')}: '{number}': a number is required")
        return cls(column, end, float(number))

    def holds(self, row: MeasuredRow) -> bool:
        """Return whether a row has a value within the bound."""
        value = figure(row, self.column)
        if value is None:
            return False
        return value >= self.value if self.end == "min" else value <= self.value


@dataclass(frozen=True)
class Order:
    """A column to sort by, and whether the largest value comes first."""

    column: str
    descending: bool


def order(least: str | None, most: str | None) -> Order | None:
    """Return the order of `--least` or `--most`; `LabError` for both."""
    if least is not None and most is not None:
        raise LabError("--least and --most: one of them only")
    column = least or most
    if column is None:
        return None
    _column(column)
    return Order(column, descending=most is not None)


@dataclass(frozen=True)
class Question:
    """What rows are looked for: all `bounds` hold; of these the `front`; in `order`, the `first`.

    `front` names two columns. A row is on the front if no other of its target, its kind and the
    function of its figures is as good in both and better in one: other kinds and functions are
    other work, and a LUT of another target is another unit.
    """

    bounds: Sequence[Bound] = ()
    order: Order | None = None
    front: tuple[str, str] | None = None
    first: int | None = None

    def answer(
        self, rows: Sequence[MeasuredRow | Outcome], designs: Mapping[str, Design]
    ) -> list[MeasuredRow]:
        """Return the rows that fit; `LabError` if none does."""
        found = [
            row for row in measured_rows(rows) if all(bound.holds(row) for bound in self.bounds)
        ]
        if self.front is not None:
            found = front(found, self.front, designs)
        if self.order is not None:
            found = _sorted(found, self.order)
        if not found:
            raise LabError(f"no row fits{self._why(measured_rows(rows))}")
        return found[: self.first]

    def _why(self, rows: Sequence[MeasuredRow]) -> str:
        """Return the rest of a line that says that none of `rows` fits."""
        asked = [*(bound.column for bound in self.bounds), *(self.front or ())]
        asked += [self.order.column] if self.order is not None else []
        for name in asked:
            if rows and all(figure(row, name) is None for row in rows):
                return f": none of {len(rows)} has {name}"
        said = [f"{bound.column} {bound.end} {bound.value:g}" for bound in self.bounds]
        return f": {', '.join(said)}" if said else ""

    def columns(self, rows: Sequence[MeasuredRow]) -> list[str]:
        """Return the columns of a table of the answer: the usual ones, and those in question."""
        asked = [bound.column for bound in self.bounds]
        asked += [self.order.column] if self.order is not None else []
        asked += list(self.front or ())
        return list(dict.fromkeys([*rows_text.usual(rows), *asked]))


def front(
    rows: Sequence[MeasuredRow], names: tuple[str, str], designs: Mapping[str, Design]
) -> list[MeasuredRow]:
    """Return the rows that no other of their target, kind and function beats in two columns."""
    for name in names:
        _column(name, RANKED)

    def merits(row: MeasuredRow) -> tuple[float, ...] | None:
        """Return both values, of which more is better; None where one is missing."""
        found = []
        for name in names:
            value = figure(row, name)
            if value is None:
                return None
            found.append(value if COLUMNS[name].better == "more" else -value)
        return tuple(found)

    placed = [
        (row, (row.target, alike(row, designs)), merit)
        for row in rows
        if (merit := merits(row)) is not None
    ]
    return [
        row
        for row, own, merit in placed
        if not any(
            other != merit and all(a >= b for a, b in zip(other, merit, strict=True))
            for _, place, other in placed
            if place == own
        )
    ]


def _sorted(rows: Sequence[MeasuredRow], by: Order) -> list[MeasuredRow]:
    known = [(value, row) for row in rows if (value := figure(row, by.column)) is not None]
    known.sort(key=lambda one: one[0], reverse=by.descending)
    return [row for _, row in known]
