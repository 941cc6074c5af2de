"""From a registry entry to measured rows: verify, synthesise, place and route, take the medians.

Jobs of one variant: `core` (the top; its netlist also gives its ports), `harness` (the top in the
serial harness), one `route` a seed, one `bitstream`. Each is cached by the content of its inputs.
"""

import hashlib
import shutil
import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hashfabric.base.cache import Cache, Job, move_into_place, scratch_directory, write_files
from hashfabric.base.datafile import one_of
from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD, ROOT
from hashfabric.base.progress import Steps
from hashfabric.base.tools import Tool, ToolError, ToolTimeout, go_on, processors
from hashfabric.base.yosys import Port
from hashfabric.flows.base import RoutedTarget, RtlSource, Synthesis, Target, Use
from hashfabric.flows.targets import load_targets
from hashfabric.implement import harness
from hashfabric.implement.jobs import (
    bitstream_job,
    elaborate_job,
    route_job,
    synth_job,
    threads,
    versions,
)
from hashfabric.registry.designs import (
    Design,
    Parameter,
    Variant,
    hash_sources,
    read_sources,
    source_hash,
)
from hashfabric.registry.results import (
    ROW_FILE,
    BuildProvenance,
    FirmwareUse,
    Fmax,
    MeasuredRow,
    PrivateRow,
    rounded,
    rows_json,
    settings_texts,
    throughput_gbps,
)


@dataclass(frozen=True)
class SynthesisedVariant:
    """One variant through synthesis: its sources at that time, and the two jobs.

    `target` is the builder's with the variant's profile.
    """

    name: str
    variant: Variant
    target: Target
    texts: dict[str, str]
    core: Job
    harness: Job
    harness_text: str

    @property
    def netlists(self) -> dict[str, str]:
        """The hashes of both netlists, without names."""
        return {"core": self.core.result["structure"], "harness": self.harness.result["structure"]}

    @property
    def source_hash(self) -> str:
        """The hash of the sources that were synthesised."""
        return hash_sources(self.variant, self.texts)


@dataclass(frozen=True)
class Run:
    """The rows that a build may keep: those `known`, if they have the seeds of this run.

    `clocks` are the clocks a block measured in it, by variant. With `keep_seeds`, the clocks of
    seeds in a known row are kept, and only other seeds are placed and routed.
    """

    known: Sequence[MeasuredRow]
    seeds: Sequence[int]
    clocks: Mapping[str, float]
    keep_seeds: bool = False

    def row(self, design: Design, name: str, target: Target) -> MeasuredRow | None:
        """Return the known row that place and route would give again if the netlist is the same.

        None where the sources are those of the row: then it is to be measured again.
        """
        row = self._known(design, name, target)
        if row is None:
            return None
        variant, origin = design.variant(name), row.provenance
        target = target_for(target, variant, ROOT)
        routed = not isinstance(target, RoutedTarget) or (
            _routes_as(row, target) and set(self.seeds) <= set(origin.seeds)
        )
        changed = origin.source_hash != source_hash(variant, ROOT)
        return row if changed and routed else None

    def seed_clocks(self, design: Design, synth: "SynthesisedVariant") -> dict[int, float]:
        """Return the clocks in MHz, by seed, of place and route of `synth` in a known row."""
        row = self._known(design, synth.name, synth.target) if self.keep_seeds else None
        if (
            row is None
            or row.fmax_mhz is None
            or row.provenance.netlists != synth.netlists
            or not isinstance(synth.target, RoutedTarget)
            or not _routes_as(row, synth.target)
        ):
            return {}
        return {int(seed): mhz for seed, mhz in row.fmax_mhz.seeds.items() if mhz is not None}

    def _known(self, design: Design, name: str, target: Target) -> MeasuredRow | None:
        key = (design.name, name, target.name)
        return next((row for row in self.known if (row.name, row.variant, row.target) == key), None)

    def clocks_of(self, design: Design, name: str) -> float:
        """Return the clocks a block of a variant and its copies: measured, else the registry's."""
        variant = design.variant(name)
        clocks = self.clocks.get(name, design.timing(variant).clocks_per_block)
        return clocks / variant.copies

    def clocks_now(self, design: Design, row: MeasuredRow) -> float:
        """Return the clocks a block of the design of `row`, measured in this run if possible."""
        same = row.variant not in self.clocks
        return row.clocks_per_block if same else self.clocks_of(design, row.variant)


