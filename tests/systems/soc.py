"""What the tests on the SoC need: a processor's sources, a compiler, programs, and their clocks."""

import importlib.util
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from hashfabric.base.cache import scratch_directory, write_atomically
from hashfabric.base.elf import read_elf
from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD, ROOT
from hashfabric.base.tools import VERILATOR
from hashfabric.registry.designs import find_design
from hashfabric.registry.results import TaskRow, TaskUse, load_tasks, rows_json, tasks_file
from hashfabric.simulate.firmware import COMPILERS, FLAGS, Program
from hashfabric.simulate.soc import SocSim
from hashfabric.simulate.system import firmware_of

NAME, VARIANT = "keccak-soc", "vexriscv"
DESIGN = find_design(NAME)
GCC = COMPILERS["riscv64-unknown-elf-gcc"]
AROUND = (
    "systems/firmware/soc/crt0.S",
    "systems/firmware/soc/library.c",
    "systems/firmware/soc/software.c",
    "systems/firmware/runtime.c",
    "systems/firmware/keccak/sponge.c",
    "systems/firmware/keccak/split.c",
    "driver/hf_keccak.c",
)
"""What a program needs beside its own sources."""


def _missing() -> str:
    if importlib.util.find_spec("pythondata_cpu_vexriscv") is None:
        return "no Python package pythondata_cpu_vexriscv"
    try:
        GCC.path()
    except LabError as error:
        return str(error)
    return ""


simulated = pytest.mark.skipif(bool(_missing()), reason=_missing())


def program(units: Sequence[str], include: Sequence[Path] = ()) -> SocSim:
    """Return the SoC with a program of these sources.

    Their order is that of its code in memory, on which the misses of its cache depend.
    """
    flags = [*FLAGS, *firmware_of(DESIGN.variant(VARIANT)).flags, "-Wl,--no-warn-rwx-segments"]
    flags += ["-Idriver", "-Isystems/firmware/soc", *(f"-I{path}" for path in include)]
    flags += ["-T", "systems/firmware/soc/memory.ld"]
    with scratch_directory(BUILD / "native", "program") as scratch:
        elf = scratch / "program.elf"
        command = [*flags, "-o", str(elf), *units]
        GCC.run(command, cwd=ROOT, log=str(scratch / "gcc.log"), timeout_s=120)
        return SocSim(DESIGN, DESIGN.variant(VARIANT), Program(read_elf(elf)))


def check_tasks(uses: Mapping[str, TaskUse], library: str, stack_bytes: int) -> None:
    """Compare the clocks of tasks with those of the results.

    HF_RENEW=1 in the environment writes them anew; those by other libraries stay.
    """
    rows = [
        TaskRow(
            name=NAME,
            variant=VARIANT,
            task=task,
            library=library,
            use=use,
            stack_bytes=stack_bytes,
            tools=tools(),
        )
        for task, use in uses.items()
    ]
    if os.environ.get("HF_RENEW"):
        others = [row for row in load_tasks(NAME) if row.task not in uses]
        every = sorted([*others, *rows], key=lambda row: row.library)
        write_atomically(tasks_file(NAME), rows_json(every))
    known = {row.task: row for row in load_tasks(NAME) if row.library == library}
    assert known.keys() == uses.keys()
    if any(row.tools != tools() for row in known.values()):
        pytest.skip("the results are of other tools")
    for task, now in uses.items():
        was = known[task].use
        assert abs(now.driver - was.driver) < 0.01 * was.driver, task
        assert (now.software is None) == (was.software is None), task
        if now.software is not None and was.software is not None:
            assert abs(now.software - was.software) < 0.01 * was.software, task


def tools() -> dict[str, str]:
    """Return the versions of what compiles and simulates a program."""
    return {tool.name: tool.version() for tool in (GCC, VERILATOR)}
