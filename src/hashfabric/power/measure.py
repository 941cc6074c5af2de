"""From a registry entry to power rows: synthesise, simulate at each duty, add up.

There are two kinds of job, each cached by the content of its inputs: `netlist` (yosys) and
`activity` (one duty, simulated with every state checked).
"""

import functools
import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hashfabric import netlist, power
from hashfabric.base import yosys
from hashfabric.base.cache import Cache, Job
from hashfabric.base.errors import LabError
from hashfabric.base.native import COMPILER
from hashfabric.base.paths import BUILD, ROOT
from hashfabric.base.progress import Steps
from hashfabric.base.tools import YOSYS
from hashfabric.flows.asic import LATCHES, LIBERTY, AsicTarget, latch_map
from hashfabric.flows.base import AnyTarget, RtlSource
from hashfabric.flows.mapped import MappedTarget
from hashfabric.implement.jobs import netlist_job, saved_places, synth_job
from hashfabric.models.functions import FAMILIES, FUNCTIONS
from hashfabric.netlist import cells, circuit, gates, liberty
from hashfabric.netlist.circuit import ONE, Circuit, Model
from hashfabric.power import energy, rows, stimulus
from hashfabric.power.rows import Estimate, EstimateProvenance, PowerRow, Toggles
from hashfabric.registry.designs import (
    Design,
    Parameter,
    Variant,
    find_design,
    hash_sources,
    read_sources,
)

DUTIES = (0.0, 0.1, 0.5, 1.0)
"""The default duties."""

BLOCKS = 40
"""The default of `Load.blocks`."""


@dataclass(frozen=True)
class Load:
    """The load of an engine: `duty` of at least `blocks` slots' intervals have a message."""

    duty: float
    blocks: int = BLOCKS
    seed: int = 1


@dataclass(frozen=True)
class EngineNetlist:
    """A variant's flat netlist for a target; `library` where the target has standard cells."""

    variant: Variant
    texts: dict[str, str]
    parameters: dict[str, Parameter]
    job: Job
    model: Model
    library: liberty.Library | None

    @functools.cached_property
    def circuit(self) -> Circuit:
        """The netlist, read."""
        return circuit.read(self.job.directory / "netlist.json", self.model)


def duties(text: str) -> list[float]:
    """Read duties given in percent, as in `0,10,50,100`; `LabError` on another form."""
    values = []
    for part in text.split(","):
        try:
            value = float(part)
        except ValueError:
            value = math.nan
        if not 0 <= value <= 100:  # noqa: PLR2004 - percent
            raise LabError(f"duty '{part.strip()}': must be a percentage from 0 to 100")
        values.append(value / 100)
    return values


def named_engine(text: str) -> tuple[Design, str]:
    """Return the design and the variant that `DESIGN` or `DESIGN/VARIANT` names.

    Without a variant it is the first engine. `LabError` if there is none, it is no engine, or an
    engine of another finalist: the load is Keccak blocks.
    """
    design_name, _, variant_name = text.partition("/")
    design = find_design(design_name)
    if FAMILIES[design.family].engine != "permutation":
        raise LabError(f"power: {design.name} is no engine of Keccak")
    return design, engine_variant(design, variant_name or None)[0]


def saved(root: Path = ROOT) -> list[tuple[Design, str, AnyTarget]]:
    """Return the design, variant and target of every row in results/; `LabError` if none."""
    return saved_places(rows.load, "power", root)


def engine_variant(design: Design, name: str | None) -> tuple[str, Variant]:
    """Return the variant called `name`, or the first engine; `LabError` if it is no engine."""
    if name is None:
        for known, variant in design.variants.items():
            if variant.kind == "engine":
                return known, variant
        raise LabError(f"{design.name}: has no variant of kind 'engine'")
    variant = design.variant(name)
    if variant.kind != "engine":
        raise LabError(
            f"{design.name} {name}: power is only for engines, and this is a {variant.kind}"
        )
    return name, variant


