"""Cascades of DSP slices in a netlist: PCOUT to PCIN, from a slice to the one above it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from hashfabric.base.errors import LabError

Cells = Mapping[str, Mapping[str, Any]]
"""The cells of a flat module as yosys' JSON has them, by name."""

COLUMN = {"DSP48E1": 20, "DSP48E2": 24}
"""Slices of a column in one clock region, by primitive.

DSP48E2: UG912, CLOCK_REGION. DSP48E1: a clock region is 50 CLBs high (UG912), a pair of slices five
(UG479).
"""


def slices(cells: Cells) -> dict[str, str]:
    """Return the primitive of each DSP slice, by the cell's name."""
    return {name: cell["type"] for name, cell in cells.items() if cell["type"] in COLUMN}


def cascades(cells: Cells) -> list[list[str]]:
    """Return the slices of each cascade, the lowest first; a slice outside of one is a list of one.

    `LabError` for wires that a device lacks: a PCIN that is not zero and not the whole PCOUT of one
    slice; a PCOUT that goes anywhere but to one PCIN; a circle; more slices than a column
    has in a clock region.
    """
    dsps = slices(cells)
    drivers = {tuple(cells[name]["connections"].get("PCOUT", ())): name for name in dsps}
    below: dict[str, str] = {}
    for name in dsps:
        bits = tuple(cells[name]["connections"]["PCIN"])
        if set(bits) == {"0"}:
            continue
        if bits not in drivers:
            raise LabError(f"{name}: PCIN is no neighbour's PCOUT")
        below[name] = drivers[bits]
    readers = Counter(below.values())
    special = {bit for bits in drivers for bit in bits}
    for name, cell in cells.items():
        for port, bits in cell["connections"].items():
            if port not in ("PCIN", "PCOUT") and not special.isdisjoint(bits):
                raise LabError(f"{name}: {port} reads a PCOUT")
    if doubled := [name for name, count in readers.items() if count > 1]:
        raise LabError(f"{doubled[0]}: PCOUT goes to {readers[doubled[0]]} neighbours")
    found = []
    for last in (name for name in dsps if name not in readers):
        chain = [last]
        while chain[-1] in below:
            chain.append(below[chain[-1]])
        if len(chain) > COLUMN[dsps[last]]:
            raise LabError(f"{last}: a cascade of {len(chain)} slices, more than a column has")
        found.append(chain[::-1])
    if sum(map(len, found)) != len(dsps):
        raise LabError("a cascade of DSP slices runs in a circle")
    return found


def columns(chains: Sequence[Sequence[str]], height: int) -> list[list[str]]:
    """Return the slices of whole `chains` in columns of at most `height`, the lowest first.

    A chain goes into the first column that has room, the longest ones first.
    """
    found: list[list[str]] = []
    for chain in sorted(chains, key=len, reverse=True):
        room = next((column for column in found if len(column) + len(chain) <= height), None)
        if room is None:
            found.append(list(chain))
        else:
            room.extend(chain)
    return found
