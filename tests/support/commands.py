"""The command line as a user runs it, for tests of its output and status."""

import os
import subprocess
import sys
from pathlib import Path

ENTRY = [sys.executable, "-m", "hashfabric"]


def run(root: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run `hashfabric` on the checkout at `root`."""
    return subprocess.run(
        [*ENTRY, *args],
        env={**os.environ, "HASHFABRIC_ROOT": str(root)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def fails(root: Path, *args: str) -> str:
    """Run what must fail; return the one line that is all it says, on standard error."""
    result = run(root, *args)
    assert result.returncode != 0
    assert result.stdout == ""
    assert result.stderr.startswith("hashfabric: ")
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr
