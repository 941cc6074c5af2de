// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A program on hf_sparc_iu, a SPARC V8 processor with the clocks of a LEON3, with the ports of
// every system (docs/integrate/riscv.md):
//
//   rst_i   high: the processor is stopped and the host has the memory, to load a program and its
//           input and to read its result: host_rdata_o is the word at host_addr_i of the clock
//           before. Low: the processor runs from address 0x4000_0000, the first of the memory.
//   mail    a word that the program stores at an address with bit 31 set, in that clock only.
//   trap_o  high from a trap while traps were disabled (error mode) until reset.
//
// It also has a console for texts. Rotate = 1 adds the instruction of hf_sparc_rol64.

module hf_keccak_leon3 #(
    parameter  bit          Rotate    = 1'b0,
    parameter  bit          Counters  = 1'b0,             // ASR 20 counts instructions
    parameter  int unsigned MemWords  = 8192,             // a power of two
    localparam int unsigned AddrWidth = (MemWords > 1) ? $clog2(MemWords) : 1
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                 host_write_i,
    input  logic [AddrWidth-1:0] host_addr_i,
    input  logic [         31:0] host_wdata_i,
    output logic [         31:0] host_rdata_o,

    output logic        mail_valid_o,
    output logic [31:0] mail_data_o,

    output logic       console_valid_o,
    output logic [7:0] console_data_o,

    output logic trap_o
);

  hf_sparc_pkg::trace_t unused_trace;
  logic unused_ack;

  hf_sparc_system #(
      .Rotate  (Rotate),
      .Counters(Counters),
      .MemWords(MemWords)
  ) u_system (
      .clk_i,
      .rst_i,
      .host_write_i,
      .host_addr_i,
      .host_wdata_i,
      .host_rdata_o,
      .mail_valid_o,
      .mail_data_o,
      .console_valid_o,
      .console_data_o,
      .irl_i    (4'd0),
      .irl_ack_o(unused_ack),
      .error_o  (trap_o),
      .trace_o  (unused_trace)
  );

endmodule
