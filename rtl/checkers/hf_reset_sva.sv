// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// When a checker is off: in reset, and before the first one, which comes late where it has clocks to
// go (hf_keccak_array). Nothing is promised then, and registers hold anything.

module hf_reset_sva (
    input  logic clk_i,
    input  logic rst_i,
    output logic off_o
);

  logic began_q = 1'b0;
  always_ff @(posedge clk_i) began_q <= began_q || rst_i;
  assign off_o = rst_i || !began_q;

endmodule
