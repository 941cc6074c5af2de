// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// TurboSHAKE (RFC 9861, section 2): the sponge on the last twelve rounds of Keccak-f[1600]. A
// message is followed by a domain byte D, 01 to 7F, and by zeros; the last byte of the last block
// gets 80 added.
//
// The highest one of D is the first 1 of pad10*1, and the bits below it are a suffix. So TurboSHAKE
// with D = 1F, the RFC's default, has the suffix of SHAKE, 1111. For other values there are two
// functions without a suffix, whose sender appends the bits of D below its highest one to the
// message: none for D = 01, the three bits 1, 1, 0 (lowest first) for D = 0B.

package hf_turboshake_pkg;

  parameter int unsigned FamilyTurboshake = 6;

  typedef enum logic [7:0] {
    FnTurboshake128 = 8'h60,  // D = 1F
    FnTurboshake256 = 8'h61,
    FnTurboshake128Domain = 8'h62,  // D by the message's last bits
    FnTurboshake256Domain = 8'h63
  } turboshake_e;

  // The bits that are the same in all of these codes, and in no other.
  parameter logic [7:0] TurboshakeMask = 8'hFC;

  parameter int unsigned TurboshakeRounds = 12;

  function automatic logic turboshake_known(input logic [7:0] code);
    return (code & TurboshakeMask) == FnTurboshake128;
  endfunction

  // As hf_keccak_pkg::function_info, for the two lowest bits of a code.
  function automatic hf_keccak_pkg::function_info_t turboshake_info(input logic [1:0] low);
    turboshake_info.rate_lanes = low[0] ? 5'd17 : 5'd21;
    turboshake_info.digest_words = '0;
    turboshake_info.suffix = low[1] ? 5'b00001 : 5'b11111;
    turboshake_info.suffix_len = low[1] ? 3'd1 : 3'd5;
  endfunction

  // As those of hf_keccak_legal_pkg.
  function automatic bit turboshake_fixed_legal(input int unsigned fixed_function);
    return fixed_function < 256 && turboshake_known(8'(fixed_function));
  endfunction

endpackage
