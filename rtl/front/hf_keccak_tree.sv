// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// KangarooTwelve (RFC 9861, section 3: KT128 and KT256) in front of a stream of TurboSHAKE with
// several slots: a long message is hashed in all slots at once.
//
//   beats --> tree_writer --> tree_rings --> core --> beats
//                  ^                           |
//                  '------- tree_values <------'
//
//   hf_keccak_tree_writer  messages to nodes: chunks, final nodes, their ends
//   hf_keccak_tree_rings   where the nodes wait, 8,192 bytes a slot
//   hf_keccak_tree_port    beats to the core, and what comes from it
//   hf_keccak_tree_values  which slot gets a chunk; the chunks' values in order
//
// The tids of this port number messages, 0 to Messages - 1. The final node of message m is in slot
// m of the core, and the other slots are shared: each chunk but the first of a message gets the
// next free one. There are at least as many of these as messages, so a message whose sender pauses
// within a chunk holds none that another requires.
//
// A message's length need not be known, and all memories are of constant size. The port is
// specified in docs/engines/keccak-tree.md.
//
// Timing: 11 to 10 + Slots clocks lead from a beat to the core, if its slot has room.

module hf_keccak_tree
  import hf_keccak_tree_pkg::*;
  import hf_stream_pkg::*;
  import hf_turboshake_pkg::*;
