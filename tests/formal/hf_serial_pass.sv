// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What a pass of hf_keccak_serial must compute: pi, chi and iota of the round before, the block in a
// permutation's first pass, theta and rho; and registers of control at the beginning of the next
// pass. The ports are those that tests/formal/test_serial.py makes; free_i has all inputs that must
// not matter.

module hf_serial_pass
  import hf_keccak_pkg::*;
#(
    parameter int unsigned Slices = 4,
    parameter int unsigned ControlWidth = 1,
    parameter logic [NumRounds*ControlWidth-1:0] Control = '0,  // in each round
    parameter int unsigned FreeWidth = 1
) (
    input  round_t                    round_i,  // any value: 24 .. 31 are rounds 16 .. 23
    input  state_t                    a_i,
    input  state_t                    b_i,      // in place of b_o, from its writing on
    input  logic   [  StateWidth-1:0] block_i,
    input  logic                      zero_i,   // the state is zero: no iota
    input  logic   [   FreeWidth-1:0] free_i,
    output state_t                    b_o,      // what the pass writes
    output state_t                    next_o,   // what the next pass reads
    output logic   [   25*Slices-1:0] last_o,   // and before that: the last group of slices
    output logic   [ControlWidth-1:0] control_o,
    output logic                      zero_o
);

  round_t round, old_round, new_round;
  state_t a;

  assign round     = (round_i < round_t'(NumRounds)) ? round_i : round_i - round_t'(8);
  assign old_round = (round == '0) ? round_t'(NumRounds - 1) : round - round_t'(1);
  assign new_round = (round == round_t'(NumRounds - 1)) ? '0 : round + round_t'(1);

  always_comb begin
    a = chi(pi(a_i));
    if (!zero_i) a = iota(a, old_round);
    if (round == '0) a ^= state_t'(block_i);
    b_o = rho(theta(a));
  end

  assign next_o = b_i;

  always_comb begin
    for (int unsigned l = 0; l < 25; l++) begin
      last_o[l*Slices+:Slices] = next_o[l/5][l%5][LaneWidth-1-:Slices];
    end
  end

  assign control_o = Control[new_round*ControlWidth+:ControlWidth];
  assign zero_o    = zero_i && round != '0;

  logic unused_free;
  assign unused_free = ^free_i;

endmodule
