// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// hf_copies of one of two values, which a late signal chooses, zero after a reset: one LUT level
// from `choose_i` to registers. Synthesis keeps the module, so that mapping does not move that
// signal into logic in front of it, and the reset is the registers' own.

(* keep_hierarchy = "yes" *)
module hf_chosen_copies #(
    parameter int unsigned Width = 8
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             choose_i,
    input  logic [Width-1:0] d1_i,      // with choose_i
    input  logic [Width-1:0] d0_i,      // without
    output logic [Width-1:0] q_o
);

  (* keep = "true", dont_touch = "true" *) logic [Width-1:0] copy_q;

  always_ff @(posedge clk_i) begin
    copy_q <= choose_i ? d1_i : d0_i;
    if (rst_i) copy_q <= '0;
  end
  assign q_o = copy_q;

endmodule
