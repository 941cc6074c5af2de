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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Annotated, BinaryIO, Self

from pydantic import AfterValidator, Field, ValidationError, model_validator

from hashfabric.base.datafile import DataModel, first_fault
from hashfabric.base.errors import LabError
from hashfabric.base.progress import Bar, Bars
from hashfabric.commands import framing as framed
from hashfabric.models.family import Function
from hashfabric.models.functions import LENGTH_AT, LONGEST_OUTPUT_BITS, MORE_AT
from hashfabric.models.rfc9861 import (
    CHUNK_BYTES,
    COUNT_END,
    FINAL_NODE,
    FIRST_END,
    KANGAROOS,
    LEAF,
    SINGLE_NODE,
    KangarooTree,
    domain_bits,
    length_encode,
)
from hashfabric.models.sp800_185 import Framing, left_encode
from hashfabric.registry.designs import Design, Variant
from hashfabric.simulate.stream import Answer, Piece, Source, StreamSim, stream_variant
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
    its first for the function; by its systems if it has no streams. With `framing` the message is
    framed by SP 800-185, or is a tree of KangarooTwelve, and `function` hashes that.
    """

    design: Design
    function: Function
    bits: int | None = None
    output_bits: int | None = None
    json: bool = False
    variant: str | None = None
    framing: Framing | KangarooTree | None = None

    @property
    def name(self) -> str:
        """The function's name, or the framed one's."""
        return self.function.name if self.framing is None else self.framing.function.name

    @property
    def trees(self) -> bool:
        """ParallelHash, KangarooTwelve: parts of a message are messages themselves.

        Not where the design itself hashes a message of KangarooTwelve as a tree.
        """
        if isinstance(self.framing, KangarooTree):
            return self.design.tree not in KANGAROOS
        return self.framing is not None and self.framing.function.kind == "parallelhash"

    @property
    def tuples(self) -> bool:
        """TupleHash: a message may be several strings."""
        return self.framing is not None and self.framing.function.kind == "tuplehash"

    def check(self) -> None:
        """Raise `LabError` for a fault that is in no file."""
        needed = [self.function]
        if isinstance(self.framing, Framing) and self.trees:
            needed.append(self.framing.function.shake)
        for function in needed:
            if function.name not in self.design.all_functions:
                raise LabError(f"{self.design.name} does not compute {function.name}")
        self.check_output("--output-bits", self.output_bits)
        if self.system() is None:
            self.stream()

    def check_output(self, what: str, output_bits: int | None) -> None:
        """Raise `LabError`, which begins with `what`, if there is no such output."""
        if output_bits is None:
            return
        if self.framing is None and not self.function.xof:
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
    texts: "tuple[Task, ...] | None" = None
    """The strings of a tuple; if None, the message is one."""


def tuple_of(tasks: Sequence[Task]) -> Task:
    """Return the task of one tuple of these strings."""
    return Task(" ".join(task.name for task in tasks), None, texts=tuple(tasks))


def task_of(argument: str) -> Task:
    """Return the task of a FILE or FILE:BITS; a file with the whole name takes precedence."""
    path, _, bits = argument.rpartition(":")
    if path and _BITS.fullmatch(bits) and not os.path.lexists(argument):
        return Task(argument, path, bits=int(bits))
    return Task(argument, argument)


def _hex_bytes(text: str) -> str:
    bytes.fromhex(text)
    return text


class _Text(DataModel):
    """A string of bits: in a file, or at hand."""

    file: str | None = None
    hex: Annotated[str, AfterValidator(_hex_bytes)] | None = None
    bits: Annotated[int, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _bits_are_there(self) -> Self:
        if self.hex is not None and (self.bits or 0) > 8 * len(bytes.fromhex(self.hex)):
            raise ValueError("'bits' is beyond those of 'hex'")
        return self

    def text(self, manifest: str, number: int) -> Task:
        """Return the task of this string, on the line with `number`."""
        if self.hex is not None:
            return Task(f"{manifest}:{number}", None, bytes.fromhex(self.hex), self.bits)
        path = self.file or ""
        if _STDIN not in (path, manifest):
            path = str(Path(manifest).parent / path)
        name = path if self.bits is None else f"{path}:{self.bits}"
        return Task(name, path, b"", self.bits)


class _Element(_Text):
    """A string of a tuple."""

    @model_validator(mode="after")
    def _one_text(self) -> Self:
        if (self.file is None) == (self.hex is None):
            raise ValueError("'file' or 'hex' is required, not both")
        return self


class _Line(_Text):
    """A line of a manifest."""

    output_bits: Annotated[int, Field(ge=1)] | None = None
    tuple: list[_Element] | None = None

    @model_validator(mode="after")
    def _one_message(self) -> Self:
        if self.tuple is not None:
            if (self.file, self.hex, self.bits) != (None, None, None):
                raise ValueError("'tuple' is without 'file', 'hex' and 'bits'")
        elif (self.file is None) == (self.hex is None):
            raise ValueError("'file' or 'hex' is required, not both")
        return self

    def task(self, manifest: str, number: int) -> Task:
        """Return the task of this line, the one with `number`."""
        if self.tuple is None:
            return replace(self.text(manifest, number), output_bits=self.output_bits)
        texts = [element.text(manifest, number) for element in self.tuple]
        return replace(tuple_of(texts), name=f"{manifest}:{number}", output_bits=self.output_bits)


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


_Open = Callable[[str], BinaryIO]


class _Reader:
    """One string of a task, in chunks; `fed` counts its bytes."""

    def __init__(self, task: Task, bits: int | None, chunk: int, bar: Bar) -> None:
        """Read nothing yet."""
        self.bits = bits if task.bits is None else task.bits
        self.fed = 0
        self._task = task
        self._chunk = chunk
        self._bar = bar

    @property
    def text_bits(self) -> int:
        """The length in bits, once all of it has come."""
        return 8 * self.fed if self.bits is None else self.bits

    def chunks(self, opened: _Open) -> Iterator[bytes]:
        """Open the file at once and return its chunks; `FileError` if it is too short."""
        wanted = None if self.bits is None else -(-self.bits // 8)
        if self._task.file is None:
            data = self._task.data[:wanted]
            self.fed = len(data)
            if wanted is not None and wanted > len(data):
                raise self._too_short(len(data))
            return iter([data])
        file = opened(self._task.file)
        size = _size(file)
        if wanted is not None and size is not None and wanted > size:
            file.close()
            raise self._too_short(size)
        return self._chunks(file, wanted, size)

    def measured(self, opened: _Open) -> tuple[int, Iterator[bytes]]:
        """Return the length in bits, and the chunks; what has no length yet is read to a file."""
        chunks = self.chunks(opened)
        if self.bits is not None:
            return self.bits, chunks
        kept = SpooledTemporaryFile(max_size=CHUNK)  # noqa: SIM115 - closed when it is read
        for chunk in chunks:
            kept.write(chunk)
        return 8 * self.fed, _spooled(kept)

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
                self._bar.update(self.fed, total)
                self.fed += len(chunk)
                yield chunk
        except OSError as error:
            raise FileError(error.strerror) from error
        finally:
            if sys.stdin is None or file is not sys.stdin.buffer:
                file.close()

    def _too_short(self, size: int) -> FileError:
        return FileError(f"{self.bits} bits are required, {8 * size} are there")


def _spooled(kept: IO[bytes]) -> Iterator[bytes]:
    """Yield all of a temporary file, and close it."""
    with kept:
        kept.seek(0)
        while chunk := kept.read(CHUNK):
            yield chunk


class _Job(Source):
    """A task under way, and the part of its result that waits to be reported."""

    def __init__(self, request: HashRequest, task: Task, bars: Bars) -> None:
        """Read nothing yet."""
        bits = request.bits if task.bits is None else task.bits
        output_bits = request.output_bits if task.output_bits is None else task.output_bits
        super().__init__(request.function, iter(()), bits, output_bits)
        self.task = task
        self._request = request
        self.bar = Bar(bars, escaped(task.name))
        chunk = CHUNK if request.system() is None else SYSTEM_CHUNK
        texts = (task,) if task.texts is None else task.texts
        self.readers = [_Reader(text, request.bits, chunk, self.bar) for text in texts]
        self.begun: int | None = None
        """The clock in which its first inner message was offered, if it has any, ..."""
        self.inner_blocks = 0
        """... and the blocks of all of those."""
        self.untold: list[bytes] = []
        self.result: Hashed | Failed | None = None

    @property
    def output_bytes(self) -> int:
        return -(-self.wanted_bits // 8)

    @property
    def room(self) -> int:
        """The bytes that it takes until it is reported."""
        return _TOLD_BYTES + self.output_bytes

    @property
    def text_bits(self) -> int:
        """The bits of the message as it was given."""
        return sum(reader.text_bits for reader in self.readers)

    def read(self, opened: _Open) -> None:
        """Take the message from its file, or from the task; `FileError` if that is too short."""
        (reader,) = self.readers
        self.chunks = reader.chunks(opened)

    def finish(self, answer: Answer, start: int, slots: int, design: str) -> None:
        """Note its result; its slot has worked on it since the clock `start`."""
        self.bar.close()
        if self.failure is not None:
            self.result = Failed(self.task.name, str(self.failure))
        elif answer.error:
            self.result = Failed(self.task.name, f"{design} raised its error flag")
        else:
            start = start if self.begun is None else self.begun
            clocks = answer.end - start + 1
            blocks = self.function.blocks(self.message_bits, self.wanted_bits)
            blocks += self.inner_blocks
            self.result = Hashed(
                name=self.task.name,
                bits=self.text_bits,
                output_bits=self.wanted_bits,
                clocks=clocks,
                blocks=blocks,
                clocks_per_block=_clocks_per_block(clocks, blocks),
                slots=slots,
                slot=answer.slot,
                first_clock=start,
                last_clock=answer.end,
            )


class _WrappedJob(_Job):
    """A task whose message is wrapped in another, which has no length yet."""

    def __init__(self, request: HashRequest, digest_bits: int, task: Task, bars: Bars) -> None:
        """Read nothing yet; `digest_bits` are those of the output where no number is given."""
        super().__init__(request, task, bars)
        if self.output_bits is None:
            self.output_bits = digest_bits
        # What is around the strings has whole bytes. ParallelHash's last block takes the bits.
        bits = sum(reader.bits or 0 for reader in self.readers) % 8
        self.bits = None if request.trees else bits or None

    @property
    def message_bits(self) -> int:
        """The bits of the framed message, once all of it has come."""
        return 8 * self.fed - -(self.bits or 0) % 8

    def next(self) -> bytes | None:
        """Return the next bytes: the number of them is the framing's."""
        chunk = next(self.chunks, None)
        self.fed += len(chunk or b"")
        return chunk


