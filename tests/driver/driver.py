"""The peripheral's C driver (driver/), compiled for this machine, on a bus that a test chooses.

The bus is the Verilated peripheral's, called by the C code itself, or one of Python's functions.
"""

import ctypes
import enum
import functools
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Protocol

from hashfabric.base.paths import ROOT
from hashfabric.models.family import Function
from hashfabric.registry.designs import find_design
from hashfabric.simulate.peripheral import PeripheralSim

FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Wsign-conversion"]
FLAGS += ["-Wshadow", "-Wcast-align=strict", "-Wundef", "-Werror", "-ffreestanding"]
SOURCES = tuple(str(path) for path in sorted((ROOT / "driver").glob("*.c")))
HEADER = ROOT / "driver" / "hf_keccak.h"
OPEN = (1 << 32) - 1
"""An output until it is stopped."""

READ = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_uint32, POINTER(c_uint32))
WRITE = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_uint32, c_uint32, c_uint32)


def _errors() -> dict[str, int]:
    text = HEADER.read_text(encoding="utf-8")
    part = text[text.index("HF_KECCAK_OK = 0") : text.index("} hf_keccak_error")]
    lines = re.sub(r"//.*", "", part)
    return {name: at for at, name in enumerate(re.findall(r"HF_KECCAK_(\w+)", lines))}


Error = enum.IntEnum("Error", _errors())  # type: ignore[misc]  # the header's, in its order
Error.__doc__ = "hf_keccak_error."


class DriverError(Exception):
    """The driver returned an error."""

    def __init__(self, code: int) -> None:
        """Keep it in `error`."""
        self.error = Error(code)
        super().__init__(self.error.name)


class Bus(ctypes.Structure):
    """hf_bus of driver_io.h."""

    _fields_ = (
        ("handle", c_void_p),
        ("read", c_void_p),
        ("write", c_void_p),
        ("reads", c_uint64),
        ("writes", c_uint64),
        ("error", c_char_p),
    )


class Device(ctypes.Structure):
    """hf_keccak_device."""

    _fields_ = (
        ("base", c_size_t),
        ("waits", c_int),
        ("polls", c_uint32),
        ("causes", c_uint32),
        ("functions", c_uint32),
        ("message_words", c_uint32),
        ("digest_words", c_uint32),
        ("owner", c_void_p),
        ("job", c_void_p),
        ("fast", c_uint32),
        ("run", c_uint32),
        ("ends", c_uint32),
    )


class ChainDevice(ctypes.Structure):
    """hf_chain_device."""

    _fields_ = (("base", c_size_t), ("value_bytes", c_uint32), ("trees", c_uint32))


DONE = ctypes.CFUNCTYPE(None, c_void_p)


class Job(ctypes.Structure):
    """hf_keccak_job."""

    _fields_ = (
        ("context", c_void_p),
        ("message", c_void_p),
        ("message_bytes", c_size_t),
        ("output", c_void_p),
        ("output_bytes", c_size_t),
        ("final", c_int),
        ("done", c_void_p),
        ("user", c_void_p),
        ("result", c_int),
        ("limit", c_uint32),
        ("enabled", c_uint32),
    )


CONTEXT_BYTES = 1024
"""More than any context of the headers has (`test_the_structures_are_the_headers`)."""


