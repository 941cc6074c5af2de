"""The figures in every tool's reports, and the errors for missing ones."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from hashfabric.base.errors import LabError

_DATE = re.compile(r"\b([A-Z][a-z]{2}) +(\d{1,2}) +\d\d:\d\d:\d\d +(\d{4})\b")


@dataclass(frozen=True)
class Report:
    """One file of a run: its name as messages show it, and its text."""

    name: str
    text: str

    def search(self, pattern: str, what: str) -> re.Match[str]:
        """Return the result of `find`; `LabError` names the missing `what` where it is None."""
        if (found := self.find(pattern)) is None:
            raise self.without(what)
        return found

    def find(self, pattern: str) -> re.Match[str] | None:
        """Return the first match of `pattern`, ^ and $ at lines; None if there is none."""
        return re.search(pattern, self.text, re.MULTILINE)

    def without(self, what: str) -> LabError:
        """Return the error for a report in which `what` is missing."""
        return LabError(f"{self.name}: no {what} in it: cut off, or of an unknown form")

    def date(self) -> str:
        """Return the first date in it, the day of writing, as YYYY-MM-DD."""
        month, day, year = self.search(_DATE.pattern, "date").groups()
        try:
            return datetime.strptime(f"{day} {month} {year}", "%d %b %Y").date().isoformat()
        except ValueError:
            raise self.without("date") from None


@dataclass(frozen=True)
class Figures:
    """The figures of one run of place and route.

    `luts` counts units of `lut`: LUT6, LUT4, ALM or LE. `luts_core` and `ffs_core` are those of
    the core, where a report separates it from the harness. `brams` may be halves. `detail` has
    further counts by the tool's names. The clock is in MHz, `wns_ns` the worst setup slack;
    `fmax_from` is the origin of the clock. Figures that a tool does not report are None.
    """

    tool: str
    tool_version: str
    date: str
    top: str
    device: str
    speed_grade: str
    lut: str
    luts: int
    ffs: int
    constraint_mhz: float
    wns_ns: float | None
    fmax_mhz: float
    fmax_from: str
    luts_core: int | None = None
    ffs_core: int | None = None
    dsps: int | None = None
    brams: float | None = None
    detail: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Reader:
    """A reader of one tool's reports: the `kinds` of files by a pattern each, and their figures.

    `read` takes the files by kind, of which those in `wanted` must be there, and a clock's name.
    """

    tool: str
    kinds: Mapping[str, str]
    wanted: Mapping[str, str]
    read: Callable[[Mapping[str, Report], str | None], Figures]


def number(text: str) -> float:
    """Return a number with commas between thousands."""
    return float(text.replace(",", ""))


def one_clock(report: Report, clocks: Mapping[str, object], wanted: str | None) -> str:
    """Return the requested clock, else the only one; `LabError` where there are several."""
    if wanted is not None and wanted not in clocks:
        raise LabError(
            f"{report.name}: no clock '{wanted}': one of {', '.join(clocks) or '(none)'}"
        )
    if wanted is None and len(clocks) != 1:
        if not clocks:
            raise report.without("clock with a path")
        raise LabError(
            f"{report.name}: several clocks: --clock must name one of {', '.join(clocks)}"
        )
    return wanted or next(iter(clocks))


def same(first: Report, second: Report, what: str, values: tuple[str, str]) -> None:
    """Raise `LabError` where two reports are not of one run, by the values of `what`."""
    if values[0] != values[1]:
        both = f"{what} {values[0]} and {values[1]}"
        raise LabError(f"{first.name} and {second.name} are not of one run: {both}")
