"""Messages in several packets, and streams of one function, for DMA (docs/integrate/dma.md).

Through whole stream tops of every kind; digests are compared with independent libraries, or with
the golden model where none has the function.
"""

import hashlib
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

import pytest

from hashfabric.base.errors import LabError
from hashfabric.models import functions
from hashfabric.models.family import Function
from hashfabric.models.functions import BITS_AT, FUNCTIONS, LENGTH_AT
from hashfabric.registry import designs as registry
from hashfabric.registry.designs import Design, Variant, find_design
from hashfabric.simulate import library
from hashfabric.simulate.stream import Beat, StreamMessage, StreamSim, beats_of
from tests.rtl.finalists.finalists import FINALIST_FAMILIES
from tests.support import simulation
from tests.support.oracles import finalist_digest, library_digest
from tests.support.subjects import SLOW

pytestmark = pytest.mark.usefixtures("checked_models")

MORE = 1 << 11
"""Bit of `s_axis_tuser`: the message goes on in the next packet."""

MESSAGES = 40
STALLS = ((0.0, 0.0), (0.5, 0.0), (0.3, 0.7))
QUICK = ("keccak-iterative/stream",)
OTHERS = (
    "skein/stream",
    "keccak-combinational/stream",
    "keccak-dsp-compact/stream",
    "keccak-dsp-wide/stream",
    "keccak-pipelined/stream",
    "keccak-pipelined/stream-3-stages",
    "keccak-pipelined/array-2",
    "blake/stream-512",
    "groestl/stream-256",
    "jh/stream",
)


@dataclass(frozen=True)
class Subject:
    """A stream top with some parameters replaced."""

    design: Design
    variant: Variant
    parameters: Mapping[str, int]

    @property
    def functions(self) -> list[Function]:
        """What it computes."""
        return [FUNCTIONS[name] for name in self.design.functions_of(self.variant)]

    @property
    def slots(self) -> int:
        """Its slots."""
        return self.design.timing(self.variant).slots

    def sim(self, stalls: tuple[float, float] = (0.0, 0.0), seed: int = 1) -> StreamSim:
        """Return a simulation of its own."""
        stall_in, stall_out = stalls
        return StreamSim(
            self.design,
            self.variant,
            stall_in=stall_in,
            stall_out=stall_out,
            seed=seed,
            parameters=self.parameters,
        )


def subject(name: str, **parameters: int) -> Subject:
    """Return the stream called `design/variant` with these parameters."""
    design, _, variant = name.partition("/")
    found = find_design(design)
    return Subject(found, found.variant(variant), parameters)


def wanted(message: StreamMessage) -> bytes:
    """Return the digest."""
    function, data, bits = message.function, message.data, message.bits
    if function.family in FINALIST_FAMILIES:
        return finalist_digest(function.name, data, bits)
    known = library_digest(function, data, bits=bits, output_bits=message.output_bits)
    if known is not None:
        return known
    return functions.digest(function, data, bits=bits, output_bits=message.output_bits)


def random_message(rng: random.Random, function: Function, width: int, slot: int) -> StreamMessage:
    """Return a message: none, of whole beats, around a block's end, or any; some end in a bit."""
    rate = function.rate_bits // 8
    size = rng.choice(
        (0, width * rng.randrange(1, 9), rate - rng.randrange(9), rng.randrange(3 * rate))
    )
    data = bytearray(rng.randbytes(size))
    bits = 8 * size
    if size and rng.random() < 0.3:
        bits -= rng.randrange(1, 8)
        spare = 8 * size - bits  # the library is given zeros in them
        high = function.family in FINALIST_FAMILIES
        data[-1] &= 0xFF & (0xFF << spare) if high else 0xFF >> spare
    output = rng.randrange(1, 2000) if function.xof else None
    return StreamMessage(function, bytes(data), bits, output, slot)


def in_packets(rng: random.Random, message: StreamMessage, width: int, chance: float) -> list[Beat]:
    """Return the beats of a message, each but the last the end of a packet with this chance.

    The bit for a message that goes on counts only with `tlast`: elsewhere it has any value.
    """
    beats = list(beats_of(message, width))
    for i, beat in enumerate(beats[:-1]):
        ends = rng.random() < chance
        more = MORE if ends or rng.random() < 0.5 else 0
        beats[i] = replace(beat, last=ends, user=beat.user | more)
    return beats


