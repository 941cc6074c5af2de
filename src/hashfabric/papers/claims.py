"""Arithmetic with printed figures: a claim is evaluated with units and with intervals.

A relation is an equation (or bound) between printed figures, written in Python's expression
syntax. A count is exact. A printed operand stands for every value that rounds to it.
"""

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from hashfabric.papers.rows import PaperRow
from hashfabric.papers.units import Dimension, unit_of


class UnitError(ValueError):
    """Quantities of different dimension were added or compared."""


@dataclass(frozen=True)
class Quantity:
    """A value in base units with the interval that its printed digits leave open."""

    low: Fraction
    value: Fraction
    high: Fraction
    dimension: Dimension = (0, 0, 0, 0)

    @classmethod
    def printed(cls, name: str, value: Decimal) -> "Quantity":
        """Return the interval of values that round to the printed `value` under `name`."""
        unit = unit_of(name)
        half = Fraction(0) if unit.exact else last_digit(value) / 2
        middle = Fraction(value)
        low, high = middle - half, middle + half
        return cls(low * unit.scale, middle * unit.scale, high * unit.scale, unit.dimension)

    @classmethod
    def exact(cls, number: int) -> "Quantity":
        """Return an exact number."""
        return cls(Fraction(number), Fraction(number), Fraction(number))

    @property
    def ends(self) -> tuple[Fraction, Fraction, Fraction]:
        """The lower end, the value, the upper end."""
        return self.low, self.value, self.high

    def same(self, other: "Quantity") -> None:
        """Raise `UnitError` unless `other` has the same dimension."""
        if self.dimension != other.dimension:
            raise UnitError("the two sides have different units")

    def __add__(self, other: "Quantity") -> "Quantity":
        """Add, ends to ends."""
        self.same(other)
        low, value, high = (a + b for a, b in zip(self.ends, other.ends, strict=True))
        return Quantity(low, value, high, self.dimension)

    def __sub__(self, other: "Quantity") -> "Quantity":
        """Subtract, ends against opposite ends."""
        return self + replace(other, low=-other.high, value=-other.value, high=-other.low)

    def __mul__(self, other: "Quantity") -> "Quantity":
        """Multiply; the extremes lie among the products of the ends."""
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        a, b, c, d = (p + q for p, q in zip(self.dimension, other.dimension, strict=True))
        return Quantity(min(ends), self.value * other.value, max(ends), (a, b, c, d))

    def __truediv__(self, other: "Quantity") -> "Quantity":
        """Divide; an interval that holds zero cannot be divided by."""
        if other.low <= 0 <= other.high:
            raise ValueError("division by zero")
        a, b, c, d = (-p for p in other.dimension)
        return self * Quantity(1 / other.high, 1 / other.value, 1 / other.low, (a, b, c, d))

    def __pow__(self, other: "Quantity") -> "Quantity":
        """Raise a number to the power of a number."""
        self.same(Quantity.exact(1))
        other.same(self)
        low, value, high = (Fraction(end**other.value) for end in self.ends)
        return Quantity(low, value, high)


def last_digit(value: Decimal) -> Fraction:
    """Return one unit in the last printed place."""
    exponent = value.as_tuple().exponent
    return Fraction(10) ** (exponent if isinstance(exponent, int) else 0)


OPERATORS: dict[type[ast.operator], Callable[[Quantity, Quantity], Quantity]] = {
    ast.Add: Quantity.__add__,
    ast.Sub: Quantity.__sub__,
    ast.Mult: Quantity.__mul__,
    ast.Div: Quantity.__truediv__,
    ast.Pow: Quantity.__pow__,
}


@dataclass(frozen=True)
class Claim:
    """A parsed relation: the stated figure's name, the comparison, the expression."""

    text: str
    stated: str
    comparison: type[ast.cmpop]
    expression: ast.expr


