// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Skein-512 (version 1.3) as a loop of stages with a message in each: as many slots as stages. A
// pass through the loop is Groups times a subkey and four rounds, and takes one clock for each
// stage. A block takes 18 / Groups passes, and one more for the last subkey. Sections are those of
// the Skein specification.
//
// A group is a stage that adds the subkey, and four rounds of 1 stage (RoundRegisters 0) or 2
// stages (RoundRegisters 1: a register between MIX's addition and its XOR, which leaves one 64-bit
// addition to a stage). Slots: Groups * (5 or 9).
//
// Schedule of a slot, a line a pass (docs/engines/finalists.md has the rules of the ports):
//
//   begin     first block only, while it is offered and not accepted: the key becomes 0, the state
//             the configuration (section 3.5.4); then as for a block
//   0..P-1    subkeys and rounds (section 3.3)
//   P         the last subkey is added, and the block: the next chaining value, which is the key.
//             The next block is accepted in the clock before this pass (a `first` one: after its
//             own configuration)
//   output    last block only: the same P + 1 passes for the output step (section 3.5.3), then the
//             digest goes to st_o, and the next message begins
//
// The key rotates by Groups words a pass. It is in its place again after the number of passes in
// which nine words become a multiple of a full rotation. Only then a late block is accepted, or a
// digest leaves that had no room. So neither of them stalls the loop.
//
// State, block, key and tweak move round in flip-flops only. If a slot gets a new block, the block
// moves in parallel with the old one, which is added to the state there for the chaining value. The
// state is loaded with the new block a pass later.

module hf_skein_pipelined
  import hf_skein_pkg::*;
