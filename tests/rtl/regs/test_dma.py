"""The peripheral's DMA master on its buses: hashes by descriptors, errors, aborts, speed."""

from collections.abc import Mapping

import pytest

from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.dma import run
from tests.support.peripheral import SERIAL, TINY

QUICK = "known_answers|bus_errors|aborts|clocks"
"""Tests of the bench that are one of each kind."""

WIDE = {"DataWidth": 64}
WORDS = {"DataWidth": 64, "WordWidth": 64}


@pytest.mark.parametrize("parameters", [{}, WORDS], ids=["words-of-32", "words-of-64"])
def test_dma_in_short(parameters: Mapping[str, int]) -> None:
    """Digests, errors and aborts, and the clocks of a block."""
    run("axi", count=2, tests=QUICK, parameters=parameters).check()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bus", "burst", "waits", "parameters"),
    [
        pytest.param("axi", 16, 0.3, {}, id="axi"),
        pytest.param("wb", 16, 0.3, {}, id="wb"),
        pytest.param("axi", 16, 0.0, {}, id="axi-fast"),
        pytest.param("wb", 16, 0.0, {}, id="wb-fast"),
        pytest.param("axi", 32, 0.8, {}, id="axi-waits-on-both-sides"),
        pytest.param("axi", 16, 0.3, WIDE, id="axi-64"),
        pytest.param("axi", 16, 0.0, WIDE, id="axi-64-fast"),
        pytest.param("axi", 64, 0.8, {**WIDE, "BufferWords": 128}, id="axi-64-long-bursts"),
        pytest.param("axi", 16, 0.3, WORDS, id="axi-words-of-64"),
        pytest.param("axi", 16, 0.0, WORDS, id="axi-words-of-64-fast"),
        pytest.param(
            "axi", 64, 0.8, {**WORDS, "BufferWords": 128}, id="axi-words-of-64-long-bursts"
        ),
        pytest.param(
            "axi",
            16,
            0.3,
            {**WORDS, "MessageWords": 0, "DigestWords": 1},
            id="axi-words-of-64-no-fifos",
        ),
        pytest.param("wb", 64, 0.3, {}, id="wb-long-bursts"),
        pytest.param("wb", 16, 0.3, {"MessageWords": 0, "DigestWords": 1}, id="wb-no-fifos"),
        pytest.param("axi", 16, 0.3, {"Engine": SERIAL}, id="axi-serial"),
    ],
)
def test_dma(bus: str, burst: int, waits: float, parameters: Mapping[str, int]) -> None:
    """All of the bench, with waits of the memory or without."""
    run(bus, count=60, burst=burst, waits=waits, parameters=parameters).check()


@pytest.mark.slow
def test_the_smallest_engine() -> None:
    """One message after the other: a block takes thousands of clocks."""
    run("wb", count=1, parameters={"Engine": TINY}, tests="known_answers").check()


