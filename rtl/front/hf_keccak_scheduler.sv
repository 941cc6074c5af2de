// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Block scheduler of the front end with several slots: selects the slot whose block is loaded next
// and builds the block for a rotating engine from the message, the pad's last 1 (FIPS 202, section
// 5.1) and, if the slot's state must be restored, the saved state.
//
// The engine shows its slots cyclically, one a clock, so the slot that a block meets is fixed Lead
// clocks in advance. A block is loaded word by word into a free-running shift register and is
// complete in exactly the clock in which the engine reads it. It never waits there, so the register
// needs no enable.
//
// Schedule of a load. Clock 0 is the clock of the decision. A register whose name ends in a number
// before _q holds this load's value in that clock; start_q[n] is high n clocks after a decision.
//
//   0                  the slot that is shown in clock Lead has a block: the load is decided
//   3 .. Words + 3     the words are read, and one more, because a block may begin within a word
//   7 ..               lanes after the block's end are cleared
//   9 ..               the words are shifted to lane 0, xored with the words of the saved state, if
//                      there is one, and padded
//   Lead               the block's handshake
//   Lead + DataDelay   all words are shifted in; the engine reads the block
//   Period             the successor is due, and is decided as in clock 0. If there is none, the
//                      state leaves the engine, is stored, and later returns as a first block
//                      with state ^ block
//
// Loads are at least Gap clocks apart. So states leave at least Gap clocks apart, and each can be
// stored. A new message yields to a block that will become due; after one period of refusals it
// wins, and the displaced state is restored later. So no slot starves.
//
// An open output is squeezed until it is stopped. After the stop, its next state is still permuted,
// gives no lanes, and ends the output.
//
// Every > 1: the engine accepts a block only every Every clocks, starting two clocks after reset.
// Loads are decided only in the clocks whose handshake falls into such a clock.

