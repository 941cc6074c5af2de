"""Tables come from the raw rows; what was edited by hand, or is out of date, is found."""

import io
import json
import math
from pathlib import Path

import pytest
from rich.console import Console

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.text import ONE_SEED, ONE_SEED_LINE
from hashfabric.flows.targets import load_targets
from hashfabric.power.rows import load as load_power
from hashfabric.registry.designs import load_designs
from hashfabric.registry.results import (
    FirmwareUse,
    Fmax,
    PermutationUse,
    SoftwareSpeed,
    Speed,
    Statistics,
    TaskRow,
    TaskUse,
    load_rows,
    load_simulator,
    rounded,
    save_rows,
    save_simulator,
    save_software,
    throughput_gbps,
)
from hashfabric.report import coverage, systems, tables
from hashfabric.report import pages as report
from tests.support.sample_rows import of_one_seed, row_for

README = f"# Toy\n\n{report.BEGIN}\nold\n{report.END}\n\nThe rest.\n"


@pytest.fixture
def reported(toy_root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one result and its report written, without drawings (test_plot.py)."""
    monkeypatch.setattr(report, "_stale_drawings", lambda _root: {})
    save_rows([row_for(toy_root)], "toy", "ecp5-85k", toy_root)
    (toy_root / "README.md").write_text(README, encoding="utf-8")
    report.write(toy_root)
    return toy_root


def test_statistics() -> None:
    """Over the seeds that routed; an even number has its middle between two."""
    fmax = Fmax.of({2: 100.0, 1: 120.0, 3: None, 4: 110.0}, {3: "late"})
    assert (fmax.median, fmax.min, fmax.max, fmax.n) == (110.0, 100.0, 120.0, 3)
    assert list(fmax.seeds) == ["1", "2", "3", "4"]
    assert Fmax.of({1: 1.0, 2: 2.0}, {}).median == 1.5
    none = Fmax.of({1: None}, {1: "late"})
    assert (none.median, none.min, none.max, none.n) == (None, None, None, 0)


def test_throughput() -> None:
    """Paper `latif-finalists`: 1088 bits at 275.56 MHz in 24 clocks are 12.49 Gb/s."""
    assert throughput_gbps(1088, 275.56, 24) == pytest.approx(12.492, abs=1e-3)


def test_a_clock_of_one_seed_has_no_range() -> None:
    """It says so, and of how many seeds."""
    assert Fmax.of({1: 141.5}, {}).text() == "141.5 (n=1)"
    assert Fmax.of({1: 141.5, 2: None}, {2: "late"}).text() == "141.5 (n=1 of 2)"
    assert Fmax.of({1: 141.5, 2: 141.5}, {}).text() == "141.5 (141.5–141.5, n=2)"


def test_throughput_per_logic_cell(toy_root: Path) -> None:
    """By the larger of LUTs and flip-flops of the top alone; not stored, none without a clock."""
    row = row_for(toy_root)
    assert row.mbps_per_cell == pytest.approx(4986.7 / 4444, abs=1e-4)
    more = row.model_copy(update={"ffs_core": 8888})
    assert more.mbps_per_cell == pytest.approx(4986.7 / 8888, abs=1e-4)
    assert row.model_copy(update={"gbps": None}).mbps_per_cell is None
    assert row.as_json() == {**row.model_dump(), "mbps_per_cell": row.mbps_per_cell}
    assert "mbps_per_cell" not in row.model_dump()


def test_rows_come_back(reported: Path) -> None:
    """What is saved is what is loaded."""
    assert load_rows(reported) == [row_for(reported)]


def test_the_report_shows_the_row(reported: Path) -> None:
    """Both files hold the figures; the rest of the README is as it was."""
    readme = (reported / "README.md").read_text(encoding="utf-8")
    assert readme.startswith("# Toy\n\n")
    assert readme.endswith(f"{report.END}\n\nThe rest.\n")
    assert "old" not in readme
    results = (reported / "docs" / "measure" / "results.md").read_text(encoding="utf-8")
    for text in (readme, results):
        assert "a LUT is a LUT4" in text
        assert "5,000 (4,444) | 7,000 (3,333)" in text
        assert "| 4.99 | 1.00 | 1.12 |\n" in text
        assert ONE_SEED not in text
    assert "| toy | core |  | measured | 1 | 5,000 (4,444) |" in results
    assert "110.0 (100.0–120.0, n=3 of 4)" in results
    origin = (reported / report.PROVENANCE).read_text(encoding="utf-8")
    assert "3: not routed" in origin
    assert "`synth_ecp5 -nowidelut -top toy; setattr" in origin


def add_variants(root: Path, *names: str) -> None:
    """Give the toy more variants, each with a note."""
    path = root / "designs" / "toy.toml"
    variant = '\n[variant.{0}]\ntop = "toy"\nkind = "engine"\n'
    text = path.read_text("utf-8")
    text += "".join(variant.format(name) + f'note = "the {name} one"\n' for name in names)
    path.write_text(text, encoding="utf-8")


def test_several_variants_in_the_registrys_order(reported: Path) -> None:
    """Each with its note; targets with a clock first."""
    add_variants(reported, "wide", "deep")
    row = row_for(reported)
    deep = row.model_copy(update={"variant": "deep", "slots": 4})
    wide = row.model_copy(update={"variant": "wide"})
    save_rows([deep, wide, row], "toy", "ecp5-85k", reported)
    counts = {"fmax_mhz": None, "gbps": None, "mbps_per_lut": None, "bitstream_seed": None}
    xc7 = {"target": "xc7", "device": "xc7", "lut": "LUT6"}
    save_rows([deep.model_copy(update=counts | xc7)], "toy", "xc7", reported)
    report.write(reported)
    text = (reported / "docs" / "measure" / "results.md").read_text("utf-8")
    core, second, third = (text.index(f"| toy | {name} |") for name in ("core", "wide", "deep"))
    assert core < second < third
    assert "| toy | deep | the deep one | measured | 4 |" in text
    assert "Not measured" not in text
    table = text.index("**xc7** (xc7; a LUT is a LUT6): synthesis counts")
    assert text.index("**ecp5-85k**") < table < text.rindex("| toy | deep |")
    origin = (reported / report.PROVENANCE).read_text(encoding="utf-8")
    assert origin.count("## toy ") == 4


def test_what_was_not_built_is_named(reported: Path) -> None:
    """A variant without a row is no failure, and no row."""
    add_variants(reported, "wide", "deep")
    report.write(reported)
    assert report.changes(reported) == report.stale(reported) == []
    text = (reported / "docs" / "measure" / "results.md").read_text("utf-8")
    assert "Not measured on ecp5-85k yet: toy wide, deep.\n" in text
    assert [text.count(f"| toy | {name} |") for name in ("core", "wide", "deep")] == [1, 0, 0]


def test_the_terminals_table_is_the_same(reported: Path) -> None:
    """As many cells as columns, with a clock or without."""
    row = row_for(reported)
    counts = row.model_copy(update={"fmax_mhz": None})
    for one, columns in ((row, tables.ROUTED_COLUMNS), (counts, tables.COUNTED_COLUMNS)):
        assert len(tables.measured_cells(one, {})) == len(columns)
        assert [table.row_count for table in tables.measured_tables([one], {})] == [1]
    none = row.model_copy(update={"fmax_mhz": Fmax.of({1: None, 2: None}, {1: "", 2: ""})})
    assert "– (0 of 2 seeds routed)" in tables.measured_cells(none, {})


def test_figures_of_one_seed_are_marked(reported: Path) -> None:
    """In their own cells, on the pages and the terminal, with a line below the table."""
    add_variants(reported, "wide")
    several = row_for(reported)
    one = of_one_seed(several).model_copy(update={"variant": "wide"})
    save_rows([several, one], "toy", "ecp5-85k", reported)
    report.write(reported)
    text = (reported / "docs" / "measure" / "results.md").read_text("utf-8")
    assert "| 110.0 (100.0–120.0, n=3 of 4) | 4.99 | 1.00 | 1.12 |\n" in text
    assert "| 120.0 (n=1 of 2) | 4.99¹ | 1.00¹ | 1.12¹ |\n" in text
    assert text.count(f"|\n\n{ONE_SEED_LINE}\n\n") == 1
    for rows, count in (([several, one], 1), ([several], 0)):
        stream = io.StringIO()
        Console(file=stream, width=250).print(*tables.measured_tables(rows, {}))
        assert stream.getvalue().count("4.99¹") == stream.getvalue().count(ONE_SEED_LINE) == count


def test_a_row_of_few_seeds_says_why(reported: Path) -> None:
    """The reason is the registry's, the count and the time are the row's; others need none."""
    path = reported / "designs" / "toy.toml"
    gap = '[[few_seeds]]\ntarget = "ecp5-85k"\nvariants = ["core"]\nreason = "it is large"\n\n'
    text = path.read_text("utf-8").replace("[variant.core]", f"{gap}[variant.core]", 1)
    path.write_text(text, encoding="utf-8")
    designs = load_designs(reported)
    several = row_for(reported)
    timed = several.provenance.model_copy(update={"seconds": {"route": 1234.5, "core": 3.0}})
    one = several.model_copy(update={"fmax_mhz": Fmax.of({1: 120.0}, {})})
    two = several.model_copy(
        update={"fmax_mhz": Fmax.of({1: 120.0, 2: None}, {2: "late"}), "provenance": timed}
    )
    assert tables.seeds_lines([several], designs) == []
    assert tables.seeds_lines([one.model_copy(update={"target": "xc7"})], designs) == []
    said = "Of fewer than 3 seeds: toy core (1 seed): it is large."
    assert tables.seeds_lines([several, one], designs) == [said]
    said = "Of fewer than 3 seeds: toy core (2 seeds, routed in 1,234 s): it is large."
    assert tables.seeds_lines([two], designs) == [said]
    save_rows([two], "toy", "ecp5-85k", reported)
    report.write(reported)
    assert f"|\n\n{ONE_SEED_LINE}\n\n{said}\n\n" in (reported / report.RESULTS).read_text("utf-8")
    for old, new, wanted in (
        ('["core"]', '["cord"]', "few_seeds: 'cord' is no variant"),
        ('["core"]', '["core", "core"]', "few_seeds: core on ecp5-85k is there twice"),
        ('"it is large"', '""', "reason"),
    ):
        path.write_text(text.replace(old, new), encoding="utf-8")
        with pytest.raises(LabError, match=wanted):
            load_designs(reported)


def test_each_row_has_three_seeds_or_says_why_not() -> None:
    """In results/: a reason for each row of fewer, and no reason for any other."""
    rows, designs = load_rows(ROOT), load_designs(ROOT)
    few = {(row.name, row.variant, row.target) for row in rows if row.few_seeds}
    said = {
        (design.name, variant, gap.target)
        for design in designs.values()
        for gap in design.few_seeds
        for variant in gap.variants
    }
    assert few == said


def test_what_is_measured_where(reported: Path) -> None:
    """Variants of those that are for the target, seeds, counts, and what did not route and why."""
    add_variants(reported, "wide", "deep")
    path = reported / "designs" / "toy.toml"
    text = path.read_text("utf-8").replace('note = "the deep one"', 'targets = ["xc7"]')
    gap = '[[not_routed]]\ntarget = "lifcl-40"\nvariants = ["core", "wide"]\nreason = "too large"\n'
    path.write_text(text.replace("[variant.core]", f"{gap}\n[variant.core]", 1), encoding="utf-8")
    designs, row = load_designs(reported), row_for(reported)
    one = row.model_copy(update={"variant": "wide", "fmax_mhz": Fmax.of({1: 120.0}, {})})
    counts = row.model_copy(update={"fmax_mhz": None, "target": "xc7"})
    assert coverage.section([], {}, {}) == []
    heading, _, table, why = coverage.section([counts, one, row], designs, {})
    assert heading == "## What is measured where\n"
    assert table.splitlines()[0] == "| Design | ecp5-85k | lifcl-40 | xc7, counts |"
    assert table.splitlines()[2:] == ["| toy | 2 of 2 (n=1–3) | 2 not | 1 of 3 |"]
    assert why.splitlines()[2:] == ["| toy | core, wide | lifcl-40 | too large |"]
    only = designs["toy"].model_copy(
        update={"variants": {"deep": designs["toy"].variants["deep"]}, "not_routed": []}
    )
    lines = coverage.section([row], {"toy": only}, {})[2].splitlines()
    assert lines[2:] == ["| toy |  |"]
    there = one.model_copy(update={"target": "ice40-up5k"})
    fits = max(row.luts, row.ffs)
    for cells, said in ((fits, "1 of 2 (n=1)"), (fits - 1, "1 of 2 (n=1), 1 too large")):
        found = coverage.section([row, there], designs, {"ice40-up5k": cells})[2].splitlines()
        assert found[2] == f"| toy | 1 of 2 (n=3) | {said} | 2 not |"
    save_rows([row, one], "toy", "ecp5-85k", reported)
    report.write(reported)
    assert "| toy | 2 of 2 (n=1–3) | 2 not |\n" in (reported / report.RESULTS).read_text("utf-8")


def test_what_does_not_route_has_no_row() -> None:
    """In designs/: each such variant is for that target, which there is, and has no row there."""
    have = {(row.name, row.variant, row.target) for row in load_rows(ROOT)}
    for design in load_designs(ROOT).values():
        for gap in design.not_routed:
            assert gap.target in load_targets(ROOT)
            for variant in gap.variants:
                assert design.variant(variant).is_for(gap.target)
                assert (design.name, variant, gap.target) not in have


def test_programs_on_processors_have_their_own_table(reported: Path) -> None:
    """Clocks a hash and bytes; figures far below the hardware's keep their digits."""
    use = FirmwareUse(
        clocks_per_hash=97_032,
        clocks_per_permutation=96_000,
        code_bytes=2_696,
        data_bytes=12,
        stack_bytes=388,
    )
    gbps = throughput_gbps(1088, 60, 107_056)
    row = row_for(reported).model_copy(
        update={
            "variant": "deep",
            "firmware": use,
            "clocks_per_block": 107_056.0,
            "gbps": gbps,
            "mbps_per_lut": rounded(1000 * gbps / 5000),
        }
    )
    assert (row.gbps, row.mbps_per_lut) == (0.0006098, 0.000122)
    cells = [
        "toy",
        "deep",
        "",
        "",
        "5,000 (4,444)",
        "7,000 (3,333)",
        "2,696",
        "400",
        "97,032",
    ]
    cells += ["107,056", "110.0 (100.0–120.0, n=3 of 4)", "0.61", "0.000122", "0.000137"]
    plain, systems = tables.sections([row, row_for(reported)], {})
    assert plain[0] == tables.ROUTED_COLUMNS
    assert systems == (tables.SYSTEM_COLUMNS, [cells])
    save_rows([row_for(reported), row], "toy", "ecp5-85k", reported)
    add_variants(reported, "deep")
    report.write(reported)
    text = (reported / "docs" / "measure" / "results.md").read_text("utf-8")
    assert text.count("**ecp5-85k**") == 1
    assert "| 2,696 | 400 | 97,032 | 107,056 |" in text


def test_a_page_of_systems_compares_them_with_the_plain_processor(reported: Path) -> None:
    """Gain over the best C, what is added, and every compiler setting."""
    setting = PermutationUse(clocks=90_000, code_bytes=3_000, instructions=23_456)
    use = FirmwareUse(
        clocks_per_hash=97_032,
        clocks_per_permutation=96_000,
        instructions_per_byte=48.1,
        settings={"-O2": setting},
        code_bytes=2_696,
        data_bytes=12,
        stack_bytes=388,
    )
    (base,) = [row_for(reported)]
    rows, designs = [], {}
    for name, variant, clocks, luts in (
        ("cpu-plain", "slow", 200_000.0, 1_000),
        ("cpu-plain", "fast", 100_000.0, 1_000),
        ("cpu-unit", "fast", 50_000.0, 1_250),
    ):
        faster = setting.model_copy(update={"clocks": round(clocks)})
        own = use.model_copy(update={"settings": {"-O2": faster}})
        update = {"name": name, "variant": variant, "clocks_per_block": clocks, "firmware": own}
        rows.append(base.model_copy(update={**update, "luts_core": luts}))
        designs[name] = load_designs(reported)["toy"].model_copy(update={"name": name})
    page = designs["cpu-plain"].docs
    part = systems.part(rows, designs, page)
    assert "| cpu-unit | fast | 96,000 | 50,000 | 2 | 48.1 | 2,696 | 400 |" in part
    assert "| cpu-plain | slow | 96,000 | 200,000 | 0.5 |" in part
    assert (
        "| 1,250 | 3,333 | +250 (+25 %) | +0 (+0 %) | 110.0 (100.0–120.0, n=3 of 4) | 100 % |"
        in part
    )
    assert "| fast | cpu-unit | 50,000 (23,456) 2.00 × |" in part
    assert "| fast | cpu-plain | 100,000 (23,456) |" in part
    assert systems.part(rows, designs, "docs/other.md") == ""
    assert systems.part([base], designs, page) == ""


def test_a_page_of_an_soc_has_what_its_peripheral_gains(reported: Path) -> None:
    """Clocks by the driver, by interrupt and in software, of libraries too; and what it takes."""
    use = FirmwareUse(
        clocks_per_hash=2_000,
        tasks={"SHA3-256 of 64 bytes": TaskUse(driver=2_000, interrupt=1_500, software=21_000)},
        code_bytes=2_696,
        data_bytes=12,
        stack_bytes=388,
    )
    row = row_for(reported).model_copy(update={"name": "soc", "firmware": use})
    designs = {"soc": load_designs(reported)["toy"].model_copy(update={"name": "soc"})}
    task = TaskRow(
        name="soc",
        variant=row.variant,
        task="keys",
        library="A library of a crate",
        use=TaskUse(driver=400, software=1_000),
        stack_bytes=1,
        tools={},
    )
    slow = {"task": "signing", "library": "Our own", "use": TaskUse(driver=3_000)}
    others = [task.model_copy(update={"name": "other", "task": "another's"})]
    others.append(task.model_copy(update=slow))
    part = systems.part([row], designs, designs["soc"].docs, [task, *others])
    assert "| SHA3-256 of 64 bytes | 2,000 | 1,500 | 21,000 | 10.5 × |" in part
    assert "| keys | 400 | – | 1,000 | 2.5 × |" in part
    assert "| signing | 3,000 | – | – | – |" in part
    assert "another's" not in part
    assert "A library of a crate; Our own." in part
    assert f"| soc/{row.variant} | {row.target} ({row.lut}) | " in part
    # An SoC that has not been routed has its clocks.
    part = systems.part([], designs, designs["soc"].docs, [task, *others])
    assert "| keys | 400 | – | 1,000 | 2.5 × |" in part
    assert "The whole SoC" not in part


def test_the_simulator_speed_is_shown(reported: Path) -> None:
    """Once measured, it is in docs/measure/results.md."""
    spread = Statistics.of([10.0, 12.0, 11.0])
    speed = Speed(
        name="toy",
        function="sha3-256",
        message_bytes=10**6,
        cpu="a CPU",
        mb_per_s=spread,
        mclocks_per_s=spread,
    )
    save_simulator([speed], reported)
    assert report.changes(reported) != []
    report.write(reported)
    assert "11.0 (10.0–12.0, n=3)" in (reported / "docs" / "measure" / "results.md").read_text(
        "utf-8"
    )


def test_nothing_to_change_after_writing(reported: Path) -> None:
    """Writing twice is writing once."""
    assert report.changes(reported) == []
    assert report.write(reported) == []
    assert report.stale(reported) == []


@pytest.mark.parametrize("name", ["README.md", "docs/measure/results.md"])
def test_an_edit_by_hand_is_found(reported: Path, name: str) -> None:
    """A figure changed in the table only."""
    path = reported / name
    path.write_text(path.read_text("utf-8").replace("5,000", "4,000"), encoding="utf-8")
    changes = report.changes(reported)
    assert len(changes) == 1
    assert name in changes[0]


def test_changed_rtl_is_found(reported: Path) -> None:
    """A row of RTL that is no more."""
    source = reported / "rtl" / "toy.sv"
    source.write_text(source.read_text("utf-8") + "wire more;\n", encoding="utf-8")
    assert report.stale(reported) == [
        "results: toy core on ecp5-85k: the RTL has changed since: run 'hashfabric bench --stale'"
    ]


@pytest.mark.parametrize(
    ("old", "new"), [('"--freq", "300"', '"--freq", "250"'), ('["-nowidelut"]', "[]")]
)
def test_changed_flags_are_found(reported: Path, old: str, new: str) -> None:
    """A row of flags that the target no longer has, for the router or for synthesis."""
    path = reported / "targets" / "ecp5-85k.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert report.stale(reported) == [
        "results: toy core on ecp5-85k: the flags have changed since: "
        "run 'hashfabric bench --stale'"
    ]


