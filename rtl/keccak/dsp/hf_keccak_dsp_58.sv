// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] (FIPS 202, section 3.3) in 58 DSP48E1 slices (7 series, Virtex-6), a plane (320
// bits) a clock: 5 clocks a round, 120 a block, three messages at a time. A DSP48E1 has operations
// of two operands only (hf_dsp48_pkg); hence the number of slices, which is that of paper
// arshad-dsp:
//
//   P1 .. P4  28 slices  column parity over the cascade: planes 0 ^ 1, ^ 2, ^ 3, ^ 4
//   D         7          theta's effect: C[x-1] from PCIN ^ rot(C[x+1], 1)
//   T         7          lane ^ D
//   AND       7          ~B[x+1] & B[x+2]
//   I         2          iota: B ^ constant, in the words that hold lane (0, 0)
//   E         7          B[x] ^ AND
//
// The cascades are P1 => P2 => P3 => P4 => D => T and AND => E. D takes C[x-1] of its lane from
// PCIN, so the lanes of D and T are one further than those of the parity. The slices have no
// operand left for the block: 320 LUTs add it to B on its way to E.
//
// Schedule of one message. Clock 0 is the first clock of the window in which the planes of its
// state are at E's output; y and Y are 0 to 4 (hf_keccak_dsp_control's plane is the clock modulo
// 5):
//
//   y          plane y is at E's output, is written to the sheets, and enters its parity slice
//   2 .. 4     P1, P2, P3
//   5          P4 has the parity in clock 6, and keeps it for five clocks
//   9          C[x+1] enters D's register
//   10         D adds it; it has theta's effect in clocks 11 to 15
//   Y + 10     lanes of row Y are read, one from each sheet, (x, x + 2Y)
//   Y + 11     T
//   Y + 12     at T's output, through rho and pi, to the registers of AND, and with the block to
//              those of I and E
//   Y + 13     AND, I
//   Y + 14     E
//   Y + 15     row Y of the next round is at E's output
//
// All registers that an operand or result passes are used, except the A:B of the two E after I,
// where I's P takes its place. The path from plane 4 to plane 0 of the next round has twelve
// stages. Three messages need 15, so D waits for three clocks, which P4 bridges. A single message
// also takes 15 clocks a round. In a `first` block's window T gives zero, so that the block is
// added to zero. This is T's operation, from a register of hf_keccak_dsp_control, which has a
// reset. (A slice whose operation is X makes AMD's model warn.) All other slices have a fixed
// operation.

module hf_keccak_dsp_58
  import hf_dsp48_pkg::*;
  import hf_keccak_dsp_pkg::*;
  import hf_keccak_pkg::*;
