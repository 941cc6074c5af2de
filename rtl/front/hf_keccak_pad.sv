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
// length of all ones) is squeezed until `end_i` or `cancel_i` is high.
//
// Errors: a hole in tkeep, a short beat that is not the last, bits in an empty last byte, or an
// unknown function or slot. The rest of such a message is discarded, its blocks are abandoned, and
// `error_o` requests an error result in the message's place.

module hf_keccak_pad
  import hf_keccak_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 64,
    parameter  int unsigned TidWidth = 1,
    parameter  bit          Packets = 1'b0,  // tlast with tuser's `more` set ends a packet only
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned NumWords = MaxRateLanes * LaneWidth / DataWidth,
    localparam int unsigned AddrWidth = $clog2(NumWords + 1),
    localparam int unsigned TailWidth = $clog2(DataWidth)
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
    output logic [ NumWords-1:0] word_at_o,      // its place in the block, one-hot
    output logic [DataWidth-1:0] word_o,
    output logic                 word_end_o,
    output logic                 word_first_o,   // the block is the message's first
    output logic                 word_last_o,    // the block's state gives output
    output logic [AddrWidth-1:0] word_count_o,  // number of words of that output
    output logic                 word_final_o,   // they end the digest
    output logic [TailWidth-1:0] word_tail_o,    // bits in its last word (0: all)
    output logic                 word_empty_o,   // the digest is empty
    output logic                 word_open_o,    // part of an open output
    output logic [ TidWidth-1:0] word_tid_o,

    // An open output was stopped. end_i: it ends with the squeeze that is offered here, or else
    // with the next, and gives nothing more. cancel_i: the last squeeze was already accepted.
    input logic end_i,
    input logic cancel_i,

    // The result of `error_tid_o` is an error; held until error_done_i.
    output logic                error_o,
    output logic [TidWidth-1:0] error_tid_o,
    input  logic                error_done_i
);

  localparam int unsigned CountWidth = LengthWidth - TailWidth;

  ////////////////////
  // One beat       //
  ////////////////////

  logic a_valid_q, a_take;  // the beat register is full; it is emptied
  logic [DataWidth-1:0] a_data_q;
  logic [KeepWidth-1:0] a_keep_q;
  logic a_last_q;
  logic [TidWidth-1:0] a_tid_q;
  logic a_known_q;  // the function is supported:
  logic [FunctionWidth-1:0] a_function_q;
  logic [LengthWidth-1:0] a_length_q;
  logic [2:0] a_bits_q;  // valid bits in the message's last byte; 0: all, or not the last beat
  logic a_bad_q;  // the beat breaks a rule of the port

  user_t s_user;
  // A hole in tkeep; a short beat before the last; bits without a byte.
  logic hole, partial, no_byte;
  assign s_user = s_tuser_i;
  logic unused_reserved;
  assign unused_reserved = ^{s_user.reserved, s_user.more};
  assign hole = |(~s_tkeep_i & (s_tkeep_i >> 1));
  assign partial = !(&s_tkeep_i) && !s_tlast_i;
  assign no_byte = !s_tkeep_i[0] && s_user.bits != '0;

  assign s_tready_o = !a_valid_q || a_take;

  always_ff @(posedge clk_i) begin
    if (rst_i) a_valid_q <= 1'b0;
    else if (s_tready_o) a_valid_q <= s_tvalid_i;
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      if (s_tready_o && !s_tkeep_i[b]) a_data_q[8*b+:8] <= '0;
      else if (s_tready_o) a_data_q[8*b+:8] <= s_tdata_i[8*b+:8];
    end
    if (s_tready_o) begin
      a_keep_q <= s_tkeep_i;
      a_last_q <= s_tlast_i;
      a_tid_q  <= s_tid_i;
      a_known_q    <= function_known(s_user.code);
      a_function_q <= FunctionWidth'(s_user.code);
      a_length_q   <= s_user.length;
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

  logic [KeepWidth-1:0] last_byte;  // one-hot: the last valid byte; none in an empty beat
  assign last_byte = a_keep_q & ~(a_keep_q >> 1);

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
  logic [AddrWidth-1:0] addr_d, addr_q;  // number of the word in its block
  logic first_d, first_q;  // the block is the message's first

  // Words of output still to come, less one. count_q: at first the requested whole words, from
  // which `borrow_q` subtracts one if there is no partial word; then left_q. left_q: the words
  // after the next block (negative: none). rest_q: the words of that block if they are the last.
  // settleN_q: left_q and rest_q are valid in N clocks.
  logic [CountWidth-1:0] count_q;
  logic [CountWidth:0] left_q;
  logic [AddrWidth-1:0] rest_q;
  logic unused_carry_q;
  logic borrow_q;
  logic asked_q;  // count_q is loaded with the requested length
  logic settle2_q, settle1_q, settled;
  assign settled = !settle2_q && !settle1_q;

  // Set by the message's first beat.
  logic [AddrWidth-1:0] rate_words_q;  // words of the rate
  logic [AddrWidth-1:0] last_addr_q;  // the number of the block's last word
  logic [4:0] suffix_q;
  logic [2:0] suffix_len_q;
  logic [LengthWidth-1:0] length_q;
  logic [TidWidth-1:0] tid_q;
  logic [4:0] spill_q;  // suffix bits for the next word

  function_info_t info;
  logic [LengthWidth-1:0] length;  // of the output, in bits
  assign info = function_info(a_function_q);
  assign length = (info.digest_words != '0) ? LengthWidth'({info.digest_words, 5'd0}) : a_length_q;

  // A message starts; its function and slot are valid; its output is empty.
  logic start, begin_ok, empty;
  logic [TailWidth-1:0] tail;  // bits of the output beyond whole words
  assign start = (state_q == StIdle) && a_valid_q;
  assign begin_ok = a_known_q && (a_tid_q == '0);

  always_ff @(posedge clk_i) begin
    if (start) begin
      rate_words_q <= AddrWidth'(info.rate_lanes) * AddrWidth'(LaneWidth / DataWidth);
      last_addr_q  <=
          AddrWidth'(info.rate_lanes) * AddrWidth'(LaneWidth / DataWidth) - AddrWidth'(1);
      suffix_q     <= info.suffix;
      suffix_len_q <= info.suffix_len;
      length_q     <= length;
      tid_q        <= a_tid_q;
    end
  end

  assign tail  = length_q[TailWidth-1:0];
  assign empty = length_q == '0;

  logic open_q;  // a clock after length_q, like borrow_q
  always_ff @(posedge clk_i) open_q <= &length_q;

  // The last word with the suffix. Bytes outside the message are already zero. The suffix, shifted
  // by the bits in the last byte, covers two bytes, and spills into the next word if these end the
  // beat. One of the two bytes is even and the other odd, so each bit of a byte has only two
  // candidate values.
  logic [DataWidth-1:0] padded;
  logic [4:0] spill;
  logic spills, exact;  // the suffix spills into the next word; it ends at the end of this word
  always_comb begin
    logic [15:0] moved;
    logic [KeepWidth:0] at;  // one-hot: the byte where the suffix starts; top: the next word
    logic [KeepWidth-1:0] odd, suffixed;  // suffixed: bytes that hold suffix bits
    logic [7:0] mask;
    logic [1:0][7:0] set;  // suffix bits for an even byte [0] and for an odd byte [1]
    moved = 16'(suffix_q) << a_bits_q;
    mask = ~(8'hff << a_bits_q);
    at = (a_bits_q == '0) ? {last_byte, !a_keep_q[0]} : {1'b0, last_byte};
    suffixed = at[KeepWidth-1:0] | KeepWidth'(at << 1);
    for (int unsigned b = 0; b < KeepWidth; b++) odd[b] = at[b] && b % 2 == 1;
    set = (odd != '0) ? {moved[7:0], moved[15:8]} : moved;
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      for (int unsigned i = 0; i < 8; i++) begin
        padded[8*b+i] = (a_data_q[8*b+i] & (mask[i] | !suffixed[b])) |
            (set[b%2][i] & suffixed[b]);
      end
    end
    spill  = at[KeepWidth] ? suffix_q : moved[12:8];
    spills = at[KeepWidth] || (at[KeepWidth-1] && (4'(a_bits_q) + 4'(suffix_len_q) > 4'd8));
    exact  = at[KeepWidth-1] && (4'(a_bits_q) + 4'(suffix_len_q) == 4'd8);
  end

  logic bad_beat;  // the beat makes the message bad
  assign bad_beat = a_bad_q || (a_tid_q != tid_q);

  ////////////////////
  // Words          //
  ////////////////////

  // A word is emitted; it ends its block; the block's state gives output.
  logic emit, emit_end, emit_last;
  logic emit_pad;  // the word holds the pad's last 1
  logic [AddrWidth-1:0] emit_addr;  // number of that word
  // Last word of the block; output continues; the word register can be loaded.
  logic at_end, more, go;

  assign at_end = addr_q == last_addr_q;
  assign more = open_q ? !end_i : !left_q[CountWidth];
  assign go = !word_valid_o || word_ready_i || end_i;  // end_i: replaces the word that waits

  always_comb begin
    state_d   = state_q;
    addr_d    = addr_q;
    a_take    = 1'b0;
    emit      = 1'b0;
    emit_end  = at_end;
    emit_last = 1'b0;
    emit_addr = addr_q;
    emit_pad  = 1'b0;

    unique case (state_q)
      StIdle:  if (a_valid_q) state_d = begin_ok ? StStart : StDrop;
      StStart: state_d = StData;
      StData:
      if (a_valid_q && bad_beat) state_d = StDrop;
      else if (a_valid_q && go) begin
        a_take = 1'b1;
        emit   = 1'b1;
        addr_d = at_end ? '0 : addr_q + AddrWidth'(1);
        if (a_last_q) begin
          state_d = spills ? StSpill : StFinal;
          if (at_end && !spills && !exact) begin
            emit_pad  = 1'b1;
            emit_last = 1'b1;
          end
        end
      end
      StSpill:
      if (go) begin
        emit = 1'b1;
        addr_d = addr_q + AddrWidth'(1);
        state_d = StFinal;
        if (at_end) begin
          emit_pad  = 1'b1;
          emit_last = 1'b1;
        end
      end
      StFinal:
      if (go && settled) begin
        emit = 1'b1;
        addr_d = AddrWidth'(1);
        if (addr_q != '0) begin
          emit_addr = last_addr_q;
          emit_pad  = 1'b1;
          emit_end  = 1'b1;
          emit_last = 1'b1;
        end
      end
      StSqueeze:
      if (go && (settled || end_i)) begin
        emit = 1'b1;
        emit_addr = '0;
        emit_end = 1'b1;
        emit_last = 1'b1;
      end
      StDrop:
      if (a_valid_q) begin
        a_take = 1'b1;
        if (a_last_q) state_d = StError;
      end
      StError: if (error_done_i) state_d = StIdle;
      default: state_d = StIdle;
    endcase

    if (emit_last) state_d = more ? StSqueeze : StIdle;
    if (cancel_i) state_d = StIdle;
    if (start) addr_d = '0;
  end

  assign first_d = start || (first_q && !(emit && emit_end));

  always_ff @(posedge clk_i) begin
    settle2_q <= !rst_i && (state_q == StStart || emit_last);
    settle1_q <= !rst_i && settle2_q;

    if (state_q == StStart) asked_q <= 1'b1;
    else if (settle1_q) asked_q <= 1'b0;

    borrow_q <= tail == '0 && !empty;
    if (settle2_q) begin
      count_q <= asked_q ? length_q[LengthWidth-1:TailWidth] : left_q[CountWidth-1:0];
    end
    if (settle1_q) begin
      // count - rate, or that less one, as one sum with a carry.
      {left_q, unused_carry_q} <= {1'b0, count_q, 1'b1} +
          {~(CountWidth + 1)'(rate_words_q), !(asked_q && borrow_q)};
      rest_q <= count_q[AddrWidth-1:0] + AddrWidth'(!(asked_q && borrow_q));
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q      <= StIdle;
      word_valid_o <= 1'b0;
    end else begin
      state_q      <= state_d;
      word_valid_o <= !cancel_i && (emit || (word_valid_o && !word_ready_i));
    end
    addr_q  <= addr_d;
    first_q <= first_d;
    if (a_take) spill_q <= spill;
    if (go) begin
      for (int unsigned i = 0; i < NumWords; i++) word_at_o[i] <= emit_addr == AddrWidth'(i);
      // Written so that synthesis uses the registers' reset instead of a LUT for most bits.
      if (state_q == StData) word_o <= padded;
      else word_o <= '0;
      if (state_q == StSpill) word_o[4:0] <= spill_q;
      if (emit_pad) word_o[DataWidth-1] <= 1'b1;
      word_end_o   <= emit_end;
      word_first_o <= first_q;
      word_last_o  <= emit_last;
      word_count_o <= more ? rate_words_q : (open_q ? AddrWidth'(1) : rest_q);
      word_final_o <= !more;
      word_tail_o  <= open_q ? '0 : tail;
      word_empty_o <= empty || open_q;  // valid with the final one only
      word_open_o  <= open_q;
      word_tid_o   <= tid_q;
    end
  end

  assign error_o = state_q == StError;
  assign error_tid_o = tid_q;

`ifndef HF_NO_PARAMETER_CHECKS
  if (DataWidth != 8 && DataWidth != 16 && DataWidth != 32 && DataWidth != 64) begin : gen_bad_width
    $fatal(1, "hf_keccak_pad: DataWidth is 8, 16, 32 or 64, not %0d", DataWidth);
  end
  if (TidWidth < 1 || TidWidth > 16) begin : gen_bad_tid
    $fatal(1, "hf_keccak_pad: TidWidth is 1 to 16, not %0d", TidWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
