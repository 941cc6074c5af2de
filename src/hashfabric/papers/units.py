"""Units of printed figures, by the suffix of a column's or figure's name."""

from dataclasses import dataclass
from fractions import Fraction

Dimension = tuple[int, int, int, int]
"""Exponents of second, watt, slice and byte; bits, clocks and other counts have none."""


@dataclass(frozen=True)
class Unit:
    """A unit of measurement: its symbol, its size and its dimension."""

    symbol: str
    scale: Fraction = Fraction(1)
    dimension: Dimension = (0, 0, 0, 0)
    exact: bool = False


UNITS = {
    "mhz": Unit("MHz", Fraction(10**6), (-1, 0, 0, 0)),
    "ns": Unit("ns", Fraction(1, 10**9), (1, 0, 0, 0)),
    "gbps": Unit("Gb/s", Fraction(10**9), (-1, 0, 0, 0)),
    "mbps": Unit("Mb/s", Fraction(10**6), (-1, 0, 0, 0)),
    "mbps_per_slice": Unit("Mb/s per slice", Fraction(10**6), (-1, 0, -1, 0)),
    "w": Unit("W", Fraction(1), (0, 1, 0, 0)),
    "mw": Unit("mW", Fraction(1, 1000), (0, 1, 0, 0)),
    "mw_per_gbps": Unit("mW per Gb/s", Fraction(1, 10**12), (1, 1, 0, 0)),
    "kb": Unit("KB", Fraction(1000), (0, 0, 0, 1)),
    "percent": Unit("%", Fraction(1, 100)),
    "times": Unit("x"),
    "slices": Unit("slices", Fraction(1), (0, 0, 1, 0), exact=True),
    "bits": Unit("bits", exact=True),
    "clocks": Unit("clocks", exact=True),
}
"""The unit that ends a name; a name without one counts things."""


def unit_of(name: str) -> Unit:
    """Return the unit that ends `name` (the longest match), or that of an exact count."""
    words = name.rpartition(".")[2].split("_")
    for start in range(len(words)):
        if unit := UNITS.get("_".join(words[start:])):
            return unit
    return Unit("", exact=True)
