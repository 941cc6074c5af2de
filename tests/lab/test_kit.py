"""The kit for Vivado, there and back: its scripts run with a program that only leaves reports."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.yosys import Port
from hashfabric.export import formats, kit, vendors
from hashfabric.export.configuration import Exported, configuration
from hashfabric.export.core import Core
from hashfabric.registry.designs import find_design, source_hash
from hashfabric.registry.reported import ReportedRow
from hashfabric.registry.results import load_list
from tests.support.commands import fails

REPORTS = ROOT / "tests" / "data" / "reports"
NAMES = ("keccak-iterative/stream", "keccak-serial/stream")
PART = "xc7k70tfbg484-1"

PORTS = (Port("clk_i", "input", 1), Port("rst_i", "input", 1), Port("st_o", "output", 1))

VIVADO = f"""\
#!/bin/sh
# Leaves reports as measure.tcl does, if called as measure.tcl's header says.
[ "$1 $2" = "-mode batch" ] || exit 9
while [ "$1" != -source ]; do shift; done
[ "$2 $3" = "measure.tcl -tclargs" ] || exit 9
echo "$(basename "$PWD") $4 $5" >> ../calls
case "$PWD" in *"$BROKEN") exit 1 ;; esac
mkdir -p measured
cp {REPORTS}/vivado-7series-utilization.rpt {REPORTS}/vivado-7series-timing.rpt measured
cp {REPORTS}/vivado-7series-utilization-core.rpt measured
sed -n 's/^puts $stamp "\\(.*\\)"$/\\1/p' measure.tcl > measured/hashfabric.txt
"""


def light(one: Exported, form: str) -> dict[str, str]:
    """The project around a core whose Verilog is missing: without yosys."""
    assert form == "vivado"
    core = Core(
        design=one.design.name,
        variant=one.variant_name,
        source=source_hash(one.variant),
        name=one.name,
        top=one.variant.top,
        ports=PORTS,
        clock="clk_i",
        reset="rst_i",
        files=(),
        description=one.title,
    )
    return {"measure.tcl": vendors.vivado(core)["measure.tcl"]}


def cores(*names: str) -> list[Exported]:
    """The configurations of a kit."""
    return [configuration(name, [], None, None) for name in names]


def sh(folder: Path, script: str, *args: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a script of the kit with the two programs on PATH, from another folder."""
    programs = folder.resolve().parent / "bin"
    programs.mkdir(exist_ok=True)
    own = f'#!/bin/sh\nexec {sys.executable} -m hashfabric "$@"\n'
    for name, text in (("vivado", VIVADO), ("hashfabric", own)):
        (programs / name).write_text(text, encoding="utf-8")
        (programs / name).chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    return subprocess.run(
        ["sh", str(folder / script), *args],
        env={**os.environ, "PATH": path, "BROKEN": "/none", "HASHFABRIC_ROOT": str(ROOT), **more},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def round_trip(folder: Path) -> list[ReportedRow]:
    """Run both scripts; return the rows."""
    ran = sh(folder, kit.RUN)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert kit.ADD in ran.stdout.splitlines()[-1]
    rows = folder.parent / "rows.json"
    added = sh(folder, kit.ADD, "A. Tester", "--out", str(rows))
    assert added.returncode == 0, added.stderr
    return load_list(rows, ReportedRow)


def check(rows: list[ReportedRow]) -> None:
    """The rows are of the cores and the reports."""
    assert sorted(f"{row.name}/{row.variant}" for row in rows) == sorted(NAMES)
    for row in rows:
        variant = find_design(row.name).variant(row.variant)
        assert (row.by, row.tool, row.device, row.luts) == ("A. Tester", "vivado", PART, 4321)
        assert row.source_hash == source_hash(variant)
        assert row.fmax_mhz == pytest.approx(235.294)
        assert row.gbps is not None


def test_there_and_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One command each way; part and period by default, or as given."""
    monkeypatch.setattr(formats, "contents", light)
    folder = tmp_path / "kit"
    files = kit.write(cores(*NAMES), PART, 4.0, folder)
    assert all(path.exists() for path in files)
    check(round_trip(folder))
    calls = folder / "calls"
    folders = ("keccak-iterative-stream", "keccak-serial-stream")
    assert calls.read_text(encoding="utf-8") == "".join(f"{name} {PART} 4\n" for name in folders)

    calls.unlink()
    ran = sh(folder, kit.RUN, "xc7a35tcpg236-1", "6.5", BROKEN=folders[0])
    assert ran.returncode == 1
    assert ran.stderr == f"run.sh: failed: {folders[0]} (see vivado.log there)\n"
    said = calls.read_text(encoding="utf-8")
    assert said == "".join(f"{name} xc7a35tcpg236-1 6.5\n" for name in folders)
    assert sh(folder, kit.ADD).stderr.startswith('usage: sh add.sh "YOUR NAME"')


def test_cores_without_reports_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are added all the same; `--out` is of the caller's folder."""
    monkeypatch.setattr(formats, "contents", light)
    folder, caller = tmp_path / "kit", tmp_path / "caller"
    caller.mkdir()
    monkeypatch.chdir(caller)
    kit.write(cores(*NAMES), PART, 4.0, folder)
    first = "keccak-iterative-stream"
    assert sh(folder, kit.RUN, BROKEN=first).returncode == 1
    added = sh(Path("../kit"), kit.ADD, "A. Tester", "--out", "rows.json")
    assert added.returncode == 1
    assert f"../kit/{first}/measured" in added.stderr
    assert added.stderr.splitlines()[-1] == f"add.sh: failed: {first}"
    (row,) = load_list(caller / "rows.json", ReportedRow)
    assert f"{row.name}/{row.variant}" == NAMES[1]


def test_without_the_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each script names the one that is missing."""
    monkeypatch.setattr(formats, "contents", light)
    folder = tmp_path / "kit"
    kit.write(cores(NAMES[0]), PART, 4.0, folder)
    for script, program in ((kit.RUN, "vivado"), (kit.ADD, "hashfabric")):
        ran = sh(folder, script, "x", PATH="/usr/bin:/bin")
        assert (ran.returncode, ran.stdout) == (1, "")
        assert ran.stderr == f"{script}: no program '{program}' on PATH\n"


def test_a_later_kit_is_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other files are not touched."""
    monkeypatch.setattr(formats, "contents", light)
    folder = tmp_path / "kit"
    kit.write(cores(NAMES[0]), PART, 4.0, folder)
    left = folder / "keccak-iterative-stream" / "vivado.log"
    left.touch()
    kit.write(cores(NAMES[1]), PART, 5.0, folder)
    assert "keccak-serial-stream" in (folder / kit.RUN).read_text(encoding="utf-8")
    assert left.exists()
    assert not left.with_name("measure.tcl").exists()
    script = folder / kit.RUN
    script.write_text(script.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
    with pytest.raises(LabError, match=r"run\.sh: was changed since"):
        kit.write(cores(NAMES[1]), PART, 5.0, folder)
    assert "# mine" in script.read_text(encoding="utf-8")
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine").touch()
    with pytest.raises(LabError, match="is not empty, and holds no export"):
        kit.write(cores(NAMES[0]), PART, 4.0, other)


def test_parts() -> None:
    """Of the two families of the targets, of others, and what is none."""
    known = {PART: "xc7", "xczu3eg-sbva484-1-e": "xcup", "xcvc1902-vsva2197-2MP-e-S": None}
    assert {part: kit.family_of(part) for part in known} == known
    for part in ("ecp5", "xc7 k", "xc7;ls", "", f"{PART}\n"):
        with pytest.raises(LabError, match="a part as Vivado names it"):
            kit.family_of(part)
    (wide,) = cores("keccak-dsp-wide/stream")
    kit.check_fits(wide, "xczu3eg-sbva484-1-e")
    with pytest.raises(LabError, match=r"dsp-wide/stream: is for xcup, and xc7k70t.* is of xc7"):
        kit.check_fits(wide, PART)
    with pytest.raises(LabError, match="is named twice"):
        kit.write(cores(NAMES[0], NAMES[0]), PART, 4.0, Path("kit"))


def test_a_core_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine has no project; and one core of several may fail while it is made."""
    folder = tmp_path / "kit"
    with pytest.raises(
        LabError, match="a vendor's project is for streams and peripherals: take stream"
    ):
        kit.write(cores(NAMES[0], "keccak-iterative/core"), PART, 4.0, folder)

    def failing(one: Exported, form: str) -> dict[str, str]:
        if one.name == "keccak-serial-stream":
            raise LabError("it fails")
        return light(one, form)

    monkeypatch.setattr(formats, "contents", failing)
    with pytest.raises(LabError, match="it fails"):
        kit.write(cores(*NAMES), PART, 4.0, folder)
    assert not folder.exists()


@pytest.mark.slow
def test_a_whole_kit(tmp_path: Path) -> None:
    """With the cores' Verilog; the scripts work as with the light one."""
    folder = tmp_path / "kit"
    kit.write(cores(*NAMES), PART, 4.0, folder)
    assert (folder / "keccak-serial-stream" / "hf_keccak_serial_axis.v").exists()
    check(round_trip(folder))
    assert "unknown design" in fails(ROOT, "vivado-kit", "none", "--out", str(tmp_path / "x"))
