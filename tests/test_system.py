"""Programs on a processor: firmware compiled, run and measured, and what goes wrong with it told.

The processor with the rotate unit runs programs without its instructions too, in the same clocks:
one build serves the quick run.
"""

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
from hashfabric.registry.designs import Design, Firmware, Variant, find_design, source_hash
from hashfabric.simulate import firmware, library, system
from hashfabric.simulate.firmware import COMPILERS, compile_firmware
from hashfabric.simulate.known_answers import quick_check
from hashfabric.simulate.system import firmware_of, hash_message, run_program

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


@pytest.fixture
def design() -> Design:
    """The first system."""
    return find_design("keccak-riscv")


def on_rotate(design: Design, name: str) -> Design:
    """The design with one variant: the firmware of `name` on the processor with the rotate unit."""
    own = design.variant(name)
    timing = design.timing(own).clocks_per_block
    changed = {"firmware": own.firmware, "clocks_per_block": timing}
    variant = design.variant("rotate").model_copy(update=changed)
    return design.model_copy(update={"variants": {name: variant}})


def with_main(variant: Variant, path: str) -> Firmware:
    """The variant's firmware with another main()."""
    own = firmware_of(variant)
    sources = [path if source.endswith("main.c") else source for source in own.sources]
    return own.model_copy(update={"sources": sources})


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


@compiled
@pytest.mark.parametrize("name", ["base", "rotate"])
def test_the_permutation(design: Design, name: str) -> None:
    """Random states through the C, with the instruction and without."""
    variant = on_rotate(design, name).variant(name)
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
    assert clocks.pop() < design.timing(design.variant(name)).clocks_per_block


@compiled
@pytest.mark.parametrize("name", ["base", "rotate"])
def test_known_answers_and_the_registrys_clocks(design: Design, name: str) -> None:
    """All functions against hashlib; the clocks are the registry's, not one more."""
    measured = quick_check(on_rotate(design, name))
    variant = design.variant(name)
    if COMPILERS[GCC].version() != firmware_of(variant).version:
        pytest.skip(f"the registry's clocks are those of gcc {firmware_of(variant).version}")
    assert measured == {name: design.timing(variant).clocks_per_block}


@slow
@compiled
def test_the_base_without_the_unit(design: Design) -> None:
    """The same on the processor alone; there the instruction is illegal."""
    assert quick_check(design, ["base"]) == quick_check(on_rotate(design, "base"))
    foreign = {"firmware": design.variant("rotate").firmware}
    variant = design.variant("base").model_copy(update=foreign)
    with pytest.raises(LabError, match="keccak-riscv: simulation: the processor trapped"):
        hash_message(design, variant, SHA3, b"")


