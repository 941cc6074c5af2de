"""Modules that are the same are read once, and others are not."""

import json
from pathlib import Path

import pytest

from hashfabric.base.rtlil import merge_modules
from hashfabric.base.yosys import read_merged, run_script
from hashfabric.netlist.structure import structure_hash

SOURCE = """
(* keep_hierarchy = "yes" *)
module leaf #(parameter bit Invert = 0) (input logic clk_i, input logic d_i, output logic q_o);
  always_ff @(posedge clk_i) q_o <= d_i ^ Invert;
endmodule

module pair (input logic clk_i, input logic d_i, output logic q_o);
  logic q;
  leaf u_first (.clk_i, .d_i, .q_o(q));
  leaf u_second (.clk_i, .d_i(q), .q_o);
endmodule

module top (input logic clk_i, input logic [3:0] d_i, output logic [3:0] q_o);
  pair u_pair (.clk_i, .d_i(d_i[0]), .q_o(q_o[0]));
  pair u_twin (.clk_i, .d_i(d_i[1]), .q_o(q_o[1]));
  leaf u_leaf (.clk_i, .d_i(d_i[2]), .q_o(q_o[2]));
  leaf #(.Invert(1)) u_other (.clk_i, .d_i(d_i[3]), .q_o(q_o[3]));
endmodule
"""
READ = "read_slang --threads 1 --keep-hierarchy --top top top.sv"


def test_the_netlist_is_the_same(tmp_path: Path) -> None:
    """Of eight instances three modules and the top are left; flat, both designs are the same."""
    netlists = {}
    for name in ("whole", "merged"):
        directory = tmp_path / name
        directory.mkdir()
        (directory / "top.sv").write_text(SOURCE)
        read = READ if name == "whole" else read_merged(READ, directory)
        script = [
            read,
            "proc; flatten; setattr -mod -unset keep_hierarchy",
        ]
        run_script([*script, "flatten; write_json netlist.json"], directory, name="run")
        netlists[name] = json.loads((directory / "netlist.json").read_text())
    hashes = {structure_hash(netlist, "top") for netlist in netlists.values()}
    assert len(hashes) == 1
    modules = (tmp_path / "merged" / "elaborated.il").read_text()
    assert modules.count("\nmodule ") == 4


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("  wire $1\n  connect \\q $1\n", "  wire $7\n  connect \\q $7\n", True),
        ('  attribute \\src "a:1"\n  wire \\q\n', '  attribute \\src "a:2"\n  wire \\q\n', True),
        (
            "  wire $1\n  wire $2\n  connect $1 $2\n",
            "  wire $1\n  wire $2\n  connect $2 $1\n",
            False,
        ),
        ("  wire \\q\n", "  wire \\r\n", False),
        ("  connect \\q 1'0\n", "  connect \\q 1'1\n", False),
        ('  attribute \\x "$1"\n', '  attribute \\x "$2"\n', False),
        (
            '  memory $1\n  cell $mem_v2 $2\n    parameter \\MEMID "$1"\n  end\n',
            '  memory $3\n  cell $mem_v2 $4\n    parameter \\MEMID "$3"\n  end\n',
            True,
        ),
        (
            '  memory $1\n  memory $2\n  cell $mem $3\n    parameter \\MEMID "$1"\n  end\n',
            '  memory $1\n  memory $2\n  cell $mem $3\n    parameter \\MEMID "$2"\n  end\n',
            False,
        ),
        ("  cell $and $1\n  end\n", "  cell $or $1\n  end\n", False),
    ],
)
def test_what_counts_as_the_same(first: str, second: str, *, same: bool) -> None:
    """Made-up names and places do not count, all else does."""
    text = "".join(
        f"module \\leaf$top.{name}\n{body}end\n" for name, body in (("a", first), ("b", second))
    )
    assert merge_modules(text).count("module ") == (1 if same else 2)


def test_modules_of_other_sources_stay() -> None:
    """Two sources that say the same are two modules; instances keep theirs."""
    text = "module \\a$t.x\nend\nmodule \\b$t.y\nend\nmodule \\t\n  cell \\b$t.y \\y\n  end\nend\n"
    assert merge_modules(text) == text
