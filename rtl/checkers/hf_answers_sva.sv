// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The data register of a bus's replies returns to zero between two replies: it must not change from
// a share's word to the next.

module hf_answers_sva #(
    parameter int unsigned Width = 32
) (
    input logic clk_i,
    input logic rst_i,
    input logic [Width-1:0] data_i
);

  logic off;
  hf_reset_sva u_reset (
      .clk_i,
      .rst_i,
      .off_o(off)
  );

  ReplyIsZeroBetween_A: assert property (@(posedge clk_i) disable iff (off)
    data_i != '0 |=> data_i == '0 || data_i == $past(data_i));

endmodule
