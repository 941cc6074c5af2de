"""The `hash` command's handling of messages, on a stand-in for the simulation.

The stand-in hashes with hashlib, so a chunk lost, doubled or out of order gives a wrong digest; of
the messages in its slots the last begun ends first. The RTL itself is tested in tests/rtl.
"""

import hashlib
import io
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.progress import Bars
from hashfabric.commands import hash as hashing
from hashfabric.commands.hash import (
    Digest,
    Event,
    Failed,
    Hashed,
    Hasher,
    HashRequest,
    Json,
    Lines,
    Task,
    task_of,
)
from hashfabric.models import functions
from hashfabric.registry.designs import Design, Variant, find_design
from hashfabric.simulate.stream import Answer, Piece, Source


class FakeSim:
    """hashlib in the place of the simulation: 24 clocks a block and one to start."""

    made = 0
    begun = 0
    most_at_once = 0
    slots = 3
    flag = ""  # where in a digest the error flag comes

    def __init__(self, design: Design, variant: Variant | None) -> None:
        """Count the simulations that are built."""
        FakeSim.made += 1

    def hash_all(self, sources: Iterable[Source | None]) -> Iterator[Piece[Source]]:
        """Hash whole bytes; digests leave in two parts."""
        waiting = iter(sources)
        slots: list[Source] = []
        now = 0
        while True:
            while len(slots) < self.slots and (source := next(waiting, None)) is not None:
                slots.append(source)
                FakeSim.begun += 1
            FakeSim.most_at_once = max(FakeSim.most_at_once, len(slots))
            if not slots:
                return
            slot = len(slots) - 1
            source = slots.pop()
            start, digest = now, b""
            try:
                digest = self.digest(source)
            except LabError as error:
                source.failure = error
            now += 24 * source.function.blocks(source.message_bits) + 1
            if self.flag == "first":
                digest = b""
            wrong = bool(self.flag) or source.failure is not None
            rest = digest[5:]
            if digest:
                source.given += 5
                yield Piece(source, digest[:5])
            source.given += len(rest)
            yield Piece(source, rest, Answer(slot, rest, 0, wrong, start, now - 1))

    @staticmethod
    def digest(source: Source) -> bytes:
        """Read all of it and hash it."""
        message = b"".join(iter(source.next, None))
        name = source.function.name.replace("-", "_")
        if name == "shake128":
            return hashlib.shake_128(message).digest(source.wanted_bits // 8)
        return hashlib.new(name, message).digest()


@pytest.fixture
def toy(toy_root: Path, monkeypatch: pytest.MonkeyPatch) -> Design:
    """The toy, which the stand-in serves."""
    monkeypatch.setattr(hashing, "StreamSim", FakeSim)
    for name, value in {"made": 0, "begun": 0, "most_at_once": 0, "flag": ""}.items():
        monkeypatch.setattr(FakeSim, name, value)
    return find_design("toy", toy_root)


@pytest.fixture
def request_for(toy: Design) -> HashRequest:
    """A request for SHA3-256."""
    return HashRequest(toy, functions.find("sha3-256"))


def files(folder: Path, *contents: bytes) -> list[str]:
    """Files with these contents."""
    paths = [folder / f"file{index}" for index in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    return [str(path) for path in paths]


def told(hasher: Hasher, *names: str) -> list[tuple[str, str]]:
    """The report on each message: its name and its digest, or its name and the error."""
    return in_short(hasher.run([task_of(name) for name in names]))


def in_short(events: Iterable[Event]) -> list[tuple[str, str]]:
    """The same of events; a digest belongs to the message in turn."""
    found = []
    digest = ""
    for event in events:
        match event:
            case Digest():
                digest += event.hex
            case Hashed():
                found.append((event.name, digest))
                digest = ""
            case Failed():
                assert digest == ""
                found.append((event.name, event.error))
    return found


def sha3(data: bytes) -> str:
    """SHA3-256."""
    return hashlib.sha3_256(data).hexdigest()


def value(request: HashRequest, *names: str, capsys: pytest.CaptureFixture[str]) -> object:
    """The JSON value that is printed."""
    printer = Json(request, several=len(names) > 1)
    for event in Hasher(request).run([task_of(name) for name in names]):
        printer.report(event)
    printer.end()
    parsed: object = json.loads(capsys.readouterr().out)
    return parsed


####################
# One message      #
####################


def test_a_file_of_several_chunks(
    request_for: HashRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every byte once, in order, and the numbers that go with it."""
    monkeypatch.setattr(hashing, "CHUNK", 1000)
    data = os.urandom(4321)
    (name,) = files(tmp_path, data)
    assert value(request_for, name, capsys=capsys) == {
        "name": name,
        "design": "toy",
        "function": "sha3-256",
        "digest": sha3(data),
        "bits": 8 * 4321,
        "output_bits": 256,
        "clocks": 24 * 32 + 1,
        "blocks": 32,
        "clocks_per_block": 24.0312,
        "slots": 3,
        "slot": 0,
        "first_clock": 0,
        "last_clock": 24 * 32,
    }


def test_an_empty_file(request_for: HashRequest, tmp_path: Path) -> None:
    """No bytes are a message too."""
    (name,) = files(tmp_path, b"")
    *_, end = Hasher(request_for).run([task_of(name)])
    assert isinstance(end, Hashed)
    assert (end.bits, end.blocks) == (0, 1)
    assert told(Hasher(request_for), name) == [(name, sha3(b""))]


@pytest.mark.parametrize("bits", [0, 1, 5, 8, 9, 80])
def test_the_first_bits_only(request_for: HashRequest, tmp_path: Path, bits: int) -> None:
    """Only the bytes that hold the bits are read, whether all are asked for or this file."""
    (name,) = files(tmp_path, b"0123456789")
    wanted = sha3(b"0123456789"[: -(-bits // 8)])
    some = HashRequest(request_for.design, request_for.function, bits=bits)
    assert told(Hasher(some), name) == [(name, wanted)]
    assert told(Hasher(request_for), f"{name}:{bits}") == [(f"{name}:{bits}", wanted)]
    other = HashRequest(request_for.design, request_for.function, bits=3)
    *_, end = Hasher(other).run([task_of(f"{name}:{bits}")])
    assert isinstance(end, Hashed)
    assert end.bits == bits


def test_a_file_of_the_whole_name_goes_first(tmp_path: Path) -> None:
    """Only a name that is no file may end in a number of bits."""
    name = str(tmp_path / "file:5")
    assert task_of(name) == Task(name, str(tmp_path / "file"), bits=5)
    Path(name).symlink_to("nowhere")
    assert task_of(name) == Task(name, name)
    assert task_of(f"{name}:7") == Task(f"{name}:7", name, bits=7)
    assert task_of("-:5") == Task("-:5", "-", bits=5)
    for whole in (":5", "file:", "file:-5", "file:5x", "file:\u0665", "file:" + 30 * "1", "a:b"):
        assert task_of(whole) == Task(whole, whole)


def test_bits_beyond_the_file(request_for: HashRequest, tmp_path: Path) -> None:
    """One bit too many is reported before any simulation is built."""
    (name,) = files(tmp_path, b"0123456789")
    reason = "81 bits are required, 80 are there"
    some = HashRequest(request_for.design, request_for.function, bits=81)
    assert told(Hasher(some), name) == [(name, reason)]
    assert told(Hasher(request_for), f"{name}:81") == [(f"{name}:81", reason)]
    assert FakeSim.made == 0


def pipe(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Make `data` standard input: a stream without a size."""
    stream = io.TextIOWrapper(io.BytesIO(data))
    monkeypatch.setattr(sys, "stdin", stream)


def test_standard_input(request_for: HashRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` reads all there is."""
    pipe(monkeypatch, b"abc")
    assert told(Hasher(request_for), "-") == [("-", sha3(b"abc"))]


def test_standard_input_is_read_once(
    request_for: HashRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second `-` is an error; it gets nothing of the first, and others go on."""
    (name,) = files(tmp_path, b"xyz")
    pipe(monkeypatch, b"abcdef")
    some = HashRequest(request_for.design, request_for.function, bits=20)
    assert told(Hasher(some), "-", "-", name, "-:8") == [
        ("-", sha3(b"abc")),
        ("-", "standard input has been read already"),
        (name, sha3(b"xyz")),
        ("-:8", "standard input has been read already"),
    ]


def test_too_little_standard_input(
    request_for: HashRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is reported, and the other messages are right, on the same simulation."""
    names = files(tmp_path, b"abc", b"abd")
    pipe(monkeypatch, b"ab")
    some = HashRequest(request_for.design, request_for.function, bits=20)
    assert told(Hasher(some), names[0], "-", names[1]) == [
        (names[0], sha3(b"abc")),
        ("-", "20 bits are required, 16 are there"),
        (names[1], sha3(b"abd")),
    ]
    assert FakeSim.made == 1


def test_files_that_cannot_be_read(request_for: HashRequest, tmp_path: Path) -> None:
    """Missing, a directory, an impossible name, and one that only fails when it is read."""
    (good,) = files(tmp_path, b"abc")
    bad = [str(tmp_path / "none"), str(tmp_path), "a\0b"]
    reasons = ["No such file or directory", "Is a directory", "embedded null byte"]
    assert told(Hasher(request_for), *bad) == list(zip(bad, reasons, strict=True))
    assert FakeSim.made == 0
    assert told(Hasher(request_for), "/proc/self/mem", good) == [
        ("/proc/self/mem", "Input/output error"),
        (good, sha3(b"abc")),
    ]


def test_an_error_flag_is_no_digest(request_for: HashRequest, tmp_path: Path) -> None:
    """When the hardware says that the result is wrong, it is not passed for one."""
    (name,) = files(tmp_path, b"")
    FakeSim.flag = "first"
    assert told(Hasher(request_for), name) == [(name, "toy raised its error flag")]
    FakeSim.flag = "last"  # Some of it has been printed.
    with pytest.raises(LabError, match=f"{name}: toy raised its error flag"):
        told(Hasher(request_for), name)


def test_requests_that_no_file_makes_right(request_for: HashRequest) -> None:
    """A length for a fixed output; one that the port does not take; an unknown function."""
    toy, shake = request_for.design, functions.find("shake128")
    with pytest.raises(LabError, match="--output-bits: sha3-256 has a fixed output of 256 bits"):
        Hasher(HashRequest(toy, functions.find("sha3-256"), output_bits=256))
    for bits in (8, 2**40 - 2):
        Hasher(HashRequest(toy, shake, output_bits=bits))
    for bits in (2**40 - 1, 2**40, 2**64 + 8):
        with pytest.raises(LabError, match=f"^--output-bits: {bits}: the longest is 1099511627774"):
            Hasher(HashRequest(toy, shake, output_bits=bits))
    with pytest.raises(LabError, match="toy does not compute sha3-512"):
        Hasher(HashRequest(toy, functions.find("sha3-512")))


def test_the_stream_that_computes_the_function() -> None:
    """The first that does, where none is named; one that is named must."""
    design = find_design("blake")
    for name, variant in (("blake-256", "stream-256"), ("blake-384", "stream-512")):
        request = HashRequest(design, functions.find(name))
        assert request.stream() == design.variant(variant)
    wrong = HashRequest(design, functions.find("blake-256"), variant="stream-512")
    with pytest.raises(LabError, match="blake stream-512 does not compute blake-256"):
        wrong.check()
    iterative = find_design("keccak-iterative")
    request = HashRequest(iterative, functions.find("turboshake128"))
    request.check()
    assert request.stream() == iterative.variant("stream-turboshake")


####################
# Many messages    #
####################


def test_many_are_reported_in_their_order(request_for: HashRequest, tmp_path: Path) -> None:
    """Whatever the order that they end in; bad ones among them in their places."""
    contents = [bytes([i]) * (i * 37 % 500) for i in range(20)]
    names = files(tmp_path, *contents)
    wanted = [(name, sha3(data)) for name, data in zip(names, contents, strict=True)]
    for place in (0, 7, 14, 20):
        names.insert(place, f"{tmp_path}/none{place}")
        wanted.insert(place, (names[place], "No such file or directory"))
    assert told(Hasher(request_for), *names) == wanted
    assert (FakeSim.made, FakeSim.most_at_once) == (1, FakeSim.slots)


def test_the_clocks_of_a_slot_are_shared_out(request_for: HashRequest, tmp_path: Path) -> None:
    """A message that was sent while its slot had another one does not count that one's clocks."""
    names = files(tmp_path, b"a", b"b", b"c", b"d", b"e")
    ends = [
        event for event in Hasher(request_for).run(map(task_of, names)) if isinstance(event, Hashed)
    ]
    for slot in range(FakeSim.slots):
        spans = sorted((e.first_clock, e.last_clock) for e in ends if e.slot == slot)
        assert all(last < first for (_, last), (first, _) in itertools.pairwise(spans))
    assert all(e.clocks == e.last_clock - e.first_clock + 1 for e in ends)


def test_what_waits_to_be_reported_is_bounded(
    toy: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only messages that have room after the first are begun; a huge one runs by itself."""
    shake = functions.find("shake128")
    names = files(tmp_path, *(bytes([i]) for i in range(100)))
    wanted = [(name, hashlib.shake_128(bytes([i])).hexdigest(9000)) for i, name in enumerate(names)]
    monkeypatch.setattr(hashing, "AHEAD_BYTES", 5 * (9000 + 1024))
    events = Hasher(HashRequest(toy, shake, output_bits=72000)).run(map(task_of, names))
    first = next(events)
    assert FakeSim.begun <= 6
    assert in_short([first, *events]) == wanted
    monkeypatch.setattr(hashing, "AHEAD_BYTES", 9000)
    FakeSim.most_at_once = 0
    assert told(Hasher(HashRequest(toy, shake, output_bits=72000)), *names) == wanted
    assert FakeSim.most_at_once == 1


####################
# Manifests        #
####################


def manifest(folder: Path, *lines: object) -> str:
    """A manifest of these lines."""
    path = folder / "list" / "messages.jsonl"
    path.parent.mkdir(exist_ok=True)
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_manifest(toy: Design, tmp_path: Path) -> None:
    """Files beside it, messages in it, a length for each; its own numbers go first."""
    (tmp_path / "list").mkdir()
    (tmp_path / "list" / "a\nb").write_bytes(b"abcdef")
    name = manifest(
        tmp_path,
        {"hex": "616263"},
        "",
        {"file": "a\nb"},
        {"file": "a\nb", "bits": 16, "output_bits": 80},
        {"hex": "616263", "bits": 0},
    )
    shake = functions.find("shake128")
    hasher = Hasher(HashRequest(toy, shake, bits=24, output_bits=160))
    assert in_short(hasher.run(hasher.manifest(name))) == [
        (f"{name}:1", hashlib.shake_128(b"abc").hexdigest(20)),
        (f"{tmp_path}/list/a\nb", hashlib.shake_128(b"abc").hexdigest(20)),
        (f"{tmp_path}/list/a\nb:16", hashlib.shake_128(b"ab").hexdigest(10)),
        (f"{name}:5", hashlib.shake_128(b"").hexdigest(20)),
    ]


def test_a_manifest_from_standard_input(
    request_for: HashRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no message then."""
    pipe(monkeypatch, b'{"hex": "61"}\n{"file": "-"}\n')
    hasher = Hasher(request_for)
    assert in_short(hasher.run(hasher.manifest("-"))) == [
        ("-:1", sha3(b"a")),
        ("-", "standard input has been read already"),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "Invalid JSON"),
        ("[]", "object"),
        ("\ud800", "Invalid JSON"),
        ({}, "'file' or 'hex' is required, not both"),
        ({"file": "a", "hex": ""}, "'file' or 'hex' is required, not both"),
        ({"hex": "6"}, "hex: non-hexadecimal"),
        ({"hex": "61", "bits": 9}, "'bits' is beyond those of 'hex'"),
        ({"hex": "61", "bits": -1}, "bits: Input should be greater than or equal to 0"),
        ({"hex": "61", "bits": "5"}, "bits: Input should be a valid integer"),
        ({"hex": "61", "output_bits": 0}, "output_bits: Input should be greater"),
        ({"hex": "61", "output_bits": 2**40 - 1}, "output_bits: 1099511627775: the longest is"),
        ({"hex": "61", "length": 8}, "length: Extra inputs"),
    ],
)
def test_a_bad_manifest(toy: Design, tmp_path: Path, line: object, reason: str) -> None:
    """The file, the line and what is wrong with it, in one line."""
    text = line if isinstance(line, str) else json.dumps(line)
    name = manifest(tmp_path, {"hex": ""})
    with Path(name).open("ab") as file:
        file.write(b"\n" + text.encode(errors="surrogatepass"))
    with pytest.raises(LabError) as caught:
        Hasher(HashRequest(toy, functions.find("shake128"))).manifest(name)
    assert str(caught.value).startswith(f"{name}:2: ")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_manifest_that_is_none(request_for: HashRequest, tmp_path: Path) -> None:
    """Nothing there, nothing in it, a length that the function does not take."""
    hasher = Hasher(request_for)
    with pytest.raises(LabError, match="/none: No such file"):
        hasher.manifest(str(tmp_path / "none"))
    with pytest.raises(LabError, match=": no message in it"):
        hasher.manifest(manifest(tmp_path, "", " "))
    with pytest.raises(LabError, match=":1: output_bits: sha3-256 has a fixed output"):
        hasher.manifest(manifest(tmp_path, {"hex": "", "output_bits": 256}))


####################
# What is printed  #
####################


def lines(request: HashRequest, *names: str) -> None:
    """Print the digests of files."""
    with Bars() as bars:
        printer = Lines(bars)
        for event in Hasher(request).run([task_of(name) for name in names]):
            printer.report(event)
        printer.end()


def test_names_are_escaped_as_coreutils_do(
    request_for: HashRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Every line but its digest is what `sha256sum` prints for the same files."""
    monkeypatch.chdir(tmp_path)
    names = ["plain", "a b", " ", "new\nline", "back\\slash", "car\rriage", "all\\\n\r", "t\tab"]
    for name in names:
        Path(name).write_bytes(name.encode())
    lines(request_for, *names)
    ours, clocks = capfd.readouterr()
    program = ["sha256sum", "--", *names]
    theirs = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    for name in names:
        data = name.encode()
        theirs = theirs.replace(hashlib.sha256(data).hexdigest(), sha3(data))
    assert ours == theirs
    assert clocks.count("\n") == len(names) + 1


def test_the_clocks_of_all_together(
    request_for: HashRequest, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A line for each message, and one for the whole when there are several."""
    names = files(tmp_path, b"a", b"b" * 136)
    lines(request_for, names[0])
    assert capfd.readouterr().err == (
        f"{names[0]}: 25 clocks, 1 blocks, 25 clocks a block in one of 3 slots\n"
    )
    lines(request_for, *names)
    assert capfd.readouterr().err.splitlines()[-1] == (
        "all 2 together: 74 clocks, 3 blocks, 24.6667 clocks a block in 3 slots"
    )


def test_json_of_several(
    request_for: HashRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An array in which failed messages have their places; names are not escaped but by JSON."""
    (tmp_path / "a\n\\b").write_bytes(b"abc")
    names = [str(tmp_path / name) for name in ("none", "a\n\\b", "none", "a\n\\b")]
    parsed = value(request_for, *names, capsys=capsys)
    assert isinstance(parsed, list)
    assert [entry["name"] for entry in parsed] == names
    assert [entry.get("error") for entry in parsed] == ["No such file or directory", None] * 2
    assert [entry.get("digest") for entry in parsed] == [None, sha3(b"abc")] * 2
    assert parsed[1].keys() == parsed[3].keys() > {"bits", "clocks", "slot", "first_clock"}


def test_json_of_one_that_failed(
    request_for: HashRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An object with the reason."""
    name = str(tmp_path / "none")
    assert value(request_for, name, capsys=capsys) == {
        "name": name,
        "error": "No such file or directory",
    }


def test_json_of_long_digests(
    toy: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are printed as they come, and the value is the same as when it is held."""
    names = files(tmp_path, b"a", b"b", b"c")
    request = HashRequest(toy, functions.find("shake128"), output_bits=80000)
    held = value(request, *names, capsys=capsys)
    monkeypatch.setattr(hashing, "_HELD_TEXT", 1000)
    assert value(request, *names, capsys=capsys) == held
    printer = Json(request, several=False)
    for event in Hasher(request).run([task_of(names[0])]):
        if isinstance(event, Digest) and len(event.hex) > 1000:
            printer.report(event)
            assert event.hex in capsys.readouterr().out
            return
        printer.report(event)
    pytest.fail("no long part")
