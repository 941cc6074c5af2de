"""Questions to the rows: bounds, orders and fronts, against a plain search of the same rows."""

import json
from pathlib import Path

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.registry.designs import load_designs
from hashfabric.registry.results import MeasuredRow, load_rows, save_rows
from hashfabric.report.find import Bound, Order, Question, front, order
from tests.support.commands import fails, run
from tests.support.sample_rows import row_for

DESIGNS = load_designs()
ROWS = load_rows()


def names(rows: list[MeasuredRow]) -> list[tuple[str, str, str]]:
    """Which rows these are."""
    return [(row.name, row.variant, row.target) for row in rows]


def test_bounds_and_an_order() -> None:
    """As a loop over the rows finds them, in both directions."""
    bounds = [Bound("gbps", "min", 5), Bound("luts", "max", 9000)]
    found = Question(bounds, Order("luts", descending=False)).answer(ROWS, DESIGNS)
    wanted = [row for row in ROWS if row.gbps is not None and row.gbps >= 5 and row.luts <= 9000]
    assert 3 < len(wanted) < len(ROWS)
    assert sorted(names(found)) == sorted(names(wanted))
    assert [row.luts for row in found] == sorted(row.luts for row in wanted)
    most = Question(bounds, Order("gbps", descending=True), first=2).answer(ROWS, DESIGNS)
    assert [row.gbps for row in most] == sorted(row.gbps or 0 for row in wanted)[:-3:-1]


def test_a_row_without_the_figure_does_not_fit() -> None:
    """Rows of counts have no throughput: neither bound holds, and they are in no order of it."""
    assert any(row.gbps is None for row in ROWS)
    for question in (
        Question([Bound("gbps", "min", 0)]),
        Question([Bound("gbps", "max", 1e9)]),
        Question(order=Order("gbps", descending=False)),
        Question(front=("luts", "gbps")),
    ):
        assert all(row.gbps is not None for row in question.answer(ROWS, DESIGNS))


def test_the_front_is_of_one_kind(toy_root: Path) -> None:
    """Nothing beats what is on it; all else is beaten; other targets do not count."""
    best = row_for(toy_root)
    beaten = best.model_copy(update={"luts": best.luts + 1})
    fast = beaten.model_copy(update={"gbps": 2 * (best.gbps or 0)})
    far = beaten.model_copy(update={"target": "xc7"})
    rows = [beaten, best, fast, far, best]
    assert front(rows, ("luts", "gbps"), {}) == [best, fast, far, best]
    assert front(rows, ("gbps", "luts"), {}) == [best, fast, far, best]

    own = [row for row in ROWS if row.target == "ecp5-85k"]
    found = names(front(own, ("luts_core", "gbps"), DESIGNS))
    kinds = {DESIGNS[name].variants[variant].kind for name, variant, _ in found}
    assert {"engine", "word-engine", "stream", "peripheral"} <= kinds
    for kind in kinds:
        smallest = min(
            (row for row in own if DESIGNS[row.name].variants[row.variant].kind == kind),
            key=lambda row: (row.gbps is None, row.luts_core, -(row.gbps or 0)),
        )
        assert names([smallest])[0] in found


def test_faults() -> None:
    """An unknown column, one of words, no number, two orders; nothing found."""
    for text, said in (
        ("speed=1", "unknown column 'speed': one of slots, "),
        ("design=1", "unknown column 'design'"),
        ("gbps=x", "--min-gbps: 'x': a number is required"),
        ("gbps=nan", "a number is required"),
        ("gbps=inf", "--min-gbps: 'inf': a number is required"),
        ("gbps=1e999", "a number is required"),
        ("gbps=1_0", "--min-gbps: '1_0': a number is required"),
        ("gbps= 1", "a number is required"),
        ("gbps=1\n", "a number is required"),
        ("gbps=\u0661", "a number is required"),
        ("luts_core", "--min-luts-core: '': a number is required"),
    ):
        with pytest.raises(LabError, match=said):
            Bound.read(text, "min")
    for text, number in (("1e9", 1e9), ("-2", -2.0), (".5", 0.5), ("5.", 5.0), ("+1E-3", 1e-3)):
        assert Bound.read(f"gbps={text}", "min").value == number
    with pytest.raises(LabError, match="one of them only"):
        order("luts", "gbps")
    with pytest.raises(LabError, match="unknown column 'slots'"):
        front(ROWS, ("slots", "gbps"), DESIGNS)
    with pytest.raises(LabError, match="no row fits: gbps min 1e\\+06"):
        Question([Bound("gbps", "min", 1e6)]).answer(ROWS, DESIGNS)


def test_the_command() -> None:
    """The question of the page: the first row is the smallest stream that is fast enough."""
    question = ("--target", "ecp5-85k", "--kind", "stream", "--min-gbps", "5", "--least", "luts")
    found = json.loads(run(ROOT, "find", *question, "--json").stdout)
    luts = [row["luts"] for row in found]
    assert luts == sorted(luts) and all(row["gbps"] >= 5 for row in found)
    same = run(
        ROOT, "find", *question[:4], "--least=luts", "--min-gbps=5", "--max-luts-core", "1e9"
    )
    assert same.returncode == 0
    head, _, *lines = same.stdout.splitlines()
    assert head.startswith("| Design | Variant | ") and len(lines) == len(found)
    assert lines[0].startswith(f"| {found[0]['design']} | {found[0]['variant']} | ecp5-85k |")


@pytest.mark.slow
def test_the_command_on_other_rows(toy_root: Path) -> None:
    """A folder of rows; one line for what is wrong."""
    folder = toy_root / "own"
    save_rows([row_for(toy_root)], "toy", "ecp5-85k", toy_root)
    (toy_root / "results").rename(folder)
    (toy_root / "results").mkdir()
    said = run(toy_root, "find", str(folder), "--pareto", "luts", "gbps").stdout
    assert "| toy | core | ecp5-85k |" in said
    assert "no row fits" in fails(toy_root, "find", str(folder), "--min-seeds", "4")
    assert "'--min-gbps'" not in fails(toy_root, "find", str(folder), "--min-gbps")
