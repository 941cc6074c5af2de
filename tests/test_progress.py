"""Progress off a terminal: plain lines on standard error, or nothing when quiet."""

import pytest

from hashfabric.errors import LabError, Stop
from hashfabric.progress import Steps, step


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


def test_a_step_joins_those_that_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """By itself, among others, and as quiet as they are."""
    with step("alone") as notes:
        notes.append("made")
    with Steps(quiet=True) as steps, steps.step("whole"), step("part"):
        assert Steps.current is steps
    assert Steps.current is None
    assert capsys.readouterr() == ("", "alone ...\nalone: made (0 s)\n")


def test_what_is_stopped_says_nothing_more(capsys: pytest.CaptureFixture[str]) -> None:
    """The command has one line for it."""
    with pytest.raises(Stop), Steps() as steps, steps.step("first"):
        raise Stop(2)
    assert capsys.readouterr() == ("", "first ...\n")
