// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// An alarm that stays until a reset: two copies of some signals differ (two clocks later), or
// another fault is reported (a clock later). In the clock after a reset the copies may differ,
// since not all of their registers are reset.

module hf_alarm #(
    parameter int unsigned Width = 8
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input logic [Width-1:0] first_i,
    input logic [Width-1:0] second_i,
    input logic             fault_i,

    output logic differs_o,  // they differed in the clock before
    output logic alarm_o
);

  // Groups of eight: two levels of LUT4 to the first register.
  localparam int unsigned NumGroups = (Width + 7) / 8;
  logic [8*NumGroups-1:0] differs;
  logic [NumGroups-1:0] differs_q;
  logic reset_q;  // in the clock before
  assign differs = (8 * NumGroups)'(first_i ^ second_i);

  always_ff @(posedge clk_i) begin
    reset_q <= rst_i;
    for (int unsigned i = 0; i < NumGroups; i++) begin
      differs_q[i] <= !rst_i && !reset_q && (|differs[8*i+:8]);
    end
    alarm_o <= !rst_i && (alarm_o || fault_i || differs_o);
  end
  assign differs_o = |differs_q;

endmodule
