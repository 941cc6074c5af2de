// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Accesses of the bus to registers of the Keccak peripheral that are outside of the register block:
// which of them the access in this clock is, whether its direction is legal, and the word of a
// write while it is pending.
//
// MESSAGE_WINDOW and DIGEST_WINDOW get requests in both directions and support one each. A write
// without a byte enable, which a bus-width converter may produce, is answered and has no effect.
//
// Timing: a request is high for one clock. The word of a write is on written_o from the next clock
// on, until the next access.

module hf_keccak_regs_requests
  import hf_keccak_csr_pkg::*;
  import hf_keccak_regs_pkg::*;
#(
    parameter bit Run = 1'b1  // the register RUN exists
) (
    input logic clk_i,
    input logic rst_i,

    input hf_keccak_regs__out_t regs_i,        // from the register block
    input logic                 bad_access_i,  // likewise

    output logic       message_write_o,  // with a byte at least
    output logic       message_read_o,   // illegal, and answered with zero
    output logic       digest_read_o,
    output logic       digest_write_o,   // illegal
    output logic       length_write_o,
    output logic       length_written_o, // with a byte at least
    output logic       state_access_o,   // likewise, or a read
    output logic       empty_write_o,    // of MESSAGE or STATE in the clock before: without a byte
    output run_write_t run_write_o,
    output logic       bad_access_o,     // ERROR.bad_access, of the clock before

    output write_t written_o
);

  logic [31:0] data, bits;
  logic message_request, run_request;

  // All of them have the bus's word.
  assign data = regs_i.MESSAGE.wr_data;
  assign bits = regs_i.MESSAGE.wr_biten;
  logic unused_words;
  assign unused_words = ^{
      regs_i.STATE.wr_data, regs_i.STATE.wr_biten, regs_i.LENGTH.wr_data, regs_i.LENGTH.wr_biten,
      regs_i.RUN.wr_data, regs_i.RUN.wr_biten,
      regs_i.MESSAGE_WINDOW.wr_data, regs_i.MESSAGE_WINDOW.wr_biten};

  assign message_request = regs_i.MESSAGE.req ||
      (regs_i.MESSAGE_WINDOW.req && regs_i.MESSAGE_WINDOW.req_is_wr);
  assign message_write_o = message_request && bits != '0;
  assign state_access_o = regs_i.STATE.req && (!regs_i.STATE.req_is_wr || bits != '0);
  assign message_read_o = regs_i.MESSAGE_WINDOW.req && !regs_i.MESSAGE_WINDOW.req_is_wr;
  assign digest_read_o = regs_i.DIGEST.req ||
      (regs_i.DIGEST_WINDOW.req && !regs_i.DIGEST_WINDOW.req_is_wr);
  assign digest_write_o = regs_i.DIGEST_WINDOW.req && regs_i.DIGEST_WINDOW.req_is_wr;
  assign length_write_o = regs_i.LENGTH.req && regs_i.LENGTH.req_is_wr;
  assign length_written_o = length_write_o && bits != '0;

  assign run_request = Run && regs_i.RUN.req && bits != '0;
  assign run_write_o.written = run_request;
  assign run_write_o.whole = &bits;
  assign run_write_o.has_length = data[16:5] != '0;

  always_ff @(posedge clk_i) begin
    bad_access_o <= !rst_i && (
        bad_access_i || message_read_o ||
        (digest_write_o && regs_i.DIGEST_WINDOW.wr_biten != '0) ||
        (!Run && regs_i.RUN.req && bits != '0));
    empty_write_o <= !rst_i && bits == '0 &&
        (message_request || (regs_i.STATE.req && regs_i.STATE.req_is_wr));
  end

  always_ff @(posedge clk_i) begin
    if (message_request || regs_i.STATE.req || length_write_o || run_request) begin
      written_o.word <= data;
      for (int unsigned b = 0; b < 4; b++) written_o.bytes[b] <= bits[8*b];
    end
  end

endmodule
