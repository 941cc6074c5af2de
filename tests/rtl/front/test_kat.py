"""Known answers, through Keccak's whole stream tops: NIST's files and independent libraries.

NIST's CAVS files are those of the `cryptography_vectors` package; `sha3bit` answers for messages of
any number of bits, `pycryptodome` for the competition's padding, hashlib for long outputs. The
golden model is used only where no library has the function.
"""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from hashfabric.models import keccak, rfc9861
from hashfabric.models.family import Function
from hashfabric.models.functions import FUNCTIONS, KECCAK
from hashfabric.registry.designs import Design
from hashfabric.simulate.stream import Beat, StreamMessage, StreamSim, beats_of, stream_variant
from tests.support import faults
from tests.support.cavs import (
    MESSAGE_FILES,
    SHA3_NAMES,
    Vectors,
    expected_cases,
    vector_file,
    wrong_messages,
)
from tests.support.oracles import (
    BY_BIT,
    cshake_digest,
    cshake_message,
    kmac128,
    kmac_message,
    library_digest,
    turboshake_digest,
)
from tests.support.samples import TreeSample, rfc9861_samples
from tests.support.streams import STREAMS
from tests.support.subjects import SLOW

DESIGNS = list(
    {found.name: found for found, _ in STREAMS.values() if found.family == "keccak"}.values()
)
TURBO = {
    name: (design, variant)
    for name, (design, variant) in STREAMS.items()
    if "turboshake128" in design.functions_of(variant)
}
QUICK_TURBO = "keccak-iterative-stream-turboshake"

# What slots change is slots_bench's business; the others with one slot have the same front end.
SINGLE = [
    design
    for design in DESIGNS
    if design.timing(stream_variant(design)).slots == 1 and stream_variant(design).suite == "quick"
]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(found, marks=() if found.name == "keccak-iterative" else SLOW, id=found.name)
        for found in DESIGNS
    ],
)
def design(request: pytest.FixtureRequest) -> Design:
    """Every design with a stream top; the quick run has the simplest."""
    found: Design = request.param
    return found


@pytest.fixture(scope="module", params=SINGLE, ids=lambda design: design.name)
def single(request: pytest.FixtureRequest) -> Design:
    """The designs whose stream top has one slot and any width up to a lane."""
    found: Design = request.param
    return found


@pytest.fixture(scope="module")
def sim(design: Design) -> StreamSim:
    """Its simulation, one for all tests: messages follow each other without a reset."""
    return StreamSim(design)


def served(design: Design, name: str) -> Function:
    """Return the function, or skip the test where the design does not compute it."""
    if name not in design.functions:
        pytest.skip(f"{design.name} does not compute {name}")
    return FUNCTIONS[name]


def rtl_digest(
    sim: StreamSim,
    function: Function,
    data: bytes,
    *,
    bits: int | None = None,
    output_bits: int | None = None,
) -> bytes:
    """Return the digest that the RTL gives, without an error flag."""
    run = sim.hash(function, (data,), bits=bits, output_bits=output_bits)
    assert not run.error
    return run.digest


####################
# CAVS             #
####################


def wrong_cases(sim: StreamSim, function: Function, vectors: Vectors) -> list[str]:
    """Return the cases of a file that fail."""

    def digest_of(function: Function, data: bytes, bits: int, output_bits: int | None) -> bytes:
        return rtl_digest(sim, function, data, bits=bits, output_bits=output_bits)

    return wrong_messages(digest_of, function, vectors)


@pytest.mark.parametrize("name", MESSAGE_FILES)
def test_cavs_messages(design: Design, sim: StreamSim, name: str) -> None:
    """Every message of a file, short, long, or with output of varying length."""
    function = served(design, MESSAGE_FILES[name])
    vectors = vector_file(name)
    assert len(vectors.cases) == expected_cases(name)
    assert wrong_cases(sim, function, vectors) == []


