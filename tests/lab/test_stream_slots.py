"""Messages of several slots at once through the stream driver, and answers in any order.

A stand-in for a stream top with slots answers each message with the first five bytes of it and the
number of its beats, in two beats, between which those of other slots may come.
"""

import pytest

from hashfabric.base.errors import LabError
from hashfabric.models.functions import FUNCTIONS
from hashfabric.registry.designs import Design, Variant
from hashfabric.simulate import known_answers, library
from hashfabric.simulate.known_answers import quick_check
from hashfabric.simulate.stream import Answer, StreamMessage, StreamSim, beats_of

SHAKE = FUNCTIONS["shake128"]
SLOTS = 4
REST = 6  # clocks that a slot has no room after a beat

MANY_SV = """\
module many #(
  parameter int unsigned DataWidth = 128,
  parameter int unsigned Rest = 6
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic                   s_axis_tvalid,
  output logic                   s_axis_tready,
  input  logic [DataWidth-1:0]   s_axis_tdata,
  input  logic [DataWidth/8-1:0] s_axis_tkeep,
  input  logic                   s_axis_tlast,
  input  logic [1:0]             s_axis_tid,
  input  logic [55:0]            s_axis_tuser,
  output logic [3:0]             s_axis_room,
  output logic                   m_axis_tvalid,
  input  logic                   m_axis_tready,
  output logic [DataWidth-1:0]   m_axis_tdata,
  output logic [DataWidth/8-1:0] m_axis_tkeep,
  output logic                   m_axis_tlast,
  output logic [1:0]             m_axis_tid,
  output logic [3:0]             m_axis_tuser
);
  logic [3:0] rest_q[4];
  logic [39:0] head_q[4];
  logic [63:0] beats_q[4];
  logic [3:0] whole_q, half_q;
  logic [1:0] tid_q;
  logic [55:0] user_q[4];
  logic toggle_q;
  for (genvar i = 0; i < 4; i++) assign s_axis_room[i] = rest_q[i] == 0 && !whole_q[i];
  assign s_axis_tready = toggle_q;
  // The slot that gives a beat: the highest that has one, the halves of a result in two turns.
  logic [1:0] next;
  always_comb begin
    next = '0;
    for (int unsigned i = 0; i < 4; i++) if (whole_q[i] && 2'(i) != tid_q) next = 2'(i);
    if (!(|(whole_q & ~(4'b1 << tid_q)))) next = tid_q;
  end
  always_ff @(posedge clk_i) begin
    toggle_q <= !toggle_q;
    for (int unsigned i = 0; i < 4; i++) if (rest_q[i] != 0) rest_q[i] <= rest_q[i] - 1'b1;
    if (s_axis_tvalid && s_axis_tready) begin
      if (!s_axis_room[s_axis_tid]) $error("a beat for a slot without room");
      rest_q[s_axis_tid] <= 4'(Rest);
      beats_q[s_axis_tid] <= beats_q[s_axis_tid] + 1'b1;
      if (beats_q[s_axis_tid] == 0) head_q[s_axis_tid] <= s_axis_tdata[39:0];
      user_q[s_axis_tid] <= s_axis_tuser;
      whole_q[s_axis_tid] <= s_axis_tlast;
    end
    if (m_axis_tready || !m_axis_tvalid) begin
      m_axis_tvalid <= |whole_q;
      m_axis_tid <= next;
      tid_q <= next;
      m_axis_tlast <= half_q[next];
      m_axis_tuser <= '0;
      m_axis_tdata <= half_q[next] ? DataWidth'(beats_q[next]) : DataWidth'(head_q[next]);
      m_axis_tkeep <= half_q[next] ? (DataWidth/8)'('hff) :
                      user_q[next][55] ? '0 : (DataWidth/8)'('h1f);
      if (|whole_q) half_q[next] <= !half_q[next];
      if (|whole_q && half_q[next]) {whole_q[next], beats_q[next]} <= '0;
    end
    if (rst_i) begin
      {whole_q, half_q, m_axis_tvalid, tid_q, toggle_q} <= '0;
      for (int unsigned i = 0; i < 4; i++) {rest_q[i], beats_q[i]} <= '0;
    end
  end
endmodule
"""


def many(monkeypatch: pytest.MonkeyPatch, text: str = MANY_SV) -> Design:
    """The design with the stand-in as its stream top."""
    monkeypatch.setattr(library, "read_sources", lambda _variant: {"rtl/many.sv": text})
    variant = Variant(top="many", kind="stream", slots=SLOTS)
    return Design(
        name="many",
        title="",
        family="keccak",
        slots=1,
        holds_state=False,
        clocks_per_block=24,
        functions=["shake128"],
        docs="docs/many.md",
        variants={"stream": variant},
    )


@pytest.fixture
def sim(monkeypatch: pytest.MonkeyPatch) -> StreamSim:
    """The stand-in, running."""
    return StreamSim(many(monkeypatch))


def data_of(number: int, beats: int) -> bytes:
    """A message of `beats` beats that differs from all others."""
    return bytes([number, 2, 3, 4, 5]) + bytes(16 * beats - 5)


def answer_to(number: int, beats: int) -> bytes:
    """What the stand-in says of it."""
    return bytes([number, 2, 3, 4, 5]) + beats.to_bytes(8, "little")


