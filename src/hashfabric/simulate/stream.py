"""Cycle-accurate simulation of a stream top.

The driver (driver/stream.cpp) runs the clock: a call transfers a chunk of a message, not a beat.
"""

import ctypes
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from hashfabric.base.datafile import one_of
from hashfabric.base.errors import LabError
from hashfabric.models.family import Function
from hashfabric.models.functions import BITS_AT, LENGTH_AT, MORE_AT
from hashfabric.registry.designs import Design, Parameter, Variant
from hashfabric.simulate.library import load

RESET_CLOCKS = 4


def stream_variant(design: Design, name: str | None = None) -> Variant:
    """Return the stream variant called `name`, else the first; `LabError` where there is none."""
    streams = [key for key, variant in design.variants.items() if variant.kind == "stream"]
    if not streams and any(variant.kind == "system" for variant in design.variants.values()):
        raise LabError(f"{design.name}: a program on a processor, which has no stream")
    if not streams:
        raise LabError(f"{design.name}: has no variant of kind 'stream'")
    if name is None:
        return design.variants[streams[0]]
    if design.variant(name).kind != "stream":
        raise one_of(f"stream variant of {design.name}", name, streams)
    return design.variants[name]


@dataclass(frozen=True)
class HashRun:
    """One message through the stream top.

    `clocks` count from the first beat offered to the last digest beat taken, both included;
    `blocks` is the number of runs of Keccak-f or of another family's compression.
    """

    digest: bytes
    clocks: int
    blocks: int
    error: bool


