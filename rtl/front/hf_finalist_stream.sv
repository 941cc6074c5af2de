// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What the stream tops of the SHA-3 finalists have in common: hf_finalist_front at the ports of a
// top (docs/reference/stream.md), the parameters for senders that do not drive all of s_axis_tuser,
// and the checks of the tops' parameters. A top adds its engine.

module hf_finalist_stream
  import hf_finalist_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned Family = FamilyBlake,    // a constant of hf_stream_pkg
    parameter  int unsigned Width = 256,             // the engine's: 256 or 512
    parameter  int unsigned DataWidth = 64,          // 8 .. 128
    parameter  int unsigned TidWidth = 1,
    parameter  int unsigned FixedFunction = ByUser,  // this code instead of s_tuser_i's
    parameter  bit          WholeBytes = 1'b0,       // the bit count in s_tuser_i is ignored
    parameter  bit          Packets = 1'b0,          // `more` at tlast: the message continues
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned BlockWidth = block_width(Family, Width)
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                 s_tvalid_i,
    output logic                 s_tready_o,
    input  logic [DataWidth-1:0] s_tdata_i,
    input  logic [KeepWidth-1:0] s_tkeep_i,
    input  logic                 s_tlast_i,
    input  logic [ TidWidth-1:0] s_tid_i,
    input  logic [UserWidth-1:0] s_tuser_i,
    output logic                 s_room_o,
    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    output logic [DataWidth-1:0] m_tdata_o,
    output logic [KeepWidth-1:0] m_tkeep_o,
    output logic                 m_tlast_o,
    output logic [ TidWidth-1:0] m_tid_o,
    output logic [          3:0] m_tuser_o,

    // The engine contract of the finalists (docs/engines/finalists.md), for one slot.
    output logic                  blk_valid_o,
    input  logic                  blk_ready_i,
    input  logic                  blk_slot_i,   // unused: one slot
    output logic                  blk_first_o,
    output logic                  blk_last_o,
    output logic [           1:0] blk_size_o,
    output logic [          63:0] blk_count_o,
    output logic [BlockWidth-1:0] blk_o,
    input  logic                  st_valid_i,
    output logic                  st_ready_o,
    input  logic                  st_slot_i,    // unused
    input  logic [     Width-1:0] st_i
);

  localparam bit DataLegal = width_legal(DataWidth, 8, 128);
  localparam bit WidthLegal = Width == 256 || Width == 512;
  localparam bit TidLegal = tid_legal(TidWidth, 1);
  localparam bit Fixed = FixedFunction != ByUser;

  // Ports whose width an illegal parameter changes are connected by both names.
  hf_finalist_front #(
      .Family   (Family),
      .Width    (WidthLegal ? Width : 256),
      .DataWidth(DataLegal ? DataWidth : 64),
      .TidWidth (TidLegal ? TidWidth : 1),
      .Packets  (Packets)
  ) u_front (
      .clk_i,
      .rst_i,
      .s_tvalid_i,
      .s_tready_o,
      .s_tdata_i(s_tdata_i),
      .s_tkeep_i(s_tkeep_i),
      .s_tlast_i,
      .s_tid_i(s_tid_i),
      .s_tuser_i({
        s_tuser_i[UserWidth-1:MoreAt],
        WholeBytes ? 3'd0 : s_tuser_i[MoreAt-1:BitsAt],
        Fixed ? 8'(FixedFunction) : s_tuser_i[BitsAt-1:0]
      }),
      .m_tvalid_o,
      .m_tready_i,
      .m_tdata_o(m_tdata_o),
      .m_tkeep_o(m_tkeep_o),
      .m_tlast_o,
      .m_tid_o(m_tid_o),
      .m_tuser_o,
      .blk_valid_o,
      .blk_ready_i,
      .blk_first_o,
      .blk_last_o,
      .blk_size_o,
      .blk_count_o,
      .blk_o(blk_o),
      .st_valid_i,
      .st_ready_o,
      .st_i(st_i)
  );
  assign s_room_o = s_tready_o;

  logic unused_slots;
  assign unused_slots = ^{blk_slot_i, st_slot_i};

`ifndef HF_NO_PARAMETER_CHECKS
  if (!DataLegal) begin : gen_bad_data
    $fatal(1, "hf_finalist_stream: DataWidth is 8, 16, 32, 64 or 128, not %0d", DataWidth);
  end
  if (!WidthLegal) begin : gen_bad_width
    $fatal(1, "hf_finalist_stream: Width is 256 or 512, not %0d", Width);
  end
  if (!TidLegal) begin : gen_bad_tid
    $fatal(1, "hf_finalist_stream: TidWidth is 1 to 16, not %0d", TidWidth);
  end
  if (Fixed && !fixed_legal(Family, Width, FixedFunction)) begin : gen_bad_function
    $fatal(1, "hf_finalist_stream: no FixedFunction %0d of this width", FixedFunction);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
