"""NIST's ACVP request files for SHA-3, SHAKE and SP 800-185, answered by a simulated stream top.

The formats are those of draft-celi-acvp-sha3 and draft-celi-acvp-xof. The former's hexadecimal
strings are left-aligned: the last bits of a length that is no multiple of 8 are the highest of
their byte (FIPS 202: the lowest, in the same order). Only outputs of SHAKE's revision 1.0 are as in
FIPS 202: NIST's server has them so. Of the latter only whole bytes are answered, and known answers
(AFT) and MACs (MVT).
"""

import math
import string
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import pydantic_core
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeRemainingColumn

from hashfabric.base.datafile import first_fault, one_of
from hashfabric.base.errors import LabError
from hashfabric.commands import hash as hashing
from hashfabric.commands.framing import blocks
from hashfabric.commands.hash import CHUNK
from hashfabric.models import functions
from hashfabric.models.family import Function
from hashfabric.models.sp800_185 import FRAMED, Framed, Framing, bit_string, left_encode
from hashfabric.registry.designs import Design, default_design
from hashfabric.simulate.stream import StreamMessage, StreamSim

_SHA3 = {"1.0": ["AFT", "MCT", "LDT"], "2.0": ["AFT", "MCT", "LDT"]}
_SHAKE = {"1.0": ["AFT", "VOT", "MCT", "LDT"], "FIPS202": ["AFT", "VOT", "LDT"]}
_TEST_TYPES = {  # by algorithm and revision
    "SHA3-224": _SHA3,
    "SHA3-256": _SHA3,
    "SHA3-384": _SHA3,
    "SHA3-512": _SHA3,
    "SHAKE-128": _SHAKE,
    "SHAKE-256": _SHAKE,
    **{
        f"{name}-{strength}": {"1.0": ["AFT", "MVT"] if name == "KMAC" else ["AFT"]}
        for name in ("CSHAKE", "KMAC", "TUPLEHASH", "PARALLELHASH")
        for strength in (128, 256)
    },
}

_MOST_BITS = 1 << 63
_MOST_OUTPUT_BITS = 65536  # the specification's own limit

MONTE_CARLO_RESULTS = 100
"""Digests that a Monte Carlo test answers with, ..."""

MONTE_CARLO_HASHES = 1000
"""... and messages from one of them to the next."""

_SHAKE_SEED_BITS = 128


####################
# Requests         #
####################


def _bytes(value: object) -> bytes:
    if not isinstance(value, str):
        raise ValueError("must be a string of hexadecimal digits")
    if not set(value) <= set(string.hexdigits):
        raise ValueError("not hexadecimal digits")
    if len(value) % 2:
        raise ValueError("an odd number of hexadecimal digits")
    return bytes.fromhex(value)


_Hex = Annotated[bytes, BeforeValidator(_bytes)]
_Length = Annotated[int, Field(ge=0, lt=_MOST_BITS)]


class _Part(BaseModel):
    """Base of the parts of a request: types are not converted; unknown keys are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class LargeMessage(_Part):
    """A message too long to be written down; lengths in bits."""

    content: _Hex
    content_length: Annotated[int, Field(alias="contentLength", ge=1)]
    full_length: Annotated[_Length, Field(alias="fullLength")]
    technique: Annotated[Literal["repeating"], Field(alias="expansionTechnique")]


class Case(_Part):
    """One test; which fields it needs depends on its group's type. Lengths in bits."""

    tc_id: Annotated[int, Field(alias="tcId")]
    msg: _Hex | None = None
    bits: Annotated[_Length | None, Field(alias="len")] = None
    lengths: list[_Length] | None = None
    """`len` of a tuple: one for each string."""
    output_bits: Annotated[int | None, Field(alias="outLen", ge=1, le=_MOST_OUTPUT_BITS)] = None
    large: Annotated[LargeMessage | None, Field(alias="largeMsg")] = None
    # SP 800-185.
    function_name: Annotated[str, Field(alias="functionName")] = ""
    customization: str = ""
    customization_hex: Annotated[_Hex | None, Field(alias="customizationHex")] = None
    message_bits: Annotated[_Length | None, Field(alias="msgLen")] = None
    key: _Hex | None = None
    key_bits: Annotated[_Length | None, Field(alias="keyLen")] = None
    mac: _Hex | None = None
    mac_bits: Annotated[int | None, Field(alias="macLen", ge=1, le=_MOST_OUTPUT_BITS)] = None
    texts: Annotated[list[_Hex] | None, Field(alias="tuple")] = None
    block_bytes: Annotated[int | None, Field(alias="blockSize", ge=1)] = None

    @model_validator(mode="before")
    @classmethod
    def _lengths(cls, value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("len"), list):
            return {**value, "len": None, "lengths": value["len"]}
        return value


