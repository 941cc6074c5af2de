"""Lint of the RTL: Verilator's -Wall on every variant's top, Verible's rules on every file."""

import os
from functools import partial
from pathlib import Path

from hashfabric.base.paths import ROOT
from hashfabric.base.tools import VERIBLE_LINT, VERILATOR, output, pool
from hashfabric.base.yosys import value_text
from hashfabric.registry.designs import Variant, load_designs, source_paths

VERILATOR_RULES = ROOT / "tools" / "lint.vlt"
"""What Verilator is told not to complain of, each with its reason."""

VERIBLE_RULES = ROOT / "tools" / "verible.rules"
"""Verible's rules: what differs from all of them, each with its reason."""

VERIBLE_WAIVER = ROOT / "tools" / "verible.waiver"
"""Where a rule of Verible's does not hold, and why."""


def run(root: Path = ROOT) -> list[str]:
    """Return every complaint, one string each (all that Verilator says of a top is one)."""
    designs = load_designs(root).values()
    commands = [
        verilator_command(one, root) for design in designs for one in design.variants.values()
    ]
    with pool(os.cpu_count() or 1) as workers:
        told = list(workers.map(partial(_said, root=root), commands))
    problems = dict.fromkeys(said for said in told if said)
    files = sorted(str(path.relative_to(root)) for path in (root / "rtl").rglob("*.sv"))
    if files:
        said = _said([*verible_command(), *files], root)
        problems |= dict.fromkeys(said.splitlines())
    return list(problems)


def verilator_command(variant: Variant, root: Path = ROOT) -> list[str]:
    """Return the command that lints one variant's top."""
    overrides = [f"-G{name}={value_text(value)}" for name, value in variant.parameters.items()]
    options = ["--lint-only", "--quiet", "-Wall", "--top-module", variant.top, *overrides]
    files = [os.path.relpath(path, root) for path in source_paths(variant, root)]
    return [VERILATOR.path(), *options, str(VERILATOR_RULES), *files]


def verible_command() -> list[str]:
    """Return the command that lints files, without the files."""
    options = [f"--rules_config={VERIBLE_RULES}", f"--waiver_files={VERIBLE_WAIVER}"]
    return [VERIBLE_LINT.path(), "--ruleset=all", *options]


def _said(command: list[str], root: Path) -> str:
    """Run a linter: what it says when it fails, empty when it is content."""
    result = output(command, root)
    text = (result.stdout + result.stderr).strip()
    return (text or f"{Path(command[0]).name}: failed") if result.returncode != 0 else ""
