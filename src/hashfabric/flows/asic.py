"""Standard cells: yosys synth, dfflibmap and abc with a liberty. No place and route.

For power, and for area in gate equivalents.
"""

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from hashfabric.base.datafile import RepoPath, Slug
from hashfabric.base.errors import LabError
from hashfabric.base.paths import IN_CHECKOUT
from hashfabric.flows.base import AnyTarget
from hashfabric.netlist.liberty import Library
from hashfabric.registry.designs import Parameter

LIBERTY = "cells.lib"
"""Name of the liberty file in a job's directory."""

LATCHES = "latches.v"
"""Name of the map of latches there."""

PORTS = "ports.constr"
"""Name of what is assumed of ports there, for the buffers of `AsicTarget.script`."""

MACRO_WORDS = 64
"""Fewest words of a RAM that is a macro, where there are macros."""

_BUFFER_TABLE = 0b10

_Positive = Annotated[float, Field(gt=0, strict=False)]
_Number = Annotated[float, Field(ge=0, strict=False)]


class AsicTarget(AnyTarget):
    """A library of standard cells, with assumptions that its liberty does not give.

    For the assumptions see `power.energy`. `liberty` is searched for in the share directories of
    this Python and of the system; `package` is the Debian package that has it. `parameters` maps
    values of RTL parameters to others for this target: a clock gate has one form for FPGAs and one
    for standard cells.
    """

    flow: Literal["asic"]
    package: Slug
    liberty: RepoPath
    clock_mhz: _Positive
    wire_pf: _Number
    output_pf: _Number
    slew_ns: _Positive
    clock_slew_ns: _Positive
    parameters: dict[str, dict[str, Parameter]] = Field(default={})

    def liberty_path(self) -> Path:
        """Return the path of the liberty; `LabError` with the package to install."""
        shares = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
        for share in (Path(sys.prefix) / "share", *map(Path, shares.split(":"))):
            if (path := share / self.liberty).is_file():
                return path
        script = "run 'tools/liberty.sh', or " if IN_CHECKOUT else ""
        raise LabError(
            f"{self.name}: its liberty is not installed: "
            f"{script}install the Debian package {self.package}"
        )

    def own_parameters(self, parameters: Mapping[str, Parameter]) -> dict[str, Parameter]:
        """Return `parameters` with the values that this target replaces."""
        return {
            name: self.parameters.get(name, {}).get(str(value), value)
            for name, value in parameters.items()
        }

    def script(
        self, read: str, top: str, *, macros: bool = False, buffers: bool = False
    ) -> list[str]:
        """Return the yosys script from the command that reads the sources to netlist.json.

        With `macros` each RAM of `MACRO_WORDS` and more stays a cell of yosys (`$mem_v2`). All
        other memories are flip-flops and gates. With `buffers` abc adds buffers to nets of many
        loads and chooses the sizes of cells, for which it reads the file `PORTS`.
        """
        period_ps = round(1e6 / self.clock_mhz)
        ports = f"-constr {PORTS} " if buffers else ""
        synth = [f"synth -flatten -top {top}"]
        if macros:  # The same steps, but not all memories are mapped.
            synth = [
                f"{synth[0]} -run begin:fine",
                "opt -fast -full",
                "memory_map -rom-only",
                f"memory_map r:SIZE<{MACRO_WORDS}",
                "opt -undriven -fine; techmap; opt -fast; abc; opt -fast",
            ]
        return [
            f"read_liberty -lib {LIBERTY}",
            read,
            *synth,
            f"techmap -map {LATCHES}",
            f"dfflibmap -liberty {LIBERTY}",
            f"abc -liberty {LIBERTY} {ports}-D {period_ps}",
            # Copies that had to stay apart during synthesis need no hierarchy now.
            "setattr -mod -unset keep_hierarchy",
            f"flatten; opt_clean -purge; hierarchy -top {top}",
            f"tee -q -o stat.json stat -json -liberty {LIBERTY}",
            "write_json netlist.json",
        ]

    def ports_text(self, library: Library) -> str:
        """Return the text of `PORTS`: the smallest buffer drives what abc takes for inputs.

        They are the registers' outputs too. `LabError` if the library has no buffer.
        """
        buffers = [
            (cell.area, cell.name)
            for cell in library.cells.values()
            if cell.function(1) == _BUFFER_TABLE
        ]
        if not buffers:
            raise LabError(f"{library.name}: no buffer, which nets of many loads need")
        return f"set_driving_cell {min(buffers)[1]}\nset_load {1000 * self.output_pf:g}\n"


def memories_script(read: str, top: str) -> list[str]:
    """Return the yosys script that leaves the memories as cells in netlist.json, hierarchy kept."""
    return [
        read,
        f"hierarchy -top {top}; proc; memory -nomap; opt_clean",
        "tee -q -o stat.json stat -json",
        "write_json netlist.json",
    ]


def latch_map(library: Library) -> str:
    """Return the Verilog that maps yosys' latches to the library's, for `techmap`."""
    for cell in library.cells.values():
        storage = cell.storage
        if storage is None or storage.edge or storage.other:
            continue
        enable = storage.clock.strip("!'() ")
        outputs = [p.name for p in cell.pins.values() if p.output and p.function == storage.state]
        if not outputs or not {enable, storage.data} <= cell.pins.keys():
            continue
        low = bool(re.search(r"[!']", storage.clock))
        ports = f".{storage.data}(D), .{outputs[0]}(Q)"
        return "".join(
            _latch(
                f"$_DLATCH_{'N' if active_low else 'P'}_",
                f"{cell.name} _TECHMAP_REPLACE_ (.{enable}({{}}), {ports});",
                inverted=active_low != low,
            )
            for active_low in (False, True)
        )
    return ""  # Yosys' latches then stay and are reported as unmapped.


def _latch(name: str, instance: str, *, inverted: bool) -> str:
    inverter = "  wire e;\n  \\$_NOT_ invert (.A(E), .Y(e));\n" if inverted else ""
    body = instance.format("e" if inverted else "E")
    return f"module \\{name} (input E, input D, output Q);\n{inverter}  {body}\nendmodule\n"
