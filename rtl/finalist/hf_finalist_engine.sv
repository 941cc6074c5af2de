// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The engine that the finalists' front end is built around, chosen by family: one place that knows
// all of them. The ports are the engines' contract (docs/finalists.md).

module hf_finalist_engine
  import hf_finalist_pkg::*;
#(
    parameter  int unsigned Family = FamilyBlake,
    parameter  int unsigned Width = 256,
    localparam int unsigned BlockWidth = block_width(Family, Width)
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                  blk_valid_i,
    output logic                  blk_ready_o,
    output logic                  blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [           1:0] blk_size_i,
    input  logic [          63:0] blk_count_i,
    input  logic [BlockWidth-1:0] blk_i,

    output logic             st_valid_o,
    input  logic             st_ready_i,
    output logic             st_slot_o,
    output logic [Width-1:0] st_o
);

  if (Family == FamilyBlake) begin : gen_blake
    hf_blake #(
        .Width(Width)
    ) u_engine (
        .*
    );
  end else if (Family == FamilyGroestl) begin : gen_groestl
    hf_groestl #(
        .Width(Width)
    ) u_engine (
        .*
    );
  end else begin : gen_all_sizes
    // JH and Skein-512 have digests of all sizes; only the short ones are asked for at Width 256.
    logic [511:0] st;
    assign st_o = st[Width-1:0];

    if (Family == FamilyJh) begin : gen_jh
      hf_jh u_engine (
          .st_o(st),
          .*
      );
    end else begin : gen_skein
      hf_skein u_engine (
          .st_o(st),
          .*
      );
    end
  end

endmodule
