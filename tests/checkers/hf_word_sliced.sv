// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// hf_keccak_word_slice in front of the plain engine, whose reads may wait: for tests of the slice
// under the word bench. Not for use in designs.

module hf_word_sliced
  import hf_keccak_word_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,
    parameter  bit          Twice = 1'b0,
    localparam int unsigned AddressWidth = word_address_width(WordWidth)
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                    op_valid_i,
    output logic                    op_ready_o,
    input  logic [             1:0] op_i,
    input  logic [AddressWidth-1:0] op_addr_i,
    input  logic [ WordWidth/8-1:0] op_bytes_i,
    input  logic [   WordWidth-1:0] op_word_i,
    output logic [   WordWidth-1:0] word_o
);

  logic op_valid, op_ready, unused_answered;
  logic [1:0] op;
  logic [AddressWidth-1:0] op_addr;
  logic [WordWidth/8-1:0] op_bytes;
  logic [WordWidth-1:0] op_word, word;

  hf_keccak_word_slice #(
      .WordWidth(WordWidth),
      .Twice    (Twice)
  ) u_slice (
      .clk_i,
      .rst_i,
      .op_valid_i,
      .op_ready_o,
      .op_i,
      .op_addr_i,
      .op_bytes_i,
      .op_word_i,
      .word_o,
      .answered_o(unused_answered),
      .op_valid_o(op_valid),
      .op_ready_i(op_ready),
      .op_o      (op),
      .op_addr_o (op_addr),
      .op_bytes_o(op_bytes),
      .op_word_o (op_word),
      .word_i    (word)
  );
  hf_word_reference #(
      .WordWidth(WordWidth)
  ) u_engine (
      .clk_i,
      .rst_i,
      .op_valid_i(op_valid),
      .op_ready_o(op_ready),
      .op_i      (op),
      .op_addr_i (op_addr),
      .op_bytes_i(op_bytes),
      .op_word_i (op_word),
      .word_o    (word)
  );

endmodule
