// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] (FIPS 202, section 3.3) in 21 DSP48E2 slices, a plane (320 bits) a clock: 5 clocks
// a round, 120 a block, three messages at a time. Every XOR and AND of a round is in a slice; LUTs
// store planes and select lanes.
//
//   AND 7 slices  ~B[x+1] & B[x+2]
//   S   7         S_y = S_(y-1) ^ B[x] ^ AND, row by row: the running parity of the new state's
//                 planes E_0, E_1, ...; S_4 is its column parity
//   T   7         theta: T_0 = S_0 ^ S_4[x-1] ^ rot(S_4[x+1], 1), T_1 = T_0 ^ S_1,
//                 T_y = T_(y-1) ^ S_y ^ S_(y-2), which is E_y ^ D
//
// The cascades are AND => S => T. T of lane x takes S_4[x-1] from PCIN, so T's lanes are one
// further.
//
// Schedule of one message. Clock 0 is the first clock of its window (hf_keccak_dsp_control's plane
// is the clock modulo 5):
//
//   y          S_y is at S's output, and is written to the memory of running parities
//   y + 3      S_y is read for T's A:B
//   y + 4      T_y is computed; in y = 0 S_4 is at S's output: on PCIN, and at T's C
//   y + 5      T_y is at T's output, and is written to the sheets
//   Y + 11     a lane is read from each sheet, (x, x + 2Y); through rho and pi
//   Y + 12     in b_q; to the registers of AND
//   Y + 13     AND; B[x] in a_q, the block is added on its way to S's C register
//   Y + 14     S; iota's constant is on A:B in row 0
//   Y + 15     row Y of the next round is at S's output
//
// All registers that an operand or result passes are used, except T's C. PCIN has no register, so
// S_4 over the cascade and S_4 over the fabric meet in the clock in which S_4 is at S's output, and
// in no other, because the next message's S_0 follows it. With the C register, T_0 would be two
// operations, and a round would take six clocks.

module hf_keccak_dsp_21
  import hf_dsp48_pkg::*;
  import hf_keccak_dsp_pkg::*;
  import hf_keccak_pkg::*;
