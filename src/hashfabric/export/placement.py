"""Places of the DSP slices of an exported core: whole cascades, columns in a clock region."""

import json
from pathlib import Path
from typing import Any

from hashfabric.base.cache import Cache, write_files
from hashfabric.base.paths import BUILD
from hashfabric.base.progress import step
from hashfabric.base.tools import YOSYS
from hashfabric.base.yosys import run_script
from hashfabric.export.plain import Plain
from hashfabric.netlist.cascades import COLUMN, cascades, columns, slices


def dsp_columns(core: Plain) -> tuple[str, list[list[str]]]:
    """Return the primitive of the core's DSP slices, and columns of them, the lowest slice first.

    A slice's name is its path below an instance of the core, with `/` between the levels. A column
    is no higher than a clock region. `LabError` where a cascade does not fit, or is none.
    """
    script = [
        "read_verilog plain.v",
        f"hierarchy -top {core.name}",
        "proc",
        "setattr -mod -unset keep_hierarchy",
        "flatten",
        "opt_clean",
        "write_json flat.json",
    ]
    inputs: dict[str, Any] = {
        "job": "cascades",
        "tools": {YOSYS.name: YOSYS.version()},
        "script": script,
        "files": {"plain.v": core.text},
    }

    def work(directory: Path) -> dict[str, Any]:
        write_files(directory, inputs["files"])
        with step(f"cascades of DSP slices in {core.name}: yosys finds them"):
            run_script(script, directory, name="cascades")
        flat = directory / "flat.json"
        cells = json.loads(flat.read_text(encoding="utf-8"))["modules"][core.name]["cells"]
        flat.unlink()
        return {"primitives": sorted(set(slices(cells).values())), "chains": cascades(cells)}

    result = Cache(BUILD / "cache").run(inputs, work).result
    [primitive] = result["primitives"]
    # Names of the plain Verilog have no dot, so each of them is a level.
    chains = [[name.replace(".", "/") for name in chain] for chain in result["chains"]]
    return primitive, columns(chains, COLUMN[primitive])
