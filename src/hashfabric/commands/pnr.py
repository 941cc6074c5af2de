"""`hashfabric pnr`: place and route a custom netlist for ECP5, with the lab's steps."""

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hashfabric.base.cache import Cache, Job, content_key, scratch_directory
from hashfabric.base.datafile import one_of, shown
from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD
from hashfabric.base.progress import Steps
from hashfabric.base.tools import YOSYS, ToolError, ToolTimeout, pool, processors
from hashfabric.flows.ecp5.area import Area
from hashfabric.flows.ecp5.given import GivenNetlist, flatten, read_netlist
from hashfabric.flows.ecp5.router import (
    BITSTREAM,
    CONFIG,
    DEVICES,
    ECPPACK,
    NEXTPNR_ECP5,
    PACKAGES,
    SPEEDS,
    STAMP,
    Part,
    RoutedReport,
    Router,
    pack,
    read_report,
)
from hashfabric.flows.ecp5.spread import spread_ratio
from hashfabric.flows.mapped import NETLIST, flatten_but
from hashfabric.flows.nextpnr.target import REPORT

PLACERS = ("static", "heap")
"""nextpnr-ecp5's placers that place such designs in minutes."""

_LOG = "pnr.log"
_FILES = (CONFIG, BITSTREAM, REPORT, _LOG)
_FREE_PIN = re.compile(r"IO '(.+?)' is unconstrained in LPF")


@dataclass(frozen=True)
class Request:
    """What is placed and routed: the netlist, the part, and how; None: chosen for the netlist.

    `lpf` is the file of pins and clocks; None: the placer chooses the pins. `mhz` is the
    required clock where the LPF names none. `spread` is a ratio, "" for none. `unit` is a module to
    stamp, and `unit_box` the box of its first instance.
    """

    netlist: Path
    part: Part
    lpf: Path | None
    seeds: Sequence[int]
    out: Path
    mhz: float | None = None
    placer: str = PLACERS[0]
    spread: str | None = None
    ram_passes: int | None = None
    timeout_s: float = 3600
    unit: str | None = None
    unit_box: Area | None = None


@dataclass(frozen=True)
class SeedOutcome:
    """One seed: what it reports and how it was made, or why it did not route."""

    seed: int
    report: RoutedReport | None
    text: str
    stamped: dict[str, Any] | None = None

    @property
    def margin(self) -> float:
        """By how much the worst clock exceeds its constraint; 0 if not routed."""
        if self.report is None:
            return 0.0
        return min((one.mhz / one.asked_mhz for one in self.report.clocks), default=1.0)

    def as_json(self) -> dict[str, Any]:
        """Return it as `--json` prints it."""
        if self.report is None:
            return {"seed": self.seed, "failed": self.text}
        clocks = {
            one.name: {"mhz": round(one.mhz, 3), "asked_mhz": round(one.asked_mhz, 3)}
            for one in self.report.clocks
        }
        use = self.report.use.model_dump(exclude={"detail"})
        said = {"seed": self.seed, "command": self.text, "clocks": clocks, "use": use}
        return said if self.stamped is None else said | {"stamped": self.stamped}


def part(device: str, package: str, speed: str) -> Part:
    """Return the part of these names; `LabError` if there is none."""
    if device not in DEVICES:
        raise one_of("device", device, list(DEVICES))
    found = Part(device, package.upper(), speed)
    if found.package not in PACKAGES[found.size]:
        raise one_of(f"package of {device}", package, list(PACKAGES[found.size]))
    speeds = SPEEDS[-1:] if device.startswith("um5g-") else SPEEDS
    if speed not in speeds:
        raise one_of(f"speed grade of {device}", speed, list(speeds))
    return found


def placer(name: str) -> str:
    """Return the name of a placer; `LabError` if there is none of that name."""
    if name not in PLACERS:
        raise one_of("placer", name, list(PLACERS))
    return name


def ratio(text: str | None) -> str | None:
    """Return a ratio to stretch by, "" for `none`, None for None; `LabError` if it is no ratio."""
    if text is None or text == "none":
        return text and ""
    try:
        return spread_ratio(text)
    except ValueError as error:
        raise LabError(f"--spread {text}: {error}") from error


