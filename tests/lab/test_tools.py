"""Running tools: versions are the tools' own, and every failure is one line that names its log."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hashfabric.base import tools
from hashfabric.base.errors import LabError, Stop
from hashfabric.base.tools import Tool, ToolError, ToolTimeout
from hashfabric.flows.ecp5.router import ECPPACK, NEXTPNR_ECP5
from tests.support.processes import STUBBORN, child_of, gone

PYTHON = Tool("python", Path(sys.executable).name, ("--version",), r"Python (\S+)")


@pytest.mark.parametrize("tool", [tools.YOSYS, NEXTPNR_ECP5, ECPPACK, tools.VERILATOR])
def test_every_tool_reports_its_version(tool: Tool) -> None:
    """A version has a number in it, and is not the program's name."""
    version = tool.version()
    assert any(letter.isdigit() for letter in version)
    assert not version.startswith(tool.name)


def test_verible_is_there() -> None:
    """The style linter is installed with the rest."""
    assert Path(tools.VERIBLE_LINT.path()).is_file()


def test_a_missing_tool_is_reported(tmp_path: Path) -> None:
    """The message says what to run."""
    tool = Tool("nothing", "hashfabric-no-such-tool", (), "")
    with pytest.raises(LabError, match=r"no program 'hashfabric-no-such-tool': run 'make setup'"):
        tool.run([], cwd=tmp_path, log="log", timeout_s=1)


def test_a_tool_that_does_not_run_has_no_version() -> None:
    """A broken installation is an error, not a made-up version."""
    with pytest.raises(LabError, match="does not run"):
        Tool("broken", PYTHON.executable, ("--no-such-option",), r"(\d+)").version()


def test_a_slow_first_start_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """YoWASP compiles a program when it first runs on a machine."""
    program = tmp_path / "yowasp-slow"
    program.write_text("#!/bin/sh\nsleep 0.5\necho version 1.2\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(tools, "_SILENT_S", 0.05)
    assert Tool("slow", program.name, (), r"version (\S+)").version() == "1.2"
    said = capsys.readouterr().err.splitlines()
    assert [line.startswith("slow starts: the first time on a machine") for line in said] == [
        True
    ] * 2


def test_a_failure_names_the_log(tmp_path: Path) -> None:
    """The first error line and the log's place are in the message."""
    program = "print('fine'); print('ERROR: no cell'); raise SystemExit(3)"
    with pytest.raises(ToolError, match=r"python: failed: ERROR: no cell: see .*/run\.log"):
        PYTHON.run(["-c", program], cwd=tmp_path, log="run.log", timeout_s=60)
    assert "fine" in (tmp_path / "run.log").read_text(encoding="utf-8")


def test_a_tool_is_stopped_at_its_limit(tmp_path: Path) -> None:
    """Nothing runs for ever."""
    with pytest.raises(ToolTimeout, match=r"stopped after 0\.2 s"):
        PYTHON.run(["-c", "import time; time.sleep(60)"], cwd=tmp_path, log="log", timeout_s=0.2)


def test_success_is_silent(tmp_path: Path) -> None:
    """Output goes to the log; the tool runs in its directory."""
    program = "import os; print(os.getcwd())"
    PYTHON.run(["-c", program], cwd=tmp_path, log="log", timeout_s=60)
    assert (tmp_path / "log").read_text(encoding="utf-8").strip() == str(tmp_path.resolve())


def test_at_its_limit_all_that_a_tool_started_ends(tmp_path: Path) -> None:
    """Not only the first process, and its log stays."""
    with pytest.raises(ToolTimeout):
        PYTHON.run(["-c", STUBBORN], cwd=tmp_path, log="log", timeout_s=2)
    assert gone(child_of(tmp_path))


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], None]]:
    """Raise `Stop` in this thread as soon as `STUBBORN` has its child in a directory."""

    def hear(number: int, _: object) -> None:
        raise Stop(number)

    def when_started(directory: Path) -> None:
        child_of(directory)
        os.kill(os.getpid(), signal.SIGUSR1)

    old = signal.signal(signal.SIGUSR1, hear)
    yield lambda directory: threading.Thread(target=when_started, args=[directory]).start()
    signal.signal(signal.SIGUSR1, old)


def test_an_interrupted_tool_leaves_nothing(
    tmp_path: Path, interrupt: Callable[[Path], None]
) -> None:
    """What it started ends with it, and what it kept for itself is in its directory."""
    interrupt(tmp_path)
    with pytest.raises(Stop):
        PYTHON.run(["-c", STUBBORN], cwd=tmp_path, log="log", timeout_s=60)
    assert gone(child_of(tmp_path))


