"""hf_sp800_185 in front of keccak-iterative: messages of SP 800-185, framed by the hardware.

Digests are compared with pycryptodome (and hashlib, for what passes); faults give one error each.
"""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.models.functions import FUNCTIONS, LENGTH_AT
from hashfabric.models.sp800_185 import FRAMED, bit_string, kmac, tuplehash
from hashfabric.registry import designs as registry
from hashfabric.registry.designs import find_design
from hashfabric.simulate.stream import Beat, StreamMessage, StreamSim, beats_of
from tests.rtl.front.framed import CODES, LOADS, MORE, OPEN, Framed, packet
from tests.support import planted, simulation
from tests.support.oracles import library_digest
from tests.support.samples import nist_samples
from tests.support.simulation import Outcome
from tests.support.subjects import SLOW

pytestmark = pytest.mark.usefixtures("checked_models")

STRING_BYTES = 256
FRAMING = "rtl/front/hf_sp800_185.sv"
LITERAL = "rtl/front/hf_sp800_185_literal.sv"
STRINGS = "rtl/front/hf_sp800_185_strings.sv"
ALIGNER = "rtl/front/hf_sp800_185_aligner.sv"
ENCODINGS = "rtl/front/hf_sp800_185_pkg.sv"


####################
# Traffic          #
####################


@dataclass
class Traffic:
    """Beats to send, and for each message what must come out: None is an error."""

    width: int
    strings: dict[str, bytes] = field(default_factory=lambda: dict.fromkeys(LOADS, b""))
    beats: list[Beat] = field(default_factory=list)
    due: list[tuple[str, bytes | None]] = field(default_factory=list)

    def load(self, what: str, text: bytes) -> None:
        """Store a string: no result."""
        self.strings[what] = text
        self.beats += packet(text, self.width, LOADS[what])

    def message(self, message: Framed) -> None:
        """Add a message."""
        self.beats += message.beats(self.width)
        lengths = [len(text) for text in message.texts] or len(message.data)
        stored = {what: len(text) for what, text in self.strings.items()}
        name = f"{message.function} of {lengths} to {message.count}, {stored}"
        self.due.append((name, message.digest(self.strings)))

    def plain(self, name: str, data: bytes, *, bits: int | None = None) -> None:
        """Add a message of the core's own."""
        function = FUNCTIONS[name]
        message = StreamMessage(function, data, bits)
        self.beats += beats_of(message, self.width)
        self.due.append((name, library_digest(function, data, bits=bits)))

    def fault(self, name: str, beats: list[Beat]) -> None:
        """Add a bad message."""
        self.beats += [replace(beats[0], first=True), *beats[1:]]
        self.due.append((name, None))

    def wrong(self, sim: StreamSim) -> list[str]:
        """Send everything; return what came out wrong."""
        sim.push_beats(self.beats)
        said = []
        for answer in sim.run(idle_clocks=300):
            name, digest = self.due.pop(0)
            if answer.error != (digest is None) or answer.digest != (digest or b""):
                said.append(f"{name}: {'an error' if answer.error else answer.digest.hex()}")
        assert not self.due
        return said


def simulated(
    stalls: tuple[float, float] = (0.0, 0.0), seed: int = 1, **parameters: int
) -> StreamSim:
    """Return a simulation of its own."""
    design = find_design("keccak-iterative")
    return StreamSim(
        design,
        design.variant("kmac"),
        stall_in=stalls[0],
        stall_out=stalls[1],
        seed=seed,
        parameters=parameters,
    )


