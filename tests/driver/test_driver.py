"""The C driver of the peripheral (driver/), compiled for this machine, on the Verilated peripheral.

Digests are compared with NIST's files and with libraries; a peripheral that is not as it should be
is a Python function.
"""

import ctypes
import hashlib
import hmac
import itertools
import os
import platform
import random
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from Crypto.Hash import KMAC128, KMAC256

from hashfabric.base.paths import ROOT
from hashfabric.models import functions
from hashfabric.models.family import Function
from hashfabric.models.functions import FUNCTIONS, KECCAK
from hashfabric.models.sp800_185 import FRAMED
from hashfabric.registry.designs import find_design
from hashfabric.report import pages
from hashfabric.simulate.known_answers import cases_of
from hashfabric.simulate.peripheral import PeripheralSim
from tests.driver.driver import (
    CONTEXT_BYTES,
    FLAGS,
    OPEN,
    POLLS,
    SOURCES,
    Context,
    Device,
    Driver,
    DriverError,
    Error,
    Job,
    Work,
    compiled,
    simulation,
)
from tests.driver.driver_play import Player, expect
from tests.support import cavs
from tests.support.oracles import BY_BIT, cshake_message, framed_digest, library_digest
from tests.support.peripheral import FULL, LEAST
from tests.support.peripheral import run as run_bench
from tests.support.samples import nist_samples
from tests.support.subjects import SLOW

XOFS = [function for function in KECCAK.values() if function.xof]
SHA3 = FUNCTIONS["sha3-256"]
SHAKE = FUNCTIONS["shake128"]
DESIGN = find_design("keccak-regs")
PAGE = ROOT / "docs" / "integrate" / "driver.md"
BUS_WAITS, DRIVER_WAITS = 0, 1
"""hf_keccak_waits."""


@pytest.fixture(
    scope="module",
    params=[
        pytest.param("axil"),
        pytest.param("apb-least", marks=SLOW),
        pytest.param("apb", marks=SLOW),
        pytest.param("wb", marks=SLOW),
        pytest.param("apb-serial", marks=SLOW),
        pytest.param("apb-tiny", marks=SLOW),
    ],
)
def sim(request: pytest.FixtureRequest) -> PeripheralSim:
    """A simulated peripheral, one for all tests: nothing but the driver clears it."""
    return simulation(request.param)


@pytest.fixture(
    params=[BUS_WAITS, pytest.param(DRIVER_WAITS, marks=SLOW)], ids=["bus-waits", "driver-waits"]
)
def driver(sim: PeripheralSim, request: pytest.FixtureRequest) -> Driver:
    """The driver, with either way to wait."""
    found = Driver(sim).open()
    found.device.waits = request.param
    return found


####################
# The code         #
####################

COMPILERS = [
    "gcc",
    "gcc -m32",
    "riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32",
    "riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64",
    "sparc64-linux-gnu-gcc -m32 -mcpu=leon3",
    "sparc64-linux-gnu-gcc -m64",
]
ALLOWED_CALLS = {"memcpy", "memset", "memmove", "__stack_chk_fail"}
"""What a freestanding compiler may call by itself."""


def compile_one(compiler: str, source: str, *flags: str) -> subprocess.CompletedProcess[str]:
    """Compile a source, and return what the compiler says."""
    if compiler == "gcc -m32" and platform.machine() != "x86_64":
        pytest.skip("no compiler for x86")
    command = [
        *compiler.split(),
        *FLAGS,
        "-fno-pic",
        *flags,
        "-I",
        str(ROOT / "driver"),
        "-c",
        source,
    ]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip(f"{compiler.split(maxsplit=1)[0]} is not installed")


@pytest.mark.parametrize("compiler", COMPILERS)
def test_it_compiles_clean_without_other_code(compiler: str, tmp_path: Path) -> None:
    """For processors of 32 and 64 bits and both byte orders; and it needs no other library."""
    for source in SOURCES:
        for level in ("-O0", "-O2"):
            out = f"{tmp_path}/out.o"
            done = compile_one(compiler, source, level, "-o", out)
            assert done.returncode == 0 and not done.stderr, done.stderr
            table = subprocess.run(["nm", "-u", out], capture_output=True, text=True, check=True)
            wanted = set(re.findall(r"U (\w+)$", table.stdout, re.MULTILINE))
            ours = {name for name in wanted if name.startswith(("hf_", "mlk_", "mld_"))}
            assert wanted - ours <= ALLOWED_CALLS


def test_what_the_compiler_would_complain_of(tmp_path: Path) -> None:
    """The flags see a conversion, a sign and a shadow: the test above can fail."""
    for line in (
        "unsigned char a(int b); unsigned char a(int b) { return b; }",
        "unsigned a(int b); unsigned a(int b) { return 3u * b; }",
        "int a(int b); int a(int b) { { int b = 3; return b; } }",
    ):
        source = f"{tmp_path}/a.c"
        Path(source).write_text(line + "\n", encoding="utf-8")
        assert compile_one("gcc", source, "-o", f"{tmp_path}/a.o").returncode != 0


def test_the_structures_are_the_headers(tmp_path: Path) -> None:
    """Sizes that driver.py has of the header's structures."""
    source = f"{tmp_path}/sizes.c"
    sizes = {"hf_keccak_device": Device, "hf_keccak_job": Job}
    lines = ['#include "hf_keccak_mac.h"']
    for name, own in sizes.items():
        lines.append(f"typedef char size_{name}[sizeof({name}) == {len(bytes(own()))} ? 1 : -1];")
    lines.append(f"typedef char size_c[sizeof(hf_hmac_context) <= {CONTEXT_BYTES} ? 1 : -1];")
    lines.append(
        f"typedef char size_p[sizeof(hf_parallelhash_context) <= {CONTEXT_BYTES} ? 1 : -1];"
    )
    lines.append(f"typedef char last[HF_KECCAK_BAD_SIGNATURE == {len(Error) - 1} ? 1 : -1];")
    Path(source).write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = compile_one("gcc", source, "-o", f"{tmp_path}/sizes.o")
    assert done.returncode == 0, done.stderr
    # What the page says of a processor of 32 bits.
    said = re.search(r"A context is (\d+) bytes on a processor of 32 bits", PAGE.read_text("utf-8"))
    assert said is not None
    line = f"typedef char size_32[sizeof(hf_keccak_context) == {said[1]} ? 1 : -1];"
    Path(source).write_text(f"{lines[0]}\n{line}\n", encoding="utf-8")
    done = compile_one("gcc -m32", source, "-o", f"{tmp_path}/sizes.o")
    assert done.returncode == 0, done.stderr


