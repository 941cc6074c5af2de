"""What the cache holds, and how old or surplus jobs are removed beside running sessions.

Nothing is half-removed: an entry is renamed first, while no other session may add anything, and a
job that a session uses or works on stays (`Cache`).
"""

import fcntl
import math
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hashfabric.base.cache import Cache, locked, scratch_directory, use_byte, use_handle
from hashfabric.base.errors import LabError
from hashfabric.base.stopping import held

_KEY = re.compile(r"[0-9a-f]{64}")
_REST = re.compile(r"\.([0-9a-f]{16})[0-9a-f]*\.")  # scratch directories, and files half-written
_FAILED, _LOGS = "failed", re.compile(r"[0-9a-f]{16}")
_OWN = "0" * 16  # as the key of a job, so that another prune may remove what ours leaves

KINDS = {
    "finished": "finished jobs",
    "failed": "jobs that failed, with their logs",
    "rest": "being worked on, or left by a session that was killed",
}
"""What an entry of the cache may be."""

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_BYTES: dict[str, int] = {
    f"{letter}{binary}": base**power
    for power, letter in enumerate("KMGT", start=1)
    for binary, base in (("", 1000), ("i", 1024))
}


@dataclass(frozen=True)
class CacheEntry:
    """A job, or the remains of one: its `paths`, `size` in bytes, and when it was last used.

    `used` is in seconds since 1970, `kind` one of `KINDS`.
    """

    key: str
    kind: str
    paths: tuple[Path, ...]
    size: int
    used: float


@dataclass(frozen=True)
class Pruned:
    """The entries removed, those left, and those that stay only because they are in use."""

    removed: list[CacheEntry]
    left: list[CacheEntry]
    in_use: list[CacheEntry]


def seconds_of(text: str) -> float:
    """Return an age such as 30d in seconds; `LabError` on another form."""
    number, unit = _parts(text)
    if unit not in _SECONDS:
        raise LabError(
            f"--older-than {text or repr(text)}: must be a number and s, m, h, d or w, as in 30d"
        )
    return number * _SECONDS[unit]


def bytes_of(text: str) -> float:
    """Return a size such as 5G or 500MiB in bytes; `LabError` on another form."""
    number, unit = _parts(text.removesuffix("B"))
    if unit not in _BYTES:
        raise LabError(
            f"--max-size {text or repr(text)}: must be a number and {', '.join(_BYTES)}, as in 5G"
        )
    return number * _BYTES[unit]


def _parts(text: str) -> tuple[float, str]:
    match = re.fullmatch(r"(\d{1,15}(?:\.\d{1,6})?)([A-Za-z]+)", text, re.ASCII)
    return (float(match[1]), match[2]) if match else (0.0, "")


def size_text(size: float) -> str:
    """Return bytes for people."""
    power = min(int(math.log10(max(size, 1))) // 3, 4)
    return f"{size / 1000**power:.{int(power > 0)}f} {('B', 'kB', 'MB', 'GB', 'TB')[power]}"


def entries(cache: Cache) -> list[CacheEntry]:
    """Return what is in the cache, the least recently used first."""
    return sorted(_entries(cache.directory), key=lambda entry: (entry.used, entry.key))


def _entries(directory: Path) -> Iterator[CacheEntry]:
    if not directory.is_dir():
        return
    names = {path.name for path in directory.iterdir()}
    for name in names:
        path = directory / name
        if name.endswith(".json") and _KEY.fullmatch(name[:-5]):
            home = directory / name[:-5]
            yield _entry(name[:-5], "finished", path, *([home] if home.name in names else []))
        elif _KEY.fullmatch(name) and f"{name}.json" not in names:
            yield _entry(name, "rest", path)
        elif match := _REST.match(name):
            yield _entry(match[1], "rest", path)
    if (directory / _FAILED).is_dir():
        for path in (directory / _FAILED).iterdir():
            if rest := _REST.match(path.name):
                yield _entry(rest[1], "rest", path)
            elif _LOGS.fullmatch(path.name):
                yield _entry(path.name, "failed", path)


def _entry(key: str, kind: str, *paths: Path) -> CacheEntry:
    """Return an entry as it is now: another session may be at work on it."""
    size, used = 0, 0.0
    for path in paths:
        with suppress(FileNotFoundError):
            used = used or path.lstat().st_mtime
        files = [path] if not path.is_dir() else []
        for folder, _, names in os.walk(path):
            files += [Path(folder) / name for name in names]
        for file in files:
            with suppress(FileNotFoundError):
                size += file.lstat().st_size
    return CacheEntry(key, kind, paths, size, used)


def prune(cache: Cache, older_than: float | None, most: float | None) -> Pruned:
    """Remove jobs not used for `older_than` seconds, then the least recently used ones.

    The latter until at most `most` bytes are left. Remains of killed sessions go first. None: no
    such bound. A job that a session uses stays, whatever its age and size.
    """
    now = time.time()
    known = entries(cache)
    size = sum(entry.size for entry in known)
    removed: dict[CacheEntry, None] = {}
    in_use: dict[CacheEntry, None] = {}
    if not known:
        return Pruned([], [], [])
    cache.use(_OWN)
    with scratch_directory(cache.directory, _OWN) as trash:

        def throw_away(wanted: Callable[[CacheEntry], bool]) -> None:
            nonlocal size
            for entry in known:
                if entry in removed or entry in in_use or not wanted(entry):
                    continue
                if _remove(cache, entry, trash):
                    removed[entry] = None
                    size -= entry.size
                else:
                    in_use[entry] = None

        throw_away(lambda entry: entry.kind == "rest")
        if older_than is not None:
            throw_away(lambda entry: now - entry.used > older_than)
        if most is not None:
            throw_away(lambda _: size > most)
    left = [entry for entry in known if entry not in removed]
    return Pruned(list(removed), left, list(in_use))


def _remove(cache: Cache, entry: CacheEntry, trash: Path) -> bool:
    """Rename an entry away, its record first, and delete it; False where some session uses it."""
    handle, byte = use_handle(cache.directory), use_byte(entry.key)
    with locked(cache.directory):
        try:
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
        except (BlockingIOError, PermissionError):
            return False
        try:
            if _is_new(entry):
                return False
            with held():
                for index, path in enumerate(entry.paths):
                    with suppress(FileNotFoundError):
                        path.rename(trash / f"{index}")
        finally:
            fcntl.lockf(handle, fcntl.LOCK_UN, 1, byte)
    for path in trash.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return True


def _is_new(entry: CacheEntry) -> bool:
    """Return whether a session has used the job or made it again since the entry was read."""
    path = entry.paths[0]
    if entry.kind == "rest" and path.with_name(f"{path.name}.json").exists():
        return True
    try:
        return path.stat().st_mtime > entry.used
    except FileNotFoundError:
        return False
