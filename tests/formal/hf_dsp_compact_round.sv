// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The result that a window of a compact engine must compute from the one before: the round that is
// due, with a block or without, or only a `first` block. The ports are those that
// tests/formal/test_dsp_compact.py makes; free_i has all inputs that must not matter.

module hf_dsp_compact_round
  import hf_keccak_pkg::*;
#(
    parameter bit Running = 1'b0,  // planes are running parities, e_0 ^ .. ^ e_y
    parameter int unsigned FreeWidth = 1
) (
    input  state_t                 a_i,
    input  logic                   busy_i,       // a block is in the slot
    input  logic                   last_i,
    input  round_t                 round_i,
    input  logic                   blk_valid_i,
    input  logic                   blk_first_i,
    input  logic  [StateWidth-1:0] blk_i,
    input  logic  [ FreeWidth-1:0] free_i,
    output state_t                 next_o
);

  logic due, take;
  state_t a, e, next;

  assign due  = busy_i && round_i == round_t'(NumRounds - 1);
  assign take = blk_valid_i && (due ? !(last_i && blk_first_i) : !busy_i);

  always_comb begin
    a = a_i;
    if (Running) begin
      for (int unsigned y = 1; y < 5; y++) a[y] = a_i[y] ^ a_i[y-1];
    end
    e = chi(pi(rho(theta(a))));
    if (round_i < round_t'(NumRounds)) e = iota(e, round_i);
    if (take) e = blk_first_i ? state_t'(blk_i) : e ^ state_t'(blk_i);
    next = e;
    if (Running) begin
      for (int unsigned y = 1; y < 5; y++) next[y] = next[y-1] ^ e[y];
    end
  end
  assign next_o = next;

  logic unused_free;
  assign unused_free = ^free_i;

endmodule
