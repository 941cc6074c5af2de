"""keccak-parallel: ParallelHash (SP 800-185, section 6) of messages that fill several slots.

Digests are compared with SHAKE and cSHAKE of pycryptodome, and with NIST's samples.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import pytest

from hashfabric.models.functions import BITS_AT, FUNCTIONS, LENGTH_AT
from hashfabric.models.sp800_185 import FRAMED, BitString, parallelhash
from hashfabric.registry import designs as registry
from hashfabric.registry.designs import Parameter, find_design
from hashfabric.simulate.stream import Beat, StreamMessage, StreamSim, beats_of, packet_beats
from tests.support import simulation
from tests.support.oracles import framed_digest, library_digest
from tests.support.planted import caught, plant
from tests.support.samples import nist_samples
from tests.support.streams import THREE_STAGES, registers
from tests.support.subjects import SLOW

# Slow: tests/rtl/front/test_kangarootwelve.py has a tree of the same parts in each run.
pytestmark = [pytest.mark.usefixtures("checked_models"), SLOW]

CODES = {
    "parallelhash128": 0x68,
    "parallelhash256": 0x69,
    "parallelhashxof128": 0x6A,
    "parallelhashxof256": 0x6B,
}
LOAD_BLOCK_BYTES, LOAD_CUSTOM = 0x6C, 0x6D
SHAPES = {
    "4-slots": {"DataWidth": 128},
    "4-slots-64-bits": {"DataWidth": 64},
    "8-slots": {"Rounds": 2, "DataWidth": 256},
    "3-slots": {"DataWidth": 64, "Registers": registers(*THREE_STAGES)["Registers"]},
}
DEFAULT_BLOCK = 8192
WRITER = "rtl/front/hf_keccak_parallel_writer.sv"
PARALLEL = "rtl/front/hf_keccak_parallel.sv"
PORT = "rtl/front/hf_keccak_tree_port.sv"


def load(code: int, data: bytes, length: int, width: int) -> list[Beat]:
    """Return the beats of a load, which has no result."""
    return [replace(beat, first=False) for beat in packet_beats(code, data, length, width)]


@dataclass
class Traffic:
    """Beats to send, and what must come out for each message: None is an error."""

    width: int
    beats: list[Beat] = field(default_factory=list)
    due: list[tuple[str, bytes | None]] = field(default_factory=list)
    block_bytes: int = DEFAULT_BLOCK
    custom: bytes = b""

    def load_block(self, count: int) -> None:
        """Load B."""
        self.beats += load(LOAD_BLOCK_BYTES, b"", count, self.width)
        self.block_bytes = count

    def load_custom(self, custom: bytes) -> None:
        """Load S."""
        self.beats += load(LOAD_CUSTOM, custom, 0, self.width)
        self.custom = custom

    def parallel(self, name: str, data: bytes, count: int = 32) -> None:
        """Add a message of ParallelHash."""
        self.beats += packet_beats(CODES[name], data, 8 * count, self.width)
        wanted = framed_digest(
            name, count, data=data, custom=self.custom, block_bytes=self.block_bytes
        )
        title = f"{name} of {len(data)} by {self.block_bytes}, S of {len(self.custom)}, to {count}"
        self.due.append((title, wanted))

    def other(self, name: str, data: bytes, count: int) -> None:
        """Add a message of a function that passes."""
        function = FUNCTIONS[name]
        message = StreamMessage(function, data, None, 8 * count if function.xof else None)
        self.beats += beats_of(message, self.width)
        bits = 8 * count if function.xof else None
        self.due.append((name, library_digest(function, data, output_bits=bits)))

    def fault(self, title: str, beats: list[Beat]) -> None:
        """Add a bad message."""
        self.beats += beats
        self.due.append((title, None))

    def wrong(self, sim: StreamSim) -> list[str]:
        """Send everything; return what came out wrong."""
        sim.push_beats(self.beats)
        said = []
        for answer in sim.run(idle_clocks=1500):
            title, digest = self.due.pop(0)
            if answer.error != (digest is None) or answer.digest != (digest or b""):
                said.append(f"{title}: {'an error' if answer.error else answer.digest.hex()[:40]}")
        assert not self.due
        return said


def simulated(
    shape: str = "4-slots", stalls: tuple[float, float] = (0.0, 0.0), seed: int = 1
) -> StreamSim:
    """Return a simulation of its own."""
    design = find_design("keccak-parallel")
    parameters: dict[str, Parameter] = dict(SHAPES[shape])
    return StreamSim(
        design,
        design.variant("stream"),
        stall_in=stalls[0],
        stall_out=stalls[1],
        seed=seed,
        parameters=parameters,
    )


####################
# Messages         #
####################


def test_samples_of_nist() -> None:
    """Those whose blocks are whole beats of 64 bits."""
    sim = simulated("4-slots-64-bits")
    traffic = Traffic(sim.width)
    for sample in nist_samples():
        if sample.function in CODES and sample.block_bytes % sim.width == 0:
            traffic.load_block(sample.block_bytes)
            traffic.load_custom(sample.custom)
            traffic.parallel(sample.function, sample.data, len(sample.output))
            assert traffic.due[-1][1] == sample.output
    assert len(traffic.due) >= 8
    assert traffic.wrong(sim) == []


@pytest.mark.parametrize(("shape", "step"), [(shape, 1) for shape in SHAPES])
def test_lengths_around_block_ends(shape: str, step: int) -> None:
    """Back to back: no block, ends of blocks of the message, of the sponge and of beats."""
    sim = simulated(shape)
    rng = random.Random(shape)
    for name in CODES:
        traffic = Traffic(sim.width)
        for size in (1, 5, 10, 11, 64, 512):
            traffic.load_block(size * sim.width)
            for blocks in range(5):
                for extra in range(-16, 17, step):
                    if (length := blocks * traffic.block_bytes + extra) >= 0:
                        traffic.parallel(name, rng.randbytes(length))
        assert traffic.wrong(sim) == []


def test_messages_that_end_within_a_byte() -> None:
    """Some bits in the last byte, which are the last block's."""
    sim = simulated()
    traffic = Traffic(sim.width)
    traffic.load_block(64)
    framed = FRAMED["parallelhash128"]
    for bits in (1, 7, 8 * 64 - 1, 8 * 64 + 3, 8 * 200 + 5):
        text = BitString(random.Random(bits).getrandbits(bits), bits)
        beats = list(packet_beats(CODES[framed.name], text.to_bytes(), 256, sim.width))
        beats[-1] = replace(beats[-1], user=beats[-1].user | bits % 8 << BITS_AT)
        traffic.beats += beats
        traffic.due.append((f"{bits} bits", parallelhash(framed, text, 64, 256)))
    assert traffic.wrong(sim) == []


