// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// SHA-3, SHAKE and Keccak with AXI4-Stream on both sides, a message in each slot: hf_keccak_slots
// and hf_keccak_pipelined. With RoundCount = 12 the functions are those of TurboSHAKE (RFC 9861)
// instead. With RoundChoice = 1 both exist: the engine has twelve rounds, and a block of 24 is
// loaded twice.
// The ports are described in docs/reference/stream.md.

module hf_keccak_pipelined_axis
  import hf_keccak_pkg::*;
  import hf_keccak_legal_pkg::*;
  import hf_keccak_pipelined_pkg::*;
  import hf_stream_pkg::*;
  import hf_turboshake_pkg::*;
#(
    parameter  int unsigned Rounds = 1,         // as in hf_keccak_pipelined
    parameter  int unsigned RoundCount = NumRounds,  // 24; 12: TurboSHAKE
    parameter  bit          RoundChoice = 1'b0,      // with RoundCount = 24: TurboSHAKE too
    parameter  int unsigned Registers = RegistersDefault,  // with RegisterBlock
    parameter  int unsigned Gate = 0,
    localparam int unsigned Slots = ring_slots(whole_rounds(Rounds), Registers),
    localparam int unsigned SlotWidth = (Slots > 1) ? $clog2(Slots) : 1,
    parameter  int unsigned DataWidth = 64,     // 64, 128, 256 or 512
    parameter  bit          StatesInBlockRam = 1'b1,  // ECP5: 64 block RAMs, fewer LUTs
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
  localparam bit SlotsLegal = Slots >= 2 && Slots <= 16;
  localparam bit TidLegal = tid_legal(TidWidth, SlotWidth);
  localparam bit Fixed = FixedFunction != ByUser;
  localparam bit Turboshake = RoundCount == TurboshakeRounds;
  localparam bit ChoiceLegal = !RoundChoice || RoundCount == NumRounds;
  localparam bit ChoiceFits = Slots >= 4 && ring_slots(1, Registers & ~RegisterReturn) >= 2;
  localparam bit Chooses = RoundChoice && ChoiceLegal && ChoiceFits;
  localparam bit FixedTurboshake =
      (Turboshake || Chooses) && turboshake_fixed_legal(FixedFunction);
  localparam bit FixedLegal = FixedTurboshake || (!Turboshake && fixed_legal(FixedFunction));
  localparam bit LengthLegal = Turboshake || FixedTurboshake ? !FixedLegal || FixedLength != 0 :
      length_legal(FixedFunction, FixedLength);
  localparam bit Halves = (Turboshake || Chooses) && Rounds <= TurboshakeRounds;
  localparam int unsigned RingRounds = Halves ? TurboshakeRounds : NumRounds;
  localparam int unsigned SlotCycles = RingRounds / whole_rounds(Rounds);
  localparam int unsigned Form = 32'(Chooses);
  localparam int unsigned BlockWidth = StateWidth + 32'(Chooses);
  localparam logic [LengthWidth-1:0] LengthField = length_field(FixedLength);

  logic blk_valid, blk_ready, blk_first;
  logic [Form:0] blk_last;  // as in hf_keccak_slots
  logic blk_restore, st_valid;
  logic [SlotWidth-1:0] blk_slot, st_slot;
  logic [BlockWidth-1:0] blk;
  logic [StateWidth-1:0] st;

  hf_keccak_slots #(
      .PortWidth       (WidthLegal ? DataWidth : 64),
      .Slots           (SlotsLegal ? Slots : 4),
      .TidWidth        (!SlotsLegal ? 2 : TidLegal ? TidWidth : SlotWidth),
      .Packets         (Packets),
      .Turboshake      (Turboshake),
      .RoundChoice     (Chooses),
      .Period          (SlotsLegal ? Slots * SlotCycles : 96),
      .DataDelay       (PipelinedDataDelay),
      .StatesInBlockRam(StatesInBlockRam)
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

  hf_keccak_pipelined #(
      .Rounds    (Rounds),
      .RoundCount(Chooses ? TurboshakeRounds : RoundCount),
      .HalfChoice(Chooses),
      .Registers (Registers | RegisterBlock),
      .Gate      (Gate)
  ) u_engine (
      .clk_i,
      .rst_i,
      .blk_valid_i(blk_valid),
      .blk_ready_o(blk_ready),
      .blk_slot_o (blk_slot),
      .blk_first_i(blk_first),
      .blk_last_i (blk_last[Form]),
      .blk_i      (blk),
      .st_valid_o (st_valid),
      .st_ready_i (1'b1),
      .st_slot_o  (st_slot),
      .st_o       (st)
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (!WidthLegal) begin : gen_bad_width
    $fatal(1, "hf_keccak_pipelined_axis: DataWidth is 64, 128, 256 or 512, not %0d", DataWidth);
  end
  if ((Registers & RegisterBlock) == 0) begin : gen_bad_registers
    $fatal(1, "hf_keccak_pipelined_axis: Registers has RegisterBlock, %0d does not", Registers);
  end
  if (!ChoiceLegal) begin : gen_bad_choice
    $fatal(1, "hf_keccak_pipelined_axis: RoundChoice needs RoundCount = 24, not %0d", RoundCount);
  end
  if (RoundChoice && !ChoiceFits) begin : gen_bad_choice_ring
    $fatal(1, "hf_keccak_pipelined_axis: RoundChoice needs 4 slots, and 2 stages a round");
  end
  if (!SlotsLegal) begin : gen_bad_slots
    $fatal(1, "hf_keccak_pipelined_axis: Rounds and Registers give 2 to 16 slots, not %0d", Slots);
  end
  if (!TidLegal) begin : gen_bad_tid
    $fatal(1, "hf_keccak_pipelined_axis: TidWidth is %0d to 16, not %0d", SlotWidth, TidWidth);
  end
  if (Fixed && !FixedLegal) begin : gen_bad_function
    $fatal(1, "hf_keccak_pipelined_axis: no FixedFunction %0d (docs/integrate/dma.md)",
           FixedFunction);
  end
  if (Fixed && !LengthLegal) begin : gen_bad_length
    $fatal(1, "hf_keccak_pipelined_axis: FixedLength is not given (docs/integrate/dma.md)");
  end
  if (!Fixed && FixedLength != 0) begin : gen_length_of_none
    $fatal(1, "hf_keccak_pipelined_axis: FixedLength is without FixedFunction");
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
