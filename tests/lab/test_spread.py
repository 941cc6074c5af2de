"""Spreading a placed ECP5 design: what moves, what must not, and what the real router says."""

import copy
import re
from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

import pytest

from hashfabric.base.errors import LabError
from hashfabric.flows.ecp5.placed import Columns
from hashfabric.flows.ecp5.spread import spread_columns

ARRAY = Columns(2, 124)
BELS = ("K0", "K1", "FF0", "FF1")


def cell(bel: str, **more: Any) -> dict[str, Any]:
    """Return one cell placed at `bel`; nets of its ports as keywords, or `MODE`."""
    kind = "TRELLIS_FF" if ".FF" in bel else "TRELLIS_COMB"
    mode = {"MODE": more.pop("MODE", "LOGIC")} if kind == "TRELLIS_COMB" else {}
    return {
        "type": kind,
        "attributes": {"NEXTPNR_BEL": bel},
        "parameters": mode,
        "connections": {port: [net] for port, net in more.items()},
    }


def full(columns: range, rows: range) -> dict[str, Any]:
    """Return a design of full tiles, all on one clock and one reset."""
    cells = {
        (bel := f"X{x}/Y{y}/SLICE{letter}.{part}"): cell(
            bel, **({"CLK": 1, "LSR": 2} if part.startswith("FF") else {})
        )
        for x in columns
        for y in rows
        for letter in "ABCD"
        for part in BELS
    }
    cells["io"] = cell("X9/Y0/PIOA")
    cells["io"]["type"] = "TRELLIS_IO"
    return {"modules": {"top": {"cells": cells}}}


def places(design: dict[str, Any]) -> dict[str, tuple[int, int, str, str]]:
    """Return column, row, slice and the rest of every slice's cell, by name."""
    found = {}
    for name, one in design["modules"]["top"]["cells"].items():
        bel = one["attributes"]["NEXTPNR_BEL"]
        if match := re.fullmatch(r"X(\d+)/Y(\d+)/SLICE([A-D])\.(\w+)", bel):
            found[name] = (int(match[1]), int(match[2]), match[3], match[4])
    return found


@pytest.mark.parametrize(("ratio", "fullest"), [("3/2", 3), ("4/3", 3), ("2", 2), ("4", 1)])
def test_slices_are_dealt_out(ratio: str, fullest: int) -> None:
    """Every slice moves whole, in order and within its row; the middle stays."""
    design = full(range(48, 72), range(30, 33))
    before = places(design)
    spread_columns(design, Fraction(ratio), ARRAY)
    after = places(design)
    assert len(set(after.values())) == len(before)
    slices: dict[Any, set[tuple[int, int, str]]] = defaultdict(set)
    tiles: Counter[tuple[int, int]] = Counter()
    for name, (x, y, letter, bel) in after.items():
        assert (y, bel) == (before[name][1], before[name][3])
        slices[before[name][:3]].add((x, y, letter))
    assert all(len(new) == 1 for new in slices.values())
    for row in range(30, 33):
        order = [next(iter(slices[old])) for old in sorted(slices) if old[1] == row]
        assert order == sorted(order)
        tiles.update(place[:2] for place in order)
    assert max(tiles.values()) == fullest
    xs = [x for x, *_ in after.values()]
    assert max(xs) - min(xs) + 1 == 24 * Fraction(ratio)
    assert abs(min(xs) + max(xs) - (48 + 71)) <= 2
    assert design["modules"]["top"]["cells"]["io"]["attributes"]["NEXTPNR_BEL"] == "X9/Y0/PIOA"


def test_empty_columns_make_room() -> None:
    """A stray slice far from the rest does not make a design too wide; the rest is dealt out."""
    design = full(range(72, 124), range(30, 32))
    stray = "X9/Y30/SLICEA.K0"
    design["modules"]["top"]["cells"][stray] = cell(stray)
    spread_columns(design, Fraction(3, 2), ARRAY)
    after = places(design)
    assert len(set(after.values())) == len(after)
    xs = sorted({x for x, *_ in after.values()})
    assert after[stray][0] == xs[0] >= ARRAY.first
    assert xs[1:] == list(range(xs[-1] - 77, xs[-1] + 1))
    assert ARRAY.last - 1 <= xs[-1] <= ARRAY.last


