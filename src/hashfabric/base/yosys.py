"""Yosys: script text in, ports and cell counts out. No Tcl in YoWASP's build, so plain scripts."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hashfabric.base.cache import write_files
from hashfabric.base.errors import LabError
from hashfabric.base.paths import VENDOR_MODELS
from hashfabric.base.rtlil import merge_modules
from hashfabric.base.tools import YOSYS

TIMEOUT_S = 3600.0
"""Longest that one synthesis may take, seconds."""


@dataclass(frozen=True)
class Port:
    """One port of a synthesised module; `width` in bits."""

    name: str
    direction: str
    width: int


def read_command(
    top: str,
    sources: Sequence[str],
    parameters: Mapping[str, object],
    macros: Sequence[str] = (),
    options: Sequence[str] = (),
) -> str:
    """Return the script line that reads and elaborates `top`, these macros defined.

    `options` are further ones of yosys' read_slang.

    The hierarchy stays, so that modules which ask to be kept (copies of a register) are not merged.
    Only the ports are taken of the model of a vendor's primitive: it stays a black box.
    """
    overrides = [f"-G {name}={value_text(value)}" for name, value in parameters.items()]
    boxes = [
        f"--blackboxed-module {Path(source).stem}"
        for source in sources
        if source.startswith(VENDOR_MODELS)
    ]
    defines = [f"-D {macro}" for macro in macros]
    command = ["read_slang --threads 1 --keep-hierarchy", *options]
    return " ".join([*command, f"--top {top}", *defines, *boxes, *overrides, *sources])


def value_text(value: object) -> str:
    """Return a parameter value as SystemVerilog writes it."""
    if isinstance(value, bool):
        return "1'b1" if value else "1'b0"
    if isinstance(value, int):
        return str(value)
    return f'"{value}"'


def run_script(lines: Sequence[str], directory: Path, *, name: str) -> None:
    """Run the script `lines` in `directory`; leaves `name`.ys and `name`.log there."""
    (directory / f"{name}.ys").write_text("\n".join(lines) + "\n", encoding="utf-8")
    YOSYS.run(["-s", f"{name}.ys"], cwd=directory, log=f"{name}.log", timeout_s=TIMEOUT_S)


def read_merged(read: str, directory: Path) -> str:
    """Run the line `read` in `directory`; return one that reads the same, equal modules once."""
    dump = directory / "elaborated.il"
    run_script([read, f"write_rtlil {dump.name}"], directory, name="elaborate")
    dump.write_text(merge_modules(dump.read_text(encoding="utf-8")), encoding="utf-8")
    return f"read_rtlil {dump.name}"


@dataclass(frozen=True)
class Elaboration:
    """A design after elaboration: its ports, and the sha256 (hex) of its text.

    The same hash gives the same netlist. Comments, names of files and of parameters do not count;
    names of signals and of instances do.
    """

    ports: list[Port]
    digest: str


# Places in source files, and a counter of yosys.
_PLACES = re.compile(r"^\s*attribute \\(?:src|hdlname) .*\n|^#.*\n|^autoidx .*\n", re.MULTILINE)


def elaborate(read: str, files: Mapping[str, str], directory: Path) -> Elaboration:
    """Write `files` (text by path) into `directory`, and elaborate them by the line `read`."""
    write_files(directory, files)
    script = [read, "tee -q -o ports.txt portlist", "write_rtlil elaborated.il"]
    run_script(script, directory, name="elaborate")
    dump = directory / "elaborated.il"
    design = _PLACES.sub("", dump.read_text(encoding="utf-8"))
    dump.unlink()  # Up to 100 MB, and not read again.
    ports = parse_ports((directory / "ports.txt").read_text(encoding="utf-8"))
    return Elaboration(ports, hashlib.sha256(design.encode()).hexdigest())


_PORT_LINE = re.compile(r"^(input|output|inout) \[(\d+):(\d+)\] (\S+)$")


def parse_ports(text: str) -> list[Port]:
    """Parse what the `portlist` command prints."""
    ports = []
    for line in text.splitlines():
        if match := _PORT_LINE.match(line.strip()):
            direction, left, right, name = match.groups()
            ports.append(Port(name, direction, abs(int(left) - int(right)) + 1))
    if not ports:
        raise LabError("yosys: no ports in the output of portlist")
    return ports


def parse_cells(text: str) -> dict[str, int]:
    """Parse what `stat -json` prints into a count by cell type, over the whole design."""
    try:
        cells = json.loads(text)["design"]["num_cells_by_type"]
        return {str(kind): int(count) for kind, count in cells.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LabError("yosys: no cell counts in the output of stat -json") from error
