"""Cycle-accurate simulation: a Verilated top and its C++ driver in one shared library.

The library is built once per content of RTL, driver, flags, tools and processor, and loaded with
ctypes. The driver (driver/stream.cpp) runs the clock: a call hands over a chunk of a message, not
a beat. What the model prints or raises comes back as `LabError`.
"""

import ctypes
import functools
import hashlib
import re
import shutil
import time
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from hashfabric import models
from hashfabric.cache import Cache, Job
from hashfabric.datafile import one_of, shown
from hashfabric.errors import LabError
from hashfabric.functions import BITS_AT, DIGEST_SIZES, LENGTH_AT, Function
from hashfabric.paths import BUILD
from hashfabric.progress import step
from hashfabric.registry import Design, Parameter, Variant, read_sources
from hashfabric.tools import VERILATOR, Tool, ToolError, ToolTimeout, output, pool
from hashfabric.yosys import value_text

COMPILER = Tool("C++ compiler", "g++", ("--version",), r"(\S+)\n")
PERL = Tool("perl (which runs Verilator)", "perl", ("--version",), r"\((v[\d.]+)\)")

_DRIVERS = Path(__file__).parent / "driver"
_COMPLAINT = re.compile(r"%(Error|Warning)[\w-]*: ")
_BUILD_S = 900.0  # longest that one step of a build may take
_LIBRARY = "model.so"
# How long a model compiles, in units of what the runtime took on this machine, by MB of the C++
# that runs in every clock. Eight designs took within half as long again, or a third less.
_FIXED_COST = 0.3
_COST_PER_MB = 0.4

_VERILATOR_FLAGS = ["-O3", "--x-assign", "fast", "--x-initial", "fast"]
# JH's loops over its 256 cells: rolled, their indices are worked out cell by cell in every clock.
_VERILATOR_FLAGS += ["--unroll-count", "256", "--unroll-stmts", "100000"]
_VERILATOR_FLAGS += ["-Wno-lint", "-Wno-style"]  # Linting is `hashfabric lint`.
# One library must not see another's symbols: hidden, and no STB_GNU_UNIQUE.
_CXX_FLAGS = ["-std=c++17", "-fPIC", "-march=native", "-fvisibility=hidden", "-fno-gnu-unique"]
_CXX_FLAGS += ["-DVERILATOR=1", "-DVM_SC=0", "-DVM_TRACE=0", "-DVM_COVERAGE=0"]
_CXX_FLAGS += ["-DVL_USER_FINISH", "-DVL_USER_STOP", "-DVL_USER_FATAL", "-DVL_PRINTF=hf_print"]
_CXX_FLAGS += ["-include", "report.h"]
_MODEL_FLAGS = ["-O3"]
_START_FLAGS = ["-O0"]  # What runs once, before the first clock, is up to half of a model's text.
_RUNTIME_UNITS = ["verilated.cpp", "verilated_threads.cpp", "report.cpp"]
_RUNTIME_FLAGS = ["-O1"]  # Not in the way of a clock.


####################
# Building         #
####################


def build_library(variant: Variant, driver: str, parameters: Mapping[str, Parameter]) -> Path:
    """Return the shared library of the variant's top with driver/`driver`, building it if new."""
    cache = Cache(BUILD / "cache")
    for tool in (COMPILER, PERL):
        tool.path()
    tools = {"verilator": VERILATOR.version(), "compiler": _compiler_identity()}
    runtime = _runtime(cache, tools)
    sources = read_sources(variant)
    args = verilator_args(variant, list(sources), parameters)
    files = sources | _driver_files(driver, "random.h", "report.h")
    inputs = {
        "job": "simulation",
        "tools": tools,
        "runtime": runtime.key,
        "args": args,
        "flags": _CXX_FLAGS + _MODEL_FLAGS + _START_FLAGS,
        "driver": driver,
        "files": files,
    }

    def work(directory: Path) -> dict[str, Any]:
        _write(files, directory)
        what = f"simulation of {variant.top}"
        with step(f"{what}: Verilator translates it"):
            _verilate(args, directory)
        units = sorted((directory / "verilated").glob("*.cpp"))
        starting = [unit for unit in units if unit.stem.endswith("Slow")]
        clocked = [unit for unit in units if unit not in starting]
        # One unit: the driver's loop and the model are optimised together.
        _include_all("model.cpp", [*clocked, directory / driver], directory)
        _include_all("start.cpp", starting, directory)
        size, each_clock = (
            sum(unit.stat().st_size for unit in of) / 1e6 for of in (units, clocked)
        )
        seconds = runtime.result["seconds"] * (_FIXED_COST + _COST_PER_MB * each_clock)
        with step(f"{what}: compiling {size:.1f} MB of C++, about {seconds:.0f} s"):
            with pool(2) as workers:
                both = [
                    workers.submit(_compile, ["-Iverilated", *flags], [unit], directory, log)
                    for unit, flags, log in (
                        ("model.cpp", _MODEL_FLAGS, "model.log"),
                        ("start.cpp", _START_FLAGS, "start.log"),
                    )
                ]
                for each in both:
                    each.result()
            # Of a function that is in several the first is taken: the optimised one.
            objects = ["model.o", "start.o"]
            objects += [str(runtime.directory / f"{Path(unit).stem}.o") for unit in _RUNTIME_UNITS]
            link = ["-shared", "-Wl,-Bsymbolic,-z,defs", "-o", _LIBRARY, *objects]
            COMPILER.run(link, cwd=directory, log="link.log", timeout_s=_BUILD_S)
        shutil.rmtree(directory / "verilated")
        return {"top": variant.top}

    return cache.run(inputs, work).directory / _LIBRARY


