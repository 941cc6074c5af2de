"""Cycle-accurate simulation of an SoC with its program (driver/soc.cpp), by its serial line.

The program that is measured is systems/firmware/soc/main.c: a command is a line, and its answer
ends with "ok". Clocks are those that the program counts with the SoC's timer. Others:
`simulate.program`.
"""

import ctypes
import hashlib
import re
import struct
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.registry.designs import Design, Variant
from hashfabric.registry.results import FirmwareUse, TaskUse
from hashfabric.simulate.firmware import Program, compile_firmware
from hashfabric.simulate.library import load
from hashfabric.simulate.system import firmware_of

HEADER = "systems/firmware/soc/generated/hf_litex_soc.h"
"""LiteX' constants of the SoC for its program."""

BAUD = 115_200
"""Bits a second of the serial line: LiteX's own choice."""

_TOP = "hf_litex_soc"
RAM = "rw", _TOP, "main_ram"
"""The memory that holds the program, for `simulate.library`."""

BUS = tuple(
    ("rd", _TOP, f"soc_{name}")
    for name in ("shared_cyc", "shared_stb", "shared_we", "shared_ack", "master", "grant")
)
"""The bus, of which a profile counts the clocks."""

MESSAGE_BYTES = 65536
"""The longest message that the program hashes; it has room for it."""

LENGTHS = {"64 bytes": 64, "1 KiB": 1024, "64 KiB": 65536}
"""Messages whose clocks are measured, by their names."""

_PATTERN = 0xA5  # content of memory that the program has not written
_PATIENCE = 60_000_000  # clocks without a letter: the longest hash in software takes ten million
_CLOCK = re.compile(r"^#define CONFIG_CLOCK_FREQUENCY (\d+)$", re.MULTILINE)


def clock_hz(root: Path = ROOT) -> int:
    """Return the SoC's clock, Hz, from LiteX' constants."""
    found = _CLOCK.search((root / HEADER).read_text(encoding="utf-8"))
    if found is None:
        raise LabError(f"{HEADER}: has no clock")
    return int(found[1])


def message(count: int) -> bytes:
    """Return the message of `count` bytes that the program hashes."""
    return bytes((37 * i + 11 * (i >> 8)) & 0xFF for i in range(count))


@dataclass(frozen=True)
class Spent:
    """What a function, or its callees, took in the profiled calls."""

    clocks: int
    instructions: int


@dataclass(frozen=True)
class Traffic:
    """One use of the bus in the profiled calls: accesses, and clocks in which it had the bus."""

    accesses: int
    clocks: int


TRAFFIC = (
    "instruction fetch",
    "read of RAM",
    "write to RAM",
    "read of the peripheral",
    "write to the peripheral",
    "other",
)
"""Uses of the bus, in the order of driver/soc.cpp."""


@dataclass(frozen=True)
class CallProfile:
    """What calls of some functions took, their callees included.

    `calls` has the clocks of each call. `functions` has all functions that ran in them, each
    without its callees; clocks are from one completed instruction to the next.
    """

    calls: list[int]
    functions: dict[str, Spent]
    bus: dict[str, Traffic]

    @property
    def total(self) -> Spent:
        """All functions."""
        spent = self.functions.values()
        return Spent(sum(one.clocks for one in spent), sum(one.instructions for one in spent))


