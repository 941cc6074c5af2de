// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Types that the stages of hf_sparc_iu share. Encodings, traps and registers are those of The SPARC
// Architecture Manual, Version 8; 8 register windows.
//
// An instruction takes one slot of the pipeline, or up to three (ldd, st, std, swap, ldstub). The
// first slot represents it in traps and addresses.

package hf_sparc_pkg;

  parameter int unsigned Windows = 8;

  typedef logic [2:0] window_t;
  // A physical register: 0 .. 127 are those of the windows (outs and locals of each), 128 .. 135
  // the globals.
  typedef logic [7:0] place_t;
  typedef logic [31:2] pc_t;

  // Condition codes, as in PSR.
  typedef struct packed {
    logic n;
    logic z;
    logic v;
    logic c;
  } icc_t;

  ////////////////////
  // Traps          //
  ////////////////////

  parameter logic [7:0] TrapFetch = 8'h01;
  parameter logic [7:0] TrapIllegal = 8'h02;
  parameter logic [7:0] TrapPrivileged = 8'h03;
  parameter logic [7:0] TrapFpDisabled = 8'h04;
  parameter logic [7:0] TrapOverflow = 8'h05;
  parameter logic [7:0] TrapUnderflow = 8'h06;
  parameter logic [7:0] TrapMisaligned = 8'h07;
  parameter logic [7:0] TrapData = 8'h09;
  parameter logic [7:0] TrapTag = 8'h0A;
  parameter logic [7:0] TrapInterrupt = 8'h10;  // plus the level
  parameter logic [7:0] TrapCpDisabled = 8'h24;
  parameter logic [7:0] TrapDivision = 8'h2A;
  parameter logic [7:0] TrapSoftware = 8'h80;  // plus the number

  ////////////////////
  // Operations     //
  ////////////////////

  typedef enum logic [2:0] {  // of EX, except multiplication and division
    ResultSum,
    ResultLogic,
    ResultShift,
    ResultState,   // a state register
    ResultPc,
    ResultRotate
  } result_e;

  typedef enum logic [1:0] {
    LogicAnd,
    LogicOr,
    LogicXor,
    LogicPass  // the second operand
  } logic_e;

  typedef enum logic [2:0] {
    StateY,
    StatePsr,
    StateWim,
    StateTbr,
    StateConfig,  // ASR 17
    StateCount    // ASR 20: completed instructions
  } state_e;

  typedef enum logic [1:0] {
    SizeByte,
    SizeHalf,
    SizeWord,
    SizeDouble
  } size_e;

  typedef enum logic [1:0] {
    SpaceMemory,
    SpaceCache,  // control registers of a cache that does not exist
    SpaceNone    // reads as zero
  } space_e;

  // The operation of an instruction, by slot where its slots differ.
  typedef struct packed {
    result_e    result;
    logic       subtract;
    logic       with_carry;
    logic       tags;
    logic       tag_trap;
    logic       mulscc;
    logic_e     logic_op;
    logic       invert;      // inverts the second operand
    logic       shift_left;
    logic       shift_sign;
    state_e     state;       // read, or written if write_state is set
    logic       write_state;
    logic       write_icc;
    logic       write_y;
    logic       multiply;
    logic       divide;
    logic       atomic;      // swap, ldstub
    logic       is_signed;   // multiplication, division, load
    logic       load;
    logic       store;
    size_e      size;
    space_e     space;
    logic       jump;        // jmpl, rett
    logic       rett;
    logic       ticc;
    logic [3:0] cond;
  } op_t;

  // The fields that each slot carries through the pipeline.
  typedef struct packed {
    logic    first;  // the first slot of an instruction, annulled or not
    logic    live;   // not annulled
    pc_t     pc;
    window_t cwp;    // before the instruction, like su
    logic    su;
    logic    trap;
    logic [7:0] tt;
    logic    write;  // writes a register
    place_t  rd;
  } slot_t;

  // The view of a simulation on an instruction in XC, where it is completed; later instructions
  // have not changed anything yet.
  typedef struct packed {
    logic        valid;  // an instruction
    logic        trap;   // it traps, and had no effect
    logic [31:0] pc;
    logic        su;     // before it, like CWP
    logic [ 2:0] cwp;
    logic        write;  // a register is written, which may be the second of an instruction
    place_t      place;
    logic [31:0] data;
    logic [31:0] psr;    // after it, except S and CWP
    logic [31:0] wim;
    logic [31:0] y;
    logic [31:0] tbr;
  } trace_t;

  ////////////////////
  // Functions      //
  ////////////////////

  // The ins of a window are the outs of the next one. (One gate a bit: a carry chain would be
  // slow.)
  function automatic place_t place(window_t window, logic [4:0] register);
    logic next;
    next = register[4] && register[3];
    if (register[4:3] == 2'b00) return {5'b10000, register[2:0]};
    return {
      1'b0,
      window[2] ^ (next && window[1] && window[0]),
      window[1] ^ (next && window[0]),
      window[0] ^ next,
      register[4] && !register[3],
      register[2:0]
    };
  endfunction

  // Conditions of Bicc and Ticc (section 5.1.2.1 of the manual).
  function automatic logic holds(logic [3:0] cond, icc_t icc);
    logic yes;
    unique case (cond[2:0])
      3'd0: yes = 1'b0;
      3'd1: yes = icc.z;
      3'd2: yes = icc.z || (icc.n ^ icc.v);
      3'd3: yes = icc.n ^ icc.v;
      3'd4: yes = icc.c || icc.z;
      3'd5: yes = icc.c;
      3'd6: yes = icc.n;
      default: yes = icc.v;
    endcase
    return yes ^ cond[3];
  endfunction

endpackage
