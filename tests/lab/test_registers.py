"""The peripheral's registers: everything that is made of the SystemRDL is what it gives now.

`HF_RENEW=1 pytest tests/lab/test_registers.py` writes the generated files of the tree anew.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.registry import registers
from hashfabric.registry.registers import DESCRIPTIONS, DMA, PERIPHERAL, Description
from hashfabric.report import pages as report

LAST = 0x1C4
"""The address of the last register."""

each = pytest.mark.parametrize("source", DESCRIPTIONS, ids=lambda source: source.name)


def test_generated_files_are_current() -> None:
    """RTL and C headers in the tree are what the descriptions give, and no other RTL is left."""
    found = {
        f"{registers.GENERATED}/{path.name}" for path in (ROOT / registers.GENERATED).iterdir()
    }
    made: set[str] = set()
    for source in DESCRIPTIONS:
        rtl = registers.rtl(source=source)
        made |= set(rtl)
        for path, text in (rtl | {source.header: registers.c_header(source=source)}).items():
            if os.environ.get("HF_RENEW"):
                (ROOT / path).write_text(text, encoding="utf-8")
            assert (ROOT / path).read_text(encoding="utf-8") == text, path
    assert found == made


def test_another_description_gives_other_files(tmp_path: Path) -> None:
    """What the comparison above is worth: a moved register shows in each file."""
    moved = copied(tmp_path, "LENGTH @ 0x14", "LENGTH @ 0x48")
    assert registers.load(moved)["LENGTH"].address == 0x48
    current = registers.rtl() | {PERIPHERAL.header: registers.c_header()}
    other = registers.rtl(moved) | {PERIPHERAL.header: registers.c_header(moved)}
    changed = {path for path in current if current[path] != other[path]}
    assert changed == set(current)
    assert registers.table(moved) != registers.table()


def copied(folder: Path, old: str, new: str) -> Path:
    """Return a root with a changed description."""
    text = (ROOT / PERIPHERAL.path).read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = folder / PERIPHERAL.path
    path.parent.mkdir(parents=True)
    path.write_text(text.replace(old, new), encoding="utf-8")
    return folder


def test_a_description_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    """In one line that names the file; no trace of the compiler's."""
    with pytest.raises(LabError, match=f"^{PERIPHERAL.path}: systemrdl-compiler"):
        registers.load(copied(tmp_path, "addrmap hf_keccak_regs {", "addrmap hf_keccak_regs"))
    with pytest.raises(LabError, match=f"^{PERIPHERAL.path}: "):
        registers.load(tmp_path / "nothing")


def test_fields_are_as_described() -> None:
    """One of each kind, and the end of the map."""
    known = registers.load()
    assert max(r.address + 4 * (r.count - 1) for r in known.values()) == LAST
    assert known["ID"].reset == int.from_bytes(b"HFK1", "big")
    assert known["STATE.WORD"].count == 50
    windows = {name: (r.address, r.count) for name, r in known.items() if r.external}
    assert windows == {
        "LENGTH": (0x14, 1),
        "RUN": (0x38, 1),
        "MESSAGE": (0x40, 1),
        "DIGEST": (0x44, 1),
        "MESSAGE_WINDOW.WORD": (0x80, 16),
        "DIGEST_WINDOW.WORD": (0xC0, 16),
        "STATE.WORD": (0x100, 50),
    }
    assert known["STATUS"].field("phase").values["held"] == 4
    function = known["CONFIG"].field("function_code")
    assert (function.software, function.reset, function.guarded) == ("rw", 1, True)
    assert known["ERROR"].field("digest_read").clears
    assert known["COMMAND"].field("clear").pulse
    assert known["STATUS"].field("busy").reset is None
    assert known["LENGTH"].field("bits").changes
    assert known["TAIL"].field("bits").changes
    assert not known["CONFIG"].field("stream").changes


def test_the_master_has_the_peripherals_addresses() -> None:
    """Addresses and bits of the peripheral that are typed in hf_keccak_dma_pkg, and its page."""
    text = (ROOT / "rtl/regs/hf_keccak_dma_pkg.sv").read_text(encoding="utf-8")
    typed = dict(re.findall(r"(\w+) = \d+'h([0-9A-F_]+);", text))
    numbers = {name: int(value.replace("_", ""), 16) for name, value in typed.items()}
    known = registers.load()
    for name in ("Config", "Length", "Tail", "Command", "Status", "Digest"):
        assert numbers.pop(f"Addr{name}") == known[name.upper()].address
    assert numbers.pop("AddrIntrState") == known["INTR_STATE"].address
    for name in ("Start", "Last", "Clear"):
        assert numbers.pop(f"Command{name}") == known["COMMAND"].field(name.lower()).mask
    for name in ("Stream", "Packets"):
        assert numbers.pop(f"Config{name}") == known["CONFIG"].field(name.lower()).mask
    assert numbers.pop("IntrAll") == known["INTR_STATE"].bits(lambda _: True)
    assert not numbers
    assert registers.DMA_PAGE > LAST


@each
def test_the_header_has_the_addresses(source: Description, tmp_path: Path) -> None:
    """A C compiler takes it, and finds each register where it is, and each field's mask."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None
    lines = ["#include <stddef.h>", f'#include "{Path(source.header).name}"']

    def check(condition: str) -> None:
        lines.append(f"typedef char check_{len(lines)}[({condition}) ? 1 : -1];")

    for name, register in registers.load(source=source).items():
        check(f"offsetof({source.name}_t, {name}) == {register.address}")
        for field in register.fields:
            macro = f"{source.name.upper()}__{name.replace('.', '__')}__{field.name.upper()}"
            check(f"{macro}_bm == {field.mask:#x}u && {macro}_bp == {field.low}")
            for value, number in field.values.items():
                check(f"{macro}__{value.upper()} == {number}")
    checks = tmp_path / "check.c"
    shutil.copyfile(ROOT / source.header, tmp_path / Path(source.header).name)
    checks.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", str(checks)]
    subprocess.run(command, check=True)


def test_what_is_written_for_others(tmp_path: Path) -> None:
    """The C headers of the tree, pages, and IP-XACT with every register's address."""
    out = tmp_path / "out"
    files = registers.write(out)
    assert all(path.is_file() for path in files)
    for source in DESCRIPTIONS:
        header, description = out / Path(source.header).name, out / f"{source.name}.xml"
        assert {header, description} <= set(files)
        assert header.read_text(encoding="utf-8") == registers.c_header(source=source)
        tree = ET.parse(description).getroot()
        space = re.match(r"\{.*\}", tree.tag)
        assert space is not None
        offsets = {
            str(one.findtext(f"{space[0]}name")): str(one.findtext(f"{space[0]}addressOffset"))
            for one in tree.iter(f"{space[0]}register")
        }
        for name, register in registers.load(source=source).items():
            if "." not in name:
                assert int(offsets[name].replace("'h", "0x"), 0) == register.address
    with pytest.raises(LabError, match="not an empty directory"):
        registers.write(out)


@pytest.mark.parametrize(("source", "page"), [(PERIPHERAL, "regs.md"), (DMA, "dma.md")])
def test_the_page_has_every_field(source: Description, page: str) -> None:
    """The table of the registers' page is made of the description too."""
    text = (ROOT / "docs" / "integrate" / page).read_text(encoding="utf-8")
    part = text.split(report.BEGIN)[1].split(report.END)[0]
    assert part.strip() == "\n".join(registers.table(source=source))
    for register in registers.load(source=source).values():
        for field in register.fields:
            assert f"| {field.name} | {field.software}" in part
