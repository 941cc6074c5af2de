"""Custom programs on the SoC: the template as on its page, and other programs."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.commands import cli
from hashfabric.registry.designs import find_design
from hashfabric.simulate import program
from hashfabric.simulate.firmware import COMPILERS
from tests.support.examples import examples, without_network
from tests.systems.soc import simulated

PAGE = ROOT / "docs" / "integrate" / "soc-programs.md"
TEMPLATE = ROOT / "examples" / "soc-program"

FIGURE = re.compile(r"(?<![0-9a-f])[\d,.]+(?![0-9a-f])")

Runs = Callable[..., tuple[int, str, str]]


@pytest.fixture
def runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runs:
    """Run `hashfabric run` on a program of this text; return its status and what is said."""

    def call(text: str, *options: str) -> tuple[int, str, str]:
        own = tmp_path / "own"
        own.mkdir(exist_ok=True)
        if text:
            (own / "main.c").write_text(text, encoding="utf-8")
        capsys.readouterr()
        status = cli.main(["run", str(own), *options])
        said = capsys.readouterr()
        # Whether the program was compiled in this run or before makes no difference.
        errors = [line for line in said.err.splitlines() if not line.startswith("firmware: ")]
        return status, said.out, "\n".join(errors)

    return call


def of(*lines: str) -> str:
    """Return a program whose main() has these lines."""
    body = "\n    ".join(lines)
    return f'#include "systems/firmware/soc/program.h"\n\nint main(void) {{\n    {body}\n}}\n'


@simulated
def test_the_template_as_its_page_says(tmp_path: Path) -> None:
    """Its commands, its C, and what it prints; the time that it says too."""
    blocks = examples(PAGE, PAGE.read_text(encoding="utf-8"))
    commands = next(one.text for one in blocks if one.language == "sh")
    source = next(one.text for one in blocks if one.language == "c")
    printed, told, _ = (one.text for one in blocks if one.language == "text")
    assert source == (TEMPLATE / "main.c").read_text(encoding="utf-8")
    prepared = f"ln -s '{ROOT}/examples' examples\n{commands}"
    result = without_network(["bash", "-euc", prepared], tmp_path)
    assert result.returncode == 0, result.stderr
    last = result.stderr.splitlines()[-1] + "\n"
    firmware = find_design(program.SOC).variant("vexriscv").firmware
    assert firmware is not None
    if COMPILERS[firmware.compiler].version() == firmware.version:
        if os.environ.get("HF_RENEW"):
            text = PAGE.read_text(encoding="utf-8")
            PAGE.write_text(text.replace(printed, result.stdout).replace(told, last), "utf-8")
            printed, told = result.stdout, last
        assert (result.stdout, last) == (printed, told)
    else:  # Another compiler's code has other figures.
        said = [FIGURE.sub("#", text) for text in (result.stdout, last, printed, told)]
        assert said[:2] == said[2:]
    digest = hashlib.sha3_256(b"abc").hexdigest()
    assert printed.count(digest) == 2
    clocks = [int(number) for number in re.findall(r"in (\d+) clock", printed)]
    assert clocks[0] < clocks[1] / 5


@simulated
def test_a_profile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the template, as its page says; each access of the driver is counted."""
    shutil.copytree(TEMPLATE, tmp_path / "own")
    assert cli.main(["run", str(tmp_path / "own"), "--profile", "hf_keccak_hash"]) == 0
    said = capsys.readouterr()
    lines = [line for line in said.err.splitlines() if not line.startswith("firmware: ")]
    text = PAGE.read_text(encoding="utf-8")
    made = "\n".join(line.rstrip() for line in lines[:-1])
    if os.environ.get("HF_RENEW"):
        text = re.sub(r"(?<=```text\n)(calls: .*?|PROFILE)(?=\n```)", made, text, flags=re.DOTALL)
        PAGE.write_text(text, encoding="utf-8")
    firmware = find_design(program.SOC).variant("vexriscv").firmware
    assert firmware is not None
    if COMPILERS[firmware.compiler].version() == firmware.version:
        assert f"```text\n{made}\n```" in text
    # RUN, a word; eight words, STATUS.
    assert re.search(r"^ +\d+ +2  write to the peripheral$", made, re.MULTILINE)
    assert re.search(r"^ +\d+ +9  read of the peripheral$", made, re.MULTILINE)
    call = int(re.findall(r"clock cycles: ([\d,]+)", made)[0].replace(",", ""))
    found = re.search(r"in (\d+) clock", said.out)
    assert found is not None
    assert 0 < int(found[1]) - call < 100  # and the timer's reading
    assert cli.main(["run", str(tmp_path / "own"), "--profile", "nothing"]) == 1
    assert capsys.readouterr().err.endswith("the program has no function 'nothing'\n")


