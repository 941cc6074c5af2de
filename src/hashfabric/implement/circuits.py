"""A design's mapped netlist as a circuit, for the simulators of leakage and of faults."""

from collections.abc import Mapping

from hashfabric.base import yosys
from hashfabric.base.cache import Cache
from hashfabric.base.errors import LabError
from hashfabric.flows.asic import LATCHES, LIBERTY, AsicTarget, latch_map
from hashfabric.flows.base import AnyTarget, RtlSource
from hashfabric.flows.mapped import MappedTarget
from hashfabric.implement.jobs import netlist_job, synth_job
from hashfabric.netlist import cells, circuit, liberty
from hashfabric.netlist.circuit import Circuit
from hashfabric.registry.sources import closure


def mapped(
    target: AnyTarget,
    top: str,
    parameters: Mapping[str, int | bool],
    cache: Cache,
    files: Mapping[str, str] | None = None,
) -> Circuit:
    """Return the netlist of `top` on `target`, built from `files` or from the library's."""
    texts = dict(closure(top) if files is None else files)
    if isinstance(target, AsicTarget):
        path = target.liberty_path()
        library = liberty.read(path)
        read = yosys.read_command(top, list(texts), parameters)
        texts[LATCHES] = latch_map(library)
        script = target.script(read, top)
        job = netlist_job(cache, texts, script, library.digest, {LIBERTY: path})
        return circuit.read(job.directory / "netlist.json", cells.library_model(library))
    if not isinstance(target, MappedTarget) or target.cell_model is None:
        raise LabError(f"{target.name}: its netlists are not simulated")
    core = synth_job(cache, target, RtlSource(texts, top, dict(parameters)))
    # Without -purge: it would drop a register's name where its bits have others too.
    script = ["read_json mapped.json", "delete t:$scopeinfo", "opt_clean"]
    script += ["tee -q -o stat.json stat -json", "write_json netlist.json"]
    netlist = {"mapped.json": core.directory / "netlist.json"}
    job = netlist_job(cache, {}, script, core.key, netlist)
    return circuit.read(job.directory / "netlist.json", target.cell_model)
