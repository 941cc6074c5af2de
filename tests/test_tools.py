"""Running tools: versions are the tools' own, and every failure is one line that names its log."""

import sys
from pathlib import Path

import pytest

from hashfabric import tools
from hashfabric.errors import LabError
from hashfabric.tools import Tool, ToolError, ToolTimeout

PYTHON = Tool("python", Path(sys.executable).name, ("--version",), r"Python (\S+)")


@pytest.mark.parametrize("tool", [tools.YOSYS, tools.NEXTPNR_ECP5, tools.ECPPACK, tools.VERILATOR])
def test_every_tool_tells_its_version(tool: Tool) -> None:
    """A version has a number in it, and is not the program's name."""
    version = tool.version()
    assert any(letter.isdigit() for letter in version)
    assert not version.startswith(tool.name)


def test_verible_is_there() -> None:
    """The style linter is installed with the rest."""
    assert Path(tools.VERIBLE_LINT.path()).is_file()


def test_a_missing_tool_is_told(tmp_path: Path) -> None:
    """The message says what to run."""
    tool = Tool("nothing", "hashfabric-no-such-tool", (), "")
    with pytest.raises(LabError, match=r"no program 'hashfabric-no-such-tool': run 'make setup'"):
        tool.run([], cwd=tmp_path, log="log", timeout_s=1)


def test_a_tool_that_does_not_run_has_no_version() -> None:
    """A broken installation is told, not a made-up version returned."""
    with pytest.raises(LabError, match="does not run"):
        Tool("broken", PYTHON.executable, ("--no-such-option",), r"(\d+)").version()


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
