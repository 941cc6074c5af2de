// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The write enables of a state's words, from a group of eight words and the word in it, one-hot
// both. hf_keccak_parity checks these very signals, so their hierarchy is kept: synthesis would
// compute the check from the inputs.

(* keep_hierarchy = "yes" *)
module hf_keccak_word_select #(
    parameter  int unsigned NumWords = 50,
    localparam int unsigned NumGroups = (NumWords + 7) / 8
) (
    input  logic                 write_i,
    input  logic [NumGroups-1:0] group_i,
    input  logic [          7:0] of_group_i,
    output logic [ NumWords-1:0] word_o
);

  for (genvar i = 0; i < NumWords; i++) begin : gen_word
    assign word_o[i] = write_i && group_i[i/8] && of_group_i[i%8];
  end

endmodule