_LimitBits = Annotated[int | None, Field(ge=16, le=_MOST_OUTPUT_BITS, multiple_of=8)]


class TestGroup(_Part):
    """Tests of one type; the output lengths (bits) are those of SHAKE's Monte Carlo test."""

    tg_id: Annotated[int, Field(alias="tgId")]
    test_type: Annotated[str, Field(alias="testType")]
    mct_version: Annotated[str, Field(alias="mctVersion")] = "standard"
    least_output_bits: Annotated[_LimitBits, Field(alias="minOutLen")] = None
    most_output_bits: Annotated[_LimitBits, Field(alias="maxOutLen")] = None
    xof: bool = False
    hex_customization: Annotated[bool, Field(alias="hexCustomization")] = False
    tests: list[Case]


class VectorSet(_Part):
    """A request: all of it is of one function."""

    vs_id: Annotated[int, Field(alias="vsId")]
    algorithm: str
    revision: str
    is_sample: Annotated[bool | None, Field(alias="isSample")] = None
    groups: Annotated[list[TestGroup], Field(alias="testGroups")]

    @property
    def function(self) -> Function:
        """The hash function, or the sponge of one that is framed.

        `LabError` if algorithm or revision is unknown.
        """
        name = self.algorithm.upper()
        if name not in _TEST_TYPES:
            raise one_of("algorithm", self.algorithm, list(_TEST_TYPES))
        if self.revision not in _TEST_TYPES[name]:
            known = list(_TEST_TYPES[name])
            raise one_of(f"revision of {self.algorithm}", self.revision, known)
        framed = functions.find_framed(name)
        return functions.find(name.replace("SHAKE-", "SHAKE")) if framed is None else framed.cshake


class Header(_Part):
    """The entry before the vector set in a list of both."""

    version: Annotated[str, Field(alias="acvVersion")]


@dataclass(frozen=True)
class AcvpRequest:
    """A request file's content; the header where the file is a list of both."""

    vectors: VectorSet
    header: Header | None

    def response(self, answers: Iterable[dict[str, Any]]) -> Any:
        """Return the response's JSON value, with `answers` in the order of the request's tests."""
        due = iter(answers)
        vectors = self.vectors
        body: dict[str, Any] = {
            "vsId": vectors.vs_id,
            "algorithm": vectors.algorithm,
            "revision": vectors.revision,
        }
        if vectors.is_sample is not None:
            body["isSample"] = vectors.is_sample
        body["testGroups"] = [
            {
                "tgId": group.tg_id,
                "tests": [{"tcId": case.tc_id, **next(due)} for case in group.tests],
            }
            for group in vectors.groups
        ]
        return body if self.header is None else [{"acvVersion": self.header.version}, body]


def load(name: str) -> AcvpRequest:
    """Read the request file `name` (`-`: standard input); `LabError` with its first fault."""
    text = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    try:
        value = pydantic_core.from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise LabError(f"{name}: not valid JSON: {error}") from error
    parts = value if isinstance(value, list) else [None, value]
    if len(parts) != 2:  # noqa: PLR2004 - header and set
        raise LabError(f"{name}: neither a vector set nor a list of a header and one")
    try:
        header = None if parts[0] is None else Header.model_validate(parts[0])
        return AcvpRequest(VectorSet.model_validate(parts[1]), header)
    except ValidationError as error:
        raise LabError(f"{name}: {first_fault(error)}") from error


####################
# Tests            #
####################


T = TypeVar("T")
_Result = dict[str, Any]
"""The response to a test, without its number."""

_Chain = Generator[StreamMessage, bytes, _Result]
"""Messages, each made of the digest before."""


@dataclass(frozen=True)
class _Chained:
    """A test of messages that are sent whole: the first of them, and `blocks` of all, roughly."""

    what: str
    first: StreamMessage
    rest: _Chain
    blocks: int


