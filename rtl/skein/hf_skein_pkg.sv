// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Skein-512 (version 1.3): constants, a round of Threefish-512, tweaks, initial values. Word i of a
// block, a key or a digest is bits 64*i + 63 .. 64*i, its first byte lowest. So a string as it is
// in memory is an array of words without conversion. Sections are those of the specification.

package hf_skein_pkg;

  parameter int unsigned NumWords = 8;
  parameter int unsigned NumPairs = 4;
  parameter int unsigned NumRounds = 72;
  parameter int unsigned NumSubkeys = 19;
  parameter int unsigned BlockWidth = 512;

  typedef logic [63:0] word_t;
  typedef word_t [NumWords-1:0] block_t;
  typedef word_t [NumWords:0] key_t;  // with its parity word
  typedef word_t [1:0] tweak_t;
  typedef logic [1:0] size_t;  // 224, 256, 384, 512

  // Distances of MIX's rotations, by round modulo 8 and pair of words (table 4); the last of both
  // first.
  parameter logic [7:0][NumPairs-1:0][31:0] Rotation = {
      {32'd22, 32'd56, 32'd35, 32'd8},
      {32'd43, 32'd39, 32'd29, 32'd25},
      {32'd17, 32'd10, 32'd50, 32'd13},
      {32'd24, 32'd34, 32'd30, 32'd39},
      {32'd56, 32'd54, 32'd9, 32'd44},
      {32'd39, 32'd36, 32'd49, 32'd17},
      {32'd42, 32'd14, 32'd27, 32'd33},
      {32'd37, 32'd19, 32'd36, 32'd46}
  };

  // The source of each word after a round's MIX (table 3), an octal digit each, word 7 first.
  parameter logic [NumWords-1:0][2:0] Origin = 24'o3056_7412;

  // Keeps the parity word of a key from being zero (section 3.3.2).
  parameter word_t C240 = 64'h1BD11BDA_A9FC1A22;

  function automatic word_t rotl(input word_t a, input int unsigned n);
    return (a << n) | (a >> (64 - n));
  endfunction

  // MIX of four pairs, first half: additions, and rotations by the distances of a round, or, if
  // `odd`, of the fourth round after it (section 3.3.1).
  function automatic block_t added(input block_t a, input int unsigned round, input logic odd);
    block_t b;
    for (int unsigned i = 0; i < NumPairs; i++) begin
      b[2*i] = a[2*i] + a[2*i+1];
      b[2*i+1] = odd ? rotl(a[2*i+1], Rotation[round+4][i]) : rotl(a[2*i+1], Rotation[round][i]);
    end
    return b;
  endfunction

  // Second half of MIX, and the permutation of words (section 3.3).
  function automatic block_t permuted(input block_t a);
    block_t b;
    block_t c;
    b = a;
    for (int unsigned i = 0; i < NumPairs; i++) b[2*i+1] ^= a[2*i];
    for (int unsigned i = 0; i < NumWords; i++) c[i] = b[Origin[i]];
    return c;
  endfunction

  function automatic block_t mixed(input block_t a, input int unsigned round, input logic odd);
    return permuted(added(a, round, odd));
  endfunction

  // The key's parity word (section 3.3.2).
  function automatic word_t parity(input block_t key);
    word_t sum;
    sum = C240;
    for (int unsigned i = 0; i < NumWords; i++) sum ^= key[i];
    return sum;
  endfunction

  // Types of a block (section 3.5.1, table 6).
  typedef enum logic [5:0] {
    TypeConfig  = 6'd4,
    TypeMessage = 6'd48,
    TypeOutput  = 6'd63
  } type_e;

  function automatic tweak_t tweak(input type_e kind, input word_t position, input logic first,
                                   input logic last, input logic bit_pad);
    return {last, first, kind, bit_pad, 55'd0, position};
  endfunction

  // Configuration: schema and version, and the digest's bits (section 3.5.2, table 7).
  function automatic block_t config_block(input size_t size);
    block_t text;
    text = '0;
    text[0] = 64'h0000_0001_3341_4853;
    text[1] = (size == 2'd0) ? 64'd224 : (size == 2'd1) ? 64'd256 : (size == 2'd2) ? 64'd384 :
        64'd512;
    return text;
  endfunction

  parameter tweak_t ConfigTweak = tweak(TypeConfig, 64'd32, 1'b1, 1'b1, 1'b0);
  parameter tweak_t OutputTweak = tweak(TypeOutput, 64'd8, 1'b1, 1'b1, 1'b0);

  // UBI of the configuration under the key 0 (section 3.5.4).
  function automatic block_t initial_value(input size_t size);
    block_t state;
    key_t key;
    word_t [2:0] t;
    key = {C240, block_t'(0)};
    t = {ConfigTweak[0] ^ ConfigTweak[1], ConfigTweak};
    state = config_block(size);
    for (int unsigned s = 0; s < NumSubkeys; s++) begin
      for (int unsigned i = 0; i < NumWords; i++) state[i] += key[(s+i)%(NumWords+1)];
      state[5] += t[s%3];
      state[6] += t[(s+1)%3];
      state[7] += word_t'(s);
      if (s != NumSubkeys - 1) begin
        for (int unsigned i = 0; i < 4; i++) state = mixed(state, i, s[0]);
      end
    end
    return state ^ config_block(size);
  endfunction

  parameter block_t [3:0] InitialValue = {
    initial_value(2'd3), initial_value(2'd2), initial_value(2'd1), initial_value(2'd0)
  };

endpackage
