// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// One copy of a control register. A signal that reaches all bits of a state is registered once for
// each group of slices, so that no net is long. Synthesis would merge equal registers again, so
// each copy is a module whose hierarchy is kept.

(* keep_hierarchy = "yes" *)
module hf_copy (
    input  logic clk_i,
    input  logic d_i,
    output logic q_o
);

  (* keep = "true", dont_touch = "true" *) logic copy_q;

  always_ff @(posedge clk_i) copy_q <= d_i;
  assign q_o = copy_q;

endmodule
