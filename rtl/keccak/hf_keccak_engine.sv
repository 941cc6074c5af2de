// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The engine that a front end is built around, chosen by parameter: one place that knows all of
// them. The ports are the engine contract (docs/contract.md).

module hf_keccak_engine
  import hf_keccak_pkg::*;
#(
    parameter logic [7:0] Engine = EngineIterative  // engine_e; plain, so that a tool can set it
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                  blk_valid_i,
    output logic                  blk_ready_o,
    output logic                  blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [StateWidth-1:0] blk_i,

    output logic                  st_valid_o,
    input  logic                  st_ready_i,
    output logic                  st_slot_o,
    output logic [StateWidth-1:0] st_o
);

  if (Engine == EngineIterative) begin : gen_iterative
    hf_keccak_iterative u_engine (.*);
  end else begin : gen_unknown
    $fatal(1, "hf_keccak_engine: no engine %0d", Engine);
  end

endmodule