@dataclass(frozen=True)
class _Large:
    """A test of one message that is made while it is sent; `left`: as its output is aligned."""

    what: str
    text: LargeMessage
    output_bits: int | None
    left: bool
    blocks: int


def _jobs(vectors: VectorSet) -> list[_Chained | _Large]:
    """Prepare all tests, in order; `LabError` on the first one that cannot be answered."""
    known = _TEST_TYPES[vectors.algorithm.upper()][vectors.revision]
    jobs = []
    for group in vectors.groups:
        if group.test_type not in known:
            kind = f"test type of {vectors.algorithm} {vectors.revision}"
            raise LabError(f"tgId {group.tg_id}: {one_of(kind, group.test_type, known)}")
        for case in group.tests:
            what = f"tgId {group.tg_id}, tcId {case.tc_id}"
            try:
                jobs.append(_job(what, vectors, group, case))
            except LabError as error:
                raise LabError(f"{what}: {error}") from error
    return jobs


def _job(what: str, vectors: VectorSet, group: TestGroup, case: Case) -> _Chained | _Large:
    function, left = vectors.function, vectors.revision == "FIPS202"
    if (framed := functions.find_framed(vectors.algorithm)) is not None:
        chain = _framed_chain(framed, group, case)
        first = next(chain)
        return _Chained(what, first, chain, _blocks(first))
    if group.test_type == "MCT":
        chain = (_shake_chain if function.xof else _chain)(function, group, case)
        first = next(chain)
        count = MONTE_CARLO_RESULTS * MONTE_CARLO_HASHES
        return _Chained(what, first, chain, count * _blocks(first))
    output_bits = _needed(case.output_bits, "outLen") if function.xof else None
    if group.test_type == "LDT":
        text = _needed(case.large, "largeMsg")
        if 8 * len(text.content) < text.content_length:
            raise LabError(f"content has {8 * len(text.content)} bits, not those of contentLength")
        blocks = function.blocks(text.full_length, output_bits)
        return _Large(what, text, output_bits, left, blocks)
    chain = _single(_to_send(function, *_given(case), output_bits), left=left)
    first = next(chain)
    return _Chained(what, first, chain, _blocks(first))


def _blocks(message: StreamMessage) -> int:
    bits = 8 * len(message.data) if message.bits is None else message.bits
    return message.function.blocks(bits, message.output_bits)