class _FramedJob(_WrappedJob):
    """A task whose message is framed as it comes (SP 800-185)."""

    def __init__(self, request: HashRequest, framing: Framing, task: Task, bars: Bars) -> None:
        """Read nothing yet."""
        super().__init__(request, framing.function.digest_bits, task, bars)
        self._framing = framing

    def read(self, opened: _Open) -> None:
        """Take the message; the strings of a tuple, when it is their turn."""
        framing, after = self._framing, self._framing.after(self.wanted_bits)
        if framing.function.kind == "tuplehash":
            body = self._tuple(opened)
        else:
            (reader,) = self.readers
            body = framed.counted(reader.chunks(opened), reader.bits)
        parts = ([framed.whole(framing.before())], body, [framed.whole(after)])
        self.chunks = framed.joined(itertools.chain(*parts))

    def _tuple(self, opened: _Open) -> framed.Text:
        for reader in self.readers:
            bits, chunks = reader.measured(opened)
            yield framed.whole(left_encode(bits))
            yield from framed.counted(chunks, bits)


class _TreeJob(_WrappedJob):
    """A task with inner messages: their digests are collected, then they are hashed."""

    def start(self, blocks: framed.Text) -> None:
        """Take the parts of the message, which are read when it is their turn."""
        self._blocks = blocks
        self._kept = SpooledTemporaryFile(max_size=CHUNK)  # noqa: SIM115 - `_spooled` closes it
        self._count = 0

    def inner(self, block: bytes, bits: int) -> Source | None:
        """Return the inner message of a part, None of one that has none; `_count` includes it."""
        raise NotImplementedError

    def outer(self, digests: Iterator[bytes]) -> Iterator[bytes]:
        """Return the outer message."""
        raise NotImplementedError

    def blocks(self) -> Iterator[Source]:
        """Yield the inner messages; a failure of the file ends them."""
        try:
            for block, bits in self._blocks:
                self._count += 1
                if (source := self.inner(block, bits)) is None:
                    continue
                self.inner_blocks += source.function.blocks(bits, source.output_bits)
                yield source
        except LabError as error:
            self.failure = error

    def collect(self, sim: "StreamSim | SystemHasher") -> None:
        """Hash the blocks in all slots; keep their digests in order for the outer message."""
        order: deque[Source] = deque()
        digests: dict[Source, bytes] = {}
        done: set[Source] = set()

        def noted() -> Iterator[Source]:
            for source in self.blocks():
                order.append(source)
                digests[source] = b""
                yield source

        for piece in sim.hash_all(noted()):
            digests[piece.source] += piece.digest
            if piece.answer is None:
                continue
            done.add(piece.source)
            begun = piece.answer.start if self.begun is None else self.begun
            self.begun = min(begun, piece.answer.start)
            if piece.answer.error and self.failure is None:
                self.failure = LabError(f"{self._request.design.name} raised its error flag")
            while order and order[0] in done:
                first = order.popleft()
                done.remove(first)
                self._kept.write(digests.pop(first))
        if self.failure is None:
            self.chunks = self.outer(_spooled(self._kept))
        else:
            self._kept.close()


