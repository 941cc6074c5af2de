"""The driver on a big-endian processor: QEMU's LEON3, with the Verilated peripheral.

The program's register accesses go through the console to this side, which makes them.
"""

import ctypes
import hashlib
import hmac
import shutil
import struct
import subprocess
from pathlib import Path
from typing import IO

import pytest
from Crypto.Hash import KMAC128

from hashfabric.base.paths import ROOT
from hashfabric.models.functions import FUNCTIONS
from hashfabric.simulate.peripheral import PeripheralSim
from tests.driver.driver import Error, simulation
from tests.support.oracles import library_digest
from tests.systems import leon3

SPARC = [f"driver/{name}" for name in ("hf_keccak.c", "hf_keccak_mac.c")]
MESSAGE = bytes((7 * i + 1) % 256 for i in range(300))

WITH_QEMU = pytest.mark.skipif(bool(leon3.missing()), reason=leon3.missing() or "all is there")


def build(directory: Path, *flags: str) -> None:
    """Compile the program."""
    own = ["-Idriver", "-Itests/driver", '-DHF_KECCAK_IO="driver_console_io.h"', "-Os", *flags]
    sources = [
        "systems/firmware/sparc/crt0.S",
        *SPARC,
        "tests/driver/driver_sparc.c",
        "tests/driver/driver_words.c",
    ]
    leon3.compile_program(sources, own, directory)


def serve(program: subprocess.Popen[bytes], sim: PeripheralSim) -> list[bytes]:
    """Make the accesses that the program asks for; return the digests that it reports."""
    source, sink = program.stdout, program.stdin
    assert source is not None and sink is not None
    names = {
        register.address + 4 * index: (name, index)
        for name, register in sim.registers.items()
        for index in range(register.count)
    }
    told = []
    while (what := exactly(source, 1)) != b".":
        if what == b"R":
            name, index = names[int.from_bytes(exactly(source, 4), "big")]
            sink.write(struct.pack(">I", sim.read(name, index)))
            sink.flush()
        elif what == b"W":
            address, value, strobe = struct.unpack(">IIB", exactly(source, 9))
            name, index = names[address]
            sim.write(name, value, strobe=strobe, index=index)
        elif what == b"D":
            told.append(exactly(source, exactly(source, 1)[0]))
        else:
            raise AssertionError(f"{what!r}: {Error(exactly(source, 1)[0]).name}")
    return told


def exactly(source: IO[bytes], count: int) -> bytes:
    """Read `count` bytes."""
    found = source.read(count)
    assert len(found) == count, "the program has ended"
    return found


def run(directory: Path, sim: PeripheralSim) -> list[bytes]:
    """Run the program in `directory` and return its digests."""
    with subprocess.Popen(
        [*leon3.qemu_command(directory), "-serial", "stdio"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as program:
        try:
            return serve(program, sim)
        finally:
            program.kill()


def expected() -> list[bytes]:
    """Return the digests that the program has to report."""
    found = [hashlib.sha3_256(MESSAGE[i : i + 139 + i]).digest() for i in range(4)]
    bits = library_digest(FUNCTIONS["shake128"], MESSAGE[:2], bits=13, output_bits=77)
    assert bits is not None
    found.append(bits)
    first = b"".join(MESSAGE[i : i + 30 + i] for i in range(5))
    second = b"".join(MESSAGE[2 * i : 2 * i + 7 + i] for i in range(5))
    found.append(hashlib.sha3_512(first).digest())
    found.append(hashlib.shake_256(second).digest(88))
    found.append(hmac.new(MESSAGE[:140], MESSAGE[1:51], "sha3_256").digest())
    mac = KMAC128.new(key=MESSAGE[:40], mac_len=45, custom=MESSAGE[2:11], data=MESSAGE[3:83])
    return [*found, mac.digest()]


@WITH_QEMU
@pytest.mark.parametrize(
    "swapped",
    [pytest.param(False, id="words"), pytest.param(True, id="bytes", marks=pytest.mark.slow)],
)
def test_a_big_endian_processor(tmp_path: Path, swapped: bool) -> None:
    """Digests, contexts that take turns, MACs; and where driver/hf_keccak_io.h puts bytes.

    A bus that keeps words has bits 7 to 0 in a word's last byte, one that keeps bytes in its first.
    """
    build(tmp_path, *(["-DHF_KECCAK_BYTES_AT_ADDRESSES"] if swapped else []))
    words, *digests = run(tmp_path, simulation("axil"))
    memory = b"\1\2\3\4" if swapped else b"\4\3\2\1"
    assert words == memory + b"\4\3\2\1"
    assert digests == expected()


def test_a_little_endian_processor(tmp_path: Path) -> None:
    """The same words on this machine, whatever is said of a big-endian one's bus."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None
    for flag in ("-DNOTHING", "-DHF_KECCAK_BYTES_AT_ADDRESSES"):
        path = tmp_path / f"words{flag}.so"
        command = [compiler, "-std=c99", flag, "-fPIC", "-shared", "-Idriver", "-o", str(path)]
        subprocess.run([*command, "tests/driver/driver_words.c"], cwd=ROOT, check=True)
        memory = (ctypes.c_uint8 * 4)()
        code = ctypes.CDLL(str(path))
        code.driver_words.restype = ctypes.c_uint32
        assert code.driver_words(memory) == 0x04030201
        assert bytes(memory) == b"\1\2\3\4"
