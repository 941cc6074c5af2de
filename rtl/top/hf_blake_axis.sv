// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// BLAKE with AXI4-Stream on both sides: hf_finalist_stream and hf_blake. The ports are described in
// docs/reference/stream.md.

module hf_blake_axis
  import hf_finalist_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned Width = 256,           // digest: up to 256 bits, or 512
    parameter  int unsigned DataWidth = 64,        // 8 .. 128
    parameter  int unsigned TidWidth = 1,
    // For senders that do not drive all of s_axis_tuser (docs/integrate/dma.md).
    parameter  int unsigned FixedFunction = ByUser,  // this code instead of s_axis_tuser's
    parameter  bit          WholeBytes = 1'b0,       // the bit count in s_axis_tuser is ignored
    parameter  bit          Packets = 1'b0,          // `more` at tlast: the message continues
    localparam int unsigned Slots = 1,
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned BlockWidth = block_width(FamilyBlake, Width)
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic                 s_axis_tvalid,
    output logic                 s_axis_tready,
    input  logic [DataWidth-1:0] s_axis_tdata,
    input  logic [KeepWidth-1:0] s_axis_tkeep,
    input  logic                 s_axis_tlast,
    input  logic [ TidWidth-1:0] s_axis_tid,
    input  logic [UserWidth-1:0] s_axis_tuser,
    output logic [    Slots-1:0] s_axis_room,

    output logic                 m_axis_tvalid,
    input  logic                 m_axis_tready,
    output logic [DataWidth-1:0] m_axis_tdata,
    output logic [KeepWidth-1:0] m_axis_tkeep,
    output logic                 m_axis_tlast,
    output logic [ TidWidth-1:0] m_axis_tid,
    output logic [          3:0] m_axis_tuser
);

  logic blk_valid, blk_ready, blk_slot, blk_first, blk_last, st_valid, st_ready, st_slot;
  logic [1:0] blk_size;
  logic [63:0] blk_count;
  logic [BlockWidth-1:0] blk;
  logic [Width-1:0] st;

  hf_finalist_stream #(
      .Family       (FamilyBlake),
      .Width        (Width),
      .DataWidth    (DataWidth),
      .TidWidth     (TidWidth),
      .FixedFunction(FixedFunction),
      .WholeBytes   (WholeBytes),
      .Packets      (Packets)
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
      .s_room_o   (s_axis_room),
      .m_tvalid_o (m_axis_tvalid),
      .m_tready_i (m_axis_tready),
      .m_tdata_o  (m_axis_tdata),
      .m_tkeep_o  (m_axis_tkeep),
      .m_tlast_o  (m_axis_tlast),
      .m_tid_o    (m_axis_tid),
      .m_tuser_o  (m_axis_tuser),
      .blk_valid_o(blk_valid),
      .blk_ready_i(blk_ready),
      .blk_slot_i (blk_slot),
      .blk_first_o(blk_first),
      .blk_last_o (blk_last),
      .blk_size_o (blk_size),
      .blk_count_o(blk_count),
      .blk_o      (blk),
      .st_valid_i (st_valid),
      .st_ready_o (st_ready),
      .st_slot_i  (st_slot),
      .st_i       (st)
  );

  hf_blake #(
      .Width((Width == 512) ? 512 : 256)
  ) u_engine (
      .clk_i,
      .rst_i,
      .blk_valid_i(blk_valid),
      .blk_ready_o(blk_ready),
      .blk_slot_o (blk_slot),
      .blk_first_i(blk_first),
      .blk_last_i (blk_last),
      .blk_size_i (blk_size),
      .blk_count_i(blk_count),
      .blk_i      (blk),
      .st_valid_o (st_valid),
      .st_ready_i (st_ready),
      .st_slot_o  (st_slot),
      .st_o       (st)
  );

endmodule