def test_a_profile_given_later_is_found(reported: Path) -> None:
    """The row was made without the options that its variant asks for now."""
    target = reported / "targets" / "ecp5-85k.toml"
    profile = '[profiles.deep]\npnr_options = ["--freq", "250"]\n'
    target.write_text(target.read_text("utf-8") + profile, encoding="utf-8")
    assert report.stale(reported) == []
    design = reported / "designs" / "toy.toml"
    text = design.read_text("utf-8")
    design.write_text(text.replace("kind =", 'profile = "deep"\nkind ='), encoding="utf-8")
    assert report.stale(reported) == [
        "results: toy core on ecp5-85k: the flags have changed since: "
        "run 'hashfabric bench --stale'"
    ]


def test_a_target_that_left_is_found(reported: Path) -> None:
    """A row of a target that is no more."""
    (reported / "targets" / "ecp5-85k.toml").unlink()
    assert "no longer among the targets" in report.stale(reported)[0]


def test_a_design_that_left_is_found(reported: Path) -> None:
    """A row of a design that the registry no longer has."""
    (reported / "designs" / "toy.toml").unlink()
    assert report.stale(reported) == ["results: toy core on ecp5-85k: no longer in the registry"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{", "not a list of result rows"),
        ("{}", "not a list of result rows"),
        ('[{"name": "toy"}]', "Field required"),
    ],
)
def test_a_corrupted_result_is_reported(reported: Path, text: str, wanted: str) -> None:
    """The message names the file."""
    (reported / "results" / "toy-ecp5-85k.json").write_text(text, encoding="utf-8")
    with pytest.raises(LabError, match=wanted) as caught:
        load_rows(reported)
    assert "toy-ecp5-85k.json" in str(caught.value)


