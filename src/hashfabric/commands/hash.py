"""The `hash` command: messages through the simulated RTL; a bad one is reported and skipped.

All slots of a design work at once; results are reported in the order of the messages.
Memory does not grow with a message, a digest or the number of messages.
"""

import errno
import itertools
import json
import os
import re
import stat
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, BinaryIO

from pydantic import AfterValidator, Field, ValidationError, model_validator

from hashfabric.base.datafile import DataModel, first_fault
from hashfabric.base.errors import LabError
from hashfabric.base.progress import Bar, Bars
from hashfabric.models.family import Function
from hashfabric.models.functions import LONGEST_OUTPUT_BITS
from hashfabric.registry.designs import Design, Variant
from hashfabric.simulate.stream import Answer, Source, StreamSim, stream_variant
from hashfabric.simulate.system import SystemHasher, system_variant


class FileError(LabError):
    """One file cannot be hashed; others may."""


CHUNK = 1 << 18
"""Bytes read from a file at a time, ..."""

SYSTEM_CHUNK = 1 << 12
"""... and for a program on a processor, which is a thousand times slower."""

AHEAD_BYTES = 16 << 20
"""Most bytes of digests that wait for that of an earlier message."""

_TOLD_BYTES = 1 << 10  # of a message that waits to be reported, beside its digest
_HELD_TEXT = 1 << 20  # characters of JSON that are held until all messages are done
_STDIN = "-"
_BITS = re.compile("[0-9]{1,18}")


####################
# What to hash     #
####################


@dataclass(frozen=True)
class HashRequest:
    """What to compute from each message: its first `bits` bits (all if None), to `output_bits`.

    The numbers of a task take precedence. By the design's stream variant called `variant`, else
    its first for the function; by its systems if it has no streams.
    """

    design: Design
    function: Function
    bits: int | None = None
    output_bits: int | None = None
    json: bool = False
    variant: str | None = None

    def check(self) -> None:
        """Raise `LabError` for a fault that is in no file."""
        if self.function.name not in self.design.functions:
            raise LabError(f"{self.design.name} does not compute {self.function.name}")
        self.check_output("--output-bits", self.output_bits)
        if self.system() is None:
            self.stream()

    def check_output(self, what: str, output_bits: int | None) -> None:
        """Raise `LabError`, which begins with `what`, if there is no such output."""
        if output_bits is None:
            return
        if not self.function.xof:
            raise LabError(
                f"{what}: {self.function.name} has a fixed output of "
                f"{self.function.digest_bits} bits"
            )
        if output_bits > LONGEST_OUTPUT_BITS:
            raise LabError(f"{what}: {output_bits}: the longest is {LONGEST_OUTPUT_BITS} bits")

    def stream(self) -> Variant | None:
        """Return the variant asked for, else the first that computes the function.

        None is the design's first stream of any kind.
        """
        design, name = self.design, self.function.name
        if self.variant is not None:
            variant = stream_variant(design, self.variant)
            if name not in design.functions_of(variant):
                raise LabError(f"{design.name} {self.variant} does not compute {name}")
            return variant
        streams = [variant for variant in design.variants.values() if variant.kind == "stream"]
        return next((found for found in streams if name in design.functions_of(found)), None)

    def system(self) -> Variant | None:
        """Return the system asked for, else the first that computes the function.

        None where the design has a stream, or no system.
        """
        return system_variant(self.design, self.variant, self.function)


@dataclass(frozen=True)
class Task:
    """One message: the first `bits` bits of `file` (`-`: standard input), else of `data`.

    `name` is its name in reports.
    """

    name: str
    file: str | None
    data: bytes = b""
    bits: int | None = None
    output_bits: int | None = None


def task_of(argument: str) -> Task:
    """Return the task of a FILE or FILE:BITS; a file with the whole name takes precedence."""
    path, _, bits = argument.rpartition(":")
    if path and _BITS.fullmatch(bits) and not os.path.lexists(argument):
        return Task(argument, path, bits=int(bits))
    return Task(argument, argument)


def _hex_bytes(text: str) -> str:
    bytes.fromhex(text)
    return text


