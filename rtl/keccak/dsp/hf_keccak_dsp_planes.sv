// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] (FIPS 202, section 3.3) in 28 or 42 DSP48E2 slices, a plane (320 bits) a clock: 5
// clocks a round, 120 a block, two messages at a time. Every XOR and AND of a round is in a slice;
// LUTs store planes and select lanes. ParityCascade = 0, 28 slices:
//
//         .---------------------- sheets (distributed RAM) <------------------------.
//         v                                                                         |
//  D ==> T --> rho and pi, a 5-to-1 multiplexer --> AND ==> E --> new state's plane +--> D
//                                                            ^                      '-> st_o
//                                         block, constant ---'     ==> is PCOUT to PCIN
//
//   D  7 slices  D ^= E[x-1] ^ rot(E[x+1], 1), plane by plane: theta's effect after all five planes
//   T  7         lane ^ D: from PCIN in the first plane, after which D's register belongs to the
//                next message, and from the C register in the others
//   AND 7        ~B[x+1] & B[x+2]
//   E  7         B[x] ^ PCIN ^ C, where C is the constant and the plane of a block; C only in the
//                first block of a message
//
// Schedule of one message. Clock 0 is the first clock of the window in which the planes of its
// state are at E's output; y and Y are 0 to 4 (hf_keccak_dsp_control's plane is the clock modulo
// 5):
//
//   y          plane y is at E's output, is written to the sheets, and enters D's registers
//   y + 1      D adds it
//   Y + 5      a lane is read from each sheet, (x, x + 2Y): those that pi puts into row Y
//   Y + 6      T adds D to them
//   Y + 7      at T's output, through rho and pi, to the registers of AND and E
//   Y + 8      AND
//   Y + 9      E; the block's plane entered its register in Y + 8
//   Y + 10     plane Y of the next round is at E's output
//
// All registers that an operand or result passes are used (see below for one exception). Plane 0 of
// a round needs the parity of the five planes before. So a single message takes at least 5 clocks
// and the ten stages, less the five clocks in which they overlap: 10 a round. Two messages fill
// them.
//
// ParityCascade = 1, 42 slices, is the structure of paper arshad-dsp. In D's place are 21 slices
// that add the five planes over the cascade, P1 => P2 => P3 => T, and T adds both parities to every
// lane.
//
//   P1 planes 0 and 1     P2 planes 2 and 3     P3 plane 4: each kept in the slice's own A:B or C
//   5         P3 has the column parity in Y + 6, and keeps it for the five clocks of T
//
// T's C register is not used there: P3's parity is needed on PCIN in five clocks, and with the
// register it would be needed one clock earlier too, which makes six.
//
// The sheets: sheet x is 64 bits wide and holds lanes (x, 0) to (x, 4) of both messages. pi takes
// one lane of each sheet for each row, so T needs no multiplexer at its input.

module hf_keccak_dsp_planes
  import hf_dsp48_pkg::*;
  import hf_keccak_dsp_pkg::*;
  import hf_keccak_pkg::*;
