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
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned AddrWidth = word_address_width(DataWidth),
    localparam int unsigned TailWidth = $clog2(DataWidth)
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic                 s_tvalid_i,
    output logic                 s_tready_o,
    input  logic [DataWidth-1:0] s_tdata_i,
    input  logic [KeepWidth-1:0] s_tkeep_i,
    input  logic                 s_tlast_i,
    input  logic [ TidWidth-1:0] s_tid_i,
    input  logic [UserWidth-1:0] s_tuser_i,

    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    output logic [DataWidth-1:0] m_tdata_o,
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
    output logic [DataWidth-1:0] op_word_o,
    input  logic [DataWidth-1:0] word_i
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

  logic start, stop, idle, squeezing, in_ready, last_given;
  logic out_valid, out_ready;
  logic [DataWidth-1:0] out_word;

  ////////////////////
  // A beat         //
  ////////////////////

  logic beat_valid_q, beat_accept;
  logic output_done;  // the message's output has left: so does its last beat
  logic first_read;  // the first beat's fields have been read
  logic [DataWidth-1:0] beat_data_q;
  // The byte with the message's last bits, if these are not eight; the bytes before it.
  logic [KeepWidth-1:0] s_tail, beat_whole_q;
  logic beat_last_q;
  logic [2:0] beat_bits_q;  // valid bits in its last byte; 0: all
  logic beat_bad_q;  // the beat breaks a rule of the port
  logic beat_part_q;  // it breaks none, and is not the last
  logic in_valid_q;  // its whole bytes are offered
  logic read_q;  // the first beat's fields are read
  logic beat_given_q;  // it is the last, and they are

  user_t s_user;
  logic hole, partial, no_byte, last, bad;
  assign s_user = s_tuser_i;
  logic unused_reserved;
  assign unused_reserved = ^{s_user.reserved, s_user.more};
  assign last = s_tlast_i && !(Packets && s_user.more);
  assign hole = |(~s_tkeep_i & (s_tkeep_i >> 1));
  assign partial = !(&s_tkeep_i) && !last;
  assign no_byte = !s_tkeep_i[0] && s_user.bits != '0 && last;
  assign bad = hole || partial || no_byte || s_tid_i != '0;
  assign s_tail = (last && s_user.bits != '0) ? s_tkeep_i & ~(s_tkeep_i >> 1) : '0;

  assign beat_accept = s_tvalid_i && s_tready_o;
  assign s_tready_o = first_read ||
      ((state_q[StMessage] || state_q[StDrop]) && !beat_valid_q) ||
      (beat_part_q && in_valid_q && in_ready);

  always_ff @(posedge clk_i) begin
    if (rst_i) beat_valid_q <= 1'b0;
    else if (s_tready_o) beat_valid_q <= s_tvalid_i;
    else if (output_done || state_q[StDrop]) beat_valid_q <= 1'b0;
    // A shorter path than with beat_accept: what is loaded without a beat is not valid.
    if (s_tready_o) begin
      beat_data_q <= s_tdata_i;
      beat_whole_q <= s_tkeep_i & ~s_tail;
      beat_last_q <= last;
      beat_bits_q <= s_user.bits;
      beat_bad_q  <= bad;
      beat_part_q <= !bad && !last;
    end
    read_q <= state_q[StFirst] && s_tvalid_i && !rst_i;
    in_valid_q <= !rst_i && (start || (beat_accept && state_q[StMessage] && !bad) ||
                             (in_valid_q && !in_ready));
  end

  ////////////////////
  // A message      //
  ////////////////////

  // Whether a code is supported, as a table of its low bits: two LUTs instead of a carry chain.
  function automatic logic [(1<<FunctionWidth)-1:0] known_codes();
    for (int unsigned i = 0; i < 1 << FunctionWidth; i++) known_codes[i] = function_known(8'(i));
  endfunction
  localparam logic [(1<<FunctionWidth)-1:0] KnownLow = known_codes();

  logic known_q;  // the function is supported, and the first beat breaks no rule
  logic [FunctionWidth-1:0] function_q;
  logic [TidWidth-1:0] tid_q;
  always_ff @(posedge clk_i) begin
    if (first_read) begin
      known_q    <= !bad && s_user.code.family[3:1] == '0 && KnownLow[FunctionWidth'(s_user.code)];
      function_q <= FunctionWidth'(s_user.code);
      tid_q      <= s_tid_i;
    end
  end

  assign last_given = beat_given_q;
  always_ff @(posedge clk_i) begin
    beat_given_q <= state_q[StMessage] && (beat_given_q || (in_valid_q && in_ready && beat_last_q));
  end

  logic done_q, done;  // the result's last beat is in a register; in the one of the port
  // The next state as in hf_keccak_word_sponge.
  logic dropped;
  assign start = state_q[StStart] && idle && known_q;
  assign stop = state_q[StMessage] && beat_valid_q && beat_bad_q;
  assign output_done = state_q[StMessage] && beat_given_q && done;
  assign dropped = state_q[StDrop] && beat_valid_q && beat_last_q;
  always_comb begin
    state_d[StFirst] = (state_q[StFirst] && !first_read) || output_done ||
        (state_q[StError] && done);
    state_d[StStart] = (state_q[StFirst] && first_read) || (state_q[StStart] && !idle);
    state_d[StMessage] = start || (state_q[StMessage] && !stop && !output_done);
    state_d[StDrop] = (state_q[StStart] && idle && !known_q) || stop ||
        (state_q[StDrop] && !dropped);
    state_d[StError] = dropped || (state_q[StError] && !done);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) state_q <= one_hot(StFirst);
    else state_q <= state_d;
  end

  ////////////////////
  // The output     //
  ////////////////////

  function_info_t info;
  logic unused_stream_info;
  assign info = function_info(FunctionWidth'(s_user.code));
  assign unused_stream_info = ^{info.rate_lanes, info.suffix, info.suffix_len};

  logic lane_known, lane_last, lane_begins, none, open;
  logic lane_begun_q;  // the lane began in the clock before: a register in a long path
  logic [$clog2(LaneWidth)-1:0] lane_tail;

  hf_keccak_output_lanes u_lanes (
      .clk_i,
      .rst_i,
      .read_i        (read_q),
      .read_done_o   (first_read),
      .digest_words_i(info.digest_words),
      .length_i      (s_user.length),
      .lane_known_o  (lane_known),
      .lane_last_o   (lane_last),
      .lane_begin_i  (lane_begun_q),
      .tail_o        (lane_tail),
      .none_o        (none),
      .open_o        (open)
  );

  logic lane_q;  // the words of a lane are read
  logic lane_next_q;  // the next lane can begin
  logic none_q;  // there is none at all
  logic last_lane_q;
  logic lane_ends, final_word;  // the word is its lane's last, and the output's
  // stopped_q: no further word is read.
  logic stop_next, stop_pending_q, stop_now, stopped_q;
  logic room, wordless, push, ends;
  // The next beat: its word; it has none; it ends the output's bits.
  logic next_q, final_q, empty_q;
  logic [DataWidth-1:0] word_q;
  logic [TailWidth-1:0] tail;  // valid bits of the output's last word; 0: all
  logic [KeepWidth-1:0] tail_keep_q;
  logic [DataWidth-1:0] tail_mask_q;

  assign tail = lane_tail[TailWidth-1:0];
  if (LaneAddrAt == 0) begin : gen_lane
    assign final_word = last_lane_q;
    assign lane_ends  = 1'b1;
  end else begin : gen_part
    logic [LaneAddrAt-1:0] part, final_part_q;  // the number of the word in its lane
    logic final_word_q, lane_ends_q;
    assign part = op_addr_o[LaneAddrAt-1:0];
    assign final_word = final_word_q;
    assign lane_ends = lane_ends_q;
    always_ff @(posedge clk_i) begin
      final_part_q <= lane_tail[$clog2(LaneWidth)-1:TailWidth] - LaneAddrAt'(tail == '0);
      final_word_q <= last_lane_q && part == final_part_q;
      lane_ends_q  <= (last_lane_q && part == final_part_q) || (&part);
    end
  end
  // Registered: they are stable long before the last word.
  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      tail_keep_q[b] <= tail == '0 || 32'(tail) > 8 * b;
      if (tail == '0 || 32'(tail) >= 8 * (b + 1)) tail_mask_q[8*b+:8] <= '1;
      else if (32'(tail) > 8 * b) tail_mask_q[8*b+:8] <= ~(8'hff << tail[2:0]);
      else tail_mask_q[8*b+:8] <= '0;
    end
  end

  // A beat moves to the port's register when that is empty: no path leads from m_tready_i to the
  // engine. A word comes in every other clock at most.
  assign room = !next_q || !m_tvalid_o;
  assign wordless = none_q || stopped_q;  // the next beat is empty, and the last
  assign out_ready = room && lane_q;
  assign stop_now  = stop_pending_q && (out_valid || !out_ready);  // no word is being read
  assign lane_begins = lane_next_q && !stopped_q && (!lane_q || (out_valid && lane_ends));
  // In a state, since nothing else is reset: wordless may be high in the clock after.
  assign push = out_valid || (room && !done_q &&
                              (state_q[StMessage] ? wordless : state_q[StError] && idle));
  assign ends = final_word || wordless || state_q[StError];
  assign done = done_q && !next_q;

  always_ff @(posedge clk_i) begin
    lane_begun_q <= lane_begins && !rst_i;
    none_q <= squeezing && none;
    lane_next_q <= squeezing && lane_known && !none && !last_lane_q && !lane_begins &&
        !lane_begun_q;
    lane_q <= !state_q[StFirst] && !stop_now &&
        (lane_begins || (lane_q && !(out_valid && lane_ends)));
    if (state_q[StFirst]) last_lane_q <= 1'b0;
    else if (lane_begins) last_lane_q <= lane_last;

    if (state_q[StFirst]) begin
      done_q         <= 1'b0;
      stop_pending_q <= 1'b0;
      stopped_q      <= 1'b0;
    end else begin
      if (push) done_q <= ends;
      if (stop_next) stop_pending_q <= 1'b1;
      if (stop_now) stopped_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      next_q     <= 1'b0;
      m_tvalid_o <= 1'b0;
    end else begin
      next_q     <= push || (next_q && m_tvalid_o);
      m_tvalid_o <= m_tvalid_o ? !m_tready_i : next_q;
    end
    if (room) begin
      word_q  <= out_word;
      final_q <= final_word;
      empty_q <= wordless || state_q[StError];
    end
    if (!m_tvalid_o) begin
      m_tdata_o <= word_q;
      m_tkeep_o <= '1;
      if (final_q) begin
        m_tdata_o <= word_q & tail_mask_q;
        m_tkeep_o <= tail_keep_q;
      end
      if (empty_q) begin
        m_tdata_o <= '0;
        m_tkeep_o <= '0;
      end
      m_tlast_o <= final_q || empty_q;
      m_tid_o   <= tid_q;
      m_tuser_o <= {
        open && !state_q[StError],
        (final_q && !empty_q) ? tail[2:0] : 3'd0,
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
      .stop_o(stop_next)
  );

  logic unused_held, unused_window;
  logic [7:0] unused_position;
  hf_keccak_word_sponge #(
      .WordWidth(DataWidth),
      .Holds    (1'b0)
  ) u_sponge (
      .clk_i,
      .rst_i,
      .function_i        (function_q),
      .start_i           (start),
      .stop_i            (stop),
      .idle_o            (idle),
      .in_valid_i        (in_valid_q),
      .in_ready_o        (in_ready),
      .in_word_i         (beat_data_q),
      .in_bytes_i        (beat_whole_q),
      .last_i            (last_given),
      .tail_bits_i       (beat_bits_q),
      .tail_byte_i       (8'd0),
      .squeezing_o       (squeezing),
      .out_valid_o       (out_valid),
      .out_ready_i       (out_ready),
      .out_end_i         (done_q),
      .out_word_o        (out_word),
      .hold_i            (1'b0),
      .held_o            (unused_held),
      .position_o        (unused_position),
      .resume_i          (1'b0),
      .position_i        (8'd0),
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
  if (TidWidth < 1 || TidWidth > 16) begin : gen_bad_tid
    $fatal(1, "hf_keccak_word_stream: TidWidth is 1 to 16, not %0d", TidWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
