// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A descriptor of the peripheral's DMA master (docs/integrate/dma.md), by its words in order, and
// whether it is legal. A word is registered, and goes to its place in the next clock.

module hf_keccak_dma_descriptor
  import hf_keccak_dma_pkg::*;
  import hf_keccak_pkg::function_info;
  import hf_keccak_pkg::function_info_t;
  import hf_keccak_pkg::function_known;
  import hf_keccak_pkg::FunctionWidth;
(
    input logic clk_i,

    input logic        rewind_i,        // the next word is the first
    input logic        word_valid_i,
    input logic [31:0] word_i,
    input logic        message_begun_i, // by a descriptor before

    output descriptor_t        descriptor_o,
    output logic               legal_o,              // three clocks after the last word
    output logic               loaded_o,             // the last word goes to its place
    output logic        [31:2] digest_addr_o,
    output logic               digest_addr_loaded_o
);

  logic [2:0] word_index_q, raw_index_q;
  logic raw_valid_q;
  logic [31:0] raw_word_q;
  logic unknown_bits_q;  // of WordControl are set
  logic function_known_q;
  logic no_length_q;  // 0, or open
  logic [1:0] digest_low_q;  // of the digest's address
  logic [4:0] next_low_q;
  function_info_t info;
  logic unused_info;

  assign info = function_info(FunctionWidth'(descriptor_o.function_code));
  assign unused_info = ^{info.rate_lanes, info.suffix, info.suffix_len};

  always_ff @(posedge clk_i) begin
    word_index_q <= rewind_i ? '0 : word_index_q + 3'(word_valid_i);
    raw_valid_q  <= word_valid_i;
    raw_index_q  <= word_index_q;
    if (word_valid_i) raw_word_q <= word_i;

    if (raw_valid_q) begin
      unique case (raw_index_q)
        3'(WordControl): begin
          descriptor_o.flags <= flags_t'(raw_word_q[8+:$bits(flags_t)]);
          unknown_bits_q     <= raw_word_q[31:UnusedFrom] != '0;
          if (raw_word_q[8]) descriptor_o.function_code <= raw_word_q[7:0];
        end
        3'(WordSource): descriptor_o.source_addr <= raw_word_q;
        3'(WordBytes): begin
          descriptor_o.source_words <=
              31'((34'(raw_word_q) + 34'(descriptor_o.source_addr[1:0]) + 34'd3) >> 2);
          descriptor_o.source_end <= raw_word_q[2:0] + descriptor_o.source_addr[2:0];
          descriptor_o.is_empty <= raw_word_q == '0;
        end
        3'(WordLength): begin
          descriptor_o.output_length <= raw_word_q;
          no_length_q                <= raw_word_q == '0 || raw_word_q == '1;
        end
        3'(WordTail): begin
          descriptor_o.tail_text <= raw_word_q[15:8];
          descriptor_o.tail_bits <= raw_word_q[2:0];
        end
        3'(WordDigest): digest_low_q <= raw_word_q[1:0];
        default:        {descriptor_o.next_addr, next_low_q} <= raw_word_q;
      endcase
    end
    function_known_q       <= function_known(descriptor_o.function_code);
    descriptor_o.own_words <= info.digest_words;
  end

  assign loaded_o = raw_valid_q && raw_index_q == 3'(WordNext);
  assign digest_addr_loaded_o = raw_valid_q && raw_index_q == 3'(WordDigest);
  assign digest_addr_o = raw_word_q[31:2];

  always_ff @(posedge clk_i) begin
    legal_o <= !unknown_bits_q && (descriptor_o.flags.begins != message_begun_i) &&
        function_known_q &&
        !(descriptor_o.flags.last_of_list && !descriptor_o.flags.ends) &&
        !(descriptor_o.flags.ends && digest_low_q != '0) &&
        !(descriptor_o.flags.ends && descriptor_o.own_words == '0 && no_length_q) &&
        !(!descriptor_o.flags.last_of_list && next_low_q != '0);
  end

endmodule
