"""Libraries compiled from C++ and loaded with ctypes."""

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hashfabric.base.cache import Cache
from hashfabric.base.datafile import shown
from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD
from hashfabric.base.progress import step
from hashfabric.base.tools import Tool

COMPILER = Tool("C++ compiler", "g++", ("--version",), r"(\S+)\n")

_FLAGS = ["-std=c++17", "-fPIC", "-shared", "-fvisibility=hidden", "-fno-gnu-unique"]


def compiled_library(
    source: Path, what: str, flags: Sequence[str], headers: Sequence[Path] = ()
) -> ctypes.CDLL:
    """Compile `source`, which includes `headers` by their names, and load it; once for each text.

    Progress says `what` is compiled.
    """
    texts = {path.name: path.read_text(encoding="utf-8") for path in (source, *headers)}
    library = source.with_suffix(".so").name
    args = [*_FLAGS, *flags, "-o", library, source.name]
    inputs = {"job": what, "compiler": COMPILER.version(), "args": args, "files": texts}

    def work(directory: Path) -> dict[str, Any]:
        for name, text in texts.items():
            (directory / name).write_text(text, encoding="utf-8")
        with step(f"{what}: compiling"):
            COMPILER.run(args, cwd=directory, log="compiler.log", timeout_s=300)
        return {}

    return open_library(Cache(BUILD / "cache").run(inputs, work).directory / library)


def open_library(path: Path) -> ctypes.CDLL:
    """Load the library at `path`; `LabError` with the reason if it cannot be loaded."""
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise LabError(f"{shown(path)}: cannot be loaded: {error}") from error
