// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The lanes of an output that are still to come, from its length in bits (docs/reference/stream.md,
// s_axis_tuser). For front ends that give a lane in ten clocks or more: the length is read and
// decremented four bits a clock, which takes half the LUTs of a counter of its width.
//
//   read_fields_i  a message's first beat is on the port; the fields stay until read_done_o, in
//                  the eleventh clock, or later if the lane before is still subtracted, and
//                  read_fields_i may stay for two more
//   lane_known_o   lane_last_o is that of the next lane: at most twelve clocks after lane_begin_i
//   lane_begin_i   the next lane begins, and is no longer among those to come
//   tail_bits_o    valid bits of the last lane, 0: all; from that lane on

module hf_keccak_output_lanes
  import hf_keccak_pkg::*;
  import hf_stream_pkg::*;
(
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic                   read_fields_i,
    output logic                   read_done_o,
    input  logic [            4:0] digest_words_i,  // words of 32 bits; 0: output_length_i
    input  logic [LengthWidth-1:0] output_length_i, // bits; all ones: an open output

    output logic       lane_known_o,
    output logic       lane_last_o,
    input  logic       lane_begin_i,
    output logic [5:0] tail_bits_o,
    output logic       output_empty_o,  // lane_known_o is high, and the output is empty
    output logic       output_open_o
);

  localparam int unsigned Nibbles = LengthWidth / 4;

  // The length, which turns by four bits a clock, the lowest first.
  logic [LengthWidth-1:0] length_ring_q;
  logic [Nibbles-1:0] nibble_number_q;  // the number of the lowest four bits, one-hot
  logic last_nibble, ring_turns_q, length_read, last_nibble_read;
  logic read_done_q;  // the last nibble was read in the clock before
  logic length_fixed;
  logic [3:0] read_nibble, fixed_nibble, length_nibble, less_nibble;
  logic ring_turned_q, lane_known_q, output_empty_q, output_open_q, length_zero_q;
  logic borrow_in_q, borrow_upper;  // from the nibble's bit 0; from its bit 2

  assign last_nibble = nibble_number_q[Nibbles-1];
  assign length_read = read_fields_i && !ring_turns_q;
  assign last_nibble_read = length_read && last_nibble;
  assign read_done_o = read_done_q;

  assign length_fixed = digest_words_i != '0;
  always_comb begin
    length_nibble = '0;
    for (int unsigned i = 0; i < Nibbles; i++) begin
      length_nibble |= output_length_i[4*i+:4] & {4{nibble_number_q[i]}};
    end
  end
  assign fixed_nibble = ({digest_words_i[2:0], 1'b0} & {4{nibble_number_q[1]}}) |
      ({2'b00, digest_words_i[4:3]} & {4{nibble_number_q[2]}});
  assign read_nibble = length_fixed ? fixed_nibble : length_nibble;

  // A lane less: 64 is bit 2 of nibble 1.
  assign borrow_upper = nibble_number_q[1] || (borrow_in_q && length_ring_q[1:0] == '0);
  assign less_nibble = {
    length_ring_q[3] ^ (borrow_upper && !length_ring_q[2]),
    length_ring_q[2] ^ borrow_upper,
    length_ring_q[1] ^ (borrow_in_q && !length_ring_q[0]),
    length_ring_q[0] ^ borrow_in_q
  };

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      nibble_number_q <= Nibbles'(1);
      ring_turns_q    <= 1'b0;
    end else begin
      if (length_read || ring_turns_q) begin
        nibble_number_q <= {nibble_number_q[Nibbles-2:0], last_nibble};
      end
      if (last_nibble_read || (lane_begin_i && !lane_last_o)) ring_turns_q <= 1'b1;
      else if (last_nibble) ring_turns_q <= 1'b0;
    end
    if (length_read) begin
      length_ring_q <= {read_nibble, length_ring_q[LengthWidth-1:4]};
    end else if (ring_turns_q) begin
      length_ring_q <= {less_nibble, length_ring_q[LengthWidth-1:4]};
    end
    if (ring_turns_q) begin
      borrow_in_q   <= borrow_upper && length_ring_q[3:2] == '0;
      length_zero_q <= (nibble_number_q[0] || length_zero_q) && less_nibble == '0;
    end else if (lane_begin_i || read_fields_i) begin
      borrow_in_q <= 1'b0;
    end
    // Of the nibble that was read in the clock before. No fixed length is all ones.
    read_done_q <= last_nibble_read && !rst_i;
    if (length_read || read_done_q) begin
      output_open_q <= (nibble_number_q[0] && !read_done_q) ||
          (output_open_q && (&length_ring_q[LengthWidth-1-:4]));
    end
    ring_turned_q  <= ring_turns_q && last_nibble && !rst_i;
    lane_known_q   <= ring_turned_q || (lane_known_q && !lane_begin_i && !read_fields_i && !rst_i);
    output_empty_q <= borrow_in_q && tail_bits_o == '0 && !output_open_q;
  end

  assign lane_known_o = lane_known_q;
  assign lane_last_o = (borrow_in_q || length_zero_q) && !output_open_q;
  assign tail_bits_o = length_ring_q[5:0];
  assign output_empty_o = lane_known_q && output_empty_q;
  assign output_open_o = output_open_q;

endmodule
