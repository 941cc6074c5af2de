"""What every flow provides. A target is data; its class is the flow, which runs the tools.

A flow is a module in this folder with a subclass of `Target` whose field `flow` is a literal: the
name by which a target's file chooses it. No other registration is needed (`flows.targets`).
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self, get_args, get_origin

from pydantic import BaseModel, Field, PositiveInt

from hashfabric.base.datafile import DataModel, Slug
from hashfabric.base.errors import LabError
from hashfabric.base.tools import Tool
from hashfabric.base.yosys import Elaboration, Port
from hashfabric.netlist.circuit import Model


class Use(BaseModel):
    """What a netlist or a placed design uses, in the target's own units.

    `detail` splits `luts` by their use where the tool reports it.
    """

    luts: int
    ffs: int
    dsps: int
    brams: int
    detail: dict[str, int] = {}

    def times(self, count: int) -> "Use":
        """Return the use of `count` of these."""
        numbers = {name: count * number for name, number in self.detail.items()}
        return Use(
            luts=count * self.luts,
            ffs=count * self.ffs,
            dsps=count * self.dsps,
            brams=count * self.brams,
            detail=numbers,
        )


@dataclass(frozen=True)
class RtlSource:
    """The input of synthesis: files (text by path, each after what it uses), top, parameters."""

    files: Mapping[str, str]
    top: str
    parameters: Mapping[str, int | str | bool]


class Synthesis(BaseModel):
    """A mapped netlist: the top's ports, cells by type, their use, and the commands.

    `structure` is the netlist's hash without its names (`netlist.structure`).
    """

    ports: list[Port]
    cells: dict[str, int]
    use: Use
    structure: str
    command: str


class Routed(BaseModel):
    """One placed and routed seed: use, and the clock that its timing analysis allows (MHz)."""

    use: Use
    fmax_mhz: float


class Profile(DataModel):
    """Other options of a target, for the variants that name the profile; None: the target's own."""

    def overrides(self, number: int | None) -> dict[str, Any]:
        """Return the fields of the target that the profile gives, and their values.

        `number` is N where the profile is a rule.
        """
        return self.model_dump(exclude_unset=True)


ProfileName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*(-N)?$")]
"""A profile's name; with `-N` at its end a rule, for the names with any number in its place."""

FLOWS: dict[str, type["AnyTarget"]] = {}
"""Every flow by its name; a class registers itself when it is defined."""


class AnyTarget(DataModel):
    """What all targets have; a subclass with a literal `flow` is a flow."""

    name: Slug
    title: str

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Register the flow."""
        super().__pydantic_init_subclass__(**kwargs)
        flow = cls.model_fields.get("flow")
        if flow is not None and get_origin(flow.annotation) is Literal:
            [name] = get_args(flow.annotation)
            FLOWS[name] = cls


class Target(AnyTarget, ABC):
    """A target that can be synthesised for; `lut` names the kind of its LUTs.

    A variant may name one of the `profiles`, which changes the target for it. A profile whose name
    ends in `-N` is a rule; a profile for one of its numbers adds to it. Without `every_design`,
    `bench` for all targets only renews the rows that the target has: it is measured by name.
    `logic_cells` is how many LUTs with a register the device has, at most.
    """

    macros: ClassVar[Sequence[str]] = ()
    """Macros under which the RTL takes primitives of the family."""

    lut: str
    every_design: bool = True
    logic_cells: PositiveInt | None = None
    profiles: Mapping[ProfileName, Profile] = Field(default={})

    def has_profile(self, name: str) -> bool:
        """Return whether there is a profile of this name, or a rule for it."""
        return name in self.profiles or _rule(name)[0] in self.profiles

    def with_profile(self, name: str | None) -> Self:
        """Return the target for variants that name the profile `name`.

        The target itself, if only another target has that profile.
        """
        if name is None:
            return self
        rule, number = _rule(name)
        changed: dict[str, Any] = {}
        for profile in (self.profiles.get(rule), self.profiles.get(name)):
            if profile is not None:
                changed |= profile.overrides(number)
        return self.model_copy(update=changed)

    def with_copies(self, count: int) -> Self:
        """Return the target for `count` copies of a design side by side: only counts add up."""
        return self

    @property
    @abstractmethod
    def device_text(self) -> str:
        """The device as result rows name it."""

    @property
    @abstractmethod
    def tools(self) -> Sequence[Tool]:
        """The tools that it needs; result rows give their versions."""

    @property
    def cell_model(self) -> Model | None:
        """The behaviour of its cells, for gate-level simulation; None if not modelled."""
        return None

    def elaborate(self, directory: Path, source: RtlSource) -> Elaboration | None:
        """Elaborate `source`, which takes seconds; None where the flow has no such step."""
        return None

    @abstractmethod
    def synth_text(self, top: str) -> str:
        """Return the synthesis command of `top` as result rows give it."""

    @abstractmethod
    def synth_inputs(self, source: RtlSource) -> Mapping[str, Any]:
        """Return everything that the netlist of `source` depends on, for the cache."""

    @abstractmethod
    def synthesise(self, directory: Path, source: RtlSource) -> Synthesis:
        """Synthesise `source`; leaves `netlist.json` (yosys' write_json) in `directory`.

        It is flat, but for a module that the flow places and routes once.
        """


class RoutedTarget(Target):
    """A target with open place and route. `seeds` is the number of seeds by default."""

    bitstream: ClassVar[str]

    seeds: Annotated[int, Field(ge=1)] = 5
    pnr_timeout_s: Annotated[float, Field(gt=0, strict=False)] = 1800

    def with_copies(self, count: int) -> Self:
        """Return the target for `count` copies of a design side by side; `LabError` if none."""
        if count > 1:
            raise LabError(f"{self.name}: several copies cannot be placed")
        return self

    @property
    @abstractmethod
    def constraint_mhz(self) -> float | None:
        """The clock constraint of place and route; None without one."""

    @abstractmethod
    def route_text(self, seed: int) -> str:
        """Return the place-and-route command of one seed as result rows give it."""

    @property
    @abstractmethod
    def route_tools(self) -> Sequence[Tool]:
        """The tools whose versions a routed seed depends on."""

    @abstractmethod
    def route(self, directory: Path, netlist: Path, seed: int) -> Routed:
        """Place and route `netlist` in `directory`, and leave the input of `pack` there.

        `ToolTimeout` after `pnr_timeout_s`, `ToolError` where it does not route.
        """

    @property
    @abstractmethod
    def pack_tools(self) -> Sequence[Tool]:
        """The tools whose versions a bitstream depends on."""

    @abstractmethod
    def pack_text(self) -> str:
        """Return the command that makes the bitstream as result rows give it."""

    @abstractmethod
    def pack(self, directory: Path, routed: Path) -> None:
        """Make the `bitstream` file in `directory` from the files of `route` in `routed`."""


def _rule(name: str) -> tuple[str, int | None]:
    """Return the rule of a profile's name and its number; the name itself without a rule."""
    match = re.fullmatch(r"(.+)-(\d+)", name)
    return (f"{match[1]}-N", int(match[2])) if match else (name, None)
