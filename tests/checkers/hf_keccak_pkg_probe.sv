// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Every function and constant of hf_keccak_pkg on a port, for tests/rtl/front/package_bench.py.

module hf_keccak_pkg_probe
  import hf_keccak_pkg::*;
(
    input state_t       a_i,
    input round_t       round_i,
    input logic   [4:0] x_i,
    input logic   [4:0] y_i,
    input logic   [5:0] z_i,
    input logic   [7:0] code_i,

    output state_t       theta_o,
    output state_t       theta_split_o,
    output state_t       theta_plane_o,
    output logic         theta_bit_o,         // of bit (x, y, z)
    output plane_t       theta_parity_o,
    output logic         theta_parity_bit_o,  // of column (x, z)
    output plane_t       theta_effect_o,      // of plane 0 as parities
    output state_t       rho_o,
    output plane_t       rho_plane_o,         // of plane y
    output lane_t        rho_lane_o,          // of lane (x, y)
    output state_t       pi_o,
    output plane_t       pi_plane_o,          // plane y of the result
    output state_t       chi_o,
    output row_t         chi_row_o,           // of row (y, z)
    output logic         chi_bit_o,           // of bit (x, y, z)
    output plane_t       chi_plane_o,         // of plane y
    output state_t       iota_o,
    output lane_t        iota_lane_o,         // of lane (0, 0)
    output state_t       round_o,
    output logic   [7:0] rho_offset_o,
    output lane_t        round_constant_o,

    output logic       known_o,
    output logic [4:0] rate_lanes_o,
    output logic [4:0] digest_words_o,
    output logic [4:0] suffix_o,
    output logic [2:0] suffix_len_o,
    output logic [7:0] min_rate_lanes_o,
    output logic [7:0] max_rate_lanes_o
);

  assign theta_o = theta(a_i);
  assign theta_split_o = theta_split(a_i);
  assign theta_parity_o = theta_parity(a_i);
  assign theta_effect_o = theta_effect(a_i[0]);
  assign rho_o = rho(a_i);
  assign rho_plane_o = rho_plane(a_i[y_i], 32'(y_i));
  assign rho_lane_o = rho_lane(a_i[y_i][x_i], 32'(x_i), 32'(y_i));
  assign pi_o = pi(a_i);
  assign pi_plane_o = pi_plane(a_i, 32'(y_i));
  assign chi_o = chi(a_i);
  assign chi_plane_o = chi_plane(a_i[y_i]);
  assign iota_o = iota(a_i, round_i);
  assign iota_lane_o = iota_lane(a_i[0][0], round_i);
  assign round_o = keccak_round(a_i, round_i);
  assign rho_offset_o = 8'(RhoOffset[5*y_i+x_i]);
  assign round_constant_o = RoundConstant[round_i];

  for (genvar y = 0; y < 5; y++) begin : gen_plane
    assign theta_plane_o[y] = theta_plane(a_i[y], theta_effect(theta_parity(a_i)));
  end

  row_t column, left, right, row;
  always_comb begin
    for (int unsigned k = 0; k < 5; k++) begin
      column[k] = a_i[k][x_i][z_i];
      left[k] = a_i[k][(x_i+4)%5][z_i];
      right[k] = a_i[k][(x_i+1)%5][z_i-6'd1];
      row[k] = a_i[y_i][k][z_i];
    end
  end
  assign theta_parity_bit_o = theta_parity_bit(column);
  assign theta_bit_o = theta_bit(a_i[y_i][x_i][z_i], left, right);
  assign chi_row_o = chi_row(row);
  assign chi_bit_o =
      chi_bit(a_i[y_i][x_i][z_i], a_i[y_i][(x_i+1)%5][z_i], a_i[y_i][(x_i+2)%5][z_i]);

  function_info_t info;
  assign info = function_info(FunctionWidth'(code_i));
  assign known_o = function_known(code_i);
  assign rate_lanes_o = info.rate_lanes;
  assign digest_words_o = info.digest_words;
  assign suffix_o = info.suffix;
  assign suffix_len_o = info.suffix_len;
  assign min_rate_lanes_o = 8'(MinRateLanes);
  assign max_rate_lanes_o = 8'(MaxRateLanes);

endmodule
