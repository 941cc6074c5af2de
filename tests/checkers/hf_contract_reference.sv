// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// An engine with several slots for tests of the contract bench itself. It is plain and large, and
// not for use in designs.
//
// It computes one round a clock, for the slots cyclically. A slot has a slot cycle every Slots
// clocks, accepts its next block at the latest in the slot cycle after round 23, and computes round
// 0 of it in the same slot cycle: 24 slot cycles a block. With HoldsState a slot waits. Without it,
// a state without a successor is returned: in that slot cycle, or in the slot's next one with
// LateHandBack. With SlipsFirst a first block after a finished message waits a slot cycle.
//
// Control decides in a clock; the states, blk_i and st_o follow DataDelay clocks later.

module hf_contract_reference
  import hf_keccak_pkg::*;
#(
    parameter  int unsigned Slots = 3,
    parameter  bit          HoldsState = 1'b1,
    parameter  bit          LateHandBack = 1'b0,
    parameter  bit          SlipsFirst = 1'b0,
    parameter  int unsigned DataDelay = 0,
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

  ////////////////////
  // Control        //
  ////////////////////

  logic [SlotWidth-1:0] slot_q;  // the slot of this slot cycle
  round_t round_q[Slots];  // rounds completed; 24: all
  logic [Slots-1:0] last_q;
  logic [Slots-1:0] owed_q;  // a state of the slot must leave
  logic [Slots-1:0] missed_q;  // its slot cycle has passed without a block

  // The operation of a slot cycle on the state of its slot.
  typedef struct packed {
    logic                 compute;
    logic                 take;
    logic                 first;
    logic [SlotWidth-1:0] slot;
    round_t               round;
  } command_t;

  logic done, due, leaves, misses, take;
  command_t command;

  always_comb begin
    done = round_q[slot_q] == round_t'(NumRounds);
    due = done && owed_q[slot_q] && !missed_q[slot_q];
    misses = 1'b0;
    if (HoldsState) begin
      leaves = due && last_q[slot_q] && st_ready_i;
      blk_ready_o = done && (leaves || !owed_q[slot_q] || !last_q[slot_q]);
    end else begin
      misses = due && !last_q[slot_q] && !blk_valid_i;
      leaves = (due && last_q[slot_q]) || (LateHandBack ? missed_q[slot_q] : misses);
      blk_ready_o = done;
    end
    if (SlipsFirst && due && last_q[slot_q] && blk_first_i) blk_ready_o = 1'b0;
    take = blk_ready_o && blk_valid_i;
    command.compute = take || !done;
    command.take = take;
    command.first = blk_first_i;
    command.slot = slot_q;
    command.round = take ? '0 : round_q[slot_q];
  end

  always_ff @(posedge clk_i) begin
    slot_q <= (slot_q == SlotWidth'(Slots - 1)) ? '0 : slot_q + 1'b1;
    if (command.compute) round_q[slot_q] <= command.round + 5'd1;
    missed_q[slot_q] <= misses && LateHandBack;
    if (leaves) owed_q[slot_q] <= 1'b0;
    if (take) begin
      owed_q[slot_q] <= 1'b1;
      last_q[slot_q] <= blk_last_i;
    end
    if (rst_i) begin
      slot_q <= '0;
      owed_q <= '0;
      last_q <= '0;
      missed_q <= '0;
      for (int unsigned i = 0; i < Slots; i++) round_q[i] <= round_t'(NumRounds);
    end
  end

  assign blk_slot_o = slot_q;
  assign st_valid_o = leaves;
  assign st_slot_o  = slot_q;

  ////////////////////
  // States         //
  ////////////////////

  command_t now;  // the operation of the slot cycle DataDelay clocks ago

  if (DataDelay == 0) begin : gen_at_once
    assign now = command;
  end else begin : gen_later
    command_t [DataDelay-1:0] later_q;
    always_ff @(posedge clk_i) later_q <= $bits(later_q)'({later_q, command});
    assign now = later_q[DataDelay-1];
  end

  state_t state_q[Slots];
  state_t start;

  always_comb begin
    start = state_q[now.slot];
    if (now.take) start = (now.first ? '0 : start) ^ state_t'(blk_i);
  end

  always_ff @(posedge clk_i) begin
    if (now.compute) state_q[now.slot] <= keccak_round(start, now.round);
  end

  assign st_o = state_q[now.slot];

endmodule
