// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A register stage between a user and an engine of the word contract
// (docs/reference/word-contract.md): no path passes from one to the other.
//
// Adds and permutations are accepted while there is room for two operations, one a clock, and go to
// the engine in order. A wipe is accepted when the engine has accepted it, two clocks after its
// offer at the earliest.
//
// A read is accepted two clocks after its offer at the earliest. The word after it is read ahead: a
// read of that one is accepted a clock after its offer, two clocks after the read before it, unless
// another operation was accepted meanwhile. With Twice, a user reads each word two times in a row,
// as it takes a half of it at a time: the word stays for the second read, and the word after it is
// read ahead then. Reads in another order are slower, and right.

module hf_keccak_word_slice
  import hf_keccak_word_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,                             // 8, 16, 32 or 64
    parameter  bit          Twice = 1'b0,                               // words are read two times
    localparam int unsigned KeepWidth = WordWidth / 8,
    localparam int unsigned AddrWidth = word_address_width(WordWidth)
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                 op_valid_i,
    output logic                 op_ready_o,
    input  logic [          1:0] op_i,        // a word_op_e
    input  logic [AddrWidth-1:0] op_addr_i,
    input  logic [KeepWidth-1:0] op_bytes_i,
    input  logic [WordWidth-1:0] op_word_i,
    output logic [WordWidth-1:0] word_o,
    // A read or a wipe is accepted in this clock: as op_ready_o, out of a register.
    output logic                 answered_o,

    // To the engine.
    output logic                 op_valid_o,
    input  logic                 op_ready_i,
    output logic [          1:0] op_o,
    output logic [AddrWidth-1:0] op_addr_o,
    output logic [KeepWidth-1:0] op_bytes_o,
    output logic [WordWidth-1:0] op_word_o,
    input  logic [WordWidth-1:0] word_i
);

  typedef struct packed {
    logic [1:0]           op_code;
    logic [AddrWidth-1:0] op_addr;
    logic [KeepWidth-1:0] op_bytes;
    logic [WordWidth-1:0] op_word;
  } operation_t;

  operation_t offered_operation, engine_operation;
  logic waits_for_engine;  // the offered operation is accepted when the engine has accepted it
  logic read_offered;
  logic operation_sent_q;  // a read or a wipe is on its way to the engine
  logic operation_done_q;  // the offered operation is accepted
  logic word_held_q;  // held_word_q is word read_addr_q, which is not read yet
  logic word_stale_q;  // the word that is on its way is ignored
  logic second_q;  // the next read of the word that was read last is the second one
  logic first_read;  // a word is read that is to be read again
  logic slice_valid, slice_ready, read_ahead, read_matches, word_arrives, wipe_accepted;
  logic [AddrWidth-1:0] read_addr_q;  // of the word read last
  logic [AddrWidth-1:0] next_addr_q;  // the one after the offered one
  logic at_last_word_q;  // there is none
  logic [WordWidth-1:0] held_word_q;

  assign waits_for_engine = op_i == WordRead || op_i == WordWipe;
  assign read_offered = op_valid_i && op_i == WordRead;
  assign op_ready_o = waits_for_engine ? operation_done_q : slice_ready;
  assign answered_o = operation_done_q;
  assign word_o = held_word_q;

  // Nothing is between the word in held_word_q and the read that takes it: there is room then.
  assign read_ahead = operation_done_q && op_i == WordRead && !at_last_word_q && !first_read;
  assign first_read = Twice && operation_done_q && op_i == WordRead && !second_q;
  assign slice_valid = read_ahead || (op_valid_i && !(waits_for_engine &&
      (operation_sent_q || operation_done_q || word_held_q)));
  assign offered_operation = {op_i, read_ahead ? next_addr_q : op_addr_i, op_bytes_i, op_word_i};
  assign read_matches = read_offered && !operation_done_q && op_addr_i == read_addr_q;
  assign word_arrives = op_valid_o && op_ready_i && engine_operation.op_code == WordRead &&
      !word_stale_q;
  assign wipe_accepted = op_valid_o && op_ready_i && engine_operation.op_code == WordWipe;

  hf_axis_slice #(
      .Width($bits(operation_t))
  ) u_slice (
      .clk_i,
      .rst_i,
      .s_valid_i(slice_valid),
      .s_ready_o(slice_ready),
      .s_data_i (offered_operation),
      .m_valid_o(op_valid_o),
      .m_ready_i(op_ready_i),
      .m_data_o (engine_operation)
  );
  assign {op_o, op_addr_o, op_bytes_o, op_word_o} = engine_operation;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      operation_sent_q <= 1'b0;
      operation_done_q <= 1'b0;
      word_held_q      <= 1'b0;
    end else begin
      operation_sent_q <= (slice_valid && slice_ready && waits_for_engine) ||
          (operation_sent_q && !(op_valid_o && op_ready_i && (
              engine_operation.op_code == WordRead || engine_operation.op_code == WordWipe)));
      operation_done_q <= (read_matches && (word_held_q || word_arrives)) || wipe_accepted;
      // It goes with the read that takes it, a read of another word, a wipe, a change of the state.
      word_held_q <= (word_held_q || word_arrives) &&
          !(op_valid_i && !read_matches && !first_read);
    end
    if (slice_valid && slice_ready && waits_for_engine) second_q <= 1'b0;
    else if (operation_done_q) second_q <= 1'b1;
    if (slice_valid && slice_ready) begin
      if (waits_for_engine) word_stale_q <= 1'b0;
      else word_stale_q <= 1'b1;
    end
    if (slice_valid && slice_ready && waits_for_engine) read_addr_q <= offered_operation.op_addr;
    next_addr_q <= op_addr_i + 1'b1;
    at_last_word_q <= op_addr_i == AddrWidth'(state_words(WordWidth) - 1);
    if (!word_held_q) held_word_q <= word_i;
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (!word_width_legal(WordWidth)) begin : gen_bad_width
    $fatal(1, "hf_keccak_word_slice: WordWidth is 8, 16, 32 or 64, not %0d", WordWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
