"""Place and route on ECP5: the runs of nextpnr, the edits between them, and ecppack."""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

from hashfabric.base.errors import LabError
from hashfabric.base.tools import Tool, ToolError, ToolTimeout
from hashfabric.flows.base import Routed, Use
from hashfabric.flows.ecp5 import copies, stamp
from hashfabric.flows.ecp5.area import Area, Sites, first_area
from hashfabric.flows.ecp5.box import Array, Box, deal_out
from hashfabric.flows.ecp5.fabric import fabric
from hashfabric.flows.ecp5.placed import (
    BEL,
    COLUMNS,
    Columns,
    PlacedCell,
    clocks_lpf,
    constrain,
    design_cells,
    loosen,
    needs_packing,
    take_places,
)
from hashfabric.flows.ecp5.ramsites import RAM_SITES, RamSites, fix_rams
from hashfabric.flows.ecp5.readback import Checked, check
from hashfabric.flows.ecp5.spread import spread_columns
from hashfabric.flows.mapped import NETLIST
from hashfabric.flows.nextpnr import report as nextpnr_report
from hashfabric.flows.nextpnr.report import NextpnrReport
from hashfabric.flows.nextpnr.target import LOG, PACK_S, REPORT, nextpnr, run_nextpnr

NEXTPNR_ECP5 = nextpnr("ecp5", "fpga")
ECPPACK = Tool("ecppack", "yowasp-ecppack", ("--version",), r"ecppack Version (\S+)", extra="fpga")

CONFIG, BITSTREAM = "routed.config", "bitstream.bit"
"""Files of a routed design: ecppack's input and output."""

STAMP = "stamp.json"
"""What stamping did: boxes, arcs in all and left to the router, what was checked."""

_PLACED = "placed.json"
_UNIT, _UNIT_PLACED, _UNIT_ROUTED = "unit.json", "unit-placed.json", "unit-routed.json"
_UNIT_REFINED = "unit-refined.json"
_OUT_OF_CONTEXT = "--out-of-context"
_NO_PACK = "--no-pack"
_ALL_FIXED = (_NO_PACK, "--placer", "heap")
_PINS, _CLOCKS = "pins.lpf", "clocks.lpf"
_OUTPUTS = ("--textcfg", CONFIG, "--report", REPORT)
_REFUSED = re.compile(r"^ERROR: (.+)$", re.MULTILINE)
_NEAREST = "block RAM to the nearest sites"
_MOST, _ALMOST = 0.8, 0.97  # shares of a unit's cells that lie in its box

Device = Literal[
    "12k", "25k", "45k", "85k", "um-25k", "um-45k", "um-85k", "um5g-25k", "um5g-45k", "um5g-85k"
]
"""A device of the family, by nextpnr-ecp5's name."""

DEVICES: tuple[str, ...] = get_args(Device)

# Rows with logic tiles; the rows between them have EBR and DSP.
_ROWS = {"85k": sorted({*range(2, 94)} - {*range(10, 94, 12)})}


PACKAGES = {
    "12k": ("CABGA256", "CABGA381", "CSFBGA285", "TQFP144"),
    "25k": ("CABGA256", "CABGA381", "CSFBGA285", "TQFP144"),
    "45k": ("CABGA256", "CABGA381", "CABGA554", "CSFBGA285", "TQFP144"),
    "85k": ("CABGA381", "CABGA554", "CABGA756", "CSFBGA285"),
}
"""The packages of a device, by its size."""

SPEEDS = ("6", "7", "8")
"""Speed grades; a device whose name begins with um5g has only the last."""


@dataclass(frozen=True)
class Part:
    """A device in a package, of a speed grade."""

    device: str
    package: str
    speed: str

    @property
    def size(self) -> str:
        """Its size: devices with transceivers have the same array."""
        return self.device.rpartition("-")[2]

    @property
    def columns(self) -> Columns:
        """The columns that have logic tiles."""
        return COLUMNS[self.size]

    @property
    def has_rows(self) -> bool:
        """Return whether the lab has the rows of its logic tiles."""
        return self.size in _ROWS

    @property
    def array(self) -> Array:
        """The logic tiles."""
        return Array(self.columns.first, self.columns.last, _ROWS[self.size])

    @property
    def ram_sites(self) -> RamSites:
        """The sites of block RAM."""
        return RAM_SITES[self.size]

    @property
    def sites(self) -> Sites:
        """What it has where, by its database."""
        tiles = fabric(self.device)
        rows = sorted({y for x, y in tiles.tiles if tiles.is_logic(x, y)})
        return Sites(Array(self.columns.first, self.columns.last, rows), self.ram_sites, tiles)

    @property
    def args(self) -> Sequence[str]:
        """Nextpnr's arguments that name it."""
        return [f"--{self.device}", "--package", self.package, "--speed", self.speed]


