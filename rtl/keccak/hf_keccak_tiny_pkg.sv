// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The microprogram of hf_keccak_tiny: one round of Keccak-f[1600] (FIPS 202, section 3.3), a byte a
// clock. It is computed here from rho's offsets and pi, so nothing is generated.
//
// Cycle 0 of a round reads the first byte for rho and pi. The tables below say in which cycle of the
// 511 an operation begins; `program_by_cycle` puts each field into the cycle that uses it. The
// counter of the program is an LFSR, so the program is stored in the LFSR's order.

package hf_keccak_tiny_pkg;
  import hf_keccak_pkg::*;

  localparam int unsigned RoundCycles = 511;  // as many as the counter has values, without zero
  localparam int unsigned RomDepth = 512;
  localparam int unsigned FirstCycle = 226;  // in which the counter has its first value, 1

  typedef logic [7:0] tiny_addr_t;
  typedef logic [8:0] tiny_counter_t;

  // An instruction. Two meanings of a bit never meet: one is of the cycles that use the shifter's
  // registers for a byte that is written, one of all others.
  typedef struct packed {
    logic busy;  // in all instructions but that of the idle counter
    logic last;  // the round's last cycle
    logic add_feedback;  // the parities' ring adds what leaves it to what enters
    logic clear_lane;  // two cycles later
    logic state_write;  // in the next cycle
    logic lanes_write;
    logic clear_odd;  // no shift by one more bit
    logic clear_even;
    logic clear_6;  // no shift by 6 bits; or: the ring moves
    logic clear_4;  // no shift by 4 bits; or: the constants' LFSR moves
    logic clear_2;  // no shift by 2 bits; or: no constant in bit 7, two cycles later
    logic clear_0;  // no shift by 0 bits; or: no constant in bits 0, 1 and 3, two cycles later
    tiny_addr_t lanes_write_addr;
    tiny_addr_t lanes_read_addr;
    tiny_addr_t state_addr;
  } tiny_instr_t;

  typedef tiny_instr_t [RomDepth-1:0] tiny_program_t;

  // Shifts of the constants' LFSR in a round: 144 with rho's shifts, one after each of three bytes
  // with a constant and 115 after the fourth. They are 7 and a period, 255.
  localparam int unsigned ShiftsBefore = 144;
  localparam int unsigned ShiftsAfter = 115;

  // The eight output bits of iota's LFSR from number `index` on, bit i of number index + i.
  function automatic logic [7:0] constant_bits(input int unsigned index);
    logic [7:0] bits;
    bits = 8'h01;  // rc(0) = 1, rc(1) .. rc(7) = 0
    for (int unsigned i = 0; i < index; i++) bits = next_constant_bits(bits);
    return bits;
  endfunction

  // Each bit is the sum of four before it, by x^8 + x^6 + x^5 + x^4 + 1.
  function automatic logic [7:0] next_constant_bits(input logic [7:0] bits);
    return {bits[6] ^ bits[5] ^ bits[4] ^ bits[0], bits[7:1]};
  endfunction

  // With it the LFSR has rc(0) when the first round's first constant is added.
  localparam logic [7:0] FirstConstantBits = constant_bits(255 - ShiftsBefore);

  // Of the 24 ends of a round, only the last has these two bits.
  function automatic logic rounds_done(input logic [4:3] bits);
    return &bits;
  endfunction

  // The counter's next value: an LFSR by x^9 + x^5 + 1. It begins at 0, where it stays.
  function automatic tiny_counter_t next_counter(input tiny_counter_t counter, input logic start);
    return {counter[7:0], counter[8] ^ counter[4] ^ start};
  endfunction

  // Addresses: byte j of lane (x, y), in both memories; and theta's effect on lanes x.
  function automatic tiny_addr_t lane_byte(input int unsigned x, input int unsigned y,
                                           input int unsigned j);
    return tiny_addr_t'(8 * (5 * (y % 5) + x % 5) + j % 8);
  endfunction
  function automatic tiny_addr_t effect_byte(input int unsigned x, input int unsigned j);
    return tiny_addr_t'(200 + 8 * (x % 5) + j % 8);
  endfunction

  function automatic tiny_program_t program_by_cycle();
    tiny_program_t p;
    int unsigned cycle;
    int unsigned x;
    int unsigned y;
    int unsigned bytes;
    int unsigned pair;
    tiny_addr_t written;
    int unsigned group;

    for (int unsigned i = 0; i < RomDepth; i++) p[i] = '0;
    for (int unsigned i = 0; i < RoundCycles; i++) begin
      p[i].busy = 1'b1;
      p[i].clear_odd = 1'b1;
      p[i].clear_even = 1'b1;
      p[i].clear_2 = 1'b1;
      p[i].clear_0 = 1'b1;
      p[i].clear_lane = 1'b1;
    end
    p[RoundCycles-1].last = 1'b1;

    // theta's addition, rho and pi: nine bytes of each lane, of which the first is only the one
    // before the second. The first lane is shifted by less than 6, because the ring moves until
    // cycle 6.
    for (int unsigned lane = 0; lane < 25; lane++) begin
      x = (lane + 1) % 5;
      y = lane / 5;
      bytes = RhoOffset[5*y+x] / 8;
      pair = (RhoOffset[5*y+x] % 8) / 2;
      for (int unsigned j = 0; j < 9; j++) begin
        cycle = 9 * lane + j;
        p[cycle].state_addr = lane_byte(x, y, j + 7);
        p[cycle+1].clear_lane = 1'b0;
        p[cycle+1].lanes_read_addr = effect_byte(x, j + 7);
        if (j != 0) begin
          p[cycle+4].clear_0 = pair != 0;
          p[cycle+4].clear_2 = pair != 1;
          p[cycle+4].clear_4 = pair != 2;
          p[cycle+4].clear_6 = pair != 3;
          p[cycle+5].clear_even = RhoOffset[5*y+x] % 2 != 0;
          p[cycle+5].clear_odd = RhoOffset[5*y+x] % 2 == 0;
          p[cycle+6].lanes_write = 1'b1;
          p[cycle+6].lanes_write_addr = lane_byte(y, 2 * x + 3 * y, j + 7 + bytes);
        end
      end
    end

    // Between the two: a byte whose ninth bit is zero.
    p[226].lanes_read_addr = lane_byte(0, 0, 0);

    // chi and iota, row by row: seven bytes are read for five. Eight groups, of the bytes with one
    // number; those with constants first.
    written = lane_byte(0, 0, 0);
    for (int unsigned i = 0; i < 8; i++) begin
      unique case (i)
        0, 1: group = i;
        2: group = 3;
        3: group = 7;
        4: group = 2;
        default: group = i - 1;
      endcase
      for (int unsigned row = 0; row < 5; row++) begin
        cycle = 227 + 35 * i + 7 * row;
        for (int unsigned j = 0; j < 7; j++) begin
          p[cycle+j].lanes_read_addr = lane_byte(j, row, group);
          if (j < 5) begin
            written = lane_byte(j, row, group);
            p[cycle+j+5].state_write = 1'b1;
            p[cycle+j+6].clear_6 = 1'b1;
            p[cycle+j+6].add_feedback = row != 0;
          end
          // In the two cycles without a write the address is one that was just written.
          if (cycle + j + 6 < RoundCycles) p[cycle+j+6].state_addr = written;
        end
      end

      // iota, in lane (0, 0).
      cycle = 227 + 35 * i;
      if (i < 4) begin
        p[cycle+3].clear_2 = 1'b0;
        p[cycle+3].clear_0 = i != 0;
        for (int unsigned j = 0; j < ((i < 3) ? 1 : ShiftsAfter); j++) p[cycle+4+j].clear_4 = 1'b1;
      end

      // The group's parities are complete when its last byte is written. theta's effect on lanes
      // 1, 2, 3, 4 and 0; the ring turns twice, then the next group enters, or zeros.
      cycle = 227 + 35 * i + 34 + 5;
      for (int unsigned j = 0; j < ((i < 7) ? 5 : 7); j++) begin
        p[(cycle+j)%RoundCycles].clear_6 = 1'b1;
        p[(cycle+j)%RoundCycles].add_feedback = j < 2;
        if (j < 5) begin
          p[(cycle+j)%RoundCycles].lanes_write = 1'b1;
          p[(cycle+j)%RoundCycles].lanes_write_addr = effect_byte(j + 1, group);
        end
      end
    end
    return p;
  endfunction

  // The same by the counter's values; the idle instruction, at 0, is zero.
  function automatic tiny_program_t program_by_counter();
    tiny_program_t by_cycle;
    tiny_program_t by_counter;
    tiny_counter_t counter;
    by_cycle = program_by_cycle();
    for (int unsigned i = 0; i < RomDepth; i++) by_counter[i] = '0;
    counter = next_counter('0, 1'b1);
    for (int unsigned i = 0; i < RoundCycles; i++) begin
      by_counter[counter] = by_cycle[(FirstCycle+i)%RoundCycles];
      counter = next_counter(counter, 1'b0);
    end
    return by_counter;
  endfunction

endpackage