class SocSim:
    """A variant's SoC, with its program in the RAM, running."""

    def __init__(self, design: Design, variant: Variant, program: Program | None = None) -> None:
        """Compile the variant's firmware if there is no `program`, build the simulation, begin."""
        self.name = design.name
        self.program = program or compile_firmware(firmware_of(variant))
        self._library = _functions(load(variant, "soc.cpp", {}, public=[RAM, *BUS]))
        handle = ctypes.c_void_p()
        bit_clocks = clock_hz() / BAUD
        self._check(self._library.hf_open(ctypes.byref(handle), bit_clocks))
        self._handle = handle
        self._close = weakref.finalize(self, self._library.hf_close, handle)
        memory = bytearray([_PATTERN] * self.program.memory_bytes)
        self.program.load(memory)
        count = len(memory) // 4
        words = (ctypes.c_uint32 * count)(*struct.unpack(f"<{count}I", memory))
        self._check(self._library.hf_load(self._handle, words, count))

    def command(self, line: str) -> list[str]:
        """Send a line; return the lines of its answer, without the final "ok".

        `LabError` where the answer is an error, or there is none.
        """
        self.send(f"{line}\n".encode("ascii"))
        answer: list[str] = []
        while True:
            said = self._line()
            if said == "ok":
                return answer
            if said.startswith(("error ", "trap ", "no peripheral")):
                raise LabError(f"{self.name}: simulation: {line}: the program says '{said}'")
            answer.append(said)

    def send(self, data: bytes) -> None:
        """Send bytes over the serial line; bytes that come meanwhile can be received later."""
        for byte in data:
            self._check(self._library.hf_send(self._handle, byte))

    def run(self, clocks: int) -> bool:
        """Run for `clocks` clocks, or until a byte can be received; return whether one can."""
        there = ctypes.c_uint8()
        self._check(self._library.hf_run(self._handle, clocks, ctypes.byref(there)))
        return bool(there.value)

    def receive(self) -> int:
        """Return the next byte; `LabError` where the line is silent for too long."""
        byte = ctypes.c_uint8()
        self._check(self._library.hf_receive(self._handle, _PATIENCE, ctypes.byref(byte)))
        return byte.value

    def sha3(self, how: str, count: int) -> tuple[int, bytes]:
        """Have the message of `count` bytes hashed; return the clocks and the digest.

        `how` is the command: sha3, wait, dma, dmawait or software.
        """
        (said,) = self.command(f"{how} {count}")
        clocks, digest = said.split()
        return int(clocks), bytes.fromhex(digest)

    @property
    def stack_bytes(self) -> int:
        """The greatest depth of the stack; `LabError` if it had no room."""
        low, high = (self.program.address(f"_stack_{end}") for end in ("low", "high"))
        words = (ctypes.c_uint32 * ((high - low) // 4))()
        self._check(self._library.hf_read(self._handle, low // 4, words, len(words)))
        stack = bytes(words)
        untouched = len(stack) - len(stack.lstrip(bytes([_PATTERN])))
        if untouched == 0:
            raise LabError(f"{self.name}: simulation: the stack has no room")
        return len(stack) - untouched

    def profile(self, names: Sequence[str]) -> None:
        """Count calls of these functions from here on; `profiled` has what they took."""
        functions = dict(self.program.elf.functions)
        for name in names:
            if name not in functions:
                raise LabError(f"{self.name}: the program has no function '{name}'")
        entries = [
            function.address for name, function in self.program.elf.functions if name in names
        ]
        addresses = (ctypes.c_uint32 * len(entries))(*entries)
        self._check(self._library.hf_profile(self._handle, addresses, len(entries)))

    def profiled(self) -> CallProfile:
        """Return what the calls took that have ended since `profile`."""
        count = self._library.hf_calls(self._handle, None, 0)
        calls = (ctypes.c_uint64 * count)()
        self._library.hf_calls(self._handle, calls, count)
        words = self.program.memory_bytes // 4
        clocks, instructions = (ctypes.c_uint64 * words)(), (ctypes.c_uint64 * words)()
        accesses, taken = ((ctypes.c_uint64 * len(TRAFFIC))() for _ in range(2))
        self._library.hf_counted(self._handle, clocks, instructions, accesses, taken)
        functions: dict[str, Spent] = {}
        for name, symbol in self.program.elf.functions:
            first = (symbol.address - self.program.origin) // 4
            here = slice(first, first + -(-symbol.size // 4))
            spent = Spent(sum(clocks[here]), sum(instructions[here]))
            if spent.instructions:
                functions[name] = Spent(
                    spent.clocks + functions.get(name, Spent(0, 0)).clocks,
                    spent.instructions + functions.get(name, Spent(0, 0)).instructions,
                )
        return CallProfile(
            calls=list(calls),
            functions=dict(sorted(functions.items(), key=lambda item: -item[1].clocks)),
            bus={
                use: Traffic(accesses[at], taken[at]) for at, use in enumerate(TRAFFIC) if taken[at]
            },
        )

    @property
    def clocks(self) -> int:
        """Clocks since it was built."""
        return int(self._library.hf_clocks(self._handle))

    def _line(self) -> str:
        line = bytearray()
        while not line.endswith(b"\n"):
            line.append(self.receive())
        return line[:-1].decode("ascii", errors="replace")

    def _check(self, error: bytes | None) -> None:
        if error is not None:
            raise LabError(f"{self.name}: simulation: {error.decode(errors='replace')}")


def firmware_use(design: Design, variant: Variant) -> FirmwareUse:
    """Measure the program: SHA3-256 of `LENGTHS` bytes by driver and by software.

    Caches hold the code: each is measured after a shorter message. `LabError` on a wrong digest.
    """
    sim = SocSim(design, variant)
    empty = _digested(sim, "sha3", 0)
    clocks: dict[str, dict[str, int]] = {name: {} for name in LENGTHS}
    for how in ("sha3", "wait", "software"):
        _digested(sim, how, 1)
        for name, count in LENGTHS.items():
            clocks[name][how] = _digested(sim, how, count)
    tasks = {
        f"SHA3-256 of {name}": TaskUse(
            driver=found["sha3"], interrupt=found["wait"], software=found["software"]
        )
        for name, found in clocks.items()
    }
    return FirmwareUse(
        clocks_per_hash=empty,
        tasks=tasks,
        code_bytes=sim.program.code_bytes,
        data_bytes=sim.program.data_bytes - MESSAGE_BYTES,
        stack_bytes=sim.stack_bytes,
    )


def _digested(sim: SocSim, how: str, count: int) -> int:
    clocks, digest = sim.sha3(how, count)
    if digest != hashlib.sha3_256(message(count)).digest():
        raise LabError(f"{sim.name}: simulation: {how} {count}: a wrong digest")
    return clocks


def _functions(library: ctypes.CDLL) -> Any:
    handle, size = ctypes.c_void_p, ctypes.c_uint64
    counts = ctypes.POINTER(size)
    signatures: Iterable[tuple[str, Any, list[Any]]] = (
        ("hf_open", ctypes.c_char_p, [ctypes.POINTER(handle), ctypes.c_double]),
        ("hf_close", None, [handle]),
        ("hf_load", ctypes.c_char_p, [handle, ctypes.POINTER(ctypes.c_uint32), size]),
        ("hf_read", ctypes.c_char_p, [handle, size, ctypes.POINTER(ctypes.c_uint32), size]),
        ("hf_send", ctypes.c_char_p, [handle, ctypes.c_uint8]),
        ("hf_receive", ctypes.c_char_p, [handle, size, ctypes.POINTER(ctypes.c_uint8)]),
        ("hf_run", ctypes.c_char_p, [handle, size, ctypes.POINTER(ctypes.c_uint8)]),
        ("hf_clocks", size, [handle]),
        ("hf_profile", ctypes.c_char_p, [handle, ctypes.POINTER(ctypes.c_uint32), size]),
        ("hf_calls", size, [handle, counts, size]),
        ("hf_counted", None, [handle, counts, counts, counts, counts]),
    )
    for name, result, arguments in signatures:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
