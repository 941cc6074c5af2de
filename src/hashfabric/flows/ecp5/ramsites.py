"""Choose the sites of ECP5 block RAM, so that the design is placed again around them.

nextpnr's static placer puts nearly all block RAM of a design into one row of the device, whole
columns from the logic that it belongs to. `fix_rams` reads the places of that logic
(`nextpnr-ecp5 --no-route --write`), assigns each RAM the nearest possible site, and
gives the netlist those sites as `BEL` attributes, which the next run of the placer keeps.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hashfabric.base.errors import LabError
from hashfabric.flows.ecp5.placed import BEL

_RAM = "DP16KD"
_SITE = re.compile(r"X(\d+)/Y(\d+)/")
_MANY = 40  # cells; a net with more of them is too large to place one of them


@dataclass(frozen=True)
class RamSites:
    """Sites of block RAM: the columns they begin in, left to right, and their rows."""

    columns: Sequence[int]
    rows: Sequence[int]

    def bel(self, number: int) -> str:
        """Return the name of a site; those of a row follow each other."""
        row, column = divmod(number, len(self.columns))
        return f"X{self.columns[column]}/Y{self.rows[row]}/EBR{column % 4}"

    @property
    def places(self) -> list[tuple[int, int]]:
        """The places of the sites, x and y of each."""
        return [(x, y) for y in self.rows for x in self.columns]


def _fours(blocks: Sequence[int], rows: Sequence[int]) -> RamSites:
    """Return sites in groups of four; each group begins in one of the columns `blocks`."""
    return RamSites([x + step for x in blocks for step in (0, 2, 4, 6)], rows)


_SITES_25K = _fours([*range(4, 23, 9), *range(33, 61, 9)], (25, 37))
RAM_SITES = {
    "12k": _SITES_25K,
    "25k": _SITES_25K,
    "45k": _fours([*range(4, 32, 9), *range(42, 79, 9)], (10, 34, 58)),
    "85k": _fours([*range(4, 59, 9), *range(69, 115, 9)], (22, 46, 70, 82)),
}
"""The sites of block RAM, by the size in the device's name."""


def fix_rams(
    placed: Mapping[str, Any], netlist: dict[str, Any], sites: RamSites, attribute: str = "BEL"
) -> None:
    """Fix the block RAM of `netlist` at the best sites for the cells of the `placed` design.

    They have the least sum over its nets of squared distances, in tiles, and go into this
    `attribute`. `LabError` if there are more RAMs than sites.
    """
    places = sites.places
    (module,) = placed["modules"].values()
    cells = module["cells"]
    at = {
        name: (int(match[1]), int(match[2]))
        for name, cell in cells.items()
        if (match := _SITE.match(cell["attributes"].get(BEL, "")))
    }
    rams = [name for name, cell in cells.items() if cell["type"] == _RAM]
    if len(rams) > len(places):
        raise LabError(f"{len(rams)} block RAMs on {len(places)} sites")
    net_cells = defaultdict(list)
    for name, cell in cells.items():
        for bit in _bits(cell):
            net_cells[bit].append(name)

    costs = []
    for ram in rams:
        weights: dict[tuple[int, int], float] = defaultdict(float)
        for bit in _bits(cells[ram]):
            names = net_cells[bit]
            if len(names) <= _MANY:
                for name in names:
                    if name in at and cells[name]["type"] != _RAM:
                        weights[at[name]] += 1 / (len(names) - 1)
        costs.append(
            [
                sum(w * (abs(x - a) + abs(y - b)) ** 2 for (a, b), w in weights.items())
                for x, y in places
            ]
        )
    for ram, site in zip(rams, assignment(costs), strict=True):
        for part in netlist["modules"].values():
            if ram in part.get("cells", {}):
                part["cells"][ram].setdefault("attributes", {})[attribute] = sites.bel(site)


def assignment(costs: Sequence[Sequence[float]]) -> list[int]:
    """Return a different column for each row of `costs`, with the least sum.

    There are as many columns as rows, or more. By shortest augmenting paths: each row in turn gets
    a column, and rows before it get others where that costs less; potentials of rows and columns
    keep every reduced cost at zero or above. Rows and columns count from 1 inside: column 0 is
    where a new row begins, row 0 is that of a free column.
    """
    rows, columns = len(costs), len(costs[0]) if costs else 0
    of_row, of_column = [0.0] * (rows + 1), [0.0] * (columns + 1)
    owner = [0] * (columns + 1)
    for row in range(1, rows + 1):
        owner[0] = row
        least = [float("inf")] * (columns + 1)
        before = [0] * (columns + 1)  # the column ahead on the path
        done = [False] * (columns + 1)
        here = 0
        while owner[here]:
            done[here], current = True, owner[here]
            left = [column for column in range(1, columns + 1) if not done[column]]
            for column in left:
                reduced = costs[current - 1][column - 1] - of_row[current] - of_column[column]
                if reduced < least[column]:
                    least[column], before[column] = reduced, here
            here = min(left, key=least.__getitem__)
            step = least[here]
            for column in range(columns + 1):
                if done[column]:
                    of_row[owner[column]] += step
                    of_column[column] -= step
                else:
                    least[column] -= step
        while here:
            owner[here] = owner[before[here]]
            here = before[here]
    found = {row: column - 1 for column, row in enumerate(owner) if column and row}
    return [found[row] for row in range(1, rows + 1)]


def _bits(cell: Mapping[str, Any]) -> list[int]:
    """Return the nets at the ports of a cell, constants left out."""
    return [bit for port in cell["connections"].values() for bit in port if isinstance(bit, int)]
