#!/usr/bin/env python3
"""An SoC with a processor that hashes: VexRiscv, RAM, UART, timer, and two peripherals.

They are the Keccak peripheral, and the unit for trees and chains of SLH-DSA.

For Lattice's ECP5 evaluation board, as litex-boards describes it, or (`--board none`) with clock,
reset and serial line as the top's ports, to simulate it. Writes the SoC and a C header of its
addresses into `--output-dir`. `--core` and `--chain` are the directories of the exported
peripherals, `--program` what the RAM holds at the start.
"""

import argparse
import importlib
import sys
from pathlib import Path

from litex.build.generic_platform import Pins, Subsignal
from litex.build.io import CRG
from litex.build.lattice import LatticeECP5Platform
from litex.gen import LiteXModule
from litex.soc.cores.clock import ECP5PLL
from litex.soc.integration import export
from litex.soc.integration.common import get_mem_data
from litex.soc.integration.soc_core import SoCCore
from migen import ClockDomain

CLOCK_HZ = 50_000_000
RAM = 0x4000_0000
RAM_BYTES = 0x2_0000
KECCAK = 0x9000_0000
CHAIN = 0x9001_0000
PORTS = [
    ("clk", 0, Pins("1")),
    ("rst", 0, Pins("1")),
    ("serial", 0, Subsignal("tx", Pins("1")), Subsignal("rx", Pins("1"))),
]


class Pll(LiteXModule):
    """The system's clock out of the board's 12 MHz."""

    def __init__(self, platform):
        """Take the board's clock and its reset button."""
        self.cd_sys = ClockDomain()
        self.pll = ECP5PLL()
        self.comb += self.pll.reset.eq(~platform.request("rst_n"))
        self.pll.register_clkin(platform.request("clk12"), 12e6)
        self.pll.create_clkout(self.cd_sys, CLOCK_HZ)


def platform_of(board):
    """Return a board's platform: `none` has bare ports."""
    if board == "none":
        return LatticeECP5Platform("LFE5UM5G-85F-8BG381C", PORTS, toolchain="trellis")
    from litex_boards.platforms import lattice_ecp5_evn  # noqa: PLC0415 - not needed without board

    return lattice_ecp5_evn.Platform(toolchain="trellis")


class SoC(SoCCore):
    """The program runs in the RAM, with its data; the peripherals are `keccak`, `chain`."""

    def __init__(self, platform, core, chain, program):
        """Take the modules that were exported with the two, and the words of the program."""
        super().__init__(
            platform,
            CLOCK_HZ,
            cpu_type="vexriscv",
            cpu_variant="standard",
            cpu_reset_address=RAM,
            integrated_sram_size=0,
            integrated_main_ram_size=RAM_BYTES,
            integrated_main_ram_init=program,
            bus_bursting=True,
            ident_version=False,
        )
        if hasattr(platform, "default_clk_name"):
            self.crg = Pll(platform)
        else:
            self.crg = CRG(platform.request("clk"), platform.request("rst"))
        self.keccak = core.HashRegisters(platform)
        self.keccak.connect(self, "keccak", KECCAK)
        self.chain = chain.HashRegisters(platform)
        self.chain.connect(self, "chain", CHAIN)


def header(soc):
    """Return a C header with the addresses of registers and memories, and the interrupts."""
    parts = [
        export.get_csr_header(
            regions=soc.csr_regions,
            constants=soc.constants,
            csr_base=soc.mem_regions["csr"].origin,
            with_access_functions=False,
        ),
        export.get_mem_header(soc.mem_regions),
        export.get_soc_header(soc.constants, with_access_functions=False),
    ]
    lines = "".join(parts).splitlines(keepends=True)
    return "".join(line for line in lines if " on 20" not in line)  # when it was made


def main():
    """Make the SoC."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--core", required=True)
    parser.add_argument("--module", default="hf_keccak_wb_dma")
    parser.add_argument("--chain", required=True)
    parser.add_argument("--program")
    parser.add_argument("--board", choices=["none", "ecp5_evn"], default="none")
    parser.add_argument("--name", default="hf_litex_soc")
    parser.add_argument("--output-dir", default="build/soc")
    parser.add_argument("--build", action="store_true")
    options = parser.parse_args()
    sys.path[:0] = [options.core, options.chain]
    core = importlib.import_module(options.module)
    chain = importlib.import_module("hf_keccak_chain_wb")
    program = (
        get_mem_data(options.program, data_width=32, endianness="little") if options.program else []
    )
    platform = platform_of(options.board)
    core.route_on_ecp5(platform)
    soc = SoC(platform, core, chain, program)
    # LiteX's Builder asks for the C library of its BIOS, which is not used here.
    soc.build(build_dir=options.output_dir, build_name=options.name, run=options.build)
    Path(options.output_dir, f"{options.name}.h").write_text(header(soc), encoding="utf-8")


if __name__ == "__main__":
    main()