class _Line(DataModel):
    """A line of a manifest."""

    file: str | None = None
    hex: Annotated[str, AfterValidator(_hex_bytes)] | None = None
    bits: Annotated[int, Field(ge=0)] | None = None
    output_bits: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _one_message(self) -> "_Line":
        if (self.file is None) == (self.hex is None):
            raise ValueError("'file' or 'hex' is required, not both")
        if self.hex is not None and (self.bits or 0) > 8 * len(bytes.fromhex(self.hex)):
            raise ValueError("'bits' is beyond those of 'hex'")
        return self

    def task(self, manifest: str, number: int) -> Task:
        """Return the task of this line, the one with `number`."""
        if self.hex is not None:
            data = bytes.fromhex(self.hex)
            return Task(f"{manifest}:{number}", None, data, self.bits, self.output_bits)
        path = self.file or ""
        if _STDIN not in (path, manifest):
            path = str(Path(manifest).parent / path)
        name = path if self.bits is None else f"{path}:{self.bits}"
        return Task(name, path, b"", self.bits, self.output_bits)


####################
# Reports          #
####################


@dataclass(frozen=True)
class Digest:
    """The next part (hex) of the digest of the message in turn."""

    name: str
    hex: str


@dataclass(frozen=True)
class Hashed:
    """The clocks of the message in turn; the fields are JSON keys.

    `clocks` are those of its `slot`: from the clock in which its first beat was offered, or the one
    after the previous digest of that slot, whichever is later, to the one in which its digest's
    last beat was taken. These are `first_clock` and `last_clock`, in one count for all messages;
    other slots worked for other messages meanwhile.
    """

    name: str
    bits: int
    output_bits: int
    clocks: int
    blocks: int
    clocks_per_block: float
    slots: int
    slot: int
    first_clock: int
    last_clock: int


@dataclass(frozen=True)
class Failed:
    """The message in turn could not be hashed; the fields are the JSON keys."""

    name: str
    error: str


Event = Digest | Hashed | Failed


####################
# Hashing          #
####################


