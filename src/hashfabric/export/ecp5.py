"""Open tools on ECP5 in an export: the commands that route a design with the core."""

import ast
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

from hashfabric.export.configuration import Exported
from hashfabric.export.templates import render
from hashfabric.flows.ecp5 import placed, ramsites, spread
from hashfabric.flows.ecp5.flow import Ecp5Target
from hashfabric.flows.ecp5.given import RAM_PASSES
from hashfabric.flows.mapped import FLATTEN
from hashfabric.flows.targets import load_targets

SCRIPT = "ecp5.sh"
"""The commands, as a script for the shell."""

STEPS = "ecp5_steps.py"
"""The changes to the design between runs of nextpnr, as the lab makes them."""

OPTIONS: Mapping[str, Sequence[str]] = {
    "synth": ("-nowidelut",),
    "place": ("--placer", "static"),
}
"""Options of synth_ecp5 and nextpnr-ecp5 with which a core routes."""

PINS = 350
"""Pins of the largest package: a core with more ports needs a design around it."""

_STEPS: Mapping[str, object] = {
    "steps": STEPS,
    "passes": range(1, RAM_PASSES + 1),
    "rams": "type.: .(DP|PDPW)16KD",  # by the names in a netlist
    "multipliers": "type.: .MULT18X18D",  # whose timing nextpnr finds out when it packs
    "flatten": FLATTEN,
    **OPTIONS,
}

_KINDS = ("stream", "peripheral", "masked-peripheral")
_PRIMITIVES = {"DP16KD"}


def routes(one: Exported) -> bool:
    """Return whether `one` fits ECP5: a stream or a peripheral without another family's cells."""
    targets = [name for name, target in load_targets().items() if isinstance(target, Ecp5Target)]
    return (
        one.variant.kind in _KINDS
        and (one.target is None or one.target in targets)
        and any(one.variant.is_for(name) for name in targets)
        and set(one.primitives) <= _PRIMITIVES
    )


@dataclass(frozen=True)
class OpenFlow:
    """How open tools build an export: the commands with which yosys reads it, and the options."""

    one: Exported
    plain: bool  # yosys' own reader takes the plain Verilog, else slang the sources

    @property
    def read(self) -> str:
        """The commands of yosys that read the core, then `$SOURCES`; the core is in `$core`."""
        one = self.one
        if self.plain:
            return f"read_verilog $core/{one.module}.v $SOURCES"
        boxes = "".join(
            f"--blackboxed-module {name} $core/sim/{name}.sv " for name in one.primitives
        )
        return (
            "read_slang --threads 1 --keep-hierarchy --top $TOP "
            f"{boxes}-F $core/{one.name}.f $SOURCES"
        )

    def script(self) -> str:
        """Return the text of `SCRIPT`."""
        return self._render("ecp5.sh.j2")

    def steps(self) -> str:
        """Return the text of `STEPS`: the lab's own modules, put together."""
        texts = [_without_imports(module) for module in (placed, ramsites, spread)]
        names: dict[str, set[str]] = {"": {"copy", "json", "sys"}, "pathlib": {"Path"}}
        for _, imports in texts:
            for package, used in imports.items():
                names.setdefault(package, set()).update(used)
        lines = [f"import {name}" for name in sorted(names.pop(""))]
        lines += [
            f"from {package} import {', '.join(sorted(names[package]))}"
            for package in sorted(names)
        ]
        return render(
            "ecp5_steps.py.j2",
            header=self.one.header,
            imports="\n".join(lines),
            bodies=[body for body, _ in texts],
        )

    def section(self) -> str:
        """Return the section of the README (Markdown)."""
        return self._render("ecp5.md.j2").strip()

    def _render(self, template: str) -> str:
        return render(
            template,
            header=self.one.header,
            script=SCRIPT,
            read=self.read,
            plain=self.plain,
            **_STEPS,
        )


def _without_imports(module: ModuleType) -> tuple[str, dict[str, set[str]]]:
    """Return a module's text without docstring and imports, and its imports of Python by package.

    Packages imported as a whole are under "".
    """
    text = inspect.getsource(module)
    lines, used = text.splitlines(), dict[str, set[str]]()
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            package = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            if not package.startswith("hashfabric"):
                used.setdefault(package, set()).update(alias.name for alias in node.names)
        elif node.lineno > 1:
            continue
        for number in range(node.lineno - 1, node.end_lineno or node.lineno):
            lines[number] = ""
    return "\n".join(lines).strip(), used


def has_pins(one: Exported) -> bool:
    """Return whether the largest package has a pin for each port of the core."""
    return sum(port.width for port in one.ports) <= PINS


def in_fusesoc() -> str:
    """Return the text of a README on a FuseSoC core's options (Markdown)."""
    return render("ecp5_fusesoc.md.j2", script=SCRIPT, **OPTIONS).strip()


def litex_options(one: Exported) -> Mapping[str, object] | None:
    """Return the options of a LiteX module for the toolchain; None where it is not for ECP5."""
    return _STEPS if routes(one) else None


def in_litex(module: str) -> str:
    """Return the text of a README on a LiteX module's options (Markdown)."""
    return render("ecp5_litex.md.j2", module=module).strip()
