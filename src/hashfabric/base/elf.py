"""ELF files of 32-bit processors, in either byte order: contents of memory, sections, symbols.

Only what a linked program has: no relocations.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

from hashfabric.base.datafile import shown
from hashfabric.base.errors import LabError

_WRITE, _ALLOC = 1, 2  # flags of a section
_SYMTAB = 2  # type of a section
_FUNCTION = 2  # type of a symbol
_LOAD = 1  # type of a segment


@dataclass(frozen=True)
class Section:
    """A section that takes memory; `writable` ones hold variables."""

    name: str
    size: int
    writable: bool


@dataclass(frozen=True)
class Symbol:
    """What a name stands for; `size` is in bytes, 0 of what only marks a place."""

    address: int
    size: int


@dataclass(frozen=True)
class Elf:
    """A linked program: bytes by their address, and what its names stand for.

    Of several symbols with one name `symbols` has the last; `functions` has all.
    """

    big_endian: bool
    segments: list[tuple[int, bytes]]
    sections: list[Section]
    symbols: dict[str, Symbol]
    functions: list[tuple[str, Symbol]]


def read_elf(path: Path) -> Elf:
    """Read the file at `path`; `LabError` if it is no such program."""
    try:
        return _parse(path.read_bytes())
    except (OSError, struct.error, IndexError, ValueError) as error:
        raise LabError(f"{shown(path)}: not a 32-bit ELF program: {error}") from error


def _parse(data: bytes) -> Elf:
    if data[:5] != b"\x7fELF\x01":
        raise ValueError("its first bytes are others")
    order = ">" if data[5] == 2 else "<"  # noqa: PLR2004 - ELFDATA2MSB

    def table(offset: int, size: int, count: int, fields: str) -> list[tuple[int, ...]]:
        return [struct.unpack_from(order + fields, data, offset + size * i) for i in range(count)]

    def text(strings: tuple[int, ...], offset: int) -> str:
        start = strings[4] + offset
        return data[start : data.index(b"\0", start)].decode("ascii")

    phoff, shoff = struct.unpack_from(order + "II", data, 28)
    phsize, phnum, shsize, shnum, names = struct.unpack_from(order + "5H", data, 42)
    headers = table(shoff, shsize, shnum, "10I")
    sections, symbols, functions = [], {}, []
    for name, kind, flags, _address, offset, size, link, *_rest in headers:
        if flags & _ALLOC:
            sections.append(Section(text(headers[names], name), size, bool(flags & _WRITE)))
        if kind == _SYMTAB:
            for symbol, value, extent, info, *_ in table(offset, 16, size // 16, "IIIBBH"):
                label = text(headers[link], symbol)
                symbols[label] = Symbol(value, extent)
                if info & 15 == _FUNCTION:
                    functions.append((label, symbols[label]))
    segments = [
        (address, data[offset : offset + size])
        for kind, offset, address, _, size, *_ in table(phoff, phsize, phnum, "8I")
        if kind == _LOAD
    ]
    return Elf(order == ">", segments, sections, symbols, functions)