IMPOSSIBLE = [
    ("luts", 0),
    ("luts", -1),
    ("luts", 10**400),
    ("luts", 1.5),
    ("ffs", -1),
    ("slots", 0),
    ("block_bits", 0),
    ("clocks_per_block", 0),
    ("clocks_per_block", -24.0),
    ("clocks_per_block", math.nan),
    ("clocks_per_block", math.inf),
    ("gbps", 0),
    ("gbps", 1e308),
    ("gbps", 5e-324),
    ("mbps_per_lut", -math.inf),
    ("luts_detail.LUT4", -1),
    ("fmax_mhz.median", 0),
    ("fmax_mhz.median", None),
    ("fmax_mhz.n", 4),
    ("fmax_mhz.n", 0),
    ("fmax_mhz.seeds.1", -120.0),
    ("fmax_mhz.seeds.1", None),
    ("provenance.constraint_mhz", 0),
]


@pytest.mark.parametrize(("field", "value"), IMPOSSIBLE)
def test_impossible_figures_are_reported(reported: Path, field: str, value: float | None) -> None:
    """In one line with the file, the row and the field; nothing divides by them."""
    path = reported / "results" / "toy-ecp5-85k.json"
    text = with_field(path, field, value)
    with pytest.raises(LabError) as caught:
        load_rows(reported)
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    assert "\n" not in said
    if "NaN" in text or "Infinity" in text:
        assert "is no number" in said
    else:
        assert f"row 1: {field.partition('.')[0]}" in said


