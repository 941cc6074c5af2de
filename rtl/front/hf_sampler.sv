// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Coefficients of polynomials out of the output of SHAKE: uniform ones by rejection, and small ones
// by a centred binomial or by rejection (FIPS 203, algorithms 7 and 8; FIPS 204, algorithms 30 and
// 31). A polynomial of 256 coefficients leaves as
//
//   ML-KEM  128 words of two: coefficient 2i in bits 15 to 0 of word i, 2i + 1 in bits 31 to 16
//   ML-DSA  256 words of one
//
// as signed integers: uniform ones from 0 to q - 1, small ones from -eta to eta, as the libraries
// mlkem-native and mldsa-native have them in arrays of int16_t and int32_t.
//
// A step takes the bits of one pass through the loop of its algorithm, 24 at most, and gives two
// coefficients of ML-KEM at most, or one of ML-DSA; a step or a load of a word takes a clock. The
// steps depend on the output of SHAKE: the time of a rejection is not constant, in hardware as in
// the standards.

module hf_sampler
  import hf_sampler_pkg::*;
(
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input sampling_e sampling_i,  // stable from start_i on
    // A polynomial begins; what is left of the one before is discarded.
    input logic      start_i,

    // Words of output, the first byte in the lowest bits. Not in the clock of start_i. After the
    // last coefficient all words are taken and discarded.
    input  logic        word_valid_i,
    output logic        word_ready_o,
    input  logic [31:0] word_i,

    output logic        out_valid_o,
    input  logic        out_ready_i,
    output logic [31:0] out_word_o,
    // The polynomial is complete: its last word is on the port, or has left.
    output logic        done_o
);

  localparam int unsigned UnitWidth = 4;
  localparam int unsigned StepWidth = 24;
  localparam int unsigned WordUnits = 32 / UnitWidth;
  // A word is loaded when less than a step is left, so at most 20 bits.
  localparam int unsigned QueueWidth = 32 + StepWidth - UnitWidth;
  localparam int unsigned LevelWidth = $clog2(QueueWidth / UnitWidth + 1);
  localparam int unsigned ValueWidth = 13;  // a coefficient of ML-KEM, signed

  typedef logic signed [ValueWidth-1:0] value_t;

  //////////////////////
  // Bits of a step   //
  //////////////////////

  logic [QueueWidth-1:0] queue_q, shifted, loaded;
  logic [LevelWidth-1:0] level_q;  // units of the queue that are left; the bits above are zero
  logic [2:0] units_q;  // of a step
  logic of_words_q;
  logic enough, load, step, room;

  assign enough = level_q >= LevelWidth'(units_q);
  assign word_ready_o = !enough || done_o;
  assign load = word_valid_i && word_ready_o;
  assign step = enough && room && !done_o;

  always_comb begin
    unique case (units_q)
      3'd6: shifted = queue_q >> (6 * UnitWidth);
      3'd3: shifted = queue_q >> (3 * UnitWidth);
      3'd2: shifted = queue_q >> (2 * UnitWidth);
      default: shifted = queue_q >> UnitWidth;
    endcase
    // What is left of a step of three bytes are 0, 1 or 2 bytes; of one of 12 bits, 0, 4 or 8 bits.
    unique case (level_q[2:0])
      3'd0: loaded = QueueWidth'(word_i);
      3'd1: loaded = queue_q | QueueWidth'(word_i) << UnitWidth;
      3'd2: loaded = queue_q | QueueWidth'(word_i) << (2 * UnitWidth);
      default: loaded = queue_q | QueueWidth'(word_i) << (4 * UnitWidth);
    endcase
  end

  always_ff @(posedge clk_i) begin
    units_q    <= sampling_units(sampling_i);
    of_words_q <= sampling_of_words(sampling_i);
    if (start_i || rst_i) begin
      level_q <= '0;
      queue_q <= '0;
    end else if (load) begin
      level_q <= level_q + LevelWidth'(WordUnits);
      queue_q <= loaded;
    end else if (step) begin
      level_q <= level_q - LevelWidth'(units_q);
      queue_q <= shifted;
    end
  end

  //////////////////////
  // Candidates       //
  //////////////////////

  // x - y of FIPS 203, algorithm 8, where x and y are the numbers of ones among eta bits each.
  function automatic value_t binomial(input logic [2:0] ones, input logic [2:0] others);
    return value_t'($countones(ones)) - value_t'($countones(others));
  endfunction
  // FIPS 204, algorithm 15: a coefficient out of 4 bits.
  function automatic value_t bounded_2(input logic [3:0] half_byte);
    return value_t'(2) - value_t'(half_byte % 4'd5);
  endfunction

  logic [StepWidth-1:0] bits;
  value_t [1:0] value;
  logic [31:0] whole;  // of ML-DSA
  logic [1:0] accepted;
  assign bits = queue_q[StepWidth-1:0];

  always_comb begin
    value = '0;
    accepted = 2'b11;
    whole = {9'd0, bits[22:0]};
    unique case (sampling_i)
      SampleNtt: begin
        value[0] = {1'b0, bits[11:0]};
        value[1] = {1'b0, bits[23:12]};
        accepted = {bits[23:12] < 12'(ModulusKem), bits[11:0] < 12'(ModulusKem)};
      end
      SampleCbd2: begin
        value[0] = binomial({1'b0, bits[1:0]}, {1'b0, bits[3:2]});
        value[1] = binomial({1'b0, bits[5:4]}, {1'b0, bits[7:6]});
      end
      SampleCbd3: begin
        value[0] = binomial(bits[2:0], bits[5:3]);
        value[1] = binomial(bits[8:6], bits[11:9]);
      end
      RejNttPoly: accepted = {1'b0, bits[22:0] < 23'(ModulusDsa)};
      RejBoundedEta2: begin
        whole = 32'(bounded_2(bits[3:0]));
        accepted = {1'b0, bits[3:0] < 4'd15};
      end
      default: begin
        whole = 32'(value_t'(4) - value_t'({1'b0, bits[3:0]}));
        accepted = {1'b0, bits[3:0] < 4'd9};
      end
    endcase
  end

  //////////////////////
  // Words            //
  //////////////////////

  logic half_q;  // half a word is there: half_value_q
  value_t half_value_q;
  logic pair;  // a word is complete
  logic [1:0][15:0] pair_word;
  logic out_valid_q;
  logic [31:0] out_word_q;
  logic [8:0] words_q;  // words of the polynomial that have been completed
  logic full;

  assign pair = of_words_q ? accepted[0] : (&accepted || (half_q && |accepted));
  always_comb begin
    pair_word[0] = 16'(half_q ? half_value_q : value[0]);
    pair_word[1] = 16'((half_q && accepted[0]) ? value[0] : value[1]);
  end

  assign full = of_words_q ? words_q[8] : words_q[7];
  assign done_o = full;
  assign room = !out_valid_q || out_ready_i;
  assign out_valid_o = out_valid_q;
  assign out_word_o = out_word_q;

  always_ff @(posedge clk_i) begin
    if (start_i || rst_i) begin
      half_q      <= 1'b0;
      out_valid_q <= 1'b0;
      words_q     <= '0;
    end else begin
      if (step && !of_words_q) half_q <= half_q ^ ^accepted;
      out_valid_q <= (step && pair) || (out_valid_q && !out_ready_i);
      words_q     <= words_q + 9'(step && pair);
    end
    // Both were accepted while half a word was there: the second one is left.
    if (step && !(half_q && !accepted[1])) begin
      half_value_q <= (half_q || !accepted[0]) ? value[1] : value[0];
    end
    if (step && pair) out_word_q <= of_words_q ? whole : pair_word;
  end

endmodule
