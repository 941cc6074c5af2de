"""From a registry entry to its area on standard cells, with RAM in flip-flops and as macros.

The delay is that of the longest path (`netlist.timing`) where RAM is in flip-flops.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hashfabric.area import rows
from hashfabric.area.rows import AreaProvenance, AreaRow, CellArea, CellDelay, Ram
from hashfabric.base import yosys
from hashfabric.base.cache import Cache, Job
from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD, ROOT
from hashfabric.base.progress import Steps
from hashfabric.base.tools import YOSYS
from hashfabric.flows.asic import (
    LATCHES,
    LIBERTY,
    MACRO_WORDS,
    PORTS,
    AsicTarget,
    latch_map,
    memories_script,
)
from hashfabric.flows.base import AnyTarget
from hashfabric.flows.mapped import NETLIST
from hashfabric.implement.jobs import netlist_job, saved_places
from hashfabric.netlist import circuit, liberty, timing
from hashfabric.netlist.structure import structure_hash
from hashfabric.registry.designs import (
    Design,
    Variant,
    find_design,
    hash_sources,
    read_sources,
)

FLIP_FLOPS, MACROS = "flip-flops", "macros"
"""The two forms of a netlist, by what its RAM is."""

RAM_CELL = "$mem_v2"
"""The cell of a RAM that is a macro, in yosys' netlist."""

_NAND_TABLE = 0b0111


def chosen(text: str) -> tuple[Design, str]:
    """Return the design and the variant that `DESIGN` or `DESIGN/VARIANT` names.

    Without a variant it is the first one.
    """
    name, _, variant = text.partition("/")
    design = find_design(name)
    if variant:
        design.variant(variant)
    return design, variant or next(iter(design.variants))


def saved(root: Path = ROOT) -> list[tuple[Design, str, AnyTarget]]:
    """Return the design, variant and target of every row in results/; `LabError` if none."""
    return saved_places(rows.load, "area", root)


def measure(
    target: AnyTarget, design: Design, name: str, steps: Steps, cache: Cache | None = None
) -> AreaRow:
    """Return the row of the variant `name`; `LabError` for a cell that is not in the library."""
    if not isinstance(target, AsicTarget):
        raise LabError(f"{target.name}: area in gates is of a library of cells: try osu018")
    variant = design.variant(name)
    if variant.firmware is not None or variant.copies > 1:
        raise LabError(f"{design.name} {name}: a {variant.kind} has no area in gates")
    texts = read_sources(variant)
    library = liberty.read(path := target.liberty_path())
    nand = _nand_area(library)
    jobs: dict[str, Job] = {}
    with steps.step(f"{design.name} {name}: area on {target.name}") as notes:
        where = cache or Cache(BUILD / "cache")
        files = texts | {LATCHES: latch_map(library), PORTS: target.ports_text(library)}
        todo = scripts(target, variant, list(texts))
        look = memories_script(_read_command(target, variant, list(texts)), variant.top)
        if not _has_ram(_read(netlist_job(where, texts, look, "", {}))):
            del todo[MACROS]  # It would be the same as the other.
        for form, script in todo.items():
            jobs[form] = netlist_job(where, files, script, library.digest, {LIBERTY: path})
        netlists = {form: _read(job) for form, job in jobs.items()}
        rams = _rams(netlists[MACROS]["modules"][variant.top]) if MACROS in netlists else []
        if not rams and MACROS in jobs:
            del jobs[MACROS], netlists[MACROS]
        areas = {form: _cells(job, library, nand) for form, job in jobs.items()}
        delay = _delay(jobs[FLIP_FLOPS], library, target)
        notes.append(", ".join(f"{area.gates:,.0f} GE, {form}" for form, area in areas.items()))
    return AreaRow(
        name=design.name,
        variant=name,
        target=target.name,
        block_bits=design.block_bits_of(variant),
        clocks_per_block=design.timing(variant).clocks_per_block,
        nand_um2=nand,
        flip_flops=areas[FLIP_FLOPS],
        macros=areas.get(MACROS),
        rams=rams,
        delay=delay,
        provenance=AreaProvenance(
            top=variant.top,
            tools={YOSYS.name: YOSYS.version()},
            commands={form: job.result["command"] for form, job in jobs.items()},
            netlists={
                form: structure_hash(netlist, variant.top) for form, netlist in netlists.items()
            },
            parameters=target.own_parameters(variant.parameters),
            source_hash=hash_sources(variant, texts),
            inputs_hash=inputs_hash(target, variant, texts),
            liberty_sha256=library.digest,
            keys={form: job.key for form, job in jobs.items()},
        ),
    )


