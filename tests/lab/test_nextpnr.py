"""The families that nextpnr routes: their counts, on recorded output, and toys by the real tools.

tests/data/nextpnr has what the tools wrote for MEMORY, without critical paths and, of a netlist,
without all but the types of its cells.
"""

import importlib.metadata
import os
import pickle
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hashfabric.base.cache import Cache, Job
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.progress import Steps
from hashfabric.base.tools import Tool, ToolTimeout, remedy
from hashfabric.base.yosys import Port, run_script
from hashfabric.flows.base import RtlSource
from hashfabric.flows.ecp5.flow import Ecp5Target
from hashfabric.flows.mapped import NETLIST
from hashfabric.flows.nextpnr.report import read_report, state_of
from hashfabric.flows.nextpnr.target import NextpnrTarget, OneRunTarget, run_nextpnr
from hashfabric.flows.targets import find_target, load_targets
from hashfabric.implement import build as implement
from hashfabric.implement.build import Builder
from hashfabric.implement.harness import render
from hashfabric.implement.jobs import route_job
from hashfabric.registry.designs import find_design

DATA = ROOT / "tests" / "data" / "nextpnr"

MEMORY = """\
module memory (
  input  logic clk_i,
  input  logic rst_i,
  input  logic serial_i,
  output logic serial_o
);
  logic [31:0] in_q;
  logic [7:0]  near_q, block_q, count_q;
  logic [7:0]  near [16];
  logic [7:0]  block [512];
  always_ff @(posedge clk_i) begin
    in_q <= {in_q[30:0], serial_i};
    if (in_q[0]) near[in_q[7:4]] <= in_q[15:8];
    near_q <= near[in_q[11:8]];
    if (in_q[1]) block[in_q[30:22]] <= in_q[15:8];
    block_q <= block[in_q[24:16]];
    if (rst_i) count_q <= '0;
    else count_q <= count_q + near_q;
    serial_o <= ^{count_q, block_q};
  end
endmodule
"""
"""A RAM of 16x8 bits without an output register, one of 512x8 with one, an adder, registers."""

SMALL = ["ice40-hx8k", "ice40-up5k", "gw2a-18", "gw5a-25", "lifcl-40", "ecp5-25k", "ccgm1a1"]


def target(name: str) -> OneRunTarget:
    """Return one of the targets that a single run routes."""
    found = find_target(name)
    assert isinstance(found, OneRunTarget)
    return found


def recorded(name: str) -> str:
    """Return the text of a recorded file."""
    return (DATA / name).read_text(encoding="utf-8")


# By target: luts, ffs, brams, detail of the mapped netlist, and of the routed design.
Counts = tuple[int, int, int, Mapping[str, int]]
CELLS: Mapping[str, tuple[Mapping[str, int], Counts]] = {
    "ice40-hx8k": (
        {"SB_CARRY": 7, "SB_DFF": 35, "SB_DFFSR": 8, "SB_LUT4": 39, "SB_RAM40_4K": 2},
        (39, 43, 2, {"logic": 39, "spram": 0}),
    ),
    "gw2a-18": (
        {"ALU": 8, "DFF": 42, "DFFR": 8, "DPX9B": 1, "GND": 1, "IBUF": 3, "OBUF": 1, "VCC": 1}
        | {"LUT2": 7, "LUT3": 2, "LUT4": 11, "RAM16SDP4": 2},
        (36, 50, 1, {"logic": 20, "carry": 8, "ram": 8}),
    ),
    "lifcl-40": (
        {"CCU2": 5, "DPR16X4": 2, "FD1P3IX": 48, "IB": 3, "LUT4": 5, "OB": 1, "PDPSC16K": 1},
        (27, 48, 1, {"logic": 5, "carry": 10, "ram": 12, "large": 0}),
    ),
    "ccgm1a1": (
        {"CC_ADDF": 8, "CC_BRAM_20K": 1, "CC_BUFG": 1, "CC_DFF": 178, "CC_IBUF": 3, "CC_OBUF": 1}
        | {"CC_L2T4": 12, "CC_L2T5": 23, "CC_LUT2": 9, "CC_MX4": 40},
        (281, 178, 1, {"logic": 273, "carry": 8}),
    ),
}
ROUTED: Mapping[str, tuple[str, Counts, float]] = {
    "ice40-hx8k": ("ice40", (41, 43, 2, {"logic": 41, "through": 32, "spram": 0}), 171.204),
    "gw2a-18": (
        "gowin",
        (38, 50, 1, {"logic": 20, "carry": 10, "ram": 8, "through": 41}),
        435.161,
    ),
    "lifcl-40": ("nexus", (28, 48, 1, {"comb": 24, "ramw": 4, "large": 0}), 338.983),
    "ccgm1a1": ("gatemate", (279, 178, 1, {"halves": 279}), 114.982),
}


