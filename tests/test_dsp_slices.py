"""Designs out of DSP slices as synthesised: how many slices, and what their cascades are."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hashfabric.flows.base import RtlSource
from hashfabric.flows.mapped import NETLIST
from hashfabric.flows.targets import load_targets
from hashfabric.registry.designs import find_design, read_sources
from hashfabric.registry.results import load_rows

COLUMN = {"DSP48E1": 20, "DSP48E2": 24}
"""Slices of a column within one clock region (UG479, UG579), by primitive."""

DESIGN = find_design("keccak-dsp-compact")
CORES = [name for name, variant in DESIGN.variants.items() if variant.kind == "engine"]


def synthesised(name: str, directory: Path) -> tuple[int, dict[str, Any]]:
    """Return how many slices `name` has as the target counts them, and its cells."""
    variant = DESIGN.variant(name)
    assert variant.targets is not None
    target = load_targets()[variant.targets[0]]
    source = RtlSource(read_sources(variant), variant.top, variant.parameters)
    result = target.synthesise(directory, source)
    netlist = json.loads((directory / NETLIST).read_text(encoding="utf-8"))
    cells = netlist["modules"][variant.top]["cells"]
    assert isinstance(cells, dict)
    return result.use.dsps, cells


def slices(cells: dict[str, Any]) -> dict[str, Any]:
    """Return the DSP slices among `cells`."""
    return {name: cell for name, cell in cells.items() if cell["type"] in COLUMN}


def cascade_faults(cells: dict[str, Any]) -> Iterator[str]:
    """Yield what a device has no wires for.

    PCIN is zero or all of one neighbour's PCOUT, which goes to nothing else; a chain of them fits
    into a column.
    """
    dsps = slices(cells)
    below: dict[str, str] = {}
    drivers = {tuple(cell["connections"]["PCOUT"]): name for name, cell in dsps.items()}
    for name, cell in dsps.items():
        pcin = cell["connections"]["PCIN"]
        if set(pcin) <= {"0"}:
            continue
        if tuple(pcin) not in drivers:
            yield f"{name}: PCIN is no neighbour's PCOUT"
        else:
            below[name] = drivers[tuple(pcin)]
    for name in set(below.values()):
        bits = set(dsps[name]["connections"]["PCOUT"])
        users = [
            (user, port)
            for user, cell in cells.items()
            for port, nets in cell["connections"].items()
            if (user, port) != (name, "PCOUT") and bits & set(nets)
        ]
        if len(users) != 1:
            yield f"{name}: PCOUT goes to {users}"
    for name in dsps:
        chain = [name]
        while chain[-1] in below and len(chain) <= COLUMN[dsps[name]["type"]]:
            chain.append(below[chain[-1]])
        if len(chain) > COLUMN[dsps[name]["type"]]:
            yield f"{name}: a cascade of more slices than a column has"


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name == "core-28" else pytest.mark.slow) for name in CORES],
)
def test_slices_and_cascades(name: str, tmp_path: Path) -> None:
    """A core has as many slices as its name says, and cascades that a column can have."""
    count, cells = synthesised(name, tmp_path)
    assert count == len(slices(cells)) == int(name.partition("-")[2])
    assert not list(cascade_faults(cells))


def example(length: int) -> dict[str, Any]:
    """Return a chain of slices."""
    return {
        f"u{i}": {
            "type": "DSP48E2",
            "connections": {
                "PCIN": [1000 * i + k for k in range(48)] if i else ["0"] * 48,
                "PCOUT": [1000 * (i + 1) + k for k in range(48)],
            },
        }
        for i in range(length)
    }


def test_faults_are_found() -> None:
    """A PCIN from the fabric, a PCOUT into it, a branch, and a chain that is too long."""
    good = example(24)
    assert not list(cascade_faults(good))
    assert any("more slices" in fault for fault in cascade_faults(example(25)))
    fabric = copy.deepcopy(good)
    fabric["u3"]["connections"]["PCIN"][7] = 9
    assert any("no neighbour's" in fault for fault in cascade_faults(fabric))
    for kind, port in (("LUT1", "I0"), ("DSP48E2", "PCIN")):
        branch = copy.deepcopy(good)
        nets = branch["u3"]["connections"]["PCIN"]
        branch["v"] = {"type": kind, "connections": {port: nets}}
        if kind == "DSP48E2":
            branch["v"]["connections"]["PCOUT"] = [5000000 + k for k in range(48)]
        assert any("PCOUT goes to" in fault for fault in cascade_faults(branch))


def test_rows_have_the_slices() -> None:
    """The measured rows say the same."""
    rows = [row for row in load_rows() if row.name == DESIGN.name and row.variant in CORES]
    assert rows
    for row in rows:
        assert row.dsps == int(row.variant.partition("-")[2])
