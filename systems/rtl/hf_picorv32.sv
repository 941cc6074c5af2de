// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A program on a processor: PicoRV32 (RV32IM) and its memory, which replies in one clock, with the
// ports of every system (docs/integrate/riscv.md):
//
//   rst_i   high: the processor is stopped and the host has the memory, to load a program and its
//           input and to read its result: host_rdata_o is the word at host_addr_i of the clock
//           before. Low: the processor runs from address 0.
//   mail    a word that the program stores at an address with bit 31 set, in that clock only.
//   trap_o  high from an illegal instruction or a misaligned address until reset.
//
// HasUnit = 1: custom-0 instructions go to the connected unit. Counters = 1: the program can read
// the numbers of instructions and of clocks.

module hf_picorv32 #(
    parameter  bit          HasUnit   = 1'b0,
    parameter  int unsigned MemWords  = 4096,             // a power of two
    parameter  bit          Counters  = 1'b0,
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
    output logic        trap_o,

    output logic        unit_valid_o,
    output logic [ 9:0] unit_function_o,
    output logic [31:0] unit_rs1_o,
    output logic [31:0] unit_rs2_o,
    input  logic        unit_known_i,
    input  logic        unit_ready_i,
    input  logic [31:0] unit_rd_i
);

  logic        mem_valid, mem_la_write;
  logic [31:0] mem_addr, mem_wdata, mem_la_addr, mem_la_wdata, mem_rdata;
  logic [ 3:0] mem_wstrb, mem_la_wstrb;
  logic        pcpi_valid, pcpi_wait, pcpi_ready;
  logic [31:0] pcpi_insn;
  logic [70:0] unused_cpu;

  // The look-ahead port announces an access a clock before the processor waits for it: no clock is
  // lost.
  picorv32 #(
      .ENABLE_COUNTERS(Counters),
      .BARREL_SHIFTER (1),
      .ENABLE_PCPI    (HasUnit),
      .ENABLE_MUL     (1),
      .ENABLE_DIV     (1)
  ) u_cpu (
      .clk         (clk_i),
      .resetn      (!rst_i),
      .trap        (trap_o),
      .mem_valid,
      .mem_instr   (unused_cpu[0]),
      .mem_ready   (1'b1),
      .mem_addr,
      .mem_wdata,
      .mem_wstrb,
      .mem_rdata,
      .mem_la_read (unused_cpu[1]),
      .mem_la_write,
      .mem_la_addr,
      .mem_la_wdata,
      .mem_la_wstrb,
      .pcpi_valid,
      .pcpi_insn,
      .pcpi_rs1    (unit_rs1_o),
      .pcpi_rs2    (unit_rs2_o),
      .pcpi_wr     (pcpi_ready),
      .pcpi_rd     (unit_rd_i),
      .pcpi_wait,
      .pcpi_ready,
      .irq         ('0),
      .eoi         (unused_cpu[33:2]),
      .trace_valid (unused_cpu[34]),
      .trace_data  (unused_cpu[70:35])
  );

  hf_unit_pcpi u_adapter (
      .pcpi_valid_i(pcpi_valid),
      .pcpi_insn_i (pcpi_insn),
      .pcpi_wait_o (pcpi_wait),
      .pcpi_ready_o(pcpi_ready),
      .unit_valid_o,
      .unit_function_o,
      .unit_known_i,
      .unit_ready_i
  );

  hf_byte_ram #(
      .Words((MemWords > 1 && $countones(MemWords) == 1) ? MemWords : 4096)
  ) u_ram (
      .clk_i,
      .write_i(rst_i ? {4{host_write_i}} : mem_la_wstrb & {4{mem_la_write && !mem_la_addr[31]}}),
      .addr_i (rst_i ? host_addr_i : mem_la_addr[2+:AddrWidth]),
      .wdata_i(rst_i ? host_wdata_i : mem_la_wdata),
      .rdata_o(mem_rdata)
  );
  assign host_rdata_o = mem_rdata;

  assign mail_valid_o = mem_valid && mem_addr[31] && mem_wstrb != '0;
  assign mail_data_o  = mem_wdata;

  logic unused;  // the memory repeats up to address 2**31
  assign unused = ^{mem_la_addr[30:AddrWidth+2], mem_la_addr[1:0], mem_addr[30:0]};

`ifndef HF_NO_PARAMETER_CHECKS
  if (MemWords < 2 || $countones(MemWords) != 1) begin : gen_bad_memory
    $fatal(1, "hf_picorv32: MemWords is a power of two, not %0d", MemWords);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
