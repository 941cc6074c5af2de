// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// An engine of the word contract (docs/reference/word-contract.md) for tests of the word bench
// itself. It is plain and large, and not for use in designs.
//
// One round a clock, BlockClocks clocks from one permutation to the next. An add, a read, a wipe
// and a permutation wait up to the clocks named, which depends on what was accepted before. With
// AcceptsAdds, adds are accepted during a permutation; `added_q` holds them until it is complete.
//
// Simulated with +fault=n, the engine has the fault n: see `fault_e`.

module hf_word_reference
  import hf_keccak_pkg::*;
  import hf_keccak_word_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,
    parameter  bit          AcceptsAdds = 1'b1,
    parameter  int unsigned BlockClocks = 30,    // at least 25
    parameter  int unsigned AddClocks = 2,
    parameter  int unsigned ReadClocks = 3,
    parameter  int unsigned WipeClocks = 5,
    parameter  int unsigned PermuteClocks = 4,
    localparam int unsigned NumWords = state_words(WordWidth),
    localparam int unsigned AddressWidth = word_address_width(WordWidth)
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                    op_valid_i,
    output logic                    op_ready_o,
    input  logic [             1:0] op_i,
    input  logic [AddressWidth-1:0] op_addr_i,
    input  logic [ WordWidth/8-1:0] op_bytes_i,
    input  logic [   WordWidth-1:0] op_word_i,
    output logic [   WordWidth-1:0] word_o
);

  typedef enum int unsigned {
    FaultNone,
    FaultWrites,  // an add writes the bytes
    FaultLastWord,  // the last word is not added to
    FaultHighByte,  // a word's highest byte is added to only with the lowest one
    FaultLateRead,  // word_o is a clock late
    FaultEarlyRead,  // a read is accepted four rounds early
    FaultOneRoundLess,
    FaultLostAdds,  // adds during a permutation are lost, if the next one comes without a read
    FaultAddsTwice,  // adds during a permutation are in the next one's too
    FaultWipeLeavesWord,  // a wipe leaves the last word
    FaultWipeLeavesAdds,  // a wipe leaves what was added during a permutation
    FaultWipeIsEarly,  // a wipe does not end the permutation in which it is accepted
    FaultReset,  // a reset does not end a permutation
    FaultIgnoresValid,  // an add is accepted without op_valid_i
    FaultSlowAdd,  // one add in 64 waits a clock more
    FaultSlowRead,
    FaultSlowWipe,
    FaultSlowPermute,
    FaultSlowBlock,  // a permutation after a permutation waits a clock more
    FaultQuickBlock  // or a clock less
  } fault_e;

  int unsigned fault;
  initial if (!$value$plusargs("fault=%d", fault)) fault = FaultNone;

  ////////////////////
  // Acceptance     //
  ////////////////////

  logic [31:0] left_q;  // clocks of the permutation
  logic [31:0] waits_q;  // clocks that the offer must still wait, once no permutation runs
  logic [31:0] count_q;  // of accepted operations
  logic after_permute_q;  // the last one was a permutation
  logic runs, may, accepts;

  logic [31:0] most;  // clocks that the next operation waits, where it waits longest
  always_comb begin
    unique case (op_i)
      WordAdd: most = AddClocks + 32'(fault == FaultSlowAdd && count_q % 64 == 63);
      WordRead: most = ReadClocks + 32'(fault == FaultSlowRead && count_q % 64 == 63);
      WordPermute: most = PermuteClocks + 32'(fault == FaultSlowPermute);
      default: most = WipeClocks + 32'(fault == FaultSlowWipe);
    endcase
  end

  // Every third operation waits as long as it may; a permutation after a permutation never does.
  logic [31:0] wait_clocks;
  always_comb begin
    wait_clocks = (count_q % 3 == 0) ? most : count_q % (most + 1);
    if (op_i == WordPermute && after_permute_q) wait_clocks = 32'(fault == FaultSlowBlock);
  end

  always_comb begin
    runs = left_q > 32'd1;
    if (fault == FaultQuickBlock && op_i == WordPermute && left_q == 32'd2) runs = 1'b0;
    if (fault == FaultEarlyRead && op_i == WordRead && round >= 32'd20) runs = 1'b0;
    if (fault == FaultWipeIsEarly && op_i == WordWipe) runs = 1'b0;
    may = !runs || (AcceptsAdds && op_i == WordAdd);
    accepts = op_valid_i && may && waits_q >= wait_clocks;
    if (fault == FaultIgnoresValid && !op_valid_i && !runs && op_i == WordAdd) accepts = 1'b1;
  end
  assign op_ready_o = accepts;

  always_ff @(posedge clk_i) begin
    waits_q <= (op_valid_i && may && !accepts) ? waits_q + 32'd1 : '0;
    if (left_q != '0) left_q <= left_q - 32'd1;
    if (accepts) begin
      count_q <= count_q + 32'd1;
      after_permute_q <= op_i == WordPermute;
      if (op_i == WordPermute) left_q <= BlockClocks;
      if (op_i == WordWipe && fault != FaultWipeIsEarly) left_q <= '0;
    end
    if (rst_i) begin
      waits_q <= '0;
      count_q <= '0;
      after_permute_q <= 1'b0;
      if (fault != FaultReset) left_q <= '0;
    end
  end

  ////////////////////
  // The state      //
  ////////////////////

  logic [StateWidth-1:0] state_q;
  logic [StateWidth-1:0] added_q;  // during a permutation
  logic lost_q;  // FaultLostAdds

  localparam int unsigned Rounds = 24;
  logic [31:0] round;  // in this clock
  assign round = BlockClocks - left_q;

  logic [StateWidth-1:0] mask, sum, whole;
  logic [WordWidth-1:0] word, word_q;
  always_comb begin
    mask = '0;
    for (int unsigned b = 0; b < WordWidth / 8; b++) begin
      if (op_bytes_i[b]) mask[8*b+:8] = '1;
    end
    if (fault == FaultHighByte && !op_bytes_i[0]) mask[WordWidth-1-:8] = '0;
    mask = mask << (WordWidth * op_addr_i);
    if (fault == FaultLastWord) mask[StateWidth-1-:WordWidth] = '0;
    sum = (StateWidth'(op_word_i) << (WordWidth * op_addr_i)) & mask;
    whole = state_q ^ added_q;
    word = whole[WordWidth*32'(op_addr_i)+:WordWidth];
    if (fault == FaultLateRead) word_o = word_q;
    else word_o = word;
    if (!(accepts && op_i == WordRead)) word_o = ~word_o;
  end

  always_ff @(posedge clk_i) begin
    word_q <= word;
    if (left_q != '0 && round < Rounds) begin
      if (!(fault == FaultOneRoundLess && round == Rounds - 1)) begin
        state_q <= keccak_round(state_t'(state_q), round_t'(round));
      end
    end
    if (accepts) begin
      unique case (op_i)
        // What is added during a permutation is written, because each byte comes once.
        WordAdd:
        if (left_q != '0) added_q <= (added_q & ~mask) | sum;
        else if (fault == FaultWrites) state_q <= (state_q & ~mask) | sum;
        else state_q <= state_q ^ sum;
        WordRead: lost_q <= 1'b0;
        WordPermute: begin
          state_q <= (fault == FaultLostAdds && lost_q) ? state_q : whole;
          if (fault != FaultAddsTwice) added_q <= '0;
          lost_q <= 1'b1;
        end
        WordWipe: begin
          state_q <= '0;
          if (fault == FaultWipeLeavesWord) begin
            state_q[StateWidth-1-:WordWidth] <= state_q[StateWidth-1-:WordWidth];
          end
          if (fault != FaultWipeLeavesAdds) added_q <= '0;
          lost_q <= 1'b0;
        end
      endcase
    end
  end

endmodule
