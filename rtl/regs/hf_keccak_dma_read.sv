// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Reads of the peripheral's DMA master: a range of words in memory becomes bursts, and what they
// return goes into a buffer. A burst ends where its address is a multiple of BurstWords words, at
// the latest, so none crosses 4 KiB. It is requested when the buffer has room for all of it: the
// bus never waits for the peripheral.
//
// The bus side (hf_keccak_dma_axi, hf_keccak_dma_wb) answers bursts in their order, a beat in any
// clock after the request was accepted, and cannot be stopped. `data_last_i` ends each burst; after
// an error it may come before the burst's last beat.
//
// A range, and the parameters, are in words of 32 bits; a beat has WordWidth bits, so of 64 two
// words: those at both ends of a range are read with the beat that they share with another word.

module hf_keccak_dma_read #(
    parameter  int unsigned BurstWords  = 16,                  // longest burst: 16, 32 or 64
    parameter  int unsigned BufferWords = 64,                  // twice BurstWords to 128
    parameter  int unsigned WordWidth   = 32,                  // of a beat: 32 or 64
    localparam int unsigned LengthWidth = $clog2(BurstWords)
) (
    input logic clk_i,
    input logic rst_i,

    // A range, of one word at least; only after the one before is complete.
    input  logic        start_i,
    input  logic [31:2] addr_i,
    input  logic [30:0] words_i,
    input  logic        stop_i,  // request no more bursts
    input  logic        flush_i,  // empties the buffer; only while no burst is open
    output logic        open_o,  // bursts are requested and not answered
    // A word was answered with an error: until flush_i.
    output logic        error_o,
    output logic [31:2] error_addr_o,

    output logic                   burst_valid_o,
    input  logic                   burst_ready_i,
    output logic [           31:2] burst_addr_o,
    output logic [LengthWidth-1:0] burst_len_o,    // beats less one
    input  logic                   data_valid_i,
    input  logic [  WordWidth-1:0] data_i,
    input  logic                   data_error_i,
    input  logic                   data_last_i,

    output logic                 word_valid_o,
    output logic [WordWidth-1:0] word_o,
    output logic                 word_last_o,   // the range's last
    input  logic                 word_take_i
);

  localparam int unsigned BeatWords = WordWidth / 32;
  localparam int unsigned BeatAt = $clog2(WordWidth / 8);  // in an address
  localparam int unsigned BurstBeats = BurstWords / BeatWords;
  localparam int unsigned BufferBeats = BufferWords / BeatWords;
  localparam int unsigned SizeWidth = $clog2(BurstBeats);
  localparam int unsigned LevelWidth = $clog2(BufferBeats + 1);

  typedef enum logic [1:0] {
    RangeNone,
    RangeSize,  // the length of the next burst is computed
    RangeAsk    // it is requested
  } range_e;

  range_e range_q;
  logic [31:2] addr_q;
  logic [30:0] left_q;  // beats that are not requested
  logic [SizeWidth:0] size, size_q, to_boundary;
  logic final_q;  // of the burst that is requested: the range's last
  logic asked;
  logic room;
  logic [LevelWidth-1:0] reserved_q;  // beats in the buffer or on their way
  logic [LevelWidth-1:0] bursts_q;  // bursts that are open
  logic answered;
  logic [31:2] arrive_q;  // the address of the next word that comes
  logic error_q;

  // Beats of a range, and the first one's address.
  logic [31:2] first_addr;
  logic [30:0] beats;
  if (BeatWords == 1) begin : gen_words
    assign first_addr = addr_i;
    assign beats = words_i;
  end else begin : gen_beats
    assign first_addr = {addr_i[31:3], 1'b0};
    assign beats = 31'((32'(words_i) + 32'(addr_i[2]) + 32'd1) >> 1);
  end

  assign to_boundary = (SizeWidth + 1)'(BurstBeats) - {1'b0, addr_q[BeatAt+:SizeWidth]};
  always_comb begin
    size = to_boundary;
    if (left_q[30:SizeWidth+1] == '0 && left_q[SizeWidth:0] < to_boundary) begin
      size = left_q[SizeWidth:0];
    end
  end
  assign room = reserved_q <= LevelWidth'(BufferBeats - BurstBeats);

  assign burst_valid_o = range_q == RangeAsk;
  assign burst_addr_o = addr_q;
  assign burst_len_o = LengthWidth'(size_q - (SizeWidth + 1)'(1));
  assign asked = burst_valid_o && burst_ready_i;
  assign answered = data_valid_i && data_last_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) range_q <= RangeNone;
    else if (start_i) range_q <= RangeSize;
    else begin
      unique case (range_q)
        RangeSize: begin
          if (stop_i) range_q <= RangeNone;
          else if (room) range_q <= RangeAsk;
        end
        RangeAsk: begin
          if (asked) range_q <= final_q ? RangeNone : RangeSize;
          else if (stop_i) range_q <= RangeNone;
        end
        default: range_q <= RangeNone;
      endcase
    end
    size_q  <= (range_q == RangeSize) ? size : size_q;
    final_q <= (range_q == RangeSize) ? left_q == 31'(size) : final_q;

    if (start_i) begin
      addr_q <= first_addr;
      left_q <= beats;
    end else if (asked) begin
      addr_q <= addr_q + 30'(BeatWords * size_q);
      left_q <= left_q - 31'(size_q);
    end

    if (rst_i) bursts_q <= '0;
    else bursts_q <= bursts_q + LevelWidth'(asked) - LevelWidth'(answered);

    if (rst_i || flush_i) reserved_q <= '0;
    else begin
      reserved_q <= reserved_q + (asked ? LevelWidth'(size_q) : '0) -
          LevelWidth'(word_take_i && word_valid_o);
    end

    if (start_i) arrive_q <= addr_i;
    else if (data_valid_i && !error_q && !data_error_i) begin
      arrive_q <= (arrive_q | 30'(BeatWords - 1)) + 30'd1;
    end
    if (rst_i || flush_i) error_q <= 1'b0;
    else if (data_valid_i && data_error_i) error_q <= 1'b1;
  end

  assign open_o = bursts_q != '0 || range_q == RangeAsk;
  assign error_o = error_q;
  assign error_addr_o = arrive_q;

  logic range_last, full, unused_full;
  logic [LevelWidth-1:0] level;
  assign range_last = answered && bursts_q == LevelWidth'(1) && range_q == RangeNone;
  hf_fifo #(
      .Width(WordWidth + 1),
      .Depth(($countones(BufferBeats) == 1 && BufferBeats <= 128) ? BufferBeats : 64)
  ) u_buffer (
      .clk_i,
      .clear_i(rst_i || flush_i),
      .write_i(data_valid_i),
      .data_i ({range_last, data_i}),
      .full_o (full),
      .valid_o(word_valid_o),
      .data_o ({word_last_o, word_o}),
      .read_i (word_take_i),
      .level_o(level)
  );
  assign unused_full = ^{full, level};

endmodule
