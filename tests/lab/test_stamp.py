"""Stamping on ECP5: boxes that are alike, copies that are the unit, a check that finds faults."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.yosys import run_script
from hashfabric.flows.base import RtlSource
from hashfabric.flows.ecp5 import stamp
from hashfabric.flows.ecp5.area import Area, Shift, first_area
from hashfabric.flows.ecp5.copies import TOP, array_of
from hashfabric.flows.ecp5.fabric import fabric, near
from hashfabric.flows.ecp5.readback import check
from hashfabric.flows.ecp5.router import (
    CONFIG,
    NEXTPNR_ECP5,
    STAMP,
    Part,
    Router,
    parse_report,
)
from hashfabric.flows.mapped import flatten_but
from hashfabric.flows.nextpnr.target import REPORT
from hashfabric.flows.targets import find_target
from hashfabric.netlist.structure import structure_hash
from tests.support.pins import UNIT

PART = Part("85k", "CABGA381", "6")
DEVICE = Area(2, 2, 123, 92)

COPIED = """
module copied(input clk_i, input rst_i, input [3:0] a_i, output [3:0] y_o);
  wire [3:0] y; wire both; reg last;
  unit u (.clk_i(clk_i), .rst_i(rst_i), .a_i(a_i), .y_o(y), .both_o(both));
  always @(posedge clk_i) last <= ^y ^ both;
  assign y_o = {4{last}};
endmodule
"""
"""A design to be copied: it drives the pins of all copies."""

ARRAY = """
module array(input clk_i, input rst_i, input serial_i, output serial_o);
  wire [3:0] y [0:4]; wire [1:0] both [1:4]; reg [3:0] first; reg last;
  assign y[0] = first;
  always @(posedge clk_i) begin
    first <= {first[2:0], serial_i ^ last};
    last <= ^{y[4], both[1][0], both[2][1], both[3], both[4]};
  end
  assign serial_o = last;
  for (genvar i = 0; i < 4; i = i + 1) begin : g
    unit u (.clk_i(clk_i), .rst_i(rst_i), .a_i(y[i]), .y_o(y[i+1]), .both_o(both[i+1]));
  end
endmodule
"""


def synthesise(folder: Path, text: str, top: str, *keep: str) -> Path:
    """Return the netlist of `top`, in which the modules `keep` stay."""
    (folder / "design.v").write_text(text, encoding="utf-8")
    kept = [f"setattr -mod -set keep_hierarchy 1 {name}" for name in keep]
    synth = f"synth_ecp5 -nowidelut -top {top} -json {top}.json"
    run_script(["read_verilog -sv design.v", *kept, synth], folder, name="synth")
    return folder / f"{top}.json"


@pytest.mark.parametrize("count", [1, 2, 3, 4, 6, 9, 12])
def test_boxes_fill_the_array_and_are_apart(count: int) -> None:
    """As many as asked for fit; rows of block RAM and DSP lie on each other; none meets another."""
    area = first_area(count, PART.array)
    shifts = PART.sites.shifts(area, {}, count)
    assert len(set(shifts)) == count
    assert shifts[0] == Shift()
    boxes = [area.moved(shift) for shift in shifts]
    assert not any(one.meets(other) for one, other in combinations(boxes, 2))
    for shift, box in zip(shifts, boxes, strict=True):
        assert shift.down % 12 == 0
        assert DEVICE.holds(box.left, box.top)
        assert DEVICE.holds(box.left + box.width - 1, box.top + box.height - 1)
    assert count * area.size(PART.array) > 0.7 * 123 * 85


def test_rows_of_logic_are_those_of_the_database() -> None:
    """The lab's own table and the database agree; every device has boxes for two."""
    assert PART.sites.array == PART.array
    for device in ("12k", "25k", "45k", "um-85k", "um5g-45k"):
        sites = Part(device, "CABGA381", "8").sites
        assert len(sites.shifts(first_area(2, sites.array), {}, 2)) == 2


def ram(x: int, y: int, number: int) -> dict[str, Any]:
    """Return a placed block RAM."""
    place = f"X{x}/Y{y}/EBR{number}"
    return {"ram": {"type": "DP16KD", "attributes": {"NEXTPNR_BEL": place}, "connections": {}}}


