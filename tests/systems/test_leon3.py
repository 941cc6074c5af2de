"""The SPARC integer unit: in lock-step with QEMU, its clocks and traps, and faults caught."""

import hashlib
import itertools
import random
import re
from pathlib import Path

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.registry import designs as registry
from hashfabric.registry.designs import Variant, find_design
from hashfabric.simulate import library
from hashfabric.simulate.firmware import COMPILERS
from hashfabric.simulate.known_answers import quick_check
from hashfabric.simulate.system import firmware_of
from tests.systems import leon3
from tests.systems.leon3 import Run, assemble, lock_step, run
from tests.systems.leon3_programs import Source

slow = pytest.mark.slow
pytestmark = pytest.mark.skipif(bool(leon3.missing()), reason=leon3.missing())

LEON3 = ("leon3-plain", "leon3-rotate")
IU = "systems/rtl/hf_sparc_iu.sv"
DECODE = "systems/rtl/hf_sparc_decode.sv"
ALU = "systems/rtl/hf_sparc_alu.sv"
MULDIV = "systems/rtl/hf_sparc_muldiv.sv"
ROTATE = "systems/rtl/hf_sparc_rol64.sv"


def traps(done: Run) -> list[int]:
    """Return the types of the traps of a run, in order, but of the last, which ends it."""
    pairs = itertools.pairwise(done.steps)
    return [after.tbr >> 4 & 0xFF for step, after in pairs if step.trap]


####################
# Lock-step        #
####################


def random_program(directory: Path, seed: int, count: int) -> Run:
    """Play a random program on both; every third has rotates, which QEMU emulates."""
    rotate = seed % 3 == 0
    text = Source(seed, rotate=rotate, windows=not rotate).text(count)
    program = assemble(text, directory, emulate=rotate)
    done = lock_step(program, directory, most=20 * count)
    assert done.error and len(done.steps) > count
    return done


def test_random_programs(tmp_path: Path) -> None:
    """A few thousand instructions, traps of many kinds among them."""
    seen: set[int] = set()
    for seed in range(1, 9):
        seen |= set(traps(random_program(tmp_path, seed, 1000)))
    assert seen >= {0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0A, 0x24}
    assert any(tt >= 0x80 for tt in seen)


@slow
def test_many_random_programs(tmp_path: Path) -> None:
    """More than 100,000 instructions."""
    seeds = range(1000, 1030)
    assert sum(len(random_program(tmp_path, seed, 3500).steps) for seed in seeds) > 100_000


def main(lines: list[str], data: str = "") -> str:
    """Return a program of these lines; `%r` of 24 to 27 and the stack are left to it."""
    body = "\n    ".join(lines)
    end = "_end: ta 0x7f\n    set keep, %g1\n    ld [%g1], %o7\n    retl\n    nop\n"
    return (
        "    .global main\nmain:\n    set keep, %g1\n    st %o7, [%g1]\n"
        f"    {body}\n{end}    .data\n    .align 8\nkeep: .word 0\n    .align 8\ndata: {data}\n"
    )


EDGES = [0, 1, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0x12345678]
ARITHMETIC = ["add", "addcc", "addx", "addxcc", "sub", "subcc", "subx", "subxcc", "taddcc"]
ARITHMETIC += ["taddcctv", "tsubcc", "tsubcctv", "mulscc", "and", "andcc", "andn", "andncc", "or"]
ARITHMETIC += ["orcc", "orn", "orncc", "xor", "xorcc", "xnor", "xnorcc", "sll", "srl", "sra"]
LONG = ["umul", "umulcc", "smul", "smulcc", "udiv", "udivcc", "sdiv", "sdivcc"]


def set_edges() -> list[str]:
    """Put the edges into %l0 to %l5, and something into the outs."""
    lines = [f"set {value:#x}, %l{i}" for i, value in enumerate(EDGES)]
    return lines + [f"set {17 * i}, %o{i}" for i in range(6)]


def test_arithmetic(tmp_path: Path) -> None:
    """Every operation on all pairs of edges, and on numbers."""
    lines = set_edges()
    for name in ARITHMETIC:
        for a, b in itertools.product(range(len(EDGES)), repeat=2):
            lines.append(f"{name} %l{a}, %l{b}, %o0")
        lines += [f"{name} %l{a}, {b}, %o1" for a in range(len(EDGES)) for b in (-4096, 31, 4095)]
    lock_step(assemble(main(lines), tmp_path), tmp_path)


def test_multiplication_and_division(tmp_path: Path) -> None:
    """Every pair of edges, the dividends with every high word; overflow, and zero as divisor."""
    lines = set_edges()
    for name in LONG:
        for a, b in itertools.product(range(len(EDGES)), repeat=2):
            for high in range(len(EDGES)) if "div" in name else (0,):
                lines += [f"wr %l{high}, 0, %y", f"{name} %l{a}, %l{b}, %o0", "rd %y, %o1"]
    done = lock_step(assemble(main(lines), tmp_path), tmp_path)
    assert traps(done).count(0x2A) == 4 * len(EDGES) ** 2


