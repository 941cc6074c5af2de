"""Programs whose children outlive them, and whether a process has ended."""

import time
from pathlib import Path

STUBBORN = """\
import pathlib, signal, subprocess, sys
child = "import signal as s, time; [s.signal(n, s.SIG_IGN) for n in (1, 2, 15)]; time.sleep(99)"
started = subprocess.Popen([sys.executable, "-c", child])
part = pathlib.Path("pid.part")
part.write_text(str(started.pid))
part.rename("pid")
started.wait()
"""
"""A tool whose own child listens to no signal, as a compiler's driver may leave one."""


def child_of(directory: Path) -> int:
    """Return the process that `STUBBORN` started in `directory`."""
    deadline = time.monotonic() + 30
    while not (directory / "pid").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return int((directory / "pid").read_text(encoding="utf-8"))


def is_running(process: int) -> bool:
    """Return whether there is such a process that has not ended (a zombie has)."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2]
    except OSError:
        return False
    return state.split()[0] not in "ZX"


def gone(process: int) -> bool:
    """Return whether `process` ends within a while: a signal takes its time."""
    deadline = time.monotonic() + 10
    while is_running(process) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not is_running(process)
