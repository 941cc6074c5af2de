// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What a clock of a round of hf_keccak_masked must compute, of its registers' values in the clock
// before. In the clock `linear` (Chi = 0): the linear steps of each share, and what is to be added
// in chi, which is iota's constant and in round 23 the next block's shares. In the clock `chi`: a
// state that is chi of the sum of the shares, and what is added. The ports are those that
// tests/formal/test_masked.py makes; free_i has all inputs that must not matter.

module hf_masked_round
  import hf_keccak_pkg::*;
#(
    parameter int unsigned Shares = 2,
    parameter bit          Chi = 1'b0,
    parameter int unsigned FreeWidth = 1
) (
    input  round_t                          round_i,     // any value: 24 .. 31 are rounds 16 .. 23
    input  logic                            valid_i,     // a block is there
    input  logic   [ Shares*StateWidth-1:0] blk_i,
    input  state_t [Shares-1:0][Shares-1:0] products_i,
    input  state_t [            Shares-1:0] linear_i,
    input  state_t [            Shares-1:0] block_i,
    input  logic   [         FreeWidth-1:0] free_i,
    output state_t [            Shares-1:0] linear_o,
    output state_t [            Shares-1:0] block_o,
    output state_t                          state_o
);

  round_t round;
  state_t state, added;
  assign round = (round_i < round_t'(NumRounds)) ? round_i : round_i - round_t'(8);

  always_comb begin
    linear_o = '0;
    block_o = '0;
    state_o = '0;
    state = '0;
    added = '0;
    if (Chi) begin
      for (int unsigned i = 0; i < Shares; i++) begin
        state ^= linear_i[i];
        added ^= block_i[i];
      end
      state_o = chi(state) ^ added;
    end else begin
      for (int unsigned i = 0; i < Shares; i++) begin
        for (int unsigned j = 0; j < Shares; j++) linear_o[i] ^= products_i[i][j];
        linear_o[i] = pi(rho(theta(linear_o[i])));
      end
      if (valid_i && round == round_t'(NumRounds - 1)) block_o = blk_i;
      block_o[0] ^= iota('0, round);
    end
  end

  logic unused_free;
  assign unused_free = ^free_i;

endmodule
