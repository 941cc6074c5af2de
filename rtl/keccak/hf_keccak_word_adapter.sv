// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// hf_keccak_iterative as an engine of the word contract (docs/reference/word-contract.md), which
// has the rules of the ports.
//
//   WordWidth       bits of a word: 8, 16, 32 or 64. W = 1600 / WordWidth words
//   RoundsPerClock  of the engine, which takes N = 24 / RoundsPerClock clocks a permutation
//
// The words are in a ring, a shift register: written at one end and read at the other, so 1600
// flip-flops need a LUT only for one word. An operation is on the word at the head, which it
// passes, or on the word that was passed last. So words in ascending order take one clock each, a
// word can be read and then added to, and for any other word the ring turns.
//
//   add, read  wait W - 1 clocks at most; none for the next word, and for the same again
//   permute    waits until word 0 is at the head, W - 1 clocks at most; if N >= 3, a clock more
//   wipe       waits 2 clocks; 1 if N < 3
//
// The engine gets the whole ring as a first block, the ring is cleared, and the permuted state
// stays in the engine: its words enter the ring when they are passed. `engine_q` selects the word
// at the head if it is in the engine, so it and all words up to W - 1 are zero in the ring. A
// permutation before the first word has been passed is a squeeze, with the ring as its zero block.
// From permute to permute that is N + 2 clocks (N + 1 if N < 3), and one more if the first of them
// took the ring.
//
// No operation is accepted during a permutation. A wipe clears the ring and the engine's state,
// which is what a first block of zeros does. The engine is then reset, which ends that block.
//
// Beyond the engine contract, this module requires that a first block clears the state, that st_o
// then keeps it through a reset, and that st_o stays valid after st_valid_o until the next block is
// accepted: so it is in hf_keccak_iterative.

module hf_keccak_word_adapter
  import hf_keccak_pkg::*;
  import hf_keccak_word_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,      // 8, 16, 32 or 64
    parameter  int unsigned RoundsPerClock = 1,  // 1, 2, 3, 4, 6, 8, 12 or 24
    // Not for users: the width if it is legal, and what follows from it.
    localparam int unsigned Width = word_width_legal(WordWidth) ? WordWidth : 32,
    localparam int unsigned NumWords = state_words(Width),
    localparam int unsigned AddressWidth = word_address_width(Width)
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                    op_valid_i,
    output logic                    op_ready_o,
    input  logic [             1:0] op_i,
    input  logic [AddressWidth-1:0] op_addr_i,
    input  logic [     Width/8-1:0] op_bytes_i,
    input  logic [       Width-1:0] op_word_i,
    output logic [       Width-1:0] word_o
);

`ifndef HF_NO_PARAMETER_CHECKS
  if (!word_width_legal(WordWidth)) begin : gen_no_width
    $fatal(1, "hf_keccak_word_adapter: WordWidth is 8, 16, 32 or 64, not %0d", WordWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

  typedef logic [AddressWidth-1:0] address_t;
  localparam address_t LastWord = address_t'(NumWords - 1);

  logic blk_valid, blk_ready, st_valid;
  logic [NumWords-1:0][Width-1:0] st;

  ////////////////////
  // Control        //
  ////////////////////

  address_t head_q;  // the word at the head
  address_t passed_q;  // the word before it
  logic busy_q;  // a permutation was accepted, and its state has not been seen
  logic wiping_q;  // the ring is zero, and the engine gets a block of zeros
  logic wiped_q;  // it has accepted that, and is reset
  logic fresh;  // all of the state is in the engine

  logic idle, at_head, at_passed, begins, clears, wiped;
  logic add, permute, wipe, word_op;
  logic turn;  // the word at the head is passed

  assign add = op_valid_i && op_i == WordAdd;
  assign permute = op_valid_i && op_i == WordPermute;
  assign wipe = op_valid_i && op_i == WordWipe;
  assign word_op = op_valid_i && (op_i == WordAdd || op_i == WordRead);

  assign idle = !busy_q || st_valid;
  assign at_head = op_addr_i == head_q;
  assign at_passed = word_op && op_addr_i == passed_q && !fresh;
  assign turn = idle && ((word_op && !at_passed) || (permute && head_q != '0));

  assign blk_valid = wiping_q || (permute && idle && head_q == '0 && !wiped_q);
  assign begins = blk_ready && !wiping_q;
  assign clears = wipe && idle;
  assign wiped = blk_ready && wiping_q;

  always_comb begin
    unique case (op_i)
      WordPermute: op_ready_o = begins;
      WordWipe: op_ready_o = wiped;
      default: op_ready_o = idle && (at_head || at_passed);
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || clears) begin
      head_q   <= '0;
      passed_q <= LastWord;
    end else if (turn) begin
      head_q   <= (head_q == LastWord) ? '0 : head_q + 1'b1;
      passed_q <= head_q;
    end
    if (rst_i) begin
      busy_q   <= 1'b0;
      wiping_q <= 1'b0;
      wiped_q  <= 1'b0;
    end else begin
      busy_q   <= begins || !idle;
      wiping_q <= wiping_q ? !blk_ready : clears;
      wiped_q  <= wiped;
    end
  end

  ////////////////////
  // Words          //
  ////////////////////

  logic [NumWords-1:0][Width-1:0] ring_q;  // [0]: the head
  logic [NumWords-1:0] engine_q;
  logic [Width-1:0] head, word;
  assign fresh = engine_q[0];

  // One-hot selection: two words a LUT4, where an indexed multiplexer takes one.
  always_comb begin
    head = ring_q[0];
    for (int unsigned i = 0; i < NumWords; i++) head |= st[i] & {Width{engine_q[i]}};
  end
  assign word   = at_passed ? ring_q[NumWords-1] : head;
  assign word_o = word;

  always_ff @(posedge clk_i) begin
    if (rst_i || clears) engine_q <= '0;
    else if (begins) engine_q <= NumWords'(1);
    else if (turn) engine_q <= engine_q << 1;
  end

  // op_word_i is zero in the bytes that are not added to.
  logic unused_bytes;
  assign unused_bytes = ^op_bytes_i;

  logic writes;  // the word passed last is written: it is passed, or added to
  assign writes = turn || (idle && add && at_passed);

  logic [Width-1:0] changed;
  assign changed = word ^ (op_word_i & {Width{add && (at_head || at_passed)}});

  always_ff @(posedge clk_i) begin
    if (begins || clears) ring_q <= '0;
    else begin
      if (turn) for (int unsigned i = 0; i < NumWords - 1; i++) ring_q[i] <= ring_q[i+1];
      if (writes) ring_q[NumWords-1] <= changed;
    end
  end

  ////////////////////
  // Engine         //
  ////////////////////

  logic unused_slot, blk_slot, st_slot;
  assign unused_slot = ^{blk_slot, st_slot};

  hf_keccak_iterative #(
      .RoundsPerClock(RoundsPerClock)
  ) u_engine (
      .clk_i,
      .rst_i      (rst_i || wiped_q),
      .blk_valid_i(blk_valid),
      .blk_ready_o(blk_ready),
      .blk_slot_o (blk_slot),
      .blk_first_i(!fresh),
      .blk_last_i (1'b1),
      .blk_i      (ring_q),
      .st_valid_o (st_valid),
      .st_ready_i (1'b1),
      .st_slot_o  (st_slot),
      .st_o       (st)
  );

endmodule