def test_loads_and_stores(tmp_path: Path) -> None:
    """Every size at every place, aligned or not, in memory and by address spaces."""
    loads = ["ld", "ldub", "lduh", "ldsb", "ldsh", "ldd", "swap", "ldstub"]
    stores = ["st", "stb", "sth", "std"]
    lines = [*set_edges(), "set data, %g4", "set data + 16, %g5"]
    for name in loads:
        for at in range(8):
            lines += [f"{name} [%g4 + {at}], %o2", f"mov {at}, %g6", f"{name} [%g4 + %g6], %o4"]
            lines.append(f"{name}a [%g4 + %g6] 0xb, %o2")
    for name in stores:
        for at in range(8):
            lines += [f"{name} %l2, [%g5 + {at}]", f"{name}a %l4, [%g5 + %g6] 0xb"]
            lines += [f"ldd [%g5 + {8 * i}], %o{2 * i}" for i in range(2)]
    lines += ["ldd [%g4], %g0", "std %g0, [%g5]", "ld [%g5], %g0", "ldd [%g4 + 8], %g0"]
    lines += ["mov 0x17, %o0", "sta %o0, [%g0] 2", "lda [%g0] 2, %o1", "sta %g0, [%g0] 2"]
    data = ".word 0x81828384, 0x05060708, 0x99aabbcc, 0x0d0e0f10\n    .skip 32, 0xa5"
    done = lock_step(assemble(main(lines, data), tmp_path), tmp_path)
    assert set(traps(done)) >= {0x07}


def test_conditions(tmp_path: Path) -> None:
    """Every condition of branches, annulling or not, and of traps, with all condition codes."""
    names = ["n", "e", "le", "l", "leu", "cs", "neg", "vs"]
    names += ["a", "ne", "g", "ge", "gu", "cc", "pos", "vc"]
    lines = ["rd %psr, %l6", "set 0xf00000, %l7", "andn %l6, %l7, %l6"]
    for number, (name, icc) in enumerate(itertools.product(names, range(16))):
        lines += [f"set {icc << 20:#x}, %l7", "wr %l6, %l7, %psr", f"t{name} {number % 64}"]
        for annul in ("", ",a"):
            label = f"c{number}{annul[1:]}"
            lines += [f"b{name}{annul} {label}", "inc %l0", "inc %l1", f"{label}: inc %l2"]
    lock_step(assemble(main(lines), tmp_path), tmp_path)


def test_state_registers_and_jumps(tmp_path: Path) -> None:
    """Of all that is left: state registers, windows by hand, jumps in the slots of jumps."""
    lines = [*set_edges(), "wr %l2, 0, %y", "rd %y, %o0", "rd %asr17, %o1", "rd %psr, %o2"]
    lines += ["rd %wim, %o3", "rd %tbr, %o4", "wr %o4, 0, %tbr", "rd %tbr, %o5"]
    lines += ["wr %g0, 0, %wim", "rd %wim, %l0", "save", "rd %psr, %l1", "restore %g1, 5, %g2"]
    lines += ["mov %o3, %wim", "flush %g0", "stbar", "wr %o2, 2, %psr", "add %o1, 1, %o1"]
    lines += ["rd %psr, %o0", "wr %o0, 2, %psr", "nop", "nop", "nop"]
    for first in ("jmp %g1", "ba t{0}", "call t{0}"):
        for second in ("jmp %g2", "ba u{0}", "call u{0}"):
            number = len(lines)
            lines += [f"set t{number}, %g1", f"set u{number}, %g2", first.format(number)]
            lines += [second.format(number), "inc %l5", f"t{number}: inc %l6", "inc %l7"]
            lines += [f"u{number}: inc %l4"]
    lock_step(assemble(main(lines), tmp_path), tmp_path)


SPARC = [
    "systems/firmware/sparc/crt0.S",
    "systems/firmware/sparc/emulate.S",
    "systems/firmware/runtime.c",
]


@pytest.mark.parametrize(
    ("style", "level", "rotate"),
    [
        pytest.param("compact", "-O2", True, marks=slow),
        pytest.param("compact", "-O2", False, marks=slow),
        pytest.param("textbook", "-O1", True, marks=slow),
        pytest.param("textbook", "-O0", False, marks=slow),
        pytest.param("split", "-Os", True, marks=slow),
        pytest.param("interleaved", "-O3", True, marks=slow),
    ],
)
def test_firmware(tmp_path: Path, style: str, level: str, rotate: bool) -> None:
    """A digest on both by one program; where there is no instruction, it is emulated."""
    sources = [*SPARC, "systems/firmware/keccak/sponge.c", f"systems/firmware/keccak/{style}.c"]
    flags = [level, "-DHF_ROL64", "-DHF_EMULATE"]
    program = leon3.compile_program([*sources, "tests/data/digest.c"], flags, tmp_path)
    done = lock_step(program, tmp_path, rotate=rotate, most=600_000)
    told = hashlib.sha3_256(b"abc").hexdigest().encode() + b"\n"
    assert (done.console, leon3.qemu_console(tmp_path)) == (told, told)
    assert (0x24 in traps(done)) == (not rotate)


