// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// One word of a 64-bit rotate to the left, as an instruction of PicoRV32 (its co-processor
// interface, PCPI). A rotate is two instructions, one for each word of the result:
//
//   31     25 24 20 19 15 14  12 11 7 6       0
//   | amount | rs2 | rs1 | word | rd | 0001011 |   custom-0, the form of an R-type instruction
//
//   {rs2, rs1}  the 64 bits, rs2 the high word
//   amount      0 .. 63
//   word        0: rd gets the result's low word; 1: its high word
//
// Others are left to other units (an instruction that none takes makes the processor trap). The
// answer comes in the clock of the question; the instruction takes four clocks, a shift three.

module hf_pcpi_rol64 (
    input  logic        pcpi_valid_i,
    input  logic [31:0] pcpi_insn_i,
    input  logic [31:0] pcpi_rs1_i,
    input  logic [31:0] pcpi_rs2_i,
    output logic        pcpi_ready_o,
    output logic [31:0] pcpi_rd_o
);

  localparam logic [6:0] Custom0 = 7'b0001011;

  logic [ 5:0] amount;
  logic [63:0] words;
  logic [46:0] by_16;
  logic [34:0] by_4;

  assign pcpi_ready_o = pcpi_valid_i && pcpi_insn_i[6:0] == Custom0 && !pcpi_insn_i[31] &&
      pcpi_insn_i[14:13] == 2'b00;

  // A rotate by 32 swaps the words, and the low word of a result is the high one of the swapped.
  assign amount = pcpi_insn_i[30:25];
  assign words = amount[5] ^ !pcpi_insn_i[12] ? {pcpi_rs1_i, pcpi_rs2_i} : {pcpi_rs2_i, pcpi_rs1_i};

  // The high word of a shift to the left by n is 32 - n bits up: 1, and all that n has not. In
  // three steps, each a multiplexer of four with the swap: one LUT6 a bit.
  assign by_16 = amount[4] ? words[47:1] : words[63:17];
  assign by_4 = 35'(by_16 >> {~amount[3:2], 2'b00});
  assign pcpi_rd_o = 32'(by_4 >> ~amount[1:0]);

  logic unused;  // rs2, rs1 and rd; a bit that no shift takes up
  assign unused = ^{pcpi_insn_i[24:15], pcpi_insn_i[11:7], words[0]};

endmodule
