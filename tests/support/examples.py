"""The fenced blocks of a page, and a run of one without a network."""

import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

from hashfabric.base.paths import ROOT

NO_NETWORK = ["unshare", "--map-root-user", "--net"]


@dataclass(frozen=True)
class Example:
    """A block of a page: the language, the words after it, its text.

    `output` is what it prints, where a block of output follows it.
    """

    page: Path
    line: int
    language: str
    words: tuple[str, ...]
    text: str
    output: str | None = None


def examples(page: Path, text: str) -> list[Example]:
    """Return the blocks of a page; those of output are with the block above them."""
    found: list[Example] = []
    for token in MarkdownIt().parse(text):
        if token.type not in {"fence", "code_block"} or token.map is None:
            continue
        language, *words = token.info.split() or [""]
        if token.type == "code_block":
            language = "indented"
        one = Example(page, token.map[0] + 1, language, tuple(words), token.content)
        if (language, words) == ("text", ["output"]) and found and found[-1].output is None:
            last = found.pop()
            one = Example(page, last.line, last.language, last.words, last.text, token.content)
        found.append(one)
    return found


def without_network(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in the folder `work` of `folder`, with `hashfabric`, and without a network.

    Where the kernel does not let us take the network away, it is there.
    """
    programs, work = folder / "programs", folder / "work"
    programs.mkdir()
    work.mkdir()
    script = programs / "hashfabric"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m hashfabric "$@"\n')
    script.chmod(0o755)
    alone = subprocess.run([*NO_NETWORK, "true"], capture_output=True, check=False).returncode == 0
    return subprocess.run(
        [*(NO_NETWORK if alone else []), *command],
        cwd=work,
        env={
            **os.environ,
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "src"),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
