// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// SHA-3, SHAKE and Keccak with AXI4-Stream on both sides and detection of faults, one message at a
// time: hf_keccak_checked, and hf_keccak_word_stream twice, in lockstep. The first front end is
// connected to the ports and to the engine; all outputs of the second are compared with its own.
// The ports are described in docs/reference/stream.md, and which faults are found in
// docs/engines/keccak-checked.md.
//
// alarm_o rises at most two clocks after a wrong beat, and stays until a reset. While it is high, no
// beat is offered and none is accepted: a beat that was offered is withdrawn, the one departure
// from AXI4-Stream. So an output is right if alarm_o is low two clocks after its last beat.

module hf_keccak_checked_axis
  import hf_keccak_pkg::*;
  import hf_keccak_word_pkg::*;
  import hf_keccak_legal_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 64,    // 8, 16, 32 or 64
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

  localparam bit WidthLegal = width_legal(DataWidth, 8, 64);
  localparam bit TidLegal = tid_legal(TidWidth, 1);
  localparam int unsigned WordWidth = WidthLegal ? DataWidth : 32;
  localparam bit Fixed = FixedFunction != ByUser;
  localparam logic [LengthWidth-1:0] LengthField = length_field(FixedLength);
  localparam int unsigned FrontTidWidth = TidLegal ? TidWidth : 1;

  // A beat of a message is offered to the first front, and one of an output to the port, unless
  // there is an alarm. The second front has the port's signals, so that a fault in these gates is
  // one in the first front only.
  logic s_tvalid, m_tready;
  logic [UserWidth-1:0] s_tuser;
  assign s_tvalid = s_axis_tvalid && !alarm_o;
  assign m_tready = m_axis_tready && !alarm_o;
  assign s_tuser = {
    Fixed ? LengthField : s_axis_tuser[UserWidth-1:LengthAt],
    s_axis_tuser[LengthAt-1:MoreAt],
    WholeBytes ? 3'd0 : s_axis_tuser[MoreAt-1:BitsAt],
    Fixed ? 8'(FixedFunction) : s_axis_tuser[BitsAt-1:0]
  };

  // Of the first front and of the second.
  logic [1:0] s_tready, m_tvalid, m_tlast, op_valid;
  logic [1:0][WordWidth-1:0] m_tdata, op_word;
  logic [1:0][WordWidth/8-1:0] m_tkeep, op_bytes;
  logic [1:0][FrontTidWidth-1:0] m_tid;
  logic [1:0][4:0] m_tuser;
  word_op_e op [2];
  logic [1:0][word_address_width(WordWidth)-1:0] op_addr;
  logic op_ready, second_ready, engine_alarm, unused_differs;
  logic [WordWidth-1:0] word;

  hf_keccak_word_stream #(
      .DataWidth(WordWidth),
      .TidWidth (FrontTidWidth),
      .Packets  (Packets)
  ) u_front (
      .clk_i,
      .rst_i,
      .s_tvalid_i(s_tvalid),
      .s_tready_o(s_tready[0]),
      .s_tdata_i (s_axis_tdata),
      .s_tkeep_i (s_axis_tkeep),
      .s_tlast_i (s_axis_tlast),
      .s_tid_i   (s_axis_tid),
      .s_tuser_i (s_tuser),
      .m_tvalid_o(m_tvalid[0]),
      .m_tready_i(m_tready),
      .m_tdata_o (m_tdata[0]),
      .m_tkeep_o (m_tkeep[0]),
      .m_tlast_o (m_tlast[0]),
      .m_tid_o   (m_tid[0]),
      .m_tuser_o (m_tuser[0]),
      .stop_i    (m_axis_stop),
      .op_valid_o(op_valid[0]),
      .op_ready_i(op_ready),
      .op_o      (op[0]),
      .op_addr_o (op_addr[0]),
      .op_bytes_o(op_bytes[0]),
      .op_word_o (op_word[0]),
      .word_i    (word)
  );

  hf_keccak_second_front #(
      .DataWidth(WordWidth),
      .TidWidth (FrontTidWidth),
      .Packets  (Packets)
  ) u_second (
      .clk_i,
      .rst_i,
      .s_tvalid_i(s_axis_tvalid),
      .s_tready_o(s_tready[1]),
      .s_tdata_i (s_axis_tdata),
      .s_tkeep_i (s_axis_tkeep),
      .s_tlast_i (s_axis_tlast),
      .s_tid_i   (s_axis_tid),
      .s_tuser_i (s_tuser),
      .m_tvalid_o(m_tvalid[1]),
      .m_tready_i(m_axis_tready),
      .m_tdata_o (m_tdata[1]),
      .m_tkeep_o (m_tkeep[1]),
      .m_tlast_o (m_tlast[1]),
      .m_tid_o   (m_tid[1]),
      .m_tuser_o (m_tuser[1]),
      .stop_i    (m_axis_stop),
      .op_valid_o(op_valid[1]),
      .op_ready_i(second_ready),
      .op_o      (op[1]),
      .op_addr_o (op_addr[1]),
      .op_bytes_o(op_bytes[1]),
      .op_word_o (op_word[1]),
      .word_i    (word)
  );

  hf_keccak_checked #(
      .WordWidth(WordWidth)
  ) u_engine (
      .clk_i,
      .rst_i,
      .op_valid_i(op_valid[0]),
      .op_ready_o(op_ready),
      .op_i      (op[0]),
      .op_addr_i (op_addr[0]),
      .op_bytes_i(op_bytes[0]),
      .op_word_i (op_word[0]),
      .word_o    (word),
      .second_ready_o(second_ready),
      .alarm_o   (engine_alarm)
  );

  // All outputs of a front, zero where they are not valid.
  typedef struct packed {
    logic s_tready, m_tvalid;
    logic [WordWidth-1:0] m_tdata;
    logic [WordWidth/8-1:0] m_tkeep;
    logic m_tlast;
    logic [FrontTidWidth-1:0] m_tid;
    logic [4:0] m_tuser;
    logic op_valid;
    logic [1:0] op;
    logic [word_address_width(WordWidth)-1:0] op_addr;
    logic [WordWidth/8-1:0] op_bytes;
    logic [WordWidth-1:0] op_word;
  } outputs_t;
  outputs_t [1:0] outputs;

  always_comb begin
    for (int unsigned i = 0; i < 2; i++) begin
      outputs[i] = '0;
      outputs[i].s_tready = s_tready[i];
      outputs[i].m_tvalid = m_tvalid[i];
      if (m_tvalid[i]) begin
        outputs[i].m_tdata = m_tdata[i];
        outputs[i].m_tkeep = m_tkeep[i];
        outputs[i].m_tlast = m_tlast[i];
        outputs[i].m_tid   = m_tid[i];
        outputs[i].m_tuser = m_tuser[i];
      end
      outputs[i].op_valid = op_valid[i];
      if (op_valid[i]) begin
        outputs[i].op = op[i];
        if (op[i] == WordAdd || op[i] == WordRead) outputs[i].op_addr = op_addr[i];
        if (op[i] == WordAdd) begin
          outputs[i].op_bytes = op_bytes[i];
          outputs[i].op_word  = op_word[i];
        end
      end
    end
  end

  hf_alarm #(
      .Width($bits(outputs_t))
  ) u_alarm (
      .clk_i,
      .rst_i,
      .first_i (outputs[0]),
      .second_i(outputs[1]),
      .fault_i (engine_alarm),
      .differs_o(unused_differs),
      .alarm_o
  );

  assign s_axis_tready = s_tready[0] && !alarm_o;
  assign s_axis_room   = s_axis_tready;
  assign m_axis_tvalid = m_tvalid[0] && !alarm_o;
  assign m_axis_tdata  = m_tdata[0];
  assign m_axis_tkeep  = m_tkeep[0];
  assign m_axis_tlast  = m_tlast[0];
  assign m_axis_tid    = m_tid[0];
  assign m_axis_tuser  = m_tuser[0];

`ifndef HF_NO_PARAMETER_CHECKS
  if (!WidthLegal) begin : gen_bad_width
    $fatal(1, "hf_keccak_checked_axis: DataWidth is 8, 16, 32 or 64, not %0d", DataWidth);
  end
  if (!TidLegal) begin : gen_bad_tid
    $fatal(1, "hf_keccak_checked_axis: TidWidth is 1 to 16, not %0d", TidWidth);
  end
  if (Fixed && !fixed_legal(FixedFunction)) begin : gen_bad_function
    $fatal(1, "hf_keccak_checked_axis: no FixedFunction %0d (docs/integrate/dma.md)",
           FixedFunction);
  end
  if (Fixed && !length_legal(FixedFunction, FixedLength)) begin : gen_bad_length
    $fatal(1, "hf_keccak_checked_axis: FixedLength is not given (docs/integrate/dma.md)");
  end
  if (!Fixed && FixedLength != 0) begin : gen_length_of_none
    $fatal(1, "hf_keccak_checked_axis: FixedLength is without FixedFunction");
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
