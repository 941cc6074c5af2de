// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The result of one turn of hf_keccak_dsp_wide's loop, from after pi to after the next round's pi:
// chi, iota and the block, or only a `first` block; then theta, rho, pi. The ports are those that
// tests/formal/test_dsp_wide.py opens in the engine.

module hf_dsp_wide_round
  import hf_keccak_pkg::*;
(
    input  state_t                  a_i,
    input  logic                    take_i,
    input  logic                    blk_first_i,
    input  logic   [StateWidth-1:0] blk_i,
    input  round_t                  round_i,
    output state_t                  next_o
);

  state_t e;

  always_comb begin
    e = iota(chi(a_i), round_i);
    if (take_i) e = blk_first_i ? state_t'(blk_i) : e ^ state_t'(blk_i);
  end
  assign next_o = pi(rho(theta(e)));

endmodule
