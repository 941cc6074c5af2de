// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Input of the front end with several slots: accepts beats of any slot and queues each slot's
// message as blocks, with the domain suffix and the first 1 of pad10*1 appended (FIPS 202, sections
// 5.1 and 6). hf_keccak_scheduler adds the zeros and the pad's last 1 when it reads a block.
//
// Beats of different slots may follow each other in any order. A slot holds one message, from its
// first beat until `done_i`. A beat waits until its slot has room; `slot_room_o` reports in advance
// which slots have room, so that a sender does not block one message by offering another.
//
// Errors: a hole in tkeep, a short beat that is not the last, bits in an empty last byte, or an
// unknown function make a message bad. Its other beats are accepted and discarded, and it ends with
// `bad_o`. A message with an invalid tid (one that names no slot) is accepted and discarded without
// waiting, and `tid_error_o` requests an error beat for it; while 15 such errors are pending,
// further ones are lost.
//
// Timing: one beat a clock. The clock after a message's last beat accepts none: it is used by a
// suffix that does not fit into the last word.
//
// Queue: each slot has 2 ** RowBits rows of the RAM, and each row holds one block. With several
// lanes a beat, a block may begin in the middle of a beat (`split`); such a beat is written to two
// rows. Lanes of a row that were not written are undefined.
//
// Schedule of a beat. Clock 0 is the clock of its handshake. A register's prefix names the clock in
// which it belongs to that beat: a_ 1, b_ 2, m_ 3, c_ 4, d_ 5, e_ 6, f_ 7.
//
//   0    the beat is accepted
//   2    bytes outside tkeep are zero; the suffix and its place are decided
//   3    the suffix is shifted to its bits within two bytes
//   4    the two bytes are selected
//   5    the word is complete; a suffix that spills into the next word follows in clock 6
//   6    its row and lane in the queue are decided
//   7    the word is written (in clock 6 if a beat is one lane)
//   8    some_o includes the block that the word completes (clock 9 if the spilled suffix does)

