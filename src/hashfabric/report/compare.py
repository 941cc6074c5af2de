"""Two states of results/: the rows that came, went and moved, between commits or folders.

A clock has moved if neither state's median lies within the other's range over seeds. Counts have
no spread: any change is one, and so are clock cycles a block, which are measured in simulation.
Rows of other versions of the lab may have other fields: only those compared are read.
"""

import io
import json
import subprocess
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from hashfabric.base.datafile import first_fault, shown
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.text import markdown, number
from hashfabric.registry.results import Count, Positive, is_row_file

COUNTS = ("luts", "luts_core", "ffs", "ffs_core", "dsps", "brams", "clocks_per_block")
"""Figures without a spread, of which less is better."""

CLOCK = "fmax_mhz"
COLUMNS = ("Design", "Variant", "Target", "What", "Old", "New", "Change", "Now")
"""Headings of `table`."""


class _Compared(BaseModel):
    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


_Figure = Annotated[float, Field(ge=0, le=1e12)]
"""A count, or clock cycles."""


class Range(_Compared):
    """A clock over the `n` seeds that routed; the others are None where no seed did."""

    median: Positive | None
    min: Positive | None
    max: Positive | None
    n: Count

    @model_validator(mode="after")
    def _of_its_seeds(self) -> "Range":
        if any((clock is None) != (self.n == 0) for clock in (self.median, self.min, self.max)):
            raise ValueError("median, min and max are of the seeds that have a clock")
        return self

    def text(self) -> str:
        """Return median and range."""
        if self.median is None:
            return "not routed"
        spread = "n=1" if self.n == 1 else f"{self.min:.1f}–{self.max:.1f}, n={self.n}"
        return f"{self.median:.1f} ({spread})"

    def covers(self, mhz: float) -> bool:
        """Return whether a clock is within the range."""
        return self.min is not None and self.max is not None and self.min <= mhz <= self.max


class ComparedRow(_Compared):
    """What is compared of a measured row; a count is None in a version that had none."""

    name: str
    variant: str
    target: str
    fmax_mhz: Range | None = None
    luts: _Figure | None = None
    luts_core: _Figure | None = None
    ffs: _Figure | None = None
    ffs_core: _Figure | None = None
    dsps: _Figure | None = None
    brams: _Figure | None = None
    clocks_per_block: _Figure | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """What the same row has in both states."""
        return (self.name, self.variant, self.target)


_ROWS = TypeAdapter(list[ComparedRow])


@dataclass(frozen=True)
class Change:
    """One figure of a row that moved, or a row that came or went (`what` says which)."""

    key: tuple[str, str, str]
    what: str
    old: str = ""
    new: str = ""
    percent: float | None = None
    worse: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the change as the command prints it."""
        design, variant, target = self.key
        place = {"design": design, "variant": variant, "target": target, "what": self.what}
        return place | {
            "old": self.old,
            "new": self.new,
            "percent": self.percent,
            "worse": self.worse,
        }


CAME, WENT = "came", "went"


def changes(
    old: Mapping[tuple[str, str, str], ComparedRow],
    new: Mapping[tuple[str, str, str], ComparedRow],
    margin: float = 0.0,
) -> list[Change]:
    """Return what moved, row by row; counts only where they moved by more than `margin` percent."""
    found = []
    for key in sorted({*old, *new}):
        before, after = old.get(key), new.get(key)
        if before is None:
            found.append(Change(key, CAME))
        elif after is None:
            found.append(Change(key, WENT, worse=True))
        else:
            found += _clock(key, before.fmax_mhz, after.fmax_mhz)
            for name in COUNTS:
                found += _count(key, name, getattr(before, name), getattr(after, name), margin)
    return found


def _clock(key: tuple[str, str, str], old: Range | None, new: Range | None) -> list[Change]:
    before = None if old is None else old.median
    after = None if new is None else new.median
    was, now = ("–" if one is None else one.text() for one in (old, new))
    if old is None or new is None or before is None or after is None:
        same = (old is None) == (new is None) and before is None and after is None
        return [] if same else [Change(key, CLOCK, was, now, worse=after is None)]
    if before == after or new.covers(before) or old.covers(after):
        return []
    return [Change(key, CLOCK, was, now, 100 * (after - before) / before, worse=after < before)]


def _count(
    key: tuple[str, str, str], name: str, old: float | None, new: float | None, margin: float
) -> list[Change]:
    if old is None or new is None or abs(new - old) <= margin / 100 * old:
        return []
    percent = 100 * (new - old) / old if old else None
    digits = 2 if name == "clocks_per_block" else 0
    return [Change(key, name, number(old, digits), number(new, digits), percent, worse=new > old)]


def table(found: list[Change]) -> str:
    """Return the changes as a table in Markdown."""
    cells = [
        [
            *change.key,
            change.what,
            change.old,
            change.new,
            "" if change.percent is None else f"{change.percent:+.1f} %",
            "" if change.what in (CAME, WENT) else "worse" if change.worse else "better",
        ]
        for change in found
    ]
    return markdown(COLUMNS, cells, left=4)


def load(state: str, root: Path = ROOT) -> dict[tuple[str, str, str], ComparedRow]:
    """Return the rows of a folder of results, a checkout, or a commit of `root`, by their keys."""
    folder = Path(state)
    if folder.is_dir():
        inside = folder / "results"
        files = _of_folder(inside if inside.is_dir() else folder)
    else:
        files = _of_commit(state, root)
    if not files:
        raise LabError(f"{state}: no rows in it")
    rows: dict[tuple[str, str, str], ComparedRow] = {}
    for name, read in files.items():
        try:
            listed = json.loads(read())
            if not isinstance(listed, list):
                raise LabError(f"{state}: {name}: not a list of result rows")
            rows_of_file = _ROWS.validate_python(listed)
        except ValidationError as error:
            raise LabError(f"{state}: {name}: {first_fault(error)}") from error
        except (ValueError, RecursionError) as error:
            raise LabError(f"{state}: {name}: not a list of result rows") from error
        rows |= {row.key: row for row in rows_of_file}
    return rows


def _of_folder(folder: Path) -> dict[str, Callable[[], bytes]]:
    return {path.name: path.read_bytes for path in sorted(folder.glob("*.json")) if _is_row(path)}


def _is_row(path: Path) -> bool:
    return path.suffix == ".json" and is_row_file(path.name)


def _of_commit(name: str, root: Path) -> dict[str, Callable[[], bytes]]:
    """Return the files of rows in a commit, read by git."""
    if name.startswith("-"):
        raise LabError(f"{name}: no folder, and no commit of {shown(root)}")
    command = ["git", "-C", str(root), "archive", "--format=tar", f"{name}^{{commit}}", "results"]
    try:
        packed = subprocess.run(command, capture_output=True, check=False)
    except FileNotFoundError:
        raise LabError(f"{name}: no folder; git, which reads commits, is missing") from None
    if packed.returncode != 0:
        raise LabError(f"{name}: no folder, and no commit of {shown(root)} with results/")
    found: dict[str, Callable[[], bytes]] = {}
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        for member in archive.getmembers():
            path = Path(member.name)
            if member.isfile() and path.parent.name == "results" and _is_row(path):
                file = archive.extractfile(member)
                found[path.name] = partial(bytes, b"" if file is None else file.read())
    return found
