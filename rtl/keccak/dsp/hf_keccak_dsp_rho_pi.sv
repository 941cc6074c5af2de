// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// rho and pi on the lanes that hf_keccak_dsp_sheets reads: lane (x, x + 2Y) turns by its offset and is
// lane x + 2Y of row Y. Five fixed permutations of 320 bits and a multiplexer. Each lane's has its own
// copy of the row's number, made a clock ahead.

module hf_keccak_dsp_rho_pi
  import hf_keccak_pkg::*;
(
    input  logic         clk_i,
    input  logic   [2:0] row_next_i,  // Y of a clock later
    input  plane_t       lanes_i,
    output plane_t       row_o
);

  for (genvar i = 0; i < 5; i++) begin : gen_lane  // of the row
    logic [2:0] row;
    for (genvar k = 0; k < 3; k++) begin : gen_copy
      hf_copy u_row (
          .clk_i,
          .d_i(row_next_i[k]),
          .q_o(row[k])
      );
    end
    lane_t [4:0] turned;
    for (genvar y = 0; y < 5; y++) begin : gen_row  // lane (i + 3y, i) comes to (i, y)
      assign turned[y] = rho_lane(lanes_i[(i+3*y)%5], (i + 3 * y) % 5, i);
    end
    always_comb begin
      unique case (row)
        3'd0: row_o[i] = turned[0];
        3'd1: row_o[i] = turned[1];
        3'd2: row_o[i] = turned[2];
        3'd3: row_o[i] = turned[3];
        default: row_o[i] = turned[4];
      endcase
    end
  end

endmodule
