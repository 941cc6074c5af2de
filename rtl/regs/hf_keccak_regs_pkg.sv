// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The engines of the Keccak peripheral: their codes in the parameter Engine and in CAPS.engine
// (rtl/regs/hf_keccak_regs.rdl), and the width of their words. Its phases.

package hf_keccak_regs_pkg;

  localparam int unsigned EngineIterative = 0;  // a round a clock: hf_keccak_iterative_words
  localparam int unsigned EngineSerial = 1;  // slices in turn: hf_keccak_serial
  localparam int unsigned EngineTiny = 2;  // under a microprogram: hf_keccak_tiny

  function automatic bit engine_legal(input int unsigned engine);
    return engine <= EngineTiny;
  endfunction

  // Bits of a word between the sponge and the engine.
  function automatic int unsigned engine_word_width(input int unsigned engine);
    return (engine == EngineSerial || engine == EngineTiny) ? 8 : 32;
  endfunction

  // STATUS.phase, one-hot.
  typedef struct packed {
    logic change;
    logic held;
    logic squeeze;
    logic finish;
    logic absorb;
    logic idle;
  } phases_t;

endpackage
