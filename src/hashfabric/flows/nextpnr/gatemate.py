"""Cologne Chip GateMate: yosys synth_gatemate, nextpnr-himbaechel, gmpack."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from hashfabric.base.tools import Tool
from hashfabric.flows.base import Use
from hashfabric.flows.nextpnr.report import NextpnrReport
from hashfabric.flows.nextpnr.target import (
    HIMBAECHEL,
    OneRunTarget,
    UserFlow,
    begins,
    nextpnr,
    total,
)

NEXTPNR_GATEMATE = nextpnr("himbaechel-gatemate", "gatemate")
GMPACK = Tool("gmpack", "yowasp-gmpack", ("--help",), r"Version (\S+)", extra="gatemate")

# Halves of a logic element (CPE) by cell, as nextpnr packs them.
_LOGIC = {
    "CC_LUT1": 1,
    "CC_LUT2": 1,
    "CC_LUT3": 1,
    "CC_LUT4": 1,
    "CC_L2T4": 1,
    "CC_L2T5": 4,
    "CC_MX2": 1,
    "CC_MX4": 4,
}
_CARRY = {"CC_ADDF": 1}
_BRAMS = {"CC_BRAM_20K": 1, "CC_BRAM_40K": 2}


class GatemateTarget(OneRunTarget):
    """A GateMate device. LUTs are halves of its logic elements (CPE).

    A half is a tree of three two-input LUTs, not any function of four inputs; a tree of five inputs
    takes four halves. A block RAM has 20 kbit. Multipliers are logic.
    """

    flow: Literal["gatemate"]

    nextpnr: ClassVar[Tool] = NEXTPNR_GATEMATE
    packer: ClassVar[Tool] = GMPACK
    routed: ClassVar[str] = "routed.txt"
    bitstream: ClassVar[str] = "bitstream.bit"
    pads: ClassVar[str] = (
        "iopadmap -bits -inpad CC_IBUF Y:I -outpad CC_OBUF A:O "
        "-toutpad CC_TOBUF ~T:A:O -tinoutpad CC_IOBUF ~T:Y:A:IO"
    )

    @property
    def device_text(self) -> str:
        """The device as result rows name it."""
        return self.device

    def map_command(self) -> str:
        """Return the family's synthesis command; nextpnr requires trees of LUTs."""
        return " ".join(["synth_gatemate", "-luttree", "-noiopad", *self.synth_options])

    def use(self, cells: Mapping[str, int]) -> Use:
        """Return the use of a mapped netlist from its cell counts."""
        logic, carry = total(cells, _LOGIC), total(cells, _CARRY)
        return Use(
            luts=logic + carry,
            ffs=begins(cells, "CC_DFF", "CC_DLT"),
            dsps=0,
            brams=total(cells, _BRAMS),
            detail={"logic": logic, "carry": carry},
        )

    def device_args(self) -> Sequence[str]:
        """Return nextpnr's arguments that name the device and the output; it chooses the pins."""
        options = ["allow-unconstrained", f"out={self.routed}"]
        return ["--device", self.device, *(part for one in options for part in ("--vopt", one))]

    def routed_use(self, report: NextpnrReport, log: str, routed: str) -> Use:
        """Return the use, from the report."""
        used = report.used
        return Use(
            luts=used["CPE_LT"],
            ffs=used["CPE_FF"],
            dsps=0,
            brams=used["RAM_HALF"],
            detail={"halves": used["CPE_LT"]},
        )

    def user_flow(self) -> UserFlow:
        """Return how a script does the same to a user's design."""
        return UserFlow(
            family="GateMate",
            script="gatemate.sh",
            pins="my_board.ccf",
            settings={"DEVICE": self.device},
            nextpnr=HIMBAECHEL,
            place=['--device "$DEVICE"', '--vopt ccf="$PINS"', '--vopt out="$name.txt"'],
            pack=[self.packer.name, '--input "$name.txt"', '--bit "$name.bit"'],
            bitstream="bit",
            why={
                "-luttree": "nextpnr requires it: a logic element is a tree of LUTs",
                "-nomx8": "keeps eight-input multiplexers out",
            },
        )

    def pack_args(self) -> Sequence[str]:
        """Return gmpack's arguments."""
        return ["--input", self.routed, "--bit", self.bitstream]
