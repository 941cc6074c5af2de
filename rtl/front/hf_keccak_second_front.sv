// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// hf_keccak_word_stream as a second one, whose outputs are compared with those of the first.
// Synthesis would merge the two, so its hierarchy is kept. Timing and errors are those of
// hf_keccak_word_stream.

(* keep_hierarchy = "yes" *)
module hf_keccak_second_front
  import hf_keccak_word_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 32,  // of the ports and of the engine's word: 8, 16, 32, 64
    parameter  int unsigned TidWidth = 1,
    parameter  bit          Packets = 1'b0,  // tlast with tuser's `more` set ends a packet only
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned AddrWidth = word_address_width(DataWidth)
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic                 s_tvalid_i,
    output logic                 s_tready_o,
    input  logic [DataWidth-1:0] s_tdata_i,
    input  logic [KeepWidth-1:0] s_tkeep_i,
    input  logic                 s_tlast_i,
    input  logic [ TidWidth-1:0] s_tid_i,
    input  logic [UserWidth-1:0] s_tuser_i,

    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    output logic [DataWidth-1:0] m_tdata_o,
    output logic [KeepWidth-1:0] m_tkeep_o,
    output logic                 m_tlast_o,
    output logic [ TidWidth-1:0] m_tid_o,
    output logic [          4:0] m_tuser_o,
    input  logic                 stop_i,

    // To the engine.
    output logic                 op_valid_o,
    input  logic                 op_ready_i,
    output word_op_e             op_o,
    output logic [AddrWidth-1:0] op_addr_o,
    output logic [KeepWidth-1:0] op_bytes_o,
    output logic [DataWidth-1:0] op_word_o,
    input  logic [DataWidth-1:0] word_i
);

  hf_keccak_word_stream #(
      .DataWidth(DataWidth),
      .TidWidth (TidWidth),
      .Packets  (Packets)
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
      .op_valid_o,
      .op_ready_i,
      .op_o,
      .op_addr_o,
      .op_bytes_o,
      .op_word_o,
      .word_i
  );

endmodule