def random_traffic(rng: random.Random, width: int, count: int, limit: int) -> Traffic:
    """Return messages of every function, back to back, with other strings now and then."""
    traffic = Traffic(width)
    traffic.load("key", b"")
    lengths = (0, 1, 4, 16, 31, 32, 33, 64, 120, 123, 124, 125, 155, 156, 157, limit - 1, limit)
    for _ in range(count):
        if rng.random() < 0.5:
            what = rng.choice(list(LOADS))
            size = rng.choice([length for length in lengths if length <= limit])
            traffic.load(what, rng.randbytes(size))
        if rng.random() < 0.2:
            bits = rng.randrange(3000)
            data = bytearray(rng.randbytes(-(-bits // 8)))
            if bits % 8:
                data[-1] &= (1 << bits % 8) - 1
            name = rng.choice(("sha3-256", "shake128", "sha3-512"))
            traffic.plain(name, bytes(data), bits=bits)
            continue
        name = rng.choice(list(CODES))
        rate = 136 if name.endswith("256") else 168
        sizes = (0, rng.randrange(20), rate - rng.randrange(12), rate + 3, rng.randrange(400))
        traffic.message(
            Framed(
                name,
                rng.randbytes(rng.choice(sizes)),
                tuple(rng.randbytes(rng.choice(sizes)) for _ in range(rng.randrange(4))),
                rng.choice((1, 32, 33, rate, rate + 1, 300)),
            )
        )
    return traffic


####################
# Messages         #
####################


def test_samples_of_nist() -> None:
    """All of cSHAKE, KMAC and TupleHash, and their XOFs."""
    sim = simulated()
    traffic = Traffic(sim.width)
    samples = [sample for sample in nist_samples() if sample.function in CODES]
    for sample in samples:
        traffic.load("custom", sample.custom)
        traffic.load("key", sample.key)
        message = Framed(sample.function, sample.data, sample.texts, len(sample.output))
        traffic.message(message)
        assert traffic.due[-1][1] == sample.output
    assert traffic.wrong(sim) == []


@pytest.mark.parametrize("stalls", [(0.0, 0.0), (0.5, 0.0), (0.3, 0.7)])
def test_random_messages(stalls: tuple[float, float]) -> None:
    """Back to back, with stalls at both ports."""
    sim = simulated(stalls)
    traffic = random_traffic(random.Random(str(stalls)), sim.width, 60, STRING_BYTES)
    assert traffic.wrong(sim) == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [8, 16, 32])
@pytest.mark.parametrize("stalls", [(0.0, 0.0), (0.3, 0.7)])
def test_narrow_ports(width: int, stalls: tuple[float, float]) -> None:
    """The same at other widths."""
    sim = simulated(stalls, DataWidth=width)
    traffic = random_traffic(random.Random(width), sim.width, 100, STRING_BYTES)
    assert traffic.wrong(sim) == []


@pytest.mark.slow
@pytest.mark.parametrize("size", [8, 16, 1024])
def test_other_stores(size: int) -> None:
    """Strings of at most a word, of two, and of kilobytes."""
    sim = simulated((0.2, 0.2), StringBytes=size)
    traffic = random_traffic(random.Random(size), sim.width, 150, size)
    assert traffic.wrong(sim) == []


def block_ends(name: str, step: int) -> Iterator[Framed]:
    """Yield messages of every `step`th length around the ends of blocks."""
    rate = 136 if name.endswith("256") else 168
    rng = random.Random(name)
    lengths = [*range(20), *range(rate - 20, rate + 12), *range(2 * rate - 12, 2 * rate + 3)]
    for length in lengths[::step]:
        if name.startswith("tuple"):
            rest = rng.randrange(length + 1)
            yield Framed(name, texts=(rng.randbytes(rest), rng.randbytes(length - rest)))
        else:
            yield Framed(name, rng.randbytes(length))


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=SLOW)])
def test_lengths_around_block_ends(step: int) -> None:
    """Of messages, of keys and of customizations, with every function."""
    sim = simulated()
    traffic = Traffic(sim.width)
    rng = random.Random(step)
    for name in CODES:
        traffic.load("key", rng.randbytes(32))
        for message in block_ends(name, step):
            traffic.message(message)
    for length in range(0, STRING_BYTES + 1, step):
        traffic.load("key", rng.randbytes(length))
        traffic.load("custom", rng.randbytes(STRING_BYTES - length))
        for name in ("kmac128", "kmacxof256", "cshake256", "tuplehash128"):
            traffic.message(Framed(name, b"abc", (b"ab", b"c")))
        traffic.load("name", rng.randbytes(length))
        traffic.message(Framed("cshake128", b"abc"))
    assert traffic.wrong(sim) == []


