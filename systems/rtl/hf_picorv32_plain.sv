// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A program on PicoRV32 without a unit (docs/integrate/riscv.md). The ports are those of
// hf_picorv32.

module hf_picorv32_plain #(
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

  logic [74:0] unused_unit;

  hf_picorv32 #(
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
      .unit_valid_o   (unused_unit[0]),
      .unit_function_o(unused_unit[10:1]),
      .unit_rs1_o     (unused_unit[42:11]),
      .unit_rs2_o     (unused_unit[74:43]),
      .unit_known_i   (1'b0),
      .unit_ready_i   (1'b0),
      .unit_rd_i      ('0)
  );

endmodule
