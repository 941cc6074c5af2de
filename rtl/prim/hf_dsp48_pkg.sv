// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Operations of a DSP48 slice's logic unit by name. Each value is the OPMODE (W, Z, Y, X of UG579)
// and the ALUMODE of the operation, so a name costs no logic. Operands are 48 bits: AB is A:B, C is
// C, P is the slice's own output, PCIN is the neighbour's.
//
// The unit computes X ^ Y ^ Z or the majority of X, Y, Z; Z and the result may be inverted. With Y
// = 0 the majority is X & Z, with Y = ones it is X | Z; this is in the logic tables of UG479 and
// UG579. A third operand enters through Y = C, which UG579 lists as an input of the multiplexer but
// not in its logic table. The vendor's model of DSP48E1 warns of Y = C in logic use, so the DSP48E1
// has operations of two operands only here.

package hf_dsp48_pkg;

  typedef logic [47:0] word_t;

  typedef struct packed {
    logic [8:0] opmode;   // W, Z, Y, X; a DSP48E1 has no W
    logic [3:0] alumode;
  } dsp48_op_t;

  // One operand.
  parameter dsp48_op_t OpZero = {9'b00_000_00_00, 4'b0100};
  parameter dsp48_op_t OpAb = {9'b00_000_00_11, 4'b0100};
  parameter dsp48_op_t OpC = {9'b00_011_00_00, 4'b0100};
  parameter dsp48_op_t OpPcin = {9'b00_001_00_00, 4'b0100};
  parameter dsp48_op_t OpNotAb = {9'b00_000_10_11, 4'b0100};

  // Two.
  parameter dsp48_op_t OpXorAbC = {9'b00_011_00_11, 4'b0100};
  parameter dsp48_op_t OpXorAbPcin = {9'b00_001_00_11, 4'b0100};
  parameter dsp48_op_t OpAndAbC = {9'b00_011_00_11, 4'b1100};  // AB & C
  parameter dsp48_op_t OpAndAbNotC = {9'b00_011_00_11, 4'b1101};  // AB & ~C
  parameter dsp48_op_t OpOrAbC = {9'b00_011_10_11, 4'b1100};
  parameter dsp48_op_t OpAccumulateAb = {9'b00_010_00_11, 4'b0100};  // P ^ AB
  parameter dsp48_op_t OpAccumulateC = {9'b00_011_00_10, 4'b0100};  // P ^ C
  parameter dsp48_op_t OpAccumulatePcin = {9'b00_001_00_10, 4'b0100};  // P ^ PCIN

  // Through Y, on DSP48E2 only: two operands, and three.
  parameter dsp48_op_t OpXorCPcin = {9'b00_001_11_00, 4'b0100};
  parameter dsp48_op_t OpXorAbCPcin = {9'b00_001_11_11, 4'b0100};
  parameter dsp48_op_t OpXnorAbCPcin = {9'b00_001_11_11, 4'b0101};
  parameter dsp48_op_t OpMajAbCPcin = {9'b00_001_11_11, 4'b1100};
  parameter dsp48_op_t OpAccumulateAbC = {9'b00_010_11_11, 4'b0100};  // P ^ AB ^ C
  parameter dsp48_op_t OpAccumulateCPcin = {9'b00_001_11_10, 4'b0100};  // P ^ C ^ PCIN

endpackage
