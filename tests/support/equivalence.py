"""Proofs by Yosys that two modules are equal, for the tests in formal/."""

import re
from collections.abc import Sequence
from pathlib import Path

from hashfabric.base.yosys import run_script


def prove_equal(
    directory: Path,
    gate: tuple[str, Sequence[str]],
    golden: tuple[str, Sequence[str]],
    *,
    bits: int,
) -> None:
    """Prove each of the `bits` outputs of two modules without registers equal, for all inputs.

    Each is its name and the script lines that make it. Raises `ToolError` where one is not proved.
    """
    (name, make), (gold_name, make_gold) = gate, golden
    script = [
        *make,
        "opt -full",
        "design -stash gate",
        *make_gold,
        "proc",
        "opt -full",
        f"design -import gate -as gate {name}",
        f"equiv_make {gold_name} gate equal",
        "hierarchy -top equal",
        "opt_clean",
        "equiv_simple",
        "equiv_status -assert equal",
    ]
    run_script(script, directory, name="prove")
    # A tool that ends early has proved nothing.
    log = (directory / "prove.log").read_text(encoding="utf-8")
    found = re.search(r"Of those cells (\d+) are proven and 0 are unproven", log)
    assert found is not None and int(found[1]) == bits, f"no proof in {directory / 'prove.log'}"
    assert "Equivalence successfully proven" in log
