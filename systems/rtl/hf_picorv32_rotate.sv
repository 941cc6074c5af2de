// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A program on PicoRV32 with hf_unit_rotate: a 64-bit rotate (docs/integrate/riscv.md). The ports
// are those of hf_picorv32.

module hf_picorv32_rotate #(
    parameter  int unsigned MemWords  = 4096,             // a power of two
    parameter  bit          Counters  = 1'b0,             // counters of instructions and clocks
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
    output logic        trap_o
);

  logic unit_valid, unit_known, unit_ready;
  logic [ 9:0] unit_function;
  logic [31:0] unit_rs1, unit_rs2, unit_rd;

  hf_picorv32 #(
      .HasUnit (1'b1),
      .MemWords(MemWords),
      .Counters(Counters)
  ) u_system (
      .clk_i,
      .rst_i,
      .host_write_i,
      .host_addr_i,
      .host_wdata_i,
      .host_rdata_o,
      .mail_valid_o,
      .mail_data_o,
      .trap_o,
      .unit_valid_o   (unit_valid),
      .unit_function_o(unit_function),
      .unit_rs1_o     (unit_rs1),
      .unit_rs2_o     (unit_rs2),
      .unit_known_i   (unit_known),
      .unit_ready_i   (unit_ready),
      .unit_rd_i      (unit_rd)
  );

  hf_unit_rotate u_unit (
      .clk_i,
      .rst_i,
      .valid_i   (unit_valid),
      .function_i(unit_function),
      .rs1_i     (unit_rs1),
      .rs2_i     (unit_rs2),
      .known_o   (unit_known),
      .ready_o   (unit_ready),
      .rd_o      (unit_rd)
  );

endmodule
