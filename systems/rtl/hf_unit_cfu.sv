// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Connects a unit (docs/integrate/riscv.md) to VexRiscv as its custom function unit: commands with
// a function and two operands in, a response for each of them out, one at a time. The operands go
// to the unit directly. This bus cannot refuse a command: a function that the unit does not support
// is answered with zero at once, so that the processor continues.

module hf_unit_cfu (
    input logic clk_i,
    input logic rst_i,

    input  logic       cmd_valid_i,
    output logic       cmd_ready_o,
    input  logic [9:0] cmd_function_i, // {funct7, funct3}

    output logic        rsp_valid_o,
    input  logic        rsp_ready_i,
    output logic [31:0] rsp_output_o,

    output logic        unit_valid_o,
    output logic [ 9:0] unit_function_o,
    input  logic        unit_known_i,
    input  logic        unit_ready_i,
    input  logic [31:0] unit_rd_i
);

  logic pending_q;  // a response is pending
  logic [31:0] output_q;

  assign unit_valid_o = cmd_valid_i && !pending_q;
  assign unit_function_o = cmd_function_i;
  assign cmd_ready_o = unit_valid_o && (unit_ready_i || !unit_known_i);

  always_ff @(posedge clk_i) begin
    if (rst_i) pending_q <= 1'b0;
    else if (cmd_ready_o) pending_q <= 1'b1;
    else if (rsp_ready_i) pending_q <= 1'b0;
    if (cmd_ready_o) output_q <= unit_known_i ? unit_rd_i : '0;
  end

  assign rsp_valid_o  = pending_q;
  assign rsp_output_o = output_q;

endmodule
