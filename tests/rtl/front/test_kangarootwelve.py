"""keccak-tree: KT128 and KT256 (RFC 9861) of messages that fill several slots.

Digests are compared with pycryptodome; those of KT256 with a tree of its TurboSHAKE256.
"""

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from hashfabric.models.functions import FUNCTIONS, LENGTH_AT
from hashfabric.registry import designs as registry
from hashfabric.registry.designs import Parameter, find_design
from hashfabric.simulate.stream import Beat, StreamMessage, StreamSim, beats_of, tree_beats
from tests.support import simulation
from tests.support.oracles import kangaroo_digest, turboshake_digest
from tests.support.planted import caught, plant
from tests.support.samples import rfc9861_samples
from tests.support.streams import FOUR_STAGES, registers
from tests.support.subjects import SLOW

pytestmark = pytest.mark.usefixtures("checked_models")

CODES = {"kt128": 0x64, "kt256": 0x65}
CHUNK = 8192
SHAPES = {
    "4-slots": {"DataWidth": 128},
    "4-slots-64-bits": {"DataWidth": 64},
    "4-slots-2-messages": {"DataWidth": 128, "Messages": 2},
    "5-slots-2-messages": {
        "DataWidth": 128,
        "Messages": 2,
        **registers("Parity", "Effect", "Theta", "Rho"),
    },
    "8-slots": {"Rounds": 2, "DataWidth": 256},
    "8-slots-4-messages": {"Rounds": 2, "DataWidth": 256, "Messages": 4},
    "8-slots-2-messages-64-bits": {"Rounds": 2, "DataWidth": 64, "Messages": 2},
    "12-slots": {"Rounds": 2, "DataWidth": 256, **registers(*FOUR_STAGES, "Rho", "Pi")},
}
WRITER = "rtl/front/hf_keccak_tree_writer.sv"
VALUES = "rtl/front/hf_keccak_tree_values.sv"
RINGS = "rtl/front/hf_keccak_tree_rings.sv"
TREE = "rtl/front/hf_keccak_tree.sv"
PORT = "rtl/front/hf_keccak_tree_port.sv"


@dataclass(frozen=True)
class Tree:
    """A message of KT128 or KT256 with a C, `count` bytes of output."""

    name: str
    data: bytes
    custom: bytes = b""
    count: int = 32
    tid: int = 0

    def beats(self, width: int) -> list[Beat]:
        """Return the beats, as docs/engines/keccak-tree.md says."""
        output = 8 * self.count
        code = CODES[self.name]
        return list(tree_beats(code, self.data, self.custom, output, width, self.tid))

    def digest(self) -> bytes:
        """Return what must come out."""
        return kangaroo_digest(self.name, self.data, self.custom, self.count)


