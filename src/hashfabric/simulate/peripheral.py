"""Cycle-accurate simulation of a peripheral at its bus (driver/peripheral.cpp).

An access takes the clocks of the bus; those of a program come from `wait`. A peripheral with a DMA
master has a memory at that bus.
"""

import ctypes
import hashlib
import struct
import weakref
from typing import Any

from hashfabric.base.errors import LabError
from hashfabric.models.family import Function
from hashfabric.registry.designs import Design, Variant
from hashfabric.registry.registers import (
    DMA,
    DMA_PAGE,
    MASKED,
    PERIPHERAL,
    Description,
    MappedRegister,
    load,
)
from hashfabric.simulate import library

POLLS = 20_000
"""Most reads of STATUS until a phase comes."""

WHOLE_MESSAGE = 1 << 8 | 1 << 9 | 1 << 11
"""The flags of a descriptor that is a list: its message begins and ends (docs/integrate/dma.md)."""


class PeripheralSim:
    """A peripheral of a registered design, by its registers."""

    def __init__(
        self, design: Design, variant: Variant, registers: Description = PERIPHERAL
    ) -> None:
        """Build the simulation if it is new, and start it after a reset."""
        self.name = design.name
        self.registers: dict[str, MappedRegister] = load(source=registers)
        self._library = _functions(library.load(variant, "peripheral.cpp", {}))
        handle = ctypes.c_void_p()
        self._check(self._library.hf_open(ctypes.byref(handle)))
        self._handle = handle
        self._close = weakref.finalize(self, self._library.hf_close, handle)
        base, size = ctypes.c_uint32(), ctypes.c_uint32()
        memory = self._library.hf_memory(handle, ctypes.byref(base), ctypes.byref(size))
        self.memory: memoryview | None = None
        """What the DMA master reads and writes, from `memory_base` on; None without one."""
        if memory:
            self.memory = memoryview((ctypes.c_uint8 * size.value).from_address(memory)).cast("B")
        self.memory_base = base.value
        self._master = load(source=DMA)

    def read(self, name: str, index: int = 0) -> int:
        """Return a register, one of several by its index."""
        return self.read_at(self.registers[name].address + 4 * index)

    def write(self, name: str, value: int, *, strobe: int = 15, index: int = 0) -> None:
        """Write the bytes of a register that `strobe` selects."""
        self.write_at(self.registers[name].address + 4 * index, value, strobe)

    def read_at(self, address: int) -> int:
        """Return the word at an address."""
        data = ctypes.c_uint32()
        self._check(self._library.hf_read(self._handle, address, ctypes.byref(data)))
        return data.value

    def write_at(self, address: int, value: int, strobe: int = 15) -> None:
        """Write the bytes of the word at an address that `strobe` selects."""
        self._check(self._library.hf_write(self._handle, address, value, strobe))

    def read_master(self, name: str) -> int:
        """Return a register of the DMA master."""
        data = ctypes.c_uint32()
        address = DMA_PAGE + self._master[name].address
        self._check(self._library.hf_read(self._handle, address, ctypes.byref(data)))
        return data.value

    def write_master(self, name: str, value: int) -> None:
        """Write a register of the DMA master."""
        address = DMA_PAGE + self._master[name].address
        self._check(self._library.hf_write(self._handle, address, value, 15))

    def command(self, name: str) -> None:
        """Give a command."""
        self.write("COMMAND", self.registers["COMMAND"].field(name).mask)

    def wait(self, clocks: int) -> None:
        """Let clocks pass without an access."""
        self._library.hf_wait(self._handle, clocks)

    def wait_for(self, phase: str) -> None:
        """Read STATUS until this phase is there; `LabError` if it does not come."""
        field = self.registers["STATUS"].field("phase")
        wanted = field.values[phase] << field.low
        for _ in range(POLLS):
            if self.read("STATUS") & field.mask == wanted:
                return
        raise LabError(f"{self.name}: simulation: the phase does not become {phase}")

    @property
    def bus(self) -> tuple[int, int, int]:
        """Its handle, `hf_read` and `hf_write` as addresses: for C code with its own driver."""
        calls = (self._library.hf_read, self._library.hf_write)
        read, write = (ctypes.cast(call, ctypes.c_void_p).value or 0 for call in calls)
        return self._handle.value or 0, read, write

    @property
    def clocks(self) -> int:
        """Clocks since it was built."""
        return int(self._library.hf_clocks(self._handle))

    @property
    def interrupt(self) -> bool:
        """Whether its interrupt is high."""
        return bool(self._library.hf_interrupt(self._handle))

    def hash(
        self,
        function: Function,
        data: bytes,
        *,
        bits: int | None = None,
        output_bits: int | None = None,
    ) -> bytes:
        """Hash the first `bits` bits of `data` (all if None) as in docs/integrate/regs.md."""
        bits = 8 * len(data) if bits is None else bits
        wanted = output_bits if function.xof and output_bits is not None else function.digest_bits
        whole, rest = divmod(bits, 8)
        self.write("CONFIG", function.code)
        self.write("LENGTH", wanted)
        self.write("TAIL", rest | (data[whole] << 8 if rest else 0))
        self.command("start")
        words = struct.unpack(f"<{whole // 4}I", data[: whole // 4 * 4])
        for word in words:
            self.write("MESSAGE", word)
        for byte in data[whole // 4 * 4 : whole]:
            self.write("MESSAGE", byte, strobe=1)
        self.command("last")
        found = [self.read("DIGEST") for _ in range(-(-wanted // 32))]
        self.wait_for("idle")
        return struct.pack(f"<{len(found)}I", *found)[: -(-wanted // 8)]

    def hash_in_memory(
        self,
        function: Function,
        data: bytes,
        *,
        bits: int | None = None,
        output_bits: int | None = None,
    ) -> bytes:
        """Do the same by the DMA master, as in docs/integrate/dma.md."""
        if self.memory is None:
            raise LabError(f"{self.name}: simulation: there is no DMA master")
        bits = 8 * len(data) if bits is None else bits
        wanted = output_bits if function.xof and output_bits is not None else function.digest_bits
        whole, rest = divmod(bits, 8)
        source = 64
        digest = source + -(-len(data) // 64) * 64
        at, size = self.memory_base, -(-wanted // 8)
        self.memory[source : source + len(data)] = data
        tail = rest | (data[whole] << 8 if rest else 0)
        words = (function.code | WHOLE_MESSAGE, at + source, whole, wanted, tail, at + digest, 0, 0)
        self.memory[:32] = struct.pack("<8I", *words)
        self.write_master("HEAD", at)
        self.write_master("COMMAND", self._master["COMMAND"].field("start").mask)
        running = self._master["STATUS"].field("running").mask
        for _ in range(POLLS):
            if not (status := self.read_master("STATUS")) & running:
                break
        else:
            raise LabError(f"{self.name}: simulation: the list does not end")
        if (cause := status & self._master["STATUS"].field("cause").mask) != 0:
            raise LabError(f"{self.name}: simulation: the list stops: STATUS {cause:#x}")
        return bytes(self.memory[digest : digest + size])

    def _check(self, error: bytes | None) -> None:
        if error is not None:
            raise LabError(f"{self.name}: simulation: {error.decode(errors='replace')}")


class MaskedPeripheralSim(PeripheralSim):
    """A peripheral whose message and digest are in shares, by its registers."""

    def __init__(self, design: Design, variant: Variant) -> None:
        """Build the simulation if it is new, start it after a reset, and seed the masks."""
        super().__init__(design, variant, MASKED)
        self._room = self.read("CAPS") & self.registers["CAPS"].field("fifo_words").mask
        self._masks = 0
        for index, word in enumerate(struct.unpack("<3I", self._random(12))):
            self.write("SEED.WORD", word, index=index)
        self._wait_for_status("ready", True)

    def hash(
        self,
        function: Function,
        data: bytes,
        *,
        bits: int | None = None,
        output_bits: int | None = None,
    ) -> bytes:
        """Hash the first `bits` bits of `data` (all if None) as in docs/integrate/masked.md."""
        bits = 8 * len(data) if bits is None else bits
        wanted = output_bits if function.xof and output_bits is not None else function.digest_bits
        data = data[: -(-bits // 8)]
        masks = self._random(len(data))
        shares = [bytes(a ^ b for a, b in zip(data, masks, strict=True)), masks]
        self.write("CONFIG", function.code)
        part = 4 * (self._room - 1)  # The newest word stays in its FIFO.
        for at in range(0, len(data), part):
            for share, words in enumerate(shares):
                self._wait_for_status(f"room_{share}", self._room - 1)
                padded = words[at : at + part] + bytes(-len(words[at : at + part]) % 4)
                for (word,) in struct.iter_unpack("<I", padded):
                    self.write(f"MESSAGE_{share}.WORD", word)
        last = self.registers["COMMAND"]
        self.write(
            "COMMAND",
            last.field("last").mask
            | (bits % 8) << last.field("bits").low
            | (len(data) % 4) << last.field("bytes").low,
        )
        found = b""
        while 8 * len(found) < wanted:
            count = min(self._wait_for_status("words", 1), -(-wanted // 32) - len(found) // 4)
            parts = [
                struct.pack(f"<{count}I", *[self.read(f"DIGEST_{s}.WORD") for _ in range(count)])
                for s in (0, 1)
            ]
            found += bytes(a ^ b for a, b in zip(*parts, strict=True))
        if function.xof:
            self.command("stop")
        self._wait_for_status("busy", 0)
        digest = bytearray(found[: -(-wanted // 8)])
        if wanted % 8:
            digest[-1] &= (1 << wanted % 8) - 1
        return bytes(digest)

    def _random(self, count: int) -> bytes:
        """Return bytes that look random: no secret is in a simulation."""
        self._masks += 1
        return hashlib.shake_128(f"{self.name} {self._masks}".encode()).digest(count)

    def _wait_for_status(self, name: str, least: int) -> int:
        """Return a field of STATUS when it is `least` or more, or 0 if that is 0."""
        field = self.registers["STATUS"].field(name)
        for _ in range(POLLS):
            value = (self.read("STATUS") & field.mask) >> field.low
            if value >= least and (least or not value):
                return value
        raise LabError(f"{self.name}: simulation: STATUS.{name} does not become {least}")


def _functions(found: ctypes.CDLL) -> Any:
    word = ctypes.c_uint32
    for name, result, arguments in (
        ("hf_open", ctypes.c_char_p, [ctypes.POINTER(ctypes.c_void_p)]),
        ("hf_close", None, [ctypes.c_void_p]),
        ("hf_write", ctypes.c_char_p, [ctypes.c_void_p, word, word, word]),
        ("hf_read", ctypes.c_char_p, [ctypes.c_void_p, word, ctypes.POINTER(word)]),
        ("hf_wait", None, [ctypes.c_void_p, ctypes.c_uint64]),
        ("hf_clocks", ctypes.c_uint64, [ctypes.c_void_p]),
        ("hf_interrupt", ctypes.c_int, [ctypes.c_void_p]),
        (
            "hf_memory",
            ctypes.c_void_p,
            [ctypes.c_void_p, ctypes.POINTER(word), ctypes.POINTER(word)],
        ),
    ):
        function = getattr(found, name)
        function.restype, function.argtypes = result, arguments
    return found