def parse_claim(text: str) -> Claim:
    """Parse `name == expression` (or `<=`, `>=`)."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"not an expression: {text}") from error
    match tree:
        case ast.Compare(
            left=ast.Name() | ast.Attribute() as left,
            ops=[ast.Eq() | ast.LtE() | ast.GtE() as comparison],
            comparators=[expression],
        ):
            return Claim(text, ast.unparse(left), type(comparison), expression)
    raise ValueError(f"must be 'name == expression', or with <= or >=: {text}")


@dataclass(frozen=True)
class Scope:
    """The values of names in an expression, and the cited rows for `cited_min` and `cited_max`."""

    values: Mapping[str, Decimal]
    cited: Sequence[PaperRow] = ()

    def quantity(self, name: str) -> Quantity:
        """Return the printed figure called `name`."""
        if name not in self.values:
            raise ValueError(f"no figure is called '{name}'")
        return Quantity.printed(name, self.values[name])

    def having(self, name: str, value: Decimal) -> "Scope":
        """Return the same scope with one figure replaced."""
        return replace(self, values={**self.values, name: value})

    def column(self, column: str, device: str) -> list[Quantity]:
        """Return a column of the cited rows on one device."""
        rows = [row.values() for row in self.cited if row.device == device]
        found = [Quantity.printed(column, row[column]) for row in rows if column in row]
        if not found:
            raise ValueError(f"no cited row on {device} has {column}")
        return found


def _extreme(pick: Callable[[list[Fraction]], Fraction], items: list[Quantity]) -> Quantity:
    for item in items:
        items[0].same(item)
    low, value, high = (pick(list(ends)) for ends in zip(*(q.ends for q in items), strict=True))
    return Quantity(low, value, high, items[0].dimension)


def _call(name: str, arguments: list[ast.expr], scope: Scope) -> Quantity:
    if name in ("cited_min", "cited_max"):
        texts = [a.value for a in arguments if isinstance(a, ast.Constant)]
        if len(texts) != len(arguments) or len(texts) != len(("column", "device")):
            raise ValueError(f"{name} requires the column and the device, in quotes")
        items = scope.column(str(texts[0]), str(texts[1]))
    else:
        items = [value_of(argument, scope) for argument in arguments]
    if not items:
        raise ValueError(f"{name} requires arguments")
    if name in ("min", "cited_min"):
        return _extreme(min, items)
    if name in ("max", "cited_max"):
        return _extreme(max, items)
    if name == "ceil" and len(items) == 1:
        low, value, high = (Fraction(math.ceil(end)) for end in items[0].ends)
        return Quantity(low, value, high, items[0].dimension)
    raise ValueError(f"unknown function '{name}'")


def value_of(node: ast.expr, scope: Scope) -> Quantity:
    """Return the value of an expression; `ValueError` for a bad one."""
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return Quantity.exact(number)
        case ast.Name() | ast.Attribute(value=ast.Name()):
            return scope.quantity(ast.unparse(node))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](value_of(left, scope), value_of(right, scope))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return _call(name, arguments, scope)
    raise ValueError(f"not allowed in an expression: {ast.unparse(node)}")


def evaluate(claim: str | Claim, scope: Scope) -> tuple[Quantity, Quantity]:
    """Return the stated and the computed side of a claim; `ValueError` for a bad one."""
    parsed = parse_claim(claim) if isinstance(claim, str) else claim
    stated, computed = scope.quantity(parsed.stated), value_of(parsed.expression, scope)
    stated.same(computed)
    return stated, computed


def names_in(claim: Claim) -> list[str]:
    """Return the names an expression uses, without those of functions."""
    nodes = list(ast.walk(claim.expression))
    hidden = {id(n.value) for n in nodes if isinstance(n, ast.Attribute)}
    hidden |= {id(n.func) for n in nodes if isinstance(n, ast.Call)}
    wanted = [n for n in nodes if isinstance(n, ast.Name | ast.Attribute) and id(n) not in hidden]
    return list(dict.fromkeys(ast.unparse(node) for node in wanted))


def holds(claim: Claim, scope: Scope) -> bool:
    """Return whether rounding can make the claim true."""
    stated, computed = evaluate(claim, scope)
    digit = stated.high - stated.low  # one unit in the last place, none for a count
    low, high = stated.value - digit, stated.value + digit
    if claim.comparison is ast.GtE:
        return high >= computed.low
    if claim.comparison is ast.LtE:
        return low <= computed.high
    return low <= computed.high and computed.low <= high