def by_slot(answers: list[Answer]) -> list[list[bytes]]:
    """The digests of each slot, as they came."""
    return [[a.digest for a in answers if a.slot == slot] for slot in range(SLOTS)]


@pytest.mark.parametrize("stalls", [(0.0, 0.0), (0.4, 0.6)])
def test_messages_of_all_slots(
    monkeypatch: pytest.MonkeyPatch, stalls: tuple[float, float]
) -> None:
    """In order within a slot, whatever the order between slots; halves of results interleaved."""
    sim = StreamSim(many(monkeypatch), stall_in=stalls[0], stall_out=stalls[1], seed=5)
    assert (sim.slots, sim.width) == (SLOTS, 16)
    wanted: list[list[bytes]] = [[] for _ in range(SLOTS)]
    for number in range(40):
        slot, beats = number * 7 % SLOTS, 1 + number * 5 % 9
        sim.push(StreamMessage(SHAKE, data_of(number, beats), slot=slot))
        wanted[slot].append(answer_to(number, beats))
    answers = sim.run(idle_clocks=50)
    assert by_slot(answers) == wanted
    assert [answer.slot for answer in answers] != sorted(answer.slot for answer in answers)


def test_slots_take_turns(sim: StreamSim) -> None:
    """A beat each: equally long messages end together, in the clocks of one and not of four."""
    for slot in range(SLOTS):
        sim.push(StreamMessage(SHAKE, data_of(slot, 100), slot=slot))
    answers = sim.run()
    assert by_slot(answers) == [[answer_to(slot, 100)] for slot in range(SLOTS)]
    starts, ends = [a.start for a in answers], [a.end for a in answers]
    assert max(starts) - min(starts) <= 2 * SLOTS
    assert max(ends) - min(ends) <= 4 * SLOTS
    assert max(ends) - min(starts) < 100 * (REST + 4)


def test_a_short_message_does_not_wait_for_a_long_one(sim: StreamSim) -> None:
    """Nor does a slot with room wait for one without."""
    sim.push(StreamMessage(SHAKE, data_of(1, 200), slot=0))
    sim.push(StreamMessage(SHAKE, data_of(2, 2), slot=3))
    short, long = sim.run()
    assert (short.slot, long.slot) == (3, 0)
    assert short.end - short.start < 40
    assert long.end - long.start > 200 * REST


def test_one_message_in_chunks(sim: StreamSim) -> None:
    """`hash` uses the first slot."""
    data = data_of(9, 50)
    run = sim.hash(SHAKE, [data[i : i + 7] for i in range(0, len(data), 7)], output_bits=13 * 8)
    assert run.digest == answer_to(9, 50)


def test_beats_are_sent_in_their_slots_turn(sim: StreamSim) -> None:
    """Wide ones too, beside a message of another slot."""
    sim.push_beats(beats_of(StreamMessage(SHAKE, data_of(1, 30), slot=2), sim.width))
    sim.push(StreamMessage(SHAKE, data_of(2, 30), slot=1))
    sim.push_beats(beats_of(StreamMessage(SHAKE, data_of(3, 30), slot=2), sim.width))
    answers = sim.run()
    assert by_slot(answers)[2] == [answer_to(1, 30), answer_to(3, 30)]
    assert by_slot(answers)[1] == [answer_to(2, 30)]
    assert answers[-1].slot == 2
    assert answers[1].end < answers[2].start + 10


def test_a_beat_without_bytes_before_the_last_is_reported(sim: StreamSim) -> None:
    """Short ones are right on a wide port, empty ones are not."""
    sim.push(StreamMessage(SHAKE, data_of(1, 1), output_bits=1 << 39))
    with pytest.raises(LabError, match="m_axis_tkeep has a hole"):
        sim.run()


def test_a_top_without_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slots take turns all the same; a beat waits at the port."""
    text = MANY_SV.replace("output logic [3:0]             s_axis_room,", "")
    text = text.replace("  for (genvar", "  logic [3:0] s_axis_room;\n  for (genvar")
    text = text.replace("tready = toggle_q", "tready = toggle_q && s_axis_room[s_axis_tid]")
    sim = StreamSim(many(monkeypatch, text))
    for slot in range(SLOTS):
        sim.push(StreamMessage(SHAKE, data_of(slot, 20), slot=slot))
    assert by_slot(sim.run()) == [[answer_to(slot, 20)] for slot in range(SLOTS)]


def test_clocks_are_measured_with_a_message_in_every_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a wrong digest of any slot is found."""
    design = many(monkeypatch)
    sim = StreamSim(design)
    monkeypatch.setattr(known_answers, "_LONG_BLOCKS", 40)
    monkeypatch.setattr(known_answers, "_LEAST_BLOCKS", 20)
    beats = -(-(20 * SHAKE.rate_bits // 8 - 1) // 16)

    def answer(_function: object, data: bytes) -> bytes:
        return data[:5] + beats.to_bytes(8, "little")

    monkeypatch.setattr(known_answers, "_long_digest", answer)
    clocks = known_answers._clocks_at_full_slots(sim, "many stream", SHAKE)
    assert clocks == pytest.approx(beats * SLOTS * 2 / (20 * SLOTS), rel=0.05)
    with pytest.raises(LabError, match="many stream: wrong digest: shake128 of 0 bits"):
        quick_check(design)
