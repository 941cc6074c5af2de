"""A design as one file of plain Verilog-2005, for tools that do not read our SystemVerilog.

yosys elaborates the sources with their parameters and writes the design before any synthesis: the
hierarchy, memories, registers and word-wide expressions, with the names of the sources.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hashfabric.base.cache import Cache, write_files
from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD
from hashfabric.base.progress import step
from hashfabric.base.tools import YOSYS
from hashfabric.base.yosys import Port, parse_ports, read_command, run_script

_CELLS = Path(__file__).parent / "templates" / "plain_cells.v"
_SCRIPT = [
    "tee -q -o ports.txt portlist",
    "proc",
    "opt",
    # Output registers stay outside: in a memory they would be written with logic around it.
    "memory -nomap -nordff",
    # A memory of one word is no memory: tools warn of its index.
    "memory_map t:$mem_v2 r:SIZE=1 %i",
    "opt",
    "techmap -map plain_cells.v",
    # One driver a net: a vector with several may look like a loop although no bit is one.
    "clean -purge",
    "splitnets -driver",
    "clean -purge",
    "setattr -unset src -unset hdlname -unset full_case -unset parallel_case a:*",
    "setattr -unset unused_bits a:*",
    "setattr -mod -unset src -unset top -unset hdlname A:*",
    "write_verilog plain.v",
]
_MODULE = re.compile(
    r"^(?P<attributes>(?:\(\*[^\n]*\*\)\n)*)module (?P<name>\\\S+ |\w+)(?P<body>.*?^endmodule\n)",
    re.MULTILINE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\(\S+) ")


@dataclass(frozen=True)
class Plain:
    """The plain Verilog of a design: its text, the module's name and its ports in their order."""

    name: str
    text: str
    ports: list[Port]


def plain(
    top: str,
    sources: Mapping[str, str],
    parameters: Mapping[str, object],
    name: str | None = None,
    macros: Sequence[str] = (),
) -> Plain:
    """Return `top` with these parameters, which are fixed then, as one file of plain Verilog.

    `sources` are texts by path, each after what it uses, read with `macros` defined. The module
    is called `name`, else as in the sources; the modules below it have that name in front of
    theirs, so that several such files may be in one design. `LabError` where yosys refuses the
    design, as for illegal parameters.
    """
    name = name or top
    cells = _CELLS.read_text(encoding="utf-8")
    inputs: dict[str, Any] = {
        "job": "plain",
        "tools": {YOSYS.name: YOSYS.version()},
        "script": [read_command(top, list(sources), parameters, macros), *_SCRIPT],
        "files": dict(sources) | {"plain_cells.v": cells},
    }

    def work(directory: Path) -> dict[str, Any]:
        write_files(directory, inputs["files"])
        with step(f"plain Verilog of {top}: yosys elaborates it"):
            run_script(inputs["script"], directory, name="plain")
        ports = parse_ports((directory / "ports.txt").read_text(encoding="utf-8"))
        return {"ports": [asdict(port) for port in ports]}

    job = Cache(BUILD / "cache").run(inputs, work)
    text = (job.directory / "plain.v").read_text(encoding="utf-8")
    ports = [Port(**port) for port in job.result["ports"]]
    return Plain(name, _modules(text, top, name), ports)


def _modules(text: str, top: str, name: str) -> str:
    """Return the modules of yosys' `text`, called by plain names, the top last.

    yosys has a module for each instance. Equal ones are merged into one.
    """
    found = {_bare(match["name"]): match for match in _MODULE.finditer(text)}
    if top not in found:
        raise LabError(f"yosys: wrote no module {top}")
    users = {
        module: [used for used in _instances(match["body"]) if used in found]
        for module, match in found.items()
    }
    names: dict[str, str] = {}
    texts: dict[str, str] = {}
    counts: Counter[str] = Counter()

    def write(module: str) -> None:
        for used in users[module]:
            if used not in names:
                write(used)
        match = found[module]
        body = _plain_names(match["body"], names)
        base = module.partition("$")[0]
        key = f"{base} {match['attributes']}{body}"
        if module == top:
            names[module] = name
        elif key in texts:
            names[module] = texts[key]
            return
        else:
            counts[base] += 1
            number = f"_{counts[base]}" if counts[base] > 1 else ""
            names[module] = texts[key] = f"{name}__{base}{number}"
        written.append(f"{match['attributes']}module {names[module]}{body}")

    written: list[str] = []
    write(top)
    return "\n".join(written)


def _plain_names(body: str, modules: Mapping[str, str]) -> str:
    """Return a module's text with `modules` by their new names, and no escaped identifier."""
    taken = set(_WORD.findall(body))
    names: dict[str, str] = {}

    def rename(match: re.Match[str]) -> str:
        escaped = match[1]
        if escaped not in names:
            name = "_".join(_WORD.findall(escaped))
            while name in taken or not _IDENTIFIER.fullmatch(name):
                name = f"{name}_" if name in taken else f"n_{name}"
            taken.add(name)
            names[escaped] = name
        return f"{names[escaped]} "

    body = _INSTANCE.sub(
        lambda match: (
            match[0].replace(match[1], modules[_bare(match[1])], 1)
            if _bare(match[1]) in modules
            else match[0]
        ),
        body,
    )
    body = _ESCAPED.sub(rename, body)
    return _SPACE_BEFORE.sub(r"\1\2", body)


def _bare(name: str) -> str:
    return name.strip().lstrip("\\")


_WORD = re.compile(r"\w+")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_SPACE_BEFORE = re.compile(r"(\w) +([;,)\]\[])")
_INSTANCE = re.compile(r"^  (\\\S+|\w+) +(?:\\\S+|\w+) +\($", re.MULTILINE)


def _instances(body: str) -> list[str]:
    """Return the names at the places of module names in a module's text."""
    return [_bare(match[1]) for match in _INSTANCE.finditer(body)]