def test_long_strings_of_a_tuple() -> None:
    """Their lengths have one to three bytes; that of the output has up to two."""
    sim = simulated()
    traffic = Traffic(sim.width)
    for length in (0, 31, 32, 33, 8191, 8192, 8193):
        text = random.Random(length).randbytes(length)
        traffic.message(Framed("tuplehash128", texts=(text, b"x"), count=31))
        traffic.message(Framed("tuplehash256", texts=(b"", text), count=500))
    assert traffic.wrong(sim) == []


def test_messages_in_several_packets() -> None:
    """`more` at tlast: the message of KMAC goes on."""
    sim = simulated()
    traffic = Traffic(sim.width)
    traffic.load("key", bytes(range(40)))
    message = Framed("kmac256", bytes(range(100)))
    traffic.message(message)
    beats = message.beats(sim.width)
    for i in (0, 3, len(beats) - 2):
        beats[i] = replace(beats[i], last=True, user=beats[i].user | MORE)
    traffic.beats += beats
    traffic.due.append(("in packets", message.digest(traffic.strings)))
    assert traffic.wrong(sim) == []


def test_outputs_without_an_end() -> None:
    """KMAC and TupleHash have none: an error."""
    sim = simulated()
    traffic = Traffic(sim.width)
    traffic.load("key", b"key")
    for name in ("kmac128", "tuplehash256"):
        traffic.fault(f"open {name}", Framed(name, b"abc").beats(sim.width, OPEN))
    traffic.message(Framed("kmac128", b"abc"))
    assert traffic.wrong(sim) == []


def test_outputs_of_bits() -> None:
    """Lengths that are no whole bytes, against the golden model: no library has them."""
    sim = simulated()
    key, texts = bit_string(b"the key"), [bit_string(b"ab"), bit_string(b"")]
    sim.push_beats(packet(b"the key", sim.width, LOADS["key"]))
    wanted = []
    for bits in (1, 7, 33, 255, 257, 1343, 1345):
        sim.push_beats(Framed("kmac128", b"abc").beats(sim.width, bits))
        wanted.append(kmac(FRAMED["kmac128"], key, bit_string(b"abc"), bits))
        sim.push_beats(Framed("tuplehashxof256", texts=(b"ab", b"")).beats(sim.width, bits))
        wanted.append(tuplehash(FRAMED["tuplehashxof256"], texts, bits))
    found = [(answer.digest, answer.error) for answer in sim.run(idle_clocks=300)]
    assert found == [(digest, False) for digest in wanted]


def test_no_key_after_a_reset() -> None:
    """Without a key, a MAC would be that of an empty one, which any sender can compute."""
    sim = simulated()
    traffic = Traffic(sim.width)
    for name in ("kmac128", "kmacxof256"):
        traffic.fault(name, Framed(name, b"abc").beats(sim.width))
    traffic.message(Framed("tuplehash128", texts=(b"a",)))
    traffic.load("key", b"")
    traffic.message(Framed("kmac128", b"abc"))
    assert traffic.wrong(sim) == []


def bench(test: str, files: dict[str, str] | None = None, **environment: str) -> Outcome:
    """Run a test of the bench on the framed core, with the assertions if no files are given."""
    variant = find_design("keccak-iterative").variant("kmac")
    compiled = simulation.compile_design(
        variant.top, files or registry.read_sources(variant), variant.parameters
    )
    alone = [simulation.NO_ASSERTIONS] if files else []
    return compiled.run(
        "tests.rtl.front.framed_bench", test, environment=environment, tests=test, arguments=alone
    )


@pytest.mark.parametrize("test", ["open_outputs", "resets"])
def test_stops_and_resets(test: str) -> None:
    """Outputs until they are stopped, and a reset at any time."""
    bench(test).check()


