"""Libraries compiled from C++ and loaded with ctypes."""

import ctypes
from pathlib import Path

from hashfabric.base.datafile import shown
from hashfabric.base.errors import LabError
from hashfabric.base.tools import Tool

COMPILER = Tool("C++ compiler", "g++", ("--version",), r"(\S+)\n")


def open_library(path: Path) -> ctypes.CDLL:
    """Load the library at `path`; `LabError` with the reason if it cannot be loaded."""
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise LabError(f"{shown(path)}: cannot be loaded: {error}") from error
