"""`rtl/prim/`: the clock gate in its three forms, and memories."""

from pathlib import Path
from typing import NoReturn

import pytest

from tests.support import simulation

PARTS = """\
module hf_common_parts #(
    parameter int unsigned Style = 0,
    parameter int unsigned Width = 8,
    parameter int unsigned Depth = 16
) (
    input  logic                     clk_i,
    input  logic                     en_i,
    output logic [             15:0] count_o,
    output logic [             15:0] edges_o,
    input  logic                     write_i,
    input  logic [$clog2(Depth)-1:0] write_addr_i,
    input  logic [        Width-1:0] write_data_i,
    input  logic [$clog2(Depth)-1:0] read_addr_i,
    output logic [        Width-1:0] read_data_o,
    output logic [        Width-1:0] one_port_o,
    output logic [        Width-1:0] rom_o
);
  function automatic logic [Depth-1:0][Width-1:0] words();
    for (int unsigned i = 0; i < Depth; i++) words[i] = Width'((i + 1) * 64'h9E3779B97F4A7C15);
  endfunction
  logic clk, en;
  hf_clock_gate #(.Style(Style)) u_gate (.clk_i, .en_i, .clk_o(clk), .en_o(en));
  always_ff @(posedge clk) edges_o <= edges_o + 1'b1;
  always_ff @(posedge clk) if (en) count_o <= count_o + 1'b1;
  hf_ram #(.Width(Width), .Depth(Depth)) u_ram (.*);
  hf_ram_1 #(.Width(Width), .Depth(Depth)) u_one_port (
      .clk_i, .write_i, .addr_i(write_i ? write_addr_i : read_addr_i), .write_data_i,
      .read_data_o(one_port_o)
  );
  hf_rom #(.Width(Width), .Depth(Depth), .Words(words())) u_rom (
      .clk_i, .addr_i(read_addr_i), .data_o(rom_o)
  );
endmodule
"""
GATE = "rtl/prim/hf_clock_gate.sv"
RAM = "rtl/prim/hf_ram.sv"
ONE_PORT = "rtl/prim/hf_ram_1.sv"
ROM = "rtl/prim/hf_rom.sv"
FILES = [GATE, RAM, ONE_PORT, ROM]


def run(style: int, files: dict[str, str] | None = None, depth: int = 16) -> simulation.Outcome:
    """Run the bench with this style of gate."""
    parameters = {"Style": style, "Depth": depth, "Width": 40}
    files = {**(files or simulation.read_files(FILES)), "parts.sv": PARTS}
    compiled = simulation.compile_design("hf_common_parts", files, parameters)
    environment = {"HF_STYLE": str(style), "HF_DEPTH": str(depth), "HF_WIDTH": "40"}
    return compiled.run("tests.rtl.prim.common_bench", "common", environment=environment)


@pytest.mark.parametrize("style", [0, 1, 2])
def test_parts(style: int) -> None:
    """A gated register counts the enabled clocks; a RAM gives what was written."""
    run(style).check()


def test_the_rom_of_ecp5() -> None:
    """Its two ports give the two halves of a word."""
    files = simulation.read_files(FILES)
    run(0, files | {ROM: f"`define HF_ECP5\n{files[ROM]}"}).check()


@pytest.mark.parametrize(
    ("style", "path", "old", "new", "caught_by"),
    [
        (2, GATE, "always_latch if (!clk_i) en_q = en_i;", "assign en_q = en_i;", "a_register"),
        pytest.param(2, GATE, "clk_i & en_q", "clk_i", "a_register", marks=pytest.mark.slow),
        (1, GATE, "assign en_o  = en_i;", "assign en_o  = 1'b1;", "a_register"),
        pytest.param(
            *(0, RAM, "read_data_o <= read_q;", "read_data_o <= mem[read_addr_i];", "ram"),
            marks=pytest.mark.slow,
        ),
        pytest.param(0, RAM, "if (write_i) mem", "mem", "ram", marks=pytest.mark.slow),
        (0, ONE_PORT, "else read_q", "read_q", "one_port_ram"),
        pytest.param(0, ROM, "= Words[i];", "= '0;", "rom", marks=pytest.mark.slow),
    ],
    ids=["no-latch", "no-gate", "no-enable", "early", "always-writes", "reads-too", "empty"],
)
def test_mutants_are_caught(style: int, path: str, old: str, new: str, caught_by: str) -> None:
    """The bench fails on a part with one fault."""
    files = simulation.mutated(simulation.read_files(FILES), path, old, new)
    assert any(name.startswith(caught_by) for name in run(style, files).failures)


def test_an_unknown_style_does_not_elaborate() -> None:
    """It says so, in the module's own words."""
    with pytest.raises(RuntimeError, match=r"refused: .*hf_"):
        run(3)


@pytest.mark.slow
def test_an_interrupted_build_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that it left is used: half a precompiled header would fail every later one."""

    class Interrupted:
        def build(self, *, build_dir: Path, **_: object) -> NoReturn:
            (build_dir / "half").touch()
            raise KeyboardInterrupt

    monkeypatch.setattr(simulation, "BUILD", tmp_path)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(simulation, "get_runner", lambda _: Interrupted())
        run(0)
    assert list(tmp_path.rglob("half"))
    run(0).check()
    assert not list(tmp_path.rglob("half"))
