// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// One core of hf_keccak_array: a queue of wide beats (hf_axis_narrow), a register slice
// (hf_keccak_slot_slice), a core (hf_keccak_pipelined_axis), and the signals that report its state
// to the array, which take Hops clocks to arrive. The register slice stands between the queue's
// output path and the core's input path, which are both long. Synthesis keeps this module's
// hierarchy, so that mapping handles one core at a time.
//
// Every input ends at one register here, and every output comes from one: a core that is placed and
// routed once and repeated (docs/develop/adr/0011-stamping.md) leaves few nets to the router, and
// its ports may be far from what is connected to them.
//
// Schedule. Reports, from the clock in which the core accepts the last part of a beat: Hops clocks
// later `beat_left_o` is high for one clock; Settle + Hops clocks later the slot's bit of
// `slot_clear_o` is high, and from that clock on `slot_room_o` takes that beat into account.
// Digests: two clocks after `m_take_i` the core's beat is at the m_ outputs, if it had one a clock
// after `m_take_i`.

(* keep_hierarchy = "yes" *)
module hf_keccak_array_core
  import hf_keccak_pkg::*;
  import hf_keccak_legal_pkg::*;
  import hf_keccak_pipelined_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned Rounds = 1,
    parameter  int unsigned Registers = RegistersDefault,
    parameter  int unsigned Gate = 0,
    parameter  bit          StatesInBlockRam = 1'b1,
    parameter  int unsigned Width = 128,
    parameter  int unsigned Parts = 4,
    parameter  int unsigned Depth = 16,     // rows of the queue: it holds Depth - 1 beats
    parameter  int unsigned Hops = 1,
    localparam int unsigned Slots = ring_slots(whole_rounds(Rounds), Registers),
    localparam int unsigned TidWidth = (Slots > 1) ? $clog2(Slots) : 1,
    localparam int unsigned KeepWidth = Width / 8
) (
    input logic clk_i,
    input logic rst_i,  // reaches the core a clock later

    // Wide beats, as in hf_axis_narrow.
    input logic                       s_valid_i,
    input logic [    Parts*Width-1:0] s_data_i,
    input logic [Parts*KeepWidth-1:0] s_keep_i,
    input logic [          Parts-1:0] s_some_i,
    input logic                       s_last_i,
    input logic [       TidWidth-1:0] s_tid_i,
    input logic [          Slots-1:0] s_slot_i,   // the same, one-hot
    input logic [      UserWidth-1:0] s_user_i,

    output logic             beat_left_o,     // a beat has been accepted by the core
    // A beat of this slot has been accepted, and `slot_room_o` includes it.
    output logic [Slots-1:0] slot_clear_o,
    output logic [Slots-1:0] slot_room_o,     // s_axis_room of the core
    output logic             beat_offered_o,  // the core has a beat

    // Narrow beats, as in hf_keccak_pipelined_axis; m_valid_o is high for one clock for each.
    input  logic                 m_take_i,
    output logic                 m_valid_o,
    output logic [    Width-1:0] m_data_o,
    output logic [KeepWidth-1:0] m_keep_o,
    output logic                 m_last_o,
    output logic [ TidWidth-1:0] m_tid_o,
    output logic [          4:0] m_user_o,
    input  logic [    Slots-1:0] stop_i
);

  logic reset;
  hf_copy u_reset (
      .clk_i,
      .d_i(rst_i),
      .q_o(reset)
  );
  // A beat crosses the die from a register of the line to this one.
  typedef struct packed {
    logic [Parts*Width-1:0]     data;
    logic [Parts*KeepWidth-1:0] keep;
    logic [Parts-1:0]           some;
    logic                       last;
    logic [TidWidth-1:0]        tid;
    logic [Slots-1:0]           slot;
    logic [UserWidth-1:0]       user;
  } wide_t;
  wide_t wide_q;
  logic  wide_valid_q;
  always_ff @(posedge clk_i) begin
    wide_q <= {s_data_i, s_keep_i, s_some_i, s_last_i, s_tid_i, s_slot_i, s_user_i};
    wide_valid_q <= s_valid_i;
  end
  logic take;
  hf_copy u_take (
      .clk_i,
      .d_i(m_take_i),
      .q_o(take)
  );

  // Delayed like the reset.
  logic [Hops-1:0][Slots-1:0] stop_hops_q;
  always_ff @(posedge clk_i) stop_hops_q <= (Hops * Slots)'({stop_hops_q, stop_i});

  // Clocks from the handshake of a beat's last part until the core's s_axis_room includes it.
  localparam int unsigned Settle = 6;

  // What goes with a part: data that the core looks at later, and fields of its port.
  typedef struct packed {
    logic [Width-1:0]     part_data;
    logic [KeepWidth-1:0] part_keep;
    logic [UserWidth-1:0] part_user;
  } part_t;
  typedef struct packed {
    logic                part_end;  // the last part of its beat
    logic [TidWidth-1:0] part_tid;
  } side_t;
  part_t narrow_part, core_part;
  side_t narrow_side, core_side;
  logic narrow_valid, narrow_ready, narrow_last, core_valid, core_take, core_last;
  logic [Slots-1:0] narrow_slot, core_room;

  hf_axis_narrow #(
      .Width    (Width),
      .Parts    (Parts),
      .UserWidth(Slots + TidWidth + UserWidth),
      .Depth    (Depth)
  ) u_narrow (
      .clk_i,
      .rst_i    (reset),
      .s_valid_i(wide_valid_q),
      .s_data_i (wide_q.data),
      .s_keep_i (wide_q.keep),
      .s_some_i (wide_q.some),
      .s_last_i (wide_q.last),
      .s_user_i ({wide_q.slot, wide_q.tid, wide_q.user}),
      .m_valid_o(narrow_valid),
      .m_ready_i(narrow_ready),
      .m_data_o (narrow_part.part_data),
      .m_keep_o (narrow_part.part_keep),
      .m_last_o (narrow_last),
      .m_user_o ({narrow_slot, narrow_side.part_tid, narrow_part.part_user}),
      .m_end_o  (narrow_side.part_end)
  );

  // The core's tready, which it makes of the same (hf_keccak_slot_port). The tid is always a slot's.
  logic unused_ready;
  hf_keccak_slot_slice #(
      .Width    ($bits(part_t)),
      .SideWidth($bits(side_t)),
      .Slots    (Slots)
  ) u_slice (
      .clk_i,
      .rst_i    (reset),
      .s_valid_i(narrow_valid),
      .s_ready_o(narrow_ready),
      .s_data_i (narrow_part),
      .s_side_i (narrow_side),
      .s_slot_i (narrow_slot),
      .s_last_i (narrow_last),
      .room_i   (core_room),
      .m_valid_o(core_valid),
      .m_take_o (core_take),
      .m_data_o (core_part),
      .m_side_o (core_side),
      .m_last_o (core_last)
  );

  logic beat_valid, beat_last;
  logic [    Width-1:0] beat_data;
  logic [KeepWidth-1:0] beat_keep;
  logic [ TidWidth-1:0] beat_tid;
  logic [          4:0] beat_user;
  always_ff @(posedge clk_i) begin
    m_valid_o <= take && beat_valid;
    m_data_o  <= beat_data;
    m_keep_o  <= beat_keep;
    m_last_o  <= beat_last;
    m_tid_o   <= beat_tid;
    m_user_o  <= beat_user;
  end

  hf_keccak_pipelined_axis #(
      .Rounds          (Rounds),
      .Registers       (Registers),
      .Gate            (Gate),
      .StatesInBlockRam(StatesInBlockRam),
      .DataWidth       (Width),
      .TidWidth        (TidWidth)
  ) u_core (
      .clk_i,
      .rst_i        (reset),
      .s_axis_tvalid(core_valid),
      .s_axis_tready(unused_ready),
      .s_axis_tdata (core_part.part_data),
      .s_axis_tkeep (core_part.part_keep),
      .s_axis_tlast (core_last),
      .s_axis_tid   (core_side.part_tid),
      .s_axis_tuser (core_part.part_user),
      .s_axis_room  (core_room),
      .m_axis_tvalid(beat_valid),
      .m_axis_tready(take),
      .m_axis_tdata (beat_data),
      .m_axis_tkeep (beat_keep),
      .m_axis_tlast (beat_last),
      .m_axis_tid   (beat_tid),
      .m_axis_tuser (beat_user),
      .m_axis_stop  (stop_hops_q[Hops-1])
  );

  // [n]: n + 1 clocks ago.
  logic [Settle+Hops-2:0] part_taken_q;
  logic [Settle+Hops-2:0][TidWidth-1:0] part_tid_q;
  logic [Hops-1:0] offered_hops_q;
  logic [Hops-1:0][Slots-1:0] room_hops_q;

  always_ff @(posedge clk_i) begin
    part_taken_q <= {part_taken_q[Settle+Hops-3:0], core_take && core_side.part_end};
    part_tid_q <= {part_tid_q[Settle+Hops-3:0], core_side.part_tid};
    offered_hops_q <= Hops'({offered_hops_q, beat_valid});
    room_hops_q <= (Hops * Slots)'({room_hops_q, core_room});
    for (int unsigned i = 0; i < Slots; i++) begin
      slot_clear_o[i] <= part_taken_q[Settle+Hops-2] && part_tid_q[Settle+Hops-2] == TidWidth'(i);
    end
    if (reset) {part_taken_q, slot_clear_o} <= '0;
  end

  assign beat_left_o = part_taken_q[Hops-1];
  assign beat_offered_o = offered_hops_q[Hops-1];
  assign slot_room_o = room_hops_q[Hops-1];

endmodule