#(
    localparam int unsigned Slots = 3,
    localparam int unsigned SlotWidth = 2
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                  blk_valid_i,
    output logic                  blk_ready_o,
    output logic [ SlotWidth-1:0] blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [StateWidth-1:0] blk_i,        // 3 clocks after the handshake

    output logic                  st_valid_o,
    input  logic                  st_ready_i,  // unused: states are returned (rule 11)
    output logic [ SlotWidth-1:0] st_slot_o,
    output logic [StateWidth-1:0] st_o         // 3 clocks after st_valid_o
);

  logic [2:0] plane;
  // Slot of the window at S; of the windows before.
  logic [SlotWidth-1:0] window, window1_q, window2_q;
  logic take, first, leave;
  logic [6:0] constant;

  hf_keccak_dsp_control #(
      .Slots(Slots)
  ) u_control (
      .clk_i,
      .rst_i,
      .blk_valid_i,
      .blk_ready_o,
      .blk_slot_o,
      .blk_first_i,
      .blk_last_i,
      .st_valid_o,
      .st_slot_o,
      .plane_o (plane),
      .window_o(window),
      .take_o  (take),
      .first_o (first),
      .leave_o (leave),
      .iota_o  (constant)
  );

  logic unused_ready;
  assign unused_ready = st_ready_i;

  words_t n, n_out, s, s_out, t, t_out;
  plane_t s_plane, t_plane, before_q, lanes, b, b_q, a_q, block;

  always_ff @(posedge clk_i) begin
    if (plane == 3'd4) begin
      window1_q <= window;
      window2_q <= window1_q;
    end
  end

  hf_keccak_dsp_block u_block (
      .clk_i,
      .plane_i(plane),
      .take_i (take),
      .iota_i ('0),
      .blk_i,
      .plane_o(block)
  );

  // The planes of a state that leaves, from the running parity: S_y ^ S_(y-1).
  always_ff @(posedge clk_i) before_q <= (plane == 3'd4) ? '0 : s_plane;

  hf_keccak_dsp_state u_state (
      .clk_i,
      .plane_i(plane),
      .leave_i(leave),
      .e_i    (s_plane ^ before_q),
      .st_o
  );

  ////////////////////
  // T's operands   //
  ////////////////////

  // Running parities: two reads, each from a separate memory.
  logic [2:0] y_now;
  logic [SlotWidth-1:0] y_slot;
  plane_t s_now, s_earlier_q;
  assign y_now  = (plane >= 3'd3) ? plane - 3'd3 : plane + 3'd2;
  assign y_slot = (plane >= 3'd3) ? window : window1_q;

  for (genvar x = 0; x < 5; x++) begin : gen_parity
    (* ram_style = "distributed" *) lane_t mem[32];
    always_ff @(posedge clk_i) begin
      mem[{window, plane}] <= s_plane[x];
      s_earlier_q[x] <= mem[{window1_q, plane}];  // S_(y-2), in planes 0, 1 and 2
    end
    assign s_now[x] = mem[{y_slot, y_now}];
  end

  logic [4:0] parity;  // S_4 is at S's output; one copy for each lane
  for (genvar x = 0; x < 5; x++) begin : gen_copy
    hf_copy u_parity (
        .clk_i,
        .d_i(plane == 3'd3),
        .q_o(parity[x])
    );
  end

  plane_t right, t_c;
  assign right = right_of(s_plane);
  for (genvar x = 0; x < 5; x++) begin : gen_c
    assign t_c[x] = parity[x] ? right[x] : s_earlier_q[x];
  end

  ////////////////////
  // Rows           //
  ////////////////////

  hf_keccak_dsp_sheets #(
      .Slots(Slots)
  ) u_sheets (
      .clk_i,
      .plane_i(plane),
      .slot_i (window1_q),
      .a_i    (t_plane),
      .row_i  (plane_before(plane)),
      .from_i ((plane == 3'd0) ? window : window2_q),
      .lanes_o(lanes)
  );

  hf_keccak_dsp_rho_pi u_rho_pi (
      .clk_i,
      .row_next_i(plane),
      .lanes_i   (lanes),
      .row_o     (b)
  );

  always_ff @(posedge clk_i) begin
    b_q <= first ? '0 : b;
    a_q <= b_q;
  end

  ////////////////////
  // Slices         //
  ////////////////////

  dsp48_op_t op_s, op_t;
  assign op_s = (plane == 3'd3) ? OpXorAbCPcin : OpAccumulateCPcin;
  always_comb begin
    unique case (plane)
      3'd3: op_t = OpXorAbCPcin;
      3'd4: op_t = OpAccumulateAb;
      default: op_t = OpAccumulateAbC;
    endcase
  end

  // The lanes of T's words are one further than those of S: the cascade carries S_4[x-1].
  words_t a, a1, a2, added, t_ab, t_cs;
  assign s_plane = to_plane(s);
  assign t_plane = next_of(to_plane(t), 4);
  assign a = to_words(a_q ^ block);
  assign a1 = to_words(next_of(b_q, 1));
  assign a2 = to_words(next_of(b_q, 2));
  assign added = to_words(iota_plane(constant));
  assign t_ab = to_words(next_of(s_now, 1));
  assign t_cs = to_words(next_of(t_c, 1));

  hf_keccak_dsp_words u_and (
      .clk_i,
      .op_i   (OpAndAbNotC),
      .ab_i   (a2),
      .en_ab_i(1'b1),
      .c_i    (a1),
      .en_c_i (1'b1),
      .pcin_i ('0),
      .en_p_i (1'b1),
      .p_o    (n),
      .pcout_o(n_out)
  );
  hf_keccak_dsp_words u_s (
      .clk_i,
      .op_i   (op_s),
      .ab_i   (added),
      .en_ab_i(1'b1),
      .c_i    (a),
      .en_c_i (1'b1),
      .pcin_i (n_out),
      .en_p_i (1'b1),
      .p_o    (s),
      .pcout_o(s_out)
  );
  hf_keccak_dsp_words #(
      .CRegister(0)
  ) u_t (
      .clk_i,
      .op_i   (op_t),
      .ab_i   (t_ab),
      .en_ab_i(1'b1),
      .c_i    (t_cs),
      .en_c_i (1'b0),
      .pcin_i (s_out),
      .en_p_i (1'b1),
      .p_o    (t),
      .pcout_o(t_out)
  );

  logic unused;
  assign unused = ^{n, t_out};

endmodule
