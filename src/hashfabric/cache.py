"""Results by content: one job is one directory of artefacts and one JSON file that says it is done.

The key is the sha256 of everything that goes into a job. A job works in a scratch directory that
is renamed into place, and its JSON file is written last and renamed too: there is nothing
half-written, and two sessions may run the same job at once. Failures are never cached.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hashfabric.errors import LabError

Result = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """A finished job: its `key`, the `directory` with its artefacts, and its `result`.

    `cached` tells that it had been done before.
    """

    key: str
    directory: Path
    result: Result
    cached: bool


def content_key(inputs: Mapping[str, Any]) -> str:
    """Return the sha256 (hex) of `inputs` as canonical JSON."""
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


def write_atomically(path: Path, text: str) -> None:
    """Write `text` to `path` so that a reader sees the old file or the whole new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


class Cache:
    """The finished jobs below `directory`."""

    def __init__(self, directory: Path) -> None:
        """Use `directory`; it is made when first needed."""
        self.directory = directory

    def run(self, inputs: Mapping[str, Any], work: Callable[[Path], Result]) -> Job:
        """Return the job that `inputs` describe, doing `work(scratch directory)` if it is new.

        When `work` raises `LabError` its files are kept under failed/ for the log to be read.
        """
        key = content_key(inputs)
        done = self.directory / f"{key}.json"
        home = self.directory / key
        if done.is_file() and home.is_dir():
            return Job(key, home, json.loads(done.read_text(encoding="utf-8")), cached=True)
        with scratch_directory(self.directory, key[:16]) as scratch:
            try:
                result = work(scratch)
            except LabError as error:
                failed = self.directory / "failed" / key[:16]
                move_into_place(scratch, failed)
                old, new = (str(path.relative_to(self.directory)) for path in (scratch, failed))
                raise type(error)(str(error).replace(old, new)) from error
            with suppress(OSError):  # another session did the same job: its files are whole too
                scratch.rename(home)
        write_atomically(done, json.dumps(result, sort_keys=True))
        return Job(key, home, result, cached=False)


@contextmanager
def scratch_directory(parent: Path, name: str) -> Iterator[Path]:
    """Make a directory of one's own in `parent`; what is left of it at the end is removed."""
    parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{name}.", dir=parent))
    scratch.chmod(0o755)
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def move_into_place(source: Path, destination: Path) -> None:
    """Rename the directory `source` to `destination`, which it replaces."""
    destination.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(destination, ignore_errors=True)
    try:
        source.rename(destination)
    except OSError:  # Another session put the same job there between the two lines.
        shutil.rmtree(source, ignore_errors=True)
