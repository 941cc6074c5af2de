// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// rho and pi (FIPS 202, sections 3.2.2 and 3.2.3) on the lanes that hf_keccak_dsp_sheets reads:
// lane (x, x + 2Y) is rotated by its offset and becomes lane x + 2Y of row Y. These are five fixed
// permutations of 320 bits and a multiplexer. Each lane has a copy of the row's number, made a
// clock earlier.

module hf_keccak_dsp_rho_pi
  import hf_keccak_pkg::*;
(
    input  logic         clk_i,
    input  logic   [2:0] row_next_i,  // Y of the next clock
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
    for (genvar y = 0; y < 5; y++) begin : gen_row  // lane (i + 3y, i) moves to (i, y)
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