@simulated
def test_the_whole_of_what_a_program_can_use(runs: Runs) -> None:
    """Input, memory, 64-bit division, the driver, interrupts."""
    text = """\
#include "systems/firmware/soc/program.h"
#include "driver/hf_keccak.h"
#include "driver/hf_keccak_io.h"

static hf_keccak_device keccak;
static volatile uint32_t interrupts;

void trap(uint32_t cause, uint32_t address) {
    if (cause >> 31 && interrupts_pending() == 1u << KECCAK_INTERRUPT) {
        interrupts++;
        (void)hf_keccak_interrupt(&keccak);
        return;
    }
    trapped(cause, address);
}

int main(void) {
    static hf_keccak_context context;
    static uint8_t message[2000], digest[32];
    static char line[32];
    read_line(line, sizeof line);
    memset(message, line[0], sizeof message);
    hf_keccak_job job = {.context = &context, .message = message, .message_bytes = sizeof message};
    job.output = digest;
    job.output_bytes = sizeof digest;
    if (hf_keccak_open(&keccak, KECCAK_BASE) != HF_KECCAK_OK) return 1;
    interrupts_enable(1u << KECCAK_INTERRUPT);
    if (hf_keccak_init(&context, &keccak, HF_SHA3_256) != HF_KECCAK_OK) return 2;
    uint32_t result = hf_keccak_begin(&job);
    while (result == HF_KECCAK_PENDING) result = job.result;
    hf_keccak_write32(KECCAK_BASE, 0x2c, 8);  // INTR_ENABLE and INTR_TEST: the job has needed none
    hf_keccak_write32(KECCAK_BASE, 0x30, 8);
    hexadecimal(digest, sizeof digest);
    text("\\n");
    memmove(line + 1, line, 3);
    if (memcmp(line, "aabc", 4) != 0 || memcmp(line, "aabd", 4) >= 0) return 3;
    volatile uint64_t large = 10000000000ull;
    decimal((uint32_t)(large / 7u));
    text(interrupts != 0 ? " interrupts\\n" : " none\\n");
    return (int)result;
}
"""
    status, said, told = runs(text, "--send", "abc")
    digest = hashlib.sha3_256(2000 * b"a").hexdigest()
    assert (status, said) == (0, f"{digest}\n1428571428 interrupts\n"), told
    assert re.fullmatch(
        r"[\d,]+ clock cycles, [\d.]+ ms at 50 MHz; [\d,]+ bytes of code, [\d,]+ of variables, "
        r"[\d,]+ of stack",
        told,
    )