def short_packet(rng: random.Random, beats: list[Beat]) -> list[Beat] | None:
    """Return the beats with a packet in the middle whose last one is not full, if there is any."""
    ends = [i for i, beat in enumerate(beats[:-1]) if beat.last]
    if not ends:
        return None
    at = rng.choice(ends)
    shorter = beats[at].keep >> rng.randrange(1, beats[at].keep.bit_length() + 1)
    return [*beats[:at], replace(beats[at], keep=shorter), *beats[at + 1 :]]


def wrong_answers(one: Subject, count: int, stalls: tuple[float, float]) -> list[str]:
    """Send messages in packets, a fifth of them wrong, in all slots; return what came out wrong."""
    sim, rng = one.sim(stalls), random.Random(count)
    due: list[list[tuple[str, bytes | None]]] = [[] for _ in range(one.slots)]
    for number in range(count):
        slot = number % one.slots
        message = random_message(rng, rng.choice(one.functions), sim.width, slot)
        beats = in_packets(rng, message, sim.width, rng.choice((0.0, 0.1, 0.5, 1.0)))
        digest: bytes | None = wanted(message)
        if rng.random() < 0.2 and (wrong := short_packet(rng, beats)) is not None:
            beats, digest = wrong, None
        packets = sum(beat.last for beat in beats)
        name = f"{message.function.name}, {len(message.data)} bytes in {packets} packets"
        due[slot].append((name, digest))
        sim.push_beats(beats)
    said = []
    for answer in sim.run(idle_clocks=300):
        name, digest = due[answer.slot].pop(0)
        if answer.error != (digest is None) or answer.digest != (digest or b""):
            said.append(f"{name}: {'an error' if answer.error else answer.digest.hex()}")
    return said


@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize(
    "name", [QUICK[0], *(pytest.param(name, marks=SLOW) for name in (*QUICK[1:], *OTHERS))]
)
def test_messages_in_packets(name: str, stalls: tuple[float, float]) -> None:
    """Back to back: right digests, one error for a packet that is not full, and none lost."""
    assert wrong_answers(subject(name, Packets=1), MESSAGES, stalls) == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [8, 16, 32])
