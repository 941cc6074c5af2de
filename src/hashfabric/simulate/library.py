"""A Verilated top and its C++ driver in one shared library, built once and loaded with ctypes.

It is built once per content of RTL, driver, flags, tools and processor. Messages and errors of the
model become `LabError`.
"""

import ctypes
import functools
import hashlib
import os
import re
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hashfabric.base.cache import Cache, Job, write_files
from hashfabric.base.datafile import shown
from hashfabric.base.native import COMPILER, open_library
from hashfabric.base.paths import BUILD
from hashfabric.base.progress import step
from hashfabric.base.tools import VERILATOR, Tool, ToolError, ToolTimeout, output, pool
from hashfabric.base.yosys import value_text
from hashfabric.registry.designs import Parameter, Variant, read_sources
from hashfabric.registry.sources import macros_in

PERL = Tool("perl (which runs Verilator)", "perl", ("--version",), r"\((v[\d.]+)\)")

TOOLS = (VERILATOR, PERL, COMPILER)
"""What a simulation needs."""

_DRIVERS = Path(__file__).parent / "driver"
_INCLUDED = re.compile(r'^#include "(\w+\.h)"$', re.MULTILINE)
_COMPLAINT = re.compile(r"%(Error|Warning)[\w-]*: ")
_BUILD_S = 900.0  # longest that one step of a build may take
_LIBRARY = "model.so"
_PUBLIC = "public.vlt"
_PUBLIC_TEXT = 'public_flat_{} -module "{}" -var "{}"\n'
# Time to compile a model, in units of that of the runtime on this machine, by MB of the C++ that
# runs in every clock. Eight designs took up to half as long again, or a third less.
_FIXED_COST = 0.3
_COST_PER_MB = 0.4

_VERILATOR_FLAGS = ["-O3", "--x-assign", "fast", "--x-initial", "fast"]
# JH's loops over its 256 cells: if rolled, their indices are computed cell by cell in every clock.
_VERILATOR_FLAGS += ["--unroll-count", "256", "--unroll-stmts", "100000"]
_VERILATOR_FLAGS += ["-Wno-lint", "-Wno-style"]  # Linting is `hashfabric lint`.
# One library must not see another's symbols: hidden, and no STB_GNU_UNIQUE.
_CXX_FLAGS = ["-std=c++17", "-fPIC", "-march=native", "-fvisibility=hidden", "-fno-gnu-unique"]
_CXX_FLAGS += ["-DVERILATOR=1", "-DVM_SC=0", "-DVM_TRACE=0", "-DVM_COVERAGE=0"]
_CXX_FLAGS += ["-DVL_USER_FINISH", "-DVL_USER_STOP", "-DVL_USER_FATAL", "-DVL_PRINTF=hf_print"]
_CXX_FLAGS += ["-include", "report.h"]
# A short simulation is ready sooner with -O1.
_MODEL_FLAGS = (os.environ.get("HASHFABRIC_MODEL_FLAGS") or "-O3").split()
_START_FLAGS = ["-O0"]  # Code that runs once, before the first clock, is up to half of a model.
_RUNTIME_UNITS = ["verilated.cpp", "verilated_threads.cpp", "report.cpp"]
_RUNTIME_FLAGS = ["-O1"]  # Not part of a clock.


def build_library(
    variant: Variant,
    driver: str,
    parameters: Mapping[str, Parameter],
    public: Sequence[tuple[str, str, str]] = (),
) -> Path:
    """Return the shared library of the variant's top with driver/`driver`, building it if new.

    `public` has what the driver reads ("rd") or writes too ("rw"): that, a module, a variable.
    """
    cache = Cache(BUILD / "cache")
    for tool in (COMPILER, PERL):
        tool.path()
    tools = {"verilator": VERILATOR.version(), "compiler": _compiler_identity()}
    runtime = _runtime(cache, tools)
    sources = read_sources(variant)
    defines = [f"+define+{macro}" for macro in macros_in(sources, variant.macros)]
    args = [*defines, *verilator_args(variant, list(sources), parameters)]
    files = sources | _driver_files(driver, *_headers(driver))
    if public:
        files[_PUBLIC] = "".join(
            ["`verilator_config\n", *(_PUBLIC_TEXT.format(*p) for p in public)]
        )
        args = ["-Wno-COMBDLY", *args, _PUBLIC]
    inputs = {
        "job": "simulation",
        "tools": tools,
        "runtime": runtime.key,
        "args": args,
        "flags": _CXX_FLAGS + _MODEL_FLAGS + _START_FLAGS,
        "driver": driver,
        "files": files,
    }

    def work(directory: Path) -> dict[str, Any]:
        write_files(directory, files)
        what = f"simulation of {variant.top}"
        with step(f"{what}: Verilator translates it"):
            _verilate(args, directory)
        units = sorted((directory / "verilated").glob("*.cpp"))
        starting = [unit for unit in units if unit.stem.endswith("Slow")]
        clocked = [unit for unit in units if unit not in starting]
        # One unit: the driver's loop and the model are optimised together.
        _include_all("model.cpp", [*clocked, directory / driver], directory)
        _include_all("start.cpp", starting, directory)
        size, each_clock = (
            sum(unit.stat().st_size for unit in of) / 1e6 for of in (units, clocked)
        )
        seconds = runtime.result["seconds"] * (_FIXED_COST + _COST_PER_MB * each_clock)
        with step(f"{what}: compiling {size:.1f} MB of C++, about {seconds:.0f} s"):
            with pool(2) as workers:
                both = [
                    workers.submit(_compile, ["-Iverilated", *flags], [unit], directory, log)
                    for unit, flags, log in (
                        ("model.cpp", _MODEL_FLAGS, "model.log"),
                        ("start.cpp", _START_FLAGS, "start.log"),
                    )
                ]
                for each in both:
                    each.result()
            # If a function is in several, the first is taken: the optimised one.
            objects = ["model.o", "start.o"]
            objects += [str(runtime.directory / f"{Path(unit).stem}.o") for unit in _RUNTIME_UNITS]
            link = ["-shared", "-Wl,-Bsymbolic,-z,defs", "-o", _LIBRARY, *objects]
            COMPILER.run(link, cwd=directory, log="link.log", timeout_s=_BUILD_S)
        shutil.rmtree(directory / "verilated")
        return {"top": variant.top}

    return cache.run(inputs, work).directory / _LIBRARY


