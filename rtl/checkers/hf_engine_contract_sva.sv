// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The rules of a Keccak engine's ports (docs/reference/contract.md) as assertions, bound to every
// engine by hf_binds.sv. A label begins with the number of its rule. _A binds the engine. _M binds
// its driver: an assertion in simulation, an assumption in a proof (tests/formal).
//
//   Rule 1   Rule1OfferStands_M, Rule1FlagsStand_M, Rule1DataStand_M
//   Rule 2   Rule2SlotInRange_A; tests/formal proves that blk_slot_o does not depend on blk_valid_i
//   Rule 4   Rule4PromiseIsKept_A
//   Rule 5   Rule5FirstAfterReset_M
//   Rule 6   Rule6StateIsOwed_A, Rule6StateLeaves_A
//   Rule 7   Rule7RoomStands_M, Rule7WaitsForRoom_A
//   Rule 8   Rule8SqueezeIsZero_M
//   Rule 9   Rule9BlockIsTaken_A; the bench checks that the state stays
//   Rule 11  Rule11BlockIsDue_A, Rule11InTime_A, Rule11HandedBack_A, Rule11LeavesInTime_A,
//            Rule11IsRestored_M
//   Rule 12  Rule12ZeroBetween_M
//   Rule 13  Rule13RoundsStand_M
//
// Only the bench checks rules 3 (it drives random values), 10 and 14, the clocks, and the states.
// Implications are written as !a || b, which Yosys also reads.

