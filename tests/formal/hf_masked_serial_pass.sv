// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What a pass of hf_keccak_masked_serial must compute, in two steps. The sum of both shares after
// chi is pi, chi and iota of the round before, and the block in a permutation's first pass. From
// there on, each share by itself is moved by theta and rho. The last group of slices is read first
// and last, with other shares each time (c_last_i, c_i): slice 0 and what rho moves out of that
// group have those of the first time. The ports are those that tests/formal/test_serial.py makes.

module hf_masked_serial_pass
  import hf_keccak_pkg::*;
#(
    parameter int unsigned Slices = 4,
    parameter int unsigned ControlWidth = 1,
    parameter logic [NumRounds*ControlWidth-1:0] Control = '0,  // in each round
    parameter int unsigned FreeWidth = 1
) (
    input  round_t                           round_i,  // any value: 24 .. 31 are rounds 16 .. 23
    input  state_t [1:0]                     a_i,
    input  state_t [1:0]                     c_i,       // in place of the shares of chi_o
    input  logic   [1:0][24:0][  Slices-1:0] c_last_i,  // and of chi_last_o
    input  state_t [1:0]                     b_i,       // in place of b_o, from its writing on
    input  logic   [1:0][StateWidth-1:0]     block_i,
    input  logic                             zero_i,    // the state is zero: no iota
    input  logic   [FreeWidth-1:0]           free_i,
    output state_t                           chi_o,
    output logic   [24:0][Slices-1:0]        chi_last_o,
    output state_t [1:0]                     b_o,       // what the pass writes
    output state_t [1:0]                     next_o,    // what the next pass reads
    output logic   [1:0][24:0][  Slices-1:0] last_o,    // and before that: the last group
    output logic   [ControlWidth-1:0]        control_o,
    output logic                             zero_o
);

  round_t round, old_round, new_round;

  assign round     = (round_i < round_t'(NumRounds)) ? round_i : round_i - round_t'(8);
  assign old_round = (round == '0) ? round_t'(NumRounds - 1) : round - round_t'(1);
  assign new_round = (round == round_t'(NumRounds - 1)) ? '0 : round + round_t'(1);

  always_comb begin
    chi_o = chi(pi(a_i[0] ^ a_i[1]));
    if (!zero_i) chi_o = iota(chi_o, old_round);
    if (round == '0) chi_o ^= state_t'(block_i[0] ^ block_i[1]);
    for (int unsigned l = 0; l < 25; l++) begin
      chi_last_o[l] = chi_o[l/5][l%5][LaneWidth-1-:Slices];
    end
  end

  // theta of slices as they are and of those that were first, with the slice before each.
  function automatic state_t moved(input state_t c, input logic [24:0][Slices-1:0] c_last);
    state_t first, now, early;
    first = c;
    for (int unsigned l = 0; l < 25; l++) first[l/5][l%5][LaneWidth-1-:Slices] = c_last[l];
    now = theta_of(c, first);
    early = theta_of(first, first);
    for (int unsigned l = 0; l < 25; l++) begin
      for (int unsigned z = 0; z < LaneWidth; z++) begin
        automatic bit carried = z >= LaneWidth - Slices &&
            z % Slices + RhoOffset[l] % Slices >= Slices;
        moved[l/5][l%5][(z+RhoOffset[l])%LaneWidth] =
            carried ? early[l/5][l%5][z] : now[l/5][l%5][z];
      end
    end
  endfunction

  // theta of `c`; slice 0 takes the parity of slice 63 of `last`.
  function automatic state_t theta_of(input state_t c, input state_t last);
    plane_t p;
    logic [4:0] p_last;
    for (int unsigned x = 0; x < 5; x++) begin
      p[x] = c[0][x] ^ c[1][x] ^ c[2][x] ^ c[3][x] ^ c[4][x];
      p_last[x] = last[0][x][LaneWidth-1] ^ last[1][x][LaneWidth-1] ^ last[2][x][LaneWidth-1] ^
          last[3][x][LaneWidth-1] ^ last[4][x][LaneWidth-1];
    end
    for (int unsigned y = 0; y < 5; y++) begin
      for (int unsigned x = 0; x < 5; x++) begin
        theta_of[y][x] = c[y][x] ^ p[(x+4)%5] ^ {p[(x+1)%5][LaneWidth-2:0], p_last[(x+1)%5]};
      end
    end
  endfunction

  always_comb begin
    for (int unsigned s = 0; s < 2; s++) begin
      b_o[s] = moved(c_i[s], c_last_i[s]);
      for (int unsigned l = 0; l < 25; l++) begin
        last_o[s][l] = b_i[s][l/5][l%5][LaneWidth-1-:Slices];
      end
    end
  end

  assign next_o = b_i;
  assign control_o = Control[new_round*ControlWidth+:ControlWidth];
  assign zero_o    = zero_i && round != '0;

  logic unused_free;
  assign unused_free = ^free_i;

endmodule
