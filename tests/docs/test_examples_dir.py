"""The designs in examples/ work, as their README.md says: its commands are run in a copy."""

import hashlib
import importlib.util
import os
import pty
import shutil
import subprocess
import sys
import threading
import tty
from pathlib import Path

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.base.tools import YOSYS
from tests.support.examples import examples, without_network

EXAMPLES = ROOT / "examples"
NEEDED = {
    "verilog": ["iverilog"],
    "vhdl": ["iverilog", "ghdl"],
    "litex": ["iverilog"],
    "soc": ["riscv64-unknown-elf-gcc"],
    "soc-program": ["riscv64-unknown-elf-gcc"],
    "uart": ["iverilog"],
}
"""The programs that each one needs and `make setup` does not install."""


def run(name: str, folder: Path, old: str = "", new: str = "") -> tuple[int, str]:
    """Run an example in `folder`, with `new` in place of `old` in it; return its status, its text.

    What `make setup` does not install may be missing: it is skipped then.
    """
    for package in NEEDED[name]:
        if shutil.which(package) is None:
            pytest.skip(f"no program {package}: a package of Debian has it")
    if name in ("litex", "soc") and importlib.util.find_spec("litex") is None:
        pytest.skip("no LiteX here: pip install litex migen")
    copy = folder / "example"
    shutil.copytree(EXAMPLES / name, copy, ignore=shutil.ignore_patterns("build", "__pycache__"))
    if old:
        (file,) = (path for path in copy.iterdir() if old in path.read_text(encoding="utf-8"))
        file.write_text(file.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    page = copy / "README.md"
    (block,) = examples(page, page.read_text(encoding="utf-8"))
    result = without_network(["bash", "-euc", f"cd '{copy}'\n{block.text}"], folder)
    return result.returncode, result.stdout + result.stderr


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `make` find the tools as in the activated environment, and the sources."""
    monkeypatch.setenv("PATH", f"{Path(sys.prefix) / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("YOSYS", YOSYS.path())
    monkeypatch.setenv("HASHFABRIC_ROOT", str(ROOT))
    monkeypatch.setenv("PYTHON", sys.executable)


def test_every_example_is_tried() -> None:
    """All of them are tested above."""
    assert {path.name for path in EXAMPLES.iterdir()} == NEEDED.keys()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * name.startswith(("soc", "uart")))
        for name in NEEDED
    ],
)
def test_an_example_works(name: str, tmp_path: Path) -> None:
    """It ends well, with right digests."""
    status, text = run(name, tmp_path)
    assert status == 0, text
    assert "\nPASS\n" in text


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        pytest.param("verilog", "(56'h01)", "(56'h00)", id="verilog-other-function"),
        pytest.param(
            "uart",
            "!escaped ? rx_data : rx_data == ESC_END ?",
            "!escaped ? rx_data : rx_data == ESC_ESC ?",
            id="uart-escape",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "vhdl",
            'x"00000000000001"',
            'x"00000000000002"',
            id="vhdl-other-function",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "litex",
            "`HASH_USER, 32'h01",
            "`HASH_USER, 32'h06",
            id="litex-other-function",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            *("soc-program", "software, message", "software, message + 1"),
            marks=pytest.mark.slow,
            id="soc-program-other-message",
        ),
        pytest.param(
            *("soc", 'say("sha3 64")', 'say("sha3 63")'), marks=pytest.mark.slow, id="soc-other"
        ),
    ],
)
def test_a_fault_fails(name: str, old: str, new: str, tmp_path: Path) -> None:
    """Its bench does not say PASS of another digest, and `make` ends with a bad status."""
    status, text = run(name, tmp_path, old, new)
    assert status != 0
    assert "FAIL" in text
    assert "\nPASS\n" not in text


def _board(line: int, messages: list[bytes]) -> None:
    """Answer frames at the file `line` as the board does, until the last of `messages` has come."""
    while messages:
        frame = bytearray()
        while not frame or frame[-1] != 0xC0:
            frame += os.read(line, 1)
        data = bytes(frame[:-1]).replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb")
        if not data:
            continue
        assert data[:7] == bytes([1, 0, 0, 0, 0, 0, 0])
        assert data[7:] == messages.pop(0)
        digest = hashlib.sha3_256(data[7:]).digest()
        answer = digest.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc")
        os.write(line, answer + b"\xc0")


def test_the_script_at_a_uart(tmp_path: Path) -> None:
    """The script of `examples/uart` prints what the board sends, whatever bytes are in a file."""
    # The digests of the last two have bytes that SLIP escapes.
    messages = [b"", b"abc", bytes(range(256)), b"\xc0\xdb\xdc\xdd"]
    for escaped in (b"\xc0", b"\xdb"):
        singles = (bytes([n]) for n in range(256))
        messages.append(next(m for m in singles if escaped in hashlib.sha3_256(m).digest()))
    line, terminal = pty.openpty()
    tty.setraw(terminal)
    board = threading.Thread(target=_board, args=(line, list(messages)), daemon=True)
    board.start()
    script, file = EXAMPLES / "uart" / "hash_file.py", tmp_path / "file"
    for message in messages:
        file.write_bytes(message)
        command = [sys.executable, str(script), os.ttyname(terminal), str(file)]
        shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        assert shown.stdout == f"{hashlib.sha3_256(message).hexdigest()}  {file}\n"
    board.join(timeout=5)
    assert not board.is_alive()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "bitstream"), [("up5k", "icebreaker.bin"), ("ulx3s", "ulx3s.bit")]
)
def test_bitstreams_of_uart(board: str, bitstream: str, tmp_path: Path) -> None:
    """The boards of `examples/uart` have a bitstream that meets their clock."""
    copy = tmp_path / "example"
    shutil.copytree(EXAMPLES / "uart", copy, ignore=shutil.ignore_patterns("build"))
    result = without_network(["make", "-C", str(copy), board], tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert (copy / "build" / bitstream).stat().st_size > 50_000