def _given(case: Case) -> tuple[bytes, int]:
    """Return the message or seed as in the request, and its length in bits."""
    data, bits = _needed(case.msg, "msg"), _needed(case.bits, "len")
    if 8 * len(data) < bits:
        raise LabError(f"msg has {8 * len(data)} bits, not the {bits} of len")
    data = data[: -(-bits // 8)]
    if bits % 8 and data[-1] & 0xFF >> bits % 8:
        raise LabError("msg has bits set beyond len: the last bits are the highest of their byte")
    return data, bits


def _needed(value: T | None, name: str) -> T:
    if value is None:
        raise LabError(f"{name} is missing")
    return value


def _to_send(function: Function, data: bytes, bits: int, output_bits: int | None) -> StreamMessage:
    """Return the first `bits` bits of the left-aligned `data` as the stream takes them.

    Zeros follow where `data` is shorter.
    """
    size = -(-bits // 8)
    data = data[:size].ljust(size, b"\0")
    if bits % 8:
        data = data[:-1] + bytes([data[-1] >> -bits % 8])
    return StreamMessage(function, data, bits, output_bits)


def _single(message: StreamMessage, *, left: bool) -> _Chain:
    digest = yield message
    return _result(digest, message.output_bits, left=left)


def _result(digest: bytes, output_bits: int | None, *, left: bool) -> _Result:
    if output_bits is None:
        return {"md": _hex(digest)}
    if left:
        digest = digest[:-1] + bytes([digest[-1] << -output_bits % 8])
    return {"md": _hex(digest), "outLen": output_bits}


def _chain(function: Function, group: TestGroup, case: Case) -> _Chain:
    """SHA-3's Monte Carlo test; in the alternate one each message is as long as the seed."""
    if group.mct_version not in {"standard", "alternate"}:
        raise one_of("mctVersion", group.mct_version, ["standard", "alternate"])
    digest, bits = _given(case)
    results = []
    for _ in range(MONTE_CARLO_RESULTS):
        for _ in range(MONTE_CARLO_HASHES):
            digest = yield _to_send(function, digest, bits, None)
            if group.mct_version == "standard":
                bits = function.digest_bits
        results.append({"md": _hex(digest)})
    return {"resultsArray": results}


def _shake_chain(function: Function, group: TestGroup, case: Case) -> _Chain:
    """SHAKE's: the first bits of each output are hashed, its last ones give the next length."""
    if group.mct_version != "standard":
        raise one_of("mctVersion", group.mct_version, ["standard"])
    least = _needed(group.least_output_bits, "the group's minOutLen") // 8
    most = _needed(group.most_output_bits, "the group's maxOutLen") // 8
    if least > most:
        raise LabError(f"minOutLen is {8 * least}, maxOutLen {8 * most}")
    digest, _ = _given(case)
    size = most
    results = []
    for _ in range(MONTE_CARLO_RESULTS):
        for _ in range(MONTE_CARLO_HASHES):
            digest = yield _to_send(function, digest, _SHAKE_SEED_BITS, 8 * size)
            size = least + int.from_bytes(digest[-2:], "big") % (most - least + 1)
        results.append({"md": _hex(digest), "outLen": 8 * len(digest)})
    return {"resultsArray": results}


def _framed_chain(framed: Framed, group: TestGroup, case: Case) -> _Chain:
    """One test of a function of SP 800-185: ParallelHash's blocks, and the framed message."""
    if group.xof and framed.kind != "cshake":
        framed = FRAMED[f"{framed.kind}xof{framed.strength}"]
    is_mac = framed.kind == "kmac"
    output_bits = (
        _needed(case.mac_bits, "macLen") if is_mac else _needed(case.output_bits, "outLen")
    )
    if output_bits % 8:
        raise LabError(f"an output of {output_bits} bits: only whole bytes")
    framing = Framing(
        framed,
        key=bit_string(_whole(case.key, case.key_bits, "key", "keyLen") if is_mac else b""),
        name=_text(case.function_name, "functionName"),
        custom=_needed(case.customization_hex, "customizationHex")
        if group.hex_customization
        else _text(case.customization, "customization"),
        block_bytes=_needed(case.block_bytes, "blockSize") if framed.kind == "parallelhash" else 0,
    )
    count = 0
    if framed.kind == "tuplehash":
        texts = _needed(case.texts, "tuple")
        lengths = _needed(case.lengths, "len")
        if len(texts) != len(lengths):
            raise LabError(f"tuple has {len(texts)} strings, len {len(lengths)} lengths")
        strings = [_whole(*pair, "tuple", "len") for pair in zip(texts, lengths, strict=True)]
        body = b"".join(left_encode(8 * len(text)) + text for text in strings)
    else:
        bits, field = (case.message_bits, "msgLen") if is_mac else (case.bits, "len")
        body = _whole(case.msg, bits, "msg", field)
    if framed.kind == "parallelhash":
        inner = b""
        for block, _ in blocks([body], None, framing.block_bytes):
            inner += yield StreamMessage(framed.shake, block, None, framed.digest_bits)
            count += 1
        body = inner
    text = framing.before() + body + framing.after(output_bits, count)
    digest = yield StreamMessage(framing.sponge, text, None, output_bits)
    if group.test_type == "MVT":
        return {"testPassed": digest == _whole(case.mac, output_bits, "mac", "macLen")}
    return {"mac": _hex(digest)} if is_mac else {"md": _hex(digest), "outLen": output_bits}


def _whole(data: bytes | None, bits: int | None, name: str, length: str) -> bytes:
    """Return a string of whole bytes, as long as stated."""
    data, bits = _needed(data, name), _needed(bits, length)
    if bits % 8:
        raise LabError(f"{length} {bits}: only whole bytes")
    if 8 * len(data) < bits:
        raise LabError(f"{name} has {8 * len(data)} bits, not the {bits} of {length}")
    return data[: bits // 8]


def _text(text: str, name: str) -> bytes:
    if not text.isascii():
        raise LabError(f"{name} is not ASCII")
    return text.encode()


def _hex(data: bytes) -> str:
    return data.hex().upper()


def _expanded(text: LargeMessage) -> Iterator[bytes]:
    """Yield the message that `text` stands for, as the stream takes it, in chunks."""
    length = text.content_length
    content = int.from_bytes(text.content, "big") >> 8 * len(text.content) - length
    # Repeat to whole bytes, then repeat those to a chunk.
    unit, repetitions = 0, 8 // math.gcd(length, 8)
    for _ in range(repetitions):
        unit = unit << length | content
    size = length * repetitions // 8
    chunk = unit.to_bytes(size, "big") * -(-CHUNK // size)
    whole, rest = divmod(text.full_length, 8)
    for start in range(0, whole, len(chunk)):
        yield chunk[: whole - start]
    if rest:
        yield bytes([chunk[whole % len(chunk)] >> 8 - rest])


####################
# Running          #
####################

_Answers = dict[int, _Result]
_Advance = Callable[[int], None]


def answer(request: AcvpRequest, design: Design | None = None, variant: str | None = None) -> Any:
    """Answer every test of `request`; return the response's JSON value.

    By `design`'s stream called `variant`, else by the first for the function; without a design, by
    the function's simplest. `LabError` on the first test that cannot be answered, before any runs.
    """
    function = request.vectors.function
    jobs = _jobs(request.vectors)
    wanted = hashing.HashRequest(design or default_design(function), function, variant=variant)
    wanted.check()
    if (framed := functions.find_framed(request.vectors.algorithm)) is not None:
        replace(wanted, function=framed.shake).check()
    if not jobs:
        return request.response([])
    sim = StreamSim(wanted.design, wanted.stream())
    chains = {index: job for index, job in enumerate(jobs) if isinstance(job, _Chained)}
    with _bar(request.vectors.algorithm, sum(job.blocks for job in jobs)) as advance:
        answers = _run_chains(sim, chains, advance)
        for index, job in enumerate(jobs):
            if isinstance(job, _Large):
                answers[index] = _run_large(sim, function, job, advance)
    return request.response(answers[index] for index in range(len(jobs)))


def _run_chains(sim: StreamSim, jobs: dict[int, _Chained], advance: _Advance) -> _Answers:
    """Run chains, one in each slot: a message of every one, then the next."""
    # A round takes as long as its longest message, so neighbours should be equally long.
    waiting = deque(sorted(jobs, key=lambda index: -jobs[index].blocks))
    sent: dict[int, tuple[int, StreamMessage]] = {}
    answers = {}
    while waiting or sent:
        for slot in range(sim.slots):
            if slot not in sent and waiting:
                index = waiting.popleft()
                sent[slot] = (index, jobs[index].first)
        for slot, (_, message) in sent.items():
            sim.push(replace(message, slot=slot))
        for result in sim.run():
            index, message = sent.pop(result.slot)
            if result.error:
                raise _error_flag(sim, jobs[index].what)
            advance(_blocks(message))
            try:
                sent[result.slot] = (index, jobs[index].rest.send(result.digest))
            except StopIteration as stop:
                answers[index] = stop.value
    return answers


def _run_large(sim: StreamSim, function: Function, job: _Large, advance: _Advance) -> _Result:
    def chunks() -> Iterator[bytes]:
        for chunk in _expanded(job.text):
            yield chunk
            advance(8 * len(chunk) // function.rate_bits)

    bits = job.text.full_length
    run = sim.hash(function, chunks(), bits=bits, output_bits=job.output_bits)
    if run.error:
        raise _error_flag(sim, job.what)
    return _result(run.digest, job.output_bits, left=job.left)


def _error_flag(sim: StreamSim, what: str) -> LabError:
    return LabError(f"{what}: {sim.name} raised its error flag")


@contextmanager
def _bar(text: str, blocks: int) -> Iterator[_Advance]:
    """Show a bar on a terminal; the function that is yielded counts blocks done."""
    console = Console(file=sys.stderr)
    columns = ("{task.description}", BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    least = max(blocks // 1000, 1)  # Drawing takes longer than hashing a short message.
    done = told = 0
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(text, total=blocks)

        def advance(count: int) -> None:
            nonlocal done, told
            done += count
            if done - told >= least:
                told = done
                bar.update(task, completed=done)

        yield advance