STYLES = [(name, style) for name in LEON3 for style in find_design(name).variants]


@pytest.mark.parametrize(
    ("name", "style"),
    [pytest.param(*one, marks=() if one == STYLES[0] else slow) for one in STYLES],
)
def test_known_answers_and_the_registrys_clocks(name: str, style: str) -> None:
    """All functions against hashlib on the system as it is built; clocks are the registry's."""
    design = find_design(name)
    variant = design.variant(style)
    timing = design.timing(variant).clocks_per_block
    alone = {style: variant.model_copy(update={"clocks_per_block": timing})}
    measured = quick_check(design.model_copy(update={"variants": alone}))
    if COMPILERS[leon3.GCC].version() != firmware_of(variant).version:
        pytest.skip(f"the registry's clocks are those of gcc {firmware_of(variant).version}")
    assert measured == {style: timing}


####################
# Clocks           #
####################


def clocks(directory: Path, lines: list[str], *, rotate: bool = True) -> int:
    """Return the clocks of `lines`, between instructions that do nothing."""
    start = ["set data, %g4", "set after, %g5", "set 0x12345678, %l0", "set 77, %l1", "wr %g0, %y"]
    start += ["mov 5, %g6", "cmp %g6, 5", *["nop"] * 8]
    body = [*start, "before: nop", *lines, "after: nop", *["nop"] * 8]
    program = assemble(main(body, ".skip 64"), directory)
    done = run(program, rotate=rotate)
    at = {step.pc: step.clock for step in reversed(done.steps)}
    symbols = program.elf.symbols
    return at[symbols["after"].address] - at[symbols["before"].address] - 1