module hf_keccak_input
  import hf_keccak_pkg::*;
  import hf_keccak_slots_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 128,
    parameter  int unsigned Slots = 4,
    parameter  int unsigned TidWidth = 2,
    parameter  bit          Packets = 1'b0,  // tlast with tuser's `more` set ends a packet only
    parameter  int unsigned LoadWidth = 128,  // width of a word of the queue, in bits
    parameter  int unsigned RowBits = 3,      // 2 ** RowBits rows for each slot
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned Lanes = (DataWidth > LaneWidth) ? DataWidth / LaneWidth : 1,
    localparam int unsigned AtBits = 5,  // address of a lane in a row: 32 lanes
    localparam int unsigned WordBits = AtBits - $clog2(LoadWidth / LaneWidth)
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
    output logic [    Slots-1:0] slot_room_o,

    // A message has begun in a slot. The length of its output:
    output logic                          begin_o,
    output logic [         SlotWidth-1:0] begin_slot_o,
    output logic [                  33:0] begin_lanes_o,  // whole lanes
    output logic [                   5:0] begin_tail_o,   // bits after those lanes
    output logic                          begin_some_o,   // begin_tail_o is not zero
    // An open output, which runs until it is stopped.
    output logic                          begin_open_o,

    // The state of each slot's message.
    output rate_t [Slots-1:0]                   rate_o,  // rate of its function
    output logic [Slots-1:0]                    some_o,   // a complete block is in the queue
    output logic [Slots-1:0]                    final_o,  // and it is the message's last
    output logic [Slots-1:0][AtBits-1:0] end_o,  // lane of its row where the suffix ends
    output logic [Slots-1:0]                    bad_o,  // the message breaks a rule of the port
    input  logic [Slots-1:0]                    taken_i,  // the scheduler reads the queued block
    input  logic [Slots-1:0]                    done_i,  // all blocks of the message are loaded

    // Reads from the queue: data two clocks after the address.
    input  logic [SlotWidth-1:0] read_slot_i,
    input  logic [  RowBits-1:0] read_row_i,
    input  logic [ WordBits-1:0] read_word_i,
    output logic [LoadWidth-1:0] read_data_o,

    output logic                tid_error_o,  // held until tid_error_done_i
    output logic [TidWidth-1:0] tid_error_tid_o,
    input  logic                tid_error_done_i
);

  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [RowBits-1:0] row_t;
  typedef logic [AtBits-1:0] at_t;  // a lane of a row, or a beat of it
  // Bits of a lane's number in a beat.
  localparam int unsigned LaneBits = (Lanes > 1) ? $clog2(Lanes) : 1;
  typedef logic [LaneBits-1:0] lane_at_t;  // a lane of a beat
  typedef logic [5:0] left_t;  // beats of a block, less one; negative in its last beat

  ////////////////////
  // The port       //
  ////////////////////

  user_t s_user;
  function_info_t s_info;
  slot_t s_slot;
  logic s_invalid;  // the tid names no slot
  assign s_user = s_tuser_i;
  assign s_info = function_info(FunctionWidth'(s_user.code));
  assign s_slot = slot_t'(s_tid_i);
  assign s_invalid = 32'(s_tid_i) >= Slots;
  logic s_last;  // the beat ends its message
  assign s_last = s_tlast_i && !(Packets && s_user.more);
  logic unused_reserved;
  assign unused_reserved = ^{s_user.reserved, s_user.more};

  logic pause_q;  // the clock before offered a message's last beat: this clock accepts no beat
  logic [Slots-1:0] ok_q;  // a beat of the slot would be accepted
  logic [Slots-1:0] within_q;  // between a message's first beat and its last
  logic [Slots-1:0] open_q;  // the slot holds a message: set two clocks after its first beat
  logic [Slots-1:0] room_q;  // the queue has room for the slot's blocks
  // In the clock before: the slot could accept a beat; a last beat of it was offered.
  logic [Slots-1:0] may_q, ended_now_q;
  logic [Slots-1:0] offered, take;  // per slot: a beat is on the port; it is accepted
  logic [Slots-1:0] a_hit_q;  // clock 1: the beat's slot, one-hot, or none

  // While no beat is offered, tready does not depend on the tid, which may be X then.
  assign s_tready_o  = !pause_q && (!s_tvalid_i || s_invalid || ok_q[s_slot]);
  assign slot_room_o = ok_q;

  always_ff @(posedge clk_i) pause_q <= s_tvalid_i && s_last && !pause_q && !rst_i;

  for (genvar i = 0; i < Slots; i++) begin : gen_port
    assign offered[i] = s_tvalid_i && 32'(s_tid_i) == i && ok_q[i];
    assign take[i] = offered[i] && !pause_q;

    always_ff @(posedge clk_i) begin
      if (rst_i) within_q[i] <= 1'b0;
      else if (take[i]) within_q[i] <= !s_last;

      if (rst_i || done_i[i]) open_q[i] <= 1'b0;
      else if (a_hit_q[i]) open_q[i] <= 1'b1;

      // A pause does not withdraw the room already promised to the beat on the port. A message's
      // last beat that is accepted after a pause ends the message then.
      may_q[i] <= room_q[i] && (within_q[i] || !(open_q[i] || ended_now_q[i]));
      ended_now_q[i] <= offered[i] && s_last;
      ok_q[i] <= offered[i] ? pause_q || (room_q[i] && !s_last) : may_q[i] && !ended_now_q[i];
      // The reset values hold from the first clock of a reset on, whatever the sender drove before.
      if (rst_i) {may_q[i], ended_now_q[i], ok_q[i]} <= '0;
    end
  end

  // function_known without its comparison, for which synthesis would infer a carry chain.
  function automatic logic known(input logic [7:0] code);
    unique case (code)
      FnSha3_224, FnSha3_256, FnSha3_384, FnSha3_512, FnShake128, FnShake256,
      FnKeccak224, FnKeccak256, FnKeccak384, FnKeccak512, FnKeccak1024_576,
      FnCshake128, FnCshake256: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  // Clock 1.
  logic [DataWidth-1:0] a_data_q;
  logic [KeepWidth-1:0] a_keep_q, a_none_q;  // bytes with data; bytes without
  slot_t a_slot_q;
  // A message's first beat, its last beat; function supported; no partial byte.
  logic a_first_q, a_last_q, a_known_q, a_no_bits_q;
  logic a_end_whole_q, a_end_part_q;  // last beat: its last byte is whole; is cut
  function_info_t a_info_q;
  rate_t a_rate_q;  // rate of the beat's function
  logic [LengthWidth-1:0] a_length_q;
  logic [LengthWidth/4-1:0] a_ones_q;  // per four bits of the length: all of them are ones
  logic [2:0] a_bits_q;  // valid bits in the last byte (0: all)
  // Per four bytes: a hole; all valid; an odd number of them is valid.
  logic [KeepWidth/4-1:0] a_holes_q, a_full_q, a_odd_q;

  always_ff @(posedge clk_i) begin
    a_hit_q <= rst_i ? '0 : take;
    a_data_q <= s_tdata_i;
    a_keep_q <= s_tkeep_i;
    a_none_q <= ~s_tkeep_i;
    a_slot_q <= s_slot;
    a_first_q <= !within_q[s_slot];
    a_last_q <= s_last;
    a_known_q <= known(s_user.code);
    a_info_q <= s_info;
    a_rate_q <= rate_of(s_info.rate_lanes);
    a_length_q <= s_user.length;
    for (int unsigned i = 0; i < LengthWidth / 4; i++) a_ones_q[i] <= &s_user.length[4*i+:4];
    a_bits_q <= s_user.bits;
    a_no_bits_q <= s_user.bits == '0;
    for (int unsigned i = 0; i < KeepWidth / 4; i++) begin
      a_holes_q[i] <= |(~s_tkeep_i[4*i+:4] & 4'(s_tkeep_i >> (4 * i + 1)));
      a_full_q[i] <= &s_tkeep_i[4*i+:4];
      a_odd_q[i] <= ^s_tkeep_i[4*i+:4];
    end
    a_end_whole_q <= s_last && s_user.bits == '0;
    a_end_part_q <= s_last && s_user.bits != '0;
  end

  if ((1 << TidWidth) > Slots) begin : gen_tid_errors
    logic push_q;  // a message with an invalid tid has ended
    logic [TidWidth-1:0] tid_q;  // that tid
    always_ff @(posedge clk_i) begin
      push_q <= s_tvalid_i && !pause_q && s_invalid && s_last && !rst_i;
      tid_q  <= s_tid_i;
    end
    // If only one invalid tid exists, it need not be stored.
    logic [TidWidth-1:0] tid;  // the oldest tid with a pending error
    assign tid_error_tid_o = ((1 << TidWidth) - Slots == 1) ? TidWidth'(Slots) : tid;
    hf_tid_queue #(
        .Width(TidWidth)
    ) u_tid_errors (
        .clk_i,
        .rst_i,
        .push_i (push_q),
        .tid_i  (tid_q),
        .valid_o(tid_error_o),
        .tid_o  (tid),
        .pop_i  (tid_error_done_i)
    );
  end else begin : gen_no_tid_errors
    logic unused_done;
    assign unused_done = tid_error_done_i;
    assign tid_error_o = 1'b0;
    assign tid_error_tid_o = '0;
  end

  ////////////////////
  // Its slot       //
  ////////////////////

  // The two lowest bits of a suffix identify it; each slot stores only these.
  typedef logic [1:0] kind_t;
  function automatic logic [4:0] suffix_of(input kind_t kind);
    return {{2{&kind}}, kind[1] || !kind[0], kind};
  endfunction
  function automatic logic [2:0] suffix_length(input kind_t kind);
    return {&kind, kind == 2'b00 || kind == 2'b10, 1'b1};
  endfunction

  kind_t [Slots-1:0] kind_q;  // suffix of each slot's message
  logic unused_suffix;
  assign unused_suffix = ^{a_info_q.rate_lanes, a_info_q.suffix, a_info_q.suffix_len};
  // A hole in tkeep; a short beat before the last; bits without a byte.
  logic hole, partial, no_byte;
  assign hole = |a_holes_q;
  assign partial = !(&a_full_q) && !a_last_q;
  assign no_byte = !a_keep_q[0] && !a_no_bits_q;

  // Clock 2.
  logic [Slots-1:0] b_hit_q;
  logic [DataWidth-1:0] b_data_q;
  logic b_first_q, b_last_q;
  logic [2:0] b_faults_q;  // faults of this beat only
  logic b_wrong;  // this beat breaks a rule of the port
  assign b_wrong = |b_faults_q;
  kind_t b_kind_q;
  logic [2:0] b_bits_q;
  logic [LengthWidth-1:0] b_length_q;
  logic b_open_q;  // the length is all ones: an open output
  slot_t b_slot_q;
  logic [KeepWidth:0] b_at_q;  // one-hot: where the suffix starts; top bit: the next word
  logic b_odd_q;  // that byte's number is odd

  always_ff @(posedge clk_i) begin
    b_hit_q <= rst_i ? '0 : a_hit_q;
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      // Written so that synthesis uses the registers' reset instead of a LUT.
      if (a_none_q[b]) b_data_q[8*b+:8] <= '0;
      else b_data_q[8*b+:8] <= a_data_q[8*b+:8];
    end
    b_first_q <= a_first_q;
    b_last_q <= a_last_q;
    b_slot_q <= a_slot_q;
    b_bits_q <= a_bits_q;
    b_faults_q <= {hole, partial, no_byte || (a_first_q && !a_known_q)};
    b_kind_q <= a_first_q ? kind_t'(a_info_q.suffix) : kind_q[a_slot_q];
    if (a_info_q.digest_words != '0) begin
      b_length_q <= LengthWidth'({a_info_q.digest_words, 5'd0});
      b_open_q   <= 1'b0;
    end else begin
      b_length_q <= a_length_q;
      b_open_q   <= &a_ones_q;
    end
    b_at_q <= ({a_keep_q, 1'b1} & {1'b1, ~a_keep_q} & {(KeepWidth + 1) {a_end_whole_q}}) |
        ({1'b0, a_keep_q & ~(a_keep_q >> 1)} & {(KeepWidth + 1) {a_end_part_q}});
    b_odd_q <= ^a_odd_q ^ a_end_part_q;
    for (int unsigned i = 0; i < Slots; i++) begin
      if (a_hit_q[i] && a_first_q) begin
        kind_q[i] <= kind_t'(a_info_q.suffix);
        rate_o[i] <= a_rate_q;
      end
    end
  end

  logic [Slots-1:0] drop_q;  // the rest of the slot's bad message is discarded
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Slots; i++) begin
      if (rst_i) drop_q[i] <= 1'b0;
      else if (b_hit_q[i]) drop_q[i] <= (b_wrong || drop_q[i]) && !b_last_q;
    end

    begin_o <= |b_hit_q && b_first_q && !rst_i;
    begin_slot_o <= b_slot_q;
    {begin_lanes_o, begin_tail_o} <= b_length_q;
    begin_some_o <= b_length_q[5:0] != '0;
    begin_open_o <= b_open_q;
  end

  ////////////////////
  // The suffix     //
  ////////////////////

  // The suffix follows the bits of the last byte. It covers up to two bytes, and spills into the
  // next word if these end the beat. One of the two bytes is even and the other odd, so each bit of
  // a byte has only two candidate values.
  logic [3:0] suffix_end;  // bits from the start of the suffix's first byte to its end
  assign suffix_end = 4'(b_bits_q) + 4'(suffix_length(b_kind_q));

  // Clock 3.
  logic [Slots-1:0] m_hit_q;
  logic m_valid_q, m_first_q;  // a beat is in this stage
  logic [DataWidth-1:0] m_data_q;
  logic [7:0] m_moved_q;  // the suffix, shifted by bits 1:0 of the shift
  logic m_moved_4_q;  // the suffix is shifted by four more bits
  logic [4:0] m_suffix_q;  // the suffix, not shifted
  logic [7:0] m_mask_q;  // bits of the suffix's first byte that are message
  logic [KeepWidth:0] m_at_q;
  // The suffix ends in the byte after its first (crosses), or at the end of its first (fills).
  logic m_odd_q, m_last_q, m_bad_q, m_crosses_q, m_fills_q;
  slot_t m_slot_q;

  always_ff @(posedge clk_i) begin
    m_hit_q <= rst_i ? '0 : b_hit_q;
    m_valid_q <= |b_hit_q && !rst_i;
    m_first_q <= b_first_q;
    m_data_q <= b_data_q;
    m_moved_q <= 8'(suffix_of(b_kind_q)) << b_bits_q[1:0];
    m_moved_4_q <= b_bits_q[2];
    m_suffix_q <= suffix_of(b_kind_q);
    m_mask_q <= ~(8'hff << b_bits_q);
    m_at_q <= b_at_q;
    m_odd_q <= b_odd_q;
    m_last_q <= b_last_q;
    m_bad_q <= b_wrong || |(b_hit_q & drop_q);
    m_crosses_q <= suffix_end > 4'd8;
    m_fills_q <= suffix_end == 4'd8;
    m_slot_q <= b_slot_q;
  end

  logic [15:0] m_moved;  // the suffix in its two bytes
  logic [KeepWidth-1:0] tops;  // the byte is the last of its lane
  lane_at_t end_lane;  // lane of the beat in which the suffix ends
  assign m_moved = m_moved_4_q ? {4'd0, m_moved_q, 4'd0} : 16'(m_moved_q);
  always_comb begin
    end_lane = '0;
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      tops[b] = (b % 8) == 7;
      // A suffix that crosses the last byte of a lane ends in the next lane, or in the next word.
      if (m_at_q[b] && !(tops[b] && m_crosses_q)) end_lane |= lane_at_t'(b / 8);
      if (m_at_q[b] && tops[b] && m_crosses_q) end_lane |= lane_at_t'(b / 8 + 1);
    end
  end

  // Clock 4.
  logic [Slots-1:0] c_hit_q;
  logic [DataWidth-1:0] c_data_q;
  logic [KeepWidth-1:0] c_suffix_q;  // bytes that hold suffix bits
  logic [7:0] c_mask_q;  // message bits of such a byte
  logic [1:0][7:0] c_set_q;  // suffix bits for an even byte [0] and for an odd byte [1]
  logic [4:0] c_spill_q;  // suffix bits for the next word
  rate_t c_rate_q;
  // c_more_q: the suffix spills into the next word; c_exact_q: it ends at the end of a lane.
  logic c_valid_q, c_first_q, c_last_q, c_bad_q, c_more_q, c_exact_q;
  slot_t c_slot_q;
  lane_at_t c_lane_q;

  always_ff @(posedge clk_i) begin
    c_hit_q <= rst_i ? '0 : m_hit_q & {Slots{!m_bad_q || m_last_q}};
    c_data_q <= m_data_q;
    c_suffix_q <= m_at_q[KeepWidth-1:0] | KeepWidth'(m_at_q << 1);
    c_mask_q <= m_mask_q;
    c_set_q <= m_odd_q ? {m_moved[7:0], m_moved[15:8]} : m_moved;
    c_spill_q <= m_at_q[KeepWidth] ? m_suffix_q : m_moved[12:8];
    c_valid_q <= m_valid_q && (!m_bad_q || m_last_q) && !rst_i;
    // The first beat of a discarded message may not get here; its last beat then stands for it.
    c_first_q <= m_valid_q && (m_first_q || m_bad_q);
    c_last_q <= m_valid_q && m_last_q && !rst_i;
    c_slot_q <= m_slot_q;
    c_rate_q <= rate_o[m_slot_q];
    c_bad_q <= m_bad_q;
    c_more_q <= !m_bad_q && (m_at_q[KeepWidth] || (m_at_q[KeepWidth-1] && m_crosses_q));
    c_exact_q <= m_fills_q && |(m_at_q[KeepWidth-1:0] & tops);
    c_lane_q <= end_lane;
  end

  ////////////////////
  // Places         //
  ////////////////////

  // A block ends in lane `split` - 1 of a beat, and the next block begins in lane `split` of the
  // same beat, unless `split` is 0. With a rate of q beats and r lanes, the last beat of the next
  // block comes q - 1 or q beats later: q if `longer`.
  localparam int unsigned BeatLanes = Lanes;  // lanes of a beat
  function automatic logic longer_behind(input lane_at_t split, input lane_at_t r);
    return (split == '0) ? r != '0 : 32'(split) + 32'(r) > BeatLanes;
  endfunction

  // Clock 5: a word. In the clock after a message's last word, which the port leaves free, the
  // suffix spill is written, or zeros. If the last word did not end the block, that row's content
  // after it is never used.
  logic [Slots-1:0] d_hit_q;
  logic d_valid_q, d_first_q, d_last_q, d_rest_q;  // rest: the word is the spill
  logic [DataWidth-1:0] d_word_q;
  logic [4:0] d_spill_q;  // suffix bits that spill
  logic d_spills_q, d_exact_q, d_bad_q;  // spills: there are some; exact: as in clock 4
  slot_t d_slot_q;
  lane_at_t d_lane_q;  // lane in which the suffix ends
  logic [4:0] c_lanes;  // lanes of the rate
  lane_at_t c_part, d_part_q;  // r: lanes of the rate beyond whole beats
  left_t c_less_1, c_less_2, d_short_q, d_long_q;  // q - 1 and q - 2

  assign c_lanes = lanes_of(c_rate_q);
  assign c_less_1 = left_t'(minus_one(8'(32'(c_lanes) / Lanes)));
  assign c_less_2 = left_t'(minus_one(8'(c_less_1)));
  assign c_part  = lane_at_t'(32'(c_lanes) % Lanes);

  always_ff @(posedge clk_i) begin
    d_valid_q <= (c_valid_q || d_last_q) && !rst_i;
    d_last_q <= c_last_q && !rst_i;
    d_rest_q <= d_last_q && !rst_i;
    if (d_last_q) begin
      d_word_q <= DataWidth'(d_spill_q);
      d_lane_q <= '0;
      d_first_q <= 1'b0;
    end else begin
      for (int unsigned b = 0; b < KeepWidth; b++) begin
        for (int unsigned i = 0; i < 8; i++) begin
          d_word_q[8*b+i] <= (c_data_q[8*b+i] & (c_mask_q[i] | !c_suffix_q[b])) |
              (c_set_q[b%2][i] & c_suffix_q[b]);
        end
      end
      d_first_q <= c_first_q;
      d_hit_q <= c_hit_q;
      d_slot_q <= c_slot_q;
      d_part_q <= c_part;
      // The first block begins in the first beat itself: one beat fewer.
      d_long_q <= c_first_q ? c_less_2 : c_less_1;
      d_short_q <= c_first_q ? left_t'(minus_one(8'(c_less_2))) : c_less_2;
      d_lane_q <= c_lane_q;
      d_exact_q <= c_exact_q;
      d_spills_q <= c_more_q;
      d_bad_q <= c_bad_q;
      d_spill_q <= c_more_q ? c_spill_q : '0;
    end
    if (rst_i) d_hit_q <= '0;
  end

  // The place of a slot's next beat. Rows of a message begin at 0. `left` shows whether a block
  // ends in that beat; if so, the next block begins in the same beat, in lane `split`, unless that
  // is 0.
  typedef struct packed {
    row_t     row;
    at_t      beat;    // number of the beat in its row
    left_t    left;    // beats to the block's last beat, less one: negative in the last beat
    lane_at_t split;  // lane of the beat in which the next block begins
    logic     longer;  // the next block's last beat comes q beats later, not q - 1
  } place_t;
  place_t place_mem[Slots];
  place_t kept, place_next;  // place of the beat in clock 5; of the slot's next beat
  logic again_q;  // the next beat is of the same slot, so kept is place_next
  logic ends;  // a block ends in this beat
  logic longer;  // place_t's longer of this beat
  lane_at_t split, split_next;  // place_t's split of this beat, and of the next block's end

  // The place before a message's first beat is as if a block had ended in the row before the first.
  assign ends = kept.left[5] && !d_first_q;
  assign split = (Lanes > 1) ? kept.split : '0;
  assign longer = Lanes > 1 && kept.longer;
  assign split_next = lane_at_t'((32'(split) + 32'(d_part_q)) % Lanes);
  always_comb begin
    place_next.row  = kept.row + row_t'(kept.left[5]);
    place_next.beat = !kept.left[5] ? at_t'(plus_one(8'(kept.beat))) :
        (d_first_q ? at_t'(1) : at_t'(split != '0));
    place_next.left = !kept.left[5] ? left_t'(minus_one(8'(kept.left))) :
        (longer ? d_long_q : d_short_q);
    place_next.split = kept.left[5] ? split_next : split;
    place_next.longer = kept.left[5] ? longer_behind(split_next, d_part_q) : longer;
  end
  always_ff @(posedge clk_i) begin
    if (d_valid_q) place_mem[d_slot_q] <= place_next;
    kept <= again_q ? place_next : place_mem[c_slot_q];
    if (c_first_q) begin
      kept.row <= '1;
      kept.left[5] <= 1'b1;
      kept.split <= '0;
      kept.longer <= longer_behind('0, c_part);
    end
    again_q <= c_valid_q && (c_last_q || m_slot_q == c_slot_q);
  end

  // Clock 6.
  logic [Slots-1:0] e_hit_q;
  // e_ends_q: a block ends in this word.
  logic e_valid_q, e_last_q, e_rest_q, e_ends_q, e_spills_q, e_exact_q, e_bad_q;
  logic [DataWidth-1:0] e_word_q;
  slot_t e_slot_q;
  row_t e_row_q;
  at_t e_beat_q;
  lane_at_t e_split_q, e_lane_q;  // split of this beat; lane in which the suffix ends

  always_ff @(posedge clk_i) begin
    e_hit_q <= rst_i ? '0 : d_hit_q;
    e_valid_q <= d_valid_q && !rst_i;
    e_last_q <= d_last_q;
    e_rest_q <= d_rest_q;
    e_word_q <= d_word_q;
    e_slot_q <= d_slot_q;
    e_spills_q <= d_spills_q;
    e_exact_q <= d_exact_q;
    e_bad_q <= d_bad_q;
    e_lane_q <= d_lane_q;
    e_ends_q <= ends;
    if (d_first_q) {e_row_q, e_beat_q} <= '0;
    else {e_row_q, e_beat_q} <= {kept.row, kept.beat};
    e_split_q <= split;
  end

  // The message continues after its last word: in the suffix spill, or in the next block, because
  // its end lies in a lane of the next block or the pad's last 1 does not fit into this one.
  // The message continues; the same in clock 7; a block ended with the word in clock 6.
  logic e_on, f_on_q, f_ended_q;
  if (Lanes > 1) begin : gen_on
    assign e_on = e_spills_q || (e_ends_q && ((e_split_q != '0 && e_lane_q >= e_split_q) ||
        (e_exact_q && e_lane_q == e_split_q - lane_at_t'(1))));
  end else begin : gen_on_whole
    assign e_on = e_spills_q || (e_ends_q && e_exact_q);
    logic unused_place;
    assign unused_place = ^{e_valid_q, e_split_q, e_lane_q};
  end

  // Clock 7: a row is complete. The message ends with its last word, or with the spill after it.
  // A row of the slot is complete; the message's last row is written.
  logic [Slots-1:0] up_q, ended_q;
  logic f_last_q;  // the row is its message's last
  at_t f_end_q;  // lane of the row in which the suffix ends
  logic f_bad_q;  // the message is bad
  logic rest_ends;  // in the spill's clock: the spill ends the message
  assign rest_ends = f_on_q || !f_ended_q;
  always_ff @(posedge clk_i) begin
    f_on_q <= e_on;
    f_ended_q <= e_ends_q;
    for (int unsigned i = 0; i < Slots; i++) begin
      up_q[i] <= e_hit_q[i] && !rst_i && (e_rest_q ? rest_ends : e_ends_q);
    end
    f_last_q <= e_rest_q || (e_last_q && !e_on);
    f_end_q <= at_t'(e_beat_q << $clog2(Lanes));
    if (Lanes > 1) f_end_q <= at_t'(e_beat_q << $clog2(Lanes)) | at_t'(e_lane_q);
    f_bad_q <= e_bad_q;
  end

  // Rows that wait to be read. `room_q` drops early enough for the beats still under way.
  // Rows that beats under way can still complete: 13 beats, 9 lanes at least a row, and one row.
  localparam int unsigned Under = (13 * Lanes + 8) / 9 + 1;
  // There is room up to this number of waiting rows.
  localparam int unsigned Limit = (1 << RowBits) - 1 - Under;
  for (genvar i = 0; i < Slots; i++) begin : gen_rows
    row_t rows_q;  // complete rows that wait
    assign some_o[i]  = rows_q != '0;
    assign final_o[i] = ended_q[i] && rows_q == row_t'(1);
    always_ff @(posedge clk_i) begin
      if (up_q[i] && !taken_i[i]) rows_q <= rows_q + row_t'(1);
      else if (taken_i[i] && !up_q[i]) rows_q <= rows_q - row_t'(1);
      if (rst_i) rows_q <= '0;

      if (rst_i || done_i[i]) {ended_q[i], bad_o[i]} <= 2'b00;
      else if (up_q[i] && f_last_q) {ended_q[i], bad_o[i]} <= {1'b1, f_bad_q};
      if (up_q[i]) end_o[i] <= f_end_q;

      room_q[i] <= !rst_i && rows_q <= row_t'(Limit);
    end
  end

  ////////////////////
  // The queue      //
  ////////////////////

  // Bank i holds lane i % Lanes of the beats whose number in the row, modulo Groups, is i / Lanes.
  localparam int unsigned LoadLanes = LoadWidth / LaneWidth;
  localparam int unsigned Groups = LoadLanes / Lanes;
  for (genvar i = 0; i < LoadLanes; i++) begin : gen_bank
    localparam int unsigned Lane = i % Lanes;
    localparam int unsigned Group = i / Lanes;
    logic write_q;  // writes the word of this bank
    slot_t slot_q;
    row_t bank_row_q;
    at_t bank_beat_q;
    logic [LaneWidth-1:0] word_q;
    if (Lanes > 1) begin : gen_late
      logic [Lanes-1:0] behind;  // lanes from the split on
      logic next;  // the lane belongs to the next row
      at_t  beat;
      assign behind = '1 << e_split_q;
      assign next = e_ends_q && e_split_q != '0 && behind[Lane];
      assign beat = next ? '0 : e_beat_q;
      always_ff @(posedge clk_i) begin
        write_q <= e_valid_q && !rst_i && (32'(beat) % Groups) == Group;
        slot_q <= e_slot_q;
        bank_row_q <= e_row_q + row_t'(next);
        bank_beat_q <= beat;
        word_q <= e_word_q[LaneWidth*Lane+:LaneWidth];
      end
    end else begin : gen_now
      assign slot_q = e_slot_q;
      assign bank_row_q = e_row_q;
      assign bank_beat_q = e_beat_q;
      assign word_q = e_word_q;
      always_ff @(posedge clk_i) begin
        write_q <= d_valid_q && !rst_i && (32'(d_first_q ? '0 : kept.beat) % Groups) == Group;
      end
    end
    hf_ram #(
        .Width(LaneWidth),
        .Depth(1 << (SlotWidth + RowBits + WordBits))
    ) u_ram (
        .clk_i,
        .write_i     (write_q),
        .write_addr_i({slot_q, bank_row_q, WordBits'(32'(bank_beat_q) / Groups)}),
        .write_data_i(word_q),
        .read_addr_i ({read_slot_i, read_row_i, read_word_i}),
        .read_data_o (read_data_o[LaneWidth*i+:LaneWidth])
    );
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (DataWidth < 64 || DataWidth > 512 || $countones(DataWidth) != 1) begin : gen_bad_width
    $fatal(1, "hf_keccak_input: DataWidth is 64, 128, 256 or 512, not %0d", DataWidth);
  end
  if (LoadWidth < DataWidth || LoadWidth > 512 || LoadWidth % DataWidth != 0) begin : gen_bad_load
    $fatal(1, "hf_keccak_input: LoadWidth %0d does not fit DataWidth %0d", LoadWidth, DataWidth);
  end
  if (TidWidth > 16) begin : gen_bad_tid
    $fatal(1, "hf_keccak_input: TidWidth is 16 at most, not %0d", TidWidth);
  end
  if (Slots < 2 || TidWidth < SlotWidth) begin : gen_bad_slots
    $fatal(1, "hf_keccak_input: %0d slots do not fit %0d bits of tid", Slots, TidWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
