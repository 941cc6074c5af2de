// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// State of a sponge, accessed in words of 32 bits, around hf_keccak_iterative: 50 words in a ring,
// of which the word at the head can be read, changed and passed.
//
//   word_o     word `at_o` of the state, 0 .. 49
//   step_i     passes the word, and
//   change_i   before that clears the bytes `clear_i` of it and adds `add_i`
//   permute_i  at word 0 only: state := f(state); done_o about 26 clocks later, at word 0 again
//   wipe_i     state := 0; ready_o is low until all of the old state is cleared
//
// The ring is a shift register. Its words are written at one end and read at the other, so 1600
// flip-flops need a LUT only for one word. The engine gets all of it as a first block, and a
// permuted state stays in the engine: its words enter the ring when they are passed. `stale_q`:
// words from `at_o` on are in the engine. `head_q`: except the word at the head, which was changed.
// So the state can be read and written at any time, and a block needs no separate buffer.
//
// Beyond the engine contract, this module requires that st_o stays valid until the next block is
// accepted, as it does in hf_keccak_iterative.

module hf_keccak_ring
  import hf_keccak_pkg::*;
(
    input logic clk_i,
    input logic rst_i,

    output logic [ 5:0] at_o,
    output logic [31:0] word_o,
    input  logic        step_i,
    input  logic        change_i,
    input  logic [ 3:0] clear_i,
    input  logic [31:0] add_i,

    input  logic permute_i,  // held until done_o, with no other input high
    output logic done_o,
    input  logic wipe_i,     // overrides all other inputs
    output logic ready_o     // while low, only wipe_i may be high
);

  localparam int unsigned NumWords = StateWidth / 32;

  logic [NumWords-1:0][31:0] ring_q;
  logic [5:0] at_q;
  logic stale_q, head_q;
  logic at_end;

  logic [NumWords-1:0][31:0] st;
  logic blk_valid, blk_ready, st_valid, wiping_q, accepted_q, discard_q;

  // One-hot selection of the engine's word: two words a LUT4, where an indexed multiplexer takes
  // one.
  logic [NumWords-1:0] here_q;
  logic [31:0] engine_word, word, changed;
  always_comb begin
    engine_word = '0;
    for (int unsigned i = 0; i < NumWords; i++) engine_word |= st[i] & {32{here_q[i]}};
  end
  assign word = (stale_q && !head_q) ? engine_word : ring_q[0];

  always_ff @(posedge clk_i) begin
    if (done_o) here_q <= NumWords'(1);
    else if (step_i) here_q <= here_q << 1;
  end

  for (genvar b = 0; b < 4; b++) begin : gen_byte
    assign changed[8*b+:8] =
        (word[8*b+:8] & {8{!(change_i && clear_i[b])}}) ^ (add_i[8*b+:8] & {8{change_i}});
  end
  assign at_end = at_q == 6'(NumWords - 1);

  always_ff @(posedge clk_i) begin
    if (wipe_i) ring_q <= '0;
    else begin
      if (step_i) begin
        for (int unsigned i = 1; i < NumWords - 1; i++) ring_q[i] <= ring_q[i+1];
        ring_q[NumWords-1] <= changed;
      end
      if (step_i) ring_q[0] <= ring_q[1];
      else if (change_i) ring_q[0] <= changed;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || wipe_i) begin
      at_q    <= '0;
      stale_q <= 1'b0;
      head_q  <= 1'b0;
    end else if (done_o) begin
      stale_q <= 1'b1;
    end else if (step_i) begin
      at_q   <= at_end ? '0 : at_q + 6'd1;
      head_q <= 1'b0;
      if (at_end) stale_q <= 1'b0;
    end else if (change_i) begin
      head_q <= 1'b1;
    end
  end

  // A wipe resets the engine, so that its next block is accepted at once, and overwrites its state
  // with a block of zeros. The state that results is discarded.
  assign blk_valid = wiping_q || (permute_i && !accepted_q);
  assign done_o = st_valid && !discard_q;
  assign ready_o = !wiping_q;

  always_ff @(posedge clk_i) begin
    if (wipe_i) wiping_q <= 1'b1;
    else if (rst_i || blk_ready) wiping_q <= 1'b0;

    if (rst_i || wipe_i || done_o) accepted_q <= 1'b0;
    else if (permute_i && blk_ready) accepted_q <= 1'b1;

    if (rst_i || wipe_i) discard_q <= 1'b0;
    else if (wiping_q && blk_ready) discard_q <= 1'b1;
    else if (st_valid) discard_q <= 1'b0;
  end

  assign at_o   = at_q;
  assign word_o = word;

  logic unused_slot, blk_slot, st_slot;
  assign unused_slot = ^{blk_slot, st_slot};

  hf_keccak_iterative u_engine (
      .clk_i,
      .rst_i      (rst_i || wipe_i),
      .blk_valid_i(blk_valid),
      .blk_ready_o(blk_ready),
      .blk_slot_o (blk_slot),
      .blk_first_i(1'b1),
      .blk_last_i (1'b1),
      .blk_i      (ring_q),
      .st_valid_o (st_valid),
      .st_ready_i (1'b1),
      .st_slot_o  (st_slot),
      .st_o       (st)
  );

endmodule
