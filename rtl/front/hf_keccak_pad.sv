// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Padding of the front end with one slot: turns message beats into the words of padded blocks (FIPS
// 202: suffix and pad10*1, sections 5.1 and 6; Keccak as submitted to the competition has no
// suffix). The message may have any number of bits; each message selects its function.
//
// A word is DataWidth bits wide, and one word a clock goes to the block buffer. The buffer is zero
// except where it was written. So, after the suffix, the pad's last 1 goes directly to the block's
// last word, and a message of n words takes at most n + 6 clocks here, whatever the size of the
// block. Word 0 of a block is always written. A squeeze is a block of zeros. An open output (a
// length of all ones) is squeezed until `output_end_i` or `output_cancel_i` is high.
//
// A message in Boolean shares has one control for all of them, since lengths and functions are no
// secret. The padding is added to share 0 only.
//
// Errors: a hole in tkeep, a short beat that is not the last, bits in an empty last byte, or an
// unknown function or slot. The rest of such a message is discarded, its blocks are abandoned, and
// `error_valid_o` requests an error result in the message's place.

module hf_keccak_pad
  import hf_keccak_pkg::*;
  import hf_keccak_suffix_pkg::*;
  import hf_stream_pkg::*;
  import hf_turboshake_pkg::*;
#(
    parameter  int unsigned DataWidth = 64,
    parameter  int unsigned TidWidth = 1,
    parameter  bit          Packets = 1'b0,  // tlast with tuser's `more` set ends a packet only
    parameter  int unsigned Shares = 1,  // of the message, side by side; share 0 in the low bits
    parameter  bit          RoundChoice = 1'b0,  // TurboSHAKE's functions too (hf_turboshake_pkg)
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned NumWords = MaxRateLanes * LaneWidth / DataWidth,
    localparam int unsigned PlaceWidth = NumWords + 32'(RoundChoice),
    localparam int unsigned AddrWidth = $clog2(NumWords + 1),
    localparam int unsigned TailWidth = $clog2(DataWidth)
) (
    input logic clk_i,
    input logic rst_i,

    // AXI4-Stream, as in the stream top (docs/reference/stream.md).
    input  logic                 s_tvalid_i,
    output logic                 s_tready_o,
    input  logic [Shares*DataWidth-1:0] s_tdata_i,
    input  logic [KeepWidth-1:0] s_tkeep_i,
    input  logic                 s_tlast_i,
    input  logic [ TidWidth-1:0] s_tid_i,
    input  logic [UserWidth-1:0] s_tuser_i,

    // A word of a block. Fields from `block_first_o` on belong to the block and are valid with its
    // last word (`word_end_o`).
    output logic                 word_valid_o,
    input  logic                 word_ready_i,
    // Its place in the block, one-hot; with RoundChoice a bit above it, which belongs to the block:
    // its permutation has twelve rounds.
    output logic [PlaceWidth-1:0] word_place_o,
    output logic [Shares*DataWidth-1:0] word_data_o,
    output logic                 word_end_o,
    output logic                 block_first_o,   // the block is the message's first
    output logic                 block_output_o,  // the block's state gives output
    output logic [AddrWidth-1:0] output_count_o,  // number of words of that output
    output logic                 output_final_o,  // they end the digest
    output logic [TailWidth-1:0] output_tail_o,   // bits in its last word (0: all)
    output logic                 output_empty_o,  // the digest is empty
    output logic                 output_open_o,   // part of an open output
    output logic [ TidWidth-1:0] output_tid_o,

    // An open output was stopped. output_end_i: it ends with the squeeze that is offered here, or
    // else with the next, and gives nothing more. output_cancel_i: the last squeeze was already
    // accepted.
    input logic output_end_i,
    input logic output_cancel_i,

    // The result of `error_tid_o` is an error; held until error_done_i.
    output logic                error_valid_o,
    output logic [TidWidth-1:0] error_tid_o,
    input  logic                error_done_i
);

  localparam int unsigned CountWidth = LengthWidth - TailWidth;

  ////////////////////
  // One beat       //
  ////////////////////

  logic beat_valid_q, beat_taken;  // the beat register is full; it is emptied
  logic [DataWidth-1:0] beat_data_q;
  logic [KeepWidth-1:0] beat_keep_q;
  logic beat_last_q;
  logic [TidWidth-1:0] beat_tid_q;
  logic function_supported_q;
  // With RoundChoice a bit above it: the function is one of TurboSHAKE.
  localparam int unsigned CodeWidth = FunctionWidth + 32'(RoundChoice);
  logic [CodeWidth-1:0] beat_function_q;
  logic [LengthWidth-1:0] beat_length_q;
  logic [2:0] last_bits_q;  // valid bits in the message's last byte; 0: all, or not the last beat
  logic beat_faulty_q;  // the beat breaks a rule of the port

  user_t s_user;
  // A hole in tkeep; a short beat before the last; bits without a byte.
  logic keep_has_hole, short_not_last, bits_without_byte;
  assign s_user = s_tuser_i;
  logic unused_reserved;
  assign unused_reserved = ^{s_user.reserved, s_user.more};
  assign keep_has_hole = |(~s_tkeep_i & (s_tkeep_i >> 1));
  assign short_not_last = !(&s_tkeep_i) && !s_tlast_i;
  assign bits_without_byte = !s_tkeep_i[0] && s_user.bits != '0;

  assign s_tready_o = !beat_valid_q || beat_taken;

  always_ff @(posedge clk_i) begin
    if (rst_i) beat_valid_q <= 1'b0;
    else if (s_tready_o) beat_valid_q <= s_tvalid_i;
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      if (s_tready_o && !s_tkeep_i[b]) beat_data_q[8*b+:8] <= '0;
      else if (s_tready_o) beat_data_q[8*b+:8] <= s_tdata_i[8*b+:8];
    end
    if (s_tready_o) begin
      beat_keep_q <= s_tkeep_i;
      beat_last_q <= s_tlast_i;
      beat_tid_q <= s_tid_i;
      function_supported_q <= function_known(s_user.code);
      beat_function_q <= CodeWidth'(FunctionWidth'(s_user.code));
      if (RoundChoice) begin
        // turboshake_known, not called: its argument would be in the netlist's text of every core.
        if ((s_user.code & TurboshakeMask) == FnTurboshake128) begin
          function_supported_q <= 1'b1;
          beat_function_q[CodeWidth-1] <= 1'b1;
        end
      end
      beat_length_q <= s_user.length;
      last_bits_q <= s_tlast_i ? s_user.bits : 3'd0;
      beat_faulty_q <= keep_has_hole || short_not_last || bits_without_byte;
      // A packet that does not end its message ends with a beat like the others.
      if (Packets) begin
        if (s_user.more) begin
          beat_last_q   <= 1'b0;
          last_bits_q   <= 3'd0;
          beat_faulty_q <= !(&s_tkeep_i);
        end
      end
    end
  end

  logic [KeepWidth-1:0] last_byte;  // one-hot: the last valid byte; none in an empty beat
  assign last_byte = beat_keep_q & ~(beat_keep_q >> 1);

  ////////////////////
  // One message    //
  ////////////////////

  typedef enum logic [2:0] {
    StIdle,     // between messages: the function is looked up
    StStart,    // the output is counted
    StData,     // message words
    StSpill,    // the part of the suffix that had no room in the last word
    StFinal,    // the pad's last 1, in a separate word
    StSqueeze,  // a block of zeros
    StDrop,     // the rest of a bad message
    StError     // until the error has been sent
  } state_e;

  state_e state_d, state_q;
  logic [AddrWidth-1:0] word_addr_d, word_addr_q;  // number of the word in its block
  logic block_first_d, block_first_q;  // the block is the message's first

  // Words of output still to come, less one. count_q: at first the requested whole words,
  // from which `subtract_one_q` subtracts one if there is no partial word; then words_beyond_q.
  // words_beyond_q: the words after the next block (negative: none). words_if_last_q: the words of
  // that block if they are the last. count_waitN_q: these two are valid in N clocks.
  logic [CountWidth-1:0] count_q;
  logic [CountWidth:0] words_beyond_q;
  logic [AddrWidth-1:0] words_if_last_q;
  logic unused_carry_q;
  logic subtract_one_q;
  logic first_count_q;  // count_q is loaded with the requested length
  logic count_wait2_q, count_wait1_q, count_valid;
  assign count_valid = !count_wait2_q && !count_wait1_q;

  // Set by the message's first beat.
  logic [AddrWidth-1:0] rate_words_q;  // words of the rate
  logic [AddrWidth-1:0] last_addr_q;  // the number of the block's last word
  logic [4:0] suffix_bits_q;
  logic [2:0] suffix_length_q;
  logic [LengthWidth-1:0] output_length_q;
  logic [TidWidth-1:0] tid_q;
  logic [4:0] suffix_spill_q;  // suffix bits for the next word

  function_info_t beat_info;
  logic [LengthWidth-1:0] requested_length;  // of the output, in bits
  assign beat_info = function_info(FunctionWidth'(beat_function_q));
  assign requested_length = (beat_info.digest_words != '0) ?
      LengthWidth'({beat_info.digest_words, 5'd0}) : beat_length_q;

  // A message starts; its function and slot are valid; its output is empty.
  logic message_starts, message_legal, length_zero;
  logic [TailWidth-1:0] length_tail;  // bits of the output beyond whole words
  assign message_starts = (state_q == StIdle) && beat_valid_q;
  assign message_legal  = function_supported_q && (beat_tid_q == '0);

  always_ff @(posedge clk_i) begin
    if (message_starts) begin
      rate_words_q <= AddrWidth'(beat_info.rate_lanes) * AddrWidth'(LaneWidth / DataWidth);
      last_addr_q  <=
          AddrWidth'(beat_info.rate_lanes) * AddrWidth'(LaneWidth / DataWidth) - AddrWidth'(1);
      suffix_bits_q <= beat_info.suffix;
      suffix_length_q <= beat_info.suffix_len;
      output_length_q <= requested_length;
      tid_q <= beat_tid_q;
      if (RoundChoice) begin
        if (beat_function_q[CodeWidth-1]) begin : turboshake
          automatic function_info_t info = turboshake_info(2'(beat_function_q));
          rate_words_q <= AddrWidth'(info.rate_lanes) * AddrWidth'(LaneWidth / DataWidth);
          last_addr_q <=
              AddrWidth'(info.rate_lanes) * AddrWidth'(LaneWidth / DataWidth) - AddrWidth'(1);
          suffix_bits_q <= info.suffix;
          suffix_length_q <= info.suffix_len;
          output_length_q <= (info.digest_words == '0) ? beat_length_q : '0;
        end
      end
    end
  end

  if (RoundChoice) begin : gen_choice
    logic twelve_q;  // the message's permutations have twelve rounds
    always_ff @(posedge clk_i) begin
      if (message_starts) twelve_q <= beat_function_q[CodeWidth-1];
      if (word_free) word_place_o[PlaceWidth-1] <= twelve_q;
    end
  end

  assign length_tail = output_length_q[TailWidth-1:0];
  assign length_zero = output_length_q == '0;

  logic open_q;  // a clock after output_length_q, like subtract_one_q
  always_ff @(posedge clk_i) open_q <= &output_length_q;

  // The last word with the suffix. Bytes outside the message are already zero. The suffix, shifted
  // by the bits in the last byte, covers two bytes, and spills into the next word if these end the
  // beat. One of the two bytes is even and the other odd, so each bit of a byte has only two
  // candidate values.
  logic [DataWidth-1:0] padded_word;
  logic [4:0] suffix_spill;
  // The suffix spills into the next word; it ends at the end of this word.
  logic suffix_spills, suffix_fills;
  logic [3:0] end_bit;  // bits from the start of the suffix's first byte to its end
  assign end_bit = suffix_end(last_bits_q, suffix_length_q);
  always_comb begin
    logic [15:0] suffix_shifted;
    // One-hot: the byte where the suffix starts; top bit: the next word.
    logic [KeepWidth:0] suffix_start;
    logic [KeepWidth-1:0] start_odd, has_suffix;  // has_suffix: bytes that hold suffix bits
    logic [7:0] message_mask;
    logic [1:0][7:0] byte_suffix;  // suffix bits for an even byte [0] and for an odd byte [1]
    suffix_shifted = 16'(suffix_bits_q) << last_bits_q;
    message_mask = ~(8'hff << last_bits_q);
    suffix_start = (last_bits_q == '0) ? {last_byte, !beat_keep_q[0]} : {1'b0, last_byte};
    has_suffix = suffix_start[KeepWidth-1:0] | KeepWidth'(suffix_start << 1);
    for (int unsigned b = 0; b < KeepWidth; b++) start_odd[b] = suffix_start[b] && b % 2 == 1;
    byte_suffix = (start_odd != '0) ? {suffix_shifted[7:0], suffix_shifted[15:8]} : suffix_shifted;
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      for (int unsigned i = 0; i < 8; i++) begin
        padded_word[8*b+i] =
            with_suffix(beat_data_q[8*b+i], has_suffix[b], message_mask[i], byte_suffix[b%2][i]);
      end
    end
    suffix_spill  = suffix_start[KeepWidth] ? suffix_bits_q : suffix_shifted[12:8];
    suffix_spills = suffix_start[KeepWidth] || (suffix_start[KeepWidth-1] && end_bit > 4'd8);
    suffix_fills  = suffix_start[KeepWidth-1] && end_bit == 4'd8;
  end

  logic message_bad;  // the beat makes the message bad
  assign message_bad = beat_faulty_q || (beat_tid_q != tid_q);

  ////////////////////
  // Words          //
  ////////////////////

  // A word is emitted; it ends its block; the block's state gives output.
  logic emit_word, emit_block_end, emit_output;
  logic emit_pad_one;  // the word holds the pad's last 1
  logic [AddrWidth-1:0] emit_addr;  // number of that word
  // Last word of the block; output continues; the word register can be loaded.
  logic block_ends, output_continues, word_free;

  assign block_ends = word_addr_q == last_addr_q;
  assign output_continues = open_q ? !output_end_i : !words_beyond_q[CountWidth];
  // output_end_i: the word that waits is replaced.
  assign word_free = !word_valid_o || word_ready_i || output_end_i;

  always_comb begin
    state_d        = state_q;
    word_addr_d    = word_addr_q;
    beat_taken     = 1'b0;
    emit_word      = 1'b0;
    emit_block_end = block_ends;
    emit_output    = 1'b0;
    emit_addr      = word_addr_q;
    emit_pad_one   = 1'b0;

    unique case (state_q)
      StIdle:  if (beat_valid_q) state_d = message_legal ? StStart : StDrop;
      StStart: state_d = StData;
      StData:
      if (beat_valid_q && message_bad) state_d = StDrop;
      else if (beat_valid_q && word_free) begin
        beat_taken  = 1'b1;
        emit_word   = 1'b1;
        word_addr_d = block_ends ? '0 : word_addr_q + AddrWidth'(1);
        if (beat_last_q) begin
          state_d = suffix_spills ? StSpill : StFinal;
          if (block_ends && !suffix_spills && !suffix_fills) begin
            emit_pad_one = 1'b1;
            emit_output  = 1'b1;
          end
        end
      end
      StSpill:
      if (word_free) begin
        emit_word = 1'b1;
        word_addr_d = word_addr_q + AddrWidth'(1);
        state_d = StFinal;
        if (block_ends) begin
          emit_pad_one = 1'b1;
          emit_output  = 1'b1;
        end
      end
      StFinal:
      if (word_free && count_valid) begin
        emit_word   = 1'b1;
        word_addr_d = AddrWidth'(1);
        if (word_addr_q != '0) begin
          emit_addr = last_addr_q;
          emit_pad_one = 1'b1;
          emit_block_end = 1'b1;
          emit_output = 1'b1;
        end
      end
      StSqueeze:
      if (word_free && (count_valid || output_end_i)) begin
        emit_word = 1'b1;
        emit_addr = '0;
        emit_block_end = 1'b1;
        emit_output = 1'b1;
      end
      StDrop:
      if (beat_valid_q) begin
        beat_taken = 1'b1;
        if (beat_last_q) state_d = StError;
      end
      StError: if (error_done_i) state_d = StIdle;
      default: state_d = StIdle;
    endcase

    if (emit_output) state_d = output_continues ? StSqueeze : StIdle;
    if (output_cancel_i) state_d = StIdle;
    if (message_starts) word_addr_d = '0;
  end

  assign block_first_d = message_starts || (block_first_q && !(emit_word && emit_block_end));

  always_ff @(posedge clk_i) begin
    count_wait2_q <= !rst_i && (state_q == StStart || emit_output);
    count_wait1_q <= !rst_i && count_wait2_q;

    if (state_q == StStart) first_count_q <= 1'b1;
    else if (count_wait1_q) first_count_q <= 1'b0;

    subtract_one_q <= length_tail == '0 && !length_zero;
    if (count_wait2_q) begin
      count_q <= first_count_q ?
          output_length_q[LengthWidth-1:TailWidth] : words_beyond_q[CountWidth-1:0];
    end
    if (count_wait1_q) begin
      // count - rate, or that less one, as one sum with a carry.
      {words_beyond_q, unused_carry_q} <= {1'b0, count_q, 1'b1} +
          {~(CountWidth + 1)'(rate_words_q), !(first_count_q && subtract_one_q)};
      words_if_last_q <= count_q[AddrWidth-1:0] +
          AddrWidth'(!(first_count_q && subtract_one_q));
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q      <= StIdle;
      word_valid_o <= 1'b0;
    end else begin
      state_q      <= state_d;
      word_valid_o <= !output_cancel_i && (emit_word || (word_valid_o && !word_ready_i));
    end
    word_addr_q   <= word_addr_d;
    block_first_q <= block_first_d;
    if (beat_taken) suffix_spill_q <= suffix_spill;
    if (word_free) begin
      for (int unsigned i = 0; i < NumWords; i++) word_place_o[i] <= emit_addr == AddrWidth'(i);
      // Written so that synthesis uses the registers' reset instead of a LUT for most bits.
      if (state_q == StData) word_data_o[DataWidth-1:0] <= padded_word;
      else word_data_o[DataWidth-1:0] <= '0;
      if (state_q == StSpill) word_data_o[4:0] <= suffix_spill_q;
      if (emit_pad_one) word_data_o[DataWidth-1] <= 1'b1;
      word_end_o <= emit_block_end;
      block_first_o <= block_first_q;
      block_output_o <= emit_output;
      output_count_o <= output_continues ?
          rate_words_q : (open_q ? AddrWidth'(1) : words_if_last_q);
      output_final_o <= !output_continues;
      output_tail_o <= open_q ? '0 : length_tail;
      output_empty_o <= length_zero || open_q;  // valid with the final one only
      output_open_o <= open_q;
      output_tid_o <= tid_q;
    end
  end

  // The other shares: bits outside of the message are zero here too.
  for (genvar s = 1; s < Shares; s++) begin : gen_share
    logic [DataWidth-1:0] data_q, in_message;
    logic [7:0] outside;  // bits of the last byte
    assign outside = (last_bits_q == '0) ? '0 : 8'hff << last_bits_q;
    always_comb begin
      for (int unsigned b = 0; b < KeepWidth; b++) begin
        in_message[8*b+:8] = data_q[8*b+:8] & ~(outside & {8{last_byte[b]}});
      end
    end
    always_ff @(posedge clk_i) begin
      for (int unsigned b = 0; b < KeepWidth; b++) begin
        if (s_tready_o && !s_tkeep_i[b]) data_q[8*b+:8] <= '0;
        else if (s_tready_o) data_q[8*b+:8] <= s_tdata_i[DataWidth*s+8*b+:8];
      end
      if (word_free) begin
        if (state_q == StData) word_data_o[DataWidth*s+:DataWidth] <= in_message;
        else word_data_o[DataWidth*s+:DataWidth] <= '0;
      end
    end
  end

  assign error_valid_o = state_q == StError;
  assign error_tid_o   = tid_q;

`ifndef HF_NO_PARAMETER_CHECKS
  if (DataWidth != 8 && DataWidth != 16 && DataWidth != 32 && DataWidth != 64) begin : gen_bad_width
    $fatal(1, "hf_keccak_pad: DataWidth is 8, 16, 32 or 64, not %0d", DataWidth);
  end
  if (TidWidth < 1 || TidWidth > 16) begin : gen_bad_tid
    $fatal(1, "hf_keccak_pad: TidWidth is 1 to 16, not %0d", TidWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