@dataclass
class Traffic:
    """Beats to send, and what must come out for each message of a tid: None is an error."""

    width: int
    beats: list[Beat] = field(default_factory=list)
    due: dict[int, list[tuple[str, bytes | None]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def tree(self, message: Tree) -> None:
        """Add a message of KT128 or KT256."""
        self.beats += message.beats(self.width)
        title = f"{message.name} of {len(message.data)} and {len(message.custom)}"
        self.due[message.tid].append((f"{title} to {message.count}", message.digest()))

    def turbo(self, name: str, data: bytes, count: int = 32, tid: int = 0) -> None:
        """Add a message of TurboSHAKE, which passes."""
        message = StreamMessage(FUNCTIONS[name], data, None, 8 * count, tid)
        self.beats += beats_of(message, self.width)
        strength = int(name[-3:])
        self.due[tid].append((name, turboshake_digest(strength, data, count, 0x1F)))

    def fault(self, title: str, beats: list[Beat], tid: int = 0) -> None:
        """Add a bad message."""
        self.beats += [replace(beats[0], first=True), *beats[1:]]
        self.due[tid].append((title, None))

    def wrong(self, sim: StreamSim) -> list[str]:
        """Send everything; return what came out wrong."""
        sim.push_beats(self.beats)
        said = []
        for answer in sim.run(idle_clocks=500):
            title, digest = self.due[answer.slot].pop(0)
            if answer.error != (digest is None) or answer.digest != (digest or b""):
                said.append(f"{title}: {'an error' if answer.error else answer.digest.hex()[:40]}")
        assert not any(self.due.values())
        return said


def simulated(
    shape: str = "4-slots", stalls: tuple[float, float] = (0.0, 0.0), seed: int = 1
) -> StreamSim:
    """Return a simulation of its own."""
    design = find_design("keccak-tree")
    parameters: dict[str, Parameter] = dict(SHAPES[shape])
    variant = next(
        (each for each in design.variants.values() if each.parameters == parameters),
        design.variant("stream"),
    )
    messages = SHAPES[shape].get("Messages", 1)
    if design.timing(variant).slots != messages:
        variant = variant.model_copy(update={"slots": messages})
    return StreamSim(
        design, variant, stall_in=stalls[0], stall_out=stalls[1], seed=seed, parameters=parameters
    )


####################
# Messages         #
####################


@pytest.mark.slow
@pytest.mark.parametrize("limit", [100_000, 2_000_000])
def test_samples_of_the_rfc(limit: int) -> None:
    """All of KT128 and KT256 but those of 24 MB."""
    sim = simulated()
    traffic = Traffic(sim.width)
    for sample in rfc9861_samples():
        if sample.function in CODES and len(sample.data) + len(sample.custom) < limit:
            traffic.tree(Tree(sample.function, sample.data, sample.custom, sample.count))
            assert (traffic.due[0][-1][1] or b"").endswith(sample.end)
    assert len(traffic.due[0]) > 10
    assert traffic.wrong(sim) == []


def around_chunks(step: int) -> Iterator[tuple[int, int]]:
    """Yield lengths of M and of C around the ends of chunks, 0 to 3 of them."""
    for chunks in range(4):
        for extra in range(-36, 37, step):
            length = chunks * CHUNK + extra
            if length < 0:
                continue
            yield length, 0
            for custom in (1, 3, 255, 256, 300):
                if length >= custom and (extra + custom) % 3 == 0:
                    yield length - custom, custom


@pytest.mark.parametrize(
    ("shape", "step"),
    [("4-slots", 36), *(pytest.param(shape, 1, marks=SLOW) for shape in SHAPES)],
)
def test_lengths_around_chunk_ends(shape: str, step: int) -> None:
    """Back to back: the end of M, of C and of its length in each byte of a beat and of a chunk."""
    sim = simulated(shape)
    rng = random.Random(shape)
    messages = SHAPES[shape].get("Messages", 1)
    for name in CODES:
        traffic = Traffic(sim.width)
        for i, (length, custom) in enumerate(around_chunks(step)):
            text = rng.randbytes(length + custom)
            traffic.tree(Tree(name, text[:length], text[length:], tid=i % messages))
        assert traffic.wrong(sim) == []


def random_traffic(rng: random.Random, width: int, messages: int, count: int) -> Traffic:
    """Return messages of all functions, long and short ones."""
    traffic = Traffic(width)
    for _ in range(count):
        tid = rng.randrange(messages)
        size = rng.choice((0, 1, 31, rng.randrange(600), rng.randrange(9000), rng.randrange(60000)))
        data = rng.randbytes(size)
        length = rng.choice((1, 32, 64, 168, 300))
        if rng.random() < 0.25:
            traffic.turbo(rng.choice(("turboshake128", "turboshake256")), data, length, tid)
        else:
            custom = rng.randbytes(rng.choice((0, 0, 1, 255, 256, 9000)))
            traffic.tree(Tree(rng.choice(list(CODES)), data, custom, length, tid))
    return traffic


@pytest.mark.slow
@pytest.mark.parametrize("stalls", [(0.0, 0.0), (0.3, 0.5)])
@pytest.mark.parametrize("shape", SHAPES)
def test_random_messages(shape: str, stalls: tuple[float, float]) -> None:
    """Messages of several tids at once, with stalls at both ports."""
    sim = simulated(shape, stalls)
    messages = SHAPES[shape].get("Messages", 1)
    traffic = random_traffic(random.Random(f"{shape}{stalls}"), sim.width, messages, 60)
    assert traffic.wrong(sim) == []


@pytest.mark.slow
def test_a_message_that_pauses_within_a_chunk() -> None:
    """The chunks of another message are hashed meanwhile, in the slots that are left."""
    sim = simulated("4-slots-2-messages")
    rng = random.Random(4)
    traffic = Traffic(sim.width)
    traffic.tree(Tree("kt128", rng.randbytes(2 * CHUNK), tid=0))
    pausing = traffic.beats
    traffic.beats = []
    traffic.tree(Tree("kt128", rng.randbytes(6 * CHUNK), tid=1))
    begun = CHUNK // sim.width + 10
    # All that follows the first beat of tid 1 is sent in its turns.
    traffic.beats = [*pausing[:begun], *traffic.beats, *pausing[begun:]]
    assert traffic.wrong(sim) == []


@pytest.mark.slow
def test_a_long_output_stops_no_other_message() -> None:
    """Another message of its tid waits; those of the other tid do not, nor do their chunks."""
    sim = simulated("4-slots-2-messages")
    traffic = Traffic(sim.width)
    traffic.turbo("turboshake128", b"long", 100_000)
    traffic.turbo("turboshake128", b"next")
    for length in (10, CHUNK + 10, 3 * CHUNK):
        traffic.tree(Tree("kt128", bytes(length), tid=1))
    sim.push_beats(traffic.beats)
    answers = sim.run()
    assert [answer.slot for answer in answers] == [1, 1, 1, 0, 0]


@SLOW
@pytest.mark.parametrize("clocks", [1, 2])
def test_a_reset_at_any_time(clocks: int) -> None:
    """Of a clock or two, while rings, core and values are in use."""
    sim = simulated("4-slots-2-messages")
    rng = random.Random(clocks)
    for before in range(2300, 2340):
        for tid in range(2):
            sim.push_beats(Tree("kt128", rng.randbytes(3 * CHUNK), tid=tid).beats(sim.width))
        sim.run_clocks(before)
        sim.reset(clocks)
        traffic = Traffic(sim.width)
        for tid in range(2):
            traffic.tree(Tree("kt128", rng.randbytes(CHUNK + 100), tid=tid))
        assert traffic.wrong(sim) == []


@pytest.mark.parametrize(
    ("shape", "size", "times"),
    [
        pytest.param("4-slots", 14, range(32), id="end-of-a-message"),
        pytest.param("4-slots", CHUNK, range(490, 720), id="end-of-a-chunk", marks=SLOW),
        pytest.param("4-slots-64-bits", 2 * CHUNK, range(1020, 1060), id="first-end", marks=SLOW),
        pytest.param("4-slots-64-bits", 2 * CHUNK, range(5240, 5300), id="value", marks=SLOW),
    ],
)
def test_a_reset_in_each_clock_of_a_job(shape: str, size: int, times: range) -> None:
    """Nothing that was about to be written comes into the next message."""
    sim = simulated(shape)
    rng = random.Random(size)
    for before in times:
        sim.push_beats(Tree("kt128", rng.randbytes(size)).beats(sim.width))
        sim.run_clocks(before)
        sim.reset(1)
        traffic = Traffic(sim.width)
        traffic.tree(Tree("kt128", rng.randbytes(100)))
        traffic.tree(Tree("kt128", rng.randbytes(10)))
        assert traffic.wrong(sim) == [], before


@pytest.mark.slow
def test_many_chunks() -> None:
    """The number of chunks has two bytes."""
    sim = simulated("8-slots")
    for chunks in (255, 256, 257, 600):
        traffic = Traffic(sim.width)
        traffic.tree(Tree("kt128", random.Random(chunks).randbytes(chunks * CHUNK)))
        assert traffic.wrong(sim) == []


####################
# Clock cycles     #
####################


def clocks_of(sim: StreamSim, beats: list[Beat]) -> int:
    """Return the clocks from the first beat to the last one of the result."""
    sim.push_beats(beats)
    (answer,) = sim.run()
    return answer.end - answer.start + 1


@pytest.mark.parametrize(
    ("shape", "chunk_slots"),
    [
        ("4-slots", 3),
        pytest.param("8-slots", 7, marks=SLOW),
        pytest.param("8-slots-4-messages", 4, marks=SLOW),
    ],
)
def test_a_long_message_fills_the_slots(shape: str, chunk_slots: int) -> None:
    """A chunk is 49 blocks of KT128, and each slot but those of messages has one at any time."""
    sim = simulated(shape)
    clocks = [
        clocks_of(sim, Tree("kt128", bytes(chunks * CHUNK)).beats(sim.width))
        for chunks in (41, 41 + 20 * chunk_slots)
    ]
    period = 48  # 4 slots of 12 clocks, or 8 of 6
    assert clocks[1] - clocks[0] <= 1.04 * 20 * 49 * period


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "more"), [(8000, 62), (8063, 62 + 48), (167, 62 + 48), (168, 62), (0, 62)]
)
def test_a_short_message_is_as_fast_as_turboshake(size: int, more: int) -> None:
    """One chunk: one period and a few clocks more on the way, and those of a block more.

    The byte after a message without customization takes a block if the message ends with one.
    """
    sim = simulated()
    data = bytes(size)
    tree = clocks_of(sim, Tree("kt128", data).beats(sim.width))
    message = StreamMessage(FUNCTIONS["turboshake128"], data, None, 256)
    design = find_design("keccak-turbo")
    turbo = StreamSim(design, design.variant("stream"))
    assert turbo.width == sim.width
    plain = clocks_of(turbo, list(beats_of(message, sim.width)))
    assert tree <= plain + more


