"""The SoC of examples/soc: what LiteX makes of it now, and its program at the serial line.

HF_RENEW=1 in the environment writes what is made of `soc.py` anew.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.tools import VERILATOR
from hashfabric.export.configuration import configuration
from hashfabric.export.formats import export
from hashfabric.registry import designs as registry
from hashfabric.registry.designs import Firmware, find_design
from hashfabric.simulate import firmware, soc
from hashfabric.simulate.known_answers import quick_check
from hashfabric.simulate.soc import SocSim, message
from tests.support.examples import examples, without_network
from tests.systems.soc import check_tasks, simulated

DESIGN = find_design("keccak-soc")
VARIANT = DESIGN.variant("vexriscv")
RTL = ROOT / "systems" / "rtl" / "generated" / "hf_litex_soc.sv"
HEADER = ROOT / soc.HEADER
SOC = ROOT / "examples" / "soc" / "soc.py"
RENEW = "HF_RENEW=1 .venv/bin/pytest tests/systems/test_soc.py"
MADE = f"// Made of examples/soc/soc.py by LiteX: {RENEW}\n"


PERIPHERALS = {
    "core": configuration("keccak-regs/wb-dma", ["Sampler=true"]),
    "chain": configuration("keccak-chain/wb-trees"),
}
"""What examples/soc/Makefile exports, by the option of soc.py."""

slow = pytest.mark.slow


####################
# What is made     #
####################


def make(folder: Path, *options: str, python: str = sys.executable) -> Path:
    """Export the peripherals and let LiteX make the SoC; return where that is."""
    command = [python, str(SOC), "--output-dir", str(folder)]
    for option, one in PERIPHERALS.items():
        export(one, "litex", folder / option)
        command += [f"--{option}", str(folder / option)]
    done = subprocess.run(
        [*command, *options], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


def kept(text: str) -> str:
    """Return the SoC as the tree has it.

    Without the program, which the host loads, without what only says when and where it was made,
    and without a time scale, which no other file has. The exported peripherals have their
    parameters in them; ours get them here.
    """
    text = re.sub(
        r"^(?:`timescale .*|// (?:Date|LiteX sha1|Filename) .*|// .* on 20.*)\n",
        "",
        text,
        flags=re.M,
    )
    for one in PERIPHERALS.values():
        given = ", ".join(f".{name}(1'b{int(value)})" for name, value in one.parameters.items())
        instance = f"{one.module} #({given}) {one.module}"
        text, count = re.subn(f"^{one.module} {one.module}", instance, text, flags=re.M)
        assert count == 1
    text, count = re.subn(r"^initial begin\n\t\$readmemh.*?\nend\n", "", text, flags=re.M | re.S)
    assert count == 1
    return MADE + text


def test_the_soc_is_what_litex_makes(tmp_path: Path) -> None:
    """With the exported module; and the header that its program is compiled with."""
    pytest.importorskip("litex", reason="no LiteX here: pip install litex")
    folder = make(tmp_path)
    made = {
        RTL: kept((folder / "hf_litex_soc.v").read_text(encoding="utf-8")),
        HEADER: MADE + (folder / "hf_litex_soc.h").read_text(encoding="utf-8"),
    }
    for path, text in made.items():
        if os.environ.get("HF_RENEW"):
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text, path.name


def test_the_soc_on_a_board(tmp_path: Path) -> None:
    """Pins and clock of Lattice's evaluation board, as litex-boards has them."""
    pytest.importorskip("litex_boards", reason="no litex-boards here: pip install litex-boards")
    folder = make(tmp_path, "--board", "ecp5_evn")
    pins = (folder / "hf_litex_soc.lpf").read_text(encoding="utf-8")
    for port, site in (("clk12", "A10"), ("rst_n", "G2"), ("serial_tx", "P3"), ("serial_rx", "P2")):
        assert f'LOCATE COMP "{port}" SITE "{site}"' in pins
    text = (folder / "hf_litex_soc.v").read_text(encoding="utf-8")
    assert "EHXPLLL" in text and "hf_keccak_wb_dma hf_keccak_wb_dma" in text


