// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Control of hf_keccak_masked with one slot: two clocks a round, 48 a block. Schedule, a line a
// clock:
//
//   take     a block is accepted; a `first` block clears the register of the linear steps
//   load     first block only: state := chi(0) ^ block, which is the block
//   linear   pi, rho and theta; in round 23 the message's next block is accepted in this clock
//   chi      chi and iota, and in round 23 that block is added in chi's own LUT
//
// A block that is not `last` waits in the clock `linear` of round 23 for its successor, and a
// `last` block for st_ready_i. After a `last` block st_valid_o is high for one clock and the state
// stays, until `first`. A message of b blocks takes 48 b + 2 clocks, back to back.
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
    output logic  take_o,      // blk_i is read
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

  // One-hot: OpLoad and OpChi drive the enable of all products.
  typedef logic [OpChi:0] ops_t;
  ops_t op_q;
  round_t round_q;
  logic last_q;  // the block in the state is its message's last
  logic st_valid_q;
  logic at_last;  // the last round's chi is next
  logic go;  // this clock's operation ends
  logic take, clear;

  logic [4:0] starting_q;  // permutations of zero that are still to come
  logic starting;
  assign starting = starting_q != '0;

  assign at_last = op_q[OpLinear] && round_q == round_t'(NumRounds - 1);

  always_comb begin
    take = 1'b0;
    go   = rand_valid_i;
    if (op_q[OpIdle]) begin
      take = blk_valid_i && rand_valid_i && !starting;
    end else if (at_last && !starting) begin
      // A squeeze is in time here. A state that is output is not discarded by a `first`.
      if (last_q) begin
        take = blk_valid_i && !blk_first_i && st_ready_i && rand_valid_i;
        go   = st_ready_i && rand_valid_i;
      end else begin
        take = blk_valid_i && rand_valid_i;
        go   = take;
      end
    end
    clear = (take && blk_first_i) || (op_q[OpIdle] && starting && rand_valid_i);
  end

  logic more_q;  // the block that the last round adds is to be permuted

  always_ff @(posedge clk_i) begin
    st_valid_q <= 1'b0;
    if (rst_i) begin
      op_q    <= ops_t'(1) << OpIdle;
      round_q <= '0;
      more_q  <= 1'b0;
      last_q  <= 1'b0;
      starting_q <= 5'(FirstPermutations);
    end else begin
      if (take) last_q <= blk_last_i;
      unique case (1'b1)
        op_q[OpIdle]: begin
          round_q <= '0;
          if (take || clear) op_q <= ops_t'(1) << (clear ? OpLoad : OpLinear);
        end
        op_q[OpLoad]: op_q <= ops_t'(1) << OpLinear;
        op_q[OpLinear]: begin
          if (go) op_q <= ops_t'(1) << (clear ? OpLoad : OpChi);
          if (clear) round_q <= '0;
          more_q <= take || starting;
          if (at_last && go && last_q && !starting) st_valid_q <= 1'b1;
        end
        default: begin
          round_q <= round_q + 5'd1;
          op_q <= ops_t'(1) << OpLinear;
          if (round_q == round_t'(NumRounds - 1)) begin
            round_q <= '0;
            if (starting) starting_q <= starting_q - 5'd1;
            if (!more_q || starting_q == 5'd1) op_q <= ops_t'(1) << OpIdle;
          end
        end
      endcase
    end
  end

  // The state is complete a clock after the last chi.
  logic st_valid2_q;
  always_ff @(posedge clk_i) st_valid2_q <= st_valid_q && !rst_i;

  assign blk_ready_o  = take;
  assign st_valid_o   = st_valid2_q;
  assign rand_ready_o = chi_o;
  assign started_o    = !starting;

  assign take_o     = take;
  assign clear_o    = clear;
  assign chi_o      = op_q[OpLoad] || op_q[OpChi];
  assign constant_o = (op_q[OpLinear] && !clear) ? RoundConstant[round_q] : '0;
  assign unseeded_o = op_q[OpIdle] && starting;

endmodule
