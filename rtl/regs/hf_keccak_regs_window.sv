// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The state window of the Keccak peripheral: an access of the bus to a word of 32 bits becomes
// operations of the word contract on words of WordWidth bits. A read takes one read for each of
// them; a write takes a read and an add, because the contract has no operation that overwrites. With
// words of 32 bits a write takes just an add if the word is known to be zero: when a state of zero
// is held, in ascending order, as software restores a state. Wide engines are slow where a read and
// an add take turns.

module hf_keccak_regs_window
  import hf_keccak_word_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,                             // 8, 16 or 32
    localparam int unsigned AddrWidth = word_address_width(WordWidth)
) (
    input logic clk_i,
    input logic rst_i,

    // An access. It waits until no command waits and no phase changes, and is refused if the hash
    // is not held then.
    input  logic        request_i,
    input  logic        request_write_i,
    input  logic [ 5:0] request_addr_i,   // of a word of 32 bits
    input  logic [31:0] request_word_i,   // what is written: stable from the next clock on
    input  logic [ 3:0] request_bytes_i,
    input  logic        settled_i,
    input  logic        holds_i,          // the hash is held from this clock on
    input  logic        holds_zero_i,     // and its state is zero
    input  logic        held_i,
    output logic        busy_o,
    output logic        writes_o,         // an access changes the state, a clock later
    output logic        refused_o,
    output logic        read_done_o,
    output logic        write_done_o,
    // A part of the word is read: the parts come from the lowest to the highest, into the highest
    // bits of the reply.
    output logic        part_read_o,
    input  logic [31:0] reply_i,

    output logic                 window_valid_o,
    input  logic                 window_ready_i,
    output word_op_e             window_op_o,
    output logic [AddrWidth-1:0] window_addr_o,
    output logic [WordWidth-1:0] window_word_o
);

  localparam int unsigned Parts = 32 / WordWidth;

  logic busy_q, write_q, add_q, done_q;
  logic known_q;  // whether a write begins with a read is known
  logic add;  // the operation is an add
  logic [5:0] addr_q;
  logic [WordWidth-1:0] part_word;  // of what is written
  logic [WordWidth/8-1:0] part_bytes;
  logic accepted, part_done, last_part;
  logic is_zero;  // the word that is written is zero: no read

  assign add = add_q && write_q;
  assign window_valid_o = busy_q && (known_q || !write_q) && settled_i && held_i;
  assign window_op_o = add ? WordAdd : WordRead;
  assign accepted = window_valid_o && window_ready_i;
  assign part_done = accepted && (add_q || !write_q);
  assign part_read_o = accepted && !add;
  assign refused_o = busy_q && settled_i && !held_i;

  if (Parts == 1) begin : gen_whole
    logic [5:0] zero_from_q;  // words from this one on are zero; 63: none
    assign is_zero = addr_q >= zero_from_q;
    always_ff @(posedge clk_i) begin
      if (holds_i) zero_from_q <= holds_zero_i ? '0 : '1;
      else if (accepted && add && is_zero) zero_from_q <= addr_q + 6'd1;
    end
    assign last_part = 1'b1;
    assign window_addr_o = addr_q;
    assign part_word = request_word_i;
    assign part_bytes = request_bytes_i;
  end else begin : gen_parts
    localparam int unsigned PartWidth = $clog2(Parts);
    logic [PartWidth-1:0] part_q;
    logic unused_holds;
    assign unused_holds = ^{holds_i, holds_zero_i};
    assign is_zero = 1'b0;
    assign last_part = &part_q;
    assign window_addr_o = {addr_q, part_q};
    assign part_word = request_word_i[WordWidth*part_q+:WordWidth];
    assign part_bytes = request_bytes_i[WordWidth/8*part_q+:WordWidth/8];
    always_ff @(posedge clk_i) begin
      if (rst_i) part_q <= '0;
      else part_q <= part_q + PartWidth'(part_done);
    end
  end

  // What is written is added as the difference from what is there, which has just been read.
  always_comb begin
    for (int unsigned b = 0; b < WordWidth / 8; b++) begin
      window_word_o[8*b+:8] = (part_word[8*b+:8] ^ reply_i[32-WordWidth+8*b+:8]) &
          {8{part_bytes[b]}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      busy_q <= 1'b0;
      done_q <= 1'b0;
    end else begin
      busy_q <= request_i || (busy_q && !refused_o && !(part_done && last_part));
      done_q <= refused_o || (part_done && last_part);
    end
    if (request_i) begin
      addr_q  <= request_addr_i;
      write_q <= request_write_i;
    end
    known_q <= busy_q;
    if (!known_q) add_q <= write_q && is_zero;
    else if (accepted) add_q <= write_q && !add_q;
  end

  assign busy_o = busy_q;
  always_ff @(posedge clk_i) writes_o <= window_valid_o && write_q;
  assign read_done_o = done_q && !write_q;
  assign write_done_o = done_q && write_q;

endmodule
