"""Xilinx: yosys synth_xilinx counts only, and no clock: there is no open place and route."""

from collections.abc import Mapping
from typing import Literal

from hashfabric.flows.base import Use
from hashfabric.flows.mapped import MappedTarget
from hashfabric.netlist.circuit import Model
from hashfabric.netlist.xilinx import xilinx

# LUTs (six-input sites) by cell. Distributed RAM: UG474 and UG574, "LUTs used" of each primitive.
_LUTS = {f"LUT{n}": 1 for n in range(1, 7)} | {"INV": 1, "LUT6_2": 1}
_RAM_LUTS = {
    "RAM32X1S": 1,
    "RAM64X1S": 1,
    "RAM32X1D": 2,
    "RAM64X1D": 2,
    "RAM128X1S": 2,
    "RAM128X1D": 4,
    "RAM256X1S": 4,
    "RAM32M": 4,
    "RAM64M": 4,
    "RAM32M16": 8,
    "RAM64M8": 8,
    "SRL16E": 1,
    "SRLC16E": 1,
    "SRLC32E": 1,
}
_FFS = ("FDRE", "FDSE", "FDCE", "FDPE", "FDRE_1", "FDSE_1", "FDCE_1", "FDPE_1")


class XilinxTarget(MappedTarget):
    """A Xilinx family, for LUT, FF and DSP counts; a 36-kbit or an 18-kbit RAM is one BRAM."""

    flow: Literal["xilinx"]
    family: str

    @property
    def device_text(self) -> str:
        """The family; no device is chosen for counts."""
        return self.family

    @property
    def cell_model(self) -> Model:
        """What the cells do."""
        return xilinx

    def map_command(self) -> str:
        """Return the family's synthesis command."""
        return " ".join(["synth_xilinx", "-family", self.family, *self.synth_options])

    def use(self, cells: Mapping[str, int]) -> Use:
        """Return the use of a mapped netlist from its cell counts."""
        logic = sum(weight * cells.get(cell, 0) for cell, weight in _LUTS.items())
        ram = sum(weight * cells.get(cell, 0) for cell, weight in _RAM_LUTS.items())
        return Use(
            luts=logic + ram,
            ffs=sum(cells.get(cell, 0) for cell in _FFS),
            dsps=sum(n for cell, n in cells.items() if cell.startswith("DSP48")),
            brams=sum(n for cell, n in cells.items() if cell.startswith(("RAMB18", "RAMB36"))),
            detail={"logic": logic, "ram": ram},
        )
