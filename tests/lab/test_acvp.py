"""The `acvp` command: requests made here, answered through the RTL, compared with other libraries.

What is expected is worked out here from the specification's words, on strings of '0' and '1' where
lengths are no whole bytes.
"""

import hashlib
import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import sha3bit  # type: ignore[import-untyped]

from hashfabric.commands import acvp, cli
from hashfabric.models.family import Function
from hashfabric.registry.designs import Design, Variant, find_design
from hashfabric.simulate.stream import HashRun
from tests.support.oracles import BY_BIT, framed_digest

SHA3 = ["SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512"]
SHAKE = ["SHAKE-128", "SHAKE-256"]
ENGINES = ["keccak-iterative", "keccak-pipelined"]  # with one slot, and with many

Json = dict[str, Any]


####################
# Oracles          #
####################


def hexadecimal(bits: str) -> str:
    """A string of bits as ACVP writes it: the last ones are the highest of their byte.

    Within a byte FIPS 202 counts from the lowest; a last byte of r bits is moved up by 8 - r.
    """
    whole, rest = len(bits) // 8, len(bits) % 8
    data = bytes(int(bits[i : i + 8][::-1], 2) for i in range(0, 8 * whole, 8))
    if rest:
        data += bytes([int(bits[-rest:][::-1], 2) << 8 - rest])
    return data.hex()


