"""The elaborated top of a configuration: whether it is legal, its ports, its slots.

Verilator elaborates in a second or less, before anything is compiled or synthesised.
"""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hashfabric.base.cache import Cache, write_files
from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD, ROOT
from hashfabric.base.tools import VERILATOR, ToolError, ToolTimeout
from hashfabric.base.yosys import Port, value_text
from hashfabric.registry.designs import Variant, read_sources
from hashfabric.registry.sources import macros_in

ROOM, SLOT = "s_axis_room", "blk_slot_o"
"""The ports whose widths give the slots of a stream (docs/reference/stream.md) or engine."""

CONTEXTS = "Contexts"
"""The parameter of a peripheral that is the number of its contexts."""

SLOTS = ("Slots", "Depth", "NumStages")
"""Names of an engine's number of slots in parameter lists; without one, the registry has it."""

FATAL = re.compile(r"^%\w+-USERFATAL: (?:\S+?:\d+:\d+: )?(.*)", re.MULTILINE)
"""Verilator's line of what the RTL itself calls fatal: the reason is its group."""
_ERROR = re.compile(r"^%Error[\w-]*: (.*)", re.MULTILINE)
_RANGE = re.compile(r"(\d+):(\d+)")
_NUMBER = re.compile(r"\d+'s?([hbd])([0-9a-fA-F]+)")
_TIMEOUT_S = 600.0
_BASES = {"h": 16, "b": 2, "d": 10}


@dataclass(frozen=True)
class Elaborated:
    """A top with its parameters set: its ports in their order, values of its constants by name.

    A port with several dimensions has width 0. The constants are its parameters and local
    parameters that are integers. `modules` names all modules in it.
    """

    ports: Sequence[Port]
    constants: Mapping[str, int]
    modules: Sequence[str]

    @property
    def widths(self) -> dict[str, int]:
        """The width of each port by its name, in bits."""
        return {port.name: port.width for port in self.ports}


def elaborate(variant: Variant) -> Elaborated:
    """Elaborate the top of `variant`; `LabError` with the RTL's own reason if it is not legal."""
    texts = read_sources(variant, ROOT)
    args = ["--json-only", "--Mdir", "tree", "--prefix", "top", "-Wno-lint", "-Wno-style"]
    args += [f"+define+{macro}" for macro in macros_in(texts, variant.macros)]
    args += ["--top-module", variant.top]
    args += [f"-G{name}={value_text(value)}" for name, value in variant.parameters.items()]
    inputs = {"job": "elaborate", "args": args, "files": texts, "tool": VERILATOR.version()}

    def work(directory: Path) -> dict[str, Any]:
        write_files(directory, texts)
        log = directory / "verilator.log"
        try:
            VERILATOR.run([*args, *texts], cwd=directory, log=log.name, timeout_s=_TIMEOUT_S)
        except ToolTimeout:
            raise
        except ToolError as error:
            said = log.read_text(encoding="utf-8", errors="replace")
            if reason := FATAL.search(said) or _ERROR.search(said):
                raise ToolError(reason[1]) from error
            raise
        tree = json.loads((directory / "tree" / "top.tree.json").read_text(encoding="utf-8"))
        shutil.rmtree(directory / "tree")  # Megabytes, which are not needed any more.
        return asdict(_read(tree, variant.top))

    found = Cache(BUILD / "cache").run(inputs, work).result
    ports = [Port(**port) for port in found["ports"]]
    return Elaborated(ports, found["constants"], found["modules"])


def with_slots(variant: Variant) -> Variant:
    """Return `variant` with the slots that its parameters give; `LabError` if they are not legal.

    The registry's number stays where neither a port nor a constant gives it.
    """
    found = elaborate(variant)
    widths = found.widths
    if variant.kind == "stream" and ROOM in widths:
        return variant.model_copy(update={"slots": widths[ROOM]})
    if variant.kind == "peripheral" and CONTEXTS in found.constants:
        return variant.model_copy(update={"slots": found.constants[CONTEXTS]})
    named = [found.constants[name] for name in SLOTS if name in found.constants]
    if variant.kind != "engine" or SLOT not in widths or not named:
        return variant
    bits = max(1, (named[0] - 1).bit_length())
    if widths[SLOT] != bits:
        raise LabError(f"{variant.top}: {named[0]} slots, and {widths[SLOT]} bits of {SLOT}")
    return variant.model_copy(update={"slots": named[0]})


def _read(tree: Mapping[str, Any], name: str) -> Elaborated:
    top = next(module for module in tree["modulesp"] if module["origName"] == name)
    types = {each["addr"]: each for netlist in tree["miscsp"] for each in netlist.get("typesp", [])}
    ports: list[Port] = []
    constants: dict[str, int] = {}
    for one in top["stmtsp"]:
        if one["type"] != "VAR":
            continue
        if one["varType"] == "PORT":
            bits = _RANGE.fullmatch(types[one["dtypep"]].get("range") or "0:0")
            width = abs(int(bits[1]) - int(bits[2])) + 1 if bits else 0
            ports.append(Port(one["name"], one["direction"].lower(), width))
        elif one["varType"] in ("GPARAM", "LPARAM"):
            values = [value.get("name", "") for value in one.get("valuep", [])]
            if len(values) == 1 and (number := _NUMBER.fullmatch(values[0])):
                constants[one["name"]] = int(number[2], _BASES[number[1]])
    modules = dict.fromkeys(each["origName"] for each in tree["modulesp"])
    return Elaborated(ports, constants, list(modules))
