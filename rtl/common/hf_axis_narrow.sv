// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Stream beats of a wide port in, each of them as up to Parts beats of a narrow one out, in a queue
// that is one block RAM deep. Of a message's last beat only the parts up to the last one with a
// byte come out (of an empty one the first), of others all; tlast is put on the last part. So tkeep
// is as right or as wrong behind as it was in front: a hole between two parts is a part that is not
// full and not the last.
//
// The sender counts: at most Depth beats may be in here, and none is refused. A beat is in here
// until its part with `m_end_o` is taken. Data go in without an enable, so they may come from far
// away, and the path from `m_ready_i` ends in a few bits of control: a part is taken from the queue
// only when the one before has gone.
//
// Schedule: a beat in an empty queue comes out four clocks behind `s_valid_i`; parts follow each
// other every two clocks; a beat of one part takes three.

module hf_axis_narrow #(
    parameter  int unsigned Width = 128,              // of a part
    parameter  int unsigned Parts = 4,                // in a beat; a power of two
    parameter  int unsigned UserWidth = 56,           // of what goes with every part
    parameter  int unsigned Depth = 16,               // a power of two
    localparam int unsigned WideWidth = Parts * Width,
    localparam int unsigned KeepWidth = Width / 8
) (
    input logic clk_i,
    input logic rst_i,

    input logic                       s_valid_i,
    input logic [      WideWidth-1:0] s_data_i,
    input logic [Parts*KeepWidth-1:0] s_keep_i,
    input logic [          Parts-1:0] s_some_i,   // the parts in which s_keep_i has a bit
    input logic                       s_last_i,
    input logic [      UserWidth-1:0] s_user_i,

    output logic                 m_valid_o,
    input  logic                 m_ready_i,
    output logic [    Width-1:0] m_data_o,
    output logic [KeepWidth-1:0] m_keep_o,
    output logic                 m_last_o,
    output logic [UserWidth-1:0] m_user_o,
    output logic                 m_end_o    // the last part of its beat
);

  localparam int unsigned DepthBits = $clog2(Depth);
  localparam int unsigned PartBits = (Parts > 1) ? $clog2(Parts) : 1;
  localparam int unsigned Lane = 64;
  localparam int unsigned Lanes = Width / Lane;
  typedef logic [PartBits-1:0] part_t;

  typedef struct packed {
    logic [Parts-1:0][Width-1:0]     data;
    logic [Parts-1:0][KeepWidth-1:0] keep;
    part_t                           final_part;
    logic                            last;
    logic [UserWidth-1:0]            user;
  } beat_t;

  ////////////////////
  // The queue      //
  ////////////////////

  beat_t in, head;
  part_t last_some;
  logic [DepthBits:0] write_q, read_q;
  logic next;  // the head is done with

  always_comb begin
    last_some = '0;
    for (int unsigned p = 1; p < Parts; p++) if (s_some_i[p]) last_some = part_t'(p);
  end
  assign in = {
    s_data_i, s_keep_i, s_last_i ? last_some : part_t'(Parts - 1), s_last_i, s_user_i
  };

  // An empty queue is read where the next beat is written; what that gives is not looked at.
  hf_ram #(
      .Width($bits(beat_t)),
      .Depth(Depth)
  ) u_queue (
      .clk_i,
      .write_i     (s_valid_i),
      .write_addr_i(write_q[DepthBits-1:0]),
      .write_data_i(in),
      .read_addr_i (read_q[DepthBits-1:0]),
      .read_data_o (head)
  );

  // [n]: so many clocks ago. The head is what was asked for two clocks ago.
  logic [2:1] there_q, next_q;
  logic known;  // the head is that of now
  assign known = there_q[2] && next_q == '0;

  always_ff @(posedge clk_i) begin
    there_q <= {there_q[1], write_q != read_q};
    next_q  <= {next_q[1], next};
    if (s_valid_i) write_q <= write_q + 1'b1;
    if (next) read_q <= read_q + 1'b1;
    if (rst_i) begin
      there_q <= '0;
      next_q  <= '0;
      write_q <= '0;
      read_q  <= '0;
    end
  end

  ////////////////////
  // Its parts      //
  ////////////////////

  // When the part before the last is taken, it is sure that the last one follows in the next clock,
  // and there is time to ask for the next beat.
  part_t part_q;
  logic valid_d, load, final_part, early_q;
  assign final_part = part_q == head.final_part;
  assign load = !m_valid_o && (known || early_q);
  assign next = known && final_part && (!m_valid_o || m_ready_i);
  assign valid_d = !rst_i && (load || (m_valid_o && !m_ready_i));

  always_ff @(posedge clk_i) begin
    m_valid_o <= valid_d;
    early_q   <= next && m_valid_o && !rst_i;
    if (load) part_q <= final_part ? '0 : part_q + part_t'(1);
    if (rst_i) part_q <= '0;
  end

  // Loads are two clocks apart or more, so copies of part_q have a clock to come.
  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    part_t select;
    logic  hold;
    for (genvar b = 0; b < PartBits; b++) begin : gen_select
      hf_copy u_select (
          .clk_i,
          .d_i(part_q[b]),
          .q_o(select[b])
      );
    end
    hf_copy u_hold (
        .clk_i,
        .d_i(valid_d),
        .q_o(hold)
    );
    always_ff @(posedge clk_i) begin
      if (!hold) begin
        m_data_o[Lane*i+:Lane]   <= head.data[select][Lane*i+:Lane];
        m_keep_o[Lane/8*i+:Lane/8] <= head.keep[select][Lane/8*i+:Lane/8];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!m_valid_o) begin
      m_last_o <= head.last && final_part;
      m_user_o <= head.user;
      m_end_o  <= final_part;
    end
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (Width % Lane != 0 || Width == 0) begin : gen_bad_width
    $fatal(1, "hf_axis_narrow: Width is a multiple of 64, not %0d", Width);
  end
  if (Parts == 0 || $countones(Parts) != 1 || Depth < 2 || $countones(Depth) != 1) begin : gen_bad
    $fatal(1, "hf_axis_narrow: Parts and Depth are powers of two, not %0d and %0d", Parts, Depth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
