// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// hf_keccak_serial_shares on two shares with the plain ports of the word contract, for the word
// bench: a word is split into shares at random in each clock, the shares of a word are added. There
// are no passes after a reset, so that waits are those of the engine.
// RandomStalls makes random bits late.

module hf_masked_serial_plain
  import hf_keccak_word_pkg::*;
#(
    parameter int unsigned Slices = 4,
    parameter int unsigned WordWidth = 32,
    parameter bit RandomStalls = 1'b0,
    localparam int unsigned AddrWidth = word_address_width(WordWidth),
    localparam int unsigned KeepWidth = WordWidth / 8
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                 op_valid_i,
    output logic                 op_ready_o,
    input  logic [          1:0] op_i,
    input  logic [AddrWidth-1:0] op_addr_i,
    input  logic [KeepWidth-1:0] op_bytes_i,
    input  logic [WordWidth-1:0] op_word_i,
    output logic [WordWidth-1:0] word_o
);

  logic [63:0] split_q;
  logic [3:0] fresh_q;
  logic rand_valid_q, rand_ready;
  logic [5:0] late_q;  // clocks without random bits
  logic [1:0][WordWidth-1:0] word;

  always_ff @(posedge clk_i) begin
    split_q <= {$urandom, $urandom};
    if (rand_ready || !rand_valid_q) begin
      fresh_q <= 4'($urandom);
      rand_valid_q <= !rand_ready && late_q == '0;
      if (rand_ready) late_q <= RandomStalls ? 6'($urandom % 50) : '0;
      else if (late_q != '0) late_q <= late_q - 6'd1;
    end
    if (rst_i) begin
      rand_valid_q <= !RandomStalls;
      late_q <= RandomStalls ? 6'd40 : '0;
    end
  end

  hf_keccak_serial_shares #(
      .Slices     (Slices),
      .WordWidth  (WordWidth),
      .Shares     (2),
      .FirstPasses(0)
  ) u_engine (
      .clk_i,
      .rst_i,
      .op_valid_i,
      .op_ready_o,
      .op_i,
      .op_addr_i,
      .op_bytes_i,
      .op_word_i   ({split_q[WordWidth-1:0], op_word_i ^ split_q[WordWidth-1:0]}),
      .word_o      (word),
      .started_o   (),
      .rand_valid_i(rand_valid_q),
      .rand_ready_o(rand_ready),
      .rand_i      (fresh_q)
  );
  assign word_o = word[0] ^ word[1];

endmodule