def scripts(target: AsicTarget, variant: Variant, paths: Sequence[str]) -> dict[str, list[str]]:
    """Return the script of each form."""
    read = _read_command(target, variant, paths)
    return {
        form: target.script(read, variant.top, macros=form == MACROS, buffers=True)
        for form in (FLIP_FLOPS, MACROS)
    }


def _read_command(target: AsicTarget, variant: Variant, paths: Sequence[str]) -> str:
    return yosys.read_command(variant.top, paths, target.own_parameters(variant.parameters))


def inputs_hash(target: AsicTarget, variant: Variant, texts: dict[str, str]) -> str:
    """Return the sha256 (hex) of what the netlists depend on, but for tools and the library."""
    commands = scripts(target, variant, [Path(path).name for path in texts])
    assumed = [target.wire_pf, target.output_pf, target.clock_slew_ns]
    identity = [hash_sources(variant, texts), commands, assumed]
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()


def _nand_area(library: liberty.Library) -> float:
    """Return the area of the smallest NAND of two inputs."""
    areas = [cell.area for cell in library.cells.values() if cell.function(2) == _NAND_TABLE]
    if not areas:
        raise LabError(f"{library.name}: no NAND of two inputs, which is the unit of area")
    return min(areas)


def _read(job: Job) -> Any:
    return json.loads((job.directory / NETLIST).read_text(encoding="utf-8"))


def _has_ram(netlist: Any) -> bool:
    """Return whether a module of the netlist has a memory that may be a macro."""
    return any(
        cell["type"] == RAM_CELL and int(cell["parameters"]["SIZE"], 2) >= MACRO_WORDS
        for module in netlist["modules"].values()
        for cell in module["cells"].values()
    )


def _rams(module: Any) -> list[Ram]:
    """Return the RAMs of a netlist, the largest first; `LabError` for what no macro does."""
    found = []
    for cell in module["cells"].values():
        if cell["type"] != RAM_CELL:
            continue
        number = {
            key: int(value, 2)
            for key, value in cell["parameters"].items()
            if key != "MEMID" and set(value) <= {"0", "1"}
        }
        reads, writes = number["RD_PORTS"], number["WR_PORTS"]
        name = str(cell["parameters"]["MEMID"])
        if number["RD_CLK_ENABLE"] != (1 << reads) - 1:
            raise LabError(f"{name}: a RAM that is read without a clock is no macro")
        for pin in ("RD_SRST", "RD_ARST"):
            if any(bit not in ("0", "x") for bit in cell["connections"][pin]):
                raise LabError(f"{name}: a RAM whose output is cleared is no macro")
        if set(cell["parameters"]["INIT"]) & {"0", "1"}:
            raise LabError(f"{name}: a RAM with contents after power-on is no macro")
        found.append(Ram(words=number["SIZE"], width=number["WIDTH"], reads=reads, writes=writes))
    return sorted(found, key=lambda ram: (ram.bits, ram.reads), reverse=True)


def _cells(job: Job, library: liberty.Library, nand: float) -> CellArea:
    counts = {kind: n for kind, n in job.result["cells"].items() if kind != RAM_CELL}
    for kind in counts:
        if kind not in library.cells:
            raise LabError(f"'{kind}' was not mapped to a cell of {library.name}")
    storage = {kind: library.cells[kind].storage for kind in counts}
    return CellArea(
        gates=round(sum(n * library.cells[kind].area for kind, n in counts.items()) / nand, 1),
        cells=sum(counts.values()),
        registers=sum(n for kind, n in counts.items() if storage[kind] is not None),
    )


def _delay(job: Job, library: liberty.Library, target: AsicTarget) -> CellDelay | None:
    """Return the longest path of the netlist; None where it has none (`timing.longest_path`)."""
    assumed = timing.Assumed(target.wire_pf, target.output_pf, target.clock_slew_ns)
    net = circuit.read(job.directory / NETLIST, lambda *_: None)  # The simulator's model: not used.
    path = timing.longest_path(net, library, assumed)
    if path is None:
        return None
    return CellDelay(
        ns=round(path.ns, 3),
        clock_to_output_ns=round(path.clock_to_output_ns, 3),
        setup_ns=round(path.setup_ns, 3),
        cells=len(path.cells),
    )
