"""Distributing a placed ECP5 design over a box: even, in order, and legal in each tile."""

import copy
from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction
from statistics import mean
from typing import Any

import pytest

from hashfabric.base.errors import LabError
from hashfabric.flows.ecp5.box import Array, Box, deal_out
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


def chain(columns: range, rows: range, resets: int = 0) -> dict[str, Any]:
    """Return a shift register through full tiles, a LUT in front of each flip-flop.

    Flip-flops have one of `resets` resets, tile by tile, which are flip-flops' outputs themselves.
    """
    cells: dict[str, Any] = {
        "clk": pad("X0/Y5/PIOA", O=CLOCK),
        "in": pad("X0/Y9/PIOA", O=INPUT),
        "out": pad("X0/Y11/PIOA", I=OUTPUT),
    }
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


def cells_of(design: dict[str, Any]) -> dict[str, PlacedCell]:
    """Return the cells in slices, by name."""
    return {cell.name: cell for cell in slice_cells(design["modules"]["top"])}


def assert_apart(cells: Iterable[PlacedCell]) -> None:
    """Check that no two cells have one place."""
    places = [cell.netlist["attributes"]["NEXTPNR_BEL"] for cell in cells]
    assert len(set(places)) == len(places)


def distribute(design: dict[str, Any]) -> None:
    """Distribute a design over a part of the array."""
    cells = cells_of(design).values()
    box = Box(ARRAY, 12, 10)
    box.fit(cells)
    box.move(cells, 0, 0)


@pytest.mark.parametrize("resets", [0, 5])
def test_tiles_and_slices_stay_legal(resets: int) -> None:
    """A LUT keeps its flip-flop; a tile has one reset."""
    design = chain(range(2, 12), range(12, 20), resets)
    distribute(design)
    tiles: dict[Any, set[Any]] = defaultdict(set)
    slices: dict[Any, set[Any]] = defaultdict(set)
    cells = cells_of(design)
    for name, cell in cells.items():
        if name.startswith("r"):
            partner = cells[f"l{name[1:]}"]
            assert (cell.x, cell.y, cell.slot) == (partner.x, partner.y, partner.slot)
            assert (cell.bel, partner.bel) in {("FF0", "K0"), ("FF1", "K1")}
            tiles[cell.x, cell.y].add(cell.net("LSR"))
            slices[cell.x, cell.y, cell.slot].add(cell.net("LSR"))
    assert max(len(nets) for nets in tiles.values()) == 1
    assert max(len(nets) for nets in slices.values()) == 1
    assert_apart(cells.values())


def test_a_register_without_a_reset_is_apart_from_one_with() -> None:
    """As nextpnr requires of a tile."""
    design = chain(range(2, 12), range(12, 20), 1)
    for name, cell in cells_of(design).items():
        if name.startswith("r") and int(name[1:]) % 2:
            cell.netlist["connections"]["LSR"] = []
    distribute(design)
    tiles: dict[Any, set[Any]] = defaultdict(set)
    for name, cell in cells_of(design).items():
        if name.startswith("r"):
            tiles[cell.x, cell.y].add(cell.net("LSR"))
    assert max(map(len, tiles.values())) == 1


def test_a_design_is_dealt_out_evenly_and_in_order() -> None:
    """No tile is much fuller than another, and what was left of, or above, something stays so."""
    design = chain(range(2, 12), range(12, 20))
    before = cells_of(design)
    deal_out(design, Fraction(1), ARRAY)
    lanes = Counter[tuple[int, int]]()
    columns, rows = defaultdict(list), defaultdict(list)
    for name, cell in cells_of(design).items():
        lanes[cell.x, cell.y] += name.startswith("r")
        columns[before[name].x].append(cell.x)
        rows[before[name].y].append(cell.y)
    assert max(lanes.values()) <= 2
    for moved in (columns, rows):
        means = [mean(moved[old]) for old in sorted(moved)]
        assert means == sorted(set(means))


@pytest.mark.parametrize(("share", "columns"), [("1", range(2, 62)), ("1/2", range(17, 47))])
def test_one_design_is_dealt_out_over_a_box(share: str, columns: range) -> None:
    """In the array's middle, to its edges; wires, names, and what is not in slices, stay."""
    design = chain(range(2, 12), range(11, 21))
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