def test_block_ram_is_stamped_onto_block_ram() -> None:
    """Boxes of one with block RAM are at the same phase of its columns, in rows that have some."""
    area = Area(2, 11, 30, 23)
    found = PART.sites.shifts(area, ram(6, 22, 1), 6)
    assert {shift.right % 9 for shift in found} <= {0, 65 % 9}
    assert all(22 + shift.down in (22, 46, 70, 82) for shift in found)
    assert not any(
        area.moved(one).meets(area.moved(other)) for one, other in combinations(found, 2)
    )
    with pytest.raises(
        LabError, match=r"^99 copies: the array has \d+ like boxes of 30 x 23 tiles$"
    ):
        PART.sites.shifts(area, ram(6, 22, 1), 99)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (ram(6, 46, 1), r"^a DP16KD \(ram\) lies outside its box of 30 x 23 tiles: X6/Y46$"),
        (
            {"buf": {"type": "DCCA", "attributes": {"NEXTPNR_BEL": "X67/Y0/TDCC0"}}},
            r"^a DCCA \(buf\) cannot be repeated$",
        ),
    ],
)
def test_what_cannot_be_stamped(cells: dict[str, Any], message: str) -> None:
    """A cell outside the box, a clock of its own: one line says so."""
    with pytest.raises(LabError, match=message):
        PART.sites.shifts(Area(2, 11, 30, 23), cells, 2)


def test_a_large_unit_has_the_whole_box_and_a_small_one_a_margin() -> None:
    """A box for cells lies in one for their routing, with a margin where there is room for it."""
    area = first_area(4, PART.array)
    lanes = 8 * area.size(PART.array)
    assert list(area.fitting(lanes, PART.array)) == [(area, area)]
    whole, inner = next(area.fitting(400, PART.array))
    assert whole.inset(4) == inner
    assert 0.5 < 400 / (8 * inner.size(PART.array)) <= 0.7
    assert whole.size(PART.array) < area.size(PART.array) / 4
    sizes = [box.size(PART.array) for box, _ in area.fitting(400, PART.array)]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) > 5


def test_the_database_names_wires_as_nextpnr_does() -> None:
    """Relative places, names without one, and those of clocks."""
    assert near("N1_V02S0501") == (0, -1, "V02S0501")
    assert near("S1E3_JA0") == (3, 1, "JA0")
    assert near("A0_SLICE") == (0, 0, "A0_SLICE")
    assert near("G_HPBX0000") == (0, 0, "G_HPBX0000")
    device = fabric("85k")
    assert (device.width, device.height) == (127, 96)
    assert device.has_switch(30, 30, (0, 0, "F5"), (0, 0, "A0"))
    assert not device.has_switch(30, 30, (0, 0, "F1"), (0, 0, "A0"))
    assert not device.has_switch(30, 22, (0, 0, "Q0_SLICE"), (0, 0, "Q0"))
    assert device.has_switch(30, 30, (0, 0, "B3"), (0, 0, "A3_SLICE"))
    assert not device.has_switch(30, 30, (0, 0, "B3"), (0, 0, "A2_SLICE"))
    assert not device.has_switch(0, 30, (-1, 0, "H02E0001"), (0, 0, "JA0"))


