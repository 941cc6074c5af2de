"""A core as an IP-XACT component (IEEE 1685-2009) with what Vivado's IP catalogue adds to it.

The elements are in the order of the standard's schema.
"""

from collections.abc import Mapping
from xml.etree import ElementTree as ET

from hashfabric.base.yosys import Port
from hashfabric.export.core import Bus, Core, Protocol

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
    "artixuplus",
    "spartanuplus",
    "virtexuplus",
    "virtexuplusHBM",
    "zynquplus",
    "versal",
)
"""Vivado's names of the families that the core supports; it has no primitive of any."""

NOTICE = " Made by hashfabric. Not run by us in Vivado: only checked as XML. "

DEFINITIONS: Mapping[Protocol, str] = {
    "axis": "interface:axis",
    "axil": "interface:aximm",
    "axi": "interface:aximm",
    "apb": "interface:apb",
    "interrupt": "signal:interrupt",
}
"""Vivado's library and name of a bus definition, version 1.0."""

_PROTOCOLS: Mapping[Protocol, str] = {"axil": "AXI4LITE", "axi": "AXI4"}
_LOGICAL = {"irq": "INTERRUPT"}

SMALLEST_MAP = 4096
"""Bytes of the smallest range that an interconnect with AXI4 on it gives to a slave."""

REGISTERS = "registers"
"""The name of the address block of a bus that is accessed."""

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
    for name, bus in core.buses().items():
        mode = "master" if bus.begins else "slave"
        element = _bus(buses, name, DEFINITIONS[bus.protocol], logical_ports(bus), mode)
        if bus.address_bits:
            reference = "addressSpaceRef" if bus.begins else "memoryMapRef"
            for one in element.iterfind(_spirit(mode)):
                _add(one, reference, None, {reference: name})
        _parameters(element, name, bus_parameters(core, bus))
    for name, parameters in clock_and_reset(core).items():
        kind, logical = ("clock", "CLK") if name == core.clock else ("reset", "RST")
        element = _bus(buses, name, f"signal:{kind}", {logical: name}, "slave")
        _parameters(element, name, parameters)
    _addresses(root, core)
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
    idle = core.idle()
    for port in core.ports:
        _port(listed, port, idle.get(port.name))
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


def logical_ports(bus: Bus) -> dict[str, str]:
    """Return the names of a bus's ports by the logical names of Vivado's definition."""
    return {_LOGICAL.get(name, name.upper()): port.name for name, port in bus.ports.items()}


def bus_parameters(core: Core, bus: Bus) -> dict[str, str]:
    """Return the parameters of a bus that its ports do not say by themselves."""
    if bus.protocol == "interrupt":
        width = bus.ports["irq"].width
        return {"SENSITIVITY": "LEVEL_HIGH"} | ({"PortWidth": str(width)} if width > 1 else {})
    if bus.protocol not in _PROTOCOLS:
        return {}
    found = {"PROTOCOL": _PROTOCOLS[bus.protocol], "DATA_WIDTH": str(bus.data_bits)}
    if bus.begins:  # Beats are whole, and the digest is one burst.
        found |= {"SUPPORTS_NARROW_BURST": "0", "NUM_READ_OUTSTANDING": str(core.open_reads)}
        found["NUM_WRITE_OUTSTANDING"] = "1"
    return found


def map_bytes(bus: Bus) -> int:
    """Return the range of addresses of a bus; in that of a slave its registers may repeat."""
    found = 1 << bus.address_bits
    return found if bus.begins else max(found, SMALLEST_MAP)


def clock_and_reset(core: Core) -> dict[str, dict[str, str]]:
    """Return the parameters of the clock's and of the reset's interface."""
    synchronous = [name for name, bus in core.buses().items() if bus.protocol != "interrupt"]
    clock = {"ASSOCIATED_BUSIF": ":".join(synchronous), "ASSOCIATED_RESET": core.reset}
    return {
        core.clock: {key: value for key, value in clock.items() if value},
        core.reset: {"POLARITY": "ACTIVE_HIGH"},
    }


def _bus(
    parent: ET.Element, name: str, kind: str, ports: Mapping[str, str], mode: str
) -> ET.Element:
    """Append a bus interface, physical ports by their logical names, and return it."""
    bus = _add(parent, "busInterface")
    _add(bus, "name", name)
    library, definition = kind.split(":")
    for element, suffix in (("busType", ""), ("abstractionType", "_rtl")):
        identity = {"vendor": "xilinx.com", "library": library, "version": "1.0"}
        _add(bus, element, None, {**identity, "name": definition + suffix})
    _add(bus, mode)
    maps = _add(bus, "portMaps")
    for logical, physical in ports.items():
        entry = _add(maps, "portMap")
        _add(_add(entry, "logicalPort"), "name", logical)
        _add(_add(entry, "physicalPort"), "name", physical)
    return bus


def _addresses(root: ET.Element, core: Core) -> None:
    """Add the space of addresses of each bus that the core begins, and the map of each other."""
    buses = {name: bus for name, bus in core.buses().items() if bus.address_bits}
    spaces = {name: bus for name, bus in buses.items() if bus.begins}
    maps = {name: bus for name, bus in buses.items() if not bus.begins}
    listed = _add(root, "addressSpaces") if spaces else root
    for name, bus in spaces.items():
        space = _add(listed, "addressSpace")
        _add(space, "name", name)
        _extent(space, bus)
    listed = _add(root, "memoryMaps") if maps else root
    for name, bus in maps.items():
        memory = _add(listed, "memoryMap")
        _add(memory, "name", name)
        block = _add(memory, "addressBlock")
        _add(block, "name", REGISTERS)
        _add(block, "baseAddress", "0", {"format": "long"})
        _extent(block, bus)
        _add(block, "usage", "register")


def _extent(parent: ET.Element, bus: Bus) -> None:
    _add(parent, "range", str(map_bytes(bus)), {"format": "long"})
    _add(parent, "width", str(bus.data_bits), {"format": "long"})


def _parameters(bus: ET.Element, name: str, parameters: Mapping[str, str]) -> None:
    if parameters:
        listed = _add(bus, "parameters")
        for key, value in parameters.items():
            parameter = _add(listed, "parameter")
            _add(parameter, "name", key)
            _add(parameter, "value", value, {"id": f"BUSIFPARAM_VALUE.{name.upper()}.{key}"})


def _port(parent: ET.Element, port: Port, idle: int | None) -> None:
    """Add a port, and the value that an input has where nothing drives it."""
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
    if idle is not None:
        _add(_add(wire, "driver"), "defaultValue", str(idle), {"format": "long"})


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