class _ParallelJob(_TreeJob):
    """A task of ParallelHash."""

    def __init__(self, request: HashRequest, framing: Framing, task: Task, bars: Bars) -> None:
        """Read nothing yet."""
        super().__init__(request, framing.function.digest_bits, task, bars)
        self._framing = framing

    def read(self, opened: _Open) -> None:
        """Open the file."""
        (reader,) = self.readers
        size = self._framing.block_bytes
        self.start(framed.blocks(reader.chunks(opened), reader.bits, size))

    def inner(self, block: bytes, bits: int) -> Source:
        """Return a block."""
        function = self._framing.function
        return Source(function.shake, iter([block]), bits, function.digest_bits)

    def outer(self, digests: Iterator[bytes]) -> Iterator[bytes]:
        """Return the digests in their framing."""
        after = self._framing.after(self.wanted_bits, self._count)
        return itertools.chain([self._framing.before()], digests, [after])


class _KangarooJob(_TreeJob):
    """A task of KangarooTwelve (RFC 9861, section 3.2)."""

    def __init__(self, request: HashRequest, tree: KangarooTree, task: Task, bars: Bars) -> None:
        """Read nothing yet."""
        super().__init__(request, tree.function.digest_bits, task, bars)
        self._tree = tree
        self._first = b""

    def read(self, opened: _Open) -> None:
        """Open the file; `FileError` if it is to be cut in a byte."""
        after = self._tree.custom + length_encode(len(self._tree.custom))
        text = _whole_bytes(self, self._tree, opened)
        self.start(framed.blocks(itertools.chain(text, [after]), None, CHUNK_BYTES))

    def inner(self, block: bytes, bits: int) -> Source | None:
        """Return a chunk with its domain's bits; the first stays for the final node."""
        if self._count == 1:
            self._first = block
            return None
        rest, count = domain_bits(LEAF)
        size = self._tree.function.digest_bits
        return Source(self._tree.sponge, iter([block + rest]), bits + count, size)

    def outer(self, digests: Iterator[bytes]) -> Iterator[bytes]:
        """Return the final node, or the only one."""
        rest, self.bits = domain_bits(SINGLE_NODE if self._count == 1 else FINAL_NODE)
        if self._count == 1:
            return itertools.chain([self._first], digests, [rest])
        end = length_encode(self._count - 1) + COUNT_END + rest
        return itertools.chain([self._first + FIRST_END], digests, [end])


