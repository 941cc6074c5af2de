// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The sponge on an engine with the word contract (docs/reference/word-contract.md): a message's
// words are padded and absorbed (FIPS 202, sections 4, 5.1 and 6), and its output is squeezed. It
// serves one hash at a time, which can be held at any byte, its state read and written, and
// resumed. Front ends for a stream (hf_keccak_word_stream) and for registers stand on it.
//
// A hash begins with hash_start_i and ends with out_end_i or hash_stop_i; either wipes the state.
// hash_idle_o is high between hashes. While the engine permutes, it may accept the message's next
// words: this module adds to no byte twice between permutations, as rule 5 of the contract
// requires.
//
// Message bytes need not fill words. A word whose first bytes are valid is added at once if the
// position is at the beginning of a word; otherwise a word is added byte by byte. Without Holds,
// all words of a message but its last are full, and the last has its first bytes, if any; the
// message's last bits are in the byte of in_word_i after these, and tail_byte_i is not read.
//
// A byte of the padding is made ready in a clock of its own, for short paths.
//
// For a masked engine every word has a second share, in the upper bits. The padding, which is no
// secret, is added to share 0.

module hf_keccak_word_sponge
  import hf_keccak_pkg::*;
  import hf_keccak_word_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,  // 8, 16, 32 or 64
    parameter  bit          Holds = 1'b1,    // hash_hold_i, hash_resume_i and the window are used
    parameter  int unsigned Shares = 1,      // of a word, side by side; more without Holds only
    localparam int unsigned KeepWidth = WordWidth / 8,
    localparam int unsigned AddrWidth = word_address_width(WordWidth)
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    // The hash: stable from the clock before hash_start_i or hash_resume_i on until hash_idle_o or
    // hash_held_o.
    input logic [FunctionWidth-1:0] function_code_i,  // low bits of the function's code

    input  logic       hash_start_i,  // while hash_idle_o: a hash begins
    // The hash ends without output: while no word of the message is offered, now and from now on.
    input  logic       hash_stop_i,
    output logic       hash_idle_o,

    // The message. in_ready_o does not depend on in_valid_i. message_end_i: it ends with the words
    // offered so far, and `tail_bits_i` bits of tail_byte_i after them. Both stay until
    // hash_squeezing_o.
    input  logic                 in_valid_i,
    output logic                 in_ready_o,
    input  logic [Shares*WordWidth-1:0] in_word_i,
    input  logic [KeepWidth-1:0] in_bytes_i,
    input  logic                 message_end_i,
    input  logic [          2:0] tail_bits_i,
    input  logic [          7:0] tail_byte_i,

    // The output: a word in each clock in which out_valid_o is high. out_ready_i: there is room for
    // one; it stays until a word has come. out_end_i: no further word is required, and out_ready_i
    // is low; it changes only while out_ready_i is low, or in the clock after out_valid_o.
    output logic                 hash_squeezing_o,
    output logic                 out_valid_o,
    input  logic                 out_ready_i,
    input  logic                 out_end_i,
    output logic [Shares*WordWidth-1:0] out_word_o,

    // The hash is held when all words offered before are added. block_position_o: bytes of the
    // block that are absorbed or squeezed. hash_resume_i: it continues, at resume_position_i.
    // Between the two the state is read and written by the window.
    input  logic                 hash_hold_i,
    output logic                 hash_held_o,
    output logic [          7:0] block_position_o,
    input  logic                 hash_resume_i,
    input  logic [          7:0] resume_position_i,
    input  logic                 resume_squeezing_i,
    input  logic                 window_valid_i,
    output logic                 window_ready_o,
    input  word_op_e             window_op_i,
    input  logic [AddrWidth-1:0] window_addr_i,
    input  logic [WordWidth-1:0] window_word_i,

    // To the engine.
    output logic                 op_valid_o,
    input  logic                 op_ready_i,
    output word_op_e             op_o,
    output logic [AddrWidth-1:0] op_addr_o,
    output logic [KeepWidth-1:0] op_bytes_o,
    output logic [Shares*WordWidth-1:0] op_word_o,
    input  logic [Shares*WordWidth-1:0] word_i
);

  localparam int unsigned OffsetWidth = $clog2(KeepWidth);
  localparam int unsigned LaneAddrAt = $clog2(LaneWidth / WordWidth);

  typedef enum int unsigned {
    StWipe,
    StIdle,
    StAbsorb,
    StShift,    // the suffix moves to the message's last bit
    StTail,     // the message's last bits and the suffix: the byte in which they begin
    StSpill,    // the suffix's bits in the byte after it
    StFinal,    // the pad's last 1, in the block's last byte
    StSqueeze,
    StHeld
  } state_e;

  // One-hot: a state takes no LUT to decode.
  typedef logic [StHeld:0] states_t;
  states_t state_d, state_q;
  function automatic states_t one_hot(input state_e state);
    return states_t'(1) << state;
  endfunction
  logic permute_due_d, permute_due_q;  // before what the state does, the engine permutes
  logic [AddrWidth-1:0] word_addr_q;  // the word at the position
  logic block_squeezed_q;  // all of the block is squeezed
  logic op_waiting_q;  // an operation was offered in the clock before, and not accepted
  // Registered, since hash_stop_i has a long path; and until a permutation has begun.
  logic stop_pending_q;

  ////////////////////
  // The function   //
  ////////////////////

  // A table takes fewer LUTs than the subtraction. Registered: stable when it is used.
  typedef logic [(1<<FunctionWidth)-1:0][4:0] lane_table_t;
  localparam int unsigned RateAt = $bits(function_info_t) - 5;  // its first field
  function automatic lane_table_t last_lanes();
    for (int unsigned i = 0; i < 1 << FunctionWidth; i++) begin
      last_lanes[i] = 5'(function_info(FunctionWidth'(i)) >> RateAt) - 5'd1;
    end
  endfunction
  localparam lane_table_t LastLanes = last_lanes();

  function_info_t hash_info;
  logic [4:0] rate_last_lane_q;
  logic [AddrWidth-1:0] rate_last_addr;  // the rate's last word
  logic in_last_lane, at_last_word;  // the position is in its lane; in it
  logic at_last_byte;  // the position is a word's last byte
  assign hash_info = function_info(function_code_i);
  logic unused_sponge_info;
  assign unused_sponge_info = ^{hash_info.rate_lanes, hash_info.digest_words, hash_info.suffix_len};
  always_ff @(posedge clk_i) rate_last_lane_q <= LastLanes[function_code_i];
  if (LaneAddrAt == 0) begin : gen_lane
    assign rate_last_addr = rate_last_lane_q;
    assign at_last_word   = in_last_lane;
  end else begin : gen_part
    assign rate_last_addr = {rate_last_lane_q, {LaneAddrAt{1'b1}}};
    assign at_last_word   = in_last_lane && (&word_addr_q[LaneAddrAt-1:0]);
  end
  if (LaneAddrAt == 0 || Holds) begin : gen_now
    assign in_last_lane = word_addr_q[AddrWidth-1:LaneAddrAt] == rate_last_lane_q;
  end else begin : gen_before
    // Registered: a lane's last word comes a clock after its first one at the earliest.
    logic in_last_lane_q;
    always_ff @(posedge clk_i) begin
      in_last_lane_q <= word_addr_q[AddrWidth-1:LaneAddrAt] == rate_last_lane_q;
    end
    assign in_last_lane = in_last_lane_q;
  end

  // The message's last bits and the suffix: the byte in which they begin, and the byte after it.
  // The suffix moves a place a clock, which takes fewer LUTs than a shift by a number.
  localparam int unsigned SuffixWidth = $bits(hash_info.suffix);
  logic [2:0] places_to_shift_q;
  logic suffix_shifts;
  logic [7:0] suffix_byte_q;  // the byte of the padding, without the message's bits and the last 1
  logic [SuffixWidth-2:0] suffix_spill_q;  // the suffix's bits in the next byte
  logic [7:0] message_mask_q;  // the message's bits
  logic load_suffix;
  logic reading_held;  // no word is read any more, and none is being read
  logic between_messages;  // no message is absorbed: no suffix yet
  // A byte of the padding: it is made ready; it is offered; it is the block's last; the padding's.
  logic in_padding, pad_byte_offered_q, pad_ends_block_q, padding_ends_q;
  logic pad_byte_added, pad_ends_block, padding_ends;
  assign in_padding = state_q[StTail] || state_q[StSpill] || state_q[StFinal];
  assign pad_byte_added = pad_byte_offered_q && op_ready_i;
  assign pad_ends_block = (at_last_word && at_last_byte) || state_q[StFinal];
  // The suffix's last bit is a one.
  assign padding_ends = pad_ends_block &&
      !(state_q[StTail] && (suffix_spill_q != '0 || suffix_byte_q[7]));
  assign suffix_shifts = state_q[StShift] && places_to_shift_q != '0;
  always_ff @(posedge clk_i) begin
    if (load_suffix) places_to_shift_q <= tail_bits_i;
    else if (suffix_shifts) places_to_shift_q <= places_to_shift_q - 3'd1;
    if (between_messages || pad_byte_added) message_mask_q <= '0;
    else if (suffix_shifts) message_mask_q <= {message_mask_q[6:0], 1'b1};
    if (between_messages) suffix_spill_q <= '0;
    else if (suffix_shifts) suffix_spill_q <= {suffix_spill_q[SuffixWidth-3:0], suffix_byte_q[7]};
    // The suffix is zero until the message ends.
    if (between_messages) suffix_byte_q <= '0;
    else if (load_suffix) suffix_byte_q <= 8'(hash_info.suffix);
    else if (suffix_shifts) suffix_byte_q <= {suffix_byte_q[6:0], 1'b0};
    else if (pad_byte_added) suffix_byte_q <= state_q[StTail] ? 8'(suffix_spill_q) : '0;
    pad_ends_block_q <= in_padding && pad_ends_block;
    padding_ends_q <= in_padding && padding_ends;
    pad_byte_offered_q <= in_padding && !permute_due_q && !pad_byte_added && !rst_i;
  end

  ////////////////////
  // Bytes          //
  ////////////////////

  // What is added: the whole of in_word_i, or a byte at the position.
  logic add_byte, in_word_full, add_whole_word;
  logic op_accepted, next_word;  // the position passes to the next word
  logic [7:0] padding_byte, message_byte;
  logic [7:0] byte_mask;  // bits of the message
  logic [KeepWidth-1:0] byte_place;  // one-hot: the byte at the position
  logic in_word_done;  // the last byte of in_word_i

  assign op_accepted = op_valid_o && op_ready_i && !permute_due_q;
  if (KeepWidth == 1) begin : gen_byte
    assign byte_place = 1'b1;
    assign at_last_byte = 1'b1;
    assign in_word_full = 1'b1;
    assign block_position_o = word_addr_q;
  end else begin : gen_word
    logic [OffsetWidth-1:0] byte_offset_q;  // bytes of the position's word that are filled
    assign byte_place = KeepWidth'(1) << byte_offset_q;
    assign at_last_byte = &byte_offset_q;
    assign in_word_full = &in_bytes_i;
    assign block_position_o = {word_addr_q, byte_offset_q};
    always_ff @(posedge clk_i) begin
      if (hash_resume_i) byte_offset_q <= resume_position_i[OffsetWidth-1:0];
      else if (permute_due_q || state_q[StIdle]) byte_offset_q <= '0;
      else if (state_q[StFinal]) byte_offset_q <= '1;
      else if (op_accepted && add_byte) byte_offset_q <= byte_offset_q + OffsetWidth'(1);
      else if (op_accepted && state_q[StAbsorb]) begin
        byte_offset_q <= OffsetWidth'($countones(in_bytes_i));
      end
    end
  end

  if (KeepWidth == 1) begin : gen_same
    assign add_whole_word = 1'b0;
    assign message_byte   = in_word_i[7:0];
    assign in_word_done   = 1'b1;
  end else if (!Holds) begin : gen_whole
    assign add_whole_word = 1'b1;
    assign message_byte   = '0;
    assign in_word_done   = 1'b1;
  end else begin : gen_any
    // Bytes of in_word_i: added; still to be added; the lowest of these.
    logic [KeepWidth-1:0] bytes_taken_q, bytes_left, lowest_byte;
    assign bytes_left = in_bytes_i & ~bytes_taken_q;
    assign lowest_byte = bytes_left & ~(bytes_left - KeepWidth'(1));
    assign in_word_done = (bytes_left & ~lowest_byte) == '0;
    assign add_whole_word = byte_place[0] && bytes_taken_q == '0 &&
        (in_bytes_i & (in_bytes_i + KeepWidth'(1))) == '0;
    always_comb begin
      message_byte = '0;
      for (int unsigned b = 0; b < KeepWidth; b++) begin
        message_byte |= in_word_i[8*b+:8] & {8{lowest_byte[b]}};
      end
    end
    always_ff @(posedge clk_i) begin
      if (rst_i || (in_valid_i && in_ready_o) || !state_q[StAbsorb]) bytes_taken_q <= '0;
      else if (op_accepted) bytes_taken_q <= bytes_taken_q | lowest_byte;
    end
  end

  ////////////////////
  // Control        //
  ////////////////////

  logic reading_block;  // words of the block are read when there is room
  assign reading_held = Holds && hash_hold_i && !op_waiting_q;
  assign between_messages = state_q[StIdle] || (Holds && state_q[StHeld]);
  assign load_suffix = state_q[StAbsorb] && !permute_due_q && !in_valid_i && message_end_i;
  assign reading_block = state_q[StSqueeze] && !block_squeezed_q && !reading_held;

  // An operation.
  assign add_byte = KeepWidth == 1 || in_padding || (state_q[StAbsorb] && !add_whole_word);
  assign op_valid_o = permute_due_q || state_q[StWipe] || pad_byte_offered_q ||
      (state_q[StAbsorb] && in_valid_i && in_bytes_i != '0) || (reading_block && out_ready_i) ||
      (Holds && state_q[StHeld] && window_valid_i);
  always_comb begin
    op_o = WordAdd;
    if (Holds && state_q[StHeld]) op_o = window_op_i;
    if (state_q[StSqueeze]) op_o = WordRead;
    if (state_q[StWipe]) op_o = WordWipe;
    if (permute_due_q) op_o = WordPermute;
  end
  assign op_addr_o = (Holds && state_q[StHeld]) ? window_addr_i : word_addr_q;
  always_comb begin
    padding_byte = suffix_byte_q;
    padding_byte[7] |= padding_ends_q;
    byte_mask = message_mask_q | {8{state_q[StAbsorb]}};
    op_bytes_o = add_byte ? byte_place : in_bytes_i;
    op_word_o  = '0;
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      if (!Holds) begin
        for (int unsigned s = 0; s < Shares; s++) begin
          op_word_o[WordWidth*s+8*b+:8] = in_word_i[WordWidth*s+8*b+:8] & byte_mask;
        end
        op_word_o[8*b+:8] |= padding_byte;
      end
      else if (!add_byte) op_word_o[8*b+:8] = in_word_i[8*b+:8];
      else if (state_q[StAbsorb]) op_word_o[8*b+:8] = message_byte;
      else op_word_o[8*b+:8] = tail_byte_i & byte_mask | padding_byte;
      for (int unsigned s = 0; s < Shares; s++) begin
        if (!op_bytes_o[b]) op_word_o[WordWidth*s+8*b+:8] = '0;
      end
    end
    if (Holds && state_q[StHeld]) begin
      op_bytes_o = '1;
      op_word_o  = (Shares * WordWidth)'(window_word_i);
    end
  end

  // The position passes on after the last word of the padding as well, where it does not matter.
  assign next_word = op_accepted &&
      (state_q[StSqueeze] || (add_byte ? at_last_byte : in_word_full));
  assign in_ready_o = state_q[StAbsorb] && !permute_due_q &&
      (in_bytes_i == '0 || (op_ready_i && (add_whole_word || in_word_done)));
  assign out_valid_o = reading_block && !permute_due_q && out_ready_i && op_ready_i;
  assign window_ready_o = Holds && state_q[StHeld] && op_ready_i;

  // The next state, as sums of products: yosys makes an enable of a `case`, with a long path.
  logic hold_requested, all_absorbed, output_squeezed, squeeze_paused;
  assign hold_requested = Holds && hash_hold_i;
  assign all_absorbed = state_q[StAbsorb] && !permute_due_q && !in_valid_i;  // all that was offered
  assign output_squeezed = state_q[StSqueeze] && !permute_due_q && out_end_i;
  assign squeeze_paused = state_q[StSqueeze] && !permute_due_q && !out_end_i &&
      !block_squeezed_q && reading_held;
  always_comb begin
    state_d[StWipe] = (state_q[StWipe] && !op_ready_i) || (all_absorbed && stop_pending_q) ||
        (output_squeezed && !hold_requested);
    state_d[StIdle] = (state_q[StWipe] && op_ready_i) ||
        (state_q[StIdle] && !hash_start_i && !hold_requested);
    state_d[StAbsorb] = (state_q[StIdle] && hash_start_i) ||
        (state_q[StAbsorb] &&
         !(all_absorbed && (stop_pending_q || message_end_i || hold_requested))) ||
        (Holds && state_q[StHeld] && hash_resume_i && !resume_squeezing_i);
    state_d[StShift] = (all_absorbed && !stop_pending_q && message_end_i) ||
        (state_q[StShift] && places_to_shift_q != '0);
    state_d[StTail] = (state_q[StShift] && places_to_shift_q == '0) ||
        (state_q[StTail] && !pad_byte_added);
    state_d[StSpill] =
        (state_q[StTail] && pad_byte_added && suffix_spill_q != '0 && !padding_ends_q) ||
        (state_q[StSpill] && !pad_byte_added);
    state_d[StFinal] =
        (state_q[StTail] && pad_byte_added && suffix_spill_q == '0 && !padding_ends_q) ||
        (state_q[StSpill] && pad_byte_added && !padding_ends_q) ||
        (state_q[StFinal] && !pad_byte_added);
    state_d[StSqueeze] = (pad_byte_added && padding_ends_q) ||
        (state_q[StSqueeze] && !output_squeezed && !squeeze_paused) ||
        (Holds && state_q[StHeld] && hash_resume_i && resume_squeezing_i);
    state_d[StHeld] = Holds && ((state_q[StIdle] && !hash_start_i && hold_requested) ||
        (all_absorbed && !stop_pending_q && !message_end_i && hold_requested) ||
        (output_squeezed && hold_requested) || squeeze_paused ||
        (state_q[StHeld] && !hash_resume_i));

    permute_due_d = (state_q[StAbsorb] && next_word && at_last_word) ||
        (pad_byte_added && pad_ends_block_q) ||
        (state_q[StSqueeze] && !output_squeezed && block_squeezed_q);
    if (permute_due_q) permute_due_d = !op_ready_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q        <= one_hot(StWipe);
      permute_due_q  <= 1'b0;
      stop_pending_q <= 1'b0;
    end else begin
      state_q        <= state_d;
      permute_due_q  <= permute_due_d;
      stop_pending_q <= (hash_stop_i || stop_pending_q) && state_q[StAbsorb];
    end
    if (permute_due_q || state_q[StIdle]) begin
      word_addr_q      <= '0;
      block_squeezed_q <= 1'b0;
    end else if (Holds && state_q[StHeld]) begin
      if (hash_resume_i) begin
        word_addr_q <= AddrWidth'(resume_position_i >> OffsetWidth);
        // At the block's end, where an output may end: a permutation comes first.
        block_squeezed_q <= resume_squeezing_i && resume_position_i[7:3] > rate_last_lane_q;
      end
    end else if (state_q[StFinal]) begin
      word_addr_q <= rate_last_addr;
    end else if (next_word) begin
      word_addr_q <= AddrWidth'(plus_one(8'(word_addr_q)));
      if (state_q[StSqueeze] && at_last_word) block_squeezed_q <= 1'b1;
    end
    op_waiting_q <= op_valid_o && !op_ready_i && !rst_i;
  end

  assign hash_idle_o = state_q[StIdle];
  assign hash_held_o = state_q[StHeld];
  assign hash_squeezing_o = state_q[StSqueeze];
  assign out_word_o = word_i;

`ifndef HF_NO_PARAMETER_CHECKS
  if (!word_width_legal(WordWidth)) begin : gen_bad_width
    $fatal(1, "hf_keccak_word_sponge: WordWidth is 8, 16, 32 or 64, not %0d", WordWidth);
  end
  if (Shares < 1 || (Holds && Shares != 1)) begin : gen_bad_shares
    $fatal(1, "hf_keccak_word_sponge: Shares is 1 with Holds, and 1 or more without, not %0d",
           Shares);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
