"""hf_sparc_system in lock-step with QEMU's leon3_generic, and on its own.

Programs are SPARC assembler around `main`, on the start-up code of systems/firmware/sparc, where
every trap that is not a window's is skipped: the handler leaves TBR in %l3 and goes on after the
instruction.
"""

import ctypes
import re
import struct
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hashfabric.base.elf import read_elf
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.tools import Tool
from hashfabric.registry.designs import Variant, find_design
from hashfabric.simulate.firmware import COMPILERS, Program
from hashfabric.simulate.library import load

GCC = "sparc64-linux-gnu-gcc"
QEMU = Tool("qemu", "qemu-system-sparc", ("--version",), r"version (\S+)")
FLAGS = ["-m32", "-mcpu=leon3", "-fno-pic", "-no-pie", "-Wa,-Aleon", "-ffreestanding"]
FLAGS += ["-nostdlib", "-static", "-Wl,--build-id=none", "-Wl,--no-warn-rwx-segments", "-I."]
ORIGIN = 0x4000_0000
ROTATE_TRAP = ORIGIN + 0x24 * 16

# Traps are skipped; number 0x10 of software is a way back to the supervisor.
SKIP = """
    .section .text._skip, "ax"
    .global _skip
_skip:
    rd      %tbr, %l3
    srl     %l3, 4, %l4
    and     %l4, 0xff, %l4
    cmp     %l4, 0x90
    bne     1f
    nop
    or      %l0, 0x40, %l0
1:  mov     %l0, %psr
    nop
    nop
    nop
    jmp     %l2
    rett    %l2 + 4
"""

# rol64 by the numbers of its registers.
ROTATE = """
    .macro rol64i rs1, amount, rd
    .word 0x81b02000 | (\\rd) << 25 | (\\rs1) << 14 | (\\amount)
    .endm
    .macro rol64 rs1, rs2, rd
    .word 0x81b00000 | (\\rd) << 25 | (\\rs1) << 14 | (\\rs2)
    .endm
"""


def missing() -> str:
    """Return what these tests need and is not installed; empty if all is there."""
    for tool in (COMPILERS[GCC], QEMU):
        try:
            tool.path()
        except LabError as error:
            return str(error)
    return ""


@dataclass(frozen=True)
class Step:
    """An instruction, and what it found: `registers` as it numbers them.

    `clock` is the one in which it is in XC; with `trap` it had no effect but a trap. Only the RTL
    has both.
    """

    pc: int
    psr: int
    wim: int
    y: int
    registers: tuple[int, ...]
    tbr: int = 0
    clock: int = 0
    trap: bool = False


@dataclass(frozen=True)
class Run:
    """What the RTL did, said to the console, mailed (word, clock), and left in its memory."""

    steps: list[Step]
    console: bytes
    mails: list[tuple[int, int]]
    error: bool
    memory: bytes


def assemble(text: str, directory: Path, *, own: bool = False, emulate: bool = False) -> Program:
    """Assemble and link `text`, which has `main`, with the start-up code.

    `own`: it has a `_skip` of its own. `emulate`: rotates are, where they trap.
    """
    source = directory / "program.S"
    source.write_text(f"{ROTATE}{'' if own else SKIP}\n    .text\n{text}\n", encoding="utf-8")
    args = ["systems/firmware/sparc/crt0.S", str(source)]
    args.append("-DHF_TRAP=_skip")
    args += ["-DHF_EMULATE", "systems/firmware/sparc/emulate.S"] if emulate else []
    return _link(args, directory)


def compile_program(sources: Sequence[str], flags: Sequence[str], directory: Path) -> Program:
    """Compile and link sources of the checkout."""
    own = ["-std=gnu11", "-ffunction-sections", "-Wl,--gc-sections"]
    return _link([*own, "-fno-tree-loop-distribute-patterns", *flags, *sources], directory)


def _link(args: Sequence[str], directory: Path) -> Program:
    path = directory / "program.elf"
    script = ["-T", "systems/firmware/sparc/memory.ld", "-o", str(path)]
    command = [COMPILERS[GCC].path(), *FLAGS, *args, *script]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Program(read_elf(path))


####################
# RTL              #
####################

_WORDS = 39  # of a record (driver/sparc.cpp)


def board(*, rotate: bool, counters: bool = False) -> Variant:
    """Return hf_sparc_system as a variant to be built."""
    own = find_design("leon3-rotate" if rotate else "leon3-plain")
    variant = next(iter(own.variants.values()))
    parameters = {**variant.parameters, "Counters": counters}
    return variant.model_copy(update={"top": "hf_sparc_system", "parameters": parameters})