class _Job(Source):
    """A task under way, and the part of its result that waits to be reported."""

    def __init__(self, request: HashRequest, task: Task, bars: Bars) -> None:
        """Read nothing yet."""
        bits = request.bits if task.bits is None else task.bits
        output_bits = request.output_bits if task.output_bits is None else task.output_bits
        super().__init__(request.function, iter(()), bits, output_bits)
        self.task = task
        self._chunk = CHUNK if request.system() is None else SYSTEM_CHUNK
        self.bar = Bar(bars, escaped(task.name))
        self.untold: list[bytes] = []
        self.result: Hashed | Failed | None = None

    @property
    def output_bytes(self) -> int:
        return -(-self.wanted_bits // 8)

    @property
    def room(self) -> int:
        """The bytes that it takes until it is reported."""
        return _TOLD_BYTES + self.output_bytes

    def read(self, file: BinaryIO | None) -> None:
        """Take the message from `file`, or from the task; `FileError` if that is too short."""
        wanted = None if self.bits is None else -(-self.bits // 8)
        if file is None:
            self.chunks = iter([self.task.data[:wanted]])
            return
        size = _size(file)
        if wanted is not None and size is not None and wanted > size:
            file.close()
            raise self._too_short(size)
        self.chunks = self._chunks(file, wanted, size)

    def _chunks(self, file: BinaryIO, wanted: int | None, size: int | None) -> Iterator[bytes]:
        total = size if wanted is None else wanted
        try:
            while wanted is None or self.fed < wanted:
                chunk = file.read(
                    self._chunk if wanted is None else min(self._chunk, wanted - self.fed)
                )
                if not chunk and wanted is not None:
                    raise self._too_short(self.fed)
                if not chunk:
                    return
                self.bar.update(self.fed, total)
                yield chunk
        except OSError as error:
            raise FileError(error.strerror) from error
        finally:
            if file is not sys.stdin.buffer:
                file.close()

    def _too_short(self, size: int) -> FileError:
        return FileError(f"{self.bits} bits are required, {8 * size} are there")

    def finish(self, answer: Answer, start: int, slots: int, design: str) -> None:
        """Note its result; its slot has worked on it since the clock `start`."""
        self.bar.close()
        if self.failure is not None:
            self.result = Failed(self.task.name, str(self.failure))
        elif answer.error:
            self.result = Failed(self.task.name, f"{design} raised its error flag")
        else:
            clocks = answer.end - start + 1
            blocks = self.function.blocks(self.message_bits, self.output_bits)
            self.result = Hashed(
                name=self.task.name,
                bits=self.message_bits,
                output_bits=self.wanted_bits,
                clocks=clocks,
                blocks=blocks,
                clocks_per_block=_clocks_per_block(clocks, blocks),
                slots=slots,
                slot=answer.slot,
                first_clock=start,
                last_clock=answer.end,
            )


class Hasher:
    """Hashes messages on one simulation of the design, one in each slot at a time."""

    def __init__(self, request: HashRequest) -> None:
        """Check the request; the simulation is built when the first message needs it."""
        request.check()
        self._request = request
        self._stdin_read = False
        self._turn: deque[_Job] = deque()  # messages not reported yet, in their order
        self._room = 0  # bytes that those take
        self._running = 0  # those of them that have no result
        self.bars = Bars()

    def manifest(self, name: str) -> list[Task]:
        """Return the tasks in the manifest `name` (`-`: standard input).

        Its lines are JSON objects: `file` (relative to the manifest) or `hex`, and optionally
        `bits` and `output_bits`. `LabError` names a bad line.
        """
        try:
            with self._opened(name) as file:
                text = file.read()
        except FileError as error:
            raise LabError(f"{name}: {error}") from error
        except OSError as error:
            raise LabError(f"{name}: {error.strerror}") from error
        tasks = []
        for number, line in enumerate(text.split(b"\n"), 1):
            if not line.strip():
                continue
            what = f"{name}:{number}"
            try:
                task = _Line.model_validate_json(line).task(name, number)
            except ValidationError as error:
                raise LabError(f"{what}: {first_fault(error)}") from error
            self._request.check_output(f"{what}: output_bits", task.output_bits)
            tasks.append(task)
        if not tasks:
            raise LabError(f"{name}: no message in it")
        return tasks

    def run(self, tasks: Iterable[Task]) -> Iterator[Event]:
        """Hash the messages; yield the parts of each digest and then its clocks, in order."""
        jobs = self._jobs(tasks)
        first = next(jobs, None)
        if first is not None:
            request, system = self._request, self._request.system()
            sim: StreamSim | SystemHasher
            if system is None:
                sim = StreamSim(request.design, request.stream())
            else:
                sim = SystemHasher(request.design, system)
            free_from = [0] * sim.slots  # clocks
            for piece in sim.hash_all(itertools.chain([first], jobs)):
                job = piece.source
                if piece.digest:
                    job.untold.append(piece.digest)
                if (answer := piece.answer) is not None:
                    start = max(answer.start, free_from[answer.slot])
                    job.finish(answer, start, sim.slots, request.design.name)
                    free_from[answer.slot] = answer.end + 1
                    self._running -= 1
                elif piece.digest:
                    job.bar.update(job.given, job.output_bytes)
                yield from self._reports()
        yield from self._reports()

    def _jobs(self, tasks: Iterable[Task]) -> Iterator[_Job | None]:
        """Yield what can be hashed; None while earlier messages must be reported first."""
        for task in tasks:
            job = _Job(self._request, task, self.bars)
            # The digest of the first in turn is reported as it comes, and takes no room.
            while self._running and self._room - self._turn[0].room + job.room > AHEAD_BYTES:
                yield None
            self._turn.append(job)
            self._room += job.room
            try:
                job.read(None if task.file is None else self._opened(task.file))
            except FileError as error:
                job.result = Failed(task.name, str(error))
                continue
            self._running += 1
            yield job

    def _reports(self) -> Iterator[Event]:
        """Yield the results of the messages in turn."""
        while self._turn:
            job = self._turn[0]
            untold, job.untold = b"".join(job.untold), []
            if isinstance(job.result, Failed):
                if job.given > len(untold):
                    raise LabError(f"{job.task.name}: {job.result.error}")
            elif untold:
                yield Digest(job.task.name, untold.hex())
            if job.result is None:
                return
            yield job.result
            self._turn.popleft()
            self._room -= job.room

    def _opened(self, name: str) -> BinaryIO:
        if name == _STDIN:
            if self._stdin_read:
                raise FileError("standard input has been read already")
            if sys.stdin is None:
                raise FileError("standard input is closed")
            self._stdin_read = True
            return sys.stdin.buffer
        if not name:  # `Path` takes it for the current directory.
            raise FileError(os.strerror(errno.ENOENT))
        try:
            return Path(name).open("rb")
        except OSError as error:
            raise FileError(error.strerror) from error
        except ValueError as error:
            raise FileError(str(error)) from error


def _size(file: BinaryIO) -> int | None:
    """Return the bytes left in a regular file, None for one without a size (a pipe)."""
    try:
        status = os.fstat(file.fileno())
        return status.st_size - file.tell() if stat.S_ISREG(status.st_mode) else None
    except (OSError, ValueError):
        return None


####################
# Printing         #
####################

_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", "\r": r"\r"})


def escaped(name: str) -> str:
    """Return a file's name as one line shows it, as GNU coreutils do."""
    return name.translate(_ESCAPES)


class Lines:
    """Prints `digest  name` as sha3sum does, and the clocks on standard error.

    A line whose name is escaped begins with a backslash.
    """

    def __init__(self, bars: Bars) -> None:
        """Hide `bars` while something is printed on their terminal."""
        self._bars = bars
        self.begun = False  # a line has no end yet
        self._messages = self._blocks = 0
        self._first, self._last = sys.maxsize, 0
        self._slots = 1

    def report(self, event: Event) -> None:
        """Print the part of an event; nothing for a failed message."""
        name = escaped(event.name)
        if isinstance(event, Digest):
            if sys.stdout.isatty():
                self._bars.hide()
            mark = "\\" if name != event.name and not self.begun else ""
            print(mark + event.hex, end="", flush=True)
            self.begun = True
        elif isinstance(event, Hashed):
            self._bars.hide()
            print(f"  {name}", flush=True)
            self.begun = False
            where = f" in one of {event.slots} slots" if event.slots > 1 else ""
            _say_clocks(name, event.clocks, event.blocks, where)
            self._bars.show()
            self._count(event)

    def end(self) -> None:
        """Print the clocks of all messages together, if there are several."""
        if self._messages > 1:
            where = f" in {self._slots} slots" if self._slots > 1 else ""
            clocks = self._last - self._first + 1
            _say_clocks(f"all {self._messages:,} together", clocks, self._blocks, where)

    def _count(self, event: Hashed) -> None:
        self._messages += 1
        self._blocks += event.blocks
        self._first = min(self._first, event.first_clock)
        self._last = max(self._last, event.last_clock)
        self._slots = event.slots


def _say_clocks(what: str, clocks: int, blocks: int, where: str) -> None:
    each = f"{_clocks_per_block(clocks, blocks):g} clocks a block{where}"
    print(f"{what}: {clocks:,} clocks, {blocks:,} blocks, {each}", file=sys.stderr)


def _clocks_per_block(clocks: int, blocks: int) -> float:
    return round(clocks / max(blocks, 1), 4)


class Json:
    """Prints one JSON value: an array with the result of each message, or that of the only one.

    Nothing is printed before all messages are done, unless the text is long.
    """

    def __init__(self, request: HashRequest, *, several: bool) -> None:
        """Print an array if there are `several`."""
        self._head = {"design": request.design.name, "function": request.function.name}
        self._several = several
        self._separator = "[\n  " if several else ""
        self.begun = False  # a digest has no end yet
        self._held: list[str] = []
        self._held_size = 0

    def report(self, event: Event) -> None:
        """Add an event to the value."""
        if isinstance(event, Digest):
            if not self.begun:
                entry: dict[str, object] = {"name": event.name, **self._head, "digest": ""}
                self._add(entry, self._separator, after='"\n}')
                self.begun = True
            self._print(event.hex)
            return
        if isinstance(event, Hashed):
            entry = asdict(event)
            del entry["name"]
            self._add(entry, '",', before="{")
            self.begun = False
        else:
            self._add(asdict(event), self._separator)
        self._separator = ",\n  "

    def end(self) -> None:
        """Print the held text, and the end of the value."""
        self._held.append("\n]\n" if self._several else "\n")
        self._flush()

    def _add(
        self, entry: dict[str, object], lead: str, *, before: str = "", after: str = ""
    ) -> None:
        """Add `lead` and the text of an entry without what stands `before` and `after` it."""
        text = json.dumps(entry, indent=2).removeprefix(before).removesuffix(after)
        self._print(lead + (text.replace("\n", "\n  ") if self._several else text))

    def _print(self, text: str) -> None:
        self._held.append(text)
        self._held_size += len(text)
        if self._held_size > _HELD_TEXT:
            self._flush()

    def _flush(self) -> None:
        print("".join(self._held), end="", flush=True)
        self._held.clear()
