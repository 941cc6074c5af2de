"""Progress off a terminal: plain lines on standard error, or nothing when quiet."""

import time

import pytest

from hashfabric.errors import LabError
from hashfabric.progress import Steps, slow_step


def test_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """A line when a step starts, one with its outcome when it ends; none on standard output."""
    with Steps() as steps:
        with steps.step("first") as notes:
            notes.append("42 LUT4")
        with steps.step("second"):
            pass
        with pytest.raises(LabError), steps.step("third"):
            raise LabError("no")
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "first ...",
        "first: 42 LUT4 (0 s)",
        "second ...",
        "second: done (0 s)",
        "third ...",
        "third: failed (0 s)",
    ]


def test_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing at all beside the JSON."""
    with Steps(quiet=True) as steps, steps.step("first"):
        pass
    assert capsys.readouterr() == ("", "")


def test_slow_step_speaks_only_when_slow(capsys: pytest.CaptureFixture[str]) -> None:
    """What takes no time needs no word; `quiet` keeps even a slow one silent."""
    with slow_step("quick"):
        pass
    with slow_step("silent", quiet=True):
        time.sleep(1.2)
    assert capsys.readouterr() == ("", "")
    with slow_step("slow"):
        time.sleep(1.2)
    assert capsys.readouterr() == ("", "slow ...\n")
