"""Every assertion of the checkers (rtl/checkers) can fail: a fault breaks its rule, by its label.

A fault is an expression in place of another. All faults of a design are in one build, and one of
them is chosen when it runs (`$test$plusargs`), so that many compile as fast as one.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.registry import designs
from hashfabric.registry.designs import Variant, find_design, load_designs, read_sources
from hashfabric.registry.sources import BINDS, checked, closure
from hashfabric.simulate import library
from hashfabric.simulate.stream import StreamMessage
from tests.support import dma, simulation
from tests.support.contract import ENGINES, environment
from tests.support.finalist_stream import stub
from tests.support.streams import STREAMS, THREE_STAGES, registers
from tests.support.word_contract import FAULTS, reference

SLOW = pytest.mark.slow


@dataclass(frozen=True)
class Fault:
    """`new` in place of `old` after `lead`: the assertion `label` reports it in the test `test`."""

    label: str
    test: str
    lead: str
    old: str
    new: str

    @property
    def id(self) -> str:
        """The fault's name on the command line of the simulation."""
        return f"fault_{self.label}_"


def faulty(files: Mapping[str, str], faults: Sequence[Fault]) -> dict[str, str]:
    """Return `files` with all `faults` in them, each to be chosen by its id."""
    found = dict(files)

    def place(fault: Fault) -> tuple[str, str]:
        return fault.lead, fault.old

    for (lead, old), group in groupby(sorted(faults, key=place), key=place):
        where = [path for path, text in files.items() if lead + old in text]
        assert len(where) == 1, f"{lead}{old}: in {where}"
        assert found[where[0]].count(lead + old) == 1, f"{where[0]}: {lead}{old}"
        chosen = old
        for fault in group:
            chosen = f'($test$plusargs("{fault.id}") ? ({fault.new}) : ({chosen}))'
        found[where[0]] = found[where[0]].replace(lead + old, lead + chosen)
    return found


def check(outcome: simulation.Outcome, label: str) -> None:
    """Check that the assertion has ended the run, and that the message says so."""
    assert label in outcome.assertions, f"{outcome.assertions}: see {outcome.log}"
    assert any(
        f"assertion {name} failed in" in text
        for text in outcome.failures.values()
        for name in outcome.assertions
    )


####################
# All of them      #
####################


def test_every_engine_and_top_is_checked() -> None:
    """The binds name the top of every variant, and no checker is in what is synthesised."""
    for design in load_designs().values():
        for variant in design.variants.values():
            if variant.kind not in ("engine", "word-engine", "stream"):
                continue
            plain = read_sources(variant)
            assert not [path for path in plain if path.endswith(("_sva.sv", "hf_binds.sv"))]
            assert f"bind {variant.top} hf_" in checked(plain)[BINDS], variant.top


PROVED = {"AxisValidStands", "AxisPayloadStands", "StopCounts", "StopIsAlone"}
"""Their faults are in tests/formal/test_ports.py: the benches here would see them first."""


def test_every_assertion_has_a_fault() -> None:
    """Those here, and those of tests/formal."""
    labels: set[str] = set()
    for path in (ROOT / "rtl/checkers").glob("*_sva.sv"):
        labels |= set(re.findall(r"(\w+): assert property", path.read_text(encoding="utf-8")))
    faults = {fault.label for fault in (*ONE_SLOT, *HANDS_BACK, *SLOTS, *FINALIST)}
    faults |= {label for label, _, _ in WHO_DRIVES} | PROVED | {ZERO_BETWEEN}
    faults |= {WORD_IN_TIME, ROUNDS_STAND, *WHO_DRIVES_WORDS}
    faults |= {"NoAlarm_A"}  # tests/rtl/front/test_checked_stream.py
    faults |= {"FrontsInStep_A", "ReadyStays_M"}  # tests/rtl/front/test_masked_stream.py
    faults |= {"RandomIsTaken_A", "RandomChanges_M", "RandomDiffers_M", "RandomStays_M"}  # there
    faults |= {"RandomIsThere_A"}  # tests/rtl/engines/test_word_contract.py
    # tests/rtl/regs/test_masked_regs.py
    faults |= {"OneShare_A", "OneClock_A", "ReplyIsZeroBetween_A"}
    faults |= {fault.label for some in MASTERS.values() for fault in some}
    assert labels == faults


####################
# One slot         #
####################

