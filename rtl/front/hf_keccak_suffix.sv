// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Suffix of the front end with several slots: clears the bytes outside a message and appends the
// domain suffix with the first 1 of pad10*1 to its last bit (FIPS 202, sections 5.1 and 6).
// hf_keccak_block_loader adds the zeros and the pad's last 1 when it reads a block.
//
// The suffix follows the bits of the last byte. It covers up to two bytes, and spills into the next
// word if these end the beat. One of the two bytes is even and the other odd, so each bit of a byte
// has only two candidate values.
//
// Errors: a hole in tkeep, a short beat that is not the last, bits in an empty last byte, or an
// unknown function make a message bad. Its other beats are discarded, but for the last, which ends
// it and carries `message_bad`.
//
// Timing: one beat a clock. Clock 0 is the clock of a beat's handshake (hf_keccak_slot_port).
//
//   1    the beat's ports are valid
//   2    bytes outside tkeep are zero; faults, the suffix and its place are decided
//   3    the suffix is shifted to its bits within two bytes; message_begins_o
//   4    the two bytes are selected; the next_ ports are valid
//   5    the word is complete on the word_ ports; a suffix that spills into the next word follows
//        in clock 6, which the port leaves free

module hf_keccak_suffix
  import hf_keccak_slots_pkg::*;
  import hf_keccak_suffix_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned PortWidth = 128,  // width of the stream port, in bits
    parameter  int unsigned Slots = 4,
    parameter  bit          Pads = 1'b1,  // as in hf_keccak_slots
    localparam int unsigned KeepWidth = PortWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned PortLaneBits = index_bits(port_lanes(PortWidth))
) (
    input logic clk_i,
    input logic rst_i,

    // The accepted beat, as in hf_keccak_slot_port.
    input logic  [    Slots-1:0] beat_hit_i,
    input logic  [SlotWidth-1:0] beat_slot_i,
    input beat_t                 beat_fields_i,
    input logic  [PortWidth-1:0] beat_data_i,
    input logic  [KeepWidth-1:0] beat_keep_i,
    input logic  [KeepWidth-1:0] beat_skip_i,

    // A message has begun in a slot; what it requests.
    output logic                     message_begins_o,
    output logic     [SlotWidth-1:0] message_slot_o,
    output message_t                 message_fields_o,
    output rate_t    [    Slots-1:0] message_rate_o,  // rate of each slot's message

    // The word that is on the word_ ports in the next clock.
    output logic                 next_first_o,   // it is its message's first
    output logic [SlotWidth-1:0] next_slot_o,
    output rate_t                next_rate_o,
    output logic                 next_repeats_o,  // the word after it is of the same slot

    output word_t                    word_fields_o,
    output logic  [       Slots-1:0] word_hit_o,   // its slot, one-hot, or none
    output logic  [   SlotWidth-1:0] word_slot_o,
    output logic  [   PortWidth-1:0] word_data_o,
    output logic  [PortLaneBits-1:0] word_lane_o   // lane of it in which the suffix ends
);

  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [PortLaneBits-1:0] port_lane_t;  // a lane of a beat

  /////////////////////
  // Clock 2: place  //
  /////////////////////

  suffix_kind_t [Slots-1:0] message_kind_q;  // suffix of each slot's message
  logic [Slots-1:0] beat_hit2_q;
  logic [PortWidth-1:0] beat_data2_q;
  logic beat_first2_q, beat_last2_q;
  logic [2:0] beat_faults2_q;  // faults of this beat only
  logic beat_faulty;  // this beat breaks a rule of the port
  assign beat_faulty = |beat_faults2_q;
  suffix_kind_t suffix_kind2_q;
  logic [2:0] last_bits2_q;
  logic [LengthWidth-1:0] output_length2_q;
  logic output_open2_q;  // the length is all ones: an open output
  slot_t beat_slot2_q;
  logic [KeepWidth:0] suffix_start2_q;  // one-hot: where the suffix starts; top bit: the next word
  logic start_odd2_q;  // that byte's number is odd

  always_ff @(posedge clk_i) begin
    beat_hit2_q <= rst_i ? '0 : beat_hit_i;
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      // Written so that synthesis uses the registers' reset instead of a LUT.
      if (beat_skip_i[b]) beat_data2_q[8*b+:8] <= '0;
      else beat_data2_q[8*b+:8] <= beat_data_i[8*b+:8];
    end
    beat_first2_q <= beat_fields_i.first_beat;
    beat_last2_q <= beat_fields_i.last_beat;
    beat_slot2_q <= beat_slot_i;
    last_bits2_q <= beat_fields_i.last_bits;
    beat_faults2_q <= {
      beat_fields_i.keep_has_hole,
      beat_fields_i.short_not_last,
      beat_fields_i.bits_without_byte || beat_fields_i.function_unknown
    };
    suffix_kind2_q <= beat_fields_i.first_beat ? beat_fields_i.suffix_kind :
        message_kind_q[beat_slot_i];
    if (beat_fields_i.digest_words != '0) begin
      output_length2_q <= LengthWidth'({beat_fields_i.digest_words, 5'd0});
      output_open2_q <= 1'b0;
    end else begin
      output_length2_q <= beat_fields_i.output_length;
      output_open2_q <= beat_fields_i.length_open;
    end
    suffix_start2_q <= ({beat_keep_i, 1'b1} & {1'b1, ~beat_keep_i} &
        {(KeepWidth + 1) {beat_fields_i.ends_whole}}) |
        ({1'b0, beat_keep_i & ~(beat_keep_i >> 1)} &
        {(KeepWidth + 1) {beat_fields_i.ends_partial}});
    start_odd2_q <= beat_fields_i.start_odd;
    for (int unsigned i = 0; i < Slots; i++) begin
      if (beat_hit_i[i] && beat_fields_i.first_beat) begin
        message_kind_q[i] <= beat_fields_i.suffix_kind;
        message_rate_o[i] <= beat_fields_i.function_rate;
      end
    end
  end

  // The remaining beats of the slot's bad message are discarded.
  logic [Slots-1:0] discard_message_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Slots; i++) begin
      if (rst_i) discard_message_q[i] <= 1'b0;
      else if (beat_hit2_q[i]) begin
        discard_message_q[i] <= (beat_faulty || discard_message_q[i]) && !beat_last2_q;
      end
    end

    message_begins_o <= |beat_hit2_q && beat_first2_q && !rst_i;
    message_slot_o <= beat_slot2_q;
    {message_fields_o.whole_lanes, message_fields_o.tail_bits} <= output_length2_q;
    message_fields_o.lane_partial <= output_length2_q[5:0] != '0;
    message_fields_o.output_open <= output_open2_q;
  end

  logic [3:0] end_bit;  // bits from the start of the suffix's first byte to its end
  assign end_bit = suffix_end(last_bits2_q, suffix_length(suffix_kind2_q));

  /////////////////////
  // Clock 3: shift  //
  /////////////////////

  logic [Slots-1:0] beat_hit3_q;
  logic beat_valid3_q, beat_first3_q;
  logic [PortWidth-1:0] beat_data3_q;
  logic [7:0] suffix_shifted3_q;  // the suffix, shifted by bits 1:0 of the shift
  logic shift_four3_q;  // the suffix is shifted by four more bits
  logic [4:0] suffix_bits3_q;  // the suffix, not shifted
  logic [7:0] message_mask3_q;  // message bits of the suffix's first byte
  logic [KeepWidth:0] suffix_start3_q;
  // The suffix ends in the byte after its first (crosses), or at the end of its first (fills).
  logic start_odd3_q, beat_last3_q, message_bad3_q, crosses_byte3_q, fills_byte3_q;
  slot_t beat_slot3_q;

  always_ff @(posedge clk_i) begin
    beat_hit3_q <= rst_i ? '0 : beat_hit2_q;
    beat_valid3_q <= |beat_hit2_q && !rst_i;
    beat_first3_q <= beat_first2_q;
    beat_data3_q <= beat_data2_q;
    suffix_shifted3_q <= 8'(suffix_of(suffix_kind2_q)) << last_bits2_q[1:0];
    shift_four3_q <= last_bits2_q[2];
    suffix_bits3_q <= suffix_of(suffix_kind2_q);
    message_mask3_q <= ~(8'hff << last_bits2_q);
    suffix_start3_q <= suffix_start2_q;
    start_odd3_q <= start_odd2_q;
    beat_last3_q <= beat_last2_q;
    message_bad3_q <= beat_faulty || |(beat_hit2_q & discard_message_q);
    crosses_byte3_q <= end_bit > 4'd8;
    fills_byte3_q <= end_bit == 4'd8;
    beat_slot3_q <= beat_slot2_q;
  end

  logic [15:0] suffix_shifted;  // the suffix in its two bytes
  logic [KeepWidth-1:0] lane_tops;  // the last byte of each lane
  port_lane_t end_lane;  // lane of the beat in which the suffix ends
  assign suffix_shifted = shift_four3_q ? {4'd0, suffix_shifted3_q, 4'd0} : 16'(suffix_shifted3_q);
  always_comb begin
    end_lane = '0;
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      lane_tops[b] = (b % 8) == 7;
      // A suffix that crosses the last byte of a lane ends in the next lane, or in the next word.
      if (suffix_start3_q[b] && !(lane_tops[b] && crosses_byte3_q)) end_lane |= port_lane_t'(b / 8);
      if (suffix_start3_q[b] && lane_tops[b] && crosses_byte3_q) begin
        end_lane |= port_lane_t'(b / 8 + 1);
      end
    end
  end

  /////////////////////
  // Clock 4: select //
  /////////////////////

  logic [Slots-1:0] beat_hit4_q;
  logic [PortWidth-1:0] beat_data4_q;
  logic [KeepWidth-1:0] suffix_bytes4_q;  // bytes that hold suffix bits
  logic [7:0] message_mask4_q;  // message bits of such a byte
  logic [1:0][7:0] suffix_bits4_q;  // suffix bits for an even byte [0] and for an odd byte [1]
  logic [4:0] spilled_suffix4_q;  // suffix bits for the next word
  rate_t message_rate4_q;
  logic beat_valid4_q, beat_first4_q, beat_last4_q, message_bad4_q;
  logic suffix_spills4_q;  // into the next word
  logic suffix_fills4_q;  // it ends at the end of a lane
  slot_t beat_slot4_q;
  port_lane_t end_lane4_q;

  always_ff @(posedge clk_i) begin
    beat_hit4_q <= rst_i ? '0 : beat_hit3_q & {Slots{!message_bad3_q || beat_last3_q}};
    beat_data4_q <= beat_data3_q;
    suffix_bytes4_q <= suffix_start3_q[KeepWidth-1:0] | KeepWidth'(suffix_start3_q << 1);
    message_mask4_q <= message_mask3_q;
    suffix_bits4_q <= start_odd3_q ? {suffix_shifted[7:0], suffix_shifted[15:8]} : suffix_shifted;
    spilled_suffix4_q <= suffix_start3_q[KeepWidth] ? suffix_bits3_q : suffix_shifted[12:8];
    if (!Pads) suffix_bits4_q <= '0;
    if (!Pads) spilled_suffix4_q <= '0;
    beat_valid4_q <= beat_valid3_q && (!message_bad3_q || beat_last3_q) && !rst_i;
    // The first beat of a discarded message may not get here; its last beat then stands for it.
    beat_first4_q <= beat_valid3_q && (beat_first3_q || message_bad3_q);
    beat_last4_q <= beat_valid3_q && beat_last3_q && !rst_i;
    beat_slot4_q <= beat_slot3_q;
    message_rate4_q <= message_rate_o[beat_slot3_q];
    message_bad4_q <= message_bad3_q;
    suffix_spills4_q <= !message_bad3_q &&
        (suffix_start3_q[KeepWidth] || (suffix_start3_q[KeepWidth-1] && crosses_byte3_q));
    suffix_fills4_q <= fills_byte3_q && |(suffix_start3_q[KeepWidth-1:0] & lane_tops);
    end_lane4_q <= end_lane;
  end

  assign next_first_o = beat_first4_q;
  assign next_slot_o = beat_slot4_q;
  assign next_rate_o = message_rate4_q;
  assign next_repeats_o = beat_valid4_q && (beat_last4_q || beat_slot3_q == beat_slot4_q);

  /////////////////////
  // Clock 5: word   //
  /////////////////////

  // In the clock after a message's last word, which the port leaves free, the spilled suffix
  // follows, or zeros. If the last word did not end the block, that row's content after it is never
  // used.
  logic [Slots-1:0] word_hit5_q;
  word_t word_fields5_q;
  logic [PortWidth-1:0] word_data5_q;
  logic [4:0] spilled_suffix5_q;  // suffix bits for the next word
  slot_t word_slot5_q;
  port_lane_t end_lane5_q;

  always_ff @(posedge clk_i) begin
    word_fields5_q.word_valid <= (beat_valid4_q || word_fields5_q.last_word) && !rst_i;
    word_fields5_q.last_word <= beat_last4_q && !rst_i;
    word_fields5_q.after_last <= word_fields5_q.last_word && !rst_i;
    if (word_fields5_q.last_word) begin
      word_data5_q <= PortWidth'(spilled_suffix5_q);
      end_lane5_q <= '0;
      word_fields5_q.first_word <= 1'b0;
    end else begin
      for (int unsigned b = 0; b < KeepWidth; b++) begin
        for (int unsigned i = 0; i < 8; i++) begin
          word_data5_q[8*b+i] <= with_suffix(beat_data4_q[8*b+i], suffix_bytes4_q[b],
                                             message_mask4_q[i], suffix_bits4_q[b%2][i]);
        end
      end
      word_fields5_q.first_word <= beat_first4_q;
      word_hit5_q <= beat_hit4_q;
      word_slot5_q <= beat_slot4_q;
      end_lane5_q <= end_lane4_q;
      word_fields5_q.suffix_fills <= suffix_fills4_q;
      word_fields5_q.suffix_spills <= suffix_spills4_q;
      word_fields5_q.message_bad <= message_bad4_q;
      spilled_suffix5_q <= suffix_spills4_q ? spilled_suffix4_q : '0;
    end
    if (rst_i) word_hit5_q <= '0;
  end

  assign word_fields_o = word_fields5_q;
  assign word_hit_o = word_hit5_q;
  assign word_slot_o = word_slot5_q;
  assign word_data_o = word_data5_q;
  assign word_lane_o = end_lane5_q;

endmodule
