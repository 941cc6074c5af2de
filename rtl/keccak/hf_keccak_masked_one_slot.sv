// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Control of hf_keccak_masked with one slot: two clocks a round, 48 a block. Schedule, a line a
// clock:
//
//   take     a block is accepted, from the clock after it is offered on; the register of the linear
//            steps is cleared while the engine is idle, and by a `first` block
//   load     first block only: state := chi(0) ^ block, which is the block
//   linear   pi, rho and theta; in round 23 the message's next block is accepted in this clock
//   chi      chi and iota, and in round 23 that block is added in chi's own LUT
//
// A block that is not `last` waits in the clock `linear` of round 23 for its successor, and a
// `last` block for st_ready_i. After a `last` block st_valid_o is high for one clock and the state
// stays, until `first`. A `first` block waits for the next clock, in which the register of the
// linear steps has that state. A message of b blocks takes 48 b + 3 clocks, back to back.
//
// rand_i is used in the clock `chi` and in `load`, in which rand_ready_o is high; the clock before
// requires rand_valid_i. Once high, rand_valid_i stays high, with the same rand_i, until
// rand_ready_o. Without random bits the engine waits.
//
// After a reset the engine permutes a state of zero FirstPermutations times, and then accepts the
// first block (started_o).

module hf_keccak_masked_one_slot
  import hf_keccak_pkg::*;
#(
    parameter int unsigned FirstPermutations = 0  // 0 to 31
) (
    input logic clk_i,
    input logic rst_i,

    // The engine contract.
    input  logic blk_valid_i,
    output logic blk_ready_o,
    input  logic blk_first_i,
    input  logic blk_last_i,
    output logic st_valid_o,
    input  logic st_ready_i,

    output logic started_o,
    input  logic rand_valid_i,
    output logic rand_ready_o,

    // The datapath.
    output logic  take_o,      // blk_i is read; again, until random bits are there
    output logic  clear_o,     // the register of the linear steps is cleared
    output logic  chi_o,       // the products are loaded
    output lane_t constant_o,  // of iota, a clock before they are
    output logic  unseeded_o   // no random bits have been used yet
);

  typedef enum int unsigned {
    OpIdle,    // keeps a finished or unused state
    OpLoad,    // state := 0 ^ block
    OpLinear,
    OpChi
  } op_e;

  // What drives thousands of registers comes from a register, so it is decided a clock before.
  typedef logic [OpChi:0] ops_t;  // one-hot
  ops_t op_q, op_d;
  round_t round_q, round_d;
  logic at_last_q;  // the last round's chi is next
  logic window_q;  // a block is offered and may be taken
  logic clear_q, chi_q, unseeded_q;
  lane_t constant_q, next_constant_q;  // of the round, and of the next one
  logic last_q;  // the block in the state is its message's last
  logic more_q;  // the block that the last round adds is to be permuted
  logic st_valid_q, st_valid2_q;
  logic take;
  logic go;  // this clock's operation ends
  logic load;  // OpLoad is next
  logic at_end;  // the chi of round 23
  logic finish;  // OpIdle is next, after it
  logic at_last_d, window_d;
  logic idles;  // OpIdle is next, if no block is accepted now

  logic [4:0] first_left_q;  // permutations of zero that are still to come
  logic starting_q;  // there are some

  // A squeeze is in time in the clock before at_last_q. A state that is output is not discarded by
  // a `first`.
  assign take = window_q && rand_valid_i;
  always_comb begin
    go = rand_valid_i;
    if (at_last_q && !starting_q) go = rand_valid_i && (last_q ? st_ready_i : window_q);
  end

  assign load = op_q[OpIdle] ? (take ? blk_first_i : starting_q && rand_valid_i)
                             : op_q[OpLinear] && take && blk_first_i;
  assign at_end = op_q[OpChi] && round_q == round_t'(NumRounds - 1);
  assign finish = at_end && (!more_q || first_left_q == 5'd1);

  always_comb begin
    op_d = '0;
    op_d[OpIdle] = (op_q[OpIdle] && !take && !(starting_q && rand_valid_i)) || finish;
    op_d[OpLoad] = load;
    op_d[OpLinear] = (op_q[OpIdle] && take && !blk_first_i) || op_q[OpLoad] ||
        (op_q[OpLinear] && !go && !load) || (op_q[OpChi] && !finish);
    op_d[OpChi] = op_q[OpLinear] && go && !load;
    round_d = round_q;
    if (op_q[OpIdle] || load || at_end) round_d = '0;
    else if (op_q[OpChi]) round_d = round_q + 5'd1;

    // What op_d and round_d would say, in fewer LUTs one after the other.
    at_last_d = (op_q[OpChi] && round_q == round_t'(NumRounds - 2)) ||
        (at_last_q && !go && !(take && blk_first_i));
    idles = op_q[OpIdle] || (at_end && !more_q);
    window_d = blk_valid_i && !take && !starting_q && (
        (idles && !(blk_first_i && st_valid_q)) ||
        (at_last_d && (!last_q || (!blk_first_i && st_ready_i))));
  end

  always_ff @(posedge clk_i) begin
    round_q   <= round_d;
    at_last_q <= at_last_d;
    chi_q     <= op_d[OpLoad] || op_d[OpChi];
    // An idle engine clears it, but not before it has had the state that is output.
    clear_q   <= (op_d[OpIdle] && !st_valid_q) || (window_d && blk_first_i);
    window_q  <= window_d;
    unseeded_q <= op_d[OpIdle] && starting_q;
    op_q      <= op_d;
    st_valid_q  <= at_last_q && go && last_q && !starting_q;
    // In the clock `linear` the next round's constant is looked up.
    next_constant_q <= RoundConstant[round_q+5'd1];
    if (op_q[OpChi] && !at_end) constant_q <= next_constant_q;
    else if (!op_q[OpLinear]) constant_q <= RoundConstant[0];
    st_valid2_q <= st_valid_q;  // the state is complete a clock after the last chi
    if (take) last_q <= blk_last_i;
    if (op_q[OpLinear]) more_q <= take || starting_q;
    if (at_end && starting_q) begin
      first_left_q <= first_left_q - 5'd1;
      starting_q <= first_left_q != 5'd1;
    end
    if (rst_i) begin
      op_q    <= ops_t'(1) << OpIdle;
      round_q <= '0;
      at_last_q <= 1'b0;
      window_q <= 1'b0;
      clear_q <= 1'b1;
      unseeded_q <= FirstPermutations != 0;
      chi_q   <= 1'b0;
      more_q  <= 1'b0;
      last_q  <= 1'b0;
      st_valid_q <= 1'b0;
      st_valid2_q <= 1'b0;
      first_left_q <= 5'(FirstPermutations);
      starting_q <= FirstPermutations != 0;
    end
  end

  assign blk_ready_o  = take;
  assign st_valid_o   = st_valid2_q;
  assign rand_ready_o = chi_q;
  assign started_o    = !starting_q;

  assign take_o     = window_q;
  assign clear_o    = clear_q;
  assign chi_o      = chi_q;
  assign constant_o = (op_q[OpLinear] && !clear_q) ? constant_q : '0;
  assign unseeded_o = unseeded_q;

endmodule