def _routes_as(row: MeasuredRow, target: RoutedTarget) -> bool:
    """Return whether place and route has the tools and commands of `row`."""
    tools = versions([*target.route_tools, *target.pack_tools])
    return (
        row.bitstream_seed is not None
        and tools.items() <= row.provenance.tools.items()
        and row.provenance.commands["route"] == target.route_text(row.bitstream_seed)
        and row.provenance.commands["bitstream"] == target.pack_text()
    )


@dataclass(frozen=True)
class Seed:
    """One place and route: its job, or its clock in a row, or the reason for neither."""

    seed: int
    job: Job | None
    reason: str = ""
    known_mhz: float | None = None

    @property
    def mhz(self) -> float | None:
        """The clock; None if it did not route."""
        return self.known_mhz if self.job is None else float(self.job.result["fmax_mhz"])


def build(
    builder: "Builder",
    *,
    seeds: Sequence[int],
    variants: Sequence[str],
    known: Sequence[MeasuredRow] = (),
    keep_seeds: bool = False,
) -> list[MeasuredRow]:
    """Verify the builder's design and measure its `variants`; one row each, in order.

    A seed that does not route is reported in the row. Where the sources differ from those of a row
    of `known`, but elaborate to the same design or map to the same netlists, that row is kept; the
    same design is simulated again only where a program runs on it.
    With `keep_seeds`, clocks of seeds of such a row are kept, and the seed of its median is routed
    again if its bitstream is needed: `LabError` if its clock has changed.
    `LabError` when the design fails its check or a tool fails at synthesis.
    """
    design, target, steps, own = builder.design, builder.target, builder.steps, builder.own
    chosen = {name: design.variant(name) for name in variants}
    with steps.step("tools (their first start takes half a minute)") as notes:
        notes += [f"{tool} {version}" for tool, version in versions(target.tools).items()]
    settings = {} if own is None else own.settings
    run = Run(known, seeds, {}, keep_seeds)
    kept = {}
    for name, variant in chosen.items():
        # A program may have changed: its clocks are measured.
        if variant.firmware is None and (row := builder.kept(name, run)) is not None:
            kept[name] = row
    if rest := [name for name in chosen if name not in kept]:
        clocks = measure_clocks(design.under(target.macros), rest, steps, settings)
        run = replace(run, clocks=clocks)
        programs = [name for name in rest if chosen[name].firmware is not None]
        kept |= {name: row for name in programs if (row := builder.kept(name, run)) is not None}
    with threads() as workers:
        synths = {
            name: workers.submit(builder.synthesise, name, variant)
            for name, variant in chosen.items()
            if name not in kept
        }
        routes: dict[str, list[Future[Seed]]] = {name: [] for name in chosen}
        for name, synth in synths.items():
            whole = synth.result()
            if (row := builder.kept_netlist(whole, run)) is not None:
                kept[name] = row
            elif isinstance(whole.target, RoutedTarget):
                mhz = run.seed_clocks(design, whole)
                routes[name] = [
                    workers.submit(builder.seed, whole, whole.target, seed, mhz.get(seed))
                    for seed in seeds
                ]
        return [
            kept[name]
            if name in kept
            else builder.row(synths[name].result(), [route.result() for route in routes[name]], run)
            for name in chosen
        ]


def variants_for(
    design: Design, target: Target, chosen: Sequence[str] = (), *, every: bool = False
) -> list[str]:
    """Return the variants to build for `target`: those chosen, or all that are for it.

    `LabError` where a chosen one is not for it, or none is, unless `every` one of them is built.
    """
    found = [name for name in chosen or design.variants if design.variant(name).is_for(target.name)]
    for name in chosen if not every else ():
        if name not in found:
            raise LabError(f"{design.name} {name}: is for {_targets(design, [name])} only")
    if not found and not every:
        raise LabError(f"{design.name}: is for {_targets(design, design.variants)} only")
    return found


