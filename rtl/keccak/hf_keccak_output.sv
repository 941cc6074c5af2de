// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// State write-back and results: states that leave a rotating engine are stored word by word, for
// hf_keccak_scheduler to restore them and, if they give a digest, for the port. Room for two states
// a slot, so that one can leave while the digest of the one before is being emitted.
//
// Schedule of a state, clock by clock, from st_valid_i:
//
//   0                  its place and what it gives are registered
//   DataDelay          it is on st_i, and captured
//   DataDelay + 3 ..   its words are written
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

    // The slot's last state: data two clocks behind the address.
    input  logic [SlotWidth-1:0] state_slot_i,
    input  logic [StateBits-1:0] state_word_i,
    output logic [DataWidth-1:0] state_data_o,

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

  localparam int unsigned NumLanes = 25;
  localparam int unsigned Parts = (Words + 3) / 4;
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
    job_open_i
  };

  always_ff @(posedge clk_i) begin
    if (st_valid_i) begin
      place_q[st_slot_i] <= place;
      if (job_i) out_q[st_slot_i][place] <= 1'b1;
    end
    if (job_done) out_q[emit_q.slot][emit_q.place] <= 1'b0;
    if (rst_i) out_q <= '0;
  end

  for (genvar i = 0; i < Slots; i++) begin : gen_out
    assign some_out_o[i] = |out_q[i];
    assign both_out_o[i] = &out_q[i];
  end

  ////////////////////
  // Words          //
  ////////////////////

  // after_q[n]: st_valid_i was high n clocks ago.
  localparam int unsigned Written = DataDelay + 3;
  logic [Written:1] after_q;
  logic now;  // the state is on st_i
  always_ff @(posedge clk_i) begin
    after_q <= {after_q[Written-1:1], st_valid_i};
    if (rst_i) after_q <= '0;
  end
  assign now = (DataDelay == 0) ? st_valid_i : after_q[(DataDelay == 0) ? 1 : DataDelay];

  logic [NumLanes-1:0] capture;
  for (genvar i = 0; i < NumLanes; i++) begin : gen_capture
    if (DataDelay < 2) begin : gen_soon
      assign capture[i] = now;
    end else begin : gen_copy
      hf_copy u_capture (
          .clk_i,
          .d_i(after_q[DataDelay-1]),
          .q_o(capture[i])
      );
    end
  end

  // Selection in two steps, one-hot, a copy of the selector for each lane of a word.
  logic [4*Parts*Lanes-1:0][LaneWidth-1:0] state_q;
  logic [Lanes-1:0][4*Parts-1:0] select;
  logic [Parts-1:0][DataWidth-1:0] part_d, part_q;
  logic [DataWidth-1:0] word_d, word_q;

  for (genvar i = 0; i < 4 * Parts * Lanes; i++) begin : gen_state
    if (i < NumLanes) begin : gen_lane
      always_ff @(posedge clk_i) if (capture[i]) state_q[i] <= st_i[LaneWidth*i+:LaneWidth];
    end else begin : gen_none
      assign state_q[i] = '0;
    end
  end
  for (genvar k = 0; k < Lanes; k++) begin : gen_select
    for (genvar w = 0; w < 4 * Parts; w++) begin : gen_word
      if (w == 0) begin : gen_first
        hf_copy u_select (
            .clk_i,
            .d_i(now),
            .q_o(select[k][w])
        );
      end else begin : gen_next
        hf_copy u_select (
            .clk_i,
            .d_i(select[k][w-1]),
            .q_o(select[k][w])
        );
      end
    end
  end
  always_comb begin
    part_d = '0;
    word_d = '0;
    for (int unsigned w = 0; w < 4 * Parts; w++) begin
      for (int unsigned k = 0; k < Lanes; k++) begin
        part_d[w/4][LaneWidth*k+:LaneWidth] |= state_q[w*Lanes+k] & {LaneWidth{select[k][w]}};
      end
    end
    for (int unsigned p = 0; p < Parts; p++) word_d |= part_q[p];
  end

  logic write_q;
  slot_t write_slot_q;
  logic write_place_q;
  logic [StateBits-1:0] write_word_q;
  slot_t slot_q[Written];
  logic [Written-1:0] old_place_q;

  always_ff @(posedge clk_i) begin
    part_q <= part_d;
    word_q <= word_d;
    slot_q[0] <= st_slot_i;
    for (int unsigned i = 1; i < Written; i++) slot_q[i] <= slot_q[i-1];
    old_place_q <= {old_place_q[Written-2:0], place};

    // Words follow each other; the first is written in clock Written.
    if (rst_i) write_q <= 1'b0;
    else if (after_q[Written-1]) write_q <= 1'b1;
    else if (write_word_q == StateBits'(Words - 1)) write_q <= 1'b0;
    if (after_q[Written-1]) begin
      write_slot_q <= slot_q[Written-2];
      write_place_q <= old_place_q[Written-2];
      write_word_q <= '0;
    end else begin
      write_word_q <= write_word_q + StateBits'(1);
    end
  end

  slot_t stored_slot;
  assign stored_slot = (DataDelay == 0) ? st_slot_i : slot_q[(DataDelay == 0) ? 0 : DataDelay-1];
  for (genvar i = 0; i < Slots; i++) begin : gen_stored
    always_ff @(posedge clk_i) stored_o[i] <= now && stored_slot == slot_t'(i);
  end

  localparam int unsigned AddrWidth = SlotWidth + 1 + StateBits;
  logic [AddrWidth-1:0] out_addr_q;
  logic [DataWidth-1:0] out_data;

  hf_ram #(
      .Width(DataWidth),
      .Depth(1 << AddrWidth)
  ) u_states (
      .clk_i,
      .write_i     (write_q),
      .write_addr_i({write_slot_q, write_place_q, write_word_q}),
      .write_data_i(word_q),
      .read_addr_i ({state_slot_i, place_q[state_slot_i], state_word_i}),
      .read_data_o (state_data_o)
  );

  hf_ram #(
      .Width(DataWidth),
      .Depth(1 << AddrWidth)
  ) u_digests (
      .clk_i,
      .write_i     (write_q),
      .write_addr_i({write_slot_q, write_place_q, write_word_q}),
      .write_data_i(word_q),
      .read_addr_i (out_addr_q),
      .read_data_o (out_data)
  );

  ////////////////////
  // Digests        //
  ////////////////////

  // Jobs wait here from when their words are being written.
  localparam int unsigned QueueBits = SlotWidth + 1;
  job_t queue_mem[1<<QueueBits];
  job_t job_q[Written];
  logic [Written-1:0] job_valid_q;
  logic [QueueBits:0] in_q, out_at_q;
  logic waiting;
  assign waiting = in_q != out_at_q;

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
  logic ask, ask_last, next_job, taken;
  logic emit_tid_error_q;

  localparam int unsigned ErrorGap = 16;
  logic [$clog2(ErrorGap):0] since_q;  // beats asked for since the last error; top: enough
  logic tid_error_next_q, error_goes;
  assign error_goes = tid_error_done_o || (ask && emit_q.bad);

  assign ask = emit_valid_q && !busy_q[RoomBits] && !(&busy_q[RoomBits-1:2]);
  assign ask_last = emit_q.lanes <= 5'(Lanes);
  assign next_job = !emit_valid_q || (ask && ask_last);
  assign tid_error_done_o = next_job && tid_error_next_q;
  assign job_done = ask && ask_last && !emit_tid_error_q;

  always_ff @(posedge clk_i) begin
    if (next_job) begin
      emit_valid_q <= waiting || tid_error_next_q;
      emit_tid_error_q <= tid_error_next_q;
      emit_q <= queue_mem[out_at_q[QueueBits-1:0]];
      if (tid_error_next_q) begin
        emit_q      <= '0;
        emit_q.tid  <= tid_error_tid_i;
        emit_q.over <= 1'b1;
        emit_q.bad  <= 1'b1;
      end
      emit_word_q <= '0;
    end else if (ask) begin
      emit_word_q  <= emit_word_q + StateBits'(1);
      emit_q.lanes <= emit_q.lanes - 5'(Lanes);
    end
    out_addr_q <= {emit_q.slot, emit_q.place, emit_word_q};

    busy_q <= busy_q + (RoomBits + 1)'(ask) - (RoomBits + 1)'(taken);

    if (error_goes) since_q <= '0;
    else if (ask && !since_q[$clog2(ErrorGap)]) since_q <= since_q + 1'b1;
    error_ok_o <= !error_goes &&
        (since_q[$clog2(ErrorGap)] || !(waiting || emit_valid_q || busy_q != '0));
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
      if (next_job && waiting && !tid_error_next_q) out_at_q <= out_at_q + 1'b1;
    end
  end

  // What a word is to become follows it: clock 1 its address, clock 3 its data, clock 4 masked.
  typedef struct packed {
    logic [TidWidth-1:0] tid;
    logic [2:0]          bits;
    logic                last;
    logic                bad;
    logic                open;
  } beat_t;
  logic [4:1] valid_q;
  beat_t beat_d;
  beat_t [4:1] beat_q;
  logic [1:0][Lanes-1:0] full_q, some_q;  // of clock 2 and 3: lanes that count, or in part
  logic [5:0] tail1_q;
  logic [4:0] lanes1_q;
  logic tail_masks1_q;
  logic [LaneWidth-1:0] mask2_q, mask3_q;
  logic [DataWidth-1:0] data4_q;
  logic [KeepWidth-1:0] keep4_q;

  logic ends;
  assign ends = emit_q.over && ask_last;
  assign beat_d = {
    emit_q.tid, (ends && !emit_q.bad) ? emit_q.tail[2:0] : 3'd0, ends, emit_q.bad, emit_q.open
  };

  always_ff @(posedge clk_i) begin
    valid_q <= rst_i ? '0 : {valid_q[3:1], ask};
    beat_q  <= {beat_q[3:1], beat_d};
    lanes1_q <= emit_q.lanes;
    tail1_q <= emit_q.tail;
    tail_masks1_q <= emit_q.over && emit_q.tail != '0;

    mask2_q <= ~({LaneWidth{1'b1}} << tail1_q);
    mask3_q <= mask2_q;
    for (int unsigned k = 0; k < Lanes; k++) begin
      full_q[0][k] <= 32'(lanes1_q) > k + 1 || (32'(lanes1_q) == k + 1 && !tail_masks1_q);
      some_q[0][k] <= 32'(lanes1_q) == k + 1 && tail_masks1_q;
    end
    full_q[1] <= full_q[0];
    some_q[1] <= some_q[0];

    for (int unsigned b = 0; b < DataWidth; b++) begin
      data4_q[b] <= out_data[b] & (full_q[1][b/LaneWidth] |
          (some_q[1][b/LaneWidth] & mask3_q[b%LaneWidth]));
    end
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      keep4_q[b] <= full_q[1][b/8] | (some_q[1][b/8] & mask3_q[8*(b%8)]);
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
  logic out_there, move;
  assign out_there = room_in_q != room_out_q;
  assign move = out_there && (!m_tvalid_o || m_tready_i);
  assign taken = move;
  assign out_beat = room_mem[room_out_q[RoomBits-1:0]];

  always_ff @(posedge clk_i) begin
    if (valid_q[4]) begin
      room_mem[room_in_q[RoomBits-1:0]] <= {data4_q, keep4_q, beat_q[4]};
    end
    if (move) begin
      m_tdata_o <= out_beat.data;
      m_tkeep_o <= out_beat.keep;
      m_tlast_o <= out_beat.beat.last;
      m_tid_o   <= out_beat.beat.tid;
      m_tuser_o <= {out_beat.beat.open, out_beat.beat.bits, out_beat.beat.bad};
    end
    if (rst_i) begin
      room_in_q  <= '0;
      room_out_q <= '0;
      m_tvalid_o <= 1'b0;
    end else begin
      if (valid_q[4]) room_in_q <= room_in_q + 1'b1;
      if (move) room_out_q <= room_out_q + 1'b1;
      m_tvalid_o <= move || (m_tvalid_o && !m_tready_i);
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
