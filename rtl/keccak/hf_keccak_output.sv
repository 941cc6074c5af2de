// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// State write-back and results: states that leave a rotating engine are stored, for
// hf_keccak_scheduler to restore them and, if they give a digest, for the port. Room for two states
// a slot, so that one can leave while the digest of the one before is being emitted. The store is
// read by one at a time; a state that is restored goes first.
//
// Schedule of a state, clock by clock, from st_valid_i:
//
//   0                  its place and what it gives are registered
//   DataDelay          it is on st_i, and stored
//   DataDelay + 4      its digest waits to be emitted
//
// States come Words + 1 clocks apart at the least. Digests leave in the order of their states, one
// after the other; on a port wider than a lane the last beat of each state's share may be short.
//
// The error of an invalid tid is emitted when nothing else is pending, or after ErrorGap beats of
// digests since the last error; `error_ok_o` applies the same rule to wrong messages before they
// are begun. So digests keep their share of the port however many messages are wrong.

module hf_keccak_output
  import hf_keccak_pkg::*;
#(
    parameter  int unsigned DataWidth = 128,
    parameter  int unsigned Slots = 4,
    parameter  int unsigned TidWidth = 2,
    parameter  int unsigned DataDelay = 3,
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned Lanes = DataWidth / LaneWidth,
    localparam int unsigned Words = (25 + Lanes - 1) / Lanes,
    localparam int unsigned StateBits = $clog2(Words)
) (
    input logic clk_i,
    input logic rst_i,

    // The engine's contract.
    input logic                  st_valid_i,
    input logic [ SlotWidth-1:0] st_slot_i,
    input logic [StateWidth-1:0] st_i,

    // What it gives, as in hf_keccak_scheduler.
    input logic       job_i,
    input logic [4:0] job_lanes_i,
    input logic       job_over_i,
    input logic [5:0] job_tail_i,
    input logic       job_bad_i,
    input logic       job_open_i,

    output logic [Slots-1:0] stored_o,
    output logic [Slots-1:0] some_out_o,
    output logic [Slots-1:0] both_out_o,
    output logic             error_ok_o,

    // The slot's last state: its words come out one a clock, the first five clocks behind.
    input  logic                 restore_i,
    input  logic [SlotWidth-1:0] restore_slot_i,  // a clock before restore_i
    output logic [DataWidth-1:0] state_data_o,  // of a word, or anything

    input  logic                tid_error_i,  // an error for this tid is pending
    input  logic [TidWidth-1:0] tid_error_tid_i,
    output logic                tid_error_done_o,

    // AXI4-Stream, as at the top.
    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    output logic [DataWidth-1:0] m_tdata_o,
    output logic [KeepWidth-1:0] m_tkeep_o,
    output logic                 m_tlast_o,
    output logic [ TidWidth-1:0] m_tid_o,
    output logic [          4:0] m_tuser_o,

    input  logic [Slots-1:0] stop_i,  // as at the top
    output logic [Slots-1:0] stop_o   // counts, for the output that is on its way
);

  typedef logic [SlotWidth-1:0] slot_t;

  // A digest, or a part of one, to be emitted.
  typedef struct packed {
    logic [TidWidth-1:0] tid;
    slot_t               slot;
    logic                place;  // which of the slot's two states
    logic [4:0]          lanes;  // 0: an empty beat
    logic                over;   // the digest ends with these
    logic [5:0]          tail;   // bits in the last lane then; 0: all
    logic                bad;    // emit an error
    logic                open;   // of an output that runs until it is stopped
    logic                single;  // these are one word, or none
  } job_t;

  ////////////////////
  // Places         //
  ////////////////////

  logic [Slots-1:0][1:0] out_q;  // holds a digest that has not left
  logic [Slots-1:0] place_q;  // where the slot's last state is
  logic place;
  job_t job;
  job_t emit_q;  // its lanes are those still to be asked for
  logic job_done;

  assign place = out_q[st_slot_i][0];
  assign job = {
    TidWidth'(st_slot_i), st_slot_i, place, job_lanes_i, job_over_i, job_tail_i, job_bad_i,
    job_open_i, job_lanes_i <= 5'(Lanes)
  };

  // A clock behind: what is set and what is free again.
  logic left_q, gives_q, freed_q, freed_place_q, left_place_q;
  slot_t left_slot_q, freed_slot_q;

  always_ff @(posedge clk_i) begin
    left_q <= st_valid_i && !rst_i;
    gives_q <= st_valid_i && job_i && !rst_i;
    left_slot_q <= st_slot_i;
    left_place_q <= place;
    freed_q <= job_done;
    freed_slot_q <= emit_q.slot;
    freed_place_q <= emit_q.place;
    for (int unsigned i = 0; i < Slots; i++) begin
      if (left_q && left_slot_q == slot_t'(i)) place_q[i] <= left_place_q;
      for (int unsigned k = 0; k < 2; k++) begin
        if (gives_q && left_slot_q == slot_t'(i) && 32'(left_place_q) == k) out_q[i][k] <= 1'b1;
        if (freed_q && freed_slot_q == slot_t'(i) && 32'(freed_place_q) == k) out_q[i][k] <= 1'b0;
      end
    end
    if (rst_i) out_q <= '0;
  end

  for (genvar i = 0; i < Slots; i++) begin : gen_out
    assign some_out_o[i] = |out_q[i];
    assign both_out_o[i] = &out_q[i];
  end

  ////////////////////
  // The store      //
  ////////////////////

  // after_q[n]: st_valid_i was high n clocks ago.
  localparam int unsigned Written = DataDelay + 3;
  logic [DataDelay+1:1] after_q;
  logic now;  // the state is on st_i
  always_ff @(posedge clk_i) begin
    after_q <= (DataDelay+1)'({after_q, st_valid_i});
    if (rst_i) after_q <= '0;
  end
  assign now = (DataDelay == 0) ? st_valid_i : after_q[(DataDelay == 0) ? 1 : DataDelay];

  // The row of the state on st_i.
  slot_t now_slot;
  logic now_place;
  slot_t slot_q[DataDelay+1];
  logic [DataDelay:0] old_place_q;
  always_ff @(posedge clk_i) begin
    slot_q[0] <= st_slot_i;
    for (int unsigned i = 1; i <= DataDelay; i++) slot_q[i] <= slot_q[i-1];
    old_place_q <= (DataDelay+1)'({old_place_q, place});
  end
  assign now_slot = (DataDelay == 0) ? st_slot_i : slot_q[(DataDelay == 0) ? 0 : DataDelay-1];
  assign now_place = (DataDelay == 0) ? place : old_place_q[(DataDelay == 0) ? 0 : DataDelay-1];

  for (genvar i = 0; i < Slots; i++) begin : gen_stored
    always_ff @(posedge clk_i) stored_o[i] <= now && now_slot == slot_t'(i);
  end

  // A state that is restored, word by word.
  logic restoring_q;
  slot_t restore_slot_q, row_slot_q;
  logic restore_place_q, row_place_q;
  logic [StateBits-1:0] restore_word_q;
  always_ff @(posedge clk_i) begin
    restore_slot_q  <= restore_slot_i;
    restore_place_q <= place_q[restore_slot_i];
    if (restore_i) begin
      row_slot_q <= restore_slot_q;
      row_place_q <= restore_place_q;
      restore_word_q <= '0;
    end else begin
      restore_word_q <= restore_word_q + StateBits'(1);
    end
    if (rst_i) restoring_q <= 1'b0;
    else if (restore_i) restoring_q <= 1'b1;
    else if (restore_word_q == StateBits'(Words - 1)) restoring_q <= 1'b0;
  end

  slot_t read_slot_q;
  logic read_place_q;
  logic [StateBits-1:0] read_word_q;
  logic [DataWidth-1:0] out_data;

  hf_keccak_store #(
      .DataWidth(DataWidth),
      .RowBits  (SlotWidth + 1),
      .Soon     (DataDelay >= 2)
  ) u_store (
      .clk_i,
      .rst_i,
      .soon_i     (after_q[(DataDelay < 2) ? 1 : DataDelay-1]),
      .write_i    (now),
      .write_row_i({now_slot, now_place}),
      .state_i    (st_i),
      .read_row_i ({read_slot_q, read_place_q}),
      .read_word_i(read_word_q),
      .read_data_o(out_data)
  );
  assign state_data_o = out_data;

  ////////////////////
  // Digests        //
  ////////////////////

  // Jobs wait here from when their states are stored.
  localparam int unsigned QueueBits = SlotWidth + 1;
  job_t queue_mem[1<<QueueBits];
  job_t job_q[Written];
  logic [Written-1:0] job_valid_q;
  logic [QueueBits:0] in_q, out_at_q;
  logic waiting_q, pop;  // registered: one that has just come in, or is behind one, a clock later

  always_ff @(posedge clk_i) begin
    job_q[0] <= job;
    for (int unsigned i = 1; i < Written; i++) job_q[i] <= job_q[i-1];
    job_valid_q <= {job_valid_q[Written-2:0], st_valid_i && job_i};
    if (job_valid_q[Written-1]) queue_mem[in_q[QueueBits-1:0]] <= job_q[Written-1];
    if (rst_i) job_valid_q <= '0;
  end

  // One word a clock is asked for, as long as there is room for it in front of the port.
  localparam int unsigned RoomBits = 4;
  logic emit_valid_q;
  logic [StateBits-1:0] emit_word_q;
  logic [RoomBits:0] busy_q;  // words asked for that have not left
  logic full_q;  // there may be no room for one more
  logic asked_q, taken_q, quiet_q;
  logic ask, ask_last, next_job, taken;
  logic emit_tid_error_q;

  localparam int unsigned ErrorGap = 16;
  logic [$clog2(ErrorGap):0] since_q;  // beats asked for since the last error; top: enough
  logic tid_error_next_q, error_goes, error_gone_q;
  assign error_goes = tid_error_done_o || (ask && emit_q.bad);

  assign ask = emit_valid_q && !full_q && !restoring_q;
  assign ask_last = emit_q.single;
  assign next_job = !emit_valid_q;  // a clock behind each, so that nothing waits for `ask`
  assign pop = next_job && waiting_q && !tid_error_next_q;
  assign tid_error_done_o = next_job && tid_error_next_q;
  assign job_done = ask && ask_last && !emit_tid_error_q;

  always_ff @(posedge clk_i) begin
    emit_valid_q <= next_job ? waiting_q || tid_error_next_q : !(ask && ask_last);
    if (next_job) begin
      emit_tid_error_q <= tid_error_next_q;
      emit_q <= queue_mem[out_at_q[QueueBits-1:0]];
      if (tid_error_next_q) begin
        emit_q      <= '0;
        emit_q.tid  <= tid_error_tid_i;
        emit_q.over <= 1'b1;
        emit_q.bad  <= 1'b1;
        emit_q.single <= 1'b1;
      end
      emit_word_q <= '0;
    end else if (ask) begin
      emit_word_q  <= emit_word_q + StateBits'(1);
      emit_q.lanes <= emit_q.lanes - 5'(Lanes);
      emit_q.single <= emit_q.lanes <= 5'(2 * Lanes);
    end
    {read_slot_q, read_place_q, read_word_q} <= restoring_q ?
        {row_slot_q, row_place_q, restore_word_q} : {emit_q.slot, emit_q.place, emit_word_q};

    // Three may be asked for until it is known that there is no room.
    asked_q <= ask && !rst_i;
    taken_q <= taken && !rst_i;
    busy_q <= busy_q + (RoomBits + 1)'(asked_q) - (RoomBits + 1)'(taken_q);
    full_q <= busy_q >= (RoomBits + 1)'((1 << RoomBits) - 3);
    quiet_q <= !(waiting_q || emit_valid_q || asked_q || busy_q != '0);
    waiting_q <= !rst_i && !pop && in_q != out_at_q;

    error_gone_q <= error_goes;
    if (error_gone_q) since_q <= '0;
    else if (asked_q && !since_q[$clog2(ErrorGap)]) since_q <= since_q + 1'b1;
    error_ok_o <= !error_goes && !error_gone_q &&
        (since_q[$clog2(ErrorGap)] || quiet_q);
    tid_error_next_q <= tid_error_i && (tid_error_next_q || error_ok_o) && !tid_error_done_o &&
        !rst_i;
    if (rst_i) begin
      since_q <= '0;
      emit_valid_q <= 1'b0;
      busy_q <= '0;
      in_q <= '0;
      out_at_q <= '0;
    end else begin
      if (job_valid_q[Written-1]) in_q <= in_q + 1'b1;
      if (pop) out_at_q <= out_at_q + 1'b1;
    end
  end

  // What a word is to become follows it: clock 1 its address, clock 4 its data, clock 5 masked.
  typedef struct packed {
    logic [TidWidth-1:0] tid;
    logic [2:0]          bits;
    logic                last;
    logic                bad;
    logic                open;
  } beat_t;
  logic [5:1] valid_q;
  beat_t beat_d;
  beat_t [5:1] beat_q;
  logic [4:2][Lanes-1:0] whole_q, some_q;  // lanes that count, or in part
  logic [5:0] tail1_q;
  logic [4:0] lanes1_q;
  logic tail_masks1_q;
  logic [5:0] tail2_q;
  logic [7:0] mask_bytes3_q, mask_byte3_q, mask_bits3_q;  // bytes that count, the one in part
  logic [LaneWidth-1:0] mask4_q;
  logic [DataWidth-1:0] data5_q;
  logic [KeepWidth-1:0] keep5_q;

  logic ends;
  assign ends = emit_q.over && ask_last;
  assign beat_d = {
    emit_q.tid, (ends && !emit_q.bad) ? emit_q.tail[2:0] : 3'd0, ends, emit_q.bad, emit_q.open
  };

  always_ff @(posedge clk_i) begin
    valid_q <= rst_i ? '0 : {valid_q[4:1], ask};
    beat_q  <= {beat_q[4:1], beat_d};
    lanes1_q <= emit_q.lanes;
    tail1_q <= emit_q.tail;
    tail_masks1_q <= emit_q.over && emit_q.tail != '0;

    tail2_q <= tail1_q;
    mask_bytes3_q <= ~(8'hff << tail2_q[5:3]);
    mask_byte3_q <= 8'd1 << tail2_q[5:3];
    mask_bits3_q <= ~(8'hff << tail2_q[2:0]);
    for (int unsigned b = 0; b < LaneWidth; b++) begin
      mask4_q[b] <= mask_bytes3_q[b/8] | (mask_byte3_q[b/8] & mask_bits3_q[b%8]);
    end
    for (int unsigned k = 0; k < Lanes; k++) begin
      whole_q[2][k] <= 32'(lanes1_q) > k + 1 || (32'(lanes1_q) == k + 1 && !tail_masks1_q);
      some_q[2][k] <= 32'(lanes1_q) == k + 1 && tail_masks1_q;
    end
    whole_q[4:3] <= whole_q[3:2];
    some_q[4:3] <= some_q[3:2];

    for (int unsigned b = 0; b < DataWidth; b++) begin
      data5_q[b] <= out_data[b] & (whole_q[4][b/LaneWidth] |
          (some_q[4][b/LaneWidth] & mask4_q[b%LaneWidth]));
    end
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      keep5_q[b] <= whole_q[4][b/8] | (some_q[4][b/8] & mask4_q[8*(b%8)]);
    end
  end

  // In front of the port.
  typedef struct packed {
    logic [DataWidth-1:0] data;
    logic [KeepWidth-1:0] keep;
    beat_t                beat;
  } out_t;
  out_t room_mem[1<<RoomBits];
  out_t out_beat;
  logic [RoomBits:0] room_in_q, room_out_q;
  // Something is there; the port holds a beat: a copy for each part of the port's registers.
  localparam int unsigned Copies = 4;
  logic move, there_d, valid_d;
  logic reset1_q, resets;
  logic room_some_q, room_many_q;  // a beat is in the room, or three
  logic [Copies-1:0] there, valid, moves;
  // Both comparisons beside each other, since `move` is late.
  // From what was in the room a clock before: one that moves then may leave a clock's gap behind it
  // where little waits.
  assign there_d = move ? room_many_q : there[0] || (room_some_q && !taken_q);
  assign valid_d = !resets && (there[0] || (valid[0] && !m_tready_i));
  for (genvar i = 0; i < Copies; i++) begin : gen_moves
    hf_copies #(
        .Width(2)
    ) u_there (
        .clk_i,
        .d_i({there_d, valid_d}),
        .q_o({there[i], valid[i]})
    );
    assign moves[i] = there[i] && (!valid[i] || m_tready_i);
  end
  assign move = moves[0];
  // `there` is of the clock before, so a reset lasts one more here.
  assign resets = rst_i || reset1_q;
  always_ff @(posedge clk_i) reset1_q <= rst_i;
  assign taken = move && !reset1_q;
  assign m_tvalid_o = valid[0];
  assign out_beat = room_mem[room_out_q[RoomBits-1:0]];

  always_ff @(posedge clk_i) begin
    if (valid_q[5]) begin
      room_mem[room_in_q[RoomBits-1:0]] <= {data5_q, keep5_q, beat_q[5]};
    end
    for (int unsigned i = 0; i < Copies - 1; i++) begin
      if (moves[i+1]) begin
        for (int unsigned b = 0; b < DataWidth; b++) begin
          if (b * (Copies - 1) / DataWidth == i) m_tdata_o[b] <= out_beat.data[b];
        end
      end
    end
    if (move) begin
      m_tkeep_o <= out_beat.keep;
      m_tlast_o <= out_beat.beat.last;
      m_tid_o   <= out_beat.beat.tid;
      m_tuser_o <= {out_beat.beat.open, out_beat.beat.bits, out_beat.beat.bad};
    end
    room_some_q <= !resets && room_in_q != room_out_q;
    room_many_q <= !resets && (RoomBits + 1)'(room_in_q - room_out_q) > 2;
    if (resets) begin
      room_in_q  <= '0;
      room_out_q <= '0;
    end else begin
      if (valid_q[5]) room_in_q <= room_in_q + 1'b1;
      if (move) room_out_q <= room_out_q + 1'b1;
    end
  end

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
