// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Types and functions that the modules of hf_keccak_slots share.

package hf_keccak_slots_pkg;

  // A rate in three bits, because one is stored for each slot. The supported functions have rates
  // of 9, 13, 16, 17, 18 and 21 lanes (hf_keccak_pkg::function_info). Two of the bits are bits of
  // the rate, inverted, because rates are subtracted.
  typedef logic [2:0] rate_t;

  function automatic rate_t rate_of(input logic [4:0] lanes);
    logic unused;
    unused = lanes[3];
    return {!lanes[2], lanes[0] ? lanes[4] : lanes[1], !lanes[0]};
  endfunction

  function automatic logic [4:0] lanes_of(input rate_t rate);
    return {rate[0] || rate[1], !rate[0] && !rate[1], !rate[2], rate[0] && rate[1], !rate[0]};
  endfunction

  function automatic bit coprime(input int unsigned a, input int unsigned b);
    for (int unsigned i = 2; i <= a; i++) if (a % i == 0 && b % i == 0) return 1'b0;
    return 1'b1;
  endfunction

endpackage
