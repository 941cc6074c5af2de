"""Cycle-accurate simulation of a program on a processor (driver/system.cpp).

Every run begins with a memory of its own: the program, what it is asked, and a pattern in the rest,
which tells how deep the stack went.
"""

import ctypes
import struct
from collections.abc import Mapping
from dataclasses import dataclass

from hashfabric.base.errors import LabError
from hashfabric.models.family import Function
from hashfabric.models.functions import FUNCTIONS
from hashfabric.registry.designs import Design, Firmware, Variant
from hashfabric.registry.results import FirmwareUse
from hashfabric.simulate.firmware import Program, compile_firmware
from hashfabric.simulate.library import load

_PATTERN = 0xA5
_PATIENCE = 20_000_000  # clocks without a word of the program: it hangs


@dataclass(frozen=True)
class SystemRun:
    """What a program left in its memory, the clocks it counts, and the deepest its stack was."""

    memory: bytes
    clocks: int
    stack_bytes: int


def run_program(
    design: Design, variant: Variant, program: Program, inputs: Mapping[str, bytes]
) -> SystemRun:
    """Run `program` on the variant's processor, with `inputs` put where these names are."""
    memory = bytearray([_PATTERN] * program.memory_bytes)
    program.load(memory)
    for name, data in inputs.items():
        address = program.address(name, len(data))
        memory[address : address + len(data)] = data
    order = ">" if program.elf.big_endian else "<"
    count = len(memory) // 4
    words = (ctypes.c_uint32 * count)(*struct.unpack(f"{order}{count}I", memory))
    clocks = ctypes.c_uint64()
    run = load(variant, "system.cpp", {}).hf_run_system
    run.restype = ctypes.c_char_p
    run.argtypes = [
        *(ctypes.POINTER(ctypes.c_uint32), ctypes.c_uint64),
        *(ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64)),
    ]
    if (error := run(words, count, _PATIENCE, clocks)) is not None:
        raise LabError(f"{design.name}: simulation: {error.decode(errors='replace')}")
    after = struct.pack(f"{order}{count}I", *words)
    stack = after[program.address("_stack_low") : program.address("_stack_high")]
    untouched = len(stack) - len(stack.lstrip(bytes([_PATTERN])))
    if untouched == 0:
        raise LabError(f"{design.name}: simulation: the stack has no room")
    return SystemRun(after, clocks.value, len(stack) - untouched)


def hash_message(
    design: Design,
    variant: Variant,
    function: Function,
    message: bytes,
    *,
    output_bytes: int | None = None,
) -> tuple[bytes, SystemRun]:
    """Hash whole bytes by the variant's own firmware (firmware/keccak/main.c)."""
    program = compile_firmware(firmware_of(variant))
    wanted = function.digest_bits // 8 if output_bytes is None else output_bytes
    suffix = function.suffix | 1 << function.suffix_bits
    order = ">" if program.elf.big_endian else "<"
    request = struct.pack(f"{order}4I", function.rate_bits // 8, suffix, len(message), wanted)
    start = program.address("hf_output", wanted)
    inputs = {"hf_request": request, "hf_message": message}
    run = run_program(design, variant, program, inputs)
    return run.memory[start : start + wanted], run


def firmware_of(variant: Variant) -> Firmware:
    """Return the firmware that a variant of kind system has."""
    if variant.firmware is None:
        raise ValueError("only a system has firmware")
    return variant.firmware


def firmware_use(design: Design, variant: Variant) -> FirmwareUse:
    """Measure what the firmware takes: clocks and stack of SHA3-256 (else the first) of nothing."""
    program = compile_firmware(firmware_of(variant))
    names = design.functions_of(variant)
    function = FUNCTIONS["sha3-256" if "sha3-256" in names else names[0]]
    _, run = hash_message(design, variant, function, b"")
    return FirmwareUse(
        clocks_per_hash=run.clocks,
        code_bytes=program.code_bytes,
        data_bytes=program.data_bytes,
        stack_bytes=run.stack_bytes,
    )
