"""Firmware: compiled for the processor that runs it, and the memory that it expects there.

A linker script gives the names `_memory_bytes`, `_stack_low` and `_stack_high`, and puts data
shared with the host into the section `.shared` (systems/firmware/riscv/memory.ld).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hashfabric.base.cache import Cache, write_files
from hashfabric.base.datafile import shown
from hashfabric.base.elf import Elf, read_elf
from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD
from hashfabric.base.progress import step
from hashfabric.base.tools import Tool, ToolError, ToolTimeout
from hashfabric.registry.designs import Firmware, read_firmware

COMPILERS = {
    name: Tool(
        name, name, ("--version",), r"(\d+\.\d+\.\d+)\n", remedy=f"install Debian's {package}"
    )
    for name, package in {
        "riscv64-unknown-elf-gcc": "gcc-riscv64-unknown-elf",
        "sparc64-linux-gnu-gcc": "gcc-multilib-sparc64-linux-gnu",
    }.items()
}
"""The compilers that a registry entry may name."""

_ELF, _LOG = "program.elf", "compiler.log"
_COMPILE_S = 60.0
# No system and no library: functions that the compiler would call for a loop do not exist.
FLAGS = ["-std=gnu11", "-ffreestanding", "-nostdlib", "-static", "-I."]
FLAGS += ["-fno-tree-loop-distribute-patterns", "-Wall", "-Wextra", "-Werror"]
# Unused functions are not in the program, nor in its bytes.
FLAGS += ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
"""Flags for every program."""

_SHARED = ".shared"
_LINKER = re.compile(r"undefined reference to .*|(?<=ld: )(?!warning: |.*: in function ).*")


@dataclass(frozen=True)
class Program:
    """A linked program, whose memory is `words` of 32 bits as its processor reads them."""

    elf: Elf

    def address(self, name: str, size: int = 0) -> int:
        """Return the offset of `name` in the memory.

        `LabError` if there is none of at least `size` bytes.
        """
        symbol = self.elf.symbols.get(name)
        if symbol is None:
            raise LabError(f"firmware: no symbol '{name}' in it")
        if size > symbol.size:
            raise LabError(f"firmware: '{name}' has {symbol.size} bytes, and {size} are required")
        return symbol.address - self.origin

    @property
    def origin(self) -> int:
        """The address of the memory's beginning (`_memory_origin`, else 0)."""
        symbol = self.elf.symbols.get("_memory_origin")
        return 0 if symbol is None else symbol.address

    @property
    def memory_bytes(self) -> int:
        """The memory that the linker script expects."""
        return self.address("_memory_bytes") + self.origin  # a number, not a place

    @property
    def code_bytes(self) -> int:
        """The bytes of code and constants."""
        return sum(section.size for section in self.elf.sections if not section.writable)

    @property
    def data_bytes(self) -> int:
        """The bytes of variables, without those shared with the host."""
        sections = [section for section in self.elf.sections if section.writable]
        return sum(section.size for section in sections if section.name != _SHARED)

    def load(self, memory: bytearray) -> None:
        """Put the program into `memory`."""
        for address, data in self.elf.segments:
            start = address - self.origin
            memory[start : start + len(data)] = data


def _compile(compiler: Tool, args: Sequence[str], directory: Path) -> None:
    log = directory / _LOG
    try:
        compiler.run(args, cwd=directory, log=log.name, timeout_s=_COMPILE_S)
    except ToolTimeout:
        raise
    except ToolError as error:
        # A complaint of the linker has no 'error' in it, but the next line has.
        text = log.read_text(encoding="utf-8", errors="replace")
        if (found := _LINKER.search(text)) is None:
            raise
        raise ToolError(f"{compiler.name}: failed: {found[0]}: see {shown(log)}") from error


@dataclass(frozen=True)
class Compiled:
    """A program, the file it is in (ELF), and the compiler's messages."""

    program: Program
    file: Path
    warnings: str


def compile_firmware(firmware: Firmware) -> Program:
    """Compile and link; `LabError` if the compiler is missing or refuses it."""
    flags = [*FLAGS, *firmware.flags]
    return compile_files(firmware.compiler, flags, read_firmware(firmware)).program


def compile_files(
    compiler_name: str,
    flags: Sequence[str],
    files: Mapping[str, str],
    libraries: Sequence[str] = (),
) -> Compiled:
    """Compile and link `files`, text by path, one of which is the linker script (.ld)."""
    compiler = COMPILERS[compiler_name]
    script = next(path for path in files if path.endswith(".ld"))
    units = [path for path in files if path.endswith((".c", ".S"))]
    args = [
        *flags,
        "-Wl,--no-warn-rwx-segments",
        "-T",
        script,
        "-o",
        _ELF,
        *units,
        *libraries,
    ]
    inputs = {
        "job": "firmware",
        "compiler": {compiler.name: compiler.version()},
        "args": args,
        "files": dict(files),
    }

    def work(directory: Path) -> dict[str, Any]:
        write_files(directory, files)
        with step(f"firmware: {compiler.name}"):
            _compile(compiler, args, directory)
        return {}

    job = Cache(BUILD / "cache").run(inputs, work)
    warnings = (job.directory / _LOG).read_text(encoding="utf-8", errors="replace")
    return Compiled(Program(read_elf(job.directory / _ELF)), job.directory / _ELF, warnings)
