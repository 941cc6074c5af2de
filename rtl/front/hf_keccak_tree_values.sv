// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Chaining values of hf_keccak_tree: which slots may get a chunk, and the values of the chunks that
// have been hashed, in the order of the chunks of each message. A message's chunks are in several
// slots and end in any order; those of a slot end in theirs.
//
// Each slot numbers its chunks modulo SlotChunks, and a memory holds, under slot and that number,
// the chunk's message and its index in it. Slots are looked at in turn: if the slot's oldest value
// is the one that its message's final node gets next, it is offered.
//
// Errors: none. The values of a slot must not be interleaved with those of another, which holds for
// hf_keccak_slots: a value is less than a block.
//
// Timing: data come two clocks after `value_beat_i`.

module hf_keccak_tree_values
  import hf_keccak_tree_pkg::*;
#(
    parameter  int unsigned DataWidth = 128,
    parameter  int unsigned Slots = 4,
    parameter  int unsigned Messages = 1,
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned MessageWidth = (Messages > 1) ? $clog2(Messages) : 1,
    localparam int unsigned ValueBeats = 64 / KeepWidth,  // of KT256; 32 bytes with KT128
    localparam int unsigned ValueBeatBits = $clog2(ValueBeats)
) (
    input logic clk_i,
    input logic rst_i,

    input  logic [Messages-1:0]                message_begins_i,  // its indices begin with 0
    output logic [Messages-1:0][IndexBits-1:0] next_index_o,      // of the value that is added next

    output logic [       Slots-1:0] slot_free_o,       // the slot may get another chunk
    input  logic                    assign_valid_i,    // it does
    input  logic [   SlotWidth-1:0] assign_slot_i,
    input  logic [MessageWidth-1:0] assign_message_i,
    input  logic [   IndexBits-1:0] assign_index_i,

    // A beat of a value.
    input logic                 digest_valid_i,
    input logic [SlotWidth-1:0] digest_slot_i,
    input logic [DataWidth-1:0] digest_data_i,
    input logic                 digest_last_i,

    // The value to be added to the final node of a message.
    input  logic [     Messages-1:0] node_room_i,
    output logic                     value_valid_o,
    output logic [ MessageWidth-1:0] value_message_o,
    input  logic [ValueBeatBits-1:0] value_beat_i,
    output logic [    DataWidth-1:0] value_data_o,
    input  logic                     value_done_i
);

  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [SlotChunkBits-1:0] chunk_t;
  typedef struct packed {
    logic [MessageWidth-1:0] chunk_owner;
    logic [IndexBits-1:0]    chunk_index;
  } entry_t;

  // Per slot: chunks given to it, values that have come, values that have been added.
  chunk_t [Slots-1:0] chunks_assigned_q, chunks_arrived_q, chunks_added_q;
  logic [Messages-1:0][IndexBits-1:0] next_index_q;
  assign next_index_o = next_index_q;

  entry_t chunk_entries[SlotChunks<<SlotWidth];
  always_ff @(posedge clk_i) begin
    if (assign_valid_i) begin
      chunk_entries[{assign_slot_i, chunks_assigned_q[assign_slot_i]}] <= {
        assign_message_i, assign_index_i
      };
    end
  end

  // The beat of a value, a clock later.
  logic digest_valid_q, digest_last_q;
  slot_t digest_slot_q;
  logic [DataWidth-1:0] digest_data_q;
  always_ff @(posedge clk_i) begin
    digest_valid_q <= digest_valid_i && !rst_i;
    digest_last_q <= digest_last_i;
    digest_slot_q <= digest_slot_i;
    digest_data_q <= digest_data_i;
  end

  // Slots in turn.
  slot_t look_slot_q, look_slot1_q;
  logic value_arrived1_q, is_next, value_offered_q;
  entry_t chunk_entry1_q;
  chunk_t chunks_added1_q;
  assign is_next = value_arrived1_q && !value_offered_q &&
      node_room_i[chunk_entry1_q.chunk_owner] &&
      chunk_entry1_q.chunk_index == next_index_q[chunk_entry1_q.chunk_owner];
  assign value_valid_o = value_offered_q;
  always_ff @(posedge clk_i) begin
    look_slot_q <= (rst_i || look_slot_q == slot_t'(Slots - 1)) ? slot_t'(Messages) :
        look_slot_q + 1'b1;
    if (!value_offered_q && !is_next) begin
      look_slot1_q  <= look_slot_q;
      chunk_entry1_q <= chunk_entries[{look_slot_q, chunks_added_q[look_slot_q]}];
      chunks_added1_q <= chunks_added_q[look_slot_q];
    end
    value_arrived1_q <= !value_offered_q && !is_next && !rst_i &&
        chunks_arrived_q[look_slot_q] != chunks_added_q[look_slot_q];
    value_offered_q <= (is_next || (value_offered_q && !value_done_i)) && !rst_i;
    for (int unsigned i = 0; i < Slots; i++) begin
      slot_free_o[i] <= i >= Messages &&
          chunks_assigned_q[i] - chunks_added_q[i] != chunk_t'(SlotChunks - 1);
      if (assign_valid_i && assign_slot_i == slot_t'(i)) begin
        chunks_assigned_q[i]  <= chunks_assigned_q[i] + 1'b1;
        slot_free_o[i] <= 1'b0;
      end
      if (digest_valid_q && digest_last_q && digest_slot_q == slot_t'(i)) begin
        chunks_arrived_q[i] <= chunks_arrived_q[i] + 1'b1;
      end
      if (value_done_i && look_slot1_q == slot_t'(i)) chunks_added_q[i] <= chunks_added_q[i] + 1'b1;
      if (rst_i) begin
        {chunks_assigned_q[i], chunks_arrived_q[i], chunks_added_q[i], slot_free_o[i]} <= '0;
      end
    end
    for (int unsigned m = 0; m < Messages; m++) begin
      if (value_done_i && chunk_entry1_q.chunk_owner == MessageWidth'(m)) begin
        next_index_q[m] <= next_index_q[m] + 1'b1;
      end
      if (message_begins_i[m] || rst_i) next_index_q[m] <= '0;
    end
  end
  assign value_message_o = chunk_entry1_q.chunk_owner;

  // The values themselves. A beat is written out of registers, a clock after `chunks_arrived_q` may
  // count it: its value is offered, and read, later.
  localparam int unsigned ValueAddrBits = $clog2((SlotChunks * ValueBeats) << SlotWidth);
  logic [ValueBeatBits-1:0] digest_beat_q;
  logic write_q;
  logic [ValueAddrBits-1:0] write_addr_q;
  logic [DataWidth-1:0] write_data_q;
  always_ff @(posedge clk_i) begin
    if (digest_valid_q) digest_beat_q <= digest_last_q ? '0 : digest_beat_q + 1'b1;
    if (rst_i) digest_beat_q <= '0;
    write_q <= digest_valid_q && !rst_i;
    write_addr_q <= {digest_slot_q, chunks_arrived_q[digest_slot_q], digest_beat_q};
    write_data_q <= digest_data_q;
  end
  hf_ram #(
      .Width(DataWidth),
      .Depth((SlotChunks * ValueBeats) << SlotWidth)
  ) u_values (
      .clk_i,
      .write_i     (write_q),
      .write_addr_i(write_addr_q),
      .write_data_i(write_data_q),
      .read_addr_i ({look_slot1_q, chunks_added1_q, value_beat_i}),
      .read_data_o (value_data_o)
  );

endmodule
