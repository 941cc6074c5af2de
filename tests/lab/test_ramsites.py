"""Block RAM gets the best sites for the cells of a placed ECP5 design."""

import re
from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Any

import pytest

from hashfabric.base.errors import LabError
from hashfabric.flows.ecp5.flow import Ecp5Profile, Ecp5Target
from hashfabric.flows.ecp5.ramsites import RamSites, assignment, fix_rams
from hashfabric.flows.targets import find_target

SITES = RamSites([4, 6, 8, 10, 13, 15, 17, 19], (22, 46))


def cell(kind: str, bel: str, *nets: int | str) -> dict[str, Any]:
    """Return a cell at `bel` with a port for each of `nets`."""
    return {
        "type": kind,
        "attributes": {"NEXTPNR_BEL": bel} if bel else {},
        "connections": {f"P{number}": [net] for number, net in enumerate(nets)},
    }


def fixed(cells: dict[str, Any], sites: RamSites = SITES) -> dict[str, str]:
    """Return the sites that the RAMs of a placed design get."""
    rams: dict[str, Any] = {name: {} for name, one in cells.items() if one["type"] == "DP16KD"}
    netlist: dict[str, Any] = {"modules": {"box": {}, "top": {"cells": rams}}}
    fix_rams({"modules": {"top": {"cells": cells}}}, netlist, sites)
    return {name: one["attributes"]["BEL"] for name, one in rams.items()}


def test_a_ram_goes_to_its_wires() -> None:
    """The site nearest to the cells at its nets; the number in a site's name is its column's."""
    cells = {
        "ram": cell("DP16KD", "X4/Y46/EBR0", 1, 2, "0"),
        "a": cell("TRELLIS_FF", "X14/Y20/SLICEA.FF0", 1),
        "b": cell("TRELLIS_COMB", "X16/Y21/SLICEB.K1", 2),
    }
    assert fixed(cells) == {"ram": "X15/Y22/EBR1"}


def test_one_site_is_shared_out() -> None:
    """Of two RAMs with the same best site, the one with more to lose gets it."""
    cells = {
        "few": cell("DP16KD", "X4/Y46/EBR0", 1),
        "many": cell("DP16KD", "X6/Y46/EBR1", 1, 2, 3),
        "both": cell("TRELLIS_FF", "X19/Y22/SLICEA.FF0", 1),
        "two": cell("TRELLIS_FF", "X19/Y22/SLICEA.FF1", 2),
        "three": cell("TRELLIS_FF", "X19/Y22/SLICEB.FF0", 3),
    }
    assert fixed(cells) == {"few": "X17/Y22/EBR2", "many": "X19/Y22/EBR3"}


def test_a_net_of_many_says_nothing() -> None:
    """What goes to all RAMs, and a wire from RAM to RAM, do not count."""
    many = {f"r{i}": cell("TRELLIS_FF", f"X{i}/Y46/SLICEA.FF0", 9) for i in range(2, 60)}
    cells = many | {
        "ram": cell("DP16KD", "X4/Y46/EBR0", 9, 8, 1),
        "next": cell("DP16KD", "X19/Y46/EBR3", 8, 2),
        "a": cell("TRELLIS_FF", "X4/Y22/SLICEA.FF0", 1),
        "b": cell("TRELLIS_FF", "X19/Y46/SLICEA.FF0", 2),
        "pin": cell("TRELLIS_IO", "", 1),
    }
    assert fixed(cells) == {"ram": "X4/Y22/EBR0", "next": "X19/Y46/EBR3"}


def test_too_many_rams_are_one_line() -> None:
    """And a design without any stays as it is."""
    rams = {f"ram{i}": cell("DP16KD", "X4/Y46/EBR0", i) for i in range(3)}
    with pytest.raises(LabError, match="3 block RAMs on 2 sites"):
        fixed(rams, RamSites([4, 6], (22,)))
    assert fixed({"a": cell("TRELLIS_FF", "X4/Y22/SLICEA.FF0", 1)}) == {}


@pytest.mark.parametrize("seed", range(30))
def test_an_assignment_costs_the_least(seed: int) -> None:
    """Of all that there are; rows that cost the same among them."""
    random = Random(seed)
    rows, columns = random.randint(1, 4), random.randint(4, 6)
    values = [0.0, 1.0, 2.0, random.random()]
    costs = [[random.choice(values) for _ in range(columns)] for _ in range(rows)]
    found = assignment(costs)
    assert len(set(found)) == rows

    def cost(chosen: Sequence[int]) -> float:
        return sum(costs[row][column] for row, column in enumerate(chosen))

    assert cost(found) == pytest.approx(min(map(cost, permutations(range(columns), rows))))


def test_a_row_has_each_pass() -> None:
    """Placed, RAM moved, placed again; the route is as without."""
    target = find_target("ecp5-85k")
    assert isinstance(target, Ecp5Target)
    profile = Ecp5Profile(ram_passes=2, spread="")
    near = target.model_copy(update={"profiles": {"near": profile}}).with_profile("near")
    place, move, *rest = near.route_text(5).split("; ")
    assert re.match(r"nextpnr-ecp5 .*--seed 5 .*--no-route", place)
    assert move == "block RAM to the nearest sites"
    assert rest[:2] == [place, move]
    assert rest[2:] == target.model_copy(update={"spread": None}).route_text(5).split("; ")