@pytest.fixture(scope="module")
def routed(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    """A small design as nextpnr places and routes it in one run: netlist and bitstream's text."""
    folder = tmp_path_factory.mktemp("routed")
    netlist = synthesise(folder, UNIT, "unit")
    args = ["--json", netlist.name, "--write", "routed.json", "--textcfg", CONFIG]
    every = [*PART.args, "--seed", "1", "--lpf-allow-unconstrained", "--freq", "100", *args]
    NEXTPNR_ECP5.run(every, cwd=folder, log="pnr.log", timeout_s=300)
    design = json.loads((folder / "routed.json").read_text(encoding="utf-8"))
    return design, (folder / CONFIG).read_text(encoding="utf-8")


Fault = Callable[[dict[str, Any], str], str]


def dropped_switch(_: dict[str, Any], text: str) -> str:
    """Return the text without one closed switch in front of a LUT."""
    return re.sub(r"\narc: [ABCD]\d \S+", "", text, count=1)


def two_on_a_wire(_: dict[str, Any], text: str) -> str:
    """Return the text with a second net on the wire that one switch drives."""
    pattern = r"\.tile (\S+:PLC2)\n(?:.*\n)*?arc: (\S+_V0\S+) (\S+)\n"
    found = re.search(pattern, text)
    assert found is not None
    tile, sink, source = found.groups()
    other = "Q1" if source != "Q1" else "Q2"
    return text.replace(f".tile {tile}\n", f".tile {tile}\narc: {sink} {other}\n")


def moved_cell(design: dict[str, Any], text: str) -> str:
    """Exchange the places of two registers in the netlist."""
    registers = [c for c in module_of(design)["cells"].values() if c["type"] == "TRELLIS_FF"]
    one, two = (register["attributes"] for register in registers[:2])
    one["NEXTPNR_BEL"], two["NEXTPNR_BEL"] = two["NEXTPNR_BEL"], one["NEXTPNR_BEL"]
    return text


def other_function(_: dict[str, Any], text: str) -> str:
    """Return the text with another function in one LUT."""
    found = re.search(
        r"word: SLICE[A-D]\.K[01]\.INIT ([01]{16})\n(?=(?:.*\n)*?enum: SLICE[A-D].MODE LOGIC)", text
    )
    assert found is not None
    changed = found[1].translate(str.maketrans("01", "10"))
    return text[: found.start(1)] + changed + text[found.end(1) :]


def other_start(_: dict[str, Any], text: str) -> str:
    """Return the text with one register that starts at 1."""
    return text.replace("REGSET RESET", "REGSET SET", 1)


def exchanged_pins(design: dict[str, Any], text: str) -> str:
    """Exchange two inputs of a RAM's write port in the netlist."""
    cells = module_of(design)["cells"].values()
    [port] = [cell["connections"] for cell in cells if cell["type"] == "TRELLIS_RAMW"]
    port["C1"], port["D1"] = port["D1"], port["C1"]
    return text


def module_of(design: dict[str, Any]) -> dict[str, Any]:
    """Return the only module of a design."""
    (module,) = design["modules"].values()
    found: dict[str, Any] = module
    return found


FAULTS: list[tuple[Fault, str]] = [
    (dropped_switch, "has its net"),
    (two_on_a_wire, "is driven by"),
    (moved_cell, r"(DI|M): X\d+/Y\d+/\w+, not"),
    (other_function, "its LUT has"),
    (other_start, "its REGSET is SET"),
    (exchanged_pins, r"RAMW\w*\.[CD]1: X\d+/Y\d+/\w+, not"),
]


def test_what_nextpnr_routes_in_one_run_is_the_netlist(routed: tuple[dict[str, Any], str]) -> None:
    """Every pin has its net and every LUT its function, by the text of the bitstream."""
    design, text = routed
    found = check(design, text, fabric(PART.device))
    cells = module_of(design)["cells"].values()
    assert found.luts > 50
    assert found.registers > 70
    assert found.arcs > 250
    assert found.nets > 100
    assert {"CCU2", "DPRAM"} <= {cell["parameters"].get("MODE") for cell in cells}


@pytest.mark.parametrize(("fault", "message"), FAULTS)
def test_a_planted_fault_is_found(
    routed: tuple[dict[str, Any], str], fault: Fault, message: str
) -> None:
    """A switch that is missing, two nets on a wire, a cell elsewhere, another function."""
    design, text = copy.deepcopy(routed[0]), routed[1]
    changed = fault(design, text)
    assert (design, changed) != routed
    with pytest.raises(LabError, match=f"the bitstream is not the netlist: .*{message}"):
        check(design, changed, fabric(PART.device))


@pytest.fixture(scope="module")
def stamped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an array of four units with a chain between them, stamped."""
    folder = tmp_path_factory.mktemp("stamped")
    netlist = synthesise(folder, UNIT + ARRAY, "array", "unit")
    run = folder / "run"
    run.mkdir()
    router = Router(PART, ["--placer", "heap", "--freq", "150"], 900, unit="unit")
    router.route(run, netlist, 1)
    return run


def packed(folder: Path, design: dict[str, Any], top: str) -> str:
    """Return the hash of a netlist as nextpnr packs it: names and places do not count.

    Nor does a unit's own LUT for a constant, or whether a register has its LUT beside it.
    """
    (folder / "in.json").write_text(json.dumps(design), encoding="utf-8")
    files = ["--json", "in.json", "--top", top, "--pack-only", "--write", "packed.json"]
    args = [*PART.args, "--lpf-allow-unconstrained", *files]
    NEXTPNR_ECP5.run(args, cwd=folder, log="pack.log", timeout_s=300)
    module = module_of(json.loads((folder / "packed.json").read_text(encoding="utf-8")))
    constants = {name for name in module["cells"] if name.split(".")[-1].startswith("$PACKER_")}
    levels = {
        cell["connections"]["F"][0]: "1" if "1" in cell["parameters"]["INITVAL"] else "0"
        for name, cell in module["cells"].items()
        if name in constants
    }
    cells = {name: cell for name, cell in module["cells"].items() if name not in constants}
    for cell in cells.values():
        cell["connections"] = {
            "DI" if port == "M" and cell["type"] == "TRELLIS_FF" else port: [
                levels.get(bit, bit) for bit in bits
            ]
            for port, bits in cell["connections"].items()
            if bits
        }
        cell["port_directions"]["DI"] = "input"
        cell["parameters"].pop("SD", None)
        cell["parameters"] = {name: text.strip() for name, text in cell["parameters"].items()}
    return structure_hash({"modules": {"top": {"cells": cells, "ports": {}}}}, "top")


@pytest.mark.slow
def test_a_composed_netlist_is_the_flat_one(tmp_path: Path) -> None:
    """Packed by nextpnr it equals what yosys flattens; with two nets exchanged it does not."""
    path = synthesise(tmp_path, UNIT + ARRAY, "array", "unit")
    design = json.loads(path.read_text(encoding="utf-8"))
    flat = [
        "read_json array.json",
        "hierarchy -top array",
        flatten_but(None),
        "write_json flat.json",
    ]
    run_script(flat, tmp_path, name="flat")
    wanted = json.loads((tmp_path / "flat.json").read_text(encoding="utf-8"))
    (tmp_path / "unit.json").write_text(json.dumps(stamp.alone(design, "unit")), encoding="utf-8")
    files = ["--json", "unit.json", "--no-route", "--write", "placed.json"]
    args = [*PART.args, "--out-of-context", *files]
    NEXTPNR_ECP5.run(args, cwd=tmp_path, log="place.log", timeout_s=300)
    placed = json.loads((tmp_path / "placed.json").read_text(encoding="utf-8"))
    unit = stamp.RoutedUnit.of(placed, placed, DEVICE)
    whole = stamp.compose(design, "array", "unit", unit, [Shift()] * 4)
    assert packed(tmp_path, whole, "array") == packed(tmp_path, wanted, "array")
    cells = whole["modules"]["array"]["cells"]
    one, two = (cells[f"g[{i}].u.y_o_TRELLIS_FF_Q"]["connections"] for i in (0, 1))
    one["Q"], two["Q"] = two["Q"], one["Q"]
    assert packed(tmp_path, whole, "array") != packed(tmp_path, wanted, "array")


def settings(text: str, area: Area, kind: str) -> Iterator[tuple[int, int, str]]:
    """Yield the lines of a `kind` in a bitstream's text, by the place of the tile in a box."""
    place = None
    for line in text.splitlines():
        if line.startswith(".tile"):
            match = re.fullmatch(r"\.tile R(\d+)C(\d+):PLC2", line)
            place = (int(match[2]), int(match[1])) if match else None
        elif place is not None and area.holds(*place) and line.startswith(kind):
            yield place[0] - area.left, place[1] - area.top, line


def boxes_of(run: Path) -> list[Area]:
    """Return the boxes of the copies of a stamped design."""
    said = json.loads((run / STAMP).read_text(encoding="utf-8"))
    return [Area(**said["box"]).moved(Shift(**shift)) for shift in said["copies"].values()]


@pytest.mark.slow
def test_a_target_keeps_its_unit_apart(tmp_path: Path) -> None:
    """One module with contents beside the top, whatever its name; counts are those of all of it."""
    text = UNIT.replace("module unit", "(* keep_hierarchy *) module unit") + ARRAY
    source = RtlSource({"design.sv": text}, "array", {})
    target = find_target("ecp5-85k")
    with_unit = target.model_copy(update={"unit": "unit", "merge_modules": True})
    folders = [tmp_path / "flat", tmp_path / "kept"]
    for folder in folders:
        folder.mkdir()
    flat = target.synthesise(folders[0], source)
    kept = with_unit.synthesise(folders[1], source)
    assert (kept.use.ffs, kept.use.brams) == (flat.use.ffs, flat.use.brams)
    assert "unit" not in " ".join(name for name, count in kept.cells.items() if count)
    design = json.loads((folders[1] / "netlist.json").read_text(encoding="utf-8"))
    kind = stamp.module_of(design, "unit")
    assert len(stamp.instances(design, "array", kind)) == 4
    renamed = json.loads(json.dumps(design).replace(json.dumps(kind), '"unit$other"'))
    assert structure_hash(renamed, "array") == kept.structure
    [*_, lut] = [
        c for c in renamed["modules"]["unit$other"]["cells"].values() if c["type"] == "LUT4"
    ]
    lut["parameters"]["INIT"] = f"{int(lut['parameters']['INIT'], 2) ^ 1:016b}"
    assert structure_hash(renamed, "array") != kept.structure
    assert stamp.module_of({"modules": {"unit": {}, "unit$other": {}}}, "unit") == "unit"
    with pytest.raises(LabError, match="none: 0 modules"):
        stamp.module_of(design, "none")


@pytest.mark.slow
def test_an_array_is_its_netlist(stamped: Path) -> None:
    """All copies have the unit's routing, and the little that is left is routed around them."""
    said = json.loads((stamped / STAMP).read_text(encoding="utf-8"))
    assert list(said["copies"]) == [f"g[{i}].u" for i in range(4)]
    assert said["wires"]["dropped"] == {}
    assert 0 < said["arcs_left"] < 0.06 * said["arcs"]
    assert said["checked"]["arcs"] > said["arcs"]


@pytest.mark.slow
def test_four_copies_are_one_in_bits_and_clock(tmp_path: Path) -> None:
    """Settings of LUTs and registers are equal, switches but for inputs, and the clock is one's."""
    netlist = synthesise(tmp_path, UNIT + COPIED, "copied")
    run = tmp_path / "run"
    run.mkdir()
    Router(PART, ["--placer", "heap", "--freq", "150"], 900, copies=4).route(run, netlist, 1)
    text = (run / CONFIG).read_text(encoding="utf-8")
    boxes = boxes_of(run)
    for kind in ("word:", "enum: SLICE"):
        first, *others = [sorted(settings(text, box, kind)) for box in boxes]
        assert len(first) > 50
        assert all(other == first for other in others)
    arcs = [set(settings(text, box, "arc:")) for box in boxes]
    assert len(set.intersection(*arcs)) > 0.9 * len(arcs[0])
    alone = (run / "unit-route.log").read_text(encoding="utf-8")
    clock = re.findall(r"Max frequency for clock *'clk_i': ([\d.]+)", alone)[-1]
    both = parse_report((run / REPORT).read_text(encoding="utf-8")).fmax_mhz, float(clock)
    assert both[0] == pytest.approx(both[1], abs=0.01)


@pytest.mark.slow
def test_what_surrounds_units_in_given_boxes_leaves_them(tmp_path: Path) -> None:
    """A box has the unit's cells only, as long as there is room beside the boxes."""
    netlist = synthesise(tmp_path, UNIT + ARRAY, "array", "unit")
    run = tmp_path / "run"
    run.mkdir()
    options = ["--placer", "heap", "--freq", "150"]
    Router(PART, options, 900, unit="unit", unit_box=Area(2, 2, 60, 44)).route(run, netlist, 1)
    config = (run / CONFIG).read_text(encoding="utf-8")
    boxes = boxes_of(run)
    first, *others = [sorted(settings(config, box, "enum: SLICE")) for box in boxes]
    assert len(first) > 50
    assert all(other == first for other in others)


def test_an_array_of_copies_shares_inputs_and_not_outputs() -> None:
    """Each copy drives its own pin; the others of it are open."""
    ports = {
        "clk_i": {"direction": "input", "bits": [7]},
        "y_o": {"direction": "output", "bits": [8, 8, 8]},
    }
    design = {"modules": {"one": {"attributes": {"top": "1"}, "ports": ports, "cells": {}}}}
    whole = array_of(design, "one", 3)
    assert stamp.top_of(whole) == TOP
    top = whole["modules"][TOP]
    assert stamp.instances(whole, TOP, "one") == ["copy0", "copy1", "copy2"]
    clock, outputs = top["ports"]["clk_i"]["bits"], top["ports"]["y_o"]["bits"]
    for number, cell in enumerate(top["cells"].values()):
        assert cell["connections"]["clk_i"] == clock
        assert cell["connections"]["y_o"] == [
            bit if i == number else "x" for i, bit in enumerate(outputs)
        ]
