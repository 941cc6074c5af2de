// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Checks which stop requests count (docs/reference/stream.md, "An output until it is stopped";
// hf_axis_stop): "if a beat of that output was taken before t and its last one was not. At any
// other time, a second time, and for an output with a length it does nothing". Bound to
// hf_axis_stop by hf_binds.sv. A stop in clock t is passed on in t + 1.
//
//   StopCounts   every stop that counts is passed on
//   StopIsAlone  no other stop is

module hf_axis_stop_sva #(
    parameter int unsigned Tids = 1,
    parameter int unsigned TidWidth = 1
) (
    input logic clk_i,
    input logic rst_i,

    input logic [Tids-1:0] stop_i,

    input logic                take_i,
    input logic                last_i,
    input logic                open_i,
    input logic [TidWidth-1:0] tid_i,

    input logic [Tids-1:0] stop_o
);

  logic off;
  hf_reset_sva u_reset (
      .clk_i,
      .rst_i,
      .off_o(off)
  );

  // A beat of an open output was taken before this clock, its last was not.
  logic [Tids-1:0] running_q;
  logic [Tids-1:0] stopped_q;  // the output has been stopped
  logic [Tids-1:0] counts, counts_q;
  assign counts = stop_i & running_q & ~stopped_q;

  always_ff @(posedge clk_i) begin
    counts_q  <= counts;
    stopped_q <= stopped_q | counts;
    for (int unsigned i = 0; i < Tids; i++) begin
      if (take_i && tid_i == TidWidth'(i)) begin
        running_q[i] <= open_i && !last_i;
        if (!open_i || last_i) stopped_q[i] <= 1'b0;
      end
    end
    if (rst_i) begin
      running_q <= '0;
      stopped_q <= '0;
      counts_q  <= '0;
    end
  end

  StopCounts: assert property (@(posedge clk_i) disable iff (off) (counts_q & ~stop_o) == '0);

  StopIsAlone: assert property (@(posedge clk_i) disable iff (off) (stop_o & ~counts_q) == '0);

endmodule
