// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The words of a message that is anywhere in memory, in any number of segments, become beats that
// are full of message bytes: the peripheral absorbs those in a clock each, and others byte by byte.
// A word of memory is rotated to its place in a beat, joined with the bytes, less than a word, that
// the words before have left over; its bytes beyond the beat are kept for the next one.
//
// Errors: none. Timing: one word enters in each clock and passes two registers and hf_axis_slice.

module hf_keccak_dma_align #(
    parameter  int unsigned WordWidth   = 32,                // of a word and of a beat: 32 or 64
    localparam int unsigned WordBytes   = WordWidth / 8,
    localparam int unsigned OffsetWidth = $clog2(WordBytes)
) (
    input logic clk_i,
    input logic rst_i, // discards everything

    // A segment: the bytes of its words from `first_i` in the first word to `end_i` (0: all) in the
    // last one. Only after the one before is done.
    input  logic                   start_i,
    input  logic [OffsetWidth-1:0] first_i,
    input  logic [OffsetWidth-1:0] end_i,
    output logic                   busy_o,

    input  logic                 word_valid_i,
    input  logic [WordWidth-1:0] word_i,
    input  logic                 word_last_i,   // the segment's
    output logic                 word_take_o,

    // The message ends: the bytes that are left over are sent. Only while not busy_o.
    input  logic finish_i,
    output logic empty_o,   // nothing is left over, and all beats are taken

    output logic                 m_valid_o,
    input  logic                 m_ready_i,
    output logic [WordWidth-1:0] m_data_o,
    output logic [WordBytes-1:0] m_keep_o
);

  localparam int unsigned RestWidth = 8 * (WordBytes - 1);

  logic active_q;  // words of the segment are still to come
  logic begun_q;  // its first word was taken
  logic [OffsetWidth-1:0] first_q, end_q;
  logic [OffsetWidth-1:0] turn_q;  // a byte of a word moves up by as many places, around the end

  // The register after the rotation.
  logic turned_valid_q, turned_take;
  logic [WordWidth-1:0] turned, turned_q;
  logic [OffsetWidth:0] count, count_q;  // bytes in it that belong to the message

  logic [OffsetWidth-1:0] rest_q;  // bytes left over
  logic [RestWidth-1:0] rest_bytes_q;
  logic [OffsetWidth:0] total;
  logic full;  // a beat is
  logic beat, finishing;
  logic beat_ready;
  logic [WordWidth-1:0] beat_data;
  logic [WordBytes-1:0] beat_keep;

  assign busy_o = active_q || turned_valid_q;
  assign word_take_o = active_q && word_valid_i && (!turned_valid_q || turned_take);

  always_comb begin
    for (int unsigned i = 0; i < WordBytes; i++) begin
      logic [OffsetWidth-1:0] from;
      from = OffsetWidth'(i) - turn_q;
      turned[8*i+:8] = word_i[8*from+:8];
    end
  end
  assign count = ((word_last_i && end_q != '0) ? {1'b0, end_q} : (OffsetWidth + 1)'(WordBytes)) -
      (begun_q ? '0 : {1'b0, first_q});

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      active_q       <= 1'b0;
      turned_valid_q <= 1'b0;
    end else begin
      active_q       <= start_i || (active_q && !(word_take_o && word_last_i));
      turned_valid_q <= word_take_o || (turned_valid_q && !turned_take);
    end
    begun_q <= !start_i && (begun_q || word_take_o);
    if (start_i) begin
      first_q <= first_i;
      end_q   <= end_i;
      turn_q  <= rest_q - first_i;
    end
    if (word_take_o) begin
      turned_q <= turned;
      count_q  <= count;
    end
  end

  // Joined with the rest.
  assign total = {1'b0, rest_q} + count_q;
  assign full = total[OffsetWidth];
  assign finishing = finish_i && !turned_valid_q && rest_q != '0;
  assign beat = (turned_valid_q && full) || finishing;
  assign turned_take = turned_valid_q && (!full || beat_ready);
  always_comb begin
    for (int unsigned i = 0; i < WordBytes; i++) begin
      beat_data[8*i+:8] = turned_q[8*i+:8];
      beat_keep[i] = turned_valid_q || OffsetWidth'(i) < rest_q;
    end
    for (int unsigned i = 0; i < WordBytes - 1; i++) begin
      if (OffsetWidth'(i) < rest_q) beat_data[8*i+:8] = rest_bytes_q[8*i+:8];
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) rest_q <= '0;
    else if (turned_take) rest_q <= total[OffsetWidth-1:0];
    else if (finishing && beat_ready) rest_q <= '0;
    if (turned_take) rest_bytes_q <= full ? turned_q[RestWidth-1:0] : beat_data[RestWidth-1:0];
  end

  hf_axis_slice #(
      .Width(WordWidth + WordBytes)
  ) u_out (
      .clk_i,
      .rst_i,
      .s_valid_i(beat),
      .s_ready_o(beat_ready),
      .s_data_i ({beat_keep, beat_data}),
      .m_valid_o,
      .m_ready_i,
      .m_data_o ({m_keep_o, m_data_o})
  );
  assign empty_o = rest_q == '0 && !m_valid_o && !turned_valid_q;

endmodule
