// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The bursts in which the peripheral's DMA master writes a digest (docs/integrate/dma.md): each ends
// at a multiple of the longest burst, or at the digest's end.

module hf_keccak_dma_digest
  import hf_keccak_dma_pkg::WriteWords;
(
    input logic clk_i,

    input logic        addr_loaded_i,
    input logic [31:2] addr_i,
    input logic        begin_i,        // the digest's length is there
    input logic [ 4:0] own_words_i,    // the function's output in words; 0: any length
    input logic [31:0] output_bits_i,  // in that case

    input  logic        burst_begin_i,
    input  logic        word_read_i,    // out of the peripheral
    input  logic        burst_done_i,
    output logic [31:2] burst_addr_o,
    output logic [ 3:0] burst_len_o,    // words less one
    output logic [ 3:0] burst_bytes_o,  // of the last word
    output logic        burst_read_o,   // the word that is read is the burst's last
    output logic        burst_final_o   // the burst is the digest's last
);

  logic [27:0] words_left_q;  // that are not written
  logic [4:0] to_boundary, burst_words, burst_words_q;
  logic rest_fits;  // in one burst
  logic [3:0] unread_words_q;  // of the burst, less one
  logic [3:0] last_bytes;

  assign to_boundary = 5'(WriteWords) - {1'b0, burst_addr_o[5:2]};
  assign rest_fits   = words_left_q[27:5] == '0 && words_left_q[4:0] <= to_boundary;
  assign burst_words = rest_fits ? words_left_q[4:0] : to_boundary;
  always_comb begin
    last_bytes = '1;
    if (own_words_i == '0 && output_bits_i[4:0] != '0) begin
      for (int unsigned b = 1; b < 4; b++) last_bytes[b] = output_bits_i[4:0] > 5'(8 * b);
    end
  end

  always_ff @(posedge clk_i) begin
    if (addr_loaded_i) burst_addr_o <= addr_i;
    else if (burst_done_i) burst_addr_o <= burst_addr_o + 30'(burst_words_q);

    if (begin_i) begin
      words_left_q <= (own_words_i != '0) ? 28'(own_words_i) :
          28'((33'(output_bits_i) + 33'd31) >> 5);
    end else if (burst_done_i) words_left_q <= words_left_q - 28'(burst_words_q);

    if (burst_begin_i) begin
      burst_words_q  <= burst_words;
      unread_words_q <= 4'(burst_words - 5'd1);
      burst_final_o  <= rest_fits;
    end else if (word_read_i) unread_words_q <= unread_words_q - 4'd1;
  end

  assign burst_read_o  = unread_words_q == '0;
  assign burst_len_o   = 4'(burst_words_q - 5'd1);
  assign burst_bytes_o = burst_final_o ? last_bytes : '1;

endmodule
