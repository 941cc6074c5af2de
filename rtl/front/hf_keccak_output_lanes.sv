// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The lanes of an output that are still to come, from its length in bits (docs/reference/stream.md,
// s_axis_tuser). For front ends that give a lane in ten clocks or more: the length is read and
// decremented four bits a clock, which takes half the LUTs of a counter of its width.
//
//   read_i         a message's first beat is on the port; the fields stay until read_done_o, in
//                  the eleventh clock, or later if the lane before is still subtracted, and read_i
//                  may stay for two more
//   lane_known_o   lane_last_o is that of the next lane: at most twelve clocks after lane_begin_i
//   lane_begin_i   the next lane begins, and is no longer among those to come
//   tail_o         valid bits of the last lane, 0: all; from that lane on

module hf_keccak_output_lanes
  import hf_keccak_pkg::*;
  import hf_stream_pkg::*;
(
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic                   read_i,
    output logic                   read_done_o,
    input  logic [            4:0] digest_words_i,  // words of 32 bits; 0: length_i
    input  logic [LengthWidth-1:0] length_i,        // bits; all ones: an open output

    output logic       lane_known_o,
    output logic       lane_last_o,
    input  logic       lane_begin_i,
    output logic [5:0] tail_o,
    output logic       none_o,        // lane_known_o is high, and the output is empty
    output logic       open_o
);

  localparam int unsigned Nibbles = LengthWidth / 4;

  // The length, which turns by four bits a clock, the lowest first.
  logic [LengthWidth-1:0] ring_q;
  logic [Nibbles-1:0] nibble_q;  // the number of the lowest four bits, one-hot
  logic last_nibble, turn_q, reading, read_last;
  logic read_done_q;  // the last nibble was read in the clock before
  logic fixed;
  logic [3:0] read_nibble, fixed_nibble, length_nibble, less_nibble;
  logic turned_q, known_q, none_q, open_q, zero_q, borrow_q, borrow;

  assign last_nibble = nibble_q[Nibbles-1];
  assign reading = read_i && !turn_q;
  assign read_last = reading && last_nibble;
  assign read_done_o = read_done_q;

  assign fixed = digest_words_i != '0;
  always_comb begin
    length_nibble = '0;
    for (int unsigned i = 0; i < Nibbles; i++) begin
      length_nibble |= length_i[4*i+:4] & {4{nibble_q[i]}};
    end
  end
  assign fixed_nibble = ({digest_words_i[2:0], 1'b0} & {4{nibble_q[1]}}) |
      ({2'b00, digest_words_i[4:3]} & {4{nibble_q[2]}});
  assign read_nibble = fixed ? fixed_nibble : length_nibble;

  // A lane less: 64 is bit 2 of nibble 1.
  assign borrow = nibble_q[1] || (borrow_q && ring_q[1:0] == '0);
  assign less_nibble = {
    ring_q[3] ^ (borrow && !ring_q[2]),
    ring_q[2] ^ borrow,
    ring_q[1] ^ (borrow_q && !ring_q[0]),
    ring_q[0] ^ borrow_q
  };

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      nibble_q <= Nibbles'(1);
      turn_q   <= 1'b0;
    end else begin
      if (reading || turn_q) nibble_q <= {nibble_q[Nibbles-2:0], last_nibble};
      if (read_last || (lane_begin_i && !lane_last_o)) turn_q <= 1'b1;
      else if (last_nibble) turn_q <= 1'b0;
    end
    if (reading) begin
      ring_q <= {read_nibble, ring_q[LengthWidth-1:4]};
    end else if (turn_q) begin
      ring_q <= {less_nibble, ring_q[LengthWidth-1:4]};
    end
    if (turn_q) begin
      borrow_q <= borrow && ring_q[3:2] == '0;
      zero_q   <= (nibble_q[0] || zero_q) && less_nibble == '0;
    end else if (lane_begin_i || read_i) begin
      borrow_q <= 1'b0;
    end
    // Of the nibble that was read in the clock before. No fixed length is all ones.
    read_done_q <= read_last && !rst_i;
    if (reading || read_done_q) begin
      open_q <= (nibble_q[0] && !read_done_q) || (open_q && (&ring_q[LengthWidth-1-:4]));
    end
    turned_q <= turn_q && last_nibble && !rst_i;
    known_q  <= turned_q || (known_q && !lane_begin_i && !read_i && !rst_i);
    none_q   <= borrow_q && tail_o == '0 && !open_q;
  end

  assign lane_known_o = known_q;
  assign lane_last_o = (borrow_q || zero_q) && !open_q;
  assign tail_o = ring_q[5:0];
  assign none_o = known_q && none_q;
  assign open_o = open_q;

endmodule
