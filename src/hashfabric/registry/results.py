"""Result rows: the figures of one build, and everything needed to measure it again."""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Annotated, Any, NoReturn, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)

from hashfabric.base.cache import locked, write_atomically
from hashfabric.base.datafile import first_fault, shown
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.registry.designs import Parameter

SIMULATOR_FILE = "simulator.json"
"""In results/: the speed of the simulation."""

SOFTWARE_FILE = "software.json"
"""In results/: the speed of software, for scale."""

POWER_PREFIX = "power-"
"""In results/: the start of the names of the files of `power.rows`."""

AREA_PREFIX = "area-"
"""In results/: the same of `area.rows`."""

REPORTED_PREFIX = "reported-"
"""In results/: the same of `registry.reported`. All other files are `result_file`s."""

PEER_PREFIX = "peer-"
"""In results/: the same of `registry.peers`."""

TASKS_PREFIX = "tasks-"
"""In results/: the same of tasks that SoCs do with libraries that are not in the tree."""

M = TypeVar("M", bound=BaseModel)


Count = Annotated[int, Field(ge=0, le=1 << 53)]
"""A count that may be zero; no more than a float can count."""

Number = Annotated[int, Field(ge=1, le=1 << 53)]
"""A count of at least one."""

Positive = Annotated[float, Field(ge=1e-12, le=1e12)]
"""A measure that is never zero, in any unit that rows use."""


class RowModel(BaseModel):
    """Base of rows and their parts: unknown keys and numbers that are not finite are faults."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class VariantRow(RowModel):
    """Base of rows of a design's variant on a target, beside those of builds."""

    name: str
    variant: str
    target: str


V = TypeVar("V", bound=VariantRow)


STEADY_SEEDS = 3
"""Seeds from which on a clock is a median with a spread."""


class Fmax(RowModel):
    """Clock in MHz over the `n` seeds that routed; `seeds` holds each, null if unrouted."""

    median: Positive | None
    min: Positive | None
    max: Positive | None
    n: Count
    seeds: dict[str, Positive | None]
    unrouted: dict[str, str] = {}

    @model_validator(mode="after")
    def _of_its_seeds(self) -> "Fmax":
        found = sum(clock is not None for clock in self.seeds.values())
        if found != self.n:
            raise ValueError(f"n is {self.n}, and {found} seeds have a clock")
        if (self.median is None or self.min is None or self.max is None) != (self.n == 0):
            raise ValueError("median, min and max are of the seeds that have a clock")
        return self

    @classmethod
    def of(cls, seeds: dict[int, float | None], unrouted: dict[int, str]) -> "Fmax":
        """Take the statistics of `seeds`; `unrouted` has the reason for each that did not route."""
        clocks = [clock for clock in seeds.values() if clock is not None]
        return cls(
            median=round(median(clocks), 3) if clocks else None,
            min=min(clocks, default=None),
            max=max(clocks, default=None),
            n=len(clocks),
            seeds={str(seed): seeds[seed] for seed in sorted(seeds)},
            unrouted={str(seed): unrouted[seed] for seed in sorted(unrouted)},
        )

    def text(self) -> str:
        """Return the clock, MHz, for a table: median (min to max, n), or (n=1) without a spread."""
        if self.median is None:
            return f"– (0 of {len(self.seeds)} seeds routed)"
        of = f" of {len(self.seeds)}" if self.n != len(self.seeds) else ""
        spread = "" if self.n == 1 else f"{self.min:.1f}–{self.max:.1f}, "
        return f"{self.median:.1f} ({spread}n={self.n}{of})"


