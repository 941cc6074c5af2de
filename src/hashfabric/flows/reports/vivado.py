"""Vivado: report_utilization and report_timing_summary, as text."""

import re
from collections.abc import Mapping

from hashfabric.base.errors import LabError
from hashfabric.flows.reports.base import Figures, Reader, Report, number, one_clock, same

_LUTS = ("Slice LUTs", "CLB LUTs")
_FFS = ("Register as Flip Flop", "Slice Registers", "CLB Registers", "Registers")
_DSPS = ("DSPs", "DSP Slices", "DSP58")
_BRAMS = ("Block RAM Tile",)
_DETAIL = ("LUT as Memory", "CARRY4", "CARRY8", "LOOKAHEAD8", "Slice", "CLB", "URAM")

_NUMBER = r"-?\d+\.\d+"


def _field(report: Report, name: str) -> str:
    return report.search(rf"^\|\s*{name}\s*:\s*(\S.*?)\s*$", f"line '{name}'")[1]


def _version(report: Report) -> str:
    pattern = r"^\|\s*Tool Version\s*:\s*Vivado v\.(\S+).*?Build (\d+)"
    version, build = report.search(pattern, "line 'Tool Version'").groups()
    return f"{version} Build {build}"


def _used(report: Report, names: tuple[str, ...]) -> float | None:
    """Return the column Used of the first of these rows that is there."""
    for name in names:
        if found := report.find(rf"^\|\s*{re.escape(name)}\*?\s*\|\s*([\d,]+(?:\.\d+)?)\s*\|"):
            return number(found[1])
    return None


def _needed(report: Report, names: tuple[str, ...]) -> float:
    if (used := _used(report, names)) is None:
        raise report.without(f"row '{names[0]}'")
    return used


def _count(report: Report, names: tuple[str, ...]) -> int:
    return int(_needed(report, names))


def _part(device: str) -> str:
    """Return a device as both reports have it: xc7a100tcsg324-1 and 7a100t-csg324 begin alike."""
    return re.sub(r"[^a-z0-9]", "", device.lower()).removeprefix("xc")


def _placed(report: Report) -> None:
    state = _field(report, "Design State")
    if not re.search(r"Routed|Placed|postRoute|postPlace", state):
        raise LabError(f"{report.name}: of a design that is '{state}', not placed and routed")


def _section(report: Report, title: str) -> str:
    """Return the text between a title and the next one."""
    start = report.search(rf"^\| {title}\n\| -+\n-+\n", f"table '{title}'").end()
    found = re.compile(r"^-{20,}\n\| ", re.MULTILINE).search(report.text, start)
    return report.text[start : found.start() if found else len(report.text)]


def _timing(report: Report, clock: str | None) -> tuple[float, float]:
    """Return the period of the clock and its worst slack, ns."""
    summary = _section(report, "Design Timing Summary")
    worst = re.search(rf"^\s*WNS\(ns\).*\n[\s-]+\n\s*({_NUMBER}|\S+)", summary, re.MULTILINE)
    if worst is None:
        raise report.without("WNS")
    row = rf"^\s*(\S+)\s+\{{[\d. ]+\}}\s+({_NUMBER})\s+{_NUMBER}\s*$"
    clocks = dict(re.findall(row, _section(report, "Clock Summary"), re.MULTILINE))
    name = one_clock(report, clocks, clock)
    slack = worst[1]
    if len(clocks) > 1:
        own = _section(report, "Intra Clock Table")
        found = re.search(rf"^\s*{re.escape(name)}\s+({_NUMBER})\s", own, re.MULTILINE)
        slack = found[1] if found else "none"
    if not re.fullmatch(_NUMBER, slack):
        raise LabError(f"{report.name}: clock {name} has no path with a slack (WNS {slack})")
    return float(clocks[name]), float(slack)


def _read(reports: Mapping[str, Report], clock: str | None) -> Figures:
    used, timing, core = reports["utilization"], reports["timing"], reports.get("core")
    for report in (used, *([core] if core else [])):
        _placed(report)
        same(report, timing, "design", (_field(report, "Design"), _field(timing, "Design")))
        same(report, timing, "version", (_version(report), _version(timing)))
        device, other = _field(report, "Device"), _field(timing, "Device")
        if not _part(device).startswith(_part(other)):
            same(report, timing, "device", (device, other))
    if re.search(r"^\s*net \(fo=\d+, (?:estimated|unplaced)\)", timing.text, re.MULTILINE):
        raise LabError(f"{timing.name}: its delays are estimates: of a design that is not routed")
    period, slack = _timing(timing, clock)
    if slack >= period:
        raise LabError(f"{timing.name}: slack {slack} ns of a period of {period} ns: no clock")
    detail = {name: _used(used, (name,)) for name in _DETAIL}
    return Figures(
        tool="vivado",
        tool_version=_version(timing),
        date=timing.date(),
        top=_field(used, "Design"),
        device=_field(used, "Device"),
        speed_grade=_field(timing, "Speed File").split()[0],
        lut="LUT6",
        luts=_count(used, _LUTS),
        ffs=_count(used, _FFS),
        luts_core=_count(core, _LUTS) if core else None,
        ffs_core=_count(core, _FFS) if core else None,
        dsps=_count(used, _DSPS),
        brams=_needed(used, _BRAMS),
        detail={name: int(count) for name, count in detail.items() if count is not None},
        constraint_mhz=1000 / period,
        wns_ns=slack,
        fmax_mhz=1000 / (period - slack),
        fmax_from="slack",
    )


READER = Reader(
    tool="vivado",
    kinds={
        "core": r"^\|\s*Command\s*:.*report_utilization.*-cells u_core\b",
        "part": r"^\|\s*Command\s*:.*report_utilization.*-cells ",
        "utilization": r"^\|\s*Command\s*:.*report_utilization",
        "timing": r"^\|\s*Command\s*:.*report_timing_summary",
    },
    wanted={
        "utilization": "report_utilization of the whole design",
        "timing": "report_timing_summary",
    },
    read=_read,
)
