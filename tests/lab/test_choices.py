"""Which core for which need: what the README's table says follows from rows and registry."""

from pathlib import Path

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.base.text import ONE_SEED, ONE_SEED_LINE
from hashfabric.registry.designs import Design, find_design, load_designs
from hashfabric.registry.results import Fmax, MeasuredRow, load_rows
from hashfabric.report import choices
from tests.support.sample_rows import of_one_seed, row_for

START, SMALL, THOUSAND, ONE, MANY, PORT, DENSE, PER_LUT, PER_CELL, *REST = (
    need.words for need in choices.NEEDS
)
MOST, DSP, PERIPHERAL, LEAST, SOFTWARE = REST

KINDS = {"core": "engine", "fast": "engine", "small": "stream", "slots": "stream"}
KINDS |= {"regs": "peripheral", "regs-least": "peripheral"}


@pytest.fixture
def designs(toy_root: Path) -> dict[str, Design]:
    """A family's plain design, with two engines and two streams."""
    path = toy_root / "designs" / "toy.toml"
    text = path.read_text("utf-8").replace('name = "toy"', 'name = "keccak-iterative"')
    text = text[: text.index("[variant")]
    text += "".join(f'[variant.{one}]\ntop = "toy"\nkind = "{KINDS[one]}"\n' for one in KINDS)
    path.unlink()
    (path.parent / "keccak-iterative.toml").write_text(text, encoding="utf-8")
    return {"keccak-iterative": find_design("keccak-iterative", toy_root)}


@pytest.fixture
def rows(toy_root: Path) -> dict[str, MeasuredRow]:
    """A row of each variant, by its name, each the best at something."""
    row = row_for(toy_root).model_copy(update={"name": "keccak-iterative"})
    figures: dict[str, dict[str, object]] = {
        "core": {"luts": 2000, "luts_core": 1500, "ffs_core": 9000, "gbps": 8.0},
        "fast": {"luts": 9000, "luts_core": 8000, "ffs_core": 8000, "gbps": 30.0},
        "small": {"luts": 5000, "luts_core": 4000, "ffs_core": 4000, "gbps": 5.0},
        "slots": {"luts": 7000, "luts_core": 6000, "ffs_core": 6000, "gbps": 6.0, "slots": 4},
    }
    for name, luts, gbps in (("regs", 6000, 1.0), ("regs-least", 5000, 0.5)):
        figures[name] = {"luts": luts, "luts_core": luts, "ffs_core": 5000, "gbps": gbps}
    derived = {"mbps_per_lut": 1.25}
    return {
        name: row.model_copy(update={"variant": name, **derived, **figures[name]})
        for name in figures
    }


def said(rows: dict[str, MeasuredRow], designs: dict[str, Design]) -> dict[str, str]:
    """Return the variant that is taken for each need."""
    return {
        need: one.row.variant
        for needs, one in choices.chosen(rows.values(), designs)
        for need in needs
    }


WANTED = {
    START: "small",
    SMALL: "small",
    ONE: "small",
    MANY: "slots",
    PORT: "slots",
    DENSE: "small",
    PER_LUT: "core",
    PER_CELL: "fast",
    MOST: "fast",
    PERIPHERAL: "regs",
    LEAST: "regs-least",
}


def test_a_core_of_a_thousand_luts(
    rows: dict[str, MeasuredRow], designs: dict[str, Design]
) -> None:
    """The fastest complete core that takes no more."""
    for luts, wanted in ((1000, "slots"), (1001, None)):
        rows["slots"] = rows["slots"].model_copy(update={"luts_core": luts})
        assert said(rows, designs).get(THOUSAND) == wanted


def test_the_best_of_what_fits(rows: dict[str, MeasuredRow], designs: dict[str, Design]) -> None:
    """Each by its own measure; a need that nothing fits is left out."""
    assert said(rows, designs) == WANTED


