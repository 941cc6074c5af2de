// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Block queue of the front end with several slots: writes the words of messages to rows of a RAM,
// one block a row, counts the blocks that wait in each slot, and is read word by word.
//
// Each slot has 2 ** RowBits rows. With several lanes a beat, a block may begin in the middle of a
// beat (in lane `split_lane`); such a beat is written to two rows. Lanes of a row that were not
// written are undefined.
//
// Errors: none. A bad message is queued as far as hf_keccak_suffix passes it, and ends with
// `message_bad`.
//
// Timing: clock 0 is the clock of a beat's handshake (hf_keccak_slot_port).
//
//   4    the next_ ports are valid
//   5    the word is on the word_ ports
//   6    its row and lane in the queue are decided
//   7    the word is written (in clock 6 if a beat is one lane)
//   8    next_block_o includes the block that the word completes (if the spilled suffix does: 9)
//   9    queue_room_o does
//
// A word that is read follows two clocks after its address.

module hf_keccak_block_queue
  import hf_keccak_pkg::*;
  import hf_keccak_slots_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned PortWidth = 128,  // width of the stream port, in bits
    parameter  int unsigned WordWidth = 128,  // width of the words that are read, in bits
    parameter  int unsigned Slots = 4,
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned PortLanes = port_lanes(PortWidth),
    localparam int unsigned PortLaneBits = index_bits(PortLanes),
    localparam int unsigned RowBits = row_bits(PortWidth),
    localparam int unsigned RowWordBits = row_word_bits(WordWidth)
) (
    input logic clk_i,
    input logic rst_i,

    // As in hf_keccak_suffix.
    input logic                    next_first_i,
    input logic [   SlotWidth-1:0] next_slot_i,
    input rate_t                   next_rate_i,
    input logic                    next_repeats_i,
    input word_t                   word_fields_i,
    input logic [       Slots-1:0] word_hit_i,
    input logic [   SlotWidth-1:0] word_slot_i,
    input logic [   PortWidth-1:0] word_data_i,
    input logic [PortLaneBits-1:0] word_lane_i,

    // The next block of each slot.
    output block_t [Slots-1:0] next_block_o,
    output logic   [Slots-1:0] queue_room_o,   // there is room for more of the slot's beats
    input  logic   [Slots-1:0] block_taken_i,  // the slot's block is being read
    input  logic   [Slots-1:0] message_done_i, // all blocks of the slot's message are loaded

    input  logic [  SlotWidth-1:0] read_slot_i,
    input  logic [    RowBits-1:0] read_row_i,
    input  logic [RowWordBits-1:0] read_word_i,
    output logic [  WordWidth-1:0] read_data_o   // two clocks after the address
);

  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [RowBits-1:0] queue_row_t;
  typedef logic [PortLaneBits-1:0] port_lane_t;  // a lane of a beat
  typedef logic [5:0] beats_left_t;  // beats of a block, less one; negative in its last beat

  /////////////////////
  // Clock 5: places //
  /////////////////////

  // A block ends in lane `split_lane` - 1 of a beat, and the next block begins in lane `split_lane`
  // of the same beat, unless `split_lane` is 0. With a rate of q beats and r lanes, the last beat
  // of the next block comes q - 1 or q beats later: q if `block_longer`.
  function automatic logic next_longer(input port_lane_t first_lane, input port_lane_t part_lanes);
    return (first_lane == '0) ? part_lanes != '0 : 32'(first_lane) + 32'(part_lanes) > PortLanes;
  endfunction

  logic [4:0] rate_lanes;  // lanes of the rate
  port_lane_t part_lanes, part_lanes5_q;  // r: lanes of the rate beyond whole beats
  // q - 1 and q - 2.
  beats_left_t beats_less_1, beats_less_2, beats_short5_q, beats_long5_q;

  assign rate_lanes = lanes_of(next_rate_i);
  assign beats_less_1 = beats_left_t'(minus_one(8'(32'(rate_lanes) / PortLanes)));
  assign beats_less_2 = beats_left_t'(minus_one(8'(beats_less_1)));
  assign part_lanes  = port_lane_t'(32'(rate_lanes) % PortLanes);

  always_ff @(posedge clk_i) begin
    if (!word_fields_i.last_word) begin
      part_lanes5_q <= part_lanes;
      // The first block begins in the first beat itself: one beat fewer.
      beats_long5_q <= next_first_i ? beats_less_2 : beats_less_1;
      beats_short5_q <= next_first_i ? beats_left_t'(minus_one(8'(beats_less_2))) : beats_less_2;
    end
  end

  // The place of a slot's next beat. Rows of a message begin at 0. `beats_left` shows whether a
  // block ends in that beat; if so, the next block begins in the same beat, in lane `split_lane`,
  // unless that is 0.
  typedef struct packed {
    queue_row_t  queue_row;
    row_lane_t   row_beat;      // number of the beat in its row
    // Beats to the block's last beat, less one: negative in the last beat.
    beats_left_t beats_left;
    port_lane_t  split_lane;    // lane of the beat in which the next block begins
    logic        block_longer;  // the next block's last beat comes q beats later, not q - 1
  } place_t;
  place_t slot_place[Slots];  // of each slot's next beat
  place_t beat_place5_q, next_place;  // place of the beat in clock 5; of the slot's next beat
  logic slot_repeats_q;  // the next beat is of the same slot, so beat_place5_q is next_place
  logic block_ends;  // in this beat
  logic block_longer;  // place_t's block_longer of this beat
  // place_t's split_lane of this beat, and of the next block's end.
  port_lane_t split_lane, split_next;

  // The place before a message's first beat is as if a block had ended in the row before the first.
  assign block_ends = beat_place5_q.beats_left[5] && !word_fields_i.first_word;
  assign split_lane = (PortLanes > 1) ? beat_place5_q.split_lane : '0;
  assign block_longer = PortLanes > 1 && beat_place5_q.block_longer;
  assign split_next = port_lane_t'((32'(split_lane) + 32'(part_lanes5_q)) % PortLanes);
  always_comb begin
    next_place.queue_row = beat_place5_q.queue_row + queue_row_t'(beat_place5_q.beats_left[5]);
    next_place.row_beat = !beat_place5_q.beats_left[5] ?
        row_lane_t'(plus_one(8'(beat_place5_q.row_beat))) :
        (word_fields_i.first_word ? row_lane_t'(1) : row_lane_t'(split_lane != '0));
    next_place.beats_left = !beat_place5_q.beats_left[5] ?
        beats_left_t'(minus_one(8'(beat_place5_q.beats_left))) :
        (block_longer ? beats_long5_q : beats_short5_q);
    next_place.split_lane = beat_place5_q.beats_left[5] ? split_next : split_lane;
    next_place.block_longer = beat_place5_q.beats_left[5] ? next_longer(split_next, part_lanes5_q) :
        block_longer;
  end
  always_ff @(posedge clk_i) begin
    if (word_fields_i.word_valid) slot_place[word_slot_i] <= next_place;
    beat_place5_q <= slot_repeats_q ? next_place : slot_place[next_slot_i];
    if (next_first_i) begin
      beat_place5_q.queue_row <= '1;
      beat_place5_q.beats_left[5] <= 1'b1;
      beat_place5_q.split_lane <= '0;
      beat_place5_q.block_longer <= next_longer('0, part_lanes);
    end
    slot_repeats_q <= next_repeats_i;
  end

  /////////////////////
  // Clock 6         //
  /////////////////////

  logic [Slots-1:0] word_hit6_q;
  word_t word_fields6_q;
  logic block_ends6_q;
  logic [PortWidth-1:0] word_data6_q;
  slot_t word_slot6_q;
  queue_row_t word_row6_q;
  row_lane_t row_beat6_q;
  port_lane_t split_lane6_q, end_lane6_q;  // the latter: lane in which the suffix ends

  always_ff @(posedge clk_i) begin
    word_hit6_q <= rst_i ? '0 : word_hit_i;
    word_fields6_q <= word_fields_i;
    word_fields6_q.word_valid <= word_fields_i.word_valid && !rst_i;
    word_data6_q <= word_data_i;
    word_slot6_q <= word_slot_i;
    end_lane6_q <= word_lane_i;
    block_ends6_q <= block_ends;
    if (word_fields_i.first_word) {word_row6_q, row_beat6_q} <= '0;
    else {word_row6_q, row_beat6_q} <= {beat_place5_q.queue_row, beat_place5_q.row_beat};
    split_lane6_q <= split_lane;
  end
  logic unused_first;
  assign unused_first = word_fields6_q.first_word;

  // The message continues after its last word: in the suffix spill, or in the next block, because
  // its end lies in a lane of the next block or the pad's last 1 does not fit into this one.
  // Block_ends7_q: with the word before.
  logic message_continues, message_continues7_q, block_ends7_q;
  if (PortLanes > 1) begin : gen_split
    assign message_continues = word_fields6_q.suffix_spills ||
        (block_ends6_q && ((split_lane6_q != '0 && end_lane6_q >= split_lane6_q) ||
        (word_fields6_q.suffix_fills && end_lane6_q == split_lane6_q - port_lane_t'(1))));
  end else begin : gen_whole
    assign message_continues = word_fields6_q.suffix_spills ||
        (block_ends6_q && word_fields6_q.suffix_fills);
    logic unused_place;
    assign unused_place = ^{word_fields6_q.word_valid, split_lane6_q, end_lane6_q};
  end

  /////////////////////
  // Clock 7: rows   //
  /////////////////////

  // A row is complete. The message ends with its last word, or with the spill after it.
  logic [Slots-1:0] row_complete7_q, message_ended_q, message_bad_q, queue_room_q;
  row_lane_t [Slots-1:0] message_end_q;  // lane of its row in which each slot's message ends
  logic message_last7_q;  // the row is its message's last
  row_lane_t end_lane7_q;  // lane of the row in which the suffix ends
  logic message_bad7_q;
  logic spill_ends;  // in the spill's clock: the spill ends the message
  assign spill_ends = message_continues7_q || !block_ends7_q;
  always_ff @(posedge clk_i) begin
    message_continues7_q  <= message_continues;
    block_ends7_q <= block_ends6_q;
    for (int unsigned i = 0; i < Slots; i++) begin
      row_complete7_q[i] <= word_hit6_q[i] && !rst_i &&
          (word_fields6_q.after_last ? spill_ends : block_ends6_q);
    end
    message_last7_q <= word_fields6_q.after_last ||
        (word_fields6_q.last_word && !message_continues);
    end_lane7_q <= row_lane_t'(row_beat6_q << $clog2(PortLanes));
    if (PortLanes > 1) begin
      end_lane7_q <= row_lane_t'(row_beat6_q << $clog2(PortLanes)) | row_lane_t'(end_lane6_q);
    end
    message_bad7_q <= word_fields6_q.message_bad;
  end

  // Rows that wait to be read. The room drops early enough for the beats still under way.
  // Rows that beats under way can still complete: 13 beats, 9 lanes at least a row, and one row.
  localparam int unsigned RowsUnderWay = (13 * PortLanes + MinRateLanes - 1) / MinRateLanes + 1;
  localparam int unsigned Limit = (1 << RowBits) - 1 - RowsUnderWay;
  for (genvar i = 0; i < Slots; i++) begin : gen_rows
    queue_row_t rows_waiting_q;
    assign next_block_o[i].block_queued = rows_waiting_q != '0;
    assign next_block_o[i].final_block = message_ended_q[i] && rows_waiting_q == queue_row_t'(1);
    assign next_block_o[i].message_bad = message_bad_q[i];
    assign next_block_o[i].end_lane = message_end_q[i];
    always_ff @(posedge clk_i) begin
      if (row_complete7_q[i] && !block_taken_i[i]) begin
        rows_waiting_q <= rows_waiting_q + queue_row_t'(1);
      end else if (block_taken_i[i] && !row_complete7_q[i]) begin
        rows_waiting_q <= rows_waiting_q - queue_row_t'(1);
      end
      if (rst_i) rows_waiting_q <= '0;

      if (rst_i || message_done_i[i]) {message_ended_q[i], message_bad_q[i]} <= 2'b00;
      else if (row_complete7_q[i] && message_last7_q) begin
        {message_ended_q[i], message_bad_q[i]} <= {1'b1, message_bad7_q};
      end
      if (row_complete7_q[i]) message_end_q[i] <= end_lane7_q;

      queue_room_q[i] <= !rst_i && rows_waiting_q <= queue_row_t'(Limit);
    end
  end
  assign queue_room_o = queue_room_q;

  /////////////////////
  // Banks           //
  /////////////////////

  // Bank i holds lane i % PortLanes of the beats whose number in the row, modulo Groups, is
  // i / PortLanes.
  localparam int unsigned WordLanes = word_lanes(WordWidth);
  localparam int unsigned Groups = WordLanes / PortLanes;
  for (genvar i = 0; i < WordLanes; i++) begin : gen_bank
    localparam int unsigned Lane = i % PortLanes;
    localparam int unsigned Group = i / PortLanes;
    logic write_bank_q;
    slot_t write_slot_q;
    queue_row_t write_row_q;
    row_lane_t write_beat_q;
    logic [LaneWidth-1:0] write_lane_q;
    if (PortLanes > 1) begin : gen_late
      logic [PortLanes-1:0] after_split;  // lanes from the split on
      logic next_row;  // the lane belongs to the next row
      row_lane_t lane_beat;
      assign after_split = '1 << split_lane6_q;
      assign next_row = block_ends6_q && split_lane6_q != '0 && after_split[Lane];
      assign lane_beat = next_row ? '0 : row_beat6_q;
      always_ff @(posedge clk_i) begin
        write_bank_q <= word_fields6_q.word_valid && !rst_i && (32'(lane_beat) % Groups) == Group;
        write_slot_q <= word_slot6_q;
        write_row_q <= word_row6_q + queue_row_t'(next_row);
        write_beat_q <= lane_beat;
        write_lane_q <= word_data6_q[LaneWidth*Lane+:LaneWidth];
      end
    end else begin : gen_now
      assign write_slot_q = word_slot6_q;
      assign write_row_q = word_row6_q;
      assign write_beat_q = row_beat6_q;
      assign write_lane_q = word_data6_q;
      always_ff @(posedge clk_i) begin
        write_bank_q <= word_fields_i.word_valid && !rst_i &&
            (32'(word_fields_i.first_word ? '0 : beat_place5_q.row_beat) % Groups) == Group;
      end
    end
    hf_ram #(
        .Width(LaneWidth),
        .Depth(1 << (SlotWidth + RowBits + RowWordBits))
    ) u_ram (
        .clk_i,
        .write_i     (write_bank_q),
        .write_addr_i({write_slot_q, write_row_q, RowWordBits'(32'(write_beat_q) / Groups)}),
        .write_data_i(write_lane_q),
        .read_addr_i ({read_slot_i, read_row_i, read_word_i}),
        .read_data_o (read_data_o[LaneWidth*i+:LaneWidth])
    );
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (WordWidth < PortWidth || WordWidth > 512 || WordWidth % PortWidth != 0) begin : gen_bad_word
    $fatal(1, "hf_keccak_block_queue: WordWidth is PortWidth (%0d) times n, up to 512, not %0d",
           PortWidth, WordWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