@functools.cache
def compiled(*more: str, mutant: tuple[str, str, str] | None = None) -> ctypes.CDLL:
    """Return driver/ with these objects, compiled here; `mutant`: file, old text, new."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None
    with tempfile.TemporaryDirectory() as folder:
        sources = list(SOURCES)
        if mutant is not None:
            name, old, new = mutant
            text = (ROOT / "driver" / name).read_text(encoding="utf-8")
            assert text.count(old) == 1, old
            sources.remove(str(ROOT / "driver" / name))
            sources.append(str(Path(folder) / name))
            Path(sources[-1]).write_text(text.replace(old, new), encoding="utf-8")
        path = Path(folder) / "driver.so"
        args = [compiler, "-O2", "-g", *FLAGS, "-fPIC", "-shared", "-o", str(path)]
        args += ["-Itests/driver", "-Idriver", '-DHF_KECCAK_IO="driver_io.h"', *sources, *more]
        done = subprocess.run(args, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return ctypes.CDLL(str(path))


def simulation(name: str, *settings: str) -> PeripheralSim:
    """Return a simulated peripheral: `axil`, for one; settings are as in `--set`."""
    design = find_design("keccak-regs")
    return PeripheralSim(design, design.configured(name, settings))


POLLS = 10_000
"""HF_KECCAK_POLLS of driver/hf_keccak.h: more where the engine is keccak-tiny."""


class Clocked(Protocol):
    """A peripheral whose clock passes: a simulation, or a bench."""

    @property
    def interrupt(self) -> bool:
        """Whether its interrupt is high."""

    def wait(self, clocks: int) -> None:
        """Let clocks pass."""


class Driver:
    """The driver with one device, on the bus of a simulation or of two functions."""

    def __init__(
        self,
        sim: PeripheralSim | None = None,
        *,
        read: Callable[[int], int] | None = None,
        write: Callable[[int, int, int], None] | None = None,
        code: ctypes.CDLL | None = None,
    ) -> None:
        """Without `sim` the bus is `read(address)` and `write(address, data, strobe)`.

        With both, these two are called in place of the simulation where they are given.
        """
        self.code: Any = code or compiled()
        self.bus = Bus()
        self._keep: list[Any] = [sim]
        if sim is not None:
            self.bus.handle, self.bus.read, self.bus.write = sim.bus
        self._fault: BaseException | None = None
        if read is not None:
            self.bus.read = self._callback(READ(lambda _, at, data: self._read(read, at, data)))
        if write is not None:
            self.bus.write = self._callback(
                WRITE(lambda _, at, *rest: self._write(write, at, *rest))
            )
        self.device = Device()

    # An exception does not pass through C: it is raised when that has returned.
    def _read(self, read: Callable[[int], int], address: int, data: Any) -> None:
        try:
            data[0] = 0 if self._fault else read(address)
        except BaseException as fault:
            self._fault = fault

    def _write(self, write: Callable[[int, int, int], None], *arguments: int) -> None:
        try:
            if not self._fault:
                write(*arguments)
        except BaseException as fault:
            self._fault = fault

    def _callback(self, function: Any) -> int:
        self._keep.append(function)
        return ctypes.cast(function, c_void_p).value or 0

    def call(self, name: str, *arguments: Any) -> None:
        """Call hf_keccak_`name`; raise what it returns if that is an error."""
        self.hf(f"keccak_{name}", *arguments)

    def hf(self, name: str, *arguments: Any) -> None:
        """Call hf_`name`; raise what it returns if that is an error."""
        code = self.result(name, *arguments)
        if code:
            raise DriverError(code)

    def output(self, count: int, name: str, *arguments: Any) -> bytes:
        """Call hf_`name` for `count` bytes, its last argument."""
        found = ctypes.create_string_buffer(count)
        self.hf(name, *arguments, found)
        return found.raw

    def result(self, name: str, *arguments: Any) -> Any:
        """Call hf_`name`, and return its Error. Bytes are passed with their length."""
        passed: list[Any] = []
        for argument in arguments:
            if isinstance(argument, bytes | bytearray | ctypes.Array) and not isinstance(
                argument, Context
            ):
                raw = bytes(argument) if isinstance(argument, bytearray) else argument
                passed += [raw, c_size_t(len(raw))]
            elif isinstance(argument, ctypes.Structure):
                passed.append(ctypes.byref(argument))
            else:
                passed.append(argument)
        return self._told(getattr(self.code, f"hf_{name}")(*passed))

    def _told(self, code: int) -> "Error":
        if self._fault is not None:
            raise self._fault
        assert self.bus.error is None, self.bus.error
        return Error(code)

    def open(self) -> "Driver":
        """Find the peripheral."""
        self.call("open", self.device, c_size_t(ctypes.addressof(self.bus)))
        return self

    @property
    def accesses(self) -> int:
        """Register accesses so far."""
        return int(self.bus.reads + self.bus.writes)

    def hash(
        self,
        function: Function,
        data: bytes,
        *,
        bits: int | None = None,
        output_bits: int | None = None,
    ) -> bytes:
        """Hash in one call, as PeripheralSim.hash does; whole bytes go by hf_keccak_hash()."""
        bits = 8 * len(data) if bits is None else bits
        wanted = output_bits if function.xof and output_bits is not None else function.digest_bits
        digest = ctypes.create_string_buffer(-(-wanted // 8))
        if bits % 8 or wanted % 8:
            args = (data, c_size_t(bits), digest, c_size_t(wanted))
            found = self.code.hf_keccak_hash_bits(ctypes.byref(self.device), function.code, *args)
            if code := self._told(found):
                raise DriverError(code)
        else:
            self.call("hash", self.device, function.code, data[: bits // 8], digest)
        return digest.raw

    def context(self, function: Function) -> "Context":
        """Begin a hash."""
        found = self.blank()
        self.call("init", found, self.device, function.code)
        return found

    def hmac(self, function: Function, key: bytes, data: bytes, count: int | None = None) -> bytes:
        """Return `count` bytes of HMAC, all if None."""
        count = function.digest_bits // 8 if count is None else count
        return self.output(count, "hmac", self.device, function.code, key, data)

    def kmac(  # noqa: PLR0913 - the function's own parameters
        self,
        function: Function,
        key: bytes,
        custom: bytes,
        data: bytes,
        count: int,
        *,
        xof: bool = False,
    ) -> bytes:
        """Return KMAC, or `count` bytes of KMACXOF."""
        if not xof:
            return self.output(count, "kmac", self.device, function.code, key, custom, data)
        context = self.blank()
        self.hf("kmac_init", context, self.device, function.code, key, custom)
        context.update(data)
        self.hf("kmac_xof", context)
        found = context.squeeze(count)
        context.stop()
        return found

    def cshake(self, function: Function, name: bytes, custom: bytes) -> "Context":
        """Begin a hash of cSHAKE."""
        found = self.blank()
        self.hf("cshake_init", found, self.device, function.code, name, custom)
        return found

    def tuplehash(
        self, function: Function, texts: Sequence[bytes], custom: bytes, count: int, *, xof: bool
    ) -> bytes:
        """Return TupleHash, or `count` bytes of TupleHashXOF; every other string in pieces."""
        context = self.blank()
        self.hf("tuplehash_init", context, self.device, function.code, custom)
        for number, text in enumerate(texts):
            if number % 2:
                self.hf("tuplehash_begin_string", context, c_size_t(len(text)))
                context.update(text[:7])
                context.update(text[7:])
            else:
                self.hf("tuplehash_add", context, text)
        if not xof:
            return self.output(count, "tuplehash_final", context)
        self.hf("tuplehash_xof", context)
        found = context.squeeze(count)
        context.stop()
        return found

    def parallelhash(  # noqa: PLR0913 - the function's own parameters
        self,
        function: Function,
        parts: Sequence[bytes],
        block_bytes: int,
        custom: bytes,
        count: int,
        *,
        xof: bool,
    ) -> bytes:
        """Return ParallelHash of a message in parts, or `count` bytes of ParallelHashXOF."""
        context = self.blank()
        size = c_size_t(block_bytes)
        self.hf("parallelhash_init", context, self.device, function.code, size, custom)
        for part in parts:
            self.hf("parallelhash_update", context, part)
        if not xof:
            return self.output(count, "parallelhash_final", context)
        self.hf("parallelhash_xof", context)
        found = context.squeeze(count)  # its first member is the outer hash
        self.hf("parallelhash_stop", context)
        return found

    def blank(self) -> "Context":
        """Return the memory of a context, full of rubbish."""
        found = Context(*(0xA5,) * CONTEXT_BYTES)
        found.driver = self
        return found

    def begin(
        self,
        context: "Context",
        message: bytes = b"",
        count: int | None = None,
        final: bool = False,
    ) -> "Work":
        """Begin work by interrupts: absorb `message`; then squeeze `count` bytes, if not None."""
        return Work(self, context, message, count, final=final)

    def finish(self, work: "Work", sim: "Clocked") -> bytes:
        """Wait for interrupts, and call the handler at each, until the work is done."""
        most = 3000 if self.device.polls == POLLS else 60_000  # more of keccak-tiny
        while work.result == Error["PENDING"]:
            for _ in range(most):
                if sim.interrupt:
                    break
                sim.wait(1)
            else:
                raise AssertionError(f"no interrupt in {most} clocks")
            assert self.result("keccak_interrupt", self.device) == work.result
        if work.result:
            raise DriverError(work.result)
        return work.output.raw


class Work:
    """An hf_keccak_job that was begun, and what it points to."""

    def __init__(
        self,
        driver: Driver,
        context: "Context",
        message: bytes,
        count: int | None,
        *,
        final: bool,
    ) -> None:
        """Begin it; `DriverError` if that is refused."""
        self.message, self.context = message, context
        self.output = ctypes.create_string_buffer(count or 0)
        self.calls = 0
        self._done = DONE(self._count)
        self.job = Job(
            context=ctypes.addressof(context),
            message=ctypes.cast(ctypes.c_char_p(message), c_void_p) if message else None,
            message_bytes=len(message),
            output=None if count is None else ctypes.addressof(self.output),
            output_bytes=count or 0,
            final=int(final),
            done=ctypes.cast(self._done, c_void_p),
        )
        found = driver.result("keccak_begin", self.job)
        if found not in (Error["OK"], Error["PENDING"]):
            raise DriverError(found)

    def _count(self, _: int) -> None:
        self.calls += 1

    @property
    def result(self) -> "Error":
        """What the job says of itself."""
        return Error(self.job.result)


class Context(ctypes.Array[c_uint8]):
    """A hash that goes on; each method is the function of its name."""

    _type_ = c_uint8
    _length_ = CONTEXT_BYTES
    driver: Driver

    def update(self, data: bytes) -> None:
        """More of the message."""
        self.driver.call("update", self, data)

    def last_bits(self, last_byte: int, bits: int) -> None:
        """The message's last bits."""
        self.driver.call("last_bits", self, last_byte, bits)

    def end(self, output_bits: int) -> None:
        """The message ends."""
        self.driver.call("end", self, c_uint32(output_bits))

    def squeeze(self, count: int) -> bytes:
        """Return the next bytes of output."""
        return self.driver.output(count, "keccak_squeeze", self)

    def final(self, count: int) -> bytes:
        """Return all of the output."""
        return self.driver.output(count, "keccak_final", self)

    def copy(self) -> "Context":
        """Return another hash with the same message so far."""
        found = self.driver.blank()
        self.driver.call("copy", found, self)
        return found

    def stop(self) -> None:
        """The hash is over."""
        self.driver.call("stop", self)

    def save(self) -> None:
        """Put it aside."""
        self.driver.call("save", self)

    def restore(self) -> None:
        """Take it up."""
        self.driver.call("restore", self)
