// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The rules of the ports of the engines of BLAKE, Groestl, JH and Skein (docs/engines/finalists.md)
// as assertions, bound to each of them by hf_binds.sv. _A binds the engine. _M binds its driver: an
// assertion in simulation, an assumption in a proof.
//
//   "An offer stands, flags and data with it, until it is taken"
//            FinalistOfferStands_M, FinalistFlagsStand_M, FinalistDataStand_M
//   blk_slot_o, st_slot_o    FinalistSlotInRange_A
//   blk_first_i, blk_last_i  FinalistFirstBegins_M: after a reset or a last block only a first one
//   blk_size_i "the same for all blocks of a message"    FinalistSizeStays_M
//   st_valid_o "a digest is there"; "its digest leaves"
//            FinalistDigestIsOwed_A, FinalistDigestLeaves_A
//   st_valid_o "stays, with its data, until it is taken"
//            FinalistDigestStands_A, FinalistDataStays_A
//   "every slots * clocks_per_block clocks, exactly"
//            FinalistNotSooner_A, FinalistBlockIsTaken_A
//
// The benches check the digests, the values of blk_count_i, and the clocks.

module hf_finalist_contract_sva #(
    parameter  int unsigned Slots = 1,
    parameter  int unsigned Interval = 28,  // clocks of a slot's blocks: slots * clocks_per_block
    parameter  int unsigned BlockWidth = 512,
    parameter  int unsigned Width = 256,  // of the digest
    localparam int unsigned SlotWidth = (Slots > 1) ? $clog2(Slots) : 1
) (
    input logic clk_i,
    input logic rst_i,

    input logic                  blk_valid_i,
    input logic                  blk_ready_o,
    input logic [ SlotWidth-1:0] blk_slot_o,
    input logic                  blk_first_i,
    input logic                  blk_last_i,
    input logic [           1:0] blk_size_i,
    input logic [          63:0] blk_count_i,
    input logic [BlockWidth-1:0] blk_i,

    input logic                 st_valid_o,
    input logic                 st_ready_i,
    input logic [SlotWidth-1:0] st_slot_o,
    input logic [    Width-1:0] st_o
);

  // An output step and a message's beginning may take two blocks' time.
  localparam int unsigned Patience = 6 * Interval + 24;
  localparam int unsigned AgeWidth = $clog2(Patience + 1);
  localparam int unsigned MaxOwed = 3;  // digests of a slot: more than any engine owes
  typedef logic [AgeWidth-1:0] age_t;

  logic offer, handover, taken;
  assign offer = blk_valid_i;
  assign handover = blk_valid_i && blk_ready_o;
  assign taken = st_valid_o && st_ready_i;

  ////////////////////
  // Offers         //
  ////////////////////

  typedef struct packed {
    logic        first;
    logic        last;
    logic [1:0]  size;
    logic [63:0] count;
  } flags_t;

  logic [Slots-1:0] stands_q;  // an offer was made and not accepted
  logic [Slots-1:0] open_q;  // the message's last block has not been accepted
  logic [Slots-1:0][1:0] size_q;  // the message's size
  age_t [Slots-1:0] age_q;  // clocks since the last acceptance, up to a limit
  flags_t flags, flags_q[Slots];
  logic [BlockWidth-1:0] data_q[Slots];
  logic stands, open;
  assign stands = stands_q[blk_slot_o];
  assign open = open_q[blk_slot_o];
  assign flags = {blk_first_i, blk_last_i, blk_size_i, blk_count_i};

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Slots; i++) begin
      if (age_q[i] != age_t'(Patience)) age_q[i] <= age_q[i] + 1'b1;
    end
    if (offer) begin
      stands_q[blk_slot_o] <= !blk_ready_o;
      if (!stands) begin
        flags_q[blk_slot_o] <= flags;
        data_q[blk_slot_o]  <= blk_i;
      end
    end
    if (handover) begin
      open_q[blk_slot_o] <= !blk_last_i;
      size_q[blk_slot_o] <= blk_size_i;
      age_q[blk_slot_o]  <= age_t'(1);
    end
    if (rst_i) begin
      stands_q <= '0;
      open_q   <= '0;
    end
  end

  FinalistOfferStands_M: assert property (@(posedge clk_i) disable iff (rst_i) !stands || offer);

  FinalistFlagsStand_M: assert property (@(posedge clk_i) disable iff (rst_i)
      !(stands && offer) || flags == flags_q[blk_slot_o]);

  FinalistDataStand_M: assert property (@(posedge clk_i) disable iff (rst_i)
      !(stands && offer) || blk_i == data_q[blk_slot_o]);

  FinalistFirstBegins_M: assert property (@(posedge clk_i) disable iff (rst_i)
      !(offer && !open) || blk_first_i);

  FinalistSizeStays_M: assert property (@(posedge clk_i) disable iff (rst_i)
      !(offer && open && !blk_first_i) || blk_size_i == size_q[blk_slot_o]);

  FinalistSlotInRange_A: assert property (@(posedge clk_i) disable iff (rst_i)
      32'(blk_slot_o) < Slots && (!st_valid_o || 32'(st_slot_o) < Slots));

  FinalistNotSooner_A: assert property (@(posedge clk_i) disable iff (rst_i)
      !(handover && open && !blk_first_i) || age_q[blk_slot_o] >= age_t'(Interval));

  ////////////////////
  // Digests        //
  ////////////////////

  // The sizes of the digests that a slot owes, oldest first.
  // `owed`: without the digest that is taken in this clock.
  logic [Slots-1:0][$clog2(MaxOwed+1)-1:0] owed_q, owed;
  logic [1:0] owed_size_q[Slots][MaxOwed+1];
  age_t waits_q;  // clocks with room in which no requested operation went on

  always_comb begin
    owed = owed_q;
    if (taken) owed[st_slot_o] = owed_q[st_slot_o] - 1'b1;
  end

  always_ff @(posedge clk_i) begin
    owed_q <= owed;
    if (taken) begin
      for (int unsigned i = 0; i < MaxOwed; i++) begin
        owed_size_q[st_slot_o][i] <= owed_size_q[st_slot_o][i+1];
      end
    end
    if (handover && blk_last_i) begin
      owed_size_q[blk_slot_o][owed[blk_slot_o]] <= blk_size_i;
      owed_q[blk_slot_o] <= owed[blk_slot_o] + 1'b1;
    end
    if (rst_i || !st_ready_i || st_valid_o || handover || !(|stands_q || |owed_q)) waits_q <= '0;
    else if (waits_q != age_t'(Patience)) waits_q <= waits_q + 1'b1;
    if (rst_i) owed_q <= '0;
  end

  FinalistDigestIsOwed_A: assert property (@(posedge clk_i) disable iff (rst_i)
      !st_valid_o || owed_q[st_slot_o] != '0);

  FinalistDigestLeaves_A: assert property (@(posedge clk_i) disable iff (rst_i)
      !(|owed_q) || waits_q != age_t'(Patience));

  FinalistBlockIsTaken_A: assert property (@(posedge clk_i) disable iff (rst_i)
      !(|stands_q) || waits_q != age_t'(Patience));

  // Bits above a digest's size are ignored.
  logic [Width-1:0] mask, st_q;
  logic [SlotWidth-1:0] st_slot_q;
  logic waits_there_q;
  always_comb begin
    unique case (owed_size_q[st_slot_o][0])
      2'd0: mask = Width'({224{1'b1}});
      2'd1: mask = Width'({256{1'b1}});
      2'd2: mask = Width'({384{1'b1}});
      default: mask = '1;
    endcase
  end

  always_ff @(posedge clk_i) begin
    waits_there_q <= st_valid_o && !st_ready_i && !rst_i;
    if (st_valid_o) begin
      st_q <= st_o;
      st_slot_q <= st_slot_o;
    end
  end

  FinalistDigestStands_A: assert property (@(posedge clk_i) disable iff (rst_i)
      !waits_there_q || (st_valid_o && st_slot_o == st_slot_q));

  FinalistDataStays_A: assert property (@(posedge clk_i) disable iff (rst_i)
      !(waits_there_q && st_valid_o) || ((st_o ^ st_q) & mask) == '0);

endmodule
