"""Copies of a placed ECP5 design: each whole, in its own box, and with no wire to another."""

import copy
from collections import Counter, defaultdict
from fractions import Fraction
from statistics import mean
from typing import Any

import pytest

from hashfabric.base.errors import LabError
from hashfabric.flows.ecp5.box import Array, deal_out
from hashfabric.flows.ecp5.copies import place_copies
from hashfabric.flows.ecp5.placed import PlacedCell, slice_cells

ARRAY = Array(2, 61, [y for y in range(2, 40) if y % 12 != 10])
CLOCK, INPUT, OUTPUT, PADS = 1, 2, 3, 1000


def lut(bel: str, inputs: dict[str, int], output: int, **parameters: str) -> dict[str, Any]:
    """Return a LUT at `bel`."""
    return {
        "type": "TRELLIS_COMB",
        "attributes": {"NEXTPNR_BEL": bel, "hdlname": f"u_core {bel}"},
        "parameters": {"MODE": "LOGIC"} | parameters,
        "port_directions": dict.fromkeys(inputs, "input") | {"F": "output", "OFX": "output"},
        "connections": {port: [net] for port, net in inputs.items()} | {"F": [output], "OFX": []},
    }


def register(bel: str, data: int, output: int, reset: int | None = None) -> dict[str, Any]:
    """Return a flip-flop at `bel`."""
    return {
        "type": "TRELLIS_FF",
        "attributes": {"NEXTPNR_BEL": bel},
        "parameters": {"CLKMUX": "CLK", "LSRMUX": "LSR", "CEMUX": "1 "},
        "port_directions": {"DI": "input", "CLK": "input", "LSR": "input", "Q": "output"},
        "connections": {
            "DI": [data],
            "CLK": [CLOCK],
            "LSR": [] if reset is None else [reset],
            "Q": [output],
        },
    }


def pad(bel: str, **nets: int) -> dict[str, Any]:
    """Return a pin; `I` is what it sends out, `O` what comes in."""
    return {
        "type": "TRELLIS_IO",
        "attributes": {"NEXTPNR_BEL": bel},
        "parameters": {},
        "port_directions": {"I": "input", "O": "output"},
        "connections": {port: [nets[port]] if port in nets else [] for port in "IO"},
    }


def chain(columns: range, rows: range, copies: int, resets: int = 0) -> dict[str, Any]:
    """Return a shift register through full tiles, a LUT in front of each flip-flop.

    Flip-flops have one of `resets` resets, tile by tile, which are flip-flops' outputs themselves.
    """
    cells: dict[str, Any] = {
        "clk": pad("X0/Y5/PIOA", O=CLOCK),
        "in": pad("X0/Y9/PIOA", O=INPUT),
    }
    cells |= {f"out{i}": pad(f"X0/Y{11 + i}/PIOA", I=OUTPUT) for i in range(copies)}
    last, number = INPUT, 0
    for y in rows:
        for x in columns:
            for lane in [f"{letter}.K{half}" for letter in "ABCD" for half in range(2)]:
                bel = f"X{x}/Y{y}/SLICE{lane}"
                mid, out = 10 + 2 * number, 11 + 2 * number
                reset = 11 + 2 * (x % resets) if resets else None
                cells[f"l{number}"] = lut(bel, {"A": last}, mid)
                cells[f"r{number}"] = register(bel.replace("K", "FF"), mid, out, reset)
                last, number = out, number + 1
    cells[f"r{number - 1}"]["connections"]["Q"] = [OUTPUT]
    bits = {bit for cell in cells.values() for nets in cell["connections"].values() for bit in nets}
    names = {f"n{bit}": {"bits": [bit], "attributes": {}} for bit in bits}
    return {"modules": {"top": {"cells": cells, "netnames": names}}}


