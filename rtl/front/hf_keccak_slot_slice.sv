// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Register slice in front of a core's slot port (hf_keccak_slot_port): a beat is taken in the clock
// in which its slot has room, but none in the clock after one offered a message's last beat. Beats
// are delayed by a clock, and one can leave in every clock.
//
// The fields that decide are in one register, `head_q`, so that three LUT levels lead from
// `room_i` to any register here and the core has its slot and tid from registers. Data is wide: it
// goes to two registers in turn, as in hf_axis_slice. Each is loaded only while it holds no beat,
// so that no enable of a whole beat depends on `room_i`.
//
// Errors: none.

module hf_keccak_slot_slice #(
    parameter int unsigned Width = 128,    // width of a beat without the fields below
    parameter int unsigned SideWidth = 3,  // fields that the core has from registers
    parameter int unsigned Slots = 8
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                 s_valid_i,
    output logic                 s_ready_o,
    input  logic [    Width-1:0] s_data_i,
    input  logic [SideWidth-1:0] s_side_i,
    input  logic [    Slots-1:0] s_slot_i,   // its slot, one-hot
    input  logic                 s_last_i,   // a message's last beat

    input  logic [    Slots-1:0] room_i,    // a beat of the slot would be taken
    output logic                 m_valid_o,
    output logic                 m_take_o,
    output logic [    Width-1:0] m_data_o,
    output logic [SideWidth-1:0] m_side_o,
    output logic                 m_last_o
);

  localparam int unsigned Group = 64;  // bits for each copy of the control

  typedef struct packed {
    logic [SideWidth-1:0] side;
    logic                 last;
    logic [Slots-1:0]     slot;
  } head_t;

  // The beat at the port, and the one after it. The data of the former is in register `get_q`, that
  // of the latter in the other one.
  head_t head_q, next_q, after;
  logic head_valid_q, next_valid_q, get_q;
  logic pause_q;  // the clock before offered a message's last beat

  assign s_ready_o = !next_valid_q;
  assign m_valid_o = head_valid_q;
  assign m_side_o  = head_q.side;
  assign m_last_o  = head_q.last;

  logic has_room;  // the slot of the beat at the port
  hf_any_of #(
      .Width(Slots)
  ) u_room (
      .a_i  (head_q.slot),
      .b_i  (room_i),
      .any_o(has_room)
  );
  assign m_take_o = has_room && head_valid_q && !pause_q;

  always_comb begin
    after = next_q;
    if (!next_valid_q) begin
      after.side = s_side_i;
      after.last = s_last_i;
      after.slot = s_slot_i;
    end
  end

  // The next state for both cases: the slot has room ([1]), and it has not.
  logic [1:0] moves, get_d, head_valid_d, next_valid_d;
  logic [1:0][1:0] hold_d;  // by register: it holds a beat
  head_t [1:0] head_d;
  for (genvar room = 0; room < 2; room++) begin : gen_next
    hf_keccak_slot_next #(
        .HasRoom(room != 0)
    ) u_next (
        .s_valid_i,
        .head_valid_i(head_valid_q),
        .next_valid_i(next_valid_q),
        .pause_i     (pause_q),
        .get_i       (get_q),
        .moves_o     (moves[room]),
        .get_o       (get_d[room]),
        .head_valid_o(head_valid_d[room]),
        .next_valid_o(next_valid_d[room]),
        .hold_o      (hold_d[room])
    );
    assign head_d[room] = moves[room] ? after : head_q;
  end

  hf_chosen_copies #(
      .Width($bits(head_t) + 3)
  ) u_head (
      .clk_i,
      .rst_i,
      .choose_i(has_room),
      .d1_i    ({head_d[1], get_d[1], head_valid_d[1], next_valid_d[1]}),
      .d0_i    ({head_d[0], get_d[0], head_valid_d[0], next_valid_d[0]}),
      .q_o     ({head_q, get_q, head_valid_q, next_valid_q})
  );
  always_ff @(posedge clk_i) begin
    pause_q <= head_valid_q && head_q.last && !pause_q && !rst_i;
    if (!next_valid_q) {next_q.side, next_q.last, next_q.slot} <= {s_side_i, s_last_i, s_slot_i};
  end

  for (genvar i = 0; i < Width; i += Group) begin : gen_group
    localparam int unsigned Bits = (Width - i < Group) ? Width - i : Group;
    logic [1:0] hold;
    logic get;
    logic [1:0][Bits-1:0] data_q;
    hf_chosen_copies #(
        .Width(3)
    ) u_control (
        .clk_i,
        .rst_i,
        .choose_i(has_room),
        .d1_i    ({hold_d[1], get_d[1]}),
        .d0_i    ({hold_d[0], get_d[0]}),
        .q_o     ({hold, get})
    );
    always_ff @(posedge clk_i) begin
      for (int unsigned k = 0; k < 2; k++) if (!hold[k]) data_q[k] <= s_data_i[i+:Bits];
    end
    assign m_data_o[i+:Bits] = data_q[get];
  end

endmodule
