// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Filters requests to stop open outputs. An open output is marked on every beat (`open_i`). It can
// be stopped once: from the clock after its first beat has been taken until its last beat has been
// taken. A request at any other time, or a second one, is ignored. So a request may be held until
// the last beat has come, and never reaches the next output of its tid.
//
// Timing: a request in clock t is passed on in `stop_o`, for one clock, in clock t + 1.

module hf_axis_stop #(
    parameter int unsigned Tids = 1,
    parameter int unsigned TidWidth = 1
) (
    input logic clk_i,
    input logic rst_i,

    input logic [Tids-1:0] stop_i,

    // A beat that the receiver takes in this clock.
    input logic                take_i,
    input logic                last_i,
    input logic                open_i,
    input logic [TidWidth-1:0] tid_i,

    output logic [Tids-1:0] stop_o
);

  // Registered, so that the path from the receiver's ready ends here.
  logic take_q, last_q, open_q;
  logic [TidWidth-1:0] tid_q;
  always_ff @(posedge clk_i) begin
    take_q <= take_i && !rst_i;
    last_q <= last_i;
    open_q <= open_i;
    tid_q  <= tid_i;
  end

  for (genvar i = 0; i < Tids; i++) begin : gen_tid
    logic request_q;
    logic running_q;  // a beat of an open output has been taken, its last beat has not
    logic stopped_q;  // the output has been stopped
    logic mine;
    assign mine = take_q && tid_q == TidWidth'(i);
    assign stop_o[i] = request_q && running_q && !stopped_q;
    always_ff @(posedge clk_i) begin
      request_q <= stop_i[i];
      if (mine) running_q <= open_q && !last_q;
      if (stop_o[i]) stopped_q <= 1'b1;
      else if (!running_q) stopped_q <= 1'b0;
      if (rst_i) running_q <= 1'b0;
    end
  end

endmodule
