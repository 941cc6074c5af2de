"""The `hash` command's handling of files, on a stand-in for the simulation.

The stand-in hashes with hashlib, so a chunk lost, doubled or out of order gives a wrong digest.
The RTL itself is tested in verif/.
"""

import hashlib
import io
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from hashfabric import functions, hashing
from hashfabric.errors import LabError
from hashfabric.functions import Function
from hashfabric.hashing import FileError, Hasher, Request
from hashfabric.registry import Design, Variant, find_design
from hashfabric.simulate import HashRun


class FakeSim:
    """hashlib in the place of the simulation; cannot be used again once a message broke off."""

    made = 0
    slots = 1

    def __init__(self, design: Design, variant: Variant | None) -> None:
        """Count the simulations that are built."""
        FakeSim.made += 1
        self.broken = False

    def hash(
        self,
        function: Function,
        chunks: Iterable[bytes],
        *,
        bits: int | None = None,
        output_bits: int | None = None,
    ) -> HashRun:
        """Hash whole bytes; 24 clocks a block and one to start."""
        assert not self.broken
        self.broken = True
        message = b"".join(chunks)
        self.broken = False
        if bits is not None:
            assert len(message) == -(-bits // 8), "not the bytes that hold these bits"
        blocks = len(message) // 136 + 1
        digest = hashlib.sha3_256(message).digest()
        return HashRun(digest=digest, clocks=24 * blocks + 1, blocks=blocks, error=False)


@pytest.fixture
def request_for(toy_root: Path, monkeypatch: pytest.MonkeyPatch) -> Request:
    """A request for SHA3-256 on the toy, which the stand-in serves."""
    monkeypatch.setattr(hashing, "StreamSim", FakeSim)
    FakeSim.made = 0
    return Request(find_design("toy", toy_root), functions.find("sha3-256"))


def test_a_file_of_several_chunks(
    request_for: Request, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every byte once, in order, and the numbers that go with it."""
    monkeypatch.setattr(hashing, "CHUNK", 1000)
    data = os.urandom(4321)
    path = tmp_path / "file"
    path.write_bytes(data)
    assert Hasher(request_for).hash(str(path)).as_json() == {
        "name": str(path),
        "design": "toy",
        "function": "sha3-256",
        "digest": hashlib.sha3_256(data).hexdigest(),
        "bits": 8 * 4321,
        "output_bits": 256,
        "clocks": 24 * 32 + 1,
        "blocks": 32,
        "clocks_per_block": 24.0312,
        "slots": 1,
    }


def test_an_empty_file(request_for: Request, tmp_path: Path) -> None:
    """No bytes are a message too."""
    (tmp_path / "empty").touch()
    result = Hasher(request_for).hash(str(tmp_path / "empty"))
    assert result.digest == hashlib.sha3_256(b"").hexdigest()
    assert (result.bits, result.blocks) == (0, 1)


@pytest.mark.parametrize("bits", [0, 1, 5, 8, 9, 80])
def test_the_first_bits_only(request_for: Request, tmp_path: Path, bits: int) -> None:
    """Only the bytes that hold the bits are read."""
    (tmp_path / "file").write_bytes(b"0123456789")
    some = Request(request_for.design, request_for.function, bits=bits)
    result = Hasher(some).hash(str(tmp_path / "file"))
    assert result.bits == bits
    assert result.digest == hashlib.sha3_256(b"0123456789"[: -(-bits // 8)]).hexdigest()


def test_bits_beyond_the_file(request_for: Request, tmp_path: Path) -> None:
    """One bit too many is told, before any simulation is built."""
    (tmp_path / "file").write_bytes(b"0123456789")
    some = Request(request_for.design, request_for.function, bits=81)
    with pytest.raises(FileError, match="--bits 81 is beyond the file's 80 bits"):
        Hasher(some).hash(str(tmp_path / "file"))
    assert FakeSim.made == 0


def pipe(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Make `data` standard input: a stream without a size."""
    stream = io.TextIOWrapper(io.BytesIO(data))
    monkeypatch.setattr(sys, "stdin", stream)


def test_standard_input(request_for: Request, monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` reads all there is."""
    pipe(monkeypatch, b"abc")
    result = Hasher(request_for).hash("-")
    assert (result.name, result.bits) == ("-", 24)
    assert result.digest == hashlib.sha3_256(b"abc").hexdigest()


def test_bits_of_standard_input(request_for: Request, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is needed is read; too little is told."""
    pipe(monkeypatch, b"abcdef")
    some = Request(request_for.design, request_for.function, bits=20)
    hasher = Hasher(some)
    assert hasher.hash("-").digest == hashlib.sha3_256(b"abc").hexdigest()
    pipe(monkeypatch, b"ab")
    with pytest.raises(FileError, match="-: --bits 20 is beyond the file's 16 bits"):
        hasher.hash("-")


def test_a_simulation_is_built_once_but_not_used_after_a_fault(
    request_for: Request, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that breaks off must not spoil the next one's digest."""
    (tmp_path / "file").write_bytes(b"abc")
    some = Request(request_for.design, request_for.function, bits=24)
    hasher = Hasher(some)
    hasher.hash(str(tmp_path / "file"))
    hasher.hash(str(tmp_path / "file"))
    assert FakeSim.made == 1
    pipe(monkeypatch, b"ab")
    with pytest.raises(FileError):
        hasher.hash("-")
    hasher.hash(str(tmp_path / "file"))
    assert FakeSim.made == 2


def test_files_that_cannot_be_read(request_for: Request, tmp_path: Path) -> None:
    """Missing, a directory, or an impossible name."""
    hasher = Hasher(request_for)
    for name, reason in (
        (str(tmp_path / "none"), "No such file"),
        (str(tmp_path), "Is a directory"),
        ("a\0b", "null"),
    ):
        with pytest.raises(FileError, match=reason):
            hasher.hash(name)
    assert FakeSim.made == 0


def test_requests_that_no_file_makes_right(request_for: Request) -> None:
    """A length for a fixed output; a function that the design lacks."""
    with pytest.raises(LabError, match="--output-bits: sha3-256 has a fixed output of 256 bits"):
        Hasher(Request(request_for.design, functions.find("sha3-256"), output_bits=256))
    Hasher(Request(request_for.design, functions.find("shake128"), output_bits=8))
    with pytest.raises(LabError, match="toy does not compute sha3-512"):
        Hasher(Request(request_for.design, functions.find("sha3-512")))


def test_the_stream_that_computes_the_function() -> None:
    """The first that does, where none is named; one that is named must."""
    design = find_design("blake")
    for name, variant in (("blake-256", "stream-256"), ("blake-384", "stream-512")):
        request = Request(design, functions.find(name))
        assert request.stream() == design.variant(variant)
    wrong = Request(design, functions.find("blake-256"), variant="stream-512")
    with pytest.raises(LabError, match="blake stream-512 does not compute blake-256"):
        wrong.check()


def test_an_error_flag_is_no_digest(
    request_for: Request, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the hardware says that the result is wrong, nothing is printed as a digest."""
    (tmp_path / "file").touch()
    wrong = HashRun(digest=b"\0" * 32, clocks=25, blocks=1, error=True)
    monkeypatch.setattr(FakeSim, "hash", lambda *args, **kwargs: wrong)
    with pytest.raises(FileError, match="error flag"):
        Hasher(request_for).hash(str(tmp_path / "file"))