@pytest.mark.parametrize("shape", SHAPES)
def test_customization_strings(shape: str) -> None:
    """Of every length, so that the padding ends in each lane of the sponge's block."""
    sim = simulated(shape)
    rng = random.Random(shape)
    traffic = Traffic(sim.width)
    for size in (*range(0, 40), 63, 64, 127, 128, 150, 151, 152, 200, 255, 256, 3, 0):
        traffic.load_custom(rng.randbytes(size))
        traffic.parallel(rng.choice(list(CODES)), rng.randbytes(rng.randrange(40)))
        if size % 5 == 0:
            traffic.parallel("parallelhash256", rng.randbytes(9), 64)
    assert traffic.wrong(sim) == []


def random_traffic(rng: random.Random, width: int, count: int) -> Traffic:
    """Return messages of all functions, long and short ones, and loads between them."""
    traffic = Traffic(width)
    for _ in range(count):
        block_bytes = width * rng.choice((1, 3, 10, rng.randrange(1, 600)))
        custom = rng.randbytes(rng.choice((0, 1, 30, 200)))
        loads: list[Callable[[], None]] = []
        if rng.random() < 0.4:
            loads.append(partial(traffic.load_block, block_bytes))
        if rng.random() < 0.2:
            loads.append(partial(traffic.load_custom, custom))
        for load_one in rng.sample(loads, len(loads)):
            load_one()
        size = rng.choice((0, 1, 31, rng.randrange(600), rng.randrange(9000), rng.randrange(40000)))
        if size // traffic.block_bytes > 700:
            size = 700 * traffic.block_bytes
        data = rng.randbytes(size)
        length = rng.choice((1, 32, 64, 168, 300))
        if rng.random() < 0.25:
            traffic.other(rng.choice(("sha3-256", "shake128", "keccak-512")), data, length)
        else:
            traffic.parallel(rng.choice(list(CODES)), data, length)
    return traffic


