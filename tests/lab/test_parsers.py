"""The parsers, on texts that the real tools wrote for a 20-bit counter (tests/data/)."""

import json

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.tools import first_error_line
from hashfabric.base.yosys import Port, parse_cells, parse_ports, read_command, value_text
from hashfabric.flows.ecp5.flow import Ecp5Target
from hashfabric.flows.ecp5.router import parse_report
from hashfabric.flows.targets import find_target
from hashfabric.flows.xilinx import XilinxTarget

DATA = ROOT / "tests" / "data"


def data(name: str) -> str:
    """Return the text of one file in tests/data/."""
    return (DATA / name).read_text(encoding="utf-8")


def ecp5() -> Ecp5Target:
    """The ECP5 part."""
    target = find_target("ecp5-85k")
    assert isinstance(target, Ecp5Target)
    return target


def xc7() -> XilinxTarget:
    """The Xilinx family."""
    target = find_target("xc7")
    assert isinstance(target, XilinxTarget)
    return target


def test_ports() -> None:
    """Every port with its direction and width."""
    assert parse_ports(data("yosys-portlist.txt")) == [
        Port("a_i", "input", 4),
        Port("clk_i", "input", 1),
        Port("rst_i", "input", 1),
        Port("en_i", "input", 1),
        Port("cnt_o", "output", 20),
        Port("w_o", "output", 1),
    ]
    with pytest.raises(LabError, match="no ports"):
        parse_ports("module toy\nendmodule\n")


def test_ecp5_cells() -> None:
    """Ten carry cells are twenty LUT4 sites."""
    cells = parse_cells(data("yosys-stat-ecp5.json"))
    assert cells == {"CCU2C": 10, "LUT4": 15, "TRELLIS_FF": 20}
    use = ecp5().use(cells)
    assert (use.luts, use.ffs, use.dsps, use.brams) == (35, 20, 0, 0)
    assert use.detail == {"logic": 15, "carry": 20, "ram": 0}


def test_ecp5_counts_ram_and_hard_blocks() -> None:
    """A 16x4 RAM occupies four LUT4 sites, and two more for its write port."""
    cells = {"TRELLIS_DPR16X4": 2, "MULT18X18D": 3, "DP16KD": 4}
    use = ecp5().use(cells)
    assert (use.luts, use.ffs, use.dsps, use.brams) == (12, 0, 3, 4)


def test_xilinx_cells() -> None:
    """LUTs of every size count one each; a carry cell is beside the LUTs."""
    use = xc7().use(parse_cells(data("yosys-stat-xc7.json")))
    assert (use.luts, use.ffs, use.dsps, use.brams) == (14, 20, 0, 0)
    cells = {"LUT6": 1, "INV": 1, "RAM64M": 1, "SRLC32E": 1, "FDSE": 2, "DSP48E1": 5, "RAMB18E1": 6}
    use = xc7().use(cells)
    assert (use.luts, use.ffs, use.dsps, use.brams) == (7, 2, 5, 6)


def test_nextpnr_report() -> None:
    """The placed design's own counts, and its clock."""
    routed = parse_report(data("nextpnr-ecp5-report.json"))
    assert routed.fmax_mhz == 244.141
    assert (routed.use.luts, routed.use.ffs) == (49, 56)


def test_nextpnr_report_with_distributed_ram() -> None:
    """A RAM's write port is counted once: two of its sites are in TRELLIS_COMB already."""
    report = json.loads(data("nextpnr-ecp5-report.json"))
    # As nextpnr 0.11.1 reported 690 LUT4 and 46 TRELLIS_DPR16X4; it had added two LUTs.
    report["utilization"]["TRELLIS_COMB"]["used"] = 690 + 46 * 6 + 2
    report["utilization"]["TRELLIS_RAMW"]["used"] = 46
    use = parse_report(json.dumps(report)).use
    assert (use.luts, use.detail) == (968, {"comb": 876, "ramw": 92})


def test_the_slowest_clock_counts() -> None:
    """With two clocks in a report, the slower one is the design's."""
    text = data("nextpnr-ecp5-report.json").replace(
        '"fmax": {', '"fmax": {"other": {"achieved": 99.5, "constraint": 300},'
    )
    assert parse_report(text).fmax_mhz == 99.5


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"fmax": {}, "utilization": {}}'])
def test_a_broken_report_is_reported(text: str) -> None:
    """No number is made up out of a report without one."""
    with pytest.raises(LabError, match="nextpnr-ecp5"):
        parse_report(text)
    with pytest.raises(LabError, match="yosys"):
        parse_cells(text)


def test_read_command() -> None:
    """Parameters become overrides, in SystemVerilog's own writing."""
    line = read_command("top", ["a.sv", "b.sv"], {"Width": 8, "Fast": True})
    assert (
        line
        == "read_slang --threads 1 --keep-hierarchy --top top -G Width=8 -G Fast=1'b1 a.sv b.sv"
    )
    assert read_command("top", ["a.sv"], {}, ["HF_X"]).endswith("--top top -D HF_X a.sv")
    assert value_text("x") == '"x"'
    assert value_text(-3) == "-3"


def test_first_error_line() -> None:
    """The line a user needs, out of a long log."""
    log = "Info: fine\nWarning: hm\nERROR: no such cell\nmore\n"
    assert first_error_line(log) == "ERROR: no such cell"
    assert first_error_line("one\ntwo\n") == "two"
    assert first_error_line("") == "no output"
