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

  logic word_valid, word_ready, word_end, word_first, word_last;
  logic [DataWidth-1:0] word;
  logic [63:0] word_count;
  output_t word_output;
  logic error, error_done;
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
      .word_valid_o(word_valid),
      .word_ready_i(word_ready),
      .word_o      (word),
      .word_end_o  (word_end),
      .word_first_o(word_first),
      .word_last_o (word_last),
      .word_count_o(word_count),
      .word_size_o (word_output.size),
      .word_tid_o  (word_output.tid),
      .error_o     (error),
      .error_tid_o (error_tid),
      .error_done_i(error_done)
  );

  logic [NumWords-1:0][DataWidth-1:0] block_q;
  output_t block_output_q;
  logic full_q;  // a complete block is in block_q
  logic handshake, shift;  // the block is accepted; a word is shifted in

  assign word_ready = !full_q || handshake;
  assign shift = word_valid && word_ready;

  always_ff @(posedge clk_i) begin
    if (rst_i) full_q <= 1'b0;
    else if (shift) full_q <= word_end;
    else if (handshake) full_q <= 1'b0;
    if (shift) block_q <= {word, block_q[NumWords-1:1]};
    if (shift && word_end) begin
      blk_first_o    <= word_first;
      blk_last_o     <= word_last;
      blk_count_o    <= word_count;
      block_output_q <= word_output;
    end
  end

  assign blk_size_o = block_output_q.size;
  assign blk_o = block_q;

  ////////////////////
  // Under way      //
  ////////////////////

  // Pending digests, oldest first. There are at most two.
  output_t pending_q[2];
  logic [1:0] pending_valid_q;
  logic promise, settle;  // a last block is accepted; a digest is taken

  assign blk_valid_o = full_q && !(blk_last_o && pending_valid_q[1]);
  assign handshake = blk_valid_o && blk_ready_i;
  assign promise = handshake && blk_last_o;
  assign settle = st_valid_i && st_ready_o;

  always_ff @(posedge clk_i) begin
    if (rst_i) pending_valid_q <= 2'b00;
    else begin
      unique case ({promise, settle})
        2'b10:   pending_valid_q <= {pending_valid_q[0], 1'b1};
        2'b01:   pending_valid_q <= {1'b0, pending_valid_q[1]};
        default: pending_valid_q <= pending_valid_q;
      endcase
    end
    if (settle) pending_q[0] <= pending_q[1];
    if (promise) begin
      if (!pending_valid_q[0] || (settle && !pending_valid_q[1])) pending_q[0] <= block_output_q;
      else pending_q[1] <= block_output_q;
    end
  end

  ////////////////////
  // Digest         //
  ////////////////////

  // The digest's low word is on the port. An error is a digest of one word without bytes.
  localparam int unsigned NumOut = Width / DataWidth;
  localparam int unsigned CountWidth = $clog2(NumOut + 1);
  logic [NumOut-1:0][DataWidth-1:0] digest_d, digest_q;
  logic [KeepWidth-1:0] keep_d, keep_q;  // of the last word
  logic [CountWidth-1:0] count_d, count_q;  // words still to come
  logic busy_q, error_q;  // a digest is being sent; it is an error
  logic [TidWidth-1:0] tid_q;

  // Bits of st_i above the digest's size are undefined; at the port they are zero.
  always_comb begin
    digest_d = st_i;
    keep_d   = '1;
    count_d  = CountWidth'(NumOut);
    for (int unsigned size = 0; size < 4; size++) begin
      automatic int unsigned bytes = size_bytes(size_e'(2'(size)));
      if (8 * bytes < Width && pending_q[0].size == size_e'(2'(size))) begin
        digest_d = st_i & ~({Width{1'b1}} << 8 * bytes);
        count_d  = CountWidth'((bytes + KeepWidth - 1) / KeepWidth);
        if (bytes % KeepWidth != 0) keep_d = ~({KeepWidth{1'b1}} << (bytes % KeepWidth));
      end
    end
  end

  // An error is sent when all that came before it has left. This is registered: a later message
  // takes longer than a clock to its digest.
  logic error_goes_q;  // the error is sent in this clock
  always_ff @(posedge clk_i) begin
    error_goes_q <= error && !error_goes_q && !word_valid && !full_q && pending_valid_q == 2'b00 &&
        !busy_q && !rst_i;
  end
  assign error_done = error_goes_q;

  assign st_ready_o = !busy_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) busy_q <= 1'b0;
    else busy_q <= settle || error_done || (busy_q && !(m_tready_i && m_tlast_o));

    if (settle) begin
      digest_q <= digest_d;
      keep_q   <= keep_d;
      count_q  <= count_d;
      error_q  <= 1'b0;
      tid_q    <= pending_q[0].tid;
    end else if (error_done) begin
      digest_q <= '0;
      keep_q   <= '0;
      count_q  <= CountWidth'(1);
      error_q  <= 1'b1;
      tid_q    <= error_tid;
    end else if (busy_q && m_tready_i) begin
      digest_q <= digest_q >> DataWidth;
      count_q  <= count_q - CountWidth'(1);
    end
  end

  assign m_tvalid_o = busy_q;
  assign m_tdata_o = digest_q[0];
  assign m_tlast_o = count_q == CountWidth'(1);
  assign m_tkeep_o = m_tlast_o ? keep_q : '1;
  assign m_tid_o = tid_q;
  assign m_tuser_o = {3'd0, error_q};

endmodule
