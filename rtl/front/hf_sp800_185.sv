// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The framing of SP 800-185 in front of a stream top: cSHAKE with N and S (section 3.3), KMAC and
// KMACXOF (4.3), TupleHash and TupleHashXOF (5.3), of any number of bytes. Codes, packets and
// faults are specified in docs/reference/sp800-185.md. The core after it hashes with the sponge of
// cSHAKE; it needs no change. Messages of its own functions pass unchanged.
//
//   s_* --> framing: encodings, padding, beats --> piece --> aligner --> m_*
//                       |
//                    strings: N, S and the key in a block RAM
//
// A message is made of pieces of 0 to DataWidth / 8 bytes: an encoding, a word of a stored string,
// zeros of bytepad, a beat of the message. hf_sp800_185_aligner joins them, so that all beats but
// the last are full. A beat of a message takes a clock; an encoding and a word of a string
// three, and a word of padding one. Two clocks lead from a beat to the core.
//
// A fault ends the message in the core: the beat of bits without a byte, which is an error there
// (docs/reference/stream.md). The rest of the message is discarded here.

module hf_sp800_185
  import hf_keccak_pkg::*;
  import hf_stream_pkg::*;
  import hf_sp800_185_pkg::*;
#(
    parameter  int unsigned DataWidth = 64,     // 8, 16, 32, ... 1024
    parameter  int unsigned TidWidth = 1,
    parameter  int unsigned StringBytes = 256,  // most bytes of N, of S and of the key
    localparam int unsigned KeepWidth = DataWidth / 8
) (
    input logic clk_i,
    input logic rst_i,

    // The stream port (docs/reference/stream.md), with more codes.
    input  logic                 s_tvalid_i,
    output logic                 s_tready_o,
    input  logic [DataWidth-1:0] s_tdata_i,
    input  logic [KeepWidth-1:0] s_tkeep_i,
    input  logic                 s_tlast_i,
    input  logic [ TidWidth-1:0] s_tid_i,
    input  logic [UserWidth-1:0] s_tuser_i,

    // To the stream port of the core.
    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    output logic [DataWidth-1:0] m_tdata_o,
    output logic [KeepWidth-1:0] m_tkeep_o,
    output logic                 m_tlast_o,
    output logic [ TidWidth-1:0] m_tid_o,
    output logic [UserWidth-1:0] m_tuser_o
);

  localparam int unsigned CountWidth = $clog2(KeepWidth + 1);
  localparam int unsigned SizeWidth = $clog2(StringBytes + 1);

  typedef logic [CountWidth-1:0] count_t;

  ////////////////////
  // The beat       //
  ////////////////////

  user_t s_user;
  logic beat_hole, beat_full, beat_ends;  // its message, or the load
  count_t beat_count;
  assign s_user = s_tuser_i;
  assign beat_full = &s_tkeep_i;
  assign beat_hole = |(~s_tkeep_i & (s_tkeep_i >> 1));
  assign beat_ends = s_tlast_i && !s_user.more;
  always_comb begin
    beat_count = '0;
    for (int unsigned b = 0; b < KeepWidth; b++) beat_count = beat_count + count_t'(s_tkeep_i[b]);
  end
  logic unused_reserved;
  assign unused_reserved = ^s_user.reserved;

  ////////////////////
  // The message    //
  ////////////////////

  typedef enum logic [3:0] {
    StIdle,     // between messages, or beats of a message that passes
    StChoose,   // the next encoding is chosen,
    StEncode,   // made,
    StLiteral,  // and added
    StString,   // a stored string
    StPad,      // zeros to the end of a block
    StBody,     // beats of the message, or of a string of the tuple
    StCheck,    // the length of that string
    StLoad,     // a string is stored
    StFault,    // an error in the message's place
    StDrop      // the rest of a bad message
  } state_e;

  state_e framing_state_d, framing_state_q;
  step_e encode_step_d, encode_step_q;
  logic message_passing_q;  // a message that passes has begun
  logic [7:0] function_code_q;
  logic [LengthWidth-1:0] output_length_q;  // bits
  logic [TidWidth-1:0] message_tid_q;
  logic more_strings_d, more_strings_q;  // another string of the tuple follows
  logic message_over_d, message_over_q;  // the bad message has ended

  kind_e function_kind, beat_kind;
  logic is_tuple_hash, is_mac, is_xof;
  logic is_strong;  // 256 bits
  assign function_kind = kind_e'(function_code_q[7:1]);
  assign is_strong = function_code_q[0];
  assign is_tuple_hash = function_kind == KindTupleHash || function_kind == KindTupleHashXof;
  assign is_mac = function_kind == KindKmac || function_kind == KindKmacXof;
  assign is_xof = function_kind == KindKmacXof || function_kind == KindTupleHashXof;

  // Strings: their bytes; a load of one has failed.
  logic [3:0][SizeWidth-1:0] string_sizes;
  logic [3:0] string_failed;
  logic [1:0] string_index_d, string_index_q;  // the one being stored or added

  // A message that is framed: it cannot be; it is SHAKE.
  logic begins_tuple, begins_shake, begin_refused, open_length;
  assign beat_kind = kind_e'(s_user.code[7:1]);
  assign begins_tuple = beat_kind == KindTupleHash || beat_kind == KindTupleHashXof;
  assign begins_shake = beat_kind == KindCshake && string_sizes[StringName] == '0 &&
      string_sizes[StringCustom] == '0;
  assign open_length = &s_user.length && (beat_kind == KindKmac || beat_kind == KindTupleHash);
  assign begin_refused = open_length || string_failed[StringCustom] ||
      (beat_kind == KindCshake && string_failed[StringName]) ||
      ((beat_kind == KindKmac || beat_kind == KindKmacXof) && string_failed[StringKey]) ||
      (begins_tuple && !(s_tlast_i && s_tkeep_i == '0 && s_user.bits == '0));

  logic plain_shake_q;  // of the message
  logic frame_begins;  // a framed message, or a load
  assign frame_begins = framing_state_q == StIdle && s_tvalid_i && !message_passing_q &&
      (is_framed(s_user.code) || is_load(s_user.code));

  logic piece_ready, piece_accepted;  // of the aligner

  // A beat of the body, or of a string that is stored, breaks a rule.
  logic beat_breaks_rule;
  logic part_closes;  // the beat ends the message, or a string of the tuple
  assign part_closes = s_tlast_i && (is_tuple_hash || !s_user.more);
  assign beat_breaks_rule = beat_hole || (!beat_full && !part_closes) ||
      (part_closes && s_user.bits != '0) || s_tid_i != message_tid_q;

  ////////////////////
  // Strings        //
  ////////////////////

  logic string_store_full, load_breaks_rule, load_word;
  logic string_word_taken, string_word_ready, string_word_last;
  logic [DataWidth-1:0] string_word_data;
  count_t string_word_count;
  assign load_breaks_rule = s_tvalid_i &&
      (beat_breaks_rule || (string_store_full && s_tkeep_i[0]));
  assign load_word = framing_state_q == StLoad && s_tvalid_i && !load_breaks_rule;
  assign string_word_taken = framing_state_q == StString && piece_accepted;

  hf_sp800_185_strings #(
      .DataWidth  (DataWidth),
      .StringBytes(StringBytes)
  ) u_strings (
      .clk_i,
      .rst_i,
      .string_index_i     (string_index_q),
      .next_string_index_i(string_index_d),
      .rewind_string_i    (framing_state_q == StIdle || framing_state_q == StLiteral),
      .store_word_i       (load_word),
      .store_data_i       (s_tdata_i),
      .store_count_i      (beat_count),
      .store_last_i       (beat_ends),
      .store_fails_i      (framing_state_q == StLoad && load_breaks_rule),
      .store_full_o       (string_store_full),
      .read_string_i      (framing_state_q == StString),
      .string_word_taken_i(string_word_taken),
      .string_word_ready_o(string_word_ready),
      .string_word_data_o (string_word_data),
      .string_word_count_o(string_word_count),
      .string_word_last_o (string_word_last),
      .string_sizes_o     (string_sizes),
      .string_failed_o    (string_failed)
  );

  ////////////////////
  // Pieces         //
  ////////////////////

  logic [DataWidth-1:0] piece_data;
  count_t piece_count;
  logic piece_valid, piece_last, piece_raw;

  logic [7:0] block_left_q;  // bytes that the block lacks
  logic block_begins_q;  // it has none
  logic [7:0] block_rate_bytes;
  logic [LengthWidth-1:0] element_left_q;  // bytes of the tuple's string that are missing
  logic element_exceeded_q;  // it has had more than its length

  assign block_rate_bytes = is_strong ? 8'd136 : 8'd168;

  logic literal_last;
  logic [DataWidth-1:0] literal_data;
  count_t literal_count;

  hf_sp800_185_literal #(
      .DataWidth  (DataWidth),
      .StringBytes(StringBytes)
  ) u_literal (
      .clk_i,
      .encode_step_i     (encode_step_q),
      .choose_number_i   (framing_state_q == StChoose),
      .encode_number_i   (framing_state_q == StEncode),
      .shift_text_i      (framing_state_q == StLiteral && piece_accepted),
      .is_tuple_hash_i   (is_tuple_hash),
      .is_mac_i          (is_mac),
      .is_xof_i          (is_xof),
      .block_rate_bytes_i(block_rate_bytes),
      .string_sizes_i    (string_sizes),
      .element_length_i  (s_user.length),
      .output_length_i   (output_length_q),
      .literal_data_o    (literal_data),
      .literal_count_o   (literal_count),
      .literal_last_o    (literal_last)
  );

  logic pad_ends_block;
  assign pad_ends_block = 32'(block_left_q) <= KeepWidth;

  // The body is followed by the output's length, but of cSHAKE.
  logic length_follows;
  assign length_follows = is_tuple_hash || is_mac;

  logic good_body_beat;  // a good beat is offered
  assign good_body_beat = framing_state_q == StBody && s_tvalid_i && !beat_breaks_rule;

  always_comb begin
    piece_valid = 1'b0;
    piece_data  = s_tdata_i;
    piece_count = beat_count;
    piece_last  = 1'b0;
    piece_raw   = 1'b0;
    unique case (framing_state_q)
      StIdle: begin
        piece_valid = s_tvalid_i && !frame_begins;
        piece_last  = s_tlast_i;
        piece_raw   = 1'b1;
      end
      StLiteral: begin
        piece_valid = 1'b1;
        piece_data  = literal_data;
        piece_count = literal_count;
        piece_last  = literal_last && encode_step_q == StepEnd;
      end
      StString: begin
        piece_valid = string_word_ready;
        piece_data  = string_word_data;
        piece_count = string_word_count;
      end
      StPad: begin
        piece_valid = !block_begins_q;
        piece_data  = '0;
        piece_count = pad_ends_block ? count_t'(block_left_q) : count_t'(KeepWidth);
      end
      StBody: begin
        piece_valid = good_body_beat;
        piece_last  = beat_ends && !length_follows;
      end
      StFault: begin
        piece_valid = 1'b1;
        piece_count = '0;
        piece_last  = 1'b1;
        piece_raw   = 1'b1;
      end
      default: ;
    endcase
  end

  assign piece_accepted = piece_valid && piece_ready;

  // The first beat of a tuple has nothing to add.
  logic tuple_head_beat;
  assign tuple_head_beat = frame_begins && begins_tuple && !begin_refused && !is_load(s_user.code);
  assign s_tready_o = tuple_head_beat ||
      (piece_accepted && (framing_state_q == StIdle || framing_state_q == StBody)) ||
      (framing_state_q == StLoad && !load_breaks_rule) || framing_state_q == StDrop;

  ////////////////////
  // Order          //
  ////////////////////

  always_comb begin
    framing_state_d = framing_state_q;
    encode_step_d = encode_step_q;
    string_index_d = string_index_q;
    more_strings_d = more_strings_q;
    message_over_d = message_over_q;
    unique case (framing_state_q)
      StIdle:
      if (frame_begins) begin
        message_over_d = 1'b0;
        more_strings_d = s_user.more;
        encode_step_d = StepRate;
        if (is_load(s_user.code)) begin
          framing_state_d = StLoad;
          string_index_d  = s_user.code[1:0];
        end else if (begin_refused) framing_state_d = StFault;
        else framing_state_d = begins_shake ? StBody : StChoose;
      end
      StChoose: if (encode_step_q != StepElement || s_tvalid_i) framing_state_d = StEncode;
      StEncode: framing_state_d = StLiteral;
      StLiteral:
      if (piece_accepted && literal_last) begin
        unique case (encode_step_q)
          StepRate: begin
            framing_state_d = StChoose;
            encode_step_d   = is_mac ? StepCustom : StepName;
          end
          StepName: begin
            string_index_d  = StringName;
            encode_step_d   = StepCustom;
            framing_state_d = (is_tuple_hash || string_sizes[StringName] == '0) ? StChoose :
                StString;
          end
          StepCustom: begin
            string_index_d  = StringCustom;
            encode_step_d   = StepKeyRate;
            framing_state_d = (string_sizes[StringCustom] == '0) ? StPad : StString;
          end
          StepKeyRate: begin
            encode_step_d   = StepKey;
            framing_state_d = StChoose;
          end
          StepKey: begin
            string_index_d  = StringKey;
            encode_step_d   = StepEnd;
            framing_state_d = (string_sizes[StringKey] == '0) ? StPad : StString;
          end
          StepElement: framing_state_d = StBody;
          default: framing_state_d = StIdle;  // StepEnd
        endcase
      end
      StString:
      if (piece_accepted && string_word_last) begin
        framing_state_d = (encode_step_q == StepCustom) ? StChoose : StPad;
      end
      StPad:
      if (block_begins_q || (piece_accepted && pad_ends_block)) begin
        if (encode_step_q == StepKeyRate && is_mac) framing_state_d = StChoose;
        else if (is_tuple_hash) begin
          framing_state_d = StChoose;
          encode_step_d   = more_strings_q ? StepElement : StepEnd;
        end else begin
          framing_state_d = StBody;
          encode_step_d   = StepEnd;
        end
      end
      StBody:
      if (s_tvalid_i && beat_breaks_rule) framing_state_d = StFault;
      else if (piece_accepted && s_tlast_i && is_tuple_hash) begin
        more_strings_d = s_user.more;
        framing_state_d = StCheck;
      end else if (piece_accepted && beat_ends) begin
        framing_state_d = length_follows ? StChoose : StIdle;
      end
      StCheck:
      if (element_left_q != '0 || element_exceeded_q) begin
        message_over_d = !more_strings_q;
        framing_state_d = StFault;
      end else begin
        framing_state_d = StChoose;
        encode_step_d   = more_strings_q ? StepElement : StepEnd;
      end
      StLoad:
      if (load_breaks_rule) framing_state_d = StFault;
      else if (load_word && beat_ends) framing_state_d = StIdle;
      StFault: if (piece_accepted) framing_state_d = message_over_q ? StIdle : StDrop;
      StDrop: if (s_tvalid_i && beat_ends) framing_state_d = StIdle;
      default: framing_state_d = StIdle;
    endcase
  end

  // The block's bytes: of what is in front of the message only. Zeros end at the end of a block, so
  // their number does not matter there: `bytes_added` does not depend on it, for a short path.
  count_t bytes_added;
  logic [8:0] block_left_after;  // bytes that this block lacks then; negative: beyond it
  logic [7:0] left_of_next;  // that the next one lacks
  logic before_body, block_ends;
  always_comb begin
    bytes_added = count_t'(KeepWidth);
    if (framing_state_q == StLiteral) bytes_added = literal_count;
    if (framing_state_q == StString) bytes_added = string_word_count;
  end
  assign block_left_after = 9'(block_left_q) - 9'(bytes_added);
  assign left_of_next = block_left_after[7:0] + block_rate_bytes;
  assign block_ends = block_left_after[8] || block_left_after[7:0] == '0;
  assign before_body = framing_state_q == StLiteral || framing_state_q == StString ||
      framing_state_q == StPad;

  // The highest bit: the beat has more bytes than are missing.
  logic [LengthWidth:0] element_left_after;
  assign element_left_after = {1'b0, element_left_q} - (LengthWidth + 1)'(beat_count);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      framing_state_q   <= StIdle;
      message_passing_q <= 1'b0;
    end else begin
      framing_state_q <= framing_state_d;
      if (framing_state_q == StIdle && piece_accepted) message_passing_q <= !s_tlast_i;
    end
    encode_step_q <= encode_step_d;
    string_index_q <= string_index_d;
    more_strings_q <= more_strings_d;
    message_over_q <= message_over_d;
    if (frame_begins) begin
      function_code_q <= s_user.code;
      output_length_q <= s_user.length;
      message_tid_q   <= s_tid_i;
      plain_shake_q   <= begins_shake;
    end

    if (framing_state_q == StChoose && encode_step_q == StepElement) begin
      element_left_q <= s_user.length;
      element_exceeded_q <= 1'b0;
    end
    if (good_body_beat && piece_accepted) begin
      element_left_q <= element_left_after[LengthWidth-1:0];
      if (element_left_after[LengthWidth]) element_exceeded_q <= 1'b1;
    end

    if (framing_state_q == StChoose && encode_step_q == StepRate) begin
      block_left_q   <= block_rate_bytes;
      block_begins_q <= 1'b1;
    end else if (piece_accepted && before_body) begin
      block_left_q   <= block_ends ? left_of_next : block_left_after[7:0];
      block_begins_q <= block_left_after == '0;
      if (framing_state_q == StPad && pad_ends_block) begin
        block_left_q   <= block_rate_bytes;
        block_begins_q <= 1'b1;
      end
    end
  end

  // What the core reads beside the bytes.
  user_t piece_user;
  logic [TidWidth-1:0] piece_tid;
  always_comb begin
    piece_user = s_user;
    piece_tid  = s_tid_i;
    if (framing_state_q != StIdle) begin
      piece_user.code = plain_shake_q ? (is_strong ? FnShake256 : FnShake128) :
          (is_strong ? FnCshake256 : FnCshake128);
      piece_user.bits = (framing_state_q == StFault) ? 3'd1 : 3'd0;
      piece_user.more = 1'b0;
      piece_user.reserved = '0;
      piece_user.length = output_length_q;
      piece_tid = message_tid_q;
    end
  end

  hf_sp800_185_aligner #(
      .DataWidth(DataWidth),
      .TidWidth (TidWidth)
  ) u_aligner (
      .clk_i,
      .rst_i,
      .piece_valid_i(piece_valid),
      .piece_ready_o(piece_ready),
      .piece_data_i (piece_data),
      .piece_count_i(piece_count),
      .piece_last_i (piece_last),
      .piece_raw_i  (piece_raw),
      .piece_keep_i ((framing_state_q == StFault) ? '0 : s_tkeep_i),
      .piece_tid_i  (piece_tid),
      .piece_user_i (piece_user),
      .m_tvalid_o,
      .m_tready_i,
      .m_tdata_o,
      .m_tkeep_o,
      .m_tlast_o,
      .m_tid_o,
      .m_tuser_o
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (!width_legal(DataWidth, 8, 1024)) begin : gen_bad_width
    $fatal(1, "hf_sp800_185: DataWidth is a power of two from 8 to 1024, not %0d", DataWidth);
  end
  if (!tid_legal(TidWidth, 1)) begin : gen_bad_tid
    $fatal(1, "hf_sp800_185: TidWidth is 1 to 16, not %0d", TidWidth);
  end
  if (!width_legal(StringBytes, KeepWidth, 65536)) begin : gen_bad_strings
    $fatal(
        1,
        "hf_sp800_185: StringBytes is a power of two from %0d to 65536, not %0d",
        KeepWidth,
        StringBytes
    );
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