ALIGN = "rtl/regs/hf_keccak_dma_align.sv"
READ = "rtl/regs/hf_keccak_dma_read.sv"
LISTS = "rtl/regs/hf_keccak_dma_list.sv"
DESCRIPTOR = "rtl/regs/hf_keccak_dma_descriptor.sv"
DIGEST = "rtl/regs/hf_keccak_dma_digest.sv"
AXI = "rtl/regs/hf_keccak_dma_axi.sv"
WISHBONE = "rtl/regs/hf_keccak_dma_wb.sv"
AROUND = "rtl/regs/hf_keccak_dma.sv"
MUTANTS = {
    "turned": (ALIGN, "turn_q  <= rest_q - first_i;", "turn_q  <= first_i;"),
    "rest-sent-whole": (ALIGN, "turned_valid_q || OffsetWidth'(i) < rest_q;", "1'b1;"),
    "end-ignored": (ALIGN, "(word_last_i && end_q != '0)", "1'b0"),
    "begin-ignored": (ALIGN, "(begun_q ? '0 : {1'b0, first_q});", "'0;"),
    "no-room": (
        READ,
        "room = reserved_q <= LevelWidth'(BufferBeats - BurstBeats);",
        "room = 1'b1;",
    ),
    "error-lost": (READ, "data_valid_i && data_error_i) error_q", "1'b0) error_q"),
    "error-elsewhere": (
        READ,
        "!error_q && !data_error_i) begin\n      arrive_q",
        "!error_q) begin\n      arrive_q",
    ),
    "words-kept": (READ, ".clear_i(rst_i || flush_i),", ".clear_i(rst_i),"),
    "not-cleared": (LISTS, "Flush: state_d = Clear;", "Flush: state_d = Restore;"),
    "not-drained": (LISTS, "Drain: if (!read_open_i) state_d", "Drain: state_d"),
    "config-lost": (LISTS, "reg_data_o = kept_config_q;", "reg_data_o = '0;"),
    "interrupts-lost": (LISTS, "IntrAll & ~32'(kept_intr_q)", "IntrAll"),
    "interrupts-left": (LISTS, "IntrAll & ~32'(kept_intr_q)", "'0"),
    "hash-taken": (LISTS, "else if (reg_data_i[2:0] == phase_e__idle)", "else if (1'b1)"),
    "no-status": (LISTS, "status_owed_q ? FailStatus : End", "End"),
    "status-twice": (LISTS, "state_q == Next ||\n        (list_stops", "(list_stops"),
    "abort-ignored": (LISTS, "= abort_pending_q || read_error_i;", "= read_error_i;"),
    "any-function": (DESCRIPTOR, "function_known_q &&", ""),
    "any-bits": (DESCRIPTOR, "legal_o <= !unknown_bits_q &&", "legal_o <="),
    "judged-too-early": (
        LISTS,
        "(descriptor_loaded) state_d = Judge;",
        "(descriptor_loaded) state_d = Check;",
    ),
    "next-of-none": (LISTS, "!descriptor.flags.last_of_list && !stop_requested;", "1'b1;"),
    "whole-words": (
        DIGEST,
        "last_bytes[b] = output_bits_i[4:0] > 5'(8 * b);",
        "last_bytes[b] = 1'b1;",
    ),
    "tail-lost": (
        LISTS,
        "reg_data_o = {16'd0, descriptor.tail_text, 5'd0, descriptor.tail_bits};",
        "",
    ),
    "digest-error-lost": (
        LISTS,
        "if (write_error_i) begin\n            list_stops = 1'b1;\n"
        "            stop_cause = cause_e__digest",
        "if (1'b0) begin\n            list_stops = 1'b1;\n            stop_cause = cause_e__digest",
    ),
    "read-as-nothing": (AROUND, "refused_q ? '1 : found", "refused_q ? '0 : found"),
    "interrupts-in-lists": (AROUND, "(peripheral_irq && !runs_now)", "peripheral_irq"),
    "head-open": (AROUND, "HEAD.address.swwe = !running;", "HEAD.address.swwe = 1'b1;"),
    "axi-answers-lost": (AXI, "data_error_o = rresp_i[1];", "data_error_o = 1'b0;"),
    "axi-all-bytes": (AXI, "wlast_o ? write_bytes_i : 4'hF", "4'hF"),
    "wide-no-lower": (AXI, "upper_q || (beat_first_q && ends.begins_upper);", "upper_q;"),
    "wide-one-more": (AXI, "upper || (beat_last_q && ends.ends_lower);", "upper;"),
    "wide-short-reads": (AXI, "8'((9'(ar_len_q) + 9'(ar_addr_q[2])) >> 1);", "8'(ar_len_q >> 1);"),
    "wide-short-writes": (AXI, "(5'(write_len_i) + 5'(write_addr_i[2])) >> 1", "write_len_i >> 1"),
    "wide-answers-lost": (AXI, "data_error_o = beat_error_q;", "data_error_o = 1'b0;"),
    "wide-lower-written": (AXI, "{4{lower_valid_q}}", "4'hF"),
    "wide-upper-written": (AXI, "{4'h0, last_bytes}", "{4'hF, last_bytes}"),
    "words-descriptor-lower": (
        AROUND,
        "upper_q ? word[WordWidth-1-:32] : word[31:0];",
        "word[31:0];",
    ),
    "words-descriptor-half-left": (
        AROUND,
        "list_take && (upper_q || word_last);",
        "list_take && upper_q;",
    ),
    "words-descriptor-half-kept": (
        AROUND,
        "if (rst_i || read_flush) upper_q",
        "if (rst_i) upper_q",
    ),
    "words-short-ranges": (READ, "32'(words_i) + 32'(addr_i[2]) + 32'd1", "32'(words_i) + 32'd1"),
    "words-shorter-ranges": (READ, "32'(addr_i[2]) + 32'd1) >> 1", "32'(addr_i[2])) >> 1"),
    "words-no-room": (
        READ,
        "room = reserved_q <= LevelWidth'(BufferBeats - BurstBeats);",
        "room = 1'b1;",
    ),
    "words-error-elsewhere": (
        READ,
        "arrive_q <= (arrive_q | 30'(BeatWords - 1)) + 30'd1;",
        "arrive_q <= arrive_q + 30'd1;",
    ),
    "words-begin-in-half": (
        LISTS,
        "segment_first_o = descriptor.source_addr[2:0];",
        "segment_first_o = {1'b0, descriptor.source_addr[1:0]};",
    ),
    "words-end-in-half": (
        DESCRIPTOR,
        "descriptor_o.source_end <= raw_word_q[2:0] + descriptor_o.source_addr[2:0];",
        "descriptor_o.source_end <= 3'(raw_word_q[1:0] + descriptor_o.source_addr[1:0]);",
    ),
    "words-rest-sent-whole": (ALIGN, "turned_valid_q || OffsetWidth'(i) < rest_q;", "1'b1;"),
    "words-answers-lost": (AXI, "data_error_o = rresp_i[1];", "data_error_o = 1'b0;"),
    "wb-all-bytes": (WISHBONE, "(write_q && last_q) ? write_bytes_i : 4'hF", "4'hF"),
    "wb-goes-on": (WISHBONE, "ends = answer && (last_q || err_i);", "ends = answer && last_q;"),
    "wb-begins-in-access": (
        AROUND,
        "(regs_out.COMMAND.start.value && !regs_out.COMMAND.abort.value);",
        "1'b0;",
    ),
    "aborted-start-runs": (
        AROUND,
        "(regs_out.COMMAND.start.value && !regs_out.COMMAND.abort.value);",
        "regs_out.COMMAND.start.value;",
    ),
}
"""Faults in the RTL, each of which the bench must find; on Wishbone, on a wide AXI4, or with words
of its width, if the name says so."""


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_caught(name: str) -> None:
    """The bench fails on a master with one fault in it."""
    path, old, new = MUTANTS[name]
    bus = "wb" if name.startswith("wb-") else "axi"
    parameters = {"wide": WIDE, "words": WORDS}.get(name.partition("-")[0], {})
    files = simulation.mutated(closure(f"hf_keccak_{bus}_dma"), path, old, new)
    alone = [simulation.NO_ASSERTIONS]
    outcome = run(bus, count=20, files=files, arguments=alone, parameters=parameters)
    assert outcome.failures


