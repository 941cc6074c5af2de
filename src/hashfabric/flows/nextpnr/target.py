"""What the flows with nextpnr share: options, reports, time limits; and flows of a single run."""

import shutil
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field

from hashfabric.base.errors import LabError
from hashfabric.base.tools import Tool, ToolTimeout
from hashfabric.flows.base import ProfileName, Routed, RoutedTarget, Use
from hashfabric.flows.mapped import NETLIST, MappedProfile, MappedTarget
from hashfabric.flows.nextpnr.report import NextpnrReport, read_report, state_of

REPORT = "report.json"
"""Nextpnr's report in a job's directory."""

LOG = "pnr.log"
"""Its log there."""

HIMBAECHEL = "nextpnr-himbaechel"
"""The program of several families, as most builds call it; YoWASP's has the family in its name."""

PACK_S = 600.0
"""Longest that packing may take, seconds."""


def nextpnr(family: str, extra: str) -> Tool:
    """Return nextpnr for `family`, which `extra` brings."""
    name = f"nextpnr-{family}"
    return Tool(name, f"yowasp-{name}", ("--version",), r"Version nextpnr-([\w.+-]+)", extra=extra)


def run_nextpnr(tool: Tool, args: Sequence[str], *, cwd: Path, log: str, timeout_s: float) -> None:
    """Run it as `Tool.run` does; a `ToolTimeout` has the state that its log shows."""
    try:
        tool.run(args, cwd=cwd, log=log, timeout_s=timeout_s)
    except ToolTimeout as error:
        state = state_of((cwd / log).read_text("utf-8", "replace"))
        raise ToolTimeout(str(error), state) from None


@dataclass(frozen=True)
class UserFlow:
    """How a shell script places, routes and packs a user's design, by the tools' own names.

    `family` and `script` are the family's and the script's names, `pins` an example of the file of
    pins, which is `$PINS`. The netlist is `$name.json`; all other files begin with `$name` too.
    `settings` are variables and their values; `edit` is a command on the netlist, if one is needed.
    `why` has the reasons for options, by option.
    """

    family: str
    script: str
    pins: str
    settings: Mapping[str, str]
    nextpnr: str
    place: Sequence[str]
    pack: Sequence[str]
    bitstream: str
    edit: str = ""
    why: Mapping[str, str] = field(default_factory=dict)


class NextpnrProfile(MappedProfile):
    """Other options of a target that nextpnr places and routes."""

    pnr_options: list[str] | None = None
    pnr_timeout_s: Annotated[float, Field(gt=0, strict=False)] | None = None


class NextpnrTarget(MappedTarget, RoutedTarget):
    """A device that nextpnr places and routes, with its `pnr_options`."""

    nextpnr: ClassVar[Tool]
    packer: ClassVar[Tool]

    pnr_options: list[str] = Field(default=[])
    profiles: Mapping[ProfileName, NextpnrProfile] = Field(default={})

    @property
    def tools(self) -> Sequence[Tool]:
        """Yosys, nextpnr and the packer."""
        return [*super().tools, *self.route_tools, *self.pack_tools]

    @property
    def route_tools(self) -> Sequence[Tool]:
        """Nextpnr."""
        return [self.nextpnr]

    @property
    def pack_tools(self) -> Sequence[Tool]:
        """The packer."""
        return [self.packer]

    @property
    def constraint_mhz(self) -> float | None:
        """The clock of `--freq`."""
        options = self.pnr_options
        return float(options[options.index("--freq") + 1]) if "--freq" in options else None


class OneRunTarget(NextpnrTarget):
    """A device on which one run of nextpnr places and routes.

    `pins` are the places of the harness' ports, on families whose nextpnr requires them.
    """

    routed: ClassVar[str]
    """The file from which the bitstream is packed."""

    pins_file: ClassVar[str] = ""
    """The file of the pins, where the family has one."""

    device: str
    pins: dict[str, str] = Field(default={})

    @abstractmethod
    def device_args(self) -> Sequence[str]:
        """Return nextpnr's arguments that name the device, its pins and the output `routed`."""

    @abstractmethod
    def pack_args(self) -> Sequence[str]:
        """Return the packer's arguments, from `routed` to `bitstream`."""

    @abstractmethod
    def user_flow(self) -> UserFlow:
        """Return how a script does the same to a user's design, whose pins are in a file."""

    def user_options(self) -> list[str]:
        """Return the target's options for nextpnr but for the clock, which is the user's."""
        options = list(self.pnr_options)
        if "--freq" in options:
            at = options.index("--freq")
            del options[at : at + 2]
        return options

    @abstractmethod
    def routed_use(self, report: NextpnrReport, log: str, routed: str) -> Use:
        """Return the use of a routed design, from nextpnr's report, its log and `routed`."""

    def pin_lines(self, port: str, pin: str) -> Sequence[str]:
        """Return the lines of the family's file that put `port` on `pin`."""
        raise NotImplementedError

    def route_args(self, seed: int) -> Sequence[str]:
        """Return nextpnr's arguments; a missed `--freq` is a result here, not a failure."""
        options = ["--timing-allow-fail", "--seed", str(seed), *self.pnr_options]
        return [*self.device_args(), *options, "--json", NETLIST, "--report", REPORT]

    def route_text(self, seed: int) -> str:
        """Return the place-and-route command of one seed as result rows give it."""
        pins = [f"{port} {pin}" for port, pin in self.pins.items()]
        steps = [f"pins {', '.join(pins)}"] if pins else []
        return "; ".join([*steps, " ".join([self.nextpnr.name, *self.route_args(seed)])])

    def route(self, directory: Path, netlist: Path, seed: int) -> Routed:
        """Run nextpnr once."""
        shutil.copyfile(netlist, directory / NETLIST)
        if self.pins_file:
            lines = [line for item in self.pins.items() for line in self.pin_lines(*item)]
            text = "".join(f"{line}\n" for line in lines)
            (directory / self.pins_file).write_text(text, encoding="utf-8")
        args = self.route_args(seed)
        run_nextpnr(self.nextpnr, args, cwd=directory, log=LOG, timeout_s=self.pnr_timeout_s)
        (directory / NETLIST).unlink()
        report = read_report((directory / REPORT).read_text("utf-8"), self.nextpnr.name)
        use = self.routed_use(
            report,
            (directory / LOG).read_text("utf-8", "replace"),
            (directory / self.routed).read_text("utf-8"),
        )
        return Routed(use=use, fmax_mhz=report.slowest_mhz)

    def pack_text(self) -> str:
        """Return the command that makes the bitstream as result rows give it."""
        return " ".join([self.packer.name, *self.pack_args()])

    def pack(self, directory: Path, routed: Path) -> None:
        """Run the packer; `LabError` if it writes nothing."""
        shutil.copyfile(routed / self.routed, directory / self.routed)
        self.packer.run(self.pack_args(), cwd=directory, log="pack.log", timeout_s=PACK_S)
        (directory / self.routed).unlink()
        made = directory / self.bitstream
        if not made.is_file() or made.stat().st_size == 0:
            raise LabError(f"{self.packer.name}: wrote no {self.bitstream}")


def total(cells: Mapping[str, int], weights: Mapping[str, int]) -> int:
    """Return the sum of `cells` by type, each times its weight; types without one do not count."""
    return sum(weight * cells.get(cell, 0) for cell, weight in weights.items())


def begins(cells: Mapping[str, int], *starts: str) -> int:
    """Return the number of `cells` whose type begins with one of `starts`."""
    return sum(count for cell, count in cells.items() if cell.startswith(starts))