def unit_box(text: str | None, device: str) -> Area | None:
    """Return the box `LEFT,TOP,WIDTH,HEIGHT`; `LabError` if it is none on the device."""
    if text is None:
        return None
    box, columns = Area.parse(text), Part(device, "", "").columns
    if not columns.first <= box.left <= box.left + box.width - 1 <= columns.last:
        raise LabError(f"--box {text}: columns of logic are {columns.first} to {columns.last}")
    return box


def run(request: Request, steps: Steps) -> list[SeedOutcome]:
    """Place and route every seed; write the files of the best one into `request.out`.

    The best one has the largest `margin`. `LabError` where a file or a name is wrong or no seed
    routes; nothing is written then.
    """
    _check_out(request.out)
    pins = _pins(request.lpf)
    given = read_netlist(request.netlist, request.unit)
    cache = Cache(BUILD / "cache")
    with steps.step(f"{shown(request.netlist)}: top {given.top}") as notes:
        flat = _flat(cache, given)
        counts = flat.counts
        rams = counts["DP16KD"] + counts["PDPW16KD"]
        notes.append(f"{counts['LUT4']} LUT4, {counts['TRELLIS_FF']} FF, {rams} block RAM")
    one = _Run(request, flat, flat.text(), pins, cache, steps)
    with pool(processors()) as workers:
        found = list(workers.map(one.seed, request.seeds))
    outcomes = [outcome for outcome, _ in found]
    best, job = max(found, key=lambda one: one[0].margin)
    if job is None:
        raise LabError(f"{shown(request.netlist)}: {best.text}")
    _write(request.out, job, _FILES if request.unit is None else (*_FILES, STAMP))
    return outcomes


def lines(outcomes: Sequence[SeedOutcome]) -> list[str]:
    """Return the lines on the seeds, and on the use of the best one."""
    said = []
    for one in outcomes:
        if one.report is None:
            said.append(f"seed {one.seed}: {one.text}")
        for clock in one.report.clocks if one.report is not None else ():
            asked = f" ({clock.asked_mhz:g} asked)" if clock.is_asked else ""
            said.append(f"seed {one.seed}: {clock.name}: {clock.mhz:.1f} MHz{asked}")
    best = best_of(outcomes)
    assert best.report is not None  # noqa: S101 - `run` raises where no seed routes
    names = {
        "TRELLIS_COMB": "LUT4",
        "TRELLIS_FF": "FF",
        "DP16KD": "block RAM",
        "MULT18X18D": "DSP",
    }
    if best.stamped is not None:
        arcs, left = best.stamped["arcs"], best.stamped["arcs_left"]
        share = f"{left:,} of {arcs:,} arcs left to the router"
        said.append(f"{len(best.stamped['copies'])} x {best.stamped['unit']}: {share}")
    use = best.report
    parts = [f"{use.used[cell]:,} of {use.available[cell]:,} {n}" for cell, n in names.items()]
    return [*said, f"seed {best.seed}: {', '.join(parts)}"]


def best_of(outcomes: Sequence[SeedOutcome]) -> SeedOutcome:
    """Return the seed whose files are kept."""
    return max(outcomes, key=lambda one: one.margin)


def missed(outcomes: Sequence[SeedOutcome]) -> list[str]:
    """Return a line for each clock of the best seed that is slower than its constraint."""
    report = best_of(outcomes).report
    return [
        f"{clock.name}: {clock.mhz:.1f} MHz, {clock.asked_mhz:g} required: its files are written"
        for clock in (report.clocks if report is not None else ())
        if clock.mhz < clock.asked_mhz
    ]


def files(out: Path) -> list[Path]:
    """Return the files that `run` left in `out`."""
    return [out / name for name in (*_FILES, STAMP) if (out / name).exists()]


def _check_out(out: Path) -> None:
    """`LabError` if `out` is neither new, nor empty, nor what an earlier call left."""
    if out.exists() and not out.is_dir():
        raise LabError(f"{out}: is no directory")
    others = {path.name for path in out.iterdir()} - {*_FILES, STAMP} if out.exists() else set()
    if others:
        raise LabError(f"{out}: has other files ({min(others)}): a new directory is required")


def _pins(lpf: Path | None) -> str | None:
    """Return the text of the file of pins."""
    if lpf is None:
        return None
    try:
        return lpf.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise LabError(f"{lpf}: cannot be read: {reason}") from error


