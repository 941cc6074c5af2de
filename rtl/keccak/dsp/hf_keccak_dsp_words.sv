// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A plane's slices: a DSP48E2 for each word (hf_keccak_dsp_pkg), all with the same operation. The
// ports, parameters and timing are those of hf_dsp48e2.

module hf_keccak_dsp_words
  import hf_dsp48_pkg::*;
  import hf_keccak_dsp_pkg::*;
#(
    parameter int unsigned AbRegisters = 1,
    parameter int unsigned CRegister   = 1
) (
    input logic clk_i,

    input  dsp48_op_t op_i,
    input  words_t    ab_i,
    input  logic      en_ab_i,
    input  words_t    c_i,
    input  logic      en_c_i,
    input  words_t    pcin_i,
    input  logic      en_p_i,
    output words_t    p_o,
    output words_t    pcout_o
);

  for (genvar i = 0; i < NumWords; i++) begin : gen_word
    hf_dsp48e2 #(
        .AbRegisters(AbRegisters),
        .CRegister  (CRegister)
    ) u_slice (
        .clk_i,
        .op_i,
        .ab_i   (ab_i[i]),
        .en_ab_i,
        .c_i    (c_i[i]),
        .en_c_i,
        .pcin_i (pcin_i[i]),
        .en_p_i,
        .p_o    (p_o[i]),
        .pcout_o(pcout_o[i])
    );
  end

endmodule
