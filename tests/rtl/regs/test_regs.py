"""The Keccak peripheral on its buses: hashes, save and restore, registers, bad software."""

import hashlib
import itertools
from collections.abc import Mapping

import pytest

from hashfabric.models.functions import KECCAK
from hashfabric.registry.designs import find_design
from hashfabric.registry.sources import closure
from hashfabric.simulate.peripheral import PeripheralSim
from tests.support import simulation
from tests.support.peripheral import FULL, LEAST, SERIAL, TINY, WORDS, run
from tests.support.subjects import SLOW


@pytest.mark.parametrize(
    ("bus", "parameters"),
    [
        pytest.param("axil", FULL, id="axil", marks=SLOW),
        pytest.param("apb", FULL, id="apb", marks=SLOW),
        pytest.param("apb", {**FULL, "Sampler": 1}, id="apb-sampler", marks=SLOW),
        pytest.param("apb", {**FULL, "Prefix": 1}, id="apb-prefix", marks=SLOW),
        pytest.param("wb", {**LEAST, "Run": 1}, id="wb-least", marks=SLOW),
        pytest.param("axil", LEAST, id="axil-least", marks=SLOW),
        pytest.param("apb", LEAST, id="apb-least", marks=SLOW),
        pytest.param("wb", FULL, id="wb", marks=SLOW),
        pytest.param("apb", WORDS, id="apb-words-of-64", marks=SLOW),
        pytest.param("axil", {**WORDS, "Sampler": 1}, id="axil-words-of-64", marks=SLOW),
        pytest.param("apb", {**WORDS, "Prefix": 1}, id="apb-words-of-64-prefix", marks=SLOW),
        pytest.param(
            "apb",
            {**WORDS, "MessageWords": 0, "DigestWords": 1},
            id="apb-words-of-64-no-fifos",
            marks=SLOW,
        ),
        pytest.param(
            "apb",
            {**FULL, "MessageWords": 2, "DigestWords": 64},
            id="apb-uneven",
            marks=SLOW,
        ),
        pytest.param(
            "apb", {**LEAST, "Run": 1, "Engine": SERIAL}, id="apb-least-serial", marks=SLOW
        ),
        pytest.param("axil", {**FULL, "Engine": SERIAL}, id="axil-serial", marks=SLOW),
        pytest.param("apb", {**LEAST, "Engine": TINY}, id="apb-least-tiny", marks=SLOW),
        pytest.param("wb", {**FULL, "Engine": TINY}, id="wb-tiny", marks=SLOW),
        pytest.param("apb_checked", FULL, id="apb-checked", marks=SLOW),
        pytest.param(
            "wb_checked", {**LEAST, "Engine": SERIAL}, id="wb-checked-least-serial", marks=SLOW
        ),
        pytest.param("axil_checked", {**FULL, "Engine": SERIAL}, id="axil-checked", marks=SLOW),
    ],
)
def test_peripheral(bus: str, parameters: Mapping[str, int]) -> None:
    """All of the bench, with waits on the bus."""
    run(bus, parameters, count=60).check()


def test_peripheral_in_short() -> None:
    """A few of its tests."""
    run("axil", FULL, count=10, tests="hashes|errors_and_commands|commands_that_wait").check()
    run("apb", FULL, count=10, tests="writes_without_a_byte").check()


@pytest.mark.parametrize(
    ("parameters", "count"),
    [
        pytest.param(FULL, 1_000, id="some", marks=SLOW),
        pytest.param(FULL, 100_000, id="many", marks=SLOW),
        pytest.param({**FULL, "Prefix": 1}, 100_000, id="many-prefix", marks=SLOW),
        pytest.param(LEAST, 100_000, id="many-least", marks=SLOW),
    ],
)
def test_bad_software(parameters: Mapping[str, int], count: int) -> None:
    """Random accesses never hang it nor leave anything in it; commands in any order neither."""
    run("apb", parameters, count=count, waits=0.05, tests="any_order").check()


