"""Cycle-accurate simulation: a Verilated top and its C++ driver in one shared library.

The library is built once per content of RTL, driver, flags, tools and processor, and loaded with
ctypes. The driver (driver/stream.cpp) runs the clock: a call hands over a chunk of a message, not
a beat. What the model prints or raises comes back as `LabError`.
"""

import ctypes
import functools
import hashlib
import re
import subprocess
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hashfabric import model
from hashfabric.cache import Cache, Job
from hashfabric.datafile import shown
from hashfabric.errors import LabError
from hashfabric.functions import FUNCTIONS, Function
from hashfabric.paths import BUILD
from hashfabric.registry import Design, Parameter, Variant, read_sources
from hashfabric.tools import VERILATOR, Tool, ToolError, ToolTimeout
from hashfabric.yosys import value_text

COMPILER = Tool("C++ compiler", "g++", ("--version",), r"(\S+)\n")
PERL = Tool("perl (which runs Verilator)", "perl", ("--version",), r"\((v[\d.]+)\)")

_DRIVERS = Path(__file__).parent / "driver"
_COMPLAINT = re.compile(r"%(Error|Warning)[\w-]*: ")
_BUILD_S = 900.0  # longest that one step of a build may take
_LIBRARY = "model.so"

_VERILATOR_FLAGS = ["-O3", "--x-assign", "fast", "--x-initial", "fast"]
_VERILATOR_FLAGS += ["-Wno-lint", "-Wno-style"]  # Linting is `hashfabric lint`.
# One library must not see another's symbols: hidden, and no STB_GNU_UNIQUE.
_CXX_FLAGS = ["-std=c++17", "-fPIC", "-march=native", "-fvisibility=hidden", "-fno-gnu-unique"]
_CXX_FLAGS += ["-DVERILATOR=1", "-DVM_SC=0", "-DVM_TRACE=0", "-DVM_COVERAGE=0"]
_CXX_FLAGS += ["-DVL_USER_FINISH", "-DVL_USER_STOP", "-DVL_USER_FATAL", "-DVL_PRINTF=hf_print"]
_CXX_FLAGS += ["-include", "report.h"]
_MODEL_FLAGS = ["-O3"]
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
    overrides = {**variant.parameters, **parameters}
    args = ["--cc", *_VERILATOR_FLAGS, "--prefix", "Vmodel", "-Mdir", "verilated"]
    args += ["--top-module", variant.top]
    args += [f"-G{name}={value_text(value)}" for name, value in overrides.items()]
    args += variant.sources
    files = read_sources(variant) | _driver_files(driver, "report.h")
    inputs = {
        "job": "simulation",
        "tools": tools,
        "runtime": runtime.key,
        "args": args,
        "flags": _CXX_FLAGS + _MODEL_FLAGS,
        "driver": driver,
        "files": files,
    }

    def work(directory: Path) -> dict[str, Any]:
        _write(files, directory)
        _verilate(args, directory)
        # One unit: the driver's loop and the model are optimised together.
        units = sorted(path.name for path in (directory / "verilated").glob("*.cpp"))
        text = "".join(f'#include "verilated/{unit}"\n' for unit in units)
        (directory / "unit.cpp").write_text(f'{text}#include "{driver}"\n', encoding="utf-8")
        objects = [str(runtime.directory / f"{Path(unit).stem}.o") for unit in _RUNTIME_UNITS]
        inputs = ["unit.cpp", *objects]
        link = ["-shared", "-Wl,-Bsymbolic,-z,defs", "-o", _LIBRARY]
        _compile([*_MODEL_FLAGS, "-Iverilated", *link, *inputs], directory)
        return {"top": variant.top}

    return cache.run(inputs, work).directory / _LIBRARY


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
        _compile([*_RUNTIME_FLAGS, "-c", *sources], directory)
        return {"units": _RUNTIME_UNITS}

    return cache.run(inputs, work)


def _compile(args: Sequence[str], directory: Path) -> None:
    include = _include()
    paths = ["-I.", f"-I{include}", f"-I{include / 'vltstd'}"]
    COMPILER.run(
        [*_CXX_FLAGS, *paths, *args], cwd=directory, log="compiler.log", timeout_s=_BUILD_S
    )


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
    native = subprocess.run(
        [COMPILER.path(), "-march=native", "-Q", "--help=target"], capture_output=True, check=False
    )
    return f"g++ {COMPILER.version()} {hashlib.sha256(native.stdout).hexdigest()[:16]}"