#(
    parameter  int unsigned Groups = 2,  // 1, 2, 3, 6, 9 or 18
    parameter  int unsigned RoundRegisters = 1,  // inside a round: 0 or 1
    localparam int unsigned GroupStages = 1 + 4 * (1 + RoundRegisters),
    localparam int unsigned NumStages =
        ((Groups == 0 || 18 % Groups != 0) ? 1 : Groups) * GroupStages,
    localparam int unsigned SlotWidth = $clog2(NumStages)
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                  blk_valid_i,  // stays high until blk_ready_o
    output logic                  blk_ready_o,
    output logic [ SlotWidth-1:0] blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [           1:0] blk_size_i,
    input  logic [          63:0] blk_count_i,
    input  logic [BlockWidth-1:0] blk_i,

    output logic                  st_valid_o,
    input  logic                  st_ready_i,
    output logic [ SlotWidth-1:0] st_slot_o,
    output logic [BlockWidth-1:0] st_o
);

  localparam int unsigned GroupsInt = NumStages / GroupStages;
  localparam int unsigned Last = NumStages - 1;

  typedef logic [4:0] pass_t;  // 0 .. 18
  localparam pass_t FinalPass = pass_t'(18 / GroupsInt);
  // Passes until the key is in its place again.
  localparam pass_t LastTurn = pass_t'((9 % GroupsInt == 0) ? 9 / GroupsInt - 1 :
                                       (GroupsInt == 6) ? 2 : (GroupsInt == 18) ? 0 : 8);

  ////////////////////
  // Control        //
  ////////////////////

  // The phase of a slot.
  typedef enum logic [2:0] {
    AtNothing,
    AtConfig,
    AtMessage,
    AtLast,     // the message's last block
    AtOutput,
    AtWait,     // the chaining value waits for the next block
    AtDigest    // the digest waits for room
  } at_e;

  // The operation of a pass; `last_subkey` with or without `load`.
  typedef struct packed {
    at_e   at;           // the phase after the pass
    pass_t pass;         // number of the pass after it
    pass_t now;          // its own number
    logic  last_subkey;  // it makes a chaining value, the new key
    logic  clear;        // the key becomes 0
    logic  load;         // it loads another block, which becomes the state at its end
  } slot_t;

  slot_t [NumStages-1:0] slot_q;  // by stage; the slot at the last stage is about to begin a pass
  slot_t slot_d;
  logic leave_d, leave_q;  // the digest goes to st_o, in the first stage
  logic st_valid_q;
  logic [SlotWidth-1:0] number_q, st_slot_q;  // number of the slot at the last stage

  at_e at;
  pass_t now;
  logic final_pass, room, begins, takes;
  assign at = slot_q[Last].at;
  assign now = slot_q[Last].pass;
  assign final_pass = now == FinalPass;
  assign room = !leave_q && (!st_valid_q || st_ready_i);

  always_comb begin
    begins = 1'b0;
    takes = 1'b0;
    leave_d = 1'b0;
    slot_d = '0;
    slot_d.at = at;
    slot_d.pass = now + pass_t'(1);
    slot_d.now = now;

    unique case (at)
      AtNothing: begins = 1'b1;
      AtConfig, AtMessage, AtLast, AtOutput: begin
        if (final_pass) begin
          slot_d.pass = '0;
          slot_d.last_subkey = 1'b1;
          unique case (at)
            AtConfig: takes = 1'b1;
            AtMessage: begin
              takes  = !blk_first_i;
              begins = blk_first_i;
            end
            AtLast: begin
              slot_d.at   = AtOutput;
              slot_d.load = 1'b1;
            end
            default: slot_d.at = AtDigest;
          endcase
          if (takes || begins) slot_d.at = AtWait;
        end
      end
      AtWait: begin
        takes  = now == LastTurn && !blk_first_i;
        begins = blk_first_i;
      end
      AtDigest: begin
        leave_d = now == '0 && room;
        begins  = leave_d;
        if (leave_d) slot_d.at = AtNothing;
      end
      default: ;
    endcase
    if ((at == AtWait || at == AtDigest) && now == LastTurn) slot_d.pass = '0;

    if (blk_valid_i && begins) begin
      slot_d.at = AtConfig;
      slot_d.clear = 1'b1;
    end
    if (blk_valid_i && takes) slot_d.at = blk_last_i ? AtLast : AtMessage;
    if (blk_valid_i && (begins || takes)) begin
      slot_d.load = 1'b1;
      slot_d.pass = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    slot_q[0] <= slot_d;
    for (int unsigned i = 1; i < NumStages; i++) slot_q[i] <= slot_q[i-1];
    if (rst_i) begin
      for (int unsigned i = 0; i < NumStages; i++) slot_q[i].at <= AtNothing;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      number_q   <= '0;
      leave_q    <= 1'b0;
      st_valid_q <= 1'b0;
    end else begin
      number_q   <= (number_q == SlotWidth'(Last)) ? '0 : number_q + SlotWidth'(1);
      leave_q    <= leave_d;
      st_valid_q <= leave_q || (st_valid_q && !st_ready_i);
    end
  end

  assign blk_ready_o = takes;
  assign blk_slot_o  = number_q;
  assign st_valid_o  = st_valid_q;

  ////////////////////
  // Next block     //
  ////////////////////

  // In parallel with the first stage, and then with the second, where the slot gets it. Of the
  // tweak's second word only the upper bits are not zero.
  localparam int unsigned FlagsWidth = 9;
  typedef logic [FlagsWidth-1:0] flags_t;
  localparam int unsigned FlagsBit = 64 - FlagsWidth;

  block_t new_q, next_q;
  word_t new_position_q, next_position_q;
  flags_t new_flags_q, next_flags_q;
  size_t new_size_q;
  tweak_t new_tweak;
  logic bit_pad;

  assign bit_pad = blk_count_i[2:0] != '0;
  assign new_tweak = tweak(
      TypeMessage, word_t'(blk_count_i[63:3]) + word_t'(bit_pad), blk_first_i, blk_last_i, bit_pad
  );

  always_ff @(posedge clk_i) begin
    new_q          <= blk_i;
    new_position_q <= new_tweak[0];
    new_flags_q    <= flags_t'(new_tweak[1] >> FlagsBit);
    new_size_q     <= blk_size_i;
  end

  always_ff @(posedge clk_i) begin
    if (slot_q[0].at == AtConfig) begin
      next_q <= config_block(new_size_q);
      next_position_q <= ConfigTweak[0];
      next_flags_q <= ConfigTweak[1][63-:FlagsWidth];
    end else if (slot_q[0].at == AtOutput) begin
      next_q <= '0;
      next_position_q <= OutputTweak[0];
      next_flags_q <= OutputTweak[1][63-:FlagsWidth];
    end else begin
      next_q <= new_q;
      next_position_q <= new_position_q;
      next_flags_q <= new_flags_q;
    end
  end

  ////////////////////
  // Loop           //
  ////////////////////

  // At the input of each stage.
  block_t [NumStages-1:0] state_q;
  block_t [NumStages-1:0] block_q;
  key_t [NumStages-1:0] key_q;
  word_t [NumStages-1:0] position_q;
  flags_t [NumStages-1:0] flags_q;
  // The words of a group's subkey that are not key words only.
  word_t [GroupsInt-1:0][NumWords-1:5] sum_q;
  word_t [1:0] parity_q;  // parity of half the key each, in parallel with the fourth stage

  typedef logic [1:0] third_t;  // a subkey's number modulo 3

  // Tables by pass: a remainder takes many LUT levels, a table of five bits does not.
  function automatic third_t [31:0] thirds(input int unsigned group);
    third_t [31:0] found;
    for (int unsigned i = 0; i < 32; i++) found[i] = third_t'((i * GroupsInt + group) % 3);
    return found;
  endfunction

  // Word t[third] of the tweak (section 3.3.2).
  function automatic word_t tweak_word(input word_t position, input flags_t flags,
                                       input third_t third);
    word_t upper;
    upper = {flags, {FlagsBit{1'b0}}};
    if (third == 0) return position;
    return (third == 1) ? upper : position ^ upper;
  endfunction

  function automatic int unsigned turned_back(input int unsigned word);
    return (word + GroupsInt - 1) % (NumWords + 1);
  endfunction

  for (genvar i = 0; i < NumStages; i++) begin : gen_stage
    localparam int unsigned Group = i / GroupStages;
    localparam int unsigned Place = i % GroupStages;
    localparam int unsigned Before = (i + NumStages - 1) % NumStages;
    localparam int unsigned Next = (i + 1) % NumStages;

    block_t state_d;

    if (Place == 0) begin : gen_subkey
      word_t [NumWords-1:5] tweak_q;  // sums with the key's words
      pass_t pass;  // the pass, three stages before the subkey
      pass_t subkey_q;  // number of the subkey, two stages before it
      third_t this_q, other_q;  // this number modulo 3, and the next one's
      localparam int unsigned Early = (Before + NumStages - 1) % NumStages;
      localparam int unsigned Earlier = (Early + NumStages - 1) % NumStages;
      localparam third_t [31:0] This = thirds(Group);
      localparam third_t [31:0] Other = thirds(Group + 1);
      assign pass = (i == 0) ? slot_q[Earlier].pass : slot_q[Earlier].now;

      always_ff @(posedge clk_i) begin
        subkey_q   <= pass_t'(32'(pass) * GroupsInt + Group);
        this_q     <= This[pass];
        other_q    <= Other[pass];
        tweak_q[5] <= tweak_word(position_q[Early], flags_q[Early], this_q);
        tweak_q[6] <= tweak_word(position_q[Early], flags_q[Early], other_q);
        tweak_q[7] <= word_t'(subkey_q);
        for (int unsigned j = 5; j < NumWords; j++) begin
          sum_q[Group][j] <= key_q[Before][j] + tweak_q[j];
        end
      end

      for (genvar j = 0; j < NumWords; j++) begin : gen_word
        if (j < 5) begin : gen_plain
          assign state_d[j] = state_q[i][j] + key_q[i][j];
        end else begin : gen_sum
          assign state_d[j] = state_q[i][j] + sum_q[Group][j];
        end
      end
    end else begin : gen_round
      localparam int unsigned Round = (Place - 1) / (1 + RoundRegisters);
      localparam int unsigned Part = (Place - 1) % (1 + RoundRegisters);

      if (Part == 0) begin : gen_add
        block_t sums;
        logic odd;
        assign odd = (GroupsInt % 2 == 0) ? 1'(Group) : slot_q[i].now[0] ^ 1'(Group);
        assign sums = added(state_q[i], Round, odd);
        assign state_d = (RoundRegisters == 0) ? permuted(sums) : sums;
      end else begin : gen_xor
        assign state_d = permuted(state_q[i]);
      end
    end

    always_ff @(posedge clk_i) begin
      state_q[Next] <= (Next == 0 && slot_q[i].load) ? block_q[i] : state_d;
      block_q[Next] <= (i == 1 && slot_q[i].load) ? next_q : block_q[i];
      position_q[Next] <= (i == 1 && slot_q[i].load) ? next_position_q : position_q[i];
      flags_q[Next] <= (i == 1 && slot_q[i].load) ? next_flags_q : flags_q[i];
    end

    // After a subkey the key rotates. After the last subkey comes a new key, rotated back by the
    // distance that the other groups of this pass still rotate it.
    if (Place == 0) begin : gen_turn
      always_ff @(posedge clk_i) key_q[Next] <= {key_q[i][0], key_q[i][NumWords:1]};
    end else if (i == 1) begin : gen_new
      always_ff @(posedge clk_i) begin
        key_q[Next] <= key_q[i];
        for (int unsigned j = 0; j < NumWords; j++) begin
          if (slot_q[i].clear) key_q[Next][turned_back(j)] <= '0;
          else if (slot_q[i].last_subkey) begin
            key_q[Next][turned_back(j)] <= state_q[i][j] ^ block_q[i][j];
          end
        end
      end
    end else if (i == 3) begin : gen_parity
      always_ff @(posedge clk_i) begin
        key_q[Next] <= key_q[i];
        if (slot_q[i].clear || slot_q[i].last_subkey) begin
          key_q[Next][turned_back(NumWords)] <= C240 ^ parity_q[0] ^ parity_q[1];
        end
      end
    end else begin : gen_keep
      always_ff @(posedge clk_i) key_q[Next] <= key_q[i];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned half = 0; half < 2; half++) begin
      parity_q[half] <= key_q[2][turned_back(4*half)] ^ key_q[2][turned_back(4*half+1)] ^
          key_q[2][turned_back(4*half+2)] ^ key_q[2][turned_back(4*half+3)];
    end
  end

  ////////////////////
  // Digest         //
  ////////////////////

  block_t st_q;
  logic [SlotWidth-1:0] leaving_q;  // the slot at the first stage

  always_ff @(posedge clk_i) begin
    leaving_q <= number_q;
    if (leave_q) begin
      st_q <= key_q[0][NumWords-1:0];
      st_slot_q <= leaving_q;
    end
  end

  assign st_o = st_q;
  assign st_slot_o = st_slot_q;

`ifndef HF_NO_PARAMETER_CHECKS
  if (Groups == 0 || 18 % Groups != 0) begin : gen_no_divisor
    $fatal(1, "hf_skein_pipelined: Groups divides 18, %0d does not", Groups);
  end
  if (RoundRegisters > 1) begin : gen_no_cuts
    $fatal(1, "hf_skein_pipelined: RoundRegisters is 0 or 1, not %0d", RoundRegisters);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
