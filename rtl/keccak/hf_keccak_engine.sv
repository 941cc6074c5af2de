// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The engine that a front end is built around, chosen by parameter: one place that knows all of
// them. The ports are the engine contract (docs/contract.md).

module hf_keccak_engine
  import hf_keccak_pkg::*;
#(
    parameter  int unsigned Engine = EngineIterative,  // or another of hf_keccak_pkg
    parameter  int unsigned Rounds = 1,                // a clock, or unrolled
    parameter  int unsigned Cuts = 'b00111,            // hf_keccak_pipelined's registers in a round
    parameter  int unsigned Gate = 0,                  // hf_clock_gate's Style
    localparam int unsigned Slots = engine_slots(Engine, Rounds, Cuts),
    localparam int unsigned SlotWidth = (Slots > 1) ? $clog2(Slots) : 1
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                  blk_valid_i,
    output logic                  blk_ready_o,
    output logic [ SlotWidth-1:0] blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [StateWidth-1:0] blk_i,

    output logic                  st_valid_o,
    input  logic                  st_ready_i,
    output logic [ SlotWidth-1:0] st_slot_o,
    output logic [StateWidth-1:0] st_o
);

  if (Engine == EngineIterative) begin : gen_iterative
    hf_keccak_iterative #(
        .RoundsPerClock(Rounds)
    ) u_engine (
        .*
    );
  end else if (Engine == EnginePipelined) begin : gen_pipelined
    hf_keccak_pipelined #(
        .Rounds(Rounds),
        .Cuts  (Cuts),
        .Gate  (Gate)
    ) u_engine (
        .*
    );
  end else begin : gen_unknown
    $fatal(1, "hf_keccak_engine: no engine %0d", Engine);
  end

endmodule
