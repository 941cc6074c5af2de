"""Rows and tables of a paper, as its file in papers/ holds them."""

from decimal import Decimal
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from hashfabric.base.datafile import DataModel, Slug


def decimal(value: object) -> Decimal:
    """Take a TOML number as a Decimal, whose digits are those printed."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError("must be a number")
    return Decimal(value)


Printed = Annotated[Decimal, BeforeValidator(decimal), Field(gt=0)]
"""A measured figure as printed: its last digit gives the rounding."""

Count = Annotated[int, Field(gt=0)]
"""An exact count."""

Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


_SEVEN = ("Spartan-6", "Virtex-5", "Virtex-6", "Virtex-7", "Kintex-7", "Artix-7")
SLICES = {
    "Spartan-3": (2, "LUT4"),
    **dict.fromkeys(_SEVEN, (4, "LUT6")),
    "Virtex UltraScale": (8, "LUT6"),
}
"""The LUTs of a slice by the device, and their kind; UltraScale has one slice a CLB."""

ALGORITHMS = {
    "Keccak": "keccak",
    "SHA-3": "keccak",
    "BLAKE": "blake",
    "Grøstl": "groestl",
    "JH": "jh",
    "Skein": "skein",
}
"""The family of an algorithm as papers call it."""


def plain(value: Decimal | int) -> float | int:
    """Return a printed figure as JSON has it."""
    return int(value) if value == int(value) else float(value)


class PaperRow(DataModel):
    """One line of a table (or one design described in prose); only printed figures are there."""

    id: Identifier | None = None
    design: Slug | None = None
    work: str = ""
    ref: str = ""
    algorithm: str = ""
    device: str = ""
    place: str
    own: bool
    note: str = ""
    digest_bits: Count | None = None
    block_bits: Count | None = None
    capacity_bits: Count | None = None
    clocks: Count | None = None
    blocks_in_flight: Count | None = None
    clocks_per_block: Count | None = None
    instructions: Count | None = None
    fmax_mhz: Printed | None = None
    delay_ns: Printed | None = None
    area_slices: Count | None = None
    luts: Count | None = None
    dsps: Count | None = None
    brams: Count | None = None
    throughput_gbps: Printed | None = None
    throughput_mbps: Printed | None = None
    tpa_mbps_per_slice: Printed | None = None
    power_w: Printed | None = None
    static_power_w: Printed | None = None
    dynamic_power_w: Printed | None = None
    power_mw: Printed | None = None
    dynamic_power_mw: Printed | None = None
    power_mw_per_gbps: Printed | None = None
    rom_kb: Printed | None = None
    ram_kb: Printed | None = None
    enhancement_percent: Printed | None = None

    @property
    def label(self) -> str:
        """Name the row: reference, work or algorithm, digest length, device."""
        what = self.work or (f"{self.algorithm}-{self.digest_bits or ''}".rstrip("-"))
        return " ".join(part for part in (self.ref, what, self.device) if part)

    @property
    def lut_area(self) -> tuple[int, str] | None:
        """The area in LUTs, those of its slices if need be, and their kind; None if not known."""
        if self.device not in SLICES:
            return None
        count, kind = SLICES[self.device]
        luts = self.luts or (self.area_slices and count * self.area_slices)
        return None if not luts else (luts, kind)

    @property
    def family(self) -> str:
        """The family of its algorithm; empty if there is none of ours."""
        return ALGORITHMS.get(self.algorithm, "")

    def values(self) -> dict[str, Decimal]:
        """Return every number of the row under its column's name."""
        cells = self.model_dump(exclude={"own"}).items()
        return {key: Decimal(v) for key, v in cells if isinstance(v, int | Decimal)}


class PaperTable(DataModel):
    """A table as printed: its columns, then a line for each row; `set` holds for every line."""

    place: str
    own: bool
    set: dict[str, Any] = Field(default={})
    columns: list[str]
    rows: list[PaperRow]

    @model_validator(mode="before")
    @classmethod
    def _lines_to_rows(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not isinstance(data.get("set", {}), dict):
            return data
        columns, lines = data.get("columns"), data.get("rows")
        if not isinstance(columns, list) or not isinstance(lines, list):
            return data
        common = {"place": data.get("place"), "own": data.get("own"), **data.get("set", {})}
        rows = []
        for number, line in enumerate(lines):
            if not isinstance(line, list) or len(line) != len(columns):
                raise ValueError(
                    f"rows.{number}: {len(columns)} cells required, one for each column"
                )
            cells = zip(columns, line, strict=True)
            rows.append({**common, **{key: cell for key, cell in cells if cell not in ("", "N/A")}})
        return {**data, "rows": rows}
