"""Results by content: one job is one directory of artefacts and one JSON file that says it is done.

The key is the sha256 of everything that goes into a job. A job works in a scratch directory that
is renamed into place, and its JSON file is written last and renamed too: there is nothing
half-written, and two sessions may run the same job at once. Failures are never cached.

The JSON file has the sha256 of every artefact and one of itself. A job that does not agree with
them is damaged (a full disk, a power failure): it is removed and made again.

A session locks the jobs that it uses for as long as it runs, so that `base.pruning` leaves them.
The time of a JSON file is that of the job's last use.
"""

import errno
import fcntl
import hashlib
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hashfabric.base.datafile import shown
from hashfabric.base.errors import Hopeless, LabError
from hashfabric.base.full import is_full
from hashfabric.base.stopping import held

Result = dict[str, Any]


class DiskFull(Hopeless):
    """A job failed since there was no space left for its files."""


ABOUT = ("job", "flow", "command")
"""Those inputs of a job that its record keeps, where they are texts: what kind of job it was."""


@dataclass(frozen=True)
class Job:
    """A finished job: its `key`, the `directory` with its artefacts, and its `result`.

    `cached`: it was done before. `seconds` is the time that it took, `about` what it did
    (`ABOUT`); both are missing in records of older versions.
    """

    key: str
    directory: Path
    result: Result
    cached: bool
    seconds: float | None = None
    about: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Finished:
    """A job that was done elsewhere: its result, its files by their names, and its time there."""

    result: Result
    files: Mapping[str, bytes]
    seconds: float | None


def content_key(inputs: Mapping[str, Any]) -> str:
    """Return the sha256 (hex) of `inputs` as canonical JSON."""
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write `content` to `path` so that a reader sees the old file or the whole new one."""
    data = content.encode() if isinstance(content, str) else content
    path.parent.mkdir(parents=True, exist_ok=True)
    with held():
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            umask = os.umask(0)
            os.umask(umask)
            Path(name).chmod(0o666 & ~umask)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def write_files(directory: Path, files: Mapping[str, str] | Mapping[str, bytes]) -> None:
    """Write `files`, by path, below `directory`: the inputs of a job."""
    for path, content in files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            (directory / path).write_text(content, encoding="utf-8")
        else:
            (directory / path).write_bytes(content)


def replace_files(directory: Path, files: Mapping[str, str], old: Iterable[str] = ()) -> None:
    """Put `files`, text by path, into `directory`, and remove those of `old` that are not new.

    They are written elsewhere first: if that fails (`OSError`), the directory is unchanged.
    """
    made = [folder for folder in (directory, *directory.parents) if not folder.exists()]
    try:
        with scratch_directory(directory, "new") as scratch:
            write_files(scratch, files)
            with held():
                for path in files:
                    (directory / path).parent.mkdir(parents=True, exist_ok=True)
                    (scratch / path).replace(directory / path)
                for path in set(old) - files.keys():
                    _remove(directory / path, directory)
    except BaseException:
        for folder in made:
            with suppress(OSError):  # It is not empty.
                folder.rmdir()
        raise


def _remove(file: Path, directory: Path) -> None:
    """Remove a file, and the folders below `directory` that are empty then."""
    file.unlink(missing_ok=True)
    for folder in file.parents:
        if folder == directory or any(folder.iterdir()):
            return
        folder.rmdir()


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Make others that ask for this wait: one at a time changes `directory`, which is made."""
    directory.mkdir(parents=True, exist_ok=True)
    handle = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


class _Damage(Exception):
    """An entry of the cache is not as it was written; the text is the reason."""


