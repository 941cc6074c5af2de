// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Rings of hf_keccak_tree: a queue of 8,192 bytes of beats for each slot of the core, in block RAM,
// and the choice of the beat that the core gets next. The slots take turns, a clock each: a slot
// whose ring holds a beat and that has room in the core sends one. So a slot gets DataWidth / Slots
// bits a clock at most; what it absorbs is 112 * Rounds / Slots. The choice is short at any number
// of slots.
//
// Errors: none. A writer that ignores `ring_room_o` overwrites beats.
//
// Timing: clock 0 is the clock of a write that completes a beat (`write_commit_i`); the beat is on
// `beat_data_o` in clock 5 at the earliest, and at most Slots - 1 later if there is room.
// `ring_room_o` is late: in a clock in which it is high, 11 more beats fit.

module hf_keccak_tree_rings
  import hf_keccak_tree_pkg::*;
#(
    parameter  int unsigned DataWidth = 128,
    parameter  int unsigned Slots = 4,
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots)
) (
    input logic clk_i,
    input logic rst_i,

    // A part of the beat that the slot's ring gets next.
    input logic       [KeepWidth-1:0] write_bytes_i,   // bytes that are written
    input logic       [SlotWidth-1:0] write_slot_i,
    input logic       [DataWidth-1:0] write_data_i,
    input node_beat_t                 write_fields_i,  // those of the last write count
    input logic                       write_commit_i,  // the beat is complete

    output logic [Slots-1:0] ring_room_o,

    input  logic       [    Slots-1:0] core_room_i,
    input  logic                       node_taken_i,    // the core accepts the last beat of a node
    input  logic       [SlotWidth-1:0] node_slot_i,
    input  logic                       queue_credit_i,  // there is a place for a beat
    output logic                       beat_read_o,     // it is taken; the beat comes in 2 clocks
    output logic                       beat_valid_o,
    output logic       [SlotWidth-1:0] beat_slot_o,
    output logic       [DataWidth-1:0] beat_data_o,
    output node_beat_t                 beat_fields_o
);

  localparam int unsigned RingBeats = ChunkBytes / KeepWidth;
  localparam int unsigned BeatBits = $clog2(RingBeats);
  localparam int unsigned Depth = RingBeats << SlotWidth;
  // `ring_room_o` counts no write of the last Slots + 3 clocks; 11 more beats fit.
  localparam int unsigned Margin = Slots + 13;
  localparam int unsigned FieldWidth = $bits(node_beat_t);

  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [BeatBits:0] place_t;  // the highest bit differs if the ring is full

  place_t [Slots-1:0] write_place_q, read_place_q;

  ///////////////////
  // Writes        //
  ///////////////////

  // The fields are written a clock after the bytes, and a clock before they are read at the earliest:
  // whether any byte is written takes several LUT levels.
  logic [KeepWidth-1:0] write_bytes1_q;
  logic write_fields2_q;
  logic [SlotWidth+BeatBits-1:0] write_addr1_q, write_addr2_q;
  logic [DataWidth-1:0] write_data1_q;
  node_beat_t fields1_q, fields2_q;
  always_ff @(posedge clk_i) begin
    write_bytes1_q <= rst_i ? '0 : write_bytes_i;
    write_addr1_q <= {write_slot_i, BeatBits'(write_place_q[write_slot_i])};
    write_data1_q <= write_data_i;
    fields1_q <= write_fields_i;
    write_fields2_q <= write_bytes1_q != '0 && !rst_i;
    write_addr2_q <= write_addr1_q;
    fields2_q <= fields1_q;
    for (int unsigned i = 0; i < Slots; i++) begin
      if (rst_i) write_place_q[i] <= '0;
      else if (write_commit_i && write_slot_i == slot_t'(i)) begin
        write_place_q[i] <= write_place_q[i] + 1'b1;
      end
    end
  end

  ///////////////////
  // Turns         //
  ///////////////////

  // Clock 0 of a turn: the slot's places are read; 1: compared; 2: its beat is read, if there is
  // one.
  slot_t turn_slot_q, turn_slot1_q, turn_slot2_q;
  place_t write_place1_q, read_place1_q, read_place2_q, ring_level2_q;
  logic ring_filled2_q, core_room1_q, core_room2_q, read_beat;
  // The last beat of a node is on its way to the core: the slot's room does not count until it is
  // accepted, because the core may not accept another node for long, and a beat that waits at its
  // port stops all slots.
  logic [Slots-1:0] node_leaves_q;
  logic node_taken_q;
  slot_t node_slot_q;
  assign read_beat = ring_filled2_q && core_room2_q && queue_credit_i &&
      !node_leaves_q[turn_slot2_q];
  assign beat_read_o = read_beat;
  always_ff @(posedge clk_i) begin
    turn_slot_q <= (rst_i || turn_slot_q == slot_t'(Slots - 1)) ? '0 : turn_slot_q + 1'b1;
    turn_slot1_q <= turn_slot_q;
    node_taken_q <= node_taken_i && !rst_i;
    node_slot_q <= node_slot_i;
    // Places from before a reset are not compared after it.
    write_place1_q <= rst_i ? '0 : write_place_q[turn_slot_q];
    read_place1_q <= rst_i ? '0 : read_place_q[turn_slot_q];
    core_room1_q <= core_room_i[turn_slot_q] && !node_leaves_q[turn_slot_q];
    turn_slot2_q <= turn_slot1_q;
    ring_filled2_q <= write_place1_q != read_place1_q && !rst_i;
    core_room2_q <= core_room1_q;
    read_place2_q <= read_place1_q;
    ring_level2_q <= write_place1_q - read_place1_q;
    for (int unsigned i = 0; i < Slots; i++) begin
      if (rst_i) ring_room_o[i] <= 1'b0;
      else if (turn_slot2_q == slot_t'(i)) begin
        ring_room_o[i] <= ring_level2_q < place_t'(RingBeats - Margin);
      end
      if (rst_i) read_place_q[i] <= '0;
      else if (read_beat && turn_slot2_q == slot_t'(i)) read_place_q[i] <= read_place2_q + 1'b1;

      if (beat_valid_o && beat_fields_o.last_beat && beat_slot_o == slot_t'(i)) begin
        node_leaves_q[i] <= 1'b1;
      end
      if (node_taken_q && node_slot_q == slot_t'(i)) node_leaves_q[i] <= 1'b0;
      if (rst_i) node_leaves_q[i] <= 1'b0;
    end
  end

  ///////////////////
  // Memory        //
  ///////////////////

  logic [SlotWidth+BeatBits-1:0] read_addr;
  assign read_addr = {turn_slot2_q, BeatBits'(read_place2_q)};

  for (genvar b = 0; b < KeepWidth; b++) begin : gen_byte
    hf_ram #(
        .Width(8),
        .Depth(Depth)
    ) u_bytes (
        .clk_i,
        .write_i     (write_bytes1_q[b]),
        .write_addr_i(write_addr1_q),
        .write_data_i(write_data1_q[8*b+:8]),
        .read_addr_i (read_addr),
        .read_data_o (beat_data_o[8*b+:8])
    );
  end

  logic [FieldWidth-1:0] read_fields;
  hf_ram #(
      .Width(FieldWidth),
      .Depth(Depth)
  ) u_fields (
      .clk_i,
      .write_i     (write_fields2_q),
      .write_addr_i(write_addr2_q),
      .write_data_i(fields2_q),
      .read_addr_i (read_addr),
      .read_data_o (read_fields)
  );
  assign beat_fields_o = read_fields;

  logic beat_read1_q;
  slot_t read_slot1_q;
  always_ff @(posedge clk_i) begin
    beat_read1_q <= read_beat && !rst_i;
    read_slot1_q <= turn_slot2_q;
    beat_valid_o <= beat_read1_q && !rst_i;
    beat_slot_o <= read_slot1_q;
  end

`ifndef HF_NO_PARAMETER_CHECKS
  // A slot's place and node_leaves_q are new three clocks after a read.
  if (Slots < 3) begin : gen_bad_slots
    $fatal(1, "hf_keccak_tree_rings: Slots is 3 or more, not %0d", Slots);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
