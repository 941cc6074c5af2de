// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Registers that answer reads of two shares: one at most is not zero, and in one clock only. So a
// gate that both go to has one share at a time, and zero in between.

module hf_replies_sva #(
    parameter int unsigned Width = 32
) (
    input logic clk_i,
    input logic rst_i,
    input logic [1:0][Width-1:0] reply_i
);

  logic off;
  hf_reset_sva u_reset (
      .clk_i,
      .rst_i,
      .off_o(off)
  );

  OneShare_A: assert property (@(posedge clk_i) disable iff (off)
    reply_i[0] == '0 || reply_i[1] == '0);
  OneClock_A: assert property (@(posedge clk_i) disable iff (off)
    reply_i != '0 |=> reply_i == '0);

endmodule
