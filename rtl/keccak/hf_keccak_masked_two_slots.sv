// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Control of hf_keccak_masked with two slots: while one message is in the linear steps, the other
// is in chi. A block takes 48 clocks and two are in flight. States are returned
// (docs/reference/contract.md, rule 11).
//
// Schedule of a slot. Clock 0 is the clock in which it is shown on blk_slot_o.
//
//   0    the block's handshake, or none
//   2    st_valid_o: the state that is complete in clock 5 leaves (data delay 3); the slot is shown
//        again, and accepts a block only if it was empty in clock 0
//   3    blk_i is read (take_o); linear steps of the last round, whose register is cleared if the
//        block is `first` (clear_o)
//   4    chi of the last round, in which the block is added; of a restored state, in which nothing
//        else is added (restore_o)
//   5    the state is on st_o, or mixed with the block, or the block only; leave_o, if it leaves
//   48   the next block is due. If it is offered, no clock is lost. If not, or if this block was
//        the last, the state leaves
//
// A slot without a message is cleared in each slot cycle, so that no state stays in the engine, and
// takes fresh random bits as others do: from a reset on it is a known state in shares that become
// uniform, which takes FirstCycles slot cycles.
//
// The engine never waits: rand_i is used in every clock from the first rand_valid_i on, which then
// stays high.

module hf_keccak_masked_two_slots
  import hf_keccak_pkg::*;
#(
    parameter int unsigned FirstCycles = 402  // slot cycles from the first random bits to started_o
) (
    input logic clk_i,
    input logic rst_i,

    // The engine contract. blk_restore_i: a `first` block is a state that left this slot, in the
    // same shares, and a block.
    input  logic blk_valid_i,
    output logic blk_ready_o,
    output logic blk_slot_o,
    input  logic blk_first_i,
    input  logic blk_last_i,
    input  logic blk_restore_i,
    output logic st_valid_o,
    output logic st_slot_o,

    output logic started_o,
    input  logic rand_valid_i,
    output logic rand_ready_o,

    // The datapath.
    output logic  take_o,
    output logic  clear_o,
    output logic  restore_o,
    output logic  leave_o,
    output lane_t constant_o,  // of iota, in the clock of take_o
    output logic  unseeded_o   // there have been no random bits yet
);

  // A slot's control is in shown_q while the slot is shown, and in other_q in the clock after.
  typedef struct packed {
    logic   busy;      // a block was accepted and is not complete yet
    logic   last;      // its state leaves
    logic   cooldown;  // the state has just left; st_valid_o comes a slot cycle later
    round_t cycles;    // slot cycles since the handshake
  } slot_t;

  slot_t shown_q, other_q, handed;
  logic slot_q;
  // Of the slot shown: its block is complete; it accepts a block; it accepts only one of zeros.
  logic due_q, ready_q, zeros_q;
  logic take, clear, leave;

  assign blk_ready_o = ready_q && !(zeros_q && blk_first_i);
  assign blk_slot_o = slot_q;
  assign take = blk_valid_i && blk_ready_o;
  assign clear = take ? blk_first_i : !shown_q.busy;
  assign leave = due_q && (zeros_q || !take);

  always_comb begin
    handed = shown_q;
    handed.cycles = shown_q.cycles + 5'd1;
    handed.cooldown = due_q && !take;
    if (due_q) handed.busy = 1'b0;
    if (take) begin
      handed.busy   = 1'b1;
      handed.last   = blk_last_i;
      handed.cycles = 5'd1;
    end
  end

  logic due_d;
  assign due_d = other_q.busy && other_q.cycles == round_t'(NumRounds);

  always_ff @(posedge clk_i) begin
    other_q <= handed;
    shown_q <= other_q;
    slot_q  <= !slot_q;
    due_q   <= due_d;
    ready_q <= started_o && (due_d || !(other_q.busy || other_q.cooldown));
    zeros_q <= due_d && other_q.last;
    if (rst_i) begin
      other_q.busy <= 1'b0;
      other_q.cooldown <= 1'b0;
      shown_q.busy <= 1'b0;
      shown_q.cooldown <= 1'b0;
      slot_q  <= 1'b0;
      due_q   <= 1'b0;
      ready_q <= 1'b0;
      zeros_q <= 1'b0;
    end
  end

  // [n]: in clock n of the schedule.
  logic [3:1] take_q, clear_q;
  logic [4:1] restore_q;
  logic [5:1] leave_q;
  round_t round1_q;
  lane_t constant2_q;

  always_ff @(posedge clk_i) begin
    take_q <= {take_q[2:1], take};
    clear_q <= {clear_q[2:1], clear};
    restore_q <= {restore_q[3:1], take && blk_first_i && blk_restore_i};
    leave_q <= {leave_q[4:1], leave};
    round1_q <= shown_q.cycles - 5'd1;
    constant2_q <= clear_q[1] ? '0 : RoundConstant[round1_q];
    constant_o <= constant2_q;
    // The shares of a message are cleared when the reset takes away what masks them, and not when its
    // slot cycles have ended.
    if (rst_i) begin
      take_q      <= '0;
      clear_q     <= '1;
      restore_q   <= '0;
      leave_q     <= '0;
      constant2_q <= '0;
      constant_o  <= '0;
    end
  end

  assign st_valid_o = leave_q[2];
  assign st_slot_o  = slot_q;
  assign take_o     = take_q[3];
  assign clear_o    = clear_q[3] || rst_i;  // before products of what the reset unmasks are loaded
  assign restore_o  = restore_q[4];
  assign leave_o    = leave_q[5];

  ////////////////////
  // Beginning      //
  ////////////////////

  localparam int unsigned FirstClocks = 2 * FirstCycles;
  localparam int unsigned CountWidth = $clog2(FirstClocks + 2);

  // Random bits count from the third clock after a reset on: until then products may be unknown.
  logic settled_q, seeded_q;
  logic [CountWidth-1:0] starting_q;
  always_ff @(posedge clk_i) begin
    settled_q <= !rst_i;
    seeded_q <= (seeded_q || (rand_valid_i && settled_q)) && !rst_i;
    if (rst_i) starting_q <= CountWidth'(FirstClocks);
    else if (seeded_q && starting_q != '0) starting_q <= starting_q - CountWidth'(1);
  end
  assign started_o    = seeded_q && starting_q == '0;
  assign unseeded_o   = !seeded_q;
  assign rand_ready_o = 1'b1;

endmodule
