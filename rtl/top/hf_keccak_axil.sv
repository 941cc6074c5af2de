// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral on AXI4-Lite: hf_keccak_regs and the register block that is generated from
// rtl/regs/hf_keccak_regs.rdl. Its use by software is described in docs/integrate/regs.md.

module hf_keccak_axil
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
    parameter bit Prefix = 1'b0  // the state after a prefix may be kept in a copy
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [ 8:0] s_axil_awaddr,
    input  logic [ 2:0] s_axil_awprot,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    output logic [ 1:0] s_axil_bresp,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    input  logic [ 8:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,

    // A message, if CONFIG.stream is set; if unused, tvalid must be low.
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [31:0] s_axis_tdata,
    input  logic [ 3:0] s_axis_tkeep,
    input  logic        s_axis_tlast,

    output logic irq_o
);

  hf_keccak_regs__in_t  regs_in;
  hf_keccak_regs__out_t regs_out;
  logic bad_access;  // reported in ERROR, and not on the bus: a reply of OKAY stops no processor
  logic [1:0] bad_write, bad_read;
  logic unused_answers;
  assign s_axil_bresp = 2'b00;
  assign s_axil_rresp = 2'b00;
  assign unused_answers = ^{bad_write, bad_read};

  hf_keccak_csr_axil u_registers (
      .clk(clk_i),
      .rst(rst_i),
      .s_axil_awready,
      .s_axil_awvalid,
      .s_axil_awaddr,
      .s_axil_awprot,
      .s_axil_wready,
      .s_axil_wvalid,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_bready,
      .s_axil_bvalid,
      .s_axil_bresp(bad_write),
      .s_axil_arready,
      .s_axil_arvalid,
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_rready,
      .s_axil_rvalid,
      .s_axil_rdata,
      .s_axil_rresp(bad_read),
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
      .Prefix         (Prefix)
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
