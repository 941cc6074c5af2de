// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak with AXI4-Stream on both sides: messages in, digests out, any engine between.
//
// In: byte 0 of a message is tdata[7:0] of its first beat; tkeep marks the bytes, all of them but in
// the last beat, which may be empty. tuser (the same in every beat of a message):
//   [4:0]   function, hf_keccak_pkg::function_e
//   [7:5]   valid bits in the message's last byte, lowest first; 0: all eight
//   [47:8]  output length in bits, for functions with any output length, up to 2^40 - 2; all ones:
//           until it is stopped
// tid is the slot that holds the message, 0 .. slots-1, and comes back with its digest.
//
// Out: the digest in the same order. tuser: [0] error: something was wrong with the message (a hole
// in tkeep, a short beat before the last, bits of an empty byte, an unknown function or slot,
// another tid before tlast), the result is one empty beat; [3:1] valid bits in the last byte; 0: all
// eight; [4] the output runs until it is stopped. Results of a slot come in the order of its messages;
// back-pressure loses nothing.
//
// m_axis_stop[i] in a clock ends the output of slot i that runs until it is stopped, if one of its beats
// has been taken before that clock and its end has not: a few more beats may come, then an empty one
// with tlast. At other times, and for other outputs, it does nothing: it may be held until tlast.
//
// s_axis_room[i]: a beat for slot i that is offered now is taken in this clock or in the next.

module hf_keccak_axis
  import hf_keccak_pkg::*;
#(
    parameter  int unsigned Engine = EngineIterative,  // or another of hf_keccak_pkg
    parameter  int unsigned Rounds = 1,                // the engine's parameters
    parameter  int unsigned Cuts = 'b00111,
    parameter  int unsigned Gate = 0,
    localparam int unsigned Slots = engine_slots(Engine, Rounds, Cuts),
    localparam int unsigned SlotWidth = (Slots > 1) ? $clog2(Slots) : 1,
    parameter  int unsigned DataWidth = (Slots > 1) ? 128 : 64,  // 8 .. 64, with slots 128 .. 512
    parameter  int unsigned TidWidth = SlotWidth,
    localparam int unsigned KeepWidth = DataWidth / 8
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic                 s_axis_tvalid,
    output logic                 s_axis_tready,
    input  logic [DataWidth-1:0] s_axis_tdata,
    input  logic [KeepWidth-1:0] s_axis_tkeep,
    input  logic                 s_axis_tlast,
    input  logic [ TidWidth-1:0] s_axis_tid,
    input  logic [         47:0] s_axis_tuser,
    output logic [    Slots-1:0] s_axis_room,

    output logic                 m_axis_tvalid,
    input  logic                 m_axis_tready,
    output logic [DataWidth-1:0] m_axis_tdata,
    output logic [KeepWidth-1:0] m_axis_tkeep,
    output logic                 m_axis_tlast,
    output logic [ TidWidth-1:0] m_axis_tid,
    output logic [          4:0] m_axis_tuser,
    input  logic [    Slots-1:0] m_axis_stop
);

  logic blk_valid, blk_ready, blk_first, blk_last, st_valid, st_ready;
  logic [SlotWidth-1:0] blk_slot, st_slot;
  logic [StateWidth-1:0] blk, st;

  if (Slots == 1) begin : gen_one
    hf_keccak_sponge #(
        .DataWidth(DataWidth),
        .TidWidth (TidWidth)
    ) u_front (
        .clk_i,
        .rst_i,
        .s_tvalid_i (s_axis_tvalid),
        .s_tready_o (s_axis_tready),
        .s_tdata_i  (s_axis_tdata),
        .s_tkeep_i  (s_axis_tkeep),
        .s_tlast_i  (s_axis_tlast),
        .s_tid_i    (s_axis_tid),
        .s_tuser_i  (s_axis_tuser),
        .m_tvalid_o (m_axis_tvalid),
        .m_tready_i (m_axis_tready),
        .m_tdata_o  (m_axis_tdata),
        .m_tkeep_o  (m_axis_tkeep),
        .m_tlast_o  (m_axis_tlast),
        .m_tid_o    (m_axis_tid),
        .m_tuser_o  (m_axis_tuser),
        .stop_i     (m_axis_stop),
        .blk_valid_o(blk_valid),
        .blk_ready_i(blk_ready),
        .blk_first_o(blk_first),
        .blk_last_o (blk_last),
        .blk_o      (blk),
        .st_valid_i (st_valid),
        .st_ready_o (st_ready),
        .st_i       (st)
    );
    assign s_axis_room = s_axis_tready;

    logic unused_slot;
    assign unused_slot = ^{blk_slot, st_slot};
  end else begin : gen_slots
    hf_keccak_slots #(
        .DataWidth(DataWidth),
        .Slots    (Slots),
        .TidWidth (TidWidth),
        .Period   (Slots * NumRounds / Rounds),
        .DataDelay(engine_delay(Engine))
    ) u_front (
        .clk_i,
        .rst_i,
        .s_tvalid_i (s_axis_tvalid),
        .s_tready_o (s_axis_tready),
        .s_tdata_i  (s_axis_tdata),
        .s_tkeep_i  (s_axis_tkeep),
        .s_tlast_i  (s_axis_tlast),
        .s_tid_i    (s_axis_tid),
        .s_tuser_i  (s_axis_tuser),
        .slot_room_o(s_axis_room),
        .m_tvalid_o (m_axis_tvalid),
        .m_tready_i (m_axis_tready),
        .m_tdata_o  (m_axis_tdata),
        .m_tkeep_o  (m_axis_tkeep),
        .m_tlast_o  (m_axis_tlast),
        .m_tid_o    (m_axis_tid),
        .m_tuser_o  (m_axis_tuser),
        .stop_i     (m_axis_stop),
        .blk_valid_o(blk_valid),
        .blk_slot_i (blk_slot),
        .blk_first_o(blk_first),
        .blk_last_o (blk_last),
        .blk_o      (blk),
        .st_valid_i (st_valid),
        .st_slot_i  (st_slot),
        .st_i       (st)
    );
    assign st_ready = 1'b1;

    // The front end hands over only in clocks in which the engine takes a block.
    logic unused_ready;
    assign unused_ready = blk_ready;
  end

  hf_keccak_engine #(
      .Engine(Engine),
      .Rounds(Rounds),
      .Cuts  (Cuts),
      .Gate  (Gate)
  ) u_engine (
      .clk_i,
      .rst_i,
      .blk_valid_i(blk_valid),
      .blk_ready_o(blk_ready),
      .blk_slot_o (blk_slot),
      .blk_first_i(blk_first),
      .blk_last_i (blk_last),
      .blk_i      (blk),
      .st_valid_o (st_valid),
      .st_ready_i (st_ready),
      .st_slot_o  (st_slot),
      .st_o       (st)
  );

endmodule
