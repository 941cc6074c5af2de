"""Rows of `hashfabric area`: one design in gate equivalents, and what it takes to do it again."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import Field

from hashfabric.base.paths import ROOT
from hashfabric.registry.results import (
    AREA_PREFIX,
    Count,
    Number,
    Positive,
    RowModel,
    VariantRow,
    load_prefixed,
    save_variants,
    throughput_gbps,
)


class Ram(RowModel):
    """A RAM that is a macro: its words, their width in bits, its ports to read and to write."""

    words: Number
    width: Number
    reads: Number
    writes: Number

    @property
    def bits(self) -> int:
        """Its size."""
        return self.words * self.width


class CellArea(RowModel):
    """The cells of one netlist; `gates` is their area in that of the smallest NAND2."""

    gates: Positive
    cells: Number
    registers: Count


class CellDelay(RowModel):
    """The longest path from register to register, ns: see `netlist.timing.Path`.

    It has `cells` cells, the flip-flop that it begins with among them.
    """

    ns: Positive
    clock_to_output_ns: Positive
    setup_ns: float
    cells: Number

    @property
    def mhz(self) -> float:
        """The clock at which the path just fits."""
        return 1e3 / self.ns


class AreaProvenance(RowModel):
    """The origin of a row: `commands`, `netlists` (`netlist.structure`) and `keys` by form.

    A form is `flip-flops` or `macros`. `inputs_hash` is over the sources, the parameters and the
    commands.
    """

    top: str
    tools: dict[str, str]
    commands: dict[str, str]
    netlists: dict[str, str]
    parameters: Mapping[str, int | str | bool]
    source_hash: str
    inputs_hash: str
    liberty_sha256: str
    keys: dict[str, str]


class AreaRow(VariantRow):
    """One design on one library: all in cells, and with its `rams` as macros if it has some.

    The RAMs are not in the area of `macros`. `delay` is that of `flip_flops`; None with latches.
    """

    block_bits: Number
    clocks_per_block: Positive
    nand_um2: Positive
    flip_flops: CellArea
    macros: CellArea | None = None
    rams: list[Ram] = Field(default=[])
    delay: CellDelay | None = None
    provenance: AreaProvenance

    @property
    def ram_bits(self) -> int:
        """The size of all RAMs that are macros."""
        return sum(ram.bits for ram in self.rams)

    @property
    def gbps(self) -> float | None:
        """Throughput at the clock of the longest path; None without one."""
        if self.delay is None:
            return None
        return throughput_gbps(self.block_bits, self.delay.mhz, self.clocks_per_block)


def save(rows: Sequence[AreaRow], root: Path = ROOT) -> list[Path]:
    """Write the rows, a file for each design and target; return the files.

    Existing rows of other variants are kept.
    """
    return save_variants(AREA_PREFIX, rows, lambda row: row.variant, root)


def load(root: Path = ROOT) -> list[AreaRow]:
    """Read every results/area-*.json; `LabError` names a file without rows."""
    return load_prefixed(AREA_PREFIX, AreaRow, root)
