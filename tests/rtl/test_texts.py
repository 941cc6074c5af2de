"""Mutants of slow tests are texts of the RTL that are replaced: the texts must still be there."""

import os
import subprocess
import sys

from hashfabric.base.paths import ROOT

PYTEST = (sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "slow")
NAMES = (
    *("mutant", "caught", "found", "alarm", "encodings", "no_wrong", "fails", "tree_stops"),
    *("refuse", "reads_ahead", "leaves_nothing", "are_apart", "seed_is_added"),
)
"""Parts of the names of tests that replace texts of the RTL."""


def test_texts_that_slow_tests_replace_are_there() -> None:
    """Each of these tests passes as far as its first model."""
    done = subprocess.run(
        [*PYTEST, "-k", " or ".join(NAMES), "tests/rtl"],
        cwd=ROOT,
        env=os.environ | {"HF_NO_MODELS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
