// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// No alarm without a fault: a simulation has none, unless a test puts one in.

module hf_alarm_sva (
    input logic clk_i,
    input logic rst_i,
    input logic alarm_o
);

  logic off;
  hf_reset_sva u_reset (
      .clk_i,
      .rst_i,
      .off_o(off)
  );

  NoAlarm_A: assert property (@(posedge clk_i) disable iff (off) !alarm_o);

endmodule
