// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral on APB4: hf_keccak_regs and the register block that is generated from
// rtl/regs/hf_keccak_regs.rdl. Its use by software is described in docs/integrate/regs.md.

module hf_keccak_apb
  import hf_keccak_csr_pkg::*;
#(
    parameter int unsigned Engine = 0,  // 0: keccak-iterative, 1: keccak-serial, 2: keccak-tiny
    // keccak-iterative: words of the state are read out of block RAM, on ECP5.
    parameter bit StateInBlockRam = 1'b1,
    parameter int unsigned MessageWords = 16,  // message FIFO: 0 or a power of two up to 128
    parameter int unsigned DigestWords = 16,  // digest FIFO: a power of two up to 128
    parameter bit Stream = 1'b1,  // the AXI4-Stream input exists
    parameter bit Run = 1'b1,  // the register RUN exists
    parameter bit Sampler = 1'b0,  // output may be coefficients of ML-KEM and ML-DSA
    parameter bit Prefix = 1'b0,  // the state after a prefix may be kept in a copy
    // Bits of a word of a message inside: 32, or 64 with keccak-iterative. Also of s_axis_tdata.
    parameter int unsigned WordWidth = 32
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic        s_apb_psel,
    input  logic        s_apb_penable,
    input  logic        s_apb_pwrite,
    input  logic [ 2:0] s_apb_pprot,
    input  logic [ 8:0] s_apb_paddr,
    input  logic [31:0] s_apb_pwdata,
    input  logic [ 3:0] s_apb_pstrb,
    output logic        s_apb_pready,
    output logic [31:0] s_apb_prdata,
    output logic        s_apb_pslverr,

    // A message, if CONFIG.stream is set; if unused, tvalid must be low.
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [WordWidth-1:0] s_axis_tdata,
    input  logic [WordWidth/8-1:0] s_axis_tkeep,
    input  logic        s_axis_tlast,

    output logic irq_o
);

  hf_keccak_regs__in_t  regs_in;
  hf_keccak_regs__out_t regs_out;
  logic bad_access;  // reported in ERROR, and not on the bus: a reply of OKAY stops no processor
  logic failed, unused_failed;
  assign s_apb_pslverr = 1'b0;
  assign unused_failed = failed;

  hf_keccak_csr_apb u_registers (
      .clk(clk_i),
      .rst(rst_i),
      .s_apb_psel,
      .s_apb_penable,
      .s_apb_pwrite,
      .s_apb_pprot,
      .s_apb_paddr,
      .s_apb_pwdata,
      .s_apb_pstrb,
      .s_apb_pready,
      .s_apb_prdata,
      .s_apb_pslverr(failed),
      .bad_access,
      .hwif_in(regs_in),
      .hwif_out(regs_out)
  );

  hf_keccak_regs #(
      .Engine         (Engine),
      .StateInBlockRam(StateInBlockRam),
      .MessageWords   (MessageWords),
      .DigestWords    (DigestWords),
      .Stream         (Stream),
      .Run            (Run),
      .Sampler        (Sampler),
      .Prefix         (Prefix),
      .WordWidth      (WordWidth)
  ) u_keccak (
      .clk_i,
      .rst_i,
      .regs_i      (regs_out),
      .regs_o      (regs_in),
      .bad_access_i(bad_access),
      .s_tvalid_i  (s_axis_tvalid),
      .s_tready_o  (s_axis_tready),
      .s_tdata_i   (s_axis_tdata),
      .s_tkeep_i   (s_axis_tkeep),
      .s_tlast_i   (s_axis_tlast),
      .irq_o
  );

endmodule
