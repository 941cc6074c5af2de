"""The port checkers that an export brings: assertions for a user's simulation, on by a macro."""

from pathlib import PurePosixPath

from hashfabric.export.configuration import Exported
from hashfabric.registry.sources import checked

CHECKERS = "rtl/checkers"
"""Where they are, in a checkout and in an export."""

CHECKED_BY = "HF_PORT_CHECKERS"
"""The macro that turns them on; without it their files are empty for every tool."""


def checkers(one: Exported) -> dict[str, str]:
    """Return the checkers of the modules of `one`, and their binds, by path in an export."""
    found = checked(one.sources)
    return {
        f"{CHECKERS}/{PurePosixPath(path).name}": f"`ifdef {CHECKED_BY}\n{text}`endif\n"
        for path, text in found.items()
        if path not in one.sources
    }
