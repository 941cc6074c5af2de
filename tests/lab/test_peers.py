"""Cores of others: a checkout of a toy is measured by the real tools; bad input is one line."""

import json
import subprocess
from pathlib import Path

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.flows.targets import find_target
from hashfabric.implement.peers import Checkout, flows_of
from hashfabric.registry.peers import find_peer, load_peers, peer_files
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
top = "toy_top"
clock = "Clk"
reset = "Rst"
"""
TOP = """\
module toy_top #(parameter Width = 8) (input Clk, input Rst, input [Width-1:0] a_i,
                                       output reg [Width-1:0] sum_o);
  wire [Width-1:0] sum;
  part_add #(.Width(Width)) u_add (.a_i(a_i), .b_i(sum_o), .sum_o(sum));
  always @(posedge Clk) if (Rst) sum_o <= 0; else sum_o <= sum;
endmodule
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
    (folder / "rtl").mkdir(parents=True)
    (folder / "rtl" / "top.sv").write_text(TOP, encoding="utf-8")
    (folder / "rtl" / "part_add.v").write_text(PART, encoding="utf-8")
    who = ("-c", "user.name=toy", "-c", "user.email=toy@example.org")
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
    done = run(root, *args, "--save", "--by", "a test", "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    head = Checkout.at(checkout).commit
    assert [row["flow"] for row in rows] == ["plain", "ours"]
    assert f"the recipe is for commit {'0123456789' * 4}, not {head}" in done.stderr
    for row in rows:
        assert row["commit"] == head
        assert 8 <= row["luts_core"] <= row["luts"]
        assert row["ffs_core"] == 8
        assert row["fmax_mhz"]["n"] == 1
        assert "nextpnr-ecp5" in row["tools"]
    assert rows[0]["commands"]["route"] != rows[1]["commands"]["route"]
    [peer] = load_peers(root)
    [core] = peer.cores
    best = max(row["fmax_mhz"]["median"] for row in rows)
    assert core.fmax_mhz == [best]
    assert core.gbps == pytest.approx(64 * best / 2 / 1000, rel=1e-3)
    assert find_peer("toy-peer", root).core("adder").luts is None
    # A changed file is marked.
    (checkout / "rtl" / "top.sv").write_text(TOP + "// more\n", encoding="utf-8")
    assert Checkout.at(checkout).commit == head + "+"


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
        (("toy-peer", ".", "--save"), "peers run --save: --by is required: who measures"),
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
