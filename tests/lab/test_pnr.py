"""`hashfabric pnr`: a custom netlist through the steps, by the real tools."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hashfabric.base.cache import Cache
from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD
from hashfabric.base.progress import Steps
from hashfabric.base.tools import YOSYS, ToolError, output
from hashfabric.base.yosys import Port
from hashfabric.commands import pnr as commands
from hashfabric.flows.ecp5 import router
from hashfabric.flows.ecp5.given import GivenNetlist, read_netlist
from hashfabric.flows.ecp5.placed import BEL, PlacedCell, slice_cells
from hashfabric.flows.ecp5.router import Part, Router
from tests.support import ulx3s
from tests.support.pins import WITH_MULTIPLIER

TINY = """
(* keep_hierarchy *)
module count (input clk, input rst, output reg [31:0] n);
  always @(posedge clk) if (rst) n <= 0; else n <= n + 1;
endmodule

module tiny (input clk, input rst, input [15:0] given, output reg [7:0] seen);
  wire [31:0] n;
  (* no_rw_check *) reg [15:0] mem[0:1023];
  reg [15:0] word, again;
  count u_count (.clk(clk), .rst(rst), .n(n));
  always @(posedge clk) begin
    if (n[31]) mem[n[30:21]] <= n[15:0] ^ given;
    word <= mem[n[9:0]];
    again <= word;
    seen <= again[15:8] ^ again[7:0];
  end
