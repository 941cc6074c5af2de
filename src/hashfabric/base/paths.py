"""Places: what the lab reads, and where it writes files that can be made again.

An installed package has a copy of the library's data inside; a checkout has the original.
"""

import os
from pathlib import Path

from platformdirs import user_cache_path

from hashfabric.base.errors import LabError

_PACKAGE = Path(__file__).resolve().parents[1]
_NAMED = os.environ.get("HASHFABRIC_ROOT")

IN_CHECKOUT = _PACKAGE.parent.name == "src" and (_PACKAGE.parents[1] / "designs").is_dir()
"""Whether this package lies in src/ of a checkout."""

HAS_CHECKOUT = bool(_NAMED) or IN_CHECKOUT
"""Whether `ROOT` is a checkout, and not the data inside an installed package."""

ROOT = Path(_NAMED or (_PACKAGE.parents[1] if IN_CHECKOUT else _PACKAGE / "data")).absolute()
"""What holds rtl/, designs/, papers/, peers/, targets/ and results/."""

VENDOR_MODELS = "rtl/prim/vendor/"
"""The place in a checkout of models of vendors' primitives: for simulation only."""

BUILD = Path(
    os.environ.get("HASHFABRIC_BUILD")
    or (ROOT / "build" if HAS_CHECKOUT else user_cache_path("hashfabric", appauthor=False))
).absolute()
"""Everything that can be made again; not in git."""


def require_checkout(command: str, *, to_write: bool = True) -> None:
    """Raise `LabError` where there is no checkout for `command`, or none that can be written."""
    if not HAS_CHECKOUT:
        raise LabError(
            f"{command}: works on a checkout, and this is an installed package: "
            "clone the repository and run 'make setup', or name a checkout in HASHFABRIC_ROOT"
        )
    written = ROOT / "results"
    if to_write and ROOT.is_dir() and not os.access(written if written.exists() else ROOT, os.W_OK):
        raise LabError(f"{command}: {ROOT}: cannot be written")