class Meter:
    """Measures designs on one target, with progress messages and a cache."""

    def __init__(self, target: AnyTarget, steps: Steps, cache: Cache | None = None) -> None:
        """Use `cache`, or the checkout's own."""
        self.target = target
        self.steps = steps
        self.cache = cache or Cache(BUILD / "cache")

    def measure(
        self, design: Design, variant_name: str | None, loads: Sequence[Load]
    ) -> list[PowerRow]:
        """Return a row for each load; `LabError` when the engine outputs a wrong state."""
        name, variant = engine_variant(design, variant_name)
        COMPILER.path()
        with self.steps.step(f"{design.name} {name}: netlist for {self.target.name}") as notes:
            synth = self.synthesise(variant)
            count = sum(synth.job.result["cells"].values())
            notes.append(f"{count:,} cells{' (cached)' if synth.job.cached else ''}")
        return [self._row(design, name, synth, load) for load in loads]

    def synthesise(self, variant: Variant) -> EngineNetlist:
        """Return the variant's netlist."""
        texts = read_sources(variant)
        if isinstance(self.target, AsicTarget):
            return self._cells(self.target, variant, texts)
        if isinstance(self.target, MappedTarget):
            return self._fpga(self.target, variant, texts)
        raise LabError(f"{self.target.name}: its netlists are not simulated")

    def _cells(self, target: AsicTarget, variant: Variant, texts: dict[str, str]) -> EngineNetlist:
        path = target.liberty_path()
        library = liberty.read(path)
        parameters = target.own_parameters(variant.parameters)
        read = yosys.read_command(variant.top, list(texts), parameters)
        files = texts | {LATCHES: latch_map(library)}
        script = target.script(read, variant.top)
        job = netlist_job(self.cache, files, script, library.digest, {LIBERTY: path})
        for cell in job.result["cells"]:
            if cell not in library.cells:
                raise LabError(f"{variant.top}: '{cell}' was not mapped to a cell of {target.name}")
        model = cells.library_model(library)
        return EngineNetlist(variant, texts, parameters, job, model, library)

    def _fpga(self, target: MappedTarget, variant: Variant, texts: dict[str, str]) -> EngineNetlist:
        target = target.with_profile(variant.profile)
        if (model := target.cell_model) is None:
            raise LabError(f"{target.name}: its cells are not modelled: toggles cannot be counted")
        core = synth_job(self.cache, target, RtlSource(texts, variant.top, variant.parameters))
        script = [
            "read_json mapped.json",
            "setattr -mod -unset keep_hierarchy",
            f"hierarchy -top {variant.top}; flatten; opt_clean -purge",
            "tee -q -o stat.json stat -json",
            "write_json netlist.json",
        ]
        mapped = {"mapped.json": core.directory / "netlist.json"}
        job = netlist_job(self.cache, {}, script, core.key, mapped)
        command = {"command": core.result["command"]}
        job = Job(job.key, job.directory, job.result | command, job.cached and core.cached)
        return EngineNetlist(variant, texts, variant.parameters, job, model, None)

    def _row(self, design: Design, name: str, synth: EngineNetlist, load: Load) -> PowerRow:
        text = f"{design.name} {name}: {100 * load.duty:g} % of the slots filled"
        with self.steps.step(text) as notes:
            job = self._activity(design, synth, load)
            run = stimulus.Counted(**job.result["run"])
            notes.append(f"{run.checked} states right, {run.clocks:,} clocks")
        target, timing = self.target, design.timing(synth.variant)
        estimate = None
        if isinstance(target, AsicTarget) and synth.library is not None:
            total = energy.Energy(**job.result["energy"])
            estimate = _estimate(total, run, design.block_bits, (target, synth.library))
        return PowerRow(
            name=design.name,
            variant=name,
            target=target.name,
            slots=timing.slots,
            block_bits=design.block_bits,
            duty=round(run.blocks / run.slot_turns, 6),
            blocks=run.blocks,
            slot_turns=run.slot_turns,
            turn_clocks=run.turn_clocks,
            clocks=run.clocks,
            states_checked=run.checked,
            cells=sum(synth.job.result["cells"].values()),
            registers=job.result["registers"],
            gated_registers=job.result["gated_registers"],
            toggles_per_clock=Toggles(**job.result["toggles_per_clock"]),
            energy=estimate,
            provenance=EstimateProvenance(
                top=synth.variant.top,
                tools={tool.name: tool.version() for tool in (YOSYS, COMPILER)},
                commands={"netlist": synth.job.result["command"], "activity": _shown(load)},
                parameters=synth.parameters,
                source_hash=hash_sources(synth.variant, synth.texts),
                netlist_source_hash=netlist_hash(target, synth.variant, synth.texts),
                liberty_sha256=synth.library.digest if synth.library else None,
                seed=load.seed,
                keys={"netlist": synth.job.key, "activity": job.key},
            ),
        )

    def _activity(self, design: Design, synth: EngineNetlist, load: Load) -> Job:
        timing = design.timing(synth.variant)
        name = "sha3-256" if "sha3-256" in design.functions else design.functions[0]
        assumed = assumptions(self.target) if isinstance(self.target, AsicTarget) else None
        inputs = {
            "job": "activity",
            "code": _code(),
            "compiler": COMPILER.version(),
            "netlist": synth.job.key,
            "ports": [synth.variant.clock, synth.variant.reset],
            "timing": vars(timing),
            "function": name,
            "load": vars(load) | {"duty": float(load.duty)},
            "assumed": assumed.model_dump() if assumed else None,
        }

        def work(_directory: Path) -> dict[str, Any]:
            clock, reset = synth.variant.clock, synth.variant.reset
            delays = None
            if assumed is not None and synth.library is not None:
                delays = energy.delays(synth.circuit, synth.library, assumed)

            def start() -> tuple[gates.GateSim, stimulus.Bench]:
                messages = stimulus.Messages(FUNCTIONS[name], load.seed)
                sim = gates.GateSim(synth.circuit, clock=clock, seed=load.seed, delays=delays)
                return sim, stimulus.Bench(sim, timing, messages, reset=reset)

            turn = stimulus.turn_clocks(start()[1], timing.slots)
            turns = math.ceil(load.blocks / timing.slots)
            filled = stimulus.pattern(timing.slots, turns, load.duty, load.seed)
            sim, bench = start()
            run = stimulus.counted_run(bench, sim, filled, turn)
            activity = sim.activity(run.clocks)
            result = {"run": vars(run)} | _count(synth.circuit, sim, activity)
            if assumed is not None and synth.library is not None:
                netlist = energy.Netlist(synth.circuit, synth.library, sim.clock_nets)
                total = energy.estimate(netlist, activity, assumed)
                result["energy"] = total.model_dump()
            return result

        return self.cache.run(inputs, work)