def test_a_carry_chain_stays_together() -> None:
    """Over the border of two groups too; the row's other groups, and other rows, are dealt out."""
    design = full(range(48, 60), range(30, 32))
    cells = design["modules"]["top"]["cells"]
    chain = [f"X{x}/Y30/SLICE{letter}.K0" for x in range(49, 53) for letter in "ABCD"]
    for name in chain:
        cells[name] = cell(name, MODE="CCU2")
    spread_columns(design, Fraction(3, 2), ARRAY)
    after = places(design)
    assert len(set(after.values())) == len(after)
    first = after[chain[0]][0]
    assert [after[name][0] - first for name in chain] == [i // 4 for i in range(16)]
    assert [after[name][2] for name in chain] == list("ABCD" * 4)
    assert len({x for x, y, *_ in after.values() if y == 31}) == 18


@pytest.mark.parametrize("change", [{"FXA": 7}, {"OFX": 7}, {"MODE": "DPRAM"}])
def test_wide_multiplexers_and_ram_stay(change: dict[str, Any]) -> None:
    """The tile of such a cell keeps its slices."""
    design = full(range(48, 60), range(30, 31))
    name = "X50/Y30/SLICEB.K0"
    design["modules"]["top"]["cells"][name] = cell(name, **change)
    spread_columns(design, Fraction(2), ARRAY)
    after = places(design)
    assert len({after[f"X50/Y30/SLICE{letter}.K0"][0] for letter in "ABCD"}) == 1
    assert len({after[f"X51/Y30/SLICE{letter}.K0"][0] for letter in "ABCD"}) == 2


@pytest.mark.parametrize("resets", ["1221", "1222", "-11-", "1234"])
def test_a_tile_has_one_reset_or_none(resets: str) -> None:
    """Tiles of other resets are not mixed, also with ones without; all groups are distributed."""
    design = full(range(48, 52), range(30, 31))
    cells = design["modules"]["top"]["cells"]
    for name, one in cells.items():
        if ".FF" in name and (reset := resets[int(name[1:3]) - 48]) == "-":
            del one["connections"]["LSR"]
        elif ".FF" in name:
            one["connections"]["LSR"] = [int(reset)]
    spread_columns(design, Fraction(3, 2), ARRAY)
    assert set(map(len, resets_of(design).values())) == {1}
    after = places(design)
    assert len(set(after.values())) == len(after)
    assert len({x for x, *_ in after.values()}) == 6
    assert all(
        after[name][:3] == after[name.replace("FF", "K")][:3] for name in after if "FF" in name
    )


def resets_of(design: dict[str, Any]) -> dict[int, set[int]]:
    """Return the resets of registers by column, 0 for none."""
    found: dict[int, set[int]] = defaultdict(set)
    cells = design["modules"]["top"]["cells"]
    for name, (x, *_) in places(design).items():
        if ".FF" in name:
            found[x] |= set(cells[name]["connections"].get("LSR", [0]))
    return found


def test_rows_that_are_not_full_make_room() -> None:
    """If the design is too wide each row is spread where it is full; chains stay together."""
    design = full(range(40, 90), range(30, 32))
    cells = design["modules"]["top"]["cells"]
    sparse = [
        f"X{x + y % 2 * 2}/Y{y}/SLICEA.K0"
        for x in (*range(8, 40, 4), *range(96, 120, 4))
        for y in (30, 31)
    ]
    chain = [f"X{x}/Y31/SLICE{letter}.K0" for x in range(91, 94) for letter in "ABCD"]
    for name in sparse:
        cells[name] = cell(name)
    for name in chain:
        cells[name] = cell(name, MODE="CCU2")
    spread_columns(design, Fraction(3, 2), ARRAY)
    after = places(design)
    assert len(set(after.values())) == len(after)
    xs = [x for x, *_ in after.values()]
    assert ARRAY.first <= min(xs) < max(xs) <= ARRAY.last
    tiles = Counter(
        (x, y) for name, (x, y, *_) in after.items() if name not in chain and name.endswith("K0")
    )
    assert max(tiles.values()) == 3
    first = after[chain[0]][0]
    assert [after[name][0] - first for name in chain] == [i // 4 for i in range(12)]


def test_the_array_has_an_end() -> None:
    """A blob at the edge is moved inwards; one that is too wide is refused."""
    design = full(range(110, 122), range(30, 31))
    spread_columns(design, Fraction(3, 2), ARRAY)
    assert max(x for x, *_ in places(design).values()) == ARRAY.last
    design = full(range(10, 100), range(30, 31))
    before = copy.deepcopy(design)
    with pytest.raises(LabError, match="180 columns are too many"):
        spread_columns(design, Fraction(2), ARRAY)
    assert design == before


def test_nothing_to_spread() -> None:
    """A design without slices does not change."""
    design = full(range(0), range(0))
    spread_columns(design, Fraction(2), ARRAY)
    assert places(design) == {}