@pytest.mark.parametrize("resets", [0, 5])
def test_what_lies_in_a_box_stays_and_the_rest_comes_in(resets: int) -> None:
    """A lane outside gets a place near the edge that it crossed; every tile stays legal."""
    design = chain(range(2, 14), range(12, 20), resets)
    full = cells_of(design)
    # Half of the tiles inside are empty.
    for name in [name for name, cell in full.items() if cell.x < 12 and cell.x % 2]:
        del design["modules"]["top"]["cells"][name]
    before = copy.deepcopy(design)
    box = Box(ARRAY, 10, 9)
    box.pull_in(cells_of(design).values(), 0, 8)
    box.move(cells_of(design).values(), 0, 8)
    tiles: dict[Any, set[Any]] = defaultdict(set)
    after = cells_of(design)
    for name, cell in cells_of(before).items():
        now = after[name]
        if cell.x < 12:
            assert (now.x, now.y, now.slot, now.bel) == (cell.x, cell.y, cell.slot, cell.bel)
        assert 2 <= now.x < 12
        assert now.y in ARRAY.rows[8:17]
        if name.startswith("r"):
            tiles[now.x, now.y].add(now.net("LSR"))
    assert max(len(nets) for nets in tiles.values()) == 1
    assert_apart(after.values())


def test_a_register_with_a_reset_takes_the_tile_of_others() -> None:
    """Where no tile near it has its reset or is empty; those without one go to other tiles."""
    design = chain(range(2, 40), range(23, 34))
    cells = design["modules"]["top"]["cells"]
    for name, cell in cells_of(design).items():
        if cell.x < 37 and cell.bel in ("K1", "FF1"):
            del cells[name]  # each tile has room
    outside = [f"r{n[1:]}" for n, c in cells_of(design).items() if c.x == 39 and c.bel == "K0"]
    for name in outside:
        cells[name]["connections"]["LSR"] = [INPUT]
    for name in [name for name, cell in cells_of(design).items() if cell.x in (37, 38)]:
        del cells[name]
    for name in [n for n, c in cells_of(design).items() if c.x == 39 and n not in outside]:
        del cells[name]
    before = {name: (cell.x, cell.y) for name, cell in cells_of(design).items()}
    box = Box(ARRAY, 35, 11)
    box.pull_in(cells_of(design).values(), 0, 19)
    box.move(cells_of(design).values(), 0, 19)
    after = cells_of(design)
    tiles: dict[Any, set[Any]] = defaultdict(set)
    for name, cell in after.items():
        assert cell.x <= 36
        distance = abs(cell.x - before[name][0]) + abs(cell.y - before[name][1])
        assert distance <= 12
        if name.startswith("r"):
            tiles[cell.x, cell.y].add(cell.net("LSR"))
    assert max(len(nets) for nets in tiles.values()) == 1
    assert_apart(after.values())


