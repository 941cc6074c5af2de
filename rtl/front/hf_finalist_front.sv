// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Front end of the SHA-3 finalists, with one slot: takes messages from a stream, feeds padded
// blocks to an engine and sends the digests. The engine follows the contract in
// docs/engines/finalists.md.
//
// Timing: the next block is shifted in while the engine works on the last one, in block / DataWidth
// clocks. The first word of a block is taken in the clock of the handshake of the block before. So
// an engine never waits if the port is as fast as the engine. A complete block is offered until it
// is accepted.
//
// Errors are those of hf_finalist_pad. An error beat is sent in the message's place.

module hf_finalist_front
  import hf_finalist_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned Family = FamilyBlake,  // a constant of hf_stream_pkg
    parameter  int unsigned Width = 256,  // width of the digest, in bits: 256 or 512
    parameter  int unsigned DataWidth = 64,  // width of the stream port, in bits
    parameter  int unsigned TidWidth = 1,
    parameter  bit          Packets = 1'b0,  // tlast with tuser's `more` set ends a packet only
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned BlockWidth = block_width(Family, Width)
) (
    input logic clk_i,
    input logic rst_i,

    // AXI4-Stream, as in the stream top (docs/reference/stream.md).
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
    output logic [          3:0] m_tuser_o,

    // The engine contract of the finalists (docs/engines/finalists.md), for one slot.
    output logic                  blk_valid_o,
    input  logic                  blk_ready_i,
    output logic                  blk_first_o,
    output logic                  blk_last_o,
    output logic [           1:0] blk_size_o,
    output logic [          63:0] blk_count_o,
    output logic [BlockWidth-1:0] blk_o,
    input  logic                  st_valid_i,
    output logic                  st_ready_o,
    input  logic [     Width-1:0] st_i
);

  localparam int unsigned NumWords = BlockWidth / DataWidth;

  // A pending digest.
  typedef struct packed {
    size_e               size;
    logic [TidWidth-1:0] tid;
  } output_t;

  ////////////////////
  // Block          //
  ////////////////////

  logic word_valid, word_ready, word_end, filled_first, filled_last;
  logic [DataWidth-1:0] word_data;
  logic [63:0] filled_count;
  output_t filled_output;
  logic error_valid, error_done;
  logic [TidWidth-1:0] error_tid;

  hf_finalist_pad #(
      .Family   (Family),
      .Width    (Width),
      .DataWidth(DataWidth),
      .TidWidth (TidWidth),
      .Packets  (Packets)
  ) u_pad (
      .clk_i,
      .rst_i,
      .s_tvalid_i,
      .s_tready_o,
      .s_tdata_i,
      .s_tkeep_i,
      .s_tlast_i,
      .s_tid_i,
      .s_tuser_i,
      .word_valid_o (word_valid),
      .word_ready_i (word_ready),
      .word_data_o  (word_data),
      .word_end_o   (word_end),
      .block_first_o(filled_first),
      .block_last_o (filled_last),
      .block_count_o(filled_count),
      .digest_size_o(filled_output.size),
      .digest_tid_o (filled_output.tid),
      .error_valid_o(error_valid),
      .error_tid_o  (error_tid),
      .error_done_i (error_done)
  );

  logic [NumWords-1:0][DataWidth-1:0] block_q;
  output_t block_output_q;
  logic full_q;  // a complete block is in block_q
  logic block_taken, word_shifted;  // the block is accepted; a word is shifted in

  assign word_ready   = !full_q || block_taken;
  assign word_shifted = word_valid && word_ready;

  always_ff @(posedge clk_i) begin
    if (rst_i) full_q <= 1'b0;
    else if (word_shifted) full_q <= word_end;
    else if (block_taken) full_q <= 1'b0;
    if (word_shifted) block_q <= {word_data, block_q[NumWords-1:1]};
    if (word_shifted && word_end) begin
      blk_first_o    <= filled_first;
      blk_last_o     <= filled_last;
      blk_count_o    <= filled_count;
      block_output_q <= filled_output;
    end
  end

  assign blk_size_o = block_output_q.size;
  assign blk_o = block_q;

  ////////////////////
  // Under way      //
  ////////////////////

  // Pending digests, oldest first. There are at most two.
  output_t pending_outputs_q[2];
  logic [1:0] pending_valid_q;
  logic digest_promised, digest_taken;  // a last block is accepted; a digest is taken

  assign blk_valid_o = full_q && !(blk_last_o && pending_valid_q[1]);
  assign block_taken = blk_valid_o && blk_ready_i;
  assign digest_promised = block_taken && blk_last_o;
  assign digest_taken = st_valid_i && st_ready_o;

  always_ff @(posedge clk_i) begin
    if (rst_i) pending_valid_q <= 2'b00;
    else begin
      unique case ({digest_promised, digest_taken})
        2'b10:   pending_valid_q <= {pending_valid_q[0], 1'b1};
        2'b01:   pending_valid_q <= {1'b0, pending_valid_q[1]};
        default: pending_valid_q <= pending_valid_q;
      endcase
    end
    if (digest_taken) pending_outputs_q[0] <= pending_outputs_q[1];
    if (digest_promised) begin
      if (!pending_valid_q[0] || (digest_taken && !pending_valid_q[1])) begin
        pending_outputs_q[0] <= block_output_q;
      end else pending_outputs_q[1] <= block_output_q;
    end
  end

  ////////////////////
  // Digest         //
  ////////////////////

  // The digest's low word is on the port. An error is a digest of one word without bytes.
  localparam int unsigned NumOut = Width / DataWidth;
  localparam int unsigned CountWidth = $clog2(NumOut + 1);
  logic [NumOut-1:0][DataWidth-1:0] digest_words_d, digest_words_q;
  logic [KeepWidth-1:0] last_keep_d, last_keep_q;  // of the last word
  logic [CountWidth-1:0] count_d, count_q;  // words still to come
  logic busy_q, digest_error_q;  // a digest is being sent; it is an error
  logic [TidWidth-1:0] message_tid_q;

  // Bits of st_i above the digest's size are undefined; at the port they are zero.
  always_comb begin
    digest_words_d = st_i;
    last_keep_d = '1;
    count_d = CountWidth'(NumOut);
    for (int unsigned size = 0; size < 4; size++) begin
      automatic int unsigned bytes = size_bytes(size_e'(2'(size)));
      if (8 * bytes < Width && pending_outputs_q[0].size == size_e'(2'(size))) begin
        digest_words_d = st_i & ~({Width{1'b1}} << 8 * bytes);
        count_d = CountWidth'((bytes + KeepWidth - 1) / KeepWidth);
        if (bytes % KeepWidth != 0) last_keep_d = ~({KeepWidth{1'b1}} << (bytes % KeepWidth));
      end
    end
  end

  // An error is sent when all that came before it has left. This is registered: a later message
  // takes longer than a clock to its digest.
  logic error_sent_q;  // the error is sent in this clock
  always_ff @(posedge clk_i) begin
    error_sent_q <= error_valid && !error_sent_q &&
        !word_valid && !full_q && pending_valid_q == 2'b00 && !busy_q && !rst_i;
  end
  assign error_done = error_sent_q;

  assign st_ready_o = !busy_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) busy_q <= 1'b0;
    else begin
      busy_q <= digest_taken || error_done || (busy_q && !(m_tready_i && m_tlast_o));
    end

    if (digest_taken) begin
      digest_words_q <= digest_words_d;
      last_keep_q    <= last_keep_d;
      count_q   <= count_d;
      digest_error_q <= 1'b0;
      message_tid_q   <= pending_outputs_q[0].tid;
    end else if (error_done) begin
      digest_words_q <= '0;
      last_keep_q    <= '0;
      count_q   <= CountWidth'(1);
      digest_error_q <= 1'b1;
      message_tid_q   <= error_tid;
    end else if (busy_q && m_tready_i) begin
      digest_words_q <= digest_words_q >> DataWidth;
      count_q <= count_q - CountWidth'(1);
    end
  end

  assign m_tvalid_o = busy_q;
  assign m_tdata_o = digest_words_q[0];
  assign m_tlast_o = count_q == CountWidth'(1);
  assign m_tkeep_o = m_tlast_o ? last_keep_q : '1;
  assign m_tid_o = message_tid_q;
  assign m_tuser_o = {3'd0, digest_error_q};

endmodule
