// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The strings that hf_sp800_185 keeps: N, S and the key (hf_sp800_185_pkg), StringBytes each, in a
// block RAM of words of DataWidth bits. Words of one string are stored or read in order, the first
// after a rewind. A word is there three clocks after the one before it was taken.
//
// After a reset N and S are empty, and the key counts as one whose load has failed: without it KMAC
// would give a MAC that anyone can compute.

module hf_sp800_185_strings
  import hf_sp800_185_pkg::*;
#(
    parameter  int unsigned DataWidth   = 64,
    parameter  int unsigned StringBytes = 256,
    localparam int unsigned KeepWidth   = DataWidth / 8,
    localparam int unsigned CountWidth  = $clog2(KeepWidth + 1),
    localparam int unsigned SizeWidth   = $clog2(StringBytes + 1)
) (
    input logic clk_i,
    input logic rst_i,

    input logic [1:0] string_index_i,       // the one that is stored or read
    input logic [1:0] next_string_index_i,  // the one of the next clock
    input logic       rewind_string_i,      // of `next_string_index_i`

    // A word to store; `store_fails_i`: the string must not be used.
    input  logic                  store_word_i,
    input  logic [ DataWidth-1:0] store_data_i,
    input  logic [CountWidth-1:0] store_count_i,  // bytes; 0 at the end of the string only
    input  logic                  store_last_i,
    input  logic                  store_fails_i,
    output logic                  store_full_o,   // a register: no word is left

    input  logic                  read_string_i,        // words are read
    input  logic                  string_word_taken_i,
    output logic                  string_word_ready_o,
    output logic [ DataWidth-1:0] string_word_data_o,
    output logic [CountWidth-1:0] string_word_count_o,  // bytes
    output logic                  string_word_last_o,   // of the string

    // Registers.
    output logic [3:0][SizeWidth-1:0] string_sizes_o,  // bytes
    output logic [3:0]                string_failed_o
);

  localparam int unsigned Words = (StringBytes > KeepWidth) ? StringBytes / KeepWidth : 1;
  localparam int unsigned IndexWidth = (Words > 1) ? $clog2(Words) : 1;
  localparam int unsigned AddrWidth = $clog2(4 * Words);

  logic [IndexWidth-1:0] word_index_q;
  logic [SizeWidth-1:0] bytes_left_q;  // of the string that is read
  logic [1:0] read_delay_q;  // clocks until the word is read
  logic [AddrWidth-1:0] word_addr;
  assign word_addr = (Words > 1) ? AddrWidth'({string_index_i, word_index_q}) :
      AddrWidth'(string_index_i);

  hf_ram #(
      .Width(DataWidth),
      .Depth(4 * Words)
  ) u_ram (
      .clk_i,
      .write_i     (store_word_i && store_count_i != '0),
      .write_addr_i(word_addr),
      .write_data_i(store_data_i),
      .read_addr_i (word_addr),
      .read_data_o (string_word_data_o)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      string_sizes_o  <= '0;
      string_failed_o <= 4'b0001 << StringKey;
    end else begin
      if (store_word_i && store_last_i) begin
        string_sizes_o[string_index_i] <= (SizeWidth'(word_index_q) << $clog2(
            KeepWidth
        )) + SizeWidth'(store_count_i);
        string_failed_o[string_index_i] <= 1'b0;
        // An empty beat after the last word.
        if (store_full_o) string_sizes_o[string_index_i] <= SizeWidth'(StringBytes);
      end
      if (store_fails_i) string_failed_o[string_index_i] <= 1'b1;
    end

    if (rewind_string_i) begin
      word_index_q <= '0;
      store_full_o <= 1'b0;
      bytes_left_q <= string_sizes_o[next_string_index_i];
    end else if (store_word_i || string_word_taken_i) begin
      word_index_q <= word_index_q + IndexWidth'(1);
      if (32'(word_index_q) == Words - 1) store_full_o <= 1'b1;
      bytes_left_q <= bytes_left_q - SizeWidth'(KeepWidth);
    end

    if (!read_string_i || string_word_taken_i) read_delay_q <= 2'd2;
    else if (read_delay_q != '0) read_delay_q <= read_delay_q - 2'd1;
  end

  assign string_word_ready_o = read_delay_q == '0;
  assign string_word_last_o  = 32'(bytes_left_q) <= KeepWidth;
  assign string_word_count_o = string_word_last_o ? CountWidth'(bytes_left_q) :
      CountWidth'(KeepWidth);

endmodule
