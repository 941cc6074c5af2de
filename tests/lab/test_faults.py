"""Faults in the mapped netlist of a checked stream: what is found, and by which check."""

import os
import re
from collections.abc import Mapping
from functools import cache

import pytest
from typer.testing import CliRunner

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.progress import Steps
from hashfabric.commands.cli import app
from hashfabric.faults import evaluate
from hashfabric.faults.campaign import FLIP, LEAST_FOUND, Campaign, Fault, Summary
from hashfabric.flows.targets import find_any
from hashfabric.netlist.circuit import Circuit
from hashfabric.registry.designs import Variant, load_designs
from hashfabric.registry.sources import closure
from tests.support import simulation

STREAM = load_designs()["keccak-checked"].variants["stream"]
LOCKSTEP = load_designs()["keccak-serial"].variants["stream-checked"]
MESSAGE = bytes(range(200))
PAGE = ROOT / "docs" / "engines" / "keccak-checked.md"
ROUND = 60
"""A clock in which the engine permutes."""

EVERY = ""
"""For nets without a name: all nets, in one clock."""

PARITY = "rtl/keccak/hf_keccak_parity.sv"
CHECKED = "rtl/keccak/hf_keccak_checked.sv"
WORDS = "rtl/keccak/hf_keccak_iterative_words.sv"
TOP = "rtl/top/hf_keccak_checked_axis.sv"
PORT = "rtl/front/hf_lockstep_stream.sv"


def stream(files: Mapping[str, str] | None = None) -> Campaign:
    """Return the campaign of the stream, or of `files` in its place."""
    return evaluate.campaign(STREAM, find_any("ecp5-85k"), MESSAGE, files)


@cache
def whole() -> Campaign:
    """Return the campaign of the stream as it is."""
    return stream()


def nets(circuit: Circuit, *parts: str) -> list[int]:
    """Return the nets with faults that are bits of signals whose name has one of `parts`."""
    names = [name for name in circuit.signals if any(part in f".{name}." for part in parts)]
    bits = {net for name in names for net in circuit.signals[name]}
    outputs = {gate.out for gate in circuit.gates} | {one.out for one in circuit.registers}
    return sorted(bits & outputs - circuit.virtual)


def table_row(variant: Variant, summary: Summary) -> str:
    """Return the row of the page's table."""
    one = summary
    counts = (one.faults, one.changing, one.found, one.late, len(one.escaped), one.hung)
    cells = [f"{count:,}" for count in counts]
    cells[2] += f" ({100 * one.share:.3f} %)"
    return f"| {row_name(variant, one)} | {' | '.join(cells)} |"


def row_name(variant: Variant, summary: Summary) -> str:
    """Return how the page's row begins."""
    return summary.what if variant == STREAM else f"two small cores: {summary.what}"


@pytest.mark.slow
def test_flips_of_a_clock_are_found() -> None:
    """All flips in a clock of a round, but those of the gates at the port."""
    found = whole().summary("flips", whole().flips([ROUND]))
    assert found.changing > 5000
    assert found.share >= LEAST_FOUND, found.escaped
    assert found.late < found.found / 50


