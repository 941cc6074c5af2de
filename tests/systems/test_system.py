"""Programs on a processor: firmware compiled, run and measured, and its errors reported.

The processor with the rotate unit runs programs without its instructions too, in the same clocks:
one build serves the quick run for both.
"""

import hashlib
import random
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from hashfabric.base.elf import Section, Symbol, read_elf
from hashfabric.base.errors import LabError
from hashfabric.base.tools import Tool
from hashfabric.commands import cli
from hashfabric.models import keccak as golden
from hashfabric.models.functions import FUNCTIONS
from hashfabric.registry import designs as registry
from hashfabric.registry.designs import (
    Design,
    Firmware,
    Variant,
    find_design,
    load_designs,
    source_hash,
)
from hashfabric.simulate import firmware, library, system
from hashfabric.simulate.firmware import COMPILERS, compile_firmware
from hashfabric.simulate.known_answers import quick_check
from hashfabric.simulate.system import SystemHasher, firmware_of, run_program

GCC = "riscv64-unknown-elf-gcc"
SHA3 = FUNCTIONS["sha3-256"]


def _missing() -> str:
    try:
        COMPILERS[GCC].path()
    except LabError as error:
        return str(error)
    return ""


compiled = pytest.mark.skipif(bool(_missing()), reason=_missing())
slow = pytest.mark.slow

LADDER = ["picorv32-plain", "picorv32-rotate", "picorv32-xor", "picorv32-pairs", "picorv32-state"]
"""The systems of docs/integrate/riscv.md, each with more in hardware than the one before."""

SYSTEMS = [
    (design.name, name)
    for design in load_designs().values()
    for name, variant in design.variants.items()
    if variant.kind == "system" and firmware_of(variant).compiler == GCC
]
"""All of RISC-V, by design and variant."""

INCLUDE = '#include "systems/firmware/system.h"\n'
MAIN = "systems/firmware/keccak/main.c"

QUICK = {(name, next(iter(find_design(name).variants))) for name in LADDER[-1:]}
"""The first variant of the last rung: the rest is for the slow run."""


def parameters() -> list[object]:
    """Return every system, the quick ones and the slow ones."""
    return [
        pytest.param(*system, id="-".join(system), marks=() if system in QUICK else slow)
        for system in SYSTEMS
    ]


def need_package_of(variant: Variant) -> None:
    """Skip the test where the processor's package is not installed."""
    for package in variant.packages:
        pytest.importorskip(package.partition(":")[0])


@pytest.fixture
def design() -> Design:
    """The system with the rotate unit."""
    return find_design("picorv32-rotate")


def hosted(name: str, style: str) -> tuple[Design, Variant]:
    """Return a system; plain firmware in the processor that has the rotate unit as well."""
    design = find_design(name)
    variant = design.variant(style)
    if name == "picorv32-plain":
        variant = variant.model_copy(update={"top": "hf_picorv32_rotate"})
    timing = design.timing(variant)
    variant = variant.model_copy(update={"clocks_per_block": timing.clocks_per_block})
    return design.model_copy(update={"variants": {style: variant}}), variant


def with_main(variant: Variant, *paths: str) -> Firmware:
    """The variant's firmware with another main()."""
    own = firmware_of(variant)
    kept = [source for source in own.sources if not source.endswith("/main.c")]
    return own.model_copy(update={"sources": [*kept, *paths]})


def changed_source(
    monkeypatch: pytest.MonkeyPatch, path: str, change: Callable[[str], str]
) -> None:
    """Have `change` edit a source of the firmware before it is compiled."""

    def read(some: Firmware) -> dict[str, str]:
        files = registry.read_firmware(some)
        text = change(files[path])
        assert text != files[path]
        return {**files, path: text}

    monkeypatch.setattr(firmware, "read_firmware", read)


####################
# What works       #
####################


def permuted(design: Design, variant: Variant) -> int:
    """Run the permutation on random states against the golden model; return its clocks."""
    program = compile_firmware(with_main(variant, "tests/data/permutation.c"))
    rng, clocks = random.Random(1), set()
    for _ in range(3):
        state = [rng.getrandbits(64) for _ in range(25)]
        run = run_program(design, variant, program, {"hf_state": golden.state_bytes(state)})
        start = program.address("hf_state", 200)
        after = run.memory[start : start + 200]
        assert after == golden.state_bytes(golden.keccak_f(state))
        clocks.add(run.clocks)
    assert len(clocks) == 1
    return clocks.pop()


