// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The reset that a proof assumes: high in the first clock, and free after it.

module hf_formal_reset (
    input logic clk_i,
    input logic rst_i
);

  logic began_q = 1'b0;
  always_ff @(posedge clk_i) began_q <= 1'b1;

  Reset_M: assume property (@(posedge clk_i) began_q || rst_i);

endmodule
