"""From a registry entry to measured rows: verify, synthesise, place and route, take the medians.

Jobs of one variant: `core` (the top alone, which also tells its ports), `harness` (the top in the
serial harness), one `route` a seed, one `bitstream`. Each is cached by the content of its inputs.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from hashfabric.base import yosys
from hashfabric.base.cache import Cache, Job, move_into_place, scratch_directory
from hashfabric.base.paths import BUILD, ROOT
from hashfabric.base.progress import Steps
from hashfabric.base.tools import YOSYS, ToolError, ToolTimeout, pool
from hashfabric.flows.base import RoutedTarget, Target, Use
from hashfabric.implement import harness
from hashfabric.registry.designs import Design, Variant, hash_sources, read_sources
from hashfabric.registry.results import (
    BuildProvenance,
    Fmax,
    MeasuredRow,
    rows_json,
    throughput_gbps,
)


@dataclass(frozen=True)
class SynthesisedVariant:
    """One variant through synthesis: its sources as they were read, and the two jobs.

    `target` is the builder's with the variant's profile.
    """

    name: str
    variant: Variant
    target: Target
    texts: dict[str, str]
    core: Job
    harness: Job
    harness_text: str


@dataclass(frozen=True)
class Seed:
    """One place and route: its job, or why there is none."""

    seed: int
    job: Job | None
    reason: str = ""


def build(
    builder: "Builder", *, seeds: Sequence[int], variants: Sequence[str]
) -> list[MeasuredRow]:
    """Verify the builder's design and measure its `variants`; one row each, in order.

    A seed that does not route is told in the row. `LabError` when the design fails its check or
    a tool fails at synthesis.
    """
    design, target, steps = builder.design, builder.target, builder.steps
    chosen = {name: design.variant(name) for name in variants}
    with steps.step("tools (their first start takes half a minute)") as notes:
        notes += [f"{tool} {version}" for tool, version in tool_versions(target).items()]
    clocks = measure_clocks(design, list(chosen), steps)
    with pool(os.cpu_count() or 1) as workers:
        synths = {
            name: workers.submit(builder.synthesise, name, variant)
            for name, variant in chosen.items()
        }
        routes: dict[str, list[Future[Seed]]] = {name: [] for name in chosen}
        for name, synth in synths.items():
            whole = synth.result()
            if isinstance(whole.target, RoutedTarget):
                routes[name] = [
                    workers.submit(builder.route, whole, whole.target, seed) for seed in seeds
                ]
        return [
            builder.row(synth.result(), [route.result() for route in routes[name]], clocks)
            for name, synth in synths.items()
        ]


def seed_list(target: Target, count: int | None) -> list[int]:
    """Return seeds 1 to `count` (else as many as the target says); none without a router."""
    if not isinstance(target, RoutedTarget):
        return []
    return list(range(1, (target.seeds if count is None else count) + 1))


def tool_versions(target: Target) -> dict[str, str]:
    """Return the versions of the tools that `target` needs, as each tool itself says."""
    tools = [YOSYS]
    if isinstance(target, RoutedTarget):
        tools += [target.router, target.packer]
    return {tool.name: tool.version() for tool in tools}


def measure_clocks(design: Design, variants: Sequence[str], steps: Steps) -> dict[str, float]:
    """Check `variants` of `design` by simulation; return the clocks a block measured, by variant.

    `LabError` when a known answer comes out wrong: what does not work is not measured.
    """
    from hashfabric.simulate import known_answers  # noqa: PLC0415 - reports need none

    with steps.step(f"{design.name}: known answers in simulation") as notes:
        clocks = known_answers.quick_check(design, variants)
        notes.append(", ".join(f"{name} {n:g} clocks a block" for name, n in clocks.items()))
    return dict(clocks)


# What was kept apart during synthesis, so that it is not merged, comes together again.
_FLATTEN = "setattr -mod -unset keep_hierarchy *; flatten; opt_clean"


def synth_text(target: Target, top: str) -> str:
    """Return the synthesis command of `top` as result rows give it."""
    steps = [f"{target.synth_command()} -top {top}", _FLATTEN, target.netlist_edit]
    return "; ".join(step for step in steps if step)


def route_text(target: RoutedTarget, seed: int) -> str:
    """Return the place-and-route command of one seed as result rows give it."""
    tool = target.router.name
    if not (edit := target.edit_text()):
        return " ".join([tool, *target.pnr_args(seed)])
    runs = [[tool, *target.place_args(seed)], [edit], [tool, *target.route_args(seed)]]
    return "; ".join(" ".join(run) for run in runs)


def synth_job(cache: Cache, target: Target, files: Mapping[str, str], read: str, top: str) -> Job:
    """Synthesise `top` out of `files` (text by path) for `target`.

    The result holds `ports`, `cells` and `use`; the directory holds the files, `netlist.json`,
    the script and its log.
    """
    script = [
        read,
        "tee -q -o ports.txt portlist",
        f"{target.synth_command()} -top {top}",
        _FLATTEN,
        "tee -q -o stat.json stat -json",
        "write_json netlist.json",
    ]
    inputs = {
        "job": "synth",
        "yosys": YOSYS.version(),
        "script": script,
        "edit": target.netlist_edit,
        "files": dict(files),
    }

    def work(directory: Path) -> dict[str, Any]:
        for path, text in files.items():
            (directory / path).parent.mkdir(parents=True, exist_ok=True)
            (directory / path).write_text(text, encoding="utf-8")
        yosys.run_script(script, directory, name="synth")
        ports = yosys.parse_ports((directory / "ports.txt").read_text(encoding="utf-8"))
        cells = yosys.parse_cells((directory / "stat.json").read_text(encoding="utf-8"))
        netlist = json.loads((directory / "netlist.json").read_text(encoding="utf-8"))
        for cell, change in target.finish_netlist(netlist, top).items():
            cells[cell] = cells.get(cell, 0) + change
        (directory / "netlist.json").write_text(json.dumps(netlist), encoding="utf-8")
        return {
            "ports": [vars(port) for port in ports],
            "cells": cells,
            "use": target.use(cells).model_dump(),
            "command": synth_text(target, top),
        }

    return cache.run(inputs, work)


def route_job(cache: Cache, target: RoutedTarget, synth: Job, seed: int) -> Job:
    """Place and route the netlist of `synth`; the result is a `Routed` and the `command`."""
    inputs = {
        "job": "route",
        "tool": {target.router.name: target.router.version()},
        "command": route_text(target, seed),
        "netlist": hashlib.sha256((synth.directory / "netlist.json").read_bytes()).hexdigest(),
    }

    def work(directory: Path) -> dict[str, Any]:
        shutil.copyfile(synth.directory / "netlist.json", directory / "netlist.json")
        run = partial(target.router.run, cwd=directory, timeout_s=target.pnr_timeout_s)
        if target.edit_text():
            run(target.place_args(seed), log="place.log")
            target.edit_placed(directory)
            run(target.route_args(seed), log="pnr.log")
        else:
            run(target.pnr_args(seed), log="pnr.log")
        for netlist in directory.glob("*.json"):
            if netlist.name != "report.json":
                netlist.unlink()
        routed = target.parse_report((directory / "report.json").read_text(encoding="utf-8"))
        return routed.model_dump() | {"command": route_text(target, seed)}

    return cache.run(inputs, work)


def bitstream_job(cache: Cache, target: RoutedTarget, route: Job) -> Job:
    """Pack the routed design of `route`; the directory holds the target's bitstream file."""
    args = list(target.pack_args())
    inputs = {
        "job": "bitstream",
        "tool": {target.packer.name: target.packer.version()},
        "args": args,
        "routed": route.key,
    }

    def work(directory: Path) -> dict[str, Any]:
        shutil.copyfile(route.directory / "routed.config", directory / "routed.config")
        target.packer.run(args, cwd=directory, log="pack.log", timeout_s=600)
        (directory / "routed.config").unlink()
        return {"command": " ".join([target.packer.name, *args])}

    return cache.run(inputs, work)