LD, ST, NOP = "ld [%g4], %l2", "st %l0, [%g4]", "nop"
USE = "add %l2, 1, %l3"


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        # One clock.
        ("add %l0, %l1, %l2; add %l2, %l2, %l2; sub %l2, %l0, %l3", 3),
        ("sll %l0, 3, %l2; sethi 5, %l3; xnor %l2, %l3, %l2; srl %l2, %l3, %l2", 4),
        ("wr %l0, %y; rd %y, %l2; add %l2, 1, %l2; mulscc %l2, %l0, %l2", 4),
        ("save %sp, -96, %sp; add %i0, 1, %o0; restore %o0, 0, %l0; add %l0, 1, %l0", 4),
        ("taddcc %l0, %l1, %l2; addx %l2, 1, %l3; add %l2, 1, %l2; rd %psr, %l2; flush %g0", 5),
        ("wr %l0, %y; rol64i 17, 3, 18; rd %y, %l3", 3),
        ("wr %l0, %y; rol64 17, 16, 18; rol64i 18, 40, 19; rd %y, %l3; add %l3, 1, %l3", 5),
        # ld: a clock more for the next instruction if that uses it.
        (f"{LD}; nop", 2),
        (f"{LD}; {USE}", 3),
        (f"{LD}; nop; {USE}", 3),
        (f"{LD}; add %l0, %l2, %l3", 3),
        (f"{LD}; ld [%g4 + %l2], %l3", 3),
        (f"{LD}; {LD}; {USE}", 4),
        (f"ldsb [%g4], %l2; {USE}; lduh [%g4], %l2; {USE}", 6),
        (f"{LD}; st %l2, [%g4]", 3),  # the data of a store come a clock later anyway
        (f"{LD}; wr %l2, %y; rol64i 17, 3, 18", 4),
        # ldd
        ("ldd [%g4], %l2; nop", 3),
        ("ldd [%g4], %l2; add %l3, 1, %l4", 4),
        (f"ldd [%g4], %l2; {USE}", 3),  # the first word has been there for a clock
        # Stores, single and in a row.
        (f"{ST}; nop", 3),
        (f"{ST}; {ST}", 4),
        (f"{ST}; {LD}; {USE}", 5),
        ("stb %l0, [%g4]; sth %l0, [%g4]; add %l0, 1, %l0", 5),
        ("std %l0, [%g4]; nop", 4),
        (f"std %l0, [%g4]; std %l2, [%g4]; {LD}", 7),
        # Both, past the cache
        (f"swap [%g4], %l2; {USE}", 11),
        (f"ldstub [%g4], %l2; {USE}", 11),
        (f"swap [%g4], %l2; nop; {USE}", 12),
        ("swap [%g4], %l2; swap [%g4], %l2; nop", 21),
        (f"{ST}; swap [%g4], %l2; {ST}; nop", 15),
        (f"swap [%g4], %l2; ld [%g4], %l3; {USE}", 12),
        # Multiplication
        ("umul %l0, %l1, %l2; nop", 6),
        (f"umul %l0, %l1, %l2; {USE}", 7),
        (f"smulcc %l0, %l1, %l2; nop; {USE}", 7),
        ("smul %l0, %l1, %l2; rd %y, %l3", 6),
        ("umul %l0, %l1, %l2; umul %l0, %l1, %l3", 10),
        ("umul %l0, %l1, %l2; umul %l2, %l1, %l3", 11),
        ("umul %l0, %l1, %l2; st %l2, [%g4]; nop", 8),
        # Division: a clock more if the next one uses it; not before Y is written.
        ("udiv %l0, %l1, %l2; nop", 36),
        (f"sdiv %l0, %l1, %l2; {USE}", 37),
        (f"sdiv %l0, %l1, %l2; nop; {USE}", 37),
        ("udiv %l0, %l1, %l2; st %l2, [%g4]", 37),
        ("udivcc %l0, %l1, %l2; sdivcc %l0, %l1, %l2", 71),
        ("udiv %l0, %l1, %l2; umul %l0, %l1, %l3; nop", 41),
        ("wr %l3, %y; udiv %l0, %l1, %l2; nop", 39),
        ("wr %l3, %y; nop; udiv %l0, %l1, %l2; nop", 39),
        ("wr %l3, %y; nop; nop; udiv %l0, %l1, %l2; nop", 39),
        ("wr %l3, %y; nop; nop; nop; udiv %l0, %l1, %l2; nop", 40),
        ("umul %g0, %g0, %l2; udiv %l0, %l1, %l3; nop", 43),
        ("wr %g0, %y; mulscc %l0, %l1, %l2; udiv %l0, %l1, %l3; nop", 40),
        # Jumps and calls, each with the clock of its delay slot
        ("jmp %g5; nop", 4),
        ("call 1f; nop; 1: nop", 3),
        ("call 1f; nop; ba after; nop; nop; 1: retl; nop", 2 + 4 + 2),
        ("jmp %g5; umul %l0, %l1, %l2", 6),
        ("jmp %g5; udiv %l0, %l1, %l2", 36),
        ("jmp %g5; swap [%g4], %l2", 11),
        ("cmp %g6, 5; jmp %g5; rd %psr, %l2", 5),
        # Branches: what they cost beside their slots
        ("ba 1f; nop; 1: nop", 3),
        ("ba,a 1f; nop; 1: nop", 3),
        ("bn,a 1f; nop; 1: nop", 3),
        ("be 1f; nop; nop; 1: nop", 3),
        ("bne 1f; nop; 1: nop", 3),
        ("bne,a 1f; nop; 1: nop", 3),
        ("cmp %g6, 5; be 1f; nop; nop; 1: nop", 4),
        ("cmp %g6, 5; be,a 1f; nop; nop; 1: nop", 4),
        ("cmp %g6, 5; bne 1f; nop; 1: nop", 4 + 2),
        ("cmp %g6, 5; bne,a 1f; nop; 1: nop", 4 + 2),
        ("cmp %g6, 5; nop; bne 1f; nop; 1: nop", 5 + 1),
        ("cmp %g6, 5; nop; nop; bne 1f; nop; 1: nop", 6),
        (f"{LD}; bne 1f; nop; 1: nop", 4),
        (f"{LD}; cmp %l2, %g6; be 1f; nop; 1: nop", 6 + 2),
        # A second clock of the slot runs beside the fetch.
        (f"cmp %g6, 5; bne 1f; {ST}; 1: nop", 5 + 1),
        (f"cmp %g6, 5; be 1f; {ST}; nop; 1: nop", 5),
        ("cmp %g6, 5; bne 1f; std %l0, [%g4]; 1: nop", 6),
        ("cmp %g6, 5; bne 1f; umul %l0, %l1, %l2; 1: nop", 8),
        ("cmp %g6, 5; bne,a 1f; umul %l0, %l1, %l2; 1: nop", 6),
        ("cmp %g6, 5; be,a 1f; udiv %l0, %l1, %l2; nop; 1: nop", 38),
        ("cmp %g6, 5; bne 1f; udiv %l0, %l1, %l2; nop; 1: nop", 39),
        ("cmp %g6, 5; bne,a 1f; udiv %l0, %l1, %l2; nop; 1: nop", 7),
        ("cmp %g6, 5; bne 1f; swap [%g4], %l2; 1: nop", 13),
        ("cmp %g6, 5; umul %l0, %l1, %l2; bne 1f; nop; 1: nop", 9),
        # The slot may wait while its branch is resolved.
        ("wr %l3, %y; cmp %g6, 5; bne 1f; udiv %l0, %l1, %l2; nop; 1: nop", 40),
        ("wr %l3, %y; cmp %g6, 5; bne,a 1f; udiv %l0, %l1, %l2; nop; 1: nop", 8),
        ("wr %l3, %y; cmp %g6, 5; be 1f; udiv %l0, %l1, %l2; nop; 1: nop", 39),
        ("cmp %g6, 5; wr %l3, %y; bne 1f; udiv %l0, %l1, %l2; nop; 1: nop", 41),
        ("cmp %g6, 5; bne 1f; rd %psr, %l2; nop; 1: nop", 7),
        ("cmp %g6, 5; be,a 1f; rd %psr, %l2; nop; 1: nop", 5),
        ("cmp %g6, 5; bne 1f; tne 1; nop; 1: nop", 7),
        # A window that changes in a slot which may be annulled
        ("cmp %g6, 5; be,a 1f; save %sp, -96, %sp; nop; 1: nop; restore", 6),
        ("cmp %g6, 5; nop; be,a 1f; save %sp, -96, %sp; nop; 1: nop; restore", 7),
        ("cmp %g6, 5; be 1f; save %sp, -96, %sp; nop; 1: nop; restore", 5),
        ("cmp %g6, 5; bne,a 1f; save %sp, -96, %sp; 1: nop", 6),
        # Condition codes of multiplication and division come late.
        ("umulcc %l0, %l1, %l2; bne 1f; nop; nop; 1: nop", 9),
        ("umulcc %l0, %l1, %l2; be 1f; nop; nop; 1: nop", 12),
        ("umulcc %l0, %l1, %l2; be,a 1f; nop; nop; 1: nop", 12),
        ("umulcc %l0, %l1, %l2; nop; bne 1f; nop; nop; 1: nop", 9),
        ("umulcc %l0, %l1, %l2; nop; be 1f; nop; nop; 1: nop", 12),
        ("umulcc %l0, %l1, %l2; nop; be,a 1f; udiv %l0, %l1, %l2; nop; 1: nop", 12),
        ("umulcc %l0, %l1, %l2; nop; nop; bne 1f; nop; nop; 1: nop", 11),
        ("umulcc %l0, %l1, %l2; nop; nop; nop; be 1f; nop; nop; 1: nop", 12),
        ("umulcc %l0, %l1, %l2; cmp %g6, 5; bne 1f; nop; 1: nop", 11),
        ("udivcc %l0, %l1, %l2; be 1f; nop; 1: nop", 41),
        ("udivcc %l0, %l1, %l2; nop; bne 1f; nop; nop; 1: nop", 39),
        ("mulscc %l0, %l1, %l2; bne 1f; nop; nop; 1: nop", 5),
        ("mulscc %l0, %l1, %l2; nop; be 1f; nop; nop; 1: nop", 7),
        ("umulcc %l0, %l1, %l2; addx %l0, %l1, %l3", 6),
        # rd %psr and traps with a condition
        ("cmp %g6, 5; rd %psr, %l2; nop", 5),
        ("cmp %g6, 5; nop; rd %psr, %l2; nop", 5),
        ("cmp %g6, 5; nop; nop; rd %psr, %l2; nop", 5),
        ("umulcc %l0, %l1, %l2; rd %psr, %l3", 9),
        ("cmp %g6, 5; tne 1; nop", 5),
        ("cmp %g6, 5; nop; tne 1; nop", 5),
        ("cmp %g6, 5; tn 1; nop", 3),
        # Branches in the slots of others, and after a trap that does not come
        ("cmp %g6, 5; ba 1f; be 2f; nop; nop; 1: nop; 2: nop", 6),
        ("cmp %g6, 5; call 1f; be 2f; nop; nop; 1: nop; 2: nop", 6),
        ("cmp %g6, 5; ba 1f; bne 2f; nop; nop; 1: nop; 2: nop", 6),
        # Traps, with their handler and back: 20 instructions
        ("ta 3; nop", 23),
        ("unimp 5; nop", 23),
        ("ld [%g4 + 2], %l2; nop", 23),
        ("taddcctv %l0, 1, %l2; nop", 23),
        ("udiv %l0, %g0, %l2; nop", 23),
        ("wr %g0, %y; udiv %l0, %g0, %l2; nop", 26),
        ("cmp %g6, 5; bne 1f; udiv %l0, %g0, %l2; nop; 1: nop", 26),
        ("cmp %g6, 5; te 3; nop", 26),
    ],
)
def test_clocks(tmp_path: Path, lines: str, wanted: int) -> None:
    """What a LEON3 takes, by instruction and for what may come together.

    Measured on the VHDL of GRLIB 2017: `iu3`, its 16 x 16 multiplier with a register, static branch
    prediction, load delay 1; caches warm, on a bus that answers at once.
    """
    split = [line.strip() for line in lines.split(";")]
    assert clocks(tmp_path, split) == wanted


