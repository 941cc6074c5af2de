"""A folder for who has Vivado: cores with their projects, one script that runs them all, one back.

We do not have the tool: the scripts are run in tests with a program that only leaves reports.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from hashfabric.base.errors import LabError
from hashfabric.export import folder, formats
from hashfabric.export.configuration import Exported
from hashfabric.export.templates import render

RUN, ADD, README = "run.sh", "add.sh", "README.md"
"""The files of a kit beside the projects."""

MARK = "kit.json"
"""The file that has the hashes of a kit's files: a later kit may replace these."""

_PART = re.compile(r"xc[0-9a-z]+(-[0-9a-z]+)*", re.IGNORECASE)
_FAMILIES = {"xc7": r"xc7", "xcup": r"xc(ku|vu|zu|k26|k24|u)\w*"}


def family_of(part: str) -> str | None:
    """Return the target that stands for the family of a part, None for another family.

    `LabError` for what is no part of Vivado's.
    """
    if not _PART.fullmatch(part):
        raise LabError(f"--part {part}: a part as Vivado names it, such as xc7k70tfbg484-1")
    found = (name for name, start in _FAMILIES.items() if re.match(start, part, re.IGNORECASE))
    return next(found, None)


def check_fits(one: Exported, part: str) -> None:
    """`LabError` where a core has primitives of another family than the part's."""
    family, targets = family_of(part), one.variant.targets
    if family is not None and targets is not None and family not in targets:
        name = f"{one.design.name}/{one.variant_name}"
        raise LabError(f"{name}: is for {', '.join(targets)}, and {part} is of {family}")


def check(cores: Sequence[Exported], part: str, out: Path) -> set[str]:
    """Return the files of the kit in `out`; `LabError` where none can be written."""
    names = [one.name for one in cores]
    for one in cores:
        check_fits(one, part)
        formats.check(one, "vivado")
        if names.count(one.name) > 1:
            raise LabError(f"{one.name}: is named twice")
    return folder.replaceable(out, MARK)


def write(cores: Sequence[Exported], part: str, period_ns: float, out: Path) -> list[Path]:
    """Write the kit of `cores` to `out`, which is new, empty or an earlier kit; return its files.

    `part` and `period_ns` are what the script takes if it is not called with others.
    """
    old = check(cores, part, out)
    values = {
        "cores": [(one.name, f"{one.design.name}/{one.variant_name}", one.title) for one in cores],
        "part": part,
        "period": f"{period_ns:g}",
        "add": ADD,
        "run": RUN,
    }
    found = {
        f"{one.name}/{path}": text
        for one in cores
        for path, text in formats.contents(one, "vivado").items()
    }
    found |= {
        RUN: render("kit_run.sh.j2", **values),
        ADD: render("kit_add.sh.j2", **values),
        README: render("kit_README.md.j2", **values),
    }
    found[MARK] = json.dumps({"files": folder.hashes(found)}, indent=2) + "\n"
    return folder.write(found, old, out)
