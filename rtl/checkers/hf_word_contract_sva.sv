// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The rules of the word contract (docs/reference/word-contract.md) as assertions, bound to every
// engine with its ports by hf_binds.sv. _A binds the engine. _M binds its driver: an assertion in
// simulation, an assumption in a proof.
//
//   Rule 1   WordOfferStands_M, WordFieldsStand_M
//   Rule 2   WordIsInTime_A
//   Rule 3   WordWipeIsFirst_M
//   Rule 5   WordByteOnce_M
//   Rule 6   WordAddressInRange_M, WordBytesNamed_M, WordZeroElsewhere_M
//
// The bench checks rules 4 and 7, the words read, and that no clock is less than it is stated.
// Implications are written as !a || b, which Yosys also reads.

module hf_word_contract_sva
  import hf_keccak_word_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,
    parameter  int unsigned BlockClocks = 24,  // the registry's clocks_per_block
    // Of the registry's word_clocks.
    parameter  int unsigned AddClocks = 0,
    parameter  int unsigned ReadClocks = 0,
    parameter  int unsigned PermuteClocks = 0,
    parameter  int unsigned WipeClocks = 0,
    localparam int unsigned NumWords = state_words(WordWidth),
    localparam int unsigned AddressWidth = word_address_width(WordWidth),
    localparam int unsigned NumBytes = WordWidth / 8
) (
    input logic clk_i,
    input logic rst_i,

    input logic                    op_valid_i,
    input logic                    op_ready_o,
    input logic [             1:0] op_i,
    input logic [AddressWidth-1:0] op_addr_i,
    input logic [    NumBytes-1:0] op_bytes_i,
    input logic [   WordWidth-1:0] op_word_i
);

  logic off;
  hf_reset_sva u_reset (
      .clk_i,
      .rst_i,
      .off_o(off)
  );

  logic accepted, add, word_op;
  assign accepted = op_valid_i && op_ready_o;
  assign add = op_valid_i && op_i == WordAdd;
  assign word_op = op_valid_i && (op_i == WordAdd || op_i == WordRead);

  ////////////////////
  // Offers         //
  ////////////////////

  logic stands_q;  // an offer was made and not accepted
  logic wiped_q;  // a wipe was accepted since the reset
  logic [1:0] op_q;
  logic [AddressWidth-1:0] addr_q;
  logic [NumBytes-1:0] bytes_q;
  logic [WordWidth-1:0] word_q;

  always_ff @(posedge clk_i) begin
    stands_q <= op_valid_i && !op_ready_o && !rst_i;
    wiped_q <= (wiped_q || (accepted && op_i == WordWipe)) && !rst_i;
    op_q <= op_i;
    addr_q <= op_addr_i;
    bytes_q <= op_bytes_i;
    word_q <= op_word_i;
  end

  WordOfferStands_M: assert property (@(posedge clk_i) disable iff (off) !stands_q || op_valid_i);

  WordFieldsStand_M: assert property (@(posedge clk_i) disable iff (off)
      !(stands_q && op_valid_i) || (op_i == op_q && (!word_op || op_addr_i == addr_q) &&
                                    (!add || (op_bytes_i == bytes_q && op_word_i == word_q))));

  WordWipeIsFirst_M: assert property (@(posedge clk_i) disable iff (off)
      !op_valid_i || wiped_q || op_i == WordWipe);

  WordAddressInRange_M: assert property (@(posedge clk_i) disable iff (off)
      !word_op || 32'(op_addr_i) < NumWords);

  WordBytesNamed_M: assert property (@(posedge clk_i) disable iff (off) !add || op_bytes_i != '0);

  logic [WordWidth-1:0] named;
  always_comb for (int unsigned b = 0; b < NumBytes; b++) named[8*b+:8] = {8{op_bytes_i[b]}};

  WordZeroElsewhere_M: assert property (@(posedge clk_i) disable iff (off)
      !add || (op_word_i & ~named) == '0);

  ////////////////////
  // Adds           //
  ////////////////////

  logic once_q;  // a permutation was accepted, and no read or wipe since
  logic [NumWords-1:0][NumBytes-1:0] added_q;  // the bytes added to since then

  always_ff @(posedge clk_i) begin
    if (accepted) begin
      unique case (op_i)
        WordAdd: added_q[op_addr_i] <= added_q[op_addr_i] | op_bytes_i;
        WordPermute: begin
          once_q  <= 1'b1;
          added_q <= '0;
        end
        default: once_q <= 1'b0;
      endcase
    end
    if (rst_i) once_q <= 1'b0;
  end

  WordByteOnce_M: assert property (@(posedge clk_i) disable iff (off)
      !(add && once_q) || (added_q[op_addr_i] & op_bytes_i) == '0);

  ////////////////////
  // Clocks         //
  ////////////////////

  localparam int unsigned MostWord = (AddClocks > ReadClocks) ? AddClocks : ReadClocks;
  localparam int unsigned MostOther = (PermuteClocks > WipeClocks) ? PermuteClocks : WipeClocks;
  localparam int unsigned Most = (MostWord > MostOther) ? MostWord : MostOther;
  localparam int unsigned CountWidth = $clog2(Most + 2);
  typedef logic [CountWidth-1:0] count_t;
  localparam int unsigned LeftWidth = $clog2(BlockClocks + 1);
  typedef logic [LeftWidth-1:0] left_t;

  left_t  left_q;  // clocks until the earliest next permutation, this one included
  count_t waits_q;  // clocks that the offer has waited, without those
  count_t limit;
  always_comb begin
    unique case (op_i)
      WordAdd: limit = count_t'(AddClocks);
      WordRead: limit = count_t'(ReadClocks);
      WordPermute: limit = count_t'(PermuteClocks);
      default: limit = count_t'(WipeClocks);
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) left_q <= '0;
    else if (accepted && op_i == WordPermute) left_q <= left_t'(BlockClocks - 1);
    else if (accepted && op_i == WordWipe) left_q <= '0;
    else if (left_q != '0) left_q <= left_q - 1'b1;

    if (rst_i || !op_valid_i || op_ready_o || left_q != '0) waits_q <= '0;
    else if (waits_q != limit) waits_q <= waits_q + 1'b1;
  end

  WordIsInTime_A: assert property (@(posedge clk_i) disable iff (off)
      !(op_valid_i && left_q == '0 && waits_q == limit) || op_ready_o);

endmodule
