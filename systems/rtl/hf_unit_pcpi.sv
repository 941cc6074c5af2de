// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Connects a unit (docs/integrate/riscv.md) to the co-processor interface of PicoRV32, PCPI. Its
// instructions are custom-0 of R-type form. An instruction that the unit does not support gets no
// reply, and the processor traps after sixteen clocks. One that it supports prevents the trap until
// it is complete.

module hf_unit_pcpi (
    input  logic        pcpi_valid_i,
    input  logic [31:0] pcpi_insn_i,
    output logic        pcpi_wait_o,
    output logic        pcpi_ready_o,

    output logic       unit_valid_o,
    output logic [9:0] unit_function_o,
    input  logic       unit_known_i,
    input  logic       unit_ready_i
);

  localparam logic [6:0] Custom0 = 7'b0001011;

  assign unit_valid_o = pcpi_valid_i && pcpi_insn_i[6:0] == Custom0;
  assign unit_function_o = {pcpi_insn_i[31:25], pcpi_insn_i[14:12]};
  assign pcpi_wait_o = unit_valid_o && unit_known_i;
  assign pcpi_ready_o = unit_ready_i;

  logic unused;  // rs2, rs1 and rd
  assign unused = ^{pcpi_insn_i[24:15], pcpi_insn_i[11:7]};

endmodule