def _load(variant: Variant, driver: str, parameters: Mapping[str, Parameter]) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(build_library(variant, driver, parameters)))
    except OSError:  # Another session is putting the same library in its place right now.
        return ctypes.CDLL(str(build_library(variant, driver, parameters)))


def _variant(design: Design, kind: str) -> Variant:
    for variant in design.variants.values():
        if variant.kind == kind:
            return variant
    raise LabError(f"{design.name}: has no variant of kind '{kind}'")


####################
# Streams          #
####################


@dataclass(frozen=True)
class HashRun:
    """One message through the stream top.

    `clocks` count from the first beat offered to the last digest beat taken, both included;
    `blocks` is how often the message runs Keccak-f.
    """

    digest: bytes
    clocks: int
    blocks: int
    error: bool


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
    return function.code | (bits % 8) << 5 | (wanted if function.xof else 0) << 8


class StreamSim:
    """A design's stream top, running. Messages may follow each other without a reset."""

    def __init__(
        self,
        design: Design,
        *,
        stall_in: float = 0.0,
        stall_out: float = 0.0,
        seed: int = 0,
        parameters: Mapping[str, Parameter] | None = None,
    ) -> None:
        """Build the simulation if it is new, load it and reset the model.

        `stall_in` and `stall_out` are the chances, drawn from `seed` each clock, that no new beat
        is offered and that no digest beat is taken. `parameters` override the variant's.
        """
        self.name = design.name
        self._library = _stream_functions(
            _load(_variant(design, "stream"), "stream.cpp", parameters or {})
        )
        self.width: int = self._library.hf_width()
        self._handle = ctypes.c_void_p(self._library.hf_open(seed, stall_in, stall_out))
        self._close = weakref.finalize(self, self._library.hf_close, self._handle)
        self._due = 0
        self._check(-1 if self._library.hf_error(self._handle) else 0)

    def hash(
        self,
        function: Function,
        chunks: Iterable[bytes],
        *,
        bits: int | None = None,
        output_bits: int | None = None,
    ) -> HashRun:
        """Hash the message that `chunks` make up, or its first `bits` bits.

        With `bits`, exactly the bytes that hold them are wanted; what is above them in the last
        byte goes to the hardware as it is. When `chunks` raises, so does this, and the model is
        reset: the next message starts afresh.
        """
        if self._due:
            raise ValueError("answers of the queue have not been fetched")
        library, handle = self._library, self._handle
        user = user_word(function, bits or 0, output_bits)
        total = 0
        try:
            self._check(library.hf_begin(handle, 0, user))
            for chunk in chunks:
                total += len(chunk)
                self._check(library.hf_feed(handle, chunk, len(chunk)))
                self._check(library.hf_run(handle, 0, 0))
            if bits is not None and total != -(-bits // 8):
                raise LabError(f"{total} bytes do not hold just {bits} bits")
        except BaseException:
            library.hf_reset(handle)
            raise
        self._check(library.hf_end(handle, 0))
        self._check(library.hf_run(handle, 0, 1))
        answer = self._take()
        if not answer.error:
            self._check_length(answer, function, output_bits)
        return HashRun(
            digest=answer.digest,
            clocks=answer.end - answer.start + 1,
            blocks=model.blocks(function, 8 * total if bits is None else bits, output_bits),
            error=answer.error,
        )

    def push(self, message: Message) -> None:
        """Queue a message; `run` sends it."""
        bits = 8 * len(message.data) if message.bits is None else message.bits
        user = user_word(message.function, bits, message.output_bits)
        library, handle = self._library, self._handle
        self._check(library.hf_begin(handle, message.slot, user))
        self._check(library.hf_feed(handle, message.data, len(message.data)))
        self._check(library.hf_end(handle, message.empty_tail))
        self._due += 1

    def push_beats(self, beats: Iterable[Beat]) -> None:
        """Queue beats as they are, for what a well-behaved sender would not do."""
        for beat in beats:
            self._check(
                self._library.hf_beat(
                    *(self._handle, beat.data, beat.keep, beat.last),
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

        `idle_clocks` are run after that, in which nothing may leave.
        """
        self._check(self._library.hf_run(self._handle, 0, self._due))
        self._check(self._library.hf_run_clocks(self._handle, idle_clocks))
        answers = [self._take() for _ in range(self._due)]
        self._due = 0
        return answers

    def reset(self) -> None:
        """Reset the model; all that is queued or under way is gone."""
        self._check(self._library.hf_reset(self._handle))
        self._due = 0

    def _take(self) -> Answer:
        raw = _RawAnswer()
        self._library.hf_look(self._handle, ctypes.byref(raw))
        buffer = ctypes.create_string_buffer(raw.bytes) if raw.bytes else None
        self._library.hf_take(self._handle, buffer)
        return Answer(
            slot=raw.tid,
            digest=buffer.raw if buffer is not None else b"",
            last_bits=raw.user >> 1,
            error=bool(raw.user & 1),
            start=raw.start,
            end=raw.end,
        )

    def _check_length(self, answer: Answer, function: Function, output_bits: int | None) -> None:
        wanted = function.digest_bits if output_bits is None else output_bits
        got = 8 * len(answer.digest) - (8 - answer.last_bits) % 8
        if got != wanted or answer.last_bits != wanted % 8:
            raise LabError(f"{self.name}: simulation: {got} bits of digest in place of {wanted}")

    def _check(self, status: int) -> None:
        if status != 0:
            error = self._library.hf_error(self._handle).decode(errors="replace")
            raise LabError(f"{self.name}: simulation: {error}")


def _stream_functions(library: ctypes.CDLL) -> ctypes.CDLL:
    """Declare the functions of driver/stream.cpp."""
    handle, size, word, flag = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_int
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "hf_open": (handle, [size, ctypes.c_double, ctypes.c_double]),
        "hf_close": (None, [handle]),
        "hf_error": (ctypes.c_char_p, [handle]),
        "hf_width": (size, []),
        "hf_reset": (flag, [handle]),
        "hf_begin": (flag, [handle, word, size]),
        "hf_feed": (flag, [handle, ctypes.c_char_p, size]),
        "hf_end": (flag, [handle, flag]),
        "hf_beat": (flag, [handle, size, word, flag, word, size, flag]),
        "hf_run": (flag, [handle, size, size]),
        "hf_run_clocks": (flag, [handle, size]),
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


class _RawRun(ctypes.Structure):
    _fields_ = (
        ("first", ctypes.c_uint64),
        ("last", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
    )


@dataclass(frozen=True)
class EngineRun:
    """One message a slot through a bare engine: the states it gave, and clocks between handovers.

    `clocks` count from the first handover to the clock that shows the last state, both included.
    """

    states: list[bytes]
    clocks: int
    clocks_per_block: float


def run_engine(design: Design, variant: Variant, messages: Sequence[Sequence[bytes]]) -> EngineRun:
    """Run `messages` (equally many blocks of 200 bytes each), one a slot, without any stall."""
    library = _load(variant, "engine.cpp", {})
    run = library.hf_run_engine
    run.restype = ctypes.c_char_p
    run.argtypes = [ctypes.c_uint32, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_char_p]
    run.argtypes += [ctypes.POINTER(_RawRun)]
    slots, count = len(messages), len(messages[0])
    states = ctypes.create_string_buffer(200 * slots)
    raw = _RawRun()
    blocks = b"".join(b"".join(message) for message in messages)
    if (error := run(slots, blocks, count, states, ctypes.byref(raw))) is not None:
        raise LabError(f"{design.name}: simulation: {error.decode(errors='replace')}")
    return EngineRun(
        states=[states.raw[200 * slot : 200 * (slot + 1)] for slot in range(slots)],
        clocks=raw.end - raw.first + 1,
        clocks_per_block=(raw.last - raw.first) / (slots * count - 1),
    )


####################
# Known answers    #
####################

_LONG_BLOCKS = 4000
_CLOCKS_TOLERANCE = 0.01

_FIXED = {
    # FIPS 202 example values (csrc.nist.gov) for the 5 bits 11001, and Ethereum's empty hash.
    ("sha3-256", b"\x13", 5): "7b0047cf5a456882363cbf0fb05322cf65f4b7059a46365e830132e3b5d957af",
    ("keccak-256", b"", 0): "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
}


def quick_check(design: Design) -> dict[str, float]:
    """Check known answers of every variant; return the clocks a block measured, by variant.

    `LabError` on the first wrong digest, and when a stream is slower than the registry says.
    """
    measured = {}
    for name, variant in design.variants.items():
        check = {"engine": _check_engine, "stream": _check_stream}[variant.kind]
        measured[name] = round(check(design, variant), 4)
    return measured


def _check_engine(design: Design, variant: Variant) -> float:
    if not design.holds_state:
        raise LabError(f"{design.name}: no bench yet for an engine that hands its state back")
    count = 8
    messages = [[_bytes(200, f"{slot} {i}") for i in range(count)] for slot in range(design.slots)]
    run = run_engine(design, variant, messages)
    for slot, message in enumerate(messages):
        state = [0] * 25
        for block in message:
            state = model.absorb(state, int.from_bytes(block, "little"))
        if run.states[slot] != model.state_bytes(state):
            raise LabError(f"{design.name}: wrong state in slot {slot} after {count} blocks")
    _check_clocks(design, "engine", run.clocks_per_block)
    return run.clocks_per_block


def _check_stream(design: Design, _variant: Variant) -> float:
    sim = StreamSim(design)
    functions = [FUNCTIONS[name] for name in design.functions]
    for (name, data, bits), wanted in _FIXED.items():
        if name in design.functions:
            _check_digest(sim, FUNCTIONS[name], data, bits, bytes.fromhex(wanted))
    for function in functions:
        rate = function.rate_bits // 8
        for data, bits in (
            (b"", 0),
            (b"abc", 24),
            (b"\xf3", 5),  # Bits above the fifth must not count.
            (_bytes(rate, function.name), 8 * rate),
            (_bytes(3 * rate - 1, function.name), 8 * (3 * rate - 1)),
        ):
            _check_digest(sim, function, data, bits, model.digest(function, data, bits=bits))
        if function.xof:
            long = 3 * function.rate_bits + 12
            wanted_bytes = model.digest(function, b"abc", output_bits=long)
            if sim.hash(function, [b"abc"], output_bits=long).digest != wanted_bytes:
                raise LabError(f"{design.name}: wrong digest: {function.name}, {long} bits out")
    by_function = {}
    for function in functions:
        if function.name not in {"sha3-256", "shake128", functions[0].name}:
            continue
        data = _bytes(_LONG_BLOCKS * function.rate_bits // 8 - 1, function.name)
        run = sim.hash(function, [data])
        if run.digest != _long_digest(function, data):
            raise LabError(f"{design.name}: wrong digest: {function.name}, {len(data)} bytes")
        by_function[function.name] = run.clocks / run.blocks
        _check_clocks(design, function.name, by_function[function.name])
    return by_function.get("sha3-256", by_function[functions[0].name])


def _check_digest(
    sim: StreamSim, function: Function, data: bytes, bits: int, wanted: bytes
) -> None:
    run = sim.hash(function, [data], bits=bits)
    if run.error or run.digest != wanted:
        raise LabError(f"{sim.name}: wrong digest: {function.name} of {bits} bits")


def _long_digest(function: Function, data: bytes) -> bytes:
    """Hash with hashlib where it can: thousands of blocks take the model seconds."""
    count = function.digest_bits // 8
    if function.name == "shake128":
        return hashlib.shake_128(data).digest(count)
    if function.name == "shake256":
        return hashlib.shake_256(data).digest(count)
    if function.name.startswith("sha3"):
        return hashlib.new(function.name.replace("-", "_"), data).digest()
    return model.digest(function, data)


def _check_clocks(design: Design, what: str, clocks: float) -> None:
    if abs(clocks - design.clocks_per_block) > _CLOCKS_TOLERANCE * design.clocks_per_block:
        raise LabError(
            f"{design.name}: {what}: {clocks:.3f} clocks a block, "
            f"not the registry's {design.clocks_per_block:g}"
        )


def _bytes(count: int, seed: str) -> bytes:
    """Return `count` bytes that look random and are always the same."""
    return hashlib.shake_128(seed.encode()).digest(count)