#(
    localparam int unsigned Slots = 3,
    localparam int unsigned SlotWidth = 2,
    localparam int unsigned DataDelay = 2
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                  blk_valid_i,
    output logic                  blk_ready_o,
    output logic [ SlotWidth-1:0] blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [StateWidth-1:0] blk_i,        // 2 clocks after the handshake

    output logic                  st_valid_o,
    input  logic                  st_ready_i,  // unused: states are returned (rule 11)
    output logic [ SlotWidth-1:0] st_slot_o,
    output logic [StateWidth-1:0] st_o         // 2 clocks after st_valid_o
);

  logic [2:0] plane;
  // Slot of the window at E; of the windows before.
  logic [SlotWidth-1:0] window, window1_q, window2_q;
  logic take, first, leave;
  logic [6:0] constant;

  hf_keccak_dsp_control #(
      .Slots    (Slots),
      .DataDelay(DataDelay)
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

  always_ff @(posedge clk_i) begin
    if (plane == 3'd4) begin
      window1_q <= window;
      window2_q <= window1_q;
    end
  end

  words_t p1, p1_out, p2, p2_out, p3, p3_out, p4, p4_out, d, d_out, t, t_out;
  words_t n, n_out, e, e_out;
  plane_t e_plane, read, b, block;
  assign e_plane = to_plane(e);

  hf_keccak_dsp_block #(
      .DataDelay(DataDelay)
  ) u_block (
      .clk_i,
      .plane_i(plane),
      .take_i (take),
      .iota_i ('0),
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
      .from_i (window2_q),
      .lanes_o(read)
  );

  logic [2:0] row_next;  // the row at T's output in the next clock
  assign row_next = plane_before(plane);

  hf_keccak_dsp_rho_pi u_rho_pi (
      .clk_i,
      .row_next_i(row_next),
      .lanes_i   (next_of(to_plane(t), 4)),
      .row_o     (b)
  );

  dsp48_op_t op_t;
  assign op_t = first ? OpZero : OpXorAbPcin;

  words_t lanes, right, a, a1, a2, added;
  assign lanes = to_words(next_of(read, 1));
  assign right = to_words(next_of(right_of(to_plane(p4)), 1));
  assign a = to_words(b ^ block);
  assign a1 = to_words(next_of(b, 1));
  assign a2 = to_words(next_of(b, 2));
  assign added = to_words(iota_plane(constant));

  for (genvar i = 0; i < NumWords; i++) begin : gen_word
    hf_dsp48e1 #(
        .AbRegisters(2)
    ) u_p1 (
        .clk_i,
        .op_i   (OpXorAbC),
        .ab_i   (e[i]),
        .en_ab_i(1'b1),
        .c_i    (e[i]),
        .en_c_i (1'b1),
        .pcin_i ('0),
        .en_p_i (1'b1),
        .p_o    (p1[i]),
        .pcout_o(p1_out[i])
    );
    hf_dsp48e1 u_p2 (
        .clk_i,
        .op_i   (OpXorAbPcin),
        .ab_i   (e[i]),
        .en_ab_i(1'b1),
        .c_i    ('0),
        .en_c_i (1'b1),
        .pcin_i (p1_out[i]),
        .en_p_i (1'b1),
        .p_o    (p2[i]),
        .pcout_o(p2_out[i])
    );
    hf_dsp48e1 u_p3 (
        .clk_i,
        .op_i   (OpXorAbPcin),
        .ab_i   (e[i]),
        .en_ab_i(1'b1),
        .c_i    ('0),
        .en_c_i (1'b1),
        .pcin_i (p2_out[i]),
        .en_p_i (1'b1),
        .p_o    (p3[i]),
        .pcout_o(p3_out[i])
    );
    hf_dsp48e1 u_p4 (
        .clk_i,
        .op_i   (OpXorAbPcin),
        .ab_i   (e[i]),
        .en_ab_i(1'b1),
        .c_i    ('0),
        .en_c_i (1'b1),
        .pcin_i (p3_out[i]),
        .en_p_i (plane == 3'd0),
        .p_o    (p4[i]),
        .pcout_o(p4_out[i])
    );
    hf_dsp48e1 u_d (
        .clk_i,
        .op_i   (OpXorAbPcin),
        .ab_i   (right[i]),
        .en_ab_i(1'b1),
        .c_i    ('0),
        .en_c_i (1'b1),
        .pcin_i (p4_out[i]),
        .en_p_i (plane == 3'd0),
        .p_o    (d[i]),
        .pcout_o(d_out[i])
    );
    hf_dsp48e1 #(
        .OpRegister(0)
    ) u_t (
        .clk_i,
        .op_i   (op_t),
        .ab_i   (lanes[i]),
        .en_ab_i(1'b1),
        .c_i    ('0),
        .en_c_i (1'b1),
        .pcin_i (d_out[i]),
        .en_p_i (1'b1),
        .p_o    (t[i]),
        .pcout_o(t_out[i])
    );
    hf_dsp48e1 u_and (
        .clk_i,
        .op_i   (OpAndAbNotC),
        .ab_i   (a2[i]),
        .en_ab_i(1'b1),
        .c_i    (a1[i]),
        .en_c_i (1'b1),
        .pcin_i ('0),
        .en_p_i (1'b1),
        .p_o    (n[i]),
        .pcout_o(n_out[i])
    );

    if (i == 0 || i == 5) begin : gen_iota  // the words that hold lane 0
      word_t sum, unused_sum_out;
      hf_dsp48e1 u_iota (
          .clk_i,
          .op_i   (OpXorAbC),
          .ab_i   (a[i]),
          .en_ab_i(1'b1),
          .c_i    (added[i]),
          .en_c_i (1'b1),
          .pcin_i ('0),
          .en_p_i (1'b1),
          .p_o    (sum),
          .pcout_o(unused_sum_out)
      );
      hf_dsp48e1 #(
          .AbRegisters(0)
      ) u_e (
          .clk_i,
          .op_i   (OpXorAbPcin),
          .ab_i   (sum),
          .en_ab_i(1'b1),
          .c_i    ('0),
          .en_c_i (1'b1),
          .pcin_i (n_out[i]),
          .en_p_i (1'b1),
          .p_o    (e[i]),
          .pcout_o(e_out[i])
      );
    end else begin : gen_others
      word_t unused_added;
      assign unused_added = added[i];
      hf_dsp48e1 #(
          .AbRegisters(2)
      ) u_e (
          .clk_i,
          .op_i   (OpXorAbPcin),
          .ab_i   (a[i]),
          .en_ab_i(1'b1),
          .c_i    ('0),
          .en_c_i (1'b1),
          .pcin_i (n_out[i]),
          .en_p_i (1'b1),
          .p_o    (e[i]),
          .pcout_o(e_out[i])
      );
    end
  end

  logic unused;
  assign unused = ^{p1, p2, p3, d, t_out, n, e_out};

endmodule
