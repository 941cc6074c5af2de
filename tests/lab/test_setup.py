"""tools/setup.sh on machines that lack things; the working case is every run of these tests."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.base.tools import VERILATOR

BASICS = ("cat", "cksum", "dirname", "grep", "head", "id", "sed", "sh", "tr")


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A checkout with the script, and a bin/ with next to nothing in it."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "bin").mkdir()
    for name in ("requirements.lock", "pyproject.toml", "tools/setup.sh"):
        shutil.copy(ROOT / name, tmp_path / name)
    for name in BASICS:
        program = shutil.which(name)
        assert program is not None, name
        (tmp_path / "bin" / name).symlink_to(program)
    return tmp_path


def add(bare: Path, name: str, text: str) -> None:
    """Put a custom program into bin/."""
    path = bare / "bin" / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def setup(bare: Path) -> subprocess.CompletedProcess[str]:
    """Run the script with nothing but that bin/ on PATH."""
    return subprocess.run(
        ["/bin/sh", "tools/setup.sh"],
        cwd=bare,
        env={"PATH": str(bare / "bin")},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_without_apt_get_one_line_says_what_is_missing(bare: Path) -> None:
    """Nothing is installed, nothing half made."""
    result = setup(bare)
    assert result.returncode != 0
    assert result.stderr.count("\n") == 1
    for package in ("python3", "python3-venv", "g++", "make", "perl"):
        assert package in result.stderr.split()
    assert not (bare / ".venv").exists()


def test_without_root_nothing_is_tried(bare: Path) -> None:
    """An ordinary user without sudo gets the same line, though apt-get is there."""
    (bare / "bin" / "id").unlink()
    add(bare, "id", "echo 1000")
    add(bare, "apt-get", "echo called >> called")
    result = setup(bare)
    assert result.returncode != 0
    assert "install these Debian packages" in result.stderr
    assert not (bare / "called").exists()


def test_as_root_the_packages_are_installed(bare: Path) -> None:
    """`apt-get update` first, then what is missing; what is still missing is reported."""
    (bare / "bin" / "id").unlink()
    add(bare, "id", "echo 0")
    add(bare, "apt-get", 'echo "$@" >> called')
    env = shutil.which("env")
    assert env is not None
    (bare / "bin" / "env").symlink_to(env)
    result = setup(bare)
    assert result.returncode != 0
    assert "still missing after apt-get" in result.stderr
    calls = (bare / "called").read_text(encoding="utf-8").splitlines()
    assert calls[0].startswith("update")
    assert "install" in calls[1]
    assert {"python3-venv", "g++", "perl"} <= set(calls[1].split())


def test_nothing_to_do_is_quick_and_silent(bare: Path) -> None:
    """With the stamp of this very lock, the script ends at once, whatever is missing."""
    command = bare / ".venv" / "bin" / "hashfabric"
    command.parent.mkdir(parents=True)
    command.touch(mode=0o755)
    state = subprocess.run(
        ["/bin/sh", "-c", "{ pwd; cat requirements.lock pyproject.toml tools/setup.sh; } | cksum"],
        cwd=bare,
        env={**os.environ, "PWD": str(bare)},
        capture_output=True,
        text=True,
        check=True,
    )
    stamp = bare / ".venv" / ".setup-stamp"
    stamp.write_text(state.stdout, encoding="utf-8")
    result = setup(bare)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    (bare / "requirements.lock").write_text("changed", encoding="utf-8")
    assert setup(bare).returncode != 0


def test_the_lock_is_pinned_with_hashes_and_names_no_index() -> None:
    """Every requirement has hashes; no address of a registry."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text
    pins = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert len(pins) > 20
    assert all("==" in pin and pin.endswith("\\") for pin in pins)


def test_without_apt_get_an_optional_program_is_named(bare: Path) -> None:
    """In one line, with what it is for; setup goes on."""
    shutil.copy(ROOT / "tools" / "optional.sh", bare / "tools" / "optional.sh")
    command = ["/bin/sh", "tools/optional.sh", "iverilog", "iverilog-package", "simulation"]
    env = {"PATH": str(bare / "bin")}
    result = subprocess.run(command, cwd=bare, env=env, capture_output=True, text=True, check=False)
    told = "optional: for simulation install Debian's iverilog-package\n"
    assert (result.returncode, result.stderr) == (1, told)
    add(bare, "iverilog", "")
    assert subprocess.run(command, cwd=bare, env=env, check=False).returncode == 0
    calls = (ROOT / "tools" / "setup.sh").read_text(encoding="utf-8").replace("\\\n", " ")
    found = re.findall(r"^ +tools/optional.sh .*\|\|", calls, flags=re.MULTILINE)
    assert len(found) == calls.count("tools/optional.sh") > 1


def test_the_activated_environment_has_verilator() -> None:
    """By the name that FuseSoC, LiteX and Makefiles call, and it is the pinned one."""
    activate = shlex.quote(str(Path(sys.prefix) / "bin" / "activate"))
    result = subprocess.run(
        ["/bin/sh", "-c", f". {activate}\ncommand -v verilator\nverilator --version"],
        env={"PATH": os.defpath},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    place, version = result.stdout.splitlines()
    assert place == str(Path(sys.prefix) / "bin" / "verilator")
    assert VERILATOR.version() in version


def test_an_environment_of_ones_own_gets_verilator(bare: Path) -> None:
    """By the lines of docs/use/tools.md, with nothing but Python on PATH before them."""
    page = (ROOT / "docs" / "use" / "tools.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"^```sh\n(.*?verilator --version\n)```$", page, re.MULTILINE | re.DOTALL)
    add(bare, "python3", f'exec {shlex.quote(sys.executable)} "$@"')
    result = subprocess.run(
        ["/bin/sh", "-euc", lines],
        env={"PATH": f"{bare / 'bin'}:{os.defpath}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert VERILATOR.version() in result.stdout
