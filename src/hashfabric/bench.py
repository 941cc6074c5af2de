"""The measurements that the results table is made of, written to results/ as raw rows."""

import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from hashfabric import functions, implement
from hashfabric.datafile import shown
from hashfabric.progress import Steps
from hashfabric.registry import Design, find_design, load_designs
from hashfabric.results import Speed, Spread, save_rows, save_simulator, unrouted
from hashfabric.simulate import StreamSim
from hashfabric.targets import find_target, load_targets

FILE_BYTES = 32 << 20
"""Length of the message that the simulator's speed is measured on."""

REPETITIONS = 5


@dataclass(frozen=True)
class Choice:
    """What to measure: one design and one target by name, or all."""

    design: str = "all"
    target: str = "all"
    seeds: int | None = None

    def designs(self) -> list[Design]:
        """Return the designs chosen."""
        every = self.design == "all"
        return list(load_designs().values()) if every else [find_design(self.design)]


def simulator(choice: Choice) -> str:
    """Measure MB/s of message through each stream top on one core; return what was written."""
    name = "sha3-256"
    chunk = os.urandom(1 << 20)
    rows = []
    with Steps() as steps:
        for design in choice.designs():
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
                    mb_per_s=Spread.of(speeds),
                    mclocks_per_s=Spread.of(clock_rates),
                )
            )
    return f"wrote {shown(save_simulator(rows))}"


def builds(choice: Choice) -> Iterator[str]:
    """Build every chosen design for every chosen target; yield what was written, or went wrong."""
    every = choice.target == "all"
    targets = list(load_targets().values()) if every else [find_target(choice.target)]
    for design in choice.designs():
        for target in targets:
            with Steps() as steps:
                rows = implement.build(
                    implement.Builder(design, target, steps),
                    seeds=implement.seed_list(target, choice.seeds),
                    variants=list(design.variants),
                )
            yield f"wrote {shown(save_rows(rows, design.name, target.name))}"
            for row in unrouted(rows):
                yield f"{row.name} {row.variant}: no seed routed on {row.target}"


def _cpu() -> str:
    """Return the processor's name, which a speed means nothing without."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
