"""Cores of others: a checkout of a toy is measured by the real tools; bad input is one line."""

import json
import subprocess
import tomllib
from pathlib import Path

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.flows.targets import find_target
from hashfabric.implement.peers import HEADER_SUFFIXES, Checkout, flows_of
from hashfabric.registry.peers import (
    Flow,
    Peer,
    PeerRow,
    find_peer,
    load_peers,
    peer_files,
    save_peer_rows,
)
from hashfabric.registry.results import PEER_PREFIX, Fmax, load_prefixed
from hashfabric.report import peers_table
from tests.support.commands import fails, run

TOY = """\
name = "toy-peer"
title = "Toy"
source = "A test"
repository = "https://example.org/toy"
commit = "0123456789012345678901234567890123456789"
licence = "MIT"

[[core]]
name = "adder"
what = "adds"
measured = true
block_bits = 64
clocks_per_block = 2

[core.recipe]
files = ["rtl/part_*.v", "rtl/top.sv"]
headers = ["rtl/inc/*.svh"]
macros = ["TOY_STEP=1", "TOY"]
top = "toy_top"
clock = "Clk"
reset = "Rst"
"""
TOP = """\
package toy_pkg;
  typedef enum {Add, Keep} mode_t;  // of an int's width
endpackage
`include "toy.svh"
module toy_top #(parameter Width = 8) (input Clk, input Rst, input toy_pkg::mode_t mode_i,
                                       input [Width-1:0] a_i [2], output reg [Width-1:0] sum_o,
                                       output reg [Width-1:0] mark_o);
  wire [Width-1:0] sum;
  part_add #(.Width(Width)) u_add (.a_i(a_i[0] ^ a_i[`TOY_INPUT]), .b_i(sum_o), .sum_o(sum));
  always @(posedge Clk) if (Rst) sum_o <= 0; else if (mode_i == toy_pkg::Add) sum_o <= sum;
  always @(posedge Clk) mark_o[sum_o[2:0]] <= a_i[0][0];
endmodule
"""
HEADER = """\
`ifdef TOY
  `define TOY_INPUT `TOY_STEP
`endif
"""
PART = """\
module part_add #(parameter Width = 8) (input [Width-1:0] a_i, input [Width-1:0] b_i,
                                        output [Width-1:0] sum_o);
  assign sum_o = a_i + b_i;
endmodule
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout of the toy."""
    folder = tmp_path / "toy"
    (folder / "rtl" / "inc").mkdir(parents=True)
    (folder / "rtl" / "inc" / "toy.svh").write_text(HEADER, encoding="utf-8")
    (folder / "rtl" / "top.sv").write_text(TOP, encoding="utf-8")
    (folder / "rtl" / "part_add.v").write_text(PART, encoding="utf-8")
    who = ("-c", "user.name=toy", "-c", "user.email=toy@example.org", "-c", "commit.gpgsign=false")
    for args in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", "Add it")):
        subprocess.run(["git", "-C", str(folder), *args], check=True)
    return folder


def with_peer(root: Path, text: str = TOY) -> Path:
    """Put a peer, and a target that has both flows, into a checkout of the lab."""
    (root / "peers").mkdir(exist_ok=True)
    (root / "peers" / "toy-peer.toml").write_text(text, encoding="utf-8")
    small = (ROOT / "targets" / "ecp5-25k.toml").read_text(encoding="utf-8")
    (root / "targets" / "ecp5-25k.toml").write_text(small, encoding="utf-8")
    return root


