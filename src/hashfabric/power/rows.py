"""Rows of the power step: what one design did at one duty, and everything to do it again."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from hashfabric.cache import write_atomically
from hashfabric.paths import ROOT
from hashfabric.power.energy import Assumptions, Energy
from hashfabric.results import POWER_PREFIX, load_list, rows_json


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Toggles(_Model):
    """Edges a clock: of the registers' outputs, and of all nets but the clock's.

    Settled edges are at most one a net and clock; `nets_with_glitches` has all, with the delays of
    the library, or on an FPGA with one and the same for all cells.
    """

    registers: float
    nets: float
    nets_with_glitches: float


class Provenance(_Model):
    """What a row came from. `parameters` are `top`'s as simulated; `keys` are its jobs."""

    top: str
    tools: dict[str, str]
    commands: dict[str, str]
    parameters: dict[str, int | str | bool]
    source_hash: str
    netlist_source_hash: str
    liberty_sha256: str | None
    seed: int
    keys: dict[str, str]


class Estimate(_Model):
    """Energy of a library's cells. By cause in pJ a clock; blocks and bits where there are any.

    `settled` figures leave out glitches.
    """

    pj_per_clock: Energy
    total_pj_per_clock: float
    settled_pj_per_clock: float
    nj_per_block: float | None
    settled_nj_per_block: float | None
    pj_per_bit: float | None
    assumptions: Assumptions
    voltage: float
    temperature: float


class PowerRow(_Model):
    """One design at one duty.

    `duty` is `blocks` of `slot_turns`, each `turn_clocks` long. `states_checked` left the same run
    and were right. `energy` is for libraries of cells only. `gated_registers` are behind a gate in
    the clock.
    """

    name: str
    variant: str
    target: str
    slots: int
    block_bits: int
    duty: float
    blocks: int
    slot_turns: int
    turn_clocks: int
    clocks: int
    states_checked: int
    cells: int
    registers: int
    gated_registers: int
    toggles_per_clock: Toggles
    energy: Estimate | None
    provenance: Provenance

    def per_block(self, per_clock: float) -> float | None:
        """Return what `per_clock` is a block; None when there was none."""
        return per_clock * self.clocks / self.blocks if self.blocks else None


def power_file(design: str, target: str, root: Path = ROOT) -> Path:
    """Return where the rows of `design` on `target` are kept."""
    return root / "results" / f"{POWER_PREFIX}{design}-{target}.json"


def save(rows: Sequence[PowerRow], root: Path = ROOT) -> list[Path]:
    """Write the rows, a file for each design and target; return the files.

    Rows that are there of other variants are kept.
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