@pytest.mark.parametrize("name", CELLS)
def test_cells_of_a_netlist(name: str) -> None:
    """What a family's cells count as: carry and distributed RAM are in `luts`."""
    cells, counts = CELLS[name]
    use = target(name).use(cells)
    assert (use.luts, use.ffs, use.brams, use.detail) == counts
    assert use.dsps == 0


@pytest.mark.parametrize("name", ROUTED)
def test_report_of_a_routed_design(name: str) -> None:
    """The clock and the counts; a LUT that only passes a signal is not among the LUTs."""
    family, counts, mhz = ROUTED[name]
    one = target(name)
    report = read_report(recorded(f"{family}-report.json"), one.nextpnr.name)
    use = one.routed_use(report, recorded("ice40-pack.log"), recorded("gowin-routed.json"))
    assert (use.luts, use.ffs, use.brams, use.detail) == counts
    assert report.slowest_mhz == mhz
    sites = {"ice40": "ICESTORM_LC", "gowin": "LUT4", "nexus": "OXIDE_COMB", "gatemate": "CPE_LT"}
    through = use.detail.get("through", 0) - use.detail.get("carry", 0)
    assert report.used[sites[family]] == use.luts + through - use.detail.get("ramw", 0)


def test_a_log_without_cells_is_reported() -> None:
    """No number is made up."""
    one = target("ice40-hx8k")
    report = read_report(recorded("ice40-report.json"), one.nextpnr.name)
    with pytest.raises(LabError, match="nextpnr-ice40: no packed cells in its log"):
        one.routed_use(report, "Info: Packing IOs..\n", "")


@pytest.mark.parametrize("text", ["", "{}", '{"fmax": {}, "utilization": {"X": {"used": 1}}}'])
def test_a_report_without_figures_is_reported(text: str) -> None:
    """By the name of the tool."""
    with pytest.raises(LabError, match="nextpnr-x: no clock or no utilisation in its report"):
        read_report(text, "nextpnr-x")


PLACING = (
    "Info:     at iteration #4, type ALL: wirelen solved = 15863, spread = 67731; time = 8.61s"
)
REFINING = "Info:   at iteration #15: temp = 0.000000, timing cost = 1656, wirelen = 86016"
ROUTER1 = "Info:      44000 |    11517      32482 |  595   405 |      3582|      39.74     569.92|"
ROUTER2 = "Info:     iter=43 wires=47901 overused=2 overuse=2 resources=1335 overused=0 overuse=0"


@pytest.mark.parametrize(
    ("lines", "state"),
    [
        ((), ""),
        ((PLACING,), "it was placing"),
        ((PLACING, REFINING), "it was refining the placement"),
        ((PLACING, REFINING, "Info: Routing globals..."), "it was routing clocks"),
        ((PLACING, ROUTER1), "3,582 arcs were not routed after 44,000 iterations"),
        ((PLACING, REFINING, ROUTER2), "2 wires were used twice after 43 iterations"),
    ],
)
def test_what_stopped_a_seed(lines: tuple[str, ...], state: str) -> None:
    """The last state that the log shows, in words for a row."""
    assert state_of("".join(f"{line}\n" for line in lines)) == state


def test_a_time_limit_has_the_state(tmp_path: Path) -> None:
    """And the reason that rows give has both."""
    shell = Tool("nextpnr-slow", "sh")
    args = ["-c", f"echo '{ROUTER1}'; sleep 60"]
    with pytest.raises(ToolTimeout) as caught:
        run_nextpnr(shell, args, cwd=tmp_path, log="log", timeout_s=0.5)
    assert caught.value.reason(600) == (
        "not routed within 600 s: 3,582 arcs were not routed after 44,000 iterations"
    )
    assert ToolTimeout("x").reason(60) == "not routed within 60 s"


