// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// SHA-3, SHAKE and Keccak on Boolean shares, with AXI4-Stream on both sides and with detection of
// faults, one message at a time: hf_keccak_masked_axis twice, in lockstep, with the same shares and
// the same random bits. The ports are described in docs/reference/stream.md, what is particular to
// this top in docs/engines/keccak-masked.md, and which faults are found in
// docs/engines/keccak-checked.md.
//
// alarm_o rises before a wrong beat is offered, or two clocks after it if the fault comes while it
// is offered (hf_lockstep_stream), and stays until a reset. While it is high, no beat is offered and
// none is accepted: a beat that was offered is withdrawn, the one departure from AXI4-Stream. So an
// output is right if alarm_o is low two clocks after its last beat.

module hf_keccak_masked_checked_axis
  import hf_keccak_pkg::*;
  import hf_keccak_legal_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned Order = 1,           // as in hf_keccak_masked
    parameter  bit          Guards = 1'b1,       // as in hf_keccak_masked
    parameter  bit          SharedPorts = 1'b1,  // as in hf_keccak_masked_axis
    parameter  bit          Generator = 1'b1,    // random bits are made here, twice the same
    parameter  int unsigned DataWidth = 64,      // of a share: 8, 16, 32 or 64
    parameter  int unsigned TidWidth = 1,
    // For senders that do not drive all of s_axis_tuser (docs/integrate/dma.md).
    parameter  int unsigned FixedFunction = ByUser,  // this code instead of s_axis_tuser's
    parameter  int unsigned FixedLength = 0,         // with it: output bits; all ones: open output
    parameter  bit          WholeBytes = 1'b0,       // the bit count in s_axis_tuser is ignored
    parameter  bit          Packets = 1'b0,          // `more` at tlast: the message continues
    localparam int unsigned Slots = 1,
    localparam int unsigned PortShares = SharedPorts ? Order + 1 : 1,
    localparam int unsigned PortWidth = PortShares * DataWidth,
    localparam int unsigned KeepWidth = PortWidth / 8,
    localparam int unsigned RandWidth = Guards ? 4 : StateWidth * Order * (Order + 1) / 2,
    localparam int unsigned SplitWidth = Order * DataWidth
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic                 s_axis_tvalid,
    output logic                 s_axis_tready,
    input  logic [PortWidth-1:0] s_axis_tdata,
    input  logic [KeepWidth-1:0] s_axis_tkeep,
    input  logic                 s_axis_tlast,
    input  logic [ TidWidth-1:0] s_axis_tid,
    input  logic [UserWidth-1:0] s_axis_tuser,
    output logic [    Slots-1:0] s_axis_room,

    output logic                 m_axis_tvalid,
    input  logic                 m_axis_tready,
    output logic [PortWidth-1:0] m_axis_tdata,
    output logic [KeepWidth-1:0] m_axis_tkeep,
    output logic                 m_axis_tlast,
    output logic [ TidWidth-1:0] m_axis_tid,
    output logic [          4:0] m_axis_tuser,
    input  logic [    Slots-1:0] m_axis_stop,

    output logic ready_o,  // random bits are there and blocks are processed

    // With Generator = 1.
    input  logic        seed_valid_i,
    input  logic [79:0] seed_key_i,

    // With Generator = 0; otherwise a bit each, which is ignored.
    input  logic                                   rand_valid_i,
    output logic                                   rand_ready_o,
    input  logic [(Generator ? 1 : RandWidth)-1:0] rand_i,
    input  logic [(Generator ? 1 : SplitWidth)-1:0] split_i,

    output logic alarm_o  // a fault was found
);

  // What is legal, and stand-ins for what is not.
  localparam bit WidthLegal = width_legal(DataWidth, 8, 64);
  localparam bit TidLegal = tid_legal(TidWidth, 1);
  localparam bit OrderLegal = Order >= 1 && Order <= 3 && !(Guards && Order != 1);
  localparam int unsigned LegalOrder = OrderLegal ? Order : 1;
  localparam int unsigned ShareWidth = WidthLegal ? DataWidth : 64;
  localparam int unsigned Width = (SharedPorts ? LegalOrder + 1 : 1) * ShareWidth;
  localparam int unsigned LegalTidWidth = TidLegal ? TidWidth : 1;
  localparam int unsigned RandBits =
      Generator ? 1 : Guards ? 4 : StateWidth * LegalOrder * (LegalOrder + 1) / 2;
  localparam int unsigned SplitBits = Generator ? 1 : LegalOrder * ShareWidth;

  // A core's inputs; and the outputs of both cores, [0] the first one's.
  typedef struct packed {
    logic reset, s_tvalid;
    logic [Width-1:0] s_tdata;
    logic [Width/8-1:0] s_tkeep;
    logic s_tlast;
    logic [LegalTidWidth-1:0] s_tid;
    logic [UserWidth-1:0] s_tuser;
    logic m_tready;
    logic [Slots-1:0] m_stop;
    logic seed_valid;
    logic [79:0] seed_key;
    logic rand_valid;
    logic [RandBits-1:0] rand_bits;
    logic [SplitBits-1:0] split;
  } inputs_t;
  inputs_t given;
  inputs_t [1:0] inputs;
  logic [1:0] s_tready, m_tvalid, m_tlast;
  logic [1:0][Slots-1:0] unused_room;
  logic [1:0][Width-1:0] m_tdata;
  logic [1:0][Width/8-1:0] m_tkeep;
  logic [1:0][LegalTidWidth-1:0] m_tid;
  logic [1:0][4:0] m_tuser;
  logic [1:0] core_ready, rand_ready;
  logic first_s_tvalid;
  logic [1:0] m_tready;

  always_comb begin
    given.reset = rst_i;
    given.s_tvalid = s_axis_tvalid;
    given.s_tdata = Width'(s_axis_tdata);
    given.s_tkeep = (Width / 8)'(s_axis_tkeep);
    given.s_tlast = s_axis_tlast;
    given.s_tid = LegalTidWidth'(s_axis_tid);
    given.s_tuser = s_axis_tuser;
    given.m_tready = m_axis_tready;
    given.m_stop = m_axis_stop;
    given.seed_valid = seed_valid_i;
    given.seed_key = seed_key_i;
    given.rand_valid = rand_valid_i;
    given.rand_bits = RandBits'(rand_i);
    given.split = SplitBits'(split_i);

    inputs[0] = given;
    inputs[0].s_tvalid = first_s_tvalid;
  end

  hf_kept_wires #(
      .Width($bits(inputs_t))
  ) u_second (
      .wires_i(given),
      .wires_o(inputs[1])
  );

  for (genvar i = 0; i < 2; i++) begin : gen_core
    hf_keccak_masked_axis #(
        .Order        (LegalOrder),
        .Guards       (OrderLegal ? Guards : 1'b1),
        .SharedPorts  (SharedPorts),
        .Generator    (Generator),
        .DataWidth    (ShareWidth),
        .TidWidth     (LegalTidWidth),
        .FixedFunction(FixedFunction),
        .FixedLength  (FixedLength),
        .WholeBytes   (WholeBytes),
        .Packets      (Packets)
    ) u_core (
        .clk_i,
        .rst_i        (inputs[i].reset),
        .s_axis_tvalid(inputs[i].s_tvalid),
        .s_axis_tready(s_tready[i]),
        .s_axis_tdata (inputs[i].s_tdata),
        .s_axis_tkeep (inputs[i].s_tkeep),
        .s_axis_tlast (inputs[i].s_tlast),
        .s_axis_tid   (inputs[i].s_tid),
        .s_axis_tuser (inputs[i].s_tuser),
        .s_axis_room  (unused_room[i]),
        .m_axis_tvalid(m_tvalid[i]),
        .m_axis_tready(m_tready[i]),
        .m_axis_tdata (m_tdata[i]),
        .m_axis_tkeep (m_tkeep[i]),
        .m_axis_tlast (m_tlast[i]),
        .m_axis_tid   (m_tid[i]),
        .m_axis_tuser (m_tuser[i]),
        .m_axis_stop  (inputs[i].m_stop),
        .ready_o      (core_ready[i]),
        .seed_valid_i (inputs[i].seed_valid),
        .seed_key_i   (inputs[i].seed_key),
        .rand_valid_i (inputs[i].rand_valid),
        .rand_ready_o (rand_ready[i]),
        .rand_i       (inputs[i].rand_bits),
        .split_i      (inputs[i].split)
    );
  end

  logic [1:0][1:0] other;
  assign other[0] = {core_ready[0], rand_ready[0]};
  assign other[1] = {core_ready[1], rand_ready[1]};
  assign ready_o = core_ready[0] && !alarm_o;
  assign rand_ready_o = rand_ready[0];

  hf_lockstep_stream #(
      .DataWidth (Width),
      .TidWidth  (LegalTidWidth),
      .OtherWidth(2)
  ) u_port (
      .clk_i,
      .rst_i,
      .s_tready_i       (s_tready),
      .m_tvalid_i       (m_tvalid),
      .m_tready_o       (m_tready),
      .m_tdata_i        (m_tdata),
      .m_tkeep_i        (m_tkeep),
      .m_tlast_i        (m_tlast),
      .m_tid_i          (m_tid),
      .m_tuser_i        (m_tuser),
      .other_outputs_i  (other),
      .s_tvalid_i       (s_axis_tvalid),
      .s_tvalid_o       (first_s_tvalid),
      .s_tready_o       (s_axis_tready),
      .m_tvalid_o       (m_axis_tvalid),
      .m_tready_i       (m_axis_tready),
      .second_m_tready_i(inputs[1].m_tready),
      .m_tdata_o        (m_axis_tdata),
      .m_tkeep_o        (m_axis_tkeep),
      .m_tlast_o        (m_axis_tlast),
      .m_tid_o          (m_axis_tid),
      .m_tuser_o        (m_axis_tuser),
      .alarm_o
  );
  assign s_axis_room = s_axis_tready;
  logic unused_ready;  // the first core's, which has the alarm
  assign unused_ready = inputs[0].m_tready;

`ifndef HF_NO_PARAMETER_CHECKS
  if (!WidthLegal) begin : gen_bad_width
    $fatal(1, "hf_keccak_masked_checked_axis: DataWidth is 8, 16, 32 or 64, not %0d", DataWidth);
  end
  if (!TidLegal) begin : gen_bad_tid
    $fatal(1, "hf_keccak_masked_checked_axis: TidWidth is 1 to 16, not %0d", TidWidth);
  end
  if (!OrderLegal) begin : gen_bad_order
    $fatal(1, "hf_keccak_masked_checked_axis: Order is 1, 2 or 3, and 1 with Guards, not %0d",
           Order);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
