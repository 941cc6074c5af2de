// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// SHA-3, SHAKE and Keccak with AXI4-Stream on both sides, one message at a time: hf_keccak_sponge
// and hf_keccak_iterative. With RoundChoice = 1 also TurboSHAKE (RFC 9861). The ports are described
// in docs/reference/stream.md.

module hf_keccak_iterative_axis
  import hf_keccak_pkg::*;
  import hf_keccak_legal_pkg::*;
  import hf_stream_pkg::*;
  import hf_turboshake_pkg::*;
#(
    parameter  int unsigned RoundsPerClock = 1,  // 1, 2, 3, 4, 6, 8, 12 or 24
    parameter  bit          ThreeLevels = 1'b0,  // as in hf_keccak_iterative
    parameter  bit          RoundChoice = 1'b0,  // TurboSHAKE's functions too
    parameter  int unsigned DataWidth = 64,      // 8, 16, 32 or 64
    parameter  int unsigned TidWidth = 1,
    parameter  bit          StatesInBlockRam = 1'b0,  // ECP5: digests in block RAM
    // For senders that do not drive all of s_axis_tuser (docs/integrate/dma.md).
    parameter  int unsigned FixedFunction = ByUser,  // this code instead of s_axis_tuser's
    parameter  int unsigned FixedLength = 0,         // with it: output bits; all ones: open output
    parameter  bit          WholeBytes = 1'b0,       // the bit count in s_axis_tuser is ignored
    parameter  bit          Packets = 1'b0,          // `more` at tlast: the message continues
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
  localparam int unsigned BlockWidth = StateWidth + 32'(RoundChoice);
  localparam bit Fixed = FixedFunction != ByUser;
  localparam bit FixedTurboshake = RoundChoice && turboshake_fixed_legal(FixedFunction);
  localparam logic [LengthWidth-1:0] LengthField = length_field(FixedLength);

  logic blk_valid, blk_ready, blk_slot, blk_first, blk_last, st_valid, st_ready, st_slot;
  logic [BlockWidth-1:0] blk;
  logic [StateWidth-1:0] st;

  hf_keccak_sponge #(
      .DataWidth(WidthLegal ? DataWidth : 64),
      .TidWidth (TidLegal ? TidWidth : 1),
      .StatesInBlockRam(StatesInBlockRam),
      .Packets  (Packets),
      .RoundChoice(RoundChoice)
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

  hf_keccak_iterative #(
      .RoundsPerClock(RoundsPerClock),
      .ThreeLevels   (ThreeLevels),
      .RoundChoice   (RoundChoice)
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

`ifndef HF_NO_PARAMETER_CHECKS
  if (!WidthLegal) begin : gen_bad_width
    $fatal(1, "hf_keccak_iterative_axis: DataWidth is 8, 16, 32 or 64, not %0d", DataWidth);
  end
  if (!TidLegal) begin : gen_bad_tid
    $fatal(1, "hf_keccak_iterative_axis: TidWidth is 1 to 16, not %0d", TidWidth);
  end
  if (Fixed && !FixedTurboshake && !fixed_legal(FixedFunction)) begin : gen_bad_function
    $fatal(1, "hf_keccak_iterative_axis: no FixedFunction %0d (docs/integrate/dma.md)",
           FixedFunction);
  end
  if (Fixed && (FixedTurboshake ? FixedLength == 0 : !length_legal(FixedFunction, FixedLength)))
  begin : gen_bad_length
    $fatal(1, "hf_keccak_iterative_axis: FixedLength is not given (docs/integrate/dma.md)");
  end
  if (!Fixed && FixedLength != 0) begin : gen_length_of_none
    $fatal(1, "hf_keccak_iterative_axis: FixedLength is without FixedFunction");
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