def _targets(design: Design, names: Iterable[str]) -> str:
    found = [target for name in names for target in design.variants[name].targets or []]
    return ", ".join(dict.fromkeys(found))


def seed_list(target: Target, count: int | None) -> list[int]:
    """Return seeds 1 to `count` (default: the target's number); none without a router."""
    if not isinstance(target, RoutedTarget):
        return []
    return list(range(1, (target.seeds if count is None else count) + 1))


_simulations = threading.BoundedSemaphore(processors())
"""Simulations at once: they run in this process, and many threads may wait for jobs elsewhere."""


def measure_clocks(
    design: Design, variants: Sequence[str], steps: Steps, settings: Mapping[str, Parameter]
) -> dict[str, float]:
    """Check `variants` of `design` by simulation; return the clocks a block measured, by variant.

    `LabError` on a wrong known answer: a broken variant is not measured. With `settings`,
    parameters that were set, the clocks may differ from the registry's.
    """
    from hashfabric.simulate import known_answers  # noqa: PLC0415 - reports need none

    what = " ".join([design.name, *(variants if settings else []), *settings_texts(settings)])
    with _simulations, steps.step(f"{what}: known answers in simulation") as notes:
        go_on()
        if settings:
            clocks = {name: known_answers.check_configured(design, name) for name in variants}
        else:
            clocks = known_answers.quick_check(design, variants)
        notes.append(", ".join(f"{name} {n:g} clocks a block" for name, n in clocks.items()))
    return dict(clocks)


def target_for(target: Target, variant: Variant, root: Path = ROOT) -> Target:
    """Return `target` with the profile and copies of `variant`.

    `LabError` if it has no room for the copies, or if no target has the profile.
    """
    name = variant.profile
    if name is not None and not target.has_profile(name):
        targets = load_targets(root).values()
        if not any(other.has_profile(name) for other in targets):
            profiles = sorted({known for other in targets for known in other.profiles})
            raise one_of("profile", name, profiles)
    return target.with_profile(name).with_copies(variant.copies)


def what_changed(row: MeasuredRow, variant: Variant, target: Target, root: Path = ROOT) -> str:
    """Return why the present tree would not give `row`, as a clause; empty where it would."""
    if source_hash(variant, root) != row.provenance.source_hash:
        return "the RTL has changed since"
    target = target_for(target, variant, root)
    commands = {"core": target.synth_text(variant.top)}
    if isinstance(target, RoutedTarget) and row.bitstream_seed is not None:
        commands["route"] = target.route_text(row.bitstream_seed)
    same = commands.items() <= row.provenance.commands.items()
    return "" if same else "the flags have changed since"


HARNESS = "harness.sv"
"""The harness' file, beside the folders of the sources."""


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _alone(variant: Variant) -> RtlSource:
    return RtlSource(read_sources(variant, ROOT), variant.top, variant.parameters)


def _in_harness(variant: Variant, alone: RtlSource, ports: Sequence[Port]) -> RtlSource:
    text = harness.render(
        variant.top,
        ports,
        variant.parameters,
        clock=variant.clock,
        reset=variant.reset,
        pins=variant.copies,
    )
    return RtlSource({**alone.files, HARNESS: text}, harness.TOP, {})


@dataclass(frozen=True)
class Own:
    """The properties of a private build: the parameters that were set, the folder of its files.

    The design's variants have the parameters set already. Without a `folder` no files are written.
    """

    settings: Mapping[str, Parameter]
    folder: Path | None


