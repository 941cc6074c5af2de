// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What parameters of Keccak modules may be, for those that check several in the same way. Nothing of
// a netlist depends on it at legal values.

package hf_keccak_legal_pkg;
  import hf_keccak_pkg::*;

  // `rounds`, or 1 where they do not divide 24: so that a module with such a parameter elaborates as
  // far as its check.
  function automatic int unsigned whole_rounds(input int unsigned rounds);
    whole_rounds = 1;
    if (rounds != 0) begin
      if (NumRounds % rounds == 0) whole_rounds = rounds;
    end
  endfunction

  // What a stream's top may have as FixedFunction and FixedLength.
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
