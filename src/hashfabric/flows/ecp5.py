"""Lattice ECP5: yosys synth_ecp5, nextpnr-ecp5, ecppack."""

import json
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from hashfabric.errors import LabError
from hashfabric.flows.base import Routed, RoutedTarget, Use
from hashfabric.tools import ECPPACK, NEXTPNR_ECP5, Tool

# LUT4 sites by cell. A carry cell takes two; a 16x4 RAM takes four and two more to write it.
_LUTS = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}


class Ecp5Target(RoutedTarget):
    """An ECP5 part. LUTs are LUT4 sites, carry and RAM included: what nothing else can use."""

    flow: Literal["ecp5"]
    device: Literal["12k", "25k", "45k", "85k", "um-25k", "um-45k", "um-85k"]
    package: str
    speed: Literal["6", "7", "8"]

    router: ClassVar[Tool] = NEXTPNR_ECP5
    packer: ClassVar[Tool] = ECPPACK
    bitstream: ClassVar[str] = "bitstream.bit"

    @property
    def device_text(self) -> str:
        """The device as result rows name it."""
        return f"ECP5-{self.device} {self.package} speed {self.speed}"

    def synth_command(self) -> str:
        """Return the yosys command that maps the design."""
        return " ".join(["synth_ecp5", *self.synth_options])

    def use(self, cells: Mapping[str, int]) -> Use:
        """Return the use of a mapped netlist from its cell counts."""
        luts = {cell: sites * cells.get(cell, 0) for cell, sites in _LUTS.items()}
        return Use(
            luts=sum(luts.values()),
            ffs=cells.get("TRELLIS_FF", 0),
            dsps=cells.get("MULT18X18D", 0),
            brams=cells.get("DP16KD", 0) + cells.get("PDPW16KD", 0),
            detail={
                "logic": luts["LUT4"],
                "carry": luts["CCU2C"],
                "ram": luts["TRELLIS_DPR16X4"],
            },
        )

    def pnr_args(self, seed: int) -> Sequence[str]:
        """Return the router's arguments; a missed `--freq` is a result here, not a failure."""
        return [
            f"--{self.device}",
            "--package",
            self.package,
            "--speed",
            self.speed,
            *self.pnr_options,
            "--lpf-allow-unconstrained",
            "--timing-allow-fail",
            "--seed",
            str(seed),
            "--json",
            "netlist.json",
            "--textcfg",
            "routed.config",
            "--report",
            "report.json",
        ]

    def parse_report(self, text: str) -> Routed:
        """Parse the router's JSON report; the slowest clock counts."""
        try:
            report = json.loads(text)
            used = {cell: int(site["used"]) for cell, site in report["utilization"].items()}
            fmax = min(float(clock["achieved"]) for clock in report["fmax"].values())
            return Routed(
                use=Use(
                    luts=used["TRELLIS_COMB"] + 2 * used["TRELLIS_RAMW"],
                    ffs=used["TRELLIS_FF"],
                    dsps=used["MULT18X18D"],
                    brams=used["DP16KD"],
                    detail={"comb": used["TRELLIS_COMB"], "ramw": 2 * used["TRELLIS_RAMW"]},
                ),
                fmax_mhz=round(fmax, 3),
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise LabError("nextpnr-ecp5: no clock or no utilisation in its report") from error

    def pack_args(self) -> Sequence[str]:
        """Return the packer's arguments."""
        return ["--input", "routed.config", "--bit", self.bitstream]
