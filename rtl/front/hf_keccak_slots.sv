// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Front end with several slots: takes messages of many tids from a stream, feeds an engine that
// shows its slots cyclically, one a clock, and returns late states (docs/reference/contract.md,
// rule 11), and sends the digests. Each module answers one question:
//
//   beats --> slot_port --> suffix --> block_queue --> block_loader --> engine
//                              |            |            ^      ^         |
//                              |       slot_arbiter      |      |         |
//                              |            |            |      |         |
//                              |       load_fields ------'      |         |
//                              |            |                   |         |
//                              '----> output_budget        state_store <--'
//                                           |                   |
//                                     digest_queue ---> digest_emitter --> beats
//
//   hf_keccak_slot_port       which slots may send now
//   hf_keccak_suffix          where a message ends, and with which bits
//   hf_keccak_block_queue     where its blocks wait
//   hf_keccak_slot_arbiter    which slot's block is loaded next
//   hf_keccak_load_fields     which block that is
//   hf_keccak_passes          RoundChoice: which rounds follow it
//   hf_keccak_output_budget   how much output the state of a load gives
//   hf_keccak_block_loader    what the engine gets
//   hf_keccak_state_store     where the states that left the engine are
//   hf_keccak_digest_queue    which digest is sent next
//   hf_keccak_digest_emitter  what the port gets of it
//
// The last three are joined by hf_keccak_digest_output.
//
// Widths, and the structs between these modules, are in hf_keccak_slots_pkg.
//
// Timing: each slot absorbs a block every Period clocks (RoundChoice: a block of 24 rounds every two
// Periods), independent of the other slots. Exception:
// if a load takes all the clocks from one block to the next and Every is 1, a slot's load may
// occupy the place of another slot's, whose block is then late (hf_keccak_pipelined with three
// rounds and 6 or 12 slots). To keep all slots busy, a port needs PortWidth * Period / Slots >= the
// rate, and some clocks more. Narrower ports work, and limit the throughput.
//
// Errors are those of hf_keccak_slot_port and hf_keccak_suffix; parameters are checked in the
// modules.