def with_field(path: Path, field: str, value: object) -> str:
    """Write `value` into the first row of a file of results; return the text."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    *parts, last = field.split(".")
    place = rows[0]
    for part in parts:
        place = place.setdefault(part, {})
    place[last] = value
    text = json.dumps(rows)
    path.write_text(text, encoding="utf-8")
    return text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[" * 100_000, "nested too deep"),
        ('[{"luts":' * 100_000, "nested too deep"),
        (f"[{'9' * 5000}]", "not a list of result rows"),
        ("", "not a list of result rows"),
        ("[null]", "row 1: "),
        ('[{"name": "toy"}, 1]', "row 1: "),
    ],
    ids=["deep lists", "deep objects", "long number", "empty", "null", "second"],
)
def test_what_no_row_looks_like_is_reported(reported: Path, text: str, wanted: str) -> None:
    """The same for the rows, the simulator's and those of power."""
    readers = {
        "toy-ecp5-85k.json": load_rows,
        "simulator.json": load_simulator,
        "power-toy-osu018.json": load_power,
    }
    for name, read in readers.items():
        path = reported / "results" / name
        path.write_text(text, encoding="utf-8")
        with pytest.raises(LabError, match=wanted) as caught:
            read(reported)
        assert str(caught.value).startswith(f"{path}: ")
        path.unlink()


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("simulator.json", "mb_per_s.median", 0),
        ("simulator.json", "mb_per_s.n", 0),
        ("simulator.json", "message_bytes", -1),
        ("simulator.json", "mclocks_per_s.max", math.nan),
        ("power-keccak-iterative-osu018.json", "clocks", 0),
        ("power-keccak-iterative-osu018.json", "cells", -5),
        ("power-keccak-iterative-osu018.json", "duty", 1.5),
        ("power-keccak-iterative-osu018.json", "energy.total_pj_per_clock", -1),
        ("power-keccak-iterative-osu018.json", "energy.pj_per_clock.clock", math.inf),
        ("power-keccak-iterative-osu018.json", "energy.assumptions.clock_mhz", 10**400),
        ("power-keccak-iterative-osu018.json", "toggles_per_clock.nets", -1),
        ("power-keccak-iterative-osu018.json", "provenance.commands", {}),
    ],
)
def test_impossible_figures_of_the_others_are_reported(
    toy_root: Path, name: str, field: str, value: object
) -> None:
    """Rows of this checkout, with one field changed."""
    path = toy_root / "results" / name
    path.write_bytes((ROOT / "results" / name).read_bytes())
    with_field(path, field, value)
    with pytest.raises(LabError) as caught:
        (load_simulator if name == "simulator.json" else load_power)(toy_root)
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    assert field in said or "is no number" in said
    assert "\n" not in said


