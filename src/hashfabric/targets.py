"""The targets: every FPGA is one TOML file in targets/; its `flow` names the tools."""

from pathlib import Path
from typing import Annotated

from pydantic import Field, RootModel

from hashfabric.datafile import load_toml, one_of, shown
from hashfabric.errors import LabError
from hashfabric.flows.base import Target
from hashfabric.flows.ecp5 import Ecp5Target
from hashfabric.flows.xilinx import XilinxTarget
from hashfabric.paths import ROOT


class _TargetFile(RootModel[Annotated[Ecp5Target | XilinxTarget, Field(discriminator="flow")]]):
    """A target file: its `flow` key says which model holds."""


def load_targets(root: Path = ROOT) -> dict[str, Target]:
    """Read every targets/*.toml below `root`, by name; `LabError` on the first fault."""
    targets: dict[str, Target] = {}
    for path in sorted((root / "targets").glob("*.toml")):
        target = load_toml(path, _TargetFile).root
        if target.name != path.stem:
            raise LabError(f"{shown(path)}: name: '{target.name}' is not the file's name")
        targets[target.name] = target
    return targets


def find_target(name: str, root: Path = ROOT) -> Target:
    """Return the target called `name`; `LabError` if there is none."""
    targets = load_targets(root)
    if name not in targets:
        raise one_of("target", name, list(targets))
    return targets[name]
