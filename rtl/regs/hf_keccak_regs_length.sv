// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The register LENGTH of the Keccak peripheral: bits of output that are still to come, counted down
// by words of 32 bits. All ones is an output without an end, which is not counted.
//
// It takes two LUT4 a bit: a bit below which all bits are zero changes in a count, and a clock
// enable a byte selects the bytes that software writes. The counter is cut into groups whose zeros
// are registered, and those of the bits below it, so what depends on the length is known a clock
// after a change.

module hf_keccak_regs_length (
    input logic clk_i,

    // At most one of these a clock; a write may come with clear_i, for the length that follows.
    input logic        clear_i,
    input logic        write_i,
    input logic [31:0] write_word_i,
    input logic [ 3:0] write_bytes_i,
    input logic        load_i,         // the function's own length
    input logic [ 4:0] load_words_i,
    // A word of output; while known_o, and not with zero_o.
    input logic        count_i,

    output logic [31:0] length_o,
    output logic        known_o,   // these belong to length_o:
    output logic        zero_o,
    output logic        part_o,    // less than a word is still to come
    output logic        last_o     // a word at most is
);

  localparam int unsigned WordAt = 5;  // the lowest bit of the number of words
  localparam int unsigned GroupWidth = 9;
  localparam int unsigned Groups = 3;

  logic [31:0] length_q, next;
  logic [Groups-1:0] zero_q;
  logic rest_zero_q;  // of the bits below the number of words
  logic open_q, last_q, changed_q;
  logic [31:WordAt] lower_zero;  // all bits below are zero, down to WordAt
  logic count, ends;

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
  assign ends  = count_i && part_o;
  always_comb begin
    next = write_word_i;
    if (!write_i) next[31:WordAt] = length_q[31:WordAt] ^ lower_zero;
    if (load_i) next[WordAt+:5] = load_words_i;
  end

  for (genvar i = 0; i < 32; i++) begin : gen_bit
    localparam bit OfWords = i >= WordAt;  // a bit of the number of words
    localparam bit OfOwn = OfWords && i < WordAt + 5;  // and of a function's own length
    logic write;
    assign write = write_i && write_bytes_i[i/8];
    always_ff @(posedge clk_i) begin
      if (!write && (clear_i || ends || (load_i && !OfOwn))) length_q[i] <= 1'b0;
      else if (write || load_i || (count && OfWords)) length_q[i] <= next[i];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned g = 0; g < Groups; g++) begin
      zero_q[g] <= length_q[WordAt+GroupWidth*g+:GroupWidth] == '0;
    end
    rest_zero_q <= length_q[WordAt-1:0] == '0;
    open_q      <= &length_q;
    last_q      <= length_q[31:WordAt+1] == '0 && !(length_q[WordAt] && length_q[WordAt-1:0] != '0);
    changed_q   <= clear_i || write_i || load_i || count_i;
  end

  assign length_o = length_q;
  assign known_o  = !changed_q;
  assign part_o   = &zero_q;
  assign last_o   = last_q;
  assign zero_o   = part_o && rest_zero_q;

endmodule
