// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// hf_keccak_array_core takes a part for accepted without asking its core. It must be.
//
//   CoreIsReady

module hf_keccak_array_core_sva (
    input logic clk_i,
    input logic rst_i,
    input logic valid,
    input logic ready,
    input logic core_ready
);

  logic off;
  hf_reset_sva u_reset (
      .clk_i,
      .rst_i,
      .off_o(off)
  );

  CoreIsReady: assert property (@(posedge clk_i) disable iff (off) !valid || ready == core_ready);

endmodule
