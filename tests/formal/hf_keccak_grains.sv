// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Pairs of modules for the proofs of hf_keccak_pkg in tests/formal/test_formal.py: `_state` is a
// step of the whole state, each other module is the same step built from a smaller grain. For every
// input, the outputs of a pair must be equal.

module hf_parity_state
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output plane_t b_o
);
  assign b_o = theta_parity(a_i);
endmodule

module hf_parity_bit
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output plane_t b_o
);
  for (genvar x = 0; x < 5; x++) begin : gen_x
    for (genvar z = 0; z < LaneWidth; z++) begin : gen_z
      assign b_o[x][z] =
          theta_parity_bit({a_i[4][x][z], a_i[3][x][z], a_i[2][x][z], a_i[1][x][z], a_i[0][x][z]});
    end
  end
endmodule

module hf_theta_state
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output state_t b_o
);
  assign b_o = theta(a_i);
endmodule

module hf_theta_bit
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output state_t b_o
);
  for (genvar x = 0; x < 5; x++) begin : gen_x
    for (genvar z = 0; z < LaneWidth; z++) begin : gen_z
      localparam int unsigned L = (x + 4) % 5;
      localparam int unsigned R = (x + 1) % 5;
      localparam int unsigned W = (z + LaneWidth - 1) % LaneWidth;
      row_t left, right;
      assign left = {a_i[4][L][z], a_i[3][L][z], a_i[2][L][z], a_i[1][L][z], a_i[0][L][z]};
      assign right = {a_i[4][R][W], a_i[3][R][W], a_i[2][R][W], a_i[1][R][W], a_i[0][R][W]};
      for (genvar y = 0; y < 5; y++) begin : gen_y
        assign b_o[y][x][z] = theta_bit(a_i[y][x][z], left, right);
      end
    end
  end
endmodule

module hf_theta_plane
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output state_t b_o
);
  plane_t d;
  assign d = theta_effect(theta_parity(a_i));
  for (genvar y = 0; y < 5; y++) begin : gen_y
    assign b_o[y] = theta_plane(a_i[y], d);
  end
endmodule

module hf_theta_split
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output state_t b_o
);
  assign b_o = theta_split(a_i);
endmodule

module hf_rho_state
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output state_t b_o
);
  assign b_o = rho(a_i);
endmodule

module hf_rho_lane
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output state_t b_o
);
  for (genvar y = 0; y < 5; y++) begin : gen_y
    for (genvar x = 0; x < 5; x++) begin : gen_x
      assign b_o[y][x] = rho_lane(a_i[y][x], x, y);
    end
  end
endmodule

module hf_rho_plane
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output state_t b_o
);
  for (genvar y = 0; y < 5; y++) begin : gen_y
    assign b_o[y] = rho_plane(a_i[y], y);
  end
endmodule

module hf_pi_state
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output state_t b_o
);
  assign b_o = pi(a_i);
endmodule

module hf_pi_plane
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output state_t b_o
);
  for (genvar y = 0; y < 5; y++) begin : gen_y
    assign b_o[y] = pi_plane(a_i, y);
  end
endmodule

module hf_chi_state
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output state_t b_o
);
  assign b_o = chi(a_i);
endmodule

module hf_chi_bit
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output state_t b_o
);
  for (genvar y = 0; y < 5; y++) begin : gen_y
    for (genvar x = 0; x < 5; x++) begin : gen_x
      for (genvar z = 0; z < LaneWidth; z++) begin : gen_z
        assign b_o[y][x][z] =
            chi_bit(a_i[y][x][z], a_i[y][(x+1)%5][z], a_i[y][(x+2)%5][z]);
      end
    end
  end
endmodule

module hf_chi_row
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output state_t b_o
);
  for (genvar y = 0; y < 5; y++) begin : gen_y
    for (genvar z = 0; z < LaneWidth; z++) begin : gen_z
      row_t row;
      assign row = chi_row({a_i[y][4][z], a_i[y][3][z], a_i[y][2][z], a_i[y][1][z], a_i[y][0][z]});
      for (genvar x = 0; x < 5; x++) begin : gen_x
        assign b_o[y][x][z] = row[x];
      end
    end
  end
endmodule

module hf_chi_plane
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output state_t b_o
);
  for (genvar y = 0; y < 5; y++) begin : gen_y
    assign b_o[y] = chi_plane(a_i[y]);
  end
endmodule

module hf_iota_state
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    input  round_t round_i,
    output state_t b_o
);
  assign b_o = iota(a_i, round_i);
endmodule

module hf_iota_lane
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    input  round_t round_i,
    output state_t b_o
);
  always_comb begin
    b_o = a_i;
    b_o[0][0] = iota_lane(a_i[0][0], round_i);
  end
endmodule

// A round, and the next block that is added after it.
module hf_round_state
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    input  state_t block_i,
    input  round_t round_i,
    output state_t b_o
);
  assign b_o = keccak_round(a_i, round_i) ^ block_i;
endmodule

// The same as in hf_keccak_iterative's datapath: iota's constant comes with the block.
module hf_round_engine
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    input  state_t block_i,
    input  round_t round_i,
    output state_t b_o
);
  state_t block;
  assign block = state_t'(block_i ^ StateWidth'(RoundConstant[round_i]));
  assign b_o = chi(pi(rho(theta_split(a_i)))) ^ block;
endmodule

// A block that is added to a cleared state: the steps keep zero.
module hf_load_state
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output state_t b_o
);
  assign b_o = a_i;
endmodule

module hf_load_engine
  import hf_keccak_pkg::*;
(
    input  state_t a_i,
    output state_t b_o
);
  assign b_o = chi(pi(rho(theta_split('0)))) ^ a_i;
endmodule
