"""The figures of the site as JSON: rows of the table, points of the plot."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, get_args

from hashfabric.models.functions import FAMILIES, FUNCTIONS
from hashfabric.papers.paper import Paper
from hashfabric.registry.designs import Design, Kind
from hashfabric.registry.maturity import maturity
from hashfabric.registry.peers import Peer
from hashfabric.registry.results import MeasuredRow, throughput_gbps
from hashfabric.report import rows_text, throughput_area
from hashfabric.report.selection import computed, registered

WORDS = {**rows_text.WORDS, "what": "What", "maturity": "Maturity"}
"""Columns of the table from the registry, and their headings."""


def columns() -> list[dict[str, Any]]:
    """Return the columns of the table: name, heading, decimals (None: a word), what is better."""
    found = [
        {"name": name, "head": column.head, "digits": column.digits, "better": column.better}
        for name, column in rows_text.COLUMNS.items()
    ]
    words = [
        {"name": name, "head": head, "digits": None, "better": None} for name, head in WORDS.items()
    ]
    return found[:3] + words + found[3:]


def rows(measured: Sequence[MeasuredRow], designs: Mapping[str, Design]) -> list[dict[str, Any]]:
    """Return every row with the figures of its columns, and how it was measured."""
    found: list[dict[str, Any]] = []
    for number, row in enumerate(measured):
        design, variant = registered(row, designs)
        origin = row.provenance
        known = {
            "functions": computed(design, variant) if design and variant else [],
            "what": variant.note if variant else "",
            "maturity": maturity(design, row.variant, [row]) if design else "",
        }
        fmax = row.fmax_mhz
        found.append(
            rows_text.values(row, designs)
            | known
            | {
                "id": number,
                "one_seed": row.one_seed,
                "fmax_text": "" if fmax is None else fmax.text(),
                "low": _at(row, None if fmax is None else fmax.min),
                "high": _at(row, None if fmax is None else fmax.max),
                "origin": {
                    "tools": origin.tools,
                    "seeds": {} if fmax is None else fmax.seeds,
                    "unrouted": {} if fmax is None else fmax.unrouted,
                    "constraint_mhz": origin.constraint_mhz,
                    "commands": origin.commands,
                    "clocks": origin.clocks_measured_by,
                    "source": origin.source_hash,
                    "detail": row.luts_detail,
                },
            }
        )
    return found


def functions(
    measured: Sequence[MeasuredRow], designs: Mapping[str, Design]
) -> list[tuple[str, list[str]]]:
    """Return the functions that cores with a row compute, by family."""
    families = {name: function.family for name, function in FUNCTIONS.items()}
    found: set[str] = set()
    for row in measured:
        design, variant = registered(row, designs)
        if design is not None and variant is not None:
            names = computed(design, variant)
            found.update(names)
            families = dict.fromkeys(names, design.family) | families
    return [
        (family, [name for name in families if name in found and families[name] == family])
        for family in FAMILIES
    ]


def kinds(measured: Sequence[MeasuredRow], designs: Mapping[str, Design]) -> list[str]:
    """Return the kinds of the rows, in the order of the registry's."""
    found = {variant.kind for row in measured if (variant := registered(row, designs)[1])}
    return [kind for kind in get_args(Kind) if kind in found]


def _at(row: MeasuredRow, mhz: float | None) -> float | None:
    """Return the throughput of a row at another clock than its median."""
    return None if mhz is None else throughput_gbps(row.block_bits, mhz, row.clocks_per_block)


def others(peers: Sequence[Peer], papers: Sequence[Paper]) -> list[dict[str, Any]]:
    """Return the points of peers' cores and of the papers: with an area in LUTs and a throughput.

    An area is under the name of the column that it compares with, None where it is not known: of
    what was measured here by hand only that in the harness is, and published cores have none. A
    slice counts as the LUTs of its device.
    """
    found: list[dict[str, Any]] = []
    for peer in peers:
        for core in peer.cores:
            if core.luts is None or core.gbps is None:
                continue
            clocks = [
                throughput_gbps(core.block_bits, mhz, core.clocks_per_block)
                for mhz in core.fmax_mhz
                if core.clocks_per_block is not None
            ]
            found.append(
                {
                    "group": "peers, measured here" if core.measured else "peers, claimed",
                    "name": f"{peer.title} {core.name}",
                    "target": core.target,
                    "device": core.device or core.target,
                    "lut": core.lut,
                    "family": throughput_area.FAMILY,
                    "luts": core.luts,
                    "luts_core": core.luts_core if core.measured else core.luts,
                    "logic_cells": None,
                    "ffs": core.ffs if core.measured else None,
                    "gbps": median(clocks),
                    "low": min(clocks),
                    "high": max(clocks),
                    "seeds": len(clocks),
                    "what": core.what,
                    "source": peer.source,
                }
            )
    for paper in papers:
        for row in paper.rows:
            gbps = row.throughput_gbps or (row.throughput_mbps and row.throughput_mbps / 1000)
            if not gbps or row.lut_area is None:
                continue
            luts, kind = row.lut_area
            area = f"{row.area_slices:,} slices" if row.area_slices else f"{row.luts:,} LUTs"
            found.append(
                {
                    "group": "papers, own rows" if row.own else "papers, cited rows",
                    "name": f"{paper.name}: {row.label}",
                    "target": None,
                    "device": row.device,
                    "lut": kind,
                    "family": row.family,
                    "luts": luts,
                    "luts_core": luts,
                    "logic_cells": None,
                    "ffs": None,
                    "gbps": float(gbps),
                    "what": f"{row.algorithm} {area}".strip(),
                    "source": f"{paper.title}, {row.place}",
                    "page": f"papers/{paper.name}.html",
                }
            )
    return found


def limit() -> dict[str, Any]:
    """Return the line of the limit of the plot, and where it holds."""
    steps = [{"rounds": one.rounds, "luts": one.luts, "gbps": one.gbps} for one in
             throughput_area.limit()]  # fmt: skip
    return {"target": throughput_area.TARGET, "family": throughput_area.FAMILY, "steps": steps}
