"""The papers' data and their audit: every finding is recomputed, none is written down."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.text import ONE_SEED, ONE_SEED_LINE
from hashfabric.papers import show, slices
from hashfabric.papers.audit import Finding, audit
from hashfabric.papers.paper import find, load_paper, load_papers

PAPERS = ROOT / "papers"
NAMES = ["arshad-dsp", "athanasiou-2014", "latif-finalists", "sharma-clockgated", "wang-leon3"]

MEASURED = {
    "name": "keccak-iterative",
    "target": "ecp5-85k",
    "variant": "core",
    "clocks_per_block": 24,
    "fmax_mhz": {"median": 151.5, "min": 149.0, "max": 153.25, "n": 5},
    "luts": 7001,
    "gbps": 6.868,
    "mbps_per_lut": 0.981,
}


def findings(name: str) -> list[Finding]:
    """Audit one paper of the repository."""
    return audit(load_paper(PAPERS / f"{name}.toml"))


def flags(found: list[Finding], relation: str, stated: object = None) -> list[Finding]:
    """Return the flags whose relation contains `relation`, of one stated figure if given."""
    return [
        f
        for f in found
        if f.status == "flag" and relation in f.relation and stated in (None, f.stated)
    ]


def changed(tmp_path: Path, name: str, old: str, new: str) -> list[Finding]:
    """Audit a copy of a paper's file with one text replaced."""
    text = (PAPERS / f"{name}.toml").read_text(encoding="utf-8")
    assert text.count(old) == 1
    copy = tmp_path / f"{name}.toml"
    copy.write_text(text.replace(old, new), encoding="utf-8")
    return audit(load_paper(copy))


def test_every_paper_loads() -> None:
    """All five are there, each with rows of its own."""
    loaded = load_papers(PAPERS)
    assert [paper.name for paper in loaded] == NAMES
    assert all(any(row.own for row in paper.rows) for paper in loaded)
    assert len(find(loaded, "latif-finalists").rows) == 30


def test_files_hold_no_verdict() -> None:
    """The data says what is printed and which relations are claimed, not what fails."""
    for path in PAPERS.glob("*.toml"):
        words = path.read_text(encoding="utf-8").lower()
        assert not [w for w in ("flagged", "wrong", "contradict", "verdict") if w in words]


CONTRADICTIONS = [
    # paper, part of the relation, stated, computed
    ("arshad-dsp", "planes_per_round + compact_stages - 1", 120, 168),
    ("arshad-dsp", "abstract_throughput_gbps == wide", 23.57, 23.84),
    ("arshad-dsp", "abstract_throughput_gbps == 1088", 23.57, 23.84533),
    ("arshad-dsp", "lts_delay_ns ==", 2.878, 3.567),
    ("arshad-dsp", "discussion_power_mw ==", 80, 87),
    ("arshad-dsp", "saved_stages_percent ==", 29, 38.09524),
    ("arshad-dsp", "saved_wide_logic_percent ==", 100, 88.26853),
    ("arshad-dsp", "provelengios_results.area_slices ==", 3009, 3176),
    ("arshad-dsp", "lowest_power.power_mw ==", 629, 612),
    ("arshad-dsp", "wide.throughput_gbps >=", 23.84, 37.632),
    ("arshad-dsp", "power_ratio_19_times ==", 9, None),
    ("arshad-dsp", "throughput_gbps / area_slices", 14.94, 14.97262),
    ("arshad-dsp", "throughput_gbps / area_slices", 0.31, 0.1353904),
    ("athanasiou-2014", "1600 - block_bits", 832, 512),
    ("athanasiou-2014", "1600 - block_bits", 632, 768),
    ("athanasiou-2014", "fsm_states ==", 5, 6),
    ("athanasiou-2014", "extra_clocks_per_block", 18.7, 18.29094),
    ("athanasiou-2014", "extra_clocks_per_block", 19.1, 18.6671),
    ("athanasiou-2014", "extra_clocks_per_block", 20.8, 20.40686),
    ("athanasiou-2014", "v6_throughput_gain_high_times ==", 18.1, 247.0519),
    ("athanasiou-2014", "throughput_gbps / area_slices", 4.32, 7.625783),
    ("athanasiou-2014", "throughput_gbps / area_slices", 0.58, 0.2727273),
    ("latif-finalists", "throughput_gbps ==", 9.62, 7.519744),
    ("latif-finalists", "tpa_mbps_per_slice ==", 1.46, 1.48602),
    ("wang-leon3", "abstract_reduction_percent ==", 87, 46.70982),
    ("wang-leon3", "reduction_low_percent ==", 87.47, 46.65674),
    ("wang-leon3", "reduction_high_percent ==", 87.65, 46.70982),
    ("wang-leon3", "cited_min('area_slices', 'Virtex-5')", 0.5, 0.6678603),
    ("wang-leon3", "cited_min('area_slices', 'Virtex-6')", 0.5, 0.6114754),
    ("wang-leon3", "h256_v6.fmax_mhz / added.fmax_mhz", 2, 3.032868),
    ("wang-leon3", "h256_v6.throughput_mbps /", 2, 11016.5),
    ("wang-leon3", "rounds == 12", 24, 22),
    ("wang-leon3", "permutation_bits == 25", 1600, 800),
    ("wang-leon3", "b256_prose.throughput_mbps ==", 8518, 6263),
    ("wang-leon3", "m256_prose.area_slices ==", 1411, 1433),
    ("sharma-clockgated", "combinational.clocks == rounds", 1, 24),
    ("sharma-clockgated", "rounds / combinational.clocks * 1600", 6389, 19200),
    ("sharma-clockgated", "<= registers_per_round", 1617, 6.872),
    ("sharma-clockgated", "<= rounds * registers_per_round", 1617, 164.928),
    ("sharma-clockgated", "pipelined.clocks == rounds", 12, 96),
    ("sharma-clockgated", "ceil((short_message_bits", 1600, 576),
    ("sharma-clockgated", "ceil((long_message_bits", 1600, 1728),
    ("sharma-clockgated", "padding_ones ==", 0, 3),
    ("sharma-clockgated", "padded_bits <=", 1600, 576),
]