def sha3_monte(sim: StreamSim, function: Function, seed: bytes) -> Iterator[bytes]:
    """Yield the digest after every 1000 (SHA3VS, section 6.2.3)."""
    digest = seed
    while True:
        for _ in range(1000):
            digest = rtl_digest(sim, function, digest)
        yield digest


def shake_monte(
    sim: StreamSim, function: Function, head: dict[str, int], seed: bytes
) -> Iterator[bytes]:
    """Yield the output after every 1000 (SHA3VS, section 6.3.3); its length varies with itself."""
    least = -(-head["Minimum Output Length (bits)"] // 8)
    most = head["Maximum Output Length (bits)"] // 8
    output, length = seed, most
    while True:
        for _ in range(1000):
            message = output[:16].ljust(16, b"\0")
            output = rtl_digest(sim, function, message, output_bits=8 * length)
            length = least + int.from_bytes(output[-2:], "big") % (most - least + 1)
        yield output


def monte(sim: StreamSim, function: Function, vectors: Vectors) -> Iterator[bytes]:
    """Yield what the cases of a Monte Carlo file must be."""
    seed = vectors.cases[0]
    if function.xof:
        return shake_monte(sim, function, vectors.head, bytes.fromhex(seed["Msg"]))
    return sha3_monte(sim, function, bytes.fromhex(seed["Seed"]))


MONTE_FILES = {
    **{f"SHA3/SHA3_{n}Monte": f"sha3-{n}" for n in SHA3_NAMES},
    **{f"SHAKE/SHAKE{n}Monte": f"shake{n}" for n in ("128", "256")},
}


QUICK_COUNTS = 3  # of a hundred, in every run


@pytest.mark.parametrize("name", MONTE_FILES)
@pytest.mark.parametrize("counts", [QUICK_COUNTS, pytest.param(100, marks=SLOW)])
def test_cavs_monte_carlo(design: Design, sim: StreamSim, name: str, counts: int) -> None:
    """A thousand hashes in a chain for each count, whose digest is known; a hundred counts."""
    function = served(design, MONTE_FILES[name])
    vectors = vector_file(name)
    cases = vectors.cases[1:]
    assert [int(case["COUNT"]) for case in cases] == list(range(100))
    for case, digest in zip(cases[:counts], monte(sim, function, vectors), strict=False):
        assert digest.hex() == case.get("MD", case.get("Output")), f"COUNT = {case['COUNT']}"


def flipped(case: dict[str, str]) -> dict[str, str]:
    """Return a case with one bit of its digest changed."""
    name = "MD" if "MD" in case else "Output"
    return case | {name: case[name][:-1] + f"{int(case[name][-1], 16) ^ 1:x}"}


@pytest.mark.parametrize("name", ["SHA3/SHA3_256ShortMsg", "SHAKE/SHAKE128VariableOut"])
def test_one_wrong_bit_in_a_file_is_seen(design: Design, sim: StreamSim, name: str) -> None:
    """The comparison of a whole file finds the one case that was changed."""
    function = served(design, MESSAGE_FILES[name])
    vectors = vector_file(name)
    changed = [*vectors.cases[:70], flipped(vectors.cases[70]), *vectors.cases[71:]]
    assert len(wrong_cases(sim, function, replace(vectors, cases=changed))) == 1


####################
# Bits             #
####################


def wrong_bit_lengths(sim: StreamSim, function: Function, lengths: range) -> list[int]:
    """Compare messages of these lengths in bits with `sha3bit`; return those that differ.

    The bits above the message's end are ones where it ends inside a byte: they must not count.
    """
    source = random.Random(function.code)
    wrong = []
    for bits in lengths:
        data = bytearray(source.randbytes(-(-bits // 8)))
        if bits % 8:
            data[-1] |= 0xFF << bits % 8 & 0xFF
        expected = library_digest(function, bytes(data), bits=bits)
        if rtl_digest(sim, function, bytes(data), bits=bits) != expected:
            wrong.append(bits)
    return wrong


def test_every_bit_length_of_sha3_256(design: Design, sim: StreamSim) -> None:
    """0 to 2047 bits: every place in a byte, a word and a block that the padding can fall on."""
    assert wrong_bit_lengths(sim, served(design, "sha3-256"), range(2048)) == []


@pytest.mark.parametrize("name", [name for name in BY_BIT if name != "sha3-256"])
def test_bit_lengths_of_the_others(design: Design, sim: StreamSim, name: str) -> None:
    """A stride through 0 to 2047 that meets every place in a byte, and all around a block's end."""
    function = served(design, name)
    rate = function.rate_bits
    assert wrong_bit_lengths(sim, function, range(0, 2048, 11)) == []
    assert wrong_bit_lengths(sim, function, range(rate - 72, rate + 9)) == []
    assert wrong_bit_lengths(sim, function, range(2 * rate - 9, 2 * rate + 2)) == []


def test_five_bits(design: Design, sim: StreamSim) -> None:
    """NIST's example 11001, with rubbish above it."""
    wanted = {
        "sha3-256": "7b0047cf5a456882363cbf0fb05322cf65f4b7059a46365e830132e3b5d957af",
        "sha3-512": "a13e01494114c09800622a70288c432121ce70039d753cadd2e006e4d961cb27"
        "544c1481e5814bdceb53be6733d5e099795e5e81918addb058e22a9f24883f37",
    }
    for name, digest in wanted.items():
        assert rtl_digest(sim, served(design, name), b"\xb3", bits=5).hex() == digest


####################
# Keccak           #
####################


@pytest.mark.parametrize("digest_bits", [224, 256, 384, 512])
def test_the_competitions_padding(design: Design, sim: StreamSim, digest_bits: int) -> None:
    """Every length up to three blocks and some long ones, against pycryptodome."""
    function = served(design, f"keccak-{digest_bits}")
    source = random.Random(digest_bits)
    for length in (*range(3 * function.rate_bits // 8 + 2), 5_000, 100_000):
        data = source.randbytes(length)
        expected = library_digest(function, data)
        assert rtl_digest(sim, function, data) == expected, f"{length} bytes"


def test_ethereum(design: Design, sim: StreamSim) -> None:
    """The hash of nothing that every Ethereum client has."""
    digest = rtl_digest(sim, served(design, "keccak-256"), b"")
    assert digest.hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"


def test_keccak_1024_576(design: Design, sim: StreamSim) -> None:
    """No library has it: against the golden model, in and out over several blocks."""
    function = served(design, "keccak-1024-576")
    source = random.Random(576)
    for bits in (0, 1, 1021, 1022, 1023, 1024, 1025, 2046, 2047, 4000):
        for output_bits in (1, 256, 1024, 1025, 3001):
            data = source.randbytes(-(-bits // 8))
            expected = keccak.digest(function, data, bits=bits, output_bits=output_bits)
            digest = rtl_digest(sim, function, data, bits=bits, output_bits=output_bits)
            assert digest == expected, f"{bits} bits in, {output_bits} out"


####################
# SP 800-185       #
####################


@pytest.mark.parametrize("name", ["cshake128", "cshake256"])
def test_cshake(design: Design, sim: StreamSim, name: str) -> None:
    """With the framing that is the caller's, against pycryptodome: N empty, S short and long."""
    function = served(design, name)
    rate = function.rate_bits // 8
    source = random.Random(name)
    for custom in (b"Email Signature", source.randbytes(3 * rate)):
        for length in (0, 1, 4, rate - 2, rate - 1, rate, rate + 1, 5_000):
            data = source.randbytes(length)
            message = cshake_message(function, b"", custom, data)
            for count in (1, 32, rate, 3 * rate + 5):
                digest = rtl_digest(sim, function, message, output_bits=8 * count)
                assert digest == cshake_digest(function, custom, data, count), f"{length} bytes"


def test_kmac128(design: Design, sim: StreamSim) -> None:
    """KMAC is cSHAKE with N = "KMAC", the key in front and the output's length at the end."""
    function = served(design, "cshake128")
    source = random.Random(185)
    for length, count in ((0, 16), (4, 32), (167, 64), (168, 100), (5_000, 300)):
        key, data = source.randbytes(32), source.randbytes(length)
        message = kmac_message(function, key, b"My Tagged Application", data, 8 * count)
        digest = rtl_digest(sim, function, message, output_bits=8 * count)
        assert digest == kmac128(key, b"My Tagged Application", data, count), f"{length} bytes"


@pytest.mark.parametrize("name", ["cshake128", "cshake256"])
def test_bit_lengths_of_cshake(design: Design, sim: StreamSim, name: str) -> None:
    """Where the suffix 00 and the pad fall, against the golden model: no library takes bits."""
    function = served(design, name)
    source = random.Random(name)
    rate = function.rate_bits
    for bits in (*range(20), *range(rate - 20, rate + 9)):
        data = source.randbytes(-(-bits // 8))
        digest = rtl_digest(sim, function, data, bits=bits)
        assert digest == keccak.digest(function, data, bits=bits), f"{bits} bits"


####################
# RFC 9861         #
####################


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(found, marks=() if name == QUICK_TURBO else SLOW, id=name)
        for name, found in TURBO.items()
    ],
)
def turbo(request: pytest.FixtureRequest) -> StreamSim:
    """Every stream of TurboSHAKE."""
    design, variant = request.param
    return StreamSim(design, variant)


def turboshake(sim: StreamSim, strength: int, data: bytes, count: int, domain: int) -> bytes:
    """Return TurboSHAKE's output for any domain byte: its bits below the highest one follow."""
    function = FUNCTIONS[f"turboshake{strength}-domain"]
    below = domain.bit_length() - 1
    rest = bytes([domain ^ 1 << below]) if below else b""
    bits = 8 * len(data) + below
    return rtl_digest(sim, function, data + rest, bits=bits, output_bits=8 * count)


def kangarootwelve(
    sim: StreamSim, strength: int, data: bytes, custom: bytes, count: int
) -> tuple[bytes, int]:
    """Return KangarooTwelve's output, each node by the RTL, all chunks at once; and the nodes."""
    text = data + custom + rfc9861.length_encode(len(custom))
    first, *others = [text[i : i + 8192] for i in range(0, len(text), 8192)] or [b""]
    if not others:
        return turboshake(sim, strength, first, count, 0x07), 1
    leaf = FUNCTIONS[f"turboshake{strength}-domain"]
    for index, chunk in enumerate(others):
        bits = 8 * len(chunk) + 3
        slot = index % sim.slots
        sim.push(StreamMessage(leaf, chunk + b"\x03", bits, 2 * strength, slot=slot))
    found: list[list[bytes]] = [[] for _ in range(sim.slots)]
    for answer in sim.run():
        assert not answer.error
        found[answer.slot].append(answer.digest)
    values = [found[i % sim.slots][i // sim.slots] for i in range(len(others))]
    node = first + b"\x03" + bytes(7) + b"".join(values)
    node += rfc9861.length_encode(len(others)) + b"\xff\xff"
    return turboshake(sim, strength, node, count, 0x06), len(others) + 1


LONG_SAMPLE = 1 << 21  # bytes


def samples(name: str) -> list[TreeSample]:
    """Return the RFC's vectors of a function."""
    found = [sample for sample in rfc9861_samples() if sample.function == name]
    assert found
    return found


@pytest.mark.parametrize("strength", [128, 256])
def test_turboshake_samples(turbo: StreamSim, strength: int) -> None:
    """The vectors of RFC 9861, section 5, with all of their domain bytes."""
    for sample in samples(f"turboshake{strength}"):
        if len(sample.data) > LONG_SAMPLE:
            continue
        output = turboshake(turbo, strength, sample.data, sample.count, sample.domain)
        assert output.endswith(sample.end), f"{len(sample.data)} bytes"
        if sample.domain == 0x1F:
            function = FUNCTIONS[f"turboshake{strength}"]
            assert rtl_digest(turbo, function, sample.data, output_bits=8 * sample.count) == output


@pytest.mark.parametrize("strength", [128, 256])
def test_every_domain_byte(turbo: StreamSim, strength: int) -> None:
    """01 to 7F, with messages that end in every place around the end of a block."""
    rate = FUNCTIONS[f"turboshake{strength}"].rate_bits // 8
    source = random.Random(strength)
    lengths = [0, 1, *range(rate - 9, rate + 3), 2 * rate - 1, 2 * rate]
    for domain in range(0x01, 0x80):
        data = source.randbytes(lengths[domain % len(lengths)])
        wanted = turboshake_digest(strength, data, 70, domain)
        assert turboshake(turbo, strength, data, 70, domain) == wanted, f"{domain:02X}"


@pytest.mark.parametrize("strength", [128, 256])
def test_kangarootwelve_samples(turbo: StreamSim, strength: int) -> None:
    """The vectors of RFC 9861: the nodes by the RTL in all slots, their tree in software."""
    trees = 0
    for sample in samples(f"kt{strength}"):
        if len(sample.data) > LONG_SAMPLE:
            continue
        output, nodes = kangarootwelve(turbo, strength, sample.data, sample.custom, sample.count)
        assert output.endswith(sample.end), f"{len(sample.data)} bytes"
        trees += nodes > 1
    assert trees > 1


####################
# Output           #
####################


@pytest.mark.parametrize("name", ["shake128", "shake256"])
def test_every_output_length(design: Design, sim: StreamSim, name: str) -> None:
    """1 to a bit over two blocks, in bits, and many blocks."""
    function = served(design, name)
    for bits in (*range(1, 2 * function.rate_bits + 2), 10**5 + 3, 8 * 10**6):
        digest = rtl_digest(sim, function, b"output", output_bits=bits)
        assert digest == library_digest(function, b"output", output_bits=bits), f"{bits} bits"


@pytest.mark.parametrize("name", ["shake128", "shake256"])
def test_long_output_takes_24_clocks_a_block(single: Design, name: str) -> None:
    """Squeezing is as fast as absorbing."""
    function = served(single, name)
    run = StreamSim(single).hash(function, (b"output",), output_bits=1000 * function.rate_bits)
    assert run.blocks == 1000
    assert run.clocks / run.blocks == pytest.approx(single.clocks_per_block, rel=0.01)


####################
# Back to back     #
####################


def known_digest(message: StreamMessage) -> bytes:
    """Hash with a library where one can, else with the golden model."""
    function, data = message.function, message.data
    bits, output_bits = message.bits, message.output_bits
    known = library_digest(function, data, bits=bits, output_bits=output_bits)
    if known is not None:
        return known
    bits = 8 * len(data) if bits is None else bits
    return keccak.digest(function, data, bits=bits, output_bits=output_bits)


def random_message(source: random.Random, design: Design) -> StreamMessage:
    """Draw a message: any function, lengths near the ends of blocks more often than others."""
    function = FUNCTIONS[source.choice(design.functions)]
    rate = function.rate_bits
    bits = source.choice([source.randrange(40), source.randrange(2 * rate), rate, 2 * rate])
    if bits >= rate:
        bits += source.randrange(-9, 9)
    if source.random() < 0.7:
        bits -= bits % 8
    output_bits = source.choice([0, 1, 8, 256, rate, rate + 1, source.randrange(1, 3 * rate)])
    return StreamMessage(
        function=function,
        data=source.randbytes(-(-bits // 8)),
        bits=bits,
        output_bits=output_bits if function.xof else None,
        slot=source.randrange(design.slots),
        empty_tail=bits % 8 == 0 and source.random() < 0.5,
    )


FAULTS = ("hole", "short", "function", "slot", "other slot", "empty byte")
CODES = {"function": sorted(set(range(256)) - {f.code for f in KECCAK.values()})}
MOST_MISSING = 8  # bytes


def bent(source: random.Random, beats: list[Beat], fault: str) -> list[Beat]:
    """Return the beats of a message with one fault in them."""
    return faults.bent(source, beats, fault, codes=CODES, most_missing=MOST_MISSING)


@pytest.mark.parametrize(
    "width", [8, pytest.param(16, marks=SLOW), pytest.param(32, marks=SLOW), 64]
)
@pytest.mark.parametrize("stalls", [(0.0, 0.0), (0.5, 0.0), (0.0, 0.7), (0.3, 0.3), (0.0, 0.99)])
def test_back_to_back(single: Design, width: int, stalls: tuple[float, float]) -> None:
    """Random messages of all functions without a pause, stalled on either side, at every width."""
    source = random.Random(f"{width} {stalls}")
    stall_in, stall_out = stalls
    sim = StreamSim(
        single,
        stall_in=stall_in,
        stall_out=stall_out,
        seed=width,
        parameters={"DataWidth": width},
    )
    messages = [random_message(source, single) for _ in range(200)]
    for message in messages:
        sim.push(message)
    answers = sim.run(idle_clocks=200)
    faults.check_order(answers)
    for message, answer in zip(messages, answers, strict=True):
        wanted = (
            message.function.digest_bits if message.output_bits is None else message.output_bits
        )
        assert (answer.error, answer.last_bits) == (False, wanted % 8), message
        assert answer.digest == known_digest(message), message


@pytest.mark.parametrize("width", [pytest.param(16, marks=SLOW), 64])
@pytest.mark.parametrize("stalls", [(0.0, 0.0), (0.3, 0.3)])
def test_faults_between_messages(single: Design, width: int, stalls: tuple[float, float]) -> None:
    """A message against the rules gives a flag in its turn, and its neighbours are right."""
    source = random.Random(f"{width} {stalls}")
    stall_in, stall_out = stalls
    sim = StreamSim(
        single,
        stall_in=stall_in,
        stall_out=stall_out,
        seed=width,
        parameters={"DataWidth": width},
    )
    sent: list[tuple[StreamMessage, str, int]] = []
    for _ in range(300):
        message = random_message(source, single)
        if source.random() < 0.5:
            sim.push(message)
            sent.append((message, "", message.slot))
            continue
        fault = source.choice(FAULTS)
        length = source.randrange(sim.width + 1 if fault in faults.LONG_FAULTS else 0, 400)
        message = replace(message, data=source.randbytes(length), bits=None)
        bad = bent(source, list(beats_of(message, sim.width)), fault)
        sim.push_beats(bad)
        sent.append((message, fault, bad[0].slot))
    answers = sim.run(idle_clocks=200)
    faults.check_order(answers)
    for (message, fault, slot), answer in zip(sent, answers, strict=True):
        assert answer.slot == slot
        if fault:
            assert (answer.error, answer.digest, answer.last_bits) == (True, b"", 0), fault
        else:
            assert not answer.error
            assert answer.digest == known_digest(message), message


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_seen_in_every_beat(single: Design, fault: str) -> None:
    """Each fault separately, in each possible place, then a right message."""
    sim = StreamSim(single)
    function = FUNCTIONS[single.functions[0]]
    source = random.Random(fault)
    seen = set()
    for _ in range(60):
        length = source.randrange(2 * sim.width + 1, 5 * sim.width)
        beats = list(beats_of(StreamMessage(function, source.randbytes(length)), sim.width))
        bad = bent(source, beats, fault)
        seen.add(next(i for i, (a, b) in enumerate(zip(beats, bad, strict=True)) if a != b))
        good = StreamMessage(function, source.randbytes(20))
        sim.push_beats(bad)
        sim.push(good)
        wrong, right = sim.run(idle_clocks=60)
        assert (wrong.error, wrong.digest) == (True, b"")
        assert (right.error, right.digest) == (False, known_digest(good))
    assert len(seen) > 1 or fault in {"function", "slot", "empty byte"}
