// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// An engine with several slots, for testing the contract bench itself: plain, large, not for use.
//
// One round a clock, the slots in turn: a slot has its turn every Slots clocks, takes its next block
// in the turn after round 23 at the latest, and computes round 0 of it in that turn. 24 turns a
// block. With HoldsState a slot waits; without, a state whose successor is not there is handed back.

module hf_contract_reference
  import hf_keccak_pkg::*;
#(
    parameter  int unsigned Slots = 3,
    parameter  bit          HoldsState = 1'b1,
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

  logic [SlotWidth-1:0] turn_q;  // whose turn it is
  state_t state_q[Slots];
  round_t round_q[Slots];  // rounds done; 24: all
  logic [Slots-1:0] last_q;
  logic [Slots-1:0] owed_q;  // a state of it is to leave

  logic done, leaves, take;
  round_t round;
  state_t start;

  always_comb begin
    done = round_q[turn_q] == round_t'(NumRounds);
    leaves = done && owed_q[turn_q] && (HoldsState ? last_q[turn_q] && st_ready_i :
                                        last_q[turn_q] || !blk_valid_i || blk_first_i);
    blk_ready_o = done && (leaves || !owed_q[turn_q] || !last_q[turn_q]);
    take = blk_ready_o && blk_valid_i;
    round = take ? '0 : round_q[turn_q];
    start = take ? (blk_first_i ? '0 : state_q[turn_q]) ^ state_t'(blk_i) : state_q[turn_q];
  end

  always_ff @(posedge clk_i) begin
    turn_q <= (turn_q == SlotWidth'(Slots - 1)) ? '0 : turn_q + 1'b1;
    if (take || !done) begin
      state_q[turn_q] <= keccak_round(start, round);
      round_q[turn_q] <= round + 5'd1;
    end
    if (leaves) owed_q[turn_q] <= 1'b0;
    if (take) begin
      owed_q[turn_q] <= 1'b1;
      last_q[turn_q] <= blk_last_i;
    end
    if (rst_i) begin
      turn_q <= '0;
      owed_q <= '0;
      last_q <= '0;
      for (int unsigned i = 0; i < Slots; i++) round_q[i] <= round_t'(NumRounds);
    end
  end

  assign blk_slot_o = turn_q;
  assign st_valid_o = leaves;
  assign st_slot_o = turn_q;
  assign st_o = state_q[turn_q];

endmodule
