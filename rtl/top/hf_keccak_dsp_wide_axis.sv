// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// SHA-3, SHAKE and Keccak with AXI4-Stream on both sides, a message in each slot: hf_keccak_slots
// and hf_keccak_dsp_wide. The ports are described in docs/reference/stream.md.

module hf_keccak_dsp_wide_axis
  import hf_keccak_pkg::*;
  import hf_keccak_legal_pkg::*;
  import hf_keccak_dsp_wide_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned Structure = DspWideChain,  // as in hf_keccak_dsp_wide
    parameter  bit          ParityTree = 1'b0,
    parameter  bit          Registered = 1'b1,
    localparam int unsigned Slots = dsp_wide_slots(Structure, Registered),
    localparam int unsigned SlotWidth = (Slots > 1) ? $clog2(Slots) : 1,
    parameter  int unsigned DataWidth = 128,    // 64, 128, 256 or 512
    parameter  int unsigned TidWidth = SlotWidth,
    // For senders that do not drive all of s_axis_tuser (docs/integrate/dma.md).
    parameter  int unsigned FixedFunction = ByUser,  // this code instead of s_axis_tuser's
    parameter  int unsigned FixedLength = 0,         // with it: output bits; all ones: open output
    parameter  bit          WholeBytes = 1'b0,       // the bit count in s_axis_tuser is ignored
    parameter  bit          Packets = 1'b0,          // `more` at tlast: the message continues
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

  localparam bit WidthLegal = width_legal(DataWidth, 64, 512);
  localparam bit TidLegal = tid_legal(TidWidth, SlotWidth);
  localparam bit Fixed = FixedFunction != ByUser;
  localparam logic [LengthWidth-1:0] LengthField = length_field(FixedLength);

  logic blk_valid, blk_ready, blk_first, blk_last, blk_restore, st_valid;
  logic [SlotWidth-1:0] blk_slot, st_slot;
  logic [StateWidth-1:0] blk, st;

  hf_keccak_slots #(
      .PortWidth(WidthLegal ? DataWidth : 64),
      .Slots    (Slots),
      .TidWidth (TidLegal ? TidWidth : SlotWidth),
      .Packets  (Packets),
      .Period   (Slots * NumRounds),
      .DataDelay(DspWideDataDelay)
  ) u_front (
      .clk_i,
      .rst_i,
      .s_tvalid_i (s_axis_tvalid),
      .s_tready_o (s_axis_tready),
      .s_tdata_i  (s_axis_tdata),
      .s_tkeep_i  (s_axis_tkeep),
      .s_tlast_i  (s_axis_tlast),
      .s_tid_i    (s_axis_tid),
      .s_tuser_i  ({
        Fixed ? LengthField : s_axis_tuser[UserWidth-1:LengthAt],
        s_axis_tuser[LengthAt-1:MoreAt],
        WholeBytes ? 3'd0 : s_axis_tuser[MoreAt-1:BitsAt],
        Fixed ? 8'(FixedFunction) : s_axis_tuser[BitsAt-1:0]
      }),
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
      .blk_restore_o(blk_restore),
      .blk_o      (blk),
      .st_valid_i (st_valid),
      .st_slot_i  (st_slot),
      .st_i       (st)
  );

  // The front end offers blocks only in clocks in which the engine is ready.
  logic unused_ready, unused_restore;
  assign unused_ready = blk_ready;
  assign unused_restore = blk_restore;

  hf_keccak_dsp_wide #(
      .Structure (Structure),
      .ParityTree(ParityTree),
      .Registered(Registered)
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
      .st_ready_i (1'b1),
      .st_slot_o  (st_slot),
      .st_o       (st)
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (!WidthLegal) begin : gen_bad_width
    $fatal(1, "hf_keccak_dsp_wide_axis: DataWidth is 64, 128, 256 or 512, not %0d", DataWidth);
  end
  if (!TidLegal) begin : gen_bad_tid
    $fatal(1, "hf_keccak_dsp_wide_axis: TidWidth is %0d to 16, not %0d", SlotWidth, TidWidth);
  end
  if (Fixed && !fixed_legal(FixedFunction)) begin : gen_bad_function
    $fatal(1, "hf_keccak_dsp_wide_axis: no FixedFunction %0d (docs/integrate/dma.md)",
           FixedFunction);
  end
  if (Fixed && !length_legal(FixedFunction, FixedLength)) begin : gen_bad_length
    $fatal(1, "hf_keccak_dsp_wide_axis: FixedLength is not given (docs/integrate/dma.md)");
  end
  if (!Fixed && FixedLength != 0) begin : gen_length_of_none
    $fatal(1, "hf_keccak_dsp_wide_axis: FixedLength is without FixedFunction");
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