module hf_keccak_scheduler
  import hf_keccak_pkg::*;
  import hf_keccak_slots_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 128,  // width of the stream port, in bits
    parameter  int unsigned LoadWidth = 128,  // width of a word of a load, in bits
    parameter  int unsigned RowBits = 3,      // as in hf_keccak_input
    parameter  int unsigned Slots = 4,
    parameter  int unsigned Period = 96,     // clocks from a block to its successor in a slot
    // Clocks from st_valid_o to the state on st_o, and from handshake to blk_i.
    parameter  int unsigned DataDelay = 3,
    // Clocks between two clocks in which the engine accepts blocks.
    parameter  int unsigned Every = 1,
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned Lanes = LoadWidth / LaneWidth,
    localparam int unsigned LaneBits = $clog2(Lanes),
    localparam int unsigned AtBits = 5,  // address of a lane in a row: 32 lanes
    localparam int unsigned WordBits = AtBits - LaneBits,
    localparam int unsigned Words = (25 + Lanes - 1) / Lanes  // words of a load
) (
    input logic clk_i,
    input logic rst_i,

    // The slots' messages: as in hf_keccak_input.
    input  logic                                  begin_i,
    input  logic [SlotWidth-1:0]                  begin_slot_i,
    input  logic [         33:0]                  begin_lanes_i,
    input  logic [          5:0]                  begin_tail_i,
    input  logic                                  begin_some_i,
    input  logic                                  begin_open_i,
    input  rate_t [   Slots-1:0]                  rate_i,
    input  logic [    Slots-1:0]                  some_i,
    input  logic [    Slots-1:0]                  final_i,
    input  logic [    Slots-1:0][     AtBits-1:0] end_i,
    input  logic [    Slots-1:0]                  bad_i,
    output logic [    Slots-1:0]                  taken_o,
    output logic [    Slots-1:0]                  done_o,

    // Reads from the queue: data two clocks after the address. Reads of a saved state: one word a
    // clock, the first six clocks after restore_o; restore_slot_o is valid a clock before
    // restore_o.
    output logic [SlotWidth-1:0] read_slot_o,
    output logic [  RowBits-1:0] read_row_o,
    output logic [ WordBits-1:0] read_word_o,
    input  logic [LoadWidth-1:0] read_data_i,
    output logic                 restore_o,
    output logic [SlotWidth-1:0] restore_slot_o,
    input  logic [LoadWidth-1:0] state_data_i,

    // Stored states and outputs, from hf_keccak_output.
    input logic [Slots-1:0] stored_i,  // the slot's state has been stored
    input logic [Slots-1:0] some_out_i,  // a digest of the slot is pending
    input logic [Slots-1:0] both_out_i,  // two digests are pending: there is no room for another
    input logic error_ok_i,  // a bad message may begin: its error is within its share of the port
    input logic [Slots-1:0] stop_i,  // ends the open output of the slot's message

    // The output of the state that may leave next; valid when st_valid_o follows.
    output logic       job_o,        // the state gives output, or an error
    output logic [4:0] job_lanes_o,  // lanes of it
    output logic       job_over_o,   // they end the digest
    output logic [5:0] job_tail_o,   // bits in the last lane (0: all)
    output logic       job_bad_o,    // an error, not a digest
    output logic       job_open_o,   // part of an open output

    // The engine contract (docs/reference/contract.md).
    output logic                  blk_valid_o,
    input  logic [ SlotWidth-1:0] blk_slot_i,
    output logic                  blk_first_o,
    output logic                  blk_last_o,
    output logic [StateWidth-1:0] blk_o
);

  localparam int unsigned Lead = Words + 9 - DataDelay;  // clocks from a decision to its handshake
  // Clocks between two loads: Words + 1, rounded up to Every.
  localparam int unsigned Gap = (Words + Every) / Every * Every;
  // Clocks until the decision no longer depends on flags from before a reset.
  localparam int unsigned ResetPause = Gap + Every - 2 + (2 + (Every - 1) * Lead) % Every;
  // A block may begin in any lane of a beat.
  localparam int unsigned PortLanes = DataWidth / LaneWidth;
  // Bits of a lane's number in a beat.
  localparam int unsigned SplitBits = (PortLanes > 1) ? $clog2(PortLanes) : 1;

  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [RowBits-1:0] row_t;
  typedef logic [SplitBits-1:0] split_t;
  typedef logic [4:0] count_t;  // number of lanes of a state or of a row

  ////////////////////
  // The slots      //
  ////////////////////

  // The slot to be decided on: pick_q is one-hot; early_q is its number a clock before.
  // Slots from the one shown to the one picked in two clocks.
  localparam int unsigned Ahead = (Lead + 2) % Slots;
  // Numbers of the slot to be picked; pick_slot_q: of the one picked.
  slot_t early, early_q, pick_slot_q;
  logic [Slots-1:0] pick_q;
  assign early = (32'(blk_slot_i) + Ahead >= Slots) ? slot_t'(32'(blk_slot_i) + Ahead - Slots) :
      slot_t'(32'(blk_slot_i) + Ahead);
  always_ff @(posedge clk_i) begin
    early_q <= early;
    pick_slot_q <= early_q;
    pick_q <= Slots'(1) << early_q;
  end

  logic [Slots-1:0] begun_q;  // a block of the slot's message has been loaded
  logic [Slots-1:0] absorbed_q;  // the message's last block has been loaded
  logic [Slots-1:0] more_q;  // output remains after the states under way
  logic [Slots-1:0] flight_q;  // the slot's state is in the engine
  // Two slots only: the state has just left, and the engine needs a slot cycle.
  logic [Slots-1:0] rest_q;
  logic [Slots-1:0] leaving_q;  // the slot's state is leaving the engine
  logic [Slots-1:0] saved_q;  // the state has left and must be restored
  logic [Slots-1:0] stored_q;  // and the store holds it
  logic [Slots-1:0] whole_q;  // the next block is complete in the queue
  logic [Slots-1:0] final_q;  // and is the message's last block
  logic [Slots-1:0] on_time_q;  // may be loaded when its state is due
  logic [Slots-1:0] idle_ok_q;  // may be loaded while its state is not in the engine
  row_t [Slots-1:0] row_q;  // row of the next block
  split_t [Slots-1:0] split_q;  // and the lane in which it begins

  logic start, due;  // a load is decided; the slot's state comes back, so a block is due

  for (genvar i = 0; i < Slots; i++) begin : gen_slot
    logic mine;  // the slot is picked
    logic left_now_q;  // its state has left the engine
    logic started_q, ends_q;  // a clock late, which is early enough; its last block was loaded
    // Conditions of idle_ok_q that may be a clock old. The slot's message and its state in the
    // engine are not among them.
    logic may_begin_q, may_return_q;  // a message may begin; a displaced state may return
    assign mine = pick_q[i];
    logic taken;  // its block was loaded
    assign taken = started_q && !absorbed_q[i];

    always_ff @(posedge clk_i) begin
      started_q <= start && mine && !rst_i;
      ends_q <= final_q[i];
      taken_o[i] <= taken && !rst_i;
      whole_q[i] <= some_i[i];
      final_q[i] <= final_i[i];

      on_time_q[i] <= begun_q[i] && (absorbed_q[i] ? more_q[i] && !some_out_i[i] : whole_q[i]);
      may_begin_q <= whole_q[i] && !both_out_i[i] && (!bad_i[i] || error_ok_i);
      may_return_q <= stored_q[i] && (absorbed_q[i] ? more_q[i] : whole_q[i]);
      idle_ok_q[i] <= begun_q[i] ? saved_q[i] && may_return_q && !some_out_i[i] :
          may_begin_q && !(some_out_i[i] && leaving_q[i]);

      if (rst_i || done_o[i]) row_q[i] <= '0;
      else if (taken) row_q[i] <= row_q[i] + row_t'(1);
      if (PortLanes == 1 || rst_i || done_o[i]) split_q[i] <= '0;
      else if (taken) split_q[i] <= split_q[i] + split_t'(lanes_of(rate_i[i]));

      if (mine) rest_q[i] <= Slots == 2 && due && !start;
      if (rst_i) rest_q[i] <= 1'b0;

      flight_q[i] <= (mine && start) || (flight_q[i] && !(mine && due));

      if (started_q) begin
        begun_q[i] <= 1'b1;
        absorbed_q[i] <= absorbed_q[i] || ends_q;
        saved_q[i] <= 1'b0;
      end
      // If the message continues, these are ignored until its state leaves.
      if (mine && due) begin
        leaving_q[i] <= 1'b1;
        stored_q[i] <= 1'b0;
      end
      left_now_q <= mine && due && !start;
      if (left_now_q) saved_q[i] <= begun_q[i];
      if (stored_i[i]) begin
        stored_q[i] <= 1'b1;
        leaving_q[i] <= 1'b0;
      end
      if (done_o[i] || rst_i) begin
        begun_q[i] <= 1'b0;
        absorbed_q[i] <= 1'b0;
        saved_q[i] <= 1'b0;
      end
      if (rst_i) begin
        flight_q[i] <= 1'b0;
        leaving_q[i] <= 1'b0;
      end
    end
  end

  ////////////////////
  // Decision       //
  ////////////////////

  // start_q[n]: a load was decided n clocks ago. goes_q[n]: that, and a successor will be due.
  logic [Period+Lead:1] start_q;
  logic [Period:6] goes_q;
  logic fits_q, blocked_q;  // the loader is free; a block becomes due before it would be free again
  logic pass;  // an unused load window has passed; the loader is free again
  logic [ResetPause:0] boot_q;  // clocks since a reset
  logic on_time_pick_q, idle_pick_q;  // the picked slot: on_time_q, idle_ok_q and not in flight
  logic idle_go_q;  // a load into an idle slot may begin: it delays no due block, or is overdue
  logic blocks_q;  // blocked_q of the next clock
  logic [Slots-1:0] free_q;  // idle_ok_q, and the state is not in the engine
  // free_q, and a load of the slot may begin in the next clock, as in idle_go_q.
  logic [Slots-1:0] goes_idle_q;
  // A slot that has been refused wins at the second tick, which is about a period later.
  localparam int unsigned Due = Period / Slots;  // clocks from one slot's block to the next slot's
  // 2 ** TickBits slot cycles from a tick to the next.
  localparam int unsigned TickBits = (Due > 2) ? $clog2(Due) - 1 : 1;
  logic [TickBits-1:0] cycle_q;  // counts slot cycles
  logic tick_q;  // high for one slot cycle
  // Refused at one tick (waits_q); refused at two, so it wins (hungry).
  logic [Slots-1:0] waits_q, hungry;

  slot_t pick_slot1_q;  // pick_slot_q and idle_pick_q a clock later
  logic idle_pick1_q;

  // A separate copy of start_q[Period], because the shift register start_q may be placed far
  // away.
  hf_copy u_due (
      .clk_i,
      .d_i(start_q[Period-1] && !rst_i),
      .q_o(due)
  );
  assign start = fits_q && ((due && on_time_pick_q) || idle_go_q);

  logic [Slots-1:0] early_hot_q;  // early_q, one-hot
  // With up to three slots there is no time for another register stage.
  logic [Slots-1:0] free, goes_idle;  // free_q and goes_idle_q, or the same without their registers
  if (Slots > 3) begin : gen_registered
    logic unused_rest;
    assign unused_rest = ^{rest_q, blocked_q};
    assign free = free_q;
    assign goes_idle = goes_idle_q;
  end else begin : gen_soon
    logic unused_soon;
    assign unused_soon = ^{free_q, goes_idle_q};
    assign free = idle_ok_q & ~flight_q & ~rest_q;
    assign goes_idle = free & ({Slots{!blocked_q}} | hungry);
  end

  if (Every == 1) begin : gen_always
    assign pass = fits_q && !start;
  end else begin : gen_every
    logic [Every-1:1] pass_q;  // an unused load window, that number of clocks ago
    always_ff @(posedge clk_i) pass_q <= rst_i ? '0 : (Every-1)'({pass_q, fits_q && !start});
    assign pass = pass_q[Every-1];
  end

  logic goes;  // the load decided five clocks ago will have a successor

  always_ff @(posedge clk_i) begin
    // For the slot picked next. It was last picked at least two clocks ago, so flight_q is up to
    // date.
    early_hot_q <= Slots'(1) << early;
    on_time_pick_q <= |(early_hot_q & on_time_q);
    free_q <= idle_ok_q & ~flight_q;
    goes_idle_q <= idle_ok_q & ~flight_q & ({Slots{!blocks_q}} | hungry);
    idle_pick_q <= |(early_hot_q & free);
    idle_go_q <= |(early_hot_q & goes_idle) && !rst_i;

    start_q <= {start_q[Period+Lead-1:1], start};
    goes_q <= {goes_q[Period-1:6], goes};

    // Flags from before a reset leave the decision only after ResetPause clocks.
    boot_q <= {boot_q[ResetPause-1:0], rst_i};
    fits_q <= start_q[Gap-1] || boot_q[ResetPause] || pass;
    // A load that produces output writes back its remaining length four clocks later, through the
    // port that would read the length for a load decided in the fifth clock. That load waits a
    // clock.
    if (Gap == 5) begin
      fits_q <= (start_q[4] && !absorbed_q[(32'(pick_slot_q)+4*Slots-4)%Slots]) ||
          (start_q[5] && absorbed_q[(32'(pick_slot_q)+5*Slots-5)%Slots]) ||
          boot_q[ResetPause] || pass;
    end
    // In the clock after next, a successor is due within Gap - 1 clocks.
    blocks_q <= goes_q[Period-Gap-2] || (blocks_q && !goes_q[Period-3]);
    blocked_q <= blocks_q;

    // These registers are a clock late.
    pick_slot1_q <= pick_slot_q;
    idle_pick1_q <= idle_pick_q;
    if (pick_slot1_q == '0) begin
      cycle_q <= cycle_q + TickBits'(1);
      tick_q  <= cycle_q == '0;
    end
    for (int unsigned i = 0; i < Slots; i++) begin
      if (pick_slot1_q == slot_t'(i)) begin
        if (!idle_pick1_q || start_q[1]) {hungry[i], waits_q[i]} <= '0;
        else if (tick_q) {hungry[i], waits_q[i]} <= {waits_q[i], 1'b1};
      end
    end

    if (rst_i) begin
      start_q <= '0;
      goes_q <= '0;
      boot_q <= (ResetPause + 1)'(1);
      fits_q <= 1'b0;
      blocks_q <= 1'b0;
      blocked_q <= 1'b0;
      hungry <= '0;
      waits_q <= '0;
      cycle_q <= '0;
    end
  end

  ////////////////////
  // Output budget  //
  ////////////////////

  // The rate and the end are selected in two steps, the first in the clock of early_q.
  localparam int unsigned Near = (Slots > 4) ? 4 : 2;  // slots in the first step of the selection
  localparam int unsigned Nears = (Slots + Near - 1) / Near;
  rate_t [Nears*Near-1:0] rates;  // rate_i, padded to whole groups
  rate_t [Nears-1:0] rate0_q;  // selected in each group
  count_t [Nears*Near-1:0] ends;  // end_i, padded to whole groups
  count_t [Nears-1:0] end0_q;  // selected in each group
  assign rates = (3 * Nears * Near)'(rate_i);
  assign ends  = (5 * Nears * Near)'(end_i);
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Nears; i++) begin
      rate0_q[i] <= rates[Near*i+32'(early_q)%Near];
      end0_q[i]  <= ends[Near*i+32'(early_q)%Near];
    end
  end

  // The output of a load. Clock 1: the load's slot. Clock 2: lanes that its message still has to
  // give, less one after its first state. Clock 3: the low half, less this state's lanes. Clock 4:
  // the difference, whose sign shows the end of the output. Clock 5: the lanes that this state
  // gives.
  slot_t slot1_q, slot2_q, slot3_q, slot4_q, slot5_q;  // slot of the load
  rate_t rate1_q;  // rate of its message
  // A squeeze; the message's last block; restores a state; a bad message.
  logic squeeze1_q, final1_q, restore1_q, bad1_q;
  // Gives output (last); gives an error (bad).
  logic last2_q, last3_q, last4_q, last5_q, bad2_q, bad3_q, bad4_q, bad5_q;
  row_t row1_q;  // row of the block
  split_t split1_q;  // lane in which the block begins
  count_t end1_q;  // lane in which the message ends

  always_ff @(posedge clk_i) begin
    slot1_q <= pick_slot_q;
    rate1_q <= rate0_q[32'(pick_slot_q)/Near];
    squeeze1_q <= absorbed_q[pick_slot_q];
    final1_q <= final_q[pick_slot_q];
    restore1_q <= saved_q[pick_slot_q];
    bad1_q <= bad_i[pick_slot_q];
    row1_q <= row_q[pick_slot_q];
    split1_q <= split_q[pick_slot_q];
    end1_q <= end0_q[32'(pick_slot_q)/Near];
  end

  // Per slot, the lanes of output still to come: as requested until the first state with output,
  // then what remains. And the bits of a partial last lane, a flag that there is one (it counts as
  // a lane), and the flag of an open output, in which case the other fields are ignored. They are
  // read for the slot that is decided on next. The remaining lanes are written while no load can
  // begin.
  logic [34:0] lanes1;  // lanes of output still to come
  logic [7:0] tail1;  // open, partial lane, bits of that lane
  logic leaves, leaves_q;  // writes the remaining lanes
  slot_t lanes_slot_q;  // slot whose lanes are read or written
  logic [34:0] lanes2_q;  // the same in clock 2
  localparam int unsigned Half = 17;  // bits of the low half
  logic [34:Half] high3_q;  // high half, minuend
  logic [Half-1:0] low3_q;  // low half of the difference
  logic carry3_q;  // its carry
  logic [34:0] rest4_q;  // lanes left after this state, less one; negative: none
  // Lanes given if the output ends in this state; give5_q: lanes given.
  count_t lanes3_q, lanes4_q, give5_q;
  logic [5:0] tail2_q, tail3_q, tail4_q, tail5_q;  // bits of the last lane
  logic open2_q, open3_q, open4_q, open5_q;  // an open output
  // Adds the lane that lanes2_q does not count: the partial lane of a message's first output, or
  // the one that is subtracted from a remaining length.
  logic more2_q;
  // lanes - rate - 1 + more2_q, as one sum with more2_q as its carry.
  count_t not_rate2_q, not_rate3_q, not_rate4_q;  // ~rate, to be added
  logic unused_carry_q, unused_carry4_q;
  logic [Slots-1:0] stopped_q;  // the open output's next state ends it
  logic stopped4_q;  // the output was stopped
  // over: this state ends the output; gives: it gives output or an error.
  logic over4, over5_q, gives;
  assign over4 = open4_q ? stopped4_q : rest4_q[34];
  assign gives = start_q[5] && last5_q;
  assign goes  = start_q[5] && !(last5_q && over5_q);

  assign leaves = start_q[3] && last3_q;
  hf_ram #(
      .Width(8),
      .Depth(1 << SlotWidth)
  ) u_tails (
      .clk_i,
      .write_i     (begin_i),
      .write_addr_i(begin_slot_i),
      .write_data_i({begin_open_i, begin_some_i, begin_tail_i}),
      .read_addr_i (early_q),
      .read_data_o (tail1)
  );
  hf_ram_2w #(
      .Width(35),
      .Depth(1 << SlotWidth)
  ) u_lanes (
      .clk_i,
      .write_i     (begin_i),
      .write_addr_i(begin_slot_i),
      .write_data_i({1'b0, begin_lanes_i}),
      .put_i       (leaves_q),
      .addr_i      (lanes_slot_q),
      .put_data_i  (rest4_q),
      .read_data_o (lanes1)
  );

  always_ff @(posedge clk_i) begin
    slot2_q <= slot1_q;
    last2_q <= squeeze1_q || final1_q;
    bad2_q <= bad1_q;
    lanes2_q <= lanes1;
    {open2_q, tail2_q} <= {tail1[7], tail1[5:0]};
    more2_q <= tail1[6] || squeeze1_q;
    not_rate2_q <= ~lanes_of(rate1_q);

    leaves_q <= leaves && !rst_i;
    // Not `early`, which comes from the engine: early_q plus one slot.
    lanes_slot_q <= leaves ? slot3_q :
        ((32'(early_q) == Slots - 1) ? '0 : slot_t'(plus_one(8'(early_q))));
    slot3_q <= slot2_q;
    not_rate3_q <= not_rate2_q;
    last3_q <= last2_q;
    bad3_q <= bad2_q;
    // The lanes that this state gives if the output ends in it.
    lanes3_q <= open2_q ? '0 : (more2_q ? count_t'(plus_one(8'(lanes2_q[4:0]))) : lanes2_q[4:0]);
    {carry3_q, low3_q, unused_carry_q} <= {1'b0, lanes2_q[Half-1:0], 1'b1} +
        {1'b0, {Half - 5{1'b1}}, not_rate2_q, more2_q};
    high3_q <= lanes2_q[34:Half];
    tail3_q <= open2_q ? '0 : tail2_q;
    open3_q <= open2_q;

    slot4_q <= slot3_q;
    not_rate4_q <= not_rate3_q;
    last4_q <= last3_q;
    bad4_q <= bad3_q;
    lanes4_q <= lanes3_q;
    rest4_q[Half-1:0] <= low3_q;
    // The carry decides whether one is subtracted; again as one sum.
    {rest4_q[34:Half], unused_carry4_q} <= {high3_q, 1'b1} + {{35 - Half{1'b1}}, carry3_q};
    stopped4_q <= stopped_q[slot3_q];
    tail4_q <= tail3_q;
    open4_q <= open3_q;

    slot5_q <= slot4_q;
    last5_q <= last4_q;
    bad5_q <= bad4_q;
    give5_q <= bad4_q ? '0 : (over4 ? lanes4_q : ~not_rate4_q);
    over5_q <= over4 || bad4_q;
    tail5_q <= tail4_q;
    open5_q <= open4_q;
  end

  for (genvar i = 0; i < Slots; i++) begin : gen_done
    logic mine;  // the load in clock 5 belongs to this slot
    assign mine = gives && slot5_q == slot_t'(i);
    always_ff @(posedge clk_i) begin
      done_o[i] <= mine && over5_q && !rst_i;
      if (mine) more_q[i] <= !over5_q;
      if (rst_i || done_o[i]) stopped_q[i] <= 1'b0;
      else if (stop_i[i]) stopped_q[i] <= 1'b1;
    end
  end

  // One entry for each load, in order. It is read when the load's state may leave; st_valid_o
  // reports whether it does.
  typedef struct packed {
    logic       gives;  // output or an error
    count_t     lanes;  // lanes of it
    logic       over;  // they end the output
    logic [5:0] tail;  // bits in the last lane (0: all)
    logic       bad;  // an error
    logic       open;  // part of an open output
  } job_t;

  localparam int unsigned JobWidth = $clog2(Slots) + 2;
  job_t job6_q, job, job_q;  // written; read; read, in a register
  logic [JobWidth-1:0] job_in_q, job_out_q;  // write pointer; read pointer

  hf_ram #(
      .Width($bits(job_t)),
      .Depth(1 << JobWidth)
  ) u_jobs (
      .clk_i,
      .write_i     (start_q[6]),
      .write_addr_i(job_in_q),
      .write_data_i(job6_q),
      .read_addr_i (job_out_q),
      .read_data_o (job)
  );

  always_ff @(posedge clk_i) begin
    job6_q.gives <= last5_q;
    job6_q.lanes <= give5_q;
    job6_q.over <= over5_q;
    job6_q.tail <= tail5_q;
    job6_q.bad <= bad5_q;
    job6_q.open <= open5_q && !bad5_q;
    if (start_q[6]) job_in_q <= job_in_q + 1'b1;
    job_q <= job;  // the RAM may be placed far away
    if (start_q[Period+Lead-4]) job_out_q <= job_out_q + 1'b1;
    if (rst_i) begin
      job_in_q  <= '0;
      job_out_q <= '1;
    end
  end

  assign job_o = job_q.gives;
  assign job_lanes_o = job_q.lanes;
  assign job_over_o = job_q.over;
  assign job_tail_o = job_q.tail;
  assign job_bad_o = job_q.bad;
  assign job_open_o = job_q.open;

  ////////////////////
  // Words          //
  ////////////////////

  // The fields that a load's words need follow them: a field's number is the clock in which it is
  // valid.
  row_t row2_q;  // row of the block
  split_t [7:2] shift_q;  // lane in which the block begins
  logic [6:2] restore_q;  // a saved state is restored
  logic [6:2] final_load_q;  // the message's last block
  rate_t [5:2] rate_q;
  logic squeeze2_q;  // a squeeze
  count_t end2_q;  // lane in which the message ends
  count_t valid3_q;  // message lanes of the block; for a message's last block: of the row
  count_t end4_q;  // message lanes of the row

  // The number of words before the word in which the message (end5_q) or the pad (pad7_q) ends;
  // negative after it. And the message lanes of that word, or the lane of the pad's last 1.
  localparam int unsigned CountBits = 6 - LaneBits;  // bits of these numbers, with a sign
  logic [CountBits-1:0] end5_q, pad7_q;
  logic [LaneBits-1:0] end_lanes5_q, pad_lane7_q;
  count_t pad6_q;  // lane of the pad's last 1
  logic [Lanes-1:0] behind6_q;  // lanes of the word after the message's end
  // High if no state is restored: one copy for each FreshWidth bits of a word.
  localparam int unsigned FreshWidth = 32;  // bits for each copy
  logic [LoadWidth/FreshWidth-1:0] fresh7_q;

  assign restore_o = start_q[1] && restore1_q;
  assign restore_slot_o = pick_slot_q;

  always_ff @(posedge clk_i) begin
    row2_q <= row1_q;
    if (start_q[2]) begin
      read_slot_o <= slot2_q;
      read_row_o  <= row2_q;
      read_word_o <= '0;
    end else begin
      read_word_o <= read_word_o + WordBits'(1);
    end

    shift_q <= {shift_q[6:2], split1_q};
    restore_q <= {restore_q[5:2], restore1_q};
    final_load_q <= {final_load_q[5:2], final1_q};
    rate_q <= {rate_q[4:2], rate1_q};
    pad6_q <= count_t'(minus_one(8'(lanes_of(rate_q[5]))));
    squeeze2_q <= squeeze1_q;
    end2_q <= end1_q;
    valid3_q <= squeeze2_q ? '0 :
        (final_load_q[2] ? count_t'(plus_one(8'(end2_q))) : ~not_rate2_q);
    end4_q <= valid3_q + (final_load_q[3] ? '0 : count_t'(shift_q[3]));

    // Counted down over the words of a load, which are too few for a negative number to wrap to
    // zero.
    if (start_q[4]) {end5_q, end_lanes5_q} <= {1'b0, end4_q};
    else end5_q <= CountBits'(minus_one(8'(end5_q)));
    if (start_q[6]) begin
      {pad7_q, pad_lane7_q} <= {!final_load_q[6], pad6_q};
    end else begin
      pad7_q <= CountBits'(minus_one(8'(pad7_q)));
    end
  end

  for (genvar i = 0; i < LoadWidth / FreshWidth; i++) begin : gen_fresh
    hf_copy u_fresh (
        .clk_i,
        .d_i(start_q[6] ? !restore_q[6] : fresh7_q[i]),
        .q_o(fresh7_q[i])
    );
  end

  logic [LoadWidth-1:0] word6_q;  // read_data_i in registers: its RAM may be far away
  logic [LoadWidth-1:0] word7_q, word8_q;  // the following word, and the word itself
  logic [LoadWidth-1:0] state8_q;  // the word of the saved state, or zero
  split_t shift8_q;  // lane in which the block begins
  logic [Lanes-1:0] pad8_q;  // one-hot: the lane of the pad's last 1
  logic [LoadWidth-1:0] mixed_d, mixed_q;  // the block's word: shifted, with state and pad
  logic [Words*LoadWidth-1:0] stage_q;  // the block

  always_comb begin
    mixed_d = LoadWidth'({word7_q, word8_q} >> (LaneWidth * shift8_q)) ^ state8_q;
    for (int unsigned k = 0; k < Lanes; k++) mixed_d[LaneWidth*k+LaneWidth-1] ^= pad8_q[k];
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < Lanes; k++) begin
      behind6_q[k] <= end5_q[CountBits-1] || (end5_q == '0 && 32'(end_lanes5_q) <= k);
      pad8_q[k] <= pad7_q == '0 && 32'(pad_lane7_q) == k;
      // Written so that synthesis uses the registers' reset instead of a LUT.
      if (behind6_q[k]) word7_q[LaneWidth*k+:LaneWidth] <= '0;
      else word7_q[LaneWidth*k+:LaneWidth] <= word6_q[LaneWidth*k+:LaneWidth];
    end
    word6_q <= read_data_i;
    word8_q <= word7_q;
    for (int unsigned i = 0; i < LoadWidth / FreshWidth; i++) begin
      if (fresh7_q[i]) state8_q[FreshWidth*i+:FreshWidth] <= '0;
      else state8_q[FreshWidth*i+:FreshWidth] <= state_data_i[FreshWidth*i+:FreshWidth];
    end
    if (PortLanes == 1) shift8_q <= '0;
    else if (start_q[7]) shift8_q <= shift_q[7];
    mixed_q <= mixed_d;
    stage_q <= {mixed_q, stage_q[Words*LoadWidth-1:LoadWidth]};
  end

  assign blk_o = stage_q[StateWidth-1:0];

  ////////////////////
  // Handshake      //
  ////////////////////

  logic [Lead:1] first_q;  // the block restores or begins a message
  logic [Lead:2] last_q;  // its state gives output
  always_ff @(posedge clk_i) begin
    first_q <= {first_q[Lead-1:1], !due};
    last_q  <= {last_q[Lead-1:2], squeeze1_q || final1_q};
  end

  hf_copy u_valid (
      .clk_i,
      .d_i(start_q[Lead-1] && !rst_i),
      .q_o(blk_valid_o)
  );
  assign blk_first_o = first_q[Lead];
  assign blk_last_o  = last_q[Lead];

`ifndef HF_NO_PARAMETER_CHECKS
  if (Slots < 2 || Slots > 16) begin : gen_bad_slots
    $fatal(1, "hf_keccak_scheduler: 2 to 16 slots, not %0d", Slots);
  end
  if (Gap > Due) begin : gen_too_fast
    $fatal(1, "hf_keccak_scheduler: a block every %0d clocks, and a load takes %0d", Due, Gap);
  end
  if (Period < Lead + Gap || DataDelay > Words || Every < 1 || Period % Every != 0 ||
      Gap < ((Every > 1) ? 6 : 5)) begin : gen_bad_shape
    $fatal(1, "hf_keccak_scheduler: cannot serve %0d slots that come back in %0d clocks", Slots,
           Period);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
