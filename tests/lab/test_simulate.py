"""The simulation: right digests, and errors that are reported.

A stand-in for a stream top, small and of bad manners, shows that the driver sees each fault; it
chooses its fault by the message's function code, so that one build serves all.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.tools import VERILATOR
from hashfabric.models import keccak as golden
from hashfabric.models.family import Function
from hashfabric.models.functions import FUNCTIONS, KECCAK
from hashfabric.registry import designs as registry
from hashfabric.registry.designs import Design, Variant, find_design
from hashfabric.simulate import library
from hashfabric.simulate.library import verilator_args
from hashfabric.simulate.stream import (
    Beat,
    Piece,
    Source,
    StreamMessage,
    StreamSim,
    beats_of,
    stream_variant,
    user_word,
)

SHA3 = FUNCTIONS["sha3-256"]
SHAKE = FUNCTIONS["shake128"]
DATA = bytes(i * 7 & 0xFF for i in range(5000))

RUDE_SV = """\
module rude #(
  parameter int unsigned DataWidth = 16
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic                   s_axis_tvalid,
  output logic                   s_axis_tready,
  input  logic [DataWidth-1:0]   s_axis_tdata,
  input  logic [DataWidth/8-1:0] s_axis_tkeep,
  input  logic                   s_axis_tlast,
  input  logic                   s_axis_tid,
  input  logic [55:0]            s_axis_tuser,
  output logic                   m_axis_tvalid,
  input  logic                   m_axis_tready,
  output logic [DataWidth-1:0]   m_axis_tdata,
  output logic [DataWidth/8-1:0] m_axis_tkeep,
  output logic                   m_axis_tlast,
  output logic                   m_axis_tid,
  output logic [3:0]             m_axis_tuser
);
  typedef enum logic [4:0] {
    Fatal, Error, Finish, Hang, Change, Withdraw, Hole, Short, Unasked, Flag, Long
  } fault_e;
  fault_e fault_q;
  logic [15:0] clocks_q;
  logic again_q;
  assign s_axis_tready = !m_axis_tvalid;
  always_ff @(posedge clk_i) begin
    clocks_q <= clocks_q + 1'b1;
    if (m_axis_tvalid && m_axis_tready) begin
      m_axis_tvalid <= again_q;
      again_q <= 1'b0;
    end
    if (m_axis_tvalid && !m_axis_tready && fault_q == Change) m_axis_tdata <= ~m_axis_tdata;
    if (m_axis_tvalid && !m_axis_tready && fault_q == Withdraw) m_axis_tvalid <= 1'b0;
    if (s_axis_tvalid && s_axis_tready && s_axis_tlast) begin
      fault_q <= fault_e'(s_axis_tuser[4:0]);
      m_axis_tvalid <= 1'b1;
      m_axis_tlast <= 1'b1;
      m_axis_tkeep <= '1;
      m_axis_tuser <= '0;
      case (fault_e'(s_axis_tuser[4:0]))
        Fatal: $fatal(1, "it went wrong");
        Error: $error("this is wrong");
        Finish: $finish;
        Hang: m_axis_tvalid <= 1'b0;
        Hole: m_axis_tkeep <= (DataWidth/8)'(2);
        Short: {m_axis_tkeep, m_axis_tlast} <= {(DataWidth/8)'(1), 1'b0};
        Unasked: again_q <= 1'b1;
        Flag: {m_axis_tkeep, m_axis_tuser} <= {(DataWidth/8)'(0), 4'd1};
        default: ;
      endcase
    end
    if (rst_i) {m_axis_tvalid, again_q, clocks_q, m_axis_tdata} <= '0;
  end
  if (DataWidth > 64) $fatal(1, "DataWidth is too wide");
endmodule
"""

FATAL, ERROR, FINISH, HANG, CHANGE, WITHDRAW, HOLE, SHORT, UNASKED, FLAG, LONG = range(11)


@pytest.fixture(scope="module")
def keccak() -> Design:
    """The first design."""
    return find_design("keccak-iterative")


@pytest.fixture(scope="module")
def sim(keccak: Design) -> StreamSim:
    """Its stream top without stalls."""
    return StreamSim(keccak)


@pytest.fixture(scope="module")
def slots() -> StreamSim:
    """A stream top with four slots."""
    return StreamSim(find_design("keccak-pipelined"))


def design_of(text: str, monkeypatch: pytest.MonkeyPatch) -> Design:
    """A design whose stream top is the module `rude` in `text`; nothing else of it is real."""
    monkeypatch.setattr(library, "read_sources", lambda _variant: {"rtl/rude.sv": text})
    variant = Variant(top="rude", kind="stream")
    return Design(
        name="rude",
        title="",
        family="keccak",
        slots=1,
        holds_state=True,
        clocks_per_block=24,
        functions=["sha3-256"],
        docs="docs/rude.md",
        variants={"stream": variant},
    )


@pytest.fixture
def rude(monkeypatch: pytest.MonkeyPatch) -> Design:
    """The stand-in."""
    return design_of(RUDE_SV, monkeypatch)


def with_fault(fault: int) -> Function:
    """A function with the code of a fault, and a digest of one beat."""
    return Function("toy", fault, "keccak", 1088, 16, 2)


####################
# What works       #
####################


@pytest.mark.parametrize("size", [1, 7, 8, 9, 136, 1000, 5000])
def test_chunks_of_any_size(sim: StreamSim, size: int) -> None:
    """A message is the same however it is cut, empty chunks among them."""
    chunks = [DATA[i : i + size] for i in range(0, len(DATA), size)]
    run = sim.hash(SHA3, [b"", *chunks, b""])
    assert run.digest == hashlib.sha3_256(DATA).digest()
    assert run.blocks == 5000 // 136 + 1
    assert not run.error


def test_no_chunk_at_all(sim: StreamSim) -> None:
    """An empty message."""
    assert sim.hash(SHA3, []).digest == hashlib.sha3_256(b"").digest()


def test_bits_above_the_last_do_not_count(sim: StreamSim) -> None:
    """The hardware gets the whole byte and ignores what is above."""
    for byte in (0x13, 0xF3):
        run = sim.hash(SHA3, [bytes([byte])], bits=5)
        assert run.digest.hex().startswith("7b0047cf")


def test_output_of_any_length(sim: StreamSim) -> None:
    """Several blocks; and a length that ends inside a byte."""
    run = sim.hash(SHAKE, [b"abc"], output_bits=8000)
    assert run.digest == hashlib.shake_128(b"abc").digest(1000)
    assert run.blocks == 6
    assert sim.hash(SHAKE, [b"abc"], output_bits=3).digest == bytes([run.digest[0] & 7])


def test_clocks_do_not_depend_on_chunks(sim: StreamSim) -> None:
    """No clock is lost while Python fetches the next chunk, and none counted before the first."""
    whole = sim.hash(SHA3, [DATA]).clocks
    assert whole == sim.hash(SHA3, [DATA[i : i + 3] for i in range(0, len(DATA), 3)]).clocks
    assert 24 * 37 < whole < 24 * 37 + 100


def test_an_exception_of_the_chunks_comes_through(sim: StreamSim) -> None:
    """It is not swallowed, and the next message is right."""

    def broken() -> Iterator[bytes]:
        yield DATA
        raise FileNotFoundError("gone")

    with pytest.raises(FileNotFoundError, match="gone"):
        sim.hash(SHA3, broken())
    assert sim.hash(SHA3, [DATA]).digest == hashlib.sha3_256(DATA).digest()


@pytest.mark.parametrize("size", [0, 1, 3])
def test_bytes_that_do_not_hold_the_bits(sim: StreamSim, size: int) -> None:
    """Too few or too many are an error, and the next message is right."""
    with pytest.raises(LabError, match=f"{size} bytes do not hold just 12 bits"):
        sim.hash(SHA3, [bytes(size)], bits=12)
    assert sim.hash(SHA3, [b"abc"]).digest == hashlib.sha3_256(b"abc").digest()


def cut(data: bytes, size: int) -> Iterator[bytes]:
    """The data in chunks of `size` bytes."""
    return (data[i : i + size] for i in range(0, len(data), size))


def ends(pieces: list[Piece[Source]]) -> dict[Source, tuple[bytes, int, int, int]]:
    """Of each source the digest, the slot and the clocks; that it ends once is checked."""
    found = {}
    for source in {piece.source for piece in pieces}:
        own = [piece for piece in pieces if piece.source is source]
        assert all(piece.answer is None for piece in own[:-1])
        answer = own[-1].answer
        assert answer is not None
        digest = b"".join(piece.digest for piece in own)
        found[source] = (digest, answer.slot, answer.start, answer.end)
    return found


def test_many_messages_in_all_slots(slots: StreamSim) -> None:
    """Each right, and in the same clocks however they are cut."""
    lengths = [0, 5000, 1, 135, 136, 16, 17, 4000, 300, 2999, 0, 1000]
    clocks = []
    for size in (5000, 7, 16):
        sources = [Source(SHA3, cut(DATA[:length], size)) for length in lengths]
        slots.reset()
        found = ends(list(slots.hash_all(sources)))
        assert [found[source][0] for source in sources] == [
            hashlib.sha3_256(DATA[:length]).digest() for length in lengths
        ]
        assert {slot for _, slot, _, _ in found.values()} == set(range(4))
        spans = [found[source][2:] for source in sources]
        clocks.append([(start - spans[0][0], end - spans[0][0]) for start, end in spans])
    assert clocks[0] == clocks[1] == clocks[2]


def test_slots_work_at_once(slots: StreamSim) -> None:
    """Four times the messages in the clocks of one, and a little more."""
    alone = slots.hash(SHA3, [DATA]).clocks
    found = ends(list(slots.hash_all([Source(SHA3, iter([DATA])) for _ in range(16)])))
    first = min(start for _, _, start, _ in found.values())
    last = max(end for _, _, _, end in found.values())
    assert last - first + 1 < 4.1 * alone


@pytest.mark.parametrize("fed", [0, 1, 16, 17, 200, 2000])
def test_a_source_that_fails_harms_no_other(slots: StreamSim, sim: StreamSim, fed: int) -> None:
    """Wherever it fails: its message is ended, those before, after and beside it are right."""

    def broken() -> Iterator[bytes]:
        yield from cut(DATA[:fed], 16)
        raise LabError("gone")

    for top in (slots, sim):
        sources = [
            Source(SHA3, broken() if index % 3 == 1 else cut(DATA[: 100 * index], 40))
            for index in range(12)
        ]
        pieces = list(top.hash_all(sources))
        found = ends(pieces)
        for index, source in enumerate(sources):
            if index % 3 == 1:
                assert (str(source.failure), found[source][0]) == ("gone", b"")
                assert all(p.answer is None or p.answer.error for p in pieces if p.source is source)
            else:
                assert source.failure is None
                assert found[source][0] == hashlib.sha3_256(DATA[: 100 * index]).digest()
    with pytest.raises(LabError, match="gone"):
        sim.hash(SHA3, broken())


def test_sources_that_wait(slots: StreamSim) -> None:
    """None is no source at this moment; the next may come when one has ended."""
    done = 0

    def one_by_one() -> Iterator[Source | None]:
        for index in range(3):
            yield Source(SHA3, iter([DATA[:index]]))
            while done <= index:
                yield None

    digests = b""
    for piece in slots.hash_all(one_by_one()):
        digests += piece.digest
        done += piece.answer is not None
    assert digests == b"".join(hashlib.sha3_256(DATA[:index]).digest() for index in range(3))


def test_a_long_output_leaves_as_it_comes(sim: StreamSim, slots: StreamSim) -> None:
    """No call runs to its end; given up, the next message is right. One beside it does not wait."""
    wanted = hashlib.shake_128(b"abc").digest(1000)
    for top in (sim, slots):
        pieces = top.hash_all([Source(SHAKE, iter([b"abc"]), output_bits=1 << 38)])
        start = b""
        while len(start) < 1000:
            piece = next(pieces)
            assert piece.answer is None
            start += piece.digest
        assert start[:1000] == wanted
        pieces.close()  # type: ignore[attr-defined]
        assert top.hash(SHA3, [b"abc"]).digest == hashlib.sha3_256(b"abc").digest()
    long = Source(SHAKE, iter([b"abc"]), output_bits=1 << 38)
    short = [Source(SHA3, iter([DATA[:index]])) for index in range(20)]
    pieces = slots.hash_all([long, *short])
    ended: dict[Source, bytes] = {}
    while len(ended) < len(short):
        piece = next(pieces)
        if piece.answer is not None:
            ended[piece.source] = piece.digest
    assert [len(ended[source]) <= 32 for source in short] == [True] * 20
    pieces.close()  # type: ignore[attr-defined]


def test_long_outputs_are_whole(slots: StreamSim) -> None:
    """In every slot, of many blocks, the last of them not whole."""
    sources = [Source(SHAKE, iter([bytes([i])]), output_bits=1_000_003) for i in range(6)]
    found = ends(list(slots.hash_all(sources)))
    for index, source in enumerate(sources):
        wanted = hashlib.shake_128(bytes([index])).digest(125_001)
        assert found[source][0] == wanted[:-1] + bytes([wanted[-1] & 7])


def test_a_queue_with_stalls(keccak: Design) -> None:
    """Messages back to back: answers in order, the same for the same seed, slower than without."""
    lengths = [0, 3, 8, 135, 136, 500]
    ends = []
    for stalls in ({}, {"stall_in": 0.5, "stall_out": 0.5, "seed": 1}) * 2:
        sim = StreamSim(keccak, **stalls)  # type: ignore[arg-type]
        for length in lengths:
            sim.push(StreamMessage(SHA3, DATA[:length]))
        answers = sim.run(idle_clocks=100)
        wanted = [hashlib.sha3_256(DATA[:length]).digest() for length in lengths]
        assert [answer.digest for answer in answers] == wanted
        assert all(a.end < b.end for a, b in pairwise(answers))
        ends.append(answers[-1].end)
    assert ends[0] == ends[2]
    assert ends[1] == ends[3]
    assert ends[1] > ends[0] * 1.1


def test_beats_are_what_push_sends(sim: StreamSim) -> None:
    """A message taken apart into beats gives the same answer in the same clocks."""
    for length in (0, 5, 8, 20, 300):
        message = StreamMessage(SHA3, DATA[:length])
        sim.push(message)
        (whole,) = sim.run()
        sim.push_beats(beats_of(message, sim.width))
        (parts,) = sim.run()
        assert parts.digest == whole.digest == hashlib.sha3_256(DATA[:length]).digest()
        assert parts.end - parts.start == whole.end - whole.start


def test_an_error_answer(sim: StreamSim) -> None:
    """An unknown function gives the flag and no digest; what follows is right."""
    run = sim.hash(with_fault(31), [b"abc"])
    assert (run.error, run.digest) == (True, b"")
    assert sim.hash(SHA3, [b"abc"]).digest == hashlib.sha3_256(b"abc").digest()


def test_a_reset_drops_the_queue(sim: StreamSim) -> None:
    """Nothing of what was queued comes out."""
    sim.push(StreamMessage(SHA3, DATA))
    sim.reset()
    assert sim.run(idle_clocks=200) == []
    assert sim.hash(SHA3, [b"abc"]).digest == hashlib.sha3_256(b"abc").digest()


def test_answers_are_not_mixed(sim: StreamSim) -> None:
    """`hash` refuses while the queue has answers to come."""
    sim.push(StreamMessage(SHA3, b""))
    with pytest.raises(ValueError, match="have not been fetched"):
        sim.hash(SHA3, [b"abc"])
    sim.reset()


def test_the_user_word() -> None:
    """Function, bits in the last byte, output length of XOFs only."""
    assert user_word(SHA3) == 1
    assert user_word(SHA3, 8 * 5 + 3) == 1 | 3 << 8
    assert user_word(SHAKE, 16, 1000) == 4 | 1000 << 16
    assert user_word(SHAKE) == 4 | 256 << 16
    with pytest.raises(ValueError, match="does not fit"):
        user_word(SHAKE, 0, 1 << 40)


@pytest.mark.parametrize("width", [8, pytest.param(32, marks=pytest.mark.slow)])
def test_other_widths(keccak: Design, width: int) -> None:
    """The driver fits itself to the width of the data port."""
    sim = StreamSim(keccak, parameters={"DataWidth": width})
    assert sim.width == width // 8
    assert sim.hash(SHA3, [DATA]).digest == hashlib.sha3_256(DATA).digest()


####################
# What goes wrong  #
####################


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (FATAL, "it went wrong"),
        (ERROR, "this is wrong"),
        (FINISH, "finish"),
        (HANG, "hangs: no beat in"),
        (CHANGE, "m_axis changed before it was taken"),
        (WITHDRAW, "m_axis changed before it was taken"),
        (HOLE, "m_axis_tkeep has a hole"),
        (SHORT, "m_axis_tkeep has a hole"),
    ],
)
def test_faults_of_the_model(
    rude: Design, fault: int, told: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each becomes one line with the design's name; the model says nothing on its own."""
    sim = StreamSim(rude, stall_out=0.5, seed=3)
    sim.hash(with_fault(LONG), [b"abc"])
    with pytest.raises(LabError, match=told) as caught:
        for _ in range(20):
            sim.hash(with_fault(fault), [b"abc"])
    assert str(caught.value).startswith("rude: simulation: ")
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().out == ""
    with pytest.raises(LabError, match=told):
        sim.hash(with_fault(LONG), [b"abc"])


def test_a_digest_without_a_message(rude: Design) -> None:
    """Two answers to one message are one too many."""
    sim = StreamSim(rude)
    sim.push(StreamMessage(with_fault(UNASKED), b"abc"))
    with pytest.raises(LabError, match="a digest that no message asked for"):
        sim.run(idle_clocks=10)


def test_a_digest_of_the_wrong_length(rude: Design) -> None:
    """It is not passed on as if it were one."""
    with pytest.raises(LabError, match="16 bits of digest in place of 256"):
        StreamSim(rude).hash(Function("toy", LONG, "keccak", 1088, 256, 2), [b"abc"])


def test_a_flag_is_an_answer(rude: Design) -> None:
    """An error flag is the caller's to judge."""
    assert StreamSim(rude).hash(with_fault(FLAG), [b"abc"]).error


@pytest.mark.parametrize(
    ("old", "new", "tool"),
    [("endmodule", "endmodul", "verilator"), ("s_axis_tuser", "s_axis_other", "C++ compiler")],
)
def test_a_top_that_does_not_compile(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str, tool: str
) -> None:
    """One line names the tool and a log that is there."""
    design = design_of(RUDE_SV.replace(old, new), monkeypatch)
    with pytest.raises(LabError) as caught:
        StreamSim(design)
    text = str(caught.value)
    assert text.startswith(f"{tool}: failed: ")
    assert "\n" not in text
    assert (ROOT / text.rpartition("see ")[2]).is_file()


def test_an_impossible_parameter(rude: Design) -> None:
    """It fails at elaboration, with the module's own words."""
    with pytest.raises(LabError, match="DataWidth is too wide"):
        StreamSim(rude, parameters={"DataWidth": 128})


@pytest.mark.parametrize("missing", ["g++", "perl"])
def test_a_missing_tool(
    keccak: Design, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, missing: str
) -> None:
    """One line names it, whether the simulation is in the cache or not."""
    for tool in {"g++", "perl"} - {missing}:
        (tmp_path / tool).symlink_to(shutil.which(tool) or "")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LabError, match=rf"no program '{missing.replace('+', '[+]')}'"):
        StreamSim(keccak)


