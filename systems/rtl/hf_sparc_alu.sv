// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of the execute stage in one clock: sums (also addresses), logic, shifts, mulscc, and
// their condition codes. The carry of a subtraction is a borrow.

module hf_sparc_alu
  import hf_sparc_pkg::*;
(
    input op_t         op_i,
    input logic [31:0] op1_i,
    input logic [31:0] op2_i,
    input logic [31:0] y_i,
    input icc_t        icc_i,

    output logic [31:0] sum_o,
    output logic [31:0] logic_o,
    output logic [31:0] shift_o,
    output logic [31:0] y_o,      // wr %y, mulscc
    output icc_t        icc_o,    // sums, logic
    output logic        tag_overflow_o
);

  logic [31:0] a, b, b_logic, result;
  logic carry_in, carry_out, overflow, tag_overflow, is_logic;
  logic [62:0] wide;

  // mulscc: one step of a multiplication, the multiplier and the low product in Y.
  assign a = op_i.mulscc ? {icc_i.n ^ icc_i.v, op1_i[31:1]} : op1_i;
  assign b = op_i.mulscc && !y_i[0] ? '0 : op2_i ^ {32{op_i.subtract}};
  assign carry_in = op_i.subtract ^ (op_i.with_carry && icc_i.c);
  assign {carry_out, sum_o} = {1'b0, a} + {1'b0, b} + 33'(carry_in);

  assign tag_overflow = op_i.tags && (op1_i[1:0] != '0 || op2_i[1:0] != '0);
  assign overflow = (a[31] == b[31] && sum_o[31] != a[31]) || tag_overflow;
  assign tag_overflow_o = op_i.tag_trap && overflow;

  assign b_logic = op2_i ^ {32{op_i.invert}};
  always_comb begin
    unique case (op_i.logic_op)
      LogicAnd: logic_o = op1_i & b_logic;
      LogicOr: logic_o = op1_i | b_logic;
      LogicXor: logic_o = op1_i ^ b_logic;
      default: logic_o = b_logic;
    endcase
  end

  // A shift to the left by n is a shift to the right by 31 - n of a word extended by 31 bits.
  always_comb begin
    if (op_i.shift_left) wide = {op1_i, 31'b0};
    else wide = {{31{op_i.shift_sign && op1_i[31]}}, op1_i};
    shift_o = 32'(wide >> (op2_i[4:0] ^ {5{op_i.shift_left}}));
  end

  assign y_o = op_i.mulscc ? {op1_i[0], y_i[31:1]} : logic_o;

  assign is_logic = op_i.result == ResultLogic;
  assign result = is_logic ? logic_o : sum_o;
  assign icc_o.n = result[31];
  assign icc_o.z = result == '0;
  assign icc_o.v = overflow && !is_logic;
  assign icc_o.c = (carry_out ^ op_i.subtract) && !is_logic;

  logic unused;
  assign unused = ^{op_i, icc_i};

endmodule
