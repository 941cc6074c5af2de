// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Port of hf_keccak_tree and hf_keccak_parallel to their core: the beats of nodes go to it, and
// what it outputs is a message's output, in the slots below Messages, or a value.
//
//   beats of hf_keccak_tree_rings --> queue --> slice --> core --> slice --> output
//                                                                     '--> values
//
// Errors: none.
//
// Timing: a beat of the rings is at the core 4 clocks later at the earliest; a beat of output is on
// the port, or one of a value at its port, a clock later. While `queue_credit_o` is high one more
// beat may be read from the rings. A request to stop an output is at the core a clock later.

module hf_keccak_tree_port
  import hf_keccak_tree_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 128,
    parameter  int unsigned Slots = 4,
    parameter  int unsigned Messages = 1,
    parameter  logic [7:1]  NodeFunction = '0,  // code of the nodes' function; bit 0: is_strong
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned MessageWidth = (Messages > 1) ? $clog2(Messages) : 1
) (
    input logic clk_i,
    input logic rst_i,

    // From hf_keccak_tree_rings.
    output logic                       queue_credit_o,
    input  logic                       beat_read_i,
    input  logic                       beat_valid_i,
    input  logic       [SlotWidth-1:0] beat_slot_i,
    input  logic       [DataWidth-1:0] beat_data_i,
    input  node_beat_t                 beat_fields_i,

    // A beat of a final node, or of a message that passes, a clock later, and what the message
    // requests.
    output logic                    final_valid_o,
    output logic                    final_last_o,
    output logic [MessageWidth-1:0] final_message_o,
    input  logic [             7:0] final_code_i,
    input  logic [ LengthWidth-1:0] final_length_i,

    // The stream port of the core.
    output logic                 core_valid_o,
    input  logic                 core_ready_i,
    output logic [DataWidth-1:0] core_data_o,
    output logic [KeepWidth-1:0] core_keep_o,
    output logic                 core_last_o,
    output logic [SlotWidth-1:0] core_tid_o,
    output logic [UserWidth-1:0] core_user_o,
    input  logic                 digest_valid_i,
    output logic                 digest_ready_o,
    input  logic [DataWidth-1:0] digest_data_i,
    input  logic [KeepWidth-1:0] digest_keep_i,
    input  logic                 digest_last_i,
    input  logic [SlotWidth-1:0] digest_tid_i,
    input  logic [          4:0] digest_user_i,
    output logic [    Slots-1:0] core_stop_o,

    // A beat of a value, which is taken in the clock in which it is valid.
    output logic                 value_valid_o,
    output logic [SlotWidth-1:0] value_slot_o,
    output logic [DataWidth-1:0] value_data_o,
    output logic                 value_last_o,

    output logic                    m_tvalid_o,
    input  logic                    m_tready_i,
    output logic [   DataWidth-1:0] m_tdata_o,
    output logic [   KeepWidth-1:0] m_tkeep_o,
    output logic                    m_tlast_o,
    output logic [MessageWidth-1:0] m_tid_o,
    output logic [             4:0] m_tuser_o,
    input  logic [    Messages-1:0] stop_i
);

  localparam int unsigned QueueDepth = 8;
  localparam int unsigned QueueBits = $clog2(QueueDepth);

  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [MessageWidth-1:0] message_index_t;

  ///////////////////////
  // Nodes to the core //
  ///////////////////////

  logic beat1_valid_q;
  slot_t beat1_slot_q;
  logic [DataWidth-1:0] beat1_data_q;
  node_beat_t beat1_fields_q;
  always_ff @(posedge clk_i) begin
    beat1_valid_q  <= beat_valid_i && !rst_i;
    beat1_slot_q   <= beat_slot_i;
    beat1_data_q   <= beat_data_i;
    beat1_fields_q <= beat_fields_i;
  end

  logic is_final;
  assign is_final = 32'(beat1_slot_q) < Messages;
  assign final_valid_o = beat1_valid_q && is_final;
  assign final_last_o = beat1_fields_q.last_beat;
  assign final_message_o = (Messages > 1) ? message_index_t'(beat1_slot_q) : '0;

  user_t core_user;
  always_comb begin
    core_user.code = {NodeFunction, beat1_fields_q.is_strong};
    core_user.length = beat1_fields_q.is_strong ? LengthWidth'(512) : LengthWidth'(256);
    // A bit and no byte (see `core_beat2_q`) are an error in the core.
    core_user.bits = !beat1_fields_q.last_beat ? 3'd0 :
        beat1_fields_q.is_bad ? 3'd1 : beat1_fields_q.last_bits;
    core_user.more = 1'b0;
    core_user.reserved = '0;
    if (is_final) begin
      core_user.code   = final_code_i;
      core_user.length = final_length_i;
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

  typedef struct packed {
    user_t                core_user;
    logic [KeepWidth-1:0] beat_keep;
    logic [DataWidth-1:0] beat_data;
  } sent_t;
  // The core's tready depends on these, so they come from registers.
  typedef struct packed {
    slot_t core_tid;
    logic  beat_last;
  } place_t;
  sent_t core_beat2_q, queued_beat, sent_beat;
  place_t core_place2_q, queued_place, core_place;
  logic beat2_valid_q;
  always_ff @(posedge clk_i) begin
    beat2_valid_q <= beat1_valid_q && !rst_i;
    core_place2_q.core_tid <= beat1_slot_q;
    core_place2_q.beat_last <= beat1_fields_q.last_beat;
    core_beat2_q.core_user <= core_user;
    core_beat2_q.beat_keep <= {KeepWidth{!beat1_fields_q.last_beat}} |
        (first_bytes(beat1_fields_q.byte_count) & {KeepWidth{!beat1_fields_q.is_bad}});
    core_beat2_q.beat_data <= beat1_data_q;
  end

  // Beats on their way from the rings are counted, so that all of them have a place in the queue.
  logic [QueueBits:0] places_taken_q;
  logic queue_valid, queue_ready, queue_pop;
  assign queue_credit_o = !places_taken_q[QueueBits];
  assign queue_pop = queue_valid && queue_ready;
  always_ff @(posedge clk_i) begin
    places_taken_q <= rst_i ? '0 :
        places_taken_q + (QueueBits + 1)'(beat_read_i) - (QueueBits + 1)'(queue_pop);
  end

  logic unused_full;
  logic [$clog2(QueueDepth+1)-1:0] unused_level;
  hf_fifo #(
      .Width($bits(place_t) + $bits(sent_t)),
      .Depth(QueueDepth)
  ) u_queue (
      .clk_i,
      .clear_i(rst_i),
      .write_i(beat2_valid_q),
      .data_i ({core_place2_q, core_beat2_q}),
      .full_o (unused_full),
      .valid_o(queue_valid),
      .data_o ({queued_place, queued_beat}),
      .read_i (queue_ready),
      .level_o(unused_level)
  );

  hf_axis_skid #(
      .Width($bits(place_t))
  ) u_skid (
      .clk_i,
      .rst_i,
      .s_valid_i(queue_valid),
      .s_ready_o(queue_ready),
      .s_data_i (queued_place),
      .m_valid_o(core_valid_o),
      .m_ready_i(core_ready_i),
      .m_data_o (core_place)
  );
  logic unused_ready, unused_valid;  // as those of the skid
  hf_axis_slice #(
      .Width($bits(sent_t))
  ) u_slice (
      .clk_i,
      .rst_i,
      .s_valid_i(queue_valid),
      .s_ready_o(unused_ready),
      .s_data_i (queued_beat),
      .m_valid_o(unused_valid),
      .m_ready_i(core_ready_i),
      .m_data_o (sent_beat)
  );
  assign core_data_o = sent_beat.beat_data;
  assign core_keep_o = sent_beat.beat_keep;
  assign core_last_o = core_place.beat_last;
  assign core_tid_o = core_place.core_tid;
  assign core_user_o = sent_beat.core_user;

  ////////////////////////
  // Output and values  //
  ////////////////////////

  // The slice is in front of the choice: the tid comes out of a RAM of the core, and the core's
  // tready leads to more of it. What the choice depends on comes out of a register of the slice.
  logic result_valid, result_ready, digest_is_value, is_value;
  slot_t result_slot;
  assign digest_is_value = 32'(digest_tid_i) >= Messages;
  hf_axis_slice #(
      .Width(DataWidth + KeepWidth + 1 + SlotWidth + 5 + 1)
  ) u_result (
      .clk_i,
      .rst_i,
      .s_valid_i(digest_valid_i),
      .s_ready_o(digest_ready_o),
      .s_data_i ({
        digest_data_i,
        digest_keep_i,
        digest_last_i,
        digest_tid_i,
        digest_user_i,
        digest_is_value
      }),
      .m_valid_o(result_valid),
      .m_ready_i(result_ready),
      .m_data_o ({m_tdata_o, m_tkeep_o, m_tlast_o, result_slot, m_tuser_o, is_value})
  );
  assign result_ready = is_value || m_tready_i;
  assign value_valid_o = result_valid && is_value;
  assign value_slot_o = result_slot;
  assign value_data_o = m_tdata_o;
  assign value_last_o = m_tlast_o;
  assign m_tvalid_o = result_valid && !is_value;
  assign m_tid_o = (Messages > 1) ? message_index_t'(result_slot) : '0;

  // The core's output may have ended while its last beats are in the slice. Without the filter a
  // request that is held until its last beat has come would stop the next output.
  logic [Messages-1:0] stop_request;
  hf_axis_stop #(
      .Tids    (Messages),
      .TidWidth(MessageWidth)
  ) u_stop (
      .clk_i,
      .rst_i,
      .stop_i,
      .take_i(m_tvalid_o && m_tready_i),
      .last_i(m_tlast_o),
      .open_i(m_tuser_o[4]),
      .tid_i (m_tid_o),
      .stop_o(stop_request)
  );
  assign core_stop_o = Slots'(stop_request);

endmodule
