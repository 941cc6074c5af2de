// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The finalists BLAKE, Groestl, JH and Skein-512 (final round) as the stream front end sees them:
// families, function codes, and what the padding has to know of each.
//
// Bits of a message are counted as these families count them: from the highest of byte 0 down. In
// a last byte of n bits they are its n highest. (Keccak counts from the lowest.)

package hf_finalist_pkg;

  parameter int unsigned FamilyBlake = 0;
  parameter int unsigned FamilyGroestl = 1;
  parameter int unsigned FamilyJh = 2;
  parameter int unsigned FamilySkein = 3;
  parameter int unsigned NumFamilies = 4;

  // Code of a hash function on the stream port (`tuser`): 16, then family and size. Below are
  // those of hf_keccak_pkg.
  typedef enum logic [4:0] {
    FnBlake224 = 5'd16,
    FnBlake256 = 5'd17,
    FnBlake384 = 5'd18,
    FnBlake512 = 5'd19,
    FnGroestl224 = 5'd20,
    FnGroestl256 = 5'd21,
    FnGroestl384 = 5'd22,
    FnGroestl512 = 5'd23,
    FnJh224 = 5'd24,
    FnJh256 = 5'd25,
    FnJh384 = 5'd26,
    FnJh512 = 5'd27,
    FnSkein512_224 = 5'd28,
    FnSkein512_256 = 5'd29,
    FnSkein512_384 = 5'd30,
    FnSkein512_512 = 5'd31
  } function_e;

  // The code's low bits.
  typedef enum logic [1:0] {
    Size224 = 2'd0,
    Size256 = 2'd1,
    Size384 = 2'd2,
    Size512 = 2'd3
  } size_e;

  // The digest's bytes.
  function automatic int unsigned size_bytes(input size_e size);
    unique case (size)
      Size224: return 28;
      Size256: return 32;
      Size384: return 48;
      default: return 64;
    endcase
  endfunction

  // Whether an engine of this family and width computes the function. BLAKE and Groestl are two
  // functions each, one a width; JH and Skein-512 are one each, and a wide digest holds a short one.
  function automatic logic function_valid(input int unsigned family, input int unsigned width,
                                          input logic [4:0] code);
    logic [4:0] first;
    first = {1'b1, 2'(family), 2'd0};
    if (family == FamilyJh || family == FamilySkein) begin
      return code >= first && code <= first + ((width == 256) ? 5'd1 : 5'd3);
    end
    return code[4:1] == first[4:1] + ((width == 256) ? 4'd0 : 4'd1);
  endfunction

  function automatic int unsigned block_width(input int unsigned family, input int unsigned width);
    return (family == FamilyBlake || family == FamilyGroestl) ? 2 * width : 512;
  endfunction

  // Bits of the message length at a block's end, or of the number of blocks; Skein has none.
  function automatic int unsigned length_width(input int unsigned family, input int unsigned width);
    unique case (family)
      FamilyBlake:   return width / 4;
      FamilyGroestl: return 64;
      FamilyJh:      return 128;
      default:       return 0;
    endcase
  endfunction

  // Bits of the message that a block with the padding's end may hold: the pad's first 1 and the
  // length are in it too, and BLAKE's last bit. JH's holds none, Skein's any number.
  function automatic int unsigned final_limit(input int unsigned family, input int unsigned width);
    unique case (family)
      FamilyBlake:   return block_width(family, width) - length_width(family, width) - 2;
      FamilyGroestl: return block_width(family, width) - length_width(family, width) - 1;
      FamilyJh:      return 0;
      default:       return block_width(family, width);
    endcase
  endfunction

endpackage
