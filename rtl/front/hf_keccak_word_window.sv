// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A second user of an engine with the word contract (docs/reference/word-contract.md), beside its
// front end: a window, through which a state is read, or put in place before a message. An
// operation of the front end goes first. One of the window stays offered until it is accepted, from
// a clock after window_valid_i on.
//
// The window may offer adds and wipes between messages: they wait for the wipe with which the front
// end ends the message before. It may offer reads whenever the front end has no operation to offer.

module hf_keccak_word_window
  import hf_keccak_word_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,  // 8, 16, 32 or 64
    parameter  int unsigned Shares = 1,      // of a word, side by side
    localparam int unsigned KeepWidth = WordWidth / 8,
    localparam int unsigned AddrWidth = word_address_width(WordWidth)
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    // From the front end.
    input  logic                        front_valid_i,
    output logic                        front_ready_o,
    input  word_op_e                    front_op_i,
    input  logic [       AddrWidth-1:0] front_addr_i,
    input  logic [       KeepWidth-1:0] front_bytes_i,
    input  logic [Shares*WordWidth-1:0] front_word_i,

    // The window: an add of whole words, a read, or a wipe.
    input  logic                        window_valid_i,
    output logic                        window_ready_o,
    input  word_op_e                    window_op_i,
    input  logic [       AddrWidth-1:0] window_addr_i,
    input  logic [Shares*WordWidth-1:0] window_word_i,

    // To the engine, whose word_o both have.
    output logic                        op_valid_o,
    input  logic                        op_ready_i,
    output word_op_e                    op_o,
    output logic [       AddrWidth-1:0] op_addr_o,
    output logic [       KeepWidth-1:0] op_bytes_o,
    output logic [Shares*WordWidth-1:0] op_word_o
);

  logic wiped_q;  // the front end has wiped the state, and changed nothing after it
  // The window's operation is the engine's: registered, for short paths.
  logic granted_q;

  assign window_ready_o = granted_q && op_ready_i;
  assign front_ready_o = !granted_q && op_ready_i;
  assign op_valid_o = granted_q || front_valid_i;
  assign op_o = granted_q ? window_op_i : front_op_i;
  assign op_addr_o = granted_q ? window_addr_i : front_addr_i;
  assign op_bytes_o = granted_q ? '1 : front_bytes_i;
  assign op_word_o = granted_q ? window_word_i : front_word_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) granted_q <= 1'b0;
    else if (granted_q) granted_q <= !op_ready_i;
    else granted_q <= window_valid_i && !front_valid_i && (window_op_i == WordRead || wiped_q);
    if (rst_i) wiped_q <= 1'b0;
    else if (front_valid_i && front_ready_o && front_op_i != WordRead) begin
      wiped_q <= front_op_i == WordWipe;
    end
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (!word_width_legal(WordWidth)) begin : gen_bad_width
    $fatal(1, "hf_keccak_word_window: WordWidth is 8, 16, 32 or 64, not %0d", WordWidth);
  end
  if (Shares < 1) begin : gen_bad_shares
    $fatal(1, "hf_keccak_word_window: Shares is 1 or more, not %0d", Shares);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