@compiled
@pytest.mark.parametrize(("name", "style"), parameters())
def test_known_answers_and_the_registrys_clocks(name: str, style: str) -> None:
    """The permutation; all functions against hashlib; the clocks are the registry's."""
    design, variant = hosted(name, style)
    need_package_of(variant)
    assert permuted(design, variant) < design.timing(variant).clocks_per_block
    measured = quick_check(design)
    if COMPILERS[GCC].version() != firmware_of(variant).version:
        pytest.skip(f"the registry's clocks are those of gcc {firmware_of(variant).version}")
    assert measured == {style: design.timing(variant).clocks_per_block}


@compiled
@pytest.mark.slow
def test_the_ladder_climbs() -> None:
    """Every rung is faster than the one before; the top one a hundred times the best plain C."""
    firsts = [find_design(name) for name in LADDER]
    clocks = [one.timing(next(iter(one.variants.values()))).clocks_per_block for one in firsts]
    assert clocks == sorted(clocks, reverse=True)
    for one in firsts:  # What is first is best: it is what `hash` takes.
        mine = [one.timing(variant).clocks_per_block for variant in one.variants.values()]
        assert mine[0] == min(mine)
    alone = [permuted(*hosted(one.name, next(iter(one.variants)))) for one in firsts]
    assert alone[0] > 100 * alone[-1]
    assert clocks[0] > 100 * clocks[-1]


@compiled
@pytest.mark.parametrize(
    "name", [name if name == LADDER[-1] else pytest.param(name, marks=slow) for name in LADDER]
)
def test_the_functions_of_the_header(name: str) -> None:
    """Each by its own call, bytes that do not lie on words, and two sponges that take turns."""
    design, variant = hosted(name, next(iter(find_design(name).variants)))
    extra = ["systems/firmware/keccak/sha3.h", "tests/data/functions.c"]
    program = compile_firmware(with_main(variant, *extra))
    message = random.Random(2).randbytes(300)
    run = run_program(design, variant, program, {"hf_message": message})
    keccak256 = golden.digest(FUNCTIONS["keccak-256"], message)
    wanted = [hashlib.new(f"sha3_{bits}", message).digest() for bits in (224, 256, 384, 512)]
    wanted += [keccak256, hashlib.shake_128(message).digest(200)]
    wanted += [hashlib.shake_256(message).digest(300), wanted[1]]
    wanted += [hashlib.sha3_256(message[1:]).digest()]
    start = program.address("hf_output", sum(map(len, wanted)))
    given = run.memory[start:]
    for digest in wanted:
        assert given[: len(digest)] == digest
        given = given[len(digest) :]


@slow
@compiled
def test_the_processor_without_a_unit() -> None:
    """The plain top itself; there every unit's instructions are illegal."""
    plain = find_design("picorv32-plain")
    assert (
        quick_check(plain, ["split"])["split"]
        == plain.timing(plain.variant("split")).clocks_per_block
    )
    for name in LADDER[1:]:
        foreign = next(iter(find_design(name).variants.values())).firmware
        variant = plain.variant("split").model_copy(update={"firmware": foreign})
        with pytest.raises(LabError, match="picorv32-plain: simulation: the processor trapped"):
            SystemHasher(plain, variant).hash(SHA3, b"")


