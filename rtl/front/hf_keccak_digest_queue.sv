// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Digest queue of the front end with several slots: keeps the jobs of states that left the engine
// in order, and reads their words from the state store, one a clock, as long as the port has room.
//
// Errors: the error of an invalid tid is sent when nothing else is pending, or after ErrorGap beats
// of digests since the last error. `error_ok_o` applies the same rule to bad messages before they
// begin. So digests keep their share of the port, whatever the number of bad messages.
//
// Timing: two origins. A job: clock 0 is the clock of its state's st_valid_i.
//
//   1                  it enters the queue
//   DataDelay + 3      its state is stored; the job may be taken
//
// A word: clock 0 is the clock of `read_digest_o` (word_read_i of hf_keccak_digest_emitter). The
// other read_ ports are valid in it.

module hf_keccak_digest_queue
  import hf_keccak_slots_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned PortWidth = 128,  // width of the stream port, in bits
    parameter  int unsigned WordWidth = 128,  // width of a word of the store, in bits
    parameter  int unsigned Slots = 4,
    parameter  int unsigned TidWidth = 2,
    parameter  int unsigned DataDelay = 3,  // clocks from st_valid_i to the state
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned PortLaneBits = index_bits(port_lanes(PortWidth)),
    localparam int unsigned PartBits = index_bits(WordWidth / PortWidth),
    localparam int unsigned StateWordBits = state_word_bits(WordWidth)
) (
    input logic clk_i,
    input logic rst_i,

    // A state leaves the engine, and its output.
    input logic                 st_valid_i,
    input logic [SlotWidth-1:0] st_slot_i,
    input logic                 state_place_i,  // its place, as in hf_keccak_state_store
    input job_t                 job_fields_i,    // as in hf_keccak_output_budget

    // An error beat for this tid is requested.
    input  logic                tid_error_i,
    input  logic [TidWidth-1:0] tid_error_tid_i,
    output logic                tid_error_done_o,
    output logic                error_ok_o,  // the error of a bad message keeps to its share

    // Reads of the store, and the beat of the port that each word makes.
    input  logic                     restore_active_i,   // as in hf_keccak_state_store
    output logic                     read_digest_o,        // a word is read
    output logic [    SlotWidth-1:0] read_slot_o,
    output logic                     read_place_o,
    output logic [StateWordBits-1:0] read_word_o,
    output logic [     PartBits-1:0] read_part_o,   // part of the word
    output logic                     read_last_o,   // it is the job's last
    output logic [ PortLaneBits-1:0] read_lane_o,   // number of the last lane in the last beat
    output logic [     TidWidth-1:0] read_tid_o,
    output digest_t                  digest_fields_o,      // the job
    output logic                     place_freed_o,  // a digest has been read: its place is free
    output logic [    SlotWidth-1:0] freed_slot_o,

    // As in hf_keccak_digest_emitter.
    input logic word_read_i,
    input logic port_half_i,
    input logic word_busy_i,
    input logic port_busy_i
);

  localparam int unsigned PortLanes = port_lanes(PortWidth);
  localparam int unsigned Parts = WordWidth / PortWidth;  // beats of the port in a word
  localparam int unsigned CountBits = $clog2(state_words(PortWidth) + 1);

  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [CountBits-1:0] beat_count_t;  // number of beats of the port

  // A digest, or a part of one, to be sent.
  typedef struct packed {
    slot_t                   digest_slot;
    logic                    state_place;  // which of the slot's two states
    logic [PortLaneBits-1:0] last_lane;    // the last lane, as its number in the last beat
    digest_t                 digest_fields;
    logic                    single_beat;  // at most one beat
    logic                    two_beats;
    beat_count_t             beat_count;
  } entry_t;

  /////////////////////
  // Jobs            //
  /////////////////////

  // Jobs enter the queue in the clock after their state has left, and may be taken once it is
  // stored.
  localparam int unsigned Written = DataDelay + 3;
  localparam int unsigned QueueBits = $clog2(2 * Slots + 2);
  entry_t new_entry, new_entry1_q, first_entry;  // written; in a register; the oldest
  beat_count_t job_beats;  // beats of the new job
  logic [Written:1] job_valid_q;  // [n]: in clock n
  // End of the jobs; of those that may be taken; front.
  logic [QueueBits-1:0] write_row, stored_row, read_row;
  logic job_waits_q;  // late after a job has entered or left
  logic take_job, take_job_q;

  always_comb begin
    new_entry.digest_slot = st_slot_i;
    new_entry.state_place = state_place_i;
    job_beats = beat_count_t'(32'(job_fields_i.lane_count) / PortLanes);
    if (32'(job_fields_i.lane_count) % PortLanes != 0) begin
      job_beats = beat_count_t'(plus_one(8'(job_beats)));
    end
    new_entry.last_lane = (PortLanes > 1) ? PortLaneBits'(job_fields_i.lane_count - 5'd1) : '0;
    new_entry.digest_fields.tail_bits = job_fields_i.tail_bits;
    new_entry.digest_fields.lane_partial = job_fields_i.output_done &&
        job_fields_i.tail_bits != '0 && !job_fields_i.message_bad;
    new_entry.digest_fields.empty_beat = job_fields_i.lane_count == '0;
    new_entry.digest_fields.output_done = job_fields_i.output_done;
    new_entry.digest_fields.message_bad = job_fields_i.message_bad;
    new_entry.digest_fields.output_open = job_fields_i.output_open;
    new_entry.single_beat = job_beats[CountBits-1:1] == '0;
    new_entry.two_beats = job_beats == beat_count_t'(2);
    new_entry.beat_count = job_beats;
  end

  always_ff @(posedge clk_i) begin
    new_entry1_q <= new_entry;
    if (rst_i) job_valid_q <= '0;
    else job_valid_q <= {job_valid_q[Written-1:1], st_valid_i && job_fields_i.gives_output};
    take_job_q <= take_job;
    // A job can be read two clocks after its row is written.
    if (rst_i) job_waits_q <= 1'b0;
    else job_waits_q <= !take_job && !take_job_q && stored_row != read_row;
  end

  hf_pointer #(
      .Bits(QueueBits)
  ) u_write (
      .clk_i,
      .rst_i,
      .step_i(job_valid_q[1]),
      .row_o (write_row)
  );
  hf_pointer #(
      .Bits(QueueBits)
  ) u_in (
      .clk_i,
      .rst_i,
      .step_i(job_valid_q[Written]),
      .row_o (stored_row)
  );
  hf_pointer #(
      .Bits(QueueBits)
  ) u_out (
      .clk_i,
      .rst_i,
      .step_i(take_job),
      .row_o (read_row)
  );
  hf_held_ram #(
      .Width($bits(entry_t)),
      .Depth(1 << QueueBits)
  ) u_jobs (
      .clk_i,
      .write_i     (job_valid_q[1]),
      .write_addr_i(write_row),
      .write_data_i(new_entry1_q),
      .read_i      (1'b1),
      .read_addr_i (read_row),
      .out_i       (1'b1),
      .read_data_o (first_entry)
  );

  /////////////////////
  // Words           //
  /////////////////////

  // One word is read in a clock, as long as the queue in front of the port has room.
  entry_t emit_entry_q;  // the job that is being sent
  logic emit_last_q, next_last_q;  // the word to be read is the job's last; the next word is
  logic [TidWidth-1:0] emit_tid_q;  // tid of its beats
  // emit_valid_copy: for the registers of the word.
  logic emit_valid, emit_valid_q, emit_valid_copy;
  // The beat to be read, and the next three.
  beat_count_t beat_number_q, beat_plus_one_q, beat_plus_two_q, beat_plus_three_q;
  logic read_hold_q;  // a state is being restored, or the queue was half full a clock ago
  logic port_quiet_q;  // no job, word or beat is pending
  logic read_word, next_job;  // a word is read; the next job may be taken
  logic emit_tid_error_q;  // the job is the error of an invalid tid
  logic place_freed_q, tid_error_freed_q;  // a job is complete; it was such an error
  slot_t freed_slot_q;

  localparam int unsigned ErrorGap = 16;
  localparam int unsigned GapBits = $clog2(ErrorGap);
  logic [GapBits:0] beats_since_q;  // beats read since the last error; top bit: enough of them
  // That error is next; an error is sent; was sent a clock ago.
  logic tid_error_next_q, error_goes, error_gone_q;
  assign error_goes = emit_valid_q ? emit_entry_q.digest_fields.message_bad : tid_error_next_q;

  assign read_word = emit_valid_q && !read_hold_q;
  assign emit_valid = !rst_i && (emit_valid_q ? !(emit_last_q && !read_hold_q) :
      job_waits_q || tid_error_next_q);
  hf_copy u_emitting (
      .clk_i,
      .d_i(emit_valid),
      .q_o(emit_valid_copy)
  );
  // Leaves a clock between two jobs, so that it does not depend on `read_word`.
  assign next_job = !emit_valid_q;
  assign take_job = next_job && job_waits_q && !tid_error_next_q;
  assign tid_error_done_o = next_job && tid_error_next_q;

  always_ff @(posedge clk_i) begin
    if (next_job || !read_hold_q) begin
      emit_last_q <= next_job ? tid_error_next_q || first_entry.single_beat : next_last_q;
      next_last_q <= next_job ? first_entry.two_beats :
          beat_plus_three_q == emit_entry_q.beat_count;
    end
    emit_valid_q <= emit_valid;
    if (!emit_valid_copy) begin
      emit_entry_q <= first_entry;
      emit_tid_q <= tid_error_next_q ? tid_error_tid_i : TidWidth'(first_entry.digest_slot);
      emit_tid_error_q <= tid_error_next_q;
      if (tid_error_next_q) begin
        emit_entry_q.digest_fields.lane_partial <= 1'b0;
        emit_entry_q.digest_fields.empty_beat <= 1'b1;
        emit_entry_q.digest_fields.output_done <= 1'b1;
        emit_entry_q.digest_fields.message_bad <= 1'b1;
        emit_entry_q.digest_fields.output_open <= 1'b0;
      end
      beat_number_q <= '0;
      beat_plus_one_q <= beat_count_t'(1);
      beat_plus_two_q <= beat_count_t'(2);
      beat_plus_three_q <= beat_count_t'(3);
    end else if (!read_hold_q) begin
      beat_number_q <= beat_plus_one_q;
      beat_plus_one_q <= beat_plus_two_q;
      beat_plus_two_q <= beat_plus_three_q;
      beat_plus_three_q <= beat_count_t'(plus_one(8'(beat_plus_three_q)));
    end
    read_hold_q <= port_half_i || restore_active_i;
    place_freed_q <= read_word && emit_last_q;
    tid_error_freed_q <= emit_tid_error_q;
    freed_slot_q <= emit_entry_q.digest_slot;

    port_quiet_q <= !(job_waits_q || emit_valid_q || word_busy_i || port_busy_i);

    error_gone_q <= error_goes;
    if (error_gone_q) beats_since_q <= '0;
    else if (word_read_i && !beats_since_q[GapBits]) begin
      beats_since_q <= (GapBits+1)'(plus_one(8'(beats_since_q)));
    end
    error_ok_o <= !error_goes && !error_gone_q && (beats_since_q[GapBits] || port_quiet_q);
    tid_error_next_q <= tid_error_i && (tid_error_next_q || error_ok_o) && !tid_error_done_o;
    if (rst_i) begin
      tid_error_next_q <= 1'b0;
      beats_since_q <= '0;
    end
  end

  assign read_digest_o = read_word;
  assign read_slot_o = emit_entry_q.digest_slot;
  assign read_place_o = emit_entry_q.state_place;
  assign read_word_o = StateWordBits'(beat_number_q >> $clog2(Parts));
  assign read_part_o = PartBits'(beat_number_q);
  assign read_last_o = emit_last_q;
  assign read_lane_o = emit_entry_q.last_lane;
  assign read_tid_o = emit_tid_q;
  assign digest_fields_o = emit_entry_q.digest_fields;
  assign place_freed_o = place_freed_q && !tid_error_freed_q;
  assign freed_slot_o = freed_slot_q;

  logic unused_entry;  // fields read with a job's first word
  assign unused_entry = ^{emit_entry_q.single_beat, emit_entry_q.two_beats};

endmodule