TOP_DATA = ".blk_i      ("
KEEP = "port_beat_q.keep <= "
NONE = ("digest_absent_q <= ", "absent_bytes_q & {KeepWidth{word_ends_output}}")
ONE_SLOT = [
    # The engine.
    Fault(
        "Rule4PromiseIsKept_A",
        "clocks_back_to_back",
        "blk_first_i ? ",
        "(in_last && !taken_q)",
        "in_third_last",
    ),
    Fault("Rule6StateIsOwed_A", "random_messages", "st_valid_d = ", "in_last && last_q", "in_last"),
    Fault("Rule6StateLeaves_A", "empty_message", "st_valid_d = ", "in_last && last_q", "1'b0"),
    Fault(
        "Rule7WaitsForRoom_A",
        "random_messages",
        "in_second_last && !",
        "(last_q ? st_ready_i : take_q)",
        "(last_q || take_q)",
    ),
    Fault("Rule9BlockIsTaken_A", "empty_message", "OpIdle: take_d = ", "1'b1", "1'b0"),
    # Who drives it.
    Fault(
        "Rule1OfferStands_M",
        "random_messages",
        "assign blk_valid_o = ",
        "block_full_q",
        "block_full_q && m_tready_i",
    ),
    Fault(
        "Rule1FlagsStand_M", "random_messages", ".blk_last_i (", "blk_last", "blk_last && blk_ready"
    ),
    Fault("Rule1DataStand_M", "random_messages", TOP_DATA, "blk", "blk_ready ? blk : ~blk"),
    Fault("Rule5FirstAfterReset_M", "empty_message", ".blk_first_i(", "blk_first", "1'b0"),
    Fault(
        "Rule7RoomStands_M",
        "random_messages",
        ".st_ready_i (",
        "st_ready",
        "st_ready && m_axis_tready",
    ),
    Fault(
        "Rule8SqueezeIsZero_M",
        "squeezing_clocks",
        TOP_DATA,
        "blk",
        "blk | 1600'(!blk_first && blk_last)",
    ),
    # The stream.
    Fault(
        "AxisQuietInReset",
        "reset_at_any_time",
        "if (rst_i) port_valid_q <= ",
        "1'b0",
        "port_valid_q",
    ),
    Fault(
        "StreamZeroBeyond",
        "bit_lengths",
        "port_beat_q.data[8*b+:8] <= ",
        "digest_word[8*b+:8] & digest_mask_q[8*b+:8]",
        "digest_word[8*b+:8]",
    ),
    Fault(
        "StreamTailAtTheEnd",
        "random_messages",
        "digest_bits_q <= ",
        "word_ends_output ? tail_bits_q : 3'd0",
        "3'd1",
    ),
    Fault(
        "StreamKeepHasNoHole",
        "random_messages",
        *NONE,
        "word_ends_output ? absent_bytes_q | KeepWidth'(2) : '0",
    ),
    Fault(
        "StreamShortBeatIsLast",
        "random_messages",
        *NONE,
        "word_ends_output ? absent_bytes_q : ~KeepWidth'(1)",
    ),
    Fault("StreamRoomIsReady", "random_messages", "assign s_axis_room = ", "s_axis_tready", "1'b1"),
    Fault("StreamErrorIsOneBeat", "random_faults", KEEP, "'0", "KeepWidth'(1)"),
    Fault(
        "StreamOpenIsMarked",
        "stops",
        "port_beat_q.user <= {",
        "digest_open_q",
        "digest_open_q && !digest_ends_q",
    ),
    Fault(
        "StreamOpenEndsEmpty",
        "stops",
        KEEP,
        "~digest_absent_q",
        "~digest_absent_q | {KeepWidth{digest_open_q && digest_ends_q}}",
    ),
    Fault("StreamOpenEndsByStop", "stops", ".stop_i     (", "m_axis_stop", "m_axis_tvalid"),
    Fault(
        "StreamResultIsOwed",
        "random_messages",
        "port_beat_q.tid  <= ",
        "digest_tid_q",
        "~digest_tid_q",
    ),
]


QUICK = ("Rule1OfferStands_M", "StreamZeroBeyond")
"""One of who drives an engine, one of the stream: the quick run's."""


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(fault, id=fault.label, marks=[] if fault.label in QUICK else SLOW)
        for fault in ONE_SLOT
    ],
)
def test_one_slot(fault: Fault) -> None:
    """The stream top with one slot: its ports, and the engine's in it."""
    _, variant = STREAMS["keccak-iterative-stream"]
    files = faulty(read_sources(variant), ONE_SLOT)
    compiled = simulation.compile_design(variant.top, files, variant.parameters)
    known = {"HF_SLOTS": "1", "HF_CLOCKS_PER_BLOCK": "24", "HF_FILL": "2", "HF_MESSAGES": "40"}
    outcome = compiled.run(
        "tests.rtl.front.stream_bench",
        fault.label,
        environment=known,
        tests=fault.test,
        arguments=[f"+{fault.id}"],
    )
    check(outcome, fault.label)


