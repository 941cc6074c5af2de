// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The suffix of a message: the domain bits of its function and the first 1 of pad10*1 (FIPS 202,
// sections 5.1, 6.1 and 6.2; SP 800-185, section 3.3). Front ends share it: hf_keccak_suffix stores
// a kind for each slot, hf_keccak_pad takes bits and length from hf_keccak_pkg::function_info.

package hf_keccak_suffix_pkg;

  // The two lowest bits of a suffix identify it:
  //
  //   kind  suffix, first bit right  functions
  //   01                          1  Keccak as submitted to the competition, TurboSHAKE's -domain
  //   10                        110  SHA-3
  //   00                        100  cSHAKE
  //   11                      11111  SHAKE, TurboSHAKE with D = 1F
  typedef logic [1:0] suffix_kind_t;

  function automatic logic [4:0] suffix_of(input suffix_kind_t kind);
    return {{2{&kind}}, kind[1] || !kind[0], kind};
  endfunction
  function automatic logic [2:0] suffix_length(input suffix_kind_t kind);
    return {&kind, kind == 2'b00 || kind == 2'b10, 1'b1};
  endfunction

  // Bits from the start of the byte in which the suffix starts to the suffix's end. `bits` of them
  // are the message's. More than 8: the suffix ends in the next byte.
  function automatic logic [3:0] suffix_end(input logic [2:0] bits, input logic [2:0] length);
    return 4'(bits) + 4'(length);
  endfunction

  // A bit of the word with the suffix. `has_suffix`: its byte holds suffix bits, `suffix` in this
  // place; `in_message`: in such a byte, this place belongs to the message.
  function automatic logic with_suffix(input logic data, input logic has_suffix,
                                       input logic in_message, input logic suffix);
    return (data & (in_message | !has_suffix)) | (suffix & has_suffix);
  endfunction

endpackage
