"""The peripheral's registers: everything that is made of the SystemRDL is what it gives now.

`HF_RENEW=1 pytest tests/lab/test_registers.py` writes the generated files of the tree anew.
"""

import functools
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
from hashfabric.report import pages as report

LAST = 0x1C4
"""The address of the last register."""


@functools.cache
def made() -> dict[str, str]:
    """Return every generated file of the tree and its text."""
    return registers.rtl() | {registers.HEADER: registers.c_header()}


@pytest.mark.parametrize("path", sorted(made()))
def test_generated_files_are_current(path: str) -> None:
    """RTL and C header in the tree are what the description gives."""
    text = made()[path]
    if os.environ.get("HF_RENEW"):
        (ROOT / path).write_text(text, encoding="utf-8")
    assert (ROOT / path).read_text(encoding="utf-8") == text


def test_nothing_else_is_generated() -> None:
    """No file is left of a register block that is not made any more."""
    found = {
        f"{registers.GENERATED}/{path.name}" for path in (ROOT / registers.GENERATED).iterdir()
    }
    assert found == set(registers.rtl())


def test_another_description_gives_other_files(tmp_path: Path) -> None:
    """What the comparison above is worth: a moved register shows in each file."""
    moved = copied(tmp_path, "LENGTH @ 0x14", "LENGTH @ 0x48")
    assert registers.load(moved)["LENGTH"].address == 0x48
    current = made()
    other = registers.rtl(moved) | {registers.HEADER: registers.c_header(moved)}
    changed = {path for path in current if current[path] != other[path]}
    assert changed == set(current)
    assert registers.table(moved) != registers.table()


def copied(folder: Path, old: str, new: str) -> Path:
    """Return a root with a changed description."""
    text = (ROOT / registers.DESCRIPTION).read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = folder / registers.DESCRIPTION
    path.parent.mkdir(parents=True)
    path.write_text(text.replace(old, new), encoding="utf-8")
    return folder


def test_a_description_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    """In one line that names the file; no trace of the compiler's."""
    with pytest.raises(LabError, match=f"^{registers.DESCRIPTION}: systemrdl-compiler"):
        registers.load(copied(tmp_path, "addrmap hf_keccak_regs {", "addrmap hf_keccak_regs"))
    with pytest.raises(LabError, match=f"^{registers.DESCRIPTION}: "):
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


def test_the_header_has_the_addresses(tmp_path: Path) -> None:
    """A C compiler takes it, and finds each register where it is, and each field's mask."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None
    lines = ["#include <stddef.h>", f'#include "{Path(registers.HEADER).name}"']

    def check(condition: str) -> None:
        lines.append(f"typedef char check_{len(lines)}[({condition}) ? 1 : -1];")

    for name, register in registers.load().items():
        check(f"offsetof(hf_keccak_regs_t, {name}) == {register.address}")
        for field in register.fields:
            macro = f"HF_KECCAK_REGS__{name.replace('.', '__')}__{field.name.upper()}"
            check(f"{macro}_bm == {field.mask:#x}u && {macro}_bp == {field.low}")
            for value, number in field.values.items():
                check(f"{macro}__{value.upper()} == {number}")
    source = tmp_path / "check.c"
    shutil.copyfile(ROOT / registers.HEADER, tmp_path / Path(registers.HEADER).name)
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", str(source)]
    subprocess.run(command, check=True)


def test_what_is_written_for_others(tmp_path: Path) -> None:
    """The C header of the tree, pages, and IP-XACT with every register's address."""
    out = tmp_path / "out"
    files = registers.write(out)
    assert all(path.is_file() for path in files)
    assert files[0].read_text(encoding="utf-8") == registers.c_header()
    tree = ET.parse(out / "hf_keccak_regs.xml").getroot()
    space = re.match(r"\{.*\}", tree.tag)
    assert space is not None
    offsets = {
        str(one.findtext(f"{space[0]}name")): str(one.findtext(f"{space[0]}addressOffset"))
        for one in tree.iter(f"{space[0]}register")
    }
    for name, register in registers.load().items():
        if "." not in name:
            assert int(offsets[name].replace("'h", "0x"), 0) == register.address
    with pytest.raises(LabError, match="not an empty directory"):
        registers.write(out)


def test_the_page_has_every_field() -> None:
    """The table of docs/integrate/regs.md is made of the description too."""
    text = (ROOT / "docs" / "integrate" / "regs.md").read_text(encoding="utf-8")
    part = text.split(report.BEGIN)[1].split(report.END)[0]
    assert part.strip() == "\n".join(registers.table())
    for register in registers.load().values():
        for field in register.fields:
            assert f"| {field.name} | {field.software}" in part