@pytest.mark.parametrize(("name", "relation", "stated", "computed"), CONTRADICTIONS)
def test_contradiction_is_computed(
    name: str, relation: str, stated: float, computed: float | None
) -> None:
    """What does not add up comes out as one flag with the value that would."""
    (flag,) = flags(findings(name), relation, stated)
    assert flag.computed == (None if computed is None else pytest.approx(computed, rel=1e-6))


def test_no_flag_beyond_those_reviewed() -> None:
    """Every flag was looked at by hand: those above, three rates, three cores, two rankings."""
    found = [flag for name in NAMES for flag in flags(findings(name), "")]
    assert len(found) == len(CONTRADICTIONS) + 3 + 3 + 2


def test_the_rate_is_searched() -> None:
    """Each printed throughput of the two-stage core fits one of its five versions only."""
    found = flags(findings("athanasiou-2014"), "== r * fmax_mhz")
    assert [f.stated for f in found] == [18.7, 19.1, 20.8]
    assert {f.repair for f in found} == {("it holds for r = 1152 only",)}
    (wide,) = [f for f in findings("arshad-dsp") if "== r * fmax_mhz" in f.relation]
    assert (wide.status, wide.note) == ("ok", "it fits r = 1088")


def test_rankings_are_recomputed_on_each_device() -> None:
    """The claimed orders hold but for two of twelve."""
    found = [f for f in findings("latif-finalists") if f.relation.startswith("order by")]
    assert len(found) == 12
    assert [f.subject for f in found if f.status == "flag"] == [
        "tpa_mbps_per_slice, 256 bit, Virtex-5",
        "tpa_mbps_per_slice, 512 bit, Virtex-7",
    ]


def test_versions_at_one_clock_take_the_same_clocks() -> None:
    """Cited throughputs that grow with the digest cannot come from one permutation."""
    found = flags(findings("wang-leon3"), "the same for all")
    assert [f.computed for f in found] == [
        "23.26, 24.00",
        "27.65, 24.00",
        "36.81, 32.83, 19.20, 12.78",
    ]


@pytest.mark.parametrize(
    ("name", "relation", "stated", "repair"),
    [
        ("latif-finalists", "throughput_gbps ==", 9.62, "throughput_gbps = 7.52: tpa_mbps"),
        ("arshad-dsp", "throughput_gbps / area_slices", 14.94, "area_slices = 915"),
        ("arshad-dsp", "lts_delay_ns ==", 2.878, "fabric_delay_ns = 0.921"),
        ("arshad-dsp", "abstract_throughput_gbps == 1088", 23.57, "wide.fmax_mhz = 520"),
        ("wang-leon3", "reduction_high_percent", 87.65, "it is the speed-up minus one"),
        ("wang-leon3", "rounds == 12", 24, "lane_exponent = 6"),
    ],
)
def test_a_flag_says_what_would_repair_it(
    name: str, relation: str, stated: float, repair: str
) -> None:
    """A repair is found by solving for the operands and by other relations of the row."""
    (flag,) = flags(findings(name), relation, stated)
    assert any(repair in line for line in flag.repair)


