// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// SHA-3, SHAKE and Keccak with AXI4-Stream on both sides in the fewest LUTs, one message at a time:
// hf_keccak_word_stream and hf_keccak_tiny. The ports are described in docs/reference/stream.md.

module hf_keccak_tiny_axis
  import hf_keccak_word_pkg::*;
  import hf_keccak_legal_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 8,     // 8
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
    input  logic [    Slots-1:0] m_axis_stop
);

  localparam bit WidthLegal = width_legal(DataWidth, 8, 8);
  localparam bit TidLegal = tid_legal(TidWidth, 1);
  localparam int unsigned WordWidth = WidthLegal ? DataWidth : 8;
  localparam bit Fixed = FixedFunction != ByUser;
  localparam logic [LengthWidth-1:0] LengthField = length_field(FixedLength);

  logic op_valid, op_ready;
  word_op_e op;
  logic [word_address_width(WordWidth)-1:0] op_addr;
  logic [WordWidth/8-1:0] op_bytes;
  logic [WordWidth-1:0] op_word, word;

  hf_keccak_word_stream #(
      .DataWidth(WordWidth),
      .TidWidth (TidLegal ? TidWidth : 1),
      .Packets  (Packets)
  ) u_front (
      .clk_i,
      .rst_i,
      .s_tvalid_i(s_axis_tvalid),
      .s_tready_o(s_axis_tready),
      .s_tdata_i (s_axis_tdata),
      .s_tkeep_i (s_axis_tkeep),
      .s_tlast_i (s_axis_tlast),
      .s_tid_i   (s_axis_tid),
      .s_tuser_i ({
        Fixed ? LengthField : s_axis_tuser[UserWidth-1:LengthAt],
        s_axis_tuser[LengthAt-1:MoreAt],
        WholeBytes ? 3'd0 : s_axis_tuser[MoreAt-1:BitsAt],
        Fixed ? 8'(FixedFunction) : s_axis_tuser[BitsAt-1:0]
      }),
      .m_tvalid_o(m_axis_tvalid),
      .m_tready_i(m_axis_tready),
      .m_tdata_o (m_axis_tdata),
      .m_tkeep_o (m_axis_tkeep),
      .m_tlast_o (m_axis_tlast),
      .m_tid_o   (m_axis_tid),
      .m_tuser_o (m_axis_tuser),
      .stop_i    (m_axis_stop),
      .op_valid_o(op_valid),
      .op_ready_i(op_ready),
      .op_o      (op),
      .op_addr_o (op_addr),
      .op_bytes_o(op_bytes),
      .op_word_o (op_word),
      .word_i    (word)
  );
  assign s_axis_room = s_axis_tready;

  hf_keccak_tiny #(
      .WordWidth(WordWidth)
  ) u_engine (
      .clk_i,
      .rst_i,
      .op_valid_i(op_valid),
      .op_ready_o(op_ready),
      .op_i      (op),
      .op_addr_i (op_addr),
      .op_bytes_i(op_bytes),
      .op_word_i (op_word),
      .word_o    (word)
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (!WidthLegal) begin : gen_bad_width
    $fatal(1, "hf_keccak_tiny_axis: DataWidth is 8, not %0d", DataWidth);
  end
  if (!TidLegal) begin : gen_bad_tid
    $fatal(1, "hf_keccak_tiny_axis: TidWidth is 1 to 16, not %0d", TidWidth);
  end
  if (Fixed && !fixed_legal(FixedFunction)) begin : gen_bad_function
    $fatal(1, "hf_keccak_tiny_axis: no FixedFunction %0d (docs/integrate/dma.md)",
           FixedFunction);
  end
  if (Fixed && !length_legal(FixedFunction, FixedLength)) begin : gen_bad_length
    $fatal(1, "hf_keccak_tiny_axis: FixedLength is not given (docs/integrate/dma.md)");
  end
  if (!Fixed && FixedLength != 0) begin : gen_length_of_none
    $fatal(1, "hf_keccak_tiny_axis: FixedLength is without FixedFunction");
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
