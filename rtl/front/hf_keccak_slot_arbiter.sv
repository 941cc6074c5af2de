// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Slot arbiter of the front end with several slots: keeps the flags of each slot and decides which
// slot's block is loaded next.
//
// The engine shows its slots cyclically, one a clock, so the slot that a block meets is fixed Lead
// clocks in advance. That slot is picked, and a load of it may be decided for one of two reasons:
//
//   due    the slot's state comes back in the clock of the block's handshake, and takes the block
//          directly
//   idle   the slot's state is not in the engine: a message begins, or a saved state is restored
//
// Fairness: loads are at least Gap clocks apart. So states leave at least Gap clocks apart, and
// each can be stored. A new message yields to a block that will become due; after one period of
// refusals it wins, and the displaced state is restored later. So no slot starves.
//
// Every > 1: the engine accepts a block only every Every clocks, starting two clocks after reset.
// Loads are decided only in the clocks whose handshake falls into such a clock.
//
// Errors: none. A message with an error begins only if `error_ok_i` is high.
//
// Timing: clock 0 is the clock of the decision (`load_decided`). load_started_q[n] is high n clocks
// after a decision. The slot is picked in clock 0 (`pick_slot_o`), and is on `early_slot_o` a clock
// earlier.

module hf_keccak_slot_arbiter
  import hf_keccak_slots_pkg::*;
