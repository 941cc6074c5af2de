// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Collects the planes of a state that leaves a compact engine. The state is complete in the clock
// of plane 4, which is not stored. The registers are enabled only while a state leaves.

module hf_keccak_dsp_state
  import hf_keccak_pkg::*;
(
    input  logic                    clk_i,
    input  logic   [           2:0] plane_i,  // number of the plane on e_i
    input  logic                    leave_i,  // the state leaves
    input  plane_t                  e_i,
    output logic   [StateWidth-1:0] st_o
);

  plane_t [3:0] kept_q;

  for (genvar y = 0; y < 4; y++) begin : gen_plane
    always_ff @(posedge clk_i) if (leave_i && plane_i == 3'(y)) kept_q[y] <= e_i;
  end
  assign st_o = {e_i, kept_q};

endmodule
