"""The registers of the peripheral and of its DMA master, each from its SystemRDL.

Fields, RTL, C header, pages, IP-XACT. A description is compiled by systemrdl-compiler, and the
exporters of PeakRDL write the files for other tools; no register's address is in this code.
"""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from peakrdl_cheader.c_standards import CStandard
from peakrdl_cheader.exporter import CHeaderExporter
from peakrdl_html import HTMLExporter
from peakrdl_ipxact import IPXACTExporter
from peakrdl_regblock import RegblockExporter
from peakrdl_regblock.cpuif.apb4 import APB4_Cpuif_flattened
from peakrdl_regblock.udps import ALL_UDPS
from systemrdl.compiler import RDLCompiler
from systemrdl.messages import RDLCompileError
from systemrdl.node import AddrmapNode, FieldNode, Node, RegfileNode, RegNode

from hashfabric.base.cache import move_into_place, scratch_directory
from hashfabric.base.datafile import place_of, shown
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT

GENERATED = "rtl/regs/generated"
"""The folder of the register blocks."""


class _Apb(APB4_Cpuif_flattened):  # type: ignore[misc]  # without types
    """APB4, whose block has one output more: the access that it decodes is an error.

    A write without a byte is not an error: a bus after a width converter has such writes.
    """

    @property
    def port_declaration(self) -> str:
        return f"{super().port_declaration},\noutput logic bad_access"

    def get_implementation(self) -> str:
        # The decoder's error, of a read as of a write.
        return (
            f"{super().get_implementation()}\n\n// An access that no register takes\n"
            "assign bad_access = cpuif_wr_err & (~cpuif_req_is_wr | (|cpuif_wr_biten));"
        )


@dataclass(frozen=True)
class Description:
    """A SystemRDL file, and what is made of it.

    The names of the register block, of its package and of the package's constants begin with
    `prefix`. `header` is the C header.
    """

    path: str
    header: str
    prefix: str

    @property
    def name(self) -> str:
        """The name of its address map."""
        return Path(self.path).stem


PERIPHERAL = Description(
    path="rtl/regs/hf_keccak_regs.rdl",
    header="driver/hf_keccak_regs.h",
    prefix="hf_keccak_csr",
)
"""The registers of the Keccak peripheral."""

DMA = Description(
    path="rtl/regs/hf_keccak_dma_regs.rdl",
    header="driver/hf_keccak_dma_regs.h",
    prefix="hf_keccak_dma_csr",
)
"""Those of its DMA master."""

CHAIN = Description(
    path="rtl/regs/hf_keccak_chain_regs.rdl",
    header="driver/hf_keccak_chain_regs.h",
    prefix="hf_keccak_chain_csr",
)
"""Those of the unit for chains of hashes."""

MASKED = Description(
    path="rtl/regs/hf_keccak_masked_regs.rdl",
    header="driver/hf_keccak_masked_regs.h",
    prefix="hf_keccak_masked_csr",
)
"""Those of the masked peripheral."""

CONTEXTS = Description("rtl/regs/hf_keccak_contexts.rdl", header="", prefix="")
"""What a page of contexts has beside those of the peripheral. Nothing is made of it but a table."""

DESCRIPTIONS = (PERIPHERAL, DMA, CHAIN, MASKED)

DMA_PAGE = 0x200
"""The address of the DMA master's first register, from the peripheral's."""

_LICENCE = "Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0"
_MADE = "Made of {}: HF_RENEW=1 .venv/bin/pytest tests/lab/test_registers.py"

# Each field drives its own part of a struct: Verilator expects one process a struct.
_FIELDS = "/* verilator lint_%s MULTIDRIVEN */"


@dataclass(frozen=True)
class Field:
    """Bits `low` to `high` of a register.

    `software` is the access of software (r, w, rw); `reset` is None where the hardware drives the
    value. A write of 1 clears (`clears`), or is high for one clock (`pulse`); the hardware may
    change it (`changes`), or close it to writes (`guarded`).
    """

    name: str
    low: int
    high: int
    software: str
    reset: int | None
    clears: bool
    pulse: bool
    changes: bool
    guarded: bool
    text: str
    values: dict[str, int]

    @property
    def mask(self) -> int:
        """Its bits in the register."""
        return (1 << self.high + 1) - (1 << self.low)


@dataclass(frozen=True)
class MappedRegister:
    """A register, or `count` of them, four bytes apart; `external` ones are not flip-flops."""

    name: str
    address: int
    count: int
    external: bool
    title: str
    text: str
    fields: tuple[Field, ...]

    @property
    def reset(self) -> int:
        """The value after a reset of the bits that the register block holds."""
        return sum(
            (field.reset or 0) << field.low for field in self.fields if "r" in field.software
        )

    def bits(self, wanted: Callable[[Field], bool]) -> int:
        """Return the mask of the fields that `wanted` selects."""
        return sum(field.mask for field in self.fields if wanted(field))

    def field(self, name: str) -> Field:
        """Return the field called `name`."""
        return next(field for field in self.fields if field.name == name)


def load(root: Path = ROOT, source: Description = PERIPHERAL) -> dict[str, MappedRegister]:
    """Return every register by name, by address; those of a file as FILE.NAME."""
    found = {}
    top = _elaborated(root, source)
    for node in _registers(top):
        name = node.get_rel_path(top, array_suffix="", empty_array_suffix="")
        file = node.parent
        fields = tuple(_field(field) for field in node.fields())
        found[name] = MappedRegister(
            name=name,
            address=node.raw_absolute_address,
            count=node.array_dimensions[0] if node.array_dimensions else 1,
            external=node.external or (isinstance(file, RegfileNode) and file.external),
            title=node.get_property("name"),
            text=_text(node),
            fields=fields,
        )
    return found


