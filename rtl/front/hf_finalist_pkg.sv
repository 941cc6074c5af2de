// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The SHA-3 finalists BLAKE, Groestl, JH and Skein-512 (final round) for the stream front end:
// function codes and the facts that the padding needs. The families are in hf_stream_pkg.
//
// Message bits are counted as these families count them: from the highest bit of byte 0 down. The n
// bits of a partial last byte are its n highest. (Keccak counts from the lowest.)

package hf_finalist_pkg;

  import hf_stream_pkg::*;

  // Code of a hash function on the stream port (hf_stream_pkg::code_t); the index is the size.
  typedef enum logic [7:0] {
    FnBlake224 = 8'h20,
    FnBlake256 = 8'h21,
    FnBlake384 = 8'h22,
    FnBlake512 = 8'h23,
    FnGroestl224 = 8'h30,
    FnGroestl256 = 8'h31,
    FnGroestl384 = 8'h32,
    FnGroestl512 = 8'h33,
    FnJh224 = 8'h40,
    FnJh256 = 8'h41,
    FnJh384 = 8'h42,
    FnJh512 = 8'h43,
    FnSkein512_224 = 8'h50,
    FnSkein512_256 = 8'h51,
    FnSkein512_384 = 8'h52,
    FnSkein512_512 = 8'h53
  } function_e;

  // The code's index.
  typedef enum logic [1:0] {
    Size224 = 2'd0,
    Size256 = 2'd1,
    Size384 = 2'd2,
    Size512 = 2'd3
  } size_e;

  // Bytes of the digest.
  function automatic int unsigned size_bytes(input size_e size);
    unique case (size)
      Size224: return 28;
      Size256: return 32;
      Size384: return 48;
      default: return 64;
    endcase
  endfunction

  // Return whether an engine of this family and width computes the function. BLAKE and Groestl are
  // two functions each, one for each width. JH and Skein-512 are one each, and a wide digest
  // contains a short one.
  function automatic logic function_known(input int unsigned family, input int unsigned width,
                                          input code_t code);
    logic in_width;
    if (family == FamilyJh || family == FamilySkein) in_width = width == 512 || !code.index[1];
    else in_width = code.index[1] == (width == 512);
    return code.family == 4'(family) && code.index[3:2] == '0 && in_width;
  endfunction

  // Return whether a stream top accepts this FixedFunction.
  function automatic bit fixed_legal(input int unsigned family, input int unsigned width,
                                     input int unsigned fixed_function);
    return fixed_function < 256 && function_known(family, width, 8'(fixed_function));
  endfunction

  function automatic int unsigned block_width(input int unsigned family, input int unsigned width);
    return (family == FamilyBlake || family == FamilyGroestl) ? 2 * width : 512;
  endfunction

  // Bits of the number at a block's end: the message length or the number of blocks; none for
  // Skein.
  function automatic int unsigned length_width(input int unsigned family, input int unsigned width);
    unique case (family)
      FamilyBlake:   return width / 4;
      FamilyGroestl: return 64;
      FamilyJh:      return 128;
      default:       return 0;
    endcase
  endfunction

  // Message bits that fit into a block with the padding's end. The pad's first 1 and the length
  // must fit too, and BLAKE's last bit. JH: none. Skein: any number.
  function automatic int unsigned final_limit(input int unsigned family, input int unsigned width);
    unique case (family)
      FamilyBlake:   return block_width(family, width) - length_width(family, width) - 2;
      FamilyGroestl: return block_width(family, width) - length_width(family, width) - 1;
      FamilyJh:      return 0;
      default:       return block_width(family, width);
    endcase
  endfunction

endpackage
