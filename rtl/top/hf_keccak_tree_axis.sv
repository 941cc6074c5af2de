// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// KangarooTwelve and TurboSHAKE (RFC 9861) with AXI4-Stream on both sides: hf_keccak_tree in front
// of hf_keccak_pipelined_axis with twelve rounds. A long message of KT128 or KT256 is hashed in all
// slots at once. The ports are those of docs/reference/stream.md, with what
// docs/engines/keccak-tree.md adds.

module hf_keccak_tree_axis
  import hf_keccak_legal_pkg::*;
  import hf_keccak_pipelined_pkg::*;
  import hf_stream_pkg::*;
  import hf_turboshake_pkg::*;
#(
    parameter  int unsigned Rounds = 1,       // as in hf_keccak_pipelined: 1 or 2
    parameter  int unsigned Registers = RegistersDefault,  // with RegisterBlock
    parameter  int unsigned Messages = 1,     // at once: 1, 2, 4 or 8, at most half of the slots
    parameter  int unsigned DataWidth = 128,  // 64, 128 or 256
    parameter  bit          StatesInBlockRam = 1'b1,  // as in hf_keccak_pipelined_axis
    localparam int unsigned LegalRounds = (Rounds == 2) ? 2 : 1,
    localparam int unsigned CoreSlots = ring_slots(LegalRounds, Registers),
    localparam int unsigned CoreTidWidth = (CoreSlots > 1) ? $clog2(CoreSlots) : 1,
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned TidWidth = (Messages > 1) ? $clog2(Messages) : 1
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic                 s_axis_tvalid,
    output logic                 s_axis_tready,
    input  logic [DataWidth-1:0] s_axis_tdata,
    input  logic [KeepWidth-1:0] s_axis_tkeep,
    input  logic                 s_axis_tlast,
    input  logic [ TidWidth-1:0] s_axis_tid,     // the message; ignored where Messages is 1
    input  logic [UserWidth-1:0] s_axis_tuser,
    output logic [ Messages-1:0] s_axis_room,

    output logic                 m_axis_tvalid,
    input  logic                 m_axis_tready,
    output logic [DataWidth-1:0] m_axis_tdata,
    output logic [KeepWidth-1:0] m_axis_tkeep,
    output logic                 m_axis_tlast,
    output logic [ TidWidth-1:0] m_axis_tid,
    output logic [          4:0] m_axis_tuser,
    input  logic [ Messages-1:0] m_axis_stop
);

  localparam bit WidthLegal = width_legal(DataWidth, 64, 256);
  localparam bit SlotsLegal = CoreSlots >= 4 && CoreSlots <= 16;
  localparam bit MessagesLegal = $countones(Messages) == 1 && Messages <= CoreSlots / 2;
  localparam int unsigned LegalWidth = WidthLegal ? DataWidth : 64;
  localparam int unsigned LegalMessages = SlotsLegal && MessagesLegal ? Messages : 1;

  logic core_valid, core_ready, core_last, digest_valid, digest_ready, digest_last;
  logic [DataWidth-1:0] core_data, digest_data;
  logic [KeepWidth-1:0] core_keep, digest_keep;
  logic [CoreTidWidth-1:0] core_tid, digest_tid;
  logic [UserWidth-1:0] core_user;
  logic [4:0] digest_user;
  logic [CoreSlots-1:0] core_room, core_stop;

  hf_keccak_tree #(
      .DataWidth(LegalWidth),
      .Slots    (SlotsLegal ? CoreSlots : 4),
      .Messages (LegalMessages)
  ) u_tree (
      .clk_i,
      .rst_i,
      .s_tvalid_i    (s_axis_tvalid),
      .s_tready_o    (s_axis_tready),
      .s_tdata_i     (s_axis_tdata),
      .s_tkeep_i     (s_axis_tkeep),
      .s_tlast_i     (s_axis_tlast),
      .s_tid_i       (s_axis_tid),
      .s_tuser_i     (s_axis_tuser),
      .message_room_o(s_axis_room),
      .m_tvalid_o    (m_axis_tvalid),
      .m_tready_i    (m_axis_tready),
      .m_tdata_o     (m_axis_tdata),
      .m_tkeep_o     (m_axis_tkeep),
      .m_tlast_o     (m_axis_tlast),
      .m_tid_o       (m_axis_tid),
      .m_tuser_o     (m_axis_tuser),
      .stop_i        (m_axis_stop),
      .core_valid_o  (core_valid),
      .core_ready_i  (core_ready),
      .core_data_o   (core_data),
      .core_keep_o   (core_keep),
      .core_last_o   (core_last),
      .core_tid_o    (core_tid),
      .core_user_o   (core_user),
      .core_room_i   (core_room),
      .digest_valid_i(digest_valid),
      .digest_ready_o(digest_ready),
      .digest_data_i (digest_data),
      .digest_keep_i (digest_keep),
      .digest_last_i (digest_last),
      .digest_tid_i  (digest_tid),
      .digest_user_i (digest_user),
      .core_stop_o   (core_stop)
  );

  hf_keccak_pipelined_axis #(
      .Rounds          (LegalRounds),
      .RoundCount      (TurboshakeRounds),
      .Registers       (Registers),
      .DataWidth       (LegalWidth),
      .StatesInBlockRam(StatesInBlockRam)
  ) u_core (
      .clk_i,
      .rst_i,
      .s_axis_tvalid(core_valid),
      .s_axis_tready(core_ready),
      .s_axis_tdata (core_data),
      .s_axis_tkeep (core_keep),
      .s_axis_tlast (core_last),
      .s_axis_tid   (core_tid),
      .s_axis_tuser (core_user),
      .s_axis_room  (core_room),
      .m_axis_tvalid(digest_valid),
      .m_axis_tready(digest_ready),
      .m_axis_tdata (digest_data),
      .m_axis_tkeep (digest_keep),
      .m_axis_tlast (digest_last),
      .m_axis_tid   (digest_tid),
      .m_axis_tuser (digest_user),
      .m_axis_stop  (core_stop)
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (!WidthLegal) begin : gen_bad_width
    $fatal(1, "hf_keccak_tree_axis: DataWidth is 64, 128 or 256, not %0d", DataWidth);
  end
  if (Rounds != LegalRounds) begin : gen_bad_rounds
    $fatal(1, "hf_keccak_tree_axis: Rounds is 1 or 2, not %0d", Rounds);
  end
  if (!SlotsLegal) begin : gen_bad_slots
    $fatal(1, "hf_keccak_tree_axis: Rounds and Registers give 4 to 16 slots, not %0d", CoreSlots);
  end
  if (!MessagesLegal) begin : gen_bad_messages
    $fatal(1, "hf_keccak_tree_axis: Messages is 1, 2, 4 or 8, at most half of %0d slots, not %0d",
           CoreSlots, Messages);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