def page() -> list[tuple[str, int]]:
    """Return the rows of the page's table: instructions, and their clocks."""
    text = (ROOT / "docs" / "integrate" / "leon3.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|[^|]*\| `([^|]*)` \| (\d+) \|$", text, flags=re.MULTILINE)
    return [(lines, int(wanted)) for lines, wanted in rows]


def test_clocks_of_the_page(tmp_path: Path) -> None:
    """What docs/integrate/leon3.md says."""
    rows = page()
    assert len(rows) == 31
    for lines, wanted in rows:
        assert clocks(tmp_path, lines.split("; ")) == wanted, lines


####################
# Traps            #
####################

USER = ["rd %psr, %g2", "andn %g2, 0xc0, %g2", "mov %g2, %psr", "nop", "nop", "nop"]


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (["unimp 5"], 0x02),
        ([".word 0x81c80000 ! rett, traps enabled"], 0x02),
        (["rd %psr, %g2", "or %g2, 8, %g2", "mov %g2, %psr"], 0x02),
        ([".word 0xc61b8000 ! ldd, odd rd"], 0x02),
        ([".word 0x81680000"], 0x02),
        ([*USER, "rd %psr, %g3", "ta 0x10"], 0x03),
        ([*USER, "mov %g2, %psr", "ta 0x10"], 0x03),
        ([*USER, "rd %wim, %g3", "ta 0x10"], 0x03),
        ([*USER, "rd %tbr, %g3", "ta 0x10"], 0x03),
        ([*USER, "rett %g0", "nop", "ta 0x10"], 0x03),
        ([*USER, "lda [%sp] 0xb, %g3", "ta 0x10"], 0x03),
        (["fadds %f0, %f1, %f2"], 0x04),
        (["ld [%sp], %f0"], 0x04),
        (["fba .", "nop"], 0x04),
        (["ld [%sp + 2], %g2"], 0x07),
        (["sth %g0, [%sp + 1]"], 0x07),
        (["std %g0, [%sp + 4]"], 0x07),
        (["set main + 2, %g2", "set _end, %g1", "jmp %g2", "nop"], 0x07),
        (["mov 1, %g2", "taddcctv %g2, 1, %g3"], 0x0A),
        ([".word 0x81b80000 ! CPop2"], 0x24),
        ([".word 0x81b00020 ! CPop1, no rotate"], 0x24),
        ([".word 0x81b02040 ! CPop1, no rotate"], 0x24),
        (["udiv %g0, 0, %g2"], 0x2A),
        (["sdivcc %g1, %g0, %g2"], 0x2A),
        (["ta 0"], 0x80),
        (["mov 0x123, %g2", "ta %g2 + 1"], 0xA4),
    ],
)
def test_traps(tmp_path: Path, lines: list[str], wanted: int) -> None:
    """The trap comes, the instruction does nothing, and QEMU does the same."""
    done = lock_step(assemble(main(lines), tmp_path), tmp_path)
    assert traps(done)[0] == wanted
    assert done.error
    pairs = itertools.pairwise(done.steps)
    assert {after.clock - step.clock for step, after in pairs if step.trap} == {6}
    if "jmp %g2" not in lines:
        assert traps(done)[-1] == 0xFF


