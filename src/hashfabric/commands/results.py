"""`hashfabric results`: rows made of the reports that users of vendors' tools give."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from hashfabric.base.datafile import check_file, first_fault, shown
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.export.core import NO_SETTINGS, read_stamp
from hashfabric.flows.reports.base import Figures, Report
from hashfabric.flows.reports.read import figures
from hashfabric.implement import harness
from hashfabric.registry.designs import Design, Parameter, Variant, find_design
from hashfabric.registry.reported import ReportedRow, add_row, reported_file
from hashfabric.registry.results import rounded, throughput_gbps
from hashfabric.simulate.elaboration import elaborate

LARGEST = 1 << 28
"""Most bytes of a report."""


@dataclass(frozen=True)
class Addition:
    """A request: reports of the core `name` (D/V) with `settings`, each NAME=VALUE.

    `files` are reports, or folders of them; without `settings`, those that the exported project
    states apply. `by` names who ran the tool, `url` is a page with details.
    `clock` names one of several, `clocks_per_block` is for variants that the registry lacks.
    `out` is the file of rows, else the checkout's.
    """

    name: str
    files: Sequence[str]
    by: str
    settings: Sequence[str] = ()
    url: str | None = None
    clock: str | None = None
    clocks_per_block: float | None = None
    out: Path | None = None


@dataclass(frozen=True)
class _File:
    report: Report
    sha256: str


def add(wanted: Addition, root: Path = ROOT) -> tuple[ReportedRow, Path]:
    """Read the reports into a row, write it, and return it with its file."""
    design_name, slash, variant_name = wanted.name.partition("/")
    if not slash:
        raise LabError(f"{wanted.name}: DESIGN/VARIANT is required")
    design = find_design(design_name, root)
    if wanted.out is not None:
        check_file(wanted.out)
    registered = design.variant(variant_name)
    files = [_read(path) for path in _paths(wanted.files)]
    stamps = [file for file in files if read_stamp(file.report.text) is not None]
    stated = _stated([file.report for file in stamps], wanted.name)
    settings = _settings(design, variant_name, wanted.settings or stated.settings, root)
    if stated.name and settings != _settings(design, variant_name, stated.settings, root):
        said = ", ".join(stated.settings) or "no parameter"
        raise LabError(f"{stated.name}: of {wanted.name} with {said} set, not with --set as given")
    parameters = {**registered.parameters, **settings}
    variant = registered.model_copy(update={"parameters": parameters})
    if settings:
        elaborate(variant)
    reports = [file.report for file in files if file not in stamps]
    run = figures(reports, wanted.clock)
    if run.top not in (variant.top, harness.TOP):
        tops = f"{variant.top} or {harness.TOP} around it"
        raise LabError(f"{reports[0].name}: of the design {run.top}, not of {tops}")
    row = _row(design, variant, wanted, run, settings, stated.source, files)
    path = wanted.out or reported_file(design.name, run.tool, root)
    add_row(row, path)
    return row, path


def _row(  # noqa: PLR0913, PLR0917 - one parameter a part of the row
    design: Design,
    variant: Variant,
    wanted: Addition,
    run: Figures,
    settings: dict[str, Parameter],
    source: str | None,
    files: Sequence[_File],
) -> ReportedRow:
    known = _same_parameters(design, variant)
    clocks = None if known is None else design.timing(known).clocks_per_block
    clocks_from = None if clocks is None else "registry"
    if wanted.clocks_per_block is not None:
        clocks, clocks_from = wanted.clocks_per_block, "given"
    bits = design.block_bits_of(variant)
    gbps = None if clocks is None else throughput_gbps(bits, run.fmax_mhz, clocks)
    try:
        return ReportedRow(
            name=design.name,
            variant=wanted.name.partition("/")[2],
            settings=settings,
            tool=run.tool,  # type: ignore[arg-type]  # checked by the model
            tool_version=run.tool_version,
            by=wanted.by.strip(),
            url=wanted.url,
            date=run.date,
            device=run.device,
            speed_grade=run.speed_grade,
            in_harness=run.top == harness.TOP,
            lut=run.lut,  # type: ignore[arg-type]
            luts=run.luts,
            ffs=run.ffs,
            luts_core=run.luts_core,
            ffs_core=run.ffs_core,
            dsps=run.dsps,
            brams=run.brams,
            detail=dict(run.detail),
            constraint_mhz=round(run.constraint_mhz, 3),
            wns_ns=run.wns_ns,
            fmax_mhz=round(run.fmax_mhz, 3),
            fmax_from=run.fmax_from,  # type: ignore[arg-type]
            block_bits=bits,
            clocks_per_block=clocks,
            clocks_from=clocks_from,  # type: ignore[arg-type]
            slots=design.timing(known or variant).slots,
            gbps=gbps,
            mbps_per_lut=None if gbps is None else rounded(1000 * gbps / run.luts),
            source_hash=source,
            reports={file.report.name: file.sha256 for file in files},
        )
    except ValidationError as error:
        raise LabError(f"{wanted.name}: {first_fault(error)}") from error


def _same_parameters(design: Design, variant: Variant) -> Variant | None:
    """Return the variant of the registry that is `variant`, however it was named; None if none."""
    same = (
        other
        for other in design.variants.values()
        if (other.top, other.parameters) == (variant.top, variant.parameters)
    )
    return next(same, None)


@dataclass(frozen=True)
class _Stated:
    """What the exported project states: the file `name` that does, parameters, hash of the RTL."""

    name: str = ""
    settings: tuple[str, ...] = ()
    source: str | None = None


def _stated(stamps: Sequence[Report], core: str) -> _Stated:
    """Read the project's line; `LabError` where it is of another core, or where there are two."""
    if not stamps:
        return _Stated()
    if len(stamps) > 1:
        raise LabError(f"{stamps[0].name} and {stamps[1].name}: two projects' lines HASHFABRIC")
    (stamp,) = stamps
    said = read_stamp(stamp.text) or {}
    other = f"{said.get('design')}/{said.get('variant')}"
    if other != core:
        raise LabError(f"{stamp.name}: of {other}, not of {core}")
    settings = said.get("set", NO_SETTINGS)
    chosen = () if settings == NO_SETTINGS else tuple(settings.split(","))
    return _Stated(stamp.name, chosen, said.get("source"))


def _settings(
    design: Design, name: str, settings: Sequence[str], root: Path
) -> dict[str, Parameter]:
    """Return the parameters that these settings change."""
    before = design.variant(name).parameters
    after = design.configured(name, settings, root).parameters
    return {key: value for key, value in after.items() if before.get(key) != value}


def _paths(names: Sequence[str]) -> list[Path]:
    """Return the files named, and those in the folders named."""
    paths: list[Path] = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            found = sorted(file for file in path.iterdir() if file.is_file())
            if not found:
                raise LabError(f"{name}: no file in it")
            paths += found
        else:
            paths.append(path)
    names_only = [path.name for path in paths]
    for path in paths:
        if names_only.count(path.name) > 1:
            raise LabError(f"{path.name}: two files of this name")
    return paths


def _read(path: Path) -> _File:
    try:
        if not path.is_file() and path.exists():
            raise LabError(f"{shown(path)}: no file")
        if path.stat().st_size > LARGEST:
            raise LabError(f"{shown(path)}: larger than any report")
        data = path.read_bytes()
    except OSError as error:
        raise LabError(f"{shown(path)}: cannot be read: {error.strerror}") from error
    # Quartus writes its degree signs in Latin-1.
    text = data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    return _File(Report(path.name, text), hashlib.sha256(data).hexdigest())
