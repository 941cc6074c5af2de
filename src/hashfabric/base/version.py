"""Which version this is: of a release its number, of a checkout between two the commit too."""

import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from hashfabric.base.errors import LabError
from hashfabric.base.paths import HAS_CHECKOUT, ROOT

_GIT_S = 10.0


def release() -> str:
    """Return the version's number; `LabError` where the package was copied, not installed."""
    try:
        return version("hashfabric")
    except PackageNotFoundError:
        raise LabError("hashfabric: this package was copied, not installed") from None


@cache
def full_version() -> str:
    """Return the number, and of a checkout that is no release the commit: 0.1.0+g5d3f29e.dirty.

    A checkout is a release where the commit has the tag `v` and the number, and no file differs
    from the commit. Without git, or in an installed package, it is the number.
    """
    number = release()
    if not HAS_CHECKOUT:
        return number
    tag = f"v{number}"
    said = _git("describe", "--tags", "--exact-match", "--match", tag, "--dirty=.dirty")
    if said == tag:
        return number
    commit = _git("describe", "--always", "--exclude=*", "--abbrev=7", "--dirty=.dirty")
    return f"{number}+g{commit}" if commit else number


def _git(*args: str) -> str:
    """Return what git prints of the checkout; '' where it fails or is not there."""
    if not (ROOT / ".git").exists():
        return ""
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), *args],
            capture_output=True,
            text=True,
            check=False,
            timeout=_GIT_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
