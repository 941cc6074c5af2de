// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Message beats in, padded blocks out: FIPS 202's padding (suffix and pad10*1, sections 5.1 and 6)
// for a message of any bit length, and the competition's (no suffix), function chosen per message.
//
// A word is DataWidth bits. One word a clock goes to the block buffer, which is zero except where
// it was written: after the suffix the pad's last 1 goes straight to the block's last word, so a
// message of n words takes n + 6 clocks at the most here, however long the block. Word 0 of a block
// is always written. A squeeze is a block of zeros. An output that runs until it is stopped (a
// length of all ones) is squeezed on, until one of `end_i` and `cancel_i` comes.
//
// What the port asks for is checked: a hole in tkeep, a short beat that is not the last, bits in an
// empty last byte, an unknown function or slot. The rest of such a message is swallowed, its blocks
// are abandoned, and `error_o` asks for an error result in the message's place.

module hf_keccak_pad
  import hf_keccak_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 64,
    parameter  int unsigned TidWidth = 1,
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned AddrWidth = $clog2(MaxRateLanes * LaneWidth / DataWidth + 1),
    localparam int unsigned TailWidth = $clog2(DataWidth)
) (
    input logic clk_i,
    input logic rst_i,

    // AXI4-Stream, as at the top.
    input  logic                 s_tvalid_i,
    output logic                 s_tready_o,
    input  logic [DataWidth-1:0] s_tdata_i,
    input  logic [KeepWidth-1:0] s_tkeep_i,
    input  logic                 s_tlast_i,
    input  logic [ TidWidth-1:0] s_tid_i,
    input  logic [UserWidth-1:0] s_tuser_i,

    // One word of a block. Fields from `word_first_o` on belong to the block and count with its
    // last word (`word_end_o`).
    output logic                 word_valid_o,
    input  logic                 word_ready_i,
    output logic [AddrWidth-1:0] word_addr_o,
    output logic [DataWidth-1:0] word_o,
    output logic                 word_end_o,
    output logic                 word_first_o,   // the message's first block
    output logic                 word_last_o,    // its state gives output: these words of it,
    output logic [AddrWidth-1:0] word_count_o,
    output logic                 word_final_o,   // which end the digest,
    output logic [TailWidth-1:0] word_tail_o,    // with this many bits in the last (0: all),
    output logic                 word_empty_o,   // or with none at all
    output logic                 word_open_o,    // the digest runs until it is stopped
    output logic [ TidWidth-1:0] word_tid_o,

    // Between squeezes of an open output: it ends with the squeeze that is here, or would be next,
    // and gives nothing more; or the last one has already been accepted.
    input logic end_i,
    input logic cancel_i,

    output logic                error_o,  // result of `error_tid_o` is an error; held until done_i
    output logic [TidWidth-1:0] error_tid_o,
    input  logic                error_done_i
);

  localparam int unsigned WordsPerLane = LaneWidth / DataWidth;
  localparam int unsigned CountWidth = LengthWidth - TailWidth;

  ////////////////////
  // One beat       //
  ////////////////////

  logic a_valid_q, a_take;
  logic [DataWidth-1:0] a_data_q;
  logic [KeepWidth-1:0] a_keep_q;
  logic a_last_q;
  logic [TidWidth-1:0] a_tid_q;
  logic a_known_q;  // the function is one of ours, namely:
  logic [FunctionWidth-1:0] a_function_q;
  logic [LengthWidth-1:0] a_length_q;
  logic [2:0] a_bits_q;  // valid bits in the message's last byte; 0: all, or not the last beat
  logic a_bad_q;

  user_t s_user;
  logic hole, partial, no_byte;
  assign s_user = s_tuser_i;
  logic unused_reserved;
  assign unused_reserved = ^s_user.reserved;
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
      a_known_q    <= function_known(s_user.code);
      a_function_q <= FunctionWidth'(s_user.code);
      a_length_q   <= s_user.length;
      a_bits_q <= s_tlast_i ? s_user.bits : 3'd0;
      a_bad_q  <= hole || partial || no_byte;
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
    StFinal,    // the pad's last 1, in a word of its own
    StSqueeze,  // a block of zeros
    StDrop,     // the rest of a wrong message
    StError     // waiting until its error is emitted
  } state_e;

  state_e state_d, state_q;
  logic [AddrWidth-1:0] addr_d, addr_q;
  logic first_d, first_q;

  // Words of output still to come, less one; what is left of them after the next block (negative:
  // nothing), a clock later; clocks until that is true.
  logic [CountWidth-1:0] count_q;
  logic [CountWidth:0] left_q;
  logic borrow_q;
  logic [1:0] settle_q;

  // Set by the message's first beat.
  logic [AddrWidth-1:0] rate_words_q;
  logic [AddrWidth-1:0] last_addr_q;
  logic [4:0] suffix_q;
  logic [2:0] suffix_len_q;
  logic [LengthWidth-1:0] length_q;
  logic [TidWidth-1:0] tid_q;
  logic [4:0] spill_q;

  function_info_t info;
  logic [LengthWidth-1:0] length;  // of the output, in bits
  assign info = function_info(a_function_q);
  assign length = (info.digest_words != '0) ? LengthWidth'({info.digest_words, 5'd0}) : a_length_q;

  logic start, begin_ok, empty;
  logic [TailWidth-1:0] tail;
  assign start = (state_q == StIdle) && a_valid_q;
  assign begin_ok = a_known_q && (a_tid_q == '0);

  always_ff @(posedge clk_i) begin
    if (start) begin
      rate_words_q <= AddrWidth'(info.rate_lanes) * AddrWidth'(WordsPerLane);
      last_addr_q  <= AddrWidth'(info.rate_lanes) * AddrWidth'(WordsPerLane) - AddrWidth'(1);
      suffix_q     <= info.suffix;
      suffix_len_q <= info.suffix_len;
      length_q     <= length;
      tid_q        <= a_tid_q;
    end
  end

  assign tail  = length_q[TailWidth-1:0];
  assign empty = length_q == '0;

  logic open_q;  // a clock behind length_q, as borrow_q
  always_ff @(posedge clk_i) open_q <= &length_q;

  // The last word with the suffix behind it. Bytes below the last valid one count in full; the
  // suffix, shifted by the bits in the last byte, falls on two bytes, and on the next word if it
  // must.
  logic [DataWidth-1:0] padded;
  logic [4:0] spill;
  logic spills, exact;  // beyond the word; just to its end
  always_comb begin
    logic [15:0] moved;
    logic [KeepWidth:0] at;  // one-hot: the byte where the suffix starts; top: the next word
    logic [7:0] mask;
    moved = 16'(suffix_q) << a_bits_q;
    mask = (a_bits_q == '0) ? 8'hff : ~(8'hff << a_bits_q);
    at = (a_bits_q == '0) ? {last_byte, !a_keep_q[0]} : {1'b0, last_byte};
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      padded[8*b+:8] = a_data_q[8*b+:8] & (last_byte[b] ? mask : {8{a_keep_q[b]}});
      padded[8*b+:8] = padded[8*b+:8] | (at[b] ? moved[7:0] : 8'h00);
      if (b > 0) padded[8*b+:8] = padded[8*b+:8] | (at[b-1] ? moved[15:8] : 8'h00);
    end
    spill  = at[KeepWidth] ? suffix_q : moved[12:8];
    spills = at[KeepWidth] || (at[KeepWidth-1] && (4'(a_bits_q) + 4'(suffix_len_q) > 4'd8));
    exact  = at[KeepWidth-1] && (4'(a_bits_q) + 4'(suffix_len_q) == 4'd8);
  end

  logic bad_beat;
  assign bad_beat = a_bad_q || (a_tid_q != tid_q);

  ////////////////////
  // Words          //
  ////////////////////

  localparam logic [DataWidth-1:0] PadEnd = {1'b1, {(DataWidth - 1) {1'b0}}};

  logic emit, emit_end, emit_last;
  logic [AddrWidth-1:0] emit_addr;
  logic [DataWidth-1:0] emit_word;
  logic at_end, more, go;

  assign at_end = addr_q == last_addr_q;
  assign more = open_q ? !end_i : !left_q[CountWidth];
  assign go = !word_valid_o || word_ready_i || end_i;  // end_i: in the place of the one that waits

  always_comb begin
    state_d   = state_q;
    addr_d    = addr_q;
    a_take    = 1'b0;
    emit      = 1'b0;
    emit_end  = at_end;
    emit_last = 1'b0;
    emit_addr = addr_q;
    emit_word = '0;

    unique case (state_q)
      StIdle:  if (a_valid_q) state_d = begin_ok ? StStart : StDrop;
      StStart: state_d = StData;
      StData:
      if (a_valid_q && bad_beat) state_d = StDrop;
      else if (a_valid_q && go) begin
        a_take = 1'b1;
        emit   = 1'b1;
        addr_d = at_end ? '0 : addr_q + AddrWidth'(1);
        emit_word = padded;
        if (a_last_q) begin
          state_d = spills ? StSpill : StFinal;
          if (at_end && !spills && !exact) begin
            emit_word = padded | PadEnd;
            emit_last = 1'b1;
          end
        end
      end
      StSpill:
      if (go) begin
        emit = 1'b1;
        addr_d = addr_q + AddrWidth'(1);
        state_d = StFinal;
        emit_word = DataWidth'(spill_q);
        if (at_end) begin
          emit_word = DataWidth'(spill_q) | PadEnd;
          emit_last = 1'b1;
        end
      end
      StFinal:
      if (go && settle_q == '0) begin
        emit = 1'b1;
        addr_d = AddrWidth'(1);
        if (addr_q != '0) begin
          emit_addr = last_addr_q;
          emit_word = PadEnd;
          emit_end  = 1'b1;
          emit_last = 1'b1;
        end
      end
      StSqueeze:
      if (go && (settle_q == '0 || end_i)) begin
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
    if (rst_i) settle_q <= '0;
    else if (state_q == StStart) settle_q <= 2'd2;
    else if (emit_last) settle_q <= 2'd1;
    else if (settle_q != '0) settle_q <= settle_q - 2'd1;

    borrow_q <= tail == '0 && !empty;
    if (settle_q == 2'd2) count_q <= length_q[LengthWidth-1:TailWidth] - CountWidth'(borrow_q);
    else if (emit_last) count_q <= left_q[CountWidth-1:0];
    left_q <= {1'b0, count_q} - (CountWidth + 1)'(rate_words_q);
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
      word_addr_o  <= emit_addr;
      word_o       <= emit_word;
      word_end_o   <= emit_end;
      word_first_o <= first_q;
      word_last_o  <= emit_last;
      word_count_o <= more ? rate_words_q :
          (open_q ? AddrWidth'(1) : count_q[AddrWidth-1:0] + AddrWidth'(1));
      word_final_o <= !more;
      word_tail_o  <= open_q ? '0 : tail;
      word_empty_o <= empty || open_q;  // asked for with the final one only
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
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