class Builder:
    """Builds one design for one target, with its progress and its cache."""

    def __init__(
        self,
        design: Design,
        target: Target,
        steps: Steps,
        cache: Cache | None = None,
        own: Own | None = None,
    ) -> None:
        """Use `cache`, or the checkout's own."""
        self.own = own
        self.design = design
        self.target = target
        self.steps = steps
        self.cache = cache or Cache(BUILD / "cache")

    def elaborated(self, variant: Variant) -> tuple[str, str]:
        """Elaborate a variant in its harness; return the harness' text and the hash of the design.

        Both are empty where the flow has no such step.
        """
        target = target_for(self.target, variant, ROOT)
        source = _alone(variant)
        alone = elaborate_job(self.cache, target, source).result
        if not alone:
            return "", ""
        whole = _in_harness(variant, source, [Port(**port) for port in alone["ports"]])
        return whole.files[HARNESS], elaborate_job(self.cache, target, whole).result["digest"]

    def synthesise(self, name: str, variant: Variant) -> SynthesisedVariant:
        """Synthesise one variant without and in the harness."""
        target = target_for(self.target, variant, ROOT)
        source = _alone(variant)
        core = self._synth(target, f"{self._what(name)}: synthesis of the core", source)
        whole = _in_harness(variant, source, Synthesis(**core.result).ports)
        job = self._synth(target, f"{self._what(name)}: synthesis in the harness", whole)
        texts = dict(source.files)
        return SynthesisedVariant(name, variant, target, texts, core, job, whole.files[HARNESS])

    def _synth(self, target: Target, step: str, source: RtlSource) -> Job:
        return synthesise(self.cache, self.steps, step, target, source)

    def seed(
        self,
        synth: SynthesisedVariant,
        target: RoutedTarget,
        seed: int,
        known_mhz: float | None,
    ) -> Seed:
        """Return the seed with its clock of a row, or place and route it."""
        if known_mhz is not None:
            return Seed(seed, None, known_mhz=known_mhz)
        return self.route(synth, target, seed)

    def route(self, synth: SynthesisedVariant, target: RoutedTarget, seed: int) -> Seed:
        """Place and route one seed; a failure or a timeout is a valid outcome."""
        what = self._what(synth.name)
        return place_and_route(self.cache, self.steps, what, target, synth=synth.harness, seed=seed)

    def kept(self, name: str, run: Run) -> MeasuredRow | None:
        """Return the row of a variant with the elaborated design that was measured, or None.

        Nothing is synthesised: the same design, with the same commands, gives the same netlist.
        """
        if (row := run.row(self.design, name, self.target)) is None:
            return None
        origin, variant = row.provenance, self.design.variant(name)
        text, digest = self.elaborated(variant)
        target = target_for(self.target, variant, ROOT)
        wanted = {"core": variant.top, "harness": harness.TOP}
        commands = {job: target.synth_text(top) for job, top in wanted.items()}
        if (
            not digest
            or digest != origin.elaborated
            or not commands.items() <= origin.commands.items()
            or tool_versions(target, variant) != origin.tools
        ):
            return None
        update = {"source_hash": source_hash(variant, ROOT), "harness_hash": _hash(text)}
        return self._renewed(row, run, "its elaborated design is the measured one", update)

    def kept_netlist(self, synth: SynthesisedVariant, run: Run) -> MeasuredRow | None:
        """Return the row of a variant whose netlists are those that were measured, or None.

        The names of cells do not count.
        """
        row = run.row(self.design, synth.name, self.target)
        if row is None or row.provenance.netlists != synth.netlists:
            return None
        jobs = {"core": synth.core, "harness": synth.harness}
        commands = {name: job.result["command"] for name, job in jobs.items()}
        update = {
            "source_hash": synth.source_hash,
            "harness_hash": _hash(synth.harness_text),
            "elaborated": self.elaborated(synth.variant)[1],
            "tools": tool_versions(synth.target, synth.variant),
            "commands": row.provenance.commands | commands,
            "keys": row.provenance.keys | {name: job.key for name, job in jobs.items()},
        }
        return self._renewed(row, run, "its netlists are the measured ones", update)

    def _renewed(
        self, row: MeasuredRow, run: Run, why: str, update: Mapping[str, Any]
    ) -> MeasuredRow:
        with self.steps.step(f"{row.name} {row.variant}: {why}") as notes:
            notes.append("the row is kept")
        clocks = run.clocks_now(self.design, row)
        median = None if row.fmax_mhz is None else row.fmax_mhz.median
        return row.model_copy(
            update={
                **_speed(row.block_bits, median, clocks, row.luts),
                "firmware": _firmware_use(self.design, self.design.variant(row.variant)),
                "provenance": row.provenance.model_copy(update=update),
            }
        )

    def row(self, synth: SynthesisedVariant, routed: Sequence[Seed], run: Run) -> MeasuredRow:
        """Take the medians, pack the median seed's bitstream, and put the files together."""
        design, target = self.design, synth.target
        timing, block_bits = design.timing(synth.variant), design.block_bits_of(synth.variant)
        copies = synth.variant.copies
        core = Use(**synth.core.result["use"]).times(copies)
        use = Use(**synth.harness.result["use"]).times(copies)
        jobs = {"core": synth.core, "harness": synth.harness}
        fmax, seed = None, None
        if isinstance(target, RoutedTarget):
            fmax = fmax_of(routed)
            middle = self._with_job(synth, target, median_seed(routed))
            if middle is not None and middle.job is not None and fmax.median is not None:
                seed, jobs["route"] = middle.seed, middle.job
                use = Use(**middle.job.result["use"])
                text = f"{self._what(synth.name)}: bitstream of seed {seed}"
                with self.steps.step(text):
                    jobs["bitstream"] = bitstream_job(self.cache, target, middle.job)
        row = MeasuredRow(
            name=design.name,
            variant=synth.name,
            target=target.name,
            device=target.device_text,
            lut=target.lut,
            block_bits=block_bits,
            **_speed(
                block_bits,
                None if fmax is None else fmax.median,
                run.clocks_of(design, synth.name),
                use.luts,
            ),
            slots=timing.slots * copies,
            fmax_mhz=fmax,
            luts=use.luts,
            luts_core=core.luts,
            luts_detail=use.detail,
            ffs=use.ffs,
            ffs_core=core.ffs,
            dsps=use.dsps,
            brams=use.brams,
            bitstream_seed=seed,
            firmware=_firmware_use(design, synth.variant),
            provenance=BuildProvenance(
                tools=tool_versions(target, synth.variant),
                commands={name: job.result["command"] for name, job in jobs.items()},
                seeds=[seed.seed for seed in routed],
                constraint_mhz=target.constraint_mhz if isinstance(target, RoutedTarget) else None,
                source_hash=synth.source_hash,
                harness_hash=_hash(synth.harness_text),
                netlists=synth.netlists,
                elaborated=self.elaborated(synth.variant)[1],
                clocks_measured_by="simulation" if synth.name in run.clocks else "registry",
                keys={name: job.key for name, job in jobs.items()},
                seconds={
                    name: round(job.seconds, 1)
                    for name, job in jobs.items()
                    if job.seconds is not None
                },
            ),
        )
        if self.own is not None:
            row = PrivateRow(**dict(row), parameters=dict(self.own.settings))
        if (folder := BUILD if self.own is None else self.own.folder) is not None:
            export(row, synth, jobs, folder)
        return row

    def _with_job(
        self, synth: SynthesisedVariant, target: RoutedTarget, seed: Seed | None
    ) -> Seed | None:
        """Return `seed` with its routed design; `LabError` if its clock has changed."""
        if seed is None or seed.job is not None:
            return seed
        again = self.route(synth, target, seed.seed)
        if again.mhz != seed.mhz:
            raise LabError(
                f"{self._what(synth.name)}: seed {seed.seed} has {seed.mhz} MHz in its row and "
                f"{again.mhz or again.reason} now: measure all seeds again"
            )
        return again

    def _what(self, name: str) -> str:
        """Return the name of a variant in messages."""
        settings = {} if self.own is None else self.own.settings
        return " ".join([self.design.name, name, *settings_texts(settings)])


