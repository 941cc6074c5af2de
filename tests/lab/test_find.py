"""Questions to the rows: bounds, orders and fronts, against a plain search of the same rows."""

import json
from pathlib import Path

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.registry.designs import load_designs
from hashfabric.registry.results import MeasuredRow, load_rows, save_rows
from hashfabric.report.find import Bound, Order, Question, front, order
from hashfabric.report.tables import speed_line
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


def test_a_front_is_of_one_function() -> None:
    """Twelve rounds for TurboSHAKE, or a tree's chunks, beat no row of SHA-3."""
    own = [row for row in ROWS if row.target == "ecp5-85k"]
    found = front(own, ("luts", "gbps"), DESIGNS)

    def stated(row: MeasuredRow) -> tuple[str, str]:
        design = DESIGNS[row.name]
        variant = design.variants[row.variant]
        return variant.kind, design.throughput_function(variant)

    assert {("stream", "sha3-256"), ("stream", "turboshake128")} <= set(map(stated, found))
    for function in set(map(stated, own)):
        alone = [row for row in own if stated(row) == function]
        assert names(front(alone, ("luts", "gbps"), DESIGNS)) == [
            name for name, row in zip(names(found), found, strict=True) if stated(row) == function
        ]


def test_speed_of_another_function_is_named() -> None:
    """A core of several functions has the speed of SHA3-256 where it computes it."""

    def of(design: str) -> list[MeasuredRow]:
        return [row for row in ROWS if row.name == design]

    iterative = "keccak-iterative"
    ours = [row for row in of(iterative) if "sha3-256" in DESIGNS[iterative].functions]
    assert speed_line(ours, DESIGNS) == speed_line(ours, DESIGNS, ["sha3-256"]) == ""
    assert speed_line([], DESIGNS, ["sha3-512"]) == ""
    general = "Speed is that of sha3-256 (1,088 bits a block)"
    assert (
        speed_line(ours, DESIGNS, ["sha3-512", "sha3-256"])
        == f"{general}; a block of sha3-512 has 576."
    )
    assert speed_line([*ours, *of("jh")], DESIGNS) == f"{general}, but in jh of jh-224 (512)."
    assert speed_line(of("jh"), DESIGNS, ["jh-224"]) == ""
    assert speed_line(of("jh"), DESIGNS) == "Speed is that of jh-224 (512 bits a block)."
    assert speed_line(of("keccak-tree"), DESIGNS, ["kt128"]) == ""
    said = speed_line([*of("keccak-tree"), *of("jh")], DESIGNS, ["kt256"])
    assert said == (
        "Speed is in keccak-tree that of kt128 (1,344 bits a block), "
        "in jh that of jh-224 (512 bits a block)."
    )
    asked = ("--target", "ecp5-85k", "--function", "sha3-512")
    for command in (("find", *asked, "--min-gbps", "17"), ("table", *asked)):
        assert run(ROOT, *command).stdout.endswith(
            f"|\n\n{general}; a block of sha3-512 has 576.\n"
        )
    assert "Speed" not in run(ROOT, "table", *asked, "--format", "csv").stdout
    for columns, there in (("luts", False), ("gbps", True), ("mbps_per_lut", True)):
        shown = run(ROOT, "table", "--family", "jh", "--columns", f"design,variant,{columns}")
        assert ("Speed" in shown.stdout) is there


def test_functions_that_a_core_frames() -> None:
    """KMAC of one core, whose speed is still that of SHA3-256; every function has a name."""
    asked = ("--target", "ecp5-85k", "--function", "kmac128")
    found = json.loads(run(ROOT, "find", *asked, "--json").stdout)
    assert [(row["design"], row["variant"]) for row in found] == [("keccak-iterative", "kmac")]
    assert found[0]["speed_of"] == "sha3-256"
    assert "no row of" in fails(ROOT, "find", "--function", "parallelhash256", "--target", "xcup")


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
        ("luts_core=", "--min-luts-core: '': a number is required"),
        ("gbps", "--min gbps: COLUMN=N is required"),
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
    counted = [row for row in ROWS if row.target == "xc7"]
    for question in (
        Question([Bound("luts", "min", 1), Bound("gbps", "min", 1)]),
        Question(order=Order("gbps", descending=True)),
        Question(front=("luts", "gbps")),
    ):
        with pytest.raises(LabError, match=f"no row fits: none of {len(counted)} has gbps"):
            question.answer(counted, DESIGNS)


def test_the_command() -> None:
    """The question of the page: the first row is the smallest stream that is fast enough."""
    asked = ("--target", "ecp5-85k", "--kind", "stream", "--function", "sha3-256")
    question = (*asked, "--min-gbps", "5", "--least", "luts")
    found = json.loads(run(ROOT, "find", *question, "--json").stdout)
    luts = [row["luts"] for row in found]
    words = {(row["kind"], row["family"], row["speed_of"]) for row in found}
    assert words == {("stream", "keccak", "sha3-256")}
    assert luts == sorted(luts) and all(row["gbps"] >= 5 for row in found)
    bounds = ("--least=luts", "--min-gbps=5", "--max-luts-core", "1e9")
    same = run(ROOT, "find", *asked, *bounds)
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
