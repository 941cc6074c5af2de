// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A DSP48E1 slice (Virtex-6 and the 7 series), used for its 48-bit logic unit: operations of
// hf_dsp48_pkg, and the pipeline registers by name. It contains only the vendor's primitive; the
// vendor's model simulates it, or rtl/prim/vendor/DSP48E1.sv. A DSP48E1 has operations of two
// operands only (hf_dsp48_pkg).
//
//   AbRegisters, CRegister  of the operands; en_ab_i and en_c_i hold them (all of A:B's)
//   OpRegister              of op_i
//   PRegister               of the result; en_p_i holds it. Operations on P need it
//
// PCIN has no register: an operation on it takes the neighbour's value in the clock of the
// operation. pcin_i is the pcout_o of the slice below in the same column, or zero. pcout_o is p_o,
// and connects only to a slice's pcin_i.

module hf_dsp48e1
  import hf_dsp48_pkg::*;
#(
    parameter int unsigned AbRegisters = 1,  // 0 to 2
    parameter int unsigned CRegister   = 1,  // 0 or 1
    parameter int unsigned OpRegister  = 1,
    parameter int unsigned PRegister   = 1
) (
    input logic clk_i,

    input  dsp48_op_t op_i,
    input  word_t     ab_i,
    input  logic      en_ab_i,
    input  word_t     c_i,
    input  logic      en_c_i,
    input  word_t     pcin_i,
    input  logic      en_p_i,
    output word_t     p_o,
    output word_t     pcout_o
);

  // Unused outputs.
  // verilator lint_off PINCONNECTEMPTY
  DSP48E1 #(
      .ACASCREG(AbRegisters),
      .ADREG(0),
      .ALUMODEREG(OpRegister),
      .AREG(AbRegisters),
      .A_INPUT("DIRECT"),
      .BCASCREG(AbRegisters),
      .BREG(AbRegisters),
      .B_INPUT("DIRECT"),
      .CARRYINREG(0),
      .CARRYINSELREG(0),
      .CREG(CRegister),
      .DREG(0),
      .INMODEREG(0),
      .MREG(0),
      .OPMODEREG(OpRegister),
      .PREG(PRegister),
      .USE_DPORT("FALSE"),
      .USE_MULT("NONE"),
      .USE_PATTERN_DETECT("NO_PATDET"),
      .USE_SIMD("ONE48")
  ) u_slice (
      .CLK(clk_i),
      .OPMODE(op_i.opmode[6:0]),
      .ALUMODE(op_i.alumode),
      .INMODE(5'b0),
      .A(ab_i[47:18]),
      .B(ab_i[17:0]),
      .C(c_i),
      .D(25'b0),
      .ACIN(30'b0),
      .BCIN(18'b0),
      .PCIN(pcin_i),
      .CARRYIN(1'b0),
      .CARRYINSEL(3'b0),
      .CARRYCASCIN(1'b0),
      .MULTSIGNIN(1'b0),
      .P(p_o),
      .PCOUT(pcout_o),
      .ACOUT(),
      .BCOUT(),
      .CARRYCASCOUT(),
      .CARRYOUT(),
      .MULTSIGNOUT(),
      .OVERFLOW(),
      .PATTERNBDETECT(),
      .PATTERNDETECT(),
      .UNDERFLOW(),
      .CEA1(en_ab_i),
      .CEA2(en_ab_i),
      .CEB1(en_ab_i),
      .CEB2(en_ab_i),
      .CEC(en_c_i),
      .CEP(en_p_i),
      .CECTRL(1'b1),
      .CEALUMODE(1'b1),
      .CEAD(1'b0),
      .CECARRYIN(1'b0),
      .CED(1'b0),
      .CEINMODE(1'b0),
      .CEM(1'b0),
      .RSTA(1'b0),
      .RSTB(1'b0),
      .RSTC(1'b0),
      .RSTP(1'b0),
      .RSTCTRL(1'b0),
      .RSTALUMODE(1'b0),
      .RSTALLCARRYIN(1'b0),
      .RSTD(1'b0),
      .RSTINMODE(1'b0),
      .RSTM(1'b0)
  );
  // verilator lint_on PINCONNECTEMPTY

  logic [1:0] unused_w;
  assign unused_w = op_i.opmode[8:7];

`ifndef HF_NO_PARAMETER_CHECKS
  if (AbRegisters > 2) begin : gen_bad_ab
    $fatal(1, "hf_dsp48e1: AbRegisters is 0 to 2, not %0d", AbRegisters);
  end
  if (CRegister > 1 || OpRegister > 1 || PRegister > 1) begin : gen_bad_registers
    $fatal(1, "hf_dsp48e1: CRegister, OpRegister, PRegister are 0 or 1, not %0d, %0d, %0d",
           CRegister, OpRegister, PRegister);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
