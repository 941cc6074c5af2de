// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// One operation on several lanes in DSP48E2 slices of 48 bits: a slice for the upper 48 bits of
// each lane, and a slice for the lower 16 bits of each three lanes. Slice i of one bank cascades
// into slice i of another bank with the same number of lanes (pcout_o to pcin_i), so lanes that
// meet in a cascade have the same index.
//
// Lane 0 may be lane (0, 0), to which iota's constant is added through C. The two slices that hold
// it have a separate operation and a separate choice of C's register.

module hf_keccak_dsp_lanes
  import hf_dsp48_pkg::*;
  import hf_keccak_pkg::*;
#(
    parameter  int unsigned Lanes = 5,  // number of lanes
    parameter  int unsigned AbRegisters = 0,  // as in hf_dsp48e2, like the following
    parameter  int unsigned CRegister = 0,
    parameter  int unsigned CRegisterZero = CRegister,  // for the slices with lane 0
    parameter  int unsigned OpRegister = 0,
    parameter  int unsigned PRegister = 0,
    localparam int unsigned Slices = Lanes + (Lanes + 2) / 3
) (
    input logic clk_i,

    input dsp48_op_t op_i,
    input dsp48_op_t op_zero_i,  // operation of the slices with lane 0
    input logic      en_c_i,

    input  lane_t [ Lanes-1:0] ab_i,
    input  lane_t [ Lanes-1:0] c_i,
    input  word_t [Slices-1:0] pcin_i,
    output lane_t [ Lanes-1:0] p_o,
    output word_t [Slices-1:0] pcout_o
);

  localparam int unsigned Low = 16;  // bits of a lane that share a slice with others

  word_t [Slices-1:0] ab, c, p;

  for (genvar i = 0; i < Lanes; i++) begin : gen_upper
    assign ab[i] = ab_i[i][LaneWidth-1:Low];
    assign c[i] = c_i[i][LaneWidth-1:Low];
    assign p_o[i][LaneWidth-1:Low] = p[i];
  end
  for (genvar i = 0; i < 3 * (Slices - Lanes); i++) begin : gen_lower
    localparam int unsigned Slice = Lanes + i / 3;
    localparam int unsigned At = Low * (i % 3);
    if (i < Lanes) begin : gen_lane
      assign ab[Slice][At+:Low] = ab_i[i][Low-1:0];
      assign c[Slice][At+:Low] = c_i[i][Low-1:0];
      assign p_o[i][Low-1:0] = p[Slice][At+:Low];
    end else begin : gen_none
      logic unused_p;
      assign ab[Slice][At+:Low] = '0;
      assign c[Slice][At+:Low] = '0;
      assign unused_p = ^p[Slice][At+:Low];
    end
  end

  for (genvar i = 0; i < Slices; i++) begin : gen_slice
    localparam bit Zero = i == 0 || i == Lanes;
    hf_dsp48e2 #(
        .AbRegisters(AbRegisters),
        .CRegister  (Zero ? CRegisterZero : CRegister),
        .OpRegister (OpRegister),
        .PRegister  (PRegister)
    ) u_slice (
        .clk_i,
        .op_i   (Zero ? op_zero_i : op_i),
        .ab_i   (ab[i]),
        .en_ab_i(1'b1),
        .c_i    (c[i]),
        .en_c_i,
        .pcin_i (pcin_i[i]),
        .en_p_i (1'b1),
        .p_o    (p[i]),
        .pcout_o(pcout_o[i])
    );
  end

endmodule
