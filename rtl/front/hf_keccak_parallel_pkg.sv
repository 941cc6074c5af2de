// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// ParallelHash (SP 800-185, section 6): codes that hf_keccak_parallel takes beside those of the
// core after it, which pass. Bit 0 of a function's code is the strength, 128 or 256 bits.

package hf_keccak_parallel_pkg;

  typedef enum logic [7:0] {
    FnParallelHash128 = 8'h68,
    FnParallelHash256 = 8'h69,
    FnParallelHashXof128 = 8'h6A,
    FnParallelHashXof256 = 8'h6B,
    LoadBlockBytes = 8'h6C,  // B
    LoadCustom = 8'h6D       // S
  } parallel_e;

  parameter int unsigned BlockBytesDefault = 8192;
  parameter int unsigned BlockBytesWidth = 32;
  parameter int unsigned StringBytes = 256;  // most bytes of S

  function automatic logic is_parallel(input logic [7:0] code);
    return (code & 8'hFC) == FnParallelHash128;
  endfunction

endpackage
