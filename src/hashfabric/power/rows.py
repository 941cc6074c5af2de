"""Rows of `hashfabric power`: one design at one duty, and everything needed to measure it again."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator

from hashfabric.base.paths import ROOT
from hashfabric.power.energy import Assumptions, Energy
from hashfabric.registry.results import (
    POWER_PREFIX,
    Count,
    Number,
    RowModel,
    VariantRow,
    load_prefixed,
    save_variants,
)

_Amount = Annotated[float, Field(ge=0, le=1e18)]
_Share = Annotated[float, Field(ge=0, le=1)]


class Toggles(RowModel):
    """Edges a clock cycle: of the registers' outputs, and of all nets but the clock's.

    `memory` counts bits of RAMs in LUTs, `slices` registers, results and cascades of DSP slices;
    these are not in the other figures, and None where there are none.

    Settled edges are at most one a net and clock cycle. `nets_with_glitches` has all, with the
    delays of the library, or on an FPGA with the same delay for all cells.
    """

    registers: _Amount
    nets: _Amount
    nets_with_glitches: _Amount
    memory: _Amount | None = None
    slices: _Amount | None = None
    slices_with_glitches: _Amount | None = None


class EstimateProvenance(RowModel):
    """Provenance of a row: `parameters` of `top` as simulated, `keys` of its jobs in the cache."""

    top: str
    tools: dict[str, str]
    commands: dict[str, str]
    parameters: Mapping[str, int | str | bool]
    source_hash: str
    netlist_source_hash: str
    liberty_sha256: str | None
    seed: int
    keys: dict[str, str]

    @field_validator("commands")
    @classmethod
    def _with_the_netlist(cls, commands: dict[str, str]) -> dict[str, str]:
        if "netlist" not in commands:
            raise ValueError("no command 'netlist'")
        return commands


class Estimate(RowModel):
    """Energy of standard cells: by cause in pJ a clock cycle, and a block and a bit if any.

    `settled` figures leave out glitches.
    """

    pj_per_clock: Energy
    total_pj_per_clock: _Amount
    settled_pj_per_clock: _Amount
    nj_per_block: _Amount | None
    settled_nj_per_block: _Amount | None
    pj_per_bit: _Amount | None
    assumptions: Assumptions
    voltage: float
    temperature: float


class PowerRow(VariantRow):
    """One design at one duty.

    Time is divided into intervals of `turn_clocks` clock cycles. `slot_turns` is the number of
    intervals times slots, and `duty` is `blocks` over `slot_turns`. `states_checked` counts the
    correct states of the same run. `energy` is for standard cells only. `gated_registers` have a
    gate in their clock.
    """

    slots: Number
    block_bits: Number
    duty: _Share
    blocks: Count
    slot_turns: Number
    turn_clocks: Number
    clocks: Number
    states_checked: Count
    cells: Number
    registers: Count
    gated_registers: Count
    toggles_per_clock: Toggles
    energy: Estimate | None
    provenance: EstimateProvenance

    def per_block(self, per_clock: float) -> float | None:
        """Return `per_clock` converted to one block; None without blocks."""
        return per_clock * self.clocks / self.blocks if self.blocks else None


def save(rows: Sequence[PowerRow], root: Path = ROOT) -> list[Path]:
    """Write the rows, a file for each design and target; return the files.

    Existing rows of other variants are kept.
    """
    return save_variants(POWER_PREFIX, rows, lambda row: (row.variant, row.duty), root)


def load(root: Path = ROOT) -> list[PowerRow]:
    """Read every results/power-*.json; `LabError` names a file without rows."""
    return load_prefixed(POWER_PREFIX, PowerRow, root)
