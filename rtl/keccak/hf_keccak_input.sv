// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The message input: beats of many slots in, words in each slot's queue out: the domain suffix and
// the first 1 of pad10*1 (FIPS 202, sections 5.1 and 6) are put behind the message here, zeros
// behind them; what depends on the block (the pad's last 1) is hf_keccak_scheduler's.
//
// Beats of different slots may follow each other in any order. A slot holds one message from its
// first beat until `done_i`. A beat waits until its slot has room; `slot_room_o` says beforehand
// which slots have, so that a sender need not hold up one message behind another.
//
// What the port asks for is checked: a hole in tkeep, a short beat that is not the last, bits in an
// empty last byte, an unknown function: the rest of such a message is swallowed and it ends as
// `bad`. A message whose tid is invalid (it names no slot) is swallowed, never waits, and
// `tid_error_o` asks for its error; while 15 such errors are pending, further ones are lost.
//
// One beat a clock; a suffix that has no room in the last word takes one more.

module hf_keccak_input
  import hf_keccak_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 128,
    parameter  int unsigned Slots = 4,
    parameter  int unsigned TidWidth = 2,
    parameter  int unsigned QueueWords = 32,
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned WordWidth = $clog2(QueueWords),
    localparam int unsigned LaneBits = $clog2(DataWidth / LaneWidth)
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
    output logic [    Slots-1:0] slot_room_o,

    // Into the queues.
    output logic                 write_o,
    output logic [SlotWidth-1:0] write_slot_o,
    output logic [WordWidth-1:0] write_word_o,
    output logic [DataWidth-1:0] write_data_o,

    // A message begins in a slot: the output it is to give.
    output logic                          begin_o,
    output logic [         SlotWidth-1:0] begin_slot_o,
    output logic [                  34:0] begin_lanes_o,  // in lanes, rounded up
    output logic [                   5:0] begin_tail_o,   // bits in the last of them; 0: all
    output logic                          begin_open_o,   // none of that: it runs until stopped

    // Each slot's message. Pointers count round the queue.
    output logic [Slots-1:0][          4:0] rate_o,   // in lanes
    output logic [Slots-1:0][WordWidth-1:0] words_o,  // where the next word will be written
    output logic [Slots-1:0]                ended_o,  // its end has been written, namely
    output logic [Slots-1:0][WordWidth+LaneBits-1:0] end_o,  // the suffix ends in this lane,
    output logic [Slots-1:0]                exact_o,  // in its last bit
    output logic [Slots-1:0]                bad_o,    // it is not what the port asks for
    input  logic [Slots-1:0]                done_i,   // all blocks of it are under way
    input  logic [Slots-1:0][WordWidth-1:0] used_i,   // the oldest word that is still wanted

    output logic                tid_error_o,  // stays until tid_error_done_i
    output logic [TidWidth-1:0] tid_error_tid_o,
    input  logic                tid_error_done_i
);

  ////////////////////
  // One beat       //
  ////////////////////

  logic a_valid_q, a_take, accept;
  logic [DataWidth-1:0] a_data_q;
  logic [KeepWidth-1:0] a_keep_q;
  logic a_first_q, a_last_q, a_bad_q, a_invalid_q;
  logic [TidWidth-1:0] a_tid_q;
  logic a_known_q;  // the function is one of ours, namely:
  logic [FunctionWidth-1:0] a_function_q;
  logic [LengthWidth-1:0] a_length_q;
  logic [2:0] a_bits_q;  // valid bits in the message's last byte; 0: all, or not the last beat

  user_t s_user;
  logic hole, partial, no_byte, invalid_tid;
  assign s_user = s_tuser_i;
  logic unused_reserved;
  assign unused_reserved = ^s_user.reserved;
  assign hole = |(~s_tkeep_i & (s_tkeep_i >> 1));
  assign partial = !(&s_tkeep_i) && !s_tlast_i;
  assign no_byte = !s_tkeep_i[0] && s_user.bits != '0;
  assign invalid_tid = 32'(s_tid_i) >= Slots;

  assign s_tready_o = !a_valid_q || a_take;
  assign accept = s_tvalid_i && s_tready_o;

  logic [Slots-1:0] within_q;  // between a message's first beat and its last
  logic [SlotWidth-1:0] s_slot, a_slot;
  assign s_slot = SlotWidth'(s_tid_i);
  assign a_slot = SlotWidth'(a_tid_q);

  always_ff @(posedge clk_i) begin
    if (rst_i) a_valid_q <= 1'b0;
    else if (s_tready_o) a_valid_q <= s_tvalid_i;
    if (s_tready_o) begin
      a_data_q <= s_tdata_i;
      a_keep_q <= s_tkeep_i;
      a_first_q <= !within_q[s_slot];
      a_last_q <= s_tlast_i;
      a_tid_q <= s_tid_i;
      a_known_q <= function_known(s_user.code);
      a_function_q <= FunctionWidth'(s_user.code);
      a_length_q <= s_user.length;
      a_bits_q <= s_tlast_i ? s_user.bits : 3'd0;
      a_bad_q <= hole || partial || no_byte;
      a_invalid_q <= invalid_tid;
    end
    if (rst_i) within_q <= '0;
    else if (accept && !invalid_tid) within_q[s_slot] <= !s_tlast_i;
  end

  ////////////////////
  // Its slot       //
  ////////////////////

  function_info_t info;
  assign info = function_info(a_function_q);

  logic [Slots-1:0][4:0] suffix_q;
  logic [Slots-1:0][2:0] suffix_len_q;
  logic [Slots-1:0] drop_q;  // the rest of its message is swallowed
  logic [Slots-1:0] room_q;
  logic [Slots-1:0] ample_q;  // room for what is on the port too
  logic [Slots-1:0] open_q;  // it holds a message
  logic a_ok, a_bad, b_valid_q, b_take;

  // No beat waits behind another slot's when senders look here.
  for (genvar i = 0; i < Slots; i++) begin : gen_room
    logic opens;  // by the beat in front, maybe
    assign opens = a_valid_q && a_slot == SlotWidth'(i);
    assign slot_room_o[i] = within_q[i] ? ample_q[i] : !open_q[i] && !opens;
  end

  assign a_ok = room_q[a_slot] && !(a_first_q && open_q[a_slot]);
  assign a_take = a_valid_q &&
      (a_invalid_q || (a_ok && (!b_valid_q || b_take)));
  assign a_bad = a_bad_q || drop_q[a_slot] || (a_first_q && !a_known_q);

  if ((1 << TidWidth) > Slots) begin : gen_tid_errors
    hf_tid_queue #(
        .Width(TidWidth)
    ) u_tid_errors (
        .clk_i,
        .rst_i,
        .push_i (a_take && a_invalid_q && a_last_q),
        .tid_i  (a_tid_q),
        .valid_o(tid_error_o),
        .tid_o  (tid_error_tid_o),
        .pop_i  (tid_error_done_i)
    );
  end else begin : gen_no_tid_errors
    logic unused_done;
    assign unused_done = tid_error_done_i;
    assign tid_error_o = 1'b0;
    assign tid_error_tid_o = '0;
  end

  logic [DataWidth-1:0] b_data_q;
  logic [KeepWidth-1:0] b_keep_q;
  logic b_first_q, b_last_q, b_bad_q;
  logic [SlotWidth-1:0] b_slot_q;
  logic [4:0] b_suffix_q;
  logic [2:0] b_suffix_len_q, b_bits_q;
  logic [LengthWidth-1:0] b_length_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) b_valid_q <= 1'b0;
    else if (!b_valid_q || b_take) b_valid_q <= a_take && !a_invalid_q;
    if (!b_valid_q || b_take) begin
      b_data_q <= a_data_q;
      b_keep_q <= a_keep_q;
      b_first_q <= a_first_q;
      b_last_q <= a_last_q;
      b_bad_q <= a_bad;
      b_slot_q <= a_slot;
      b_bits_q <= a_bits_q;
      b_suffix_q <= a_first_q ? info.suffix : suffix_q[a_slot];
      b_suffix_len_q <= a_first_q ? info.suffix_len : suffix_len_q[a_slot];
      b_length_q <= (info.digest_words != '0) ? LengthWidth'({info.digest_words, 5'd0}) :
          a_length_q;
    end
    if (a_take && !a_invalid_q) begin
      drop_q[a_slot] <= a_bad && !a_last_q;
      if (a_first_q) begin
        rate_o[a_slot] <= info.rate_lanes;
        suffix_q[a_slot] <= info.suffix;
        suffix_len_q[a_slot] <= info.suffix_len;
      end
    end
    if (rst_i) drop_q <= '0;

    begin_o <= b_valid_q && b_take && b_first_q && !rst_i;
    begin_slot_o <= b_slot_q;
    begin_lanes_o <= {1'b0, b_length_q[39:6]} + 35'(b_length_q[5:0] != '0);
    begin_tail_o <= b_length_q[5:0];
    begin_open_o <= &b_length_q;
  end

  for (genvar i = 0; i < Slots; i++) begin : gen_open
    always_ff @(posedge clk_i) begin
      if (rst_i || done_i[i]) open_q[i] <= 1'b0;
      else if (a_take && !a_invalid_q && a_first_q && a_slot == SlotWidth'(i)) open_q[i] <= 1'b1;
    end
  end

  ////////////////////
  // The suffix     //
  ////////////////////

  logic [KeepWidth-1:0] last_byte;  // one-hot: the last valid byte; none in an empty beat
  assign last_byte = b_keep_q & ~(b_keep_q >> 1);

  // Bytes below the last valid one count in full; the suffix, shifted by the bits in the last byte,
  // falls on two bytes, and on the next word if it must.
  logic [DataWidth-1:0] padded;
  logic [4:0] spill;
  logic [KeepWidth:0] end_byte;  // one-hot: where the suffix ends; top: in the next word
  logic exact;
  logic [LaneBits-1:0] end_lane;
  always_comb begin
    logic [15:0] moved;
    logic [KeepWidth:0] at;  // one-hot: the byte where the suffix starts; top: the next word
    logic [7:0] mask;
    logic [3:0] ends;  // bits from that byte's first to the suffix's last
    logic [KeepWidth-1:0] tops;
    moved = 16'(b_suffix_q) << b_bits_q;
    mask = (b_bits_q == '0) ? 8'hff : ~(8'hff << b_bits_q);
    ends = 4'(b_bits_q) + 4'(b_suffix_len_q);
    at = (b_bits_q == '0) ? {last_byte, !b_keep_q[0]} : {1'b0, last_byte};
    if (!b_last_q) at = '0;
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      tops[b] = (b % 8) == 7;
      padded[8*b+:8] = b_data_q[8*b+:8] & (last_byte[b] ? mask : {8{b_keep_q[b]}});
      padded[8*b+:8] = padded[8*b+:8] | (at[b] ? moved[7:0] : 8'h00);
      if (b > 0) padded[8*b+:8] = padded[8*b+:8] | (at[b-1] ? moved[15:8] : 8'h00);
    end
    spill = at[KeepWidth] ? b_suffix_q : moved[12:8];
    end_byte = (ends > 4'd8) ? at << 1 : at;
    if (at[KeepWidth]) end_byte = at;
    exact = (ends == 4'd8) && |(at[KeepWidth-1:0] & tops);
    end_lane = '0;
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      if (end_byte[b]) end_lane |= LaneBits'(b / 8);
    end
  end

  ////////////////////
  // The queues     //
  ////////////////////

  logic c_valid_q, c_more_q;  // a word to write; one more behind it
  logic [DataWidth-1:0] c_word_q;
  logic c_last_q, c_exact_q, c_bad_q;
  logic [SlotWidth-1:0] c_slot_q;
  logic [LaneBits-1:0] c_lane_q;
  logic [4:0] c_spill_q;

  assign b_take = b_valid_q && !c_more_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      c_valid_q <= 1'b0;
      c_more_q  <= 1'b0;
    end else begin
      c_valid_q <= c_more_q || (b_take && (!b_bad_q || b_last_q));
      c_more_q  <= b_take && b_last_q && !b_bad_q && end_byte[KeepWidth];
    end
    if (c_more_q) begin
      c_word_q <= DataWidth'(c_spill_q);
      c_last_q <= 1'b1;
    end else begin
      c_word_q  <= padded;
      c_slot_q  <= b_slot_q;
      c_last_q  <= b_last_q && (b_bad_q || !end_byte[KeepWidth]);
      c_lane_q  <= end_lane;
      c_exact_q <= exact;
      c_bad_q   <= b_bad_q;
      c_spill_q <= spill;
    end
  end

  assign write_o = c_valid_q;
  assign write_slot_o = c_slot_q;
  assign write_word_o = words_o[c_slot_q];
  assign write_data_o = c_word_q;

  for (genvar i = 0; i < Slots; i++) begin : gen_queue
    logic mine;
    assign mine = c_valid_q && c_slot_q == SlotWidth'(i);
    always_ff @(posedge clk_i) begin
      if (rst_i) words_o[i] <= '0;
      else if (mine) words_o[i] <= words_o[i] + WordWidth'(1);

      if (rst_i || done_i[i]) {ended_o[i], bad_o[i]} <= 2'b00;
      else if (mine && c_last_q) {ended_o[i], bad_o[i]} <= {1'b1, c_bad_q};
      if (mine && c_last_q) begin
        end_o[i]   <= {words_o[i], c_lane_q};
        exact_o[i] <= c_exact_q;
      end

      // Six words may be on their way: two in front of here with a spill each, and the margin of
      // this register.
      room_q[i] <= WordWidth'(words_o[i] - used_i[i]) < WordWidth'(QueueWords - 8);
      // A beat on the port is looked at a clock later, and later still behind a suffix.
      ample_q[i] <= WordWidth'(words_o[i] - used_i[i]) < WordWidth'(QueueWords - 11);
    end
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (DataWidth != 128 && DataWidth != 256 && DataWidth != 512) begin : gen_bad_width
    $fatal(1, "hf_keccak_input: DataWidth is 128, 256 or 512, not %0d", DataWidth);
  end
  if (Slots < 2 || TidWidth < SlotWidth) begin : gen_bad_slots
    $fatal(1, "hf_keccak_input: %0d slots do not fit %0d bits of tid", Slots, TidWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
