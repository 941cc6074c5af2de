"""The directory of an export or a kit: what a later one may replace, and nothing half-written."""

from collections.abc import Collection, Mapping
from hashlib import sha256
from pathlib import Path, PurePosixPath

from pydantic import BaseModel

from hashfabric.base.cache import replace_files
from hashfabric.base.datafile import check_folder
from hashfabric.base.errors import LabError

MANIFEST = "hashfabric.json"
"""The origin of an export, and its files with their hashes: a later export may replace these."""


class _Manifest(BaseModel):
    """What a later export reads of a manifest."""

    files: dict[str, str]


def hashes(files: Mapping[str, str]) -> dict[str, str]:
    """Return the SHA-256 of each text, in hexadecimal, by its path in order."""
    return {path: sha256(text.encode()).hexdigest() for path, text in sorted(files.items())}


def replaceable(out: Path, manifest: str = MANIFEST) -> set[str]:
    """Return the files in `out` that its manifest names, and itself; none of a new directory.

    `LabError` where `out` has other files and no manifest, or where a file was changed.
    """
    file = out / manifest
    check_folder(out)
    if not file.exists():
        if out.exists() and any(out.iterdir()):
            raise LabError(
                f"{out}: is not empty, and holds no export to be replaced: "
                "a new or an empty directory is required"
            )
        return set()
    try:
        known = _Manifest.model_validate_json(file.read_bytes()).files
    except (OSError, ValueError) as error:
        raise LabError(f"{file}: was not written by an export") from error
    for path, digest in known.items():
        if path in ("", ".") or PurePosixPath(path).is_absolute() or ".." in Path(path).parts:
            raise LabError(f"{file}: was not written by an export")
        named = out / path
        if named.exists() and _hash_of(named) != digest:
            raise LabError(f"{named}: was changed since it was exported: nothing was written")
    return {*known, manifest}


def _hash_of(file: Path) -> str:
    try:
        return sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise LabError(f"{file}: {error.strerror}") from error


def write(found: Mapping[str, str], old: Collection[str], out: Path) -> list[Path]:
    """Put `found`, text by path, into `out` in place of its files `old`; return what was written.

    `LabError` where another file has the name of a new one: nothing is written then.
    """
    for path in found:
        if path not in old and (out / path).exists():
            raise LabError(f"{out / path}: exists and is not from an export: nothing was written")
    try:
        replace_files(out, found, old)
    except OSError as error:
        raise LabError(f"{out}: cannot be written: {error.strerror}") from error
    return [out / path for path in found]