def _include_all(name: str, units: Sequence[Path], directory: Path) -> None:
    text = "".join(f'#include "{unit.relative_to(directory)}"\n' for unit in units)
    (directory / name).write_text(text, encoding="utf-8")


def verilator_args(
    variant: Variant, sources: Sequence[str], parameters: Mapping[str, Parameter]
) -> list[str]:
    """Return Verilator's arguments that put the C++ of `variant` into the directory verilated/."""
    overrides = {**variant.parameters, **parameters}
    args = ["--cc", *_VERILATOR_FLAGS, "--prefix", "Vmodel", "-Mdir", "verilated"]
    args += ["--top-module", variant.top]
    args += [f"-G{name}={value_text(value)}" for name, value in overrides.items()]
    return [*args, *sources]


def _verilate(args: Sequence[str], directory: Path) -> None:
    log = directory / "verilator.log"
    try:
        VERILATOR.run(args, cwd=directory, log=log.name, timeout_s=_BUILD_S)
    except ToolTimeout:
        raise
    except ToolError as error:
        # The first complaint is the one to tell; an elaboration $fatal is a %Warning-USERFATAL.
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        reason = next((line for line in lines if _COMPLAINT.match(line)), "")
        if not reason:
            raise
        raise ToolError(f"verilator: failed: {reason}: see {shown(log)}") from error


def _runtime(cache: Cache, tools: Mapping[str, str]) -> Job:
    """Compile what is the same for all models: Verilator's own part, and what stands in for it."""
    files = _driver_files("report.h", "report.cpp")
    inputs = {
        "job": "simulation runtime",
        "tools": dict(tools),
        "flags": _CXX_FLAGS + _RUNTIME_FLAGS,
        "units": _RUNTIME_UNITS,
        "files": files,
    }

    def work(directory: Path) -> dict[str, Any]:
        _write(files, directory)
        sources = [unit if unit in files else str(_include() / unit) for unit in _RUNTIME_UNITS]
        begin = time.monotonic()
        with step("simulation: compiling what all models share"):
            _compile(_RUNTIME_FLAGS, sources, directory, "compiler.log")
        return {"units": _RUNTIME_UNITS, "seconds": time.monotonic() - begin}

    return cache.run(inputs, work)


def _compile(flags: Sequence[str], units: Sequence[str], directory: Path, log: str) -> None:
    include = _include()
    paths = ["-I.", f"-I{include}", f"-I{include / 'vltstd'}"]
    args = [*_CXX_FLAGS, *paths, *flags, "-c", *units]
    COMPILER.run(args, cwd=directory, log=log, timeout_s=_BUILD_S)


def _include() -> Path:
    return Path(VERILATOR.path()).parent.parent / "include"


def _driver_files(*names: str) -> dict[str, str]:
    return {name: (_DRIVERS / name).read_text(encoding="utf-8") for name in names}


def _write(files: Mapping[str, str], directory: Path) -> None:
    for path, text in files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")


@functools.cache
def _compiler_identity() -> str:
    """Return the compiler's version and a hash of what `-march=native` means on this machine."""
    native = output([COMPILER.path(), "-march=native", "-Q", "--help=target"]).stdout
    return f"g++ {COMPILER.version()} {hashlib.sha256(native.encode()).hexdigest()[:16]}"