class BuildProvenance(RowModel):
    """The origin of a row. `commands` are run in the job's own directory; `keys` are its jobs.

    `netlists` are the hashes of the netlists without (`core`) and in the `harness`
    (`netlist.structure`): the row stays valid while they stay. `elaborated` is the hash of the
    synthesised design after elaboration. `seconds` are the times that its jobs took where they ran;
    rows of older versions have none.
    """

    tools: dict[str, str]
    commands: dict[str, str]
    seeds: list[int]
    constraint_mhz: Positive | None
    source_hash: str
    harness_hash: str
    netlists: dict[str, str] = {}
    elaborated: str = ""
    clocks_measured_by: str
    keys: dict[str, str]
    seconds: dict[str, Annotated[float, Field(ge=0, le=1e9)]] = {}

    @model_serializer(mode="wrap")
    def _without_empty_times(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        found: dict[str, Any] = handler(self)
        return found if self.seconds else {k: v for k, v in found.items() if k != "seconds"}


class PermutationUse(RowModel):
    """The clocks of the permutation, and the size of its program, with some compiler flags.

    `instructions` are there if the processor counts them.
    """

    clocks: Number
    code_bytes: Number
    instructions: Number | None = None


class TaskUse(RowModel):
    """Clocks of a task by a peripheral's driver, by interrupt, and in software.

    None where it is not done so: in software, where its simulation takes too long.
    """

    driver: Number
    interrupt: Number | None = None
    software: Number | None = None


class TaskRow(RowModel):
    """The cost of a task on a variant's SoC, done by more than the SoC's own program.

    `library` says by what: a library that is not in the tree, or a part of the driver.
    `stack_bytes` is the deepest stack, with the driver or without.
    """

    name: str
    variant: str
    task: str
    library: str
    use: TaskUse
    stack_bytes: Number
    tools: dict[str, str]


class FirmwareUse(RowModel):
    """The cost of a program on the processor: clocks for the empty message, one block; bytes.

    `code_bytes` are code and constants. `data_bytes` are variables and `stack_bytes` the deepest
    stack; messages and digests are not in them. `clocks_per_permutation` are those of one
    Keccak-f, where the processor computes it. `instructions_per_byte` are those of a block of
    SHA3-512, by its bytes, where the processor counts. `settings` holds the clocks of the
    permutation by the compiler's optimisation flags. `tasks` holds the clocks of each task with a
    peripheral and without, by its name.
    """

    clocks_per_hash: Number
    clocks_per_permutation: Number | None = None
    instructions_per_byte: Positive | None = None
    settings: dict[str, PermutationUse] = {}
    tasks: dict[str, TaskUse] = {}
    code_bytes: Number
    data_bytes: Count
    stack_bytes: Count

    @property
    def ram_bytes(self) -> int:
        """The memory that is written while the program runs."""
        return self.data_bytes + self.stack_bytes


class MeasuredRow(RowModel):
    """One measured row.

    `luts`, `ffs` are the whole design as placed, harness included (or as synthesised, where the
    target has no place and route); `luts_core`, `ffs_core` the same top synthesised without it.
    `gbps` = `block_bits` x median Fmax / `clocks_per_block`; `mbps_per_lut` divides by `luts`.
    `firmware` is there for a system.
    """

    name: str
    variant: str
    target: str
    device: str
    lut: str
    block_bits: Number
    clocks_per_block: Positive
    slots: Number
    fmax_mhz: Fmax | None
    luts: Number
    luts_core: Number
    luts_detail: dict[str, Count]
    ffs: Count
    ffs_core: Count
    dsps: Count
    brams: Count
    gbps: Positive | None
    mbps_per_lut: Positive | None
    bitstream_seed: int | None = None
    firmware: FirmwareUse | None = None
    provenance: BuildProvenance

    @property
    def label(self) -> str:
        """Its name in tables, beside the design's."""
        return self.variant

    @property
    def one_seed(self) -> bool:
        """Whether the clock, and the figures that depend on it, come from one seed."""
        return self.fmax_mhz is not None and self.fmax_mhz.n == 1

    @property
    def few_seeds(self) -> bool:
        """Whether fewer than `STEADY_SEEDS` were tried."""
        return self.fmax_mhz is not None and len(self.fmax_mhz.seeds) < STEADY_SEEDS

    @property
    def logic_cells(self) -> int:
        """LUTs or flip-flops of the top without harness, whichever are more: slices have both."""
        return max(self.luts_core, self.ffs_core)

    @property
    def bits_per_clock(self) -> float:
        """Message bits a clock at full slots: the throughput of rows without Fmax."""
        return rounded(self.block_bits / self.clocks_per_block)

    @property
    def mbps_per_cell(self) -> float | None:
        """Throughput per logic cell."""
        return None if self.gbps is None else rounded(1000 * self.gbps / self.logic_cells)

    def as_json(self) -> dict[str, Any]:
        """Return the row as commands print it: stored and derived figures."""
        return {**self.model_dump(), "mbps_per_cell": self.mbps_per_cell}


class PrivateRow(MeasuredRow):
    """A row of a private build, which is not in results/.

    `parameters` are those that were set, over the variant's own.
    """

    parameters: dict[str, Parameter] = {}

    @property
    def label(self) -> str:
        """The variant, and the parameters that were set."""
        return " ".join([self.variant, *settings_texts(self.parameters)])


class Outcome(RowModel):
    """The outcome of one configuration of a sweep: its row, or why it `failed`, or both.

    It has both where no seed routed. `key` is the hash of all that the row depends on, empty
    without one.
    """

    name: str
    variant: str
    target: str
    parameters: dict[str, Parameter]
    key: str
    row: PrivateRow | None = None
    failed: str | None = None

    @model_validator(mode="after")
    def _says_something(self) -> "Outcome":
        if self.row is None and self.failed is None:
            raise ValueError("neither a row nor a reason for none")
        return self

    @property
    def label(self) -> str:
        """The configuration as messages name it."""
        return " ".join([self.name, self.variant, *settings_texts(self.parameters)])


def settings_texts(parameters: Mapping[str, Parameter]) -> list[str]:
    """Return parameters that were set as the command line takes them, in order of their names."""
    return [f"{name}={_text(parameters[name])}" for name in sorted(parameters)]


def _text(value: Parameter) -> str:
    return str(value).lower()


class Statistics(RowModel):
    """Repeated measurements of one figure."""

    median: Positive
    min: Positive
    max: Positive
    n: Number

    @classmethod
    def of(cls, values: list[float]) -> "Statistics":
        """Take the statistics of `values`, at least one."""
        ends = (median(values), min(values), max(values))
        middle, low, high = (round(value, 2) for value in ends)
        return cls(median=middle, min=low, max=high, n=len(values))

    def text(self) -> str:
        """Return the spread for a table."""
        return f"{self.median:.1f} ({self.min:.1f}–{self.max:.1f}, n={self.n})"


class Speed(RowModel):
    """Speed of the simulated stream top on one core of `cpu`: MB/s of message, clocks a second."""

    name: str
    function: str
    message_bytes: Number
    cpu: str
    mb_per_s: Statistics
    mclocks_per_s: Statistics


class SoftwareSpeed(RowModel):
    """Speed of a package's function on one core of `cpu`, for a long message: Gb/s of it."""

    function: str
    package: str
    message_bytes: Number
    cpu: str
    gbps: Statistics


def unrouted(rows: list[MeasuredRow]) -> list[MeasuredRow]:
    """Return the rows whose target has place and route, but no seed that routed."""
    return [row for row in rows if row.fmax_mhz is not None and row.fmax_mhz.n == 0]


def throughput_gbps(block_bits: int, fmax_mhz: float, clocks_per_block: float) -> float:
    """Return Gb/s: bits a block times clocks a second over clocks a block."""
    return rounded(block_bits * fmax_mhz / clocks_per_block / 1000)


def rounded(value: float) -> float:
    """Return `value`, above 0, to four decimals; below 0.1 to four significant digits."""
    return round(value, max(4, 3 - math.floor(math.log10(value))))


def result_file(design: str, target: str, root: Path = ROOT) -> Path:
    """Return the file of the rows of `design` on `target`."""
    return root / "results" / f"{design}-{target}.json"


def rows_json(rows: Sequence[BaseModel]) -> str:
    """Return `rows` as the text of a JSON list, keys sorted."""
    return json.dumps([row.model_dump() for row in rows], indent=2, sort_keys=True) + "\n"


def save_rows(rows: Sequence[MeasuredRow], design: str, target: str, root: Path = ROOT) -> Path:
    """Write the rows of `design` on `target` and return the file."""
    path = result_file(design, target, root)
    write_atomically(path, rows_json(rows))
    return path


def save_simulator(rows: Sequence[Speed], root: Path = ROOT) -> Path:
    """Write the simulator's speeds and return the file."""
    path = root / "results" / SIMULATOR_FILE
    write_atomically(path, rows_json(rows))
    return path


def save_software(rows: Sequence[SoftwareSpeed], root: Path = ROOT) -> Path:
    """Write the speeds of software and return the file."""
    path = root / "results" / SOFTWARE_FILE
    write_atomically(path, rows_json(rows))
    return path


def save_variants(
    prefix: str, rows: Sequence[V], place: Callable[[V], Any], root: Path = ROOT
) -> list[Path]:
    """Write `rows` to results/`prefix`DESIGN-TARGET.json, by `place` in order; return the files.

    Existing rows of other variants are kept.
    """
    return add_rows(
        rows,
        file=lambda row: root / "results" / f"{prefix}{row.name}-{row.target}.json",
        key=lambda row: row.variant,
        place=place,
    )


def add_rows(
    rows: Sequence[M],
    *,
    file: Callable[[M], Path],
    key: Callable[[M], Any],
    place: Callable[[M], Any],
) -> list[Path]:
    """Add `rows` to their files, by `place` in order; return the files.

    Existing rows with the key of a new one are replaced.
    """
    files: dict[Path, list[M]] = {}
    for row in rows:
        files.setdefault(file(row), []).append(row)
    for path, new in files.items():
        fresh = {key(row) for row in new}
        with locked(path.parent):
            before = load_list(path, type(new[0])) if path.exists() else []
            every = [row for row in before if key(row) not in fresh] + new
            every.sort(key=place)
            write_atomically(path, rows_json(every))
    return list(files)


def load_prefixed(prefix: str, model: type[M], root: Path = ROOT) -> list[M]:
    """Read every results/`prefix`*.json; `LabError` names a file without rows."""
    paths = sorted((root / "results").glob(f"{prefix}*.json"))
    return [row for path in paths for row in load_list(path, model)]


def load_rows(root: Path = ROOT) -> list[MeasuredRow]:
    """Read every results/<design>-<target>.json; `LabError` names a file without rows."""
    paths = _row_files(root / "results")
    return [row for path in paths for row in load_list(path, MeasuredRow)]


def is_row_file(name: str) -> bool:
    """Return whether a file of results/ called `name` has measured rows."""
    others = (AREA_PREFIX, PEER_PREFIX, POWER_PREFIX, REPORTED_PREFIX, TASKS_PREFIX)
    return name not in (SIMULATOR_FILE, SOFTWARE_FILE) and not name.startswith(others)


def _row_files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.glob("*.json")) if is_row_file(path.name)]


