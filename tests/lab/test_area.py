"""Area in gates: netlists of a small design against arithmetic, refusals, rows, the page."""

import functools
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from hashfabric.area import measure, page, rows
from hashfabric.area.rows import AreaProvenance, AreaRow, CellArea, CellDelay, Ram
from hashfabric.base.cache import Cache
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.progress import Steps
from hashfabric.base.yosys import run_script
from hashfabric.flows.asic import AsicTarget
from hashfabric.flows.targets import find_any
from hashfabric.netlist import liberty
from hashfabric.registry.designs import find_design, read_sources
from hashfabric.registry.peers import load_peers
from hashfabric.report import pages as report
from tests.support.commands import fails

MEMORIES = """\
module toy (
  input  logic       clk_i,
  input  logic       rst_i,
  input  logic       write_i,
  input  logic [5:0] addr_i,
  input  logic [1:0] data_i,
  output logic [1:0] large_o,
  output logic [1:0] small_o,
  output logic [4:0] rom_o
);
  // Words for a macro, too few for one, and some that are only read.
  logic [1:0] wide_ram[64];
  logic [1:0] few[4];
  always_ff @(posedge clk_i) begin
    if (write_i) wide_ram[addr_i] <= data_i;
    else large_o <= wide_ram[addr_i];
    if (write_i) few[addr_i[1:0]] <= data_i;
    if (rst_i) small_o <= '0;
    else small_o <= few[addr_i[1:0]];
  end
  assign rom_o = 5'(addr_i * addr_i * addr_i);
endmodule
"""


@pytest.fixture
def library(toy_root: Path) -> AsicTarget:
    """The target osu018 in the toy's checkout; skip where its liberty is not installed."""
    shutil.copy(ROOT / "targets" / "osu018.toml", toy_root / "targets")
    target = find_any("osu018", toy_root)
    assert isinstance(target, AsicTarget)
    try:
        target.liberty_path()
    except LabError as error:
        pytest.skip(str(error))
    return target


@pytest.fixture
def memories(toy_root: Path) -> Path:
    """The toy with memories in place of its counter."""
    (toy_root / "rtl" / "toy.sv").write_text(MEMORIES, encoding="utf-8")
    path = toy_root / "designs" / "toy.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.index("[variant.core.parameters]")], encoding="utf-8")
    return toy_root


def measured(root: Path, target: AsicTarget, monkeypatch: pytest.MonkeyPatch) -> AreaRow:
    """Return the row of the toy."""
    monkeypatch.setattr(measure, "read_sources", functools.partial(read_sources, root=root))
    design = find_design("toy", root)
    return measure.measure(target, design, "core", Steps(quiet=True), Cache(root / "cache"))


