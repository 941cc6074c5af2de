"""A design's files: the closure of the module and package names that its top uses.

A module or package is in the file of its name, so no list of files is needed. Third-party files are
named, and read from an installed Python package.
"""

import importlib.util
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from hashfabric.base.datafile import shown
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT, VENDOR_MODELS
from hashfabric.base.tools import PACKAGES, remedy

FOLDERS = ("rtl", "systems/rtl", "tests/checkers")
"""The folders of the RTL, and of modules that tests use around it or instead of it."""

BINDS = "rtl/checkers/hf_binds.sv"
"""The checkers of modules: `bind` statements of SystemVerilog."""

_BIND = re.compile(r"^bind\s+(\w+)\s+(\w+)[^;]*;\n", re.MULTILINE)
_NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\]|\\.)*"', re.DOTALL)
_SPACE = re.compile(r'("(?:[^"\\]|\\.)*")|(?://[^\n]*|/\*.*?\*/|\s)+', re.DOTALL)
_CHECKS = re.compile(r" ?`ifndef HF_NO_PARAMETER_CHECKS .*?`endif")
_NAME = re.compile(r"[A-Za-z_]\w*")
_IFDEF = re.compile(r"`(?:ifn?def|elsif)\s+(\w+)")


def index(root: Path = ROOT) -> dict[str, Path]:
    """Return every SystemVerilog file below `root`'s `FOLDERS` by the name of its content."""
    files: dict[str, Path] = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.sv")):
            if path.stem in files:
                both = f"{files[path.stem].relative_to(root)} and {path.relative_to(root)}"
                raise LabError(f"{both} hold the same name")
            files[path.stem] = path
    return files


def closure(top: str, root: Path = ROOT) -> dict[str, str]:
    """Return the text of each file that `top` needs, by its path in the checkout.

    A file comes after those that it uses. `LabError` where a file is missing or cannot be read, or
    where two use each other.
    """
    files = index(root)
    if top not in files:
        raise LabError(f"no file {top}.sv below {' or '.join(FOLDERS)}")
    found: dict[str, str] = {}
    _collect(top, files, root, found, [])
    return found


def without_models(files: Mapping[str, str]) -> dict[str, str]:
    """Return `files` without models of vendors' primitives: the files for a vendor's tool."""
    return {path: text for path, text in files.items() if not path.startswith(VENDOR_MODELS)}


def macros_in(files: Mapping[str, str], macros: Iterable[str]) -> list[str]:
    """Return those of `macros` that `files` test (`ifdef`); others do not change them."""
    tested = {name for text in files.values() for name in _IFDEF.findall(code(text))}
    return [macro for macro in macros if macro in tested]


def checked(files: Mapping[str, str], root: Path = ROOT) -> dict[str, str]:
    """Return `files` with the checkers that `BINDS` puts on their modules, for simulation."""
    modules = {Path(path).stem for path in files}
    binds, found = "", dict(files)
    for bind in _BIND.finditer((root / BINDS).read_text(encoding="utf-8")):
        if bind[1] in modules:
            binds += bind[0]
            found = closure(bind[2], root) | found
    return found | {BINDS: binds} if binds else found


def _collect(
    name: str, files: Mapping[str, Path], root: Path, found: dict[str, str], users: list[str]
) -> None:
    path = files[name].relative_to(root).as_posix()
    if path in found:
        return
    if name in users:
        raise LabError(f"{' uses '.join([*users[users.index(name) :], name])}: a circle")
    text = read_text(files[name])
    used = dict.fromkeys(_NAME.findall(code(text)))
    # Packages first: a parameter list may need them.
    for other in sorted(used.keys() & files.keys() - {name}, key=lambda n: (n[-4:] != "_pkg", n)):
        _collect(other, files, root, found, [*users, name])
    found[path] = text


def code(text: str) -> str:
    """Return SystemVerilog with blanks for its comments and strings; lines stay where they are."""
    return _NO_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def essence(text: str) -> str:
    """Return SystemVerilog without comments and checks of parameters, white space one space.

    At legal parameters a compiler gives the same result; strings stay as they are.
    """
    text = _SPACE.sub(lambda match: match[1] or " ", text)
    return _CHECKS.sub("", text).strip()


def read_text(path: Path) -> str:
    """Return the text of a source; `LabError` where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LabError(f"{shown(path)}: cannot be read") from error


def package_file(name: str) -> Path:
    """Return the path of the file `package:path`; `LabError` if the package is not installed."""
    package, _, path = name.partition(":")
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise LabError(f"no Python package '{package}': {remedy(PACKAGES.get(package, ''))}")
    return Path(spec.submodule_search_locations[0]) / path


def package_texts(names: Iterable[str]) -> dict[str, str]:
    """Return the text of each of these files by the package's name and the path in it."""
    return {name.replace(":", "/", 1): read_text(package_file(name)) for name in names}
