// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The copy of a state of the Keccak peripheral: `keep` makes it at the end of a block of a message,
// and messages that begin with the same blocks go on from it after `recall`. The module is between
// the sponge and the engine, on the ports of the word contract (docs/reference/word-contract.md),
// and has a memory with the words of a state.
//
// Keep: when all words of the message before it are absorbed, the words of the state are read. Inside
// a block nothing is read, and the hash goes on.
//
// Recall: the state of the new hash is zero, so the copy is added to it. A word of the copy is added
// with the first add of the sponge to the same word, and before an add to a later word; what is left
// of the copy comes before the sponge's first operation of another kind. So the engine gets each word
// once, in ascending order, and the copy of a message's words takes no clock.
//
// After a reset and `clear` there is no copy, and its words are overwritten with zeros, one a clock;
// `keep` waits for that.
//
// Timing: with W words, a keep takes 5 clocks and W reads of the engine; a recall takes W adds, of
// which those to words of the message are the message's own.

module hf_keccak_regs_prefix
  import hf_keccak_word_pkg::*;
  import hf_keccak_regs_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,                             // 8, 16, 32 or 64
    localparam int unsigned KeepWidth = WordWidth / 8,
    localparam int unsigned AddrWidth = word_address_width(WordWidth)
) (
    input logic clk_i,
    input logic rst_i,
    input logic clear_i, // drops the copy
    input logic abort_i, // the sponge and the engine are reset: a recall ends, the copy stays

    input logic [4:0] function_code_i,  // of CONFIG

    // Commands that take effect in this clock: `recall` only if there is a copy of this function.
    input  logic  keep_i,
    input  logic  recall_i,
    output copy_t copy_o,

    // A keep, from the clock after the command on.
    input  logic  drained_i,    // no message word is on its way to the sponge
    input  logic  block_end_i,  // the sponge is at the beginning of a block
    output keep_t keep_o,

    // From the sponge.
    input  logic                 sponge_valid_i,
    output logic                 sponge_ready_o,
    input  word_op_e             sponge_op_i,
    input  logic [AddrWidth-1:0] sponge_addr_i,
    input  logic [KeepWidth-1:0] sponge_bytes_i,
    input  logic [WordWidth-1:0] sponge_word_i,

    // To the engine.
    output logic                 op_valid_o,
    input  logic                 op_ready_i,
    output word_op_e             op_o,
    output logic [AddrWidth-1:0] op_addr_o,
    output logic [KeepWidth-1:0] op_bytes_o,
    output logic [WordWidth-1:0] op_word_o,
    input  logic [WordWidth-1:0] word_i
);

  localparam int unsigned NumWords = state_words(WordWidth);

  logic word_moves;  // the word at word_addr_q: it is read, added or overwritten in this clock
  logic last_moves;  // and it is the last one
  logic adds_q;  // words of the copy are still to be added
  logic [AddrWidth-1:0] word_addr_q;
  assign last_moves = word_moves && word_addr_q == AddrWidth'(NumWords - 1);
  always_ff @(posedge clk_i) begin
    if (rst_i || clear_i || last_moves || (abort_i && adds_q)) word_addr_q <= '0;
    else word_addr_q <= word_addr_q + AddrWidth'(word_moves);
  end

  ////////////////////
  // Keep           //
  ////////////////////

  logic wipes_q;  // the words of the memory are overwritten
  logic waits_q;  // a keep waits for the words of the message, and for the memory
  logic absorbed_q;  // all words of the message are added, and permuted if the block is full
  logic reads_q;  // the words of the state are read
  logic completes_q;  // all of them have been
  logic goes_ahead;  // the waiting keep begins
  assign goes_ahead = waits_q && absorbed_q && !wipes_q && block_end_i;
  assign keep_o.busy = waits_q || reads_q || completes_q;
  assign keep_o.completes = completes_q;
  assign keep_o.refused = waits_q && absorbed_q && !wipes_q && !block_end_i;

  always_ff @(posedge clk_i) begin
    if (rst_i || clear_i) begin
      wipes_q     <= 1'b1;
      waits_q     <= 1'b0;
      absorbed_q  <= 1'b0;
      reads_q     <= 1'b0;
      completes_q <= 1'b0;
      adds_q      <= 1'b0;
    end else begin
      wipes_q     <= wipes_q && !last_moves;
      waits_q     <= keep_i || (waits_q && !keep_o.refused && !(goes_ahead && !adds_q));
      absorbed_q  <= waits_q && drained_i && !sponge_valid_i;
      reads_q     <= (goes_ahead && !adds_q) || (reads_q && !last_moves);
      completes_q <= reads_q && last_moves;
      adds_q      <= recall_i || (adds_q && !last_moves && !abort_i);
    end
  end

  logic kept_q;  // there is a copy
  logic [4:0] function_code_q;  // of which function
  logic [23:0] number_q;  // of the copy
  assign copy_o.kept = kept_q;
  assign copy_o.of_function = function_code_q == function_code_i;
  assign copy_o.number = kept_q ? number_q : '0;
  always_ff @(posedge clk_i) begin
    if (rst_i || clear_i || reads_q) kept_q <= 1'b0;
    else if (completes_q) kept_q <= 1'b1;
    if (completes_q) function_code_q <= function_code_i;
    if (rst_i) number_q <= '0;
    else if (completes_q) number_q <= (&number_q) ? 24'd1 : number_q + 24'd1;
  end

  ////////////////////
  // The memory     //
  ////////////////////

  // Words are written a clock late: a register's reset makes the zeros. Two words are read ahead of
  // the one that is added, in the registers of the memory; a wipe puts zeros there as well, out of
  // word 0, which it has written before it reads.
  logic write_q;
  logic [AddrWidth-1:0] write_addr_q, fetch_addr_q;
  logic [WordWidth-1:0] write_word_q, copy_word;
  logic fetches, fetched_q, passes_on, copy_ready_q, copy_taken, wipe_reads;
  assign fetches = adds_q && (!fetched_q || passes_on);
  assign passes_on = fetched_q && (!copy_ready_q || copy_taken);
  assign wipe_reads = wipes_q && word_addr_q[1];
  always_ff @(posedge clk_i) begin
    write_q      <= wipes_q || (reads_q && op_ready_i);
    write_addr_q <= word_addr_q;
    if (wipes_q) write_word_q <= '0;
    else write_word_q <= word_i;
    fetched_q    <= fetches || (adds_q && fetched_q && !passes_on);
    copy_ready_q <= adds_q && (passes_on || (copy_ready_q && !copy_taken));
    if (!adds_q) fetch_addr_q <= '0;
    else fetch_addr_q <= fetch_addr_q + AddrWidth'(fetches);
  end

  hf_held_ram #(
      .Width(WordWidth),
      .Depth(NumWords)
  ) u_copy (
      .clk_i,
      .write_i     (write_q),
      .write_addr_i(write_addr_q),
      .write_data_i(write_word_q),
      .read_i      (fetches || wipe_reads),
      .read_addr_i (fetch_addr_q),
      .out_i       (passes_on || wipe_reads),
      .read_data_o (copy_word)
  );

  ////////////////////
  // Operations     //
  ////////////////////

  logic sponge_adds;
  logic copies;  // the operation adds a word of the copy
  logic joins;  // with the sponge's add
  assign sponge_adds = sponge_valid_i && sponge_op_i == WordAdd;
  assign copies = adds_q && !(sponge_adds && sponge_addr_i < word_addr_q) &&
      (sponge_valid_i || goes_ahead);
  assign joins = sponge_adds && sponge_addr_i == word_addr_q;
  assign copy_taken = copies && copy_ready_q && op_ready_i;
  assign word_moves = copy_taken || (reads_q && op_ready_i) || wipes_q;

  assign op_valid_o = reads_q || (copies ? copy_ready_q : sponge_valid_i);
  assign sponge_ready_o = op_ready_i && (!copies || (joins && copy_ready_q));
  always_comb begin
    op_o = sponge_op_i;
    if (copies) op_o = WordAdd;
    if (reads_q) op_o = WordRead;
    op_addr_o  = (copies || reads_q) ? word_addr_q : sponge_addr_i;
    op_bytes_o = copies ? '1 : sponge_bytes_i;
    op_word_o  = (sponge_word_i & {WordWidth{!copies || joins}}) ^
        (copy_word & {WordWidth{copies}});
  end

endmodule