def rtl(root: Path = ROOT, source: Description = PERIPHERAL) -> dict[str, str]:
    """Return the register block and its package: the text of each by its path."""
    top = _elaborated(root, source)
    package = f"{source.prefix}_pkg"
    made = _MADE.format(source.path)
    files: dict[str, str] = {}
    module = f"{source.prefix}_apb"
    with tempfile.TemporaryDirectory() as folder:
        RegblockExporter().export(
            top,
            folder,
            cpuif_cls=_Apb,
            module_name=module,
            package_name=package,
            err_if_bad_addr=True,
            err_if_bad_rw=True,
        )
        for path in (f"{module}.sv", f"{package}.sv"):
            text = (Path(folder) / path).read_text(encoding="utf-8")
            # Constants of the package that have the module's name.
            text = text.replace(
                f"localparam {module.upper()}", f"localparam {source.prefix.upper()}"
            )
            files[f"{GENERATED}/{path}"] = (
                f"// {_LICENCE}\n// {made}\n{_FIELDS % 'off'}\n{text}{_FIELDS % 'on'}\n"
            )
    return files


def c_header(root: Path = ROOT, source: Description = PERIPHERAL) -> str:
    """Return the registers as a C header: addresses as a struct, fields and phases as macros."""
    top = _elaborated(root, source)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(source.header).name
        CHeaderExporter().export(top, str(path), std=CStandard.gnu99)
        text = path.read_text(encoding="utf-8")
    # Values of fields that have names: the exporter leaves them out.
    values = [
        f"#define {top.inst_name.upper()}__{register.name.replace('.', '__')}__"
        f"{field.name.upper()}__{name.upper()} {value}\n"
        for register in load(root, source).values()
        for field in register.fields
        for name, value in field.values.items()
    ]
    before, end, after = text.rpartition("\n#ifdef __cplusplus")
    made = _MADE.format(source.path)
    return f"/* {_LICENCE} */\n/* {made} */\n{before}{''.join(values)}{end}{after}"


def write(out: Path, root: Path = ROOT) -> list[Path]:
    """Write the C header, HTML pages and IP-XACT of the registers into `out`.

    `LabError` unless that is a new or an empty directory.
    """
    place = place_of(out)
    if out.exists() and any(out.iterdir()):
        raise LabError(f"{shown(out)}: exists already and is not an empty directory")
    tops = [_elaborated(root, source) for source in DESCRIPTIONS]
    files = []
    with scratch_directory(place.parent, place.name) as scratch:
        for source, top in zip(DESCRIPTIONS, tops, strict=True):
            header, description = Path(source.header).name, f"{source.name}.xml"
            (scratch / header).write_text(c_header(root, source), encoding="utf-8")
            IPXACTExporter().export(top, str(scratch / description))
            files += [header, description]
        HTMLExporter().export(tops, str(scratch / "html"))
        move_into_place(scratch, place)
    return [*(out / name for name in files), out / "html" / "index.html"]


def table(root: Path = ROOT, source: Description = PERIPHERAL) -> list[str]:
    """Return the registers and their fields as lines of Markdown."""
    lines = ["| Address | Register | Bits | Field | Access | Reset | Meaning |"]
    lines.append("| --: | :-- | --: | :-- | :-- | --: | :-- |")
    for register in load(root, source).values():
        address = f"0x{register.address:02X}"
        if register.count > 1:
            address += f" – 0x{register.address + 4 * (register.count - 1):02X}"
        lines.append(f"| {address} | **{register.name}** | | | | | {_sentence(register)} |")
        for field in register.fields:
            bits = str(field.low) if field.low == field.high else f"{field.high}:{field.low}"
            access = f"{field.software}1c" if field.clears else field.software
            reset = "" if field.reset is None or field.pulse else f"{field.reset:X}"
            text = " ".join([field.text, *_values(field)])
            lines.append(f"| | | {bits} | {field.name} | {access} | {reset} | {text} |")
    return lines


def _sentence(register: MappedRegister) -> str:
    return f"{register.title}. {register.text}".strip()


def _values(field: Field) -> Iterator[str]:
    if field.values:
        yield ", ".join(f"{value}: {name}" for name, value in field.values.items()) + "."


def _elaborated(root: Path, source: Description) -> AddrmapNode:
    compiler = RDLCompiler()
    for udp in ALL_UDPS:
        compiler.register_udp(udp)
    try:
        compiler.compile_file(str(root / source.path))
        return compiler.elaborate().top
    except (RDLCompileError, FileNotFoundError) as error:
        raise LabError(f"{source.path}: systemrdl-compiler does not read it") from error


def _registers(node: Node) -> Iterator[RegNode]:
    for child in node.children(unroll=False):
        if isinstance(child, RegNode):
            yield child
        else:
            yield from _registers(child)


def _field(node: FieldNode) -> Field:
    reset: Any = node.get_property("reset")
    encoding = node.get_property("encode")
    software = node.get_property("sw").name
    holds = node.implements_storage or node.get_property("hw").name == "na"
    return Field(
        name=node.inst_name,
        low=node.low,
        high=node.high,
        software=software,
        reset=int(reset) if holds and reset is not None else None,
        clears=node.get_property("onwrite") is not None,
        pulse=node.get_property("singlepulse"),
        changes=node.is_hw_writable or any(node.get_property(name) for name in ("hwset", "hwclr")),
        guarded=bool(node.get_property("swwe")),
        text=_text(node),
        values={} if encoding is None else {one.name: one.value for one in encoding},
    )


def _text(node: Node) -> str:
    return " ".join((node.get_property("desc") or "").split())
