// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A plane of 320 bits as seven words of 48 bits for DSP slices. Words 0 to 4 are the upper 48 bits
// of lanes 0 to 4. Word 5 is the lower 16 bits of lanes 0, 1 and 2. Word 6 is those of lanes 3 and
// 4, above 16 unused bits.

package hf_keccak_dsp_pkg;

  import hf_dsp48_pkg::*;
  import hf_keccak_pkg::*;

  parameter int unsigned NumWords = 7;

  typedef word_t [NumWords-1:0] words_t;

  function automatic words_t to_words(input plane_t a);
    words_t w;
    for (int unsigned x = 0; x < 5; x++) w[x] = a[x][63:16];
    w[5] = {a[0][15:0], a[1][15:0], a[2][15:0]};
    w[6] = {a[3][15:0], a[4][15:0], 16'b0};
    return w;
  endfunction

  function automatic plane_t to_plane(input words_t w);
    plane_t a;
    for (int unsigned x = 0; x < 5; x++) a[x][63:16] = w[x];
    {a[0][15:0], a[1][15:0], a[2][15:0]} = w[5];
    {a[3][15:0], a[4][15:0]} = w[6][47:16];
    return a;
  endfunction

  // The two operands of theta's effect: C[x-1], and C[x+1] rotated by one.
  function automatic plane_t left_of(input plane_t c);
    plane_t d;
    for (int unsigned x = 0; x < 5; x++) d[x] = c[(x+4)%5];
    return d;
  endfunction

  function automatic plane_t right_of(input plane_t c);
    plane_t d;
    for (int unsigned x = 0; x < 5; x++) d[x] = rotl(c[(x+1)%5], 1);
    return d;
  endfunction

  // The operands of chi: A[x+1] and A[x+2].
  function automatic plane_t next_of(input plane_t a, input int unsigned n);
    plane_t b;
    for (int unsigned x = 0; x < 5; x++) b[x] = a[(x+n)%5];
    return b;
  endfunction

  // The plane of iota's constant whose bits 2^j - 1 are given (hf_keccak_dsp_control).
  function automatic plane_t iota_plane(input logic [6:0] constant);
    plane_t a;
    a = '0;
    for (int unsigned j = 0; j < 7; j++) a[0][(1<<j)-1] = constant[j];
    return a;
  endfunction

  // The number of the plane before, modulo 5.
  function automatic logic [2:0] plane_before(input logic [2:0] plane);
    return (plane == 3'd0) ? 3'd4 : plane - 3'd1;
  endfunction

endpackage
