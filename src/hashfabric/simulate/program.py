"""A user's programs on the simulated SoC (docs/integrate/soc-programs.md): compiled and run.

The code around `main()` is in systems/firmware/soc; a program ends with a byte and its status.
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hashfabric.base.datafile import shown
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.registry.designs import Variant
from hashfabric.registry.sources import read_text
from hashfabric.simulate.firmware import FLAGS, Compiled, compile_files
from hashfabric.simulate.soc import CallProfile, SocSim
from hashfabric.simulate.system import firmware_of

AROUND = (
    "systems/firmware/soc/crt0.S",
    "systems/firmware/soc/memory.ld",
    "systems/firmware/soc/program.c",
    "systems/firmware/soc/library.c",
    "systems/firmware/soc/software.c",
    "systems/firmware/soc/*.h",
    "systems/firmware/soc/generated/*.h",
    "systems/firmware/runtime.c",
    "systems/firmware/keccak/sponge.c",
    "systems/firmware/keccak/split.c",
    "systems/firmware/keccak/*.h",
    "driver/*.c",
    "driver/*.h",
)
"""Files that every program is compiled with; unused functions are left out."""

SOC = "keccak-soc"
"""The design that programs run on."""

OWN = "program"
"""The folder, beside systems/ and driver/, for its own sources during compilation."""

_END = 4  # HF_END of systems/firmware/soc/program.h
_SLICE = 200_000  # clocks that are simulated at a time
_CALLS = 8  # calls whose clocks a profile shows one by one


def sources(folder: Path) -> dict[str, str]:
    """Return the C, assembler and header files in `folder`, and below it, by their path there.

    `LabError` if there is none.
    """
    if not folder.is_dir():
        raise LabError(f"{shown(folder)}: is no directory")
    found = {
        f"{OWN}/{path.relative_to(folder).as_posix()}": read_text(path)
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".c", ".h", ".S") and path.is_file()
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }
    if not any(path.endswith((".c", ".S")) for path in found):
        raise LabError(f"{shown(folder)}: no C or assembler source in it")
    return found


def compile_program(folder: Path, variant: Variant, root: Path = ROOT) -> Compiled:
    """Compile the program in `folder` for the SoC; `LabError` with the first error.

    Warnings are in the outcome.
    """
    firmware = firmware_of(variant)
    around = {
        path.relative_to(root).as_posix(): read_text(path)
        for pattern in AROUND
        for path in sorted(root.glob(pattern))
    }
    flags = [flag for flag in FLAGS if flag != "-Werror"]
    flags += ["-Idriver", "-Isystems/firmware/soc", f"-I{OWN}", "-Wl,--wrap=main", *firmware.flags]
    # The compiler has no library of 64-bit division and floating point for rv32im_zicsr, but one
    # for the same instruction set by its older name.
    flags += ["-march=rv32im", "-misa-spec=2.2"]
    return compile_files(firmware.compiler, flags, around | sources(folder), libraries=["-lgcc"])


@dataclass(frozen=True)
class Ended:
    """The end of a program: its status (0: good), and the clocks from reset to there."""

    status: int
    clocks: int


def run(sim: SocSim, lines: Sequence[str], most: int, tell: Callable[[bytes], None]) -> Ended:
    """Run the program of `sim` to its end; `tell` gets its output as it comes.

    `lines` are sent to it at the beginning. `LabError` if it has not ended after `most` clocks.
    """
    for line in lines:
        sim.send(f"{line}\n".encode())
    letters = _letters(sim, most)
    for byte in letters:
        if byte == _END:
            return Ended(next(letters), sim.clocks)
        tell(bytes([byte]))
    raise LabError(f"the program has not ended after {most:,} clocks: --clocks sets the limit")


def _letters(sim: SocSim, most: int) -> Iterator[int]:
    while sim.clocks < most:
        if sim.run(min(_SLICE, most - sim.clocks)):
            yield sim.receive()


def profile_lines(profile: CallProfile) -> list[str]:
    """Return lines that say where the clocks of the profiled calls went."""
    shown_calls = ", ".join(f"{clocks:,}" for clocks in profile.calls[:_CALLS])
    more = ", ..." if len(profile.calls) > _CALLS else ""
    spent = {"all": profile.total, **profile.functions}
    lines = [f"calls: {len(profile.calls):,}; clock cycles: {shown_calls or '-'}{more}"]
    lines += [f"{'clock cycles':>14}{'instructions':>14}  function, without those that it calls"]
    lines += [f"{one.clocks:>14,}{one.instructions:>14,}  {name}" for name, one in spent.items()]
    lines += [f"{'bus taken':>14}{'accesses':>14}  use of the bus"]
    lines += [f"{one.clocks:>14,}{one.accesses:>14,}  {use}" for use, one in profile.bus.items()]
    return lines


def image(compiled: Compiled) -> bytes:
    """Return the content of the RAM at reset, for a board, in whole words."""
    program = compiled.program
    ends = [address - program.origin + len(data) for address, data in program.elf.segments]
    memory = bytearray(-(-max(ends) // struct.calcsize("I")) * struct.calcsize("I"))
    program.load(memory)
    return bytes(memory)
