// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// DSP48E1: a behavioural model of its logic unit, for simulation only. Synthesis, and the vendor's
// own simulation, take the vendor's primitive of this name, ports and attributes. Written from
// AMD's user guide UG479; ports and attributes are those of yosys' box.
//
//   inputs     A and B direct or from ACIN and BCIN, with 0, 1 or 2 registers; C with 0 or 1
//   control    OPMODE and ALUMODE with 0 or 1 register
//   X          0, P, A:B        Y   0, ones, C        Z   0, PCIN, P, C; Y = C is not valid here
//   ALUMODE    01xx: X ^ Y ^ Z'      11xx: majority of X, Y, Z'
//              bit 0: Z' = ~Z, bit 1: the result is inverted
//   output     P with 0 or 1 register, and the same on PCOUT
//
// Registers are zero at power-up, as in the device. A use outside this subset (arithmetic, SIMD,
// pattern detector, and what the user guide forbids) ends the simulation: an attribute at its
// start, an operation in the clock that would keep its result. An operation that is X 16 clocks
// after the start is reported, once for each slice. Unused outputs are 0.

// Pins and attributes that the subset does not use; values of registers at power-up; attributes
// without a type, which have the width of the given text.
// verilator lint_off UNUSED
// verilator lint_off PROCASSINIT
// verilator lint_off WIDTHEXPAND

