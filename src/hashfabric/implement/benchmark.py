"""The measurements of the results table, written to results/ as raw rows."""

import hashlib
import os
import platform
import ssl
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from hashfabric.base.cache import locked
from hashfabric.base.datafile import shown
from hashfabric.base.errors import Hopeless, LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.progress import Steps
from hashfabric.flows.base import Target
from hashfabric.flows.targets import find_target, load_targets
from hashfabric.implement import build as implement
from hashfabric.implement.build import tools_of, variants_for, what_changed
from hashfabric.models import functions
from hashfabric.registry.designs import Design, find_design, load_designs, stated_function
from hashfabric.registry.results import (
    MeasuredRow,
    SoftwareSpeed,
    Speed,
    Statistics,
    load_simulator,
    rows_of,
    save_rows,
    save_simulator,
    save_software,
    unrouted,
)
from hashfabric.simulate.library import TOOLS as SIMULATION_TOOLS
from hashfabric.simulate.stream import StreamSim

FILE_BYTES = 32 << 20
"""Length of the message that the simulator's speed is measured on."""

REPETITIONS = 5


@dataclass(frozen=True)
class Choice:
    """What to measure: one design and one target by name, or all; some variants, or all.

    With `keep_seeds`, clocks of seeds in rows are kept, and only other seeds are routed. With
    `stale`, only rows whose sources or flags have changed are renewed.
    """

    design: str = "all"
    target: str = "all"
    seeds: int | None = None
    variants: Sequence[str] = ()
    keep_seeds: bool = False
    stale: bool = False

    def designs(self) -> list[Design]:
        """Return the designs chosen; `LabError` for variants without one design."""
        if self.design != "all":
            return [find_design(self.design)]
        if self.variants:
            raise LabError("--variant requires --design")
        return list(load_designs().values())


def simulator(choice: Choice) -> str:
    """Measure MB/s of message through each stream top on one core; return a line about the file.

    A design's first stream stands for it. Figures of other designs are kept.
    """
    chunk = os.urandom(1 << 20)
    designs = [design for design in choice.designs() if _has_stream(design)]
    measured = {design.name for design in designs}
    rows: list[Speed] = []
    with Steps() as steps:
        for design in designs:
            name = stated_function(design.functions)
            sim = StreamSim(design)
            speeds, clock_rates = [], []
            for turn in range(REPETITIONS):
                with steps.step(f"{design.name}: simulation speed, run {turn + 1}") as notes:
                    start = perf_counter()
                    run = sim.hash(functions.find(name), (chunk for _ in range(FILE_BYTES >> 20)))
                    seconds = perf_counter() - start
                    speeds.append(FILE_BYTES / 1e6 / seconds)
                    clock_rates.append(run.clocks / 1e6 / seconds)
                    notes.append(f"{speeds[-1]:.1f} MB/s")
            rows.append(
                Speed(
                    name=design.name,
                    function=name,
                    message_bytes=FILE_BYTES,
                    cpu=_cpu(),
                    mb_per_s=Statistics.of(speeds),
                    mclocks_per_s=Statistics.of(clock_rates),
                )
            )
    with locked(ROOT / "results"):
        rows += [row for row in load_simulator() if row.name not in measured]
        rows.sort(key=lambda row: row.name)
        return f"wrote {shown(save_simulator(rows))}"


def software() -> str:
    """Measure Gb/s of a long message by software on one core; return a line about the file.

    The functions take turns, so that all of them are measured in one state of the machine.
    """
    hashers = _software()
    message = os.urandom(FILE_BYTES)
    speeds: dict[str, list[float]] = {name: [] for name in hashers}
    with Steps() as steps:
        for turn in range(REPETITIONS):
            for name, (package, hasher) in hashers.items():
                with steps.step(f"{name} by {package}, run {turn + 1}") as notes:
                    start = perf_counter()
                    hasher(message)
                    speeds[name].append(8 * FILE_BYTES / 1e9 / (perf_counter() - start))
                    notes.append(f"{speeds[name][-1]:.2f} Gb/s")
    rows = [
        SoftwareSpeed(
            function=name,
            package=package,
            message_bytes=FILE_BYTES,
            cpu=_cpu(),
            gbps=Statistics.of(speeds[name]),
        )
        for name, (package, _) in hashers.items()
    ]
    return f"wrote {shown(save_software(rows))}"