@dataclass(frozen=True)
class Router:
    """The steps from a flat netlist to a routed design on `part`.

    The netlist is placed with nextpnr's `options`. The first `ram_passes` placements only serve its
    block RAM, which is then fixed to the nearest sites for the next one (`ramsites`). If there is
    an edit, the placed design is changed, and another run routes it: distributed over the share
    `box` of the array, or stretched in x by the ratio `spread`. `pins` is the text of an LPF file,
    which has to place every port; without one the placer chooses the pins. Each run of nextpnr may
    take `timeout_s` seconds.

    With `unit`, the netlist's top has instances of the module of that name: it is placed and routed
    once, and stamped (`stamp`); with `copies`, the netlist is the unit: an array of that number
    is stamped. The finished design is read back and compared with the netlist. `unit_box` is the
    box of the first one; without it, one is chosen by the number of instances and the unit's size.

    An edited design is routed with its places as constraints (`placed.constrain`), read back and
    compared with its netlist too.
    """

    part: Part
    options: Sequence[str]
    timeout_s: float
    ram_passes: int = 0
    spread: str | None = None
    box: str | None = None
    copies: int = 1
    unit: str | None = None
    unit_box: Area | None = None
    pins: str | None = None

    @property
    def _edited(self) -> str:
        if self.stamps:
            return "stamped.json"
        return "box.json" if self.box else "spread.json"

    @property
    def stamps(self) -> bool:
        """Return whether a module is placed and routed once, and repeated."""
        return self.copies > 1 or self.unit is not None

    def edit_text(self) -> str:
        """Return the copies, the box or the spread, as result rows give it; empty if there is none.

        With one, a seed is several runs of nextpnr, and the text changes with the edit.
        """
        if self.stamps:
            what = f"{self.copies} copies" if self.unit is None else f"{self.unit} stamped"
            return what if self.unit_box is None else f"{what} from {self.unit_box.text()}"
        if self.box:
            return f"box {self.box}"
        return f"spread {self.spread}" if self.spread else ""

    def text(self, seed: int) -> str:
        """Return the commands of one seed as result rows give them."""
        tool = NEXTPNR_ECP5.name
        if self.stamps:
            given = self.unit_box is not None
            runs = [[tool, *self.unit_place_args(seed)], [_NEAREST]] * self.ram_passes
            runs += [
                [tool, *self.unit_place_args(seed)],
                ["moved into its box" if given else "distributed over its box"],
                *([[tool, *self.unit_refine_args(seed)], ["the rest too"]] if given else []),
                [tool, *self.unit_route_args(seed)],
                [self.edit_text()],
                [tool, *self.place_args(seed)],
                *([["moved out of the boxes"]] if given else []),
                ["with the unit's routing"],
                [tool, *self.route_args(seed)],
            ]
            return "; ".join(" ".join(run) for run in runs)
        runs = [[tool, *self.place_args(seed)], [_NEAREST]] * self.ram_passes
        if edit := self.edit_text():
            runs += [[tool, *self.place_args(seed)], [edit], [tool, *self.route_args(seed)]]
        else:
            runs += [[tool, *self.place_and_route_args(seed)]]
        return "; ".join(" ".join(run) for run in runs)

    def route(self, directory: Path, netlist: Path, seed: int) -> None:
        """Place and route `netlist` in `directory`; leave there `CONFIG`, `REPORT` and logs.

        `ToolTimeout` after `timeout_s`, `ToolError` where it does not route or is not its netlist,
        another `LabError` where the placed design does not allow the edit.
        """
        shutil.copyfile(netlist, directory / NETLIST)
        if self.pins is not None:
            (directory / _PINS).write_text(self.pins, encoding="utf-8")
        if self.stamps:
            self._route_stamped(directory, seed)
            return
        run = partial(run_nextpnr, NEXTPNR_ECP5, cwd=directory, timeout_s=self.timeout_s)
        for _ in range(self.ram_passes):
            run(self.place_args(seed), log="place.log")
            self._fix_rams(directory)
        if self.edit_text():
            run(self.place_args(seed), log="place.log")
            self._edit_placed(directory)
            self._route_edited(directory, seed)
        else:
            run(self.place_and_route_args(seed), log=LOG)
        for name in (NETLIST, _PLACED, self._edited, _PINS, _CLOCKS):
            (directory / name).unlink(missing_ok=True)

    def _route_edited(self, directory: Path, seed: int) -> None:
        """Route the edited design, and compare it with the placed one."""
        try:
            self._run_fixed(directory, self.route_args(seed), LOG)
        except ToolTimeout:
            raise
        except ToolError as error:
            raise LabError(f"{self.edit_text()}: {error}") from error
        log = (directory / LOG).read_text(encoding="utf-8", errors="replace")
        if refused := _REFUSED.search(log):  # nextpnr ends well nevertheless
            raise LabError(f"{self.edit_text()}: {NEXTPNR_ECP5.name}: {refused[1]}")
        try:
            self._read_back(directory)
        except LabError as error:
            raise ToolError(str(error)) from error

    def _run_fixed(self, directory: Path, args: Sequence[str], log: str) -> None:
        """Run nextpnr on the edited design, all of whose cells have places."""
        if needs_packing(_load(directory / self._edited)):
            args = [arg for arg in args if arg != _NO_PACK]
        run_nextpnr(NEXTPNR_ECP5, args, cwd=directory, log=log, timeout_s=self.timeout_s)

    def place_and_route_args(self, seed: int) -> Sequence[str]:
        """Return nextpnr's arguments; a missed `--freq` is a result here, not a failure."""
        return [*self._first_args(seed), "--json", NETLIST, *_OUTPUTS]

    def place_args(self, seed: int) -> Sequence[str]:
        """Return the arguments that place only."""
        return [*self._first_args(seed), "--no-route", "--json", NETLIST, "--write", _PLACED]

    def route_args(self, seed: int) -> Sequence[str]:
        """Return the arguments that route the edited design.

        It has its `--freq` stored, but not the clocks of an LPF file.
        """
        clocks = [] if self.pins is None else ["--lpf", _CLOCKS]
        edited = [*_ALL_FIXED, *clocks, "--json", self._edited]
        return [*self._common_args(seed), *edited, *_OUTPUTS]

    def _common_args(self, seed: int) -> Sequence[str]:
        return [*self.part.args, "--timing-allow-fail", "--seed", str(seed)]

    def _first_args(self, seed: int) -> Sequence[str]:
        """Return the arguments of a run that begins with the netlist."""
        pins = ["--lpf-allow-unconstrained"] if self.pins is None else ["--lpf", _PINS]
        return [*self._common_args(seed), *self.options, *pins]

    def _fix_rams(self, directory: Path) -> None:
        """Fix the block RAM of the netlist at the best sites for the placed design."""
        netlist, placed = directory / NETLIST, directory / _PLACED
        design = json.loads(netlist.read_text(encoding="utf-8"))
        sites = self.part.ram_sites
        fix_rams(json.loads(placed.read_text(encoding="utf-8")), design, sites)
        netlist.write_text(json.dumps(design), encoding="utf-8")
        placed.unlink()

    def unit_place_args(self, seed: int) -> Sequence[str]:
        """Return the arguments that place the unit by itself."""
        files = ["--no-route", "--json", _UNIT, "--write", _UNIT_PLACED]
        return [*self._common_args(seed), *self.options, _OUT_OF_CONTEXT, *files]

    def unit_refine_args(self, seed: int) -> Sequence[str]:
        """Return the arguments that improve the unit's places in its box.

        It is packed again, since only packing keeps a flip-flop with the LUT before it.
        """
        files = ["--no-route", "--json", self._edited, "--write", _UNIT_REFINED]
        return [*self._common_args(seed), _OUT_OF_CONTEXT, *files]

    def unit_route_args(self, seed: int) -> Sequence[str]:
        """Return the arguments that route the unit by itself in its box."""
        files = ["--json", self._edited, "--write", _UNIT_ROUTED]
        return [*self._common_args(seed), _OUT_OF_CONTEXT, *_ALL_FIXED, *files]

    def _route_stamped(self, directory: Path, seed: int) -> None:
        """Place and route the unit, stamp it, route the rest, and check the result."""
        run = partial(run_nextpnr, NEXTPNR_ECP5, cwd=directory, timeout_s=self.timeout_s)
        design, top, kind = self._array(_load(directory / NETLIST))
        names = stamp.instances(design, top, kind)
        if not names:
            raise LabError(f"{top}: has no instance of {kind}")
        area = self.unit_box or first_area(len(names), self.part.sites.array)
        unit = self._routed_unit(directory, seed, stamp.alone(design, kind), area)
        shifts = self.part.sites.shifts(unit.area, unit.cells, len(names))
        _save(directory / NETLIST, stamp.compose(design, top, kind, unit, shifts))
        run(self.place_args(seed), log="place.log")
        placed = _load(directory / _PLACED)
        if self.unit_box is not None:
            units = {f"{name}.{cell}" for name in names for cell in unit.cells}
            self._leave_units(placed, [area.moved(shift) for shift in shifts], units)
            _save(directory / _PLACED, placed)
        stamped = stamp.add_routing(placed, names, unit, shifts, self.part.sites.fabric)
        constrain(placed)
        _save(directory / self._edited, placed)
        if self.pins is not None:
            self._keep_clocks(directory)
        self._run_fixed(directory, self.route_args(seed), LOG)
        placed = _load(directory / _PLACED)
        checked = self._read_back(directory)
        left = nextpnr_report.arcs_of((directory / LOG).read_text("utf-8", "replace"))
        said = {
            "unit": kind,
            "box": asdict(unit.area),
            "copies": {name: asdict(shift) for name, shift in zip(names, shifts, strict=True)},
            "wires": asdict(stamped),
            "arcs": stamp.arcs(placed),
            "arcs_left": left,
            "checked": asdict(checked),
        }
        (directory / STAMP).write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")
        files = (NETLIST, _PLACED, self._edited, _PINS, _CLOCKS)
        for name in (*files, _UNIT, _UNIT_PLACED, _UNIT_REFINED, _UNIT_ROUTED):
            (directory / name).unlink(missing_ok=True)

    def _leave_units(
        self, placed: dict[str, Any], boxes: Sequence[Area], units: AbstractSet[str]
    ) -> None:
        """Give what surrounds the `units`, by their cells' names, places outside their `boxes`.

        Locked wires enclose the free lanes in a unit's tiles. Cells stay where the boxes leave too
        little room.
        """
        array = self.part.sites.array
        blocked = {
            (x - array.first, row)
            for x in range(array.first, array.last + 1)
            for row, y in enumerate(array.rows)
            if any(box.holds(x, y) for box in boxes)
        }
        cells = [cell for cell in design_cells(placed) if cell.name not in units]
        box = Box(array, array.width, len(array.rows), blocked)
        try:
            box.pull_in(cells, 0, 0)
        except LabError:
            return
        box.move(cells, 0, 0)

    def _array(self, design: dict[str, Any]) -> tuple[dict[str, Any], str, str]:
        """Return the array, and the names of its top and its unit."""
        top = stamp.top_of(design)
        if self.unit is not None:
            return design, top, stamp.module_of(design, self.unit)
        return copies.array_of(design, top, self.copies), copies.TOP, top

    def _routed_unit(
        self, directory: Path, seed: int, alone: dict[str, Any], area: Area
    ) -> stamp.RoutedUnit:
        """Place and route the unit out of context, in `area`."""
        run = partial(run_nextpnr, NEXTPNR_ECP5, cwd=directory, timeout_s=self.timeout_s)
        for _ in range(self.ram_passes):
            _save(directory / _UNIT, alone)
            run(self.unit_place_args(seed), log="unit-place.log")
            fix_rams(_load(directory / _UNIT_PLACED), alone, area.rams(self.part.ram_sites))
        _save(directory / _UNIT, alone)
        run(self.unit_place_args(seed), log="unit-place.log")
        placed = _load(directory / _UNIT_PLACED)
        area = self._fit_unit(placed, area)
        if self.unit_box is not None:
            loosen(placed)
            _save(directory / self._edited, placed)
            run(self.unit_refine_args(seed), log="unit-refine.log")
            take_places(placed, _load(directory / _UNIT_REFINED))
            self._pull_in(placed, area)
        constrain(placed)
        _save(directory / self._edited, placed)
        self._run_fixed(directory, self.unit_route_args(seed), "unit-route.log")
        before = _load(directory / _UNIT_PLACED)
        return stamp.RoutedUnit.of(before, _load(directory / _UNIT_ROUTED), area)

    def _fit_unit(self, placed: dict[str, Any], area: Area) -> Area:
        """Bring a placed unit into a box; return that.

        Where the box was given, and block RAM that is fixed in it has drawn most of the unit there,
        a few cells outside get places in it, or all columns and rows move. Otherwise the unit is
        distributed over the box.
        """
        cells = design_cells(placed)
        inside = sum(area.holds(cell.x, cell.y) for cell in cells)
        if self.unit_box is None or inside < _MOST * len(cells):
            area = self._deal_out_unit(cells, area)
        elif inside >= _ALMOST * len(cells):
            self._pull_in(placed, area)
        else:
            box, left, top = self._box(area)
            box.squeeze(cells)
            box.move(cells, left, top)
        # Logic has moved since block RAM got its sites.
        fix_rams(placed, placed, area.rams(self.part.ram_sites), BEL)
        return area

    def _pull_in(self, placed: Mapping[str, Any], area: Area) -> None:
        """Give the cells of a placed unit that lie outside its box places in it."""
        cells = design_cells(placed)
        box, left, top = self._box(area)
        box.pull_in(cells, left, top)
        box.move(cells, left, top)

    def _box(self, area: Area) -> tuple[Box, int, int]:
        """Return an empty box, and its first column and row among those of the array."""
        array = self.part.sites.array
        logic = area.logic(array)
        box = Box(array, area.width, len(logic.rows))
        return box, area.left - array.first, array.rows.index(logic.rows[0])

    def _deal_out_unit(self, cells: Sequence[PlacedCell], area: Area) -> Area:
        """Distribute a unit's cells over the smallest box that holds them; return it.

        With block RAM, which has its sites, and where it was given, that is all of `area`.
        """
        array = self.part.sites.array
        lanes = len({(cell.x, cell.y, cell.slot, cell.lane) for cell in cells})
        given = self.ram_passes > 0 or self.unit_box is not None
        found = [(area, area)] if given else list(area.fitting(lanes, array))
        for whole, inner in found:
            box, left, top = self._box(inner)
            try:
                box.fit(cells)
            except LabError:
                if (whole, inner) == found[-1]:
                    raise
                continue
            box.move(cells, left, top)
            return whole
        raise AssertionError("the last box is returned or its error raised")

    def _edit_placed(self, directory: Path) -> None:
        """Distribute the placed design, or spread it."""
        placed = directory / _PLACED
        design = _load(placed)
        if self.box:
            deal_out(design, Fraction(self.box), self.part.array)
        elif self.spread:
            spread_columns(design, Fraction(self.spread), self.part.columns)
        _save(placed, design)
        constrain(design)
        _save(directory / self._edited, design)
        if self.pins is not None:
            self._keep_clocks(directory)

    def _read_back(self, directory: Path) -> Checked:
        """Compare the routed design with the placed one; `LabError` if they differ."""
        text = (directory / CONFIG).read_text(encoding="utf-8")
        return check(_load(directory / _PLACED), text, fabric(self.part.device))

    def _keep_clocks(self, directory: Path) -> None:
        """Leave the clocks of the run that placed for the one that routes."""
        log = (directory / "place.log").read_text(encoding="utf-8", errors="replace")
        (directory / _CLOCKS).write_text(clocks_lpf(log), encoding="utf-8")


