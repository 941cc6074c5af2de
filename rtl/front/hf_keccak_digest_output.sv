// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Output half of hf_keccak_slots: the states that leave the engine, up to the port. It joins
// hf_keccak_state_store, hf_keccak_digest_queue and hf_keccak_digest_emitter.
//
// Errors: those of hf_keccak_digest_queue; parameters are checked in the modules.
//
// Timing: clock 0 is the clock of st_valid_i.
//
//   0                  its place in the store and its output (job_fields_i)
//   DataDelay          the state is on st_i and is written
//   DataDelay + 4      its digest may be sent
//   DataDelay + 15     the first beat of it is on the port, if nothing else is sent
//
// Digests leave in the order of their states, one after the other.

module hf_keccak_digest_output
  import hf_keccak_pkg::*;
  import hf_keccak_slots_pkg::*;
#(
    parameter  int unsigned PortWidth = 128,  // width of the stream port, in bits
    parameter  int unsigned WordWidth = PortWidth,  // width of a word of the store, in bits
    parameter  int unsigned Slots = 4,
    parameter  int unsigned TidWidth = 2,
    parameter  int unsigned DataDelay = 3,  // clocks from st_valid_i to st_i
    parameter  bit          StatesInBlockRam = 1'b1,  // as in hf_keccak_store
    localparam int unsigned KeepWidth = PortWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned PortLaneBits = index_bits(port_lanes(PortWidth)),
    localparam int unsigned PartBits = index_bits(WordWidth / PortWidth),
    localparam int unsigned StateWordBits = state_word_bits(WordWidth)
) (
    input logic clk_i,
    input logic rst_i,

    // The engine contract (docs/reference/contract.md).
    input logic                  st_valid_i,
    input logic [ SlotWidth-1:0] st_slot_i,
    input logic [StateWidth-1:0] st_i,

    input job_t job_fields_i,  // the output of this state, as in hf_keccak_output_budget

    output logic [Slots-1:0] state_stored_o,    // the slot's state is in the store
    output logic [Slots-1:0] digest_pending_o,  // a digest of the slot is pending
    output logic [Slots-1:0] digests_full_o,    // two digests of the slot are pending
    // The error of a bad message would keep to its share of the port.
    output logic             error_ok_o,

    // Restores the slot's last state: its words come one a clock, the first six clocks after
    // restore_state_i.
    input  logic                 restore_state_i,
    input  logic [SlotWidth-1:0] restore_slot_i,  // valid a clock before restore_state_i
    output logic [WordWidth-1:0] state_data_o,    // undefined in other clocks

    input  logic                tid_error_i,  // an error beat for this tid is requested
    input  logic [TidWidth-1:0] tid_error_tid_i,
    output logic                tid_error_done_o,

    // AXI4-Stream, as in the stream top (docs/reference/stream.md).
    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    output logic [PortWidth-1:0] m_tdata_o,
    output logic [KeepWidth-1:0] m_tkeep_o,
    output logic                 m_tlast_o,
    output logic [ TidWidth-1:0] m_tid_o,
    output logic [          4:0] m_tuser_o,

    input  logic [Slots-1:0] stop_i,  // per slot: request to end its open output
    // The request is valid: the slot's output is open and has begun.
    output logic [Slots-1:0] stop_o
);

  logic state_place, place_freed, restore_active;
  logic [SlotWidth-1:0] freed_slot;
  logic read_digest, digest_place, digest_last, word_read, port_half, word_busy, port_busy;
  logic [SlotWidth-1:0] digest_slot;
  logic [StateWordBits-1:0] digest_word;
  logic [PartBits-1:0] digest_part;
  logic [PortLaneBits-1:0] digest_lane;
  logic [TidWidth-1:0] digest_tid;
  digest_t digest_fields;

  hf_keccak_state_store #(
      .WordWidth       (WordWidth),
      .Slots           (Slots),
      .DataDelay       (DataDelay),
      .StatesInBlockRam(StatesInBlockRam)
  ) u_states (
      .clk_i,
      .rst_i,
      .st_valid_i,
      .st_slot_i,
      .st_i,
      .state_gives_i   (job_fields_i.gives_output),
      .state_place_o   (state_place),
      .state_stored_o,
      .digest_pending_o,
      .digests_full_o,
      .place_freed_i   (place_freed),
      .freed_slot_i    (freed_slot),
      .restore_state_i,
      .restore_slot_i,
      .restore_active_o(restore_active),
      .read_slot_i     (digest_slot),
      .read_place_i    (digest_place),
      .read_word_i     (digest_word),
      .store_word_o    (state_data_o)
  );

  hf_keccak_digest_queue #(
      .PortWidth(PortWidth),
      .WordWidth(WordWidth),
      .Slots    (Slots),
      .TidWidth (TidWidth),
      .DataDelay(DataDelay)
  ) u_digests (
      .clk_i,
      .rst_i,
      .st_valid_i,
      .st_slot_i,
      .state_place_i   (state_place),
      .job_fields_i,
      .tid_error_i,
      .tid_error_tid_i,
      .tid_error_done_o,
      .error_ok_o,
      .restore_active_i(restore_active),
      .read_digest_o   (read_digest),
      .read_slot_o     (digest_slot),
      .read_place_o    (digest_place),
      .read_word_o     (digest_word),
      .read_part_o     (digest_part),
      .read_last_o     (digest_last),
      .read_lane_o     (digest_lane),
      .read_tid_o      (digest_tid),
      .digest_fields_o (digest_fields),
      .place_freed_o   (place_freed),
      .freed_slot_o    (freed_slot),
      .word_read_i     (word_read),
      .port_half_i     (port_half),
      .word_busy_i     (word_busy),
      .port_busy_i     (port_busy)
  );

  hf_keccak_digest_emitter #(
      .PortWidth(PortWidth),
      .WordWidth(WordWidth),
      .Slots    (Slots),
      .TidWidth (TidWidth)
  ) u_emitter (
      .clk_i,
      .rst_i,
      .read_digest_i  (read_digest),
      .read_part_i    (digest_part),
      .read_last_i    (digest_last),
      .read_lane_i    (digest_lane),
      .read_tid_i     (digest_tid),
      .digest_fields_i(digest_fields),
      .store_word_i   (state_data_o),
      .word_read_o    (word_read),
      .port_half_o    (port_half),
      .word_busy_o    (word_busy),
      .port_busy_o    (port_busy),
      .m_tvalid_o,
      .m_tready_i,
      .m_tdata_o,
      .m_tkeep_o,
      .m_tlast_o,
      .m_tid_o,
      .m_tuser_o,
      .stop_i,
      .stop_o
  );

endmodule