def _load(variant: Variant, driver: str, parameters: Mapping[str, Parameter]) -> ctypes.CDLL:
    return open_library(build_library(variant, driver, parameters))


def open_library(path: Path) -> ctypes.CDLL:
    """Load the library at `path`; `LabError` says why when that cannot be."""
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise LabError(f"{shown(path)}: cannot be loaded: {error}") from error


def stream_variant(design: Design, name: str | None = None) -> Variant:
    """Return the stream variant called `name`, else the first; `LabError` where there is none."""
    streams = [key for key, variant in design.variants.items() if variant.kind == "stream"]
    if not streams:
        raise LabError(f"{design.name}: has no variant of kind 'stream'")
    if name is None:
        return design.variants[streams[0]]
    if design.variant(name).kind != "stream":
        raise one_of(f"stream variant of {design.name}", name, streams)
    return design.variants[name]


####################
# Streams          #
####################


@dataclass(frozen=True)
class HashRun:
    """One message through the stream top.

    `clocks` count from the first beat offered to the last digest beat taken, both included;
    `blocks` is how often the message runs Keccak-f or another family's compression.
    """

    digest: bytes
    clocks: int
    blocks: int
    error: bool


@dataclass(eq=False)
class Source:
    """A message whose bytes come in chunks: its first `bits` bits (all if None).

    With `bits`, exactly the bytes that hold them are wanted; what is beside them in the last byte
    goes to the hardware as it is. `chunks` may raise `LabError` when there is no going on. `fed`
    counts the bytes that have come, `given` those of its digest that have left.
    """

    function: Function
    chunks: Iterator[bytes]
    bits: int | None = None
    output_bits: int | None = None
    fed: int = 0
    given: int = 0
    failure: LabError | None = None

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
class Message:
    """One message for the queue: the first `bits` bits of `data` (all if None).

    `empty_tail` puts tlast on a beat of its own where the bytes end exactly on a beat.
    """

    function: Function
    data: bytes
    bits: int | None = None
    output_bits: int | None = None
    slot: int = 0
    empty_tail: bool = False


@dataclass(frozen=True)
class Beat:
    """One beat as it stands on the port; `first` says that an answer is due for what it begins."""

    data: int
    keep: int
    last: bool
    user: int
    slot: int = 0
    first: bool = False


