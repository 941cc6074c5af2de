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
// another operation was accepted meanwhile.

module hf_keccak_word_slice
  import hf_keccak_word_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,                             // 8, 16, 32 or 64
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
    logic [1:0]           op;
    logic [AddrWidth-1:0] addr;
    logic [KeepWidth-1:0] bytes;
    logic [WordWidth-1:0] word;
  } operation_t;

  operation_t operation, head;
  logic waits;  // the offered operation is accepted when the engine has accepted it
  logic read, wipe, other;
  logic sent_q;  // a read or a wipe is on its way to the engine
  logic done_q;  // the offered operation is accepted
  logic have_q;  // word_q is word addr_q, which is not read yet
  logic stale_q;  // the word that is on its way is of no use
  logic valid, ready, ahead, wanted, arrives, wiped;
  logic [AddrWidth-1:0] addr_q, next_q;  // of the word read last; the one after the offered one
  logic last_q;  // there is none
  logic [WordWidth-1:0] word_q;

  assign waits = op_i == WordRead || op_i == WordWipe;
  assign read = op_valid_i && op_i == WordRead;
  assign wipe = op_valid_i && op_i == WordWipe;
  assign other = op_valid_i && !waits;
  assign op_ready_o = waits ? done_q : ready;
  assign word_o = word_q;

  // Nothing is between the word in word_q and the read that takes it: there is room then.
  assign ahead = done_q && read && !last_q;
  assign valid = other || ((read || wipe) && !sent_q && !done_q && !have_q) || ahead;
  assign operation = {op_i, ahead ? next_q : op_addr_i, op_bytes_i, op_word_i};
  assign wanted = read && !done_q && op_addr_i == addr_q;
  assign arrives = op_valid_o && op_ready_i && head.op == WordRead && !stale_q;
  assign wiped = op_valid_o && op_ready_i && head.op == WordWipe;

  hf_axis_slice #(
      .Width($bits(operation_t))
  ) u_slice (
      .clk_i,
      .rst_i,
      .s_valid_i(valid),
      .s_ready_o(ready),
      .s_data_i (operation),
      .m_valid_o(op_valid_o),
      .m_ready_i(op_ready_i),
      .m_data_o (head)
  );
  assign {op_o, op_addr_o, op_bytes_o, op_word_o} = head;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      sent_q <= 1'b0;
      done_q <= 1'b0;
      have_q <= 1'b0;
    end else begin
      if (valid && ready && waits) sent_q <= 1'b1;
      else if (op_valid_o && op_ready_i && (head.op == WordRead || head.op == WordWipe)) begin
        sent_q <= 1'b0;
      end
      done_q <= (wanted && (have_q || arrives)) || wiped;
      // It goes with the read that takes it, a read of another word, a wipe, a change of the state.
      have_q <= (have_q || arrives) && !(op_valid_i && !wanted);
    end
    if (valid && ready) begin
      if (waits) stale_q <= 1'b0;
      else stale_q <= 1'b1;
    end
    if (valid && ready && waits) addr_q <= operation.addr;
    next_q <= op_addr_i + 1'b1;
    last_q <= op_addr_i == AddrWidth'(state_words(WordWidth) - 1);
    if (!have_q) word_q <= word_i;
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (!word_width_legal(WordWidth)) begin : gen_bad_width
    $fatal(1, "hf_keccak_word_slice: WordWidth is 8, 16, 32 or 64, not %0d", WordWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
