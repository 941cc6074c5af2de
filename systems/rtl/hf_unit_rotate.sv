// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// One word of a 64-bit rotate to the left. A rotate is two instructions, one for each word of the
// result; no state is kept between them. The ports are those of every unit
// (docs/integrate/riscv.md).
//
//   funct7 0nnnnnn, funct3 0   rd := low word of {rs2, rs1} rotated by n, 0 .. 63
//   funct7 0nnnnnn, funct3 1   rd := its high word

module hf_unit_rotate (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        valid_i,
    input  logic [ 9:0] function_i,  // {funct7, funct3}
    input  logic [31:0] rs1_i,
    input  logic [31:0] rs2_i,
    output logic        known_o,
    output logic        ready_o,
    output logic [31:0] rd_o
);

  logic [ 5:0] amount;
  logic [63:0] words;
  logic [46:0] by_16;
  logic [34:0] by_4;

  assign known_o = !function_i[9] && function_i[2:1] == 2'b00;
  assign ready_o = valid_i && known_o;

  // A rotate by 32 swaps the words, and the low word of a result is the high one of the swapped.
  assign amount = function_i[8:3];
  assign words = amount[5] ^ !function_i[0] ? {rs1_i, rs2_i} : {rs2_i, rs1_i};

  // The high word of a shift to the left by n is moved up by 32 - n bits: by 1, and by every power
  // of two that n does not have. Three steps, each a multiplexer of four with the swap: one LUT6 a
  // bit.
  assign by_16 = amount[4] ? words[47:1] : words[63:17];
  assign by_4 = 35'(by_16 >> {~amount[3:2], 2'b00});
  assign rd_o = 32'(by_4 >> ~amount[1:0]);

  logic unused;  // no state is kept; the lowest bit is never used
  assign unused = ^{clk_i, rst_i, words[0]};

endmodule
