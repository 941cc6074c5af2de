// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The added instruction of Wang et al. (papers/wang-leon3.toml) in the execute stage: the 64 bits
// {Y, rs1} rotated to the left by 0 .. 63, in the clock of the question. The high word of the
// result goes to Y, the low word to rd. (The paper rotates to the right; Keccak to the left.)
//
// It has no registers and knows nothing of the processor around it: docs/leon3.md says how to put
// it into a LEON3.

module hf_sparc_rol64 (
    input  logic [31:0] y_i,
    input  logic [31:0] rs1_i,
    input  logic [ 5:0] amount_i,
    output logic [31:0] y_o,
    output logic [31:0] rd_o
);

  logic [63:0] by_0, by_16, by_4;

  // Three steps, each a multiplexer of four.
  always_comb begin
    by_0 = {y_i, rs1_i};
    unique case (amount_i[5:4])
      2'd0: by_16 = by_0;
      2'd1: by_16 = {by_0[47:0], by_0[63:48]};
      2'd2: by_16 = {by_0[31:0], by_0[63:32]};
      default: by_16 = {by_0[15:0], by_0[63:16]};
    endcase
    unique case (amount_i[3:2])
      2'd0: by_4 = by_16;
      2'd1: by_4 = {by_16[59:0], by_16[63:60]};
      2'd2: by_4 = {by_16[55:0], by_16[63:56]};
      default: by_4 = {by_16[51:0], by_16[63:52]};
    endcase
    unique case (amount_i[1:0])
      2'd0: {y_o, rd_o} = by_4;
      2'd1: {y_o, rd_o} = {by_4[62:0], by_4[63]};
      2'd2: {y_o, rd_o} = {by_4[61:0], by_4[63:62]};
      default: {y_o, rd_o} = {by_4[60:0], by_4[63:61]};
    endcase
  end

endmodule