module DSP48E1 #(
    parameter integer ACASCREG = 1,
    parameter integer ADREG = 1,
    parameter integer ALUMODEREG = 1,
    parameter integer AREG = 1,
    parameter AUTORESET_PATDET = "NO_RESET",
    parameter A_INPUT = "DIRECT",
    parameter integer BCASCREG = 1,
    parameter integer BREG = 1,
    parameter B_INPUT = "DIRECT",
    parameter integer CARRYINREG = 1,
    parameter integer CARRYINSELREG = 1,
    parameter integer CREG = 1,
    parameter integer DREG = 1,
    parameter integer INMODEREG = 1,
    parameter [3:0] IS_ALUMODE_INVERTED = 4'b0000,
    parameter [0:0] IS_CARRYIN_INVERTED = 1'b0,
    parameter [0:0] IS_CLK_INVERTED = 1'b0,
    parameter [4:0] IS_INMODE_INVERTED = 5'b00000,
    parameter [6:0] IS_OPMODE_INVERTED = 7'b0000000,
    parameter [47:0] MASK = 48'h3FFFFFFFFFFF,
    parameter integer MREG = 1,
    parameter integer OPMODEREG = 1,
    parameter [47:0] PATTERN = 48'h000000000000,
    parameter integer PREG = 1,
    parameter SEL_MASK = "MASK",
    parameter SEL_PATTERN = "PATTERN",
    parameter USE_DPORT = "FALSE",
    parameter USE_MULT = "MULTIPLY",
    parameter USE_PATTERN_DETECT = "NO_PATDET",
    parameter USE_SIMD = "ONE48"
) (
    output wire [29:0]  ACOUT,
    output wire [17:0]  BCOUT,
    output wire         CARRYCASCOUT,
    output wire [3:0]   CARRYOUT,
    output wire         MULTSIGNOUT,
    output wire         OVERFLOW,
    output wire [47:0]  P,
    output wire         PATTERNBDETECT,
    output wire         PATTERNDETECT,
    output wire [47:0]  PCOUT,
    output wire         UNDERFLOW,
    input  wire [29:0]  A,
    input  wire [29:0]  ACIN,
    input  wire [3:0]   ALUMODE,
    input  wire [17:0]  B,
    input  wire [17:0]  BCIN,
    input  wire [47:0]  C,
    input  wire         CARRYCASCIN,
    input  wire         CARRYIN,
    input  wire [2:0]   CARRYINSEL,
    input  wire         CEA1,
    input  wire         CEA2,
    input  wire         CEAD,
    input  wire         CEALUMODE,
    input  wire         CEB1,
    input  wire         CEB2,
    input  wire         CEC,
    input  wire         CECARRYIN,
    input  wire         CECTRL,
    input  wire         CED,
    input  wire         CEINMODE,
    input  wire         CEM,
    input  wire         CEP,
    input  wire         CLK,
    input  wire [24:0]  D,
    input  wire [4:0]   INMODE,
    input  wire         MULTSIGNIN,
    input  wire [6:0]   OPMODE,
    input  wire [47:0]  PCIN,
    input  wire         RSTA,
    input  wire         RSTALLCARRYIN,
    input  wire         RSTALUMODE,
    input  wire         RSTB,
    input  wire         RSTC,
    input  wire         RSTCTRL,
    input  wire         RSTD,
    input  wire         RSTINMODE,
    input  wire         RSTM,
    input  wire         RSTP
);

  // Registers that are switched off stay 0 and are not read.
  reg [29:0] a1_q = 30'd0, a2_q = 30'd0;
  reg [17:0] b1_q = 18'd0, b2_q = 18'd0;
  reg [47:0] c_q = 48'd0, p_q = 48'd0;
  reg [6:0] opmode_q = 7'd0;
  reg [3:0] alumode_q = 4'd0;

  wire clk = CLK ^ IS_CLK_INVERTED;
  wire [29:0] a0 = (A_INPUT == "CASCADE") ? ACIN : A;
  wire [17:0] b0 = (B_INPUT == "CASCADE") ? BCIN : B;
  wire [29:0] a1 = (AREG == 2) ? a1_q : a0;
  wire [17:0] b1 = (BREG == 2) ? b1_q : b0;
  wire [47:0] ab = {(AREG == 0) ? a0 : a2_q, (BREG == 0) ? b0 : b2_q};
  wire [47:0] c = (CREG == 0) ? C : c_q;
  wire [6:0] opmode = (OPMODEREG == 0) ? OPMODE ^ IS_OPMODE_INVERTED : opmode_q;
  wire [3:0] alumode = (ALUMODEREG == 0) ? ALUMODE ^ IS_ALUMODE_INVERTED : alumode_q;

  reg [47:0] x, y, z;
  always @* begin
    case (opmode[1:0])
      2'b10:   x = p_q;
      2'b11:   x = ab;
      default: x = 48'd0;
    endcase
    case (opmode[3:2])
      2'b10:   y = 48'hFFFFFFFFFFFF;
      2'b11:   y = c;
      default: y = 48'd0;
    endcase
    case (opmode[6:4])
      3'b001:  z = PCIN;
      3'b010:  z = p_q;
      3'b011:  z = c;
      default: z = 48'd0;
    endcase
  end

  wire [47:0] zn = z ^ {48{alumode[0]}};
  wire [47:0] both = alumode[3] ? (x & y) | (x & zn) | (y & zn) : x ^ y ^ zn;
  wire [47:0] result = both ^ {48{alumode[1]}};

  // A and B with one register use the second one, and its enable.
  always @(posedge clk) begin
    if (RSTA) a1_q <= 30'd0;
    else if (CEA1 && AREG == 2) a1_q <= a0;
    if (RSTA) a2_q <= 30'd0;
    else if (CEA2 && AREG != 0) a2_q <= a1;
    if (RSTB) b1_q <= 18'd0;
    else if (CEB1 && BREG == 2) b1_q <= b0;
    if (RSTB) b2_q <= 18'd0;
    else if (CEB2 && BREG != 0) b2_q <= b1;
    if (RSTC) c_q <= 48'd0;
    else if (CEC && CREG != 0) c_q <= C;
    if (RSTCTRL) opmode_q <= 7'd0;
    else if (CECTRL && OPMODEREG != 0) opmode_q <= OPMODE ^ IS_OPMODE_INVERTED;
    if (RSTALUMODE) alumode_q <= 4'd0;
    else if (CEALUMODE && ALUMODEREG != 0) alumode_q <= ALUMODE ^ IS_ALUMODE_INVERTED;
    if (RSTP) p_q <= 48'd0;
    else if (CEP && PREG != 0) p_q <= result;
  end

  assign P = (PREG == 0) ? result : p_q;
  assign PCOUT = P;
  assign ACOUT = (ACASCREG == AREG) ? ab[47:18] : a1_q;
  assign BCOUT = (BCASCREG == BREG) ? ab[17:0] : b1_q;
  assign CARRYCASCOUT = 1'b0;
  assign CARRYOUT = 4'd0;
  assign MULTSIGNOUT = 1'b0;
  assign OVERFLOW = 1'b0;
  assign PATTERNBDETECT = 1'b0;
  assign PATTERNDETECT = 1'b0;
  assign UNDERFLOW = 1'b0;

  // Uses that this model or the slice does not support.
  wire legal = alumode[2] &&
      (opmode[1:0] == 2'b00 || opmode[1:0] == 2'b11 || (opmode[1:0] == 2'b10 && PREG == 1)) &&
      opmode[3:2] != 2'b01 && opmode[3:2] != 2'b11 && !opmode[6] &&
      (opmode[6:4] != 3'b010 || PREG == 1);

  reg started_q = 1'b0;  // the control registers have loaded their inputs
  always @(posedge clk) begin
    started_q <= 1'b1;
    if (started_q && CEP && !legal) begin
      $display("DSP48E1 %m: OPMODE %b, ALUMODE %b, PREG %0d: not an operation of the logic unit",
               opmode, alumode, PREG);
      $fatal(1);
    end
  end

  // Only in four-state simulators: by then a reset should have set the operation.
  reg [4:0] clocks_q = 5'd0;
  reg told_q = 1'b0;
  always @(posedge clk) begin
    if (!clocks_q[4]) clocks_q <= clocks_q + 5'd1;
    else if (!told_q && ^{opmode, alumode} === 1'bx) begin
      told_q <= 1'b1;
      $display("DSP48E1 %m: OPMODE %b, ALUMODE %b: an operation that is not known",
               opmode, alumode);
    end
  end

  initial begin
    if (USE_MULT != "NONE" || USE_SIMD != "ONE48" || USE_PATTERN_DETECT != "NO_PATDET" ||
        MREG != 0 || USE_DPORT != "FALSE") begin
      $display("DSP48E1 %m: USE_MULT, USE_SIMD, USE_PATTERN_DETECT, MREG or USE_DPORT:",
               " not of this model");
      $fatal(1);
    end
    if (AREG != BREG || AREG > 2 || CREG > 1 || PREG > 1 || OPMODEREG > 1 || ALUMODEREG > 1 ||
        ((AREG == 2) ? ACASCREG != 1 && ACASCREG != 2 : ACASCREG != AREG) ||
        ((BREG == 2) ? BCASCREG != 1 && BCASCREG != 2 : BCASCREG != BREG)) begin
      $display("DSP48E1 %m: registers that the slice does not have, or A and B apart");
      $fatal(1);
    end
  end

endmodule