def split(design: dict[str, Any]) -> dict[int, dict[str, PlacedCell]]:
    """Return the cells of every copy, by number and name."""
    copies: dict[int, dict[str, PlacedCell]] = defaultdict(dict)
    for cell in slice_cells(design["modules"]["top"]):
        number, name = cell.name.removeprefix("copy").split(".", 1)
        copies[int(number)][name] = cell
    return copies


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("resets", [0, 5])
def test_copies_are_alike_and_apart(count: int, resets: int) -> None:
    """Each has every cell, wired as the one there was, in a box of its own; pins are shared out."""
    design = chain(range(2, 12), range(12, 20), count, resets)
    before = copy.deepcopy(design)["modules"]["top"]["cells"]
    place_copies(design, count, ARRAY)
    top = design["modules"]["top"]
    copies = split(design)
    assert set(copies) == set(range(count))
    places = [
        cell.netlist["attributes"]["NEXTPNR_BEL"] for c in copies.values() for cell in c.values()
    ]
    assert len(set(places)) == len(places) == len(top["cells"]) - count - 2
    seen: set[int] = set()
    boxes = []
    for number, cells in copies.items():
        nets: dict[int, int] = {CLOCK: CLOCK, INPUT: INPUT}
        for name, cell in cells.items():
            assert "hdlname" not in cell.netlist["attributes"]
            for port, bits in before[name]["connections"].items():
                new = cell.netlist["connections"][port]
                assert [
                    nets.setdefault(bit, fresh) for bit, fresh in zip(bits, new, strict=True)
                ] == new
        own = set(nets.values()) - {CLOCK, INPUT}
        assert len(own) == len(nets) - 2
        assert not own & seen
        seen |= own
        assert top["cells"][f"out{number}"]["connections"]["I"] == [nets[OUTPUT]]
        boxes.append({(cell.x, cell.y) for cell in cells.values()})
    assert {bit for net in top["netnames"].values() for bit in net["bits"]} == seen | {CLOCK, INPUT}
    for one, box in enumerate(boxes):
        xs, ys = {x for x, _ in box}, {y for _, y in box}
        assert ARRAY.first <= min(xs) <= max(xs) <= ARRAY.last
        assert ys <= set(ARRAY.rows)
        for other in boxes[:one]:
            assert (
                max(xs) < min(x for x, _ in other)
                or min(xs) > max(x for x, _ in other)
                or (max(ys) < min(y for _, y in other) or min(ys) > max(y for _, y in other))
            )


@pytest.mark.parametrize("resets", [0, 5])
def test_tiles_and_slices_stay_legal(resets: int) -> None:
    """A LUT keeps its flip-flop; a tile has two resets at most, a slice one; none is overfull."""
    design = chain(range(2, 12), range(12, 20), 2, resets)
    place_copies(design, 2, ARRAY)
    tiles: dict[Any, set[Any]] = defaultdict(set)
    slices: dict[Any, set[Any]] = defaultdict(set)
    for number, cells in split(design).items():
        for name, cell in cells.items():
            if name.startswith("r"):
                partner = cells[f"l{name[1:]}"]
                assert (cell.x, cell.y, cell.slot) == (partner.x, partner.y, partner.slot)
                assert (cell.bel, partner.bel) in {("FF0", "K0"), ("FF1", "K1")}
                tiles[cell.x, cell.y].add((number, cell.net("LSR")))
                slices[cell.x, cell.y, cell.slot].add((number, cell.net("LSR")))
    assert max(len(nets) for nets in tiles.values()) <= 2
    assert max(len(nets) for nets in slices.values()) == 1


def test_a_copy_is_dealt_out_evenly_and_in_order() -> None:
    """No tile is much fuller than another, and what was left of, or above, something stays so."""
    design = chain(range(2, 12), range(12, 20), 2)
    before = {cell.name: cell for cell in slice_cells(design["modules"]["top"])}
    place_copies(design, 2, ARRAY)
    lanes = Counter[tuple[int, int]]()
    for name, cell in split(design)[0].items():
        lanes[cell.x, cell.y] += name.startswith("r")
    assert max(lanes.values()) <= 2
    columns, rows = defaultdict(list), defaultdict(list)
    for name, cell in split(design)[0].items():
        columns[before[name].x].append(cell.x)
        rows[before[name].y].append(cell.y)
    for moved in (columns, rows):
        means = [mean(moved[old]) for old in sorted(moved)]
        assert means == sorted(set(means))