def test_unknown_keys_in_a_result_are_reported(reported: Path) -> None:
    """A row from another version is not read half."""
    path = reported / "results" / "toy-ecp5-85k.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    rows[0]["best_mhz"] = 500
    path.write_text(json.dumps(rows), encoding="utf-8")
    with pytest.raises(LabError, match="best_mhz"):
        load_rows(reported)


@pytest.mark.parametrize(
    "text", ["", report.BEGIN, f"{report.END}{report.BEGIN}", f"{README}{report.BEGIN}"]
)
def test_markers_must_be_there_once(text: str) -> None:
    """A README without its two markers is not overwritten."""
    with pytest.raises(LabError, match="must be there once"):
        report.between_markers(text, "new", "README.md")


def test_this_checkout_is_up_to_date() -> None:
    """The published tables are those of the published rows, and those of the present RTL."""
    if not load_rows(ROOT):
        pytest.skip("nothing measured yet")
    assert report.changes() == []
    assert report.stale() == []


def test_rows_of_other_rtl_are_named(reported: Path) -> None:
    """They stay in the tables, and both pages say which they are."""
    readme = reported / "README.md"
    report.write(reported)
    assert "Measured before the last change" not in readme.read_text(encoding="utf-8")
    toy = reported / "rtl" / "toy.sv"
    toy.write_text(toy.read_text(encoding="utf-8") + "wire changed;\n", encoding="utf-8")
    report.write(reported)
    for page in (readme, reported / "docs" / "measure" / "results.md"):
        said = "Measured before the last change of their RTL: toy core.\n"
        assert said in page.read_text(encoding="utf-8")