def netlist_hash(target: AnyTarget, variant: Variant, texts: dict[str, str]) -> str:
    """Return the sha256 (hex) of the inputs of the netlist of `variant` for `target`.

    They are the sources, the parameters with the target's changes, and the target's data.
    """
    if isinstance(target, AsicTarget):
        parameters = target.own_parameters(variant.parameters)
        variant, data = (
            variant.model_copy(update={"parameters": parameters}),
            target.model_dump_json(),
        )
    else:
        assert isinstance(target, MappedTarget)  # noqa: S101 - no other gives such rows
        data = target.with_profile(variant.profile).synth_command()
    return hashlib.sha256(f"{hash_sources(variant, texts)} {data}".encode()).hexdigest()


def assumptions(target: AsicTarget) -> energy.Assumptions:
    """Return the assumptions of `target`."""
    fields = energy.Assumptions.model_fields
    return energy.Assumptions(**{name: getattr(target, name) for name in fields})


def _count(net: Circuit, sim: gates.GateSim, activity: gates.Activity) -> dict[str, Any]:
    """Count edges a clock cycle, and the registers."""

    def rate(edges: gates.Edges, nets: Sequence[int]) -> float:
        total = sum(edges.rises[at] + edges.falls[at] for at in nets)
        return round(total / activity.clocks, 3)

    inside = net.memory | net.slices
    registers = [register.out for register in net.registers if register.out not in inside]
    # A slice has all its outputs, used or not.
    used = {at for gate in net.gates for at in gate.inputs}
    used |= {at for register in net.registers for at in (register.data, register.clock)}
    used |= {at for nets in net.ports.values() for at in nets}
    hidden = net.virtual | net.slices | sim.clock_nets
    data = [at for at in range(ONE + 1, net.nets) if at not in hidden and at in used]
    toggles = Toggles(
        registers=rate(activity.settled, registers),
        nets=rate(activity.settled, data),
        nets_with_glitches=rate(activity.all, data),
        memory=rate(activity.settled, sorted(net.memory)) if net.memory else None,
        slices=rate(activity.settled, sorted(net.slices)) if net.slices else None,
        slices_with_glitches=rate(activity.all, sorted(net.slices)) if net.slices else None,
    )
    return {
        "toggles_per_clock": toggles.model_dump(),
        "registers": len(registers),
        "gated_registers": net.gated_registers(net.ports[sim.clock][0]),
    }


def _estimate(
    total: energy.Energy,
    run: stimulus.Counted,
    block_bits: int,
    where: tuple[AsicTarget, liberty.Library],
) -> Estimate:
    target, library = where
    clock = total.per(run.clocks)
    rounded = energy.Energy(**{name: _figures(v) for name, v in clock.model_dump().items()})
    block = total.total / run.blocks / 1000 if run.blocks else None
    settled = total.settled / run.blocks / 1000 if run.blocks else None
    return Estimate(
        pj_per_clock=rounded,
        total_pj_per_clock=_figures(clock.total),
        settled_pj_per_clock=_figures(clock.settled),
        nj_per_block=None if block is None else _figures(block),
        settled_nj_per_block=None if settled is None else _figures(settled),
        pj_per_bit=None if block is None else _figures(1000 * block / block_bits),
        assumptions=assumptions(target),
        voltage=library.voltage,
        temperature=library.temperature,
    )


def _figures(value: float) -> float:
    """Return `value` rounded to five significant digits."""
    return float(f"{value:.5g}")


def _shown(load: Load) -> str:
    return f"hashfabric power --duty {100 * load.duty:g} --blocks {load.blocks} --seed {load.seed}"


@functools.cache
def _code() -> str:
    """Return a hash of the code that simulates and adds up, for the key of an activity job."""
    rooms = (netlist, power)
    files = [path for room in rooms for path in sorted(Path(room.__path__[0]).glob("*.[cp]*"))]
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    return hashlib.sha256(text.encode()).hexdigest()
