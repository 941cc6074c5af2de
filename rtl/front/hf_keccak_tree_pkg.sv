// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// KangarooTwelve (RFC 9861, section 3): function codes, sizes, and the struct between the modules
// of hf_keccak_tree.

package hf_keccak_tree_pkg;

  // Beside the codes of hf_turboshake_pkg, which pass.
  parameter logic [7:0] FnKt128 = 8'h64;
  parameter logic [7:0] FnKt256 = 8'h65;

  parameter int unsigned ChunkBytes = 8192;
  parameter int unsigned CountWidth = 40;  // of the number of chunks, and of the bytes of C

  // Most chunks of a slot whose values are not in the final node yet, plus one.
  parameter int unsigned SlotChunks = 4;
  parameter int unsigned SlotChunkBits = 2;
  // A chunk's number in its message, modulo a number that is larger than that of all chunks of a
  // message whose values are not in the final node yet (16 slots with three chunks each).
  parameter int unsigned IndexBits = 6;

  parameter int unsigned FieldCountBits = 6;

  // What a ring stores with a beat.
  typedef struct packed {
    logic last_beat;  // of its node; the others are full
    logic [2:0] last_bits;  // valid bits of the last byte; 0: all
    logic [FieldCountBits-1:0] byte_count;  // 0 to 32
    logic is_bad;  // with last_beat: the node ends with an error
    logic is_strong;  // a node of KT256
  } node_beat_t;

  function automatic logic is_tree_code(input logic [7:0] code);
    return code == FnKt128 || code == FnKt256;
  endfunction

endpackage
