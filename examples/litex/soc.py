#!/usr/bin/env python3
"""An SoC with a hash core and no processor: a host reaches its registers over a serial line.

For the ULX3S with its ECP5-85F. Writes the SoC into `--output-dir`; with `--build`, yosys and
nextpnr make the bitstream. `--core` is the directory of the exported core.
"""

import argparse
import importlib
import sys

from litex.build.generic_platform import IOStandard, Pins, Subsignal
from litex.build.io import CRG
from litex.build.lattice import LatticeECP5Platform
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc_core import SoCMini

CLOCK_HZ = 25_000_000
IO = [
    ("clk25", 0, Pins("G2"), IOStandard("LVCMOS33")),
    ("serial", 0, Subsignal("tx", Pins("L4")), Subsignal("rx", Pins("M1")), IOStandard("LVCMOS33")),
]


class Platform(LatticeECP5Platform):
    """The board, as far as it is used here."""

    default_clk_name = "clk25"
    default_clk_period = 1e9 / CLOCK_HZ

    def __init__(self):
        """Take the toolchain of yosys and nextpnr."""
        super().__init__("LFE5U-85F-6BG381C", IO, toolchain="trellis")

    def do_finalize(self, fragment):
        """Pass the board's clock to nextpnr."""
        super().do_finalize(fragment)
        clock = self.lookup_request(self.default_clk_name, loose=True)
        self.add_period_constraint(clock, self.default_clk_period)


class SoC(SoCMini):
    """A serial bridge to the bus, and the core's registers on it as `hash`."""

    def __init__(self, core, baudrate):
        """Take the module that was exported with the core."""
        platform = Platform()
        core.route_on_ecp5(platform)
        super().__init__(platform, CLOCK_HZ, ident="SHA-3 over a serial line")
        self.crg = CRG(platform.request("clk25"))
        self.add_uartbone(baudrate=baudrate)
        self.hash = core.HashCSR(platform)


def main():
    """Make the SoC."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--core", required=True)
    parser.add_argument("--module", default="hf_keccak_iterative_axis")
    parser.add_argument("--baudrate", type=int, default=115200)
    parser.add_argument("--output-dir", default="build/soc")
    parser.add_argument("--build", action="store_true")
    options = parser.parse_args()
    sys.path.insert(0, options.core)
    soc = SoC(importlib.import_module(options.module), options.baudrate)
    builder = Builder(soc, output_dir=options.output_dir, compile_software=False)
    # Icarus does not get out of LiteX's usual form of combinational logic, for synthesis.
    builder.build(build_name="soc", run=options.build, regular_comb=options.build)


if __name__ == "__main__":
    main()
