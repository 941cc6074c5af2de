// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// hf_keccak_serial_shares on Order + 1 shares with the plain ports of the word contract, for the word
// bench: a word is split into shares at random in each clock, the shares of a word are added. There
// are no passes after a reset, so that waits are those of the engine.
// RandomStalls makes random bits late: with Order = 1 at any time, else the first ones.

module hf_masked_serial_plain
  import hf_keccak_word_pkg::*;
#(
    parameter int unsigned Order = 1,
    parameter int unsigned Slices = 4,
    parameter int unsigned WordWidth = 32,
    parameter bit RandomStalls = 1'b0,
    localparam int unsigned AddrWidth = word_address_width(WordWidth),
    localparam int unsigned KeepWidth = WordWidth / 8,
    localparam int unsigned Shares = Order + 1,
    localparam int unsigned RandWidth = (Order == 1) ? 4 : 25 * Slices * Order * (Order + 1) / 2
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

  localparam int unsigned FreshWidth = (RandWidth + 31) / 32 * 32;

  logic [Order-1:0][63:0] split_q;
  logic [FreshWidth-1:0] fresh_q;
  logic rand_valid_q, rand_ready;
  logic [5:0] late_q;  // clocks without random bits
  logic [Shares-1:0][WordWidth-1:0] op_word, word;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Order; i++) split_q[i] <= {$urandom, $urandom};
    if (rand_ready || !rand_valid_q) begin
      for (int unsigned i = 0; i < FreshWidth / 32; i++) fresh_q[32*i+:32] <= $urandom;
      rand_valid_q <= (Order > 1 || !rand_ready) && late_q == '0;
      if (rand_ready && Order == 1) late_q <= RandomStalls ? 6'($urandom % 50) : '0;
      else if (late_q != '0) late_q <= late_q - 6'd1;
    end
    if (rst_i) begin
      rand_valid_q <= !RandomStalls;
      late_q <= RandomStalls ? 6'd40 : '0;
    end
  end

  always_comb begin
    op_word[0] = op_word_i;
    word_o = word[0];
    for (int unsigned i = 1; i < Shares; i++) begin
      op_word[i] = split_q[i-1][WordWidth-1:0];
      op_word[0] ^= op_word[i];
      word_o ^= word[i];
    end
  end

  hf_keccak_serial_shares #(
      .Slices     (Slices),
      .WordWidth  (WordWidth),
      .Shares     (Shares),
      .FirstPasses(0)
  ) u_engine (
      .clk_i,
      .rst_i,
      .op_valid_i,
      .op_ready_o,
      .op_i,
      .op_addr_i,
      .op_bytes_i,
      .op_word_i   (op_word),
      .word_o      (word),
      .started_o   (),
      .rand_valid_i(rand_valid_q),
      .rand_ready_o(rand_ready),
      .rand_i      (fresh_q[RandWidth-1:0])
  );

endmodule
