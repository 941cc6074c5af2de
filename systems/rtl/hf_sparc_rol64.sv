// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The added instruction of Wang et al. (papers/wang-leon3.toml) in the execute stage: the 64 bits
// {Y, rs1} rotated to the left by 0 .. 63, in the same clock. The high word of the result goes to
// Y, the low word to rd. (The paper rotates to the right; Keccak to the left.)
//
// It has no registers and does not depend on the processor around it: docs/integrate/leon3.md
// explains how to add it to a LEON3.

module hf_sparc_rol64 (
    input  logic [31:0] y_i,
    input  logic [31:0] rs1_i,
    input  logic [ 5:0] amount_i,
    output logic [31:0] y_o,
    output logic [31:0] rd_o
);

  logic [63:0] by_32, by_16, by_8, by_4, by_2;

  assign by_32 = amount_i[5] ? {rs1_i, y_i} : {y_i, rs1_i};
  assign by_16 = amount_i[4] ? {by_32[47:0], by_32[63:48]} : by_32;
  assign by_8 = amount_i[3] ? {by_16[55:0], by_16[63:56]} : by_16;
  assign by_4 = amount_i[2] ? {by_8[59:0], by_8[63:60]} : by_8;
  assign by_2 = amount_i[1] ? {by_4[61:0], by_4[63:62]} : by_4;
  assign {y_o, rd_o} = amount_i[0] ? {by_2[62:0], by_2[63]} : by_2;

endmodule