@pytest.mark.slow
def test_a_large_ram_is_a_macro(
    memories: Path, library: AsicTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Registers are counted by hand, gates are the library's areas; both forms do what RTL does."""
    row = measured(memories, library, monkeypatch)
    assert row.rams == [Ram(words=64, width=2, reads=1, writes=1)]
    assert row.ram_bits == 128
    # The small one's eight bits, its output; a macro has its output register inside.
    assert row.flip_flops.registers == 128 + 2 + 8 + 2
    assert row.macros is not None
    assert row.macros.registers == 8 + 2
    for form, job in (("flip-flops", row.flip_flops), ("macros", row.macros)):
        directory = memories / "cache" / row.provenance.keys[form]
        text = (directory / "synth.ys").read_text(encoding="utf-8")
        assert text.replace("\n", "; ") == f"{row.provenance.commands[form]}; "
        netlist = json.loads((directory / "netlist.json").read_text(encoding="utf-8"))
        cells = [cell["type"] for cell in netlist["modules"]["toy"]["cells"].values()]
        areas = liberty.read(library.liberty_path()).cells
        total = sum(areas[kind].area for kind in cells if kind != "$mem_v2")
        assert job.gates == round(total / areas["NAND2X1"].area, 1)
        prove(directory, library, memories)


def prove(directory: Path, target: AsicTarget, root: Path) -> None:
    """Prove that the netlist in `directory` and the RTL go to the same next state and outputs."""
    shutil.copy(target.liberty_path(), directory / "cells.lib")
    shutil.copy(root / "rtl" / "toy.sv", directory / "toy.sv")
    script = [
        "read_json netlist.json; read_liberty -overwrite cells.lib",
        "hierarchy -top toy; proc; flatten; memory_map; opt_clean",
        "design -stash gate",
        "read_slang --threads 1 --top toy toy.sv; hierarchy -top toy; proc; memory; opt_clean",
        "design -import gate -as gate toy",
        "equiv_make toy gate equal; hierarchy -top equal; opt_clean",
        "equiv_simple; equiv_induct",
        "equiv_status -assert equal",
    ]
    run_script(script, directory, name="prove")
    log = (directory / "prove.log").read_text(encoding="utf-8")
    found = re.search(r"Of those cells (\d+) are proven and 0 are unproven", log)
    assert found is not None
    assert int(found[1]) >= 128 + 8 + 9


def test_the_unit_is_the_smallest_nand() -> None:
    """By its function, whatever its name."""
    text = """library (l) {{ nom_voltage : 1.0; {} }}"""
    cell = (
        "cell (C{0}) {{ area : {0}; pin (A) {{ direction : input; }} "
        'pin (B) {{ direction : input; }} pin (Y) {{ direction : output; function : "{1}"; }} }}'
    )
    nands = [cell.format(9, "!(A B)"), cell.format(7, "A' + B'"), cell.format(3, "A B")]
    assert measure._nand_area(liberty.library(text.format(" ".join(nands)))) == 7
    with pytest.raises(LabError, match="no NAND of two inputs"):
        measure._nand_area(liberty.library(text.format(nands[2])))


def test_the_smallest_buffer_drives_the_ports(library: AsicTarget) -> None:
    """By its function too; an output port's load is in fF, as yosys' constraints have it."""
    cell = (
        "cell (B{0}) {{ area : {0}; pin (A) {{ direction : input; }} "
        'pin (Y) {{ direction : output; function : "{1}"; }} }}'
    )
    text = "library (l) {{ nom_voltage : 1.0; {} }}"
    cells = [cell.format(9, "A"), cell.format(7, "A"), cell.format(3, "!A")]
    found = library.ports_text(liberty.library(text.format(" ".join(cells))))
    assert found == "set_driving_cell B7\nset_load 20\n"
    with pytest.raises(LabError, match="no buffer"):
        library.ports_text(liberty.library(text.format(cells[2])))


FAN_OUT = """\
module toy (
  input  logic         clk_i,
  input  logic         rst_i,
  input  logic         enable_i,
  input  logic [299:0] data_i,
  output logic [299:0] data_o
);
  logic enable;
  always_ff @(posedge clk_i) begin
    enable <= enable_i && !rst_i;
    if (enable) data_o <= data_i;
  end
endmodule
"""


@pytest.mark.slow
def test_a_net_of_many_loads_has_buffers(
    memories: Path, library: AsicTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One flip-flop for 300 multiplexers is no path of a hundred nanoseconds; no RAM, one form."""
    (memories / "rtl" / "toy.sv").write_text(FAN_OUT, encoding="utf-8")
    row = measured(memories, library, monkeypatch)
    assert row.macros is None
    assert list(row.provenance.commands) == ["flip-flops"]
    assert row.flip_flops.registers == 301
    assert row.delay is not None
    assert 0.5 < row.delay.ns < 5
    gbps = row.block_bits / row.delay.ns / row.clocks_per_block
    assert row.gbps == pytest.approx(gbps, rel=1e-4)
    directory = memories / "cache" / row.provenance.keys["flip-flops"]
    cells = json.loads((directory / "netlist.json").read_text(encoding="utf-8"))["modules"]["toy"]
    loads: dict[int, int] = {}
    for cell in cells["cells"].values():
        for pin, [bit] in cell["connections"].items():
            if cell["port_directions"][pin] == "input" and pin != "CLK":
                loads[bit] = loads.get(bit, 0) + 1
    assert max(loads.values()) < 40
    prove(directory, library, memories)


def ram_cell(**changed: Any) -> dict[str, Any]:
    """A netlist of one RAM, with some fields `changed`."""
    parameters = {"SIZE": "100", "WIDTH": "11", "RD_PORTS": "1", "WR_PORTS": "1", "INIT": "xxx"}
    parameters |= {"RD_CLK_ENABLE": "1", "MEMID": "mem"}
    pins = {"RD_SRST": ["0"], "RD_ARST": ["0"]}
    cell = {
        "type": "$mem_v2",
        "parameters": {key: changed.get(key, value) for key, value in parameters.items()},
        "connections": {key: changed.get(key, value) for key, value in pins.items()},
    }
    return {"cells": {"ram": cell, "gate": {"type": "NAND2X1"}}}


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        ({"RD_CLK_ENABLE": "0"}, "read without a clock"),
        ({"RD_SRST": [17]}, "output is cleared"),
        ({"INIT": "x01"}, "contents after power-on"),
    ],
)
def test_what_no_macro_does_is_refused(changed: dict[str, Any], wanted: str) -> None:
    """It would need gates that are not counted."""
    assert measure._rams(ram_cell()) == [Ram(words=4, width=3, reads=1, writes=1)]
    with pytest.raises(LabError, match=wanted):
        measure._rams(ram_cell(**changed))


def sample(name: str, variant: str = "core") -> AreaRow:
    """A row as if it had been measured."""
    return AreaRow(
        name=name,
        variant=variant,
        target="osu018",
        block_bits=1088,
        clocks_per_block=24,
        nand_um2=24,
        flip_flops=CellArea(gates=4000.4, cells=3000, registers=1600),
        macros=CellArea(gates=1234.5, cells=900, registers=50),
        rams=[
            Ram(words=256, width=9, reads=1, writes=1),
            Ram(words=64, width=8, reads=1, writes=1),
        ],
        delay=CellDelay(ns=2.5, clock_to_output_ns=0.25, setup_ns=0.125, cells=9),
        provenance=AreaProvenance(
            top="hf_toy",
            tools={"yosys": "1"},
            commands={"flip-flops": "synth", "macros": "synth; memory_map"},
            netlists={"flip-flops": "ab" * 32, "macros": "bc" * 32},
            parameters={},
            source_hash="cd" * 32,
            inputs_hash="ef" * 32,
            liberty_sha256="01" * 32,
            keys={},
        ),
    )


def test_rows_and_the_page(toy_root: Path) -> None:
    """Other variants are kept; the page has ours and the published; rows of other RTL are named."""
    shutil.copy(ROOT / "targets" / "osu018.toml", toy_root / "targets")
    rows.save([sample("toy"), sample("gone")], toy_root)
    fresh = sample("toy", "small")
    assert [path.name for path in rows.save([fresh], toy_root)] == ["area-toy-osu018.json"]
    assert rows.load(toy_root) == [sample("gone"), sample("toy"), fresh]
    for name in ("README.md", "docs/measure/asic.md"):
        text = f"# Toy\n\n{report.BEGIN}\nold\n{report.END}\n"
        (toy_root / name).write_text(text, encoding="utf-8")
    report.write(toy_root)
    text = (toy_root / "docs" / "measure" / "asic.md").read_text(encoding="utf-8")
    line = "| toy core | 24 | 4,000 | 1,600 | 1,234 | 50 | 256 x 9, 64 x 8 | 2,816 |"
    line += " 2.50 | 400 | 18.133 |"  # 1,088 bits in 24 clock cycles of 2.5 ns
    assert line in text
    assert "old" not in text
    assert "Published" not in text
    origins = (toy_root / "results" / "provenance.md").read_text(encoding="utf-8")
    assert f"toy core, osu018, macros: RTL `{'cd' * 8}`, netlist `{'bc' * 8}`" in origins
    assert report.stale(toy_root) == [
        "results: area of gone core on osu018: no longer in the registry",
        "results: area of toy core on osu018: changed since: run 'hashfabric area --save'",
        "results: area of toy small on osu018: no longer in the registry",
    ]
    (toy_root / "targets" / "osu018.toml").unlink()
    assert "area of toy core on osu018: no longer among" in report.stale(toy_root)[1]
    assert "Pessl and Hutter" in page.part([sample("toy")], load_peers())


def test_the_tiny_core_is_small() -> None:
    """Its row: 5,300 gate equivalents at most beside its RAM, with the buffers of its nets."""
    [tiny] = [row for row in rows.load() if (row.name, row.variant) == ("keccak-tiny", "core")]
    assert tiny.macros is not None
    assert tiny.macros.gates < 5_300
    assert tiny.ram_bits == sum(ram.bits for ram in tiny.rams) >= 1600


def test_each_row_has_a_clock() -> None:
    """No design with a row has a latch: a longest path, within reason for 180 nm, and a speed."""
    for row in rows.load():
        assert row.delay is not None
        assert 1 < row.delay.ns < 60
        assert 0 < row.delay.clock_to_output_ns < row.delay.ns
        assert row.gbps is not None


@pytest.mark.parametrize(
    ("args", "wanted"),
    [
        ((), "area: a design is required"),
        (("toy", "--target", "xc7"), "xc7: area in gates is of a library of cells"),
    ],
)
def test_bad_input_is_one_line(toy_root: Path, args: tuple[str, ...], wanted: str) -> None:
    """Each says what is wrong."""
    assert wanted in fails(toy_root, "area", *args)


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        ("luts = 978", "luts or gates are required"),
        ('device = "Artix-7"', "a claim has a device"),
        ('lut = "LUT6"', "luts and lut are given together"),
        ("measured = false", "what was measured has target"),
        ('name = "xip3030c"', "is not the file's name"),
    ],
)
def test_a_peer_with_a_fault_is_one_line(tmp_path: Path, changed: str, wanted: str) -> None:
    """The file is named."""
    text = (ROOT / "peers" / "xip3030c.toml").read_text(encoding="utf-8")
    other = {"measured = false": "measured = true", 'name = "xip3030c"': 'name = "other"'}
    new = text.replace(changed, other.get(changed, ""), 1)
    if changed == "luts = 978":
        new = new.replace('lut = "LUT6"\n', "")
    (tmp_path / "peers").mkdir()
    (tmp_path / "peers" / "xip3030c.toml").write_text(new, encoding="utf-8")
    with pytest.raises(LabError, match=re.escape(wanted)) as caught:
        load_peers(tmp_path)
    assert "xip3030c.toml: " in str(caught.value)


def test_throughput_of_a_peer() -> None:
    """Bits a block, clocks a block, the median of the seeds' clocks."""
    cores = {(peer.name, core.name): core for peer in load_peers() for core in peer.cores}
    assert cores["keccak-team", "low-area"].gbps == pytest.approx(1088 * 65.5e-3 / 5161, rel=1e-2)
    assert cores["xip3030c", "compact"].gbps is None
