// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Wires through a module whose hierarchy is kept. Of two equal cores synthesis keeps one, unless it
// cannot see that their inputs are equal: those of the second pass through here, with no register.

(* keep_hierarchy = "yes" *)
module hf_kept_wires #(
    parameter int unsigned Width = 8
) (
    input  logic [Width-1:0] wires_i,
    output logic [Width-1:0] wires_o
);

  assign wires_o = wires_i;

endmodule
