"""Cores of others, one file each in peers/: what was measured here, and what is claimed.

Nothing of a peer is in the tree: its file names the repository, and the recipe by which a checkout
of it is read. `implement.peers` measures one, into results/peer-PEER-TARGET.json.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Annotated, Literal, Self, get_args

from pydantic import Field, model_validator

from hashfabric.base.datafile import DataModel, Slug, load_toml, one_of, shown
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.registry.designs import Parameter
from hashfabric.registry.reported import Line
from hashfabric.registry.results import (
    PEER_PREFIX,
    Count,
    Fmax,
    RowModel,
    add_rows,
    load_prefixed,
    throughput_gbps,
)

_Positive = Annotated[float, Field(gt=0, strict=False)]
_Number = Annotated[int, Field(ge=1)]
Flow = Literal["plain", "ours"]
"""`plain`: synthesis and place and route with the tools' own options, at the clock constraint of
ours. `ours`: as the lab measures its own cores."""

FLOWS: tuple[Flow, ...] = get_args(Flow)
PLAIN_PROFILE = "plain"
"""The profile of a target for the plain flow."""


class Recipe(DataModel):
    """How a checkout of a peer is read: SystemVerilog or Verilog only.

    `files` are paths or globs below the checkout, in the order in which they are read, `headers`
    those that others include, `macros` what is defined (NAME or NAME=VALUE). `fetch` says what else
    the checkout must contain, such as a submodule. `profile` is that of our flow.
    """

    files: Annotated[list[str], Field(min_length=1)]
    headers: list[str] = Field(default=[])
    macros: list[Annotated[str, Field(pattern=r"^\w+(=\w+)?$")]] = Field(default=[])
    top: str
    clock: str
    reset: str
    parameters: Mapping[str, Parameter] = Field(default={})
    profile: str | None = None
    fetch: str = ""


class PeerCore(DataModel):
    """One core of a peer, or one configuration of it.

    `measured`: placed and routed by this project in its harness on `target`; `fmax_mhz` has the
    clock of each seed. Else the figures are claims of their authors, on `device`. `luts` and `ffs`
    of what was measured are those in the harness, `luts_core` without it. `gates` is an area in
    gate equivalents. `what` says what the core does, and what not. With a `recipe`, `PeerRow`s take
    the place of the figures, which may be left out. `clocks_per_block` is that of the core's
    structure, or of its documentation: nothing here simulates it.
    """

    name: Slug
    what: str
    measured: bool
    target: Slug | None = None
    device: str = ""
    lut: Literal["LUT4", "LUT6"] | None = None
    luts: _Number | None = None
    luts_core: _Number | None = None
    ffs: _Number | None = None
    brams: _Number | None = None
    dsps: _Number | None = None
    gates: _Number | None = None
    block_bits: _Number = 1088
    clocks_per_block: _Positive | None = None
    fmax_mhz: list[_Positive] = Field(default=[])
    recipe: Recipe | None = None

    @property
    def gbps(self) -> float | None:
        """Throughput at the median clock; None without a clock."""
        if not self.fmax_mhz or self.clocks_per_block is None:
            return None
        return throughput_gbps(self.block_bits, median(self.fmax_mhz), self.clocks_per_block)

    @model_validator(mode="after")
    def _has_its_figures(self) -> Self:
        if self.recipe is not None:
            if not self.measured or self.clocks_per_block is None:
                raise ValueError("with a recipe, measured = true and clocks_per_block are required")
            if self.luts is None and not self.fmax_mhz:
                return self
        if self.measured and (self.target is None or self.luts is None or self.gbps is None):
            raise ValueError("what was measured has target, luts, clocks_per_block and fmax_mhz")
        if not self.measured and not self.device:
            raise ValueError("a claim has a device")
        if (self.lut is None) != (self.luts is None):
            raise ValueError("luts and lut are given together")
        if self.luts is None and self.gates is None:
            raise ValueError("luts or gates are required")
        return self


class Peer(DataModel):
    """A peer: `source` is the place where the core, or the claim, is found.

    `commit` (40 hex digits) is the one of `repository` that the recipes are for.
    """

    name: Slug
    title: str
    source: str
    repository: str = ""
    commit: Annotated[str, Field(pattern="^([0-9a-f]{40})?$")] = ""
    licence: str = ""
    cores: Annotated[list[PeerCore], Field(alias="core", min_length=1)]

    @model_validator(mode="after")
    def _is_found(self) -> Self:
        recipes = any(core.recipe is not None for core in self.cores)
        if recipes and not (self.repository and self.commit and self.licence):
            raise ValueError("with a recipe, repository, commit and licence are required")
        return self

    def core(self, name: str) -> PeerCore:
        """Return the core called `name`; `LabError` if there is none."""
        for core in self.cores:
            if core.name == name:
                return core
        raise one_of(f"core of {self.name}", name, [core.name for core in self.cores])


class PeerRow(RowModel):
    """A core of a peer, measured in the lab's harness by one of the flows.

    `luts` and `ffs` are those in the harness, `_core` those of the core without it. `commit` is
    that of the checkout, with `+` where its files differ from it. `by` names who measured.
    """

    peer: str
    core: str
    target: str
    flow: Flow
    lut: str
    luts: Count
    luts_core: Count
    ffs: Count
    ffs_core: Count
    brams: Count
    dsps: Count
    fmax_mhz: Fmax
    commit: Annotated[str, Field(pattern=r"^[0-9a-f]{40}\+?$")]
    by: Line
    commands: dict[str, str]
    tools: dict[str, str]

    @property
    def mhz(self) -> float:
        """The median clock; 0 if no seed routed."""
        return self.fmax_mhz.median or 0.0


def peer_files(root: Path = ROOT) -> list[Peer]:
    """Read every peers/*.toml below `root` as it is; `LabError` on the first fault."""
    peers = []
    for path in sorted((root / "peers").glob("*.toml")):
        peer = load_toml(path, Peer)
        if peer.name != path.stem:
            raise LabError(f"{shown(path)}: name: '{peer.name}' is not the file's name")
        peers.append(peer)
    return peers


def find_peer(name: str, root: Path = ROOT) -> Peer:
    """Return the peer called `name`; `LabError` if there is none."""
    peers = peer_files(root)
    for peer in peers:
        if peer.name == name:
            return peer
    raise one_of("peer", name, [peer.name for peer in peers])


def load_peers(root: Path = ROOT) -> list[Peer]:
    """Read the peers, with the figures of rows for cores with a recipe.

    A core stands once for each target that it has a row on, with the row of the flow that gives it
    the higher clock there. Rows of other commits than the file's do not count. Cores with a recipe
    that have neither a row nor figures are left out, and peers without any other.
    """
    rows = load_prefixed(PEER_PREFIX, PeerRow, root)
    peers = []
    for peer in peer_files(root):
        cores = [found for core in peer.cores for found in _with_figures(peer, core, rows)]
        if cores:
            peers.append(peer.model_copy(update={"cores": cores}))
    return peers


def _with_figures(peer: Peer, core: PeerCore, rows: Sequence[PeerRow]) -> list[PeerCore]:
    best: dict[str, PeerRow] = {}
    for row in rows:
        here = (row.peer, row.core, row.commit) == (peer.name, core.name, peer.commit)
        other = best.get(row.target)
        if here and row.mhz > (0.0 if other is None else other.mhz):
            best[row.target] = row
    if core.recipe is None or not best:
        return [core] if core.luts is not None or core.gates is not None else []
    return [
        core.model_copy(
            update={
                "target": row.target,
                "lut": row.lut,
                "luts": row.luts,
                "luts_core": row.luts_core,
                "ffs": row.ffs,
                "brams": row.brams or None,
                "dsps": row.dsps or None,
                "fmax_mhz": [mhz for mhz in row.fmax_mhz.seeds.values() if mhz is not None],
            }
        )
        for row in best.values()
    ]


def save_peer_rows(rows: Sequence[PeerRow], root: Path = ROOT) -> list[Path]:
    """Write `rows` to results/peer-PEER-TARGET.json; rows of other cores and flows are kept."""
    return add_rows(
        rows,
        file=lambda row: root / "results" / f"{PEER_PREFIX}{row.peer}-{row.target}.json",
        key=lambda row: (row.core, row.flow),
        place=lambda row: (row.core, row.flow),
    )