def test_sums_that_add_up_are_ok() -> None:
    """Rounding in either direction is no contradiction, nor is a right sum."""
    agreeing = {
        "arshad-dsp": ("wide.dsps ==", "lcs_delay_ns ==", "saved_compact_percent ==", "copies_"),
        "athanasiou-2014": ("counter_clocks ==", "v5_throughput_gain_high_times ==", "v6_tpa_"),
        "wang-leon3": ("rotate_512.enhancement_percent ==", "code_reduction_percent =="),
        "sharma-clockgated": ("1 / delay_ns", "static_power_w +", "saved_power_mw =="),
    }
    for name, relations in agreeing.items():
        found = findings(name)
        for relation in relations:
            matching = [f for f in found if relation in f.relation]
            assert matching
            assert all(f.status == "ok" for f in matching)


def test_latif_table_adds_up_but_for_its_reported_cells() -> None:
    """Of 60 recomputed cells two are flagged."""
    found = [f for f in findings("latif-finalists") if "fmax_mhz" in f.relation]
    found += [f for f in findings("latif-finalists") if "== throughput_gbps /" in f.relation]
    assert len(found) == 60
    assert sorted(float(f.stated) for f in found if f.status == "flag") == [1.46, 9.62]


@pytest.mark.parametrize(
    ("name", "old", "new", "relation"),
    [
        ("latif-finalists", "915,  13.67, 14.94]", "915,  13.76, 14.94]", "throughput_gbps == b"),
        ("latif-finalists", "915,  13.67, 14.94]", "915,  13.67, 14.49]", "tpa_mbps_per_slice =="),
        ("sharma-clockgated", "0.411, 0.331, 0.080", "0.411, 0.331, 0.090", "static_power_w +"),
        ("sharma-clockgated", "0.618,   1617", "0.618,   1671", "1 / delay_ns"),
        ("wang-leon3", "2.5, 87.63]", "2.5, 88.63]", "rotate_224.enhancement_percent"),
        ("arshad-dsp", "value = 34\n", "value = 35\n", "wide.dsps =="),
        ("athanasiou-2014", "value = 45.8\n", "value = 54.8\n", "v5_throughput_gain_low_percent"),
    ],
)
def test_a_changed_figure_is_flagged(
    tmp_path: Path, name: str, old: str, new: str, relation: str
) -> None:
    """A figure that adds up, changed, is found."""
    assert len(flags(changed(tmp_path, name, old, new), relation)) > len(
        flags(findings(name), relation)
    )