@pytest.mark.parametrize("stalls", [(0.0, 0.0), (0.3, 0.5)])
@pytest.mark.parametrize("shape", SHAPES)
def test_random_messages(shape: str, stalls: tuple[float, float]) -> None:
    """Loads, messages that pass, stalls at both ports."""
    sim = simulated(shape, stalls)
    assert random_traffic(random.Random(f"{shape}{stalls}"), sim.width, 60).wrong(sim) == []


def test_random_messages_in_short() -> None:
    """Some of them."""
    sim = simulated("4-slots", (0.3, 0.5))
    assert random_traffic(random.Random(5), sim.width, 12).wrong(sim) == []


def test_a_number_of_blocks_of_two_bytes() -> None:
    """And more blocks than a chunk's index has values."""
    sim = simulated()
    traffic = Traffic(sim.width)
    traffic.load_block(16)
    for blocks in (255, 256, 700):
        traffic.parallel("parallelhash128", random.Random(blocks).randbytes(16 * blocks - 3))
    assert traffic.wrong(sim) == []


def test_blocks_that_are_longer_than_a_ring() -> None:
    """The port waits for the slot."""
    sim = simulated()
    traffic = Traffic(sim.width)
    traffic.load_block(20_000)
    traffic.parallel("parallelhash128", random.Random(3).randbytes(70_001))
    assert traffic.wrong(sim) == []


@pytest.mark.parametrize("clocks", [1, 2])
def test_a_reset_at_any_time(clocks: int) -> None:
    """Of a clock or two, in a message's text, blocks and values."""
    sim = simulated()
    rng = random.Random(clocks)
    for before in (*range(0, 90), *range(2300, 2340)):
        sim.push_beats(load(LOAD_CUSTOM, rng.randbytes(20), 0, sim.width))
        sim.push_beats(packet_beats(CODES["parallelhash128"], rng.randbytes(30_000), 256, 16))
        sim.run_clocks(before)
        sim.reset(clocks)
        traffic = Traffic(sim.width)
        traffic.parallel("parallelhash128", rng.randbytes(100))
        assert traffic.wrong(sim) == [], before


####################
# Clock cycles     #
####################


@pytest.mark.parametrize(("shape", "slots"), [("4-slots", 3), ("8-slots", 7)])
def test_a_long_message_fills_the_slots(shape: str, slots: int) -> None:
    """A block of 8,192 bytes is 49 of the sponge, and each slot but one has some at any time."""
    sim = simulated(shape)
    clocks = []
    for blocks in (40, 40 + 20 * slots):
        data = bytes(blocks * DEFAULT_BLOCK)
        sim.push_beats(packet_beats(CODES["parallelhash128"], data, 256, sim.width))
        (answer,) = sim.run()
        clocks.append(answer.end - answer.start)
    period = 96  # 4 slots of 24 clocks, or 8 of 12
    assert clocks[1] - clocks[0] <= 1.04 * 20 * 49 * period


####################
# Faults           #
####################


def spoilt(rng: random.Random, width: int) -> tuple[str, list[Beat]]:
    """Return a message with a fault, and which."""
    name = rng.choice(list(CODES))
    size = rng.choice((rng.randrange(2, 400), DEFAULT_BLOCK, rng.randrange(2, 3 * DEFAULT_BLOCK)))
    beats = list(packet_beats(CODES[name], rng.randbytes(size), 256, width))
    fault = rng.choice(("hole", "short", "bits", "open"))
    at = rng.randrange(len(beats))
    if fault == "hole":
        beats[at] = replace(beats[at], keep=0b10 | rng.getrandbits(width) & ~1)
    elif fault == "short" and not beats[at].last:
        beats[at] = replace(beats[at], keep=(1 << rng.randrange(width)) - 1)
    elif fault == "bits":
        user = beats[-1].user | rng.randrange(1, 8) << BITS_AT
        beats[-1] = replace(beats[-1], keep=0, user=user)
    elif fault == "open" and not name.startswith("parallelhashxof"):
        beats[0] = replace(beats[0], user=CODES[name] | ((1 << 40) - 1) << LENGTH_AT)
    else:
        return spoilt(rng, width)
    return f"{name} of {size} with fault {fault}", beats


