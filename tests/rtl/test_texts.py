"""Mutants of slow tests are texts of the RTL that are replaced: the texts must still be there."""

import os
import subprocess
import sys

from hashfabric.base.paths import ROOT

MUTANTS = "mutant or caught or found or alarm"
"""The names of tests that break the RTL."""


def test_texts_that_slow_tests_replace_are_there() -> None:
    """Each of these tests passes as far as its first model."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "slow", "-k", MUTANTS, "tests/rtl"],
        cwd=ROOT,
        env=os.environ | {"HF_NO_MODELS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