def test_windows_trap(tmp_path: Path) -> None:
    """Twenty calls deep and back: each window is spilled and filled in its place."""
    lines = ["set 20, %o0"]
    down = ["1: save %sp, -96, %sp", "add %i0, -1, %o0", "cmp %o0, 0", "bne 1b", "mov %o0, %l7"]
    up = [line for _ in range(20) for line in ("add %l7, %i0, %i0", "restore")]
    done = lock_step(assemble(main([*lines, *down, *up]), tmp_path), tmp_path)
    spills = 20 - 6
    assert (traps(done).count(5), traps(done).count(6)) == (spills, spills)


def test_addresses_where_nothing_is(tmp_path: Path) -> None:
    """Loads, stores, swaps and fetches trap, where QEMU would go on."""
    for access in ("ld [%g2], %g3", "st %g0, [%g2]", "swap [%g2], %g3", "std %g0, [%g2]"):
        lines = ["set 0x10000000, %g2", "mov 7, %g3", access, "set 0x40008000, %g2", access]
        done = run(assemble(main(lines), tmp_path))
        assert traps(done)[:2] == [9, 9]
        assert done.steps[-2].registers[3] == 7
    done = run(assemble(main(["set 0x10000000, %g2", "jmp %g2", "nop"]), tmp_path), most=60)
    assert traps(done)[0] == 1
    [first] = [step for step in done.steps if step.pc == 0x10000000]
    assert first.trap


RETURN = """
    .section .text._skip, "ax"
    .global _skip
_skip:
    rd      %tbr, %l3
    srl     %l3, 4, %l4
    and     %l4, 0xff, %l4
    cmp     %l4, 0x20
    bgeu    1f
    mov     %l0, %psr
    nop
    nop
    nop
    jmp     %l1
    rett    %l2
1:  nop
    nop
    jmp     %l2
    rett    %l2 + 4
    .text
"""
"""Interrupts go back to the instruction that they came at; the end's trap is skipped."""