REGS = "rtl/regs/hf_keccak_regs.sv"
COMMANDS = "rtl/regs/hf_keccak_regs_commands.sv"
PHASES = "rtl/regs/hf_keccak_regs_phases.sv"
DIGEST = "rtl/regs/hf_keccak_regs_digest.sv"
DATAPATH = "rtl/regs/hf_keccak_regs_datapath.sv"
LENGTH = "rtl/regs/hf_keccak_regs_length.sv"
REPLIES = "rtl/regs/hf_keccak_regs_replies.sv"
LOCKS = "rtl/regs/hf_keccak_regs_locks.sv"
VALUES = "rtl/regs/hf_keccak_regs_values.sv"
REQUESTS = "rtl/regs/hf_keccak_regs_requests.sv"
MESSAGE = "rtl/regs/hf_keccak_regs_message.sv"
LEFT = "rtl/regs/hf_keccak_regs_left.sv"
WINDOW = "rtl/regs/hf_keccak_regs_window.sv"
SPONGE = "rtl/front/hf_keccak_word_sponge.sv"
BLOCK = "rtl/regs/generated/hf_keccak_csr_apb.sv"
BY_BYTES = "by-bytes"
"""Mutants that only show with an engine of words of a byte, which takes many clocks, begin so."""
BY_HALVES = "by-halves"
"""Mutants that only show with words of 64 bits begin so."""
IN_A_REGISTER = "in-a-register"
"""Mutants that only show where a word of output waits for the one before to be read begin so."""
MUTANTS = {
    "not-wiped": (PHASES, "abort_q <= clear_i || (command_i.stop", "abort_q <= (command_i.stop"),
    "stop-wipes-nothing": (
        PHASES,
        "abort_q <= clear_i || (command_i.stop &&",
        "abort_q <= clear_i || (1'b0 &&",
    ),
    "bytes-not-kept": (WINDOW, "&\n          {8{part_bytes[b]}}", ""),
    "added-and-not-written": (WINDOW, "^ reply_i[32-WordWidth+8*b+:8]", ""),
    "window-hangs": (WINDOW, "refused_o = busy_q && settled_i && !held_i;", "refused_o = 1'b0;"),
    "bytes-taken": (SPONGE, "bytes_taken_q | lowest_byte;", "lowest_byte;"),
    f"{BY_BYTES}-block-too-many": (DIGEST, "out_end_o = final_q ||", "out_end_o ="),
    "position-not-restored": (
        SPONGE,
        "word_addr_q <= AddrWidth'(resume_position_i >> OffsetWidth);",
        "",
    ),
    "offset-not-restored": (SPONGE, "if (hash_resume_i) byte_offset_q", "if (1'b0) byte_offset_q"),
    "resumes-as-message": (
        DATAPATH,
        ".resume_squeezing_i(regs_i.POSITION.squeezing.value),\n      .window_valid_i",
        ".resume_squeezing_i(1'b0),\n      .window_valid_i",
    ),
    f"{BY_BYTES}-held-in-a-word": (DATAPATH, "(drained_hold_q && !part_open)", "(drained_hold_q)"),
    "held-before-the-message": (
        DATAPATH,
        "<= progress_i.hold && level_o.drained &&",
        "<= progress_i.hold &&",
    ),
    "ended-before-the-message": (
        DATAPATH,
        "drained_last_q <= progress_i.last && level_o.drained &&",
        "drained_last_q <= progress_i.last &&",
    ),
    "output-beyond-the-fifo": (DIGEST, "!length_i.last && !output_fills &&", "!length_i.last &&"),
    "output-beyond-its-end": (
        DIGEST,
        "<= length_i.known && !length_i.last &&",
        "<= length_i.known &&",
    ),
    "length-after-a-reset": (LENGTH, "written_q <= rst_i ? '0 :", "written_q <="),
    f"{BY_BYTES}-words-turned": (
        REPLIES,
        "{window_part_i, reply_o[31:WordWidth]}",
        "{reply_o[31-WordWidth:0], window_part_i}",
    ),
    f"{BY_BYTES}-parts-not-cut": (DIGEST, "else if (is_cut && part_q > parts_left) part = '0;", ""),
    f"{BY_BYTES}-part-kept": (DIGEST, "if (abort_i) part_q <= '0;\n      else if", "if"),
    f"{BY_BYTES}-message-part-kept": (
        MESSAGE,
        "if (rst_i || clear_i) part_q <= '0;",
        "if (rst_i) part_q <= '0;",
    ),
    "old-output": (DIGEST, "flush_q <= stop_i || start_i ||", "flush_q <= stop_i ||"),
    "output-of-another": (DIGEST, "flush_q || window_writes_i)", "flush_q)"),
    "head-kept": (
        MESSAGE,
        "if (rst_i || clear_i) begin\n        head_valid_q",
        "if (rst_i) begin\n        head_valid_q",
    ),
    "any-position": (COMMANDS, "&& function_known_i && position_legal_i;", "&& function_known_i;"),
    "output-not-cut": (DIGEST, "assign word = is_cut ?", "assign word = 1'b0 ?"),
    "read-hangs": (REPLIES, "!digest_coming && settled_i;", "1'b0;"),
    "command-lost": (COMMANDS, "decided_q <= (free && !in_change) ?", "decided_q <= free ?"),
    "write-in-change": (
        COMMANDS,
        "settled_q <= !in_change && !pending_o.waits;",
        "settled_q <= 1'b1;",
    ),
    "closed-too-long": (LOCKS, "(between || absorb_q);", "between;"),
    "error-not-reported": (
        VALUES,
        "ERROR.state_access.hwset = error_i.state_access",
        "ERROR.state_access.hwset = 1'b0",
    ),
    "not-enabled": (
        VALUES,
        "(regs_i.INTR_STATE.held.value && regs_i.INTR_ENABLE.held.value)",
        "regs_i.INTR_STATE.held.value",
    ),
    "level": (MESSAGE, "8'(MessageWords) - 8'(level)", "8'(level)"),
    "stream-not-ended": (MESSAGE, "(beat && s_tlast_i &&", "(1'b0 &&"),
    "packet-ends-message": (MESSAGE, "&& !packets_i", ""),
    "tail-kept-at-end": (
        VALUES,
        "TAIL.bits.hwclr = clear_i || event_i.begins ||",
        "TAIL.bits.hwclr = clear_i ||",
    ),
    "tail-kept-by-clear": (
        VALUES,
        "TAIL.bits.hwclr = clear_i || event_i.begins ||",
        "TAIL.bits.hwclr = event_i.begins ||",
    ),
    "length-kept-by-stop": (
        LENGTH,
        "((sampled_i || stop_q) &&",
        "(sampled_i &&",
    ),
    "length-kept-by-clear": (LENGTH, "assign clear = clear_i ||", "assign clear ="),
    "last-without-length": (COMMANDS, "= command.last && !length_missing_i;", "= command.last;"),
    "stream-without-length": (REGS, "|| (hash_event.begins && left.missing)", ""),
    "length-missing-not-reported": (
        VALUES,
        "ERROR.no_length.hwset = error_i.no_length",
        "ERROR.no_length.hwset = 1'b0",
    ),
    "unread-in-message": (DIGEST, "(resume_i && !resume_squeezing_i)", "1'b0"),
    "message-of-one-address": (
        REQUESTS,
        "(regs_i.MESSAGE_WINDOW.req && regs_i.MESSAGE_WINDOW.req_is_wr)",
        "(regs_i.MESSAGE_WINDOW.req && regs_i.MESSAGE_WINDOW.req_is_wr && "
        "regs_i.MESSAGE_WINDOW.addr == '0)",
    ),
    "window-without-strobes": (
        REQUESTS,
        "bits = regs_i.MESSAGE.wr_biten;",
        "bits = regs_i.MESSAGE_WINDOW.req ? '1 : regs_i.MESSAGE.wr_biten;",
    ),
    "message-read-not-reported": (
        REQUESTS,
        "bad_access_i || message_read_o ||",
        "bad_access_i ||",
    ),
    "digest-write-not-reported": (
        REQUESTS,
        "(digest_write_o && regs_i.DIGEST_WINDOW.wr_biten != '0)",
        "1'b0",
    ),
    "digest-write-without-bytes": (
        REQUESTS,
        "(digest_write_o && regs_i.DIGEST_WINDOW.wr_biten != '0)",
        "digest_write_o",
    ),
    "message-write-without-bytes": (
        REQUESTS,
        "message_write_o = message_request && bits != '0;",
        "message_write_o = message_request;",
    ),
    "state-write-without-bytes": (
        REQUESTS,
        "regs_i.STATE.req && (!regs_i.STATE.req_is_wr || bits != '0);",
        "regs_i.STATE.req;",
    ),
    "write-without-bytes-not-answered": (
        REQUESTS,
        "(message_request || (regs_i.STATE.req && regs_i.STATE.req_is_wr));",
        "message_request;",
    ),
    "bad-access-not-reported": (
        REQUESTS,
        "bad_access_i || message_read_o ||",
        "message_read_o ||",
    ),
    "write-without-bytes": (BLOCK, "(~cpuif_req_is_wr | (|cpuif_wr_biten))", "1'b1"),
    "interrupt-late": (
        VALUES,
        "assign irq_o = (regs_i.INTR_STATE.done",
        "always_ff @(posedge clk_i) irq_o <= (regs_i.INTR_STATE.done",
    ),
    "length-of-the-next": (LENGTH, " && written_q == '0)", ")"),
    "length-counted": (DIGEST, "push && !(stop_waits_i && !hold_i) &&", "push &&"),
    "run-without-a-length": (REGS, "(run.legal && run_write.has_length)", "(1'b0)"),
    "run-without-words-is-a-length": (REGS, "run.legal && run_write.has_length", "run.legal"),
    "run-never-open": (LENGTH, "run_open = &written_i.word[16:5];", "run_open = 1'b0;"),
    "run-in-held": (COMMANDS, "!phase_i.held && !wait_q.hold &&", "!wait_q.hold &&"),
    "run-of-a-part": (
        COMMANDS,
        "run_write_i.written && run_write_i.whole &&",
        "run_write_i.written &&",
    ),
    "run-not-reported": (COMMANDS, "||\n      run_refused_q;", ";"),
    "run-keeps-function": (VALUES, "function_code.we = run_loads_i;", "function_code.we = 1'b0;"),
    "run-always-counts": (VALUES, "run_loads_i && !(&written_i.word[28:17]);", "run_loads_i;"),
    "counted-after-the-message": (
        VALUES,
        "run_loads_i || event_i.begins || clear_i ||",
        "run_loads_i || clear_i ||",
    ),
    "counted-after-clear": (
        VALUES,
        "run_loads_i || event_i.begins || clear_i ||",
        "run_loads_i || event_i.begins ||",
    ),
    "counted-after-no-function": (
        VALUES,
        "||\n        (error_i.bad_function && phase_i.idle);",
        ";",
    ),
    "room-for-none": (VALUES, "&& !hold_i && !no_left_i;", "&& !hold_i;"),
    "never-at-its-end": (MESSAGE, "||\n      (open_q && !clear_i && none_left_o);", ";"),
    "not-counted-down": (VALUES, "(message_accepted_i && regs_i.POSITION.counted.value)", "1'b0"),
    "bytes-beyond-the-message": (LEFT, "kept_o[b] = 1'b0;", "kept_o[b] = bytes_i[b];"),
    "counted-below-zero": (LEFT, "(few_q && count >= 3'(left_i[1:0])) ? '0 :", ""),
    "ended-uncounted": (LEFT, "none_q <= counted_i && left_i", "none_q <= left_i"),
    "before-the-run": (
        COMMANDS,
        "pending_o.waits = waits || run_starts_q;",
        "pending_o.waits = waits;",
    ),
    "config-in-a-run": (COMMANDS, "wait_q.recall ||\n      run_starts_q;", "wait_q.recall;"),
    "a-command-twice": (COMMANDS, "(written & (overtakes | stay))", "(written & overtakes)"),
    "after-the-end": (
        MESSAGE,
        "open = open_q && !clear_i && !none_left_o;",
        "open = open_q && !clear_i;",
    ),
    "own-length-after-clear": (LENGTH, "load_i && !clear_i && !rst_i;", "load_i && !rst_i;"),
    "closed-when-it-ends": (LOCKS, "wiping || abort_i || ends_i ||", "wiping || abort_i ||"),
    "closed-after-a-resumed-stop": (
        LOCKS,
        "begins_i || (command_i.resume && resume_squeezing_i);",
        "begins_i;",
    ),
    "position-after-clear": (LOCKS, "!command_i.resume && !clear_i;", "!command_i.resume;"),
    "run-before-hold": (COMMANDS, "!wait_q.hold && !wait_q.keep;", "!wait_q.keep;"),
    "out-of-order": (COMMANDS, "'0 : written & ~overtakes;", "'0 : written;"),
    "out-of-order-not-reported": (COMMANDS, "(written & (overtakes | stay))", "(written & stay)"),
    "open-after-a-refused-stop": (COMMANDS, " && !(decided_q.stop && !effect_q.stop);", ";"),
    "stop-after-start": (
        COMMANDS,
        "if (wait_q.stop) command.stop = 1'b1;\n    else if (wait_q.start) command.start = 1'b1;",
        "if (wait_q.start) command.start = 1'b1;\n    else if (wait_q.stop) command.stop = 1'b1;",
    ),
    "an-output-that-is-counted": (REGS, " || regs_i.POSITION.counted.value));", "));"),
    "again-is-twice": (
        COMMANDS,
        "(written & (overtakes | stay))",
        "(written & (overtakes | wait_q))",
    ),
    "decided-still-waits": (
        COMMANDS,
        "overtakes.last = overtakes.hold || stay.hold;",
        "overtakes.last = overtakes.hold || wait_q.hold || wait_q.resume;",
    ),
    f"{IN_A_REGISTER}-squeezed-for-another": (
        SPONGE,
        "block_squeezed_q <= resume_squeezing_i && resume_position_i[7:3] > rate_last_lane_q;",
        "",
    ),
    f"{IN_A_REGISTER}-not-squeezed": (
        SPONGE,
        "resume_squeezing_i && resume_position_i[7:3] > rate_last_lane_q;",
        "1'b0;",
    ),
    "no-command-effect-at-once": (
        LOCKS,
        "phase_i.idle && !command_i.start &&",
        "phase_i.idle &&",
    ),
    "length-after-last": (LOCKS, "(phase_i.absorb && !command_i.last &&", "(phase_i.absorb &&"),
    "position-after-resume": (
        LOCKS,
        "held_q <= phase_i.held && !command_i.resume",
        "held_q <= phase_i.held",
    ),
    "held-config-after-resume": (LOCKS, "(phase_i.held && !command_i.resume);", "phase_i.held;"),
    "output-at-once": (LENGTH, "known = !changed_q && !load_q;", "known = !changed_q;"),
    "spare-kept": (MESSAGE, "spare_valid_q ? spare_q : next;", "next;"),
    f"{BY_HALVES}-read-at-once": (
        DATAPATH,
        "!(sponge_o.squeezing && sponge_op == WordRead && !upper_q);",
        "1'b1;",
    ),
    f"{BY_HALVES}-one-half": (DATAPATH, "else if (out_valid) upper_q <= !upper_q;", ""),
    f"{BY_HALVES}-kept": (
        DATAPATH,
        "if (progress_i.aborts || sponge_o.idle) upper_q <= 1'b0;\n      else if (command_i",
        "if (command_i",
    ),
    f"{BY_HALVES}-resumed-in-the-lower": (
        DATAPATH,
        "regs_i.POSITION.squeezing.value && regs_i.POSITION.bytes.value[2];",
        "1'b0;",
    ),
    f"{BY_HALVES}-resumed-message": (
        DATAPATH,
        "regs_i.POSITION.squeezing.value && regs_i.POSITION.bytes.value[2];",
        "regs_i.POSITION.bytes.value[2];",
    ),
    f"{BY_HALVES}-position": (
        DATAPATH,
        "sponge_position | {5'd0, upper_q, 2'd0};",
        "sponge_position;",
    ),
    f"{BY_HALVES}-offset-in-the-output": (DATAPATH, "resume_position[2] = 1'b0;", ";"),
    f"{BY_HALVES}-window-reads-the-lower": (
        DATAPATH,
        "upper = sponge_o.held ? window_addr[0] : upper_q;",
        "upper = upper_q;",
    ),
    f"{BY_HALVES}-window-writes-the-lower": (
        DATAPATH,
        "window_addr[0] ? {window_word, PartWidth'(0)} :",
        "1'b0 ? {window_word, PartWidth'(0)} :",
    ),
    f"{BY_HALVES}-message-in-both": (
        MESSAGE,
        "(EntryWidth / 8)'(kept_bytes), EntryWidth'(written_i.word)",
        "{EntryWidth / 32{kept_bytes}}, EntryWidth'(written_i.word)",
    ),
    "another-reset": (
        BLOCK,
        "field_storage.CONFIG.function_code.value <= 8'h1;",
        "field_storage.CONFIG.function_code.value <= 8'h0;",
    ),
    "never-cleared": (
        BLOCK,
        "field_storage.ERROR.digest_read.value & ~(",
        "field_storage.ERROR.digest_read.value & ~(1'b0 & ",
    ),
}
"""Faults in the RTL, each of which the bench must find."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "parameters",
    [FULL, {**FULL, "Engine": SERIAL}, {**LEAST, "Engine": SERIAL}, WORDS],
    ids=["full", "by-bytes", "in-a-register", "by-halves"],
)
def test_without_a_fault_nothing_is_caught(parameters: Mapping[str, int]) -> None:
    """The bench of the mutants passes on the peripheral as it is, in the same settings."""
    run("apb", parameters, count=300, arguments=[simulation.NO_ASSERTIONS]).check()


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_caught(name: str) -> None:
    """The bench fails on a peripheral with one fault in it."""
    path, old, new = MUTANTS[name]
    files = simulation.mutated(closure("hf_keccak_apb"), path, old, new)
    alone = [simulation.NO_ASSERTIONS]
    parameters = {**FULL, "Engine": SERIAL} if name.startswith(BY_BYTES) else FULL
    if name.startswith(IN_A_REGISTER):
        parameters = {**LEAST, "Engine": SERIAL}
    if name.startswith(BY_HALVES):
        parameters = WORDS
    assert run("apb", parameters, count=300, files=files, arguments=alone).failures


SAVED = ("CONFIG", "LENGTH", "POSITION")
"""Registers that are a held hash, with the state."""


def moved(source: PeripheralSim, target: PeripheralSim) -> bytes:
    """Save the hash of one peripheral, and restore it in another; return the output it has left."""
    source.command("hold")
    source.wait_for("held")
    count = source.registers["STATUS"].field("digest_words")
    words = (source.read("STATUS") & count.mask) >> count.low
    left = b"".join(source.read("DIGEST").to_bytes(4, "little") for _ in range(words))
    registers = {name: source.read(name) for name in SAVED}
    state = [source.read("STATE.WORD", index) for index in range(50)]
    source.command("clear")
    source.wait_for("idle")
    target.command("hold")
    target.wait_for("held")
    for name, value in registers.items():
        target.write(name, value)
    for index, value in enumerate(state):
        target.write("STATE.WORD", value, index=index)
    target.command("resume")
    return left


@pytest.mark.slow
@pytest.mark.parametrize(
    "way",
    [
        *itertools.permutations(("apb-tiny", "apb-serial", "apb"), 2),
        *itertools.permutations(("apb", "axi-dma-64"), 2),
    ],
)
def test_a_hash_moves_between_engines(way: tuple[str, str]) -> None:
    """A hash that is saved anywhere in a block goes on in a peripheral with another engine."""
    design = find_design("keccak-regs")
    source, target = (PeripheralSim(design, design.variant(name)) for name in way)
    function, message = KECCAK["shake256"], bytes(range(200)) * 2
    for cut, words in ((0, 0), (5, 0), (70, 2), (135, 33), (136, 34), (139, 35), (400, 1)):
        source.write("CONFIG", function.code)
        source.write("LENGTH", (1 << 32) - 1)
        source.command("start")
        for byte in message[:cut]:
            source.write("MESSAGE", byte, strobe=1)
        moved(source, target)
        for byte in message[cut:]:
            target.write("MESSAGE", byte, strobe=1)
        target.command("last")
        found = b"".join(target.read("DIGEST").to_bytes(4, "little") for _ in range(words))
        found += moved(target, source)
        found += b"".join(source.read("DIGEST").to_bytes(4, "little") for _ in range(40))
        source.command("stop")
        assert found == hashlib.shake_256(message).digest(len(found)), f"{cut} bytes, {words} words"


@pytest.mark.parametrize(
    ("name", "value"),
    [("MessageWords", 24), ("DigestWords", 0), ("Engine", 3), ("WordWidth", 128)],
)
def test_impossible_sizes_do_not_elaborate(name: str, value: int) -> None:
    """A FIFO whose depth is no power of two stops the build."""
    with pytest.raises(RuntimeError, match=rf"refused: .*\b{name}\b"):
        simulation.compile_design("hf_keccak_apb", closure("hf_keccak_apb"), {**FULL, name: value})
