// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Legal values of parameters that several Keccak modules share. At legal values, no netlist depends
// on these functions.

package hf_keccak_legal_pkg;
  import hf_keccak_pkg::*;

  // Return `rounds`, or 1 if it does not divide 24, so that a module with an illegal parameter
  // elaborates as far as its check.
  function automatic int unsigned whole_rounds(input int unsigned rounds);
    whole_rounds = 1;
    if (rounds != 0) begin
      if (NumRounds % rounds == 0) whole_rounds = rounds;
    end
  endfunction

  // Return whether a stream top accepts this FixedFunction, and this FixedLength with it.
  function automatic bit fixed_legal(input int unsigned fixed_function);
    return fixed_function < 256 && function_known(8'(fixed_function));
  endfunction
  function automatic bit length_legal(input int unsigned fixed_function,
                                      input int unsigned fixed_length);
    function_info_t info;
    logic unused;
    info = function_info(FunctionWidth'(fixed_function));
    unused = ^{info.rate_lanes, info.suffix, info.suffix_len};
    return !fixed_legal(fixed_function) || info.digest_words != '0 || fixed_length != 0;
  endfunction

endpackage
