"""Radiant: the map report (.mrp), place and route's (.par) and the timing report (.twr)."""

import re
from collections.abc import Mapping

from hashfabric.base.errors import LabError
from hashfabric.flows.reports.base import Figures, Reader, Report, number, one_clock, same

_FFS = ("registers", "slice registers")
_DSPS = ("DSPs", "MULT18")
_BRAMS = ("Block RAMs", "EBRs")
_DETAIL = {
    "Distributed RAM": r"Number used as distributed RAM:",
    "Ripple logic": r"Number used as ripple logic:",
    "Virtual IOs": r"Number of Virtual IOs:",
}

_VERSION = r"Radiant Software \(64-bit\) ([\d.]*\d)"
_PERIOD = r"([\d.]+) ns \|\s+([\d.]+) MHz"


def _field(report: Report, name: str) -> str:
    return report.search(rf"^{name}:\s+(\S+)\s*$", f"line '{name}:'")[1]


def _count(report: Report, names: tuple[str, ...]) -> int | None:
    for name in names:
        if found := report.find(rf"^\s+Number of {re.escape(name)}:\s+(\d+) out of"):
            return int(found[1])
    return None


def _needed(report: Report, names: tuple[str, ...]) -> int:
    if (count := _count(report, names)) is None:
        raise report.without(f"line 'Number of {names[0]}:'")
    return count


def _clocks(report: Report) -> dict[str, tuple[float, float]]:
    """Return the constraint and the least period over the corners, ns, of every clock.

    A clock whose cells need a minimum pulse width is no faster than that.
    """
    corners = re.findall(r"^ +\d+ +(Setup at Speed Grade .*)$", report.text, re.MULTILINE)
    clocks: dict[str, tuple[float, float]] = {}
    for corner in corners or ["Setup at Speed Grade"]:
        title = rf"^\d+ +{re.escape(corner.strip())}\s*$"
        start = report.search(title, f"section '{corner.strip()}'").end()
        rest = re.compile(r"^\d+ +\S.* at Speed Grade ", re.MULTILINE).search(report.text, start)
        section = report.text[start : rest.start() if rest else len(report.text)]
        found = re.split(r'^[\d.]+ Clock "(.*)"\s*$', section, flags=re.MULTILINE)[1:]
        if not found:
            raise report.without(f"clock in '{corner.strip()}'")
        for name, part in zip(found[::2], found[1::2], strict=True):
            summary = part.partition("Clock Domain Crossing")[0]
            target = re.search(rf"\|\s+Target \|\s+{_PERIOD}", summary)
            actual = re.search(rf"\| Actual \(all paths\) \|\s+{_PERIOD}", summary)
            if target and actual:
                pulse = re.findall(rf"\|\s+\(\d+% duty cycle\) \|\s+{_PERIOD}", summary)
                reached = max(float(actual[1]), *(float(one[0]) for one in pulse), 0.0)
                _, before = clocks.get(name, (0.0, 0.0))
                clocks[name] = (float(target[1]), max(reached, before))
    return clocks


def _read(reports: Mapping[str, Report], clock: str | None) -> Figures:
    mapped, timing, placed = reports["map"], reports["timing"], reports.get("par")
    if timing.find(r"^Command line:.*_(?:map|syn)\.udb"):
        raise LabError(f"{timing.name}: of a design that is not placed and routed")
    for name in ("Design", "Device", "Package"):
        same(mapped, timing, name.lower(), (_field(mapped, name), _field(timing, name)))
    grade = _field(timing, "Performance")
    same(mapped, timing, "performance", (_field(mapped, "Performance Grade"), grade))
    versions = [report.search(_VERSION, "version")[1] for report in (mapped, timing)]
    same(mapped, timing, "version", (versions[0], versions[1]))
    detail = {}
    for name, pattern in _DETAIL.items():
        if found := mapped.find(rf"^\s+{pattern}\s+(\d+)"):
            detail[name] = int(found[1])
    if placed is not None:
        same(placed, timing, "device", (_field(placed, "Device"), _field(timing, "Device")))
        if not placed.find(r"^All signals are completely routed"):
            raise placed.without("line 'All signals are completely routed'")
        if slices := placed.find(r"^\s+SLICE\s+(\d+)/"):
            detail["SLICE"] = int(slices[1])
    clocks = _clocks(timing)
    period, reached = clocks[one_clock(timing, clocks, clock)]
    return Figures(
        tool="radiant",
        tool_version=versions[1],
        date=timing.date(),
        top=_field(mapped, "Design"),
        device=f"{_field(mapped, 'Device')} {_field(mapped, 'Package')}",
        speed_grade=grade,
        lut="LUT4",
        luts=_needed(mapped, ("LUT4s",)),
        ffs=_needed(mapped, _FFS),
        dsps=_count(mapped, _DSPS),
        brams=_needed(mapped, _BRAMS),
        detail=detail,
        constraint_mhz=1000 / period,
        wns_ns=round(period - reached, 3),
        fmax_mhz=number(f"{1000 / reached:.3f}"),
        fmax_from="actual period",
    )


READER = Reader(
    tool="radiant",
    kinds={
        "map": r"Lattice Mapping Report File",
        "par": r"^(?:PAR: )?Place And Route Radiant Software|^Lattice Place and Route Report",
        "timing": r"\ALattice Timing Report",
    },
    wanted={"map": "the map report (.mrp)", "timing": "the timing report (.twr)"},
    read=_read,
)