def test_clocks() -> None:
    """The clock cycles of a short KMAC are those of the page."""
    page = (ROOT / "docs/reference/sp800-185.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| KMAC(\d+) \| (\d+) bytes \| (\d+) \|", page, re.MULTILINE)
    assert len(rows) >= 4
    known = {f"kmac{strength}/{size}": int(clocks) for strength, size, clocks in rows}
    bench("exact_clocks", HF_CLOCKS=json.dumps(known)).check()


ENCODINGS_PROBE = "tests/checkers/hf_sp800_185_pkg_probe.sv"


def encodings(files: dict[str, str]) -> Outcome:
    """Run the unit bench of the encodings."""
    compiled = simulation.compile_design("hf_sp800_185_pkg_probe", files)
    return compiled.run("tests.rtl.front.encodings_bench", "encodings", environment={})


def test_encodings() -> None:
    """left_encode and right_encode of numbers of one to six bytes."""
    encodings(simulation.read_files([ENCODINGS, ENCODINGS_PROBE])).check()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("i = 1; i < NumberWidth / 8", "i = 1; i < 3"),
        ("text[8*(NumberWidth/8-1-i)+:8]", "text[8*i+:8]"),
        ("return text | 64'(count) << {count, 3'd0};", "return text;"),
        ("digits = 3'd1;", "digits = 3'd0;"),
    ],
)
def test_faults_of_encodings(old: str, new: str) -> None:
    """Each is found."""
    files = simulation.read_files([ENCODINGS, ENCODINGS_PROBE])
    assert encodings(simulation.mutated(files, ENCODINGS, old, new)).failures


####################
# Faults           #
####################


def spoilt(rng: random.Random, width: int) -> tuple[str, list[Beat]]:
    """Return a message with a fault, and which."""
    name = rng.choice(list(CODES))
    texts = tuple(rng.randbytes(rng.randrange(1, 60)) for _ in range(rng.randrange(1, 4)))
    beats = Framed(name, rng.randbytes(rng.randrange(1, 300)), texts).beats(width)
    tuples = name.startswith("tuple")
    at = rng.randrange(1 if tuples else 0, len(beats))
    beat = beats[at]
    fault = rng.choice(
        ("hole", "hole at the end", "short", "bits", "tid", "length", "head", "bits of the head")
    )
    if fault == "hole at the end":  # a hole before it is a short beat too
        at, beat = len(beats) - 1, beats[-1]
    if fault.startswith("hole") and width > 1:
        beats[at] = replace(beat, keep=0b10 | rng.getrandbits(width) & ~1)
    elif fault == "short" and not beat.last:
        beats[at] = replace(beat, keep=(1 << rng.randrange(width)) - 1)
    elif fault == "bits" and beat.last:
        beats[at] = replace(beat, user=beat.user | rng.randrange(1, 8) << 8)
    elif fault == "tid" and at:
        beats[at] = replace(beat, slot=1)
    elif fault == "length" and tuples:
        wrong = 1 << LENGTH_AT + rng.randrange(40)
        begins = [i for i in range(1, len(beats)) if beats[i - 1].last]
        at = rng.choice(begins)
        beats[at] = replace(beats[at], user=beats[at].user ^ wrong)
    elif fault == "head" and tuples:
        beats = [replace(beats[0], keep=1), *beats[1:]]
    elif fault == "bits of the head" and tuples:
        beats[0] = replace(beats[0], user=beats[0].user | rng.randrange(1, 8) << 8)
        if rng.random() < 0.5:  # of an empty tuple
            beats = [replace(beats[0], user=beats[0].user & ~MORE)]
    else:
        return spoilt(rng, width)
    return f"{name} with fault {fault}", beats