@compiled
@pytest.mark.parametrize(
    "name", [name if name == LADDER[-1] else pytest.param(name, marks=slow) for name in LADDER[1:]]
)
def test_unknown_instructions_trap(name: str, tmp_path: Path) -> None:
    """Those of custom-0 that the unit does not have, and custom-1; others end."""
    design = find_design(name)
    variant = next(iter(design.variants.values()))
    known = {
        "picorv32-rotate": [(0, 0), (1, 63)],
        "picorv32-xor": [(0, 5), (1, 63), (2, 0), (3, 63), (4, 0)],
        "picorv32-pairs": [(0, 64), (4, 127), (5, 64), (5, 65), (5, 66), (5, 67)],
        "picorv32-state": [(6, 64), (6, 65), (6, 66), (6, 67), (6, 68), (6, 67)],
    }[name]
    unknown = {
        "picorv32-rotate": [(0, 64), (2, 0), (6, 64)],
        "picorv32-xor": [(2, 1), (4, 64), (5, 0), (7, 0)],
        "picorv32-pairs": [(0, 0), (5, 68), (6, 64), (5, 96)],
        "picorv32-state": [(6, 0), (6, 69), (6, 72), (5, 64), (0, 0)],
    }[name]
    cases: list[tuple[int, list[tuple[int, int]], str | None]] = [(0x0B, known, None)]
    cases += [(0x0B, [funct], "the processor trapped") for funct in unknown]
    cases += [(0x2B, known[:1], "the processor trapped")]
    for opcode, functs, told in cases:
        body = "".join(
            f'    __asm__ volatile(".insn r {opcode}, {funct3}, {funct7}, a0, a1, a2" ::: "a0");\n'
            for funct3, funct7 in functs
        )
        text = f"{INCLUDE}int main(void) {{\n    hf_mail(HF_BEGIN);\n{body}"
        files = registry.read_firmware(firmware_of(variant))
        files["systems/firmware/keccak/main.c"] = f"{text}    hf_mail(HF_END);\n    return 0;\n}}\n"
        for path, source in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(source, encoding="utf-8")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(firmware, "read_firmware", lambda some, files=files: files)
            program = compile_firmware(firmware_of(variant))
        if told is None:
            run_program(design, variant, program, {})
            continue
        with pytest.raises(LabError, match=told):
            run_program(design, variant, program, {})


@slow
@compiled
def test_the_second_processor() -> None:
    """A bus that cannot refuse: unknown instructions give 0; traps are errors; files are hashed."""
    design = find_design("vexriscv-state")
    variant = design.variant("state")
    need_package_of(variant)
    for asked, told in (
        (".insn r 0x0b, 6, 69, %0, %1, %1", None),
        (".insn r 0x0b, 0, 0, %0, %1, %1", None),
        (".insn r 0x2b, 6, 64, %0, %1, %1", "the processor trapped"),
    ):
        text = f"{INCLUDE}HF_SHARED uint32_t hf_answer;\nint main(void) {{\n"
        text += (
            f'    hf_mail(HF_BEGIN);\n    __asm__ volatile("{asked}" : "=r"(hf_answer) : "r"(7));\n'
        )
        text += "    hf_mail(HF_END);\n    return 0;\n}\n"
        with pytest.MonkeyPatch.context() as patch:
            files = registry.read_firmware(firmware_of(variant)) | {MAIN: text}
            patch.setattr(firmware, "read_firmware", lambda some, files=files: files)
            program = compile_firmware(firmware_of(variant))
        if told is None:
            run = run_program(design, variant, program, {})
            start = program.address("hf_answer", 4)
            assert run.memory[start : start + 4] == bytes(4)
            continue
        with pytest.raises(LabError, match=told):
            run_program(design, variant, program, {})


@slow
@compiled
def test_simulations_end_in_any_order() -> None:
    """One that ran before another one was closed: a model's scopes are its own context's."""
    design = find_design("vexriscv-state")
    variant = design.variant("state")
    need_package_of(variant)
    first, second = (SystemHasher(design, variant) for _ in range(2))
    wanted = hashlib.sha3_256(b"abc").digest()
    assert [one.hash(SHA3, b"abc").digest for one in (first, second)] == [wanted] * 2
    del second
    assert first.hash(SHA3, b"abc").digest == wanted
    del first
    assert SystemHasher(design, variant).hash(SHA3, b"abc").digest == wanted


