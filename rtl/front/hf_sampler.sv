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

  localparam int unsigned WindowWidth = 24;
  localparam int unsigned UnitWidth = 4;
  localparam int unsigned WindowUnits = WindowWidth / UnitWidth;
  localparam int unsigned ValueWidth = 13;  // a coefficient of ML-KEM, signed

  typedef logic signed [ValueWidth-1:0] value_t;

  //////////////////////
  // Bits of a step   //
  //////////////////////

  // Three words are four windows of 24 bits, and a window one to six steps.
  logic [31:8] word_before_q;  // the word before
  logic [WindowWidth-1:0] window_bits_q, bits_of_word, window_bits_left;
  logic window_valid_q;  // a window is there
  logic [1:0] window_phase_q;  // which of the four comes next
  logic [2:0] step_units_q;  // that a step takes
  logic [2:0] window_units_left_q;
  logic one_per_word_q;
  logic step_taken, output_free, load_window, window_takes_word;

  assign step_taken = window_valid_q && output_free && !done_o;
  assign window_takes_word = window_phase_q != 2'd3;
  assign load_window = (!window_valid_q || (step_taken && window_units_left_q == step_units_q)) &&
      (!window_takes_word || word_valid_i);
  assign word_ready_o = done_o ||
      ((!window_valid_q || (step_taken && window_units_left_q == step_units_q)) &&
       window_takes_word);

  always_comb begin
    unique case (window_phase_q)
      2'd0: bits_of_word = word_i[23:0];
      2'd1: bits_of_word = {word_i[15:0], word_before_q[31:24]};
      2'd2: bits_of_word = {word_i[7:0], word_before_q[31:16]};
      default: bits_of_word = word_before_q;
    endcase
    unique case (step_units_q)
      3'd3: window_bits_left = window_bits_q >> (3 * UnitWidth);
      3'd2: window_bits_left = window_bits_q >> (2 * UnitWidth);
      default: window_bits_left = window_bits_q >> UnitWidth;
    endcase
  end

  always_ff @(posedge clk_i) begin
    step_units_q   <= sampling_units(sampling_i);
    one_per_word_q <= sampling_of_words(sampling_i);
    if (start_i || rst_i) begin
      window_valid_q <= 1'b0;
      window_phase_q <= '0;
    end else begin
      window_valid_q <= load_window ||
          (window_valid_q && !(step_taken && window_units_left_q == step_units_q));
      window_phase_q <= window_phase_q + 2'(load_window);
    end
    if (load_window) begin
      window_bits_q       <= bits_of_word;
      window_units_left_q <= 3'(WindowUnits);
      word_before_q       <= word_i[31:8];
    end else if (step_taken) begin
      window_bits_q       <= window_bits_left;
      window_units_left_q <= window_units_left_q - step_units_q;
    end
  end

  //////////////////////
  // Candidates       //
  //////////////////////

  // x - y of FIPS 203, algorithm 8, where x and y are the numbers of ones among eta bits each.
  function automatic value_t binomial(input logic [2:0] first_bits, input logic [2:0] second_bits);
    return value_t'($countones(first_bits)) - value_t'($countones(second_bits));
  endfunction
  // Coefficients out of 4 bits (FIPS 204, algorithm 15): 2 - (half_byte mod 5), a table because
  // synthesis makes a divider of the operator; and 4 - half_byte.
  function automatic value_t bounded_2(input logic [3:0] half_byte);
    unique case (half_byte)
      4'd0, 4'd5, 4'd10: return value_t'(2);
      4'd1, 4'd6, 4'd11: return value_t'(1);
      4'd2, 4'd7, 4'd12: return value_t'(0);
      4'd3, 4'd8, 4'd13: return -value_t'(1);
      default: return -value_t'(2);
    endcase
  endfunction
  function automatic value_t bounded_4(input logic [3:0] half_byte);
    return value_t'(4) - value_t'({1'b0, half_byte});
  endfunction
  // Less than q, without a carry chain: q - 1 is 1101 0000 0000, or ten ones and 13 zeros.
  function automatic logic below_kem(input logic [11:0] candidate);
    return !(&candidate[11:10] && (candidate[9] || (candidate[8] && candidate[7:0] != '0)));
  endfunction
  function automatic logic below_dsa(input logic [22:0] candidate);
    return !(&candidate[22:13] && candidate[12:0] != '0);
  endfunction

  value_t [1:0] step_values;
  logic [31:0] single_value;  // a coefficient of ML-DSA
  logic [1:0] values_accepted;

  always_comb begin
    step_values = '0;
    values_accepted = 2'b11;
    unique case (sampling_i)
      SampleNtt, RejNttPoly: begin
        step_values[0] = {1'b0, window_bits_q[11:0]};
        step_values[1] = {1'b0, window_bits_q[23:12]};
        values_accepted = (sampling_i == SampleNtt) ?
            {below_kem(window_bits_q[23:12]), below_kem(window_bits_q[11:0])} :
            {1'b0, below_dsa(window_bits_q[22:0])};
      end
      SampleCbd2: begin
        step_values[0] = binomial({1'b0, window_bits_q[1:0]}, {1'b0, window_bits_q[3:2]});
        step_values[1] = binomial({1'b0, window_bits_q[5:4]}, {1'b0, window_bits_q[7:6]});
      end
      SampleCbd3: begin
        step_values[0] = binomial(window_bits_q[2:0], window_bits_q[5:3]);
        step_values[1] = binomial(window_bits_q[8:6], window_bits_q[11:9]);
      end
      RejBoundedEta2: begin
        step_values[0]  = bounded_2(window_bits_q[3:0]);
        values_accepted = {1'b0, window_bits_q[3:0] != 4'd15};
      end
      default: begin
        step_values[0]  = bounded_4(window_bits_q[3:0]);
        values_accepted = {1'b0, window_bits_q[3:0] < 4'd9};
      end
    endcase
    single_value = (sampling_i == RejNttPoly) ? {9'd0, window_bits_q[22:0]} : 32'(step_values[0]);
  end

  //////////////////////
  // Words            //
  //////////////////////

  logic half_word_q;  // half a word is there: half_value_q
  value_t half_value_q;
  logic word_complete;  // a word is complete
  logic [1:0][15:0] pair_word;
  logic out_valid_q;
  logic [31:0] out_word_q;
  logic [8:0] words_done_q;  // words of the polynomial that have been completed
  logic polynomial_done;

  assign word_complete = one_per_word_q ? values_accepted[0] :
      (&values_accepted || (half_word_q && |values_accepted));
  always_comb begin
    pair_word[0] = 16'(half_word_q ? half_value_q : step_values[0]);
    pair_word[1] = 16'((half_word_q && values_accepted[0]) ? step_values[0] : step_values[1]);
  end

  assign polynomial_done = one_per_word_q ? words_done_q[8] : words_done_q[7];
  assign done_o = polynomial_done;
  assign output_free = !out_valid_q || out_ready_i;
  assign out_valid_o = out_valid_q;
  assign out_word_o = out_word_q;

  always_ff @(posedge clk_i) begin
    if (start_i || rst_i) begin
      half_word_q  <= 1'b0;
      out_valid_q  <= 1'b0;
      words_done_q <= '0;
    end else begin
      if (step_taken && !one_per_word_q) half_word_q <= half_word_q ^ ^values_accepted;
      out_valid_q  <= (step_taken && word_complete) || (out_valid_q && !out_ready_i);
      words_done_q <= words_done_q + 9'(step_taken && word_complete);
    end
    // Both were accepted while half a word was there: the second one is left.
    if (step_taken && !(half_word_q && !values_accepted[1])) begin
      half_value_q <= (half_word_q || !values_accepted[0]) ? step_values[1] : step_values[0];
    end
    if (step_taken && word_complete) out_word_q <= one_per_word_q ? single_value : pair_word;
  end

endmodule