@dataclass(frozen=True)
class Answer:
    """One result as it left the port: `last_bits` are valid in the last byte (0: all eight).

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


class StreamSim:
    """A design's stream top, running. Messages may follow each other without a reset.

    Those of one slot follow each other, those of different slots are sent at the same time, a beat
    a turn.
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
        self._library = _stream_functions(_load(variant, "stream.cpp", parameters or {}))
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
        pieces = list(self.hash_all([source]))
        if source.failure is not None:
            raise source.failure
        answer = next(piece.answer for piece in pieces if piece.answer is not None)
        return HashRun(
            digest=b"".join(piece.digest for piece in pieces),
            clocks=answer.end - answer.start + 1,
            blocks=function.blocks(source.message_bits, output_bits),
            error=answer.error,
        )

    def hash_all(self, sources: Iterable[S | None]) -> Iterator[Piece[S]]:
        """Hash messages, one in each slot at a time; yield what leaves as it comes.

        The next of `sources` is taken when a slot has none; None stands for none at this moment,
        and may only be given while another message is under way. Of each source in hand a chunk is
        held. One whose chunks raise `LabError` is ended as one with an error, and others go on;
        any other exception ends all, with the model reset.

        The clocks do not depend on how the messages are cut, nor on how long Python takes.
        """
        if self._due:
            raise ValueError("answers of the queue have not been fetched")
        self._check_whole()
        try:
            yield from self._hash_all(iter(sources))
        except BaseException:
            self._library.hf_reset(self._handle)
            raise

    def _hash_all(self, sources: Iterator[S | None]) -> Iterator[Piece[S]]:
        library, handle = self._library, self._handle
        begun: list[deque[S]] = [deque() for _ in range(self.slots)]  # no answer yet
        unfed: dict[int, S] = {}  # by slot: the message that is not all there
        while True:
            for slot in range(self.slots):
                free = slot not in unfed and self._is_free(slot, begun[slot])
                if free and (source := next(sources, None)) is not None:
                    user = user_word(source.function, source.bits or 0, source.output_bits)
                    self._check(library.hf_begin(handle, slot, user))
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
        """Return whether a message may be sent to `slot` behind those begun there.

        Not behind a long output: other slots are sooner free.
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
            return False
        self._check(library.hf_feed(handle, slot, chunk, len(chunk)))
        return True

    def push(self, message: Message) -> None:
        """Queue a message behind those of its slot; `run` sends it."""
        bits = 8 * len(message.data) if message.bits is None else message.bits
        user = user_word(message.function, bits, message.output_bits)
        library, handle = self._library, self._handle
        self._check(library.hf_begin(handle, message.slot, user))
        self._check(library.hf_feed(handle, message.slot, message.data, len(message.data)))
        self._check(library.hf_end(handle, message.slot, message.empty_tail))
        self._due += 1

    def push_beats(self, beats: Iterable[Beat]) -> None:
        """Queue beats as they are, for what a well-behaved sender would not do.

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

    def beats(self, message: Message) -> Iterator[Beat]:
        """Yield the beats that `message` is sent in, to be bent and pushed."""
        bits = 8 * len(message.data) if message.bits is None else message.bits
        user = user_word(message.function, bits, message.output_bits)
        words = range(0, max(len(message.data), 1), self.width)
        for start in words:
            part = message.data[start : start + self.width]
            yield Beat(
                data=int.from_bytes(part, "little"),
                keep=(1 << len(part)) - 1,
                last=start == words[-1],
                user=user,
                slot=message.slot,
                first=start == 0,
            )

    def run(self, idle_clocks: int = 0) -> list[Answer]:
        """Send all that is queued; return an answer for each message, in the order they came.

        That is the messages' own order within a slot, and none between slots. `idle_clocks` are
        run after that, in which nothing may leave.
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

    def reset(self) -> None:
        """Reset the model; all that is queued or under way is gone."""
        self._check(self._library.hf_reset(self._handle))
        self._due = 0

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
        """Raise what broke the model, if anything did: it does not run again."""
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
        "hf_reset": (flag, [handle]),
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


####################
# Bare engines     #
####################


class _RawPlan(ctypes.Structure):
    _fields_ = (
        ("slots", ctypes.c_uint32),
        ("holds_state", ctypes.c_uint32),
        ("delay", ctypes.c_uint32),
        ("messages", ctypes.c_uint32),
        ("count", ctypes.c_uint64),
        ("longest_gap", ctypes.c_uint64),
        ("seed", ctypes.c_uint64),
    )


@dataclass(frozen=True)
class EngineRun:
    """One message a slot through a bare engine: the states it gave, and the clocks of handshakes.

    `handshakes` are by slot and block. `clocks` count from the first handshake to the clock that
    shows the last state, both included.
    """

    states: list[bytes]
    handshakes: list[list[int]]
    clocks: int

    @property
    def clocks_per_block(self) -> float:
        """Clocks a block while every slot has a message; only where no block came late."""
        return clocks_at_full_slots(self.handshakes)


def clocks_at_full_slots(handshakes: Sequence[Sequence[int]]) -> float:
    """Return the clocks a block of messages with these handshakes, one a slot, while all are there.

    `ValueError` where that is too short a time.
    """
    begin = max(clocks[0] for clocks in handshakes)
    end = min(clocks[-1] for clocks in handshakes)
    blocks_per_clock = 0.0
    for clocks in handshakes:
        full = [clock for clock in clocks if begin <= clock <= end]
        if len(full) < 2:  # noqa: PLR2004 - an interval has two ends
            raise ValueError("the messages are too short to measure clocks a block")
        blocks_per_clock += (len(full) - 1) / (full[-1] - full[0])
    return 1 / blocks_per_clock


def run_engine(
    design: Design,
    variant: Variant,
    messages: Sequence[Sequence[bytes]],
    *,
    longest_gap: int = 0,
    seed: int = 0,
) -> EngineRun:
    """Run `messages` (equally many blocks of 200 bytes each), one a slot, states always taken.

    Slots beyond them stay empty. With `longest_gap`, every second block or so (drawn from `seed`)
    comes up to that many clocks late: an engine that does not hold its states hands them back.
    """
    timing = design.timing(variant)
    library = _load(variant, "engine.cpp", {})
    run = library.hf_run_engine
    run.restype = ctypes.c_char_p
    clock = ctypes.POINTER(ctypes.c_uint64)
    run.argtypes = [ctypes.POINTER(_RawPlan), ctypes.c_char_p, ctypes.c_char_p, clock, clock]
    count = len(messages[0])
    if len(messages) > timing.slots or any(len(message) != count for message in messages):
        raise ValueError("one message a slot is wanted, equally long")
    plan = _RawPlan(
        *(timing.slots, timing.holds_state, timing.data_delay),
        *(len(messages), count, longest_gap, seed),
    )
    states = ctypes.create_string_buffer(200 * len(messages))
    handshakes = (ctypes.c_uint64 * (len(messages) * count))()
    end = ctypes.c_uint64()
    blocks = b"".join(b"".join(message) for message in messages)
    if (error := run(plan, blocks, states, handshakes, end)) is not None:
        raise LabError(f"{design.name}: simulation: {error.decode(errors='replace')}")
    starts = range(0, len(handshakes), count)
    return EngineRun(
        states=[states.raw[200 * i : 200 * (i + 1)] for i in range(len(messages))],
        handshakes=[handshakes[start : start + count] for start in starts],
        clocks=end.value - min(handshakes) + 1,
    )


####################
# Finalists        #
####################


class _RawFinalistBlock(ctypes.Structure):
    _fields_ = (
        ("count", ctypes.c_uint64),
        ("slot", ctypes.c_uint32),
        ("first", ctypes.c_uint8),
        ("last", ctypes.c_uint8),
        ("size", ctypes.c_uint8),
    )


class _RawFinalistPlan(ctypes.Structure):
    _fields_ = (
        ("blocks", ctypes.c_uint64),
        ("slots", ctypes.c_uint64),
        ("longest_gap", ctypes.c_uint64),
        ("seed", ctypes.c_uint64),
    )


@dataclass(frozen=True)
class FinalistRun:
    """Messages through the bare engine of a finalist: their digests, and the clocks of handshakes.

    `handshakes` are by message and block.
    """

    digests: list[bytes]
    handshakes: list[list[int]]


def run_finalist(
    design: Design,
    variant: Variant,
    messages: Sequence[Message],
    *,
    longest_gap: int = 0,
    seed: int = 0,
) -> FinalistRun:
    """Run `messages`, padded by the golden model, each in its slot (docs/finalists.md).

    Those of one slot follow each other.

    With `longest_gap`, every second block or so (drawn from `seed`) comes up to that many clocks
    late, and digests find no room in every second clock.
    """
    library = _load(variant, "finalist.cpp", {})
    library.hf_block_bytes.restype = library.hf_digest_bytes.restype = ctypes.c_uint64
    blocks: list[_RawFinalistBlock] = []
    counts, data = [], []
    for message in messages:
        bits = 8 * len(message.data) if message.bits is None else message.bits
        digest_bits = message.function.digest_bits
        padded = list(
            models.finalist(message.function.family).padded(digest_bits, message.data, bits)
        )
        counts.append(len(padded))
        for index, (block, count) in enumerate(padded):
            if len(block) != library.hf_block_bytes():
                raise ValueError(f"{message.function.name} has blocks of {len(block)} bytes")
            last = index == len(padded) - 1
            size = DIGEST_SIZES.index(digest_bits)
            blocks.append(_RawFinalistBlock(count, message.slot, index == 0, last, size))
            data.append(block)
    run = library.hf_run_finalist
    run.restype = ctypes.c_char_p
    run.argtypes = [
        *(ctypes.POINTER(_RawFinalistPlan), ctypes.POINTER(_RawFinalistBlock)),
        *(ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64)),
    ]
    plan = _RawFinalistPlan(len(blocks), design.timing(variant).slots, longest_gap, seed)
    width = library.hf_digest_bytes()
    digests = ctypes.create_string_buffer(width * len(messages))
    handshakes = (ctypes.c_uint64 * len(blocks))()
    raw = (_RawFinalistBlock * len(blocks))(*blocks)
    if (error := run(plan, raw, b"".join(data), digests, handshakes)) is not None:
        raise LabError(f"{design.name}: simulation: {error.decode(errors='replace')}")
    clocks = iter(handshakes)
    return FinalistRun(
        digests=[
            digests.raw[width * i : width * i + message.function.digest_bits // 8]
            for i, message in enumerate(messages)
        ],
        handshakes=[[next(clocks) for _ in range(count)] for count in counts],
    )
