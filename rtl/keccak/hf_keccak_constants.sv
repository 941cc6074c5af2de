// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// iota's constants (FIPS 202, section 3.2.5), one after the other, made in one of three ways (paper
// athanasiou-2014, section 3.2). Bit j of bits_o is bit 2^j - 1 of the lane; the other 57 bits of
// every constant are zero.
//
// Schedule, a line a clock:
//
//   start_i   the rounds of a new block begin
//   +1        the constant of round 0, until next_i
//   next_i    (23 times a block)
//   +1        the constant of the next round
//
// After a reset, the constant of round 0 is on bits_o without start_i. bits_o comes directly from
// flip-flops. Every block needs start_i once and next_i 23 times, because the ring (Kind 2) has no
// other way back to its beginning.
//
//   Kind  what it is                                                flip-flops
//   0     LFSR on the fly, seven steps at once                      8
//   1     24 constants in registers, a tree of multiplexers         168 + 12, or 12 and a ROM
//   2     circular buffer of the 24 constants                       168
//
// The LFSR is FIPS 202's (algorithm 5) in the other form: its register is the next eight output
// bits, so that the seven of a constant are seven of its flip-flops. s[t+8] = s[t] ^ s[t+4] ^
// s[t+5] ^ s[t+6].
//
// The registers of Kind 1 never change after the reset has loaded them. A tool that respects
// `keep` keeps them; another turns them into constants, and the tree into a ROM of LUTs
// (docs/engines/keccak-two-stage.md).

module hf_keccak_constants
  import hf_keccak_pkg::*;
#(
    parameter  int unsigned Kind = 0,  // 0: LFSR; 1: registers and multiplexers; 2: ring
    localparam int unsigned KindLfsr = 0,
    localparam int unsigned KindMultiplexer = 1,
    localparam int unsigned KindRing = 2
) (
    input logic clk_i,
    input logic rst_i, // synchronous

    input  logic       start_i,  // the rounds of a new block begin
    input  logic       next_i,  // the next round's constant follows
    output logic [6:0] bits_o  // bits 2^j - 1 of the constant
);

  typedef logic [6:0] bits_t;
  typedef bits_t [NumRounds-1:0] table_t;

  // The bits of each constant that are not always zero.
  function automatic table_t bits_table();
    table_t bits;
    for (int unsigned i = 0; i < NumRounds; i++) begin
      for (int unsigned j = 0; j < 7; j++) bits[i][j] = RoundConstant[i][(1<<j)-1];
    end
    return bits;
  endfunction

  localparam table_t Bits = bits_table();

  if (Kind == KindLfsr) begin : gen_lfsr

    // Advances the LFSR by seven steps.
    function automatic logic [7:0] seven_on(input logic [7:0] now);
      logic [14:0] s;
      s[7:0] = now;
      for (int unsigned t = 0; t < 7; t++) s[t+8] = s[t] ^ s[t+4] ^ s[t+5] ^ s[t+6];
      return s[14:7];
    endfunction

    logic [7:0] lfsr_q;

    always_ff @(posedge clk_i) begin
      if (rst_i || start_i) lfsr_q <= 8'h01;
      else if (next_i) lfsr_q <= seven_on(lfsr_q);
    end

    assign bits_o = lfsr_q[6:0];

  end else if (Kind == KindMultiplexer) begin : gen_registers

    (* keep = "true", dont_touch = "true" *) table_t constant_q;

    always_ff @(posedge clk_i) if (rst_i) constant_q <= Bits;

    round_t index_q;  // the round whose constant comes next
    bits_t  bits_q;

    always_ff @(posedge clk_i) begin
      if (rst_i || start_i) index_q <= 5'd1;
      else if (next_i) index_q <= index_q + 5'd1;
      if (rst_i) bits_q <= Bits[0];
      else if (start_i) bits_q <= constant_q[0];
      else if (next_i) bits_q <= constant_q[index_q];
    end

    assign bits_o = bits_q;

  end else begin : gen_ring

    table_t ring_q;

    always_ff @(posedge clk_i) begin
      if (rst_i) ring_q <= Bits;
      else if (start_i || next_i) ring_q <= {ring_q[0], ring_q[NumRounds-1:1]};
    end

    assign bits_o = ring_q[0];

  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (Kind > KindRing) begin : gen_bad_kind
    $fatal(1, "hf_keccak_constants: Kind is 0, 1 or 2, not %0d", Kind);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
