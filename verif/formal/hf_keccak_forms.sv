// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Both forms of hf_keccak_iterative's round, for verif/formal/test_formal.py: in every clock, from
// the same registers, they must have the same next state and the same outputs.

module hf_engine_shared
  import hf_keccak_pkg::*;
(
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  blk_valid_i,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [StateWidth-1:0] blk_i,
    input  logic                  st_ready_i,
    output logic                  blk_ready_o,
    output logic                  st_valid_o,
    output logic [StateWidth-1:0] st_o
);
  hf_keccak_iterative u_engine (
      .blk_slot_o(),
      .st_slot_o (),
      .*
  );
endmodule

module hf_engine_three_levels
  import hf_keccak_pkg::*;
(
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  blk_valid_i,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [StateWidth-1:0] blk_i,
    input  logic                  st_ready_i,
    output logic                  blk_ready_o,
    output logic                  st_valid_o,
    output logic [StateWidth-1:0] st_o
);
  hf_keccak_iterative #(
      .ThreeLevels(1'b1)
  ) u_engine (
      .blk_slot_o(),
      .st_slot_o (),
      .*
  );
endmodule
