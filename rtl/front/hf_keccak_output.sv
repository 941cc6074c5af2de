// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Output of the front end with several slots: stores the states that leave a rotating engine,
// returns them to hf_keccak_scheduler for a restore, and sends digests to the port. The store has
// room for two states a slot, so that one can leave the engine while the digest of the one before
// is sent. It has one read port; a restore has priority.
//
// Schedule of a state. Clock 0 is the clock of st_valid_i.
//
//   0                  its place in the store and its output (job) are registered
//   DataDelay          the state is on st_i and is written
//   DataDelay + 4      its digest may be sent
//
// States come at least LoadWords + 1 clocks apart. Digests leave in the order of their states, one
// after the other, in words of DataWidth. On a port wider than a lane, the last beat of each
// state's share may be partial. A word of the port is a part of a word of the store, which is
// LoadWidth wide.
//
// Errors: the error of an invalid tid is sent when nothing else is pending, or after ErrorGap beats
// of digests since the last error. `error_ok_o` applies the same rule to bad messages before they
// begin. So digests keep their share of the port, whatever the number of bad messages.

module hf_keccak_output
  import hf_keccak_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 128,
    // Width of a word of the store and of state_data_o, in bits.
    parameter  int unsigned LoadWidth = DataWidth,
    parameter  int unsigned Slots = 4,
    parameter  int unsigned TidWidth = 2,
    parameter  int unsigned DataDelay = 3,  // clocks from st_valid_i to st_i
    parameter  bit          Slices = 1'b1,  // as in hf_keccak_store
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned Lanes = (DataWidth > LaneWidth) ? DataWidth / LaneWidth : 1,
    localparam int unsigned Words = (25 + Lanes - 1) / Lanes,  // words of the port in a state
    // Words of the port in a word of the store.
    localparam int unsigned Parts = LoadWidth / DataWidth,
    // Words of the store in a state.
    localparam int unsigned LoadWords = (25 + Lanes * Parts - 1) / (Lanes * Parts),
    localparam int unsigned StateBits = $clog2(LoadWords)
) (
    input logic clk_i,
    input logic rst_i,

    // The engine contract (docs/reference/contract.md).
    input logic                  st_valid_i,
    input logic [ SlotWidth-1:0] st_slot_i,
    input logic [StateWidth-1:0] st_i,

    // The output of this state, as in hf_keccak_scheduler.
    input logic       job_i,
    input logic [4:0] job_lanes_i,
    input logic       job_over_i,
    input logic [5:0] job_tail_i,
    input logic       job_bad_i,
    input logic       job_open_i,

    output logic [Slots-1:0] stored_o,  // the slot's state is in the store
    output logic [Slots-1:0] some_out_o,  // a digest of the slot is pending
    output logic [Slots-1:0] both_out_o,  // two digests of the slot are pending
    // The error of a bad message would keep to its share of the port.
    output logic             error_ok_o,

    // Restores the slot's last state: its words come one a clock, the first six clocks after
    // restore_i.
    input  logic                 restore_i,
    input  logic [SlotWidth-1:0] restore_slot_i,  // valid a clock before restore_i
    output logic [LoadWidth-1:0] state_data_o,  // undefined in other clocks

    input  logic                tid_error_i,  // an error beat for this tid is requested
    input  logic [TidWidth-1:0] tid_error_tid_i,
    output logic                tid_error_done_o,

    // AXI4-Stream, as in the stream top (docs/reference/stream.md).
    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    output logic [DataWidth-1:0] m_tdata_o,
    output logic [KeepWidth-1:0] m_tkeep_o,
    output logic                 m_tlast_o,
    output logic [ TidWidth-1:0] m_tid_o,
    output logic [          4:0] m_tuser_o,

    input  logic [Slots-1:0] stop_i,  // per slot: request to end its open output
    // The request is valid: the slot's output is open and has begun.
    output logic [Slots-1:0] stop_o
);

