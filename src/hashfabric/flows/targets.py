"""The targets: each is one TOML file in targets/; its `flow` names the tools.

Designs are built for FPGAs; libraries of cells (`asic`) are only for `hashfabric power` and `area`.
"""

import functools
import operator
import pkgutil
from importlib import import_module
from pathlib import Path
from typing import Annotated

from pydantic import Field, RootModel

from hashfabric import flows
from hashfabric.base.datafile import load_toml, one_of, shown
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.flows.base import FLOWS, AnyTarget, Target


@functools.cache
def _target_file() -> type[RootModel[AnyTarget]]:
    """Return the model of a target's file: its `flow` key chooses the flow's model.

    Every module and package beside this one is imported first, so that flows register themselves.
    """
    for found in pkgutil.walk_packages(flows.__path__, f"{flows.__name__}."):
        import_module(found.name)
    union = functools.reduce(operator.or_, FLOWS.values())
    return RootModel[Annotated[union, Field(discriminator="flow")]]  # type: ignore[valid-type]


def load_all(root: Path = ROOT) -> dict[str, AnyTarget]:
    """Read every targets/*.toml below `root`, by name; `LabError` on the first fault."""
    targets: dict[str, AnyTarget] = {}
    for path in sorted((root / "targets").glob("*.toml")):
        target = load_toml(path, _target_file()).root
        if target.name != path.stem:
            raise LabError(f"{shown(path)}: name: '{target.name}' is not the file's name")
        targets[target.name] = target
    return targets


def load_targets(root: Path = ROOT) -> dict[str, Target]:
    """Return the targets that designs are built for, by name."""
    return {name: it for name, it in load_all(root).items() if isinstance(it, Target)}


def find_any(name: str, root: Path = ROOT) -> AnyTarget:
    """Return the target called `name`, an FPGA or a library; `LabError` if there is none."""
    targets = load_all(root)
    if name not in targets:
        raise one_of("target", name, list(targets))
    return targets[name]


def find_target(name: str, root: Path = ROOT) -> Target:
    """Return the target called `name` to build for; `LabError` if there is none."""
    targets = load_targets(root)
    if name not in targets:
        if name in load_all(root):
            use = "it is for 'hashfabric power' and 'hashfabric area'"
            raise LabError(f"target '{name}' is a library of cells: {use}")
        raise one_of("target", name, list(targets))
    return targets[name]
