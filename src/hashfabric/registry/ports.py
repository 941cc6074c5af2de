"""The ports and the parameters of a module, as the header of its file declares them."""

import re
from dataclasses import dataclass
from pathlib import Path

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.registry.sources import index, read_text

_PORT = re.compile(r"^(?P<way>input|output|inout)\s+(?P<type>[^,]*?)\s*\b(?P<name>\w+)\s*,?$")
_PARAMETER = re.compile(
    r"^parameter\s+(?P<type>[^=]*?)\s*\b(?P<name>\w+)\s*=\s*(?P<default>.*?)\s*,?$"
)
_KIND = re.compile(r"\b(logic|wire|reg|var)\b|\s+")


@dataclass(frozen=True)
class DeclaredPort:
    """A port; `type` is '' for one bit, a range or the name of a type."""

    name: str
    direction: str
    type: str
    comment: str


@dataclass(frozen=True)
class DeclaredParameter:
    """A parameter that a user can set, with the text of its default."""

    name: str
    type: str
    default: str
    comment: str


@dataclass(frozen=True)
class Interface:
    """What a user of a module connects and sets; `summary` is the first paragraph of its file."""

    summary: str
    parameters: list[DeclaredParameter]
    ports: list[DeclaredPort]


def interface(module: str, root: Path = ROOT) -> Interface:
    """Read the header of the file of `module`; `LabError` if there is none."""
    files = index(root)
    if module not in files:
        raise LabError(f"no file {module}.sv")
    text = read_text(files[module])
    start = re.search(rf"^module\s+{module}\b", text, re.MULTILINE)
    if start is None:
        raise LabError(f"{files[module].name}: no module {module}")
    header = text[start.start() :].partition(");")[0]
    parameters: list[DeclaredParameter] = []
    ports: list[DeclaredPort] = []
    for line in header.splitlines():
        declared, _, said = line.partition("//")
        comment, declared = said.strip(), declared.strip()
        if found := _PARAMETER.match(declared):
            kind = found["type"]
            parameters.append(DeclaredParameter(found["name"], kind, found["default"], comment))
        elif found := _PORT.match(declared):
            kind = _KIND.sub("", found["type"])
            ports.append(DeclaredPort(found["name"], found["way"], kind, comment))
    return Interface(_summary(text[: start.start()]), parameters, ports)


def _summary(head: str) -> str:
    """Return the first paragraph of the comment at the top, without the licence."""
    lines = [line.removeprefix("//").strip() for line in head.splitlines()]
    paragraphs = "\n".join(line for line in lines if "SPDX-License" not in line).split("\n\n")
    return next((" ".join(part.split()) for part in paragraphs if part.strip()), "")