`ifndef HF_NO_PARAMETER_CHECKS
  if (DataWidth < LaneWidth || LoadWidth > 8 * LaneWidth || Parts * DataWidth != LoadWidth ||
      $countones(DataWidth) != 1 || $countones(LoadWidth) != 1) begin : gen_bad_widths
    $fatal(1, "hf_keccak_output: no port of %0d bits with a store of %0d", DataWidth, LoadWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

  typedef logic [SlotWidth-1:0] slot_t;

  localparam int unsigned LaneBits = (Lanes > 1) ? $clog2(Lanes) : 1;
  localparam int unsigned PartBits = (Parts > 1) ? $clog2(Parts) : 1;
  localparam int unsigned CountBits = $clog2(Words + 1);  // bits of a number of words
  typedef logic [CountBits-1:0] count_t;  // number of words of the port

  // A digest, or a part of one, to be sent.
  typedef struct packed {
    slot_t               slot;
    logic                place;  // which of the slot's two states
    logic [LaneBits-1:0] lane;   // the last lane, as its number in the last word
    logic [5:0]          tail;   // bits in that lane, if `cut`
    logic                cut;  // the last lane is partial
    logic                empty;  // an empty beat
    logic                over;   // the digest ends with this job
    logic                bad;    // send an error
    logic                open;   // part of an open output
    logic                single;  // at most one word
    logic                pair;    // two words
    count_t              words;  // number of words
  } job_t;

  ////////////////////
  // Places         //
  ////////////////////

  // Pending digests of a slot are those of its last states. Each is in the other place than the
  // digest before it; a state without output may be overwritten.
  logic [Slots-1:0] some_q, both_q;  // one digest is pending; two are
  logic [Slots-1:0] next_q, last_q;  // place for the slot's next state; place of its last state
  // Its state has left; with a digest; a digest of it has been sent.
  logic [Slots-1:0] left_q, gave_q, gone;
  logic place;  // place for the state of st_slot_i
  // A job is complete; the same a clock later; it was an error of a tid.
  logic done, freed_q, freed_none_q;
  slot_t freed_slot_q;  // its slot

  assign place = next_q[st_slot_i];

  for (genvar i = 0; i < Slots; i++) begin : gen_out
    // A clock late: a place becomes occupied; it becomes free.
    assign gone[i] = freed_q && !freed_none_q && freed_slot_q == slot_t'(i);
    always_ff @(posedge clk_i) begin
      left_q[i] <= st_valid_i && st_slot_i == slot_t'(i);
      if (rst_i) gave_q[i] <= 1'b0;
      else gave_q[i] <= st_valid_i && job_i && st_slot_i == slot_t'(i);
      if (left_q[i]) last_q[i] <= next_q[i];
      if (rst_i) next_q[i] <= 1'b0;
      else if (gave_q[i]) next_q[i] <= !next_q[i];
      if (rst_i) {both_q[i], some_q[i]} <= 2'b00;
      else if (gave_q[i] && !gone[i]) {both_q[i], some_q[i]} <= {some_q[i], 1'b1};
      else if (gone[i] && !gave_q[i]) {both_q[i], some_q[i]} <= {1'b0, both_q[i]};
    end
  end
  assign some_out_o = some_q;
  assign both_out_o = both_q;

  ////////////////////
  // The store      //
  ////////////////////

  // after_q[n]: st_valid_i was high n clocks ago.
  // Clocks from st_valid_i until the state can be read.
  localparam int unsigned Written = DataDelay + 3;
  logic [DataDelay+1:1] after_q;
  logic now;  // the state is on st_i
  always_ff @(posedge clk_i) begin
    after_q <= (DataDelay+1)'({after_q, st_valid_i});
    if (rst_i) after_q <= '0;
  end
  assign now = (DataDelay == 0) ? st_valid_i : after_q[(DataDelay == 0) ? 1 : DataDelay];

  // The row of the state on st_i.
  slot_t now_slot;  // slot of the state on st_i
  logic now_place;  // place of the state on st_i
  // Slot of the state, that number of clocks after st_valid_i, plus one.
  slot_t slot_q[DataDelay+1];
  logic [DataDelay:0] old_place_q;  // its place, likewise
  always_ff @(posedge clk_i) begin
    slot_q[0] <= st_slot_i;
    for (int unsigned i = 1; i <= DataDelay; i++) slot_q[i] <= slot_q[i-1];
    old_place_q <= (DataDelay+1)'({old_place_q, place});
  end
  // Index of the stage a clock before `now`.
  localparam int unsigned Before = (DataDelay < 2) ? 0 : DataDelay - 2;
  assign now_slot = (DataDelay == 0) ? st_slot_i : slot_q[(DataDelay == 0) ? 0 : DataDelay-1];
  assign now_place = (DataDelay == 0) ? place : old_place_q[(DataDelay == 0) ? 0 : DataDelay-1];

  for (genvar i = 0; i < Slots; i++) begin : gen_stored
    always_ff @(posedge clk_i) stored_o[i] <= now && now_slot == slot_t'(i);
  end

  // Restore: reads a state word by word.
  logic restoring_q;  // words of a restore are being read
  // Restore_i was high that number of clocks ago; top bit: the last word.
  logic [LoadWords:1] restored_q;
  slot_t restore_slot_q, row_slot_q;  // slot given; slot of the restore
  logic restore_place_q, row_place_q;  // place, likewise
  logic [StateBits-1:0] restore_word_q;  // word to be read for the restore
  logic restoring_d;
  assign restoring_d = restore_i || (restoring_q && !restored_q[LoadWords]);
  always_ff @(posedge clk_i) begin
    restore_slot_q  <= restore_slot_i;
    restore_place_q <= last_q[restore_slot_i];
    if (restore_i) begin
      row_slot_q <= restore_slot_q;
      row_place_q <= restore_place_q;
      restore_word_q <= '0;
    end else begin
      restore_word_q <= StateBits'(plus_one(8'(restore_word_q)));
    end
    restoring_q <= restoring_d && !rst_i;
    restored_q  <= {restored_q[LoadWords-1:1], restore_i};
  end

  slot_t read_slot_q;  // address of the store: slot
  logic read_place_q;  // place
  logic [StateBits-1:0] read_word_q;  // word
  logic [LoadWidth-1:0] out_data;  // data of the store
  logic [LoadWidth-1:0] out5_q;  // out_data in a register, near to its loads

  hf_keccak_store #(
      .DataWidth(LoadWidth),
      .RowBits  (SlotWidth + 1),
      .Soon     (DataDelay >= 2),
      .Slices   (Slices)
  ) u_store (
      .clk_i,
      .rst_i,
      .soon_i     (after_q[Before+1]),
      .soon_row_i ({slot_q[Before], old_place_q[Before]}),
      .write_i    (now),
      .write_row_i({now_slot, now_place}),
      .state_i    (st_i),
      .read_row_i ({read_slot_q, read_place_q}),
      .read_word_i(read_word_q),
      .read_data_o(out_data)
  );
  assign state_data_o = out5_q;

  ////////////////////
  // Digests        //
  ////////////////////

  // Jobs enter the queue in the clock after their state has left, and may be taken once it is
  // stored.
  localparam int unsigned QueueBits = $clog2(2 * Slots + 2);
  job_t job, job_q, first;  // written; in a register; the oldest job
  count_t words;  // number of words of the new job
  logic [Written:1] job_valid_q;  // that number of clocks ago, a job was written
  // Pointers: write, jobs that may be taken, read.
  logic [QueueBits-1:0] write_row, in_row, out_row;
  logic waiting_q, pop, pop_q;  // waiting_q is late after a job has entered or left

  always_comb begin
    job.slot = st_slot_i;
    job.place = place;
    words = count_t'(32'(job_lanes_i) / Lanes);
    if (32'(job_lanes_i) % Lanes != 0) words = count_t'(plus_one(8'(words)));
    job.lane = (Lanes > 1) ? LaneBits'(job_lanes_i - 5'd1) : '0;
    job.tail = job_tail_i;
    job.cut = job_over_i && job_tail_i != '0 && !job_bad_i;
    job.empty = job_lanes_i == '0;
    job.over = job_over_i;
    job.bad = job_bad_i;
    job.open = job_open_i;
    job.single = words[CountBits-1:1] == '0;
    job.pair = words == count_t'(2);
    job.words = words;
  end

  always_ff @(posedge clk_i) begin
    job_q <= job;
    if (rst_i) job_valid_q <= '0;
    else job_valid_q <= {job_valid_q[Written-1:1], st_valid_i && job_i};
    pop_q <= pop;
    // A job can be read two clocks after its row is written.
    if (rst_i) waiting_q <= 1'b0;
    else waiting_q <= !pop && !pop_q && in_row != out_row;
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
      .row_o (in_row)
  );
  hf_pointer #(
      .Bits(QueueBits)
  ) u_out (
      .clk_i,
      .rst_i,
      .step_i(pop),
      .row_o (out_row)
  );
  hf_held_ram #(
      .Width($bits(job_t)),
      .Depth(1 << QueueBits)
  ) u_jobs (
      .clk_i,
      .write_i     (job_valid_q[1]),
      .write_addr_i(write_row),
      .write_data_i(job_q),
      .read_i      (1'b1),
      .read_addr_i (out_row),
      .out_i       (1'b1),
      .read_data_o (first)
  );

  // One word is read in a clock, as long as the queue in front of the port has room.
  job_t emit_q;  // the job that is being sent
  logic emit_last_q, next_last_q;  // the word to be read is the job's last; the next word is
  logic [TidWidth-1:0] emit_tid_q;  // tid of its beats
  // emitting: a copy of emit_valid_q for the registers of the word.
  logic emit_valid_d, emit_valid_q, emitting;
  count_t word_q, word1_q, word2_q, word3_q;  // the word to be read, and the next three
  logic full, pending;  // queue in front of the port: half full; not empty
  logic hold_q;  // a state is being restored, or the queue was half full a clock ago
  logic quiet_q;  // no job, word or beat is pending
  logic ask, next_job;  // a word is read; the next job may be taken
  logic emit_tid_error_q;  // the job is the error of an invalid tid
  logic [6:1] valid_q;  // a word was read that number of clocks ago

  localparam int unsigned ErrorGap = 16;  // beats of digests between two errors
  localparam int unsigned GapBits = $clog2(ErrorGap);
  logic [GapBits:0] since_q;  // beats read since the last error; top bit: enough of them
  // That error is next; an error is being sent; the same a clock later.
  logic tid_error_next_q, error_goes, error_gone_q;
  assign error_goes = emit_valid_q ? emit_q.bad : tid_error_next_q;

  assign ask = emit_valid_q && !hold_q;
  assign emit_valid_d = !rst_i && (emit_valid_q ? !(emit_last_q && !hold_q) :
      waiting_q || tid_error_next_q);
  hf_copy u_emitting (
      .clk_i,
      .d_i(emit_valid_d),
      .q_o(emitting)
  );
  // Leaves a clock between two jobs, so that it does not depend on `ask`.
  assign next_job = !emit_valid_q;
  assign pop = next_job && waiting_q && !tid_error_next_q;
  assign tid_error_done_o = next_job && tid_error_next_q;
  assign done = ask && emit_last_q;

  always_ff @(posedge clk_i) begin
    if (next_job || !hold_q) begin
      emit_last_q <= next_job ? tid_error_next_q || first.single : next_last_q;
      next_last_q <= next_job ? first.pair : word3_q == emit_q.words;
    end
    emit_valid_q <= emit_valid_d;
    if (!emitting) begin
      emit_q <= first;
      emit_tid_q <= tid_error_next_q ? tid_error_tid_i : TidWidth'(first.slot);
      emit_tid_error_q <= tid_error_next_q;
      if (tid_error_next_q) begin
        emit_q.cut <= 1'b0;
        emit_q.empty <= 1'b1;
        emit_q.over <= 1'b1;
        emit_q.bad <= 1'b1;
        emit_q.open <= 1'b0;
      end
      word_q  <= '0;
      word1_q <= count_t'(1);
      word2_q <= count_t'(2);
      word3_q <= count_t'(3);
    end else if (!hold_q) begin
      word_q <= word1_q;
      word1_q <= word2_q;
      word2_q <= word3_q;
      word3_q <= count_t'(plus_one(8'(word3_q)));
    end
    {read_slot_q, read_place_q, read_word_q} <= restoring_q ?
        {row_slot_q, row_place_q, restore_word_q} :
        {emit_q.slot, emit_q.place, StateBits'(word_q >> $clog2(Parts))};
    hold_q <= full || restoring_d;
    freed_q <= done;
    freed_none_q <= emit_tid_error_q;
    freed_slot_q <= emit_q.slot;

    quiet_q <= !(waiting_q || emit_valid_q || valid_q != '0 || pending);

    error_gone_q <= error_goes;
    if (error_gone_q) since_q <= '0;
    else if (valid_q[1] && !since_q[GapBits]) since_q <= (GapBits+1)'(plus_one(8'(since_q)));
    error_ok_o <= !error_goes && !error_gone_q && (since_q[GapBits] || quiet_q);
    tid_error_next_q <= tid_error_i && (tid_error_next_q || error_ok_o) && !tid_error_done_o;
    if (rst_i) begin
      tid_error_next_q <= 1'b0;
      since_q <= '0;
    end
  end

  // The fields that a word needs follow it. Clock 0 is the clock of `ask`. Clock 1: the address;
  // clock 4: the data, from a RAM that may be placed far away; clock 5: the data in registers;
  // clock 6: the masked data. A name's number or index is the clock.
  typedef struct packed {
    logic [TidWidth-1:0] tid;  // tid of the beat
    logic [2:0]          bits;  // valid bits in its last byte (0: all)
    logic                last;  // tlast
    logic                bad;  // an error
    logic                open;  // part of an open output
  } beat_t;
  beat_t beat_d;
  beat_t [6:1] beat_q;
  logic [4:1][PartBits-1:0] part_q;  // which part of the store's word
  logic [2:1][5:0] tail_q;  // bits of the last lane
  logic [2:1][Lanes-1:0] whole_q;  // lanes that are sent whole
  logic [3:1][Lanes-1:0] none_q;  // lanes that are not sent; the others are partial
  // Bytes that are sent whole; bytes that are not sent.
  logic [KeepWidth-1:0] whole3_q, drop3_q, drop4_q, drop5_q;
  logic bytes2_q;  // no byte is partial
  logic [7:0] bits3_q;  // valid bits of the partial byte
  logic [DataWidth-1:0] mask4_q, mask5_q, data6_q;  // valid bits of the data; the masked data
  logic [KeepWidth-1:0] keep6_q;  // tkeep of the beat

  assign beat_d = {
    emit_tid_q,
    (emit_last_q && emit_q.cut) ? emit_q.tail[2:0] : 3'd0,
    emit_last_q && emit_q.over,
    emit_q.bad,
    emit_q.open
  };

  always_ff @(posedge clk_i) begin
    if (rst_i) valid_q <= '0;
    else valid_q <= {valid_q[5:1], ask};
    beat_q  <= {beat_q[5:1], beat_d};
    part_q  <= {part_q[3:1], PartBits'(word_q)};
    out5_q  <= out_data;
    mask5_q <= mask4_q;
    drop5_q <= drop4_q;
    tail_q  <= {tail_q[1], emit_q.tail};
    bytes2_q <= tail_q[1][2:0] == '0;
    for (int unsigned k = 0; k < Lanes; k++) begin
      whole_q[1][k] <= !emit_last_q ||
          (!emit_q.empty && (32'(emit_q.lane) > k || (32'(emit_q.lane) == k && !emit_q.cut)));
      none_q[1][k] <= emit_last_q && (emit_q.empty || 32'(emit_q.lane) < k);
    end
    whole_q[2] <= whole_q[1];
    none_q[3:2] <= none_q[2:1];

    // Written so that synthesis uses the registers' reset and set instead of a LUT.
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      if (whole_q[2][b/8]) whole3_q[b] <= 1'b1;
      else whole3_q[b] <= 32'(tail_q[2][5:3]) > b % 8;
      if (whole_q[2][b/8]) drop3_q[b] <= 1'b0;
      else begin
        drop3_q[b] <= 32'(tail_q[2][5:3]) < b % 8 ||
            (32'(tail_q[2][5:3]) == b % 8 && bytes2_q);
      end
      if (none_q[3][b/8]) drop4_q[b] <= 1'b1;
      else drop4_q[b] <= drop3_q[b];
    end
    bits3_q <= ~(8'hff << tail_q[2][2:0]);
    for (int unsigned b = 0; b < DataWidth; b++) begin
      if (whole3_q[b/8]) mask4_q[b] <= 1'b1;
      else mask4_q[b] <= bits3_q[b%8];
    end
  end

  // Selects the word's part of the store's word: one copy of the selector for each PartWidth bits.
  localparam int unsigned PartWidth = 16;  // bits for each copy
  logic [DataWidth/PartWidth-1:0][PartBits-1:0] part5;
  for (genvar i = 0; i < DataWidth / PartWidth; i++) begin : gen_part
    if (Parts > 1) begin : gen_copy
      hf_copies #(
          .Width(PartBits)
      ) u_part (
          .clk_i,
          .d_i(part_q[4]),
          .q_o(part5[i])
      );
    end else begin : gen_whole
      assign part5[i] = '0;
    end
  end

  logic unused_selection;  // unused: part_q with one part only; fields read with a job's first word
  assign unused_selection = ^{part_q[4], emit_q.single, emit_q.pair};

  logic [Parts-1:0][DataWidth-1:0] out_parts;  // out5_q in parts
  assign out_parts = out5_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < DataWidth; b++) begin
      if (drop5_q[b/8]) data6_q[b] <= 1'b0;
      else data6_q[b] <= out_parts[part5[b/PartWidth]][b] & mask5_q[b];
    end
    // The same reset; without a word the bits are ignored.
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      if (drop5_q[b]) keep6_q[b] <= 1'b0;
      else keep6_q[b] <= valid_q[5];
    end
  end

  typedef struct packed {
    logic [DataWidth-1:0] data;
    logic [KeepWidth-1:0] keep;
    beat_t                beat;
  } out_t;
  out_t out_beat, port_beat;  // beat into the queue; beat on the port
  assign out_beat = {data6_q, keep6_q, beat_q[6]};

  // Up to seven words may follow once the queue is half full.
  hf_axis_queue #(
      .Width($bits(out_t)),
      .Bits (4)
  ) u_queue (
      .clk_i,
      .rst_i,
      .write_i(valid_q[6]),
      .data_i (out_beat),
      .half_o (full),
      .some_o (pending),
      .valid_o(m_tvalid_o),
      .ready_i(m_tready_i),
      .data_o (port_beat)
  );
  assign m_tdata_o = port_beat.data;
  assign m_tkeep_o = port_beat.keep;
  assign m_tlast_o = port_beat.beat.last;
  assign m_tid_o = port_beat.beat.tid;
  assign m_tuser_o = {port_beat.beat.open, port_beat.beat.bits, port_beat.beat.bad};

  hf_axis_stop #(
      .Tids    (Slots),
      .TidWidth(TidWidth)
  ) u_stop (
      .clk_i,
      .rst_i,
      .stop_i,
      .take_i(m_tvalid_o && m_tready_i),
      .last_i(m_tlast_o),
      .open_i(m_tuser_o[4]),
      .tid_i (m_tid_o),
      .stop_o
  );

endmodule
