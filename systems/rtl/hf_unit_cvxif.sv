// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Connects a unit (docs/integrate/riscv.md) to the Core-V eXtension Interface, CV-X-IF 1.0. Its
// instructions are custom-0 of R-type form with two source registers of 32 bits. It handles one
// instruction at a time:
//
//   issue     an instruction that the unit supports is accepted, another one refused, in the clock
//             in which it comes, unless one is in progress
//   register  its operands, in the clock of the issue or later; Split = 0 (X_ISSUE_REGISTER_SPLIT):
//             in that clock only, which waits for both of them
//   commit    in the clock of the issue or later: the unit begins when the processor commits the
//             instruction, and never gets one that is killed
//   result    is held until it is taken
//
// The memory interface is not used. Signals without a port are constant: dualwrite, dualread,
// loadstore and exc are zero.

module hf_unit_cvxif #(
    parameter int unsigned IdWidth = 4,
    parameter bit          Split   = 1'b1
) (
    input logic clk_i,
    input logic rst_i,

    input  logic               issue_valid_i,
    output logic               issue_ready_o,
    input  logic [       31:0] issue_instr_i,
    input  logic [IdWidth-1:0] issue_id_i,
    output logic               issue_accept_o,
    output logic               issue_writeback_o,
    output logic [        1:0] issue_register_read_o,

    input  logic               register_valid_i,
    output logic               register_ready_o,
    input  logic [IdWidth-1:0] register_id_i,
    input  logic [        1:0] register_rs_valid_i,
    input  logic [       31:0] register_rs1_i,
    input  logic [       31:0] register_rs2_i,

    input logic               commit_valid_i,
    input logic [IdWidth-1:0] commit_id_i,
    input logic               commit_kill_i,

    output logic               result_valid_o,
    input  logic               result_ready_i,
    output logic [IdWidth-1:0] result_id_o,
    output logic [       31:0] result_data_o,
    output logic [        4:0] result_rd_o,
    output logic               result_we_o,

    output logic        unit_valid_o,
    output logic [ 9:0] unit_function_o,
    output logic [31:0] unit_rs1_o,
    output logic [31:0] unit_rs2_o,
    input  logic        unit_known_i,
    input  logic        unit_ready_i,
    input  logic [31:0] unit_rd_i
);

  localparam logic [6:0] Custom0 = 7'b0001011;

  logic here_q;  // an instruction is in progress
  logic operands_q;  // its operands are valid
  logic committed_q;
  logic done_q;  // its result is valid
  logic [IdWidth-1:0] id_q;
  logic [4:0] rd_q;
  logic [9:0] function_q;
  logic [31:0] rs1_q, rs2_q, result_q;

  logic known, issued, has_operands, commits, killed, ends;

  // While no instruction is in progress, the unit's function input is that of the offered one, so
  // that the unit reports whether it supports it.
  assign unit_function_o = here_q ? function_q : {issue_instr_i[31:25], issue_instr_i[14:12]};
  assign known = unit_known_i && issue_instr_i[6:0] == Custom0;

  assign issue_ready_o = !here_q && (Split || !known || has_operands);
  assign issue_accept_o = known;
  assign issue_writeback_o = known;
  assign issue_register_read_o = {2{known}};
  assign issued = issue_valid_i && issue_ready_o && known;

  assign has_operands = register_valid_i && register_rs_valid_i == 2'b11 &&
      register_id_i == (here_q ? id_q : issue_id_i);
  assign register_ready_o = has_operands && (here_q ? !operands_q : issue_valid_i && known);

  assign commits = commit_valid_i && commit_id_i == (here_q ? id_q : issue_id_i);
  assign killed = commits && commit_kill_i && !committed_q;
  assign ends = done_q && result_ready_i;

  always_ff @(posedge clk_i) begin
    if (issued) begin
      id_q       <= issue_id_i;
      rd_q       <= issue_instr_i[11:7];
      function_q <= unit_function_o;
    end
    if (register_ready_o) begin
      rs1_q <= register_rs1_i;
      rs2_q <= register_rs2_i;
    end
    if (unit_ready_i) result_q <= unit_rd_i;

    here_q      <= (here_q || issued) && !killed && !ends;
    operands_q  <= (operands_q || register_ready_o) && !killed && !ends;
    committed_q <= (committed_q || (commits && (here_q || issued))) && !killed && !ends;
    done_q      <= (done_q || unit_ready_i) && !ends;

    if (rst_i) begin
      here_q      <= 1'b0;
      operands_q  <= 1'b0;
      committed_q <= 1'b0;
      done_q      <= 1'b0;
    end
  end

  assign unit_valid_o = here_q && operands_q && committed_q && !done_q;
  assign unit_rs1_o = rs1_q;
  assign unit_rs2_o = rs2_q;

  assign result_valid_o = done_q;
  assign result_id_o = id_q;
  assign result_data_o = result_q;
  assign result_rd_o = rd_q;
  assign result_we_o = 1'b1;

  logic unused;  // rs1 and rs2
  assign unused = ^issue_instr_i[24:15];

endmodule