module hf_keccak_slots
  import hf_keccak_pkg::*;
  import hf_keccak_slots_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned PortWidth = 128,  // width of the stream port, in bits
    parameter  int unsigned Slots = 4,
    parameter  int unsigned TidWidth = 2,
    parameter  bit          Packets = 1'b0,  // tlast with tuser's `more` set ends a packet only
    parameter  bit          Pads = 1'b1,  // 0: the padding is left out; for a share of a message
    parameter  bit          Restores = 1'b0,  // blk_restore_o is valid; else it is low
    parameter  bit          Turboshake = 1'b0,  // as in hf_keccak_slot_port
    // Functions of 24 rounds and of twelve, on an engine of twelve (hf_keccak_passes).
    parameter  bit          RoundChoice = 1'b0,
    parameter  int unsigned Period = 96,  // clocks from a block to its successor in a slot
    // Clocks from a handshake to its data, as in the engine contract.
    parameter  int unsigned DataDelay = 3,
    parameter  bit          StatesInBlockRam = 1'b1,   // as in hf_keccak_store
    // Width of the words in which blocks are loaded and states are stored.
    parameter  int unsigned WordWidth = word_width(PortWidth, Slots, Period),
    // Clocks between two clocks in which the engine accepts blocks.
    parameter  int unsigned Every = every_clocks(Slots, Period, WordWidth),
    // With RoundChoice, some signals have a second form, which hf_keccak_passes makes of the first.
    localparam int unsigned Form = 32'(RoundChoice),
    localparam int unsigned BlockWidth = StateWidth + 32'(RoundChoice),
    localparam int unsigned KeepWidth = PortWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned PortLaneBits = index_bits(port_lanes(PortWidth)),
    localparam int unsigned RowBits = row_bits(PortWidth),
    localparam int unsigned RowWordBits = row_word_bits(WordWidth),
    localparam int unsigned Lead = lead_clocks(WordWidth, DataDelay)
) (
    input logic clk_i,
    input logic rst_i,

    // AXI4-Stream, as in the stream top (docs/reference/stream.md).
    input  logic                 s_tvalid_i,
    output logic                 s_tready_o,
    input  logic [PortWidth-1:0] s_tdata_i,
    input  logic [KeepWidth-1:0] s_tkeep_i,
    input  logic                 s_tlast_i,
    input  logic [ TidWidth-1:0] s_tid_i,
    input  logic [UserWidth-1:0] s_tuser_i,
    output logic [    Slots-1:0] slot_room_o,
    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    output logic [PortWidth-1:0] m_tdata_o,
    output logic [KeepWidth-1:0] m_tkeep_o,
    output logic                 m_tlast_o,
    output logic [ TidWidth-1:0] m_tid_o,
    output logic [          4:0] m_tuser_o,
    input  logic [    Slots-1:0] stop_i,

    // The engine contract (docs/reference/contract.md).
    output logic                  blk_valid_o,
    input  logic [ SlotWidth-1:0] blk_slot_i,
    output logic                  blk_first_o,
    output logic [        Form:0] blk_last_o,     // [Form] is the engine's
    output logic                  blk_restore_o,  // the `first` block has a state that left
    output logic [BlockWidth-1:0] blk_o,          // RoundChoice: bit 1600 selects the last rounds
    input  logic                  st_valid_i,
    input  logic [ SlotWidth-1:0] st_slot_i,
    input  logic [StateWidth-1:0] st_i
);

  // Per slot.
  logic [Slots-1:0] queue_room;
  logic [Form:0][Slots-1:0] block_takes, block_taken;  // [Form]: the queue's block is taken
  logic [Slots-1:0] message_done, more_output, output_stop;
  logic [Slots-1:0] message_absorbed, final_block;
  logic [Slots-1:0] state_saved, state_stored;
  logic [Form:0][Slots-1:0] digest_pending;  // [Form]: the arbiter's
  logic [Slots-1:0] digests_full;
  rate_t [Slots-1:0] message_rate;
  block_t [Form:0][Slots-1:0] next_block;  // [Form]: the arbiter's

  /////////////////////
  // Beats to blocks //
  /////////////////////

  beat_t beat_fields;
  logic [Slots-1:0] beat_hit;
  logic [SlotWidth-1:0] beat_slot;
  logic [PortWidth-1:0] beat_data;
  logic [KeepWidth-1:0] beat_keep, beat_skip;
  logic tid_error, tid_error_done;
  logic [TidWidth-1:0] tid_error_tid;

  hf_keccak_slot_port #(
      .PortWidth (PortWidth),
      .Slots     (Slots),
      .TidWidth  (TidWidth),
      .Packets   (Packets),
      .Turboshake(Turboshake),
      .RoundChoice(RoundChoice)
  ) u_port (
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
      .queue_room_i    (queue_room),
      .message_done_i  (message_done),
      .beat_hit_o      (beat_hit),
      .beat_slot_o     (beat_slot),
      .beat_fields_o   (beat_fields),
      .beat_data_o     (beat_data),
      .beat_keep_o     (beat_keep),
      .beat_skip_o     (beat_skip),
      .tid_error_o     (tid_error),
      .tid_error_tid_o (tid_error_tid),
      .tid_error_done_i(tid_error_done)
  );

  logic message_begins;
  logic [SlotWidth-1:0] message_slot;
  message_t message_fields;
  word_t word_fields;
  logic [Slots-1:0] word_hit;
  logic [SlotWidth-1:0] word_slot, next_slot;
  logic [PortWidth-1:0] word_data;
  logic [PortLaneBits-1:0] word_lane;
  logic next_first, next_repeats;
  rate_t next_rate;

  hf_keccak_suffix #(
      .PortWidth(PortWidth),
      .Slots    (Slots),
      .Pads     (Pads)
  ) u_suffix (
      .clk_i,
      .rst_i,
      .beat_hit_i      (beat_hit),
      .beat_slot_i     (beat_slot),
      .beat_fields_i   (beat_fields),
      .beat_data_i     (beat_data),
      .beat_keep_i     (beat_keep),
      .beat_skip_i     (beat_skip),
      .message_begins_o(message_begins),
      .message_slot_o  (message_slot),
      .message_fields_o(message_fields),
      .message_rate_o  (message_rate),
      .next_first_o    (next_first),
      .next_slot_o     (next_slot),
      .next_rate_o     (next_rate),
      .next_repeats_o  (next_repeats),
      .word_fields_o   (word_fields),
      .word_hit_o      (word_hit),
      .word_slot_o     (word_slot),
      .word_data_o     (word_data),
      .word_lane_o     (word_lane)
  );

  logic [SlotWidth-1:0] block_slot;
  logic [RowBits-1:0] block_row;
  logic [RowWordBits-1:0] block_word;
  logic [WordWidth-1:0] block_data, state_data;

  hf_keccak_block_queue #(
      .PortWidth(PortWidth),
      .WordWidth(WordWidth),
      .Slots    (Slots)
  ) u_blocks (
      .clk_i,
      .rst_i,
      .next_first_i  (next_first),
      .next_slot_i   (next_slot),
      .next_rate_i   (next_rate),
      .next_repeats_i(next_repeats),
      .word_fields_i (word_fields),
      .word_hit_i    (word_hit),
      .word_slot_i   (word_slot),
      .word_data_i   (word_data),
      .word_lane_i   (word_lane),
      .next_block_o  (next_block[0]),
      .queue_room_o  (queue_room),
      .block_taken_i (block_taken[Form]),
      .message_done_i(message_done),
      .read_slot_i   (block_slot),
      .read_row_i    (block_row),
      .read_word_i   (block_word),
      .read_data_o   (block_data)
  );

  /////////////////////
  // Loads           //
  /////////////////////

  logic [SlotWidth-1:0] early_slot, pick_slot;
  logic [Lead:1] load_started;
  logic has_successor, block_due, next_job, error_ok;

  hf_keccak_slot_arbiter #(
      .WordWidth(WordWidth),
      .Slots    (Slots),
      .Period   (Period),
      .DataDelay(DataDelay),
      .Every    (Every)
  ) u_arbiter (
      .clk_i,
      .rst_i,
      .blk_slot_i,
      .next_block_i      (next_block[Form]),
      .more_output_i     (more_output),
      .message_done_i    (message_done),
      .has_successor_i   (has_successor),
      .state_stored_i    (state_stored),
      .digest_pending_i  (digest_pending[Form]),
      .digests_full_i    (digests_full),
      .error_ok_i        (error_ok),
      .early_slot_o      (early_slot),
      .pick_slot_o       (pick_slot),
      .message_absorbed_o(message_absorbed),
      .state_saved_o     (state_saved),
      .final_block_o     (final_block),
      .block_takes_o     (block_takes[0]),
      .block_taken_o     (block_taken[0]),
      .block_due_o       (block_due),
      .load_started_o    (load_started),
      .next_job_o        (next_job)
  );

  load_t [2*Form:0] load_fields;  // [Form]: the budget's; [2 * Form]: the loader's
  logic [SlotWidth-1:0] load_slot;
  logic [RowBits-1:0] load_row;
  logic [PortLaneBits-1:0] load_split;

  hf_keccak_load_fields #(
      .PortWidth(PortWidth),
      .Slots    (Slots)
  ) u_fields (
      .clk_i,
      .rst_i,
      .early_slot_i      (early_slot),
      .pick_slot_i       (pick_slot),
      .message_absorbed_i(message_absorbed),
      .state_saved_i     (state_saved),
      .final_block_i     (final_block),
      .block_takes_i     (block_takes[Form]),
      .message_rate_i    (message_rate),
      .next_block_i      (next_block[0]),
      .message_done_i    (message_done),
      .load_fields_o     (load_fields[0]),
      .load_slot_o       (load_slot),
      .load_row_o        (load_row),
      .load_split_o      (load_split)
  );

  job_t job_fields;

  hf_keccak_output_budget #(
      .Slots(Slots)
  ) u_budget (
      .clk_i,
      .rst_i,
      .message_begins_i(message_begins),
      .message_slot_i  (message_slot),
      .message_fields_i(message_fields),
      .early_slot_i    (early_slot),
      .load_started_i  (load_started[6:1]),
      .load_fields_i   (load_fields[Form]),
      .load_slot_i     (load_slot),
      .has_successor_o (has_successor),
      .stop_i          (output_stop),
      .more_output_o   (more_output),
      .message_done_o  (message_done),
      .next_job_i      (next_job),
      .job_fields_o    (job_fields)
  );

  logic restore_state;

  hf_keccak_block_loader #(
      .PortWidth(PortWidth),
      .WordWidth(WordWidth),
      .Slots    (Slots),
      .DataDelay(DataDelay),
      .Pads     (Pads),
      .Restores (Restores)
  ) u_loader (
      .clk_i,
      .rst_i,
      .block_due_i    (block_due),
      .load_started_i (load_started),
      .load_fields_i  (load_fields[2*Form]),
      .load_slot_i    (load_slot),
      .load_row_i     (load_row),
      .load_split_i   (load_split),
      .read_slot_o    (block_slot),
      .read_row_o     (block_row),
      .read_word_o    (block_word),
      .read_data_i    (block_data),
      .restore_state_o(restore_state),
      .state_data_i   (state_data),
      .blk_valid_o,
      .blk_first_o,
      .blk_last_o     (blk_last_o[0]),
      .blk_restore_o,
      .blk_o          (blk_o[StateWidth-1:0])
  );

  if (RoundChoice) begin : gen_passes
    hf_keccak_passes #(
        .WordWidth(WordWidth),
        .Slots    (Slots),
        .DataDelay(DataDelay)
    ) u_passes (
        .clk_i,
        .rst_i,
        .function_code_i (s_tuser_i[7:0]),
        .beat_hit_i      (beat_hit),
        .first_beat_i    (beat_fields.first_beat),
        .next_block_i    (next_block[0]),
        .next_block_o    (next_block[Form]),
        .digest_pending_i(digest_pending[0]),
        .digest_pending_o(digest_pending[Form]),
        .message_done_i  (message_done),
        .pick_slot_i     (pick_slot),
        .load_started_i  (load_started[1]),
        .load_slot_i     (load_slot),
        .load_fields_i   (load_fields[0]),
        .block_takes_i   (block_takes[0]),
        .block_takes_o   (block_takes[Form]),
        .block_taken_o   (block_taken[Form]),
        .budget_fields_o (load_fields[Form]),
        .loader_fields_o (load_fields[2*Form]),
        .block_last_o    (blk_last_o[Form]),
        .last_rounds_o   (blk_o[BlockWidth-1])
    );
    logic unused_form;
    assign unused_form = ^block_taken[0];
  end

  /////////////////////
  // Digests         //
  /////////////////////

  hf_keccak_digest_output #(
      .PortWidth       (PortWidth),
      .WordWidth       (WordWidth),
      .Slots           (Slots),
      .TidWidth        (TidWidth),
      .DataDelay       (DataDelay),
      .StatesInBlockRam(StatesInBlockRam)
  ) u_output (
      .clk_i,
      .rst_i,
      .st_valid_i,
      .st_slot_i,
      .st_i,
      .job_fields_i    (job_fields),
      .state_stored_o  (state_stored),
      .digest_pending_o(digest_pending[0]),
      .digests_full_o  (digests_full),
      .error_ok_o      (error_ok),
      .restore_state_i (restore_state),
      .restore_slot_i  (pick_slot),
      .state_data_o    (state_data),
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
      .stop_o          (output_stop)
  );

endmodule
