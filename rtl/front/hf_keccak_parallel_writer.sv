// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Writer of hf_keccak_parallel: turns messages into the nodes of ParallelHash (SP 800-185, section
// 6.3), which it writes into the rings of the slots. The ring of slot 0 gets the final node, those
// of the other slots get the message's blocks of B bytes:
//
//   bytepad(encode_string("ParallelHash") || encode_string(S), rate)
//   left_encode(B) || values of the blocks || right_encode(n) || right_encode(L)
//
// The final node is hashed by cSHAKE, whose suffix the core adds, and a block by SHAKE. A beat goes
// to a block in a clock. What goes to the final node is text of up to eight bytes, a byte a clock;
// no beat is accepted meanwhile.
//
// Messages of other codes pass: all beats go into ring 0.
//
// Errors: a hole in tkeep, a short beat that is not the last, bits without a byte, an output without
// an end of a function that is no XOF, and a load that failed make the final node bad (`is_bad`): it
// ends with an error.
//
// Timing: clock 0 is the clock of a beat's handshake; its write is at the rings in clock 2.

module hf_keccak_parallel_writer
  import hf_keccak_parallel_pkg::*;
  import hf_keccak_tree_pkg::*;
  import hf_sp800_185_pkg::encoded;
  import hf_sp800_185_pkg::digits;
  import hf_sp800_185_pkg::NumberWidth;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 128,  // 64, 128 or 256
    parameter  int unsigned Slots = 4,
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned ValueBeatBits = $clog2(64 / KeepWidth)
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                 s_tvalid_i,
    output logic                 s_tready_o,
    input  logic [DataWidth-1:0] s_tdata_i,
    input  logic [KeepWidth-1:0] s_tkeep_i,
    input  logic                 s_tlast_i,
    input  logic [UserWidth-1:0] s_tuser_i,

    // To the rings.
    output logic       [KeepWidth-1:0] write_bytes_o,
    output logic       [SlotWidth-1:0] write_slot_o,
    output logic       [DataWidth-1:0] write_data_o,
    output node_beat_t                 write_fields_o,
    output logic                       write_commit_o,
    input  logic       [    Slots-1:0] ring_room_i,

    input  logic may_begin_i,       // the final node of the message before has left its ring
    output logic message_begins_o,  // a message begins: its first beat is offered

    // Blocks and their values (hf_keccak_tree_values).
    input  logic [    IndexBits-1:0] next_index_i,
    input  logic [        Slots-1:0] slot_free_i,
    output logic                     assign_valid_o,
    output logic [    SlotWidth-1:0] assign_slot_o,
    output logic [    IndexBits-1:0] assign_index_o,
    output logic                     node_room_o,
    input  logic                     value_valid_i,
    output logic [ValueBeatBits-1:0] value_beat_o,
    input  logic [    DataWidth-1:0] value_data_i,
    output logic                     value_done_o
);

  localparam int unsigned ByteBits = $clog2(KeepWidth);
  localparam int unsigned Lanes = KeepWidth / 8;  // of a beat
  localparam int unsigned BeatsWidth = BlockBytesWidth - ByteBits;
  localparam int unsigned StringBeats = StringBytes / KeepWidth;
  localparam int unsigned StringAddrWidth = $clog2(StringBeats);
  localparam int unsigned SizeWidth = $clog2(StringBytes + 1);

  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [ByteBits-1:0] offset_t;

  typedef enum logic [3:0] {
    StIdle,        // between messages
    StLoadBlock,   // B is stored
    StLoadCustom,  // S is stored
    StPass,        // beats of a message that passes
    StChoose,      // the next text is chosen; the final node's ring has room
    StFetch1,      // a word of S or of a value is read
    StFetch2,
    StEncode,      // the text is made,
    StText,        // and written, a byte a clock
    StPad,         // zeros to the end of a block of the sponge
    StSlot,        // a slot for the message's next block
    StFill,        // its beats are accepted
    StEmpty,       // the empty beat that ends the message
    StDrain        // the values of the last blocks are added
  } state_e;

  // The text that is written.
  typedef enum logic [3:0] {
    TextName0,         // bytepad's width, and the name in two parts
    TextName1,
    TextCustomLength,
    TextCustom,
    TextBlockBytes,
    TextValue,
    TextCount,
    TextLength
  } text_e;

  state_e writer_state_d, writer_state_q, after_value_q;
  text_e text_kind_d, text_kind_q;

  ////////////////////
  // The beat       //
  ////////////////////

  user_t s_user;
  logic may_take_beat_q, beat_taken, may_take_d;
  logic beat_empty_end;
  assign s_user = s_tuser_i;
  assign s_tready_o = may_take_beat_q;
  assign beat_taken = s_tvalid_i && may_take_beat_q;
  assign beat_empty_end = s_tlast_i && !s_tkeep_i[0];
  logic unused_reserved;
  assign unused_reserved = ^{s_user.reserved, s_user.more};

  // In clock 1.
  logic beat_valid1_q, beat_last1_q, ends_node1_q, keep_hole1_q, beat_short1_q, has_bytes1_q;
  logic beat_write1_q;  // the beat goes to a ring,
  logic message_passes1_q;  // that of a message that passes
  logic is_custom1_q, custom_overflow1_q;  // it is part of S; S is too long
  slot_t beat_slot1_q;
  logic [DataWidth-1:0] beat_data1_q;
  logic [KeepWidth-1:0] last_byte1_q;  // one-hot, if there is no hole
  logic [2:0] last_bits1_q;
  logic beat_bad1;
  logic [FieldCountBits-1:0] byte_count1;
  assign beat_bad1 = keep_hole1_q || (beat_short1_q && !beat_last1_q) ||
      (beat_last1_q && last_bits1_q != '0 && !has_bytes1_q);
  always_comb begin
    byte_count1 = '0;
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      if (last_byte1_q[b]) byte_count1 |= FieldCountBits'(b + 1);
    end
  end

  ////////////////////
  // The message    //
  ////////////////////

  logic is_strong_q, is_xof_q, is_bad_q;
  logic [LengthWidth-1:0] output_length_q;  // bits
  logic [CountWidth-1:0] block_count_q;
  logic [BeatsWidth-1:0] block_beats_q;  // B, in beats
  logic [BeatsWidth-1:0] beats_left_q;  // of the block, less one
  logic block_ends_q;  // this beat is its last one
  logic block_failed_q, custom_failed_q;  // the last load of B, of S
  logic [SizeWidth-1:0] custom_bytes_q;
  slot_t node_slot_q;
  logic final_room_q, slot_room_q;  // the rings of slot 0 and of the block have room

  // The beat before, which may be the last one of a load, counts from the second clock on.
  assign message_begins_o = writer_state_q == StIdle && s_tvalid_i && may_begin_i && final_room_q &&
      !beat_valid1_q && s_user.code != LoadBlockBytes && s_user.code != LoadCustom;

  ////////////////////
  // Texts          //
  ////////////////////

  offset_t node_offset_q;  // bytes in the final node's last beat
  logic [4:0] sponge_lane_q;  // lanes in the block of the sponge
  logic [4:0] last_lane;
  logic [63:0] text_shift_q;
  logic [3:0] text_left_q;  // bytes
  logic [NumberWidth-1:0] encoded_number_q;
  logic [3:0] text_part_q;  // eight bytes of S or of a value
  logic [SizeWidth-1:0] custom_left_q;
  logic text_fetched;
  logic text_byte, text_ends, pad_lane, pad_done;
  logic value_ends, node_ends;
  assign last_lane = is_strong_q ? 5'd16 : 5'd20;
  assign text_fetched = text_kind_q == TextCustom || text_kind_q == TextValue;
  assign text_byte = writer_state_q == StText;
  assign text_ends = text_byte && text_left_q == 4'd1;
  assign pad_done = sponge_lane_q == '0 && node_offset_q[2:0] == '0;
  assign pad_lane = writer_state_q == StPad && !pad_done && final_room_q;
  assign value_ends = text_part_q == (is_strong_q ? 4'd7 : 4'd3);
  assign node_ends = text_ends && text_kind_q == TextLength;

  // Of a value, and of S.
  logic [DataWidth-1:0] string_data, fetched_data;
  logic [63:0] fetched_lane;
  assign value_beat_o = ValueBeatBits'(text_part_q / 4'(Lanes));
  assign fetched_data = text_kind_q == TextValue ? value_data_i : string_data;
  if (Lanes == 1) begin : gen_lane
    assign fetched_lane = fetched_data;
  end else begin : gen_lanes
    assign fetched_lane = fetched_data[64*text_part_q[$clog2(Lanes)-1:0]+:64];
  end

  logic [StringAddrWidth:0] string_place_q;  // beats of S that are stored; the part that is read
  hf_ram #(
      .Width(DataWidth),
      .Depth(StringBeats)
  ) u_string (
      .clk_i,
      .write_i     (writer_state_q == StLoadCustom && beat_taken &&
          !string_place_q[StringAddrWidth]),
      .write_addr_i(StringAddrWidth'(string_place_q)),
      .write_data_i(s_tdata_i),
      .read_addr_i (StringAddrWidth'(string_place_q)),
      .read_data_o (string_data)
  );

  function automatic logic [3:0] text_bytes(input logic [NumberWidth-1:0] number);
    return 4'(digits(number)) + 4'd1;
  endfunction

  ////////////////////
  // Control        //
  ////////////////////

  logic value_word_now, all_added, slot_ok;
  slot_t look_slot_q;
  assign value_word_now = value_valid_i && (writer_state_q == StSlot || writer_state_q == StDrain ||
      (writer_state_q == StFill && !beat_taken));
  assign all_added = next_index_i == IndexBits'(block_count_q);
  assign slot_ok = slot_free_i[look_slot_q];

  always_comb begin
    writer_state_d = writer_state_q;
    text_kind_d    = text_kind_q;
    unique case (writer_state_q)
      StIdle: begin
        if (message_begins_o) writer_state_d = is_parallel(s_user.code) ? StChoose : StPass;
        else if (s_tvalid_i && s_user.code == LoadBlockBytes) writer_state_d = StLoadBlock;
        else if (s_tvalid_i && s_user.code == LoadCustom) writer_state_d = StLoadCustom;
        text_kind_d = TextName0;
      end
      StLoadBlock, StLoadCustom, StPass: if (beat_taken && s_tlast_i) writer_state_d = StIdle;
      StChoose: if (final_room_q) writer_state_d = text_fetched ? StFetch1 : StEncode;
      StFetch1: writer_state_d = StFetch2;
      StFetch2: writer_state_d = StEncode;
      StEncode: writer_state_d = StText;
      StText:
      if (text_ends) begin
        writer_state_d = StChoose;
        unique case (text_kind_q)
          TextName0: text_kind_d = TextName1;
          TextName1: text_kind_d = TextCustomLength;
          TextCustomLength, TextCustom: begin
            text_kind_d = TextCustom;
            if (custom_left_q == '0) writer_state_d = StPad;
          end
          TextBlockBytes: writer_state_d = StSlot;
          TextValue: if (value_ends) writer_state_d = after_value_q;
          TextCount: text_kind_d = TextLength;
          default: writer_state_d = StIdle;
        endcase
      end
      StPad:
      if (pad_done) begin
        writer_state_d = StChoose;
        text_kind_d    = TextBlockBytes;
      end
      StSlot: begin
        if (s_tvalid_i && beat_empty_end) writer_state_d = StEmpty;
        else if (s_tvalid_i && slot_ok) writer_state_d = StFill;
      end
      StFill: if (beat_taken) writer_state_d = s_tlast_i ? StDrain : block_ends_q ? StSlot : StFill;
      StEmpty: if (beat_taken) writer_state_d = StDrain;
      StDrain:
      if (all_added) begin
        writer_state_d = StChoose;
        text_kind_d    = TextCount;
      end
      default: writer_state_d = StIdle;
    endcase
    if (value_word_now) begin
      writer_state_d = StChoose;
      text_kind_d    = TextValue;
    end
    may_take_d = writer_state_d == StLoadBlock || writer_state_d == StLoadCustom ||
        writer_state_d == StEmpty ||
        (writer_state_d == StPass && final_room_q) ||
        (writer_state_d == StFill && writer_state_q == StFill && slot_room_q);
  end

  assign assign_valid_o = writer_state_q == StSlot && writer_state_d == StFill;
  assign assign_slot_o = look_slot_q;
  assign assign_index_o = IndexBits'(block_count_q);
  assign node_room_o = final_room_q;
  assign value_done_o = text_ends && text_kind_q == TextValue && value_ends;

  always_ff @(posedge clk_i) begin
    writer_state_q <= rst_i ? StIdle : writer_state_d;
    text_kind_q <= text_kind_d;
    may_take_beat_q <= may_take_d && !rst_i;
    final_room_q <= ring_room_i[0] && !rst_i;
    slot_room_q <= ring_room_i[node_slot_q];
    if (value_word_now) after_value_q <= writer_state_q;

    if (message_begins_o) begin
      is_strong_q <= s_user.code[0];
      is_xof_q <= s_user.code[1];
      output_length_q <= s_user.length;
      block_count_q <= '0;
    end
    if (rst_i || (writer_state_q == StSlot && (assign_valid_o || !slot_ok))) begin
      look_slot_q <= (rst_i || look_slot_q == slot_t'(Slots - 1)) ? slot_t'(1) :
          look_slot_q + 1'b1;
    end
    if (assign_valid_o) begin
      node_slot_q <= look_slot_q;
      slot_room_q <= 1'b0;
      block_count_q <= block_count_q + 1'b1;
      beats_left_q <= block_beats_q - 1'b1;
      block_ends_q <= block_beats_q == BeatsWidth'(1);
    end else if (writer_state_q == StFill && beat_taken) begin
      beats_left_q <= beats_left_q - 1'b1;
      block_ends_q <= beats_left_q == BeatsWidth'(1);
    end

    // Loads. The last beat of S is counted while the load after it may begin.
    if (rst_i) begin
      block_beats_q  <= BeatsWidth'(BlockBytesDefault / KeepWidth);
      block_failed_q <= 1'b0;
    end else if (writer_state_q == StIdle && writer_state_d == StLoadBlock) begin
      block_failed_q <= s_user.length[ByteBits-1:0] != '0 || s_user.length == '0 ||
          s_user.length[LengthWidth-1:BlockBytesWidth] != '0 || !beat_empty_end ||
          s_tkeep_i != '0 || s_user.bits != '0;
      if (s_user.length[BlockBytesWidth-1:ByteBits] != '0) begin
        block_beats_q <= s_user.length[BlockBytesWidth-1:ByteBits];
      end
    end
    if (rst_i || (writer_state_q == StIdle && writer_state_d == StLoadCustom)) begin
      custom_bytes_q  <= '0;
      custom_failed_q <= 1'b0;
    end else if (beat_valid1_q && is_custom1_q) begin
      custom_bytes_q  <= custom_bytes_q + SizeWidth'(byte_count1);
      custom_failed_q <= custom_failed_q || beat_bad1 || last_bits1_q != '0 || custom_overflow1_q;
    end

    // The place in S: of the beat that is stored, or of the part that is read.
    if (writer_state_q == StIdle) string_place_q <= '0;
    else if (writer_state_q == StLoadCustom && beat_taken && !string_place_q[StringAddrWidth]) begin
      string_place_q <= string_place_q + 1'b1;
    end else if (text_ends && text_kind_q == TextCustom && &(text_part_q | ~4'(Lanes - 1))) begin
      string_place_q <= string_place_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    is_custom1_q <= writer_state_q == StLoadCustom;
    custom_overflow1_q <= string_place_q[StringAddrWidth] && s_tkeep_i[0];
    beat_valid1_q <= beat_taken && !rst_i;
    message_passes1_q <= writer_state_q == StPass;
    beat_last1_q <= s_tlast_i;
    ends_node1_q <= s_tlast_i || (writer_state_q == StFill && block_ends_q);
    keep_hole1_q <= |(~s_tkeep_i & (s_tkeep_i >> 1));
    beat_short1_q <= !(&s_tkeep_i);
    has_bytes1_q <= s_tkeep_i[0];
    beat_slot1_q <= writer_state_q == StPass ? '0 : node_slot_q;
    beat_data1_q <= s_tdata_i;
    last_byte1_q <= s_tkeep_i & ~(s_tkeep_i >> 1);
    last_bits1_q <= s_user.bits;
    beat_write1_q <= beat_taken && (writer_state_q == StPass || writer_state_q == StFill) && !rst_i;
  end

  always_ff @(posedge clk_i) begin
    if (message_begins_o) begin
      is_bad_q <= is_parallel(s_user.code) &&
          (block_failed_q || custom_failed_q || (&s_user.length && !s_user.code[1]));
    end else if (beat_valid1_q && beat_bad1) is_bad_q <= 1'b1;
  end

  // The text, and where it goes.
  always_ff @(posedge clk_i) begin
    unique case (text_kind_q)
      TextCustomLength: encoded_number_q <= NumberWidth'({custom_bytes_q, 3'd0});
      TextBlockBytes: encoded_number_q <= NumberWidth'({block_beats_q, ByteBits'(0)});
      TextCount: encoded_number_q <= NumberWidth'(block_count_q);
      default: encoded_number_q <= is_xof_q ? '0 : NumberWidth'(output_length_q);
    endcase

    if (writer_state_q == StEncode) begin
      unique case (text_kind_q)
        // "ParallelHash", its first letter in the lowest byte.
        TextName0: text_shift_q <= {"araP", 8'd96, 8'd1, is_strong_q ? 8'd136 : 8'd168, 8'd1};
        TextName1: text_shift_q <= "hsaHlell";
        TextCustom, TextValue: text_shift_q <= fetched_lane;
        TextCount, TextLength: text_shift_q <= encoded(encoded_number_q, 1'b0);
        default: text_shift_q <= encoded(encoded_number_q, 1'b1);
      endcase
      unique case (text_kind_q)
        TextName0, TextName1, TextValue: text_left_q <= 4'd8;
        TextCustom: text_left_q <= custom_left_q >= SizeWidth'(8) ? 4'd8 : 4'(custom_left_q);
        default: text_left_q <= text_bytes(encoded_number_q);
      endcase
      if (text_kind_q == TextCustom) begin
        custom_left_q <= custom_left_q >= SizeWidth'(8) ? custom_left_q - SizeWidth'(8) : '0;
      end
    end else if (text_byte) begin
      text_shift_q <= text_shift_q >> 8;
      text_left_q <= text_left_q - 4'd1;
    end

    if (writer_state_q == StIdle) custom_left_q <= custom_bytes_q;
    if (value_word_now || (text_ends && text_kind_q == TextCustomLength)) text_part_q <= '0;
    else if (text_ends) text_part_q <= text_part_q + 4'd1;

    if (writer_state_q == StIdle) begin
      node_offset_q <= '0;
      sponge_lane_q   <= '0;
    end else if (text_byte || pad_lane) begin
      node_offset_q <= pad_lane ? (node_offset_q | offset_t'(7)) + 1'b1 : node_offset_q + 1'b1;
      if (pad_lane || &node_offset_q[2:0]) begin
        sponge_lane_q <= sponge_lane_q == last_lane ? '0 : sponge_lane_q + 1'b1;
      end
    end
  end

  ////////////////////
  // Writes         //
  ////////////////////

  logic [KeepWidth-1:0] text_place, pad_place;
  always_comb begin
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      text_place[b] = text_byte && node_offset_q == offset_t'(b);
      pad_place[b] = pad_lane && node_offset_q <= offset_t'(b) && b / 8 == 32'(node_offset_q) / 8;
    end
  end

  always_ff @(posedge clk_i) begin
    write_bytes_o <= rst_i ? '0 : text_place | pad_place | {KeepWidth{beat_write1_q}};
    write_slot_o <= beat_write1_q ? beat_slot1_q : '0;
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      write_data_o[8*b+:8] <= beat_write1_q ? beat_data1_q[8*b+:8] :
          text_shift_q[7:0] & {8{text_byte}};
    end
    write_fields_o.last_beat <= beat_write1_q ? ends_node1_q : node_ends;
    write_fields_o.last_bits <= beat_write1_q && beat_last1_q ? last_bits1_q : 3'd0;
    write_fields_o.byte_count <= !beat_write1_q ? FieldCountBits'(node_offset_q) + 1'b1 :
        beat_last1_q ? byte_count1 : FieldCountBits'(KeepWidth);
    write_fields_o.is_bad <= (beat_write1_q && !message_passes1_q) ? 1'b0 :
        is_bad_q || (beat_write1_q && beat_bad1);
    write_fields_o.is_strong <= is_strong_q;
    write_commit_o <= !rst_i && (beat_write1_q || node_ends || (text_byte && &node_offset_q) ||
        (pad_lane && &(node_offset_q | offset_t'(7))));
  end

endmodule
