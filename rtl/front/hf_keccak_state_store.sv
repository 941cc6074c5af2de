// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// State store of the front end with several slots: decides the places of the states that leave a
// rotating engine, writes them, and reads them word by word, for a restore or for a digest.
//
// The store has two places a slot, so that a state can leave the engine while the digest of the one
// before is sent. Pending digests of a slot are those of its last states. Each is in the other
// place than the digest before it; a state without output may be overwritten. The store has one
// read port; a restore has priority.
//
// Errors: none.
//
// Timing: clock 0 is the clock of st_valid_i.
//
//   0                  `place_o` is the state's place
//   DataDelay          the state is on st_i and is written
//   DataDelay + 1      `state_stored_o`
//   DataDelay + 4      it may be read
//
// States come at least Words + 1 clocks apart. A word follows on `word_fields_o` five clocks after
// its address. The words of a restore follow one a clock, the first six clocks after
// restore_state_i.

module hf_keccak_state_store
  import hf_keccak_pkg::*;
  import hf_keccak_slots_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned WordWidth = 128,  // width of a word of the store, in bits
    parameter  int unsigned Slots = 4,
    parameter  int unsigned DataDelay = 3,  // clocks from st_valid_i to st_i
    parameter  bit          StatesInBlockRam = 1'b1,  // as in hf_keccak_store
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned StateWordBits = state_word_bits(WordWidth)
) (
    input logic clk_i,
    input logic rst_i,

    // The engine contract (docs/reference/contract.md).
    input logic                  st_valid_i,
    input logic [ SlotWidth-1:0] st_slot_i,
    input logic [StateWidth-1:0] st_i,

    input  logic state_gives_i,  // this state gives output, or an error
    output logic state_place_o,        // which of the slot's two places it takes

    output logic [Slots-1:0] state_stored_o,    // the slot's state is in the store
    output logic [Slots-1:0] digest_pending_o,  // a digest of the slot is pending
    output logic [Slots-1:0] digests_full_o,    // two digests of the slot are pending

    // A digest has been read: its place is free.
    input logic                 place_freed_i,
    input logic [SlotWidth-1:0] freed_slot_i,

    // Restores the slot's last state.
    input  logic                 restore_state_i,
    input  logic [SlotWidth-1:0] restore_slot_i,  // valid a clock before restore_state_i
    // In the next clock, a restore takes the read port.
    output logic                 restore_active_o,

    // Reads of a digest.
    input  logic [    SlotWidth-1:0] read_slot_i,
    input  logic                     read_place_i,
    input  logic [StateWordBits-1:0] read_word_i,
    output logic [    WordWidth-1:0] store_word_o
);

  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [StateWordBits-1:0] state_word_t;
  localparam int unsigned Words = state_words(WordWidth);

  /////////////////////
  // Places          //
  /////////////////////

  logic [Slots-1:0] digest_pending_q, digests_full_q;
  // Place for the slot's next state; place of its last state.
  logic [Slots-1:0] next_place_q, last_place_q;
  // Its state has left; with a digest; a digest is sent.
  logic [Slots-1:0] slot_left_q, slot_gave_q, digest_gone;
  logic state_place;

  assign state_place = next_place_q[st_slot_i];
  assign state_place_o = state_place;

  for (genvar i = 0; i < Slots; i++) begin : gen_slot
    // A clock late: a place becomes occupied; it becomes free.
    assign digest_gone[i] = place_freed_i && freed_slot_i == slot_t'(i);
    always_ff @(posedge clk_i) begin
      slot_left_q[i] <= st_valid_i && st_slot_i == slot_t'(i);
      if (rst_i) slot_gave_q[i] <= 1'b0;
      else slot_gave_q[i] <= st_valid_i && state_gives_i && st_slot_i == slot_t'(i);
      if (slot_left_q[i]) last_place_q[i] <= next_place_q[i];
      if (rst_i) next_place_q[i] <= 1'b0;
      else if (slot_gave_q[i]) next_place_q[i] <= !next_place_q[i];
      if (rst_i) {digests_full_q[i], digest_pending_q[i]} <= 2'b00;
      else if (slot_gave_q[i] && !digest_gone[i]) begin
        {digests_full_q[i], digest_pending_q[i]} <= {digest_pending_q[i], 1'b1};
      end else if (digest_gone[i] && !slot_gave_q[i]) begin
        {digests_full_q[i], digest_pending_q[i]} <= {1'b0, digests_full_q[i]};
      end
    end
  end
  assign digest_pending_o = digest_pending_q;
  assign digests_full_o = digests_full_q;

  /////////////////////
  // Write-back      //
  /////////////////////

  logic [DataDelay+1:1] state_left_q;  // [n]: st_valid_i was high n clocks ago
  logic state_here;  // the state is on st_i
  always_ff @(posedge clk_i) begin
    state_left_q <= (DataDelay+1)'({state_left_q, st_valid_i});
    if (rst_i) state_left_q <= '0;
  end
  assign state_here = (DataDelay == 0) ? st_valid_i :
      state_left_q[(DataDelay == 0) ? 1 : DataDelay];

  // The row of the state on st_i.
  slot_t write_slot;
  logic write_place;
  slot_t left_slot_q[DataDelay+1];  // [n]: slot of the state, n + 1 clocks after st_valid_i
  logic [DataDelay:0] left_place_q;  // its place, likewise
  always_ff @(posedge clk_i) begin
    left_slot_q[0] <= st_slot_i;
    for (int unsigned i = 1; i <= DataDelay; i++) left_slot_q[i] <= left_slot_q[i-1];
    left_place_q <= (DataDelay+1)'({left_place_q, state_place});
  end
  localparam int unsigned Before = (DataDelay < 2) ? 0 : DataDelay - 2;
  assign write_slot = (DataDelay == 0) ? st_slot_i :
      left_slot_q[(DataDelay == 0) ? 0 : DataDelay-1];
  assign write_place = (DataDelay == 0) ? state_place :
      left_place_q[(DataDelay == 0) ? 0 : DataDelay-1];

  for (genvar i = 0; i < Slots; i++) begin : gen_stored
    always_ff @(posedge clk_i) state_stored_o[i] <= state_here && write_slot == slot_t'(i);
  end

  /////////////////////
  // Restore         //
  /////////////////////

  // Words of a restore are read in the next clock; in this one.
  logic restore_active, restore_active_q;
  // [n]: restore_state_i was high n clocks ago; top bit: the last word.
  logic [Words:1] restore_age_q;
  slot_t restore_slot_q, restore_row_slot_q;  // slot given; slot of the restore
  logic restore_place_q, restore_row_place_q;  // place, likewise
  state_word_t restore_word_q;  // word to be read for the restore
  assign restore_active = restore_state_i || (restore_active_q && !restore_age_q[Words]);
  assign restore_active_o = restore_active;
  always_ff @(posedge clk_i) begin
    restore_slot_q  <= restore_slot_i;
    restore_place_q <= last_place_q[restore_slot_i];
    if (restore_state_i) begin
      restore_row_slot_q <= restore_slot_q;
      restore_row_place_q <= restore_place_q;
      restore_word_q <= '0;
    end else begin
      restore_word_q <= state_word_t'(plus_one(8'(restore_word_q)));
    end
    restore_active_q <= restore_active && !rst_i;
    restore_age_q  <= {restore_age_q[Words-1:1], restore_state_i};
  end

  /////////////////////
  // Memory          //
  /////////////////////

  slot_t read_slot_q;  // address of the store's memory: slot, place, word
  logic read_place_q;
  state_word_t read_word_q;
  logic [WordWidth-1:0] read_data, store_word_q;  // store_word_q: in a register, near to its loads

  always_ff @(posedge clk_i) begin
    {read_slot_q, read_place_q, read_word_q} <= restore_active_q ?
        {restore_row_slot_q, restore_row_place_q, restore_word_q} :
        {read_slot_i, read_place_i, read_word_i};
    store_word_q <= read_data;
  end
  assign store_word_o = store_word_q;

  hf_keccak_store #(
      .DataWidth       (WordWidth),
      .RowBits         (SlotWidth + 1),
      .HasWriteNext    (DataDelay >= 2),
      .StatesInBlockRam(StatesInBlockRam)
  ) u_store (
      .clk_i,
      .rst_i,
      .write_next_i    (state_left_q[Before+1]),
      .write_next_row_i({left_slot_q[Before], left_place_q[Before]}),
      .write_i         (state_here),
      .write_row_i     ({write_slot, write_place}),
      .state_i         (st_i),
      .read_row_i      ({read_slot_q, read_place_q}),
      .read_word_i     (read_word_q),
      .read_data_o     (read_data)
  );

endmodule
