// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Turns a checker off in reset and before the first reset, which arrives late if it passes through
// registers (hf_keccak_array). The ports promise nothing then, and registers are undefined.

module hf_reset_sva (
    input  logic clk_i,
    input  logic rst_i,
    output logic off_o
);

  logic began_q = 1'b0;
  always_ff @(posedge clk_i) began_q <= began_q || rst_i;
  assign off_o = rst_i || !began_q;

endmodule
