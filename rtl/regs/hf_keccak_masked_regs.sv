// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The masked Keccak peripheral without its bus: a stream core whose ports are in two shares, with
// its generator of random bits, and what its registers do (hf_keccak_masked_access,
// docs/integrate/masked.md). `regs_i` and `regs_o` connect to a register block that is generated
// for each bus (rtl/regs/generated).

module hf_keccak_masked_regs
  import hf_keccak_masked_csr_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter bit Serial = 1'b1,  // engine: hf_keccak_masked_serial; 0: hf_keccak_masked
    parameter int unsigned FifoWords = 16  // of a share: a power of two, 2 to 128
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  hf_keccak_masked_regs__out_t regs_i,
    output hf_keccak_masked_regs__in_t  regs_o,
    // An access to an unmapped address or with an illegal direction.
    input  logic                        bad_access_i,

    output logic irq_o
);

  logic message_valid, message_ready, message_last;
  logic [1:0][31:0] message_data, digest_data;
  logic [3:0] message_keep;
  logic [UserWidth-1:0] message_user;
  logic digest_valid, digest_ready, digest_last, stop, ready, seed_valid;
  logic [1:0][3:0] digest_keep;
  logic [4:0] digest_user;
  logic [79:0] seed_key;
  // The core has one slot, and makes its random bits itself.
  logic unused_room, unused_tid, unused_rand;
  logic unused_parts;
  assign unused_parts = ^{digest_user[4:1], digest_keep[1], digest_keep[0][3:1]};

  hf_keccak_masked_access #(
      .FifoWords(FifoWords)
  ) u_access (
      .clk_i,
      .rst_i,
      .regs_i,
      .regs_o,
      .bad_access_i,
      .m_tvalid_o  (message_valid),
      .m_tready_i  (message_ready),
      .m_tdata_o   (message_data),
      .m_tkeep_o   (message_keep),
      .m_tlast_o   (message_last),
      .m_tuser_o   (message_user),
      .s_tvalid_i  (digest_valid),
      .s_tready_o  (digest_ready),
      .s_tdata_i   (digest_data),
      .s_word_i    (digest_keep[0][0]),
      .s_tlast_i   (digest_last),
      .s_error_i   (digest_user[0]),
      .stop_o      (stop),
      .ready_i     (ready),
      .seed_valid_o(seed_valid),
      .seed_key_o  (seed_key),
      .irq_o
  );

  if (Serial) begin : gen_serial
    hf_keccak_masked_serial_axis #(
        .SharedPorts(1'b1),
        .Generator  (1'b1),
        .DataWidth  (32),
        .TidWidth   (1)
    ) u_core (
        .clk_i,
        .rst_i,
        .s_axis_tvalid(message_valid),
        .s_axis_tready(message_ready),
        .s_axis_tdata (message_data),
        .s_axis_tkeep ({2{message_keep}}),
        .s_axis_tlast (message_last),
        .s_axis_tid   (1'b0),
        .s_axis_tuser (message_user),
        .s_axis_room  (unused_room),
        .m_axis_tvalid(digest_valid),
        .m_axis_tready(digest_ready),
        .m_axis_tdata (digest_data),
        .m_axis_tkeep (digest_keep),
        .m_axis_tlast (digest_last),
        .m_axis_tid   (unused_tid),
        .m_axis_tuser (digest_user),
        .m_axis_stop  (stop),
        .ready_o      (ready),
        .seed_valid_i (seed_valid),
        .seed_key_i   (seed_key),
        .rand_valid_i (1'b0),
        .rand_ready_o (unused_rand),
        .rand_i       (1'b0),
        .split_i      (1'b0)
    );
  end else begin : gen_wide
    hf_keccak_masked_axis #(
        .Order      (1),
        .Guards     (1'b1),
        .SharedPorts(1'b1),
        .Generator  (1'b1),
        .DataWidth  (32),
        .TidWidth   (1)
    ) u_core (
        .clk_i,
        .rst_i,
        .s_axis_tvalid(message_valid),
        .s_axis_tready(message_ready),
        .s_axis_tdata (message_data),
        .s_axis_tkeep ({2{message_keep}}),
        .s_axis_tlast (message_last),
        .s_axis_tid   (1'b0),
        .s_axis_tuser (message_user),
        .s_axis_room  (unused_room),
        .m_axis_tvalid(digest_valid),
        .m_axis_tready(digest_ready),
        .m_axis_tdata (digest_data),
        .m_axis_tkeep (digest_keep),
        .m_axis_tlast (digest_last),
        .m_axis_tid   (unused_tid),
        .m_axis_tuser (digest_user),
        .m_axis_stop  (stop),
        .ready_o      (ready),
        .seed_valid_i (seed_valid),
        .seed_key_i   (seed_key),
        .rand_valid_i (1'b0),
        .rand_ready_o (unused_rand),
        .rand_i       (1'b0),
        .split_i      (1'b0)
    );
  end

endmodule