def test_a_carry_chain_comes_in_as_a_whole() -> None:
    """Of which a part lies outside; what lay in its new place makes room."""
    design = chain(range(2, 14), range(12, 14))
    for number in range(8 * 9, 8 * 12):
        design["modules"]["top"]["cells"][f"l{number}"]["parameters"]["MODE"] = "CCU2"
    box = Box(ARRAY, 10, 9)
    box.pull_in(cells_of(design).values(), 0, 8)
    box.move(cells_of(design).values(), 0, 8)
    moved = cells_of(design)
    start = moved[f"l{8 * 9}"]
    assert start.x == 9
    for number in range(8 * 3):
        cell = moved[f"l{8 * 9 + number}"]
        assert (cell.x, cell.y) == (start.x + number // 8, start.y)
        assert (cell.slot, cell.bel) == (number % 8 // 2, f"K{number % 2}")
    assert_apart(moved.values())


def test_blocked_tiles_get_no_cell() -> None:
    """Lanes and chains in them go elsewhere, to another column if theirs is blocked as a whole."""
    design = chain(range(2, 14), range(12, 14))
    for number in range(8 * 9, 8 * 12):
        design["modules"]["top"]["cells"][f"l{number}"]["parameters"]["MODE"] = "CCU2"
    blocked = {(x, row) for x in range(5, ARRAY.width) for row in range(len(ARRAY.rows))}
    box = Box(ARRAY, ARRAY.width, len(ARRAY.rows), blocked)
    before = {name: (cell.x, cell.y) for name, cell in cells_of(design).items()}
    box.pull_in(cells_of(design).values(), 0, 0)
    box.move(cells_of(design).values(), 0, 0)
    after = cells_of(design)
    tiles = [(after[f"l{number}"].x, after[f"l{number}"].y) for number in range(72, 96, 8)]
    x, y = tiles[0]
    assert tiles == [(x, y), (x + 1, y), (x + 2, y)]
    for name, cell in after.items():
        assert cell.x < 7
        if before[name][0] < 7 and before[name] not in tiles:
            assert (cell.x, cell.y) == before[name]
    assert_apart(after.values())


@pytest.mark.parametrize("resets", [0, 5])
def test_what_does_not_fit_beside_each_other_moves_together(resets: int) -> None:
    """Into the box, to its edges, in order of columns and rows; every tile stays legal."""
    design = chain(range(2, 14), range(12, 20), resets)
    before = cells_of(copy.deepcopy(design))
    box = Box(ARRAY, 10, 11)
    box.squeeze(cells_of(design).values())
    box.move(cells_of(design).values(), 0, 8)
    tiles: dict[Any, set[Any]] = defaultdict(set)
    columns, rows = defaultdict(list), defaultdict(list)
    after = cells_of(design)
    for name, cell in after.items():
        columns[before[name].x].append(cell.x)
        rows[before[name].y].append(cell.y)
        if name.startswith("r"):
            tiles[cell.x, cell.y].add(cell.net("LSR"))
            partner = after[f"l{name[1:]}"]
            assert (cell.x, cell.y, cell.slot) == (partner.x, partner.y, partner.slot)
    assert {x for x, _ in tiles} == set(range(2, 12))
    assert {y for _, y in tiles} <= set(ARRAY.rows[8:19])
    assert max(len(nets) for nets in tiles.values()) == 1
    for moved in (columns, rows):
        means = [mean(moved[old]) for old in sorted(moved)]
        assert means == sorted(means)
    assert_apart(after.values())


def test_a_share_of_nothing_holds_nothing() -> None:
    """A box of less than a tile is refused like any other that is too small."""
    with pytest.raises(LabError, match="1 x 1 tiles does not hold the design"):
        deal_out(chain(range(2, 4), range(12, 14)), Fraction(1, 100), ARRAY)


def test_a_carry_chain_stays_together() -> None:
    """Its tiles stay neighbours in a row, slice by slice."""
    design = chain(range(2, 12), range(12, 20))
    for number in range(8 * 3):
        design["modules"]["top"]["cells"][f"l{number}"]["parameters"]["MODE"] = "CCU2"
    deal_out(design, Fraction(1), ARRAY)
    cells = cells_of(design)
    start = cells["l0"]
    for number in range(8 * 3):
        cell = cells[f"l{number}"]
        assert (cell.x, cell.y) == (start.x + number // 8, start.y)
        assert (cell.slot, cell.bel) == (number % 8 // 2, f"K{number % 2}")


def test_distributed_ram_stays_together() -> None:
    """Its tile moves as a whole, with what writes the RAM, which is in no lane of its own."""
    design = chain(range(2, 12), range(12, 20))
    cells = design["modules"]["top"]["cells"]
    for number in range(4):
        cells[f"l{number}"]["parameters"]["MODE"] = "DPRAM"
    cells["write"] = register("X2/Y12/SLICEC.RAMW", 10, 3000) | {"type": "TRELLIS_RAMW"}
    deal_out(design, Fraction(1), ARRAY)
    moved = cells_of(design)
    write, start = moved["write"], moved["l0"]
    assert (write.x, write.y, write.slot, write.bel) == (start.x, start.y, 2, "RAMW")
    assert {(moved[f"r{n}"].x, moved[f"r{n}"].y) for n in range(8)} == {(start.x, start.y)}


@pytest.mark.parametrize(
    ("columns", "width", "message"),
    [
        (range(2, 42), 30, "30 x 8 tiles does not hold the design"),
        (range(2, 12), 4, "hold a chain"),
    ],
)
def test_a_box_that_is_too_small(columns: range, width: int, message: str) -> None:
    """What does not fit is refused: too many lanes, or a chain that is too long."""
    design = chain(columns, range(2, 10))
    if width < len(range(2, 12)):
        for number in range(8 * len(columns)):
            design["modules"]["top"]["cells"][f"l{number}"]["parameters"]["MODE"] = "CCU2"
    with pytest.raises(LabError, match=message):
        deal_out(design, Fraction(1), Array(2, 1 + width, range(2, 10)))
