// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Message path of the Keccak peripheral: words of 32 bits from the bus or beats from AXI4-Stream, of
// which any bytes may be valid, through a FIFO to words of WordWidth bits for hf_keccak_word_sponge;
// and the end of a message that a beat or the number of its bytes ends. A beat has 32 bits, or the
// 64 of a word; a word of the bus is then the lower half of one.

module hf_keccak_regs_message
  import hf_keccak_regs_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,     // 8, 16, 32 or 64
    parameter  int unsigned MessageWords = 16,  // depth of the FIFO: 0 or a power of two up to 128
    parameter  bit          Stream = 1'b1,      // the AXI4-Stream input exists
    parameter  bit          Run = 1'b1,         // RUN exists, and may give the number of bytes
    localparam int unsigned KeepWidth = WordWidth / 8,
    localparam int unsigned EntryWidth = (WordWidth > 32) ? WordWidth : 32  // of a beat
) (
    input logic clk_i,
    input logic rst_i,
    input logic clear_i, // discards all words

    input logic absorb_i,   // phase absorb
    input logic hold_i,     // a hold is pending
    input logic waits_i,    // a command waits
    input logic settled_i,  // as in pending_t
    input logic stream_i,   // message words come by AXI4-Stream
    input logic packets_i,  // tlast does not end the message

    // Bytes of a message whose end RUN has set: POSITION, and its value after a write to MESSAGE.
    input  logic        counted_i,
    input  logic [11:0] left_i,
    output logic [11:0] left_next_o,
    output logic        none_left_o,  // the message has all its bytes

    // A write by the bus, its word on the port from the next clock on until done_o: it is checked
    // when the command before it has taken effect.
    input  logic   request_i,
    input  write_t written_i,
    output logic   done_o,      // it has been accepted, or lost
    output logic   accepted_o,
    output logic   lost_o,

    input  logic        s_tvalid_i,
    output logic        s_tready_o,
    input  logic [EntryWidth-1:0] s_tdata_i,
    input  logic [EntryWidth/8-1:0] s_tkeep_i,
    input  logic        s_tlast_i,

    output logic ends_o,  // the message ends with the words that have been accepted

    output logic                 valid_o,
    input  logic                 ready_i,    // of no effect while valid_o is low
    output logic [WordWidth-1:0] word_o,
    output logic [KeepWidth-1:0] bytes_o,    // the valid ones; none if a write enables none
    output logic                 drained_o,  // no message word is on its way
    output logic [          7:0] free_o      // words that the FIFO has room for
);

  localparam int unsigned Parts = EntryWidth / WordWidth;

  typedef struct packed {
    logic [EntryWidth/8-1:0] bytes;
    logic [EntryWidth-1:0]   data;
  } entry_t;

  logic request_q, request_legal;  // a write is pending; it is legal
  logic beat_q;  // a beat is pending
  logic from_stream;
  entry_t entry;
  entry_t written;  // the word of the bus
  logic in_valid, in_room;  // `entry` is for the message; it can move on in this clock
  logic open_q;  // they were to be in the clock before: registered, for short paths
  logic open;  // message words are accepted
  logic beat;  // a beat is accepted
  logic [3:0] kept_bytes;  // of a write: those of the message

  always_ff @(posedge clk_i) begin
    open_q <= absorb_i && !hold_i && !waits_i && !clear_i && !ends_o && !rst_i;
  end
  assign open = open_q && !clear_i && !none_left_o;

  if (Run) begin : gen_left
    hf_keccak_regs_left u_left (
        .clk_i,
        .counted_i,
        .left_i,
        .bytes_i(written_i.bytes),
        .kept_o (kept_bytes),
        .next_o (left_next_o),
        .none_o (none_left_o)
    );
  end else begin : gen_uncounted
    logic unused_left;
    assign unused_left = ^{counted_i, left_i};
    assign kept_bytes = written_i.bytes;
    assign left_next_o = '0;
    assign none_left_o = 1'b0;
  end

  assign ends_o = (beat && s_tlast_i && !packets_i) ||
      (open_q && !clear_i && none_left_o);

  assign written = {(EntryWidth / 8)'(kept_bytes), EntryWidth'(written_i.word)};
  assign request_legal = request_q && settled_i && open && !from_stream;
  assign lost_o = request_q && settled_i && !(open && !from_stream);
  assign accepted_o = request_legal && in_room;
  assign done_o = lost_o || accepted_o;
  assign in_valid = beat_q || request_legal;
  always_ff @(posedge clk_i) begin
    if (rst_i) request_q <= 1'b0;
    else request_q <= request_i || (request_q && !done_o);
  end

  if (Stream) begin : gen_stream
    entry_t beat_entry_q;
    assign from_stream = stream_i;
    assign s_tready_o = stream_i && open && (!beat_q || in_room);
    assign beat = s_tvalid_i && s_tready_o;
    assign entry = beat_q ? beat_entry_q : written;
    always_ff @(posedge clk_i) begin
      if (rst_i || clear_i) beat_q <= 1'b0;
      else beat_q <= beat || (beat_q && !in_room);
      if (beat) beat_entry_q <= {s_tkeep_i, s_tdata_i};
    end
  end else begin : gen_no_stream
    logic unused_stream;
    assign unused_stream = ^{stream_i, s_tvalid_i, s_tdata_i, s_tkeep_i};
    assign from_stream = 1'b0;
    assign s_tready_o = 1'b0;
    assign beat = 1'b0;
    assign beat_q = 1'b0;
    assign entry = written;
  end

  entry_t head;  // the word that is absorbed: of the FIFO, or `entry`
  logic head_valid, head_take;

  if (MessageWords == 0) begin : gen_no_fifo
    assign head_valid = in_valid;
    assign head = entry;
    assign in_room = head_take;
    assign free_o = '0;
    assign drained_o = !in_valid;
  end else begin : gen_fifo
    localparam int unsigned LevelWidth = $clog2(MessageWords + 1);
    logic full, next_valid, next_take, next_ready;
    entry_t next;
    logic [LevelWidth-1:0] level;
    hf_fifo #(
        .Width($bits(entry_t)),
        .Depth(($countones(MessageWords) == 1 && MessageWords <= 128) ? MessageWords : 16)
    ) u_fifo (
        .clk_i,
        .clear_i(rst_i || clear_i),
        .write_i(in_valid),
        .data_i (entry),
        .full_o (full),
        .valid_o(next_valid),
        .data_o (next),
        .read_i (next_take),
        .level_o(level)
    );
    assign in_room = !full;
    assign free_o = 8'(MessageWords) - 8'(level);
    assign drained_o = !in_valid && !next_valid && !head_valid;

    // Two registers, so that the path from ready_i does not reach the FIFO. The word that is
    // absorbed comes out of a register: a long path follows.
    logic head_valid_q, spare_valid_q;
    entry_t head_q, spare_q;
    assign next_ready = !spare_valid_q;
    assign next_take = next_valid && next_ready;
    assign head_valid = head_valid_q;
    assign head = head_q;
    always_ff @(posedge clk_i) begin
      if (rst_i || clear_i) begin
        head_valid_q  <= 1'b0;
        spare_valid_q <= 1'b0;
      end else begin
        head_valid_q  <= (head_valid_q && !head_take) || spare_valid_q || next_valid;
        spare_valid_q <= head_valid_q && !head_take && (spare_valid_q || next_valid);
      end
      if (!head_valid_q || head_take) head_q <= spare_valid_q ? spare_q : next;
      if (!spare_valid_q) spare_q <= next;
    end
  end

  assign valid_o = head_valid;
  if (Parts == 1) begin : gen_whole
    logic unused_clear;
    assign unused_clear = clear_i;
    assign word_o = head.data;
    assign bytes_o = head.bytes;
    assign head_take = head_valid && ready_i;
  end else begin : gen_parts
    logic [$clog2(Parts)-1:0] part_q;
    assign word_o = head.data[WordWidth*part_q+:WordWidth];
    assign bytes_o = head.bytes[KeepWidth*part_q+:KeepWidth];
    assign head_take = head_valid && ready_i && &part_q;
    always_ff @(posedge clk_i) begin
      if (rst_i || clear_i) part_q <= '0;
      else part_q <= part_q + $bits(part_q)'(head_valid && ready_i);
    end
  end

endmodule