def test_headers_in_cpp(tmp_path: Path) -> None:
    """A C++ compiler takes them."""
    headers = sorted(path.name for path in (ROOT / "driver").glob("*.h"))
    source = tmp_path / "all.cpp"
    source.write_text("".join(f'#include "{name}"\n' for name in headers), encoding="utf-8")
    flags = [
        "-std=c++11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fsyntax-only",
        "-I",
        str(ROOT / "driver"),
    ]
    command = ["g++", *flags, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


####################
# Contexts         #
####################


@pytest.mark.slow
@pytest.mark.parametrize("waits", [BUS_WAITS, DRIVER_WAITS])
def test_two_pages_at_once(waits: int) -> None:
    """Two programs with a context each (docs/integrate/contexts.md), sixteen hashes in each."""
    design = find_design("keccak-contexts")
    sim = PeripheralSim(design, design.variant("apb-8"))

    def player(page: int) -> Player:
        found = Driver(
            read=lambda at: sim.read_at(page << 9 | at),
            write=lambda at, *rest: sim.write_at(page << 9 | at, *rest),
        ).open()
        found.device.waits = waits
        return Player(found, sim, page)

    players = [player(page) for page in (2, 5)]
    for _ in range(600):
        for one in players:
            one.step()
    for one in players:
        assert one.compared > 600
        one.play(50)


####################
# Known answers    #
####################


@pytest.mark.parametrize("name", KECCAK)
def test_known_answers(driver: Driver, name: str) -> None:
    """What every variant is checked by before it is measured: blocks' ends, bits, long outputs."""
    for case in cases_of(FUNCTIONS[name]):
        data, bits, wanted = case.message.data, case.message.bits, case.message.output_bits
        found = driver.hash(FUNCTIONS[name], data, bits=bits, output_bits=wanted)
        assert found == case.wanted, case.message


@pytest.mark.parametrize("name", cavs.MESSAGE_FILES)
def test_cavs_messages(driver: Driver, name: str) -> None:
    """NIST's files, whole."""
    vectors = cavs.vector_file(name)
    assert len(vectors.cases) == cavs.expected_cases(name)

    def digest_of(function: Function, data: bytes, bits: int, output_bits: int | None) -> bytes:
        return driver.hash(function, data, bits=bits, output_bits=output_bits)

    assert cavs.wrong_messages(digest_of, FUNCTIONS[cavs.MESSAGE_FILES[name]], vectors) == []


@pytest.mark.parametrize("name", BY_BIT)
def test_bits(driver: Driver, name: str) -> None:
    """Messages, and outputs, that end inside a byte."""
    function = FUNCTIONS[name]
    rng = random.Random(name)
    rate = function.rate_bits
    for bits in (*range(20), *range(rate - 20, rate + 10), *range(2 * rate - 9, 2 * rate + 2)):
        data = rng.randbytes(-(-bits // 8))
        wanted = rng.randrange(1, 3000) if function.xof else None
        expected = library_digest(function, data, bits=bits, output_bits=wanted)
        assert driver.hash(function, data, bits=bits, output_bits=wanted) == expected, bits


def unaligned() -> Iterator[tuple[int, int, int]]:
    """Yield addresses, bytes of a message and of an output."""
    yield from ((at, count, 1 + (at + count) % 9) for at in range(1, 4) for count in range(20))
    rng = random.Random(4)
    yield from ((rng.randrange(8), rng.randrange(400), rng.randrange(1, 300)) for _ in range(40))


def test_unaligned(driver: Driver) -> None:
    """A message and an output at any address."""
    rng = random.Random(4)
    for at, count, size in unaligned():
        data = bytearray(rng.randbytes(at + count))
        out = bytearray(at + size)
        source = (ctypes.c_uint8 * len(data)).from_buffer(data) if data else None
        sink = (ctypes.c_uint8 * len(out)).from_buffer(out)
        code = driver.code.hf_keccak_hash(
            ctypes.byref(driver.device),
            SHAKE.code,
            ctypes.c_void_p(ctypes.addressof(source) + at if source is not None else 0),
            ctypes.c_size_t(count),
            ctypes.c_void_p(ctypes.addressof(sink) + at),
            ctypes.c_size_t(size),
        )
        assert code == 0
        assert out[at:] == hashlib.shake_128(data[at:]).digest(size)
        assert not any(out[:at])


def recorded(
    sim: PeripheralSim,
    tell: Callable[[str, int], None] | None = None,
    code: ctypes.CDLL | None = None,
) -> tuple[Driver, list[str]]:
    """Return a driver whose accesses are written into a list; `tell` is called before each."""
    names, log = registers_at(sim), list[str]()

    def note(letter: str, address: int) -> tuple[str, int]:
        if tell is not None:
            tell(names[address][0], len(log))
        log.append(f"{letter} {names[address][0]}")
        return names[address]

    def write(address: int, data: int, strobe: int) -> None:
        name, index = note(f"w{strobe:x}", address)
        sim.write(name, data, strobe=strobe, index=index)

    read = lambda at: sim.read(*note("r", at))  # noqa: E731 - as write
    driver = Driver(sim, read=read, write=write, code=code).open()
    log.clear()
    return driver, log


def test_accesses_of_one_call(sim: PeripheralSim) -> None:
    """No access that is not needed: CONFIG, LENGTH, two commands, the words, and one STATUS."""
    driver, log = recorded(sim)
    run = bool(driver.device.run)
    assert run == (sim.read("OPTIONS") & 1)
    driver.hash(SHA3, bytes(67))
    front, back = ["wf CONFIG", "wf COMMAND"], ["r DIGEST"] * 8 + ["r STATUS"]
    rest, last = ["w3 MESSAGE", "w1 MESSAGE"], ["wf COMMAND"]
    if run:
        front, rest, last = ["wf RUN"], ["wf MESSAGE"], []
    assert log == [*front, *["wf MESSAGE"] * 16, *rest, *last, *back]
    log.clear()
    driver.hash(SHAKE, bytes(4), output_bits=72)
    with_length = ["wf LENGTH", *front] if run else [front[0], "wf LENGTH", front[1]]
    assert log == [*with_length, "wf MESSAGE", *last, *["r DIGEST"] * 3, "r STATUS"]
    log.clear()
    context = driver.blank()
    driver.call("message", context, driver.device, SHAKE.code, bytes(34), ctypes.c_uint32(OPEN))
    front = front if run else with_length
    assert log == [*front, *["wf MESSAGE"] * 8, rest[0], *last]
    log.clear()
    assert context.squeeze(168) == hashlib.shake_128(bytes(34)).digest(168)
    assert log == [*["r DIGEST"] * 42, "r STATUS"]
    context.stop()


@pytest.mark.parametrize("cause", ["clear", "hold", "start", "ERROR"])
def test_what_happens_within_one_call(
    sim: PeripheralSim, cause: str, code: ctypes.CDLL | None = None
) -> None:
    """Before whichever access somebody else interferes: an error, or the digest is right."""
    found = []
    data = bytes(range(14))
    wanted = hashlib.sha3_256(data).digest()

    when = -1

    def interfere(_: str, access: int) -> None:
        if access == when:
            sim.write("ID", 0) if cause == "ERROR" else sim.command(cause)

    for at in range(40):
        driver, log = recorded(sim, interfere, code)
        polls = 300 if driver.device.polls == POLLS else 10_000  # more for keccak-tiny
        driver.device.polls, when = polls, at
        try:
            assert driver.hash(SHA3, data) == wanted, at
        except DriverError as error:
            found.append(error.error.name)
        when = -1
        if len(log) <= at:
            break
        driver.call("reset", driver.device)  # what comes with the last look is the next hash's
        assert driver.hash(SHA3, data) == wanted
    # From the start on to the last look, but where it does no harm; RUN is a start in one access.
    assert len(found) > (7 if driver.device.run else 8), found


def test_a_message_at_once(driver: Driver, sim: PeripheralSim) -> None:
    """By hf_keccak_message(): outputs in pieces, other hashes in between, errors, arguments."""
    other = driver.context(SHA3)
    other.update(b"ab")
    context, wanted = driver.blank(), hashlib.shake_256(b"whole").digest(2000)
    code, whole = FUNCTIONS["shake256"].code, ctypes.c_uint32(OPEN)
    driver.call("message", context, driver.device, code, b"whole", whole)
    found = b"".join(context.squeeze(count) for count in (136, 1, 4, 3))
    other.update(b"c")
    for count in (160, 500, 2, 1194):
        found += context.squeeze(count)
    assert found == wanted
    sim.command("start")
    expect("BAD_COMMAND", lambda: context.squeeze(4))
    expect("SEQUENCE", lambda: context.squeeze(4))
    assert other.final(32) == hashlib.sha3_256(b"abc").digest()
    driver.call("message", context, driver.device, SHA3.code, b"abc", ctypes.c_uint32(0))
    assert context.squeeze(32) == hashlib.sha3_256(b"abc").digest()
    for wrong, error in ((0x0B, "FUNCTION"), (code, "ARGUMENT")):
        call = partial(driver.result, "keccak_message", context, driver.device, wrong)
        assert call(None, ctypes.c_size_t(3), whole).name == error


def test_no_bytes_of_an_output_without_an_end(driver: Driver) -> None:
    """Before `last` has taken effect, which waits for a permutation of the message."""
    context, data = driver.context(SHAKE), bytes(SHAKE.rate_bits // 8)
    context.update(data)
    context.end(OPEN)
    assert context.squeeze(0) == b""
    assert context.squeeze(32) == hashlib.shake_128(data).digest(32)
    context.stop()


def test_lengths_of_run(driver: Driver) -> None:
    """Around the longest message and output that one write can begin."""
    for count in (0, 1, 4093, 4094, 4095, 4096):
        data = bytes(i % 251 for i in range(count))
        assert driver.hash(SHA3, data) == hashlib.sha3_256(data).digest(), count
    for count in (4 * 4094, 4 * 4095, 4 * 4096):
        assert driver.hash(SHAKE, b"x", output_bits=8 * count) == hashlib.shake_128(b"x").digest(
            count
        )


def test_a_stream_that_was_left_on(driver: Driver, sim: PeripheralSim) -> None:
    """An error at first; then no longer."""
    sim.write("CONFIG", SHA3.code | 1 << 8)
    try:
        assert driver.hash(SHA3, b"abc") == hashlib.sha3_256(b"abc").digest()
    except DriverError as error:
        assert error.error.name == "MESSAGE_WRITE"
    assert driver.hash(SHA3, b"abc") == hashlib.sha3_256(b"abc").digest()


####################
# In pieces        #
####################


@pytest.mark.parametrize(
    ("seed", "steps"),
    [(1, 700), pytest.param(2, 20_000, marks=SLOW)],
)
def test_sixteen_hashes_on_one_slot(
    driver: Driver, sim: PeripheralSim, seed: int, steps: int
) -> None:
    """Whatever is done with whichever of them, each gives its own digest."""
    Player(driver, sim, seed).play(steps)
    assert driver.hash(SHA3, b"abc") == hashlib.sha3_256(b"abc").digest()


def test_pieces_give_the_whole(driver: Driver) -> None:
    """Of every size, and nothing as well."""
    rng = random.Random(8)
    for _ in range(30):
        context = driver.context(SHA3)
        data = b""
        for _ in range(rng.randrange(12)):
            part = rng.randbytes(rng.choice([0, 1, 2, 3, 5, 32, 136, 300]))
            context.update(part)
            data += part
        assert context.final(32) == hashlib.sha3_256(data).digest()


def test_a_peripheral_that_was_reset_in_between(driver: Driver, sim: PeripheralSim) -> None:
    """Between hashes it may lose all of its registers: the driver takes none for known."""
    for function in (SHAKE, SHA3, SHAKE):
        assert driver.hash(function, b"\x13", bits=5) == library_digest(function, b"\x13", bits=5)
        for name, value in (("CONFIG", SHA3.code), ("LENGTH", 0), ("TAIL", 0)):
            sim.write(name, value)
    assert driver.hash(SHA3, b"abc") == hashlib.sha3_256(b"abc").digest()
    sim.write("CONFIG", SHA3.code)
    assert driver.hash(SHAKE, b"abc") == hashlib.shake_128(b"abc").digest(32)


def test_nothing_is_left_in_a_context(driver: Driver) -> None:
    """When a hash that was put aside is over, its state and output are gone from it."""
    context = driver.context(SHAKE)
    context.update(b"secret" * 40)
    context.squeeze(5)
    context.save()
    expected = hashlib.shake_128(b"secret" * 40).digest(5 + 3 + 4)
    assert expected[8:12] in bytes(context)
    state = bytes(context)
    context.stop()
    kept = [word for word in range(0, len(state), 4) if bytes(context)[word : word + 4] != bytes(4)]
    changed = sum(bytes(context)[i] != state[i] for i in range(len(state)))
    assert expected[8:12] not in bytes(context)
    assert changed > 200
    assert len(kept) < CONTEXT_BYTES // 4


@pytest.mark.parametrize(
    ("bus", "least", "count"),
    [
        pytest.param("axil", False, 40, id="axil", marks=SLOW),
        *(
            pytest.param(bus, least, 300, id=f"{bus}{'-least' * least}-long", marks=SLOW)
            for bus in ("axil", "apb", "wb")
            for least in (False, True)
        ),
    ],
)
def test_buses_with_waits(bus: str, least: bool, count: int) -> None:
    """The same with cocotbext-axi, APB4 and Wishbone, and random waits on them."""
    run_bench(bus, LEAST if least else FULL, count=count, bench="tests.driver.driver_bench").check()


####################
# By interrupt     #
####################


def interrupt_lengths(rate: int) -> Iterator[int]:
    """Yield lengths around what a FIFO and a block hold."""
    yield from (0, 1, 4, 62, 63, 64, 65, 68, rate - 1, rate, rate + 1, 3 * rate + 7, 2000)


def test_hashes_by_interrupt(driver: Driver, sim: PeripheralSim) -> None:
    """A message and its digest, by the handler only; `done` is called once."""
    rng = random.Random(6)
    for function in (SHA3, FUNCTIONS["sha3-512"], FUNCTIONS["keccak-1024-576"], SHAKE):
        for length in interrupt_lengths(function.rate_bits // 8):
            data = rng.randbytes(length)
            count = rng.randrange(1, 700) if function.xof else function.digest_bits // 8
            context = driver.context(function)
            work = driver.begin(context, data, count, final=True)
            found = driver.finish(work, sim)
            expected = functions.digest(
                function, data, output_bits=8 * count if function.xof else None
            )
            assert found == expected
            assert work.calls == 1
            assert not sim.interrupt and sim.read("INTR_ENABLE") == 0
            expect("SEQUENCE", partial(context.update, b"x"))


@SLOW
@pytest.mark.parametrize("words", [1, 2])
def test_bytes_of_a_word_by_interrupt(words: int) -> None:
    """Up to three bytes after the whole words, each of which takes a word's place in the FIFO."""
    sim = simulation("apb", f"MessageWords={words}")
    driver = Driver(sim).open()
    driver.device.waits = DRIVER_WAITS
    for length in range(12):
        data = bytes(range(length))
        work = driver.begin(driver.context(SHA3), data, 32, final=True)
        assert driver.finish(work, sim) == functions.digest(SHA3, data), length


def test_interrupts_that_are_needed(sim: PeripheralSim, code: ctypes.CDLL | None = None) -> None:
    """None where a wait is shorter than an interrupt; else one for a digest, however long it took.

    An engine that is slower than the bus, without FIFOs, has at most one for each word of the
    digest and each burst of the message.
    """
    fast = sim.read("CAPS") >> 25 & 7 == 0
    for waits in (BUS_WAITS, DRIVER_WAITS):
        driver = Driver(sim, code=code).open()
        driver.device.waits = waits
        for count in (64, 3000):
            context, calls = driver.context(SHA3), 0
            work = driver.begin(context, bytes(count), 32, final=True)
            while work.result == Error["PENDING"]:
                for _ in range(200_000):
                    if sim.interrupt:
                        break
                    sim.wait(1)
                else:
                    raise AssertionError("no interrupt")
                calls += 1
                driver.result("keccak_interrupt", driver.device)
            assert (work.result, work.calls) == (0, 1)
            assert work.output.raw == hashlib.sha3_256(bytes(count)).digest()
            if fast:
                assert calls == (waits == DRIVER_WAITS)
            else:
                assert 0 < calls <= 32 // 4 + -(-count // 64)


def test_blocks_of_words(sim: PeripheralSim) -> None:
    """Where a bus takes many words at once, messages and digests go through the windows."""
    code = compiled("-DHF_DRIVER_BLOCKS")
    for waits in (BUS_WAITS, DRIVER_WAITS):
        driver = Driver(sim, code=code).open()
        driver.device.waits = waits
        test_tuplehash(driver)
        test_parallelhash(driver)
        for function in (SHA3, SHAKE):
            test_known_answers(driver, function.name)
        test_unaligned(driver)
        Player(driver, sim, 1).play(200)
        test_hashes_by_interrupt(driver, sim)
    names, written, read = registers_at(sim), set[tuple[str, int]](), set[tuple[str, int]]()

    def get(address: int) -> int:
        read.add(names[address])
        return sim.read(*names[address])

    def put(address: int, data: int, strobe: int) -> None:
        written.add(names[address])
        name, index = names[address]
        sim.write(name, data, strobe=strobe, index=index)

    driver = Driver(sim, read=get, write=put, code=code).open()
    data = bytes(range(200))
    assert driver.hash(SHAKE, data, output_bits=1600) == hashlib.shake_128(data).digest(200)
    for name, seen in (("MESSAGE", written), ("DIGEST", read)):
        window = f"{name}_WINDOW.WORD"
        count = sim.registers[window].count
        assert {one for one in seen if one[0] == window} == {(window, n) for n in range(count)}
        assert (name, 0) not in seen


def test_others_wait_while_work_goes_on(driver: Driver, sim: PeripheralSim) -> None:
    """Every call but reset is refused; then all goes on as it was."""
    driver.device.waits = DRIVER_WAITS  # else the fast engine leaves nothing to wait for
    other = driver.context(SHA3)
    other.update(b"ab")
    context = driver.context(SHAKE)
    work = driver.begin(context, bytes(1000), 100)
    assert work.result == Error["PENDING"]
    for call in (
        lambda: other.update(b"c"),
        lambda: other.final(32),
        other.save,
        other.restore,
        other.stop,
        lambda: other.end(0),
        other.copy,
        lambda: context.squeeze(1),
        lambda: driver.context(SHA3),
        lambda: driver.hash(SHA3, b""),
        lambda: driver.begin(other, b"x"),
    ):
        expect("BUSY", call)
    assert driver.finish(work, sim) == hashlib.shake_128(bytes(1000)).digest(100)
    other.update(b"c")
    assert other.final(32) == hashlib.sha3_256(b"abc").digest()
    more = driver.finish(driver.begin(context, b"", 50), sim)
    assert more == hashlib.shake_128(bytes(1000)).digest(150)[100:]
    context.stop()


def test_a_mac_waits_while_work_goes_on(driver: Driver, sim: PeripheralSim) -> None:
    """`hf_hmac_stop` is refused too, and the key is still there."""
    driver.device.waits = DRIVER_WAITS
    keyed = driver.blank()
    driver.hf("hmac_init", keyed, driver.device, SHA3.code, b"key")
    driver.hf("hmac_update", keyed, b"ab")
    work = driver.begin(driver.context(SHAKE), bytes(1000), 100)
    assert work.result == Error["PENDING"]
    expect("BUSY", lambda: driver.hf("hmac_stop", keyed))
    expect("BUSY", lambda: driver.output(32, "hmac_final", keyed))
    driver.finish(work, sim)
    work.context.stop()
    driver.hf("hmac_update", keyed, b"c")
    wanted = hmac.new(b"key", b"abc", "sha3_256").digest()
    assert driver.output(32, "hmac_final", keyed) == wanted


def test_opened_again_it_has_no_hash(driver: Driver) -> None:
    """A context whose hash was in the hardware is lost; one that was saved goes on."""
    saved, inside = driver.context(SHA3), driver.context(SHA3)
    saved.update(b"ab")
    inside.update(b"xy")
    driver.open()
    expect("LOST", lambda: inside.update(b"z"))
    expect("SEQUENCE", lambda: inside.final(32))
    saved.update(b"c")
    assert saved.final(32) == hashlib.sha3_256(b"abc").digest()
    squeezed = driver.context(SHAKE)
    squeezed.update(b"abc")
    squeezed.squeeze(5)
    driver.open()
    expect("LOST", lambda: squeezed.squeeze(500))
    assert driver.hash(SHA3, b"") == hashlib.sha3_256(b"").digest()


def test_a_job_that_gets_no_turn_keeps_its_context(driver: Driver, sim: PeripheralSim) -> None:
    """The hash in the hardware is lost, and the job with it; its saved hash is as it was."""
    driver.device.waits = DRIVER_WAITS
    context, other = driver.context(SHA3), driver.context(SHA3)
    context.update(b"ab")
    other.update(b"xy")
    sim.command("clear")
    expect("LOST", lambda: driver.begin(context, b"zz", 32, final=True))
    expect("SEQUENCE", lambda: other.update(b"z"))
    context.update(b"c")
    assert context.final(32) == hashlib.sha3_256(b"abc").digest()


def test_the_end_of_a_job_by_reset_begins_another(driver: Driver, sim: PeripheralSim) -> None:
    """`done` begins one, which the reset does not take for a lost hash."""
    driver.device.waits = DRIVER_WAITS
    more: list[Work] = []

    class First(Work):
        def _count(self, _: int) -> None:
            super()._count(_)
            if self.result == Error["LOST"]:
                more.append(driver.begin(driver.context(SHA3), bytes(5000), 32, final=True))

    work = First(driver, driver.context(SHA3), bytes(5000), 32, final=True)
    driver.call("reset", driver.device)
    assert (work.result, work.calls) == (Error["LOST"], 1)
    assert driver.finish(more[0], sim) == hashlib.sha3_256(bytes(5000)).digest()


def test_parallelhash_after_its_end(driver: Driver) -> None:
    """A call in the wrong sequence, or for a length that no output has, changes nothing."""
    code = FRAMED["parallelhash128"].cshake.code
    context = driver.blank()
    driver.hf("parallelhash_init", context, driver.device, code, ctypes.c_size_t(30), b"")
    driver.hf("parallelhash_update", context, bytes(100))
    digest = ctypes.create_string_buffer(4)
    long = ctypes.c_size_t((1 << 29) + 1)
    ended = driver.code.hf_parallelhash_final(ctypes.byref(context), digest, long)
    assert Error(ended) == Error["ARGUMENT"]
    driver.hf("parallelhash_xof", context)
    expect("SEQUENCE", lambda: driver.output(32, "parallelhash_final", context))
    expect("SEQUENCE", lambda: driver.hf("parallelhash_xof", context))
    wanted = framed_digest("parallelhashxof128", 50, data=bytes(100), block_bytes=30)
    assert context.squeeze(50) == wanted
    driver.hf("parallelhash_stop", context)


def test_reset_ends_work(driver: Driver, sim: PeripheralSim) -> None:
    """Its job is reported; a handler with nothing to do silences the interrupt."""
    driver.device.waits = DRIVER_WAITS
    context = driver.context(SHA3)
    work = driver.begin(context, bytes(5000), 32, final=True)
    driver.call("reset", driver.device)
    assert (work.result, work.calls) == (Error["LOST"], 1)
    sim.write("INTR_ENABLE", 31)
    sim.write("INTR_TEST", 8)
    sim.wait(3)
    assert sim.interrupt
    driver.call("interrupt", driver.device)
    sim.wait(3)
    assert not sim.interrupt
    assert driver.hash(SHA3, b"") == hashlib.sha3_256(b"").digest()


####################
# Errors           #
####################


def test_arguments(driver: Driver) -> None:
    """What cannot be is refused before the peripheral sees it."""
    before = driver.accesses
    sha3, shake = driver.context(SHA3), driver.context(SHAKE)
    wrong = [
        ("ARGUMENT", lambda: sha3.final(31)),
        ("ARGUMENT", lambda: sha3.final(33)),
        ("ARGUMENT", lambda: sha3.last_bits(0, 8)),
        ("ARGUMENT", lambda: driver.call("update", sha3, None, 3)),
        ("ARGUMENT", lambda: driver.call("update", None, None, 0)),
        ("ARGUMENT", lambda: driver.call("open", None, 0)),
        ("ARGUMENT", lambda: driver.call("copy", None, sha3)),
        ("ARGUMENT", lambda: driver.call("begin", None)),
        ("ARGUMENT", lambda: driver.call("interrupt", None)),
        ("ARGUMENT", lambda: driver.call("reset", None)),
        ("ARGUMENT", lambda: driver.begin(sha3, b"", 33)),
        ("ARGUMENT", lambda: driver.begin(sha3, b"", 31, final=True)),
        ("ARGUMENT", lambda: driver.begin(shake, b"", 1 << 29, final=True)),
        ("FUNCTION", lambda: driver.call("init", driver.blank(), driver.device, 0x0B)),
        ("FUNCTION", lambda: driver.call("init", driver.blank(), driver.device, 0x20)),
    ]
    for error, call in wrong:
        expect(error, call)
    assert driver.accesses == before
    shake.end(100)
    expect("ARGUMENT", lambda: shake.squeeze(14))
    expect("SEQUENCE", lambda: shake.update(b"x"))
    expect("SEQUENCE", lambda: shake.end(100))
    expect("SEQUENCE", lambda: shake.final(10))
    expect("SEQUENCE", lambda: shake.last_bits(0, 1))
    expect("SEQUENCE", lambda: driver.begin(shake, b"x"))
    expect("ARGUMENT", lambda: driver.begin(shake, b"", 14))
    assert len(shake.squeeze(13)) == 13
    expect("SEQUENCE", lambda: shake.squeeze(1))
    expect("SEQUENCE", shake.restore)
    expect("SEQUENCE", shake.copy)
    sha3.last_bits(3, 2)
    expect("SEQUENCE", lambda: sha3.update(b"x"))
    assert sha3.final(32) == library_digest(SHA3, b"\x03", bits=2)


def test_outputs_of_no_bits(driver: Driver, sim: PeripheralSim) -> None:
    """Nothing is squeezed, and the next hash has the hardware."""
    for message in (b"", b"taken in"):
        for job in (False, True):
            context = driver.context(SHAKE)
            context.update(message)
            if job:
                driver.finish(driver.begin(context, b"", 0, final=True), sim)
            else:
                context.end(0)
                expect("SEQUENCE", partial(context.update, b"x"))
                assert context.squeeze(0) == b""
            expect("SEQUENCE", partial(context.squeeze, 1))
            assert sim.read("ERROR") == 0
            assert driver.hash(SHAKE, b"abc") == hashlib.shake_128(b"abc").digest(32)


def test_a_function_that_was_not_built(sim: PeripheralSim) -> None:
    """FUNCTIONS says what there is."""
    driver = Driver(sim, read=without(sim, "FUNCTIONS", 1 << SHAKE.code)).open()
    expect("FUNCTION", lambda: driver.context(SHA3))
    assert driver.hash(SHAKE, b"", output_bits=80) == hashlib.shake_128(b"").digest(10)


def registers_at(sim: PeripheralSim) -> dict[int, tuple[str, int]]:
    """Return the name and the index of the register at each address."""
    return {
        register.address + 4 * index: (known, index)
        for known, register in sim.registers.items()
        for index in range(register.count)
    }


def without(sim: PeripheralSim, name: str, value: int) -> Callable[[int], int]:
    """Return a way to read the simulation's registers, of which one has another value."""
    names = registers_at(sim)

    def read(address: int) -> int:
        known, index = names[address]
        return value if known == name else sim.read(known, index)

    return read


def write_after_the_end(sim: PeripheralSim) -> None:
    """End the message, and write more of it."""
    sim.command("last")
    sim.write("MESSAGE", 0)


def end_without_a_length(sim: PeripheralSim) -> None:
    """End a message of a function that has no length of its own; CONFIG is closed meanwhile."""
    sim.command("hold")
    sim.wait_for("held")
    sim.write("CONFIG", SHAKE.code)
    sim.command("resume")
    sim.wait_for("absorb")
    sim.command("last")


CAUSES: dict[str, Callable[[PeripheralSim], object]] = {
    "BAD_COMMAND": lambda sim: sim.command("start"),
    "MESSAGE_WRITE": write_after_the_end,
    "DIGEST_READ": lambda sim: sim.read("DIGEST"),
    "STATE_ACCESS": lambda sim: sim.read("STATE.WORD", 3),
    "CONFIG_WRITE": lambda sim: sim.write("CONFIG", 1),
    "BAD_ACCESS": lambda sim: sim.write("ID", 0),
    "NO_LENGTH": end_without_a_length,
    "LOST": lambda sim: sim.command("clear"),
}
"""What somebody else does to a peripheral in the middle of a message, by the driver's error."""

DECIDED = 4
"""Clocks after which the error of a command is there (docs/integrate/regs.md, Errors)."""


@pytest.mark.parametrize("cause", CAUSES)
def test_causes_are_returned(driver: Driver, sim: PeripheralSim, cause: str) -> None:
    """The next call returns the cause; the context is lost, the peripheral takes the next hash."""
    calls: list[Callable[[Context], object]] = [
        lambda context: context.update(b"more"),
        lambda context: context.save(),
        lambda context: driver.finish(driver.begin(context, bytes(300), 32, final=True), sim),
    ]
    if cause != "LOST":
        calls.append(lambda context: context.final(32))
        calls.append(lambda context: context.stop())
    errors = sim.registers["ERROR"]
    mask = 0 if cause == "LOST" else errors.field(cause.lower()).mask
    for call in calls:
        context = driver.context(SHA3)
        context.update(bytes(200))
        CAUSES[cause](sim)
        sim.wait(DECIDED)
        with pytest.raises(DriverError) as raised:
            call(context)
        # What the driver did next may have been wrong too.
        found = raised.value.error.name
        assert found == cause or driver.device.causes & errors.field(found.lower()).mask
        assert driver.device.causes & mask == mask
        expect("SEQUENCE", partial(context.update, b""))
        assert sim.read("ERROR") == 0
        assert driver.hash(SHA3, b"abc") == hashlib.sha3_256(b"abc").digest()


def test_causes_of_start_and_resume(driver: Driver, sim: PeripheralSim) -> None:
    """Bits that only a driver's own fault could set."""
    sim.write("CONFIG", 0x7F)
    sim.command("start")
    expect("BAD_FUNCTION", lambda: driver.context(SHA3).update(b"abc"))
    context = driver.context(SHAKE)
    context.update(b"abc")
    sim.command("hold")
    sim.wait_for("held")
    sim.write("POSITION", 255)
    sim.command("resume")
    expect("BAD_POSITION", lambda: context.update(b"abc"))
    assert driver.hash(SHA3, b"abc") == hashlib.sha3_256(b"abc").digest()


def test_the_fault_of_one_leaves_the_others(driver: Driver, sim: PeripheralSim) -> None:
    """A hash that was put aside goes on after the peripheral was cleared for another's error."""
    first, second = driver.context(SHA3), driver.context(SHA3)
    first.update(b"ab")
    second.update(b"xy")
    sim.command("start")
    expect("BAD_COMMAND", lambda: second.update(b"z"))
    first.update(b"c")
    assert first.final(32) == hashlib.sha3_256(b"abc").digest()


DEAD: dict[str, tuple[Callable[[PeripheralSim], Callable[[int], int]], str]] = {
    "zeros": (lambda _: lambda address: 0, "NO_DEVICE"),
    "ones": (lambda _: lambda address: OPEN, "NO_DEVICE"),
    "another-version": (lambda sim: without(sim, "VERSION", 2 << 16 | 1 << 8), "VERSION"),
    "older-version": (lambda sim: without(sim, "VERSION", 1 << 16), "VERSION"),
    "deep": (lambda sim: without(sim, "CAPS", 17 << 16), "TOO_DEEP"),
    "never-idle": (lambda sim: without(sim, "STATUS", 5), "TIMEOUT"),
    "in-another-phase": (lambda sim: without(sim, "STATUS", 1), "LOST"),
    "status-of-ones": (lambda sim: without(sim, "STATUS", OPEN), "NO_DEVICE"),
}


@pytest.mark.parametrize("name", DEAD)
def test_peripherals_that_cannot_be_opened(sim: PeripheralSim, name: str) -> None:
    """Each says why, soon."""
    reads, error = DEAD[name]
    driver = Driver(sim, read=reads(sim))
    expect(error, driver.open)
    assert driver.accesses < driver.device.polls + 100


@dataclass
class Sticking:
    """A peripheral that works until it is set to give one answer for ever."""

    sim: PeripheralSim
    name: str = ""
    value: int = 0

    def read(self, address: int) -> int:
        """Read a register."""
        return without(self.sim, self.name, self.value)(address)


@pytest.mark.parametrize("waits", [BUS_WAITS, DRIVER_WAITS])
@pytest.mark.parametrize(
    ("phase", "what"),
    [
        ("change", "update"),
        ("absorb", "update"),
        ("finish", "final"),
        ("squeeze", "final"),
        ("change", "save"),
        ("absorb", "save"),
        ("squeeze", "save-output"),
        ("change", "restore"),
        ("change", "reset"),
    ],
)
def test_timeouts(sim: PeripheralSim, phase: str, what: str, waits: int) -> None:
    """Every wait ends after as many reads of STATUS as the device's limit."""
    peripheral = Sticking(sim)
    driver = Driver(sim, read=peripheral.read).open()
    driver.device.waits, polls = waits, driver.device.polls
    context = driver.context(SHAKE)
    context.update(b"abc")
    if what == "save-output":
        context.squeeze(3)
    if what == "restore":
        context.save()
    phases = sim.registers["STATUS"].field("phase").values
    peripheral.name, peripheral.value = "STATUS", phases[phase]
    driver.device.polls = 50
    before = driver.accesses

    calls: dict[str, Callable[[], object]] = {
        "update": lambda: context.update(bytes(4000)),
        "final": lambda: context.final(500),
        "save": context.save,
        "save-output": context.save,
        "restore": context.restore,
        "reset": lambda: driver.call("reset", driver.device),
    }
    fifo = bool(driver.device.message_words)
    if what == "update" and (waits == BUS_WAITS or not (fifo or phase == "change")):
        calls[what]()  # The bus waits, and STATUS is looked at when all is written.
    elif phase == "finish" and waits == BUS_WAITS:
        expect("LOST", calls[what])  # All was read, so that phase cannot be.
    else:
        expect("TIMEOUT", calls[what])
        assert driver.accesses - before < 300 + 50 + 20
    peripheral.name = ""
    driver.device.polls = polls
    driver.call("reset", driver.device)
    assert driver.hash(SHA3, b"abc") == hashlib.sha3_256(b"abc").digest()


####################
# Costs            #
####################


def costs(driver: Driver, sim: PeripheralSim) -> dict[str, tuple[int, int]]:
    """Return register accesses and clocks of what docs/integrate/driver.md has a table of.

    The clocks are the bus's: this machine's own instructions take none of them.
    """

    def cost(work: Callable[[], object]) -> tuple[int, int]:
        before = driver.accesses, sim.clocks
        work()
        return driver.accesses - before[0], sim.clocks - before[1]

    driver.hash(SHA3, b"")
    ends = [cost(partial(driver.hash, SHA3, bytes(136 * blocks - 4))) for blocks in (2, 50)]
    accesses, clocks = (round((long - short) / 48) for short, long in zip(*ends, strict=True))
    found = {"a block of SHA3-256": (accesses, clocks)}
    for count in (64, 1024, 65536):
        found[f"SHA3-256 of {count:,} bytes"] = cost(partial(driver.hash, SHA3, bytes(count)))
    found["SHAKE128, 34 bytes in, 504 out"] = cost(
        lambda: driver.hash(SHAKE, bytes(34), output_bits=8 * 504)
    )
    found["HMAC-SHA3-256 of 64 bytes"] = cost(lambda: driver.hmac(SHA3, bytes(32), bytes(64)))
    context = driver.context(SHA3)
    context.update(bytes(200))
    found["`hf_keccak_save`"] = cost(context.save)
    found["`hf_keccak_restore`"] = cost(context.restore)
    context.stop()
    return found


def cost_table() -> str:
    """Return the table of docs/integrate/driver.md."""
    columns = {}
    for variant in ("axil", "apb-least"):
        sim = simulation(variant)
        for waits, word in ((BUS_WAITS, "bus"), (DRIVER_WAITS, "driver")):
            driver = Driver(sim).open()
            driver.device.waits = waits
            columns[f"`{variant}`, {word} waits"] = costs(driver, sim)
        # Where the bus waits: as from a master that has the next word ready, and does no more.
        clocks = DESIGN.timing(DESIGN.variant(variant)).clocks_per_block
        block = columns[f"`{variant}`, bus waits"]["a block of SHA3-256"]
        assert block == (SHA3.rate_bits // 32, clocks)
    lines = [f"| Accesses / clocks | {' | '.join(columns)} |", f"| :-- |{' --: |' * len(columns)}"]
    for what in next(iter(columns.values())):
        cells = [f"{found[what][0]:,} / {found[what][1]:,}" for found in columns.values()]
        lines.append(f"| {what} | {' | '.join(cells)} |")
    return "\n".join(lines)


def test_costs() -> None:
    """docs/integrate/driver.md has what is measured; `HF_RENEW=1` writes it."""
    table = cost_table()
    text = PAGE.read_text(encoding="utf-8")
    if os.environ.get("HF_RENEW"):
        text = pages.between_markers(text, table, PAGE.name)
        PAGE.write_text(text, encoding="utf-8")
    assert text == pages.between_markers(text, table, PAGE.name)


####################
# MACs             #
####################


def test_hmac_of_nist(driver: Driver) -> None:
    """NIST's samples: keys shorter than a block, as long, and longer."""
    samples = {
        ("sha3-224", 28): "332cfd59347fdb8e576e77260be4aba2d6dc53117b3bfb52c6d18c04",
        ("sha3-224", 144): "d8b733bcf66c644a12323d564e24dcf3fc75f231f3b67968359100c7",
        ("sha3-224", 172): "078695eecc227c636ad31d063a15dd05a7e819a66ec6d8de1e193e59",
        ("sha3-256", 32): "4fe8e202c4f058e8dddc23d8c34e467343e23555e24fc2f025d598f558f67205",
        ("sha3-256", 136): "68b94e2e538a9be4103bebb5aa016d47961d4d1aa906061313b557f8af2c3faa",
        ("sha3-256", 168): "9bcf2c238e235c3ce88404e813bd2f3a97185ac6f238c63d6229a00b07974258",
        ("sha3-384", 48): "d588a3c51f3f2d906e8298c1199aa8ff6296218127f6b38a90b6afe2c5617725"
        "bc99987f79b22a557b6520db710b7f42",
        ("sha3-384", 104): "a27d24b592e8c8cbf6d4ce6fc5bf62d8fc98bf2d486640d9eb8099e24047837f"
        "5f3bffbe92dcce90b4ed5b1e7e44fa90",
        ("sha3-384", 152): "e5ae4c739f455279368ebf36d4f5354c95aa184c899d3870e460ebc288ef1f94"
        "70053f73f7c6da2a71bcaec38ce7d6ac",
        ("sha3-512", 64): "4efd629d6c71bf86162658f29943b1c308ce27cdfa6db0d9c3ce81763f9cbce5"
        "f7ebe9868031db1a8f8eb7b6b95e5c5e3f657a8996c86a2f6527e307f0213196",
        ("sha3-512", 72): "544e257ea2a3e5ea19a590e6a24b724ce6327757723fe2751b75bf007d80f6b3"
        "60744bf1b7a88ea585f9765b47911976d3191cf83c039f5ffab0d29cc9d9b6da",
        ("sha3-512", 136): "5f464f5e5b7848e3885e49b2c385f0694985d0e38966242dc4a5fe3fea4b37d4"
        "6b65ceced5dcf59438dd840bab22269f0ba7febdb9fcf74602a35666b2a32915",
    }
    for (name, length), mac in samples.items():
        block = FUNCTIONS[name].rate_bits // 8
        how = "<" if length < block else "=" if length == block else ">"
        text = f"Sample message for keylen{how}blocklen".encode()
        assert driver.hmac(FUNCTIONS[name], bytes(range(length)), text).hex() == mac, (name, length)


@pytest.mark.parametrize("name", ["sha3-224", "sha3-256", "sha3-384", "sha3-512"])
def test_hmac(driver: Driver, name: str) -> None:
    """Against Python's, in one call and in pieces, with another hash in between."""
    function = FUNCTIONS[name]
    block = function.rate_bits // 8
    rng = random.Random(name)
    for length in (0, 1, 20, block - 1, block, block + 1, 500):
        key, data = rng.randbytes(length), rng.randbytes(rng.randrange(400))
        expected = hmac.new(key, data, name.replace("-", "_")).digest()
        assert driver.hmac(function, key, data) == expected
        count = rng.randrange(len(expected) + 1)
        assert driver.hmac(function, key, data, count=count) == expected[:count]
        context = driver.blank()
        driver.hf("hmac_init", context, driver.device, function.code, key)
        for at in range(0, len(data), 50):
            driver.hf("hmac_update", context, data[at : at + 50])
            driver.hash(SHA3, b"")
        assert driver.output(len(expected), "hmac_final", context) == expected
        assert key[:16] not in bytes(context) or length < 16


KEY = bytes(range(0x40, 0x60))


@pytest.mark.parametrize("name", [name for name in FRAMED if "cshake" not in name])
def test_samples_of_nist(driver: Driver, name: str) -> None:
    """All of KMAC, TupleHash and ParallelHash, and of their XOFs."""
    xof, sponge = FRAMED[name].xof, FRAMED[name].cshake
    for sample in nist_samples():
        if sample.function != name:
            continue
        count, custom, data = len(sample.output), sample.custom, sample.data
        if sample.texts:
            found = driver.tuplehash(sponge, sample.texts, custom, count, xof=xof)
        elif sample.block_bytes:
            parts = [data[:5], data[5:]]
            size = sample.block_bytes
            found = driver.parallelhash(sponge, parts, size, custom, count, xof=xof)
        else:
            found = driver.kmac(sponge, sample.key, custom, data, count, xof=xof)
        assert found == sample.output


def test_tuplehash(driver: Driver) -> None:
    """Any number of strings of any length, against pycryptodome."""
    rng = random.Random(185)
    for name in ("tuplehash128", "tuplehashxof128", "tuplehash256", "tuplehashxof256"):
        for number in (0, 1, 4):
            texts = [rng.randbytes(rng.choice((0, 3, 31, 32, 200))) for _ in range(number)]
            custom, count = rng.randbytes(rng.randrange(300)), rng.randrange(8, 400)
            wanted = framed_digest(name, count, texts=texts, custom=custom)
            function = FRAMED[name].cshake
            xof = FRAMED[name].xof
            assert driver.tuplehash(function, texts, custom, count, xof=xof) == wanted


def test_parallelhash(driver: Driver) -> None:
    """Blocks of any length, of messages in any parts; more digests than wait at once."""
    rng = random.Random(186)
    for name in ("parallelhash128", "parallelhashxof256"):
        function, xof = FRAMED[name].cshake, FRAMED[name].xof
        for length, size in ((0, 8), (1, 8), (24, 8), (300, 16), (300, 300), (301, 300), (999, 4)):
            data, custom = rng.randbytes(length), rng.randbytes(rng.randrange(20))
            count = rng.randrange(1, 100)
            cuts = sorted(rng.randrange(length + 1) for _ in range(3))
            bounds = [0, *cuts, length]
            parts = [data[a:b] for a, b in itertools.pairwise(bounds)]
            wanted = framed_digest(name, count, data=data, custom=custom, block_bytes=size)
            found = driver.parallelhash(function, parts, size, custom, count, xof=xof)
            assert found == wanted, (name, length, size)


def test_parallelhash_among_others(driver: Driver) -> None:
    """Another hash between its blocks, and one that is stopped in the middle of a block."""
    wanted = framed_digest("parallelhash128", 32, data=bytes(100), block_bytes=30)
    context = driver.blank()
    code = FRAMED["parallelhash128"].cshake.code
    driver.hf("parallelhash_init", context, driver.device, code, ctypes.c_size_t(30), b"")
    for _ in range(10):
        driver.hf("parallelhash_update", context, bytes(10))
        assert driver.hash(SHA3, b"abc") == hashlib.sha3_256(b"abc").digest()
    assert driver.output(32, "parallelhash_final", context) == wanted
    expect("SEQUENCE", lambda: driver.hf("parallelhash_update", context, b"x"))
    driver.hf("parallelhash_init", context, driver.device, code, ctypes.c_size_t(30), b"")
    driver.hf("parallelhash_update", context, b"\x77" * 100)
    driver.hf("parallelhash_stop", context)
    assert b"\x77" * 8 not in bytes(context)
    expect("SEQUENCE", lambda: driver.hf("parallelhash_update", context, b"x"))
    expect("SEQUENCE", lambda: driver.output(32, "parallelhash_final", context))
    zero = ctypes.c_size_t(0)
    start = lambda: driver.hf("parallelhash_init", context, driver.device, code, zero, b"")  # noqa: E731
    expect("ARGUMENT", start)
    expect("FUNCTION", lambda: driver.parallelhash(SHAKE, [], 8, b"", 32, xof=False))


def test_kmac(driver: Driver) -> None:
    """Keys, customizations and outputs of any length, against pycryptodome."""
    rng = random.Random(185)
    for library, name, least in ((KMAC128, "cshake128", 16), (KMAC256, "cshake256", 32)):
        for _ in range(12):
            key, custom = (
                rng.randbytes(rng.randrange(least, 400)),
                rng.randbytes(rng.randrange(300)),
            )
            data, count = rng.randbytes(rng.randrange(500)), rng.randrange(8, 400)
            expected = library.new(key=key, mac_len=count, custom=custom, data=data).digest()
            assert driver.kmac(FUNCTIONS[name], key, custom, data, count) == expected


def test_cshake(driver: Driver) -> None:
    """NIST's samples; names too, against the model; without name and customization it is SHAKE."""
    for sample in nist_samples():
        if sample.function.startswith("cshake"):
            context = driver.cshake(FUNCTIONS[sample.function], b"", sample.custom)
            context.update(sample.data)
            assert context.final(len(sample.output)) == sample.output
    rng = random.Random(3)
    for _ in range(10):
        function = FUNCTIONS[rng.choice(["cshake128", "cshake256"])]
        name, custom = rng.randbytes(rng.randrange(1, 40)), rng.randbytes(rng.randrange(200))
        data = rng.randbytes(rng.randrange(100))
        context = driver.cshake(function, name, custom)
        context.update(data)
        expected = functions.digest(
            function, cshake_message(function, name, custom, data), output_bits=8 * 300
        )
        assert context.squeeze(100) + context.squeeze(200) == expected
        context.stop()
    plain = driver.cshake(FUNCTIONS["cshake256"], b"", b"")
    assert plain.final(77) == hashlib.shake_256(b"").digest(77)
    long = rng.randbytes(40_000)  # three bytes for its number of bits
    context = driver.cshake(FUNCTIONS["cshake128"], b"", long)
    message = cshake_message(FUNCTIONS["cshake128"], b"", long, b"")
    assert context.final(32) == functions.digest(FUNCTIONS["cshake128"], message, output_bits=256)


def test_arguments_of_macs(driver: Driver) -> None:
    """Functions that have none, and outputs that cannot be."""
    expect("FUNCTION", lambda: driver.hmac(SHAKE, b"", b""))
    expect("FUNCTION", lambda: driver.kmac(SHAKE, KEY, b"", b"", 8))
    expect("FUNCTION", lambda: driver.cshake(SHA3, b"", b"x"))
    expect("ARGUMENT", lambda: driver.kmac(FUNCTIONS["cshake128"], KEY, b"", b"", 0))
    expect("ARGUMENT", lambda: driver.hmac(SHA3, KEY, b"", count=33))
    assert driver.code.hf_mac_equal(b"abc", b"abc", 3) == 1
    assert driver.code.hf_mac_equal(b"abc", b"abd", 3) == 0
    assert driver.code.hf_mac_equal(b"abc", b"abd", 2) == 1
    assert driver.hash(SHA3, b"abc") == hashlib.sha3_256(b"abc").digest()


####################
# Faults           #
####################

C, MAC = "hf_keccak.c", "hf_keccak_mac.c"
MUTANTS = {
    "output-not-kept": (C, "context->output_words = count;", "context->output_words = 0u;"),
    "length-not-kept": (
        C,
        "context->left = get(device, REGISTER(LENGTH));",
        "context->left = get(device, REGISTER(LENGTH)) & ~31u;",
    ),
    "position-not-kept": (C, "context->position = get(device, REGISTER(POSITION));", ""),
    "rest-of-a-word": (C, "context->rest_bytes = 4u;", "context->rest_bytes = 3u;"),
    "tail-dropped": (
        C,
        "if (context->tail != 0u) put(device, REGISTER(TAIL), context->tail);",
        "",
    ),
    "no-bytes-of-an-output": (
        C,
        "PHASE(FINISH) | PHASE(SQUEEZE) | PHASE(CHANGE), &status);",
        "PHASE(FINISH) | PHASE(SQUEEZE), &status);",
    ),
    "no-length": (C, "fixed == 0u && output_bits == 0u", "fixed == 1u && output_bits == 0u"),
    "error-not-seen": (C, "STATUS(ERROR)) != 0u", "0u) != 0u"),
    "end-not-seen": (C, "(status & END_OF_HASH) == STATUS(DONE)", "(status & 0u) == 0u"),
    "shifted": (C, "kept | (word << low)", "kept | (word << high)"),
    "run-length": (C, "((uint32_t)bytes << HF", "((uint32_t)(bytes + 1u) << HF"),
    "run-too-long": (C, "bytes >= (size_t)RUN_OPEN", "bytes >= 8192u"),
    "stream-left-on": (C, "    put(device, REGISTER(CONFIG), 0u);", "   "),
    "half": (C, "(uint16_t)((uint32_t)at[0] |", "(uint16_t)(0u |"),
    "part-of-a-word": (C, "at < bytes; at++", "at + 1u < bytes; at++"),
    "function-kept": (C, "REGISTER(CONFIG), code);", "REGISTER(CONFIG), code & 1u);"),
    "one-part": (
        C,
        "while (error == HF_KECCAK_OK && job->message_bytes != 0u)",
        "if (error == HF_KECCAK_OK && job->message_bytes != 0u)",
    ),
    "flows-on": (C, "context->rest_bytes == 0u &&", "context->rest_bytes < 5u &&"),
    "not-cleared": (C, "    put(device, REGISTER(ERROR), ALL_BITS);\n", ""),
    "state-not-wiped": (C, "if (context->saved != 0u) wipe(", "if (context->saved > 1u) wipe("),
    "never-busy": (C, "(context->device->job != NULL) ?", "(context->saved > 1u) ?"),
    "closed-length": (C, "if (context->phase == PHASE_ABSORB) {", "if (context->saved > 1u) {"),
    "not-silenced": (
        C,
        "    if (job->enabled != 0u) put(device, REGISTER(INTR_ENABLE), 0u);\n",
        "",
    ),
    "bytes-turned": (C, "bytes[0] = (uint8_t)(word & 0xffu);", "bytes[0] = (uint8_t)(word >> 24);"),
    "another-rate": (MAC, "encoded[1] = (uint8_t)rate;", "encoded[1] = (uint8_t)(rate + 1u);"),
    "outer-pad": (MAC, "0x5c5c5c5cu", "0x36363636u"),
    "key-not-hashed": (MAC, "if (key_bytes > (size_t)block)", "if (key_bytes > 1000u)"),
    "key-kept": (MAC, "BLOCK / 4u);\n    return error", "BLOCK / 200u);\n    return error"),
    "number-of-blocks": (MAC, "bytes[i - 1u] = (uint8_t)(rest & 0xffu);", "bytes[i - 1u] = 0u;"),
    "blocks-not-counted": (MAC, "context->blocks++;", "context->blocks += 2u;"),
    "last-block": (
        MAC,
        "if (context->filled != 0u) error = end_block(context);",
        "if (context->filled > 1u) error = end_block(context);",
    ),
    "string-length": (
        MAC,
        "number_of_bits(&encoded[1], bytes)",
        "number_of_bits(&encoded[1], bytes + 1u)",
    ),
    "number-of-bits": (MAC, "rest = count >> 5", "rest = (count >> 5) & 0xffu"),
}
"""Faults in the driver, each of which the tests must find."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "outer-pad" else SLOW) for name in MUTANTS]
)
def test_faults_are_found(name: str) -> None:
    """One fault in the C, and something above fails."""
    # On the slowest bus a command has always taken effect at the next access.
    at_once = name in ("closed-length", "no-bytes-of-an-output")
    sim = simulation("apb-least" if at_once else "axil")
    driver = Driver(sim, code=compiled(mutant=MUTANTS[name])).open()
    with pytest.raises((AssertionError, DriverError, pytest.fail.Exception)):
        test_tuplehash(driver)
        test_parallelhash(driver)
        for function in (SHA3, SHAKE):
            test_known_answers(driver, function.name)
        test_unaligned(driver)
        test_no_bytes_of_an_output_without_an_end(driver)
        Player(driver, sim, 1).play(400)
        test_hashes_by_interrupt(driver, sim)
        test_interrupts_that_are_needed(sim, driver.code)
        test_what_happens_within_one_call(sim, "clear", driver.code)
        test_a_message_at_once(driver, sim)
        test_lengths_of_run(driver)
        test_a_stream_that_was_left_on(driver, sim)
        test_outputs_of_no_bits(driver, sim)
        test_others_wait_while_work_goes_on(driver, sim)
        test_hashes_by_interrupt(driver, sim)  # with interrupts
        test_nothing_is_left_in_a_context(driver)
        test_causes_are_returned(driver, sim, "BAD_COMMAND")
        for hash_name in ("sha3-224", "sha3-256"):
            test_hmac(driver, hash_name)
        test_cshake(driver)
