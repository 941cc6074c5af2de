// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The whole state of Keccak-f[1600]. Instructions write lanes and read words, and the permutation
// is one instruction. The ports are those of every unit (docs/integrate/riscv.md). One lane is the
// current one.
//
//   funct7 1000000, funct3 6   absorb: {rs2, rs1} is added to the current lane; then the next lane
//                              is current
//   funct7 1000001, funct3 6   rd := low word of the current lane
//   funct7 1000010, funct3 6   rd := its high word; then the next lane is current
//   funct7 1000011, funct3 6   permute; then lane 0 is current
//   funct7 1000100, funct3 6   the state is zero, and lane 0 is current
//
// The registers rotate: with each lane that is written or read, all lanes move by one place, so
// that no multiplexer selects among 25. A permutation first moves the lanes to their places, then
// takes 24 clocks: 26 in total if they are in place, otherwise up to 50. The other instructions
// take two clocks: their controls come from a register, because they reach 1600 flip-flops.

module hf_unit_state
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

  localparam int unsigned NumLanes = 25;

  typedef enum logic [2:0] {
    OpAbsorb,
    OpLow,
    OpHigh,
    OpPermute,
    OpClear
  } op_e;

  op_e op;
  assign op = op_e'(function_i[5:3]);
  assign known_o = function_i[9:6] == 4'b1000 && function_i[2:0] == 3'd6 && op <= OpClear;

  typedef logic [4:0] turn_t;
  turn_t turn_q;  // the lane in place 0
  round_t round_q;
  logic begun_q;  // a permutation is in progress
  logic done_q;  // the instruction ends in this clock
  logic move_q, step_q, clear_q;  // operation on the state in this clock
  logic start, at_home, ends;
  turn_t after_move;
  round_t next_round;

  assign start = valid_i && known_o && !done_q && !begun_q;
  assign after_move = turn_q == turn_t'(NumLanes - 1) ? '0 : turn_q + 5'd1;
  assign at_home = (move_q ? after_move : turn_q) == '0;
  assign ends = step_q && round_q == round_t'(NumRounds - 1);

  assign next_round = step_q && !ends ? round_q + 5'd1 : '0;

  always_ff @(posedge clk_i) begin
    done_q <= (start && op != OpPermute) || ends;
    clear_q <= start && op == OpClear;
    move_q <= (start && (op == OpAbsorb || op == OpHigh)) || (begun_q && !at_home);
    step_q <= begun_q && at_home && !ends;

    if (start && op == OpPermute) begun_q <= 1'b1;
    else if (ends) begun_q <= 1'b0;

    if (clear_q) turn_q <= '0;
    else if (move_q) turn_q <= after_move;

    round_q <= next_round;

    if (rst_i) begin
      done_q  <= 1'b0;
      clear_q <= 1'b0;
      move_q  <= 1'b0;
      step_q  <= 1'b0;
      begun_q <= 1'b0;
      turn_q  <= '0;
    end
  end

  lane_t [NumLanes-1:0] state_q;  // lane turn_q is in place 0
  lane_t constant_q;
  state_t round;
  lane_t moved;

  always_ff @(posedge clk_i) constant_q <= RoundConstant[next_round];

  always_comb begin
    round = chi(pi(rho(theta_split(state_t'(state_q)))));
    round[0][0] ^= constant_q;
    // Only an absorbed lane adds something.
    moved = state_q[0];
    if (op == OpAbsorb) moved ^= {rs2_i, rs1_i};
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || clear_q) state_q <= '0;
    else if (step_q) state_q <= round;
    else if (move_q) state_q <= {moved, state_q[NumLanes-1:1]};
  end

  assign ready_o = done_q;
  assign rd_o = op == OpHigh ? state_q[0][63:32] : state_q[0][31:0];

endmodule
