"""Lattice ECP5: yosys synth_ecp5, nextpnr-ecp5, ecppack."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from hashfabric.base.errors import LabError
from hashfabric.base.tools import Tool
from hashfabric.flows.base import ProfileName, Routed, Use
from hashfabric.flows.ecp5.area import Area
from hashfabric.flows.ecp5.blockram import absorb_output_registers
from hashfabric.flows.ecp5.router import (
    BITSTREAM,
    ECPPACK,
    NEXTPNR_ECP5,
    Device,
    Part,
    Router,
    pack,
    pack_args,
    parse_report,
)
from hashfabric.flows.ecp5.spread import spread_ratio
from hashfabric.flows.ecp5.stamp import instances, module_of
from hashfabric.flows.mapped import flatten_but
from hashfabric.flows.nextpnr.target import REPORT, NextpnrProfile, NextpnrTarget
from hashfabric.netlist import cells as models
from hashfabric.netlist.circuit import Model

# LUT4 sites by cell. A carry cell takes two; a 16x4 RAM takes four, and two for its write port.
_LUTS = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}


Spread = Annotated[str, AfterValidator(spread_ratio)]
"""A ratio, such as "3/2"."""


def _share(text: str) -> str:
    try:
        share = Fraction(text)
    except (ValueError, ZeroDivisionError):
        share = Fraction(0)
    if not 0 < share <= 1:
        raise ValueError("must be a part of the array, such as 4/5, 1 at most")
    return text


Share = Annotated[str, AfterValidator(_share)]
"""A fraction, such as "4/5"."""


def _box_text(text: str) -> str:
    try:
        return Area.parse(text).text()
    except LabError as error:
        raise ValueError(str(error)) from error


BoxText = Annotated[str, AfterValidator(_box_text)]
"""A box, as `Area.parse` reads it."""


class Ecp5Profile(NextpnrProfile):
    """Other options of an ECP5 part; a `spread` or `box` of "" switches the target's off."""

    ram_passes: Annotated[int, Field(ge=0)] | None = None
    spread: Literal[""] | Spread | None = None
    box: Literal[""] | Share | None = None
    unit: str | None = None
    unit_box: BoxText | None = None

    def overrides(self, number: int | None) -> dict[str, Any]:
        """Return the fields of the target that the profile gives, and their values."""
        given = super().overrides(number)
        return given | {name: given[name] or None for name in ("spread", "box") if name in given}


class Ecp5Target(NextpnrTarget):
    """An ECP5 device. LUTs are occupied LUT4 sites, carry and RAM included.

    `ram_passes` is the number of placements that only serve the block RAM, which is then fixed to
    the nearest sites for the next one (`ramsites`).
    `spread`, for example "3/2", stretches the placed design in x by that ratio before it is routed.
    `box`, for example "4/5", distributes it in both directions instead, over that share of the
    array's width and height. With `copies`, one copy is placed and repeated in equal boxes.
    `unit` is a module that a design has several times: it is kept apart, placed and routed once and
    stamped (`stamp`), the first one in `unit_box`.
    """

    flow: Literal["ecp5"]
    device: Device
    package: str
    speed: Literal["6", "7", "8"]
    ram_passes: Annotated[int, Field(ge=0)] = 0
    spread: Spread | None = None
    box: Share | None = None
    copies: Annotated[int, Field(ge=1)] = 1
    unit: str | None = None
    unit_box: BoxText | None = None
    profiles: Mapping[ProfileName, Ecp5Profile] = Field(default={})

    nextpnr: ClassVar[Tool] = NEXTPNR_ECP5
    packer: ClassVar[Tool] = ECPPACK
    bitstream: ClassVar[str] = BITSTREAM
    netlist_edit: ClassVar[str] = "block RAM output registers"
    macros: ClassVar[Sequence[str]] = ("HF_ECP5",)

    def with_copies(self, count: int) -> Self:
        """Return the target for `count` copies side by side; `LabError` if it cannot place them."""
        if count > 1 and not self.part.has_rows:
            raise LabError(f"{self.name}: several copies: {self._no_rows}")
        return self.model_copy(update={"copies": count})

    @model_validator(mode="after")
    def _is_known(self) -> Self:
        boxes = [self.box, *(profile.box for profile in self.profiles.values())]
        if any(boxes) and not self.part.has_rows:
            raise ValueError(f"box: {self._no_rows}")
        return self

    @property
    def _no_rows(self) -> str:
        return f"the rows of {self.device} are not in the lab"

    @property
    def part(self) -> Part:
        """The part."""
        return Part(self.device, self.package, self.speed)

    @property
    def router(self) -> Router:
        """The steps of place and route."""
        return Router(
            self.part,
            self.pnr_options,
            self.pnr_timeout_s,
            ram_passes=self.ram_passes,
            spread=self.spread,
            box=self.box,
            copies=self.copies,
            unit=self.unit,
            unit_box=None if self.unit_box is None else Area.parse(self.unit_box),
        )

    @property
    def device_text(self) -> str:
        """The device as result rows name it."""
        return f"ECP5-{self.device} {self.package} speed {self.speed}"

    def map_command(self) -> str:
        """Return the family's synthesis command."""
        return " ".join(["synth_ecp5", *self.synth_options])

    @property
    def flatten_command(self) -> str:
        """The yosys commands that flatten the mapped design, but for the unit."""
        return flatten_but(None if self.unit is None else f"{self.unit}*")

    def finish_netlist(self, netlist: dict[str, Any], top: str) -> dict[str, int]:
        """Give block RAMs their output registers."""
        absorbed = absorb_output_registers(netlist, top)
        changes = {"TRELLIS_FF": -absorbed}
        if self.unit is not None:
            kind = module_of(netlist, self.unit)
            number = len(instances(netlist, top, kind))
            changes = {
                "TRELLIS_FF": -absorbed - number * absorb_output_registers(netlist, kind),
                kind: -number,
            }
        return changes

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

    def route_text(self, seed: int) -> str:
        """Return the place-and-route command of one seed as result rows give it."""
        return self.router.text(seed)

    def route(self, directory: Path, netlist: Path, seed: int) -> Routed:
        """Run nextpnr, with the edit of the placed design between two runs, if any."""
        self.router.route(directory, netlist, seed)
        return parse_report((directory / REPORT).read_text(encoding="utf-8"))

    def pack_text(self) -> str:
        """Return the command that makes the bitstream as result rows give it."""
        return " ".join([ECPPACK.name, *pack_args()])

    def pack(self, directory: Path, routed: Path) -> None:
        """Run ecppack."""
        pack(directory, routed)
