// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Chains of hashes, as SLH-DSA's WOTS+ has them (FIPS 205, algorithm 5): a value is replaced
// `count` times by
//
//   SHAKE256(prefix || address || value, 8 n)      F of FIPS 205, section 11.1
//
// where n is ValueBytes, prefix (PK.seed) and value have n bytes and address (ADRS) has 32. The last
// four bytes of the address, the hash address, are a big-endian number that goes up by one with each
// hash. A hash takes 26 clocks:
//
//   0        the block goes to its register, with the digest of the hash before out of the state,
//            and the state is cleared
//   1        the block enters the state: the round of a state of zero without iota is zero
//   2..25    24 rounds
//   26       clock 0 of the next hash
//
// An engine of the contract would need two more: it decides a handshake a clock ahead, and a block
// that is offered does not change.
//
// Words are little-endian: bits 7 to 0 of a word are its first byte, as in the block (FIPS 202,
// section B.1). Nothing may be written while `busy_o` is high.

module hf_keccak_chain
  import hf_keccak_pkg::*;
#(
    parameter int unsigned ValueBytes = 16,  // n: 16, 24 or 32
    // Not for users: words of a value.
    localparam int unsigned ValueWords = (ValueBytes == 24 || ValueBytes == 32) ? ValueBytes / 4 : 4
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high; acts as clear_i

    // A write to a word; at most one of these is high.
    input logic        write_prefix_i,
    input logic        write_address_i,
    input logic        write_value_i,
    input logic [ 2:0] word_addr_i,      // writes to words that there are not have no effect
    input logic [31:0] word_i,

    input  logic        start_i,   // with count_i hashes; 0: none
    input  logic [15:0] count_i,
    input  logic        clear_i,   // the chain ends at once; prefix, address, value, state become 0
    output logic        busy_o,
    output logic        done_o,    // in one clock: the last hash is in value_o from the next one on
    output logic [ValueWords-1:0][31:0] value_o
);

  localparam int unsigned AddressWords = 8;
  localparam int unsigned RateWords = 34;  // SHAKE256: 1,088 bits
  localparam int unsigned MessageWords = 2 * ValueWords + AddressWords;
  localparam logic [31:0] Suffix = 32'h0000_001F;  // 1111, and the first 1 of pad10*1
  localparam logic [31:0] LastOne = 32'h8000_0000;  // the last 1 of pad10*1
  localparam logic [4:0] LastClock = 5'(NumRounds);  // the clock of the last round; 0: the block's

  logic [ValueWords-1:0][31:0] prefix_q, value_q, value;
  logic [AddressWords-1:0][31:0] address_q;
  logic [31:0] hash_address;
  logic [15:0] count_q;  // hashes that have not begun
  logic running_q;  // the state changes, clock_q of a hash
  logic [4:0] clock_q;
  logic final_q;  // the state is that of a digest, in one clock
  logic begins, clear;

  function automatic logic [31:0] reversed(input logic [31:0] word);
    return {word[7:0], word[15:8], word[23:16], word[31:24]};
  endfunction

  assign clear = clear_i || rst_i;
  assign begins = count_q != '0 && !running_q && !clear;
  assign hash_address = reversed(reversed(address_q[AddressWords-1]) + 32'd1);

  always_ff @(posedge clk_i) begin
    if (clear) begin
      count_q   <= '0;
      running_q <= 1'b0;
      final_q   <= 1'b0;
    end else begin
      if (start_i) count_q <= count_i;
      else count_q <= count_q - 16'(begins);
      running_q <= begins || (running_q && clock_q != LastClock);
      final_q   <= running_q && clock_q == LastClock;
    end
    clock_q <= begins ? '0 : clock_q + 1'b1;
  end

  ////////////////////
  // Datapath       //
  ////////////////////

  // The block register is zero but in the clock of a block, and carries iota's constant, as in
  // hf_keccak_iterative_words; theta is written so that a round takes three LUT4 levels.
  localparam lane_t [31:0] Constants = (32 * LaneWidth)'(RoundConstant);  // zero after the last
  state_t state_q, block_q, sum;
  logic [StateWidth-1:0] block;

  assign value = final_q ? state_q[0][ValueWords/2-1:0] : value_q;

  always_comb begin
    block = '0;
    block[32*MessageWords-1:0] = {value, address_q, prefix_q};
    block[32*MessageWords+:32] = Suffix;
    block[32*(RateWords-1)+:32] = LastOne;
  end

  always_comb begin
    plane_t p, r;
    p = state_q[0] ^ state_q[1] ^ state_q[2] ^ state_q[3];
    r = theta_effect(state_q[4]);
    for (int unsigned y = 0; y < 5; y++) begin
      for (int unsigned x = 0; x < 5; x++) begin
        sum[y][x] = ((state_q[y][x] ^ r[x]) ^ p[(x+4)%5]) ^ rotl(p[(x+1)%5], 1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (begins) block_q <= state_t'(block);
    else block_q <= state_t'(Constants[clock_q]);
    if (begins || clear) state_q <= '0;
    else if (running_q) state_q <= chi(pi(rho(sum))) ^ block_q;
  end

  for (genvar i = 0; i < int'(ValueWords); i++) begin : gen_value
    always_ff @(posedge clk_i) begin
      if (clear) prefix_q[i] <= '0;
      else if (write_prefix_i && word_addr_i == 3'(i)) prefix_q[i] <= word_i;
      if (clear) value_q[i] <= '0;
      else if (final_q) value_q[i] <= value[i];
      else if (write_value_i && word_addr_i == 3'(i)) value_q[i] <= word_i;
    end
  end
  for (genvar i = 0; i < int'(AddressWords); i++) begin : gen_address
    always_ff @(posedge clk_i) begin
      if (clear) address_q[i] <= '0;
      else if (write_address_i && word_addr_i == 3'(i)) address_q[i] <= word_i;
      else if (begins && i == int'(AddressWords) - 1) address_q[i] <= hash_address;
    end
  end

  assign busy_o  = running_q || final_q || count_q != '0;
  assign done_o  = final_q && count_q == '0;
  assign value_o = value_q;

`ifndef HF_NO_PARAMETER_CHECKS
  if (ValueBytes != 16 && ValueBytes != 24 && ValueBytes != 32) begin : gen_bad_value
    $fatal(1, "hf_keccak_chain: ValueBytes is 16, 24 or 32, not %0d", ValueBytes);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