#(
    parameter  int unsigned WordWidth = 128,  // width of a word of a load, in bits
    parameter  int unsigned Slots = 4,
    parameter  int unsigned Period = 96,     // clocks from a block to its successor in a slot
    parameter  int unsigned DataDelay = 3,   // clocks from a handshake to its data
    parameter  int unsigned Every = 1,  // clocks between two in which the engine accepts blocks
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned Lead = lead_clocks(WordWidth, DataDelay)
) (
    input logic clk_i,
    input logic rst_i,

    input logic [SlotWidth-1:0] blk_slot_i,  // the engine contract (docs/reference/contract.md)

    // The slots' messages.
    input block_t [Slots-1:0] next_block_i,         // as in hf_keccak_block_queue
    input logic   [Slots-1:0] more_output_i,   // output remains after the states under way
    input logic   [Slots-1:0] message_done_i,  // all blocks of the message are loaded
    input logic               has_successor_i,  // the load decided five clocks ago has a successor

    // Stored states and digests, from hf_keccak_state_store and hf_keccak_digest_queue.
    input logic [Slots-1:0] state_stored_i,     // the slot's state has been stored
    input logic [Slots-1:0] digest_pending_i,   // a digest of the slot is pending
    input logic [Slots-1:0] digests_full_i,     // two are: there is no room for another
    // The error of a bad message would keep to its share of the port.
    input logic             error_ok_i,

    // The slot that is decided on in the next clock, and in this one.
    output logic [SlotWidth-1:0] early_slot_o,
    output logic [SlotWidth-1:0] pick_slot_o,

    // The load that is decided on.
    // Per slot: the message's last block has been loaded.
    output logic [Slots-1:0] message_absorbed_o,
    output logic [Slots-1:0] state_saved_o,     // per slot: its state must be restored
    output logic [Slots-1:0] final_block_o,  // per slot: the next block is its message's last
    output logic [Slots-1:0] block_takes_o,  // in clock 1: the slot's block is taken
    output logic [Slots-1:0] block_taken_o,  // in clock 2: the same
    output logic             block_due_o,  // the picked slot's state comes back
    output logic [   Lead:1] load_started_o,  // [n]: a load was decided n clocks ago
    output logic             next_job_o  // the load's state may leave in the fourth clock from here
);

  // Clocks between two loads.
  localparam int unsigned Gap = gap_clocks(WordWidth, Every);
  // Clocks until the decision no longer depends on flags from before a reset.
  localparam int unsigned ResetPause = Gap + Every - 2 + (2 + (Every - 1) * Lead) % Every;

  typedef logic [SlotWidth-1:0] slot_t;

  /////////////////////
  // Slots           //
  /////////////////////

  // The slot to be decided on: pick_hot_q is one-hot; early_slot_q is its number a clock before.
  localparam int unsigned Ahead = (Lead + 2) % Slots;
  // Of the clock after next; of the next; of this one.
  slot_t early_slot, early_slot_q, pick_slot_q;
  logic [Slots-1:0] pick_hot_q;
  assign early_slot = (32'(blk_slot_i) + Ahead >= Slots) ?
      slot_t'(32'(blk_slot_i) + Ahead - Slots) : slot_t'(32'(blk_slot_i) + Ahead);
  always_ff @(posedge clk_i) begin
    early_slot_q <= early_slot;
    pick_slot_q <= early_slot_q;
    pick_hot_q <= Slots'(1) << early_slot_q;
  end

  logic [Slots-1:0] message_begun_q;  // a block of the slot's message has been loaded
  logic [Slots-1:0] message_absorbed_q;  // the message's last block has been loaded
  logic [Slots-1:0] in_flight_q;  // the slot's state is in the engine
  // Two slots only: the state has just left, and the engine needs a slot cycle.
  logic [Slots-1:0] cooldown_q;
  logic [Slots-1:0] state_leaving_q;  // the slot's state is leaving the engine
  logic [Slots-1:0] state_saved_q;  // the state has left and must be restored
  logic [Slots-1:0] state_stored_q;  // and the store holds it
  logic [Slots-1:0] block_queued_q;  // the next block is complete in the queue
  logic [Slots-1:0] final_block_q;  // and is the message's last block
  logic [Slots-1:0] load_on_time_q;  // may be loaded when its state is due
  logic [Slots-1:0] load_idle_q;  // may be loaded while its state is not in the engine

  logic load_decided;
  logic block_due;  // the slot's state comes back, so a block is due

  for (genvar i = 0; i < Slots; i++) begin : gen_slot
    logic slot_picked;  // it is decided on
    logic just_left_q;  // its state has left the engine
    // A clock late, which is early enough; its last block was loaded.
    logic slot_started_q, final_started_q;
    // Conditions of load_idle_q that may be a clock old. The slot's message and its state in the
    // engine are not among them.
    logic may_begin_q, may_return_q;
    assign slot_picked = pick_hot_q[i];
    assign block_takes_o[i] = slot_started_q && !message_absorbed_q[i];

    always_ff @(posedge clk_i) begin
      slot_started_q <= load_decided && slot_picked && !rst_i;
      final_started_q <= final_block_q[i];
      block_taken_o[i] <= block_takes_o[i] && !rst_i;
      block_queued_q[i] <= next_block_i[i].block_queued;
      final_block_q[i] <= next_block_i[i].final_block;

      load_on_time_q[i] <= message_begun_q[i] &&
          (message_absorbed_q[i] ? more_output_i[i] && !digest_pending_i[i] : block_queued_q[i]);
      may_begin_q <= block_queued_q[i] && !digests_full_i[i] &&
          (!next_block_i[i].message_bad || error_ok_i);
      may_return_q <= state_stored_q[i] &&
          (message_absorbed_q[i] ? more_output_i[i] : block_queued_q[i]);
      load_idle_q[i] <= message_begun_q[i] ?
          state_saved_q[i] && may_return_q && !digest_pending_i[i] :
          may_begin_q && !(digest_pending_i[i] && state_leaving_q[i]);

      if (slot_picked) cooldown_q[i] <= Slots == 2 && block_due && !load_decided;
      if (rst_i) cooldown_q[i] <= 1'b0;

      in_flight_q[i] <= (slot_picked && load_decided) ||
          (in_flight_q[i] && !(slot_picked && block_due));

      if (slot_started_q) begin
        message_begun_q[i] <= 1'b1;
        message_absorbed_q[i] <= message_absorbed_q[i] || final_started_q;
        state_saved_q[i] <= 1'b0;
      end
      // If the message continues, these are ignored until its state leaves.
      if (slot_picked && block_due) begin
        state_leaving_q[i] <= 1'b1;
        state_stored_q[i]  <= 1'b0;
      end
      just_left_q <= slot_picked && block_due && !load_decided;
      if (just_left_q) state_saved_q[i] <= message_begun_q[i];
      if (state_stored_i[i]) begin
        state_stored_q[i]  <= 1'b1;
        state_leaving_q[i] <= 1'b0;
      end
      if (message_done_i[i] || rst_i) begin
        message_begun_q[i] <= 1'b0;
        message_absorbed_q[i] <= 1'b0;
        state_saved_q[i] <= 1'b0;
      end
      if (rst_i) begin
        in_flight_q[i] <= 1'b0;
        state_leaving_q[i] <= 1'b0;
      end
    end
  end

  /////////////////////
  // Decision        //
  /////////////////////

  // [n]: a load was decided n clocks ago; in successor_due_q also: a successor will be due.
  logic [Period+Lead:1] load_started_q;
  logic [Period:6] successor_due_q;
  logic loader_free_q;  // a load may be decided
  logic due_soon_q, due_soon_next_q;  // a block becomes due before the loader would be free again
  logic window_passes;  // an unused load window has passed; the loader is free again
  logic [ResetPause:0] reset_age_q;  // clocks since a reset
  logic pick_on_time_q, pick_idle_q;  // the picked slot has a block when due; has one while idle
  logic idle_starts_q;  // a load into an idle slot may begin: it delays no due block, or is overdue
  logic [Slots-1:0] slot_idle_q;  // load_idle_q, and the state is not in the engine
  // slot_idle_q, and a load of the slot may begin in the next clock, as in idle_starts_q.
  logic [Slots-1:0] idle_allowed_q;
  // A slot that has been refused wins at the second tick, which is about a period later.
  localparam int unsigned Due = Period / Slots;  // clocks from one slot's block to the next slot's
  // 2 ** TickBits slot cycles from a tick to the next.
  localparam int unsigned TickBits = (Due > 2) ? $clog2(Due) - 1 : 1;
  logic [TickBits-1:0] slot_cycle_q;
  logic period_tick_q;  // high for one slot cycle
  logic [Slots-1:0] refused_once_q, refused_twice_q;  // at one tick; at two, so the slot wins

  slot_t pick_slot1_q;
  logic pick_idle1_q;

  // A separate copy of load_started_q[Period], because the shift register may be placed far away.
  hf_copy u_due (
      .clk_i,
      .d_i(load_started_q[Period-1] && !rst_i),
      .q_o(block_due)
  );
  assign load_decided = loader_free_q && ((block_due && pick_on_time_q) || idle_starts_q);

  logic [Slots-1:0] early_hot_q;  // early_slot_q, one-hot
  // With up to three slots there is no time for another register stage.
  logic [Slots-1:0] slot_idle, idle_allowed;
  if (Slots > 3) begin : gen_registered
    logic unused_cooldown;
    assign unused_cooldown = ^{cooldown_q, due_soon_q};
    assign slot_idle = slot_idle_q;
    assign idle_allowed = idle_allowed_q;
  end else begin : gen_soon
    logic unused_registers;
    assign unused_registers = ^{slot_idle_q, idle_allowed_q};
    assign slot_idle = load_idle_q & ~in_flight_q & ~cooldown_q;
    assign idle_allowed = slot_idle & ({Slots{!due_soon_q}} | refused_twice_q);
  end

  if (Every == 1) begin : gen_always
    assign window_passes = loader_free_q && !load_decided;
  end else begin : gen_every
    logic [Every-1:1] passed_q;
    always_ff @(posedge clk_i) begin
      passed_q <= rst_i ? '0 : (Every-1)'({passed_q, loader_free_q && !load_decided});
    end
    assign window_passes = passed_q[Every-1];
  end

  always_ff @(posedge clk_i) begin
    // For the slot picked next. It was last picked at least two clocks ago, so in_flight_q is up to
    // date.
    early_hot_q <= Slots'(1) << early_slot;
    pick_on_time_q <= |(early_hot_q & load_on_time_q);
    slot_idle_q <= load_idle_q & ~in_flight_q;
    idle_allowed_q <= load_idle_q & ~in_flight_q & ({Slots{!due_soon_next_q}} | refused_twice_q);
    pick_idle_q <= |(early_hot_q & slot_idle);
    idle_starts_q <= |(early_hot_q & idle_allowed) && !rst_i;

    load_started_q <= {load_started_q[Period+Lead-1:1], load_decided};
    successor_due_q <= {successor_due_q[Period-1:6], has_successor_i};

    // Flags from before a reset leave the decision only after ResetPause clocks.
    reset_age_q <= {reset_age_q[ResetPause-1:0], rst_i};
    loader_free_q <= load_started_q[Gap-1] || reset_age_q[ResetPause] || window_passes;
    // A load that produces output writes back its remaining length four clocks later, through the
    // port that would read the length for a load decided in the fifth clock. That load waits a
    // clock.
    if (Gap == 5) begin
      loader_free_q <=
          (load_started_q[4] && !message_absorbed_q[(32'(pick_slot_q)+4*Slots-4)%Slots]) ||
          (load_started_q[5] && message_absorbed_q[(32'(pick_slot_q)+5*Slots-5)%Slots]) ||
          reset_age_q[ResetPause] || window_passes;
    end
    // In the clock after next, a successor is due within Gap - 1 clocks.
    due_soon_next_q <= successor_due_q[Period-Gap-2] ||
        (due_soon_next_q && !successor_due_q[Period-3]);
    due_soon_q <= due_soon_next_q;

    // These registers are a clock late.
    pick_slot1_q <= pick_slot_q;
    pick_idle1_q <= pick_idle_q;
    if (pick_slot1_q == '0) begin
      slot_cycle_q  <= slot_cycle_q + TickBits'(1);
      period_tick_q <= slot_cycle_q == '0;
    end
    for (int unsigned i = 0; i < Slots; i++) begin
      if (pick_slot1_q == slot_t'(i)) begin
        if (!pick_idle1_q || load_started_q[1]) {refused_twice_q[i], refused_once_q[i]} <= '0;
        else if (period_tick_q) begin
          {refused_twice_q[i], refused_once_q[i]} <= {refused_once_q[i], 1'b1};
        end
      end
    end

    if (rst_i) begin
      load_started_q <= '0;
      successor_due_q <= '0;
      reset_age_q <= (ResetPause + 1)'(1);
      loader_free_q <= 1'b0;
      due_soon_next_q <= 1'b0;
      due_soon_q <= 1'b0;
      refused_twice_q <= '0;
      refused_once_q <= '0;
      slot_cycle_q <= '0;
    end
  end

  assign early_slot_o = early_slot_q;
  assign pick_slot_o = pick_slot_q;
  assign message_absorbed_o = message_absorbed_q;
  assign state_saved_o = state_saved_q;
  assign final_block_o = final_block_q;
  assign block_due_o = block_due;
  assign load_started_o = load_started_q[Lead:1];
  assign next_job_o = load_started_q[Period+Lead-4];

`ifndef HF_NO_PARAMETER_CHECKS
  if (Slots < 2 || Slots > 16) begin : gen_bad_slots
    $fatal(1, "hf_keccak_slot_arbiter: Slots is 2 to 16, not %0d", Slots);
  end
  if (Gap > Due) begin : gen_too_fast
    // In a top the Period follows from Rounds.
    $fatal(
        1,
        "hf_keccak_slot_arbiter: Rounds, Period: a block every %0d clocks, and a load takes %0d",
        Due, Gap);
  end
  if (Period < Lead + Gap || DataDelay > state_words(WordWidth) || Every < 1 ||
      Period % Every != 0 || Gap < ((Every > 1) ? 6 : 5)) begin : gen_bad_shape
    $fatal(1, "hf_keccak_slot_arbiter: no schedule for Period %0d, Every %0d, DataDelay %0d",
           Period, Every, DataDelay);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
