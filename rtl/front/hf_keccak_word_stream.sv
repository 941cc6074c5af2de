// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream on both sides of an engine with the word contract: checks of the message port, the
// function and the output's length, and results (docs/reference/stream.md). hf_keccak_word_sponge
// pads and squeezes. One message at a time: the next message's first beat is accepted when the
// output before it has left and the state is wiped.
//
// A message's beat waits in a register, its last beat until the output has left, since the bits of
// the last byte are taken from it. An output's beat passes two registers. For engines that accept a
// word in every other clock at most.
//
// Errors: as in hf_keccak_pad. The rest of such a message is discarded.

module hf_keccak_word_stream
  import hf_keccak_pkg::*;
  import hf_keccak_word_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 32,  // of the ports and of the engine's word: 8, 16, 32, 64
    parameter  int unsigned TidWidth = 1,
    parameter  bit          Packets = 1'b0,  // tlast with tuser's `more` set ends a packet only
    parameter  int unsigned Shares = 1,      // of data and words, side by side: as the engine's
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned AddrWidth = word_address_width(DataWidth),
    localparam int unsigned TailWidth = $clog2(DataWidth)
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic                 s_tvalid_i,
    output logic                 s_tready_o,
    input  logic [Shares*DataWidth-1:0] s_tdata_i,
    input  logic [KeepWidth-1:0] s_tkeep_i,
    input  logic                 s_tlast_i,
    input  logic [ TidWidth-1:0] s_tid_i,
    input  logic [UserWidth-1:0] s_tuser_i,

    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    output logic [Shares*DataWidth-1:0] m_tdata_o,
    output logic [KeepWidth-1:0] m_tkeep_o,
    output logic                 m_tlast_o,
    output logic [ TidWidth-1:0] m_tid_o,
    output logic [          4:0] m_tuser_o,
    input  logic                 stop_i,

    // To the engine.
    output logic                 op_valid_o,
    input  logic                 op_ready_i,
    output word_op_e             op_o,
    output logic [AddrWidth-1:0] op_addr_o,
    output logic [KeepWidth-1:0] op_bytes_o,
    output logic [Shares*DataWidth-1:0] op_word_o,
    input  logic [Shares*DataWidth-1:0] word_i
);

  localparam int unsigned LaneAddrAt = $clog2(LaneWidth / DataWidth);

  typedef enum int unsigned {
    StFirst,    // the message's first beat is expected, and read
    StStart,    // it is in the register, and the engine is wiped
    StMessage,
    StDrop,     // the rest of a bad message
    StError     // until the error is on the port
  } state_e;

  // One-hot: a state takes no LUT to decode.
  typedef logic [StError:0] states_t;
  states_t state_d, state_q;
  function automatic states_t one_hot(input state_e state);
    return states_t'(1) << state;
  endfunction

  logic hash_start, hash_stop, sponge_idle, sponge_squeezing, message_ready, message_end;
  logic output_valid, output_ready;
  logic [Shares*DataWidth-1:0] output_word;

  ////////////////////
  // A beat         //
  ////////////////////

  logic beat_valid_q, beat_accepted;
  logic output_sent;  // the message's output has left: so does its last beat
  logic first_beat_read;  // the first beat's fields have been read
  logic [Shares*DataWidth-1:0] beat_data_q;
  // The byte with the message's last bits, if these are not eight; the bytes before it.
  logic [KeepWidth-1:0] partial_byte, whole_bytes_q;
  logic beat_last_q;
  logic [2:0] last_bits_q;  // valid bits in its last byte; 0: all
  logic beat_faulty_q;  // the beat breaks a rule of the port
  logic beat_continues_q;  // it breaks none, and is not the last
  logic message_valid_q;  // its whole bytes are offered
  logic read_fields_q;  // the first beat's fields are read
  logic message_end_q;  // the beat is the last, and its whole bytes are accepted

  user_t s_user;
  logic keep_has_hole, short_not_last, bits_without_byte, beat_last, beat_faulty;
  assign s_user = s_tuser_i;
  logic unused_reserved;
  assign unused_reserved = ^{s_user.reserved, s_user.more};
  assign beat_last = s_tlast_i && !(Packets && s_user.more);
  assign keep_has_hole = |(~s_tkeep_i & (s_tkeep_i >> 1));
  assign short_not_last = !(&s_tkeep_i) && !beat_last;
  assign bits_without_byte = !s_tkeep_i[0] && s_user.bits != '0 && beat_last;
  assign beat_faulty = keep_has_hole || short_not_last || bits_without_byte || s_tid_i != '0;
  assign partial_byte = (beat_last && s_user.bits != '0) ? s_tkeep_i & ~(s_tkeep_i >> 1) : '0;

  assign beat_accepted = s_tvalid_i && s_tready_o;
  assign s_tready_o = first_beat_read ||
      ((state_q[StMessage] || state_q[StDrop]) && !beat_valid_q) ||
      (beat_continues_q && message_valid_q && message_ready);

  always_ff @(posedge clk_i) begin
    if (rst_i) beat_valid_q <= 1'b0;
    else if (s_tready_o) beat_valid_q <= s_tvalid_i;
    else if (output_sent || state_q[StDrop]) beat_valid_q <= 1'b0;
    // A shorter path than with beat_accepted: what is loaded without a beat is not valid.
    if (s_tready_o) begin
      beat_data_q <= s_tdata_i;
      whole_bytes_q <= s_tkeep_i & ~partial_byte;
      beat_last_q <= beat_last;
      last_bits_q <= s_user.bits;
      beat_faulty_q <= beat_faulty;
      beat_continues_q <= !beat_faulty && !beat_last;
    end
    read_fields_q <= state_q[StFirst] && s_tvalid_i && !rst_i;
    message_valid_q <= !rst_i &&
        (hash_start || (beat_accepted && state_q[StMessage] && !beat_faulty) ||
         (message_valid_q && !message_ready));
  end

  ////////////////////
  // A message      //
  ////////////////////

  // Whether a code is supported, as a table of its low bits: two LUTs instead of a carry chain.
  function automatic logic [(1<<FunctionWidth)-1:0] known_codes();
    for (int unsigned i = 0; i < 1 << FunctionWidth; i++) known_codes[i] = function_known(8'(i));
  endfunction
  localparam logic [(1<<FunctionWidth)-1:0] KnownLow = known_codes();

  logic message_legal_q;  // the function is supported, and the first beat breaks no rule
  logic [FunctionWidth-1:0] message_function_q;
  logic [TidWidth-1:0] message_tid_q;
  always_ff @(posedge clk_i) begin
    if (first_beat_read) begin
      message_legal_q <= !beat_faulty && s_user.code.family[3:1] == '0 &&
          KnownLow[FunctionWidth'(s_user.code)];
      message_function_q <= FunctionWidth'(s_user.code);
      message_tid_q <= s_tid_i;
    end
  end

  assign message_end = message_end_q;
  always_ff @(posedge clk_i) begin
    message_end_q <= state_q[StMessage] &&
        (message_end_q || (message_valid_q && message_ready && beat_last_q));
  end

  logic result_complete_q;  // the result's last beat is in a register
  logic result_at_port;  // it is in the port's register
  // The next state as in hf_keccak_word_sponge.
  logic message_dropped;
  assign hash_start = state_q[StStart] && sponge_idle && message_legal_q;
  assign hash_stop = state_q[StMessage] && beat_valid_q && beat_faulty_q;
  assign output_sent = state_q[StMessage] && message_end_q && result_at_port;
  assign message_dropped = state_q[StDrop] && beat_valid_q && beat_last_q;
  always_comb begin
    state_d[StFirst] = (state_q[StFirst] && !first_beat_read) || output_sent ||
        (state_q[StError] && result_at_port);
    state_d[StStart] = (state_q[StFirst] && first_beat_read) || (state_q[StStart] && !sponge_idle);
    state_d[StMessage] = hash_start || (state_q[StMessage] && !hash_stop && !output_sent);
    state_d[StDrop] = (state_q[StStart] && sponge_idle && !message_legal_q) || hash_stop ||
        (state_q[StDrop] && !message_dropped);
    state_d[StError] = message_dropped || (state_q[StError] && !result_at_port);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) state_q <= one_hot(StFirst);
    else state_q <= state_d;
  end

  ////////////////////
  // The output     //
  ////////////////////

  function_info_t beat_info;
  logic unused_stream_info;
  assign beat_info = function_info(FunctionWidth'(s_user.code));
  assign unused_stream_info = ^{beat_info.rate_lanes, beat_info.suffix, beat_info.suffix_len};

  logic lane_known, lane_last, lane_begins, output_empty, output_open;
  logic lane_begun_q;  // the lane began in the clock before: a register in a long path
  logic [$clog2(LaneWidth)-1:0] lane_tail;

  hf_keccak_output_lanes u_lanes (
      .clk_i,
      .rst_i,
      .read_fields_i  (read_fields_q),
      .read_done_o    (first_beat_read),
      .digest_words_i (beat_info.digest_words),
      .output_length_i(s_user.length),
      .lane_known_o   (lane_known),
      .lane_last_o    (lane_last),
      .lane_begin_i   (lane_begun_q),
      .tail_bits_o    (lane_tail),
      .output_empty_o (output_empty),
      .output_open_o  (output_open)
  );

  logic reading_lane_q;  // the words of a lane are read
  logic next_lane_ready_q;  // the next lane can begin
  logic output_empty_q;  // there is no lane at all
  logic last_lane_q;
  logic lane_ends, final_word;  // the word is its lane's last, and the output's
  // output_stopped_q: no further word is read.
  logic output_stop_next, output_stop_pending_q, output_stop_now, output_stopped_q;
  logic next_beat_free, beat_wordless, beat_pushed, output_ends;
  // The next beat is there; it ends the output's bits; it has none.
  logic next_beat_valid_q, next_beat_final_q, next_beat_empty_q;
  logic [Shares*DataWidth-1:0] next_beat_word_q;
  logic [TailWidth-1:0] tail_bits;  // valid bits of the output's last word; 0: all
  logic [KeepWidth-1:0] tail_keep_q;
  logic [DataWidth-1:0] tail_mask_q;

  assign tail_bits = lane_tail[TailWidth-1:0];
  if (LaneAddrAt == 0) begin : gen_lane
    assign final_word = last_lane_q;
    assign lane_ends  = 1'b1;
  end else begin : gen_part
    logic [LaneAddrAt-1:0] word_number, final_number_q;  // the number of the word in its lane
    logic final_word_q, lane_ends_q;
    assign word_number = op_addr_o[LaneAddrAt-1:0];
    assign final_word = final_word_q;
    assign lane_ends = lane_ends_q;
    always_ff @(posedge clk_i) begin
      final_number_q <= lane_tail[$clog2(LaneWidth)-1:TailWidth] - LaneAddrAt'(tail_bits == '0);
      final_word_q <= last_lane_q && word_number == final_number_q;
      lane_ends_q <= (last_lane_q && word_number == final_number_q) || (&word_number);
    end
  end
  // Registered: they are stable long before the last word.
  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      tail_keep_q[b] <= tail_bits == '0 || 32'(tail_bits) > 8 * b;
      if (tail_bits == '0 || 32'(tail_bits) >= 8 * (b + 1)) tail_mask_q[8*b+:8] <= '1;
      else if (32'(tail_bits) > 8 * b) tail_mask_q[8*b+:8] <= ~(8'hff << tail_bits[2:0]);
      else tail_mask_q[8*b+:8] <= '0;
    end
  end

  // A beat moves to the port's register when that is empty: no path leads from m_tready_i to the
  // engine. A word comes in every other clock at most.
  assign next_beat_free = !next_beat_valid_q || !m_tvalid_o;
  // The next beat is empty, and the last.
  assign beat_wordless = output_empty_q || output_stopped_q;
  assign output_ready = next_beat_free && reading_lane_q;
  // No word is being read.
  assign output_stop_now = output_stop_pending_q && (output_valid || !output_ready);
  assign lane_begins = next_lane_ready_q && !output_stopped_q &&
      (!reading_lane_q || (output_valid && lane_ends));
  // In a state, since nothing else is reset: beat_wordless may be high in the clock after.
  assign beat_pushed = output_valid ||
      (next_beat_free && !result_complete_q &&
       (state_q[StMessage] ? beat_wordless : state_q[StError] && sponge_idle));
  assign output_ends = final_word || beat_wordless || state_q[StError];
  assign result_at_port = result_complete_q && !next_beat_valid_q;

  always_ff @(posedge clk_i) begin
    lane_begun_q <= lane_begins && !rst_i;
    output_empty_q <= sponge_squeezing && output_empty;
    next_lane_ready_q <= sponge_squeezing && lane_known && !output_empty && !last_lane_q &&
        !lane_begins && !lane_begun_q;
    reading_lane_q <= !state_q[StFirst] && !output_stop_now &&
        (lane_begins || (reading_lane_q && !(output_valid && lane_ends)));
    if (state_q[StFirst]) last_lane_q <= 1'b0;
    else if (lane_begins) last_lane_q <= lane_last;

    if (state_q[StFirst]) begin
      result_complete_q     <= 1'b0;
      output_stop_pending_q <= 1'b0;
      output_stopped_q      <= 1'b0;
    end else begin
      if (beat_pushed) result_complete_q <= output_ends;
      if (output_stop_next) output_stop_pending_q <= 1'b1;
      if (output_stop_now) output_stopped_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      next_beat_valid_q <= 1'b0;
      m_tvalid_o        <= 1'b0;
    end else begin
      next_beat_valid_q <= beat_pushed || (next_beat_valid_q && m_tvalid_o);
      m_tvalid_o        <= m_tvalid_o ? !m_tready_i : next_beat_valid_q;
    end
    if (next_beat_free) begin
      next_beat_word_q  <= output_word;
      // Between words, shares of other words are there: they must not leave.
      if (Shares > 1 && !output_valid) next_beat_word_q <= '0;
      next_beat_final_q <= final_word;
      next_beat_empty_q <= beat_wordless || state_q[StError];
    end
    if (!m_tvalid_o) begin
      m_tdata_o <= next_beat_word_q;
      m_tkeep_o <= '1;
      if (next_beat_final_q) begin
        m_tdata_o <= next_beat_word_q & {Shares{tail_mask_q}};
        m_tkeep_o <= tail_keep_q;
      end
      if (next_beat_empty_q) begin
        m_tdata_o <= '0;
        m_tkeep_o <= '0;
      end
      m_tlast_o <= next_beat_final_q || next_beat_empty_q;
      m_tid_o   <= message_tid_q;
      m_tuser_o <= {
        output_open && !state_q[StError],
        (next_beat_final_q && !next_beat_empty_q) ? tail_bits[2:0] : 3'd0,
        state_q[StError]
      };
    end
  end

  hf_axis_stop u_stop (
      .clk_i,
      .rst_i,
      .stop_i,
      .take_i(m_tvalid_o && m_tready_i),
      .last_i(m_tlast_o),
      .open_i(m_tuser_o[4]),
      .tid_i (1'b0),
      .stop_o(output_stop_next)
  );

  logic unused_held, unused_window;
  logic [7:0] unused_position;
  hf_keccak_word_sponge #(
      .WordWidth(DataWidth),
      .Holds    (1'b0),
      .Shares   (Shares)
  ) u_sponge (
      .clk_i,
      .rst_i,
      .function_code_i   (message_function_q),
      .hash_start_i      (hash_start),
      .hash_stop_i       (hash_stop),
      .hash_idle_o       (sponge_idle),
      .in_valid_i        (message_valid_q),
      .in_ready_o        (message_ready),
      .in_word_i         (beat_data_q),
      .in_bytes_i        (whole_bytes_q),
      .message_end_i     (message_end),
      .tail_bits_i       (last_bits_q),
      .tail_byte_i       (8'd0),
      .hash_squeezing_o  (sponge_squeezing),
      .out_valid_o       (output_valid),
      .out_ready_i       (output_ready),
      .out_end_i         (result_complete_q),
      .out_word_o        (output_word),
      .hash_hold_i       (1'b0),
      .hash_held_o       (unused_held),
      .block_position_o  (unused_position),
      .hash_resume_i     (1'b0),
      .resume_position_i (8'd0),
      .resume_squeezing_i(1'b0),
      .window_valid_i    (1'b0),
      .window_ready_o    (unused_window),
      .window_op_i       (WordRead),
      .window_addr_i     ('0),
      .window_word_i     ('0),
      .op_valid_o,
      .op_ready_i,
      .op_o,
      .op_addr_o,
      .op_bytes_o,
      .op_word_o,
      .word_i
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (!word_width_legal(DataWidth)) begin : gen_bad_width
    $fatal(1, "hf_keccak_word_stream: DataWidth is 8, 16, 32 or 64, not %0d", DataWidth);
  end
  if (Shares < 1) begin : gen_bad_shares
    $fatal(1, "hf_keccak_word_stream: Shares is 1 or more, not %0d", Shares);
  end
  if (TidWidth < 1 || TidWidth > 16) begin : gen_bad_tid
    $fatal(1, "hf_keccak_word_stream: TidWidth is 1 to 16, not %0d", TidWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