def test_an_interrupted_question_leaves_nothing(
    tmp_path: Path, interrupt: Callable[[Path], None]
) -> None:
    """A linter, or a tool that is asked its version, is no different."""
    interrupt(tmp_path)
    with pytest.raises(Stop):
        tools.output([sys.executable, "-c", STUBBORN], tmp_path)
    assert gone(child_of(tmp_path))


def test_a_pool_that_fails_ends_its_tools_and_starts_none(tmp_path: Path) -> None:
    """Those that run are killed, those that wait never start; a later pool is as good as new."""
    places = [tmp_path / name for name in ("first", "second", "third")]
    for place in places:
        place.mkdir()

    def run(place: Path) -> None:
        PYTHON.run(["-c", STUBBORN], cwd=place, log="log", timeout_s=60)

    with pytest.raises(LabError), tools.pool(2) as workers:
        runs = [workers.submit(run, place) for place in places]
        children = [child_of(place) for place in places[:2]]
        raise LabError("no")
    assert all(gone(child) for child in children)
    assert [type(run.exception()) for run in runs[:2]] == [Stop, Stop]
    assert runs[2].cancelled()
    assert not (places[2] / "log").exists()
    with tools.pool(1) as workers:
        workers.submit(PYTHON.run, ["-c", ""], cwd=tmp_path, log="log", timeout_s=60).result()


def test_what_a_tool_keeps_for_itself_is_in_its_directory(tmp_path: Path) -> None:
    """A compiler that is killed leaves its temporary files: they go with the job."""
    program = "import tempfile; tempfile.mkstemp(prefix='mine')"
    PYTHON.run(["-c", program], cwd=tmp_path, log="log", timeout_s=60)
    assert len(list(tmp_path.glob("mine*"))) == 1


def test_only_the_pool_inside_a_pool_fails(tmp_path: Path) -> None:
    """Its own tool ends; that of the thread beside it goes on to its end."""
    fails, goes_on = tmp_path / "fails", tmp_path / "goes on"
    fails.mkdir()
    goes_on.mkdir()

    def fail() -> None:
        with tools.pool(1) as inner:
            inner.submit(PYTHON.run, ["-c", STUBBORN], cwd=fails, log="log", timeout_s=60)
            child_of(fails)
            child_of(goes_on)
            raise LabError("no")

    program = "import pathlib, time; pathlib.Path('pid').write_text('1'); time.sleep(2); print(2)"
    with tools.pool(2) as workers:
        other = workers.submit(PYTHON.run, ["-c", program], cwd=goes_on, log="log", timeout_s=60)
        assert isinstance(workers.submit(fail).exception(), LabError)
        assert gone(child_of(fails))
        assert not other.done()
        other.result()
    assert (goes_on / "log").read_text(encoding="utf-8") == "2\n"


def test_a_pool_bounds_the_tools_of_pools_inside_it(tmp_path: Path) -> None:
    """Two threads with a pool of two each, in a pool of two: two tools at once."""
    program = "import os, sys, time; {}; time.sleep(0.5); {}"
    program = program.format("os.mkdir(sys.argv[1])", "os.rmdir(sys.argv[1])")
    (tmp_path / "now").mkdir()
    most = 0

    def inner(number: int) -> None:
        with tools.pool(2) as workers:
            runs = []
            for run in range(2):
                place = tmp_path / f"{number}-{run}"
                place.mkdir()
                args = ["-c", program, str(tmp_path / "now" / place.name)]
                runs.append(workers.submit(PYTHON.run, args, cwd=place, log="log", timeout_s=60))
            for each in runs:
                each.result()

    with tools.pool(2) as workers:
        both = [workers.submit(inner, number) for number in range(2)]
        while not all(each.done() for each in both):
            most = max(most, len(list((tmp_path / "now").iterdir())))
            time.sleep(0.01)
        for each in both:
            each.result()
    assert most == 2


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system has no affinity")
def test_only_allowed_processors_count() -> None:
    """A process that `taskset` has tied to one processor runs one tool at once."""
    program = "from hashfabric.base.tools import processors; print(processors())"
    one = f"import os; os.sched_setaffinity(0, {{min(os.sched_getaffinity(0))}}); {program}"
    done = subprocess.run([sys.executable, "-c", one], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"
