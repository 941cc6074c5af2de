// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Padding of the SHA-3 finalists: turns message beats into the words of padded blocks, for a
// message of any bit length up to 2^64 - 1:
//
//   BLAKE    1, zeros, 1 (256, 512) or 0 (224, 384), the length in 64 or 128 bits
//   Groestl  1, zeros, the number of blocks in 64 bits
//   JH       1, zeros, the length in 128 bits: at least 512 bits in all
//   Skein    a 1 if the message ends within a byte; zeros to the block's end; none if the block is
//            full, but a block of zeros for an empty message
//
// Timing: a word is DataWidth bits wide, and one word a clock leaves, in order. A block is sent
// whole, in block / DataWidth clocks, whether it is message or padding. First the beat is masked
// and gets its 1. The words at the end of the last block get the rest when they leave, because the
// length is complete then.
//
// Skein: a full block is the message's last one if only an empty beat with tlast follows. So the
// last word of each block waits here until the next beat arrives.
//
// Errors are those of hf_keccak_pad, and are reported in the same way.

module hf_finalist_pad
  import hf_finalist_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned Family = FamilyBlake,
    parameter  int unsigned Width = 256,
    parameter  int unsigned DataWidth = 64,
    parameter  int unsigned TidWidth = 1,
    parameter  bit          Packets = 1'b0,  // tlast with tuser's `more` set ends a packet only
    localparam int unsigned KeepWidth = DataWidth / 8
) (
    input logic clk_i,
    input logic rst_i,

    // AXI4-Stream, as in the stream top (docs/reference/stream.md).
    input  logic                 s_tvalid_i,
    output logic                 s_tready_o,
    input  logic [DataWidth-1:0] s_tdata_i,
    input  logic [KeepWidth-1:0] s_tkeep_i,
    input  logic                 s_tlast_i,
    input  logic [ TidWidth-1:0] s_tid_i,
    input  logic [UserWidth-1:0] s_tuser_i,

    // A word of a block. Fields from `block_first_o` on belong to the block and are valid with its
    // last word (`word_end_o`).
    output logic                  word_valid_o,
    input  logic                  word_ready_i,
    output logic  [DataWidth-1:0] word_data_o,
    output logic                  word_end_o,
    output logic                  block_first_o,  // the block is the message's first
    output logic                  block_last_o,   // the block is the message's last
    // Message bits up to the block's end; 0 if the block has none.
    output logic  [         63:0] block_count_o,
    output size_e                 digest_size_o,
    output logic  [ TidWidth-1:0] digest_tid_o,

    // The result of `error_tid_o` is an error; held until error_done_i.
    output logic                error_valid_o,
    output logic [TidWidth-1:0] error_tid_o,
    input  logic                error_done_i
);

  localparam int unsigned NumWords = block_width(Family, Width) / DataWidth;
  localparam int unsigned AddrWidth = $clog2(NumWords);
  localparam int unsigned TailWidth = $clog2(DataWidth);
  localparam int unsigned BeatsWidth = 64 - TailWidth;

  ////////////////////
  // One beat       //
  ////////////////////

  logic beat_valid_q, beat_taken;  // the beat register is full; it is emptied
  logic [DataWidth-1:0] beat_data_q;
  logic [KeepWidth-1:0] beat_keep_q;
  logic beat_last_q;
  logic [TidWidth-1:0] beat_tid_q;
  logic function_supported_q;  // the function is one of this family and width
  size_e beat_size_q;
  logic [2:0] last_bits_q;  // valid bits in the message's last byte; 0: all, or not the last beat
  logic beat_faulty_q;  // the beat breaks a rule of the port

  user_t s_user;
  // A hole in tkeep; a short beat before the last; bits without a byte.
  logic keep_has_hole, short_not_last, bits_without_byte;
  assign s_user = s_tuser_i;
  assign keep_has_hole = |(~s_tkeep_i & (s_tkeep_i >> 1));
  assign short_not_last = !(&s_tkeep_i) && !s_tlast_i;
  assign bits_without_byte = !s_tkeep_i[0] && s_user.bits != '0;

  assign s_tready_o = !beat_valid_q || beat_taken;

  always_ff @(posedge clk_i) begin
    if (rst_i) beat_valid_q <= 1'b0;
    else if (s_tready_o) beat_valid_q <= s_tvalid_i;
    if (s_tready_o) begin
      beat_data_q <= s_tdata_i;
      beat_keep_q <= s_tkeep_i;
      beat_last_q <= s_tlast_i;
      beat_tid_q <= s_tid_i;
      function_supported_q <= function_known(Family, Width, s_user.code);
      beat_size_q <= size_e'(s_user.code.index[1:0]);
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

  // The output length is ignored: these functions have a fixed one.
  logic unused_user;
  assign unused_user = ^{s_user.length, s_user.reserved, s_user.more};

  // The beat with the pad's 1: in the last byte, in the byte after it, or, if the message fills the
  // beat, in the next word.
  logic [KeepWidth-1:0] last_byte;  // one-hot: the last valid byte; none in an empty beat
  logic [KeepWidth:0] message_end;  // one-hot: where the message ends; top bit: the next word
  logic [DataWidth-1:0] padded_word;  // the beat with the pad's 1
  logic [TailWidth-1:0] tail_bits;  // bits in the beat; also 0 if the beat is full
  logic beat_full;  // the message fills the beat

  assign last_byte   = beat_keep_q & ~(beat_keep_q >> 1);
  assign message_end = (last_bits_q == '0) ? {last_byte, !beat_keep_q[0]} : {1'b0, last_byte};
  assign beat_full   = message_end[KeepWidth];

  always_comb begin
    logic [7:0] byte_mask, pad_bit;  // valid bits of the last byte; the pad's 1 in it
    byte_mask = (last_bits_q == '0) ? 8'hff : ~(8'hff >> last_bits_q);
    pad_bit   = (Family == FamilySkein && last_bits_q == '0) ? 8'h00 : 8'h80 >> last_bits_q;
    tail_bits = TailWidth'(last_bits_q);
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      padded_word[8*b+:8] = beat_data_q[8*b+:8] & (last_byte[b] ? byte_mask : {8{beat_keep_q[b]}});
      padded_word[8*b+:8] = padded_word[8*b+:8] | (message_end[b] ? pad_bit : 8'h00);
      tail_bits = tail_bits | (message_end[b] ? TailWidth'(8 * b) : '0);
    end
  end

  ////////////////////
  // One message    //
  ////////////////////

  typedef enum logic [2:0] {
    StIdle,  // between messages: the function is looked up
    StData,  // message words
    StOne,   // the pad's 1, in a separate word
    StZero,  // zeros, to the end of this block or of the next
    StDrop,  // the rest of a bad message
    StError  // until the error has been sent
  } state_e;

  state_e state_d, state_q;
  logic [AddrWidth-1:0] word_addr_q;  // number of the word in its block
  logic first_q;  // the block is the message's first
  logic final_q;  // after the message's end: the padding ends in this block
  logic block_has_message_q;  // this block holds bits of the message

  // Set by the message's first beat.
  size_e size_q;
  logic [TidWidth-1:0] message_tid_q;

  logic word_free;  // the output register can take a word
  // A message starts; its function and slot are valid; the beat makes it bad.
  logic message_starts, message_legal, message_bad;
  // Waits for word_free, since the last word needs the length.
  assign message_starts = (state_q == StIdle) && beat_valid_q && word_free;
  assign message_legal = function_supported_q && (beat_tid_q == '0);
  assign message_bad = beat_faulty_q || (beat_tid_q != message_tid_q);

  always_ff @(posedge clk_i) begin
    if (message_starts) begin
      size_q <= beat_size_q;
      message_tid_q <= beat_tid_q;
    end
  end

  // Does the end of the padding fit into the block in which the message ends?
  logic padding_fits;

  if (Family == FamilyJh) begin : gen_fits_jh
    assign padding_fits = word_addr_q == '0 && !beat_keep_q[0];
  end else if (Family == FamilySkein) begin : gen_fits_skein
    assign padding_fits = 1'b1;
  end else begin : gen_fits
    localparam int unsigned Limit = final_limit(Family, Width);
    localparam int unsigned Word = Limit / DataWidth;
    localparam int unsigned Byte = Limit % DataWidth / 8;
    localparam int unsigned Bits = Limit % 8;
    logic fits_in_word;
    assign fits_in_word = message_end[Byte] ? 4'(last_bits_q) <= 4'(Bits) : !beat_keep_q[Byte];
    assign padding_fits = word_addr_q < AddrWidth'(Word) ||
        (word_addr_q == AddrWidth'(Word) && fits_in_word);
  end

  ////////////////////
  // Words          //
  ////////////////////

  localparam logic [DataWidth-1:0] PadOne = DataWidth'(8'h80);

  logic at_end;  // the word is the block's last
  // A word is emitted; it is the message's last; the padding ends in its block; its block holds
  // bits of the message.
  logic emit_word, emit_last_word, emit_padding_ends, emit_has_message;
  logic [DataWidth-1:0] emit_data;
  logic message_ended;  // the message has no further words
  logic close_message;  // the block that waits is the message's last

  logic [DataWidth-1:0] word_data_q;
  logic [AddrWidth-1:0] emitted_addr_q;
  logic word_valid_q, emitted_final_q, emitted_has_message_q, emitted_last_q;
  logic last_decided;  // it is decided whether the word's block is the last

  assign at_end = word_addr_q == AddrWidth'(NumWords - 1);
  assign word_free = !word_valid_q || (word_ready_i && last_decided);

  always_comb begin
    state_d       = state_q;
    beat_taken    = 1'b0;
    emit_word     = 1'b0;
    emit_data     = '0;
    message_ended = 1'b1;
    close_message = 1'b0;

    unique case (state_q)
      StIdle:  if (message_starts) state_d = message_legal ? StData : StDrop;
      StData: begin
        message_ended = beat_last_q;
        if (beat_valid_q && message_bad) state_d = StDrop;
        else if (beat_valid_q && Family == FamilySkein && word_addr_q == '0 && !first_q &&
                 !beat_keep_q[0]) begin
          close_message = 1'b1;
          beat_taken = word_free;
          if (word_free) state_d = StIdle;
        end else if (beat_valid_q && word_free) begin
          beat_taken = 1'b1;
          emit_word  = 1'b1;
          emit_data  = padded_word;
          if (beat_last_q) state_d = (beat_full && Family != FamilySkein) ? StOne : StZero;
        end
      end
      StOne:
      if (word_free) begin
        emit_word = 1'b1;
        emit_data = PadOne;
        state_d   = StZero;
      end
      StZero:  if (word_free) emit_word = 1'b1;
      StDrop:
      if (beat_valid_q) begin
        beat_taken = 1'b1;
        if (beat_last_q) state_d = StError;
      end
      StError: if (error_done_i) state_d = StIdle;
      default: state_d = StIdle;
    endcase

    emit_padding_ends = (state_q == StData) ? (beat_last_q && padding_fits) : final_q;
    emit_has_message = (word_addr_q == '0) ?
        (state_q == StData) && beat_keep_q[0] : block_has_message_q;
    emit_last_word = at_end && emit_padding_ends;
    if (emit_word && emit_last_word) state_d = StIdle;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= StIdle;
      word_valid_q <= 1'b0;
    end else begin
      state_q <= state_d;
      word_valid_q <= emit_word || (word_valid_q && !(word_ready_i && last_decided));
    end

    if (message_starts) begin
      word_addr_q <= '0;
      first_q <= 1'b1;
    end else if (emit_word) begin
      word_addr_q <= at_end ? '0 : word_addr_q + AddrWidth'(1);
      if (at_end) first_q <= 1'b0;
    end
    // The padding always fits into the block after the message's end.
    if (emit_word) begin
      final_q <= emit_padding_ends || (message_ended && at_end);
      block_has_message_q <= emit_has_message;
    end

    if (emit_word) begin
      word_data_q <= emit_data;
      emitted_addr_q <= word_addr_q;
      block_first_o <= first_q;
      word_end_o <= at_end;
      emitted_final_q <= emit_padding_ends;
      emitted_last_q <= emit_last_word;
      emitted_has_message_q <= emit_has_message;
      digest_size_o <= size_q;
      digest_tid_o <= message_tid_q;
    end
  end

  ////////////////////
  // Length         //
  ////////////////////

  // Message bits so far: full beats, and the bits of a partial last beat.
  logic [BeatsWidth-1:0] full_beats_q;
  logic [ TailWidth-1:0] tail_bits_q;  // message bits in the last beat

  always_ff @(posedge clk_i) begin
    if (message_starts) begin
      full_beats_q <= '0;
      tail_bits_q  <= '0;
    end else if (emit_word && state_q == StData) begin
      if (beat_full) full_beats_q <= full_beats_q + BeatsWidth'(1);
      tail_bits_q <= tail_bits;
    end
  end

  logic [63:0] message_length;  // message bits so far
  assign message_length = {full_beats_q, tail_bits_q};

  // The end of the last block: a number, highest byte first, and for BLAKE the 1 before it.
  localparam int unsigned EndWidth = 256;
  localparam int unsigned EndWords = EndWidth / DataWidth;
  logic [EndWidth-1:0] pad_end;  // the end of the last block

  if (Family == FamilySkein) begin : gen_end_skein
    assign pad_end = '0;
  end else begin : gen_end
    localparam int unsigned OneByte = (EndWidth - length_width(Family, Width)) / 8 - 1;
    logic [63:0] end_number;

    if (Family == FamilyGroestl) begin : gen_blocks
      logic [63:0] block_count_q;
      always_ff @(posedge clk_i) begin
        if (message_starts) block_count_q <= '0;
        else if (emit_word && word_addr_q == '0) block_count_q <= block_count_q + 64'd1;
      end
      assign end_number = block_count_q;
    end else begin : gen_length
      assign end_number = message_length;
    end

    always_comb begin
      pad_end = '0;
      for (int unsigned b = 0; b < 8; b++) pad_end[EndWidth-8-8*b+:8] = end_number[8*b+:8];
      if (Family == FamilyBlake) begin
        pad_end[8*OneByte] = digest_size_o == Size256 || digest_size_o == Size512;
      end
    end
  end

  always_comb begin
    word_data_o = word_data_q;
    for (int unsigned i = 0; i < EndWords; i++) begin
      if (emitted_final_q && emitted_addr_q == AddrWidth'(NumWords - EndWords + i)) begin
        word_data_o = word_data_q | pad_end[EndWidth-DataWidth*(EndWords-i)+:DataWidth];
      end
    end
  end

  // The next message's first beat is not examined before the word is taken, so in StData
  // beat_valid_q belongs to this message.
  assign last_decided = Family != FamilySkein || !word_end_o || emitted_last_q || beat_valid_q ||
      state_q != StData;
  assign word_valid_o = word_valid_q && last_decided;
  assign block_last_o = emitted_last_q || close_message;
  assign block_count_o = emitted_has_message_q ? message_length : '0;

  assign error_valid_o = state_q == StError;
  assign error_tid_o = message_tid_q;

`ifndef HF_NO_PARAMETER_CHECKS
  if (DataWidth != 8 && DataWidth != 16 && DataWidth != 32 && DataWidth != 64 && DataWidth != 128)
  begin : gen_bad_width
    $fatal(1, "hf_finalist_pad: DataWidth is 8, 16, 32, 64 or 128, not %0d", DataWidth);
  end
  if (Family < FamilyBlake || Family > FamilySkein) begin : gen_bad_family
    $fatal(1, "hf_finalist_pad: Family is %0d to %0d, not %0d", FamilyBlake, FamilySkein, Family);
  end
  if (Width != 256 && Width != 512) begin : gen_bad_digest
    $fatal(1, "hf_finalist_pad: Width is 256 or 512, not %0d", Width);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