module hf_engine_contract_sva #(
    parameter  int unsigned Slots = 1,
    parameter  int unsigned Interval = 24,  // of a slot's blocks: slots * clocks_per_block
    parameter  int unsigned DataDelay = 0,
    parameter  bit          HoldsState = 1'b1,
    parameter  bit          ZeroBetween = 1'b0,
    parameter  bit          RoundChoice = 1'b0,  // bit 1600 of a block selects twelve rounds
    parameter  bit          HalfChoice = 1'b0,  // it selects which twelve
    localparam int unsigned SlotWidth = (Slots > 1) ? $clog2(Slots) : 1,
    localparam int unsigned StateWidth = 1600,
    localparam int unsigned BlockWidth = StateWidth + 32'(RoundChoice || HalfChoice)
) (
    input logic clk_i,
    input logic rst_i,

    input logic                  blk_valid_i,
    input logic                  blk_ready_o,
    input logic [ SlotWidth-1:0] blk_slot_o,
    input logic                  blk_first_i,
    input logic                  blk_last_i,
    input logic [BlockWidth-1:0] blk_i,

    input logic                 st_valid_o,
    input logic                 st_ready_i,
    input logic [SlotWidth-1:0] st_slot_o
);

  localparam int unsigned Patience = 3 * Interval + 24;  // clocks
  localparam int unsigned AgeWidth = $clog2(Patience + 1);
  typedef logic [AgeWidth-1:0] age_t;

  logic off;
  hf_reset_sva u_reset (
      .clk_i,
      .rst_i,
      .off_o(off)
  );

  logic offer, handover;
  assign offer = blk_valid_i;
  assign handover = blk_valid_i && blk_ready_o;

  ////////////////////
  // What is owed   //
  ////////////////////

  // Per slot. `here`: the state of its latest block has not left and no block continues from it.
  // The state of a `last` block may be owed for longer, if a squeeze was accepted before it left.
  logic [Slots-1:0] used_q;  // a block was accepted since the reset
  logic [Slots-1:0] here_q;
  logic [Slots-1:0] last_q;  // the latest block was `last`
  logic [Slots-1:0] owed_q;  // the state before it is owed
  age_t [Slots-1:0] age_q;  // clocks since its acceptance, up to a limit

  // The same for the slot shown, without the state that leaves in this clock.
  logic leaves_here, leaves_shown, used, here, last, owed;
  age_t age;
  assign leaves_here = st_valid_o && !owed_q[st_slot_o];
  assign leaves_shown = st_valid_o && st_slot_o == blk_slot_o;
  assign used = used_q[blk_slot_o];
  assign here = here_q[blk_slot_o] && !(leaves_shown && leaves_here);
  assign last = last_q[blk_slot_o];
  assign owed = owed_q[blk_slot_o] && !leaves_shown;
  assign age = age_q[blk_slot_o];

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Slots; i++) begin
      if (age_q[i] != age_t'(Patience)) age_q[i] <= age_q[i] + 1'b1;
    end
    if (st_valid_o) begin
      owed_q[st_slot_o] <= 1'b0;
      if (leaves_here) here_q[st_slot_o] <= 1'b0;
    end
    if (handover) begin
      used_q[blk_slot_o] <= 1'b1;
      here_q[blk_slot_o] <= 1'b1;
      last_q[blk_slot_o] <= blk_last_i;
      age_q[blk_slot_o]  <= age_t'(1);
      if (here && last) owed_q[blk_slot_o] <= 1'b1;
    end
    if (rst_i) begin
      used_q <= '0;
      here_q <= '0;
      last_q <= '0;
      owed_q <= '0;
    end
  end

  Rule2SlotInRange_A: assert property (@(posedge clk_i) disable iff (off)
      32'(blk_slot_o) < Slots && (!st_valid_o || 32'(st_slot_o) < Slots));

  Rule4PromiseIsKept_A: assert property (@(posedge clk_i) disable iff (off)
      !(handover && blk_first_i) || !(owed || (here && last)));

  Rule5FirstAfterReset_M: assert property (@(posedge clk_i) disable iff (off)
      !(offer && !used) || blk_first_i);

  Rule6StateIsOwed_A: assert property (@(posedge clk_i) disable iff (off)
      !st_valid_o || owed_q[st_slot_o] ||
      (here_q[st_slot_o] && (last_q[st_slot_o] || !HoldsState)));

  ////////////////////
  // Offers         //
  ////////////////////

  logic [Slots-1:0] stands_q;  // an offer was made and not accepted
  logic [Slots-1:0] as_first_q, as_last_q;
  logic stands, as_first, restored;
  assign stands = stands_q[blk_slot_o];
  assign as_first = as_first_q[blk_slot_o];
  // Rule 11: the state has been returned, so a plain block becomes a restore. After a `last` block,
  // that is from the next clock on.
  logic gone;
  assign gone = !HoldsState && used && !(here_q[blk_slot_o] && (here || last));
  assign restored = gone && blk_first_i;

  always_ff @(posedge clk_i) begin
    if (offer) begin
      stands_q[blk_slot_o] <= !blk_ready_o;
      as_first_q[blk_slot_o] <= blk_first_i;
      as_last_q[blk_slot_o] <= blk_last_i;
    end
    if (rst_i) stands_q <= '0;
  end

  Rule1OfferStands_M: assert property (@(posedge clk_i) disable iff (off) !stands || offer);

  Rule1FlagsStand_M: assert property (@(posedge clk_i) disable iff (off)
      !(stands && offer) || ((blk_first_i == as_first || restored) &&
                             blk_last_i == as_last_q[blk_slot_o]));

  Rule11IsRestored_M: assert property (@(posedge clk_i) disable iff (off)
      !(offer && gone) || blk_first_i);

  if (DataDelay == 0) begin : gen_data
    logic [BlockWidth-1:0] data_q[Slots];
    logic [BlockWidth-1:0] data;
    assign data = data_q[blk_slot_o];
    always_ff @(posedge clk_i) begin
      if (offer && !blk_ready_o && !(stands && as_first == blk_first_i)) begin
        data_q[blk_slot_o] <= blk_i;
      end
    end
    Rule1DataStand_M: assert property (@(posedge clk_i) disable iff (off)
        !(stands && offer && blk_first_i == as_first) || blk_i == data);
  end

  logic [DataDelay:0] squeezes;  // [d]: accepted d clocks ago
  assign squeezes[0] = handover && !blk_first_i && last;
  if (DataDelay > 0) begin : gen_later
    always_ff @(posedge clk_i) squeezes[DataDelay:1] <= rst_i ? '0 : squeezes[DataDelay-1:0];
  end
  Rule8SqueezeIsZero_M: assert property (@(posedge clk_i) disable iff (off)
      !squeezes[DataDelay] || StateWidth'(blk_i) == '0);

  if (ZeroBetween) begin : gen_zero_between
    logic [DataDelay:0] read;  // [d]: a block was accepted d clocks ago
    assign read[0] = handover;
    if (DataDelay > 0) begin : gen_later
      always_ff @(posedge clk_i) read[DataDelay:1] <= rst_i ? '0 : read[DataDelay-1:0];
    end
    Rule12ZeroBetween_M: assert property (@(posedge clk_i) disable iff (off)
        read[DataDelay] || blk_i == '0);
  end

  if (RoundChoice) begin : gen_round_choice
    logic [Slots-1:0] twelve_q;  // the slot's message has twelve rounds
    always_ff @(posedge clk_i) begin
      if (handover) twelve_q[blk_slot_o] <= blk_i[StateWidth];
    end
    Rule13RoundsStand_M: assert property (@(posedge clk_i) disable iff (off)
        !handover || blk_first_i || blk_i[StateWidth] == twelve_q[blk_slot_o]);
  end

  ////////////////////
  // Clocks         //
  ////////////////////

  logic room_q;  // room was promised and is not used yet
  age_t waits_q;  // clocks with room in which no requested operation went on
  always_ff @(posedge clk_i) begin
    room_q <= st_ready_i && !st_valid_o && !rst_i;
    if (rst_i || !st_ready_i || st_valid_o || handover || !(|stands_q || |owed_q ||
                                                            |(here_q & last_q))) waits_q <= '0;
    else if (waits_q != age_t'(Patience)) waits_q <= waits_q + 1'b1;
  end

  Rule7RoomStands_M: assert property (@(posedge clk_i) disable iff (off) !room_q || st_ready_i);

  if (HoldsState) begin : gen_holds

    Rule6StateLeaves_A: assert property (@(posedge clk_i) disable iff (off)
        !(|owed_q || |(here_q & last_q)) || waits_q != age_t'(Patience));

    Rule7WaitsForRoom_A: assert property (@(posedge clk_i) disable iff (off)
        !st_valid_o || st_ready_i);

    Rule9BlockIsTaken_A: assert property (@(posedge clk_i) disable iff (off)
        !(|stands_q) || waits_q != age_t'(Patience));

  end else begin : gen_hands_back

    // The next block of slot i is due in this clock.
    logic [Slots-1:0] due;
    always_comb begin
      for (int unsigned i = 0; i < Slots; i++) due[i] = here_q[i] && age_q[i] == age_t'(Interval);
    end

    // A block offered then is accepted, except a `first` one after a `last` block.
    Rule11BlockIsDue_A: assert property (@(posedge clk_i) disable iff (off)
        due == '0 || (due == (Slots)'(1) << blk_slot_o &&
                      (blk_ready_o || !offer || (blk_first_i && last))));

    // In other clocks no block continues from a state that is here.
    Rule11InTime_A: assert property (@(posedge clk_i) disable iff (off)
        !(handover && here) || age == age_t'(Interval));

    // A state leaves when its next block is due or later. A state that need not leave (its block is
    // not `last`) is returned only if its next block is missed.
    Rule11HandedBack_A: assert property (@(posedge clk_i) disable iff (off)
        !leaves_here || (age_q[st_slot_o] >= age_t'(Interval) &&
                         !(due[st_slot_o] && !last_q[st_slot_o] && offer)));

    // And before its slot accepts a block again, or in the same clock if its block was not `last`.
    Rule11LeavesInTime_A: assert property (@(posedge clk_i) disable iff (off)
        !(blk_ready_o && (owed_q[blk_slot_o] || (here_q[blk_slot_o] && age > age_t'(Interval)))) ||
        (leaves_shown && leaves_here && !last));

  end

endmodule
