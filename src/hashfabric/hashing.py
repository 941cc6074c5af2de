"""The `hash` command: files through the RTL in simulation, in order, a bad one told and passed."""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

from hashfabric.errors import LabError
from hashfabric.functions import Function
from hashfabric.registry import Design, Variant
from hashfabric.simulate import StreamSim, stream_variant


class FileError(LabError):
    """One file cannot be hashed; the next may."""


CHUNK = 1 << 20
"""Bytes read from a file at a time."""

_BAR_FROM_BYTES = 8 << 20  # about a second of simulation
_STDIN = "-"


@dataclass(frozen=True)
class Request:
    """What to compute of each file: the first `bits` bits (all if None), to `output_bits`.

    By the design's stream variant called `variant`, else its first for the function.
    """

    design: Design
    function: Function
    bits: int | None = None
    output_bits: int | None = None
    json: bool = False
    variant: str | None = None

    def check(self) -> None:
        """Raise `LabError` for what no file could make right."""
        if self.function.name not in self.design.functions:
            raise LabError(f"{self.design.name} does not compute {self.function.name}")
        if self.output_bits is not None and not self.function.xof:
            raise LabError(
                f"--output-bits: {self.function.name} has a fixed output of "
                f"{self.function.digest_bits} bits"
            )
        self.stream()

    def stream(self) -> Variant | None:
        """Return the variant asked for, else the first that computes the function.

        None is the design's first stream, whatever it may be.
        """
        design, name = self.design, self.function.name
        if self.variant is not None:
            variant = stream_variant(design, self.variant)
            if name not in design.functions_of(variant):
                raise LabError(f"{design.name} {self.variant} does not compute {name}")
            return variant
        streams = [variant for variant in design.variants.values() if variant.kind == "stream"]
        return next((found for found in streams if name in design.functions_of(found)), None)


@dataclass(frozen=True)
class Hashed:
    """One file's digest (hex) and what it took; the fields are the JSON keys."""

    name: str
    design: str
    function: str
    digest: str
    bits: int
    output_bits: int
    clocks: int
    blocks: int
    clocks_per_block: float
    slots: int

    def as_json(self) -> dict[str, object]:
        """Return the object that `--json` prints."""
        return asdict(self)


class Hasher:
    """Hashes one file after the other on one simulation of the design's stream top."""

    def __init__(self, request: Request) -> None:
        """Check the request; the simulation is built when the first file needs it."""
        request.check()
        self._request = request
        self._sim: StreamSim | None = None

    def hash(self, name: str) -> Hashed:
        """Hash the file `name` (`-`: standard input); `FileError` names it when that cannot be."""
        request = self._request
        with _opened(name) as file:
            size = _size(file)
            wanted = None if request.bits is None else -(-request.bits // 8)
            if wanted is not None and size is not None and wanted > size:
                raise _too_short(name, size, request.bits)
            chunks = _Chunks(name, file, wanted if wanted is not None else size, request)
            if self._sim is None:
                self._sim = StreamSim(request.design, request.stream())
            sim, self._sim = self._sim, None  # Not used again if the file fails half-way.
            run = sim.hash(
                request.function,
                iter(chunks),
                bits=request.bits,
                output_bits=request.output_bits,
            )
            self._sim = sim
        if run.error:
            raise FileError(f"{name}: {request.design.name} raised its error flag")
        return Hashed(
            name=name,
            design=request.design.name,
            function=request.function.name,
            digest=run.digest.hex(),
            bits=8 * chunks.done if request.bits is None else request.bits,
            output_bits=request.output_bits or request.function.digest_bits,
            clocks=run.clocks,
            blocks=run.blocks,
            clocks_per_block=round(run.clocks / max(run.blocks, 1), 4),
            slots=sim.slots,
        )


class _Chunks:
    """The message's bytes, read as they are needed, with a bar when there are many."""

    def __init__(self, name: str, file: BinaryIO, total: int | None, request: Request) -> None:
        self._name, self._file, self._total, self._request = name, file, total, request
        self.done = 0

    def __iter__(self) -> Iterator[bytes]:
        limited = self._request.bits is not None
        with _bar(self._name, self._total) as bar:
            while True:
                want = CHUNK
                if limited and self._total is not None:
                    want = min(CHUNK, self._total - self.done)
                if want == 0:
                    return
                try:
                    chunk = self._file.read(want)
                except OSError as error:
                    raise FileError(f"{self._name}: {error.strerror}") from error
                if not chunk:
                    if limited:
                        raise _too_short(self._name, self.done, self._request.bits)
                    return
                self.done += len(chunk)
                bar.update(bar.task_ids[0], completed=self.done)
                yield chunk


def _bar(name: str, total: int | None) -> Progress:
    console = Console(file=sys.stderr)
    big = total is None or total >= _BAR_FROM_BYTES
    bar = Progress(
        "{task.description}",
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not (big and console.is_terminal),
    )
    bar.add_task(name.replace("[", r"\["), total=total)
    return bar


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == _STDIN:
        if sys.stdin is None:
            raise FileError(f"{name}: standard input is closed")
        yield sys.stdin.buffer
        return
    if not name:  # `Path` takes it for the directory that we are in.
        raise FileError(f"'': {os.strerror(errno.ENOENT)}")
    try:
        file = Path(name).open("rb")  # noqa: SIM115 - closed below, out of this try
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise FileError(f"{name}: {reason}") from error
    with file:
        yield file


def _size(file: BinaryIO) -> int | None:
    """Return the bytes left in a regular file, None for what has no size (a pipe)."""
    try:
        status = os.fstat(file.fileno())
        return status.st_size - file.tell() if stat.S_ISREG(status.st_mode) else None
    except (OSError, ValueError):
        return None


def _too_short(name: str, size: int, bits: int | None) -> FileError:
    return FileError(f"{name}: --bits {bits} is beyond the file's {8 * size} bits")