@pytest.mark.parametrize("level", [pytest.param(1, marks=slow), 9, 15])
def test_interrupts(tmp_path: Path, level: int) -> None:
    """Taken at any instruction of a loop, which then goes on as if nothing had been."""
    body = ["rd %psr, %g2", "andn %g2, 0xf00, %g2", "mov %g2, %psr", "set data, %g3"]
    body += ["mov 30, %l0", "1: ldd [%g3], %o0", "inc %o0", "umul %o0, %l0, %o1", "cmp %l0, 15"]
    body += ["bg 2f", "std %o0, [%g3]", "swap [%g3], %o2", "2: subcc %l0, 1, %l0", "bne 1b"]
    body += ["rol64i 8, 3, 9", "ldd [%g3], %o0"]
    # An interrupt goes back to the instruction that it came at.
    text = main(body, ".word 5, 6").replace("_end:", "_end: mov 3, %g4\n   ")
    program = assemble(f"{RETURN}{text}", tmp_path, own=True)
    plain = run(program)
    assert plain.error
    begin = next(step.clock for step in plain.steps if step.registers[16] == 30)
    for clock in range(begin + 8, begin + 60):
        done = run(program, interrupt=(level, clock))
        assert traps(done)[0] == 0x10 + level
        assert traps(done)[1:] == traps(plain)
        assert done.memory[-64:] == plain.memory[-64:]
        ends = [next(s for s in d.steps if s.registers[4] == 3) for d in (done, plain)]
        assert ends[0].registers[:16] == ends[1].registers[:16]
        assert len(done.steps) > len(plain.steps)


def test_masked_interrupts(tmp_path: Path) -> None:
    """PIL holds back all levels up to its own, but 15; disabled traps hold back all."""
    text = main(["nop"] * 100)
    program = assemble(text, tmp_path)  # PIL 15
    assert traps(run(program, interrupt=(14, 40))) == traps(run(program))
    assert traps(run(program, interrupt=(15, 60)))[0] == 0x1F
    off = ["rd %psr, %g2", "andn %g2, 0x20, %g2", "mov %g2, %psr", *["nop"] * 90]
    off += ["mov 1, %g3", "or %g2, 0x20, %g2", "mov %g2, %psr", "nop", "nop", "nop"]
    done = run(assemble(main(off), tmp_path), interrupt=(15, 60))
    assert traps(done)[0] == 0x1F
    [at] = [i for i, step in enumerate(done.steps) if step.trap][:1]
    assert done.steps[at].registers[3] == 1


def test_error_mode(tmp_path: Path) -> None:
    """A trap while traps are disabled stops the processor until reset."""
    lines = ["rd %psr, %g2", "andn %g2, 0x20, %g2", "mov %g2, %psr", "nop", "nop", "nop"]
    done = run(assemble(main([*lines, "mov 5, %g3", "unimp 0", "mov 6, %g3"]), tmp_path))
    assert done.error and done.steps[-1].trap
    assert done.steps[-1].registers[3] == 5


@slow
def test_no_rotate_is_a_trap(tmp_path: Path) -> None:
    """Without the unit its instruction is a co-processor's."""
    program = assemble(main(["mov 3, %g2", "rol64i 2, 4, 3"]), tmp_path)
    assert traps(run(program, rotate=False))[0] == 0x24
    assert 0x24 not in traps(run(program, rotate=True))


def test_rotates(tmp_path: Path) -> None:
    """Every amount, as a number and in a register, against Python."""
    rng = random.Random(5)
    lines, wanted = ["set data, %g3"], []
    for amount in range(64):
        word = rng.getrandbits(64)
        turned = (word << amount | word >> (64 - amount)) & (1 << 64) - 1
        wanted += [turned, turned]
        lines += [f"set {word >> 32:#x}, %g1", f"set {word & 0xFFFFFFFF:#x}, %g2"]
        lines += [f"mov {amount + 64 * rng.randrange(32)}, %g4"]
        for instruction in (f"rol64i 2, {amount}, 17", "rol64 2, 4, 17"):
            lines += ["wr %g1, %y", instruction, "rd %y, %l0", "std %l0, [%g3]", "inc 8, %g3"]
    program = assemble(main(lines, ".skip 1024"), tmp_path)
    done = run(program)
    start = program.address("data")
    words = [done.memory[start + 8 * i : start + 8 * i + 8] for i in range(128)]
    assert [int.from_bytes(word, "big") for word in words] == wanted


