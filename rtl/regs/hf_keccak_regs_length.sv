// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The register LENGTH of the Keccak peripheral: bits of output that are still to come, counted down
// by words of 32 bits. All ones is an output without an end, which is not counted.
//
// It takes two LUT4 a bit: a bit below which all bits are zero changes in a count, and a clock
// enable a byte selects the bytes that software writes. The counter is cut into groups whose zeros
// are registered, and those of the bits below it, so what depends on the length is known a clock
// after a change.
//
// The length belongs to one hash: its end sets it to 0. A write right after the command that ends
// the hash belongs to the next one: `stop` opens the register three clocks before its state is wiped.
//
// Timing: a write takes effect a clock later, for a short path. left_o.missing follows a write by
// three clocks, as `last` does if it is written in the next one.

module hf_keccak_regs_length
  import hf_keccak_regs_pkg::*;
(
    input logic clk_i,
    input logic rst_i,

    // The hash ends: at most one of these a clock. A write does not take effect in a clock in which
    // clear_i or count_i is high, or the length is loaded.
    input logic clear_i,
    input logic sampled_i,
    input logic stop_i,     // in phase squeeze

    // A legal write, its word in the next clock.
    input logic   write_i,
    input logic   run_write_i,  // to RUN, of which the word has the number of words
    input logic   run_loads_i,  // one was in the clock before
    input write_t written_i,

    input logic       load_i,          // the function's own length, if it has one, a clock later
    input logic       own_length_i,
    input logic [4:0] digest_words_i,
    input logic       sampling_i,      // the output goes through the sampler, whatever LENGTH is
    // A word of output; while left_o.known, and not with left_o.zero.
    input logic       count_i,

    output logic    [31:0] length_o,
    output length_t        left_o
);

  localparam int unsigned WordAt = 5;  // the lowest bit of the number of words
  localparam int unsigned GroupWidth = 9;
  localparam int unsigned Groups = 3;

  logic [31:0] length_q, next;
  logic [Groups-1:0] zero_q;
  logic rest_zero_q;  // of the bits below the number of words
  logic open_q, last_q, changed_q;
  logic [31:WordAt] lower_zero;  // all bits below are zero, down to WordAt
  logic count, clear, load, write;
  logic stop_q;
  logic load_q;  // for a short path
  logic [1:0] written_q;  // one clock ago, two clocks ago
  logic run_open;  // an output without an end
  logic [31:0] write_word;

  always_ff @(posedge clk_i) begin
    written_q <= rst_i ? '0 : {written_q[0], write_i || run_write_i};
    stop_q    <= stop_i;
    load_q    <= load_i && !clear_i && !rst_i;
  end
  assign run_open = &written_i.word[16:5];
  assign write_word = run_loads_i ? {{15{run_open}}, written_i.word[16:5], {5{run_open}}} :
      written_i.word;
  assign write = written_q[0] && !rst_i;
  assign clear = clear_i || ((sampled_i || stop_q) && written_q == '0) || rst_i;
  assign load = load_q && own_length_i;

  always_comb begin
    for (int unsigned g = 0; g < Groups; g++) begin
      logic zero;
      zero = 1'b1;
      for (int unsigned i = 0; i < g; i++) zero &= zero_q[i];
      for (int unsigned i = 0; i < GroupWidth; i++) begin
        lower_zero[WordAt+GroupWidth*g+i] = zero;
        zero &= !length_q[WordAt+GroupWidth*g+i];
      end
    end
  end

  assign count = count_i && !open_q;
  always_comb begin
    next = write_word;
    if (!write) next[31:WordAt] = length_q[31:WordAt] ^ lower_zero;
    if (load) next[WordAt+:5] = digest_words_i;
  end

  for (genvar i = 0; i < 32; i++) begin : gen_bit
    localparam bit OfWords = i >= WordAt;  // a bit of the number of words
    localparam bit OfOwn = OfWords && i < WordAt + 5;  // and of a function's own length
    logic write_bit;
    assign write_bit = write && written_i.bytes[i/8];
    always_ff @(posedge clk_i) begin
      if (clear || (load && !OfOwn) || (count_i && left_o.part)) length_q[i] <= 1'b0;
      else if (write_bit || load || (count && OfWords)) length_q[i] <= next[i];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned g = 0; g < Groups; g++) begin
      zero_q[g] <= length_q[WordAt+GroupWidth*g+:GroupWidth] == '0;
    end
    rest_zero_q <= length_q[WordAt-1:0] == '0;
    open_q      <= &length_q;
    last_q      <= length_q[31:WordAt+1] == '0 && !(length_q[WordAt] && length_q[WordAt-1:0] != '0);
    changed_q   <= clear || write || load || count_i;
  end

  assign length_o = length_q;
  assign left_o.known = !changed_q && !load_q;
  assign left_o.part = &zero_q;
  assign left_o.last = last_q;
  assign left_o.zero = left_o.part && rest_zero_q;
  assign left_o.missing = !own_length_i && left_o.zero && !sampling_i;
  assign left_o.bits = length_q[WordAt-1:0];

endmodule
