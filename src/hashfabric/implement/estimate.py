"""How long a run of `bench` takes, before it begins: job by job, and by what each time is known.

A time is that of the same job in the cache (no time at all where the job would be taken from it),
else that in the row, else follows from jobs of the same kind in the cache by their LUTs. Where
nothing is known, the target's time limit is the most that a seed takes.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import linear_regression, median
from typing import Any, Literal

from hashfabric.base.cache import Cache, content_key
from hashfabric.base.paths import ROOT
from hashfabric.base.tools import processors as all_processors
from hashfabric.flows.base import RoutedTarget, Target
from hashfabric.flows.mapped import NETLIST
from hashfabric.implement.benchmark import Choice, chosen
from hashfabric.implement.build import seed_list, target_for, what_changed
from hashfabric.implement.jobs import route_inputs
from hashfabric.registry.designs import Design
from hashfabric.registry.results import MeasuredRow, load_rows, rows_of

Basis = Literal["cached", "same job", "row", "similar jobs", "limit", "unknown"]

_SIZES = 3
"""Fewest different sizes of jobs for a line through them."""

_SEED = re.compile(r"--seed \d+")


@dataclass(frozen=True)
class Times:
    """Times of jobs in a cache: `keys` by job; `measured` are LUTs and seconds by kind of job.

    `netlists` are the sha256 of the netlists of those jobs that left one.
    """

    keys: Mapping[str, float] = field(default_factory=dict)
    netlists: Mapping[str, str] = field(default_factory=dict)
    measured: Mapping[str, Sequence[tuple[int, float]]] = field(default_factory=dict)

    @classmethod
    def of(cls, cache: Cache) -> "Times":
        """Read every record that has a time."""
        keys: dict[str, float] = {}
        netlists: dict[str, str] = {}
        measured: dict[str, list[tuple[int, float]]] = {}
        for key, record in cache.records():
            keys[key] = record["seconds"]
            if isinstance(files := record.get("files"), dict) and NETLIST in files:
                netlists[key] = files[NETLIST]
            luts = _luts(record["result"])
            for kind in _kinds(record["about"]) if luts else ():
                measured.setdefault(kind, []).append((luts, record["seconds"]))
        return cls(keys, netlists, measured)

    def similar(self, about: Mapping[str, str], luts: int | None) -> float | None:
        """Return the time of a job by its LUTs, from the jobs most like it; None if there are none.

        Of place and route those with the same command, but for the seed, else the same program.
        """
        known = next((self.measured[kind] for kind in _kinds(about) if kind in self.measured), [])
        return None if luts is None or not known else _by_luts(known, luts)


def _by_luts(known: Sequence[tuple[int, float]], luts: int) -> float:
    """Return the time of a job by its LUTs: a start and a time a LUT, by least squares.

    By the time a LUT only where the sizes are too few, or too near to each other, for a line.
    """
    sizes = [size for size, _ in known]
    if len(set(sizes)) >= _SIZES and max(sizes) >= 2 * min(sizes):
        line = linear_regression(sizes, [seconds for _, seconds in known])
        if line.slope > 0 and line.intercept >= 0:
            return line.intercept + line.slope * luts
    return median(seconds / size for size, seconds in known) * luts


def _kinds(about: Mapping[str, str]) -> list[str]:
    """Return the names of a kind of jobs, the narrowest first."""
    if about.get("job") == "synth":
        return [f"synth {about.get('flow', '')}"]
    if about.get("job") != "route":
        return []
    command = _SEED.sub("--seed", about.get("command", ""))
    program = next((word for word in command.split() if word.startswith("nextpnr")), "")
    return [f"route {command}", f"route {program}"]


def _luts(result: Mapping[str, Any]) -> int:
    use = result.get("use")
    luts = use.get("luts") if isinstance(use, dict) else None
    return luts if isinstance(luts, int) else 0


@dataclass(frozen=True)
class Work:
    """Jobs of one variant that are alike: `jobs` of `seconds` each; None where it is unknown."""

    name: str
    variant: str
    target: str
    what: str
    jobs: int
    seconds: float | None
    basis: Basis

    def as_json(self) -> dict[str, Any]:
        """Return the work as the command prints it."""
        return {"design": self.name, **{k: v for k, v in vars(self).items() if k != "name"}}


@dataclass(frozen=True)
class RunEstimate:
    """All work of a run on `processors`."""

    work: Sequence[Work]
    processors: int

    @property
    def seconds(self) -> float:
        """The time from start to end: shared by the processors, no less than the longest job."""
        times = [one.seconds for one in self.work if one.seconds is not None]
        total = sum(one.jobs * one.seconds for one in self.work if one.seconds is not None)
        return max([total / self.processors, *times], default=0.0)

    def as_json(self) -> dict[str, Any]:
        """Return the estimate as the command prints it."""
        work = [one.as_json() for one in self.work]
        return {"seconds": self.seconds, "processors": self.processors, "work": work}


def estimate(choice: Choice, cache: Cache, processors: int | None = None) -> RunEstimate:
    """Return how long `bench` with this choice takes, without the check in simulation."""
    times, every = Times.of(cache), load_rows()
    work: list[Work] = []
    for design, target, variants in chosen(choice):
        rows = {row.variant: row for row in rows_of(design.name, target.name)}
        for name in variants:
            size = _size(design, name, rows.get(name), every)
            work += _variant(design, name, target, rows.get(name), size, times, choice)
    return RunEstimate(work, processors or all_processors())


def _size(
    design: Design, name: str, row: MeasuredRow | None, rows: Iterable[MeasuredRow]
) -> tuple[int, int] | None:
    """Return the LUTs without and in the harness: of the row, else of the largest elsewhere."""
    if row is not None:
        return row.luts_core, row.luts
    others = [one for one in rows if (one.name, one.variant) == (design.name, name)]
    return max(((one.luts_core, one.luts) for one in others), default=None)


def _variant(  # noqa: PLR0913, PLR0917 - one parameter a fact
    design: Design,
    name: str,
    target: Target,
    row: MeasuredRow | None,
    size: tuple[int, int] | None,
    times: Times,
    choice: Choice,
) -> list[Work]:
    variant = design.variant(name)
    target = target_for(target, variant, ROOT)
    current = row is not None and not what_changed(row, variant, target)
    keys = {} if row is None else row.provenance.keys
    carried = {} if row is None else row.provenance.seconds
    core, whole = size or (None, None)

    def time(job: str, about: Mapping[str, str], luts: int | None) -> tuple[float | None, Basis]:
        if job in keys and keys[job] in times.keys:
            if current and job != "route":  # Of that it is the median seed's.
                return 0.0, "cached"
            return times.keys[keys[job]], "same job"
        if job in carried:
            return carried[job], "row"
        if (seconds := times.similar(about, luts)) is not None:
            return seconds, "similar jobs"
        if job == "route" and isinstance(target, RoutedTarget):
            return target.pnr_timeout_s, "limit"
        return None, "unknown"

    synth = {"job": "synth", "flow": type(target).__name__}
    place = (design.name, name, target.name)
    found = [
        Work(*place, "synthesis", 1, *time("core", synth, core)),
        Work(*place, "synthesis in the harness", 1, *time("harness", synth, whole)),
    ]
    if isinstance(target, RoutedTarget):
        seeds = seed_list(target, choice.seeds)
        if choice.keep_seeds and row is not None and row.fmax_mhz is not None:
            known = row.fmax_mhz.seeds
            seeds = [seed for seed in seeds if known.get(str(seed)) is None]
        done = _routed(row, target, times, seeds) if current else 0
        left = len(seeds) - done
        if done:
            found.append(Work(*place, "place and route", done, 0.0, "cached"))
        if left:
            about = {"job": "route", "command": target.route_text(seeds[0])}
            found.append(Work(*place, "place and route", left, *time("route", about, whole)))
    return found


def _routed(
    row: MeasuredRow | None, target: RoutedTarget, times: Times, seeds: Sequence[int]
) -> int:
    """Return how many seeds of the netlist of a row are in the cache, by the row's tools."""
    origin = None if row is None else row.provenance
    netlist = None if origin is None else times.netlists.get(origin.keys.get("harness", ""))
    if origin is None or netlist is None:
        return 0
    tools = {tool.name: origin.tools.get(tool.name, "") for tool in target.route_tools}
    inputs = (route_inputs(target, tools, netlist, seed) for seed in seeds)
    return sum(content_key(one) in times.keys for one in inputs)