####################
# Faults           #
####################


def spoilt(rng: random.Random, width: int, tid: int) -> tuple[str, list[Beat]]:
    """Return a message with a fault, and which."""
    name = rng.choice(list(CODES))
    custom = rng.randbytes(rng.randrange(1, 20))
    size = rng.choice((rng.randrange(400), CHUNK - rng.randrange(40), rng.randrange(3 * CHUNK)))
    beats = Tree(name, rng.randbytes(size), custom, tid=tid).beats(width)
    fault = rng.choice(("hole", "short", "bits", "tail", "packet"))
    at = rng.randrange(len(beats) - 1)
    if fault == "hole":
        beats[at] = replace(beats[at], keep=0b10 | rng.getrandbits(width) & ~1)
    elif fault == "short" and not beats[at].last:
        beats[at] = replace(beats[at], keep=(1 << rng.randrange(width)) - 1)
    elif fault == "bits":
        beats[-2] = replace(beats[-2], user=beats[-2].user | rng.randrange(1, 8) << 8)
    elif fault == "tail":
        beats[-1] = replace(beats[-1], keep=1)
    elif fault == "packet":
        beats[-1:] = [replace(beats[-1], last=False), beats[-1]]
    else:
        return spoilt(rng, width, tid)
    return f"{name} of {size} with fault {fault}", beats