ROW_FILE = "row.json"
"""In a build's directory: its row."""


def load_private(paths: Iterable[Path]) -> list[PrivateRow | Outcome]:
    """Read the rows and outcomes of sweeps in `paths`, in their order.

    A path is a file of either, the directory of a build, or a directory of builds, sweeps or
    result files. `LabError` where there is neither a row nor an outcome.
    """
    found: list[PrivateRow | Outcome] = []
    for path in paths:
        files = [path]
        if path.is_dir():
            one = path / ROW_FILE
            files = (
                [one] if one.exists() else [*_row_files(path), *sorted(path.glob(f"*/{one.name}"))]
            )
            if not files:
                raise LabError(f"{shown(path)}: no rows in it")
        for file in files:
            outcome = load_outcome(file)
            found += load_list(file, PrivateRow) if outcome is None else [outcome]
    return found


def measured_rows(rows: Iterable[MeasuredRow | Outcome]) -> list[MeasuredRow]:
    """Return the rows that there are: outcomes of a sweep that failed have none."""
    found = (row.row if isinstance(row, Outcome) else row for row in rows)
    return [row for row in found if row is not None]


def load_outcome(path: Path) -> Outcome | None:
    """Read a file of a sweep; None if it is none, `LabError` if it has a fault."""
    try:
        entry = json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_number)
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(entry, dict):
        return None
    try:
        return Outcome.model_validate(entry)
    except ValidationError as error:
        raise LabError(f"{shown(path)}: no outcome of a sweep: {first_fault(error)}") from error