def target_for(target: Target, variant: Variant) -> Target:
    """Return `target` as it is for `variant`; `LabError` if it has no room for copies of it."""
    return target.with_profile(variant.profile).with_copies(variant.copies)


class Builder:
    """Builds one design for one target, with its progress and its cache."""

    def __init__(
        self, design: Design, target: Target, steps: Steps, cache: Cache | None = None
    ) -> None:
        """Use `cache`, or the checkout's own."""
        self.design = design
        self.target = target
        self.steps = steps
        self.cache = cache or Cache(BUILD / "cache")

    def synthesise(self, name: str, variant: Variant) -> SynthesisedVariant:
        """Synthesise one variant alone and in the harness."""
        target = target_for(self.target, variant)
        texts = read_sources(variant, ROOT)
        read = yosys.read_command(variant.top, list(texts), variant.parameters)
        core = self._synth(target, f"{name}: synthesis alone", (texts, read, variant.top))
        text = harness.render(
            variant.top,
            [yosys.Port(**port) for port in core.result["ports"]],
            variant.parameters,
            clock=variant.clock,
            reset=variant.reset,
            pins=variant.copies,
        )
        files = texts | {"harness.sv": text}
        read = yosys.read_command(harness.TOP, list(files), {})
        step = f"{name}: synthesis in the harness"
        whole = self._synth(target, step, (files, read, harness.TOP))
        return SynthesisedVariant(name, variant, target, texts, core, whole, text)

    def _synth(self, target: Target, step: str, what: tuple[Mapping[str, str], str, str]) -> Job:
        with self.steps.step(f"{self.design.name} {step}") as notes:
            job = synth_job(self.cache, target, *what)
            use = Use(**job.result["use"])
            notes.append(f"{use.luts} {target.lut}, {use.ffs} FF{_cached(job)}")
            return job

    def route(self, synth: SynthesisedVariant, target: RoutedTarget, seed: int) -> Seed:
        """Place and route one seed; a failure or a run out of time is an answer too."""
        text = f"{self.design.name} {synth.name}: place and route, seed {seed}"
        try:
            with self.steps.step(text) as notes:
                job = route_job(self.cache, target, synth.harness, seed)
                notes.append(f"{job.result['fmax_mhz']:.1f} MHz{_cached(job)}")
                return Seed(seed, job)
        except ToolTimeout:
            return Seed(seed, None, f"not routed within {target.pnr_timeout_s:g} s")
        except ToolError as error:
            return Seed(seed, None, str(error))

    def row(
        self, synth: SynthesisedVariant, routed: Sequence[Seed], clocks: Mapping[str, float]
    ) -> MeasuredRow:
        """Take the medians, pack the median seed's bitstream, and leave the files together."""
        design, target = self.design, synth.target
        timing, block_bits = design.timing(synth.variant), design.block_bits_of(synth.variant)
        copies = synth.variant.copies
        core = Use(**synth.core.result["use"]).times(copies)
        use = Use(**synth.harness.result["use"]).times(copies)
        jobs = {"core": synth.core, "harness": synth.harness}
        fmax, seed, gbps = None, None, None
        clocks_per_block = clocks.get(synth.name, timing.clocks_per_block) / copies
        if isinstance(target, RoutedTarget):
            fmax = _fmax(routed)
            middle = median_seed(routed)
            if middle is not None and middle.job is not None and fmax.median is not None:
                seed, jobs["route"] = middle.seed, middle.job
                use = Use(**middle.job.result["use"])
                gbps = throughput_gbps(block_bits, fmax.median, clocks_per_block)
                with self.steps.step(f"{design.name} {synth.name}: bitstream of seed {seed}"):
                    jobs["bitstream"] = bitstream_job(self.cache, target, middle.job)
        row = MeasuredRow(
            name=design.name,
            variant=synth.name,
            target=target.name,
            device=target.device_text,
            lut=target.lut,
            block_bits=block_bits,
            clocks_per_block=clocks_per_block,
            slots=timing.slots * copies,
            fmax_mhz=fmax,
            luts=use.luts,
            luts_core=core.luts,
            luts_detail=use.detail,
            ffs=use.ffs,
            ffs_core=core.ffs,
            dsps=use.dsps,
            brams=use.brams,
            gbps=gbps,
            mbps_per_lut=None if gbps is None else round(1000 * gbps / use.luts, 4),
            bitstream_seed=seed,
            provenance=BuildProvenance(
                tools=tool_versions(target),
                commands={name: job.result["command"] for name, job in jobs.items()},
                seeds=[seed.seed for seed in routed],
                constraint_mhz=_constraint(target),
                source_hash=hash_sources(synth.variant, synth.texts),
                harness_hash=hashlib.sha256(synth.harness_text.encode()).hexdigest(),
                clocks_measured_by="simulation" if synth.name in clocks else "registry",
                keys={name: job.key for name, job in jobs.items()},
            ),
        )
        export(row, synth, jobs)
        return row


