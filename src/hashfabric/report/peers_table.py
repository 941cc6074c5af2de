"""Tables of peers for the terminal and the pages: where they are found, what was measured."""

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from hashfabric.base.paths import ROOT
from hashfabric.base.text import markdown
from hashfabric.registry.peers import Peer, PeerRow, find_peer
from hashfabric.registry.results import throughput_gbps

_HEADS = ("Flow", "LUT in harness (alone)", "FF", "Fmax MHz", "Gb/s")


def registry(peers: Sequence[Peer]) -> Table:
    """Return a line for each core: what it is, and whether a checkout of it can be measured."""
    table = Table("Peer/core", "What", "Licence", "Figures", "Repository, commit")
    for peer in peers:
        for core in peer.cores:
            kind = "measured" if core.measured else "claimed"
            if core.recipe is not None:
                kind = "by `peers run`"
            place = f"{peer.repository} {peer.commit[:10]}".strip() or peer.source
            table.add_row(f"{peer.name}/{core.name}", core.what, peer.licence, kind, place)
    return table


def cells(peer: Peer, row: PeerRow) -> tuple[str, ...]:
    """Return what a table has of `row`."""
    core = peer.core(row.core)
    gbps = "–"
    if row.fmax_mhz.median is not None and core.clocks_per_block is not None:
        speed = throughput_gbps(core.block_bits, row.fmax_mhz.median, core.clocks_per_block)
        gbps = f"{speed:.2f}"
    area = f"{row.luts:,} ({row.luts_core:,})"
    return row.flow, area, f"{row.ffs:,}", row.fmax_mhz.text(), gbps


def measured(peer: Peer, rows: Sequence[PeerRow]) -> Table:
    """Return the rows of one run."""
    table = Table("Core", *_HEADS, title=f"{peer.title}, {rows[0].target}, function not checked")
    for row in rows:
        table.add_row(row.core, *cells(peer, row))
    return table


def _short(commit: str) -> str:
    return commit[:10] + commit[40:]


def page_table(rows: Sequence[PeerRow], root: Path = ROOT) -> str:
    """Return the table of all measured rows for a page."""
    lines = []
    for row in rows:
        peer = find_peer(row.peer, root)
        link = f"[{peer.title}]({peer.repository}), {row.core}"
        where = (link, peer.core(row.core).what, row.target)
        lines.append([*where, *cells(peer, row), f"`{_short(row.commit)}`", row.by])
    heads = ("Core", "What", "Target", *_HEADS, "Commit", "By")
    return markdown(heads, lines, left=4)
