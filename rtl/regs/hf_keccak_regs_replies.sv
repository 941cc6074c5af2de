// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Replies of the Keccak peripheral to reads of DIGEST, of STATE and, with zero, of MESSAGE_WINDOW.
//
// A read of DIGEST waits for a word while one is on its way, and is an error otherwise.
//
// Timing: one register holds the data of all replies: zero, unless there is data for the read. An
// acknowledge comes with the data.

module hf_keccak_regs_replies
  import hf_keccak_regs_pkg::*;
#(
    parameter int unsigned WordWidth = 32  // of the engine: 8, 16 or 32
) (
    input logic clk_i,
    input logic rst_i,

    input logic digest_request_i,
    input logic state_request_i,
    input logic bad_read_i,        // a read of MESSAGE_WINDOW

    // Whether a word of output is on its way.
    input phases_t phase_i,
    input logic    hold_i,     // a hold is pending: the word in the FIFO stays there
    input logic    no_left_i,  // the message has all bytes that RUN has counted
    input logic    waits_i,    // a command waits
    input logic    settled_i,  // as in pending_t

    input  digest_t digest_i,
    output logic    digest_read_o,  // its word is read

    // The state window reads a part of a word: the parts come from the lowest to the highest.
    input logic                 window_part_read_i,
    input logic [WordWidth-1:0] window_part_i,

    output logic        digest_ack_o,
    output logic        digest_none_o,   // and there was no word, in the clock before
    output logic        bad_read_ack_o,
    output logic [31:0] reply_o
);

  logic digest_wait_q, digest_coming, unused_phase;
  logic coming_q, absorb_q;  // a clock before, as settled_i is
  assign unused_phase = ^{phase_i.idle, phase_i.held, phase_i.change};

  // A word is in the FIFO or on its way; otherwise there is none.
  assign digest_coming = coming_q || (absorb_q && no_left_i);
  always_ff @(posedge clk_i) begin
    coming_q <= !hold_i && (phase_i.squeeze || phase_i.finish);
    absorb_q <= !hold_i && phase_i.absorb;
  end
  assign digest_read_o = digest_wait_q && digest_i.valid && !waits_i && !digest_i.flush;
  assign digest_none_o = digest_wait_q && !digest_i.valid && !digest_coming && settled_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      digest_wait_q <= 1'b0;
      digest_ack_o  <= 1'b0;
    end else begin
      digest_wait_q <= digest_request_i || (digest_wait_q && !digest_read_o && !digest_none_o);
      digest_ack_o  <= digest_read_o || digest_none_o;
    end
    bad_read_ack_o <= bad_read_i && !rst_i;
  end

  logic [31:0] reply_part;
  if (WordWidth == 32) begin : gen_whole
    assign reply_part = window_part_i;
  end else begin : gen_part
    assign reply_part = {window_part_i, reply_o[31:WordWidth]};
  end
  always_ff @(posedge clk_i) begin
    if (digest_request_i || bad_read_i || state_request_i) reply_o <= '0;
    else if (digest_read_o) reply_o <= digest_i.word;
    else if (window_part_read_i) reply_o <= reply_part;
  end

endmodule
