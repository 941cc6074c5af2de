// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// JH (final round), one round a clock: 42 clocks a block, one message at a time. The JH core of
// paper latif-finalists (N = 42). Sections are those of the JH specification.
//
// Schedule, a line a clock (docs/engines/finalists.md has the rules of the ports):
//
//   take     a block is accepted. A `first` one clears the state; others are accepted in round 40
//   load     first block only: state := H(0) ^ block
//   0..40    rounds; the next block is accepted in the clock of round 40
//   41       round 41; the block is added to the second half and the next block to the first, in
//            L's own LUTs: no clock is lost
//   end      last block only: the digest is in the state and is copied to st_o
//
// Before round 41, a block that is not `last` waits for its successor, and a `last` block waits
// until the previous digest has left. A message of b blocks takes 42*b + 2 clocks, back to back.
//
// Initial 0: H(0) of each digest size is a constant. Initial 1: H(0) is computed, in 42 more clocks
// a message, from the digest size (section 5.2), which saves 1,000 LUTs. The offer of the `first`
// block begins that computation, and the block is accepted in its round 40.
//
// The datapath has no multiplexer and no gate. A block is added from a register that is zero except
// in one clock a block (by the synchronous reset of its flip-flops). A state is cleared by
// presetting the flip-flops to the value of which the round makes zero. Round constants are
// computed in parallel with the rounds. Handshakes are decided a clock earlier, because the signals
// that reach 1024 flip-flops come from registers.

module hf_jh
  import hf_jh_pkg::*;
