// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Front end with several slots: takes messages of many tids from a stream, feeds an engine that
// shows its slots cyclically, one a clock, and returns late states (docs/reference/contract.md,
// rule 11), and sends the digests.
//
//   beats --> _input: blocks in a queue --> _scheduler --> engine --> _output --> beats
//                                               ^----- saved states -----'
//
// (hf_keccak_input, hf_keccak_scheduler, hf_keccak_output)
//
// Timing: each slot absorbs a block every Period clocks, independent of the other slots. Exception:
// if a load takes all the clocks from one block to the next and Every is 1, a slot's load may
// occupy the place of another slot's, whose block is then late (hf_keccak_pipelined with three
// rounds and 6 or 12 slots). To keep all slots busy, a port needs DataWidth * Period / Slots >= the
// rate, and some clocks more. Narrower ports work, and limit the throughput.
//
// Errors are those of hf_keccak_input; parameters are checked in the three modules.

module hf_keccak_slots
  import hf_keccak_pkg::*;
  import hf_keccak_slots_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 128,  // width of the stream port, in bits
    parameter  int unsigned Slots = 4,
    parameter  int unsigned TidWidth = 2,
    parameter  bit          Packets = 1'b0,  // tlast with tuser's `more` set ends a packet only
    parameter  int unsigned Period = 96,  // clocks from a block to its successor in a slot
    // Clocks from a handshake to its data, as in the engine contract.
    parameter  int unsigned DataDelay = 3,
    parameter  bit          Slices = 1'b1,   // as in hf_keccak_store
    // Width of a load's words: wide enough to load one block, including a saved state, before the
    // next block is due.
    parameter  int unsigned LoadWidth = (DataWidth > 256 || Period < 8 * Slots) ? 512 :
        (DataWidth > 128 || Period < 14 * Slots) ? 256 : 128,
    localparam int unsigned Words = (StateWidth + LoadWidth - 1) / LoadWidth,  // words of a load
    // As in hf_keccak_scheduler. Where blocks follow each other as closely as they can be loaded,
    // each slot gets a fixed clock in the period.
    // Clocks from one slot's block to the next slot's.
    localparam int unsigned Due = Period / Slots,
    parameter  int unsigned Every = (Due == Words + 1 && coprime(Due, Slots)) ? Due : 1,
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots)
) (
    input logic clk_i,
    input logic rst_i,

    // AXI4-Stream, as in the stream top (docs/reference/stream.md).
    input  logic                 s_tvalid_i,
    output logic                 s_tready_o,
    input  logic [DataWidth-1:0] s_tdata_i,
    input  logic [KeepWidth-1:0] s_tkeep_i,
    input  logic                 s_tlast_i,
    input  logic [ TidWidth-1:0] s_tid_i,
    input  logic [UserWidth-1:0] s_tuser_i,
    output logic [    Slots-1:0] slot_room_o,
    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    output logic [DataWidth-1:0] m_tdata_o,
    output logic [KeepWidth-1:0] m_tkeep_o,
    output logic                 m_tlast_o,
    output logic [ TidWidth-1:0] m_tid_o,
    output logic [          4:0] m_tuser_o,
    input  logic [    Slots-1:0] stop_i,

    // The engine contract (docs/reference/contract.md).
    output logic                  blk_valid_o,
    input  logic [ SlotWidth-1:0] blk_slot_i,
    output logic                  blk_first_o,
    output logic                  blk_last_o,
    output logic [StateWidth-1:0] blk_o,
    input  logic                  st_valid_i,
    input  logic [ SlotWidth-1:0] st_slot_i,
    input  logic [StateWidth-1:0] st_i
);

  // 2 ** RowBits rows for each slot: enough for the blocks under way when a slot runs out of room,
  // and for some that wait.
  localparam int unsigned RowBits = (DataWidth > 128) ? 4 : 3;
  localparam int unsigned AtBits = 5;  // address of a lane in a row: 32 lanes
  localparam int unsigned WordBits = AtBits - $clog2(LoadWidth / LaneWidth);

  logic begins;
  logic [SlotWidth-1:0] begin_slot;
  logic [33:0] begin_lanes;
  logic [5:0] begin_tail;
  logic begin_some;
  logic begin_open;
  logic [Slots-1:0] some, final_row, bad, taken, done;
  rate_t [Slots-1:0] rate;
  logic [Slots-1:0][AtBits-1:0] ends;  // lane in which each slot's message ends
  logic tid_error, tid_error_done;
  logic [TidWidth-1:0] tid_error_tid;

  logic [SlotWidth-1:0] read_slot, restore_slot;
  logic restore;
  logic [RowBits-1:0] read_row;
  logic [WordBits-1:0] read_word;
  logic [LoadWidth-1:0] read_data, state_data;

  hf_keccak_input #(
      .DataWidth(DataWidth),
      .Slots    (Slots),
      .TidWidth (TidWidth),
      .Packets  (Packets),
      .LoadWidth(LoadWidth),
      .RowBits  (RowBits)
  ) u_input (
      .clk_i,
      .rst_i,
      .s_tvalid_i,
      .s_tready_o,
      .s_tdata_i,
      .s_tkeep_i,
      .s_tlast_i,
      .s_tid_i,
      .s_tuser_i,
      .slot_room_o,
      .begin_o      (begins),
      .begin_slot_o (begin_slot),
      .begin_lanes_o(begin_lanes),
      .begin_tail_o (begin_tail),
      .begin_some_o (begin_some),
      .begin_open_o (begin_open),
      .rate_o       (rate),
      .some_o       (some),
      .final_o      (final_row),
      .end_o        (ends),
      .bad_o        (bad),
      .taken_i      (taken),
      .done_i       (done),
      .read_slot_i  (read_slot),
      .read_row_i   (read_row),
      .read_word_i  (read_word),
      .read_data_o  (read_data),
      .tid_error_o     (tid_error),
      .tid_error_tid_o (tid_error_tid),
      .tid_error_done_i(tid_error_done)
  );

  logic [Slots-1:0] stored, some_out, both_out, stop;
  logic error_ok;
  logic job, job_over, job_bad, job_open;
  logic [4:0] job_lanes;
  logic [5:0] job_tail;

  hf_keccak_scheduler #(
      .DataWidth(DataWidth),
      .LoadWidth(LoadWidth),
      .RowBits  (RowBits),
      .Slots    (Slots),
      .Period   (Period),
      .DataDelay(DataDelay),
      .Every    (Every)
  ) u_scheduler (
      .clk_i,
      .rst_i,
      .begin_i      (begins),
      .begin_slot_i (begin_slot),
      .begin_lanes_i(begin_lanes),
      .begin_tail_i (begin_tail),
      .begin_some_i (begin_some),
      .begin_open_i (begin_open),
      .rate_i       (rate),
      .some_i       (some),
      .final_i      (final_row),
      .end_i        (ends),
      .bad_i        (bad),
      .taken_o      (taken),
      .done_o       (done),
      .read_slot_o  (read_slot),
      .read_row_o   (read_row),
      .read_word_o  (read_word),
      .read_data_i  (read_data),
      .restore_o     (restore),
      .restore_slot_o(restore_slot),
      .state_data_i (state_data),
      .stored_i     (stored),
      .some_out_i   (some_out),
      .both_out_i   (both_out),
      .error_ok_i   (error_ok),
      .stop_i       (stop),
      .job_o        (job),
      .job_lanes_o  (job_lanes),
      .job_over_o   (job_over),
      .job_tail_o   (job_tail),
      .job_bad_o    (job_bad),
      .job_open_o   (job_open),
      .blk_valid_o,
      .blk_slot_i,
      .blk_first_o,
      .blk_last_o,
      .blk_o
  );

  hf_keccak_output #(
      .DataWidth(DataWidth),
      .LoadWidth(LoadWidth),
      .Slots    (Slots),
      .TidWidth (TidWidth),
      .DataDelay(DataDelay),
      .Slices   (Slices)
  ) u_output (
      .clk_i,
      .rst_i,
      .st_valid_i,
      .st_slot_i,
      .st_i,
      .job_i       (job),
      .job_lanes_i (job_lanes),
      .job_over_i  (job_over),
      .job_tail_i  (job_tail),
      .job_bad_i   (job_bad),
      .job_open_i  (job_open),
      .stored_o    (stored),
      .some_out_o  (some_out),
      .both_out_o  (both_out),
      .error_ok_o  (error_ok),
      .restore_i     (restore),
      .restore_slot_i(restore_slot),
      .state_data_o(state_data),
      .tid_error_i     (tid_error),
      .tid_error_tid_i (tid_error_tid),
      .tid_error_done_o(tid_error_done),
      .m_tvalid_o,
      .m_tready_i,
      .m_tdata_o,
      .m_tkeep_o,
      .m_tlast_o,
      .m_tid_o,
      .m_tuser_o,
      .stop_i,
      .stop_o      (stop)
  );

endmodule