@pytest.mark.parametrize("shape", SHAPES)
def test_faults(shape: str) -> None:
    """One error for each, and the next message is right."""
    sim = simulated(shape)
    rng = random.Random(shape)
    traffic = Traffic(sim.width)
    for _ in range(30):
        traffic.fault(*spoilt(rng, sim.width))
        if rng.random() < 0.6:
            traffic.parallel("parallelhash128", rng.randbytes(rng.choice((10, 20000))))
        if rng.random() < 0.2:
            user = FUNCTIONS["sha3-256"].code
            traffic.fault("a hole", [Beat(0, 0b101, True, user, 0, True)])
            traffic.other("sha3-256", rng.randbytes(300), 32)
    traffic.fault("an unknown code", [Beat(0, 1, True, 0x6E, 0, True)])
    traffic.parallel("parallelhash128", b"after it")
    assert traffic.wrong(sim) == []


def test_loads_in_any_order() -> None:
    """Each counts, also where the next one follows it at once."""
    sim = simulated()
    traffic = Traffic(sim.width)
    for size in (3, 16, 20, 40):
        traffic.load_custom(bytes(range(size)))
        traffic.load_block(10 * sim.width)
        traffic.parallel("parallelhash128", bytes(500))
        traffic.load_block(3 * sim.width)
        traffic.load_custom(bytes(range(1, size)))
        traffic.load_custom(bytes(range(2, size)))
        traffic.parallel("parallelhash256", bytes(500))
    assert traffic.wrong(sim) == []
    traffic.beats = [Beat(0, 0b101, True, LOAD_CUSTOM)]
    traffic.load_block(16)
    message = list(packet_beats(CODES["parallelhash128"], bytes(50), 256, sim.width))
    traffic.fault("a hole in S, and B at once", message)
    assert traffic.wrong(sim) == []


def test_loads_that_fail() -> None:
    """Every message is an error until a right load; others are not, nor those before it."""
    sim = simulated()
    rng = random.Random(2)
    traffic = Traffic(sim.width)
    message = list(packet_beats(CODES["parallelhash128"], bytes(50), 256, sim.width))
    length = 16 << LENGTH_AT
    bad = {
        "no bytes": load(LOAD_BLOCK_BYTES, b"", 0, sim.width),
        "no whole beats": load(LOAD_BLOCK_BYTES, b"", 24, sim.width),
        "too many": load(LOAD_BLOCK_BYTES, b"", 1 << 32, sim.width),
        "not empty": [Beat(0, 1, True, LOAD_BLOCK_BYTES | length)],
        "bits": [Beat(0, 0, True, LOAD_BLOCK_BYTES | length | 3 << BITS_AT)],
        "two beats": [Beat(0, 0xFFFF, last, LOAD_BLOCK_BYTES | length) for last in (False, True)],
        "a long string": load(LOAD_CUSTOM, bytes(257), 0, sim.width),
        "a hole": [Beat(0, 0b101, True, LOAD_CUSTOM)],
        "bits of a string": [Beat(0, 1, True, LOAD_CUSTOM | 3 << BITS_AT)],
        "a short beat": [Beat(0, 1, last, LOAD_CUSTOM) for last in (False, True)],
    }
    for title, beats in bad.items():
        traffic.parallel("parallelhash256", rng.randbytes(10_000))
        traffic.beats += beats
        traffic.fault(title, message)
        traffic.other("sha3-256", b"abc", 32)
        traffic.fault(title, message)
        traffic.load_block(160)
        traffic.load_custom(rng.randbytes(9))
    assert traffic.wrong(sim) == []


####################
# Mutants          #
####################