SPONGE = "rtl/front/hf_keccak_sponge.sv"


@pytest.mark.slow
def test_a_load_owes_no_result() -> None:
    """Results of a tid that has only loaded strings of SP 800-185."""
    variant = find_design("keccak-iterative").variant("kmac")
    swapped = ("port_beat_q.tid  <= digest_tid_q;", "port_beat_q.tid  <= ~digest_tid_q;")
    files = simulation.mutated(read_sources(variant), SPONGE, *swapped)
    compiled = simulation.compile_design(variant.top, files, variant.parameters)
    outcome = compiled.run(
        "tests.rtl.front.framed_bench", "loads", environment={}, tests="results_of_another_tid"
    )
    check(outcome, "StreamResultIsOwed")


ROUNDS_STAND = "Rule13RoundsStand_M"


@pytest.mark.slow
def test_other_rounds_within_a_message() -> None:
    """Bit 1600 differs in the blocks of a message."""
    design, variant = ENGINES["keccak-iterative-core"]
    compiled = simulation.compile_design(variant.top, read_sources(variant), {"RoundChoice": 1})
    known = {**environment(design.timing(variant)), "HF_ROUND_CHOICE": "each"}
    outcome = compiled.run(
        "tests.rtl.engines.contract_bench", "rounds", environment=known, tests="random_traffic"
    )
    check(outcome, ROUNDS_STAND)


####################
# States back      #
####################

BUSY = "st_valid_o  = turn_q && busy_q[slot_q] && "
HANDS_BACK = [
    Fault(
        "Rule11LeavesInTime_A",
        "random_traffic",
        BUSY,
        "(last_q[slot_q] || !blk_valid_i)",
        "last_q[slot_q]",
    ),
    Fault("Rule11HandedBack_A", "random_traffic", BUSY, "(last_q[slot_q] || !blk_valid_i)", "1'b1"),
    Fault(
        "Rule11BlockIsDue_A",
        "random_traffic",
        "assign blk_ready_o = ",
        "turn_q",
        "turn_q && !(busy_q[slot_q] && last_q[slot_q])",
    ),
    Fault("Rule11InTime_A", "random_traffic", "assign blk_ready_o = ", "turn_q", "1'b1"),
]


@pytest.mark.slow
@pytest.mark.parametrize("fault", HANDS_BACK, ids=lambda fault: fault.label)
def test_states_handed_back(fault: Fault) -> None:
    """An engine that hands its states back."""
    design, variant = ENGINES["keccak-two-stage-core"]
    files = faulty(read_sources(variant), HANDS_BACK)
    compiled = simulation.compile_design(variant.top, files, variant.parameters)
    known = environment(design.timing(variant))
    outcome = compiled.run(
        "tests.rtl.engines.contract_bench",
        fault.label,
        environment=known,
        tests=fault.test,
        arguments=[f"+{fault.id}"],
    )
    check(outcome, fault.label)


ZERO_BETWEEN = "Rule12ZeroBetween_M"


@pytest.mark.slow
def test_junk_between_blocks() -> None:
    """An engine without a register for the block, from a bench for engines with one."""
    design, variant = ENGINES["keccak-pipelined-core-2-stages-memory"]
    files = read_sources(variant)
    compiled = simulation.compile_design(variant.top, files, variant.parameters)
    known = {**environment(design.timing(variant)), "HF_ZERO_BETWEEN": "0"}
    outcome = compiled.run(
        "tests.rtl.engines.contract_bench", "junk", environment=known, tests="one_block"
    )
    check(outcome, ZERO_BETWEEN)


####################
# Slots            #
####################

