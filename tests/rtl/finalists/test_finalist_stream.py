"""The finalists' stream top: their padding, traffic, faults and clocks.

Two kinds of subjects. The registry's streams are compared with sphlib (oracles.py). For every
family the front end is around a stand-in for an engine (hf_finalist_stub.sv), which adds up
the blocks with their flags, counts and sizes. The expected blocks are those of the golden models'
padding, which tests/lab/test_finalist_models.py compares with libraries.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.models.family import Function
from hashfabric.registry import designs as registry
from hashfabric.registry.designs import Variant
from hashfabric.simulate import library
from hashfabric.simulate.stream import Beat, StreamMessage, StreamSim, beats_of
from tests.rtl.finalists.finalists import FINALISTS
from tests.support import faults, simulation
from tests.support.finalist_stream import PAPER_CLOCKS, Subject, stub
from tests.support.subjects import SLOW, marks, variants

pytestmark = pytest.mark.usefixtures("checked_models")

WIDTHS = (8, 16, 32, 64, 128)
BITS = 2048

STALLS = ((0.0, 0.0), (0.5, 0.0), (0.0, 0.7), (0.3, 0.3), (0.0, 0.99))


def with_width(variant: Variant, width: int) -> Variant:
    """Return the variant with another port."""
    return variant.model_copy(update={"parameters": {**variant.parameters, "DataWidth": width}})


def subjects() -> Iterator[object]:
    """Yield all subjects at all widths of the port; the quick run has a stub."""
    quick = (("groestl", 256),)
    for family, width in PAPER_CLOCKS:
        for data_width in WIDTHS:
            name = f"stub-{family}-{width}-{data_width}"
            speed = [] if (family, 4 * data_width) in quick and 4 * data_width == width else [SLOW]
            yield pytest.param(stub(family, width, data_width), marks=speed, id=name)
    for name, (design, variant) in variants("stream", "compression").items():
        for data_width in WIDTHS:
            own = data_width == variant.parameters["DataWidth"]
            subject = Subject(design, with_width(variant, data_width), stub=False)
            speed = marks(variant) if own else [SLOW]
            yield pytest.param(subject, marks=speed, id=f"{name}-{data_width}")


@pytest.fixture(scope="module", params=subjects())
def subject(request: pytest.FixtureRequest) -> Subject:
    """Every stream top, around its engine and around the stand-in."""
    found: Subject = request.param
    return found


@pytest.fixture(scope="module")
def sim(subject: Subject) -> StreamSim:
    """Its simulation, one for all tests: messages follow each other without a reset."""
    return subject.sim()


def dirty(source: random.Random, bits: int) -> bytes:
    """Return the bytes that hold `bits` bits, with ones below them in the last byte."""
    data = bytearray(source.randbytes(-(-bits // 8)))
    if bits % 8:
        data[-1] |= 0xFF >> bits % 8
    return bytes(data)


####################
# Bits             #
####################


def wrong_bit_lengths(subject: Subject, sim: StreamSim, function: Function) -> list[int]:
    """Send messages of 0 to 2047 bits; return the lengths of those with a wrong digest."""
    source = random.Random(function.code)
    messages = [StreamMessage(function, dirty(source, bits), bits) for bits in range(BITS)]
    for message in messages:
        sim.push(message)
    answers = sim.run(idle_clocks=100)
    return [
        bits
        for bits, (message, answer) in enumerate(zip(messages, answers, strict=True))
        if (answer.error, answer.last_bits, answer.digest) != (False, 0, subject.digest(message))
    ]


def test_every_bit_length(subject: Subject, sim: StreamSim) -> None:
    """0 to 2047 bits: every place of the padding; the bits after the end do not count."""
    for function in subject.functions:
        assert wrong_bit_lengths(subject, sim, function) == [], function.name


def competition_answers(name: str) -> list[tuple[bytes, str]]:
    """Return the competition's known answers for a function: messages of whole bytes, digests."""
    kats = json.loads((ROOT / "tests/data/finalist_kats.json").read_text("utf-8"))
    pairs = list(zip(kats["messages"], kats["digests"].get(name, []), strict=False))
    return [(bytes.fromhex(text), digest) for text, digest in pairs + kats["others"].get(name, [])]


def test_the_competitions_known_answers(subject: Subject, sim: StreamSim) -> None:
    """Those that the crates of the four families carry; Skein-512's have only 256 and 512 bits."""
    if subject.stub:
        pytest.skip("around an engine that is no hash")
    for function in subject.functions:
        answers = competition_answers(function.name)
        assert bool(answers) == (function.name not in {"skein-512-224", "skein-512-384"})
        for message, _ in answers:
            sim.push(StreamMessage(function, message))
        assert [answer.digest.hex() for answer in sim.run()] == [digest for _, digest in answers]


