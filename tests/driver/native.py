"""mlkem-native and mldsa-native with their hashes on the peripheral, for the tests of the driver.

Their C comes out of the crate aws-lc-sys, which has both in it, by cargo: a certain version with a
certain hash. It is kept in build/ and not in the tree.
"""

import functools
import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cryptography_vectors import open_vector_file

from hashfabric.base.cache import move_into_place, scratch_directory
from hashfabric.base.paths import BUILD, ROOT
from tests.driver.driver import compiled

CRATE, VERSION = "aws-lc-sys", "0.47.0"
PACKAGE = "8bfbe32ac36b3c428696ce315464181bc4029d689fd58e3f2a4e58c252242f52"
"""SHA-256 of the crate, as cargo has checked it."""

LIBRARIES = {"mlkem": ("ml_kem", "MLK"), "mldsa": ("ml_dsa", "MLD")}
"""By name: its directory in the crate, and what its macros begin with."""


def sources() -> Path:
    """Return where the libraries are; skip the test where they cannot be had."""
    found = BUILD / "native" / f"{CRATE}-{VERSION}"
    if not found.is_dir():
        cargo = shutil.which("cargo")
        if cargo is None:
            pytest.skip(f"cargo, which brings the crate {CRATE}, is not installed")
        with scratch_directory(found.parent, found.name) as scratch:
            _bring(cargo, scratch, scratch / "out")
            move_into_place(scratch / "out", found)
    return found


def _bring(cargo: str, scratch: Path, out: Path) -> None:
    project = scratch / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "lib.rs").write_text("", encoding="utf-8")
    (project / "Cargo.toml").write_text(
        '[package]\nname = "native"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n'
        f'{CRATE} = {{ version = "={VERSION}", default-features = false }}\n',
        encoding="utf-8",
    )
    command = [cargo, "vendor", "--quiet", "vendor"]
    done = subprocess.run(
        command, cwd=project, capture_output=True, text=True, check=False, timeout=600
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason told"])[-1]
        pytest.skip(f"cargo cannot bring the crate {CRATE} {VERSION}: {last.strip()}")
    crate = project / "vendor" / CRATE
    known = json.loads((crate / ".cargo-checksum.json").read_text(encoding="utf-8"))
    assert known["package"] == PACKAGE, f"{CRATE} {VERSION} is not the crate that it was"
    for name, (directory, _) in LIBRARIES.items():
        shutil.copytree(crate / "aws-lc" / "crypto" / "fipsmodule" / directory / name, out / name)


@functools.cache
def library(config: str = "config") -> Any:
    """Return the driver with both libraries on top, compiled for this machine.

    `config` names their configurations in tests/driver/native/: "sampler_config" has the matrix by
    a sampler.
    """
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None
    where = sources()
    with scratch_directory(BUILD / "native", "objects") as scratch:
        objects = []
        for name, (_, prefix) in LIBRARIES.items():
            objects.append(str(scratch / f"{name}.o"))
            command = [
                compiler,
                "-std=gnu99",
                "-O2",
                "-fPIC",
                "-Idriver",
                "-Itests/driver/native",
                "-c",
            ]
            command += [f'-D{prefix}_CONFIG_FILE="{name}_{config}.h"', "-o", objects[-1]]
            command.append(str(where / name / f"{name}_native_bcm.c"))
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
        return compiled(*objects)


@cache
def cases(path: str) -> list[dict[str, bytes]]:
    """Return the cases of a file of known answers."""
    with open_vector_file(f"asymmetric/{path}.rsp", "r") as file:
        groups = re.split(r"^count = \d+$", file.read(), flags=re.MULTILINE)
    pattern = re.compile(r"^(\w+) = ([0-9a-f]*)$", re.MULTILINE)
    found = [
        {
            name: bytes.fromhex(value) if len(value) % 2 == 0 else b""
            for name, value in pattern.findall(group)
        }
        for group in groups
    ]
    return [case for case in found if "pk" in case]
