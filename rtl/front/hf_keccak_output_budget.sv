// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Output budget of the front end with several slots: holds how much output each slot's message
// still has to give, and decides what the state of each load gives of it.
//
// The remaining length counts lanes, less one after the first state with output. A partial last
// lane counts as a lane. An open output is squeezed until it is stopped. After the stop, its next
// state is still permuted, gives no lanes, and ends the output.
//
// Errors: a bad message gives one error, in place of all output.
//
// Timing: clock 0 is the clock of the decision on a load (hf_keccak_slot_arbiter).
//
//   -1   the lengths are read for the slot that is decided on next (early_slot_i)
//   1    the load is on its ports
//   2    lanes that its message still has to give
//   3    the low half, less this state's lanes
//   4    the difference, whose sign shows the end of the output; it is written in the next clock
//   5    the lanes that this state gives; has_successor_o, and message_done_o in the next clock
//   6    the job is queued
//   Period + Lead - 4   next_job_i
//   Period + Lead       job_fields_o holds the load's job while its state may leave; st_valid_o
//                       reports whether it does

module hf_keccak_output_budget
  import hf_keccak_slots_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned Slots = 4,
    localparam int unsigned SlotWidth = $clog2(Slots)
) (
    input logic clk_i,
    input logic rst_i,

    // A message has begun, as in hf_keccak_suffix.
    input logic                     message_begins_i,
    input logic     [SlotWidth-1:0] message_slot_i,
    input message_t                 message_fields_i,

    // The load.
    input logic  [SlotWidth-1:0] early_slot_i,    // as in hf_keccak_slot_arbiter
    input logic  [          6:1] load_started_i,  // [n]: a load was decided n clocks ago
    input load_t                 load_fields_i,          // in clock 1, as in hf_keccak_load_fields
    input logic  [SlotWidth-1:0] load_slot_i,
    // The load decided five clocks ago has a successor.
    output logic                 has_successor_o,

    input  logic [Slots-1:0] stop_i,  // ends the open output of the slot's message
    output logic [Slots-1:0] more_output_o,   // output remains after the states under way
    output logic [Slots-1:0] message_done_o,  // all blocks of the message are loaded

    input  logic next_job_i,  // the next load's state may leave in the fourth clock from here
    output job_t job_fields_o        // the output of the state that may leave
);

  typedef logic [SlotWidth-1:0] slot_t;

  // Per slot: the remaining lanes; and the bits of a partial last lane, a flag that there is one,
  // and the flag of an open output, in which case the other fields are ignored. The remaining lanes
  // are written while no load can begin.
  localparam int unsigned LengthBits = 35;
  localparam int unsigned HalfBits = 17;
  typedef logic [LengthBits-1:0] length_t;
  length_t stored_lanes;
  logic stored_open, stored_partial;
  logic [5:0] stored_tail;
  // The remaining length is written in the next clock; in this one.
  logic write_length, write_length_q;
  slot_t length_slot_q;  // the slot that is read or written

  slot_t load_slot2_q, load_slot3_q, load_slot4_q, load_slot5_q;
  logic load_last2_q, load_last3_q, load_last4_q, load_last5_q;  // the state gives output
  logic message_bad2_q, message_bad3_q, message_bad4_q, message_bad5_q;
  logic [5:0] tail_bits2_q, tail_bits3_q, tail_bits4_q, tail_bits5_q;
  logic output_open2_q, output_open3_q, output_open4_q, output_open5_q;
  length_t lanes_left2_q;
  logic [LengthBits-1:HalfBits] left_high3_q;
  logic [HalfBits-1:0] left_low3_q;
  logic carry_low3_q;
  length_t lanes_left4_q;  // lanes left after this state, less one; negative: none
  // If the output ends in this state; in any case.
  lane_count_t last_lanes3_q, last_lanes4_q, given_lanes5_q;
  // Adds the lane that lanes_left2_q does not count: the partial lane of a message's first output,
  // or the one that is subtracted from a remaining length.
  logic count_more2_q;
  // lanes - rate - 1 + count_more2_q, as one sum with count_more2_q as its carry.
  lane_count_t not_rate2_q, not_rate3_q, not_rate4_q;
  logic unused_carry3_q, unused_carry4_q;
  logic [Slots-1:0] output_stopped_q;  // the open output's next state ends it
  logic output_stopped4_q;
  logic output_done4, output_done5_q;  // this state ends the output
  logic state_gives;  // it gives output or an error
  assign output_done4 = output_open4_q ? output_stopped4_q : lanes_left4_q[LengthBits-1];
  assign state_gives = load_started_i[5] && load_last5_q;
  assign has_successor_o = load_started_i[5] && !(load_last5_q && output_done5_q);

  assign write_length = load_started_i[3] && load_last3_q;
  hf_ram #(
      .Width(8),
      .Depth(1 << SlotWidth)
  ) u_tails (
      .clk_i,
      .write_i     (message_begins_i),
      .write_addr_i(message_slot_i),
      .write_data_i({
        message_fields_i.output_open, message_fields_i.lane_partial, message_fields_i.tail_bits
      }),
      .read_addr_i (early_slot_i),
      .read_data_o ({stored_open, stored_partial, stored_tail})
  );
  hf_ram_2w #(
      .Width(LengthBits),
      .Depth(1 << SlotWidth)
  ) u_lanes (
      .clk_i,
      .write_i     (message_begins_i),
      .write_addr_i(message_slot_i),
      .write_data_i({1'b0, message_fields_i.whole_lanes}),
      .put_i       (write_length_q),
      .addr_i      (length_slot_q),
      .put_data_i  (lanes_left4_q),
      .read_data_o (stored_lanes)
  );

  always_ff @(posedge clk_i) begin
    load_slot2_q <= load_slot_i;
    load_last2_q <= load_fields_i.squeeze_only || load_fields_i.final_block;
    message_bad2_q <= load_fields_i.message_bad;
    lanes_left2_q <= stored_lanes;
    output_open2_q <= stored_open;
    tail_bits2_q <= stored_tail;
    count_more2_q <= stored_partial || load_fields_i.squeeze_only;
    not_rate2_q <= ~lanes_of(load_fields_i.function_rate);

    write_length_q <= write_length && !rst_i;
    // Not the slot of the clock before, which comes from the engine: early_slot_i plus one slot.
    length_slot_q <= write_length ? load_slot3_q :
        ((32'(early_slot_i) == Slots - 1) ? '0 : slot_t'(plus_one(8'(early_slot_i))));
    load_slot3_q <= load_slot2_q;
    not_rate3_q <= not_rate2_q;
    load_last3_q <= load_last2_q;
    message_bad3_q <= message_bad2_q;
    // The lanes that this state gives if the output ends in it.
    last_lanes3_q <= output_open2_q ? '0 :
        (count_more2_q ? lane_count_t'(plus_one(8'(lanes_left2_q[4:0]))) : lanes_left2_q[4:0]);
    {carry_low3_q, left_low3_q, unused_carry3_q} <= {1'b0, lanes_left2_q[HalfBits-1:0], 1'b1} +
        {1'b0, {HalfBits - 5{1'b1}}, not_rate2_q, count_more2_q};
    left_high3_q <= lanes_left2_q[LengthBits-1:HalfBits];
    tail_bits3_q <= output_open2_q ? '0 : tail_bits2_q;
    output_open3_q <= output_open2_q;

    load_slot4_q <= load_slot3_q;
    not_rate4_q <= not_rate3_q;
    load_last4_q <= load_last3_q;
    message_bad4_q <= message_bad3_q;
    last_lanes4_q <= last_lanes3_q;
    lanes_left4_q[HalfBits-1:0] <= left_low3_q;
    // The carry decides whether one is subtracted; again as one sum.
    {lanes_left4_q[LengthBits-1:HalfBits], unused_carry4_q} <=
        {left_high3_q, 1'b1} + {{LengthBits - HalfBits{1'b1}}, carry_low3_q};
    output_stopped4_q <= output_stopped_q[load_slot3_q];
    tail_bits4_q <= tail_bits3_q;
    output_open4_q <= output_open3_q;

    load_slot5_q <= load_slot4_q;
    load_last5_q <= load_last4_q;
    message_bad5_q <= message_bad4_q;
    given_lanes5_q <= message_bad4_q ? '0 : (output_done4 ? last_lanes4_q : ~not_rate4_q);
    output_done5_q <= output_done4 || message_bad4_q;
    tail_bits5_q <= tail_bits4_q;
    output_open5_q <= output_open4_q;
  end

  for (genvar i = 0; i < Slots; i++) begin : gen_done
    logic slot_gives;  // its state gives output or an error
    assign slot_gives = state_gives && load_slot5_q == slot_t'(i);
    always_ff @(posedge clk_i) begin
      message_done_o[i] <= slot_gives && output_done5_q && !rst_i;
      if (slot_gives) more_output_o[i] <= !output_done5_q;
      if (rst_i || message_done_o[i]) output_stopped_q[i] <= 1'b0;
      else if (stop_i[i]) output_stopped_q[i] <= 1'b1;
    end
  end

  // One entry for each load, in order.
  localparam int unsigned JobBits = $clog2(Slots) + 2;
  job_t job6_q, read_job, job_q;  // written; read; in registers near the store
  logic [JobBits-1:0] job_in_q, job_out_q;

  hf_ram #(
      .Width($bits(job_t)),
      .Depth(1 << JobBits)
  ) u_jobs (
      .clk_i,
      .write_i     (load_started_i[6]),
      .write_addr_i(job_in_q),
      .write_data_i(job6_q),
      .read_addr_i (job_out_q),
      .read_data_o (read_job)
  );

  always_ff @(posedge clk_i) begin
    job6_q.gives_output <= load_last5_q;
    job6_q.lane_count <= given_lanes5_q;
    job6_q.output_done <= output_done5_q;
    job6_q.tail_bits <= tail_bits5_q;
    job6_q.message_bad <= message_bad5_q;
    job6_q.output_open <= output_open5_q && !message_bad5_q;
    if (load_started_i[6]) job_in_q <= job_in_q + 1'b1;
    job_q <= read_job;  // the RAM may be placed far away
    if (next_job_i) job_out_q <= job_out_q + 1'b1;
    if (rst_i) begin
      job_in_q  <= '0;
      job_out_q <= '1;
    end
  end
  assign job_fields_o = job_q;

  logic unused_load;  // the loader's fields and clocks
  assign unused_load = ^{
    load_fields_i.restore_state, load_fields_i.end_lane, load_started_i[4], load_started_i[2:1]
  };

endmodule