def test_an_empty_last_beat(subject: Subject, sim: StreamSim) -> None:
    """`tlast` on a beat without bytes, after any beat; only such a beat is the empty message."""
    width = subject.data_width // 8
    for function in subject.functions:
        source = random.Random(function.code)
        for beats in range(2 * function.rate_bits // subject.data_width + 2):
            message = StreamMessage(function, source.randbytes(beats * width), empty_tail=True)
            sim.push(message)
            (answer,) = sim.run()
            assert answer.digest == subject.digest(message), f"{function.name}: {beats} beats"


@pytest.mark.parametrize("size", [1000, 8191, 8192, 65_536 + 17])
def test_long_messages(subject: Subject, sim: StreamSim, size: int) -> None:
    """Counts of one, two and three bytes."""
    function = subject.functions[-1]
    data = random.Random(size).randbytes(size)
    run = sim.hash(function, (data[i : i + 999] for i in range(0, size, 999)))
    assert run.digest == subject.digest(StreamMessage(function, data))


####################
# Clocks           #
####################


@pytest.mark.parametrize("empty_tail", [False, True])
def test_clocks_of_a_long_message(subject: Subject, empty_tail: bool) -> None:
    """The engine is fed without a gap, or the port is busy without one."""
    function = subject.functions[0]
    blocks = 400
    size = (blocks * function.rate_bits - function.least_padding_bits) // 8
    if function.family == "jh":
        assert size % (function.rate_bits // 8) == 0
    sim = subject.sim()
    clocks = []
    for data in (b"", bytes(size)):
        sim.push(StreamMessage(function, data, empty_tail=empty_tail))
        (answer,) = sim.run(idle_clocks=200)
        clocks.append(answer.end - answer.start)
    # A short message has one block of the long one's, and all that is said once.
    assert function.blocks(8 * size) == blocks
    assert clocks[1] - clocks[0] == pytest.approx(
        (blocks - 1) * subject.clocks_per_block, abs=subject.clocks_per_block
    )


def test_clocks_of_short_messages(subject: Subject) -> None:
    """Short messages, back to back: what the port takes for one, or the engine and a step more."""
    function = subject.functions[0]
    sim = subject.sim()
    for _ in range(100):
        sim.push(StreamMessage(function, b"abc"))
    answers = sim.run()
    blocks = function.blocks(24)
    words = blocks * function.rate_bits // subject.data_width
    engine = (blocks + 1) * subject.design.timing(subject.variant).clocks_per_block + 8
    assert (answers[-1].end - answers[0].end) / 99 <= max(words + 2, engine)


####################
# Traffic          #
####################


def random_message(source: random.Random, subject: Subject) -> StreamMessage:
    """Draw a message; lengths near the ends of blocks more often than others."""
    function = source.choice(subject.functions)
    rate, padding = function.rate_bits, function.least_padding_bits
    bits = source.choice(
        [source.randrange(40), source.randrange(2 * rate), rate, 2 * rate, 2 * rate - padding]
    )
    bits = max(0, bits + source.randrange(-9, 9)) if bits >= rate else bits
    if source.random() < 0.6:
        bits -= bits % 8
    return StreamMessage(
        function=function,
        data=dirty(source, bits),
        bits=bits,
        empty_tail=bits % 8 == 0 and source.random() < 0.5,
    )


FAULTS = ("hole", "short", "function", "width", "slot", "other slot", "empty byte")


def bent(source: random.Random, beats: list[Beat], fault: str, subject: Subject) -> list[Beat]:
    """Return the beats of a message with one fault in them."""
    own = {function.code for function in subject.functions}
    known = {function.code for function in FINALISTS.values()}
    codes = {
        "function": sorted(set(range(256)) - known),  # of Keccak's or of none
        "width": sorted(known - own),  # of another family or of the other width
    }
    return faults.bent(source, beats, fault, codes=codes, most_missing=subject.data_width // 8)


def possible(subject: Subject) -> list[str]:
    """Return the faults that the port's width leaves room for."""
    return [fault for fault in FAULTS if fault != "hole" or subject.data_width > 8]


@pytest.mark.parametrize("stalls", STALLS)
def test_back_to_back(subject: Subject, stalls: tuple[float, float]) -> None:
    """Random messages of all functions without a pause, stalled on either side."""
    source = random.Random(f"{subject.design.name} {stalls}")
    sim = subject.sim(stall_in=stalls[0], stall_out=stalls[1], seed=7)
    messages = [random_message(source, subject) for _ in range(200)]
    for message in messages:
        sim.push(message)
    answers = sim.run(idle_clocks=200)
    faults.check_order(answers)
    for message, answer in zip(messages, answers, strict=True):
        assert (answer.error, answer.last_bits, answer.slot) == (False, 0, 0), message
        assert answer.digest == subject.digest(message), message


@pytest.mark.parametrize("stalls", [(0.0, 0.0), (0.3, 0.3), (0.6, 0.0)])
def test_faults_between_messages(subject: Subject, stalls: tuple[float, float]) -> None:
    """A message against the rules gives a flag in its turn, and its neighbours are right."""
    source = random.Random(f"{subject.design.name} {stalls}")
    sim = subject.sim(stall_in=stalls[0], stall_out=stalls[1], seed=8)
    sent: list[tuple[StreamMessage, str, int]] = []
    for _ in range(300):
        message = random_message(source, subject)
        if source.random() < 0.5:
            sim.push(message)
            sent.append((message, "", 0))
            continue
        fault = source.choice(possible(subject))
        length = source.randrange(sim.width + 1 if fault in faults.LONG_FAULTS else 0, 400)
        message = replace(message, data=source.randbytes(length), bits=None, empty_tail=False)
        bad = bent(source, list(beats_of(message, sim.width)), fault, subject)
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
            assert answer.digest == subject.digest(message), message


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_seen_in_every_beat(subject: Subject, fault: str) -> None:
    """Each fault separately, in each possible place, then a right message."""
    if fault not in possible(subject):
        pytest.skip("one byte a beat has no holes")
    sim = subject.sim()
    source = random.Random(fault)
    seen = set()
    for _ in range(80):
        function = source.choice(subject.functions)
        block = function.rate_bits // 8
        length = source.choice([source.randrange(2 * sim.width + 1, 5 * sim.width), 2 * block + 1])
        beats = list(beats_of(StreamMessage(function, source.randbytes(length)), sim.width))
        bad = bent(source, beats, fault, subject)
        seen.add(next(i for i, (a, b) in enumerate(zip(beats, bad, strict=True)) if a != b))
        good = StreamMessage(function, source.randbytes(20))
        sim.push_beats(bad)
        sim.push(good)
        wrong, right = sim.run(idle_clocks=60)
        assert (wrong.error, wrong.digest) == (True, b"")
        assert (right.error, right.digest) == (False, subject.digest(good))
    assert len(seen) > 1 or fault in {"function", "width", "slot", "empty byte"}


@pytest.mark.parametrize("clocks", [3, 11, 40, 97])
def test_reset_at_any_time(subject: Subject, clocks: int) -> None:
    """Nothing of what was under way comes out, and the next message is right."""
    source = random.Random(clocks)
    sim = subject.sim()
    for start in range(clocks, clocks + 30, 3):
        for _ in range(6):
            sim.push(random_message(source, subject))
        assert sim._library.hf_run_clocks(sim._handle, start) == 0
        sim.reset()
        message = random_message(source, subject)
        sim.push(message)
        (answer,) = sim.run(idle_clocks=100)
        assert answer.digest == subject.digest(message), start


####################
# Mutants          #
####################

PAD = "rtl/front/hf_finalist_pad.sv"
FRONT = "rtl/front/hf_finalist_front.sv"


@pytest.mark.parametrize(
    ("family", "path", "old", "new"),
    [
        pytest.param(
            *("blake", PAD, "emitted_has_message_q ? message_length : '0", "message_length"),
            marks=SLOW,
        ),
        pytest.param("blake", PAD, "4'(last_bits_q) <= 4'(Bits)", "1'b1", marks=SLOW),
        pytest.param("groestl", PAD, "block_count_q + 64'd1", "block_count_q + 64'd2", marks=SLOW),
        pytest.param(
            "jh",
            PAD,
            "emit_padding_ends || (message_ended && at_end)",
            "emit_padding_ends",
            marks=SLOW,
        ),
        pytest.param("skein", PAD, "emitted_last_q || close_message", "emitted_last_q", marks=SLOW),
        pytest.param(
            *("skein", PAD, "Family == FamilySkein && last_bits_q == '0", "Family == FamilySkein"),
            marks=SLOW,
        ),
        pytest.param("jh", PAD, "(beat_tid_q != message_tid_q)", "1'b0", marks=SLOW),
        pytest.param(
            "jh",
            FRONT,
            "!word_valid && !full_q && pending_valid_q == 2'b00 && !busy_q",
            "!busy_q",
            marks=SLOW,
        ),
        pytest.param(
            *("jh", FRONT, "(busy_q && !(m_tready_i && m_tlast_o))", "(busy_q && !m_tlast_o)"),
            marks=SLOW,
        ),
    ],
)
def test_mutants_are_caught(
    monkeypatch: pytest.MonkeyPatch, family: str, path: str, old: str, new: str
) -> None:
    """The tests above see one fault in the front end."""

    def read(variant: Variant) -> dict[str, str]:
        return simulation.mutated(registry.read_sources(variant), path, old, new)

    monkeypatch.setattr(library, "read_sources", read)
    mutant = stub(family, 256, 64)
    sim = mutant.sim()
    with pytest.raises((AssertionError, LabError)):
        test_every_bit_length(mutant, sim)
        test_an_empty_last_beat(mutant, sim)
        test_back_to_back(mutant, (0.3, 0.3))
        test_faults_between_messages(mutant, (0.3, 0.3))


####################
# Parameters       #
####################


@pytest.mark.parametrize(
    ("name", "value"), [("DataWidth", 24), ("Family", 1), ("Family", 6), ("Width", 384)]
)
def test_impossible_parameters_do_not_elaborate(name: str, value: int) -> None:
    """A parameter that makes no sense stops the build."""
    plain = stub("jh", 256, 64)
    with pytest.raises(LabError, match="hf_finalist_pad"):
        StreamSim(plain.design, plain.variant, parameters={name: value})
