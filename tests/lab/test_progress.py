"""Progress off a terminal: plain lines on standard error, or nothing when quiet."""

import time

import pytest

from hashfabric.base import progress
from hashfabric.base.errors import LabError, Stop
from hashfabric.base.progress import Bar, Bars, Steps, step


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


def test_a_step_that_is_quick_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """A slow step has both lines, one that fails quickly has only the error's."""
    with step("quick", after_s=60):
        pass
    with pytest.raises(LabError), step("refused", after_s=60):
        raise LabError("no")
    with step("slow", after_s=0.01):
        time.sleep(0.2)
    assert capsys.readouterr() == ("", "slow ...\nslow: done (0 s)\n")


def test_a_quick_step_on_a_terminal_says_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """There a slow one has its line from then on, and keeps it."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with Steps() as steps:
        with steps.step("quick", after_s=60):
            pass
        with steps.step("slow", after_s=0.01):
            time.sleep(0.2)
    shown = capsys.readouterr().err
    assert "quick" not in shown
    assert "slow: done" in shown


def test_bars_are_for_terminals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bytes done of all, by name, on standard error; hidden bars are not drawn; elsewhere none."""
    monkeypatch.setattr(progress, "BAR_AFTER_S", 0.0)
    with Bars() as bars:
        Bar(bars, "file").update(1, 2)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with Bars() as bars:
        bar = Bar(bars, "[file]")
        bar.update(3000, 9000)
        out, err = capsys.readouterr()
        assert out == ""
        assert "[file]" in err
        assert "3.0/9.0 kB" in err
        bars.hide()
        capsys.readouterr()
        bar.update(4000, 9000)
        assert capsys.readouterr() == ("", "")
        bars.show()
        Bar(bars, "pipe").update(5000, None)
        bar.close()
        shown = capsys.readouterr().err
        assert "5.0/? kB" in shown
        assert "[file]" not in shown.rpartition("\x1b[2K")[2]


def test_no_bar_for_what_is_quick(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is drawn in the first second."""
    monkeypatch.setattr(progress, "BAR_AFTER_S", 1000.0)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with Bars() as bars:
        bar = Bar(bars, "file")
        bar.update(1, 2)
        bar.close()
    assert capsys.readouterr() == ("", "")