@pytest.mark.parametrize(
    ("name", "old", "new", "relation"),
    [
        ("latif-finalists", "9.62,", "7.52,", "throughput_gbps == block"),
        ("arshad-dsp", "value = 2.878", "value = 3.567", "lts_delay_ns =="),
        ("arshad-dsp", "clocks = 120", "clocks = 168", "compact_stages"),
        ("arshad-dsp", "301.57, 913,", "301.57, 915,", "throughput_gbps / area"),
        ("athanasiou-2014", "1088, 832, ", "1088, 512, ", "1600 - block_bits"),
        ("wang-leon3", "value = 87\n", "value = 46.7\n", "abstract_reduction"),
        ("sharma-clockgated", "12,  581.937", "96,  581.937", "pipelined.clocks =="),
    ],
)
def test_a_repaired_figure_is_no_longer_flagged(
    tmp_path: Path, name: str, old: str, new: str, relation: str
) -> None:
    """One flag goes when the figure is repaired, and the relation is still computed."""
    before, after = findings(name), changed(tmp_path, name, old, new)
    assert len(flags(after, relation)) == len(flags(before, relation)) - 1
    assert sum(relation in f.relation for f in after) == sum(relation in f.relation for f in before)


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("[[ranking]]\nplace", "[[ranking\nplace", "not valid TOML"),
        ('name = "latif-finalists"', 'name = "other"', "name: 'other'"),
        ('"BLAKE",   "blake",            "Virtex-5", 512,', '"BLAKE", 512,', "rows.0: 9 cells"),
        ("512,  28, 125.55", '512,  28, "fast"', "table.0.rows.0.fmax_mhz"),
        ("512,  28, 125.55", "512,  28.5, 125.55", "table.0.rows.0.clocks_per_block"),
        ("512,  28, 125.55", "512,  28, -125.55", "table.0.rows.0.fmax_mhz"),
        ("set = { digest_bits = 256 }", "set = { digest = 256 }", "table.0.rows.0.digest"),
        ("Slides; ", 'Slides"\nyears = "', "years"),
    ],
)
def test_a_broken_file_is_one_line(tmp_path: Path, old: str, new: str, part: str) -> None:
    """A fault names the file and the field, in one line."""
    text = (PAPERS / "latif-finalists.toml").read_text(encoding="utf-8")
    assert old in text
    copy = tmp_path / "latif-finalists.toml"
    copy.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(LabError) as caught:
        load_paper(copy)
    message = str(caught.value)
    assert "latif-finalists.toml" in message
    assert part in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("claim", "part"),
    [
        ("rounds == 12 +", "not an expression"),
        ("rounds < 12", "must be"),
        ("rounds == turns", "no figure is called 'turns'"),
        ("rounds == open(24)", "unknown function"),
        ("rounds == __import__('os')", "not allowed"),
        ("rounds == [24][0]", "not allowed"),
        ("rounds == 24 / 0", "division by zero"),
        ("rounds == cited_max('dsps', 'Virtex-5')", "no cited row"),
    ],
)
def test_a_bad_claim_is_one_line(tmp_path: Path, claim: str, part: str) -> None:
    """Expressions are checked when the file is read, and only arithmetic is allowed."""
    with pytest.raises(LabError, match=part) as caught:
        changed(tmp_path, "wang-leon3", "rounds == 12 + 2 * lane_exponent", claim)
    assert "check." in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_files_are_one_line(tmp_path: Path) -> None:
    """A missing file, an empty directory and an unknown name are errors."""
    with pytest.raises(LabError, match="cannot be read"):
        load_paper(tmp_path / "none.toml")
    with pytest.raises(LabError, match="no paper files"):
        load_papers(tmp_path)
    with pytest.raises(LabError, match=f"unknown paper 'nobody': one of {', '.join(NAMES)}"):
        find(load_papers(PAPERS), "nobody")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("measured", [[], [MEASURED], [{"name": "keccak-iterative"}]])
def test_output(name: str, measured: list[show.Measured]) -> None:
    """Both outputs take any measured rows, and the JSON is plain."""
    paper = load_paper(PAPERS / f"{name}.toml")
    found = audit(paper)
    data = json.loads(json.dumps(show.to_json(paper, found, measured)))
    assert data["flagged"] == sum(f.status == "flag" for f in found)
    assert len(data["rows"]) == len(paper.rows)
    stream = io.StringIO()
    show.render(paper, found, measured, Console(file=stream, width=160))
    assert f"{data['flagged']} do not add up" in stream.getvalue()


def test_our_rows_stand_beside_the_papers() -> None:
    """A measured row appears under its design, with its own units; others say what to run."""
    paper = load_paper(PAPERS / "latif-finalists.toml")
    found = audit(paper)
    (group,) = [g for g in show.to_json(paper, found, [MEASURED])["beside"] if g["measured_rows"]]
    assert group["design"] == "keccak-iterative"
    assert len(group["paper_rows"]) == 6
    stream = io.StringIO()
    show.render(paper, found, [MEASURED], Console(file=stream, width=160))
    text = stream.getvalue()
    assert "151.5 (149..153.25, n = 5)" in text
    assert "0.981 Mb/s per LUT" in text
    assert ONE_SEED not in text
    assert "7001 LUTs" in text
    assert "915 slices" in text
    assert "groestl: not measured yet" in text
    assert "keccak-iterative: not measured yet" not in text


def test_our_rows_of_one_seed_are_marked() -> None:
    """In the cells of the clock and of what follows from it, with a line below the table."""
    paper = load_paper(PAPERS / "latif-finalists.toml")
    fmax = {"median": 151.5, "min": 151.5, "max": 151.5, "n": 1}
    one = {**MEASURED, "fmax_mhz": fmax, "mbps_per_cell": 1.25}
    stream = io.StringIO()
    show.render(paper, [], [one], Console(file=stream, width=200))
    text = stream.getvalue()
    for cell in ("logic cell", "151.5 (n = 1)", "6.868¹", "0.981¹ Mb/s per LUT", "1.25¹"):
        assert cell in text
    assert text.count(ONE_SEED_LINE) == 1


