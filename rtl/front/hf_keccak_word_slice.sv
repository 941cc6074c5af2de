// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A register stage between a user and an engine of the word contract
// (docs/reference/word-contract.md): no path passes from one to the other.
//
// Adds and permutations are accepted while there is room for two operations, one a clock, and go to
// the engine in order. A read and a wipe are accepted when the engine has accepted them, two clocks
// after their offer at the earliest.

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
  logic sent_q;  // it has been sent
  logic done_q;  // the engine has accepted it
  logic valid, ready;
  logic [WordWidth-1:0] word_q;

  assign waits = op_i == WordRead || op_i == WordWipe;
  assign operation = {op_i, op_addr_i, op_bytes_i, op_word_i};
  assign valid = op_valid_i && !sent_q;
  assign op_ready_o = waits ? done_q : ready;
  assign word_o = word_q;

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
    end else begin
      sent_q <= (valid && ready && waits) || (sent_q && !done_q);
      done_q <= op_valid_o && op_ready_i && (head.op == WordRead || head.op == WordWipe);
    end
    word_q <= word_i;
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (!word_width_legal(WordWidth)) begin : gen_bad_width
    $fatal(1, "hf_keccak_word_slice: WordWidth is 8, 16, 32 or 64, not %0d", WordWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
