"""A core as an IP-XACT component (IEEE 1685-2009) with what Vivado's IP catalogue adds to it.

The elements are in the order of the standard's schema.
"""

from collections.abc import Iterable, Mapping
from xml.etree import ElementTree as ET

from hashfabric.base.yosys import Port
from hashfabric.export.core import AXIS, Core

SPIRIT = "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"
XILINX = "http://www.xilinx.com"
XSI = "http://www.w3.org/2001/XMLSchema-instance"

VIEWS = {
    "xilinx_anylanguagesynthesis": ":vivado.xilinx.com:synthesis",
    "xilinx_anylanguagebehavioralsimulation": ":vivado.xilinx.com:simulation",
}
"""The views of the core by name, and what Vivado does with each."""

FAMILIES = (
    "spartan7",
    "artix7",
    "kintex7",
    "virtex7",
    "zynq",
    "kintexu",
    "virtexu",
    "kintexuplus",
    "virtexuplus",
    "virtexuplusHBM",
    "zynquplus",
    "versal",
)
"""Vivado's names of the families that the core supports; it has no primitive of any."""

NOTICE = " Made by hashfabric. Not run by us in Vivado: only checked as XML. "

DIRECTIONS = {"input": "in", "output": "out", "inout": "inout"}


def component(core: Core) -> str:
    """Return component.xml: bus interfaces, ports, files of `core`."""
    for prefix, space in (("spirit", SPIRIT), ("xilinx", XILINX), ("xsi", XSI)):
        ET.register_namespace(prefix, space)
    root = ET.Element(_spirit("component"))
    root.append(ET.Comment(NOTICE))
    for key in ("vendor", "library", "name"):
        _add(root, key, getattr(core, key))
    _add(root, "version", core.ip_version)
    buses = _add(root, "busInterfaces")
    for stream, signals in core.streams().items():
        mode = "slave" if AXIS[stream] == "input" else "master"
        _bus(buses, stream, "interface:axis", mode, signals)
    clock = {"ASSOCIATED_BUSIF": ":".join(core.streams()), "ASSOCIATED_RESET": core.reset}
    ports = {port.name: port for port in core.ports}
    _bus(buses, core.clock, "signal:clock", "slave", {"CLK": ports[core.clock]}, parameters=clock)
    polarity = {"POLARITY": "ACTIVE_HIGH"}
    _bus(
        buses, core.reset, "signal:reset", "slave", {"RST": ports[core.reset]}, parameters=polarity
    )
    model = _add(root, "model")
    views = _add(model, "views")
    for name, environment in VIEWS.items():
        view = _add(views, "view")
        _add(view, "name", name)
        _add(view, "envIdentifier", environment)
        _add(view, "language", "Verilog")
        _add(view, "modelName", core.top)
        _add(_add(view, "fileSetRef"), "localName", f"{name}_view_fileset")
    listed = _add(model, "ports")
    for port in core.ports:
        _port(listed, port, undriven=port in core.others())
    sets = _add(root, "fileSets")
    for name in VIEWS:
        files = _add(sets, "fileSet")
        _add(files, "name", f"{name}_view_fileset")
        for path in core.files:
            file = _add(files, "file")
            _add(file, "name", path)
            _add(file, "fileType", "verilogSource")
    _add(root, "description", core.description)
    parameter = _add(_add(root, "parameters"), "parameter")
    _add(parameter, "name", "Component_Name")
    attributes = {"resolve": "user", "id": "PARAM_VALUE.Component_Name", "order": "1"}
    value = f"{core.name}_v{core.ip_version.replace('.', '_')}"
    _add(parameter, "value", value, attributes)
    _extensions(root, core)
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _spirit(name: str) -> str:
    return f"{{{SPIRIT}}}{name}"


def _add(
    parent: ET.Element, name: str, text: str | None = None, attributes: Mapping[str, str] = {}
) -> ET.Element:
    """Append an element of the standard to `parent` and return it."""
    child = ET.SubElement(parent, _spirit(name))
    child.text = text
    for key, value in attributes.items():
        child.set(_spirit(key), value)
    return child


def _bus(  # noqa: PLR0913 - one parameter a part of the element
    parent: ET.Element,
    name: str,
    kind: str,
    mode: str,
    ports: Mapping[str, Port],
    *,
    parameters: Mapping[str, str] = {},
) -> None:
    """Add a bus interface: its logical ports, in capitals, and the physical ones."""
    bus = _add(parent, "busInterface")
    _add(bus, "name", name)
    library, definition = kind.split(":")
    for element, suffix in (("busType", ""), ("abstractionType", "_rtl")):
        identity = {"vendor": "xilinx.com", "library": library, "version": "1.0"}
        _add(bus, element, None, {**identity, "name": definition + suffix})
    _add(bus, mode)
    maps = _add(bus, "portMaps")
    for logical, port in ports.items():
        entry = _add(maps, "portMap")
        _add(_add(entry, "logicalPort"), "name", logical.upper())
        _add(_add(entry, "physicalPort"), "name", port.name)
    _parameters(bus, name, parameters.items())


def _parameters(bus: ET.Element, name: str, parameters: Iterable[tuple[str, str]]) -> None:
    wanted = [(key, value) for key, value in parameters if value]
    if wanted:
        listed = _add(bus, "parameters")
        for key, value in wanted:
            parameter = _add(listed, "parameter")
            _add(parameter, "name", key)
            _add(parameter, "value", value, {"id": f"BUSIFPARAM_VALUE.{name.upper()}.{key}"})


def _port(parent: ET.Element, port: Port, *, undriven: bool) -> None:
    """Add a port; an input that is part of no stream is 0 where nothing drives it."""
    element = _add(parent, "port")
    _add(element, "name", port.name)
    wire = _add(element, "wire")
    _add(wire, "direction", DIRECTIONS[port.direction])
    if port.width > 1:
        vector = _add(wire, "vector")
        _add(vector, "left", str(port.width - 1), {"format": "long"})
        _add(vector, "right", "0", {"format": "long"})
    kinds = _add(_add(wire, "wireTypeDefs"), "wireTypeDef")
    _add(kinds, "typeName", "wire")
    for view in VIEWS:
        _add(kinds, "viewNameRef", view)
    if undriven and port.direction == "input":
        _add(_add(wire, "driver"), "defaultValue", "0", {"format": "long"})


def _extensions(root: ET.Element, core: Core) -> None:
    """Add what only Vivado reads: families, place in the catalogue, name there."""
    extensions = ET.SubElement(_add(root, "vendorExtensions"), f"{{{XILINX}}}coreExtensions")
    families = ET.SubElement(extensions, f"{{{XILINX}}}supportedFamilies")
    for family in FAMILIES:
        entry = ET.SubElement(families, f"{{{XILINX}}}family")
        entry.set(f"{{{XILINX}}}lifeCycle", "Beta")
        entry.text = family
    taxonomies = ET.SubElement(extensions, f"{{{XILINX}}}taxonomies")
    ET.SubElement(taxonomies, f"{{{XILINX}}}taxonomy").text = "/UserIP"
    ET.SubElement(extensions, f"{{{XILINX}}}displayName").text = core.description
    ET.SubElement(extensions, f"{{{XILINX}}}coreRevision").text = "1"
