"""Projects for Vivado, Quartus and Radiant: text made from a core, which we do not run.

None of the three tools is free to install here, so the projects are only checked as text, XML and
Tcl (tests/lab/test_vendors.py). Each project can measure the core in the same serial harness
as our own rows (docs/measure/methodology.md); `hashfabric results add` reads the reports back.
"""

from collections.abc import Mapping, Sequence

from hashfabric.export import ipxact
from hashfabric.export.core import Core, Protocol
from hashfabric.export.templates import render
from hashfabric.implement import harness
from hashfabric.netlist.cascades import COLUMN

MEASURE = "measure.sv"
"""The harness around the core: the top that is measured."""

PLACEMENT = "placement.tcl"
"""The places of a core's DSP slices."""


PLATFORM_DESIGNER: Mapping[Protocol, str] = {
    "axis": "axi4stream",
    "axil": "axi4lite",
    "axi": "axi4",
}
"""Platform Designer's types of interface."""

LACKING = {
    "vivado": {"Wishbone": "wb_cyc"},
    "quartus": {"Wishbone": "wb_cyc", "APB4": "s_apb_psel"},
}
"""By format: buses for which the tool's catalogue has no interface, and a port that says so.

Platform Designer's APB has no strobes of bytes.
"""


def vivado(core: Core) -> dict[str, str]:
    """Return the files of a Vivado project by name, beside the core's own.

    `component.xml` is the core for the IP catalogue, `package.tcl` has Vivado's packager write it
    again, `measure.tcl` places and routes.
    """
    return {
        "component.xml": ipxact.component(core),
        "package.tcl": _render("vivado_package.tcl.j2", core),
        "measure.tcl": _render("vivado_measure.tcl.j2", core),
        MEASURE: _harness(core),
    }


def placement(core: Core, primitive: str, columns: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return `placement.tcl` for Vivado: slices of `primitive` in columns, the lowest first."""
    height = COLUMN[primitive]
    values = {"core": core, "primitive": primitive, "columns": columns, "height": height}
    return {PLACEMENT: render("vivado_placement.tcl.j2", **values)}


def quartus(core: Core) -> dict[str, str]:
    """Return the files of a Quartus project by name, beside the core's own.

    `<top>_hw.tcl` is the component for Platform Designer, `<top>.qip` the list of files for a
    project, `measure.tcl` compiles.
    """
    return {
        f"{core.top}_hw.tcl": _render("quartus_hw.tcl.j2", core),
        f"{core.top}.qip": _render("quartus.qip.j2", core),
        "measure.tcl": _render("quartus_measure.tcl.j2", core),
        MEASURE: _harness(core),
    }


def radiant(core: Core) -> dict[str, str]:
    """Return the files of a Radiant project by name, beside the core's own: `measure.tcl`."""
    return {"measure.tcl": _render("radiant_measure.tcl.j2", core), MEASURE: _harness(core)}


def tcl_word(text: str) -> str:
    """Return `text` as one word of Tcl in which nothing is substituted."""
    for special in '\\"$[]{}':
        text = text.replace(special, f"\\{special}")
    return f'"{text}"'


def _harness(core: Core) -> str:
    return harness.render(core.top, core.ports, {}, clock=core.clock, reset=core.reset)


def _render(template: str, core: Core) -> str:
    return render(
        template,
        core=core,
        buses=core.buses(),
        registers=core.registers,
        vivado=ipxact,
        types=PLATFORM_DESIGNER,
        stamp=core.stamp("harness"),
        measure=MEASURE,
        harness=harness.TOP,
        word=tcl_word,
    )