@pytest.mark.parametrize(("share", "columns"), [("1", range(2, 62)), ("1/2", range(17, 47))])
def test_one_design_is_dealt_out_over_a_box(share: str, columns: range) -> None:
    """In the array's middle, to its edges; wires, names, and what is not in slices, stay."""
    design = chain(range(2, 12), range(11, 21), 1)
    design["modules"]["top"]["cells"]["ram"] = pad("X9/Y10/OTHER", I=11) | {"type": "DP16KD"}
    before = copy.deepcopy(design)
    deal_out(design, Fraction(share), ARRAY)
    cells = list(slice_cells(design["modules"]["top"]))
    rows = ARRAY.rows[:] if share == "1" else ARRAY.rows[9:26]
    assert {cell.x for cell in cells} <= set(columns)
    assert {cell.y for cell in cells} == set(rows)
    assert max(columns) - max(cell.x for cell in cells) <= 2
    assert min(cell.x for cell in cells) - min(columns) <= 2
    assert max(Counter((cell.x, cell.y) for cell in cells).values()) <= (4 if share == "1" else 8)
    places = [cell.netlist["attributes"].pop("NEXTPNR_BEL") for cell in cells]
    assert len(set(places)) == len(places)
    for cell in slice_cells(before["modules"]["top"]):
        del cell.netlist["attributes"]["NEXTPNR_BEL"]
    assert design == before


def test_a_share_of_nothing_holds_nothing() -> None:
    """A box of less than a tile is refused like any other that is too small."""
    with pytest.raises(LabError, match="1 x 1 tiles does not hold the design"):
        deal_out(chain(range(2, 4), range(12, 14), 1), Fraction(1, 100), ARRAY)


def test_a_carry_chain_stays_together() -> None:
    """Its tiles stay neighbours in a row, slice by slice; in every copy."""
    design = chain(range(2, 12), range(12, 20), 2)
    for number in range(8 * 3):
        design["modules"]["top"]["cells"][f"l{number}"]["parameters"]["MODE"] = "CCU2"
    place_copies(design, 2, ARRAY)
    for cells in split(design).values():
        start = cells["l0"]
        for number in range(8 * 3):
            cell = cells[f"l{number}"]
            assert (cell.x, cell.y) == (start.x + number // 8, start.y)
            assert (cell.slot, cell.bel) == (number % 8 // 2, f"K{number % 2}")


def test_distributed_ram_stays_together() -> None:
    """Its tile moves as a whole, with what writes the RAM, which is in no lane of its own."""
    design = chain(range(2, 12), range(12, 20), 1)
    cells = design["modules"]["top"]["cells"]
    for number in range(4):
        cells[f"l{number}"]["parameters"]["MODE"] = "DPRAM"
    cells["write"] = register("X2/Y12/SLICEC.RAMW", 10, 3000) | {"type": "TRELLIS_RAMW"}
    deal_out(design, Fraction(1), ARRAY)
    moved = {cell.name: cell for cell in slice_cells(design["modules"]["top"])}
    write, start = moved["write"], moved["l0"]
    assert (write.x, write.y, write.slot, write.bel) == (start.x, start.y, 2, "RAMW")
    assert {(moved[f"r{n}"].x, moved[f"r{n}"].y) for n in range(8)} == {(start.x, start.y)}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ram": {"type": "DP16KD"}}, "a DP16KD .ram. cannot be repeated"),
        ({"out1": None}, "1 outputs, 2 copies"),
        ({"gsr": {"type": "DCCA"}}, "3 outputs, 2 copies; or a global signal"),
    ],
)
def test_what_cannot_be_repeated(change: dict[str, Any], message: str) -> None:
    """Block RAM, too few pins, a copy's own global signal: one line says so."""
    design = chain(range(2, 4), range(12, 14), 2)
    cells = design["modules"]["top"]["cells"]
    for name, kind in change.items():
        if kind is None:
            del cells[name]
        else:
            cells[name] = pad("X9/Y10/OTHER", I=11) | kind
    with pytest.raises(LabError, match=message):
        place_copies(design, 2, ARRAY)


@pytest.mark.parametrize(
    ("columns", "width", "message"),
    [
        (range(2, 42), 60, "30 x 8 tiles does not hold the design"),
        (range(2, 12), 8, "hold a chain"),
    ],
)
def test_a_box_that_is_too_small(columns: range, width: int, message: str) -> None:
    """What does not fit is refused: too many lanes, or a chain that is too long."""
    design = chain(columns, range(2, 10), 2)
    if width < len(columns):
        for number in range(8 * len(columns)):
            design["modules"]["top"]["cells"][f"l{number}"]["parameters"]["MODE"] = "CCU2"
    with pytest.raises(LabError, match=message):
        place_copies(design, 2, Array(2, 1 + width, range(2, 10)))