@compiled
def test_what_the_firmware_takes(design: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks of the empty message, and bytes; a variable and a deeper stack are counted."""
    variant = design.variant("rotate")
    use = system.firmware_use(design, variant)
    block = design.timing(variant).clocks_per_block
    assert 0.8 * block < use.clocks_per_hash < 1.2 * block
    assert 200 < use.stack_bytes < 1024
    assert (use.data_bytes, use.ram_bytes) == (0, use.stack_bytes)

    def deeper(text: str) -> str:
        body = "    volatile uint32_t deep[100];\n    deep[0] = ++counted[1] + deep[1];\n"
        text = text.replace("int main(void) {\n", f"int main(void) {{\n{body}")
        return text.replace("int main", "static volatile uint32_t counted[3];\n\nint main")

    changed_source(monkeypatch, "firmware/keccak/main.c", deeper)
    more = system.firmware_use(design, variant)
    assert more.data_bytes == 12
    assert 400 <= more.stack_bytes - use.stack_bytes <= 416
    assert more.code_bytes > use.code_bytes
    assert more.clocks_per_hash == use.clocks_per_hash


def test_no_file_is_hashed(capsys: pytest.CaptureFixture[str]) -> None:
    """One line says so."""
    for extra in ((), ("--variant", "base")):
        assert cli.main(["hash", "--design", "keccak-riscv", *extra, "LICENSE"]) == 1
        told = "hashfabric: keccak-riscv: a program on a processor, which takes no files\n"
        assert capsys.readouterr().err == told


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
        ("STEP(7, 3)", "STEP(7, 4)", "keccak-riscv rotate: wrong digest: sha3-224 of 0 bits"),
        ("rate - 1, 0x80", "rate - 2, 0x80", "wrong digest: sha3-224 of 0 bits"),
        (
            "if (place == rate) {\n            k",
            "if (place > rate) {\n            k",
            "wrong digest",
        ),
        ("round < 24", "round < 23", "wrong digest"),
        ("moved = found", "moved = lost", "firmware/keccak/keccak.c:.* error: 'lost' undeclared"),
        (
            "8 * (place % 4)",
            "8 * __builtin_popcount(place % 4)",
            "undefined reference to `__popcount",
        ),
    ],
)
def test_wrong_firmware_is_seen(
    design: Design, monkeypatch: pytest.MonkeyPatch, old: str, new: str, told: str
) -> None:
    """One fault in the permutation or the sponge, and what does not compile."""
    path = "firmware/keccak/keccak.c"
    changed_source(monkeypatch, path, lambda text: text.replace(old, new, 1))
    with pytest.raises(LabError, match=told):
        quick_check(design, ["rotate"])


@compiled
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("hf_mail(HF_END)", "", "the program says nothing in 200000 clocks"),
        ("hf_mail(HF_BEGIN)", "hf_mail(7)", "the program says 7 in place of 1"),
        ("hf_mail(HF_BEGIN)", '__asm__("ebreak")', "the processor trapped"),
        ("hf_message[1024]", "hf_message[5200]", "gcc: failed: no room for the stack: see "),
        ("hf_message[1024]", "hf_message[100]", "'hf_message' has 100 bytes, and 143 are wanted"),
        ("hf_message[1024]", "text[1024]", "error: 'hf_message' undeclared"),
    ],
)
def test_a_program_of_bad_manners_is_told(
    design: Design, monkeypatch: pytest.MonkeyPatch, old: str, new: str, told: str
) -> None:
    """It does not end, says what it should not, or has no room."""
    monkeypatch.setattr(system, "_PATIENCE", 200_000)
    changed_source(monkeypatch, "firmware/keccak/main.c", lambda text: text.replace(old, new))
    with pytest.raises(LabError, match=told):
        quick_check(design, ["rotate"])


@compiled
def test_the_registrys_clocks_are_a_promise(design: Design) -> None:
    """Of the compiler that it names, and of no other."""
    own = design.variant("rotate")
    faster = own.model_copy(update={"clocks_per_block": 90_000})
    with pytest.raises(LabError, match="clocks a block, not the registry's 90000"):
        quick_check(design.model_copy(update={"variants": {"rotate": faster}}))
    other = firmware_of(own).model_copy(update={"version": "1.0"})
    free = faster.model_copy(update={"firmware": other})
    measured = quick_check(design.model_copy(update={"variants": {"rotate": free}}))
    assert measured["rotate"] > 90_000


UNIT = "rtl/cpu/hf_pcpi_rol64.sv"
RAM = "rtl/prim/hf_byte_ram.sv"
TOP = "rtl/top/hf_keccak_riscv.sv"


@slow
@compiled
@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ((UNIT, "amount[5] ^ !pcpi_insn_i[12]", "!pcpi_insn_i[12]"), "wrong digest"),
        ((UNIT, "words[63:17]", "words[62:16]"), "wrong digest"),
        ((UNIT, "{pcpi_rs1_i, pcpi_rs2_i}", "{pcpi_rs1_i, pcpi_rs1_i}"), "wrong digest"),
        ((UNIT, "Custom0 = 7'b0001011", "Custom0 = 7'b0101011"), "the processor trapped"),
        ((RAM, "if (write_i[b])", "if (write_i != 0)"), "wrong digest"),
        ((TOP, "rst_i ? {4{host_write_i}}", "rst_i ? 4'd1"), "does not keep what is loaded"),
        ((TOP, "MemWords  = 2048", "MemWords  = 1024"), "the memory has not 8192 bytes"),
    ],
)
def test_broken_hardware_is_seen(
    design: Design, monkeypatch: pytest.MonkeyPatch, fault: tuple[str, str, str], told: str
) -> None:
    """One fault in the rotate unit, the memory or the top."""
    path, old, new = fault

    def read(variant: Variant) -> dict[str, str]:
        files = registry.read_sources(variant)
        assert old in files[path]
        return {**files, path: files[path].replace(old, new)}

    monkeypatch.setattr(library, "read_sources", read)
    with pytest.raises(LabError, match=told):
        quick_check(design, ["rotate"])


@compiled
def test_a_stack_without_room_is_told(design: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the pattern is left where it ends."""
    fill = "    for (volatile uint32_t *p = _stack_low; p < _stack_low + 400; p++) *p = 0;\n"

    def change(text: str) -> str:
        text = text.replace("int main", "extern uint32_t _stack_low[];\n\nint main")
        return text.replace("    hf_mail(HF_END)", f"{fill}    hf_mail(HF_END)")

    changed_source(monkeypatch, "firmware/keccak/main.c", change)
    with pytest.raises(LabError, match="keccak-riscv: simulation: the stack has no room"):
        hash_message(design, design.variant("rotate"), SHA3, b"")


####################
# Registry and ELF #
####################


def test_the_source_hash_sees_the_firmware(tmp_path: Path, design: Design) -> None:
    """Another flag, another text; and the package's file is read."""
    own = design.variant("base")
    texts = registry.read_sources(own)
    assert "module picorv32 #(" in texts["pythondata_cpu_picorv32/verilog/picorv32.v"]
    flags = firmware_of(own).model_copy(update={"flags": ["-O3"]})
    hashes = {source_hash(own), source_hash(own.model_copy(update={"firmware": flags}))}
    for path, text in registry.read_firmware(firmware_of(own)).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    assert registry.hash_sources(own, texts, tmp_path) in hashes
    (tmp_path / "firmware" / "keccak" / "main.c").write_text("", encoding="utf-8")
    assert registry.hash_sources(own, texts, tmp_path) not in hashes


def test_a_package_that_is_not_there(design: Design) -> None:
    """One line says how to get it."""
    absent = design.variant("base").model_copy(update={"packages": ["no_such_cpu:cpu.v"]})
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
