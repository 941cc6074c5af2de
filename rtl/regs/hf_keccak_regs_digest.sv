// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Output of the Keccak peripheral: words of WordWidth bits from hf_keccak_word_sponge become words
// of 32 bits, of which the last is cut to the bits that LENGTH leaves, and go to the digest FIFO;
// or to the sampler, and its words to the FIFO.
//
// Timing: the sponge gives a word in the clock after out_ready_o at the earliest, and two words are
// at least two clocks apart, so what is known of the length holds for the second. The output ends
// in the clock after its last word: a clock later the sponge would begin another block. The FIFO is
// emptied in the clock after the command that discards its words.

module hf_keccak_regs_digest
  import hf_keccak_regs_pkg::*;
  import hf_sampler_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,                       // 8, 16 or 32
    parameter  int unsigned DigestWords = 16,                     // a power of two up to 128
    parameter  bit          Sampler = 1'b0,                       // the sampler exists
    localparam int unsigned LevelWidth = (DigestWords == 0) ? 1 : $clog2(DigestWords + 1)
) (
    input logic clk_i,
    input logic rst_i,

    // Commands that take effect in this clock.
    input logic clear_i,
    input logic start_i,
    input logic stop_i,
    input logic resume_i,
    input logic resume_squeezing_i,  // `resume` goes on with the output
    input logic stop_waits_i,        // `stop` waits
    input logic window_writes_i,     // software changes the state

    input logic    begins_i,     // the output begins
    input logic    squeezing_i,  // as in progress_t
    input logic    hold_i,
    input logic    abort_i,
    input logic    held_i,       // the sponge holds a hash
    input length_t length_i,

    input  logic [SamplingWidth-1:0] sampling_i,  // of CONFIG
    output logic                     sampling_o,  // the output goes through the sampler
    output logic                     sampled_o,   // which has given all coefficients

    input  logic                 out_valid_i,
    output logic                 out_ready_o,
    output logic                 out_end_o,    // the output has no more words
    input  logic [WordWidth-1:0] out_word_i,
    output logic                 part_open_o,  // a word of output is not complete

    output logic counted_o,  // a word that LENGTH counts enters the FIFO
    output logic ends_o,     // the last one enters it

    output digest_t                  digest_o,
    input  logic                     read_i,    // digest_o.word is read
    output logic                     full_o,    // the FIFO is full
    output logic                     filled_o,  // it becomes full in this clock
    output logic    [LevelWidth-1:0] level_o    // words in it
);

  localparam int unsigned Parts = 32 / WordWidth;

  ////////////////////
  // The sponge     //
  ////////////////////

  logic push;  // a word of output is complete
  logic final_q;  // the output's last word has come in the clock before
  logic empty_q;  // there is no output, or no more
  logic no_output;  // LENGTH is zero, and counts
  logic output_full, output_fills;  // the FIFO is full; it is full after this word

  // Registered: final_q since software may write LENGTH in the clock before `stop` takes effect,
  // empty_q for a short path.
  assign out_end_o = final_q || empty_q;
  assign no_output = length_i.zero && !sampling_o;
  always_ff @(posedge clk_i) begin
    if (push) out_ready_o <= length_i.known && !length_i.last && !output_fills && !abort_i;
    else begin
      out_ready_o <= (out_ready_o || (length_i.known && !no_output && !output_full)) &&
          squeezing_i && !held_i && !abort_i;
    end
    final_q <= ends_o;
    empty_q <= squeezing_i && length_i.known && no_output && !out_ready_o && !abort_i;
  end

  // Not a word that a `stop` discards, which takes effect in this clock.
  assign counted_o = push && !(stop_waits_i && !hold_i) && !sampling_o;
  assign ends_o = counted_o && length_i.last;

  ////////////////////
  // Words          //
  ////////////////////

  logic [31:0] word;
  logic is_cut;  // less than a word of the output is still to come
  assign is_cut = length_i.part && !sampling_o;
  logic unused_length;
  assign unused_length = length_i.missing;

  // Bits of a word of output, of those that are still to come.
  function automatic logic [WordWidth-1:0] cut(input logic [WordWidth-1:0] part,
                                               input logic [5:0] bits);
    for (int unsigned i = 0; i < WordWidth; i++) cut[i] = part[i] && 6'(i) < bits;
  endfunction

  if (Parts == 1) begin : gen_whole
    assign push = out_valid_i && !abort_i && !clear_i;
    assign part_open_o = 1'b0;
    assign word = is_cut ? cut(out_word_i, {1'b0, length_i.bits}) : out_word_i;
  end else begin : gen_parts
    localparam int unsigned PartWidth = $clog2(Parts);
    logic [PartWidth-1:0] part_q, parts_left;
    logic [31-WordWidth:0] parts_q;  // parts of the word that have come, in its highest bits
    logic [WordWidth-1:0] part;
    assign push = out_valid_i && &part_q && !abort_i && !clear_i;
    assign part_open_o = part_q != '0;
    assign parts_left = length_i.bits[4-:PartWidth];
    always_comb begin
      part = out_word_i;
      if (is_cut && part_q == parts_left) part = cut(out_word_i, 6'(length_i.bits[4-PartWidth:0]));
      else if (is_cut && part_q > parts_left) part = '0;
    end
    assign word = {part, parts_q};
    always_ff @(posedge clk_i) begin
      if (abort_i) part_q <= '0;
      else if (out_valid_i) part_q <= part_q + PartWidth'(1);
      if (out_valid_i) parts_q <= word[31:WordWidth];
    end
  end

  ////////////////////
  // The sampler    //
  ////////////////////

  logic queue_write, queue_fills;
  logic [31:0] queue_word;

  // Words go to it by a register. The output ends when all coefficients are in the FIFO, wherever
  // the sponge is: as by `stop`.
  if (Sampler) begin : gen_sampler
    logic raw_valid_q, raw_ready, coefficients_valid, all_given;
    logic [31:0] raw_q, coefficients;
    sampling_e code;
    assign code = sampling_e'(sampling_i);
    assign sampling_o = code != SamplingNone;
    hf_sampler u_sampler (
        .clk_i,
        .rst_i       (abort_i),
        .sampling_i  (code),
        .start_i     (begins_i || resume_i),
        .word_valid_i(raw_valid_q),
        .word_ready_o(raw_ready),
        .word_i      (raw_q),
        .out_valid_o (coefficients_valid),
        .out_ready_i (!full_o),
        .out_word_o  (coefficients),
        .done_o      (all_given)
    );
    always_ff @(posedge clk_i) begin
      raw_valid_q <= !abort_i && ((push && sampling_o) || (raw_valid_q && !raw_ready));
      if (push) raw_q <= word;
    end
    assign sampled_o = sampling_o && all_given && !coefficients_valid && squeezing_i && !abort_i;
    assign output_full = sampling_o ? raw_valid_q : full_o;
    assign output_fills = sampling_o || queue_fills;
    assign queue_write = sampling_o ?
        coefficients_valid && !full_o && !abort_i && !clear_i : push;
    assign queue_word = sampling_o ? coefficients : word;
  end else begin : gen_no_sampler
    logic unused_sampling;
    assign unused_sampling = ^{sampling_i, begins_i};
    assign sampling_o = 1'b0;
    assign sampled_o = 1'b0;
    assign output_full = full_o;
    assign output_fills = queue_fills;
    assign queue_write = push;
    assign queue_word = word;
  end

  ////////////////////
  // The FIFO       //
  ////////////////////

  logic flush_q;

  // A resumed message has no output yet: words in the FIFO belong to another hash. Registered, since
  // commands have long paths: until then no word is read.
  always_ff @(posedge clk_i) begin
    flush_q <= stop_i || start_i || (resume_i && !resume_squeezing_i);
  end

  hf_fifo #(
      .Width(32),
      .Depth(($countones(DigestWords) == 1 && DigestWords <= 128) ? DigestWords : 16)
  ) u_fifo (
      .clk_i,
      .clear_i(rst_i || clear_i || flush_q || window_writes_i),
      .write_i(queue_write),
      .data_i (queue_word),
      .full_o (full_o),
      .valid_o(digest_o.valid),
      .data_o (digest_o.word),
      .read_i (read_i),
      .level_o(level_o)
  );
  assign queue_fills = level_o == LevelWidth'(DigestWords - 1);
  assign filled_o = queue_write && queue_fills;
  assign digest_o.flush = flush_q;

endmodule
