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

    // A word of a block. Fields from `word_first_o` on belong to the block and are valid with its
    // last word (`word_end_o`).
    output logic                 word_valid_o,
    input  logic                 word_ready_i,
    output logic [DataWidth-1:0] word_o,
    output logic                 word_end_o,
    output logic                 word_first_o,  // the block is the message's first
    output logic                 word_last_o,   // the block is the message's last
    // Message bits up to the block's end; 0 if the block has none.
    output logic [         63:0] word_count_o,
    output size_e                word_size_o,
    output logic [ TidWidth-1:0] word_tid_o,

    // The result of `error_tid_o` is an error; held until error_done_i.
    output logic                error_o,
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

  logic a_valid_q, a_take;  // the beat register is full; it is emptied
  logic [DataWidth-1:0] a_data_q;
  logic [KeepWidth-1:0] a_keep_q;
  logic a_last_q;
  logic [TidWidth-1:0] a_tid_q;
  logic a_known_q;  // the function is one of this family and width
  size_e a_size_q;
  logic [2:0] a_bits_q;  // valid bits in the message's last byte; 0: all, or not the last beat
  logic a_bad_q;  // the beat breaks a rule of the port

  user_t s_user;
  // A hole in tkeep; a short beat before the last; bits without a byte.
  logic hole, partial, no_byte;
  assign s_user = s_tuser_i;
  assign hole = |(~s_tkeep_i & (s_tkeep_i >> 1));
  assign partial = !(&s_tkeep_i) && !s_tlast_i;
  assign no_byte = !s_tkeep_i[0] && s_user.bits != '0;

  assign s_tready_o = !a_valid_q || a_take;

  always_ff @(posedge clk_i) begin
    if (rst_i) a_valid_q <= 1'b0;
    else if (s_tready_o) a_valid_q <= s_tvalid_i;
    if (s_tready_o) begin
      a_data_q <= s_tdata_i;
      a_keep_q <= s_tkeep_i;
      a_last_q <= s_tlast_i;
      a_tid_q  <= s_tid_i;
      a_known_q <= function_known(Family, Width, s_user.code);
      a_size_q <= size_e'(s_user.code.index[1:0]);
      a_bits_q <= s_tlast_i ? s_user.bits : 3'd0;
      a_bad_q  <= hole || partial || no_byte;
      // A packet that does not end its message ends with a beat like the others.
      if (Packets) begin
        if (s_user.more) begin
          a_last_q <= 1'b0;
          a_bits_q <= 3'd0;
          a_bad_q  <= !(&s_tkeep_i);
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
  logic [  KeepWidth:0] at;  // one-hot: where the message ends; top bit: the next word
  logic [DataWidth-1:0] padded;  // the beat with the pad's 1
  logic [TailWidth-1:0] tail;  // bits in the beat; also 0 if the beat is full
  logic full;  // the message fills the beat

  assign last_byte = a_keep_q & ~(a_keep_q >> 1);
  assign at = (a_bits_q == '0) ? {last_byte, !a_keep_q[0]} : {1'b0, last_byte};
  assign full = at[KeepWidth];

  always_comb begin
    logic [7:0] mask, one;  // valid bits of the last byte; the pad's 1 in it
    mask = (a_bits_q == '0) ? 8'hff : ~(8'hff >> a_bits_q);
    one  = (Family == FamilySkein && a_bits_q == '0) ? 8'h00 : 8'h80 >> a_bits_q;
    tail = TailWidth'(a_bits_q);
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      padded[8*b+:8] = a_data_q[8*b+:8] & (last_byte[b] ? mask : {8{a_keep_q[b]}});
      padded[8*b+:8] = padded[8*b+:8] | (at[b] ? one : 8'h00);
      tail = tail | (at[b] ? TailWidth'(8 * b) : '0);
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
  logic [AddrWidth-1:0] addr_q;  // number of the word in its block
  logic first_q;  // the block is the message's first
  logic final_q;  // after the message's end: the padding ends in this block
  logic holds_q;  // this block holds bits of the message

  // Set by the message's first beat.
  size_e size_q;
  logic [TidWidth-1:0] tid_q;

  logic go;  // the output register can take a word
  // A message starts; its function and slot are valid; the beat makes it bad.
  logic start, begin_ok, bad_beat;
  // Waits with go, since the last word needs the length.
  assign start = (state_q == StIdle) && a_valid_q && go;
  assign begin_ok = a_known_q && (a_tid_q == '0);
  assign bad_beat = a_bad_q || (a_tid_q != tid_q);

  always_ff @(posedge clk_i) begin
    if (start) begin
      size_q <= a_size_q;
      tid_q  <= a_tid_q;
    end
  end

  // Does the end of the padding fit into the block in which the message ends?
  logic fits;

  if (Family == FamilyJh) begin : gen_fits_jh
    assign fits = addr_q == '0 && !a_keep_q[0];
  end else if (Family == FamilySkein) begin : gen_fits_skein
    assign fits = 1'b1;
  end else begin : gen_fits
    localparam int unsigned Limit = final_limit(Family, Width);
    localparam int unsigned Word = Limit / DataWidth;
    localparam int unsigned Byte = Limit % DataWidth / 8;
    localparam int unsigned Bits = Limit % 8;
    logic fits_word;
    assign fits_word = at[Byte] ? 4'(a_bits_q) <= 4'(Bits) : !a_keep_q[Byte];
    assign fits = addr_q < AddrWidth'(Word) || (addr_q == AddrWidth'(Word) && fits_word);
  end

  ////////////////////
  // Words          //
  ////////////////////

  localparam logic [DataWidth-1:0] PadOne = DataWidth'(8'h80);

  logic at_end;  // the word is the block's last
  // A word is emitted; it is the message's last; final and holds as above.
  logic emit, emit_last, emit_final, emit_holds;
  logic [DataWidth-1:0] emit_word;
  logic ended;  // the message has no further words
  logic close;  // the block that waits is the message's last

  logic [DataWidth-1:0] word_q;
  logic [AddrWidth-1:0] word_addr_q;
  logic word_valid_q, word_final_q, word_holds_q, word_last_q;
  logic decided;  // it is decided whether the word's block is the last

  assign at_end = addr_q == AddrWidth'(NumWords - 1);
  assign go = !word_valid_q || (word_ready_i && decided);

  always_comb begin
    state_d   = state_q;
    a_take    = 1'b0;
    emit      = 1'b0;
    emit_word = '0;
    ended     = 1'b1;
    close     = 1'b0;

    unique case (state_q)
      StIdle: if (start) state_d = begin_ok ? StData : StDrop;
      StData: begin
        ended = a_last_q;
        if (a_valid_q && bad_beat) state_d = StDrop;
        else if (a_valid_q && Family == FamilySkein && addr_q == '0 && !first_q && !a_keep_q[0])
        begin
          close  = 1'b1;
          a_take = go;
          if (go) state_d = StIdle;
        end else if (a_valid_q && go) begin
          a_take = 1'b1;
          emit = 1'b1;
          emit_word = padded;
          if (a_last_q) state_d = (full && Family != FamilySkein) ? StOne : StZero;
        end
      end
      StOne:
      if (go) begin
        emit = 1'b1;
        emit_word = PadOne;
        state_d = StZero;
      end
      StZero: if (go) emit = 1'b1;
      StDrop:
      if (a_valid_q) begin
        a_take = 1'b1;
        if (a_last_q) state_d = StError;
      end
      StError: if (error_done_i) state_d = StIdle;
      default: state_d = StIdle;
    endcase

    emit_final = (state_q == StData) ? (a_last_q && fits) : final_q;
    emit_holds = (addr_q == '0) ? (state_q == StData) && a_keep_q[0] : holds_q;
    emit_last  = at_end && emit_final;
    if (emit && emit_last) state_d = StIdle;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= StIdle;
      word_valid_q <= 1'b0;
    end else begin
      state_q <= state_d;
      word_valid_q <= emit || (word_valid_q && !(word_ready_i && decided));
    end

    if (start) begin
      addr_q  <= '0;
      first_q <= 1'b1;
    end else if (emit) begin
      addr_q <= at_end ? '0 : addr_q + AddrWidth'(1);
      if (at_end) first_q <= 1'b0;
    end
    // The padding always fits into the block after the message's end.
    if (emit) begin
      final_q <= emit_final || (ended && at_end);
      holds_q <= emit_holds;
    end

    if (emit) begin
      word_q <= emit_word;
      word_addr_q  <= addr_q;
      word_first_o <= first_q;
      word_end_o   <= at_end;
      word_final_q <= emit_final;
      word_last_q  <= emit_last;
      word_holds_q <= emit_holds;
      word_size_o  <= size_q;
      word_tid_o   <= tid_q;
    end
  end

  ////////////////////
  // Length         //
  ////////////////////

  // Message bits so far: full beats, and the bits of a partial last beat.
  logic [BeatsWidth-1:0] beats_q;
  logic [ TailWidth-1:0] tail_q;  // message bits in the last beat

  always_ff @(posedge clk_i) begin
    if (start) begin
      beats_q <= '0;
      tail_q  <= '0;
    end else if (emit && state_q == StData) begin
      if (full) beats_q <= beats_q + BeatsWidth'(1);
      tail_q <= tail;
    end
  end

  logic [63:0] length;  // message bits so far
  assign length = {beats_q, tail_q};

  // The end of the last block: a number, highest byte first, and for BLAKE the 1 before it.
  localparam int unsigned EndWidth = 256;
  localparam int unsigned EndWords = EndWidth / DataWidth;
  logic [EndWidth-1:0] pad_end;  // the end of the last block

  if (Family == FamilySkein) begin : gen_end_skein
    assign pad_end = '0;
  end else begin : gen_end
    localparam int unsigned OneByte = (EndWidth - length_width(Family, Width)) / 8 - 1;
    logic [63:0] number;

    if (Family == FamilyGroestl) begin : gen_blocks
      logic [63:0] blocks_q;
      always_ff @(posedge clk_i) begin
        if (start) blocks_q <= '0;
        else if (emit && addr_q == '0) blocks_q <= blocks_q + 64'd1;
      end
      assign number = blocks_q;
    end else begin : gen_length
      assign number = length;
    end

    always_comb begin
      pad_end = '0;
      for (int unsigned b = 0; b < 8; b++) pad_end[EndWidth-8-8*b+:8] = number[8*b+:8];
      if (Family == FamilyBlake) begin
        pad_end[8*OneByte] = word_size_o == Size256 || word_size_o == Size512;
      end
    end
  end

  always_comb begin
    word_o = word_q;
    for (int unsigned i = 0; i < EndWords; i++) begin
      if (word_final_q && word_addr_q == AddrWidth'(NumWords - EndWords + i)) begin
        word_o = word_q | pad_end[EndWidth-DataWidth*(EndWords-i)+:DataWidth];
      end
    end
  end

  // The next message's first beat is not examined before the word is taken, so in StData a_valid_q
  // belongs to this message.
  assign decided = Family != FamilySkein || !word_end_o || word_last_q || a_valid_q ||
      state_q != StData;
  assign word_valid_o = word_valid_q && decided;
  assign word_last_o = word_last_q || close;
  assign word_count_o = word_holds_q ? length : '0;

  assign error_o = state_q == StError;
  assign error_tid_o = tid_q;

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