def _flat(cache: Cache, given: GivenNetlist) -> GivenNetlist:
    """Return the netlist without hierarchy; a flat one stays as it is."""
    if given.is_flat:
        return given
    inputs = {
        "job": "flatten",
        "tools": {YOSYS.name: YOSYS.version()},
        "script": flatten_but(given.unit),
        "netlist": content_key(given.design),
    }

    def work(directory: Path) -> dict[str, Any]:
        flatten(given, directory)
        return {}

    return read_netlist(cache.run(inputs, work).directory / NETLIST, given.unit)


@dataclass(frozen=True)
class _Run:
    """One request at work: its flat `netlist` as text, its `pins`, and its display and cache."""

    request: Request
    given: GivenNetlist
    netlist: str
    pins: str | None
    cache: Cache
    steps: Steps

    def seed(self, seed: int) -> tuple[SeedOutcome, Job | None]:
        """Place and route one seed; a seed that does not route is a valid outcome."""
        asked, stamps = self.request.spread, self.request.unit is not None
        ratios = self.given.spreads if asked is None and not stamps else [asked]
        for ratio in ratios:
            try:
                return self._routed(self._router(ratio or None), seed)
            except ToolTimeout as error:
                return SeedOutcome(seed, None, error.reason(self.request.timeout_s)), None
            except ToolError as error:
                raise LabError(_user_line(str(error), self.request)) from error
            except LabError as error:  # no room for this ratio, or nextpnr refuses its places
                if ratio == ratios[-1]:
                    raise
                with self.steps.step(f"seed {seed}: {error}") as notes:
                    notes.append("less is tried")
        raise AssertionError("the last ratio is raised or returned")

    def _router(self, spread: str | None) -> Router:
        request = self.request
        clock = [] if request.mhz is None else ["--freq", f"{request.mhz:g}"]
        passes = self.given.ram_passes if request.ram_passes is None else request.ram_passes
        return Router(
            request.part,
            ["--placer", request.placer, *clock],
            request.timeout_s,
            ram_passes=passes,
            spread=None if request.unit is not None else spread,
            pins=self.pins,
            unit=request.unit,
            unit_box=request.unit_box,
        )

    def _routed(self, router: Router, seed: int) -> tuple[SeedOutcome, Job]:
        inputs = {
            "job": "route and pack",
            "tools": {tool.name: tool.version() for tool in (NEXTPNR_ECP5, ECPPACK)},
            "command": router.text(seed),
            "netlist": content_key({"text": self.netlist}),
            "pins": self.pins,
        }

        def work(directory: Path) -> dict[str, Any]:
            netlist = directory / "given.json"
            netlist.write_text(self.netlist, encoding="utf-8")
            router.route(directory, netlist, seed)
            netlist.unlink()
            packed = directory / "packed"
            packed.mkdir()
            pack(packed, directory)
            (packed / BITSTREAM).rename(directory / BITSTREAM)
            return {}

        how = f", {router.edit_text()}" if router.edit_text() else ""
        with self.steps.step(f"place and route, seed {seed}{how}") as notes:
            job = self.cache.run(inputs, work)
            report = read_report((job.directory / REPORT).read_text(encoding="utf-8"))
            notes.extend(f"{clock.name} {clock.mhz:.1f} MHz" for clock in report.clocks)
            notes.extend(["cached"] if job.cached else [])
        stamped = None
        if router.stamps:
            stamped = json.loads((job.directory / STAMP).read_text(encoding="utf-8"))
        return SeedOutcome(seed, report, router.text(seed), stamped), job


def _user_line(error: str, request: Request) -> str:
    """Return the line for the user on an error of nextpnr; for a pin it names port and file."""
    if match := _FREE_PIN.search(error):
        return f"{request.lpf}: has no pin for {match[1]}"
    return error


def _write(out: Path, job: Job, names: Sequence[str]) -> None:
    """Put files of a job into `out`, each whole; none of an earlier call stays."""
    out.mkdir(parents=True, exist_ok=True)
    with scratch_directory(out, "pnr") as scratch:
        for name in names:
            shutil.copyfile(job.directory / name, scratch / name)
        for name in names:
            (scratch / name).replace(out / name)
        for name in {*_FILES, STAMP} - set(names):
            (out / name).unlink(missing_ok=True)
