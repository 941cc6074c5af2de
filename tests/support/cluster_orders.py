"""Jobs for the tests of a cluster, which its workers import; and a tool that has a version."""

import errno
import os
import time
from dataclasses import dataclass
from pathlib import Path

from hashfabric.base.cache import Cache, Job, Result
from hashfabric.base.errors import LabError
from hashfabric.base.tools import Tool

TOOL = Tool("fake", "fake-tool", ("--version",), r"(\S+)")
"""A shell script on each worker's PATH."""


@dataclass(frozen=True)
class Nap:
    """A job that takes some seconds, and until there is a file, if one is named.

    It notes its start in a file, and leaves two files.
    """

    name: str
    seconds: float
    log: Path
    until: Path | None = None

    def do(self, cache: Cache, scratch: Path) -> Job:
        """Do it with the worker's cache."""
        return cache.run({"job": "nap", "name": self.name}, self._work)

    def _work(self, directory: Path) -> Result:
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"{self.name} {os.environ['WORKER']}\n")
        if os.environ.get("DISK_IS_FULL"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(directory))
        time.sleep(self.seconds)
        while self.until is not None and not self.until.exists():
            time.sleep(0.1)
        (directory / "inner").mkdir()
        (directory / "inner" / "file").write_text(self.name, encoding="utf-8")
        (directory / "log").write_bytes(b"\0\xff")
        return {"name": self.name}


@dataclass(frozen=True)
class Fault:
    """A job that fails as a tool does."""

    def do(self, cache: Cache, scratch: Path) -> Job:
        """Fail."""
        raise LabError("yosys: see its log")