class Cache:
    """The finished jobs below `directory`."""

    def __init__(self, directory: Path) -> None:
        """Use `directory`; it is made when first needed."""
        self.directory = directory

    def run(self, inputs: Mapping[str, Any], work: Callable[[Path], Result | Finished]) -> Job:
        """Return the job that `inputs` describe, doing `work(scratch directory)` if it is new.

        Files of work `Finished` elsewhere are put there, and its time is the job's. A damaged job
        is reported on standard error and done again. When `work` raises `LabError`, its files are
        kept under failed/, with the log, unless the disk is full.
        """
        key = content_key(inputs)
        self.use(key)
        if (job := self._finished(key)) is not None:
            with suppress(OSError):  # Of a cache that this user may only read.
                os.utime(self.directory / f"{key}.json")
            return job
        with scratch_directory(self.directory, key[:16]) as scratch:
            start = time.monotonic()
            try:
                done = work(scratch)
                if not isinstance(done, Finished):
                    done = Finished(done, {}, round(time.monotonic() - start, 3))
                write_files(scratch, done.files)
            except (LabError, OSError) as error:
                if is_full(error, scratch):
                    raise DiskFull(f"{shown(self.directory)}: no space left on device") from error
                if isinstance(error, OSError):
                    raise
                failed = self.directory / "failed" / key[:16]
                move_into_place(scratch, failed)
                old, new = (str(path.relative_to(self.directory)) for path in (scratch, failed))
                error.args = (str(error).replace(old, new),)
                raise
            about = {name: text for name in ABOUT if isinstance(text := inputs.get(name), str)}
            taken = {"seconds": done.seconds, "about": about}
            return self._put(key, scratch, done.result, taken)

    def records(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the key and the record of every job that says how long it took."""
        for path in sorted(self.directory.glob("*.json")):
            try:
                record = json.loads(path.read_bytes())
                known = isinstance(record["about"], dict) and isinstance(record["result"], dict)
                seconds = float(record["seconds"])
            except (OSError, ValueError, TypeError, KeyError, RecursionError):
                continue
            if known and seconds >= 0:
                yield path.stem, record

    def use(self, key: str) -> None:
        """Lock the job called `key` against others' pruning, until this process ends."""
        with suppress(OSError):  # Of a cache that this user may only read.
            fcntl.lockf(use_handle(self.directory), fcntl.LOCK_SH, 1, use_byte(key))

    def _read(self, key: str) -> Job | None:
        """Return the job called `key`, None if there is none; `_Damage` if it is not whole."""
        home = self.directory / key
        try:
            record = json.loads((self.directory / f"{key}.json").read_bytes())
            result, files = record["result"], record["files"]
            intact = record["seal"] == _seal(key, result, files)
        except FileNotFoundError:
            return None
        except NotADirectoryError:
            raise LabError(
                f"{shown(self.directory)}: is no directory (HASHFABRIC_BUILD names where it is)"
            ) from None
        except (ValueError, TypeError, KeyError, RecursionError, IsADirectoryError):
            intact = False
        if not intact:
            raise _Damage("its record is no record of a job")
        if not home.is_dir():
            raise _Damage("its directory is missing")
        for name, digest in files.items():
            try:
                found = _file_digest(home / name)
            except OSError:
                raise _Damage(f"{name} is missing") from None
            if found != digest:
                raise _Damage(f"{name} has changed")
        about = record.get("about")
        return Job(
            key, home, result, True, record.get("seconds"), about if isinstance(about, dict) else {}
        )

    def _finished(self, key: str) -> Job | None:
        """Return the job called `key` if it is there and whole; remove it if it is damaged."""
        with suppress(_Damage):
            return self._read(key)
        with locked(self.directory):
            try:
                return self._read(key)  # Another session may have made it again by now.
            except _Damage as damage:
                self._throw_away(key)
                text = f"{shown(self.directory / key[:16])}: {damage}: making it again"
        print(f"hashfabric: {text}", file=sys.stderr, flush=True)
        return None

    def _put(self, key: str, scratch: Path, result: Result, taken: Mapping[str, Any]) -> Job:
        """Move a finished job into its place, or take that of a session that was first."""
        result = json.loads(
            json.dumps(result)
        )  # As it will be read: keys that are integers, and tuples, change.
        paths = sorted(path for path in scratch.rglob("*") if path.is_file())
        files = {str(path.relative_to(scratch)): _file_digest(path) for path in paths}
        record = {"result": result, "files": files, "seal": _seal(key, result, files)}
        record |= taken
        with locked(self.directory), held():
            with suppress(_Damage):
                if (job := self._read(key)) is not None:
                    return job
            self._throw_away(key)
            scratch.rename(self.directory / key)
            try:
                write_atomically(self.directory / f"{key}.json", json.dumps(record, sort_keys=True))
            except OSError:
                (self.directory / key).rename(scratch)  # The scratch directory is removed.
                raise
        return Job(key, self.directory / key, result, cached=False, **taken)

    def _throw_away(self, key: str) -> None:
        """Remove the job called `key`, its record first."""
        with scratch_directory(self.directory, key[:16]) as rest:
            for name in (f"{key}.json", key):
                with suppress(FileNotFoundError):
                    (self.directory / name).rename(rest / name)


USES = ".uses"
"""In a cache: the file of which sessions lock a byte for every job that they use."""

_use_handles: dict[Path, int] = {}
_use_handles_lock = threading.Lock()


def use_handle(directory: Path) -> int:
    """Return this process' only handle of the locks of a cache.

    With several, closing one would release all locks of the process in that file.
    """
    with _use_handles_lock:
        if directory not in _use_handles:
            directory.mkdir(parents=True, exist_ok=True)
            _use_handles[directory] = os.open(directory / USES, os.O_RDWR | os.O_CREAT, 0o666)
        return _use_handles[directory]


def use_byte(key: str) -> int:
    """Return the byte that stands for a key; two keys with the same byte do no harm."""
    return int(key[:15], 16)


def _seal(key: str, result: Result, files: Mapping[str, str]) -> str:
    return content_key({"key": key, "result": result, "files": files})


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def scratch_directory(parent: Path, name: str) -> Iterator[Path]:
    """Make a private directory in `parent`, and remove it at the end."""
    parent.mkdir(parents=True, exist_ok=True)
    scratch = None
    try:
        with held():
            scratch = Path(tempfile.mkdtemp(prefix=f".{name}.", dir=parent))
        scratch.chmod(0o755)
        yield scratch
    finally:
        if scratch is not None:
            with held():
                shutil.rmtree(scratch, ignore_errors=True)


def move_into_place(source: Path, destination: Path) -> None:
    """Rename the directory `source` to `destination`, which it replaces."""
    with held(), scratch_directory(destination.parent, destination.name) as rest:
        with suppress(FileNotFoundError):
            destination.rename(rest / "old")
        try:
            source.rename(destination)
        except OSError as error:
            # Another session may have put its own there between the two lines.
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                with suppress(OSError):
                    (rest / "old").rename(destination)
                raise
