// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// ParallelHash and ParallelHashXOF (SP 800-185, section 6) in front of a stream of SHAKE and cSHAKE
// with several slots: the blocks of a long message are hashed in all slots at once.
//
//   beats --> parallel_writer --> tree_rings --> core --> beats
//                    ^                             |
//                    '-------- tree_values <-------'
//
//   hf_keccak_parallel_writer  a message to nodes: blocks and the final node
//   hf_keccak_tree_rings       where the nodes wait, 8,192 bytes a slot
//   hf_keccak_tree_values      which slot gets a block; the blocks' values in order
//
// The final node is in slot 0 of the core, and each block in the next free one of the others. One
// message at a time: the next one begins when the final node has left its ring.
//
// A message's length need not be known, and all memories are of constant size. The port is
// specified in docs/engines/keccak-parallel.md.

module hf_keccak_parallel
  import hf_keccak_parallel_pkg::*;
  import hf_keccak_pkg::FnShake128;
  import hf_keccak_pkg::FnCshake128;
  import hf_keccak_tree_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 128,  // 64, 128 or 256
    parameter  int unsigned Slots = 4,        // of the core, 2 to 16
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots)
) (
    input logic clk_i,
    input logic rst_i,

    // The stream port (docs/reference/stream.md).
    input  logic                 s_tvalid_i,
    output logic                 s_tready_o,
    input  logic [DataWidth-1:0] s_tdata_i,
    input  logic [KeepWidth-1:0] s_tkeep_i,
    input  logic                 s_tlast_i,
    input  logic [UserWidth-1:0] s_tuser_i,
    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    output logic [DataWidth-1:0] m_tdata_o,
    output logic [KeepWidth-1:0] m_tkeep_o,
    output logic                 m_tlast_o,
    output logic [          4:0] m_tuser_o,
    input  logic                 stop_i,

    // The stream port of the core.
    output logic                 core_valid_o,
    input  logic                 core_ready_i,
    output logic [DataWidth-1:0] core_data_o,
    output logic [KeepWidth-1:0] core_keep_o,
    output logic                 core_last_o,
    output logic [SlotWidth-1:0] core_tid_o,
    output logic [UserWidth-1:0] core_user_o,
    input  logic [    Slots-1:0] core_room_i,
    input  logic                 digest_valid_i,
    output logic                 digest_ready_o,
    input  logic [DataWidth-1:0] digest_data_i,
    input  logic [KeepWidth-1:0] digest_keep_i,
    input  logic                 digest_last_i,
    input  logic [SlotWidth-1:0] digest_tid_i,
    input  logic [          4:0] digest_user_i,
    output logic [    Slots-1:0] core_stop_o
);

  localparam int unsigned ValueBeatBits = $clog2(64 / KeepWidth);
  localparam int unsigned QueueDepth = 8;
  localparam int unsigned QueueBits = $clog2(QueueDepth);

  typedef logic [SlotWidth-1:0] slot_t;

  ///////////////////////
  // Messages to nodes //
  ///////////////////////

  logic begins, node_room, may_begin;
  logic [IndexBits-1:0] next_index, assign_index;
  logic [Slots-1:0] slot_free, ring_room;
  logic assign_block, value_valid, value_done, commit, unused_owner;
  slot_t assign_slot, write_slot;
  logic [ValueBeatBits-1:0] value_beat;
  logic [DataWidth-1:0] value_data, write_data;
  logic [KeepWidth-1:0] write;
  node_beat_t write_fields;

  hf_keccak_parallel_writer #(
      .DataWidth(DataWidth),
      .Slots    (Slots)
  ) u_writer (
      .clk_i,
      .rst_i,
      .s_tvalid_i,
      .s_tready_o,
      .s_tdata_i,
      .s_tkeep_i,
      .s_tlast_i,
      .s_tuser_i,
      .write_o       (write),
      .write_slot_o  (write_slot),
      .write_data_o  (write_data),
      .write_fields_o(write_fields),
      .commit_o      (commit),
      .ring_room_i   (ring_room),
      .may_begin_i   (may_begin),
      .begins_o      (begins),
      .next_index_i  (next_index),
      .slot_free_i   (slot_free),
      .assign_o      (assign_block),
      .assign_slot_o (assign_slot),
      .assign_index_o(assign_index),
      .node_room_o   (node_room),
      .value_valid_i (value_valid),
      .value_beat_o  (value_beat),
      .value_data_i  (value_data),
      .value_done_o  (value_done)
  );

  logic queue_credit, beat_read, beat_valid;
  slot_t beat_slot;
  logic [DataWidth-1:0] beat_data;
  node_beat_t beat_fields;

  hf_keccak_tree_rings #(
      .DataWidth(DataWidth),
      .Slots    (Slots)
  ) u_rings (
      .clk_i,
      .rst_i,
      .write_i       (write),
      .write_slot_i  (write_slot),
      .write_data_i  (write_data),
      .write_fields_i(write_fields),
      .commit_i      (commit),
      .ring_room_o   (ring_room),
      .core_room_i,
      .node_taken_i  (core_valid_o && core_ready_i && core_last_o),
      .node_slot_i   (core_tid_o),
      .credit_i      (queue_credit),
      .beat_read_o   (beat_read),
      .beat_valid_o  (beat_valid),
      .beat_slot_o   (beat_slot),
      .beat_data_o   (beat_data),
      .beat_fields_o (beat_fields)
  );

  ///////////////////////
  // Nodes to the core //
  ///////////////////////

  // What the message requests, until its final node has left its ring.
  logic final_open_q, is_parallel_q, beat_final;
  logic [7:0] code_q;
  logic [LengthWidth-1:0] length_q;
  user_t s_user, core_user;
  logic unused_user;
  assign s_user = s_tuser_i;
  assign unused_user = ^{s_user.reserved, s_user.more, s_user.bits};
  assign may_begin = !final_open_q;
  assign beat_final = beat_slot == '0;
  always_ff @(posedge clk_i) begin
    if (rst_i) final_open_q <= 1'b0;
    else if (begins) final_open_q <= 1'b1;
    else if (beat_valid && beat_fields.last_beat && beat_final) final_open_q <= 1'b0;
    if (begins) begin
      is_parallel_q <= is_parallel(s_user.code);
      code_q <= s_user.code;
      length_q <= s_user.length;
    end
  end

  always_comb begin
    core_user.code = {FnShake128[7:1], beat_fields.is_strong};
    core_user.length = beat_fields.is_strong ? LengthWidth'(512) : LengthWidth'(256);
    // A bit and no byte (see `beat_q`) are an error in the core.
    core_user.bits = !beat_fields.last_beat ? 3'd0 :
        beat_fields.is_bad ? 3'd1 : beat_fields.last_bits;
    core_user.more = 1'b0;
    core_user.reserved = '0;
    if (beat_final) begin
      core_user.length = length_q;
      core_user.code   = is_parallel_q ? {FnCshake128[7:1], code_q[0]} : code_q;
    end
  end

  // The bytes of a beat that are in the node, in groups of eight. By tables: yosys would make a
  // carry chain of each comparison.
  function automatic logic above(input logic [2:0] value, input int unsigned limit);
    logic [7:0] table_of_values = 8'hFE << limit;
    return table_of_values[value];
  endfunction
  function automatic logic [KeepWidth-1:0] first_bytes(input logic [FieldCountBits-1:0] count);
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      first_bytes[b] = above(count[5:3], b / 8) ||
          (count[5:3] == 3'(b / 8) && above(count[2:0], b % 8));
    end
  endfunction

  // All that the core's port has long paths from is ready in registers from here on.
  typedef struct packed {
    slot_t                core_tid;
    logic                 last;
    user_t                core_user;
    logic [KeepWidth-1:0] keep;
    logic [DataWidth-1:0] data;
  } sent_t;
  sent_t beat_q, beat_queued, beat_out;
  logic beat_valid_q;
  always_ff @(posedge clk_i) begin
    beat_valid_q <= beat_valid && !rst_i;
    beat_q.core_tid <= beat_slot;
    beat_q.last <= beat_fields.last_beat;
    beat_q.core_user <= core_user;
    beat_q.keep <= {KeepWidth{!beat_fields.last_beat}} |
        (first_bytes(beat_fields.byte_count) & {KeepWidth{!beat_fields.is_bad}});
    beat_q.data <= beat_data;
  end

  // Beats on their way from the rings are counted, so that all of them have a place in the queue.
  logic [QueueBits:0] places_taken_q;
  logic queue_valid, queue_ready, queue_pop;
  assign queue_credit = !places_taken_q[QueueBits];
  assign queue_pop = queue_valid && queue_ready;
  always_ff @(posedge clk_i) begin
    places_taken_q <= rst_i ? '0 :
        places_taken_q + (QueueBits + 1)'(beat_read) - (QueueBits + 1)'(queue_pop);
  end

  logic unused_full;
  logic [$clog2(QueueDepth+1)-1:0] unused_level;
  hf_fifo #(
      .Width($bits(sent_t)),
      .Depth(QueueDepth)
  ) u_queue (
      .clk_i,
      .clear_i(rst_i),
      .write_i(beat_valid_q),
      .data_i (beat_q),
      .full_o (unused_full),
      .valid_o(queue_valid),
      .data_o (beat_queued),
      .read_i (queue_ready),
      .level_o(unused_level)
  );

  // The core's tready depends on tid and tlast, which leave a memory in the queue.
  hf_axis_slice #(
      .Width($bits(sent_t))
  ) u_slice (
      .clk_i,
      .rst_i,
      .s_valid_i(queue_valid),
      .s_ready_o(queue_ready),
      .s_data_i (beat_queued),
      .m_valid_o(core_valid_o),
      .m_ready_i(core_ready_i),
      .m_data_o (beat_out)
  );
  assign core_data_o = beat_out.data;
  assign core_keep_o = beat_out.keep;
  assign core_last_o = beat_out.last;
  assign core_tid_o = beat_out.core_tid;
  assign core_user_o = beat_out.core_user;

  ////////////////////////
  // Digests and values //
  ////////////////////////

  logic is_value;
  assign is_value = digest_tid_i != '0;
  assign m_tvalid_o = digest_valid_i && !is_value;
  assign digest_ready_o = is_value || m_tready_i;
  assign m_tdata_o = digest_data_i;
  assign m_tkeep_o = digest_keep_i;
  assign m_tlast_o = digest_last_i;
  assign m_tuser_o = digest_user_i;
  assign core_stop_o = Slots'(stop_i);

  hf_keccak_tree_values #(
      .DataWidth(DataWidth),
      .Slots    (Slots)
  ) u_values (
      .clk_i,
      .rst_i,
      .begins_i        (begins),
      .next_index_o    (next_index),
      .slot_free_o     (slot_free),
      .assign_i        (assign_block),
      .assign_slot_i   (assign_slot),
      .assign_message_i('0),
      .assign_index_i  (assign_index),
      .digest_valid_i  (digest_valid_i && is_value),
      .digest_slot_i   (digest_tid_i),
      .digest_data_i,
      .digest_last_i,
      .node_room_i     (node_room),
      .value_valid_o   (value_valid),
      .value_message_o (unused_owner),
      .value_beat_i    (value_beat),
      .value_data_o    (value_data),
      .value_done_i    (value_done)
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (DataWidth != 64 && DataWidth != 128 && DataWidth != 256) begin : gen_bad_width
    $fatal(1, "hf_keccak_parallel: DataWidth is 64, 128 or 256, not %0d", DataWidth);
  end
  if (Slots < 3 || Slots > 16) begin : gen_bad_slots
    $fatal(1, "hf_keccak_parallel: Slots is 3 to 16, not %0d", Slots);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