SLOTS = [
    Fault("Rule2SlotInRange_A", "slots", "slot_q  <= (", "slot_q == slot_t'(Depth - 1)", "1'b0"),
    Fault(
        "Rule11IsRestored_M",
        "slots",
        ".blk_first_i(",
        "blk_first",
        "blk_first && !(m_axis_tvalid && m_axis_tid == '0 && blk_slot == '0)",
    ),
    Fault(
        "StreamRoomIsKept",
        "slots",
        "slot_ready_q[i] <= beat_offered[i] ? ",
        "port_pause_q || (queue_room_i[i] && !message_last)",
        "queue_room_i[i] && !message_last",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("fault", SLOTS, ids=lambda fault: fault.label)
def test_slots(fault: Fault) -> None:
    """The stream top with three slots."""
    _, variant = STREAMS["keccak-pipelined-stream"]
    files = faulty(read_sources(variant), SLOTS)
    parameters = {**variant.parameters, **registers(*THREE_STAGES)}
    compiled = simulation.compile_design(variant.top, files, parameters)
    known = {"HF_SLOTS": "3", "HF_CLOCKS_PER_BLOCK": "24", "HF_MESSAGES": "200"}
    outcome = compiled.run(
        "tests.checkers.assertion_bench",
        fault.label,
        environment=known,
        tests=fault.test,
        arguments=[f"+{fault.id}"],
    )
    check(outcome, fault.label)


####################
# Finalists        #
####################

STAYS = "done || (st_valid_q && !st_ready_i)"
FINALIST = [
    Fault("FinalistSlotInRange_A", "finalist", "assign blk_slot_o  = ", "1'b0", "1'b1"),
    Fault(
        "FinalistNotSooner_A",
        "finalist",
        "if (busy_d && ",
        "(next_d != LastSubkey && next_d != '0)",
        "1'b0",
    ),
    Fault(
        "FinalistDigestIsOwed_A",
        "finalist",
        "st_valid_q <= ",
        STAYS,
        "at_end || (st_valid_q && !st_ready_i)",
    ),
    Fault("FinalistDigestLeaves_A", "finalist", "st_valid_q <= ", STAYS, "1'b0"),
    Fault("FinalistBlockIsTaken_A", "finalist", "assign take_d = ", "offered && !begin_d", "1'b0"),
    Fault("FinalistDigestStands_A", "finalist", "st_valid_q <= ", STAYS, "done"),
    Fault("FinalistDataStays_A", "finalist", "always_ff @(posedge clk_i) if (", "done", "at_end"),
]


@pytest.mark.slow
@pytest.mark.parametrize("fault", FINALIST, ids=lambda fault: fault.label)
def test_finalists(fault: Fault) -> None:
    """An engine of another family."""
    files = faulty(closure("hf_skein"), FINALIST)
    compiled = simulation.compile_design("hf_skein", files)
    outcome = compiled.run(
        "tests.checkers.assertion_bench",
        fault.label,
        environment={"HF_ENGINE": "skein-core"},
        tests=fault.test,
        arguments=[f"+{fault.id}"],
    )
    check(outcome, fault.label)


WHO_DRIVES = [
    ("FinalistOfferStands_M", ".blk_valid_i(blk_valid)", "blk_valid && m_axis_tready"),
    ("FinalistFlagsStand_M", ".blk_last_i (blk_last)", "blk_last && blk_ready"),
    ("FinalistDataStand_M", ".blk_i      (blk)", "blk_ready ? blk : ~blk"),
    ("FinalistFirstBegins_M", ".blk_first_i(blk_first)", "1'b0"),
    ("FinalistSizeStays_M", ".blk_size_i (blk_size)", "blk_first ? blk_size : ~blk_size"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("label", "old", "new"), WHO_DRIVES)
def test_who_drives_a_finalist(
    monkeypatch: pytest.MonkeyPatch, label: str, old: str, new: str
) -> None:
    """The front end around an engine that takes blocks as one of another family."""
    path = "tests/checkers/hf_finalist_stub_axis.sv"
    changed = f"{old[: old.index('(') + 1]}{new})"

    def read(variant: Variant) -> dict[str, str]:
        return checked(simulation.mutated(designs.read_sources(variant), path, old, changed))

    monkeypatch.setattr(library, "read_sources", read)
    subject = stub("jh", 256, 64)
    with pytest.raises(LabError, match=rf"Assertion failed in \S+\.{label}:"):
        sim = subject.sim(stall_out=0.5, seed=1)
        for length in range(0, 400, 7):
            sim.push(StreamMessage(subject.functions[0], bytes(length)))
        sim.run()


####################
# Words            #
####################


def run_words(bench: str, name: str, test: str, *arguments: str) -> simulation.Outcome:
    """Run one test of a bench on the plain engine of the word contract.

    The bench is given longer waits, so that it does not see what the assertions should.
    """
    subject = reference(32, 1)
    waits = subject.waits.model_copy(update={"add": 9, "read": 9, "permute": 9, "wipe": 9})
    subject = replace(subject, waits=waits)
    files = closure(subject.top)
    compiled = simulation.compile_design(subject.top, files, subject.parameters)
    return compiled.run(
        bench, name, environment=subject.environment, tests=test, arguments=arguments
    )


WORD_IN_TIME = "WordIsInTime_A"


@pytest.mark.parametrize(
    "fault",
    [
        "FaultSlowAdd",
        pytest.param("FaultSlowRead", marks=SLOW),
        pytest.param("FaultSlowPermute", marks=SLOW),
        pytest.param("FaultSlowWipe", marks=SLOW),
    ],
)
def test_words_in_time(fault: str) -> None:
    """An engine that accepts an operation a clock too late."""
    number = FAULTS.index(fault)
    outcome = run_words("tests.rtl.engines.word_bench", fault, "longest_waits", f"+fault={number}")
    check(outcome, WORD_IN_TIME)


WHO_DRIVES_WORDS = {
    "WordOfferStands_M": "words_withdrawn",
    "WordFieldsStand_M": "words_changed",
    "WordWipeIsFirst_M": "words_not_wiped",
    "WordByteOnce_M": "words_twice",
    "WordAddressInRange_M": "words_beyond",
    "WordBytesNamed_M": "words_of_no_byte",
    "WordZeroElsewhere_M": "words_elsewhere",
}


@pytest.mark.parametrize(
    "label",
    [
        pytest.param(label, marks=[] if label == "WordFieldsStand_M" else SLOW)
        for label in WHO_DRIVES_WORDS
    ],
)
def test_who_drives_words(label: str) -> None:
    """A driver that breaks a rule, and no other one."""
    outcome = run_words("tests.checkers.assertion_bench", label, WHO_DRIVES_WORDS[label])
    check(outcome, label)
    assert outcome.assertions == {label}


####################
# DMA masters      #
####################

MASTERS = {
    "axi": [
        Fault(
            "AxiReadInPage",
            "clocks",
            "to_boundary = (LengthWidth + 1)'(BurstWords) - ",
            "{1'b0, addr_q[LengthWidth+1:2]}",
            "(LengthWidth + 1)'(0)",
        ),
        Fault(
            "AxiWriteInPage",
            "long_outputs",
            "to_boundary = 5'(WriteWords) - ",
            "{1'b0, burst_addr_o[5:2]}",
            "5'd0",
        ),
        Fault("AxiReadBurst", "clocks", "arlen_o   = ", "8'(ar_len_q)", "8'(ar_len_q) + 8'd16"),
        Fault("AxiWriteBurst", "clocks", "awburst_o = ", "BurstIncr", "2'd0"),
        Fault("AxiWriteLast", "clocks", "wlast_o   = ", "w_left_q == '0", "w_left_q == 4'd1"),
        Fault("AxiDataHasAddress", "clocks", "aw_valid_q <= ", "write_valid_i", "1'b0"),
        Fault("AxiReadyForAll", "clocks", "rready_o  = ", "1'b1", "1'b0"),
    ],
    "wb": [
        Fault("WbCycleIsOne", "clocks", "stb_o = ", "cycle_q", "cycle_q && !ack_i"),
        Fault("WbStands", "clocks", "adr_o = ", "addr_q", "addr_q + 30'(ack_i)"),
        Fault("WbRises", "clocks", "addr_q <= addr_q + ", "30'd1", "30'd2"),
        Fault("WbOneDirection", "clocks", "we_o = ", "write_q", "write_q && !last_q"),
        Fault("WbEnds", "clocks", "bte_o = ", "2'b00", "2'b01"),
        Fault("WbReleases", "clocks", "else cycle_q <= ", "!ends", "!ends || burst_valid_i"),
        # Only in the longest bursts: a descriptor, in a shorter one, is read first.
        Fault(
            "WbLength",
            "clocks",
            "left_q <= left_q - ",
            "LengthWidth'(1)",
            "LengthWidth'(left_q != '1)",
        ),
    ],
}
"""Faults of the peripheral's DMA masters, by bus."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bus", "fault"),
    [(bus, fault) for bus, some in MASTERS.items() for fault in some],
    ids=lambda value: value.label if isinstance(value, Fault) else value,
)
def test_masters(bus: str, fault: Fault) -> None:
    """A master that breaks a rule of AXI4 or Wishbone."""
    files = faulty(closure(f"hf_keccak_{bus}_dma"), MASTERS[bus])
    check(
        dma.run(bus, count=2, files=files, tests=fault.test, arguments=[f"+{fault.id}"]),
        fault.label,
    )