@pytest.mark.parametrize(
    ("name", "value"),
    [("BurstWords", 8), ("BurstWords", 48), ("BufferWords", 16), ("DataWidth", 128)],
)
def test_impossible_sizes_do_not_elaborate(name: str, value: int) -> None:
    """A burst, a buffer or a bus that the master cannot have stops the build."""
    with pytest.raises(RuntimeError, match=rf"refused: .*\b{name}\b"):
        top = "hf_keccak_axi_dma"
        simulation.compile_design(top, closure(top), {name: value})


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({"WordWidth": 64}, "WordWidth is 32, or 64 with DataWidth = 64, not 64"),
        (
            {**WORDS, "Engine": SERIAL},
            r"WordWidth is 32, or 64 with Engine = 0 \(iterative\), not 64",
        ),
        (
            {**WORDS, "Engine": TINY},
            r"WordWidth is 32, or 64 with Engine = 0 \(iterative\), not 64",
        ),
        ({"DataWidth": 64, "WordWidth": 16}, "WordWidth is 32, or 64 with DataWidth = 64, not 16"),
    ],
)
def test_impossible_words_do_not_elaborate(parameters: Mapping[str, int], why: str) -> None:
    """Words that the bus or the engine does not have stop the build."""
    with pytest.raises(RuntimeError, match=f"refused: .*{why}"):
        top = "hf_keccak_axi_dma"
        simulation.compile_design(top, closure(top), parameters)
