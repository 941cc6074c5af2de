"""DSP slices of mapped netlists: how many, their cascades, and what they leave to the fabric."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from hashfabric.base.errors import LabError
from hashfabric.flows.base import RtlSource
from hashfabric.flows.mapped import NETLIST
from hashfabric.flows.targets import find_target
from hashfabric.netlist.cascades import COLUMN, Cells, cascades, columns, slices
from hashfabric.registry.designs import load_designs, read_sources
from hashfabric.registry.results import load_rows


@dataclass(frozen=True)
class Claim:
    """What a variant is said to be made of: slices, the longest cascade, six-input LUTs at most."""

    slices: int
    cascade: int
    luts: int


CLAIMS = {
    "keccak-dsp-compact/core-21": Claim(slices=21, cascade=3, luts=2950),
    "keccak-dsp-compact/core-28": Claim(slices=28, cascade=2, luts=1900),
    "keccak-dsp-compact/core-42": Claim(slices=42, cascade=4, luts=1900),
    "keccak-dsp-compact/core-58": Claim(slices=58, cascade=6, luts=1950),
    "keccak-dsp-wide/core-130": Claim(slices=130, cascade=4, luts=50),
    "keccak-dsp-wide/core-137": Claim(slices=137, cascade=2, luts=50),
    "keccak-dsp-wide/core-123": Claim(slices=123, cascade=5, luts=50),
    "keccak-dsp-wide/core-117": Claim(slices=117, cascade=9, luts=50),
    "keccak-dsp-wide/core-117-low-latency": Claim(slices=117, cascade=9, luts=50),
    "keccak-dsp-wide/core-104": Claim(slices=104, cascade=11, luts=2700),
    "keccak-dsp-wide/core-104-low-latency": Claim(slices=104, cascade=11, luts=2700),
}
STREAMS = {
    "keccak-dsp-compact/stream": "keccak-dsp-compact/core-28",
    "keccak-dsp-wide/stream": "keccak-dsp-wide/core-117",
}
"""Whole streams by the core that is in them, which has all their slices."""
DESIGNS = {name.partition("/")[0] for name in CLAIMS}


def mapped(name: str, directory: Path) -> tuple[Cells, int]:
    """Return the cells of the variant `name` as its first target maps it, and its LUTs."""
    design, _, variant_name = name.partition("/")
    variant = load_designs()[design].variants[variant_name]
    assert variant.targets
    source = RtlSource(read_sources(variant), variant.top, variant.parameters)
    synthesis = find_target(variant.targets[0]).synthesise(directory, source)
    netlist = json.loads((directory / NETLIST).read_text(encoding="utf-8"))
    cells: Cells = netlist["modules"][variant.top]["cells"]
    assert synthesis.use.dsps == len(slices(cells))
    return cells, synthesis.use.luts


@pytest.mark.slow
@pytest.mark.parametrize("name", CLAIMS)
def test_slices_and_cascades(name: str, tmp_path: Path) -> None:
    """A variant has the slices that it is named for, and each cascade fits a column."""
    cells, luts = mapped(name, tmp_path)
    claim = CLAIMS[name]
    assert len(slices(cells)) == claim.slices
    assert max(map(len, cascades(cells))) == claim.cascade
    assert luts <= claim.luts


@pytest.mark.slow
@pytest.mark.parametrize("name", STREAMS)
def test_streams_have_the_slices_of_their_core(name: str, tmp_path: Path) -> None:
    """The front end takes none."""
    cells, _ = mapped(name, tmp_path)
    claim = CLAIMS[STREAMS[name]]
    assert len(slices(cells)) == claim.slices
    assert max(map(len, cascades(cells))) == claim.cascade


def test_every_variant_has_a_claim() -> None:
    """None is left out, and a core's name says its slices."""
    designs = load_designs()
    variants = {f"{name}/{variant}" for name in DESIGNS for variant in designs[name].variants}
    assert variants == CLAIMS.keys() | STREAMS.keys()
    for name, claim in CLAIMS.items():
        assert name.partition("core-")[2].partition("-")[0] == str(claim.slices)


def test_rows_have_the_slices() -> None:
    """The measured rows say the same."""
    rows = [row for row in load_rows() if row.name in DESIGNS]
    assert {row.name for row in rows} == DESIGNS
    for row in rows:
        name = f"{row.name}/{row.variant}"
        claim = CLAIMS[STREAMS.get(name, name)]
        assert row.dsps == claim.slices
        assert name in STREAMS or (row.luts_core or 0) <= claim.luts


def chained(**changes: list[int | str]) -> Cells:
    """Return two slices in cascade and a register after P, with these connections changed."""
    low, high, out = ([base + i for i in range(48)] for base in (100, 200, 300))
    ports = {"a.PCIN": ["0"] * 48, "a.PCOUT": low, "b.PCIN": low, "b.PCOUT": high, "c.D": out[:1]}
    ports |= {name.replace("_", "."): bits for name, bits in changes.items()}
    kinds = {"a": "DSP48E2", "b": "DSP48E2", "c": "FDRE"}
    return {
        cell: {
            "type": kind,
            "connections": {p[2:]: bits for p, bits in ports.items() if p[0] == cell},
        }
        for cell, kind in kinds.items()
    }


def column(kind: str, length: int) -> Cells:
    """Return a cascade of `length` slices."""
    return {
        f"u{i}": {
            "type": kind,
            "connections": {
                "PCIN": [1000 * i + k for k in range(48)] if i else ["0"] * 48,
                "PCOUT": [1000 * (i + 1) + k for k in range(48)],
            },
        }
        for i in range(length)
    }


def test_other_connections_are_no_cascades() -> None:
    """The reader of netlists follows a cascade, and fails on what a device has no wire for."""
    low: list[int | str] = list(range(100, 148))
    high: list[int | str] = list(range(200, 248))
    assert cascades(chained()) == [["a", "b"]]
    none, circle = "PCIN is no neighbour's PCOUT", "runs in a circle"
    faults: list[tuple[str, list[int | str], str]] = [
        ("b_PCIN", low[1:] + low[:1], none),  # rotated
        ("b_PCIN", [*low[:47], "0"], none),  # in part
        ("b_PCIN", list(range(300, 348)), none),  # from the fabric
        ("c_D", low[:1], "c: D reads a PCOUT"),
        ("a_PCIN", high, circle),
        ("a_PCIN", low, "goes to 2 neighbours"),
    ]
    for port, bits, fault in faults:
        with pytest.raises(LabError, match=fault):
            cascades(chained(**{port: bits}))


@pytest.mark.parametrize(("kind", "longest"), COLUMN.items())
def test_a_cascade_is_no_longer_than_a_column(kind: str, longest: int) -> None:
    """One slice more is too many; so is a second neighbour."""
    assert [len(chain) for chain in cascades(column(kind, longest))] == [longest]
    with pytest.raises(LabError, match="more than a column has"):
        cascades(column(kind, longest + 1))
    branch = dict(column(kind, 3))
    branch["v"] = {
        "type": kind,
        "connections": {"PCIN": branch["u1"]["connections"]["PCIN"], "PCOUT": list(range(48))},
    }
    with pytest.raises(LabError, match="2 neighbours"):
        cascades(branch)


def test_columns_have_whole_cascades() -> None:
    """The longest first, each in the first column with room."""
    chains = [list("ab"), list("cdefg"), list("hij"), list("k")]
    assert columns(chains, 6) == [[*"cdefg", "k"], [*"hij", *"ab"]]
