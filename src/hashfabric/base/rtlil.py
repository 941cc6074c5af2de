"""Yosys' RTLIL text: equal modules are merged into one.

Read with its hierarchy, a design has a module for each instance, and a pipeline has hundreds that
keep a register from being merged. Synthesis and mapping would process each of them separately.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

_CELL = re.compile(r"^( *cell )(\S+)( .*)$")
_PLACE = re.compile(r"^ *attribute \\(?:src|hdlname) ")
# A name that yosys made up, with a number that differs between modules.
_PRIVATE = re.compile(r"(?<![\\\w$])\$[^\s\[\]{}\"]+")
# Quoted text is kept, except for the name of a memory.
_TEXT = re.compile(r"^(?! *parameter \\MEMID ).*\"")


@dataclass(frozen=True)
class _Module:
    name: str
    attributes: list[str]
    body: list[str]

    @property
    def source(self) -> str:
        """The module's name in the sources; yosys adds the instance's path."""
        return self.name.split("$")[0]


def merge_modules(text: str) -> str:
    """Return the RTLIL `text` of a design without modules that repeat another.

    Two modules are the same if they have the same name in the sources and differ in nothing but
    places in files and the names that yosys made up; so are the modules inside. Their instances
    become instances of the first.
    """
    rest, modules = _split(text)
    same = _Same({module.name: module for module in modules})
    first: dict[str, str] = {}  # the name of the first module, by its hash
    merged = {
        module.name: first.setdefault(same.says(module.name), module.name) for module in modules
    }
    lines = list(rest)
    for module in modules:
        if merged[module.name] != module.name:
            continue
        lines += [*module.attributes, f"module {module.name}"]
        for line in module.body:
            cell = _CELL.match(line)
            known = cell is not None and cell[2] in merged
            lines.append(f"{cell[1]}{merged[cell[2]]}{cell[3]}" if cell and known else line)
        lines.append("end")
    return "\n".join(lines) + "\n"


def _split(text: str) -> tuple[list[str], list[_Module]]:
    """Return the lines outside of modules, and the modules."""
    rest, modules = [], []
    attributes: list[str] = []
    module: _Module | None = None
    for line in text.splitlines():
        if module is not None:
            if line == "end":
                modules.append(module)
                module = None
            else:
                module.body.append(line)
        elif line.startswith("attribute "):
            attributes.append(line)
        elif line.startswith("module "):
            module = _Module(line.split()[1], attributes, [])
            attributes = []
        else:
            rest.append(line)
    return rest, modules


@dataclass
class _Same:
    """A hash of each of `modules`: equal where two are the same."""

    modules: dict[str, _Module]

    def __post_init__(self) -> None:
        self._found: dict[str, str] = {}

    def says(self, name: str) -> str:
        """Return the hash of the module's text and of the modules inside."""
        if name not in self._found:
            module = self.modules[name]
            lines = [module.source, *_without_places(module.attributes), *self._lines(module)]
            self._found[name] = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        return self._found[name]

    def _lines(self, module: _Module) -> Iterable[str]:
        numbers: dict[str, str] = {}

        def number(match: re.Match[str]) -> str:
            return numbers.setdefault(match[0], f"${len(numbers)}")

        for line in _without_places(module.body):
            cell = _CELL.match(line)
            if cell is None:
                yield line if _TEXT.match(line) else _PRIVATE.sub(number, line)
            else:
                kind = self.says(cell[2]) if cell[2] in self.modules else cell[2]
                yield f"cell {kind}{_PRIVATE.sub(number, cell[3])}"


def _without_places(lines: Iterable[str]) -> Iterable[str]:
    return (line for line in lines if not _PLACE.match(line))
