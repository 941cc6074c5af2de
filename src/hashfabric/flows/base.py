"""What every flow provides. A target is data; its flow runs the tools."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, Field

from hashfabric.base.datafile import DataModel, Slug
from hashfabric.base.errors import LabError
from hashfabric.base.tools import Tool


class Use(BaseModel):
    """Resources of a netlist or of a placed design, in the target's own units.

    `detail` splits `luts` by their use where the tool reports it.
    """

    luts: int
    ffs: int
    dsps: int
    brams: int
    detail: dict[str, int] = {}

    def times(self, count: int) -> "Use":
        """Return the resources of `count` copies."""
        numbers = {name: count * number for name, number in self.detail.items()}
        return Use(
            luts=count * self.luts,
            ffs=count * self.ffs,
            dsps=count * self.dsps,
            brams=count * self.brams,
            detail=numbers,
        )


class Routed(BaseModel):
    """One placed and routed seed: use, and the clock that its timing analysis allows (MHz)."""

    use: Use
    fmax_mhz: float


class Profile(DataModel):
    """Other options of a target, for the variants that name the profile; None: the target's own."""

    synth_options: list[str] | None = None
    abc9_delay_ps: Annotated[int, Field(gt=0)] | None = None
    abc9_script: str | None = None

    def overrides(self) -> dict[str, Any]:
        """Return the fields of the target that the profile gives, and their values."""
        return self.model_dump(exclude_unset=True)


class RoutedProfile(Profile):
    """Other options of a target with place and route."""

    pnr_options: list[str] | None = None
    pnr_timeout_s: Annotated[float, Field(gt=0, strict=False)] | None = None


class Target(DataModel, ABC):
    """A target that can be synthesised for; `lut` names what one LUT is there.

    `abc9_delay_ps` is the delay that mapping aims at, in ps, before it saves LUTs. `abc9_script` is
    its script (ABC's commands, with commas for blanks), by default yosys' own. A variant may name
    one of the `profiles`; a target without that profile builds it with its own options.
    """

    netlist_edit: ClassVar[str] = ""
    """What `finish_netlist` does, as result rows give it; the text changes when the edit does."""

    name: Slug
    title: str
    lut: str
    synth_options: list[str] = Field(default=[])
    abc9_delay_ps: Annotated[int, Field(gt=0)] | None = None
    abc9_script: str | None = None
    profiles: Mapping[Slug, Profile] = Field(default={})

    def with_profile(self, name: str | None) -> Self:
        """Return the target with the options of the profile `name`."""
        profile = None if name is None else self.profiles.get(name)
        return self if profile is None else self.model_copy(update=profile.overrides())

    def with_copies(self, count: int) -> Self:
        """Return the target for `count` copies side by side: counts only add up."""
        return self

    @property
    @abstractmethod
    def device_text(self) -> str:
        """The device as result rows name it."""

    def synth_command(self) -> str:
        """Return the yosys commands that map the design (without `-top` and `-json`)."""
        settings = []
        if self.abc9_delay_ps is not None:
            settings.append(f"scratchpad -set abc9.D {self.abc9_delay_ps}")
        if self.abc9_script is not None:
            settings.append(f'scratchpad -set abc9.script "+{self.abc9_script}"')
        return "; ".join([*settings, self.map_command()])

    @abstractmethod
    def map_command(self) -> str:
        """Return the family's own synthesis command."""

    def finish_netlist(self, netlist: dict[str, Any], top: str) -> dict[str, int]:
        """Improve the flat netlist (write_json's) in place; return how its cell counts change."""
        return {}

    @abstractmethod
    def use(self, cells: Mapping[str, int]) -> Use:
        """Return the use of a mapped netlist from its cell counts."""


class RoutedTarget(Target):
    """A target with open place and route. `seeds` is the default number of seeds."""

    router: ClassVar[Tool]
    packer: ClassVar[Tool]
    bitstream: ClassVar[str]

    pnr_options: list[str] = Field(default=[])
    profiles: Mapping[Slug, RoutedProfile] = Field(default={})
    seeds: Annotated[int, Field(ge=1)] = 5
    pnr_timeout_s: Annotated[float, Field(gt=0, strict=False)] = 1800

    def with_copies(self, count: int) -> Self:
        """Return the target for `count` copies side by side; `LabError` if it cannot place them."""
        if count > 1:
            raise LabError(f"{self.name}: several copies cannot be placed")
        return self

    @abstractmethod
    def pnr_args(self, seed: int) -> Sequence[str]:
        """Return the router's arguments: netlist.json in, report.json and routed.config out."""

    def edit_text(self) -> str:
        """Return the edit of a placed design before it is routed; empty if there is none.

        A target that returns a text places and routes in two runs of the router, `place_args` and
        `route_args`, with `edit_placed` between them; the text changes when the edit does.
        """
        return ""

    def place_args(self, seed: int) -> Sequence[str]:
        """Return the arguments that place only: netlist.json in."""
        raise NotImplementedError

    def edit_placed(self, directory: Path) -> None:
        """Edit the placed design in `directory`."""
        raise NotImplementedError

    def route_args(self, seed: int) -> Sequence[str]:
        """Return the arguments that route the edited design, with the outputs of `pnr_args`."""
        raise NotImplementedError

    @abstractmethod
    def parse_report(self, text: str) -> Routed:
        """Parse the router's JSON report."""

    @abstractmethod
    def pack_args(self) -> Sequence[str]:
        """Return the packer's arguments: reads routed.config, writes the `bitstream` file."""
