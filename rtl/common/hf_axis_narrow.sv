// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Stream width converter with a queue in LUT RAM: accepts beats of a wide port and sends each as up
// to Parts beats of a narrow port. From a message's last beat, only the parts up to the last one
// with a byte are sent (from an empty one, the first part); from other beats, all parts. tlast is
// on the last part. So faults of tkeep are preserved: a hole between two parts becomes a part that
// is not full and not the last.
//
// The sender counts: at most Depth - 1 beats may be in this module, and none is refused. A beat is
// in it until its part with `m_end_o` is taken. The queue is written in every clock, in the row of
// the next beat, so it needs no enable. Parts go to two registers in turn. Each is loaded only
// while it is empty, so the path from `m_ready_i` ends in a few bits of control.
//
// Timing: a beat in an empty queue comes out four clocks after `s_valid_i`. Parts follow each other
// without a gap, but a beat of one part takes two clocks.

module hf_axis_narrow #(
    parameter  int unsigned Width = 128,              // width of a part
    parameter  int unsigned Parts = 4,                // parts in a beat; a power of two
    parameter  int unsigned UserWidth = 56,           // width of the side data of each part
    parameter  int unsigned Depth = 16,               // rows of the queue; a power of two
    localparam int unsigned WideWidth = Parts * Width,
    localparam int unsigned KeepWidth = Width / 8
) (
    input logic clk_i,
    input logic rst_i,

    input logic                       s_valid_i,
    input logic [      WideWidth-1:0] s_data_i,
    input logic [Parts*KeepWidth-1:0] s_keep_i,
    input logic [          Parts-1:0] s_some_i,   // parts with a bit set in s_keep_i
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
  typedef logic [DepthBits-1:0] row_t;

  // A lane with its bytes, and the other fields of a beat.
  typedef struct packed {
    logic [Lane-1:0]   data;
    logic [Lane/8-1:0] keep;
  } lane_t;
  typedef struct packed {
    part_t                final_part;
    logic                 last;
    logic [UserWidth-1:0] user;
  } rest_t;

  ////////////////////
  // The queue      //
  ////////////////////

  lane_t [Parts-1:0][Lanes-1:0] in, head;
  rest_t in_rest, head_rest;
  part_t last_some;
  row_t write_d, read_d, write_q, read_q;

  always_comb begin
    last_some = '0;
    for (int unsigned p = 1; p < Parts; p++) if (s_some_i[p]) last_some = part_t'(p);
  end
  assign in_rest = {s_last_i ? last_some : part_t'(Parts - 1), s_last_i, s_user_i};

  // A beat is read repeatedly until it has become the head. An empty queue is read in the row of
  // the next beat, and that data is ignored. In the first clock of a head, `fetched_q` may still
  // belong to that head, so no beat may advance.
  part_t part_d, part_q;  // number of the part to be loaded
  logic fetched_q, head_d, head_q;  // the next beat has been read; there is a head
  logic free, advance;  // the next beat may become the head; it does
  logic finish;  // the head's last part is loaded
  logic soon_d, soon_q;  // the next part is the last one; low in the first clock of a head
  logic room_d, room_q;  // and a register is free
  // One LUT. If the last part is also the first, it is a clock late.
  assign free = !head_q || (soon_q && room_q);
  assign advance = fetched_q && free;
  assign write_d = rst_i ? '0 : write_q + row_t'(s_valid_i);
  assign read_d  = rst_i ? '0 : read_q + row_t'(advance);
  assign head_d  = !rst_i && (free ? fetched_q : !finish);
  assign soon_d  = !free && !finish && part_d == head_rest.final_part;

  always_ff @(posedge clk_i) begin
    fetched_q <= !rst_i && write_q != read_q;
    head_q    <= head_d;
    soon_q    <= soon_d;
    write_q   <= write_d;
    read_q    <= read_d;
  end

  // Each memory has a copy of the rows and the enable.
  for (genvar i = 0; i < Parts * Lanes; i++) begin : gen_memory
    localparam int unsigned Part = i / Lanes;
    localparam int unsigned Of = i % Lanes;
    row_t write_row, read_row;
    logic has_head, soon, room;
    lane_t mem[Depth];
    lane_t read;
    assign in[Part][Of] = {s_data_i[Lane*i+:Lane], s_keep_i[Lane/8*i+:Lane/8]};
    hf_copies #(
        .Width(2 * DepthBits + 3)
    ) u_copies (
        .clk_i,
        .d_i({write_d, read_d, head_d, soon_d, room_d}),
        .q_o({write_row, read_row, has_head, soon, room})
    );
    always_ff @(posedge clk_i) begin
      mem[write_row] <= in[Part][Of];
      read <= mem[read_row];
      if (!has_head || (soon && room)) head[Part][Of] <= read;
    end
  end
  rest_t rest_mem[Depth];
  rest_t rest_read;
  always_ff @(posedge clk_i) begin
    rest_mem[write_q] <= in_rest;
    rest_read <= rest_mem[read_q];
    if (free) head_rest <= rest_read;
  end

  ////////////////////
  // Its parts      //
  ////////////////////

  // Register `put_q` is loaded next, if there is room in it; register `get_q` is on the port.
  logic put_d, put_q, get_d, get_q, final_part, take;
  logic [1:0] load, full_d, full_q;
  assign load = {put_q, !put_q} & {2{head_q && room_q}};
  assign final_part = part_q == head_rest.final_part;
  assign finish = load != '0 && final_part;
  assign take = m_valid_o && m_ready_i;
  assign put_d = !rst_i && (put_q ^ load != '0);
  assign get_d = !rst_i && (get_q ^ take);
  assign room_d = !full_d[put_d];
  always_comb begin
    part_d = part_q;
    if (load != '0) part_d = final_part ? '0 : part_q + part_t'(1);
    if (rst_i) part_d = '0;
    for (int unsigned k = 0; k < 2; k++) begin
      full_d[k] = !rst_i && (load[k] || (full_q[k] && !(take && get_q == 1'(k))));
    end
  end

  always_ff @(posedge clk_i) begin
    part_q    <= part_d;
    put_q     <= put_d;
    get_q     <= get_d;
    full_q    <= full_d;
    room_q    <= room_d;
    m_valid_o <= full_d[get_d];
  end

  // Copies of the selectors and enables of a lane.
  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    part_t select;
    logic [1:0] hold;
    logic get;
    lane_t [1:0] lane_q;
    hf_copies #(
        .Width(PartBits + 3)
    ) u_control (
        .clk_i,
        .d_i({part_d, full_d, get_d}),
        .q_o({select, hold, get})
    );
    always_ff @(posedge clk_i) begin
      for (int unsigned k = 0; k < 2; k++) begin
        if (!hold[k]) lane_q[k] <= head[select][i];
      end
    end
    assign {m_data_o[Lane*i+:Lane], m_keep_o[Lane/8*i+:Lane/8]} = lane_q[get];
  end

  logic [1:0] last_q, end_q;
  logic [1:0][UserWidth-1:0] user_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < 2; k++) begin
      if (!full_q[k]) begin
        last_q[k] <= head_rest.last && final_part;
        end_q[k]  <= final_part;
        user_q[k] <= head_rest.user;
      end
    end
  end
  assign {m_last_o, m_end_o, m_user_o} = {last_q[get_q], end_q[get_q], user_q[get_q]};

`ifndef HF_NO_PARAMETER_CHECKS
  if (Width % Lane != 0 || Width == 0) begin : gen_bad_width
    $fatal(1, "hf_axis_narrow: Width is a multiple of 64, not %0d", Width);
  end
  if (Parts == 0 || $countones(Parts) != 1 || Depth < 2 || $countones(Depth) != 1) begin : gen_bad
    $fatal(1, "hf_axis_narrow: Parts and Depth are powers of two, not %0d and %0d", Parts, Depth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
