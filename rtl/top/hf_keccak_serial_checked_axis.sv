// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// SHA-3, SHAKE and Keccak with AXI4-Stream on both sides, small and with detection of faults, one
// message at a time: hf_keccak_serial_axis twice, in lockstep. The ports are described in
// docs/reference/stream.md, and which faults are found in docs/engines/keccak-checked.md.
//
// alarm_o rises before a wrong beat is offered, or two clocks after it if the fault comes while it
// is offered (hf_lockstep_stream), and stays until a reset. While it is high, no beat is offered and
// none is accepted: a beat that was offered is withdrawn, the one departure from AXI4-Stream. So an
// output is right if alarm_o is low two clocks after its last beat.

module hf_keccak_serial_checked_axis
  import hf_keccak_word_pkg::*;
  import hf_keccak_legal_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned Slices = 4,        // as in hf_keccak_serial
    parameter  bit          BlockRam = 1'b0,   // as in hf_keccak_serial
    parameter  int unsigned DataWidth = 32,    // 8, 16, 32 or 64, and more than Slices
    parameter  int unsigned TidWidth = 1,
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
    input  logic [    Slots-1:0] m_axis_stop,

    output logic alarm_o  // a fault was found
);

  // What is legal, and stand-ins for what is not.
  localparam bit WidthLegal = width_legal(DataWidth, 8, 64);
  localparam bit TidLegal = tid_legal(TidWidth, 1);
  localparam int unsigned Width = WidthLegal ? DataWidth : 32;
  localparam int unsigned LegalTidWidth = TidLegal ? TidWidth : 1;

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
  } inputs_t;
  inputs_t given;
  inputs_t [1:0] inputs;
  logic [1:0] s_tready, m_tvalid, m_tlast;
  logic [1:0][Slots-1:0] unused_room;
  logic [1:0][Width-1:0] m_tdata;
  logic [1:0][Width/8-1:0] m_tkeep;
  logic [1:0][LegalTidWidth-1:0] m_tid;
  logic [1:0][4:0] m_tuser;
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
    hf_keccak_serial_axis #(
        .Slices       (Slices),
        .BlockRam     (BlockRam),
        .DataWidth    (Width),
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
        .m_axis_stop  (inputs[i].m_stop)
    );
  end

  hf_lockstep_stream #(
      .DataWidth(Width),
      .TidWidth (LegalTidWidth)
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
      .other_outputs_i  ('0),
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
    $fatal(1, "hf_keccak_serial_checked_axis: DataWidth is 8, 16, 32 or 64, not %0d", DataWidth);
  end
  if (!TidLegal) begin : gen_bad_tid
    $fatal(1, "hf_keccak_serial_checked_axis: TidWidth is 1 to 16, not %0d", TidWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