#(
    parameter  bit          ParityCascade = 1'b0,  // the 42-slice structure of paper arshad-dsp
    localparam int unsigned Slots = 2,
    localparam int unsigned SlotWidth = 1
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
  logic [SlotWidth-1:0] window;
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

  plane_t theta_out;
  words_t t, t_out, n, n_out, e, e_out;
  plane_t e_plane, read, b, block;

  hf_keccak_dsp_block u_block (
      .clk_i,
      .plane_i(plane),
      .take_i (take),
      .iota_i (constant),
      .blk_i,
      .plane_o(block)
  );

  hf_keccak_dsp_state u_state (
      .clk_i,
      .plane_i(plane),
      .leave_i(leave),
      .e_i    (e_plane),
      .st_o
  );

  hf_keccak_dsp_sheets #(
      .Slots(Slots)
  ) u_sheets (
      .clk_i,
      .plane_i(plane),
      .slot_i (window),
      .a_i    (e_plane),
      .row_i  (plane),
      .from_i (!window),
      .lanes_o(read)
  );

  logic [2:0] row_next;  // the row at T's output in the next clock
  assign row_next = plane_before(plane);

  hf_keccak_dsp_rho_pi u_rho_pi (
      .clk_i,
      .row_next_i(row_next),
      .lanes_i   (theta_out),
      .row_o     (b)
  );

  logic single_q;  // the next window at E is a first block's
  always_ff @(posedge clk_i) begin
    if (plane == 3'd2) single_q <= first;
    if (rst_i) single_q <= 1'b0;  // so that E's operation is never X after a reset
  end

  dsp48_op_t op_e;
  assign op_e = single_q ? OpC : OpXorAbCPcin;

  words_t a, a1, a2, added;
  assign e_plane = to_plane(e);
  assign a = to_words(b);
  assign a1 = to_words(next_of(b, 1));
  assign a2 = to_words(next_of(b, 2));
  assign added = to_words(block);

  if (ParityCascade) begin : gen_cascade
    words_t planes, lanes, right, p1, p1_out, p2, p2_out, p3, p3_out;
    assign planes = e;
    assign lanes = to_words(next_of(read, 1));
    assign right = to_words(next_of(right_of(to_plane(p3)), 1));
    assign theta_out = next_of(to_plane(t), 4);
    hf_keccak_dsp_words u_p1 (
        .clk_i,
        .op_i   (OpXorAbC),
        .ab_i   (planes),
        .en_ab_i(plane == 3'd1),
        .c_i    (planes),
        .en_c_i (plane == 3'd0),
        .pcin_i ('0),
        .en_p_i (1'b1),
        .p_o    (p1),
        .pcout_o(p1_out)
    );
    hf_keccak_dsp_words u_p2 (
        .clk_i,
        .op_i   (OpXorAbCPcin),
        .ab_i   (planes),
        .en_ab_i(plane == 3'd3),
        .c_i    (planes),
        .en_c_i (plane == 3'd2),
        .pcin_i (p1_out),
        .en_p_i (1'b1),
        .p_o    (p2),
        .pcout_o(p2_out)
    );
    hf_keccak_dsp_words u_p3 (
        .clk_i,
        .op_i   (OpXorAbPcin),
        .ab_i   (planes),
        .en_ab_i(plane == 3'd4),
        .c_i    ('0),
        .en_c_i (1'b1),
        .pcin_i (p2_out),
        .en_p_i (plane == 3'd0),
        .p_o    (p3),
        .pcout_o(p3_out)
    );
    hf_keccak_dsp_words #(
        .CRegister(0)
    ) u_t (
        .clk_i,
        .op_i   (OpXorAbCPcin),
        .ab_i   (lanes),
        .en_ab_i(1'b1),
        .c_i    (right),
        .en_c_i (1'b0),
        .pcin_i (p3_out),
        .en_p_i (1'b1),
        .p_o    (t),
        .pcout_o(t_out)
    );
    logic unused_cascade;
    assign unused_cascade = ^{p1, p2};
  end else begin : gen_accumulate
    words_t lanes, left, right, d, d_out;
    dsp48_op_t op_d, op_t;
    assign op_d = (plane == 3'd0) ? OpXorAbC : OpAccumulateAbC;
    assign op_t = (plane == 3'd0) ? OpXorAbPcin : OpXorAbC;
    assign lanes = to_words(read);
    assign left = to_words(left_of(e_plane));
    assign right = to_words(right_of(e_plane));
    assign theta_out = to_plane(t);
    hf_keccak_dsp_words u_d (
        .clk_i,
        .op_i   (op_d),
        .ab_i   (left),
        .en_ab_i(1'b1),
        .c_i    (right),
        .en_c_i (1'b1),
        .pcin_i ('0),
        .en_p_i (1'b1),
        .p_o    (d),
        .pcout_o(d_out)
    );
    hf_keccak_dsp_words u_t (
        .clk_i,
        .op_i   (op_t),
        .ab_i   (lanes),
        .en_ab_i(1'b1),
        .c_i    (d),
        .en_c_i (plane == 3'd1),
        .pcin_i (d_out),
        .en_p_i (1'b1),
        .p_o    (t),
        .pcout_o(t_out)
    );
  end

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
  hf_keccak_dsp_words #(
      .AbRegisters(2)
  ) u_e (
      .clk_i,
      .op_i   (op_e),
      .ab_i   (a),
      .en_ab_i(1'b1),
      .c_i    (added),
      .en_c_i (1'b1),
      .pcin_i (n_out),
      .en_p_i (1'b1),
      .p_o    (e),
      .pcout_o(e_out)
  );

  logic unused;
  assign unused = ^{t_out, n, e_out};

endmodule
