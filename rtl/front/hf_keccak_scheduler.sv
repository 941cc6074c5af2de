// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Block scheduling: from the slots' queues to a rotating engine. Decides which slot's block goes
// next, and makes the block, with the pad's last 1 (FIPS 202, section 5.1) and the saved state
// where one comes back in.
//
// The engine shows its slots cyclically, one a clock, so it is known Lead clocks beforehand which
// slot a block will meet. A block is loaded word by word into a free-running register and is
// complete in just the clock in which the engine reads it: nothing waits in it, and it needs no
// enable.
//
// Schedule of a load, clock by clock:
//
//   0                  the slot that will be shown in clock Lead has a block: decided
//   3 .. Words + 3     words are read, and one more, since a block may begin within a word
//   7 ..               what is behind the block's lanes is made zero
//   9 ..               moved to lane 0, mixed with the saved state's words, if there is one, and
//                      padded
//   Lead               the block's handshake
//   Lead + DataDelay   all words are shifted in; the engine reads the block
//   Period             its successor is due: decided again. If there is none, the state leaves, is
//                      stored, and comes back in as a first block with state ^ block
//
// Loads are Gap clocks apart, so states leave that far apart too, and each can be stored. A new
// message does not begin where it would take the place of a block that will be due; one that has
// been refused for long does, and that block's state comes back later: nothing starves.
//
// An output that runs until it is stopped is squeezed further; once stopped, its next state is
// still permuted, gives no lanes, and ends the output.
//
// Every > 1: the engine takes blocks in one clock of so many, first in the second clock behind the
// reset. Loads are decided in just those clocks that meet such a one.

