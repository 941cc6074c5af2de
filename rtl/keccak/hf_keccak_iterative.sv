// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] (FIPS 202, section 3.3) with RoundsPerClock rounds a clock: N = 24 /
// RoundsPerClock clocks a block, one message at a time, in LUTs and flip-flops only. With
// RoundsPerClock = 1 this is the core of paper latif-finalists (N = 24). With 24 the rounds are
// combinational between two registers, as in paper sharma-clockgated (a).
//
// Schedule, a line a clock (docs/reference/contract.md has the rules of the ports). A step is
// RoundsPerClock rounds.
//
//   take     a block is accepted (blk_valid_i & blk_ready_o); a `first` block clears the state
//   load     first block only: state := 0 ^ block
//   0..N-2   steps; the message's next block is accepted in the clock of step N-2
//   N-1      the last step, and the next block enters through the last chi's own LUT: no clock is
//            lost
//
// (N = 1: the next block is accepted in the clock of the load, or of the step before.) Before the
// last step, a block that is not `last` waits for its successor, and a `last` block waits for
// st_ready_i. After a `last` block the state is on st_o, st_valid_o is high for one clock, and the
// state stays. A zero block (a squeeze) continues from it, again without a lost clock if it is
// offered in time (N = 1: one clock is lost, because room is not reported earlier). A message of b
// blocks takes N*b + 2 clocks, back to back.
//
// A round is three LUT4 levels as written (see theta_split). Mapping shares P ^ P' between the five
// bits of a column, which makes four levels. ThreeLevels writes theta in a form of which nothing
// can be shared.
//
// The datapath has no multiplexer and no power-on reset. The block register is zero except in one
// clock a block (the synchronous reset of its flip-flops is the gate, which costs no LUT) and
// carries the constant of the step's last round in the seven bits that have one. A first block
// clears the state in the same way. The constants of the earlier rounds come from registers and are
// zero in a load, so that zero stays zero.
//
// RoundChoice: each message has 24 rounds or only the last twelve (TurboSHAKE, RFC 9861, section 2),
// as bit 1600 of its blocks says. Blocks of twelve rounds take N / 2 clocks, from step N / 2 on.
//
// N >= 3: all signals that reach 1600 flip-flops come from registers, so a handshake is decided a
// clock in advance. N < 3: a handshake is decided in its own clock, because it cannot be decided
// earlier; these variants are not optimised for clock frequency.

module hf_keccak_iterative
  import hf_keccak_pkg::*;