MUTANTS = {
    "rate": (WRITER, "is_strong_q ? 8'd136 : 8'd168", "8'd168"),
    "pad": (WRITER, "is_strong_q ? 5'd16 : 5'd20", "5'd20"),
    "name": (WRITER, "hsaHlell", "hsahlell"),
    "block-bytes": (WRITER, "NumberWidth'({block_beats_q, ByteBits'(0)})", "16'd8192"),
    "xof": (
        WRITER,
        "is_xof_q ? '0 : NumberWidth'(output_length_q)",
        "NumberWidth'(output_length_q)",
    ),
    "value-short": (WRITER, "is_strong_q ? 4'd7 : 4'd3", "4'd3"),
    "not-all-values": (WRITER, "if (all_added) begin", "if (1'b1) begin"),
    "custom-part": (WRITER, "&(text_part_q | ~4'(Lanes - 1))", "text_part_q == 4'd1"),
    "custom-kept": (
        WRITER,
        "writer_state_d == StLoadCustom)) begin\n      custom_bytes_q  <= '0;",
        "writer_state_d == StLoadCustom)) begin",
    ),
    "load-too-late": (WRITER, "!beat_valid1_q && s_user.code", "s_user.code"),
    "last-beat-of-s": (
        WRITER,
        "end else if (beat_valid1_q && is_custom1_q)",
        "end else if (beat_valid1_q && is_custom1_q && writer_state_d != StLoadBlock)",
    ),
    "overflow": (WRITER, "last_bits1_q != '0 || custom_overflow1_q;", "last_bits1_q != '0;"),
    "block-failed": (WRITER, "(block_failed_q || custom_failed_q ||", "(custom_failed_q ||"),
    "block-not-whole": (WRITER, "s_user.length[ByteBits-1:0] != '0 ||", ""),
    "empty-end": (
        WRITER,
        "if (s_tvalid_i && beat_empty_end) writer_state_d = StEmpty;\n        else ",
        "",
    ),
    "block-end": (WRITER, "s_tlast_i || (writer_state_q == StFill && block_ends_q)", "s_tlast_i"),
    "last-beat-of-a-block": (
        WRITER,
        "block_ends_q <= beats_left_q == BeatsWidth'(1);",
        "block_ends_q <= beats_left_q == BeatsWidth'(2);",
    ),
    "open": (WRITER, "(&s_user.length && !s_user.code[1])", "1'b0"),
    "bad": (WRITER, "else if (beat_valid1_q && beat_bad1) is_bad_q <= 1'b1;", ""),
    "leaf-room": (WRITER, "writer_state_q == StFill && slot_room_q)", "writer_state_q == StFill)"),
    "one-at-a-time": (PARALLEL, "assign may_begin = !final_open_q;", "assign may_begin = 1'b1;"),
    "block-length": (
        PORT,
        "? LengthWidth'(512) : LengthWidth'(256)",
        "? LengthWidth'(256) : LengthWidth'(256)",
    ),
    "error-passes": (PORT, "beat1_fields_q.is_bad ? 3'd1 :", ""),
}
"""Faults in the RTL, each of which a test above must find."""


@pytest.mark.parametrize("fault", MUTANTS)
def test_mutants_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the tests above fails."""
    plant(monkeypatch, find_design("keccak-parallel").variant("stream"), MUTANTS[fault])
    assert caught(
        [
            lambda: test_lengths_around_block_ends("4-slots", 8),
            test_messages_that_end_within_a_byte,
            lambda: test_customization_strings("4-slots"),
            test_loads_in_any_order,
            lambda: test_faults("4-slots"),
            test_loads_that_fail,
            lambda: test_random_messages("4-slots", (0.3, 0.5)),
            test_blocks_that_are_longer_than_a_ring,
        ]
    )


@pytest.mark.parametrize(
    ("parameter", "value"), [("DataWidth", 512), ("Rounds", 24), ("Registers", 36)]
)
def test_impossible_parameters_do_not_elaborate(parameter: str, value: int) -> None:
    """A parameter that makes no sense stops the build."""
    variant = find_design("keccak-parallel").variant("stream")
    parameters = {**variant.parameters, parameter: value}
    with pytest.raises(RuntimeError, match=rf"refused: .*\b{parameter}\b"):
        simulation.compile_design(variant.top, registry.read_sources(variant), parameters)