module hf_keccak_scheduler
  import hf_keccak_pkg::*;
  import hf_keccak_slots_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 128,  // of the port
    parameter  int unsigned LoadWidth = 128,  // of a word
    parameter  int unsigned RowBits = 3,      // hf_keccak_input's
    parameter  int unsigned Slots = 4,
    parameter  int unsigned Period = 96,     // clocks from a block to its successor in a slot
    parameter  int unsigned DataDelay = 3,
    parameter  int unsigned Every = 1,       // clocks from one that takes blocks to the next
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned Lanes = LoadWidth / LaneWidth,
    localparam int unsigned LaneBits = $clog2(Lanes),
    localparam int unsigned AtBits = 5,  // lanes of a row, 32
    localparam int unsigned WordBits = AtBits - LaneBits,
    localparam int unsigned Words = (25 + Lanes - 1) / Lanes
) (
    input logic clk_i,
    input logic rst_i,

    // The slots' messages, from hf_keccak_input.
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

    // The queue: data two clocks behind the address. The saved states: words one a clock, the first
    // six clocks behind restore_o; the slot a clock before.
    output logic [SlotWidth-1:0] read_slot_o,
    output logic [  RowBits-1:0] read_row_o,
    output logic [ WordBits-1:0] read_word_o,
    input  logic [LoadWidth-1:0] read_data_i,
    output logic                 restore_o,
    output logic [SlotWidth-1:0] restore_slot_o,
    input  logic [LoadWidth-1:0] state_data_i,

    // State write-back and results, from hf_keccak_output.
    input logic [Slots-1:0] stored_i,  // the slot's state has been stored
    input logic [Slots-1:0] some_out_i,  // a digest of the slot is on its way out
    input logic [Slots-1:0] both_out_i,  // two are: there is no room for one more
    input logic error_ok_i,  // a wrong message may begin: it has no claim to a share of the port
    input logic [Slots-1:0] stop_i,  // the open output of the slot's message is to end

    // What a state that is about to leave will give; counts when st_valid_o follows.
    output logic       job_o,        // a digest, namely
    output logic [4:0] job_lanes_o,  // these lanes of it,
    output logic       job_over_o,   // which end it,
    output logic [5:0] job_tail_o,   // with this many bits in the last (0: all),
    output logic       job_bad_o,    // or an error
    output logic       job_open_o,   // it is of an output that runs until it is stopped

    // The engine's contract.
    output logic                  blk_valid_o,
    input  logic [ SlotWidth-1:0] blk_slot_i,
    output logic                  blk_first_o,
    output logic                  blk_last_o,
    output logic [StateWidth-1:0] blk_o
);

  localparam int unsigned Lead = Words + 9 - DataDelay;
  localparam int unsigned Gap = (Words + Every) / Every * Every;  // Words + 1, or a little more
  // Until the decision has forgotten what the queues said before a reset.
  localparam int unsigned ResetPause = Gap + Every - 2 + (2 + (Every - 1) * Lead) % Every;
  // A block may begin in any lane of a beat.
  localparam int unsigned PortLanes = DataWidth / LaneWidth;
  localparam int unsigned SplitBits = (PortLanes > 1) ? $clog2(PortLanes) : 1;

  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [RowBits-1:0] row_t;
  typedef logic [SplitBits-1:0] split_t;
  typedef logic [4:0] count_t;  // lanes of a state, or of a row

  ////////////////////
  // The slots      //
  ////////////////////

  // The slot that is decided on: pick_q one-hot, and the same a clock before in early_q.
  localparam int unsigned Ahead = (Lead + 2) % Slots;
  slot_t early, early_q, pick_slot_q;
  logic [Slots-1:0] pick_q;
  assign early = (32'(blk_slot_i) + Ahead >= Slots) ? slot_t'(32'(blk_slot_i) + Ahead - Slots) :
      slot_t'(32'(blk_slot_i) + Ahead);
  always_ff @(posedge clk_i) begin
    early_q <= early;
    pick_slot_q <= early_q;
    pick_q <= Slots'(1) << early_q;
  end

  logic [Slots-1:0] begun_q;  // a block of the message has been loaded
  logic [Slots-1:0] absorbed_q;  // its last one has
  logic [Slots-1:0] more_q;  // there is more output than that of the states under way
  logic [Slots-1:0] flight_q;  // in the engine
  logic [Slots-1:0] rest_q;  // has just left; with two slots the engine needs a slot cycle between
  logic [Slots-1:0] leaving_q;  // its state is on its way out of the engine
  logic [Slots-1:0] saved_q;  // the state has left and is to come back in
  logic [Slots-1:0] stored_q;  // and is there to be read
  logic [Slots-1:0] whole_q;  // the next block is in the queue
  logic [Slots-1:0] final_q;  // and is the message's last; afterwards none is there
  logic [Slots-1:0] on_time_q;  // may be loaded when it is due
  logic [Slots-1:0] idle_ok_q;  // may be loaded when the slot is empty
  row_t [Slots-1:0] row_q;  // where the next block is,
  split_t [Slots-1:0] split_q;  // from this lane on

  logic start, due;  // a block is loaded; one is due

  for (genvar i = 0; i < Slots; i++) begin : gen_slot
    logic mine;
    logic left_now_q;
    logic started_q, ends_q;  // a clock behind, as nothing asks for it sooner; its last block
    // Of idle_ok_q, what may be a clock old: that there is no message in the slot or none in the
    // engine is not in it.
    logic may_begin_q, may_return_q;
    assign mine = pick_q[i];
    logic taken;
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
      // If it goes on, this counts for nothing until it leaves.
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

  // start_q[n]: a load was decided n clocks ago. goes_q[n]: and a successor will be due.
  logic [Period+Lead:1] start_q;
  logic [Period:6] goes_q;
  logic fits_q, blocked_q;  // the loader is free; a block will be due before it is free again
  logic pass;  // the loader has been free, to no one's use, and is again
  logic [ResetPause:0] boot_q;  // the clocks behind a reset
  logic on_time_pick_q, idle_pick_q;
  logic idle_go_q;  // an empty slot may begin: it is in no one's way, or hungry
  logic blocks_q;  // the same a clock sooner
  logic [Slots-1:0] free_q;  // idle_ok_q, and not in flight
  logic [Slots-1:0] goes_idle_q;  // and in no one's way in the next clock, or hungry
  // A slot that has been refused goes first at the second tick, which is about a period later.
  localparam int unsigned Due = Period / Slots;  // clocks from a block to another slot's
  localparam int unsigned TickBits = (Due > 2) ? $clog2(Due) - 1 : 1;  // slot cycles to the next
  logic [TickBits-1:0] cycle_q;
  logic tick_q;  // a slot cycle long
  logic [Slots-1:0] waits_q, hungry;

  slot_t pick_slot1_q;
  logic idle_pick1_q;

  // Beside the places of start_q, which go wherever a chain of registers finds room.
  hf_copy u_due (
      .clk_i,
      .d_i(start_q[Period-1] && !rst_i),
      .q_o(due)
  );
  assign start = fits_q && ((due && on_time_pick_q) || idle_go_q);

  logic [Slots-1:0] early_hot_q;  // the same as early_q
  // Up to three slots come round too soon for a register more.
  logic [Slots-1:0] free, goes_idle;
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
    logic [Every-1:1] pass_q;
    always_ff @(posedge clk_i) pass_q <= rst_i ? '0 : (Every-1)'({pass_q, fits_q && !start});
    assign pass = pass_q[Every-1];
  end

  logic goes;  // the load decided five clocks ago will have a successor

  always_ff @(posedge clk_i) begin
    // Of the slot to be picked next. It was picked last two clocks ago or more, so flight_q knows.
    early_hot_q <= Slots'(1) << early;
    on_time_pick_q <= |(early_hot_q & on_time_q);
    free_q <= idle_ok_q & ~flight_q;
    goes_idle_q <= idle_ok_q & ~flight_q & ({Slots{!blocks_q}} | hungry);
    idle_pick_q <= |(early_hot_q & free);
    idle_go_q <= |(early_hot_q & goes_idle) && !rst_i;

    start_q <= {start_q[Period+Lead-1:1], start};
    goes_q <= {goes_q[Period-1:6], goes};

    // What the queues said before a reset takes some clocks to be gone from the decision.
    boot_q <= {boot_q[ResetPause-1:0], rst_i};
    fits_q <= start_q[Gap-1] || boot_q[ResetPause] || pass;
    // Of a load that gives output, what is left is written four clocks behind it, by the port that
    // would be read for one decided in the fifth: that one waits a clock.
    if (Gap == 5) begin
      fits_q <= (start_q[4] && !absorbed_q[(32'(pick_slot_q)+4*Slots-4)%Slots]) ||
          (start_q[5] && absorbed_q[(32'(pick_slot_q)+5*Slots-5)%Slots]) ||
          boot_q[ResetPause] || pass;
    end
    // A successor is due in Gap - 1 clocks and less: of the clock after the next.
    blocks_q <= goes_q[Period-Gap-2] || (blocks_q && !goes_q[Period-3]);
    blocked_q <= blocks_q;

    // A clock behind.
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
  // What it gives  //
  ////////////////////

  // A slot's rate and end are chosen in two steps, the first of them beside early_q.
  localparam int unsigned Near = (Slots > 4) ? 4 : 2;
  localparam int unsigned Nears = (Slots + Near - 1) / Near;
  rate_t [Nears*Near-1:0] rates;
  rate_t [Nears-1:0] rate0_q;
  count_t [Nears*Near-1:0] ends;
  count_t [Nears-1:0] end0_q;
  assign rates = (3 * Nears * Near)'(rate_i);
  assign ends  = (5 * Nears * Near)'(end_i);
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Nears; i++) begin
      rate0_q[i] <= rates[Near*i+32'(early_q)%Near];
      end0_q[i]  <= ends[Near*i+32'(early_q)%Near];
    end
  end

  // Clock 1: the load's slot. Clock 2: the output that its message is still to give, in lanes less
  // one behind its first state, so that a sign tells of its end.
  // Clock 4: less this state's, of which clock 3 has the low half. Clock 5: what this state gives.
  slot_t slot1_q, slot2_q, slot3_q, slot4_q, slot5_q;
  rate_t rate1_q;
  logic squeeze1_q, final1_q, restore1_q, bad1_q;
  logic last2_q, last3_q, last4_q, last5_q, bad2_q, bad3_q, bad4_q, bad5_q;
  row_t row1_q;
  split_t split1_q;
  count_t end1_q;

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

  // Of each slot, the lanes of output still to come: what its message asked for, until a state has
  // given some. Of a lane in part, the bits, and whether there are some (then it counts as a lane);
  // whether the output is open: then none of these means a thing. They are read of the slot that is
  // to be decided on next; what is left is written while no load can begin.
  logic [34:0] lanes1;
  logic [7:0] tail1;
  logic leaves, leaves_q;
  slot_t lanes_slot_q;
  logic [34:0] lanes2_q;
  localparam int unsigned Half = 17;
  logic [34:Half] high3_q;
  logic [Half-1:0] low3_q;
  logic carry3_q;
  logic [34:0] rest4_q;  // less one; negative: nothing
  count_t lanes3_q, lanes4_q, give5_q;
  logic [5:0] tail2_q, tail3_q, tail4_q, tail5_q;
  logic open2_q, open3_q, open4_q, open5_q;
  // Of the first state's lanes the last is not subtracted, and counts where the output ends in it.
  logic more2_q;
  // lanes - rate - 1 + more as one sum, with the last as its carry.
  count_t not_rate2_q, not_rate3_q, not_rate4_q;
  logic unused_carry_q, unused_carry4_q;
  logic [Slots-1:0] stopped_q;  // the open output's next state is to end it
  logic stopped4_q;
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
    // Not `early`, which comes from the engine: after early_q comes the next one.
    lanes_slot_q <= leaves ? slot3_q :
        ((32'(early_q) == Slots - 1) ? '0 : slot_t'(plus_one(8'(early_q))));
    slot3_q <= slot2_q;
    not_rate3_q <= not_rate2_q;
    last3_q <= last2_q;
    bad3_q <= bad2_q;
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
    // Less one, but for a carry, as one sum too.
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
    logic mine;
    assign mine = gives && slot5_q == slot_t'(i);
    always_ff @(posedge clk_i) begin
      done_o[i] <= mine && over5_q && !rst_i;
      if (mine) more_q[i] <= !over5_q;
      if (rst_i || done_o[i]) stopped_q[i] <= 1'b0;
      else if (stop_i[i]) stopped_q[i] <= 1'b1;
    end
  end

  // One entry a load, in order; read when its state may leave, which st_valid_o says.
  typedef struct packed {
    logic       gives;
    count_t     lanes;
    logic       over;
    logic [5:0] tail;
    logic       bad;
    logic       open;
  } job_t;

  localparam int unsigned JobWidth = $clog2(Slots) + 2;
  job_t job6_q, job, job_q;
  logic [JobWidth-1:0] job_in_q, job_out_q;

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
    job_q <= job;  // from a RAM that may be far away
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

  // What the words are to become follows them: a field's number is the clock that it is valid in.
  row_t row2_q;
  split_t [7:2] shift_q;
  logic [6:2] restore_q;
  logic [6:2] final_load_q;
  rate_t [5:2] rate_q;
  logic squeeze2_q;
  count_t end2_q;
  count_t valid3_q;  // lanes with message: of the block, or, of a message's last one, of the row
  count_t end4_q;  // of the row

  // Words in front of the one that the message, or the pad, ends in; negative: behind it. The lanes
  // of that word.
  localparam int unsigned CountBits = 6 - LaneBits;
  logic [CountBits-1:0] end5_q, pad7_q;
  logic [LaneBits-1:0] end_lanes5_q, pad_lane7_q;
  count_t pad6_q;  // the lane that the pad ends in
  logic [Lanes-1:0] behind6_q;  // lanes that are behind the message's end in the block
  // No state comes back in: a copy for so many bits of a word.
  localparam int unsigned FreshWidth = 32;
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

    // Counted down over the words of a load, which are too few for a negative number to come round
    // to zero.
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

  logic [LoadWidth-1:0] word6_q;  // out of the RAM, which may be far away
  logic [LoadWidth-1:0] word7_q, word8_q;  // the word behind, and the word
  logic [LoadWidth-1:0] state8_q;
  split_t shift8_q;
  logic [Lanes-1:0] pad8_q;  // the lane with the pad's last 1
  logic [LoadWidth-1:0] mixed_d, mixed_q;
  logic [Words*LoadWidth-1:0] stage_q;

  always_comb begin
    mixed_d = LoadWidth'({word7_q, word8_q} >> (LaneWidth * shift8_q)) ^ state8_q;
    for (int unsigned k = 0; k < Lanes; k++) mixed_d[LaneWidth*k+LaneWidth-1] ^= pad8_q[k];
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < Lanes; k++) begin
      behind6_q[k] <= end5_q[CountBits-1] || (end5_q == '0 && 32'(end_lanes5_q) <= k);
      pad8_q[k] <= pad7_q == '0 && 32'(pad_lane7_q) == k;
      // Written so that it becomes the registers' reset, and no LUT.
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

  logic [Lead:1] first_q;
  logic [Lead:2] last_q;
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