def _headers(driver: str) -> list[str]:
    """Return the headers beside `driver` that it includes."""
    text = (_DRIVERS / driver).read_text(encoding="utf-8")
    return [name for name in _INCLUDED.findall(text) if (_DRIVERS / name).exists()]


def _include_all(name: str, units: Sequence[Path], directory: Path) -> None:
    text = "".join(f'#include "{unit.relative_to(directory)}"\n' for unit in units)
    (directory / name).write_text(text, encoding="utf-8")


def verilator_args(
    variant: Variant, sources: Sequence[str], parameters: Mapping[str, Parameter]
) -> list[str]:
    """Return Verilator's arguments that put the C++ of `variant` into the directory verilated/."""
    overrides = {**variant.parameters, **parameters}
    args = ["--cc", *_VERILATOR_FLAGS, "--prefix", "Vmodel", "-Mdir", "verilated"]
    args += ["--top-module", variant.top]
    args += [f"-G{name}={value_text(value)}" for name, value in overrides.items()]
    return [*args, *sources]


def _verilate(args: Sequence[str], directory: Path) -> None:
    log = directory / "verilator.log"
    try:
        VERILATOR.run(args, cwd=directory, log=log.name, timeout_s=_BUILD_S)
    except ToolTimeout:
        raise
    except ToolError as error:
        # The first complaint is reported; an elaboration $fatal is a %Warning-USERFATAL.
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        reason = next((line for line in lines if _COMPLAINT.match(line)), "")
        if not reason:
            raise
        raise ToolError(f"verilator: failed: {reason}: see {shown(log)}") from error


def _runtime(cache: Cache, tools: Mapping[str, str]) -> Job:
    """Compile the part that all models share: Verilator's runtime, and our replacements in it."""
    files = _driver_files("report.h", "report.cpp")
    inputs = {
        "job": "simulation runtime",
        "tools": dict(tools),
        "flags": _CXX_FLAGS + _RUNTIME_FLAGS,
        "units": _RUNTIME_UNITS,
        "files": files,
    }

    def work(directory: Path) -> dict[str, Any]:
        write_files(directory, files)
        sources = [unit if unit in files else str(_include() / unit) for unit in _RUNTIME_UNITS]
        begin = time.monotonic()
        with step("simulation: compiling the part that all models share"):
            _compile(_RUNTIME_FLAGS, sources, directory, "compiler.log")
        return {"units": _RUNTIME_UNITS, "seconds": time.monotonic() - begin}

    return cache.run(inputs, work)


def _compile(flags: Sequence[str], units: Sequence[str], directory: Path, log: str) -> None:
    include = _include()
    paths = ["-I.", f"-I{include}", f"-I{include / 'vltstd'}"]
    args = [*_CXX_FLAGS, *paths, *flags, "-c", *units]
    COMPILER.run(args, cwd=directory, log=log, timeout_s=_BUILD_S)


def _include() -> Path:
    return Path(VERILATOR.path()).resolve().parent.parent / "include"


def _driver_files(*names: str) -> dict[str, str]:
    return {name: (_DRIVERS / name).read_text(encoding="utf-8") for name in names}


@functools.cache
def _compiler_identity() -> str:
    """Return the compiler's version and a hash of what `-march=native` means on this machine."""
    native = output([COMPILER.path(), "-march=native", "-Q", "--help=target"]).stdout
    return f"g++ {COMPILER.version()} {hashlib.sha256(native.encode()).hexdigest()[:16]}"


def load(
    variant: Variant,
    driver: str,
    parameters: Mapping[str, Parameter],
    public: Sequence[tuple[str, str, str]] = (),
) -> ctypes.CDLL:
    """Build the library if it is new, and load it."""
    return open_library(build_library(variant, driver, parameters, public))