@pytest.mark.parametrize("design", ["keccak-regs", "keccak-chain"])
@pytest.mark.parametrize("variant", ["axil", "apb"])
def test_litex_requires_wishbone(design: str, variant: str, tmp_path: Path) -> None:
    """One line says which variant has it; nothing is written."""
    with pytest.raises(LabError, match=f"{design} {variant}: litex requires Wishbone: take wb"):
        export(configuration(f"{design}/{variant}"), "litex", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_peripheral_without_a_stream(tmp_path: Path) -> None:
    """Its module has no sink, and the core's input is held."""
    one = configuration("keccak-regs/wb", ["Stream=false"])
    export(one, "litex", tmp_path)
    text = (tmp_path / "hf_keccak_wb.py").read_text(encoding="utf-8")
    assert "self.sink" not in text
    assert "self.ev = _Interrupt()" in text


def test_the_unit_for_chains(tmp_path: Path) -> None:
    """Its module has its own registers, and no stream."""
    export(configuration("keccak-chain/wb-trees"), "litex", tmp_path)
    text = (tmp_path / "hf_keccak_chain_wb.py").read_text(encoding="utf-8")
    for line in ("ID = 0x48464331", "SIZE = 0x100", "wb_adr=bus.adr[:6]", "hf_keccak_chain_regs.h"):
        assert line in text
    assert "stream" not in text and "sink" not in text
    assert (tmp_path / "driver" / "hf_keccak_chain.c").is_file()


def blocks(page: str, *languages: str) -> list[str]:
    """Return the blocks of a page in these languages."""
    (path,) = (ROOT / "docs").rglob(page)
    found = examples(path, path.read_text(encoding="utf-8"))
    return [one.text for one in found if one.language in languages and one.words != ("run",)]


def test_the_page_of_litex(tmp_path: Path) -> None:
    """Its SoC is made, with the module of the first command."""
    pytest.importorskip("litex", reason="no LiteX here: pip install litex")
    (text,) = blocks("litex.md", "text")
    export(configuration("keccak-regs/wb"), "litex", tmp_path)
    (tmp_path / "soc.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "soc.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.endswith("0x90000000 2\n")
    made = (tmp_path / "build" / "soc.v").read_text(encoding="utf-8")
    assert "hf_keccak_wb hf_keccak_wb(" in made


@pytest.mark.slow
def test_the_page_of_fusesoc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its commands, and its core that depends on the export."""
    core, *_ = blocks("fusesoc.md", "text")
    (top,) = blocks("fusesoc.md", "systemverilog")
    commands = blocks("fusesoc.md", "sh")
    if shutil.which("iverilog") is None:
        pytest.skip("no iverilog (Debian's iverilog)")
    tools = [Path(sys.executable).parent, Path(VERILATOR.path()).parent]
    monkeypatch.setenv("PATH", os.pathsep.join([*map(str, tools), os.environ["PATH"]]))
    write = f"mkdir -p cores/soc\ncp '{tmp_path}'/my_soc.* cores/soc\n"
    (tmp_path / "my_soc.core").write_text(core, encoding="utf-8")
    (tmp_path / "my_soc.sv").write_text(top, encoding="utf-8")
    done = without_network(["bash", "-euc", "\n".join([commands[0], write, commands[1]])], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\nPASS\n" in done.stdout
    assert "lint-verilator" in done.stdout + done.stderr


####################
# What runs        #
####################


@cache
def running() -> SocSim:
    """Return the SoC with the registry's program."""
    return SocSim(DESIGN, VARIANT)


def wanted(count: int) -> bytes:
    """Return the digest that hashlib has of the program's message."""
    return hashlib.sha3_256(message(count)).digest()


@simulated
def test_first_light() -> None:
    """The register ID, over the serial line."""
    assert running().command("id") == ["id 48464b31 version 00010300"]


@simulated
@pytest.mark.parametrize("how", ["sha3", "wait", "dma", "dmawait", "software"])
def test_a_digest_over_the_serial_line(how: str) -> None:
    """SHA3-256 of 64 bytes; the peripheral needs a fifth of the processor's clocks at most."""
    clocks, digest = running().sha3(how, 64)
    assert digest == wanted(64)
    assert (clocks > 15_000) == (how == "software")
    assert (clocks < 3_000) == (how != "software")


@simulated
@pytest.mark.parametrize(
    ("line", "error"),
    [("sha3 65537", "error 1001"), ("sha3", ""), ("sha4 64", "error 1000"), ("", "error 1000")],
)
def test_what_the_program_refuses(line: str, error: str) -> None:
    """It says so, and goes on."""
    if error:
        with pytest.raises(LabError, match=error):
            running().command(line)
    else:
        running().command(line)
    assert running().command("id")


def with_fault(monkeypatch: pytest.MonkeyPatch, path: str, old: str, new: str) -> SocSim:
    """Return the SoC with a program that has one fault."""

    def read(some: Firmware) -> dict[str, str]:
        files = registry.read_firmware(some)
        assert files[path].count(old) == 1
        return {**files, path: files[path].replace(old, new)}

    monkeypatch.setattr(firmware, "read_firmware", read)
    return SocSim(DESIGN, VARIANT)


MAIN = "systems/firmware/soc/main.c"


@simulated
def test_a_trap_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its cause: an illegal instruction, 2."""
    sim = with_fault(
        monkeypatch,
        MAIN,
        "    (void)bytes;\n",
        '    (void)bytes;\n    __asm__ volatile(".word 0");\n',
    )
    with pytest.raises(LabError, match="trap 00000002 at 40000"):
        sim.command("id")


@simulated
@pytest.mark.slow
def test_a_wrong_digest_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a driver that leaves out a byte."""
    old, new = "message, bytes, digest, sizeof", "message, bytes - (bytes == 1), digest, sizeof"
    with_fault(monkeypatch, MAIN, old, new)
    with pytest.raises(LabError, match="keccak-soc vexriscv: sha3: wrong digest"):
        quick_check(DESIGN)


@slow
@simulated
def test_what_the_registry_says() -> None:
    """Known answers around the ends of blocks, and the clocks a block."""
    assert quick_check(DESIGN) == {"vexriscv": pytest.approx(DESIGN.clocks_per_block, rel=0.01)}


@slow
@simulated
def test_a_long_message_by_the_master() -> None:
    """64 KiB in the clocks that docs/integrate/soc.md states, from the list's start to its end."""
    for how, most in (("dmawait", 25_000), ("dma", 35_000)):
        clocks, digest = running().sha3(how, 65_536)
        assert digest == wanted(65_536)
        assert clocks < most, how


@slow
@simulated
def test_what_the_firmware_takes() -> None:
    """The peripheral gains more the longer the message is; each digest is checked there."""
    use = soc.firmware_use(DESIGN, VARIANT)
    gains = [(task.software or 0) / task.driver for task in use.tasks.values()]
    assert gains == sorted(gains)
    assert gains[0] > 5 and gains[-1] > 50
    check_tasks(use.tasks, "SHA3-256 is driver/hf_keccak.c", use.stack_bytes or 0)
    assert 0 < use.data_bytes < 1000 and 100 < use.stack_bytes < 2000