@slow
def test_instructions_are_counted(tmp_path: Path) -> None:
    """Those that trap or are annulled are not, all others once, whatever slots they take."""
    lines = ["set data, %g4", "begin: rd %asr20, %l0", "std %l0, [%g4]", "umul %g4, 3, %g5", "ta 5"]
    lines += ["ldd [%g4], %l2", "cmp %g4, 0", "be,a 1f", "nop", "1: bne 2f", "nop", "nop", "2: nop"]
    program = assemble(main([*lines, "end: rd %asr20, %l1", "nop"], ".skip 64"), tmp_path)
    done = run(program, counters=True)
    places = [step.pc for step in done.steps]
    begin, end = (places.index(program.elf.symbols[name].address) for name in ("begin", "end"))
    first, last = (done.steps[end + 1].registers[number] for number in (16, 17))
    assert last - first == sum(not step.trap for step in done.steps[begin:end]) > 20


def test_console(tmp_path: Path) -> None:
    """A byte takes its time, which the status register reports; a byte too many is lost."""
    lines = ["set 0x80000100, %g2", "mov 0x41, %g3", "st %g3, [%g2]"]  # not enabled: lost
    lines += ["mov 2, %g4", "st %g4, [%g2 + 8]", "ld [%g2 + 8], %g5", "mov 1, %g4"]
    lines += [
        "st %g4, [%g2 + 12]",
        "ld [%g2 + 4], %l0",
        "inc %g3",
        "st %g3, [%g2]",
        "nop",
        "inc %g3",
    ]
    lines += ["st %g3, [%g2]", "ld [%g2 + 4], %l1", "inc %g3", "st %g3, [%g2]"]
    lines += ["1: ld [%g2 + 4], %l2", "btst 4, %l2", "be 1b", "nop"]
    lines += ["2: ld [%g2 + 4], %l3", "btst 2, %l3", "be 2b", "nop", "nop"]
    program = assemble(main(lines), tmp_path)
    done = run(program)
    assert done.console == b"BC"
    last = done.steps[
        next(i for i, s in enumerate(done.steps) if s.pc == program.elf.symbols["_end"].address)
    ]
    assert last.registers[5] == 2
    assert last.registers[16:20] == (6, 0, 4, 6)
    # Two bytes of ten bits, each of eight ticks, a tick of two clocks.
    polled = [step for step in done.steps if step.pc < last.pc and step.clock > 0]
    assert 2 * 160 <= last.clock - polled[0].clock <= 2 * 160 + 200


####################
# Faults           #
####################

MUTANTS = [
    (IU, "assign e_y = m_q.live && m_op_q.write_y ? m_y : y_q;", "assign e_y = y_q;"),
    (IU, "d_slot.tt   = dec_save ? TrapOverflow : TrapUnderflow;", "d_slot.tt   = TrapOverflow;"),
    (IU, "      annul_ra = e_annuls_q;", "      annul_ra = 1'b0;"),
    (IU, "kill_fe = a_q.first || d_valid_q;", "kill_fe = 1'b1;"),
    (IU, "if (w_write_q && w_place_q == a_place_1_q) operand_1 = w_data_q;", ""),
    (IU, "ps_q <= x_q.su;", "ps_q <= 1'b1;"),
    (IU, "else if (d_valid_q && d_first) npc = d_pc_q;", ""),
    (IU, "else if (d_valid_q && d_first) npc", "else if (d_valid_q) npc"),
    (IU, "&& a_annuls_q && (dec_save || dec_restore);", "&& 1'b0;"),
    (IU, "kill_de  = (a_q.first && d_first) ||", "kill_de  = d_first ||"),
    (IU, "d_op.write_y = 1'b0;\n      d_slot.write = 1'b0;", "d_op.write_y = 1'b0;"),
    (IU, "!flush && (m_commits || !m_q.live);", "!flush;"),
    (ALU, "!= a[31]) || tag_overflow;", "!= a[31]);"),
    (ALU, "carry_out ^ op_i.subtract", "carry_out"),
    (MULDIV, "!(negative_q && low_q[30:0] == '0)", "1'b1"),
    (ROTATE, "by_8[59:0], by_8[63:60]", "by_8[60:0], by_8[63:61]"),
    (DECODE, "4'h3, 4'h7: illegal = inst_i[25];", ""),
]


@pytest.mark.parametrize(
    "mutant",
    [MUTANTS[2], *(pytest.param(one, marks=slow) for one in MUTANTS if one is not MUTANTS[2])],
)
def test_a_fault_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mutant: tuple[str, str, str]
) -> None:
    """One fault in the RTL, and random programs or what is done by hand fail."""
    path, old, new = mutant

    def read(variant: Variant) -> dict[str, str]:
        files = registry.read_sources(variant)
        assert files[path].count(old) == 1
        return {**files, path: files[path].replace(old, new)}

    monkeypatch.setattr(library, "read_sources", read)
    with pytest.raises(AssertionError):
        everything(tmp_path)


def everything(directory: Path) -> None:
    """Play what finds most faults."""
    for seed in range(1, 13):
        random_program(directory, seed, 1500)
    test_multiplication_and_division(directory)
    test_arithmetic(directory)
    test_rotates(directory)