@pytest.mark.slow
def test_two_sessions_build_at_once(tmp_path: Path) -> None:
    """Both get a library that works; nothing half-made is left."""
    for folder in ("rtl", "designs", "systems", "driver"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    code = (
        "from hashfabric.models import functions\n"
        "from hashfabric.registry.designs import find_design\n"
        "from hashfabric.simulate.stream import StreamSim\n"
        "sim = StreamSim(find_design('keccak-iterative'))\n"
        "print(sim.hash(functions.find('sha3-256'), [b'abc']).digest.hex())"
    )
    command = [sys.executable, "-c", code]
    environment = os.environ | {"HASHFABRIC_ROOT": str(tmp_path)}
    sessions = [
        subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    for session in sessions:
        output, errors = session.communicate(timeout=300)
        assert session.returncode == 0, errors
        assert re.search(r"compiling \d+\.\d MB of C\+\+, about \d+ s \.\.\.\n", errors)
        assert output.strip() == hashlib.sha3_256(b"abc").hexdigest()
    third = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True, timeout=300
    )
    assert third.stderr == ""  # It is in the cache: nothing is built, and nothing says so.
    cache = tmp_path / "build" / "cache"
    done = [path for path in cache.iterdir() if path.suffix == ".json"]
    assert len(done) == 2  # the runtime and the model
    assert {path.stem for path in done} == {path.name for path in cache.iterdir() if path.is_dir()}
    assert all(json.loads(path.read_text(encoding="utf-8")) for path in done)


####################
# The rest         #
####################


def test_the_model_is_what_it_is_checked_against(sim: StreamSim) -> None:
    """Every function once more by the golden model, with an odd number of bits."""
    for function in KECCAK.values():
        run = sim.hash(function, [DATA[:200]], bits=1597)
        assert run.digest == golden.digest(function, DATA[:200], bits=1597)
        assert run.blocks == function.blocks(1597)


@pytest.mark.slow
def test_loops_over_a_state_are_unrolled(tmp_path: Path) -> None:
    """JH's 256 cells: a rolled loop works out its indices in every clock."""
    variant = find_design("jh").variant("stream")
    sources = [str(ROOT / path) for path in registry.read_sources(variant)]
    VERILATOR.run(verilator_args(variant, sources, {}), cwd=tmp_path, log="log", timeout_s=300)
    texts = [path.read_text() for path in (tmp_path / "verilated").glob("*root__*.cpp")]
    assert texts
    assert not [loop for text in texts for loop in re.findall(r"while \(\(0x\w+ > .*", text)]


def test_a_beat_is_plain_data() -> None:
    """What a bent beat starts from."""
    assert Beat(data=1, keep=1, last=True, user=1) == Beat(1, 1, True, 1, 0, False)


def test_the_stream_variant_is_the_first_by_default(keccak: Design) -> None:
    """An engine, or a name that is none, is not taken for a stream."""
    other = keccak.variant("stream").model_copy(update={"note": "other"})
    design = keccak.model_copy(update={"variants": {**keccak.variants, "other": other}})
    assert stream_variant(design) is keccak.variant("stream")
    assert stream_variant(design, "other") is other
    names = "stream, stream-block-ram, stream-turboshake, stream-dma, kmac, other"
    with pytest.raises(LabError, match=f"'core': one of {names}"):
        stream_variant(design, "core")
    with pytest.raises(LabError, match="unknown variant"):
        stream_variant(design, "none")