def test_a_job_that_is_stopped_says_the_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through the cache, and from a worker: the error that a row takes its reason from."""
    script = tmp_path / "nextpnr-slow"
    script.write_text(f"#!/bin/sh\necho 1.0\necho '{ROUTER1}'\n[ $1 = -V ] || sleep 60\n", "utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    target = find_target("ice40-hx8k").model_copy(update={"pnr_timeout_s": 0.5})
    assert isinstance(target, OneRunTarget)
    slow = Tool("nextpnr-slow", "nextpnr-slow", ("-V",), r"(\S+)")
    monkeypatch.setattr(type(target), "nextpnr", slow)
    synth = Job("key", tmp_path, {}, cached=False)
    (tmp_path / NETLIST).write_text("{}", encoding="utf-8")
    with pytest.raises(ToolTimeout) as caught:
        route_job(Cache(tmp_path / "cache"), target, synth, 1)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert error.state == "3,582 arcs were not routed after 44,000 iterations"
        assert "/failed/" in str(error)


def test_each_port_of_the_harness_has_a_pin() -> None:
    """On the families whose nextpnr places none by itself."""
    ports = [Port("clk_i", "input", 1), Port("y_o", "output", 9)]
    text = render("x", ports, {}, clock="clk_i", reset="rst_i")
    names = set(re.findall(r"^  (?:in|out)put +logic +(\w+)", text, flags=re.MULTILINE))
    assert len(names) == 4
    for name, one in load_targets().items():
        if isinstance(one, OneRunTarget) and one.pins_file:
            assert one.pins.keys() == names, name
            assert len(set(one.pins.values())) == len(names), name


def test_pins_are_in_the_command() -> None:
    """Other pins are another placement, so a row has them."""
    one = target("lifcl-40")
    moved = one.model_copy(update={"pins": one.pins | {"rst_i": "E18"}})
    assert moved.route_text(1) != one.route_text(1)
    assert one.constraint_mhz == 150


def test_a_program_without_a_version_has_its_distributions() -> None:
    """And says what to install where that is not here."""
    tool = Tool("echo", "echo", distribution="pytest")
    assert tool.version() == importlib.metadata.version("pytest")
    with pytest.raises(LabError, match=r"^echo: no version of 'no-such-one': run 'make targets'$"):
        Tool("echo", "echo", distribution="no-such-one", extra="nexus").version()
    assert remedy("ice40") == "run 'make setup'"


def test_a_packer_that_writes_nothing_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bitstream is there, or the build fails."""
    one = target("ice40-hx8k")
    monkeypatch.setattr(type(one), "packer", Tool("icepack", "true"))
    (tmp_path / "routed").mkdir()
    (tmp_path / "routed" / one.routed).write_text("x", encoding="utf-8")
    with pytest.raises(LabError, match=r"^icepack: wrote no bitstream\.bin$"):
        one.pack(tmp_path, tmp_path / "routed")


FEED = {"INIT0": "0xFFFF", "INIT1": "0x00AA", "INJECT": "NO"}
ADDS = {"INIT0": "0x96AA", "INIT1": "0x96AA", "INJECT": "NO"}


def test_a_carry_chain_begins_without_a_carry() -> None:
    """Only the cell that begins a chain loses its input."""
    nexus = target("lifcl-40")
    kinds = {"feed": ("CCU2", FEED), "adds": ("CCU2", ADDS), "lut": ("LUT4", FEED)}
    cells: dict[str, Any] = {
        name: {"type": kind, "parameters": dict(values), "connections": {"CIN": [2], "A1": [3]}}
        for name, (kind, values) in kinds.items()
    }
    assert nexus.finish_netlist({"modules": {"top": {"cells": cells}}}, "top") == {}
    assert {name for name, cell in cells.items() if "CIN" in cell["connections"]} == {"adds", "lut"}


@pytest.mark.parametrize(("values", "holds"), [(FEED, True), (ADDS, False)])
def test_the_first_cell_of_a_chain_ignores_its_carry(
    values: Mapping[str, str], holds: bool, tmp_path: Path
) -> None:
    """Proved on yosys' model of the cell; false of a cell that adds."""
    given = ", ".join(f'.{name}("{value}")' for name, value in values.items())
    ones = ", ".join(f".{pin}(1'b1)" for pin in ("A0", "B0", "C0", "D0", "B1", "C1", "D1"))
    cells = "".join(
        f"  CCU2 #({given}) x_{carry} (.CIN({carry}), .A1(a), {ones}, .COUT({out}));\n"
        for carry, out in ("co", "dp")
    )
    text = f"module t(input c, d, a, output o, p);\n{cells}endmodule\n"
    (tmp_path / "t.v").write_text(text, encoding="utf-8")
    script = [
        "read_verilog -icells +/lattice/cells_sim_nexus.v t.v",
        "prep -flatten -top t",
        f"sat {'-verify' if holds else '-falsify'} -prove o p t",
    ]
    run_script(script, tmp_path, name="proof")