#(
    parameter int unsigned RoundsPerClock = 1,    // 1, 2, 3, 4, 6, 8, 12 or 24
    parameter bit          ThreeLevels    = 1'b0, // the last round of a step has three LUT4 levels
    parameter bit          RoundChoice    = 1'b0, // needs RoundsPerClock 1, 2, 3 or 4
    localparam int unsigned BlockWidth = StateWidth + 32'(RoundChoice)
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                  blk_valid_i,  // stays high until blk_ready_o
    output logic                  blk_ready_o,
    output logic                  blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [BlockWidth-1:0] blk_i,        // RoundChoice: bit 1600 selects twelve rounds

    output logic                  st_valid_o,
    input  logic                  st_ready_i,  // once high, stays high until st_valid_o
    output logic                  st_slot_o,
    output logic [StateWidth-1:0] st_o
);

  localparam int unsigned Rounds = (RoundsPerClock == 0) ? 1 : RoundsPerClock;
  localparam int unsigned NumSteps = NumRounds / Rounds;  // N
  localparam round_t LastStep = round_t'(NumSteps - 1);

  // The number of a step, and with RoundChoice a bit above it: the message has twelve rounds, so
  // that its step 0 is step N / 2.
  localparam int unsigned StepWidth = $bits(round_t) + 32'(RoundChoice);
  typedef logic [StepWidth-1:0] step_t;
  localparam round_t MiddleStep = round_t'(NumSteps / 2);

  // iota's constant in round `index` of a step.
  function automatic lane_t constant(input step_t step, input int unsigned index);
    lane_t [NumSteps-1:0] of_step;
    for (int unsigned i = 0; i < NumSteps; i++) of_step[i] = RoundConstant[Rounds*i+index];
    if (RoundChoice) begin
      if (step[StepWidth-1] && round_t'(step) == '0) return of_step[MiddleStep];
    end
    return of_step[round_t'(step)];
  endfunction

  logic take;  // a block is accepted in this clock
  logic clear;  // the state is cleared in this clock
  logic step;  // a step is computed in this clock
  lane_t [Rounds-1:0] iota_next;  // constants of the next clock's rounds; zero in a load

  ////////////////////////
  // Control, N >= 3    //
  ////////////////////////

  if (NumSteps >= 3) begin : gen_ahead

    // The operation on the state in this clock.
    typedef enum logic [1:0] {
      OpIdle,  // keeps a finished or unused state
      OpWait,  // keeps the state before the last step
      OpLoad,  // state := 0 ^ block
      OpStep
    } op_e;

    op_e op_d, op_q;
    step_t next_step_d, next_step_q;  // the step to compute after this clock
    logic take_d, take_q;  // a block is accepted in this clock
    logic taken_d, taken_q;  // a block was accepted and is not yet in the state
    logic clear_d, clear_q;  // the state is cleared in this clock
    logic step_d, step_q;  // a step is computed in this clock
    logic block_last_q;  // the block in the block register is its message's last
    logic last_q;  // the block in the state was its message's last
    logic st_valid_d, st_valid_q;

    // The step after this one, without a carry chain.
    function automatic step_t after(input step_t now);
      step_t next;
      next[0] = !now[0];
      for (int unsigned i = 1; i < $bits(round_t); i++) begin
        next[i] = now[i] ^ (&(round_t'(now) | ~((round_t'(1) << i) - round_t'(1))));
      end
      if (RoundChoice) begin
        next[StepWidth-1] = now[StepWidth-1];
        if (now[StepWidth-1] && round_t'(now) == '0) next[4:0] = MiddleStep + 5'd1;
        if (round_t'(now) == LastStep) next[4:0] = '0;
        return next;
      end
      return (round_t'(now) == LastStep) ? '0 : next;
    endfunction

    logic in_third_last, in_second_last, in_last;
    assign in_third_last  = (op_q == OpStep) && (round_t'(next_step_q) == LastStep - 5'd1);
    assign in_second_last = (op_q == OpStep) && (round_t'(next_step_q) == LastStep);
    assign in_last        = (op_q == OpStep) && (round_t'(next_step_q) == '0);

    always_comb begin
      take_d = 1'b0;
      if (blk_valid_i && !take_q) begin
        unique case (op_q)
          OpIdle: take_d = 1'b1;
          OpWait: take_d = !last_q;
          OpStep: take_d = blk_first_i ? (in_last && !taken_q) : in_third_last;
          default: take_d = 1'b0;
        endcase
      end
      clear_d = take_d && blk_first_i;
    end

    always_comb begin
      op_d = op_q;
      unique case (op_q)
        OpIdle: if (take_q) op_d = clear_q ? OpLoad : OpStep;
        OpWait: if (last_q ? st_ready_i : take_q) op_d = clear_q ? OpLoad : OpStep;
        OpLoad: op_d = OpStep;
        OpStep: begin
          if (in_second_last && !(last_q ? st_ready_i : take_q)) op_d = OpWait;
          if (in_last && !taken_q) op_d = OpIdle;
        end
        default: op_d = OpIdle;
      endcase

      next_step_d = next_step_q;
      if (op_d == OpStep) next_step_d = after(next_step_q);
      if (op_d == OpLoad) next_step_d = '0;
      if (RoundChoice) begin
        if (op_d == OpLoad) next_step_d[StepWidth-1] = blk_i[BlockWidth-1];
      end

      taken_d = take_q || (taken_q && !step_q);
      step_d = (op_d == OpLoad) || (op_d == OpStep);
      st_valid_d = in_last && last_q;
    end

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        op_q         <= OpIdle;
        next_step_q  <= '0;
        take_q       <= 1'b0;
        taken_q      <= 1'b0;
        clear_q      <= 1'b0;
        step_q       <= 1'b0;
        block_last_q <= 1'b0;
        last_q       <= 1'b0;
        st_valid_q   <= 1'b0;
      end else begin
        op_q         <= op_d;
        next_step_q  <= next_step_d;
        take_q       <= take_d;
        taken_q      <= taken_d;
        clear_q      <= clear_d;
        step_q       <= step_d;
        st_valid_q   <= st_valid_d;
        if (take_q) block_last_q <= blk_last_i;
        if (taken_q && step_q) last_q <= block_last_q;
      end
    end

    // The last round's constant comes from a register, because it takes a clock to the block
    // register.
    lane_t constant_q;  // of step next_step_q

    always_ff @(posedge clk_i) begin
      if (rst_i || op_d == OpLoad) constant_q <= constant('0, Rounds - 1);
      else if (op_d == OpStep) constant_q <= constant(after(next_step_q), Rounds - 1);
      if (RoundChoice) begin
        if (op_d == OpLoad) begin
          constant_q <= constant(step_t'({blk_i[BlockWidth-1], round_t'(0)}), Rounds - 1);
        end
      end
    end

    always_comb begin
      for (int unsigned i = 0; i < Rounds; i++) begin
        iota_next[i] = (op_d == OpLoad) ? '0 : constant(next_step_q, i);
      end
      iota_next[Rounds-1] = clear_q ? '0 : constant_q;
    end

    assign take = take_q;
    assign clear = clear_q;
    assign step = step_q;
    assign st_valid_o = st_valid_q;

  end else begin : gen_at_once

    ////////////////////////
    // Control, N < 3     //
    ////////////////////////

    logic pending_d, pending_q;  // the state holds a block that is not yet permuted
    round_t now_d, now_q;  // the step that this clock computes
    logic last_d, last_q;  // that block is `last`
    logic taken_d, taken_q;  // the block register holds a block
    logic load_d, load_q;  // that block is `first`
    logic block_last_q;  // that block is `last`
    logic st_valid_d, st_valid_q;

    logic other, finish, enters, resume;
    logic load, at_last, room;

    always_comb begin
      load = taken_q && load_q;
      at_last = pending_q && now_q == LastStep;
      // With st_valid_q high, st_ready_i may still belong to the state that leaves.
      room = st_ready_i && !st_valid_q;

      // Two steps: a block is accepted in the clock before the last step. One step: in every clock.
      if (load) other = NumSteps == 1;
      else if (!pending_q) other = 1'b1;
      else other = !taken_q || (!last_q && NumSteps == 1);
      take = blk_valid_i && (blk_first_i ? !taken_q && !(pending_q && last_q) : other);
      clear = take && blk_first_i;

      finish = at_last && (last_q ? room : taken_q);
      step = load || (pending_q && !at_last) || finish;
      enters = load || (finish && taken_q);  // the block register's block enters the state
      // A squeeze after a finished state adds zero, so it is already in the state.
      resume = take && !blk_first_i && !taken_q && (!pending_q || (last_q && finish));

      now_d = now_q;
      if (pending_q && step) now_d = at_last ? '0 : now_q + 5'd1;
      if (enters || resume || clear) now_d = '0;
      pending_d = enters || resume || (pending_q && !finish && !clear);
      last_d = enters ? block_last_q : resume ? blk_last_i : last_q;
      taken_d = (take && !resume) || (taken_q && !enters);
      load_d = clear || (load_q && !enters);
      st_valid_d = finish && last_q;
    end

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        pending_q  <= 1'b0;
        taken_q    <= 1'b0;
        load_q     <= 1'b0;
        now_q      <= '0;
        last_q     <= 1'b0;
        st_valid_q <= 1'b0;
      end else begin
        pending_q  <= pending_d;
        taken_q    <= taken_d;
        load_q     <= load_d;
        now_q      <= now_d;
        last_q     <= last_d;
        st_valid_q <= st_valid_d;
      end
      if (take) block_last_q <= blk_last_i;
    end

    always_comb begin
      for (int unsigned i = 0; i < Rounds; i++) iota_next[i] = load_d ? '0 : constant(now_d, i);
    end

    assign st_valid_o = st_valid_q;

  end

  assign blk_ready_o = take;
  assign blk_slot_o  = 1'b0;
  assign st_slot_o   = 1'b0;

  ////////////////////
  // Datapath       //
  ////////////////////

  state_t state_q;
  state_t block_q;
  state_t rounds;  // the state before the step's last round

  if (Rounds == 1) begin : gen_one_round
    assign rounds = state_q;
  end else begin : gen_inner_rounds
    lane_t [Rounds-2:0] inner_q;  // constants of these rounds
    always_ff @(posedge clk_i) inner_q <= iota_next[Rounds-2:0];

    always_comb begin
      rounds = state_q;
      for (int unsigned i = 0; i < Rounds - 1; i++) begin
        rounds = chi(pi(rho(theta_split(rounds))));
        rounds[0][0] ^= inner_q[i];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!take) block_q <= state_t'(iota_next[Rounds-1]);
    else block_q <= state_t'(blk_i[StateWidth-1:0] ^ StateWidth'(iota_next[Rounds-1]));
  end

  if (ThreeLevels) begin : gen_three_levels
    // theta_split's terms are added to a bit one after the other: R, P, P'. The first level
    // computes P and R, the second adds the three to the bit, the third is chi and the block.
    state_t sum;
    always_comb begin
      plane_t p, r;
      p = rounds[0] ^ rounds[1] ^ rounds[2] ^ rounds[3];
      r = theta_effect(rounds[4]);
      for (int unsigned y = 0; y < 5; y++) begin
        for (int unsigned x = 0; x < 5; x++) begin
          sum[y][x] = ((rounds[y][x] ^ r[x]) ^ p[(x+4)%5]) ^ rotl(p[(x+1)%5], 1);
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (clear) state_q <= '0;
      else if (step) state_q <= chi(pi(rho(sum))) ^ block_q;
    end
  end else begin : gen_shared
    always_ff @(posedge clk_i) begin
      if (clear) state_q <= '0;
      else if (step) state_q <= chi(pi(rho(theta_split(rounds)))) ^ block_q;
    end
  end

  assign st_o = state_q;

`ifndef HF_NO_PARAMETER_CHECKS
  if (RoundsPerClock == 0 || NumRounds % RoundsPerClock != 0) begin : gen_no_divisor
    $fatal(1, "hf_keccak_iterative: RoundsPerClock divides 24, %0d does not", RoundsPerClock);
  end
  if (RoundChoice && RoundsPerClock > 4) begin : gen_no_choice
    $fatal(1, "hf_keccak_iterative: RoundChoice needs RoundsPerClock 1, 2, 3 or 4, not %0d",
           RoundsPerClock);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
