"""Targets whose netlists yosys maps: the part of a flow up to place and route."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, model_validator

from hashfabric.base import yosys
from hashfabric.base.cache import write_files
from hashfabric.base.tools import YOSYS, Tool
from hashfabric.flows.base import Profile, ProfileName, RtlSource, Synthesis, Target, Use
from hashfabric.netlist.structure import structure_hash

NETLIST = "netlist.json"
"""The netlist in a job's directory."""

FLATTEN = "setattr -mod -unset keep_hierarchy *; flatten; opt_clean"
"""Modules that were kept apart during synthesis, so that they are not merged, are flattened."""


def flatten_but(kept: str | None) -> str:
    """Return `FLATTEN`, without the module `kept`, which stays with its contents flattened."""
    if kept is None:
        return FLATTEN
    return FLATTEN.replace("; flatten", f"; setattr -mod -set keep_hierarchy 1 {kept}; flatten")


_MERGE = "modules that are the same, tables too, read once"

_SOURCE_PLACES = ("src", "module_src", "cell_src")


class MappedProfile(Profile):
    """Other options of a target for synthesis; `abc9_delay_ps_each` is times N, in a rule.

    An `abc9_delay_ps` of 0 leaves the target delay to yosys.
    """

    synth_options: list[str] | None = None
    abc9_delay_ps: Annotated[int, Field(ge=0)] | None = None
    abc9_delay_ps_each: Annotated[int, Field(gt=0)] | None = None
    abc9_script: str | None = None
    merge_modules: bool | None = None

    def overrides(self, number: int | None) -> dict[str, Any]:
        """Return the fields of the target that the profile gives, and their values."""
        given = super().overrides(number)
        each = given.pop("abc9_delay_ps_each", None)
        if "abc9_delay_ps" in given:
            given["abc9_delay_ps"] = given["abc9_delay_ps"] or None
        return given if each is None or number is None else given | {"abc9_delay_ps": each * number}


class MappedTarget(Target):
    """A target of a family that yosys maps to.

    `abc9_delay_ps` is the target delay of mapping, in ps, before it saves LUTs; `abc9_script` is
    its script, else yosys' own (its commands are ABC's, commas for blanks). With `merge_modules`
    modules that are the same are synthesised once.
    """

    netlist_edit: ClassVar[str] = ""
    """What `finish_netlist` does, as result rows give it; the text changes with the edit."""

    pads: ClassVar[str] = ""
    """The command that maps the pads of the flattened design, on families whose synthesis would
    give pads to modules that are kept apart too."""

    synth_options: list[str] = Field(default=[])
    abc9_delay_ps: Annotated[int, Field(gt=0)] | None = None
    abc9_script: str | None = None
    merge_modules: bool = False
    profiles: Mapping[ProfileName, MappedProfile] = Field(default={})

    @model_validator(mode="after")
    def _rules_have_a_number(self) -> Self:
        for name, profile in self.profiles.items():
            if profile.abc9_delay_ps_each is not None and not name.endswith("-N"):
                raise ValueError(f"profiles.{name}.abc9_delay_ps_each: only in a rule, NAME-N")
        return self

    @property
    def flatten_command(self) -> str:
        """The yosys commands that flatten the mapped design."""
        return FLATTEN

    def synth_command(self) -> str:
        """Return the yosys commands that map the design (without `-top` and `-json`)."""
        settings = []
        if self.abc9_delay_ps is not None:
            settings.append(f"scratchpad -set abc9.D {self.abc9_delay_ps}")
        if self.abc9_script is not None:
            settings.append(f'scratchpad -set abc9.script "+{self.abc9_script}"')
        return "; ".join([*settings, self.map_command()])

    def map_command(self) -> str:
        """Return the family's own synthesis command."""
        raise NotImplementedError

    def use(self, cells: Mapping[str, int]) -> Use:
        """Return the use of a mapped netlist from its cell counts."""
        raise NotImplementedError

    def finish_netlist(self, netlist: dict[str, Any], top: str) -> dict[str, int]:
        """Improve the netlist (write_json's) in place; return how its cell counts change."""
        return {}

    @property
    def tools(self) -> Sequence[Tool]:
        """Yosys."""
        return [YOSYS]

    def synth_text(self, top: str) -> str:
        """Return the synthesis command of `top` as result rows give it."""
        merging = _MERGE if self.merge_modules else ""
        synth = f"{self.synth_command()} -top {top}"
        steps = [merging, synth, self.flatten_command, self.pads, self.netlist_edit]
        return "; ".join(step for step in steps if step)

    def read_command(self, source: RtlSource) -> str:
        """Return the line of yosys' script that reads `source`."""
        return yosys.read_command(source.top, list(source.files), source.parameters, self.macros)

    def script(self, source: RtlSource) -> list[str]:
        """Return yosys' script for `source`."""
        return [
            self.read_command(source),
            "tee -q -o ports.txt portlist",
            f"{self.synth_command()} -top {source.top}",
            self.flatten_command,
            *([self.pads] if self.pads else []),
            "tee -q -o stat.json stat -json",
            f"write_json {NETLIST}",
        ]

    def elaborate(self, directory: Path, source: RtlSource) -> yosys.Elaboration:
        """Elaborate `source` with yosys."""
        return yosys.elaborate(self.read_command(source), source.files, directory)

    def synth_inputs(self, source: RtlSource) -> Mapping[str, Any]:
        """Return everything that the netlist of `source` depends on, for the cache."""
        merging = {"merge": _MERGE} if self.merge_modules else {}
        return {
            "yosys": YOSYS.version(),
            "script": self.script(source),
            "edit": self.netlist_edit,
            "files": dict(source.files),
            **merging,
        }

    def synthesise(self, directory: Path, source: RtlSource) -> Synthesis:
        """Run yosys; the netlist has no lines of files, so comments do not change it."""
        write_files(directory, source.files)
        read, *script = self.script(source)
        if self.merge_modules:
            read = yosys.read_merged(read, directory)
        yosys.run_script([read, *script], directory, name="synth")
        ports = yosys.parse_ports((directory / "ports.txt").read_text(encoding="utf-8"))
        cells = yosys.parse_cells((directory / "stat.json").read_text(encoding="utf-8"))
        netlist = json.loads((directory / NETLIST).read_text(encoding="utf-8"))
        for cell, change in self.finish_netlist(netlist, source.top).items():
            cells[cell] = cells.get(cell, 0) + change
        _drop_places(netlist)
        (directory / NETLIST).write_text(json.dumps(netlist), encoding="utf-8")
        return Synthesis(
            ports=ports,
            cells=cells,
            use=self.use(cells),
            structure=structure_hash(netlist, source.top),
            command=self.synth_text(source.top),
        )


def _drop_places(netlist: Mapping[str, Any]) -> None:
    """Remove from a netlist the places in the sources that its parts came from."""
    for module in netlist["modules"].values():
        groups = ("cells", "netnames", "memories")
        for part in [module, *(one for group in groups for one in module.get(group, {}).values())]:
            for name in _SOURCE_PLACES:
                part.get("attributes", {}).pop(name, None)
