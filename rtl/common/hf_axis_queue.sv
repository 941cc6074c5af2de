// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A queue in block RAM in front of an AXI4-Stream output. The RAM's output register is the register
// of the port: an entry that is written in clock t is offered in clock t + 3, if no other is before
// it.
//
// It has 2^Bits - 1 entries. half_o is high when half of them wait. The writer must not have more
// than the other half on its way then.

module hf_axis_queue #(
    parameter int unsigned Width = 80,
    parameter int unsigned Bits  = 4
) (
    input logic clk_i,
    input logic rst_i,

    input logic             write_i,
    input logic [Width-1:0] data_i,

    output logic half_o,
    output logic some_o,  // an entry waits that is not on the port yet

    output logic             valid_o,
    input  logic             ready_i,
    output logic [Width-1:0] data_o
);

  // Each RAM has a copy of its enables. next: an entry has been read; valid: an entry is offered.
  localparam int unsigned RamWidth = 36;
  localparam int unsigned Rams = (Width + RamWidth - 1) / RamWidth;

  logic [Rams:0] next, valid, valid_too, reads;
  logic [Rams-1:0] moves;
  logic next_d, valid_d;
  logic wait_q;  // an entry is in the RAM
  logic read;
  logic [Bits-1:0] in_row, out_row, count_d, count_q;

  assign valid_d = !rst_i && (next[Rams] || (valid[Rams] && !ready_i));
  assign next_d = !rst_i && (wait_q || (next[Rams] && valid[Rams] && !ready_i));
  for (genvar i = 0; i <= Rams; i++) begin : gen_copies
    // Two copies of valid, so that each enable is one LUT.
    hf_copies #(
        .Width(3)
    ) u_copies (
        .clk_i,
        .d_i({next_d, valid_d, valid_d}),
        .q_o({next[i], valid[i], valid_too[i]})
    );
    assign reads[i] = !next[i] || !valid_too[i] || ready_i;
  end
  assign read = wait_q && reads[Rams];

  hf_pointer #(
      .Bits(Bits)
  ) u_in (
      .clk_i,
      .rst_i,
      .step_i(write_i),
      .row_o (in_row)
  );
  hf_pointer #(
      .Bits(Bits)
  ) u_out (
      .clk_i,
      .rst_i,
      .step_i(read),
      .row_o (out_row)
  );

  for (genvar i = 0; i < Rams; i++) begin : gen_ram
    localparam int unsigned First = RamWidth * i;
    localparam int unsigned Here = (Width - First < RamWidth) ? Width - First : RamWidth;
    assign moves[i] = !valid[i] || ready_i;
    hf_held_ram #(
        .Width(Here),
        .Depth(1 << Bits)
    ) u_ram (
        .clk_i,
        .write_i,
        .write_addr_i(in_row),
        .write_data_i(data_i[First+:Here]),
        .read_i      (reads[i]),
        .read_addr_i (out_row),
        .out_i       (moves[i]),
        .read_data_o (data_o[First+:Here])
    );
  end

  // Increment and decrement as gates: synthesis would infer a carry chain.
  logic up, down;
  always_comb begin
    {up, down} = '1;
    for (int unsigned i = 0; i < Bits; i++) begin
      count_d[i] = count_q[i] ^ (write_i ? up : down);
      up &= count_q[i];
      down &= !count_q[i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (write_i || read) wait_q <= write_i || |count_q[Bits-1:1];
    if (write_i != read) count_q <= count_d;
    if (rst_i) begin
      wait_q  <= 1'b0;
      count_q <= '0;
    end
  end

  assign half_o  = count_q[Bits-1];
  assign some_o  = wait_q || next[Rams];
  assign valid_o = valid[Rams];

endmodule
