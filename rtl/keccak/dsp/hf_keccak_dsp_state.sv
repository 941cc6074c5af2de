// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The planes of a state that leaves a compact engine, together: whole in the clock of plane 4, which
// is not kept. Nothing moves where no state leaves.

module hf_keccak_dsp_state
  import hf_keccak_pkg::*;
(
    input  logic                    clk_i,
    input  logic   [           2:0] plane_i,  // of e_i
    input  logic                    leave_i,
    input  plane_t                  e_i,
    output logic   [StateWidth-1:0] st_o
);

  plane_t [3:0] kept_q;

  for (genvar y = 0; y < 4; y++) begin : gen_plane
    always_ff @(posedge clk_i) if (leave_i && plane_i == 3'(y)) kept_q[y] <= e_i;
  end
  assign st_o = {e_i, kept_q};

endmodule