endmodule
"""
FIVE = """
(* keep_hierarchy *)
module cell_a (input clk, input [3:0] a, output reg [3:0] y);
  reg [15:0] n;
  always @(posedge clk) begin n <= n + {12'd1, a}; y <= n[15:12] ^ n[3:0]; end
endmodule

(* keep_hierarchy *)
module edge_b (input clk, input a, output reg y);
  always @(posedge clk) y <= ~a;
endmodule

module five (input clk, input a, output y);
  wire [3:0] w[0:5];
  wire b;
  edge_b u_b (.clk(clk), .a(a), .y(b));
  assign w[0] = {4{b}}, y = ^w[5];
  for (genvar i = 0; i < 5; i = i + 1) cell_a u (.clk(clk), .a(w[i]), .y(w[i+1]));
endmodule
"""
"""A chain of five modules that are alike, and one that is not."""

INSTANCE = (
    "tiny u_tiny (\n    .clk  (clk),\n    .rst  (rst),\n    .given (word),\n    .seen (seen)\n);\n"
)
PORTS = [
    *(Port("clk", "input", 1), Port("rst", "input", 1)),
    *(Port("given", "input", 16), Port("seen", "output", 8)),
]
CLOCK = 'FREQUENCY PORT "clk25" 25 MHZ;\n'
BOARD = ["--device", "25k", "--package", "CABGA381"]
"""The smaller device that the board is also sold with, which loads sooner."""


@pytest.fixture(scope="module")
def folder() -> Path:
    """A netlist of three levels with a block RAM, and the board's pins.

    It is in the checkout: YoWASP's tools have a /tmp of their own.
    """
    made = BUILD / "tests" / "pnr"
    made.mkdir(parents=True, exist_ok=True)
    (made / "tiny.v").write_text(TINY + ulx3s.top(INSTANCE, PORTS), encoding="utf-8")
    (made / "board.lpf").write_text(CLOCK + ulx3s.LPF, encoding="utf-8")
    (made / "five.v").write_text(FIVE, encoding="utf-8")
    (made / "unit.v").write_text(WITH_MULTIPLIER, encoding="utf-8")
    for name, top in (("tiny", ulx3s.TOP), ("five", "five"), ("unit", "unit")):
        synth = f"synth_ecp5 -nowidelut -top {top} -json {name}.json"
        said = output([YOSYS.path(), "-q", "-p", f"read_verilog -sv {name}.v; {synth}"], made)
        assert said.returncode == 0, said.stderr
    return made


def pnr(folder: Path, out: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run the command in `folder`."""
    return subprocess.run(
        [sys.executable, "-m", "hashfabric", "pnr", *args, "--out", str(out)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


FILES = {"routed.config", "bitstream.bit", "report.json", "pnr.log"}


@pytest.mark.parametrize(
    "steps",
    [[], pytest.param(["--spread", "3/2", "--ram-passes", "1"], marks=pytest.mark.slow)],
)
def test_a_netlist_becomes_a_bitstream(steps: list[str], folder: Path, tmp_path: Path) -> None:
    """With the board's pins and clock, whether the placed design is stretched or not."""
    out = tmp_path / "out"
    done = pnr(folder, out, "tiny.json", *BOARD, "--lpf", "board.lpf", *steps)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in out.iterdir()} == FILES
    assert (out / "bitstream.bit").stat().st_size > 100_000
    assert "seed 1: clk25: " in done.stdout and "MHz (25 asked)" in done.stdout
    assert " 1 of 56 block RAM" in done.stdout
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    (clock,) = report["fmax"].values()
    assert clock["constraint"] == 25
    config = (out / "routed.config").read_text(encoding="utf-8")
    assert config.count("INPUT_LVCMOS33") >= 3 and config.count("OUTPUT_LVCMOS33") >= ulx3s.LEDS
    assert ".device LFE5U-25F" in config
    assert "REGMODE_B OUTREG" in config  # the register after the RAM is the RAM's own now


def test_a_stretched_design_is_its_netlist(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With carry and distributed RAM; routed with `--no-place` it is not, and the run says so."""
    (run := tmp_path / "run").mkdir()
    options = ["--placer", "heap", "--freq", "50"]
    part = Part("25k", "CABGA381", "6")
    one = Router(part, options, 300, spread="3/2")
    one.route(run, folder / "unit.json", 1)
    assert (run / "routed.config").stat().st_size > 10_000
    monkeypatch.setattr(router, "_ALL_FIXED", ("--no-pack", "--no-place"))
    monkeypatch.setattr(router, "constrain", lambda design: None)
    with pytest.raises(ToolError, match="the bitstream is not the netlist: "):
        one.route(run, folder / "unit.json", 1)


def two_at_one_place(one: PlacedCell, two: PlacedCell) -> None:
    """Put a register where another is: nextpnr stops."""
    one.netlist["attributes"][BEL] = two.netlist["attributes"][BEL]


def two_clocks_in_a_tile(one: PlacedCell, _: PlacedCell) -> None:
    """Let a register take the other edge of the clock: nextpnr says no, and goes on."""
    one.netlist["parameters"]["CLKMUX"] = "INV"


@pytest.mark.slow
@pytest.mark.parametrize("fault", [two_at_one_place, two_clocks_in_a_tile])
def test_places_that_nextpnr_refuses(
    fault: Callable[[PlacedCell, PlacedCell], None],
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An error that lets less be tried, and none of a tool."""

    def planted(design: dict[str, Any], *_: object, **__: object) -> None:
        (module,) = design["modules"].values()
        registers = [cell for cell in slice_cells(module) if cell.is_register]
        tiles = [(cell.x, cell.y) for cell in registers]
        full = Counter(tiles).most_common(1)[0][0]
        fault(*[cell for cell in registers if (cell.x, cell.y) == full][:2])

    monkeypatch.setattr(router, "spread_columns", planted)
    part = Part("25k", "CABGA381", "6")
    stretched = Router(part, ["--placer", "heap"], 300, spread="3/2")
    with pytest.raises(LabError, match=r"^spread 3/2: nextpnr-ecp5") as found:
        stretched.route(tmp_path, folder / "unit.json", 1)
    assert not isinstance(found.value, ToolError)


def test_less_is_tried_where_places_are_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each ratio in turn, at last none, with a line for each; a fault in a bitstream ends it."""
    tried: list[str | None] = []

    def routed(self: object, one: Router, seed: int) -> tuple[commands.SeedOutcome, None]:
        tried.append(one.spread)
        if one.spread:
            raise LabError(f"spread {one.spread}: refused")
        return commands.SeedOutcome(seed, None, "routed"), None

    monkeypatch.setattr(commands._Run, "_routed", routed)
    part = Part("25k", "CABGA381", "6")
    request = commands.Request(Path("n.json"), part, None, [1], Path("out"))
    with Steps() as steps:
        run = commands._Run(request, given(5_000, 6_300, 0), "", None, Cache(Path("none")), steps)
        outcome, _ = run.seed(1)
    assert (outcome.text, tried) == ("routed", ["3/2", "4/3", "5/4", None])
    assert "seed 1: spread 4/3: refused" in capsys.readouterr().err

    def differs(self: object, one: Router, seed: int) -> None:
        raise ToolError("the bitstream is not the netlist: a pin")

    monkeypatch.setattr(commands._Run, "_routed", differs)
    with pytest.raises(LabError, match="is not the netlist"):
        run.seed(1)


@pytest.mark.slow
def test_a_module_is_stamped(folder: Path, tmp_path: Path) -> None:
    """Five of it; the module beside it is flattened, and little is left to the router."""
    args = ["five.json", *BOARD, "--free-pins", "--freq", "50", "--stamp", "cell_a"]
    done = pnr(folder, tmp_path / "out", *args, "--json")
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "out").iterdir()} == FILES | {"stamp.json"}
    [seed] = json.loads(done.stdout)
    stamped = seed["stamped"]
    assert stamped == json.loads((tmp_path / "out" / "stamp.json").read_text(encoding="utf-8"))
    assert len({tuple(shift.values()) for shift in stamped["copies"].values()}) == 5
    assert 0 < stamped["arcs_left"] < 0.2 * stamped["arcs"]
    assert seed["use"]["ffs"] == 5 * 20 + 1
    again = pnr(folder, tmp_path / "out", *args)
    assert f"5 x cell_a: {stamped['arcs_left']} of {stamped['arcs']} arcs" in again.stdout
    boxed = pnr(folder, tmp_path / "box", *args, "--box", "10,2,6,7", "--json")
    assert boxed.returncode == 0, boxed.stderr
    box = json.loads(boxed.stdout)[0]["stamped"]["box"]
    assert box == {"left": 10, "top": 2, "width": 6, "height": 7}


@pytest.mark.slow
def test_the_best_seed_is_kept(folder: Path, tmp_path: Path) -> None:
    """All are reported, as JSON too; a second call replaces the files and routes nothing again."""
    args = ["tiny.json", *BOARD, "--free-pins", "--seeds", "2", "--freq", "50", "--json"]
    done = pnr(folder, tmp_path, *args)
    assert done.returncode == 0, done.stderr
    seeds = json.loads(done.stdout)
    assert [seed["seed"] for seed in seeds] == [1, 2]
    clocks = [seed["clocks"]["clk25"] for seed in seeds]
    assert all(clock["asked_mhz"] == 50 for clock in clocks)
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    (kept,) = report["fmax"].values()
    assert round(kept["achieved"], 3) == max(clock["mhz"] for clock in clocks)
    again = pnr(folder, tmp_path, *args[:-1])
    assert again.stderr.count("cached") == 2


@pytest.mark.slow
def test_a_clock_that_is_missed(folder: Path, tmp_path: Path) -> None:
    """It is reported by its name, and the status is bad; the files are there."""
    args = ["tiny.json", *BOARD, "--free-pins", "--freq", "900"]
    done = pnr(folder, tmp_path / "out", *args)
    assert done.returncode == 1
    assert "hashfabric: clk25: " in done.stderr and "900 required" in done.stderr
    assert {path.name for path in (tmp_path / "out").iterdir()} == FILES


@pytest.mark.parametrize(
    ("args", "wanted"),
    [
        (["none.json", *BOARD, "--free-pins"], "none.json: cannot be read"),
        (["board.lpf", *BOARD, "--free-pins"], "board.lpf: is no netlist"),
        (["list.json", *BOARD, "--free-pins"], "list.json: is no netlist"),
        (["generic.json", *BOARD, "--free-pins"], "a cell $_NOT_: it is not mapped for ECP5"),
        (["two.json", *BOARD, "--free-pins"], "two.json: has no top"),
        (["tiny.json", "--device", "86k", *BOARD[2:], "--free-pins"], "unknown device '86k'"),
        (
            ["tiny.json", "--device", "25k", "--package", "CABGA756", "--free-pins"],
            "unknown package of 25k 'CABGA756': one of CABGA256",
        ),
        (
            ["tiny.json", "--device", "um5g-85k", *BOARD[2:], "--speed", "6", "--free-pins"],
            "unknown speed grade of um5g-85k '6': one of 8",
        ),
        (["tiny.json", *BOARD, "--lpf", "none.lpf"], "none.lpf: cannot be read"),
        (["tiny.json", *BOARD], "One of '--lpf' and '--free-pins' is required"),
        (
            ["tiny.json", *BOARD, "--lpf", "less.lpf", "--free-pins"],
            "'--lpf' and '--free-pins' exclude each other",
        ),
        (
            ["tiny.json", *BOARD, "--free-pins", "--seeds", "2", "--seed", "3"],
            "'--seeds' and '--seed' exclude each other",
        ),
        (["tiny.json", *BOARD, "--lpf", "less.lpf"], "less.lpf: has no pin for led[6]"),
        (["tiny.json", *BOARD, "--lpf", "wrong.lpf"], "'Z9', which does not exist for package"),
        (["tiny.json", *BOARD, "--free-pins", "--spread", "1/2"], "1/2: must be a ratio above 1"),
        (["tiny.json", *BOARD, "--free-pins", "--placer", "sa"], "unknown placer 'sa'"),
        (
            ["five.json", *BOARD, "--free-pins", "--stamp", "cell_c"],
            "has no module cell_c to stamp (modules that were kept apart: cell_a, edge_b)",
        ),
        (["five.json", *BOARD, "--free-pins", "--box", "2,2,9,9"], "'--box' requires '--stamp'"),
        (
            ["five.json", *BOARD, "--free-pins", "--stamp", "cell_a", "--box", "60,2,20,9"],
            "--box 60,2,20,9: columns of logic are 2 to 70",
        ),
        (
            ["five.json", *BOARD, "--free-pins", "--stamp", "cell_a", "--box", "2,2,9"],
            "2,2,9: is no box: LEFT,TOP,WIDTH,HEIGHT in tiles",
        ),
    ],
)
def test_wrong_input_is_reported(
    args: list[str], wanted: str, folder: Path, tmp_path: Path
) -> None:
    """In one line at the end, with a bad status; nothing is written."""
    pins = ulx3s.LPF.splitlines(keepends=True)
    module: dict[str, Any] = {"attributes": {}, "cells": {"a": {"type": "LUT4"}}}
    inverter = {"attributes": {}, "cells": {"a": {"type": "$_NOT_"}}}
    for name, text in {
        "list.json": "[]",
        "generic.json": json.dumps({"modules": {"top": inverter}}),
        "two.json": json.dumps({"modules": {"one": module, "other": module}}),
        "less.lpf": "".join(line for line in pins if "led[6]" not in line),
        "wrong.lpf": ulx3s.LPF.replace('"B2"', '"Z9"'),
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    out = tmp_path / "out"
    done = pnr(folder, out, *args)
    assert done.returncode != 0
    assert done.stdout == ""
    *_, last = done.stderr.splitlines()
    assert last.startswith("hashfabric: ") and wanted in last
    assert sum(line.startswith("hashfabric: ") for line in done.stderr.splitlines()) == 1
    assert not out.exists()


def test_files_of_others_stay(folder: Path, tmp_path: Path) -> None:
    """A directory with anything else in it is refused before anything runs."""
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    done = pnr(folder, tmp_path, "tiny.json", *BOARD, "--free-pins")
    assert done.returncode == 1
    assert "has other files (mine)" in done.stderr and done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def given(luts: int, registers: int, rams: int) -> GivenNetlist:
    """Return a netlist of these numbers of cells."""
    counts = {"LUT4": luts, "TRELLIS_FF": registers, "DP16KD": rams}
    cells = {f"{kind}{n}": {"type": kind} for kind, count in counts.items() for n in range(count)}
    return GivenNetlist({"modules": {"top": {"cells": cells}}}, "top")


@pytest.mark.parametrize(
    ("cells", "passes", "spreads"),
    [
        ((5_000, 6_300, 0), 0, ["3/2", "4/3", "5/4", None]),
        ((4_700, 6_500, 67), 2, ["4/3", "5/4", None]),
        ((4_700, 13_800, 76), 2, [None]),
        ((1_000, 500, 0), 0, [None]),
    ],
)
def test_steps_follow_from_the_netlist(
    cells: tuple[int, int, int], passes: int, spreads: list[str | None]
) -> None:
    """A round is stretched, a pipeline and what is small are not; block RAM is placed first."""
    one = given(*cells)
    assert (one.ram_passes, one.spreads) == (passes, spreads)


def test_what_is_read(folder: Path) -> None:
    """The top is the one that synthesis marked; a kept module is an inside."""
    one = read_netlist(folder / "tiny.json")
    assert one.top == ulx3s.TOP
    assert not one.is_flat
