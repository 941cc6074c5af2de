// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What the modules of the peripheral's DMA master share: the layout of a descriptor
// (docs/integrate/dma.md), and the addresses of the peripheral's registers that a list uses
// (rtl/regs/hf_keccak_regs.rdl; tests/lab/test_registers.py compares them).

package hf_keccak_dma_pkg;

  // Words of a descriptor. The last one is written by the hardware and not read.
  localparam int unsigned WordControl = 0;
  localparam int unsigned WordSource = 1;
  localparam int unsigned WordBytes = 2;
  localparam int unsigned WordLength = 3;
  localparam int unsigned WordTail = 4;
  localparam int unsigned WordDigest = 5;
  localparam int unsigned WordNext = 6;
  localparam int unsigned WordStatus = 7;

  // Bits of WordControl, from bit 8 on; bits 7 to 0 are the function's code, the others 0.
  typedef struct packed {
    logic last_of_list;
    logic reports;       // by an interrupt
    logic ends;          // the message
    logic begins;        // the message
  } flags_t;
  localparam int unsigned UnusedFrom = 12;

  // A descriptor that was read.
  typedef struct packed {
    flags_t      flags;
    logic [7:0]  function_code;
    logic [4:0]  own_words;      // the function's output in words; 0: any length
    logic [31:0] source_addr;
    logic [30:0] source_words;   // that have bytes of the segment
    logic [2:0]  source_end;     // the address after the segment's last byte, modulo 8
    logic        is_empty;       // no byte
    logic [31:0] output_length;  // bits
    logic [7:0]  tail_text;
    logic [2:0]  tail_bits;
    logic [31:5] next_addr;
  } descriptor_t;

  // Bits of WordStatus: bit 0, done; from bit 4 on, the cause of an error.
  localparam int unsigned CauseFrom = 4;

  // The longest burst of a write, in words.
  localparam int unsigned WriteWords = 16;

  // Addresses in the peripheral.
  localparam logic [8:0] AddrConfig = 9'h010;
  localparam logic [8:0] AddrLength = 9'h014;
  localparam logic [8:0] AddrTail = 9'h018;
  localparam logic [8:0] AddrCommand = 9'h01C;
  localparam logic [8:0] AddrStatus = 9'h020;
  localparam logic [8:0] AddrIntrState = 9'h028;
  localparam logic [8:0] AddrDigest = 9'h044;

  // Bits in them.
  localparam logic [31:0] ConfigStream = 32'h0000_0100;
  localparam logic [31:0] ConfigPackets = 32'h0000_0200;
  localparam logic [31:0] CommandStart = 32'h0000_0001;
  localparam logic [31:0] CommandLast = 32'h0000_0002;
  localparam logic [31:0] CommandClear = 32'h0000_0008;
  localparam logic [31:0] IntrAll = 32'h0000_001F;

endpackage