def test_narrow_ports(width: int) -> None:
    """The same over other ports of one slot."""
    one = subject("keccak-iterative/stream", Packets=1, DataWidth=width)
    assert wrong_answers(one, MESSAGES, (0.2, 0.2)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_without_packets_the_bit_is_not_looked_at(name: str) -> None:
    """Each packet is a message, whatever is in the reserved bits."""
    one = subject(name)
    sim, function = one.sim(), one.functions[0]
    message = StreamMessage(function, b"ab")
    for _ in range(3):
        sim.push_beats(replace(b, user=b.user | MORE) for b in beats_of(message, sim.width))
    assert [answer.digest for answer in sim.run()] == 3 * [wanted(message)]


####################
# One function     #
####################


@SLOW
@pytest.mark.parametrize("stalls", STALLS[::2])
def test_the_stream_for_dma_engines(stalls: tuple[float, float]) -> None:
    """SHA3-256 of whole bytes by hashlib, whatever is in the rest of `s_axis_tuser`."""
    one = subject("keccak-iterative/stream-dma")
    sim, rng = one.sim(stalls), random.Random(3)
    digests = []
    for _ in range(2 * MESSAGES):
        message = random_message(rng, one.functions[0], sim.width, 0)
        message = replace(message, bits=None)
        digests.append(hashlib.sha3_256(message.data).digest())
        for beat in in_packets(rng, message, sim.width, rng.choice((0.0, 0.2))):
            other = rng.getrandbits(56) & ~MORE | beat.user & MORE
            sim.push_beats([replace(beat, user=other)])
    answers = sim.run(idle_clocks=100)
    assert [(answer.error, answer.digest) for answer in answers] == [(False, d) for d in digests]


@pytest.mark.parametrize(
    ("name", "function", "length"),
    [
        pytest.param("keccak-iterative/stream", "shake128", 1344, marks=SLOW),
        pytest.param("keccak-pipelined/stream-3-stages", "cshake256", 44, marks=SLOW),
        pytest.param("keccak-pipelined/array-2", "sha3-512", 0, marks=SLOW),
        pytest.param("keccak-dsp-wide/stream", "sha3-384", 0, marks=SLOW),
        pytest.param("keccak-dsp-compact/stream", "shake256", 80, marks=SLOW),
        pytest.param("skein/stream", "skein-512-384", 0, marks=SLOW),
        pytest.param("blake/stream-512", "blake-384", 0, marks=SLOW),
        pytest.param("groestl/stream-256", "groestl-224", 0, marks=SLOW),
        pytest.param("jh/stream", "jh-256", 0, marks=SLOW),
    ],
)
def test_a_function_that_is_fixed(name: str, function: str, length: int) -> None:
    """It and its length are the parameters'; the bit count is still looked at."""
    fixed = FUNCTIONS[function]
    settings = {"FixedFunction": fixed.code} | ({"FixedLength": length} if length else {})
    one = subject(name, **settings)
    sim, rng = one.sim(), random.Random(5)
    due: list[list[bytes]] = [[] for _ in range(one.slots)]
    for number in range(MESSAGES):
        slot = number % one.slots
        message = random_message(rng, fixed, sim.width, slot)
        message = replace(message, output_bits=length if fixed.xof else None)
        due[slot].append(wanted(message))
        other = rng.getrandbits(8) | rng.getrandbits(40) << LENGTH_AT
        for beat in beats_of(message, sim.width):
            sim.push_beats([replace(beat, user=beat.user & 7 << BITS_AT | other)])
    for answer in sim.run(idle_clocks=100):
        assert (answer.error, answer.digest) == (False, due[answer.slot].pop(0))


####################
# Mutants          #
####################

PAD, PORT = "rtl/front/hf_keccak_pad.sv", "rtl/front/hf_keccak_slot_port.sv"
FINALIST_PAD = "rtl/front/hf_finalist_pad.sv"
LATE = "if (late_q) begin"
LATE_BIT = (
    "  logic late_q;\n  always_ff @(posedge clk_i) late_q <= s_user.more;\n\n  user_t s_user;"
)


@pytest.mark.parametrize(
    ("name", "path", "changes"),
    [
        pytest.param(
            *(QUICK[0], PAD),
            {"if (s_user.more) begin": "if (1'b0) begin"},
            id="ignored",
            marks=SLOW,
        ),
        pytest.param(
            *(QUICK[0], PAD),
            {"if (s_user.more) begin": LATE, "  user_t s_user;": LATE_BIT},
            id="of-the-beat-before",
            marks=SLOW,
        ),
        pytest.param(
            *(QUICK[0], PAD), {"beat_faulty_q <= !(&s_tkeep_i);": ""}, id="short-packet", marks=SLOW
        ),
        pytest.param(
            *("skein/stream", FINALIST_PAD),
            {"if (s_user.more) begin": "if (1'b0) begin"},
            id="finalist",
            marks=SLOW,
        ),
        pytest.param(
            *("keccak-pipelined/stream-3-stages", PORT),
            {"s_tlast_i && !(Packets && offered_user.more)": "s_tlast_i"},
            id="slots",
            marks=SLOW,
        ),
        pytest.param(
            *(QUICK[0], "rtl/top/hf_keccak_iterative_axis.sv"),
            {"      .Packets  (Packets)": "      .Packets  (1'b0)"},
            id="not-handed-on",
            marks=SLOW,
        ),
    ],
)
def test_mutants_are_caught(
    name: str, path: str, changes: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bit that is ignored, read a beat late, or that excuses a beat that is not full."""

    def read(variant: Variant) -> dict[str, str]:
        files = registry.read_sources(variant)
        for old, new in changes.items():
            files = simulation.mutated(files, path, old, new)
        return files

    monkeypatch.setattr(library, "read_sources", read)
    try:
        assert wrong_answers(subject(name, Packets=1), MESSAGES, STALLS[1])
    except LabError as error:
        assert "simulation" in str(error)  # a digest too many, or none
