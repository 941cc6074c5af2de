"""The Keccak peripheral on its buses: hashes, save and restore, registers, bad software."""

from collections.abc import Mapping

import pytest

from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.peripheral import FULL, LEAST, run
from tests.support.subjects import SLOW


@pytest.mark.parametrize(
    ("bus", "parameters"),
    [
        pytest.param("axil", FULL, id="axil"),
        pytest.param("apb", FULL, id="apb", marks=SLOW),
        pytest.param("wb", LEAST, id="wb-least", marks=SLOW),
        pytest.param("axil", LEAST, id="axil-least", marks=SLOW),
        pytest.param("apb", LEAST, id="apb-least", marks=SLOW),
        pytest.param("wb", FULL, id="wb", marks=SLOW),
        pytest.param(
            "apb",
            {"MessageWords": 2, "DigestWords": 64, "Stream": 1},
            id="apb-uneven",
            marks=SLOW,
        ),
    ],
)
def test_peripheral(bus: str, parameters: Mapping[str, int]) -> None:
    """All of the bench, with waits on the bus."""
    run(bus, parameters, count=60).check()


@pytest.mark.parametrize(
    ("parameters", "count"),
    [
        pytest.param(FULL, 1_000, id="some", marks=SLOW),
        pytest.param(FULL, 100_000, id="many", marks=SLOW),
        pytest.param(LEAST, 100_000, id="many-least", marks=SLOW),
    ],
)
def test_bad_software(parameters: Mapping[str, int], count: int) -> None:
    """Random accesses never hang it nor leave anything in it; commands in any order neither."""
    run("apb", parameters, count=count, waits=0.05, tests="any_order").check()


