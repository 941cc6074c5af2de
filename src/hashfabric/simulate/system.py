"""Cycle-accurate simulation of a program on a processor (driver/system.cpp).

Every simulation begins with a new memory: the program, and elsewhere a pattern, from which the
depth of the stack is measured.
"""

import ctypes
import struct
import weakref
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from hashfabric.base.datafile import one_of
from hashfabric.base.errors import LabError
from hashfabric.base.tools import ToolError
from hashfabric.models.family import Function
from hashfabric.models.functions import FUNCTIONS
from hashfabric.registry.designs import Design, Firmware, Variant, parameter_types
from hashfabric.registry.results import FirmwareUse, PermutationUse
from hashfabric.simulate.firmware import Program, compile_firmware
from hashfabric.simulate.library import load
from hashfabric.simulate.stream import Answer, HashRun, Piece, Source, hash_run

S = TypeVar("S", bound=Source)

_PATTERN = 0xA5
_PATIENCE = 20_000_000  # clocks without a sign of the program: it hangs
_FIRST, _MORE, _PERMUTE = 1, 2, 4  # systems/firmware/keccak/main.c


@dataclass(frozen=True)
class SystemRun:
    """The memory after a program, the clocks it counts, and the greatest depth of its stack."""

    memory: bytes
    clocks: int
    stack_bytes: int