def test_linked_designs_stand_beside_the_rows() -> None:
    """The registry may put another design beside a paper's rows; it has its own name."""
    paper = load_paper(PAPERS / "sharma-clockgated.toml")
    links = [
        ("keccak-iterative", "sharma-clockgated", "keccak-combinational"),
        ("keccak-iterative", "latif-finalists", "keccak-four-register"),
    ]
    groups = show.beside(paper, [MEASURED], links)
    assert [tag for tag, rows in groups.items() if rows] == ["keccak-combinational"]
    assert not any(show.beside(paper, [MEASURED]).values())
    stream = io.StringIO()
    show.render(paper, audit(paper), [MEASURED], Console(file=stream, width=200), links)
    assert "ours: keccak-iterative" in stream.getvalue()


def test_slices_and_clocks_of_a_block() -> None:
    """The paper's designs, devices of one joined; what it cites; ours, the fewest slices first."""
    row = {"name": "keccak-dsp-wide", "variant": "core-x", "device": "xcup", "slots": 4}
    area = {"luts_core": 37, "ffs_core": 1146, "brams": 2}
    ours = [
        {**row, **area, "dsps": 117, "clocks_per_block": 24.0},
        {**row, **area, "dsps": 21, "clocks_per_block": 24.5},
        {**row, **area, "dsps": 0, "clocks_per_block": 24.0},
    ]
    paper = load_paper(PAPERS / "arshad-dsp.toml")
    costs = slices.costs(paper, ours)
    own = [cost for cost in costs if cost.whose == "the paper"]
    assert [(cost.slices, cost.slice_clocks, cost.in_flight, cost.alone) for cost in own] == [
        (42, 42 * 120, 1, 120),
        (58, 58 * 120, 1, 120),
        (130, 130 * 24, 4, 96),
    ]
    assert own[1].device == "Virtex-6, Virtex-7, Kintex-7"
    cited = [cost for cost in costs if cost.whose == "cited [23]"]
    assert {(cost.slices, cost.slice_clocks) for cost in cited} == {(201, None)}
    assert [cost.cells()[3:] for cost in costs if cost.whose == "ours"] == [
        ["21", "24.50", "514.50", "4", "–", "37 LUT, 1,146 FF, 2 BRAM"],
        ["117", "24", "2,808", "4", "96", "37 LUT, 1,146 FF, 2 BRAM"],
    ]
    assert slices.costs(load_paper(PAPERS / "sharma-clockgated.toml"), ours) == []
    assert "| the paper | compact | Virtex UltraScale | 42 | 120 | 5,040 |" in slices.table(costs)


def system_row(name: str, style: str, clocks: int, code: int, luts: int) -> show.Measured:
    """Return one of our rows of a program on a processor."""
    firmware = {"clocks_per_permutation": clocks, "code_bytes": code}
    row = {"name": name, "variant": style, "target": "xc7", "luts_core": luts, "ffs_core": 800}
    return {**row, "firmware": firmware}


def test_gains_of_an_added_instruction() -> None:
    """Ours are computed style by style and processor by processor, the paper's from its clocks."""
    paper = load_paper(PAPERS / "wang-leon3.toml")
    rows = [
        system_row("leon3-plain", "split", 50_000, 8_000, 2_000),
        system_row("leon3-rotate", "split", 40_000, 6_000, 2_200),
        system_row("leon3-plain", "compact", 70_000, 3_000, 2_000),
        system_row("other-plain", "split", 30_000, 7_000, 1_000),
        system_row("other-rotate", "split", 15_000, 7_000, 1_500),
    ]
    links = [
        ("other-plain", "wang-leon3", "leon3-plain"),
        ("other-rotate", "wang-leon3", "leon3-rotate"),
    ]
    found = show.to_json(paper, [], rows, links)["gains"]
    printed = [gain for gain in found if gain["whose"] == "paper"]
    # What the paper calls 87 % fewer clocks.
    assert [gain["fewer_percent"] for gain in printed] == [46.7] * 4
    assert [gain["ratio"] for gain in printed] == [1.876, 1.877, 1.876, 1.875]
    ours = {gain["whose"]: gain for gain in found if gain["whose"] != "paper"}
    assert set(ours) == {"ours: leon3-rotate", "ours: other-rotate"}
    gain = ours["ours: leon3-rotate"]
    assert (gain["ratio"], gain["fewer_percent"], gain["less_code_percent"]) == (1.25, 20.0, 25.0)
    assert gain["area_added"] == "+200 LUTs (+10.0 %), +0 FFs (+0.0 %)"
    assert ours["ours: other-rotate"]["ratio"] == 2.0

    console = Console(file=io.StringIO(), width=240)
    show.render(paper, [], rows, console, links)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "wang-leon3: without and with the instruction" in text
    assert "46.7 %" in text and "ours: other-rotate" in text

    assert "gains" not in show.to_json(load_paper(PAPERS / "latif-finalists.toml"), [], rows, links)
