"""Gowin: yosys synth_gowin, nextpnr-himbaechel, gowin_pack."""

import json
import re
from collections import Counter
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

NEXTPNR_GOWIN = nextpnr("himbaechel-gowin", "gowin")
GOWIN_PACK = Tool("gowin_pack", "gowin_pack", distribution="apycula", extra="gowin")

# LUT4s by cell. A RAM of 16x4 bits is four of them.
_LOGIC = dict.fromkeys(("LUT1", "LUT2", "LUT3", "LUT4", "INV"), 1)
_CARRY = {"ALU": 1}
_RAM = {"RAM16SDP1": 4, "RAM16SDP2": 4, "RAM16SDP4": 4}
_BRAMS = ("SP", "SPX9", "SDPB", "SDPX9B", "DPB", "DPX9B", "pROM", "pROMX9")
_PASSING = "_passthrough_lut$"
_LUT_OF_RAM = re.compile(r"_LUT\d$")
_PINS = "pins.cst"


class GowinTarget(OneRunTarget):
    """A Gowin device. LUTs are LUT4s, a carry is one, a distributed RAM of 16x4 bits four.

    A LUT through which nextpnr passes a signal to a flip-flop is `through` and does not count. A
    block RAM has 18 kbit.
    """

    flow: Literal["gowin"]
    family: Literal["gw2a", "gw5a"]
    database: Literal["GW2A-18", "GW2A-18C", "GW5A-25A"]

    nextpnr: ClassVar[Tool] = NEXTPNR_GOWIN
    packer: ClassVar[Tool] = GOWIN_PACK
    routed: ClassVar[str] = "routed.json"
    bitstream: ClassVar[str] = "bitstream.fs"
    pins_file: ClassVar[str] = _PINS
    # Synthesis maps them in every module; without any, it maps the logic with more LUTs.
    pads: ClassVar[str] = (
        "techmap -map +/gowin/cells_sim.v t:IBUF t:OBUF; opt_clean; "
        "iopadmap -bits -inpad IBUF O:I -outpad OBUF I:O "
        "-toutpad TBUF ~OEN:I:O -tinoutpad IOBUF ~OEN:O:I:IO"
    )

    @property
    def device_text(self) -> str:
        """The device as result rows name it."""
        return self.device

    def map_command(self) -> str:
        """Return the family's synthesis command."""
        return " ".join(["synth_gowin", "-family", self.family, *self.synth_options])

    def use(self, cells: Mapping[str, int]) -> Use:
        """Return the use of a netlist from its cell counts."""
        logic, carry, ram = (total(cells, one) for one in (_LOGIC, _CARRY, _RAM))
        return Use(
            luts=logic + carry + ram,
            ffs=begins(cells, "DFF"),
            dsps=begins(cells, "MULT"),
            brams=total(cells, dict.fromkeys(_BRAMS, 1)),
            detail={"logic": logic, "carry": carry, "ram": ram},
        )

    @property
    def _shared(self) -> list[str]:
        """Return what nextpnr and the packer must agree on."""
        return ["sspi_as_gpio"] if self.family == "gw5a" else []

    def device_args(self) -> Sequence[str]:
        """Return nextpnr's arguments that name the device, its pins and the output."""
        options = [f"family={self.database}", f"cst={_PINS}", *self._shared]
        chosen = [part for option in options for part in ("--vopt", option)]
        return ["--device", self.device, *chosen, "--write", self.routed]

    def pin_lines(self, port: str, pin: str) -> Sequence[str]:
        """Return the line of a .cst file."""
        return [f'IO_LOC "{port}" {pin};']

    def routed_use(self, report: NextpnrReport, log: str, routed: str) -> Use:
        """Return the use; the routed netlist shows which LUTs only pass a signal."""
        [top] = json.loads(routed)["modules"].values()
        cells = {name: cell["type"] for name, cell in top["cells"].items()}
        # Nextpnr adds the LUTs of a RAM to the netlist beside it.
        rams = {name for name, kind in cells.items() if kind in _RAM}
        ram = {name for name in cells if _LUT_OF_RAM.sub("", name) in rams - {name}}
        through = {name for name in cells if name.endswith(_PASSING)}
        mapped = Counter(cells[name] for name in cells.keys() - ram - rams - through)
        use = self.use(mapped)
        return use.model_copy(
            update={
                "luts": use.luts + len(ram),
                "brams": report.used["BSRAM"],
                "detail": {**use.detail, "ram": len(ram), "through": len(through)},
            }
        )

    def user_flow(self) -> UserFlow:
        """Return how a script does the same to a user's design."""
        shared = [f"--vopt {option}" for option in self._shared]
        routed = '"$name.routed.json"'
        packed = [f"--{option}" for option in self._shared]
        return UserFlow(
            family="Gowin",
            script="gowin.sh",
            pins="my_board.cst",
            settings={"DEVICE": self.device},
            nextpnr=HIMBAECHEL,
            place=[
                '--device "$DEVICE"',
                f"--vopt family={self.database}",
                '--vopt cst="$PINS"',
                *shared,
                f"--write {routed}",
                "--timing-allow-fail",
            ],
            pack=[self.packer.name, *packed, f"-d {self.database}", '-o "$name.fs"', routed],
            bitstream="fs",
            why={
                "--timing-allow-fail": "nextpnr's check of hold times reports addresses of block "
                "RAM whose times it prints as met; look at the clock in its output",
                "-nowidelut": "with wide multiplexers a round takes nearly three times the LUTs",
                "-nolutram": "the open database of the device has no distributed RAM",
            },
        )

    def pack_args(self) -> Sequence[str]:
        """Return gowin_pack's arguments."""
        shared = [f"--{option}" for option in self._shared]
        return [*shared, "-d", self.database, "-o", self.bitstream, self.routed]