@pytest.mark.slow
@pytest.mark.parametrize("value", [0, 1])
def test_stuck_bits_are_found(value: int) -> None:
    """Every flip-flop and gate, stuck from the reset on."""
    found = whole().summary("stuck", whole().stuck(value))
    assert found.changing > 5000
    assert found.share >= LEAST_FOUND, found.escaped


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "old", "new", "signals"),
    [
        pytest.param(
            PARITY, "(defined_q[2] && (state_sum_q ^ expected_q))", "1'b0", ".state_q.", id="rounds"
        ),
        pytest.param(
            PARITY,
            "(^plane_sum_q) ^ (^word_sum_q[NumWords-1-:PlaneWords])",
            "^word_sum_q",
            EVERY,
            id="column-parities",
        ),
        pytest.param(
            PARITY,
            "(read_q && (read_parity_q ^ read_expected_q))",
            "1'b0",
            ".u_reader.second.",
            id="reader",
        ),
        pytest.param(
            PARITY,
            "((^write_word_i) ^ write_i)",
            "1'b0",
            ".u_parity.write_word_i.",
            id="write-enables",
        ),
        pytest.param(
            CHECKED, ".second_i(second_control)", ".second_i(control)", ".control_o.", id="control"
        ),
        pytest.param(
            TOP, ".second_i(outputs[1])", ".second_i(outputs[0])", ".beat_data_q.", id="front"
        ),
    ],
)
def test_each_check_is_what_finds_them(path: str, old: str, new: str, signals: str) -> None:
    """Without a check, flips of the signals that it is for are not found; with it they are."""
    shares = []
    for campaign in (whole(), stream(simulation.mutated(closure(STREAM.top), path, old, new))):
        every = signals == EVERY
        clocks = [ROUND] if every else range(10, campaign.clocks, 3)
        flipped = campaign.nets if every else nets(campaign.circuit, signals)
        runs = [[Fault(net, clock, FLIP)] for clock in clocks for net in flipped]
        found = campaign.summary("flips", runs)
        assert found.changing > 20
        shares.append(found.share)
    with_it, without_it = shares
    assert with_it >= 0.98
    assert without_it < with_it - 0.03


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("core_outputs[i].m_tdata = m_tdata_i[i];", "core_outputs[i].m_tdata = '0;"),
        ("beat_compared_q[0] && !port_stopped;", "beat_compared_q[0] && !alarm_o;"),
    ],
    ids=["data", "too-late"],
)
def test_each_comparison_of_two_cores_finds_some(old: str, new: str) -> None:
    """Without it, flips are not found, or a wrong beat leaves before its alarm."""
    files = simulation.mutated(closure(LOCKSTEP.top), PORT, old, new)
    counts = []
    for given in (None, files):
        campaign = evaluate.campaign(LOCKSTEP, find_any("ecp5-85k"), b"abc", given)
        last = campaign.clocks - 8
        found = campaign.summary("flips", campaign.flips([last]))
        assert found.changing > 100
        counts.append((len(found.escaped), found.late))
    (escaped, late), (more_escaped, later) = counts
    assert escaped <= 2
    assert more_escaped > escaped + 2 or later > late + 2


def test_what_has_no_alarm_is_refused() -> None:
    """A stream without checks, and an engine without a stream."""
    serial = load_designs()["keccak-serial"].variants["stream"]
    with pytest.raises(LabError, match="nothing in it is checked"):
        evaluate.campaign(serial, find_any("ecp5-85k"), MESSAGE)
    core = load_designs()["keccak-checked"].variants["core"]
    with pytest.raises(LabError, match="only streams"):
        evaluate.campaign(core, find_any("ecp5-85k"), MESSAGE)


@pytest.mark.slow
def test_a_wrong_netlist_is_refused() -> None:
    """Without a fault it must hash right, and raise no alarm."""
    files = simulation.mutated(closure(STREAM.top), WORDS, "zero_q || full_q;", "full_q;")
    with pytest.raises(LabError, match="does not hash right"):
        stream(files)


@pytest.mark.slow
def test_command() -> None:
    """`hashfabric faults` prints each kind, and its exit status says whether enough is found."""
    options = ["--clocks", "1", "--pairs", "100", "--bytes", "10"]
    result = CliRunner().invoke(app, ["faults", "keccak-checked", *options])
    assert result.exit_code == 0, result.output
    for what in ("single flips:", "stuck at 0:", "stuck at 1:", "pairs of flips:"):
        assert what in result.output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "plan"),
    [
        pytest.param(STREAM, evaluate.Plan(size=200, clocks=0, pairs=100_000, seed=1), id="parity"),
        pytest.param(
            LOCKSTEP, evaluate.Plan(size=20, clocks=8, pairs=3_000, seed=1), id="lockstep"
        ),
    ],
)
def test_the_page_has_the_counts(variant: Variant, plan: evaluate.Plan) -> None:
    """The whole campaign, as in keccak-checked.md; `HF_RENEW=1` writes its table."""
    target = find_any("ecp5-85k")
    found = list(evaluate.evaluate(variant, target, plan, Steps(quiet=True)))
    assert all(evaluate.passed(one) for one in found)
    text = PAGE.read_text(encoding="utf-8")
    for one in found:
        row = table_row(variant, one)
        if os.environ.get("HF_RENEW"):
            name = re.escape(row_name(variant, one))
            text = re.sub(rf"^\| {name} \|.*$", row, text, flags=re.MULTILINE)
        assert row in text
    if os.environ.get("HF_RENEW"):
        PAGE.write_text(text, encoding="utf-8")
