"""Two states of the results: what moved beyond the spread of its seeds, what came and went."""

import json
import subprocess
from pathlib import Path

import pytest

from hashfabric.base.errors import LabError
from hashfabric.registry.results import Fmax, MeasuredRow, save_rows
from hashfabric.report.compare import CAME, WENT, Change, changes, load
from tests.support.commands import run
from tests.support.sample_rows import row_for


def saved(root: Path, *rows: MeasuredRow) -> Path:
    """A folder with these rows of one design and target."""
    return save_rows(rows, rows[0].name, rows[0].target, root).parent


def clocked(row: MeasuredRow, *mhz: float) -> MeasuredRow:
    """The row with these clocks over seeds."""
    fmax = Fmax.of(dict(enumerate(mhz, start=1)), {})
    return row.model_copy(update={"fmax_mhz": fmax})


def moved(tmp_path: Path, old: MeasuredRow, new: MeasuredRow, margin: float = 0.0) -> list[Change]:
    """What `compare` says of a row before and after."""
    before, after = (
        load(str(saved(tmp_path / name, row))) for name, row in (("old", old), ("new", new))
    )
    return changes(before, after, margin)


@pytest.mark.parametrize(
    ("old", "new", "worse"),
    [
        ((100, 110, 120), (100, 110, 120), None),
        ((100, 110, 120), (111, 119, 130), None),  # within the old range
        ((100, 101, 102), (90, 103, 130), None),  # the old median is within the new range
        ((100, 110, 120), (121, 122, 123), False),
        ((100, 110, 120), (80, 90, 99), True),
        ((100,), (100,), None),
        ((100,), (99,), True),  # one seed has no spread
        ((100,), (90, 95, 110), None),
    ],
)
def test_a_clock_moves_beyond_its_spread(
    toy_root: Path, tmp_path: Path, old: list[float], new: list[float], worse: bool | None
) -> None:
    """By the medians and the ranges, in the right direction."""
    row = row_for(toy_root)
    found = moved(tmp_path, clocked(row, *old), clocked(row, *new))
    assert [change.worse for change in found] == ([] if worse is None else [worse])
    assert all(change.what == "fmax_mhz" for change in found)


def test_counts_have_no_spread(toy_root: Path, tmp_path: Path) -> None:
    """Any change is one, in either direction, unless a margin is given."""
    row = row_for(toy_root)
    other = row.model_copy(update={"luts": 5010, "ffs": 6990, "brams": 2})
    found = {change.what: change for change in moved(tmp_path, row, other)}
    assert {name: change.worse for name, change in found.items()} == {
        "luts": True,
        "ffs": False,
        "brams": True,
    }
    assert found["luts"].percent == pytest.approx(0.2)
    assert [change.what for change in moved(tmp_path, row, other, margin=1)] == ["brams"]


def test_routed_or_not(toy_root: Path, tmp_path: Path) -> None:
    """A clock that came or went is a change; unrouted twice is none."""
    row = row_for(toy_root)
    none = row.model_copy(update={"fmax_mhz": Fmax.of({1: None}, {1: "late"})})
    counts = row.model_copy(update={"fmax_mhz": None})
    assert [one.worse for one in moved(tmp_path, row, none)] == [True]
    assert [one.worse for one in moved(tmp_path, none, row)] == [False]
    assert moved(tmp_path, none, none) == moved(tmp_path, counts, counts) == []
    (change,) = moved(tmp_path, row, none)
    assert (change.old, change.new) == ("110.0 (100.0–120.0, n=3)", "not routed")


def test_rows_come_and_go(toy_root: Path, tmp_path: Path) -> None:
    """Each is named; only one that went is worse."""
    row = row_for(toy_root)
    other = row.model_copy(update={"variant": "wide"})
    old, new = saved(tmp_path / "old", row), saved(tmp_path / "new", other)
    found = {
        change.key[1]: (change.what, change.worse)
        for change in changes(load(str(old)), load(str(new)))
    }
    assert found == {"core": (WENT, True), "wide": (CAME, False)}


def git(root: Path, *args: str) -> str:
    """Run git in a checkout."""
    own = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    command = ["git", "-C", str(root), *own, *args]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_the_command_on_commits(toy_root: Path) -> None:
    """Status 0 and nothing printed where nothing moved, else 3; other fields are no fault."""
    row = clocked(row_for(toy_root), 100, 110, 120)
    path = saved(toy_root, row) / "toy-ecp5-85k.json"
    git(toy_root, "init", "-q")
    old = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps([{**old[0], "of_long_ago": 1}]), encoding="utf-8")
    git(toy_root, "add", ".")
    git(toy_root, "commit", "-q", "-m", "first")
    saved(toy_root, clocked(row, 200, 210, 220).model_copy(update={"luts": 5001}))

    differ = run(toy_root, "compare", "HEAD")
    assert (differ.returncode, differ.stderr) == (3, "")
    assert "| toy | core | ecp5-85k | luts | 5,000 | 5,001 | +0.0 % | worse |" in differ.stdout
    assert "| 210.0 (200.0–220.0, n=3) | +90.9 % | better |" in differ.stdout
    worse = run(toy_root, "compare", "HEAD", str(toy_root / "results"), "--worse", "--json")
    assert worse.returncode == 3
    assert [change["what"] for change in json.loads(worse.stdout)] == ["luts"]
    for state, said in (
        ("nothing", "nothing: no folder, and no commit of "),
        ("-x", "no folder, and no commit"),
        (str(toy_root / "docs"), "docs: no rows in it"),
    ):
        with pytest.raises(LabError, match=said):
            load(state, toy_root)


def test_a_file_that_has_no_rows_is_named(toy_root: Path) -> None:
    """With the state that it is of."""
    path = saved(toy_root, row_for(toy_root)) / "toy-ecp5-85k.json"
    for text in ("{}", "[1]", "[", '[{"name": "toy"}]'):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(LabError, match=r"toy-ecp5-85k\.json: "):
            load(str(toy_root))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("fmax_mhz", '{"median": 5, "min": null, "max": null, "n": 2}'),
        ("fmax_mhz", '{"median": null, "min": 1, "max": 2, "n": 2}'),
        ("fmax_mhz", '{"median": 0, "min": 0, "max": 0, "n": 1}'),
        ("luts", "NaN"),
        ("ffs", "Infinity"),
        ("clocks_per_block", "-1"),
        ("brams", "1" + 400 * "0"),
    ],
)
def test_a_figure_that_no_row_has_is_a_fault(toy_root: Path, field: str, value: str) -> None:
    """One line with the file and the field, and no traceback; JSON has no NaN."""
    path = saved(toy_root, row_for(toy_root)) / "toy-ecp5-85k.json"
    entry = json.loads(path.read_text(encoding="utf-8"))[0]
    entry[field] = "HERE"
    path.write_text(json.dumps([entry]).replace('"HERE"', value), encoding="utf-8")
    with pytest.raises(LabError, match=rf"toy-ecp5-85k\.json: 0\.{field}"):
        load(str(toy_root))
