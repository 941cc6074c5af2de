// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The word contract (docs/reference/word-contract.md): operations on a Keccak state, a word at a
// time, and what their users compute from the word's width.

package hf_keccak_word_pkg;

  // Operations on the state, in the order in which they are accepted.
  typedef enum logic [1:0] {
    WordAdd,      // word ^= op_word_i, in the bytes op_bytes_i
    WordRead,     // word_o is the word
    WordPermute,  // state := Keccak-f[1600](state)
    WordWipe      // state := 0, and every copy of the old state is overwritten
  } word_op_e;

  // Legal widths of a word, in bits. A module does not pass an illegal one on, so that all modules
  // below elaborate and its own check fails.
  function automatic bit word_width_legal(input int unsigned width);
    return width == 8 || width == 16 || width == 32 || width == 64;
  endfunction

  // Number of words of a state, and the width of a word's address.
  function automatic int unsigned state_words(input int unsigned width);
    return 1600 / width;
  endfunction
  function automatic int unsigned word_address_width(input int unsigned width);
    return $clog2(1600 / width);
  endfunction

endpackage