class _HardwareTreeJob(_WrappedJob):
    """A task of KangarooTwelve for a design that hashes trees: M and C go to its port."""

    def __init__(self, request: HashRequest, tree: KangarooTree, task: Task, bars: Bars) -> None:
        """Read nothing yet."""
        super().__init__(request, tree.function.digest_bits, task, bars)
        self._tree = tree

    @property
    def user(self) -> int:
        """Its code in place of the sponge's; `more` where C's length follows."""
        user = self._tree.function.code | self.wanted_bits << LENGTH_AT
        return user | bool(self._tree.custom) << MORE_AT

    @property
    def end_user(self) -> int | None:
        """The length of C."""
        custom = self._tree.custom
        return self._tree.function.code | len(custom) << LENGTH_AT if custom else None

    @property
    def message_bits(self) -> int:
        """The bits of the final node; those of the chunks are counted in `inner_blocks`."""
        size = self.fed + len(length_encode(len(self._tree.custom)))
        chunks = max(1, -(-size // CHUNK_BYTES))
        leaf_bits = domain_bits(LEAF)[1]
        lengths = [CHUNK_BYTES] * (chunks - 2) + [size - (chunks - 1) * CHUNK_BYTES]
        if chunks == 1:
            return 8 * size + domain_bits(SINGLE_NODE)[1]
        value = self._tree.function.digest_bits
        self.inner_blocks = sum(
            self.function.blocks(8 * length + leaf_bits, value) for length in lengths
        )
        after = len(FIRST_END) + len(length_encode(chunks - 1)) + len(COUNT_END)
        node = 8 * (CHUNK_BYTES + after) + (chunks - 1) * value
        return node + domain_bits(FINAL_NODE)[1]

    def read(self, opened: _Open) -> None:
        """Open the file; `FileError` if it is to be cut in a byte."""
        self.chunks = itertools.chain(_whole_bytes(self, self._tree, opened), [self._tree.custom])


def _whole_bytes(job: _Job, tree: KangarooTree, opened: _Open) -> Iterator[bytes]:
    """Return the chunks of a job's file; `FileError` if it is to be cut in a byte."""
    (reader,) = job.readers
    if (reader.bits or 0) % 8:
        raise FileError(f"{tree.function.name} takes whole bytes, not {reader.bits} bits")
    return framed.joined(framed.counted(reader.chunks(opened), reader.bits))


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
            if task.texts is not None and not self._request.tuples:
                raise LabError(f"{what}: tuple: {self._request.name} has none")
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
            all_jobs = itertools.chain([first], jobs)
            for piece in _trees(sim, all_jobs) if request.trees else sim.hash_all(all_jobs):
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
            job = _job(self._request, task, self.bars)
            # The digest of the first in turn is reported as it comes, and takes no room.
            while self._running and self._room - self._turn[0].room + job.room > AHEAD_BYTES:
                yield None
            self._turn.append(job)
            self._room += job.room
            try:
                job.read(self._opened)
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


def _job(request: HashRequest, task: Task, bars: Bars) -> _Job:
    if request.framing is None:
        return _Job(request, task, bars)
    if isinstance(request.framing, KangarooTree):
        of_tree = _KangarooJob if request.trees else _HardwareTreeJob
        return of_tree(request, request.framing, task, bars)
    kind = _ParallelJob if request.trees else _FramedJob
    return kind(request, request.framing, task, bars)


def _trees(sim: StreamSim | SystemHasher, jobs: Iterable[_Job | None]) -> Iterator[Piece[_Job]]:
    """Hash messages that are trees one after the other, each in all slots."""
    for job in jobs:
        if not isinstance(job, _TreeJob):
            continue
        job.collect(sim)
        if job.failure is None:
            outer: list[_Job] = [job]
            yield from sim.hash_all(outer)
        else:
            yield Piece(job, b"", Answer(0, b"", 0, True, 0, 0))


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
        self._head = {"design": request.design.name, "function": request.name}
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
