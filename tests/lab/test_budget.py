"""The area of every measured row has a budget: a change of area is a decision, and seen in a diff.

`HF_RENEW=1 pytest tests/lab/test_budget.py` writes the rows' present area into the file.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from hashfabric.base.cache import Cache, write_atomically
from hashfabric.base.paths import ROOT
from hashfabric.base.progress import Steps
from hashfabric.flows.targets import find_target
from hashfabric.implement.build import Builder
from hashfabric.registry.designs import find_design
from hashfabric.registry.results import MeasuredRow, load_rows
from tests.support.sample_rows import row_for

FILE = ROOT / "tests" / "data" / "area_budget.json"
RENEW = "HF_RENEW=1 .venv/bin/pytest tests/lab/test_budget.py"

MARGIN = 0.01
"""Of a count: what a change elsewhere may shift in the mapper's choices."""

LEAST = 4
"""The same in cells, for small counts."""

Budget = dict[str, int]


def area(row: MeasuredRow) -> Budget:
    """The counts of a row that have a budget: of the top without the harness."""
    return {"luts": row.luts_core, "ffs": row.ffs_core, "dsps": row.dsps, "brams": row.brams}


def key(row: MeasuredRow) -> str:
    """The name of a row in the file."""
    return f"{row.name}/{row.variant} {row.target}"


def faults(budgets: Mapping[str, Budget], rows: list[MeasuredRow]) -> list[str]:
    """What is not within its budget, a line each; memories and DSP slices have no margin."""
    found = [f"{name}: has a budget and no row" for name in budgets.keys() - set(map(key, rows))]
    for row in rows:
        if key(row) not in budgets:
            found.append(f"{key(row)}: has a row and no budget")
            continue
        for what, budget in budgets[key(row)].items():
            now = area(row)[what]
            margin = max(MARGIN * budget, LEAST) if what in ("luts", "ffs") else 0
            if abs(now - budget) > margin:
                found.append(f"{key(row)}: {now:,} {what}, the budget is {budget:,}")
    return sorted(found)


def written(rows: list[MeasuredRow]) -> str:
    """The file for these rows, a line a row."""
    lines = {key(row): json.dumps(area(row)) for row in rows}
    return "{\n" + ",\n".join(f'  "{name}": {lines[name]}' for name in sorted(lines)) + "\n}\n"


def test_every_row_is_within_its_budget() -> None:
    """Else the change is no accident: the budget is renewed in the same commit."""
    rows = load_rows()
    if os.environ.get("HF_RENEW"):
        write_atomically(FILE, written(rows))
    budgets = json.loads(FILE.read_text(encoding="utf-8"))
    assert faults(budgets, rows) == [], f"if this is meant: {RENEW}"


def test_what_is_over_or_under_is_found(toy_root: Path) -> None:
    """In each count, in both directions; small shifts of LUTs and registers are within it."""
    row = row_for(toy_root)
    budgets = json.loads(written([row]))
    assert faults(budgets, [row]) == []
    for field, what, fine, wrong in (
        ("luts_core", "luts", (4400, 4488), (4399, 4489)),
        ("ffs_core", "ffs", (3300, 3366), (3299, 3367)),
        ("brams", "brams", (0,), (1,)),
        ("dsps", "dsps", (0,), (1,)),
    ):
        for now in fine:
            assert faults(budgets, [row.model_copy(update={field: now})]) == []
        for now in wrong:
            (said,) = faults(budgets, [row.model_copy(update={field: now})])
            assert said == f"toy/core ecp5-85k: {now:,} {what}, the budget is {area(row)[what]:,}"
    assert faults(budgets, []) == ["toy/core ecp5-85k: has a budget and no row"]
    assert faults({}, [row]) == ["toy/core ecp5-85k: has a row and no budget"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["keccak-tiny/core", "keccak-serial/core", "keccak-serial/stream"])
def test_the_present_rtl_is_within_it(name: str, tmp_path: Path) -> None:
    """Synthesised now, whatever the rows say."""
    design_name, _, variant = name.partition("/")
    design = find_design(design_name)
    with Steps(quiet=True) as steps:
        builder = Builder(design, find_target("ecp5-85k"), steps, Cache(tmp_path))
        use = builder.synthesise(variant, design.variant(variant)).core.result["use"]
    budget = json.loads(FILE.read_text(encoding="utf-8"))[f"{name} ecp5-85k"]
    for what in ("luts", "ffs"):
        assert abs(use[what] - budget[what]) <= max(MARGIN * budget[what], LEAST)
