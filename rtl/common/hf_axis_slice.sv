// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A register slice for a stream. No combinational path leads from one side to the other, beats are
// delayed by a clock, and one can leave in every clock. They go to two registers in turn. Each is
// loaded only while it is empty, so the path from `m_ready_i` ends in a few bits of control and not
// in the enables of a whole beat.

module hf_axis_slice #(
    parameter  int unsigned Width = 128,  // width of a beat with all its fields
    localparam int unsigned Group = 64    // bits for each copy of the control
) (
    input logic clk_i,
    input logic rst_i,

    input  logic             s_valid_i,
    output logic             s_ready_o,
    input  logic [Width-1:0] s_data_i,
    output logic             m_valid_o,
    input  logic             m_ready_i,
    output logic [Width-1:0] m_data_o
);

  // Register `put_q` is loaded next; register `get_q` is on the port.
  logic put_q, get_d, get_q, load, take;
  logic [1:0] full_d, full_q;
  assign s_ready_o = !full_q[put_q];
  assign m_valid_o = full_q[get_q];
  assign load = s_valid_i && s_ready_o;
  assign take = m_valid_o && m_ready_i;
  assign get_d = !rst_i && (get_q ^ take);
  always_comb begin
    for (int unsigned k = 0; k < 2; k++) begin
      full_d[k] = !rst_i && ((load && put_q == 1'(k)) || (full_q[k] && !(take && get_q == 1'(k))));
    end
  end
  always_ff @(posedge clk_i) begin
    put_q  <= !rst_i && (put_q ^ load);
    get_q  <= get_d;
    full_q <= full_d;
  end

  for (genvar i = 0; i < Width; i += Group) begin : gen_group
    localparam int unsigned Bits = (Width - i < Group) ? Width - i : Group;
    logic [1:0] hold;
    logic get;
    logic [1:0][Bits-1:0] data_q;
    hf_copies #(
        .Width(3)
    ) u_control (
        .clk_i,
        .d_i({full_d, get_d}),
        .q_o({hold, get})
    );
    always_ff @(posedge clk_i) begin
      for (int unsigned k = 0; k < 2; k++) if (!hold[k]) data_q[k] <= s_data_i[i+:Bits];
    end
    assign m_data_o[i+:Bits] = data_q[get];
  end

endmodule
