// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// hf_keccak_iterative_words with detection of faults, against fault attacks and for functional
// safety: Keccak-f[1600], a round a clock, with the ports of the word contract
// (docs/reference/word-contract.md) and an alarm.
//
//   data     parities of the state, of what is added and of what is read (hf_keccak_parity)
//   control  a second control in lockstep with the first; their registers are compared in each
//            clock in which they are used
//
// alarm_o rises at most four clocks after a wrong bit has entered the state, and at most two after
// a wrong word is read. It stays until a reset; while it is high, no operation is accepted.
// docs/engines/keccak-checked.md says which faults are found and which are not.
//
// The clocks are those of hf_keccak_iterative_words without block RAM, but that an operation waits
// a clock more if a read was accepted in the clock before, and a read of a word of less than a lane
// always does.

module hf_keccak_checked
  import hf_keccak_word_pkg::*;
  import hf_keccak_lockstep_pkg::*;
#(
    parameter  int unsigned WordWidth = 64,  // 8, 16, 32 or 64
    // Not for users: the width if it is legal, and what follows from it.
    localparam int unsigned Width = word_width_legal(WordWidth) ? WordWidth : 32,
    localparam int unsigned AddressWidth = word_address_width(Width)
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                    op_valid_i,
    output logic                    op_ready_o,
    input  logic [             1:0] op_i,
    input  logic [AddressWidth-1:0] op_addr_i,
    input  logic [     Width/8-1:0] op_bytes_i,
    input  logic [       Width-1:0] op_word_i,
    output logic [       Width-1:0] word_o,

    output logic second_ready_o,  // op_ready_o of the second control, for a second front end
    output logic alarm_o          // a fault was found
);

  localparam int unsigned ControlWidth = words_control_width(Width);

  // With words of less than a lane, hf_keccak_word_stream needs a clock from the offer of a read to
  // its acceptance: whether the word ends the output is registered.
  logic op_valid, op_ready, read_settled;
  logic read_before_q;  // a read was accepted in the clock before
  assign op_valid   = op_valid_i && !alarm_o && !read_before_q && read_settled;
  assign op_ready_o = op_ready && op_valid;
  always_ff @(posedge clk_i) read_before_q <= op_ready_o && op_i == WordRead && !rst_i;

  if (Width == 64) begin : gen_lane
    assign read_settled = 1'b1;
  end else begin : gen_part
    logic read_waits_q;
    assign read_settled = op_i != WordRead || read_waits_q;
    always_ff @(posedge clk_i) begin
      read_waits_q <= op_valid_i && op_i == WordRead && !op_ready_o && !rst_i;
    end
  end

  logic data_fault, unused_differs;
  logic [ControlWidth-1:0] control, second_control;

  hf_keccak_iterative_words #(
      .WordWidth      (Width),
      .StateInBlockRam(1'b0),
      .Checked        (1'b1)
  ) u_engine (
      .clk_i,
      .rst_i,
      .op_valid_i(op_valid),
      .op_ready_o(op_ready),
      .op_i,
      .op_addr_i,
      .op_bytes_i,
      .op_word_i,
      .word_o,
      .fault_o   (data_fault),
      .control_o (control)
  );

  hf_keccak_second_control #(
      .WordWidth(Width)
  ) u_second (
      .clk_i,
      .rst_i,
      .alarm_i   (alarm_o),
      .op_valid_i,
      .op_ready_o(second_ready_o),
      .op_i,
      .op_addr_i,
      .op_bytes_i,
      .op_word_i,
      .control_o (second_control)
  );

  hf_alarm #(
      .Width(ControlWidth)
  ) u_alarm (
      .clk_i,
      .rst_i,
      .first_i (control),
      .second_i(second_control),
      .fault_i (data_fault),
      .differs_o(unused_differs),
      .alarm_o
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (!word_width_legal(WordWidth)) begin : gen_no_width
    $fatal(1, "hf_keccak_checked: WordWidth is 8, 16, 32 or 64, not %0d", WordWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
