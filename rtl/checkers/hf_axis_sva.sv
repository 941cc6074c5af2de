// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream's rules for one side of a handshake (ARM IHI 0051, section 2.2) as assertions: once
// valid is high, valid and the payload stay until ready is high. Bound by hf_binds.sv and by
// hf_stream_sva. The rules bind the sender, so on an input they are assumptions in a proof.
//
//   AxisValidStands, AxisPayloadStands
//   AxisQuietInReset: valid is low in the clock after a reset (section 2.7.2)
//
// A two-state simulator has no X to detect; its registers without a reset start with random values.

module hf_axis_sva #(
    parameter int unsigned Width = 8,  // of the payload: data, keep, last, id, user
    parameter bit LooksAtReset = 1'b1  // check the clock after a reset
) (
    input logic clk_i,
    input logic rst_i,

    input logic             valid_i,
    input logic             ready_i,
    input logic [Width-1:0] payload_i
);

  logic off;
  hf_reset_sva u_reset (
      .clk_i,
      .rst_i,
      .off_o(off)
  );

  logic stands_q;
  logic [Width-1:0] payload_q;
  always_ff @(posedge clk_i) begin
    stands_q  <= valid_i && !ready_i && !rst_i;
    payload_q <= payload_i;
  end

  AxisValidStands: assert property (@(posedge clk_i) disable iff (off) !stands_q || valid_i);

  AxisPayloadStands: assert property (@(posedge clk_i) disable iff (off)
      !(stands_q && valid_i) || payload_i == payload_q);

  if (LooksAtReset) begin : gen_reset
    logic reset_q;
    always_ff @(posedge clk_i) reset_q <= rst_i;
    AxisQuietInReset: assert property (@(posedge clk_i) disable iff (off) !reset_q || !valid_i);
  end

endmodule
