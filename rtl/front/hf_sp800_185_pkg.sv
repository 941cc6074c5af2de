// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Codes that hf_sp800_185 takes beside those of the core after it (docs/reference/sp800-185.md).
// All are of SP 800-185's family; bit 0 is the strength, 128 or 256 bits.

package hf_sp800_185_pkg;

  // The code above its lowest bit.
  typedef enum logic [6:0] {
    KindCshake = 7'h09,  // with N and S
    KindKmac = 7'h0A,
    KindKmacXof = 7'h0B,
    KindTupleHash = 7'h0C,
    KindTupleHashXof = 7'h0D,
    KindLoadText = 7'h0E,  // 1C: N, 1D: S
    KindLoadKey = 7'h0F  // 1E: the key; 1F is free
  } kind_e;

  // What is encoded next.
  typedef enum logic [2:0] {
    StepRate,     // bytepad's width, and the name of KMAC or TupleHash
    StepName,     // N, or the end of the name
    StepCustom,   // S
    StepKeyRate,  // the width again
    StepKey,
    StepElement,  // a string of the tuple
    StepEnd       // the output's length
  } step_e;

  // The strings that are stored, by their index in the memory; those of the loads' codes.
  parameter logic [1:0] StringName = 2'd0;
  parameter logic [1:0] StringCustom = 2'd1;
  parameter logic [1:0] StringKey = 2'd2;

  function automatic logic is_load(input logic [7:0] code);
    return code == 8'h1C || code == 8'h1D || code == 8'h1E;
  endfunction

  function automatic logic is_framed(input logic [7:0] code);
    return code >= 8'h12 && code <= 8'h1B;
  endfunction

  // left_encode and right_encode (section 2.3.1): the bytes of `number`, highest first, after or
  // before the number of these bytes. The first byte of the text is the lowest. `encoded_count` is
  // the number of bytes of either.
  parameter int unsigned NumberWidth = 48;

  function automatic logic [2:0] digits(input logic [NumberWidth-1:0] number);
    digits = 3'd1;
    for (int unsigned i = 1; i < NumberWidth / 8; i++) begin
      if (number[8*i+:8] != '0) digits = 3'(i + 1);
    end
  endfunction

  function automatic logic [63:0] encoded(input logic [NumberWidth-1:0] number, input logic left);
    logic [ 2:0] count;
    logic [63:0] text;
    count = digits(number);
    text  = '0;
    for (int unsigned i = 0; i < NumberWidth / 8; i++) begin
      text[8*(NumberWidth/8-1-i)+:8] = number[8*i+:8];
    end
    text = text >> {3'(NumberWidth / 8) - count, 3'd0};
    if (left) return {text[55:0], 5'd0, count};
    return text | 64'(count) << {count, 3'd0};
  endfunction

endpackage
