// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// hf_keccak_iterative_axis with the framing of SP 800-185 in front of it: cSHAKE with N and S,
// KMAC, KMACXOF, TupleHash and TupleHashXOF beside the core's functions. The ports are those of
// docs/reference/stream.md, the further codes those of docs/reference/sp800-185.md.

module hf_keccak_iterative_framed_axis
  import hf_stream_pkg::*;
#(
    // As in hf_keccak_iterative_axis, but for the last.
    parameter  int unsigned RoundsPerClock = 1,
    parameter  bit          ThreeLevels = 1'b0,
    parameter  int unsigned DataWidth = 64,
    parameter  int unsigned TidWidth = 1,
    parameter  bit          StatesInBlockRam = 1'b0,
    parameter  int unsigned StringBytes = 256,  // most bytes of N, of S and of the key
    localparam int unsigned Slots = 1,
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
    input  logic [UserWidth-1:0] s_axis_tuser,
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

  localparam bit WidthLegal = width_legal(DataWidth, 8, 64);
  localparam bit TidLegal = tid_legal(TidWidth, 1);
  localparam bit StringsLegal = width_legal(StringBytes, DataWidth / 8, 65536);

  logic valid, ready, last;
  logic [DataWidth-1:0] data;
  logic [KeepWidth-1:0] keep;
  logic [TidWidth-1:0] tid;
  logic [UserWidth-1:0] user;

  hf_sp800_185 #(
      .DataWidth  (WidthLegal ? DataWidth : 64),
      .TidWidth   (TidLegal ? TidWidth : 1),
      .StringBytes(StringsLegal ? StringBytes : 256)
  ) u_framing (
      .clk_i,
      .rst_i,
      .s_tvalid_i(s_axis_tvalid),
      .s_tready_o(s_axis_tready),
      .s_tdata_i (s_axis_tdata),
      .s_tkeep_i (s_axis_tkeep),
      .s_tlast_i (s_axis_tlast),
      .s_tid_i   (s_axis_tid),
      .s_tuser_i (s_axis_tuser),
      .m_tvalid_o(valid),
      .m_tready_i(ready),
      .m_tdata_o (data),
      .m_tkeep_o (keep),
      .m_tlast_o (last),
      .m_tid_o   (tid),
      .m_tuser_o (user)
  );
  assign s_axis_room = s_axis_tready;

  logic unused_room;
  hf_keccak_iterative_axis #(
      .RoundsPerClock  (RoundsPerClock),
      .ThreeLevels     (ThreeLevels),
      .DataWidth       (WidthLegal ? DataWidth : 64),
      .TidWidth        (TidLegal ? TidWidth : 1),
      .StatesInBlockRam(StatesInBlockRam)
  ) u_core (
      .clk_i,
      .rst_i,
      .s_axis_tvalid(valid),
      .s_axis_tready(ready),
      .s_axis_tdata (data),
      .s_axis_tkeep (keep),
      .s_axis_tlast (last),
      .s_axis_tid   (tid),
      .s_axis_tuser (user),
      .s_axis_room  (unused_room),
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tlast,
      .m_axis_tid,
      .m_axis_tuser,
      .m_axis_stop
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (!WidthLegal) begin : gen_bad_width
    $fatal(1, "hf_keccak_iterative_framed_axis: DataWidth is 8, 16, 32 or 64, not %0d", DataWidth);
  end
  if (!TidLegal) begin : gen_bad_tid
    $fatal(1, "hf_keccak_iterative_framed_axis: TidWidth is 1 to 16, not %0d", TidWidth);
  end
  if (!StringsLegal) begin : gen_bad_strings
    $fatal(
        1,
        "hf_keccak_iterative_framed_axis: StringBytes is a power of two from %0d to 65536, not %0d",
        DataWidth / 8, StringBytes);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
