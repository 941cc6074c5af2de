// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A block of the engine contract and iota's constant, as planes for the C registers of a compact
// engine. Plane 0 passes through in the clock in which blk_i is read (plane_i = DataDelay). The
// others wait in registers, one clock each. Without a block all planes are zero, by the registers'
// synchronous reset.

module hf_keccak_dsp_block
  import hf_keccak_pkg::*;
#(
    parameter int unsigned DataDelay = 3  // as in hf_keccak_dsp_control
) (
    input  logic                  clk_i,
    input  logic   [         2:0] plane_i,
    input  logic                  take_i,
    input  logic   [         6:0] iota_i,
    input  logic   [StateWidth-1:0] blk_i,
    output plane_t                plane_o   // block plane (plane_i - DataDelay) mod 5
);

  state_t blk;
  plane_t wait_q[5];  // [0] stays unused
  assign blk = state_t'(blk_i);

  for (genvar y = 1; y < 5; y++) begin : gen_wait
    always_ff @(posedge clk_i) begin
      if (plane_i == 3'(DataDelay)) wait_q[y] <= take_i ? blk[y] : '0;
    end
  end
  assign wait_q[0] = '0;

  always_comb begin
    unique case (plane_i)
      3'((DataDelay + 2) % 5): plane_o = wait_q[2];
      3'((DataDelay + 3) % 5): plane_o = wait_q[3];
      3'((DataDelay + 4) % 5): plane_o = wait_q[4];
      3'(DataDelay): plane_o = take_i ? blk[0] : '0;
      default: plane_o = wait_q[1];
    endcase
    for (int unsigned j = 0; j < 7; j++) plane_o[0][(1<<j)-1] ^= iota_i[j];
  end

endmodule