@compiled
@pytest.mark.slow
def test_what_the_firmware_takes(design: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks of the empty message, and bytes; a variable and a deeper stack are counted."""
    variant = design.variant("compact")
    use = system.firmware_use(design, variant)
    block = design.timing(variant).clocks_per_block
    assert 0.8 * block < use.clocks_per_hash < 1.2 * block
    assert 100 < use.stack_bytes < 1024
    assert 200 < use.data_bytes < 256  # the sponge
    assert use.ram_bytes == use.data_bytes + use.stack_bytes
    assert use.clocks_per_permutation is not None
    assert 0.9 * block < use.clocks_per_permutation < block
    alone = use.settings["-O2 -fno-schedule-insns"]  # the registry's own
    assert (alone.clocks, alone.code_bytes) == (use.clocks_per_permutation, use.code_bytes)
    assert alone.instructions is not None and use.instructions_per_byte is not None
    assert 3 * alone.instructions < alone.clocks < 5 * alone.instructions
    assert alone.instructions < 72 * use.instructions_per_byte < 1.1 * alone.instructions

    def deeper(text: str) -> str:
        body = "    volatile uint32_t deep[100];\n    deep[0] = ++counted[1] + deep[1];\n"
        text = text.replace("int main(void) {\n", f"int main(void) {{\n{body}")
        return text.replace("int main", "static volatile uint32_t counted[3];\n\nint main")

    changed_source(monkeypatch, "systems/firmware/keccak/main.c", deeper)
    more = system.firmware_use(design, variant)
    assert 12 <= more.data_bytes - use.data_bytes <= 16
    assert 400 <= more.stack_bytes - use.stack_bytes <= 416
    assert more.code_bytes > use.code_bytes
    assert abs(more.clocks_per_hash - use.clocks_per_hash) < 20


@compiled
def test_files_are_hashed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Of any length, of any number of bits, with the clocks; a bad one is reported and skipped."""
    data = random.Random(3).randbytes(9001)
    (path := tmp_path / "data").write_bytes(data)
    assert cli.main(["hash", "--design", "picorv32-state", str(path), "LICENSE", "none"]) == 1
    told = capsys.readouterr()
    assert told.out.splitlines()[0] == f"{hashlib.sha3_256(data).hexdigest()}  {path}"
    assert told.out.splitlines()[1].endswith("  LICENSE")
    assert len(told.out.splitlines()) == 2
    assert "hashfabric: none: No such file or directory" in told.err
    assert f"{path}: " in told.err and " clocks, 67 blocks, " in told.err

    options = ["--function", "shake128", "--output-bits", "9003", "--bits", "70007"]
    assert cli.main(["hash", "--design", "picorv32-state", *options, str(path)]) == 0
    wanted = golden.digest(FUNCTIONS["shake128"], data[:8751], bits=70007, output_bits=9003)
    assert capsys.readouterr().out.split()[0] == wanted.hex()
    assert cli.main(["hash", "--design", "picorv32-state", "--bits", "72009", str(path)]) == 1
    assert "72009 bits are required, 72008 are there" in capsys.readouterr().err


####################
# What goes wrong  #
####################


def test_a_missing_compiler_is_one_line(design: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the Debian package."""
    absent = Tool(GCC, "no-such-gcc", (), "", remedy=COMPILERS[GCC].remedy)
    monkeypatch.setitem(COMPILERS, GCC, absent)
    told = f"{GCC}: no program 'no-such-gcc': install Debian's gcc-riscv64-unknown-elf"
    with pytest.raises(LabError) as caught:
        quick_check(design)
    assert str(caught.value) == told


@compiled
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("compact.c STEP(7, 3)", "STEP(7, 4)", "rotate compact: wrong digest: sha3-224 of 0 bits"),
        ("compact.c < KECCAK_ROUNDS", "< KECCAK_ROUNDS - 1", "wrong digest: sha3-224 of 0 bits"),
        ("compact.c moved = found", "moved = lost", "compact.c:.* error: 'lost' undeclared"),
        ("sponge.c ^= 0x80", "^= 0x40", "wrong digest: sha3-224 of 0 bits"),
        ("sponge.c (lane != last)", "(lane + 1 < last)", "wrong digest: sha3-.* of 1.* bits"),
        ("sponge.c if (place == rate) {\n            k", "if (0) {\n            k", "wrong digest"),
        ("sponge.c room < bytes ? room", "room > bytes ? room", "wrong digest|trapped"),
        (
            "sponge.c place % 8 == 0) {\n                keccak_get",
            "place % 8 == 1) { keccak_get",
            "wrong digest",
        ),
        ("lanes.h KECCAK_LOW] ^=", "KECCAK_LOW] =", "wrong digest"),
        (
            "sponge.c sponge->suffix;\n",
            "__builtin_popcount(sponge->suffix);\n",
            "undefined reference to `__popcount",
        ),
    ],
)
def test_wrong_firmware_is_seen(
    design: Design, monkeypatch: pytest.MonkeyPatch, old: str, new: str, told: str
) -> None:
    """One fault in the permutation or the sponge, and what does not compile."""
    name, _, old = old.partition(" ")
    path = f"systems/firmware/keccak/{name}"
    changed_source(monkeypatch, path, lambda text: text.replace(old, new, 1))
    with pytest.raises(LabError, match=told):
        quick_check(design, ["compact"])


@compiled
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("hf_mail(HF_END)", "", "the program says nothing in 200000 clocks"),
        ("hf_mail(HF_BEGIN)", "hf_mail(7)", "the program says 7 in place of 1"),
        ("hf_mail(HF_BEGIN)", '__asm__("ebreak")', "the processor trapped"),
        ("hf_message[1024]", "hf_message[12700]", "gcc: failed: no room for the stack: see "),
        ("hf_message[1024]", "text[1024]", "error: 'hf_message' undeclared"),
    ],
)
def test_a_program_of_bad_manners_is_reported(
    design: Design, monkeypatch: pytest.MonkeyPatch, old: str, new: str, told: str
) -> None:
    """It does not end, says what it should not, or has no room."""
    monkeypatch.setattr(system, "_PATIENCE", 200_000)
    changed_source(
        monkeypatch, "systems/firmware/keccak/main.c", lambda text: text.replace(old, new)
    )
    with pytest.raises(LabError, match=told):
        quick_check(design, ["compact"])


@compiled
def test_the_registrys_clocks_are_a_promise(design: Design) -> None:
    """Of the compiler that it names, and of no other."""
    own = design.variant("compact")
    faster = own.model_copy(update={"clocks_per_block": 70_000})
    with pytest.raises(LabError, match="clocks a block, not the registry's 70000"):
        quick_check(design.model_copy(update={"variants": {"compact": faster}}))
    other = firmware_of(own).model_copy(update={"version": "1.0"})
    free = faster.model_copy(update={"firmware": other})
    measured = quick_check(design.model_copy(update={"variants": {"compact": free}}))
    assert measured["compact"] > 70_000


RAM = "rtl/prim/hf_byte_ram.sv"
SYSTEM = "systems/rtl/hf_picorv32.sv"
TOP = "systems/rtl/hf_picorv32_rotate.sv"
ADAPTER = "systems/rtl/hf_unit_pcpi.sv"


@slow
@compiled
@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ((TOP, ".unit_rd_i      (unit_rd)", ".unit_rd_i      (unit_rs1)"), "wrong digest"),
        ((TOP, ".rs2_i     (unit_rs2)", ".rs2_i     (unit_rs1)"), "wrong digest"),
        ((ADAPTER, "7'b0001011", "7'b0101011"), "the processor trapped"),
        (
            (ADAPTER, "insn_i[31:25], pcpi_insn_i[14:12]", "insn_i[14:12], pcpi_insn_i[31:25]"),
            "trap",
        ),
        ((RAM, "if (write_i[b])", "if (write_i != 0)"), "wrong digest"),
        ((SYSTEM, "rst_i ? {4{host_write_i}}", "rst_i ? 4'd1"), "does not keep what is loaded"),
        ((TOP, "MemWords  = 4096", "MemWords  = 2048"), "the memory has not 16384 bytes"),
    ],
)
def test_broken_hardware_is_seen(
    design: Design, monkeypatch: pytest.MonkeyPatch, fault: tuple[str, str, str], told: str
) -> None:
    """One fault in the top, the adapter, the memory or the system."""
    path, old, new = fault

    def read(variant: Variant) -> dict[str, str]:
        files = registry.read_sources(variant)
        assert old in files[path]
        return {**files, path: files[path].replace(old, new)}

    monkeypatch.setattr(library, "read_sources", read)
    with pytest.raises(LabError, match=told):
        quick_check(design, ["compact"])


@slow
@compiled
def test_a_unit_that_never_answers_does_not_go_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor one that the adapter does not hold the processor for, which traps."""
    design = find_design("picorv32-state")
    monkeypatch.setattr(system, "_PATIENCE", 200_000)
    for path, old, new, told in (
        (
            "systems/rtl/hf_unit_state.sv",
            "assign ready_o = done_q;",
            "assign ready_o = '0;",
            "says nothing",
        ),
        (
            ADAPTER,
            "assign pcpi_wait_o = unit_valid_o && unit_known_i;",
            "assign pcpi_wait_o = '0;",
            "trapped",
        ),
    ):

        def read(
            variant: Variant, path: str = path, old: str = old, new: str = new
        ) -> dict[str, str]:
            files = registry.read_sources(variant)
            assert old in files[path]
            return {**files, path: files[path].replace(old, new)}

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(library, "read_sources", read)
            with pytest.raises(LabError, match=told):
                quick_check(design)


@compiled
def test_a_stack_without_room_is_reported(design: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the pattern is left where it ends."""
    fill = "    for (volatile uint32_t *p = _stack_low; p < _stack_low + 400; p++) *p = 0;\n"

    def change(text: str) -> str:
        text = text.replace("int main", "extern uint32_t _stack_low[];\n\nint main")
        return text.replace("    hf_mail(HF_END)", f"{fill}    hf_mail(HF_END)")

    changed_source(monkeypatch, "systems/firmware/keccak/main.c", change)
    with pytest.raises(LabError, match="picorv32-rotate: simulation: the stack has no room"):
        SystemHasher(design, design.variant("compact")).hash(SHA3, b"")


####################
# Registry and ELF #
####################


def test_the_source_hash_sees_the_firmware(tmp_path: Path, design: Design) -> None:
    """Another flag, another text; and the package's file is read."""
    own = design.variant("compact")
    texts = registry.read_sources(own)
    assert "module picorv32 #(" in texts["pythondata_cpu_picorv32/verilog/picorv32.v"]
    flags = firmware_of(own).model_copy(update={"flags": ["-O3"]})
    hashes = {source_hash(own), source_hash(own.model_copy(update={"firmware": flags}))}
    for path, text in registry.read_firmware(firmware_of(own)).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    assert registry.hash_sources(own, texts, tmp_path) in hashes
    (tmp_path / MAIN).write_text("", encoding="utf-8")
    assert registry.hash_sources(own, texts, tmp_path) not in hashes


def test_a_package_that_is_not_there(design: Design) -> None:
    """One line says how to get it."""
    absent = design.variant("compact").model_copy(update={"packages": ["no_such_cpu:cpu.v"]})
    with pytest.raises(LabError, match="no Python package 'no_such_cpu': run 'make setup'"):
        registry.read_sources(absent)


def elf_bytes(order: str) -> bytes:
    """An ELF program in a byte order (`<`, `>`): eight bytes at 0x40, one name there."""
    names, symbols = b"\0.text\0word\0", struct.pack(f"{order}IIIBBH", 7, 0x40, 8, 0, 0, 1)
    code, start = struct.pack(f"{order}2I", 1, 2), 52
    where = [start, start + 8, start + 8 + len(symbols)]
    program = struct.pack(f"{order}8I", 1, where[0], 0x40, 0x40, 8, 8, 5, 4)
    phoff = where[2] + len(names)
    sections = b"".join(
        struct.pack(f"{order}10I", *section)
        for section in (
            (1, 1, 6, 0x40, where[0], 8, 0, 0, 4, 0),
            (0, 2, 0, 0, where[1], len(symbols), 2, 0, 4, 16),
            (0, 3, 0, 0, where[2], len(names), 0, 0, 1, 0),
        )
    )
    ident = b"\x7fELF\x01" + (b"\x01" if order == "<" else b"\x02") + b"\x01" + bytes(9)
    head = (2, 2, 1, 0, phoff, phoff + len(program), 0, 52, 32, 1, 40, 3, 2)
    header = ident + struct.pack(f"{order}HHIIIIIHHHHHH", *head)
    return header + code + symbols + names + program + sections


@pytest.mark.parametrize("order", ["<", ">"])
def test_elf_files_in_either_order(tmp_path: Path, order: str) -> None:
    """The same program, its numbers the other way round."""
    path = tmp_path / "program.elf"
    path.write_bytes(elf_bytes(order))
    elf = read_elf(path)
    assert elf.big_endian == (order == ">")
    assert elf.segments == [(0x40, struct.pack(f"{order}2I", 1, 2))]
    assert elf.sections == [Section(".text", 8, False)]
    assert elf.symbols == {"word": Symbol(0x40, 8)}


@pytest.mark.parametrize("cut", [0, 4, 40, 100, 200])
def test_what_is_no_elf_file(tmp_path: Path, cut: int) -> None:
    """A file that ends too early."""
    path = tmp_path / "program.elf"
    path.write_bytes(elf_bytes("<")[:cut])
    with pytest.raises(LabError, match="not a 32-bit ELF program"):
        read_elf(path)