def _speed(block_bits: int, fmax_mhz: float | None, clocks: float, luts: int) -> dict[str, Any]:
    """Return the fields of a row on clocks a block, and on throughput at this clock."""
    gbps = None if fmax_mhz is None else throughput_gbps(block_bits, fmax_mhz, clocks)
    per_lut = None if gbps is None else rounded(1000 * gbps / luts)
    return {"clocks_per_block": clocks, "gbps": gbps, "mbps_per_lut": per_lut}


def _firmware_use(design: Design, variant: Variant) -> FirmwareUse | None:
    if variant.firmware is None:
        return None
    from hashfabric.simulate import soc, system  # noqa: PLC0415 - reports need none

    measure = soc.firmware_use if variant.kind == "soc" else system.firmware_use
    return measure(design, variant)


def tools_of(target: Target, variant: Variant) -> list[Tool]:
    """Return the target's tools, and the compiler of a system's firmware."""
    tools = list(target.tools)
    if variant.firmware is not None:
        from hashfabric.simulate.firmware import COMPILERS  # noqa: PLC0415 - reports need none

        tools.append(COMPILERS[variant.firmware.compiler])
    return tools


def tool_versions(target: Target, variant: Variant) -> dict[str, str]:
    """Return the versions of the `tools_of` a variant."""
    return versions(tools_of(target, variant))