def faulty_traffic(rng: random.Random, width: int, count: int) -> Traffic:
    """Return bad messages among good ones."""
    traffic = Traffic(width)
    traffic.load("key", rng.randbytes(50))
    traffic.load("custom", rng.randbytes(5))
    for _ in range(count):
        traffic.fault(*spoilt(rng, width))
        if rng.random() < 0.5:
            name = rng.choice(list(CODES))
            traffic.message(Framed(name, rng.randbytes(40), (b"a", rng.randbytes(30))))
        if rng.random() < 0.2:
            traffic.plain("sha3-256", rng.randbytes(20))
    return traffic


@pytest.mark.parametrize("stalls", [(0.0, 0.0), (0.4, 0.4)])
def test_faults(stalls: tuple[float, float]) -> None:
    """One error for each, and the next message is right."""
    sim = simulated(stalls)
    assert faulty_traffic(random.Random(7), sim.width, 60).wrong(sim) == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [8, 16, 32])
def test_faults_at_narrow_ports(width: int) -> None:
    """The same at other widths."""
    sim = simulated((0.2, 0.2), DataWidth=width)
    assert faulty_traffic(random.Random(width), sim.width, 100).wrong(sim) == []


def test_bad_strings() -> None:
    """A string that is too long, or has a hole: an error, and for each use, until it is loaded."""
    sim = simulated()
    width = sim.width
    traffic = Traffic(width)
    for what, users in (
        ("key", ("kmac128", "kmacxof256")),
        ("name", ("cshake256",)),
        ("custom", ("cshake128", "kmac256", "tuplehash128")),
    ):
        long = packet(bytes(STRING_BYTES + 1), width, LOADS[what])
        hole = packet(bytes(20), width, LOADS[what])
        hole[1] = replace(hole[1], keep=0b1101)
        bits = packet(bytes(20), width, LOADS[what] | 3 << 8)
        for beats in (long, hole, bits):
            traffic.load(what, b"good")
            traffic.message(Framed(users[0], b"x", (b"x",)))
            traffic.fault(f"load of {what}", beats)
            for name in users:
                traffic.fault(f"{name} without {what}", Framed(name, b"", (b"",)).beats(width))
        if what != "custom":
            traffic.message(Framed("tuplehash256", texts=(b"x",)))
        traffic.load(what, bytes(STRING_BYTES))
        # The whole store, with an empty beat at its end.
        filled = packet(b"\x05" * STRING_BYTES, width, LOADS[what])
        traffic.beats += [
            *[replace(beat, last=False) for beat in filled],
            packet(b"", width, LOADS[what])[0],
        ]
        traffic.strings[what] = b"\x05" * STRING_BYTES
        for name in users:
            traffic.message(Framed(name, b"x", (b"x",)))
    assert traffic.wrong(sim) == []


####################
# Mutants          #
####################

