// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// hf_copy for several bits that follow the same path: a clock from d_i to q_o.

(* keep_hierarchy = "yes" *)
module hf_copies #(
    parameter int unsigned Width = 8
) (
    input  logic             clk_i,
    input  logic [Width-1:0] d_i,
    output logic [Width-1:0] q_o
);

  (* keep = "true", dont_touch = "true" *) logic [Width-1:0] copy_q;

  always_ff @(posedge clk_i) copy_q <= d_i;
  assign q_o = copy_q;

endmodule
