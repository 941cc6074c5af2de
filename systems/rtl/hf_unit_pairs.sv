// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak's columns and rows, one lane an instruction: {rs2, rs1}. The state is in the processor's
// memory. The unit holds the other values of a round, five lanes each: a row, theta's effect on the
// columns, and the column parities for the next round, which are summed while the rows leave. The
// ports are those of every unit (docs/integrate/riscv.md). Lanes and columns are taken in turn; the
// next one is the one whose turn it is.
//
//   funct7 1nnnnnn, funct3 x   gather, x = 0 .. 4: ({rs2, rs1} ^ effect[x]) rotated by n, 0 .. 63,
//                              becomes the row's next lane
//   funct7 1000000, funct3 5   parity: {rs2, rs1} is added to the parity of the next column, from
//                              column 0 on
//   funct7 1000001, funct3 5   theta: effect[x] := parity[x-1] ^ (parity[x+1] rotated by 1), and
//                              the parities are zero; column 0 is next
//   funct7 1000010, funct3 5   row, low word: rd := rs1 ^ that of the row's first lane after chi,
//                              which is added to the parity of the next column
//   funct7 1000011, funct3 5   row, high word: the same; then the next lane and the next column
//                              follow
//
// A round is theta, and for each row five gathers and ten words out (rs1 has iota's constant).
// After five lanes the first one is next again. A gathered lane is rotated in the clock after its
// instruction, so a further gather then waits for a clock.

module hf_unit_pairs
  import hf_keccak_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        valid_i,
    input  logic [ 9:0] function_i,  // {funct7, funct3}
    input  logic [31:0] rs1_i,
    input  logic [31:0] rs2_i,
    output logic        known_o,
    output logic        ready_o,
    output logic [31:0] rd_o
);

  localparam logic [2:0] Control = 3'd5;

  typedef enum logic [1:0] {
    OpParity,
    OpTheta,
    OpLow,
    OpHigh
  } op_e;

  logic is_gather, is_control;
  op_e op;
  assign is_gather = function_i[9] && function_i[2:0] < Control;
  assign is_control = function_i[9:5] == 5'b10000 && function_i[2:0] == Control;
  assign op = op_e'(function_i[4:3]);
  assign known_o = is_gather || is_control;

  plane_t effect_q, parity_q, row_q;

  // The lane before its rotate.
  logic gathered_q;
  lane_t lane_q;
  logic [5:0] amount_q;
  lane_t turned;

  assign ready_o = valid_i && known_o && !gathered_q;
  assign turned  = LaneWidth'({lane_q, lane_q} >> (7'd64 - 7'(amount_q)));

  always_ff @(posedge clk_i) begin
    gathered_q <= ready_o && is_gather && !rst_i;
    amount_q   <= function_i[8:3];
    lane_q     <= {rs2_i, rs1_i};
    for (int unsigned x = 0; x < 5; x++) begin
      if (function_i[2:0] == 3'(x)) lane_q <= {rs2_i, rs1_i} ^ effect_q[x];
    end
  end

  lane_t after_chi;
  lane_t added;  // added to the parity of the next column
  logic do_theta, do_parity, do_low, do_high;
  assign do_theta = ready_o && is_control && op == OpTheta;
  assign do_parity = ready_o && is_control && op == OpParity;
  assign do_low = ready_o && is_control && op == OpLow;
  assign do_high = ready_o && is_control && op == OpHigh;

  assign after_chi = row_q[0] ^ (~row_q[1] & row_q[2]);
  assign rd_o = rs1_i ^ (op == OpHigh ? after_chi[63:32] : after_chi[31:0]);
  always_comb begin
    unique case (op)
      OpParity: added = {rs2_i, rs1_i};
      OpLow:    added = {32'd0, rd_o};
      default:  added = {rd_o, 32'd0};
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (gathered_q) row_q <= {turned, row_q[4:1]};
    else if (do_high) row_q <= {row_q[0], row_q[4:1]};

    if (do_theta) effect_q <= theta_effect(parity_q);

    if (rst_i || do_theta) parity_q <= '0;
    else if (do_low) parity_q[0] <= parity_q[0] ^ added;
    else if (do_parity || do_high) parity_q <= {parity_q[0] ^ added, parity_q[4:1]};
  end

endmodule
