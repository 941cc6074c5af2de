// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Digest emitter of the front end with several slots: turns the words of a job into beats of the
// port, the bytes and bits after the job's end cleared.
//
// A beat is a part of a word of the store. The last beat of a job may be partial: its lanes up to
// `read_lane_i` are sent, the last of them as far as the output goes.
//
// Errors: an error is an empty beat whose tuser says so.
//
// Timing: clock 0 is the clock of read_digest_i.
//
//   0    the read_ ports and digest_fields_i
//   1    the address at the store's memory; word_read_o
//   4    the data, from a RAM that may be placed far away
//   5    the data in registers (store_word_i)
//   6    the masked beat enters the queue in front of the port, whose output register is the port's

module hf_keccak_digest_emitter
  import hf_keccak_pkg::*;
  import hf_keccak_slots_pkg::*;
#(
    parameter  int unsigned PortWidth = 128,  // width of the stream port, in bits
    parameter  int unsigned WordWidth = 128,  // width of a word of the store, in bits
    parameter  int unsigned Slots = 4,
    parameter  int unsigned TidWidth = 2,
    localparam int unsigned KeepWidth = PortWidth / 8,
    localparam int unsigned PortLaneBits = index_bits(port_lanes(PortWidth)),
    localparam int unsigned PartBits = index_bits(WordWidth / PortWidth)
) (
    input logic clk_i,
    input logic rst_i,

    // A word is read: as in hf_keccak_digest_queue.
    input logic                       read_digest_i,
    input logic    [    PartBits-1:0] read_part_i,
    input logic                       read_last_i,
    input logic    [PortLaneBits-1:0] read_lane_i,
    input logic    [    TidWidth-1:0] read_tid_i,
    input digest_t                    digest_fields_i,
    input logic    [   WordWidth-1:0] store_word_i,       // in clock 5

    output logic word_read_o,  // a word was read a clock ago
    output logic port_half_o,  // the queue in front of the port is half full
    output logic word_busy_o,  // a word is under way to that queue
    output logic port_busy_o,  // the queue is not empty

    // AXI4-Stream, as in the stream top (docs/reference/stream.md).
    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    output logic [PortWidth-1:0] m_tdata_o,
    output logic [KeepWidth-1:0] m_tkeep_o,
    output logic                 m_tlast_o,
    output logic [ TidWidth-1:0] m_tid_o,
    output logic [          4:0] m_tuser_o,

    input  logic [Slots-1:0] stop_i,  // per slot: request to end its open output
    // The request is valid: the slot's output is open and has begun.
    output logic [Slots-1:0] stop_o
);

  localparam int unsigned PortLanes = port_lanes(PortWidth);
  localparam int unsigned Parts = WordWidth / PortWidth;  // beats of the port in a word

  /////////////////////
  // Masks           //
  /////////////////////

  // The fields that a word needs follow it. An index of a register is the clock.
  typedef struct packed {
    logic [TidWidth-1:0] output_tid;
    logic [2:0]          last_bits;
    logic                output_last;
    logic                message_bad;
    logic                output_open;
  } side_t;
  side_t read_side;
  side_t [6:1] beat_side_q;
  logic [6:1] word_valid_q;  // [n]: a word was read n clocks ago
  logic [4:1][PartBits-1:0] word_part_q;  // which part of the store's word
  logic [2:1][5:0] tail_bits_q;
  logic [2:1][PortLanes-1:0] whole_lanes_q;  // lanes that are sent whole
  logic [3:1][PortLanes-1:0] absent_lanes_q;  // lanes that are not sent; the others are partial
  // Bytes that are sent whole; bytes that are not sent.
  logic [KeepWidth-1:0] whole_bytes3_q, absent_bytes3_q, absent_bytes4_q, absent_bytes5_q;
  logic bytes_only2_q;  // no byte is partial
  logic [7:0] partial_mask3_q;  // valid bits of the partial byte
  logic [PortWidth-1:0] data_mask4_q, data_mask5_q, beat_data6_q;  // valid bits; the masked data
  logic [KeepWidth-1:0] beat_keep6_q;

  assign read_side = {
    read_tid_i,
    (read_last_i && digest_fields_i.lane_partial) ? digest_fields_i.tail_bits[2:0] : 3'd0,
    read_last_i && digest_fields_i.output_done,
    digest_fields_i.message_bad,
    digest_fields_i.output_open
  };

  always_ff @(posedge clk_i) begin
    if (rst_i) word_valid_q <= '0;
    else word_valid_q <= {word_valid_q[5:1], read_digest_i};
    beat_side_q <= {beat_side_q[5:1], read_side};
    word_part_q <= {word_part_q[3:1], read_part_i};
    data_mask5_q <= data_mask4_q;
    absent_bytes5_q <= absent_bytes4_q;
    tail_bits_q <= {tail_bits_q[1], digest_fields_i.tail_bits};
    bytes_only2_q <= tail_bits_q[1][2:0] == '0;
    for (int unsigned k = 0; k < PortLanes; k++) begin
      whole_lanes_q[1][k] <= !read_last_i || (!digest_fields_i.empty_beat &&
          (32'(read_lane_i) > k || (32'(read_lane_i) == k && !digest_fields_i.lane_partial)));
      absent_lanes_q[1][k] <= read_last_i && (digest_fields_i.empty_beat || 32'(read_lane_i) < k);
    end
    whole_lanes_q[2] <= whole_lanes_q[1];
    absent_lanes_q[3:2] <= absent_lanes_q[2:1];

    // Written so that synthesis uses the registers' reset and set instead of a LUT.
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      if (whole_lanes_q[2][b/8]) whole_bytes3_q[b] <= 1'b1;
      else whole_bytes3_q[b] <= 32'(tail_bits_q[2][5:3]) > b % 8;
      if (whole_lanes_q[2][b/8]) absent_bytes3_q[b] <= 1'b0;
      else begin
        absent_bytes3_q[b] <= 32'(tail_bits_q[2][5:3]) < b % 8 ||
            (32'(tail_bits_q[2][5:3]) == b % 8 && bytes_only2_q);
      end
      if (absent_lanes_q[3][b/8]) absent_bytes4_q[b] <= 1'b1;
      else absent_bytes4_q[b] <= absent_bytes3_q[b];
    end
    partial_mask3_q <= ~(8'hff << tail_bits_q[2][2:0]);
    for (int unsigned b = 0; b < PortWidth; b++) begin
      if (whole_bytes3_q[b/8]) data_mask4_q[b] <= 1'b1;
      else data_mask4_q[b] <= partial_mask3_q[b%8];
    end
  end

  assign word_read_o = word_valid_q[1];

  /////////////////////
  // Beats           //
  /////////////////////

  // Selects the beat's part of the store's word: one copy of the selector for each PartWidth bits.
  localparam int unsigned PartWidth = 16;
  logic [PortWidth/PartWidth-1:0][PartBits-1:0] word_part5;
  for (genvar i = 0; i < PortWidth / PartWidth; i++) begin : gen_part
    if (Parts > 1) begin : gen_copy
      hf_copies #(
          .Width(PartBits)
      ) u_part (
          .clk_i,
          .d_i(word_part_q[4]),
          .q_o(word_part5[i])
      );
    end else begin : gen_whole
      assign word_part5[i] = '0;
    end
  end

  logic unused_part;  // with one part only
  assign unused_part = ^word_part_q[4];

  logic [Parts-1:0][PortWidth-1:0] word_parts;
  assign word_parts = store_word_i;
  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < PortWidth; b++) begin
      if (absent_bytes5_q[b/8]) beat_data6_q[b] <= 1'b0;
      else beat_data6_q[b] <= word_parts[word_part5[b/PartWidth]][b] & data_mask5_q[b];
    end
    // The same reset; without a word the bits are ignored.
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      if (absent_bytes5_q[b]) beat_keep6_q[b] <= 1'b0;
      else beat_keep6_q[b] <= word_valid_q[5];
    end
  end

  /////////////////////
  // Port            //
  /////////////////////

  typedef struct packed {
    logic [PortWidth-1:0] beat_data;
    logic [KeepWidth-1:0] beat_keep;
    side_t                beat_side;
  } port_beat_t;
  port_beat_t queue_beat, port_beat;
  assign queue_beat = {beat_data6_q, beat_keep6_q, beat_side_q[6]};
  assign word_busy_o = word_valid_q != '0;

  // Up to seven words may follow once the queue is half full.
  hf_axis_queue #(
      .Width($bits(port_beat_t)),
      .Bits (4)
  ) u_queue (
      .clk_i,
      .rst_i,
      .write_i(word_valid_q[6]),
      .data_i (queue_beat),
      .half_o (port_half_o),
      .some_o (port_busy_o),
      .valid_o(m_tvalid_o),
      .ready_i(m_tready_i),
      .data_o (port_beat)
  );
  assign m_tdata_o = port_beat.beat_data;
  assign m_tkeep_o = port_beat.beat_keep;
  assign m_tlast_o = port_beat.beat_side.output_last;
  assign m_tid_o = port_beat.beat_side.output_tid;
  assign m_tuser_o = {
    port_beat.beat_side.output_open,
    port_beat.beat_side.last_bits,
    port_beat.beat_side.message_bad
  };

  hf_axis_stop #(
      .Tids    (Slots),
      .TidWidth(TidWidth)
  ) u_stop (
      .clk_i,
      .rst_i,
      .stop_i,
      .take_i(m_tvalid_o && m_tready_i),
      .last_i(m_tlast_o),
      .open_i(m_tuser_o[4]),
      .tid_i (m_tid_o),
      .stop_o
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (PortWidth < LaneWidth || WordWidth > 8 * LaneWidth || Parts * PortWidth != WordWidth ||
      $countones(PortWidth) != 1 || $countones(WordWidth) != 1) begin : gen_bad_widths
    $fatal(1, "hf_keccak_digest_emitter: PortWidth, WordWidth are 2^n, 64 to 512, not %0d, %0d",
           PortWidth, WordWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
