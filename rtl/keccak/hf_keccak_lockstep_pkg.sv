// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Widths of control_o, by which two controls in lockstep are compared (hf_keccak_checked), from the
// width of a word in bits.

package hf_keccak_lockstep_pkg;

  // Of hf_keccak_word_reader.
  function automatic int unsigned reader_control_width(input int unsigned width);
    return 2 + 3 * hf_keccak_word_pkg::word_address_width(width);
  endfunction

  // Of hf_keccak_iterative_words.
  function automatic int unsigned words_control_width(input int unsigned width);
    return reader_control_width(width) + hf_keccak_word_pkg::word_address_width(width) +
        (hf_keccak_word_pkg::state_words(width) + 7) / 8 + 49;
  endfunction

endpackage
