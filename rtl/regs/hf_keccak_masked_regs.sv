// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The masked Keccak peripheral without its bus: a stream core whose ports are in two shares, with
// its generator of random bits, and what its registers do (hf_keccak_masked_access,
// docs/integrate/masked.md). `regs_i` and `regs_o` connect to a register block that is generated
// for each bus (rtl/regs/generated).

module hf_keccak_masked_regs
  import hf_keccak_masked_csr_pkg::*;
  import hf_keccak_word_pkg::*;
  import hf_stream_pkg::*;
#(
    // Engine: hf_keccak_masked_serial; 0: hf_keccak_masked, whose state cannot be saved.
    parameter bit Serial = 1'b1,
    parameter bit StatesInBlockRam = 1'b0,  // of hf_keccak_masked_axis, with Serial = 0
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
  // To the state, in shares.
  logic window_valid, window_ready;
  word_op_e window_op;
  logic [5:0] window_addr;
  logic [1:0][31:0] window_in, window_out;
  // The core has one slot, and makes its random bits itself.
  logic unused_room, unused_tid, unused_rand;
  logic unused_parts;
  assign unused_parts = ^{digest_user[4:1], digest_keep[1], digest_keep[0][3:1]};

  hf_keccak_masked_access #(
      .FifoWords(FifoWords),
      .States   (Serial)
  ) u_access (
      .clk_i,
      .rst_i,
      .regs_i,
      .regs_o,
      .bad_access_i,
      .m_tvalid_o    (message_valid),
      .m_tready_i    (message_ready),
      .m_tdata_o     (message_data),
      .m_tkeep_o     (message_keep),
      .m_tlast_o     (message_last),
      .m_tuser_o     (message_user),
      .s_tvalid_i    (digest_valid),
      .s_tready_o    (digest_ready),
      .s_tdata_i     (digest_data),
      .s_word_i      (digest_keep[0][0]),
      .s_tlast_i     (digest_last),
      .s_error_i     (digest_user[0]),
      .stop_o        (stop),
      .ready_i       (ready),
      .seed_valid_o  (seed_valid),
      .seed_key_o    (seed_key),
      .window_valid_o(window_valid),
      .window_ready_i(window_ready),
      .window_op_o   (window_op),
      .window_addr_o (window_addr),
      .window_word_o (window_in),
      .window_word_i (window_out),
      .irq_o
  );

  if (Serial) begin : gen_serial
    logic rand_valid, rand_ready, started;
    logic [3:0] random, keep;
    hf_trivium #(
        .Width(4)
    ) u_masks (
        .clk_i,
        .rst_i,
        .seed_valid_i(seed_valid),
        .seed_key_i  (seed_key),
        .seed_iv_i   (80'd0),
        .rand_valid_o(rand_valid),
        .rand_ready_i(rand_ready),
        .rand_o      (random)
    );
    hf_keccak_masked_serial_stream u_core (
        .clk_i,
        .rst_i,
        .s_tvalid_i    (message_valid),
        .s_tready_o    (message_ready),
        .s_tdata_i     (message_data),
        .s_tkeep_i     (message_keep),
        .s_tlast_i     (message_last),
        .s_tid_i       (1'b0),
        .s_tuser_i     (message_user),
        .m_tvalid_o    (digest_valid),
        .m_tready_i    (digest_ready),
        .m_tdata_o     (digest_data),
        .m_tkeep_o     (keep),
        .m_tlast_o     (digest_last),
        .m_tid_o       (unused_tid),
        .m_tuser_o     (digest_user),
        .stop_i        (stop),
        .window_valid_i(window_valid),
        .window_ready_o(window_ready),
        .window_op_i   (window_op),
        .window_addr_i (window_addr),
        .window_word_i (window_in),
        .window_word_o (window_out),
        .started_o     (started),
        .rand_valid_i  (rand_valid),
        .rand_ready_o  (rand_ready),
        .rand_i        (random)
    );
    assign digest_keep = {2{keep}};
    assign ready = rand_valid && started;
    assign {unused_room, unused_rand} = '0;
  end else begin : gen_wide
    hf_keccak_masked_axis #(
        .Order      (1),
        .Guards     (1'b1),
        .SharedPorts(1'b1),
        .Generator  (1'b1),
        .DataWidth  (32),
        .StatesInBlockRam(StatesInBlockRam),
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
    assign window_ready = 1'b0;
    assign window_out = '0;
    logic unused_window;
    assign unused_window = ^{window_valid, window_op, window_addr, window_in};
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (Serial && StatesInBlockRam) begin : gen_no_states
    $fatal(1, "hf_keccak_masked_regs: StatesInBlockRam is for Serial = 0");
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
