// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Control of a compact engine at the ports of the engine contract. The engine computes a round as
// five planes, one a clock, for `Slots` messages one after the other. plane_o and blk_slot_o count
// in every clock, modulo 5 and modulo Slots, which have no common factor. So each slot meets plane
// 0 once in its 5 * Slots clocks, and its block is accepted in that clock. The slot's window begins
// five clocks later, when plane_o is 0 again: the planes of its next state are at the engine's
// output in the five clocks of the window.
//
//   plane_o   in the clocks before the window
//   0         handshake; st_valid_o of the window before is still to come
//   1 ..      take_o, first_o, leave_o: the operation of the window, up to and including the clock
//             in which plane_o is 0 again
//   DataDelay blk_i is read; iota_o is the window's constant, zero in all other clocks
//
//   in the window
//   0              window_o: its slot, for five clocks
//   4 - DataDelay  st_valid_o, and in plane 4 st_o
//
// The window of a `first` block computes no round: its state is the block. So a message of b blocks
// takes 24 b + 1 windows. States are returned (docs/reference/contract.md, rule 11).

module hf_keccak_dsp_control
  import hf_keccak_pkg::*;
#(
    parameter  int unsigned Slots = 2,
    parameter  int unsigned DataDelay = 3,  // clocks from a handshake to blk_i: 2 or 3
    localparam int unsigned SlotWidth = (Slots > 1) ? $clog2(Slots) : 1
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                 blk_valid_i,
    output logic                 blk_ready_o,
    output logic [SlotWidth-1:0] blk_slot_o,
    input  logic                 blk_first_i,
    input  logic                 blk_last_i,
    output logic                 st_valid_o,
    output logic [SlotWidth-1:0] st_slot_o,

    output logic [          2:0] plane_o,  // the plane that the engine has at its output
    output logic [SlotWidth-1:0] window_o,
    output logic                 take_o,  // the window has a block
    output logic                 first_o,
    // The window's state leaves; from its plane 0 to its plane 4.
    output logic                 leave_o,
    output logic [          6:0] iota_o     // bits 2^j - 1 of the constant
);

  typedef logic [SlotWidth-1:0] slot_t;

  // The state of the slots, in a row that rotates with them: [0] is of the slot shown.
  typedef struct packed {
    logic   busy;
    logic   last;   // its block's state must leave
    round_t round;  // the round of its next window
  } ctl_t;

  ctl_t ctl_q[Slots];
  ctl_t ctl_d;
  logic [2:0] plane_q;
  slot_t slot_q, coming_q;  // the slot shown; the slot of the next window
  logic met, due, take, leave;

  assign met = plane_q == 3'd0;
  assign due = ctl_q[0].busy && ctl_q[0].round == round_t'(NumRounds - 1);
  assign blk_ready_o = met && (due ? !(ctl_q[0].last && blk_first_i) : !ctl_q[0].busy);
  assign blk_slot_o = slot_q;
  assign take = blk_valid_i && blk_ready_o;
  assign leave = met && due && (ctl_q[0].last || !take);

  always_comb begin
    ctl_d = ctl_q[0];
    if (met) begin
      ctl_d.round = ctl_q[0].round + round_t'(1);
      if (due) ctl_d.busy = 1'b0;
      if (take) begin
        ctl_d.busy  = 1'b1;
        ctl_d.last  = blk_last_i;
        ctl_d.round = '0;
      end
    end
  end

  // The bits of RoundConstant that are not always zero.
  function automatic logic [6:0] iota_bits(input round_t round);
    lane_t constant;
    logic [6:0] bits;
    constant = (round < round_t'(NumRounds)) ? RoundConstant[round] : '0;
    for (int unsigned j = 0; j < 7; j++) bits[j] = constant[(1<<j)-1];
    return bits;
  endfunction

  round_t round_q;
  logic take_q, first_q, coming_leave_q, leave_q;
  logic [6:0] iota_q;
  slot_t window_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Slots - 1; i++) ctl_q[i] <= ctl_q[i+1];
    ctl_q[Slots-1] <= ctl_d;
    plane_q <= (plane_q == 3'd4) ? '0 : plane_q + 3'd1;
    slot_q <= (slot_q == slot_t'(Slots - 1)) ? '0 : slot_q + slot_t'(1);
    if (met) begin
      coming_q <= slot_q;
      round_q <= ctl_q[0].round;
      take_q <= take;
      first_q <= take && blk_first_i;
      coming_leave_q <= leave;
    end
    if (plane_q == 3'd4) begin
      window_q <= coming_q;
      leave_q  <= coming_leave_q;
    end
    iota_q <= (plane_q == 3'(DataDelay - 1) && !first_q) ? iota_bits(round_q) : '0;
    if (DataDelay == 3) st_valid_o <= met && leave_q;
    else st_valid_o <= plane_q == 3'd1 && leave_q;
    if (rst_i) begin
      for (int unsigned i = 0; i < Slots; i++) ctl_q[i].busy <= 1'b0;
      plane_q <= 3'd4;
      slot_q <= slot_t'(Slots - 1);
      first_q <= 1'b0;  // reset, because operations of slices depend on it and must not be X
      coming_leave_q <= 1'b0;
      leave_q <= 1'b0;
      st_valid_o <= 1'b0;
    end
  end

  assign st_slot_o = window_q;
  assign plane_o = plane_q;
  assign window_o = window_q;
  assign take_o = take_q;
  assign first_o = first_q;
  assign leave_o = leave_q;
  assign iota_o = iota_q;

`ifndef HF_NO_PARAMETER_CHECKS
  if (Slots < 2 || Slots % 5 == 0) begin : gen_bad_slots
    $fatal(1, "hf_keccak_dsp_control: Slots is 2 or more, no multiple of 5, not %0d", Slots);
  end
  if (DataDelay < 2 || DataDelay > 3) begin : gen_bad_delay
    $fatal(1, "hf_keccak_dsp_control: DataDelay is 2 or 3, not %0d", DataDelay);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
