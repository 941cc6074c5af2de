"""SoCs that LiteX makes around an exported core, for tests: their bus is at the top's ports."""

import importlib
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litex.build.generic_platform import Pins
from litex.build.io import CRG
from litex.build.lattice import LatticePlatform
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import wishbone

from hashfabric.export.configuration import Exported, configuration
from hashfabric.export.formats import export

MODULE = "a_hash"
"""What the core is called: by its own name, `simulation` would bind checkers of its parameters."""


@dataclass(frozen=True)
class Soc:
    """An SoC: its Verilog by path, with that of the core; its registers' map, and header for C."""

    one: Exported
    files: dict[str, str]
    csr: Path
    header: str


def do_as_the_readme_says(core: Path, soc: Any, platform: Any) -> None:
    """Run the Python of the README in `core` as if it stood in the SoC's own text."""
    readme = (core / "README.md").read_text(encoding="utf-8")
    lines = "".join(re.findall(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL))
    sys.path.insert(0, str(core))
    sys.modules.pop(MODULE, None)  # another configuration has the same name
    importlib.invalidate_caches()
    try:
        exec(lines, {"self": soc, "platform": platform})  # noqa: S102 - what a README says
    finally:
        sys.path.pop(0)


def with_registers(folder: Path) -> Any:
    """Export the peripheral, and return an SoC of LiteX with it."""
    export(configuration("keccak-regs/wb", (), MODULE), "litex", folder / "core")
    platform = LatticePlatform("LFE5U-85F-6BG756C", [("clk", 0, Pins("A1"))], toolchain="trellis")
    soc: Any = SoCMini(platform, int(50e6))
    do_as_the_readme_says(folder / "core", soc, platform)
    return soc


def make(
    name: str, settings: tuple[str, ...], folder: Path, fault: tuple[str, str] | None = None
) -> Soc:
    """Export a core and let LiteX make an SoC with it, whose bus is at the top's ports.

    `fault` replaces a text of the exported module.
    """
    one = configuration(name, settings, MODULE)
    export(one, "litex", folder / "core")
    written = folder / "core" / f"{MODULE}.py"
    if fault is not None:
        text = written.read_text(encoding="utf-8")
        assert text.count(fault[0]) == 1
        written.write_text(text.replace(*fault), encoding="utf-8")
    bus = wishbone.Interface(data_width=32, adr_width=30, addressing="word")
    pins = [("clk", 0, Pins("A1")), ("rst", 0, Pins("A2")), *bus.get_ios("bus")]
    platform = LatticePlatform("LFE5U-85F-6BG756C", pins, toolchain="trellis")
    soc: Any = SoCMini(platform, int(50e6))
    soc.crg = CRG(platform.request("clk"), platform.request("rst"))
    soc.bus.add_master("host", bus)
    soc.comb += bus.connect_to_pads(platform.request("bus"), mode="slave")
    do_as_the_readme_says(folder / "core", soc, platform)
    out = folder / "soc"
    builder = Builder(soc, output_dir=out, compile_software=False, compile_gateware=False)
    builder.build(build_name="soc")
    made = (out / "gateware/soc.v").read_text(encoding="utf-8")
    files = {
        f"{MODULE}.v": (folder / "core" / f"{MODULE}.v").read_text(encoding="utf-8"),
        "soc.v": re.sub(r"^// .*(Date|on 20).*$", "", made, flags=re.M),  # it is compiled once
    }
    header = (out / "software/include/generated/csr.h").read_text(encoding="utf-8")
    return Soc(one, files, out / "csr.json", header)