def library(algorithm: str, bits: str, output_bits: int | None = None) -> str:
    """The digest of a string of bits as a string of bits, by sha3bit."""
    data = int(bits[::-1] or "0", 2).to_bytes(-(-len(bits) // 8), "little")
    hasher = BY_BIT[algorithm.lower().replace("shake-", "shake")](data, bitlen=len(bits))
    digest = hasher.digest() if output_bits is None else hasher.digest(-(-output_bits // 8))
    return "".join(f"{byte:08b}"[::-1] for byte in digest)[:output_bits]


def lowest(bits: str) -> str:
    """A string of bits with the last ones lowest in their byte, as FIPS 202 writes it."""
    return int(bits[::-1], 2).to_bytes(-(-len(bits) // 8), "little").hex()


def random_bits(source: random.Random, count: int) -> str:
    """A string of `count` bits."""
    return f"{source.getrandbits(count):0{count}b}" if count else ""


def plain_monte_carlo(algorithm: str, seed: bytes, results: int, hashes: int) -> list[Json]:
    """The standard test of SHA-3, whole bytes, by hashlib."""
    found = []
    for _ in range(results):
        for _ in range(hashes):
            seed = hashlib.new(algorithm.lower().replace("-", "_"), seed).digest()
        found.append({"md": seed.hex().upper()})
    return found


def alternate_monte_carlo(algorithm: str, seed: str, results: int, hashes: int) -> list[Json]:
    """The alternate one: every message as long as the seed.

    'Leftmost' bits of a digest are those of its hexadecimal string, high bits of a byte first.
    """
    found, length, left = [], len(seed), hexadecimal(seed)
    for _ in range(results):
        for _ in range(hashes):
            read = f"{int(left, 16):0{4 * len(left)}b}"[:length].ljust(length, "0")
            whole = length // 8 * 8
            message = "".join(read[i : i + 8][::-1] for i in range(0, whole, 8))
            message += read[whole:][::-1]
            left = lowest(library(algorithm, message))
        found.append({"md": left.upper()})
    return found


def shake_monte_carlo(
    algorithm: str, seed: bytes, limits: tuple[int, int], results: int, hashes: int
) -> list[Json]:
    """SHAKE's, whole bytes, by hashlib; `limits` in bytes."""
    shake = hashlib.shake_128 if algorithm == "SHAKE-128" else hashlib.shake_256
    least, most = limits
    output, length, told = seed, most, most
    found = []
    for _ in range(results):
        for _ in range(hashes):
            output = shake((output + bytes(16))[:16]).digest(length)
            told = length
            length = least + (256 * output[-2] + output[-1]) % (most - least + 1)
        found.append({"md": output.hex().upper(), "outLen": 8 * told})
    return found


####################
# Requests         #
####################


def write(path: Path, vectors: Json, *, header: bool = False) -> str:
    """Write a request file; return its name."""
    path.write_text(json.dumps([{"acvVersion": "1.0"}, vectors] if header else vectors))
    return str(path)


def vector_set(algorithm: str, revision: str, *groups: Json) -> Json:
    """A request with these groups, as NIST's server writes it."""
    for number, group in enumerate(groups, 1):
        group["tgId"] = number
    return {
        "vsId": 42,
        "algorithm": algorithm,
        "revision": revision,
        "isSample": True,
        "testGroups": list(groups),
    }


def short_tests(algorithm: str, revision: str, first: int) -> tuple[list[Json], list[Json]]:
    """AFT or VOT: messages around a block's end, of any bit length; what the answers must be."""
    source = random.Random(f"{algorithm} {revision}")
    rate = {"4": 1152, "6": 1088, "8": 1344}.get(algorithm[-1], 576)
    rate = {"SHAKE-256": 1088, "SHA3-384": 832}.get(algorithm, rate)
    tests, answers = [], []
    for number, length in enumerate((*range(18), *range(rate - 12, rate + 3), 2 * rate + 5), first):
        bits = random_bits(source, length)
        test = {"tcId": number, "msg": hexadecimal(bits) or "00", "len": length}
        if algorithm in SHAKE:
            test["outLen"] = source.choice([16, 128, source.randrange(1, 3000)])
            output = library(algorithm, bits, test["outLen"])
            md = lowest(output) if revision == "1.0" else hexadecimal(output)
            answers.append({"tcId": number, "md": md.upper(), "outLen": test["outLen"]})
        else:
            md = lowest(library(algorithm, bits))
            answers.append({"tcId": number, "md": md.upper()})
        tests.append(test)
    return tests, answers


def large_test(algorithm: str, content: str, full: int, number: int) -> tuple[Json, Json]:
    """LDT: `content` (bits as ACVP's hexadecimal digits have them) repeated to `full` bits."""
    text = (content * (full // len(content) + 1))[:full]
    bits = "".join(text[i : i + 8][::-1] for i in range(0, full, 8))
    padded = content + "0" * (-len(content) % 8)
    large = {
        "content": f"{int(padded, 2):0{len(padded) // 4}X}",
        "contentLength": len(content),
        "fullLength": full,
        "expansionTechnique": "repeating",
    }
    test: Json = {"tcId": number, "largeMsg": large}
    output_bits = 203 if algorithm in SHAKE else None
    told = {"tcId": number, "md": lowest(library(algorithm, bits, output_bits)).upper()}
    if output_bits is not None:
        test["outLen"] = told["outLen"] = output_bits
    return test, told


def answered(capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    """Run the command; return what it prints on standard output."""
    assert cli.main(["acvp", *args]) == 0
    captured = capsys.readouterr()
    return json.loads(captured.out)


####################
# Answers          #
####################


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small chunks, and Monte Carlo tests of 3 results, 7 messages each."""
    monkeypatch.setattr(acvp, "MONTE_CARLO_RESULTS", 3)
    monkeypatch.setattr(acvp, "MONTE_CARLO_HASHES", 7)
    monkeypatch.setattr(acvp, "CHUNK", 100)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("engine", "revision"), [(ENGINES[0], "1.0"), (ENGINES[1], "2.0")])
@pytest.mark.parametrize("algorithm", SHA3)
def test_sha3(
    algorithm: str, revision: str, engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every type of test at once, several Monte Carlo chains beside each other."""
    source = random.Random(algorithm)
    short, short_answers = short_tests(algorithm, revision, 1)
    seeds = [source.randbytes(int(algorithm[-3:]) // 8) for _ in range(2)]
    plain = [
        {"tcId": 100 + i, "msg": seed.hex(), "len": 8 * len(seed)} for i, seed in enumerate(seeds)
    ]
    plain_answers = [
        {"tcId": 100 + i, "resultsArray": plain_monte_carlo(algorithm, seed, 3, 7)}
        for i, seed in enumerate(seeds)
    ]
    alternates = [random_bits(source, count) for count in (13, 136, 600, 605)]
    other = [
        {"tcId": 200 + i, "msg": hexadecimal(seed), "len": len(seed)}
        for i, seed in enumerate(alternates)
    ]
    other_answers = [
        {"tcId": 200 + i, "resultsArray": alternate_monte_carlo(algorithm, seed, 3, 7)}
        for i, seed in enumerate(alternates)
    ]
    large = [
        large_test(algorithm, random_bits(source, count), full, 300 + i)
        for i, (count, full) in enumerate([(64, 8000), (16, 4003), (5, 6001), (1000, 24)])
    ]
    vectors = vector_set(
        algorithm,
        revision,
        {"testType": "AFT", "tests": short},
        {"testType": "MCT", "tests": plain},
        {"testType": "MCT", "mctVersion": "alternate", "tests": other},
        {"testType": "LDT", "tests": [test for test, _ in large]},
    )
    name = write(tmp_path / "request.json", vectors)
    assert answered(capsys, name, "--design", engine) == {
        "vsId": 42,
        "algorithm": algorithm,
        "revision": revision,
        "isSample": True,
        "testGroups": [
            {"tgId": 1, "tests": short_answers},
            {"tgId": 2, "tests": plain_answers},
            {"tgId": 3, "tests": other_answers},
            {"tgId": 4, "tests": [told for _, told in large]},
        ],
    }


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("algorithm", SHAKE)
def test_shake(
    algorithm: str, engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Revision 1.0: outputs of any number of bits, whose last byte is as in FIPS 202."""
    source = random.Random(algorithm)
    short, short_answers = short_tests(algorithm, "1.0", 1)
    seeds = [source.randbytes(16), source.randbytes(16), source.randbytes(3)]
    limits = [(2, 5), (16, 512), (33, 33)]
    chains = [
        {
            "testType": "MCT",
            "mctVersion": "standard",
            "minOutLen": 8 * least,
            "maxOutLen": 8 * most,
            "tests": [{"tcId": 100 + i, "msg": seed.hex(), "len": 8 * len(seed)}],
        }
        for i, (seed, (least, most)) in enumerate(zip(seeds, limits, strict=True))
    ]
    test, told = large_test(algorithm, random_bits(source, 24), 9999, 300)
    vectors = vector_set(
        algorithm,
        "1.0",
        {"testType": "VOT", "tests": short},
        *chains,
        {"testType": "LDT", "tests": [test]},
    )
    name = write(tmp_path / "request.json", vectors, header=True)
    header, response = answered(capsys, name, "--design", engine)
    assert header == {"acvVersion": "1.0"}
    assert response["testGroups"] == [
        {"tgId": 1, "tests": short_answers},
        *(
            {
                "tgId": 2 + i,
                "tests": [
                    {
                        "tcId": 100 + i,
                        "resultsArray": shake_monte_carlo(algorithm, seed, limit, 3, 7),
                    }
                ],
            }
            for i, (seed, limit) in enumerate(zip(seeds, limits, strict=True))
        ),
        {"tgId": 5, "tests": [told]},
    ]


@pytest.mark.parametrize("algorithm", SHAKE)
def test_shake_fips202(algorithm: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Revision FIPS202: an output's last bits are the highest of their byte, as a message's."""
    short, short_answers = short_tests(algorithm, "FIPS202", 1)
    vectors = vector_set(algorithm, "FIPS202", {"testType": "AFT", "tests": short})
    response = answered(capsys, write(tmp_path / "request.json", vectors))
    assert response["testGroups"] == [{"tgId": 1, "tests": short_answers}]


def test_the_order_of_a_bits_byte(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One bit '1' is 80: so NIST's server has it."""
    tests = [{"tcId": 1, "msg": "80", "len": 1, "outLen": 128}]
    vectors = vector_set("SHAKE-128", "1.0", {"testType": "AFT", "tests": tests})
    response = answered(capsys, write(tmp_path / "request.json", vectors))
    wanted = sha3bit.shake_128(b"\x01", bitlen=1).digest(16).hex().upper()
    assert response["testGroups"][0]["tests"][0]["md"] == wanted


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", [*SHA3, *SHAKE])
def test_a_whole_monte_carlo(
    algorithm: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of its 100,000 messages."""
    seed = random.Random(algorithm).randbytes(16)
    group: Json = {"testType": "MCT", "tests": [{"tcId": 1, "msg": seed.hex(), "len": 128}]}
    if algorithm in SHAKE:
        group |= {"minOutLen": 16, "maxOutLen": 1024}
        wanted = shake_monte_carlo(algorithm, seed, (2, 128), 100, 1000)
    else:
        wanted = plain_monte_carlo(algorithm, seed, 100, 1000)
    name = write(tmp_path / "request.json", vector_set(algorithm, "1.0", group))
    response = answered(capsys, name)
    assert response["testGroups"][0]["tests"] == [{"tcId": 1, "resultsArray": wanted}]


@pytest.mark.slow
def test_a_large_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """More bits than 32 bits count."""
    content = bytes(range(3, 251))
    full = (1 << 32) + 8 * 1000
    large = {
        "content": content.hex(),
        "contentLength": 8 * len(content),
        "fullLength": full,
        "expansionTechnique": "repeating",
    }
    group = {"testType": "LDT", "tests": [{"tcId": 1, "largeMsg": large}]}
    name = write(tmp_path / "request.json", vector_set("SHA3-256", "2.0", group))
    response = answered(capsys, name)
    hasher = hashlib.sha3_256()
    chunk = content * 4000
    for start in range(0, full // 8, len(chunk)):
        hasher.update(chunk[: full // 8 - start])
    assert response["testGroups"][0]["tests"][0]["md"] == hasher.hexdigest().upper()


####################
# On a stand-in    #
####################


class Counting:
    """In the simulation's place: counts the bytes of a long message; interrupted after `until`."""

    slots = 1
    until: int | None = None
    total = most = 0

    def __init__(self, design: Design, variant: Variant | None) -> None:
        """Begin to count."""
        Counting.total = Counting.most = 0

    def hash(
        self,
        _function: Function,
        chunks: Iterable[bytes],
        *,
        bits: int,
        output_bits: int | None,
    ) -> HashRun:
        """Take the chunks."""
        assert output_bits is None
        for chunk in chunks:
            Counting.total += len(chunk)
            Counting.most = max(Counting.most, len(chunk))
            if self.until is not None and Counting.total > self.until:
                raise KeyboardInterrupt
        assert Counting.total == -(-bits // 8)
        return HashRun(digest=b"\xab\xcd", clocks=1, blocks=1, error=False)


def sixteen_gibibytes(path: Path) -> str:
    """A request file of one large message."""
    large = {
        "content": "0123456789ABCDEF",
        "contentLength": 64,
        "fullLength": 1 << 37,
        "expansionTechnique": "repeating",
    }
    group = {"testType": "LDT", "tests": [{"tcId": 1, "largeMsg": large}]}
    return write(path, vector_set("SHA3-256", "2.0", group))


def test_large_messages_come_in_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of it, never much at a time."""
    monkeypatch.setattr(acvp, "StreamSim", Counting)
    response = answered(capsys, sixteen_gibibytes(tmp_path / "request.json"))
    assert response["testGroups"] == [{"tgId": 1, "tests": [{"tcId": 1, "md": "ABCD"}]}]
    assert Counting.total == 1 << 34
    assert Counting.most <= 1 << 20


def test_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file is written at the end and at once; what stood there stays when stopped before."""
    monkeypatch.setattr(acvp, "StreamSim", Counting)
    name, out = sixteen_gibibytes(tmp_path / "request.json"), tmp_path / "response.json"
    out.write_text("before")
    monkeypatch.setattr(Counting, "until", 1 << 30)
    assert cli.main(["acvp", name, "--out", str(out)]) == 130
    assert capsys.readouterr().out == ""
    assert out.read_text() == "before"
    monkeypatch.setattr(Counting, "until", None)
    assert cli.main(["acvp", name, "--out", str(out)]) == 0
    assert capsys.readouterr().out == ""
    assert json.loads(out.read_text())["testGroups"][0]["tests"] == [{"tcId": 1, "md": "ABCD"}]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["request.json", "response.json"]


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("request.json/response.json", "request.json: is no directory"),
        (".", "is a directory"),
    ],
)
def test_no_place_to_write_is_reported_first(
    place: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Before hours of simulation; a directory that is not there is made."""
    monkeypatch.setattr(acvp, "StreamSim", None)
    name = sixteen_gibibytes(tmp_path / "request.json")
    assert cli.main(["acvp", name, "--out", str(tmp_path / place)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"hashfabric: {tmp_path}")
    assert error.endswith(f"{told}\n")


####################
# Faults           #
####################


def aft(**fields: Any) -> Json:
    """A request of SHA3-256 with one right test and one in which `fields` are other."""
    right = {"tcId": 1, "msg": "00", "len": 8}
    wrong = {"tcId": 2, "msg": "8000", "len": 16} | fields
    wrong = {key: value for key, value in wrong.items() if value is not None}
    return vector_set("SHA3-256", "2.0", {"testType": "AFT", "tests": [right, wrong]})


def group(algorithm: str, revision: str, **fields: Any) -> Json:
    """A request with a group of these fields and one test."""
    tests = [{"tcId": 1, "msg": "00" * 16, "len": 128}]
    return vector_set(algorithm, revision, {"tests": tests} | fields)


def large(**fields: Any) -> Json:
    """A request with a large message in which `fields` are other."""
    text = {
        "content": "AB",
        "contentLength": 8,
        "fullLength": 80,
        "expansionTechnique": "repeating",
    }
    tests = [{"tcId": 1, "largeMsg": text | fields}]
    return vector_set("SHA3-256", "2.0", {"testType": "LDT", "tests": tests})


FAULTS: list[tuple[Any, str]] = [
    (aft(msg="800"), "testGroups.0.tests.1.msg: an odd number of hexadecimal digits"),
    (aft(msg="80 0"), "testGroups.0.tests.1.msg: not hexadecimal digits"),
    (aft(msg=80), "testGroups.0.tests.1.msg: must be a string of hexadecimal digits"),
    (aft(len=17), "tgId 1, tcId 2: msg has 16 bits, not the 17 of len"),
    (aft(len=7, msg="81"), "tgId 1, tcId 2: msg has bits set beyond len"),
    (aft(len=-1), "testGroups.0.tests.1.len: Input should be greater than or equal to 0"),
    (aft(len=1.5), "testGroups.0.tests.1.len: Input should be a valid integer"),
    (aft(len="16"), "testGroups.0.tests.1.len: Input should be a valid integer"),
    (aft(len=float("nan")), "not valid JSON"),
    (aft(len=None), "tgId 1, tcId 2: len is missing"),
    (aft(msg=None), "tgId 1, tcId 2: msg is missing"),
    (aft(tcId=None), "testGroups.0.tests.1.tcId: Field required"),
    (group("SHA3-256", "2.0", testType="VOT"), "tgId 1: unknown test type of SHA3-256 2.0 'VOT'"),
    (group("SHA3-256", "2.0", testType="MCT", mctVersion="x"), "unknown mctVersion 'x'"),
    (group("SHA3-256", "3.0", testType="AFT"), "unknown revision of SHA3-256 '3.0': one of 1.0"),
    (group("SHA2-256", "1.0", testType="AFT"), "unknown algorithm 'SHA2-256': one of SHA3-224"),
    (group("SHAKE-128", "1.0", testType="AFT"), "tgId 1, tcId 1: outLen is missing"),
    (group("SHAKE-128", "FIPS202", testType="MCT"), "unknown test type of SHAKE-128 FIPS202 'MCT'"),
    (group("SHAKE-128", "1.0", testType="MCT"), "tcId 1: the group's minOutLen is missing"),
    (
        group("SHAKE-128", "1.0", testType="MCT", minOutLen=32, maxOutLen=24),
        "tgId 1, tcId 1: minOutLen is 32, maxOutLen 24",
    ),
    (
        group("SHAKE-128", "1.0", testType="MCT", minOutLen=17, maxOutLen=24),
        "testGroups.0.minOutLen: Input should be a multiple of 8",
    ),
    (
        group("SHAKE-128", "1.0", testType="MCT", minOutLen=16, maxOutLen=1 << 40),
        "testGroups.0.maxOutLen: Input should be less than or equal to 65536",
    ),
    (
        group("SHAKE-128", "1.0", testType="MCT", mctVersion="alternate"),
        "tgId 1, tcId 1: unknown mctVersion 'alternate'",
    ),
    (large(contentLength=9), "tgId 1, tcId 1: content has 8 bits, not those of contentLength"),
    (
        large(contentLength=0),
        "testGroups.0.tests.0.largeMsg.contentLength: Input should be greater",
    ),
    (large(fullLength=10**400), "testGroups.0.tests.0.largeMsg.fullLength: Input should be less"),
    (large(expansionTechnique="x"), "largeMsg.expansionTechnique: Input should be 'repeating'"),
    ([aft()], "neither a vector set nor a list of a header and one"),
    ([{}, aft()], "acvVersion: Field required"),
    ([1, 2, 3], "neither a vector set nor a list of a header and one"),
    ({}, "vsId: Field required (and 3 more)"),
    (None, "Input should be a valid dictionary"),
]


@pytest.mark.parametrize(("value", "reason"), FAULTS)
def test_a_fault_is_one_line(
    value: Any,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Before anything runs, and nothing is written."""
    monkeypatch.setattr(acvp, "StreamSim", None)
    name = write(tmp_path / "request.json", value)
    said(capsys, [name, "--out", str(tmp_path / "out")], reason)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "not valid JSON"),
        (b"{", "not valid JSON"),
        (b'{"vsId": "\xff"}', "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b'{"vsId": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "not valid JSON"),
        (b'{"vsId": 1' + b"0" * 10_000 + b"}", "not valid JSON"),
    ],
    ids=["empty", "cut off", "not UTF-8", "deep", "deep and whole", "a long number"],
)
def test_what_is_no_request(
    text: bytes, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line for each."""
    path = tmp_path / "request.json"
    path.write_bytes(text)
    said(capsys, [str(path)], reason)


def test_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Named, with the system's reason."""
    said(capsys, [str(tmp_path / "none")], "none: No such file or directory")


def test_a_design_of_other_functions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As `hash` says it."""
    name = write(tmp_path / "request.json", aft())
    said(capsys, [name, "--design", "jh"], "jh does not compute sha3-256")


def said(capsys: pytest.CaptureFixture[str], args: list[str], reason: str) -> None:
    """Check that the command fails and says why in one line."""
    assert cli.main(["acvp", *args]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("hashfabric: ")
    assert captured.err.count("\n") == 1
    assert reason in captured.err


def test_an_empty_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Is answered with an empty response."""
    vectors = vector_set("SHA3-256", "2.0", {"testType": "AFT", "tests": []})
    response = answered(capsys, write(tmp_path / "request.json", vectors))
    assert response["testGroups"] == [{"tgId": 1, "tests": []}]


def test_a_wrong_simulation_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An answer with the error flag is none."""
    design = find_design("keccak-iterative")
    monkeypatch.setattr(acvp, "default_design", lambda _function: design)
    monkeypatch.setattr(
        "hashfabric.simulate.stream.user_word", lambda *_args: 31
    )  # no function's code
    said(capsys, [write(tmp_path / "request.json", aft())], "raised its error flag")


####################
# SP 800-185       #
####################


def framed_vectors(algorithm: str, kind: str, xof: bool) -> tuple[Json, list[Json]]:
    """A group of tests of a function, and their answers by pycryptodome."""
    rng = random.Random(f"{algorithm} {xof}")
    name = f"{kind}{'xof' if xof else ''}{algorithm[-3:]}"
    tests: list[Json] = []
    answers: list[Json] = []
    as_hex = not xof
    for number, length in enumerate((0, 1, 16, 135, 136, 168, 300), 1):
        data, custom = rng.randbytes(length), rng.randbytes(rng.choice((0, 5, 200)))
        if not as_hex:
            custom = bytes(32 + byte % 95 for byte in custom)
        count = rng.choice((32, 64, 200))
        inputs: Json = {"custom": custom}
        test: Json = {"tcId": number, "outLen": 8 * count}
        test |= {"customizationHex": custom.hex()} if as_hex else {"customization": custom.decode()}
        if kind == "tuplehash":
            inputs["texts"] = [data, b"", data[:7]]
            test["tuple"] = [text.hex() for text in inputs["texts"]]
            test["len"] = [8 * len(text) for text in inputs["texts"]]
        else:
            inputs["data"] = data
            test |= {"msg": data.hex(), "len": 8 * length}
        if kind == "kmac":
            inputs["key"] = rng.randbytes(40)
            test |= {"key": inputs["key"].hex(), "keyLen": 320}
            test |= {"msgLen": test.pop("len"), "macLen": test.pop("outLen")}
        if kind == "parallelhash":
            inputs["block_bytes"] = test["blockSize"] = rng.choice((1, 8, 64, 200))
        if kind == "cshake":
            inputs["function_name"] = rng.choice((b"", b"Name"))
            test["functionName"] = inputs["function_name"].decode()
        digest = framed_digest(name, count, **inputs).hex().upper()
        tests.append(test)
        answer = {"mac": digest} if kind == "kmac" else {"md": digest, "outLen": 8 * count}
        answers.append({"tcId": number, **answer})
    group = {"testType": "AFT", "hexCustomization": as_hex, "tests": tests}
    return (group if kind == "cshake" else group | {"xof": xof}), answers


@pytest.mark.parametrize("engine", [ENGINES[0], pytest.param(ENGINES[1], marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "algorithm", ["cSHAKE-128", "KMAC-256", "TupleHash-128", "PARALLELHASH-256"]
)
def test_sp800_185(
    algorithm: str, engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Known answers: with the fixed output, and as XOF."""
    kind = algorithm[:-4].lower()
    told = [framed_vectors(algorithm, kind, xof) for xof in (False, True)]
    vectors = vector_set(algorithm, "1.0", *(group for group, _ in told))
    name = write(tmp_path / "request.json", vectors, header=True)
    _, response = answered(capsys, name, "--design", engine)
    assert response["algorithm"] == algorithm
    assert [group["tests"] for group in response["testGroups"]] == [answers for _, answers in told]


def test_a_sample_of_nists_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first test of TupleHash-128 in its repository, usnistgov/ACVP-Server."""
    test = {
        "tcId": 1,
        "tuple": [
            "CDDE202310C8288DECB096FD0477915D3CD085DFEC71103877650A43B8",
            "2E3CADB7E49CCA70F93C",
            "A431185454421A2BDAAE3549EBA20ED735A7101BF56200FB",
        ],
        "len": [232, 80, 192],
        "customization": "X1_fElruo3u 9He[qc!v~r>n+Y'g;4w<_GTuvF56'24Qxe<vlIP",
        "outLen": 256,
    }
    vectors = vector_set("TUPLEHASH-128", "1.0", {"testType": "AFT", "xof": True, "tests": [test]})
    response = answered(capsys, write(tmp_path / "request.json", vectors))
    wanted = "70EC2EAAA1A0CFBCE95CFDB7D67BBF2E940F074E716B7904D9EB4B39AC5609ED"
    assert response["testGroups"][0]["tests"][0] == {"tcId": 1, "md": wanted, "outLen": 256}


def test_verification_of_macs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A right MAC, and one with another bit."""
    mac = framed_digest("kmac128", 32, key=b"k" * 16, data=b"abc")
    tests = [
        {"tcId": i, "key": (b"k" * 16).hex(), "keyLen": 128, "msg": "616263", "msgLen": 24}
        | {"macLen": 256, "mac": given.hex(), "customization": ""}
        for i, given in enumerate((mac, bytes([mac[0] ^ 1]) + mac[1:]))
    ]
    vectors = vector_set("KMAC-128", "1.0", {"testType": "MVT", "xof": False, "tests": tests})
    response = answered(capsys, write(tmp_path / "request.json", vectors))
    assert [test["testPassed"] for test in response["testGroups"][0]["tests"]] == [True, False]


def framed_test(algorithm: str, **fields: Any) -> Json:
    """A request with one test, in which `fields` are other; None: missing."""
    test: Json = {"tcId": 1, "msg": "00", "len": 8, "outLen": 256, "tuple": ["00"]}
    test |= {"key": "00", "keyLen": 8, "msgLen": 8, "macLen": 256, "blockSize": 8}
    test = {key: value for key, value in (test | fields).items() if value is not None}
    return vector_set(algorithm, "1.0", {"testType": "AFT", "tests": [test]})


@pytest.mark.parametrize(
    ("vectors", "reason"),
    [
        (framed_test("KMAC-128", key=None), "tcId 1: key is missing"),
        (framed_test("KMAC-128", macLen=None), "tcId 1: macLen is missing"),
        (framed_test("KMAC-128", macLen=257), "an output of 257 bits: only whole bytes"),
        (framed_test("KMAC-128", keyLen=7), "keyLen 7: only whole bytes"),
        (framed_test("KMAC-128", keyLen=16), "key has 8 bits, not the 16 of keyLen"),
        (framed_test("CSHAKE-128", len=[8]), "len is missing"),
        (framed_test("CSHAKE-128", customization="\u00fc"), "customization is not ASCII"),
        (framed_test("TUPLEHASH-128"), "len is missing"),
        (framed_test("TUPLEHASH-128", len=[]), "tuple has 1 strings, len 0 lengths"),
        (framed_test("PARALLELHASH-128", blockSize=None), "blockSize is missing"),
        (framed_test("PARALLELHASH-129"), "unknown algorithm 'PARALLELHASH-129'"),
        (group("CSHAKE-128", "1.0", testType="MCT"), "unknown test type of CSHAKE-128 1.0 'MCT'"),
        (aft(len=[16]), "len is missing"),
    ],
)
def test_a_fault_of_sp800_185_is_one_line(
    vectors: Json,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Before anything runs."""
    monkeypatch.setattr(acvp, "StreamSim", None)
    said(capsys, [write(tmp_path / "request.json", vectors)], reason)