def _load(path: Path) -> dict[str, Any]:
    """Read a design."""
    design: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return design


def _save(path: Path, design: Mapping[str, Any]) -> None:
    """Write a design."""
    path.write_text(json.dumps(design), encoding="utf-8")


def pack_args() -> Sequence[str]:
    """Return the arguments of ecppack that make `BITSTREAM` of `CONFIG`."""
    return ["--input", CONFIG, "--bit", BITSTREAM]


def pack(directory: Path, routed: Path) -> None:
    """Make `BITSTREAM` in `directory` of the `CONFIG` in `routed`."""
    shutil.copyfile(routed / CONFIG, directory / CONFIG)
    ECPPACK.run(pack_args(), cwd=directory, log="pack.log", timeout_s=PACK_S)
    (directory / CONFIG).unlink()


class RoutedReport(NextpnrReport):
    """The figures of nextpnr's JSON report."""

    @property
    def use(self) -> Use:
        """The use; LUTs are occupied LUT4 sites.

        nextpnr counts the two that the write port of a distributed RAM occupies as TRELLIS_COMB.
        """
        used = self.used
        ports = 2 * used["TRELLIS_RAMW"]
        return Use(
            luts=used["TRELLIS_COMB"],
            ffs=used["TRELLIS_FF"],
            dsps=used["MULT18X18D"],
            brams=used["DP16KD"],
            detail={"comb": used["TRELLIS_COMB"] - ports, "ramw": ports},
        )


def read_report(text: str, *, clocked: bool = False) -> RoutedReport:
    """Read the router's JSON report; `LabError` without figures, or where `clocked` a clock."""
    name = NEXTPNR_ECP5.name
    report = nextpnr_report.read_report(text, name, clocked=clocked)
    found = RoutedReport(report.clocks, report.used, report.available)
    try:
        _ = found.use
    except KeyError as error:
        raise nextpnr_report.no_figures(name) from error
    return found


def parse_report(text: str) -> Routed:
    """Parse the router's JSON report; the slowest clock counts."""
    report = read_report(text, clocked=True)
    return Routed(use=report.use, fmax_mhz=report.slowest_mhz)