def run(
    program: Program,
    *,
    rotate: bool = True,
    most: int = 200_000,
    interrupt: tuple[int, int] = (0, 0),
    counters: bool = False,
) -> Run:
    """Run a program to error mode or `most` instructions; `interrupt`: a level, from a clock on."""
    memory = bytearray(program.memory_bytes)
    program.load(memory)
    count = len(memory) // 4
    words = (ctypes.c_uint32 * count)(*struct.unpack(f">{count}I", memory))
    records = (ctypes.c_uint32 * (_WORDS * most))()
    console = (ctypes.c_uint8 * 65536)()
    mails = (ctypes.c_uint32 * 2000)()
    counts = (ctypes.c_uint64 * 4)()
    function: Any = load(board(rotate=rotate, counters=counters), "sparc.cpp", {}).hf_run_sparc
    function.restype = ctypes.c_char_p
    size, words_type = ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint32)
    function.argtypes = [words_type, size, size, ctypes.c_uint32, size, words_type, size]
    function.argtypes += [ctypes.POINTER(ctypes.c_uint8), size, words_type, size]
    function.argtypes += [ctypes.POINTER(size)]
    error = function(
        *(words, count, 60 * most, interrupt[0], interrupt[1], records, most),
        *(console, len(console), mails, len(mails) // 2, counts),
    )
    assert error is None, error
    steps = []
    for i in range(counts[3]):
        pc, psr, wim, y, tbr, *rest = records[_WORDS * i : _WORDS * (i + 1)]
        steps.append(Step(pc, psr, wim, y, tuple(rest[:32]), tbr, rest[32], bool(rest[33])))
    said = bytes(console[: counts[0]])
    mailed = [(mails[2 * i], mails[2 * i + 1]) for i in range(counts[1])]
    return Run(steps, said, mailed, bool(counts[2]), struct.pack(f">{count}I", *words))


####################
# QEMU             #
####################

_PSR = re.compile(r"psr: (\w+) .* wim: (\w+)")


def qemu_steps(directory: Path) -> Iterator[Step]:
    """Yield what QEMU does of the program linked in `directory`, from its first address on."""
    with subprocess.Popen(
        [*qemu_command(directory), "-singlestep", "-d", "exec,cpu,nochain"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="ascii",
    ) as process:
        try:
            assert process.stderr is not None
            yield from _steps(process.stderr)
        finally:
            process.kill()


def _steps(log: Iterator[str]) -> Iterator[Step]:
    begun = False
    for line in log:
        if not line.startswith("pc: "):
            continue
        pc = int(line[4:12], 16)
        begun = begun or pc == ORIGIN
        if not begun:
            continue
        registers = tuple(int(word, 16) for _ in range(4) for word in next(log).split()[1:])
        state = _PSR.match(next(log))
        assert state is not None
        y = int(next(log).split()[3], 16)
        yield Step(pc, int(state[1], 16), int(state[2], 16), y, registers)


def qemu_console(directory: Path) -> bytes:
    """Return what the program that was linked in `directory` says to QEMU's console."""
    command = [*qemu_command(directory), "-serial", "stdio"]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    return done.stdout


def qemu_command(directory: Path) -> list[str]:
    """Return the command that starts QEMU with the program that was linked in `directory`."""
    options = ["-M", "leon3_generic", "-display", "none", "-monitor", "none"]
    return [QEMU.path(), *options, "-kernel", str(directory / "program.elf")]


####################
# Both             #
####################

_START = 20  # instructions until all state registers are set
_SEEN = 0xFFF0_0FFF  # PSR without EC and EF


def compare(steps: Sequence[Step], others: Iterator[Step]) -> int:
    """Check that QEMU did the same as the RTL, which may have the rotate; return how many steps.

    Registers that nothing has written yet are QEMU's. Where QEMU emulates a rotate its handler is
    left out, and what that leaves in its window's locals counts as not written.
    """
    unwritten: dict[int, int | None] = dict.fromkeys(range(136))
    count, window = 0, 0
    for i, step in enumerate(steps):
        other = next(others)
        if other.pc == ROTATE_TRAP != step.pc:
            for place in range(8, 16):  # locals
                unwritten[(16 * ((window - 1) % 8) + place) % 128] = None
            while other.pc != step.pc:
                other = next(others)
        where = f"step {i}: pc {step.pc:08x}"
        assert other.pc == step.pc, f"{where}, QEMU's {other.pc:08x}"
        window = step.psr % 8
        if i >= _START:
            assert (step.psr ^ other.psr) & _SEEN == 0, f"{where}: psr {step.psr:x} {other.psr:x}"
            assert (step.wim, step.y) == (other.wim, other.y), f"{where}: {step} {other}"
        for number, (own, his) in enumerate(zip(step.registers, other.registers, strict=True)):
            place = 128 + number if number < 8 else (16 * window + number - 8) % 128
            if own == his:
                unwritten.pop(place, None) if own else None
                continue
            assert place in unwritten, f"{where}: r{number} {own:08x}, QEMU's {his:08x}"
            assert unwritten[place] in (None, own), f"{where}: r{number} {own:08x} {his:08x}"
            unwritten[place] = own
        count += 1
    return count


def lock_step(
    program: Program, directory: Path, *, rotate: bool = True, most: int = 200_000
) -> Run:
    """Run a program on both and compare every instruction; it ends in error mode."""
    done = run(program, rotate=rotate, most=most)
    assert compare(done.steps, qemu_steps(directory)) == len(done.steps)
    return done
