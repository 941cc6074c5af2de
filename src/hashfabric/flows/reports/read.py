"""The tool that a set of reports is from, and their figures."""

from collections.abc import Sequence

from hashfabric.base.errors import LabError
from hashfabric.flows.reports import quartus, radiant, vivado
from hashfabric.flows.reports.base import Figures, Reader, Report

READERS = (vivado.READER, quartus.READER, radiant.READER)


def figures(reports: Sequence[Report], clock: str | None = None) -> Figures:
    """Return the figures of the reports of one run; `clock` names one where there are several.

    `LabError` names a file that is no report, is of another run, or lacks a figure.
    """
    kinds: dict[str, Report] = {}
    tool: Reader | None = None
    for report in reports:
        reader, kind = _kind(report)
        if tool is not None and reader is not tool:
            first = next(iter(kinds.values()))
            both = f"{tool.tool} and {reader.tool}"
            raise LabError(f"{first.name} and {report.name} are not of one run: {both}")
        if kind in kinds:
            raise LabError(f"{kinds[kind].name} and {report.name}: two reports of the same kind")
        tool, kinds[kind] = reader, report
    if tool is None:
        raise LabError("no report of a tool among the files")
    for kind, what in tool.wanted.items():
        if kind not in kinds:
            given = ", ".join(report.name for report in kinds.values())
            raise LabError(f"{given}: {what} is missing")
    return tool.read(kinds, clock)


def _kind(report: Report) -> tuple[Reader, str]:
    for reader in READERS:
        for kind, pattern in reader.kinds.items():
            if report.find(pattern):
                return reader, kind
    known = "Vivado, Quartus (.fit.summary, .fit.rpt, .sta.rpt) or Radiant (.mrp, .par, .twr)"
    raise LabError(f"{report.name}: no known report of {known}")
