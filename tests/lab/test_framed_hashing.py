"""SP 800-185 and KangarooTwelve through the `hash` command: framing in software around the RTL."""

import io
import json
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hashfabric.commands import cli, framing
from hashfabric.commands import hash as hashing
from hashfabric.models import keccak, rfc9861
from hashfabric.models.sp800_185 import FRAMED, bit_string, kmac, parallelhash, tuplehash
from hashfabric.registry.designs import Design, Variant
from hashfabric.simulate.stream import Answer, Piece, Source
from tests.support.oracles import framed_digest, kt128_digest
from tests.support.samples import Sample, nist_samples


class ModelSim:
    """The golden model in the simulation's place; the last begun message of a slot ends first."""

    slots = 3
    most_at_once = 0
    fails = False

    def __init__(self, design: Design, variant: Variant | None) -> None:
        """Begin at clock 0."""
        self._now = 0

    def hash_all(self, sources: Iterable[Source | None]) -> Iterator[Piece[Source]]:
        """Hash up to `slots` messages at once."""
        waiting = iter(sources)
        slots: list[Source] = []
        while True:
            while len(slots) < self.slots and (source := next(waiting, None)) is not None:
                slots.append(source)
            ModelSim.most_at_once = max(ModelSim.most_at_once, len(slots))
            if not slots:
                return
            source = slots.pop()
            data = b"".join(iter(source.next, None))
            assert len(data) == -(-source.message_bits // 8)
            digest = keccak.digest(
                source.function, data, bits=source.message_bits, output_bits=source.wanted_bits
            )
            start = self._now
            self._now += 24 * source.function.blocks(source.message_bits, source.wanted_bits)
            source.given += len(digest)
            yield Piece(source, digest, Answer(0, digest, 0, self.fails, start, self._now - 1))


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the stand-in, and small chunks."""
    monkeypatch.setattr(hashing, "StreamSim", ModelSim)
    monkeypatch.setattr(hashing, "CHUNK", 50)
    monkeypatch.setattr(ModelSim, "most_at_once", 0)
    monkeypatch.setattr(ModelSim, "fails", False)


def written(folder: Path, *contents: bytes) -> list[str]:
    """The names of files with these contents."""
    names = []
    for index, content in enumerate(contents):
        path = folder / f"text{index}"
        path.write_bytes(content)
        names.append(str(path))
    return names


def told(capsys: pytest.CaptureFixture[str], *args: str) -> list[dict[str, Any]]:
    """The command's JSON, as a list."""
    assert cli.main(["hash", "--json", *args]) == 0
    value = json.loads(capsys.readouterr().out)
    return value if isinstance(value, list) else [value]


def arguments(sample: Sample, folder: Path) -> list[str]:
    """The command line of a sample."""
    options = ["--function", sample.function, "--output-bits", str(8 * len(sample.output))]
    options += ["--custom", sample.custom.decode("latin-1")]
    if sample.function.startswith("kmac"):
        (folder / "key").write_bytes(sample.key)
        options += ["--key", str(folder / "key")]
    if sample.block_bytes:
        options += ["--block-bytes", str(sample.block_bytes)]
    if sample.texts:
        return [*options, "--tuple", *written(folder, *sample.texts)]
    return [*options, *written(folder, sample.data)]


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("name", FRAMED)
def test_samples_of_nist(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All of a function's."""
    for sample in nist_samples():
        if sample.function == name:
            (entry,) = told(capsys, *arguments(sample, tmp_path))
            assert entry["digest"] == sample.output.hex()
            assert entry["function"] == name
            texts = sample.texts or (sample.data,)
            assert entry["bits"] == 8 * sum(len(text) for text in texts)


@pytest.mark.parametrize(
    "engine", ["keccak-iterative", pytest.param("keccak-pipelined", marks=pytest.mark.slow)]
)
def test_samples_through_the_rtl(
    engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of KMAC, TupleHash and ParallelHash: with one slot, and with several."""
    for name in ("kmac128", "tuplehashxof256", "parallelhash128"):
        sample = [sample for sample in nist_samples() if sample.function == name][-1]
        (entry,) = told(capsys, "--design", engine, *arguments(sample, tmp_path))
        assert entry["digest"] == sample.output.hex()


@pytest.mark.usefixtures("model")
def test_messages_of_many_chunks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Several files with one key; blocks of ParallelHash across chunks and in all slots."""
    rng = random.Random(1)
    data = [rng.randbytes(count) for count in (0, 1, 333, 1000)]
    names = written(tmp_path, *data)
    key = rng.randbytes(200)
    (tmp_path / "key").write_bytes(key)
    found = told(capsys, "--function", "KMAC256", "--key", str(tmp_path / "key"), *names)
    assert [entry["digest"] for entry in found] == [
        framed_digest("kmac256", 64, key=key, data=text).hex() for text in data
    ]
    for size in (7, 50, 64, 2000):
        options = ["--function", "parallelhash128", "--block-bytes", str(size)]
        for entry, text in zip(told(capsys, *options, *names), data, strict=True):
            wanted = framed_digest("parallelhash128", 32, data=text, block_bytes=size)
            assert entry["digest"] == wanted.hex()
            blocks = -(-len(text) // size)
            inner = blocks * (size // 168 + 1) - (len(text) % size != 0 and size > 168) * (
                size // 168 - len(text) % size // 168
            )
            outer = (168 + 2 + 32 * blocks + 2 + (blocks > 255) + 3) // 168 + 1
            assert entry["blocks"] == inner + outer
            assert entry["clocks"] == 24 * entry["blocks"]
    assert ModelSim.most_at_once == ModelSim.slots


@pytest.mark.usefixtures("model")
def test_strings_that_end_inside_a_byte(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Lengths in bits: of a message, of a tuple's strings, of ParallelHash's last block."""
    rng = random.Random(2)
    data = [rng.randbytes(count) for count in (30, 120, 9)]
    names = written(tmp_path, *data)
    (tmp_path / "key").write_bytes(b"key")
    bits = (13, 957, 71)
    files = [f"{name}:{count}" for name, count in zip(names, bits, strict=True)]
    texts = [bit_string(text, count) for text, count in zip(data, bits, strict=True)]
    (entry,) = told(capsys, "--function", "tuplehash128", "--tuple", *files, names[0])
    wanted = tuplehash(FRAMED["tuplehash128"], [*texts, bit_string(data[0])], 256)
    assert entry["digest"] == wanted.hex()
    assert entry["bits"] == sum(bits) + 240
    options = ["--function", "kmacxof128", "--key", str(tmp_path / "key"), "--output-bits", "99"]
    for entry, text in zip(told(capsys, *options, *files), texts, strict=True):
        wanted = kmac(FRAMED["kmacxof128"], bit_string(b"key"), text, 99)
        assert entry["digest"] == wanted.hex()
    options = ["--function", "parallelhash256", "--block-bytes", "8"]
    for entry, text in zip(told(capsys, *options, *files), texts, strict=True):
        wanted = parallelhash(FRAMED["parallelhash256"], text, 8, 512)
        assert entry["digest"] == wanted.hex()


@pytest.mark.usefixtures("model")
def test_a_pipe_in_a_tuple(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its length goes in front of it, so all of it is read first."""
    data = bytes(1234)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    (name,) = written(tmp_path, b"abc")
    (entry,) = told(capsys, "--function", "tuplehash256", "--tuple", name, "-", name)
    wanted = framed_digest("tuplehash256", 64, texts=[b"abc", data, b"abc"])
    assert entry["digest"] == wanted.hex()


@pytest.mark.usefixtures("model")
def test_a_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tuples of files and of bytes at hand; a line without a tuple is a tuple of one string."""
    written(tmp_path, b"abc")
    lines = [
        {"tuple": [{"file": "text0"}, {"hex": ""}, {"hex": "ff0f", "bits": 12}]},
        {"tuple": []},
        {"hex": "01", "output_bits": 128},
    ]
    manifest = tmp_path / "list"
    manifest.write_text("\n".join(json.dumps(line) for line in lines))
    found = told(capsys, "--function", "tuplehash128", "--manifest", str(manifest))
    function = FRAMED["tuplehash128"]
    bits = [bit_string(b"abc"), bit_string(b""), bit_string(b"\xff\x0f", 12)]
    assert [entry["digest"] for entry in found] == [
        tuplehash(function, bits, 256).hex(),
        framed_digest("tuplehash128", 32).hex(),
        framed_digest("tuplehash128", 16, texts=[b"\x01"]).hex(),
    ]


@pytest.mark.usefixtures("model")
def test_cshake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With N or S it is cSHAKE, with empty ones SHAKE, and without both options the sponge."""
    (name,) = written(tmp_path, b"abc")
    options = ["--function", "cshake128", name]
    for given in ((b"N", b"S"), (b"N", None), (None, b""), (b"", b"")):
        function_name, custom = given
        chosen = [] if function_name is None else ["--name", function_name.decode()]
        chosen += [] if custom is None else ["--custom", custom.decode()]
        wanted = framed_digest(
            "cshake128", 32, data=b"abc", function_name=given[0] or b"", custom=given[1] or b""
        )
        assert told(capsys, *options, *chosen)[0]["digest"] == wanted.hex()
    sponge = keccak.digest(FRAMED["cshake128"].cshake, b"abc")
    assert told(capsys, *options)[0]["digest"] == sponge.hex()


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--function", "kmac128"], "kmac128: --key is missing"),
        (["--function", "parallelhash128"], "parallelhash128: --block-bytes is missing"),
        (["--function", "sha3-256", "--custom", "x"], "--custom: sha3-256 has none"),
        (["--function", "tuplehash128", "--name", "x"], "--name: tuplehash128 has none"),
        (["--function", "kmac128", "--tuple"], "kmac128: --key is missing"),
        (["--function", "sha3-256", "--tuple"], "--tuple: sha3-256 has none"),
        (["--function", "kmac129"], "unknown function 'kmac129': one of sha3-224"),
        (["--function", "tuplehash128", "--tuple", "/none"], "No such file or directory"),
        (["--function", "parallelhash128", "--block-bytes", "8", "/none"], "No such file"),
        (["--function", "tuplehash128", "--design", "jh"], "jh does not compute cshake128"),
        (["--function", "kmac128", "--key", "/none"], "No such file or directory"),
        (["--function", "kt128", "--design", "jh"], "jh does not compute turboshake128-domain"),
        (["--function", "kt128", "--block-bytes", "8"], "--block-bytes: kt128 has none"),
        (["--function", "kt256", "--bits", "3"], "kt256 takes whole bytes, not 3 bits"),
    ],
)
def test_a_fault_is_one_line(
    options: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command fails and says why."""
    (name,) = written(tmp_path, b"abc")
    assert cli.main(["hash", *options, name]) == 1
    assert reason in capsys.readouterr().err


@pytest.mark.usefixtures("model")
def test_a_tuple_is_of_tuplehash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a manifest too."""
    manifest = tmp_path / "list"
    manifest.write_text('{"tuple": []}')
    assert cli.main(["hash", "--manifest", str(manifest)]) == 1
    assert "list:1: tuple: sha3-256 has none" in capsys.readouterr().err
    manifest.write_text('{"tuple": [], "hex": "00"}')
    assert cli.main(["hash", "--manifest", str(manifest)]) == 1
    assert "'tuple' is without" in capsys.readouterr().err


@pytest.mark.usefixtures("model")
def test_an_error_flag_in_a_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An inner message that fails is the message's failure."""
    monkeypatch.setattr(ModelSim, "fails", True)
    (name,) = written(tmp_path, bytes(100))
    options = ["--function", "parallelhash128", "--block-bytes", "8"]
    assert cli.main(["hash", *options, name]) == 1
    assert "raised its error flag" in capsys.readouterr().err


@pytest.mark.usefixtures("model")
def test_kangarootwelve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """KT128 is pycryptodome's and KT256 the model's: ends of chunks, all slots in use."""
    monkeypatch.setattr(hashing, "CHUNK", 5000)
    rng = random.Random(9861)
    for custom in (b"", b"S" * 8192):
        for length in (0, 1, 8190, 8191, 8192, 16383, 16384, 16385, 5 * 8192 - 1):
            data = rng.randbytes(length)
            names = written(tmp_path, data)
            options = ["--custom", custom.decode()] if custom else []
            for function, wanted in (
                ("kt128", kt128_digest(data, custom, 40)),
                ("KT-256", rfc9861.kangarootwelve(256, data, custom, 40)),
            ):
                chosen = ["--function", function, "--output-bits", "320", *options]
                (found,) = told(capsys, *chosen, *names)
                assert found["digest"] == wanted.hex(), f"{function} of {length} bytes"
                assert found["bits"] == 8 * length
    assert ModelSim.most_at_once == ModelSim.slots


@pytest.mark.slow
def test_kangarootwelve_by_the_hardware(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """keccak-tree takes whole messages and C; its blocks are those of the nodes."""
    rng = random.Random(9862)
    for custom, length in ((b"", 0), (b"", 8191), (b"", 20000), (b"S" * 300, 8100)):
        data = rng.randbytes(length)
        names = written(tmp_path, data)
        options = ["--custom", custom.decode()] if custom else []
        found = [
            told(capsys, "--function", "kt128", "--design", design, *options, *names)[0]
            for design in ("keccak-tree", "keccak-turbo")
        ]
        assert found[0]["digest"] == kt128_digest(data, custom, 32).hex()
        assert found[0]["blocks"] == found[1]["blocks"]
    (name,) = written(tmp_path, b"abc")
    command = ["hash", "--function", "kt256", "--design", "keccak-tree", f"{name}:17"]
    assert cli.main(command) == 1
    assert "kt256 takes whole bytes, not 17 bits" in capsys.readouterr().err


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("function", ["kt128", "parallelhash128"])
def test_a_pipe_that_is_too_short_for_a_tree(
    function: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says so, also where not even the first part has come."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"abc")))
    options = [] if function == "kt128" else ["--block-bytes", "8"]
    assert cli.main(["hash", "--function", function, *options, "--bits", "80", "-"]) == 1
    assert "80 bits are required, 24 are there" in capsys.readouterr().err


def test_joined() -> None:
    """Parts of any number of bits, one after the other."""
    rng = random.Random(3)
    for _ in range(50):
        parts = []
        text = ""
        for _ in range(rng.randrange(6)):
            bits = rng.choice((0, 1, 7, 8, 9, 64, 77))
            value = rng.getrandbits(bits) if bits else 0
            junk = rng.getrandbits(8) << bits  # above the last bit
            size = -(-bits // 8)
            parts.append(((value | junk & ((1 << 8 * size) - 1)).to_bytes(size, "little"), bits))
            text += f"{value:0{bits}b}"[::-1] if bits else ""
        wanted = int(text[::-1] or "0", 2).to_bytes(-(-len(text) // 8), "little")
        assert b"".join(framing.joined(parts)) == wanted
