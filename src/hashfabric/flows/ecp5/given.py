"""A custom netlist for ECP5: its checks, and the steps that suit it."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hashfabric.base.datafile import shown
from hashfabric.base.errors import LabError
from hashfabric.base.yosys import run_script
from hashfabric.flows.ecp5.blockram import absorb_output_registers
from hashfabric.flows.ecp5.placed import BEL
from hashfabric.flows.ecp5.spread import ratios
from hashfabric.flows.mapped import NETLIST, flatten_but
from hashfabric.netlist.structure import has_inside

RAM_PASSES = 2
"""Placements of a design with block RAM that only serve that RAM."""

_RAMS = ("DP16KD", "PDPW16KD")


@dataclass(frozen=True)
class GivenNetlist:
    """A netlist of `synth_ecp5 -json`: the design, its top, and a module to stamp, if any."""

    design: dict[str, Any]
    top: str
    unit: str | None = None

    @property
    def instances(self) -> int:
        """The number of instances of the unit."""
        return sum(cell["type"] == self.unit for cell in self.cells.values())

    @property
    def cells(self) -> Mapping[str, Any]:
        """The top's cells by name."""
        found: Mapping[str, Any] = self.design["modules"][self.top]["cells"]
        return found

    @cached_property
    def counts(self) -> Counter[str]:
        """The number of cells of each type in the top, those in instances of the unit included."""
        cells = Counter(cell["type"] for cell in self.cells.values())
        number = cells.pop(self.unit, 0) if self.unit is not None else 0
        if number:
            inside = self.design["modules"][self.unit]["cells"].values()
            for kind, count in Counter(cell["type"] for cell in inside).items():
                cells[kind] += number * count
        return cells

    @property
    def is_flat(self) -> bool:
        """Return whether no cell is a module with contents, but for the unit."""
        return not any(has_inside(self.design["modules"].get(kind, {})) for kind in self.counts)

    @property
    def ram_passes(self) -> int:
        """Placements that only serve its block RAM, which the placer puts into one row."""
        return RAM_PASSES if any(self.counts[ram] for ram in _RAMS) else 0

    @property
    def spreads(self) -> list[str | None]:
        """The ratios to stretch it by, in the order to try them until one fits; None: not."""
        luts = self.counts["LUT4"] + 2 * self.counts["CCU2C"]
        near = self.ram_passes > 0
        return [*ratios(luts, self.counts["TRELLIS_FF"], near=near), None]

    def text(self) -> str:
        """Return it as JSON, registers after its block RAM moved into that."""
        for name in (self.top, self.unit):
            if name is not None:
                absorb_output_registers(self.design, name)
        return json.dumps(self.design)


def read_netlist(path: Path, unit: str | None = None) -> GivenNetlist:
    """Read the netlist of yosys at `path`; `LabError` if it is no netlist for ECP5.

    With `unit`, also if it has no module of that name that is repeated.
    """
    name = shown(path)
    try:
        design = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LabError(f"{name}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise LabError(f"{name}: is no netlist of 'synth_ecp5 -json'") from error
    try:
        return _checked(design, unit)
    except LabError as error:
        raise LabError(f"{name}: {error}") from error
    except (AttributeError, KeyError, TypeError) as error:
        raise LabError(f"{name}: is no netlist of 'synth_ecp5 -json'") from error


def _checked(design: dict[str, Any], unit: str | None) -> GivenNetlist:
    """Return a design's text as a netlist; `LabError` if it cannot be placed."""
    inside = {name: module for name, module in design["modules"].items() if has_inside(module)}
    tops = [name for name, one in inside.items() if int(str(one["attributes"].get("top", "0")), 2)]
    if not tops and len(inside) == 1:
        tops = list(inside)
    if len(tops) != 1:
        raise LabError("has no top: synth_ecp5 -top names it")
    for module in inside.values():
        for cell in module["cells"].values():
            kind, attributes = cell["type"], cell.get("attributes", {})
            if kind.startswith("$") and kind not in inside and kind != "$scopeinfo":
                raise LabError(f"has a cell {kind}: it is not mapped for ECP5 (by synth_ecp5)")
            if BEL in attributes:
                raise LabError("is placed already: the netlist of yosys is required")
    if not inside[tops[0]]["cells"]:
        raise LabError("has no cells")
    if unit is not None and unit not in inside:
        names = ", ".join(sorted(inside.keys() - set(tops))) or "none"
        raise LabError(f"has no module {unit} to stamp (modules that were kept apart: {names})")
    return GivenNetlist(design, tops[0], unit)


def flatten(given: GivenNetlist, directory: Path) -> None:
    """Write it without hierarchy to `NETLIST` in `directory`, by yosys: names have their path.

    The unit stays a module.
    """
    whole = directory / "hierarchy.json"
    whole.write_text(json.dumps(given.design), encoding="utf-8")
    top = f"hierarchy -top {given.top}"
    script = [f"read_json {whole.name}", top, flatten_but(given.unit), f"write_json {NETLIST}"]
    run_script(script, directory, name="flatten")
    whole.unlink()