@dataclass(eq=False)
class Source:
    """A message whose bytes come in chunks: its first `bits` bits (all if None).

    With `bits`, exactly the bytes that hold them are required; other bits of the last byte go
    to the hardware unchanged. `chunks` may raise `LabError` if it cannot go on. `fed` counts the
    bytes that have come, `given` those of its digest that have left.
    """

    function: Function
    chunks: Iterator[bytes]
    bits: int | None = None
    output_bits: int | None = None
    fed: int = 0
    given: int = 0
    failure: LabError | None = None

    @property
    def user(self) -> int:
        """`s_axis_tuser` of its beats."""
        return user_word(self.function, self.bits or 0, self.output_bits)

    @property
    def end_user(self) -> int | None:
        """`s_axis_tuser` of an empty beat that follows its bytes; None without one."""
        return None

    @property
    def message_bits(self) -> int:
        """The message's length, once all of it has come."""
        return 8 * self.fed if self.bits is None else self.bits

    @property
    def wanted_bits(self) -> int:
        """The length of the digest."""
        return self.function.digest_bits if self.output_bits is None else self.output_bits

    def next(self) -> bytes | None:
        """Return the next bytes, None where the message ends."""
        chunk = next(self.chunks, None)
        if chunk is not None:
            self.fed += len(chunk)
        elif self.bits is not None and self.fed != -(-self.bits // 8):
            raise LabError(f"{self.fed} bytes do not hold just {self.bits} bits")
        return chunk


S = TypeVar("S", bound=Source)


@dataclass(frozen=True)
class StreamMessage:
    """One message for the queue: the first `bits` bits of `data` (all if None).

    `empty_tail` puts tlast on an extra beat where the bytes end exactly on a beat.
    """

    function: Function
    data: bytes
    bits: int | None = None
    output_bits: int | None = None
    slot: int = 0
    empty_tail: bool = False


@dataclass(frozen=True)
class Beat:
    """One beat on the port; `first`: it begins a message, for which an answer is due."""

    data: int
    keep: int
    last: bool
    user: int
    slot: int = 0
    first: bool = False


@dataclass(frozen=True)
class Answer:
    """One result at the port: `last_bits` are valid in the last byte (0: all eight).

    `start` and `end` are the clocks in which the first beat was offered and the last one taken.
    """

    slot: int
    digest: bytes
    last_bits: int
    error: bool
    start: int
    end: int


@dataclass(frozen=True)
class Piece(Generic[S]):
    """Bytes of a source's digest as they came; the last ones come with its `answer`.

    A source that failed has an answer too, with the error flag.
    """

    source: S
    digest: bytes
    answer: Answer | None = None


class _RawAnswer(ctypes.Structure):
    _fields_ = (
        ("start", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
        ("bytes", ctypes.c_uint64),
        ("tid", ctypes.c_uint32),
        ("user", ctypes.c_uint32),
    )


def user_word(function: Function, bits: int = 0, output_bits: int | None = None) -> int:
    """Return `s_axis_tuser` of a message of `bits` bits."""
    wanted = function.digest_bits if output_bits is None else output_bits
    if wanted >> 40:
        raise ValueError(f"an output length of {wanted} bits does not fit s_axis_tuser")
    return function.code | (bits % 8) << BITS_AT | (wanted if function.xof else 0) << LENGTH_AT


def beats_of(message: StreamMessage, width: int) -> Iterator[Beat]:
    """Yield the beats of `message` for a port of `width` bytes."""
    bits = 8 * len(message.data) if message.bits is None else message.bits
    user = user_word(message.function, bits, message.output_bits)
    words = range(0, max(len(message.data), 1), width)
    for start in words:
        part = message.data[start : start + width]
        yield Beat(
            data=int.from_bytes(part, "little"),
            keep=(1 << len(part)) - 1,
            last=start == words[-1],
            user=user,
            slot=message.slot,
            first=start == 0,
        )


def packet_beats(  # noqa: PLR0913 - one parameter a property of the message
    code: int, data: bytes, length: int, width: int, slot: int = 0, *, more: bool = False
) -> Iterator[Beat]:
    """Yield one packet of whole bytes; `length` is what `s_axis_tuser` has from bit 16 on."""
    starts = range(0, max(len(data), 1), width)
    for start in starts:
        part = data[start : start + width]
        last = start == starts[-1]
        user = code | length << LENGTH_AT | (last and more) << MORE_AT
        word, keep = int.from_bytes(part, "little"), (1 << len(part)) - 1
        yield Beat(word, keep, last, user, slot, start == 0)


def tree_beats(  # noqa: PLR0913, PLR0917 - one parameter a property of the message
    code: int, data: bytes, custom: bytes, output_bits: int, width: int, slot: int = 0
) -> Iterator[Beat]:
    """Yield a message of KT128 or KT256 for hf_keccak_tree: M and C as one packet, then C's length.

    `data` is M, `custom` C (RFC 9861, section 3); without C there is one packet.
    """
    yield from packet_beats(code, data + custom, output_bits, width, slot, more=bool(custom))
    if custom:
        yield Beat(0, 0, True, code | len(custom) << LENGTH_AT, slot)


def hash_run(source: Source, pieces: Iterable[Piece[Source]]) -> HashRun:
    """Gather the pieces of the only message, that of `source`; raise an error of its chunks."""
    taken = list(pieces)
    if source.failure is not None:
        raise source.failure
    answer = next(piece.answer for piece in taken if piece.answer is not None)
    return HashRun(
        digest=b"".join(piece.digest for piece in taken),
        clocks=answer.end - answer.start + 1,
        blocks=source.function.blocks(source.message_bits, source.wanted_bits),
        error=answer.error,
    )


class StreamSim:
    """A design's stream top, running. Messages may follow each other without a reset.

    Those of one slot follow each other, those of different slots are sent at the same time, one
    beat of each in turn.
    """

    def __init__(  # noqa: PLR0913 - all but the design may be left out
        self,
        design: Design,
        variant: Variant | None = None,
        *,
        stall_in: float = 0.0,
        stall_out: float = 0.0,
        seed: int = 0,
        parameters: Mapping[str, Parameter] | None = None,
    ) -> None:
        """Build the simulation of `variant`, else of the first stream, load and reset it.

        `stall_in` and `stall_out` are the chances, drawn from `seed` each clock, that no new beat
        is offered and that no digest beat is taken. `parameters` override the variant's.
        """
        variant = variant or stream_variant(design)
        self.name = design.name
        self.slots = design.timing(variant).slots
        self._library = _stream_functions(load(variant, "stream.cpp", parameters or {}))
        self.width: int = self._library.hf_width()
        self._handle = ctypes.c_void_p(
            self._library.hf_open(self.slots > 1, seed, stall_in, stall_out)
        )
        self._close = weakref.finalize(self, self._library.hf_close, self._handle)
        self._due = 0
        self._check_whole()

    def hash(
        self,
        function: Function,
        chunks: Iterable[bytes],
        *,
        bits: int | None = None,
        output_bits: int | None = None,
    ) -> HashRun:
        """Hash the message that `chunks` make up, or its first `bits` bits (see `Source`).

        When `chunks` raises, so does this, and the next message starts afresh.
        """
        source = Source(function, iter(chunks), bits, output_bits)
        return hash_run(source, self.hash_all([source]))

    def hash_all(self, sources: Iterable[S | None]) -> Iterator[Piece[S]]:
        """Hash messages, one in each slot at a time; yield their digests piece by piece.

        The next of `sources` is taken when a slot has none; None means none at this moment, and may
        only be given while another message is under way. One chunk of each current source is
        held. A source whose chunks raise `LabError` ends with an error, and others go on; any other
        exception ends all, with the model reset.

        The clocks depend neither on the chunks nor on the time that Python takes.
        """
        if self._due:
            raise ValueError("answers of the queue have not been fetched")
        self._check_whole()
        try:
            yield from self._hash_all(iter(sources))
        except BaseException:
            self._library.hf_reset(self._handle, RESET_CLOCKS)
            raise

    def _hash_all(self, sources: Iterator[S | None]) -> Iterator[Piece[S]]:
        library, handle = self._library, self._handle
        begun: list[deque[S]] = [deque() for _ in range(self.slots)]  # no answer yet
        unfed: dict[int, S] = {}  # by slot: the message that is not complete
        while True:
            for slot in range(self.slots):
                free = slot not in unfed and self._is_free(slot, begun[slot])
                if free and (source := next(sources, None)) is not None:
                    self._check(library.hf_begin(handle, slot, source.user))
                    begun[slot].append(source)
                    unfed[slot] = source
                while slot in unfed and not library.hf_slot_waiting(handle, slot):
                    if not self._feed(slot, unfed[slot]):
                        del unfed[slot]
            if not any(begun):
                return
            self._check(library.hf_run(handle))
            for answer in self._taken():
                source = begun[answer.slot].popleft()
                source.given += len(answer.digest)
                if not answer.error:
                    self._check_length(source, answer.last_bits)
                yield Piece(source, answer.digest, answer)
            for slot, sources_there in enumerate(begun):
                if sources_there and (digest := self._fetch(slot)):
                    sources_there[0].given += len(digest)
                    yield Piece(sources_there[0], digest)

    def _is_free(self, slot: int, begun: Iterable[Source]) -> bool:
        """Return whether a message may be sent to `slot` after those begun there.

        Not after a long output: other slots are free sooner.
        """
        return not self._library.hf_slot_waiting(self._handle, slot) and all(
            source.wanted_bits <= source.function.rate_bits for source in begun
        )

    def _feed(self, slot: int, source: Source) -> bool:
        """Queue the next chunk of a slot's message, or its end; return whether more may come."""
        library, handle = self._library, self._handle
        try:
            chunk = source.next()
        except LabError as error:
            source.failure = error
            self._check(library.hf_break_off(handle, slot))
            return False
        if chunk is None:
            self._check(library.hf_end(handle, slot, 0))
            if source.end_user is not None:
                empty = bytes(self.width)
                self._check(library.hf_beat(handle, empty, 0, 1, slot, source.end_user, 0))
            return False
        self._check(library.hf_feed(handle, slot, chunk, len(chunk)))
        return True

    def push(self, message: StreamMessage) -> None:
        """Queue a message after those of its slot; `run` sends it."""
        bits = 8 * len(message.data) if message.bits is None else message.bits
        user = user_word(message.function, bits, message.output_bits)
        library, handle = self._library, self._handle
        self._check(library.hf_begin(handle, message.slot, user))
        self._check(library.hf_feed(handle, message.slot, message.data, len(message.data)))
        self._check(library.hf_end(handle, message.slot, message.empty_tail))
        self._due += 1

    def push_beats(self, beats: Iterable[Beat]) -> None:
        """Queue beats unchanged, also those that a correct sender would not send.

        They are sent in the turns of the slot that the last `first` one of them names.
        """
        for beat in beats:
            data = beat.data.to_bytes(self.width, "little")
            self._check(
                self._library.hf_beat(
                    *(self._handle, data, beat.keep, beat.last),
                    *(beat.slot, beat.user, beat.first),
                )
            )
            self._due += beat.first

    def run(self, idle_clocks: int = 0) -> list[Answer]:
        """Send all that is queued; return an answer for each message, in order of arrival.

        Messages of a slot stay in order, those of different slots do not. `idle_clocks` are run
        after that, in which nothing may leave.
        """
        library, handle = self._library, self._handle
        answers: list[Answer] = []
        while library.hf_waiting(handle) or len(answers) < self._due:
            self._check(library.hf_run(handle))
            answers += self._taken()
        self._check(library.hf_run_clocks(handle, idle_clocks))
        answers += self._taken()
        self._due = 0
        return answers

    def reset(self, clocks: int = RESET_CLOCKS) -> None:
        """Reset the model for that many clocks; all that is queued or under way is gone."""
        self._check(self._library.hf_reset(self._handle, clocks))
        self._due = 0

    def run_clocks(self, clocks: int) -> None:
        """Run the clock; beats that wait are sent, and answers wait for `run`."""
        self._check(self._library.hf_run_clocks(self._handle, clocks))

    def _taken(self) -> list[Answer]:
        return [self._take() for _ in range(self._library.hf_answers(self._handle))]

    def _take(self) -> Answer:
        raw = _RawAnswer()
        self._library.hf_look(self._handle, ctypes.byref(raw))
        buffer = ctypes.create_string_buffer(raw.bytes) if raw.bytes else None
        self._library.hf_take(self._handle, buffer)
        return Answer(
            slot=raw.tid,
            digest=buffer.raw if buffer is not None else b"",
            last_bits=raw.user >> 1 & 7,
            error=bool(raw.user & 1),
            start=raw.start,
            end=raw.end,
        )

    def _fetch(self, slot: int) -> bytes:
        count = self._library.hf_ready(self._handle, slot)
        buffer = ctypes.create_string_buffer(count) if count else None
        self._library.hf_fetch(self._handle, slot, buffer)
        return buffer.raw if buffer is not None else b""

    def _check_length(self, source: Source, last_bits: int) -> None:
        wanted = source.wanted_bits
        got = max(0, 8 * source.given - (8 - last_bits) % 8)
        if got != wanted or last_bits != wanted % 8:
            raise LabError(f"{self.name}: simulation: {got} bits of digest in place of {wanted}")

    def _check_whole(self) -> None:
        """Raise the error that broke the model, if any: it does not run again."""
        self._check(-1 if self._library.hf_error(self._handle) else 0)

    def _check(self, status: int) -> None:
        if status != 0:
            error = self._library.hf_error(self._handle).decode(errors="replace")
            raise LabError(f"{self.name}: simulation: {error}")


def _stream_functions(library: ctypes.CDLL) -> ctypes.CDLL:
    """Declare the functions of driver/stream.cpp."""
    handle, size, word, flag = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_int
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "hf_open": (handle, [flag, size, ctypes.c_double, ctypes.c_double]),
        "hf_close": (None, [handle]),
        "hf_error": (ctypes.c_char_p, [handle]),
        "hf_width": (size, []),
        "hf_reset": (flag, [handle, word]),
        "hf_begin": (flag, [handle, word, size]),
        "hf_feed": (flag, [handle, word, ctypes.c_char_p, size]),
        "hf_end": (flag, [handle, word, flag]),
        "hf_break_off": (flag, [handle, word]),
        "hf_beat": (flag, [handle, ctypes.c_char_p, size, flag, word, size, flag]),
        "hf_run": (flag, [handle]),
        "hf_run_clocks": (flag, [handle, size]),
        "hf_waiting": (size, [handle]),
        "hf_slot_waiting": (size, [handle, word]),
        "hf_answers": (size, [handle]),
        "hf_ready": (size, [handle, word]),
        "hf_fetch": (None, [handle, word, ctypes.c_char_p]),
        "hf_look": (None, [handle, ctypes.POINTER(_RawAnswer)]),
        "hf_take": (None, [handle, ctypes.c_char_p]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library