def synthesise(cache: Cache, steps: Steps, step: str, target: Target, source: RtlSource) -> Job:
    """Synthesise `source` as the step called `step`."""
    with steps.step(step) as notes:
        job = synth_job(cache, target, source)
        use = Use(**job.result["use"])
        notes.append(f"{use.luts} {target.lut}, {use.ffs} FF{_cached(job)}")
        return job


def place_and_route(  # noqa: PLR0913 - one parameter a property of the job
    cache: Cache, steps: Steps, what: str, target: RoutedTarget, *, synth: Job, seed: int
) -> Seed:
    """Place and route the netlist of `synth`; a failure or a timeout is a valid outcome."""
    try:
        with steps.step(f"{what}: place and route, seed {seed}") as notes:
            job = route_job(cache, target, synth, seed)
            notes.append(f"{job.result['fmax_mhz']:.1f} MHz{_cached(job)}")
            return Seed(seed, job)
    except ToolTimeout as error:
        return Seed(seed, None, error.reason(target.pnr_timeout_s))
    except ToolError as error:
        # A row is kept for years and elsewhere: it does not name the place of a log.
        return Seed(seed, None, str(error).partition(": see ")[0])


def median_seed(routed: Sequence[Seed]) -> Seed | None:
    """Return the routed seed with the median clock (the slower of the middle two if even)."""
    done = [seed for seed in routed if seed.mhz is not None]
    done.sort(key=lambda seed: (seed.mhz or 0.0, seed.seed))
    return done[(len(done) - 1) // 2] if done else None


def fmax_of(routed: Sequence[Seed]) -> Fmax:
    """Take the statistics over the seeds."""
    clocks = {seed.seed: seed.mhz for seed in routed}
    return Fmax.of(clocks, {seed.seed: seed.reason for seed in routed if seed.mhz is None})


def folder_name(row: MeasuredRow) -> str:
    """Return the name of the directory of the row's files, with the parameters that were set."""
    return "-".join([row.name, row.target, *row.label.split()])


def export(
    row: MeasuredRow,
    synth: SynthesisedVariant,
    jobs: Mapping[str, Job],
    folder: Path,
) -> Path:
    """Put the row's files into a directory in `folder`; return its path."""
    home = folder / folder_name(row)
    with scratch_directory(folder, home.name) as scratch:
        write_files(scratch, synth.texts | {HARNESS: synth.harness_text})
        for name, job in jobs.items():
            for file in sorted(job.directory.iterdir()):
                if file.is_file() and file.name != HARNESS:
                    prefix = "" if file.name.startswith(name) else f"{name}-"
                    shutil.copyfile(file, scratch / f"{prefix}{file.name}")
        (scratch / ROW_FILE).write_text(rows_json([row]), encoding="utf-8")
        move_into_place(scratch, home)
    return home


def _cached(job: Job) -> str:
    return " (cached)" if job.cached else ""
