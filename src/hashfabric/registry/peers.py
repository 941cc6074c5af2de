"""Cores of others, one file each in peers/: what was measured here, and what is claimed."""

from pathlib import Path
from statistics import median
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from hashfabric.base.datafile import DataModel, Slug, load_toml, shown
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.registry.results import throughput_gbps

_Positive = Annotated[float, Field(gt=0, strict=False)]
_Number = Annotated[int, Field(ge=1)]


class PeerCore(DataModel):
    """One core of a peer, or one configuration of it.

    `measured`: placed and routed by this project in its harness on `target`; `fmax_mhz` has the
    clock of each seed. Else the figures are claims of their authors, on `device`. `gates` is an
    area in gate equivalents. `what` says what the core does, and what not.
    """

    name: Slug
    what: str
    measured: bool
    target: Slug | None = None
    device: str = ""
    lut: Literal["LUT4", "LUT6"] | None = None
    luts: _Number | None = None
    ffs: _Number | None = None
    brams: _Number | None = None
    dsps: _Number | None = None
    gates: _Number | None = None
    block_bits: _Number = 1088
    clocks_per_block: _Positive | None = None
    fmax_mhz: list[_Positive] = Field(default=[])

    @property
    def gbps(self) -> float | None:
        """Throughput at the median clock; None without a clock."""
        if not self.fmax_mhz or self.clocks_per_block is None:
            return None
        return throughput_gbps(self.block_bits, median(self.fmax_mhz), self.clocks_per_block)

    @model_validator(mode="after")
    def _has_its_figures(self) -> Self:
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
    """A peer: `source` is the place where the core, or the claim, is found."""

    name: Slug
    title: str
    source: str
    cores: Annotated[list[PeerCore], Field(alias="core", min_length=1)]


def load_peers(root: Path = ROOT) -> list[Peer]:
    """Read every peers/*.toml below `root`; `LabError` on the first fault."""
    peers = []
    for path in sorted((root / "peers").glob("*.toml")):
        peer = load_toml(path, Peer)
        if peer.name != path.stem:
            raise LabError(f"{shown(path)}: name: '{peer.name}' is not the file's name")
        peers.append(peer)
    return peers
