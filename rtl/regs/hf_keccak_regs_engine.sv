// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The engine of the Keccak peripheral, chosen by a parameter, with the ports of the word contract
// (docs/reference/word-contract.md).

module hf_keccak_regs_engine
  import hf_keccak_word_pkg::*;
  import hf_keccak_lockstep_pkg::*;
  import hf_keccak_regs_pkg::*;
#(
    parameter  int unsigned Engine = EngineIterative,  // a code of hf_keccak_regs_pkg
    parameter  bit          StateInBlockRam = 1'b1,    // of hf_keccak_iterative_words
    parameter  int unsigned WordWidth = 32,            // 32 or 64 with that one, 8 with the others
    localparam int unsigned AddrWidth = word_address_width(WordWidth)
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                   op_valid_i,
    output logic                   op_ready_o,
    input  logic [            1:0] op_i,        // a word_op_e
    input  logic [  AddrWidth-1:0] op_addr_i,
    input  logic [WordWidth/8-1:0] op_bytes_i,
    input  logic [  WordWidth-1:0] op_word_i,
    output logic [  WordWidth-1:0] word_o,
    output logic                   answered_o   // a read, or a wipe, is accepted in this clock
);

  if (Engine == EngineTiny || Engine == EngineSerial) begin : gen_answered
    assign answered_o = op_valid_i && op_ready_o && (op_i == WordRead || op_i == WordWipe);
  end

  if (Engine == EngineTiny) begin : gen_tiny
    hf_keccak_tiny #(
        .WordWidth(WordWidth)
    ) u_engine (
        .clk_i,
        .rst_i,
        .op_valid_i,
        .op_ready_o,
        .op_i,
        .op_addr_i,
        .op_bytes_i,
        .op_word_i,
        .word_o
    );
  end else if (Engine == EngineSerial) begin : gen_serial
    hf_keccak_serial #(
        .WordWidth(WordWidth)
    ) u_engine (
        .clk_i,
        .rst_i,
        .op_valid_i,
        .op_ready_o,
        .op_i,
        .op_addr_i,
        .op_bytes_i,
        .op_word_i,
        .word_o
    );
  end else begin : gen_iterative
    logic op_valid, op_ready;
    logic [1:0] op;
    logic [AddrWidth-1:0] op_addr;
    logic [WordWidth/8-1:0] op_bytes;
    logic [WordWidth-1:0] op_word, word;
    logic unused_fault;
    logic [words_control_width(WordWidth)-1:0] unused_control;
    hf_keccak_word_slice #(
        .WordWidth(WordWidth),
        .Twice    (WordWidth > engine_part_width(Engine))
    ) u_slice (
        .clk_i,
        .rst_i,
        .op_valid_i,
        .op_ready_o,
        .op_i,
        .op_addr_i,
        .op_bytes_i,
        .op_word_i,
        .word_o,
        .answered_o,
        .op_valid_o(op_valid),
        .op_ready_i(op_ready),
        .op_o      (op),
        .op_addr_o (op_addr),
        .op_bytes_o(op_bytes),
        .op_word_o (op_word),
        .word_i    (word)
    );
    hf_keccak_iterative_words #(
        .WordWidth      (WordWidth),
        .StateInBlockRam(StateInBlockRam)
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
        .fault_o   (unused_fault),
        .control_o (unused_control)
    );
  end

endmodule