@pytest.mark.parametrize("shape", ["4-slots", *(pytest.param(s, marks=SLOW) for s in SHAPES)])
def test_faults(shape: str) -> None:
    """One error for each, and the next message is right."""
    sim = simulated(shape)
    rng = random.Random(shape)
    traffic = Traffic(sim.width)
    for _ in range(40):
        tid = rng.randrange(SHAPES[shape].get("Messages", 1))
        traffic.fault(*spoilt(rng, sim.width, tid), tid)
        if rng.random() < 0.6:
            size = rng.choice((10, CHUNK, 20000))
            traffic.tree(Tree("kt128", rng.randbytes(size), b"c", tid=tid))
        if rng.random() < 0.2:
            user = 0x60 | 256 << LENGTH_AT
            traffic.fault("a hole", [Beat(0, 0b101, True, user, tid)], tid)
            traffic.turbo("turboshake128", rng.randbytes(300), tid=tid)
    code = Beat(0, 1, True, 0x66, 0, True)
    traffic.fault("an unknown code", [code])
    traffic.tree(Tree("kt128", b"after it"))
    assert traffic.wrong(sim) == []


####################
# Mutants          #
####################

MUTANTS = {
    "domain-of-a-chunk": (WRITER, "? 3'd2 : 3'd3", "? 3'd2 : 3'd2"),
    "domain-of-a-final-node": (WRITER, "is_final_q ? 8'h02 : 8'h03", "8'h03"),
    "first-end": (WRITER, "(text_step_q == '0) ? 8'h03", "(text_step_q == 3'd1) ? 8'h03"),
    "ones": (WRITER, "StOnes: byte_value = 8'hFF;", "StOnes: byte_value = 8'hFE;"),
    "count": (WRITER, "StCount: byte_value = 8'(digit_count_q);", "StCount: byte_value = 8'd1;"),
    "digits": (WRITER, "digit_due_q <= digit_due_q ||", "digit_due_q <="),
    "split-too-late": (
        WRITER,
        "assign leaves_tail = tail_due && chunk_full_q;",
        "assign leaves_tail = tail_due && chunk_full_q && digit_count_q != '0;",
    ),
    "tail-again": (WRITER, "tail_digits_q[m] <= digit_count_q;", ""),
    "not-all-values": (WRITER, "next_index_i[m] == IndexBits'(chunk_count_q[m])", "1'b1"),
    "value-rotated": (WRITER, "value_data_i << 64 % DataWidth", "value_data_i << 0"),
    "value-short": (
        WRITER,
        "value_strong_q ? ValueBeatBits'(64",
        "value_strong_q ? ValueBeatBits'(32",
    ),
    "order-of-values": (
        VALUES,
        "      chunk_entry1_q.chunk_index == next_index_q[chunk_entry1_q.chunk_owner];",
        "      1'b1;",
    ),
    "owner-of-values": (
        VALUES,
        "        assign_message_i, assign_index_i\n",
        "        assign_message_i ^ 1'b1, assign_index_i\n",
    ),
    "held": (WRITER, "&& !slot_held_q[look_slot_q]", ""),
    "room": (RINGS, "ring_level2_q < place_t'(RingBeats - Margin)", "1'b1"),
    "credit": (
        PORT,
        "assign queue_credit_o = !places_taken_q[QueueBits];",
        "assign queue_credit_o = 1'b1;",
    ),
    "core-room": (RINGS, "ring_filled2_q && core_room2_q", "ring_filled2_q"),
    "bad": (WRITER, "is_bad_q[m] <= message_bad1 || beat_bad1;", "is_bad_q[m] <= beat_bad1;"),
    "bad-for-ever": (
        WRITER,
        "is_bad_q[beat_message1_q] && !message_first1_q",
        "is_bad_q[beat_message1_q]",
    ),
    "custom-not-empty": (
        WRITER,
        "has_bytes1_q || !beat_last1_q || length_follows1_q",
        "!beat_last1_q || length_follows1_q",
    ),
    "requests": (
        TREE,
        "may_begin[m] = messages_begun_q[m] - messages_sent_q[m] != 2'd3;",
        "may_begin[m] = 1'b1;",
    ),
    "slice-before-skid": (
        PORT,
        ".m_valid_o(unused_valid),\n      .m_ready_i(core_ready_i),",
        ".m_valid_o(unused_valid),\n      .m_ready_i(1'b1),",
    ),
    "output-not-kept": (
        PORT,
        "assign result_ready = is_value || m_tready_i;",
        "assign result_ready = 1'b1;",
    ),
    "beat-after-a-reset": (
        PORT,
        "beat1_valid_q  <= beat_valid_i && !rst_i;",
        "beat1_valid_q <= beat_valid_i;",
    ),
    "queued-after-a-reset": (PORT, "<= beat1_valid_q && !rst_i;", "<= beat1_valid_q;"),
    "leaving-node": (
        RINGS,
        "queue_credit_i &&\n      !node_leaves_q[turn_slot2_q];",
        "queue_credit_i;",
    ),
    "job-after-a-reset": (WRITER, "{at_plain_q, at_digits_q, at_count_q, at_value_q} <= '0;", ""),
    "reset": (RINGS, "rst_i ? '0 : read_place_q[turn_slot_q];", "read_place_q[turn_slot_q];"),
}
"""Two guards have none, since no traffic here meets them: that of SlotChunks (rings are full before
a slot has four chunks), and node_leaves_q where a turn begins (a window of one clock).
"""