#(
    parameter int unsigned Initial = 0  // 0 stored, 1 computed
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic         blk_valid_i,  // stays high until blk_ready_o
    output logic         blk_ready_o,
    output logic         blk_slot_o,
    input  logic         blk_first_i,
    input  logic         blk_last_i,
    input  logic [  1:0] blk_size_i,
    input  logic [ 63:0] blk_count_i,  // unused
    input  logic [511:0] blk_i,

    output logic         st_valid_o,
    input  logic         st_ready_i,
    output logic         st_slot_o,
    output logic [511:0] st_o
);

  localparam bit IsComputed = Initial == 1;
  localparam round_t LastRound = round_t'(NumRounds - 1);

  ////////////////////
  // Control        //
  ////////////////////

  logic begin_d, begin_q;  // the state is cleared for a `first` block in this clock
  logic load_q;  // the state is loaded in this clock
  logic busy_d, busy_q;  // the state is in its rounds, before round round_q
  logic [5:0] round_d, round_q;
  logic take_d, take_q;  // a block is accepted in this clock
  logic taken_d, taken_q;  // a block was accepted and is not yet added
  logic init_q;  // the rounds compute H(0)
  logic block_last_q;  // the accepted block is its message's last
  logic last_q;  // the state's block is its message's last
  logic done_q;  // the state holds a digest, in this clock
  logic st_valid_q;
  size_t size_q, st_size_q;

  // Also decided a clock earlier: whether this clock is round 41's, whether it steps, and whether
  // it ends a block.
  logic at_last_d, at_last, step, finish_d, finish, room;
  assign room = !st_valid_q || st_ready_i;  // once high, it stays until the next digest
  assign at_last_d = busy_d && round_d == LastRound;
  assign finish_d = at_last_d && (last_q ? room : taken_d);
  always_ff @(posedge clk_i) begin
    at_last <= at_last_d && !rst_i;
    finish  <= finish_d && !rst_i;
    step    <= busy_d && (!at_last_d || finish_d) && !rst_i;
  end

  // The blocks that may be accepted in the next clock.
  logic continues, begins;
  always_comb begin
    // A block for the current message: in the clock of round 40, or later.
    continues = busy_q && !last_q && !taken_q && (round_q >= LastRound - round_t'(2));
    begins = !busy_q && !load_q || (at_last && last_q && finish);
    if (IsComputed) begin
      begin_d = blk_valid_i && blk_first_i && !begin_q && !take_q && (begins ||
          (at_last && !last_q && !taken_q && !init_q));
      take_d = blk_valid_i && !take_q && continues && (!blk_first_i || init_q);
    end else begin
      take_d  = blk_valid_i && !take_q && (continues || (begins && blk_first_i));
      begin_d = take_d && blk_first_i;
    end
  end

  always_comb begin
    round_d = round_q;
    if (step) round_d = at_last ? '0 : round_q + round_t'(1);
    if (begin_q) round_d = '0;
    busy_d = load_q || (busy_q && !(finish && last_q) && !begin_q);
    taken_d = (take_q && !begin_q) || (taken_q && !finish);
  end

  always_ff @(posedge clk_i) begin
    begin_q <= begin_d;
    load_q  <= begin_q;
    busy_q  <= busy_d;
    round_q <= round_d;
    take_q  <= take_d;
    taken_q <= taken_d;
    done_q  <= finish && last_q;
    if (done_q) st_valid_q <= 1'b1;
    else if (st_ready_i) st_valid_q <= 1'b0;
    if (take_q) begin
      block_last_q <= blk_last_i;
      size_q       <= blk_size_i;
    end
    if (load_q) begin
      init_q <= IsComputed;
      last_q <= !IsComputed && block_last_q;
    end else if (finish) begin
      init_q <= 1'b0;
      last_q <= block_last_q;
    end
    if (rst_i) begin
      begin_q    <= 1'b0;
      load_q     <= 1'b0;
      busy_q     <= 1'b0;
      round_q    <= '0;
      take_q     <= 1'b0;
      taken_q    <= 1'b0;
      done_q     <= 1'b0;
      st_valid_q <= 1'b0;
      init_q     <= 1'b0;
      last_q     <= 1'b0;
    end
  end

  assign blk_ready_o = take_q;
  assign blk_slot_o  = 1'b0;
  assign st_slot_o   = 1'b0;
  assign st_valid_o  = st_valid_q;

  ////////////////////
  // Datapath       //
  ////////////////////

  state_t state_q;
  state_t enter_q;  // added to the first half in the next clock; a complete state in a load
  state_t leave_q;  // added to the second half
  block_t block_q;  // the state's block
  constant_t constant_q;

  always_ff @(posedge clk_i) if (take_q) block_q <= blk_i;

  if (IsComputed) begin : gen_computed
    always_ff @(posedge clk_i) begin
      if (begin_q) enter_q <= before_initial(blk_size_i);
      else if (take_q) enter_q <= first_half(blk_i);
      else enter_q <= '0;
    end

    // Before round 41, unless no block follows H(0).
    always_ff @(posedge clk_i) begin
      if (init_q || begin_q || !busy_q || round_q < LastRound - round_t'(1) || finish) begin
        leave_q <= '0;
      end else begin
        leave_q <= second_half(block_q);
      end
    end
  end else begin : gen_stored
    state_t value;
    state_t value_gated;
    assign value = initial_value(blk_size_i);
    assign value_gated = value & {$bits(state_t) {blk_first_i}};

    always_ff @(posedge clk_i) begin
      if (!take_q) enter_q <= '0;
      else enter_q <= first_half(blk_i) ^ (value_gated & first_half('1));
    end

    always_ff @(posedge clk_i) begin
      if (!begin_q && (!busy_q || round_q < LastRound - round_t'(1) || finish)) begin
        leave_q <= '0;
      end else begin
        leave_q <= begin_q ? value_gated & second_half('1) : second_half(block_q);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (begin_q) state_q <= BeforeZero;
    else if (load_q || step) state_q <= linear(substitute(state_q, constant_q)) ^ enter_q ^ leave_q;
  end

  // Round 0's constant is present in every clock without a round.
  always_ff @(posedge clk_i) begin
    if (rst_i || begin_q || finish) constant_q <= FirstConstant;
    else if (busy_q && !at_last) constant_q <= next_constant(constant_q);
  end

  logic [DigestWidth-1:0] st_q;
  always_ff @(posedge clk_i) begin
    if (done_q) begin
      st_q      <= tail(state_q);
      st_size_q <= size_q;
    end
  end
  assign st_o = digest(st_q, st_size_q);

  logic unused_count;
  assign unused_count = ^blk_count_i;

`ifndef HF_NO_PARAMETER_CHECKS
  if (Initial > 1) begin : gen_no_initial
    $fatal(1, "hf_jh: Initial is 0 or 1, not %0d", Initial);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