def _software() -> dict[str, tuple[str, Callable[[bytes], bytes]]]:
    """Return the functions that software is measured for: package and version, and its call."""
    import Crypto  # noqa: PLC0415 - of the extra `dev`
    from Crypto.Hash import KangarooTwelve, TurboSHAKE128  # noqa: PLC0415

    package = f"pycryptodome {Crypto.__version__}"
    return {
        "sha3-256": (ssl.OPENSSL_VERSION.rsplit(" ", 3)[0], lambda m: hashlib.sha3_256(m).digest()),
        "turboshake128": (package, lambda m: TurboSHAKE128.new(data=m).read(32)),
        "kt128": (package, lambda m: KangarooTwelve.new(m).read(32)),
    }


def _has_stream(design: Design) -> bool:
    return any(variant.kind == "stream" for variant in design.variants.values())


def check(choice: Choice) -> None:
    """`LabError` for an unknown name, and for a design or a variant that is not for the target."""
    for _ in _possible(choice):
        pass


def _possible(choice: Choice) -> Iterator[tuple[Design, Target, list[str]]]:
    every = choice.target == "all"
    targets = list(load_targets().values()) if every else [find_target(choice.target)]
    several = every or choice.design == "all"
    for design in choice.designs():
        for target in targets:
            yield design, target, variants_for(design, target, choice.variants, every=several)


def chosen(choice: Choice) -> Iterator[tuple[Design, Target, list[str]]]:
    """Yield every design with a target, and the variants to measure there, of which there are."""
    for design, target, possible in _possible(choice):
        variants = possible
        if choice.target == "all" and not target.every_design:
            have = {row.variant for row in rows_of(design.name, target.name)}
            variants = [name for name in variants if name in have]
        if choice.stale:
            old = {
                row.variant
                for row in rows_of(design.name, target.name)
                if row.variant in design.variants
                and what_changed(row, design.variants[row.variant], target)
            }
            variants = [name for name in variants if name in old]
        if variants:
            yield design, target, variants


def check_tools(choice: Choice) -> None:
    """`LabError` with a clause for each tool that `builds` needs and this machine lacks."""
    missing = []
    needed = {
        tool
        for design, target, variants in chosen(choice)
        for name in variants
        for tool in (*tools_of(target, design.variants[name]), *SIMULATION_TOOLS)
    }
    for tool in needed:
        try:
            tool.path()
        except LabError as error:
            missing.append(str(error))
    if missing:
        raise LabError("; ".join(sorted(missing)))


def builds(
    choice: Choice, left: Callable[[Collection[tuple[str, str]]], str] | None = None
) -> Iterator[str]:
    """Build every chosen design for every chosen target; yield lines about files and failures.

    Rows of variants that were not chosen are kept. A failure does not end the builds after it:
    `LabError` names all at the end. `Hopeless` ends them. After each, a line on standard error
    says how many are done and, by `left`, how long the others take.
    """
    work, failed = list(chosen(choice)), []
    for number, (design, target, variants) in enumerate(work):
        if number:
            rest = {(design.name, target.name) for design, target, _ in work[number:]}
            text = f", {left(rest)}" if left is not None else ""
            print(f"{number} of {len(work)} builds done{text}", file=sys.stderr, flush=True)
        try:
            with Steps() as steps:
                rows = implement.build(
                    implement.Builder(design, target, steps),
                    seeds=implement.seed_list(target, choice.seeds),
                    variants=variants,
                    known=rows_of(design.name, target.name),
                    keep_seeds=choice.keep_seeds,
                )
        except Hopeless:
            raise
        except LabError as error:
            failed.append(f"{design.name} on {target.name}")
            yield f"{failed[-1]}: failed: {' '.join(str(error).split())}"
            continue
        with locked(ROOT / "results"):
            path = save_rows(_merged(rows, design, target), design.name, target.name)
        yield f"wrote {shown(path)}"
        for row in unrouted(rows):
            yield f"{row.name} {row.variant}: no seed routed on {row.target}"
    if failed:
        raise LabError(f"{len(failed)} of {len(work)} builds failed: {', '.join(failed)}")


def _merged(rows: Sequence[MeasuredRow], design: Design, target: Target) -> list[MeasuredRow]:
    """Return `rows`, and those kept of variants that the design still has, in its order."""
    kept = {row.variant: row for row in rows_of(design.name, target.name)}
    every = kept | {row.variant: row for row in rows}
    return [every[name] for name in design.variants if name in every]


def _cpu() -> str:
    """Return the processor's name, which a simulation speed depends on."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