def require(one: NextpnrTarget) -> None:
    """Skip where its programs are not installed; iCE40's always are."""
    try:
        paths = [tool.path() for tool in one.tools]
    except LabError as error:
        if "make targets" not in str(error):
            raise
        pytest.skip(str(error))
    assert paths


def build_toy(name: str, root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Build the toy in its checkout `root` for one of this checkout's targets; return its row."""
    monkeypatch.setattr(implement, "ROOT", root)
    monkeypatch.setattr(implement, "BUILD", root / "build")
    monkeypatch.setattr(implement, "measure_clocks", lambda *_: {"core": 24.0})
    with Steps(quiet=True) as steps:
        builder = Builder(find_design("toy", root), find_target(name), steps, Cache(cache))
        [row] = implement.build(builder, seeds=[1], variants=["core"])
    return row


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.slow] * (one != "ice40-hx8k")) for one in SMALL]
)
def test_a_toy_is_routed_and_packed(
    name: str, toy_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the real tools: a clock, every register, a bitstream."""
    one = find_target(name)
    assert isinstance(one, NextpnrTarget)
    require(one)
    row = build_toy(name, toy_root, tmp_path / "cache", monkeypatch)
    assert (row.ffs_core, row.ffs) == (20, 56)  # as on ecp5-85k: nothing was optimised away
    assert 20 <= row.luts_core < row.luts
    assert row.fmax_mhz.n == 1
    assert row.fmax_mhz.median > 40
    assert row.provenance.constraint_mhz == one.constraint_mhz
    assert set(row.provenance.tools) == {tool.name for tool in one.tools}
    packed = toy_root / "build" / f"toy-{name}-core" / one.bitstream
    assert packed.stat().st_size > 5000


KEPT = """\
(* keep_hierarchy = "yes" *)
module kept (input logic clk_i, input logic d_i, output logic q_o);
  always_ff @(posedge clk_i) q_o <= d_i;
endmodule
module top (input logic clk_i, input logic d_i, output logic q_o);
  logic q;
  kept first (.clk_i, .d_i, .q_o(q));
  kept second (.clk_i, .d_i(q), .q_o);
endmodule
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_only_the_tops_ports_have_pads(name: str, tmp_path: Path) -> None:
    """Not those of modules that are kept apart in synthesis."""
    one = find_target(name)
    made = one.synthesise(tmp_path, RtlSource({"top.sv": KEPT}, "top", {}))
    pads = {kind: n for kind, n in made.cells.items() if re.search("IBUF|OBUF|_IB$|_OB$", kind)}
    assert sum(pads.values()) in (0, 3), pads  # none where nextpnr adds them
    assert made.use.ffs == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ROUTED)
def test_memory_is_counted_as_recorded(name: str, tmp_path: Path) -> None:
    """The tools give the recorded figures again, wherever they run."""
    one = target(name)
    require(one)
    _, counts, mhz = ROUTED[name]
    synthesis = one.synthesise(tmp_path, RtlSource({"memory.sv": MEMORY}, "memory", {}))
    assert synthesis.use.luts == CELLS[name][1][0]
    texts = []
    for depth in ("near", "much/deeper/in/the/tree"):
        folder = tmp_path / depth / "job"
        folder.mkdir(parents=True)
        routed = one.route(folder, tmp_path / "netlist.json", 1)
        texts.append((folder / one.routed).read_text(encoding="utf-8"))
    use = routed.use
    assert (use.luts, use.ffs, use.brams, use.detail) == counts
    assert routed.fmax_mhz == mhz
    assert texts[0] == texts[1]


def test_the_smaller_ecp5_is_of_the_same_flow() -> None:
    """One file is all that it takes."""
    assert isinstance(find_target("ecp5-25k"), Ecp5Target)
    assert not any(find_target(name).every_design for name in SMALL)
    assert find_target("ecp5-85k").every_design