def median_seed(routed: Sequence[Seed]) -> Seed | None:
    """Return the routed seed with the median clock (the slower of the middle two if even)."""
    done = [seed for seed in routed if seed.job is not None]
    done.sort(key=lambda seed: (seed.job.result["fmax_mhz"] if seed.job else 0.0, seed.seed))
    return done[(len(done) - 1) // 2] if done else None


def _fmax(routed: Sequence[Seed]) -> Fmax:
    """Take the statistics over the seeds."""
    clocks = {seed.seed: seed.job.result["fmax_mhz"] if seed.job else None for seed in routed}
    return Fmax.of(clocks, {seed.seed: seed.reason for seed in routed if seed.job is None})


def _constraint(target: Target) -> float | None:
    """Return the clock that place and route is asked for, MHz."""
    options = target.pnr_options if isinstance(target, RoutedTarget) else []
    return float(options[options.index("--freq") + 1]) if "--freq" in options else None


def export(row: MeasuredRow, synth: SynthesisedVariant, jobs: Mapping[str, Job]) -> Path:
    """Put the row's files together in build/<design>-<target>-<variant>/ and return that path."""
    home = BUILD / f"{row.name}-{row.target}-{row.variant}"
    with scratch_directory(BUILD, home.name) as scratch:
        for path, text in (synth.texts | {"harness.sv": synth.harness_text}).items():
            (scratch / path).parent.mkdir(parents=True, exist_ok=True)
            (scratch / path).write_text(text, encoding="utf-8")
        for name, job in jobs.items():
            for file in sorted(job.directory.iterdir()):
                if file.is_file() and file.name != "harness.sv":
                    prefix = "" if file.name.startswith(name) else f"{name}-"
                    shutil.copyfile(file, scratch / f"{prefix}{file.name}")
        (scratch / "row.json").write_text(rows_json([row]), encoding="utf-8")
        move_into_place(scratch, home)
    return home


def _cached(job: Job) -> str:
    return " (cached)" if job.cached else ""