class SystemSim:
    """A variant's processor with a program in its memory, in reset except during a run."""

    def __init__(self, design: Design, variant: Variant, program: Program) -> None:
        """Build the simulation if it is new, and load the program."""
        self.name = design.name
        self.program = program
        self._order = ">" if program.elf.big_endian else "<"
        self._library = _system_functions(load(variant, "system.cpp", {}))
        handle = ctypes.c_void_p()
        self._check(self._library.hf_open(ctypes.byref(handle)))
        self._handle = handle
        self._close = weakref.finalize(self, self._library.hf_close, handle)
        memory = bytearray([_PATTERN] * program.memory_bytes)
        program.load(memory)
        self._write(0, memory)

    def write(self, name: str, data: bytes) -> None:
        """Write `data` to the symbol `name`; `LabError` if it is shorter."""
        start = self.program.address(name, len(data))
        if not data:
            return
        first = start // 4
        whole = bytearray(self._read(first, -(-(start + len(data)) // 4) - first))
        whole[start % 4 : start % 4 + len(data)] = data
        self._write(first, whole)

    def read(self, name: str, count: int) -> bytes:
        """Return the first `count` bytes of the symbol `name`; `LabError` if it has fewer."""
        start = self.program.address(name, count)
        first = start // 4
        words = self._read(first, -(-(start + count) // 4) - first)
        return words[start % 4 : start % 4 + count]

    def run(self) -> int:
        """Let the program run from reset to its end; return the clocks that it counts."""
        clocks = ctypes.c_uint64()
        self._check(self._library.hf_run(self._handle, _PATIENCE, ctypes.byref(clocks)))
        self.stack_bytes  # noqa: B018 - raises if there was no room
        return clocks.value

    def memory(self) -> bytes:
        """Return all of the memory."""
        return self._read(0, self.program.memory_bytes // 4)

    @property
    def stack_bytes(self) -> int:
        """The greatest depth of the stack in all runs; `LabError` if it had no room."""
        low, high = (self.program.address(f"_stack_{end}") for end in ("low", "high"))
        stack = self._read(low // 4, (high - low) // 4)
        untouched = len(stack) - len(stack.lstrip(bytes([_PATTERN])))
        if untouched == 0:
            raise LabError(f"{self.name}: simulation: the stack has no room")
        return len(stack) - untouched

    def _write(self, first: int, data: bytes | bytearray) -> None:
        count = len(data) // 4
        words = (ctypes.c_uint32 * count)(*struct.unpack(f"{self._order}{count}I", data))
        self._check(self._library.hf_write(self._handle, first, words, count))

    def _read(self, first: int, count: int) -> bytes:
        words = (ctypes.c_uint32 * count)()
        self._check(self._library.hf_read(self._handle, first, words, count))
        return struct.pack(f"{self._order}{count}I", *words)

    def _check(self, error: bytes | None) -> None:
        if error is not None:
            raise LabError(f"{self.name}: simulation: {error.decode(errors='replace')}")


def run_program(
    design: Design, variant: Variant, program: Program, inputs: Mapping[str, bytes]
) -> SystemRun:
    """Run `program` on the variant's processor, with `inputs` written to these symbols."""
    sim = SystemSim(design, variant, program)
    for name, data in inputs.items():
        sim.write(name, data)
    clocks = sim.run()
    return SystemRun(sim.memory(), clocks, sim.stack_bytes)


class SystemHasher:
    """The firmware's sponge (systems/firmware/keccak/main.c) fed in parts: messages of any length.

    The host sets reset between parts and moves them; this takes none of the counted clocks.
    """

    slots = 1

    def __init__(self, design: Design, variant: Variant) -> None:
        """Compile the firmware, build the simulation and load it."""
        self.sim = SystemSim(design, variant, compile_firmware(firmware_of(variant)))
        symbols = self.sim.program.elf.symbols
        self.sim.program.address("hf_message"), self.sim.program.address("hf_output")
        self._message_bytes = symbols["hf_message"].size
        self._output_bytes = symbols["hf_output"].size

    def hash_all(self, sources: Iterable[S | None]) -> Iterator[Piece[S]]:
        """Hash messages one after the other, as `StreamSim.hash_all` does; clocks count on."""
        now = 0
        for source in sources:
            if source is None:
                continue
            start = now
            try:
                for clocks, digest in self._hash(source):
                    now += clocks
                    if digest:
                        source.given += len(digest)
                        yield Piece(source, digest)
            except _Broken as broken:
                source.failure = broken.reason
            failed = source.failure is not None
            answer = Answer(0, b"", source.wanted_bits % 8, failed, start, max(start, now - 1))
            yield Piece(source, b"", answer)

    def hash(
        self,
        function: Function,
        message: bytes,
        *,
        bits: int | None = None,
        output_bits: int | None = None,
    ) -> HashRun:
        """Hash the first `bits` bits of `message` (all if None)."""
        count = len(message) if bits is None else -(-bits // 8)
        source = Source(function, iter([message[:count]]), bits, output_bits)
        return hash_run(source, self.hash_all([source]))

    def permute(self) -> int:
        """Run one permutation; return its clocks."""
        return self._part(_PERMUTE, 0, 0, b"", 0)[0]

    def instructions(self) -> int:
        """Return the instructions of the last part; the firmware has to count them."""
        order = ">" if self.sim.program.elf.big_endian else "<"
        return int(struct.unpack(f"{order}I", self.sim.read("hf_instructions", 4))[0])

    def _hash(self, source: Source) -> Iterator[tuple[int, bytes]]:
        """Yield the clocks and the bytes of digest of each part."""
        function = source.function
        rate = function.rate_bits // 8
        # Parts end with a block, so each begins at a word.
        longest = self._message_bytes // rate * rate
        parts, held = _FIRST, bytearray()
        while True:
            try:
                chunk = source.next()
            except LabError as error:
                raise _Broken(error) from error
            held += chunk or b""
            while len(held) > longest:
                part = bytes(held[:longest])
                del held[:longest]
                yield self._part(parts | _MORE, rate, 0, part, 0)
                parts = 0
            if chunk is None:
                break
        # The suffix and the padding's first 1 follow the last bit, perhaps in two bytes.
        suffix = function.suffix | 1 << function.suffix_bits
        if loose := source.message_bits % 8:
            suffix = held.pop() & ((1 << loose) - 1) | suffix << loose
            # A 1 in the last bit: the firmware would add the padding's last 1 there.
            if suffix >= 0x80:  # noqa: PLR2004 - bit 7 of a byte
                held.append(suffix & 0xFF)
                suffix >>= 8
        wanted = -(-source.wanted_bits // 8)
        most = self._output_bytes // rate * rate
        while True:
            count = min(wanted, most)
            more = _MORE if wanted > count else 0
            clocks, digest = self._part(parts | more, rate, suffix, bytes(held), count)
            wanted -= count
            if not wanted and source.wanted_bits % 8:
                last = digest[-1] & ((1 << source.wanted_bits % 8) - 1)
                digest = digest[:-1] + bytes([last])
            yield clocks, digest
            if not wanted:
                return
            parts, held = 0, bytearray()

    def _part(
        self, parts: int, rate: int, suffix: int, message: bytes, output_bytes: int
    ) -> tuple[int, bytes]:
        order = ">" if self.sim.program.elf.big_endian else "<"
        words = (parts, rate, suffix, len(message), output_bytes)
        self.sim.write("hf_request", struct.pack(f"{order}5I", *words))
        self.sim.write("hf_message", message)
        clocks = self.sim.run()
        return clocks, self.sim.read("hf_output", output_bytes)


class _Broken(Exception):
    """The source of a message failed."""

    def __init__(self, reason: LabError) -> None:
        """Keep why."""
        super().__init__(str(reason))
        self.reason = reason


def system_variant(design: Design, name: str | None, function: Function) -> Variant | None:
    """Return the system called `name`, else the first that computes `function`, else the first.

    None where the design has a stream, or no system; `LabError` where the one called `name`
    does not exist or does not compute the function.
    """
    kinds = {variant.kind for variant in design.variants.values()}
    if "system" not in kinds or "stream" in kinds:
        return None
    if name is not None:
        variant = design.variant(name)
        if function.name not in design.functions_of(variant):
            raise LabError(f"{design.name} {name} does not compute {function.name}")
        if variant.kind != "system":
            systems = [key for key, one in design.variants.items() if one.kind == "system"]
            raise one_of(f"system of {design.name}", name, systems)
        return variant
    systems_there = [one for one in design.variants.values() if one.kind == "system"]
    serving = (one for one in systems_there if function.name in design.functions_of(one))
    return next(serving, systems_there[0])


def firmware_of(variant: Variant) -> Firmware:
    """Return the firmware of a variant of kind system."""
    if variant.firmware is None:
        raise ValueError("only a system has firmware")
    return variant.firmware


def firmware_use(design: Design, variant: Variant) -> FirmwareUse:
    """Measure the firmware: clocks and stack of SHA3-256 (else the first) of the empty message.

    And one permutation, with the registry's flags and with `SETTINGS`.
    """
    names = design.functions_of(variant)
    function = FUNCTIONS["sha3-256" if "sha3-256" in names else names[0]]
    hasher = SystemHasher(design, variant)
    run = hasher.hash(function, b"")
    program, stack_bytes = hasher.sim.program, hasher.sim.stack_bytes
    per_byte = None
    if (counting := _counting(variant)) is not None and "sha3-512" in names:
        counter = SystemHasher(design, counting)
        rate = FUNCTIONS["sha3-512"].rate_bits // 8
        counts = [0, 0]
        for i, blocks in enumerate((2, 3)):
            counter.hash(FUNCTIONS["sha3-512"], bytes(blocks * rate - 1))
            counts[i] = counter.instructions()
        per_byte = (counts[1] - counts[0]) / rate
    return FirmwareUse(
        clocks_per_hash=run.clocks,
        clocks_per_permutation=hasher.permute(),
        instructions_per_byte=per_byte,
        settings=_settings(design, variant),
        code_bytes=program.code_bytes,
        data_bytes=program.data_bytes,
        stack_bytes=stack_bytes,
    )


SETTINGS = ("-O0", "-O1", "-Os", "-O2", "-O2 -fno-schedule-insns", "-O3")
"""Ways to optimise: flags of GCC."""

_COUNTERS = "Counters"  # a top's parameter: its processor counts instructions


def _settings(design: Design, variant: Variant) -> dict[str, PermutationUse]:
    """Measure the permutation with every setting; but not one that makes too large a program."""
    own = firmware_of(variant)
    others = {flag for setting in SETTINGS for flag in setting.split()}
    found = {}
    for setting in SETTINGS:
        flags = [flag for flag in own.flags if flag not in others] + setting.split()
        changed = variant.model_copy(update={"firmware": own.model_copy(update={"flags": flags})})
        try:
            hasher = SystemHasher(design, changed)
        except ToolError:  # It does not fit: an error of the linker.
            continue
        clocks, instructions = hasher.permute(), None
        if (counting := _counting(changed)) is not None:
            counter = SystemHasher(design, counting)
            counter.permute()
            instructions = counter.instructions()
        found[setting] = PermutationUse(
            clocks=clocks, code_bytes=hasher.sim.program.code_bytes, instructions=instructions
        )
    return found


def _counting(variant: Variant) -> Variant | None:
    """Return the variant with a processor that counts instructions, and firmware for it."""
    if _COUNTERS not in parameter_types(variant.top):
        return None
    own = firmware_of(variant)
    counting = own.model_copy(update={"flags": [*own.flags, "-DHF_COUNT"]})
    parameters = {**variant.parameters, _COUNTERS: True}
    return variant.model_copy(update={"firmware": counting, "parameters": parameters})


def _system_functions(library: ctypes.CDLL) -> ctypes.CDLL:
    """Declare the functions of driver/system.cpp."""
    handle, size = ctypes.c_void_p, ctypes.c_uint64
    words = ctypes.POINTER(ctypes.c_uint32)
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "hf_open": (ctypes.c_char_p, [ctypes.POINTER(handle)]),
        "hf_close": (None, [handle]),
        "hf_write": (ctypes.c_char_p, [handle, size, words, size]),
        "hf_read": (ctypes.c_char_p, [handle, size, words, size]),
        "hf_run": (ctypes.c_char_p, [handle, size, ctypes.POINTER(size)]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library
