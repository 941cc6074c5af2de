// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// hf_keccak_masked_serial with AXI4-Stream on both sides, all of it in shares
// (docs/engines/keccak-masked.md): the padding and framing of hf_keccak_word_stream, and a window to
// the state in shares (hf_keccak_word_window), with which a user saves and restores it. Share i of a
// word is in bits DataWidth * i and up.
//
// The state is that of the message's beats that were accepted, when s_tready_o is high again after
// the last of them and m_tvalid_o was not high. A state that was added before a message's first
// beat is the one in which the message begins.

module hf_keccak_masked_serial_stream
  import hf_keccak_pkg::*;
  import hf_keccak_word_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned Order = 1,       // 1, 2 or 3: shares less one
    parameter  int unsigned Slices = 4,      // as in hf_keccak_masked_serial
    parameter  int unsigned DataWidth = 32,  // of a share: 8, 16, 32 or 64, more than Slices
    parameter  int unsigned TidWidth = 1,
    parameter  bit          Packets = 1'b0,  // `more` at tlast: the message continues
    parameter  bit          Window = 1'b1,   // the window is used
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned AddrWidth = word_address_width(DataWidth),
    localparam int unsigned Shares = Order + 1,
    localparam int unsigned RandWidth = (Order > 1) ? 25 * Slices * Order * (Order + 1) / 2 : 4
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic                        s_tvalid_i,
    output logic                        s_tready_o,
    input  logic [Shares*DataWidth-1:0] s_tdata_i,
    input  logic [       KeepWidth-1:0] s_tkeep_i,
    input  logic                        s_tlast_i,
    input  logic [        TidWidth-1:0] s_tid_i,
    input  logic [       UserWidth-1:0] s_tuser_i,

    output logic                        m_tvalid_o,
    input  logic                        m_tready_i,
    output logic [Shares*DataWidth-1:0] m_tdata_o,
    output logic [       KeepWidth-1:0] m_tkeep_o,
    output logic                        m_tlast_o,
    output logic [        TidWidth-1:0] m_tid_o,
    output logic [                 4:0] m_tuser_o,
    input  logic                        stop_i,

    // The window, as in hf_keccak_word_window; the word that was read.
    input  logic                        window_valid_i,
    output logic                        window_ready_o,
    input  word_op_e                    window_op_i,
    input  logic [       AddrWidth-1:0] window_addr_i,
    input  logic [Shares*DataWidth-1:0] window_word_i,
    output logic [Shares*DataWidth-1:0] window_word_o,

    // As in hf_keccak_masked_serial.
    output logic                 started_o,
    input  logic                 rand_valid_i,
    output logic                 rand_ready_o,
    input  logic [RandWidth-1:0] rand_i
);

  logic front_valid, front_ready, op_valid, op_ready;
  word_op_e front_op, op;
  logic [AddrWidth-1:0] front_addr, op_addr;
  logic [KeepWidth-1:0] front_bytes, op_bytes;
  logic [Shares*DataWidth-1:0] front_word, op_word, word;

  hf_keccak_word_stream #(
      .DataWidth(DataWidth),
      .TidWidth (TidWidth),
      .Packets  (Packets),
      .Shares   (Shares)
  ) u_front (
      .clk_i,
      .rst_i,
      .s_tvalid_i,
      .s_tready_o,
      .s_tdata_i,
      .s_tkeep_i,
      .s_tlast_i,
      .s_tid_i,
      .s_tuser_i,
      .m_tvalid_o,
      .m_tready_i,
      .m_tdata_o,
      .m_tkeep_o,
      .m_tlast_o,
      .m_tid_o,
      .m_tuser_o,
      .stop_i,
      .op_valid_o(front_valid),
      .op_ready_i(front_ready),
      .op_o      (front_op),
      .op_addr_o (front_addr),
      .op_bytes_o(front_bytes),
      .op_word_o (front_word),
      .word_i    (word)
  );

  hf_keccak_word_window #(
      .WordWidth(DataWidth),
      .Shares   (Shares)
  ) u_window (
      .clk_i,
      .rst_i,
      .front_valid_i(front_valid),
      .front_ready_o(front_ready),
      .front_op_i   (front_op),
      .front_addr_i (front_addr),
      .front_bytes_i(front_bytes),
      .front_word_i (front_word),
      .window_valid_i,
      .window_ready_o,
      .window_op_i,
      .window_addr_i,
      .window_word_i,
      .op_valid_o   (op_valid),
      .op_ready_i   (op_ready),
      .op_o         (op),
      .op_addr_o    (op_addr),
      .op_bytes_o   (op_bytes),
      .op_word_o    (op_word)
  );
  assign window_word_o = word;

  // The window adds to all lanes, the front end to those of the widest rate only.
  hf_keccak_masked_serial #(
      .Order     (Order),
      .Slices    (Slices),
      .WordWidth (DataWidth),
      .BlockLanes(Window ? 25 : MaxRateLanes)
  ) u_engine (
      .clk_i,
      .rst_i,
      .op_valid_i(op_valid),
      .op_ready_o(op_ready),
      .op_i      (op),
      .op_addr_i (op_addr),
      .op_bytes_i(op_bytes),
      .op_word_i (op_word),
      .word_o    (word),
      .started_o,
      .rand_valid_i,
      .rand_ready_o,
      .rand_i
  );

endmodule
