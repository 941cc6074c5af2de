"""Rows that users of vendors' tools gave: the figures of a report, its sender, and its hash.

They are kept and shown apart from rows that this lab measured.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, TypeAdapter, ValidationError

from hashfabric.base.cache import locked, write_atomically
from hashfabric.base.datafile import first_fault
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.registry.results import (
    REPORTED_PREFIX,
    Count,
    Number,
    Positive,
    RowModel,
    load_list,
    load_prefixed,
    rows_json,
)

Line = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\n\r|`<>\[\]]+$")
]
"""Text for one cell of a table, given by a user or by a tool."""


def check_line(what: str, text: str) -> None:
    """`LabError` where `text` is no `Line`."""
    try:
        TypeAdapter(Line).validate_python(text)
    except ValidationError as error:
        raise LabError(f"{what}: {first_fault(error)}") from None


Url = Annotated[str, StringConstraints(max_length=500, pattern=r"^https?://[^\s()<>|]+$")]
"""An address that a page can link to."""

_Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
_Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\d$")]
_Slack = Annotated[float, Field(ge=-1e6, le=1e6)]
_Blocks = Annotated[float, Field(ge=0, le=1e9)]


class ReportedRow(RowModel):
    """One run of a vendor's place and route, from its reports.

    `settings` are the parameters set beside the variant's own. `in_harness`: the top was the
    serial harness around the core, not the core itself. `luts` count units of `lut` (LUT6, LUT4,
    ALM, LE) and are of the whole top; `luts_core`, `ffs_core` are of the core in it. `brams`
    may be halves. Clocks are in MHz. `fmax_from` is the origin of the clock: `slack` is
    1000 / (period - worst setup slack), an estimate. `clocks_per_block` is the registry's, or
    `given` by the user for parameters without a variant in the registry; without it there is no
    throughput. `source_hash` is the hash of the RTL in the exported project, None without one.
    `reports` are the files read, by name, with their sha256.
    """

    name: str
    variant: str
    settings: Mapping[str, int | bool]
    tool: Literal["vivado", "quartus", "radiant"]
    tool_version: Line
    by: Line
    url: Url | None
    date: _Day
    device: Line
    speed_grade: Line
    in_harness: bool
    lut: Literal["LUT6", "LUT4", "ALM", "LE"]
    luts: Number
    ffs: Count
    luts_core: Count | None
    ffs_core: Count | None
    dsps: Count | None
    brams: _Blocks | None
    detail: dict[str, Count]
    constraint_mhz: Positive
    wns_ns: _Slack | None
    fmax_mhz: Positive
    fmax_from: Literal["slack", "restricted Fmax", "actual period"]
    block_bits: Number
    clocks_per_block: Positive | None
    clocks_from: Literal["registry", "given"] | None
    slots: Number
    gbps: Positive | None
    mbps_per_lut: Positive | None
    source_hash: _Sha256 | None
    reports: dict[str, _Sha256]

    @property
    def title(self) -> str:
        """The variant with the parameters that were set."""
        settings = "".join(f", {name}={int(self.settings[name])}" for name in sorted(self.settings))
        return f"{self.variant}{settings}"

    def replaces(self, other: "ReportedRow") -> bool:
        """Return whether this is a later run of the same user, tool and configuration."""
        return self._run() == other._run()

    def _run(self) -> tuple[object, ...]:
        return (
            self.name,
            self.title,
            self.tool,
            self.tool_version,
            self.by,
            self.device,
            self.speed_grade,
            self.in_harness,
            round(self.constraint_mhz, 3),
        )


def reported_file(design: str, tool: str, root: Path = ROOT) -> Path:
    """Return the file of the rows of `design` by `tool`."""
    return root / "results" / f"{REPORTED_PREFIX}{design}-{tool}.json"


def add_row(row: ReportedRow, path: Path) -> list[ReportedRow]:
    """Write `row` among those of the file `path`, in place of the one it replaces; return all."""
    with locked(path.parent):
        before = load_list(path, ReportedRow) if path.exists() else []
        rows = [other for other in before if not row.replaces(other)]
        rows = sorted([*rows, row], key=_place)
        write_atomically(path, rows_json(rows))
    return rows


def load_reported(root: Path = ROOT) -> list[ReportedRow]:
    """Read every results/reported-*.json; `LabError` names a file without rows."""
    return in_order(load_prefixed(REPORTED_PREFIX, ReportedRow, root))


def in_order(rows: Sequence[ReportedRow]) -> list[ReportedRow]:
    """Return the rows as tables list them."""
    return sorted(rows, key=_place)


def _place(row: ReportedRow) -> tuple[str, ...]:
    return (row.name, row.title, row.tool, row.device, row.by, row.tool_version, row.date)