def test_software_is_shown_beside_streams(toy_root: Path) -> None:
    """A section where software was measured: the ratio to the fastest stream of its function."""
    row = row_for(toy_root)
    save_rows([row], "toy", "ecp5-85k", toy_root)
    assert "Software" not in report.results_page(
        load_rows(toy_root), load_designs(toy_root), toy_root
    )
    speed = SoftwareSpeed(
        function="sha3-256",
        package="package 1.2",
        message_bytes=32 << 20,
        cpu="a core",
        gbps=Statistics.of([2.0, 1.0, 4.0]),
    )
    save_software([speed], toy_root)

    def line() -> str:
        page = report.results_page(load_rows(toy_root), load_designs(toy_root), toy_root)
        (found,) = [one for one in page.splitlines() if one.startswith("| sha3-256 | package")]
        return found

    measured = "| sha3-256 | package 1.2 | a core | 2.0 (1.0–4.0, n=3) |"
    assert line() == f"{measured} – | – | – |"  # an engine is no stream
    path = toy_root / "designs" / "toy.toml"
    text = path.read_text(encoding="utf-8").replace('kind = "engine"', 'kind = "stream"')
    path.write_text(text, encoding="utf-8")
    assert row.gbps is not None
    assert line() == f"{measured} toy core, ecp5-85k | {row.gbps:.1f} | {row.gbps / 2:.1f} |"
