// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Message beats of many slots in, words in each slot's queue out: the domain suffix and the first 1
// of pad10*1 (FIPS 202, sections 5.1 and 6) are put behind the message here, zeros behind them; what
// depends on the block (the pad's last 1) is hf_keccak_feed's.
//
// Beats of different slots may follow each other in any order. A slot holds one message from its
// first beat until `done_i`. A beat waits until its slot has room; `slot_room_o` says beforehand
// which slots have, so that a sender need not hold up one message behind another.
//
// What the port asks for is checked: a hole in tkeep, a short beat that is not the last, bits in an
// empty last byte, an unknown function: the rest of such a message is swallowed and it ends as `bad`.
// A message for a slot that does not exist is swallowed whole, and `stray_o` asks for its error.
//
// One beat a clock; a suffix that has no room in the last word takes one more.

module hf_keccak_intake
  import hf_keccak_pkg::*;
#(
    parameter  int unsigned DataWidth = 128,
    parameter  int unsigned Slots = 4,
    parameter  int unsigned TidWidth = 2,
    parameter  int unsigned QueueWords = 32,
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned WordWidth = $clog2(QueueWords),
    localparam int unsigned Lanes = DataWidth / LaneWidth,
    localparam int unsigned LaneBits = $clog2(Lanes)
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
    input  logic [         47:0] s_tuser_i,
    output logic [    Slots-1:0] slot_room_o,

    // Into the queues.
    output logic                 write_o,
    output logic [SlotWidth-1:0] write_slot_o,
    output logic [WordWidth-1:0] write_word_o,
    output logic [DataWidth-1:0] write_data_o,

    // A message begins in a slot: the output it is to give.
    output logic                          begin_o,
    output logic [         SlotWidth-1:0] begin_slot_o,
    output logic [                  33:0] begin_lanes_o,  // in lanes, rounded up
    output logic [                   5:0] begin_tail_o,   // bits in the last of them; 0: all

    // Each slot's message. Pointers count round the queue.
    output logic [Slots-1:0][          4:0] rate_o,   // in lanes
    output logic [Slots-1:0][WordWidth-1:0] words_o,  // where the next word will be written
    output logic [Slots-1:0]                ended_o,  // its end has been written, namely
    output logic [Slots-1:0][WordWidth+LaneBits-1:0] end_o,  // the suffix ends in this lane,
    output logic [Slots-1:0]                exact_o,  // in its last bit
    output logic [Slots-1:0]                bad_o,    // it is not what the port asks for
    input  logic [Slots-1:0]                done_i,   // all blocks of it are under way
    input  logic [Slots-1:0][WordWidth-1:0] used_i,   // the oldest word that is still wanted

    output logic                stray_o,  // held until stray_done_i
    output logic [TidWidth-1:0] stray_tid_o,
    input  logic                stray_done_i
);

  ////////////////////
  // One beat       //
  ////////////////////

  logic a_valid_q, a_take, accept, move;
  logic [DataWidth-1:0] a_data_q;
  logic [KeepWidth-1:0] a_keep_q;
  logic a_first_q, a_last_q, a_bad_q, a_stray_q;
  logic a_new_q;  // came in the clock before, and is no stray
  logic [TidWidth-1:0] a_tid_q;
  logic [4:0] a_function_q;
  logic [39:0] a_length_q;
  logic [2:0] a_bits_q;  // valid bits in the message's last byte; 0: all, or not the last beat

  logic hole, partial, no_byte, stray;
  assign hole = |(~s_tkeep_i & (s_tkeep_i >> 1));
  assign partial = !(&s_tkeep_i) && !s_tlast_i;
  assign no_byte = !s_tkeep_i[0] && s_tuser_i[7:5] != '0;
  assign stray = 32'(s_tid_i) >= Slots;

  assign s_tready_o = !a_valid_q || a_take;
  assign accept = s_tvalid_i && s_tready_o;

  logic [Slots-1:0] within_q;  // between a message's first beat and its last, but for the newest
  logic [Slots-1:0] amid;
  logic [Slots-1:0] a_mine_q;  // one-hot: the beat's slot
  logic [SlotWidth-1:0] s_slot, a_slot;
  assign s_slot = SlotWidth'(s_tid_i);
  assign a_slot = SlotWidth'(a_tid_q);
  for (genvar i = 0; i < Slots; i++) begin : gen_within
    assign amid[i] = (a_new_q && a_mine_q[i]) ? !a_last_q : within_q[i];
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) a_valid_q <= 1'b0;
    else if (s_tready_o) a_valid_q <= s_tvalid_i;
    a_new_q <= accept && !stray && !rst_i;
    if (s_tready_o) begin
      a_data_q <= s_tdata_i;
      a_keep_q <= s_tkeep_i;
      a_first_q <= !amid[s_slot];
      a_last_q <= s_tlast_i;
      a_tid_q <= s_tid_i;
      a_mine_q <= Slots'(1) << s_slot;
      a_function_q <= s_tuser_i[4:0];
      a_length_q <= s_tuser_i[47:8];
      a_bits_q <= s_tlast_i ? s_tuser_i[7:5] : 3'd0;
      a_bad_q <= hole || partial || no_byte;
      a_stray_q <= stray;
    end
    within_q <= rst_i ? '0 : amid;
  end

  ////////////////////
  // Its slot       //
  ////////////////////

  logic [Slots-1:0] room_q;
  logic [Slots-1:0] ample_q;  // room for what is on the port too
  logic [Slots-1:0] open_q;  // it holds a message
  logic a_ok;

  // No beat waits behind another slot's when senders look here.
  for (genvar i = 0; i < Slots; i++) begin : gen_room
    logic opens;  // by the beat in front, maybe
    assign opens = a_valid_q && a_mine_q[i];
    assign slot_room_o[i] = amid[i] ? ample_q[i] : !open_q[i] && !opens;
  end

  assign a_ok = |(a_mine_q & room_q & ~(open_q & {Slots{a_first_q}}));
  assign a_take = a_valid_q && (a_stray_q ? !(a_last_q && stray_o) : (a_ok && move));

  always_ff @(posedge clk_i) begin
    if (rst_i) stray_o <= 1'b0;
    else if (a_take && a_stray_q && a_last_q) stray_o <= 1'b1;
    else if (stray_done_i) stray_o <= 1'b0;
    if (a_take && a_stray_q && a_last_q) stray_tid_o <= a_tid_q;
  end

  for (genvar i = 0; i < Slots; i++) begin : gen_open
    always_ff @(posedge clk_i) begin
      if (rst_i || done_i[i]) open_q[i] <= 1'b0;
      else if (a_take && !a_stray_q && a_first_q && a_mine_q[i]) open_q[i] <= 1'b1;
    end
  end

  ////////////////////
  // Its message    //
  ////////////////////

  // From here on a beat waits for nothing but the suffix of the one in front.
  logic b_valid_q, b_first_q, b_last_q, b_bad_q;
  logic [DataWidth-1:0] b_data_q;
  logic [KeepWidth-1:0] b_keep_q;
  logic [SlotWidth-1:0] b_slot_q;
  logic [4:0] b_function_q;
  logic [39:0] b_length_q;
  logic [2:0] b_bits_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) b_valid_q <= 1'b0;
    else if (move) b_valid_q <= a_take && !a_stray_q;
    if (move) begin
      b_data_q <= a_data_q;
      b_keep_q <= a_keep_q;
      b_first_q <= a_first_q;
      b_last_q <= a_last_q;
      b_bad_q <= a_bad_q;
      b_slot_q <= a_slot;
      b_function_q <= a_function_q;
      b_length_q <= a_length_q;
      b_bits_q <= a_bits_q;
    end
  end

  function_info_t info;
  assign info = function_info(b_function_q);

  logic [Slots-1:0][4:0] suffix_q;
  logic [Slots-1:0][2:0] suffix_len_q;
  logic [Slots-1:0] drop_q;  // the rest of its message is swallowed
  logic bad;
  assign bad = b_bad_q || drop_q[b_slot_q] || (b_first_q && !info.valid);

  logic l_valid_q, l_first_q, l_last_q, l_bad_q;
  logic [DataWidth-1:0] l_data_q;
  logic [KeepWidth-1:0] l_keep_q;
  logic [SlotWidth-1:0] l_slot_q;
  logic [4:0] l_suffix_q;
  logic [2:0] l_suffix_len_q, l_bits_q;
  logic [39:0] l_length_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) l_valid_q <= 1'b0;
    else if (move) l_valid_q <= b_valid_q;
    if (move) begin
      l_data_q <= b_data_q;
      l_keep_q <= b_keep_q;
      l_first_q <= b_first_q;
      l_last_q <= b_last_q;
      l_bad_q <= bad;
      l_slot_q <= b_slot_q;
      l_bits_q <= b_bits_q;
      l_suffix_q <= b_first_q ? info.suffix : suffix_q[b_slot_q];
      l_suffix_len_q <= b_first_q ? info.suffix_len : suffix_len_q[b_slot_q];
      l_length_q <= (info.digest_words != '0) ? 40'({info.digest_words, 5'd0}) : b_length_q;
    end
    if (move && b_valid_q) begin
      drop_q[b_slot_q] <= bad && !b_last_q;
      if (b_first_q) begin
        rate_o[b_slot_q] <= info.rate_lanes;
        suffix_q[b_slot_q] <= info.suffix;
        suffix_len_q[b_slot_q] <= info.suffix_len;
      end
    end
    if (rst_i) drop_q <= '0;

    begin_o <= l_valid_q && move && l_first_q && !rst_i;
    begin_slot_o <= l_slot_q;
    begin_lanes_o <= l_length_q[39:6] + 34'(l_length_q[5:0] != '0);
    begin_tail_o <= l_length_q[5:0];
  end

  ////////////////////
  // The suffix     //
  ////////////////////

  // Bytes below the last valid one are whole; the suffix, moved up by the bits in the last byte,
  // falls on two bytes, and on the next word if it must. First where, then what.
  logic [KeepWidth-1:0] last_byte;  // one-hot: the last valid byte; none in an empty beat
  logic [DataWidth-1:0] message;  // nothing behind it
  logic [3:0] ends;  // bits from the suffix's first byte to its own last
  always_comb begin
    logic [7:0] mask;
    last_byte = l_keep_q & ~(l_keep_q >> 1);
    mask = (l_bits_q == '0) ? 8'hff : ~(8'hff << l_bits_q);
    ends = 4'(l_bits_q) + 4'(l_suffix_len_q);
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      message[8*b+:8] = l_data_q[8*b+:8] & (last_byte[b] ? mask : {8{l_keep_q[b]}});
    end
  end

  logic p_valid_q, p_last_q, p_bad_q;
  logic [SlotWidth-1:0] p_slot_q;
  logic [DataWidth-1:0] p_data_q;
  logic [KeepWidth:0] p_at_q;  // one-hot: the byte where the suffix starts; top: the next word
  logic [15:0] p_suffix_q;  // from that byte's first bit on
  logic p_over_q, p_full_q;  // it ends in the byte behind; in that byte's last bit

  always_ff @(posedge clk_i) begin
    if (rst_i) p_valid_q <= 1'b0;
    else if (move) p_valid_q <= l_valid_q;
    if (move) begin
      p_last_q <= l_last_q;
      p_bad_q <= l_bad_q;
      p_slot_q <= l_slot_q;
      p_data_q <= message;
      p_at_q <= (l_bits_q == '0) ? {last_byte, !l_keep_q[0]} : {1'b0, last_byte};
      if (!l_last_q) p_at_q <= '0;
      p_suffix_q <= 16'(l_suffix_q) << l_bits_q;
      p_over_q <= ends > 4'd8;
      p_full_q <= ends == 4'd8;
    end
  end

  logic [DataWidth-1:0] padded;
  logic spills;  // the suffix ends in the next word
  logic [4:0] spill;
  logic exact;
  logic [Lanes-1:0] end_lane;  // one-hot: the lane where it ends
  always_comb begin
    logic [Lanes:0] crosses;  // [k]: its second byte is lane k's first
    logic [Lanes-1:0] tops;
    crosses[0] = 1'b0;
    for (int unsigned k = 0; k < Lanes; k++) begin
      tops[k] = p_at_q[8*k+7];
      crosses[k+1] = tops[k] && p_over_q;
      end_lane[k] = (|p_at_q[8*k+:8] && !crosses[k+1]) || crosses[k];
    end
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      padded[8*b+:8] = p_data_q[8*b+:8] | (p_at_q[b] ? p_suffix_q[7:0] : 8'h00);
      if (b > 0) padded[8*b+:8] = padded[8*b+:8] | (p_at_q[b-1] ? p_suffix_q[15:8] : 8'h00);
    end
    spills = p_at_q[KeepWidth] || crosses[Lanes];
    spill = p_at_q[KeepWidth] ? p_suffix_q[4:0] : p_suffix_q[12:8];
    exact = p_full_q && |tops;
  end

  ////////////////////
  // The queues     //
  ////////////////////

  logic c_valid_q, c_more_q;  // a word to write; one more behind it
  logic [DataWidth-1:0] c_word_q;
  logic c_last_q, c_exact_q, c_bad_q;
  logic [SlotWidth-1:0] c_slot_q;
  logic [Lanes-1:0] c_lane_q;  // one-hot; none: the first
  logic [4:0] c_spill_q;

  assign move = !c_more_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      c_valid_q <= 1'b0;
      c_more_q  <= 1'b0;
    end else begin
      c_valid_q <= c_more_q || (p_valid_q && (!p_bad_q || p_last_q));
      c_more_q  <= !c_more_q && p_valid_q && p_last_q && !p_bad_q && spills;
    end
    if (c_more_q) begin
      c_word_q <= DataWidth'(c_spill_q);
      c_last_q <= 1'b1;
    end else begin
      c_word_q  <= padded;
      c_slot_q  <= p_slot_q;
      c_last_q  <= p_last_q && (p_bad_q || !spills);
      c_lane_q  <= end_lane;
      c_exact_q <= exact;
      c_bad_q   <= p_bad_q;
      c_spill_q <= spill;
    end
  end

  logic [LaneBits-1:0] c_lane;
  always_comb begin
    c_lane = '0;
    for (int unsigned k = 0; k < Lanes; k++) if (c_lane_q[k]) c_lane |= LaneBits'(k);
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

      if (rst_i || done_i[i]) ended_o[i] <= 1'b0;
      else if (mine && c_last_q) ended_o[i] <= 1'b1;
      if (mine && c_last_q) begin
        end_o[i]   <= {words_o[i], c_lane};
        exact_o[i] <= c_exact_q;
        bad_o[i]   <= c_bad_q;
      end

      // Ten words may be on their way: four in front of here with a spill each, and the margin of
      // this register.
      room_q[i] <= WordWidth'(words_o[i] - used_i[i]) < WordWidth'(QueueWords - 12);
      // A beat on the port is looked at a clock later, and later still behind a suffix.
      ample_q[i] <= WordWidth'(words_o[i] - used_i[i]) < WordWidth'(QueueWords - 15);
    end
  end

  if (DataWidth != 128 && DataWidth != 256 && DataWidth != 512) begin : gen_bad_width
    $fatal(1, "hf_keccak_intake: DataWidth is 128, 256 or 512, not %0d", DataWidth);
  end
  if (Slots < 2 || TidWidth < SlotWidth) begin : gen_bad_slots
    $fatal(1, "hf_keccak_intake: %0d slots do not fit %0d bits of tid", Slots, TidWidth);
  end

endmodule