def test_a_checkout_is_measured(toy_root: Path, checkout: Path) -> None:
    """Both flows, a row each; saved, they are the peer's figures. Another commit is named."""
    root = with_peer(toy_root)
    args = ("peers", "run", "toy-peer", str(checkout), "--target", "ecp5-25k", "--seeds", "1")
    done = run(root, *args, "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    head = Checkout.at(checkout).head
    assert [row["flow"] for row in rows] == ["plain", "ours"]
    assert f"the recipe is for commit {'0123456789' * 4}, not {head}" in done.stderr
    for row in rows:
        assert row["commit"] == head
        assert 8 <= row["luts_core"] <= row["luts"]
        assert row["ffs_core"] == 16
        assert row["fmax_mhz"]["n"] == 1
        assert "nextpnr-ecp5" in row["tools"]
    assert rows[0]["commands"]["route"] != rows[1]["commands"]["route"]
    text = f"toy-peer: the recipe is for commit {'0123456789' * 4}, not {head}"
    assert text in run(root, *args, "--save", "--by", "a test").stderr
    assert load_peers(root) == []
    with_peer(root, TOY.replace("0123456789" * 4, head))
    assert run(root, *args, "--save", "--by", "a test").returncode == 0
    [peer] = load_peers(root)
    [core] = peer.cores
    assert core.luts_core == rows[0]["luts_core"]
    best = max(row["fmax_mhz"]["median"] for row in rows)
    assert core.fmax_mhz == [best]
    assert core.gbps == pytest.approx(64 * best / 2 / 1000, rel=1e-3)
    assert find_peer("toy-peer", root).core("adder").luts is None
    table = peers_table.page_table(load_prefixed(PEER_PREFIX, PeerRow, root), root)
    assert f"`{head[:10]}` | a test |" in table
    with pytest.raises(LabError, match="unknown peer 'toy-peer'"):
        peers_table.page_table(load_prefixed(PEER_PREFIX, PeerRow, root))


@pytest.mark.parametrize("name", ["top.sv", "part_more.v", "inc/toy.svh", "inc/more.svh"])
def test_a_changed_file_is_marked(
    checkout: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of the commit, or one that the recipe reads and the commit lacks."""
    recipe = Peer.model_validate(tomllib.loads(TOY)).core("adder").recipe
    assert recipe is not None
    monkeypatch.setenv("GIT_DIR", str(ROOT / ".git"))
    there = Checkout.at(checkout)
    assert there.commit_of(recipe) == there.head
    (checkout / "rtl" / name).write_text("// other\n", encoding="utf-8")
    assert there.commit_of(recipe) == f"{there.head}+"


def test_a_core_stands_once_for_each_target(toy_root: Path) -> None:
    """With the flow that gives the higher clock there; rows of other commits do not count."""
    root, commit = with_peer(toy_root), "0123456789" * 4
    made: list[tuple[str, Flow, float, str]] = [
        ("ecp5-25k", "plain", 90.0, commit),
        ("ecp5-25k", "ours", 100.0, commit),
        ("ecp5-85k", "ours", 50.0, commit),
        ("lifcl-40", "ours", 200.0, "f" * 40),
    ]
    save_peer_rows(
        [
            PeerRow(
                peer="toy-peer",
                core="adder",
                target=target,
                flow=flow,
                lut="LUT4",
                luts=20,
                luts_core=10,
                ffs=8,
                ffs_core=8,
                brams=0,
                dsps=0,
                fmax_mhz=Fmax.of({1: mhz}, {}),
                commit=of,
                by="a test",
                commands={},
                tools={},
            )
            for target, flow, mhz, of in made
        ],
        root,
    )
    [peer] = load_peers(root)
    assert [(core.target, core.fmax_mhz) for core in peer.cores] == [
        ("ecp5-25k", [100.0]),
        ("ecp5-85k", [50.0]),
    ]


def test_one_flow_and_a_time(toy_root: Path, checkout: Path) -> None:
    """A seed that takes longer than the time is said to; the row of the other flow is kept."""
    root = with_peer(toy_root, TOY.replace("0123456789" * 4, Checkout.at(checkout).head))
    args = ("peers", "run", "toy-peer", str(checkout), "--target", "ecp5-25k", "--seeds", "1")
    save = ("--save", "--by", "a test")
    assert run(root, *args, *save, "--flow", "ours").returncode == 0
    late = run(root, *args, *save, "--flow", "plain", "--timeout", "0.05", "--json")
    assert late.returncode == 1
    [row] = json.loads(late.stdout)
    assert row["flow"] == "plain"
    assert row["fmax_mhz"]["unrouted"]["1"].startswith("not routed within 0.05 s")
    assert [r.flow for r in load_prefixed(PEER_PREFIX, PeerRow, root)] == ["ours", "plain"]
    [peer] = load_peers(root)
    assert len(peer.cores[0].fmax_mhz) == 1


def test_without_rows_a_core_has_no_figures(toy_root: Path) -> None:
    """It is in the list, and in no plot."""
    root = with_peer(toy_root)
    assert load_peers(root) == []
    done = run(root, "peers", "list")
    assert "toy-peer/adder" in done.stdout


@pytest.mark.parametrize(
    ("args", "wanted"),
    [
        (("toy-pear", "."), "unknown peer 'toy-pear': one of toy-peer"),
        (("toy-peer/sub", "."), "unknown core of toy-peer 'sub': one of adder"),
        (("toy-peer", "nowhere"), "nowhere: no such folder"),
        (("toy-peer", ".", "--target", "xc7"), "xc7: a target with place and route is required"),
        (("toy-peer", ".", "--flow", "fast"), "unknown flow 'fast': one of plain, ours, both"),
        (("toy-peer", ".", "--save"), "peers run --save: --by is required: who measures"),
        (("toy-peer", ".", "--by", "a|b"), "--by: "),
        (("toy-peer", ".", "--save", "--by", "me"), "the recipe is for commit 0123456789"),
    ],
)
def test_bad_input_is_one_line(
    toy_root: Path, checkout: Path, args: tuple[str, ...], wanted: str
) -> None:
    """Each names what is wrong, before a tool runs."""
    root = with_peer(toy_root)
    places = [str(checkout) if arg == "." else arg for arg in args]
    assert wanted in fails(root, "peers", "run", *places)


def test_what_a_checkout_must_have(tmp_path: Path, checkout: Path) -> None:
    """Its files, and a commit."""
    recipe = find_peer("keccak-verilog").core("high-speed").recipe
    assert recipe is not None
    with pytest.raises(LabError, match=r"no file pkg_keccak\.sv"):
        Checkout.at(checkout).texts(recipe)
    (checkout / "pkg_keccak.sv").mkdir()
    with pytest.raises(LabError, match=r"pkg_keccak\.sv: cannot be read"):
        Checkout.at(checkout).texts(recipe)
    (tmp_path / "plain").mkdir()
    with pytest.raises(LabError, match="no checkout of git"):
        Checkout.at(tmp_path / "plain")


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("clocks_per_block = 2\n", "", "with a recipe, measured = true and clocks_per_block"),
        ('licence = "MIT"\n', "", "with a recipe, repository, commit and licence are required"),
        ('commit = "0123', 'commit = "x123', "commit"),
    ],
)
def test_a_recipe_with_a_fault(toy_root: Path, old: str, new: str, wanted: str) -> None:
    """It is one line, which names the file."""
    root = with_peer(toy_root, TOY.replace(old, new))
    with pytest.raises(LabError, match=rf"toy-peer.toml: .*{wanted}"):
        peer_files(root)


def test_recipes_here() -> None:
    """Each is for a top of Verilog files; the flow of a profile exists."""
    recipes = [(peer, core.recipe) for peer in peer_files() for core in peer.cores if core.recipe]
    assert len(recipes) >= 2
    for peer, recipe in recipes:
        assert peer.licence
        assert set(flows_of(find_target("ecp5-85k"), recipe)) == {"plain", "ours"}
        assert all(name.endswith((".v", ".sv")) for name in recipe.files)
        assert all(name.endswith(HEADER_SUFFIXES) for name in recipe.headers)
