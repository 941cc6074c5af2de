// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The control of hf_keccak_iterative_words without its data, with the gate that hf_keccak_checked has
// before it, to be compared with that of an engine. Synthesis would merge the two, so its hierarchy
// is kept. Timing is that of hf_keccak_iterative_words.

(* keep_hierarchy = "yes" *)
module hf_keccak_second_control
  import hf_keccak_word_pkg::*;
  import hf_keccak_lockstep_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,
    localparam int unsigned AddressWidth = word_address_width(WordWidth)
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                                      alarm_i,
    input  logic                                      op_valid_i,
    output logic                                      op_ready_o,
    input  logic [                               1:0] op_i,
    input  logic [                  AddressWidth-1:0] op_addr_i,
    input  logic [                   WordWidth/8-1:0] op_bytes_i,
    input  logic [                     WordWidth-1:0] op_word_i,
    output logic [words_control_width(WordWidth)-1:0] control_o
);

  logic unused_fault;
  logic [WordWidth-1:0] unused_word;
  // As in hf_keccak_checked.
  logic op_valid, op_ready, read_before_q, read_settled;
  assign op_valid   = op_valid_i && !alarm_i && !read_before_q && read_settled;
  assign op_ready_o = op_ready && op_valid;
  always_ff @(posedge clk_i) read_before_q <= op_ready_o && op_i == WordRead && !rst_i;

  if (WordWidth == 64) begin : gen_lane
    assign read_settled = 1'b1;
  end else begin : gen_part
    logic read_waits_q;
    assign read_settled = op_i != WordRead || read_waits_q;
    always_ff @(posedge clk_i) begin
      read_waits_q <= op_valid_i && op_i == WordRead && !op_ready_o && !rst_i;
    end
  end

  hf_keccak_iterative_words #(
      .WordWidth      (WordWidth),
      .StateInBlockRam(1'b0),
      .ControlOnly    (1'b1)
  ) u_engine (
      .clk_i,
      .rst_i,
      .op_valid_i(op_valid),
      .op_ready_o(op_ready),
      .op_i,
      .op_addr_i,
      .op_bytes_i,
      .op_word_i,
      .word_o    (unused_word),
      .fault_o   (unused_fault),
      .control_o
  );

endmodule
