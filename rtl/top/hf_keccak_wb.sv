// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral on Wishbone B4, classic cycles, 32 bits wide: hf_keccak_apb, whose register
// block begins an access when it is selected and ends it with pready. These correspond to strobe
// and ack.

module hf_keccak_wb #(
    parameter int unsigned Engine = 0,  // 0: keccak-iterative, 1: keccak-serial, 2: keccak-tiny
    // keccak-iterative: words of the state are read out of block RAM, on ECP5.
    parameter bit StateInBlockRam = 1'b1,
    parameter int unsigned MessageWords = 16,  // message FIFO: 0 or a power of two up to 128
    parameter int unsigned DigestWords = 16,  // digest FIFO: a power of two up to 128
    parameter bit Stream = 1'b1,  // the AXI4-Stream input exists
    parameter bit Run = 1'b1,  // the register RUN exists
    parameter bit Sampler = 1'b0,  // output may be coefficients of ML-KEM and ML-DSA
    parameter bit Prefix = 1'b0  // the state after a prefix may be kept in a copy
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic        wb_cyc,
    input  logic        wb_stb,
    input  logic        wb_we,
    input  logic [ 6:0] wb_adr,    // word address
    input  logic [31:0] wb_dat_w,
    input  logic [ 3:0] wb_sel,
    output logic        wb_ack,
    output logic        wb_err,
    output logic [31:0] wb_dat_r,

    // A message, if CONFIG.stream is set; if unused, tvalid must be low.
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [31:0] s_axis_tdata,
    input  logic [ 3:0] s_axis_tkeep,
    input  logic        s_axis_tlast,

    output logic irq_o
);

  logic selected, ready, failed;
  assign selected = wb_cyc && wb_stb;
  assign wb_ack = ready && !failed;
  assign wb_err = ready && failed;

  hf_keccak_apb #(
      .Engine         (Engine),
      .StateInBlockRam(StateInBlockRam),
      .MessageWords   (MessageWords),
      .DigestWords    (DigestWords),
      .Stream         (Stream),
      .Run            (Run),
      .Sampler        (Sampler),
      .Prefix         (Prefix)
  ) u_apb (
      .clk_i,
      .rst_i,
      .s_apb_psel   (selected),
      .s_apb_penable(selected),
      .s_apb_pwrite (wb_we),
      .s_apb_pprot  (3'b000),
      .s_apb_paddr  ({wb_adr, 2'b00}),
      .s_apb_pwdata (wb_dat_w),
      .s_apb_pstrb  (wb_sel),
      .s_apb_pready (ready),
      .s_apb_prdata (wb_dat_r),
      .s_apb_pslverr(failed),
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tlast,
      .irq_o
  );

endmodule
