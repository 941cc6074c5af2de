"""Reading the data files (designs, targets): any fault becomes one line with file and field.

And checks of a place to write to, before any work is done.
"""

import functools
import os
import tomllib
from pathlib import Path, PurePosixPath
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError

from hashfabric.base.errors import LabError


class DataModel(BaseModel):
    """Base of everything read from a data file: unknown keys are faults, types are strict."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, populate_by_name=True, allow_inf_nan=False
    )


def _inside_the_checkout(path: str) -> str:
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or not pure.parts:
        raise ValueError("must be a path relative to the checkout")
    return path


RepoPath = Annotated[str, AfterValidator(_inside_the_checkout)]
"""A path relative to the checkout, with forward slashes."""

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$")]
"""A name for the command line: lower case, digits, `-` and `.`."""

M = TypeVar("M", bound=BaseModel)


def shown(path: Path) -> str:
    """Return `path` as messages show it: it can be opened from the current directory."""
    try:
        here = Path.cwd()
    except OSError:  # It was removed.
        return str(path)
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def check_folder(folder: Path) -> None:
    """`LabError` where `folder` can neither be written nor made.

    Called before the work whose outcome goes there.
    """
    place = folder.absolute()
    there = next(path for path in (place, *place.parents) if os.path.lexists(path))
    if not there.is_dir():
        raise LabError(f"{shown(there)}: is no directory")
    if not os.access(there, os.W_OK | os.X_OK):
        raise LabError(f"{shown(there)}: cannot be written")


def place_of(folder: Path) -> Path:
    """Return where a `folder` is that is made beside its place and then moved: not a link to it.

    `LabError` where it, or the folder around it, can neither be written nor made.
    """
    place = folder.resolve()
    check_folder(place)
    check_folder(place.parent)
    return place


def check_file(file: Path) -> None:
    """`LabError` where `file` cannot be written, as `check_folder`."""
    if file.is_dir():
        raise LabError(f"{shown(file)}: is a directory")
    check_folder(file.parent)


def first_fault(error: ValidationError) -> str:
    """Return the first fault of a pydantic error as `field: reason`, plus how many more."""
    faults = error.errors()
    field = ".".join(str(part) for part in faults[0]["loc"])
    reason = faults[0]["msg"].removeprefix("Value error, ")
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    text = f"{field}: {reason}{more}" if field else f"{reason}{more}"
    return " ".join(text.split())


def load_toml(path: Path, model: type[M]) -> M:
    """Read the TOML file at `path` as a `model`; `LabError` names the file and the field.

    A model is frozen, so that of a text that was read before may be returned again.
    """
    try:
        found: M = _parsed(path.read_text(encoding="utf-8"), model)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise LabError(f"{shown(path)}: cannot be read: {reason}") from error
    except tomllib.TOMLDecodeError as error:
        raise LabError(f"{shown(path)}: not valid TOML: {error}") from error
    except ValidationError as error:
        raise LabError(f"{shown(path)}: {first_fault(error)}") from error
    return found


@functools.lru_cache(maxsize=256)
def _parsed(text: str, model: type[M]) -> M:
    return model.model_validate(tomllib.loads(text))


def one_of(kind: str, name: str, known: list[str]) -> LabError:
    """Return the error for an unknown `name` of the given `kind`."""
    return LabError(f"unknown {kind} '{name}': one of {', '.join(known) or '(none)'}")