#(
    parameter  int unsigned DataWidth = 128,  // 64, 128 or 256
    parameter  int unsigned Slots = 4,        // of the core, 4 to 16
    parameter  int unsigned Messages = 1,     // 1, 2, 4 or 8, at most Slots / 2
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned MessageWidth = (Messages > 1) ? $clog2(Messages) : 1
) (
    input logic clk_i,
    input logic rst_i,

    // The stream port (docs/reference/stream.md).
    input  logic                    s_tvalid_i,
    output logic                    s_tready_o,
    input  logic [   DataWidth-1:0] s_tdata_i,
    input  logic [   KeepWidth-1:0] s_tkeep_i,
    input  logic                    s_tlast_i,
    input  logic [MessageWidth-1:0] s_tid_i,         // ignored where Messages is 1
    input  logic [   UserWidth-1:0] s_tuser_i,
    output logic [    Messages-1:0] message_room_o,
    output logic                    m_tvalid_o,
    input  logic                    m_tready_i,
    output logic [   DataWidth-1:0] m_tdata_o,
    output logic [   KeepWidth-1:0] m_tkeep_o,
    output logic                    m_tlast_o,
    output logic [MessageWidth-1:0] m_tid_o,
    output logic [             4:0] m_tuser_o,
    input  logic [    Messages-1:0] stop_i,

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

  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [MessageWidth-1:0] message_index_t;

  ///////////////////////
  // Messages to nodes //
  ///////////////////////

  logic [Messages-1:0] may_begin, message_begins, node_room;
  logic [Messages-1:0][IndexBits-1:0] next_index;
  logic [Slots-1:0] slot_free, ring_room;
  logic assign_chunk, value_valid, value_done, write_commit;
  slot_t assign_slot, write_slot;
  message_index_t assign_message, value_message;
  logic [IndexBits-1:0] assign_index;
  logic [ValueBeatBits-1:0] value_beat;
  logic [DataWidth-1:0] value_data, write_data;
  logic [KeepWidth-1:0] write_bytes;
  node_beat_t write_fields;

  hf_keccak_tree_writer #(
      .DataWidth(DataWidth),
      .Slots    (Slots),
      .Messages (Messages)
  ) u_writer (
      .clk_i,
      .rst_i,
      .s_tvalid_i,
      .s_tready_o,
      .s_tdata_i,
      .s_tkeep_i,
      .s_tlast_i,
      .s_message_i     (s_tid_i),
      .s_tuser_i,
      .message_room_o,
      .write_bytes_o   (write_bytes),
      .write_slot_o    (write_slot),
      .write_data_o    (write_data),
      .write_fields_o  (write_fields),
      .write_commit_o  (write_commit),
      .ring_room_i     (ring_room),
      .may_begin_i     (may_begin),
      .message_begins_o(message_begins),
      .next_index_i    (next_index),
      .slot_free_i     (slot_free),
      .assign_valid_o  (assign_chunk),
      .assign_slot_o   (assign_slot),
      .assign_message_o(assign_message),
      .assign_index_o  (assign_index),
      .node_room_o     (node_room),
      .value_valid_i   (value_valid),
      .value_message_i (value_message),
      .value_beat_o    (value_beat),
      .value_data_i    (value_data),
      .value_done_o    (value_done)
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
      .write_bytes_i (write_bytes),
      .write_slot_i  (write_slot),
      .write_data_i  (write_data),
      .write_fields_i(write_fields),
      .write_commit_i(write_commit),
      .ring_room_o   (ring_room),
      .core_room_i,
      .node_taken_i  (core_valid_o && core_ready_i && core_last_o),
      .node_slot_i   (core_tid_o),
      .queue_credit_i(queue_credit),
      .beat_read_o   (beat_read),
      .beat_valid_o  (beat_valid),
      .beat_slot_o   (beat_slot),
      .beat_data_o   (beat_data),
      .beat_fields_o (beat_fields)
  );

  ///////////////////////
  // Nodes to the core //
  ///////////////////////

  // What a message requests, for up to three messages whose final nodes are not all read.
  typedef struct packed {
    logic [7:0]             final_code;
    logic [LengthWidth-1:0] output_length;
  } request_t;

  user_t s_user;
  request_t message_requests[4<<MessageWidth];
  request_t final_request;
  logic [Messages-1:0][1:0] messages_begun_q, messages_sent_q;
  message_index_t begin_message, final_message;
  logic final_valid, final_last;
  logic unused_user;
  assign s_user = s_tuser_i;
  assign unused_user = ^{s_user.reserved, s_user.more, s_user.bits};
  assign begin_message = (Messages > 1) ? s_tid_i : '0;

  always_ff @(posedge clk_i) begin
    if (message_begins != '0) begin
      message_requests[{begin_message, messages_begun_q[begin_message]}] <= {
        is_tree_code(s_user.code) ? {FnTurboshake128Domain[7:1], s_user.code[0]} : s_user.code,
        s_user.length
      };
    end
  end
  for (genvar m = 0; m < Messages; m++) begin : gen_message
    assign may_begin[m] = messages_begun_q[m] - messages_sent_q[m] != 2'd3;
    always_ff @(posedge clk_i) begin
      if (message_begins[m]) messages_begun_q[m] <= messages_begun_q[m] + 2'd1;
      if (final_valid && final_last && final_message == message_index_t'(m)) begin
        messages_sent_q[m] <= messages_sent_q[m] + 2'd1;
      end
      if (rst_i) {messages_begun_q[m], messages_sent_q[m]} <= '0;
    end
  end
  assign final_request = message_requests[{final_message, messages_sent_q[final_message]}];

  // A beat of a value from the core.
  logic arrives_valid, arrives_last;
  slot_t arrives_slot;
  logic [DataWidth-1:0] arrives_data;
  hf_keccak_tree_port #(
      .DataWidth   (DataWidth),
      .Slots       (Slots),
      .Messages    (Messages),
      .NodeFunction(FnTurboshake128Domain[7:1])
  ) u_port (
      .clk_i,
      .rst_i,
      .queue_credit_o (queue_credit),
      .beat_read_i    (beat_read),
      .beat_valid_i   (beat_valid),
      .beat_slot_i    (beat_slot),
      .beat_data_i    (beat_data),
      .beat_fields_i  (beat_fields),
      .final_valid_o  (final_valid),
      .final_last_o   (final_last),
      .final_message_o(final_message),
      .final_code_i   (final_request.final_code),
      .final_length_i (final_request.output_length),
      .core_valid_o,
      .core_ready_i,
      .core_data_o,
      .core_keep_o,
      .core_last_o,
      .core_tid_o,
      .core_user_o,
      .digest_valid_i,
      .digest_ready_o,
      .digest_data_i,
      .digest_keep_i,
      .digest_last_i,
      .digest_tid_i,
      .digest_user_i,
      .core_stop_o,
      .value_valid_o  (arrives_valid),
      .value_slot_o   (arrives_slot),
      .value_data_o   (arrives_data),
      .value_last_o   (arrives_last),
      .m_tvalid_o,
      .m_tready_i,
      .m_tdata_o,
      .m_tkeep_o,
      .m_tlast_o,
      .m_tid_o,
      .m_tuser_o,
      .stop_i
  );

  ///////////////////////
  // Values            //
  ///////////////////////

  hf_keccak_tree_values #(
      .DataWidth(DataWidth),
      .Slots    (Slots),
      .Messages (Messages)
  ) u_values (
      .clk_i,
      .rst_i,
      .message_begins_i(message_begins),
      .next_index_o    (next_index),
      .slot_free_o     (slot_free),
      .assign_valid_i  (assign_chunk),
      .assign_slot_i   (assign_slot),
      .assign_message_i(assign_message),
      .assign_index_i  (assign_index),
      .digest_valid_i  (arrives_valid),
      .digest_slot_i   (arrives_slot),
      .digest_data_i   (arrives_data),
      .digest_last_i   (arrives_last),
      .node_room_i     (node_room),
      .value_valid_o   (value_valid),
      .value_message_o (value_message),
      .value_beat_i    (value_beat),
      .value_data_o    (value_data),
      .value_done_i    (value_done)
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (DataWidth != 64 && DataWidth != 128 && DataWidth != 256) begin : gen_bad_width
    $fatal(1, "hf_keccak_tree: DataWidth is 64, 128 or 256, not %0d", DataWidth);
  end
  if (Slots < 4 || Slots > 16) begin : gen_bad_slots
    $fatal(1, "hf_keccak_tree: Slots is 4 to 16, not %0d", Slots);
  end
  if ($countones(Messages) != 1 || Messages > Slots / 2) begin : gen_bad_messages
    $fatal(1, "hf_keccak_tree: Messages is a power of two, at most half of the %0d slots, not %0d",
           Slots, Messages);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
