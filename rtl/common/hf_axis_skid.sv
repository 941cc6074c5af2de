// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A register slice for a few bits of a stream. All its outputs come from registers, and the path
// from `m_ready_i` ends in the enable of the register on the port, so it is for narrow beats. It
// holds two beats and moves them in the same clocks as hf_axis_slice: both may carry parts of one
// beat.

module hf_axis_skid #(
    parameter int unsigned Width = 4
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

  logic [Width-1:0] out_q, spare_q;
  logic out_valid_q, spare_valid_q;  // the second only with the first
  logic stays;  // the beat on the port
  assign stays = out_valid_q && !m_ready_i;
  assign s_ready_o = !spare_valid_q;
  assign m_valid_o = out_valid_q;
  assign m_data_o = out_q;
  always_ff @(posedge clk_i) begin
    out_valid_q   <= (s_valid_i || spare_valid_q || stays) && !rst_i;
    spare_valid_q <= (s_valid_i || spare_valid_q) && stays && !rst_i;
    if (!stays) out_q <= spare_valid_q ? spare_q : s_data_i;
    if (!spare_valid_q) spare_q <= s_data_i;
  end

endmodule