@pytest.mark.slow
@pytest.mark.parametrize("fault", MUTANTS)
def test_mutants_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the tests above fails."""
    plant(monkeypatch, find_design("keccak-tree").variant("stream"), MUTANTS[fault])
    assert caught(
        [
            lambda: test_samples_of_the_rfc(100_000),
            lambda: test_faults("4-slots"),
            lambda: test_random_messages("4-slots-2-messages", (0.3, 0.5)),
            lambda: test_lengths_around_chunk_ends("4-slots", 4),
            lambda: test_random_messages("8-slots-4-messages", (0.0, 0.0)),
            lambda: test_a_long_message_fills_the_slots("4-slots", 3),
            test_many_chunks,
            test_a_message_that_pauses_within_a_chunk,
            test_a_long_output_stops_no_other_message,
            lambda: test_a_reset_at_any_time(1),
            lambda: test_a_reset_in_each_clock_of_a_job("4-slots", 14, range(21)),
        ]
    )


@pytest.mark.parametrize(
    ("parameter", "value", "said"),
    [
        ("DataWidth", 512, "DataWidth"),
        ("Messages", 3, "Messages"),
        ("Rounds", 5, "Rounds"),
        ("Rounds", 3, "Rounds"),
        ("Rounds", 4, "Rounds"),
    ],
)
def test_impossible_parameters_do_not_elaborate(parameter: str, value: int, said: str) -> None:
    """A parameter that makes no sense stops the build."""
    variant = find_design("keccak-tree").variant("stream")
    parameters = {**variant.parameters, parameter: value}
    with pytest.raises(RuntimeError, match=rf"refused: .*\b{said}\b"):
        simulation.compile_design(variant.top, registry.read_sources(variant), parameters)
