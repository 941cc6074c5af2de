// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Queue of tids with a pending error, in the order in which they came. A tid that comes while the
// queue is full is lost, so that a sender of invalid messages cannot stall the others.

module hf_tid_queue #(
    parameter int unsigned Width = 2,
    parameter int unsigned Depth = 16  // a power of two; Depth - 1 can wait
) (
    input logic clk_i,
    input logic rst_i,

    input logic             push_i,
    input logic [Width-1:0] tid_i,

    output logic             valid_o,
    output logic [Width-1:0] tid_o,
    input  logic             pop_i     // only while valid_o is high
);

  localparam int unsigned Bits = $clog2(Depth);

  logic [Width-1:0] mem[Depth];
  logic [Bits-1:0] in_q, out_q, next;
  logic write;
  assign next = in_q + 1'b1;
  assign write = push_i && next != out_q;
  assign valid_o = in_q != out_q;
  assign tid_o = mem[out_q];

  always_ff @(posedge clk_i) begin
    if (write) mem[in_q] <= tid_i;
    if (rst_i) begin
      in_q  <= '0;
      out_q <= '0;
    end else begin
      if (write) in_q <= next;
      if (pop_i) out_q <= out_q + 1'b1;
    end
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (Depth < 2 || $countones(Depth) != 1) begin : gen_bad_depth
    $fatal(1, "hf_tid_queue: Depth is a power of two, not %0d", Depth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
