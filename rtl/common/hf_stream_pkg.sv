// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The side channel of the stream ports (docs/reference/stream.md): the fields of `s_axis_tuser`,
// and the form of function codes.

package hf_stream_pkg;

  // Code of a hash function: its family, and its index in that family. The codes are in
  // hf_keccak_pkg, hf_turboshake_pkg (family 6) and hf_finalist_pkg; families 7 to 15 are free.
  typedef struct packed {
    logic [3:0] family;
    logic [3:0] index;
  } code_t;

  parameter int unsigned FamilyKeccak = 0;  // FIPS 202, and Keccak as submitted to the competition
  parameter int unsigned FamilySp800_185 = 1;
  parameter int unsigned FamilyBlake = 2;
  parameter int unsigned FamilyGroestl = 3;
  parameter int unsigned FamilyJh = 4;
  parameter int unsigned FamilySkein = 5;

  parameter int unsigned LengthWidth = 40;

  // `s_axis_tuser`, in whole bytes: code, bits and length begin at bits 0, 8 and 16.
  typedef struct packed {
    logic [LengthWidth-1:0] length;  // of the output, in bits; all ones: an open output
    logic [3:0]             reserved;  // must be 0; ignored
    logic                   more;  // at tlast: the message continues in the next packet (Packets)
    logic [2:0]             bits;  // valid bits in the message's last byte; 0: all eight
    code_t                  code;
  } user_t;

  parameter int unsigned UserWidth = $bits(user_t);
  // The lowest bit of each field.
  parameter int unsigned BitsAt = 8;
  parameter int unsigned MoreAt = 11;
  parameter int unsigned LengthAt = 16;

  // Legal values of the tops' DataWidth and TidWidth. A top does not pass an illegal value on, so
  // that all modules below elaborate and its own check fails.
  function automatic bit width_legal(input int unsigned width, input int unsigned least,
                                     input int unsigned most);
    return width >= least && width <= most && $countones(width) == 1;
  endfunction
  function automatic bit tid_legal(input int unsigned width, input int unsigned least);
    return width >= least && width <= 16;
  endfunction

  // The value of the tops' FixedFunction that fixes no function (docs/integrate/dma.md).
  parameter int unsigned ByUser = 256;

  // The tops' parameter FixedLength as a field of s_axis_tuser.
  function automatic logic [LengthWidth-1:0] length_field(input int unsigned fixed_length);
    return (fixed_length == '1) ? '1 : LengthWidth'(fixed_length);
  endfunction

  // Increment and decrement as gates, each bit separate: synthesis would infer a carry chain, which
  // is slower even if it is short.
  function automatic logic [7:0] plus_one(input logic [7:0] value);
    for (int unsigned i = 0; i < 8; i++) begin
      plus_one[i] = value[i] ^ ((~value & ((8'd1 << i) - 8'd1)) == '0);
    end
  endfunction
  function automatic logic [7:0] minus_one(input logic [7:0] value);
    return ~plus_one(~value);
  endfunction

endpackage
