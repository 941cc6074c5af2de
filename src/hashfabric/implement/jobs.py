"""The jobs of a build: synthesis, place and route of one seed, bitstream; and rows to make again.

Each is cached by the content of its inputs; the target does the work (`flows.base`).
"""

import hashlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from hashfabric.base import yosys
from hashfabric.base.cache import Cache, Finished, Job, content_key, write_files
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.tools import MOUNTS, YOSYS, Tool, pool, processors
from hashfabric.flows.base import AnyTarget, RoutedTarget, RtlSource, Target
from hashfabric.flows.mapped import NETLIST
from hashfabric.flows.targets import find_any
from hashfabric.registry.designs import Design, find_design, load_designs
from hashfabric.registry.results import VariantRow


class RemoteOrder(Protocol):
    """A job with all its inputs, to be done on another machine."""

    def do(self, cache: Cache, scratch: Path) -> Job:
        """Do it; `scratch` is an empty folder."""


class Elsewhere(Protocol):
    """Another place for the jobs that take long (`implement.cluster`)."""

    def run(self, key: str, order: Callable[[], RemoteOrder], tools: Sequence[Tool]) -> Finished:
        """Do the job called `key` there.

        The order is made when there is a place for it: it may be large.
        """


elsewhere: Elsewhere | None = None
"""Where synthesis and place and route run; None: in this process' threads."""


_ELSEWHERE_THREADS = 100
"""Threads that wait for jobs elsewhere: no more than these are under way for one caller."""


def threads(tools: int | None = None) -> AbstractContextManager[ThreadPoolExecutor]:
    """Lend threads for jobs (`base.tools.pool`), with `tools` at once here (default: processors).

    There are as many threads as tools, or many where jobs are done elsewhere.
    """
    own = processors() if tools is None else tools
    return pool(own if elsewhere is None else _ELSEWHERE_THREADS, own)


@dataclass(frozen=True)
class Synthesise:
    """The order of a `synth_job`."""

    target: Target
    source: RtlSource

    def do(self, cache: Cache, scratch: Path) -> Job:
        """Synthesise there."""
        return synth_job(cache, self.target, self.source)


@dataclass(frozen=True)
class PlaceAndRoute:
    """The order of a `route_job`, with the netlist's text."""

    target: RoutedTarget
    netlist: bytes
    seed: int

    def do(self, cache: Cache, scratch: Path) -> Job:
        """Place and route there."""
        path = scratch / NETLIST
        path.write_bytes(self.netlist)
        return _route(cache, self.target, path, self.seed)


def elaborate_job(cache: Cache, target: Target, source: RtlSource) -> Job:
    """Elaborate `source`; the result is an `Elaboration` as JSON, {} where the flow has none."""
    inputs = {"job": "elaborate", "flow": type(target).__name__, **target.synth_inputs(source)}

    def work(directory: Path) -> dict[str, Any]:
        found = target.elaborate(directory, source)
        return {} if found is None else asdict(found)

    return cache.run(inputs, work)


def synth_job(cache: Cache, target: Target, source: RtlSource) -> Job:
    """Synthesise `source` for `target`; the result is a `Synthesis`, the directory its netlist."""
    inputs = {"job": "synth", "flow": type(target).__name__, **target.synth_inputs(source)}

    def work(directory: Path) -> dict[str, Any] | Finished:
        if elsewhere is not None:
            return elsewhere.run(
                content_key(inputs), lambda: Synthesise(target, source), target.tools
            )
        return target.synthesise(directory, source).model_dump()

    return cache.run(inputs, work)


def route_job(cache: Cache, target: RoutedTarget, synth: Job, seed: int) -> Job:
    """Place and route the netlist of `synth`; the result is a `Routed` and the `command`."""
    return _route(cache, target, synth.directory / NETLIST, seed)


def route_inputs(
    target: RoutedTarget, tools: Mapping[str, str], netlist: str, seed: int
) -> dict[str, Any]:
    """Return what identifies a `route_job`: versions of tools, the sha256 of the netlist."""
    return {
        "job": "route",
        "mounts": MOUNTS,
        "tools": dict(tools),
        "command": target.route_text(seed),
        "netlist": netlist,
    }


def _route(cache: Cache, target: RoutedTarget, netlist: Path, seed: int) -> Job:
    digest = hashlib.sha256(netlist.read_bytes()).hexdigest()
    inputs = route_inputs(target, versions(target.route_tools), digest, seed)

    def work(directory: Path) -> dict[str, Any] | Finished:
        if elsewhere is not None:
            return elsewhere.run(
                content_key(inputs),
                lambda: PlaceAndRoute(target, netlist.read_bytes(), seed),
                target.route_tools,
            )
        routed = target.route(directory, netlist, seed)
        return routed.model_dump() | {"command": target.route_text(seed)}

    return cache.run(inputs, work)


def bitstream_job(cache: Cache, target: RoutedTarget, route: Job) -> Job:
    """Pack the routed design of `route`; the directory holds the target's bitstream file."""
    inputs = {
        "job": "bitstream",
        "tools": versions(target.pack_tools),
        "command": target.pack_text(),
        "routed": route.key,
    }

    def work(directory: Path) -> dict[str, Any]:
        target.pack(directory, route.directory)
        return {"command": target.pack_text()}

    return cache.run(inputs, work)


def netlist_job(
    cache: Cache,
    files: Mapping[str, str],
    script: Sequence[str],
    origin: str,
    large: Mapping[str, Path],
) -> Job:
    """Run yosys on `files` and on the files `large`, which `origin` identifies in the cache key.

    The result has the count of the cells by type, and the `command`. The script leaves stat.json.
    """
    inputs = {
        "job": "power netlist",
        "yosys": YOSYS.version(),
        "script": list(script),
        "files": dict(files),
        "origin": origin,
    }

    def work(directory: Path) -> dict[str, Any]:
        write_files(directory, files)
        for name, path in large.items():
            shutil.copyfile(path, directory / name)
        yosys.run_script(script, directory, name="synth")
        for name in large:
            (directory / name).unlink()
        counts = yosys.parse_cells((directory / "stat.json").read_text(encoding="utf-8"))
        return {"cells": counts, "command": "; ".join(script)}

    return cache.run(inputs, work)


def versions(tools: Sequence[Tool]) -> dict[str, str]:
    """Return the version of each tool as the tool reports it."""
    return {tool.name: tool.version() for tool in tools}


def saved_places(
    rows: Callable[[Path], Sequence[VariantRow]], what: str, root: Path = ROOT
) -> list[tuple[Design, str, AnyTarget]]:
    """Return the design, variant and target of the `rows` in results/, each once.

    `LabError` of `what`, the command, if there is none.
    """
    load_designs(root)  # First, for its error where there is no checkout.
    chosen = dict.fromkeys((row.name, row.variant, row.target) for row in rows(root))
    if not chosen:
        raise LabError(f"{what}: a design is required: results/ has none to measure again")
    return [(find_design(name), variant, find_any(where)) for name, variant, where in chosen]
