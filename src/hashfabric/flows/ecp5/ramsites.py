"""Choose the sites of ECP5 block RAM, for the design to be placed again around them.

nextpnr's static placer puts nearly all block RAM of a design into one row of the device, whole
columns from the logic that it belongs to. `fix_rams` reads where that logic came to lie
(`nextpnr-ecp5 --no-route --write`), assigns each RAM the site nearest to it that can be had, and
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
_PLACE = re.compile(r"X(\d+)/Y(\d+)/")
_MANY = 40  # cells; where a net with more of them lies says nothing about one


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
        """Where the sites are, x and y of each."""
        return [(x, y) for y in self.rows for x in self.columns]


def fix_rams(placed: Mapping[str, Any], netlist: dict[str, Any], sites: RamSites) -> None:
    """Fix the block RAM of `netlist` where the cells of the `placed` design want it.

    The sum over its nets of squared distances, in tiles, is the least that an assignment has.
    `LabError` if there are more RAMs than sites.
    """
    # All flows are imported wherever a target is read, and these packages are an extra's.
    import numpy as np  # noqa: PLC0415
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415

    places = np.array(sites.places, dtype=float)
    (module,) = placed["modules"].values()
    cells = module["cells"]
    at = {
        name: (int(match[1]), int(match[2]))
        for name, cell in cells.items()
        if (match := _PLACE.match(cell["attributes"].get(BEL, "")))
    }
    rams = [name for name, cell in cells.items() if cell["type"] == _RAM]
    if len(rams) > len(places):
        raise LabError(f"{len(rams)} block RAMs on {len(places)} sites")
    net_cells = defaultdict(list)
    for name, cell in cells.items():
        for bit in _bits(cell):
            net_cells[bit].append(name)

    cost = np.zeros((len(rams), len(places)))
    for number, ram in enumerate(rams):
        for bit in _bits(cells[ram]):
            names = net_cells[bit]
            if len(names) <= _MANY:
                for name in names:
                    if name in at and cells[name]["type"] != _RAM:
                        distance = np.abs(places - at[name]).sum(axis=1)
                        cost[number] += distance**2 / (len(names) - 1)
    for ram, site in zip(rams, linear_sum_assignment(cost)[1], strict=True):
        for part in netlist["modules"].values():
            if ram in part.get("cells", {}):
                part["cells"][ram].setdefault("attributes", {})["BEL"] = sites.bel(int(site))


def _bits(cell: Mapping[str, Any]) -> list[int]:
    """Return the nets at the ports of a cell, constants left out."""
    return [bit for port in cell["connections"].values() for bit in port if isinstance(bit, int)]