def rows_of(design: str, target: str, root: Path = ROOT) -> list[MeasuredRow]:
    """Read the rows of `design` on `target`; empty when nothing was measured yet."""
    path = result_file(design, target, root)
    return load_list(path, MeasuredRow) if path.exists() else []


def load_simulator(root: Path = ROOT) -> list[Speed]:
    """Read the simulator's speeds; empty when they were not measured yet."""
    path = root / "results" / SIMULATOR_FILE
    return load_list(path, Speed) if path.exists() else []


def load_software(root: Path = ROOT) -> list[SoftwareSpeed]:
    """Read the speeds of software; empty when they were not measured yet."""
    path = root / "results" / SOFTWARE_FILE
    return load_list(path, SoftwareSpeed) if path.exists() else []


def tasks_file(design: str, root: Path = ROOT) -> Path:
    """Return the file of the tasks of `design`."""
    return root / "results" / f"{TASKS_PREFIX}{design}.json"


def load_tasks(design: str, root: Path = ROOT) -> list[TaskRow]:
    """Read the tasks of `design`; empty when none was measured."""
    path = tasks_file(design, root)
    return load_list(path, TaskRow) if path.exists() else []


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def load_list(path: Path, model: type[M]) -> list[M]:
    """Read a file of `model`s; `LabError` names the row and the bad field."""
    fault = f"{shown(path)}: not a list of result rows"
    try:
        text = path.read_text(encoding="utf-8")
        entries = json.loads(text, parse_constant=_no_number)
    except OSError as error:
        raise LabError(f"{shown(path)}: cannot be read: {error.strerror}") from error
    except RecursionError as error:
        raise LabError(f"{fault}: nested too deep") from error
    except ValueError as error:
        raise LabError(f"{fault}: {error}") from error
    if not isinstance(entries, list):
        raise LabError(fault)
    rows = []
    for number, entry in enumerate(entries, start=1):
        try:
            rows.append(model.model_validate(entry))
        except ValidationError as error:
            raise LabError(f"{shown(path)}: row {number}: {first_fault(error)}") from error
    return rows
