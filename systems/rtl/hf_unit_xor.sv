// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The rotates of hf_unit_rotate, and two steps of Keccak's round that need more operands than an
// instruction has: XOR then rotate (theta and rho), and chi. The other operands come from two words
// that the unit holds, low and high. The ports are those of every unit (docs/integrate/riscv.md).
//
//   funct7 0nnnnnn, funct3 0   rd := low word of {rs2, rs1} rotated by n, 0 .. 63
//   funct7 0nnnnnn, funct3 1   rd := its high word
//   funct7 0000000, funct3 2   rd := high;                          low := rs1 ^ rs2
//   funct7 0nnnnnn, funct3 3   {high, rd} := {rs1 ^ rs2, low} rotated by n
//   funct7 0000000, funct3 4   rd := low ^ (~rs1 & rs2);            low := rs1
//
// A rotated lane a ^ d takes two instructions if lanes follow each other: the second one returns
// the low word, and the first one of the next lane the high word. The five words of a row after chi
// take six.

module hf_unit_xor (
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

  typedef enum logic [2:0] {
    OpLow,
    OpHigh,
    OpKeep,
    OpXorRotate,
    OpChi
  } op_e;

  op_e op;
  logic [5:0] amount;
  logic [31:0] low_q, high_q, sum, turned, turned_high;
  logic [63:0] lane, swapped;

  assign op = op_e'(function_i[2:0]);
  assign amount = function_i[8:3];
  always_comb begin
    unique case (op)
      OpLow, OpHigh, OpXorRotate: known_o = !function_i[9];
      OpKeep, OpChi: known_o = function_i[9:3] == '0;
      default: known_o = 1'b0;
    endcase
  end
  assign ready_o = valid_i && known_o;

  // A rotate by 32 swaps the words; OpHigh's rd is the low word of the swapped.
  assign sum = rs1_i ^ rs2_i;
  assign lane = op == OpXorRotate ? {sum, low_q} : {rs2_i, rs1_i};
  assign swapped = amount[5] ^ (op == OpHigh) ? {lane[31:0], lane[63:32]} : lane;
  assign turned = 32'({swapped[31:0], swapped[63:32]} >> (6'd32 - 6'(amount[4:0])));
  assign turned_high = 32'(swapped >> (6'd32 - 6'(amount[4:0])));

  always_comb begin
    unique case (op)
      OpKeep:  rd_o = high_q;
      OpChi:   rd_o = low_q ^ (~rs1_i & rs2_i);
      default: rd_o = turned;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (ready_o && op == OpXorRotate) high_q <= turned_high;
    if (ready_o && op == OpKeep) low_q <= sum;
    if (ready_o && op == OpChi) low_q <= rs1_i;
    if (rst_i) begin
      low_q  <= '0;
      high_q <= '0;
    end
  end

endmodule
