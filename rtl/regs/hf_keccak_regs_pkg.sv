// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The engines of the Keccak peripheral: their codes in the parameter Engine and in CAPS.engine
// (rtl/regs/hf_keccak_regs.rdl), and the widths of their words. The phases of a hash, and the
// structs that join the modules of hf_keccak_regs.

package hf_keccak_regs_pkg;

  localparam int unsigned EngineIterative = 0;  // a round a clock: hf_keccak_iterative_words
  localparam int unsigned EngineSerial = 1;  // slices in turn: hf_keccak_serial
  localparam int unsigned EngineTiny = 2;  // under a microprogram: hf_keccak_tiny

  function automatic bit engine_legal(input int unsigned engine);
    return engine <= EngineTiny;
  endfunction

  // Bits of a register's word that are in one word of the engine: a register has 32.
  function automatic int unsigned engine_part_width(input int unsigned engine);
    return (engine == EngineSerial || engine == EngineTiny) ? 8 : 32;
  endfunction

  // The parameter WordWidth, bits of a word of a message, is legal with an engine. Those of bytes
  // take a word of 32 bits in parts.
  function automatic bit message_width_legal(input int unsigned engine, input int unsigned width);
    return width == 32 || (width == 64 && engine == EngineIterative);
  endfunction

  // Bits of a word between the sponge and the engine.
  function automatic int unsigned engine_word_width(input int unsigned engine,
                                                    input int unsigned width);
    return (width == 64 && engine == EngineIterative) ? 64 : engine_part_width(engine);
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

  /////////////////////
  // Between modules //
  /////////////////////

  // The function of CONFIG, from hf_keccak_regs_function.
  typedef struct packed {
    logic       known;         // the codes in CONFIG are legal
    logic       own_length;    // the function has an output length of its own
    logic [4:0] rate_lanes;
    logic [4:0] digest_words;  // words of 32 bits of its own length
  } function_fields_t;

  // The word of a write, from hf_keccak_regs_requests.
  typedef struct packed {
    logic [3:0]  bytes;  // that are written
    logic [31:0] word;
  } write_t;

  // A write to RUN in this clock, from hf_keccak_regs_requests.
  typedef struct packed {
    logic written;     // with a byte at least
    logic whole;       // with all bytes
    logic has_length;  // its field of output words is not zero
  } run_write_t;

  // A write to RUN after that, from hf_keccak_regs_commands.
  typedef struct packed {
    logic legal;  // it is legal, in the clock of the write
    logic loads;  // a clock later: its fields go to CONFIG, POSITION and LENGTH
  } run_t;

  // Commands, one-hot where one takes effect. `clear` is none of them: it does not wait.
  typedef struct packed {
    logic recall;  // with `start`, where it takes effect
    logic keep;
    logic resume;
    logic hold;
    logic stop;
    logic last;
    logic start;
  } command_t;

  // Commands that wait, from the second clock after they were written until they take effect, from
  // hf_keccak_regs_commands.
  typedef struct packed {
    logic waits;          // a command waits
    logic stop_waits;     // and it is `stop`, which is not refused in this clock
    logic settled;        // in the clock before, no command waited and no phase changed
    logic closes_config;  // it closes CONFIG and POSITION
    logic closes_length;  // it closes LENGTH and TAIL
  } pending_t;

  // How far the hash is, from hf_keccak_regs_phases: registers.
  typedef struct packed {
    logic running;    // a hash runs: it is neither held nor at its end
    logic last;       // the message ends with the words that have been accepted
    logic squeezing;  // the output has begun
    logic hold;       // a hold is pending
    logic held;       // the hash is held since the last clock at least
    logic done;       // the output is complete, as far as it is known
    logic aborts;     // the sponge and the engine are reset
  } progress_t;

  // What happens to the hash in this clock, from hf_keccak_regs_phases.
  typedef struct packed {
    logic begins;  // the output begins
    logic ends;    // the output has ended, and the wipe begins
    logic done;    // the output is complete, as far as it is known for the first time
    logic held;    // the hash is held from this clock on
  } event_t;

  // The copy of a state, from hf_keccak_regs_prefix.
  typedef struct packed {
    logic       kept;         // there is one
    logic       of_function;  // it is of the function in CONFIG
    logic [23:0] number;      // of the copy; 0 if there is none
  } copy_t;

  // A keep that has taken effect, from hf_keccak_regs_prefix.
  typedef struct packed {
    logic busy;       // it has not ended before this clock
    logic completes;  // the copy is complete in this clock, and the hash ends
    logic refused;    // the block is not complete: the hash goes on
  } keep_t;

  // The sponge's own phases, from hf_keccak_word_sponge.
  typedef struct packed {
    logic idle;
    logic held;
    logic squeezing;
  } sponge_t;

  // The output that LENGTH leaves, from hf_keccak_regs_length.
  typedef struct packed {
    logic       known;    // the others belong to LENGTH
    logic       zero;     // it is zero
    logic       part;     // less than a word is still to come
    logic       last;     // a word at most is
    logic       missing;  // neither the function nor LENGTH gives an output length
    logic [4:0] bits;     // of the last word, if it is partial
  } length_t;

  // What the FIFOs have, from hf_keccak_regs_datapath.
  typedef struct packed {
    logic       drained;        // no message word is on its way
    logic [7:0] message_free;   // words that the message FIFO has room for
    logic       digest_full;    // the digest FIFO is
    logic       digest_filled;  // in this clock
    logic [7:0] digest_words;   // in the digest FIFO
  } level_t;

  // Acknowledges of accesses that are pending.
  typedef struct packed {
    logic message;       // of a write
    logic message_read;
    logic digest;        // of a read
    logic state_read;
    logic state_write;
    logic empty_write;   // of MESSAGE or STATE, without a byte
  } ack_t;

  // Digest words that the bus may read, from hf_keccak_regs_digest.
  typedef struct packed {
    logic        valid;
    logic        flush;  // they are discarded in this clock
    logic [31:0] word;   // the first of them
  } digest_t;

  // Errors in this clock, one for each flag of ERROR.
  typedef struct packed {
    logic no_length;
    logic bad_access;
    logic config_write;
    logic state_access;
    logic digest_read;
    logic message_write;
    logic bad_position;
    logic bad_function;
    logic bad_command;
  } error_t;

endpackage