RING = "rtl/regs/hf_keccak_ring.sv"
REGS = "rtl/regs/hf_keccak_regs.sv"
BLOCK = "rtl/regs/generated/hf_keccak_csr_apb.sv"
PIPELINED = "on-axil"
"""Mutants that only show where a write does not wait for the answer of another begin so."""
MUTANTS = {
    "not-wiped": (RING, "if (wipe_i) ring_q <= '0;", "if (1'b0) ring_q <= '0;"),
    "engine-not-wiped": (RING, "stale_q <= 1'b0;\n      head_q  <= 1'b0;", "head_q  <= 1'b0;"),
    "head-of-engine": (RING, "stale_q && !head_q", "stale_q"),
    "stale-for-ever": (RING, "if (at_end) stale_q <= 1'b0;", ""),
    "bytes-not-cleared": (RING, "!(change_i && clear_i[b])", "1'b1"),
    "old-output": (REGS, "clear || stop || start ||", "clear || stop ||"),
    "output-of-another": (REGS, "start || (state_here && state_write_q)", "start"),
    "hold-lost": (REGS, "if (hold_d) state_d = StHeld;", "if (hold_q) state_d = StHeld;"),
    "suffix-ends-byte": (REGS, "{1'b0, suffix_len_q} >= 4'd8", "{1'b0, suffix_len_q} > 4'd8"),
    "offset-kept": (REGS, "hold_d = 1'b0;\n        offset_d = '0;", "hold_d = 1'b0;"),
    "head-kept": (REGS, "if (rst_i || clear) head_valid_q", "if (rst_i) head_valid_q"),
    "any-position": (REGS, "&& known_q && position_ok;", "&& known_q;"),
    "output-not-cut": (REGS, "word & ~({32{ends}}", "word & ~({32{1'b0}}"),
    "read-hangs": (REGS, "!digest_coming && settled;", "1'b0;"),
    "command-lost": (REGS, "in_change ? wait_q :", "in_change ? '0 :"),
    "write-in-change": (REGS, "!in_change && !waits && !clear;", "1'b1;"),
    "closed-too-long": (REGS, "assign length_open = config_open ||", "assign length_open ="),
    "error-not-reported": (
        REGS,
        "ERROR.state_access.hwset = state_refused",
        "ERROR.state_access.hwset = 1'b0",
    ),
    "not-enabled": (
        REGS,
        "(regs_i.INTR_STATE.held.value && regs_i.INTR_ENABLE.held.value)",
        "regs_i.INTR_STATE.held.value",
    ),
    "level": (REGS, "8'(MessageWords) - 8'(level)", "8'(level)"),
    "stream-not-ended": (REGS, "(beat && s_tlast_i &&", "(1'b0 &&"),
    "packet-ends-message": (REGS, "&& !regs_i.CONFIG.packets.value", ""),
    "tail-kept-at-end": (
        REGS,
        "TAIL.bits.hwclr = clear || state_q == StEnd;",
        "TAIL.bits.hwclr = clear;",
    ),
    "tail-kept-by-clear": (
        REGS,
        "TAIL.bits.hwclr = clear || state_q == StEnd;",
        "TAIL.bits.hwclr = state_q == StEnd;",
    ),
    "length-kept-by-stop": (REGS, "clear || (stop && state_q != StIdle &&", "clear || (1'b0 &&"),
    "length-kept-by-clear": (REGS, "assign length_clear = clear ||", "assign length_clear ="),
    "last-without-length": (REGS, "&& command.last && !no_length_q;", "&& command.last;"),
    "stream-without-length": (REGS, "command.last) || state_q == StBegin)", "command.last))"),
    "length-missing-not-reported": (
        REGS,
        "ERROR.no_length.hwset = no_length",
        "ERROR.no_length.hwset = 1'b0",
    ),
    "unread-in-message": (REGS, "(resume && !regs_i.POSITION.squeezing.value)", "1'b0"),
    "message-of-one-address": (
        REGS,
        "(regs_i.MESSAGE_WINDOW.req && regs_i.MESSAGE_WINDOW.req_is_wr)",
        "(regs_i.MESSAGE_WINDOW.req && regs_i.MESSAGE_WINDOW.req_is_wr && "
        "regs_i.MESSAGE_WINDOW.addr == '0)",
    ),
    "window-without-strobes": (
        REGS,
        "regs_i.MESSAGE_WINDOW.req ? regs_i.MESSAGE_WINDOW.wr_biten :",
        "regs_i.MESSAGE_WINDOW.req ? '1 :",
    ),
    "message-read-not-reported": (REGS, "= bad_access_i || bad_read ||", "= bad_access_i ||"),
    "digest-write-not-reported": (
        REGS,
        "(bad_write && regs_i.DIGEST_WINDOW.wr_biten != '0)",
        "1'b0",
    ),
    "digest-write-without-bytes": (
        REGS,
        "(bad_write && regs_i.DIGEST_WINDOW.wr_biten != '0)",
        "bad_write",
    ),
    "bad-access-not-reported": (REGS, "= bad_access_i || bad_read ||", "= bad_read ||"),
    "write-without-bytes": (BLOCK, "(~cpuif_req_is_wr | (|cpuif_wr_biten))", "1'b1"),
    "interrupt-late": (
        REGS,
        "assign irq_o = (regs_i.INTR_STATE.done",
        "always_ff @(posedge clk_i) irq_o <= (regs_i.INTR_STATE.done",
    ),
    f"{PIPELINED}-length-of-the-next": (REGS, " && !length_written_q);", ");"),
    f"{PIPELINED}-length-counted": (REGS, "(push && !open && !stop)", "(push && !open)"),
    f"{PIPELINED}-stopped-and-done": (
        REGS,
        "      done_d = 1'b0;\n      done_event = 1'b0;\n",
        "",
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
@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_caught(name: str) -> None:
    """The bench fails on a peripheral with one fault in it."""
    path, old, new = MUTANTS[name]
    bus = "axil" if name.startswith(PIPELINED) else "apb"
    files = simulation.mutated(closure(f"hf_keccak_{bus}"), path, old, new)
    alone = [simulation.NO_ASSERTIONS]
    assert run(bus, FULL, count=300, files=files, arguments=alone).failures


@pytest.mark.parametrize(("name", "value"), [("MessageWords", 24), ("DigestWords", 0)])
def test_impossible_sizes_do_not_elaborate(name: str, value: int) -> None:
    """A FIFO whose depth is no power of two stops the build."""
    with pytest.raises(RuntimeError, match="Command failed"):
        simulation.compile_design("hf_keccak_apb", closure("hf_keccak_apb"), {**FULL, name: value})