@simulated
@pytest.mark.parametrize(
    ("lines", "options", "said", "told"),
    [
        (["return 7;"], [], "", "the program ended with status 7"),
        (['text("a\\n");', "finish(300);"], [], "a\n", "the program ended with status 44"),
        (
            ["for (;;) {}"],
            ["--clocks", "30000"],
            "",
            "the program has not ended after 30,000 clocks",
        ),
        (
            ['__asm__ volatile(".word 0");', "return 0;"],
            [],
            "trap 00000002 at 4000",
            "the program ended with status 255",
        ),
    ],
    ids=["return", "finish", "endless", "trap"],
)
def test_how_a_program_ends(
    runs: Runs, lines: list[str], options: list[str], said: str, told: str
) -> None:
    """Any status but 0 is an error, reported in a line after its output."""
    status, output, errors = runs(of(*lines), *options)
    assert status == 1
    assert output.startswith(said) and (said or not output)
    last = errors.splitlines()[-1]
    assert last.startswith(f"hashfabric: {told}")


@simulated
def test_every_byte_is_the_programs(runs: Runs, capsys: pytest.CaptureFixture[str]) -> None:
    """But the one that ends it: nothing is made of line ends or of what is no text."""
    _, output, _ = runs(of("put('\\r'); put('\\n'); put(0x7f); put('\\t');", "return 0;"))
    assert output == "\r\n\x7f\t"


@simulated
def test_what_is_left_for_a_board(runs: Runs, tmp_path: Path) -> None:
    """The program, and the RAM as the simulation finds it at reset."""
    status, _, _ = runs(of('text("kept\\n");', "return 0;"), "--out", str(tmp_path / "built"))
    assert status == 0
    assert {path.name for path in (tmp_path / "built").iterdir()} == {"program.elf", "program.bin"}
    variant = find_design(program.SOC).variant("vexriscv")
    compiled = program.compile_program(tmp_path / "own", variant)
    assert compiled.file.read_bytes() == (tmp_path / "built" / "program.elf").read_bytes()
    image = (tmp_path / "built" / "program.bin").read_bytes()
    memory = bytearray(compiled.program.memory_bytes)
    compiled.program.load(memory)
    assert len(image) % 4 == 0 and b"kept\n" in image
    assert memory == image.ljust(len(memory), b"\0")


@simulated
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no C or assembler source in it"),
        (of("return none;"), "program/main.c:4:12: error: 'none' undeclared"),
        pytest.param(
            *("int other(void) { return 0; }\n", "undefined reference to `main'"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            of("static volatile char room[200000];", "return room[9];"),
            "will not fit in region `ram'",
            marks=pytest.mark.slow,
        ),
    ],
    ids=["empty", "compiler", "linker", "large"],
)
def test_what_cannot_be_compiled(runs: Runs, text: str, told: str) -> None:
    """One line, with the place in its source."""
    status, output, errors = runs(text)
    assert (status, output) == (1, "")
    plain = re.sub(r"[^ -~]|'", "", errors)  # gcc quotes as the locale does
    assert plain.startswith("hashfabric: ") and told.replace("'", "") in plain
    assert errors.count("\n") == 0


@simulated
@pytest.mark.slow
def test_warnings_are_shown(runs: Runs) -> None:
    """And are no errors, as those in the lab's own programs are."""
    for _ in range(2):
        status, _, errors = runs(of("int unused;", "return 0;"))
        assert status == 0
        assert "program/main.c:4:9: warning: unused variable" in errors


def test_a_missing_compiler_is_one_line(tmp_path: Path) -> None:
    """Which says what to install."""
    code = (
        "import sys, shutil; shutil.which = lambda *a, **k: None\n"
        "from hashfabric.commands.cli import main\n"
        f"sys.exit(main(['run', {str(TEMPLATE)!r}]))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "HASHFABRIC_BUILD": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    name = "riscv64-unknown-elf-gcc"
    remedy = COMPILERS[name].remedy
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"hashfabric: {name}: no program '{name}': {remedy}\n"
    assert remedy == "install Debian's gcc-riscv64-unknown-elf"


def test_a_program_is_a_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without a program is an error."""
    assert cli.main(["run", str(tmp_path / "none")]) == 1
    assert capsys.readouterr().err == f"hashfabric: {tmp_path}/none: is no directory\n"