MUTANTS = {
    "rate": (FRAMING, "is_strong ? 8'd136 : 8'd168", "8'd168"),
    "name": (LITERAL, '"hsaHe"', '"hsahe"'),
    "key-length": (
        LITERAL,
        "{string_sizes_i[StringKey], 3'd0}",
        "{string_sizes_i[StringKey], 2'd0}",
    ),
    "element-length": (LITERAL, "{element_length_i, 3'd0}", "{element_length_i, 3'd1}"),
    "output-length": (LITERAL, "is_xof_i ? '0 :", ""),
    "left": (LITERAL, "left_encode_q <= encode_step_i != StepEnd;", "left_encode_q <= 1'b1;"),
    "pad": (FRAMING, "- 9'(bytes_added);", "- 9'(bytes_added) + 9'd1;"),
    "pad-beyond-its-end": (FRAMING, "32'(block_left_q) <= KeepWidth", "1'b0"),
    "block-after-a-message": (
        FRAMING,
        "if (framing_state_q == StChoose && encode_step_q == StepRate) begin",
        "if (framing_state_q == StChoose && encode_step_q == StepRate &&\n"
        "        block_left_q != 8'd136) begin",
    ),
    "shake": (FRAMING, "plain_shake_q ? (is_strong", "1'b0 ? (is_strong"),
    "rotate": (ALIGNER, "(rotated_data << (8 << k)) |", "(rotated_data << (4 << k)) |"),
    "held": (ALIGNER, "<= beat_full ? rotated_data : joined_data", "<= rotated_data"),
    "tail": (ALIGNER, "second_beat_q <= !second_beat_q && needs_second;", "second_beat_q <= 1'b0;"),
    "word-too-early": (STRINGS, "read_delay_q <= 2'd2;", "read_delay_q <= 2'd1;"),
    "hole": (FRAMING, "beat_breaks_rule = beat_hole ||", "beat_breaks_rule ="),
    "tid": (FRAMING, "s_tid_i != message_tid_q;", "1'b0;"),
    "bits": (FRAMING, "(part_closes && s_user.bits != '0)", "1'b0"),
    "length-unchecked": (
        FRAMING,
        "if (element_left_q != '0 || element_exceeded_q) begin",
        "if (1'b0) begin",
    ),
    "head-with-bits": (FRAMING, "s_tkeep_i == '0 && s_user.bits == '0));", "s_tkeep_i == '0));"),
    "empty-key": (STRINGS, "string_failed_o <= 4'b0001 << StringKey;", "string_failed_o <= '0;"),
    "over": (FRAMING, "message_over_d = !more_strings_q;", "message_over_d = 1'b0;"),
    "broken": (STRINGS, "if (store_fails_i) string_failed_o[string_index_i] <= 1'b1;", ""),
    "too-long": (FRAMING, "(string_store_full && s_tkeep_i[0])", "1'b0"),
    "empty-beat": (STRINGS, "store_word_i && store_count_i != '0", "store_word_i"),
    "last-too-early": (
        ALIGNER,
        "added_piece_q.last && (second_beat_q || !needs_second);",
        "added_piece_q.last;",
    ),
    "digits": (ENCODINGS, "i = 1; i < NumberWidth / 8", "i = 1; i < 2"),
    "right": (ENCODINGS, "return text | 64'(count) << {count, 3'd0};", "return text;"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", MUTANTS)
def test_mutants_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the tests above fails, or the simulation stops."""
    variant = find_design("keccak-iterative").variant("kmac")
    planted.plant(monkeypatch, variant, MUTANTS[fault])
    assert planted.caught(
        [
            test_samples_of_nist,
            lambda: test_random_messages((0.3, 0.7)),
            lambda: test_faults((0.0, 0.0)),
            test_bad_strings,
            test_long_strings_of_a_tuple,
            test_no_key_after_a_reset,
            lambda: test_lengths_around_block_ends(20),
        ]
    )


BENCH_MUTANTS = {
    "xof-has-an-end": (
        FRAMING,
        "(beat_kind == KindKmac || beat_kind == KindTupleHash);",
        "(beat_kind != KindCshake);",
    ),
    "strings-after-a-reset": (STRINGS, "string_sizes_o  <= '0;", ""),
    "state-after-a-reset": (FRAMING, "framing_state_q   <= StIdle;", ""),
    "held-after-a-reset": (ALIGNER, "held_count_q  <= '0;", ""),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", BENCH_MUTANTS)
def test_mutants_of_the_bench_are_caught(fault: str) -> None:
    """The bench finds each without the assertions."""
    variant = find_design("keccak-iterative").variant("kmac")
    files = simulation.mutated(registry.read_sources(variant), *BENCH_MUTANTS[fault])
    test = "open_outputs" if fault == "xof-has-an-end" else "resets"
    assert bench(test, files).failures


@pytest.mark.parametrize(("parameter", "value"), [("DataWidth", 24), ("StringBytes", 100)])
def test_impossible_parameters_do_not_elaborate(parameter: str, value: int) -> None:
    """A parameter that makes no sense stops the build."""
    variant = find_design("keccak-iterative").variant("kmac")
    parameters = {**variant.parameters, parameter: value}
    with pytest.raises(RuntimeError, match=rf"refused: .*\b{parameter}\b"):
        simulation.compile_design(variant.top, registry.read_sources(variant), parameters)