@pytest.mark.parametrize(
    ("name", "change", "wanted"),
    [
        ("slots", {"luts_core": 3000, "ffs_core": 3000}, {SMALL: "slots"}),
        ("small", {"gbps": 7.0}, {PORT: "small"}),
        ("slots", {"slots": 1}, {ONE: "slots", MANY: None}),
        ("core", {"luts": 3000}, {PER_LUT: "fast"}),
        ("slots", {"luts": 5000}, {DENSE: "slots"}),
        ("core", {"ffs_core": 2000}, {PER_CELL: "core"}),
        ("core", {"gbps": 40.0}, {MOST: "core"}),
        ("core", {"dsps": 8}, {DSP: "core"}),
        ("regs", {"luts_core": 4000}, {LEAST: "regs"}),
        ("fast", {"target": "ecp5-25k"}, {MOST: "core", PER_CELL: "small"}),
        ("fast", {"gbps": None}, {MOST: "core", PER_CELL: "small"}),
        ("fast", {"variant": "gone"}, {MOST: "core", PER_CELL: "small"}),
    ],
)
def test_another_figure_is_another_choice(
    rows: dict[str, MeasuredRow],
    designs: dict[str, Design],
    name: str,
    change: dict[str, object],
    wanted: dict[str, str | None],
) -> None:
    """Nothing of the table is typed: one changed row changes it."""
    rows[name] = rows[name].model_copy(update=change)
    found = said(rows, designs)
    changed = {need for need in WANTED.keys() | found.keys() if found.get(need) != WANTED.get(need)}
    assert {need: found.get(need) for need in wanted} == wanted
    assert wanted.keys() <= changed


def test_the_function_must_be_computed(
    rows: dict[str, MeasuredRow], designs: dict[str, Design]
) -> None:
    """A variant without SHA3-256 is no candidate."""
    plain = designs["keccak-iterative"]
    small = plain.variants["small"].model_copy(update={"functions": ["shake128"]})
    designs = {plain.name: plain.model_copy(update={"variants": plain.variants | {"small": small}})}
    assert said(rows, designs) == {
        need: "slots" if variant == "small" else variant
        for need, variant in WANTED.items()
        if need != ONE
    }


def test_of_two_as_good_the_first(rows: dict[str, MeasuredRow], designs: dict[str, Design]) -> None:
    """The table does not depend on the rows' order."""
    rows["slots"] = rows["slots"].model_copy(update={"gbps": 5.0, "luts_core": 4000})
    backwards = dict(reversed(rows.items()))
    assert said(rows, designs) == said(backwards, designs)
    assert said(rows, designs)[SMALL] == said(rows, designs)[PORT] == "small"


def test_a_row_of_few_seeds_waits(rows: dict[str, MeasuredRow], designs: dict[str, Design]) -> None:
    """The faster one is taken when it has five seeds, too."""
    five = Fmax.of({seed: 100.0 + seed for seed in range(1, 6)}, {})
    assert said(rows, designs)[PORT] == "slots"
    rows["small"] = rows["small"].model_copy(update={"fmax_mhz": five})
    assert said(rows, designs)[PORT] == "small"
    rows["slots"] = rows["slots"].model_copy(update={"fmax_mhz": five})
    assert said(rows, designs)[PORT] == "slots"


def test_a_line_of_the_table(rows: dict[str, MeasuredRow], designs: dict[str, Design]) -> None:
    """What it is called, where it is described, its figures; those of one seed are marked."""
    rows["small"] = rows["small"].model_copy(update={"brams": 67})
    text = choices.table([rows["small"]], designs)
    line = "| [keccak-iterative/small](docs/toy.md) | complete: padding, AXI4-Stream | 1 | "
    assert line + "5,000 (4,000) | 7,000 (4,000) | 67 | 110.0 | 5.00 | 1.25 | 1.25 |\n" in text
    assert ONE_SEED not in text
    text = choices.table([of_one_seed(rows["small"])], designs)
    assert "| 120.0¹ | 5.00¹ | 1.25¹ | 1.25¹ |\n" in text
    assert text.endswith(f"\n{ONE_SEED_LINE}\n")
    assert choices.table([], designs) == ""


def test_small_figures_keep_their_digits(
    rows: dict[str, MeasuredRow], designs: dict[str, Design]
) -> None:
    """Software is a thousand times slower, and not 0.00."""
    slow = rows["small"].model_copy(update={"gbps": 0.000872, "mbps_per_lut": 0.000303})
    assert "| 0.00087 | 0.0003 | 0.00022 |\n" in choices.table([slow], designs)


def test_this_checkout_has_a_core_for_each_visitor() -> None:
    """What to start with is there, complete, and a program; and five to twelve lines."""
    lines = choices.chosen(load_rows(ROOT), load_designs())
    taken = {need: one for needs, one in lines for need in needs}
    assert {START, SMALL, THOUSAND, MANY, PER_LUT, MOST, SOFTWARE} <= set(taken)
    assert taken[START].variant.kind == "stream"
    assert len(lines) in range(5, 13)


def test_each_choice_of_this_checkout_has_five_seeds() -> None:
    """As docs/measure/methodology.md says of README's rows."""
    few = {
        f"{one.row.name}/{one.row.variant}": one.row.fmax_mhz and one.row.fmax_mhz.n
        for _, one in choices.chosen(load_rows(ROOT), load_designs())
        if one.row.fmax_mhz is None or one.row.fmax_mhz.n < 5
    }
    assert few == {}
