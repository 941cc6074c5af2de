// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600], one round a clock: the LUT-only core of paper latif-finalists (24 clocks a block).
//
// Schedule, a line a clock (docs/contract.md has the rules of the ports):
//
//   take    a block is handed over (blk_valid_i & blk_ready_o); a `first` block clears the state
//   load    first block only: state := 0 ^ block
//   0..22   rounds; the next block of the message is taken in the clock of round 22
//   23      round 23, and the next block goes in through chi's own LUT: no clock is lost
//
// In front of round 23 a block that is not `last` waits for its successor, and one that is waits for
// st_ready_i. After a `last` block the state stands on st_o, st_valid_o is high for one clock, and
// the state stays: a zero block (squeezing) goes on from it, again with no clock lost when it is
// there in time. A message of b blocks takes 24*b + 2 clocks, back to back.
//
// Three LUT4 levels a round (see theta_split). No multiplexer and no power-on reset on the datapath:
// the block register is zero but for one clock a block (the synchronous reset of its flip-flops is
// the gate, which costs no LUT) and carries iota's constant in the seven bits that have one; a first
// block clears the state the same way. Whatever reaches 1600 flip-flops comes from a register.

module hf_keccak_iterative
  import hf_keccak_pkg::*;
(
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                  blk_valid_i,  // stays high until blk_ready_o
    output logic                  blk_ready_o,
    output logic                  blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [StateWidth-1:0] blk_i,

    output logic                  st_valid_o,
    input  logic                  st_ready_i,  // once high, stays high until st_valid_o
    output logic                  st_slot_o,
    output logic [StateWidth-1:0] st_o
);

  ////////////////////
  // Control        //
  ////////////////////

  localparam round_t LastRound = round_t'(NumRounds - 1);

  // What this clock does to the state.
  typedef enum logic [1:0] {
    OpIdle,  // keeps a finished state, or nothing of worth
    OpWait,  // keeps the state that round 23 will work on
    OpLoad,  // state := 0 ^ block
    OpRound
  } op_e;

  op_e op_d, op_q;
  round_t next_round_d, next_round_q;  // the round to compute after this clock
  logic take_d, take_q;  // this clock hands a block over
  logic taken_d, taken_q;  // a block was handed over and is not in the state yet
  logic clear_d, clear_q;  // this clock clears the state
  logic step_d, step_q;  // this clock computes
  logic block_last_q;  // the block register's block is its message's last
  logic last_q;  // the state's block was
  logic st_valid_d, st_valid_q;

  // The round after this one, without a carry chain.
  function automatic round_t after(input round_t round);
    round_t next;
    next[0] = !round[0];
    for (int unsigned i = 1; i < $bits(round_t); i++) begin
      next[i] = round[i] ^ (&(round | ~((round_t'(1) << i) - round_t'(1))));
    end
    return (round == LastRound) ? '0 : next;
  endfunction

  logic in_round_21, in_round_22, in_round_23;
  assign in_round_21 = (op_q == OpRound) && (next_round_q == LastRound - 5'd1);
  assign in_round_22 = (op_q == OpRound) && (next_round_q == LastRound);
  assign in_round_23 = (op_q == OpRound) && (next_round_q == '0);

  always_comb begin
    take_d = 1'b0;
    if (blk_valid_i && !take_q) begin
      unique case (op_q)
        OpIdle: take_d = 1'b1;
        OpWait: take_d = !last_q;
        OpRound: take_d = blk_first_i ? (in_round_23 && !taken_q) : in_round_21;
        default: take_d = 1'b0;
      endcase
    end
    clear_d = take_d && blk_first_i;
  end

  always_comb begin
    op_d = op_q;
    unique case (op_q)
      OpIdle: if (take_q) op_d = clear_q ? OpLoad : OpRound;
      OpWait: if (last_q ? st_ready_i : take_q) op_d = clear_q ? OpLoad : OpRound;
      OpLoad: op_d = OpRound;
      OpRound: begin
        if (in_round_22 && !(last_q ? st_ready_i : take_q)) op_d = OpWait;
        if (in_round_23 && !taken_q) op_d = OpIdle;
      end
      default: op_d = OpIdle;
    endcase

    next_round_d = next_round_q;
    if (op_d == OpRound) next_round_d = after(next_round_q);
    if (op_d == OpLoad) next_round_d = '0;

    taken_d = take_q || (taken_q && !step_q);
    step_d = (op_d == OpLoad) || (op_d == OpRound);
    st_valid_d = in_round_23 && last_q;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      op_q         <= OpIdle;
      next_round_q <= '0;
      take_q       <= 1'b0;
      taken_q      <= 1'b0;
      clear_q      <= 1'b0;
      step_q       <= 1'b0;
      block_last_q <= 1'b0;
      last_q       <= 1'b0;
      st_valid_q   <= 1'b0;
    end else begin
      op_q         <= op_d;
      next_round_q <= next_round_d;
      take_q       <= take_d;
      taken_q      <= taken_d;
      clear_q      <= clear_d;
      step_q       <= step_d;
      st_valid_q   <= st_valid_d;
      if (take_q) block_last_q <= blk_last_i;
      if (taken_q && step_q) last_q <= block_last_q;
    end
  end

  assign blk_ready_o = take_q;
  assign blk_slot_o  = 1'b0;
  assign st_valid_o  = st_valid_q;
  assign st_slot_o   = 1'b0;

  ////////////////////
  // Datapath       //
  ////////////////////

  state_t state_q;
  state_t block_q;
  lane_t constant_q;  // iota's, of round next_round_q

  always_ff @(posedge clk_i) begin
    if (rst_i || op_d == OpLoad) constant_q <= RoundConstant[0];
    else if (op_d == OpRound) constant_q <= RoundConstant[after(next_round_q)];
  end

  lane_t iota_next;  // for the next clock; none in a load
  assign iota_next = clear_q ? '0 : constant_q;

  always_ff @(posedge clk_i) begin
    if (!take_q) block_q <= state_t'(iota_next);
    else block_q <= state_t'(blk_i ^ StateWidth'(iota_next));
  end

  always_ff @(posedge clk_i) begin
    if (clear_q) state_q <= '0;
    else if (step_q) state_q <= chi(pi(rho(theta_split(state_q)))) ^ block_q;
  end

  assign st_o = state_q;

endmodule
