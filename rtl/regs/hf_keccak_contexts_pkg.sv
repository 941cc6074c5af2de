// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What the modules of hf_keccak_contexts share: the steps of a save and a restore, the registers
// they move, and the record of a context in the RAM.

package hf_keccak_contexts_pkg;

  import hf_keccak_csr_pkg::*;

  parameter int unsigned StateWords = 50;

  // Words of a register's address; those of registers that are saved have the same place in the
  // RAM, from word 48 on.
  typedef enum logic [3:0] {
    RegCaps       = 4'h2,
    RegConfig     = 4'h4,
    RegLength     = 4'h5,
    RegTail       = 4'h6,
    RegCommand    = 4'h7,
    RegStatus     = 4'h8,
    RegError      = 4'h9,
    RegIntrState  = 4'hA,
    RegIntrEnable = 4'hB,
    RegIntrTest   = 4'hC,
    RegPosition   = 4'hD,
    RegRecord     = 4'hF   // no register: what this module keeps of a context
  } register_e;

  parameter logic [6:0] DigestWord = 7'h11;
  parameter logic [6:0] OwnerWord = 7'h7F;

  parameter int unsigned HeldBit = 3;  // in INTR_STATE
  parameter logic [8:0] Ones = '1;
  parameter logic [8:0] CommandClear = 9'h008;
  parameter logic [8:0] CommandHold = 9'h010;
  parameter logic [8:0] CommandResume = 9'h020;
  parameter logic [8:0] AnyConfig = 9'h001;  // SHA3-256
  parameter logic [8:0] Squeezing = 9'h100;  // of POSITION

  // What a context does while it is in the RAM.
  typedef enum logic [1:0] {
    PhaseIdle,
    PhaseAbsorb,
    PhaseSqueeze,
    PhaseHeld
  } context_phase_e;

  // What the RAM has of a context beside the words of its registers.
  typedef struct packed {
    logic [5:0]     id;
    logic           owned;
    context_phase_e phase;
    logic           done;        // STATUS.done
    logic           error;       // STATUS.error
    logic [2:0]     kept_words;  // words of the digest FIFO that the RAM has
    logic [1:0]     next_word;   // the first of them
  } record_t;

  // Fields of STATUS.
  typedef struct packed {
    logic [2:0] digest_words;
    logic       done;
    logic       busy;
    phase_e_e   phase;
  } status_t;

  typedef enum int unsigned {
    Idle,
    Fetch,                // of what the RAM has of the page
    Latch,
    Decide,
    Kept,                 // a word of the digest FIFO comes out of the RAM
    Forward,              // the access is the peripheral's
    Answer,
    KeptZero,
    KeptRecord,
    PostPoll,             // what the access did
    PostCheck,
    SaveBusy,
    SaveBusyCheck,
    SaveError,
    SaveErrorClear,
    SaveIntr,
    SaveHold,
    SaveHeld,
    SaveHeldCheck,
    SaveErrorAgain,
    SaveErrorClearAgain,
    SaveStatus,
    SaveDigest,
    SaveConfig,
    SaveLength,
    SaveTail,
    SavePosition,
    SaveState,
    SaveZero,             // of a hash that ended: the state in the RAM is wiped
    SaveIntrEnable,
    SavePutIntr,
    SavePutError,
    SaveClear,
    SaveRecord,
    LoadHold,
    LoadHeld,
    LoadHeldCheck,
    LoadDoneConfig,       // STATUS.done is restored by an output of no bits
    LoadDonePosition,
    LoadDoneResume,
    LoadDone,
    LoadDoneCheck,
    LoadConfig,
    LoadPosition,
    LoadClear,
    LoadState,
    LoadLength,
    LoadTail,
    LoadIntrClear,
    LoadIntr,
    LoadResume,
    LoadAbsorb,
    LoadAbsorbCheck,
    LoadRoom,
    LoadIntrEnable,
    LoadError,
    WipeError,
    WipeClear,
    WipeWords,
    WipeRecord
  } step_e;

  // One-hot: a step takes no LUT to decode.
  typedef logic [WipeRecord:0] steps_t;
  function automatic steps_t at(input step_e step);
    return steps_t'(1) << step;
  endfunction

  // An access to the peripheral, and the word that it moves.
  typedef struct packed {
    logic       needed;     // of the peripheral
    logic       write;
    logic       from_ram;   // the word comes from the RAM,
    logic       to_ram;     // goes there,
    logic       put;        // or is made here
    logic       polls;      // reads STATUS
    logic [6:0] word;       // of the peripheral's page
    logic [8:0] constant;   // what is written, if not from the RAM
    logic [5:0] ram_place;  // in the context's words
  } move_t;

  // What the choice of the next step depends on.
  typedef struct packed {
    logic           starts;           // an access to a page that needs a step
    logic           is_wiped;         // opens or releases the page
    logic           is_answered;      // here: OWNER, or refused
    logic           is_constant;      // reads an identification
    logic           reads_status;
    logic           reads_kept;
    logic           page_loaded;
    logic           any_loaded;       // some context is
    logic           answer_kept;      // the answer was a word of the digest FIFO from the RAM
    logic           needs_post;
    logic           post_hold;        // the access was a hold
    logic           discards_kept;
    logic           produces_output;
    status_t        status;
    record_t        page_record;
    context_phase_e saved_phase;      // of the loaded context, while it is saved
    logic           discard_output;
    logic           goes_back;        // the page that was loaded
    logic           stays_parked;
    logic           no_access;        // there is none to answer
    logic           reset_wipe;
    logic           last_page;
    logic           step_repeats;     // for the next word
  } conditions_t;

  function automatic logic [5:0] place_of(input register_e of_register);
    return {2'b11, of_register};
  endfunction
  // Words 50, 51, 60 and 62 are those of no register.
  function automatic logic [5:0] place_of_kept(input logic [1:0] number);
    return number[1] ? {4'b1111, number[0], 1'b0} : {5'b11001, number[0]};
  endfunction
  function automatic context_phase_e phase_of(input phase_e_e phase);
    unique case (phase)
      phase_e__absorb: return PhaseAbsorb;
      phase_e__squeeze: return PhaseSqueeze;
      phase_e__held: return PhaseHeld;
      default: return PhaseIdle;
    endcase
  endfunction

endpackage
