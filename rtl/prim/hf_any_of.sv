// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Whether two vectors have a bit in common, in as few LUT levels as it takes: two for up to eight
// bits. Synthesis keeps the module, since mapping gives logic among longer paths more levels.

(* keep_hierarchy = "yes" *)
module hf_any_of #(
    parameter int unsigned Width = 8
) (
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    output logic             any_o
);

  assign any_o = |(a_i & b_i);

endmodule
