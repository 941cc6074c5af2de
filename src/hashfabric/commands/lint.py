"""Lint of the RTL: Verilator's -Wall on every variant's top, Verible's rules on every file.

And own rules on every file, for tools that read less of SystemVerilog than these two.
"""

import os
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from hashfabric.base.paths import ROOT, VENDOR_MODELS
from hashfabric.base.progress import step
from hashfabric.base.tools import VERIBLE_LINT, VERILATOR, output, pool, processors
from hashfabric.base.yosys import value_text
from hashfabric.registry.designs import Variant, load_designs, source_paths
from hashfabric.registry.sources import code, read_text

VERILATOR_RULES = ROOT / "tools" / "lint.vlt"
"""Warnings of Verilator that are switched off, each with its reason."""

VERIBLE_RULES = ROOT / "tools" / "verible.rules"
"""Verible's rules that differ from its default of all, each with its reason."""

GENERATED = ("rtl/regs/generated/", "systems/rtl/generated/")
"""Files that PeakRDL and LiteX write, in their style; Verilator reads them with the tops."""

VERIBLE_WAIVER = ROOT / "tools" / "verible.waiver"
"""Where a rule of Verible does not apply, and why."""

NO_CHECKS = "HF_NO_PARAMETER_CHECKS"
"""The macro that leaves the checks of parameters out, for tools without `$fatal` at elaboration."""

UNREAD = {
    r"'\{": "an assignment pattern: assign the members, or concatenate",
    r"\btypedef\b[^;{}]*\]\s*;": "an unpacked array type, which functions return: pack it",
    r"\b(?:parameter|localparam)\b[^=;]*\]\s*=": "an unpacked array parameter: pack it",
}
"""Syntax that some tools do not read (docs/use/tools.md) and that is easily avoided."""

_DIRECTIVE = re.compile(
    r"`(ifdef|ifndef|elsif|else|endif)\b[ \t]*(\w*)|\$(?:fatal|error|warning|info)\b"
)


def run(root: Path = ROOT) -> list[str]:
    """Return every complaint, one string each (all that Verilator says of a top is one)."""
    designs = load_designs(root).values()
    # Programs of a system share its hardware, which is linted once.
    commands = dict.fromkeys(
        tuple(verilator_command(one, root))
        for design in designs
        for one in design.variants.values()
    )
    with step(f"lint of {len(commands)} tops"), pool(processors()) as workers:
        told = list(workers.map(partial(_said, root=root), commands))
    problems = dict.fromkeys(said for said in told if said)
    found = sorted(
        str(path.relative_to(root))
        for folder in ("rtl", "systems/rtl")
        for path in (root / folder).rglob("*.sv")
    )
    files = [file for file in found if not file.startswith((VENDOR_MODELS, *GENERATED))]
    for file in files:
        problems |= dict.fromkeys(f"{file}:{said}" for said in unread(read_text(root / file)))
    if files:
        said = _said([*verible_command(), *files], root)
        problems |= dict.fromkeys(said.splitlines())
    return list(problems)


def unread(text: str) -> Iterator[str]:
    """Yield the syntax in a source that less capable tools do not read, each as `line: what`."""
    text = code(text)
    for pattern, what in UNREAD.items():
        for match in re.finditer(pattern, text):
            yield f"{text.count(chr(10), 0, match.start()) + 1}: {what}"
    open_directives: list[str] = []
    for match in _DIRECTIVE.finditer(text):
        if match[1] in ("elsif", "else", "endif"):
            open_directives = open_directives[:-1]
        if match[1] and match[1] != "endif":
            open_directives.append(f"{match[1]} {match[2]}")
        if not match[1] and f"ifndef {NO_CHECKS}" not in open_directives:
            line = text.count(chr(10), 0, match.start()) + 1
            yield f"{line}: {match[0]} outside of `ifndef {NO_CHECKS}"


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


def _said(command: Sequence[str], root: Path) -> str:
    """Run a linter; return its output if it fails, else an empty text."""
    result = output([*command], root)
    text = (result.stdout + result.stderr).strip()
    return (text or f"{Path(command[0]).name}: failed") if result.returncode != 0 else ""
