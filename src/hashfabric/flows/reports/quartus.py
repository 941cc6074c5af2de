"""Quartus, Standard and Pro: the fitter's summary or report, and the timing analyser's report."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hashfabric.base.errors import LabError
from hashfabric.flows.reports.base import Figures, Reader, Report, number, one_clock, same

_AREA = {"Logic utilization (in ALMs)": "ALM", "Total logic elements": "LE"}
_FFS = ("Dedicated logic registers", "Total dedicated logic registers", "Total registers")
_DSPS = ("Total DSP Blocks", "Embedded Multiplier 9-bit elements")
_BRAMS = ("Total RAM Blocks",)
_DETAIL = (
    "Total virtual pins",
    "Total block memory bits",
    "Total memory bits",
    "Total combinational functions",
)


@dataclass(frozen=True)
class _Table:
    title: str
    header: list[str]
    rows: list[list[str]]


def _tables(report: Report) -> list[_Table]:
    """Return the tables that are drawn with + and ;, each with its title in a separate row."""
    tables = []
    for block in re.findall(r"(?:^[+;].*\n)+", report.text, re.MULTILINE):
        rules = re.split(r"^\+.*\n", block, flags=re.MULTILINE)
        groups = [[_cells(line) for line in part.splitlines()] for part in rules if part]
        if groups and len(groups[0]) == 1 and len(groups[0][0]) == 1:
            (((title,),), *body) = groups
            header = body.pop(0)[0] if len(body) > 1 else []
            tables.append(_Table(title, header, [row for group in body for row in group]))
    return tables


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip(";").split(";")]


def _summary(report: Report) -> dict[str, str]:
    """Return the figures of the fitter by their names, from either form."""
    if not report.find(r"^Fitter Status\s+: "):
        for table in _tables(report):
            if table.title == "Fitter Summary":
                return {row[0]: row[1] for row in table.rows if len(row) > 1}
        raise report.without("table 'Fitter Summary'")
    return dict(re.findall(r"^\s*(\S.*?)\s+: (\S.*?)\s*$", report.text, re.MULTILINE))


def _count(summary: Mapping[str, str], names: tuple[str, ...]) -> int | None:
    for name in names:
        if found := re.match(r"[\d,]+", summary.get(name, "")):
            return int(number(found[0]))
    return None


def _value(report: Report, summary: Mapping[str, str], name: str) -> str:
    if name not in summary:
        raise report.without(f"line '{name}'")
    return summary[name]


def _version(report: Report, summary: Mapping[str, str]) -> str:
    for name, value in summary.items():
        if re.fullmatch(r"Quartus .*Version", name):
            return value.removeprefix("Version ")
    raise report.without("line 'Quartus ... Version'")


def _fmax(report: Report, tables: list[_Table]) -> dict[str, float]:
    """Return the restricted Fmax of every clock, MHz: the least over the corners."""
    listed = re.findall(r"^ *\d+\. (.*Fmax Summary) *$", report.text, re.MULTILINE)
    clocks: dict[str, float] = {}
    for title in listed or ["Fmax Summary"]:
        if report.find(rf"^; {re.escape(title)} *;\n-+\nNo paths to report"):
            continue
        table = next((one for one in tables if one.title == title and one.header), None)
        if table is None or not {"Restricted Fmax", "Clock Name"} <= set(table.header):
            raise report.without(f"table '{title}'")
        for row in table.rows:
            cells = dict(zip(table.header, row, strict=False))
            value = re.fullmatch(r"([\d.,]+) MHz", cells.get("Restricted Fmax", ""))
            if value is None or "Clock Name" not in cells:
                raise report.without(f"whole row in '{title}'")
            clocks[cells["Clock Name"]] = min(
                number(value[1]), clocks.get(cells["Clock Name"], float("inf"))
            )
    return clocks


def _cell(tables: list[_Table], title: str, row: str, column: str) -> float | None:
    """Return a number out of a table; None where the table, the row or a number is not there."""
    for table in tables:
        if table.title == title and column in table.header:
            for cells in table.rows:
                at = table.header.index(column)
                if cells[0] == row and len(cells) > at:
                    found = re.match(r"-?[\d.,]+$", cells[at])
                    return number(found[0]) if found else None
    return None


def _read(reports: Mapping[str, Report], clock: str | None) -> Figures:
    fit, sta = reports.get("summary", reports.get("fit")), reports["timing"]
    if fit is None:
        raise LabError(f"{sta.name}: no fitter's report beside it: .fit.summary or .fit.rpt")
    summary = _summary(fit)
    status = _value(fit, summary, "Fitter Status")
    if not status.startswith("Successful"):
        raise LabError(f"{fit.name}: Fitter Status: {status}")
    tables = _tables(sta)
    head = next(
        (table for table in tables if table.title.endswith("Timing Analyzer Summary")), None
    )
    if head is None:
        raise sta.without("table 'Timing Analyzer Summary'")
    analysed = {row[0]: row[1] for row in head.rows if len(row) > 1}
    device = _value(fit, summary, "Device")
    same(fit, sta, "device", (device, _value(sta, analysed, "Device Name")))
    revisions = (_value(fit, summary, "Revision Name"), _value(sta, analysed, "Revision Name"))
    same(fit, sta, "revision", revisions)
    same(fit, sta, "version", (_version(fit, summary), _version(sta, analysed)))
    clocks = _fmax(sta, tables)
    name = one_clock(sta, clocks, clock)
    period = _cell(tables, "Clocks", name, "Period")
    if not period:
        raise sta.without(f"period of {name}")
    slack = _cell(tables, "Multicorner Timing Analysis Summary", name, "Setup")
    if slack is None:
        slack = _cell(tables, "Setup Summary", name, "Slack")
    if slack is None:
        raise sta.without(f"setup slack of {name}")
    unit = next((unit for key, unit in _AREA.items() if key in summary), None)
    luts, ffs = _count(summary, tuple(_AREA)), _count(summary, _FFS)
    if unit is None or luts is None:
        raise fit.without("line 'Logic utilization (in ALMs)' or 'Total logic elements'")
    if ffs is None:
        raise fit.without("line 'Total registers'")
    if (dsps := _count(summary, _DSPS)) is None:
        raise fit.without("line 'Total DSP Blocks' or 'Embedded Multiplier 9-bit elements'")
    grade = re.search(r"[A-Z]\d+[A-Z]*$", device)
    counts = {key: _count(summary, (key,)) for key in _DETAIL}
    return Figures(
        tool="quartus",
        tool_version=_version(fit, summary),
        date=sta.date(),
        top=_value(fit, summary, "Top-level Entity Name"),
        device=device,
        speed_grade=grade[0] if grade else "not reported",
        lut=unit,
        luts=luts,
        ffs=ffs,
        dsps=dsps,
        brams=_count(summary, _BRAMS),
        detail={key: count for key, count in counts.items() if count is not None},
        constraint_mhz=1000 / period,
        wns_ns=slack,
        fmax_mhz=clocks[name],
        fmax_from="restricted Fmax",
    )


READER = Reader(
    tool="quartus",
    kinds={
        "summary": r"\AFitter Status\s+: ",
        "fit": r"\AFitter report for ",
        "timing": r"\A(?:TimeQuest )?Timing Analyzer report for ",
        "slacks": r"\A-+\n(?:TimeQuest )?Timing Analyzer Summary\n-+\n",
    },
    wanted={"timing": "the timing analyser's .sta.rpt (.sta.summary has no period)"},
    read=_read,
)
