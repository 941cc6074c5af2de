"""Rows of `hashfabric power`: one design at one duty, and everything needed to measure it again."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator

from hashfabric.base.cache import write_atomically
from hashfabric.base.paths import ROOT
from hashfabric.power.energy import Assumptions, Energy
from hashfabric.registry.results import POWER_PREFIX, Count, Number, RowModel, load_list, rows_json

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


class PowerRow(RowModel):
    """One design at one duty.

    Time is divided into intervals of `turn_clocks` clock cycles. `slot_turns` is the number of
    intervals times slots, and `duty` is `blocks` over `slot_turns`. `states_checked` counts the
    correct states of the same run. `energy` is for standard cells only. `gated_registers` have a
    gate in their clock.
    """

    name: str
    variant: str
    target: str
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


def power_file(design: str, target: str, root: Path = ROOT) -> Path:
    """Return the file of the rows of `design` on `target`."""
    return root / "results" / f"{POWER_PREFIX}{design}-{target}.json"


def save(rows: Sequence[PowerRow], root: Path = ROOT) -> list[Path]:
    """Write the rows, a file for each design and target; return the files.

    Existing rows of other variants are kept.
    """
    files: dict[Path, list[PowerRow]] = {}
    for row in rows:
        files.setdefault(power_file(row.name, row.target, root), []).append(row)
    for path, new in files.items():
        fresh = {row.variant for row in new}
        kept = [
            row
            for row in (load_list(path, PowerRow) if path.exists() else [])
            if row.variant not in fresh
        ]
        every = sorted(kept + new, key=lambda row: (row.variant, row.duty))
        write_atomically(path, rows_json(every))
    return list(files)


def load(root: Path = ROOT) -> list[PowerRow]:
    """Read every results/power-*.json; `LabError` names a file without rows."""
    paths = sorted((root / "results").glob(f"{POWER_PREFIX}*.json"))
    return [row for path in paths for row in load_list(path, PowerRow)]
