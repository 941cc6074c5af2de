"""Cycle-accurate simulation of a peripheral at its bus (driver/peripheral.cpp).

An access takes the clocks of the bus; those of a program come from `wait`. A peripheral with a DMA
master has a memory at that bus.
"""

import ctypes
import struct
import weakref
from typing import Any

from hashfabric.base.errors import LabError
from hashfabric.models.family import Function
from hashfabric.registry.designs import Design, Variant
from hashfabric.registry.registers import (
    DMA,
    DMA_PAGE,
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
