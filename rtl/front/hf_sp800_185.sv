// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The framing of SP 800-185 in front of a stream top: cSHAKE with N and S (section 3.3), KMAC and
// KMACXOF (4.3), TupleHash and TupleHashXOF (5.3), of any number of bytes. Codes, packets and
// faults are specified in docs/reference/sp800-185.md. The core after it hashes with the sponge of
// cSHAKE; it needs no change. Messages of its own functions pass unchanged.
//
//   s_* --> framing: encodings, strings, padding, beats --> piece --> aligner --> m_*
//                       |
//                    strings: N, S and the key in a block RAM
//
// A message is made of pieces of 0 to DataWidth / 8 bytes: an encoding, a word of a stored string,
// zeros of bytepad, a beat of the message. The aligner joins them, so that all beats but the last
// are full. A beat of a message takes a clock; an encoding three, a word of a string four, and a
// word of padding one. Two clocks lead from a beat to the core.
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
  localparam int unsigned HeldWidth = (KeepWidth > 1) ? $clog2(KeepWidth) : 1;
  localparam int unsigned Words = (StringBytes > KeepWidth) ? StringBytes / KeepWidth : 1;
  localparam int unsigned WordWidth = (Words > 1) ? $clog2(Words) : 1;
  localparam int unsigned SizeWidth = $clog2(StringBytes + 1);

  typedef logic [CountWidth-1:0] count_t;

  function automatic logic [KeepWidth-1:0] keep_of(input logic [CountWidth-1:0] count);
    for (int unsigned b = 0; b < KeepWidth; b++) keep_of[b] = 32'(count) > b;
  endfunction

  ////////////////////
  // The beat       //
  ////////////////////

  user_t s_user;
  logic s_hole, s_full, s_end;  // s_end: the beat ends its message
  count_t s_count;
  assign s_user = s_tuser_i;
  assign s_full = &s_tkeep_i;
  assign s_hole = |(~s_tkeep_i & (s_tkeep_i >> 1));
  assign s_end = s_tlast_i && !s_user.more;
  always_comb begin
    s_count = '0;
    for (int unsigned b = 0; b < KeepWidth; b++) s_count = s_count + count_t'(s_tkeep_i[b]);
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

  // What is encoded next.
  typedef enum logic [2:0] {
    StepRate,     // bytepad's width, and the name of KMAC or TupleHash
    StepName,     // N, or the end of the name
    StepCustom,   // S
    StepKeyRate,  // the width again
    StepKey,
    StepElement,  // a string of the tuple
    StepEnd       // the output's length
  } step_e;

  state_e state_d, state_q;
  step_e step_d, step_q;
  logic within_q;  // a message that passes has begun
  logic [7:0] code_q;
  logic [LengthWidth-1:0] length_q;  // of the output
  logic [TidWidth-1:0] tid_q;
  logic more_d, more_q;  // another string of the tuple follows
  logic over_d, over_q;  // the bad message has ended

  kind_e kind, s_kind;
  logic tuple, mac, xof, wide;
  assign kind  = kind_e'(code_q[7:1]);
  assign wide  = code_q[0];
  assign tuple = kind == KindTupleHash || kind == KindTupleHashXof;
  assign mac   = kind == KindKmac || kind == KindKmacXof;
  assign xof   = kind == KindKmacXof || kind == KindTupleHashXof;

  // Strings: their lengths; a load of one has failed.
  logic [3:0][SizeWidth-1:0] size_q;
  logic [3:0] broken_q;
  logic [1:0] string_d, string_q;  // the one being stored or added

  // A message that is framed: it cannot be; it is SHAKE.
  logic s_tuple, s_plain, s_refused, s_open;
  assign s_kind = kind_e'(s_user.code[7:1]);
  assign s_tuple = s_kind == KindTupleHash || s_kind == KindTupleHashXof;
  assign s_plain = s_kind == KindCshake && size_q[StringName] == '0 && size_q[StringCustom] == '0;
  assign s_open = &s_user.length && (s_kind == KindKmac || s_kind == KindTupleHash);
  assign s_refused = s_open || broken_q[StringCustom] ||
      (s_kind == KindCshake && broken_q[StringName]) ||
      ((s_kind == KindKmac || s_kind == KindKmacXof) && broken_q[StringKey]) ||
      (s_tuple && !(s_tlast_i && s_tkeep_i == '0));

  logic plain_q;
  logic begins;  // a framed message, or a load
  assign begins = state_q == StIdle && s_tvalid_i && !within_q &&
      (is_framed(s_user.code) || is_load(s_user.code));

  // A beat of the body, or of a string that is stored, breaks a rule.
  logic bad_beat;
  logic closes;  // the beat ends the message, or a string of the tuple
  assign closes   = s_tlast_i && (tuple || !s_user.more);
  assign bad_beat = s_hole || (!s_full && !closes) || (closes && s_user.bits != '0) ||
      s_tid_i != tid_q;

  ////////////////////
  // Loads          //
  ////////////////////

  // `word_q` is the word that is stored next; `load_full_q`: there is none.
  localparam int unsigned AddrWidth = $clog2(4 * Words);
  logic load_full_q, bad_load, load;
  logic [AddrWidth-1:0] addr;
  logic [WordWidth-1:0] word_q;
  logic [DataWidth-1:0] word;
  assign addr = (Words > 1) ? AddrWidth'({string_q, word_q}) : AddrWidth'(string_q);
  assign bad_load = s_tvalid_i && (bad_beat || (load_full_q && s_tkeep_i[0]));
  assign load = state_q == StLoad && s_tvalid_i && !bad_load;

  hf_ram #(
      .Width(DataWidth),
      .Depth(4 * Words)
  ) u_strings (
      .clk_i,
      .write_i     (load && s_tkeep_i[0]),
      .write_addr_i(addr),
      .write_data_i(s_tdata_i),
      .read_addr_i (addr),
      .read_data_o (word)
  );

  ////////////////////
  // Pieces         //
  ////////////////////

  logic piece, piece_go;  // a piece is offered to the aligner, which accepts it
  logic [DataWidth-1:0] piece_data;
  count_t piece_count;
  logic piece_last, piece_raw;  // raw: a beat for the core as it is

  logic [7:0] fill_q;  // bytes of the block so far
  logic [7:0] rate;
  logic [63:0] literal_q;
  logic [3:0] literal_count_q;
  logic [NumberWidth-1:0] number_q;
  logic fixed_q;  // the literal is no number
  logic left_q;  // left_encode
  logic [LengthWidth-1:0] element_q;  // bytes of the tuple's string that are missing
  logic [SizeWidth-1:0] string_left_q;
  logic [1:0] wait_q;  // clocks until the word is read

  assign rate = wide ? 8'd136 : 8'd168;

  logic [7:0] pad_left;
  assign pad_left = rate - fill_q;

  logic word_read, string_end, literal_end, pad_end;
  assign word_read = wait_q == '0;
  assign string_end = 32'(string_left_q) <= KeepWidth;
  assign literal_end = 32'(literal_count_q) <= KeepWidth;
  assign pad_end = 32'(pad_left) <= KeepWidth;

  // The body is followed by the output's length, but of cSHAKE.
  logic closed;
  assign closed = tuple || mac;

  logic body_beat;  // a good beat is offered
  assign body_beat = state_q == StBody && s_tvalid_i && !bad_beat;

  always_comb begin
    piece       = 1'b0;
    piece_data  = s_tdata_i;
    piece_count = s_count;
    piece_last  = 1'b0;
    piece_raw   = 1'b0;
    unique case (state_q)
      StIdle: begin
        piece      = s_tvalid_i && !begins;
        piece_last = s_tlast_i;
        piece_raw  = 1'b1;
      end
      StLiteral: begin
        piece       = 1'b1;
        piece_data  = DataWidth'(literal_q);
        piece_count = literal_end ? count_t'(literal_count_q) : count_t'(KeepWidth);
        piece_last  = literal_end && step_q == StepEnd;
      end
      StString: begin
        piece       = word_read;
        piece_data  = word;
        piece_count = string_end ? count_t'(string_left_q) : count_t'(KeepWidth);
      end
      StPad: begin
        piece       = fill_q != '0;
        piece_data  = '0;
        piece_count = pad_end ? count_t'(pad_left) : count_t'(KeepWidth);
      end
      StBody: begin
        piece      = body_beat;
        piece_last = s_end && !closed;
      end
      StFault: begin
        piece       = 1'b1;
        piece_count = '0;
        piece_last  = 1'b1;
        piece_raw   = 1'b1;
      end
      default: ;
    endcase
  end

  // The first beat of a tuple has nothing to add.
  logic head;
  assign head = begins && s_tuple && !s_refused && !is_load(s_user.code);
  assign s_tready_o = head || (piece_go && (state_q == StIdle || state_q == StBody)) ||
      (state_q == StLoad && !bad_load) || state_q == StDrop;

  ////////////////////
  // Order          //
  ////////////////////

  always_comb begin
    state_d  = state_q;
    step_d   = step_q;
    string_d = string_q;
    more_d   = more_q;
    over_d   = over_q;
    unique case (state_q)
      StIdle:
      if (begins) begin
        over_d = 1'b0;
        more_d = s_user.more;
        step_d = StepRate;
        if (is_load(s_user.code)) begin
          state_d  = StLoad;
          string_d = s_user.code[1:0];
        end else if (s_refused) state_d = StFault;
        else state_d = s_plain ? StBody : StChoose;
      end
      StChoose: if (step_q != StepElement || s_tvalid_i) state_d = StEncode;
      StEncode: state_d = StLiteral;
      StLiteral:
      if (piece_go && literal_end) begin
        unique case (step_q)
          StepRate: begin
            state_d = StChoose;
            step_d  = mac ? StepCustom : StepName;
          end
          StepName: begin
            string_d = StringName;
            step_d   = StepCustom;
            state_d  = (tuple || size_q[StringName] == '0) ? StChoose : StString;
          end
          StepCustom: begin
            string_d = StringCustom;
            step_d   = StepKeyRate;
            state_d  = (size_q[StringCustom] == '0) ? StPad : StString;
          end
          StepKeyRate: begin
            step_d  = StepKey;
            state_d = StChoose;
          end
          StepKey: begin
            string_d = StringKey;
            step_d   = StepEnd;
            state_d  = (size_q[StringKey] == '0) ? StPad : StString;
          end
          StepElement: state_d = StBody;
          default: state_d = StIdle;  // StepEnd
        endcase
      end
      StString: if (piece_go && string_end) state_d = (step_q == StepCustom) ? StChoose : StPad;
      StPad:
      if (fill_q == '0 || (piece_go && pad_end)) begin
        if (step_q == StepKeyRate && mac) state_d = StChoose;
        else if (tuple) begin
          state_d = StChoose;
          step_d  = more_q ? StepElement : StepEnd;
        end else begin
          state_d = StBody;
          step_d  = StepEnd;
        end
      end
      StBody:
      if (s_tvalid_i && bad_beat) state_d = StFault;
      else if (piece_go && s_tlast_i && tuple) begin
        more_d  = s_user.more;
        state_d = StCheck;
      end else if (piece_go && s_end) state_d = closed ? StChoose : StIdle;
      StCheck:
      if (element_q != '0) begin
        over_d  = !more_q;
        state_d = StFault;
      end else begin
        state_d = StChoose;
        step_d  = more_q ? StepElement : StepEnd;
      end
      StLoad:
      if (bad_load) state_d = StFault;
      else if (load && s_end) state_d = StIdle;
      StFault: if (piece_go) state_d = over_q ? StIdle : StDrop;
      StDrop: if (s_tvalid_i && s_end) state_d = StIdle;
      default: state_d = StIdle;
    endcase
  end

  // The block's bytes: of what is in front of the message only.
  logic [8:0] filled;
  assign filled = 9'(fill_q) + 9'(piece_count);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q  <= StIdle;
      within_q <= 1'b0;
      size_q   <= '0;
      broken_q <= '0;
    end else begin
      state_q <= state_d;
      if (state_q == StIdle && piece_go) within_q <= !s_tlast_i;
      if (load && s_end) begin
        size_q[string_q]   <= (SizeWidth'(word_q) << $clog2(KeepWidth)) + SizeWidth'(s_count);
        broken_q[string_q] <= 1'b0;
        // An empty beat after the last word.
        if (load_full_q) size_q[string_q] <= SizeWidth'(StringBytes);
      end
      if (state_q == StLoad && bad_load) broken_q[string_q] <= 1'b1;
    end
    step_q   <= step_d;
    string_q <= string_d;
    more_q   <= more_d;
    over_q   <= over_d;
    if (begins) begin
      code_q   <= s_user.code;
      length_q <= s_user.length;
      tid_q    <= s_tid_i;
      plain_q  <= s_plain;
    end

    // The number, or the text, of a step.
    if (state_q == StChoose) begin
      left_q  <= step_q != StepEnd;
      fixed_q <= step_q == StepRate || step_q == StepKeyRate || (step_q == StepName && tuple);
      unique case (step_q)
        StepName:    number_q <= NumberWidth'({size_q[StringName], 3'd0});
        StepCustom:  number_q <= NumberWidth'({size_q[StringCustom], 3'd0});
        StepKey:     number_q <= NumberWidth'({size_q[StringKey], 3'd0});
        StepElement: number_q <= NumberWidth'({s_user.length, 3'd0});
        default:     number_q <= xof ? '0 : NumberWidth'(length_q);
      endcase
      if (step_q == StepElement) element_q <= s_user.length;
    end
    if (body_beat && piece_go) element_q <= element_q - LengthWidth'(s_count);
    if (state_q == StEncode) begin
      literal_q <= encoded(number_q, left_q);
      literal_count_q <= 4'(digits(number_q)) + 4'd1;
      if (fixed_q) begin
        // First byte lowest: left_encode of the rate, and of 32 or 72 bits; "KMAC", or "Tupl" and
        // then "eHash".
        literal_q <= {tuple ? "lpuT" : "CAMK", tuple ? 8'd72 : 8'd32, 8'd1, rate, 8'd1};
        literal_count_q <= (step_q == StepRate && (tuple || mac)) ? 4'd8 : 4'd2;
        if (step_q == StepName) begin
          literal_q[39:0]  <= "hsaHe";
          literal_count_q <= 4'd5;
        end
      end
    end
    if (state_q == StLiteral && piece_go) begin
      literal_q <= literal_q >> DataWidth;
      literal_count_q <= literal_count_q - 4'(KeepWidth);
    end

    if (state_q == StIdle) fill_q <= '0;
    else if (piece_go && (state_q == StLiteral || state_q == StString || state_q == StPad)) begin
      fill_q <= (filled >= 9'(rate)) ? 8'(filled - 9'(rate)) : 8'(filled);
    end

    // A string's words, to store or to add.
    if (state_q == StIdle || state_q == StLiteral) begin
      word_q <= '0;
      load_full_q <= 1'b0;
      string_left_q <= size_q[string_d];
    end else if (load || (state_q == StString && piece_go)) begin
      word_q <= word_q + WordWidth'(1);
      if (32'(word_q) == Words - 1) load_full_q <= 1'b1;
      string_left_q <= string_left_q - SizeWidth'(KeepWidth);
    end
    if (state_q != StString || piece_go) wait_q <= 2'd2;
    else if (wait_q != '0) wait_q <= wait_q - 2'd1;
  end

  // What the core reads beside the bytes.
  user_t user;
  logic [TidWidth-1:0] tid;
  always_comb begin
    user = s_user;
    tid  = s_tid_i;
    if (state_q != StIdle) begin
      user.code     = plain_q ? (wide ? FnShake256 : FnShake128)
                                           : (wide ? FnCshake256 : FnCshake128);
      user.bits     = (state_q == StFault) ? 3'd1 : 3'd0;
      user.more     = 1'b0;
      user.reserved = '0;
      user.length   = length_q;
      tid           = tid_q;
    end
  end

  ////////////////////
  // The aligner    //
  ////////////////////

  // The piece to be added; the bytes that fill no beat yet; what is left of the last piece.
  logic p_valid_q, p_last_q, p_raw_q, p_take;
  logic [DataWidth-1:0] p_data_q;
  logic [KeepWidth-1:0] p_keep_q;
  count_t p_count_q;
  logic [TidWidth-1:0] p_tid_q;
  logic [UserWidth-1:0] p_user_q;
  logic [DataWidth-1:0] held_q;
  logic [HeldWidth-1:0] held_count_q;
  logic tail_q;

  // The piece after the bytes that are held: rotated, its first bytes go to this beat, and the
  // others to the next. A last piece for which one beat is too small stays for a second one.
  logic [DataWidth-1:0] rotated, joint;
  logic [CountWidth:0] total;
  logic full, splits, room;
  assign total = (CountWidth + 1)'(held_count_q) + (CountWidth + 1)'(p_count_q);
  assign full = 32'(total) >= KeepWidth;
  assign splits = !p_raw_q && p_last_q && 32'(total) > KeepWidth;
  assign p_take = p_valid_q && room && (tail_q || !splits);
  assign piece_go = piece && (!p_valid_q || p_take);
  always_comb begin
    rotated = p_data_q;
    for (int unsigned k = 0; k < HeldWidth; k++) begin
      if (held_count_q[k]) begin
        rotated = (rotated << (8 << k)) | (rotated >> (DataWidth - (8 << k)));
      end
    end
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      joint[8*b+:8] = (b < 32'(held_count_q)) ? held_q[8*b+:8] : rotated[8*b+:8];
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      p_valid_q    <= 1'b0;
      tail_q       <= 1'b0;
      held_count_q <= '0;
    end else begin
      p_valid_q <= piece_go || (p_valid_q && !p_take);
      if (p_valid_q && room) begin
        tail_q <= !tail_q && splits;
        // The low bits: less KeepWidth, if the beat is full.
        held_count_q <= (KeepWidth > 1 && !tail_q && !p_raw_q && (splits || !p_last_q)) ?
            HeldWidth'(total) : '0;
      end
    end
    if (piece_go) begin
      p_data_q  <= piece_data;
      p_keep_q  <= (state_q == StFault) ? '0 : s_tkeep_i;
      p_count_q <= piece_count;
      p_last_q  <= piece_last;
      p_raw_q   <= piece_raw;
      p_tid_q   <= tid;
      p_user_q  <= user;
    end
    if (p_valid_q && room) held_q <= full ? rotated : joint;
  end

  logic o_last;
  logic [KeepWidth-1:0] o_keep;
  assign o_last = p_last_q && (tail_q || !splits);
  assign o_keep = tail_q ? keep_of(count_t'(held_count_q)) :
      p_raw_q ? p_keep_q : full ? '1 : keep_of(count_t'(total));

  hf_axis_slice #(
      .Width(DataWidth + KeepWidth + 1 + TidWidth + UserWidth)
  ) u_slice (
      .clk_i,
      .rst_i,
      .s_valid_i(p_valid_q && (p_raw_q || full || p_last_q)),
      .s_ready_o(room),
      .s_data_i ({joint, o_keep, o_last, p_tid_q, p_user_q}),
      .m_valid_o(m_tvalid_o),
      .m_ready_i(m_tready_i),
      .m_data_o ({m_tdata_o, m_tkeep_o, m_tlast_o, m_tid_o, m_tuser_o})
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (!width_legal(DataWidth, 8, 1024)) begin : gen_bad_width
    $fatal(1, "hf_sp800_185: DataWidth is a power of two from 8 to 1024, not %0d", DataWidth);
  end
  if (!tid_legal(TidWidth, 1)) begin : gen_bad_tid
    $fatal(1, "hf_sp800_185: TidWidth is 1 to 16, not %0d", TidWidth);
  end
  if (!width_legal(StringBytes, KeepWidth, 65536)) begin : gen_bad_strings
    $fatal(1, "hf_sp800_185: StringBytes is a power of two from %0d to 65536, not %0d", KeepWidth,
           StringBytes);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
