"""What nextpnr reports, for every family: clocks, cells, and the state in which it was stopped."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hashfabric.base.errors import LabError

_UNASKED_MHZ = 12.0


@dataclass(frozen=True)
class Clock:
    """A clock of a routed design: its net, its clock rate and its constraint, in MHz."""

    net: str
    mhz: float
    asked_mhz: float

    @property
    def is_asked(self) -> bool:
        """Return whether it has a constraint: without one nextpnr takes 12 MHz."""
        return self.asked_mhz != _UNASKED_MHZ

    @property
    def name(self) -> str:
        """The net's name before nextpnr moved it to global wires and to a pin's input."""
        return self.net.removeprefix("$glbnet$").removesuffix("$TRELLIS_IO_IN")


@dataclass(frozen=True)
class NextpnrReport:
    """The figures of nextpnr's JSON report: clocks, and cells by type, used and available."""

    clocks: Sequence[Clock]
    used: Mapping[str, int]
    available: Mapping[str, int]

    @property
    def slowest_mhz(self) -> float:
        """The clock of the design: its slowest one's."""
        return round(min(clock.mhz for clock in self.clocks), 3)


def read_report(text: str, tool: str, *, clocked: bool = True) -> NextpnrReport:
    """Read the JSON report of `tool`; `LabError` without cells, or without a clock if `clocked`."""
    try:
        report = json.loads(text)
        sites = report["utilization"].items()
        found = NextpnrReport(
            [
                Clock(net, float(clock["achieved"]), float(clock["constraint"]))
                for net, clock in report["fmax"].items()
            ],
            {cell: int(site["used"]) for cell, site in sites},
            {cell: int(site["available"]) for cell, site in sites},
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise no_figures(tool) from error
    if not found.used or (clocked and not found.clocks):
        raise no_figures(tool)
    return found


def no_figures(tool: str) -> LabError:
    """Return the error for a report of `tool` without figures."""
    return LabError(f"{tool}: no clock or no utilisation in its report")


_ARCS = re.compile(r"^Info: Routing (\d+) arcs\.$", re.MULTILINE)


def arcs_of(log: str) -> int | None:
    """Return how many arcs a `log` of router1 had to route; None if it does not say."""
    match = _ARCS.search(log)
    return None if match is None else int(match[1])


# What stands in a log while the program is at work, the last of it last.
_STATES = (
    (re.compile(r"at iteration #(\d+), type"), "it was placing"),
    (re.compile(r"at iteration #(\d+): temp"), "it was refining the placement"),
    (re.compile(r"^Info: Routing (?:globals|clock nets)", re.MULTILINE), "it was routing clocks"),
    (re.compile(r"^Info: +(\d+) \|.*\| +(\d+)\| ", re.MULTILINE), "{} arcs were not routed"),
    (re.compile(r"iter=(\d+) wires=\d+ overused=(\d+)"), "{} wires were used twice"),
)


def state_of(log: str) -> str:
    """Return what nextpnr was doing at the end of its `log`, as a clause; empty if that is unknown.

    With the router's iterations, and the arcs that it had not routed or the wires that it had used
    for several nets.
    """
    last, state = -1, ""
    for pattern, text in _STATES:
        for match in pattern.finditer(log):
            if match.start() > last:
                last, state = match.start(), text
                if "{}" in text:
                    number, left = (int(group) for group in match.groups())
                    state = f"{text.format(f'{left:,}')} after {number:,} iterations"
    return state
